//! The API of a table's commands.

use super::caller::{Caller, GmReader, Player, Sent, SentAs};
use super::key::{self, Use, named};
use super::problem::{Kind, Problem};
use super::shape::FiatForm;
use crate::{app::App, asked::bearer};
use axum::{Json, extract::FromRequestParts, http::request::Parts};
use fracas_kernel::{Refused, Seat};
use fracas_live::command::{Called, Carried, Command, Refusal};
use fracas_live::settings::{self, LONGEST, MOST_COUNTED, SLOWEST, Settings};
use fracas_live::{auth, room::Room};
use fracas_sim::BotKind;
use fracas_store::Hash;
use fracas_table::Reader;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeSet, sync::Arc};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

/// The change was made, and is kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// Whether it had been done before, under the same `Idempotency-Key`.
    before: bool,
    /// The table's version now.
    version: String,
}

type Result<T> = std::result::Result<Json<T>, Problem>;

/// A program that acts at its seat, with the command's `Idempotency-Key`. A command sent
/// again under its key is not done again. Tokens do not share keys.
pub(crate) struct Doer {
    app: Arc<App>,
    caller: Caller,
    key: Option<String>,
    /// The route of the request.
    route: String,
}

/// A program that acts at the gamemaster's seat.
pub(crate) struct Director(Doer);

impl Doer {
    /// Carries out the command of a request with this hash.
    async fn carry_out(self, asked: Hash, command: Command) -> Result<Done> {
        let Caller { room, role, .. } = &self.caller;
        let asked = Some(key::hash(&[&self.route, &auth::written(&asked)]));
        let called = self.key.clone().map(|key| Called { key, asked });
        let carried = self.app.carry_out(room, *role, called, command).await?;
        self.done(matches!(carried, Carried::Before(_)))
    }

    async fn set(self, change: impl FnOnce(&mut Settings)) -> Result<Done> {
        self.caller.room.set(change).await.map_err(|error| Refusal::failed(&error))?;
        self.done(false)
    }

    async fn pause(self) -> Result<Done> {
        self.caller.room.pause().await.map_err(|error| Refusal::failed(&error))?;
        self.done(false)
    }

    fn done(&self, before: bool) -> Result<Done> {
        let sent = self.caller.room.see(self.caller.role).ok_or_else(Problem::absent)?;
        Ok(Json(Done { before, version: sent.mark.to_string() }))
    }
}

impl FromRequestParts<Arc<App>> for Doer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> std::result::Result<Doer, Problem> {
        let Player(caller) = Player::from_request_parts(parts, app).await?;
        let key = named(&parts.headers)?;
        if let (Some(key), Some(token)) = (key, bearer(&parts.headers)) {
            key::is_free(app, &token, key, Use::Command).await?;
        }
        let key = key.map(|key| key::of_command(&caller.hash, key));
        Ok(Doer { app: app.clone(), caller, key, route: key::route(parts).to_owned() })
    }
}

impl FromRequestParts<Arc<App>> for Director {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> std::result::Result<Self, Problem> {
        let mut doer = Doer::from_request_parts(parts, app).await?;
        doer.caller = doer.caller.gm_reader()?.0;
        Ok(Director(doer))
    }
}

/// The entry of the header `Idempotency-Key` in the document.
impl IntoParams for Doer {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description =
            "Names this command: sent again, it is not done again; another one under this name is refused";
        vec![key::parameter(description, 1)]
    }
}

/// Reads a seat's name.
fn seat(name: &str, place: &str) -> std::result::Result<Seat, Problem> {
    name.parse().map_err(|what: String| Problem::new(Kind::Unreadable, what).at(place))
}

/// Reads the name of a seat that this table has.
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
    /// A description for the story.
    text: Option<String>,
    /// The seat that answers, if the gamemaster answers for it.
    #[schema(example = "player-1")]
    of: Option<String>,
}

/// Answers an ask.
#[utoipa::path(
    post,
    path = "/tables/{table}/answer",
    operation_id = "answer_ask",
    tag = "play",
    params(Doer),
    security(("token" = ["play"])),
    request_body = AnswerSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn answer(doer: Doer, SentAs(sent, asked): SentAs<AnswerSent>) -> Result<Done> {
    let of = sent.of.map(|of| seat(&of, "of")).transpose()?;
    let answer = match &sent.own {
        Some(_) => as_listed(&doer.caller, &sent.ask, &sent.answer)?,
        None => sent.answer.to_string(),
    };
    let command = Command::Answer { ask: sent.ask, answer, own: sent.own, text: sent.text, of };
    doer.carry_out(asked, command).await
}

/// The listed answer that this is. Only listed answers take words of one's own.
fn as_listed(caller: &Caller, ask: &str, answer: &Value) -> std::result::Result<String, Problem> {
    let listed = caller.room.ask(caller.role, ask, |table, id| table.game().legal(id, caller.role));
    let same = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|listed| listed == *answer);
    let found = listed
        .ok_or(Refusal::Stale)?
        .into_iter()
        .find(|listed| listed.told.free.is_some() && same(&listed.answer));
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
    /// The faces of real dice, in the order of the roll's dice; absent: the table throws.
    #[schema(example = json!([2, 5]))]
    faces: Option<Vec<u8>>,
}

