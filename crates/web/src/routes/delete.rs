//! Deleting and restoring a table, for its leader.

use super::form::Form;
use super::seat::{deleted, is_admitted};
use crate::page::{self, Deletion};
use crate::trouble::{Trouble, shown};
use crate::{app::App, asked::cookie};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_kernel::Viewer;
use fracas_live::{auth, settings::Settings};
use fracas_store::TableId;
use std::sync::Arc;

/// A table that this browser leads, or led before it was deleted.
struct Led {
    id: TableId,
    title: String,
    role: Viewer,
    /// If deleted, until when it can be restored.
    until: Option<i64>,
}

impl Led {
    fn base(&self) -> String {
        format!("/t/{}/{}", self.id, auth::role_name(self.role))
    }
}

async fn led(app: &App, table: &str, role: &str, headers: &HeaderMap) -> Result<Led, Trouble> {
    let id = TableId::new(table).ok_or_else(Trouble::absent)?;
    let role = auth::role_of(role).ok_or_else(Trouble::absent)?;
    let browser = cookie(headers).ok_or_else(Trouble::absent)?.hash();
    if let Some(gone) = deleted(app, &id, &browser, Some(role)).await? {
        return Ok(Led { id, title: gone.table.title, role, until: Some(gone.until) });
    }
    if !is_admitted(app, &id, &browser, role).await {
        return Err(Trouble::absent());
    }
    let row = app.db.table(&id).await?.ok_or_else(Trouble::absent)?;
    let settings = Settings::read(&row.settings).map_err(Trouble::broken)?;
    if !settings.is_led_by(role) {
        return Err(Trouble::absent());
    }
    Ok(Led { id, title: row.title, role, until: None })
}

fn shown_deletion(app: &App, led: &Led) -> Html<String> {
    let keep = app.keep_deleted;
    let Led { title, role, until, .. } = led;
    shown(page::deletion(&Deletion { base: &led.base(), title, until: *until, keep, role: *role }))
}

/// What deleting the table means; or until when it can be restored.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    Ok(shown_deletion(&app, &led(&app, &table, &role, &headers).await?))
}

/// Deletes the table, if the form of that page was submitted.
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
    let to = if until > auth::now() { format!("{}/delete", led.base()) } else { "/".to_owned() };
    Ok(Redirect::to(&to).into_response())
}

/// Restores the table.
pub(crate) async fn restore(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let led = led(&app, &table, &role, &headers).await?;
    if led.until.is_some() && !app.db.restore_table(&led.id, auth::now()).await? {
        return Err(Trouble::absent());
    }
    Ok(Redirect::to(&led.base()))
}
