//! What a roll came to, and what comes of it (Degrees, Glorious Failures).

use crate::{
    act,
    answer::Answer,
    effect::Effect,
    event::Event,
    impose::{self, Doing},
    power, roll,
    rules::Rules,
    scene, settle,
    state::{Action, Lie, Origin, Outcome, State, Step},
    vocab::*,
};
use fracas_kernel::{Objections, Sink};

/// The result is known.
pub(crate) fn resolve(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(mut action) = state.action else { return };
    let Action { who, kind, result, .. } = action;
    let (ap, _) = roll::after(&action, action.throw.spent);
    sink.event(Event::Result { who, kind, result, ap, tn: *action.tn.reveal() });
    // Saves never come to that (`save.no-push-on`).
    if !result.success && result.band == Band::Glorious {
        action.step = Step::Push;
        state.action = Some(action);
        return;
    }
    settled(rules, state, sink);
}

/// Collects the reasons against withdrawing or pushing on (`push.offer`).
pub(crate) fn object_push(answer: Answer, out: &mut impl Objections) {
    if !matches!(answer, Answer::PushOn | Answer::Withdraw) {
        let clause = act::stray(answer).unwrap_or(clause!("push.offer"));
        out.no(clause, "after a glorious failure one withdraws or pushes on");
    }
}

/// Withdraws, or rolls a second time.
pub(crate) fn apply_push(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    let who = action.who;
    if answer == Answer::PushOn {
        // The same roll with the same circumstances, and Light of its own
        // (`push.redo`, `spend.any-roll`).
        action.pushed = true;
        sink.event(Event::PushedOn(who));
        roll::throw(rules, state);
    } else {
        action.result.band = Band::Innocent;
        let result = action.result;
        sink.event(Event::Withdrew { who, result });
        settled(rules, state, sink);
    }
}

/// No more dice: what lasted for this roll ends. A glory is picked before the action
/// succeeds, and a guilt after it has succeeded or failed (`guilt-or-success-first`).
fn settled(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(mut action) = state.action else { return };
    let Outcome { success, band, .. } = action.result;
    let count = state.tally.of(action.kind, action.result);
    *count = count.saturating_add(1);
    let roll = power::facts(rules, state, &action);
    impose::rolled(rules, state, action.who, &roll, sink);
    action.step = Step::Result;
    state.action = Some(action);
    action.step = match (action.kind, success, band) {
        (Kind::Test, _, Band::Guilty) => {
            come_about(rules, state, &action, sink);
            // Somebody whom their own result takes out has nothing more to pay.
            if !state.is_in(action.who) {
                sink.event(Event::Guiltless(action.who));
                return close(rules, state, Label::Major, sink);
            }
            Step::Guilt
        }
        (Kind::Test, true, Band::Glorious) => Step::Glory,
        (Kind::Save, false, Band::Guilty) => Step::Upper,
        _ => return deliver(rules, state, sink),
    };
    state.action = Some(action);
}

/// What the action was for comes about, or does not, and the action is over.
pub(crate) fn deliver(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    come_about(rules, state, &action, sink);
    conclude(rules, state, sink);
}

/// What follows from a guilt by itself, and the action is over.
pub(crate) fn conclude(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    by_themselves(rules, state, &action, &[Trigger::Guilt], sink);
    close(rules, state, Label::Major, sink);
}

