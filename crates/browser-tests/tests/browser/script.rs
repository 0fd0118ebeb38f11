//! Whole conflicts to be played in browsers, found by playing many here.
//!
//! A table's own dice come from its seed, so a conflict that was played in this
//! process falls out the same at a server: of many that were played at random, the
//! shortest in which everybody has something to do is played by people.

use crate::worlds::{Guest, Planted, Play};
use fracas_kernel::{Now, Seat, Setup, System, Thrown, Viewer};
use fracas_table::Entry;

/// Conflicts that are tried.
const TRIES: u64 = 500;
/// The most that is done in one of them.
const MOST: usize = 400;
/// The least that is done in one that is played.
const LEAST: usize = 24;
/// What is short enough.
const SHORT: usize = 34;

/// What somebody does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// Gives this answer (JSON with names).
    Answer(String),
    /// Throws the dice that are due.
    Throw,
    /// Types in what real dice show.
    Type(Vec<u8>),
}

/// A conflict from its beginning to its end.
#[derive(Clone)]
pub(crate) struct Script {
    pub(crate) system: &'static str,
    /// The log of the table as it opens.
    pub(crate) log: String,
    pub(crate) steps: Vec<(Seat, Deed)>,
}

impl Script {
    /// The table for a server, with everybody at it.
    pub(crate) fn planted(&self, id: &str) -> Planted {
        let seats = [Seat::Gm, Seat::Player(0), Seat::Player(1)];
        let guests =
            seats.iter().enumerate().map(|(n, seat)| Guest::inside(Viewer::Seat(*seat), n)).collect();
        Planted { id: id.to_owned(), log: self.log.clone(), guests }
    }
}

/// The shortest conflict that was found from these setups.
pub(crate) fn script(system: &System, setups: &[Setup]) -> Script {
    let mut best: Option<Script> = None;
    let mut lengths = Vec::new();
    for (seed, setup) in (1..=TRIES).zip(setups.iter().cycle()) {
        let most = best.as_ref().map_or(MOST, |best| best.steps.len());
        if most <= SHORT {
            break;
        }
        let mut play = Play::open(system, setup, seed);
        let log = play.log();
        for _ in 0..most {
            if !play.step() {
                break;
            }
        }
        let steps = steps(&play);
        if play.table.game().now() == Now::Over {
            lengths.push(steps.len());
            if steps.len() >= LEAST && steps.len() < most && everybody_plays(&steps) {
                best = Some(Script { system: system.id, log, steps });
            }
        }
    }
    best.unwrap_or_else(|| {
        panic!("no conflict of {} will do; those that end take {lengths:?} steps", system.id)
    })
}

fn everybody_plays(steps: &[(Seat, Deed)]) -> bool {
    let does = |who: Seat| steps.iter().filter(|(seat, _)| *seat == who).count();
    let throws = |deed: &Deed| {
        steps.iter().filter(|(_, done)| std::mem::discriminant(done) == std::mem::discriminant(deed)).count()
    };
    [Seat::Gm, Seat::Player(0), Seat::Player(1)].into_iter().all(|seat| does(seat) >= 2)
        && throws(&Deed::Throw) >= 2
}

/// What people did, without what followed by itself.
fn steps(play: &Play) -> Vec<(Seat, Deed)> {
    let did = play.table.log().records().iter().filter_map(|record| match &record.entry {
        Entry::Answer(answer) if answer.auto.is_none() => {
            Some((answer.by, Deed::Answer(answer.answer.get().to_owned())))
        }
        Entry::Roll(roll) => {
            let thrower = if roll.whose == Seat::Chance { Seat::Gm } else { roll.whose };
            Some(match roll.thrown {
                Thrown::Typed => (thrower, Deed::Type(roll.faces.clone())),
                _ => (thrower, Deed::Throw),
            })
        }
        _ => None,
    });
    did.collect()
}
