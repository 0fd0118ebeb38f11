//! The rulebook, clause by clause.

use super::layout::{Rule, page};
use fracas_kernel::{Entry, Kind, Rulebook, System};
use fracas_live::auth::role_of;
use fracas_store::TableId;
use maud::{Markup, html};

/// The table that the rules are read from: its id and the reader's role, as in its address.
#[derive(Default)]
pub(crate) struct ReadFrom(Option<String>);

impl ReadFrom {
    /// Reads the parameter of an address; empty if it names no table.
    pub(crate) fn new(said: &str) -> ReadFrom {
        let is_place = |(id, role): &(&str, &str)| TableId::new(id).is_some() && role_of(role).is_some();
        let place = said.split_once('/').filter(is_place);
        ReadFrom(place.map(|_| said.to_owned()))
    }

    /// The address of a page of the rules, with this table added.
    fn kept(&self, page: &str) -> String {
        let sign = if page.contains('?') { '&' } else { '?' };
        self.0.as_ref().map_or_else(|| page.to_owned(), |from| format!("{page}{sign}from={from}"))
    }
}

/// One clause: a part of a page, which the script also shows over the table.
pub(crate) fn clause(book: &Rulebook, entry: &Entry, from: &ReadFrom) -> Markup {
    page(
        &called(book, entry.id),
        "plain",
        html! {
            main .sheet {
                p { a href=(from.kept(&format!("/rules/{}", book.system))) { "← " (book.title) } }
                h1 .sr { (called(book, entry.id)) }
                article .rule { (clause_body(book, entry, from)) }
            }
        },
    )
}

/// The most letters of a title made from a clause's text.
const CALLED: usize = 64;

/// A title shorter than this says too little.
const FEWEST: usize = 16;

/// A clause's title: its question, or the beginning of its text.
fn called(book: &Rulebook, id: &str) -> String {
    book.entries.iter().find(|entry| entry.id == id).map_or_else(|| id.to_owned(), in_words)
}

/// The title of an entry.
fn in_words(entry: &Entry) -> String {
    let says = entry.question.unwrap_or(entry.plain.unwrap_or(entry.says)).trim();
    // A heading in the text, such as `Levels:`, is too short to be a title.
    let ends = |mark| says.match_indices(mark).map(|(at, _)| at).find(|at| *at >= FEWEST);
    let end = [". ", "; ", ": "].into_iter().filter_map(ends).min();
    let first = says[..end.unwrap_or(says.len())].trim_end_matches('.');
    let mut words = String::new();
    for word in first.split_whitespace() {
        if words.chars().count() + word.chars().count() > CALLED {
            words.push('…');
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// The link to a clause for refusals; `None` if the clause is for engineers only.
pub(crate) fn rule(system: &System, entry: &Entry) -> Option<Rule> {
    let for_people = entry.plain.or(entry.question).is_some();
    for_people.then(|| Rule { href: format!("/rules/{}/{}", system.id, entry.id), words: in_words(entry) })
}

/// A link to a rule: a few words on screen, and the rule's title for screen readers.
pub(super) fn link(system: &System, id: &str, words: &str) -> Markup {
    html! {
        a .why href={ "/rules/" (system.id) "/" (id) } title=(id) data-rule {
            (words) span .sr { ": " (called((system.rulebook)(), id)) }
        }
    }
}

fn clause_body(book: &Rulebook, entry: &Entry, from: &ReadFrom) -> Markup {
    html! {
        p .kicker { (entry.section) " · " (entry.kind.name()) @if entry.beyond { " · not from the document" } }
        @if let Some(question) = entry.question { h2 { (question) } } @else { h2 { code { (entry.id) } } }
        p .text { (entry.plain.unwrap_or(entry.says)) }
        @if entry.plain.is_some() { details { summary { "Exactly" } p { (entry.says) } } }
        @if let Some(why) = entry.why { p .soft { (why) } }
        @if !entry.needs.is_empty() {
            p .soft { "See " @for (n, id) in entry.needs.iter().enumerate() {
                @if n > 0 { "; " } a href=(from.kept(&format!("/rules/{}/{id}", book.system))) title=(id) data-rule { (called(book, id)) }
            } }
        }
    }
}

/// Whether an entry is written for people at a table and belongs to the system itself.
fn is_for_players(entry: &Entry) -> bool {
    let derived = ["derived", "illegal input"].iter().any(|word| entry.section.to_lowercase().contains(word));
    entry.plain.is_some() && !entry.beyond && !derived && !matches!(entry.kind, Kind::Gap | Kind::Example)
}

/// A system's rules chapter by chapter: those written for players, or every clause.
pub(crate) fn rulebook(book: &Rulebook, search: &str, every: bool, from: &ReadFrom) -> Markup {
    let page_of = |query: &str| from.kept(&format!("/rules/{}{query}", book.system));
    let wanted = search.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let fits = |entry: &&Entry| {
        (every || is_for_players(entry))
            && (wanted.is_empty()
                || entry.id.contains(&wanted)
                || has(entry.says)
                || entry.plain.is_some_and(has))
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
                p {
                    @match &from.0 {
                        Some(place) => a href={ "/t/" (place) } { "← The table" },
                        None => a href="/" { "← Fracas" },
                    }
                }
                h1 { (book.title) }
                form .row method="get" {
                    @if every { input type="hidden" name="every" value="1"; }
                    @if let Some(from) = &from.0 { input type="hidden" name="from" value=(from); }
                    input type="search" name="q" value=(search) aria-label="Search the rules" placeholder="Search the rules"; button { "Search" }
                }
                p .soft {
                    @if every { a href=(page_of("")) { "Only what is written for players" } }
                    @else { a href=(page_of("?every=1")) { "Every clause, exactly" } }
                }
                @if sections.is_empty() { p { "No clause says that." } }
                @for (section, entries) in &sections {
                    details open[!wanted.is_empty()] {
                        summary { (section) " " small { (entries.len()) } }
                        @for entry in entries { article .rule { (clause_body(book, entry, from)) } }
                    }
                }
            }
        },
    )
}
