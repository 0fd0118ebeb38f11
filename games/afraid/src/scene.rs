//! Scenes, and what is done between conflicts.

use crate::answer::{Answer, Sides, Turn};
use crate::state::{Chore, Due, MAX_SCENES, Scene, Stage, State, To, Why};
use crate::{
    At, Play, aid, conflict, dice::Rating, event::Event, fallout, monster, setup::MOST_DICE, view::is_shown,
    vocab::*,
};
use fracas_kernel::{Label, Objections, Seat, SeatSet, Sink, Told, Viewer, fine, takes};
use std::ops::ControlFlow;

pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
    Told::new("No conflict is under way here. What happens?").why(clause!("beyond.scene.gm-frames"))
}

takes!(
    Answer,
    Answer::Conflict { .. }
        | Answer::FirstAid { .. }
        | Answer::Care(_)
        | Answer::Bond { .. }
        | Answer::Victim { .. }
        | Answer::Meet(_)
        | Answer::Reveal(_)
        | Answer::NewScene(_)
        | Answer::Cut(_)
        | Answer::Enter(_)
        | Answer::Move
        | Answer::EndScene
        | Answer::Close
        | Answer::Assign { .. }
        | Answer::AssignNew { .. },
    clause!("beyond.scene.gm-frames"),
    "expected what happens between conflicts"
);

/// What speaks against the gamemaster's doing this between conflicts.
pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
    let Some(scene) = at.state.scene() else { return };
    match answer {
        Answer::Conflict { sides, followup, .. } => conflict::object_open(at.state, sides, followup, out),
        Answer::FirstAid { victim, provider, .. } => aid::object(at, victim, provider, out),
        Answer::Care(who) => {
            if at.state.being(who).need.is_none() || !at.state.lives(who) {
                out.no(clause!("medical.care"), "real medical care is for somebody who requires first aid");
            } else if at.state.is_bound(who) {
                out.no(clause!("care-in-conflict"), "real medical care comes once the conflict is over");
            }
        }
        Answer::Bond { bond, .. } => object_bond(at.state, Seat::Gm, bond, out),
        Answer::Victim { who, turn } => monster::object_turn(at.state, who, turn, out),
        Answer::Meet(to) => {
            if !at.state.is_there(at.rules, to) {
                out.no(clause!("ext.monster"), "nobody here is called that");
            } else if monster::is_met(at.state, to) {
                out.no(clause!("ext.monster"), "they have met already");
            }
        }
        Answer::Reveal(fact) => monster::object_reveal(at, fact, None, out),
        Answer::NewScene(who) => {
            if at.state.scenes.len() >= MAX_SCENES {
                out.no(clause!("table-limits"), "three scenes run at once at most: end one first");
            }
            if who.is_empty() || !who.iter().all(|who| at.state.knows(who) && at.state.lives(who)) {
                out.no(clause!("beyond.scene.gm-frames"), "a scene is for somebody there is, and alive");
            }
            if who.iter().any(|who| at.state.is_bound(who)) {
                out.no(clause!("esc.cut"), "a character in a conflict stays in its scene");
            }
            object_company(at.state, who, out);
        }
        Answer::Cut(to) if usize::from(to) >= at.state.scenes.len() || to == at.state.now => {
            out.no(clause!("esc.cut"), "there is no other scene of this number");
        }
        Answer::Enter(who) => {
            if !at.state.knows(who) || !at.state.lives(who) || scene.present.has(who) {
                out.no(
                    clause!("beyond.scene.gm-frames"),
                    "a character who comes in is alive and not there yet",
                );
            } else if at.state.is_bound(who) {
                out.no(clause!("esc.cut"), "a character in a conflict stays in its scene");
            }
            if at.state.is_pc(who) {
                object_company(at.state, scene.present.with(who), out);
            }
        }
        Answer::Move | Answer::EndScene => {}
        Answer::Close if at.state.scenes.iter().any(|scene| scene.conflict.is_some()) => out
            .no(clause!("close-while-waiting"), "a conflict waits in another scene: end it, or call it off"),
        Answer::Assign { who, .. } | Answer::AssignNew { who, .. } => {
            let who = who.filter(|&who| held(at.state, Seat::Gm).has(who));
            object_dice(at, who, answer, out);
        }
        _ => {}
    }
}

