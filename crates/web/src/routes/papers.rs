//! Preparing: people's own papers are copied, changed, checked and exported.

use super::pages::Pages;
use super::seat::{cookie_or_new, with_cookie};
use crate::asked::{cookie, query, serde_urlencoded};
use crate::page::{self, AGAIN, Face, Mapped, Note, Paperwork, Shelf};
use crate::trouble::{Trouble, shown};
use crate::{app::App, reading::READ, terms::Cost};
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use fracas_hindsight::Report;
use fracas_kernel::System;
use fracas_live::auth::{self, Secret};
use fracas_live::hindsight::{Progress, REPORTED};
use fracas_papers::sheet::{self, Known, Part};
use fracas_papers::{
    self as papers, LONGEST, MOST,
    guide::Guide,
    plan::{self, Change, Plan},
    sort,
};
use fracas_store::{Full, Hash, NewPaper, NewPicture, Paper, Room};
use fracas_systems::Sort;
use maud::Markup;
use std::sync::Arc;
use toml_edit::DocumentMut;

/// The most bytes of a form: a paper's text before, and all its fields after.
const MAX_FORM: usize = 6 * LONGEST;

/// What a report may do in a browser: be looked at, with the styles that it brings.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'; base-uri 'none'";

/// The routes of papers.
pub(super) fn routes() -> Pages {
    Pages::default()
        .route("/papers", get(list).post(begin))
        .costs(&[Cost::Paper])
        .route("/papers/import", post(import))
        .costs(&[Cost::Paper])
        .route("/papers/{paper}", get(show).post(save))
        .route("/papers/{paper}/map", post(draw))
        .route("/papers/{paper}/file", get(file))
        .route("/papers/{paper}/report", get(report))
        .route("/papers/{paper}/report.html", get(report_file))
        .route("/papers/{paper}/copy", post(copy))
        .costs(&[Cost::Paper])
        .route("/papers/{paper}/away", post(away))
        .route("/papers/{paper}/back", post(back))
        .route("/papers/{paper}/erase", post(erase))
        .route("/library/{system}", get(library).post(take))
        .costs(&[Cost::Paper])
        .at_most(MAX_FORM)
}

/// The viewer's papers; none if the browser is new.
pub(super) async fn own(app: &App, headers: &HeaderMap) -> Result<Vec<Paper>, Trouble> {
    match cookie(headers) {
        Some(secret) => Ok(app.db.papers(&secret.hash()).await?),
        None => Ok(Vec::new()),
    }
}

/// The viewer, all of their papers, and the one in question. For anybody else, that paper
/// does not exist.
pub(super) struct Desk {
    pub(super) browser: Hash,
    pub(super) papers: Vec<Paper>,
    pub(super) paper: Paper,
    pub(super) system: System,
}

pub(super) async fn desk(app: &App, headers: &HeaderMap, id: &str) -> Result<Desk, Trouble> {
    let id: i64 = id.parse().map_err(|_| Trouble::absent())?;
    let browser = cookie(headers).ok_or_else(Trouble::absent)?.hash();
    let papers = app.db.papers(&browser).await?;
    let paper = papers.iter().find(|paper| paper.id == id).cloned().ok_or_else(Trouble::absent)?;
    let system = fracas_systems::find(&paper.system).copied().ok_or_else(Trouble::absent)?;
    Ok(Desk { browser, papers, paper, system })
}

fn shelves() -> Vec<Shelf> {
    let shelf = |system: &System| Shelf {
        system: *system,
        kinds: papers::kinds(system),
        has_map: papers::has_map(system),
    };
    fracas_systems::all().iter().map(shelf).collect()
}

