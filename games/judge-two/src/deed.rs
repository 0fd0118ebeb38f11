//! Deeds: what can be done with boons and other things in one.

use crate::{
    answer::Deed,
    disguise,
    event::Event,
    notice,
    risk::readied,
    rules::{Gear, Recovery, Rules},
    script,
    state::{Lie, Place, Poise, State},
    vocab::*,
};
use fracas_kernel::{Objections, Sink, fine};

/// Hands a character has.
const HANDS: u8 = 2;

/// Whether one deed readies this from where it is now.
///
/// A disarmed boon takes one deed to recover and another to ready
/// (`boon.recover`), unless the table has one deed do both
/// (`disarm-recovery-deeds`).
fn at_hand(rules: &Rules, state: &State, who: Char, item: Item) -> bool {
    let place = notice::place_to(rules, state, who, item);
    match place.lie {
        Lie::Carried => place.holder == who,
        Lie::Ground if !place.disarmed || rules.gear(item).improvised => true,
        Lie::Ground => rules.options.recovery == Recovery::OneDeed && place.holder == who,
        // Whatever lies about may be picked up (`martial.improvised`, `lying-about`).
        Lie::Gone => rules.gear(item).improvised,
        Lie::Readied => false,
    }
}

/// Whether readying these puts that one away: a boon of the same category and
/// form gives way (`boon.duration`). What is worn stays worn.
fn displaces(rules: &Rules, new: &[Item], old: Item) -> bool {
    let old_gear = rules.gear(old);
    !old_gear.passive
        && !rules.scripts.has(old)
        && !new.contains(&old)
        && new.iter().any(|&item| {
            let gear = rules.gear(item);
            gear.category == old_gear.category && gear.form == old_gear.form
        })
}

/// The things a deed readies, if it readies any.
fn readies(deed: Deed) -> ([Item; 2], usize) {
    match deed {
        Deed::Ready(item) => ([item; 2], 1),
        Deed::ReadyBoth(a, b) => ([a, b], 2),
        _ => ([Item(0); 2], 0),
    }
}

/// Reasons why these cannot be readied together, `gone` being put away first.
fn object_ready(
    rules: &Rules,
    state: &State,
    who: Char,
    items: &[Item],
    gone: Option<Item>,
    out: &mut impl Objections,
) {
    let being = state.being(who);
    for &item in items {
        let gear = rules.gear(item);
        if gear.category == Category::Item || gear.passive {
            out.no(clause!("boon.passive-ready"), "only boons are readied, and what is worn is so already");
        } else if !at_hand(rules, state, who, item) && (items.len() < 2 || !being.readied.has(item)) {
            out.no(clause!("boon.ready-deed"), "that is not at hand: it must be carried, or lie free");
        }
    }
    // Switching is for one hand: what is in the other stays.
    let kept = |old: &Item| {
        Some(*old) != gone && !items.contains(old) && (gone.is_some() || !displaces(rules, items, *old))
    };
    let hands = |item: Item| rules.gear(item).hands;
    let full: u8 = readied(state, who).filter(kept).map(hands).sum();
    let wanted: u8 = items.iter().map(|&item| hands(item)).sum();
    if full + wanted > HANDS {
        out.no(clause!("weapon.hands"), "there is no hand free for it: stow what is in the other first");
    }
    let scripts = items.iter().filter(|&&item| rules.scripts.has(item)).count();
    if scripts > 0 {
        let more = readied(state, who).filter(kept).filter(|&old| rules.scripts.has(old)).count();
        if scripts + more > script::MOST {
            out.no(clause!("script.two-max"), "two scripts at most: switch one of them for it");
        }
    }
}

/// Whether two things go into one hand each.
fn goes_in_one(gear: &Gear) -> bool {
    gear.hands <= 1
}

