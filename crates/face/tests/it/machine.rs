//! The machine at tables of real games.

use fracas_face::machine::{Did, Machine, Patience};
use fracas_kernel::{AskId, Document, Now, Seat, Setup, Viewer};
use fracas_sim::BotKind;
use fracas_table::{Auto, Entry, MemoryStore, Opening, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Bundled encounters of each system that an ordinary run plays.
const OF_EACH: usize = 2;

fn tables() -> impl Iterator<Item = Table> {
    tables_of(3)
}

/// Tables whose dice have this seed.
fn tables_of(seed: u64) -> impl Iterator<Item = Table> {
    fracas_systems::all().iter().flat_map(move |system| {
        let setups = fracas_systems::setups(system).expect("sound content");
        fracas_suite::some(setups, OF_EACH).into_iter().map(move |setup| {
            let opening = Opening { seed: Some(seed.into()), ..Opening::default() };
            Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("a sound setup")
        })
    })
}

#[test]
fn asks_without_gain_are_declined_and_logged_as_such() {
    let mut declined = BTreeMap::<&str, u32>::new();
    let mut may_decline = BTreeSet::<&str>::new();
    for mut table in (3..12).flat_map(tables_of) {
        if declined.contains_key(table.system().id) {
            continue;
        }
        let mut machine = Machine::new(5);
        let seats: Vec<Seat> = table.game().seats().iter().map(|info| info.seat).collect();
        let bots: BTreeMap<Seat, BotKind> = seats.iter().map(|seat| (*seat, BotKind::Greedy)).collect();
        let passes: BTreeSet<Seat> = seats.into_iter().collect();
        for _ in 0..150 {
            let line = table.log().next();
            if let Now::Asks(asks) = table.game().now()
                && asks.iter().any(|ask| table.game().decline(ask.id).is_some())
            {
                may_decline.insert(table.system().id);
            }
            if let Did::Answered(seat) = machine.decline_gainless(&mut table, &passes).expect("saved") {
                let Some(Entry::Answer(answer)) = table.log().get(line).map(|record| &record.entry) else {
                    panic!("no answer at {line}")
                };
                assert_eq!((answer.seat(), answer.auto), (seat, Some(Auto::Gainless)));
                *declined.entry(table.system().id).or_default() += 1;
                continue;
            }
            machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
        }
    }
    assert!(!may_decline.is_empty() && declined.keys().eq(&may_decline), "{may_decline:?}: {declined:?}");
}

#[test]
fn a_late_player_is_answered_for_and_play_goes_on() {
    for mut table in tables() {
        let machine = &mut Machine::new(5);
        let system = table.system().id;
        for _ in 0..60 {
            match table.game().now() {
                Now::Over => break,
                Now::Roll(roll) => drop(table.roll(roll.whose, fracas_table::Throw::Dice).expect("due")),
                Now::Asks(asks) => {
                    let before = table.log().next();
                    let did = machine.answer_late(&mut table, &BTreeMap::new(), &asks[0]).expect("saved");
                    assert!(matches!(did, Did::Answered(_)), "{system}: {:?}", asks[0]);
                    let lines = &table.log().records()[before as usize..];
                    let late =
                        |entry: &Entry| matches!(entry, Entry::Answer(a) if a.auto == Some(Auto::Late));
                    assert!(lines.iter().any(|record| late(&record.entry)), "{system}");
                }
            }
        }
    }
}

#[test]
fn even_waiting_does_not_reveal_whether_anybody_may_step_in() {
    let mut went_on = 0;
    for mut table in tables() {
        let mut machine = Machine::new(5);
        let bots: BTreeMap<Seat, BotKind> =
            table.game().seats().iter().map(|info| (info.seat, BotKind::Greedy)).collect();
        // Its last answer to an ask that play waited for, and whether dice fell since.
        let (mut last, mut fell) = (None, false);
        for _ in 0..60 {
            let Now::Asks(asks) = table.game().now() else {
                let did = machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
                fell |= did == Did::Threw;
                continue;
            };
            let before = table.log().next();
            let mut did = machine.step(&mut table, &bots, |_| true, Patience::Even).expect("saved");
            let waited = did == Did::Waits;
            if waited {
                assert_eq!(table.log().next(), before);
                did = machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
            }
            let Did::Answered(seat) = did else { continue };
            let Some(Entry::Answer(answer)) = table.log().get(before).map(|record| &record.entry) else {
                panic!("no answer at {before}")
            };
            let ask = asks.iter().find(|ask| ask.id == answer.ask).expect("it was open");
            if ask.duty == fracas_kernel::Duty::Must {
                // It goes on at once only with the ask it was busy with before dice fell.
                assert!(waited || last == Some((seat, ask.kind)) && fell, "{} as {seat}", ask.kind);
                went_on += u32::from(!waited);
                (last, fell) = (Some((seat, ask.kind)), false);
            } else {
                assert!(!waited || !asks.iter().any(|ask| ask.duty == fracas_kernel::Duty::Must));
            }
        }
    }
    assert!(went_on > 0, "what is brought in piece by piece is one deed");
}

/// How many steps an evening of machines may take.
const EVENING: u32 = 2_500;

/// Plays these tables with the machine in every seat, except for answers that a person
/// picks; returns the last lines of games that do not end.
fn endless(tables: impl Iterator<Item = Table>, pick: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let mut endless = Vec::new();
    for mut table in tables {
        let mut machine = Machine::new(5);
        let bots: BTreeMap<Seat, BotKind> =
            table.game().seats().iter().map(|info| (info.seat, BotKind::Greedy)).collect();
        for _ in 0..EVENING {
            if table.game().now() == Now::Over {
                break;
            }
            if let Some((seat, id, answer)) = picked(&table, &pick) {
                table.answer(seat, None, id, &answer, None).expect("listed");
                machine.people_moved();
            } else {
                machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
            }
        }
        if table.game().now() != Now::Over {
            let lines = table.log().records().iter().filter_map(|record| record.to(Viewer::Spectator));
            let texts: Vec<String> = lines.flat_map(|line| line.shown).map(|shown| shown.text).collect();
            endless.push(texts[texts.len().saturating_sub(30)..].to_vec());
        }
    }
    endless
}

/// An answer of a player at this table that `pick` selects.
fn picked(table: &Table, pick: impl Fn(&str) -> bool) -> Option<(Seat, AskId, String)> {
    let Now::Asks(asks) = table.game().now() else { return None };
    asks.iter().find_map(|ask| {
        let seat = ask.who.seats().iter().find(|seat| *seat != Seat::Gm)?;
        let listed = table.game().legal(ask.id, Viewer::Seat(seat));
        let answer = listed.into_iter().map(|listed| listed.answer).find(|answer| pick(answer))?;
        Some((seat, ask.id, answer))
    })
}

#[test]
fn every_evening_of_machines_ends() {
    let endless = endless(tables_of(7), |_| false);
    assert!(endless.is_empty(), "{endless:#?}");
}

#[test]
fn an_evening_ends_where_people_make_foes_surrender() {
    let tables = tables_of(7).filter(|table| table.system().id == "judge-two");
    let endless = endless(tables, |answer| answer.contains("surrender"));
    assert!(endless.is_empty(), "{endless:#?}");
}

/// Two friends, and two in wait.
const VALLEY: &str = r#"
player = [{ name = "Ana" }, { name = "Bo" }]
scene = [{ present = ["Ada", "Ben"] }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2, body = 1 }
bond = [{ name = "Keeps the door", dice = "1d4" }]
[[character]]
name = "Ben"
player = "Bo"
stats = { acuity = 1, body = 2 }
unassigned = "4d6"
bond = [{ name = "Sings at night", dice = "1d4" }]
[[npc]]
name = "The Hollow"
stats = { acuity = 3 }
[[npc]]
name = "The Lodger"
stats = { acuity = 1 }
"#;

/// What the machine does for Bo, at random, while the gamemaster plays `unseen` answers and
/// throws none of the dice that come of them.
fn plays_bo(unseen: &[&str], fiats: usize) -> Vec<String> {
    let afraid = fracas_systems::find("afraid").expect("a system");
    let valley = Setup::alone(Document::toml("valley", VALLEY).expect("TOML"));
    let opening = Opening { seed: Some(3.into()), ..Opening::default() };
    let mut table = Table::create(afraid, &valley, opening, Box::new(MemoryStore::new())).expect("sound");
    for _ in 0..fiats {
        table.fiat(r#"{"unassigned":{"who":"@the-lodger","dice":"1d6"}}"#, None).expect("possible");
    }
    for answer in unseen {
        let ask = table.game().asks().into_iter().find(|ask| ask.who.seats().contains(Seat::Gm));
        table.answer(Seat::Gm, None, ask.expect("an ask").id, answer, None).expect("possible");
    }
    assert_eq!(unseen.is_empty(), !matches!(table.game().now(), Now::Roll(_)));
    let bo = Seat::Player(1);
    let bots = BTreeMap::from([(bo, BotKind::Random)]);
    let mut machine = Machine::new(5);
    for _ in 0..6 {
        machine.step(&mut table, &bots, |_| false, Patience::Spent).expect("saved");
        machine.people_moved();
    }
    let answers = table.log().records().iter().filter_map(|record| match &record.entry {
        Entry::Answer(answer) if answer.seat() == bo => Some(answer.answer.get().to_owned()),
        _ => None,
    });
    answers.collect()
}

#[test]
fn unseen_acts_and_dice_do_not_change_what_the_machine_does() {
    let plain = plays_bo(&[], 0);
    assert!(plain.len() > 2, "{plain:?}");
    assert_eq!(plays_bo(&[], 3), plain, "unseen words of the gamemaster");
    let begins = [
        r#"{"new-scene":["@the-hollow","@the-lodger"]}"#,
        r#"{"conflict":{"sides":[["@the-hollow"],["@the-lodger"]],"arena":"social"}}"#,
        r#"{"thing":"the house"}"#,
        r#""begin""#,
    ];
    assert_eq!(plays_bo(&begins, 0), plain, "dice fall unseen");
}