/// What the action was for comes about, or does not (`test.success`,
/// `save.failure`).
pub(crate) fn come_about(rules: &Rules, state: &mut State, action: &Action, sink: &mut impl Sink<Event>) {
    let Action { who, kind, result, .. } = *action;
    match (kind, result.success) {
        (Kind::Test, true) => succeed(rules, state, action, sink),
        (Kind::Save, true) => used(rules, state, action, sink),
        // The degrees of a failed save are those of the other's success
        // (`npc-degrees`).
        (Kind::Save, false) => {
            if let Some(end) = action.end {
                impose::end(rules, state, end, Target::Char(who), action.target, result.degrees, sink);
            }
            // Who was held breaks free of the holder who failed (`held-by-a-player`).
            if let (Some(cause), Some(npc)) = (action.shake, power::opponent(rules, action)) {
                impose::shake(state, npc, Label::Major, cause, sink);
            }
        }
        // A failed attack is a successful defence (`action.defense-npc`).
        (Kind::Test, false) => {}
    }
    let triggers = [Trigger::Success, Trigger::Failure, Trigger::Glory, Trigger::Warded];
    by_themselves(rules, state, action, &triggers, sink);
}

/// A test succeeds: its end, its ability, its boon, what it shakes off.
pub(crate) fn succeed(rules: &Rules, state: &mut State, action: &Action, sink: &mut impl Sink<Event>) {
    let Action { who, result, target, .. } = *action;
    if let (Some(end), Some(on)) = (action.end, target) {
        impose::end(rules, state, end, on, Some(Target::Char(who)), result.degrees, sink);
    }
    used(rules, state, action, sink);
    // A hold whose holder went out meanwhile is over, and it was the one to break.
    let is_held = act::keeper(state, who, action.shake) == target.and_then(Target::char);
    if let Some(cause) = action.shake.filter(|_| is_held) {
        impose::shake(state, who, Label::Major, cause, sink);
    }
}

/// Does what an ability and a boon that were used do, besides what they added to
/// the roll.
fn used(rules: &Rules, state: &mut State, action: &Action, sink: &mut impl Sink<Event>) {
    let them = action.target.and_then(Target::char);
    // Whoever attacks is no ally.
    let aim = action.ability.map(|ability| rules.power(ability).aim);
    let them = them.filter(|&them| rules.is_pc(them) || aim != Some(Aim::Ally));
    let doing = |from| Doing {
        ally: them.filter(|&who| rules.is_pc(who)),
        degrees: action.result.degrees,
        ..Doing::of(from, Some(action.who), them)
    };
    if let Some(ability) = action.ability {
        each_after(&rules.power(ability).effects, |effect| {
            impose::impose(rules, state, effect, doing(Origin::Ability(ability)), sink);
        });
    }
    if let Some(boon) = action.using {
        // The boon is gone before its effects are over, and a boon made in play has no name then.
        let pattern = state.pattern(boon);
        each_after(&rules.boons[pattern.index()].effects, |effect| {
            impose::impose(rules, state, effect, doing(Origin::Boon(pattern)), sink);
        });
    }
}

/// Every effect that comes after the roll rather than into it.
fn each_after(effects: &[Effect], each: impl FnMut(&Effect)) {
    effects.iter().filter(|effect| !effect.into_roll()).for_each(each);
}

/// Feats that work by themselves on such a result (`ext.feat`).
fn by_themselves(
    rules: &Rules,
    state: &mut State,
    action: &Action,
    triggers: &[Trigger],
    sink: &mut impl Sink<Event>,
) {
    let who = action.who;
    if !rules.gifted.has(who) || action.barred {
        return;
    }
    let Outcome { success, band, degrees } = action.result;
    for ability in rules.abilities_of(who) {
        let power = rules.power(ability);
        let meets = match (power.trigger, action.kind) {
            (Trigger::Success, Kind::Test) => success,
            (Trigger::Failure, Kind::Test) => !success,
            (Trigger::Guilt, Kind::Test) => band == Band::Guilty,
            (Trigger::Glory, Kind::Test) => success && band == Band::Glorious,
            (Trigger::Warded, Kind::Save) => success,
            _ => false,
        };
        if !meets
            || !state.is_in(who)
            // A ban through this action holds until all of it is done (`when-resolved`), and one
            // of those before it may have laid another (`effects-in-order`).
            || power::is_banned(state, who)
            || !triggers.contains(&power.trigger)
            || (power.limit > 0 && state.uses[ability.index()] >= power.limit)
        {
            continue;
        }
        let them = action.target.and_then(Target::char);
        let doing = Doing { degrees, ..Doing::of(Origin::Ability(ability), Some(who), them) };
        if is_idle(rules, state, &power.effects, doing) {
            continue;
        }
        state.uses[ability.index()] = state.uses[ability.index()].saturating_add(1);
        sink.event(Event::Ability { who, ability });
        impose::all(rules, state, &power.effects, doing, sink);
    }
}

