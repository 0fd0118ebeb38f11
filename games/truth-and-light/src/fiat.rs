//! The gamemaster overrules the engine: always possible, always logged.

use crate::state::{Call, Die, Lie, Made, State, Step};
use crate::{
    At, Play, act, boons, event::Event, impose, roll, rules::Rules, scene, setup, view::is_unseen, vocab::*,
};
use fracas_kernel::{Refused, Setup, Sink};
use serde::{Deserialize, Serialize};

/// What the gamemaster may overrule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fiat {
    /// Sets what is left of a track.
    Track {
        who: Char,
        track: Track,
        /// What is left, up to its size.
        left: u8,
    },
    /// Sets whether somebody is out of the conflict.
    Out { who: Char, out: bool },
    /// Has the players know somebody's power number where numbers are hidden, or forget it.
    Known { who: Char, known: bool },
    /// Sets whether somebody is elsewhere.
    Away { who: Char, away: bool },
    /// Sets a power number, 6 to 16.
    Power { who: Char, pn: u8 },
    /// Puts a boon somewhere; for a pattern, another boon like it.
    Boon { boon: Boon, holder: Char, lie: Lie },
    /// Sets how many fortunes somebody has.
    Fortune {
        who: Char,
        fate: Fate,
        now: u8,
        /// Playable in the next.
        #[serde(default)]
        next: u8,
    },
    /// Gives somebody a writhing die, or takes it.
    Die { who: Char, held: bool },
    /// Sets the last glory somebody picked; without a glory the rule allows all.
    Last {
        who: Char,
        #[serde(default)]
        glory: Option<Glory>,
    },
    /// Does a contested end to somebody, without a roll.
    End {
        on: Char,
        #[serde(default)]
        by: Option<Char>,
        end: End,
        /// Degrees, for damage.
        #[serde(default)]
        degrees: u8,
    },
    /// Ends the lasting effects on somebody, of one cause or all.
    Lift {
        who: Char,
        /// Which end, ability or boon it comes from.
        #[serde(default)]
        from: Option<Cause>,
    },
    /// Sets whether a hazard is present.
    Hazard { hazard: Hazard, present: bool },
    /// Sets whether somebody has noticed what goes on.
    Aware { who: Char, aware: bool },
    /// Sets the scene's number, without ending it.
    Scene(u16),
    /// Sets an option of the table.
    Option { id: String, value: String },
    /// Says who acts when.
    Turns(Turns),
    /// Drops whatever is under way: nothing comes of it, and what went into it comes back.
    Cancel,
    /// Brings somebody in, as an `[[npc]]` table says, or with `player` a player's
    /// character, as a `[[character]]` table does; a player not yet at the table
    /// gets a seat.
    Join(serde_json::Value),
}

