//! The pages that show a table and the rules.

use super::seat::Seated;
use crate::app::App;
use crate::asked::{detail, query};
use crate::page::{self, For, Note, Path as ChoicePath, Story, StoryHead};
use crate::stream::{self, Shows};
use crate::trouble::{Trouble, shown};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use fracas_kernel::{Names, Viewer};
use fracas_live::course::{self, Course, Reading};
use fracas_live::hint::hints_for;
use fracas_live::sight::{Mark, TAIL};
use fracas_live::wire::Wire;
use fracas_table::{Detail, OpenError};
use rust_embed::RustEmbed;
use serde_json::{Value, json};
use std::sync::Arc;

/// A table's page, with what has happened since this browser left.
pub(crate) async fn page(seated: Seated, uri: Uri) -> Result<Response, Trouble> {
    let page = shown_table(&seated, &Note::default(), Some(&uri))?;
    let now = seated.room.see(seated.role).map_or(0, |sent| sent.lines.len());
    if now != seated.seen {
        seated.room.was_shown(seated.role, seated.browser, now).await;
    }
    Ok(page.into_response())
}

/// A table's page as this viewer sees it now, with a note at its top.
pub(crate) fn shown_table(seated: &Seated, note: &Note, uri: Option<&Uri>) -> Result<Html<String>, Trouble> {
    let asked = uri.map(query).unwrap_or_default();
    let get = |name: &str| asked.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    // Without the script, the page itself opens a group of answers.
    let path = ChoicePath::read(get("in").unwrap_or_default());
    let opened = get("ask").map(|ask| (ask, &path));
    let page = seated.room.glance(seated.role, |glance, sent| {
        let from = get("from").and_then(|from| from.parse().ok()).unwrap_or(usize::MAX);
        let from = from.min(sent.lines.len().saturating_sub(TAIL));
        let drawn = opened.map(|_| page::moment(glance, opened).into_string());
        let moment = drawn.as_ref().unwrap_or(&sent.regions.moment);
        let shown = page::Shown { base: &seated.base, sent, moment, note, from, seen: seated.seen };
        page::table(glance.table, seated.role, &shown)
    });
    page.map(shown).ok_or_else(Trouble::absent)
}

/// The answers of an ask, from a group on: for the script.
pub(crate) async fn choices(seated: Seated, uri: Uri) -> Result<Html<String>, Trouble> {
    let asked = query(&uri);
    let get = |name: &str| asked.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let ask = get("ask").unwrap_or_default();
    let path = ChoicePath::read(get("in").unwrap_or_default());
    let choices = seated.room.ask(seated.role, ask, |table, id| {
        page::choices(&seated.base, (table, seated.role), (id, ask), &path)
    });
    Ok(shown(choices.ok_or_else(Trouble::absent)?))
}

/// The sheet of a character or a thing.
pub(crate) async fn sheet(
    seated: Seated,
    Path((_, _, of)): Path<(String, String, String)>,
) -> Result<Html<String>, Trouble> {
    let page = seated.room.glance(seated.role, |glance, _| page::sheet(glance, &of));
    page.flatten().map(shown).ok_or_else(Trouble::absent)
}

/// What the machine would answer for this seat.
pub(crate) async fn hint(seated: Seated) -> Result<Html<String>, Trouble> {
    let Viewer::Seat(seat) = seated.role else { return Err(Trouble::absent()) };
    let look = seated.room.look(|table, _| (table.log().header().title.clone(), *table.system()));
    let (title, system) = look.ok_or_else(Trouble::absent)?;
    let hints = hints_for(&seated.room, seat).await.map_err(Trouble::broken)?.ok_or_else(Trouble::absent)?;
    Ok(shown(page::hint((&seated.base, &title), &system, &hints)))
}

/// The stream of changes.
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    seated: Seated,
    wire: Option<Extension<Wire>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Trouble> {
    let Extension(wire) = wire.unwrap_or_default();
    let listening = app.gates.listen(&seated.room.id, seated.role, seated.browser)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(Mark::read);
    let asked = query(&uri);
    let get = |name: &str| asked.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let have = last.or_else(|| get("have").and_then(Mark::read));
    let shows = if get("for") == Some("overlay") { Shows::Overlay } else { Shows::Table };
    Ok(stream::stream(app, &seated, wire, listening, (shows, have)).into_response())
}

/// Whether play waits for the viewer: a tab in the background asks this now and then.
pub(crate) async fn due(seated: Seated) -> Result<Json<Value>, Trouble> {
    let sent = seated.room.see(seated.role).ok_or_else(Trouble::absent)?;
    Ok(Json(json!({ "due": sent.due })))
}

