//! The odds that are told of a roll, against every throw judged in every way.

use fracas_kernel::{
    AnyTable, AskId, Game, Open, Rolled, Seat, Session, Slot, Tone, Viewer, Who, Words, classes,
};
use fracas_sim::Chance;
use fracas_suite::Tables;
use judge_two::{
    JudgeTwo,
    answer::{Answer, Prompt},
    event::Event,
    state::is_guilty,
    vocab::Turnabout,
};
use std::collections::{BTreeMap, BTreeSet};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

type Table = Session<JudgeTwo>;

/// Every result (success, guilt) that dice which lie there can be judged as.
fn judged(table: &Table, events: &[Event], results: &mut BTreeSet<(bool, bool)>) {
    for event in events {
        match *event {
            Event::Judged { degree, truth, .. } => {
                results.insert((degree >= 0, is_guilty(truth)));
                return;
            }
            Event::GroupJudged { total, truth, .. } => {
                results.insert((total >= 0, is_guilty(truth)));
                return;
            }
            _ => {}
        }
    }
    let judging = ["judge", "truth", "light"];
    let Some((id, slot, ask)) =
        table.asks().find(|(_, _, ask)| judging.contains(&JudgeTwo::kind(&ask.prompt)))
    else {
        panic!("neither judged nor to be judged: {:?}", table.open());
    };
    let seats: Vec<Seat> = match ask.who {
        Who::All(all) => all.iter().collect(),
        who => who.seats().iter().take(1).collect(),
    };
    let mut answers = Vec::new();
    JudgeTwo::legal(table.rules(), table.state(), slot, &mut |a| answers.push(a));
    for answer in answers {
        let (mut next, mut events) = (table.clone(), Vec::new());
        for &seat in &seats {
            next.answer(seat, id, answer, &mut events).expect("listed");
        }
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
    for setup in TABLES.setups() {
        let (rules, state) = JudgeTwo::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(7, 0);
        for _ in 0..400 {
            let mut events = Vec::new();
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    let odds = table.roll_odds(Viewer::Seat(Seat::Gm)).expect("the gamemaster knows");
                    let groups = roll.dice.len() > 3;
                    // Between players nothing is settled by these dice alone.
                    if odds.rows.iter().all(|row| row.tone != Tone::Plain) && (!groups || group < 2) {
                        let told: BTreeMap<&str, u128> =
                            odds.rows.iter().map(|row| (row.text.as_ref(), row.throws)).collect();
                        assert_eq!(told, by_hand(&table), "{:?}", table.open());
                        *(if groups { &mut group } else { &mut alone }) += 1;
                    }
                    table.roll(&faces, &mut events).expect("they can fall");
                }
                Open::Asks(_) => {
                    let asks: Vec<_> = table.asks().map(|(id, slot, ask)| (id, slot, ask.who)).collect();
                    let (id, slot, who) = asks[chance.place(asks.len())];
                    let mut answers = Vec::new();
                    JudgeTwo::legal(table.rules(), table.state(), slot, &mut |a| {
                        answers.push(a);
                    });
                    let answer = answers[chance.place(answers.len())];
                    let seats: Vec<Seat> = match who {
                        Who::All(all) => all.iter().collect(),
                        who => who.seats().iter().take(1).collect(),
                    };
                    for seat in seats {
                        table.answer(seat, id, answer, &mut events).expect("listed");
                    }
                }
            }
        }
    }
    assert!(alone > 100 && group > 0, "{alone} rolls of one and {group} of groups");
}

/// Every answer to every ask, and who gives it.
fn listed(table: &Table) -> Vec<(AskId, Slot, Prompt, Who, Answer)> {
    let mut all = Vec::new();
    for (id, slot, ask) in table.asks() {
        let (prompt, who) = (ask.prompt, ask.who);
        JudgeTwo::legal(table.rules(), table.state(), slot, &mut |answer| {
            all.push((id, slot, prompt, who, answer));
        });
    }
    all
}

fn give(table: &mut Table, id: AskId, who: Who, answer: Answer) {
    let seats: Vec<Seat> = match who {
        Who::All(all) => all.iter().collect(),
        who => who.seats().iter().take(1).collect(),
    };
    for seat in seats {
        table.answer(seat, id, answer, &mut Vec::new()).expect("lawful");
    }
}

/// Lets things go as declared until dice are due.
fn goes_so(table: &mut Table) {
    while table.due().is_none() {
        let asks = table.asks().map(|(id, _, ask)| (id, ask.prompt, ask.who));
        let usual = asks.filter_map(|(id, prompt, who)| match prompt {
            Prompt::Settle { .. } | Prompt::Rule { .. } => Some((id, who, Answer::Yes)),
            Prompt::Guard { .. } => Some((id, who, Answer::Pass)),
            Prompt::Intervene { opening: true } => Some((id, who, Answer::Tell(Turnabout::Other))),
            Prompt::Essence { proposed: essence, .. } => {
                Some((id, who, Answer::Essence { essence, ability: None }))
            }
            _ => None,
        });
        let (id, who, answer) = usual.collect::<Vec<_>>()[0];
        give(table, id, who, answer);
    }
}

