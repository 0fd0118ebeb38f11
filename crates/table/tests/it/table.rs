//! Tables of a toy game: played, crashed, rewound, verified, told as a story.

use crate::toy::{LATER, TOY, setup};
use fracas_kernel::{AnyTable, AskId, Now, Seat, System, Viewer};
use fracas_table::*;
use std::io;
use std::sync::{Arc, Mutex};

const ANA: Seat = Seat::Player(0);
const BEN: Seat = Seat::Player(1);

fn opening() -> Opening {
    Opening { label: "a winter night".to_owned(), seed: Some(Seed::from(5)), ..Opening::default() }
}

fn create(more: &str) -> (Table, MemoryStore) {
    let store = MemoryStore::new();
    let table = Table::create(&TOY, &setup(more), opening(), Box::new(store.clone())).expect("a sound setup");
    (table, store)
}

fn open(bytes: impl Into<Vec<u8>>) -> Table {
    Table::open(&[TOY], Box::new(MemoryStore::holding(bytes))).expect("a sound log")
}

fn ask(table: &Table) -> AskId {
    match table.game().now() {
        Now::Asks(asks) => asks[0].id,
        now => panic!("nothing is asked: {now:?}"),
    }
}

#[track_caller]
fn say(table: &mut Table, seat: Seat, answer: &str) -> Done {
    let id = ask(table);
    table.answer(seat, None, id, answer, None).expect("an accepted answer")
}

