//! Spells and Skills, Persistent Spells and Concentration (`spell.source` to `skill.slots`).

use crate::{
    At, Play,
    answer::{Answer, Casting},
    event::Event,
    free,
    rules::{SkillLimit, Source},
    stack,
    state::*,
    test, view,
    vocab::*,
};
use fracas_kernel::{Label, Objections, Saying, Seat, Sink, Told, Viewer, takes};

/// The caster of a Spell: who owns its Item, or has the Skill.
fn caster(at: At<'_>, spell: Spell) -> Option<Char> {
    match at.rules.spell(spell).from {
        Source::Item(item) => at.state.items[item.index()].owner,
        Source::Skill(who, _) => Some(who),
    }
}

/// The lowest Level of a slot that will do, if there is one (`spell.slots`, `skill.slots`). An Item with a rule of
/// its own counts casts, and Skills may count uses; those are slots of the Spell's own Level.
fn slot_for(at: At<'_>, spell: Spell) -> Option<u8> {
    let data = at.rules.spell(spell);
    match data.from {
        Source::Item(item) => {
            let thing = &at.state.items[item.index()];
            if at.rules.item(item).slots.is_none() {
                return (thing.casts > 0).then_some(data.level);
            }
            (data.level..=thing.slots.len() as u8).find(|&level| thing.slots[usize::from(level) - 1] > 0)
        }
        Source::Skill(who, rank) => {
            let body = at.state.body(who);
            match at.rules.options.skill_limit {
                SkillLimit::Uses => (body.skill_uses[rank as usize] > 0).then_some(data.level),
                SkillLimit::Slots => {
                    let slots = [(1, body.skill_slots[0]), (3, body.skill_slots[1])];
                    slots
                        .into_iter()
                        .find(|&(level, left)| level >= data.level && left > 0)
                        .map(|(level, _)| level)
                }
            }
        }
    }
}

/// Whether a slot of this very Level is there for a Spell (`spell.slot-choice`).
fn has_slot(at: At<'_>, spell: Spell, level: u8) -> bool {
    let data = at.rules.spell(spell);
    if level < data.level {
        return false;
    }
    match data.from {
        Source::Item(item) if at.rules.item(item).slots.is_some() => {
            let slots = &at.state.items[item.index()].slots;
            slots.get(usize::from(level).wrapping_sub(1)).is_some_and(|&left| left > 0)
        }
        Source::Skill(who, _) if at.rules.options.skill_limit == SkillLimit::Slots => {
            let [low, high] = at.state.body(who).skill_slots;
            (level == 1 && low > 0) || (level == 3 && high > 0)
        }
        _ => slot_for(at, spell) == Some(level),
    }
}