async fn list(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Trouble> {
    shown_papers(&app, &headers, &Note::default()).await
}

/// The page of all papers of the viewer.
pub(super) async fn shown_papers(
    app: &App,
    headers: &HeaderMap,
    note: &Note,
) -> Result<Html<String>, Trouble> {
    Ok(shown(page::papers(&own(app, headers).await?, &shelves(), note)))
}

/// Keeps a new paper of the viewer, and redirects to it.
pub(super) async fn keep(app: &App, headers: &HeaderMap, new: NewPaper) -> Result<Response, Trouble> {
    keep_with(app, headers, cookie_or_new(app, headers)?, new, None).await
}

/// The same with the picture that the paper names, if it names one.
pub(super) async fn keep_with(
    app: &App,
    headers: &HeaderMap,
    (secret, cookie): (Secret, Option<HeaderValue>),
    new: NewPaper,
    picture: Option<NewPicture>,
) -> Result<Response, Trouble> {
    let browser = secret.hash();
    let own = app.db.papers(&browser).await?;
    let refused = if new.text.len() > LONGEST {
        Some(format!("a paper of {} bytes; the most is {LONGEST}: take parts of it", new.text.len()))
    } else if own.len() >= MOST {
        Some(format!("{MOST} papers are the most: throw some away for good first"))
    } else {
        None
    };
    let room = app.gates.limits().pictures;
    let kept = match (refused, picture) {
        (Some(why), _) => Err(why),
        (None, None) => Ok(app.db.add_paper(&browser, new).await?),
        (None, Some(picture)) => {
            app.db.add_pictured(&browser, new, picture, room).await?.map_err(|full| no_room(full, room))
        }
    };
    match kept {
        Ok(id) => Ok(with_cookie(Redirect::to(&format!("/papers/{id}")), cookie)),
        Err(why) => {
            let page = shown_papers(app, headers, &Note::of(why)).await?;
            Ok((StatusCode::CONFLICT, page).into_response())
        }
    }
}

/// Why a picture was not kept.
pub(super) fn no_room(full: Full, room: Room) -> String {
    match full {
        Full::Browser => format!(
            "your papers may have {} MB of pictures, and this would be more: throw some away for good first",
            room.browser >> 20
        ),
        Full::Server => "this server has no room for more pictures, and nothing was kept".to_owned(),
    }
}

pub(super) fn system_of(id: Option<&str>) -> Result<System, Trouble> {
    id.and_then(fracas_systems::find).copied().ok_or_else(Trouble::absent)
}

async fn begin(State(app): State<Arc<App>>, headers: HeaderMap, body: String) -> Result<Response, Trouble> {
    let form = serde_urlencoded(&body);
    let get = |name: &str| form.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let system = system_of(get("system"))?;
    let kind = get("kind").unwrap_or_default();
    let text = papers::beginning(&system, kind).ok_or_else(|| {
        Trouble::bad(format!(
            "there is no {kind:?} to begin: there are {}",
            papers::kinds(&system).join(", ")
        ))
    })?;
    keep(&app, &headers, papers::draft(text, (&system, Sort::Library, kind), auth::now())).await
}

/// A file that a person uploads.
struct Brought {
    system: Option<String>,
    text: String,
    /// The file's name.
    name: String,
}

/// The file in a form, or why it is not a paper.
async fn brought(mut parts: Multipart) -> Result<Brought, String> {
    let mut brought = Brought { system: None, text: String::new(), name: String::new() };
    while let Some(part) = parts.next_field().await.map_err(|error| error.body_text())? {
        let field = part.name().unwrap_or_default().to_owned();
        let called = part.file_name().unwrap_or_default().trim_end_matches(".toml").to_owned();
        let bytes = part.bytes().await.map_err(|error| error.body_text())?;
        let value = std::str::from_utf8(&bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
            format!("line {line} is not text (UTF-8): a TOML file was expected")
        })?;
        match field.as_str() {
            "system" => brought.system = Some(value.to_owned()),
            "file" | "text" if !value.trim().is_empty() => {
                brought.text = papers::text_of(value);
                brought.name = called;
            }
            _ => {}
        }
    }
    if brought.text.is_empty() {
        return Err("there is nothing in it: choose a .toml file, or write its text".to_owned());
    }
    Ok(brought)
}

async fn import(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    parts: Multipart,
) -> Result<Response, Trouble> {
    match brought(parts).await {
        Ok(Brought { system, text, name }) => {
            let system = system_of(system.as_deref())?;
            let name = if name.is_empty() { "A file" } else { &name };
            keep(&app, &headers, papers::draft(text, (&system, Sort::Library, name), auth::now())).await
        }
        Err(why) => {
            let note = Note::of(format!("{}.", page::capital(&why)));
            Ok((StatusCode::BAD_REQUEST, shown_papers(&app, &headers, &note).await?).into_response())
        }
    }
}

