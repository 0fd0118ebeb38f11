//! What every picture keeps to: sizes, determinism, distinctness, and nothing that a strict
//! content policy refuses.

use std::collections::HashSet;

use fracas_art::{Emblem, Part, Scene, SceneWord, scene_words};

/// Twenty names as a table may have them.
const NAMES: [&str; 20] = [
    "Tamsin",
    "Oren",
    "Ilka",
    "Gatewarden",
    "Levy Adan",
    "Levy Bero",
    "Levy Cato",
    "Archer of the Wall",
    "Besh",
    "Rehka",
    "Naveth",
    "Old Scorpion",
    "Captain Rusa",
    "Envoy in Grey",
    "Zilka",
    "Dorit",
    "Hadar",
    "Lior",
    "Moor Wolf",
    "Ember Hound",
];

/// Names and lines that nobody should write.
fn strange() -> Vec<String> {
    let mut strange: Vec<String> = [
        "",
        " ",
        "\"><script>alert(1)</script>",
        "' onload='x",
        "&amp;<>&#0;",
        "🦊🐺 👨‍👩‍👧",
        "\u{0}\u{1}\u{7f}\u{202e}",
        "İıßﬀ",
        "-",
        "'",
        "night\tmoon\nwall",
        "'s 's",
        "ies",
        "wolf wolf wolf",
        "%s{}{0}",
        "../../etc",
        "\u{300}\u{301}",
    ]
    .map(str::to_owned)
    .to_vec();
    strange.push("x".repeat(10_000));
    strange.push("moon ".repeat(2_000));
    strange.push("é".repeat(10_000));
    // Pseudo-random letters of all sorts.
    let mut state = 7_u32;
    for _ in 0..200 {
        let text = (0..40).filter_map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(state >> 11 & if state & 1 == 0 { 0x7f } else { 0x1_ffff })
        });
        strange.push(text.collect());
    }
    strange
}

/// The values of an attribute, in order.
fn values<'a>(svg: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    svg.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Checks that a drawing is whole, and has only elements and attributes that are pictures.
fn check(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').expect("an element ends") + start;
        let tag = &rest[start + 1..end];
        let text = rest[..start].trim();
        assert!(text.chars().all(|letter| letter.is_ascii_digit()), "a text that is no number: {text:?}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg:.300}");
        } else {
            let name = tag.split([' ', '/']).next().expect("a name");
            assert!(["svg", "g", "path", "use", "text", "clipPath"].contains(&name), "<{name}>");
            if !tag.ends_with('/') {
                open.push(name);
            }
            for attribute in tag.split('"').step_by(2).filter(|part| part.contains('=')) {
                let attribute =
                    attribute.trim().trim_end_matches('=').trim_start_matches(&format!("{name} "));
                assert!(attribute != "style" && !attribute.starts_with("on"), "{attribute}");
                assert!(
                    attribute.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-'),
                    "{attribute:?}"
                );
            }
        }
        rest = &rest[end + 1..];
    }
    assert_eq!((open.len(), rest), (0, ""), "all elements are closed");
    assert!(svg.starts_with("<svg class=\"") && svg.contains(" aria-hidden=\"true\""), "{svg:.100}");
    for path in values(svg, "d") {
        let plain = |letter: char| letter.is_ascii_digit() || " .-MmLlHhVvCcSsQqTtAaZz".contains(letter);
        assert!(path.chars().all(plain) && (path.is_empty() || path.starts_with('M')), "{path:?}");
    }
    for colour in values(svg, "fill").into_iter().chain(values(svg, "stroke")) {
        let hex = colour.strip_prefix('#').is_some_and(|digits| [3, 6].contains(&digits.len()));
        assert!(hex || ["none", "currentColor"].contains(&colour), "{colour:?}");
    }
}

/// Checks an emblem's drawing, and that every id in it has the prefix.
fn check_emblem(emblem: Emblem, prefix: &str) -> String {
    let svg = emblem.svg(prefix);
    check(&svg);
    assert!(svg.len() <= 1200, "{emblem}: {}", svg.len());
    let ids = values(&svg, "id");
    assert_eq!(ids.len(), 2);
    let links: Vec<_> = values(&svg, "href").iter().map(|link| link.trim_start_matches('#')).collect();
    let clips: Vec<_> = values(&svg, "clip-path")
        .iter()
        .map(|link| link.trim_start_matches("url(#").trim_end_matches(')'))
        .collect();
    assert!(links.iter().chain(&clips).all(|id| ids.contains(id)), "{svg}");
    svg
}

#[test]
fn emblems_at_a_table_differ() {
    let drawn: HashSet<_> = NAMES.iter().map(|name| Emblem::of(name).to_string()).collect();
    assert_eq!(drawn.len(), NAMES.len());
    assert_eq!(Emblem::of("Tamsin"), Emblem::of(" tamsin "), "spaces and capitals do not count");
}

