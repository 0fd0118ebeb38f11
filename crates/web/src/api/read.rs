//! The API that reads a table.

use super::caller::{Caller, GmReader, Part, Sent, guessed, known};
use super::problem::{Kind, Problem};
use super::shape::{Answers, Lines, Odds, PAGE, Preview, Table, look};
use super::stream::{self, Only, Place, StreamEvent, StreamSent, TABLES, Wish};
use crate::app::App;
use crate::asked::{detail, query};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json, extract::State};
use fracas_face::hint;
use fracas_kernel::{Clause, Refused, Viewer};
use fracas_live::course::{self, Reading};
use fracas_live::hint::hints_for;
use fracas_live::{auth, line::lines, origin::From};
use fracas_table::Detail;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// The table as the token's role may see it now.
#[utoipa::path(
    get,
    path = "/tables/{table}",
    operation_id = "get_table",
    tag = "table",
    security(("token" = ["read"])),
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of the table as it is known already")),
    responses(
        (status = 200, body = Table, headers(("ETag" = String, description = "Names this answer"))),
        (status = 304, description = "It is still as the `If-None-Match` says", headers(("ETag" = String, description = "Names this answer"))),
    ),
)]
pub(crate) async fn table(caller: Caller, headers: HeaderMap) -> Result<Response, Problem> {
    let tag = |mark: &str| format!("\"{mark}-{}\"", auth::role_name(caller.role));
    let now = caller.room.see(caller.role).ok_or_else(Problem::absent)?;
    let now = tag(&now.mark.to_string());
    if is_known(&headers, &now) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, now)]).into_response());
    }
    let table = look(&caller.room, caller.role)?;
    Ok(([(header::ETAG, tag(table.version()))], Json(table)).into_response())
}

/// Whether a request's `If-None-Match` holds this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let all = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = all.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// The table as the token's role may see it, in the system's own shape.
///
/// Each system has its own; where there are secrets, they are not in it.
#[utoipa::path(
    get,
    path = "/tables/{table}/view",
    operation_id = "get_view",
    tag = "table",
    security(("token" = ["read"])),
    responses((status = 200, body = Object, description = "What the role may see, in the shape of the system's own `view`")),
)]
pub(crate) async fn view(caller: Caller) -> Result<Json<Value>, Problem> {
    let view = caller.room.look(|table, _| table.game().view(caller.role));
    view.map(Json).ok_or_else(Problem::absent)
}

/// A number in an address, or `unsaid` if it is absent.
fn number(uri: &Uri, name: &str, unsaid: usize) -> Result<usize, Problem> {
    let Some((_, value)) = query(uri).into_iter().find(|(n, _)| n == name) else { return Ok(unsaid) };
    let unreadable = || {
        Problem::new(Kind::Unreadable, format!("{name} is a number from 0 on, and not {value:?}")).at(name)
    };
    value.parse::<i64>().ok().and_then(|n| n.try_into().ok()).ok_or_else(unreadable)
}

/// Lines of the story, a hundred at a time.
#[utoipa::path(
    get,
    path = "/tables/{table}/lines",
    operation_id = "get_lines",
    tag = "table",
    params(
        ("from" = Option<u64>, Query, description = "The first line; absent: the last hundred"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = Lines)),
)]
pub(crate) async fn lines_from(caller: Caller, uri: Uri) -> Result<Json<Lines>, Problem> {
    let wanted = number(&uri, "from", usize::MAX)?;
    let page = caller.room.glance(caller.role, |glance, sent| {
        let count = sent.lines.len();
        let from = if wanted == usize::MAX { count.saturating_sub(PAGE) } else { wanted.min(count) };
        Lines { count, from, lines: lines(glance.table, caller.role, (count, from), PAGE) }
    });
    page.map(Json).ok_or_else(Problem::absent)
}

/// The answers listed for an ask, a hundred at a time.
#[utoipa::path(
    get,
    path = "/tables/{table}/asks/{ask}/answers",
    operation_id = "get_answers",
    tag = "table",
    params(
        ("from" = Option<u64>, Query, description = "The first answer, from 0"),
        ("odds" = Option<bool>, Query, description = "`true`: with the odds of each, where they can be told"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = Answers, description = "The answers")),
)]
pub(crate) async fn answers(caller: Caller, ask: Part<1>, uri: Uri) -> Result<Json<Answers>, Problem> {
    let from = number(&uri, "from", 0)?;
    let with_odds =
        match query(&uri).into_iter().find(|(name, _)| name == "odds").map(|(_, odds)| odds).as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(Problem::new(Kind::Unreadable, "odds is `true` or `false`").at("odds")),
        };
    let who = caller.role;
    let listed = caller.room.ask(who, &ask.0, |table, id| {
        let odds = |answer: &str| with_odds.then(|| table.game().odds(id, answer, who)).flatten();
        Answers::page((table.game().legal(id, who), table.game().parts(id, who)), from, odds)
    });
    listed.map(Json).ok_or_else(not_asked)
}

