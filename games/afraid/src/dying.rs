//! Death, and the new character a player makes at once.

use crate::dice::{Pool, Rating};
use crate::state::{Being, Chore, Draft, FalloutRoll, Fate, Making, Menu, Nature, Stage, State, To};
use crate::view::{looks_at, said};
use crate::{At, Play, answer::Answer, event::Event, fallout, monster, scene, setup::MOST_DICE, vocab::*};
use fracas_kernel::{Label, Objections, Seat, SeatSet, Sink, Told, Viewer, Why, fine};
use std::fmt::Write as _;

/// The most belongings of a new character: what a table takes for granted.
const MOST_BELONGINGS: usize = 6;

/// Somebody dies, for good (`dying.final`). For a player's character a new one is made
/// and every player gets reflection fallout (`reflection.trigger-pc-death`).
pub(crate) fn die(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let pc = play.state.is_pc(who);
    let Some(being) = play.state.being_mut(who) else { return };
    if being.fate == Fate::Dead {
        return;
    }
    being.fate = Fate::Dead;
    being.need = None;
    // The dead are out of conflicts that wait in other scenes too.
    for conflict in play.state.scenes.iter_mut().filter_map(|scene| scene.conflict.as_mut()) {
        conflict.strike_out(who);
    }
    play.event(Event::Died(who));
    scene::forget_kept(play, who);
    if pc {
        fallout::add(play.state, Chore::Newcomer(who));
        reflect(play.state, Some(who));
    }
}

/// Every player gets reflection fallout (`reflection-who`). The player of the dead character
/// applies it to the new one (`dying.reflection-new`).
pub(crate) fn reflect(state: &mut State, dead: Option<Char>) {
    for chore in reflections(state, dead) {
        fallout::add(state, chore);
    }
}

/// What everybody's reflection comes to, seat by seat.
fn reflections(state: &State, dead: Option<Char>) -> impl Iterator<Item = Chore> + use<> {
    let seats: SeatSet =
        state.everybody().filter(|&who| state.is_pc(who)).map(|who| state.seat(who)).collect();
    let dead = dead.map(|dead| (dead, state.seat(dead)));
    seats.iter().map(move |seat| {
        let who = dead.filter(|&(_, whose)| whose == seat).map(|(dead, _)| dead);
        Chore::Reflect { seat, who }
    })
}

/// The gamemaster has somebody live again. Until the new character stands in their place
/// the death is as if it had not been: no new one is made, and nobody reflects on it.
pub(crate) fn rise(state: &mut State, who: Char) {
    state.change(who, |being| being.fate = Fate::Living);
    // Before a conflict begins nobody is out of it but by death.
    let conflicts = state.scenes.iter_mut().filter_map(|scene| scene.conflict.as_mut());
    for conflict in conflicts.filter(|conflict| conflict.stage == Stage::Staking) {
        if let Some(part) = conflict.part_mut(who) {
            part.out = false;
        }
    }
    let waits = |chore: &Chore| matches!(chore, Chore::Newcomer(dead) if *dead == who);
    let Some(at) = state.chores.iter().position(waits) else { return };
    state.chores.remove(at);
    for chore in reflections(state, Some(who)) {
        if let Some(at) = state.chores.iter().rposition(|other| *other == chore) {
            state.chores.remove(at);
        }
    }
    let Some(draft) = state.draft.take_if(|draft| draft.dead == who) else { return };
    if draft.step == Making::Name {
        return;
    }
    state.newcomers.pop();
    state.newcomer_names.pop();
    for thing in state.gained.iter_mut().filter(|thing| thing.owner == draft.who) {
        thing.lost = true;
    }
    for scene in &mut state.scenes {
        scene.present = scene.present.without(draft.who);
    }
}

/// The dice that a new character has: stats, traits and bonds, relationships assigned or
/// not, as they were at death (`dying.same-dice`, `new-character-count`).
pub(crate) fn dice_of(state: &State, dead: Char) -> Pool {
    let being = state.being(dead);
    let sheet = state.sheet(dead).filter(|(_, thing)| thing.sort != Sort::Belonging);
    let things = sheet.fold(Pool::EMPTY, |all, (_, thing)| all.plus(thing.rating.pool()));
    being.stat_dice(Stat::ALL.iter().copied().collect()).plus(being.unassigned).plus(things)
}

