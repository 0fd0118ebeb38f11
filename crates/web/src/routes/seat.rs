//! The browser, known by its cookie, and its place at a table.

use crate::asked::{cookie, pairs};
use crate::cookies::{Brought, Way};
use crate::{app::App, trouble::Trouble};
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, header, request::Parts};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use fracas_kernel::Viewer;
use fracas_live::auth::{self, Secret};
use fracas_live::room::Room;
use fracas_store::{DbError, Deleted, Hash, Member, Standing, TableId};
use std::sync::Arc;

/// How long a browser keeps its cookie, in seconds: a long campaign.
const KEPT: u64 = 400 * 86_400;

/// Replaces the cookies of a request with the secret of the server's own cookie. A
/// browser with an earlier form of cookie is given the current one.
pub(crate) async fn know(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let way = app.way(request.headers());
    let cookies: Vec<(&str, &str)> = pairs(request.headers()).collect();
    let brought = app.cookies.find(&cookies, way);
    let headers = request.headers_mut();
    headers.remove(header::COOKIE);
    let Some(brought) = brought else { return next.run(request).await };
    let (Brought::Current(secret) | Brought::Before(secret)) = &brought;
    if let Ok(value) = HeaderValue::from_str(&format!("{}={}", Way::Plain.cookie(), secret.reveal())) {
        headers.insert(header::COOKIE, value);
    }
    let secret = secret.clone();
    if matches!(brought, Brought::Current(_)) {
        if app.cookies.has_signed(&secret.hash())
            && let Err(error) = app.db.signed(&secret.hash()).await
        {
            tracing::warn!(%error, "that a browser has another cookie could not be kept");
        }
        return next.run(request).await;
    }
    let is_page = !["/api", "/assets/"].iter().any(|start| request.uri().path().starts_with(start));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_page && !headers.contains_key(header::SET_COOKIE) {
        headers.extend(set_cookie(&app, &secret, way).into_iter().map(|value| (header::SET_COOKIE, value)));
        if way == Way::Encrypted {
            headers.append(header::SET_COOKIE, taken(Way::Plain));
        }
    }
    response
}