/// Reasons why this deed cannot be done (however many deeds there are left).
pub(crate) fn object(rules: &Rules, state: &State, who: Char, deed: Deed, out: &mut impl Objections) {
    let being = state.being(who);
    if being.bind != 0 {
        out.no(
            clause!("threat.entangle-limits"),
            "a bound character does no deeds: it can attack those it is bound with, or pass",
        );
    }
    match deed {
        Deed::Other => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            if let Deed::ReadyBoth(a, b) = deed {
                let one_each = a != b && goes_in_one(rules.gear(a)) && goes_in_one(rules.gear(b));
                if !one_each || (being.readied.has(a) && being.readied.has(b)) {
                    out.no(clause!("boon.ready-deed"), "two at once means one for each hand");
                }
            }
            object_ready(rules, state, who, &items[..n], None, out);
        }
        Deed::Switch(old, new) => {
            if !being.readied.has(old) || rules.gear(old).passive {
                out.no(clause!("ready.switch"), "only what is in hand can be put away for something else");
            }
            if !being.held.has(new) {
                out.no(clause!("ready.switch"), "what is switched to is one's own, and carried");
            }
            object_ready(rules, state, who, &[new], Some(old), out);
        }
        Deed::Stow(item) => {
            if !being.readied.has(item) || rules.gear(item).passive {
                out.no(clause!("boon.ready-deed"), "only what is in hand can be put away");
            }
        }
        Deed::Discard(item) => {
            if !rules.scripts.has(item) || !being.readied.has(item) {
                out.no(clause!("script.discard"), "a script of one's own, readied, is what can be discarded");
            }
        }
        Deed::Recover(item) => {
            let place = notice::place_to(rules, state, who, item);
            if place.lie != Lie::Ground {
                out.no(clause!("threat.disarm-recover"), "it does not lie there any more");
            } else if place.holder != who {
                out.no(clause!("threat.disarm-recover"), "that is not theirs to recover: they could take it");
            }
        }
        Deed::Take(item) => {
            let place = notice::place_to(rules, state, who, item);
            let hands: u8 = readied(state, who).map(|old| rules.gear(old).hands).sum();
            if place.lie != Lie::Ground {
                out.no(clause!("disarm-steal"), "it does not lie there any more");
            } else if place.holder == who {
                out.no(clause!("disarm-steal"), "it is their own: they recover it");
            } else if !rules.gear(item).stealable {
                out.no(clause!("threat.disarm-recover"), "nobody but its owner can pick this up");
            } else if hands >= HANDS && !rules.scripts.has(item) {
                out.no(clause!("disarm-steal"), "both hands are full: stow something first");
            }
        }
        Deed::Compose => object_compose(rules, state, who, out),
        Deed::Mount(item) => {
            if !rules.gear(item).mount || !being.held.has(item) {
                out.no(clause!("mounted-state"), "it takes a mount of one's own to get on");
            } else if being.mount.is_some() {
                out.no(clause!("mounted-state"), "they are mounted already");
            }
        }
        Deed::Dismount => {
            if being.mount.is_none() {
                out.no(clause!("mounted-state"), "they ride nothing");
            }
        }
        Deed::Unmask => {
            if being.disguise.is_none() {
                out.no(clause!("disguise.purpose"), "they wear no disguise");
            }
        }
        Deed::Request(of) => {
            if rules.is_pc(of) || !rules.is_pc(who) {
                out.no(clause!("disp.levels"), "players' characters ask something of the gamemaster's");
            } else if !state.is_in(of) {
                out.no(clause!("finisher.defeat"), "they take no part now");
            }
        }
    }
}

/// Reasons why composure cannot be regained (`composure.regain`).
fn object_compose(rules: &Rules, state: &State, who: Char, out: &mut impl Objections) {
    let being = state.being(who);
    if being.poise == Poise::Composed {
        out.no(clause!("composure.composed"), "they are composed");
    }
    if script::is_impassioned(rules, state, who) {
        out.no(clause!("composure.regain"), "not with an impassioned script readied");
    }
    if being.marks.iter().any(|mark| !being.physical.has(mark)) {
        out.no(clause!("composure.regain"), "not while bearing a mark from a subtle attack");
    }
}

/// Does a deed that nothing speaks against.
pub(crate) fn carry_out(
    rules: &Rules,
    state: &mut State,
    who: Char,
    deed: Deed,
    sink: &mut impl Sink<Event>,
) {
    match deed {
        Deed::Other | Deed::Request(_) => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            let items = &items[..n];
            for old in readied(state, who) {
                if displaces(rules, items, old) {
                    put_away(state, who, old, sink);
                }
            }
            for &item in items {
                ready(rules, state, who, item, sink);
            }
        }
        Deed::Switch(old, new) => {
            state.put(old, who, Lie::Carried);
            ready(rules, state, who, new, sink);
        }
        Deed::Stow(item) => state.put(item, who, Lie::Carried),
        Deed::Discard(item) => {
            state.put(item, who, Lie::Gone);
            let place = &mut state.places[item.index()];
            (place.disarmed, place.lost_by) = (false, None);
        }
        Deed::Recover(item) | Deed::Take(item) => {
            let passive = rules.gear(item).passive;
            // What possession readies is readied by being picked up.
            state.put(item, who, if passive { Lie::Readied } else { Lie::Carried });
            let place = &mut state.places[item.index()];
            place.disarmed &= !passive;
            has_back(place, who);
        }
        Deed::Compose => {
            state.being_mut(who).poise = Poise::Composed;
            sink.event(Event::Composure { who, has: true, why: clause!("composure.regain") });
        }
        Deed::Mount(item) => state.being_mut(who).mount = Some(item),
        Deed::Dismount => state.being_mut(who).mount = None,
        Deed::Unmask => disguise::put_on(state, who, crate::state::Disguise::default(), sink),
    }
}

