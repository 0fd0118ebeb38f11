//! What a successful attack or a counterattack does.

use crate::answer::{Answer, Blow, yes_or_no};
use crate::arms::{self, Counterweapon, is_armed};
use crate::event::{Event, finisher_clause};
use crate::rules::{Lower, OmenGuard, Rules, Sight, with_number};
use crate::state::{Arms, Cause, Fate, Frame, Harm, Lie, State};
use crate::words::{effect_words, name, names};
use crate::{At, Play, flow, mark, promise::Effect, risk, save, scene, script, threat, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Clause, Objections, Seat, Sink, Told, Viewer, Why, fine};
use std::borrow::Cow;

/// The most risk that one attack imposes; what a group's sets share
/// (`gattack.risk-cap`).
pub(crate) const MOST_IMPOSED: u8 = 3;

/// Other brutes offered for a spread are windows of the list, not every subset.
const SPREADS: usize = 8;

/// Threats that could be imposed now, a disarm once for each thing.
type Blows = ArrayVec<Blow, { MAX_ITEMS + 6 }>;

/// The tier that an effect has reached; a counterattack's is read off the
/// attacker's risk (`counter.low`, `counter.high`). Where no finisher takes it is
/// the middle one (`finisher-none-left`).
pub(crate) fn tier(at: At<'_>, harm: &Harm) -> Tier {
    let most = if finishers(at, harm).next().is_some() { Tier::High } else { Tier::Mid };
    let reached = match harm.cause {
        Cause::Counter if counters_finally(at, harm) => Tier::High,
        Cause::Counter if risk::is_critical(at, harm.on) => Tier::Mid,
        Cause::Counter | Cause::Guard => Tier::Low,
        Cause::Attack => match at.rules.options.tier(harm.degree) {
            Tier::High
                if at.rules.options.omen == OmenGuard::Barred && !at.state.omen_met(at.rules, harm.on) =>
            {
                Tier::Mid
            }
            tier => tier,
        },
    };
    reached.min(most)
}

/// A nemesis countering a player's character at twelve risk finishes it
/// (`nemesis.counter-finisher`).
fn counters_finally(at: At<'_>, harm: &Harm) -> bool {
    harm.by.is_some_and(|by| at.rules.sheet(by).kind == Kind::Nemesis)
        && at.state.being(harm.on).risk == risk::MOST_RISK
}

/// Whether the target suffers the brute's results instead of a tier.
fn is_brute(rules: &Rules, harm: &Harm) -> bool {
    rules.sheet(harm.on).kind == Kind::Brute
}

/// Whether a finisher is among the results.
fn can_finish(at: At<'_>, harm: &Harm) -> bool {
    if harm.veiled || !at.state.is_in(harm.on) {
        return false;
    }
    match harm.cause {
        Cause::Guard => false,
        Cause::Attack if is_brute(at.rules, harm) => true,
        Cause::Attack => tier(at, harm) == Tier::High,
        // The brutes being fewer than the players' characters (`brute.counter-few`).
        Cause::Counter if is_brute(at.rules, harm) => {
            at.state.brutes(at.rules).len() < at.state.pcs(at.rules).len()
        }
        Cause::Counter => counters_finally(at, harm),
    }
}

/// Reasons why no threat at all can come of this.
fn object_threats(state: &State, harm: &Harm, out: &mut impl Objections) {
    if harm.veiled {
        out.no(clause!("veiled.no-effects"), "a veiled attack imposes only risk");
    }
    if harm.fallback {
        let what = "a fallback attack imposes no threats and no marks";
        out.no(clause!("threat.misdirect-fallback-effect"), what);
    }
    let pierced = |by| as_made(state, harm, by).being(by).marks.has(Mark::Pierce);
    if harm.cause != Cause::Counter && harm.by.is_some_and(pierced) {
        out.no(clause!("mark.pierce"), "a pierced character's attacks impose no threats and no marks");
    }
}

/// Reasons why this threat cannot come of this.
fn object_blow(at: At<'_>, harm: &Harm, blow: Blow, out: &mut impl Objections) {
    object_blow_in_sight(at, harm, blow, out);
    threat::object_hidden(at, harm.on, blow.threat, out);
}

/// The same without the defender's abilities, which players may not know.
fn object_blow_in_sight(at: At<'_>, harm: &Harm, blow: Blow, out: &mut impl Objections) {
    object_threats(at.state, harm, out);
    if blow.threat == Threat::Disarm && !at.state.is_in(harm.on) {
        out.no(clause!("group-brute"), "another of the group has finished it already");
    }
    threat::object_in_sight(at, harm.by, harm.on, harm.form, blow, out);
}

/// Reasons why this mark cannot come of this.
fn object_mark(at: At<'_>, harm: &Harm, mark: Mark, out: &mut impl Objections) {
    object_mark_in_sight(at, harm, mark, out);
    mark::object_hidden(at, harm.on, mark, out);
}

/// The same without the defender's abilities, which players may not know.
fn object_mark_in_sight(at: At<'_>, harm: &Harm, mark: Mark, out: &mut impl Objections) {
    object_threats(at.state, harm, out);
    if is_brute(at.rules, harm) {
        out.no(clause!("brute.success"), "a brute is finished or threatened, never marked");
    }
    if harm.by.is_some_and(|by| !marks_with(at, harm, by)) {
        let clause = match harm.form {
            Form::Martial => clause!("martial.unarmed"),
            Form::Subtle => clause!("subtle.unscripted"),
            Form::Strategic | Form::Naval => clause!("boon.power-required"),
        };
        out.no(clause, "without a readied power boon no marks can be imposed");
    }
    mark::object_in_sight(at.state, harm.on, mark, out);
}

