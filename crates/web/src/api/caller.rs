//! The caller, known by a token for one role at one table, and the request's body.

use super::problem::{Kind, Problem};
use crate::asked::{MAX_BODY, bearer};
use crate::{app::App, security::Event};
use axum::body::Bytes;
use axum::extract::{
    DefaultBodyLimit, FromRequest, FromRequestParts, MatchedPath, Path, Request, rejection::BytesRejection,
};
use axum::http::{StatusCode, header, request::Parts};
use fracas_kernel::{Seat, Viewer};
use fracas_live::auth::{self, Secret};
use fracas_live::take_in::{MAX_FILE, too_large};
use fracas_live::{origin::From, room::Room};
use fracas_store::{Hash, Pass, PassKind, TableId};
use serde::{Deserialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::ToSchema;

/// A program with a token for this table. It may read what its role may see.
pub(crate) struct Caller {
    pub(crate) room: Arc<Room>,
    pub(crate) role: Viewer,
    pub(crate) kind: PassKind,
    /// The token's hash.
    pub(crate) hash: Hash,
}

/// A program whose token plays a seat.
pub(crate) struct Player(pub(crate) Caller);

/// A program that reads what the gamemaster may.
pub(crate) struct GmReader(pub(crate) Caller);

/// A program that plays the gamemaster.
pub(crate) struct Gm(pub(crate) Caller);

impl Caller {
    /// The caller with this pass, if the table was not deleted.
    async fn of(app: &App, (pass, until): (Pass, Option<i64>)) -> Result<Caller, Problem> {
        if let Some(until) = until {
            return Err(Problem::deleted(until));
        }
        let room = app.hall.room(&pass.table).await?;
        Ok(Caller { room, role: pass.role, kind: pass.kind, hash: pass.hash })
    }

    /// The caller, if the token plays a seat.
    pub(crate) fn player(self) -> Result<Player, Problem> {
        match (self.kind, self.role) {
            (PassKind::Play, Viewer::Seat(_)) => Ok(Player(self)),
            _ => {
                Err(Problem::not_yours("this token only reads: what changes something takes one that plays"))
            }
        }
    }

    /// The caller, if the token is the gamemaster's.
    pub(crate) fn gm_reader(self) -> Result<GmReader, Problem> {
        match self.role {
            Viewer::Seat(Seat::Gm) => Ok(GmReader(self)),
            _ => Err(Problem::not_yours("this is the gamemaster's")),
        }
    }
}

/// The pass of a valid token. For the gamemaster's token of a deleted table, also until when
/// the table can be restored.
async fn find(app: &App, hash: Hash) -> Result<Option<(Pass, Option<i64>)>, Problem> {
    if let Some(pass) = app.db.pass_that_counts(&hash).await?.filter(|pass| pass.kind != PassKind::Invite) {
        return Ok(Some((pass, None)));
    }
    let gone = app.db.pass_to_deleted(&hash).await?;
    let may_know =
        |pass: &Pass, until| pass.kind != PassKind::Invite && pass.role.is_gm() && until > auth::now();
    let gone = gone.filter(|(pass, until)| may_know(pass, *until));
    Ok(gone.map(|(pass, until)| (pass, Some(until))))
}

/// Records a request with an invalid token, or with several.
///
/// # Errors
/// If that happened too often.
pub(crate) fn guessed(app: &App, from: Option<From>, route: &str) -> Result<(), Problem> {
    let Some(from) = from else { return Ok(()) };
    app.security.note(Event::Token, from, route);
    Ok(app.gates.guess(from)?)
}

/// The pass of a request's token.
async fn pass(parts: &Parts, app: &App) -> Result<(Pass, Option<i64>), Problem> {
    let hash = bearer(&parts.headers).ok_or_else(Problem::no_token)?.hash();
    if let Some(found) = find(app, hash).await? {
        return Ok(found);
    }
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    guessed(app, parts.extensions.get().copied(), route)?;
    Err(Problem::no_token())
}

/// The caller with this token, one of several in a body. ([`guessed`] is left to the
/// handler.)
pub(crate) async fn known(app: &App, token: &str) -> Result<Caller, Problem> {
    let secret = Secret::read(token.trim()).ok_or_else(Problem::dead_token)?;
    Caller::of(app, find(app, secret.hash()).await?.ok_or_else(Problem::dead_token)?).await
}

/// The token's pass, if the address names its table.
async fn pass_here(parts: &mut Parts, app: &Arc<App>) -> Result<(Pass, Option<i64>), Problem> {
    let (pass, until) = pass(parts, app).await?;
    let path = Path::<Vec<(String, String)>>::from_request_parts(parts, app).await;
    let Path(path) = path.map_err(|_| Problem::absent())?;
    let table = path.iter().find(|(name, _)| name == "table").map(|(_, id)| id.as_str());
    if table == Some(pass.table.as_str()) { Ok((pass, until)) } else { Err(Problem::absent()) }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Problem> {
        let found = pass_here(parts, app).await?;
        Caller::of(app, found).await
    }
}

impl FromRequestParts<Arc<App>> for Player {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Player, Problem> {
        Caller::from_request_parts(parts, app).await?.player()
    }
}

impl FromRequestParts<Arc<App>> for GmReader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<GmReader, Problem> {
        Caller::from_request_parts(parts, app).await?.gm_reader()
    }
}

