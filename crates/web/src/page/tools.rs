//! What a viewer may do beside answering: what belongs to the moment, and the settings of table and seat.

use super::{overrule, words::capital};
use fracas_kernel::{Prepared, Seat, Viewer, form::Form};
use fracas_live::glance::Glance;
use fracas_live::settings::GRACE;
use maud::{Markup, html};

/// What a viewer may do about the moment itself: take something back, overrule, let the machine go on.
pub(super) fn at_hand(glance: &Glance<'_>) -> Markup {
    let base = glance.base();
    html! {
        @match glance.who {
            Viewer::Spectator => {},
            Viewer::Seat(Seat::Gm) => {
                div .at-hand {
                    @if let Some(line) = glance.table.last_done() {
                        form method="post" action={ (base) "/undo" } data-act {
                            input type="hidden" name="line" value=(line);
                            button { "Take the last thing back" }
                        }
                    }
                    a .button href={ (base) "/overrule" } data-over { "Overrule" }
                    (hint(glance, &base))
                }
            },
            Viewer::Seat(seat) => {
                @let takes_back = glance.table.may_take_back(seat).is_ok();
                @let goes_on = glance.leads() && waits_for_machine(glance);
                @if takes_back || goes_on || !glance.is_over() {
                    div .at-hand {
                        (hint(glance, &base))
                        @if takes_back {
                            form method="post" action={ (base) "/take-back" } data-act { button { "Take my answer back" } }
                        }
                        @if goes_on {
                            form method="post" action={ (base) "/go-on" } data-act { button { "Let the machine go on" } }
                        }
                    }
                }
            },
        }
    }
}

/// The way to what the machine would answer.
fn hint(glance: &Glance<'_>, base: &str) -> Markup {
    html! { @if !glance.is_over() { a .button href={ (base) "/hint" } { "Hint" } } }
}

/// Whether the table waits for nobody but the machine, as far as this player may know. Where people are asked
/// too, the machine waits for them.
fn waits_for_machine(glance: &Glance<'_>) -> bool {
    let settings = glance.around.settings;
    let waited_for = glance.waited_for();
    settings.bots.contains_key(&Seat::Gm)
        && !settings.paused
        && !waited_for.is_empty()
        && waited_for.iter().all(|seat| settings.bots.contains_key(seat))
}

/// What the gamemaster has prepared: things to count, and calls to say with one press.
pub(crate) fn desk(glance: &Glance<'_>) -> Markup {
    let (base, prepared) = (glance.base(), glance.table.log().header().prepared());
    if !glance.who.is_gm() || glance.is_over() || prepared == Prepared::default() {
        return html! {};
    }
    html! {
        details .desk data-keep="desk" open {
            summary { "Only you see this" }
            @for (nth, tally) in prepared.tallies.iter().enumerate() {
                @let now = glance.around.settings.counted(nth);
                @let met = now >= tally.to;
                form .tally .met[met] method="post" action={ (base) "/tally" } data-act {
                    input type="hidden" name="nth" value=(nth);
                    span {
                        b { (tally.what) }
                        @if !tally.then.is_empty() { span .soft { ": " (tally.then) } }
                        @if met { " " span .chip { "reached" } }
                    }
                    button name="by" value="-1" aria-disabled=[(now == 0).then_some("true")] aria-label={ "One less: " (tally.what) } { "−" }
                    b .counted role="status" { (now) "/" (tally.to) }
                    button name="by" value="1" aria-label={ "One more: " (tally.what) } { "+" }
                }
            }
            @for call in &prepared.calls {
                form .call method="post" action={ (base) "/note" } data-act {
                    input type="hidden" name="text" value=(call);
                    input type="hidden" name="to" value="all";
                    // Sent twice by accident, it is said once.
                    input type="hidden" name="at" value=(glance.table.log().next());
                    button title="Say this to everybody" { (call) }
                }
            }
        }
    }
}

/// The settings of the table and of the viewer's seat, and where else to go.
pub(crate) fn tools(glance: &Glance<'_>) -> Markup {
    let base = glance.base();
    let gm = glance.who.is_gm();
    html! {
        @if glance.who == Viewer::Spectator {
            p .soft { "You are watching." }
            p .soft {
                "For streaming: " a href={ "/t/" (glance.around.id) "/overlay" } { "the overlay" }
                " shows this table over a video as spectators see it, with nothing to press."
            }
        }
        @if let Some((from, after)) = glance.around.settings.branch_of.as_ref().filter(|_| gm) {
            p .soft {
                "A branch of " a href={ "/t/" (from) "/gm" } { "the table it came from" } ", from line " (after) " on."
            }
        }
        @if glance.leads() {
            div .row {
                a .button href={ (base) "/people" } { "People and links" }
                @if gm { a .button href={ (base) "/log" } { "Keep the table as a file" } }
                @if gm && glance.goes_on() { a .button href={ (base) "/next" } { "Another evening" } }
            }
            @if !glance.is_over() {
                (machine(glance, &base))
                @if gm { (pace(glance, &base)) }
            }
        }
        @if let Viewer::Seat(seat) = glance.who { (seat_settings(glance, seat, &base)) }
        p .quiet {
            a href={ (base) "/story" } { "The story to read" } " · "
            a href={ (base) "/story.md" } { "as Markdown" } " · "
            @if glance.sees_turns() { a href={ (base) "/turns" } { "Where it turned" @if gm { ", and what if" } } " · " }
            a href={ "/rules/" (glance.table.system().id) "?from=" (base.trim_start_matches("/t/")) } { "The rules" } " · "
            a href={ (base) "/programs" } { "Programs" }
        }
    }
}

