//! What programs look at.

use super::{
    caller::{Caller, GmReader, Part},
    problem::Problem,
    shape::{Answers, Lines, Table, lines},
    stream,
};
use crate::{app::App, room::Room, routes::query, stream::Mark};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use fracas_kernel::Viewer;
use serde_json::Value;
use std::sync::Arc;

/// The most lines at once.
pub(crate) const PAGE: usize = 100;

/// A table as a role may see it now.
pub(crate) fn look(app: &App, room: &Room, role: Viewer) -> Result<Table, Problem> {
    let seen = room.glance(role, |glance, sent| {
        let version = Mark { boot: app.boot, version: sent.version }.to_string();
        Table::of(glance, room.id.as_str(), version, sent.lines.len())
    });
    seen.ok_or_else(Problem::absent)
}

/// The table as the token's role may see it now.
#[utoipa::path(
    get,
    path = "/tables/{table}",
    tag = "table",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["read"])),
    responses((status = 200, body = Table)),
)]
pub(crate) async fn table(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Table>, Problem> {
    look(&app, &caller.room, caller.role).map(Json)
}

/// What the token's role may see, in the system's own shape.
///
/// Each system has its own; where there are secrets, they are not in it.
#[utoipa::path(
    get,
    path = "/tables/{table}/view",
    tag = "table",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["read"])),
    responses((status = 200, body = Object)),
)]
pub(crate) async fn view(caller: Caller) -> Result<Json<Value>, Problem> {
    let view = caller.room.look(|table, _| table.game().view(caller.role));
    view.map(Json).ok_or_else(Problem::absent)
}

/// A number in an address; this where it is not said.
fn number(uri: &Uri, name: &str, unsaid: usize) -> Result<usize, Problem> {
    let Some((_, value)) = query(uri).into_iter().find(|(n, _)| n == name) else { return Ok(unsaid) };
    let told = || {
        let kind = super::problem::Kind::Unreadable;
        Problem::new(kind, format!("{name} is a number from 0 on, and not {value:?}")).at(name)
    };
    value.parse::<i64>().ok().and_then(|n| n.try_into().ok()).ok_or_else(told)
}

/// Lines of the story, a hundred at a time.
#[utoipa::path(
    get,
    path = "/tables/{table}/lines",
    tag = "table",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("from" = Option<u64>, Query, description = "The first line; the last hundred where it is not said"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = Lines)),
)]
pub(crate) async fn lines_from(caller: Caller, uri: Uri) -> Result<Json<Lines>, Problem> {
    let wanted = number(&uri, "from", usize::MAX)?;
    let page = caller.room.glance(caller.role, |glance, sent| {
        let count = sent.lines.len();
        let from = if wanted == usize::MAX { count.saturating_sub(PAGE) } else { wanted.min(count) };
        Lines { count, from, lines: lines(glance.table, caller.role, (count, from), PAGE) }
    });
    page.map(Json).ok_or_else(Problem::absent)
}

/// The answers listed for an ask, a hundred at a time.
#[utoipa::path(
    get,
    path = "/tables/{table}/asks/{ask}/answers",
    tag = "table",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("ask" = String, Path, description = "The ask, as the table calls it"),
        ("from" = Option<u64>, Query, description = "The first answer, from 0"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = Answers)),
)]
pub(crate) async fn answers(caller: Caller, ask: Part<1>, uri: Uri) -> Result<Json<Answers>, Problem> {
    let from = number(&uri, "from", 0)?;
    let listed = caller.room.ask(caller.role, &ask.0, |table, id| table.game().legal(id, caller.role));
    let listed = listed.ok_or_else(|| {
        Problem::new(super::problem::Kind::Absent, "that is not asked, or no longer: load the table")
    })?;
    Ok(Json(Answers::page(listed, from)))
}

/// The story so far, in Markdown.
#[utoipa::path(
    get,
    path = "/tables/{table}/story",
    tag = "table",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["read"])),
    responses((status = 200, body = String, content_type = "text/markdown")),
)]
pub(crate) async fn story(caller: Caller) -> Result<Response, Problem> {
    let text = caller.room.look(|table, _| table.log().story(caller.role)).ok_or_else(Problem::absent)?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
}

/// The whole table as a file, with every secret: the gamemaster's.
///
/// One JSON line each entry; `fracas play --resume` and `fracas verify` read it.
#[utoipa::path(
    get,
    path = "/tables/{table}/log",
    tag = "table",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = String, content_type = "application/x-ndjson")),
)]
pub(crate) async fn log(State(app): State<Arc<App>>, caller: GmReader) -> Result<Response, Problem> {
    let lines = app.db.lines(&caller.0.room.id).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson; charset=utf-8")], lines.concat()).into_response())
}

/// Whatever changes, as it changes: server-sent events.
///
/// Each event is called `table`, its data an `Update` in JSON. After a break
/// say `Last-Event-ID`, and the stream goes on where it was.
#[utoipa::path(
    get,
    path = "/tables/{table}/stream",
    tag = "table",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that came"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = stream::Update, content_type = "text/event-stream")),
)]
pub(crate) async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let have = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(stream::Place::read);
    stream::stream(app, caller, have).map(IntoResponse::into_response)
}
