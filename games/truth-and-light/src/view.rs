//! What one viewer may see.

use crate::effect::{Effect, Verb};
use crate::rules::{Numbers, Rules};
use crate::state::{Call, Die, Fortunes, Lie, Made, Place, State};
use crate::{At, boons, scale, vocab::*};
use fracas_kernel::{Clause, Hidden, Known, Seat, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    pub title: String,
    /// The scene, from 1.
    pub scene: u16,
    /// The round, from 1.
    pub round: u16,
    pub conflict: Option<Conflict>,
    pub turns: Turns,
    /// Who has the floor: somebody, `"gm"`, `"players"`, or nobody.
    pub floor: Option<String>,
    pub acted: CharSet,
    pub hazards: HazardSet,
    pub over: bool,
    /// Everybody this viewer sees, by name.
    pub cast: BTreeMap<String, Seen>,
    /// Every boon of theirs, by name.
    pub boons: BTreeMap<String, SeenBoon>,
    pub options: BTreeMap<&'static str, &'static str>,
}

/// Somebody, as one viewer may see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seen {
    pub name: String,
    pub seat: Seat,
    pub zone: Zone,
    pub away: bool,
    pub out: bool,
    /// Against the players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hostile: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unaware: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pn: Option<i8>,
    /// Ranks, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<BTreeMap<&'static str, Rank>>,
    /// Writhing, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writhing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Glory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good: Option<Fortunes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad: Option<Fortunes>,
    /// Harm taken, by track.
    pub harm: BTreeMap<String, u8>,
    /// What is left, by track, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<BTreeMap<String, u8>>,
    pub under: Vec<String>,
    /// Actions left this round, in turns.
    pub majors: u8,
    /// Minor actions left this round, in turns.
    pub minors: u8,
    pub traits: TraitSet,
    /// What the gamemaster keeps to themself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A rank and what it means.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Rank {
    pub rank: u8,
    pub means: &'static str,
    pub clause: Clause,
}

/// A boon, as everybody may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenBoon {
    pub name: String,
    pub sort: Sort,
    pub holder: Char,
    pub lie: Lie,
    pub bonus: i8,
    pub quality: Quality,
    pub does: String,
}

/// Whether this viewer may know a power number (`open-table`, `tn-hidden`).
pub(crate) fn knows_number(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || at.rules.options.numbers == Numbers::Announced || at.state.known.has(who)
}

/// Whether this viewer sees a character and the character's deeds. Players see their own
/// characters, and the gamemaster's characters in the scene.
pub(crate) fn sees(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || !is_unseen(at, who)
}

/// Whether only the gamemaster sees somebody.
pub(crate) fn is_unseen(at: At<'_>, who: Char) -> bool {
    !at.rules.is_pc(who) && at.state.being(who).away
}

/// Whether this viewer knows that a character exists. Characters who have been in a scene
/// are not forgotten.
pub(crate) fn knows_of(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    sees(at, who, viewer) || at.state.met.has(who)
}

/// Whether this viewer knows that a boon exists: they know its first owner, or see its holder.
/// They know a pattern for other boons if they see the holder of such a boon, or something
/// that tells of it.
fn knows_boon(at: At<'_>, boon: Boon, viewer: Viewer) -> bool {
    if viewer.is_gm() || boon.index() < SPARES {
        return true;
    }
    let of = |whose: Option<Char>| whose.is_some_and(|whose| knows_of(at, whose, viewer));
    let with = |holder: Option<Char>| holder.is_some_and(|holder| sees(at, holder, viewer));
    let (owner, holder) = (at.rules.boons[boon.index()].owner, at.state.place(boon).holder);
    if owner.is_some() || with(holder) {
        return of(owner) || with(holder);
    }
    let is_like = |(n, place): (usize, &Place)| with(place.holder) && at.state.pattern(Boon(n as u8)) == boon;
    if at.state.boons.iter().enumerate().take(SPARES).any(is_like) {
        return true;
    }
    let tells = |effects: &[Effect]| effects.iter().any(|effect| effect.verb == Verb::GainBoon(boon));
    let known = |(n, place): &(usize, &Place)| of(at.rules.boons[*n].owner) || with(place.holder);
    let things = at.state.boons.iter().enumerate().filter(known);
    let mut things = things.map(|(n, _)| &at.rules.boons[at.state.pattern(Boon(n as u8)).index()]);
    at.rules.ends.iter().any(|end| tells(&end.effects))
        || at.rules.abilities.iter().any(|power| of(Some(power.owner)) && tells(&power.effects))
        || things.any(|gear| tells(&gear.effects))
}