pub(super) fn not_asked() -> Problem {
    Problem::new(Kind::Absent, "that is not asked, or no longer: load the table")
}

/// An answer to be looked at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreviewSent {
    /// A listed answer, or another.
    answer: Value,
}

/// The consequences of an answer, listed or not, or the reasons why the rules refuse it.
#[utoipa::path(
    post,
    path = "/tables/{table}/asks/{ask}/preview",
    operation_id = "preview_answer",
    tag = "table",
    security(("token" = ["read"])),
    request_body = PreviewSent,
    responses((status = 200, body = Preview)),
)]
pub(crate) async fn preview(
    caller: Caller,
    ask: Part<1>,
    Sent(sent): Sent<PreviewSent>,
) -> Result<Json<Preview>, Problem> {
    let (who, answer) = (caller.role, sent.answer.to_string());
    let preview = caller.room.ask(who, &ask.0, |table, id| {
        let preview = table.game().preview(id, &answer, who)?;
        Ok::<_, Refused>(Preview::of(preview, table.game().odds(id, &answer, who)))
    });
    Ok(Json(preview.ok_or_else(not_asked)??))
}

/// The possible results of the roll that is due, as far as this role may know.
#[utoipa::path(
    get,
    path = "/tables/{table}/odds",
    operation_id = "get_odds",
    tag = "table",
    security(("token" = ["read"])),
    responses((status = 200, body = Option<Odds>, description = "The odds; `null` where none can be told")),
)]
pub(crate) async fn odds(caller: Caller) -> Result<Json<Option<Odds>>, Problem> {
    let odds = caller.room.look(|table, _| table.game().roll_odds(caller.role));
    Ok(Json(odds.ok_or_else(Problem::absent)?.map(Odds::from)))
}

/// What the machine would answer for a seat at one ask.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hint {
    /// The ask in words.
    ask: String,
    /// The answer that the machine would give.
    best: Advice,
    /// Others that it weighed, the better first; four at most.
    others: Vec<Advice>,
}

/// An answer, with what speaks for it.
#[derive(Serialize, ToSchema)]
struct Advice {
    /// The answer in words.
    text: String,
    /// What it leads to; empty where that is not known.
    leads: String,
    /// The clause behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    /// The odds in words of the roll that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<String>,
    /// How much worse it is than the best, in the units of the machine's own judgement.
    behind: f64,
}

impl Advice {
    fn of(advice: hint::Advice) -> Advice {
        let hint::Advice { text, leads, clause, odds, behind } = advice;
        Advice { text, leads, clause: clause.map(Clause::id), odds, behind }
    }
}

/// What the machine would answer for this seat, at three of its asks at most. It looks one answer ahead, and
/// knows no more than the seat. An ask with a single answer has no hint.
#[utoipa::path(
    get,
    path = "/tables/{table}/hints",
    operation_id = "get_hints",
    tag = "table",
    security(("token" = ["read"])),
    responses((status = 200, body = Vec<Hint>, description = "Hints; none for a spectator")),
)]
pub(crate) async fn hints(caller: Caller) -> Result<Json<Vec<Hint>>, Problem> {
    let Viewer::Seat(seat) = caller.role else { return Ok(Json(Vec::new())) };
    let found = hints_for(&caller.room, seat).await.map_err(Problem::broken)?.ok_or_else(Problem::absent)?;
    let hint = |hint: hint::Hint| Hint {
        ask: hint.ask,
        best: Advice::of(hint.best),
        others: hint.others.into_iter().map(Advice::of).collect(),
    };
    Ok(Json(found.into_iter().map(hint).collect()))
}

/// The story so far, in Markdown.
#[utoipa::path(
    get,
    path = "/tables/{table}/story",
    operation_id = "get_story",
    tag = "table",
    params(
        ("detail" = Option<String>, Query, description = "How much is told: `prose` (what happened), `results` (and what \
            each line came to), or `everything` (all dice and steps), as if absent"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = String, content_type = "text/markdown", description = "Markdown")),
)]
pub(crate) async fn story(caller: Caller, uri: Uri) -> Result<Response, Problem> {
    let detail = detail(&uri).map_err(|what| Problem::new(Kind::Unreadable, what).at("detail"))?;
    let detail = detail.unwrap_or(Detail::Everything);
    let story = course::read(&caller.room, caller.role, Reading::Story, move |past| past.story(detail));
    let text = story.await.map_err(Problem::broken)?.ok_or_else(Problem::absent)?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
}

