//! A table's page: head, stage, moment, story, cast, settings.

use super::layout::{self, Note};
use super::words::{about, capital};
use fracas_kernel::{Seat, Viewer};
use fracas_live::sight::{Sent, TAIL};
use fracas_live::{glance::Glance, settings::Watchers};
use fracas_table::Table;
use maud::{Markup, PreEscaped, html};

/// The people and their presence, and whom the table waits for.
pub(crate) fn head(glance: &Glance<'_>) -> Markup {
    let table = glance.table;
    let waited = glance.waited_for();
    let settings = glance.around.settings;
    let stage = glance.stage();
    let portraits = table.log().header().portraits();
    html! {
        div .bar {
            h1 { a href="/" title="Your tables" { bdi { (table.log().header().title) } } }
            span .chip .system { ((table.system().rulebook)().title) }
            @if settings.unverified {
                span .chip .halt title=(UNVERIFIED) { "Not verified" span .sr { ": " (UNVERIFIED) } }
            }
            (pause(glance))
        }
        ul .turns aria-label="Who is here" {
            @for info in table.game().seats() {
                @let here = glance.around.present.contains_key(&Viewer::Seat(info.seat));
                @let bot = settings.bots.contains_key(&info.seat);
                @let now = !settings.paused && waited.contains(&info.seat);
                @let you = glance.seat() == Some(info.seat);
                li .now[now] .away[!here && !bot] {
                    @if let Some(token) = info.holds.first().filter(|_| info.seat != Seat::Gm).and_then(|id| stage.token(id)) { (super::scenery::portrait(&portraits, &token.name, &format!("head-{}", info.seat))) }
                    span .who { bdi { (capital(&glance.name(info.seat))) } @if you { span .yours { ", you" } } }
                    @if bot { span .mark title="Played by the machine" { " ⚙" span .sr { " (the machine)" } } }
                    @else if here { span .mark .here title="Here" { " ●" span .sr { " (here)" } } }
                    @if now { span .sr { ", awaited" } }
                }
            }
        }
    }
}

/// What an unverified table is.
const UNVERIFIED: &str = "this table came in as a file, and a part of it is of earlier rules that cannot be run again: \
     what that part says may have been changed";

/// The X-card. Players may press it, and spectators if the gamemaster lets them; nobody is
/// named.
fn pause(glance: &Glance<'_>) -> Markup {
    html! {
        @if glance.around.settings.paused {
            span .chip .halt { "Paused" }
        } @else if glance.is_over() {
            // A game that is over cannot be paused.
        } @else if glance.who != Viewer::Spectator || glance.around.settings.watchers == Watchers::MayPause {
            form .pause method="post" action={ (glance.base()) "/pause" } data-act {
                button .x title="Pauses the table for everybody; nobody is told who pressed it" { "✕ Pause" }
            }
        }
    }
}

/// What a whole page shows.
pub(crate) struct Shown<'p> {
    /// The address of the viewer's page.
    pub(crate) base: &'p str,
    pub(crate) sent: &'p Sent,
    /// The viewer's moment, with its open group of answers.
    pub(crate) moment: &'p str,
    /// The message at the top, shown once.
    pub(crate) note: &'p Note,
    /// The first line of the story on the page.
    pub(crate) from: usize,
    /// How many lines this browser had seen.
    pub(crate) seen: usize,
}

