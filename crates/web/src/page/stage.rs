//! The table drawn: who stands where, what ties them, cards in play, and the stack.
//!
//! Places are classes (`x0` to `x50` of two hundredths of the width, `y0` to `y25` of four
//! hundredths of the height), since no element has a style of its own.

use super::scenery::{Portraits, portrait};
use super::words::capital;
use fracas_kernel::{
    Area, Flank, Hand, Link, LinkKind, Meter, Playing, Seat, Stage, Stands, TagShape, Token, Waiting,
};
use fracas_live::glance::Glance;
use maud::{Markup, html};

/// Up to this number, a track is drawn as pips, and a ring in parts.
const PIPS: u32 = 8;
/// The most parts of a ring.
const PARTS: u32 = 16;
/// With more than so many tokens, all are drawn smaller.
const CROWD: usize = 11;

/// A stage, the address of the viewer's page, and portraits.
#[derive(Clone, Copy)]
struct Drawn<'d> {
    base: &'d str,
    stage: &'d Stage,
    portraits: &'d Portraits,
}

/// The stage; empty if nobody stands on it.
pub(super) fn stage(glance: &Glance<'_>) -> Markup {
    let (stage, base) = (glance.stage(), glance.base());
    let portraits = glance.table.log().header().portraits();
    let drawn = Drawn { base: &base, stage, portraits: &portraits };
    html! {
        @if stage.map.is_some() { (order(stage)) (super::map::map(glance, stage)) }
        @else if !stage.hands.is_empty() || !stage.stack.is_empty() { (laid(drawn)) }
        @else if stage.sides.iter().any(|side| side.tokens.iter().any(is_drawn)) {
            (stand(drawn))
        }
    }
}

/// A token in its place, in hundredths of the width and of the height.
struct Placed<'s> {
    token: &'s Token,
    x: u8,
    y: u8,
}

/// Everybody before a picture of the scene.
fn stand(drawn: Drawn<'_>) -> Markup {
    let stage = drawn.stage;
    let placed = places(stage);
    let place = |id: &str| placed.iter().find(|placed| placed.token.id == id);
    let ties: Vec<(&Link, &Placed<'_>, &Placed<'_>)> =
        stage.links.iter().filter_map(|link| Some((link, place(&link.from)?, place(&link.to)?))).collect();
    let flanks = [(Flank::Near, "ours"), (Flank::Middle, "neither"), (Flank::Far, "theirs")];
    html! {
        (order(stage))
        div .stand .crowd[placed.len() > CROWD] {
            svg .ties viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" {
                @for (link, from, to) in &ties {
                    @let path = curve((from.x, from.y), (to.x, to.y));
                    path .case d=(path) {}
                    path class={ "tie " (kind(link.kind)) } d=(path) {}
                }
            }
            @for (flank, class) in flanks {
                @let titles: Vec<String> = stage.sides.iter().filter(|side| side.flank == flank && side.tokens.iter().any(is_drawn)).map(|side| capital(&side.title)).collect();
                @if !titles.is_empty() && (flank != Flank::Middle || stage.places.is_empty()) { p class={ "flank-name " (class) } { (titles.join(", ")) } }
            }
            @for (n, (area, (left, right))) in areas(stage).into_iter().enumerate() {
                p class={ "zone x" (left / 2) " w" ((right - left) / 2) @if n == 0 { " first" } } { (area.title) }
            }
            @for placed in &placed { (standing(drawn, placed)) }
            @if !ties.is_empty() {
                // Each of those who stand there says so too.
                ul .ties-told aria-hidden="true" { @for (link, from, to) in &ties { li { bdi { (from.token.name) } " " (link.text) " " bdi { (to.token.name) } } } }
            }
        }
    }
}

