//! Maps and pictures from outside: a map becomes an encounter paper, and pictures are kept and shown.
//! An encounter can be brought with the picture that it names as a file.

use super::pages::Pages;
use super::papers::{Desk, desk, keep_with, no_room, shown_paper, shown_papers, system_of};
use super::seat::cookie_or_new;
use crate::page::{self, Face, Note};
use crate::{app::App, terms::Cost, trouble::Trouble};
use axum::extract::{DefaultBodyLimit, Multipart, Path, State, multipart::Field};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use data_encoding::HEXLOWER;
use fracas_face::plain;
use fracas_kernel::{About, System};
use fracas_live::auth;
use fracas_maps::{MAX_FILE, Map, MapError, Named, Picture, picture};
use fracas_papers as papers;
use fracas_store::{Hash, NewPicture};
use fracas_systems::Sort;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most bytes of a form: a file that is too large is told so, if it is not much too large.
const FORM: usize = 2 * MAX_FILE;
/// The most bytes of a field of the form.
const FIELD: usize = 64;
/// The most letters of an encounter's title.
const TITLE: usize = 60;

/// A picture takes much memory while it is read: one at a time.
static TURN: Semaphore = Semaphore::const_new(1);

/// What a browser may do with a picture: draw it.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
/// A picture never changes under its id. Only the browser keeps it: a cache on the way would give
/// it out after its last table is gone.
const LASTING: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// The routes of maps and pictures.
pub(super) fn routes() -> Pages {
    Pages::default()
        .route("/papers/map", post(bring).layer(DefaultBodyLimit::max(FORM)))
        .costs(&[Cost::Paper, Cost::Map])
        .route("/papers/{paper}/picture", post(give).layer(DefaultBodyLimit::max(FORM)))
        .costs(&[Cost::Paper])
        .route("/pictures/{picture}", get(shown))
}

/// What a person brings, with the form around it.
#[derive(Default)]
struct Brought {
    system: Option<String>,
    /// The size, of a plain picture.
    columns: String,
    rows: String,
    /// The files, each with its name as a title.
    files: Vec<(String, Vec<u8>)>,
}

/// The files, opened.
enum Opened {
    /// A map, on which the template of a system is played.
    Map(Map),
    /// An encounter, and its picture.
    Encounter(String, Picture),
}

impl Opened {
    fn picture(&self) -> Option<&Picture> {
        match self {
            Opened::Map(map) => map.laid.as_ref().map(|laid| &laid.picture),
            Opened::Encounter(_, picture) => Some(picture),
        }
    }

    /// The text of the encounter, whose picture is kept under this id.
    fn text(&self, system: &System, id: Option<&str>, title: &str) -> Result<String, String> {
        match self {
            Opened::Map(map) => papers::mapped(system, map, id.map(Named::Id), title)
                .ok_or_else(|| format!("{} has no maps", (system.rulebook)().title)),
            Opened::Encounter(text, _) => papers::pictured(text, id.unwrap_or_default()),
        }
    }
}

impl Brought {
    /// Reads a form, or says why it cannot be taken.
    async fn read(mut parts: Multipart) -> Result<Brought, String> {
        let mut brought = Brought::default();
        while let Some(part) = parts.next_field().await.map_err(|error| error.body_text())? {
            let name = part.name().unwrap_or_default().to_owned();
            match name.as_str() {
                "file" => {
                    let name = title(part.file_name().unwrap_or_default());
                    brought.files.push((name, bytes(part, MAX_FILE, "the file").await?));
                }
                "system" => brought.system = Some(text(part).await?),
                "columns" => brought.columns = text(part).await?,
                "rows" => brought.rows = text(part).await?,
                _ => {}
            }
        }
        brought.files.retain(|(_, file)| !file.is_empty());
        // The encounter comes first: its name counts.
        brought.files.sort_by_key(|(_, file)| fracas_maps::is_picture(file));
        Ok(brought)
    }

