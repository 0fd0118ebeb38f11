//! Actions as players declare them: major and minor, simple and contested,
//! attacks (Action Summary).

use crate::answer::{Answer, Deal, Deed};
use crate::rules::{Rules, TargetRule};
use crate::state::{Action, Call, Claim, State, Step};
use crate::{At, Play, boons, effect::Removal, event::Event, impose, outcome, power, roll, scene, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Clause, Label as Name, Objections, Sink, Told, Viewer, Who, fine, takes};

/// How something is done to somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// As any action.
    Plain,
    /// As an attack (`action.attack`).
    Attack,
}

/// An action of which nothing is settled yet.
pub(crate) fn plain(who: Char, kind: Kind, step: Step) -> Action {
    Action { who, kind, step, called: true, ..Action::default() }
}

pub(crate) fn told(_: At<'_>, _: Who, _: Viewer) -> Told {
    Told::new("What do you do?").why(clause!("action.major"))
}

/// Lists what a player's characters can do.
pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
    let own = |&who: &Char| asked == Who::One(at.rules.seat(who)) && scene::may_act(at, who);
    for who in at.rules.pcs.iter().filter(own) {
        if scene::has_major(at, who) {
            majors(at, who, each);
        }
        if scene::has_minor(at, who) {
            boons::deeds(at, who, &mut |deed| {
                if fine(|out| boons::object_deed(at, who, deed, out)) {
                    each(Answer::Minor { who, deed });
                }
            });
            if let Some(name) = small() {
                each(Answer::Minor { who, deed: Deed::Other(name) });
            }
        }
        if at.state.call != Call::Open {
            each(Answer::Done(who));
        }
    }
}

/// Stands for what somebody does in their own words.
pub(crate) fn small() -> Option<Name> {
    "something small".parse().ok()
}

/// Stands for what somebody tries in their own words.
pub(crate) fn bold() -> Option<Name> {
    "something bold".parse().ok()
}

/// Lists major actions and attacks that make sense.
fn majors(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    let plain = Deal::by(who);
    let others: ArrayVec<Char, MAX_CAST> = at.state.foes_first(at.rules, who).collect();
    let others = || others.iter().copied();
    if let Some(conflict) = at.state.conflict {
        let ends = || at.rules.all_ends().filter(move |&end| at.rules.ending(end).tags.has(conflict.tag()));
        for npc in others().filter(|&other| !at.rules.is_pc(other) && at.state.being(other).hostile) {
            let on = Some(Target::Char(npc));
            ends().for_each(|end| each(Answer::Attack(Deal { on, end: Some(end), ..plain })));
            let usual = ends().find(|&end| at.rules.ending(end).damaging);
            for ability in at.rules.abilities_of(who) {
                offer(at, Manner::Attack, Deal { on, end: usual, ability: Some(ability), ..plain }, each);
            }
        }
    }
    each(Answer::Major(Deal { what: bold(), ..plain }));
    for other in others() {
        each(Answer::Major(Deal { on: Some(Target::Char(other)), ..plain }));
    }
    for hazard in at.state.hazards.iter() {
        each(Answer::Major(Deal { on: Some(Target::Hazard(hazard)), ..plain }));
    }
    for ability in at.rules.abilities_of(who) {
        let ability = Some(ability);
        offer(at, Manner::Plain, Deal { ability, ..plain }, each);
        let aimed = ability.is_some_and(|a| matches!(at.rules.power(a).aim, Aim::Ally | Aim::Npc));
        for other in others().filter(|&other| aimed && at.state.near(who, other)) {
            offer(at, Manner::Plain, Deal { ability, on: Some(Target::Char(other)), ..plain }, each);
        }
    }
    for boon in boons::single_use(at, who, Kind::Test) {
        let using = Some(boon);
        offer(at, Manner::Plain, Deal { using, ..plain }, each);
        let effects = &at.state.gear(at.rules, boon).effects;
        let aimed = boons::is_for_another(at, who, effects, None);
        for other in others().filter(|&other| aimed && at.state.near(who, other)) {
            offer(at, Manner::Plain, Deal { using, on: Some(Target::Char(other)), ..plain }, each);
        }
    }
    for (cause, ..) in at.state.shakeable(who, Label::Major) {
        offer(at, Manner::Plain, Deal { shake: Some(cause), ..plain }, each);
    }
}