#[test]
fn what_is_declared_says_the_odds_of_its_roll_if_it_goes_so() {
    let mut told = 0;
    for setup in TABLES.setups() {
        let (rules, state) = JudgeTwo::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(5, 0);
        for _ in 0..400 {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    let all = listed(&table);
                    let (id, slot, _, who, answer) = all[chance.place(all.len())];
                    let viewer = Viewer::Seat(who.seats().iter().next().expect("somebody"));
                    let odds = JudgeTwo::odds(table.rules(), table.state(), slot, &answer, viewer);
                    give(&mut table, id, who, answer);
                    if let Some(odds) = odds.filter(|odds| odds.of == "if it goes as declared") {
                        goes_so(&mut table);
                        assert_eq!(Some(odds.rows), table.roll_odds(viewer).map(|odds| odds.rows));
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 20, "{told} declared");
}

/// The answers to an ask of this kind, with their odds as `seat` is told them.
fn odds_of(table: &Table, kind: &str, seat: Seat) -> Vec<(Answer, Option<String>)> {
    let all = listed(table).into_iter().filter(|(_, _, prompt, ..)| JudgeTwo::kind(prompt) == kind);
    all.map(|(_, slot, _, _, answer)| {
        let odds = JudgeTwo::odds(table.rules(), table.state(), slot, &answer, Viewer::Seat(seat));
        (answer, odds.map(|odds| odds.of))
    })
    .collect()
}

#[test]
fn odds_are_of_what_is_asked_or_say_whose_roll_it_is() {
    let (mut guards, mut counters) = (0, 0);
    for setup in TABLES.setups() {
        let (rules, state) = JudgeTwo::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(11, 0);
        for _ in 0..1500 {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    for kind in ["counter", "counter-whom", "harm"] {
                        for (answer, odds) in odds_of(&table, kind, Seat::Gm) {
                            assert_eq!(odds, None, "{kind}: {answer:?}");
                            counters += 1;
                        }
                    }
                    for (answer, of) in odds_of(&table, "guard", Seat::Gm) {
                        if let Some(of) = of {
                            let whose = [" save of ", " attack of "].iter().any(|whose| of.contains(whose));
                            assert!(whose, "{answer:?}: {of}");
                            guards += 1;
                        }
                    }
                    let all = listed(&table);
                    let (id, _, _, who, answer) = all[chance.place(all.len())];
                    give(&mut table, id, who, answer);
                }
            }
        }
    }
    assert!(guards > 10 && counters > 10, "{guards} of guards, {counters} of counterattacks");
}

#[test]
fn a_test_says_up_to_which_level_it_succeeds() {
    let mut told = 0;
    for setup in TABLES.setups() {
        let (rules, state) = JudgeTwo::start(&setup).expect("no faults");
        let mut table = Table::new(rules, state);
        let mut chance = Chance::new(3, 0);
        for _ in 0..200 {
            match table.open() {
                Open::Over => break,
                Open::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    table.roll(&faces, &mut Vec::new()).expect("they can fall");
                }
                Open::Asks(_) => {
                    let all = listed(&table);
                    let (id, slot, prompt, who, answer) = all[chance.place(all.len())];
                    let viewer = Viewer::Seat(who.seats().iter().next().expect("somebody"));
                    let odds = JudgeTwo::odds(table.rules(), table.state(), slot, &answer, viewer);
                    give(&mut table, id, who, answer);
                    let plain = matches!(answer, Answer::Test { against: None, .. })
                        && matches!(prompt, Prompt::Turn(_));
                    let settles = table.asks().find(|(_, _, ask)| JudgeTwo::kind(&ask.prompt) == "settle");
                    let Some((_, slot, _)) = settles.filter(|_| plain) else { continue };
                    let odds = odds.expect("odds of a test");
                    assert_eq!(odds.of, "as the gamemaster sets the level");
                    // What is settled says the same of its own level.
                    for cl in 4..=8 {
                        let terms = listed(&table).into_iter().map(|(.., answer)| answer).find(|answer| {
                            let plain = Answer::Settle {
                                cl: Some(cl),
                                attribute: None,
                                bold: false,
                                faint: false,
                                quick: false,
                                long: false,
                                favor: 0,
                                difficult: false,
                            };
                            *answer == plain
                        });
                        let Some(terms) = terms else { continue };
                        let gm = Viewer::Seat(Seat::Gm);
                        let Some(then) = JudgeTwo::odds(table.rules(), table.state(), slot, &terms, gm)
                        else {
                            continue;
                        };
                        let wins = |odds: &fracas_kernel::Odds, wins: &dyn Fn(&str) -> bool| {
                            let rows = odds.rows.iter().filter(|row| wins(&row.text));
                            rows.map(|row| row.throws).sum::<u128>()
                        };
                        let reached = wins(&odds, &|text| {
                            text == "success at any level"
                                || text
                                    .strip_prefix("success up to level ")
                                    .and_then(|level| level.split(' ').next())
                                    .is_some_and(|level| level.parse::<u8>().is_ok_and(|level| level >= cl))
                        });
                        assert_eq!(
                            reached,
                            wins(&then, &|text| text.contains("success")),
                            "{odds:?} {then:?}"
                        );
                        told += 1;
                    }
                }
            }
        }
    }
    assert!(told > 10, "{told} tests");
}
