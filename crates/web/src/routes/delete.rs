//! Deleting a table, and having it back: its gamemaster's.

use super::{
    Trouble,
    form::Form,
    seat::{cookie, deleted, member},
    shown,
};
use crate::{
    app::App,
    auth,
    page::{self, Deletion},
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::{Html, IntoResponse, Redirect, Response},
};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Standing, TableId};
use std::sync::Arc;

/// The gamemaster of a table, also of one that was deleted.
struct Led {
    id: TableId,
    title: String,
    /// Until when it may be had back, where it was deleted.
    until: Option<i64>,
}

async fn led(app: &App, table: &str, role: &str, headers: &HeaderMap) -> Result<Led, Trouble> {
    let id = TableId::new(table).ok_or_else(Trouble::absent)?;
    let gm = Viewer::Seat(Seat::Gm);
    let browser = cookie(headers).filter(|_| auth::role_of(role) == Some(gm));
    let browser = browser.ok_or_else(Trouble::absent)?.hash();
    let leads = member(app, &id, &browser, gm).await?.is_some_and(|it| it.standing == Standing::Admitted);
    if leads && let Some(row) = app.db.table(&id).await? {
        return Ok(Led { id, title: row.title, until: None });
    }
    let gone = deleted(app, &id, &browser).await?.ok_or_else(Trouble::absent)?;
    Ok(Led { id, title: gone.table.title, until: Some(gone.until) })
}

fn shown_deletion(app: &App, led: &Led) -> Html<String> {
    let base = format!("/t/{}/gm", led.id);
    let keep = app.keep_deleted;
    shown(page::deletion(&Deletion { base: &base, title: &led.title, until: led.until, keep }))
}

/// What deleting it means; or until when it may be had back.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    Ok(shown_deletion(&app, &led(&app, &table, &role, &headers).await?))
}

/// Deletes it, where that was pressed on the page that says what it means.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let led = led(&app, &table, &role, &headers).await?;
    if led.until.is_some() || Form::read(&body).get("sure") != Some("yes") {
        return Ok(shown_deletion(&app, &led).into_response());
    }
    let until = app.hall.delete(&led.id, app.keep_deleted).await?;
    let to = if until > auth::now() { format!("/t/{}/gm/delete", led.id) } else { "/".to_owned() };
    Ok(Redirect::to(&to).into_response())
}

/// Has it back.
pub(crate) async fn restore(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let led = led(&app, &table, &role, &headers).await?;
    if led.until.is_some() && !app.db.restore_table(&led.id, auth::now()).await? {
        return Err(Trouble::absent());
    }
    Ok(Redirect::to(&format!("/t/{}/gm", led.id)))
}
