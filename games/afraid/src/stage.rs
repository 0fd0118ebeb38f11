//! The table drawn: the parties of a conflict, who looks on, and who challenges whom.

use crate::state::{Conflict, Nature, Stage as Progress, State, Step};
use crate::view::{is_in_sight, looks_at, name, slug};
use crate::words::{is_own, pair_meter, stakes_words};
use crate::{Afraid, At, vocab::*};
use fracas_kernel::{Card, Game, LinkKind, Stage, Stands, Viewer, Words};

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, viewer: Viewer) -> Stage {
    let scene = looks_at(at.state, viewer).and_then(|n| at.state.scenes.get(n));
    let conflict = scene.and_then(|scene| scene.conflict.as_ref());
    let id = |who: Char| slug(at.rules, who);
    let mut cards = Afraid::cards(at.rules, at.state, viewer);
    let injury = conflict.and_then(|conflict| conflict.part(Char::INJURY));
    cards.extend(injury.map(|part| Card {
        id: id(part.who).to_owned(),
        title: name(at, part.who).to_owned(),
        meters: vec![pair_meter(part)],
        ..Card::default()
    }));
    let all: Vec<Char> = at.state.everybody().chain([Char::INJURY]).collect();
    let of = |of: &str| all.iter().copied().find(|&who| id(who) == of);
    for card in &mut cards {
        if let Some(who) = of(&card.id) {
            let is_here = scene.is_some_and(|scene| scene.present.has(who));
            card.group = match conflict {
                Some(conflict) => side(at.state, conflict, who, viewer)
                    .unwrap_or_else(|| if is_here { "looking on" } else { ELSEWHERE }.to_owned()),
                None if !is_here => ELSEWHERE.to_owned(),
                None if is_own(at.state, who, viewer) => "your side".to_owned(),
                None => std::mem::take(&mut card.group),
            };
        }
    }
    let mut stage = Stage::of(&cards, &Afraid::seats(at.rules));
    let acting = conflict.map_or(CharSet::NONE, acting);
    let each = stage.sides.iter_mut().flat_map(|side| {
        let is_elsewhere = side.title == ELSEWHERE;
        side.tokens.iter_mut().map(move |token| (token, is_elsewhere))
    });
    for (token, is_elsewhere) in each {
        let Some(who) = of(&token.id) else { continue };
        let is_out = conflict.and_then(|conflict| conflict.part(who)).is_some_and(|part| part.out);
        // As they were seen: who died elsewhere is not told of.
        let is_dead = token.marks.iter().any(|mark| mark.clause == Some(clause!("dying.final")));
        token.stands = match (is_dead, is_elsewhere) {
            (true, _) => Stands::Fallen,
            (_, true) => Stands::Gone,
            _ if is_out => Stands::Out,
            _ => Stands::In,
        };
        token.kind = kind(at.state, who, viewer);
        token.seat = Some(at.state.seat(who));
        token.acts = acting.has(who);
    }
    if let Some(conflict) = conflict {
        if conflict.stage != Progress::Staking {
            stage.note += &format!(", at stake: {}", stakes_words(at, conflict));
        }
        let order = conflict.order.iter().filter(|&&who| conflict.is_in(who)).map(|&who| id(who));
        stage.order = order.filter(|id| stage.token(id).is_some()).map(str::to_owned).collect();
        if let Some(aid) = conflict.aid {
            let ends = (id(aid.provider), id(aid.victim));
            stage.link(LinkKind::Helps, ends, "gives first aid to", clause!("firstaid.required"));
        }
        for exchange in conflict.exchanges.iter().filter(|exchange| exchange.made > 0) {
            let on = if exchange.step == Step::Answering { exchange.owed } else { exchange.strike().on };
            let text = format!("challenges with {}", exchange.sum());
            for on in on.iter().filter(|_| exchange.step != Step::Making) {
                let ends = (id(exchange.by), id(on));
                stage.link(LinkKind::Aims, ends, &text, clause!("challenge.two-dice"));
            }
        }
    }
    if viewer.is_gm() {
        let tied = |tie: Tie| all.iter().copied().filter(move |&who| at.state.being(who).tie == tie);
        let held = tied(Tie::Victim).filter(|&who| at.state.being(who).hold == Hold::Held);
        for (monster, victim) in tied(Tie::Monster).flat_map(|it| held.clone().map(move |who| (it, who))) {
            let ends = (id(monster), id(victim));
            stage.link(LinkKind::Holds, ends, "draws power from", clause!("beyond.monster.victims"));
        }
    }
    stage
}

/// Where those are who are not in the scene.
const ELSEWHERE: &str = "elsewhere";

/// On which side of a conflict somebody is; `None` of who looks on.
fn side(state: &State, conflict: &Conflict, who: Char, viewer: Viewer) -> Option<String> {
    let Some(part) = conflict.part(who) else {
        return conflict.binds(who).then(|| "in need of aid".to_owned());
    };
    let is_pcs = |side: u8| conflict.parts.iter().any(|part| part.side == side && state.is_pc(part.who));
    let mut sides: Vec<u8> = conflict.parts.iter().map(|part| part.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let own = conflict.parts.iter().find(|part| is_own(state, part.who, viewer)).map(|part| part.side);
    let are_apart = sides.iter().filter(|&&side| is_pcs(side)).count() == 1;
    let title = match own {
        Some(own) if own == part.side => "your side",
        Some(_) if sides.len() == 2 => "theirs",
        None if sides.len() == 2 && are_apart => match (is_pcs(part.side), viewer.is_gm()) {
            (true, _) => "the players",
            (false, true) => "your side",
            (false, false) => "the gamemaster's",
        },
        _ => return Some(format!("side {}", part.side + 1)),
    };
    Some(title.to_owned())
}

/// What somebody is, as far as the viewer sees it.
fn kind(state: &State, who: Char, viewer: Viewer) -> String {
    let being = state.being(who);
    match being.nature {
        _ if who == Char::INJURY => "injury".to_owned(),
        _ if state.is_pc(who) => "character".to_owned(),
        _ if viewer.is_gm() && being.tie != Tie::Bystander => being.tie.to_string(),
        _ if !is_in_sight(state, who, viewer) => String::new(),
        Nature::One => "person".to_owned(),
        Nature::Group(_) => "group".to_owned(),
        Nature::Thing(_) => "thing".to_owned(),
    }
}

/// Who makes or answers a challenge.
fn acting(conflict: &Conflict) -> CharSet {
    let exchange = conflict.exchange().into_iter();
    exchange.flat_map(|exchange| [Some(exchange.by), exchange.actor()]).flatten().collect()
}
