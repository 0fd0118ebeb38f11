//! Where an evening turned, what may come of a moment, and branches: the gamemaster's.

use super::open::gamemaster;
use super::{form::Form, seat::Seated};
use crate::app::App;
use crate::page::{self, Past};
use crate::trouble::{Trouble, shown};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use fracas_kernel::Seat;
use fracas_live::hindsight::{Progress, branch_off};
use fracas_live::{glance::name, opening};
use std::sync::Arc;

/// After how many seconds a page that waits loads itself again.
const AGAIN: &str = "2";

/// A table's title, and the names of its seats.
fn called(seated: &Seated) -> Result<(String, Vec<(Seat, String)>), Trouble> {
    let look = seated.room.look(|table, _| {
        let seats = table.game().seats().into_iter().map(|info| (info.seat, name(table, info.seat)));
        (table.log().header().title.clone(), seats.collect())
    });
    look.ok_or_else(Trouble::absent)
}

/// Where the evening turned; while it is worked out, how far that is.
pub(crate) async fn turns(State(app): State<Arc<App>>, seated: Seated) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let (title, names) = called(&seated)?;
    let progress = app.hindsight.turns(&seated.room).ok_or_else(Trouble::absent)?;
    let past = Past { base: &seated.base, title: &title, names: &names };
    let page = shown(page::turns(&past, &progress));
    match progress {
        Progress::Working(..) | Progress::Busy => Ok(([(header::REFRESH, AGAIN)], page).into_response()),
        _ => Ok(page.into_response()),
    }
}

/// The curve as a picture, once it is worked out.
pub(crate) async fn picture(State(app): State<Arc<App>>, seated: Seated) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let (title, _) = called(&seated)?;
    let Some(Progress::Done(turns)) = app.hindsight.turns(&seated.room) else {
        return Err(Trouble::bad("the curve is not worked out yet: look at the page first"));
    };
    let svg = fracas_hindsight::picture(&title, &turns);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The number of a line in an address.
fn line(part: &str) -> Result<u64, Trouble> {
    part.parse().map_err(|_| Trouble::absent())
}

/// What may come of the moment after a line.
pub(crate) async fn from(
    State(app): State<Arc<App>>,
    Path((_, _, after)): Path<(String, String, String)>,
    seated: Seated,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let after = line(&after)?;
    let (title, names) = called(&seated)?;
    let moment = app.hindsight.moment(&seated.room, after).await?.ok_or_else(Trouble::absent)?;
    let past = Past { base: &seated.base, title: &title, names: &names };
    let branch = opening::branch_title(&title, after);
    Ok(shown(page::from(&past, after, &moment, &branch)).into_response())
}

/// Opens a table that goes on from there.
pub(crate) async fn branch(
    State(app): State<Arc<App>>,
    Path((_, _, after)): Path<(String, String, String)>,
    seated: Seated,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let after = line(&after)?;
    let (title, _) = called(&seated)?;
    let title = opening::title(
        Form::read(&body).get("title").unwrap_or_default(),
        &opening::branch_title(&title, after),
    );
    let lines = app.db.lines(&seated.room.id).await?;
    let branch = branch_off(&app.hall, &seated.room, (after, title), lines, None).await?;
    let (id, _) = branch.ok_or_else(Trouble::absent)?;
    let room = app.hall.room(&id).await?;
    app.db.put_member(gamemaster(seated.browser, &room)).await?;
    Ok(Redirect::to(&format!("/t/{id}/gm")).into_response())
}
