//! From this evening to another: the pages.

use super::{
    Trouble,
    open::{gamemaster, is_offered, told},
    papers::{desk, keep, own},
    seat::Seated,
    serde_urlencoded, shown,
};
use crate::{
    app::App,
    evening::{Carried, Party},
    hall::Opened,
    opening,
    page::{self, Evening, Note},
    papers,
};
use axum::{
    extract::State,
    http::HeaderMap,
    response::{Html, IntoResponse, Redirect, Response},
};
use fracas_kernel::{Faults, Setup};
use fracas_systems::Sort;
use std::sync::Arc;

async fn carried(seated: &Seated) -> Result<Carried, Trouble> {
    let carried = Carried::of(&seated.room).await?;
    carried.ok_or_else(|| Trouble::bad("this system knows no other evening"))
}

async fn shown_next(
    app: &App,
    headers: &HeaderMap,
    seated: &Seated,
    carried: &Carried,
    note: &Note,
) -> Result<Html<String>, Trouble> {
    let encounters = fracas_systems::encounters(&carried.system).map_err(Trouble::broken)?;
    let mut own = own(app, headers).await?;
    own.retain(|paper| is_offered(paper) && paper.system == carried.system.id);
    Ok(shown(page::next(&Evening {
        base: &seated.base,
        title: &carried.title,
        comers: &carried.comers(),
        fallen: &carried.fallen(),
        encounters: &encounters,
        own: &own,
        note,
    })))
}

/// Who comes along, and where to?
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let seated = seated.gm()?;
    let carried = carried(&seated).await?;
    shown_next(&app, &headers, &seated, &carried, &Note::default()).await
}

/// What was chosen for the next evening.
async fn chosen(
    app: &App,
    headers: &HeaderMap,
    carried: &Carried,
    chosen: &str,
) -> Result<Result<Setup, Faults>, Trouble> {
    let system = &carried.system;
    match chosen.split_once(':') {
        Some(("bundled", id)) => fracas_systems::setup(system, id).ok_or_else(Trouble::absent),
        Some(("paper", id)) => {
            let desk = desk(app, headers, id).await?;
            if desk.system.id != system.id {
                return Err(Trouble::bad("that encounter is for another system"));
            }
            Ok(papers::setup(&desk.papers, &desk.paper, system))
        }
        _ => {
            let library = papers::drawn_on(&own(app, headers).await?, system, None);
            Ok(library.map(|library| Setup { encounter: carried.blank(), library }))
        }
    }
}

/// Opens the next evening's table; whoever sat here sits there, where their
/// character comes along.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let form = serde_urlencoded(&body);
    let get = |name: &str| form.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value.trim());
    let carried = carried(&seated).await?;
    let encounter = get("encounter");
    let party = if get("party") == "its" && !encounter.is_empty() { Party::Its } else { Party::Ours };
    let title = opening::title(get("title"), &carried.next_title());
    let setup = chosen(&app, &headers, &carried, encounter).await?;
    let faults = match setup.and_then(|setup| carried.next(setup, party)) {
        Ok(evening) => match evening.open(&app, title, None).await {
            Ok((Opened { room, .. }, places)) => {
                app.db.put_member(gamemaster(seated.browser, room.id.clone())).await?;
                places.bring(&app, &seated.room, &room).await?;
                return Ok(Redirect::to(&format!("/t/{}/gm", room.id)).into_response());
            }
            Err(error) => error.faults()?,
        },
        Err(faults) => faults,
    };
    Ok(shown_next(&app, &headers, &seated, &carried, &told(&faults)).await?.into_response())
}

/// Keeps somebody who is carried on as a paper of the gamemaster's own.
pub(crate) async fn keep_one(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let name = serde_urlencoded(&body).into_iter().find(|(field, _)| field == "name");
    let (_, name) = name.ok_or_else(Trouble::absent)?;
    let carried = carried(&seated).await?;
    let text = carried.one(&name).ok_or_else(Trouble::absent)?;
    keep(&app, &headers, papers::draft(text, (&carried.system, Sort::Library, "A character"))).await
}
