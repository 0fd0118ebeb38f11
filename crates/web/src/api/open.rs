//! What needs no token: the systems, their rules, and opening a table.

use super::{
    caller::{Part, Sent},
    problem::{Kind, Problem},
};
use crate::{
    app::App,
    auth::{self, Secret},
    hall::HallError,
    routes::{find_encounter, query, with_options},
    settings::Settings,
};
use axum::{
    Json,
    extract::State,
    http::{StatusCode, Uri},
};
use fracas_kernel::{Entry, Rulebook, Seat, Viewer};
use fracas_sim::BotKind;
use fracas_store::{NewPass, PassKind};
use fracas_table::OpenError;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};
use utoipa::ToSchema;

type At = State<Arc<App>>;

/// A system of rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct System {
    /// Its id.
    id: &'static str,
    /// What it is called.
    title: &'static str,
    /// What it is, in a paragraph.
    summary: &'static str,
    /// The version of its rules here.
    version: u32,
    /// What a table can choose.
    options: Vec<Choice>,
    /// What can be played.
    encounters: Vec<Encounter>,
}

/// A setting of a table.
#[derive(Serialize, ToSchema)]
struct Choice {
    /// Its id: the clause's.
    id: &'static str,
    /// What is to be chosen.
    question: &'static str,
    /// What there is to choose from.
    values: &'static [&'static str],
    /// What holds where nothing is chosen.
    default: &'static str,
}

/// Something that comes with a system, ready to be played.
#[derive(Serialize, ToSchema)]
struct Encounter {
    /// Its id.
    id: String,
    /// What it is called.
    title: String,
    /// What it is about.
    summary: String,
}

fn system(it: &fracas_kernel::System) -> Result<System, Problem> {
    let book = (it.rulebook)();
    let choice = |(clause, option): (fracas_kernel::Clause, &'static fracas_kernel::OptionOf)| Choice {
        id: clause.id(),
        question: option.question,
        values: option.values,
        default: option.default,
    };
    let encounter =
        |it: fracas_systems::Encounter| Encounter { id: it.id, title: it.title, summary: it.summary };
    let encounters = fracas_systems::encounters(it).map_err(Problem::broken)?;
    Ok(System {
        id: it.id,
        title: book.title,
        summary: book.summary,
        version: it.version,
        options: book.options().map(choice).collect(),
        encounters: encounters.into_iter().map(encounter).collect(),
    })
}

/// Every system there is, with what can be played.
#[utoipa::path(get, path = "/systems", tag = "systems", responses((status = 200, body = [System])))]
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
    /// What sort of thing it is.
    kind: &'static str,
    /// What it says, exactly.
    says: &'static str,
    /// The same for a reader at the table, where `says` is too technical.
    plain: Option<&'static str>,
    /// Clauses it rests on.
    needs: &'static [&'static str],
    /// Whether it is not from the system's own document.
    beyond: bool,
    /// What a ruling answers.
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

fn rulebook(system: &str) -> Result<&'static Rulebook, Problem> {
    let system = fracas_systems::find(system).ok_or_else(Problem::absent)?;
    Ok((system.rulebook)())
}

/// A system's rules, all of them or those that hold some words, best first.
#[utoipa::path(
    get,
    path = "/systems/{system}/rules",
    tag = "systems",
    params(
        ("system" = String, Path, description = "The system's id"),
        ("q" = Option<String>, Query, description = "Words to look for"),
    ),
    responses((status = 200, body = [Clause])),
)]
pub(crate) async fn rules(system: Part<0>, uri: Uri) -> Result<Json<Vec<Clause>>, Problem> {
    let book = rulebook(&system.0)?;
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
    tag = "systems",
    params(
        ("system" = String, Path, description = "The system's id"),
        ("clause" = String, Path, description = "The clause's id"),
    ),
    responses((status = 200, body = Clause)),
)]
pub(crate) async fn rule(system: Part<0>, clause: Part<1>) -> Result<Json<Clause>, Problem> {
    let book = rulebook(&system.0)?;
    let absent = || {
        let near = book.suggest(&clause.0).join(", ");
        let near = if near.is_empty() { near } else { format!("; near it: {near}") };
        Problem::new(Kind::Absent, format!("there is no clause {:?}{near}", clause.0)).at("clause")
    };
    book.find(&clause.0).map(|clause| Json(Clause::from(clause.entry()))).ok_or_else(absent)
}

/// A table that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableSent {
    /// The system, by its id.
    system: String,
    /// What is to be played, by its id.
    encounter: String,
    /// What the table is called; as the encounter where this is not said.
    title: Option<String>,
    /// Settings that are otherwise than as a rule, by their ids.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Seats for the machine.
    #[serde(default)]
    #[schema(example = json!(["gm"]))]
    bots: Vec<String>,
}

/// A table that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableMade {
    /// Its id.
    table: String,
    /// The gamemaster's token, shown this once: it plays, makes links and tokens,
    /// and takes them back.
    token: String,
}

/// Opens a table; whoever does holds the gamemaster's token.
#[utoipa::path(
    post,
    path = "/tables",
    tag = "systems",
    request_body = TableSent,
    responses((status = 201, body = TableMade)),
)]
pub(crate) async fn open(
    State(app): At,
    Sent(sent): Sent<TableSent>,
) -> Result<(StatusCode, Json<TableMade>), Problem> {
    let nonsense = |what: String, place: &str| Problem::new(Kind::Refused, what).at(place);
    let system = fracas_systems::find(&sent.system)
        .ok_or_else(|| nonsense(format!("there is no system {:?} here", sent.system), "system"))?;
    let Some((encounter, setup)) = find_encounter(system, &sent.encounter).map_err(Problem::broken)? else {
        return Err(nonsense(format!("{} has no encounter {:?}", system.id, sent.encounter), "encounter"));
    };
    let mut settings = Settings::default();
    for (n, bot) in sent.bots.iter().enumerate() {
        let seat: Seat = bot.parse().map_err(|what| nonsense(what, &format!("bots[{n}]")))?;
        settings.bots.insert(seat, BotKind::Greedy);
    }
    let title: String = sent.title.unwrap_or_default().trim().chars().take(80).collect();
    let title = if title.is_empty() { encounter.title } else { title };
    let options: Vec<(String, String)> = sent.options.into_iter().collect();
    let setup = with_options(system, setup, &options);
    let room = match app.hall.create(*system, setup, title, settings).await {
        Ok(room) => room,
        Err(HallError::Open(OpenError::Setup(faults))) => {
            return Err(nonsense(faults.to_string(), "options"));
        }
        Err(error) => return Err(error.into()),
    };
    let secret = Secret::new().ok_or_else(|| Problem::broken("the system gives no random numbers"))?;
    let pass = NewPass {
        hash: secret.hash(),
        table: room.id.clone(),
        kind: PassKind::Play,
        role: Viewer::Seat(Seat::Gm),
        label: "whoever opened the table".to_owned(),
        made: auth::now(),
        maker: None,
    };
    app.db.add_pass(pass).await?;
    let made = TableMade { table: room.id.to_string(), token: secret.reveal().to_owned() };
    Ok((StatusCode::CREATED, Json(made)))
}
