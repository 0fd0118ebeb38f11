//! Where an evening turned, and what may come of a moment: for the gamemaster, and afterwards for others.

use super::layout::page;
use super::words::{capital, some};
use fracas_hindsight::{self as hindsight, By, Choice, Moment, Outlook, Shares, Turn, Turns};
use fracas_kernel::Seat;
use fracas_live::hindsight::{Progress, Step};
use maud::{Markup, PreEscaped, html};

/// A table whose past is looked at.
pub(crate) struct Past<'p> {
    /// The address of the viewer's page.
    pub(crate) base: &'p str,
    pub(crate) is_gm: bool,
    /// Whether everybody is shown where the evening turned; `None` if that is not the viewer's to say.
    pub(crate) told: Option<bool>,
    pub(crate) title: &'p str,
    /// The names of seats, the gamemaster's first.
    pub(crate) names: &'p [(Seat, String)],
}

impl Past<'_> {
    fn name(&self, by: By) -> String {
        match by {
            By::Dice => "The dice".to_owned(),
            By::Overruled => "Overruled".to_owned(),
            By::Seat(seat) => {
                let found = self.names.iter().find(|(of, _)| *of == seat);
                found.map_or_else(|| capital(&seat.to_string()), |(_, name)| capital(name))
            }
        }
    }

    fn back(&self) -> Markup {
        html! { p { a href=(self.base) { "← " bdi { (self.title) } } " · " a href={ (self.base) "/story" } { "The story" } } }
    }
}

/// After how many seconds a page that waits for a job loads itself again.
pub(crate) const AGAIN: &str = "2";

/// The players who play on, and what they cannot know.
const BRISK: &str =
    "Played on by brisk players on both sides, who go by rules of thumb and do not look ahead.";
/// What the gamemaster should know of it.
const HIDDEN: &str =
    "They play with everything that is hidden, so keep this to yourself until the evening is over.";

/// Where the evening turned, or how far the work is.
pub(crate) fn turns(past: &Past<'_>, progress: &Progress<Turns>) -> Markup {
    page(
        "Where it turned",
        "plain",
        html! {
            main .sheet .hindsight {
                (past.back())
                h1 { "Where it turned" }
                @match progress {
                    Progress::Done(turns) => (found(past, turns)),
                    Progress::Working(_) | Progress::Busy | Progress::Failed(_) => (under_way(progress)),
                }
            }
        },
    )
}

/// How far work is that a page waits for, or why there is no result.
pub(super) fn under_way<T>(progress: &Progress<T>) -> Markup {
    html! {
        @match progress {
            Progress::Working(Step { doing, done, of }) => {
                p .lead role="status" { @if *of > 0 { (capital(doing)) ": " (done) " of " (of) " so far." } @else { "About to begin." } }
                @if *of > 0 { progress value=(done) max=(of) aria-label=(capital(doing)) {} }
                p .soft { "This page loads itself again until it is done. Play can go on meanwhile." }
            },
            Progress::Busy => p .lead role="status" { "Others are worked on first. This page tries again in a moment." },
            Progress::Failed(why) => p .lead role="alert" { "That cannot be worked out: " (why) "." },
            Progress::Done(_) => {},
        }
    }
}

fn found(past: &Past<'_>, turns: &Turns) -> Markup {
    let conflicts = turns.points.first().map_or(0, |point| point.outlook.conflicts);
    html! {
        p .lead { "The players' chance to win, after each move: " (some(conflicts as usize, "conflict")) " played on from each." }
        figure .curve {
            (curve(turns))
            figcaption .soft { "From the beginning on the left to now on the right; the dashed line is an even chance." }
        }
        @if turns.turns.is_empty() { p { "No single move changed the chances by 5 points or more." } }
        ol .turning-points { @for (n, turn) in turns.turns.iter().enumerate() { (card(past, n + 1, turn)) } }
        @if let Some(shares) = &turns.shares { (luck(shares)) }
        p .soft { (BRISK) @if past.is_gm { " " (HIDDEN) } }
        p { a .button href={ (past.base) "/turns.svg" } download { "Save the curve as a picture" } }
        @if let Some(is_shown) = past.told {
            form method="post" action={ (past.base) "/turns" } {
                p .soft { "This page may tell what was hidden." }
                @if is_shown { button name="told" value="no" { "Keep it from the others again" } }
                @else { button name="told" value="yes" { "Show it to everybody at the table" } }
            }
        }
    }
}

