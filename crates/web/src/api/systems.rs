//! The API that needs no token: systems, their rules and libraries, and the check of texts.

use super::caller::{Part, Sent};
use super::card::Card;
use super::problem::{Fault, Kind, Problem};
use super::texts::{self, LONGEST_TEXTS};
use crate::asked::query;
use axum::Json;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use fracas_kernel::{self as kernel, Entry};
use fracas_papers::{self as papers, Reading};
use fracas_systems::Sort;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A system of rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct System {
    /// Its id.
    id: &'static str,
    /// The title.
    title: &'static str,
    /// A description in one paragraph.
    summary: &'static str,
    /// The version of its rules here.
    version: u32,
    /// The options of a table.
    options: Vec<Choice>,
    /// The encounters.
    encounters: Vec<Encounter>,
    /// The kinds of templates that your own texts can begin with.
    templates: Vec<String>,
}

/// A setting of a table.
#[derive(Serialize, ToSchema)]
struct Choice {
    /// Its id: the clause's.
    id: &'static str,
    /// The question that the option settles.
    question: &'static str,
    /// The choices.
    values: &'static [&'static str],
    /// The choice of a table that makes none.
    default: &'static str,
}

/// Something that comes with a system, ready to be played.
#[derive(Serialize, ToSchema)]
struct Encounter {
    /// Its id.
    id: String,
    /// The title.
    title: String,
    /// A summary.
    summary: String,
    /// How many players it has seats for.
    players: usize,
    /// How long it takes to play, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u16>,
}

fn system(system: &kernel::System) -> Result<System, Problem> {
    let book = (system.rulebook)();
    let choice = |(clause, option): (kernel::Clause, &'static kernel::OptionOf)| Choice {
        id: clause.id(),
        question: option.question,
        values: option.values,
        default: option.default,
    };
    let encounter = |encounter: fracas_systems::Encounter| Encounter {
        id: encounter.id,
        title: encounter.title,
        summary: encounter.about.summary,
        players: encounter.players,
        minutes: encounter.about.minutes,
    };
    let encounters = fracas_systems::encounters(system).map_err(Problem::broken)?;
    Ok(System {
        id: system.id,
        title: book.title,
        summary: book.summary,
        version: system.version,
        options: book.options().map(choice).collect(),
        encounters: encounters.into_iter().map(encounter).collect(),
        templates: papers::kinds(system),
    })
}

/// Every system there is, with what can be played.
#[utoipa::path(get, path = "/systems", operation_id = "list_systems", tag = "systems", responses((status = 200, body = [System])))]
pub(crate) async fn systems() -> Result<Json<Vec<System>>, Problem> {
    fracas_systems::all().iter().map(system).collect::<Result<_, _>>().map(Json)
}

/// A clause of the rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct Clause {
    /// Its id, as lines, tags and refusals name it.
    id: &'static str,
    /// The chapter it is from.
    section: &'static str,
    /// The sort of entry.
    kind: &'static str,
    /// The exact text.
    says: &'static str,
    /// The text for a reader at the table, if `says` is too technical.
    plain: Option<&'static str>,
    /// Clauses it rests on.
    needs: &'static [&'static str],
    /// Whether it is not from the system's own document.
    beyond: bool,
    /// The question of a ruling.
    question: Option<&'static str>,
    /// Why a ruling reads as it does.
    why: Option<&'static str>,
}

impl From<&'static Entry> for Clause {
    fn from(entry: &'static Entry) -> Self {
        Clause {
            id: entry.id,
            section: entry.section,
            kind: entry.kind.name(),
            says: entry.says,
            plain: entry.plain,
            needs: entry.needs,
            beyond: entry.beyond,
            question: entry.question,
            why: entry.why,
        }
    }
}

fn find(system: &str) -> Result<&'static kernel::System, Problem> {
    fracas_systems::find(system).ok_or_else(Problem::absent)
}

/// A system's rules, all of them or those that hold some words, best first.
#[utoipa::path(
    get,
    path = "/systems/{system}/rules",
    operation_id = "find_rules",
    tag = "systems",
    params(
        ("q" = Option<String>, Query, description = "Words to look for"),
    ),
    responses((status = 200, body = [Clause])),
)]
pub(crate) async fn rules(system: Part<0>, uri: Uri) -> Result<Json<Vec<Clause>>, Problem> {
    let book = (find(&system.0)?.rulebook)();
    let words = query(&uri).into_iter().find(|(name, _)| name == "q").map(|(_, words)| words);
    let clauses = match words.filter(|words| !words.trim().is_empty()) {
        Some(words) => book.search(&words).into_iter().map(|clause| Clause::from(clause.entry())).collect(),
        None => book.entries.iter().map(Clause::from).collect(),
    };
    Ok(Json(clauses))
}

/// One clause.
#[utoipa::path(
    get,
    path = "/systems/{system}/rules/{clause}",
    operation_id = "get_rule",
    tag = "systems",
    responses((status = 200, body = Clause)),
)]
pub(crate) async fn rule(system: Part<0>, clause: Part<1>) -> Result<Json<Clause>, Problem> {
    let book = (find(&system.0)?.rulebook)();
    let absent = || {
        let near = book.suggest(&clause.0).join(", ");
        let near = if near.is_empty() { near } else { format!("; near it: {near}") };
        Problem::new(Kind::Absent, format!("there is no clause {:?}{near}", clause.0)).at("clause")
    };
    book.find(&clause.0).map(|clause| Json(Clause::from(clause.entry()))).ok_or_else(absent)
}

