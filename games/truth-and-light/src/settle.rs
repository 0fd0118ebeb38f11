//! What the gamemaster settles: kind, attribute, target number (Tests and Saves).

use crate::effect::{Effect, Verb, Whom};
use crate::rules::{Against, Numbers, Rules};
use crate::state::{Action, Step};
use crate::words::phrases::{action_words, names, target};
use crate::{At, Play, act, answer::Answer, event::Event, impose, outcome, power, roll, scene, vocab::*};
use fracas_kernel::{Clause, Objections, Secret, Sink, Told, Viewer, fine, takes};

/// Target numbers of rolled actions (`tn.range`).
pub(crate) const NUMBERS: std::ops::RangeInclusive<i8> = 6..=16;

pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
    let what = at.state.action.map_or(String::new(), |action| action_words(at.rules, &action));
    Told::new(format!("{what}: which attribute, and against which number?")).why(clause!("tn.gm-sets"))
}

/// Lists what the gamemaster can settle of a test.
pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
    let Some(action) = &at.state.action else { return };
    if !is_talk(at.rules, action) {
        legal_major(at, action, each);
    }
    let reach = (action.reach == Reach::Contested).then_some(Reach::Simple);
    let minor = Answer::Settle { label: Label::Minor, reach, attribute: None, tn: None, tags: None };
    if fine(|out| object(at, minor, out)) {
        each(minor);
    }
    if act::is_between_players(at.rules, action) {
        each(Answer::Conversation);
    }
    each(Answer::Refuse);
}

fn legal_major(at: At<'_>, action: &Action, each: &mut impl FnMut(Answer)) {
    let settle = |reach, attribute, tn| Answer::Settle {
        label: Label::Major,
        reach,
        attribute: Some(attribute),
        tn,
        tags: None,
    };
    let has_number = act::given_number(at, action, action.reach, action.tags).is_some();
    if has_number {
        each(Answer::AGREED);
    }
    let own = own_attribute(at.rules, action);
    for attribute in Attribute::GREATER.into_iter().filter(|&one| own.is_none_or(|own| own == one)) {
        if !has_number {
            NUMBERS.for_each(|tn| each(settle(None, attribute, Some(tn))));
        } else if attribute != action.attribute {
            each(settle(None, attribute, None));
        }
    }
    // A character who has not noticed does not influence the outcome yet. Of the numbers all are
    // right or none, or only the number that there is.
    if has_number && action.reach == Reach::Contested {
        let reach = Some(Reach::Simple);
        let simple = on_test_terms(at, action, (reach, None, None));
        let given = act::given_number(at, &simple, simple.reach, simple.tags);
        let terms = (reach, Some(action.attribute), given.or(Some(*NUMBERS.start())), None);
        if fine(|out| object_major(at, action, terms, out)) {
            let numbers = NUMBERS.filter(|&tn| given.is_none_or(|given| given == tn));
            numbers.for_each(|tn| each(settle(reach, action.attribute, Some(tn))));
        }
    }
}

/// Whether an action is played out as a conversation at this table (`pc-vs-pc-ruling`).
fn is_talk(rules: &Rules, action: &Action) -> bool {
    act::is_between_players(rules, action) && rules.options.against == Against::Conversation
}

/// The attribute that the ability used has of its own.
fn own_attribute(rules: &Rules, action: &Action) -> Option<Attribute> {
    action.ability.and_then(|ability| rules.power(ability).attribute)
}

takes!(
    Answer,
    Answer::Settle { .. } | Answer::Conversation | Answer::Refuse,
    clause!("tn.gm-sets"),
    "expected what the action is: its attribute and number, or that it takes no roll"
);

/// Collects the reasons against what the gamemaster would settle.
pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
    let Some(action) = &at.state.action else { return };
    match answer {
        Answer::Settle { label: Label::Minor, reach, attribute, tn, .. } => {
            // What is done to somebody they influence, however it is called.
            let contested = reach.unwrap_or(action.reach) == Reach::Contested;
            if contested || action.attack || action.end.is_some() || is_laid_on(at, action) {
                let what = "a contested action is always major: nothing is minor and contested";
                out.no(clause!("bad.action"), what);
            }
            if attribute.is_some() || tn.is_some() {
                let what = "a minor action is not rolled for: it needs no attribute and no number";
                out.no(clause!("bad.action"), what);
            }
        }
        Answer::Settle { reach, attribute, tn, tags, .. } => {
            if is_talk(at.rules, action) {
                out.no(
                    clause!("pc-vs-pc-ruling"),
                    "between players' characters nothing is rolled at this table: play it out as a conversation",
                );
            }
            object_major(at, action, (reach, attribute, tn, tags), out);
        }
        Answer::Conversation if !act::is_between_players(at.rules, action) => {
            out.no(clause!("pc-vs-pc-ruling"), "a conversation is between two players' characters");
        }
        _ => {}
    }
}

