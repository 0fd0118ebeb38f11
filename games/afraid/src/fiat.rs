//! The gamemaster overrules the engine: always possible, always logged.

use crate::dice::{Faces, Hand, Rating, TOP};
use crate::state::{Conflict, Fate, MAX_STRIKES, Nature, Need, Stage, State};
use crate::{
    At, Play, conflict, dying, event::Event, fallout, monster, rules::Rules, scene, setup, vocab::*,
};
use fracas_kernel::{Refused, Setup, Sink};
use serde::{Deserialize, Serialize};

/// What the gamemaster may overrule.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fiat {
    /// Sets how many d6s a stat has, 0 to 20.
    Stat { who: Char, stat: Stat, dice: u8 },
    /// Has a circumstance become true or false.
    Circumstance {
        who: Char,
        circumstance: Circumstance,
        /// True, or false.
        on: bool,
    },
    /// Sets the dice of something on a sheet, or strikes it off.
    Thing {
        item: Item,
        /// Its dice, as `2d6`; absent, it is struck off.
        #[serde(default)]
        dice: Option<String>,
    },
    /// Puts something new on a sheet.
    Gain {
        who: Char,
        sort: Sort,
        name: fracas_kernel::Label,
        /// Its dice, as `2d6`.
        dice: String,
    },
    /// Sets relationship dice that are assigned to nobody.
    Unassigned {
        who: Char,
        /// As `1d8 3d6`.
        dice: String,
    },
    /// Sets the dice somebody has in a conflict.
    Hand {
        who: Char,
        /// What they show.
        faces: Faces,
    },
    /// Sets the fallout dice somebody has banked.
    Bank {
        who: Char,
        /// As `3d8`.
        dice: String,
    },
    /// Sets whether somebody lives.
    Fate {
        who: Char,
        /// Living, or dead.
        fate: Fate,
    },
    /// Has somebody require first aid, or no longer.
    Need {
        who: Char,
        /// The injury's dice, as `4d8`; absent, nothing is needed any more.
        #[serde(default)]
        dice: Option<String>,
    },
    /// Sets how many members a group has.
    Members {
        who: Char,
        /// 1 to 20.
        members: u8,
    },
    /// Brings somebody into this scene, or sends them out of it.
    Present { who: Char, there: bool },
    /// Goes on to another scene. A conflict here waits.
    Scene {
        /// Which, by its number from 0.
        to: u8,
    },
    /// Has the players know a fact, or forget it.
    Known { fact: Fact, known: bool },
    /// Sets an option of the table.
    Option {
        id: String,
        /// Its word.
        value: String,
    },
    /// Drops the conflict in this scene: nobody has won.
    Cancel,
    /// Brings somebody in, as an `[[npc]]` table says, or with `player` a player's
    /// character, as a `[[character]]` table does; a player not yet at the table gets
    /// a seat.
    Join(serde_json::Value),
}

