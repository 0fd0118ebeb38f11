//! What a viewer may know.

use crate::{At, table::*};
use fracas_kernel::{Secret, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    title: String,
    paces: u8,
    turn: Option<Char>,
    run: Run,
    over: bool,
    cast: BTreeMap<String, Walker>,
    /// Where those beasts are that the viewer knows of.
    beasts: BTreeMap<String, String>,
}

/// Whether a viewer knows of a beast (`beast.comes`): the one decision on the secret.
pub(crate) fn sees(state: &State, beast: Beast, who: Viewer) -> bool {
    who.is_gm() || !matches!(state.lair(beast), Lair::Hidden(_))
}

/// Where a beast is that a viewer knows of.
pub(crate) fn place_of(lair: Lair) -> String {
    match lair {
        Lair::Hidden(at) => format!("hidden at pace {}", at.reveal()),
        Lair::InTheWay => "in the way".to_owned(),
        Lair::DrivenOff => "driven off".to_owned(),
    }
}

pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let (rules, state) = (at.rules, at.state);
    let known = rules.every_beast().filter(|&beast| sees(state, beast, who));
    View {
        title: rules.roster.title.clone(),
        paces: rules.paces,
        turn: state.turn(rules),
        run: state.run,
        over: state.turn(rules).is_none(),
        cast: rules
            .everybody()
            .map(|one| (rules.cast[one.index()].slug.clone(), state.walker(one)))
            .collect(),
        beasts: known
            .map(|beast| (rules.beasts[beast.index()].slug.clone(), place_of(state.lair(beast))))
            .collect(),
    }
}

/// Changes where beasts lie of which a viewer does not know, and what they are called.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    for beast in rules.every_beast().filter(|&beast| !sees(state, beast, who)).collect::<Vec<_>>() {
        let n = seed.rotate_left(u32::from(beast.0));
        let at = 1 + (n % u64::from(rules.paces)) as u8;
        state.lairs[beast.index()] = Lair::Hidden(Secret::new(at));
        rules.beasts[beast.index()].name = format!("Another {}", n % 90);
    }
}
