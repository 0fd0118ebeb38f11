//! The API of access: links, tokens, and the people at the door.

use super::caller::{Caller, Gm, GmReader, Part, Player, Sent};
use super::problem::{Kind, Problem};
use super::{key::Making, open::Made};
use crate::app::App;
use axum::http::{HeaderMap, StatusCode};
use axum::{Json, extract::State};
use fracas_live::pass::{self, Maker, Wish};
use fracas_live::settings::{self, Settings, Watchers};
use fracas_live::webhook::{Kind as News, NO_WEBHOOK, Tried, Webhook};
use fracas_live::{auth, passphrase::PhraseError};
use fracas_store::{PassKind, Standing};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};
use utoipa::ToSchema;

type At = State<Arc<App>>;

/// A link or a token, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pass {
    /// The id by which it is taken back.
    id: String,
    /// The permission.
    kind: Allows,
    /// As whom.
    role: String,
    /// Its purpose, in the words of its maker.
    label: String,
    /// When it was made, in seconds since 1970.
    made: i64,
    /// When it was taken back, in seconds since 1970.
    revoked: Option<i64>,
}

/// The permission of a link or token.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Allows {
    /// A link by which a person comes in.
    Invite,
    /// A token for a program that only looks.
    Read,
    /// A token for a program that plays.
    Play,
}

impl From<PassKind> for Allows {
    fn from(kind: PassKind) -> Self {
        match kind {
            PassKind::Invite => Allows::Invite,
            PassKind::Read => Allows::Read,
            PassKind::Play => Allows::Play,
        }
    }
}

impl From<Allows> for PassKind {
    fn from(allows: Allows) -> Self {
        match allows {
            Allows::Invite => PassKind::Invite,
            Allows::Read => PassKind::Read,
            Allows::Play => PassKind::Play,
        }
    }
}

/// The table's links and tokens. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/passes",
    operation_id = "list_passes",
    tag = "people",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = [Pass])),
)]
pub(crate) async fn passes(State(app): At, caller: GmReader) -> Result<Json<Vec<Pass>>, Problem> {
    let all = app.db.passes(&caller.0.room.id).await?;
    let pass = |pass: fracas_store::Pass| Pass {
        id: auth::written(&pass.hash),
        kind: pass.kind.into(),
        role: auth::role_name(pass.role),
        label: pass.label,
        made: pass.made,
        revoked: pass.revoked,
    };
    Ok(Json(all.into_iter().map(pass).collect()))
}

/// A link or a token that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PassSent {
    /// The permission.
    kind: Allows,
    /// As whom: `gm`, `player-1`, or `watch`; the token's own role where this is
    /// not said.
    #[schema(example = "player-1")]
    role: Option<String>,
    /// Its purpose in a few words.
    label: Option<String>,
}

/// A link or a token as it is shown once.
#[derive(Serialize, ToSchema)]
pub(crate) struct PassMade {
    /// The id by which it is taken back.
    id: String,
    /// The link, of one that invites.
    link: Option<String>,
    /// The token, of the others.
    token: Option<String>,
}

/// Makes a link or a token, shown this once.
///
/// The gamemaster's token makes any; a player's makes tokens for its own seat.
#[utoipa::path(
    post,
    path = "/tables/{table}/passes",
    operation_id = "make_pass",
    tag = "people",
    params(Making),
    security(("token" = ["play"])),
    request_body = PassSent,
    responses((status = 201, body = PassMade)),
)]
pub(crate) async fn make(
    State(app): At,
    Player(caller): Player,
    making: Making,
    headers: HeaderMap,
    Sent(sent): Sent<PassSent>,
) -> Result<Made<PassMade>, Problem> {
    let unreadable =
        || Problem::new(Kind::Unreadable, "a role is gm, player-1 and so on, or watch").at("role");
    let role = match &sent.role {
        Some(name) => auth::role_of(name).ok_or_else(unreadable)?,
        None => caller.role,
    };
    let kind = PassKind::from(sent.kind);
    let wish = Wish {
        kind,
        role,
        label: sent.label.unwrap_or_default(),
        maker: Maker::Token(caller.hash, caller.role),
        named: making.secret(),
    };
    let secret = pass::make(&app.db, &caller.room, wish).await?;
    let invites = kind == PassKind::Invite;
    let shown = secret.reveal().to_owned();
    let what = PassMade {
        id: auth::written(&secret.hash()),
        link: invites.then(|| app.link(&headers, &secret)),
        token: (!invites).then_some(shown),
    };
    let at = format!("/api/v1/tables/{}/passes/{}", caller.room.id, what.id);
    Ok(Made { at, what })
}

