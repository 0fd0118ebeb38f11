//! Sittings of the toy game, whose fiats bring people in.

use super::*;
use fracas_kernel::{System, system_of};
use fracas_suite::toy::{self, Toy};
use fracas_table::{FileStore, Opening, Seed, verify};
use std::{io::Cursor, path::Path};

const TOY: System = system_of::<Toy>();
const DEE: &str = r#"@gm fiat {"join":{"player":"dee","hunter":"dora"}}"#;

/// Two hunters, a beast of size 4.
fn open(log: &Path) -> Table {
    if log.exists() {
        return Table::open(&[TOY], Box::new(FileStore::open(log).expect("a file"))).expect("a log");
    }
    let opening = Opening { seed: Some(Seed::from(3)), ..Opening::default() };
    let store = Box::new(FileStore::create(log).expect("a file"));
    Table::create(&TOY, &toy::setup(2, 4), opening, store).expect("a sound setup")
}

fn start(table: Table, log: &Path, handover: bool, arrange: impl Fn(&mut Seats)) -> Start {
    let mut seats = super::open::seats(table.game());
    arrange(&mut seats);
    Start {
        resumed: table.log().next() > 2,
        table,
        log: log.to_owned(),
        seats,
        dice: Dice::Thrown,
        handover,
        strict: false,
        most: Some(200),
        story: None,
        seed: 1,
        quiet: Vec::new(),
    }
}

/// The output for these lines of a person at a terminal of so many lines.
fn typed_by_a_person(start: Start, typed: &str, height: usize) -> String {
    let (screen, kept) = Screen::kept();
    let mut screen = screen.of_height(height);
    let input = Input::Person(Box::new(Cursor::new(typed.to_owned())));
    Sitting::new(start, input, &mut screen).run().expect("a sitting");
    kept.text()
}

/// The gamemaster of the toy, for whom the machine plays the hunters.
fn gamemaster(seats: &mut Seats) {
    seats.machines("ana bo").expect("seated");
}

/// The output for this input; `arrange` sets the seats.
fn played(log: &Path, typed: &str, handover: bool, arrange: impl Fn(&mut Seats)) -> String {
    let start = start(open(log), log, handover, arrange);
    let (mut screen, kept) = Screen::kept();
    let input = Input::Piped(Box::new(Cursor::new(typed.to_owned())));
    Sitting::new(start, input, &mut screen).run().expect("a sitting");
    let log = crate::find::log(log).expect("a log").0;
    assert!(verify(&log, &[TOY]).expect("can be run").sound());
    kept.text()
}

#[track_caller]
fn says(output: &str, what: &str) {
    assert!(output.contains(what), "no {what:?} in:\n{output}");
}

#[test]
fn a_new_player_is_asked_like_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("late.fracas");
    let output =
        played(&log, &format!("1\n{DEE}\n@dee 1\n1\n1\nseats\n@dee\n2\nlook as dee\n"), false, |_| ());
    says(&output, "Dora joins.");
    says(&output, "dee (dora) sits at this keyboard: @dee.");
    says(&output, "The hunters take path 0.");
    says(&output, "Ana, Bo or Dee");
    says(&output, "@dee");
    // After a resume the seat exists from the start.
    let output = played(&log, "seats\n", false, |_| ());
    says(&output, "@dee dee (dora)");
    let output = played(&log, "1\n1\n1\n", false, |seats| seats.machine("dee=greedy").expect("seated"));
    says(&output, "@dee dee (dora), played by the");
    says(&output, "--bot player-3=greedy");
    let output = played(&log, "seats\n", false, |seats| {
        seats.absent("dee", true).expect("seated");
    });
    says(&output, "@dee dee (dora), absent: the");
    // The new player can be named as a viewer.
    let log = crate::find::log(&log).expect("a log").0;
    assert_eq!(Seats::of(&log).viewer("dee"), Ok(Viewer::Seat(Seat::Player(2))));
}

#[test]
fn the_machine_plays_on_beside_who_comes_late() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = format!("{DEE}\nabsent dee\ndora looks\n1\n1\n1\n");
    let output = played(&folder.path().join("a.fracas"), &typed, false, |seats| {
        seats.machines("ana=random bo=random").expect("seated");
    });
    says(&output, "Dee is absent");
    says(&output, "gm-for-dee> ");
    says(&output, "(gamemaster for Dee)");
}

