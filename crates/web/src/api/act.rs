//! What programs do at a table: the same commands as people's.

use super::{
    caller::{Caller, Gm, Player, Sent, key},
    problem::{Kind, Problem},
};
use crate::{
    app::App,
    room::{Carried, Command, Refusal, Room},
    settings::{self, LONGEST, SLOWEST, Settings},
    stream::Mark,
};
use axum::{Json, extract::State, http::HeaderMap};
use fracas_kernel::{Refused, Seat, Viewer};
use fracas_sim::BotKind;
use fracas_table::Reader;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// That it was done, and is kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// Whether it had been done before, under the same `Idempotency-Key`.
    before: bool,
    /// The table's version now.
    version: String,
}

type At = State<Arc<App>>;
type Result<T> = std::result::Result<Json<T>, Problem>;

fn done(app: &App, room: &Room, role: Viewer, before: bool) -> Result<Done> {
    let sent = room.see(role).ok_or_else(Problem::absent)?;
    let version = Mark { boot: app.boot, version: sent.version }.to_string();
    Ok(Json(Done { before, version }))
}

async fn carry_out(app: &App, caller: Caller, headers: &HeaderMap, command: Command) -> Result<Done> {
    let key = key(&caller, headers)?;
    let carried = app.carry_out(&caller.room, caller.role, key, command).await?;
    done(app, &caller.room, caller.role, matches!(carried, Carried::Before(_)))
}

async fn set(app: &App, caller: Caller, change: impl FnOnce(&mut Settings)) -> Result<Done> {
    caller.room.set(change).await.map_err(|error| Refusal::failed(&error))?;
    done(app, &caller.room, caller.role, false)
}

/// A seat that somebody names.
fn seat(name: &str, place: &str) -> std::result::Result<Seat, Problem> {
    name.parse().map_err(|what: String| Problem::new(Kind::Unreadable, what).at(place))
}

/// A seat of this table.
fn sits(room: &Room, name: &str, place: &str) -> std::result::Result<Seat, Problem> {
    let seat = seat(name, place)?;
    let there = room.look(|table, _| table.game().seats().iter().any(|info| info.seat == seat));
    match there {
        Some(true) => Ok(seat),
        _ => Err(Problem::from(Refused::form(format!("nobody sits at this table as {seat}"))).at(place)),
    }
}

/// An answer to an ask.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerSent {
    /// The ask, as the table calls it.
    #[schema(example = "12.1")]
    ask: String,
    /// A listed answer, or another that the rules allow.
    answer: Value,
    /// Words of one's own, where the answer has a place for them.
    own: Option<String>,
    /// What it looks like, for the story.
    text: Option<String>,
    /// Whose answer it is, where the gamemaster gives it for somebody.
    #[schema(example = "player-1")]
    of: Option<String>,
}

/// Answers an ask.
#[utoipa::path(
    post,
    path = "/tables/{table}/answer",
    tag = "play",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play"])),
    request_body = AnswerSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn answer(
    State(app): At,
    Player(caller): Player,
    headers: HeaderMap,
    Sent(sent): Sent<AnswerSent>,
) -> Result<Done> {
    let of = sent.of.map(|of| seat(&of, "of")).transpose()?;
    let answer = match &sent.own {
        Some(_) => as_listed(&caller, &sent.ask, &sent.answer)?,
        None => sent.answer.to_string(),
    };
    let command = Command::Answer { ask: sent.ask, answer, own: sent.own, text: sent.text, of };
    carry_out(&app, caller, &headers, command).await
}

/// The listed answer that this is: words of one's own go with no other.
fn as_listed(caller: &Caller, ask: &str, answer: &Value) -> std::result::Result<String, Problem> {
    let listed = caller.room.ask(caller.role, ask, |table, id| table.game().legal(id, caller.role));
    let same = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|listed| listed == *answer);
    let found =
        listed.ok_or(Refusal::Stale)?.into_iter().find(|it| it.told.free.is_some() && same(&it.answer));
    let none = || Problem::from(Refused::form("this answer has no place for words of one's own")).at("own");
    found.map(|listed| listed.answer).ok_or_else(none)
}

/// Dice that fall.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThrowSent {
    /// The roll, as the table calls it.
    #[schema(example = "roll-12")]
    roll: String,
    /// What real dice show, in the order of the roll's dice; the table throws
    /// where this is not said.
    #[schema(example = json!([2, 5]))]
    faces: Option<Vec<u8>>,
}