/// A character who is Alone is with no other player's character (`beyond.scene.alone`,
/// `beyond.scene.not-alone`).
fn object_company(state: &State, who: CharSet, out: &mut impl Objections) {
    if !keeps_company(state, who) {
        out.no(
            clause!("beyond.scene.alone"),
            "no friend comes into the scene of somebody who is Alone before she has won a conflict over it",
        );
    }
}

/// Whether these may be in one scene: nobody who is Alone is among friends.
pub(crate) fn keeps_company(state: &State, who: CharSet) -> bool {
    let friends = || who.iter().filter(|&who| state.is_pc(who) && state.lives(who));
    let alone = |who: Char| state.being(who).circumstances.has(Circumstance::Alone);
    friends().count() < 2 || !friends().any(alone)
}

/// What speaks against somebody's saying whether a bond is kept to (`bond-true`).
pub(crate) fn object_bond(state: &State, seat: Seat, bond: Item, out: &mut impl Objections) {
    let own = state.thing(bond).filter(|thing| thing.sort == Sort::Bond && !thing.lost);
    match own {
        Some(thing) if state.seat(thing.owner) == seat && state.lives(thing.owner) => {
            if state.is_bound(thing.owner) {
                out.no(clause!("bond-true"), "whether a bond is kept to is said between conflicts");
            }
        }
        _ => out.no(clause!("bond-true"), "a character's own player says whether its bonds are kept to"),
    }
}

/// A bond is kept to, or broken.
pub(crate) fn set_bond(play: &mut Play<'_, impl Sink<Event>>, bond: Item, holds: bool) {
    if let Some(thing) = play.state.thing_mut(bond) {
        thing.holds = holds;
        play.sink.event(Event::Bond { who: thing.owner, bond, holds });
    }
}

/// What speaks against assigning relationship dice (`relationship-assign`).
pub(crate) fn object_assign(
    at: At<'_>,
    who: Char,
    (to, count, size): (Option<To>, u8, Size),
    out: &mut impl Objections,
) {
    if count == 0 || count > at.state.being(who).unassigned.count(size) {
        out.no(clause!("relationship-assign"), "only dice that are unassigned can be assigned");
    }
    let there =
        to.and_then(|to| fallout::relationship_to(at.state, who, to)).and_then(|item| at.state.thing(item));
    if there.map_or(0, |thing| thing.rating.count).saturating_add(count) > MOST_DICE {
        out.no(clause!("table-limits"), "a relationship has 20 dice at most");
    }
    match (to, there) {
        (Some(to), _) if !at.state.is_there(at.rules, to) || to == To::Char(who) => {
            out.no(clause!("relationship-one"), "a relationship is to somebody else there is");
        }
        (_, Some(thing)) if thing.rating.size != size => {
            out.no(clause!("relationship-assign"), "a relationship has dice of one size");
        }
        (_, Some(_)) => {}
        (Some(_), None) => fallout::object_new(at.state, who, out),
        (None, None) => fallout::object_acquaintance(at.state, who, out),
    }
}

/// What speaks against assigning these dice of somebody's, if it is somebody of the seat.
pub(crate) fn object_dice(at: At<'_>, who: Option<Char>, answer: Answer, out: &mut impl Objections) {
    let dice = match answer {
        Answer::Assign { to, count, size, .. } => (Some(to), count, size),
        Answer::AssignNew { count, size, .. } => (None, count, size),
        _ => return,
    };
    match who {
        Some(who) => object_assign(at, who, dice, out),
        None => out.no(clause!("relationship-assign"), "only dice of one's own characters are assigned"),
    }
}

/// Assigns dice of somebody's.
pub(crate) fn assign_dice(play: &mut Play<'_, impl Sink<Event>>, who: Option<Char>, answer: Answer) {
    let Some(who) = who else { return };
    match answer {
        Answer::Assign { to, count, size, .. } => {
            let name = crate::view::label_of(play.at(), to);
            assign(play, who, (Some(to), name), (count, size));
        }
        Answer::AssignNew { name, count, size, .. } => assign(play, who, (None, name), (count, size)),
        _ => {}
    }
}

