//! Boons: what they add, how they are lost, regained, made and moved.

use crate::answer::{Deed, Lost};
use crate::effect::{Effect, Facts, Whom};
use crate::rules::{Rules, Use};
use crate::state::{Lie, Live, Made, State};
use crate::{
    At, Play, event::Event, impose::side, power, settle::NUMBERS, setup::combat_attributes, vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Label as Name, Objections, Sink};

/// What a boon in use adds to a roll, if it counts for it (`boon.plus-two`).
pub(crate) fn bonus(at: At<'_>, boon: Boon, facts: &Facts) -> Option<i8> {
    let serves = at.state.use_of(at.rules, boon);
    let counts = !serves.once
        && serves.rolls.counts(facts.kind)
        && (serves.attributes.is_empty() || serves.attributes.has(facts.attribute))
        && (serves.tags.is_empty() || serves.tags.0 & facts.tags.0 != 0);
    let edges = serves.edges.iter().filter(|(traits, _)| traits.0 & facts.against.0 != 0);
    counts.then(|| edges.fold(serves.bonus, |sum, (_, n)| sum.saturating_add(*n)))
}

/// What somebody is like, with what they have in use.
pub(crate) fn traits(at: At<'_>, who: Char) -> TraitSet {
    let own = at.rules.sheet(who).traits;
    let mut traits = own;
    for boon in at.state.in_use(who) {
        traits = match at.state.use_of(at.rules, boon).sort {
            Sort::Armour => traits.with(Trait::Armored),
            Sort::Shield => traits.with(Trait::Shielded),
            Sort::Mount => traits.with(Trait::Mounted),
            _ => traits,
        };
    }
    if traits.has(Trait::Shielded) { traits } else { traits.with(Trait::Unshielded) }
}

/// What a boon is told as: itself or its pattern, and its own name.
pub(crate) fn told(state: &State, boon: Boon) -> (Boon, Option<Name>) {
    match state.made.get(boon.index()).copied().flatten() {
        Some(Made::Improvised(name, _)) => (boon, Some(name)),
        Some(Made::Like(other)) => (other, None),
        None => (boon, None),
    }
}

/// Whether a boon is a pattern for others, which nobody has (`boon-like-another`). Tables of
/// earlier versions may have given it to somebody: then it is no pattern.
pub(crate) fn is_pattern(at: At<'_>, boon: Boon) -> bool {
    boon.index() >= SPARES
        && at.rules.boons[boon.index()].owner.is_none()
        && at.state.place(boon).holder.is_none()
}

/// Takes a boon away: a common one is gone, a better one can be regained
/// (`guilt.lose-fate`).
pub(crate) fn lose(play: &mut Play<'_, impl Sink<Event>>, boon: Boon) {
    lose_as(play, boon, play.state.use_of(play.rules, boon).quality);
}

/// Takes a boon away for good: nobody has it (`glory.control-discard`).
pub(crate) fn discard(play: &mut Play<'_, impl Sink<Event>>, boon: Boon) {
    lose_as(play, boon, Quality::Common);
}

fn lose_as(play: &mut Play<'_, impl Sink<Event>>, boon: Boon, quality: Quality) {
    let Some(who) = play.state.place(boon).holder else { return };
    let (shown, name) = told(play.state, boon);
    match quality {
        Quality::Better => play.state.put(boon, Some(who), Lie::Lost),
        Quality::Common => play.state.put(boon, None, Lie::Gone),
    }
    play.event(Event::Lost { who, boon: shown, better: quality == Quality::Better, name });
}

/// What the boons that somebody has now, but did not come with, add to their power
/// number, less those they came with and have no longer (`npc-boons`).
pub(crate) fn rests(at: At<'_>, npc: Char) -> i16 {
    let came = at.rules.boons.iter().filter(|gear| gear.owner == Some(npc));
    let written: i16 = came.map(|gear| i16::from(gear.serves.pn)).sum();
    let held: i16 = at.state.held(npc).map(|boon| i16::from(at.state.use_of(at.rules, boon).pn)).sum();
    held - written
}

