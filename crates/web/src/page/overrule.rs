//! The forms in which the gamemaster overrules the engine: a list of them, then one at a
//! time.

use super::layout::{self, Filled, Reason};
use super::words::capital;
use fracas_kernel::form::{Field, Form, Pick, Takes};
use maud::{Markup, html};

/// A list of picks up to this long is laid out; a longer one is a drop-down.
const LAID_OUT: usize = 4;

/// The page of fiats: the list of forms, or the form that was picked.
pub(crate) struct Overrule<'o> {
    pub(crate) base: &'o str,
    pub(crate) title: &'o str,
    pub(crate) forms: &'o [Form],
    /// The form that was picked.
    pub(crate) picked: Option<&'o Form>,
    /// The character or thing that the form concerns, as a pick sends it.
    pub(crate) of: Option<&'o str>,
    /// Why the form was refused.
    pub(crate) lines: &'o [Reason],
    /// The fields of the refused form.
    pub(crate) sent: &'o Filled,
}

pub(crate) fn overrule(overrule: &Overrule<'_>) -> Markup {
    let here = format!("{}/overrule", overrule.base);
    layout::page(
        "Overrule",
        "plain",
        html! {
            main .sheet {
                p { a href=(overrule.base) { "← " (overrule.title) } }
                div .over {
                    div .refused {
                        @if !overrule.lines.is_empty() {
                            div .refusal role="alert" { (layout::reasons(overrule.lines)) }
                        }
                    }
                    @match overrule.picked {
                        Some(form) => (form_page(overrule, form, &here)),
                        None => (form_list(overrule, &here)),
                    }
                }
            }
        },
    )
}

/// The list of forms.
fn form_list(overrule: &Overrule<'_>, here: &str) -> Markup {
    html! {
        h1 { "Overrule" @if let Some(name) = subject(overrule) { ": " bdi { (name) } } }
        p .soft { "Changes here take effect at once. The log says that you made them." }
        ul .menu {
            @for form in overrule.forms.iter().filter(|form| overrule.of.is_none_or(|of| concerns(form, of))) {
                li { a href={ (here) "?form=" (form.id) @if let Some(of) = overrule.of { "&of=" (of) } } data-over { (form.told) } }
            }
        }
        @if overrule.of.is_some() { p { a href=(here) data-over { "Everything there is to overrule" } } }
    }
}

/// The name of the subject. Some forms add its state.
fn subject<'o>(overrule: &Overrule<'o>) -> Option<&'o str> {
    let of = overrule.of?;
    let picked =
        overrule.forms.iter().flat_map(|form| &form.fields).flat_map(picks).filter(|pick| pick.sent() == of);
    picked.map(|pick| &*pick.words).min_by_key(|words| words.len())
}

/// Whether the subject can be picked in a form.
fn concerns(form: &Form, of: &str) -> bool {
    form.fields.iter().any(|field| picks(field).iter().any(|pick| pick.sent() == of))
}

fn picks(field: &Field) -> &[Pick] {
    match &field.takes {
        Takes::One { picks } | Takes::Many { picks } => picks,
        _ => &[],
    }
}

/// One form.
fn form_page(overrule: &Overrule<'_>, form: &Form, here: &str) -> Markup {
    let of = overrule.of.filter(|of| concerns(form, of));
    // Only the first field that takes the subject is filled: nobody is bound to themself.
    let first =
        of.and_then(|of| form.fields.iter().position(|field| picks(field).iter().any(|p| p.sent() == of)));
    html! {
        h1 { (form.told) }
        @if !form.help.is_empty() { p .soft { (form.help) } }
        form method="post" action=(here) data-act {
            input type="hidden" name="form" value=(form.id);
            @for (at, field) in form.fields.iter().enumerate() {
                @let sent: Vec<&str> = overrule.sent.iter().filter(|(n, _)| n == field.name()).map(|(_, v)| v.as_str()).collect();
                @let sent = if sent.is_empty() && first == Some(at) { of.into_iter().collect() } else { sent };
                (space(field, &sent))
            }
            @let why = overrule.sent.iter().find(|(name, _)| name == "text").map(|(_, value)| value.as_str());
            label { "Why, for everybody who sees the change" textarea name="text" rows="1" maxlength="4000" data-enter placeholder="nothing said" { (why.unwrap_or_default()) } }
            div .row {
                button .go { "Overrule" }
                a href=(here) data-over { "All there is to overrule" }
            }
        }
    }
}

