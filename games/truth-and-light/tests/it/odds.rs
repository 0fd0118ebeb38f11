//! The odds that are told of a roll, against every throw with Light spent in every way.

use fracas_kernel::{AnyTable, AskId, Game, Open, Rolled, Seat, Session, Viewer, Words, classes};
use fracas_sim::Chance;
use fracas_suite::Tables;
use std::collections::BTreeMap;
use truth_and_light::{
    TruthAndLight,
    answer::{Answer, Prompt},
    event::Event,
    vocab::Kind,
};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

type Table = Session<TruthAndLight>;

const GM: Viewer = Viewer::Seat(Seat::Gm);

/// Every answer to the only ask.
fn listed(table: &Table) -> Vec<(AskId, Seat, Answer)> {
    let mut all = Vec::new();
    for (id, slot, ask) in table.asks() {
        let seat = ask.who.seats().iter().next().expect("somebody");
        TruthAndLight::legal(table.rules(), table.state(), slot, &mut |answer| all.push((id, seat, answer)));
    }
    all
}

/// The best that Light can be spent for, in words.
fn best(mut table: Table) -> String {
    // Whether bad fortune is played is nobody's odds.
    while let Some((id, seat, pass)) = listed(&table).into_iter().find(|(.., answer)| *answer == Answer::Pass)
    {
        table.answer(seat, id, pass, &mut Vec::new()).expect("listed");
    }
    let spends = listed(&table).into_iter().filter(|(.., answer)| matches!(answer, Answer::Spend(_)));
    let results = spends.filter_map(|(id, seat, answer)| {
        let (mut next, mut events) = (table.clone(), Vec::new());
        next.answer(seat, id, answer, &mut events).expect("listed");
        events.into_iter().find_map(|event| match event {
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
    for setup in TABLES.setups() {
        let (rules, state) = TruthAndLight::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(3, 0);
        for _ in 0..300 {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    let odds = table.roll_odds(GM).expect("the gamemaster knows");
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
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    let all = listed(&table);
                    let (id, seat, answer) = all[chance.place(all.len())];
                    table.answer(seat, id, answer, &mut Vec::new()).expect("listed");
                }
            }
        }
    }
    assert!(rolls > 60, "{rolls} rolls");
}

/// The answer that lets things go as declared.
fn usual(table: &Table) -> (AskId, Seat, Answer) {
    let (id, _, ask) = table.asks().next().expect("an ask");
    let answer = match ask.prompt {
        Prompt::Settle { .. } => Answer::AGREED,
        Prompt::Terms { .. } => Answer::Terms { attribute: None, tn: None, tags: None, end: None },
        Prompt::Ready(_) => Answer::PLAIN,
        other => panic!("not on the way to a roll: {other:?}"),
    };
    (id, ask.who.seats().iter().next().expect("somebody"), answer)
}

#[test]
fn what_is_declared_says_the_odds_of_its_roll_if_it_goes_so() {
    let mut told = 0;
    for setup in TABLES.setups() {
        let (rules, state) = TruthAndLight::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(5, 0);
        for _ in 0..300 {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    let all = listed(&table);
                    let (id, seat, answer) = all[chance.place(all.len())];
                    let slot = table.asks().find(|(there, ..)| *there == id).expect("the ask").1;
                    let viewer = Viewer::Seat(seat);
                    let odds = TruthAndLight::odds(table.rules(), table.state(), slot, &answer, viewer);
                    table.answer(seat, id, answer, &mut Vec::new()).expect("listed");
                    if let Some(odds) = odds.filter(|odds| odds.of == "if it goes as declared") {
                        while table.due().is_none() {
                            let (id, seat, answer) = usual(&table);
                            table.answer(seat, id, answer, &mut Vec::new()).expect("lawful");
                        }
                        assert_eq!(Some(odds.rows), table.roll_odds(viewer).map(|odds| odds.rows));
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 20, "{told} declared");
}