/// Whether what is used does something to one of the gamemaster's characters.
fn is_laid_on(at: At<'_>, action: &Action) -> bool {
    let on_them = power::opponent(at.rules, action).is_some();
    let done = |effect: &Effect| {
        use Verb::{End, ExtraAction, Harm, LoseBoon, MoveBoon};
        let at_once = matches!(effect.verb, LoseBoon(_) | MoveBoon | Harm(..) | ExtraAction(..) | End(_));
        let on_theirs = effect.on == Whom::Foes || on_them && effect.on == Whom::Them;
        (at_once || effect.verb.endures()) && on_theirs
    };
    power::used(at, action).any(done)
}

type Terms = (Option<Reach>, Option<Attribute>, Option<i8>, Option<TagSet>);

fn object_major(at: At<'_>, action: &Action, (reach, attribute, tn, tags): Terms, out: &mut impl Objections) {
    if attribute.is_some_and(|attribute| attribute.kind() != Kind::Test) {
        out.no(clause!("bad.attribute"), "a test uses beauty, strength or wisdom");
    }
    let own = own_attribute(at.rules, action);
    if own.is_some() && attribute.is_some() && own != attribute {
        out.no(clause!("ext.whisper"), "the ability has an attribute of its own");
    }
    let on = action.target.and_then(Target::char);
    match reach {
        Some(Reach::Contested) if on.is_none() && action.reach == Reach::Simple => {
            out.no(clause!("action.contested"), "nobody else is in it: a contested action is on somebody");
        }
        Some(Reach::Simple) if action.attack => {
            out.no(clause!("bad.action"), "an attack is contested");
        }
        Some(Reach::Simple) if action.shake.is_some() && action.reach == Reach::Contested => {
            out.no(clause!("action.contested"), "somebody keeps it up, and so breaking it is contested");
        }
        // A character who has noticed influences the outcome (`tn-tailing-spy`).
        Some(Reach::Simple) => {
            let aware = on.is_some_and(|other| !at.rules.is_pc(other) && !at.state.being(other).unaware);
            if aware && action.reach == Reach::Contested {
                out.no(clause!("tn-tailing-spy"), "they have noticed, and so it is contested");
            }
        }
        _ => {}
    }
    let reach = reach.unwrap_or(action.reach);
    let settled = on_test_terms(at, action, (Some(reach), attribute, tags));
    let given = act::given_number(at, &settled, reach, settled.tags);
    let own = if action.shake.is_some() { clause!("ext.ends") } else { clause!("ext.whisper") };
    object_number(tn, given, (act::rival(at.rules, action, reach), own), out);
}

/// A test on these terms. Terms that are left out are as declared, or follow from the rest.
pub(crate) fn on_test_terms(
    at: At<'_>,
    action: &Action,
    (reach, attribute, tags): (Option<Reach>, Option<Attribute>, Option<TagSet>),
) -> Action {
    let mut settled = *action;
    settled.reach = reach.unwrap_or(action.reach);
    settled.attribute = attribute.unwrap_or(action.attribute);
    settled.tags = tags.unwrap_or_else(|| act::tags(at, &settled));
    settled
}

/// What speaks against a target number, where `given` is the one there is already
/// and `npc` the character whose power number that is, or else `own` the clause that gives it.
fn object_number(
    tn: Option<i8>,
    given: Option<i8>,
    (npc, own): (Option<Char>, Clause),
    out: &mut impl Objections,
) {
    match (tn, given) {
        (None, None) => out.no(clause!("tn.gm-sets"), "a target number is needed: `tn`, from 6 to 16"),
        (Some(tn), Some(given)) if tn != given => {
            if npc.is_some() {
                let what = "against another character the number is its power number";
                out.no(clause!("bad.tn-override"), what);
            } else {
                out.no(own, "that has a number of its own");
            }
        }
        (Some(tn), None) if tn > *NUMBERS.end() => {
            out.no(clause!("bad.tn"), "target numbers go up to 16");
        }
        (Some(tn), None) if tn < *NUMBERS.start() => {
            out.no(clause!("bad.tn"), "below 6 no roll is needed: settle it as minor");
        }
        _ => {}
    }
}