/// Where everybody stands: the near at the left, the far at the right; by areas where the
/// scene has parts.
fn places(stage: &Stage) -> Vec<Placed<'_>> {
    let of = |flank: Flank| {
        let sides = stage.sides.iter().filter(move |side| side.flank == flank);
        sides.flat_map(|side| &side.tokens).filter(|token| is_drawn(token))
    };
    let mut placed = Vec::new();
    if stage.places.is_empty() {
        let middle: Vec<&Token> = of(Flank::Middle).collect();
        let edge = if middle.is_empty() { 44 } else { 37 };
        put(&mut placed, of(Flank::Near).collect(), (6, edge), Flank::Near);
        put(&mut placed, middle, (43, 57), Flank::Middle);
        put(&mut placed, of(Flank::Far).collect(), (100 - edge, 94), Flank::Far);
    } else {
        for (area, (left, right)) in areas(stage) {
            let there = |token: &&Token| area.tokens.contains(&token.id);
            let near: Vec<&Token> = of(Flank::Near).filter(there).collect();
            let others: Vec<&Token> = of(Flank::Middle).chain(of(Flank::Far)).filter(there).collect();
            let margin = ((right - left) / 3).min(6);
            let (left, right) = (left + margin, right - margin);
            let all = near.len() + others.len();
            let split = left + (usize::from(right - left) * near.len() / all.max(1)) as u8;
            let gap = if near.is_empty() || others.is_empty() { 0 } else { 3 };
            put(&mut placed, near, (left, split.saturating_sub(gap).max(left)), Flank::Near);
            put(&mut placed, others, ((split + gap).min(right), right), Flank::Far);
        }
        let somewhere = |token: &&Token| stage.places.iter().any(|area| area.tokens.contains(&token.id));
        put(&mut placed, of(Flank::Near).filter(|token| !somewhere(token)).collect(), (4, 20), Flank::Near);
        put(
            &mut placed,
            of(Flank::Far).chain(of(Flank::Middle)).filter(|token| !somewhere(token)).collect(),
            (80, 96),
            Flank::Far,
        );
    }
    placed
}

/// With more areas than these, only those where somebody is are drawn.
const AREAS: usize = 7;

/// The areas that are drawn, each with its edges in even hundredths of the width: the more stand there, the
/// wider it is.
fn areas(stage: &Stage) -> Vec<(&Area, (u8, u8))> {
    let is_few = stage.places.len() <= AREAS;
    let all: Vec<&Area> = stage.places.iter().filter(|area| is_few || !area.tokens.is_empty()).collect();
    let weight = |area: &Area| 2 * area.tokens.len() + 5;
    let whole: usize = all.iter().map(|area| weight(area)).sum();
    let least = (100 / all.len().max(1)).min(14);
    let rest = 100 - least * all.len();
    let (mut left, mut weights) = (0, 0);
    let edges = |(n, area): (usize, &Area)| {
        weights += weight(area);
        let right = ((least * (n + 1) + rest * weights / whole) / 2 * 2) as u8;
        (std::mem::replace(&mut left, right), right)
    };
    let edges: Vec<(u8, u8)> = all.iter().copied().enumerate().map(edges).collect();
    all.into_iter().zip(edges).collect()
}

/// Places tokens of a side between two edges; those who take part stand before those who do not.
fn put<'s>(placed: &mut Vec<Placed<'s>>, tokens: Vec<&'s Token>, (left, right): (u8, u8), flank: Flank) {
    let (up, down): (Vec<&Token>, Vec<&Token>) =
        tokens.into_iter().partition(|token| token.stands == Stands::In);
    let all: Vec<&Token> = up.into_iter().chain(down).collect();
    for (token, (x, y)) in all.iter().zip(slots(all.len())) {
        let part = u16::from(if flank == Flank::Far { 100 - x } else { x });
        let across = (u16::from(right - left) * part / 100) as u8;
        placed.push(Placed { token, x: left + across, y });
    }
}

