//! A whole table as a file comes back in, here or elsewhere: the form.

use super::{
    Trouble,
    open::{gamemaster, shown_home},
    seat::{cookie_or_new, with_cookie},
};
use crate::{
    app::App,
    page::{self, Note},
    take_in,
};
use axum::{
    extract::{Multipart, State, multipart::MultipartError},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use fracas_kernel::Fault;
use std::sync::Arc;

/// Takes a table in.
pub(crate) async fn take_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    let bytes = match file(parts).await {
        Ok(bytes) if bytes.is_empty() => {
            let what = "Choose a file first: one that \"Keep the table as a file\" gave.";
            return refused(&app, &headers, vec![what.to_owned()]).await;
        }
        Ok(bytes) => bytes,
        Err(error) => return refused(&app, &headers, vec![error.body_text()]).await,
    };
    let (secret, new) = cookie_or_new(&app, &headers)?;
    match take_in::take_in(&app, bytes, None).await {
        Ok((id, _)) => {
            app.db.put_member(gamemaster(secret.hash(), id.clone())).await?;
            Ok(with_cookie(Redirect::to(&format!("/t/{id}/gm")), new))
        }
        Err(error) => refused(&app, &headers, error.faults()?.0.iter().map(told).collect()).await,
    }
}

async fn file(mut parts: Multipart) -> Result<Vec<u8>, MultipartError> {
    while let Some(part) = parts.next_field().await? {
        if part.name() == Some("file") {
            return Ok(part.bytes().await?.to_vec());
        }
    }
    Ok(Vec::new())
}

fn told(fault: &Fault) -> String {
    match fault.line {
        0 => page::capital(&fault.what),
        line => format!("Line {line}: {}", fault.what),
    }
}

/// The front page again, with why the file was not taken.
async fn refused(app: &App, headers: &HeaderMap, mut lines: Vec<String>) -> Result<Response, Trouble> {
    lines.insert(0, "That file was not taken in, and nothing was changed.".to_owned());
    let page = shown_home(app, headers, &Note::all(lines)).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}