/// Examples of each, for faces.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"stat":{"who":"@name","stat":"body","dice":3}}"#, "sets how many d6s a stat has, 0 to 20"),
    (
        r#"{"circumstance":{"who":"@name","circumstance":"lost","on":true}}"#,
        "has a circumstance become true or false",
    ),
    (
        r#"{"thing":{"item":"@thing","dice":"2d8"}}"#,
        "sets the dice of something on a sheet; without `dice` strikes it off",
    ),
    (
        r#"{"gain":{"who":"@name","sort":"trait","name":"Quick","dice":"1d6"}}"#,
        "puts something new on a sheet: trait, bond, relationship, belonging",
    ),
    (r#"{"unassigned":{"who":"@name","dice":"1d8 2d6"}}"#, "sets unassigned relationship dice"),
    (r#"{"hand":{"who":"@name","faces":[6,5,2]}}"#, "sets the dice somebody has in a conflict"),
    (r#"{"bank":{"who":"@name","dice":"3d8"}}"#, "sets the fallout dice somebody has banked"),
    (r#"{"fate":{"who":"@name","fate":"dead"}}"#, "living, or dead"),
    (r#"{"need":{"who":"@name","dice":"4d8"}}"#, "somebody requires first aid; without `dice` no longer"),
    (r#"{"members":{"who":"@name","members":3}}"#, "sets how many members a group has"),
    (r#"{"present":{"who":"@name","there":true}}"#, "brings somebody into this scene, or sends them out"),
    (r#"{"scene":{"to":1}}"#, "goes on to another scene, by its number from 0; a conflict here waits"),
    (r#"{"known":{"fact":"@fact-1","known":true}}"#, "the players know a fact, or forget it"),
    (r#"{"option":{"id":"fallout-sum","value":"total"}}"#, "changes a setting of the table"),
    (r#""cancel""#, "drops the conflict in this scene; nobody has won"),
    (
        r#"{"join":{"name":"Passer-by","stats":{"acuity":2,"body":3,"heart":2,"will":2}}}"#,
        "brings somebody in, as an [[npc]] table would",
    ),
];

fn bad_dice(text: &str) -> Refused {
    Refused::form(format!("expected dice, as \"2d6\" or \"1d4 3d6\", found {text:?}"))
}

fn one_size(text: &str) -> Result<Rating, Refused> {
    setup::pool(text)
        .and_then(setup::rating)
        .ok_or_else(|| Refused::form(format!("expected dice of one size, as \"2d6\", found {text:?}")))
}

/// Carries a fiat out, or says what in it cannot be.
pub(crate) fn apply(
    rules: &mut Rules,
    state: &mut State,
    fiat: &Fiat,
    sink: &mut impl Sink<Event>,
) -> Result<(), Refused> {
    let here = |state: &State, who: Char| {
        if state.knows(who) { Ok(()) } else { Err(Refused::form("nobody here is called that")) }
    };
    let sheet = |state: &State, who: Char| {
        here(state, who)?;
        if state.has_sheet(who) { Ok(()) } else { Err(Refused::form("this one has no sheet")) }
    };
    let in_conflict = |state: &State, is_in: &dyn Fn(&Conflict) -> bool| {
        let there = state.conflict().filter(|conflict| conflict.stage == Stage::Running);
        match there.is_some_and(is_in) {
            true => Ok(()),
            false => Err(Refused::form("this one is in no conflict that is being fought here")),
        }
    };
    match fiat {
        Fiat::Stat { who, stat, dice } => {
            sheet(state, *who)?;
            if *dice > 20 {
                return Err(Refused::form("a stat has 0 to 20 dice"));
            }
            if let Some(being) = state.being_mut(*who) {
                being.stats[*stat as usize] = *dice;
            }
            sink.event(Event::Ruled(*who));
        }
        Fiat::Circumstance { who, circumstance, on } => {
            sheet(state, *who)?;
            let which = Circumstances::one(*circumstance);
            if *on {
                fallout::suffer(&mut Play { rules, state, sink }, *who, which);
            } else {
                fallout::clear(&mut Play { rules, state, sink }, *who, which);
            }
        }
        Fiat::Thing { item, dice } => {
            let Some(thing) = state.thing(*item) else {
                return Err(Refused::form("nothing here is called that"));
            };
            let owner = thing.owner;
            let rating = dice.as_deref().map(one_size).transpose()?;
            conflict::rate(state, *item, rating);
            let (who, item) = (owner, *item);
            sink.event(if dice.is_some() {
                Event::Changed { who, item }
            } else {
                Event::StruckOff { who, item }
            });
        }
        Fiat::Gain { who, sort, name, dice } => {
            sheet(state, *who)?;
            let rating = one_size(dice)?;
            if !state.has_room(*who) {
                return Err(Refused::form("there is no room for more on this evening's sheets"));
            }
            let to = if *sort == Sort::Relationship { state.acquaint(*who, *name) } else { None };
            fallout::gain(&mut Play { rules, state, sink }, *who, (*sort, rating), to, *name);
        }
        Fiat::Unassigned { who, dice } => {
            sheet(state, *who)?;
            let dice = setup::pool(dice).ok_or_else(|| bad_dice(dice))?;
            if let Some(being) = state.being_mut(*who) {
                being.unassigned = dice;
            }
            sink.event(Event::Ruled(*who));
        }
        Fiat::Hand { who, faces } => {
            in_conflict(state, &|conflict| conflict.part(*who).is_some())?;
            if faces.len() > 40 {
                return Err(Refused::form("a hand has 40 dice at most"));
            }
            let mut hand = Hand::NONE;
            for face in faces.iter().filter(|face| *face <= TOP) {
                let size = Size::ALL.iter().copied().find(|size| size.sides() >= face);
                hand.add(size.unwrap_or(Size::D10), face);
            }
            if let Some(part) = state.conflict_mut().and_then(|conflict| conflict.part_mut(*who)) {
                part.hand = hand;
            }
            sink.event(Event::Ruled(*who));
        }
        Fiat::Bank { who, dice } => {
            in_conflict(state, &|conflict| conflict.binds(*who))?;
            let dice = setup::pool(dice).ok_or_else(|| bad_dice(dice))?;
            if dice.len() > 40 {
                return Err(Refused::form("a pool of fallout has 40 dice at most"));
            }
            if let Some(conflict) = state.conflict_mut() {
                conflict.set_banked(*who, dice);
            }
            sink.event(Event::Ruled(*who));
        }
        Fiat::Fate { who, fate } => {
            here(state, *who)?;
            // The dead may have been struck out of a conflict that waits (`death-undone`).
            let is_bound = match fate {
                Fate::Dead => state.is_bound(*who),
                Fate::Living => state.conflict().is_some_and(|conflict| conflict.binds(*who)),
            };
            if is_bound {
                return Err(Refused::form("nobody dies or rises in a conflict: end it, or cancel it, first"));
            }
            match fate {
                Fate::Dead => dying::die(&mut Play { rules, state, sink }, *who),
                Fate::Living => {
                    dying::rise(state, *who);
                    sink.event(Event::Ruled(*who));
                }
            }
        }
        Fiat::Need { who, dice } => {
            sheet(state, *who)?;
            let read = |text| setup::pool(text).filter(|dice| !dice.is_empty()).ok_or_else(|| bad_dice(text));
            let dice = dice.as_deref().map(read).transpose()?;
            if let Some(being) = state.being_mut(*who) {
                being.need = dice.map(|dice| Need { dice, tried: false, met: false });
            }
            sink.event(if dice.is_some() { Event::NeedsAid(*who) } else { Event::Ruled(*who) });
        }
        Fiat::Members { who, members } => {
            here(state, *who)?;
            if !state.is_group(*who) || *members == 0 || usize::from(*members) > MAX_STRIKES {
                return Err(Refused::rule(clause!("gnpc.one-hand"), "a group has 1 to 20 members"));
            }
            if let Some(being) = state.being_mut(*who) {
                being.nature = Nature::Group(*members);
            }
            sink.event(Event::Ruled(*who));
        }
        Fiat::Present { who, there } => {
            here(state, *who)?;
            if state.is_bound(*who) {
                return Err(Refused::form("a character in a conflict stays in its scene"));
            }
            let stays = *there && state.scene().is_some_and(|scene| scene.present.has(*who));
            if !stays {
                scene::leave_scenes(&mut Play { rules, state, sink }, CharSet::one(*who));
            }
            if let (true, Some(scene)) = (*there, state.scene_mut()) {
                scene.present = scene.present.with(*who);
            }
            sink.event(Event::Ruled(*who));
            monster::meet_all(&mut Play { rules, state, sink });
        }
        Fiat::Known { fact, known } => {
            if fact.index() >= rules.facts.len() {
                return Err(Refused::form("the writeup has no such fact"));
            }
            if *known {
                monster::reveal(&mut Play { rules, state, sink }, *fact);
            } else {
                state.known = state.known.without(*fact);
                sink.event(Event::RuledTable);
            }
        }
        Fiat::Option { id, value } => {
            if crate::rules::Options::AT_SETUP.contains(&id.as_str()) {
                return Err(Refused::form(format!("{id} is settled in the setup, before play")));
            }
            rules.options.set(id, value).map_err(Refused::form)?;
            sink.event(Event::RuledTable);
        }
        Fiat::Scene { to } => {
            if usize::from(*to) >= state.scenes.len() || *to == state.now {
                return Err(Refused::form("there is no other scene of this number"));
            }
            scene::cut(&mut Play { rules, state, sink }, *to);
        }
        Fiat::Cancel => {
            if state.conflict().is_none() {
                return Err(Refused::form("there is no conflict in this scene"));
            }
            conflict::drop_it(&mut Play { rules, state, sink });
        }
        Fiat::Join(table) => {
            let setup = Setup::newcomer::<crate::Afraid>((rules, state), table, &rules.roster.library)?;
            let (new_rules, new_state, who) = setup::join(At { rules, state }, &setup)?;
            *rules = new_rules;
            *state = new_state;
            sink.event(Event::Entered(who));
            monster::meet_all(&mut Play { rules, state, sink });
        }
    }
    fallout::settle(&mut Play { rules, state, sink });
    conflict::advance(&mut Play { rules, state, sink });
    Ok(())
}
