//! What a roll came to, and what comes of it (Degrees, Glorious Failures).

use crate::impose::{self, Doing};
use crate::state::{Action, Lie, Origin, Outcome, Step};
use crate::{
    At, Play, act, answer::Answer, effect::Effect, event::Event, power, roll, rules::Rules, scene, settle,
    vocab::*,
};
use fracas_kernel::{Objections, Sink, Told, Viewer, takes};

/// The result is known.
pub(crate) fn resolve(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut action) = play.state.action else { return };
    let Action { who, kind, result, .. } = action;
    let (ap, _) = roll::after(&action, action.throw.spent);
    play.event(Event::Result { who, kind, result, ap, tn: *action.tn.reveal() });
    // Saves never come to that (`save.no-push-on`).
    if !result.success && result.band == Band::Glorious {
        action.step = Step::Push;
        play.state.action = Some(action);
        return;
    }
    settled(play);
}

/// Whether somebody withdraws after a glorious failure, or pushes on.
pub(crate) mod push {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let who = at.rules.name(who);
        Told::new(format!("{who} fails gloriously: withdraw, or push on?")).why(clause!("push.offer"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::Withdraw, Answer::PushOn].into_iter().for_each(each);
    }

    takes!(
        Answer,
        Answer::PushOn | Answer::Withdraw,
        clause!("push.offer"),
        "after a glorious failure one withdraws or pushes on"
    );

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    /// Withdraws, or rolls a second time.
    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(action) = &mut play.state.action else { return };
        if answer == Answer::PushOn {
            // The same roll with the same circumstances, and Light of its own
            // (`push.redo`, `spend.any-roll`).
            action.pushed = true;
            play.event(Event::PushedOn(who));
            roll::throw(play.rules, play.state);
        } else {
            action.result.band = Band::Innocent;
            let result = action.result;
            play.event(Event::Withdrew { who, result });
            settled(play);
        }
    }
}

/// No more dice: what lasted for this roll ends. A glory is picked before the action
/// succeeds, and a guilt after it has succeeded or failed (`guilt-or-success-first`).
fn settled(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(mut action) = play.state.action else { return };
    let Outcome { success, band, .. } = action.result;
    let count = play.state.tally.of(action.kind, action.result);
    *count = count.saturating_add(1);
    let roll = power::facts(play.at(), &action);
    impose::rolled(play, action.who, &roll);
    action.step = Step::Result;
    play.state.action = Some(action);
    action.step = match (action.kind, success, band) {
        (Kind::Test, _, Band::Guilty) => {
            come_about(play, &action);
            // Somebody whom their own result takes out has nothing more to pay.
            if !play.state.is_in(action.who) {
                play.event(Event::Guiltless(action.who));
                return close(play, Label::Major);
            }
            Step::Guilt
        }
        (Kind::Test, true, Band::Glorious) => Step::Glory,
        (Kind::Save, false, Band::Guilty) => Step::Upper,
        _ => return deliver(play),
    };
    play.state.action = Some(action);
}

/// What the action was for comes about, or does not, and the action is over.
pub(crate) fn deliver(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(action) = play.state.action else { return };
    come_about(play, &action);
    conclude(play);
}

/// What follows from a guilt by itself, and the action is over.
pub(crate) fn conclude(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(action) = play.state.action else { return };
    by_themselves(play, &action, &[Trigger::Guilt]);
    close(play, Label::Major);
}

/// What the action was for comes about, or does not (`test.success`,
/// `save.failure`).
pub(crate) fn come_about(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let Action { who, kind, result, .. } = *action;
    match (kind, result.success) {
        (Kind::Test, true) => succeed(play, action),
        (Kind::Save, true) => used(play, action),
        // The degrees of a failed save are those of the other's success
        // (`npc-degrees`).
        (Kind::Save, false) => {
            if let Some(end) = action.end {
                impose::end(play, end, Target::Char(who), action.target, result.degrees);
            }
            // Who was held breaks free of the holder who failed (`held-by-a-player`).
            if let (Some(cause), Some(npc)) = (action.shake, power::opponent(play.rules, action)) {
                impose::shake(play, npc, Label::Major, cause);
            }
        }
        // A failed attack is a successful defence (`action.defense-npc`).
        (Kind::Test, false) => {}
    }
    let triggers = [Trigger::Success, Trigger::Failure, Trigger::Glory, Trigger::Warded];
    by_themselves(play, action, &triggers);
}

/// A test succeeds: its end, its ability, its boon, what it shakes off.
pub(crate) fn succeed(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let Action { who, result, target, .. } = *action;
    if let (Some(end), Some(on)) = (action.end, target) {
        impose::end(play, end, on, Some(Target::Char(who)), result.degrees);
    }
    used(play, action);
    // A hold whose holder went out meanwhile is over, and it was the one to break.
    let is_held = act::keeper(play.state, who, action.shake) == target.and_then(Target::char);
    if let Some(cause) = action.shake.filter(|_| is_held) {
        impose::shake(play, who, Label::Major, cause);
    }
}

