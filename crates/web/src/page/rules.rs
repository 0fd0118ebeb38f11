//! The rulebook, clause by clause.

use super::layout::{Rule, page};
use fracas_kernel::{Entry, Kind, Rulebook, System};
use maud::{Markup, html};

/// One clause: a piece of a page, which the script also shows over the table.
pub(crate) fn clause(book: &Rulebook, entry: &Entry) -> Markup {
    page(
        &called(book, entry.id),
        "plain",
        html! {
            main .sheet {
                p { a href={ "/rules/" (book.system) } { "← " (book.title) } }
                h1 .sr { (called(book, entry.id)) }
                article .rule { (told(book, entry)) }
            }
        },
    )
}

/// The most letters by which a clause is called where it has no short name.
const CALLED: usize = 64;

/// The fewest letters that say something.
const FEWEST: usize = 16;

/// A clause in a few words: what it answers, or how what it says begins.
fn called(book: &Rulebook, id: &str) -> String {
    book.entries.iter().find(|entry| entry.id == id).map_or_else(|| id.to_owned(), in_words)
}

/// The same of an entry that is at hand.
fn in_words(entry: &Entry) -> String {
    let says = entry.question.unwrap_or(entry.plain.unwrap_or(entry.says)).trim();
    // A heading of its own, such as `Levels:`, says too little.
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

/// The rule of this clause, as those who were refused are led to it; none where it
/// speaks to engineers alone.
pub(crate) fn rule(system: &System, entry: &Entry) -> Option<Rule> {
    let for_people = entry.plain.or(entry.question).is_some();
    for_people.then(|| Rule { href: format!("/rules/{}/{}", system.id, entry.id), words: in_words(entry) })
}

/// A link to the rule behind something: a few words for everybody, and which rule it
/// is for whoever hears the page.
pub(super) fn link(system: &System, id: &str, words: &str) -> Markup {
    html! {
        a .why href={ "/rules/" (system.id) "/" (id) } title=(id) data-rule {
            (words) span .sr { ": " (called((system.rulebook)(), id)) }
        }
    }
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
                @if n > 0 { "; " } a href={ "/rules/" (book.system) "/" (id) } title=(id) data-rule { (called(book, id)) }
            } }
        }
    }
}

/// Whether an entry is for people at a table: written for them, and of the system itself.
fn is_for_players(entry: &Entry) -> bool {
    let derived = ["derived", "illegal input"].iter().any(|word| entry.section.to_lowercase().contains(word));
    entry.plain.is_some() && !entry.beyond && !derived && !matches!(entry.kind, Kind::Gap | Kind::Example)
}

/// A system's rules chapter by chapter: what is written for players, or every clause.
pub(crate) fn rulebook(book: &Rulebook, search: &str, every: bool) -> Markup {
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
                p { a href="/" { "← Fracas" } }
                h1 { (book.title) }
                form .row method="get" {
                    @if every { input type="hidden" name="every" value="1"; }
                    input type="search" name="q" value=(search) aria-label="Search the rules" placeholder="Search the rules"; button { "Search" }
                }
                p .soft {
                    @if every { a href={ "/rules/" (book.system) } { "Only what is written for players" } }
                    @else { a href={ "/rules/" (book.system) "?every=1" } { "Every clause, exactly" } }
                }
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