/// Throws the dice that are due, or says what real dice show.
#[utoipa::path(
    post,
    path = "/tables/{table}/throw",
    tag = "play",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play"])),
    request_body = ThrowSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn throw(
    State(app): At,
    Player(caller): Player,
    headers: HeaderMap,
    Sent(sent): Sent<ThrowSent>,
) -> Result<Done> {
    let command = Command::Throw { roll: sent.roll, faces: sent.faces };
    carry_out(&app, caller, &headers, command).await
}

/// Something written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteSent {
    /// The words, in light Markdown.
    text: String,
    /// The seats it is for: `gm` is always one of them. For everybody where this
    /// is not said.
    #[schema(example = json!(["player-2"]))]
    to: Option<Vec<String>>,
}

/// Writes something.
#[utoipa::path(
    post,
    path = "/tables/{table}/note",
    tag = "play",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play"])),
    request_body = NoteSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn note(
    State(app): At,
    Player(caller): Player,
    headers: HeaderMap,
    Sent(sent): Sent<NoteSent>,
) -> Result<Done> {
    let to = match sent.to {
        None => Reader::All,
        Some(names) => {
            let seats =
                names.iter().enumerate().map(|(n, name)| sits(&caller.room, name, &format!("to[{n}]")));
            let seats = seats.collect::<std::result::Result<Vec<Seat>, Problem>>()?;
            if seats.iter().all(|seat| *seat == Seat::Gm) { Reader::Gm } else { Reader::Seats(seats) }
        }
    };
    carry_out(&app, caller, &headers, Command::Note { to, text: sent.text }).await
}

/// What the gamemaster sets.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiatSent {
    /// The fiat; the gamemaster's table has an example of each.
    fiat: Value,
    /// Why, for the story.
    text: Option<String>,
}

/// Overrules the engine: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/fiat",
    tag = "gamemaster",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play", "gm"])),
    request_body = FiatSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn fiat(
    State(app): At,
    Gm(caller): Gm,
    headers: HeaderMap,
    Sent(sent): Sent<FiatSent>,
) -> Result<Done> {
    let command = Command::Fiat { fiat: sent.fiat.to_string(), text: sent.text };
    carry_out(&app, caller, &headers, command).await
}

/// A standing reply.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StandSent {
    /// The reply; the table has examples.
    reply: Value,
    /// Given, or taken back.
    on: bool,
}

/// Gives a standing reply, or takes it back.
#[utoipa::path(
    post,
    path = "/tables/{table}/stand",
    tag = "play",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play"])),
    request_body = StandSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn stand(
    State(app): At,
    Player(caller): Player,
    headers: HeaderMap,
    Sent(sent): Sent<StandSent>,
) -> Result<Done> {
    let command = Command::Stand { reply: sent.reply.to_string(), on: sent.on };
    carry_out(&app, caller, &headers, command).await
}

/// Where to go back to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RewindSent {
    /// The last line that still stands, by its `seq`.
    to: u64,
}

/// Goes back to right after a line: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/rewind",
    tag = "gamemaster",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play", "gm"])),
    request_body = RewindSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn rewind(
    State(app): At,
    Gm(caller): Gm,
    headers: HeaderMap,
    Sent(sent): Sent<RewindSent>,
) -> Result<Done> {
    carry_out(&app, caller, &headers, Command::Rewind(sent.to)).await
}

/// What to take back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoSent {
    /// The `seq` of what is to be taken back: where something else was done since,
    /// nothing is. The last thing, whatever it is, where this is not said.
    line: Option<u64>,
}

/// Takes back the last thing that anybody did: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/undo",
    tag = "gamemaster",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play", "gm"])),
    request_body = UndoSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn undo(
    State(app): At,
    Gm(caller): Gm,
    headers: HeaderMap,
    Sent(sent): Sent<UndoSent>,
) -> Result<Done> {
    carry_out(&app, caller, &headers, Command::Undo(sent.line)).await
}

