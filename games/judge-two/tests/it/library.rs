//! Faults in a library, each in its own place.

use fracas_kernel::{Document, Game, Setup};
use fracas_suite::Tables;
use judge_two::JudgeTwo;

/// The tables of the game.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

/// Every fault of these library files, one a line.
fn faults(files: &[(&str, &str)]) -> String {
    let read = |&(name, text): &(&str, &str)| Document::toml(name, text).expect("TOML");
    let encounter = Document::json("nothing", &serde_json::json!({}));
    let setup = Setup { encounter, library: files.iter().map(read).collect() };
    JudgeTwo::library(&setup).err().unwrap_or_default().to_string()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = faults(&[("mine.toml", text)]);
    let fits = found.lines().count() == expected.len()
        && found.lines().zip(expected).all(|(found, expected)| found.starts_with(expected));
    assert!(fits, "found:\n{found}\nexpected:\n{}", expected.join("\n"));
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        "[[boon]]\nname = \"Net\"\nhands = 3\n\n[[foe]]\nname = \"Reeve\"\npl = 5\n\n[[character]]\nname = \"Wren\"\n\
         atributes = { arm = 1 }\n",
        &[
            "mine.toml:3: boon[1].hands: expected a whole number from 0 to 2, found 3",
            "mine.toml:5: foe[1]: `kind` is missing: brute, foe or nemesis",
            "mine.toml:11: character[1].atributes: no such field here; perhaps `attributes`",
        ],
    );
}

#[test]
fn wrong_types() {
    check("[[boon]]\nname = 3\n", &["mine.toml:2: boon[1].name: expected text, found a whole number"]);
    check("character = 3\n", &["mine.toml:1: character: expected a list, found a whole number"]);
    check(
        "foe = [1, { name = \"A\", kind = \"foe\", pl = 5 }]\n",
        &["mine.toml:1: foe[1]: expected a table"],
    );
    check(
        "[[character]]\nname = \"A\"\nattributes = [1]\n[[character.boon]]\nname = \"B\"\nresist = { martial = \"two\" }\n",
        &[
            "mine.toml:3: character[1].attributes: expected a table, found a list",
            "mine.toml:6: character[1].boon[1].resist.martial: expected a whole number from 0 to 9, found text",
        ],
    );
}

#[test]
fn missing_fields() {
    check("[[boon]]\nhands = 1\n", &["mine.toml:1: boon[1]: `name` is missing"]);
    check(
        "\n[[foe]]\nname = \"A\"\nkind = \"nemesis\"\n",
        &["mine.toml:2: foe[1]: `pl` is missing", "mine.toml:2: foe[1]: `omen` is missing"],
    );
}

#[test]
fn unknown_fields_and_lists() {
    check(
        "[[boons]]\nname = \"A\"\n[[boon]]\nname = \"B\"\nhand = 1\n",
        &[
            "mine.toml:1: boons: no such field here; perhaps `boon`",
            "mine.toml:5: boon[1].hand: no such field here",
        ],
    );
    check(
        "[carried]\nlog = \"a\"\nlines = 3\nstate = \"f\"\nfrom = 1\n",
        &["mine.toml:5: carried.from: no such"],
    );
    check("[[fallen]]\nplayer = \"A\"\n", &["mine.toml:1: fallen[1]: `name` is missing"]);
}

#[test]
fn huge_numbers() {
    check(
        "[[character]]\nname = \"A\"\nfaith = 99999999999999999999999\nrisk = 9223372036854775807\n",
        &[
            "mine.toml:3: character[1].faith: expected a whole number from 0 to 3, found a number too large",
            "mine.toml:4: character[1].risk: expected a whole number from 0 to 12, found 9223372036854775807",
        ],
    );
    let many = "[[boon]]\nname = \"A\"\nhands = 7\n".repeat(3000);
    assert!(faults(&[("many.toml", &many)]).contains("too many"));
}

#[test]
fn the_same_name_twice() {
    check(
        "[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n[[foe]]\nname = \"A\"\nkind = \"brute\"\npl = 4\n",
        &[
            "mine.toml:4: boon[2].name: boon[1] is called \"A\" too",
            "mine.toml:6: boon[3].name: boon[1] is called \"A\" too",
        ],
    );
    let one = ("one.toml", "[[boon]]\nname = \"A\"\n");
    assert_eq!(faults(&[one, ("two.toml", "[[boon]]\nname = \"A\"\n")]), "", "another file may say it anew");
}

