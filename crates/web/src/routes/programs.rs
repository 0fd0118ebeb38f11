//! The page of programs: tokens for bots and overlays.

use super::{form::Form, seat::Seated};
use crate::app::App;
use crate::page::{self, Note, Nudges, Programs};
use crate::trouble::{Trouble, shown};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use fracas_kernel::Viewer;
use fracas_live::auth::{self, Secret};
use fracas_live::hall::date;
use fracas_live::pass::{self, Maker, PassError, Wish};
use fracas_live::webhook::{Kind, NO_WEBHOOK};
use fracas_store::{Pass, PassKind};
use std::{collections::BTreeSet, sync::Arc};

/// Whether a viewer sees this token and may revoke it: the gamemaster may revoke any, others
/// those that they made.
fn is_theirs(seated: &Seated, pass: &Pass) -> bool {
    let own = pass.maker == Some(seated.browser) && pass.role == seated.role;
    pass.kind != PassKind::Invite && (seated.role.is_gm() || own)
}

async fn shown_programs(
    app: &App,
    seated: &Seated,
    origin: &str,
    fresh: Option<&Secret>,
    note: &Note,
) -> Result<Response, Trouble> {
    let room = &seated.room;
    let look = room.look(|table, settings| {
        let webhook = settings.webhook.clone().filter(|_| seated.role.is_gm());
        (table.log().header().title.clone(), table.log().cast(), webhook)
    });
    let (title, cast, webhook) = look.ok_or_else(Trouble::absent)?;
    let called = |role: Viewer| match role {
        Viewer::Spectator => "a spectator".to_owned(),
        role => cast.iter().find(|sits| Viewer::Seat(sits.seat) == role).map_or_else(String::new, |sits| {
            if role.is_gm() { format!("the {}", sits.name) } else { sits.name.clone() }
        }),
    };
    let roles: Vec<Viewer> = if seated.role.is_gm() {
        cast.iter().map(|sits| Viewer::Seat(sits.seat)).chain([Viewer::Spectator]).collect()
    } else {
        vec![seated.role]
    };
    let passes = app.db.passes(&room.id).await?.into_iter().filter(|pass| is_theirs(seated, pass));
    let tokens = passes.map(|pass| {
        let does = if pass.kind == PassKind::Play { "plays" } else { "reads" };
        let label = if pass.label.is_empty() { String::new() } else { format!("{}: ", pass.label) };
        (format!("{label}{does} as {}, made on {}", called(pass.role), date(pass.made)), pass)
    });
    let tokens: Vec<(String, Pass)> = tokens.collect();
    let roles: Vec<(Viewer, String)> = roles.into_iter().map(|role| (role, called(role))).collect();
    let page = page::programs(&Programs {
        base: &seated.base,
        title: &title,
        origin,
        table: room.id.as_str(),
        roles: &roles,
        tokens: &tokens,
        fresh: fresh.map(Secret::reveal),
        nudges: if seated.role.is_gm() { Nudges::Gm(webhook.as_ref()) } else { Nudges::NotTheirs },
        note,
    });
    Ok(shown(page).into_response())
}

/// The page again, with why nothing was done.
async fn refused(app: &App, seated: &Seated, origin: &str, note: Note) -> Result<Response, Trouble> {
    let page = shown_programs(app, seated, origin, None, &note).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// The viewer's tokens.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    shown_programs(&app, &seated, &app.origin(&headers), None, &Note::default()).await
}

/// Makes a token. It is shown once and kept nowhere.
pub(crate) async fn make(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let form = Form::read(&body);
    let kind = match form.get("kind") {
        Some("play") => PassKind::Play,
        Some("read") => PassKind::Read,
        _ => return Err(Trouble::bad("a token reads, or it plays")),
    };
    let role = match form.get("role") {
        Some(name) => {
            auth::role_of(name).ok_or_else(|| Trouble::bad("a token is for a seat, or to watch"))?
        }
        None => seated.role,
    };
    let maker = Maker::Browser(seated.browser, seated.role);
    let wish =
        Wish { kind, role, label: form.get("label").unwrap_or_default().to_owned(), maker, named: None };
    let origin = app.origin(&headers);
    match pass::make(&app.db, &seated.room, wish).await {
        Ok(secret) => shown_programs(&app, &seated, &origin, Some(&secret), &Note::default()).await,
        Err(PassError::NotYours(what) | PassError::Nonsense(what)) => {
            refused(&app, &seated, &origin, Note::of(what)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Revokes a token.
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    seated: Seated,
    body: String,
) -> Result<Redirect, Trouble> {
    let hash = Form::read(&body).get("hash").and_then(auth::hash_of);
    let hash = hash.ok_or_else(|| Trouble::bad("which token?"))?;
    let passes = app.db.passes(&seated.room.id).await?;
    if !passes.iter().any(|pass| pass.hash == hash && is_theirs(&seated, pass)) {
        return Err(Trouble::absent());
    }
    pass::revoke(&app.db, &seated.room, hash).await?;
    Ok(Redirect::to(&format!("{}/programs", seated.base)))
}

/// Sets the table's webhook, or removes it.
pub(crate) async fn webhook(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let form = Form::read(&body);
    let url = form.get("url").map(|url| url.trim().to_owned());
    let is_wanted = |(kind, name, _)| form.all("kind").contains(&name).then_some(kind);
    let kinds = || {
        let ticked: BTreeSet<Kind> = Kind::ALL.into_iter().filter_map(is_wanted).collect();
        if ticked.is_empty() { Kind::as_a_rule() } else { ticked }
    };
    match url.as_deref().map(|url| app.hall.webhook(url, kinds())).transpose() {
        Ok(webhook) => {
            seated.room.set(|settings| settings.webhook = webhook).await?;
            Ok(Redirect::to(&format!("{}/programs", seated.base)).into_response())
        }
        Err(what) => {
            refused(&app, &seated, &app.origin(&headers), Note { kept: url, ..Note::of(what) }).await
        }
    }
}

/// Sends a test message to the webhook, and shows the result.
pub(crate) async fn try_webhook(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let tried = app.try_webhook(&seated.room, seated.role).await?;
    let tried = tried.ok_or_else(|| Trouble::bad(NO_WEBHOOK))?;
    shown_programs(&app, &seated, &app.origin(&headers), None, &Note::of(tried.what)).await
}
