//! A map drawn: its ground, who stands where, where the viewer's own can go.
//!
//! The server draws it whole, so it can be seen without the script. The script moves and enlarges
//! it, and asks for what a space is like ([`there`]).

use super::scenery::{Portraits, emblem};
use super::{odds, words::capital};
use fracas_kernel::{
    AskId, Flank, Going, Grid, Ground, GroundKind, LinkKind, Listed, Map, Picture, Pointed, Refused, Seat,
    Shade, Space, Stage, Stands, There, Token, Viewer,
};
use fracas_live::glance::{Glance, Pointing};
use fracas_table::Table;
use maud::{Markup, html};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The side of a space on the drawing.
const SIDE: i32 = 40;
/// The height of a row of hexes: their sides are drawn shorter than they are high.
const ROW: i32 = 35;
/// The most characters of a name beneath a token.
const NAME: usize = 12;

/// Where spaces are drawn.
#[derive(Clone, Copy)]
pub(super) struct Drawing(pub(super) Grid);

impl Drawing {
    /// The upper left corner of a space.
    fn corner(self, (column, row): (u8, u8)) -> (i32, i32) {
        let (x, y) = (i32::from(column) * SIDE, i32::from(row));
        match self.0 {
            Grid::Hex => (x + if row % 2 == 1 { SIDE / 2 } else { 0 }, y * ROW),
            _ => (x, y * SIDE),
        }
    }

    pub(super) fn middle(self, at: (u8, u8)) -> (i32, i32) {
        let (x, y) = self.corner(at);
        (x + SIDE / 2, y + SIDE / 2)
    }

    /// How wide and how high a map is.
    fn size(self, map: &Map) -> (i32, i32) {
        let (columns, rows) = (i32::from(map.columns), i32::from(map.rows));
        match self.0 {
            Grid::Hex => (columns * SIDE + SIDE / 2, (rows - 1) * ROW + SIDE),
            _ => (columns * SIDE, rows * SIDE),
        }
    }

    /// What is seen of the drawing: with the coordinates, and names at the right edge.
    pub(super) fn view(self, map: &Map) -> String {
        let (wide, high) = self.size(map);
        format!("-24 -22 {} {}", wide + 40, high + 26)
    }

    /// The outline of some spaces as a path: squares in runs along each row, hexes one by one.
    fn outline(self, spaces: impl IntoIterator<Item = (u8, u8)>) -> String {
        let mut spaces: Vec<(u8, u8)> = spaces.into_iter().collect();
        spaces.sort_unstable_by_key(|&(column, row)| (row, column));
        let mut path = String::new();
        let mut left = spaces.as_slice();
        while let [first, ..] = left {
            let (x, y) = self.corner(*first);
            let is_next = |(n, at): (usize, &(u8, u8))| {
                at.1 == first.1 && usize::from(at.0) == usize::from(first.0) + n
            };
            let run = match self.0 {
                Grid::Hex => 1,
                _ => left.iter().enumerate().take_while(|&(n, at)| is_next((n, at))).count(),
            };
            let long = run as i32 * SIDE;
            let _ = match self.0 {
                Grid::Hex => write!(path, "M{} {}l20 12v23l-20 12l-20-12v-23z", x + SIDE / 2, y - 3),
                _ => write!(path, "M{x} {y}h{long}v{SIDE}h-{long}z"),
            };
            left = &left[run..];
        }
        path
    }
}

/// The map of a table; empty where it has none.
pub(super) fn map(glance: &Glance<'_>, stage: &Stage) -> Markup {
    let Some(map) = &stage.map else { return html! {} };
    let drawing = Drawing(map.grid);
    let going = going(glance);
    let label = described(stage, map);
    let portraits = glance.table.log().header().portraits();
    html! {
        div .map data-keep="map" data-columns=(map.columns) data-rows=(map.rows) data-grid=(grid_word(map.grid))
            data-cells=(json!(cells(stage, map)).to_string()) data-going=(json!(movers(&going)).to_string())
            data-gm[glance.who.is_gm()] {
            (tools(glance.who))
            div .sight tabindex="0" role="application" aria-label={ (label) " Arrow keys walk the map, Enter chooses a space." } {
                svg viewBox=(drawing.view(map)) aria-hidden="true" {
                    g .world {
                        (ground(map, drawing))
                        @for (n, going) in going.iter().enumerate() { (reach(&going.1, drawing, n > 0)) }
                        (coordinates(map, drawing))
                        g .way data-own="way" {}
                        (links(stage, map, drawing))
                        @for (at, here) in stacks(stage, map) { (tokens(&here, drawing.middle(at), &portraits)) }
                        @if let Some(pointing) = glance.around.pointing { (pointed(glance, &pointing, drawing)) }
                        g .over data-own="over" {}
                    }
                }
            }
            @if let Some(pointing) = glance.around.pointing {
                p .soft role="status" { (capital(&glance.name(pointing.seat))) " points at " (pointing.space) "." }
            }
            (legend(map, &going))
            div .there data-own="there" aria-live="polite" {}
        }
    }
}