/// Whose dice are assigned at a character's turn or answer: that character's alone.
pub(crate) fn own_dice(answer: Answer, actor: Char) -> Option<Char> {
    match answer {
        Answer::Assign { who, .. } | Answer::AssignNew { who, .. } => {
            who.is_none_or(|who| who == actor).then_some(actor)
        }
        _ => None,
    }
}

/// A seat's living characters.
fn held(state: &State, seat: Seat) -> CharSet {
    state.everybody().filter(|&who| state.seat(who) == seat && state.lives(who)).collect()
}

/// Assigns relationship dice: to an opponent or the stakes they are rolled at once.
pub(crate) fn assign(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    (to, name): (Option<To>, Label),
    (count, size): (u8, Size),
) {
    let Some(to) = to.or_else(|| play.state.acquaint(who, name)) else { return };
    let more = crate::dice::Pool::of(count, size);
    play.state.change(who, |being| being.unassigned = being.unassigned.minus(more).unwrap_or_default());
    let item = match fallout::relationship_to(play.state, who, to) {
        Some(item) => {
            if let Some(thing) = play.state.thing_mut(item) {
                thing.rating.count = thing.rating.count.saturating_add(count);
            }
            Some(item)
        }
        None => fallout::gain(play, who, (Sort::Relationship, Rating::of(count, size)), Some(to), name),
    };
    let Some(item) = item else { return };
    play.event(Event::Assigned { who, item });
    // A conflict that was cut away from rolls them when it goes on.
    let conflicts = play.state.scenes.iter_mut().filter_map(|scene| scene.conflict.as_mut());
    let mut rolling = conflicts.filter(|conflict| conflict.stage == Stage::Running && conflict.is_in(who));
    if let Some(conflict) = rolling.next()
        && conflict.concerns(who, to)
    {
        conflict.owe(Due { who, dice: more, why: Why::Assigned(item) });
        if let Some(thing) = play.state.thing_mut(item) {
            thing.rolled = true;
        }
    }
}

/// Lists ways to assign relationship dice, as many of a size as fit: in a conflict to
/// opponents, else to those who are on the sheet already, to those seen in the scene, and
/// to somebody new.
pub(crate) fn legal_assign(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    let _ = assignments(at, who, &mut |answer| {
        each(answer);
        ControlFlow::Continue(())
    });
}

/// The same, as long as `put` wants more.
fn assignments(at: At<'_>, who: Char, put: &mut impl FnMut(Answer) -> ControlFlow<()>) -> ControlFlow<()> {
    let (state, dice) = (at.state, at.state.being(who).unassigned);
    if dice.is_empty() {
        return ControlFlow::Continue(());
    }
    let fought = state.conflict().filter(|conflict| conflict.is_in(who));
    let whose = if fought.is_some() { None } else { Some(who) };
    let relationships = || state.sheet(who).filter(|(_, thing)| thing.sort == Sort::Relationship);
    let mut put = |to: Option<To>| {
        let there = relationships().find(|(_, thing)| to.is_some() && thing.to == to).map(|(_, thing)| thing);
        let fits = there.is_some() || state.has_room(who) && (to.is_some() || state.may_acquaint(who));
        let room = MOST_DICE.saturating_sub(there.map_or(0, |thing| thing.rating.count));
        let mut sizes = Size::ALL.iter().filter(|&&size| there.is_none_or(|thing| thing.rating.size == size));
        sizes.try_for_each(|&size| {
            let (count, name) = (dice.count(size).min(room), fallout::PROPOSALS.acquaintance);
            match to {
                _ if count == 0 || !fits => ControlFlow::Continue(()),
                Some(to) => put(Answer::Assign { who: whose, to, count, size }),
                None => put(Answer::AssignNew { who: whose, name, count, size }),
            }
        })
    };
    if let Some(conflict) = fought {
        let mut opponents = conflict.opponents(who).without(Char::INJURY).iter();
        return opponents.try_for_each(|to| put(Some(To::Char(to))));
    }
    // People on the sheet are listed once, seen or not.
    let mut related = CharSet::one(who);
    for to in relationships().filter_map(|(_, thing)| thing.to).filter(|&to| to != To::Char(who)) {
        put(Some(to))?;
        if let To::Char(to) = to {
            related = related.with(to);
        }
    }
    let viewer = Viewer::Seat(state.seat(who));
    let around = state.scene_of(who).map_or(CharSet::NONE, |n| state.scenes[n].present.minus(related));
    let mut seen = around.iter().filter(|&to| is_shown(state, to, viewer));
    seen.try_for_each(|to| put(Some(To::Char(to))))?;
    put(None)
}

