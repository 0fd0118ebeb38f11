//! Cards as JSON.

use fracas_kernel as kernel;
use serde::Serialize;
use utoipa::ToSchema;

/// A character, a thing or a scene.
#[derive(Serialize, ToSchema)]
pub(crate) struct Card {
    /// The name by which answers refer to it; empty for the scene.
    id: String,
    /// The name for people.
    title: String,
    /// A few words beside the title.
    note: String,
    /// Where it belongs.
    group: String,
    /// Numbers with a limit.
    meters: Vec<Meter>,
    /// Statuses.
    tags: Vec<Tag>,
    /// Everything else.
    rows: Vec<Row>,
}

/// A number with a limit.
#[derive(Serialize, ToSchema)]
pub(super) struct Meter {
    /// The name of the count.
    label: String,
    /// How much there is.
    value: u32,
    /// The most there can be.
    most: u32,
    /// From here on it is serious.
    alarm: Option<u32>,
}

/// A status.
#[derive(Serialize, ToSchema)]
pub(super) struct Tag {
    /// In a word or two.
    text: String,
    /// The clause behind it.
    clause: Option<&'static str>,
}

/// A line of a sheet.
#[derive(Serialize, ToSchema)]
struct Row {
    /// The name of the value.
    label: String,
    /// The value.
    value: String,
    /// Which part of a sheet it belongs to.
    part: SheetPart,
    /// The same value in pieces; empty where it is a text.
    cells: Vec<Cell>,
}

/// The parts of a sheet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum SheetPart {
    About,
    Numbers,
    Abilities,
    Things,
}

/// A number, an ability or a thing of a sheet.
#[derive(Serialize, ToSchema)]
struct Cell {
    /// Its name.
    label: String,
    /// The number, or what it does.
    value: String,
    /// The highest that a number can be, where that is few enough to count; else 0.
    most: u32,
}

impl From<kernel::Row> for Row {
    fn from(row: kernel::Row) -> Self {
        let part = match row.part {
            kernel::SheetPart::About => SheetPart::About,
            kernel::SheetPart::Numbers => SheetPart::Numbers,
            kernel::SheetPart::Abilities => SheetPart::Abilities,
            kernel::SheetPart::Things => SheetPart::Things,
        };
        let cell = |kernel::Cell { label, value, most }| Cell { label, value, most };
        Row { label: row.label, value: row.value, part, cells: row.cells.into_iter().map(cell).collect() }
    }
}

impl From<kernel::Meter> for Meter {
    fn from(kernel::Meter { label, value, most, alarm }: kernel::Meter) -> Self {
        Meter { label, value, most, alarm }
    }
}

impl From<kernel::Tag> for Tag {
    fn from(tag: kernel::Tag) -> Self {
        Tag { text: tag.text, clause: tag.clause.map(|clause| clause.id()) }
    }
}

impl From<kernel::Card> for Card {
    fn from(card: kernel::Card) -> Self {
        Card {
            meters: card.meters.into_iter().map(Meter::from).collect(),
            tags: card.tags.into_iter().map(Tag::from).collect(),
            rows: card.rows.into_iter().map(Row::from).collect(),
            id: card.id,
            title: card.title,
            note: card.note,
            group: card.group,
        }
    }
}
