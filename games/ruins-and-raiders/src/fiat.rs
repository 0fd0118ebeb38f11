//! The Adversary overrules the engine: always possible, always logged.

use crate::rules::Rules;
use crate::state::{Frame, Lie, Phase, State};
use crate::{At, Play, RuinsAndRaiders, act, answer::Answer, event::Event, round, scene, setup, vocab::*};
use fracas_kernel::{Refused, Seat, Setup, Sink, Space, Viewer};
use serde::{Deserialize, Serialize};

/// What the Adversary may overrule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fiat {
    /// Sets somebody's wounds.
    Wounds { who: Char, wounds: u16 },
    /// Sets somebody's shocks.
    Shocks { who: Char, shocks: u16 },
    /// Sets somebody's Fortune.
    Fortune { who: Char, fortune: u16 },
    /// Sets somebody's experience points.
    Experience { who: Char, experience: u32 },
    /// Sets a trait or a skill.
    Level { who: Char, what: Trait, level: u8 },
    /// Puts somebody in a space, with who rides on them or carries them.
    Place { who: Char, at: Space },
    /// Sets whether somebody is prone.
    Prone { who: Char, prone: bool },
    /// Sets whether somebody is asleep.
    Asleep { who: Char, asleep: bool },
    /// Sets whether somebody is aware of those against them.
    Aware { who: Char, aware: bool },
    /// Sets whether players have not noticed one of the Adversary's.
    Unseen { who: Char, unseen: bool },
    /// Takes somebody out of the scene, or brings them back.
    Away { who: Char, away: bool },
    /// Sets whether players know the numbers of one of the Adversary's.
    Revealed { who: Char, revealed: bool },
    /// Takes somebody out of the fight, or lets them in again.
    Out { who: Char, out: bool },
    /// Sets the actions that are left this round.
    Actions { who: Char, actions: u8 },
    /// Sets what this round changes of somebody's initiative.
    Shift { who: Char, by: i8 },
    /// An unexpected trick adds so much to the next attack on somebody (`stealth.trick`).
    Trick { who: Char, on: Char, by: i8 },
    /// Sets what changes a number until the next round begins.
    Change { who: Char, value: Value, by: i8 },
    /// Puts somebody on a mount, or on foot where none is named.
    Ride {
        who: Char,
        #[serde(default)]
        mount: Option<Char>,
    },
    /// Gives a weapon to somebody.
    Weapon { weapon: Weapon, holder: Char, lie: Keep },
    /// Sets an option of the table.
    Option { id: String, value: String },
    /// Drops what is under way: nothing comes of it.
    Cancel,
    /// Brings somebody in, as an `[[npc]]` table says, or with `player` a player's
    /// character, as a `[[character]]` table does; a player not yet at the table
    /// gets a seat.
    Join(serde_json::Value),
    /// Somebody has had no hard day, and may recover.
    Rested { who: Char },
    /// Calls for a check against any level while nothing else is under way (`challenge.assign`).
    Check {
        who: Char,
        with: Trait,
        level: u8,
        #[serde(default)]
        tools: i8,
    },
    /// The same to notice something, or somebody whom players have not noticed (`perception.use.faint`).
    Notice {
        who: Char,
        sense: Sense,
        level: u8,
        #[serde(default)]
        harder: u8,
        #[serde(default)]
        of: Option<Char>,
        #[serde(default)]
        secret: bool,
    },
    /// A conflict begins: who acts first, and who is taken wholly by surprise (`zero.begin`).
    Battle {
        #[serde(default)]
        first: CharSet,
        #[serde(default)]
        surprised: CharSet,
    },
}

fracas_kernel::words!(
    /// How somebody has a weapon.
    Keep {
        Hand = "hand",
        Carried = "carried",
        /// It lies where its last holder stands.
        Dropped = "dropped",
        Gone = "gone",
    }
);