/// Places for so many on one side, in hundredths: 0 is the edge, 100 before the other side.
/// The first stands before the others.
fn slots(count: usize) -> Vec<(u8, u8)> {
    let rows = match count {
        0..=1 => 1,
        2..=6 => 2,
        7..=12 => 3,
        _ => 4,
    };
    let columns = count.div_ceil(rows).max(1);
    let place = |n: usize| {
        let (column, row) = (n / rows, n % rows);
        let in_column = rows.min(count - column * rows);
        // Every other column stands lower, and a column that is not full is in the middle.
        let shift = if column % 2 == 0 { 4 } else { -4 };
        let y = 22 + 58 * (2 * row + 1) / (2 * in_column);
        // Rows are shifted against each other, so that names do not lie on the row below.
        let step = if columns == 1 { 60 } else { 100 / columns };
        let lean = if in_column > 1 && row % 2 == 1 { step / 2 } else { 0 };
        let x = if count == 1 { 62 } else { 92_usize.saturating_sub(step * column + lean) };
        (x as u8, (y as i32 + shift) as u8)
    };
    (0..count).map(place).collect()
}

/// A line from one to the other that bends away from the straight way.
fn curve((ax, ay): (u8, u8), (bx, by): (u8, u8)) -> String {
    let (ax, ay, bx, by) = (i32::from(ax), i32::from(ay), i32::from(bx), i32::from(by));
    let (cx, cy) = ((ax + bx) / 2 + (by - ay) / 6, (ay + by) / 2 - (bx - ax).abs() / 5 - 4);
    format!("M{ax} {ay}Q{cx} {cy} {bx} {by}")
}

fn kind(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Bound => "bound",
        LinkKind::Holds => "holds",
        LinkKind::Misdirects => "misdirects",
        LinkKind::Guards => "guards",
        LinkKind::Helps => "helps",
        LinkKind::Aims => "aims",
        LinkKind::Opposes => "opposes",
    }
}

/// The player's seat that holds somebody.
fn player(token: &Token) -> Option<Seat> {
    token.seat.filter(|seat| *seat != Seat::Gm)
}

/// Somebody in their place: a link to the sheet.
fn standing(drawn: Drawn<'_>, Placed { token, x, y }: &Placed<'_>) -> Markup {
    let Drawn { base, .. } = drawn;
    html! {
        a class={ "pawn x" (x / 2) " y" (y / 4) (flags(token)) } href={ (base) "/sheet/" (token.id) } data-token=(token.id) data-seat=[player(token)] data-keep={ "token-" (token.id) } {
            (figure(drawn, token))
        }
    }
}

/// Everybody side by side, with nothing to press: for the overlay of a stream.
pub(super) fn tokens(glance: &Glance<'_>) -> Markup {
    let (stage, base) = (glance.stage(), glance.base());
    let portraits = glance.table.log().header().portraits();
    let drawn = Drawn { base: &base, stage, portraits: &portraits };
    html! {
        @for flank in [Flank::Near, Flank::Middle, Flank::Far] {
            @let sides = stage.sides.iter().filter(|side| side.flank == flank);
            @let there: Vec<&Token> = sides.flat_map(|side| &side.tokens).filter(|token| is_drawn(token)).collect();
            @if !there.is_empty() {
                ul .tokens { @for token in there { li class=(flags(token).trim_start()) { (figure(drawn, token)) } } }
            }
        }
    }
}

/// The track that is drawn as a ring.
fn ringed(token: &Token) -> Option<&Meter> {
    token.tracks.first().filter(|track| track.most > 0)
}

/// What is special about a token, as classes with a space before each.
fn flags(token: &Token) -> String {
    let flags = [
        (" acts", token.acts),
        (" asked", token.asked),
        (" down", token.stands != Stands::In),
        (" bare", ringed(token).is_none()),
    ];
    flags.iter().filter(|(_, is)| *is).map(|(flag, _)| *flag).collect()
}