/// Trait dice that have gone to somebody's bonds.
fn bond_dice(state: &State, who: Char) -> usize {
    let bonds = state.sheet(who).filter(|(_, thing)| thing.sort == Sort::Bond);
    bonds.map(|(_, thing)| usize::from(thing.rating.count)).sum()
}

/// A new character is begun; false where there is no more room for one.
pub(crate) fn draft(state: &mut State, dead: Char) -> bool {
    if state.draft.is_some() {
        return true;
    }
    if state.newcomers.is_full() {
        return false;
    }
    let who = Char((MAX_CAST + state.newcomers.len()) as u8);
    state.draft = Some(Draft { dead, who, left: dice_of(state, dead), step: Making::Name });
    true
}

/// Who makes it.
pub(crate) fn maker(state: &State) -> Option<(Seat, Draft)> {
    let draft = state.draft?;
    Some((state.seat(draft.dead), draft))
}

/// What speaks against a step of making a new character.
pub(crate) fn object(at: At<'_>, draft: &Draft, answer: Answer, out: &mut impl Objections) {
    let origin = || {
        let background = at.state.newcomers.last().and_then(|being| being.background)?;
        at.rules.backgrounds.get(background.index())
    };
    match (draft.step, answer) {
        (Making::Name, Answer::Name(name)) => {
            // Of the living: whom one follows may have had the name.
            let called = |who: Char| crate::view::name(at, who).eq_ignore_ascii_case(&name);
            let mut others = at.state.everybody().filter(|&who| at.state.is_pc(who) && at.state.lives(who));
            if others.any(|who| who != draft.who && called(who)) || at.rules.is_away(&name) {
                let what = "another of the players' characters is called that: give a name of their own";
                out.no(clause!("dying.new-character"), what);
            }
        }
        (Making::Background, Answer::Background(one)) => {
            if one.index() >= at.rules.backgrounds.len() {
                out.no(clause!("dying.new-character"), "there is no such background");
            }
        }
        (Making::Stats, Answer::Stats(stats)) => {
            if stats.iter().any(|&dice| dice > MOST_DICE) {
                out.no(clause!("table-limits"), "a stat has 20 dice at most");
            }
            let all: u32 = stats.iter().map(|&n| u32::from(n)).sum();
            if all > u32::from(draft.left.count(Size::D6)) {
                out.no(clause!("dying.trade"), "stats take d6s only, and there are not so many");
            }
        }
        (Making::Sheet, Answer::Done) => {}
        (Making::Sheet, Answer::Place { sort: Sort::Belonging, count, size, supernatural, .. }) => {
            // Belongings are the new background's, and no dice of the dead one's.
            let graded = Grade::ALL.iter().any(|grade| grade.rating() == (count, size));
            if !graded {
                out.no(clause!("ext.belongings"), "a belonging has 1d4, 1d6, 2d6, 1d8 or 2d8");
            }
            let things = || at.state.sheet(draft.who).filter(|(_, thing)| thing.sort == Sort::Belonging);
            if things().count() >= MOST_BELONGINGS {
                out.no(clause!("table-limits"), "a new character has six belongings at most");
            }
            let weapons = things().filter(|(_, thing)| thing.rating.more > 0).count();
            if supernatural && origin().is_none_or(|origin| weapons >= usize::from(origin.weapons)) {
                let what = "belongings follow the background, which has no more weapons beyond nature";
                out.no(clause!("dying.background-rest"), what);
            }
            fallout::object_new(at.state, draft.who, out);
        }
        (Making::Sheet, Answer::Place { sort, count, size, supernatural, .. }) => {
            if supernatural {
                let what = "only a weapon of the background has a d4 beyond the dead one's dice";
                out.no(clause!("dying.same-dice"), what);
            }
            object_dice(draft, count, size, out);
            match sort {
                Sort::Bond
                    if origin().is_none_or(|origin| {
                        bond_dice(at.state, draft.who) + usize::from(count) > origin.bonds.into()
                    }) =>
                {
                    let what = "bonds follow the background, which has no more";
                    out.no(clause!("dying.background-rest"), what);
                }
                Sort::Relationship => {
                    fallout::object_acquaintance(at.state, draft.who, out);
                }
                _ => fallout::object_new(at.state, draft.who, out),
            }
        }
        (Making::Sheet, Answer::PlaceRelationship { to, count, size }) => {
            object_dice(draft, count, size, out);
            fallout::object_relationship(at, draft.who, to, out);
        }
        (Making::Circumstances, Answer::Suffer(which)) => {
            if let Some(origin) = origin() {
                if which.len() != usize::from(origin.true_at_start) {
                    let what = "circumstances follow the background: so many are true";
                    out.no(clause!("dying.background-rest"), what);
                }
                if which.minus(origin.never) != which {
                    let what = "the background does not begin with this circumstance";
                    out.no(clause!("dying.background-rest"), what);
                }
            }
        }
        _ => out.no(clause!("dying.new-character"), "expected the next step of making the new character"),
    }
}

