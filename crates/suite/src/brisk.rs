//! Brisk players choose by what they may know, and play like players who look ahead.

use crate::walk::walks;
use crate::{Effort, Tables};
use fracas_kernel::{Ask, Game, Odds, Open, Seat, Setup, Slot, Takes, Viewer, Words};
use fracas_sim::{BUDGET, Brisk, ENDS, Order, Plan, Play, Sides, Sums, measures, study, survey_by};
use std::env;
use std::ops::ControlFlow;
use std::time::Instant;

/// Appeals are compared at one moment in this many.
const MOMENTS: u32 = 3;

/// Every listed answer has one [appeal](Game::appeal), which is the same at a table that looks the same to the
/// seat that answers; and conflicts of brisk players end.
///
/// # Panics
/// If that does not hold.
pub fn brisk<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        if here.chance.below(MOMENTS) != 0 {
            return;
        }
        let Open::Asks(asks) = G::open(rules, state) else { return };
        for (slot, ask) in (0..).map(Slot).zip(asks.iter()) {
            let Some(seat) = ask.who.seats().iter().next() else { continue };
            let mut listed = Vec::new();
            G::legal(rules, state, slot, &mut |answer| listed.push(answer));
            let here_they_are = appeals::<G>(rules, state, (slot, seat), &listed);
            assert_eq!(here_they_are.len(), listed.len(), "each answer has one appeal");
            if seat == Seat::Gm {
                continue;
            }
            let (mut rules, mut state) = (rules.clone(), state.clone());
            G::scramble(&mut rules, &mut state, Viewer::Seat(seat), here.chance.seed());
            let Some(slot) = same_ask::<G>(&rules, &state, ask) else { continue };
            let elsewhere = appeals::<G>(&rules, &state, (slot, seat), &listed);
            assert_eq!(here_they_are, elsewhere, "{seat:?} knows more than it may, at {:?}", ask.prompt);
        }
    });
    let tables: Vec<_> =
        setups.iter().map(|setup| G::start(setup).unwrap_or_else(|faults| panic!("{faults}"))).collect();
    let played = survey_by::<G>(&tables, (&mut Brisk, Order::Waited), (effort.conflicts / 10, 1, BUDGET));
    let endings = played.endings();
    assert!(endings.is_none(), "brisk players: {}", endings.unwrap_or_default());
}

fn appeals<G: Game>(rules: &G::Rules, state: &G::State, at: (Slot, Seat), listed: &[G::Answer]) -> Vec<i32> {
    let mut all = Vec::new();
    G::appeal(rules, state, at, listed, &mut |appeal| all.push(appeal));
    all
}

/// The slot of the same ask at another table.
fn same_ask<G: Game>(rules: &G::Rules, state: &G::State, ask: &Ask<G::Prompt>) -> Option<Slot> {
    let Open::Asks(asks) = G::open(rules, state) else { return None };
    asks.iter().position(|there| there == ask).map(|at| Slot(at as u8))
}

/// The example of each question is answered, and so are its least and greatest numbers, each of its words and
/// its flags, or refused with a reason. Of every answer the results add up to all throws.
///
/// # Panics
/// If that does not hold.
pub fn questions<G: Words>(_: &[Setup], _: Effort) {
    for question in G::questions() {
        let ask = |words: &str| {
            let values = question.read(words.split_whitespace());
            let values = values.unwrap_or_else(|wrong| panic!("{} {words}: {wrong:?}", question.name));
            let odds = G::answers(question.name, &values);
            if let Ok(odds) = &odds {
                assert!(adds_up(odds), "{} {words}: {odds:?}", question.name);
            }
            odds
        };
        let usual = question.example;
        ask(usual).unwrap_or_else(|wrong| panic!("{} {usual}: {wrong}", question.name));
        for given in question.fields {
            let said: Vec<String> = match given.takes {
                Takes::Number { least, most, .. } => (least..=most.min(least + 200))
                    .chain([most])
                    .map(|number| format!("{}={number}", given.name))
                    .collect(),
                Takes::OneOf(words) => words.iter().map(|word| format!("{}={word}", given.name)).collect(),
                Takes::Flag => vec![given.name.to_owned()],
                Takes::Dice => {
                    ["d2", "d4+d6+d8", "20d6", "7d4+7d6+7d8+7d10+7d12+7d20"].map(str::to_owned).to_vec()
                }
            };
            let rest: Vec<&str> =
                usual.split_whitespace().filter(|word| !is_of(word, given.name, given.takes)).collect();
            for word in said {
                if let Err(why) = ask(&format!("{} {word}", rest.join(" "))) {
                    assert!(!why.is_empty(), "{} {word} is refused without a reason", question.name);
                }
            }
        }
    }
}

