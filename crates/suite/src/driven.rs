//! A table driven by a test, in the words that people and programs use.

use fracas_kernel::{AnyTable, AskId, Seat, Shown, Viewer};

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

    /// Steps, one a line: `ana: ANSWER` (or any player, or `gm`), `fiat: FIAT`, `dice: 4 6`. Gives what
    /// came of the last.
    #[track_caller]
    fn plays(&mut self, steps: &str) -> Vec<Shown> {
        let mut last = Vec::new();
        for step in steps.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let (who, what) = step.split_once(": ").unwrap_or_else(|| panic!("no step: {step}"));
            let seat = || self.seats().iter().find(|info| info.name == who).map(|info| info.seat);
            last = match who {
                "fiat" => self.overrules(what),
                "dice" => {
                    self.throws(&what.split(' ').filter_map(|face| face.parse().ok()).collect::<Vec<_>>())
                }
                "gm" => self.says(Seat::Gm, what),
                _ => self.says(seat().unwrap_or_else(|| panic!("nobody is called {who}")), what),
            };
        }
        last
    }
}

impl<T: AnyTable + ?Sized> Driven for T {}

/// What of this a viewer is told.
pub fn told(shown: &[Shown], who: Viewer) -> Vec<&str> {
    shown.iter().filter_map(|one| one.to(who)).map(|one| one.text.as_str()).collect()
}
