//! What people do at a table: plain forms, which the script sends too.

use super::{form::Form, read, seat::Seated};
use crate::page::{self, Note, Reason, Rule};
use crate::{app::App, trouble::shown};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Json, extract::State};
use fracas_kernel::{self as kernel, Clause, Refused, Seat, Viewer};
use fracas_live::command::{Called, Carried, Command, Refusal};
use fracas_live::room::Room;
use fracas_live::settings::{self, LONGEST, SLOWEST, Settings, Watchers};
use fracas_sim::BotKind;
use fracas_store::DbError;
use fracas_table::{Reader, Table};
use serde_json::json;
use std::{collections::BTreeSet, sync::Arc};

/// Carries out a command. The script is sent the result in JSON; for a plain form, the table
/// is shown again.
async fn act(
    app: Arc<App>,
    seated: Seated,
    headers: &HeaderMap,
    form: &Form,
    command: Result<Command, Refusal>,
) -> Response {
    let done = match command {
        Ok(command) => app.carry_out(&seated.room, seated.role, form.key().map(Called::from), command).await,
        Err(refusal) => Err(refusal),
    };
    reply(seated, headers, form, done.map(Some))
}

pub(super) fn reply(
    seated: Seated,
    headers: &HeaderMap,
    form: &Form,
    done: Result<Option<Carried>, Refusal>,
) -> Response {
    let scripted = form.is_scripted(headers);
    match done {
        Ok(_) if scripted => Json(json!({ "done": true })).into_response(),
        Ok(_) => Redirect::to(&seated.base).into_response(),
        Err(refusal) => {
            let status = status(&refusal);
            if scripted {
                return why_not(&seated.room, &refusal);
            }
            let note = Note { lines: reasons(&seated.room, &refusal), kept: form.written() };
            match read::shown_table(&seated, &note, None) {
                Ok(page) => (status, page).into_response(),
                Err(trouble) => trouble.into_response(),
            }
        }
    }
}

/// Every reason, for the script.
pub(super) fn why_not(room: &Room, refusal: &Refusal) -> Response {
    let reasons = reasons(room, refusal);
    let rules: Vec<Option<Rule>> = reasons.iter().map(|reason| reason.rule.clone()).collect();
    let why: Vec<String> = reasons.into_iter().map(|reason| reason.what).collect();
    (status(refusal), Json(json!({ "done": false, "why": why, "with": rules }))).into_response()
}

pub(super) fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Stale | Refusal::Quicker(_) | Refusal::Moved => StatusCode::CONFLICT,
        Refusal::Refused(_) | Refusal::Otherwise => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Paused => StatusCode::LOCKED,
        Refusal::TooMuch(_) => StatusCode::TOO_MANY_REQUESTS,
        Refusal::NotYours(_) => StatusCode::FORBIDDEN,
        Refusal::Failed(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Every reason, with the rule behind it.
pub(super) fn reasons(room: &Room, refusal: &Refusal) -> Vec<Reason> {
    let sentence = |text: &str| format!("{}.", page::capital(text.trim_end_matches('.')));
    let Refusal::Refused(refused) = refusal else { return vec![sentence(&refusal.to_string()).into()] };
    let system = room.look(|table, _| *table.system());
    let rule = |clause: Clause| page::rule(&system?, clause.entry());
    let reason =
        |reason: &kernel::Reason| Reason { what: sentence(&reason.what), rule: reason.clause.and_then(rule) };
    refused.reasons.iter().map(reason).collect()
}

type At = State<Arc<App>>;

/// Answers an ask.
pub(crate) async fn answer(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let command = (|| {
        let of = form.get("of").map(|of| of.parse::<Seat>().map_err(Refused::form)).transpose()?;
        let ask = form.must("ask", "an answer names the ask it answers")?;
        let answer = form.must("answer", "choose an answer first")?;
        if ["text", "own", "aloud"]
            .iter()
            .all(|name| form.get(name).is_none_or(|said| said.trim().is_empty()))
            && needs_words(&seated, &ask, &answer)
        {
            return Err(Refused::form("what do you do? Write it, or tick that you say it aloud").into());
        }
        Ok(Command::Answer {
            ask,
            answer,
            own: form.get("own").map(str::to_owned),
            text: form.get("text").map(str::to_owned),
            of,
        })
    })();
    act(app, seated, &headers, &form, command).await
}

/// Whether an answer needs words that say what the player does.
fn needs_words(seated: &Seated, ask: &str, answer: &str) -> bool {
    let listed = |table: &Table, id| table.game().legal(id, seated.role);
    let listed = seated.room.ask(seated.role, ask, listed).unwrap_or_default();
    listed.iter().any(|listed| listed.needs_words && listed.answer == answer)
}

/// The answer for what has been laid on an ask's board, as the list shows it: for the
/// script.
pub(crate) async fn arranged(seated: Seated, uri: Uri) -> Response {
    let form = Form::asked(&uri);
    let card = (|| {
        let ask = form.must("ask", "a laying names the ask it answers")?;
        let laid = form.must("laid", "how do the dice lie? `laid=0:5/4`, say")?.parse()?;
        let found =
            seated.room.ask(seated.role, &ask, |table, id| page::arranged(table, seated.role, id, &laid));
        Ok(found.ok_or(Refusal::Stale)??)
    })();
    match card {
        Ok(card) => shown(card).into_response(),
        Err(refusal) => why_not(&seated.room, &refusal),
    }
}

/// Throws the dice, or enters the faces of real ones.
pub(crate) async fn throw(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let command = (|| {
        let roll = form.must("roll", "a throw names the roll it is for: load the page again")?;
        let faces = match form.get("faces") {
            Some(typed) => {
                let dice = seated.room.dice_due(seated.role, &roll).ok_or(Refusal::Stale)?;
                Some(faces(typed, dice)?)
            }
            None => None,
        };
        Ok(Command::Throw { roll, faces })
    })();
    act(app, seated, &headers, &form, command).await
}

/// Reads the typed faces of this many dice: with spaces, commas or points between, or one
/// digit each, for keyboards without these.
fn faces(text: &str, dice: usize) -> Result<Vec<u8>, Refusal> {
    let text = text.trim();
    if dice > 1 && text.len() == dice && text.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(text.bytes().map(|b| b - b'0').collect());
    }
    let parts =
        text.split(|c: char| matches!(c, ',' | '.') || c.is_whitespace()).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            part.parse().map_err(|_| {
                let detail =
                    format!("faces are whole numbers with spaces between, such as 3 5: {part:?} is none");
                Refusal::Refused(Refused::form(detail))
            })
        })
        .collect()
}

