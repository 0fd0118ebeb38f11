//! The front door, and new tables.

use super::{
    Trouble,
    papers::{Desk, desk, own},
    seat::{cookie, cookie_or_new, with_cookie},
    serde_urlencoded, shown,
};
use crate::{
    app::App,
    auth,
    hall::{date, moment},
    opening,
    page::{self, Note, Offer, Place, Wanted},
    papers::{self, sort},
    room::Room,
    settings::Settings,
};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse, Redirect, Response},
};
use fracas_kernel::{Faults, Seat, Setup, System, Viewer};
use fracas_sim::BotKind;
use fracas_store::{Hash, Member, Paper, Standing, TableId};
use fracas_systems::{Encounter, Sort};
use fracas_table::{Cast, cast};
use std::{collections::BTreeMap, sync::Arc};

/// Your tables, and what can be opened.
pub(crate) async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Trouble> {
    shown_home(&app, &headers, &Note::default()).await
}

/// The front door, with something said at its top.
pub(super) async fn shown_home(app: &App, headers: &HeaderMap, note: &Note) -> Result<Html<String>, Trouble> {
    let mut places = Vec::new();
    if let Some(secret) = cookie(headers) {
        for (member, table) in app.db.places(&secret.hash()).await? {
            let system = fracas_systems::find(&table.system);
            places.push(Place {
                href: format!("/t/{}/{}", table.id, auth::role_name(member.role)),
                title: table.title,
                system: system.map_or(table.system, |system| (system.rulebook)().title.to_owned()),
                role: member.role,
                name: member.name,
                opened: date(table.opened),
                deleted: None,
            });
        }
        for gone in app.db.deleted(&secret.hash(), auth::now()).await? {
            places.push(Place {
                href: format!("/t/{}/gm/delete", gone.table.id),
                title: gone.table.title,
                system: gone.table.system,
                role: Viewer::Seat(Seat::Gm),
                name: String::new(),
                opened: date(gone.table.opened),
                deleted: Some(moment(gone.until)),
            });
        }
    }
    let systems: Vec<(System, Vec<Encounter>)> = fracas_systems::all()
        .iter()
        .map(|system| fracas_systems::encounters(system).map(|encounters| (*system, encounters)))
        .collect::<Result<_, _>>()
        .map_err(Trouble::broken)?;
    let own: Vec<Paper> = own(app, headers).await?.into_iter().filter(is_offered).collect();
    Ok(shown(page::home(&places, &systems, &own, note)))
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
        summary: found.summary,
        back: "/".to_owned(),
    };
    Ok((system, offer, setup))
}

/// An encounter of one's own; its faults where it has some.
fn of_paper(desk: &Desk) -> (Offer, Result<Setup, Faults>) {
    let setup = papers::setup(&desk.papers, &desk.paper, &desk.system);
    let summary = setup.as_ref().ok().and_then(|setup| {
        setup.encounter.to_json().get("summary").and_then(|text| text.as_str()).map(str::to_owned)
    });
    let back = format!("/papers/{}", desk.paper.id);
    let offer = Offer {
        action: format!("{back}/open"),
        title: desk.paper.name.clone(),
        summary: summary.unwrap_or_default(),
        back,
    };
    (offer, setup)
}

/// The most faults of a setup that are told at once.
const TOLD: usize = 12;

/// What is wrong with a setup, as a page says it.
pub(super) fn told(faults: &Faults) -> Note {
    let mut lines: Vec<String> = faults.0.iter().take(TOLD).map(ToString::to_string).collect();
    if faults.0.len() > TOLD {
        lines.push(format!("and {} more", faults.0.len() - TOLD));
    }
    Note::all(lines)
}

/// Who sits where in a setup; nobody where it is at fault.
fn seats(system: &System, setup: &Setup) -> Vec<Cast> {
    (system.start)(setup).map_or_else(|_| Vec::new(), |game| cast(game.as_ref()))
}

/// The form of a new table.
pub(crate) async fn ask(Path((system, encounter)): Path<(String, String)>) -> Result<Html<String>, Trouble> {
    let (system, offer, setup) = bundled(&system, &encounter)?;
    let seats = seats(&system, &setup);
    Ok(shown(page::open(&system, &offer, &seats, &Wanted::default(), &Note::default())))
}

/// The form of a new table with an encounter of one's own.
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
        Err(faults) => (Vec::new(), told(faults)),
    };
    Ok(shown(page::open(&desk.system, &offer, &seats, &Wanted::default(), &note)))
}

/// Opens a table; whoever does is its gamemaster.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Path((system, encounter)): Path<(String, String)>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let (system, offer, setup) = bundled(&system, &encounter)?;
    open_with(&app, &headers, (system, offer, setup), &body).await
}

/// Opens a table with an encounter of one's own.
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
            let page = page::open(&desk.system, &offer, &[], &Wanted::default(), &told(&faults));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown(page)).into_response())
        }
    }
}

/// What the form of a new table says.
pub(super) fn wanted(form: &[(String, String)]) -> Wanted {
    let mut wanted = Wanted::default();
    for (name, value) in form {
        match name.as_str() {
            "title" => wanted.title = value.trim().to_owned(),
            "bot" => wanted.bots.push(value.clone()),
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
    let mut settings = Settings::default();
    for bot in &wanted.bots {
        let seat: Seat = bot.parse().map_err(Trouble::bad)?;
        settings.bots.insert(seat, BotKind::Greedy);
    }
    let offered = seats(&system, &setup);
    let (secret, new) = cookie_or_new(app, headers)?;
    let mut names = BTreeMap::new();
    for (seat, name) in &wanted.players {
        names.insert(seat.parse().map_err(Trouble::bad)?, name.chars().take(opening::NAME).collect());
    }
    let setup = opening::with_players(&system, with_options(&system, setup, &wanted), &names);
    match open_table(app, secret.hash(), system, setup, title, settings).await? {
        Ok(room) => Ok(with_cookie(Redirect::to(&format!("/t/{}/gm", room.id)), new)),
        Err(faults) => {
            let page = page::open(&system, &offer, &offered, &wanted, &told(&faults));
            Ok(shown(page).into_response())
        }
    }
}

/// Opens a table with this browser as its gamemaster's; or gives every fault of
/// the setup.
pub(super) async fn open_table(
    app: &App,
    browser: Hash,
    system: System,
    setup: Setup,
    title: String,
    settings: Settings,
) -> Result<Result<Arc<Room>, Faults>, Trouble> {
    let room = match app.hall.create(system, setup, title, settings, None).await {
        Ok(opened) => opened.room,
        Err(error) => return Ok(Err(error.faults()?)),
    };
    app.db.put_member(gamemaster(browser, room.id.clone())).await?;
    Ok(Ok(room))
}

/// Whoever opened a table, as its gamemaster.
pub(super) fn gamemaster(browser: Hash, table: TableId) -> Member {
    Member {
        browser,
        table,
        role: Viewer::Seat(Seat::Gm),
        name: "Gamemaster".to_owned(),
        pass: None,
        standing: Standing::Admitted,
        since: auth::now(),
        seen: 0,
    }
}

/// The setup with the options that differ from how the game plays as a rule: the
/// form sends them all.
pub(super) fn with_options(system: &System, setup: Setup, wanted: &Wanted) -> Setup {
    let book = (system.rulebook)();
    let differs = |id: &str, value: &str| {
        let option = book.find(id).and_then(|clause| clause.entry().option);
        option.is_none_or(|option| option.default != value)
    };
    let chosen = wanted.options.iter().filter(|(id, value)| differs(id, value));
    opening::with_options(setup, chosen.map(|(id, value)| (id, value)))
}