/// Takes a link or a token back, and whatever was made with it.
///
/// The gamemaster's token takes any back; every token itself.
#[utoipa::path(
    delete,
    path = "/tables/{table}/passes/{pass}",
    operation_id = "revoke_pass",
    tag = "people",
    security(("token" = ["read"])),
    responses((status = 204, description = "It no longer counts")),
)]
pub(crate) async fn revoke(State(app): At, caller: Caller, pass: Part<1>) -> Result<StatusCode, Problem> {
    let own = auth::written(&caller.hash);
    let hash = if pass.0 == "this" || pass.0 == own {
        caller.hash
    } else {
        let gm = caller.role.is_gm() && caller.kind == PassKind::Play;
        if !gm {
            return Err(Problem::not_yours("only the gamemaster's token takes others back"));
        }
        auth::hash_of(&pass.0).ok_or_else(Problem::absent)?
    };
    let there = app.db.pass(&hash).await?.is_some_and(|pass| pass.table == caller.room.id);
    if !there {
        return Err(Problem::absent());
    }
    pass::revoke(&app.db, &caller.room, hash).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Somebody who came by a link.
#[derive(Serialize, ToSchema)]
pub(crate) struct Person {
    /// The id by which they are let in.
    id: String,
    /// The name that they give themselves.
    name: String,
    /// As whom they come.
    role: String,
    /// `waiting`, `admitted`, or `refused`.
    #[schema(value_type = String)]
    standing: Standing,
    /// The links and tokens that are taken back with them where they are turned out, by
    /// their ids.
    takes_along: Vec<String>,
}

/// Who is here, and who waits at the door. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/people",
    operation_id = "list_people",
    tag = "people",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = [Person])),
)]
pub(crate) async fn people(State(app): At, caller: GmReader) -> Result<Json<Vec<Person>>, Problem> {
    let table = &caller.0.room.id;
    let mut people = Vec::new();
    for member in app.db.members(table).await?.into_iter().filter(|member| !member.name.is_empty()) {
        let goes = match member.standing {
            Standing::Admitted => app.db.goes_with(table, &member.browser, member.role).await?,
            Standing::Waiting | Standing::Refused => Vec::new(),
        };
        people.push(Person {
            id: auth::written(&member.browser),
            name: member.name,
            role: auth::role_name(member.role),
            standing: member.standing,
            takes_along: goes.iter().map(auth::written).collect(),
        });
    }
    Ok(Json(people))
}

/// Whether somebody comes in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdmitSent {
    /// Who, by their id.
    person: String,
    /// As whom.
    #[schema(example = "player-1")]
    role: String,
    /// Let in, or turned away; somebody who is in is turned out.
    admit: bool,
}

