//! Scenes, Rests with their Hours, and milestones (`scene.on-change`, `rest.rest`, `trait.milestone`).

use crate::{Play, answer::Answer, event::Event, harm, spell, stack, state::*, vocab::*};
use fracas_kernel::{Label, Sink};

/// The Scene changes: limits reset, what lasts a Scene ends, Minor Will Points are back (`scene.on-change`).
pub(crate) fn change_scene(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.scene = play.state.scene.saturating_add(1);
    let scene = play.state.scene;
    play.event(Event::Scene { scene });
    play.state.traits.iter_mut().for_each(|mark| mark.used = false);
    play.state.items.iter_mut().for_each(|item| item.used = false);
    play.state.used[Limit::Scene as usize] = 0;
    harm::expire(play, |lasts, _| lasts == Lasts::Scene);
    harm::lose_tokens(play, |token| !token.persistent);
    for who in play.rules.everybody() {
        play.state.body_mut(who).dodged = false;
        harm::restore(play, who, Rank::Minor, play.rules.sheet(who).minor);
    }
}

/// These rest (`rest.rest`, `rest-npc`): what lasts on them ends, and all that they can use up is back.
pub(crate) fn rest(play: &mut Play<'_, impl Sink<Event>>, who: CharSet) {
    play.event(Event::Rests { who });
    let at = play.at();
    let own = at.rules.every_ability().filter(|&ability| who.iter().any(|who| stack::has(at, who, ability)));
    let own = own.fold(0, |own, ability| own | 1 << ability.0);
    play.state.used.iter_mut().for_each(|used| *used &= !own);
    play.state.live.retain(|live| live.lasts == Lasts::Permanent || !who.has(live.on));
    while let Some(pool) = play.state.pools.iter().find(|pool| who.has(pool.caster) || who.has(pool.target)) {
        let caster = pool.caster;
        spell::stop(play, caster);
    }
    for who in who.iter() {
        harm::clear(play, who);
        while let Some(token) = play.state.body_mut(who).tokens.pop() {
            play.event(Event::Token { who, kind: token.kind, gained: false });
        }
        let sheet = play.rules.sheet(who);
        // Preparation Damage heals by 1 (`wp.prep-heal`, `prep-part`).
        let body = play.state.body_mut(who);
        body.preparation_lost = body.preparation_lost.saturating_sub(1);
        let freed = harm::recover(play, who, Rank::Major, sheet.major);
        harm::recover(play, who, Rank::Minor, sheet.minor);
        if freed {
            harm::set_free(play, who);
        }
        let body = play.state.body_mut(who);
        (body.skill_slots, body.skill_uses) = ([3, 1], [5, 2]);
        body.hours = 2u8.saturating_add_signed(body.extra_hours);
        body.extra_hours = 0;
        for item in play.state.items_of(who).collect::<arrayvec::ArrayVec<Item, MAX_ITEMS>>() {
            let data = play.rules.item(item);
            let thing = &mut play.state.items[item.index()];
            thing.slots = data.slots.unwrap_or_default();
            thing.casts = data.casts;
        }
        if play.rules.is_pc(who) && !play.rules.activities.is_empty() && play.state.body(who).hours > 0 {
            play.state.resting = play.state.resting.with(who);
        }
    }
}

/// Moves on what is to be done outside a Clash; false where somebody is asked.
pub(crate) fn goes_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    // A milestone that nothing can come of.
    let Some(growth) = play.state.growing.first() else { return false };
    let is_full = spell::free_traits(play.at(), growth.who, None).next().is_none();
    if is_full {
        play.state.growing.remove(0);
    }
    is_full
}

/// A milestone is reached (`trait.milestone`).
pub(crate) fn milestone(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let _ = play.state.growing.try_push(Growth { who, halfway: false, chosen: false, swaps: 0 });
}

/// A character gains a Trait.
pub(crate) fn gain(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    rank: Rank,
    name: Label,
) -> Option<TraitId> {
    let gained = spell::free_traits(play.at(), who, None).next()?;
    play.state.call(gained, name);
    play.state.traits[gained.index()] =
        Mark { owner: Some(who), rank, card: Card::Inactive, used: false, spell: false };
    Some(gained)
}

pub(crate) mod grow {
    use super::*;
    use crate::At;
    use fracas_kernel::{Objections, Saying, Told, Viewer, takes};