/// Settles a test.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    let Some(mut action) = play.state.action else { return };
    let (who, what) = (action.who, action.what);
    match answer {
        // It is decided without dice: no degrees, no guilt, no glory
        // (`tn-below-six`, `action.minor`).
        Answer::Settle { label: Label::Minor, .. } => {
            play.event(Event::Happened { who, attribute: action.attribute, what });
            // An ability or a boon that only counts for a roll is not used without a roll.
            let serves = |effects: &[Effect]| !effects.iter().all(Effect::into_roll) || effects.is_empty();
            action.ability = action.ability.filter(|&ability| serves(&play.rules.power(ability).effects));
            let gear = |boon| play.state.gear(play.rules, boon);
            action.using = action.using.filter(|&boon| serves(&gear(boon).effects));
            roll::count_ability(play, &action);
            action.result = crate::state::Outcome { success: true, ..action.result };
            play.state.action = Some(action);
            outcome::succeed(play, &action);
            outcome::close(play, Label::Minor);
        }
        Answer::Settle { reach, attribute, tn, tags, .. } => {
            action = on_test_terms(play.at(), &action, (reach, attribute, tags));
            let given = act::given_number(play.at(), &action, action.reach, action.tags);
            action.tn = Secret::new(given.or(tn).unwrap_or(*NUMBERS.start()));
            announce(play, action);
            roll::prepare(play);
        }
        Answer::Conversation => {
            if let Some(on) = action.target.and_then(Target::char) {
                play.event(Event::Conversation { who, on });
            }
            // Nothing was done with what would have been used (`boon.one-time`).
            action.using = None;
            play.state.action = Some(action);
            outcome::close(play, Label::Major);
        }
        _ => {
            play.event(Event::Refused(who));
            play.state.action = None;
        }
    }
}

/// Tells the number, or keeps it until spending is final (`tn.announced`,
/// `tn-hidden`).
fn announce(play: &mut Play<'_, impl Sink<Event>>, mut action: Action) {
    let from = act::rival(play.rules, &action, action.reach);
    let known = from.is_some_and(|npc| play.state.known.has(npc));
    action.told |= play.rules.options.numbers == Numbers::Announced || known;
    let Action { who, kind, attribute, .. } = action;
    play.event(Event::Settled { who, kind, attribute, tn: *action.tn.reveal(), from, hidden: !action.told });
    play.state.action = Some(action);
}

/// A save on these terms. Terms that are left out follow from the source of the save.
pub(crate) fn on_terms(
    at: At<'_>,
    action: &Action,
    (attribute, tags, end): (Option<Attribute>, Option<TagSet>, Option<End>),
) -> Action {
    let mut saved = *action;
    saved.end = end.or_else(|| hazard_end(at.rules, action));
    saved.attribute = attribute.unwrap_or_else(|| act::usual(at, &saved));
    saved.tags = tags.unwrap_or_else(|| act::tags(at, &saved));
    saved
}

/// What a hazard does, where the gamemaster does not say.
fn hazard_end(rules: &Rules, action: &Action) -> Option<End> {
    match action.target {
        Some(Target::Hazard(hazard)) => rules.peril(hazard).end,
        _ => None,
    }
}

/// The number of a save where the gamemaster need not set one: a power number, or
/// what a hazard usually has.
pub(crate) fn given_for_save(at: At<'_>, action: &Action, tn: Option<i8>) -> Option<i8> {
    match (power::opponent(at.rules, action), action.target) {
        (Some(npc), _) => Some(power::number(at, npc, Kind::Save, action.tags)),
        (None, Some(Target::Hazard(hazard))) if tn.is_none() => Some(at.rules.peril(hazard).tn as i8),
        _ => None,
    }
}

/// The next of those who save, each on their own (`ext.group`); false where nobody
/// is left.
pub(crate) fn next_save(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let Some(before) = play.state.action.filter(|action| play.state.has(action.target)) else { return false };
    let has_saved = |one: Char| one < before.who || one == before.who && before.has_rolled();
    let left = |&one: &Char| !has_saved(one) && play.state.is_in(one);
    let Some(who) = before.queue.iter().find(left) else { return false };
    // Who is passed over saves no more.
    let queue = before.queue.iter().filter(|&one| has_saved(one) || one >= who).collect();
    // The number is the same (`one-number-for-all`), and no secret any more once one of
    // them heard it.
    let Action { target, attack, end, shake, attribute, tags, tn, told, reach, .. } = before;
    let fresh = act::plain(who, Kind::Save, Step::Ready);
    let action = Action { target, attack, end, shake, attribute, tags, tn, told, reach, queue, ..fresh };
    announce(play, action);
    roll::prepare(play);
    true
}

/// Counts anew after the gamemaster has overruled something: the roller's power until the
/// spending is final, a power number until the dice fall (`overruled-in-mid-roll`).
pub(crate) fn recount(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut action) = play.state.action else { return };
    if action.is_open() {
        // A boon that the roller has no longer is not used.
        action.using = action.using.filter(|&boon| play.state.held(action.who).any(|held| held == boon));
        if action.is_rolling() {
            roll::count(play.at(), &mut action);
        }
        play.state.action = Some(action);
    }
    let is_set = action.has_rolled() || action.kind == Kind::Save && !action.is_first();
    let rival = act::rival(play.rules, &action, action.reach);
    let Some(npc) = rival.filter(|_| !is_set) else { return };
    let number = power::number(play.at(), npc, action.kind, action.tags);
    if matches!(action.step, Step::Ready | Step::Dice) && number != *action.tn.reveal() {
        action.tn = Secret::new(number);
        play.state.action = Some(action);
        if action.told {
            announce(play, action);
        }
    }
}

