//! Events in words.

use super::phrases::*;
use crate::{
    TruthAndLight,
    act::Manner,
    answer::Deal,
    event::Event,
    rules::Rules,
    scale::Challenge,
    state::{Live, State},
    view::{knows_of, sees},
    vocab::*,
};
use fracas_kernel::{Hidden, Masked, Told, Viewer};

/// Whether a viewer perceives anything of an event: of what somebody out of sight does or
/// suffers nobody learns (`out-of-sight`).
fn is_perceived(rules: &Rules, state: &State, event: &Event, who: Viewer) -> bool {
    let sees = |whose: Char| sees(rules, state, whose, who);
    match *event {
        // It is told by what it changes on cards: so that somebody leaves or comes back.
        Event::Ruled(whose) => knows_of(rules, state, whose, who),
        Event::Moved { from, to, .. } => sees(from) || sees(to),
        _ => event.whose().is_none_or(sees),
    }
}

/// An event, as far as this viewer may know of it: who is out of sight has no name in it.
pub(super) fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
    let unseen = |other: &Char| !sees(rules, state, *other, who);
    is_perceived(rules, state, event, who).then(|| {
        if event.beside().into_iter().flatten().any(|other| unseen(&other)) {
            let all = rules.everybody().filter(unseen).map(|one| (Char::LETTER, one.index()));
            let masked = Masked::<TruthAndLight>::of(rules, state, Hidden::of(all));
            return told(masked.rules(), masked.state(), event, who);
        }
        told(rules, state, event, who)
    })
}

