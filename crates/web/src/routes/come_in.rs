//! Coming in by a link, which is exchanged for a place at once.

use super::seat::{cookie_or_new, member, with_cookie};
use crate::asked::{cookie, serde_urlencoded};
use crate::page::{self, Note};
use crate::trouble::{Trouble, shown};
use crate::{app::App, security::Event};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use fracas_face::plain;
use fracas_kernel::{Seat, System, Viewer};
use fracas_live::auth::{self, Secret};
use fracas_live::origin::{From, TooOften};
use fracas_live::pass;
use fracas_live::settings::{Door, Settings};
use fracas_store::{Hash, Member, PassKind, Standing, TableId};
use maud::Markup;
use std::sync::Arc;

/// The most letters of a person's name.
const NAME: usize = 40;

/// Keeps a link for this browser, and removes it from the address line.
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    Extension(from): Extension<From>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let wrong = || {
        app.security.note(Event::Link, from, "/join/{secret}");
        Trouble::absent()
    };
    let hash = Secret::read(&secret).ok_or_else(wrong)?.hash();
    let pass = app.db.pass_that_counts(&hash).await?;
    let pass = pass.filter(|pass| pass.kind == PassKind::Invite).ok_or_else(wrong)?;
    let (browser, new) = cookie_or_new(&app, &headers)?;
    let place = format!("/t/{}/{}", pass.table, auth::role_name(pass.role));
    let before = member(&app, &pass.table, &browser.hash(), pass.role).await?;
    match before {
        Some(Member { standing: Standing::Admitted, .. }) => {
            return Ok(with_cookie(Redirect::to(&place), new));
        }
        // A person who was refused cannot come in by asking again, and a person who has
        // knocked keeps waiting.
        Some(member) if member.standing == Standing::Refused || !member.name.is_empty() => {
            return Ok(with_cookie(Redirect::to(&format!("{place}/knock")), new));
        }
        _ => {}
    }
    app.db
        .put_member(Member {
            browser: browser.hash(),
            table: pass.table,
            role: pass.role,
            name: String::new(),
            pass: Some(hash),
            standing: Standing::Waiting,
            since: auth::now(),
            seen: 0,
        })
        .await?;
    Ok(with_cookie(Redirect::to(&format!("{place}/knock")), new))
}

/// A person at the door.
struct AtDoor {
    member: Member,
    title: String,
    system: &'static System,
    /// The name of the role that they come for.
    role: String,
    /// The seat's name until they give their own.
    called: String,
    place: String,
    /// The hash of the table's passphrase, if it has one.
    passphrase: Option<String>,
    /// Whether they lead the table themselves.
    leads: bool,
    /// The encounter's place as it is drawn.
    picture: Markup,
}

impl AtDoor {
    /// Whether they have to give the passphrase.
    fn is_locked(&self) -> bool {
        self.passphrase.is_some() && !self.leads
    }

    /// The page that asks for their name.
    fn ask(&self, name: &str, note: &Note) -> Html<String> {
        shown(page::knock(&page::Knock {
            title: &self.title,
            system: self.system,
            role: &self.role,
            action: &format!("{}/knock", self.place),
            name,
            locked: self.is_locked(),
            place: (!self.is_locked()).then_some(&self.picture),
            note,
        }))
    }
}

async fn at_door(app: &App, table: &str, role: &str, browser: Option<Secret>) -> Result<AtDoor, Trouble> {
    let id = TableId::new(table).ok_or_else(Trouble::absent)?;
    let role = auth::role_of(role).ok_or_else(Trouble::absent)?;
    let browser: Hash = browser.ok_or_else(Trouble::absent)?.hash();
    let member = member(app, &id, &browser, role).await?.ok_or_else(Trouble::absent)?;
    let row = app.db.table(&id).await?.ok_or_else(Trouble::absent)?;
    let room = app.hall.room(&id).await?;
    let look = room.look(|table, settings| (table.log().cast(), settings.clone(), page::place(table)));
    let (cast, settings, picture) = look.ok_or_else(Trouble::absent)?;
    let roles = app.db.roles(&id, &browser).await?;
    // A leader who plays may not take the gamemaster's seat.
    let may = |other: Viewer| other.is_gm() || !role.is_gm() && settings.is_led_by(other);
    let leads = roles.iter().any(|place| place.standing == Standing::Admitted && may(place.role));
    let sits = cast.into_iter().find(|cast| Viewer::Seat(cast.seat) == role);
    let (role_told, called) = match (role, sits) {
        (Viewer::Spectator, _) => ("a spectator, who sees what everybody may see".to_owned(), String::new()),
        (Viewer::Seat(Seat::Gm), Some(cast)) => (format!("the {}", cast.name), page::capital(&cast.name)),
        (Viewer::Seat(_), Some(cast)) => (cast.part(), cast.name),
        (Viewer::Seat(seat), None) => (seat.to_string(), String::new()),
    };
    let system = fracas_systems::find(&row.system).ok_or_else(Trouble::absent)?;
    Ok(AtDoor {
        place: format!("/t/{id}/{}", auth::role_name(role)),
        member,
        title: row.title,
        system,
        role: role_told,
        called,
        passphrase: settings.passphrase,
        leads,
        picture,
    })
}