/// Whether a word of an example says this field.
fn is_of(word: &str, name: &str, takes: Takes) -> bool {
    word.split('=').next() == Some(name)
        || (takes == Takes::Dice && !word.contains('=') && word.contains('d'))
}

fn adds_up(odds: &Odds) -> bool {
    odds.throws > 0
        && odds.rows.iter().map(|row| row.throws).sum::<u128>() == odds.throws
        && odds.besides.iter().all(|more| more.throws <= odds.throws)
}

/// Prints what conflicts at every bundled encounter come to, under its own settings and under each other value
/// of each option: of `FRACAS_POLICY` (`brisk`, `fair`, `random`, or `sound` with its work, `sound:100`),
/// `FRACAS_CONFLICTS` each. Only encounters and settings whose name has `FRACAS_ONLY`.
///
/// # Panics
/// If an encounter does not open.
pub fn policies<G: Words>(tables: &Tables) {
    let said = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let policy = said("FRACAS_POLICY", "brisk");
    let conflicts: u64 = said("FRACAS_CONFLICTS", "200").parse().expect("a number of conflicts");
    let only = said("FRACAS_ONLY", "");
    let play = match policy.split_once(':').unwrap_or((&policy, "100")) {
        ("brisk", _) => Play::Brisk,
        ("fair", _) => Play::Fair,
        ("random", _) => Play::Random,
        (_, work) => Play::Sound(work.parse().expect("a number of tries")),
    };
    let plan = Plan {
        sides: Sides { gm: play, players: play },
        seed: 1,
        conflicts: 0..conflicts,
        threads: 1,
        budget: BUDGET,
    };
    for (name, setup) in settings::<G>(tables) {
        if !name.contains(&only) {
            continue;
        }
        let Ok(table) = G::start(&setup) else {
            println!("{name}: cannot be set here");
            continue;
        };
        let mut sums = Sums::new(measures::<G>(&table), [name.clone()]);
        let began = Instant::now();
        study::<G>(&[table], &plan, |rows| {
            rows.iter().for_each(|row| sums.add(row));
            ControlFlow::Continue(())
        });
        let each = began.elapsed().as_secs_f64() * 1e3 / conflicts.max(1) as f64;
        let shown = sums.measures.iter().enumerate().map(|(at, measure)| {
            let mean = sums.mean(0, at);
            if at < ENDS || sums.is_share(at) {
                format!(
                    "{measure} {:.0} % ({:.0}-{:.0})",
                    mean.mean * 100.0,
                    mean.low * 100.0,
                    mean.high * 100.0
                )
            } else {
                format!("{measure} {:.1}", mean.mean)
            }
        });
        println!("{policy}, {name}, {each:.2} ms each: {}", shown.collect::<Vec<_>>().join(", "));
    }
}

/// Every bundled encounter, as it is and with each other value of each option.
fn settings<G: Game>(tables: &Tables) -> Vec<(String, Setup)> {
    let mut all = Vec::new();
    let bundled = |setup: &Setup| setup.encounter.name().contains("content");
    for setup in tables.setups().into_iter().filter(bundled) {
        let path = setup.encounter.name();
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".toml").to_owned();
        all.push((format!("{name} as it is"), setup.clone()));
        for (option, of) in G::rulebook().options().map(|(clause, of)| (clause.id(), of)) {
            for value in of.values.iter().filter(|value| **value != of.default) {
                let mut setup = setup.clone();
                setup.encounter.set(&["options", option], &(*value).into());
                all.push((format!("{name} {option}={value}"), setup));
            }
        }
    }
    all
}
