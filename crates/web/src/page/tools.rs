//! What else a viewer may do: the drawer beside the moment.

use super::{Glance, and, capital, layout, overrule, qr};
use crate::{
    auth,
    settings::{Door, GRACE},
};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Member, Pass, Standing};
use maud::{Markup, html};

/// The drawer.
pub(crate) fn tools(glance: &Glance<'_>) -> Markup {
    let base = glance.base();
    html! {
        @match glance.who {
            Viewer::Spectator => {
                p .soft { "You are watching." }
            },
            Viewer::Seat(Seat::Gm) => (gamemaster(glance, &base)),
            Viewer::Seat(seat) => (player(glance, seat, &base)),
        }
        p .quiet {
            a href={ (base) "/story" } { "The story to read" } " · "
            a href={ (base) "/story.md" } { "as Markdown" } " · "
            a href={ "/rules/" (glance.table.system().id) } { "The rules" } " · "
            a href={ (base) "/programs" } { "Programs" }
        }
    }
}

fn player(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    html! {
        @if glance.table.may_take_back(seat).is_ok() {
            form method="post" action={ (base) "/take-back" } data-act { button { "Take my answer back" } }
        }
        (throws(glance, seat, base))
        (passes(glance, seat, base))
        (standing(glance, seat, base))
    }
}

fn gamemaster(glance: &Glance<'_>, base: &str) -> Markup {
    html! {
        div .row {
            @if let Some(line) = glance.table.last_done() {
                form method="post" action={ (base) "/undo" } data-act {
                    input type="hidden" name="line" value=(line);
                    button { "Take the last thing back" }
                }
            }
            a .button href={ (base) "/overrule" } data-over { "Overrule" }
            a .button href={ (base) "/people" } { "People and links" }
            a .button href={ (base) "/log" } { "Keep the table as a file" }
            a .button href={ (base) "/next" } { "Another evening" }
        }
        (machine(glance, base))
        (pace(glance, base))
        (throws(glance, Seat::Gm, base))
        (passes(glance, Seat::Gm, base))
        (standing(glance, Seat::Gm, base))
    }
}

