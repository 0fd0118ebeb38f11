//! Idempotency keys: a request that is sent again under its key is not done again.

use super::problem::{ANOTHER, KEY, Kind, Problem};
use crate::{app::App, asked::bearer};
use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::{HeaderMap, request::Parts};
use fracas_live::auth::{self, Secret};
use fracas_store::{Hash, Named};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::IntoParams;
use utoipa::openapi::{
    ObjectBuilder, Type,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

/// The most letters of a key.
const MOST: usize = 64;
/// The fewest letters of a key without a token beside it: a person who knew the key would be
/// given the table.
const LEAST: usize = 16;

/// The uses of a key that comes with a token. A key has one use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A command.
    Command,
    /// A link or token.
    Pass,
    /// The next evening's table.
    Next,
}

/// The name under which a table keeps a command with this key. Tokens do not share keys.
pub(super) fn of_command(token: &Hash, key: &str) -> String {
    format!("{} {key}", &auth::written(token)[..16])
}

fn of_next(token: &Secret, key: &str) -> Hash {
    hash(&["next", token.reveal(), key])
}

/// Refuses a key that has another use already. Only keys of the same token are looked at.
pub(super) async fn is_free(app: &App, token: &Secret, key: &str, wanted: Use) -> Result<(), Problem> {
    let Some(pass) = app.db.pass(&token.hash()).await? else { return Ok(()) };
    let of_command = of_command(&pass.hash, key);
    let as_command = wanted != Use::Command
        && app.db.done_before(&pass.table, &pass.role.to_string(), &of_command).await?.is_some();
    let as_pass = wanted != Use::Pass && app.db.pass(&token.called(key).hash()).await?.is_some();
    let as_next = wanted != Use::Next && app.db.named(&of_next(token, key)).await?.is_some();
    if as_command || as_pass || as_next { Err(Problem::otherwise(ANOTHER)) } else { Ok(()) }
}

/// The request's key, if there is one.
pub(super) fn named(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    long(headers, 1)
}

fn long(headers: &HeaderMap, least: usize) -> Result<Option<&str>, Problem> {
    match headers.get(KEY).map(|key| key.to_str()) {
        None => Ok(None),
        Some(Ok(key)) if (least..=MOST).contains(&key.len()) => Ok(Some(key)),
        Some(_) => {
            let detail = format!("an {KEY} has {least} to {MOST} letters, digits and signs here");
            Err(Problem::new(Kind::Unreadable, detail).at(KEY))
        }
    }
}

/// The header's entry in the document.
pub(super) fn parameter(description: &str, least: usize) -> Parameter {
    let schema =
        ObjectBuilder::new().schema_type(Type::String).min_length(Some(least)).max_length(Some(MOST));
    ParameterBuilder::new()
        .name(KEY)
        .parameter_in(ParameterIn::Header)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

/// The key under which a caller opens a table.
pub(super) struct Key {
    name: Hash,
    secret: Secret,
}

impl Key {
    /// The table's name, with the hash of the request.
    pub(super) fn named(&self, asked: Hash) -> Result<Named, Problem> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt).map_err(Problem::broken)?;
        Ok(Named { name: self.name, asked, salt })
    }

    /// The token of the table that was opened under the key. It is the same for each
    /// request, so one revocation ends all that the key gives.
    pub(super) fn token(&self, named: &Named) -> Secret {
        self.secret.called(&auth::written(&named.salt))
    }
}

/// The key of a caller without a token who opens a table.
pub(crate) struct Opening(pub(super) Option<Key>);

/// The key of a program with a token that opens a table.
pub(crate) struct Continuing(pub(super) Option<Key>);

/// The secret derived from the key under which a program makes a link or token.
pub(crate) struct Making(Option<Secret>);

impl Making {
    /// The secret of the link or token that is made under the key.
    pub(super) fn secret(self) -> Option<Secret> {
        self.0
    }
}

/// The route of a request, as the server lists it.
pub(super) fn route(parts: &Parts) -> &str {
    parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// The routes that open tables without a token.
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
            // No header holds this letter, so no link or token has this name.
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
        let description = "Names what is opened, in letters that nobody guesses (a UUID), for a caller who \
            knows it is given the table: sent again, it is answered with the same table and the same token, until \
            that is taken back";
        vec![parameter(description, LEAST)]
    }
}

impl IntoParams for Continuing {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let description = "Names what is opened: sent again, it is answered with the same table and the same \
            token, until that is taken back";
        vec![parameter(description, 1)]
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
