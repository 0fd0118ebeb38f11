//! Scripts: shared things of speech that are drawn, readied and discarded.

use crate::answer::{Answer, Deed};
use crate::state::{Being, Frame, Lie, Place, Poise, State};
use crate::{At, Play, arms::power_boons, deed, event::Event, notice, risk::readied, scene, vocab::*};
use fracas_kernel::{Objections, Sink, Told, Viewer, fine, takes};

/// The most scripts somebody has readied (`script.two-max`).
pub(crate) const MOST: usize = 2;

/// Whether somebody has an impassioned script readied.
pub(crate) fn is_impassioned(at: At<'_>, who: Char) -> bool {
    readied(at.state, who).any(|item| at.rules.gear(item).impassioned)
}

/// Whether a script is in play as far as the character can tell, so that they cannot draw it
/// (`script.one-copy`). Scripts with the same name are copies.
fn is_in_play(at: At<'_>, who: Char, script: Item) -> bool {
    let name = &at.rules.gear(script).name;
    let in_play = |item| notice::place_to(at, who, item).lie != Lie::Gone;
    at.rules.scripts.iter().any(|other| in_play(other) && at.rules.gear(other).name == *name)
}

/// After a successful subtle attack, veiled or not (`veiled-draw`), these may
/// draw (`script.draw`). Goes below the effects on the stack, so it comes after
/// them.
pub(crate) fn offer(state: &mut State, left: CharSet, form: Form, veiled: bool) {
    // Of an argument that turns into a fight no script is left (`script.end`).
    if form == Form::Subtle && state.provoked().is_empty() {
        state.push(Frame::Draw { left, veiled });
    }
}

/// No script is in play (`script.none-at-start`, `script.end`).
pub(crate) fn clear(play: &mut Play<'_, impl Sink<Event>>) {
    for script in play.rules.scripts.iter() {
        let Place { holder, lie, .. } = play.state.place(script);
        if lie != Lie::Gone {
            play.event(Event::Lapsed { who: holder, script });
        }
        play.state.put(script, holder, Lie::Gone);
        let place = &mut play.state.places[script.index()];
        (place.disarmed, place.lost_by) = (false, None);
    }
}

/// Everybody is composed but those who bear a mark from a subtle attack
/// (`composure-start`).
pub(crate) fn compose_all(state: &mut State) {
    for being in &mut state.cast {
        being.poise = poise_at_start(being);
    }
}

/// How composed somebody comes into an argument.
pub(crate) fn poise_at_start(being: &Being) -> Poise {
    let hurt = being.marks.iter().any(|mark| !being.physical.has(mark));
    if hurt { Poise::Lost } else { Poise::Composed }
}

/// Whether an attacker is asked to draw: who can, with somebody left to use it on. Of the
/// gamemaster's characters it must not tell of scripts of their own: they are asked where
/// they could have some (`asked-in-sight`). Nor must it tell who an attacker is whom nobody
/// sees: only scripts that anybody can draw count.
pub(crate) fn may_draw(at: At<'_>, who: Char, veiled: bool) -> bool {
    if veiled && !at.rules.is_pc(who) {
        return at.rules.scripts.iter().any(|item| at.rules.gear(item).base && !is_in_play(at, who, item));
    }
    let mut any = !at.rules.is_pc(who) && !at.state.being(who).marks.has(Mark::Afflict);
    drawing::legal(at, who, &mut |answer| any |= answer != Answer::Pass);
    // Somebody unseen is nobody to a player's character (`unseen-counts`).
    let unseen = if at.rules.is_pc(who) { at.state.unseen } else { CharSet::NONE };
    let left = at.state.opponents(who).minus(unseen).minus(scene::beaten(at.state));
    any && at.state.is_in(who) && !left.is_empty()
}

/// A provoked character draws a weapon at once, or raises a bare hand
/// (`subtle.finisher-provoke`).
pub(crate) fn draw_weapon(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if power_boons(play.at(), who, Form::Martial).next().is_some() {
        return;
    }
    let weapon = play.state.being(who).held.iter().find(|&item| {
        let gear = play.rules.gear(item);
        gear.category == Category::Power
            && gear.form == Form::Martial
            && fine(|out| deed::object(play.at(), who, Deed::Ready(item), out))
    });
    if let Some(item) = weapon {
        deed::carry_out(play, who, Deed::Ready(item));
        play.event(Event::Deed { who, deed: Deed::Ready(item) });
    }
}

/// Which script somebody draws, if any (`script.draw`). What is drawn is readied at once
/// (`script.draw-ready`).
pub(crate) mod drawing {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let hidden = matches!(at.state.top(), Some(Frame::Draw { veiled: true, .. }))
            && !viewer.is_gm()
            && !at.rules.is_pc(who);
        let name = if hidden { "Somebody" } else { at.rules.name(who) };
        Told::new(format!("{name} may draw a script: which?")).why(clause!("script.draw"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        let mut offer = |answer| {
            if fine(|out| object(at, who, answer, out)) {
                each(answer);
            }
        };
        let gone = |&script: &Item| notice::place_to(at, who, script).lie == Lie::Gone;
        for script in at.rules.scripts.iter().filter(gone) {
            offer(Answer::Draw { script, down: None });
            for down in readied(at.state, who).filter(|&item| at.rules.scripts.has(item)) {
                if readied(at.state, who).filter(|&item| at.rules.scripts.has(item)).count() >= MOST {
                    offer(Answer::Draw { script, down: Some(down) });
                }
            }
        }
    }

    takes!(Answer, Answer::Pass | Answer::Draw { .. }, clause!("script.draw"), "expected draw, or pass");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::Draw { script, down } = answer else { return };
        let gear = at.rules.gear(script);
        if !at.rules.scripts.has(script) {
            out.no(clause!("script.power"), "that is no script");
            return;
        }
        if !gear.base && gear.owner != who {
            out.no(clause!("script.class"), "only those whose script it is can draw it");
        } else if !gear.base && at.state.being(who).marks.has(Mark::Afflict) {
            out.no(clause!("mark.afflict-abilities"), "the afflicted draw none of their own scripts");
        }
        if is_in_play(at, who, script) {
            out.no(clause!("script.one-copy"), "that script is in play already");
        }
        let mine = || readied(at.state, who).filter(|&item| at.rules.scripts.has(item));
        match down {
            Some(_) if mine().count() < MOST => {
                out.no(clause!("third-script"), "there is room for it: nothing is set down for nothing");
            }
            Some(down) if !mine().any(|item| item == down) => {
                out.no(clause!("third-script"), "what is set down is a script of theirs, readied");
            }
            None if mine().count() >= MOST => {
                out.no(clause!("third-script"), "two scripts are readied: set one `down`, or pass");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Draw { left, .. }) = play.state.stack.last_mut() else { return };
        *left = left.without(who);
        if let Answer::Draw { script, down } = answer {
            if let Some(down) = down {
                deed::put_away(play, who, down);
            }
            play.event(Event::Drew { who, script });
            deed::ready(play, who, script);
        }
    }
}