/// Lists what is declared, if nothing speaks against it.
fn offer(at: At<'_>, manner: Manner, deal: Deal, each: &mut impl FnMut(Answer)) {
    if fine(|out| object_deal(at, deal, manner, out)) {
        each(match manner {
            Manner::Plain => Answer::Major(deal),
            Manner::Attack => Answer::Attack(deal),
        });
    }
}

takes!(
    Answer,
    Answer::Major(_) | Answer::Attack(_) | Answer::Minor { .. } | Answer::Done(_),
    clause!("action.major"),
    "expected an action, or done"
);

/// Collects the reasons against what a player's character would do.
pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
    let who = match answer {
        Answer::Major(deal) | Answer::Attack(deal) => deal.who,
        Answer::Minor { who, .. } | Answer::Done(who) => who,
        _ => return,
    };
    if !at.rules.is_pc(who) || asked != Who::One(at.rules.seat(who)) {
        out.no(clause!("test.def"), "players act with their own characters");
    } else if !scene::may_act(at, who) {
        out.no(clause!("ext.turns"), "it is not that character's turn to act");
    }
    match answer {
        Answer::Major(deal) => object_deal(at, deal, Manner::Plain, out),
        Answer::Attack(deal) => object_deal(at, deal, Manner::Attack, out),
        Answer::Minor { deed, .. } => {
            if !scene::has_minor(at, who) {
                out.no(clause!("ext.turns"), "that character has no minor action left this round");
            }
            boons::object_deed(at, who, deed, out);
        }
        _ => {}
    }
}

fn object_deal(at: At<'_>, deal: Deal, manner: Manner, out: &mut impl Objections) {
    let Deal { who, on, end, ability, using, shake, attribute, .. } = deal;
    if !scene::has_major(at, who) {
        out.no(clause!("ext.turns"), "that character has no major action left this round");
    }
    scene::object_target(at.state, Some(who), on, out);
    if manner == Manner::Attack {
        if at.state.conflict.is_none() {
            out.no(clause!("bad.action"), "attacks exist only in a conflict scene");
        }
        if on.and_then(Target::char).is_none() {
            out.no(clause!("action.attack"), "an attack is on an opposing character: name one with `on`");
        }
        if shake.is_some() {
            out.no(clause!("action.attack"), "an attack shakes nothing off");
        }
    } else if end.is_some_and(|end| at.rules.ending(end).damaging) {
        object_damage(at.state, out);
    }
    if end.is_some() && on.and_then(Target::char).is_none() {
        out.no(clause!("ext.ends"), "a contested end is done to somebody: name them with `on`");
    }
    if attribute.is_some_and(|attribute| attribute.kind() != Kind::Test) {
        out.no(clause!("bad.attribute"), "a test uses beauty, strength or wisdom");
    }
    let roll = (Kind::Test, on.and_then(Target::char).or_else(|| keeper(at.state, who, shake)));
    boons::object_ability(at, who, roll, ability, out);
    boons::object_using(at, who, roll, using, out);
    object_fit(at, who, (ability, on, attribute), out);
    if let Some(cause) = shake {
        if at.state.shaken_by(who, Label::Major, cause).is_none() {
            out.no(clause!("ext.ends"), "nothing is on them that a test of theirs would rid them of");
        }
        // An end is on somebody, so that `on` speaks for it.
        if on.is_some() || ability.is_some() {
            out.no(
                clause!("ext.ends"),
                "to shake something off is all that the action does: leave out `on`, `end` and `ability`",
            );
        }
    }
}

