//! The odds that are told of a roll, against every throw judged in every way.

use crate::TABLES;
use fracas_kernel::{AnyTable, Odds, Rolled, Seat, Session, Tone, Viewer, Words, classes};
use fracas_suite::{Choice, choices, strolled};
use judge_two::answer::{Answer, Prompt};
use judge_two::{JudgeTwo, event::Event, state::is_guilty, vocab::Turnabout};
use std::collections::{BTreeMap, BTreeSet};

type Table = Session<JudgeTwo>;

const GM: Viewer = Viewer::Seat(Seat::Gm);

/// Every result (success, guilt) that dice which lie there can be judged as.
fn judged(table: &Table, events: &[Event], results: &mut BTreeSet<(bool, bool)>) {
    for event in events {
        match *event {
            Event::Judged { degree, truth, .. } | Event::GroupJudged { total: degree, truth, .. } => {
                results.insert((degree >= 0, is_guilty(truth)));
                return;
            }
            _ => {}
        }
    }
    let judging = ["judge", "truth", "light"];
    let mut ways = choices(table);
    ways.retain(|choice| judging.contains(&JudgeTwo::kind(&choice.prompt)));
    assert!(!ways.is_empty(), "neither judged nor to be judged: {:?}", table.open());
    // To one ask at a time.
    for way in ways.iter().filter(|way| way.id == ways[0].id) {
        let mut next = table.clone();
        let events = way.give(&mut next);
        judged(&next, &events, results);
    }
}

/// What a roll can come to, by what it allows at best.
fn by_hand(table: &Table) -> BTreeMap<&'static str, u128> {
    let mut rows = BTreeMap::new();
    let roll = table.due().expect("a roll").clone();
    classes(&roll, |rolled, throws| {
        let Rolled::Faces(faces) = rolled;
        let (mut next, mut events, mut results) = (table.clone(), Vec::new(), BTreeSet::new());
        next.roll(faces, &mut events).expect("they can fall");
        judged(&next, &events, &mut results);
        let best = if results.contains(&(true, false)) {
            "innocent success"
        } else if results.contains(&(true, true)) {
            "success, but guilty"
        } else if results.contains(&(false, false)) {
            "failure, but innocent"
        } else {
            "guilty failure"
        };
        *rows.entry(best).or_insert(0) += throws;
    });
    rows
}

#[test]
fn odds_are_those_of_every_throw_judged_in_every_way() {
    let (mut alone, mut group) = (0, 0);
    strolled::<JudgeTwo>(&TABLES.setups(), 7, 400, |table, _| {
        let Some(roll) = table.due() else { return };
        let odds = table.roll_odds(GM).expect("the gamemaster knows");
        let groups = roll.dice.len() > 3;
        // Between players nothing is settled by these dice alone.
        if odds.rows.iter().all(|row| row.tone != Tone::Plain) && (!groups || group < 2) {
            let told: BTreeMap<&str, u128> =
                odds.rows.iter().map(|row| (row.text.as_ref(), row.throws)).collect();
            assert_eq!(told, by_hand(table), "{:?}", table.open());
            *(if groups { &mut group } else { &mut alone }) += 1;
        }
    });
    assert!(alone > 100 && group > 0, "{alone} rolls of one and {group} of groups");
}

/// Lets things go as declared until dice are due.
fn goes_so(table: &mut Table) {
    while table.due().is_none() {
        let usual = choices(table).into_iter().find_map(|choice| {
            let answer = match choice.prompt {
                Prompt::Settle { .. } | Prompt::Rule { .. } => Answer::Yes,
                Prompt::Guard { .. } => Answer::Pass,
                Prompt::Intervene { opening: true } => Answer::Tell(Turnabout::Other),
                Prompt::Essence { proposed: essence, .. } => Answer::Essence { essence, ability: None },
                _ => return None,
            };
            Some(Choice { answer, ..choice })
        });
        usual.expect("on the way to a roll").give(table);
    }
}

