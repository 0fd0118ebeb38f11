//! The forms of a page, as a person without script fills them in.

use crate::common::{field, fields};
use std::collections::BTreeSet;

/// A form of a table's page.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The action: `answer`, `throw`.
    pub(crate) deed: String,
    /// The ask that it answers.
    pub(crate) ask: Option<String>,
    /// The roll that it throws.
    pub(crate) roll: Option<String>,
    /// The seat that it answers for, if it is another's.
    pub(crate) of: Option<String>,
    /// The answers to choose from.
    pub(crate) answers: Vec<String>,
    /// Groups of answers that are pages of their own.
    pub(crate) groups: Vec<String>,
}

/// Every form that answers or throws.
pub(crate) fn forms(page: &str) -> Vec<Form> {
    page.split("<form ")
        .skip(1)
        .filter_map(|rest| {
            let form = &rest[..rest.find("</form>")?];
            let action = attribute(form, "action")?;
            let deed = action.rsplit('/').next()?.to_owned();
            let form = Form {
                deed,
                ask: field(form, "ask"),
                roll: field(form, "roll"),
                of: field(form, "of"),
                answers: fields(form, "answer"),
                groups: groups(form),
            };
            (form.ask.is_some() || form.roll.is_some()).then_some(form)
        })
        .collect()
}

/// The groups of answers on a page, or in a part of it, that are further pages.
pub(crate) fn groups(html: &str) -> Vec<String> {
    html.split("<a ")
        .skip(1)
        .filter_map(|rest| {
            let tag = &rest[..rest.find('>')?];
            let link = attribute(tag, "href")?;
            (tag.contains("data-choices") && link.contains("in="))
                .then(|| link.split_once('?').map(|(_, query)| query.replace("&amp;", "&")))
                .flatten()
        })
        .collect()
}

/// The names whose sheets a page leads to.
pub(crate) fn sheets(html: &str) -> BTreeSet<String> {
    html.split("/sheet/").skip(1).filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let at = tag.find(&format!("{name}=\""))? + name.len() + 2;
    Some(tag[at..].split('"').next()?.to_owned())
}