    /// What the files are, or why they cannot be taken.
    fn opened(&self) -> Result<Opened, String> {
        match &self.files[..] {
            [] => Err("there is no file in it: choose a map or a picture first".to_owned()),
            [(_, file)] => self.map(file).map(Opened::Map).map_err(|why| why.to_string()),
            [(_, text), (_, file)] if fracas_maps::is_picture(file) && !fracas_maps::is_picture(text) => {
                let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= papers::LONGEST);
                let text = text.ok_or_else(|| {
                    format!(
                        "beside the picture a .toml file of at most {} bytes was expected",
                        papers::LONGEST
                    )
                })?;
                let picture = picture::read(file).map_err(|why| format!("the picture: {why}"))?;
                Ok(Opened::Encounter(papers::text_of(text), picture))
            }
            _ => Err("choose one file, or two: an encounter (.toml) and its picture".to_owned()),
        }
    }

    /// The map in a file.
    fn map(&self, file: &[u8]) -> Result<Map, MapError> {
        if !fracas_maps::is_picture(file) {
            return fracas_maps::import(file);
        }
        let side = |name: &str, text: &str| {
            text.trim().parse::<u8>().map_err(|_| MapError::Wrong {
                place: name.to_owned(),
                what: format!(
                    "a picture does not say how many spaces it shows: expected a whole number from 1 to {}",
                    fracas_kernel::MAX_SIDE
                ),
            })
        };
        fracas_maps::from_picture(file, side("columns", &self.columns)?, side("rows", &self.rows)?)
    }
}

/// A file's name as the title of its encounter.
fn title(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    plain::one_line(&name.replace('_', " "), TITLE)
}

/// The bytes of a part of a form, at most this many.
async fn bytes(mut part: Field<'_>, most: usize, what: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut count) = (Vec::new(), 0);
    while let Some(piece) = part.chunk().await.map_err(|error| error.body_text())? {
        count += piece.len();
        // The rest is read all the same: a browser shows no answer before it has sent everything.
        if count <= most {
            bytes.extend(piece);
        }
    }
    if count > most { Err(format!("{what} has more than {most} bytes")) } else { Ok(bytes) }
}

/// A field of a form, as text.
async fn text(part: Field<'_>) -> Result<String, String> {
    let bytes = bytes(part, FIELD, "a field of the form").await?;
    String::from_utf8(bytes).map_err(|_| "a field of the form is not text".to_owned())
}

/// The id of a browser's picture.
///
/// A person who knows an id is shown the picture: everybody at the tables that name it knows the id, and
/// nobody else. So it is not the hash of the picture alone: a player who owns the same map could
/// make that, and ask whether it is here.
fn id_of(browser: &Hash, picture: &[u8]) -> String {
    let hash = Sha256::new().chain_update(b"picture").chain_update(browser).chain_update(picture);
    HEXLOWER.encode(&hash.finalize())
}

/// Keeps an encounter on a map that was brought.
async fn bring(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    let brought = match Brought::read(parts).await {
        Ok(brought) => brought,
        Err(why) => return refused(&app, &headers, &why).await,
    };
    let system = system_of(brought.system.as_deref())?;
    let name = brought.files.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let opened = {
        let _permit = TURN.acquire().await.map_err(Trouble::broken)?;
        tokio::task::spawn_blocking(move || brought.opened()).await.map_err(Trouble::broken)?
    };
    let opened = match opened {
        Ok(opened) => opened,
        Err(why) => return refused(&app, &headers, &why).await,
    };
    let (secret, cookie) = cookie_or_new(&app, &headers)?;
    let id = opened.picture().map(|picture| id_of(&secret.hash(), &picture.bytes));
    let text = match opened.text(&system, id.as_deref(), &name) {
        Ok(text) => text,
        Err(why) => return refused(&app, &headers, &why).await,
    };
    let picture = id.zip(opened.picture().cloned()).map(|(id, Picture { kind, bytes, .. })| NewPicture {
        id,
        kind: kind.word().to_owned(),
        bytes,
    });
    let new = papers::draft(text, (&system, Sort::Encounter, &name), auth::now());
    keep_with(&app, &headers, (secret, cookie), new, picture).await
}

/// A cover or a portrait that a person gives a paper, or takes away from it.
#[derive(Default)]
struct Given {
    /// Where the text names it.
    field: String,
    /// The version of the paper that the person saw.
    version: i64,
    forget: bool,
    file: Vec<u8>,
}

impl Given {
    /// Reads a form, or says why it cannot be taken.
    async fn read(mut parts: Multipart) -> Result<Given, String> {
        let mut given = Given::default();
        while let Some(part) = parts.next_field().await.map_err(|error| error.body_text())? {
            match part.name().unwrap_or_default() {
                "file" => given.file = bytes(part, MAX_FILE, "the file").await?,
                "field" => given.field = text(part).await?,
                "version" => given.version = text(part).await?.parse().unwrap_or_default(),
                "do" => given.forget = text(part).await? == "forget",
                _ => {}
            }
        }
        Ok(given)
    }

    /// The picture, small; `None` if it is taken away.
    fn picture(&self) -> Result<Option<Picture>, String> {
        if self.forget {
            return Ok(None);
        }
        if self.file.is_empty() {
            return Err("there is no file in it: choose a picture first".to_owned());
        }
        let read = if self.field == About::COVER { picture::cover } else { picture::portrait };
        read(&self.file).map(Some).map_err(|why| format!("the picture: {why}"))
    }
}