/// Whether the attack was made with what gives marks. What was thrown counts
/// though it has left the hand, bare hands do not whatever is in them; a script
/// works only on a character who pays attention (`subtle.reach`). What one of several has struck
/// away counts for the others (`assault-countered`).
fn marks_with(at: At<'_>, harm: &Harm, by: Char) -> bool {
    let then = as_made(at.state, harm, by);
    match harm.manner {
        Some(Manner::Bare) => at.rules.gifts(&then, by).any(|gift| gift.armed),
        None => is_armed(At { rules: at.rules, state: &then }, by, harm.form) && is_heard(at.state, harm, by),
        Some(Manner::Throw) => marks_in_sight(at, harm, by),
    }
}

/// The table as the attack was made; a counterattack is made now.
fn as_made<'a>(state: &'a State, harm: &Harm, by: Char) -> Cow<'a, State> {
    match harm.cause {
        Cause::Counter => Cow::Borrowed(state),
        Cause::Attack | Cause::Guard => save::as_attacked(state, by),
    }
}

/// The same without the attacker's abilities, which players may not know.
fn marks_in_sight(at: At<'_>, harm: &Harm, by: Char) -> bool {
    let then = as_made(at.state, harm, by);
    let armed = match harm.manner {
        Some(Manner::Throw) => true,
        Some(Manner::Bare) => false,
        None => {
            arms::power_boons(At { rules: at.rules, state: &then }, by, harm.form).next().is_some()
                && is_heard(at.state, harm, by)
        }
    };
    armed && !arms::counts_as_unarmed(At { rules: at.rules, state: &then }, by)
}

/// Whether the defender pays attention to a subtle attack (`subtle.reach`).
fn is_heard(state: &State, harm: &Harm, by: Char) -> bool {
    harm.form != Form::Subtle || arms::attends(state, harm.on, by)
}

/// The threats that could be imposed.
fn blows(at: At<'_>, harm: &Harm) -> Blows {
    blows_where(at, harm, |blow| fine(|out| object_blow(at, harm, blow, out)))
}

/// The threats of which this holds.
fn blows_where(at: At<'_>, harm: &Harm, possible: impl Fn(Blow) -> bool) -> Blows {
    let mut blows = Blows::new();
    for &threat in Threat::ALL {
        let mut add = |item, dislodge| {
            let blow = Blow { threat, item, dislodge };
            if possible(blow) {
                blows.push(blow);
            }
        };
        if threat == Threat::Disarm {
            threat::strippable(at, harm.on, harm.form).for_each(|item| add(Some(item), false));
        } else {
            add(None, false);
        }
        if threat == Threat::Weaken && threat::can_dislodge(at.state, harm.on, harm.form) {
            add(None, true);
        }
    }
    blows
}

/// Whether these are two different threats. Weakening with a fall and without are the
/// same (`two-threats-distinct`).
fn are_two(first: Blow, second: Blow) -> bool {
    first.threat != second.threat || (first.threat == Threat::Disarm && first.item != second.item)
}

/// Whether two of these threats could be imposed together.
fn has_two(blows: &[Blow]) -> bool {
    blows.iter().enumerate().any(|(i, &first)| blows[i + 1..].iter().any(|&second| are_two(first, second)))
}

/// The marks that could be imposed.
fn marks(at: At<'_>, harm: &Harm) -> MarkSet {
    Mark::ALL.iter().copied().filter(|&mark| fine(|out| object_mark(at, harm, mark, out))).collect()
}

/// Tiers whose effects may be chosen: the one reached, and lower ones where
/// the table allows it (`tier-downgrade`).
fn tiers(at: At<'_>, harm: &Harm) -> impl Iterator<Item = Tier> + use<> {
    let reached = tier(at, harm);
    let lower = at.rules.options.lower == Lower::Allowed && harm.cause == Cause::Attack;
    Tier::ALL.iter().copied().filter(move |&tier| tier == reached || (lower && tier < reached))
}

/// Whether the attacker could free themself of a bind they share with the
/// target (`threat.entangle-release`).
fn could_free(state: &State, harm: &Harm) -> bool {
    let bind = state.being(harm.on).bind;
    harm.cause == Cause::Attack && bind != 0 && harm.by.is_some_and(|by| state.being(by).bind == bind)
}

/// Whether weakening the target could break it out of a bind that the attacker
/// stands outside of (`threat.entangle-break`).
fn could_break(state: &State, harm: &Harm) -> bool {
    let bind = state.being(harm.on).bind;
    bind != 0 && harm.by.is_some_and(|by| state.being(by).bind != bind)
}

/// The same of any whom a threat is spread to.
fn could_break_any(state: &State, harm: &Harm, also: CharSet) -> bool {
    could_break(state, harm) || also.iter().any(|on| could_break(state, &Harm { on, ..*harm }))
}

/// Lists an answer, and the same with the bind broken where that is possible.
fn with_release(
    state: &State,
    harm: &Harm,
    each: &mut impl FnMut(Answer),
    weakens: bool,
    answer: impl Fn(bool) -> Answer,
) {
    each(answer(false));
    if could_free(state, harm) || (weakens && could_break(state, harm)) {
        each(answer(true));
    }
}

/// The finishers of the form that have not turned out to be impossible.
fn finishers<'a>(at: At<'a>, harm: &Harm) -> impl Iterator<Item = Finisher> + use<'a> {
    let barred = harm.barred;
    // The surroundings are nobody to fight or to like; nor is there a fight with somebody
    // who is gone (`provoker-gone`).
    let by = harm.by;
    at.rules.form(harm.form).finishers.iter().copied().filter(move |&f| {
        let possible = match f {
            Finisher::Provoke => by.is_some_and(|by| at.state.can_provoke(by)),
            Finisher::Disposition => by.is_some(),
            _ => true,
        };
        barred & (1 << f as u16) == 0 && possible
    })
}

