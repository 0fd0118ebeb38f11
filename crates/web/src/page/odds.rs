//! Odds as bars with words and numbers.

use fracas_kernel::{Chance, Odds, Tone};
use maud::{Markup, html};

const fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Mixed => "mixed",
        Tone::Plain => "plain",
        Tone::Bad => "bad",
    }
}

/// The classes of a roll, a bar for each.
pub(super) fn bars(odds: &Odds) -> Markup {
    html! {
        ul .odds {
            @for row in &odds.rows { (bar(odds, row, &super::words::capital(&row.text))) }
            @for row in &odds.besides { (bar(odds, row, &format!("Besides: {}", row.text))) }
        }
    }
}

fn bar(odds: &Odds, row: &Chance, text: &str) -> Markup {
    html! {
        li .(tone(row.tone)) {
            span { (text) }
            svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                rect .part height="10" width=(odds.part(row, 1000)) {}
            }
            b { (odds.share(row)) }
        }
    }
}

/// The odds in one line under a single bar.
pub(super) fn line(odds: &Odds) -> Markup {
    let mut from = 0;
    let parts: Vec<(u16, u16, Tone)> = odds
        .rows
        .iter()
        .map(|row| {
            let (at, part) = (from, odds.part(row, 1000));
            from += part;
            (at, part, row.tone)
        })
        .collect();
    html! {
        span .chance {
            svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                @for (at, part, of) in parts { rect .(tone(of)) x=(at) height="10" width=(part) {} }
            }
            @if !odds.of.is_empty() { (super::words::capital(&odds.of)) ": " }
            @for (n, row) in odds.rows.iter().enumerate() {
                @if n > 0 { " · " }
                b { (odds.share(row)) } " " (row.text)
            }
            @for row in &odds.besides { "; besides " b { (odds.share(row)) } " " (row.text) }
        }
    }
}