/// Bargains, throws, and lets the gamemaster pass, so that it is Ana's turn.
fn begin(table: &mut Table) {
    say(table, ANA, r#"{"dice":2}"#);
    say(table, BEN, r#"{"dice":2}"#);
    table.roll(ANA, Throw::Dice).expect("dice are due");
    say(table, Seat::Gm, r#""pass""#);
}

fn faces(table: &Table) -> Vec<Vec<u8>> {
    let live = table.log().live();
    live.filter_map(|record| match &record.entry {
        Entry::Roll(roll) => Some(roll.faces.clone()),
        _ => None,
    })
    .collect()
}

fn thrown(table: &Table, line: u64) -> fracas_kernel::Thrown {
    match &table.log().get(line).expect("a line").entry {
        Entry::Roll(roll) => roll.thrown,
        entry => panic!("not a roll: {entry:?}"),
    }
}

/// A table's state, log and store, to compare.
fn all_of(table: &Table, store: &MemoryStore) -> (String, Vec<u8>, u64, Vec<u8>) {
    (table.game().hash(), table.game().snapshot(), table.log().next(), store.bytes())
}

#[test]
fn a_table_is_the_fold_of_its_log() {
    let (mut table, store) = create("");
    begin(&mut table);
    say(&mut table, ANA, r#"{"give":{"to":"@bryn"}}"#);
    table.note(BEN, Reader::All, "Thanks!").expect("saved");
    table.fiat(r#"{"power":5}"#, Some("More power")).expect("possible");
    let again = open(store.bytes());
    assert_eq!(again.game().snapshot(), table.game().snapshot());
    assert_eq!(again.game().now(), table.game().now());
    assert_eq!(again.log().next(), table.log().next());
    assert!(verify(table.log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn a_joint_answer_waits_for_all() {
    let (mut table, store) = create("");
    let done = say(&mut table, ANA, r#"{"dice":2}"#);
    assert_ne!(done.answered, fracas_kernel::Answered::Moved);
    let mut table = open(store.bytes());
    assert_eq!(table.game().said(ask(&table)).len(), 1, "what was said is remembered");
    say(&mut table, BEN, r#"{"dice":2}"#);
    assert!(matches!(table.game().now(), Now::Roll(_)));
}

#[test]
fn the_gamemaster_answers_for_others_and_nobody_else_does() {
    let (mut table, _) = create("");
    let id = ask(&table);
    let error = table.answer(BEN, Some(ANA), id, r#"{"dice":2}"#, None).unwrap_err();
    assert!(error.to_string().contains("only the gamemaster answers for somebody else"), "{error}");
    table.answer(Seat::Gm, Some(ANA), id, r#"{"dice":2}"#, None).expect("the gamemaster may");
    table.answer(Seat::Gm, Some(BEN), id, r#"{"dice":2}"#, None).expect("the gamemaster may");
    assert!(table.roll(BEN, Throw::Dice).is_err(), "Ana's dice");
    table.roll(Seat::Gm, Throw::Faces(&[6, 1])).expect("the gamemaster may");
}

#[test]
fn a_refused_answer_changes_nothing() {
    let (mut table, store) = create("");
    let before = all_of(&table, &store);
    let id = ask(&table);
    for bad in [r#"{"dice":9}"#, r#"{"dice":"@nobody"}"#, "{", r#""pass""#] {
        table.answer(ANA, None, id, bad, None).unwrap_err();
    }
    table.answer(ANA, None, AskId(999), r#"{"dice":1}"#, None).unwrap_err();
    table.answer(Seat::Gm, None, id, r#"{"dice":1}"#, None).unwrap_err();
    table.roll(ANA, Throw::Dice).unwrap_err();
    table.fiat(r#"{"power":99999999}"#, None).unwrap_err();
    table.fiat(r#"{"guest":"aster"}"#, None).unwrap_err();
    table.stand(Seat::Gm, r#""dance""#, true).unwrap_err();
    table.note(ANA, Reader::All, "  ").unwrap_err();
    table.note(ANA, Reader::All, &"x".repeat(MAX_LINE)).unwrap_err();
    table.rewind(99, Seat::Gm).unwrap_err();
    table.rewind(0, ANA).unwrap_err();
    table.undo().unwrap_err();
    table.take_back(ANA).unwrap_err();
    assert_eq!(all_of(&table, &store), before);
}

#[test]
fn cut_anywhere_in_its_last_lines_a_log_opens_with_all_whole_lines() {
    let (mut table, store) = create("");
    begin(&mut table);
    say(&mut table, ANA, r#""rest""#);
    table.note(BEN, Reader::All, "Übung macht … 🎲").expect("saved");
    say(&mut table, BEN, r#""again""#);
    let bytes = store.bytes();
    let whole: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').map(|i| i + 1).collect();
    let from = whole[whole.len() - 4];
    for end in from..=bytes.len() {
        let store = MemoryStore::holding(&bytes[..end]);
        let mut table = Table::open(&[TOY], Box::new(store.clone())).expect("whole lines");
        let lines = whole.iter().filter(|&&at| at <= end).count();
        assert_eq!(table.log().next(), lines as u64, "cut at byte {end}");
        assert_eq!(table.cut(), end - whole[lines - 1]);
        // And play goes on from there.
        table.note(ANA, Reader::All, "on we go").expect("saved");
        assert_eq!(open(store.bytes()).log().next(), lines as u64 + 1);
    }
}

#[test]
fn a_damaged_line_is_named() {
    let (mut table, store) = create("");
    begin(&mut table);
    let text = String::from_utf8(store.bytes()).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        let log = chain::renewed(&(lines.join("\n") + "\n"));
        Table::open(&[TOY], Box::new(MemoryStore::holding(log))).unwrap_err().to_string()
    };
    for (line, expected) in [
        ("nonsense", "memory:4: expected ident, at column 2"),
        ("", "memory:4: EOF while parsing a value"),
        (r#"{"seq":3}"#, "memory:4: expected exactly one of header, answer"),
        (
            r#"{"seq":3,"dance":{}}"#,
            "memory:4: dance: unknown field `dance`, expected one of `seq`, `header`, `answer`",
        ),
        (r#"{"seq":4,"note":{"by":"gm","text":"x"}}"#, "memory:4: expected seq 3, found 4"),
        (r#"{"seq":3,"note":{"by":"gm","text":"x","odd":1}}"#, "memory:4: note.odd: unknown field `odd`"),
        (
            r#"{"seq":3,"note":{"by":"player-9","text":"x"}}"#,
            "memory:4: note.by: no seat is called \"player-9\"",
        ),
        (r#"{"seq":3,"rewind":{"by":"gm","to":3}}"#, "memory:4: a rewind to line 3, which is not before it"),
        (lines[0], "memory:4: expected seq 3, found 0"),
    ] {
        let error = with(3, line);
        assert!(error.starts_with(expected), "{line:?}: {error}");
    }
    assert!(with(0, lines[1]).starts_with("memory:1: expected seq 0"));
    assert!(with(0, r#"{"seq":0,"note":{"by":"gm","text":"x"}}"#).starts_with("memory:1: expected a header"));
    let empty = Table::open(&[TOY], Box::new(MemoryStore::new())).unwrap_err();
    assert!(empty.to_string().starts_with("memory:1: expected a header"), "{empty}");
    let foreign = lines[0].replace(r#""system":"toy""#, r#""system":"chess""#);
    assert!(with(0, &foreign).contains(r#"played with the system "chess", which is not one of toy"#));
    let format = lines[0].replace(r#""format":2"#, r#""format":9"#);
    assert!(with(0, &format).contains("a log of format 9; this program reads formats 1 to 2"));
    let refused = lines[2].replace(r#"{"dice":2}"#, r#"{"dice":9}"#);
    let error = with(2, &refused);
    assert!(error.starts_with("memory:3: cannot be played again: one to three dice (bargain)"), "{error}");
}

/// A store with room for so many bytes that keeps nothing of a failed append.
#[derive(Clone, Default)]
struct Small {
    held: MemoryStore,
    room: Arc<Mutex<usize>>,
}

impl Store for Small {
    fn name(&self) -> String {
        "small".to_owned()
    }
    fn read(&mut self) -> io::Result<Contents> {
        self.held.read()
    }
    fn append(&mut self, lines: &str) -> io::Result<()> {
        if self.held.bytes().len() + lines.len() > *self.room.lock().expect("not poisoned") {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.held.append(lines)
    }
}

#[test]
fn on_a_full_disk_nothing_has_happened_and_a_retry_works() {
    let small = Small { room: Arc::new(Mutex::new(usize::MAX)), ..Small::default() };
    let mut table =
        Table::create(&TOY, &setup("power = 1"), opening(), Box::new(small.clone())).expect("room");
    begin(&mut table);
    table.stand(Seat::Gm, r#""never-meddle""#, true).expect("room");
    say(&mut table, ANA, r#""again""#);
    let full = |full: bool| {
        *small.room.lock().expect("not poisoned") = if full { small.held.bytes().len() } else { usize::MAX };
    };
    type Act = fn(&mut Table) -> Result<Done, PlayError>;
    let acts: [Act; 7] = [
        |table| table.roll(ANA, Throw::Dice),
        |table| table.answer(ANA, None, ask(table), r#""rest""#, None),
        |table| table.note(ANA, Reader::Gm, "psst"),
        |table| table.fiat(r#"{"guest":"cato"}"#, None),
        |table| table.stand(Seat::Gm, r#""never-meddle""#, false),
        |table| table.take_back(BEN),
        |table| table.undo(),
    ];
    for (i, act) in acts.into_iter().enumerate() {
        if i == 5 {
            say(&mut table, BEN, r#""rest""#);
        }
        full(true);
        let before = (
            all_of(&table, &small.held),
            table.game().now(),
            table.game().standing(),
            table.kept_faces().map(<[u8]>::to_vec),
        );
        let names = table.game().names().clone();
        let error = act(&mut table).unwrap_err();
        assert!(matches!(error, PlayError::NotSaved(_)), "{i}: {error}");
        let after = (
            all_of(&table, &small.held),
            table.game().now(),
            table.game().standing(),
            table.kept_faces().map(<[u8]>::to_vec),
        );
        assert_eq!(after, before, "{i}");
        assert_eq!(*table.game().names(), names, "{i}");
        assert_eq!(table.log().live().count(), open(small.held.bytes()).log().live().count(), "{i}");
        full(false);
        act(&mut table).unwrap_or_else(|e| panic!("{i} tried again: {e}"));
    }
    let again = open(small.held.bytes());
    assert_eq!(again.game().snapshot(), table.game().snapshot());
    assert!(verify(again.log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn a_game_that_panics_leaves_its_table_as_it_was() {
    let (mut table, store) = create("");
    begin(&mut table);
    let before = all_of(&table, &store);
    let error = table.fiat(r#""bug""#, None).unwrap_err();
    assert_eq!(error.to_string(), "a bug of the game: a bug, for the tests");
    assert_eq!(all_of(&table, &store), before);
    say(&mut table, ANA, r#""rest""#);
    assert_eq!(open(store.bytes()).game().snapshot(), table.game().snapshot());
}

#[test]
fn a_store_that_holds_a_table_takes_no_other() {
    let (_, store) = create("");
    let error = Table::create(&TOY, &setup(""), opening(), Box::new(store)).unwrap_err();
    assert!(error.to_string().contains("holds a table already"), "{error}");
}

#[test]
fn a_faulty_setup_makes_no_log() {
    let store = MemoryStore::new();
    let error =
        Table::create(&TOY, &setup("goal = 0\nodd = 1"), opening(), Box::new(store.clone())).unwrap_err();
    assert_eq!(error.to_string().lines().count(), 2, "{error}");
    assert!(store.bytes().is_empty());
}

#[test]
fn answers_that_need_no_asking_are_given_and_logged() {
    let (mut table, store) = create("power = 0");
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    let done = table.roll(ANA, Throw::Dice).expect("due");
    assert_eq!(done.next, done.line + 2, "the gamemaster can only let it pass");
    let Entry::Answer(auto) = &table.log().get(done.line + 1).expect("a line").entry else { panic!() };
    assert_eq!((auto.by, auto.auto), (Seat::Gm, Some(Auto::Only)));
    // Undoing takes back the roll, not just the answers that followed by themselves.
    table.undo().expect("the gamemaster may");
    assert!(matches!(table.game().now(), Now::Roll(_)));
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn opening_repairs_a_crash_before_the_answers_that_follow_a_line() {
    let (mut table, store) = create("power = 0");
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    table.roll(ANA, Throw::Dice).expect("due");
    let bytes = store.bytes();
    let last = bytes[..bytes.len() - 1].iter().rposition(|&b| b == b'\n').expect("lines") + 1;
    let cut = MemoryStore::holding(&bytes[..last]);
    let again = Table::open(&[TOY], Box::new(cut.clone())).expect("whole lines");
    assert_eq!(again.game().snapshot(), table.game().snapshot());
    assert_eq!(cut.bytes(), bytes, "the very same line");
}

#[test]
fn an_answer_given_after_the_time_limit_is_logged_as_late_and_undone() {
    let (mut table, store) = create("");
    begin(&mut table);
    let id = ask(&table);
    assert!(table.answer_unasked(BEN, id, r#""again""#, Auto::Late).is_err(), "it is Ana who is asked");
    let done = table.answer_unasked(ANA, id, r#""again""#, Auto::Late).expect("an accepted answer");
    let Entry::Answer(late) = &table.log().get(done.line).expect("a line").entry else { panic!() };
    assert_eq!((late.seat(), late.auto), (ANA, Some(Auto::Late)));
    let last = |who| table.lines_to(who).last().expect("lines").what;
    for who in [Viewer::Seat(ANA), Viewer::Seat(Seat::Gm)] {
        assert_eq!(last(who), What::Answer { seat: ANA, by_gm: false, auto: Some(Auto::Late) }, "{who}");
    }
    assert_eq!(table.last_done(), Some(done.line), "somebody's doing, not what followed from it");
    assert!(table.may_take_back(ANA).is_err(), "it was not she who answered");
    table.undo().expect("the gamemaster may");
    assert!(matches!(table.game().now(), Now::Asks(_)), "she is asked again");
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn the_course_of_a_game_leaves_out_struck_lines() {
    let (mut table, _store) = create("");
    begin(&mut table);
    let turn = table.log().next() - 1;
    say(&mut table, ANA, r#""again""#);
    table.rewind(turn, Seat::Gm).expect("a line that stands");
    table.note(BEN, Reader::All, "no move").expect("words");
    let mut seen = Vec::new();
    let look = |record: &Record, game: &dyn AnyTable| seen.push((record.seq, game.hash()));
    course(table.system(), table.log(), look).expect("it can be played again");
    let moves: Vec<u64> = table.log().live().filter(|r| r.entry.is_move()).map(|r| r.seq).collect();
    assert_eq!(seen.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), moves);
    assert_eq!(seen.last().map(|(_, hash)| hash), Some(&table.game().hash()), "it leads to where it stands");
}

#[test]
fn standing_replies_are_given_logged_and_outlive_a_rewind() {
    let (mut table, store) = create("");
    begin(&mut table);
    let turn = table.log().next() - 1;
    table.stand(Seat::Gm, r#""never-meddle""#, true).expect("one of the game's");
    say(&mut table, ANA, r#""again""#);
    let done = table.roll(ANA, Throw::Dice).expect("due");
    let Entry::Answer(auto) = &table.log().get(done.line + 1).expect("a line").entry else { panic!() };
    assert_eq!(auto.auto, Some(Auto::Standing));
    table.rewind(turn, Seat::Gm).expect("a line that stands");
    assert_eq!(table.game().standing().len(), 1);
    assert_eq!(open(store.bytes()).game().standing().len(), 1);
    // A reply taken back stays so after another rewind.
    table.stand(Seat::Gm, r#""never-meddle""#, false).expect("one of the game's");
    say(&mut table, ANA, r#""again""#);
    table.rewind(turn, Seat::Gm).expect("a line that stands");
    assert!(table.game().standing().is_empty());
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn answers_without_end_are_stopped() {
    let (mut table, store) = create("");
    begin(&mut table);
    let before = all_of(&table, &store);
    let error = table.stand(ANA, r#""always-play-on""#, true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "answers given without asking do not end: the last was \"peek\" by player-1, to turn"
    );
    assert_eq!(all_of(&table, &store), before);
    assert!(table.game().standing().is_empty());
}

#[test]
fn the_same_roll_keeps_its_faces_and_another_gets_fresh_ones() {
    let (mut table, store) = create("");
    say(&mut table, ANA, r#"{"dice":3}"#);
    say(&mut table, BEN, r#"{"dice":3}"#);
    let due = table.log().next() - 1;
    table.roll(ANA, Throw::Dice).expect("due");
    let first = faces(&table).concat();
    table.rewind(due, Seat::Gm).expect("stands");
    assert_eq!(table.kept_faces(), Some(first.as_slice()));
    let error = table.roll(ANA, Throw::Faces(&[1, 1, 1])).unwrap_err().to_string();
    assert!(error.contains("keeps its faces"), "{error}");
    let done = table.roll(ANA, Throw::Dice).expect("due");
    assert_eq!(
        (faces(&table).concat(), thrown(&table, done.line)),
        (first.clone(), fracas_kernel::Thrown::Again)
    );
    // Typing the same faces is the same roll; the gamemaster may type others.
    table.rewind(due, Seat::Gm).expect("stands");
    let done = table.roll(ANA, Throw::Faces(&first)).expect("the same");
    assert_eq!(thrown(&table, done.line), fracas_kernel::Thrown::Again);
    table.rewind(due, Seat::Gm).expect("stands");
    table.roll(Seat::Gm, Throw::Faces(&[2, 2, 2])).expect("the gamemaster may");
    // A typing mistake can be corrected: the faces are typed anew.
    table.rewind(due, Seat::Gm).expect("stands");
    assert_eq!((table.kept_faces(), table.typed_faces()), (None, Some(&[2, 2, 2][..])));
    for (by, how, faces) in [
        (ANA, Throw::Faces(&[2, 3, 2]), [2, 3, 2]),
        (ANA, Throw::Faces(&[2, 3, 2]), [2, 3, 2]),
        (ANA, Throw::Dice, [2, 3, 2]),
    ] {
        let done = table.roll(by, how).expect("due");
        assert_eq!(thrown(&table, done.line), fracas_kernel::Thrown::Typed);
        table.rewind(due, Seat::Gm).expect("stands");
        assert_eq!(table.typed_faces(), Some(&faces[..]));
    }
    // Another roll with fewer dice gets fresh faces.
    table.rewind(1, Seat::Gm).expect("the snapshot after the header");
    say(&mut table, ANA, r#"{"dice":1}"#);
    say(&mut table, BEN, r#"{"dice":1}"#);
    let done = table.roll(ANA, Throw::Dice).expect("due");
    assert_eq!(thrown(&table, done.line), fracas_kernel::Thrown::Thrown);
    assert_eq!(faces(&table).concat(), throw(Seed::from(5), 1, [6]).to_vec(), "the second throw of the seed");
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn a_roll_in_a_state_that_recurs_gets_fresh_faces() {
    let (mut table, store) = create("");
    say(&mut table, ANA, r#"{"dice":1}"#);
    say(&mut table, BEN, r#"{"dice":1}"#);
    let due = table.log().next() - 1;
    // A 1 scores nothing after meddling; with its power back the table is as it was.
    let round = |table: &mut Table| {
        say(table, Seat::Gm, r#""meddle""#);
        table.fiat(r#"{"power":2}"#, None).expect("possible");
        say(table, ANA, r#""again""#);
    };
    let before = table.game().hash();
    table.roll(ANA, Throw::Faces(&[1])).expect("due");
    round(&mut table);
    assert_eq!(table.game().hash(), before);
    assert_eq!(table.kept_faces(), None, "nothing was taken back");
    table.roll(ANA, Throw::Faces(&[4])).expect("due");
    table.rewind(due, Seat::Gm).expect("stands");
    let first = table.roll(ANA, Throw::Dice).expect("due");
    round(&mut table);
    let second = table.roll(ANA, Throw::Dice).expect("due");
    assert_eq!(faces(&table), [[1], [4]], "each the faces it had");
    for done in [first, second] {
        assert_eq!(thrown(&table, done.line), fracas_kernel::Thrown::Typed, "as they were typed");
    }
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn after_a_rewind_an_answer_meant_for_before_is_stale() {
    let (mut table, store) = create("");
    begin(&mut table);
    let turn = table.log().next() - 1;
    say(&mut table, ANA, r#""rest""#);
    let bens = ask(&table);
    table.rewind(turn, Seat::Gm).expect("stands");
    say(&mut table, ANA, r#""peek""#);
    say(&mut table, ANA, r#""rest""#);
    let error = table.answer(BEN, None, bens, r#""rest""#, None).unwrap_err();
    assert!(error.to_string().contains("no longer open"), "{error}");
    assert_eq!(ask(&open(store.bytes())), ask(&table), "opening gives the same ids");
    for record in table.log().records() {
        assert_eq!(record.live(), record.seq <= turn || record.seq > turn + 1, "line {}", record.seq);
    }
    let error = table.rewind(turn + 1, Seat::Gm).unwrap_err().to_string();
    assert!(error.contains("was itself taken back"), "{error}");
}

#[test]
fn rewinds_through_many_lines_reach_the_states_in_the_log() {
    let (mut table, store) = create("goal = 1000000");
    begin(&mut table);
    let mut hashes = vec![(table.log().next() - 1, table.game().hash())];
    for _ in 0..700 {
        let who = if table.game().view(Viewer::Spectator)["turn"] == "@aster" { ANA } else { BEN };
        say(&mut table, who, r#""again""#);
        table.roll(who, Throw::Dice).expect("due");
        say(&mut table, Seat::Gm, r#""pass""#);
        hashes.push((table.log().next() - 1, table.game().hash()));
    }
    let mut reopened = open(store.bytes());
    for pick in [650, 400, 399, 3, 0] {
        let (line, hash) = &hashes[pick];
        for table in [&mut table, &mut reopened] {
            table.rewind(*line, Seat::Gm).expect("stands");
            assert_eq!(table.game().hash(), *hash, "back to line {line}");
        }
    }
    assert!(verify(table.log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn a_player_takes_back_an_answer_that_affected_nobody() {
    let (mut table, _) = create("");
    let why = |table: &Table, seat| table.may_take_back(seat).unwrap_err().to_string();
    assert_eq!(why(&table, ANA), "you have answered nothing that could be taken back");
    let touched =
        "something has come of it, or somebody has acted since: only the gamemaster can take it back";
    begin(&mut table);
    assert_eq!(why(&table, ANA), touched, "the gamemaster let it pass");
    say(&mut table, ANA, r#""rest""#);
    let before = table.game().hash();
    assert_eq!(why(&table, BEN), touched);
    table.note(BEN, Reader::All, "wait").expect("saved");
    table.take_back(ANA).expect("a rest touches nobody");
    assert_ne!(table.game().hash(), before);
    say(&mut table, ANA, r#""peek""#);
    assert_eq!(why(&table, ANA), touched, "it showed her what others did not see");
    say(&mut table, ANA, r#""again""#);
    table.take_back(ANA).expect("the dice have not fallen");
    say(&mut table, ANA, r#""again""#);
    table.roll(ANA, Throw::Dice).expect("due");
    assert_eq!(why(&table, ANA), touched, "they have fallen");
    say(&mut table, Seat::Gm, r#""pass""#);
    say(&mut table, ANA, r#""again""#);
    table.note(Seat::Gm, Reader::All, "and so on").expect("saved");
    table.take_back(ANA).expect("words touch nobody");
    say(&mut table, ANA, r#""again""#);
    table.fiat(r#"{"guest":"cato"}"#, None).expect("possible");
    assert_eq!(why(&table, ANA), touched, "everybody heard the gamemaster");
}

#[test]
fn an_unseen_fiat_does_not_stop_a_player_from_taking_back() {
    let lines = |table: &Table| table.lines_to(Viewer::Seat(ANA)).collect::<Vec<_>>();
    let [unruled, ruled] = [false, true].map(|ruled| {
        let (mut table, _) = create("");
        begin(&mut table);
        say(&mut table, ANA, r#""rest""#);
        if ruled {
            table.fiat(r#"{"power":7}"#, None).expect("possible");
        }
        let before = lines(&table);
        table.take_back(ANA).expect("nobody acted, as far as she can tell");
        (before, lines(&table), table.game().view(Viewer::Seat(Seat::Gm))["power"].clone(), table)
    });
    assert_eq!((&unruled.0, &unruled.1), (&ruled.0, &ruled.1));
    assert_ne!(unruled.2, 7);
    assert_eq!(ruled.2, 7, "what the gamemaster overruled stays");
    assert!(verify(ruled.3.log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn what_people_wrote_outlives_a_rewind() {
    let (mut table, _) = create("");
    begin(&mut table);
    let lines = |table: &Table| table.lines_to(Viewer::Seat(ANA)).collect::<Vec<_>>();
    table.fiat(r#"{"power":7}"#, None).expect("possible");
    table.note(BEN, Reader::All, "over here").expect("saved");
    let before = lines(&table);
    table.undo().expect("the fiat");
    assert_eq!(lines(&table), before, "nobody hears of an unseen fiat, nor of its end");
    table.rewind(0, Seat::Gm).expect("stands");
    assert!(format!("{:?}", lines(&table)).contains("over here"));
}

#[test]
fn a_rewind_of_unseen_lines_is_not_shown() {
    let (mut table, store) = create("");
    begin(&mut table);
    let seen = |table: &Table, who| table.lines_to(who).collect::<Vec<_>>();
    let viewers = [Viewer::Seat(ANA), Viewer::Seat(BEN), Viewer::Spectator];
    let before = viewers.map(|who| seen(&table, who));
    let to = table.log().next() - 1;
    table.fiat(r#"{"power":7}"#, None).expect("possible");
    table.rewind(to, Seat::Gm).expect("stands");
    assert_eq!(viewers.map(|who| seen(&table, who)), before);
    assert_eq!(viewers.map(|who| seen(&open(store.bytes()), who)), before, "nor after opening it again");
    let gm = seen(&table, Viewer::Seat(Seat::Gm));
    assert!(gm.iter().any(|line| matches!(line.what, What::Rewind { .. })));
    // A peek shows spectators less than the player, and both are shown that it was taken
    // back.
    say(&mut table, ANA, r#""peek""#);
    table.rewind(to + 2, Seat::Gm).expect("stands");
    for who in viewers {
        let last = seen(&table, who).pop().expect("a line");
        assert!(matches!(last.what, What::Rewind { .. }), "{who}: {last:?}");
    }
}

#[test]
fn a_refusal_to_take_back_does_not_reveal_who_had_a_choice() {
    // Without power the gamemaster's answer follows by itself; with power the gamemaster is
    // asked.
    let both = ["power = 0", "power = 1"].map(|power| {
        let (mut table, _) = create(power);
        say(&mut table, ANA, r#"{"dice":1}"#);
        say(&mut table, BEN, r#"{"dice":1}"#);
        table.roll(ANA, Throw::Faces(&[4])).expect("due");
        if power == "power = 1" {
            say(&mut table, Seat::Gm, r#""pass""#);
        }
        let lines: Vec<LineTo> = table.lines_to(Viewer::Seat(ANA)).collect();
        (lines, table.may_take_back(ANA).unwrap_err().to_string())
    });
    assert_eq!(both[0], both[1]);
}

#[test]
fn an_answer_given_twice_is_stale_the_second_time() {
    let (mut table, store) = create("");
    begin(&mut table);
    let id = ask(&table);
    table.answer(ANA, None, id, r#""peek""#, None).expect("open");
    let before = all_of(&table, &store);
    let error = table.answer(ANA, None, id, r#""peek""#, None).unwrap_err();
    assert!(error.to_string().contains("no longer open"), "{error}");
    assert_eq!(all_of(&table, &store), before);
}

#[test]
fn fiats_that_change_the_rules_survive_reopening() {
    let (mut table, store) = create("goal = 1000000");
    table.fiat(r#"{"guest":"cato"}"#, None).expect("possible");
    begin(&mut table);
    for _ in 0..SNAPSHOT_EVERY {
        say(&mut table, ANA, r#""peek""#);
    }
    let snapshots = table.log().live().filter(|r| matches!(r.entry, Entry::Snapshot(_))).count();
    assert_eq!(snapshots, 2);
    let again = open(store.bytes());
    assert!(again.game().names().find("cato").is_some());
    assert_eq!(again.game().snapshot(), table.game().snapshot());
}

#[test]
fn other_rules_convert_a_log_at_its_last_state() {
    let (mut table, store) = create("");
    table.fiat(r#"{"guest":"cato"}"#, None).expect("possible");
    begin(&mut table);
    say(&mut table, ANA, r#""rest""#);
    let hash = table.game().hash();
    let torn = store.bytes();
    table.close().expect("saved");
    let old: Vec<String> = Log::parse("t", &String::from_utf8(store.bytes()).expect("text"))
        .expect("sound")
        .lines_to(Viewer::Spectator)
        .map(|line| format!("{line:?}"))
        .collect();

    let error = Table::open(&[LATER], Box::new(store.clone())).unwrap_err();
    assert!(error.to_string().contains("written for version 1 of the rules of toy"), "{error}");
    let mut table = Table::upgrade(&[LATER], Box::new(store.clone())).expect("a snapshot that fits");
    assert_eq!(table.game().hash(), hash, "it stands where it stood");
    assert!(table.game().names().find("cato").is_some());
    let floor = table.log().floor();
    say(&mut table, BEN, r#""rest""#);
    let error = table.rewind(floor - 1, Seat::Gm).unwrap_err().to_string();
    assert!(error.contains("the rules changed"), "{error}");
    table.rewind(floor, Seat::Gm).expect("right after the change");
    assert!(table.undo().is_err());
    say(&mut table, BEN, r#""rest""#);
    let again = Table::open(&[LATER], Box::new(store.clone())).expect("of this version now");
    assert_eq!(again.game().snapshot(), table.game().snapshot());
    let now: Vec<String> = again.lines_to(Viewer::Spectator).map(|line| format!("{line:?}")).collect();
    assert_eq!(now[..old.len()], old, "old lines are shown as they were");
    let report = verify(again.log(), &[LATER]).expect("can be run");
    assert_eq!((report.verdict(), report.not_run), (Verdict::NotVerified, floor + 1), "{report:?}");
    assert_eq!(report.run + report.not_run, report.lines);

    // Not closed, and with a rest that the new rules play differently.
    let error = Table::upgrade(&[LATER], Box::new(MemoryStore::holding(torn))).unwrap_err().to_string();
    assert!(error.contains("would now turn out differently") && error.contains("close it there"), "{error}");
}

#[test]
fn verify_finds_what_was_changed() {
    let (mut table, store) = create("");
    begin(&mut table);
    say(&mut table, ANA, r#""again""#);
    table.roll(ANA, Throw::Faces(&[3, 2])).expect("due");
    table.close().expect("saved");
    let text = String::from_utf8(store.bytes()).expect("text");
    let check =
        |text: &str| verify(&Log::parse("t", &chain::renewed(text)).expect("lines"), &[TOY]).expect("a toy");
    let report = check(&text);
    assert!(report.sound(), "{report:?}");
    assert_eq!((report.moves, report.rolls, report.snapshots, report.struck), (6, 2, 2, 0));

    let fell = faces(&open(text.clone()))[0].clone();
    let was = serde_json::to_string(&fell).expect("a list");
    let other = serde_json::to_string(&fell.iter().map(|f| f % 6 + 1).collect::<Vec<_>>()).expect("a list");
    let report = check(&text.replacen(&format!("\"faces\":{was}"), &format!("\"faces\":{other}"), 1));
    assert!(report.problems.iter().any(|p| p.what.contains("the dice fell")), "{report:?}");
    let report = check(&text.replacen("\"faces\":[3,2]", "\"faces\":[4,2]", 1));
    assert!(report.problems.iter().any(|p| p.what.contains("the state is")), "{report:?}");
    let report = check(&text.replacen("\"pass\"", "\"meddle\"", 1));
    assert!(report.problems.iter().any(|p| p.what.contains("the dice fell in state")), "{report:?}");
    let report = check(&text.replacen("\"answer\":\"again\"", "\"answer\":\"dance\"", 1));
    assert!(report.problems.iter().any(|p| p.what.contains("cannot be played again")), "{report:?}");
}

#[test]
fn a_replay_stops_at_each_line() {
    let (mut table, _) = create("");
    begin(&mut table);
    say(&mut table, ANA, r#""rest""#);
    table.undo().expect("something to undo");
    let mut replay = Replay::new(table.log(), &[TOY]).expect("can be run");
    let mut lines = 0;
    while let Some(record) = replay.step().expect("can be run") {
        lines += 1;
        assert_eq!(record.seq, lines);
    }
    assert_eq!(lines + 1, table.log().next());
    assert_eq!(replay.game().snapshot(), table.game().snapshot());
}

#[test]
fn each_viewer_sees_the_lines_for_them_and_no_more() {
    let (mut table, _) = create("");
    begin(&mut table);
    let id = ask(&table);
    table.answer(ANA, None, id, r#""peek""#, Some("Let me see.")).expect("open");
    table.fiat(r#"{"power":9}"#, Some("hidden power")).expect("possible");
    table.note(ANA, Reader::Gm, "only the gm").expect("saved");
    table.note(Seat::Gm, Reader::Seats(vec![BEN]), "only ben").expect("saved");
    table.stand(Seat::Gm, r#""never-meddle""#, true).expect("possible");
    let seen = |who| {
        let lines: Vec<LineTo> = table.lines_to(who).collect();
        for (n, line) in lines.iter().enumerate() {
            assert_eq!(line.n, n as u64, "no gaps for {who}");
            assert_eq!(line.seq.is_some(), who == Viewer::Seat(Seat::Gm));
        }
        serde_json::to_string(&lines).expect("lines")
    };
    let check = |who, sees: &[&str], hides: &[&str]| {
        let seen = seen(who);
        for text in sees {
            assert!(seen.contains(text), "{who} should see {text:?}: {seen}");
        }
        for text in hides {
            assert!(!seen.contains(text), "{who} should not see {text:?}: {seen}");
        }
    };
    let secrets = ["it is", "hidden power", "Power is", "only the gm", "only ben", "never-meddle"];
    check(Viewer::Seat(Seat::Gm), &secrets, &[]);
    check(Viewer::Spectator, &["Aster peeks", "Let me see.", "\"faces\""], &secrets);
    check(Viewer::Seat(ANA), &["it is", "only the gm"], &["only ben", "hidden power", "never-meddle"]);
    check(Viewer::Seat(BEN), &["Aster peeks", "only ben"], &["it is", "only the gm", "hidden power"]);
}

#[test]
fn the_story_reads_well() {
    let (mut table, store) = create("");
    table
        .note(Seat::Gm, Reader::All, "Night falls over the <old> mill.\n\nTwo figures wait.")
        .expect("saved");
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    table.roll(ANA, Throw::Faces(&[3, 5])).expect("due");
    say(&mut table, Seat::Gm, r#""pass""#);
    let id = ask(&table);
    table.answer(ANA, None, id, r#""rest""#, Some("This never happened.")).expect("open");
    table.undo().expect("something to undo");
    table.answer(ANA, None, ask(&table), r#""peek""#, Some("I look *behind* the curtain.")).expect("open");
    table.note(BEN, Reader::All, "What did you see?").expect("saved");
    assert_eq!(
        table.log().story(Viewer::Seat(BEN), Detail::Everything),
        r"# A Toy

*a winter night*

With Ana as Aster the Bold and Ben as Bryn the Bold.

---

Night falls over the \<old\> mill.

Two figures wait.

> It is settled: 2 dice. The highest is 5. Aster stands at 5.

**Ana:** I look *behind* the curtain.

> Aster peeks.

**Ben:** What did you see?
"
    );
    assert!(table.log().story(Viewer::Seat(ANA), Detail::Everything).contains("Aster peeks: it is higher"));
    // Long stretches are quoted a few lines at a time.
    for _ in 0..20 {
        table.fiat(r#"{"power":2}"#, None).expect("possible");
    }
    let story = table.log().story(Viewer::Seat(Seat::Gm), Detail::Everything);
    assert!(story.lines().all(|line| line.len() < 400) && story.matches("\n>\n").count() > 0, "{story}");
    // The story needs no game: the log is enough.
    let log = Log::parse("t", &String::from_utf8(store.bytes()).expect("text")).expect("sound");
    assert_eq!(
        log.story(Viewer::Spectator, Detail::Everything),
        table.log().story(Viewer::Spectator, Detail::Everything)
    );
}

#[test]
fn a_table_in_a_file_is_locked_and_can_be_reopened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.log");
    let store = FileStore::create(&path).expect("new");
    let mut table = Table::create(&TOY, &setup(""), opening(), Box::new(store)).expect("sound");
    begin(&mut table);
    let hash = table.game().hash();
    let error = FileStore::open(&path).unwrap_err();
    assert!(error.to_string().contains("another Fracas has this table open"), "{error}");
    let (log, cut) = Log::look(&path).expect("looking needs no lock");
    assert_eq!((log.next(), cut), (table.log().next(), 0));
    drop(table);
    let table = Table::open(&[TOY], Box::new(FileStore::open(&path).expect("free"))).expect("sound");
    assert_eq!(table.game().hash(), hash);
}

#[test]
fn a_table_without_dice_takes_real_faces() {
    let store = MemoryStore::new();
    let mut table =
        Table::create(&TOY, &setup(""), Opening::default(), Box::new(store.clone())).expect("sound");
    say(&mut table, ANA, r#"{"dice":2}"#);
    say(&mut table, BEN, r#"{"dice":2}"#);
    let error = table.roll(ANA, Throw::Dice).unwrap_err().to_string();
    assert_eq!(error, "this table has no dice of its own: throw 2d6 and type in the faces");
    assert!(table.roll(ANA, Throw::Faces(&[7, 1])).is_err());
    table.roll(ANA, Throw::Faces(&[6, 1])).expect("real dice");
    assert!(verify(open(store.bytes()).log(), &[TOY]).expect("can be run").sound());
}

#[test]
fn a_playthrough_is_the_same_every_time() {
    let play =
        |seed| golden::playthrough(&TOY, &setup("goal = 60"), Seed::from(seed), 400).expect("a sound game");
    let log = play(3);
    assert_eq!(log, play(3));
    assert_ne!(log, play(4));
    let parsed = Log::parse("golden", &log).expect("sound");
    assert!(verify(&parsed, &[TOY]).expect("can be run").sound());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("toy.log");
    assert!(golden::compare(&path, &log).unwrap_err().to_string().contains("FRACAS_GOLDEN=write"));
    std::fs::write(&path, &log).expect("written");
    golden::compare(&path, &log).expect("the same");
    let error = golden::compare(&path, &play(4)).unwrap_err().to_string();
    assert!(error.contains(":1: the playthrough differs"), "{error}");
}

/// A long log, as a table would write it.
fn long(answers: usize, system: &System) -> Vec<u8> {
    let store = MemoryStore::new();
    let mut table =
        Table::create(system, &setup("goal = 1000000"), opening(), Box::new(store.clone())).expect("sound");
    begin(&mut table);
    // A fiat, so that opening must replay everything.
    table.fiat(r#"{"power":3}"#, None).expect("possible");
    for _ in 0..answers {
        let who = if table.game().view(Viewer::Spectator)["turn"] == "@aster" { ANA } else { BEN };
        say(&mut table, who, r#""rest""#);
    }
    store.bytes()
}

#[test]
fn ten_thousand_answers_open_at_once() {
    let bytes = long(10_000, &TOY);
    let best = (0..5)
        .map(|_| {
            let from = std::time::Instant::now();
            assert_eq!(open(bytes.clone()).log().live().filter(|r| r.entry.is_move()).count(), 10_005);
            from.elapsed()
        })
        .min()
        .expect("five times");
    let most = if cfg!(debug_assertions) { 500 } else { 50 };
    assert!(best.as_millis() < most, "{best:?}, {} KB", bytes.len() / 1024);
    println!("opened {} KB in {best:?}", bytes.len() / 1024);
}
