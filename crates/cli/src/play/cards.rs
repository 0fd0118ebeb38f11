//! Cards on the screen. Shapes and words repeat what colours show.

use crate::screen::{ALARM, FAINT, PLAIN, STRONG, Screen, Text, clean};
use fracas_kernel::{Card, Tag, TagShape};
use std::io;

/// The indent of a card's rows.
const INDENT: usize = 4;

/// Shows cards in full, by group.
pub(crate) fn show(screen: &mut Screen, cards: &[Card]) -> io::Result<()> {
    let mut group = "";
    for card in cards {
        if card.group != group {
            group = &card.group;
            if !group.is_empty() {
                screen.say(&Text::of(FAINT, group.to_uppercase()))?;
            }
        }
        show_card(screen, card)?;
    }
    Ok(())
}

/// Shows each card on a line: heading, meters and tags. The scene's card, which has no id,
/// shows its rows too.
pub(crate) fn brief(screen: &mut Screen, cards: &[Card]) -> io::Result<()> {
    let wide = cards.iter().map(|card| card.group.chars().count()).max().unwrap_or(0).min(14);
    let mut group = "";
    for card in cards {
        let new = std::mem::replace(&mut group, &card.group) != card.group;
        let label = if new { card.group.to_lowercase() } else { String::new() };
        let mut text = heading(card);
        for meter in &card.meters {
            let serious = meter.alarm.is_some_and(|from| meter.value >= from);
            let reading = format!("{} {}/{}", meter.label, meter.value, meter.most);
            text = text.and(FAINT, " · ").and(if serious { ALARM } else { PLAIN }, reading);
            if serious {
                text = text.and(ALARM, " (!)");
            }
        }
        for tag in &card.tags {
            text = text.and(FAINT, " · ").and(PLAIN, shaped(tag));
        }
        for row in card.rows.iter().filter(|_| card.id.is_empty()) {
            text = text.and(FAINT, format!(" · {}: ", row.label)).and(PLAIN, &row.value);
        }
        if is_closed(card) {
            text = text.and(FAINT, format!(" (look {})", card.id));
        }
        screen.hang(&Text::of(FAINT, format!("  {label:wide$}")), wide + 4, &text)?;
    }
    Ok(())
}

/// Whether a card holds only paragraphs of text, which one line cannot show.
fn is_closed(card: &Card) -> bool {
    let is_paragraph = |label: &str| label.starts_with(|c: char| c == '@' || c.is_ascii_digit());
    !card.id.is_empty() && !card.rows.is_empty() && card.rows.iter().all(|row| is_paragraph(&row.label))
}

/// A card's title and note.
fn heading(card: &Card) -> Text {
    let head = Text::of(STRONG, &card.title);
    if card.note.is_empty() { head } else { head.and(PLAIN, format!(", {}", card.note)) }
}

pub(super) fn shaped(tag: &Tag) -> String {
    let text = clean(&tag.text);
    match tag.shape {
        TagShape::Passing => format!("({text})"),
        TagShape::Lasting => format!("[{text}]"),
        TagShape::Plain => text,
    }
}

fn show_card(screen: &mut Screen, card: &Card) -> io::Result<()> {
    screen.hang(&Text::plain("  "), 2, &heading(card))?;
    for meter in &card.meters {
        let serious = meter.alarm.is_some_and(|from| meter.value >= from);
        let text =
            format!("{}: {} {} of {}", meter.label, pips(meter.value, meter.most), meter.value, meter.most);
        let mut text = Text::of(if serious { ALARM } else { PLAIN }, text);
        if serious {
            text = text.and(ALARM, " (!)");
        }
        screen.hang(&Text::plain("    "), INDENT + 2, &text)?;
    }
    if !card.tags.is_empty() {
        let mut text = Text::default();
        for (i, tag) in card.tags.iter().enumerate() {
            text = text.and(FAINT, if i > 0 { " · " } else { "" }).and(PLAIN, shaped(tag));
        }
        screen.hang(&Text::plain("    "), INDENT + 2, &text)?;
    }
    for row in &card.rows {
        let text = Text::of(FAINT, format!("{}: ", row.label)).and(PLAIN, &row.value);
        screen.hang(&Text::plain("    "), INDENT + 2, &text)?;
    }
    Ok(())
}

/// A bar of at most a dozen pips.
pub(super) fn pips(value: u32, most: u32) -> String {
    if most == 0 || most > 12 {
        return String::new();
    }
    let full = value.min(most);
    (0..most).map(|i| if i < full { '●' } else { '○' }).collect()
}