async fn library(Path(system): Path<String>) -> Result<Html<String>, Trouble> {
    let system = system_of(Some(&system))?;
    let encounters = fracas_systems::encounters(&system).map_err(Trouble::broken)?;
    let bundled = fracas_systems::library(&system).map_err(Trouble::broken)?;
    Ok(shown(page::library(&system, &encounters, &papers::entries(&bundled))))
}

/// Copies an entry of the library.
async fn take(
    State(app): State<Arc<App>>,
    Path(system): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let system = system_of(Some(&system))?;
    let form = serde_urlencoded(&body);
    let get = |name: &str| form.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let text = match (get("encounter"), get("entry").and_then(|entry| entry.split_once('/'))) {
        (Some(id), _) => papers::encounter_text(&system, id),
        (None, Some((list, name))) => papers::entry_text(&system, list, name),
        (None, None) => None,
    };
    let text = text.ok_or_else(Trouble::absent)?;
    keep(&app, &headers, papers::draft(text, (&system, Sort::Library, "A copy"), auth::now())).await
}

async fn show(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Html<String>, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let query = query(&uri);
    let face = query.iter().find(|(name, _)| name == "as").map_or(Face::Form, |(_, word)| Face::called(word));
    let text = desk.paper.text.clone();
    shown_paper(desk, text, face, Note::default()).await
}

/// A paper's page; `text` is its editable text.
pub(super) async fn shown_paper(
    desk: Desk,
    text: String,
    face: Face,
    note: Note,
) -> Result<Html<String>, Trouble> {
    let _permit = READ.acquire().await.map_err(Trouble::broken)?;
    let page = tokio::task::spawn_blocking(move || {
        let Desk { papers, mut paper, system, .. } = desk;
        paper.text.clone_from(&text);
        let reading = papers::read(&papers, &paper, &system);
        let parts: Option<Vec<Part>> =
            text.parse::<DocumentMut>().ok().filter(|_| face == Face::Form).map(|document| {
                let guide = Guide::of(&system);
                let known = Known { guide: &guide, wants: &reading.wants, rulebook: (system.rulebook)() };
                sheet::parts(&document, &known)
            });
        let has_map = sort(&paper) == Sort::Encounter && papers::has_map(&system);
        let map = (face == Face::Map && has_map).then(|| match plan::is_without(&text) {
            true => Mapped::Absent,
            false => match Plan::of(&text, &system, &reading) {
                Ok(plan) => Mapped::Plan(Box::new(plan)),
                Err(faults) => Mapped::Faulty(faults),
            },
        });
        let library = papers::drawn_on(&papers, &system, Some(paper.id)).unwrap_or_default();
        shown(page::paper(&Paperwork {
            library: &papers::entries(&library),
            paper: &paper,
            system: &system,
            form_faults: page::in_form_words(parts.as_deref().unwrap_or_default(), &reading.faults),
            reading: &reading,
            parts: parts.as_deref(),
            map: map.as_ref(),
            pictures: &papers::pictures(&text, sort(&paper)),
            has_map,
            text: &text,
            note: &note,
        }))
    });
    page.await.map_err(Trouble::broken)
}

/// A text after a form.
#[derive(Default)]
struct Changed {
    text: String,
    /// Where on the page to go on.
    place: String,
    /// Why the form was refused.
    wrong: Option<String>,
}

