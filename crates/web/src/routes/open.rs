//! The front page, and new tables.

use super::papers::{Desk, desk, own};
use super::seat::{cookie_or_new, with_cookie};
use crate::app::App;
use crate::asked::{cookie, serde_urlencoded};
use crate::page::{self, NOBODY, Note, Offer, Place, Wanted};
use crate::trouble::{Trouble, shown};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_kernel::{About, Faults, Seat, Setup, System, Viewer};
use fracas_live::hall::{date, moment};
use fracas_live::{auth, left::Left, opening, room::Room, settings::Settings};
use fracas_papers::{self as papers, sort};
use fracas_sim::BotKind;
use fracas_store::{Hash, Member, Paper, Standing, TableRow};
use fracas_systems::{Encounter, Sort};
use fracas_table::{Cast, cast};
use std::{collections::BTreeMap, sync::Arc};

/// The viewer's tables, and the encounters that can be opened.
pub(crate) async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Trouble> {
    shown_home(&app, &headers, &Note::default()).await
}

/// The front page, with a note at its top.
pub(super) async fn shown_home(app: &App, headers: &HeaderMap, note: &Note) -> Result<Html<String>, Trouble> {
    let mut places = Vec::new();
    if let Some(secret) = cookie(headers) {
        for (member, table) in app.db.places(&secret.hash()).await? {
            let left = match member.standing {
                Standing::Admitted => left(app, &table),
                _ => None,
            };
            let system = fracas_systems::find(&table.system);
            places.push(Place {
                href: format!("/t/{}/{}", table.id, auth::role_name(member.role)),
                title: table.title,
                system: system.map_or(table.system, |system| (system.rulebook)().title.to_owned()),
                role: member.role,
                name: member.name,
                waits_at_door: member.standing == Standing::Waiting,
                dated: match left.as_ref().and_then(|left| left.played) {
                    Some(played) => format!("last played {}", date(played)),
                    None => format!("opened {}", date(table.opened)),
                },
                left,
                deleted: None,
            });
        }
        for gone in app.db.deleted(&secret.hash(), auth::now()).await? {
            places.push(Place {
                href: format!("/t/{}/{}/delete", gone.table.id, auth::role_name(gone.role)),
                title: gone.table.title,
                system: gone.table.system,
                role: gone.role,
                name: String::new(),
                waits_at_door: false,
                dated: String::new(),
                left: None,
                deleted: Some(moment(gone.until)),
            });
        }
    }
    let systems: Vec<(System, Vec<Encounter>)> = fracas_systems::all()
        .iter()
        .map(|system| fracas_systems::offered(system).map(|encounters| (*system, encounters)))
        .collect::<Result<_, _>>()
        .map_err(Trouble::broken)?;
    let own: Vec<Paper> = own(app, headers).await?.into_iter().filter(is_offered).collect();
    Ok(shown(page::home(&places, &systems, &own, note)))
}

/// How a table stands: from its room, or as saved when it was put away.
fn left(app: &App, table: &TableRow) -> Option<Left> {
    let open = app.hall.opened(&table.id).and_then(|room| room.left());
    open.or_else(|| Settings::read(&table.settings).ok()?.left)
}

/// Whether a table can be opened with a paper.
pub(super) fn is_offered(paper: &Paper) -> bool {
    sort(paper) == Sort::Encounter && paper.thrown.is_none()
}

fn bundled(system: &str, encounter: &str) -> Result<(System, Offer, Setup), Trouble> {
    let system = fracas_systems::find(system).copied().ok_or_else(Trouble::absent)?;
    let found = opening::bundled(&system, encounter).map_err(Trouble::broken)?;
    let (found, setup) = found.ok_or_else(Trouble::absent)?;
    let offer = Offer {
        action: format!("/open/{}/{}", system.id, found.id),
        title: found.title,
        about: found.about,
        back: "/".to_owned(),
    };
    Ok((system, offer, setup))
}

/// A person's own encounter: its setup, or its faults.
fn of_paper(desk: &Desk) -> (Offer, Result<Setup, Faults>) {
    let setup = papers::setup(&desk.papers, &desk.paper, &desk.system);
    let about = setup.as_ref().map(|setup| About::of(&setup.encounter.to_json()));
    let back = format!("/papers/{}", desk.paper.id);
    let offer = Offer {
        action: format!("{back}/open"),
        title: desk.paper.name.clone(),
        about: about.unwrap_or_default(),
        back,
    };
    (offer, setup)
}