/// A power number as it is now: it is written for everything that its character
/// comes with, and what rests on a boon goes and comes with that (`npc-boons`).
pub(crate) fn power_number(at: At<'_>, npc: Char) -> i8 {
    let (least, most) = NUMBERS.into_inner();
    (at.state.being(npc).pn + rests(at, npc)).clamp(least.into(), most.into()) as i8
}

/// Brings a boon to somebody else, who has it in use (`glory.control-steal`).
pub(crate) fn take(play: &mut Play<'_, impl Sink<Event>>, boon: Boon, to: Char) {
    let Some(from) = play.state.place(boon).holder else { return };
    let (shown, name) = told(play.state, boon);
    play.state.put(boon, Some(to), Lie::InUse);
    play.event(Event::Moved { from, to, boon: shown, name });
}

/// Makes a boon in play (`glory.control-improvise`).
pub(crate) fn make(play: &mut Play<'_, impl Sink<Event>>, who: Char, made: Made) {
    let Some(boon) = play.state.spare(play.rules, who) else { return play.event(Event::NoRoom(who)) };
    play.state.made[boon.index()] = Some(made);
    play.state.put(boon, Some(who), Lie::InUse);
    let (boon, name) = told(play.state, boon);
    play.event(Event::Gained { who, boon, name });
}

/// An improvised boon as a player describes it: +2, or used once.
pub(crate) fn improvised(kind: Kind, tags: TagSet, once: bool) -> Use {
    let rolls = match kind {
        Kind::Test => Rolls::Test,
        Kind::Save => Rolls::Save,
    };
    let (sort, attributes) = (sort_of(kind, tags), combat_attributes(rolls, tags));
    Use { sort, rolls, attributes, tags, bonus: 2, once, ..Use::default() }
}

/// The sort of boon that is for such rolls, where one is (`ext.boon`).
fn sort_of(kind: Kind, tags: TagSet) -> Sort {
    match kind {
        Kind::Test if tags.has(Tag::Combat) => Sort::Weapon,
        Kind::Save if tags.has(Tag::Combat) => Sort::Shield,
        Kind::Test if tags.has(Tag::Social) => Sort::Social,
        Kind::Test if tags.has(Tag::Research) => Sort::Research,
        Kind::Test if tags.has(Tag::Wilds) => Sort::Gear,
        _ => Sort::Other,
    }
}

/// What falls first where nobody names it: a weapon, else what comes first.
pub(crate) fn likeliest(at: At<'_>, who: Char) -> Option<Boon> {
    weapon_first(at, who, at.state.losable(who))
}

/// The boon that a thief gets: a weapon first, never a situation (`situations-stay`).
pub(crate) fn portable(at: At<'_>, who: Char) -> Option<Boon> {
    let portable = at.state.losable(who).filter(|&boon| !at.state.use_of(at.rules, boon).situation);
    weapon_first(at, who, portable)
}

/// The lost boon that comes back first.
pub(crate) fn first_lost(at: At<'_>, who: Char) -> Option<Boon> {
    at.state.lying(who, Lie::Lost).min_by_key(|&boon| !is_own(at.rules, who, boon))
}

fn weapon_first(at: At<'_>, who: Char, boons: impl Iterator<Item = Boon>) -> Option<Boon> {
    let is_weapon = |boon: Boon| at.state.use_of(at.rules, boon).sort == Sort::Weapon;
    boons.min_by_key(|&boon| (!is_weapon(boon), !is_own(at.rules, who, boon)))
}

/// Whether a boon stands on somebody's sheet: what came in play stands after that
/// (`boons-in-order`).
fn is_own(rules: &Rules, who: Char, boon: Boon) -> bool {
    rules.boons[boon.index()].owner == Some(who)
}