/// Examples of each, for faces.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"track":{"who":"@name","track":"@body","left":3}}"#, "sets what is left of a track"),
    (r#"{"out":{"who":"@name","out":true}}"#, "takes somebody out of the conflict, or back in"),
    (
        r#"{"known":{"who":"@name","known":true}}"#,
        "the players know somebody's power number where numbers are hidden, or forget it",
    ),
    (r#"{"away":{"who":"@name","away":true}}"#, "takes somebody out of the scene, or brings them back"),
    (r#"{"power":{"who":"@name","pn":9}}"#, "sets a power number, 6 to 16"),
    (r#"{"boon":{"boon":"@thing","holder":"@name","lie":"in-use"}}"#, "in-use, kept, lost or gone"),
    (
        r#"{"fortune":{"who":"@name","fate":"good","now":1,"next":0}}"#,
        "sets good or bad fortunes, for this scene and the next",
    ),
    (r#"{"die":{"who":"@name","held":true}}"#, "gives a writhing die, or takes it"),
    (
        r#"{"last":{"who":"@name","glory":"break-risk"}}"#,
        "sets the last glory picked; without `glory` every one is free",
    ),
    (r#"{"end":{"on":"@name","end":"@shoved-down"}}"#, "does a contested end to somebody, without a roll"),
    (r#"{"lift":{"who":"@name"}}"#, "ends what lasts on somebody; `from` names one cause"),
    (r#"{"hazard":{"hazard":"@hazard","present":true}}"#, "brings a hazard into the scene, or removes it"),
    (r#"{"aware":{"who":"@name","aware":false}}"#, "whether one of yours has noticed what goes on"),
    (r#"{"scene":4}"#, "sets the scene's number, without ending it"),
    (r#"{"option":{"id":"boon-stacking","value":"one-per-sort"}}"#, "changes a setting of the table"),
    (r#"{"turns":"alternate"}"#, "who acts when: free, alternate or truth-call"),
    (r#""cancel""#, "drops what is under way, as if it had not begun"),
    (r#"{"join":{"name":"Late Guard","pn":8}}"#, "brings somebody in, as an [[npc]] table would"),
    (
        r#"{"join":{"player":"Cy","name":"Latecomer","writhing":"never wait","attributes":{"wisdom":2}}}"#,
        "a player's character, as a [[character]] table would; a new player gets a seat",
    ),
];

fn here(rules: &Rules, who: Char) -> Result<Char, Refused> {
    if who.index() < rules.cast.len() { Ok(who) } else { Err(Refused::form("nobody here is called that")) }
}

/// Only players' characters have what rests on their rolls.
fn player(rules: &Rules, who: Char) -> Result<Char, Refused> {
    match rules.is_pc(here(rules, who)?) {
        true => Ok(who),
        false => {
            Err(Refused::rule(clause!("roll.players-only"), "only players' characters roll and have that"))
        }
    }
}

/// Only the gamemaster's characters have a power number.
fn npc(rules: &Rules, who: Char) -> Result<Char, Refused> {
    let what = "players' characters have attributes, and no power number";
    if rules.is_pc(here(rules, who)?) { Err(Refused::rule(clause!("pn.meaning"), what)) } else { Ok(who) }
}

fn nothing() -> Refused {
    Refused::form("nothing here is called that")
}

/// Carries a fiat out, or says what in it cannot be.
pub(crate) fn apply(
    rules: &mut Rules,
    state: &mut State,
    fiat: &Fiat,
    sink: &mut impl Sink<Event>,
) -> Result<(), Refused> {
    let before = (rules.turns, rules.options, state.clone());
    let ruled = match *fiat {
        Fiat::Hazard { .. } | Fiat::Scene(_) | Fiat::Option { .. } | Fiat::Turns(_) => {
            the_table(rules, state, fiat)?;
            None
        }
        Fiat::Cancel => {
            act::cancel(&mut Play { rules, state, sink });
            None
        }
        Fiat::Boon { boon, holder, lie } => {
            here(rules, holder)?;
            let made = boon.index() >= SPARES || state.made[boon.index()].is_some();
            if boon.index() >= rules.boons.len() || !made {
                return Err(nothing());
            }
            if boons::is_pattern(At { rules, state }, boon) {
                return another_like(&mut Play { rules, state, sink }, boon, (holder, lie));
            }
            let holder = (lie != Lie::Gone).then_some(holder);
            let had = state.place(boon).holder;
            state.put(boon, holder, lie);
            // What comes to somebody out of sight is seen to go, as what is gone for good is.
            let unseen = |who: &Char| is_unseen(At { rules, state }, *who);
            let is_seen_to_go = holder.as_ref().is_some_and(unseen) && had.is_some_and(|had| !unseen(&had));
            holder.filter(|_| !is_seen_to_go)
        }
        Fiat::End { on, by, end, degrees } => {
            here(rules, on)?;
            by.map(|by| here(rules, by)).transpose()?;
            if end.index() >= rules.ends.len() {
                return Err(nothing());
            }
            if state.being(on).out || by.is_some_and(|by| state.being(by).out) {
                let what = "an end is done to somebody who is not out, by somebody who is not";
                return Err(Refused::rule(clause!("gone-in-mid-action"), what));
            }
            impose::end(
                &mut Play { rules, state, sink },
                end,
                Target::Char(on),
                by.map(Target::Char),
                degrees,
            );
            return Ok(());
        }
        Fiat::Lift { who, from } => {
            here(rules, who)?;
            impose::cease(&mut Play { rules, state, sink }, |live| {
                live.on == who && from.is_none_or(|from| live.from.cause() == Some(from))
            });
            Some(who)
        }
        Fiat::Join(ref table) => {
            let setup =
                Setup::newcomer::<crate::TruthAndLight>((rules, state), table, &rules.roster.library)?;
            let (new_rules, new_state, who) = setup::join(At { rules, state }, &setup)?;
            *rules = new_rules;
            *state = new_state;
            sink.event(Event::Joined(who));
            return Ok(());
        }
        _ => Some(how_somebody_is(rules, state, fiat)?),
    };
    // Of what is so already there is nothing to tell.
    if (rules.turns, rules.options) != (before.0, before.1) || *state != before.2 {
        sink.event(ruled.map_or(Event::RuledTable, Event::Ruled));
    }
    Ok(())
}

/// Makes a boon like this one, as `gain-boon` does (`boon-like-another`).
fn another_like(
    play: &mut Play<'_, impl Sink<Event>>,
    pattern: Boon,
    (holder, lie): (Char, Lie),
) -> Result<(), Refused> {
    if matches!(lie, Lie::Lost | Lie::Gone) {
        let what = "nobody has that: another like it is made, in-use or kept";
        return Err(Refused::rule(clause!("boon-like-another"), what));
    }
    let Some(place) = play.state.spare(play.rules, holder) else {
        let what = "as many boons were made in play as there can be at one time";
        return Err(Refused::rule(clause!("improvise-limit"), what));
    };
    boons::make(play, holder, Made::Like(pattern));
    play.state.put(place, Some(holder), lie);
    Ok(())
}

/// How somebody is, and where, and what a player's character has besides dice.
fn how_somebody_is(rules: &Rules, state: &mut State, fiat: &Fiat) -> Result<Char, Refused> {
    let who = match *fiat {
        Fiat::Track { who, .. } | Fiat::Out { who, .. } | Fiat::Away { who, .. } => here(rules, who)?,
        Fiat::Known { who, .. } | Fiat::Power { who, .. } | Fiat::Aware { who, .. } => npc(rules, who)?,
        Fiat::Fortune { who, .. } | Fiat::Die { who, .. } | Fiat::Last { who, .. } => player(rules, who)?,
        _ => return Err(nothing()),
    };
    let being = state.being_mut(who);
    match *fiat {
        Fiat::Track { track, left, .. } => {
            let size = rules.sheet(who).tracks.get(track.index()).copied().unwrap_or(0);
            if track.index() >= rules.tracks.len() || left > size {
                let what = format!("that track of theirs goes up to {size}");
                return Err(Refused::rule(clause!("ext.harm"), what));
            }
            being.tracks[track.index()] = left;
            state.being_mut(who).out = !state.stands(rules, who);
        }
        Fiat::Out { out, .. } => being.out = out,
        Fiat::Away { away, .. } => being.away = away,
        Fiat::Known { known, .. } => {
            state.known = if known { state.known.with(who) } else { state.known.without(who) };
        }
        Fiat::Power { pn, .. } if !(6..=16).contains(&pn) => {
            return Err(Refused::rule(clause!("bad.tn"), "a power number is from 6 to 16"));
        }
        Fiat::Power { pn, .. } => {
            state.being_mut(who).pn = i16::from(pn) - boons::rests(At { rules, state }, who);
        }
        Fiat::Aware { aware, .. } => being.unaware = !aware,
        Fiat::Fortune { now, next, .. } if now > 9 || next > 9 => {
            return Err(Refused::rule(clause!("fortune-count"), "nobody has more than nine fortunes"));
        }
        Fiat::Fortune { fate, now, next, .. } => {
            let fortunes = if fate == Fate::Good { &mut being.good } else { &mut being.bad };
            let more = fate == Fate::Bad && now > fortunes.now;
            (fortunes.now, fortunes.next) = (now, next);
            // It can still be played on dice that have fallen (`fortune-timing`).
            if more && state.action.is_some_and(|action| action.who == who && action.step == Step::Spend) {
                roll::spend_next(state);
            }
        }
        Fiat::Die { held, .. } => {
            being.die = Die { held, gained: held, spent: false };
            // One that has not fallen yet is taken out of the roll (`die-by-overruling`).
            if let Some(action) =
                state.action.as_mut().filter(|action| action.who == who && !action.has_rolled())
            {
                action.die &= held;
            }
        }
        Fiat::Last { glory, .. } => being.last = glory,
        _ => return Err(nothing()),
    }
    Ok(who)
}

/// The scene and the settings of the table.
fn the_table(rules: &mut Rules, state: &mut State, fiat: &Fiat) -> Result<(), Refused> {
    match *fiat {
        Fiat::Hazard { hazard, present } => {
            if hazard.index() >= rules.hazards.len() {
                return Err(nothing());
            }
            let all = state.hazards;
            state.hazards = if present { all.with(hazard) } else { all.without(hazard) };
        }
        Fiat::Scene(number) => {
            if number == 0 {
                return Err(Refused::form("scenes are counted from 1"));
            }
            state.scene = number;
        }
        Fiat::Option { ref id, ref value } => {
            if id == "rank-cap-enforced" {
                let what = "that is settled when a table is set up";
                return Err(Refused::rule(clause!("rank-cap-enforced"), what));
            }
            rules.options.set(id, value).map_err(Refused::form)?;
        }
        Fiat::Turns(turns) => {
            rules.turns = turns;
            state.call = Call::Open;
            if state.conflict.is_some() {
                scene::open_round(rules, state);
            }
        }
        _ => return Err(nothing()),
    }
    Ok(())
}
