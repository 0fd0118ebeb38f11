//! Verification finds what is damaged or forged, and claims no more than it checked.

use crate::toy::{LATER, TOY, setup};
use fracas_kernel::{AskId, Now, Seat, Setup, System, Viewer, system_of};
use fracas_suite::toy as hunt;
use fracas_table::*;

const HUNT: System = system_of::<hunt::Toy>();
const ANA: Seat = Seat::Player(0);
const BEN: Seat = Seat::Player(1);
const GM: Viewer = Viewer::Seat(Seat::Gm);

fn create(system: &System, setup: &Setup, seed: u64) -> (Table, MemoryStore) {
    let store = MemoryStore::new();
    let opening = Opening { label: "May".into(), seed: Some(Seed::from(seed)), ..Opening::default() };
    (Table::create(system, setup, opening, Box::new(store.clone())).expect("a sound setup"), store)
}

fn ask(table: &Table) -> AskId {
    match table.game().now() {
        Now::Asks(asks) => asks[0].id,
        now => panic!("nothing is asked: {now:?}"),
    }
}

#[track_caller]
fn say(table: &mut Table, seat: Seat, answer: &str) {
    let id = ask(table);
    table.answer(seat, None, id, answer, None).expect("an accepted answer");
}

/// The log of a duel of the toy game with every kind of line, closed.
fn evening(seed: u64) -> String {
    let (mut table, store) = create(&TOY, &setup(""), seed);
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    table.roll(ANA, Throw::Dice).expect("dice are due");
    say(&mut table, Seat::Gm, r#""pass""#);
    say(&mut table, ANA, r#""peek""#);
    table.note(BEN, Reader::All, "What did you see?").expect("saved");
    table.stand(Seat::Gm, r#""never-meddle""#, true).expect("possible");
    table.fiat(r#"{"power":9}"#, Some("hidden power")).expect("possible");
    table.undo().expect("something to undo");
    say(&mut table, ANA, r#""again""#);
    table.roll(ANA, Throw::Faces(&[3, 2])).expect("dice are due");
    table.close().expect("saved");
    String::from_utf8(store.bytes()).expect("UTF-8")
}

fn parsed(text: &str) -> Log {
    Log::parse("t", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The report on a log whose forger has computed its hashes anew.
fn found(forged: &str, systems: &[System]) -> Report {
    verify(&parsed(&chain::renewed(forged)), systems).expect("a log of these systems")
}

/// Exactly this problem is found after a replacement in a sound log.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let text = evening(5);
    let forged = text.replacen(from, to, 1);
    assert_ne!(forged, text, "{from:?} is not in it");
    let report = found(&forged, &[TOY]);
    assert!(
        report.problems.iter().any(|problem| problem.what.contains(expected)),
        "{from} -> {to}: {report:?}"
    );
    assert_eq!(report.verdict(), Verdict::Damaged);
}

#[test]
fn a_sound_log_is_counted() {
    let text = evening(5);
    let report = found(&text, &[TOY]);
    assert_eq!(report.problems, []);
    assert_eq!(report.verdict(), Verdict::Sound);
    let lines = text.lines().count() as u64;
    assert_eq!((report.lines, report.run, report.not_run), (lines, lines, 0));
    assert_eq!((report.moves, report.rolls, report.typed), (9, 2, 1), "{report:?}");
    assert_eq!((report.written, report.snapshots, report.chained_from), (2, 2, Some(1)), "{report:?}");
    assert_eq!(report.chain, parsed(&text).chain_end());
}

#[test]
fn recorded_events_are_compared() {
    check("\"Aster peeks: it", "\"Aster cheats: it", "the gamemaster was shown \"Aster cheats");
    check(
        r#"[["player-2",{"text":"Aster peeks"#,
        r#"[["player-2",{"text":"Aster cheats"#,
        "player-2 was shown",
    );
    check(r#",["spectator",{"text":"Aster peeks","clause":"turn.peek"}]"#, "", "spectator was shown");
    check(
        r#"["player-2",null]"#,
        r#"["player-2",{"text":"Power!"}]"#,
        "player-2 was shown \"Power!\", and the rules show nothing",
    );
    check(
        r#""clause":"bargain"}}]"#,
        r#""clause":"bargain"}},{"event":"forged","gm":{"text":"It rains."}}]"#,
        "2 events were shown, and the rules show 1",
    );
    check(r#""clause":"bargain""#, r#""clause":"roll""#, "(roll), and the rules show");
    check(r#"{"scored":{"who":"@aster","to":6}}"#, r#"{"scored":{"who":"@aster","to":7}}"#, "the event was");
    check(r#"{"text":"Aster stands at 6"}"#, r#"{"text":"Aster stands at 6","opens":true}"#, "was shown");
}

#[test]
fn the_fields_of_a_line_are_compared() {
    check(r#""whose":"player-1""#, r#""whose":"player-2""#, "the roll that is due is another");
    check(r#""dice":"2d6""#, r#""dice":"2d8""#, "the roll that is due is another");
    check(r#""thrown":"typed""#, r#""thrown":"thrown""#, "the dice fell");
    check(r#""thrown":"typed""#, r#""thrown":"again""#, "never taken back");
    check(r#""by":"player-1","whose""#, r#""by":"player-2","whose""#, "to throw, not for");
    check(r#""name":"Ana""#, r#""name":"Eve""#, "who sits at the table");
    check(r#""fiat":{"power":9}"#, r#""fiat":{ "power":9}"#, "which the rules write");
    check(
        r#""text":"hidden power","#,
        r#""text":"hidden power","remembered":true,"#,
        "leaves nothing to repeat",
    );
}

#[test]
fn the_hash_of_how_the_table_looked_is_compared() {
    check(r#""looks":""#, r#""looks":"0"#, "looks otherwise to those who see it");
}

#[test]
fn an_answer_given_without_asking_is_marked() {
    let (mut table, store) = create(&HUNT, &hunt::setup(2, 4), 3);
    for seat in [ANA, BEN] {
        say(&mut table, seat, r#"{"path":0}"#);
    }
    table.stand(Seat::Gm, r#""never-guard""#, true).expect("the gamemaster's");
    say(&mut table, ANA, r#"{"strike":"@ana"}"#);
    table.roll(ANA, Throw::Dice).expect("dice are due");
    let text = String::from_utf8(store.bytes()).expect("UTF-8");
    assert!(found(&text, &[HUNT]).sound(), "{text}");
    for (from, to) in [
        (r#","auto":"standing""#, ""),
        (r#","auto":"standing""#, r#","auto":"only""#),
        (r#""by":"player-1","answer""#, r#""by":"player-1","auto":"standing","answer""#),
    ] {
        let forged = text.replacen(from, to, 1);
        assert_ne!(forged, text, "{from:?} is not in {text}");
        let report = found(&forged, &[HUNT]);
        assert!(
            report.problems.iter().any(|problem| problem.what.contains("whether somebody was asked")),
            "{report:?}"
        );
    }
}

#[test]
fn a_roll_that_was_taken_back_is_not_thrown_anew() {
    let (mut table, store) = create(&TOY, &setup(""), 5);
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    table.roll(ANA, Throw::Dice).expect("dice are due");
    table.undo().expect("something to undo");
    table.roll(ANA, Throw::Dice).expect("dice are due");
    let text = String::from_utf8(store.bytes()).expect("UTF-8");
    assert!(found(&text, &[TOY]).sound());
    let report = found(&text.replace(r#""thrown":"again""#, r#""thrown":"thrown""#), &[TOY]);
    assert!(report.problems.iter().any(|problem| problem.what.contains("thrown anew")), "{report:?}");
}

/// Makes all of a log's dice show sixes.
fn all_sixes(text: &str) -> String {
    let faces = text.split(r#""faces":["#).skip(1).map(|rest| rest.split(']').next().expect("a list"));
    faces.fold(text.to_owned(), |text, faces| {
        let sixes = vec!["6"; faces.split(',').count()].join(",");
        text.replace(&format!(r#""faces":[{faces}]"#), &format!(r#""faces":[{sixes}]"#))
    })
}

#[test]
fn rules_that_do_not_exist_are_refused() {
    for (was, version) in [(99, 99), (2, 2), (0, 0)] {
        let forged = all_sixes(&evening(5)).replacen("\"version\":1", &format!("\"version\":{version}"), 1);
        let forged = chain::renewed(&forged);
        let error = verify(&parsed(&forged), &[TOY]).unwrap_err().to_string();
        let expected =
            format!("t:1: says version {was} of the rules of toy, and this program knows versions 1 to 1");
        assert!(error.starts_with(&expected), "{error}");
        for open in [Table::open, Table::upgrade] {
            let error = open(&[TOY], Box::new(MemoryStore::holding(forged.clone()))).unwrap_err();
            assert!(matches!(error, OpenError::NoVersion { .. }), "{error}");
        }
        assert!(Replay::new(&parsed(&forged), &[TOY]).is_err());
        assert!(carry(&parsed(&forged), &[TOY]).is_err());
    }
    // Also if only a snapshot names it.
    let forged = evening(5).replacen(r#""snapshot":{"version":1"#, r#""snapshot":{"version":9"#, 1);
    let error = verify(&parsed(&chain::renewed(&forged)), &[TOY]).unwrap_err().to_string();
    assert!(error.starts_with("t:2: says version 9"), "{error}");
    let format = evening(5).replacen("\"format\":2", "\"format\":99", 1);
    let error = Log::parse("t", &chain::renewed(&format)).unwrap_err().to_string();
    assert_eq!(error, "t:1: a log of format 99; this program reads formats 1 to 2");
}

#[test]
fn lines_of_earlier_rules_are_not_verified() {
    // A forger who lowers the version has nothing verified, and the report says so.
    let forged = evening(6).replace("Aster peeks", "Aster cheats");
    let report = found(&forged, &[LATER]);
    assert_eq!((report.verdict(), report.run, report.moves), (Verdict::NotVerified, 0, 0), "{report:?}");
    assert_eq!((report.not_run, report.hash), (report.lines, None));
    // Dice do not depend on the rules.
    let report = found(&all_sixes(&forged), &[LATER]);
    assert_eq!(report.verdict(), Verdict::Damaged);
    assert!(report.problems[0].what.contains("the dice fell"), "{report:?}");
}

/// The last line's snapshot.
fn last(text: &str) -> &str {
    let line = text.lines().last().expect("a line");
    assert!(line.contains("\"snapshot\""), "{line}");
    &line[line.find("\"snapshot\"").expect("one")..line.find(",\"chain\"").expect("a hash")]
}

#[test]
fn the_last_snapshot_is_compared_with_the_state() {
    let (here, elsewhere) = (evening(5), evening(6));
    let report = found(&here.replace(last(&here), last(&elsewhere)), &[TOY]);
    assert!(report.problems[0].what.contains("the lines before lead to"), "{report:?}");

    // The same at a change of the rules, where no earlier line is replayed.
    let upgraded = |text: &str| {
        let store = MemoryStore::holding(text);
        drop(Table::upgrade(&[LATER], Box::new(store.clone())).expect("a snapshot that fits"));
        String::from_utf8(store.bytes()).expect("UTF-8")
    };
    let (here, elsewhere) = (upgraded(&here), upgraded(&elsewhere));
    let report = found(&here, &[LATER]);
    assert_eq!((report.verdict(), report.snapshots), (Verdict::NotVerified, 0), "{report:?}");
    let report = found(&here.replace(last(&here), last(&elsewhere)), &[LATER]);
    assert!(report.problems[0].what.contains("the rules changed here"), "{report:?}");
    // And where rules go back and forth, so that the header has the present version.
    let (head, rest) = here.split_once('\n').expect("lines");
    let forged = format!("{}\n{rest}", head.replacen("\"version\":1", "\"version\":2", 1));
    assert_ne!(found(&forged, &[LATER]).verdict(), Verdict::Sound);
}

#[test]
fn reported_problems_are_limited() {
    let (mut table, store) = create(&TOY, &setup("goal = 1000000"), 5);
    for _ in 0..2 * MAX_PROBLEMS {
        table.fiat(r#"{"power":3}"#, None).expect("possible");
    }
    let text = String::from_utf8(store.bytes()).expect("UTF-8");
    let report = found(&text.replace(r#""fiat":{"power""#, r#""fiat":{ "power""#), &[TOY]);
    assert_eq!(report.problems.len(), MAX_PROBLEMS);
}

#[test]
fn an_edited_removed_or_moved_line_is_named() {
    let text = evening(5);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let refused = |lines: &[&str]| {
        let store = MemoryStore::holding(lines.concat());
        let error = Table::open(&[TOY], Box::new(store)).unwrap_err();
        assert!(matches!(error, OpenError::Log(_)), "{error}");
        error.to_string()
    };
    let at = lines.iter().position(|line| line.contains("What did you see?")).expect("a note");
    // No rule determines people's text: only the hashes show that it was edited.
    let edited = lines[at].replace("What did you see?", "I have seen it all.");
    let with = |line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        refused(&lines)
    };
    let here = format!("memory:{}: ", at + 1);
    let error = with(&edited);
    assert!(error.starts_with(&here) && error.contains("not as it was written"), "{error}");
    // With a recomputed hash of its own, the next line is refused.
    let relinked = chain::renewed(&[&lines[..at], &[&edited]].concat().concat());
    let error = with(relinked.split_inclusive('\n').next_back().expect("a line"));
    assert!(
        error.starts_with(&format!("memory:{}: ", at + 2)) && error.contains("the one before"),
        "{error}"
    );
    let bare = chain::stripped(lines[at]);
    let error = with(&bare);
    assert!(error.starts_with(&here) && error.contains("lacks the hash"), "{error}");
    let mut removed = lines.clone();
    removed.remove(at);
    assert!(refused(&removed).starts_with(&format!("{here}expected seq {at}")));
    let renumbered = |line: &str, from: usize, to: usize| {
        line.replacen(&format!("{{\"seq\":{from},"), &format!("{{\"seq\":{to},"), 1)
    };
    let closed_up: Vec<String> = removed
        .iter()
        .enumerate()
        .map(|(to, line)| if to < at { (*line).to_owned() } else { renumbered(line, to + 1, to) })
        .collect();
    let closed_up: Vec<&str> = closed_up.iter().map(String::as_str).collect();
    assert!(refused(&closed_up).starts_with(&here));
    let (earlier, later) = (renumbered(lines[at + 1], at + 1, at), renumbered(lines[at], at, at + 1));
    let mut swapped = lines.clone();
    (swapped[at], swapped[at + 1]) = (&earlier, &later);
    assert!(refused(&swapped).starts_with(&here));
}

#[test]
fn a_flipped_bit_anywhere_is_found_and_named() {
    let bytes = evening(5).into_bytes();
    let total = bytes.len();
    let mut line = 1;
    for at in 0..total {
        for bit in [0, 3, 6] {
            let mut rotten = bytes.clone();
            rotten[at] ^= 1 << bit;
            let mut store = MemoryStore::holding(rotten);
            let Ok(held) = store.read() else { continue };
            if at + 1 == total {
                // Without its newline the last line was never acknowledged.
                assert!(held.cut > 0 && parsed(&held.text).next() + 1 == line);
                continue;
            }
            let error = Log::parse("t", &held.text).expect_err("noticed");
            assert_eq!(error.line, line, "byte {at}, bit {bit}: {error}");
        }
        line += u64::from(bytes[at] == b'\n');
    }
}

#[test]
fn a_log_without_hashes_opens_and_continues_with_hashes() {
    let bare = chain::stripped(&evening(5));
    let log = parsed(&bare);
    assert_eq!((log.header().format, log.chain_end()), (1, None));
    let report = verify(&log, &[TOY]).expect("a toy");
    assert!(report.sound() && report.chained_from.is_none() && report.chain.is_none(), "{report:?}");
    let store = MemoryStore::holding(bare.clone());
    let mut table = Table::open(&[TOY], Box::new(store.clone())).expect("as before");
    table.note(ANA, Reader::All, "We go on.").expect("saved");
    table.note(ANA, Reader::All, "And on.").expect("saved");
    let text = String::from_utf8(store.bytes()).expect("UTF-8");
    let report = verify(&parsed(&text), &[TOY]).expect("a toy");
    assert_eq!(
        (report.verdict(), report.chained_from),
        (Verdict::Sound, Some(bare.lines().count() as u64 + 1))
    );
    assert_eq!(report.chain, table.log().chain_end());
    // From then on the lines without a hash are covered too.
    let error = Log::parse("t", &text.replacen("What did you see?", "Nothing at all!!", 1)).unwrap_err();
    assert_eq!(error.line, bare.lines().count() as u64 + 1, "{error}");
    // A log of this format has hashes from its first line on.
    let error = Log::parse("t", &bare.replacen("\"format\":1", "\"format\":2", 1)).unwrap_err();
    assert!(error.line == 1 && error.what.contains("a log of format 2 has a hash"), "{error}");
}

#[test]
fn a_line_that_could_not_be_saved_leaves_no_hash() {
    let (mut table, store) = create(&TOY, &setup(""), 5);
    let before = table.log().chain_end();
    table.note(ANA, Reader::All, &"x".repeat(MAX_LINE)).unwrap_err();
    table.answer(ANA, None, ask(&table), r#"{"dice":9}"#, None).unwrap_err();
    assert_eq!(table.log().chain_end(), before);
    say(&mut table, ANA, r#"{"dice":2}"#);
    let again = parsed(&String::from_utf8(store.bytes()).expect("UTF-8"));
    assert_eq!(again.chain_end(), table.log().chain_end());
}

#[test]
fn only_the_gamemaster_is_shown_the_last_hash() {
    let log = parsed(&evening(5));
    let end = log.chain_end().expect("a hash");
    assert!(log.story(GM, Detail::Everything).contains(&end));
    for who in [Viewer::Seat(ANA), Viewer::Seat(BEN), Viewer::Spectator] {
        assert!(
            !log.story(who, Detail::Everything).contains("hash"),
            "{}",
            log.story(who, Detail::Everything)
        );
    }
    assert!(!parsed(&chain::stripped(&evening(5))).story(GM, Detail::Everything).contains("hash"));
}

#[test]
fn a_broken_header_says_which_field_and_why() {
    let text = evening(5);
    let (head, _) = text.split_once('\n').expect("lines");
    for (from, to, expected) in [
        (
            r#""format":2"#,
            r#""format":"two""#,
            r#"t:1: header.format: invalid type: string "two", expected u32"#,
        ),
        (r#""seat":"gm""#, r#""seat":"queen""#, r#"t:1: header.cast[0].seat: no seat is called "queen""#),
        (r#""label""#, r#""lable""#, "t:1: header.lable: unknown field `lable`, expected one of"),
        (r#""label":"May","#, "", "t:1: header: missing field `label`"),
        (
            r#""plays":["#,
            r#""plays":[7,"#,
            "t:1: header.cast[1].plays[0]: invalid type: integer `7`, expected a string",
        ),
        (r#""seed":"05"#, r#""seed":"5"#, "t:1: header.seed: a seed is 64 hexadecimal digits"),
        (
            r#""version":1"#,
            r#""version":-1"#,
            "t:1: header.version: invalid value: integer `-1`, expected u32",
        ),
        (
            r#""encounter":{"name""#,
            r#""encounter":{"nome""#,
            "t:1: header.encounter.nome: unknown field `nome`",
        ),
        (r#""chain":""#, r#""chain":"0"#, "t:1: chain: expected 64 hexadecimal digits"),
    ] {
        let broken = head.replacen(from, to, 1) + "\n";
        assert_ne!(broken.trim_end(), head, "{from} is not in it");
        let error = Log::parse("t", &broken).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\nexpected: {expected}");
    }
}
