//! Forgetting a browser.

use super::{form::Form, seat::taken};
use crate::page::{self, Known};
use crate::trouble::{Trouble, shown};
use crate::{app::App, asked::cookie, cookies::Way};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_live::{auth, pass, settings::Settings};
use fracas_store::{Hash, Standing};
use std::sync::Arc;

/// What the server knows of a browser.
async fn known(app: &App, browser: &Hash) -> Result<Known, Trouble> {
    let papers = app.db.papers(browser).await?.len();
    let mut known = Known { papers, ..Known::default() };
    let places = app.db.places(browser).await?.into_iter().map(|(member, table)| (member.role, table));
    let deleted = app.db.deleted(browser, auth::now()).await?.into_iter();
    let deleted = deleted.map(|gone| (gone.role, gone.table));
    for (role, table) in places.chain(deleted) {
        let settings = Settings::read(&table.settings).map_err(Trouble::broken)?;
        let leads = |other: &fracas_store::Member| {
            settings.is_led_by(other.role)
                && other.standing == Standing::Admitted
                && other.browser != *browser
        };
        if settings.is_led_by(role) && !app.db.members(&table.id).await?.iter().any(leads) {
            known.alone.push(table.title.clone());
        }
        known.tables.push(table.title);
    }
    Ok(known)
}

/// The page that lists what is erased with the browser.
pub(crate) async fn ask(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Trouble> {
    let known = match cookie(&headers) {
        Some(secret) => known(&app, &secret.hash()).await?,
        None => Known::default(),
    };
    Ok(shown(page::forget(&known)))
}

/// Forgets the browser: its cookie, its places, its papers, and what the page stored in it.
pub(crate) async fn forget(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    if Form::read(&body).get("sure") != Some("yes") {
        return Ok(ask(State(app), headers).await?.into_response());
    }
    if let Some(secret) = cookie(&headers) {
        let browser = secret.hash();
        let places = app.db.places(&browser).await?;
        app.db.forget(&browser).await?;
        app.cookies.has_signed(&browser);
        for (_, table) in places {
            if let Some(room) = app.hall.opened(&table.id) {
                pass::doors_moved(&app.db, &room).await?;
            }
        }
    }
    let mut response = Redirect::to("/").into_response();
    for way in [Way::Plain, Way::Encrypted] {
        response.headers_mut().append(header::SET_COOKIE, taken(way));
    }
    let clear = HeaderName::from_static("clear-site-data");
    response.headers_mut().insert(clear, HeaderValue::from_static("\"storage\""));
    Ok(response)
}
