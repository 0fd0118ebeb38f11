//! The gamemaster's page of people: members, people at the door, links.

use super::{form::Form, play, seat::Seated};
use crate::app::App;
use crate::page::{self, LinkRow, Note, People, TakenAlong};
use crate::trouble::{Trouble, shown};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_kernel::{Seat, Viewer};
use fracas_live::auth;
use fracas_live::pass::{self, Maker, Wish};
use fracas_live::settings::{Door, Watchers};
use fracas_store::{PassKind, Standing};
use std::sync::Arc;

async fn shown_people(
    app: &App,
    seated: &Seated,
    near: Option<&str>,
    fresh: &[(Viewer, String)],
    note: &Note,
) -> Result<Html<String>, Trouble> {
    let room = &seated.room;
    let look = room.look(|table, settings| {
        (
            table.log().header().title.clone(),
            table.log().cast(),
            settings.door,
            settings.passphrase.is_some(),
            settings.watchers,
        )
    });
    let (title, cast, door, locked, watchers) = look.ok_or_else(Trouble::absent)?;
    let mut seats: Vec<(Viewer, String)> = cast
        .iter()
        .map(|cast| {
            let name = match cast.seat {
                Seat::Gm => cast.name.clone(),
                _ => cast.told(),
            };
            (Viewer::Seat(cast.seat), name)
        })
        .collect();
    seats.push((Viewer::Spectator, "somebody who watches".to_owned()));
    let mut parts: Vec<(Viewer, String)> =
        cast.iter().map(|cast| (Viewer::Seat(cast.seat), cast.part())).collect();
    parts.push((Viewer::Spectator, "somebody who watches".to_owned()));
    let called =
        |role: Viewer| seats.iter().find(|(r, _)| *r == role).map_or_else(String::new, |(_, n)| n.clone());
    let passes = app.db.passes(&room.id).await?;
    let links: Vec<LinkRow> = passes
        .iter()
        .filter(|pass| pass.kind == PassKind::Invite)
        .map(|pass| LinkRow {
            what: format!("for {}, made {}", called(pass.role), fracas_live::hall::moment(pass.made)),
            pass: pass.clone(),
        })
        .collect();
    let members = app.db.members(&room.id).await?;
    let members: Vec<_> = members.into_iter().filter(|member| !member.name.is_empty()).collect();
    let mut goes = Vec::new();
    for member in
        members.iter().filter(|member| member.standing == Standing::Admitted && member.pass.is_some())
    {
        let hashes = app.db.goes_with(&room.id, &member.browser, member.role).await?;
        let goes_along = passes.iter().filter(|pass| hashes.contains(&pass.hash));
        goes.push(((member.browser, member.role), TakenAlong::of(member, goes_along)));
    }
    let fresh: Vec<(String, String)> =
        fresh.iter().map(|(role, link)| (called(*role), link.clone())).collect();
    Ok(shown(page::people(&People {
        base: &seated.base,
        title: &title,
        seats: &seats,
        parts: &parts,
        is_gm: seated.role.is_gm(),
        members: &members,
        goes: &goes,
        watchers,
        links: &links,
        door,
        locked,
        fresh: &fresh,
        near,
        to_lead: may_lead(app, seated).await?,
        note,
    })))
}

/// The page of people.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
) -> Result<Html<String>, Trouble> {
    shown_people(&app, &seated.leads()?, app.near(&headers), &[], &Note::default()).await
}

