//! Where an evening turned, what may come of a moment, and branches.

use super::open::gamemaster;
use super::{form::Form, seat::Seated};
use crate::app::App;
use crate::page::{self, AGAIN, Past};
use crate::trouble::{Trouble, shown};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use fracas_kernel::Seat;
use fracas_live::hindsight::{Progress, branch_off};
use fracas_live::{glance::name, opening};
use std::sync::Arc;

/// What pages need to know of a table.
struct Called {
    title: String,
    /// The names of its seats.
    names: Vec<(Seat, String)>,
    /// Whether everybody is shown where the evening turned; `None` if that is not the viewer's to say.
    told: Option<bool>,
}

impl Called {
    /// Of the viewer's table.
    fn of(seated: &Seated) -> Result<Called, Trouble> {
        let look = seated.room.look(|table, settings| {
            let seats = table.game().seats().into_iter().map(|info| (info.seat, name(table, info.seat)));
            Called {
                title: table.log().header().title.clone(),
                names: seats.collect(),
                told: settings.may_tell_turns(seated.role).then_some(settings.told_turns),
            }
        });
        look.ok_or_else(Trouble::absent)
    }

    fn past<'p>(&'p self, seated: &'p Seated) -> Past<'p> {
        let Called { title, names, told } = self;
        Past { base: &seated.base, is_gm: seated.role.is_gm(), told: *told, title, names }
    }
}

/// The viewer, if they see where the evening turned.
fn shown_turns(seated: Seated) -> Result<Seated, Trouble> {
    match seated.room.glance(seated.role, |glance, _| glance.sees_turns()) {
        Some(true) => Ok(seated),
        _ => Err(Trouble::absent()),
    }
}

/// Where the evening turned; while it is worked out, how far that is.
pub(crate) async fn turns(State(app): State<Arc<App>>, seated: Seated) -> Result<Response, Trouble> {
    let seated = shown_turns(seated)?;
    let called = Called::of(&seated)?;
    let progress = app.hindsight.turns(&seated.room).ok_or_else(Trouble::absent)?;
    let page = shown(page::turns(&called.past(&seated), &progress));
    match progress {
        Progress::Working(..) | Progress::Busy => Ok(([(header::REFRESH, AGAIN)], page).into_response()),
        _ => Ok(page.into_response()),
    }
}

/// Says whether everybody is shown where the evening turned, once play has ended.
pub(crate) async fn tell(seated: Seated, body: String) -> Result<Response, Trouble> {
    let seated = shown_turns(seated)?;
    Called::of(&seated)?.told.ok_or_else(Trouble::absent)?;
    let shows = Form::read(&body).get("told") == Some("yes");
    seated.room.set(|settings| settings.told_turns = shows).await?;
    Ok(Redirect::to(&format!("{}/turns", seated.base)).into_response())
}

/// The curve as a picture, once it is worked out.
pub(crate) async fn picture(State(app): State<Arc<App>>, seated: Seated) -> Result<Response, Trouble> {
    let seated = shown_turns(seated)?;
    let Called { title, .. } = Called::of(&seated)?;
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
    let called = Called::of(&seated)?;
    let moment = app.hindsight.moment(&seated.room, after).await?.ok_or_else(Trouble::absent)?;
    let branch = opening::branch_title(&called.title, after);
    Ok(shown(page::from(&called.past(&seated), after, &moment, &branch)).into_response())
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
    let Called { title, .. } = Called::of(&seated)?;
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
