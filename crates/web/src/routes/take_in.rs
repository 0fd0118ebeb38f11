//! The form that imports a table from a file.

use super::open::{gamemaster, shown_home};
use super::seat::{cookie_or_new, with_cookie};
use crate::page::{self, Note};
use crate::{app::App, trouble::Trouble};
use axum::extract::{Extension, Multipart, State, multipart::MultipartError};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use fracas_kernel::Fault;
use fracas_live::hall::HallError;
use fracas_live::origin::{From, TooOften};
use fracas_live::take_in::{self, MAX_FILE};
use fracas_store::Standing;
use std::sync::Arc;

/// Imports a table.
pub(crate) async fn take_in(
    State(app): State<Arc<App>>,
    Extension(from): Extension<From>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    let (secret, new) = cookie_or_new(&app, &headers)?;
    let places = if new.is_none() { app.db.places(&secret.hash()).await? } else { Vec::new() };
    let known = places.iter().any(|(place, table)| {
        place.role.is_gm() && place.standing == Standing::Admitted && app.gates.is_known(table.opened)
    });
    let most = if known { MAX_FILE } else { app.gates.log_from_stranger };
    let bytes = match file(parts, most).await {
        Ok(Some(bytes)) if bytes.is_empty() => {
            let what = "Choose a file first: one that \"Keep the table as a file\" gave.";
            return refused(&app, &headers, vec![what.to_owned()]).await;
        }
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let what = format!("{}.", page::capital(&take_in::too_large(most)));
            return refused(&app, &headers, vec![what]).await;
        }
        Err(error) => return refused(&app, &headers, vec![error.body_text()]).await,
    };
    match take_in::take_in(&app.taking, &app.hall, from, (bytes, most), None).await {
        Ok((id, _)) => {
            let room = app.hall.room(&id).await?;
            app.db.put_member(gamemaster(secret.hash(), &room)).await?;
            Ok(with_cookie(Redirect::to(&format!("/t/{id}/gm")), new))
        }
        Err(HallError::TooOften(TooOften(seconds))) => {
            let what = format!("Other tables are being taken in: try again in {seconds} s.");
            refused(&app, &headers, vec![what]).await
        }
        Err(error) => refused(&app, &headers, error.faults()?.0.iter().map(fault_text).collect()).await,
    }
}

/// The file in a form; `None` if it has more than `most` bytes.
async fn file(mut parts: Multipart, most: usize) -> Result<Option<Vec<u8>>, MultipartError> {
    let mut bytes = Vec::new();
    while let Some(mut part) = parts.next_field().await? {
        if part.name() != Some("file") {
            continue;
        }
        while let Some(piece) = part.chunk().await? {
            if bytes.len() + piece.len() > most {
                return Ok(None);
            }
            bytes.extend(piece);
        }
        break;
    }
    Ok(Some(bytes))
}

fn fault_text(fault: &Fault) -> String {
    match fault.line {
        0 => page::capital(&fault.what),
        line => format!("Line {line}: {}", fault.what),
    }
}

/// The front page again, with why the file was refused.
async fn refused(app: &App, headers: &HeaderMap, mut lines: Vec<String>) -> Result<Response, Trouble> {
    lines.insert(0, "That file was not taken in, and nothing was changed.".to_owned());
    let page = shown_home(app, headers, &Note::all(lines)).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}