fn object_dice(draft: &Draft, count: u8, size: Size, out: &mut impl Objections) {
    if count > MOST_DICE {
        out.no(clause!("table-limits"), "a thing on a sheet has 20 dice at most");
    }
    if count == 0 || count > draft.left.count(size) {
        out.no(clause!("dying.same-dice"), "the new character has the dice that the dead one had, no others");
    }
}

/// What a new character is called where nobody says: the `n`th, from 1. People met in
/// play are referred to as `stranger-2`, so that another word stands between.
fn stranger(n: u8) -> Label {
    let mut name = arrayvec::ArrayString::<{ Label::MOST }>::new();
    match n {
        1 => Ok(()),
        _ => write!(name, "Stranger no. {n}"),
    }
    .ok()
    .and_then(|()| name.parse().ok())
    .unwrap_or(fallout::PROPOSALS.stranger)
}

/// These stats, each as near as so many d6s allow: the gamemaster may have raised
/// the dead one's since they died.
fn affordable(mut stats: [u8; 4], dice: u8) -> [u8; 4] {
    let all = |stats: &[u8; 4]| stats.iter().map(|&n| u32::from(n)).sum::<u32>();
    while all(&stats) > u32::from(dice) {
        if let Some(most) = stats.iter_mut().max() {
            *most = most.saturating_sub(1);
        }
    }
    stats
}

/// Lists the next step: a few sound ways.
pub(crate) fn legal(at: At<'_>, draft: &Draft, each: &mut impl FnMut(Answer)) {
    let name = fallout::PROPOSALS.thing;
    match draft.step {
        Making::Name => {
            // Where that name is taken, the next that is not.
            let free = |name: &Label| fine(|out| object(at, draft, Answer::Name(*name), out));
            (1..=u8::MAX).map(stranger).find(free).into_iter().for_each(|name| each(Answer::Name(name)));
        }
        Making::Background => {
            (0..at.rules.backgrounds.len() as u8).for_each(|at| each(Answer::Background(Background(at))));
        }
        Making::Stats => {
            let old = affordable(at.state.being(draft.dead).stats, draft.left.count(Size::D6));
            each(Answer::Stats(old));
            for (from, &n) in old.iter().enumerate().filter(|(_, n)| **n > 0) {
                for to in (0..4).filter(|&to| to != from) {
                    let mut moved = old;
                    moved[from] = n - 1;
                    moved[to] = moved[to].saturating_add(1);
                    each(Answer::Stats(moved));
                }
            }
        }
        Making::Sheet => {
            for &size in Size::ALL.iter().rev() {
                let most = draft.left.count(size).min(2);
                for count in (1..=most).rev() {
                    each(Answer::Place { sort: Sort::Trait, name, count, size, supernatural: false });
                    each(Answer::Place { sort: Sort::Bond, name, count, size, supernatural: false });
                    for other in
                        at.state.everybody().filter(|&who| at.state.is_pc(who) && at.state.lives(who))
                    {
                        each(Answer::PlaceRelationship { to: To::Char(other), count, size });
                    }
                }
            }
            each(Answer::Done);
        }
        Making::Circumstances => {
            (0..=Circumstances::ALL.0).map(Circumstances).for_each(|which| each(Answer::Suffer(which)));
        }
    }
}