pub(super) const fn grid_word(grid: Grid) -> &'static str {
    match grid {
        Grid::Square => "square",
        Grid::Orthogonal => "orthogonal",
        Grid::Hex => "hex",
    }
}

/// Those of the viewer's who can move by an answer to one of the viewer's asks, with the viewer's name for
/// the ask.
fn going(glance: &Glance<'_>) -> Vec<(String, Going)> {
    let game = glance.table.game();
    let own = |(id, called): &(AskId, String)| {
        let all = game.reach(*id, glance.who).into_iter();
        all.map(|going| (called.clone(), going)).collect::<Vec<_>>()
    };
    let is_own = |(id, _): &&(AskId, String)| glance.seat().is_some_and(|seat| asks(glance, *id, seat));
    glance.asks.iter().filter(is_own).flat_map(own).collect()
}

/// Whether an ask is put to a seat.
fn asks(glance: &Glance<'_>, id: AskId, seat: Seat) -> bool {
    match glance.now() {
        fracas_kernel::Now::Asks(asks) => {
            asks.iter().any(|ask| ask.id == id && ask.who.seats().iter().any(|asked| asked == seat))
        }
        _ => false,
    }
}

/// Who can move, for the script.
fn movers(going: &[(String, Going)]) -> Vec<serde_json::Value> {
    let mover = |(ask, going): &(String, Going)| json!({ "ask": ask, "token": going.token, "at": [going.from.column(), going.from.row()] });
    going.iter().map(mover).collect()
}

/// What there is to say of spaces, for the script: by space, in words.
pub(super) fn cells(stage: &Stage, map: &Map) -> BTreeMap<String, Vec<String>> {
    let mut cells: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut say = |(column, row): (u8, u8), text: String| {
        if let Some(space) = Space::new(column, row) {
            cells.entry(space.to_string()).or_default().push(text);
        }
    };
    for ground in &map.grounds {
        ground.spaces.iter().for_each(|&at| say(at, ground.text.clone()));
    }
    for spot in &map.spots {
        if let Some(token) = stage.token(&spot.token) {
            say((spot.column, spot.row), format!("{} is here", token.name));
        }
    }
    for &[a, b] in &map.walls {
        for (here, (column, row)) in [(a, b), (b, a)] {
            say(here, Space::new(column, row).map_or_else(String::new, |space| format!("a wall to {space}")));
        }
    }
    cells
}

/// The map in a sentence, with who is where.
pub(super) fn described(stage: &Stage, map: &Map) -> String {
    let mut text = format!("A map of {} by {} spaces.", map.columns, map.rows);
    for spot in &map.spots {
        if let (Some(token), Some(space)) = (stage.token(&spot.token), Space::new(spot.column, spot.row)) {
            let _ = write!(text, " {} at {space}.", token.name);
        }
    }
    text
}

/// What the script can do with the map.
fn tools(who: Viewer) -> Markup {
    html! {
        div .map-tools role="toolbar" aria-label="The map" {
            button type="button" data-map="in" aria-label="Closer" title="Closer (+)" { "+" }
            button type="button" data-map="out" aria-label="Farther" title="Farther (-)" { "−" }
            button type="button" data-map="fit" title="All of it (0)" { "All" }
            button type="button" data-map="ruler" aria-pressed="false" title="Measure (R)" { "Ruler" }
            button type="button" data-map="via" aria-pressed="false" title="Lead the way by the space you point at (V)" hidden { "By way of" }
            @if who != Viewer::Spectator {
                button type="button" data-map="ping" aria-pressed="false" title="Show everybody a space (P)" { "Point" }
            }
            @if who.is_gm() {
                button type="button" data-map="hand" aria-pressed="false" title="Move anybody, against the rules too" { "Move by hand" }
            }
        }
    }
}

