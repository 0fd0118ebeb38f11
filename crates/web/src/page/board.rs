//! Dice, points and cards that are laid to answer; this needs the script.
//!
//! A board is another way to pick one of an ask's answers. The script finds the answer that
//! a laying means, in the list or by a request (`arranged`), and the form sends that answer.
//! Without the script none of this is shown.

use super::ask::{self, Given};
use super::{dice::die, rules};
use fracas_face::menu::Choice;
use fracas_kernel::{AskId, Board, Laid, Lies, Piece, Place, Playable, Pooled, Refused, Tone, Viewer};
use fracas_table::Table;
use maud::{Markup, html};

/// Up to this many ways stand side by side; more become a drop-down list.
const CHIPS: usize = 4;

/// The board of an ask; empty if it has none.
pub(super) fn tray(table: &Table, who: Viewer, id: AskId, called: &str) -> Markup {
    let Some(board) = table.game().board(id, who) else { return html! {} };
    let inside = html! {
        (ways(&board))
        @match &board.lies {
            Lies::Dice { dice, places } => (wells(table.system().id, dice, places)),
            Lies::Points { from, to, most } => (slide(from, to, *most)),
            Lies::Cards { cards, bare, row } => (hand(cards, *bare, row)),
        }
        div .chosen role="status" {}
        p .hint { (hint(&board.lies)) }
        @if !board.rules.is_empty() {
            p .counts { @for rule in &board.rules { (rule.entry().plain.unwrap_or(rule.entry().says)) " " } }
        }
        button .as-list type="button" aria-expanded="false" { "The same as a list" }
    };
    html! {
        // The script owns the content as long as the server sends the same.
        div .tray data-keep={ "tray-" (called) } data-ask=(called) data-own=(ask::mark(&inside.0)) { (inside) }
    }
}

fn hint(lies: &Lies) -> Markup {
    match lies {
        Lies::Points { .. } => {
            html! { "Slide points from one die to the other, or leave them where they are." }
        }
        Lies::Cards { .. } => {
            html! { "Tap a card to lay it, tap it again to keep it." }
        }
        Lies::Dice { places, .. } => {
            let names: Vec<String> = places.iter().map(|place| place.name.clone()).collect();
            html! {
                "Tap dice or drag them to: " (super::words::and(&names)) "."
                span .keys { " With the keyboard, arrows move a die." }
            }
        }
    }
}

/// The ways to use the dice, if there is a choice.
fn ways(board: &Board) -> Markup {
    let label = "Use of the dice";
    html! {
        @if board.ways.len() > CHIPS {
            select .way name="way" aria-label=(label) {
                @for (n, way) in board.ways.iter().enumerate() { option value=(n) { (super::words::capital(way)) } }
            }
        } @else if board.ways.len() > 1 {
            div .ways role="radiogroup" aria-label=(label) {
                @for (n, way) in board.ways.iter().enumerate() {
                    label .way { input type="radio" name="way" value=(n) checked[n == 0]; (super::words::capital(way)) }
                }
            }
        }
    }
}

/// The loose dice, and the places for them.
fn wells(system: &str, dice: &[Piece], places: &[Place]) -> Markup {
    let numbered = || dice.iter().enumerate();
    html! {
        div .wells {
            @for (at, place) in places.iter().enumerate() {
                div .well role="group" aria-label=(place.name) data-name=(place.name)
                    data-least=(place.least) data-most=(place.most) {
                    div .lies {
                        @for (n, die) in numbered().filter(|(_, die)| die.fixed.is_some_and(|to| usize::from(to) == at)) {
                            (piece(n, die))
                        }
                    }
                    span .name {
                        @match place.clause {
                            Some(clause) => a href={ "/rules/" (system) "/" (clause.id()) } data-rule { (place.name) },
                            None => (place.name),
                        }
                        @if let Some(need) = place.adds {
                            " " output .sum { "0" }
                            @if need > 0 { " of " (need) }
                        }
                    }
                }
            }
        }
        div .loose role="group" aria-label="Dice" {
            @for (n, die) in numbered().filter(|(_, die)| die.fixed.is_none()) { (piece(n, die)) }
        }
    }
}

