//! Risk, resistance and resolve.

use crate::{event::Event, rules::Rules, state::State, vocab::*};
use fracas_kernel::Sink;

/// Nobody has more (`risk.cap`).
pub(crate) const MOST_RISK: u8 = 12;
/// From here on a character is in a critical state (`risk.critical`).
pub(crate) const CRITICAL: u8 = 7;
/// What guarding costs (`guard.cost`).
pub(crate) const GUARD_COST: u8 = 2;

/// Whether boons grant this character their bonuses.
///
/// Not to the afflicted (`mark.afflict-boons`), and never to brutes
/// (`brute.no-boons`).
pub(crate) fn has_bonuses(rules: &Rules, state: &State, who: Char) -> bool {
    rules.sheet(who).kind != Kind::Brute && !state.being(who).marks.has(Mark::Afflict)
}

/// Ranks of a form's resistance, resolve included (`resist.sum`).
pub(crate) fn resistance(rules: &Rules, state: &State, who: Char, form: Form) -> u8 {
    let resolve = rules.sheet(who).resolve;
    if !has_bonuses(rules, state, who) {
        return resolve;
    }
    let vital: u8 = readied(rules, state, who)
        .filter(|&item| rules.gear(item).category == Category::Vital)
        .map(|item| rules.gear(item).resist[form.resistance()])
        .sum();
    vital + resolve
}

/// Everything a character has readied, worn things included.
pub(crate) fn readied<'a>(rules: &'a Rules, state: &'a State, who: Char) -> impl Iterator<Item = Item> + 'a {
    use crate::state::Lie;
    rules.everything().filter(move |&item| {
        let place = state.place(item);
        place.holder == who && place.lie == Lie::Readied
    })
}

/// Recorded risk as far as it counts: a nemesis ignores all of it while its
/// omen is unmet (`nemesis.omen-lapse`).
pub(crate) fn counted(rules: &Rules, state: &State, who: Char) -> u8 {
    if state.omen_met(rules, who) { state.being(who).risk } else { 0 }
}

/// What risk adds to the degree of an attack (`risk.effective`).
pub(crate) fn effective(rules: &Rules, state: &State, who: Char, form: Form) -> i8 {
    counted(rules, state, who).saturating_sub(resistance(rules, state, who, form)) as i8
}

/// Whether somebody is in a critical state.
pub(crate) fn is_critical(rules: &Rules, state: &State, who: Char) -> bool {
    counted(rules, state, who) >= CRITICAL
}

/// Whether somebody can pay risk of their own will.
///
/// Never at twelve (`risk.at-cap-voluntary`), and only where the whole cost
/// fits (`guard-at-eleven`).
pub(crate) fn can_pay(state: &State, who: Char, cost: u8) -> bool {
    let risk = state.being(who).risk;
    cost == 0 || (risk < MOST_RISK && risk + cost <= MOST_RISK)
}

/// Imposes risk: up to twelve, none on brutes, none before an omen is met.
/// Gives what was recorded.
pub(crate) fn impose(
    rules: &Rules,
    state: &mut State,
    who: Char,
    amount: u8,
    veiled: bool,
    sink: &mut impl Sink<Event>,
) -> u8 {
    if amount == 0 {
        return 0;
    }
    if rules.sheet(who).kind == Kind::Brute || !state.omen_met(rules, who) {
        sink.event(Event::NoRisk(who));
        return 0;
    }
    let before = state.being(who).risk;
    let now = before.saturating_add(amount).min(MOST_RISK);
    state.being_mut(who).risk = now;
    sink.event(Event::Risk { who, amount: now - before, now, veiled });
    if before < CRITICAL && now >= CRITICAL {
        sink.event(Event::Critical(who));
    }
    now - before
}