/// Lists the effects that can be chosen: of an attack always at least one.
pub(crate) fn legal(at: At<'_>, harm: &Harm, each: &mut impl FnMut(Answer)) {
    if counters_unarmed(at, harm) {
        each(Answer::Pass);
        return;
    }
    let blows = blows(at, harm);
    let mut any = false;
    legal_effects(at, harm, &blows, &mut |answer| {
        any = true;
        each(answer);
    });
    if !any && harm.cause == Cause::Attack {
        debug_assert!(blows.is_empty(), "a threat can be imposed and is not listed: {harm:?}");
        with_release(at.state, harm, each, false, |release| Answer::Nothing { release });
    }
}

/// Lists the effects that impose something, and those that may be left at nothing.
fn legal_effects(at: At<'_>, harm: &Harm, blows: &[Blow], each: &mut impl FnMut(Answer)) {
    if harm.cause == Cause::Counter {
        each(Answer::Pass);
    }
    if harm.veiled {
        with_release(at.state, harm, each, false, |release| Answer::Nothing { release });
        return;
    }
    // The attacker may threaten the guard, and need not (`guard.fail`).
    if harm.cause == Cause::Guard {
        each(Answer::Nothing { release: false });
    }
    if is_brute(at.rules, harm) {
        legal_on_brute(at, harm, blows, each);
        return;
    }
    let reached = tier(at, harm);
    for tier in tiers(at, harm) {
        let named = (tier != reached).then_some(tier);
        if tier == Tier::High {
            for finisher in finishers(at, harm) {
                with_release(at.state, harm, each, false, |release| Answer::Finisher { finisher, release });
            }
            continue;
        }
        let marks = if tier == Tier::Mid { marks(at, harm) } else { MarkSet::NONE };
        for mark in marks.iter() {
            with_release(at.state, harm, each, false, |release| Answer::Mark { mark, tier: named, release });
        }
        if tier == Tier::Mid && has_two(blows) {
            for (i, &first) in blows.iter().enumerate() {
                for &second in blows[i + 1..].iter().filter(|&&second| are_two(first, second)) {
                    let weakens = first.threat == Threat::Weaken || second.threat == Threat::Weaken;
                    with_release(at.state, harm, each, weakens, |release| Answer::Threats {
                        first,
                        second,
                        tier: named,
                        release,
                    });
                }
            }
        } else if tier == Tier::Low || marks.is_empty() {
            for blow in blows {
                with_release(at.state, harm, each, blow.threat == Threat::Weaken, |release| Answer::Threat {
                    threat: blow.threat,
                    item: blow.item,
                    dislodge: blow.dislodge,
                    tier: named,
                    release,
                });
            }
        }
    }
}

fn legal_on_brute(at: At<'_>, harm: &Harm, blows: &[Blow], each: &mut impl FnMut(Answer)) {
    if can_finish(at, harm) {
        for finisher in finishers(at, harm) {
            with_release(at.state, harm, each, false, |release| Answer::Finisher { finisher, release });
        }
    }
    if harm.cause != Cause::Attack {
        for blow in blows {
            with_release(at.state, harm, each, blow.threat == Threat::Weaken, |release| Answer::Threat {
                threat: blow.threat,
                item: blow.item,
                dislodge: blow.dislodge,
                tier: None,
                release,
            });
        }
        return;
    }
    // Another of the group has finished this one: only its fellows are left to
    // be threatened (`group-brute`).
    if !at.state.is_in(harm.on) {
        each(Answer::Nothing { release: false });
    }
    let others: ArrayVec<Char, MAX_CAST> = spreadable(at, harm).iter().collect();
    let most = usize::from(harm.degree.max(0) as u8).min(others.len());
    for blow in blows {
        let weakens = blow.threat == Threat::Weaken;
        let mut spread = |also: CharSet| {
            let Blow { threat, item, dislodge } = *blow;
            let answer = |release| Answer::Spread { threat, item, dislodge, also, release };
            each(answer(false));
            if could_free(at.state, harm) || (weakens && could_break_any(at.state, harm, also)) {
                each(answer(true));
            }
        };
        if most == 0 && at.state.is_in(harm.on) {
            spread(CharSet::NONE);
        }
        for window in others.windows(most.max(1)).take(if most == 0 { 0 } else { SPREADS }) {
            spread(window.iter().copied().collect());
        }
    }
}

/// The other brutes a threat can be spread to: those the attacker could attack,
/// of no higher power level (`brute.spread-legal`).
///
/// A power level that the players have not learnt is not read here: a brute
/// beyond the spread is found out when it comes to it.
fn spreadable(at: At<'_>, harm: &Harm) -> CharSet {
    let Some(by) = harm.by else { return CharSet::NONE };
    let first = at.rules.sheet(harm.on).pl;
    at.state
        .brutes(at.rules)
        .without(harm.on)
        .iter()
        .filter(|&other| fine(|out| crate::attack::object(at, by, other, false, out)))
        .filter(|&other| reaches(at, harm, by, other))
        .filter(|&other| hides_pl(at, other) || at.rules.sheet(other).pl <= first)
        .collect()
}

/// Whether an attack of this kind would have reached another as well.
fn reaches(at: At<'_>, harm: &Harm, by: Char, other: Char) -> bool {
    let arms = Arms { manner: harm.manner, ..Arms::default() };
    arms::still_reaches(at, (by, other), harm.form, harm.veiled, arms)
}

