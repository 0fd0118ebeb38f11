//! Bad input is refused clearly: exit code 2, and never a panic.

use crate::common::{Desk, Numbers};
use fracas_table::chain;

/// A valid log.
fn log(desk: &Desk) -> Vec<u8> {
    desk.run("play --bot all=random --seed 5 --max-answers 25 --log sound.fracas", "").ends(0);
    std::fs::read(desk.path().join("sound.fracas")).expect("a log")
}

const READERS: [&str; 5] = ["verify", "replay", "story", "replay --format json", "play --resume"];

/// Every verb that reads a log refuses this file.
#[track_caller]
fn no_log(desk: &Desk, file: &str, why: &str) {
    for reader in READERS {
        let run = desk.run(&format!("{reader} {file}"), "1\n").ends(2).warns(why);
        assert!(run.err.contains(file), "the error names the file: {}", run.err);
    }
}

#[test]
fn files_that_are_not_logs_are_refused() {
    let desk = Desk::new();
    desk.write("garbage.fracas", [0xff; 300]);
    desk.write("lines.fracas", "one\ntwo\n");
    desk.write("empty.fracas", "");
    desk.write("deep.fracas", format!("{}\n", "[".repeat(200_000)));
    desk.write("object.fracas", "{}\n");
    no_log(&desk, "garbage.fracas", "");
    no_log(&desk, "lines.fracas", "lines.fracas:1");
    no_log(&desk, "empty.fracas", "header");
    no_log(&desk, "deep.fracas", "deep.fracas:1");
    no_log(&desk, "object.fracas", "object.fracas:1");
    no_log(&desk, "missing.fracas", "there is no such file");
    std::fs::create_dir(desk.path().join("folder.fracas")).expect("a folder");
    no_log(&desk, "folder.fracas", "expected a file, found a directory");
}

#[test]
fn a_hundred_megabytes() {
    let desk = Desk::new();
    for (name, megabytes) in [("big.fracas", 100), ("huge.fracas", 1000), ("big.toml", 100)] {
        let file = std::fs::File::create(desk.path().join(name)).expect("a file");
        file.set_len(megabytes << 20).expect("a sparse file");
    }
    no_log(&desk, "big.fracas", "header");
    no_log(&desk, "huge.fracas", "the most is");
    desk.run("play big.toml", "").ends(2).warns("the most is");
    desk.run("check big.toml", "").ends(2).says("the most is");
}

#[test]
fn files_that_are_not_logs_are_not_changed() {
    let desk = Desk::new();
    for text in ["my novel, without a last newline", "{\"seq\":0}\nand more"] {
        desk.write("novel.txt", text);
        desk.run("play --resume novel.txt", "1\n").ends(2);
        assert_eq!(std::fs::read_to_string(desk.path().join("novel.txt")).expect("there"), text);
    }
}

#[test]
fn a_log_cut_anywhere() {
    let desk = Desk::new();
    let whole = log(&desk);
    let mut numbers = Numbers(1);
    for _ in 0..40 {
        let at = usize::try_from(numbers.below(whole.len() as u64)).expect("small");
        desk.write("cut.fracas", &whole[..at]);
        let run = desk.run("verify cut.fracas", "");
        let header = whole.iter().position(|&b| b == b'\n').expect("a line");
        if at <= header {
            run.ends(2).warns("header");
        } else {
            // An incomplete last line was never acknowledged: the rest is sound.
            run.ends(0).says("Sound");
            desk.run("play --resume cut.fracas", "1\n1\n").ends(0);
            desk.run("verify cut.fracas", "").ends(0);
        }
    }
}

#[test]
fn a_log_with_a_byte_changed() {
    let desk = Desk::new();
    let whole = log(&desk);
    let mut numbers = Numbers(2);
    for _ in 0..60 {
        let at = usize::try_from(numbers.below(whole.len() as u64)).expect("small");
        let mut broken = whole.clone();
        broken[at] = b"0Z\"{},\xff"[usize::try_from(numbers.below(7)).expect("small")];
        desk.write("broken.fracas", &broken);
        // Without its newline the last line was never acknowledged.
        let same = broken == whole || at + 1 == whole.len();
        assert_eq!(desk.run("verify broken.fracas", "").code == 0, same, "byte {at}");
        desk.run("replay broken.fracas --as gm", "");
        desk.run("play --resume broken.fracas", "1\n");
    }
}

#[test]
fn a_line_taken_out_or_doubled() {
    let desk = Desk::new();
    let whole = String::from_utf8(log(&desk)).expect("UTF-8");
    let mut lines: Vec<&str> = whole.lines().collect();
    lines.insert(4, lines[4]);
    desk.write("doubled.fracas", lines.join("\n") + "\n");
    damaged(&desk, "doubled.fracas", 6);
    lines.remove(4);
    lines.remove(4);
    desk.write("gap.fracas", lines.join("\n") + "\n");
    damaged(&desk, "gap.fracas", 5);
}

