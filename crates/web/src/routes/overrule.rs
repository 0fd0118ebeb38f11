//! The forms in which the gamemaster overrules the engine.

use super::play::{reasons, reply, status};
use super::{form::Form, seat::Seated};
use crate::app::App;
use crate::page::{self, Overrule, Reason};
use crate::trouble::{Trouble, shown};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{Html, IntoResponse, Response};
use fracas_kernel::{Refused, form};
use fracas_live::command::{Called, Command, Refusal};
use std::sync::Arc;

/// The form, its subject, and the result if it was refused.
#[derive(Default)]
struct Asked {
    form: Option<String>,
    of: Option<String>,
    lines: Vec<Reason>,
    sent: page::Filled,
}

/// The forms that can be filled now.
fn forms(seated: &Seated) -> Result<Vec<form::Form>, Trouble> {
    seated.room.look(|table, _| table.game().fiat_forms()).ok_or_else(Trouble::absent)
}

fn drawn(seated: &Seated, asked: &Asked) -> Result<Html<String>, Trouble> {
    let title =
        seated.room.look(|table, _| table.log().header().title.clone()).ok_or_else(Trouble::absent)?;
    let forms = forms(seated)?;
    Ok(shown(page::overrule(&Overrule {
        base: &seated.base,
        title: &title,
        picked: forms.iter().find(|form| asked.form.as_deref() == Some(form.id)),
        forms: &forms,
        of: asked.of.as_deref(),
        lines: &asked.lines,
        sent: &asked.sent,
    })))
}

/// The list of forms, or the form that was picked.
pub(crate) async fn ask(seated: Seated, uri: Uri) -> Result<Html<String>, Trouble> {
    let seated = seated.gm()?;
    let asked = Form::asked(&uri);
    let get = |name: &str| asked.get(name).map(str::to_owned);
    drawn(&seated, &Asked { form: get("form"), of: get("of"), ..Asked::default() })
}

/// Overrules the engine.
pub(crate) async fn overrule(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let sent = Form::read(&body);
    let forms = forms(&seated)?;
    let form = forms.iter().find(|form| sent.get("form") == Some(form.id));
    let fiat = match form {
        Some(form) => form.fill(|name| sent.all(name)),
        None => Err(Refused::form("that cannot be overruled now: choose from the list")),
    };
    let done = match fiat {
        Ok(fiat) => {
            let text = sent.get("text").map(str::to_owned);
            app.carry_out(
                &seated.room,
                seated.role,
                sent.key().map(Called::from),
                Command::Fiat { fiat, text },
            )
            .await
        }
        Err(refused) => Err(Refusal::Refused(refused)),
    };
    match done {
        // Without the script the form is shown again, as it was filled in.
        Err(refusal) if !sent.is_scripted(&headers) => {
            let form = form.map(|form| form.id.to_owned());
            let asked = Asked {
                form,
                lines: reasons(&seated.room, &refusal),
                sent: sent.into_pairs(),
                ..Asked::default()
            };
            Ok((status(&refusal), drawn(&seated, &asked)?).into_response())
        }
        done => Ok(reply(seated, &headers, &sent, done.map(Some))),
    }
}
