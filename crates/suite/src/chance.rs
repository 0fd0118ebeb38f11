//! Rolls: classes, odds, and the order of dice.

use crate::{Effort, listed::sound, walk::walks};
use fracas_kernel::{
    AnyTable, Faces, Fold, NoSink, Open, Read, Roll, Rolled, Session, Setup, Viewer, Words, classes,
};
use fracas_sim::Chance;
use std::collections::BTreeMap;

/// Rolls with at most this many equally likely throws are enumerated.
const THROWS: u128 = 50_000;
/// Classes of a roll that are played at each moment.
const PLAYED: usize = 400;

/// The weights of a roll's classes add up to its number of throws. Each class occurs once and
/// can be played.
///
/// Also: the odds shown to people add up to all throws. A fold's class is among the weighed
/// classes and does not depend on the order of the dice. Dice that are read sorted lead to the
/// same moment in any order.
///
/// # Panics
/// If that does not hold.
pub fn chance<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        let Open::Roll(roll) = here.session.open() else { return };
        let (rules, state) = (here.session.rules(), here.session.state());
        let folded = matches!(roll.read, Read::Fold(_));
        let throws = roll.dice.throws();
        if folded || throws.is_some_and(|n| n <= THROWS) {
            let (mut mass, mut count) = (0, 0);
            let mut seen: BTreeMap<Result<Vec<u8>, G::Fold>, u128> = BTreeMap::new();
            let total = classes(roll, |rolled, weight| {
                assert!(weight > 0, "a class without weight: {rolled:?}");
                mass += weight;
                count += 1;
                let class = match rolled {
                    Rolled::Faces(faces) => Ok(faces.to_vec()),
                    Rolled::Class(class) => Err(class),
                };
                assert_eq!(seen.insert(class, weight), None, "weighed twice: {rolled:?}");
                if count <= PLAYED {
                    let mut next = state.clone();
                    G::roll(rules, &mut next, rolled, &mut NoSink);
                    sound::<G>(&G::open(rules, &next));
                }
            });
            assert_eq!(total, throws, "throws of {}", roll.dice);
            if total.is_some() {
                assert_eq!(Some(mass), total, "the classes of {} do not weigh what its throws do", roll.dice);
            }
            for _ in 0..8 {
                let mut faces = here.chance.throw(&roll.dice);
                roll.sort(&mut faces);
                let class = match roll.classify(&faces) {
                    Rolled::Faces(faces) => Ok(faces.to_vec()),
                    Rolled::Class(class) => Err(class),
                };
                assert!(total.is_none() || seen.contains_key(&class), "not among the classes: {class:?}");
            }
        }
        for _ in 0..8 {
            any_order(here.session, roll, here.chance);
        }
        for who in G::seats(rules).into_iter().map(|info| Viewer::Seat(info.seat)).chain([Viewer::Spectator])
        {
            odds_add_up(here.session, roll, who);
        }
    });
}

/// The odds that a viewer is shown add up to all throws.
fn odds_add_up<G: Words>(session: &Session<G>, roll: &Roll<G::Fold>, who: Viewer) {
    let Some(odds) = AnyTable::roll_odds(session, who) else { return };
    assert!(roll.seen.by(who), "{who} is told the odds of a secret roll");
    assert_eq!(Some(odds.throws), roll.dice.throws(), "odds of other dice");
    let sum: u128 = odds.rows.iter().map(|row| row.throws).sum();
    assert_eq!(sum, odds.throws, "what {who} is told does not make one: {odds:?}");
    for (at, row) in odds.rows.iter().enumerate() {
        let twice = odds.rows[..at].iter().any(|earlier| earlier.text == row.text);
        assert!(row.throws > 0 && !row.text.is_empty() && !twice, "an odd row: {odds:?}");
    }
    assert!(odds.besides.iter().all(|row| (1..=odds.throws).contains(&row.throws)), "odd odds: {odds:?}");
}

/// A roll whose dice are read sorted leads to the same state in any order.
fn any_order<G: Words>(session: &Session<G>, roll: &Roll<G::Fold>, chance: &mut Chance) {
    let faces = chance.throw(&roll.dice);
    let mut mixed = shuffled(roll, &faces, chance);
    match roll.read {
        Read::Ordered => {}
        Read::Sorted => {
            let (mut given, mut reordered) = (session.clone(), session.clone());
            let both = (given.roll(&faces, &mut NoSink), reordered.roll(&mixed, &mut NoSink));
            assert_eq!(both, (Ok(()), Ok(())), "{faces:?} or {mixed:?} cannot fall");
            assert_eq!(given.state(), reordered.state(), "{faces:?} and {mixed:?} differ");
        }
        Read::Fold(_) if G::Fold::FIRST_APART => {
            assert_eq!(roll.dice.kinds().len(), 1, "a die apart from others of another size");
            mixed.copy_from_slice(&faces);
            shuffle(&mut mixed[1..], chance);
            let class = roll.classify(&faces);
            assert_eq!(class, roll.classify(&mixed), "the order of {faces:?} and {mixed:?} matters");
        }
        Read::Fold(start) => {
            let class = roll.classify(&faces);
            assert_eq!(class, roll.classify(&mixed), "the order of {faces:?} and {mixed:?} matters");
            // A fold also ignores the order of dice of different sizes.
            let mut dice: Vec<(u8, u8)> = roll.dice.sides().zip(faces.iter().copied()).collect();
            shuffle(&mut dice, chance);
            let reordered = dice.iter().fold(start, |fold, &(sides, face)| fold.take(sides, face));
            assert_eq!(class, Rolled::Class(reordered), "the order of {dice:?} matters");
        }
    }
}

/// The faces, with dice of equal size exchanged.
fn shuffled<F>(roll: &Roll<F>, faces: &[u8], chance: &mut Chance) -> Faces {
    let mut mixed: Faces = faces.iter().copied().collect();
    let mut from = 0;
    for die in roll.dice.kinds() {
        let to = from + usize::from(die.count);
        shuffle(&mut mixed[from..to], chance);
        from = to;
    }
    mixed
}

fn shuffle<T>(items: &mut [T], chance: &mut Chance) {
    for i in (1..items.len()).rev() {
        items.swap(i, chance.place(i + 1));
    }
}
