//! A whole table as a file comes back in, here or elsewhere.

use super::{
    Trouble,
    open::{gamemaster, shown_home},
    seat::{cookie_or_new, with_cookie},
};
use crate::{app::App, auth, page::Note, settings::Settings};
use axum::{
    extract::{Multipart, State, multipart::MultipartError},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use fracas_store::NewTable;
use fracas_table::{Log, MemoryStore, Table, verify};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most bytes of a table's file.
pub(super) const MAX_FILE: usize = 16 << 20;
/// The most problems of a file that are told.
const TOLD: usize = 8;
/// Files that are played through at once.
static ONE: Semaphore = Semaphore::const_new(1);

/// Takes a table in.
pub(crate) async fn take_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    let taken = match file(parts).await {
        Ok(bytes) => {
            let _one = ONE.acquire().await.map_err(Trouble::broken)?;
            tokio::task::spawn_blocking(move || read(bytes)).await.map_err(Trouble::broken)?
        }
        Err(error) => Err(vec![error.body_text()]),
    };
    let (log, text) = match taken {
        Ok(taken) => taken,
        Err(mut lines) => {
            lines.insert(0, "That file was not taken in, and nothing was changed.".to_owned());
            let page = shown_home(&app, &headers, &Note { lines, kept: None }).await?;
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    let id = auth::new_table_id().ok_or_else(|| Trouble::broken("the system gives no random numbers"))?;
    let (secret, new) = cookie_or_new(&app, &headers)?;
    let table = NewTable {
        id: id.clone(),
        system: log.header().system.clone(),
        title: log.header().title.clone(),
        opened: auth::now(),
        settings: Settings::default().write(),
    };
    app.db.take_in_table(table, text).await?;
    app.db.put_member(gamemaster(secret.hash(), id.clone())).await?;
    Ok(with_cookie(Redirect::to(&format!("/t/{id}/gm")), new))
}

async fn file(mut parts: Multipart) -> Result<Vec<u8>, MultipartError> {
    while let Some(part) = parts.next_field().await? {
        if part.name() == Some("file") {
            return Ok(part.bytes().await?.to_vec());
        }
    }
    Ok(Vec::new())
}

/// The log in a file, played through from its first line to its last; or what is
/// wrong with it, and where.
fn read(bytes: Vec<u8>) -> Result<(Log, String), Vec<String>> {
    let one = |what: String| vec![what];
    if bytes.is_empty() {
        return Err(one("Choose a file first: one that \"Keep the table as a file\" gave.".to_owned()));
    }
    if !bytes.starts_with(b"{\"seq\":0,") {
        return Err(one(
            "It is no table's file: such a file begins with {\"seq\":0, and this does not.".to_owned()
        ));
    }
    if !bytes.ends_with(b"\n") {
        let line = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        return Err(one(format!(
            "Line {line} is cut off: the file is not whole, take it again from where it was kept."
        )));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        one(format!("Line {} is not text (UTF-8).", good.iter().filter(|byte| **byte == b'\n').count() + 1))
    })?;
    let systems = fracas_systems::all();
    let log = Log::parse("the file", &text).map_err(|error| one(error.to_string()))?;
    let report = verify(&log, systems).map_err(|error| one(error.to_string()))?;
    if !report.sound() {
        let told = report.problems.iter().map(|problem| format!("Line {}: {}", problem.line, problem.what));
        return Err(told.take(TOLD).collect());
    }
    // What verifies also opens; were it otherwise, better told now than later.
    let store = MemoryStore::holding(text.as_bytes());
    Table::open(systems, Box::new(store)).map_err(|error| one(error.to_string()))?;
    Ok((log, text))
}