/// Every verb that reads a log refuses this file, and names this line.
#[track_caller]
fn damaged(desk: &Desk, file: &str, line: usize) {
    let place = format!("{file}:{line}: ");
    for reader in &READERS[1..] {
        desk.run(&format!("{reader} {file}"), "1\n").ends(2).warns(&place);
    }
    desk.run(&format!("verify {file}"), "").ends(1).says(&place).says("Damaged or forged");
    let found = desk.run(&format!("verify {file} --format json"), "").ends(1).json();
    assert_eq!(
        (&found["verdict"], &found["problems"][0]["line"]),
        (&"damaged".into(), &line.into()),
        "{found}"
    );
}

#[test]
fn edited_text_is_detected() {
    let desk = Desk::new();
    desk.run("play --seed 1 --log w.fracas", "1 : so it begins\n: the bell tolls\n1\n1\n").ends(0);
    let whole = std::fs::read_to_string(desk.path().join("w.fracas")).expect("a log");
    let line = whole.lines().position(|line| line.contains("the bell tolls")).expect("it was said") + 1;
    desk.run("verify w.fracas", "").ends(0).says("with words that people wrote");
    let end = desk.run("verify w.fracas --format json", "").ends(0).json()["chain"].clone();
    let end = end.as_str().expect("a hash");
    desk.run("story w.fracas --as gm", "").ends(0).says(end);
    assert!(!desk.run("story w.fracas", "").ends(0).out.contains(end));
    desk.write("edited.fracas", whole.replace("the bell tolls", "all is quiet"));
    damaged(&desk, "edited.fracas", line);
    // Recomputed hashes are detected only by comparing the last hash.
    desk.write("forged.fracas", chain::renewed(&whole.replace("the bell tolls", "all is quiet")));
    let forged = desk.run("verify forged.fracas --format json", "").ends(0).json();
    assert_ne!(forged["chain"], end);
}

#[test]
fn a_title_that_was_changed_is_damage_of_the_first_line() {
    let desk = Desk::new();
    let whole = String::from_utf8(log(&desk)).expect("UTF-8");
    let retitled = whole.replacen("\"title\":\"", "\"title\":\"X", 1);
    assert_ne!(retitled, whole);
    desk.write("retitled.fracas", &retitled);
    damaged(&desk, "retitled.fracas", 1);
    desk.write("renewed.fracas", chain::renewed(&retitled));
    desk.run("verify renewed.fracas", "").ends(0);
}

#[test]
fn a_forged_story_is_found() {
    let desk = Desk::new();
    let whole = String::from_utf8(log(&desk)).expect("UTF-8");
    let text = whole.split("\"gm\":{\"text\":\"").nth(1).expect("something was shown");
    let text = text.split('"').next().expect("a text");
    desk.write("forged.fracas", chain::renewed(&whole.replace(text, "everybody wins")));
    desk.run("verify forged.fracas", "")
        .ends(1)
        .says("was shown \"everybody wins\"")
        .says("Damaged or forged");
    let found = desk.run("verify forged.fracas --format json", "").ends(1).json();
    assert_eq!((&found["sound"], &found["verdict"]), (&false.into(), &"damaged".into()), "{found}");
}

#[test]
fn rules_that_do_not_exist_are_refused_and_earlier_ones_not_verified() {
    let desk = Desk::new();
    let whole = String::from_utf8(log(&desk)).expect("UTF-8");
    let now = whole.split("\"version\":").nth(1).and_then(|rest| rest.split(',').next()).expect("a version");
    let of = |version: u32| {
        let [was, is] = [now, &version.to_string()].map(|version| format!("\"version\":{version},"));
        chain::renewed(&whole.replace(&was, &is))
    };
    desk.write("later.fracas", of(99));
    no_log(
        &desk,
        "later.fracas",
        &format!(
            "later.fracas:1: says version 99 of the rules of judge-two, and this program knows versions 1 to {now}"
        ),
    );
    desk.write("format.fracas", chain::renewed(&whole.replacen("\"format\":2", "\"format\":99", 1)));
    no_log(&desk, "format.fracas", "format.fracas:1: a log of format 99; this program reads formats 1 to 2");
    desk.write("earlier.fracas", of(1));
    let run = desk.run("verify earlier.fracas", "").ends(3).says("Not verified").says("not run again");
    assert!(!run.out.contains("Sound"), "{}", run.out);
    let found = desk.run("verify earlier.fracas --format json", "").ends(3).json();
    assert_eq!((&found["sound"], &found["verdict"]), (&false.into(), &"not-verified".into()), "{found}");
    assert_eq!((&found["not_run"], &found["moves"]), (&found["lines"], &0.into()), "{found}");
    desk.run("replay earlier.fracas", "").ends(0);
}