fn card(past: &Past<'_>, n: usize, turn: &Turn) -> Markup {
    let better = turn.after.chance() >= turn.before.chance();
    html! {
        li {
            h2 { span .nth { (n) } " " bdi { (past.name(turn.by)) } ": " span .up[better] .down[!better] { (percent(turn.before)) " → " (percent(turn.after)) } }
            p dir="auto" { (turn.text) }
            @if let Some(odds) = &turn.odds { p .soft { "The odds were: " (odds) "." } }
            @if let Some(instead) = &turn.instead {
                p .soft { "Another answer: " bdi { (instead.text) } " (" (with_interval(instead.outlook)) ")." }
            }
            // Lines are counted as the gamemaster sees them.
            @if past.is_gm {
                p {
                    a href={ (past.base) "#line-" (turn.n) } { "In the story" }
                    " · "
                    a href={ (past.base) "/from/" (turn.before_seq) } { "What if, from right before it" }
                }
            }
        }
    }
}

/// Luck apart from choices.
fn luck(shares: &Shares) -> Markup {
    let rows = [
        ("All dice together", shares.dice),
        ("The players' choices", shares.players),
        ("The gamemaster's choices", shares.gm),
        ("What was overruled", shares.overruled),
    ];
    html! {
        h2 { "Luck and choices" }
        p .soft { "How far each moved the players' chances in all. Dice count against their odds, choices against those of a brisk player in that place. After ±: how far each may be off." }
        table {
            tbody { @for (name, share) in rows { tr { th scope="row" { (name) } td .num { (points(share.sum)) " ± " (((share.within * 100.0).round()) as i64) } } } }
        }
    }
}

/// What may come of a moment, with the way to a table that goes on from it.
pub(crate) fn from(past: &Past<'_>, after: u64, moment: &Moment, title: &str) -> Markup {
    page(
        "What if",
        "plain",
        html! {
            main .sheet .hindsight {
                (past.back())
                h1 { "What if, from after line " (after) }
                @match moment.outlook {
                    Some(outlook) => p .lead { "Played on " (some(outlook.conflicts as usize, "time")) ", the players win " b { (with_interval(outlook)) } "." },
                    None => p .lead { "Play is over at this moment." },
                }
                form method="post" {
                    label { "Play on from here, at a table of its own"
                        input name="title" maxlength="80" value=(title) autocomplete="off"; }
                    button .go { "Open the branch" }
                    p .soft { "It begins with everything up to this line; this table stays as it is. Its further dice are its own. Invite people as to any table." }
                }
                @if let Some((dice, odds)) = &moment.due {
                    h2 { (dice) " are due" }
                    @if let Some(odds) = odds { p { (odds) "." } }
                }
                @for ask in &moment.asks {
                    @let who: Vec<String> = ask.seats.iter().map(|seat| past.name(By::Seat(*seat))).collect();
                    h2 { bdi { (who.join(", ")) } ": " (ask.text) }
                    @let rolls = ask.answers.iter().any(|choice| choice.odds.is_some());
                    div .wide {
                        table {
                            thead { tr { th scope="col" { "Answer" } @if rolls { th scope="col" { "What its roll brings" } } th scope="col" .num { "The players win then" } } }
                            tbody { @for choice in &ask.answers { (row(choice, rolls)) } }
                        }
                    }
                    @if ask.more > 0 { p .soft { (some(ask.more, "further answer")) " can be given." } }
                }
                p .soft { (BRISK) }
            }
        },
    )
}

fn row(choice: &Choice, rolls: bool) -> Markup {
    html! {
        tr {
            td dir="auto" { (choice.text) }
            @if rolls { td .soft { @if let Some(odds) = &choice.odds { (odds) } } }
            td .num { @if let Some(outlook) = choice.outlook { (with_interval(outlook)) } }
        }
    }
}

/// The curve of the chances, drawn with the page's own colours.
fn curve(turns: &Turns) -> Markup {
    let label = match (turns.points.first(), turns.points.last()) {
        (Some(first), Some(last)) => {
            format!(
                "The players' chance to win: {} at first, {} now",
                percent(first.outlook),
                percent(last.outlook)
            )
        }
        _ => "No moments".to_owned(),
    };
    html! {
        svg viewBox={ "0 -26 " (hindsight::WIDTH) " " (hindsight::HEIGHT + 52.0) } role="img" aria-label=(label) { (PreEscaped(hindsight::curve(turns))) }
    }
}

fn percent(outlook: Outlook) -> String {
    format!("{:.0} %", outlook.chance() * 100.0)
}

/// `61 % (58 to 64 %)`.
fn with_interval(outlook: Outlook) -> String {
    let (low, high) = outlook.interval();
    format!("{} ({:.0} to {:.0} %)", percent(outlook), low * 100.0, high * 100.0)
}

/// `+12 points`.
fn points(share: f64) -> String {
    let points = (share * 100.0).round() as i64;
    let sign = if points > 0 {
        "+"
    } else if points < 0 {
        "−"
    } else {
        ""
    };
    format!("{sign}{}", some(points.unsigned_abs() as usize, "point"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_their_sign() {
        for (share, words) in [(0.124, "+12 points"), (-0.01, "−1 point"), (0.001, "0 points")] {
            assert_eq!(points(share), words);
        }
    }
}