pub(crate) fn table(table: &Table, who: Viewer, shown: &Shown<'_>) -> Markup {
    let Shown { base, sent, note, from, .. } = *shown;
    let title = &table.log().header().title;
    let lines = &sent.lines[from.min(sent.lines.len())..];
    layout::page_of(
        Some(table.system().id),
        title,
        "table",
        html! {
            div #table data-base=(base) data-mark=(sent.mark) data-role=(who) data-due[sent.due] {
                header #head .top { (PreEscaped(&sent.regions.head)) }
                p #said .sr role="status" aria-live="polite" {}
                // The script fills this, and also announces it to screen readers.
                p #lost aria-hidden="true" {}
                main .table-parts {
                    div .scene-and-moment {
                        // The picture never changes, so it is sent once.
                        div .scenery {
                            (super::scenery::picture(title, &about(table, who), table.system().id))
                            section #stage aria-label="The table" { (PreEscaped(&sent.regions.stage)) }
                        }
                        div .play-sheet {
                            div #refused { (note.show()) }
                            aside #since aria-label="What you missed" { (since(sent, base, shown.seen, from)) }
                            // The script fills this when a token is pressed.
                            p #picked role="status" hidden {}
                            section #moment aria-label="The moment" tabindex="-1" { (PreEscaped(shown.moment)) }
                        }
                    }
                    div .beside {
                        nav .tabs aria-label="Parts of the table" {
                            a href="#moment" aria-current="true" { "Moment" }
                            a href="#story" { "Story" }
                            a href="#cast" { "Cast" }
                            a href="#settings" { "Settings" }
                        }
                        aside #cast aria-label="Cast" { (PreEscaped(&sent.regions.cast)) }
                        section #story aria-label="Story" {
                            @if from > 0 {
                                p .older { a href={ (base) "?from=" (from.saturating_sub(TAIL * 2)) "#story" } { "Earlier" } }
                            }
                            @if who.is_gm() { div #desk { (PreEscaped(&sent.regions.desk)) } }
                            ol #lines data-from=(from) { @for line in lines { (PreEscaped(&line.html)) } }
                            // The script shows this to a viewer who has scrolled up.
                            button #newer type="button" hidden { "Newer ↓" }
                            @if who.is_gm() { form #rewind method="post" action={ (base) "/rewind" } data-act {} }
                            (write(who, base, sent))
                        }
                        aside #settings aria-label="Settings" {
                            div #tools { (PreEscaped(&sent.regions.tools)) }
                            @if who != Viewer::Spectator {
                                // Only the script can do this, so the script shows it.
                                button #nudge type="button" aria-pressed="false" hidden { "Tell me when it is my move" }
                            }
                            button #knocks type="button" aria-pressed="true" hidden { "Sound of dice" }
                        }
                    }
                }
            }
            // The script lets dice roll here; the story says what they show.
            div #fall aria-hidden="true" hidden {}
            dialog #rule aria-label="The rule" { form method="dialog" { button .close aria-label="Close" { "×" } } div .body {} }
            dialog #whole aria-label="The sheet" { form method="dialog" { button .close aria-label="Close" { "×" } } div .body {} }
            @if who.is_gm() {
                dialog #over aria-label="Overrule" { form method="dialog" { button .close aria-label="Close" { "×" } } div .body .sheet {} }
            }
        },
    )
}

/// The most missed lines that a returning viewer is shown.
const TOLD_AGAIN: usize = 6;

/// The lines since the viewer was here last.
fn since(sent: &Sent, base: &str, seen: usize, from: usize) -> Markup {
    let new = sent.lines.get(seen..).unwrap_or_default();
    // A viewer's own lines are not news to them.
    let missed: Vec<&str> = new
        .iter()
        .filter(|line| !line.own)
        .map(|line| line.said.as_str())
        .filter(|said| !said.is_empty())
        .collect();
    html! {
        @if seen > 0 && !missed.is_empty() {
            div .since {
                details open {
                    summary { "Since you left: " (missed.len()) @if missed.len() == 1 { " line" } @else { " lines" } }
                    @if missed.len() > TOLD_AGAIN {
                        @let to = if seen < from { format!("{base}?from={seen}#line-{seen}") } else { format!("#line-{seen}") };
                        p { a href=(to) { "From where you left" } " · the last of it:" }
                    }
                    ul { @for said in missed.iter().skip(missed.len().saturating_sub(TOLD_AGAIN)) { li dir="auto" { (said) } } }
                }
                // The lines are shown once: a reload drops them.
                a .close href=(base) data-close aria-label="Close what you missed" { "×" }
            }
        }
    }
}

/// The form for notes.
fn write(who: Viewer, base: &str, sent: &Sent) -> Markup {
    let Viewer::Seat(seat) = who else { return html! {} };
    html! {
        form .write method="post" action={ (base) "/note" } data-act {
            input type="hidden" name="at" value=(sent.mark);
            textarea name="text" rows="2" maxlength="8000" required placeholder=(if seat == Seat::Gm { "Write what happens…" } else { "Say or tell…" }) aria-label="Write" {}
            div .row {
                span #whom { (PreEscaped(&sent.regions.whom)) }
                button { "Write" }
            }
        }
    }
}

/// The choice of readers for a note.
pub(crate) fn whom(glance: &Glance<'_>) -> Markup {
    let Some(seat) = glance.seat() else { return html! {} };
    let seats = glance.table.game().seats();
    html! {
        select name="to" aria-label="For whom" {
            option value="all" { "for everybody" }
            @if seat != Seat::Gm { option value="gm" { "for " (glance.name(Seat::Gm)) } }
            @else { option value="gm" { "a note to yourself" } }
            @for other in seats.iter().map(|info| info.seat).filter(|other| *other != seat && *other != Seat::Gm) {
                option value=(other) { "for " (glance.name(other)) @if seat != Seat::Gm { " and " (glance.name(Seat::Gm)) } }
            }
        }
    }
}
