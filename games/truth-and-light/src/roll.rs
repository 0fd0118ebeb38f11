//! The roll: what goes into it, the dice, fortune, and spending Light
//! (Rolling Dice, Writhings).

use crate::{
    act,
    answer::Answer,
    boons,
    effect::Verb,
    event::Event,
    outcome, power,
    rules::Rules,
    settle,
    state::{Action, Claim, Outcome, State, Step, Throw},
    vocab::*,
};
use fracas_kernel::{Any, Label as Name, Objections, Sink, fine};

/// How many dice are due (`roll.two-dice`).
pub(crate) const fn dice(action: &Action) -> u8 {
    match action.step {
        Step::Reroll => 1,
        _ => 2 + action.die as u8,
    }
}

/// Whether a writhing die can go into the roll (`writhing.same-scene`).
fn can_spend_die(state: &State, action: &Action) -> bool {
    let die = state.being(action.who).die;
    die.held && !die.spent
}

/// The dice are near: the player is asked what goes into the roll, if there is
/// anything to say.
pub(crate) fn prepare(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(mut action) = state.action else { return };
    action.step = Step::Ready;
    state.action = Some(action);
    let mut ways = 0;
    legal_ready(rules, state, &action, &mut |_| ways += 1);
    if ways < 2 {
        commit(rules, state, (false, None, None), sink);
    }
}

/// Lists what can go into the roll.
pub(crate) fn legal_ready(rules: &Rules, state: &State, action: &Action, each: &mut impl FnMut(Answer)) {
    let dice: &[bool] = if can_spend_die(state, action) { &[false, true] } else { &[false] };
    let none = std::iter::once(None);
    for &die in dice {
        for ability in none.clone().chain(rules.abilities_of(action.who).map(Some)) {
            for using in std::iter::once(None)
                .chain(boons::single_use(rules, state, action.who, action.kind).map(Some))
            {
                let answer = Answer::Ready { die, ability, using };
                if fine(|out: &mut Any| object_ready(rules, state, action, answer, out)) {
                    each(answer);
                }
            }
        }
    }
}

/// Collects the reasons against what would go into the roll.
pub(crate) fn object_ready(
    rules: &Rules,
    state: &State,
    action: &Action,
    answer: Answer,
    out: &mut impl Objections,
) {
    let Answer::Ready { die, ability, using } = answer else {
        let clause = act::stray(answer).unwrap_or(clause!("writhing.spend"));
        return out
            .no(clause, "expected what goes into the roll: the writhing die, an ability, a boon used once");
    };
    let held = state.being(action.who).die;
    if die && held.spent {
        out.no(clause!("bad.writhing"), "one writhing die a scene is spent");
    } else if die && !held.held {
        out.no(clause!("bad.writhing"), "they hold no writhing die");
    }
    if !action.called && (ability.is_some() || using.is_some()) {
        out.no(clause!("ability.use"), "what is used on an action of one's own was declared with it");
    }
    let roll = (action.kind, action.target.and_then(Target::char));
    boons::object_ability(rules, state, action.who, roll, ability, out);
    boons::object_using(rules, state, action.who, roll, using, out);
    // What a called test is on and uses is settled: the ability has to fit it.
    if action.called && action.kind == Kind::Test {
        act::object_fit(rules, state, action.who, (ability, action.target, Some(action.attribute)), out);
    }
}

/// What goes into the roll is settled.
pub(crate) fn apply_ready(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    if let Answer::Ready { die, ability, using } = answer {
        commit(rules, state, (die, ability, using), sink);
    }
}

/// Counts the use of an ability and of a boon that serves once.
pub(crate) fn count_ability(state: &mut State, action: &Action, sink: &mut impl Sink<Event>) {
    let who = action.who;
    if let Some(ability) = action.ability {
        let uses = &mut state.uses[ability.index()];
        *uses = uses.saturating_add(1);
        sink.event(Event::Ability { who, ability });
    }
    if let Some(boon) = action.using {
        let (boon, name) = boons::told(state, boon);
        sink.event(Event::Used { who, boon, name });
    }
}

/// Attribute, bonuses and penalties are settled before the dice fall: a second
/// roll keeps them (`push.redo`, `push-modifier-use`).
fn commit(
    rules: &Rules,
    state: &mut State,
    (die, ability, using): (bool, Option<Ability>, Option<Boon>),
    sink: &mut impl Sink<Event>,
) {
    let Some(mut action) = state.action else { return };
    if die {
        let held = &mut state.being_mut(action.who).die;
        held.held = false;
        held.spent = true;
        sink.event(Event::DieSpent(action.who));
    }
    action.die = die;
    action.ability = action.ability.or(ability);
    action.using = action.using.or(using);
    if let Some(ability) = ability {
        action.tags = action.tags.or(rules.power(ability).tags);
    }
    count_ability(state, &action, sink);
    count(rules, state, &mut action);
    state.action = Some(action);
    throw(rules, state);
}