/// Writes a note.
pub(crate) async fn note(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let command = (|| {
        let to = match form.get("to").unwrap_or("all") {
            "all" => Reader::All,
            "gm" => Reader::Gm,
            seat => Reader::Seats(vec![seat.parse().map_err(Refused::form)?]),
        };
        Ok(Command::Note { to, text: form.must("text", "write something first")? })
    })();
    act(app, seated, &headers, &form, command).await
}

/// The standing reply in a form.
fn standing(seated: &Seated, form: &Form, id: &str) -> Result<String, Refused> {
    let forms = seated.room.look(|table, _| table.game().standing_forms()).unwrap_or_default();
    let found = forms.iter().find(|form| form.id == id);
    found.ok_or_else(|| Refused::form("there is no such reply"))?.fill(|name| form.all(name))
}

/// Gives a standing reply, or withdraws it.
pub(crate) async fn stand(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let on = form.get("on") == Some("yes");
    let reply = match form.get("form") {
        Some(id) => standing(&seated, &form, id).map_err(Refusal::Refused),
        None => form.must("reply", "which reply?"),
    };
    let command = reply.map(|reply| Command::Stand { reply, on });
    act(app, seated, &headers, &form, command).await
}

/// Rewinds to right after a line.
pub(crate) async fn rewind(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let to = form.get("to").and_then(|to| to.parse().ok());
    let command = to.map(Command::Rewind).ok_or_else(|| Refused::form("to which line?").into());
    act(app, seated, &headers, &form, command).await
}

/// Undoes the last command of any seat.
pub(crate) async fn undo(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let line = form.get("line").map(|line| line.parse().map_err(|_| Refused::form("which line?").into()));
    act(app, seated, &headers, &form, line.transpose().map(Command::Undo)).await
}

/// Takes back the viewer's own answer.
pub(crate) async fn take_back(State(app): At, seated: Seated, headers: HeaderMap, body: String) -> Response {
    act(app, seated, &headers, &Form::read(&body), Ok(Command::TakeBack)).await
}

/// Changes the settings.
async fn set(
    seated: Seated,
    headers: &HeaderMap,
    form: &Form,
    change: impl FnOnce(&mut Settings),
) -> Response {
    let done = seated.room.set(change).await;
    set_response(seated, headers, form, done)
}

/// The response to a change of settings.
fn set_response(seated: Seated, headers: &HeaderMap, form: &Form, done: Result<(), DbError>) -> Response {
    let done = done.map(|()| None).map_err(|error| Refusal::failed(&error));
    reply(seated, headers, form, done)
}

fn refused(seated: Seated, headers: &HeaderMap, form: &Form, why: &'static str) -> Response {
    reply(seated, headers, form, Err(Refusal::NotYours(why)))
}

/// Sets whether the viewer's dice are thrown at once.
pub(crate) async fn throws(seated: Seated, headers: HeaderMap, body: String) -> Response {
    leave(seated, &headers, &Form::read(&body), |settings| &mut settings.throws).await
}

/// Sets whether asks that gain the viewer nothing are declined at once.
pub(crate) async fn passes(seated: Seated, headers: HeaderMap, body: String) -> Response {
    leave(seated, &headers, &Form::read(&body), |settings| &mut settings.passes).await
}

