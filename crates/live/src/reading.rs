//! How far each browser has read its viewer's lines.

use crate::wire::{BEAT, Wire};
use std::collections::VecDeque;
use tokio::time::Instant;

/// How far a browser has read.
///
/// Lines on a stream may be lost on their way. They count as read once the stream has stayed
/// open for a [`BEAT`] after them, or the browser has closed it. So a line may be shown
/// twice, but only to a browser that may have missed it.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Its open streams.
    open: usize,
    /// How many lines it has seen.
    seen: usize,
    /// Totals of lines that are on their way, each with the time it was sent.
    sent: VecDeque<(Instant, usize)>,
}

impl Reading {
    pub(crate) fn begin(&mut self, seen: usize) {
        if self.open == 0 {
            (self.seen, self.sent) = (seen, VecDeque::new());
        }
        self.open += 1;
    }

    pub(crate) fn show(&mut self, lines: usize) {
        self.seen = lines;
        self.sent.clear();
    }

    pub(crate) fn send(&mut self, lines: usize, now: Instant) {
        self.seen_by(now);
        if self.sent.back().map_or(self.seen, |(_, sent)| *sent) != lines {
            self.sent.push_back((now, lines));
        }
    }

    pub(crate) fn seen_by(&mut self, now: Instant) -> usize {
        while let Some((_, lines)) = self.sent.front().copied().filter(|(at, _)| *at + BEAT <= now) {
            self.seen = lines;
            self.sent.pop_front();
        }
        self.seen
    }

    pub(crate) fn end(&mut self, wire: &Wire, now: Instant) -> usize {
        self.seen_by(now);
        self.open = self.open.saturating_sub(1);
        if wire.was_hung_up() {
            self.seen = self.sent.back().map_or(self.seen, |(_, lines)| *lines);
        }
        if wire.was_hung_up() || self.open == 0 {
            self.sent.clear();
        }
        self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_may_not_have_come_is_not_seen() {
        let (hung_up, broken) = (Wire::default(), Wire::default());
        hung_up.hang_up();
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        let mut reading = Reading::default();
        reading.begin(3);
        reading.send(5, after(0));
        assert_eq!(reading.seen_by(after(29)), 3, "it may be on its way");
        assert_eq!(reading.seen_by(after(30)), 5, "or the connection would have broken");
        reading.send(7, after(31));
        assert_eq!(reading.end(&broken, after(60)), 5);
        assert_eq!(reading.seen_by(after(900)), 5, "what was lost does not come later");
        reading.begin(5);
        reading.send(8, after(901));
        assert_eq!(reading.end(&hung_up, after(902)), 8);
        // One of two tabs breaks: the other one goes on.
        reading.begin(8);
        reading.begin(8);
        reading.send(9, after(903));
        reading.end(&broken, after(904));
        assert_eq!(reading.seen_by(after(933)), 9);
        // Lines that were taken back do not count.
        reading.send(6, after(934));
        assert_eq!(reading.end(&hung_up, after(935)), 6);
    }
}
