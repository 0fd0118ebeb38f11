//! The gamemaster overrules the engine: always possible, always logged.

use crate::dice::{Faces, Hand, Pool, Rating, TOP};
use crate::state::{Being, Conflict, Fate, MAX_STRIKES, Nature, Need, Stage, State};
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

fn must(is_so: bool, what: &'static str) -> Result<(), Refused> {
    if is_so { Ok(()) } else { Err(Refused::form(what)) }
}

fn here(state: &State, who: Char) -> Result<(), Refused> {
    must(state.knows(who), "nobody here is called that")
}

/// Somebody who has a sheet, to change it.
fn sheet(state: &mut State, who: Char) -> Result<&mut Being, Refused> {
    here(state, who)?;
    must(state.has_sheet(who), "this one has no sheet")?;
    state.being_mut(who).ok_or_else(Refused::default)
}

/// The conflict that is fought here, to change it, if it is as it must be.
fn fought(state: &mut State, is_in: impl Fn(&Conflict) -> bool) -> Result<&mut Conflict, Refused> {
    let there = state.conflict_mut().filter(|conflict| conflict.stage == Stage::Running && is_in(conflict));
    there.ok_or_else(|| Refused::form("this one is in no conflict that is being fought here"))
}

/// Dice: at least so many.
fn pool(text: &str, least: usize) -> Result<Pool, Refused> {
    let bad = || Refused::form(format!("expected dice, as \"2d6\" or \"1d4 3d6\", found {text:?}"));
    setup::pool(text).filter(|dice| dice.len() >= least).ok_or_else(bad)
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
    match fiat {
        Fiat::Option { id, value } => {
            if crate::rules::Options::AT_SETUP.contains(&id.as_str()) {
                return Err(Refused::form(format!("{id} is settled in the setup, before play")));
            }
            rules.options.set(id, value).map_err(Refused::form)?;
            sink.event(Event::RuledTable);
        }
        Fiat::Join(table) => {
            let setup = Setup::newcomer::<crate::Afraid>((rules, state), table, &rules.roster.library)?;
            let who;
            (*rules, *state, who) = setup::join(At { rules, state }, &setup)?;
            sink.event(Event::Entered(who));
            monster::meet_all(&mut Play { rules, state, sink });
        }
        _ => overrule(&mut Play { rules, state, sink }, fiat)?,
    }
    let play = &mut Play { rules, state, sink };
    fallout::settle(play);
    conflict::advance(play);
    Ok(())
}