/// Whether nothing would come of these effects now: then what has them is not spent. What
/// has none is told by the table.
fn is_idle(rules: &Rules, state: &State, effects: &[Effect], doing: Doing) -> bool {
    let (mut after, mut words) = (state.clone(), InWords { rules, any: false });
    impose::all(rules, &mut after, effects, doing, &mut words);
    !effects.is_empty() && !words.any && after == *state
}

/// Takes notice of whether something is told that changes no number.
struct InWords<'r> {
    rules: &'r Rules,
    any: bool,
}

impl Sink<Event> for InWords<'_> {
    fn event(&mut self, event: Event) {
        self.any |= match event {
            Event::Told { .. } => true,
            // What is not counted is for the table to tell, though nothing else comes of it.
            Event::End { on, end, .. } => {
                let ending = self.rules.ending(end);
                let counted = ending.track.zip(on.char());
                let counted = counted.is_some_and(|(track, who)| impose::counts(self.rules, who, track));
                ending.effects.is_empty() || ending.damaging && !counted
            }
            _ => false,
        };
    }
}

/// Whoever was attacked has noticed (`tn-tailing-spy`).
fn notice(rules: &Rules, state: &mut State, action: &Action, sink: &mut impl Sink<Event>) {
    if let Some(npc) = power::opponent(rules, action)
        && action.attack
        && std::mem::take(&mut state.being_mut(npc).unaware)
    {
        sink.event(Event::Noticed(npc));
    }
}

/// The action is over: the next of those who save, or the floor goes on.
pub(crate) fn close(rules: &Rules, state: &mut State, label: Label, sink: &mut impl Sink<Event>) {
    let Some(action) = state.action else { return };
    impose::done(rules, state, &action, sink);
    notice(rules, state, &action, sink);
    if let Some(boon) = action.using
        && state.place(boon).holder == Some(action.who)
    {
        state.put(boon, None, Lie::Gone);
    }
    if action.kind == Kind::Save && settle::next_save(rules, state, sink) {
        return;
    }
    state.action = None;
    scene::over(rules, state, &action, label, sink);
}

/// Raises the degrees of what has just been rolled (`glory.break-now`,
/// `ext.npc-glory`).
pub(crate) fn raise(state: &mut State, by: u8, sink: &mut impl Sink<Event>) {
    let Some(action) = &mut state.action else { return };
    action.result.degrees = action.result.degrees.saturating_add(by);
    let Action { who, result, kind, .. } = *action;
    // Of a save the degrees are the other's, whose power nobody rolled.
    let (ap, _) = roll::after(action, action.throw.spent);
    let ap = (kind == Kind::Test).then(|| ap.saturating_add(by.min(100) as i8));
    sink.event(Event::Degrees { who, result, kind, ap });
}

/// The ability whose own words a Whisper has for a guilt or a glory.
pub(crate) fn in_words(rules: &Rules, action: &Action, at: usize) -> Option<Ability> {
    action.ability.filter(|&ability| rules.power(ability).words[at].is_some())
}

/// Every boon that others nearby have, those of foes first.
pub(crate) fn others(rules: &Rules, state: &State, who: Char, each: &mut impl FnMut(Char, Boon)) {
    for other in state.foes_first(rules, who).filter(|&other| state.near(who, other)) {
        for boon in state.held(other) {
            each(other, boon);
        }
    }
}