/// What speaks against damage by what is no attack.
pub(crate) fn object_damage(state: &State, out: &mut impl Objections) {
    match state.conflict {
        None => {
            let what = "what does damage is an attack, and exists only in a conflict scene";
            out.no(clause!("bad.action"), what);
        }
        Some(_) => out.no(
            clause!("action.attack"),
            "what does damage is an attack: declare it as one, on one character",
        ),
    }
}

/// What speaks against an ability on this target with this attribute.
pub(crate) fn object_fit(
    at: At<'_>,
    who: Char,
    (ability, on, attribute): (Option<Ability>, Option<Target>, Option<Attribute>),
    out: &mut impl Objections,
) {
    let Some(ability) = ability else { return };
    let power = at.rules.power(ability);
    let other = on.and_then(Target::char);
    let fits = match power.aim {
        Aim::Nothing | Aim::Object | Aim::Place => true,
        Aim::Me => other.is_none(),
        Aim::Ally => other.is_some_and(|other| at.rules.is_pc(other) && at.state.near(who, other)),
        Aim::Npc => other.is_some_and(|other| !at.rules.is_pc(other)),
    };
    if !fits {
        let what = "that ability is for something else: self, a nearby ally, or another's character";
        out.no(clause!("ext.whisper"), what);
    }
    if power.attribute.is_some_and(|own| attribute.is_some_and(|other| other != own)) {
        out.no(clause!("ext.whisper"), "that ability has an attribute of its own");
    }
}

/// Carries out what a player's character does.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
    match answer {
        Answer::Major(deal) => declare(play, deal, Manner::Plain),
        Answer::Attack(deal) => declare(play, deal, Manner::Attack),
        Answer::Minor { who, deed } => {
            boons::act(play, who, deed);
            scene::spend_minor(play.rules, play.state, who);
        }
        Answer::Done(who) => scene::done(play, who),
        _ => {}
    }
}

fn declare(play: &mut Play<'_, impl Sink<Event>>, deal: Deal, manner: Manner) {
    let Deal { who, on, end, ability, using, shake, what, .. } = deal;
    let attack = manner == Manner::Attack;
    play.event(Event::Declared { who, on, attack, end, ability, using, shake, what });
    play.state.action = Some(declared(play.at(), deal, manner));
}

/// The action that such a declaration begins.
pub(crate) fn declared(at: At<'_>, deal: Deal, manner: Manner) -> Action {
    let attack = manner == Manner::Attack;
    let Deal { who, on, end, ability, using, shake, attribute, what } = deal;
    // Breaking what another keeps up is done to that one (`breaking-free-of-whom`).
    let target = on.or_else(|| keeper(at.state, who, shake).map(Target::Char));
    let plain = plain(who, Kind::Test, Step::Settle);
    let action = Action { target, attack, end, ability, using, shake, what, called: false, ..plain };
    let action = as_usual(at, action);
    Action { attribute: attribute.unwrap_or(action.attribute), ..action }
}

/// An action with the attribute, the reach and the kinds that follow from what is said of it.
pub(crate) fn as_usual(at: At<'_>, action: Action) -> Action {
    let action = Action { attribute: usual(at, &action), reach: reach(at.rules, &action), ..action };
    Action { tags: tags(at, &action), ..action }
}

/// Drops what is under way as if it had not been declared, and what went into it comes
/// back (`cancel-gives-back`). Of a result that has come about only the guilt is dropped.
pub(crate) fn cancel(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(action) = play.state.action else { return };
    if action.has_come_about() {
        return outcome::close(play, Label::Major);
    }
    give_back(play, &action);
    play.state.action = None;
    if action.kind == Kind::Save && !action.is_first() {
        // Somebody else has saved already: the character who called for it has acted.
        scene::over(play, &action, Label::Major);
    } else if let Some(npc) = power::opponent(play.rules, &action).filter(|_| action.kind == Kind::Save)
        && action.has_rolled()
    {
        scene::npc_has_not_acted(play.rules, play.state, npc);
    }
}

