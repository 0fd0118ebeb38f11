//! Who asks: the browser's cookie, and its place at a table.

use super::Trouble;
use crate::{
    app::App,
    auth::{self, Secret},
    room::Room,
};
use axum::{
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use fracas_kernel::Viewer;
use fracas_store::{Hash, Member, Standing, TableId};
use std::sync::Arc;

/// The name of our one cookie.
const COOKIE: &str = "fracas";
/// How long a browser keeps it, in seconds: a long campaign.
const KEPT: u64 = 400 * 86_400;

/// The browser's secret, where it has one.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .and_then(|(_, value)| Secret::read(value))
}

/// The browser's secret, or a new one and the header that gives it.
pub(crate) fn cookie_or_new(
    app: &App,
    headers: &HeaderMap,
) -> Result<(Secret, Option<HeaderValue>), Trouble> {
    if let Some(secret) = cookie(headers) {
        return Ok((secret, None));
    }
    let secret = Secret::new().ok_or_else(|| Trouble::broken("the system gives no random numbers"))?;
    let secure = if app.is_secure() { "; Secure" } else { "" };
    let value =
        format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={KEPT}{secure}", secret.reveal());
    let value = HeaderValue::from_str(&value).map_err(Trouble::broken)?;
    Ok((secret, Some(value)))
}

/// A response that also gives a cookie.
pub(crate) fn with_cookie(response: impl IntoResponse, cookie: Option<HeaderValue>) -> Response {
    let mut response = response.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Somebody in their place at a table: let in, or there would be no such page.
pub(crate) struct Seated {
    pub(crate) room: Arc<Room>,
    pub(crate) role: Viewer,
    pub(crate) browser: Hash,
    pub(crate) base: String,
    /// How many of the lines that they may see this browser had seen.
    pub(crate) seen: usize,
}

impl Seated {
    /// The same for the gamemaster alone.
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
        let browser = cookie(&parts.headers).ok_or_else(absent)?.hash();
        let member = member(app, &id, &browser, role).await.map_err(IntoResponse::into_response)?;
        let member = member.ok_or_else(absent)?;
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

/// To the browser's place at a table, the gamemaster's first.
pub(crate) async fn which(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let id = TableId::new(&table).ok_or_else(Trouble::absent)?;
    let browser = cookie(&headers).ok_or_else(Trouble::absent)?.hash();
    let roles = app.db.roles(&id, &browser).await?;
    let role = roles.first().ok_or_else(Trouble::absent)?.role;
    Ok(Redirect::to(&format!("/t/{id}/{}", auth::role_name(role))))
}
