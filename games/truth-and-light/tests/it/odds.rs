//! The odds that are told of a roll, against every throw with Light spent in every way.

use crate::TABLES;
use fracas_kernel::{AnyTable, Rolled, Seat, Session, Viewer, Words, classes};
use fracas_suite::{Choice, choices, strolled};
use std::collections::BTreeMap;
use truth_and_light::answer::{Answer, Prompt};
use truth_and_light::{TruthAndLight, event::Event, vocab::Kind};

type Table = Session<TruthAndLight>;

/// The best that Light can be spent for, in words.
fn best(mut table: Table) -> String {
    // Whether bad fortune is played is nobody's odds.
    while let Some(pass) = choices(&table).into_iter().find(|choice| choice.answer == Answer::Pass) {
        pass.give(&mut table);
    }
    let spends = choices(&table).into_iter().filter(|choice| matches!(choice.answer, Answer::Spend(_)));
    let results = spends.filter_map(|spend| {
        spend.give(&mut table.clone()).into_iter().find_map(|event| match event {
            Event::Result { kind, result, .. } => {
                Some((result.success, result.band as u8, kind, result.band))
            }
            _ => None,
        })
    });
    let (success, _, kind, band) =
        results.max_by_key(|&(success, rank, ..)| (success, rank)).expect("a result");
    match (kind, success, band.word()) {
        (Kind::Save, true, _) => "warded off".to_owned(),
        (Kind::Save, false, "guilty") => "it comes true, and more besides".to_owned(),
        (Kind::Save, false, _) => "it comes true".to_owned(),
        (Kind::Test, true, band) => format!("{band} success"),
        (Kind::Test, false, band) => format!("{band} failure"),
    }
}

#[test]
fn odds_are_those_of_every_throw_spent_in_every_way() {
    let mut rolls = 0;
    strolled::<TruthAndLight>(&TABLES.setups(), 3, 300, |table, _| {
        let Some(roll) = table.due() else { return };
        let odds = table.roll_odds(Viewer::Seat(Seat::Gm)).expect("the gamemaster knows");
        let told: BTreeMap<String, u128> =
            odds.rows.iter().map(|row| (row.text.to_string(), row.throws)).collect();
        let mut by_hand = BTreeMap::new();
        classes(roll, |rolled, throws| {
            let Rolled::Faces(faces) = rolled;
            let mut next = table.clone();
            next.roll(faces, &mut Vec::new()).expect("they can fall");
            *by_hand.entry(best(next)).or_insert(0) += throws;
        });
        assert_eq!(told, by_hand, "{:?}", table.open());
        rolls += 1;
    });
    assert!(rolls > 60, "{rolls} rolls");
}

/// Lets things go as declared until dice are due.
fn goes_so(table: &mut Table) {
    while table.due().is_none() {
        let choice = choices(table)[0];
        let answer = match choice.prompt {
            Prompt::Settle { .. } => Answer::AGREED,
            Prompt::Terms { .. } => Answer::Terms { attribute: None, tn: None, tags: None, end: None },
            Prompt::Ready(_) => Answer::PLAIN,
            other => panic!("not on the way to a roll: {other:?}"),
        };
        Choice { answer, ..choice }.give(table);
    }
}

#[test]
fn what_is_declared_says_the_odds_of_its_roll_if_it_goes_so() {
    let mut told = 0;
    strolled::<TruthAndLight>(&TABLES.setups(), 5, 300, |table, next| {
        let Some(next) = next else { return };
        let viewer = Viewer::Seat(next.seat());
        let odds = TruthAndLight::odds(table.rules(), table.state(), next.slot, &next.answer, viewer);
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