/// Lists what the gamemaster may do between conflicts.
pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
    let state = at.state;
    let Some(scene) = state.scene() else { return };
    let living: CharSet = state.everybody().filter(|&who| state.lives(who)).collect();
    let free: CharSet = living.iter().filter(|&who| !state.is_bound(who)).collect();
    let here = scene.present.and(living);
    let pcs: CharSet = here.iter().filter(|&who| state.is_pc(who)).collect();
    // All players' characters against the rest; where somebody is Alone, each alone.
    let each_side = |all: CharSet| {
        let apart = !conflict::may_side_with(state, all);
        let singles = all.iter().filter(move |_| apart).map(CharSet::one);
        singles.chain((!apart).then_some(all))
    };
    let sides =
        each_side(pcs).flat_map(|ours| each_side(here.minus(pcs)).map(move |side| Sides::two(ours, side)));
    for sides in sides.filter(|&sides| fine(|out| conflict::object_open(state, sides, false, out))) {
        for &arena in Arena::ALL {
            each(Answer::Conflict { sides, arena, followup: false });
            if scene.last.is_some() {
                each(Answer::Conflict { sides, arena, followup: true });
            }
        }
    }
    for victim in here.iter().filter(|&who| state.being(who).need.is_some()) {
        if free.has(victim) {
            each(Answer::Care(victim));
        }
        for provider in pcs.iter().filter(|&who| fine(|out| aid::object(at, victim, who, out))) {
            each(Answer::FirstAid { victim, provider, kind: Aid::Physical });
            each(Answer::FirstAid { victim, provider, kind: Aid::Psychological });
        }
    }
    for who in state.everybody().filter(|&who| state.being(who).tie == Tie::Victim) {
        let turns = [Turn::Step, Turn::Undo, Turn::Succumb, Turn::Release].into_iter();
        let fit = turns.filter(|&turn| fine(|out| monster::object_turn(state, who, turn, out)));
        fit.for_each(|turn| each(Answer::Victim { who, turn }));
    }
    let bonds = state.things().filter(|(_, thing)| thing.sort == Sort::Bond);
    let own = bonds.filter(|&(bond, _)| fine(|out| object_bond(state, Seat::Gm, bond, out)));
    own.for_each(|(bond, thing)| each(Answer::Bond { bond, holds: !thing.holds }));
    let facts = (0..at.rules.facts.len() as u8).map(Fact).filter(|&fact| !state.known.has(fact));
    facts.for_each(|fact| each(Answer::Reveal(fact)));
    let others = (0..state.scenes.len() as u8).filter(|&to| to != state.now);
    others.for_each(|to| each(Answer::Cut(to)));
    each(Answer::Move);
    let fits = |who: &Char| !state.is_pc(*who) || keeps_company(state, scene.present.with(*who));
    free.minus(scene.present).iter().filter(fits).for_each(|who| each(Answer::Enter(who)));
    if state.scenes.len() < MAX_SCENES {
        let leaves = here.iter().filter(|_| here.len() > 1);
        let astray = state.everybody().filter(|&who| state.is_pc(who) && state.scene_of(who).is_none());
        let free = leaves.chain(astray).filter(|&who| free.has(who));
        free.for_each(|who| each(Answer::NewScene(CharSet::one(who))));
    }
    each(Answer::EndScene);
    if state.scenes.iter().all(|scene| scene.conflict.is_none()) {
        each(Answer::Close);
    }
}