#[test]
fn bad_encounters_are_refused() {
    let desk = Desk::new();
    desk.write("latin.toml", b"title = \"Caf\xe9\"\n");
    desk.write("broken.toml", "title = \"x\"\nplayers = [[[\n");
    desk.write("deep.toml", format!("a = {}\n", "[".repeat(100_000)));
    desk.write("deep-tables.toml", format!("a = {}\n", "{a=".repeat(50_000)));
    desk.write("dots.toml", format!("{}x = 1\n", "a.".repeat(50_000)));
    desk.write("odd.toml", "nonsense = 3\nplayer = \"me\"\n");
    desk.write("other.toml", "game = \"whist\"\n");
    desk.write("many.toml", "[[player]]\nname = \"x\"\n".repeat(20_000));
    std::fs::create_dir(desk.path().join("folder.toml")).expect("a folder");
    for (file, why) in [
        ("latin.toml", "UTF-8"),
        ("broken.toml", "broken.toml:2"),
        ("deep.toml", "deep.toml:1"),
        ("deep-tables.toml", "deep-tables.toml:1"),
        ("dots.toml", "dots.toml"),
        ("odd.toml", "odd.toml"),
        ("other.toml", "whist"),
        ("many.toml", "many.toml"),
        ("folder.toml", "directory"),
        ("missing.toml", "there is no such file"),
        ("missing", "no encounter of that name"),
    ] {
        desk.run(&format!("play {file} --log x.fracas"), "1\n").ends(2).warns(why);
        assert!(!desk.path().join("x.fracas").exists(), "{file}: no log is left behind");
    }
    for file in
        ["latin.toml", "broken.toml", "deep.toml", "deep-tables.toml", "folder.toml/none", "missing.toml"]
    {
        desk.run(&format!("check {file}"), "").ends(2);
    }
}

#[test]
fn bad_scenarios_are_refused() {
    let desk = Desk::new();
    desk.write("a/nothing.toml", "title = \"x\"\ncovers = []\n");
    desk.write("a/game.toml", "title = \"x\"\ngame = \"whist\"\n[setup]\n[[step]]\nroll = [1]\n");
    desk.run("check a", "").says("0 passed, 2 failed");
}

#[test]
fn arguments_that_do_not_fit() {
    let desk = Desk::new();
    log(&desk);
    for args in [
        "dance",
        "play --seed x",
        "play --dice loaded",
        "play --bot zed",
        "play --bot gm=clever",
        "play --bot nobody=random",
        "play --system whist",
        "play --resume sound.fracas --seed 3",
        "play --log no/such/folder/x.fracas",
        "play --log sound.fracas",
        "rulebook show no.such.rule",
        "rulebook --system whist",
        "rulebook coverage --scenarios nowhere",
        "replay sound.fracas --as nobody",
        "story sound.fracas --as nobody",
        "check nowhere",
        "check",
    ] {
        let run = desk.run(args, "").ends(2);
        assert!(run.err.contains("error"), "{args}: {}", run.err);
    }
}

#[test]
fn hostile_lines() {
    let desk = Desk::new();
    let mut typed = Vec::new();
    typed.extend(vec![b'9'; 1 << 20]);
    typed.extend(b"\n\xff\xfe\n");
    typed.extend("[".repeat(60_000).as_bytes());
    typed.extend(b"\n");
    typed.extend("{\"a\":".repeat(10_000).as_bytes());
    typed.extend(b"\n99999999999999999999999999\n-1\n0\n1.5\n\0\n");
    typed.extend("\u{202e}\u{1b}]0;x\u{7} word\n".as_bytes());
    typed.extend(b": \x1b[2J\n");
    let run = desk.run("play --seed 1 --log h.fracas", typed).ends(0);
    assert!(!run.out.contains('\u{1b}') && !run.out.contains('\u{7}') && !run.out.contains('\u{202e}'));
    desk.run("verify h.fracas", "").ends(0);
    for reader in ["replay h.fracas", "story h.fracas"] {
        assert!(!desk.run(reader, "").ends(0).out.contains('\u{1b}'));
    }
}

#[test]
fn a_library_beside_an_encounter_is_of_its_system() {
    let desk = Desk::new();
    desk.run("new character --system afraid -o wren.toml", "").ends(0);
    desk.run("new encounter --system afraid -o road.toml", "").ends(0);
    desk.run("check road.toml --with wren.toml", "").ends(0).says("2 passed");
    desk.run("check road.toml --with nowhere.toml", "").ends(2).warns("nowhere.toml");
    let run = desk.run("play salt-gate --with wren.toml", "").ends(2);
    run.warns("wren.toml: reads as a library of afraid, and the encounter is for judge-two");
    desk.run("play road.toml --with wren.toml --log a.fracas", "").ends(0);
}

#[test]
fn a_misspelt_name_is_told_with_the_one_meant() {
    let desk = Desk::new();
    let encounter = "game = \"judge-two\"\n[[player]]\nname = \"Ana\"\n[[character]]\nuse = \"Tamsyn\"\n";
    desk.write("e.toml", encounter);
    desk.run("check e.toml", "").ends(1).says("\"Tamsyn\"; perhaps `Tamsin`");
}
