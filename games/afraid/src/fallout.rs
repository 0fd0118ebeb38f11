//! Fallout: the roll, its bands, and the menus.

use crate::answer::{Answer, Batch};
use crate::conflict::{rate, seating, winners};
use crate::dice::{Fallout, Hand, Pool, Rating, Top};
use crate::event::{Band, Event};
use crate::state::{Chore, Conflict, FalloutRoll, Menu, Nature, Scene, State, Thing, To};
use crate::view::{said, sees};
use crate::{At, Play, aid, dying, monster, rules::Options, setup::MOST_DICE, vocab::*, words};
use fracas_kernel::{Label, Objections, Sink, Told, Viewer, Why, fine};
use std::{ops::ControlFlow, sync::LazyLock};

/// In which order things are done: rolls, then deaths and new characters, then what is
/// assigned, needs, reflection (`end-order`).
const fn rank(chore: &Chore) -> u8 {
    match chore {
        Chore::Roll { .. } => 0,
        Chore::Death(_) => 1,
        Chore::Newcomer(_) => 2,
        Chore::Menu { .. } | Chore::Recovers(_) => 3,
        Chore::Need(_) => 4,
        Chore::Reflect { .. } => 5,
    }
}

/// Adds something to be done, after all that comes before it.
pub(crate) fn add(state: &mut State, chore: Chore) {
    let at = state.chores.iter().position(|other| rank(other) > rank(&chore));
    if !state.chores.is_full() {
        state.chores.insert(at.unwrap_or(state.chores.len()), chore);
    }
}

/// A long-term result that no roll brought.
pub(crate) const fn long_term(who: Char) -> Chore {
    menu(who, Menu::Long, FalloutRoll::NONE)
}

/// Everybody who banked fallout dice rolls them: losers before winners, players'
/// characters before the gamemaster's, by seat (`end.fallout`, `end-order`).
pub(crate) fn due(state: &mut State, conflict: &Conflict, winner: u8) {
    let won = winners(conflict, winner);
    let aided = conflict.aid.filter(|aid| aid.victim != aid.provider);
    let pools = conflict.parts.iter().map(|part| {
        // A provider who is the victim has one pool.
        (part.who, conflict.banked(part.who), conflict.opponents(part.who), won.has(part.who))
    });
    let victim = aided
        .map(|aid| (aid.victim, aid.bank, conflict.opponents(aid.provider), conflict.aid_is_won(winner)));
    let mut all: arrayvec::ArrayVec<_, 13> =
        pools.chain(victim).filter(|(_, dice, ..)| !dice.is_empty()).collect();
    all.sort_by_key(|&(who, _, _, won)| (won, seating(state, who)));
    for (who, dice, against, _) in all {
        add(state, Chore::Roll { who, dice: dice.throwable(), against });
    }
}

/// Does what needs no answer, until dice or an answer are due.
pub(crate) fn settle(play: &mut Play<'_, impl Sink<Event>>) {
    while let Some(&chore) = play.state.chores.first() {
        match chore {
            Chore::Roll { who, .. } | Chore::Menu { who, .. } if !play.state.lives(who) => {}
            Chore::Roll { .. } => return,
            Chore::Menu { who, menu, .. } => {
                if is_possible(play.at(), &chore) {
                    return;
                }
                play.event(Event::Nothing { who, menu: Some(menu) });
            }
            Chore::Need(who) => {
                if aid::settle_need(play, who) {
                    return;
                }
            }
            Chore::Death(_) | Chore::Recovers(_) => {}
            Chore::Newcomer(dead) => {
                if dying::draft(play.state, dead) {
                    return;
                }
                play.event(Event::NoNewcomer(dead));
            }
            Chore::Reflect { .. } => {}
        }
        play.state.chores.remove(0);
        match chore {
            Chore::Death(who) => dying::die(play, who),
            Chore::Recovers(who) if play.state.lives(who) => {
                let left = Circumstances::ALL.minus(play.state.being(who).circumstances);
                suffer(play, who, left);
            }
            Chore::Reflect { seat, who } => {
                if let Some(who) = who.filter(|&who| play.state.lives(who)).or(play.state.living_of(seat)) {
                    play.event(Event::Reflects(who));
                    add(play.state, menu(who, Menu::Experience, FalloutRoll::NONE));
                    add(play.state, menu(who, Menu::Reflection, FalloutRoll::NONE));
                }
            }
            _ => {}
        }
    }
}

