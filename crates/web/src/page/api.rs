//! The introduction to the API, for authors of programs.

use super::layout::page;
use maud::{Markup, html};

/// The page. A problem is its name, its status, its meaning and the remedy.
pub(crate) fn api(origin: &str, problems: &[(&str, u16, &str, &str)]) -> Markup {
    let curl = |rest: &str| format!("curl -H \"Authorization: Bearer $TOKEN\" {origin}/api/v1/{rest}");
    page(
        "The API",
        "plain",
        html! {
            main .sheet {
                p { a href="/" { "← Fracas" } }
                h1 { "The API" }
                p .lead { "Everything a page can do, for programs: bots, stream overlays, other tables." }
                p { "Every address is described in " a href="/api/openapi.json" { "the OpenAPI document" } "." }
                h2 { "A token" }
                p { "A token is good for one role at one table, to look or to play. At a table, under “Programs”, the gamemaster makes tokens for any seat, and each player for their own; it is shown once. A program that opens a table by the API is given the gamemaster's:" }
                pre { code { "curl " (origin) "/api/v1/systems\ncurl --json '{\"system\": \"SYSTEM\", \"encounter\": \"ENCOUNTER\"}' " (origin) "/api/v1/tables" } }
                h2 { "What is played" }
                p { "A table begins with an " code { "encounter" } " that comes with the system, with " code { "toml" } " of your own, or with a " code { "scene" } " of characters; " code { "with" } " lays libraries of your own beneath. Each fault of a text is told with its line, when you open a table or beforehand:" }
                pre { code { "jq -n --rawfile toml road.toml '{$toml}' | curl --json @- " (origin) "/api/v1/systems/$SYSTEM/check\njq -n --rawfile toml road.toml '{system: env.SYSTEM, $toml}' | curl --json @- " (origin) "/api/v1/tables" } }
                p .soft { "Entries to copy and templates to begin with: " code { "systems/$SYSTEM/library" } " and " code { "templates" } ". Nothing of a text is kept but in the table: keep your files yourself. " code { "tables/$TABLE/next" } " opens another evening, " code { "tables/taken" } " a table from its log." }
                h2 { "Look, and listen" }
                pre { code { (curl("tables/$TABLE")) "\n" (curl("tables/$TABLE/lines?from=0")) "\n" (curl("tables/$TABLE/stream -N")) } }
                p .soft { "A role is sent what it may see and nothing else; numbers count for that role alone. The stream sends the table and the lines that came whenever something changes, with " code { "?only=changes" } " no more than what does; after a break say " code { "Last-Event-ID" } ". " code { "POST stream" } " tells of several tables, each by its token. A program that looks now and then sends the table's " code { "ETag" } " as " code { "If-None-Match" } "." }
                p .soft { "A page of another site, an overlay for one, may do all that a token allows; it reads the stream with " code { "fetch" } ", for an " code { "EventSource" } " carries no token." }
                h2 { "Play" }
                p { "What is asked stands in the table's " code { "asks" } " with its answers, ready to be sent; dice that are due in " code { "roll" } "." }
                p { "While " code { "due" } " is true, play waits for you: throw where " code { "roll" } " says " code { "may_throw" } ", or answer an ask that is " code { "mine" } " and " code { "due" } "." }
                pre { code { "curl -H \"Authorization: Bearer $TOKEN\" --json '{\"ask\": ASK, \"answer\": ANSWER}' " (origin) "/api/v1/tables/$TABLE/answer" } }
                p .soft { "With a header " code { "Idempotency-Key" } " a request that is sent again is not done again; another one under the same key is refused." }
                p .soft { "Each answer says in " code { "RateLimit-Policy" } " which limits hold, and in " code { "RateLimit" } " what is left of the token's own." }
                h2 { "When it is not done" }
                p { "Then nothing has changed. The response is a problem (" code { "application/problem+json" } "): its " code { "type" } " is one of these, its " code { "detail" } " says what is wrong and what would be right." }
                dl .problems {
                    @for (slug, status, title, hint) in problems {
                        div #(slug) { dt { code { (slug) } " " (status) } dd { (title) ". " (hint) } }
                    }
                }
            }
        },
    )
}