/// How much this viewer may know of a name: zones, tracks and ends are everybody's.
pub(crate) fn knows_name(at: At<'_>, (letter, n): (char, usize), who: Viewer) -> Known {
    let id = n as u8;
    let known = match letter {
        Char::LETTER => knows_of(at, Char(id), who),
        Boon::LETTER => knows_boon(at, Boon(SPARES as u8 + id), who),
        Ability::LETTER => knows_of(at, at.rules.power(Ability(id)).owner, who),
        Hazard::LETTER => who.is_gm() || at.state.perils.has(Hazard(id)),
        _ => true,
    };
    if known { Known::Open } else { Known::Hidden }
}

/// Takes the names of what is hidden out of rules and state.
pub(crate) fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
    for (at, sheet) in rules.cast.iter_mut().enumerate().filter(|(at, _)| hidden.has(Char::LETTER, *at)) {
        (sheet.name, sheet.said) = ("somebody".to_owned(), "somebody".to_owned());
        // What they improvised has a name that is one of many.
        let made =
            state.boons.iter().zip(&mut state.made).filter(|(place, _)| place.holder == Some(Char(at as u8)));
        for (_, made) in made {
            if let (Some(Made::Improvised(name, _)), Ok(hidden)) = (made, "something".parse()) {
                *name = hidden;
            }
        }
    }
    let boons = rules.boons.iter_mut().skip(SPARES).map(|gear| &mut gear.name).enumerate();
    let abilities = rules.abilities.iter_mut().map(|power| &mut power.name).enumerate();
    let hazards = rules.hazards.iter_mut().map(|peril| &mut peril.name).enumerate();
    let of = |letter| move |(at, name)| (letter, at, name);
    let things = boons.map(of(Boon::LETTER)).chain(abilities.map(of(Ability::LETTER)));
    for (letter, at, name) in things.chain(hazards.map(of(Hazard::LETTER))) {
        if hidden.has(letter, at) {
            "something".clone_into(name);
        }
    }
}

/// The table as one viewer may see it.
pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let floor = match at.state.call {
        Call::Open => None,
        Call::One(one) => Some(one.to_string()),
        Call::First | Call::Players(_) => Some("players".to_owned()),
        Call::Gm => Some("gm".to_owned()),
    };
    let cast = at.rules.everybody().filter(|&c| sees(at, c, who));
    let boon = |(n, place): (usize, &Place)| {
        let boon = Boon(n as u8);
        let holder = place.holder.filter(|&holder| sees(at, holder, who))?;
        let serves = at.state.use_of(at.rules, boon);
        let seen = SeenBoon {
            name: at.state.name_of(at.rules, boon).to_owned(),
            sort: serves.sort,
            holder,
            lie: place.lie,
            bonus: serves.bonus,
            quality: serves.quality,
            does: crate::words::boon_does(at, boon),
        };
        Some((at.rules.boons[n].slug.clone(), seen))
    };
    View {
        title: at.rules.roster.title.clone(),
        scene: at.state.scene,
        round: at.state.round,
        conflict: at.state.conflict,
        turns: at.rules.turns,
        floor,
        acted: at.state.acted.iter().filter(|&one| sees(at, one, who)).collect(),
        hazards: at.state.hazards,
        over: at.state.over,
        cast: cast.map(|c| (at.rules.sheet(c).slug.clone(), seen(at, c, who))).collect(),
        boons: at.state.boons.iter().enumerate().filter_map(boon).collect(),
        options: at.rules.options.words().into_iter().collect(),
    }
}

fn rank(rank: u8) -> Rank {
    let (means, clause) = scale::rank(rank);
    Rank { rank, means, clause }
}

fn seen(at: At<'_>, who: Char, viewer: Viewer) -> Seen {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let pc = at.rules.is_pc(who);
    let sized = || at.rules.all_tracks().filter(|track| sheet.tracks[track.index()] > 0);
    let name = |track: Track| at.rules.tracks[track.index()].slug.clone();
    let ranks = Attribute::ALL.iter().map(|&a| (a.word(), rank(sheet.ranks[a as usize])));
    let under = at.state.live.iter().filter(|live| live.on == who);
    // A track may be as large as a power number that is hidden.
    let knows = pc || knows_number(at, who, viewer);
    Seen {
        name: sheet.name.clone(),
        seat: sheet.seat,
        zone: being.zone,
        away: being.away,
        out: being.out,
        hostile: (!pc).then_some(being.hostile),
        unaware: (!pc).then_some(being.unaware),
        pn: (!pc && knows_number(at, who, viewer)).then(|| boons::power_number(at, who)),
        attributes: pc.then(|| ranks.collect()),
        writhing: pc.then(|| sheet.writhing.clone()),
        die: pc.then_some(being.die),
        last: being.last,
        good: pc.then_some(being.good),
        bad: pc.then_some(being.bad),
        harm: sized().map(|t| (name(t), sheet.tracks[t.index()] - being.tracks[t.index()])).collect(),
        left: knows.then(|| sized().map(|t| (name(t), being.tracks[t.index()])).collect()),
        under: under.map(|live| crate::words::lasting(at, live)).collect(),
        majors: being.majors,
        minors: being.minors,
        traits: boons::traits(at, who),
        secret: viewer.is_gm().then(|| sheet.secret.clone()).filter(|secret| !secret.is_empty()),
    }
}

