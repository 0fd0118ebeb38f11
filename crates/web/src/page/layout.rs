//! The layout that all pages share.

use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

/// A page that belongs to no system.
pub(crate) fn page(title: &str, class: &str, body: Markup) -> Markup {
    page_of(None, title, class, body)
}

/// A page in the colours and the title face of a system.
pub(crate) fn page_of(system: Option<&str>, title: &str, class: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Fracas" }
                link rel="stylesheet" href="/assets/fracas.css";
                @if class.contains("desk") { link rel="stylesheet" href="/assets/desk.css"; }
                @if class == "table" { link rel="stylesheet" href="/assets/table.css"; }
                link rel="stylesheet" href="/assets/board.css";
                link rel="stylesheet" href="/assets/map.css";
                @if let Some(system) = system { link rel="stylesheet" href={ "/assets/systems/" (system) ".css" }; }
                link rel="icon" href="/assets/fracas.svg" type="image/svg+xml";
                script src="/assets/fracas.js" defer {}
                script src="/assets/board.js" defer {}
                script src="/assets/spaces.js" defer {}
                script src="/assets/map.js" defer {}
                @if class.contains("desk") { script src="/assets/plan.js" defer {} }
            }
            body class=(class) { (body) }
        }
    }
}

/// Why something was refused.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    /// The reason as a sentence.
    pub(crate) what: String,
    /// The clause behind it.
    pub(crate) rule: Option<Rule>,
}

/// A link to a rule.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rule {
    /// The address of the rule's text.
    pub(crate) href: String,
    /// The link's words.
    pub(crate) words: String,
}

impl From<String> for Reason {
    fn from(what: String) -> Self {
        Reason { what, rule: None }
    }
}

/// Reasons as HTML, each with a link to its rule; empty if there are none.
pub(super) fn reasons(reasons: &[Reason]) -> Markup {
    html! {
        @for Reason { what, rule } in reasons {
            p { (what) @if let Some(rule) = rule { " " a .why href=(rule.href) data-rule { (rule.words) } } }
        }
    }
}

/// A message at the top of a page, shown once: a refusal or a confirmation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    /// The words, reason by reason.
    pub(crate) lines: Vec<Reason>,
    /// The text that a person had typed, so that it is not lost.
    pub(crate) kept: Option<String>,
}

impl Note {
    /// One line.
    pub(crate) fn of(line: impl Into<String>) -> Note {
        Note::all([line.into()])
    }

    /// Several lines.
    pub(crate) fn all(lines: impl IntoIterator<Item = String>) -> Note {
        Note { lines: lines.into_iter().map(Reason::from).collect(), kept: None }
    }

    /// Whether the note has no lines.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The note as HTML; empty if it has no lines.
    pub(crate) fn show(&self) -> Markup {
        html! {
            @if !self.lines.is_empty() {
                div .refusal role="alert" {
                    (reasons(&self.lines))
                    @if let Some(kept) = &self.kept {
                        p .kept { "You wrote: " q { (kept) } }
                    }
                }
            }
        }
    }
}

/// The fields and values of a refused form.
pub(crate) type Filled = Vec<(String, String)>;

/// The ways on from a page of trouble.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayOn {
    /// The address to try again, with the filled-in form if there was one.
    pub(crate) again: Option<(String, Option<Filled>)>,
    /// The page that the request came from.
    pub(crate) back: Option<String>,
}

impl WayOn {
    fn show(&self) -> Markup {
        html! {
            @match &self.again {
                Some((to, Some(fields))) => form method="post" action=(to) {
                    @for (name, value) in fields { textarea name=(name) hidden { "\n" (value) } }
                    button .go { "Send it again" }
                    p .soft { "With what you had filled in: it is kept in this page." }
                },
                Some((to, None)) => p { a .button href=(to) { "Try again" } },
                None => {},
            }
            @if let Some(back) = &self.back { p { a href=(back) { "Back to where you were" } } }
        }
    }
}

/// A page that says why the wanted page cannot be shown.
pub(crate) fn trouble(title: &str, what: &[String], hint: &str, on: &WayOn) -> Markup {
    page(
        title,
        "plain",
        html! {
            main .sheet {
                h1 { (title) }
                @for line in what { p { (line) } }
                @if !hint.is_empty() { p .soft { (hint) } }
                (on.show())
                p { a href="/" { "To the front door" } }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_leads_to_its_rule() {
        let rule = Rule { href: "/rules/a/b.c".to_owned(), words: "Once a round".to_owned() };
        let refused =
            [Reason { what: "Not again.".to_owned(), rule: Some(rule) }, "Nor <so>.".to_owned().into()];
        let html = reasons(&refused).into_string();
        assert!(
            html.contains(
                "<p>Not again. <a class=\"why\" href=\"/rules/a/b.c\" data-rule>Once a round</a></p>"
            )
        );
        assert!(html.ends_with("<p>Nor &lt;so&gt;.</p>"), "{html}");
    }
}