fn piece(n: usize, piece: &Piece) -> Markup {
    html! {
        button .piece type="button" data-n=(n) data-face=(piece.face) disabled[piece.fixed.is_some()] {
            (die(piece.sides, piece.face))
            @if !piece.label.is_empty() { span .name { (piece.label) } }
            span .sr .where {}
        }
    }
}

/// The cards, and the odds with each number of dice.
fn hand(cards: &[Playable], bare: i8, row: &[Pooled]) -> Markup {
    html! {
        div .hand role="group" aria-label="Cards" data-bare=(bare) {
            @for (n, card) in cards.iter().enumerate() {
                button .playable type="button" aria-pressed="false" data-n=(n) data-kind=(card.kind) data-dice=(card.dice)
                    data-turns[card.turns] {
                    b { (signed(card.dice)) span .sr { " dice, " } }
                    span .called { (card.name) }
                    small { (card.kind) }
                }
            }
        }
        @if !row.is_empty() {
            ol .row aria-hidden="true" {
                @for pooled in row {
                    li data-dice=(pooled.dice) {
                        (bar(pooled))
                        b { (pooled.odds.share_of(Tone::Good)) }
                        small { (signed(pooled.dice)) }
                    }
                }
            }
            div .advice role="status" {
                @for pooled in row {
                    p data-dice=(pooled.dice) hidden {
                        b { (super::words::capital(&pooled.name)) ": " (pooled.odds.line()) ". " }
                        (pooled.advice)
                    }
                }
            }
        }
    }
}

/// A number of dice with its sign.
fn signed(dice: i8) -> String {
    match dice {
        1.. => format!("+{dice}"),
        _ => dice.to_string().replace('-', "−"),
    }
}

fn bar(pooled: &Pooled) -> Markup {
    let good = pooled.odds.rows.iter().find(|chance| chance.tone == Tone::Good);
    let high = good.map_or(0, |chance| pooled.odds.part(chance, 40));
    html! {
        svg viewBox="0 0 16 40" aria-hidden="true" {
            rect width="16" height="40" {}
            rect .good y=(40 - high) width="16" height=(high) {}
        }
    }
}

/// Two dice, with points that slide from one to the other.
fn slide(from: &Piece, to: &Piece, most: u8) -> Markup {
    let end = |piece: &Piece, shows: &dyn Fn(u8) -> u8| {
        html! {
            div .well {
                div .lies {
                    @for n in 0..=most { span .shows data-points=(n) hidden[n > 0] { (die(piece.sides, shows(n))) } }
                }
                span .name { (piece.label) }
            }
        }
    };
    html! {
        div .slide {
            (end(from, &|n| from.face.saturating_sub(n)))
            div .track {
                button .step type="button" data-step="-1" aria-label="One point back" { "‹" }
                input type="range" min="0" max=(most) step="1" value="0" autocomplete="off"
                    aria-label={ "Points from " (from.label) " to " (to.label) };
                button .step type="button" data-step="1" aria-label="One point more" { "›" }
                output .points { "0" }
            }
            (end(to, &|n| to.face.saturating_add(n)))
        }
    }
}

/// The answer that a laying means, as the list shows it. If the rules refuse it, as happens
/// while dice are being laid, the reasons.
///
/// # Errors
/// If the laying does not fit this ask's board.
pub(crate) fn arranged(table: &Table, who: Viewer, id: AskId, laid: &Laid) -> Result<Markup, Refused> {
    match table.game().arranged(id, laid, who) {
        Ok(listed) => {
            let odds = table.game().odds(id, &listed.answer, who);
            let choice = Choice { listed, parts: Vec::new() };
            Ok(ask::card(&choice, None, odds.as_ref(), Given::ByButton))
        }
        Err(refused) if refused.reasons.iter().any(|reason| reason.clause.is_some()) => Ok(html! {
            div .unfit {
                @for reason in &refused.reasons {
                    p {
                        (super::words::capital(&reason.what)) "."
                        @if let Some(clause) = reason.clause {
                            " " (rules::link(table.system(), clause.id(), "the rule"))
                        }
                    }
                }
            }
        }),
        Err(refused) => Err(refused),
    }
}