/// Whether players have yet to learn this power level.
pub(crate) fn hides_pl(at: At<'_>, who: Char) -> bool {
    at.rules.options.sight == Sight::AfterFirstAttack && !at.rules.is_pc(who) && !at.state.pl_known.has(who)
}

/// Reasons why this effect cannot be chosen. An ability of the defender's, which players
/// may not know, is named only where nothing else speaks against it.
pub(crate) fn object(at: At<'_>, harm: &Harm, answer: Answer, out: &mut impl Objections) {
    if answer != Answer::Pass && counters_unarmed(at, harm) {
        out.no(clause!("counter.eligible"), "they have nothing to counterattack with: pass");
        return;
    }
    object_in_sight(at, harm, answer, out);
    if fine(|out| object_in_sight(at, harm, answer, out)) {
        let mut threat = |threat| threat::object_hidden(at, harm.on, threat, out);
        match answer {
            Answer::Threat { threat: one, .. } | Answer::Spread { threat: one, .. } => threat(one),
            Answer::Threats { first, second, .. } => {
                threat(first.threat);
                threat(second.threat);
            }
            Answer::Mark { mark, .. } => mark::object_hidden(at, harm.on, mark, out),
            _ => {}
        }
    }
}

/// The same without the defender's abilities.
fn object_in_sight(at: At<'_>, harm: &Harm, answer: Answer, out: &mut impl Objections) {
    let reached = tier(at, harm);
    let brute = is_brute(at.rules, harm);
    let weakens = match answer {
        Answer::Threat { threat, .. } | Answer::Spread { threat, .. } => threat == Threat::Weaken,
        Answer::Threats { first, second, .. } => {
            first.threat == Threat::Weaken || second.threat == Threat::Weaken
        }
        _ => false,
    };
    let also = if let Answer::Spread { also, .. } = answer { also } else { CharSet::NONE };
    if releases(answer) && !could_free(at.state, harm) && !(weakens && could_break_any(at.state, harm, also))
    {
        let what = "there is no bind here to leave, or to break by weakening somebody bound";
        out.no(clause!("threat.entangle-release"), what);
    }
    let at_tier = |tier: Option<Tier>, allowed: Tier, out: &mut dyn FnMut(Clause, &'static str)| {
        let tier = tier.unwrap_or(reached);
        // Neither a counterattack nor the threat on a guard has a degree.
        if let (Some((clause, what)), true) =
            (without_degree(at.rules, harm, reached), tier != allowed || tier != reached)
        {
            out(clause, what);
        } else if tier != reached && !tiers(at, harm).any(|t| t == tier) {
            out(
                clause!("tier-downgrade"),
                "the effect is that of the degree reached: this table allows no lower one",
            );
        } else if tier > allowed {
            let from = at.rules.options.finisher_from;
            let what = with_number!(from, [4 5 6 7 8], "at degree ", " and more the effect is a finisher");
            out(clause!("attack.tier-high"), what);
        } else if tier < allowed {
            out(clause!("attack.tier-low"), "so low a degree gives one threat only");
        }
    };
    match answer {
        Answer::Pass if harm.cause == Cause::Counter => {}
        Answer::Pass => out.no(clause!("attack.choose"), "the attack succeeded: its effect is to be chosen"),
        Answer::Nothing { .. } if !at.state.is_in(harm.on) || harm.cause == Cause::Guard => {}
        Answer::Nothing { .. } if harm.cause == Cause::Counter => {
            out.no(clause!("counter.choice"), "a counterattack imposes something: pass to decline it");
        }
        Answer::Nothing { .. } => {
            let mut other = false;
            legal(at, harm, &mut |a| other |= !matches!(a, Answer::Nothing { .. }));
            if other {
                out.no(clause!("attack.choose"), "something can be imposed here, so something must be");
            }
        }
        Answer::Finisher { finisher, .. } => {
            if !can_finish(at, harm) {
                let (clause, what) = match harm.cause {
                    _ if !at.state.is_in(harm.on) => {
                        (clause!("group-brute"), "another of the group has finished it already")
                    }
                    _ if harm.veiled => (clause!("veiled.no-effects"), "a veiled attack imposes only risk"),
                    _ if finishers(at, harm).next().is_none() => {
                        (clause!("finisher-none-left"), "no finisher of this form takes on them")
                    }
                    Cause::Counter if brute => (
                        clause!("brute.counter-many"),
                        "while the brutes are as many as you a counterattack only threatens",
                    ),
                    Cause::Counter => (clause!("counter.no-risk"), "a counterattack imposes no finisher"),
                    Cause::Guard => (clause!("guard.fail"), "the guard gets one threat"),
                    Cause::Attack if at.rules.options.tier(harm.degree) == Tier::High => {
                        (clause!("omen-finisher"), "no finisher before the omen is met, at this table")
                    }
                    Cause::Attack => {
                        let from = at.rules.options.finisher_from;
                        let what =
                            with_number!(from, [4 5 6 7 8], "a finisher takes a degree of ", " or more");
                        (clause!("attack.tier-high"), what)
                    }
                };
                out.no(clause, what);
            }
            if !at.rules.form(harm.form).finishers.contains(&finisher) {
                out.no(clause!("finisher.power"), "that is no finisher of this form of conflict");
            } else if !finishers(at, harm).any(|possible| possible == finisher) {
                out.no(finisher_clause(finisher), "that does not take on them: choose another");
            }
        }
        Answer::Mark { mark, tier, .. } => {
            object_mark_in_sight(at, harm, mark, out);
            if !brute {
                at_tier(tier, Tier::Mid, &mut |c, w| out.no(c, w));
            }
        }
        Answer::Threats { first, second, tier, .. } => {
            object_blow_in_sight(at, harm, first, out);
            object_blow_in_sight(at, harm, second, out);
            if !are_two(first, second) {
                let what = "two different threats, or disarm twice for two things";
                out.no(clause!("two-threats-distinct"), what);
            }
            if brute && harm.cause == Cause::Counter {
                out.no(
                    clause!("brute.counter-many"),
                    "a counterattack gives a brute one threat, or finishes it while they are fewer than you",
                );
            } else if brute {
                out.no(clause!("brute.success"), "a brute is finished, or gets one threat that may spread");
            } else {
                at_tier(tier, Tier::Mid, &mut |c, w| out.no(c, w));
            }
        }
        Answer::Threat { threat, item, dislodge, tier, .. } => {
            object_blow_in_sight(at, harm, Blow { threat, item, dislodge }, out);
            if brute && harm.cause == Cause::Attack {
                let what = "on a brute: a finisher, or `spread` one threat to it and others";
                out.no(clause!("brute.spread-same"), what);
            } else if !brute {
                let middle = if at.rules.options.has_usual_tiers() {
                    "at degree 3 and 4 it is a mark or two threats"
                } else {
                    "at this degree it is a mark or two threats"
                };
                // One threat stands for two where no two can be imposed, and no mark.
                let short = !has_two(&blows(at, harm)) && marks(at, harm).is_empty();
                let at = if short && tier.unwrap_or(reached) == Tier::Mid { Tier::Mid } else { Tier::Low };
                at_tier(tier, at, &mut |c, w| {
                    if reached == Tier::Mid && harm.cause == Cause::Attack {
                        out.no(clause!("attack.tier-mid"), middle)
                    } else {
                        out.no(c, w)
                    }
                });
            }
        }
        Answer::Spread { threat, item, dislodge, also, .. } => {
            object_blow_in_sight(at, harm, Blow { threat, item, dislodge }, out);
            if !brute || harm.cause != Cause::Attack {
                out.no(clause!("brute.choice"), "only an attack on a brute spreads a threat");
            } else {
                if also.len() > usize::from(harm.degree.max(0) as u8) {
                    let what = "as many further brutes as the degree of success, no more";
                    out.no(clause!("brute.choice"), what);
                }
                if !also.minus(spreadable(at, harm)).is_empty() {
                    out.no(
                        clause!("brute.spread-legal"),
                        "further brutes must be open to attack and of no higher power level than the first",
                    );
                }
            }
        }
        _ => out.no(
            clause!("attack.choose"),
            "expected an effect: threat, threats, mark, finisher, spread or nothing",
        ),
    }
}