/// Changes what is hidden from a viewer, and nothing else.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    if who.is_gm() {
        return;
    }
    let pick = |at: usize, most: u64| (seed.rotate_left(at as u32) % most.max(1)) as u8;
    let concerned = state.action.and_then(|action| action.target).and_then(Target::char);
    let zones = rules.zones.len() as u64;
    let unseen: CharSet = rules.everybody().filter(|&one| !sees(At { rules, state }, one, who)).collect();
    let unknown: CharSet = unseen.minus(state.met);
    let perils = (0..rules.hazards.len() as u8).map(Hazard).filter(|&peril| !state.perils.has(peril));
    let perils: HazardSet = perils.collect();
    let boons = (SPARES as u8..rules.boons.len() as u8).map(Boon);
    let boons: Vec<Boon> = boons.filter(|&boon| !knows_boon(At { rules, state }, boon, who)).collect();
    for one in unseen.iter().filter(|&one| Some(one) != concerned) {
        let at = one.index();
        let sizes = rules.sheet(one).tracks;
        let being = state.being_mut(one);
        (being.zone, being.hostile, being.unaware) =
            (Zone(pick(at, zones)), pick(at, 2) == 0, pick(at, 3) == 0);
        being.pn = 6 + i16::from(pick(at + 1, 11));
        for (left, size) in being.tracks.iter_mut().zip(sizes) {
            *left = pick(at + 2, u64::from(size) + 1);
        }
        for place in state.boons.iter_mut().filter(|place| place.holder == Some(one)) {
            place.lie = [Lie::InUse, Lie::Kept, Lie::Lost][usize::from(pick(at + 3, 3))];
        }
    }
    for one in unknown.iter() {
        let sheet = &mut rules.cast[one.index()];
        sheet.name = format!("Another {}", pick(one.index(), 90));
        sheet.said.clone_from(&sheet.name);
        sheet.secret = format!("another secret {seed}");
        sheet.traits = TraitSet::one(Trait::Mounted);
    }
    // What rests on a boon shows in the numbers of the character who came with it, or has it.
    let shows = |npc: Char| {
        let told = rules.options.numbers == Numbers::Announced || state.known.has(npc);
        !rules.pcs.has(npc) && !unseen.has(npc) && told
    };
    let rests: Vec<usize> = (0..rules.boons.len())
        .filter(|&at| ![rules.boons[at].owner, state.boons[at].holder].into_iter().flatten().any(shows))
        .collect();
    for at in rests {
        rules.boons[at].serves.pn = pick(at + 4, 4) as i8;
    }
    for boon in boons {
        rules.boons[boon.index()].name = format!("another thing {}", pick(boon.index(), 90));
    }
    for peril in perils.iter() {
        let it = &mut rules.hazards[peril.index()];
        (it.name, it.tn) =
            (format!("another danger {}", pick(peril.index(), 90)), 6 + pick(peril.index(), 11));
    }
    if rules.options.numbers == Numbers::Announced {
        return;
    }
    // With numbers hidden until Light is spent, other power numbers, longer or shorter tracks
    // and another target number look the same to players (`tn-hidden`).
    for npc in rules.everybody().collect::<CharSet>().minus(rules.pcs).minus(state.known).iter() {
        let being = state.being_mut(npc);
        being.pn = 6 + i16::from(pick(npc.index(), 11));
        // Of their tracks the harm taken shows, and what is full.
        for (size, left) in rules.cast[npc.index()].tracks.iter_mut().zip(&mut being.tracks) {
            if *left > 0 {
                let other = 1 + pick(npc.index() + 5, 7);
                (*size, *left) = (*size - *left + other, other);
            }
        }
    }
    if let Some(action) = state.action.as_mut().filter(|action| !action.told) {
        *action.tn.reveal_mut() = 6 + (seed % 11) as i8;
    }
}
