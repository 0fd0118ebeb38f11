//! Deeds: what can be done with boons and other things in one.

use crate::{
    answer::Deed,
    objection::Objections,
    risk::readied,
    rules::{Recovery, Rules},
    state::{Lie, Place, State},
    vocab::*,
};

/// Hands a character has.
const HANDS: u8 = 2;

/// Whether one deed readies this from where it is now.
///
/// A disarmed boon takes one deed to recover and another to ready
/// (`boon.recover`), unless the table has one deed do both
/// (`disarm-recovery-deeds`).
fn at_hand(rules: &Rules, state: &State, who: Char, item: Item) -> bool {
    let place = state.place(item);
    match place.lie {
        Lie::Carried => place.holder == who,
        Lie::Ground if !place.disarmed => true,
        Lie::Ground => rules.options.recovery == Recovery::OneDeed && place.holder == who,
        Lie::Readied | Lie::Gone => false,
    }
}

/// Whether readying these puts that one away: a boon of the same category and
/// form gives way (`boon.duration`). What is worn stays worn.
fn displaces(rules: &Rules, new: &[Item], old: Item) -> bool {
    let old_gear = rules.gear(old);
    !old_gear.passive
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

/// Reasons why this deed cannot be done (however many deeds there are left).
pub(crate) fn object(rules: &Rules, state: &State, who: Char, deed: Deed, out: &mut impl Objections) {
    if state.being(who).bind != 0 {
        out.no(
            clause!("threat.entangle-limits"),
            "a bound character does no deeds: it can attack those it is bound with, or pass",
        );
    }
    match deed {
        Deed::Other => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            let items = &items[..n];
            if let Deed::ReadyBoth(a, b) = deed
                && (a == b || rules.gear(a).hands > 1 || rules.gear(b).hands > 1)
            {
                out.no(clause!("boon.ready-deed"), "two at once means one for each hand");
            }
            for &item in items {
                let gear = rules.gear(item);
                if gear.category == Category::Item || gear.passive {
                    out.no(
                        clause!("boon.passive-ready"),
                        "only boons are readied, and what is worn is so already",
                    );
                } else if !at_hand(rules, state, who, item) {
                    out.no(
                        clause!("boon.ready-deed"),
                        "that is not at hand: it must be carried, or lie free",
                    );
                }
            }
            let kept: u8 = readied(rules, state, who)
                .filter(|&old| !items.contains(&old) && !displaces(rules, items, old))
                .map(|old| rules.gear(old).hands)
                .sum();
            let wanted: u8 = items.iter().map(|&item| rules.gear(item).hands).sum();
            if kept + wanted > HANDS {
                out.no(clause!("boon.keen"), "there is no hand free for it: stow what is in the other first");
            }
        }
        Deed::Stow(item) => {
            let place = state.place(item);
            if place.holder != who || place.lie != Lie::Readied || rules.gear(item).passive {
                out.no(clause!("boon.ready-deed"), "only what is in hand can be put away");
            }
        }
        Deed::Recover(item) => {
            let place = state.place(item);
            if place.lie != Lie::Ground {
                out.no(clause!("threat.disarm-recover"), "it does not lie there any more");
            } else if place.holder != who {
                out.no(clause!("threat.disarm-recover"), "that is not theirs to recover: they could take it");
            }
        }
        Deed::Take(item) => {
            let place = state.place(item);
            if place.lie != Lie::Ground {
                out.no(clause!("disarm-steal"), "it does not lie there any more");
            } else if place.holder == who {
                out.no(clause!("disarm-steal"), "it is their own: they recover it");
            } else if !rules.gear(item).stealable {
                out.no(clause!("threat.disarm-recover"), "nobody but its owner can pick this up");
            }
        }
    }
}

/// Does a deed that nothing speaks against.
pub(crate) fn carry_out(rules: &Rules, state: &mut State, who: Char, deed: Deed) {
    match deed {
        Deed::Other => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            let items = &items[..n];
            for old in rules.everything() {
                let place = state.place(old);
                if place.holder == who && place.lie == Lie::Readied && displaces(rules, items, old) {
                    state.places[old.index()].lie = Lie::Carried;
                }
            }
            for &item in items {
                let place = &mut state.places[item.index()];
                place.holder = who;
                place.lie = Lie::Readied;
                place.disarmed = false;
                has_back(place, who);
            }
        }
        Deed::Stow(item) => state.places[item.index()].lie = Lie::Carried,
        Deed::Recover(item) | Deed::Take(item) => {
            let passive = rules.gear(item).passive;
            let place = &mut state.places[item.index()];
            place.holder = who;
            // What possession readies is readied by being picked up.
            place.lie = if passive { Lie::Readied } else { Lie::Carried };
            place.disarmed &= !passive;
            has_back(place, who);
        }
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
    use crate::objection::fine;
    let can = |deed| fine(|out| object(rules, state, who, deed, out));
    if !can(Deed::Other) {
        return;
    }
    each(Deed::Other);
    for item in rules.everything() {
        let place = state.place(item);
        if place.lie == Lie::Gone || (place.holder != who && place.lie != Lie::Ground) {
            continue;
        }
        for deed in [Deed::Ready(item), Deed::Stow(item), Deed::Recover(item), Deed::Take(item)] {
            if can(deed) {
                each(deed);
            }
        }
        if rules.gear(item).hands == 1 && place.holder == who && place.lie == Lie::Carried {
            for other in rules.everything().skip(item.index() + 1) {
                let second = state.place(other);
                if rules.gear(other).hands == 1
                    && second.holder == who
                    && second.lie == Lie::Carried
                    && can(Deed::ReadyBoth(item, other))
                {
                    each(Deed::ReadyBoth(item, other));
                }
            }
        }
    }
}
