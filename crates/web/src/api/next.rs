//! The API of the next evening.

use super::caller::{Gm, GmReader, SentAs};
use super::key::Continuing;
use super::open::{Made, TableMade, hand_over, token};
use super::problem::{Kind, Problem};
use super::texts::{self, LONGEST_TEXTS, Play};
use crate::app::App;
use axum::{Json, extract::State};
use fracas_kernel::{Seat, Setup};
use fracas_live::evening::{self, Carried};
use fracas_live::{opening, room::Room};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

async fn carried(room: &Room) -> Result<Carried, Problem> {
    let carried = Carried::of(room).await?;
    carried.ok_or_else(|| Problem::new(Kind::Refused, "this system knows no other evening"))
}

/// Who would come along to another evening.
#[derive(Serialize, ToSchema)]
pub(crate) struct Company {
    /// Players' characters as they are now.
    characters: Vec<Comer>,
    /// The fallen characters.
    fallen: Vec<Comer>,
    /// All of them as a library in TOML, to look at, to keep and to play with.
    toml: String,
    /// The table at which they go on already, where they do: the last that was opened.
    next: Option<String>,
}

/// Somebody who would come along, or would have.
#[derive(Serialize, ToSchema)]
struct Comer {
    /// The name of the character.
    name: String,
    /// The last line of the character's history.
    last: String,
}

/// Who would come along to another evening, as they are now. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/carried",
    operation_id = "get_carried",
    tag = "gamemaster",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = Company)),
)]
pub(crate) async fn company(caller: GmReader) -> Result<Json<Company>, Problem> {
    let room = &caller.0.room;
    let carried = carried(room).await?;
    let next = room.look(|_, settings| settings.next.clone()).flatten();
    let comers = |all: Vec<(String, String)>| all.into_iter().map(|(name, last)| Comer { name, last });
    Ok(Json(Company {
        characters: comers(carried.comers()).collect(),
        fallen: comers(carried.fallen()).collect(),
        toml: carried.toml(),
        next: next.map(|table| table.to_string()),
    }))
}

/// Another evening: a blank scene where neither `encounter` nor `toml` is said.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextSent {
    /// The id of an encounter that comes with the system.
    encounter: Option<String>,
    /// An encounter of one's own: TOML, 128 KB at most.
    toml: Option<String>,
    /// Libraries of one's own that it may use: TOML, the first foremost.
    #[serde(default)]
    with: Vec<String>,
    /// The title of the table; absent: this table's title and `another evening`.
    title: Option<String>,
    /// Whose characters the encounter is played with; absent: `ours`.
    party: Option<Party>,
}

/// Whose characters an encounter is played with.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Party {
    /// Everybody who is carried on, in place of its own.
    Ours,
    /// Its own; those of them who are carried on come as they are now.
    Its,
}

/// Opens another evening's table for the characters as they are now. People who were let in
/// here sit there, if their character comes along. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/next",
    operation_id = "open_next_table",
    tag = "gamemaster",
    params(Continuing),
    security(("token" = ["play", "gm"])),
    request_body = NextSent,
    responses((status = 201, body = TableMade)),
)]
pub(crate) async fn next(
    State(app): State<Arc<App>>,
    Gm(caller): Gm,
    Continuing(key): Continuing,
    SentAs(sent, asked): SentAs<NextSent, LONGEST_TEXTS>,
) -> Result<Made<TableMade>, Problem> {
    let play = Play::one_of(sent.encounter, sent.toml, None)?;
    let party = match (sent.party, &play) {
        (Some(Party::Its), None) => {
            let what = "a blank scene has no characters of its own: say `encounter` or `toml`";
            return Err(Problem::new(Kind::Refused, what).at("party"));
        }
        (Some(Party::Its), Some(_)) => evening::Party::Its,
        (Some(Party::Ours) | None, _) => evening::Party::Ours,
    };
    let carried = carried(&caller.room).await?;
    let title = opening::title(&sent.title.unwrap_or_default(), &carried.next_title());
    let evening = texts::at_leisure(move || {
        let setup = match play {
            Some(play) => texts::setup(&carried.system, play, &sent.with)?.0,
            None => {
                let library = texts::library(&carried.system, &sent.with)??;
                Setup { encounter: carried.blank(), library }
            }
        };
        Ok(carried.next(setup, party)?)
    });
    let named = key.as_ref().map(|key| key.named(asked)).transpose()?;
    let (opened, places) = evening.await?.open(&app.hall, title, named).await?;
    let token = token(key.as_ref(), opened.named.as_ref());
    // Also for a table that was opened before: the first attempt may have been interrupted.
    places.bring(&app.db, &caller.room, &opened.room, token.as_ref()).await?;
    hand_over(&app, &opened.room, Seat::Gm, token).await
}
