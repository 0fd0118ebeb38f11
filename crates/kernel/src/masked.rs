//! The table as one viewer may know it.
//!
//! [`Game::knows`] is the one decision of what a viewer may know of whom. Everything
//! that is put into words for a viewer is worded from [`Masked`] rules and state, in
//! which whatever is hidden from that viewer is called "somebody" or "something".

use crate::{Game, Known, Names, Viewer};
use std::{borrow::Cow, collections::BTreeSet};

/// The names that stand for things hidden from one viewer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hidden(BTreeSet<(char, usize)>);

impl Hidden {
    /// The names hidden from `who` at one moment.
    pub fn from<G: Game>(rules: &G::Rules, state: &G::State, who: Viewer) -> Hidden {
        if who.is_gm() {
            return Hidden::default();
        }
        let hidden = |&name: &(char, usize)| G::knows(rules, state, name, who) == Known::Hidden;
        Hidden::of(G::names(rules).all().filter(hidden))
    }

    /// These names.
    pub fn of(names: impl IntoIterator<Item = (char, usize)>) -> Hidden {
        Hidden(names.into_iter().collect())
    }

    /// The names hidden at this moment and at an earlier moment too. A name that did not exist
    /// then was hidden then.
    #[must_use]
    pub fn since(mut self, earlier: &Hidden, names_then: &Names) -> Hidden {
        self.0.retain(|&(letter, n)| earlier.has(letter, n) || names_then.slug(letter, n).is_none());
        self
    }

    /// Whether the `n`th name of kind `letter` is hidden.
    pub fn has(&self, letter: char, n: usize) -> bool {
        self.0.contains(&(letter, n))
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a value, as the game's JSON, refers to things and all of them are hidden.
    pub fn is_all_of(&self, json: &str) -> bool {
        let mut refers = false;
        !self.is_empty()
            && Names::references(json).all(|(letter, n)| {
                refers = true;
                self.has(letter, n)
            })
            && refers
    }
}

/// Rules and state in which things hidden from a viewer have lost their names.
///
/// Only names differ: what a rule decides is the same.
pub struct Masked<'a, G: Game> {
    rules: Cow<'a, G::Rules>,
    state: Cow<'a, G::State>,
    hidden: Hidden,
}

impl<'a, G: Game> Masked<'a, G> {
    /// The table as `who` may know it now.
    pub fn new(rules: &'a G::Rules, state: &'a G::State, who: Viewer) -> Masked<'a, G> {
        Masked::of(rules, state, Hidden::from::<G>(rules, state, who))
    }

    /// The table without the names of what is hidden. Copies nothing while nothing is.
    pub fn of(rules: &'a G::Rules, state: &'a G::State, hidden: Hidden) -> Masked<'a, G> {
        let (mut rules, mut state) = (Cow::Borrowed(rules), Cow::Borrowed(state));
        if !hidden.is_empty() {
            G::mask(rules.to_mut(), state.to_mut(), &hidden);
        }
        Masked { rules, state, hidden }
    }

    /// The rules, for wording.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// The moment, for wording.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The hidden names.
    pub fn hidden(&self) -> &Hidden {
        &self.hidden
    }
}