/// Every way to lose two boons in use, or the only one (`lose-fewer-than-two`).
pub(crate) fn losses(state: &State, who: Char, each: &mut impl FnMut(Lost)) {
    let all: ArrayVec<Boon, MAX_BOONS> = state.losable(who).collect();
    if let [one] = all[..] {
        each(Lost([Some(one), None]));
    }
    for (at, &one) in all.iter().enumerate() {
        all[at + 1..].iter().for_each(|&other| each(Lost([Some(one), Some(other)])));
    }
}

/// What speaks against losing just these.
pub(crate) fn object_loss(state: &State, who: Char, lost: Lost, out: &mut impl Objections) {
    let losable = state.losable(who).count();
    if lost.iter().any(|boon| !state.losable(who).any(|other| other == boon)) {
        out.no(clause!("guilt.lose"), "what is lost was in their use, and not used up by this action");
    }
    if lost.iter().count() != losable.min(2) {
        out.no(clause!("guilt.lose"), "two boons in use are lost, or the only one there is");
    }
}

/// Minor actions that somebody might take; what speaks against one is for others to say.
pub(crate) fn deeds(at: At<'_>, who: Char, each: &mut impl FnMut(Deed)) {
    let allies = at.state.allies(at.rules, who);
    let all = (0..at.state.boons.len() as u8).map(Boon);
    for boon in all.filter(|&boon| at.state.place(boon).holder == Some(who)) {
        match at.state.place(boon).lie {
            Lie::Lost => each(Deed::Recover(boon)),
            Lie::Kept => each(Deed::Ready(boon)),
            Lie::InUse => each(Deed::Stow(boon)),
            Lie::Gone => {}
        }
        allies.iter().for_each(|to| each(Deed::Give { boon, to }));
    }
    at.state.shakeable(who, Label::Minor).for_each(|(cause, ..)| each(Deed::Shake(cause)));
    at.rules.all_zones().for_each(|zone| each(Deed::Go(zone)));
}

/// What speaks against a minor action.
pub(crate) fn object_deed(at: At<'_>, who: Char, deed: Deed, out: &mut impl Objections) {
    let lies =
        |boon: Boon, lie: Lie| at.state.place(boon).holder == Some(who) && at.state.place(boon).lie == lie;
    match deed {
        Deed::Other(_) => {}
        Deed::Recover(boon) => {
            if at.state.place(boon).holder != Some(who) {
                out.no(
                    clause!("guilt.lose-fate"),
                    "that is not theirs: they regain what they lost themselves and nobody has taken since",
                );
            } else if !lies(boon, Lie::Lost) {
                out.no(clause!("guilt.lose-fate"), "only a lost boon of better quality can be regained");
            }
        }
        Deed::Ready(boon) => {
            if !lies(boon, Lie::Kept) {
                out.no(clause!("boon.def"), "they do not have that, or have it in use already");
            }
        }
        Deed::Stow(boon) => {
            if !lies(boon, Lie::InUse) {
                out.no(clause!("boon.def"), "they do not have that in use");
            }
            if at.state.use_of(at.rules, boon).situation {
                out.no(clause!("boon.def"), "a situation cannot be put away");
            }
        }
        Deed::Give { boon, to } => {
            if !lies(boon, Lie::Kept) && !lies(boon, Lie::InUse) {
                out.no(clause!("boon.def"), "they do not have that");
            }
            if at.state.use_of(at.rules, boon).situation {
                out.no(clause!("boon.def"), "a situation cannot be handed over");
            }
            if !at.state.near(who, to) {
                out.no(clause!("ext.group"), "they can only hand it to somebody nearby");
            }
        }
        Deed::Shake(cause) => {
            let on = at.state.live.iter().any(|live| live.on == who && live.from.cause() == Some(cause));
            if !on {
                out.no(clause!("ext.ends"), "nothing of the kind is on them");
            } else if at.state.shaken_by(who, Label::Minor, cause).is_none() {
                out.no(clause!("ext.ends"), "a minor action does not rid them of that");
            }
        }
        Deed::Go(zone) => {
            if at.state.is_under(who, crate::effect::Verb::Hold) {
                out.no(clause!("ext.ends"), "they are held, and cannot leave");
            }
            let walks_back = |live: &Live| live.is_walked_off(who);
            if at.state.being(who).zone == zone && !at.state.live.iter().any(walks_back) {
                out.no(clause!("ext.scene-place"), "they are there already");
            }
        }
    }
}