impl FromRequestParts<Arc<App>> for Gm {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Gm, Problem> {
        let caller = Caller::from_request_parts(parts, app).await?;
        Ok(Gm(caller.player()?.0.gm_reader()?.0))
    }
}

/// A program that plays the gamemaster of this table, which may have been deleted.
pub(crate) struct Restorer(pub(crate) TableId);

impl FromRequestParts<Arc<App>> for Restorer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Restorer, Problem> {
        match pass_here(parts, app).await? {
            (pass, _) if pass.kind == PassKind::Play && pass.role.is_gm() => Ok(Restorer(pass.table)),
            _ => Err(Problem::not_yours("this is the gamemaster's, with a token that plays")),
        }
    }
}

/// Whether a token is still valid.
pub(crate) async fn counts(app: &App, hash: &Hash) -> bool {
    matches!(app.db.pass_that_counts(hash).await, Ok(Some(_)))
}

/// One parameter of an address.
pub(crate) struct Part<const N: usize>(pub(crate) String);

impl<const N: usize> FromRequestParts<Arc<App>> for Part<N> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let path = Path::<Vec<(String, String)>>::from_request_parts(parts, app).await;
        let part = path.ok().and_then(|Path(path)| path.into_iter().nth(N));
        part.map(|(_, part)| Part(part)).ok_or_else(Problem::absent)
    }
}

/// The request's body: JSON of this shape, at most `MOST` bytes.
pub(crate) struct Sent<T, const MOST: usize = MAX_BODY>(pub(crate) T);

impl<T: DeserializeOwned, const MOST: usize> FromRequest<Arc<App>> for Sent<T, MOST> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Arc<App>) -> Result<Self, Problem> {
        read(&bytes(request, "application/json", MOST).await?).map(Sent)
    }
}

/// The request's body, with a hash that does not depend on how the JSON is written.
pub(crate) struct SentAs<T, const MOST: usize = MAX_BODY>(pub(crate) T, pub(crate) Hash);

impl<T: DeserializeOwned, const MOST: usize> FromRequest<Arc<App>> for SentAs<T, MOST> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Arc<App>) -> Result<Self, Problem> {
        let bytes = bytes(request, "application/json", MOST).await?;
        let sent = read(&bytes)?;
        let mut json: serde_json::Value = read(&bytes)?;
        json.sort_all_objects();
        Ok(SentAs(sent, Sha256::digest(json.to_string()).into()))
    }
}

/// A table's log in JSON.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogText {
    /// The log: a line of JSON each entry, as `log` gives it.
    log: String,
}

/// A table's log from a program, with the most bytes that it may have.
pub(crate) struct LogSent(pub(crate) Vec<u8>, pub(crate) usize);