    fn top(at: At<'_>) -> Option<Growth> {
        at.state.growing.first().copied()
    }

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let what = match top(at) {
            Some(growth) if growth.chosen => "Exchange a Trait for another of equal rank?",
            Some(growth) if growth.halfway => "What is the second Minor Trait?",
            _ => "Two Minor Traits, or a Major one?",
        };
        Told::new(format!("A milestone for {}. {what}", Saying(who, at))).why(clause!("trait.milestone"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let (Some(growth), Ok(one)) = (top(at), crate::words::GROWTH.parse()) else { return };
        if growth.chosen {
            at.state.traits_of(who).for_each(|give| each(Answer::Swap { give, gain: one }));
        } else {
            each(Answer::GainMinor(one));
            each(Answer::GainMajor(one));
            if at.rules.max_traits.is_some() {
                at.state.traits_of(who).for_each(|give| each(Answer::Swap { give, gain: one }));
            }
        }
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::GainMinor(_) | Answer::GainMajor(_) | Answer::Swap { .. } | Answer::Pass,
        clause!("trait.milestone"),
        "expected two Minor Traits or one Major Trait, then exchanges"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Some(growth) = top(at) else { return };
        let room = spell::free_traits(at, who, None).count();
        let needed = match answer {
            Answer::GainMinor(_) if !growth.halfway => 2,
            Answer::GainMinor(_) | Answer::GainMajor(_) | Answer::Swap { .. } => 1,
            _ => 0,
        };
        if needed > room {
            out.no(clause!("trait.milestone"), "no more Traits fit on this table");
        }
        // Spell Traits never count (`ext.trait-limit`).
        let has = at.state.traits_of(who).filter(|id| !at.state.mark(*id).spell).count();
        let free = at.rules.max_traits.map_or(room, |most| usize::from(most).saturating_sub(has));
        let gains = matches!(answer, Answer::GainMinor(_) | Answer::GainMajor(_));
        if gains && needed > free {
            out.no(clause!("ext.trait-limit"), "that would be too many Traits: exchange one instead");
        }
        match answer {
            Answer::GainMinor(_) | Answer::GainMajor(_) if growth.chosen => {
                out.no(clause!("trait.milestone"), "the Traits are gained already");
            }
            Answer::GainMajor(_) | Answer::Swap { .. } if growth.halfway && !growth.chosen => {
                out.no(clause!("trait.milestone"), "first the second Minor Trait is named");
            }
            Answer::Pass if !growth.chosen && (growth.halfway || (room >= 2 && free >= 1)) => {
                out.no(clause!("trait.milestone"), "a milestone gives two Minor Traits or a Major one");
            }
            Answer::Swap { give, .. } => {
                if !growth.chosen && free >= 1 {
                    out.no(clause!("trait.swap"), "first the Traits are gained");
                }
                let mark = at.state.mark(give);
                if mark.owner != Some(who) || mark.spell {
                    out.no(clause!("trait.swap"), "that is no Trait of theirs to give away");
                }
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let swaps = match answer {
            Answer::GainMinor(name) => {
                if let Some(gained) = gain(play, who, Rank::Minor, name) {
                    play.event(Event::Grows { who, gained });
                }
                if let Some(growth) = play.state.growing.first_mut().filter(|growth| !growth.halfway) {
                    growth.halfway = true;
                    return;
                }
                2
            }
            Answer::GainMajor(name) => {
                if let Some(gained) = gain(play, who, Rank::Major, name) {
                    play.event(Event::Grows { who, gained });
                }
                1
            }
            Answer::Swap { give, gain: name } => {
                let rank = play.state.mark(give).rank;
                if let Some(gained) = gain(play, who, rank, name) {
                    play.state.traits[give.index()].owner = None;
                    play.event(Event::Swaps { who, gained });
                }
                play.state.growing.first().map_or(0, |growth| growth.swaps.saturating_sub(1))
            }
            _ => 0,
        };
        match play.state.growing.first_mut() {
            Some(growth) if swaps > 0 => (growth.chosen, growth.swaps) = (true, swaps),
            Some(_) => {
                play.state.growing.remove(0);
            }
            None => {}
        }
    }
}

pub(crate) mod hours {
    use super::*;
    use crate::At;
    use fracas_kernel::{Objections, Saying, Told, Viewer, takes};

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let hours = at.state.body(who).hours;
        let plural = if hours == 1 { "Hour" } else { "Hours" };
        Told::new(format!("{} has {hours} {plural} in this Rest. What are they spent on?", Saying(who, at)))
            .why(clause!("rest.hours"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        (0..at.rules.activities.len() as u8).for_each(|n| each(Answer::Activity(Activity(n))));
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Activity(_) | Answer::Pass,
        clause!("rest.hours"),
        "expected an activity, or to pass"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Activity(activity) = answer
            && at.rules.activities[activity.index()].hours > at.state.body(who).hours
        {
            out.no(clause!("rest.hours"), "not enough Hours are left for that");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Answer::Activity(what) = answer else {
            play.state.resting = play.state.resting.without(who);
            play.state.body_mut(who).hours = 0;
            return;
        };
        let data = &play.rules.activities[what.index()];
        let body = play.state.body_mut(who);
        body.hours -= data.hours;
        if body.hours == 0 {
            play.state.resting = play.state.resting.without(who);
        }
        play.event(Event::Activity { who, what });
        for &effect in &data.effects {
            stack::happen(play, (who, Ability(0)), who, None, effect, Lasts::Rest);
        }
    }
}
