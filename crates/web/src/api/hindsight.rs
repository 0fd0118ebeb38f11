//! Where an evening turned, what may come of a moment, and branches.

use super::caller::{Gm, GmReader, Part, SentAs};
use super::key::Continuing;
use super::open::{Made, TableMade, hand_over, token};
use super::problem::{Kind, Problem};
use crate::app::App;
use axum::{Json, extract::State};
use fracas_hindsight as hindsight;
use fracas_kernel::Seat;
use fracas_live::hindsight::{Progress, branch_off};
use fracas_live::opening;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// How conflicts ended that went on from a moment, by brisk players on both sides.
#[derive(Serialize, ToSchema)]
struct Outlook {
    /// How many were played.
    conflicts: u32,
    /// The share that the players won, from 0 to 1.
    chance: f64,
    /// The lower end of its 95 % interval.
    low: f64,
    /// The upper end.
    high: f64,
}

impl From<hindsight::Outlook> for Outlook {
    fn from(outlook: hindsight::Outlook) -> Outlook {
        let (low, high) = outlook.interval();
        Outlook { conflicts: outlook.conflicts, chance: outlook.chance(), low, high }
    }
}

/// Where an evening turned, or how far the work on that is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Turns {
    /// `working`, `done`, `failed`, or `busy`: other tables are worked on first. Ask again in a few seconds.
    state: &'static str,
    /// Of the work: how many moments are done.
    done: u64,
    /// Of how many.
    of: u64,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The players' chances after each move, from the beginning on.
    points: Vec<Point>,
    /// The moves that changed the chances most.
    turns: Vec<Turn>,
    /// Luck and choices; absent for a long evening.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Shares>,
}

/// The chances after a move.
#[derive(Serialize, ToSchema)]
struct Point {
    /// The move's line in the log; 0 before the first.
    line: u64,
    /// The outlook then.
    outlook: Outlook,
}

/// A move that changed the chances.
#[derive(Serialize, ToSchema)]
struct Turn {
    /// Its line in the log.
    line: u64,
    /// `dice`, `overruled`, or the seat that answered.
    by: String,
    /// The events in words.
    text: String,
    /// The outlook before it.
    before: Outlook,
    /// The outlook after it.
    after: Outlook,
    /// Of dice: their odds.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<String>,
    /// Of an answer: a clearly better one.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<Instead>,
}

/// A better answer.
#[derive(Serialize, ToSchema)]
struct Instead {
    /// The answer in words.
    text: String,
    /// The outlook after it.
    outlook: Outlook,
}

/// How far each kind of move moved the players' chances in all, from -1 to 1.
#[derive(Serialize, ToSchema)]
struct Shares {
    /// All dice, against their odds.
    dice: Share,
    /// The players' answers, against those of brisk players.
    players: Share,
    /// The gamemaster's.
    gm: Share,
    /// What the gamemaster overruled.
    overruled: Share,
}

/// A sum of changes, with its 95 % interval: `sum` ± `within`.
#[derive(Serialize, ToSchema)]
struct Share {
    /// The sum.
    sum: f64,
    /// How far it may be off.
    within: f64,
}

impl From<hindsight::Share> for Share {
    fn from(share: hindsight::Share) -> Share {
        Share { sum: share.sum, within: share.within }
    }
}

impl From<&hindsight::Turn> for Turn {
    fn from(turn: &hindsight::Turn) -> Turn {
        let by = match turn.by {
            hindsight::By::Dice => "dice".to_owned(),
            hindsight::By::Overruled => "overruled".to_owned(),
            hindsight::By::Seat(seat) => seat.to_string(),
        };
        let instead = turn.instead.as_ref();
        Turn {
            line: turn.seq,
            by,
            text: turn.text.clone(),
            before: turn.before.into(),
            after: turn.after.into(),
            odds: turn.odds.clone(),
            instead: instead.map(|other| Instead { text: other.text.clone(), outlook: other.outlook.into() }),
        }
    }
}

/// Where the evening turned: the players' chances after each move, and the moves that changed them most. For
/// the gamemaster: conflicts are played on with everything that is hidden.
///
/// The first request begins the work, which takes some seconds; `state` says how far it is.
#[utoipa::path(
    get,
    path = "/tables/{table}/turns",
    operation_id = "get_turns",
    tag = "gamemaster",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = Turns)),
)]
pub(crate) async fn turns(State(app): State<Arc<App>>, caller: GmReader) -> Result<Json<Turns>, Problem> {
    let progress = app.hindsight.turns(&caller.0.room).ok_or_else(Problem::absent)?;
    let blank = |state| Turns {
        state,
        done: 0,
        of: 0,
        why: None,
        points: Vec::new(),
        turns: Vec::new(),
        shares: None,
    };
    Ok(Json(match progress {
        Progress::Working(step) => Turns { done: step.done, of: step.of, ..blank("working") },
        Progress::Busy => blank("busy"),
        Progress::Failed(why) => Turns { why: Some(why), ..blank("failed") },
        Progress::Done(found) => {
            let point = |point: &hindsight::Point| Point { line: point.seq, outlook: point.outlook.into() };
            let shares = found.shares.map(|shares| {
                let hindsight::Shares { dice, players, gm, overruled } = shares;
                Shares {
                    dice: dice.into(),
                    players: players.into(),
                    gm: gm.into(),
                    overruled: overruled.into(),
                }
            });
            Turns {
                done: found.points.len() as u64,
                of: found.points.len() as u64,
                points: found.points.iter().map(point).collect(),
                turns: found.turns.iter().map(Turn::from).collect(),
                shares,
                ..blank("done")
            }
        }
    }))
}

