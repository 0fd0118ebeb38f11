//! A scene of picked characters, without a written encounter.

use super::open::{fault_note, open_table, wanted, with_options};
use super::papers::{keep, own};
use super::seat::{cookie_or_new, with_cookie};
use crate::page::{self, Note, Picked};
use crate::trouble::{Trouble, shown};
use crate::{app::App, asked::serde_urlencoded};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_kernel::{Document, Seat, Setup, System};
use fracas_live::opening::{self, MOST};
use fracas_live::{auth, settings::Settings};
use fracas_papers::{self as papers, Entry};
use fracas_sim::BotKind;
use fracas_systems::{Comer, Scene, Sort};
use std::sync::Arc;

/// The characters that a scene can have.
struct Offer {
    system: System,
    /// The documents that the entries come from: the viewer's own papers, then the bundled ones.
    library: Vec<Document>,
    /// Players' characters and the gamemaster's, in the order of the library.
    entries: Vec<Entry>,
}

async fn offer(app: &App, headers: &HeaderMap, system: &str) -> Result<Offer, Trouble> {
    let system = fracas_systems::find(system).copied().ok_or_else(Trouble::absent)?;
    // Characters of a broken paper cannot come; all others can.
    let mut readable = own(app, headers).await?;
    readable.retain(|paper| papers::document(paper).is_ok());
    let library = papers::drawn_on(&readable, &system, None).map_err(Trouble::broken)?;
    let is_character = |entry: &Entry| entry.list == "character" || entry.list == system.others;
    let entries = papers::entries(&library).into_iter().filter(is_character).collect();
    Ok(Offer { system, library, entries })
}

/// Shows the form of a scene.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    Path(system): Path<String>,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let offer = offer(&app, &headers, &system).await?;
    Ok(shown(page::scene(&offer.system, &offer.entries, &Picked::default(), &Note::default())))
}

/// Reads the form: `pc` is a player's character, `by:NAME` the player of a character, `n:NAME`
/// how many of the gamemaster's characters NAME come.
fn picked(form: &[(String, String)]) -> Picked {
    let mut picked = Picked { wanted: wanted(form), ..Picked::default() };
    for (name, value) in form {
        if name == "pc" {
            picked.characters.push(value.clone());
        } else if let Some(name) = name.strip_prefix("by:") {
            picked.players.insert(name.to_owned(), value.trim().to_owned());
        } else if let Some(name) = name.strip_prefix("n:") {
            picked.counts.insert(name.to_owned(), value.trim().parse().unwrap_or(0).min(MOST));
        }
    }
    picked
}

/// The scene, and the seats of players without a name.
fn scene(offer: &Offer, picked: &Picked) -> (Scene, Vec<Seat>) {
    let is_offered = |name: &str| offer.entries.iter().any(|e| e.list == "character" && e.name == name);
    let player_of = |name: &str| picked.players.get(name).filter(|player| !player.is_empty()).cloned();
    let names = picked.characters.iter().filter(|name| is_offered(name));
    let characters = names.map(|name| (name.clone(), player_of(name)));
    let (mut comers, unnamed) = opening::played(characters);
    for entry in offer.entries.iter().filter(|entry| entry.list == offer.system.others) {
        let count = picked.counts.get(&entry.name).copied().unwrap_or(0);
        if count > 0 {
            comers.push(Comer { name: entry.name.clone(), player: None, count });
        }
    }
    (Scene { title: opening::title(&picked.wanted.title, "A scene"), comers }, unnamed)
}

/// Opens the table, or keeps the scene as a paper.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Path(system): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let offer = offer(&app, &headers, &system).await?;
    let form = serde_urlencoded(&body);
    let picked = picked(&form);
    let (scene, unnamed) = scene(&offer, &picked);
    if scene.comers.iter().all(|comer| comer.player.is_none()) {
        let note = Note::of("Tick at least one player's character.");
        return Ok(shown(page::scene(&offer.system, &offer.entries, &picked, &note)).into_response());
    }
    if form.iter().any(|(name, value)| name == "do" && value == "keep") {
        let text = fracas_kernel::toml(&scene.encounter(&offer.system));
        let new = papers::draft(text, (&offer.system, Sort::Encounter, &scene.title), auth::now());
        return keep(&app, &headers, new).await;
    }
    let mut settings = Settings { waits_for_players: true, ..Settings::default() };
    for bot in &picked.wanted.bots {
        let seats = if bot == "gm" { vec![Seat::Gm] } else { unnamed.clone() };
        settings.bots.extend(seats.into_iter().map(|seat| (seat, BotKind::Greedy)));
    }
    let setup = Setup { encounter: scene.document(&offer.system), library: offer.library };
    let setup = with_options(&offer.system, setup, &picked.wanted);
    let (secret, new) = cookie_or_new(&app, &headers)?;
    match open_table(&app, (secret.hash(), Seat::Gm), offer.system, setup, scene.title, settings).await? {
        Ok(room) => Ok(with_cookie(Redirect::to(&format!("/t/{}/gm", room.id)), new)),
        Err(faults) => {
            let page = page::scene(&offer.system, &offer.entries, &picked, &fault_note(&faults));
            Ok(shown(page).into_response())
        }
    }
}