/// Something of a system's library.
#[derive(Serialize, ToSchema)]
pub(crate) struct InLibrary {
    /// The kind: `encounter`, `character`, or another kind of the system.
    kind: String,
    /// The key to ask for it by: an encounter's id, the name of anything else.
    id: String,
    /// The title.
    title: String,
    /// A summary.
    summary: String,
}

/// The entries to use in your own texts, and to copy.
#[utoipa::path(
    get,
    path = "/systems/{system}/library",
    operation_id = "list_library",
    tag = "systems",
    responses((status = 200, body = [InLibrary])),
)]
pub(crate) async fn library(system: Part<0>) -> Result<Json<Vec<InLibrary>>, Problem> {
    let system = find(&system.0)?;
    let encounter = |encounter: fracas_systems::Encounter| InLibrary {
        kind: papers::kind(Sort::Encounter).to_owned(),
        id: encounter.id,
        title: encounter.title,
        summary: encounter.about.summary,
    };
    let entry = |entry: papers::Entry| InLibrary {
        kind: entry.list,
        id: entry.name.clone(),
        title: entry.name,
        summary: entry.note,
    };
    let encounters = fracas_systems::encounters(system).map_err(Problem::broken)?;
    let bundled = fracas_systems::library(system).map_err(Problem::broken)?;
    let entries = papers::entries(&bundled).into_iter().map(entry);
    Ok(Json(encounters.into_iter().map(encounter).chain(entries).collect()))
}

fn toml(text: Option<String>) -> Result<Response, Problem> {
    let text = text.ok_or_else(Problem::absent)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Something of the library as its text, to be changed.
#[utoipa::path(
    get,
    path = "/systems/{system}/library/{kind}/{id}",
    operation_id = "get_library_text",
    tag = "systems",
    responses((status = 200, body = String, content_type = "text/plain", description = "TOML")),
)]
pub(crate) async fn in_library(system: Part<0>, kind: Part<1>, id: Part<2>) -> Result<Response, Problem> {
    let system = find(&system.0)?;
    toml(if kind.0 == papers::kind(Sort::Encounter) {
        papers::encounter_text(system, &id.0)
    } else {
        papers::entry_text(system, &kind.0, &id.0)
    })
}

/// A text to begin with, in which every field is explained.
#[utoipa::path(
    get,
    path = "/systems/{system}/templates/{kind}",
    operation_id = "get_template",
    tag = "systems",
    responses((status = 200, body = String, content_type = "text/plain", description = "TOML")),
)]
pub(crate) async fn template(system: Part<0>, kind: Part<1>) -> Result<Response, Problem> {
    toml(papers::beginning(find(&system.0)?, &kind.0))
}

/// A text to be looked through.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckSent {
    /// An encounter, or a library of characters, foes and gear: TOML, 128 KB at most.
    toml: String,
    /// Libraries that lie under an encounter, or beside a library: TOML, the first
    /// foremost.
    #[serde(default)]
    with: Vec<String>,
}

/// The findings about a text.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct Checked {
    /// `encounter` or `library`, where it is TOML.
    kind: Option<&'static str>,
    /// The title, or the characters in it.
    title: Option<String>,
    /// Its faults, the first fifty. A table opens with the text if there are none.
    faults: Vec<Fault>,
    /// How many faults there are besides.
    more: usize,
    /// Its characters as players see them, a card each.
    players: Vec<Card>,
    /// Its characters as the gamemaster sees them.
    gm: Vec<Card>,
}

impl Checked {
    fn of(Reading { faults, more, players, gm, .. }: Reading) -> Checked {
        let cards = |cards: Vec<kernel::Card>| cards.into_iter().map(Card::from).collect();
        let faults = faults.into_iter().map(Fault::from).collect();
        Checked { faults, more, players: cards(players), gm: cards(gm), ..Checked::default() }
    }
}

/// Looks for faults in a text; nothing is kept of it.
#[utoipa::path(
    post,
    path = "/systems/{system}/check",
    operation_id = "check_text",
    tag = "systems",
    request_body = CheckSent,
    responses((status = 200, body = Checked)),
)]
pub(crate) async fn check(
    system: Part<0>,
    Sent(sent): Sent<CheckSent, LONGEST_TEXTS>,
) -> Result<Json<Checked>, Problem> {
    let system = find(&system.0)?;
    let checked = texts::at_leisure(move || {
        let (document, library) = match texts::read(system, &sent.toml, &sent.with)? {
            Ok(read) => read,
            Err(faults) => return Ok(Checked::of(Reading::faulty(faults))),
        };
        let (sort, title) = (papers::sort_of(&document), papers::called(&document.to_json()));
        let reading = papers::reading(system, sort, document, library);
        Ok(Checked { kind: Some(papers::kind(sort)), title, ..Checked::of(reading) })
    });
    checked.await.map(Json)
}