#[test]
fn every_part_of_an_emblem_is_drawn() {
    let emblems: Vec<Emblem> = (0..4_000).map(|n| Emblem::of(&format!("Nobody {n}"))).collect();
    let drawn: HashSet<_> = emblems.iter().map(|emblem| check_emblem(*emblem, "a-prefix-12b")).collect();
    let words: HashSet<_> = emblems.iter().map(Emblem::to_string).collect();
    assert_eq!(drawn.len(), words.len());
    for (part, least) in [(Part::Charge, 40), (Part::Tincture, 10), (Part::Shape, 10), (Part::Division, 12)] {
        let drawn: HashSet<_> = emblems.iter().map(|emblem| emblem.word(part)).collect();
        assert!(drawn.len() == part.words().len() && drawn.len() >= least, "{part:?}");
    }
}

#[test]
fn prefixes_keep_ids_apart() {
    let ids = |prefix: &str| -> Vec<String> {
        values(&Emblem::of("Wolf").svg(prefix), "id").iter().map(|id| (*id).to_owned()).collect()
    };
    assert!(ids("seat-3").iter().all(|id| id.starts_with("seat-3")));
    let mut all: Vec<String> =
        strange().iter().map(String::as_str).chain(["a", "b", "a-e"]).flat_map(ids).collect();
    let count = all.len();
    assert!(
        all.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
    );
    all.sort_unstable();
    all.dedup();
    // Spaces around a prefix and its capitals do not count.
    assert!(all.len() >= count - 8, "{} of {count}", all.len());
}

#[test]
fn strange_names_and_lines_do_no_harm() {
    for text in strange() {
        check_emblem(Emblem::of(&text), &text);
        for scene in
            [Scene::written(&text, &text), Scene::summary(&text, &text, &text), Scene::written("moon", &text)]
        {
            check(&scene.svg());
            assert!(scene.svg().len() <= 9000 && scene.unknown().len() <= 16);
            assert!(scene.unknown().iter().all(|unknown| unknown.word.chars().count() <= 40));
        }
    }
}

#[test]
fn every_word_of_a_scene_draws_something() {
    let bare = Scene::written("day ground hills", "A title").svg();
    let mut drawn = HashSet::new();
    for known in scene_words() {
        let scene = Scene::written(known.word, "A title");
        assert!(scene.unknown().is_empty() && !known.about.is_empty(), "{}", known.word);
        let svg = scene.svg();
        check(&svg);
        assert!((1000..=9000).contains(&svg.len()), "{}: {}", known.word, svg.len());
        assert!(!svg.contains(" id="), "scenes have no ids");
        assert!(svg != bare || ["day", "ground", "hills"].contains(&known.word), "{}", known.word);
        assert!(
            drawn.insert(svg) || ["ground", "hills"].contains(&known.word),
            "{} is like another",
            known.word
        );
        for other in known.also.split_whitespace() {
            assert_eq!(Scene::written(other, "").line(), Scene::written(known.word, "").line(), "{other}");
        }
    }
}

#[test]
fn every_motif_fits_in_every_hour() {
    let words: Vec<_> = scene_words().map(|known| known.word).collect();
    for (at, pair) in words.windows(6).enumerate() {
        let line = format!("{} {}", words[at % 16], pair.join(" "));
        check(&Scene::written(&line, "").svg());
    }
    let all = Scene::written(&words.join(" "), "Everything").svg();
    check(&all);
    assert!(all.len() <= 9000);
}

#[test]
fn the_same_words_and_title_give_the_same_scene() {
    let scene = |line, title| Scene::written(line, title).svg();
    assert_eq!(
        scene("night moon wall gate", "The Salt Gate"),
        scene("Night, moon; WALL gates", "the salt gate")
    );
    assert_ne!(
        scene("night moon wall gate", "The Salt Gate"),
        scene("night moon wall gate", "The Other Gate")
    );
    let written = Scene::written("gate moon xyzzy wal", "T");
    assert_eq!(written.svg(), Scene::written(&written.line(), "T").svg(), "its own line gives it again");
    let unknown: Vec<_> = written.unknown().iter().map(ToString::to_string).collect();
    assert_eq!(
        unknown,
        [
            "`xyzzy` names nothing that can be drawn",
            "`wal` names nothing that can be drawn; nearest is `wall`"
        ]
    );
    let once = Scene::written("moon moon moon tower tower", "T");
    assert_eq!(once.line(), "night moon tower");
}

#[test]
fn the_guide_lists_every_word() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures.md");
    let guide = std::fs::read_to_string(path).expect("docs/pictures.md");
    let (before, _) = guide.split_once("| word |").unwrap_or((&guide, ""));
    let mut written = format!("{before}| word | or | |\n|---|---|---|\n");
    for SceneWord { word, also, about } in scene_words() {
        let also = also.split_whitespace().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        written += &format!("| `{word}` | {also} | {about} |\n");
    }
    if std::env::var_os("FRACAS_GOLDEN").is_some_and(|mode| mode == "write") {
        std::fs::write(path, &written).expect("docs/pictures.md");
    } else {
        assert!(guide == written, "docs/pictures.md: write it anew with FRACAS_GOLDEN=write");
    }
}