/// An ability that was forbidden after it was declared or chosen is not used: it comes back with
/// what it alone settled, and a Whisper that was all of the action is dropped
/// (`forbidden-meanwhile`).
pub(crate) fn forbid(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(before) = play.state.action.filter(Action::is_open) else { return };
    let Some(ability) = before.ability.filter(|_| power::is_banned(play.state, before.who)) else { return };
    let power = play.rules.power(ability);
    if power.gift == Gift::Whisper && before.end.is_none() && !before.called {
        play.event(Event::Refused(before.who));
        return cancel(play);
    }
    let mut action = Action { ability: None, ..before };
    if before.step == Step::Settle {
        action.reach = reach(play.rules, &action);
        if power.attribute.is_some() {
            action.attribute = usual(play.at(), &action);
        }
    }
    action.tags = action.tags.minus(power.tags.minus(tags(play.at(), &action)));
    action.throw.rerolls = action.throw.rerolls.min(roll::rerolls(play.at(), &action));
    if action.is_rolling() {
        let uses = &mut play.state.uses[ability.index()];
        *uses = uses.saturating_sub(1);
    }
    play.state.action = Some(action);
}

/// What the roller has put into an action comes back to them.
pub(crate) fn give_back(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let Action { who, kind, step, result, .. } = *action;
    impose::done(play, action);
    let state = &mut *play.state;
    impose::count_the_late(state, who, |_| true);
    let being = state.being_mut(who);
    if action.throw.claim == Claim::Taken {
        (being.die.held, being.die.gained) = (false, false);
    }
    if action.die {
        (being.die.held, being.die.spent) = (true, false);
    }
    for (fate, fortunes) in [(Fate::Good, &mut being.good), (Fate::Bad, &mut being.bad)] {
        fortunes.now = fortunes.now.saturating_add(action.played[fate as usize]);
    }
    let begun = !matches!(step, Step::Settle | Step::Terms | Step::Ready);
    if let Some(ability) = action.ability.filter(|_| begun) {
        let uses = &mut state.uses[ability.index()];
        *uses = uses.saturating_sub(1);
    }
    if action.has_result() {
        let count = state.tally.of(kind, result);
        *count = count.saturating_sub(1);
    }
}

/// The attribute of an action where nobody says so: its ability's, its end's, the
/// conflict's (`attr.gm-names`).
pub(crate) fn usual(at: At<'_>, action: &Action) -> Attribute {
    let own = action.ability.and_then(|ability| at.rules.power(ability).attribute);
    let ends = action.end.map(|end| at.rules.ending(end));
    let (of_tests, of_saves) = at.state.conflict.map(Conflict::attributes).unzip();
    match action.kind {
        Kind::Test => own.or(ends.map(|end| end.attribute)).or(of_tests).unwrap_or(Attribute::Wisdom),
        Kind::Save => {
            let hazard = match action.target {
                Some(Target::Hazard(hazard)) => Some(at.rules.peril(hazard).save),
                _ => None,
            };
            let shaken = match action.shake {
                Some(Cause::End(end)) => Some(at.rules.ending(end).save),
                _ => None,
            };
            let of_end = ends.map(|end| end.save).or(shaken);
            hazard.or(of_end).or(of_saves).unwrap_or(Attribute::Initiative)
        }
    }
}

