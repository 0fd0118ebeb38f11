//! How play may go on from a moment, where an evening turned, and reports on encounters.
//!
//! All of it is for the gamemaster or an author: conflicts are played with everything that is hidden.

#![forbid(unsafe_code)]

mod moment;
mod picture;
mod report;
mod turns;

pub use fracas_sim::{Going, Outlook, Report};
pub use moment::{Asked, Choice, Depth, Moment, moment};
pub use picture::{HEIGHT, WIDTH, curve, picture};
pub use report::report;
pub use turns::{By, Effort, Instead, Point, Share, Shares, Turn, Turns, turns};

use fracas_kernel::{AnyTable, AskId, Seat, Words};
use fracas_systems::Visit;

/// How conflicts end that go on from this moment of a table. `begun` is [`worth`] at the table's beginning.
pub fn outlook(table: &dyn AnyTable, begun: i32, going: &Going) -> Outlook {
    struct PlayOn<'t>(&'t dyn AnyTable, i32, &'t Going);
    impl Visit for PlayOn<'_> {
        type Out = Outlook;
        fn game<G: Words>(&mut self) -> Outlook {
            fracas_sim::outlook_of::<G>(self.0, self.1, self.2)
        }
    }
    fracas_systems::visit(table.system(), &mut PlayOn(table, begun, going)).unwrap_or_default()
}

/// How conflicts end that go on after a seat's answer to an ask; `None` if it is refused. Of a joint ask every seat
/// gives it.
pub fn after(
    table: &dyn AnyTable,
    (id, seat, answer): (AskId, Seat, &str),
    begun: i32,
    going: &Going,
) -> Option<Outlook> {
    Some(outlook(turns::answered(table, id, seat, answer)?.as_ref(), begun, going))
}

/// How well things stand for the players.
pub fn worth(table: &dyn AnyTable) -> i32 {
    table.worth(Seat::Player(0))
}