/// Does what the gamemaster said.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    match answer {
        Answer::Assign { who, .. } | Answer::AssignNew { who, .. } => {
            return assign_dice(play, who, answer);
        }
        Answer::Conflict { sides, arena, followup } => conflict::open(play, sides, arena, followup),
        Answer::FirstAid { victim, provider, kind } => aid::open(play, (victim, provider, kind)),
        Answer::Care(who) => aid::care(play, who),
        Answer::Bond { bond, holds } => set_bond(play, bond, holds),
        Answer::Victim { who, turn } => monster::turn(play, who, turn),
        Answer::Meet(to) => monster::meet(play, to),
        Answer::Reveal(fact) => monster::reveal(play, fact),
        Answer::NewScene(present) => {
            // Of people out of sight nobody is told where they are next (`scene-out-of-sight`).
            let leave = |scene: &Scene| play.state.is_open(scene) && !scene.present.and(present).is_empty();
            let open = present.iter().any(|who| play.state.is_pc(who)) || play.state.scenes.iter().any(leave);
            leave_scenes(play, present);
            if play.state.scenes.try_push(Scene { present, conflict: None, last: None, stage: 0 }).is_ok() {
                play.state.now = (play.state.scenes.len() - 1) as u8;
                play.event(Event::NewScene { who: present, open });
            }
        }
        Answer::Cut(to) => cut(play, to),
        Answer::Enter(who) => {
            leave_scenes(play, CharSet::one(who));
            if let Some(scene) = play.state.scene_mut() {
                scene.present = scene.present.with(who);
                play.event(Event::Entered(who));
            }
        }
        Answer::Move => {
            if let Some(scene) = play.state.scene_mut() {
                scene.stage = scene.stage.wrapping_add(1);
                play.event(Event::Moved);
            }
        }
        Answer::EndScene => end(play),
        Answer::Close => {
            play.state.over = true;
            play.event(Event::Closed);
            play.state.everybody().for_each(|who| forget_kept(play, who));
        }
        _ => {}
    }
    monster::meet_all(play);
    fallout::settle(play);
}

/// Somebody is in no scene any more. Dice that they kept for a followup in it are gone
/// (`short-give-no-followup`).
pub(crate) fn leave_scenes(play: &mut Play<'_, impl Sink<Event>>, who: CharSet) {
    let mut left = CharSet::NONE;
    for scene in &mut play.state.scenes {
        left = left.or(scene.present.and(who));
        scene.present = scene.present.minus(who);
    }
    left.iter().for_each(|who| forget_kept(play, who));
}

/// Dice that somebody kept for a followup are gone, and it is told.
pub(crate) fn forget_kept(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.state.lent.retain(|lent| lent.from != who);
    let Some(being) = play.state.being_mut(who) else { return };
    let waited = !being.all_kept(who).is_empty();
    being.kept.clear();
    if waited {
        play.event(Event::KeptGone(who));
    }
}

/// On to another scene; where it left off it goes on later (`esc.cut`). For players a scene
/// that they do not see is not between (`scene-out-of-sight`).
pub(crate) fn cut(play: &mut Play<'_, impl Sink<Event>>, to: u8) {
    let seen = play.state.scenes.get(usize::from(to)).is_some_and(|scene| play.state.is_open(scene));
    let open = seen && play.state.shown().is_some_and(|before| before != usize::from(to));
    play.state.now = to;
    play.event(Event::Cut { to, open });
}