/// Takes back one's own last answer, where nothing has come of it.
#[utoipa::path(
    post,
    path = "/tables/{table}/take-back",
    tag = "play",
    params(
        ("table" = String, Path, description = "The table's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Names this command: sent again, it is not done again"),
    ),
    security(("token" = ["play"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn take_back(State(app): At, Player(caller): Player, headers: HeaderMap) -> Result<Done> {
    carry_out(&app, caller, &headers, Command::TakeBack).await
}

/// What is left to the machine.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeaveSent {
    /// Whether the seat's dice are thrown at once; as before where this is not said.
    throws: Option<bool>,
    /// Whether what gains the seat nothing is declined at once; as before where
    /// this is not said.
    passes: Option<bool>,
}

/// Leaves something to the machine, or takes it back.
#[utoipa::path(
    post,
    path = "/tables/{table}/leave",
    tag = "play",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play"])),
    request_body = LeaveSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn leave(
    State(app): At,
    Player(caller): Player,
    Sent(sent): Sent<LeaveSent>,
) -> Result<Done> {
    let role = caller.role;
    let change = |settings: &mut Settings| {
        for (seats, said) in [(&mut settings.throws, sent.throws), (&mut settings.passes, sent.passes)] {
            if let Some(on) = said {
                settings::leave(seats, role, on);
            }
        }
    };
    set(&app, caller, change).await
}

/// Pauses the table; nobody is told who did.
#[utoipa::path(
    post,
    path = "/tables/{table}/pause",
    tag = "play",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn pause(State(app): At, Player(caller): Player) -> Result<Done> {
    set(&app, caller, |settings| settings.paused = true).await
}

/// Lets play go on after a pause: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/resume",
    tag = "gamemaster",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn resume(State(app): At, Gm(caller): Gm) -> Result<Done> {
    set(&app, caller, |settings| settings.paused = false).await
}

/// Who plays a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotSent {
    /// The seat.
    #[schema(example = "player-1")]
    seat: String,
    /// How the machine plays it; a person does where this is not said.
    plays: Option<Plays>,
}

/// How the machine plays.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Plays {
    /// Any listed answer.
    Random,
    /// What looks best for the seat.
    Greedy,
}

/// Lets the machine play a seat, or a person again: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/bots",
    tag = "gamemaster",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play", "gm"])),
    request_body = BotSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn bots(State(app): At, Gm(caller): Gm, Sent(sent): Sent<BotSent>) -> Result<Done> {
    let seat = sits(&caller.room, &sent.seat, "seat")?;
    let change = |settings: &mut Settings| match sent.plays {
        None => drop(settings.bots.remove(&seat)),
        Some(Plays::Random) => drop(settings.bots.insert(seat, BotKind::Random)),
        Some(Plays::Greedy) => drop(settings.bots.insert(seat, BotKind::Greedy)),
    };
    set(&app, caller, change).await
}

/// Lets the machine go on after something was taken back: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/go-on",
    tag = "gamemaster",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn go_on(State(app): At, Gm(caller): Gm) -> Result<Done> {
    caller.room.go_on();
    done(&app, &caller.room, caller.role, false)
}

/// How long the table waits.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceSent {
    /// How many seconds a player may let the table wait, four weeks at most; for
    /// ever where this is not said.
    #[schema(maximum = 2_419_200)]
    deadline: Option<u32>,
    /// How many seconds the machine waits for whoever may step in, 120 at most; as
    /// long as it thinks right where this is not said.
    #[schema(maximum = 120)]
    grace: Option<u32>,
}

/// Says how long the table waits for players: the gamemaster's.
#[utoipa::path(
    post,
    path = "/tables/{table}/pace",
    tag = "gamemaster",
    params(("table" = String, Path, description = "The table's id")),
    security(("token" = ["play", "gm"])),
    request_body = PaceSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn pace(State(app): At, Gm(caller): Gm, Sent(sent): Sent<PaceSent>) -> Result<Done> {
    for (place, said, most) in [("deadline", sent.deadline, LONGEST), ("grace", sent.grace, SLOWEST)] {
        if said.is_some_and(|seconds| seconds > most) {
            return Err(Problem::from(Refused::form(format!("{most} seconds at most"))).at(place));
        }
    }
    let some = |seconds: Option<u32>| seconds.filter(|seconds| *seconds > 0);
    let (deadline, grace) = (some(sent.deadline), some(sent.grace));
    set(&app, caller, |settings| (settings.deadline, settings.grace) = (deadline, grace)).await
}
