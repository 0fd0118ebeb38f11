//! Deeds: what can be done with boons and other things in one.

use crate::rules::{Gear, Recovery, Rules};
use crate::state::{Lie, Place, Poise};
use crate::{At, Play, answer::Deed, disguise, event::Event, notice, risk::readied, script, vocab::*};
use fracas_kernel::{Objections, Sink, fine};

/// Hands a character has.
const HANDS: u8 = 2;

/// Whether one deed readies this from where it is now.
///
/// A disarmed boon takes one deed to recover and another to ready
/// (`boon.recover`), unless the table has one deed do both
/// (`disarm-recovery-deeds`).
fn at_hand(at: At<'_>, who: Char, item: Item) -> bool {
    let place = notice::place_to(at, who, item);
    match place.lie {
        Lie::Carried => place.holder == who,
        Lie::Ground if !place.disarmed || at.rules.gear(item).improvised => true,
        Lie::Ground => at.rules.options.recovery == Recovery::OneDeed && place.holder == who,
        // Whatever lies about may be picked up (`martial.improvised`, `lying-about`).
        Lie::Gone => at.rules.improvised.has(item),
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
fn object_ready(at: At<'_>, who: Char, items: &[Item], gone: Option<Item>, out: &mut impl Objections) {
    let being = at.state.being(who);
    for &item in items {
        let gear = at.rules.gear(item);
        if gear.category == Category::Item || gear.passive {
            out.no(clause!("boon.passive-ready"), "only boons are readied, and what is worn is so already");
        } else if !at_hand(at, who, item) && (items.len() < 2 || !being.readied.has(item)) {
            out.no(clause!("boon.ready-deed"), "that is not at hand: it must be carried, or lie free");
        }
    }
    // Switching is for one hand: what is in the other stays.
    let kept = |old: &Item| {
        Some(*old) != gone && !items.contains(old) && (gone.is_some() || !displaces(at.rules, items, *old))
    };
    let hands = |item: Item| at.rules.gear(item).hands;
    let full: u8 = readied(at.state, who).filter(kept).map(hands).sum();
    let wanted: u8 = items.iter().map(|&item| hands(item)).sum();
    if full + wanted > HANDS {
        out.no(clause!("weapon.hands"), "there is no hand free for it: stow what is in the other first");
    }
    let scripts = items.iter().filter(|&&item| at.rules.scripts.has(item)).count();
    if scripts > 0 {
        let more = readied(at.state, who).filter(kept).filter(|&old| at.rules.scripts.has(old)).count();
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
pub(crate) fn object(at: At<'_>, who: Char, deed: Deed, out: &mut impl Objections) {
    let being = at.state.being(who);
    if being.bind != 0 {
        let what = "a bound character does no deeds: it can attack those it is bound with, or pass";
        out.no(clause!("threat.entangle-limits"), what);
    }
    match deed {
        Deed::Other => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            if let Deed::ReadyBoth(a, b) = deed {
                let one_each = a != b && goes_in_one(at.rules.gear(a)) && goes_in_one(at.rules.gear(b));
                if !one_each || (being.readied.has(a) && being.readied.has(b)) {
                    out.no(clause!("boon.ready-deed"), "two at once means one for each hand");
                }
            }
            object_ready(at, who, &items[..n], None, out);
        }
        Deed::Switch(old, new) => {
            if !being.readied.has(old) || at.rules.gear(old).passive {
                out.no(clause!("ready.switch"), "only what is in hand can be put away for something else");
            }
            if !being.held.has(new) {
                out.no(clause!("ready.switch"), "what is switched to is one's own, and carried");
            }
            object_ready(at, who, &[new], Some(old), out);
        }
        Deed::Stow(item) => {
            if !being.readied.has(item) || at.rules.gear(item).passive {
                out.no(clause!("boon.ready-deed"), "only what is in hand can be put away");
            }
        }
        Deed::Discard(item) => {
            if !at.rules.scripts.has(item) || !being.readied.has(item) {
                out.no(clause!("script.discard"), "a script of one's own, readied, is what can be discarded");
            }
        }
        Deed::Recover(item) => {
            let place = notice::place_to(at, who, item);
            if place.lie != Lie::Ground {
                out.no(clause!("threat.disarm-recover"), "it does not lie there any more");
            } else if place.holder != who {
                out.no(clause!("threat.disarm-recover"), "that is not theirs to recover: they could take it");
            }
        }
        Deed::Take(item) => {
            let place = notice::place_to(at, who, item);
            let hands: u8 = readied(at.state, who).map(|old| at.rules.gear(old).hands).sum();
            if place.lie != Lie::Ground {
                out.no(clause!("disarm-steal"), "it does not lie there any more");
            } else if place.holder == who {
                out.no(clause!("disarm-steal"), "it is their own: they recover it");
            } else if !at.rules.gear(item).stealable {
                out.no(clause!("threat.disarm-recover"), "nobody but its owner can pick this up");
            } else if hands >= HANDS && !at.rules.scripts.has(item) {
                out.no(clause!("disarm-steal"), "both hands are full: stow something first");
            }
        }
        Deed::Compose => object_compose(at, who, out),
        Deed::Mount(item) => {
            if !at.rules.gear(item).mount || !being.held.has(item) {
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
            if at.rules.is_pc(of) || !at.rules.is_pc(who) {
                out.no(clause!("disp.levels"), "players' characters ask something of the gamemaster's");
            } else if !at.state.is_in(of) {
                out.no(clause!("finisher.defeat"), "they take no part now");
            }
        }
    }
}

/// Reasons why composure cannot be regained (`composure.regain`).
fn object_compose(at: At<'_>, who: Char, out: &mut impl Objections) {
    let being = at.state.being(who);
    if being.poise == Poise::Composed {
        out.no(clause!("composure.composed"), "they are composed");
    }
    if script::is_impassioned(at, who) {
        out.no(clause!("composure.regain"), "not with an impassioned script readied");
    }
    if being.marks.iter().any(|mark| !being.physical.has(mark)) {
        out.no(clause!("composure.regain"), "not while bearing a mark from a subtle attack");
    }
}

/// Does a deed that nothing speaks against.
pub(crate) fn carry_out(play: &mut Play<'_, impl Sink<Event>>, who: Char, deed: Deed) {
    match deed {
        Deed::Other | Deed::Request(_) => {}
        Deed::Ready(_) | Deed::ReadyBoth(..) => {
            let (items, n) = readies(deed);
            let items = &items[..n];
            for old in readied(play.state, who) {
                if displaces(play.rules, items, old) {
                    put_away(play, who, old);
                }
            }
            for &item in items {
                ready(play, who, item);
            }
        }
        Deed::Switch(old, new) => {
            play.state.put(old, who, Lie::Carried);
            ready(play, who, new);
        }
        Deed::Stow(item) => play.state.put(item, who, Lie::Carried),
        Deed::Discard(item) => {
            play.state.put(item, who, Lie::Gone);
            let place = &mut play.state.places[item.index()];
            (place.disarmed, place.lost_by) = (false, None);
        }
        Deed::Recover(item) | Deed::Take(item) => {
            let passive = play.rules.gear(item).passive;
            // What possession readies is readied by being picked up.
            play.state.put(item, who, if passive { Lie::Readied } else { Lie::Carried });
            let place = &mut play.state.places[item.index()];
            place.disarmed &= !passive;
            has_back(place, who);
        }
        Deed::Compose => {
            play.state.being_mut(who).poise = Poise::Composed;
            play.event(Event::Composure { who, has: true, why: clause!("composure.regain") });
        }
        Deed::Mount(item) => play.state.being_mut(who).mount = Some(item),
        Deed::Dismount => play.state.being_mut(who).mount = None,
        Deed::Unmask => disguise::put_on(play, who, crate::state::Disguise::default()),
    }
}

/// Something gives way to what takes its place in hand (`boon.duration`, `third-script`).
pub(crate) fn put_away(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item) {
    play.state.put(item, who, Lie::Carried);
    play.event(Event::PutsAway { who, item });
}

/// Something is readied: an impassioned script costs composure
/// (`subtle.composure-lost`).
pub(crate) fn ready(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item) {
    let Place { holder, lie, .. } = play.state.place(item);
    if lie != Lie::Gone && holder != who && notice::is_concealed(play.state, item) {
        play.event(Event::Loses { who: holder, item });
    }
    play.state.put(item, who, Lie::Readied);
    let place = &mut play.state.places[item.index()];
    place.disarmed = false;
    has_back(place, who);
    if play.rules.gear(item).impassioned {
        disguise::lose_composure(play, who, clause!("script.passion"));
    }
}

/// Notes that a disarmed character has the item back.
fn has_back(place: &mut Place, who: Char) {
    if place.lost_by == Some(who) {
        place.lost_by = None;
    }
}

/// Every deed somebody could do, leaving aside how many are left.
pub(crate) fn each(at: At<'_>, who: Char, each: &mut impl FnMut(Deed)) {
    if at.state.being(who).bind != 0 {
        return;
    }
    each(Deed::Other);
    let mut offer = |deed| {
        if fine(|out| object(at, who, deed, out)) {
            each(deed);
        }
    };
    let being = *at.state.being(who);
    let one = |item: Item| at.rules.gear(item).hands == 1;
    for item in being.held.iter() {
        if being.readied.has(item) {
            offer(Deed::Stow(item));
            if at.rules.scripts.has(item) {
                offer(Deed::Discard(item));
            }
            for other in being.held.iter().filter(|&other| !being.readied.has(other)) {
                // Whatever gives way by itself needs no switching.
                if !displaces(at.rules, &[other], item) {
                    let scripts = at.rules.scripts.has(item) && at.rules.scripts.has(other);
                    if scripts || (one(item) && one(other)) {
                        offer(Deed::Switch(item, other));
                    }
                } else if one(item) && one(other) {
                    offer(Deed::ReadyBoth(item, other));
                    if readied(at.state, who).any(|left| left != item && displaces(at.rules, &[other], left))
                    {
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
    for item in at.rules.everything().filter(|&item| notice::place_to(at, who, item).lie == Lie::Ground) {
        offer(Deed::Ready(item));
        offer(Deed::Recover(item));
        offer(Deed::Take(item));
    }
    // Of what lies about under one name one will do.
    if at.state.form == Some(Form::Martial) {
        let mut last = "";
        let lies = |&item: &Item| notice::place_to(at, who, item).lie == Lie::Gone;
        for item in at.rules.improvised.iter().filter(lies) {
            let name = at.rules.gear(item).name.as_str();
            if name != last {
                offer(Deed::Ready(item));
            }
            last = name;
        }
    }
    if being.poise != Poise::Composed && at.state.form.is_some() {
        offer(Deed::Compose);
    }
    if being.mount.is_some() {
        offer(Deed::Dismount);
    }
    if being.disguise.is_some() {
        offer(Deed::Unmask);
    }
    if at.state.form.is_none() && at.rules.is_pc(who) {
        for of in at.state.in_sight().minus(at.rules.pcs).iter() {
            offer(Deed::Request(of));
        }
    }
}

/// Whether a deed handles something that lies where everybody can see it (`unseen-acts`,
/// `lying-about`).
pub(crate) fn shows(at: At<'_>, deed: Deed) -> bool {
    let lies = |item: Item| match at.state.place(item).lie {
        Lie::Ground => at.rules.improvised.has(item) || !notice::is_concealed(at.state, item),
        Lie::Gone => at.rules.improvised.has(item),
        Lie::Readied | Lie::Carried => false,
    };
    match deed {
        Deed::Recover(item) | Deed::Take(item) => lies(item),
        _ => {
            let (items, n) = readies(deed);
            items[..n].iter().any(|&item| lies(item))
        }
    }
}