/// The most faults of a setup that are shown.
const TOLD: usize = 12;

/// A setup's faults as a note.
pub(super) fn fault_note(faults: &Faults) -> Note {
    let mut lines: Vec<String> = faults.0.iter().take(TOLD).map(ToString::to_string).collect();
    if faults.0.len() > TOLD {
        lines.push(format!("and {} more", faults.0.len() - TOLD));
    }
    Note::all(lines)
}

/// The seats of a setup; empty if it has faults.
fn seats(system: &System, setup: &Setup) -> Vec<Cast> {
    (system.start)(setup).map_or_else(|_| Vec::new(), |game| cast(game.as_ref()))
}

/// The form of a new table.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    Path((system, encounter)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let (system, offer, setup) = bundled(&system, &encounter)?;
    let seats = seats(&system, &setup);
    let near = app.near(&headers);
    Ok(shown(page::open(&system, &offer, &seats, &Wanted::default(), near, &Note::default())))
}

/// The form of a new table with a person's own encounter.
pub(crate) async fn ask_own(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let (offer, setup) = of_paper(&desk);
    let started = setup.and_then(|setup| (desk.system.start)(&setup).map(|_| setup));
    let (seats, note) = match &started {
        Ok(setup) => (seats(&desk.system, setup), Note::default()),
        Err(faults) => (Vec::new(), fault_note(faults)),
    };
    let near = app.near(&headers);
    Ok(shown(page::open(&desk.system, &offer, &seats, &Wanted::default(), near, &note)))
}

/// Opens a table, led from the seat that was picked.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Path((system, encounter)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let (system, offer, setup) = bundled(&system, &encounter)?;
    open_with(&app, &headers, (system, offer, setup), &body).await
}

/// Opens a table for one player and the machine, to try the dice of a system.
pub(crate) async fn practise(
    State(app): State<Arc<App>>,
    Path(system): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let system = fracas_systems::find(&system).copied().ok_or_else(Trouble::absent)?;
    let setup = fracas_systems::practice(&system).map_err(Trouble::broken)?;
    let json = setup.encounter.to_json();
    let offer = Offer {
        action: format!("/practice/{}", system.id),
        title: json["title"].as_str().unwrap_or(system.id).to_owned(),
        about: About::of(&json),
        back: "/".to_owned(),
    };
    open_with(&app, &headers, (system, offer, setup), "alone=player-1").await
}

/// Opens a table with a person's own encounter.
pub(crate) async fn create_own(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let (offer, setup) = of_paper(&desk);
    match setup {
        Ok(setup) => open_with(&app, &headers, (desk.system, offer, setup), &body).await,
        Err(faults) => {
            let wanted = Wanted::default();
            let page =
                page::open(&desk.system, &offer, &[], &wanted, app.near(&headers), &fault_note(&faults));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown(page)).into_response())
        }
    }
}

/// Reads the form of a new table.
pub(super) fn wanted(form: &[(String, String)]) -> Wanted {
    let mut wanted = Wanted::default();
    for (name, value) in form {
        match name.as_str() {
            "title" => wanted.title = value.trim().to_owned(),
            "bot" => wanted.bots.push(value.clone()),
            "me" => wanted.me.clone_from(value),
            "alone" => wanted.alone = Some(value.clone()),
            "name" => wanted.name = value.trim().to_owned(),
            name => {
                if let Some(id) = name.strip_prefix("option.") {
                    wanted.options.push((id.to_owned(), value.clone()));
                } else if let Some(seat) = name.strip_prefix("player.") {
                    wanted.players.push((seat.to_owned(), value.clone()));
                }
            }
        }
    }
    wanted
}

