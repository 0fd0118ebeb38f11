//! What one viewer may see.

use crate::{
    boons,
    rules::{Numbers, Rules},
    scale,
    state::{Call, Die, Fortunes, Lie, State},
    vocab::*,
};
use fracas_kernel::{Clause, Hidden, Known, Seat, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    /// What the encounter is called.
    pub title: String,
    /// The scene, from 1.
    pub scene: u16,
    /// The round, from 1.
    pub round: u16,
    /// The conflict scene under way.
    pub conflict: Option<Conflict>,
    /// Who acts when.
    pub turns: Turns,
    /// Who has the floor: somebody, `"gm"`, `"players"`, or nobody.
    pub floor: Option<String>,
    /// Who has acted this round.
    pub acted: CharSet,
    /// Hazards that are present.
    pub hazards: HazardSet,
    /// The table has closed.
    pub over: bool,
    /// Everybody, by name.
    pub cast: BTreeMap<String, Seen>,
    /// Every boon in play, by name.
    pub boons: BTreeMap<String, SeenBoon>,
    /// The settings of the table.
    pub options: BTreeMap<&'static str, &'static str>,
}

/// Somebody, as one viewer may see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seen {
    /// What they are called.
    pub name: String,
    /// Who plays them.
    pub seat: Seat,
    /// Where.
    pub zone: Zone,
    /// Not in this scene.
    pub away: bool,
    /// Out of the conflict.
    pub out: bool,
    /// Against the players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hostile: Option<bool>,
    /// Has not noticed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unaware: Option<bool>,
    /// Power number, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pn: Option<i8>,
    /// Ranks, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<BTreeMap<&'static str, Rank>>,
    /// Writhing, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writhing: Option<String>,
    /// The writhing die.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<Die>,
    /// The last glory picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Glory>,
    /// Good fortunes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good: Option<Fortunes>,
    /// Bad fortunes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad: Option<Fortunes>,
    /// Harm taken, by track.
    pub harm: BTreeMap<String, u8>,
    /// What is left, by track, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<BTreeMap<String, u8>>,
    /// What lasts on them, in words.
    pub under: Vec<String>,
    /// Actions left this round, in turns.
    pub majors: u8,
    /// Minor actions left this round, in turns.
    pub minors: u8,
    /// What they are like.
    pub traits: TraitSet,
    /// What the gamemaster keeps to themself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A rank and what it means.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Rank {
    /// The rank.
    pub rank: u8,
    /// What it means.
    pub means: &'static str,
    /// The clause that says so.
    pub clause: Clause,
}

/// A boon, as everybody may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenBoon {
    /// What it is called.
    pub name: String,
    /// What sort it is.
    pub sort: Sort,
    /// Who has it, or lost it.
    pub holder: Char,
    /// How it lies.
    pub lie: Lie,
    /// What it adds.
    pub bonus: i8,
    /// Common or better.
    pub quality: Quality,
    /// What it does, in words.
    pub does: String,
}

/// Whether this viewer may know a power number (`open-table`, `tn-hidden`).
pub(crate) fn knows_number(rules: &Rules, state: &State, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || rules.options.numbers == Numbers::Announced || state.known.has(who)
}

/// How much this viewer may know of a name.
pub(crate) fn knows_name(rules: &Rules, state: &State, (letter, n): (char, usize), who: Viewer) -> Known {
    let hidden = letter == Char::LETTER && {
        let one = Char(n as u8);
        !who.is_gm() && !rules.is_pc(one) && state.being(one).away
    };
    if hidden { Known::Hidden } else { Known::Open }
}

/// Takes the names of what is hidden out of the rules.
pub(crate) fn mask(rules: &mut Rules, hidden: &Hidden) {
    for (_, sheet) in rules.cast.iter_mut().enumerate().filter(|(n, _)| hidden.has(Char::LETTER, *n)) {
        sheet.name = "somebody".to_owned();
        sheet.said = "somebody".to_owned();
    }
}

/// The table as one viewer may see it.
pub(crate) fn view(rules: &Rules, state: &State, who: Viewer) -> View {
    let floor = match state.call {
        Call::Open => None,
        Call::One(one) => Some(one.to_string()),
        Call::First | Call::Players(_) => Some("players".to_owned()),
        Call::Gm => Some("gm".to_owned()),
    };
    View {
        title: rules.title.clone(),
        scene: state.scene,
        round: state.round,
        conflict: state.conflict,
        turns: rules.turns,
        floor,
        acted: state.acted,
        hazards: state.hazards,
        over: state.over,
        cast: rules.everybody().map(|c| (rules.sheet(c).slug.clone(), seen(rules, state, c, who))).collect(),
        boons: state
            .boons
            .iter()
            .enumerate()
            .filter_map(|(at, place)| {
                let (boon, holder) = (Boon(at as u8), place.holder?);
                let serves = state.use_of(rules, boon);
                let seen = SeenBoon {
                    name: state.name_of(rules, boon).to_owned(),
                    sort: serves.sort,
                    holder,
                    lie: place.lie,
                    bonus: serves.bonus,
                    quality: serves.quality,
                    does: crate::words::boon_does(rules, state, boon),
                };
                Some((rules.boons[at].slug.clone(), seen))
            })
            .collect(),
        options: rules.options.words().into_iter().collect(),
    }
}

fn rank(rank: u8) -> Rank {
    let (means, clause) = scale::rank(rank);
    Rank { rank, means, clause }
}

fn seen(rules: &Rules, state: &State, who: Char, viewer: Viewer) -> Seen {
    let (sheet, being) = (rules.sheet(who), state.being(who));
    let pc = rules.is_pc(who);
    let sized = || rules.all_tracks().filter(|track| sheet.tracks[track.index()] > 0);
    let name = |track: Track| rules.tracks[track.index()].slug.clone();
    // A track may be as large as a power number that is hidden.
    let knows = pc || knows_number(rules, state, who, viewer);
    Seen {
        name: sheet.name.clone(),
        seat: sheet.seat,
        zone: being.zone,
        away: being.away,
        out: being.out,
        hostile: (!pc).then_some(being.hostile),
        unaware: (!pc).then_some(being.unaware),
        pn: (!pc && knows_number(rules, state, who, viewer)).then(|| boons::power_number(rules, state, who)),
        attributes: pc
            .then(|| Attribute::ALL.iter().map(|&a| (a.word(), rank(sheet.ranks[a as usize]))).collect()),
        writhing: pc.then(|| sheet.writhing.clone()),
        die: pc.then_some(being.die),
        last: being.last,
        good: pc.then_some(being.good),
        bad: pc.then_some(being.bad),
        harm: sized().map(|t| (name(t), sheet.tracks[t.index()] - being.tracks[t.index()])).collect(),
        left: knows.then(|| sized().map(|t| (name(t), being.tracks[t.index()])).collect()),
        under: state
            .live
            .iter()
            .filter(|live| live.on == who)
            .map(|live| crate::words::lasting(rules, state, live))
            .collect(),
        majors: being.majors,
        minors: being.minors,
        traits: boons::traits(rules, state, who),
        secret: viewer.is_gm().then(|| sheet.secret.clone()).filter(|secret| !secret.is_empty()),
    }
}