/// Lets somebody in, or turns them away. For the gamemaster.
///
/// With somebody who is turned out go the link by which they came, and the links and tokens
/// that they made (`takes_along`). Others who came in by these stay.
#[utoipa::path(
    post,
    path = "/tables/{table}/people",
    operation_id = "admit_person",
    tag = "people",
    security(("token" = ["play", "gm"])),
    request_body = AdmitSent,
    responses((status = 204, description = "Done")),
)]
pub(crate) async fn admit(
    State(app): At,
    Gm(caller): Gm,
    Sent(sent): Sent<AdmitSent>,
) -> Result<StatusCode, Problem> {
    let nobody = || Problem::new(Kind::Refused, "nobody of this id came in that role").at("person");
    let browser = auth::hash_of(&sent.person).ok_or_else(nobody)?;
    let role = auth::role_of(&sent.role).ok_or_else(nobody)?;
    let there = app.db.roles(&caller.room.id, &browser).await?;
    if !there.iter().any(|member| member.role == role) {
        return Err(nobody());
    }
    let standing = if sent.admit { Standing::Admitted } else { Standing::Refused };
    pass::decide(&app.db, &caller.room, (browser, role), standing).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whether people who come by a link wait to be let in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoorSent {
    /// Whether they wait until the gamemaster lets them in.
    door: Door,
}

/// Whether people who come by a link wait to be let in.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Door {
    /// The gamemaster lets each in.
    Knock,
    /// People who have a link sit down at once.
    Open,
}

/// Sets whether people who come by a link wait to be let in. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/door",
    operation_id = "set_door",
    tag = "people",
    security(("token" = ["play", "gm"])),
    request_body = DoorSent,
    responses((status = 204, description = "Done")),
)]
pub(crate) async fn door(Gm(caller): Gm, Sent(sent): Sent<DoorSent>) -> Result<StatusCode, Problem> {
    let door = match sent.door {
        Door::Knock => settings::Door::Knock,
        Door::Open => settings::Door::Open,
    };
    caller.room.set(|settings| settings.door = door).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How people come in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Entrance {
    /// Whether they wait until the gamemaster lets them in.
    door: Door,
    /// Whether they are asked for a passphrase.
    locked: bool,
}

/// How people come in by a link. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/door",
    operation_id = "get_door",
    tag = "people",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = Entrance)),
)]
pub(crate) async fn entrance(caller: GmReader) -> Result<Json<Entrance>, Problem> {
    let look = caller.0.room.look(|_, settings| {
        let door = match settings.door {
            settings::Door::Knock => Door::Knock,
            settings::Door::Open => Door::Open,
        };
        Entrance { door, locked: settings.passphrase.is_some() }
    });
    look.map(Json).ok_or_else(Problem::absent)
}

/// What spectators may do.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchersMay {
    /// Whether they may pause the table, as players may.
    pause: bool,
}

/// What spectators may do. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/watchers",
    operation_id = "get_watchers_may",
    tag = "people",
    security(("token" = ["read", "gm"])),
    responses((status = 200, body = WatchersMay)),
)]
pub(crate) async fn what_watchers_may(caller: GmReader) -> Result<Json<WatchersMay>, Problem> {
    let look = |settings: &Settings| WatchersMay { pause: settings.watchers == Watchers::MayPause };
    caller.0.room.look(|_, settings| look(settings)).map(Json).ok_or_else(Problem::absent)
}

/// Sets what spectators may do. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/watchers",
    operation_id = "set_watchers_may",
    tag = "people",
    security(("token" = ["play", "gm"])),
    request_body = WatchersMay,
    responses((status = 204, description = "Done")),
)]
pub(crate) async fn watchers(Gm(caller): Gm, Sent(sent): Sent<WatchersMay>) -> Result<StatusCode, Problem> {
    let watchers = if sent.pause { Watchers::MayPause } else { Watchers::OnlyWatch };
    caller.room.set(|settings| settings.watchers = watchers).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A passphrase.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhraseSent {
    /// The passphrase; absent: nobody is asked for one.
    passphrase: Option<String>,
}

/// Sets the passphrase for people who come by a link. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/passphrase",
    operation_id = "set_passphrase",
    tag = "people",
    security(("token" = ["play", "gm"])),
    request_body = PhraseSent,
    responses((status = 204, description = "Done")),
)]
pub(crate) async fn passphrase(
    State(app): At,
    Gm(caller): Gm,
    Sent(sent): Sent<PhraseSent>,
) -> Result<StatusCode, Problem> {
    let refused = |error: PhraseError| Problem::new(Kind::Refused, error.to_string()).at("passphrase");
    let kept = match &sent.passphrase {
        Some(phrase) => Some(app.lock.keep(phrase).await.map_err(refused)?),
        None => None,
    };
    caller.room.set(|settings| settings.passphrase = kept).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A webhook.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebhookSent {
    /// The address; absent: no messages are sent.
    #[schema(example = "https://discord.com/api/webhooks/1/x")]
    url: Option<String>,
    /// The news that it is sent; absent: `awaited`.
    kinds: Option<BTreeSet<News>>,
}

/// A webhook, with what its messages are signed with.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookMade {
    /// The address, where one is told.
    url: Option<String>,
    /// The key of the HMAC-SHA256 in each message's `webhook-signature`: Base64 after `whsec_`.
    secret: Option<String>,
    /// The news that it is sent.
    kinds: BTreeSet<News>,
}