/// A moment, with what may come of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Moment {
    /// How play ends that goes on from it; absent at the end of play.
    #[serde(skip_serializing_if = "Option::is_none")]
    outlook: Option<Outlook>,
    /// The dice that are due.
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<String>,
    /// Their odds in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<String>,
    /// What is asked.
    asks: Vec<Asked>,
}

/// An open ask of a moment.
#[derive(Serialize, ToSchema)]
struct Asked {
    /// The seats that are asked.
    seats: Vec<String>,
    /// The ask in words.
    text: String,
    /// Its answers, forty at most.
    answers: Vec<Choice>,
    /// How many more there are.
    more: usize,
}

/// An answer, with what comes of it.
#[derive(Serialize, ToSchema)]
struct Choice {
    /// The answer in words.
    text: String,
    /// The odds in words of the roll that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<String>,
    /// How play ends that goes on after it; absent where there was no time to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    outlook: Option<Outlook>,
}

/// What may come of the moment after a line of the log: every answer with its odds, and how play ends after
/// it. For the gamemaster. Takes some seconds.
#[utoipa::path(
    get,
    path = "/tables/{table}/moments/{line}",
    operation_id = "get_moment",
    tag = "gamemaster",
    params(("line" = u64, Path, description = "The number of a line of the log that was not taken back")),
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = Moment)),
)]
pub(crate) async fn moment(
    State(app): State<Arc<App>>,
    caller: GmReader,
    line: Part<1>,
) -> Result<Json<Moment>, Problem> {
    let after = line.0.parse().map_err(|_| Problem::absent())?;
    let moment = app.hindsight.moment(&caller.0.room, after).await?.ok_or_else(Problem::absent)?;
    let (dice, odds) = moment.due.map_or((None, None), |(dice, odds)| (Some(dice), odds));
    let choice = |choice: hindsight::Choice| Choice {
        text: choice.text,
        odds: choice.odds,
        outlook: choice.outlook.map(Outlook::from),
    };
    let asked = |ask: hindsight::Asked| Asked {
        seats: ask.seats.iter().map(Seat::to_string).collect(),
        text: ask.text,
        answers: ask.answers.into_iter().map(choice).collect(),
        more: ask.more,
    };
    Ok(Json(Moment {
        outlook: moment.outlook.map(Outlook::from),
        dice,
        odds,
        asks: moment.asks.into_iter().map(asked).collect(),
    }))
}

/// A branch that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BranchSent {
    /// The number of the last line that both tables have. It was not taken back.
    after: u64,
    /// The title of the branch; absent: this table's title with the line.
    title: Option<String>,
}

/// Opens a branch: a table of its own that goes on after a line of this table's log. Its further dice are its
/// own. For the gamemaster, who is given the gamemaster's token.
#[utoipa::path(
    post,
    path = "/tables/{table}/branches",
    operation_id = "open_branch",
    tag = "gamemaster",
    params(Continuing),
    security(("token" = ["play", "gm"])),
    request_body = BranchSent,
    responses((status = 201, body = TableMade)),
)]
pub(crate) async fn branch(
    State(app): State<Arc<App>>,
    Gm(caller): Gm,
    Continuing(key): Continuing,
    SentAs(sent, asked): SentAs<BranchSent>,
) -> Result<Made<TableMade>, Problem> {
    let room = &caller.room;
    let title = room.look(|table, _| table.log().header().title.clone()).ok_or_else(Problem::absent)?;
    let title = opening::title(&sent.title.unwrap_or_default(), &opening::branch_title(&title, sent.after));
    let named = key.as_ref().map(|key| key.named(asked)).transpose()?;
    let lines = app.db.lines(&room.id).await?;
    let branch = branch_off(&app.hall, room, (sent.after, title), lines, named).await?;
    let (id, named) = branch.ok_or_else(|| {
        let what = "the table has no such line, or it was taken back";
        Problem::new(Kind::Refused, what).at("after")
    })?;
    let room = app.hall.room(&id).await?;
    hand_over(&app, &room, Seat::Gm, token(key.as_ref(), named.as_ref())).await
}