/// Makes a link, or one for each player's seat. A secret is shown once and kept nowhere.
pub(crate) async fn link(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Html<String>, Trouble> {
    let seated = seated.leads()?;
    let roles = match Form::read(&body).get("role").unwrap_or_default() {
        "players" => players(&seated)?,
        "gm" if !may_lead(&app, &seated).await? => {
            return Err(Trouble::bad(GMS_OWN));
        }
        role => vec![auth::role_of(role).ok_or_else(|| Trouble::bad("a link is for a seat, or to watch"))?],
    };
    let mut fresh = Vec::new();
    for role in roles {
        // The gamemaster's place must not depend on the links of a leader who plays.
        let maker = match role.is_gm() && !seated.role.is_gm() {
            true => Maker::Opening,
            false => Maker::Leader(seated.browser, seated.role),
        };
        let wish = Wish { kind: PassKind::Invite, role, label: String::new(), maker, named: None };
        let secret = pass::make(&app.db, &seated.room, wish).await?;
        fresh.push((role, app.link(&headers, &secret)));
    }
    shown_people(&app, &seated, app.near(&headers), &fresh, &Note::default()).await
}

/// The refusal when a leader who plays would remove a gamemaster or invite a second one.
const GMS_OWN: &str = "who comes in as the gamemaster is the gamemaster's own to say";

/// Whether the viewer can make a link for the gamemaster: as gamemaster for another device
/// or, as leader who plays, for a gamemaster who is yet to come. A gamemaster who is there,
/// machine or not, is sent no link.
async fn may_lead(app: &App, seated: &Seated) -> Result<bool, Trouble> {
    let is_bot = seated.room.look(|_, settings| settings.bots.contains_key(&Seat::Gm)).unwrap_or(true);
    let members = app.db.members(&seated.room.id).await?;
    let is_there = members.iter().any(|member| member.role.is_gm() && member.standing == Standing::Admitted);
    Ok(seated.role.is_gm() || !is_bot && !is_there)
}

/// The players' seats that the machine does not play, without the viewer's.
fn players(seated: &Seated) -> Result<Vec<Viewer>, Trouble> {
    let seats = seated.room.look(|table, settings| {
        let seats = table.game().seats().into_iter().map(|info| info.seat);
        let people = seats.filter(|seat| *seat != Seat::Gm && !settings.bots.contains_key(seat));
        people.map(Viewer::Seat).filter(|role| *role != seated.role).collect()
    });
    seats.ok_or_else(Trouble::absent)
}

/// Revokes a link. People who came by it lose their places.
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    seated: Seated,
    body: String,
) -> Result<Redirect, Trouble> {
    let seated = seated.leads()?;
    let hash =
        Form::read(&body).get("hash").and_then(auth::hash_of).ok_or_else(|| Trouble::bad("which link?"))?;
    let is_gms = app.db.pass(&hash).await?.is_some_and(|pass| pass.role.is_gm());
    if is_gms && !may_lead(&app, &seated).await? {
        return Err(Trouble::bad(GMS_OWN));
    }
    pass::revoke(&app.db, &seated.room, hash).await?;
    Ok(Redirect::to(&format!("{}/people", seated.base)))
}

/// Admits or refuses a person. From the table's page, the viewer returns to the table.
pub(crate) async fn admit(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.leads()?;
    let form = Form::read(&body);
    let browser = form.get("browser").and_then(auth::hash_of).ok_or_else(|| Trouble::bad("whom?"))?;
    let role = form.get("role").and_then(auth::role_of).ok_or_else(|| Trouble::bad("as whom?"))?;
    let standing = if form.get("in") == Some("yes") { Standing::Admitted } else { Standing::Refused };
    if role.is_gm() && !may_lead(&app, &seated).await? {
        return Err(Trouble::bad(GMS_OWN));
    }
    pass::decide(&app.db, &seated.room, (browser, role), standing).await?;
    if form.get("from") == Some("table") {
        return Ok(play::reply(seated, &headers, &form, Ok(None)));
    }
    Ok(Redirect::to(&format!("{}/people", seated.base)).into_response())
}

/// Sets the passphrase that links ask for, or removes it.
pub(crate) async fn passphrase(
    State(app): State<Arc<App>>,
    seated: Seated,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let seated = seated.leads()?;
    let kept = match Form::read(&body).get("passphrase") {
        None => None,
        Some(phrase) => match app.lock.keep(phrase.trim()).await {
            Ok(kept) => Some(kept),
            Err(error) => {
                let note = Note::of(format!("{}.", page::capital(&error.to_string())));
                let page = shown_people(&app, &seated, app.near(&headers), &[], &note).await?;
                return Ok((StatusCode::BAD_REQUEST, page).into_response());
            }
        },
    };
    seated.room.set(|settings| settings.passphrase = kept).await?;
    Ok(Redirect::to(&format!("{}/people", seated.base)).into_response())
}

/// Sets whether spectators may pause.
pub(crate) async fn watchers(seated: Seated, body: String) -> Result<Redirect, Trouble> {
    let seated = seated.leads()?;
    let may = Form::read(&body).get("pause") != Some("no");
    let watchers = if may { Watchers::MayPause } else { Watchers::OnlyWatch };
    seated.room.set(|settings| settings.watchers = watchers).await?;
    Ok(Redirect::to(&format!("{}/people", seated.base)))
}

/// Sets whether people with a link wait to be admitted.
pub(crate) async fn door(
    State(app): State<Arc<App>>,
    seated: Seated,
    body: String,
) -> Result<Redirect, Trouble> {
    let seated = seated.leads()?;
    let door = if Form::read(&body).get("door") == Some("open") { Door::Open } else { Door::Knock };
    seated.room.set(|settings| settings.door = door).await?;
    if door == Door::Open {
        let mut waiting = fracas_live::hall::waiting(&app.db, &seated.room.id).await?;
        if !may_lead(&app, &seated).await? {
            waiting.retain(|member| !member.role.is_gm());
        }
        for member in waiting {
            pass::decide(&app.db, &seated.room, (member.browser, member.role), Standing::Admitted).await?;
        }
    }
    Ok(Redirect::to(&format!("{}/people", seated.base)))
}
