//! The roll: what goes into it, the dice, fortune, and spending Light
//! (Rolling Dice, Writhings).

use crate::answer::{Answer, Prompt};
use crate::effect::{Effect, Verb};
use crate::state::{Action, Claim, Outcome, State, Step, Throw};
use crate::{
    At, Play, act, boons,
    event::Event,
    outcome, power,
    rules::{Options, Rules},
    settle,
    vocab::*,
    words::phrases::number_words,
};
use fracas_kernel::{Label as Name, Objections, Prompted, Sink, Told, Viewer, Who, takes};

/// How many dice are due (`roll.two-dice`).
pub(crate) const fn dice(action: &Action) -> u8 {
    match action.step {
        Step::Reroll => 1,
        _ => 2 + action.die as u8,
    }
}

/// Whether a writhing die can go into the roll (`writhing.same-scene`).
fn can_spend_die(state: &State, who: Char) -> bool {
    let die = state.being(who).die;
    die.held && !die.spent
}

/// The dice are near: the player is asked what goes into the roll, if there is
/// anything to say.
pub(crate) fn prepare(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut action) = play.state.action else { return };
    action.step = Step::Ready;
    play.state.action = Some(action);
    let mut ways = 0;
    Prompt::Ready(action.who).legal(play.at(), Who::One(play.rules.seat(action.who)), &mut |_| ways += 1);
    if ways < 2 {
        commit(play, (false, None, None));
    }
}

/// Counts the use of an ability and of a boon that serves once.
pub(crate) fn count_ability(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let who = action.who;
    if let Some(ability) = action.ability {
        let uses = &mut play.state.uses[ability.index()];
        *uses = uses.saturating_add(1);
        play.event(Event::Ability { who, ability });
    }
    if let Some(boon) = action.using {
        let (boon, name) = boons::told(play.state, boon);
        play.event(Event::Used { who, boon, name });
    }
}

/// Attribute, bonuses and penalties are settled before the dice fall: a second
/// roll keeps them (`push.redo`, `push-modifier-use`).
fn commit(
    play: &mut Play<'_, impl Sink<Event>>,
    (die, ability, using): (bool, Option<Ability>, Option<Boon>),
) {
    let Some(mut action) = play.state.action else { return };
    if die {
        let held = &mut play.state.being_mut(action.who).die;
        held.held = false;
        held.spent = true;
        play.event(Event::DieSpent(action.who));
    }
    action.die = die;
    action.ability = action.ability.or(ability);
    action.using = action.using.or(using);
    if let Some(ability) = ability {
        action.tags = action.tags.or(play.rules.power(ability).tags);
    }
    count_ability(play, &action);
    count(play.at(), &mut action);
    play.state.action = Some(action);
    throw(play.rules, play.state);
}

/// Counts what goes into the roll.
pub(crate) fn count(at: At<'_>, action: &mut Action) {
    action.ability_used = power::uses_ability(at, action);
    action.power = power::total(at, action);
}

/// How often what is used on a roll lets Light be rolled again.
pub(crate) fn rerolls(at: At<'_>, action: &Action) -> u8 {
    let rerolls = |effect: &&Effect| effect.verb == Verb::RerollLight && effect.into_roll();
    power::used(at, action).filter(rerolls).count().min(9) as u8
}

/// The dice are due: a throw of which nothing is known yet.
pub(crate) fn throw(rules: &Rules, state: &mut State) {
    let Some(action) = state.action else { return };
    let throw = Throw { rerolls: rerolls(At { rules, state }, &action), ..Throw::default() };
    state.action = Some(Action { throw, step: Step::Dice, ..action });
}

/// Dice have fallen: Truth, then Light, then the writhing die (`roll.distinct`).
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    if let Some(action) = play.state.action.filter(|action| !action.has_rolled()) {
        settle::begin(play, &action);
    }
    let Some(action) = &mut play.state.action else { return };
    let who = action.who;
    match (action.step, faces) {
        (Step::Reroll, &[light]) => {
            action.throw.light = light;
            play.event(Event::Rerolled { who, light });
        }
        (_, &[truth, light, ref writhe @ ..]) => {
            let writhe = writhe.first().copied().unwrap_or(0);
            action.throw = Throw { truth, light, writhe, ..action.throw };
            play.event(Event::Rolled { who, truth, light, writhe });
        }
        _ => return,
    }
    spend_next(play.state);
}

