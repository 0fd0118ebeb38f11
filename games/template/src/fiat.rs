//! What the gamemaster may overrule.

use crate::{At, Play, event::Event, table::*};
use fracas_kernel::form::{Field, Form, Pick};
use fracas_kernel::{Asking, Refused, Secret, Sink};
use serde::{Deserialize, Serialize};

/// The gamemaster's word (`gm.word`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fiat {
    /// A character stands at this pace.
    Place { who: Char, pace: u8 },
    /// A beast lies hidden at this pace.
    Lurk { beast: Beast, at: u8 },
}

/// Every kind by example.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"place":{"who":"@name","pace":3}}"#, "says where a character stands"),
    (r#"{"lurk":{"beast":"@name","at":9}}"#, "says where a beast lies hidden"),
];

/// The same as forms to fill in.
pub(crate) fn forms(at: At<'_>) -> Vec<Form> {
    let rules = at.rules;
    let people = rules.everybody().map(|who| Pick::of(&who, rules.cast[who.index()].name.clone()));
    let beasts = rules.every_beast().map(|beast| Pick::of(&beast, rules.beasts[beast.index()].name.clone()));
    let pace = |key, label, least| Field::number(key, label, least..=u32::from(rules.paces));
    vec![
        Form::new("place", "Say where a character stands")
            .with(Field::one("who", "Who", people.collect()))
            .with(pace("pace", "At pace", 0)),
        Form::new("lurk", "Hide a beast")
            .with(Field::one("beast", "Which", beasts.collect()))
            .with(pace("at", "At pace", 1)),
    ]
}

/// Does what the gamemaster says.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, fiat: Fiat) -> Result<(), Refused> {
    let (Fiat::Place { pace, .. } | Fiat::Lurk { at: pace, .. }) = fiat;
    if pace > play.rules.paces {
        return Err(Refused::form(format!("the marsh is {} paces wide", play.rules.paces)));
    }
    let before = play.state.turn(play.rules);
    match fiat {
        Fiat::Place { who, pace } => {
            play.state.walkers[who.index()].pace = pace;
            play.event(Event::Placed { who, pace });
        }
        Fiat::Lurk { beast, at } => {
            play.state.lairs[beast.index()] = Lair::Hidden(Secret::new(at));
            play.event(Event::Lurks { beast });
        }
    }
    if play.state.turn(play.rules) != before {
        play.state.run = Run::Not;
        crate::Template::settle(play);
    }
    Ok(())
}