pub(super) fn ground(map: &Map, drawing: Drawing) -> Markup {
    let all = (0..map.rows).flat_map(|row| (0..map.columns).map(move |column| (column, row)));
    let terrain = map.grounds.iter().filter(|ground| ground.kind == GroundKind::Terrain);
    let of = |kind| map.grounds.iter().filter(move |ground| ground.kind == kind);
    html! {
        defs { @for (n, _) in terrain.clone().enumerate() { (pattern(n)) } }
        path .floor d=(drawing.outline(all.clone())) {}
        @if let Some(picture) = &map.picture { (beneath(picture, drawing)) }
        @for (n, ground) in terrain.enumerate() {
            path .terrain fill=(fill(n)) d=(outline(drawing, ground)) {}
        }
        path .lines d=(lines(map, drawing)) {}
        @for ground in of(GroundKind::Wall) { path .wall d=(outline(drawing, ground)) {} }
        @if !map.walls.is_empty() { path .edge d=(edges(map, drawing)) {} }
        @for ground in of(GroundKind::Name) {
            @for &at in &ground.spaces {
                @let (x, y) = drawing.middle(at);
                text .place x=(x) y=(y + 4) { (ground.text) }
            }
        }
        @for ground in of(GroundKind::Thing) {
            @for &at in &ground.spaces {
                @let (x, y) = drawing.middle(at);
                path .thing d={ "M" (x) " " (y - 7) "l7 7l-7 7l-7-7z" } { title { (ground.text) } }
            }
        }
    }
}

/// The picture beneath a map.
fn beneath(picture: &Picture, drawing: Drawing) -> Markup {
    let across = |thousandths: i32| i64::from(thousandths) * i64::from(SIDE) / 1000;
    let row = if drawing.0 == Grid::Hex { ROW } else { SIDE };
    let down = |thousandths: i32| i64::from(thousandths) * i64::from(row) / 1000;
    html! {
        image href={ "/pictures/" (picture.id) } x=(across(picture.left)) y=(down(picture.top))
            width=(across(picture.width)) height=(down(picture.height)) preserveAspectRatio="none" {}
    }
}

/// The edges that nobody crosses, each across the line between the middles of its two spaces.
fn edges(map: &Map, drawing: Drawing) -> String {
    let mut path = String::new();
    for &[a, b] in &map.walls {
        let ((x, y), (to_x, to_y)) = (drawing.middle(a), drawing.middle(b));
        let (across, down) = ((to_x - x) / 2, (to_y - y) / 2);
        // Of the distance between the spaces: the side of a square, or of a hex; a corner alone.
        let long = match drawing.0 {
            Grid::Hex => 58,
            _ if across == 0 || down == 0 => 100,
            _ => 35,
        };
        let (x, y, aside_x, aside_y) = (x + across, y + down, down * long / 100, across * long / 100);
        let _ = write!(path, "M{} {}L{} {}", x - aside_x, y + aside_y, x + aside_x, y - aside_y);
    }
    path
}

/// The colours of kinds of ground.
const COLOURS: usize = 8;
/// What is drawn over each colour, on a square of half a space: each of the first sixteen kinds of a map has a
/// mark of its own.
const MARKS: [&str; 16] = [
    "M6 5a1 1 0 1 1-2 0a1 1 0 1 1 2 0M16 15a1 1 0 1 1-2 0a1 1 0 1 1 2 0",
    "M-5 5L5-5M0 20L20 0M15 25L25 15",
    "M0 6q5-5 10 0t10 0M0 16q5-5 10 0t10 0",
    "M3 4l3 5l3-5M12 13l3 5l3-5",
    "M0 5h20M0 15h20",
    "M5 1v8M1 5h8M15 11v8M11 15h8",
    "M-5 15L5 25M0 0L20 20M15-5L25 5",
    "M5 0v20M15 0v20",
    "M9 5a4 4 0 1 1-8 0a4 4 0 1 1 8 0M19 15a4 4 0 1 1-8 0a4 4 0 1 1 8 0",
    "M0 0h20M0 10h20M5 0v10M15 10v10",
    "M2 8l3-6l3 6zM12 18l3-6l3 6z",
    "M0 0L20 20M20 0L0 20",
    "M2 5h6M12 15h6",
    "M2 2l6 6M8 2l-6 6M12 12l6 6M18 12l-6 6",
    "M0 8l5-6l5 6l5-6l5 6M0 18l5-6l5 6l5-6l5 6",
    "M0 0h20M0 10h20M0 0v20M10 0v20",
];