/// Applies a form to a text.
fn changed(form: &[(String, String)], system: &System) -> Changed {
    let get = |name: &str| form.iter().find(|(n, _)| n == name).map(|(_, value)| value.replace("\r\n", "\n"));
    let deed = get("do").unwrap_or_default();
    let (text, base) = (get("text"), get("base").unwrap_or_default());
    let kept = |text| Changed { text, ..Changed::default() };
    // A text that is too long is not kept, so it need not be read.
    if let Some(text) = text {
        if deed != "begin-map" || text.len() > LONGEST {
            return kept(text);
        }
        let [columns, rows] = ["columns", "rows"].map(|side| get(side).unwrap_or_default());
        return match plan::begun(&text, &columns, &rows) {
            Ok(text) => kept(text),
            Err(why) => Changed { text, wrong: Some(why), ..Changed::default() },
        };
    }
    if base.len() > LONGEST {
        return kept(base);
    }
    let Ok(mut document) = base.parse::<DocumentMut>() else { return kept(base) };
    sheet::answer(&mut document, form);
    let place = match deed.split_once(':') {
        // A picked entry is added by the button of any list: the new page would forget the pick.
        Some(("take", _)) => ["character", system.others]
            .into_iter()
            .filter_map(|list| {
                let name = get(&format!("take-{list}")).filter(|name| !name.is_empty())?;
                Some(sheet::take(&mut document, list, &name))
            })
            .last(),
        Some(("add", path)) => sheet::add(&mut document, path, &Guide::of(system)),
        Some(("remove", path)) => {
            sheet::remove(&mut document, path, system.others);
            path.rsplit_once('[').map(|(list, _)| list.to_owned())
        }
        Some(("nobody", list)) => {
            sheet::remove_everybody(&mut document, system.others);
            Some(list.to_owned())
        }
        _ => None,
    };
    let place = place.map(|path| format!("#f-{path}")).unwrap_or_default();
    Changed { place, ..kept(document.to_string()) }
}

async fn save(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let form = serde_urlencoded(&body);
    let has = |name: &str| form.iter().any(|(n, _)| n == name);
    if !has("text") && !has("base") {
        return Err(Trouble::bad("nothing was sent: the paper is as it was"));
    }
    let version = form.iter().find(|(name, _)| name == "version").and_then(|(_, value)| value.parse().ok());
    let next = form.iter().find(|(name, _)| name == "do").map(|(_, value)| value.as_str());
    let next = ["open", "report"].into_iter().find(|page| next == Some(page));
    let face = form.iter().find(|(name, _)| name == "as").map(|(_, word)| Face::called(word));
    let face = if has("text") { face.unwrap_or(Face::Text) } else { Face::Form };
    let system = desk.system;
    let done = {
        let _permit = READ.acquire().await.map_err(Trouble::broken)?;
        tokio::task::spawn_blocking(move || changed(&form, &system)).await
    };
    let Changed { text, place, wrong } = done.map_err(Trouble::broken)?;
    if let Some(why) = wrong {
        let note = Note::of(format!("{}.", page::capital(&why)));
        let page = shown_paper(desk, text, face, note).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
    }
    if text.len() > LONGEST {
        let note =
            Note::of(format!("That is {} bytes; the most is {LONGEST}. Nothing was kept yet.", text.len()));
        let page = shown_paper(desk, text, Face::Text, note).await?;
        return Ok((StatusCode::PAYLOAD_TOO_LARGE, page).into_response());
    }
    let before = (&desk.system, sort(&desk.paper), desk.paper.name.as_str());
    let new = papers::draft(text.clone(), before, auth::now());
    let saved = match version {
        Some(version) => app.db.save_paper(&desk.browser, desk.paper.id, version, new).await?,
        None => false,
    };
    if !saved {
        let note = Note::of(
            "Another tab has saved this paper since you opened it here, so nothing was kept yet. What you \
             have here is below; saving it again puts it in place of the other.",
        );
        let page = shown_paper(desk, text, face, note).await?;
        return Ok((StatusCode::CONFLICT, page).into_response());
    }
    if let Some(page) = next {
        return Ok(Redirect::to(&format!("/papers/{}/{page}", desk.paper.id)).into_response());
    }
    Ok(Redirect::to(&format!("/papers/{}{}{place}", desk.paper.id, face.query())).into_response())
}

/// The report on an encounter of a person's own, or how far the work on it is; `None` if it has faults.
fn reported(app: &App, desk: &Desk) -> Result<Option<Progress<Report>>, Trouble> {
    if sort(&desk.paper) != Sort::Encounter {
        return Err(Trouble::absent());
    }
    let setup = papers::setup(&desk.papers, &desk.paper, &desk.system);
    let started = setup.and_then(|setup| (desk.system.start)(&setup).map(|_| setup));
    Ok(started.ok().map(|setup| app.hindsight.report(desk.paper.id, &desk.system, setup)))
}

