//! Risk, resistance and resolve.

use crate::{At, Play, disguise, event::Event, prestige, rules::Gear, state::State, vocab::*};
use fracas_kernel::Sink;

/// Nobody has more (`risk.cap`).
pub(crate) const MOST_RISK: u8 = 12;

/// Whether boons grant this character their bonuses.
///
/// Not to the afflicted (`mark.afflict-boons`), and never to brutes
/// (`brute.no-boons`).
pub(crate) fn has_bonuses(at: At<'_>, who: Char) -> bool {
    at.rules.sheet(who).kind != Kind::Brute && !at.state.being(who).marks.has(Mark::Afflict)
}

/// Ranks of a form's resistance: of vital boons, prestige in subtle conflicts
/// (`prestige.vital`), abilities, and resolve (`resist.sum`).
pub(crate) fn resistance(at: At<'_>, who: Char, form: Form) -> u8 {
    let kind = form.resistance();
    let mut ranks = at.rules.sheet(who).resolve;
    ranks += at.rules.gifts(at.state, who).map(|gift| gift.resist[kind]).sum::<u8>();
    if has_bonuses(at, who) {
        let vital = || {
            let gear = readied(at.state, who).map(|item| at.rules.gear(item));
            gear.filter(|gear| gear.category == Category::Vital)
        };
        let ranks_of = |gear: &Gear| gear.resist[kind];
        ranks += vital().filter(|gear| gear.armor.is_none()).map(ranks_of).sum::<u8>();
        // Of armour worn over armour the better counts (`armor-over-armor`).
        ranks += vital().filter(|gear| gear.armor.is_some()).map(ranks_of).max().unwrap_or(0);
        if form == Form::Subtle {
            ranks += prestige::level(at, who).ranks();
        }
    }
    ranks
}

/// Everything a character has readied, worn things included.
pub(crate) fn readied(state: &State, who: Char) -> impl Iterator<Item = Item> + use<> {
    state.being(who).readied.iter()
}

/// Recorded risk as far as it counts: a nemesis ignores all of it while its
/// omen is unmet (`nemesis.omen-lapse`).
pub(crate) fn counted(at: At<'_>, who: Char) -> u8 {
    if at.state.omen_met(at.rules, who) { at.state.being(who).risk } else { 0 }
}

/// What risk adds to the degree of an attack (`risk.effective`).
pub(crate) fn effective(at: At<'_>, who: Char, form: Form) -> i8 {
    beyond(counted(at, who), resistance(at, who, form))
}

/// The part of risk that resistance does not take off (`resist.sum`).
pub(crate) const fn beyond(risk: u8, resistance: u8) -> i8 {
    risk.saturating_sub(resistance) as i8
}

/// Whether somebody is in a critical state.
pub(crate) fn is_critical(at: At<'_>, who: Char) -> bool {
    counted(at, who) >= at.rules.options.critical_from
}

/// Whether somebody can pay risk of their own will.
///
/// Never at twelve (`risk.at-cap-voluntary`), and only where the whole cost
/// fits (`guard-at-eleven`).
pub(crate) fn can_pay(state: &State, who: Char, cost: u8) -> bool {
    let risk = state.being(who).risk;
    cost == 0 || (risk < MOST_RISK && risk + cost <= MOST_RISK)
}

/// Whether risk can be imposed on somebody: not on brutes, nor before an omen is met.
fn takes_risk(at: At<'_>, who: Char) -> bool {
    at.rules.sheet(who).kind != Kind::Brute && at.state.omen_met(at.rules, who)
}

/// What would be recorded if risk were imposed.
pub(crate) fn recorded(at: At<'_>, who: Char, amount: u8) -> u8 {
    if takes_risk(at, who) { fits(at.state.being(who).risk, amount) } else { 0 }
}

/// The part of further risk that fits under twelve (`risk.cap`).
pub(crate) fn fits(risk: u8, amount: u8) -> u8 {
    amount.min(MOST_RISK.saturating_sub(risk))
}

/// Imposes risk: up to twelve, none on brutes, none before an omen is met.
/// Gives what was recorded.
pub(crate) fn impose(play: &mut Play<'_, impl Sink<Event>>, who: Char, amount: u8, veiled: bool) -> u8 {
    if amount == 0 {
        return 0;
    }
    if !takes_risk(play.at(), who) {
        play.event(Event::NoRisk(who));
        return 0;
    }
    let (before, now) = raise(play.state, who, amount);
    play.event(Event::Risk { who, amount: now - before, now, veiled });
    enters(play, who, before);
    now - before
}

/// Raises risk, up to twelve. Gives it before and after.
pub(crate) fn raise(state: &mut State, who: Char, amount: u8) -> (u8, u8) {
    let risk = &mut state.being_mut(who).risk;
    let before = *risk;
    *risk = before.saturating_add(amount).min(MOST_RISK);
    (before, *risk)
}

/// Risk that has just risen may bring somebody into a critical state, which
/// no disguise survives (`risk.critical`, `disguise.breaks`); risk that is ignored does
/// not (`omen-ignored-risk`).
pub(crate) fn enters(play: &mut Play<'_, impl Sink<Event>>, who: Char, before: u8) {
    if before < play.rules.options.critical_from && is_critical(play.at(), who) {
        enter_one(play, who);
    }
}

/// The same where a critical state begins elsewhere than before: of those who were in none.
pub(crate) fn enter(play: &mut Play<'_, impl Sink<Event>>, before: CharSet) {
    critical(play.at()).minus(before).iter().for_each(|who| enter_one(play, who));
}

/// Everybody who takes part in a critical state.
pub(crate) fn critical(at: At<'_>) -> CharSet {
    at.state.present().iter().filter(|&who| is_critical(at, who)).collect()
}

fn enter_one(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.event(Event::Critical(who));
    disguise::breaks(play, who);
}