/// Gives a paper a cover or a portrait, or takes it away.
async fn give(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    desk(&app, &headers, &paper).await?;
    let given = Given::read(parts).await;
    // Meanwhile the paper may have been saved.
    let desk = desk(&app, &headers, &paper).await?;
    let given = match given {
        Ok(given) => given,
        Err(why) => return not_given(desk, StatusCode::UNPROCESSABLE_ENTITY, &why).await,
    };
    let sort = papers::sort(&desk.paper);
    let is_there = |pictured: &papers::Pictured| pictured.field == given.field;
    if !papers::pictures(&desk.paper.text, sort).iter().any(is_there) {
        return not_given(desk, StatusCode::UNPROCESSABLE_ENTITY, NO_PLACE).await;
    }
    let (picture, given) = {
        let _permit = TURN.acquire().await.map_err(Trouble::broken)?;
        let read = tokio::task::spawn_blocking(move || (given.picture(), given));
        read.await.map_err(Trouble::broken)?
    };
    let new = match picture {
        Err(why) => return not_given(desk, StatusCode::UNPROCESSABLE_ENTITY, &why).await,
        Ok(picture) => picture.map(|Picture { kind, bytes, .. }| NewPicture {
            id: id_of(&desk.browser, &bytes),
            kind: kind.word().to_owned(),
            bytes,
        }),
    };
    let id = new.as_ref().map(|new| new.id.as_str());
    let text = papers::with_picture(&desk.paper.text, sort, &given.field, id);
    let Some(text) = text.filter(|text| text.len() <= papers::LONGEST) else {
        return not_given(desk, StatusCode::UNPROCESSABLE_ENTITY, NO_PLACE).await;
    };
    let draft = papers::draft(text, (&desk.system, sort, desk.paper.name.as_str()), auth::now());
    let (at, room) = ((desk.paper.id, given.version), app.gates.limits().pictures);
    match app.db.save_pictured(&desk.browser, at, draft, new, room).await? {
        Ok(true) => Ok(Redirect::to(&format!("/papers/{}#pictures", desk.paper.id)).into_response()),
        Ok(false) => {
            let why = "another tab has saved this paper since you opened it here";
            not_given(desk, StatusCode::CONFLICT, why).await
        }
        Err(full) => not_given(desk, StatusCode::CONFLICT, &no_room(full, room)).await,
    }
}

/// Why a paper does not name a picture.
const NO_PLACE: &str = "the paper has no place for that picture";

/// The paper again, with why the picture was refused.
async fn not_given(desk: Desk, status: StatusCode, why: &str) -> Result<Response, Trouble> {
    let lines = [format!("{}.", page::capital(why)), "The paper is as it was.".to_owned()];
    let text = desk.paper.text.clone();
    let page = shown_paper(desk, text, Face::Form, Note::all(lines)).await?;
    Ok((status, page).into_response())
}

/// The papers again, with why the file was refused.
async fn refused(app: &App, headers: &HeaderMap, why: &str) -> Result<Response, Trouble> {
    let lines = vec![
        "That file was not brought in, and nothing was changed.".to_owned(),
        format!("{}.", page::capital(why)),
    ];
    let page = shown_papers(app, headers, &Note::all(lines)).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// A picture, for a person who knows its id.
async fn shown(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Trouble> {
    if !fracas_kernel::Picture::is_id(&id) {
        return Err(Trouble::absent());
    }
    let picture = app.db.picture(&id).await?.ok_or_else(Trouble::absent)?;
    let kind = if picture.kind == "png" { "image/png" } else { "image/jpeg" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, LASTING),
    ];
    Ok((headers, picture.bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_its_name_to_the_encounter() {
        for (file, expected) in [
            ("The_Old Mill.dd2vtt", "The Old Mill"),
            ("C:\\maps\\mill.uvtt", "mill"),
            ("../../etc/passwd", "passwd"),
            ("", ""),
            ("a\u{202e}b\nc.png", "abc"),
        ] {
            assert_eq!(title(file), expected, "{file:?}");
        }
        assert!(title(&"x".repeat(500)).chars().count() <= TITLE);
    }

    #[test]
    fn the_id_of_a_picture_is_its_owners() {
        let [ana, bo] = [[1; 32], [2; 32]];
        assert!(fracas_kernel::Picture::is_id(&id_of(&ana, b"x")));
        assert_eq!(id_of(&ana, b"x"), id_of(&ana, b"x"));
        assert_ne!(id_of(&ana, b"x"), id_of(&bo, b"x"));
        assert_ne!(id_of(&ana, b"x"), id_of(&ana, b"y"));
    }
}