/// A report on an encounter in a few sentences; while it is worked out, how far that is.
async fn report(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let Some(progress) = reported(&app, &desk)? else {
        // The paper's own page says what is wrong.
        return Ok(Redirect::to(&format!("/papers/{}", desk.paper.id)).into_response());
    };
    let page = shown(page::report(&desk.paper, &progress));
    Ok(match progress {
        Progress::Working(_) | Progress::Busy => ([(header::REFRESH, AGAIN)], page).into_response(),
        Progress::Done(_) | Progress::Failed(_) => page.into_response(),
    })
}

/// The whole report as a file, once it is worked out.
async fn report_file(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let Some(Progress::Done(report)) = reported(&app, &desk)? else {
        return Ok(Redirect::to(&format!("/papers/{}/report", desk.paper.id)).into_response());
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY)),
    ];
    let name = papers::file_name(&desk.paper);
    let command = format!("fracas report {name} -n {REPORTED} --seed 1 --policy all=brisk");
    Ok((headers, report.html(&command)).into_response())
}

/// Changes the map of a text, for the script: the text is not kept.
async fn draw(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let _permit = READ.acquire().await.map_err(Trouble::broken)?;
    let done = tokio::task::spawn_blocking(move || drawn(desk, &serde_urlencoded(&body)));
    Ok(match done.await.map_err(Trouble::broken)? {
        Ok(page) => shown(page).into_response(),
        Err(why) => (StatusCode::UNPROCESSABLE_ENTITY, why.join("\n")).into_response(),
    })
}

/// The map of a form's text after the form's change, or what is wrong.
fn drawn(desk: Desk, form: &[(String, String)]) -> Result<Markup, Vec<String>> {
    let get = |name: &str| {
        let field = form.iter().find(|(n, value)| n == name && !value.trim().is_empty());
        field.map(|(_, value)| value.as_str())
    };
    let Desk { papers, mut paper, system, .. } = desk;
    paper.text = get("text").unwrap_or_default().replace("\r\n", "\n");
    if paper.text.len() > LONGEST {
        return Err(vec![format!("A paper of {} bytes; the most is {LONGEST}.", paper.text.len())]);
    }
    let sentence = |why: String| format!("{}.", page::capital(why.trim_end_matches('.')));
    let change = Change::read(get).map_err(|why| vec![sentence(why)])?;
    let drawn = plan::draw(&papers, &paper, &system, change.as_ref());
    let drawn = drawn.map_err(|all| all.into_iter().map(sentence).collect::<Vec<_>>())?;
    Ok(page::plan(&drawn.plan, &drawn.text, &format!("/papers/{}", paper.id)))
}

async fn file(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let named = format!("attachment; filename=\"{}\"", papers::file_name(&desk.paper));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/toml; charset=utf-8")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&named).map_err(Trouble::broken)?),
    ];
    Ok((headers, desk.paper.text).into_response())
}

async fn copy(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    let Paper { system, kind, name, text, .. } = desk.paper;
    keep(&app, &headers, NewPaper { system, kind, name, text, changed: auth::now() }).await
}

async fn away(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    app.db.throw_paper(&desk.browser, desk.paper.id, Some(auth::now())).await?;
    Ok(Redirect::to("/papers"))
}

async fn back(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    app.db.throw_paper(&desk.browser, desk.paper.id, None).await?;
    Ok(Redirect::to(&format!("/papers/{}", desk.paper.id)))
}

async fn erase(
    State(app): State<Arc<App>>,
    Path(paper): Path<String>,
    headers: HeaderMap,
) -> Result<Redirect, Trouble> {
    let desk = desk(&app, &headers, &paper).await?;
    app.db.remove_paper(&desk.browser, desk.paper.id).await?;
    Ok(Redirect::to("/papers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_that_is_too_long_is_not_read() {
        let system = fracas_systems::all()[0];
        let form = |base: &str| {
            [("base", base), ("t:title", "Y")].map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        assert_eq!(changed(&form("title = \"X\"\n"), &system).text, "title = \"Y\"\n");
        let long = format!("title = \"X\"\n# {}\n", "x".repeat(LONGEST));
        assert_eq!(changed(&form(&long), &system).text, long);
    }
}
