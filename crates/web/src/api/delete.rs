//! The API that deletes and restores tables.

use super::caller::{Gm, Restorer};
use super::problem::Problem;
use crate::app::App;
use axum::{Json, extract::State, http::StatusCode};
use fracas_live::auth;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

type At = State<Arc<App>>;

/// A table that was deleted.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableDeleted {
    /// Until when it may be had back, in seconds since 1970; then it is erased.
    until: i64,
}

/// Deletes the table with all that belongs to it. For the gamemaster.
///
/// From then on nobody finds it, and its streams end. The gamemaster's tokens are told
/// that it is deleted (`410`), and may have it back with `restore` until it is erased.
#[utoipa::path(
    delete,
    path = "/tables/{table}",
    operation_id = "delete_table",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = TableDeleted)),
)]
pub(crate) async fn delete(State(app): At, Gm(caller): Gm) -> Result<Json<TableDeleted>, Problem> {
    let until = app.hall.delete(&caller.room.id, app.keep_deleted).await?;
    Ok(Json(TableDeleted { until }))
}

/// Restores a deleted table. Changes nothing if the table is not deleted. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/restore",
    operation_id = "restore_table",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 204, description = "It stands")),
)]
pub(crate) async fn restore(State(app): At, Restorer(table): Restorer) -> Result<StatusCode, Problem> {
    app.db.restore_table(&table, auth::now()).await?;
    // The time to restore it may just have ended.
    match app.db.table(&table).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::no_token()),
    }
}