/// A field of a form, with the values that were sent for it.
fn space(field: &Field, sent: &[&str]) -> Markup {
    let name = field.name();
    let blank = field.blank;
    let value = sent.first().copied();
    match &field.takes {
        Takes::One { picks } if picks.len() <= LAID_OUT => html! {
            fieldset .picks {
                legend { (field.label) }
                @if let Some(blank) = blank {
                    label .check { input type="radio" name=(name) value="" checked[value.is_none()]; span { (capital(blank)) } }
                }
                @for (at, pick) in picks.iter().enumerate() {
                    // A plain yes or no is preselected as yes.
                    @let is = value.map_or(blank.is_none() && at == 0 && pick.value.is_boolean(), |value| pick.sent() == value);
                    label .check { input type="radio" name=(name) value=(pick.sent()) checked[is] required[blank.is_none()]; span { (capital(&pick.words)) } }
                }
            }
        },
        Takes::One { picks } => html! {
            label { (field.label)
                select name=(name) required[blank.is_none()] {
                    @match blank {
                        Some(blank) => option value="" { (blank) },
                        None => option value="" selected[value.is_none()] { "Choose…" },
                    }
                    @for (group, among) in grouped(picks) {
                        @let options = html! {
                            @for pick in among { option value=(pick.sent()) selected[value == Some(&pick.sent())] { (pick.words) } }
                        };
                        @if group.is_empty() { (options) } @else { optgroup label=(capital(group)) { (options) } }
                    }
                }
            }
        },
        Takes::Many { picks } => html! {
            fieldset .picks {
                legend { (field.label) }
                @if let Some(blank) = blank.filter(|blank| *blank != "none") { p .soft { "With none of them: " (blank) "." } }
                @for pick in picks {
                    label .check { input type="checkbox" name=(name) value=(pick.sent()) checked[sent.contains(&pick.sent().as_str())]; span { (capital(&pick.words)) } }
                }
            }
        },
        Takes::Number { least, most } => html! {
            label { (field.label) " (" (least) " to " (most) ")"
                input type="number" inputmode="numeric" name=(name) min=(least) max=(most) step="1" value=[value] placeholder=[blank] required[blank.is_none()];
            }
        },
        Takes::Numbers { least, most } => html! {
            label { (field.label) " (" (least) " to " (most) " each, with spaces between)"
                input type="text" inputmode="numeric" name=(name) maxlength="400" value=[value] placeholder=[blank] required[blank.is_none()];
            }
        },
        Takes::Text { example } => html! {
            label { (field.label)
                @if let Some(blank) = blank { " (or nothing: " (blank) ")" }
                input type="text" name=(name) maxlength="200" value=[value] placeholder={ "such as " (example) } spellcheck="false" required[blank.is_none()];
            }
        },
        Takes::Table { example } => html! {
            label { (field.label) " (for those who write files: as there" @if let Some(blank) = blank { ", or " (blank) } ")"
                textarea name=(name) rows="4" maxlength="20000" spellcheck="false" placeholder=(example) required[blank.is_none()] { @if let Some(value) = value { (value) } }
            }
        },
    }
}

/// Picks, grouped under their headings.
fn grouped(picks: &[Pick]) -> impl Iterator<Item = (&str, &[Pick])> {
    picks.chunk_by(|a, b| a.group == b.group).map(|among| (among[0].group.as_ref(), among))
}

/// Standing replies as forms: those on offer, and those given, in words.
///
/// `at_once` says that a standing reply also answers the current ask.
pub(crate) fn standing(base: &str, offered: &[&Form], given: &[(String, String)], at_once: bool) -> Markup {
    html! {
        @for (json, words) in given {
            form .row method="post" action={ (base) "/stand" } data-act {
                input type="hidden" name="reply" value=(json);
                span { (capital(words)) }
                button name="on" value="no" { "No longer" span .sr { ": " (words) } }
            }
        }
        // A reply of several fields is for programs: what people say often has a form of its own.
        @if at_once { p .soft { "Or answer this and what follows by a standing reply. Your seat:" } }
        @for form in offered.iter().filter(|form| form.fields.len() <= 1) {
            form .row method="post" action={ (base) "/stand" } data-act {
                input type="hidden" name="form" value=(form.id);
                @if let [field] = form.fields.as_slice() {
                    label {
                        (capital(form.told))
                        @match &field.takes {
                            Takes::Number { least, most } => input type="number" inputmode="numeric" name=(field.name()) min=(least) max=(most) required;,
                            Takes::One { picks } => select name=(field.name()) {
                                @for pick in picks { option value=(pick.sent()) { (pick.words) } }
                            },
                            _ => input type="text" name=(field.name()) required;,
                        }
                    }
                } @else if !at_once { span { (capital(form.told)) } }
                // What a button says tells it from the others.
                button name="on" value="yes" { @if at_once { (capital(form.told)) } @else { "Stand by it" span .sr { ": " (form.told) } } }
            }
        }
    }
}