#[test]
fn what_is_used_must_be_there() {
    check(
        "[[character]]\nname = \"A\"\ncarries = [\"Net\", \"Rope\"]\n[[character.boon]]\nuse = \"Hook\"\n[[boon]]\nname = \"Net\"\n",
        &[
            "mine.toml:3: character[1].carries: the library has no [[boon]] called \"Rope\"",
            "mine.toml:5: character[1].boon[1].use: the library has no [[boon]] called \"Hook\"",
        ],
    );
    check(
        "[[foe]]\nname = \"A\"\nkind = \"brute\"\npl = 4\n[[foe]]\nuse = \"A\"\nname = \"B\"\n",
        &["mine.toml:6: foe[2].use: only an encounter's entry uses another"],
    );
    let boons = ("boons.toml", "[[boon]]\nname = \"Rope\"\n");
    assert_eq!(faults(&[("mine.toml", "[[character]]\nname = \"A\"\ncarries = [\"Rope\"]\n"), boons]), "");
}

#[test]
fn whom_only_an_encounter_knows_is_no_fault() {
    let text = "[[character]]\nname = \"A\"\nplayer = \"Ana\"\nunaware_of = [\"reeve\", \"a-dog\"]\nhistory = [\"lived\"]\n\
        [[foe]]\nname = \"B\"\nkind = \"nemesis\"\npl = 6\nomen = { defeated = \"reeve\" }\n[[fallen]]\nname = \"C\"\n";
    check(text, &[]);
    check(
        "[[foe]]\nname = \"B\"\nkind = \"foe\"\npl = 6\nunaware_of = [\"The Reeve\", \"A\"]\nheedless_of = \"X\"\n",
        &[],
    );
    check(
        "[[foe]]\nname = \"B\"\nkind = \"nemesis\"\npl = 6\nomen = { defeated = \"The Reeve\" }\n",
        &["mine.toml:5: foe[1].omen.defeated: nobody here is called \"The Reeve\""],
    );
}

#[test]
fn every_template_is_sound() {
    TABLES.templates::<JudgeTwo>();
}

#[test]
fn whatever_is_written_is_survived() {
    let sources =
        ["../../content/judge-two/foes.toml", "../../content/judge-two/characters.toml"].map(|path| {
            std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("bundled")
        });
    let template = JudgeTwo::templates()[0].1.to_owned();
    let mut seed = 7_u64;
    let mut below = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let odd = [
        "[]",
        "{}",
        "-1",
        "\"\"",
        "true",
        "[[1]]",
        "\"@entry\"",
        "\"somebody-of-no-library\"",
        "9e9",
        "{ a = 1 }",
    ];
    for source in sources.iter().chain([&template]) {
        for _ in 0..300 {
            let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
            for _ in 0..=below(3) {
                let at = below(lines.len());
                let field = lines[at].split_once(" = ").map(|(field, _)| field.to_owned());
                match field {
                    Some(field) => lines[at] = format!("{field} = {}", odd[below(odd.len())]),
                    None => drop(lines.remove(at)),
                }
            }
            if let Ok(document) = Document::toml("odd.toml", &lines.join("\n")) {
                let encounter = Document::json("nothing", &serde_json::json!({}));
                drop(JudgeTwo::library(&Setup { encounter, library: vec![document] }));
            }
        }
    }
}

#[test]
fn what_others_share_is_read_too() {
    check(
        "[[class]]\nname = \"Scribe\"\nresolve = 10\n[[class.ability]]\nname = \"Quill\"\ncosts = 1\n\
         [[people]]\nname = \"udahi\"\nproficient = [\"archer\"]\n[[people]]\nname = \"elves\"\n[[class]]\nresolve = 1\n\
         [[ability]]\nname = \"Ward\"\nonce = \"ever\"\nforbids = [\"sleep\"]\n",
        &[
            "mine.toml:3: class[1].resolve: expected a whole number from 0 to 9, found 10",
            "mine.toml:6: class[1].ability[1].costs: no such field here",
            "mine.toml:9: people[1].proficient: expected one of",
            "mine.toml:10: people[2]: expected one of udahi",
            "mine.toml:12: class[2]: `name` is missing",
            "mine.toml:16: ability[1].once: expected one of",
            "mine.toml:17: ability[1].forbids: \"sleep\" is no threat and no mark",
        ],
    );
    let whole = "[[class]]\nname = \"Scribe\"\nnote = \"x\"\nproficient = [\"captain\"]\n[[class.ability]]\nuse = \"Ward\"\n\
        [[people]]\nname = \"menefi\"\nhomeland = \"the river\"\n[[ability]]\nname = \"Ward\"\nforbids = [\"disarm\", \"crush\"]\n\
        [[character]]\nname = \"A\"\nclass = \"Scribe\"\nreadied = [\"Rebuke\"]\n";
    check(whole, &[]);
}