#[test]
fn a_rewind_takes_the_seat_away_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = format!("{DEE}\n@dee\n@gm undo\n@dee\nseats\n{DEE}\n@dee\n");
    let output = played(&folder.path().join("a.fracas"), &typed, false, |_| ());
    let (before, after) = output.split_once("undo").expect("typed");
    says(before, "dee> ");
    says(after, "nobody here is called \"dee\"");
    says(after, "dee (dora) sits at this keyboard");
}

#[test]
fn a_new_player_is_not_shown_earlier_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    // Both take path 0; ana looks; the gamemaster brings dee in, and hands over.
    let typed = format!("1\n@bo\n1\n@ana\nana looks\n@gm\n{}\n@dee\nlog\n", DEE.trim_start_matches("@gm "));
    let output = played(&folder.path().join("a.fracas"), &typed, true, |_| ());
    says(&output, "Ana looks closely: size 4.");
    let dee =
        output.split("Next: Dee").nth(1).or_else(|| output.split("Next: dee").nth(1)).expect("handed over");
    says(dee, "Ana looks closely.");
    assert!(!dee.contains("size 4"), "{dee}");
}

#[test]
fn a_player_of_a_fallen_character_plays_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = "1\n@bo 1\n@gm fiat {\"wounds\":[\"@ana\",4]}\n@gm fiat {\"join\":{\"player\":\"ana\",\"hunter\":\"axel\"}}\n\
        axel looks\nseats\n";
    let output = played(&folder.path().join("a.fracas"), typed, false, |_| ());
    says(&output, "ana (ana, axel)");
    says(&output, "Axel looks closely: size 4.");
    assert!(!output.contains("sits at this keyboard"), "ana sat there already: {output}");
}

#[test]
fn an_answer_is_worded_by_whoever_gives_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = "1\n@bo 1\n@gm\n3 @ana\n3 Old Moss : in a whisper\nlog\n@gm 3 Again\n";
    let output = played(&folder.path().join("a.fracas"), typed, false, |_| ());
    says(&output, "3  call the beast the grim one (or in your own words: 3 ...)");
    says(&output, "No: a name does not begin with '@'");
    says(&output, "The beast is called Old Moss.");
    says(&output, "in a whisper");
    says(&output, "No: there is no 3 here: choose 1 to 2");
}

#[test]
fn an_unknown_answer_is_refused_with_the_nearest_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let typed = "path 7\ndance\n1\n@bo 1\nana strikes\n2\nhigher\nana stikes\n/looks\n/zzz\n/\n";
    let output = played(&folder.path().join("a.fracas"), typed, false, |_| ());
    says(&output, "No: no answer here reads \"path 7\"\nNear to it:\n 1  path 0");
    says(&output, "No: no answer here reads \"dance\": type a number, or words");
    // Ana has acted: only Bo's strike is listed, and the game says why hers is not.
    let (_, after) = output.split_once("ana stikes").expect("typed");
    says(after, "No: that hunter has acted or is down (turn.any)");
    says(after, "Near to it:\n 1  bo strikes");
    says(after, "/looks\nlooks (back goes up)\n 1  bo looks");
    says(after, "No: no answer here holds \"zzz\"");
}

#[test]
fn nobody_is_stopped_for_what_only_gives_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = played(&folder.path().join("a.fracas"), "call\n", false, gamemaster);
    let (before, after) = output.split_once("The beast is called").expect("it was called");
    says(before, "Enter lets the others go on");
    assert!(!after.contains("Lash out?") && after.contains("guard?"), "{after}");
    // What the gamemaster cannot do is not told to players who see the screen change hands.
    for handover in [false, true] {
        let log = folder.path().join(format!("{handover}.fracas"));
        let mut table = open(&log);
        let ask = |table: &Table, kind| {
            table.game().asks().into_iter().find(|ask| ask.kind == kind).expect("asked")
        };
        for seat in [Seat::Player(0), Seat::Player(1)] {
            let plan = ask(&table, "plan");
            table.answer(seat, None, plan.id, r#"{"path":0}"#, None).expect("allowed");
        }
        let may =
            |table: &Table| table.game().asks().into_iter().find(|ask| ask.duty == Duty::May).expect("asked");
        let called = table.game().legal(may(&table).id, Viewer::Seat(Seat::Gm)).pop().expect("listed").answer;
        let id = may(&table).id;
        let (mut screen, _) = Screen::kept();
        let input = || Input::Piped(Box::new(Cursor::new("")));
        table.answer(Seat::Gm, None, id, &called, None).expect("allowed");
        let start = start(table, &log, handover, |_| ());
        let sitting = Sitting::new(start, input(), &mut screen);
        let ask = may(&sitting.start.table);
        assert_eq!(sitting.is_grave(&ask, &[Seat::Gm]), !handover);
    }
}