/// The kinds of action that follow from what was declared (`kinds-of-a-roll`).
pub(crate) fn tags(at: At<'_>, action: &Action) -> TagSet {
    let ends = action.end.map_or(TagSet::NONE, |end| at.rules.ending(end).tags);
    let opposed = action.reach == Reach::Contested
        && (rival(at.rules, action, action.reach).is_some() || is_between_players(at.rules, action));
    let scene = at.state.conflict.filter(|_| opposed).map(Conflict::tag);
    let tags = match (action.target, scene) {
        // A hazard has tags of its own, for all that it does.
        (Some(Target::Hazard(hazard)), _) => at.rules.peril(hazard).tags,
        (_, Some(tag)) if ends.is_empty() || ends.has(tag) => TagSet::one(tag),
        _ => ends,
    };
    action.ability.map_or(tags, |ability| tags.or(at.rules.power(ability).tags))
}

/// Whether others influence an action where the gamemaster does not say
/// (`action.contested`); an attack is always contested (`action.attack`).
pub(crate) fn reach(rules: &Rules, action: &Action) -> Reach {
    if action.attack {
        return Reach::Contested;
    }
    let kind = action.ability.filter(|_| action.end.is_none()).map(|ability| rules.power(ability));
    match (action.target, kind) {
        (_, Some(power)) if power.gift == Gift::Whisper => power.reach,
        (Some(Target::Char(_)), _) => Reach::Contested,
        _ => Reach::Simple,
    }
}

/// Whether one player's character acts against another's; an end is done against
/// somebody, whatever ability helps with it.
pub(crate) fn is_between_players(rules: &Rules, action: &Action) -> bool {
    let helps =
        action.end.is_none() && action.ability.is_some_and(|ability| rules.power(ability).aim == Aim::Ally);
    action.target.and_then(Target::char).is_some_and(|other| rules.is_pc(other)) && !helps
}

/// Of an answer that is given where nothing of the kind is asked: the clause that
/// says when it is.
pub(crate) const fn stray(answer: &Answer) -> Option<Clause> {
    Some(match answer {
        Answer::Guilt(_) | Answer::Lose(_) => clause!("bad.guilt"),
        Answer::Glory(_) => clause!("bad.glory"),
        Answer::PushOn | Answer::Withdraw => clause!("bad.push"),
        Answer::Claim { .. } => clause!("bad.writhing"),
        Answer::GoodFortune | Answer::BadFortune | Answer::Fortune(_) => clause!("bad.fortune"),
        Answer::Spend(_) => clause!("bad.spend"),
        Answer::Settle { .. } => clause!("bad.action"),
        Answer::Upper(_) => clause!("save.guilty-means"),
        _ => return None,
    })
}

/// The other character who keeps up what a test is to shake off, if one does.
pub(crate) fn keeper(state: &State, who: Char, shake: Option<Cause>) -> Option<Char> {
    let (removal, by) = state.shaken_by(who, Label::Major, shake?)?;
    by.filter(|&by| removal == Removal::PowerNumber && by != who)
}

/// Whose power number a roll must reach, if it is anybody's (`tn.power-number`).
pub(crate) fn rival(rules: &Rules, action: &Action, reach: Reach) -> Option<Char> {
    let asks = action.ability.is_some_and(|ability| rules.power(ability).tn == TargetRule::PowerNumber);
    let meets = action.kind == Kind::Save || reach == Reach::Contested || asks;
    power::opponent(rules, action).filter(|_| meets)
}

/// The number that a test must reach, where the gamemaster need not set one.
pub(crate) fn given_number(at: At<'_>, action: &Action, reach: Reach, tags: TagSet) -> Option<i8> {
    if let Some(npc) = rival(at.rules, action, reach) {
        return Some(power::number(at, npc, action.kind, tags));
    }
    if let Some(cause) = action.shake {
        return match at.state.shaken_by(action.who, Label::Major, cause)? {
            (Removal::Test(tn), _) => Some(tn as i8),
            _ => None,
        };
    }
    match at.rules.power(action.ability?).tn {
        TargetRule::Fixed(tn) => Some(tn as i8),
        TargetRule::PowerNumber | TargetRule::Gm => None,
    }
}