/// The scene ends: dice kept for a followup are gone, and who still needs first aid has
/// only real medical care left (`firstaid-none`, `short-give-no-followup`).
fn end(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(scene) = play.state.scene() else { return };
    let (present, open) = (scene.present, play.state.is_open(scene));
    play.event(Event::SceneEnded { open });
    for who in conflict::seated(play.state, present) {
        forget_kept(play, who);
        if play.state.being(who).need.is_some() {
            fallout::add(play.state, Chore::Need(who));
        }
    }
    let now = usize::from(play.state.now);
    let others = || play.state.scenes.iter().enumerate().filter(|&(at, _)| at != now);
    let first = || others().find(|(_, scene)| play.state.is_open(scene)).map(|(at, _)| at);
    let seen = play.state.shown().filter(|&at| at != now).or_else(first);
    // The last scene that players see stays, so that they do not learn of others.
    if let Some(next) = if open { seen } else { seen.or(others().next().map(|(at, _)| at)) } {
        // Those who were there are in no scene until one is framed for them.
        play.state.scenes.remove(now);
        play.state.now = (next - usize::from(next > now)) as u8;
        play.state.shown -= u8::from(usize::from(play.state.shown) > now);
        for ranked in play.state.ranked.iter_mut().filter(|ranked| usize::from(ranked.scene) > now) {
            ranked.scene -= 1;
        }
    } else {
        let left = left_out(play.state, present);
        if let Some(scene) = play.state.scene_mut() {
            scene.present = present.minus(left);
            scene.last = None;
            scene.stage = scene.stage.wrapping_add(1);
        }
        if open {
            let next = present.minus(left).iter().filter(|&who| play.state.lives(who));
            play.event(Event::NewScene { who: next.collect(), open });
        }
    }
    fallout::settle(play);
}

/// Those who are not in the scene that follows the last one: of players' characters who
/// are not by themselves those who are Alone, or in need of care. Where all are, the first
/// by seat is (`last-scene`).
fn left_out(state: &State, present: CharSet) -> CharSet {
    let friends: CharSet = present.iter().filter(|&who| state.is_pc(who) && state.lives(who)).collect();
    let apart = |who: &Char| {
        let being = state.being(*who);
        being.circumstances.has(Circumstance::Alone) || being.need.is_some()
    };
    let left: CharSet = friends.iter().filter(apart).collect();
    match conflict::seated(state, friends).next() {
        Some(first) if left == friends => left.without(first),
        _ => left,
    }
}

/// What a player sees to between conflicts.
pub(crate) mod aside {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Seat, _: Viewer) -> Told {
        Told::new("Between conflicts: see to your bonds and relationship dice.").why(clause!("bond-true"))
    }

    pub(crate) fn legal(at: At<'_>, seat: Seat, each: &mut impl FnMut(Answer)) {
        for who in held(at.state, seat).iter() {
            let bonds = at.state.sheet(who).filter(|(_, thing)| thing.sort == Sort::Bond);
            let free = bonds.filter(|_| !at.state.is_bound(who));
            free.for_each(|(bond, thing)| each(Answer::Bond { bond, holds: !thing.holds }));
            legal_assign(at, who, each);
        }
    }

    takes!(
        Answer,
        Answer::Bond { .. } | Answer::Assign { .. } | Answer::AssignNew { .. },
        clause!("bond-true"),
        "expected a bond's being kept to or broken, or dice assigned"
    );

    pub(crate) fn object(at: At<'_>, seat: Seat, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Bond { bond, .. } => object_bond(at.state, seat, bond, out),
            _ => object_dice(at, whose(at.state, seat, answer), answer, out),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, seat: Seat, answer: Answer) {
        match answer {
            Answer::Bond { bond, holds } => set_bond(play, bond, holds),
            _ => assign_dice(play, whose(play.state, seat, answer), answer),
        }
    }

    /// Whose dice are assigned: those of the character named, or of the seat's first character.
    fn whose(state: &State, seat: Seat, answer: Answer) -> Option<Char> {
        let (Answer::Assign { who, .. } | Answer::AssignNew { who, .. }) = answer else { return None };
        let mine = held(state, seat);
        who.or(mine.first()).filter(|&who| mine.has(who))
    }

    /// Seats of players who have something to see to between conflicts: a bond, or dice.
    pub(crate) fn seats(at: At<'_>) -> SeatSet {
        let bonds = at.state.things().filter(|(_, thing)| thing.sort == Sort::Bond && !thing.lost);
        let bound: CharSet = bonds.map(|(_, thing)| thing.owner).collect();
        let assigns = |who: Char| assignments(at, who, &mut |_| ControlFlow::Break(())).is_break();
        let busy = |&who: &Char| {
            at.state.is_pc(who)
                && at.state.lives(who)
                && (bound.has(who) && !at.state.is_bound(who) || assigns(who))
        };
        at.state.everybody().filter(busy).map(|who| at.state.seat(who)).collect()
    }
}
