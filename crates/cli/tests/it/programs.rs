//! What programs read of the output: JSON, exit codes, help.

use crate::common::Desk;

#[test]
fn json_parses() {
    let desk = Desk::new();
    desk.run("play --bot all=random --seed 5 --max-answers 10 --log a.fracas", "").ends(0);
    let log = desk.run("replay a.fracas --format json", "").ends(0).json();
    assert!(log["lines"].as_array().is_some_and(|lines| lines.len() > 3));
    assert_eq!(desk.run("verify a.fracas --format json", "").ends(0).json()["sound"], true);
    let all = desk.run("rulebook list --format json", "").ends(0).json();
    let first = &all[0];
    let (system, id) = (first["system"].as_str().expect("a system"), first["id"].as_str().expect("an id"));
    let shown = desk.run(&format!("rulebook show {id} --system {system} --format json"), "").ends(0).json();
    assert_eq!(shown[0], *first);
    let hits = desk.run(&format!("rulebook --format json search {id}"), "").ends(0).json();
    assert_eq!(hits[0]["id"], id);
    assert_eq!(desk.run("rulebook search qqqqzzzz --format json", "").ends(0).json(), serde_json::json!([]));
}

#[test]
fn coverage_counts_every_clause() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path().join("scenarios")).expect("a folder");
    let covered = desk.run("rulebook coverage --format json", "").json();
    for system in covered["systems"].as_array().expect("systems") {
        let uncovered = system["uncovered"].as_array().expect("ids").len();
        assert_eq!(system["clauses"].as_u64(), Some(uncovered as u64), "without scenarios nothing is shown");
        assert_eq!(system["covered"], 0);
        assert!(system["rulings_uncovered"].is_array() && system["beyond_uncovered"].is_array());
    }
}

#[test]
fn a_failed_check_is_told_with_its_rule() {
    let desk = Desk::new();
    let listed = desk.run("rulebook list --format json", "").ends(0).json();
    let game = listed[0]["system"].as_str().expect("a system");
    desk.write(
        "s/odd.toml",
        format!(
            "title = \"odd\"\ngame = \"{game}\"\ncovers = [\"no.such\"]\n[setup]\n[[step]]\nroll = [1]\n"
        ),
    );
    let report = desk.run("check s --format json", "").ends(1).json();
    assert_eq!((&report["passed"], &report["failed"]), (&0.into(), &1.into()));
    assert_eq!(report["checks"][0]["what"], "scenario");
    assert!(report["checks"][0]["failure"]["what"].is_string());
    desk.run("check s", "").ends(1).says("0 passed, 1 failed");
}

#[test]
fn help_states_the_exit_codes() {
    let desk = Desk::new();
    desk.run("--help", "").ends(0).says("0 done, 1 a check failed, 2 bad input").says("Examples:");
    desk.run("--version", "").ends(0).says("fracas ");
    for verb in [
        "play",
        "sessions",
        "new",
        "library",
        "schema",
        "carry",
        "check",
        "rulebook",
        "replay",
        "verify",
        "story",
        "rulebook coverage",
    ] {
        desk.run(&format!("{verb} --help"), "").ends(0).says("Usage:");
    }
}

#[test]
fn the_list_names_what_play_takes() {
    let desk = Desk::new();
    let list = desk.run("play --list", "").ends(0);
    let names: Vec<&str> = list
        .out
        .lines()
        .filter_map(|l| l.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(!names.is_empty());
    for name in names {
        desk.run(&format!("play {name} --bot all=random --max-answers 5 --log {name}.fracas --seed 1"), "")
            .ends(0);
    }
}

#[test]
fn ones_own_encounters_come_first() {
    let desk = Desk::new();
    let bundled = desk.run("play --list --system judge-two", "").ends(0).out;
    desk.run("new encounter --system judge-two -o road.toml", "").ends(0);
    let road = std::fs::read_to_string(desk.path().join("road.toml")).expect("written");
    desk.write("encounters/road.toml", &road);
    desk.write("encounters/broken.toml", "title = = 1\n");
    let output = desk.run("play --list --system judge-two", "").ends(0).says("encounters/broken.toml:1:").out;
    let after = output.split_once("  encounters/road.toml ").expect("listed").1;
    for line in bundled.lines().skip(1) {
        assert!(after.contains(line), "{line} after one's own in {output}");
    }
    desk.run("play road --bot all=random --max-answers 3 --seed 1 --log a.fracas", "").ends(0);
    desk.run("play --bot all=random --max-answers 3 --seed 1 --log b.fracas", "").ends(0);
    let own = desk.run("replay b.fracas", "").ends(0).out;
    assert_eq!(own, desk.run("replay a.fracas", "").ends(0).out, "the first is one's own");
}

#[test]
fn a_search_takes_words_and_says_where_nothing_is_found() {
    let desk = Desk::new();
    desk.run("rulebook search qqqqzzzz", "").ends(1).says("Nothing found");
    let whole = |text: &str, word: &str| {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word))
    };
    let hits = desk.run("rulebook search arm --format json", "").ends(0).json();
    let hits = hits.as_array().expect("entries").clone();
    assert!(!hits.is_empty());
    for hit in hits {
        assert!(whole(&hit.to_string(), "arm"), "{hit}");
    }
}