/// The clause that limits a counterattack or the threat on a guard, neither of which has
/// a degree.
fn without_degree(rules: &Rules, harm: &Harm, reached: Tier) -> Option<(Clause, &'static str)> {
    match (harm.cause, reached) {
        (Cause::Attack, _) => None,
        (Cause::Guard, _) => Some((clause!("guard.fail"), "the guard gets one threat")),
        (Cause::Counter, Tier::Low) => {
            let below = rules.options.critical_from - 1;
            Some((
                clause!("counter.low"),
                with_number!(below, [3 4 5 6 7 8 9], "a counterattack on somebody with ", " risk or less is one threat"),
            ))
        }
        (Cause::Counter, Tier::Mid) => Some((
            clause!("counter.high"),
            with_number!(
                rules.options.critical_from,
                [4 5 6 7 8 9 10],
                "a counterattack on somebody with ",
                " risk or more is a mark or two threats"
            ),
        )),
        (Cause::Counter, Tier::High) => Some((
            clause!("nemesis.counter-finisher"),
            "a nemesis that counterattacks somebody at 12 risk finishes them",
        )),
    }
}

/// Whether an effect leaves or breaks a bind.
fn releases(answer: Answer) -> bool {
    match answer {
        Answer::Threat { release, .. }
        | Answer::Threats { release, .. }
        | Answer::Mark { release, .. }
        | Answer::Finisher { release, .. }
        | Answer::Spread { release, .. }
        | Answer::Nothing { release } => release,
        _ => false,
    }
}

/// The risk of a tier's effect, before what the defender takes of it.
fn risk_at(rules: &Rules, harm: &Harm, tier: Tier) -> u8 {
    // A brute gets results of its own: no tier and no risk (`brute.success`).
    // Of a counterattack and of the threat on a guard none may come: `most` is 0.
    let mut amount = if is_brute(rules, harm) { 0 } else { tier.risk() };
    // What nobody sees does not tell by its risk whose it was (`npc-veiled-visible`).
    let unseen = harm.veiled && harm.by.is_some_and(|by| !rules.is_pc(by));
    if harm.fallback && !unseen {
        amount /= 2;
    }
    amount.min(harm.most)
}

/// The tier whose risk a hit imposes that imposes nothing else. A veiled attack has the
/// highest risk listed (`veiled-high-degree`).
fn of_risk_only(reached: Tier) -> Tier {
    reached.min(Tier::Mid)
}