/// How a seat is asked and answered for. Empty once play has ended.
fn seat_settings(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    html! {
        @if !glance.is_over() {
            (throws(glance, seat, base))
            (passes(glance, seat, base))
            (standing(glance, seat, base))
        }
    }
}

/// Which seats the machine plays.
fn machine(glance: &Glance<'_>, base: &str) -> Markup {
    let bots = &glance.around.settings.bots;
    html! {
        details data-keep="machine" {
            summary { "Who plays" }
            p .soft { "The machine can take any seat, yours too, and give it back." }
            @for info in glance.table.game().seats().iter().filter(|info| glance.who.is_gm() || info.seat != Seat::Gm) {
                form .row method="post" action={ (base) "/bot" } data-act {
                    input type="hidden" name="seat" value=(info.seat);
                    span { bdi { (capital(&glance.name(info.seat))) } }
                    @if bots.contains_key(&info.seat) {
                        button name="on" value="no" { "A person again" }
                    } @else {
                        button name="on" value="yes" { "Let the machine play" }
                    }
                }
            }
        }
    }
}

/// How long players may let the table wait, in seconds and in words.
const DEADLINES: [(u32, &str); 9] = [
    (0, "as long as they like"),
    (120, "2 minutes"),
    (300, "5 minutes"),
    (900, "15 minutes"),
    (3_600, "an hour"),
    (43_200, "12 hours"),
    (86_400, "a day"),
    (259_200, "3 days"),
    (604_800, "a week"),
];

/// How long the machine waits for players who may step in, in seconds.
const GRACES: [u32; 5] = [1, 3, 8, 20, 60];

/// The settings of how long the table waits.
fn pace(glance: &Glance<'_>, base: &str) -> Markup {
    let settings = glance.around.settings;
    let deadline = settings.deadline.unwrap_or(0);
    let grace = settings.grace.unwrap_or(GRACE);
    html! {
        details data-keep="pace" {
            summary { "How long the table waits" }
            form method="post" action={ (base) "/pace" } data-act {
                label { "A player may let the table wait"
                    select name="deadline" {
                        @if !DEADLINES.iter().any(|(seconds, _)| *seconds == deadline) {
                            option value=(deadline) selected { (deadline) " seconds" }
                        }
                        @for (seconds, words) in DEADLINES { option value=(seconds) selected[seconds == deadline] { (words) } }
                    }
                }
                p .soft { "After that an ask to them is declined, or the machine answers if it cannot be declined; their dice are thrown. The log says so." }
                label { "The machine goes on after"
                    select name="grace" {
                        @if !GRACES.contains(&grace) { option value=(grace) selected { (grace) " seconds" } }
                        @for seconds in GRACES { option value=(seconds) selected[seconds == grace] { (seconds) @if seconds == 1 { " second" } @else { " seconds" } } }
                    }
                }
                p .soft { "So that players may step in. It waits as long whether anybody can or not, so that its waiting tells nothing." }
                button { "Save" }
            }
        }
    }
}

fn throws(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    let on = glance.around.settings.throws.contains(&seat);
    html! {
        form .row method="post" action={ (base) "/throws" } data-act {
            span { @if on { "Your dice are thrown at once." } @else { "You throw your dice yourself." } }
            button name="on" value=(if on { "no" } else { "yes" }) { @if on { "Let me throw" } @else { "Throw them for me" } }
        }
    }
}

/// Whether an ask that gains the seat nothing is declined at once. Then nobody waits for the
/// seat, and nobody learns that it was asked.
fn passes(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    let on = glance.around.settings.passes.contains(&seat);
    html! {
        form .row method="post" action={ (base) "/passes" } data-act {
            span { @if on { "Offers that cannot help you are declined for you." } @else { "You are asked each time that you may step in." } }
            button name="on" value=(if on { "no" } else { "yes" }) { @if on { "Ask me always" } @else { "Decline offers that cannot help me" } }
        }
    }
}

fn standing(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    let game = glance.table.game();
    let forms = game.standing_forms();
    let given: Vec<(String, String)> = game
        .standing()
        .into_iter()
        .filter(|(whose, _)| *whose == seat)
        .map(|(_, reply)| {
            let words = game.standing_told(seat, &reply, true).or_else(|| Form::tell(&forms, &reply));
            let words = words.unwrap_or_else(|| reply.clone());
            (reply, words)
        })
        .collect();
    let examples = forms.iter().zip(game.standings());
    let offered: Vec<_> = examples
        .filter(|(_, (reply, _))| game.may_stand(seat, reply).is_ok())
        .filter(|(_, (reply, _))| !game.stands_by(seat, reply))
        .map(|(form, _)| form)
        .collect();
    html! {
        @if !offered.is_empty() || !given.is_empty() {
            details data-keep="standing" {
                summary { "Standing replies" @if !given.is_empty() { " " small { (given.len()) } } }
                p .soft { "What your seat answers without being asked, until you take it back or what it is for is over." }
                (overrule::standing(base, &offered, &given, false))
            }
        }
    }
}