/// Throws the dice that are due, or says what real dice show.
#[utoipa::path(
    post,
    path = "/tables/{table}/throw",
    operation_id = "throw_dice",
    tag = "play",
    params(Doer),
    security(("token" = ["play"])),
    request_body = ThrowSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn throw(doer: Doer, SentAs(sent, asked): SentAs<ThrowSent>) -> Result<Done> {
    let command = Command::Throw { roll: sent.roll, faces: sent.faces };
    doer.carry_out(asked, command).await
}

/// Something written.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteSent {
    /// The words, in light Markdown.
    text: String,
    /// The seats it is for, and always `gm`; absent: everybody.
    #[schema(example = json!(["player-2"]))]
    to: Option<Vec<String>>,
}

/// Writes something.
#[utoipa::path(
    post,
    path = "/tables/{table}/note",
    operation_id = "write_note",
    tag = "play",
    params(Doer),
    security(("token" = ["play"])),
    request_body = NoteSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn note(doer: Doer, SentAs(sent, asked): SentAs<NoteSent>) -> Result<Done> {
    let to = match sent.to {
        None => Reader::All,
        Some(names) => {
            let mut named = BTreeSet::new();
            let each = names.iter().enumerate().filter(|(_, name)| named.insert(name.as_str()));
            let seats = each.map(|(n, name)| sits(&doer.caller.room, name, &format!("to[{n}]")));
            let seats = seats.collect::<std::result::Result<Vec<Seat>, Problem>>()?;
            if seats.iter().all(|seat| *seat == Seat::Gm) { Reader::Gm } else { Reader::Seats(seats) }
        }
    };
    doer.carry_out(asked, Command::Note { to, text: sent.text }).await
}

/// A change by which the gamemaster overrules the engine.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FiatSent {
    /// The fiat, as its form says; the gamemaster's table has an example of each.
    fiat: Value,
    /// The reason, for everybody who sees the change.
    text: Option<String>,
}

/// The changes that the gamemaster can make now, as forms, the most useful first.
#[utoipa::path(
    get,
    path = "/tables/{table}/fiat",
    operation_id = "get_fiat_forms",
    tag = "gamemaster",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = [FiatForm])),
)]
pub(crate) async fn fiats(GmReader(caller): GmReader) -> Result<Vec<FiatForm>> {
    let forms = caller.room.look(|table, _| table.game().fiat_forms()).ok_or_else(Problem::absent)?;
    Ok(Json(forms.iter().map(FiatForm::from).collect()))
}

/// Overrules the engine. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/fiat",
    operation_id = "overrule_by_fiat",
    tag = "gamemaster",
    params(Doer),
    security(("token" = ["play", "gm"])),
    request_body = FiatSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn fiat(Director(doer): Director, SentAs(sent, asked): SentAs<FiatSent>) -> Result<Done> {
    let command = Command::Fiat { fiat: sent.fiat.to_string(), text: sent.text };
    doer.carry_out(asked, command).await
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
    operation_id = "set_standing_reply",
    tag = "play",
    params(Doer),
    security(("token" = ["play"])),
    request_body = StandSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn stand(doer: Doer, SentAs(sent, asked): SentAs<StandSent>) -> Result<Done> {
    let command = Command::Stand { reply: sent.reply.to_string(), on: sent.on };
    doer.carry_out(asked, command).await
}

/// Where to go back to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RewindSent {
    /// The last line that still stands, by its `seq`.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32)]
    to: u32,
}

/// Goes back to right after a line. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/rewind",
    operation_id = "rewind_table",
    tag = "gamemaster",
    params(Doer),
    security(("token" = ["play", "gm"])),
    request_body = RewindSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn rewind(
    Director(doer): Director,
    SentAs(sent, asked): SentAs<RewindSent>,
) -> Result<Done> {
    doer.carry_out(asked, Command::Rewind(sent.to.into())).await
}

/// The change to take back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoSent {
    /// The `seq` of the change; nothing is taken back if another change was made since.
    /// Absent: the last change.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32)]
    line: Option<u32>,
}

/// Takes back the last change. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/undo",
    operation_id = "undo_last",
    tag = "gamemaster",
    params(Doer),
    security(("token" = ["play", "gm"])),
    request_body = UndoSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn undo(Director(doer): Director, SentAs(sent, asked): SentAs<UndoSent>) -> Result<Done> {
    doer.carry_out(asked, Command::Undo(sent.line.map(u64::from))).await
}