/// The header that sets a browser's cookie.
fn set_cookie(app: &App, secret: &Secret, way: Way) -> Option<HeaderValue> {
    let secure = if way == Way::Encrypted { "; Secure" } else { "" };
    let (name, value) = (way.cookie(), app.cookies.value(secret, way));
    HeaderValue::from_str(&format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={KEPT}{secure}"))
        .ok()
}

/// The header that removes a browser's cookie.
pub(crate) fn taken(way: Way) -> HeaderValue {
    HeaderValue::from_static(match way {
        Way::Plain => "fracas=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
        Way::Encrypted => "__Host-fracas=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    })
}

/// The browser's secret, or a new one with the header that sets it.
pub(crate) fn cookie_or_new(
    app: &App,
    headers: &HeaderMap,
) -> Result<(Secret, Option<HeaderValue>), Trouble> {
    if let Some(secret) = cookie(headers) {
        return Ok((secret, None));
    }
    let secret = Secret::new().ok_or_else(|| Trouble::broken("the system gives no random numbers"))?;
    let value = set_cookie(app, &secret, app.way(headers));
    Ok((secret, Some(value.ok_or_else(|| Trouble::broken("a cookie that cannot be written"))?)))
}

/// A response that may also set a cookie.
pub(crate) fn with_cookie(response: impl IntoResponse, cookie: Option<HeaderValue>) -> Response {
    let mut response = response.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// An admitted person in their place at a table.
pub(crate) struct Seated {
    pub(crate) room: Arc<Room>,
    pub(crate) role: Viewer,
    pub(crate) browser: Hash,
    pub(crate) base: String,
    /// How many of their lines this browser had seen.
    pub(crate) seen: usize,
}

/// Handlers ask this once the body is read. A refusal before that may close the connection
/// or not, and so could not be the same to the last byte each time.
impl Seated {
    /// The same, if they lead: the gamemaster, or a player who opened the table.
    pub(crate) fn leads(self) -> Result<Seated, Trouble> {
        let leads = self.room.look(|_, settings| settings.is_led_by(self.role));
        if leads == Some(true) { Ok(self) } else { Err(Trouble::absent()) }
    }

    /// The same, if they are the gamemaster.
    pub(crate) fn gm(self) -> Result<Seated, Trouble> {
        if self.role.is_gm() { Ok(self) } else { Err(Trouble::absent()) }
    }
}

impl FromRequestParts<Arc<App>> for Seated {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Seated, Response> {
        let absent = || Trouble::absent().into_response();
        let Path(path): Path<Vec<(String, String)>> =
            Path::from_request_parts(parts, app).await.map_err(|_| absent())?;
        let part = |name| path.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        let id = part("table").and_then(TableId::new).ok_or_else(absent)?;
        let role = part("role").and_then(auth::role_of).ok_or_else(absent)?;
        Seated::find(app, &parts.headers, id, role).await
    }
}

impl Seated {
    /// The browser in this role at a table.
    async fn find(app: &App, headers: &HeaderMap, id: TableId, role: Viewer) -> Result<Seated, Response> {
        let absent = || Trouble::absent().into_response();
        let browser = cookie(headers).ok_or_else(absent)?.hash();
        let member = member(app, &id, &browser, role).await.map_err(IntoResponse::into_response)?;
        let Some(member) = member else {
            // The leader of a deleted table can restore it.
            let gone = deleted(app, &id, &browser, Some(role)).await.ok().flatten();
            return Err(gone.map_or_else(absent, |gone| to_restore(&gone).into_response()));
        };
        if member.standing != Standing::Admitted {
            let door = format!("/t/{id}/{}/knock", auth::role_name(role));
            return Err(Redirect::to(&door).into_response());
        }
        let room = app.hall.room(&id).await.map_err(|error| Trouble::from(error).into_response())?;
        let base = format!("/t/{id}/{}", auth::role_name(role));
        let seen = usize::try_from(member.seen).unwrap_or(0).max(room.sent_to(role, browser));
        Ok(Seated { room, role, browser, base, seen })
    }
}

/// An admitted spectator, at an address that names no role.
pub(crate) struct Watching(pub(crate) Seated);

impl FromRequestParts<Arc<App>> for Watching {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Watching, Response> {
        let absent = || Trouble::absent().into_response();
        let Path(table): Path<String> = Path::from_request_parts(parts, app).await.map_err(|_| absent())?;
        let id = TableId::new(&table).ok_or_else(absent)?;
        Seated::find(app, &parts.headers, id, Viewer::Spectator).await.map(Watching)
    }
}

/// Whether a browser still has its place.
pub(crate) async fn is_admitted(app: &App, table: &TableId, browser: &Hash, role: Viewer) -> bool {
    let member = member(app, table, browser, role).await;
    matches!(member, Ok(Some(Member { standing: Standing::Admitted, .. })))
}

/// A browser in a role at a table.
pub(crate) async fn member(
    app: &App,
    table: &TableId,
    browser: &Hash,
    role: Viewer,
) -> Result<Option<Member>, Trouble> {
    let roles = app.db.roles(table, browser).await?;
    Ok(roles.into_iter().find(|member| member.role == role))
}

/// Redirects to the page on which a deleted table can be restored.
fn to_restore(gone: &Deleted) -> Redirect {
    Redirect::to(&format!("/t/{}/{}/delete", gone.table.id, auth::role_name(gone.role)))
}

/// A deleted table that this browser led, in this role or in any, and can restore.
pub(crate) async fn deleted(
    app: &App,
    table: &TableId,
    browser: &Hash,
    role: Option<Viewer>,
) -> Result<Option<Deleted>, DbError> {
    let all = app.db.deleted(browser, auth::now()).await?;
    let is_it = |gone: &Deleted| gone.table.id == *table && role.is_none_or(|role| role == gone.role);
    Ok(all.into_iter().find(is_it))
}

/// Redirects to the browser's place at a table, the gamemaster's first.
pub(crate) async fn which(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let id = TableId::new(&table).ok_or_else(Trouble::absent)?;
    let browser = cookie(&headers).ok_or_else(Trouble::absent)?.hash();
    let roles = app.db.roles(&id, &browser).await?;
    if roles.is_empty()
        && let Some(gone) = deleted(&app, &id, &browser, None).await?
    {
        return Ok(to_restore(&gone));
    }
    let role = roles.first().ok_or_else(Trouble::absent)?.role;
    Ok(Redirect::to(&format!("/t/{id}/{}", auth::role_name(role))))
}
