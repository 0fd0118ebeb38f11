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
        @if !odds.totals.is_empty() { p .soft { (totals(odds)) } }
        ul .odds {
            @for (row, share) in odds.rows.iter().zip(odds.shares()) {
                (bar(odds, row, &super::words::capital(&row.text), &share))
            }
            @for row in &odds.besides { (bar(odds, row, &format!("Besides: {}", row.text), &odds.share(row))) }
        }
    }
}

/// What a long list comes to: `In all 93 % passes, 7 % fails`.
fn totals(odds: &Odds) -> Markup {
    html! {
        "In all "
        @for (n, all) in odds.totals.iter().enumerate() {
            @if n > 0 { ", " }
            b { (odds.share_of(all.tone)) } " " (all.text)
        }
    }
}

fn bar(odds: &Odds, row: &Chance, text: &str, share: &str) -> Markup {
    html! {
        li .(tone(row.tone)) {
            span { (text) }
            svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                rect .part height="10" width=(odds.part(row, 1000)) {}
            }
            b { (share) }
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
            @if !odds.totals.is_empty() { (totals(odds)) ": " }
            @for (n, (row, share)) in odds.rows.iter().zip(odds.shares()).enumerate() {
                @if n > 0 { " · " }
                b { (share) } " " (row.text)
            }
            @for row in &odds.besides { "; besides " b { (odds.share(row)) } " " (row.text) }
        }
    }
}