#[test]
fn what_only_gives_up_is_still_a_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a.fracas");
    // The hunters are asked; the gamemaster's call is the only other answer that is not grave.
    let output = played(&log, "1\n@bo 1\n@gm call\n@gm lash ana\n", false, |_| ());
    says(&output, "Also open:\n  @gm Gamemaster (may)");
    says(&output, "Gamemaster: lash out at ana\n");
}

#[test]
fn a_grave_answer_is_asked_about_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a.fracas");
    let start = start(open(&log), &log, false, |_| ());
    let output = typed_by_a_person(start, "1\n@bo 1\n@gm lash ana\nno\nlog\n@gm lash ana\nyes\nlog\n", 50);
    let (before, after) = output.split_once("Nothing is answered.").expect("declined");
    says(before, "sure? yes or no> no");
    let (none, lashed) = after.split_once("yes or no> yes").expect("asked again");
    assert!(!none.contains("The beast deals") && lashed.contains("The beast deals ana"), "{output}");
}

#[test]
fn a_word_lets_the_others_go_on_as_enter_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let after = |word: &str| {
        let log = folder.path().join(format!("{word}.fracas"));
        let output = played(&log, &format!("{word}\n"), false, gamemaster);
        let shown =
            output.split_once("gm> ").expect("a prompt").1.split_once('\n').expect("a line").1.to_owned();
        shown.split("Go on with").next().expect("text").to_owned()
    };
    let enter = after("").trim_start().to_owned();
    for word in ["pass", "no", "Skip"] {
        assert_eq!(after(word).trim_start(), enter, "{word}");
    }
}

#[test]
fn what_is_long_comes_page_by_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a.fracas");
    let start = start(open(&log), &log, false, |_| ());
    let output = typed_by_a_person(start, "help all\n\nq\nhelp all\nq\n", 20);
    let pages: Vec<&str> = output.split("help all\n").collect();
    let more = |text: &str| text.matches(" more; q: enough)").count();
    assert_eq!((more(pages[1]), more(pages[2])), (2, 1), "{output}");
    assert!(pages[1].split("(Enter: ").all(|page| page.lines().count() <= 20), "{output}");
}

/// The Salt Gate, played by hand.
fn salt_gate(log: &Path) -> Table {
    let (system, setup, _) = crate::find::encounter(Some("salt-gate"), None, None).expect("it comes with it");
    let opening = Opening { seed: Some(Seed::from(4)), ..Opening::default() };
    Table::create(&system, &setup, opening, Box::new(FileStore::create(log).expect("a file"))).expect("sound")
}

#[test]
fn words_of_an_answer_may_wait_for_a_command_or_be_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a.fracas");
    let typed = "1\ndeed something\nlook\nback\ndeed something\nhelp me with the lantern\n";
    let output = typed_by_a_person(start(salt_gate(&log), &log, false, |_| ()), typed, 50);
    let (before, after) = output.split_once("words> back").expect("asked");
    assert_eq!(before.matches("words> ").count(), 1, "look is asked for, and then the words again: {output}");
    says(after, "Nothing is answered.");
    says(after, "Ana: help me with the lantern");
}

#[test]
fn a_list_fits_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    for height in [16, 24, 60] {
        let log = folder.path().join(format!("{height}.fracas"));
        let output = typed_by_a_person(start(salt_gate(&log), &log, false, |_| ()), "1\nall\n", height);
        let listed = output.split("> all\n").nth(1).expect("listed").split("ana> ").next().expect("text");
        assert!(listed.lines().count() <= height.max(14), "{height}: {listed}");
        says(listed, "more goes on");
    }
}