impl From<Option<&Webhook>> for WebhookMade {
    fn from(webhook: Option<&Webhook>) -> Self {
        let webhook = webhook.cloned();
        let kinds = webhook.as_ref().map(|webhook| webhook.kinds.clone()).unwrap_or_default();
        let (url, secret) = webhook.map(|webhook| (webhook.url, webhook.secret)).unzip();
        WebhookMade { url, secret, kinds }
    }
}

/// The webhook of the table. For the gamemaster.
#[utoipa::path(
    get,
    path = "/tables/{table}/webhook",
    operation_id = "get_webhook",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = WebhookMade)),
)]
pub(crate) async fn get_webhook(Gm(caller): Gm) -> Result<Json<WebhookMade>, Problem> {
    let look = caller.room.look(|_, settings| WebhookMade::from(settings.webhook.as_ref()));
    look.map(Json).ok_or_else(Problem::absent)
}

/// Sets the address for messages about whom the table waits for, new lines, and the end. For the
/// gamemaster.
///
/// A message is a POST of JSON: the table's id and title, the kind of news, a text. `awaited`
/// is sent once for a decision, where the player who owes it does not have the table open; `lines`
/// two seconds after a line came that everybody may read, with those that came meanwhile;
/// `over` when the table is over. Where the address cannot be reached, or answers 429 or 5xx,
/// a message is sent again after 2 and after 15 more seconds, with the same
/// `webhook-id`. An address that could never be told anything is refused.
#[utoipa::path(
    post,
    path = "/tables/{table}/webhook",
    operation_id = "set_webhook",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    request_body = WebhookSent,
    responses((status = 200, body = WebhookMade)),
)]
pub(crate) async fn webhook(
    State(app): At,
    Gm(caller): Gm,
    Sent(sent): Sent<WebhookSent>,
) -> Result<Json<WebhookMade>, Problem> {
    let refused = |what| Problem::new(Kind::Refused, what).at("url");
    let kinds = || sent.kinds.clone().unwrap_or_else(News::as_a_rule);
    let webhook =
        sent.url.as_deref().map(|url| app.hall.webhook(url, kinds())).transpose().map_err(refused)?;
    let made = WebhookMade::from(webhook.as_ref());
    caller.room.set(|settings| settings.webhook = webhook).await?;
    Ok(Json(made))
}

/// Sends the webhook's address a test message, once, and says what came back. For the gamemaster.
#[utoipa::path(
    post,
    path = "/tables/{table}/webhook/test",
    tag = "gamemaster",
    security(("token" = ["play", "gm"])),
    responses((status = 200, body = Tried, description = "What came back")),
)]
pub(crate) async fn try_webhook(State(app): At, Gm(caller): Gm) -> Result<Json<Tried>, Problem> {
    let tried = app.try_webhook(&caller.room, caller.role).await?;
    tried.map(Json).ok_or_else(|| Problem::new(Kind::Refused, NO_WEBHOOK))
}
