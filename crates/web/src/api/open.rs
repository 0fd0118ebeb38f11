//! The API that opens tables.

use super::caller::{LogSent, LogText, SentAs};
use super::key::{Key, Opening};
use super::problem::{Kind, Problem};
use super::texts::{self, LONGEST_TEXTS, Play};
use crate::app::App;
use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fracas_kernel::{Seat, Setup, System, Viewer};
use fracas_live::pass::{self, Maker, Wish};
use fracas_live::{auth::Secret, opening, origin::From, room::Room, settings::Settings, take_in};
use fracas_sim::BotKind;
use fracas_store::{Hash, Named, PassKind};
use fracas_systems::{Comer, Scene};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, sync::Arc};
use utoipa::ToSchema;

type At = State<Arc<App>>;

/// A table that is wanted, with one of `encounter`, `toml` and `scene`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableSent {
    /// The system, by its id.
    system: String,
    /// The id of an encounter that comes with the system.
    encounter: Option<String>,
    /// An encounter of one's own: TOML, 128 KB at most.
    toml: Option<String>,
    /// A scene of characters, with nothing under way.
    scene: Option<SceneSent>,
    /// Libraries of one's own that it may use: TOML, the first foremost; beneath lies
    /// what comes with the system.
    #[serde(default)]
    with: Vec<String>,
    /// The title of the table; absent: the encounter's.
    title: Option<String>,
    /// Settings that are otherwise than as a rule, by their ids.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Seats for the machine.
    #[serde(default)]
    #[schema(example = json!(["gm"]))]
    bots: Vec<String>,
    /// The seat that is played alone: the machine plays every other,
    /// and the token is this seat's. Then there are no `bots`.
    #[schema(example = "player-1")]
    alone: Option<String>,
    /// The players' names by seat, 80 letters at most; absent: the names in the encounter.
    #[serde(default)]
    #[schema(example = json!({ "player-1": "Mia" }))]
    players: BTreeMap<String, String>,
}

/// A scene in which nothing is under way yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneSent {
    /// Players' characters of a library: one at least.
    characters: Vec<Played>,
    /// The gamemaster's characters.
    #[serde(default)]
    others: Vec<Others>,
}

/// A player's character in a scene.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Played {
    /// The character's name in the library.
    name: String,
    /// The player's name; absent: a player of their own.
    player: Option<String>,
}

/// Others in a scene.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Others {
    /// The character's name in the library.
    name: String,
    /// How many come, numbered if they are several; absent: one.
    #[schema(minimum = 1, maximum = 20)]
    count: Option<usize>,
}

impl SceneSent {
    /// The scene, under this title.
    fn scene(self, title: &str) -> Result<Scene, Problem> {
        if self.characters.is_empty() {
            let what = "a scene has at least one player's character";
            return Err(Problem::new(Kind::Refused, what).at("scene.characters"));
        }
        let characters = self.characters.into_iter().map(|played| (played.name, played.player));
        let (mut comers, _) = opening::played(characters);
        for (n, other) in self.others.into_iter().enumerate() {
            let count = other.count.unwrap_or(1);
            if !(1..=opening::MOST).contains(&count) {
                let what = format!("from 1 to {} of one kind come to a scene, not {count}", opening::MOST);
                return Err(Problem::new(Kind::Refused, what).at(format!("scene.others[{n}].count")));
            }
            comers.push(Comer { name: other.name, player: None, count });
        }
        Ok(Scene { title: title.to_owned(), comers })
    }
}

/// A table that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableMade {
    /// Its id.
    table: String,
    /// The gamemaster's token, shown this once: it plays, makes links and tokens,
    /// and takes them back. Where the table was opened to play `alone`, that seat's.
    token: String,
}

/// A thing that was made, and its address.
pub(crate) struct Made<T> {
    pub(super) at: String,
    pub(super) what: T,
}

impl<T: Serialize> IntoResponse for Made<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, [(header::LOCATION, self.at)], Json(self.what)).into_response()
    }
}

/// Hands a table over with the token of this seat. A table opened under a name has the token
/// derived from the name.
pub(super) async fn hand_over(
    app: &App,
    room: &Room,
    seat: Seat,
    named: Option<Secret>,
) -> Result<Made<TableMade>, Problem> {
    let label = "the opener of the table".to_owned();
    let wish = Wish { kind: PassKind::Play, role: Viewer::Seat(seat), label, maker: Maker::Opening, named };
    let secret = pass::make(&app.db, room, wish).await?;
    let what = TableMade { table: room.id.to_string(), token: secret.reveal().to_owned() };
    Ok(Made { at: format!("/api/v1/tables/{}", room.id), what })
}