/// The page that asks for a name, or tells them to wait.
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let door = at_door(&app, &table, &role, cookie(&headers)).await?;
    Ok(match door.member.standing {
        Standing::Admitted => Redirect::to(&door.place).into_response(),
        Standing::Waiting if door.member.name.is_empty() => {
            door.ask(&door.called, &Note::default()).into_response()
        }
        standing => {
            let refused = standing == Standing::Refused;
            let room = app.hall.room(&door.member.table).await?;
            // A person who knocked before there was a passphrase has not given it.
            let may = !refused && !door.is_locked();
            let glimpse =
                room.look(|table, _| may.then(|| page::Glimpse::of(table, door.member.role))).flatten();
            let AtDoor { title, system, member, picture, .. } = &door;
            let place = may.then_some(picture);
            shown(page::waiting(&page::AtDoor { title, system, name: &member.name, refused, place, glimpse }))
                .into_response()
        }
    })
}

/// Takes the name of a person at the door.
pub(crate) async fn knock(
    State(app): State<Arc<App>>,
    Path((table, role)): Path<(String, String)>,
    Extension(from): Extension<From>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let door = at_door(&app, &table, &role, cookie(&headers)).await?;
    if door.member.standing != Standing::Waiting {
        return Ok(Redirect::to(&format!("{}/knock", door.place)).into_response());
    }
    let fields = serde_urlencoded(&body);
    let get =
        |name: &str| fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value.as_str());
    let name = plain::one_line(get("name"), NAME);
    if name.is_empty() {
        return Ok(door.ask("", &Note::of("Say what you are called: a word is enough.")).into_response());
    }
    if let Some(kept) = door.passphrase.as_ref().filter(|_| !door.leads) {
        // Only people with a link wait at the door.
        let link = door.member.pass.unwrap_or(door.member.browser);
        if let Err(TooOften(seconds)) = app.gates.phrase(from, &link) {
            app.security.note(Event::TooOften, from, "/t/{table}/{role}/knock");
            let note = Note::of(format!("That was tried too often: try again in {seconds} s."));
            return Ok((StatusCode::TOO_MANY_REQUESTS, door.ask(&name, &note)).into_response());
        }
        if !app.lock.opens(kept, get("passphrase")).await {
            app.security.note(Event::Passphrase, from, "/t/{table}/{role}/knock");
            let note = Note::of("That is not the table's passphrase: ask the leader of the table for it.");
            return Ok((StatusCode::FORBIDDEN, door.ask(&name, &note)).into_response());
        }
        // That took a while: the gamemaster may have decided meanwhile.
        let now = member(&app, &door.member.table, &door.member.browser, door.member.role).await?;
        if now.is_none_or(|member| member.standing != Standing::Waiting) {
            return Ok(Redirect::to(&format!("{}/knock", door.place)).into_response());
        }
    }
    let room = app.hall.room(&door.member.table).await?;
    let is_gms = door.member.role.is_gm();
    let opens = |settings: &Settings| settings.door == Door::Open && !(is_gms && settings.host.is_some());
    let open = door.leads || room.look(|_, settings| opens(settings)).unwrap_or(false);
    let standing = if open { Standing::Admitted } else { Standing::Waiting };
    let (browser, role) = (door.member.browser, door.member.role);
    app.db.put_member(Member { name, standing, ..door.member }).await?;
    if standing == Standing::Admitted {
        pass::sits_down(&app.db, &room, (browser, role)).await?;
    }
    pass::doors_moved(&app.db, &room).await?;
    Ok(Redirect::to(&format!("{}/knock", door.place)).into_response())
}
