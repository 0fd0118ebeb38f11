//! The pages of the next evening.

use super::open::{fault_note, gamemaster, is_offered};
use super::papers::{desk, keep, own};
use super::{form::Form, seat::Seated};
use crate::app::App;
use crate::page::{self, Chosen, Evening, Note};
use crate::trouble::{Trouble, shown};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_kernel::{Faults, Setup};
use fracas_live::evening::{self, Carried, Party};
use fracas_live::{auth, hall::Opened, opening};
use fracas_papers as papers;
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
    chosen: &Chosen,
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
        after: seated.room.look(|_, settings| settings.next.clone()).flatten().as_ref(),
        chosen,
        note,
    })))
}

/// The page of who comes along, and where to.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let seated = seated.gm()?;
    let carried = carried(&seated).await?;
    shown_next(
        &app,
        &headers,
        &seated,
        &carried,
        &Chosen { called: String::new(), encounter: String::new(), its: false },
        &Note::default(),
    )
    .await
}

/// The choices for the next evening.
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

/// Why the characters that come along cannot play a bundled encounter.
fn cannot(faults: &Faults, party: Party) -> Note {
    let mut lines = vec!["These characters cannot play that encounter as they are:".to_owned()];
    lines.extend(faults.0.iter().take(3).map(|fault| format!("{}.", page::capital(&fault.what))));
    if party == Party::Ours {
        lines.push("Choose another, or let its own characters play it.".to_owned());
    }
    Note::all(lines)
}

/// Opens the next evening's table. People sit where their character comes along. If a table
/// was opened since the form was shown, the form leads there.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let form = Form::read(&body);
    let get = |name: &str| form.get(name).unwrap_or_default().trim();
    let carried = carried(&seated).await?;
    let encounter = get("encounter");
    let party = if get("party") == "its" && !encounter.is_empty() { Party::Its } else { Party::Ours };
    let setup = chosen(&app, &headers, &carried, encounter).await?;
    let its = setup
        .as_ref()
        .ok()
        .filter(|_| !encounter.is_empty())
        .and_then(|setup| Some(setup.encounter.to_json()["title"].as_str()?.to_owned()));
    let title = opening::title(get("title"), &its.unwrap_or_else(|| carried.next_title()));
    let named = evening::named(&seated.room.id, get("after"))?;
    let faults = match setup.and_then(|setup| carried.next(setup, party)) {
        Ok(evening) => match evening.open(&app.hall, title, Some(named)).await {
            Ok((Opened { room, named }, places)) => {
                // A table that was opened before has its gamemaster.
                if app.db.members(&room.id).await?.is_empty() {
                    app.db.put_member(gamemaster(seated.browser, &room)).await?;
                }
                let secret = named.as_ref().map(evening::secret);
                places.bring(&app.db, &seated.room, &room, secret.as_ref()).await?;
                return Ok(Redirect::to(&format!("/t/{}/gm", room.id)).into_response());
            }
            Err(error) => error.faults()?,
        },
        Err(faults) => faults,
    };
    let note = match encounter.split_once(':') {
        // Nobody here can edit the lines of a bundled file.
        Some(("bundled", _)) => cannot(&faults, party),
        _ => fault_note(&faults),
    };
    let chosen =
        Chosen { called: get("title").to_owned(), encounter: encounter.to_owned(), its: party == Party::Its };
    let page = shown_next(&app, &headers, &seated, &carried, &chosen, &note).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// Keeps a character who is carried on as a paper of the gamemaster's own.
pub(crate) async fn keep_one(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let form = Form::read(&body);
    let name = form.get("name").ok_or_else(Trouble::absent)?;
    let carried = carried(&seated).await?;
    let text = carried.character_toml(name).ok_or_else(Trouble::absent)?;
    keep(&app, &headers, papers::draft(text, (&carried.system, Sort::Library, "A character"), auth::now()))
        .await
}
