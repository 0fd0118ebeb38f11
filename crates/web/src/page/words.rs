//! Small phrases that many pages share.

use fracas_kernel::{About, Viewer};
use fracas_table::Table;
use maud::{Markup, html};

/// What a table's encounter says about itself, as far as this viewer may read it.
pub(super) fn about(table: &Table, who: Viewer) -> About {
    let header = table.log().header();
    let is_told = who.is_gm() || fracas_systems::tells_summary(&header.system, header.version);
    if is_told { header.about() } else { About::default() }
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// `1 point`, `3 points`.
pub(super) fn some(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Names as `a, b and c` for a sentence; each keeps its own direction of writing.
pub(super) fn names(names: &[String]) -> Markup {
    html! {
        @for (n, name) in names.iter().enumerate() {
            @if n > 0 { @if n + 1 == names.len() { " and " } @else { ", " } }
            bdi { (name) }
        }
    }
}

/// `a, b and c`.
pub(super) fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