/// Takes back one's own last answer, where nothing has come of it.
#[utoipa::path(
    post,
    path = "/tables/{table}/take-back",
    operation_id = "take_back",
    tag = "play",
    params(Doer),
    security(("token" = ["play"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn take_back(doer: Doer) -> Result<Done> {
    doer.carry_out(Hash::default(), Command::TakeBack).await
}

/// The choices that are left to the machine.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeaveSent {
    /// Whether the seat's dice are thrown at once; absent: as before.
    throws: Option<bool>,
    /// Whether offers that gain the seat nothing are declined at once; absent: as before.
    passes: Option<bool>,
}

/// Leaves choices to the machine, or takes them back.
#[utoipa::path(
    post,
    path = "/tables/{table}/leave",
    operation_id = "leave_to_machine",
    tag = "play",
    security(("token" = ["play"])),
    request_body = LeaveSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn leave(doer: Doer, Sent(sent): Sent<LeaveSent>) -> Result<Done> {
    let role = doer.caller.role;
    let change = |settings: &mut Settings| {
        for (seats, said) in [(&mut settings.throws, sent.throws), (&mut settings.passes, sent.passes)] {
            if let Some(on) = said {
                settings::leave(seats, role, on);
            }
        }
    };
    doer.set(change).await
}

/// Pauses the table; nobody is told who did.
#[utoipa::path(
    post,
    path = "/tables/{table}/pause",
    operation_id = "pause_table",
    tag = "play",
    security(("token" = ["play"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn pause(doer: Doer) -> Result<Done> {
    doer.pause().await
}

/// Lets play go on after a pause: for the gamemaster, or a program that plays alone.
#[utoipa::path(
    post,
    path = "/tables/{table}/resume",
    operation_id = "resume_table",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn resume(doer: Doer) -> Result<Done> {
    let Caller { room, role, .. } = &doer.caller;
    if room.look(|_, settings| settings.is_led_by(*role)) != Some(true) {
        return Err(doer.caller.gm_reader().err().unwrap_or_else(Problem::absent));
    }
    doer.set(|settings| settings.paused = false).await
}

/// Who plays a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotSent {
    /// The seat.
    #[schema(example = "player-1")]
    seat: String,
    /// How the machine plays it; absent: a person plays it.
    plays: Option<Plays>,
}

/// How the machine plays.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Plays {
    /// Any listed answer.
    Random,
    /// The answer that looks best for the seat.
    Greedy,
}

/// Has a seat played by the machine, or by a person again. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/bots",
    operation_id = "set_machine",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    request_body = BotSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn bots(Director(doer): Director, Sent(sent): Sent<BotSent>) -> Result<Done> {
    let seat = sits(&doer.caller.room, &sent.seat, "seat")?;
    let change = |settings: &mut Settings| match sent.plays {
        None => drop(settings.bots.remove(&seat)),
        Some(Plays::Random) => drop(settings.bots.insert(seat, BotKind::Random)),
        Some(Plays::Greedy) => drop(settings.bots.insert(seat, BotKind::Greedy)),
    };
    doer.set(change).await
}

/// Lets the machine go on after a change was taken back. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/go-on",
    operation_id = "go_on",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = Done)),
)]
pub(crate) async fn go_on(Director(doer): Director) -> Result<Done> {
    doer.caller.room.go_on();
    doer.done(false)
}

/// How far something has been counted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TallySent {
    /// Which of the table's `tallies`, from 0.
    #[schema(maximum = 5)]
    nth: u8,
    /// How far it has been counted, 999 at most.
    #[schema(maximum = 999)]
    at: u16,
}

/// Counts something that the encounter says to count. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/tally",
    operation_id = "set_tally",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    request_body = TallySent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn tally(Director(doer): Director, Sent(sent): Sent<TallySent>) -> Result<Done> {
    let known = doer.caller.room.look(|table, _| table.log().header().prepared().tallies.len());
    let known = known.ok_or_else(Problem::absent)?;
    let nth = usize::from(sent.nth);
    if nth >= known {
        return Err(
            Problem::from(Refused::form(format!("there are {known} things to count, from 0"))).at("nth")
        );
    }
    if sent.at > MOST_COUNTED {
        return Err(Problem::from(Refused::form(format!("{MOST_COUNTED} at most"))).at("at"));
    }
    doer.set(|settings| settings.count(nth, sent.at)).await
}

/// How long the table waits.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaceSent {
    /// The seconds that a player may let the table wait, four weeks at most; absent: for ever.
    #[schema(maximum = 2_419_200)]
    deadline: Option<u32>,
    /// The seconds that the machine waits for seats that may step in, 120 at most; absent: the
    /// machine's own choice.
    #[schema(maximum = 120)]
    grace: Option<u32>,
}

/// Sets how long the table waits for players. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/pace",
    operation_id = "set_pace",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    request_body = PaceSent,
    responses((status = 200, body = Done)),
)]
pub(crate) async fn pace(Director(doer): Director, Sent(sent): Sent<PaceSent>) -> Result<Done> {
    for (place, said, most) in [("deadline", sent.deadline, LONGEST), ("grace", sent.grace, SLOWEST)] {
        if said.is_some_and(|seconds| seconds > most) {
            return Err(Problem::from(Refused::form(format!("{most} seconds at most"))).at(place));
        }
    }
    let deadline = sent.deadline.filter(|seconds| *seconds > 0);
    doer.set(|settings| (settings.deadline, settings.grace) = (deadline, sent.grace)).await
}