/// What a hit can impose at the tier reached. Abilities that the viewer may not know are
/// left out.
pub(crate) fn effect(at: At<'_>, harm: &Harm, who: Viewer) -> Effect {
    let reached = tier(at, harm);
    let imposed = |tier| risk::recorded(at, harm.on, risk_at(at.rules, harm, tier));
    if harm.veiled {
        return Effect { risk: imposed(of_risk_only(reached)), ..Effect::default() };
    }
    let knows =
        |state: &State, c: Char| who.is_gm() || at.rules.is_pc(c) || state.being(c).marks.has(Mark::Afflict);
    let blows = blows_where(at, harm, |blow| {
        fine(|out| {
            if knows(at.state, harm.on) {
                object_blow(at, harm, blow, out);
            } else {
                object_blow_in_sight(at, harm, blow, out);
            }
        })
    });
    let armed = harm.by.is_none_or(|by| match knows(&as_made(at.state, harm, by), by) {
        true => marks_with(at, harm, by),
        false => marks_in_sight(at, harm, by),
    });
    let mark = reached == Tier::Mid
        && armed
        && !is_brute(at.rules, harm)
        && fine(|out| object_threats(at.state, harm, out))
        && Mark::ALL.iter().any(|&mark| match knows(at.state, harm.on) {
            true => fine(|out| mark::object(at, harm.on, mark, out)),
            false => fine(|out| mark::object_in_sight(at.state, harm.on, mark, out)),
        });
    let threats = match reached {
        _ if blows.is_empty() => 0,
        _ if is_brute(at.rules, harm) => 1,
        Tier::High => 0,
        Tier::Mid if has_two(&blows) => 2,
        Tier::Mid if mark => 0,
        Tier::Mid | Tier::Low => 1,
    };
    Effect { risk: imposed(reached), finisher: can_finish(at, harm), mark, threats }
}

/// Imposes the effect chosen. Gives the risk that was recorded, which is what a
/// group's share of three is spent on.
pub(crate) fn carry_out(play: &mut Play<'_, impl Sink<Event>>, harm: Harm, answer: Answer) -> u8 {
    let Harm { by, on, form, cause, .. } = harm;
    // What covers the distance only by being thrown leaves the hand.
    if cause == Cause::Counter
        && let Some(Counterweapon::Thrown(item)) =
            by.and_then(|by| arms::counterweapon(play.at(), by, form, harm.range))
    {
        arms::thrown(play.state, item);
        play.event(Event::Thrown { item, counter: true });
    }
    let reached = tier(play.at(), &harm);
    // One leaves one's own bind, or breaks those open whom one weakens.
    let frees = releases(answer) && could_free(play.state, &harm);
    let breaks = releases(answer) && !frees;
    let at = match answer {
        Answer::Threat { tier, .. } | Answer::Threats { tier, .. } | Answer::Mark { tier, .. } => {
            tier.unwrap_or(reached)
        }
        Answer::Finisher { .. } => Tier::High,
        Answer::Nothing { .. } => of_risk_only(reached),
        _ => reached,
    };
    let imposed = risk::impose(play, on, risk_at(play.rules, &harm, at), harm.veiled);
    // The bind ends after the risk, which an omen of being bound lets through
    // (`omen-risk-imposed-early`), and before the threats, which may bind anew.
    if frees && let Some(by) = by {
        threat::unbind(play, by, clause!("threat.entangle-release"));
    } else if breaks && could_break(play.state, &harm) {
        threat::unbind(play, on, clause!("threat.entangle-break"));
    }
    if matches!(answer, Answer::Nothing { release: false }) && risk_at(play.rules, &harm, at) == 0 {
        play.event(Event::Unaffected { who: on, why: without_effect(play.at(), &harm) });
    }
    match answer {
        Answer::Threat { threat, item, dislodge, .. } => {
            threat::impose(play, by, on, Blow { threat, item, dislodge }, cause);
        }
        Answer::Threats { first, second, .. } => {
            threat::impose(play, by, on, first, cause);
            threat::impose(play, by, on, second, cause);
        }
        Answer::Mark { mark, .. } => mark::impose(play, by, on, mark, form),
        Answer::Finisher { finisher, .. } => finish(play, by, on, finisher),
        Answer::Spread { threat, item, dislodge, also, .. } => {
            if play.state.is_in(on) {
                threat::impose(play, by, on, Blow { threat, item, dislodge }, cause);
            }
            for other in also.iter() {
                if play.rules.sheet(other).pl > play.rules.sheet(on).pl {
                    play.event(Event::Beyond(other));
                    continue;
                }
                if breaks && could_break(play.state, &Harm { on: other, ..harm }) {
                    threat::unbind(play, other, clause!("threat.entangle-break"));
                }
                spread(play, &harm, other, threat);
            }
        }
        _ => {}
    }
    imposed
}

/// The clause by which a hit imposes neither an effect nor risk.
fn without_effect(at: At<'_>, harm: &Harm) -> Clause {
    match harm.cause {
        Cause::Guard => clause!("guard.fail"),
        _ if !at.state.is_in(harm.on) => clause!("group-brute"),
        _ if harm.veiled && is_brute(at.rules, harm) => clause!("veiled-brute"),
        _ if harm.most == 0 => clause!("gattack.risk-cap"),
        _ if harm.fallback => clause!("threat.misdirect-fallback-effect"),
        _ => clause!("no-legal-effect"),
    }
}

/// One and the same threat on a further brute (`brute.spread-same`). A disarm
/// strips whatever it has readied first.
fn spread(play: &mut Play<'_, impl Sink<Event>>, harm: &Harm, other: Char, threat: Threat) {
    let strippable = threat::strippable(play.at(), other, harm.form);
    let item =
        strippable.min_by_key(|prize| prize.thing().is_none_or(|i| play.state.place(i).lie != Lie::Readied));
    let item = item.filter(|_| threat == Threat::Disarm);
    let blow = Blow { threat, item, dislodge: false };
    // Why is not said: it may be an ability that nobody knows.
    if fine(|out| threat::object(play.at(), harm.by, other, harm.form, blow, out)) {
        threat::impose(play, harm.by, other, blow, harm.cause);
    } else {
        play.event(Event::Unaffected { who: other, why: clause!("brute.spread-same") });
    }
}

