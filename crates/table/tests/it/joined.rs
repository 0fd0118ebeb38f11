//! Players who join late, and seats without a player.

use fracas_kernel::{AskId, Now, Seat, System, Viewer, system_of};
use fracas_suite::toy::{self, Toy};
use fracas_table::*;

const TOY: System = system_of::<Toy>();
const ANA: Seat = Seat::Player(0);
const BO: Seat = Seat::Player(1);
const DEE: Seat = Seat::Player(2);

fn create(hunters: u8) -> (Table, MemoryStore) {
    let store = MemoryStore::new();
    let opening = Opening { title: "The hunt".into(), label: "May".into(), seed: Some(Seed::from(3)) };
    let table = Table::create(&TOY, &toy::setup(hunters, 4), opening, Box::new(store.clone()));
    (table.expect("a sound setup"), store)
}

fn open(store: &MemoryStore) -> Table {
    Table::open(&[TOY], Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log")
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

#[track_caller]
fn join(table: &mut Table, player: &str, hunter: &str) {
    let fiat = format!(r#"{{"join":{{"player":"{player}","hunter":"{hunter}"}}}}"#);
    table.fiat(&fiat, None).expect("possible");
}

/// The players by name, with their characters.
fn players(table: &Table) -> Vec<(String, Vec<String>)> {
    let seats = table.game().seats().into_iter().filter(|info| info.seat != Seat::Gm);
    seats.map(|info| (info.name, info.holds)).collect()
}

#[test]
fn a_latecomer_plays_on() {
    let (mut table, store) = create(2);
    say(&mut table, ANA, r#"{"path":0}"#);
    let before = ask(&table);
    join(&mut table, "dee", "dora");
    assert_eq!(players(&table)[2], ("dee".into(), vec!["dora".into()]));
    assert_ne!(ask(&table), before, "what all must agree on is asked of one more");
    table.answer(BO, None, before, r#"{"path":0}"#, None).expect_err("a stale ask");
    for seat in [DEE, ANA, BO] {
        say(&mut table, seat, r#"{"path":0}"#);
    }
    say(&mut table, DEE, r#"{"look":"@dora"}"#);
    table.stand(Seat::Gm, r#""never-guard""#, true).expect("the gamemaster's");
    let error = table.stand(DEE, r#""never-guard""#, true).unwrap_err();
    assert!(error.to_string().contains("the gamemaster's"), "{error}");
    say(&mut table, ANA, r#"{"strike":"@ana"}"#);
    table.roll(ANA, Throw::Dice).expect("dice are due");
    let again = open(&store);
    assert_eq!(again.game().snapshot(), table.game().snapshot());
    assert_eq!(players(&again), players(&table));
    assert_eq!(again.log().cast(), table.log().cast());
    let report = verify(again.log(), &[TOY]).expect("can be run");
    assert!(report.sound(), "{report:?}");
    assert!(
        again
            .log()
            .story(Viewer::Spectator, Detail::Everything)
            .contains("With ana as ana, bo as bo and dee as dora.")
    );
    // Closed and opened again from the snapshot.
    table.close().expect("saved");
    assert_eq!(players(&open(&store)).len(), 3);
}

#[test]
fn a_latecomer_sees_earlier_lines_as_a_spectator_did() {
    let (mut table, store) = create(2);
    for seat in [ANA, BO] {
        say(&mut table, seat, r#"{"path":0}"#);
    }
    say(&mut table, ANA, r#"{"look":"@ana"}"#);
    table.note(Seat::Gm, Reader::Gm, "for myself").expect("saved");
    join(&mut table, "dee", "dora");
    say(&mut table, DEE, r#"{"look":"@dora"}"#);
    let shown = |table: &Table, who: Viewer| {
        let lines = table.lines_to(who).flat_map(|line| line.shown).map(|event| event.text);
        lines.collect::<Vec<_>>().join("\n")
    };
    for table in [table, open(&store)] {
        let dee = shown(&table, Viewer::Seat(DEE));
        assert!(dee.contains("Ana looks closely.") && dee.contains("Dora looks closely: size 4."), "{dee}");
        assert!(!dee.contains("Ana looks closely: size"), "{dee}");
        let story = table.log().story(Viewer::Seat(DEE), Detail::Everything);
        assert!(!story.contains("Ana looks closely: size") && !story.contains("for myself"), "{story}");
        assert!(shown(&table, Viewer::Seat(ANA)).contains("Ana looks closely: size 4."));
        assert!(!shown(&table, Viewer::Seat(BO)).contains("size"));
    }
}

#[test]
fn a_rewind_removes_a_latecomer() {
    let (mut table, store) = create(1);
    say(&mut table, ANA, r#"{"path":1}"#);
    let here = table.log().next() - 1;
    join(&mut table, "dee", "dora");
    assert_eq!(table.log().cast().len(), 3);
    table.rewind(here, Seat::Gm).expect("possible");
    assert_eq!((players(&table).len(), table.log().cast().len()), (1, 2));
    assert!(table.answer(Seat::Player(1), None, ask(&table), r#"{"look":"@ana"}"#, None).is_err());
    join(&mut table, "eve", "erin");
    assert_eq!(players(&table)[1].0, "eve");
    table.undo().expect("possible");
    join(&mut table, "eve", "erin");
    assert!(verify(open(&store).log(), &[TOY]).expect("can be run").sound());
    assert_eq!(players(&open(&store)), players(&table));
}

#[test]
fn a_player_whose_character_fell_plays_another() {
    let (mut table, store) = create(2);
    for seat in [ANA, BO] {
        say(&mut table, seat, r#"{"path":0}"#);
    }
    table.fiat(r#"{"wounds":["@ana",4]}"#, None).expect("possible");
    join(&mut table, "ana", "axel");
    assert_eq!(players(&table)[0], ("ana".into(), vec!["ana".into(), "axel".into()]));
    let dead = table.answer(ANA, None, ask(&table), r#"{"strike":"@ana"}"#, None).unwrap_err();
    assert!(dead.to_string().contains("is down"), "{dead}");
    say(&mut table, ANA, r#"{"strike":"@axel"}"#);
    let again = open(&store);
    assert_eq!(players(&again), players(&table));
    assert!(verify(again.log(), &[TOY]).expect("can be run").sound());
    assert!(
        again
            .log()
            .story(Viewer::Spectator, Detail::Everything)
            .contains("With ana as ana and axel and bo as bo.")
    );
}

#[test]
fn verify_finds_a_line_that_seats_other_players() {
    let (mut table, store) = create(1);
    join(&mut table, "dee", "dora");
    let text = String::from_utf8(store.bytes()).expect("UTF-8");
    assert!(text.contains(r#""name":"dee""#));
    let forged = chain::renewed(&text.replace(r#""name":"dee""#, r#""name":"eve""#));
    let log = Log::parse("forged", &forged).expect("a log");
    let report = verify(&log, &[TOY]).expect("can be run");
    assert!(report.problems.iter().any(|p| p.what.contains("who sits at the table")), "{report:?}");
}

#[test]
fn the_story_says_where_the_gamemaster_stands_in() {
    let (mut table, _) = create(2);
    let id = ask(&table);
    say(&mut table, ANA, r#"{"path":0}"#);
    table.answer(Seat::Gm, Some(BO), id, r#"{"path":0}"#, Some("Bo nods.")).expect("the gamemaster may");
    let id = ask(&table);
    table.answer(Seat::Gm, Some(BO), id, r#"{"look":"@bo"}"#, None).expect("the gamemaster may");
    let story = table.log().story(Viewer::Spectator, Detail::Everything);
    assert_eq!(story.matches("The gamemaster for bo: ").count(), 2, "{story}");
    assert!(story.contains("\nBo nods.\n") && !story.contains("**bo:**"), "{story}");
}

#[test]
fn a_players_new_name_outlives_rewinds() {
    let (mut table, store) = create(2);
    let name = |table: &Table, at: usize| players(table)[at].0.clone();
    say(&mut table, ANA, r#"{"path":0}"#);
    table.rename(ANA, "Zoe").expect("free");
    assert_eq!((name(&table, 0), table.log().cast()[1].name.clone()), ("Zoe".into(), "Zoe".into()));
    for (seat, taken) in [(BO, "zoe"), (BO, "GM"), (BO, " "), (Seat::Gm, "Max"), (DEE, "Max")] {
        table.rename(seat, taken).expect_err(taken);
    }
    // A newcomer, and a player who takes a name that has become free.
    join(&mut table, "dee", "dora");
    table.rename(DEE, "ana").expect("free");
    table.rewind(0, Seat::Gm).expect("it stands");
    assert_eq!((name(&table, 0), players(&table).len()), ("Zoe".into(), 2));
    assert_eq!(table.log().cast()[1].name, "Zoe");
    say(&mut table, BO, r#"{"path":0}"#);
    join(&mut table, "ana", "alma");
    table.rename(BO, "Kim").expect("free");
    let now = players(&table);
    assert_eq!(now[2], ("ana".into(), vec!["alma".into()]), "not the name of who was there before");
    let again = open(&store);
    assert_eq!(players(&again), now);
    assert_eq!(again.log().cast(), table.log().cast());
    let report = verify(again.log(), &[TOY]).expect("can be run");
    assert!(report.sound(), "{report:?}");
    assert!(
        again
            .log()
            .story(Viewer::Spectator, Detail::Everything)
            .contains("With Zoe as ana, Kim as bo and ana as alma.")
    );
    // From the snapshot, after which the names come.
    let (mut table, store) = create(2);
    table.rename(BO, "Kim").expect("free");
    say(&mut table, ANA, r#"{"path":0}"#);
    table.close().expect("saved");
    let mut table = open(&store);
    assert_eq!(name(&table, 1), "Kim");
    table.rewind(0, Seat::Gm).expect("it stands");
    assert_eq!(name(&table, 1), "Kim");
}