fn told(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Told {
    match event {
        Event::Round(_)
        | Event::Scene(_)
        | Event::Conflict(_)
        | Event::Peace
        | Event::Floor(_)
        | Event::GmCall
        | Event::PlayersCall(_)
        | Event::Done(_)
        | Event::Placed { .. }
        | Event::Noticed(_)
        | Event::Hostile { .. }
        | Event::Recovered { .. }
        | Event::Lapsed { .. }
        | Event::Closed
        | Event::Joined(_)
        | Event::Ruled(_)
        | Event::RuledTable => of_scene(rules, event),
        Event::Declared { .. }
        | Event::Called { .. }
        | Event::Threatened { .. }
        | Event::Settled { .. }
        | Event::Happened { .. }
        | Event::Spared { .. }
        | Event::TakenBack { .. }
        | Event::Conversation { .. }
        | Event::Refused(_)
        | Event::Minor { .. } => of_action(rules, state, event, who),
        Event::DieSpent(_)
        | Event::Ability { .. }
        | Event::Used { .. }
        | Event::Rolled { .. }
        | Event::Rerolled { .. }
        | Event::Played { .. }
        | Event::Spent { .. }
        | Event::Claimed { .. }
        | Event::Unfounded(_)
        | Event::DieGained(_)
        | Event::Void(_)
        | Event::Result { .. }
        | Event::PushedOn(_)
        | Event::Withdrew { .. } => of_roll(rules, event),
        Event::Guilt { .. }
        | Event::Glory { .. }
        | Event::Degrees { .. }
        | Event::Offered { .. }
        | Event::Fortune { .. }
        | Event::Guiltless(_)
        | Event::Unfortunate(_)
        | Event::Disallowed(_)
        | Event::Upper { .. } => of_pick(rules, event),
        Event::Lasting(_)
        | Event::Over(_)
        | Event::Lost { .. }
        | Event::Gained { .. }
        | Event::Moved { .. }
        | Event::NoRoom(_)
        | Event::End { .. }
        | Event::Harmed { .. }
        | Event::Healed { .. }
        | Event::Out(_)
        | Event::Extra { .. }
        | Event::Told { .. } => of_effect(rules, state, event),
    }
}

/// Who has the floor, who is where, and how the scene goes on.
fn of_scene(rules: &Rules, event: &Event) -> Told {
    let n = |c: Char| rules.name(c);
    match *event {
        Event::Round(round) => {
            Told { opens: true, ..Told::new(format!("Round {round}.")).why(clause!("ext.turns")) }
        }
        Event::Scene(scene) => {
            Told { opens: true, ..Told::new(format!("Scene {scene}.")).why(clause!("ext.scene-place")) }
        }
        Event::Conflict(conflict) => Told {
            opens: true,
            ..Told::new(format!("A {conflict} conflict scene begins.")).why(clause!("ext.turns"))
        },
        Event::Peace => Told::new("The conflict scene ends.").why(clause!("ext.turns")),
        Event::Floor(c) => {
            Told { opens: true, ..Told::new(format!("{} has the floor.", n(c))).why(clause!("ext.turns")) }
        }
        Event::GmCall => Told::new("The gamemaster has the floor.").why(clause!("ext.turns")),
        Event::PlayersCall(Some(c)) => {
            Told::new(format!("The floor goes to the players, {} last.", n(c))).why(clause!("ext.turns"))
        }
        Event::PlayersCall(None) => Told::new("The floor goes to the players.").why(clause!("ext.turns")),
        Event::Done(c) => Told::new(format!("{} is done.", n(c))).why(clause!("ext.turns")),
        Event::Placed { who: c, zone } => {
            Told::new(format!("{} is in {} now.", n(c), rules.zones[zone.index()].name))
                .why(clause!("ext.scene-place"))
        }
        Event::Noticed(c) => Told::new(format!("{} notices.", n(c))).why(clause!("tn-tailing-spy")),
        Event::Hostile { who: c, hostile } => {
            let now = if hostile { "turns hostile" } else { "is hostile no longer" };
            Told::new(format!("{} {now}.", n(c))).why(clause!("attention"))
        }
        Event::Recovered { who: all, back } => {
            let gone = match rules.recovery {
                _ if all.is_empty() => String::new(),
                Recovery::Full => format!("All harm is gone from {}.", names(rules, all)),
                _ => format!("One point of each track comes back to {}.", names(rules, all)),
            };
            let again = if back.is_empty() { String::new() } else { format!("{}.", back_words(rules, back)) };
            Told::new([gone, again].join(" ").trim()).why(clause!("ext.harm"))
        }
        Event::Lapsed { dice, good, bad } => {
            let all = [("The writhing die", dice), ("Good fortune", good), ("Bad fortune", bad)];
            let of = |(what, of): (&str, CharSet)| {
                format!("{what} of {} is lost with the scene.", names(rules, of))
            };
            let parts: Vec<String> = all.into_iter().filter(|(_, of)| !of.is_empty()).map(of).collect();
            let clause =
                if dice.is_empty() { clause!("fortune.next-scene") } else { clause!("writhing.same-scene") };
            Told::new(parts.join(" ")).why(clause)
        }
        Event::Closed => Told::new("The table closes.").why(clause!("ext.scene-place")),
        Event::Joined(c) => Told::new(format!("{} joins.", n(c))).why(clause!("ext.character")),
        Event::Ruled(_) | Event::RuledTable => {
            Told::new("By the gamemaster's word").why(clause!("roll.when"))
        }
        _ => Told::default(),
    }
}

/// What is declared and settled.
fn of_action(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Told {
    let n = |c: Char| rules.name(c);
    match *event {
        Event::Declared { who: c, on, attack, end, ability, using, shake, what } => {
            let deal = Deal { on, end, ability, using, shake, what, ..Deal::by(c) };
            let (manner, clause) = match attack {
                true => (Manner::Attack, clause!("action.attack-pc")),
                false => (Manner::Plain, clause!("action.major")),
            };
            let words = deal_words(rules, &deal, manner, state);
            Told { opens: true, ..Told::new(format!("{}: {words}.", n(c))).why(clause) }
        }
        Event::Called { who: c, on } => {
            let on = on.map_or(String::new(), |on| format!(" on {}", target(rules, on)));
            Told {
                opens: true,
                ..Told::new(format!("{} must test{on}.", n(c))).why(clause!("kind.gm-calls"))
            }
        }
        Event::Threatened { who: all, by, attack, shake } => {
            let (whom, by) = (names(rules, all), target(rules, by));
            let are = if all.len() == 1 { "is" } else { "are" };
            let (words, clause) = match shake {
                Some(cause) => (
                    format!("{} would be rid of {} by {whom}.", capital(by), cause_name(rules, cause)),
                    clause!("held-by-a-player"),
                ),
                None if attack => (format!("{} attacks {whom}.", capital(by)), clause!("action.attack-npc")),
                None => (format!("{whom} {are} in danger from {by}."), clause!("save.def")),
            };
            Told { opens: true, ..Told::new(words).why(clause) }
        }
        Event::Settled { who: c, kind, attribute, tn, from, hidden } => {
            let (number, clause) = match from {
                _ if hidden && !who.is_gm() => ("a hidden number".to_owned(), clause!("tn-hidden")),
                Some(npc) => {
                    (format!("{tn}, from the power number of {}", n(npc)), clause!("tn.power-number"))
                }
                None => {
                    let challenge = Challenge::of(tn);
                    let (words, clause) = challenge.words();
                    let like = challenge.like(attribute).filter(|_| kind == Kind::Test);
                    let like = like.map_or(String::new(), |(like, _)| format!(", like {like}"));
                    (format!("{tn} ({words}{like})"), clause)
                }
            };
            Told::new(format!("{}: {attribute} {kind} against {number}.", n(c))).why(clause)
        }
        Event::Happened { who: c, attribute, what } => {
            let what = what.as_ref().map_or(String::new(), |what| format!(" ({})", what.as_str()));
            let like = Challenge::Mundane.like(attribute);
            let like = like.map_or(String::new(), |(like, _)| format!(", like {like}"));
            Told::new(format!("It takes no roll{like}: what {} does{what} just happens.", n(c)))
                .why(clause!("tn.mundane"))
        }
        Event::Spared { who: all, by } => {
            let words = format!(
                "It takes no roll: {} need not save against {}.",
                names(rules, all),
                target(rules, by)
            );
            Told::new(words).why(clause!("tn.mundane"))
        }
        Event::TakenBack { who: all, by } => {
            let words =
                format!("After all {} need not save against {}.", names(rules, all), target(rules, by));
            Told::new(words).why(clause!("kind.gm-calls"))
        }
        Event::Conversation { who: c, on } => {
            Told::new(format!("{} and {} talk it out.", n(c), n(on))).why(clause!("pc-vs-pc-ruling"))
        }
        Event::Refused(c) => Told::new(format!("It cannot be done so: {} does something else.", n(c)))
            .why(clause!("tn.gm-sets")),
        Event::Minor { who: c, deed } => {
            Told::new(format!("{} {}.", n(c), deed_words(rules, state, deed))).why(clause!("action.minor"))
        }
        _ => Told::default(),
    }
}

/// A roll from what goes into it to its result.
fn of_roll(rules: &Rules, event: &Event) -> Told {
    let n = |c: Char| rules.name(c);
    match *event {
        Event::DieSpent(c) => {
            Told::new(format!("{} puts the writhing die into the roll.", n(c))).why(clause!("writhing.spend"))
        }
        Event::Ability { who: c, ability } => {
            Told::new(format!("{} uses {}.", n(c), rules.power(ability).name)).why(clause!("ability.use"))
        }
        Event::Used { who: c, boon, ref name } => {
            Told::new(format!("{} uses {}.", n(c), boon_name(rules, boon, name.as_ref())))
                .why(clause!("boon.one-time"))
        }
        Event::Rolled { who: c, truth, light, writhe } => {
            let die = if writhe > 0 { format!(", writhing die {writhe}") } else { String::new() };
            Told::new(format!("{} rolls Truth {truth}, Light {light}{die}.", n(c)))
                .why(clause!("roll.first-values"))
        }
        Event::Rerolled { who: c, light } => {
            Told::new(format!("{} rolls Light again: {light}.", n(c))).why(clause!("fortune.reroll"))
        }
        Event::Played { who: c, fate } => {
            let clause =
                if fate == Fate::Good { clause!("fortune.good-use") } else { clause!("fortune.bad-use") };
            Told::new(format!("{} is played on the roll of {}.", capital(fate_words(fate)), n(c))).why(clause)
        }
        Event::Spent { who: c, light, truth, left } => {
            Told::new(format!("{} spends {light}: final Truth {truth}, final Light {left}.", n(c)))
                .why(clause!("spend.final-values"))
        }
        Event::Claimed { who: c, reason } => {
            let why = reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.as_str()));
            Told::new(format!("{} would fail on account of the writhing{why}.", n(c)))
                .why(clause!("writhing.claim"))
        }
        Event::Unfounded(c) => Told::new(format!("The reason is not enough: {} decides anew.", n(c)))
            .why(clause!("writhing-refused")),
        Event::DieGained(c) => {
            Told::new(format!("{} gains a writhing die.", n(c))).why(clause!("writhing.gain"))
        }
        Event::Void(c) => Told::new(format!("{} could not have done better: no writhing die.", n(c)))
            .why(clause!("writhing.claim-reachable")),
        Event::Result { who: c, kind, result, ap, tn } => {
            Told::new(format!("{}: action power {ap} against {tn}, {}.", n(c), result_words(result)))
                .why(result_clause(kind, result))
        }
        Event::PushedOn(c) => Told::new(format!("{} pushes on.", n(c))).why(clause!("push.redo")),
        Event::Withdrew { who: c, result } => {
            Told::new(format!("{} withdraws: {}.", n(c), result_words(result))).why(clause!("push.withdraw"))
        }
        _ => Told::default(),
    }
}