/// A token with its emblem, ring, name and first mark.
fn figure(drawn: Drawn<'_>, token: &Token) -> Markup {
    let track = ringed(token);
    let grave = track.is_some_and(|track| track.alarm.is_some_and(|alarm| track.value >= alarm));
    html! {
        span .disc aria-hidden="true" {
            @if let Some(track) = track { (ring(track)) }
            (portrait(drawn.portraits, &token.name, &format!("stage-{}", token.id)))
            @if let Some(track) = track { span .count .grave[grave] { (track.value) } }
        }
        span .named { bdi { (token.name) } }
        @if let Some((first, rest)) = token.marks.split_first() {
            span .marked .lasting[first.shape == TagShape::Lasting] aria-hidden="true" {
                (first.text) @if !rest.is_empty() { " +" (rest.len()) }
            }
        }
        span .sr { (told(drawn.stage, token)) }
    }
}

/// What a token shows, in words.
fn told(stage: &Stage, token: &Token) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(
        token.tracks.iter().map(|track| format!("{} {} of {}", track.label, track.value, track.most)),
    );
    words.extend(token.marks.iter().map(|mark| mark.text.clone()));
    let name = |id: &str| stage.token(id).map_or("", |token| token.name.as_str()).to_owned();
    words.extend(
        stage
            .links
            .iter()
            .filter(|link| link.from == token.id)
            .map(|link| format!("{} {}", link.text, name(&link.to))),
    );
    words.extend((token.stands != Stands::In).then(|| token.stands.word().to_owned()));
    words.extend(token.acts.then(|| "acting".to_owned()));
    words.extend(token.asked.then(|| "asked".to_owned()));
    words.iter().map(|word| format!(", {word}")).collect()
}

/// A track as a ring around the emblem. Each part of it is one of the track.
fn ring(track: &Meter) -> Markup {
    let (most, value) = (track.most, track.value.min(track.most));
    let grave = track.alarm.filter(|&alarm| alarm <= most).map(|alarm| alarm.saturating_sub(1));
    let arc = |from: u32, to: u32| format!("{} {most}", to.saturating_sub(from));
    html! {
        svg .ring viewBox="0 0 100 100" {
            circle .ground cx="50" cy="50" r="48" {}
            g transform="rotate(-90 50 50)" {
                circle .left cx="50" cy="50" r="42" pathLength=(most) {}
                @if let Some(from) = grave {
                    circle .grave cx="50" cy="50" r="42" pathLength=(most) stroke-dasharray=(arc(from, most)) stroke-dashoffset={ "-" (from) } {}
                }
                circle .on cx="50" cy="50" r="42" pathLength=(most) stroke-dasharray=(arc(0, grave.map_or(value, |from| value.min(from)))) {}
                @if let Some(from) = grave.filter(|&from| value > from) {
                    circle .on .grave cx="50" cy="50" r="42" pathLength=(most) stroke-dasharray=(arc(from, value)) stroke-dashoffset={ "-" (from) } {}
                }
                @if (2..=PARTS).contains(&most) {
                    circle .cuts cx="50" cy="50" r="42" pathLength=(most) stroke-dasharray="0.12 0.88" stroke-dashoffset="0.06" {}
                }
            }
        }
    }
}

/// Two sides with their cards in play, and the stack.
fn laid(drawn: Drawn<'_>) -> Markup {
    let stage = drawn.stage;
    let flank = |flank| stage.sides.iter().filter(move |side| side.flank == flank);
    html! {
        div .laid {
            (stack(stage))
            div .floor {
                @for at in [Flank::Near, Flank::Far, Flank::Middle] {
                    @let there: Vec<&Token> = flank(at).flat_map(|side| &side.tokens).filter(|token| is_drawn(token)).collect();
                    @if !there.is_empty() {
                        div .flank .theirs[at == Flank::Far] .between[at == Flank::Middle] {
                            h3 { (flank(at).map(|side| capital(&side.title)).collect::<Vec<_>>().join(", ")) }
                            @for token in there { (stander(drawn, token)) }
                        }
                    }
                }
            }
        }
    }
}