/// The first dice fall: what lasted until one of the gamemaster's characters acted, or was
/// acted on, is in the number. With the first of those who save its own action has begun.
pub(crate) fn begin(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let Some(npc) = act::rival(play.rules, action, action.reach) else { return };
    match action.kind {
        Kind::Test => {
            impose::rolled(play, npc, &power::facts_of_npc(Kind::Save, action.tags));
        }
        Kind::Save if action.is_first() => {
            let being = play.state.being_mut(npc);
            being.unaware = false;
            being.hostile |= action.attack;
            impose::rolled(play, npc, &power::facts_of_npc(Kind::Test, action.tags));
            scene::npc_acts(play.rules, play.state, npc);
        }
        Kind::Save => {}
    }
}

/// On what terms these save, against whom or what.
pub(crate) mod terms {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: CharSet, by: Target, _: Viewer) -> Told {
        let (who, by) = (names(at.rules, who), target(at.rules, by));
        Told::new(format!("{who} must save against {by}: with what, and against which number?"))
            .why(clause!("save.def"))
    }

    pub(crate) fn legal(at: At<'_>, _: CharSet, _: Target, each: &mut impl FnMut(Answer)) {
        let Some(action) = &at.state.action else { return };
        let mut put = |attribute: Option<Attribute>, tn: Option<i8>, end: Option<End>| {
            each(Answer::Terms { attribute, tn, tags: None, end });
        };
        let npc = power::opponent(at.rules, action).is_some();
        if npc {
            let fits = |end: &End| {
                let ending = at.rules.ending(*end);
                match at.state.conflict {
                    Some(conflict) => ending.tags.has(conflict.tag()) && (action.attack || !ending.damaging),
                    None => !ending.damaging,
                }
            };
            let ends = at.rules.all_ends().filter(|end| action.shake.is_none() && fits(end));
            ends.for_each(|end| put(None, None, Some(end)));
            Attribute::LESSER.into_iter().for_each(|attribute| put(Some(attribute), None, None));
        } else {
            if given_for_save(at, action, None).is_some() {
                put(None, None, None);
            }
            for attribute in Attribute::LESSER {
                NUMBERS.for_each(|tn| put(Some(attribute), Some(tn), None));
            }
            each(Answer::EASY);
        }
        each(Answer::Refuse);
    }

    takes!(
        Answer,
        Answer::Terms { .. } | Answer::EASY | Answer::Refuse,
        clause!("save.def"),
        "expected the terms of the save: attribute, number, kinds of action, what a failure does; or none"
    );

    pub(crate) fn object(at: At<'_>, _: CharSet, _: Target, answer: Answer, out: &mut impl Objections) {
        let Some(action) = &at.state.action else { return };
        let Answer::Terms { attribute, tn, tags, end } = answer else {
            if answer == Answer::EASY && power::opponent(at.rules, action).is_some() {
                out.no(
                clause!("bad.action"),
                "what another character does is contested, and saved against: nothing is minor and contested",
            );
            }
            return;
        };
        if attribute.is_some_and(|attribute| attribute.kind() != Kind::Save) {
            out.no(clause!("bad.attribute"), "a save uses honor, valor or initiative");
        }
        let npc = power::opponent(at.rules, action);
        let damaging = end.is_some_and(|end| at.rules.ending(end).damaging);
        if action.shake.is_some() && end.is_some() {
            let what = "to shake something off is all that the action does: leave out `end`";
            out.no(clause!("ext.ends"), what);
        }
        if npc.is_some() && damaging && !action.attack {
            act::object_damage(at.state, out);
        }
        let saved = on_terms(at, action, (attribute, tags, end));
        object_number(tn, given_for_save(at, &saved, tn), (npc, clause!("tn.gm-sets")), out);
    }

    /// The first of those who save is next.
    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: CharSet, by: Target, answer: Answer) {
        let Some(action) = play.state.action else { return };
        let Answer::Terms { attribute, tn, tags, end } = answer else {
            // Nobody has to save: it is nothing to them, or it is taken back.
            play.event(match answer {
                Answer::Refuse => Event::TakenBack { who, by },
                _ => Event::Spared { who, by },
            });
            play.state.action = None;
            return;
        };
        let mut action = on_terms(play.at(), &action, (attribute, tags, end));
        let given = given_for_save(play.at(), &action, tn);
        action.tn = Secret::new(given.or(tn).unwrap_or(*NUMBERS.start()));
        play.state.action = Some(action);
        next_save(play);
    }
}