/// Leaves something to the machine, or takes it back.
async fn leave(
    seated: Seated,
    headers: &HeaderMap,
    form: &Form,
    of: impl Fn(&mut Settings) -> &mut BTreeSet<Seat>,
) -> Response {
    if seated.role == Viewer::Spectator {
        return refused(seated, headers, form, "spectators have nothing to leave to the machine");
    }
    let (role, on) = (seated.role, form.get("on") == Some("yes"));
    let change = move |settings: &mut Settings| settings::leave(of(settings), role, on);
    set(seated, headers, form, change).await
}

/// Lets the machine play a seat, or a person again; a player takes their own seat back.
pub(crate) async fn bot(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let seat = form.get("seat").and_then(|seat| seat.parse::<Seat>().ok());
    let on = form.get("on") == Some("yes");
    let takes_back = !on && seat.map(Viewer::Seat) == Some(seated.role);
    let is_players = matches!(seat, Some(Seat::Player(_)));
    let may = seated.role.is_gm() || takes_back || is_players && leads(&seated);
    if !may {
        return refused(seated, &headers, &form, "only the gamemaster says who plays");
    }
    let Some(seat) = seat else {
        return reply(seated, &headers, &form, Err(Refused::form("which seat?").into()));
    };
    let change = move |settings: &mut Settings| {
        if on {
            settings.bots.insert(seat, BotKind::Greedy);
        } else {
            settings.bots.remove(&seat);
        }
    };
    set(seated, &headers, &form, change).await
}

/// Lets the machine go on after a rewind.
pub(crate) async fn go_on(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let by_machine = seated.room.look(|_, settings| settings.bots.contains_key(&Seat::Gm));
    if !(seated.role.is_gm() || leads(&seated) && by_machine == Some(true)) {
        return refused(seated, &headers, &form, "the gamemaster lets it go on");
    }
    seated.room.go_on();
    reply(seated, &headers, &form, Ok(None))
}

/// Sets how long players may let the table wait, and how long the machine waits for them.
pub(crate) async fn pace(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    if !seated.role.is_gm() {
        return refused(seated, &headers, &form, "the gamemaster says how long the table waits");
    }
    let number = |name: &str, most: u32| match form.get(name) {
        None => Ok(None),
        Some(text) => match text.trim().parse() {
            Ok(n) if n <= most => Ok(Some(n)),
            _ => Err(Refused::form(format!("{name}: a whole number up to {most}, not {text}"))),
        },
    };
    match (number("deadline", LONGEST), number("grace", SLOWEST)) {
        (Ok(deadline), Ok(grace)) => {
            let deadline = deadline.filter(|seconds| *seconds > 0);
            let change = |settings: &mut Settings| (settings.deadline, settings.grace) = (deadline, grace);
            set(seated, &headers, &form, change).await
        }
        (Err(why), _) | (_, Err(why)) => reply(seated, &headers, &form, Err(why.into())),
    }
}

/// Counts something that the encounter says to count.
pub(crate) async fn tally(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    if !seated.role.is_gm() {
        return refused(seated, &headers, &form, "the gamemaster counts");
    }
    let number = |name: &str| form.get(name).and_then(|text| text.trim().parse::<i16>().ok());
    let counted = number("nth").and_then(|nth| usize::try_from(nth).ok()).zip(number("by"));
    let known = seated.room.look(|table, _| table.log().header().prepared().tallies.len());
    match counted.filter(|(nth, _)| known.is_none_or(|known| *nth < known)) {
        Some((nth, by)) => {
            let change = |settings: &mut Settings| {
                settings.count(nth, settings.counted(nth).saturating_add_signed(by));
            };
            set(seated, &headers, &form, change).await
        }
        None => {
            let why =
                format!("nth: which of {} things, from 0; by: how many more", known.unwrap_or_default());
            reply(seated, &headers, &form, Err(Refused::form(why).into()))
        }
    }
}

/// The X-card. Nothing records who pressed it.
pub(crate) async fn pause(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    let may = seated.room.look(|_, settings| settings.watchers == Watchers::MayPause);
    if seated.role == Viewer::Spectator && may == Some(false) {
        return refused(
            seated,
            &headers,
            &form,
            "spectators cannot pause this table: ask somebody who plays",
        );
    }
    let paused = seated.room.pause().await;
    set_response(seated, &headers, &form, paused)
}

/// Whether the viewer admits people and resumes play.
fn leads(seated: &Seated) -> bool {
    seated.room.look(|_, settings| settings.is_led_by(seated.role)).unwrap_or(false)
}

/// Resumes play.
pub(crate) async fn resume(seated: Seated, headers: HeaderMap, body: String) -> Response {
    let form = Form::read(&body);
    if !leads(&seated) {
        return refused(seated, &headers, &form, "the leader of the table resumes");
    }
    set(seated, &headers, &form, |settings| settings.paused = false).await
}