/// A fault: its line, what stands there and why it does nothing.
type Fault = (usize, &'static str, &'static str);

#[test]
fn what_would_never_do_anything_is_a_fault() {
    let ability = |fields: &str| format!("[[ability]]\nname = \"A\"\n{fields}\n");
    let boon = |fields: &str| format!("[[boon]]\nname = \"B\"\n{fields}\n");
    let of_foe = |kind: &str, fields: &str| {
        format!("[[foe]]\nname = \"F\"\nkind = \"{kind}\"\npl = 5\n[[foe.ability]]\nname = \"A\"\n{fields}\n")
    };
    let nothing = "ability[1]: it would do nothing: say what it makes of a roll";
    let unused = "it works by itself and is never used: leave it out, or say what it `serves`";
    let rolls = "the gamemaster's characters roll nothing, so that nothing comes of it";
    let foes = "it would do nothing for one of the gamemaster's characters";
    let power = "only a power boon has it";
    let tables: &[(String, &[Fault])] = &[
        // Abilities.
        (ability(""), &[(1, "", nothing)]),
        (ability("note = \"the gamemaster knows\""), &[]),
        (ability("cost = 2\nonce = \"scene\"\nnote = \"x\""), &[(1, "", nothing)]),
        (ability("resist = { martial = 0 }"), &[(1, "", nothing)]),
        (ability("makes = [\"bold\"]"), &[]),
        (ability("reveals = true"), &[]),
        (ability("magick = true"), &[]),
        (ability("resolve = 1\nonce = \"round\""), &[(4, "ability[1].once: ", unused)]),
        (
            ability("bold = \"brute\"\nmakes = [\"bold\"]\ncost = 1"),
            &[(4, "ability[1].makes: ", unused), (5, "ability[1].cost: ", unused)],
        ),
        (
            ability("bold = \"brute\"\nserves = [\"test\"]"),
            &[(4, "ability[1].serves: ", "its use would do nothing")],
        ),
        (ability("bold = \"brute\"\nserves = [\"test\"]\nmakes = [\"bold\"]"), &[]),
        (ability("essence = \"faith\""), &[(3, "ability[1].essence: ", "an essence is for saves")]),
        (ability("essence = \"faith\"\nserves = [\"save\"]"), &[]),
        (
            ability("attribute = \"feet\"\nserves = [\"save\"]"),
            &[(3, "ability[1].attribute: ", "an attribute is for tests")],
        ),
        // Those of the gamemaster's characters.
        (
            of_foe("foe", "makes = [\"bold\"]\ncost = 2"),
            &[(7, "foe[1].ability[1].makes: ", rolls), (8, "foe[1].ability[1].cost: ", rolls)],
        ),
        (of_foe("foe", ""), &[(5, "foe[1].ability[1]: ", foes)]),
        (of_foe("foe", "note = \"sees in the dark\""), &[]),
        (of_foe("foe", "resist = { martial = 1 }"), &[]),
        (of_foe("foe", "deeds = 1"), &[]),
        (
            of_foe("brute", "resist = { martial = 1 }"),
            &[(7, "foe[1].ability[1].resist: ", "a brute never has risk")],
        ),
        (of_foe("foe", "armed = true\nessence = \"mind\""), &[(8, "foe[1].ability[1].essence: ", rolls)]),
        (
            "[[foe]]\nname = \"F\"\nkind = \"brute\"\npl = 4\nresolve = 1\n".to_owned(),
            &[(5, "foe[1].resolve: ", "a brute never has risk")],
        ),
        (
            "[[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 4\nknown_to = [\"A\"]\n".to_owned(),
            &[(5, "foe[1].known_to: ", "only somebody who is shuvin is known for it")],
        ),
        (
            "[[ability]]\nname = \"Rush\"\nnote = \"n\"\nmakes = [\"bold\"]\n\
             [[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 5\n[[foe.ability]]\nuse = \"Rush\"\n"
                .to_owned(),
            &[(10, "foe[1].ability[1].use: ", foes)],
        ),
        // A relic serves its holder.
        (
            "[[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 4\n[[foe.item]]\nname = \"Horn\"\n\
             [[foe.item.ability]]\nname = \"A\"\nmakes = [\"bold\"]\n"
                .to_owned(),
            &[],
        ),
        // Boons.
        (boon("range = \"far\""), &[(3, "boon[1].range: ", power)]),
        (
            boon("category = \"keen\"\nblocks = [\"weaken\"]\nbold = \"always\""),
            &[(5, "boon[1].bold: ", power)],
        ),
        (
            boon("category = \"power\"\nimpassioned = true"),
            &[(4, "boon[1].impassioned: ", "only a script has it")],
        ),
        (
            boon("category = \"power\"\nform = \"subtle\"\nrange = \"far\""),
            &[(5, "boon[1].range: ", "in such a conflict nothing has a reach")],
        ),
        (
            boon("category = \"power\"\npeople = \"udahi\""),
            &[(4, "boon[1].people: ", "only a master's weapon")],
        ),
        (boon("resist = { martial = 1 }"), &[(3, "boon[1].resist: ", "only a vital boon grants resistance")]),
        (boon("blocks = [\"weaken\"]"), &[(3, "boon[1].blocks: ", "only a keen boon makes threats")]),
        (boon("category = \"vital\""), &[(1, "boon[1]: ", "a vital boon grants resistance")]),
        (boon("category = \"keen\""), &[(1, "boon[1]: ", "a keen boon makes threats impossible")]),
        (boon("category = \"keen\"\nnote = \"x\""), &[]),
        (boon(""), &[]),
        // What is left empty.
        ("[[class]]\nname = \"C\"\n".to_owned(), &[(1, "class[1]: ", "it would give nothing")]),
        ("[[class]]\nname = \"C\"\nnote = \"x\"\n".to_owned(), &[]),
        (
            "[[character]]\nname = \"A\"\ndisguise = {}\n".to_owned(),
            &[(3, "character[1].disguise: ", "nothing about them is disguised")],
        ),
    ];
    for (text, expected) in tables {
        let expected: Vec<String> =
            expected.iter().map(|(line, field, what)| format!("mine.toml:{line}: {field}{what}")).collect();
        check(text, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn what_a_table_keeps_already_may_do_nothing() {
    let text = "[[player]]\nname = \"Ana\"\n[[character]]\nname = \"A\"\n[[character.ability]]\nname = \"E\"\n\
                [form.naval]\n[[foe]]\nname = \"F\"\nkind = \"brute\"\npl = 4\nresolve = 1\nunaware_of = [\"F\"]\n\
                [[range]]\nfrom = [\"A\"]\nto = [\"A\"]\nis = \"far\"\n";
    let document = Document::toml("e.toml", text).expect("TOML");
    let told = JudgeTwo::start(&Setup::alone(document.clone())).err().unwrap_or_default().to_string();
    assert_eq!(told.lines().count(), 5, "{told}");
    assert!(JudgeTwo::start(&Setup::alone(document.kept())).is_ok());
}

#[test]
fn names_that_are_near_are_told() {
    let text = "[options]\ntier-downgrad = \"allowed\"\nessence-cap = \"uncaped\"\n[[player]]\nname = \"Tamsin\"\n\
                [[character]]\nname = \"A\"\nplayer = \"Tamsyn\"\n[[character.ability]]\nname = \"W\"\nforbids = [\"weakn\"]\n";
    let document = Document::toml("e.toml", text).expect("TOML");
    let told = JudgeTwo::start(&Setup::alone(document)).err().unwrap_or_default().to_string();
    for expected in [
        "e.toml:2: options.tier-downgrad: no such option; perhaps `tier-downgrade`; there are ",
        "e.toml:3: options.essence-cap: expected one of capped-at-3, uncapped, found \"uncaped\"; perhaps `uncapped`",
        "e.toml:8: character[1].player: no [[player]] is called \"Tamsyn\"; perhaps `Tamsin`; there are Tamsin",
        "e.toml:11: character[1].ability[1].forbids: \"weakn\" is no threat and no mark; perhaps `weaken`",
    ] {
        assert!(told.contains(expected), "{expected}\nin\n{told}");
    }
    assert_eq!(told.lines().count(), 4, "{told}");
}