/// Bad fortune can be played on a save before Light is spent, and still once Light has been
/// rolled again (`fortune-timing`).
pub(crate) fn spend_next(state: &mut State) {
    let Some(mut action) = state.action else { return };
    let bad = state.being(action.who).bad.now;
    action.step = if action.kind == Kind::Save && bad > 0 && !action.throw.bad {
        Step::Misfortune
    } else {
        Step::Spend
    };
    state.action = Some(action);
}

/// Action power and the remaining Light after spending this much Light
/// (`spend.final-values`, `power.sum`).
pub(crate) const fn after(action: &Action, spend: u8) -> (i8, u8) {
    let Throw { truth, light, writhe, .. } = action.throw;
    (action.power.saturating_add((truth + spend + writhe) as i8), light.saturating_sub(spend))
}

/// The result of a roll with this much Light spent.
pub(crate) fn result(options: &Options, action: &Action, spend: u8) -> Outcome {
    let (ap, left) = after(action, spend);
    let margin = i16::from(ap) - i16::from(*action.tn.reveal());
    outcome(options, (action.kind, action.pushed), margin, left)
}

/// The result of a roll whose action power is so much above its number, or below, with this much Light left
/// (`outcome.six`, `save.three-results`).
pub(crate) fn outcome(options: &Options, (kind, pushed): (Kind, bool), margin: i16, left: u8) -> Outcome {
    let band = options.band(left);
    let success = margin >= 0;
    let degrees = margin.unsigned_abs().min(200) as u8;
    match (kind, success, pushed) {
        // `save.success-innocent`, `save.fail-3-to-6`, `save.fail-1-2`.
        (Kind::Save, false, _) if band == Band::Guilty => Outcome { success, band, degrees },
        (Kind::Save, ..) => Outcome { success, band: Band::Innocent, degrees },
        // `push.any-failure`, `push.any-success`.
        (Kind::Test, false, true) => {
            Outcome { success, band: Band::Guilty, degrees: degrees + options.pushed_degrees }
        }
        (Kind::Test, true, true) => {
            Outcome { success, band: Band::Glorious, degrees: degrees + options.pushed_degrees }
        }
        (Kind::Test, _, false) => Outcome { success, band, degrees },
    }
}

/// The most Light that can be spent (`spend.floor`).
pub(crate) const fn most(action: &Action) -> u8 {
    action.throw.light.saturating_sub(1)
}

/// Whether somebody can claim a writhing die at all (`writhing.one-held`,
/// `writhing.one-per-scene`).
fn may_claim(state: &State, action: &Action) -> bool {
    let die = state.being(action.who).die;
    !die.held && !die.gained && action.throw.claim == Claim::None
}

/// Whether this much Light fails and more Light would have succeeded
/// (`writhing.claim-reachable`).
fn is_on_purpose(options: &Options, action: &Action, spend: u8) -> bool {
    !result(options, action, spend).success && result(options, action, most(action)).success
}

/// Stands for how the writhing got in the way, in the player's words.
pub(crate) fn usual_reason() -> Option<Name> {
    "as ever".parse().ok()
}

/// Spending is final (`spend-final`).
fn finish(play: &mut Play<'_, impl Sink<Event>>, spend: u8) {
    let Some(mut action) = play.state.action else { return };
    let who = action.who;
    let (_, left) = after(&action, spend);
    action.throw.spent = spend;
    action.told = true;
    let truth = action.throw.truth + spend + action.throw.writhe;
    play.event(Event::Spent { who, light: spend, truth, left });
    action.result = result(&play.rules.options, &action, spend);
    if action.throw.claim == Claim::Taken {
        if is_on_purpose(&play.rules.options, &action, spend) {
            let die = &mut play.state.being_mut(who).die;
            die.held = true;
            die.gained = true;
            play.event(Event::DieGained(who));
        } else {
            action.throw.claim = Claim::Refused;
            play.event(Event::Void(who));
        }
    }
    // It is settled as failed: nothing is left to push on with (`writhing-glorious`).
    if action.throw.claim == Claim::Taken && action.result.band == Band::Glorious {
        action.result.band = Band::Innocent;
    }
    if let Some(npc) = act::rival(play.rules, &action, action.reach) {
        play.state.known = play.state.known.with(npc);
    }
    play.state.action = Some(action);
    outcome::resolve(play);
}