#[test]
fn a_library_is_told_line_by_line() {
    let desk = Desk::new();
    let three = "[[boon]]\nname = \"Net\"\nhands = 3\n\n[[foe]]\nname = \"Reeve\"\npl = 5\n\n\
        [[character]]\nname = \"Wren\"\natributes = { arm = 1 }\n";
    desk.write("mine.toml", three);
    let run = desk.run("check --system judge-two mine.toml", "").ends(1).says("0 passed, 1 failed");
    let run = run.says("mine.toml:3: boon[1].hands").says("mine.toml:5: foe[1]").says("mine.toml:11:");
    assert_eq!(run.out.matches("mine.toml:").count(), 3, "{}", run.out);
    let json = desk.run("check --system judge-two mine.toml --format json", "").ends(1).json();
    assert_eq!(json["checks"][0]["what"], "library");
    let lines: Vec<_> =
        json["checks"][0]["faults"].as_array().expect("faults").iter().map(|f| &f["line"]).collect();
    assert_eq!(lines, [3, 5, 11]);
    // A library may use libraries in its folder, and bundled ones.
    desk.write("fine.toml", "[[character]]\nname = \"Wren\"\ncarries = [\"Lamp\"]\n");
    desk.run("check --system judge-two fine.toml", "").ends(0);
    desk.write("own/encounters/x.toml", "game = 3\n");
    desk.write("own/people.toml", "[[character]]\nname = \"Wren\"\ncarries = [\"Lamp\", \"Rope\"]\n");
    desk.write("own/things.toml", "[[boon]]\nname = \"Rope\"\n[[boon]]\nname = 3\n");
    desk.run("check --system judge-two own/people.toml", "").ends(0);
    desk.write(
        "own/people.toml",
        "[[character]]\nname = \"Wren\"\ncarries = [\"Lamp\", \"Rope\", \"Fog\"]\n",
    );
    let run = desk.run("check --system judge-two own/people.toml", "").ends(1).says("\"Fog\"");
    assert!(!run.out.contains("Rope") && !run.out.contains("things.toml"), "{}", run.out);
    desk.run("check --system judge-two own/things.toml", "").ends(1).says("things.toml:4");
}

#[test]
fn every_template_passes_check() {
    let desk = Desk::new();
    let listed = desk.run("new", "").ends(0).out;
    let (mut system, mut is_first) = (String::new(), true);
    for line in listed.lines() {
        match line.strip_prefix("  ").map(|line| line.split(' ').next().unwrap_or_default()) {
            // The command goes on in the next line.
            Some("") => {}
            // It is made of a file.
            Some("map") => {}
            Some(kind) => {
                begun(&desk, &system, kind, is_first);
                is_first = false;
            }
            None => {
                system = line.rsplit(['(', ')']).nth(1).expect("an id").to_owned();
                is_first = true;
            }
        }
    }
    let kind = |kind: &str| desk.run(&format!("new {kind} --system judge-two"), "").ends(0);
    kind("character");
    desk.write("encounter.toml", kind("encounter").out);
    desk.run("play encounter.toml --log e.fracas", "1\n").ends(0).says("Go on with");
    desk.run("new dragon", "").ends(2).warns("there is no template of \"dragon\"; there are ");
    desk.run("new character --system whist", "").ends(2);
    desk.run("new character --system judge-two -o no/such/x.toml", "").ends(2).warns("no such folder");
    desk.run("new character --system judge-two --force", "").ends(2);
}

