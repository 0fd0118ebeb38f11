//! What the machine would answer for a seat.

use super::{layout::page, rules};
use fracas_face::hint::{Advice, BY, Hint};
use fracas_kernel::System;
use maud::{Markup, html};

/// Hints at the open asks of a seat.
pub(crate) fn hint((base, title): (&str, &str), system: &System, hints: &[Hint]) -> Markup {
    page(
        "A hint",
        "plain",
        html! {
            main .sheet .hindsight {
                p { a href=(base) { "← " bdi { (title) } } }
                h1 { "A hint" }
                @if hints.is_empty() { p .lead { "You are asked nothing now that has more than one answer." } }
                @for hint in hints {
                    section .hint {
                        p .kicker { (hint.ask) }
                        h2 { (hint.best.text) }
                        (advice(system, &hint.best))
                        h3 { "What else it weighed" }
                        ul { @for other in &hint.others {
                            li { b { (other.text) } " " span .soft { (format!("{:.1} worse", other.behind)) } (advice(system, other)) }
                        } }
                    }
                }
                p .soft { (BY) " How much worse is told in the units of its own judgement." }
            }
        },
    )
}

fn advice(system: &System, advice: &Advice) -> Markup {
    html! {
        @if !advice.leads.is_empty() || advice.odds.is_some() || advice.clause.is_some() {
            p .soft dir="auto" {
                (advice.leads)
                @if let Some(odds) = &advice.odds { @if !advice.leads.is_empty() { "; " } "the roll: " (odds) }
                @if let Some(clause) = advice.clause { " " (rules::link(system, clause.id(), "why")) }
            }
        }
    }
}