impl FromRequest<Arc<App>> for LogSent {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        // Anybody may import a table, so an invalid token counts as none.
        let known = bearer(&parts.headers).is_some()
            && match pass(&parts, app).await {
                Ok((it, _)) if it.kind == PassKind::Play && it.role.is_gm() => {
                    let table = app.db.table(&it.table).await?;
                    table.is_some_and(|table| app.gates.is_known(table.opened))
                }
                _ => false,
            };
        let most = if known { MAX_FILE } else { app.gates.log_from_stranger };
        let request = Request::from_parts(parts, body);
        let too_long = || too_large(most);
        if kind_of(&request) != "application/json" {
            let bytes = bytes_at_most(request, "application/x-ndjson", most, too_long).await?;
            return Ok(LogSent(bytes.into(), most));
        }
        // As text in JSON it is longer.
        let LogText { log } = read(&bytes_at_most(request, "application/json", 2 * most, too_long).await?)?;
        if log.len() > most {
            return Err(Problem::new(Kind::TooLong, too_long()).at("log"));
        }
        Ok(LogSent(log.into(), most))
    }
}

/// The body of a request, if it is of this kind. Pages of other sites cannot send these
/// kinds without a preflight request.
async fn bytes(request: Request, kind: &str, most: usize) -> Result<Bytes, Problem> {
    bytes_at_most(request, kind, most, || format!("a request may have {} KB here", most / 1024)).await
}

/// The media type of a request's body, in lower case.
fn kind_of(request: &Request) -> String {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase()
}

/// The body of a request, with the message for a body that is too long.
async fn bytes_at_most(
    mut request: Request,
    kind: &str,
    most: usize,
    too_long: impl Fn() -> String,
) -> Result<Bytes, Problem> {
    if kind_of(&request) != kind {
        return Err(Problem::new(Kind::NotJson, format!("send `Content-Type: {kind}`")));
    }
    DefaultBodyLimit::max(most).apply(&mut request);
    let unread = |rejection: BytesRejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::new(Kind::TooLong, too_long()),
        _ => Problem::new(Kind::Unreadable, "the request broke off"),
    };
    Bytes::from_request(request, &()).await.map_err(unread)
}

/// Reads JSON. Nesting of more than 128 levels is refused.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // Serde would also read a struct from a list of its fields, which is not documented.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::new(Kind::Unreadable, "send a JSON object"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let broken = |error: &serde_json::Error| format!("line {}, column {}", error.line(), error.column());
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let error = error.into_inner();
        let place = match path.as_str() {
            "." if error.is_data() => String::new(),
            path if error.is_data() => path.to_owned(),
            _ => broken(&error),
        };
        Problem::new(Kind::Unreadable, error.to_string()).at(place)
    })?;
    json.end().map_err(|error| Problem::new(Kind::Unreadable, error.to_string()).at(broken(&error)))?;
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Faces {
        #[serde(rename = "faces")]
        _faces: Vec<u8>,
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let problem_of = |json: &str| {
            let problem = read::<Faces>(json.as_bytes()).expect_err("no faces");
            serde_json::to_value(problem).expect("a problem")
        };
        assert_eq!(problem_of(r#"{"faces": [1, 2, "x"]}"#)["where"], "faces[2]");
        assert_eq!(problem_of(r#"{"faces": [], "more": 1}"#)["where"], "more");
        assert!(problem_of("").get("where").is_none());
        assert!(problem_of(r#"{"faces": []} x"#)["detail"].to_string().contains("trailing"));
        assert_eq!(problem_of("{\"faces\": [],\n x}")["where"], "line 2, column 2");
        assert_eq!(problem_of(r#"{"faces": []} x"#)["where"], "line 1, column 15");
        for broken_off in ["{", r#"{"faces": [1,"#] {
            assert!(
                problem_of(broken_off)["where"].to_string().starts_with("\"line 1, column "),
                "{broken_off}"
            );
        }
        assert!(read::<Faces>(br#" {"faces": [6]}"#).is_ok());
        assert!(read::<Faces>(b"[[6]]").is_err(), "no list of fields");
    }

    #[test]
    fn what_is_nested_without_end_is_refused() {
        let deep = format!("{{\"deep\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        let problem = read::<serde_json::Value>(deep.as_bytes()).expect_err("too deep");
        assert!(
            serde_json::to_value(problem).expect("a problem")["detail"].to_string().contains("recursion")
        );
    }
}
