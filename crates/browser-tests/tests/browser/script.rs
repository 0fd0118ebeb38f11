//! Whole conflicts to be played in browsers, found by playing many here.
//!
//! A table's own dice come from its seed, so a conflict that was played in this
//! process falls out the same at a server: of many that were played at random, the
//! first short one in which everybody has something to do is played by people.

use crate::worlds::{Guest, Planted, Play};
use fracas_kernel::{Now, Seat, Setup, System, Thrown, Viewer};
use fracas_table::Entry;

/// Conflicts that are tried for each length.
const TRIES: u64 = 500;
/// The least that is done in one that is played.
const LEAST: usize = 24;
/// The most: what is short enough, and what will do if nothing is.
const MOST: [usize; 3] = [34, 80, 400];

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

/// A short conflict from one of these setups.
pub(crate) fn script(system: &System, setups: &[Setup]) -> Script {
    let tries = MOST.into_iter().flat_map(|most| (1..=TRIES).map(move |seed| (most, seed)));
    let mut found = tries.zip(setups.iter().cycle()).filter_map(|((most, seed), setup)| {
        let mut play = Play::open(system, setup, seed);
        let log = play.log();
        (0..most).all(|_| play.step());
        let steps = steps(&play);
        let will_do = play.table.game().now() == Now::Over && steps.len() >= LEAST && everybody_plays(&steps);
        will_do.then_some(Script { system: system.id, log, steps })
    });
    found.next().unwrap_or_else(|| panic!("no conflict of {} will do", system.id))
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
