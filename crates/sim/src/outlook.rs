//! How conflicts end that go on from a moment.

use crate::study::won;
use crate::{Chance, End, Order, Play, Playouts, Quiet, Sides};
use fracas_kernel::{AnyTable, Session, Words};
use serde::Serialize;
use std::ops::Range;

/// How conflicts are played on.
#[derive(Clone, PartialEq, Debug)]
pub struct Going {
    /// Who plays how.
    pub sides: Sides<Play, Play>,
    /// The seed of the generator. Conflict *i* draws from its stream *i*.
    pub seed: u64,
    /// The numbers of the conflicts.
    pub conflicts: Range<u64>,
    /// The most answers and rolls of a conflict.
    pub budget: u32,
}

impl Going {
    /// Brisk players on both sides.
    pub const fn brisk(conflicts: u64) -> Going {
        let sides = Sides { gm: Play::Brisk, players: Play::Brisk };
        Going { sides, seed: 1, conflicts: 0..conflicts, budget: 3_000 }
    }
}

/// How conflicts ended that went on from a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outlook {
    /// How many were played.
    pub conflicts: u32,
    /// How many the players won.
    pub won: u32,
    /// How many were cut off. They count by how things stood then.
    pub unended: u32,
}

impl Outlook {
    /// The share that the players won, from 0 to 1; a half of no conflicts.
    pub fn chance(self) -> f64 {
        if self.conflicts == 0 { 0.5 } else { f64::from(self.won) / f64::from(self.conflicts) }
    }

    /// The 95 % interval of the share (Wilson's).
    pub fn interval(self) -> (f64, f64) {
        let mean = crate::study::share(self.won.into(), self.conflicts.into());
        (mean.low, mean.high)
    }
}

/// Plays on from a moment. The players win a conflict at whose end some of their characters stand and nobody
/// against them; or, where both sides stand or neither does, at whose end things stand better for the players
/// ([`Game::worth`](fracas_kernel::Game::worth)) than `begun`, their worth when it all began.
pub fn outlook<G: Words>((rules, state): (&G::Rules, &G::State), begun: i32, going: &Going) -> Outlook {
    let mut playouts = Playouts::<G>::new(rules, state).order(Order::Waited).budget(going.budget);
    let mut sides = going.sides;
    let mut all = Outlook::default();
    for conflict in going.conflicts.clone() {
        let played = playouts.play(&mut sides, &mut Chance::new(going.seed, conflict), &mut Quiet);
        all.conflicts += 1;
        all.won += u32::from(won::<G>(rules, &played.state, begun));
        all.unended += u32::from(played.end != End::Over);
    }
    all
}

/// The same for a table of any game, of which `G` is; none of another's.
pub fn outlook_of<G: Words>(table: &dyn AnyTable, begun: i32, going: &Going) -> Outlook {
    let session = table.session().downcast_ref::<Session<G>>();
    session.map_or_else(Outlook::default, |session| {
        outlook::<G>((session.rules(), session.state()), begun, going)
    })
}