const fn menu(who: Char, menu: Menu, of: FalloutRoll) -> Chore {
    Chore::Menu { who, menu, of }
}

/// What a fallout roll starts from: the two highest count, or all of them.
pub(crate) const fn unrolled(options: &Options) -> Fallout {
    if options.total { Fallout::TOTAL } else { Fallout::TWO_HIGHEST }
}

/// What a sum is looked up as (`fallout.band.short` and so on): the gravest band that it reaches.
pub(crate) const fn band(options: &Options, sum: u8) -> Band {
    match sum {
        sum if sum >= options.death_from => Band::Dead,
        sum if sum >= options.first_aid_from => Band::FirstAid,
        sum if sum >= options.injury_from => Band::Injury,
        sum if sum >= options.long_from => Band::Long,
        _ => Band::Short,
    }
}

/// The fallout dice have been rolled (`fallout.roll`, `fallout.ones`).
pub(crate) fn rolled(play: &mut Play<'_, impl Sink<Event>>, roll: Fallout) {
    let Some(&Chore::Roll { who, dice, against }) = play.state.chores.first() else { return };
    play.state.chores.remove(0);
    let (sum, band) = (roll.sum(), band(&play.rules.options, roll.sum()));
    play.event(Event::FalloutRolled { who, roll, sum, band });
    if band == Band::Dead {
        // The dead get nothing further, experience included.
        add(play.state, Chore::Death(who));
        return settle(play);
    }
    let of = FalloutRoll { dice, shown: roll, against };
    if roll.one {
        add(play.state, menu(who, Menu::Experience, of));
    }
    let injury = band == Band::Injury || band == Band::FirstAid && play.rules.options.injury_too;
    match band {
        Band::Short => add(play.state, menu(who, Menu::Short, of)),
        Band::Long => add(play.state, menu(who, Menu::Long, of)),
        Band::FirstAid if play.state.has_sheet(who) => aid::require(play, who, dice),
        Band::FirstAid if !injury => play.event(Event::Nothing { who, menu: None }),
        _ => {}
    }
    if injury {
        add(play.state, menu(who, Menu::Injury, of));
        add(play.state, menu(who, Menu::Wound, of));
    }
    settle(play);
}

