//! Characters, things and scenes as cards.

use super::words::capital;
use fracas_kernel::{Card, Meter, Seat, Tag, TagShape};
use fracas_live::glance::Glance;
use maud::{Markup, html};

/// Up to this number, a meter is drawn as pips; above, as a bar.
const PIPS: u32 = 24;

/// All cards that this viewer may see, group by group.
pub(crate) fn cast(glance: &Glance<'_>) -> Markup {
    let game = glance.table.game();
    let cards = game.cards(glance.who);
    let mine: Vec<String> = game
        .seats()
        .into_iter()
        .filter(|info| Some(info.seat) == glance.seat())
        .flat_map(|info| info.holds)
        .collect();
    let mut groups: Vec<(&str, Vec<&Card>)> = Vec::new();
    for card in &cards {
        match groups.iter_mut().find(|(name, _)| *name == card.group) {
            Some((_, cards)) => cards.push(card),
            None => groups.push((&card.group, vec![card])),
        }
    }
    let (system, title) = (game.system(), &glance.table.log().header().title);
    html! {
        @for (group, cards) in &groups {
            @let gm = glance.name(Seat::Gm);
            @let heading = if *group == "gamemaster" { gm.trim_start_matches("the ") } else { group };
            @if !group.is_empty() { h2 { (heading) } }
            @for card in cards {
                @let repeats_title = card.id.is_empty() && card.title == *title && !card.note.is_empty();
                // The head of the page has the title already.
                @let bare = repeats_title.then(|| Card { title: capital(&card.note), note: String::new(), ..(*card).clone() });
                @let card = bare.as_ref().unwrap_or(card);
                @let over = glance.who.is_gm() && game.names().find(&card.id).is_some();
                @let over = over.then(|| format!("{}/overrule?of=@{}", glance.base(), card.id));
                @let sheet = (!card.id.is_empty()).then(|| format!("{}/sheet/{}", glance.base(), card.id));
                @let at = AtTable { mine: mine.contains(&card.id), over: over.as_deref(), sheet: sheet.as_deref() };
                (self::card(card, system, Some(at)))
            }
        }
    }
}

/// A card at a table, to which the stage leads.
pub(super) struct AtTable<'a> {
    /// Whether it is the viewer's own.
    mine: bool,
    /// The address at which the gamemaster overrules its subject.
    over: Option<&'a str>,
    /// The address of its sheet.
    sheet: Option<&'a str>,
}

/// One card, at a table or in a preview.
pub(super) fn card(card: &Card, system: &str, at: Option<AtTable<'_>>) -> Markup {
    let id = at.as_ref().filter(|_| !card.id.is_empty()).map(|_| format!("card-{}", card.id));
    let (mine, over, sheet) = at.map_or((false, None, None), |at| (at.mine, at.over, at.sheet));
    html! {
        article .card .mine[mine] .scene[card.id.is_empty()] id=[id] {
            h3 {
                @if let Some(sheet) = sheet { a href=(sheet) data-sheet { bdi { (card.title) } } } @else { bdi { (card.title) } }
                @if !card.note.is_empty() { " " small { bdi { (card.note) } } }
            }
            @for meter in &card.meters { (gauge(meter)) }
            @if !card.tags.is_empty() {
                ul .tags { @for tag in &card.tags { li { (status(tag, system)) } } }
            }
            @if !card.rows.is_empty() {
                @if card.id.is_empty() || card.rows.len() <= 2 { (rows(card)) }
                @else {
                    details data-keep={ "card-" (card.id) } {
                        summary { "More" span .sr { " of " bdi { (card.title) } } }
                        (rows(card))
                    }
                }
            }
            @if let Some(over) = over {
                a .over-it href=(over) data-over { "Overrule" span .sr { " " bdi { (card.title) } } }
            }
        }
    }
}

fn rows(card: &Card) -> Markup {
    html! {
        dl { @for row in &card.rows { div { dt { (row.label) } dd dir="auto" { (row.value) } } } }
    }
}

pub(super) fn gauge(meter: &Meter) -> Markup {
    let alarm = meter.alarm.unwrap_or(u32::MAX);
    let label = format!(
        "{} {} of {}{}",
        meter.label,
        meter.value,
        meter.most,
        if meter.value >= alarm { ", serious" } else { "" }
    );
    html! {
        div .meter {
            span .label { (meter.label) " " b { (meter.value) } @if meter.value >= alarm { " !" } }
            @if (1..=PIPS).contains(&meter.most) {
                span .pips role="img" aria-label=(label) {
                    @for pip in 1..=meter.most {
                        i .on[pip <= meter.value] .grave[pip >= alarm] {}
                    }
                }
            } @else if meter.most > 0 {
                progress max=(meter.most) value=(meter.value.min(meter.most)) aria-label=(label) {}
            }
        }
    }
}

/// A status, with a link to its rule.
pub(super) fn status(tag: &Tag, system: &str) -> Markup {
    let shape = match tag.shape {
        TagShape::Passing => "tag passing",
        TagShape::Lasting => "tag lasting",
        TagShape::Plain => "tag",
    };
    html! {
        @match tag.clause {
            Some(clause) => a class=(shape) href={ "/rules/" (system) "/" (clause.id()) } data-rule { (tag.text) },
            None => span class=(shape) { (tag.text) },
        }
    }
}
