//! The table drawn: the sides, who acts on whom, the cards in their rows, and the Stack.

use crate::{
    At, Clash, stack,
    state::{Card, Frame, Kind, Test},
    view::*,
    vocab::*,
    words::{PROPS, beaten, clash_words, doing, symbols, terms, waits_for},
};
use fracas_kernel::{Game, Hand, LinkKind, Playing, Stage, Stands, TagShape, Viewer, Waiting, Words};

/// The table as this viewer may see it drawn.
pub(crate) fn stage(at: At<'_>, viewer: Viewer) -> Stage {
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    let mut stage = Stage::of(&Clash::cards(at.rules, at.state, viewer), &Clash::seats(at.rules));
    if let Some(clash) = &at.state.clash {
        stage.note += &format!(", {}", clash_words(at, clash));
    }
    let acting = acting(at);
    for who in at.rules.everybody() {
        let Some(token) = stage.token_mut(slug(who)) else { continue };
        let body = at.state.body(who);
        token.kind = if at.rules.is_pc(who) { "character" } else { "" }.to_owned();
        token.acts = acting == Some(who);
        token.stands = match () {
            () if body.dead => Stands::Fallen,
            () if !body.here => Stands::Gone,
            () if beaten(at, who) => Stands::Fallen,
            () if body.lost || (at.state.clash.is_some() && !body.fights) => Stands::Out,
            () => Stands::In,
        };
        // Whom a Subjugation ties to whom, a link shows.
        for mark in token.marks.iter_mut().filter(|mark| mark.clause == Some(clause!("sub.types"))) {
            "Subjugated".clone_into(&mut mark.text);
        }
        token.marks.dedup();
        let hurt = at.state.clash.is_some() && body.hurt > 0 && !knows_will(at, who, viewer);
        token.marks.extend(hurt.then(|| fracas_kernel::Tag {
            text: format!("{} Damage", body.hurt),
            shape: TagShape::Plain,
            clause: Some(clause!("damage.base")),
        }));
    }
    for token in stage.sides.iter_mut().filter(|side| side.title == PROPS).flat_map(|side| &mut side.tokens) {
        "Clash Prop".clone_into(&mut token.kind);
    }
    links(at, viewer, &mut stage);
    if at.state.clash.is_some() {
        let order = stack::order(at).into_iter().map(|who| slug(who).to_owned());
        stage.order = order.filter(|id| stage.token(id).is_some()).collect();
        for who in at.rules.everybody().filter(|&who| at.state.stands(who)) {
            if stage.token(slug(who)).is_some() {
                stage.hands.extend(hands(at, who, viewer));
            }
        }
    }
    let waits: Vec<&Frame> = at.state.waiting().collect();
    for frame in waits.into_iter().rev() {
        let drawn = |id: &str| stage.token(id).map(|token| token.id.clone());
        let by = waits_for(frame).and_then(|by| drawn(slug(by)));
        let (on, title, text) = match frame {
            Frame::Use(used) => {
                let data = at.rules.ability(used.ability);
                let on = used.on.map(|on| target_slug(at, on));
                (on, data.name.clone(), data.text.clone())
            }
            Frame::Test(test) => {
                let ruled = is_ruled(test) && (test.came.is_none() || test.rolled);
                let text = ruled.then(|| format!("{}: {}", symbols(test), terms(at, test, viewer)));
                (Some(tested(at, test)), doing(test.kind).to_owned(), text.unwrap_or_default())
            }
            _ => continue,
        };
        let on = on.and_then(drawn);
        stage.stack.push(Waiting { by, on, title, text });
    }
    if let Some(Frame::Window(window)) = at.state.frames.last() {
        let drawn = |who: &Char| stage.token(slug(*who)).map(|token| token.id.clone());
        let left: Vec<String> = window.left.iter().filter_map(drawn).collect();
        let all = stack::whole_window(at).left;
        stage.passed = all.iter().filter_map(drawn).filter(|id| !left.contains(id)).collect();
        stage.priority = left;
    }
    stage
}

