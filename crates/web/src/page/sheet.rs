//! The sheet of a character or a thing: its card, whole.

use super::{
    cast,
    layout::page_of,
    scenery::{Portraits, portrait},
};
use fracas_face::menu::Menu;
use fracas_kernel::{Card, Cell, Now, Row, SeatInfo, SheetPart};
use fracas_live::glance::Glance;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// With more numbers than these, a group of them takes the whole width.
const COLUMN: usize = 4;

/// The sheet of the card with this slug; `None` if this viewer sees no such card.
pub(crate) fn sheet(glance: &Glance<'_>, of: &str) -> Option<Markup> {
    let game = glance.table.game();
    let card = game.cards(glance.who).into_iter().find(|card| !card.id.is_empty() && card.id == of)?;
    let is_own = |info: &SeatInfo| Some(info.seat) == glance.seat() && info.holds.contains(&card.id);
    let is_mine = game.seats().iter().any(is_own);
    let answers = if is_mine { concerned(glance) } else { BTreeMap::new() };
    let title = format!("{}, {}", card.title, glance.table.log().header().title);
    let base = glance.base();
    let overrules = glance.who.is_gm() && game.names().find(&card.id).is_some();
    let leads = Leads { base: &base, answers, overrules };
    let body = html! {
        main .sheet {
            p .on-screen { a href=(base) { "← The table" } }
            (whole(&card, &glance.table.log().header().portraits(), game.system(), &leads))
        }
    };
    Some(page_of(Some(game.system()), &title, "plain sheet-page", body))
}

/// Things that the viewer's own answers mention, by label: the slug that stands at the answers. Of things with
/// one label it is not known which is meant.
fn concerned(glance: &Glance<'_>) -> BTreeMap<String, String> {
    let Now::Asks(asks) = glance.now() else { return BTreeMap::new() };
    let own = asks.iter().filter(|ask| ask.who.seats().iter().any(|seat| Some(seat) == glance.seat()));
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for ask in own {
        let menu = Menu::of(glance.table.game(), ask.id, glance.who);
        for part in (0..).map_while(|at| menu.choice(at)).flat_map(|choice| &choice.parts) {
            if let [thing] = part.things.as_slice() {
                all.entry(part.label.to_lowercase()).or_default().insert(thing.clone());
            }
        }
    }
    let alone = |mut things: BTreeSet<String>| things.pop_first().filter(|_| things.is_empty());
    all.into_iter().filter_map(|(label, things)| Some((label, alone(things)?))).collect()
}

/// Where abilities and things lead to.
struct Leads<'l> {
    base: &'l str,
    answers: BTreeMap<String, String>,
    /// Whether the viewer can overrule what stands on the sheet.
    overrules: bool,
}

/// A sheet that leads nowhere.
pub(super) fn read(card: &Card, portraits: &Portraits, system: &str) -> Markup {
    whole(card, portraits, system, &Leads { base: "", answers: BTreeMap::new(), overrules: false })
}

fn whole(card: &Card, portraits: &Portraits, system: &str, leads: &Leads<'_>) -> Markup {
    let of = |part: SheetPart| card.rows.iter().filter(move |row| row.part == part);
    let columns = columns(of(SheetPart::Numbers));
    html! {
        article .whole {
            header {
                (portrait(portraits, &card.title, "sheet"))
                div {
                    h1 { bdi { (card.title) } }
                    @if !card.note.is_empty() { p .soft { bdi { (card.note) } } }
                    @if leads.overrules { p .on-screen { a href={ (leads.base) "/overrule?of=@" (card.id) } data-over { "Overrule" } } }
                }
            }
            div .state {
                @for meter in &card.meters { (cast::gauge(meter)) }
                @if !card.tags.is_empty() {
                    h2 { "Just now" }
                    ul .tags { @for tag in &card.tags { li { (cast::status(tag, system)) } } }
                }
            }
            @if !columns.is_empty() {
                section .numbers {
                    h2 { "Numbers" }
                    div .block { @for (label, cells) in &columns {
                        div .wide[cells.len() > COLUMN] {
                            @let (own, cells) = headed(label, cells);
                            @if !label.is_empty() { h3 { span { (label) } @if let Some(own) = own { " " b { (own.value) } } } }
                            ul { @for cell in cells { li { span { (cell.label) } (number(cell)) } } }
                        }
                    } }
                }
            }
            @for (part, title) in [(SheetPart::Abilities, "Abilities"), (SheetPart::Things, "Things")] {
                @if of(part).next().is_some() {
                    section {
                        h2 { (title) }
                        ul .pieces { @for row in of(part) { @for cell in &row.cells { (piece(row, cell, leads)) } } }
                    }
                }
            }
            @if of(SheetPart::About).next().is_some() {
                section {
                    h2 { "About" }
                    dl { @for row in of(SheetPart::About) { div { dt { (row.label) } dd dir="auto" { (row.value) } } } }
                }
            }
        }
    }
}

/// The numbers in columns: each row is one, and rows of a single number stand in one together.
fn columns<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<(&'r str, Vec<&'r Cell>)> {
    let mut columns: Vec<(&str, Vec<&Cell>)> = Vec::new();
    for row in rows {
        match (row.cells.as_slice(), columns.last_mut()) {
            ([cell], Some(("", cells))) => cells.push(cell),
            ([cell], _) => columns.push(("", vec![cell])),
            (cells, _) => columns.push((&row.label, cells.iter().collect())),
        }
    }
    columns
}

/// The number that a column is called by, if it has that, and the others.
fn headed<'c>(label: &str, cells: &'c [&'c Cell]) -> (Option<&'c Cell>, &'c [&'c Cell]) {
    match cells.split_first() {
        Some((own, others)) if own.label == label => (Some(own), others),
        _ => (None, cells),
    }
}

/// A number; in pips where they are few.
fn number(cell: &Cell) -> Markup {
    let pips = cell.value.parse::<u32>().ok().filter(|value| *value <= cell.most);
    html! {
        @if let Some(value) = pips {
            span .sr { " " (value) " of " (cell.most) }
            span .ranks aria-hidden="true" { @for pip in 1..=cell.most { i .on[pip <= value] {} } }
        } @else { " " b { (cell.value) } }
    }
}

/// An ability or a thing: a way to the answers that use it, if there are such.
fn piece(row: &Row, cell: &Cell, leads: &Leads<'_>) -> Markup {
    let about = leads.answers.get(&cell.label.to_lowercase());
    html! {
        li .usable[about.is_some()] {
            @match about {
                Some(about) => a href={ (leads.base) "#moment" } data-about=(about) { (cell.label) },
                None => b dir="auto" { (cell.label) },
            }
            @if row.part != SheetPart::Abilities || row.cells.len() == 1 { small { (row.label) } }
            @if !cell.value.is_empty() { p dir="auto" { (cell.value) } }
        }
    }
}
