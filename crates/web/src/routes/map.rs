//! Pointing at the map, for the script.

use super::play::{reply, why_not};
use super::{form::Form, seat::Seated};
use crate::page;
use crate::{app::App, trouble::shown};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use fracas_kernel::{MAX_VIA, Pointed, Refused, Space, SpaceError, Viewer};
use fracas_live::command::{Called, Command, Refusal};
use std::sync::Arc;

fn space(text: &str) -> Result<Space, Refused> {
    text.parse().map_err(|error: SpaceError| Refused::form(error.to_string()))
}

/// What a form or an address points at.
fn pointed(form: &Form) -> Result<Pointed, Refusal> {
    let via = form.get("via").unwrap_or_default();
    let via: Vec<Space> =
        via.split(',').filter(|text| !text.is_empty()).map(space).collect::<Result<_, _>>()?;
    if via.len() > MAX_VIA {
        return Err(Refused::form(format!("a way is led by {MAX_VIA} spaces at most")).into());
    }
    let to = space(&form.must("to", "which space?")?)?;
    Ok(Pointed { token: form.get("token").map(str::to_owned), via, to })
}

/// What a space is like for one of the viewer's, with the answers that pointing there stands for.
pub(crate) async fn there(seated: Seated, uri: Uri) -> Response {
    let form = Form::asked(&uri);
    let panel = (|| {
        let ask = form.must("ask", "pointing names the ask it answers")?;
        let pointed = pointed(&form)?;
        let found = seated.room.ask(seated.role, &ask, |table, id| {
            page::there(table, seated.role, (id, &ask), &pointed, &seated.base)
        });
        Ok(found.ok_or(Refusal::Stale)??)
    })();
    match panel {
        Ok(panel) => shown(panel).into_response(),
        Err(refusal) => why_not(&seated.room, &refusal),
    }
}

/// The gamemaster puts a token into a space, against the rules too.
pub(crate) async fn put(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, crate::trouble::Trouble> {
    let seated = seated.gm()?;
    let form = Form::read(&body);
    let fiat = (|| {
        let Pointed { token, to, .. } = pointed(&form)?;
        let token = token.ok_or_else(|| Refused::form("whom?"))?;
        let fiat = seated.room.look(|table, _| table.game().put(&token, to)).flatten();
        Ok(fiat.ok_or_else(|| Refused::form("nobody by that name can be put there"))?)
    })();
    let done = match fiat {
        Ok(fiat) => {
            let command = Command::Fiat { fiat, text: None };
            app.carry_out(&seated.room, seated.role, form.key().map(Called::from), command).await
        }
        Err(refusal) => Err(refusal),
    };
    Ok(reply(seated, &headers, &form, done.map(Some)))
}

/// Points everybody at the table to a space, for a few seconds.
pub(crate) async fn point(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let done = (|| {
        let Pointed { to, .. } = pointed(&form)?;
        let Viewer::Seat(seat) = seated.role else {
            return Err(Refusal::NotYours("spectators point at nothing"));
        };
        let map = seated.room.look(|table, _| table.game().stage(seated.role, &[]).map).flatten();
        if !map.is_some_and(|map| to.column() < map.columns && to.row() < map.rows) {
            return Err(Refused::form("there is no such space on the map").into());
        }
        seated.room.point(seat, to);
        Ok(None)
    })();
    reply(seated, &headers, &form, done)
}
