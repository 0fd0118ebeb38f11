//! Counting every path.

use fracas_kernel::{Game, NoSink, Open, Rolled, Slot, classes};

/// One step from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Branch<A, F> {
    /// A listed answer to the first ask.
    Answer(A),
    /// Faces, as the game reads them.
    Faces(Vec<u8>),
    /// A class of the fold.
    Class(F),
}

/// One step in a game.
pub type BranchOf<G> = Branch<<G as Game>::Answer, <G as Game>::Fold>;

/// How many paths of `depth` steps lead on from here.
///
/// A step is a listed answer to the first open ask, or one class of a roll, counted once
/// whatever its weight. Shorter paths are not counted. The number changes with any change
/// of the listed answers, of the checks, or of their effects.
pub fn perft<G: Game>(rules: &G::Rules, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut paths = 0;
    match G::open(rules, state) {
        Open::Over => {}
        Open::Asks(_) if depth == 1 => G::legal(rules, state, Slot(0), &mut |_| paths += 1),
        _ => branches::<G>(rules, state, &mut |_, next| paths += perft::<G>(rules, next, depth - 1)),
    }
    paths
}

/// Like [`perft`], but for each first step: shows where two counts differ.
pub fn divide<G: Game>(rules: &G::Rules, state: &G::State, depth: u32) -> Vec<(BranchOf<G>, u64)> {
    let mut parts = Vec::new();
    if depth > 0 {
        branches::<G>(rules, state, &mut |branch, next| {
            parts.push((branch, perft::<G>(rules, next, depth - 1)));
        });
    }
    parts
}

/// Calls `each` with every step and the state it leads to.
fn branches<G: Game>(rules: &G::Rules, state: &G::State, each: &mut dyn FnMut(BranchOf<G>, &G::State)) {
    match G::open(rules, state) {
        Open::Over => {}
        Open::Roll(roll) => {
            classes(&roll, |rolled, _| {
                let mut next = state.clone();
                G::roll(rules, &mut next, rolled, &mut NoSink);
                let branch = match rolled {
                    Rolled::Faces(faces) => Branch::Faces(faces.to_vec()),
                    Rolled::Class(class) => Branch::Class(class),
                };
                each(branch, &next);
            });
        }
        Open::Asks(_) => {
            let mut listed = Vec::new();
            G::legal(rules, state, Slot(0), &mut |answer| listed.push(answer));
            for answer in listed {
                // A listed answer that is refused leads nowhere; the suite finds it.
                let Ok(mv) = G::check(rules, state, Slot(0), answer) else { continue };
                let mut next = state.clone();
                G::apply(rules, &mut next, mv, &mut NoSink);
                each(Branch::Answer(answer), &next);
            }
        }
    }
}
