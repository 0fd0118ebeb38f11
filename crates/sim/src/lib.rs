//! Plays any game by itself.
//!
//! - [`Chance`]: the named, portable generator; playout *i* draws from stream *i*.
//! - [`Policy`] answers for seats: [`Random`], [`Greedy`], or one for each side.
//! - [`Playouts`] plays whole conflicts, listing the answers at every step;
//!   [`Record`] keeps what was played and [`Recorded::replay`] replays it.
//! - [`survey`] plays many conflicts and counts the answers.
//! - [`study`] compares settings, conflict by conflict; [`Sums`] of parts add up.
//! - [`report`] says what an author wants to know of an encounter, as Markdown or HTML.
//! - [`outlook`] plays on from a moment, to tell how it may end.
//! - [`perft`] counts every path of a given length.
//! - [`holding`] finds the asks that play waits for.
//! - [`Bot`] is a policy for a table whose game is erased.
//!
//! Nothing here knows a rule. Work is bounded by budgets, never by trust.

#![forbid(unsafe_code)]

mod ahead;
mod bot;
mod chance;
mod holding;
mod outlook;
mod perft;
mod playout;
mod policy;
pub mod report;
mod study;
mod survey;
mod watch;

pub use bot::{Bot, BotKind};
pub use chance::Chance;
pub use holding::holding;
pub use outlook::{Going, Outlook, outlook, outlook_of};
pub use perft::{Branch, BranchOf, divide, perft};
pub use playout::{BUDGET, End, Order, Played, Playouts, digest};
pub use policy::{Brisk, Fair, Greedy, Moment, Policy, Random, Sides};
pub use report::{Report, report};
pub use study::{ANSWERS, Arm, ENDS, Mean, Plan, Play, Row, Step, Sum, Sums, WIN, measures, steps, study};
pub use survey::{Ended, Survey, survey, survey_by};
pub use watch::{Both, Did, Idle, Mix, Quiet, Record, Recorded, Watch};