/// The token that a target is, or lies with.
fn target_slug(at: At<'_>, target: Target) -> &str {
    match target {
        Target::Char(who) => at.rules.sheet(who).slug.as_str(),
        Target::Element(element @ Element::Prop(_)) => element_slug(at, element),
        Target::Element(_) => {
            let keeper = crate::state::keeper(at.rules, at.state, target);
            keeper.map_or("", |who| at.rules.sheet(who).slug.as_str())
        }
    }
}

/// The token that a Roll is aimed at.
fn tested<'a>(at: At<'a>, test: &Test) -> &'a str {
    match test.target {
        Target::Element(element @ Element::Prop(_)) => element_slug(at, element),
        _ => at.rules.sheet(aimed_at(at, test)).slug.as_str(),
    }
}

/// Who acts: who rolls, else who has Priority, else whose turn it is.
fn acting(at: At<'_>) -> Option<Char> {
    match at.state.frames.last() {
        Some(Frame::Test(test)) => Some(test.roller()),
        Some(Frame::Window(window)) => window.left.first().copied(),
        Some(Frame::Blow(blow)) => Some(blow.on),
        _ => at.state.turn(),
    }
}

/// A character's cards in their rows: what is Active lies open, what is in hand only for those who know it.
fn hands(at: At<'_>, who: Char, viewer: Viewer) -> Vec<Hand> {
    let row = |title: &str, active: bool| {
        let lies = |element: &Element| (at.state.card(who, *element) != Card::Inactive) == active;
        let card = |element: Element| Playing {
            name: Some(crate::words::element(at, element)),
            sign: format!("+{}", at.state.dice_of(at.rules, element)),
            turned: at.state.card(who, element) == Card::Exhausted,
        };
        let known = |element: &Element| knows_element(at, *element, viewer);
        let cards: Vec<Playing> = at.state.elements_of(who).filter(known).filter(lies).map(card).collect();
        let of = at.rules.sheet(who).slug.clone();
        (!cards.is_empty()).then(|| Hand { of, title: title.to_owned(), cards })
    };
    [row("in play", true), row("in hand", false)].into_iter().flatten().collect()
}

fn links(at: At<'_>, viewer: Viewer, stage: &mut Stage) {
    let slug = |who: Char| at.rules.sheet(who).slug.as_str();
    let tests = at.state.frames.iter().filter_map(|frame| match frame {
        Frame::Test(test) => Some(test),
        _ => None,
    });
    for test in tests {
        let (kind, clause) = match test.kind {
            Kind::Attack | Kind::Opening => (LinkKind::Aims, clause!("attack.roll")),
            Kind::Conflict => (LinkKind::Aims, clause!("conflict.purpose")),
            Kind::Death => (LinkKind::Opposes, clause!("death.roll")),
            Kind::Study | Kind::Investigate => (LinkKind::Opposes, clause!("study.action")),
            _ => (LinkKind::Opposes, clause!("roll.parties")),
        };
        stage.link(kind, (slug(test.attacker), tested(at, test)), doing(test.kind), clause);
    }
    for grip in at.state.grips.iter().filter(|grip| sees_grip(at, grip, viewer)) {
        for winner in grip.winners.iter() {
            let ends = (slug(winner), slug(grip.loser));
            stage.link(LinkKind::Holds, ends, "has Subjugated", clause!("sub.types"));
        }
    }
    for pool in &at.state.pools {
        let kind = if pool.of == Dice::Bonus { LinkKind::Helps } else { LinkKind::Opposes };
        stage.link(kind, (slug(pool.caster), slug(pool.target)), "Concentrates on", clause!("conc.on"));
    }
    for prop in at.state.props_here() {
        for who in at.state.props[prop.index()].controllers.iter() {
            let ends = (slug(who), element_slug(at, Element::Prop(prop)));
            stage.link(LinkKind::Holds, ends, "Controls", clause!("prop.must-control"));
        }
    }
}

/// Whom a Roll is aimed at: before the ruling, what was named.
fn aimed_at(at: At<'_>, test: &Test) -> Char {
    match test.target {
        Target::Char(who) if !is_ruled(test) => who,
        Target::Element(_) if !is_ruled(test) => {
            crate::state::keeper(at.rules, at.state, test.target).unwrap_or(test.defender)
        }
        _ => test.defender,
    }
}