#[test]
fn what_is_declared_says_the_odds_of_its_roll_if_it_goes_so() {
    let mut told = 0;
    strolled::<JudgeTwo>(&TABLES.setups(), 5, 400, |table, next| {
        let Some(next) = next else { return };
        let viewer = Viewer::Seat(next.seat());
        let odds = JudgeTwo::odds(table.rules(), table.state(), next.slot, &next.answer, viewer);
        if let Some(odds) = odds.filter(|odds| odds.of == "if it goes as declared") {
            let mut then = table.clone();
            next.give(&mut then);
            goes_so(&mut then);
            assert_eq!(Some(odds.rows), then.roll_odds(viewer).map(|odds| odds.rows));
            told += 1;
        }
    });
    assert!(told > 20, "{told} declared");
}

/// The answers to an ask of this kind, with their odds as the gamemaster is told them.
fn odds_of(table: &Table, kind: &str) -> Vec<(Answer, Option<String>)> {
    let all = choices(table).into_iter().filter(|choice| JudgeTwo::kind(&choice.prompt) == kind);
    all.map(|choice| {
        let odds = JudgeTwo::odds(table.rules(), table.state(), choice.slot, &choice.answer, GM);
        (choice.answer, odds.map(|odds| odds.of))
    })
    .collect()
}

#[test]
fn odds_are_of_what_is_asked_or_say_whose_roll_it_is() {
    let (mut guards, mut counters) = (0, 0);
    strolled::<JudgeTwo>(&TABLES.setups(), 11, 1500, |table, _| {
        for kind in ["counter", "counter-whom", "harm"] {
            for (answer, odds) in odds_of(table, kind) {
                assert_eq!(odds, None, "{kind}: {answer:?}");
                counters += 1;
            }
        }
        for (answer, of) in odds_of(table, "guard") {
            if let Some(of) = of {
                let whose = [" save of ", " attack of "].iter().any(|whose| of.contains(whose));
                assert!(whose, "{answer:?}: {of}");
                guards += 1;
            }
        }
    });
    assert!(guards > 10 && counters > 10, "{guards} of guards, {counters} of counterattacks");
}

#[test]
fn a_test_says_up_to_which_level_it_succeeds() {
    let mut told = 0;
    strolled::<JudgeTwo>(&TABLES.setups(), 3, 200, |table, next| {
        let Some(next) = next else { return };
        let plain = matches!(next.answer, Answer::Test { against: None, .. })
            && matches!(next.prompt, Prompt::Turn(_));
        if !plain {
            return;
        }
        let viewer = Viewer::Seat(next.seat());
        let odds = JudgeTwo::odds(table.rules(), table.state(), next.slot, &next.answer, viewer);
        let mut table = table.clone();
        next.give(&mut table);
        let settling =
            choices(&table).into_iter().filter(|choice| JudgeTwo::kind(&choice.prompt) == "settle");
        let settling: Vec<_> = settling.collect();
        if settling.is_empty() {
            return;
        }
        let odds = odds.expect("odds of a test");
        assert_eq!(odds.of, "as the gamemaster sets the level");
        // What is settled says the same of its own level.
        for cl in 4..=8 {
            let terms = format!(r#"{{"settle":{{"cl":{cl}}}}}"#);
            let terms: Answer = serde_json::from_str(&terms).expect("an answer");
            let Some(terms) = settling.iter().find(|choice| choice.answer == terms) else { continue };
            let then = JudgeTwo::odds(table.rules(), table.state(), terms.slot, &terms.answer, GM);
            let Some(then) = then else { continue };
            let wins = |odds: &Odds, wins: &dyn Fn(&str) -> bool| {
                let rows = odds.rows.iter().filter(|row| wins(&row.text));
                rows.map(|row| row.throws).sum::<u128>()
            };
            let reached = wins(&odds, &|text| {
                let level = text.strip_prefix("success up to level ").and_then(|rest| rest.split(' ').next());
                text == "success at any level"
                    || level.is_some_and(|level| level.parse::<u8>().is_ok_and(|level| level >= cl))
            });
            assert_eq!(reached, wins(&then, &|text| text.contains("success")), "{odds:?} {then:?}");
            told += 1;
        }
    });
    assert!(told > 10, "{told} tests");
}