/// Opens a table, and gives the gamemaster's token.
///
/// The table begins with exactly one of `encounter`, `toml` and `scene`. If a text has faults,
/// no table is opened, and the problem's `faults` list each with its line.
#[utoipa::path(
    post,
    path = "/tables",
    operation_id = "open_table",
    tag = "systems",
    params(Opening),
    request_body = TableSent,
    responses((status = 201, body = TableMade)),
)]
pub(crate) async fn open(
    State(app): At,
    Opening(key): Opening,
    SentAs(sent, asked): SentAs<TableSent, LONGEST_TEXTS>,
) -> Result<Made<TableMade>, Problem> {
    let nonsense = |what: String, place: &str| Problem::new(Kind::Refused, what).at(place);
    let system = fracas_systems::find(&sent.system)
        .ok_or_else(|| nonsense(format!("there is no system {:?} here", sent.system), "system"))?;
    check_options(system, &sent.options)?;
    let mut settings = Settings::default();
    for (n, bot) in sent.bots.iter().enumerate() {
        let seat: Seat = bot.parse().map_err(|what| nonsense(what, &format!("bots[{n}]")))?;
        settings.bots.insert(seat, BotKind::Greedy);
    }
    let mut players = BTreeMap::new();
    for (seat, name) in sent.players {
        let place = format!("players.{seat}");
        if name.chars().count() > opening::NAME {
            return Err(nonsense(format!("a name of at most {} letters", opening::NAME), &place));
        }
        players.insert(seat.parse::<Seat>().map_err(|what| nonsense(what, &place))?, name);
    }
    let title = sent.title.unwrap_or_default();
    let scene = sent.scene.map(|scene| scene.scene(&opening::title(&title, "A scene"))).transpose()?;
    let play = Play::one_of(sent.encounter, sent.toml, scene)?;
    let play = play.ok_or_else(|| {
        Problem::new(Kind::Refused, "say what is played: one of `encounter`, `toml` and `scene`")
    })?;
    let (setup, called) = texts::at_leisure(move || texts::setup(system, play, &sent.with)).await?;
    let setup = opening::with_players(system, opening::with_options(setup, &sent.options), &players);
    let title = opening::title(&title, &called);
    let named = key.as_ref().map(|key| key.named(asked)).transpose()?;
    let me = match &sent.alone {
        None => Seat::Gm,
        Some(seat) => alone(system, &setup, seat, &mut settings)?,
    };
    let opened = app.hall.create(*system, setup, title, settings, named).await?;
    hand_over(&app, &opened.room, me, token(key.as_ref(), opened.named.as_ref())).await
}

/// The seat that is played alone, with the machine in every other. A setup with faults has
/// no seats; its faults are reported when the table is opened.
fn alone(system: &System, setup: &Setup, seat: &str, settings: &mut Settings) -> Result<Seat, Problem> {
    let refused = |what: String| Problem::new(Kind::Refused, what).at("alone");
    let me: Seat = seat.parse().map_err(refused)?;
    if !settings.bots.is_empty() {
        return Err(refused(
            "a table that is played `alone` names no `bots`: the machine plays every other seat".to_owned(),
        ));
    }
    let Ok(game) = (system.start)(setup) else { return Ok(me) };
    let seats: Vec<Seat> = game.seats().into_iter().map(|info| info.seat).collect();
    if !seats.contains(&me) {
        let there: Vec<String> = seats.iter().map(ToString::to_string).collect();
        return Err(refused(format!("no seat {seat:?}; there are {}", there.join(", "))));
    }
    settings.host = Some(me).filter(|me| *me != Seat::Gm);
    settings.bots.extend(seats.into_iter().filter(|seat| *seat != me).map(|seat| (seat, BotKind::Greedy)));
    Ok(me)
}

/// The token derived from the name under which a table was opened.
pub(super) fn token(key: Option<&Key>, named: Option<&Named>) -> Option<Secret> {
    Some(key?.token(named?))
}

/// Checks that the system has each option, and that the option takes its value.
fn check_options(system: &System, options: &BTreeMap<String, String>) -> Result<(), Problem> {
    let book = (system.rulebook)();
    for (id, value) in options {
        let refused = |what: String| Problem::new(Kind::Refused, what).at(format!("options.{id}"));
        let Some((_, option)) = book.options().find(|(clause, _)| clause.id() == id) else {
            let there: Vec<&str> = book.options().map(|(clause, _)| clause.id()).collect();
            return Err(refused(format!("no setting {id:?}; there are {}", there.join(", "))));
        };
        if !option.allows(value) {
            return Err(refused(format!("one of {}, not {value:?}", option.values.join(", "))));
        }
    }
    Ok(())
}

/// Takes a table in that was played elsewhere, from its log: one line of JSON each
/// entry, 1 MB and some 4,000 lines at most; 16 MB with the token of a gamemaster
/// whose table was opened on this server an hour ago or earlier, which nothing else here
/// takes. With `Content-Type: application/x-ndjson` the log is sent as it is.
///
/// It is played through and compared first. Where it is not what was played, nothing
/// is kept, and the problem's `faults` say which lines. Where a part of it is of earlier
/// rules and cannot be run again, the table says so to everybody: it is `unverified`.
#[utoipa::path(
    post,
    path = "/tables/taken",
    operation_id = "take_table_in",
    tag = "systems",
    params(Opening),
    request_body = LogText,
    responses((status = 201, body = TableMade)),
)]
pub(crate) async fn take_in(
    State(app): At,
    Opening(key): Opening,
    Extension(from): Extension<From>,
    LogSent(bytes, most): LogSent,
) -> Result<Made<TableMade>, Problem> {
    // Hashing a long log takes time.
    let hashed = texts::at_leisure(move || Ok((Hash::from(Sha256::digest(&bytes)), bytes)));
    let (asked, bytes) = hashed.await?;
    let named = key.as_ref().map(|key| key.named(asked)).transpose()?;
    let (id, named) = take_in::take_in(&app.taking, &app.hall, from, (bytes, most), named).await?;
    let room = app.hall.room(&id).await?;
    hand_over(&app, &room, Seat::Gm, token(key.as_ref(), named.as_ref())).await
}