/// The pattern of the n-th kind of ground on a map.
fn pattern(n: usize) -> Markup {
    html! {
        pattern id={ "ground-" (n % MARKS.len()) } width="20" height="20" patternUnits="userSpaceOnUse" {
            rect .{ "t" (n % COLOURS) } width="20" height="20" {}
            path .marks d=(MARKS[n % MARKS.len()]) {}
        }
    }
}

fn fill(n: usize) -> String {
    format!("url(#ground-{})", n % MARKS.len())
}

/// A sample of the n-th kind of ground on a map.
pub(super) fn filled(n: usize) -> Markup {
    html! { svg viewBox="0 0 20 20" aria-hidden="true" { rect fill=(fill(n)) width="20" height="20" {} } }
}

fn outline(drawing: Drawing, ground: &Ground) -> String {
    drawing.outline(ground.spaces.iter().copied())
}

/// The lines between spaces.
fn lines(map: &Map, drawing: Drawing) -> String {
    let (wide, high) = drawing.size(map);
    let mut path = String::new();
    if map.grid == Grid::Hex {
        let all = (0..map.rows).flat_map(|row| (0..map.columns).map(move |column| (column, row)));
        return drawing.outline(all);
    }
    for column in 0..=i32::from(map.columns) {
        let _ = write!(path, "M{} 0v{high}", column * SIDE);
    }
    for row in 0..=i32::from(map.rows) {
        let _ = write!(path, "M0 {}h{wide}", row * SIDE);
    }
    path
}

/// Letters of the columns and numbers of the rows.
pub(super) fn coordinates(map: &Map, drawing: Drawing) -> Markup {
    let column =
        |column: u8| Space::new(column, 0).map(|space| space.to_string().trim_end_matches('1').to_owned());
    html! {
        g .coordinates {
            @for n in 0..map.columns { text x=(drawing.middle((n, 0)).0) y="-7" { (column(n).unwrap_or_default()) } }
            @for n in 0..map.rows { text x="-13" y=(drawing.middle((0, n)).1 + 4) { (u32::from(n) + 1) } }
        }
    }
}

/// Where somebody can go, in shades by cost.
fn reach(going: &Going, drawing: Drawing, hidden: bool) -> Markup {
    let spaces =
        |shade: &Shade| drawing.outline(shade.spaces.iter().map(|space| (space.column(), space.row())));
    html! {
        g .reach data-token=(going.token) hidden[hidden] {
            @for (n, shade) in going.shades.iter().enumerate() { path class={ "s" (n) } d=(spaces(shade)) {} }
        }
    }
}

/// Lines from who is about to do something, to whom.
fn links(stage: &Stage, map: &Map, drawing: Drawing) -> Markup {
    let place = |id: &str| {
        let spot = map.spots.iter().find(|spot| spot.token == id)?;
        Some(drawing.middle((spot.column, spot.row)))
    };
    let is_drawn = |kind| matches!(kind, LinkKind::Aims | LinkKind::Opposes);
    let ends = stage.links.iter().filter(|link| is_drawn(link.kind));
    let ends: Vec<_> =
        ends.filter_map(|link| Some((place(&link.from)?, place(&link.to)?, link.kind))).collect();
    html! {
        @for ((x, y), (to_x, to_y), kind) in ends {
            line .aims[kind == LinkKind::Aims] .chases[kind == LinkKind::Opposes] x1=(x) y1=(y) x2=(to_x) y2=(to_y) {}
        }
    }
}