/// The order in which they act.
fn order(stage: &Stage) -> Markup {
    let tokens = || stage.order.iter().filter_map(|id| stage.token(id));
    html! {
        @if !stage.order.is_empty() {
            ol .turn-order aria-label="Order of the round" {
                @for token in tokens() {
                    li .now[token.acts] .out[token.stands != Stands::In] {
                        b { bdi { (token.name) } }
                        @for mark in &token.marks { small { (mark.text) } }
                    }
                }
            }
        }
    }
}

/// Whether somebody is there to be seen.
fn is_drawn(token: &Token) -> bool {
    token.stands != Stands::Gone
}

fn stander(drawn: Drawn<'_>, token: &Token) -> Markup {
    let Drawn { base, stage, .. } = drawn;
    let (laid, kept): (Vec<&Hand>, Vec<&Hand>) =
        stage.hands.iter().filter(|hand| hand.of == token.id).partition(|hand| hand.title == "in play");
    let is_out = token.stands != Stands::In;
    html! {
        div .stander .acts[token.acts] .out[is_out] {
            p .called {
                @if token.acts { span .mark aria-hidden="true" { "▸ " } }
                (portrait(drawn.portraits, &token.name, &format!("stage-{}", token.id)))
                a href={ (base) "/sheet/" (token.id) } data-token=(token.id) data-seat=[player(token)] { b .named { bdi { (token.name) } } }
                @if token.acts { span .sr { ", acting" } }
                @if token.asked { span .chip .now { "asked" } }
                @if is_out { span .chip { (token.stands.word()) } }
            }
            @if let Some(track) = token.tracks.first() { (pips(track)) }
            @for hand in laid { ul .cards aria-label=(hand.title) { @for card in &hand.cards { (playing(card)) } } }
            @for hand in kept {
                details .kept data-keep={ "hand-" (token.id) "-" (hand.title) } {
                    summary { (hand.cards.len()) " " (hand.title) }
                    ul { @for card in &hand.cards { (playing(card)) } }
                }
            }
        }
    }
}

/// A track as pips, or as a number where there are too many.
fn pips(track: &Meter) -> Markup {
    html! {
        span .will {
            span .label { (track.label) " " b { (track.value) } " of " (track.most) }
            @if (1..=PIPS).contains(&track.most) {
                span .pips aria-hidden="true" { @for pip in 1..=track.most { i .on[pip <= track.value] {} } }
            }
        }
    }
}

fn playing(card: &Playing) -> Markup {
    html! {
        li .turned[card.turned] {
            @match &card.name {
                Some(name) => { @if !card.sign.is_empty() { b { (card.sign) } " " } span { (name) } }
                None => span { "face down" },
            }
            @if card.turned { span .sr { ", turned" } }
        }
    }
}

/// What waits to happen, topmost first, and who may add to it.
fn stack(stage: &Stage) -> Markup {
    let named = |id: &str| stage.token(id).map_or("", |token| token.name.as_str()).to_owned();
    html! {
        @if !stage.stack.is_empty() {
            section .waiting aria-label="The Stack" {
                h3 { "On the Stack" }
                ol { @for (n, waiting) in stage.stack.iter().enumerate() { li .below[n > 0] { (pending(waiting, &named)) } } }
                @if let Some((first, rest)) = stage.priority.split_first() {
                    p .next {
                        "Priority: " b { bdi { (named(first)) } }
                        @for id in rest { " → " bdi { (named(id)) } }
                    }
                }
                @if !stage.passed.is_empty() {
                    p .next { "Passed: " (super::words::names(&stage.passed.iter().map(|id| named(id)).collect::<Vec<_>>())) }
                }
            }
        }
    }
}

fn pending(waiting: &Waiting, named: &impl Fn(&str) -> String) -> Markup {
    html! {
        b {
            @if let Some(by) = &waiting.by { bdi { (named(by)) } " " }
            (waiting.title)
            @if let Some(on) = &waiting.on { span aria-hidden="true" { " → " } span .sr { ", at " } bdi { (named(on)) } }
        }
        @if !waiting.text.is_empty() { " " span { (waiting.text) } }
    }
}
