//! The rulebook, clause by clause.

use super::layout::page;
use fracas_kernel::{Entry, Rulebook};
use maud::{Markup, html};

/// One clause: a piece of a page, which the script also shows over the table.
pub(crate) fn clause(book: &Rulebook, entry: &Entry) -> Markup {
    page(
        entry.id,
        "plain",
        html! {
            main .sheet {
                p { a href={ "/rules/" (book.system) } { "← " (book.title) } }
                h1 .sr { (entry.id) }
                article .rule { (told(book, entry)) }
            }
        },
    )
}

fn told(book: &Rulebook, entry: &Entry) -> Markup {
    html! {
        p .kicker { (entry.section) " · " (entry.kind.name()) @if entry.beyond { " · not from the document" } }
        @if let Some(question) = entry.question { h2 { (question) } } @else { h2 { code { (entry.id) } } }
        p .text { (entry.plain.unwrap_or(entry.says)) }
        @if entry.plain.is_some() { details { summary { "Exactly" } p { (entry.says) } } }
        @if let Some(why) = entry.why { p .soft { (why) } }
        @if !entry.needs.is_empty() {
            p .soft { "See " @for (n, id) in entry.needs.iter().enumerate() {
                @if n > 0 { ", " } a href={ "/rules/" (book.system) "/" (id) } data-rule { (id) }
            } }
        }
    }
}

/// Every clause of a system, chapter by chapter.
pub(crate) fn rulebook(book: &Rulebook, search: &str) -> Markup {
    let wanted = search.trim().to_lowercase();
    let fits = |entry: &&Entry| {
        wanted.is_empty() || entry.id.contains(&wanted) || entry.says.to_lowercase().contains(&wanted)
    };
    let mut sections: Vec<(&str, Vec<&Entry>)> = Vec::new();
    for entry in book.entries.iter().filter(fits) {
        match sections.iter_mut().find(|(name, _)| *name == entry.section) {
            Some((_, entries)) => entries.push(entry),
            None => sections.push((entry.section, vec![entry])),
        }
    }
    page(
        book.title,
        "plain",
        html! {
            main .sheet {
                p { a href="/" { "← Fracas" } }
                h1 { (book.title) }
                form .row method="get" { input type="search" name="q" value=(search) aria-label="Search the rules" placeholder="Search the rules"; button { "Search" } }
                @if sections.is_empty() { p { "No clause says that." } }
                @for (section, entries) in &sections {
                    details open[!wanted.is_empty()] {
                        summary { (section) " " small { (entries.len()) } }
                        @for entry in entries { article .rule { (told(book, entry)) } }
                    }
                }
            }
        },
    )
}
