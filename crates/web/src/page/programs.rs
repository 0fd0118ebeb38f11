//! Tokens for bots and overlays.

use super::layout::{Note, page};
use fracas_kernel::Viewer;
use fracas_live::auth;
use fracas_live::webhook::{Kind, Webhook};
use fracas_store::Pass;
use maud::{Markup, html};

/// A viewer's programs at a table.
pub(crate) struct Programs<'p> {
    pub(crate) base: &'p str,
    pub(crate) title: &'p str,
    /// The server's origin, such as `https://play.example.org`.
    pub(crate) origin: &'p str,
    /// The table's id.
    pub(crate) table: &'p str,
    /// The roles that tokens can be made for, each with its name.
    pub(crate) roles: &'p [(Viewer, String)],
    /// The tokens, each with a description.
    pub(crate) tokens: &'p [(String, Pass)],
    /// A token just made. It is shown this once.
    pub(crate) fresh: Option<&'p str>,
    pub(crate) nudges: Nudges<'p>,
    pub(crate) note: &'p Note,
}

/// Whether the viewer sees the table's webhook.
pub(crate) enum Nudges<'p> {
    /// The gamemaster sees it; `None` if the table has none.
    Gm(Option<&'p Webhook>),
    /// Other viewers do not.
    NotTheirs,
}

/// The page of programs.
pub(crate) fn programs(programs: &Programs<'_>) -> Markup {
    let base = programs.base;
    page(
        "Programs",
        "plain",
        html! {
            main .sheet {
                p { a href=(base) { "← " bdi { (programs.title) } } }
                h1 { "Programs" }
                p .lead { "A bot that plays, an overlay that shows the table on a stream: a program comes by " a href="/api" { "the API" } ", with a token." }
                (programs.note.show())
                @if let Some(token) = programs.fresh {
                    div .fresh role="status" {
                        p { "The token. It is shown only this once. Everybody who has it can do what it allows." }
                        p .row { input #fresh value=(token) readonly aria-label="The token"; button type="button" data-copy="#fresh" { "Copy" } }
                        p .soft { code { "curl -H 'Authorization: Bearer " (token) "' " (programs.origin) "/api/v1/tables/" (programs.table) } }
                    }
                }
                h2 { "Make a token" }
                form method="post" action={ (base) "/programs" } {
                    label { "For whom"
                        select name="role" { @for (role, name) in programs.roles { option value=(auth::role_name(*role)) { (name) } } } }
                    label { "What for" input name="label" maxlength="80" autocomplete="off" placeholder="such as: overlay"; }
                    p .row {
                        button name="kind" value="read" { "One that only looks" }
                        @if programs.roles.iter().any(|(role, _)| *role != Viewer::Spectator) {
                            button name="kind" value="play" { "One that plays" }
                        }
                    }
                }
                @if !programs.tokens.is_empty() {
                    h2 { "Tokens" }
                    @for (what, pass) in programs.tokens {
                        form .row method="post" action={ (base) "/programs/revoke" } {
                            input type="hidden" name="hash" value=(auth::written(&pass.hash));
                            span dir="auto" .struck[pass.revoked.is_some()] { (what) }
                            @if pass.revoked.is_none() { button { "Take back" } } @else { span .soft { "taken back" } }
                        }
                    }
                }
                @if let Nudges::Gm(webhook) = programs.nudges { (nudges(base, webhook)) }
            }
        },
    )
}

/// The webhook that is told for whom the table waits.
fn nudges(base: &str, webhook: Option<&Webhook>) -> Markup {
    html! {
        h2 { "A nudge when it is somebody's move" }
        p .soft { "An address of your choice, a Discord webhook for one, is told what you tick. It is told no more than everybody at the table knows." }
        form method="post" action={ (base) "/webhook" } {
            label { "The address"
                input type="url" name="url" maxlength="2000" required autocomplete="off" placeholder="https://discord.com/api/webhooks/…"
                    value=[webhook.map(|webhook| webhook.url.as_str())]; }
            fieldset {
                legend { "What is sent" }
                @let kinds = webhook.map_or_else(Kind::as_a_rule, |webhook| webhook.kinds.clone());
                @for (kind, name, label) in Kind::ALL {
                    label { input type="checkbox" name="kind" value=(name) checked[kinds.contains(&kind)]; " " (label) }
                }
            }
            button { "Tell it" }
        }
        @if let Some(webhook) = webhook {
            p .soft { "Each message is signed as the Standard Webhooks are (www.standardwebhooks.com), with this secret: " code { (webhook.secret) } }
            form .row method="post" action={ (base) "/webhook" } {
                span { "It is told." }
                button name="url" value="" { "Tell it no longer" }
            }
            form .row method="post" action={ (base) "/webhook/test" } {
                span { "Is it the right one?" }
                button { "Send a test message" }
            }
        }
    }
}