/// The space that somebody points everybody to.
fn pointed(glance: &Glance<'_>, pointing: &Pointing, drawing: Drawing) -> Markup {
    let (x, y) = drawing.middle((pointing.space.column(), pointing.space.row()));
    html! {
        g .ping data-keep={ "ping-" (pointing.space) } {
            circle cx=(x) cy=(y) r="16" {}
            text x=(x) y=(y - 20) { (glance.name(pointing.seat)) }
        }
    }
}

/// Who is in each space, those last who act.
pub(super) fn stacks<'s>(stage: &'s Stage, map: &Map) -> BTreeMap<(u8, u8), Vec<(Flank, &'s Token)>> {
    let flank = |id: &str| stage.sides.iter().find(|side| side.tokens.iter().any(|token| token.id == id));
    let mut stacks: BTreeMap<(u8, u8), Vec<(Flank, &Token)>> = BTreeMap::new();
    for spot in &map.spots {
        if let (Some(token), Some(side)) = (stage.token(&spot.token), flank(&spot.token)) {
            stacks.entry((spot.column, spot.row)).or_default().push((side.flank, token));
        }
    }
    for here in stacks.values_mut() {
        // A mount lies below its rider, and who is down below everybody.
        here.sort_by_key(|(_, token)| (token.stands == Stands::In, token.kind != "mount", token.acts));
    }
    stacks
}

pub(super) fn tokens(here: &[(Flank, &Token)], (x, y): (i32, i32), portraits: &Portraits) -> Markup {
    let most = here.len().min(4) as i32;
    html! {
        @for (n, (flank, token)) in (0..).zip(here) {
            // Several in a space lie over one another a little aside.
            @let aside = (n.min(3) * 2 - (most - 1)) * 5;
            (drawn(*flank, token, (x + aside, y - aside / 2), n as usize + 1 == here.len(), portraits))
        }
    }
}

fn drawn(flank: Flank, token: &Token, (x, y): (i32, i32), on_top: bool, portraits: &Portraits) -> Markup {
    let side = match flank {
        Flank::Near => "near",
        Flank::Far => "far",
        Flank::Middle => "middle",
    };
    let called: String = token.name.chars().take(NAME).collect();
    // The track of harm: that which becomes serious.
    let track = token.tracks.iter().find(|track| track.alarm.is_some() && track.most > 0);
    html! {
        g .token .(side) .acts[token.acts] .asked[token.asked] .down[token.stands != Stands::In] .mount[token.kind == "mount"]
            data-token=(token.id) transform={ "translate(" (x) " " (y) ")" } {
            g .figure {
            title { (token.name) @for mark in &token.marks { ", " (mark.text) } }
            circle r="15" {}
            svg x="-11" y="-11" width="22" height="22" viewBox="0 0 64 64" { (emblem(&token.name, &format!("map-{}", token.id))) }
            @if let Some(id) = portraits.get(&token.name) {
                image href={ "/pictures/" (id) } x="-13" y="-13" width="26" height="26" preserveAspectRatio="xMidYMid slice" {}
            }
            @if let Some(track) = track {
                @let part = (i64::from(track.value.min(track.most)) * 24 / i64::from(track.most)) as i32;
                rect .track x="-12" y="9" width="24" height="4" rx="2" {}
                rect .full x="-12" y="9" width=(part) height="4" rx="2" {}
            }
            @if token.stands != Stands::In { path .cross d="M-9-9L9 9M9-9L-9 9" {} }
            @if on_top { text .named y="25" { (called) } }
            @for (n, mark) in token.marks.iter().filter(|_| on_top).take(3).enumerate() {
                @let sign: String = mark.text.chars().take(1).collect::<String>().to_uppercase();
                g .badge transform={ "translate(" (13 - 11 * n as i32) " -13)" } { circle r="6" {} text y="3" { (sign) } }
            }
            }
        }
    }
}

/// What colours mean.
fn legend(map: &Map, going: &[(String, Going)]) -> Markup {
    let terrain = map.grounds.iter().filter(|ground| ground.kind == GroundKind::Terrain);
    html! {
        ul .legend {
            @for (n, ground) in terrain.enumerate() {
                li { (filled(n)) (ground.text) }
            }
            @if let Some((_, going)) = going.first() {
                @for (n, shade) in going.shades.iter().enumerate() {
                    li { svg viewBox="0 0 16 16" aria-hidden="true" { rect .swatch .{ "s" (n) } width="16" height="16" {} } (shade.text) }
                }
            }
        }
    }
}

