//! The machine's pauses, which reveal nothing.

use fracas_face::machine::Did;
use fracas_kernel::Seat;
use std::time::Duration;
use tokio::time::Instant;

/// The result of a step of the machine.
pub(crate) struct Step {
    pub(crate) did: Did,
    /// The public version before it and after it.
    pub(crate) seen: (u64, u64),
    /// Whether the next roll is one that everybody sees.
    pub(crate) dice_due: bool,
    /// When the first deadline passes.
    pub(crate) late: Option<Instant>,
}

/// Consecutive answers of one seat, as everybody sees them.
#[derive(Default)]
pub(crate) struct Streak {
    /// The seat that answered last.
    last: Option<Seat>,
    /// Whether the answer before was the same seat's.
    goes_on: bool,
    /// The public version at that time.
    seen: u64,
}

impl Streak {
    /// The pause after a step, at this pace.
    pub(crate) fn pause(&mut self, step: &Step, pace: Duration) -> Duration {
        let (before, after) = step.seen;
        if before == after {
            // A step that nobody is shown takes no time, or the time would reveal it.
            return Duration::ZERO;
        }
        if std::mem::replace(&mut self.seen, after) != before {
            // Another seat acted in between.
            (self.last, self.goes_on) = (None, false);
        }
        if let Did::Answered(seat) = step.did {
            self.goes_on = self.last.replace(seat) == Some(seat);
        }
        match step.did {
            // An answer and the dice it leads to are one deed.
            Did::Answered(_) if step.dice_due => Duration::ZERO,
            _ if self.goes_on => pace * 2 / 5,
            _ => pace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_seat_does_piece_by_piece_goes_on_quickly() {
        let (pace, short) = (Duration::from_millis(700), Duration::from_millis(280));
        let (ana, ben) = (Did::Answered(Seat::Player(1)), Did::Answered(Seat::Player(2)));
        let step = |did, dice_due, seen| Step { did, seen, dice_due, late: None };
        let mut streak = Streak::default();
        let mut pause = |step: &Step| streak.pause(step, pace);
        assert_eq!(pause(&step(ana, true, (0, 1))), Duration::ZERO, "dice are thrown with the answer");
        assert_eq!(pause(&step(Did::Threw, true, (1, 2))), pace, "each throw is seen");
        assert_eq!(pause(&step(Did::Threw, false, (2, 3))), pace);
        assert_eq!(pause(&step(ben, true, (3, 3))), Duration::ZERO);
        assert_eq!(pause(&step(ana, false, (3, 4))), short, "whatever nobody saw in between");
        assert_eq!(pause(&step(ana, true, (4, 5))), Duration::ZERO);
        assert_eq!(pause(&step(Did::Threw, false, (5, 6))), short);
        assert_eq!(pause(&step(ben, false, (6, 7))), pace, "somebody else is read anew");
        assert_eq!(pause(&step(ben, false, (8, 9))), pace, "as after what a person did");
        assert_eq!(pause(&step(ben, false, (9, 10))), short);
    }
}