/// Carries a minor action out: it just happens (`action.minor`).
pub(crate) fn act(play: &mut Play<'_, impl Sink<Event>>, who: Char, deed: Deed) {
    play.event(Event::Minor { who, deed });
    match deed {
        Deed::Other(_) => {}
        Deed::Recover(boon) | Deed::Ready(boon) => play.state.put(boon, Some(who), Lie::InUse),
        Deed::Stow(boon) => play.state.put(boon, Some(who), Lie::Kept),
        Deed::Give { boon, to } => take(play, boon, to),
        Deed::Shake(cause) => crate::impose::shake(play, who, Label::Minor, cause),
        Deed::Go(zone) => {
            crate::scene::place(play, who, zone);
            crate::impose::cease(play, |live| live.is_walked_off(who));
        }
    }
}

/// Boons that serve once and could be used on a roll.
pub(crate) fn single_use<'a>(at: At<'a>, who: Char, kind: Kind) -> impl Iterator<Item = Boon> + 'a {
    at.state.held(who).filter(move |&boon| {
        let serves = at.state.use_of(at.rules, boon);
        serves.once && serves.rolls.counts(kind)
    })
}

/// Whether all that these do is done to others, and there are no such ones
/// (`used-on-nobody`).
pub(crate) fn is_for_another(at: At<'_>, who: Char, effects: &[Effect], on: Option<Char>) -> bool {
    let misses = |effect: &Effect| match effect.on {
        _ if effect.into_roll() => false,
        Whom::Them => on.is_none(),
        Whom::Ally => !on.is_some_and(|on| at.rules.is_pc(on)),
        Whom::Allies => side(at, who, true).is_empty(),
        Whom::Foes => side(at, who, false).is_empty(),
        Whom::Me => false,
    };
    !effects.is_empty() && effects.iter().all(misses)
}

fn object_nobody(out: &mut impl Objections) {
    out.no(clause!("used-on-nobody"), "all that it does is done to others, and there are no such ones");
}

/// What speaks against using this boon on a roll.
pub(crate) fn object_using(
    at: At<'_>,
    who: Char,
    (kind, on): (Kind, Option<Char>),
    boon: Option<Boon>,
    out: &mut impl Objections,
) {
    let Some(boon) = boon else { return };
    if !at.state.held(who).any(|other| other == boon) {
        out.no(clause!("boon.one-time"), "they do not have that");
    } else if !single_use(at, who, kind).any(|other| other == boon) {
        out.no(clause!("boon.one-time"), "that is no boon used once on such a roll");
    } else if is_for_another(at, who, &at.state.gear(at.rules, boon).effects, on) {
        object_nobody(out);
    }
}

/// Whether somebody may use an ability on a roll, and what speaks against it.
pub(crate) fn object_ability(
    at: At<'_>,
    who: Char,
    (kind, on): (Kind, Option<Char>),
    ability: Option<Ability>,
    out: &mut impl Objections,
) {
    let Some(ability) = ability else { return };
    let it = at.rules.power(ability);
    if it.owner != who {
        out.no(clause!("ability.def"), "that is not an ability of theirs");
    }
    if !it.trigger.rolls().is_some_and(|rolls| rolls.counts(kind)) {
        out.no(clause!("ability.use"), "that ability is not used on such a roll");
    }
    if is_for_another(at, who, &it.effects, on) {
        object_nobody(out);
    }
    if power::is_banned(at.state, who) {
        out.no(clause!("bad.ability-banned"), "under fault ability they can use no feat and no whisper");
    }
    if it.limit > 0 && at.state.uses[ability.index()] >= it.limit {
        out.no(clause!("ext.feat"), "it has been used as often as a scene allows");
    }
}