/// Guilts, glories, and fortune in their place.
fn of_pick(rules: &Rules, event: &Event) -> Told {
    let n = |c: Char| rules.name(c);
    match *event {
        Event::Guilt { who: c, guilt, by } => {
            let own = own_words(rules, by, guilt as usize);
            Told::new(format!("{} suffers a guilt: {}.{own}", n(c), title(guilt.word())))
                .why(guilt_clause(guilt))
        }
        Event::Glory { who: c, glory, by, mode } => {
            let own = own_words(rules, by, Guilt::ALL.len() + glory as usize);
            Told::new(format!("{} earns a glory: {}.{own}", n(c), title(glory.word())))
                .why(glory_clause(glory, mode))
        }
        Event::Degrees { who: c, result, kind, ap } => {
            let clause = match kind {
                Kind::Test => clause!("glory.break-now"),
                Kind::Save => clause!("ext.npc-glory"),
            };
            let ap = ap.map_or(String::new(), |ap| format!("action power {ap}, "));
            Told::new(format!("That makes it {ap}{} for {}.", result_words(result), n(c))).why(clause)
        }
        Event::Offered { who: c, fate, ground } => Told::new(format!(
            "{} may stand in for {}: {}.",
            capital(fate_words(fate)),
            n(c),
            ground_words(ground)
        ))
        .why(clause!("fortune.condition")),
        Event::Fortune { who: c, fate } => {
            Told::new(format!("{} takes {}.", n(c), fate_words(fate))).why(clause!("fortune.replaces"))
        }
        Event::Guiltless(c) => {
            Told::new(format!("{} is out: no guilt comes.", n(c))).why(clause!("guilt-or-success-first"))
        }
        Event::Unfortunate(c) => {
            Told::new(format!("No fortune for {}.", n(c))).why(clause!("fortune.who-takes"))
        }
        Event::Disallowed(c) => Told::new(format!("That is not possible: {} picks something else.", n(c)))
            .why(clause!("improvise-limit")),
        Event::Upper { on, by, upper } => Told::new(format!(
            "{} gains by the failure of {}: {}.",
            capital(by.map_or("the danger", n)),
            n(on),
            upper
        ))
        .why(clause!("save.guilty-means")),
        _ => Told::default(),
    }
}