/// A fortune is played: Light is rolled again (`fortune.reroll`).
fn fortune(play: &mut Play<'_, impl Sink<Event>>, who: Char, fate: Fate) {
    let (being, Some(action)) = (&mut play.state.cast[who.index()], &mut play.state.action) else { return };
    action.played[fate as usize] += 1;
    action.step = Step::Reroll;
    let fortunes = if fate == Fate::Good { &mut being.good } else { &mut being.bad };
    fortunes.now = fortunes.now.saturating_sub(1);
    play.event(Event::Played { who, fate });
}

/// What goes into the roll.
pub(crate) mod ready {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let number = at.state.action.map_or(String::new(), |action| number_words(&action, viewer));
        let who = at.rules.name(who);
        Told::new(format!("{who} is about to roll against {number}: what goes into it?"))
            .why(clause!("writhing.spend"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(action) = &at.state.action else { return };
        let dice: &[bool] = if can_spend_die(at.state, who) { &[false, true] } else { &[false] };
        let none = std::iter::once(None);
        for &die in dice {
            for ability in none.clone().chain(at.rules.abilities_of(who).map(Some)) {
                for using in std::iter::once(None).chain(boons::single_use(at, who, action.kind).map(Some)) {
                    each(Answer::Ready { die, ability, using });
                }
            }
        }
    }

    takes!(
        Answer,
        Answer::Ready { .. },
        clause!("writhing.spend"),
        "expected what goes into the roll: the writhing die, an ability, a boon used once"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let (Some(action), Answer::Ready { die, ability, using }) = (&at.state.action, answer) else {
            return;
        };
        let held = at.state.being(who).die;
        if die && held.spent {
            out.no(clause!("bad.writhing"), "one writhing die a scene is spent");
        } else if die && !held.held {
            out.no(clause!("bad.writhing"), "they hold no writhing die");
        }
        if !action.called && (ability.is_some() || using.is_some()) {
            out.no(clause!("ability.use"), "what is used on an action of one's own was declared with it");
        }
        let roll = (action.kind, action.target.and_then(Target::char));
        boons::object_ability(at, who, roll, ability, out);
        boons::object_using(at, who, roll, using, out);
        // What a called test is on and uses is settled: the ability has to fit it.
        if action.called && action.kind == Kind::Test {
            act::object_fit(at, who, (ability, action.target, Some(action.attribute)), out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        if let Answer::Ready { die, ability, using } = answer {
            commit(play, (die, ability, using));
        }
    }
}

/// Whether the gamemaster plays bad fortune on a save.
pub(crate) mod misfortune {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let who = at.rules.name(who);
        Told::new(format!("{who} holds bad fortune: is it played on this save?"))
            .why(clause!("fortune.bad-use"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Pass, Answer::BadFortune].into_iter().for_each(each);
    }

    takes!(
        Answer,
        Answer::Pass | Answer::BadFortune,
        clause!("fortune.bad-use"),
        "bad fortune is played, or not"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if answer == Answer::BadFortune && at.state.being(who).bad.now == 0 {
            out.no(clause!("bad.fortune"), "they have no bad fortune to be played in this scene");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(action) = &mut play.state.action else { return };
        if answer == Answer::BadFortune {
            action.throw.bad = true;
            fortune(play, who, Fate::Bad);
        } else {
            action.step = Step::Spend;
        }
    }
}

/// How much Light is spent, and what else can be done with the dice seen.
pub(crate) mod spend {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let Some(action) = &at.state.action else { return Told::default() };
        let Throw { truth, light, writhe, .. } = action.throw;
        let (who, power, number) = (at.rules.name(who), action.power, number_words(action, viewer));
        let die = if writhe > 0 { format!(", writhing die {writhe}") } else { String::new() };
        let asked = match most(action) {
            0 => "Light cannot fall below 1: there is none to spend",
            _ => "How much Light do you spend?",
        };
        Told::new(format!("{who}: Truth {truth}, Light {light}{die}, {power:+} against {number}. {asked}"))
            .why(clause!("spend.choice"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        let Some(action) = &at.state.action else { return };
        (0..=most(action)).for_each(|light| each(Answer::Spend(light as i8)));
        if may_claim(at.state, action) {
            let reason = usual_reason();
            let fails = |&light: &u8| !action.told || is_on_purpose(&at.rules.options, action, light);
            let claims = (0..=most(action)).filter(fails);
            claims.for_each(|light| each(Answer::Claim { spend: light as i8, reason }));
        }
        if at.state.being(action.who).good.now > 0 && !action.throw.good {
            each(Answer::GoodFortune);
        }
        if action.throw.rerolls > 0 {
            each(Answer::Reroll);
        }
    }

    takes!(
        Answer,
        Answer::Spend(_) | Answer::Claim { .. } | Answer::GoodFortune | Answer::Reroll,
        clause!("spend.choice"),
        "expected how much Light is spent"
    );

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        if let Some(action) = &at.state.action {
            of(at, action, answer, out);
        }
    }

    /// The same of an action with these dice.
    pub(crate) fn of(at: At<'_>, action: &Action, answer: Answer, out: &mut impl Objections) {
        let At { rules, state } = at;
        let in_range = |spend: i8| spend >= 0 && spend <= most(action) as i8;
        match answer {
            Answer::Spend(spend) | Answer::Claim { spend, .. } if !in_range(spend) => {
                out.no(clause!("bad.spend"), "Light is spent in whole points, from none to all but the last");
            }
            Answer::Claim { spend, .. } => {
                let die = state.being(action.who).die;
                if die.held {
                    out.no(clause!("bad.writhing"), "they hold a writhing die already");
                } else if die.gained {
                    out.no(clause!("bad.writhing"), "one writhing die a scene is gained");
                } else if !may_claim(state, action) {
                    let what = "the reason was not enough: this roll earns no writhing die";
                    out.no(clause!("bad.writhing"), what);
                }
                // Where the number is hidden this is looked at once it is known.
                if action.told && result(&rules.options, action, spend as u8).success {
                    let what = "that succeeds, and only a failure is on account of the writhing";
                    out.no(clause!("bad.writhing"), what);
                } else if action.told && !is_on_purpose(&rules.options, action, spend as u8) {
                    let what = "no Light that could be spent would have made it succeed";
                    out.no(clause!("bad.writhing"), what);
                }
            }
            Answer::GoodFortune => {
                if state.being(action.who).good.now == 0 {
                    out.no(clause!("bad.fortune"), "they have no good fortune to play in this scene");
                } else if action.throw.good {
                    out.no(clause!("bad.fortune"), "good fortune was played on this roll already");
                }
            }
            Answer::Reroll if action.throw.rerolls == 0 => {
                out.no(clause!("ext.feat"), "nothing that they used lets this Light be rolled again");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(action) = &mut play.state.action else { return };
        match answer {
            Answer::Spend(spend) => finish(play, spend.max(0) as u8),
            Answer::Claim { spend, reason } => {
                action.throw.spent = spend.max(0) as u8;
                action.throw.claim = Claim::Made;
                action.step = Step::Reason;
                play.event(Event::Claimed { who, reason });
            }
            Answer::GoodFortune => {
                action.throw.good = true;
                fortune(play, who, Fate::Good);
            }
            Answer::Reroll => {
                action.throw.rerolls = action.throw.rerolls.saturating_sub(1);
                action.step = Step::Reroll;
            }
            _ => {}
        }
    }
}

/// Whether the gamemaster finds the reason for a claim sufficient; a refusal returns to spending
/// (`writhing-refused`).
pub(crate) mod reason {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let (name, writhing) = (at.rules.name(who), &at.rules.sheet(who).writhing);
        let what = "fails on purpose, on account of this writhing";
        Told::new(format!("{name} {what}: {writhing}. Is the reason good enough?"))
            .why(clause!("writhing.gm-approves"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Yes, Answer::No].into_iter().for_each(each);
    }

    takes!(Answer, Answer::Yes | Answer::No, clause!("writhing.gm-approves"), "expected yes or no");

    /// What was claimed may not be the reason any more.
    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let Some(action) = at.state.action.filter(|_| answer == Answer::Yes) else { return };
        let claim = Answer::Claim { spend: action.throw.spent as i8, reason: None };
        let unclaimed = Action { throw: Throw { claim: Claim::None, ..action.throw }, ..action };
        spend::of(at, &unclaimed, claim, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(action) = &mut play.state.action else { return };
        if answer == Answer::Yes {
            action.throw.claim = Claim::Taken;
            let spent = action.throw.spent;
            finish(play, spent);
        } else {
            action.throw.claim = Claim::Refused;
            action.throw.spent = 0;
            play.event(Event::Unfounded(who));
            spend_next(play.state);
        }
    }
}