/// What a space is like, with the answers that pointing there stands for.
///
/// # Errors
/// If nobody may go by an answer to this ask, or there is no such space.
pub(crate) fn there(
    table: &Table,
    who: Viewer,
    (id, called): (AskId, &str),
    pointed: &Pointed,
    base: &str,
) -> Result<Markup, Refused> {
    let there = table.game().there(id, pointed, who)?;
    let stage = table.game().stage(who, &[]);
    let name = |id: &str| stage.token(id).map_or_else(String::new, |token| token.name.clone());
    let spaces = |all: &[Space]| all.iter().map(Space::to_string).collect::<Vec<_>>().join(" ");
    let marks =
        there.marks.iter().map(|(space, text)| format!("{space}={text}")).collect::<Vec<_>>().join(" ");
    Ok(html! {
        form .from method="post" action={ (base) "/answer" } data-act data-path=(spaces(&there.path)) data-marks=(marks)
            data-to=(pointed.to) data-token=(there.token) {
            input type="hidden" name="ask" value=(called);
            h2 { bdi { (name(&there.token)) } " → " (there.title) }
            ul .costs { @for line in &there.lines { li { (line.text) (why(table, line)) } } }
            @if !there.facing.is_empty() { (facing(&there, &name)) }
            div .deeds { @for listed in &there.answers { (deed(listed)) } }
        }
    })
}

fn why(table: &Table, line: &fracas_kernel::Told) -> Markup {
    html! { @if let Some(clause) = line.clause { " " (super::rules::link(table.system(), clause.id(), "why")) } }
}

/// What the walker could do to others from there, and they to the walker.
fn facing(there: &There<Listed>, name: &impl Fn(&str) -> String) -> Markup {
    let known = |facing: &&fracas_kernel::Facing| !facing.gives.is_empty() || !facing.takes.is_empty();
    let rest: Vec<String> = there
        .facing
        .iter()
        .filter(|facing| !known(facing))
        .map(|facing| format!("{} {}", name(&facing.token), facing.apart))
        .collect();
    html! {
        @if rest.len() < there.facing.len() {
        table .facing {
            caption .sr { "From there" }
            tr { td {} th scope="col" { "you" } th scope="col" { "they" } }
            @for facing in there.facing.iter().filter(known) {
                tr {
                    th scope="row" { bdi { (name(&facing.token)) } small { (facing.apart) } }
                    @for all in [&facing.gives, &facing.takes] {
                        td { @for odds in all { (odds::line(odds)) } @if all.is_empty() { span .soft { "–" } } }
                    }
                }
            }
        }
        }
        @if !rest.is_empty() { p .soft { (rest.join(" · ")) } }
    }
}

fn deed(listed: &Listed) -> Markup {
    html! {
        button .deed-at name="answer" value=(listed.answer) {
            b { (capital(&listed.told.text)) }
            @if !listed.told.leads.is_empty() { small { (listed.told.leads) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn kinds_of_ground_are_told_apart_without_their_colours() {
        let all: BTreeSet<&str> = MARKS.into_iter().collect();
        assert_eq!(all.len(), MARKS.len());
        let patterns = (0..MARKS.len()).map(|n| pattern(n).into_string());
        assert_eq!(patterns.collect::<BTreeSet<_>>().len(), MARKS.len());
    }

    #[test]
    fn a_wall_is_as_long_as_its_edge() {
        let wall = |grid, a: (u8, u8), b: (u8, u8)| {
            let map = Map {
                grid,
                columns: 4,
                rows: 4,
                spots: Vec::new(),
                grounds: Vec::new(),
                walls: vec![[a, b]],
                picture: None,
            };
            edges(&map, Drawing(grid))
        };
        assert_eq!(wall(Grid::Square, (0, 0), (1, 0)), "M40 40L40 0");
        assert_eq!(wall(Grid::Square, (0, 0), (0, 1)), "M0 40L40 40");
        assert_eq!(wall(Grid::Square, (0, 0), (1, 1)), "M33 47L47 33");
        assert_eq!(wall(Grid::Hex, (0, 0), (1, 0)), "M40 31L40 9");
    }
}
