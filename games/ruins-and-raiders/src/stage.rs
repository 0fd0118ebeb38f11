//! The table drawn: who stands where, who acts, and on whom.

use crate::state::{Frame, Lie, Phase};
use crate::view::{lying, order, sees};
use crate::words::with_what;
use crate::{At, RuinsAndRaiders, vocab::*, walk};
use fracas_kernel::{
    Area, Clause, Field, Game, Ground, GroundKind, LinkKind, Map, Saying, Space, Spot, Stage, Stands, Tag,
    Viewer, Words,
};
use std::collections::BTreeMap;

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, viewer: Viewer) -> Stage {
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    let cards = RuinsAndRaiders::cards(at.rules, at.state, viewer);
    let mut stage = Stage::of(&cards, &RuinsAndRaiders::seats(at.rules));
    let seen: CharSet =
        at.rules.everybody().filter(|&who| at.state.is_here(who) && sees(at, who, viewer)).collect();
    let acting = acting(at, viewer);
    for who in seen.iter() {
        let Some(token) = stage.token_mut(slug(who)) else { continue };
        token.kind = kind(at, who).to_owned();
        token.stands = stands(at, who);
        token.acts = acting == Some(who);
        token.marks.retain(|mark| !is_linked(mark));
    }
    for who in seen.iter() {
        if let Some(mount) = at.state.being(who).riding {
            stage.link(LinkKind::Bound, (slug(who), slug(mount)), "rides", clause!("mount.movement"));
        }
    }
    for frame in &at.state.frames {
        if let Frame::Attack(attack) = frame {
            let text = format!("attacks with {}", with_what(at, attack.with));
            let ends = (slug(attack.by), slug(attack.on));
            stage.link(LinkKind::Aims, ends, &text, clause!("attack.strike"));
        }
    }
    if at.state.phase == Phase::Chase {
        chases(at, &mut stage);
    }
    if at.rules.field.is_grid() {
        stage.map = Some(map(at, seen, viewer));
    } else {
        stage.places = places(at, seen, viewer);
    }
    let order = order(at, viewer).into_iter().map(|who| slug(who).to_owned());
    stage.order = order.filter(|id| stage.token(id).is_some()).collect();
    stage
}

/// Whether a link shows what a mark says.
fn is_linked(mark: &Tag) -> bool {
    let linked: [Option<Clause>; 1] = [Some(clause!("mount.movement"))];
    linked.contains(&mark.clause)
}

fn kind(at: At<'_>, who: Char) -> &'static str {
    match () {
        () if at.rules.sheet(who).mount => "mount",
        () if at.rules.is_pc(who) => "character",
        () => "",
    }
}

fn stands(at: At<'_>, who: Char) -> Stands {
    match () {
        () if at.state.being(who).out && !at.state.is_dead(at.rules, who) => Stands::Out,
        () if at.state.is_disabled(at.rules, who) => Stands::Fallen,
        () => Stands::In,
    }
}

/// Who acts: in what is under way, or else whose turn runs.
fn acting(at: At<'_>, viewer: Viewer) -> Option<Char> {
    let by = |frame: &Frame| match frame {
        Frame::Attack(attack) => Some(attack.by),
        Frame::Walk(walk) => Some(walk.who),
        Frame::Deed(deed) => Some(deed.who),
        Frame::Check(check) => Some(check.who).filter(|_| viewer.is_gm() || !check.secret),
        Frame::Initiative(left) | Frame::RollOff(left) | Frame::Chase(left) => left.first(),
        Frame::Cut(_) | Frame::Rest(..) => None,
    };
    let mut under_way = at.state.frames.iter().rev().filter_map(by).filter(|&who| sees(at, who, viewer));
    under_way.next().or(at.state.turn)
}

/// Who is after whom.
fn chases(at: At<'_>, stage: &mut Stage) {
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    for after in at.state.after.iter() {
        for fleeing in at.state.fleeing.iter() {
            stage.link(LinkKind::Opposes, (slug(after), slug(fleeing)), "chases", clause!("chase.roll"));
        }
    }
}

/// The map, with those this viewer sees and what lies about.
fn map(at: At<'_>, seen: CharSet, viewer: Viewer) -> Map {
    let field = &at.rules.field;
    let spot = |who: Char| {
        let there = walk::shown(at, who, viewer);
        Spot { token: at.rules.sheet(who).slug.clone(), column: there.column(), row: there.row() }
    };
    Map {
        grid: field.metric().into(),
        columns: field.columns(),
        rows: field.rows(),
        spots: seen.iter().map(spot).collect(),
        grounds: grounds(at, viewer),
        walls: field.walls().map(|(a, b)| [a, b].map(|space| (space.column(), space.row()))).collect(),
        picture: field.picture().cloned(),
    }
}

/// Walls, kinds of ground, named spaces, and weapons that lie about.
fn grounds(at: At<'_>, viewer: Viewer) -> Vec<Ground> {
    let field = &at.rules.field;
    let place = |space: Space| (space.column(), space.row());
    let mut kinds: BTreeMap<u8, Vec<(u8, u8)>> = BTreeMap::new();
    let columns = field.columns();
    let all =
        (0..field.rows()).flat_map(|row| (0..columns).filter_map(move |column| Space::new(column, row)));
    for space in all {
        let kind = field.kind(space);
        if kind != Field::PLAIN {
            kinds.entry(kind).or_default().push(place(space));
        }
    }
    let name = |kind: u8| match at.rules.ground(kind) {
        _ if kind == Field::WALL => "a wall".to_owned(),
        Some(ground) => ground.name.clone(),
        None => "other ground".to_owned(),
    };
    let drawn = |kind: u8| if kind == Field::WALL { GroundKind::Wall } else { GroundKind::Terrain };
    let kinds =
        kinds.into_iter().map(|(kind, spaces)| Ground { kind: drawn(kind), text: name(kind), spaces });
    let named = field.named_spaces().map(|(space, name)| Ground {
        kind: GroundKind::Name,
        text: name.to_owned(),
        spaces: vec![place(space)],
    });
    let lying = lying(at, viewer).filter_map(|weapon| match at.state.place(weapon).lie {
        Lie::Dropped(space) => {
            let text = format!("{} lies here", Saying(weapon, at));
            Some(Ground { kind: GroundKind::Thing, text, spaces: vec![place(space)] })
        }
        _ => None,
    });
    kinds.chain(named).chain(lying).collect()
}

/// The places, with those this viewer sees.
fn places(at: At<'_>, seen: CharSet, viewer: Viewer) -> Vec<Area> {
    let field = &at.rules.field;
    let area = |space: Space| {
        let there = seen.iter().filter(|&who| walk::shown(at, who, viewer) == space);
        let tokens = there.map(|who| at.rules.sheet(who).slug.clone()).collect();
        Some(Area { title: field.place_name(space)?.to_owned(), tokens })
    };
    (0..usize::from(field.columns())).filter_map(Space::of_index).filter_map(area).collect()
}