/// Who is asked whether a finisher takes: of a provocation the gamemaster, who
/// knows whether the defender could win (`subtle.finisher-provoke`), of a
/// proposition the defender's seat (`subtle.finisher-assent`). Nobody is
/// asked what they have chosen themself.
pub(crate) fn asked_to_accept(rules: &Rules, harm: &Harm, finisher: Finisher) -> Option<Seat> {
    let seat = match finisher {
        Finisher::Provoke => Seat::Gm,
        Finisher::Assent => rules.seat(harm.on),
        _ => return None,
    };
    (harm.by.map(|by| rules.seat(by)) != Some(seat)).then_some(seat)
}

/// A finisher: out of the conflict for good (`finisher.defeat`). The death of a
/// player's character waits for the gamemaster (`death.confirm`).
pub(crate) fn finish(play: &mut Play<'_, impl Sink<Event>>, by: Option<Char>, who: Char, finisher: Finisher) {
    play.event(Event::Finished { by, who, finisher });
    threat::unbind(play, who, clause!("finisher.defeat"));
    play.state.being_mut(who).fate = Fate::Finished(finisher);
    beaten(play, who, finisher);
    let argued = play.state.form.is_none_or(|form| form == Form::Subtle);
    let gone = play.state.gone.has(who);
    let being = play.state.being_mut(who);
    match finisher {
        // The fight is elsewhere too.
        Finisher::Provoke if gone => {}
        Finisher::Provoke if argued => provoke(play.state, by, who),
        Finisher::Provoke => {
            being.fate = Fate::In;
            script::draw_weapon(play, who);
        }
        Finisher::Shame => being.shamed = being.shamed.saturating_add(1),
        // One step, for good (`disposition-step`).
        Finisher::Disposition => {
            being.disposition = match being.disposition {
                Disposition::Hostile => Disposition::Neutral,
                Disposition::Neutral | Disposition::Friendly => Disposition::Friendly,
            };
        }
        _ => {}
    }
    threat::end_misdirections(play);
    if finisher == Finisher::Kill {
        if play.rules.is_pc(who) {
            play.state.push(Frame::Death { who });
        } else {
            play.state.being_mut(who).fate = Fate::Dead;
            play.event(Event::Died(who));
        }
    }
}

/// The state a finisher leaves somebody in: silent (`subtle.finisher-state`), or without
/// weapons (`martial.finisher-surrender`).
pub(crate) fn beaten(play: &mut Play<'_, impl Sink<Event>>, who: Char, finisher: Finisher) {
    play.state.being_mut(who).silenced |= Form::Subtle.finishers().contains(&finisher);
    if finisher == Finisher::Surrender {
        // What somebody drops elsewhere lies there.
        let lie = if play.state.gone.has(who) { Lie::Gone } else { Lie::Ground };
        for item in play.state.being(who).held.iter() {
            let gear = play.rules.gear(item);
            if gear.category == Category::Power && gear.form == Form::Martial {
                play.state.put(item, who, lie);
                play.state.places[item.index()].disarmed = true;
                play.event(Event::Drops { who, item });
            }
        }
    }
}

/// Somebody is out of the argument and into a fight, which waits until the attack under
/// way is resolved on everybody (`provoked-among-several`). Nobody draws a script any
/// more (`script.end`).
fn provoke(state: &mut State, by: Option<Char>, who: Char) {
    state.provokers.retain(|&mut (other, _)| other != who);
    if let Some(by) = by {
        let _ = state.provokers.try_push((who, by));
    }
    for frame in &mut state.stack {
        match frame {
            Frame::Provoked { who: all } => {
                *all = all.with(who);
                return;
            }
            Frame::Draw { left, .. } => *left = CharSet::NONE,
            _ => {}
        }
    }
    let attack = |frame: &Frame| match frame {
        Frame::Shares(shares) => shares.form == Form::Subtle,
        Frame::Danger(danger) => danger.form == Some(Form::Subtle),
        Frame::Counters { .. } => true,
        _ => false,
    };
    let at = state.stack.iter().rposition(attack).unwrap_or(state.stack.len());
    let _ = state.stack.try_insert(at, Frame::Provoked { who: CharSet::one(who) });
}

/// Those who were provoked begin the fight, unless nobody is there whom they would fight.
pub(crate) fn fight(play: &mut Play<'_, impl Sink<Event>>) {
    let (all, provoked) = (play.state.waits_to_fight(), play.state.provoked());
    play.state.stack.pop();
    play.state.provokers.clear();
    for who in all.minus(provoked).iter() {
        play.event(Event::Unfought(who));
    }
    if provoked.is_empty() {
        return;
    }
    for who in provoked.iter() {
        play.state.being_mut(who).fate = Fate::In;
    }
    let unsaid = words_unsaid(play.state);
    scene::end_conflict(play);
    scene::begin_conflict(play, Form::Martial);
    if let Some(by) = unsaid {
        play.event(Event::FellAway(by));
    }
    for who in provoked.iter() {
        script::draw_weapon(play, who);
    }
}

/// Drops an attack of words that was declared before the argument turned into a fight,
/// and gives whose it was (`long-actor-removed`).
fn words_unsaid(state: &mut State) -> Option<Char> {
    let unsaid = |frame: &Frame| match frame {
        Frame::Test(test) => test.step.is_before_dice() && test.form == Some(Form::Subtle),
        _ => false,
    };
    let at = state.stack.iter().position(unsaid)?;
    let Frame::Test(test) = state.stack.remove(at) else { return None };
    if let Some(Frame::Turn(turn)) = at.checked_sub(1).and_then(|below| state.stack.get_mut(below)) {
        turn.opened |= test.had_opening();
    }
    Some(test.lead())
}

