//! A table driven by a test, in the words that people and programs use.

use crate::table;
use fracas_kernel::{AnyTable, AskId, Seat, Shown, Viewer, Words};

/// What a test does at a table. What is refused fails the test.
pub trait Driven: AnyTable {
    /// The first ask of a seat.
    #[track_caller]
    fn asked(&self, seat: Seat) -> AskId {
        let asks = self.asks();
        let found = asks.iter().find(|ask| ask.who.seats().contains(seat));
        found.unwrap_or_else(|| panic!("{seat} is not asked: {asks:?}")).id
    }

    /// A seat's answer (JSON with names) to the first of its asks that takes it, and what happened.
    #[track_caller]
    fn says(&mut self, seat: Seat, answer: &str) -> Vec<Shown> {
        let mut asks = self.asks();
        asks.retain(|ask| ask.who.seats().contains(seat));
        let takes = asks.iter().find(|ask| self.check(seat, ask.id, answer).is_ok());
        let id = takes.map_or_else(|| self.asked(seat), |ask| ask.id);
        self.answer(seat, id, answer, true).unwrap_or_else(|refused| panic!("{answer}: {refused}")).shown
    }

    /// A fiat (JSON with names), and what happened.
    #[track_caller]
    fn overrules(&mut self, fiat: &str) -> Vec<Shown> {
        self.fiat(fiat, true).unwrap_or_else(|refused| panic!("{fiat}: {refused}")).shown
    }

    /// The dice that are due fall so, and what happened.
    #[track_caller]
    fn throws(&mut self, faces: &[u8]) -> Vec<Shown> {
        self.roll(faces, true).unwrap_or_else(|refused| panic!("{faces:?}: {refused}")).shown
    }

    /// Plays steps, one a line, and gives what came of the last.
    ///
    /// A step is `ana: ANSWER` (or any player, or `gm`), `fiat: FIAT`, or `dice: 4 6`. Behind a step may
    /// stand what somebody is told of it, as `ana> Ben dies.`, a line each; then it is just that, and
    /// with `ana>` nothing.
    #[track_caller]
    fn plays(&mut self, steps: &str) -> Vec<Shown> {
        let (mut step, mut last, mut heard) = ("", Vec::new(), Vec::new());
        for line in steps.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((who, text)) = line.split_once('>').filter(|(who, _)| !who.contains(':')) {
                heard.push((self.seat(who), text.trim()));
                continue;
            }
            just_heard(step, &last, &std::mem::take(&mut heard));
            let (who, what) = line.split_once(": ").unwrap_or_else(|| panic!("no step: {line}"));
            step = line;
            last = match who {
                "fiat" => self.overrules(what),
                "dice" => {
                    self.throws(&what.split(' ').filter_map(|face| face.parse().ok()).collect::<Vec<_>>())
                }
                _ => self.says(self.seat(who), what),
            };
        }
        just_heard(step, &last, &heard);
        last
    }

    /// The seat that goes by this name.
    #[track_caller]
    fn seat(&self, name: &str) -> Seat {
        let found = self.seats().into_iter().find(|info| info.name == name);
        found.map_or_else(|| name.parse().unwrap_or_else(|_| panic!("no seat: {name}")), |info| info.seat)
    }
}

/// Everybody who is said to hear something of a step hears just that.
#[track_caller]
fn just_heard(step: &str, shown: &[Shown], heard: &[(Seat, &str)]) {
    for &(seat, _) in heard {
        let of_seat = heard.iter().filter(|(other, text)| *other == seat && !text.is_empty());
        let expected: Vec<&str> = of_seat.map(|(_, text)| *text).collect();
        let found = told(shown, Viewer::Seat(seat));
        assert!(
            found == expected,
            "{step}\n{seat} is told:\n  {}\nexpected:\n  {}",
            found.join("\n  "),
            expected.join("\n  ")
        );
    }
}

/// Plays steps from a setup (TOML): see [`Driven::plays`].
#[track_caller]
pub fn check<G: Words>(setup: &str, steps: &str) {
    table::<G>(setup).plays(steps);
}

impl<T: AnyTable + ?Sized> Driven for T {}

/// What of this a viewer is told.
pub fn told(shown: &[Shown], who: Viewer) -> Vec<&str> {
    shown.iter().filter_map(|one| one.to(who)).map(|one| one.text.as_str()).collect()
}