/// Does what an ability and a boon that were used do, besides what they added to
/// the roll.
fn used(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let them = action.target.and_then(Target::char);
    // An attacker is no ally.
    let aim = action.ability.map(|ability| play.rules.power(ability).aim);
    let them = them.filter(|&them| play.rules.is_pc(them) || aim != Some(Aim::Ally));
    let doing = |from| Doing {
        ally: them.filter(|&who| play.rules.is_pc(who)),
        degrees: action.result.degrees,
        ..Doing::of(from, Some(action.who), them)
    };
    if let Some(ability) = action.ability {
        each_after(&play.rules.power(ability).effects, |effect| {
            impose::impose(play, effect, doing(Origin::Ability(ability)));
        });
    }
    if let Some(boon) = action.using {
        // The boon is gone before its effects are over, and a boon made in play has no name then.
        let pattern = play.state.pattern(boon);
        each_after(&play.rules.boons[pattern.index()].effects, |effect| {
            impose::impose(play, effect, doing(Origin::Boon(pattern)));
        });
    }
}

/// Every effect that comes after the roll rather than into it.
fn each_after(effects: &[Effect], each: impl FnMut(&Effect)) {
    effects.iter().filter(|effect| !effect.into_roll()).for_each(each);
}

/// Feats that work by themselves on such a result (`ext.feat`).
fn by_themselves(play: &mut Play<'_, impl Sink<Event>>, action: &Action, triggers: &[Trigger]) {
    let who = action.who;
    if !play.rules.gifted.has(who) || action.barred {
        return;
    }
    let Outcome { success, band, degrees } = action.result;
    for ability in play.rules.abilities_of(who) {
        let power = play.rules.power(ability);
        let meets = match (power.trigger, action.kind) {
            (Trigger::Success, Kind::Test) => success,
            (Trigger::Failure, Kind::Test) => !success,
            (Trigger::Guilt, Kind::Test) => band == Band::Guilty,
            (Trigger::Glory, Kind::Test) => success && band == Band::Glorious,
            (Trigger::Warded, Kind::Save) => success,
            _ => false,
        };
        if !meets
            || !play.state.is_in(who)
            // A ban through this action holds until all of it is done (`when-resolved`), and one
            // of those before it may have laid another (`effects-in-order`).
            || power::is_banned(play.state, who)
            || !triggers.contains(&power.trigger)
            || (power.limit > 0 && play.state.uses[ability.index()] >= power.limit)
        {
            continue;
        }
        let them = action.target.and_then(Target::char);
        let doing = Doing { degrees, ..Doing::of(Origin::Ability(ability), Some(who), them) };
        if is_idle(play.at(), &power.effects, doing) {
            continue;
        }
        play.state.uses[ability.index()] = play.state.uses[ability.index()].saturating_add(1);
        play.event(Event::Ability { who, ability });
        impose::all(play, &power.effects, doing);
    }
}

/// Whether nothing would come of these effects now: then what has them is not spent. What
/// has none is told by the table.
fn is_idle(at: At<'_>, effects: &[Effect], doing: Doing) -> bool {
    let (mut after, mut words) = (at.state.clone(), InWords { rules: at.rules, any: false });
    impose::all(&mut Play { rules: at.rules, state: &mut after, sink: &mut words }, effects, doing);
    !effects.is_empty() && !words.any && after == *at.state
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

/// The attacked character has noticed (`tn-tailing-spy`).
fn notice(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    if let Some(npc) = power::opponent(play.rules, action)
        && action.attack
        && std::mem::take(&mut play.state.being_mut(npc).unaware)
    {
        play.event(Event::Noticed(npc));
    }
}

/// The action is over: the next of those who save, or the floor goes on.
pub(crate) fn close(play: &mut Play<'_, impl Sink<Event>>, label: Label) {
    let Some(action) = play.state.action else { return };
    impose::done(play, &action);
    notice(play, &action);
    if let Some(boon) = action.using
        && play.state.place(boon).holder == Some(action.who)
    {
        play.state.put(boon, None, Lie::Gone);
    }
    if action.kind == Kind::Save && settle::next_save(play) {
        return;
    }
    play.state.action = None;
    scene::over(play, &action, label);
}

/// Raises the degrees of what has just been rolled (`glory.break-now`,
/// `ext.npc-glory`).
pub(crate) fn raise(play: &mut Play<'_, impl Sink<Event>>, by: u8) {
    let Some(action) = &mut play.state.action else { return };
    action.result.degrees = action.result.degrees.saturating_add(by);
    let Action { who, result, kind, .. } = *action;
    // Of a save the degrees are the other's, whose power nobody rolled.
    let (ap, _) = roll::after(action, action.throw.spent);
    let ap = (kind == Kind::Test).then(|| ap.saturating_add(by.min(100) as i8));
    play.event(Event::Degrees { who, result, kind, ap });
}

/// The ability whose own words a Whisper has for a guilt or a glory.
pub(crate) fn in_words(rules: &Rules, action: &Action, at: usize) -> Option<Ability> {
    action.ability.filter(|&ability| rules.power(ability).words[at].is_some())
}