/// The story, to read or print, with the chart of the fight.
pub(crate) async fn story(seated: Seated, uri: Uri) -> Result<Html<String>, Trouble> {
    let detail = detail(&uri).map_err(Trouble::bad)?.unwrap_or(Detail::Results);
    let base = seated.base;
    let (next, head) = seated
        .room
        .look(|table, settings| (settings.next.clone(), StoryHead::of(table, seated.role, For::Page)))
        .ok_or_else(Trouble::absent)?;
    let page = course::read(&seated.room, seated.role, Reading::Chart, move |past| {
        let course = Course::read(past)?;
        let story = Story { base: &base, title: &past.title(), head, detail, written: &past.story(detail) };
        Ok::<_, OpenError>(page::story(&story, &course, next.as_ref()))
    });
    let page = page.await.map_err(Trouble::broken)?.ok_or_else(Trouble::absent)?;
    Ok(shown(page.map_err(Trouble::broken)?))
}

/// The header that saves a response as a file with the table's title.
fn kept_as(title: &str, ending: &str) -> String {
    let name: String = Names::slug_of(title).chars().take(60).collect();
    format!("attachment; filename=\"{}.{ending}\"", name.trim_end_matches('-'))
}

/// The story as a file that needs nothing else.
pub(crate) async fn story_file(seated: Seated, uri: Uri) -> Result<Response, Trouble> {
    let detail = detail(&uri).map_err(Trouble::bad)?.unwrap_or(Detail::Results);
    let base = seated.base;
    let head = seated
        .room
        .look(|table, _| StoryHead::of(table, seated.role, For::File))
        .ok_or_else(Trouble::absent)?;
    let file = course::read(&seated.room, seated.role, Reading::Story, move |past| {
        let (title, written) = (past.title(), past.story(detail));
        let story = Story { base: &base, title: &title, head, detail, written: &written };
        (page::story_file(&story).into_string(), title)
    });
    let (html, title) = file.await.map_err(Trouble::broken)?.ok_or_else(Trouble::absent)?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, kept_as(&title, "html")),
    ];
    Ok((headers, html).into_response())
}

/// The story as Markdown.
pub(crate) async fn markdown(seated: Seated, uri: Uri) -> Result<Response, Trouble> {
    let detail = detail(&uri).map_err(Trouble::bad)?.unwrap_or(Detail::Everything);
    let story = course::read(&seated.room, seated.role, Reading::Story, move |past| {
        (past.title(), past.story(detail))
    });
    let (title, text) = story.await.map_err(Trouble::broken)?.ok_or_else(Trouble::absent)?;
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, kept_as(&title, "md")),
    ];
    Ok((headers, text).into_response())
}

/// The whole table as a file, which holds every secret: the gamemaster's.
pub(crate) async fn log(State(app): State<Arc<App>>, seated: Seated) -> Result<Response, Trouble> {
    let seated = seated.gm()?;
    let lines = app.db.lines(&seated.room.id).await?;
    let title =
        seated.room.look(|table, _| table.log().header().title.clone()).ok_or_else(Trouble::absent)?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, kept_as(&title, "fracas")),
    ];
    Ok((headers, lines.concat()).into_response())
}

/// A system's rulebook: the part for players, with `every` all of it, or the results of a
/// search.
pub(crate) async fn rulebook(Path(system): Path<String>, uri: Uri) -> Result<Html<String>, Trouble> {
    let system = fracas_systems::find(&system).ok_or_else(Trouble::absent)?;
    let asked = query(&uri);
    let value = |name: &str| asked.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let (search, every) = (value("q").unwrap_or_default(), value("every").is_some());
    Ok(shown(page::rulebook((system.rulebook)(), search, every, &read_from(&uri))))
}

/// The table that the rules are read from.
fn read_from(uri: &Uri) -> page::ReadFrom {
    let said = query(uri).into_iter().find(|(name, _)| name == "from");
    said.map(|(_, place)| page::ReadFrom::new(&place)).unwrap_or_default()
}

/// One clause.
pub(crate) async fn clause(
    Path((system, clause)): Path<(String, String)>,
    uri: Uri,
) -> Result<Html<String>, Trouble> {
    let system = fracas_systems::find(&system).ok_or_else(Trouble::absent)?;
    let book = (system.rulebook)();
    let clause = book.find(&clause).ok_or_else(Trouble::absent)?;
    Ok(shown(page::clause(book, clause.entry(), &read_from(&uri))))
}

/// The server's own style sheets, scripts, fonts and pictures.
#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// A file of the server's own, or of a system's look.
pub(crate) async fn asset(Path(file): Path<String>) -> Response {
    let kind = match file.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "woff2")) => "font/woff2",
        _ => "text/plain; charset=utf-8",
    };
    let cover = |file: &str| page::cover(file.strip_suffix(".svg")?).map(|svg| svg.as_bytes().into());
    let found = match file.split_once('/') {
        Some(("systems", file)) => fracas_systems::look(file),
        Some(("covers", file)) => cover(file),
        _ => Assets::get(&file).map(|file| file.data),
    };
    match found {
        Some(bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "no such file").into_response(),
    }
}
