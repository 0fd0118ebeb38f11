//! The gamemaster's overruling, and standing replies.

use crate::{
    Effort,
    listed::sound,
    walk::{Here, filled, next, take, walks},
};
use fracas_kernel::{AnyTable, Seat, Session, Setup, Words};

/// Steps played on after a fiat.
const AFTER: u32 = 40;
/// One moment in so many is overruled.
const EVERY: u32 = 12;
/// Tries at each, with other names.
const TRIES: u32 = 3;

/// After every fiat that a game gives as an example, at any moment, play goes on.
///
/// Names in an example that the table does not know stand for any of its names.
/// Also: a refused fiat changes nothing, examples of fiats and of standing
/// replies are read, and a reply that stands is an answer that is allowed.
///
/// # Panics
/// Where that does not hold.
pub fn fiats<G: Words>(setups: &[Setup], effort: Effort) {
    let mut taken = vec![false; G::fiats().len()];
    walks::<G>(setups, effort, |here| {
        if here.done.is_empty() || here.chance.below(EVERY) == 0 {
            for (at, (fiat, _)) in G::fiats().iter().enumerate() {
                // Where an example names nobody, anybody will do.
                for _ in 0..if fiat.contains('@') { TRIES } else { 1 } {
                    let fiat = filled(G::names(here.session.rules()), fiat, here.chance);
                    taken[at] |= overrule(here, &fiat);
                }
            }
            standing(here);
        }
    });
    let never = taken.iter().zip(G::fiats()).filter(|(taken, _)| !**taken);
    let never: Vec<_> = never.map(|(_, (fiat, _))| *fiat).collect();
    assert!(never.is_empty(), "refused at every moment of every setup: {never:?}");
}

/// Whether the fiat was taken.
fn overrule<G: Words>(here: &mut Here<'_, G>, fiat: &str) -> bool {
    let mut copy = here.session.clone();
    let before = copy.snapshot();
    match AnyTable::fiat(&mut copy, fiat, true) {
        Err(refused) => {
            assert!(!refused.reasons.is_empty(), "refused without a reason: {fiat}");
            assert_eq!(copy.snapshot(), before, "changed by a fiat that was refused: {fiat}");
            false
        }
        Ok(_) => {
            sound::<G>(copy.open());
            go_on(&mut copy, here, fiat);
            true
        }
    }
}

fn go_on<G: Words>(copy: &mut Session<G>, here: &mut Here<'_, G>, fiat: &str) {
    let mut pool = Vec::new();
    for _ in 0..AFTER {
        let Some(step) = next(copy, here.chance, &mut pool) else { return };
        if let Err(refused) = take(copy, &step, &mut Vec::new()) {
            panic!("after the fiat {fiat} a listed answer is refused: {step:?}: {refused}");
        }
    }
}

fn standing<G: Words>(here: &Here<'_, G>) {
    let seats: Vec<Seat> = G::seats(here.session.rules()).into_iter().map(|info| info.seat).collect();
    for (reply, _) in G::standings() {
        let mut copy = here.session.clone();
        // Some are not everybody's; each is somebody's.
        let stood: Vec<_> = seats.iter().map(|&seat| AnyTable::stand(&mut copy, seat, reply, true)).collect();
        if let (Some(Err(refused)), false) = (stood.first(), stood.iter().any(Result::is_ok)) {
            panic!("{reply} is nobody's standing reply: {refused}");
        }
        if let Some((seat, id, answer)) = copy.eager()
            && let Err(refused) = copy.answer(seat, id, answer, &mut Vec::new())
        {
            panic!("{reply} stands and is refused: {answer:?}: {refused}");
        }
    }
}