async fn open_with(
    app: &App,
    headers: &HeaderMap,
    (system, offer, setup): (System, Offer, Setup),
    body: &str,
) -> Result<Response, Trouble> {
    let wanted = wanted(&serde_urlencoded(body));
    let title = opening::title(&wanted.title, &offer.title);
    let offered = seats(&system, &setup);
    let (secret, new) = cookie_or_new(app, headers)?;
    let again = |note: &Note| shown(page::open(&system, &offer, &offered, &wanted, app.near(headers), note));
    let (me, settings) = match sits(&wanted, &offered)? {
        Ok(sits) => sits,
        Err(note) => return Ok((StatusCode::UNPROCESSABLE_ENTITY, again(&note)).into_response()),
    };
    let mut names = BTreeMap::new();
    if wanted.alone.is_some() && me != Seat::Gm && !wanted.name.is_empty() {
        names.insert(me, wanted.name.chars().take(opening::NAME).collect());
    }
    for (seat, name) in &wanted.players {
        names.insert(seat.parse().map_err(Trouble::bad)?, name.chars().take(opening::NAME).collect());
    }
    let setup = opening::with_players(&system, with_options(&system, setup, &wanted), &names);
    match open_table(app, (secret.hash(), me), system, setup, title, settings).await? {
        Ok(room) => Ok(with_cookie(Redirect::to(&format!("/t/{}/{me}", room.id)), new)),
        Err(faults) => Ok(again(&fault_note(&faults)).into_response()),
    }
}

/// The opener's seat, and the settings with the seats that the machine plays.
fn sits(wanted: &Wanted, seats: &[Cast]) -> Result<Result<(Seat, Settings), Note>, Trouble> {
    let seat_of = |name: &str| name.parse::<Seat>().map_err(Trouble::bad);
    let looks_on = ["", NOBODY].contains(&wanted.me.as_str());
    let me = match &wanted.alone {
        Some(alone) => seat_of(alone)?,
        None if looks_on => Seat::Gm,
        None => seat_of(&wanted.me)?,
    };
    if me != Seat::Gm && !seats.iter().any(|sits| sits.seat == me) {
        return Err(Trouble::bad("there is no such seat in this encounter"));
    }
    let mut bots = BTreeMap::new();
    if wanted.alone.is_some() {
        bots.extend(seats.iter().map(|sits| (sits.seat, BotKind::Greedy)));
    }
    for bot in &wanted.bots {
        bots.insert(seat_of(bot)?, BotKind::Greedy);
    }
    if wanted.alone.is_none() && wanted.me == Seat::Gm.to_string() && bots.contains_key(&Seat::Gm) {
        return Ok(Err(Note::of(
            "You and the machine cannot both play the gamemaster: say whom you play, or that you look on.",
        )));
    }
    if wanted.alone.is_some() || !looks_on {
        bots.remove(&me);
    }
    let host = Some(me).filter(|me| *me != Seat::Gm);
    Ok(Ok((me, Settings { bots, host, waits_for_players: true, ..Settings::default() })))
}

/// Opens a table with this browser in this seat; or returns all faults of the setup.
pub(super) async fn open_table(
    app: &App,
    (browser, me): (Hash, Seat),
    system: System,
    setup: Setup,
    title: String,
    settings: Settings,
) -> Result<Result<Arc<Room>, Faults>, Trouble> {
    let room = match app.hall.create(system, setup, title, settings, None).await {
        Ok(opened) => opened.room,
        Err(error) => return Ok(Err(error.faults()?)),
    };
    let opener = gamemaster(browser, &room);
    let called = room.look(|table, _| table.log().cast().into_iter().find(|cast| cast.seat == me));
    let opener = match called.flatten() {
        Some(cast) if me != Seat::Gm => Member { role: Viewer::Seat(me), name: cast.name, ..opener },
        _ => opener,
    };
    app.db.put_member(opener).await?;
    Ok(Ok(room))
}

/// The opener of a table, as its gamemaster.
pub(super) fn gamemaster(browser: Hash, room: &Room) -> Member {
    let called = room.look(|table, _| table.log().cast().into_iter().find(|cast| cast.seat == Seat::Gm));
    Member {
        browser,
        table: room.id.clone(),
        role: Viewer::Seat(Seat::Gm),
        name: called.flatten().map_or_else(|| "Gamemaster".to_owned(), |cast| page::capital(&cast.name)),
        pass: None,
        standing: Standing::Admitted,
        since: auth::now(),
        seen: 0,
    }
}

/// The setup with the options that differ from the game's defaults: the form sends all
/// options.
pub(super) fn with_options(system: &System, setup: Setup, wanted: &Wanted) -> Setup {
    let book = (system.rulebook)();
    let differs = |id: &str, value: &str| {
        let option = book.find(id).and_then(|clause| clause.entry().option);
        option.is_none_or(|option| option.default != value)
    };
    let chosen = wanted.options.iter().filter(|(id, value)| differs(id, value));
    opening::with_options(setup, chosen.map(|(id, value)| (id, value)))
}