/// Examples of each, for faces.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"wounds":{"who":"@name","wounds":4}}"#, "sets somebody's wounds"),
    (r#"{"shocks":{"who":"@name","shocks":2}}"#, "sets somebody's shocks"),
    (r#"{"fortune":{"who":"@name","fortune":5}}"#, "sets somebody's Fortune"),
    (r#"{"experience":{"who":"@name","experience":300}}"#, "sets somebody's experience points"),
    (r#"{"level":{"who":"@name","what":"@brawn","level":5}}"#, "sets a trait or a skill, 0 to 60"),
    (r#"{"place":{"who":"@name","at":"A1"}}"#, "puts somebody in a space"),
    (r#"{"prone":{"who":"@name","prone":true}}"#, "whether somebody is prone"),
    (r#"{"asleep":{"who":"@name","asleep":true}}"#, "whether somebody is asleep"),
    (r#"{"aware":{"who":"@name","aware":false}}"#, "whether somebody is aware of those against them"),
    (r#"{"unseen":{"who":"@name","unseen":false}}"#, "whether players have not noticed one of yours"),
    (r#"{"away":{"who":"@name","away":true}}"#, "takes somebody out of the scene, or brings them back"),
    (r#"{"revealed":{"who":"@name","revealed":true}}"#, "whether players know the numbers of one of yours"),
    (r#"{"out":{"who":"@name","out":true}}"#, "takes somebody out of the fight, or lets them in again"),
    (r#"{"actions":{"who":"@name","actions":1}}"#, "sets the actions left this round, 0 to 2"),
    (r#"{"shift":{"who":"@name","by":-2}}"#, "sets what this round changes of somebody's initiative"),
    (
        r#"{"trick":{"who":"@name","on":"@other","by":3}}"#,
        "says that a trick helps the next attack on somebody",
    ),
    (
        r#"{"change":{"who":"@name","value":"dodge","by":2}}"#,
        "sets what changes a number until the next round begins",
    ),
    (r#"{"ride":{"who":"@name"}}"#, "puts somebody on foot; with `mount` on a mount"),
    (r#"{"weapon":{"weapon":"@thing","holder":"@name","lie":"carried"}}"#, "hand, carried, dropped or gone"),
    (r#"{"option":{"id":"visibility","value":"open"}}"#, "changes a setting of the table"),
    (r#""cancel""#, "drops what is under way, and nothing comes of it"),
    (
        r#"{"join":{"name":"Late Guard","traits":{"warrior":4}}}"#,
        "brings somebody in, as an [[npc]] table would",
    ),
    (
        r#"{"join":{"player":"Cy","name":"Latecomer","traits":{"athlete":3}}}"#,
        "a player's character, as a [[character]] table would; a new player gets a seat",
    ),
    (r#"{"rested":{"who":"@name"}}"#, "somebody has had no hard day, and may recover"),
    (r#"{"check":{"who":"@name","with":"@athlete","level":12}}"#, "calls for a check against any level"),
    (
        r#"{"notice":{"who":"@name","sense":"sight","level":9,"harder":3}}"#,
        "calls for a check to notice something; with `of` somebody, with `secret` by your dice",
    ),
    (
        r#"{"battle":{"first":["@name"],"surprised":["@other"]}}"#,
        "a conflict begins: who acts first, and who is surprised",
    ),
];

fn no<T>(
    clause: fracas_kernel::Clause,
    what: impl Into<std::borrow::Cow<'static, str>>,
) -> Result<T, Refused> {
    Err(Refused::rule(clause, what))
}

fn here(rules: &Rules, who: Char) -> Result<Char, Refused> {
    if who.index() < rules.cast.len() { Ok(who) } else { Err(Refused::form("nobody here is called that")) }
}

/// One of the Adversary's.
fn theirs(rules: &Rules, who: Char) -> Result<Char, Refused> {
    if rules.seat(here(rules, who)?) == Seat::Gm {
        return Ok(who);
    }
    no(clause!("info.adversary"), "players know their own characters: expected one of the Adversary's")
}

/// Somebody who takes part in the battle.
fn fights(rules: &Rules, state: &State, who: Char) -> Result<Char, Refused> {
    if state.phase == Phase::Battle && state.fighting(here(rules, who)?).turn != Turn::Out {
        return Ok(who);
    }
    no(clause!("action.two"), "that counts in a battle alone: expected somebody who takes part in one")
}

/// Carries a fiat out, or says what in it cannot be.
pub(crate) fn apply(
    rules: &mut Rules,
    state: &mut State,
    fiat: &Fiat,
    sink: &mut impl Sink<Event>,
) -> Result<(), Refused> {
    let before = state.clone();
    let had = match *fiat {
        Fiat::Weapon { weapon, .. } if weapon.index() < state.arms.len() => Some(state.place(weapon).holder),
        _ => None,
    };
    let ruled = match fiat {
        Fiat::Option { id, value } => {
            let setting = option(rules, id, value)?;
            if setting.was != setting.is {
                sink.event(Event::Setting { setting });
            }
            return Ok(());
        }
        Fiat::Cancel => {
            // Of what nobody saw under way nobody hears that it was dropped.
            let at = At { rules, state };
            let seen = |frame: &Frame| crate::words::under_way(at, frame, Viewer::Spectator).is_some();
            let hidden = state.frames.iter().rev().find_map(|frame| match frame {
                Frame::Check(check) => Some(check.who),
                Frame::Walk(walk) => Some(walk.who),
                _ => None,
            });
            let who = if state.frames.iter().any(seen) { None } else { hidden };
            cancel(state);
            if let Some(who) = who.filter(|_| *state != before) {
                sink.event(Event::Dropped { who });
                return Ok(());
            }
            None
        }
        Fiat::Join(table) => {
            let setup = Setup::newcomer::<RuinsAndRaiders>((rules, state), table, &rules.roster.library)?;
            let (new_rules, new_state, who) = setup::join(At { rules, state }, &setup)?;
            (*rules, *state) = (new_rules, new_state);
            sink.event(Event::Joined(who));
            round::arrive(&mut Play { rules, state, sink }, who);
            return Ok(());
        }
        Fiat::Check { .. } | Fiat::Notice { .. } | Fiat::Battle { .. } => {
            let answer = called_for(rules, state, fiat)?;
            scene::apply(&mut Play { rules, state, sink }, answer);
            return Ok(());
        }
        Fiat::Weapon { weapon, holder, lie } => Some(weapon_to(rules, state, *weapon, *holder, *lie)?),
        Fiat::Actions { .. } | Fiat::Shift { .. } | Fiat::Trick { .. } | Fiat::Change { .. } => {
            Some(in_battle(rules, state, fiat)?)
        }
        Fiat::Level { .. } | Fiat::Place { .. } | Fiat::Ride { .. } => {
            Some(where_and_what(rules, state, fiat)?)
        }
        _ => Some(how_somebody_is(rules, state, fiat)?),
    };
    // Of what is so already there is nothing to tell.
    if *state != before {
        // Players hear of a weapon where they knew it, or see it now.
        let ruled = match had {
            Some(had) if !state.is_noticed(ruled.unwrap_or(had)) => Some(had),
            _ => ruled,
        };
        sink.event(match (fiat, ruled) {
            (Fiat::Rested { who }, _) => Event::HadRest { who: *who },
            (_, Some(who)) => Event::Ruled { who },
            (_, None) => Event::RuledTable,
        });
    }
    // Who comes into sight is told of with all that they carry.
    if let Fiat::Away { who, .. } | Fiat::Unseen { who, .. } = *fiat
        && state.is_noticed(who)
        && !before.is_noticed(who)
    {
        sink.event(Event::Noticed { of: who });
    }
    if let Fiat::Shift { who, .. } = *fiat {
        round::put_off(&mut Play { rules, state, sink }, who);
    }
    if let Fiat::Away { who, away: false } = *fiat {
        round::arrive(&mut Play { rules, state, sink }, who);
    }
    Ok(())
}

/// What the Adversary calls for, as an answer to what happens.
fn called_for(rules: &Rules, state: &State, fiat: &Fiat) -> Result<Answer, Refused> {
    let answer = match *fiat {
        Fiat::Check { who, with, level, tools } => {
            here(rules, who)?;
            if with.index() >= rules.traits.len() {
                return Err(Refused::form("no trait or skill is called that"));
            }
            Answer::Check { who, with, level, tools, against: None }
        }
        Fiat::Notice { who, sense, level, harder, of, secret } => {
            here(rules, who)?;
            of.map_or(Ok(who), |of| here(rules, of))?;
            Answer::Notice { who, sense, level, of, harder, distracted: 0, distance: 0, secret }
        }
        Fiat::Battle { first, surprised } => {
            for who in first.or(surprised).iter() {
                here(rules, who)?;
            }
            Answer::Battle { first, surprised }
        }
        _ => return Err(Refused::form("that is about nobody")),
    };
    if state.over || !state.frames.is_empty() {
        return no(clause!("challenge.assign"), "something else is under way: let it come to its end first");
    }
    if matches!(answer, Answer::Battle { .. }) && state.phase != Phase::Scene {
        return no(clause!("zero.begin"), "a conflict or a chase goes on: let it end first");
    }
    let mut refused = Refused::default();
    scene::object(At { rules, state }, answer, &mut refused);
    if refused.reasons.is_empty() { Ok(answer) } else { Err(refused) }
}

/// Numbers and states of somebody.
fn how_somebody_is(rules: &Rules, state: &mut State, fiat: &Fiat) -> Result<Char, Refused> {
    let harm = |n: u16, of: &str| match n {
        0..=MAX_WOUNDS => Ok(n),
        _ => no(clause!("ext.health"), format!("{of} are counted from 0 to {MAX_WOUNDS}")),
    };
    let who = match *fiat {
        Fiat::Unseen { who, .. } | Fiat::Revealed { who, .. } => theirs(rules, who)?,
        Fiat::Wounds { who, .. }
        | Fiat::Shocks { who, .. }
        | Fiat::Fortune { who, .. }
        | Fiat::Experience { who, .. }
        | Fiat::Prone { who, .. }
        | Fiat::Asleep { who, .. }
        | Fiat::Aware { who, .. }
        | Fiat::Out { who, .. }
        | Fiat::Rested { who }
        | Fiat::Away { who, .. } => here(rules, who)?,
        _ => return Err(Refused::form("that is about nobody")),
    };
    let runs = state.phase == Phase::Chase && state.fleeing.or(state.after).has(who);
    let rides = state.being(who).riding.is_some() || state.rider(who).is_some();
    let busy = runs || state.frames.iter().any(|frame| concerns(frame, who));
    let being = state.being_mut(who);
    match *fiat {
        Fiat::Wounds { wounds, .. } => being.wounds = harm(wounds, "wounds")?,
        Fiat::Shocks { shocks, .. } => being.shocks = harm(shocks, "shocks")?,
        Fiat::Fortune { fortune, .. } if fortune > MAX_FORTUNE => {
            return no(clause!("fortune.points"), format!("Fortune is counted from 0 to {MAX_FORTUNE}"));
        }
        Fiat::Fortune { fortune, .. } => being.fortune = fortune,
        Fiat::Experience { experience, .. } if experience > 1_000_000_000 => {
            return no(clause!("trait.raise"), "experience is counted from 0 to 1,000,000,000".to_owned());
        }
        Fiat::Experience { experience, .. } => being.experience = experience,
        Fiat::Prone { prone: true, .. } if being.riding.is_some() => {
            return no(clause!("prone.fall"), "nobody is prone on a mount: put them on foot first");
        }
        Fiat::Prone { prone, .. } => being.prone = prone,
        Fiat::Asleep { asleep, .. } => being.asleep = asleep,
        Fiat::Aware { aware, .. } => being.unaware = !aware,
        Fiat::Unseen { .. } if rides => {
            return no(
                clause!("mount.movement"),
                "a mount and its rider are seen together: let them part first",
            );
        }
        Fiat::Unseen { unseen: true, .. } if busy => {
            return no(
                clause!("unseen-turn"),
                "what it does, or what is done to it, is under way: cancel that first",
            );
        }
        Fiat::Unseen { unseen, .. } => being.unseen = unseen,
        Fiat::Revealed { revealed, .. } => being.revealed = revealed,
        Fiat::Out { out, .. } => being.out = out,
        Fiat::Away { away, .. } => {
            being.away = away;
            if away {
                leaves(rules, state, who);
            }
        }
        // Rested.
        _ => being.weary = false,
    }
    Ok(who)
}

/// Whether something under way is somebody's, or done to them.
fn concerns(frame: &Frame, who: Char) -> bool {
    match frame {
        Frame::Walk(walk) => walk.who == who,
        Frame::Attack(attack) => attack.by == who || attack.on == who,
        Frame::Check(check) => check.who == who,
        Frame::Cut(cut) => cut.on == who || cut.queue.has(who),
        Frame::Deed(deed) => deed.who == who,
        Frame::Initiative(left) | Frame::RollOff(left) | Frame::Chase(left) | Frame::Rest(left, _) => {
            left.has(who)
        }
    }
}

/// Who goes rides on nobody any more, and carries nobody.
fn leaves(rules: &Rules, state: &mut State, who: Char) {
    state.being_mut(who).riding = None;
    for other in rules.everybody() {
        let being = state.being_mut(other);
        being.riding = being.riding.filter(|&mount| mount != who);
    }
}

/// Traits, places and mounts.
fn where_and_what(rules: &Rules, state: &mut State, fiat: &Fiat) -> Result<Char, Refused> {
    match *fiat {
        Fiat::Level { who, what, level } => {
            here(rules, who)?;
            if what.index() >= rules.traits.len() {
                return Err(Refused::form("no trait or skill is called that"));
            }
            if level > MAX_LEVEL {
                return no(clause!("trait.cost"), format!("a level is from 0 to {MAX_LEVEL}"));
            }
            state.being_mut(who).levels[what.index()] = level;
            Ok(who)
        }
        Fiat::Place { who, at } => {
            here(rules, who)?;
            if !rules.field.is_there(at) {
                return no(
                    clause!("unit.space"),
                    "nobody can be there: expected a space of the map that is no wall",
                );
            }
            let rider = state.rider(who);
            let with = [Some(who), state.being(who).riding, rider].into_iter().flatten();
            with.for_each(|moved| state.being_mut(moved).at = at);
            Ok(who)
        }
        Fiat::Ride { who, mount } => ride(rules, state, who, mount),
        _ => Err(Refused::form("that is about nobody")),
    }
}

fn ride(rules: &Rules, state: &mut State, who: Char, mount: Option<Char>) -> Result<Char, Refused> {
    if rules.mounts.has(here(rules, who)?) {
        return no(clause!("ext.mount"), "a mount rides on nobody: expected somebody else");
    }
    let Some(mount) = mount else {
        state.being_mut(who).riding = None;
        return Ok(who);
    };
    if state.being(who).unseen != state.cast.get(mount.index()).is_some_and(|steed| steed.unseen) {
        return no(clause!("mount.movement"), "a mount and its rider are seen together, or not at all");
    }
    if !rules.mounts.has(here(rules, mount)?) {
        return no(clause!("ext.mount"), "that carries nobody: expected a mount");
    }
    if state.being(mount).away || state.being(who).away {
        return no(clause!("ext.mount"), "both must be in the scene: bring them back first");
    }
    if state.rider(mount).is_some_and(|rider| rider != who) {
        return no(clause!("ext.mount"), "somebody rides there already: put them on foot first");
    }
    let at = state.being(mount).at;
    let being = state.being_mut(who);
    (being.riding, being.at, being.prone) = (Some(mount), at, false);
    Ok(who)
}

/// What counts in a battle alone.
fn in_battle(rules: &Rules, state: &mut State, fiat: &Fiat) -> Result<Char, Refused> {
    match *fiat {
        Fiat::Actions { who, actions } => {
            fights(rules, state, who)?;
            if actions > 2 {
                return no(clause!("action.two"), "a round has two actions: expected 0, 1 or 2");
            }
            state.fighting_mut(who).actions = actions;
            Ok(who)
        }
        Fiat::Shift { who, by } => {
            let is_zero = state.round == 0;
            let fighting = state.fighting_mut(fights(rules, state, who)?);
            // In round zero there is no initiative yet: it is that of the first.
            *if is_zero { &mut fighting.ahead } else { &mut fighting.shift } = by.into();
            Ok(who)
        }
        Fiat::Trick { who, on, by } => {
            fights(rules, state, who)?;
            fights(rules, state, on)?;
            let skill = |who: Char| {
                let levels = state.being(who).levels;
                levels[Trait::WARRIOR.index()].max(levels[Trait::ARCHER.index()])
            };
            if !(1..=20).contains(&by) {
                return no(clause!("stealth.trick"), "a trick adds 1 to 20, such as 3");
            }
            if skill(on) >= skill(who) {
                return no(clause!("stealth.trick"), "it works on those of lesser fighting skill only");
            }
            if state.being(who).tricked.has(on) {
                return no(clause!("stealth.trick"), "they have fallen for a trick of this one's already");
            }
            state.fighting_mut(who).trick = Some((on, by));
            Ok(who)
        }
        Fiat::Change { who, value, by } => {
            fights(rules, state, who)?;
            if !(-60..=60).contains(&by) {
                return no(clause!("modifier.expiry"), "expected a change from -60 to 60");
            }
            state.fighting_mut(who).changes[value as usize] = by;
            Ok(who)
        }
        _ => Err(Refused::form("that is about nobody")),
    }
}

/// Gives a weapon to somebody.
fn weapon_to(
    rules: &Rules,
    state: &mut State,
    weapon: Weapon,
    holder: Char,
    keep: Keep,
) -> Result<Char, Refused> {
    here(rules, holder)?;
    let Some(arm) = rules.weapons.get(weapon.index()) else {
        return Err(Refused::form("nothing here is called that"));
    };
    if arm.natural && (keep != Keep::Hand || holder != arm.owner) {
        return no(clause!("gift.list"), "that has grown: its owner has it in hand, and nobody else");
    }
    let has = state.place(weapon);
    let is_in_hand = (has.holder, has.lie) == (holder, Lie::Hand);
    if keep == Keep::Hand && !arm.natural && !is_in_hand {
        let free = act::hands_free(At { rules, state }, holder);
        if free < arm.hands {
            return no(
                clause!("ext.weapon"),
                format!("no hand is free for it: {free} of {} needed", arm.hands),
            );
        }
    }
    let lie = match keep {
        Keep::Hand => Lie::Hand,
        Keep::Carried => Lie::Carried,
        Keep::Dropped => Lie::Dropped(state.being(holder).at),
        Keep::Gone => Lie::Gone,
    };
    state.give(weapon, holder, lie);
    Ok(holder)
}

/// A setting of the table that was changed: its id, and the words it stood at and stands at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Setting {
    pub id: &'static str,
    pub was: &'static str,
    pub is: &'static str,
}

fracas_kernel::refer_to_nothing!(Setting);

/// Sets an option that may change in mid-play.
fn option(rules: &mut Rules, id: &str, value: &str) -> Result<Setting, Refused> {
    let found = crate::RULEBOOK.options().find(|(clause, _)| clause.id() == id);
    if let Some((clause, _)) = found.filter(|(_, option)| option.when != "any") {
        return no(clause, "that is settled when a table is set up");
    }
    let before = rules.options.words();
    rules.options.set(id, value).map_err(Refused::form)?;
    let all = before.into_iter().zip(rules.options.words());
    let mut changed = all.map(|((id, was), (_, is))| Setting { id, was, is });
    changed.find(|setting| setting.id == id).ok_or_else(|| Refused::form("no setting is called that"))
}

/// Drops what is under way, but for dice without which a battle or a chase cannot go on.
fn cancel(state: &mut State) {
    state.frames.retain(|frame| matches!(frame, Frame::Initiative(_) | Frame::RollOff(_) | Frame::Chase(_)));
    state.asked = Default::default();
}