/// Counts what goes into the roll.
pub(crate) fn count(rules: &Rules, state: &State, action: &mut Action) {
    action.ability_used = power::uses_ability(rules, state, action);
    action.power = power::total(rules, state, action);
}

/// How often what is used on a roll lets Light be rolled again.
pub(crate) fn rerolls(rules: &Rules, state: &State, action: &Action) -> u8 {
    let ability = action.ability.map(|ability| &rules.power(ability).effects);
    let boon = action.using.map(|boon| &rules.boons[state.pattern(boon).index()].effects);
    let effects = ability.into_iter().chain(boon).flatten();
    effects.filter(|effect| effect.verb == Verb::RerollLight && effect.into_roll()).count().min(9) as u8
}

/// The dice are due: a throw of which nothing is known yet.
pub(crate) fn throw(rules: &Rules, state: &mut State) {
    let Some(action) = state.action else { return };
    let throw = Throw { rerolls: rerolls(rules, state, &action), ..Throw::default() };
    state.action = Some(Action { throw, step: Step::Dice, ..action });
}

/// Dice have fallen: Truth, then Light, then the writhing die (`roll.distinct`).
pub(crate) fn fell(rules: &Rules, state: &mut State, faces: &[u8], sink: &mut impl Sink<Event>) {
    if let Some(action) = state.action.filter(|action| !action.has_rolled()) {
        settle::begin(rules, state, &action, sink);
    }
    let Some(action) = &mut state.action else { return };
    let who = action.who;
    match (action.step, faces) {
        (Step::Reroll, &[light]) => {
            action.throw.light = light;
            sink.event(Event::Rerolled { who, light });
        }
        (_, &[truth, light, ref writhe @ ..]) => {
            let writhe = writhe.first().copied().unwrap_or(0);
            action.throw = Throw { truth, light, writhe, ..action.throw };
            sink.event(Event::Rolled { who, truth, light, writhe });
        }
        _ => return,
    }
    spend_next(state);
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

/// Plays bad fortune, or lets the roll be.
pub(crate) fn apply_misfortune(state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    if answer == Answer::BadFortune {
        let who = action.who;
        action.throw.bad = true;
        action.played[Fate::Bad as usize] += 1;
        action.step = Step::Reroll;
        let bad = &mut state.being_mut(who).bad;
        bad.now = bad.now.saturating_sub(1);
        sink.event(Event::Played { who, fate: Fate::Bad });
    } else {
        action.step = Step::Spend;
    }
}

/// Action power and what is left of Light after spending so much
/// (`spend.final-values`, `power.sum`).
pub(crate) const fn after(action: &Action, spend: u8) -> (i8, u8) {
    let Throw { truth, light, writhe, .. } = action.throw;
    (action.power.saturating_add((truth + spend + writhe) as i8), light.saturating_sub(spend))
}

/// What a roll comes to with so much Light spent (`outcome.six`,
/// `save.three-results`).
pub(crate) fn result(action: &Action, spend: u8) -> Outcome {
    let (ap, left) = after(action, spend);
    let band = Band::of(left);
    let margin = i16::from(ap) - i16::from(*action.tn.reveal());
    let success = margin >= 0;
    let degrees = margin.unsigned_abs().min(200) as u8;
    match (action.kind, success, action.pushed) {
        // `save.success-innocent`, `save.fail-3-to-6`, `save.fail-1-2`.
        (Kind::Save, false, _) if band == Band::Guilty => Outcome { success, band, degrees },
        (Kind::Save, ..) => Outcome { success, band: Band::Innocent, degrees },
        // `push.any-failure`, `push.any-success`.
        (Kind::Test, false, true) => Outcome { success, band: Band::Guilty, degrees: degrees + 2 },
        (Kind::Test, true, true) => Outcome { success, band: Band::Glorious, degrees: degrees + 2 },
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

/// Whether a failure at so much Light spent is one that more would have avoided
/// (`writhing.claim-reachable`).
fn is_on_purpose(action: &Action, spend: u8) -> bool {
    !result(action, spend).success && result(action, most(action)).success
}

/// Stands for how the writhing got in the way, in the player's words.
pub(crate) fn usual_reason() -> Option<Name> {
    "as ever".parse().ok()
}

/// Lists ways to spend, and what else can be done with the dice seen.
pub(crate) fn legal_spend(state: &State, action: &Action, each: &mut impl FnMut(Answer)) {
    (0..=most(action)).for_each(|light| each(Answer::Spend(light as i8)));
    let mut put = |answer: Answer| {
        if fine(|out: &mut Any| object_spend(state, action, answer, out)) {
            each(answer);
        }
    };
    let reason = usual_reason();
    (0..=most(action)).for_each(|light| put(Answer::Claim { spend: light as i8, reason }));
    put(Answer::GoodFortune);
    put(Answer::Reroll);
}

/// Collects the reasons against a way to spend.
pub(crate) fn object_spend(state: &State, action: &Action, answer: Answer, out: &mut impl Objections) {
    let in_range = |spend: i8| spend >= 0 && spend <= most(action) as i8;
    match answer {
        Answer::Spend(spend) => {
            if !in_range(spend) {
                out.no(clause!("bad.spend"), "Light is spent in whole points, from none to all but the last");
            }
        }
        Answer::Claim { spend, .. } => {
            if !in_range(spend) {
                return out.no(
                    clause!("bad.spend"),
                    "Light is spent in whole points, from none to all but the last",
                );
            }
            let die = state.being(action.who).die;
            if die.held {
                out.no(clause!("bad.writhing"), "they hold a writhing die already");
            } else if die.gained {
                out.no(clause!("bad.writhing"), "one writhing die a scene is gained");
            } else if !may_claim(state, action) {
                out.no(clause!("bad.writhing"), "the reason was not enough: this roll earns no writhing die");
            }
            // Where the number is hidden this is looked at once it is known.
            if action.told && result(action, spend as u8).success {
                out.no(
                    clause!("bad.writhing"),
                    "that succeeds, and only a failure is on account of the writhing",
                );
            } else if action.told && !is_on_purpose(action, spend as u8) {
                out.no(clause!("bad.writhing"), "no Light that could be spent would have made it succeed");
            }
        }
        Answer::GoodFortune => {
            if state.being(action.who).good.now == 0 {
                out.no(clause!("bad.fortune"), "they have no good fortune to play in this scene");
            } else if action.throw.good {
                out.no(clause!("bad.fortune"), "good fortune was played on this roll already");
            }
        }
        Answer::Reroll => {
            if action.throw.rerolls == 0 {
                out.no(clause!("ext.feat"), "nothing that they used lets this Light be rolled again");
            }
        }
        _ => {
            let clause = act::stray(answer).unwrap_or(clause!("spend.choice"));
            out.no(clause, "expected how much Light is spent");
        }
    }
}

/// Collects the reasons why a writhing that was claimed cannot be the reason any more.
pub(crate) fn object_claimed(state: &State, action: &Action, out: &mut impl Objections) {
    let spend = action.throw.spent as i8;
    let unclaimed = Action { throw: Throw { claim: Claim::None, ..action.throw }, ..*action };
    object_spend(state, &unclaimed, Answer::Claim { spend, reason: None }, out);
}

/// Spends, claims, or has Light rolled again.
pub(crate) fn apply_spend(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    let who = action.who;
    match answer {
        Answer::Spend(spend) => finish(rules, state, spend.max(0) as u8, sink),
        Answer::Claim { spend, reason } => {
            action.throw.spent = spend.max(0) as u8;
            action.throw.claim = Claim::Made;
            action.step = Step::Reason;
            sink.event(Event::Claimed { who, reason });
        }
        Answer::GoodFortune => {
            action.throw.good = true;
            action.played[Fate::Good as usize] += 1;
            action.step = Step::Reroll;
            let good = &mut state.being_mut(who).good;
            good.now = good.now.saturating_sub(1);
            sink.event(Event::Played { who, fate: Fate::Good });
        }
        Answer::Reroll => {
            action.throw.rerolls = action.throw.rerolls.saturating_sub(1);
            action.step = Step::Reroll;
        }
        _ => {}
    }
}

/// The gamemaster judges the reason; a refusal returns to spending
/// (`writhing-refused`).
pub(crate) fn apply_reason(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    if answer == Answer::Yes {
        action.throw.claim = Claim::Taken;
        let spent = action.throw.spent;
        finish(rules, state, spent, sink);
    } else {
        action.throw.claim = Claim::Refused;
        action.throw.spent = 0;
        sink.event(Event::Unfounded(action.who));
        spend_next(state);
    }
}

/// Spending is final (`spend-final`).
fn finish(rules: &Rules, state: &mut State, spend: u8, sink: &mut impl Sink<Event>) {
    let Some(mut action) = state.action else { return };
    let who = action.who;
    let (_, left) = after(&action, spend);
    action.throw.spent = spend;
    action.told = true;
    let truth = action.throw.truth + spend + action.throw.writhe;
    sink.event(Event::Spent { who, light: spend, truth, left });
    action.result = result(&action, spend);
    if action.throw.claim == Claim::Taken {
        if is_on_purpose(&action, spend) {
            let die = &mut state.being_mut(who).die;
            die.held = true;
            die.gained = true;
            sink.event(Event::DieGained(who));
        } else {
            action.throw.claim = Claim::Refused;
            sink.event(Event::Void(who));
        }
    }
    // It is settled as failed: nothing is left to push on with (`writhing-glorious`).
    if action.throw.claim == Claim::Taken && action.result.band == Band::Glorious {
        action.result.band = Band::Innocent;
    }
    if let Some(npc) = act::rival(rules, &action, action.reach) {
        state.known = state.known.with(npc);
    }
    state.action = Some(action);
    outcome::resolve(rules, state, sink);
}