/// What begins, ends, is gained, lost or suffered.
fn of_effect(rules: &Rules, state: &State, event: &Event) -> Told {
    let n = |c: Char| rules.name(c);
    match *event {
        Event::Lasting(live) => {
            let (from, does) = (origin(rules, state, live.from), live_words(rules, &live));
            Told::new(format!("{from} for {}: {does}.", n(live.on))).why(origin_clause(live.from))
        }
        Event::Over(live) => {
            let from = origin(rules, state, live.from);
            let same = |other: &&Live| (other.on, other.from) == (live.on, live.from);
            let others = || state.live.iter().filter(same);
            // It is on them still by another, or what else came of it is.
            let part = match others().any(|other| other.is_like(&live)) {
                true => format!(" by {}", live.by.map_or("nobody in particular", n)),
                false if others().next().is_some() => format!(" ({})", effect_words(rules, &live.effect)),
                false => String::new(),
            };
            Told::new(format!("{from}{part} is over for {}.", n(live.on))).why(clause!("dur.start"))
        }
        Event::Lost { who: c, boon, better, ref name } => {
            let boon = boon_name(rules, boon, name.as_ref());
            let fate = if better { ", and can get it back" } else { "" };
            Told::new(format!("{} loses {boon}{fate}.", n(c))).why(clause!("guilt.lose-fate"))
        }
        Event::Gained { who: c, boon, ref name } => {
            Told::new(format!("{} has {} now.", n(c), boon_name(rules, boon, name.as_ref())))
                .why(clause!("boon.def"))
        }
        Event::Moved { from, to, boon, ref name } => {
            let boon = boon_name(rules, boon, name.as_ref());
            Told::new(format!("{boon} goes from {} to {}.", n(from), n(to)))
                .why(clause!("glory.control-steal"))
        }
        Event::NoRoom(c) => {
            Told::new(format!("There is no more to be had for {}.", n(c))).why(clause!("improvise-limit"))
        }
        Event::End { on, by, end } => {
            let by = by.map_or(String::new(), |by| format!(", by {}", target(rules, by)));
            Told::new(format!("{}: {}{by}.", capital(target(rules, on)), rules.ending(end).name))
                .why(clause!("ext.ends"))
        }
        Event::Harmed { who: c, track, amount, gone } => {
            let rest = if gone { ", and has nothing left" } else { "" };
            let track = &rules.tracks[track.index()].name;
            Told::new(format!("{} loses {amount} {track}{rest}.", n(c))).why(clause!("ext.harm"))
        }
        Event::Healed { who: c, track, amount } => {
            let track = &rules.tracks[track.index()].name;
            Told::new(format!("{} gets {amount} {track} back.", n(c))).why(clause!("ext.harm"))
        }
        Event::Out(c) => Told::new(format!("{} is out of the conflict.", n(c))).why(clause!("ext.harm")),
        Event::Extra { who: c, label, count } => {
            let actions = if count == 1 { "action" } else { "actions" };
            Told::new(format!("{} has {count} more {label} {actions}.", n(c))).why(clause!("ext.effects"))
        }
        Event::Told { who: c, text } => {
            Told::new(format!("{}: {}", n(c), rules.text(text))).why(clause!("ext.effects"))
        }
        _ => Told::default(),
    }
}
