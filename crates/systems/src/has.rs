//! What some games have and others lack. Tests of all games ask here what to skip for a game.

use crate::{Comer, Scene};
use fracas_kernel::{Document, Setup, System};

/// What a system has, by its own word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Has {
    /// Libraries from which an encounter draws characters.
    pub library: bool,
    /// Room for any number of people: for one alone, and for two of a kind.
    pub open_cast: bool,
    /// Characters that go on to another evening.
    pub next_evening: bool,
    /// Answers that a seat may give always.
    pub standing_replies: bool,
    /// Rulings that a table may set otherwise.
    pub options: bool,
    /// Clauses from elsewhere than the system's document.
    pub beyond: bool,
}

/// What a system has.
///
/// # Panics
/// If its bundled content has a fault.
pub fn has(system: &System) -> Has {
    let setups = crate::setups(system).unwrap_or_else(|faults| panic!("{faults}"));
    let first = setups.first().unwrap_or_else(|| panic!("{}: no bundled encounter", system.id));
    let game = (system.start)(first).unwrap_or_else(|faults| panic!("{faults}"));
    let rulebook = (system.rulebook)();
    Has {
        library: !named(&first.library, "character").is_empty(),
        open_cast: is_open(system, first),
        next_evening: game.carry().is_some(),
        standing_replies: !game.standings().is_empty(),
        options: rulebook.options().next().is_some(),
        beyond: rulebook.entries.iter().any(|entry| entry.beyond),
    }
}

/// Whether a scene of one character opens, and with two of some other too.
fn is_open(system: &System, bundled: &Setup) -> bool {
    let characters = named(&bundled.library, "character");
    let opens = |other: Option<(&String, usize)>| {
        let comer = |name: &String, player, count| Comer { name: name.clone(), player, count };
        let player = characters.iter().take(1).map(|name| comer(name, Some("Ana".to_owned()), 1));
        let others = other.map(|(name, count)| comer(name, None, count));
        let scene = Scene { title: "Nothing yet".to_owned(), comers: player.chain(others).collect() };
        let setup = Setup { encounter: scene.document(system), library: bundled.library.clone() };
        (system.start)(&setup).is_ok()
    };
    opens(None) && named(&bundled.library, system.others).iter().any(|other| opens(Some((other, 2))))
}

/// The names of the entries in a list of the bundled libraries.
pub(crate) fn named(library: &[Document], list: &str) -> Vec<String> {
    library.iter().flat_map(|document| document.entries(list)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So no test of all games passes because it skips every game.
    #[test]
    fn some_game_has_each() {
        let some = |what: fn(&Has) -> bool| crate::all().iter().map(has).any(|has| what(&has));
        assert!(some(|has| has.library), "a library");
        assert!(some(|has| has.open_cast), "room for any number");
        assert!(some(|has| has.next_evening), "another evening");
        assert!(some(|has| has.standing_replies), "standing replies");
        assert!(some(|has| has.options), "options");
        assert!(some(|has| has.beyond), "clauses from elsewhere");
    }
}