#[test]
fn an_encounter_is_begun_from_a_map() {
    let desk = Desk::new();
    let walls = r#""line_of_sight": [[{"x": 2, "y": 0}, {"x": 2, "y": 3}]]"#;
    let map = |size: &str| format!(r#"{{"resolution": {{"map_size": {{"x": {size}, "y": 4}}}}, {walls}}}"#);
    desk.write("the_mill.dd2vtt", map("6"));
    let made = desk.run("new map the_mill.dd2vtt -o mill.toml", "").ends(0);
    made.says("6 columns, 4 rows, 3").says("check mill.toml");
    desk.run("check mill.toml", "").ends(0).says("1 passed, 0 failed");
    desk.run("new map the_mill.dd2vtt", "").ends(0).says("title = \"the mill\"").says("\"B3-C3\"");
    desk.run("new map the_mill.dd2vtt -o mill.toml", "").ends(2).warns("--force");
    desk.run("new map the_mill.dd2vtt --system afraid", "").ends(2).warns("has no maps");
    desk.run("new map", "").ends(2).warns("of which file?");
    desk.run("new character the_mill.dd2vtt --system afraid", "")
        .ends(2)
        .warns("only `new map` takes a file");
    desk.run("new map nowhere.dd2vtt", "").ends(2).warns("nowhere.dd2vtt: ");
    desk.write("wide.uvtt", map("\"600\""));
    desk.run("new map wide.uvtt", "").ends(2).warns("wide.uvtt: the map has 600 columns and 4 rows");
    desk.write("odd.uvtt", b"\xff\xd8 \x1b[2J");
    desk.run("new map odd.uvtt -o odd.toml", "").ends(2).warns("neither a Universal VTT map");
    assert!(!desk.path().join("odd.toml").exists());
}

#[test]
fn a_maps_picture_is_written_beside_its_encounter() {
    let desk = Desk::new();
    // Three by two pixels.
    let picture = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGM4IScHQQxwFgBBAAYZPEVBlgAAAABJRU5ErkJggg==";
    let map = format!(r#"{{"resolution": {{"map_size": {{"x": 6, "y": 4}}}}, "image": "{picture}"}}"#);
    desk.write("the_mill.dd2vtt", &map);
    let made = desk.run("new map the_mill.dd2vtt -o mill.toml", "").ends(0);
    made.says("mill.png: its picture.").says("\"Bring a map\"");
    let text = std::fs::read_to_string(desk.path().join("mill.toml")).expect("a text");
    assert!(text.contains("\npicture = { file = \"mill.png\" }\n"), "{text}");
    desk.run("check mill.toml", "").ends(0).says("1 passed, 0 failed");
    desk.run("play mill.toml --bot gm=random --bot player-1=random --log evening.log", "").ends(0);
    // Neither is overwritten, and neither is written alone.
    desk.run("new map the_mill.dd2vtt -o mill.toml", "")
        .ends(2)
        .warns("mill.toml: there is such a file already");
    std::fs::rename(desk.path().join("mill.toml"), desk.path().join("other.toml")).expect("moved");
    desk.run("new map the_mill.dd2vtt -o mill.toml", "")
        .ends(2)
        .warns("mill.png: there is such a file already");
    assert!(!desk.path().join("mill.toml").exists());
    desk.run("new map the_mill.dd2vtt -o mill.toml --force", "").ends(0);
    // A picture that is gone, or none, is a fault of its line.
    desk.write("mill.png", b"\x89PNG\r\n\x1a\n");
    desk.run("check mill.toml", "").ends(1).says("map.picture.file: ").says("mill.png: it cannot be read");
    std::fs::remove_file(desk.path().join("mill.png")).expect("removed");
    desk.run("check mill.toml", "")
        .ends(1)
        .says("map.picture.file: ")
        .says("mill.png: there is no such file");
    // On standard output it is a text alone.
    let text = desk.run("new map the_mill.dd2vtt", "").ends(0);
    assert!(!text.out.contains("picture"), "{}", text.out);
}

/// Writes a template of a kind and checks it with the command that is printed; `again` also tries to write
/// over it.
fn begun(desk: &Desk, system: &str, kind: &str, again: bool) {
    let new = format!("new {kind} --system {system}");
    let file = format!("{system}-{kind}.toml");
    let template = desk.run(&new, "").ends(0).out;
    let output = desk.run(&format!("{new} -o {file}"), "").ends(0).says(&format!("check {file}")).out;
    let check = output[output.rfind("check ").expect("a command")..].lines().next().expect("a line");
    let written = || std::fs::read_to_string(desk.path().join(&file)).expect("written");
    // The first line names the schema for editors.
    let text = written();
    assert_eq!(
        text.strip_prefix("#:schema ")
            .and_then(|text| text.split_once('\n'))
            .map_or(&*text, |(_, text)| text),
        template
    );
    desk.run(check, "").ends(0).says("1 passed, 0 failed");
    if !again {
        return;
    }
    desk.write(&file, "mine");
    desk.run(&format!("{new} -o {file}"), "").ends(2).warns("--force");
    assert_eq!(written(), "mine");
    desk.run(&format!("{new} -o {file} --force"), "").ends(0);
    desk.run(check, "").ends(0);
}

/// A library with faults in lines 3, 4, 6, 8 and 9.
const FAULTY: &str = "[[foe]]\nname = \"Odd One\"\nkind = \"brut\"\npl = 99\n\n[[foe]]\n\n[[boon]]\nname = \"Net\"\nhnds = 1\n";

#[test]
fn faults_are_in_order_of_lines_and_for_editors() {
    let desk = Desk::new();
    desk.write("odd.toml", FAULTY);
    desk.write("broken.toml", "title = \"open\na = 1\n[table\nb = 2\n");
    let output = desk.run("check odd.toml --system judge-two --format short", "").ends(1).out;
    let lines: Vec<usize> = output
        .lines()
        .map(|line| {
            line.strip_prefix("odd.toml:").and_then(|rest| rest.split_once(": error: ")?.0.parse().ok())
        })
        .map(|line| line.unwrap_or_else(|| panic!("no place in:\n{output}")))
        .collect();
    assert!(lines.len() >= 4 && lines.is_sorted(), "{output}");
    assert!(output.contains("perhaps `brute`") && output.contains("perhaps `hands`"), "{output}");
    // Output for programs is not wrapped.
    let plain = desk.run("check odd.toml --system judge-two", "").ends(1).out;
    assert!(
        plain.lines().any(|line| line.starts_with("  odd.toml:3: ") && line.contains("perhaps `brute`")),
        "{plain}"
    );
    let output = desk.run("check odd.toml --system judge-two --format github", "").ends(1).out;
    assert!(output.lines().all(|line| line.starts_with("::error file=odd.toml,line=")), "{output}");
    // Every line that is not TOML is reported.
    let output = desk.run("check broken.toml --format short", "").ends(2).out;
    assert!(output.contains("broken.toml:1: ") && output.contains("broken.toml:3: "), "{output}");
}

#[test]
fn the_library_is_listed_and_shown_to_be_copied() {
    let desk = Desk::new();
    let run =
        desk.run("library list --system judge-two", "").ends(0).says("The Salt Gate").says("Gatewarden");
    assert!(!run.out.contains("The Broken Bridge"), "{}", run.out);
    let all = desk.run("library list foe --format json", "").ends(0).json();
    assert!(
        all.as_array().is_some_and(|all| all.len() > 5 && all.iter().all(|entry| entry["kind"] == "foe")),
        "{all}"
    );
    let gate = desk.run("library show salt-gate", "").ends(0).says("[[player]]");
    desk.write("gate.toml", &gate.out);
    let name = all[0]["name"].as_str().expect("a name").to_owned();
    let foe = desk.run(&format!("library show {name} --system judge-two"), "").ends(0).says("[[foe]]");
    desk.write("foe.toml", &foe.out);
    desk.run("check gate.toml foe.toml --system judge-two", "").ends(0).says("2 passed");
    desk.run("library show gatewardne --system judge-two", "").ends(2).warns("perhaps `Gatewarden`");
    desk.run("library list foo", "").ends(2).warns("perhaps `foe`");
}

#[test]
fn schemas_are_named_where_editors_look() {
    let desk = Desk::new();
    let run = desk.run("new boon --system judge-two -o net.toml", "").ends(0);
    let run = run.says("fracas schema library --system judge-two -o judge-two-library.schema.json");
    assert!(run.out.contains("check net.toml --system judge-two"), "{}", run.out);
    let text = std::fs::read_to_string(desk.path().join("net.toml")).expect("written");
    assert!(
        text.starts_with("#:schema judge-two-library.schema.json\n") && text.contains("[[boon]]"),
        "{text}"
    );
    desk.run("check net.toml --system judge-two", "").ends(0);
    desk.run("schema library --system judge-two -o judge-two-library.schema.json", "").ends(0);
    let schema = desk.run("schema encounter --system afraid", "").ends(0).json();
    assert_eq!(schema["properties"]["player"]["type"], "array");
    desk.run("new scenario --system afraid -o s.toml", "").ends(0);
    desk.run("new feat", "").ends(0).says("[[feat]]");
    desk.run("new boonn --system judge-two", "").ends(2).warns("perhaps `boon`");
}
