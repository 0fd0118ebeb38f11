//! Other tables that look the same to somebody.

use crate::rules::{Omen, Rules};
use crate::state::{Fate, Lie, Poise, State};
use crate::{At, flow, harm, notice, view::knows_name, vocab::*};
use fracas_kernel::{Known, Names, Seat, Viewer};

/// Changes everything that a viewer may not know.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    if who.is_gm() {
        return;
    }
    // Names first: which are hidden is read off the table as it is.
    rename(rules, state, who, seed);
    for (i, slot) in (0..rules.cast.len()).map(|i| (i as u64, Char(i as u8))) {
        let hidden = harm::hides_pl(At { rules, state }, slot);
        let met = state.omen_met(rules, slot);
        let sheet = &mut rules.cast[slot.index()];
        if hidden && !rules.pcs.has(slot) {
            sheet.pl = 4 + ((u64::from(sheet.pl) + seed + i) % 5) as u8;
        }
        sheet.secret = format!("another secret {}", seed.wrapping_mul(31).wrapping_add(i));
        let being = &mut state.cast[slot.index()];
        if !rules.pcs.has(slot) {
            being.disposition = Disposition::ALL[((seed >> 3) + i) as usize % 3];
            // What a disguise shows stays; what it hides need not be so.
            if let Some(disguise) = being.disguise {
                if disguise.people.is_some() {
                    sheet.people = People::ALL.get((seed + i) as usize % 6).copied();
                }
                if disguise.gender.is_some() {
                    sheet.gender = Gender::ALL.get((seed + i) as usize % 3).copied();
                }
            }
        }
        // Whether an omen is met shows; which omen does not.
        if sheet.omen.is_some() {
            sheet.omen = Some(Omen::Threat(Threat::ALL[(seed + i) as usize % Threat::ALL.len()]));
            if state.omen_met(rules, slot) != met {
                rules.cast[slot.index()].omen = Some(Omen::Ruled);
                state.omens_ruled =
                    if met { state.omens_ruled.with(slot) } else { state.omens_ruled.without(slot) };
            }
        }
    }
    let unseen = state.out_of_sight();
    let involved = flow::involved(state, Viewer::Seat(Seat::Gm));
    for who in unseen.iter() {
        change(rules, state, who, involved.has(who), seed.rotate_left(u32::from(who.0)));
    }
    scramble_gear(rules, state, seed);
    flow::scramble_lurker(rules, state, seed);
}

/// Gives whatever is hidden another name.
fn rename(rules: &mut Rules, state: &State, who: Viewer, seed: u64) {
    let mut names = Names::default();
    for (letter, n) in rules.roster.names.all() {
        let slug = rules.roster.names.slug(letter, n).unwrap_or_default();
        let other = format!("other-{letter}{n}-{}", seed % 97);
        let hidden = knows_name(At { rules, state }, (letter, n), who) == Known::Hidden;
        let put = names.add(letter, if hidden { &other } else { slug });
        debug_assert!(put, "two things have one name");
        if !hidden {
            continue;
        }
        let name = format!("Other {letter}{n} {}", seed % 97);
        match letter {
            Char::LETTER => {
                let sheet = &mut rules.cast[n];
                (sheet.slug, sheet.said, sheet.name) = (other, name.clone(), name);
            }
            Item::LETTER => (rules.gear[n].slug, rules.gear[n].name) = (other, name),
            _ => (rules.abilities[n].slug, rules.abilities[n].name) = (other, name),
        }
    }
    rules.roster.names = names;
}

/// Makes somebody whom nobody has noticed somebody else. One who has no part in what is
/// under way may not be there at all.
fn change(rules: &mut Rules, state: &mut State, who: Char, involved: bool, seed: u64) {
    let sheet = &mut rules.cast[who.index()];
    if sheet.kind != Kind::Nemesis {
        sheet.kind = if seed & 1 == 0 { Kind::Brute } else { Kind::Foe };
        rules.brutes = if seed & 1 == 0 { rules.brutes.with(who) } else { rules.brutes.without(who) };
    }
    sheet.pl = 4 + (seed % 5) as u8;
    sheet.resolve = (seed >> 2) as u8 % 4;
    sheet.people = People::ALL.get((seed >> 4) as usize % 6).copied();
    sheet.gender = Gender::ALL.get((seed >> 5) as usize % 3).copied();
    (sheet.supernal, sheet.priest) = (seed & 2 == 0, seed & 4 == 0);
    sheet.history = vec![format!("another past {}", seed % 89)];
    let brute = sheet.kind == Kind::Brute;
    let gone = state.gone.has(who);
    for other in rules.everybody().filter(|&other| other != who) {
        let bit = seed >> (other.0 % 61) & 1 == 0;
        if rules.is_pc(other) {
            state.being_mut(other).unaware_of = state.being(other).unaware_of.with(who);
        } else if bit {
            let being = state.being_mut(other);
            (being.unaware_of, being.heedless_of) = (being.unaware_of.with(who), being.heedless_of.with(who));
        }
        state.place_at(who, other, Band::ALL[(seed >> (other.0 % 59)) as usize % 4]);
    }
    let being = state.being_mut(who);
    if !involved {
        being.fate = match seed & 8 {
            0 if gone => Fate::Dead,
            0 => Fate::In,
            _ => Fate::Away,
        };
    }
    being.risk = if brute { 0 } else { (seed >> 6) as u8 % 7 };
    being.marks = Mark::ALL.iter().copied().filter(|&mark| seed >> (7 + mark as u32) & 1 == 0).collect();
    being.physical = being.marks;
    (being.weakened, being.released) = (seed & 16 == 0, seed & 32 == 0);
    (being.burdened, being.dislodged) = (seed & 64 == 0, seed & 128 == 0);
    (being.silenced, being.apart) = (seed & 256 == 0, seed & 512 == 0);
    being.poise = if seed & 1024 == 0 { Poise::Composed } else { Poise::Lost };
    (being.wealth, being.following) = ((seed >> 8) as u8 % 10, (seed >> 9) as u8 % 100);
    being.unaware_of = rules.pcs;
}

/// Changes what nobody sees of things and abilities: of those whom nobody has noticed
/// everything but whose they are.
fn scramble_gear(rules: &mut Rules, state: &mut State, seed: u64) {
    for item in rules.everything() {
        let place = state.place(item);
        let shared = rules.gear(item).base || rules.improvised.has(item) || rules.scripts.has(item);
        if shared || rules.is_pc(rules.gear(item).owner) || !notice::is_concealed(state, item) {
            continue;
        }
        let seed = seed.rotate_right(u32::from(item.0));
        let gear = &mut rules.gear[item.index()];
        gear.condition = if seed & 1 == 0 { Condition::Always } else { Condition::Ruled };
        gear.range = Band::ALL[(seed >> 1) as usize % 3];
        gear.resist = [(seed >> 3) as u8 % 4, 0, 0];
        let lie = if seed & 64 == 0 { Lie::Readied } else { Lie::Carried };
        if !gear.passive {
            state.put(item, place.holder, lie);
        }
    }
    for at in 0..rules.abilities.len() {
        let power = &rules.abilities[at];
        let has = power.item.map_or(power.owner, |item| state.place(item).holder);
        if state.out_of_sight().has(has) && !rules.is_pc(power.owner) {
            let power = &mut rules.abilities[at];
            power.magick = seed >> (at % 61) & 1 == 0;
            power.resist = [(seed >> (at % 59)) as u8 % 3; 3];
        }
    }
}