/// The Spells and Skills that a character can use now.
pub(crate) fn each_castable(at: At<'_>, who: Char) -> impl Iterator<Item = Spell> + '_ {
    at.rules.every_spell().filter(move |&spell| {
        caster(at, spell) == Some(who) && is_open(at, who, spell) && slot_for(at, spell).is_some()
    })
}

/// Whether the Item behind a Spell is Active, in a Clash (`spell.source`).
fn is_open(at: At<'_>, who: Char, spell: Spell) -> bool {
    match at.rules.spell(spell).from {
        Source::Item(item) => crate::clash::is_active(at, who, Element::Item(item)),
        Source::Skill(..) => true,
    }
}

pub(crate) fn object_cast(at: At<'_>, who: Char, casting: Casting, out: &mut impl Objections) {
    let Casting { spell, slot, .. } = casting;
    if caster(at, spell) != Some(who) {
        out.no(clause!("spell.source"), "they have no such Spell or Skill");
        return;
    }
    if !is_open(at, who, spell) {
        out.no(clause!("spell.source"), "its Item is not Active");
    }
    let there = slot.map_or_else(|| slot_for(at, spell).is_some(), |level| has_slot(at, spell, level));
    if !there {
        let clause = match at.rules.spell(spell).from {
            Source::Item(_) => clause!("spell.slots"),
            Source::Skill(..) => clause!("skill.slots"),
        };
        out.no(clause, "no slot of that Level or higher is left");
    }
    // A second Persistent Spell ends the first, at the usual price (`persist.recast`).
    if casting.lasting
        && at.state.concentration(who).is_some()
        && at.state.turn().is_some_and(|turn| turn != who)
        && !at.state.body(who).reaction
    {
        out.no(clause!("persist.one-per-caster"), "ending the first would cost a Reaction, and none is left");
    }
}

/// The Spell of a Roll, with the slot that it takes.
pub(crate) fn cast(at: At<'_>, casting: Casting) -> Option<Cast> {
    let Casting { spell, slot, lasting } = casting;
    Some(Cast { spell, slot: slot.or_else(|| slot_for(at, spell))?, lasting })
}

/// The slot is spent (`spell.slots`); of a Skill both counts are kept (`skill-limit`).
pub(crate) fn spend_slot(play: &mut Play<'_, impl Sink<Event>>, who: Char, cast: Cast) {
    let level = usize::from(cast.slot).max(1) - 1;
    play.state.shown_spells |= 1 << cast.spell.0;
    match play.rules.spell(cast.spell).from {
        Source::Item(item) => {
            let thing = &mut play.state.items[item.index()];
            if play.rules.item(item).slots.is_some() {
                thing.slots[level] = thing.slots[level].saturating_sub(1);
            } else {
                thing.casts = thing.casts.saturating_sub(1);
            }
        }
        Source::Skill(_, rank) => {
            let body = play.state.body_mut(who);
            let slot = &mut body.skill_slots[usize::from(cast.slot > 1)];
            *slot = slot.saturating_sub(1);
            let uses = &mut body.skill_uses[rank as usize];
            *uses = uses.saturating_sub(1);
        }
    }
}

/// A spent slot of this Level is there again.
pub(crate) fn add_slot(play: &mut Play<'_, impl Sink<Event>>, who: Char, level: u8) {
    let n = usize::from(level.max(1)) - 1;
    let found = play.state.items_of(who).find(|&item| {
        let most = play.rules.item(item).slots.and_then(|slots| slots.get(n).copied()).unwrap_or(0);
        play.state.items[item.index()].slots.get(n).is_some_and(|&left| left < most)
    });
    if let Some(item) = found {
        play.state.items[item.index()].slots[n] += 1;
    }
}

// ---- Without a Roll.

pub(crate) fn object_no_roll(
    at: At<'_>,
    (who, named): (Char, Char),
    on: Char,
    casting: Casting,
    out: &mut impl Objections,
) {
    if who != named {
        out.no(clause!("clash.illegal"), "that character is not yours to act with now");
    }
    object_cast(at, who, casting, out);
    if !at.state.is_about(on) {
        out.no(clause!("spell.no-roll"), "they are not here");
    }
    if on != who && at.state.body(on).side != at.state.body(who).side {
        out.no(clause!("persist.trait"), "an unwilling target takes a Roll");
    }
}

/// A casting that takes no Roll, for the Director to judge (`spell.no-roll`, `spell.effect-choice`).
pub(crate) fn quietly(at: At<'_>, who: Char, on: Char, spell: Spell, task: Option<Label>) -> Test {
    let kind = if at.state.clash.is_some() { Kind::Generic } else { Kind::Free };
    let data = at.rules.spell(spell);
    let task = task.or_else(|| data.name.parse().ok());
    Test { task, ..test::new(kind, who, Target::Char(on), on, data.symbol) }
}

// ---- A passed Spell Roll becomes an Attack.

/// Whether the Director may turn this Roll into the first Attack of a Clash (`spell.carry-roll`).
pub(crate) fn may_carry(at: At<'_>, test: &Test) -> bool {
    test.kind == Kind::Free
        && at.state.body(test.attacker).side != at.state.body(test.defender).side
        && free::has_sides(at)
        && test.cast.is_some()
        && test.dodged.is_none()
        && test.came.is_some_and(|came| came.passed)
}

pub(crate) mod carry {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("The Roll of {} passes. Is that enough, or does it open a Clash?", Saying(who, at)))
            .why(clause!("spell.carry-roll"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        let name = at.state.top_test().and_then(|test| test.task);
        if let Some(name) = name {
            let first = at.state.body(who).side;
            for stakes in [Rank::Minor, Rank::Major] {
                each(Answer::Begin { stakes, first, name });
            }
        }
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Begin { .. },
        clause!("spell.carry-roll"),
        "expected to let it be, or to begin a Clash"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Begin { first, .. } = answer
            && first != at.state.body(who).side
        {
            out.no(clause!("clash.start-side"), "the side that made the Roll goes first");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Some(test) = test::top(play.state) else { return };
        test.step = Step::Result;
        if let Answer::Begin { stakes, name, .. } = answer {
            // The dice stand, without the Bonus Die of an opening Roll (`start-bonus`).
            (test.kind, test.stakes, test.task) = (Kind::Opening, stakes, Some(name));
        }
    }
}

// ---- Persistent Spells.

/// A Spell's Effect goes on: its caster words the Spell Trait (`persist.trait`).
pub(crate) fn stays(play: &mut Play<'_, impl Sink<Event>>, caster: Char, target: Char, spell: Spell) {
    if play.state.concentration(caster).is_some() {
        let mine = play.state.turn().is_none_or(|turn| turn == caster);
        play.state.body_mut(caster).reaction &= mine;
        stop(play, caster);
    }
    stack::push(play.state, Frame::Lay { caster, target, spell });
}

/// Free places for Traits that a character gains, from a Spell of the caster's if there is one.
pub(crate) fn free_traits(at: At<'_>, who: Char, caster: Option<Char>) -> impl Iterator<Item = TraitId> + '_ {
    let is_open = view::is_players(at, who) || caster.is_some_and(|caster| view::is_players(at, caster));
    let hidden = MAX_TRAITS + MAX_GAINED - HIDDEN_GAINED;
    let places = if is_open { MAX_TRAITS..hidden } else { hidden..MAX_TRAITS + MAX_GAINED };
    places.map(|n| TraitId(n as u8)).filter(move |&place| at.state.mark(place).owner.is_none())
}

/// The place of the Trait of another Persistent Spell, if it has room. Those between characters whom the players
/// do not see have room of their own, so that no refusal tells of them.
pub(crate) fn room_for(at: At<'_>, caster: Char, target: Char) -> Option<TraitId> {
    let is_seen = |caster, target| [caster, target].iter().any(|&who| view::sees(at, who, Viewer::Spectator));
    let seen = is_seen(caster, target);
    let like = at.state.pools.iter().filter(|pool| is_seen(pool.caster, pool.target) == seen).count();
    let most = if seen { MAX_POOLS - HIDDEN_POOLS } else { HIDDEN_POOLS };
    free_traits(at, target, Some(caster)).next().filter(|_| like < most)
}

pub(crate) mod lay {
    use super::*;

    fn top(at: At<'_>) -> Option<(Char, Char, Spell)> {
        match at.state.frames.last() {
            Some(Frame::Lay { caster, target, spell }) => Some((*caster, *target, *spell)),
            _ => None,
        }
    }

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some((_, target, spell)) = top(at) else { return Told::default() };
        Told::new(format!(
            "{} of {} stays on {}. As which Trait, and with which dice?",
            Saying(spell, at),
            Saying(who, at),
            Saying(target, at)
        ))
        .why(clause!("persist.trait-choice"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some((_, target, spell)) = top(at) else { return };
        let Ok(words) = at.rules.spell(spell).name.parse() else { return };
        let friend = at.state.body(who).side == at.state.body(target).side;
        let both = if friend { [Dice::Bonus, Dice::Malus] } else { [Dice::Malus, Dice::Bonus] };
        both.into_iter().for_each(|dice| each(Answer::Lay { words, dice }));
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Lay { .. } | Answer::Pass,
        clause!("persist.trait-choice"),
        "expected the words of the Spell Trait and its dice"
    );

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let room = top(at).is_some_and(|(caster, target, _)| room_for(at, caster, target).is_some());
        if matches!(answer, Answer::Lay { .. }) && !room {
            out.no(clause!("persist.trait"), "no more Persistent Spells fit on this table");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Some(Frame::Lay { caster, target, spell }) = play.state.frames.pop() else { return };
        let place = room_for(play.at(), caster, target);
        let (Answer::Lay { words, dice: of }, Some(mark)) = (answer, place) else { return };
        if play.state.body(target).dead {
            return;
        }
        play.state.call(mark, words);
        // Cast during a Clash it is Active and ready (`persist-activation`).
        let card = if play.state.clash.is_some() { Card::Ready } else { Card::Inactive };
        play.state.traits[mark.index()] =
            Mark { owner: Some(target), rank: Rank::Minor, card, used: false, spell: true };
        let dice = 2 * play.rules.spell(spell).level;
        let known = caster == target;
        play.state.pools.push(Pool { caster, target, spell, mark, dice, of, matched: 0, known });
        play.event(Event::Lays { caster, target, spell });
    }
}

/// The pool of which dice may be spent on this Roll next: a Bonus pool whose Trait the roller uses, a Malus pool
/// on the roller that bears on the Roll, as in a Clash all do (`persist-who-spends`, `persist-activation`).
pub(crate) fn pool_to_spend(at: At<'_>, test: &Test) -> Option<Pool> {
    let roller = test.roller();
    let is_in_use = |pool: &Pool| {
        pool.target == roller
            && pool.dice > 0
            && !at.state.body(pool.caster).dead
            && match pool.of {
                Dice::Bonus => test.aids.mark == Some(pool.mark),
                Dice::Malus => at.state.clash.is_some() || test.bears.has(pool.mark),
            }
    };
    at.state.pools.iter().skip(usize::from(test.pool)).find(|pool| is_in_use(pool)).copied()
}

pub(crate) mod spend {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let pool = at.state.top_test().and_then(|test| pool_to_spend(at, test));
        let Some(pool) = pool else { return Told::default() };
        Told::new(format!(
            "{} of {} bears on the Roll of {}: {} dice are in its pool. How many are spent?",
            Saying(pool.spell, at),
            Saying(who, at),
            Saying(pool.target, at),
            pool.dice
        ))
        .why(clause!("persist.spend"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        let pool = at.state.top_test().and_then(|test| pool_to_spend(at, test));
        if let Some(pool) = pool {
            let most = at.rules.spell(pool.spell).level.min(pool.dice);
            (0..=most).rev().for_each(|dice| each(Answer::Spend(dice)));
        }
    }

    takes!(Answer, Answer::Spend(_), clause!("persist.spend"), "expected how many dice are spent");

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let pool = at.state.top_test().and_then(|test| pool_to_spend(at, test));
        if let (Answer::Spend(dice), Some(pool)) = (answer, pool)
            && dice > at.rules.spell(pool.spell).level.min(pool.dice)
        {
            out.no(clause!("persist.spend"), "at most the Level of the Spell, and what is in the pool");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Answer::Spend(dice) = answer else { return };
        let Some(test) = play.state.top_test() else { return };
        let Some(pool) = pool_to_spend(play.at(), test) else { return };
        let data = play.rules.spell(pool.spell);
        let own = if test.kind == Kind::Conflict { test.over } else { test.with };
        let matches = dice > 0 && own == data.symbol && pool.matched < 2;
        let place = play.state.pools.iter().position(|there| *there == pool);
        // A Bonus Spell Trait that is used without its pool gives the die of a Minor Trait (`persist-plain-use`).
        let plain = u8::from(dice == 0 && pool.of == Dice::Bonus);
        let all = dice + plain + u8::from(matches);
        if let Some(test) = test::top(play.state) {
            match pool.of {
                Dice::Bonus => test.bd += all,
                Dice::Malus => test.md += all,
            }
        }
        let Some(place) = place else { return };
        play.state.pools[place].dice -= dice;
        play.state.pools[place].matched += u8::from(matches);
        if let Some(test) = test::top(play.state) {
            test.pool = place as u8 + 1;
        }
        if dice > 0 {
            play.event(Event::Spends { caster: pool.caster, target: pool.target, dice });
        }
        if play.state.pools[place].dice == 0 {
            close(play, place);
            if let Some(test) = test::top(play.state) {
                test.pool = place as u8;
            }
        }
    }
}

/// Concentration ends (`conc.drop`).
pub(crate) fn stop(play: &mut Play<'_, impl Sink<Event>>, caster: Char) {
    while let Some(place) = play.state.pools.iter().position(|pool| pool.caster == caster) {
        close(play, place);
    }
}

/// A caster tells the target what their Persistent Spell does (`persist.awareness`).
pub(crate) fn explain(play: &mut Play<'_, impl Sink<Event>>, caster: Char) {
    let Some(pool) = play.state.pools.iter_mut().find(|pool| pool.caster == caster) else { return };
    pool.known = true;
    let (target, spell) = (pool.target, pool.spell);
    play.event(Event::Explains { caster, target, spell });
}

/// A Spell's Effect ends: the Trait and the pool go (`persist.end`).
fn close(play: &mut Play<'_, impl Sink<Event>>, place: usize) {
    let pool = play.state.pools.remove(place);
    let mark = &mut play.state.traits[pool.mark.index()];
    (mark.owner, mark.spell) = (None, false);
    if let Some(test) = test::top(play.state)
        && test.aids.mark == Some(pool.mark)
    {
        test.aids.mark = None;
    }
    play.event(Event::SpellEnds { caster: pool.caster, target: pool.target, spell: pool.spell });
}

/// A Concentrating character takes Damage (`conc.damage`).
pub(crate) fn shaken(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if let Some(place) = play.state.pools.iter().position(|pool| pool.caster == who) {
        let pool = &mut play.state.pools[place];
        pool.dice = pool.dice.saturating_sub(1);
        if pool.dice == 0 {
            close(play, place);
        }
    }
}

/// What a dead character cast, and what was cast on it, ends.
pub(crate) fn ended_with(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    while let Some(place) = play.state.pools.iter().position(|pool| pool.caster == who || pool.target == who)
    {
        close(play, place);
    }
}

/// Whether a seat may know what a Persistent Spell does: its caster's, its target's once told, the Director's.
pub(crate) fn knows_pool(at: At<'_>, pool: &Pool, who: Viewer) -> bool {
    let is = |seat: Seat| who == Viewer::Seat(seat);
    who.is_gm()
        || is(at.rules.sheet(pool.caster).seat)
        || (pool.known && is(at.rules.sheet(pool.target).seat))
}
