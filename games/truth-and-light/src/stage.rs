//! The table drawn: who stands in which part of the scene, and who does what to whom.

use crate::state::{Action, Call};
use crate::words::phrases::{origin, origin_clause};
use crate::{At, TruthAndLight, effect::Verb, rules::Harm, view::knows_number, vocab::*, words::lasting};
use fracas_kernel::{Area, Clause, Game, LinkKind, Stage, Stands, Tag as Mark, TagShape, Viewer, Words};

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, viewer: Viewer) -> Stage {
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    let here = || at.rules.everybody().filter(|&who| !at.state.being(who).away);
    let mut cards = TruthAndLight::cards(at.rules, at.state, viewer);
    let is_other = |who: Char| !at.rules.is_pc(who) && !at.state.being(who).hostile;
    for card in cards.iter_mut().filter(|card| here().any(|who| is_other(who) && slug(who) == card.id)) {
        "others".clone_into(&mut card.group);
    }
    let mut stage = Stage::of(&cards, &TruthAndLight::seats(at.rules));
    if let Some(conflict) = at.state.conflict {
        stage.note += &format!(", {conflict} conflict, round {}", at.state.round);
    }
    let acting = acting(at);
    for who in here() {
        let Some(token) = stage.token_mut(slug(who)) else { continue };
        let being = at.state.being(who);
        token.kind = if at.rules.is_pc(who) { "character" } else { "" }.to_owned();
        token.stands = if being.out { Stands::Out } else { Stands::In };
        token.acts = acting.has(who);
        marks(at, who, viewer, &mut token.marks);
    }
    let held = at.state.live.iter().filter(|live| live.effect.verb == Verb::Hold);
    for (live, by) in held.filter_map(|live| Some((live, live.by?))) {
        stage.link(LinkKind::Holds, (slug(by), slug(live.on)), "holds", origin_clause(live.from));
    }
    if let Some(action) = &at.state.action {
        for (from, to) in ends(action) {
            let (kind, text, clause) = match action.attack {
                true => (LinkKind::Aims, "attacks", clause!("action.attack")),
                false if at.rules.is_pc(from) == at.rules.is_pc(to) => {
                    (LinkKind::Helps, "acts on", clause!("action.contested"))
                }
                false => (LinkKind::Opposes, "acts on", clause!("action.contested")),
            };
            stage.link(kind, (slug(from), slug(to)), text, clause);
        }
    }
    if at.rules.zones.len() > 1 {
        let area = |zone: Zone| {
            let there = here().filter(|&who| at.state.being(who).zone == zone);
            let tokens = there.map(|who| slug(who).to_owned()).collect();
            Area { title: at.rules.zones[zone.index()].name.clone(), tokens }
        };
        stage.places = at.rules.all_zones().map(area).collect();
    }
    stage
}

/// Who acts: the two sides of an action, or else the character who has the floor.
fn acting(at: At<'_>) -> CharSet {
    match (&at.state.action, at.state.call) {
        (Some(action), _) => ends(action)
            .flat_map(|(from, to)| [from, to])
            .filter(|&who| who == action.who || action.kind == Kind::Save)
            .chain([action.who])
            .collect(),
        (None, Call::One(who)) => CharSet::one(who),
        (None, _) => CharSet::NONE,
    }
}

/// Who does it, and to whom: those who save from somebody have it done to them.
fn ends(action: &Action) -> impl Iterator<Item = (Char, Char)> {
    let other = action.target.and_then(Target::char);
    let (who, kind) = (action.who, action.kind);
    let saving = if kind == Kind::Save { action.queue.with(who) } else { CharSet::one(who) };
    let left = saving.iter().skip_while(move |&one| one != who);
    left.filter_map(move |one| {
        let other = other?;
        Some(if kind == Kind::Save { (other, one) } else { (one, other) })
    })
}

/// Statuses in short: what lasts by what it comes of, and what is lost of tracks whose size
/// the viewer does not know. On which side somebody is, the stage shows.
fn marks(at: At<'_>, who: Char, viewer: Viewer, marks: &mut Vec<Mark>) {
    let live: Vec<_> = at.state.live.iter().filter(|live| live.on == who).collect();
    marks.retain(|mark| {
        let clauses = [clause!("attention"), clause!("ext.character")].map(Some);
        !clauses.contains(&mark.clause) && !live.iter().any(|live| lasting(at, live) == mark.text)
    });
    let mut add = |text: String, shape: TagShape, clause: Clause| {
        if !marks.iter().any(|mark| mark.text == text) {
            marks.push(Mark { text, shape, clause: Some(clause) });
        }
    };
    for live in live {
        add(origin(at, live.from), TagShape::Passing, origin_clause(live.from));
    }
    if at.rules.harm == Harm::Tracks && !at.rules.is_pc(who) && !knows_number(at, who, viewer) {
        let (sizes, left) = (at.rules.sheet(who).tracks, at.state.being(who).tracks);
        for track in at.rules.all_tracks() {
            let lost = sizes[track.index()] - left[track.index()];
            if lost > 0 {
                let name = &at.rules.tracks[track.index()].name;
                add(format!("{name}: {lost} lost"), TagShape::Plain, clause!("ext.harm"));
            }
        }
    }
}