/// Whether somebody is asked to counterattack an attack from this distance: who can
/// (`counter.eligible`), and of the gamemaster's characters who could for all that players
/// see (`asked-in-sight`).
pub(crate) fn may_counter(at: At<'_>, by: Char, on: Char, form: Form, range: Band) -> bool {
    // Of what is thrown it does not matter what else they are armed with.
    let harm = Harm { manner: Some(Manner::Throw), ..counter(by, on, form, range) };
    let heard = form != Form::Subtle || arms::attends(at.state, on, by);
    at.state.is_in(by) && at.state.is_in(on) && heard && arms::may_counter(at, by, form, range) && {
        let mut any = false;
        let blows = blows(at, &harm);
        legal_effects(at, &harm, &blows, &mut |answer| any |= answer != Answer::Pass);
        any
    }
}

/// Whether a counterattack that somebody is asked for could impose anything.
pub(crate) fn can_counter(at: At<'_>, harm: &Harm) -> bool {
    let mut any = false;
    legal(at, harm, &mut |answer| any |= answer != Answer::Pass);
    any
}

/// Whether this is a counterattack without anything to make it with.
fn counters_unarmed(at: At<'_>, harm: &Harm) -> bool {
    let unarmed = |by| arms::counterweapon(at, by, harm.form, harm.range).is_none();
    harm.cause == Cause::Counter && harm.by.is_some_and(unarmed)
}

/// A counterattack to be chosen or declined.
pub(crate) fn counter(by: Char, on: Char, form: Form, range: Band) -> Harm {
    Harm::of(Cause::Counter, Some(by), on, form, range)
}

/// What an attack does (`attack.choose`).
pub(crate) mod choice {
    use super::*;

    pub(crate) fn told(at: At<'_>, viewer: Viewer) -> Told {
        let Some(Frame::Harm(harm)) = at.state.top() else { return Told::default() };
        let hidden = |by: &Char| harm.veiled && !viewer.is_gm() && !at.rules.is_pc(*by);
        let by = name(at.rules, harm.by.filter(|by| !hidden(by)));
        let what = match (harm.cause, effect(at, harm, viewer)) {
            (Cause::Guard, _) => "one threat on the guard".to_owned(),
            (_, Effect { threats: 1, finisher, .. }) if is_brute(at.rules, harm) => {
                let or = if finisher { "a finisher, or " } else { "" };
                format!("{or}a threat that may spread")
            }
            (_, effect) => effect_words(effect),
        };
        Told::new(format!("{by} hits {}: {what}. Which?", at.rules.name(harm.on)))
            .begun()
            .why(clause!("attack.choose"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Harm(harm)) = at.state.top() else { return };
        super::legal(at, harm, each);
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Harm(harm)) = at.state.top() else { return };
        super::object(at, harm, answer, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        flow::harm_chosen(play, answer);
    }
}

/// Whether the defender counterattacks, and how (`counter.choice`).
pub(crate) mod countering {
    use super::*;

    pub(crate) use super::choice::{apply, legal, object, strays};

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(Frame::Harm(harm)) = at.state.top() else { return Told::default() };
        let (by, on) = (name(at.rules, harm.by), at.rules.name(harm.on));
        Told::new(format!("{by} may counterattack {on}")).why(clause!("counter.choice"))
    }
}

/// Whom of a failed group attack the defender counterattacks.
pub(crate) mod whom {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(&Frame::Counters { by, on, .. }) = at.state.top() else { return Told::default() };
        let (by, on) = (at.rules.name(by), names(at.rules, on));
        Told::new(format!("{by} may counterattack one of {on}")).why(clause!("gattack.counter-one"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        let Some(frame @ &Frame::Counters { on, .. }) = at.state.top() else { return };
        let can =
            |&who: &Char| flow::counter_of(at.state, frame, who).is_some_and(|harm| can_counter(at, &harm));
        on.iter().filter(can).for_each(|who| each(Answer::Next(who)));
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(frame @ &Frame::Counters { on, .. }) = at.state.top() else { return };
        match answer {
            Answer::Pass => {}
            Answer::Next(who) if on.has(who) => {
                let harm = flow::counter_of(at.state, frame, who);
                if let Some(harm) = harm.filter(|harm| !can_counter(at, harm)) {
                    super::object(at, &harm, Answer::Nothing { release: false }, out);
                }
            }
            _ => out
                .no(clause!("gattack.counter-one"), "expected one of the attackers it can counter, or pass"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Some(counters) = play.state.stack.pop() else { return };
        if let Answer::Next(on) = answer
            && let Some(harm) = flow::counter_of(play.state, &counters, on)
        {
            play.state.push(Frame::Harm(harm));
        }
    }
}

/// Whether this finisher takes. Of a provocation: could they win? Of a proposition: can they
/// believe it? (`subtle.finisher-provoke`, `subtle.finisher-assent`)
pub(crate) mod accept {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(&Frame::Accept { harm, finisher, .. }) = at.state.top() else { return Told::default() };
        let who = at.rules.name(harm.on);
        Told::new(if finisher == Finisher::Provoke {
            format!("{who} is provoked to fight: do they see a chance to win?")
        } else {
            format!("{who} is to believe what {} says: can they?", name(at.rules, harm.by))
        })
        .why(finisher_clause(finisher))
    }

    yes_or_no!((), clause!("subtle.finisher-assent"));

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        flow::accepted(play, answer == Answer::Yes);
    }
}