/// The same of what changes no rules.
fn overrule(play: &mut Play<'_, impl Sink<Event>>, fiat: &Fiat) -> Result<(), Refused> {
    let event = match fiat {
        &Fiat::Stat { who, stat, dice } => {
            let being = sheet(play.state, who)?;
            must(dice <= 20, "a stat has 0 to 20 dice")?;
            being.stats[stat as usize] = dice;
            Event::Ruled(who)
        }
        &Fiat::Circumstance { who, circumstance, on } => {
            sheet(play.state, who)?;
            let which = Circumstances::one(circumstance);
            if on {
                fallout::suffer(play, who, which);
            } else {
                fallout::clear(play, who, which);
            }
            return Ok(());
        }
        &Fiat::Thing { item, ref dice } => {
            let thing = play.state.thing(item);
            let who = thing.ok_or_else(|| Refused::form("nothing here is called that"))?.owner;
            let rating = dice.as_deref().map(one_size).transpose()?;
            conflict::rate(play.state, item, rating);
            if dice.is_some() { Event::Changed { who, item } } else { Event::StruckOff { who, item } }
        }
        &Fiat::Gain { who, sort, name, ref dice } => {
            sheet(play.state, who)?;
            let rating = one_size(dice)?;
            must(play.state.has_room(who), "there is no room for more on this evening's sheets")?;
            let to = if sort == Sort::Relationship { play.state.acquaint(who, name) } else { None };
            fallout::gain(play, who, (sort, rating), to, name);
            return Ok(());
        }
        &Fiat::Unassigned { who, ref dice } => {
            sheet(play.state, who)?.unassigned = pool(dice, 0)?;
            Event::Ruled(who)
        }
        &Fiat::Hand { who, faces } => {
            let conflict = fought(play.state, |conflict| conflict.part(who).is_some())?;
            must(faces.len() <= 40, "a hand has 40 dice at most")?;
            let mut hand = Hand::NONE;
            for face in faces.iter().filter(|face| *face <= TOP) {
                let size = Size::ALL.iter().copied().find(|size| size.sides() >= face);
                hand.add(size.unwrap_or(Size::D10), face);
            }
            if let Some(part) = conflict.part_mut(who) {
                part.hand = hand;
            }
            Event::Ruled(who)
        }
        &Fiat::Bank { who, ref dice } => {
            let conflict = fought(play.state, |conflict| conflict.binds(who))?;
            let dice = pool(dice, 0)?;
            must(dice.len() <= 40, "a pool of fallout has 40 dice at most")?;
            conflict.set_banked(who, dice);
            Event::Ruled(who)
        }
        &Fiat::Fate { who, fate } => {
            here(play.state, who)?;
            // The dead may have been struck out of a conflict that waits (`death-undone`).
            let is_bound = match fate {
                Fate::Dead => play.state.is_bound(who),
                Fate::Living => play.state.conflict().is_some_and(|conflict| conflict.binds(who)),
            };
            must(!is_bound, "nobody dies or rises in a conflict: end it, or cancel it, first")?;
            if fate == Fate::Dead {
                dying::die(play, who);
                return Ok(());
            }
            dying::rise(play.state, who);
            Event::Ruled(who)
        }
        &Fiat::Need { who, ref dice } => {
            let being = sheet(play.state, who)?;
            let dice = dice.as_deref().map(|text| pool(text, 1)).transpose()?;
            being.need = dice.map(|dice| Need { dice, tried: false, met: false });
            if dice.is_some() { Event::NeedsAid(who) } else { Event::Ruled(who) }
        }
        &Fiat::Members { who, members } => {
            here(play.state, who)?;
            if !play.state.is_group(who) || members == 0 || usize::from(members) > MAX_STRIKES {
                return Err(Refused::rule(clause!("gnpc.one-hand"), "a group has 1 to 20 members"));
            }
            play.state.change(who, |being| being.nature = Nature::Group(members));
            Event::Ruled(who)
        }
        &Fiat::Present { who, there } => {
            here(play.state, who)?;
            must(!play.state.is_bound(who), "a character in a conflict stays in its scene")?;
            let stays = there && play.state.scene().is_some_and(|scene| scene.present.has(who));
            if !stays {
                scene::leave_scenes(play, CharSet::one(who));
            }
            if let (true, Some(scene)) = (there, play.state.scene_mut()) {
                scene.present = scene.present.with(who);
            }
            play.event(Event::Ruled(who));
            monster::meet_all(play);
            return Ok(());
        }
        &Fiat::Known { fact, known } => {
            must(fact.index() < play.rules.facts.len(), "the writeup has no such fact")?;
            if known {
                monster::reveal(play, fact);
                return Ok(());
            }
            play.state.known = play.state.known.without(fact);
            Event::RuledTable
        }
        &Fiat::Scene { to } => {
            let is_other = usize::from(to) < play.state.scenes.len() && to != play.state.now;
            must(is_other, "there is no other scene of this number")?;
            scene::cut(play, to);
            return Ok(());
        }
        Fiat::Cancel => {
            must(play.state.conflict().is_some(), "there is no conflict in this scene")?;
            conflict::drop_it(play);
            return Ok(());
        }
        Fiat::Option { .. } | Fiat::Join(_) => return Ok(()),
    };
    play.event(event);
    Ok(())
}
