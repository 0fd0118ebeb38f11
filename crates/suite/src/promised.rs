//! Promises in the texts of answers.

use crate::Effort;
use crate::walk::{json, walks};
use fracas_kernel::{Seat, Setup, Viewer, Words};

/// Every listed answer does what its text promises the gamemaster.
///
/// Gives the number of promises that were kept: 0 if a game makes none.
///
/// # Panics
/// If a promise is not kept.
pub fn promised<G: Words>(setups: &[Setup], effort: Effort) -> u32 {
    let mut kept = 0;
    walks::<G>(setups, effort, |here| {
        let (rules, state) = (here.session.rules(), here.session.state());
        for (_, slot, _) in here.session.asks() {
            G::legal(rules, state, slot, &mut |answer| {
                let mut promise = G::promise(rules, state, slot, &answer, Viewer::Seat(Seat::Gm));
                let Some(mv) = G::check(rules, state, slot, answer).ok().filter(|_| !promise.is_empty())
                else {
                    return;
                };
                let (mut after, mut events) = (state.clone(), Vec::new());
                G::apply(rules, &mut after, mv, &mut events);
                let mut came = G::kept(rules, state, &after, &events);
                promise.sort_unstable();
                came.sort_unstable();
                assert_eq!(came, promise, "not what is promised of {}", json(G::names(rules), &answer));
                kept += 1;
            });
        }
    });
    kept
}
