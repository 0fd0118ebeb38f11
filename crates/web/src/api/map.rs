//! The API of maps: where somebody can go, and what a space is like.

use super::caller::{Caller, Part};
use super::problem::{Kind, Problem};
use super::read::not_asked;
use super::shape::{Odds, clause};
use crate::asked::query;
use axum::{Json, http::Uri};
use fracas_kernel::{self as kernel, Listed, MAX_VIA, Pointed, Refused, Told};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Where those can go who may move by an answer to an ask.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reach {
    /// Each token that can go; none in a system without a map.
    going: Vec<Going>,
}

/// Where a token can go.
#[derive(Serialize, ToSchema)]
struct Going {
    /// The token.
    token: String,
    /// The space where it stands.
    #[schema(example = "C4")]
    from: String,
    /// The spaces that it can move to, by what that costs, cheapest first. No space is in two.
    shades: Vec<Shade>,
}

/// Spaces that cost the same to move to.
#[derive(Serialize, ToSchema)]
struct Shade {
    /// The cost in the system's words.
    #[schema(example = "one action")]
    text: String,
    /// The spaces.
    #[schema(example = json!(["C5", "D5"]))]
    spaces: Vec<String>,
}

/// A space as it is for a token that would go there.
#[derive(Serialize, ToSchema)]
pub(crate) struct There {
    /// The token.
    token: String,
    /// The space in words.
    #[schema(example = "C4, mud")]
    title: String,
    /// What the way there costs and brings.
    lines: Vec<Line>,
    /// The way there, without its start; empty if none leads there.
    path: Vec<String>,
    /// Labels for spaces of the way.
    marks: Vec<Mark>,
    /// What the token could do to others from there, and they to it.
    facing: Vec<Facing>,
    /// The answers that pointing there stands for. Each may be sent.
    answers: Vec<Offer>,
}

/// A sentence, with the clause behind it.
#[derive(Serialize, ToSchema)]
struct Line {
    /// The sentence.
    text: String,
    /// The clause behind it.
    clause: Option<&'static str>,
}

/// A label for a space of a way.
#[derive(Serialize, ToSchema)]
struct Mark {
    /// The space.
    space: String,
    /// The label.
    #[schema(example = "+1")]
    text: String,
}

/// Somebody seen from a space.
#[derive(Serialize, ToSchema)]
struct Facing {
    /// The other token.
    token: String,
    /// How far away it is, in the system's words.
    #[schema(example = "3 spaces away")]
    apart: String,
    /// What attacks on it from there come to, where that can be told.
    gives: Vec<Odds>,
    /// What its attacks on who is there come to, where that can be told.
    takes: Vec<Odds>,
}

/// An answer that pointing at a space stands for.
#[derive(Serialize, ToSchema)]
struct Offer {
    /// The JSON to send.
    answer: Value,
    /// In words.
    text: String,
    /// The consequences, as far as this role may know.
    leads: String,
    /// The clause behind it.
    clause: Option<&'static str>,
}

impl From<kernel::Going> for Going {
    fn from(going: kernel::Going) -> Going {
        let shade = |kernel::Shade { text, spaces }| Shade { text, spaces: names(&spaces) };
        Going {
            token: going.token,
            from: going.from.to_string(),
            shades: going.shades.into_iter().map(shade).collect(),
        }
    }
}

impl From<kernel::There<Listed>> for There {
    fn from(there: kernel::There<Listed>) -> There {
        let line = |told: Told| Line { clause: clause(&told), text: told.text };
        let odds = |all: Vec<kernel::Odds>| all.into_iter().map(Odds::from).collect();
        let facing = |kernel::Facing { token, apart, gives, takes }| Facing {
            token,
            apart,
            gives: odds(gives),
            takes: odds(takes),
        };
        let offer = |listed: Listed| Offer {
            answer: serde_json::from_str(&listed.answer).unwrap_or_default(),
            clause: clause(&listed.told),
            text: listed.told.text,
            leads: listed.told.leads,
        };
        There {
            token: there.token,
            title: there.title,
            lines: there.lines.into_iter().map(line).collect(),
            path: names(&there.path),
            marks: there
                .marks
                .into_iter()
                .map(|(space, text)| Mark { space: space.to_string(), text })
                .collect(),
            facing: there.facing.into_iter().map(facing).collect(),
            answers: there.answers.into_iter().map(offer).collect(),
        }
    }
}

fn names(spaces: &[kernel::Space]) -> Vec<String> {
    spaces.iter().map(kernel::Space::to_string).collect()
}

/// Where those can go who may move by an answer to the ask.
///
/// The spaces are those that this role knows no reason against: somebody unseen may stand in one.
#[utoipa::path(
    get,
    path = "/tables/{table}/asks/{ask}/reach",
    operation_id = "get_reach",
    tag = "table",
    security(("token" = ["read"])),
    responses((status = 200, body = Reach)),
)]
pub(crate) async fn reach(caller: Caller, ask: Part<1>) -> Result<Json<Reach>, Problem> {
    let who = caller.role;
    let going = caller.room.ask(who, &ask.0, |table, id| table.game().reach(id, who));
    let going = going.ok_or_else(not_asked)?.into_iter().map(Going::from).collect();
    Ok(Json(Reach { going }))
}

/// A space as it is for somebody who may act by an answer to the ask, and the answers that pointing
/// there stands for.
#[utoipa::path(
    get,
    path = "/tables/{table}/asks/{ask}/spaces/{space}",
    operation_id = "get_space",
    tag = "table",
    params(
        ("space" = String, Path, description = "A space of the map: `C4` is the third column of the fourth row", example = "C4"),
        ("token" = Option<String>, Query, description = "Who would go there; needed where several can"),
        ("via" = Option<String>, Query, description = "Spaces by which the way is led, with commas between: at most six"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = There)),
)]
pub(crate) async fn space(
    caller: Caller,
    ask: Part<1>,
    space: Part<2>,
    uri: Uri,
) -> Result<Json<There>, Problem> {
    let asked = query(&uri);
    let get = |name: &str| asked.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let read = |name: &'static str, text: &str| {
        let wrong = |error: kernel::SpaceError| Problem::new(Kind::Unreadable, error.to_string()).at(name);
        text.parse::<kernel::Space>().map_err(wrong)
    };
    let via = get("via").unwrap_or_default().split(',').filter(|text| !text.is_empty());
    let via: Vec<kernel::Space> = via.map(|text| read("via", text)).collect::<Result<_, _>>()?;
    if via.len() > MAX_VIA {
        return Err(
            Problem::new(Kind::Unreadable, format!("a way is led by {MAX_VIA} spaces at most")).at("via")
        );
    }
    let pointed = Pointed { token: get("token").map(str::to_owned), via, to: read("space", &space.0)? };
    let who = caller.role;
    let there = caller.room.ask(who, &ask.0, |table, id| table.game().there(id, &pointed, who));
    let there: Result<_, Refused> = there.ok_or_else(not_asked)?;
    Ok(Json(There::from(there?)))
}
