//! The front door, and new tables.

use super::{
    Trouble,
    seat::{cookie, cookie_or_new, with_cookie},
    serde_urlencoded, shown,
};
use crate::{
    app::App,
    auth,
    hall::{HallError, date},
    page::{self, Note, Place, Wanted},
    settings::Settings,
};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::{Html, IntoResponse, Redirect, Response},
};
use fracas_kernel::{Document, Seat, Setup, System, Viewer};
use fracas_sim::BotKind;
use fracas_store::{Member, Standing};
use fracas_systems::Encounter;
use fracas_table::{OpenError, cast};
use std::sync::Arc;

/// Your tables, and what can be opened.
pub(crate) async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Trouble> {
    let mut places = Vec::new();
    if let Some(secret) = cookie(&headers) {
        for (member, table) in app.db.places(&secret.hash()).await? {
            let system = fracas_systems::find(&table.system);
            places.push(Place {
                href: format!("/t/{}/{}", table.id, auth::role_name(member.role)),
                title: table.title,
                system: system.map_or(table.system, |system| (system.rulebook)().title.to_owned()),
                role: member.role,
                name: member.name,
                opened: date(table.opened),
            });
        }
    }
    let systems: Vec<(System, Vec<Encounter>)> = fracas_systems::all()
        .iter()
        .map(|system| fracas_systems::encounters(system).map(|encounters| (*system, encounters)))
        .collect::<Result<_, _>>()
        .map_err(Trouble::broken)?;
    Ok(shown(page::home(&places, &systems)))
}

fn find(system: &str, encounter: &str) -> Result<(System, Encounter, Setup), Trouble> {
    let system = fracas_systems::find(system).copied().ok_or_else(Trouble::absent)?;
    let all = fracas_systems::encounters(&system).map_err(Trouble::broken)?;
    let found = all.into_iter().find(|one| one.id == encounter).ok_or_else(Trouble::absent)?;
    let setup = fracas_systems::setup(&system, &found.id).ok_or_else(Trouble::absent)?;
    Ok((system, found, setup.map_err(Trouble::broken)?))
}

/// The seats of a setup with what they are called; nothing where it is at fault.
fn seats(system: &System, setup: &Setup) -> Vec<(String, String)> {
    let Ok(game) = (system.start)(setup) else { return Vec::new() };
    cast(game.as_ref())
        .into_iter()
        .map(|sits| {
            let name = match sits.seat {
                Seat::Gm => "the gamemaster".to_owned(),
                _ if sits.plays.is_empty() => sits.name,
                _ => format!("{} ({})", sits.name, sits.plays.join(", ")),
            };
            (sits.seat.to_string(), name)
        })
        .collect()
}

/// The form of a new table.
pub(crate) async fn ask(Path((system, encounter)): Path<(String, String)>) -> Result<Html<String>, Trouble> {
    let (system, encounter, setup) = find(&system, &encounter)?;
    let seats = seats(&system, &setup);
    Ok(shown(page::open(&system, &encounter, &seats, &Wanted::default(), &Note::default())))
}

/// Opens a table; whoever does is its gamemaster.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Path((system, encounter)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let (system, encounter, setup) = find(&system, &encounter)?;
    let mut wanted = Wanted::default();
    for (name, value) in serde_urlencoded(&body) {
        match name.as_str() {
            "title" => wanted.title = value.trim().chars().take(80).collect(),
            "bot" => wanted.bots.push(value),
            name => {
                if let Some(id) = name.strip_prefix("option.") {
                    wanted.options.push((id.to_owned(), value));
                }
            }
        }
    }
    let title = if wanted.title.is_empty() { encounter.title.clone() } else { wanted.title.clone() };
    let mut settings = Settings::default();
    for bot in &wanted.bots {
        let seat: Seat = bot.parse().map_err(Trouble::bad)?;
        settings.bots.insert(seat, BotKind::Greedy);
    }
    let (secret, new) = cookie_or_new(&app, &headers)?;
    let offered = seats(&system, &setup);
    let room = match app.hall.create(system, with_options(&system, setup, &wanted), title, settings).await {
        Ok(room) => room,
        Err(HallError::Open(OpenError::Setup(faults))) => {
            let note = Note { lines: faults.0.iter().map(ToString::to_string).collect(), kept: None };
            return Ok(shown(page::open(&system, &encounter, &offered, &wanted, &note)).into_response());
        }
        Err(error) => return Err(error.into()),
    };
    app.db
        .put_member(Member {
            browser: secret.hash(),
            table: room.id.clone(),
            role: Viewer::Seat(Seat::Gm),
            name: "Gamemaster".to_owned(),
            pass: None,
            standing: Standing::Admitted,
            since: auth::now(),
            seen: 0,
        })
        .await?;
    Ok(with_cookie(Redirect::to(&format!("/t/{}/gm", room.id)), new))
}

/// The setup with the options that differ from how the game plays as a rule.
fn with_options(system: &System, setup: Setup, wanted: &Wanted) -> Setup {
    let book = (system.rulebook)();
    let differs = |(id, value): &&(String, String)| {
        let option = book.find(id).and_then(|clause| clause.entry().option);
        option.is_none_or(|option| option.default != value)
    };
    let chosen: Vec<&(String, String)> = wanted.options.iter().filter(differs).collect();
    if chosen.is_empty() {
        return setup;
    }
    let mut json = setup.encounter.to_json();
    if let Some(top) = json.as_object_mut() {
        let options = top.entry("options").or_insert_with(|| serde_json::json!({}));
        for (id, value) in chosen {
            options[id] = serde_json::Value::String(value.clone());
        }
    }
    Setup { encounter: Document::json(setup.encounter.name().to_owned(), &json), ..setup }
}