/// Something gives way to what takes its place in hand (`boon.duration`, `third-script`).
pub(crate) fn put_away(state: &mut State, who: Char, item: Item, sink: &mut impl Sink<Event>) {
    state.put(item, who, Lie::Carried);
    sink.event(Event::PutsAway { who, item });
}

/// Something is readied: an impassioned script costs composure
/// (`subtle.composure-lost`).
pub(crate) fn ready(rules: &Rules, state: &mut State, who: Char, item: Item, sink: &mut impl Sink<Event>) {
    let Place { holder, lie, .. } = state.place(item);
    if lie != Lie::Gone && holder != who && notice::is_concealed(state, item) {
        sink.event(Event::Loses { who: holder, item });
    }
    state.put(item, who, Lie::Readied);
    let place = &mut state.places[item.index()];
    place.disarmed = false;
    has_back(place, who);
    if rules.gear(item).impassioned {
        disguise::lose_composure(state, who, clause!("script.passion"), sink);
    }
}

/// Whoever was disarmed of it may have it back.
fn has_back(place: &mut Place, who: Char) {
    if place.lost_by == Some(who) {
        place.lost_by = None;
    }
}

/// Every deed somebody could do, leaving aside how many are left.
pub(crate) fn each(rules: &Rules, state: &State, who: Char, each: &mut impl FnMut(Deed)) {
    if state.being(who).bind != 0 {
        return;
    }
    each(Deed::Other);
    let mut offer = |deed| {
        if fine(|out| object(rules, state, who, deed, out)) {
            each(deed);
        }
    };
    let being = *state.being(who);
    let one = |item: Item| rules.gear(item).hands == 1;
    for item in being.held.iter() {
        if being.readied.has(item) {
            offer(Deed::Stow(item));
            if rules.scripts.has(item) {
                offer(Deed::Discard(item));
            }
            for other in being.held.iter().filter(|&other| !being.readied.has(other)) {
                // Whatever gives way by itself needs no switching.
                if !displaces(rules, &[other], item) {
                    let scripts = rules.scripts.has(item) && rules.scripts.has(other);
                    if scripts || (one(item) && one(other)) {
                        offer(Deed::Switch(item, other));
                    }
                } else if one(item) && one(other) {
                    offer(Deed::ReadyBoth(item, other));
                    if readied(state, who).any(|left| left != item && displaces(rules, &[other], left)) {
                        offer(Deed::Switch(item, other));
                    }
                }
            }
        } else {
            offer(Deed::Ready(item));
            for other in being.held.iter().filter(|&other| other > item && one(item) && one(other)) {
                if !being.readied.has(other) {
                    offer(Deed::ReadyBoth(item, other));
                }
            }
            offer(Deed::Mount(item));
        }
    }
    for item in
        rules.everything().filter(|&item| notice::place_to(rules, state, who, item).lie == Lie::Ground)
    {
        offer(Deed::Ready(item));
        offer(Deed::Recover(item));
        offer(Deed::Take(item));
    }
    // Of what lies about under one name one will do.
    if state.form == Some(Form::Martial) {
        let mut last = "";
        let lies = |&item: &Item| notice::place_to(rules, state, who, item).lie == Lie::Gone;
        for item in rules.improvised.iter().filter(lies) {
            let name = rules.gear(item).name.as_str();
            if name != last {
                offer(Deed::Ready(item));
            }
            last = name;
        }
    }
    if being.poise != Poise::Composed && state.form.is_some() {
        offer(Deed::Compose);
    }
    if being.mount.is_some() {
        offer(Deed::Dismount);
    }
    if being.disguise.is_some() {
        offer(Deed::Unmask);
    }
    if state.form.is_none() && rules.is_pc(who) {
        for of in state.in_sight().minus(rules.pcs).iter() {
            offer(Deed::Request(of));
        }
    }
}

/// Whether a deed handles something that lies where everybody can see it.
pub(crate) fn shows(state: &State, deed: Deed) -> bool {
    let lies = |item: Item| state.place(item).lie == Lie::Ground && !notice::is_concealed(state, item);
    match deed {
        Deed::Recover(item) | Deed::Take(item) => lies(item),
        _ => {
            let (items, n) = readies(deed);
            items[..n].iter().any(|&item| lies(item))
        }
    }
}
