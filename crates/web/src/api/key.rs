//! What a program calls a request, so that sent again it is not done again.

use super::{
    caller::bearer,
    problem::{Kind, Problem},
};
use crate::{
    app::App,
    auth::{self, Secret},
};
use axum::{
    extract::{FromRequestParts, MatchedPath},
    http::{HeaderMap, request::Parts},
};
use fracas_store::{Hash, Named};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

/// The header that names a request.
pub(super) const HEADER: &str = "Idempotency-Key";
/// The most letters of such a name.
const MOST: usize = 64;
/// The least of one that nobody else's token stands beside: whoever knew it would be
/// given the table.
const LEAST: usize = 16;

/// Why a request is refused whose name stands for another.
pub(super) const ANOTHER: &str = "something else was asked for under this key";

/// What a name that goes with a token stands for: one of these.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A command.
    Command,
    /// A link or token.
    Pass,
    /// Another evening's table.
    Next,
}

/// What a table keeps a command under, which the holder of this token calls so: tokens
/// do not share names.
pub(super) fn of_command(token: &Hash, key: &str) -> String {
    format!("{} {key}", &auth::written(token)[..16])
}

fn of_next(token: &Secret, key: &str) -> Hash {
    hash(&["next", token.reveal(), key])
}

/// Refuses a name that stands for another use already; only what the same token has named
/// is looked at.
pub(super) async fn is_free(app: &App, token: &Secret, key: &str, wanted: Use) -> Result<(), Problem> {
    let Some(pass) = app.db.pass(&token.hash()).await? else { return Ok(()) };
    let of_command = of_command(&pass.hash, key);
    let as_command = wanted != Use::Command
        && app.db.done_before(&pass.table, &pass.role.to_string(), &of_command).await?.is_some();
    let as_pass = wanted != Use::Pass && app.db.pass(&token.called(key).hash()).await?.is_some();
    let as_next = wanted != Use::Next && app.db.named(&of_next(token, key)).await?.is_some();
    if as_command || as_pass || as_next { Err(Problem::otherwise(ANOTHER)) } else { Ok(()) }
}

/// What this request is called, where it is called something.
pub(super) fn named(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    long(headers, 1)
}

fn long(headers: &HeaderMap, least: usize) -> Result<Option<&str>, Problem> {
    match headers.get(HEADER).map(|key| key.to_str()) {
        None => Ok(None),
        Some(Ok(key)) if (least..=MOST).contains(&key.len()) => Ok(Some(key)),
        Some(_) => {
            let detail = format!("an {HEADER} has {least} to {MOST} letters, digits and signs here");
            Err(Problem::new(Kind::Unreadable, detail).at(HEADER))
        }
    }
}

/// The header, as the document has it.
pub(super) fn parameter(description: &str, least: usize) -> Parameter {
    let schema =
        ObjectBuilder::new().schema_type(Type::String).min_length(Some(least)).max_length(Some(MOST));
    ParameterBuilder::new()
        .name(HEADER)
        .parameter_in(ParameterIn::Header)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

/// What whoever opens a table calls that.
pub(super) struct Key {
    name: Hash,
    secret: Secret,
}

impl Key {
    /// The name, and what is asked for under it.
    pub(super) fn named(&self, asked: Hash) -> Result<Named, Problem> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt).map_err(Problem::broken)?;
        Ok(Named { name: self.name, asked, salt })
    }

    /// The token that is handed over with what was opened: the same one each time it is
    /// asked for, so that whoever takes it back has taken back all that the name gives.
    pub(super) fn token(&self, named: &Named) -> Secret {
        self.secret.called(&auth::written(&named.salt))
    }
}

/// What somebody without a token calls the table that they open.
pub(crate) struct Opening(pub(super) Option<Key>);

/// What a program with a token calls the table that it opens.
pub(crate) struct Continuing(pub(super) Option<Key>);

/// What a program calls a link or token that it makes: the secret that follows from it.
pub(crate) struct Making(Option<Secret>);

impl Making {
    /// The secret of what is made under this name.
    pub(super) fn secret(self) -> Option<Secret> {
        self.0
    }
}

/// The route of a request, as the server lists it.
pub(super) fn route(parts: &Parts) -> &str {
    parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// Where tables are opened without a token.
const OPENS: [&str; 2] = ["/api/v1/tables", "/api/v1/tables/taken"];

pub(super) fn hash(of: &[&str]) -> Hash {
    of.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part).chain_update([0])).finalize().into()
}

impl FromRequestParts<Arc<App>> for Opening {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Some(key) = long(&parts.headers, LEAST)? else { return Ok(Opening(None)) };
        let at = route(parts);
        for other in OPENS.into_iter().filter(|other| *other != at) {
            if app.db.named(&hash(&["open", other, key])).await?.is_some() {
                return Err(Problem::otherwise(ANOTHER));
            }
        }
        Ok(Opening(Some(Key {
            name: hash(&["open", at, key]),
            secret: Secret::following(&hash(&["handed over", at, key])),
        })))
    }
}

impl FromRequestParts<Arc<App>> for Continuing {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let token = bearer(&parts.headers).ok_or_else(Problem::no_token)?;
        let Some(key) = named(&parts.headers)? else { return Ok(Continuing(None)) };
        is_free(app, &token, key, Use::Next).await?;
        Ok(Continuing(Some(Key {
            name: of_next(&token, key),
            // No link or token that is made is called so: no header has such a letter.
            secret: token.called(&format!("next\0{key}")),
        })))
    }
}

impl FromRequestParts<Arc<App>> for Making {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let token = bearer(&parts.headers).ok_or_else(Problem::no_token)?;
        let Some(key) = named(&parts.headers)? else { return Ok(Making(None)) };
        is_free(app, &token, key, Use::Pass).await?;
        Ok(Making(Some(token.called(key))))
    }
}

impl IntoParams for Opening {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let told = "Names what is opened, in letters that nobody guesses (a UUID), for a caller who \
            knows it is given the table: sent again, it is answered with the same table and the same token, until \
            that is taken back";
        vec![parameter(told, LEAST)]
    }
}

impl IntoParams for Continuing {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let told = "Names what is opened: sent again, it is answered with the same table and the same \
            token, until that is taken back";
        vec![parameter(told, 1)]
    }
}

impl IntoParams for Making {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![parameter(
            "Names what is made: sent again, it is answered with the same link or token, until that is taken back",
            1,
        )]
    }
}
