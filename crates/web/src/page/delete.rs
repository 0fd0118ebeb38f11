//! The page on which a table is deleted and restored.

use super::layout::page;
use fracas_kernel::Viewer;
use fracas_live::hall::moment;
use maud::{Markup, html};
use std::time::Duration;

/// A table that was deleted, or may be.
pub(crate) struct Deletion<'d> {
    pub(crate) base: &'d str,
    /// The role of the person who deletes it.
    pub(crate) role: Viewer,
    pub(crate) title: &'d str,
    /// If deleted, until when it can be restored, in seconds since 1970.
    pub(crate) until: Option<i64>,
    /// How long a table that is deleted now can be restored.
    pub(crate) keep: Duration,
}

pub(crate) fn deletion(deletion: &Deletion<'_>) -> Markup {
    let Deletion { base, role, title, until, keep } = *deletion;
    let heading = if until.is_some() { "Deleted" } else { "Delete the table" };
    page(
        heading,
        "plain",
        html! {
            main .sheet {
                @match until {
                    Some(until) => {
                        h1 { bdi { (title) } " is deleted" }
                        p { "Nobody else can see it any more." }
                        p { "You can restore it until " time datetime=(moment(until)) { (moment(until)) } ". Then it is erased, and nobody can bring it back." }
                        form method="post" action={ (base) "/restore" } { button .go { "Have it back" } }
                        p { a href="/" { "Your tables" } }
                    },
                    None => {
                        p { a href={ (base) "/people" } { "← People and links" } }
                        h1 { "Delete " bdi { (title) } "?" }
                        p { "This deletes the table for everybody: its people, story, dice, links and tokens. People who have it open are sent away." }
                        @if keep.is_zero() {
                            p { "It is erased at once, and nobody can bring it back." }
                        } @else {
                            p { "You can restore it for " (period(keep)) ". Then it is erased, and nobody can bring it back." }
                        }
                        p .soft {
                            "To keep what was played, "
                            @if role.is_gm() { a href={ (base) "/log" } { "keep the table as a file" } }
                            @else { a href={ (base) "/story.md" } { "keep the story" } }
                            " first. What others kept of it stays theirs."
                        }
                        form method="post" action={ (base) "/delete" } {
                            input type="hidden" name="sure" value="yes";
                            button .stop { "Delete it for everybody" }
                        }
                    },
                }
            }
        },
    )
}

/// A period in words.
fn period(of: Duration) -> String {
    let (day, hour) = (24 * 60 * 60, 60 * 60);
    let seconds = of.as_secs();
    let (count, unit) = match seconds {
        seconds if seconds >= day && seconds.is_multiple_of(day) => (seconds / day, "day"),
        seconds if seconds >= hour && seconds.is_multiple_of(hour) => (seconds / hour, "hour"),
        seconds => (seconds, "second"),
    };
    if count == 1 { format!("a {unit}").replace("a hour", "an hour") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods() {
        for (seconds, words) in [
            (7 * 86_400, "7 days"),
            (86_400, "a day"),
            (7_200, "2 hours"),
            (3_600, "an hour"),
            (90, "90 seconds"),
        ] {
            assert_eq!(period(Duration::from_secs(seconds)), words);
        }
    }
}