/// The whole table as a file, with every secret. For the gamemaster.
///
/// One JSON line each entry; `fracas play --resume` and `fracas verify` read it.
#[utoipa::path(
    get,
    path = "/tables/{table}/log",
    operation_id = "get_log",
    tag = "table",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The log: one line of JSON each entry")),
)]
pub(crate) async fn log(State(app): State<Arc<App>>, caller: GmReader) -> Result<Response, Problem> {
    let lines = app.db.lines(&caller.0.room.id).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], lines.concat()).into_response())
}

/// Changes as they happen: server-sent events.
///
/// The first event is called `table`: the table, and its last lines. Where `only=changes` is
/// said, those that follow are called `changes`, and hold what to do with the table that came
/// before (a JSON Patch) and the lines that came; else each is the table whole. After a break
/// say `Last-Event-ID`: the stream goes on where it was, with the table whole where anything
/// of it has changed meanwhile, and the lines that came since. (After the server has begun
/// anew, with the last hundred lines.)
#[utoipa::path(
    get,
    path = "/tables/{table}/stream",
    operation_id = "stream_table",
    tag = "table",
    params(
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that came"),
        ("only" = Option<Only>, Query, description = "What to send after the first event, where that is not the table whole"),
    ),
    security(("token" = ["read"])),
    responses((status = 200, body = StreamEvent, content_type = "text/event-stream", description = "Events as they come")),
)]
pub(crate) async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let have = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(Place::read);
    let only = match query(&uri).into_iter().find(|(name, _)| name == "only").map(|(_, only)| only).as_deref()
    {
        None => None,
        Some("changes") => Some(Only::Changes),
        Some(_) => return Err(Problem::new(Kind::Unreadable, "only is `changes`, or not said").at("only")),
    };
    stream::stream(&app, caller, Wish { have, only }).map(IntoResponse::into_response)
}

/// Changes of several tables in one stream: server-sent events.
///
/// A program has a token for each table; it sends those of all the tables that it listens to.
/// Events are those of each table's own stream, and say whose they are: `table` in `table.id`,
/// the others in `id`. Of a token that cannot be listened with (it does not count, say) `refused`
/// comes first, with its place in `tables` and why; the stream is of the others. Where there is
/// none, all is refused. Where a token no longer counts, `gone` comes, and no more of that table.
/// After a break send the ids of the last events that came, each with its table's token. The
/// stream ends when one of the tables is put away, as nobody was there for long: begin it anew.
#[utoipa::path(
    post,
    path = "/stream",
    operation_id = "listen_to_tables",
    tag = "table",
    request_body(content = StreamSent, description = "The tokens of these tables: they are given here, and not in `Authorization`, and each counts for its own table."),
    responses((status = 200, body = StreamEvent, content_type = "text/event-stream", description = "Events as they come")),
)]
pub(crate) async fn several(
    State(app): State<Arc<App>>,
    from: Option<Extension<From>>,
    Sent(sent): Sent<StreamSent>,
) -> Result<Response, Problem> {
    if !(1..=TABLES).contains(&sent.tables.len()) {
        let detail = format!("a stream is of 1 to {TABLES} tables, and not of {}", sent.tables.len());
        return Err(Problem::new(Kind::Refused, detail).at("tables"));
    }
    let (mut callers, mut refused) = (Vec::<(usize, Caller, Wish)>::new(), Vec::new());
    let mut guesses = false;
    for (n, wanted) in sent.tables.iter().enumerate() {
        let caller = match known(&app, &wanted.token).await {
            Ok(caller) => caller,
            Err(problem) => {
                guesses |= problem == Problem::dead_token();
                refused.push((n, problem));
                continue;
            }
        };
        if callers.iter().any(|(_, other, _)| other.room.id == caller.room.id) {
            let detail = "a table is in a stream once: two of these tokens are for the same";
            return Err(Problem::new(Kind::Refused, detail).at(format!("tables[{n}].token")));
        }
        let have = wanted.after.as_deref().and_then(Place::read);
        callers.push((n, caller, Wish { have, only: sent.only }));
    }
    if guesses {
        let too_often = guessed(&app, from.as_deref().copied(), "/api/v1/stream");
        // A caller with a valid token is admitted, however many other tokens failed.
        if callers.is_empty() {
            too_often?;
        }
    }
    stream::several(&app, callers, refused).map(IntoResponse::into_response)
}