/// Whether anything of a menu can be done (`fallout-entry-impossible`).
fn is_possible(at: At<'_>, chore: &Chore) -> bool {
    let found = entries(at, chore, &mut |answer| {
        if fine(|out| object(at, chore, answer, out)) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found.is_break()
}

/// What may be chosen on a menu is about dice on these.
const RATED: [Sort; 3] = [Sort::Trait, Sort::Relationship, Sort::Bond];

fn rated(state: &State, who: Char, item: Item) -> Option<&Thing> {
    state.thing_of(who, item).filter(|thing| RATED.contains(&thing.sort))
}

/// What speaks against a choice from a menu.
pub(crate) fn object(at: At<'_>, chore: &Chore, answer: Answer, out: &mut impl Objections) {
    let &Chore::Menu { who, menu, of: FalloutRoll { against, .. } } = chore else { return };
    let is_gm = !at.state.is_pc(who);
    if !offers(menu, answer, is_gm) {
        let only_gm = offers(menu, answer, true);
        return if only_gm {
            let what = "this entry is the gamemaster's, for fallout of her own characters";
            out.no(clause!("fallout.gm-only"), what);
        } else {
            out.no(clause!("illegal.fallout"), "this entry is not on the menu of what was rolled");
        };
    }
    let being = at.state.being(who);
    if !at.state.has_sheet(who)
        && !matches!(answer, Answer::GiveDice(_) | Answer::Reveal(_) | Answer::GiveAndReveal { .. })
    {
        return out.no(clause!("firstaid-injury-fallout"), "what has no sheet can only give dice or reveal");
    }
    let mut change = |possible: bool, what: &'static str| {
        if !possible {
            out.no(clause!("illegal.fallout"), what);
        }
    };
    match answer {
        Answer::Clear(which) => {
            let there = being.circumstances;
            let wanted = if menu == Menu::Reflection { there.len() } else { there.len().min(2) };
            change(
                !which.is_empty() && which.minus(there).is_empty() && which.len() == wanted,
                "those become false that are true: two of them (of one, that one), with reflection all",
            );
        }
        Answer::Suffer(which) => {
            let (wanted, what) = match menu {
                Menu::Wound => (2, "two circumstances become true"),
                _ => (1, "one circumstance becomes true"),
            };
            change(which.len() == wanted, what);
            change(falls(being.circumstances, which), "what becomes true must be false now");
        }
        Answer::SufferForTrait { suffer, .. }
        | Answer::SufferForRelationship { suffer, .. }
        | Answer::SufferForAcquaintance { suffer, .. } => {
            let falls = suffer.len() == 2 && falls(being.circumstances, suffer);
            change(falls, "two circumstances become true that are false now");
            match answer {
                Answer::SufferForRelationship { to, .. } => object_relationship(at, who, to, out),
                Answer::SufferForAcquaintance { .. } => object_acquaintance(at.state, who, out),
                _ => object_new(at.state, who, out),
            }
        }
        Answer::NewTrait(_) | Answer::NewBelonging { .. } | Answer::NewBond { .. } => {
            object_new(at.state, who, out)
        }
        Answer::NewAcquaintance(_) => object_acquaintance(at.state, who, out),
        Answer::NewRelationship(to) => object_relationship(at, who, to, out),
        Answer::AddDie(item) => {
            change(
                rated(at.state, who, item).is_some(),
                "a die is added to a trait, relationship or bond on the sheet",
            );
            object_more(at.state, who, &[item], out);
        }
        Answer::AddDice(items) => {
            let of_two = |item| rated(at.state, who, item).is_some_and(|thing| thing.sort != Sort::Bond);
            change(
                items.into_iter().all(of_two),
                "three dice are added to traits and relationships on the sheet",
            );
            object_more(at.state, who, &items, out);
        }
        Answer::Resize { item, to } => change(
            rated(at.state, who, item).is_some_and(|thing| thing.rating.size.is_next_to(to)),
            "the dice of a trait, relationship or bond change by one step of d4, d6, d8, d10",
        ),
        Answer::ToD4(item) => change(
            rated(at.state, who, item).is_some_and(|thing| thing.rating.size != Size::D4),
            "a trait, relationship or bond changes to d4s whose dice are not d4s yet",
        ),
        Answer::Lose(item) => {
            change(
                rated(at.state, who, item).is_some(),
                "a trait, relationship or bond on the sheet is lost",
            );
        }
        Answer::LoseDie(stat) => change(being.stats[stat as usize] > 0, "a stat that has dice loses one"),
        Answer::AddStats(stats) => {
            let full = |stat: &Stat| is_over(being.stats[*stat as usize], &stats, stat);
            if stats.iter().any(full) {
                out.no(clause!("table-limits"), "a stat has 20 dice at most");
            }
        }
        Answer::RelationshipDice(_) => change(being.unassigned.len() < 60, "there is no room for more dice"),
        Answer::LoseMember => {
            if !at.rules.settings.members_pay {
                out.no(clause!("ext.group-npc"), "a group pays with a member only where the table says so");
            } else if !matches!(being.nature, Nature::Group(members) if members > 1) {
                out.no(clause!("ext.group-npc"), "a group that has several members can lose one");
            }
        }
        Answer::NeedAid => {
            // Also where first aid was lost; what was won is met, and may be required anew.
            let required = being.need.is_some_and(|need| !need.met);
            change(!required, "first aid is required already");
        }
        Answer::GiveDice(to) => object_gift(at.state, (who, against), to, out),
        Answer::Reveal(fact) => {
            let sorts = (menu != Menu::Short).then_some(clause!("long.choose"));
            monster::object_reveal(at, fact, sorts, out);
        }
        Answer::GiveAndReveal { to, fact } => {
            object_gift(at.state, (who, against), to, out);
            monster::object_reveal(at, fact, Some(clause!("injury.gm")), out);
        }
        _ => {}
    }
}

/// What speaks against a die more on each of these.
fn object_more(state: &State, who: Char, items: &[Item], out: &mut impl Objections) {
    let full =
        |item: &Item| rated(state, who, *item).is_some_and(|thing| is_over(thing.rating.count, items, item));
    if items.iter().any(full) {
        out.no(clause!("table-limits"), "a thing on a sheet has 20 dice at most");
    }
}

/// Whether one more die for each time that `this` is named would be too many.
fn is_over<T: PartialEq>(dice: u8, named: &[T], this: &T) -> bool {
    usize::from(dice) + named.iter().filter(|other| *other == this).count() > MOST_DICE.into()
}

/// Whether these are all false now.
fn falls(now: Circumstances, which: Circumstances) -> bool {
    which.minus(now) == which
}

/// Whether a menu has an entry, for a player or for the gamemaster.
fn offers(menu: Menu, answer: Answer, is_gm: bool) -> bool {
    let menus: &[Menu] = match answer {
        Answer::NewTrait(_)
        | Answer::NewRelationship(_)
        | Answer::NewAcquaintance(_)
        | Answer::AddDie(_)
        | Answer::Resize { .. }
        | Answer::NewBelonging { .. } => &[Menu::Experience],
        Answer::Clear(_) | Answer::RelationshipDice(_) => &[Menu::Experience, Menu::Reflection],
        Answer::AddStats(_) | Answer::AddDice(_) | Answer::NewBond { .. } => &[Menu::Reflection],
        // Half of an injury is a long-term result, the gamemaster's included.
        Answer::ToD4(_)
        | Answer::SufferForTrait { .. }
        | Answer::SufferForRelationship { .. }
        | Answer::SufferForAcquaintance { .. } => &[Menu::Long, Menu::Injury],
        Answer::LoseDie(_) | Answer::LoseMember => &[Menu::Long, Menu::Injury, Menu::Wound],
        Answer::Suffer(_) => &[Menu::Short, Menu::Long, Menu::Injury, Menu::Wound],
        Answer::Lose(_) | Answer::NeedAid => &[Menu::Wound],
        Answer::GiveDice(_) | Answer::Reveal(_) if is_gm => &[Menu::Short, Menu::Long, Menu::Injury],
        Answer::GiveDice(_) => &[Menu::Short],
        Answer::GiveAndReveal { .. } if is_gm => &[Menu::Injury],
        _ => &[],
    };
    menus.contains(&menu)
}

/// What speaks against giving dice to an opponent (`give-dice-to-whom`).
fn object_gift(state: &State, (who, against): (Char, CharSet), to: Char, out: &mut impl Objections) {
    if !against.has(to) {
        out.no(clause!("give-dice-to-whom"), "the dice go to an opponent of that conflict");
    } else if !could_follow_up(state, who, to) {
        out.no(clause!("short-give-no-followup"), "the dice go to an opponent who could hold a followup");
    }
}

/// Whether an opponent could hold a followup to the conflict that was: alive, and in its
/// scene still. The giver is there too: to anybody elsewhere a refusal would tell of the
/// opponent.
fn could_follow_up(state: &State, who: Char, to: Char) -> bool {
    let all = CharSet::one(to).with(who);
    let here = |scene: &Scene| {
        let took_part = scene.last.is_some_and(|last| all.minus(last.parts).is_empty());
        took_part && all.minus(scene.present.with(Char::INJURY)).is_empty()
    };
    to != Char::INJURY && state.lives(to) && state.scenes.iter().any(here)
}

/// What speaks against something new on a sheet.
pub(crate) fn object_new(state: &State, who: Char, out: &mut impl Objections) {
    if !state.has_room(who) {
        out.no(clause!("table-limits"), "there is no room for more on this evening's sheets");
    }
}

/// What speaks against a new relationship to somebody.
pub(crate) fn object_relationship(at: At<'_>, who: Char, to: To, out: &mut impl Objections) {
    object_new(at.state, who, out);
    if !at.state.is_there(at.rules, to) || to == To::Char(who) {
        out.no(clause!("relationship-one"), "a relationship is to somebody else there is");
    } else if relationship_to(at.state, who, to).is_some() {
        out.no(clause!("relationship-one"), "there is a relationship to them already: add to it");
    }
}

/// What speaks against a relationship to somebody new.
pub(crate) fn object_acquaintance(state: &State, who: Char, out: &mut impl Objections) {
    object_new(state, who, out);
    if !state.may_acquaint(who) {
        out.no(clause!("table-limits"), "there is no room for more people this evening");
    }
}

/// The relationship somebody has to somebody.
pub(crate) fn relationship_to(state: &State, who: Char, to: To) -> Option<Item> {
    let mut sheet = state.sheet(who);
    sheet.find(|(_, thing)| thing.sort == Sort::Relationship && thing.to == Some(to)).map(|(item, _)| item)
}

/// Names that are proposed where a player has yet to say one.
pub(crate) struct Proposals {
    /// The stakes in words.
    pub stakes: Label,
    /// A new character.
    pub stranger: Label,
    /// Something placed on a new sheet, and what has no name.
    pub thing: Label,
    trait_: Label,
    /// Somebody to whom a relationship is begun.
    pub acquaintance: Label,
    belonging: Label,
    bond: Label,
}

/// They are read once: listing answers is to cost nothing.
pub(crate) static PROPOSALS: LazyLock<Proposals> = LazyLock::new(|| {
    let label = |words: &str| words.parse().unwrap_or_else(|_| unreachable!("a plain word is a label"));
    Proposals {
        stakes: label("how this ends"),
        stranger: label("A stranger"),
        thing: label("Something new"),
        trait_: label("Something learnt"),
        acquaintance: label("Somebody new"),
        belonging: label("Something kept"),
        bond: label("A promise"),
    }
});

/// Lists what may be chosen from a menu.
pub(crate) fn legal(at: At<'_>, chore: &Chore, each: &mut impl FnMut(Answer)) {
    let _ = entries(at, chore, &mut |answer| {
        each(answer);
        ControlFlow::Continue(())
    });
}

/// Every entry of a menu with each thing it can be about, as long as `put` wants more.
fn entries(at: At<'_>, chore: &Chore, put: &mut impl FnMut(Answer) -> ControlFlow<()>) -> ControlFlow<()> {
    let &Chore::Menu { who, menu, of: FalloutRoll { against, .. } } = chore else {
        return ControlFlow::Continue(());
    };
    let is_gm = !at.state.is_pc(who);
    let mut put = |answer: Answer| {
        if offers(menu, answer, is_gm) { put(answer) } else { ControlFlow::Continue(()) }
    };
    let now = at.state.being(who).circumstances;
    let (names, any) = (&*PROPOSALS, Circumstance::ALL);
    any.iter().try_for_each(|&one| put(Answer::Suffer(Circumstances::one(one))))?;
    for (i, &one) in any.iter().enumerate() {
        for &other in &any[i + 1..] {
            let two = Circumstances::one(one).with(other);
            put(Answer::Suffer(two))?;
            put(Answer::Clear(two))?;
            put(Answer::SufferForTrait { suffer: two, name: names.trait_ })?;
        }
    }
    if now.len() != 2 {
        put(Answer::Clear(now))?;
    }
    Stat::ALL.iter().try_for_each(|&stat| put(Answer::LoseDie(stat)))?;
    if menu != Menu::Short {
        at.state.sheet(who).try_for_each(|(item, thing)| {
            put(Answer::ToD4(item))?;
            put(Answer::Lose(item))?;
            put(Answer::AddDie(item))?;
            put(Answer::AddDice([item; 3]))?;
            let mut sizes = Size::ALL.iter().filter(|to| to.is_next_to(thing.rating.size));
            sizes.try_for_each(|&to| put(Answer::Resize { item, to }))
        })?;
    }
    for answer in [
        Answer::NewTrait(names.trait_),
        Answer::NewAcquaintance(names.acquaintance),
        Answer::NewBelonging { name: names.belonging, grade: Grade::Ordinary },
        Answer::RelationshipDice(Batch::Big),
        Answer::RelationshipDice(Batch::Small),
        Answer::NewBond { name: names.bond, supernatural: false },
        Answer::LoseMember,
        Answer::NeedAid,
    ] {
        put(answer)?;
    }
    if menu == Menu::Reflection {
        for (i, &one) in Stat::ALL.iter().enumerate() {
            Stat::ALL[i..].iter().try_for_each(|&other| put(Answer::AddStats([one, other])))?;
        }
    }
    if menu == Menu::Experience {
        let seat = at.state.seat(who);
        let viewer = Viewer::Seat(seat);
        let mut known =
            at.state.everybody().filter(|&to| at.state.seems_alive(to, seat) && sees(at.state, to, viewer));
        known.try_for_each(|to| put(Answer::NewRelationship(To::Char(to))))?;
    }
    against.iter().try_for_each(|to| put(Answer::GiveDice(to)))?;
    for fact in (0..at.rules.facts.len() as u8).map(Fact) {
        put(Answer::Reveal(fact))?;
        against.iter().try_for_each(|to| put(Answer::GiveAndReveal { to, fact }))?;
    }
    ControlFlow::Continue(())
}

/// Carries out a choice from a menu, which then is done.
pub(crate) fn choose(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    let Some(&Chore::Menu { who, menu, of }) = play.state.chores.first() else { return };
    play.state.chores.remove(0);
    match answer {
        Answer::Clear(which) => clear(play, who, which),
        Answer::Suffer(which) => suffer(play, who, which),
        Answer::NewTrait(name) => {
            gain(play, who, (Sort::Trait, Rating::of(1, Size::D6)), None, name);
        }
        Answer::NewRelationship(to) => relate(play, who, to, Rating::of(1, Size::D6)),
        Answer::NewAcquaintance(name) => acquaint(play, who, name, Rating::of(1, Size::D6)),
        Answer::SufferForTrait { suffer: which, name } => {
            suffer(play, who, which);
            gain(play, who, (Sort::Trait, Rating::of(1, Size::D4)), None, name);
        }
        Answer::SufferForRelationship { suffer: which, to } => {
            suffer(play, who, which);
            relate(play, who, to, Rating::of(1, Size::D4));
        }
        Answer::SufferForAcquaintance { suffer: which, name } => {
            suffer(play, who, which);
            acquaint(play, who, name, Rating::of(1, Size::D4));
        }
        Answer::AddDie(item) => add_dice(play, who, &[item]),
        Answer::AddDice(items) => add_dice(play, who, &items),
        Answer::Resize { item, to } => resize(play, who, item, to),
        Answer::ToD4(item) => resize(play, who, item, Size::D4),
        Answer::Lose(item) => {
            rate(play.state, item, None);
            play.event(Event::Lost { who, item });
        }
        Answer::RelationshipDice(batch) => {
            let dice = match (menu, batch) {
                (Menu::Reflection, Batch::Big) => Pool::of(1, Size::D10).and(2, Size::D6),
                (Menu::Reflection, Batch::Small) => Pool::of(3, Size::D4).and(2, Size::D6),
                (_, Batch::Big) => Pool::of(1, Size::D8).and(1, Size::D6),
                (_, Batch::Small) => Pool::of(2, Size::D4).and(1, Size::D6),
            };
            play.state.change(who, |being| being.unassigned = being.unassigned.plus(dice));
            play.event(Event::Unassigned { who, dice });
        }
        Answer::NewBelonging { name, grade } => {
            let (count, size) = grade.rating();
            gain(play, who, (Sort::Belonging, Rating::of(count, size)), None, name);
        }
        Answer::NewBond { name, supernatural } => {
            let rating = Rating { more: u8::from(supernatural), ..Rating::of(1, Size::D6) };
            gain(play, who, (Sort::Bond, rating), None, name);
        }
        Answer::LoseDie(stat) => stat_die(play, who, stat, More::Less),
        Answer::AddStats(stats) => {
            stats.iter().for_each(|&stat| stat_die(play, who, stat, More::More));
        }
        Answer::LoseMember => {
            if let Some(being) = play.state.being_mut(who)
                && let Nature::Group(members) = &mut being.nature
            {
                *members = members.saturating_sub(1).max(1);
                play.event(Event::MemberLost(who));
            }
        }
        Answer::NeedAid => aid::require(play, who, of.dice),
        Answer::GiveDice(to) => give(play, who, to, (of.dice, &[of.shown.high, of.shown.next])),
        Answer::Reveal(fact) => monster::reveal(play, fact),
        Answer::GiveAndReveal { to, fact } => {
            give(play, who, to, (of.dice, &[of.shown.high]));
            monster::reveal(play, fact);
            // It is the whole of an injury (`injury-gm-scope`).
            let rest =
                |chore: &Chore| matches!(chore, Chore::Menu { who: of, menu: Menu::Wound, .. } if *of == who);
            if let Some(at) = play.state.chores.iter().position(rest) {
                play.state.chores.remove(at);
            }
        }
        _ => {}
    }
    settle(play);
}

/// Circumstances become true.
pub(crate) fn suffer(play: &mut Play<'_, impl Sink<Event>>, who: Char, which: Circumstances) {
    let Some(being) = play.state.being_mut(who) else { return };
    let circumstances = which.minus(being.circumstances);
    being.circumstances = being.circumstances.or(which);
    if !circumstances.is_empty() {
        play.event(Event::Suffered { who, circumstances });
    }
}

/// Circumstances become false.
pub(crate) fn clear(play: &mut Play<'_, impl Sink<Event>>, who: Char, which: Circumstances) {
    let Some(being) = play.state.being_mut(who) else { return };
    let circumstances = which.minus(which.minus(being.circumstances));
    being.circumstances = being.circumstances.minus(which);
    if !circumstances.is_empty() {
        play.event(Event::Cleared { who, circumstances });
    }
}

/// Something new on a sheet.
pub(crate) fn gain(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    (sort, rating): (Sort, Rating),
    to: Option<To>,
    name: Label,
) -> Option<Item> {
    let known = play.state.is_pc(who);
    let thing = Thing { to, known, ..Thing::new(who, sort, rating) };
    let item = play.state.gain(thing, name)?;
    play.event(Event::Gained { who, item });
    Some(item)
}

/// A relationship to somebody there is, called by their name.
pub(crate) fn relate(play: &mut Play<'_, impl Sink<Event>>, who: Char, to: To, rating: Rating) {
    let name = crate::view::label_of(play.at(), to);
    gain(play, who, (Sort::Relationship, rating), Some(to), name);
}

/// A relationship to somebody new of this name.
fn acquaint(play: &mut Play<'_, impl Sink<Event>>, who: Char, name: Label, rating: Rating) {
    if let Some(to) = play.state.acquaint(who, name) {
        gain(play, who, (Sort::Relationship, rating), Some(to), name);
    }
}

/// A die of the main size more on each (`added-die-size`).
fn add_dice(play: &mut Play<'_, impl Sink<Event>>, who: Char, items: &[Item]) {
    for &item in items {
        if let Some(rating) = play.state.thing(item).map(|thing| thing.rating) {
            rate(play.state, item, Some(Rating { count: rating.count + 1, ..rating }));
            play.event(Event::Changed { who, item });
        }
    }
}

/// All main dice change their size; a supernatural d4 stays (`size-step-direction`).
fn resize(play: &mut Play<'_, impl Sink<Event>>, who: Char, item: Item, to: Size) {
    if let Some(rating) = play.state.thing(item).map(|thing| thing.rating) {
        rate(play.state, item, Some(Rating { size: to, ..rating }));
        play.event(Event::Changed { who, item });
    }
}

/// One die more, or one less.
#[derive(Clone, Copy, PartialEq, Eq)]
enum More {
    More,
    Less,
}

fn stat_die(play: &mut Play<'_, impl Sink<Event>>, who: Char, stat: Stat, change: More) {
    if let Some(being) = play.state.being_mut(who) {
        let dice = &mut being.stats[stat as usize];
        *dice = if change == More::More { dice.saturating_add(1) } else { dice.saturating_sub(1) };
        play.event(Event::StatDie { who, stat, more: change == More::More });
    }
}

/// Dice of a fallout roll go to an opponent and wait there for a followup, showing
/// what they show. Where a die's size is not known, it is the least in the pool that can
/// show its face.
fn give(play: &mut Play<'_, impl Sink<Event>>, who: Char, to: Char, (pool, best): (Pool, &[Top])) {
    let (mut pool, mut dice) = (pool, Hand::NONE);
    for die in best.iter().filter(|die| **die != Top::NONE) {
        let there = |size: &&Size| pool.count(**size) > 0 && size.sides() >= die.face();
        let size = die.size().or_else(|| Size::ALL.iter().find(there).copied()).unwrap_or(Size::D10);
        pool = pool.minus(Pool::of(1, size)).unwrap_or(pool);
        dice.add(size, die.face());
    }
    if let Some(being) = play.state.being_mut(to) {
        being.keep(dice, CharSet::one(who));
        play.event(Event::GaveDice { who, to, dice });
    }
}

/// A choice from a menu.
pub(crate) mod choosing {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, menu: Menu, _: Viewer) -> Told {
        let who = said(at, who);
        Told::new(format!("{who}: choose {}.", words::menu_words(menu))).why(words::menu_clause(menu))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, _: Menu, each: &mut impl FnMut(Answer)) {
        if let Some(chore) = at.state.chores.first() {
            super::legal(at, chore, each);
        }
    }

    /// What is on no menu is refused with the menu, but for what belongs elsewhere altogether.
    pub(crate) const fn strays(answer: &Answer) -> Option<Why> {
        match answer {
            Answer::Challenge { .. }
            | Answer::Answer { .. }
            | Answer::Escalate(_)
            | Answer::Give
            | Answer::Assign { .. }
            | Answer::AssignNew { .. } => {
                Some((clause!("illegal.fallout"), "this entry is not on the menu of what was rolled"))
            }
            _ => None,
        }
    }

    pub(crate) fn object(at: At<'_>, _: Char, _: Menu, answer: Answer, out: &mut impl Objections) {
        if let Some(chore) = at.state.chores.first() {
            super::object(at, chore, answer, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, _: Menu, answer: Answer) {
        choose(play, answer);
    }
}
