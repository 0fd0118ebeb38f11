//! What play waits for, and since when.

use crate::auth;
use fracas_kernel::{AskId, AskInfo, Now, Seat};
use fracas_table::{Entry, Record, Table};
use tokio::time::Instant;

/// A thing that play waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// An ask.
    Ask(AskId),
    /// The roll that is due after this line.
    Roll(u64),
}

impl Waited {
    /// The roll that is due. It stays the same roll whatever the gamemaster overrules
    /// meanwhile, since not everybody may be told of that, and whatever players answer beside
    /// dice that they do not see.
    pub fn roll(table: &Table) -> Waited {
        let is_beside = !table.game().asks().is_empty();
        let deed = |record: &&Record| match &record.entry {
            Entry::Answer(answer) => !is_beside || answer.seat() == Seat::Gm,
            entry => matches!(entry, Entry::Roll(_)),
        };
        Waited::Roll(table.log().live().rev().find(deed).map_or(0, |record| record.seq))
    }
}

/// Since when play waits for each thing.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    times: Vec<Time>,
    /// The number of rewinds at the last update.
    rewinds: u64,
}

/// Since when play waits for one thing.
#[derive(Clone, Debug)]
struct Time {
    what: Waited,
    /// The ask, unless it is a roll.
    ask: Option<AskInfo>,
    at: Instant,
    /// The same time in seconds since 1970.
    since: i64,
}

impl Time {
    fn now(what: Waited, ask: Option<AskInfo>) -> Time {
        Time { what, ask, at: Instant::now(), since: auth::now() }
    }
}

impl Clock {
    /// Keeps the times of things that play still waits for, and begins those of new ones.
    ///
    /// A rewind gives every ask another id. An ask that is open before it and after it keeps
    /// its time, since not everybody may be told of the rewind.
    pub(crate) fn read(&mut self, table: &Table) {
        let waited = match table.game().now() {
            Now::Roll(_) => Some((Waited::roll(table), None)),
            Now::Over | Now::Asks(_) => None,
        };
        let asks = table.game().asks().into_iter().map(|ask| (Waited::Ask(ask.id), Some(ask)));
        let waited = waited.into_iter().chain(asks);
        let rewound = std::mem::replace(&mut self.rewinds, table.log().rewinds()) != self.rewinds;
        let before = std::mem::take(&mut self.times);
        let time = |(what, ask): (Waited, Option<AskInfo>)| {
            let asked = |time: &&Time| rewound && same_ask(time.ask.as_ref(), ask.as_ref());
            let kept = before.iter().find(|time| time.what == what).or_else(|| before.iter().find(asked));
            match kept {
                Some(time) => Time { what, ask, ..time.clone() },
                None => Time::now(what, ask),
            }
        };
        self.times = waited.map(time).collect();
    }

    /// Begins the time of this anew.
    pub(crate) fn begin_anew(&mut self, what: Waited) {
        for time in self.times.iter_mut().filter(|time| time.what == what) {
            *time = Time::now(what, time.ask.take());
        }
    }

    /// Those of these things that play waits for, each since when.
    pub(crate) fn times_of(&self, waited: &[Waited]) -> Vec<(Waited, Instant)> {
        let times = self.times.iter().filter(|time| waited.contains(&time.what));
        times.map(|time| (time.what, time.at)).collect()
    }

    /// Since when play waits for this, in seconds since 1970.
    pub fn since(&self, what: Waited) -> Option<i64> {
        self.times.iter().find(|time| time.what == what).map(|time| time.since)
    }
}

/// Whether the same seats are asked the same, whatever the ids.
fn same_ask(before: Option<&AskInfo>, after: Option<&AskInfo>) -> bool {
    before.zip(after).is_some_and(|(before, after)| {
        (before.who, before.kind, &before.prompt) == (after.who, after.kind, &after.prompt)
    })
}