/// The next step is settled.
pub(crate) fn make(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    let Some(mut draft) = play.state.draft else { return };
    match answer {
        Answer::Name(name) => begin(play.state, &draft, name),
        Answer::Background(background) => {
            play.state.change(draft.who, |being| being.background = Some(background));
        }
        Answer::Stats(stats) => {
            play.state.change(draft.who, |being| being.stats = stats);
            draft.left = draft.left.minus(Pool::of(stats.iter().sum(), Size::D6)).unwrap_or_default();
        }
        Answer::Place { sort, name, count, size, supernatural } => {
            let rating = Rating { more: u8::from(supernatural), ..Rating::of(count, size) };
            if sort != Sort::Belonging {
                draft.left = draft.left.minus(rating.pool()).unwrap_or_default();
            }
            let to = if sort == Sort::Relationship { play.state.acquaint(draft.who, name) } else { None };
            fallout::gain(play, draft.who, (sort, rating), to, name);
        }
        Answer::PlaceRelationship { to, count, size } => {
            let rating = Rating::of(count, size);
            draft.left = draft.left.minus(rating.pool()).unwrap_or_default();
            fallout::relate(play, draft.who, to, rating);
        }
        Answer::Done => {
            // What has no place yet is unassigned relationship dice.
            play.state.change(draft.who, |being| being.unassigned = draft.left);
            draft.left = Pool::EMPTY;
        }
        Answer::Suffer(which) => {
            fallout::suffer(play, draft.who, which);
            finish(play, &draft);
            return;
        }
        _ => {}
    }
    draft.step = match (draft.step, answer) {
        (Making::Name, _) => Making::Background,
        (Making::Background, _) => Making::Stats,
        (Making::Stats, _) => Making::Sheet,
        (Making::Sheet, Answer::Done) => Making::Circumstances,
        (step, _) => step,
    };
    play.state.draft = Some(draft);
}

/// The new one comes into play with a name and nothing else.
fn begin(state: &mut State, draft: &Draft, name: Label) {
    let being = Being::new(state.seat(draft.dead), Tie::Bystander, Nature::One);
    if state.newcomers.try_push(being).is_ok() {
        let _ = state.newcomer_names.try_push(name);
    }
}

/// The new one stands where the dead one was, and the rest goes on.
fn finish(play: &mut Play<'_, impl Sink<Event>>, draft: &Draft) {
    // Never in a scene that players do not see (`newcomer-place`).
    let at = play.state.scene_of(draft.dead).or_else(|| looks_at(play.state, Viewer::Spectator));
    let mut placed = false;
    if let Some(at) = at {
        let there = play.state.scenes[at].present.without(draft.dead);
        // Nobody who is Alone is among friends: the gamemaster frames a scene.
        placed = scene::keeps_company(play.state, there.with(draft.who));
        play.state.scenes[at].present = if placed { there.with(draft.who) } else { there };
    }
    // The dead character's reflection passes to the new character.
    for chore in &mut play.state.chores {
        match chore {
            Chore::Reflect { who: Some(who), .. }
            | Chore::Menu { who, menu: Menu::Experience | Menu::Reflection, of: FalloutRoll::NONE }
                if *who == draft.dead =>
            {
                *who = draft.who;
            }
            _ => {}
        }
    }
    play.state.draft = None;
    let is_done = |chore: &Chore| matches!(chore, Chore::Newcomer(dead) if *dead == draft.dead);
    if let Some(at) = play.state.chores.iter().position(is_done) {
        play.state.chores.remove(at);
    }
    play.event(Event::Newcomer { who: draft.who, dead: draft.dead });
    if !placed {
        play.event(Event::NotPlaced(draft.who));
    }
    monster::meet_all(play);
    fallout::settle(play);
}

/// A step of making a new character.
pub(crate) mod newcomer {
    use super::*;

    pub(crate) fn told(at: At<'_>, dead: Char, step: Making, _: Viewer) -> Told {
        let left = at.state.draft.map_or_else(String::new, |draft| format!("dice left: {}", draft.left));
        let what = match step {
            Making::Name => "what is your new character called?",
            Making::Background => "which background?",
            Making::Stats => "how many d6s have acuity, body, heart and will?",
            Making::Sheet => "what else is on the sheet? Each takes some of the dice left; then done.",
            Making::Circumstances => "which circumstances are true?",
        };
        Told::new(format!("In place of {}: {what}", said(at, dead)))
            .leads(left)
            .why(clause!("dying.new-character"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, _: Making, each: &mut impl FnMut(Answer)) {
        if let Some(draft) = &at.state.draft {
            super::legal(at, draft, each);
        }
    }

    /// What belongs to another step is refused with the step.
    pub(crate) const fn strays(answer: &Answer) -> Option<Why> {
        match answer {
            Answer::Assign { .. } | Answer::AssignNew { .. } => {
                Some((clause!("dying.new-character"), "expected the next step of making the new character"))
            }
            _ => None,
        }
    }

    pub(crate) fn object(at: At<'_>, _: Char, _: Making, answer: Answer, out: &mut impl Objections) {
        if let Some(draft) = &at.state.draft {
            super::object(at, draft, answer, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, _: Making, answer: Answer) {
        make(play, answer);
    }
}