/// Which seats the machine plays.
fn machine(glance: &Glance<'_>, base: &str) -> Markup {
    let bots = &glance.around.settings.bots;
    html! {
        details data-keep="machine" {
            summary { "Who plays" }
            p .soft { "The machine can take any seat, yours too, and give it back." }
            @for info in glance.table.game().seats() {
                form .row method="post" action={ (base) "/bot" } data-act {
                    input type="hidden" name="seat" value=(info.seat);
                    span { (capital(&glance.name(info.seat))) }
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

/// How long the machine waits for whoever may step in, in seconds.
const GRACES: [u32; 5] = [1, 3, 8, 20, 60];

/// How long the table waits.
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
                        @for (seconds, told) in DEADLINES { option value=(seconds) selected[seconds == deadline] { (told) } }
                    }
                }
                p .soft { "After that what they are asked is declined for them, or the machine answers in their place, where it cannot be declined; their dice are thrown. The log says so." }
                label { "The machine goes on after"
                    select name="grace" {
                        @if !GRACES.contains(&grace) { option value=(grace) selected { (grace) " seconds" } }
                        @for seconds in GRACES { option value=(seconds) selected[seconds == grace] { (seconds) @if seconds == 1 { " second" } @else { " seconds" } } }
                    }
                }
                p .soft { "So that players may step in. It waits as long whether anybody can or not, so that its waiting tells nothing." }
                button { "So be it" }
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

/// Whether what gains a seat nothing is declined at once: then nobody waits for it,
/// and nobody learns that it was asked.
fn passes(glance: &Glance<'_>, seat: Seat, base: &str) -> Markup {
    let on = glance.around.settings.passes.contains(&seat);
    html! {
        form .row method="post" action={ (base) "/passes" } data-act {
            span { @if on { "What gains you nothing is declined for you." } @else { "You are asked whenever you may step in." } }
            button name="on" value=(if on { "no" } else { "yes" }) { @if on { "Ask me always" } @else { "Decline what gains me nothing" } }
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
            let told = forms.iter().find_map(|form| form.tell(&reply)).unwrap_or_else(|| reply.clone());
            (reply, told)
        })
        .collect();
    let examples = forms.iter().zip(game.standings());
    let offered: Vec<_> = examples
        .filter(|(_, (reply, _))| game.may_stand(seat, reply).is_ok())
        .filter(|(_, (reply, _))| !given.iter().any(|(given, _)| given == reply))
        .map(|(form, _)| form)
        .collect();
    html! {
        @if !offered.is_empty() || !given.is_empty() {
            details data-keep="standing" {
                summary { "Standing replies" @if !given.is_empty() { " " small { (given.len()) } } }
                p .soft { "What you would always answer, answered for you until you take it back." }
                (overrule::standing(base, &offered, &given))
            }
        }
    }
}

/// A link or token as the page of people lists it.
pub(crate) struct LinkRow {
    pub(crate) pass: Pass,
    /// What it is for, in words.
    pub(crate) what: String,
}

/// Who is at the table, and the links by which they come.
pub(crate) struct People<'p> {
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    pub(crate) seats: &'p [(Viewer, String)],
    pub(crate) members: &'p [Member],
    pub(crate) links: &'p [LinkRow],
    pub(crate) door: Door,
    /// Whether whoever comes by a link is asked for a passphrase.
    pub(crate) locked: bool,
    /// Links just made, each with whom it is for: shown this once.
    pub(crate) fresh: &'p [(String, String)],
}

/// Somebody, with what can be decided about them.
fn verdict(base: &str, member: &Member, role: &str, buttons: Markup) -> Markup {
    html! {
        form .row method="post" action={ (base) "/admit" } {
            input type="hidden" name="browser" value=(auth::written(&member.browser));
            input type="hidden" name="role" value=(auth::role_name(member.role));
            span { b { (member.name) } (role) }
            (buttons)
        }
    }
}

/// Who waits at the door, to be let in or not.
pub(super) fn at_door<'m>(
    base: &str,
    waiting: impl IntoIterator<Item = &'m Member>,
    called: impl Fn(Viewer) -> String,
) -> Markup {
    html! {
        @for member in waiting {
            (verdict(base, member, &format!(", to be {}", called(member.role)), html! {
                button .go name="in" value="yes" { "Let in" }
                button name="in" value="no" { "Turn away" }
            }))
        }
    }
}

/// The page of people.
pub(crate) fn people(it: &People<'_>) -> Markup {
    let base = it.base;
    let called = |role: Viewer| {
        it.seats
            .iter()
            .find(|(other, _)| *other == role)
            .map_or_else(|| "spectator".to_owned(), |(_, name)| name.clone())
    };
    let waiting: Vec<&Member> = it.members.iter().filter(|m| m.standing == Standing::Waiting).collect();
    let refused: Vec<&Member> = it.members.iter().filter(|m| m.standing == Standing::Refused).collect();
    let inside: Vec<&Member> = it.members.iter().filter(|m| m.standing == Standing::Admitted).collect();
    layout::page(
        "People and links",
        "plain",
        html! {
            main .sheet {
                p { a href=(base) { "← " (it.title) } }
                h1 { "People and links" }
                @for (n, (role, link)) in it.fresh.iter().enumerate() {
                    @let id = if n == 0 { "fresh".to_owned() } else { format!("fresh-{n}") };
                    div .fresh role="status" {
                        p { "The link for " b { (role) } ". It is shown this once; whoever has it may come in as them." }
                        p .row { input #(id) value=(link) readonly aria-label={ "The link for " (role) }; button type="button" data-copy={ "#" (id) } { "Copy" } }
                        (qr::code(link))
                        @if ["//127.", "//localhost", "//[::1]"].iter().any(|here| link.contains(here)) {
                            p .soft { "Only this machine can open it. For friends in the same network start with " code { "--lan" } "; for others say " code { "--base-url" } "." }
                        }
                    }
                }
                noscript { p { a href={ (base) "/people" } { "Look again" } } }
                // The script looks again by itself.
                div #door .stack role="status" data-again={ (base) "/people" } {
                    @if !waiting.is_empty() {
                        h2 { "At the door" }
                        (at_door(base, waiting, called))
                    }
                }
                @if !refused.is_empty() {
                    h2 { "Turned away" }
                    @for member in &refused {
                        (verdict(base, member, &format!(", to be {}", called(member.role)), html! {
                            button name="in" value="yes" { "Let in after all" }
                        }))
                    }
                }
                h2 { "Invite" }
                p .soft { "One link a seat; several people may share a seat, and one person may use several devices." }
                form .row method="post" action={ (base) "/links" } {
                    input type="hidden" name="role" value="players";
                    span { "Everybody who plays" }
                    button .go name="kind" value="invite" { "A link for each" }
                }
                @for (role, name) in it.seats.iter().filter(|(role, _)| !role.is_gm()) {
                    form .row method="post" action={ (base) "/links" } {
                        input type="hidden" name="role" value=(auth::role_name(*role));
                        span { (capital(name)) }
                        button name="kind" value="invite" { "Make a link" }
                    }
                }
                form .row method="post" action={ (base) "/links" } {
                    input type="hidden" name="role" value="gm";
                    span { "Gamemaster, on another device" }
                    button name="kind" value="invite" { "Make a link" }
                }
                @if inside.iter().filter(|member| member.role.is_gm()).count() < 2 {
                    p .soft { "Only this browser leads the table. Where it is lost the table is too, unless another device of yours came in by that link, or the table was kept as a file." }
                }
                h2 { "Here" }
                ul { @for member in &inside {
                    li {
                        @if member.pass.is_some() {
                            (verdict(base, member, &format!(", {}", called(member.role)), html! {
                                button name="in" value="no" { "Turn out" }
                            }))
                        } @else { b { (member.name) } ", " (called(member.role)) }
                    }
                } }
                form .row method="post" action={ (base) "/door" } {
                    @if it.door == Door::Knock {
                        span { "Whoever comes by a link waits until you let them in." }
                        button name="door" value="open" { "Let everybody in at once" }
                    } @else {
                        span { "Whoever comes by a link sits down at once." }
                        button name="door" value="knock" { "Let me decide" }
                    }
                }
                form .row method="post" action={ (base) "/passphrase" } {
                    @if it.locked { span { "Whoever comes by a link is asked for the passphrase." } }
                    label { @if it.locked { "Another one" } @else { "A passphrase for whoever comes by a link" }
                        input type="text" name="passphrase" minlength="4" maxlength="200" autocomplete="off" spellcheck="false" required; }
                    button { "Set it" }
                }
                @if it.locked {
                    form .row method="post" action={ (base) "/passphrase" } {
                        span { "Whoever is inside stays." }
                        button name="passphrase" value="" { "Ask for none" }
                    }
                }
                @if !it.links.is_empty() {
                    h2 { "Links" }
                    @for row in it.links {
                        form .row method="post" action={ (base) "/revoke" } {
                            input type="hidden" name="hash" value=(auth::written(&row.pass.hash));
                            span .struck[row.pass.revoked.is_some()] { (row.what) }
                            @if row.pass.revoked.is_none() { button { "Take back" } } @else { span .soft { "taken back" } }
                        }
                    }
                }
                @let names: Vec<String> = inside.iter().map(|member| member.name.clone()).collect();
                @if names.len() > 1 { p .soft { "With you: " (and(&names)) "." } }
            }
        },
    )
}
