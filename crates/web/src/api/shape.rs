//! A table as JSON: the same projection as a page.
//!
//! Every name and number here is counted for one viewer alone, as on a page: none of them
//! grows with what that viewer may not see.

use super::{card::Card, problem::Problem, stage::Stage};
use fracas_face::machine;
use fracas_kernel::form::{self, Takes};
use fracas_kernel::{self as kernel, AskInfo, Duty, Listed, Now, RollInfo, Seen, Told};
use fracas_live::line::{Line, json};
use fracas_live::{auth, clock::Waited, glance::Glance, room::Room, settings::Door};
use fracas_table::SeenBy;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// The most answers in an ask; the others are on further pages.
pub(crate) const ANSWERS: usize = 100;

/// A table as one role may see it now.
#[derive(Serialize, ToSchema)]
pub(crate) struct Table {
    /// Its id.
    id: String,
    /// The title.
    title: String,
    /// The system that is played, by its id.
    system: &'static str,
    /// The role this is told to: `gm`, `player-1`, `watch`.
    you: String,
    /// Names this very state; another one as soon as anything of it changes.
    #[schema(example = "mia3yzhc-12")]
    version: String,
    /// How many lines there are.
    lines: usize,
    /// Whether it is over.
    over: bool,
    /// Whether somebody wanted a pause: then nothing can be answered.
    paused: bool,
    /// Whether it came in as a file of which a part is of earlier rules and could not be
    /// run again: what that part says may have been changed.
    unverified: bool,
    /// Whether play waits for this role. A program that plays does this while it is true:
    /// where `roll` is there and `may_throw`, it throws; else it sends one of the `answers`
    /// of an ask that is both `mine` and `due`. While it is false play goes on without this
    /// role, or stands still for those in `waits`; an ask that is `mine` may be answered all
    /// the same.
    due: bool,
    /// Who sits here.
    seats: Vec<Seat>,
    /// The dice that are due, where this role may know of them.
    roll: Option<Roll>,
    /// The asks to this role; for the gamemaster, the asks to everybody.
    asks: Vec<Ask>,
    /// The seats that play waits for, this role too: empty only if play is over or paused.
    waits: Vec<Waits>,
    /// Characters, things and scenes.
    cards: Vec<Card>,
    /// The same as a picture: who stands where, and ties between them.
    stage: Stage,
    /// The seat's standing replies.
    standing: Vec<Value>,
    /// Standing replies that the seat could give.
    may_stand: Vec<Example>,
    /// Whether the seat may take its last answer back.
    may_take_back: bool,
    /// Whether the seat's dice are thrown at once.
    throws: bool,
    /// Whether what gains the seat nothing is declined at once.
    passes: bool,
    /// Facts for the gamemaster alone.
    desk: Option<Desk>,
}

/// A seat at a table.
#[derive(Serialize, ToSchema)]
struct Seat {
    /// Its name in the API: `gm`, `player-1`.
    seat: String,
    /// Who sits there.
    name: String,
    /// The characters it plays, by their cards' ids: those that this role sees.
    plays: Vec<String>,
    /// Whether somebody has the table open there.
    here: bool,
    /// Whether the machine plays it.
    machine: bool,
    /// Whether play waits for it, the machine's seats too; as in `waits`.
    awaited: bool,
}

/// Dice that are due.
#[derive(Serialize, ToSchema)]
struct Roll {
    /// The id that a throw has to name.
    #[schema(example = "roll-12")]
    roll: String,
    /// The roller: a seat, or `chance`.
    whose: String,
    /// Which dice, as `2d6 + 1d8`; faces are given in this order.
    dice: String,
    /// Whether not everybody sees them fall.
    secret: bool,
    /// Until when the table waits, in seconds since 1970.
    until: Option<i64>,
    /// Whether this role may throw them.
    may_throw: bool,
    /// Whether the roll was thrown before and taken back, and shows the same faces again.
    kept: bool,
    /// Why they fall.
    text: String,
    /// The consequences.
    leads: String,
    /// The clause behind it.
    clause: Option<&'static str>,
}

/// Something that is asked.
#[derive(Serialize, ToSchema)]
struct Ask {
    /// The id that an answer has to name.
    #[schema(example = "12.1")]
    ask: String,
    /// The kind of ask, in the system's word.
    kind: &'static str,
    /// `must`: play cannot go on without an answer; `may`: a chance to step in.
    duty: Duty_,
    /// Whether play waits for it now: as it does for a chance to step in too, once all else
    /// has been answered, until it is taken or declined.
    due: bool,
    /// The seats that have still to answer it.
    awaited: Vec<String>,
    /// Until when the table waits, in seconds since 1970.
    until: Option<i64>,
    /// Whether this role is one of them.
    mine: bool,
    /// The question.
    text: String,
    /// The consequences.
    leads: String,
    /// The clause behind it.
    clause: Option<&'static str>,
    /// The words beside the answer that it follows from: for the gamemaster.
    words: Option<String>,
    /// The answers of the others so far, if all have to agree.
    said: Vec<Said>,
    /// How many answers are listed.
    count: usize,
    /// The first of them.
    answers: Vec<Answer>,
}

/// Whether play can go on without an answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = Duty)]
enum Duty_ {
    /// It cannot.
    Must,
    /// A chance to step in.
    May,
}

/// A seat's answer to an ask on which all have to agree.
#[derive(Serialize, ToSchema)]
struct Said {
    /// Who.
    seat: String,
    /// Their answer.
    answer: Value,
    /// In words.
    text: String,
}

/// A listed answer. The rules may allow others.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answer {
    /// The JSON to send.
    answer: Value,
    /// In words.
    text: String,
    /// Its parts, in the order in which people choose; no two answers of an ask have the same
    /// parts.
    parts: Vec<Part>,
    /// The consequences, as far as this role may know.
    leads: String,
    /// The clause behind it.
    clause: Option<&'static str>,
    /// Whether words of one's own may be sent with it, as `own`.
    own: bool,
    /// Whether it means nothing until its player says what they do: in `text`, in `own`
    /// where it takes that, or aloud.
    needs_words: bool,
    /// The odds of what chance has still to say to it, where they were asked for and can be
    /// told.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<Odds>,
}

/// A part of an answer: one thing that a person chooses.
#[derive(Serialize, ToSchema)]
struct Part {
    /// The kind of part: `what` is done, `who` does it, on `whom`, `with` what, `how`, `how-much`.
    /// An answer may have several of a kind.
    #[schema(value_type = String)]
    kind: kernel::PartKind,
    /// Its words, forty letters at most.
    label: String,
    /// The names that it points at, as in answers, without the `@`. A card's `id` is such a name.
    things: Vec<String>,
}

/// The answers of an ask, page by page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answers {
    /// How many there are.
    count: usize,
    /// The number of the first one here, from 0.
    from: usize,
    /// A hundred at most.
    answers: Vec<Answer>,
}

/// A seat that play waits for. While a player may still step in or decline, others are not told
/// that the gamemaster may too.
#[derive(Serialize, ToSchema)]
struct Waits {
    /// The seats.
    seats: Vec<String>,
    /// The kind of ask, if this role may know it.
    kind: Option<&'static str>,
    /// Until when the table waits, in seconds since 1970.
    until: Option<i64>,
}

/// Something to send, and what it means.
#[derive(Serialize, ToSchema)]
struct Example {
    /// The JSON to send.
    example: Value,
    /// The meaning.
    meaning: &'static str,
}

/// A fiat as a form: what its JSON holds under its key, with what there is to pick now.
#[derive(Serialize, ToSchema)]
pub(crate) struct FiatForm {
    /// The key of the fiat's JSON; without fields the fiat is this word alone.
    #[schema(example = "risk")]
    key: &'static str,
    /// The effect in words.
    told: &'static str,
    /// Further explanation.
    help: &'static str,
    /// The fields, in order.
    fields: Vec<FiatField>,
}

/// A field of a fiat.
#[derive(Serialize, ToSchema)]
struct FiatField {
    /// Its key, below the fiat's; with a dot in a table there, empty where it is all of
    /// what the fiat's key holds (other fields are added to it).
    key: &'static str,
    /// The label.
    label: &'static str,
    /// The meaning of an empty field; absent: the field must be filled in.
    blank: Option<&'static str>,
    /// `one` of the picks, `many` of them, a `number`, `numbers` in a list, `text`, or a
    /// `table` as in a file.
    takes: &'static str,
    /// The choices.
    picks: Option<Vec<Pick>>,
    /// The least that a number may be.
    least: Option<u32>,
    /// The most that a number may be.
    most: Option<u32>,
    /// An example of a value.
    example: Option<&'static str>,
}

/// Something to pick.
#[derive(Serialize, ToSchema)]
struct Pick {
    /// The JSON to send.
    value: Value,
    /// The value in words.
    words: String,
    /// The group in a long list: the question of an option, the owner of a thing.
    group: String,
}

impl From<&form::Form> for FiatForm {
    fn from(form: &form::Form) -> FiatForm {
        let fields = form.fields.iter().map(FiatField::from).collect();
        FiatForm { key: form.key, told: form.told, help: form.help, fields }
    }
}

impl From<&form::Field> for FiatField {
    fn from(field: &form::Field) -> FiatField {
        let picks = |picks: &[form::Pick]| {
            picks
                .iter()
                .map(|pick| Pick {
                    value: pick.value.clone(),
                    words: pick.words.to_string(),
                    group: pick.group.to_string(),
                })
                .collect()
        };
        let blank = FiatField {
            key: field.key,
            label: field.label,
            blank: field.blank,
            takes: "",
            picks: None,
            least: None,
            most: None,
            example: None,
        };
        match &field.takes {
            Takes::One { picks: all } => FiatField { takes: "one", picks: Some(picks(all)), ..blank },
            Takes::Many { picks: all } => FiatField { takes: "many", picks: Some(picks(all)), ..blank },
            Takes::Number { least, most } => {
                FiatField { takes: "number", least: Some(*least), most: Some(*most), ..blank }
            }
            Takes::Numbers { least, most } => {
                FiatField { takes: "numbers", least: Some(*least), most: Some(*most), ..blank }
            }
            Takes::Text { example } => FiatField { takes: "text", example: Some(example), ..blank },
            Takes::Table { example } => FiatField { takes: "table", example: Some(example), ..blank },
        }
    }
}

/// Facts for the gamemaster alone.
#[derive(Serialize, ToSchema)]
struct Desk {
    /// How many wait at the door.
    knocking: usize,
    /// Whether people who come by a link wait to be let in: `knock` or `open`.
    door: &'static str,
    /// The seat as which the machine goes round in circles.
    stuck: Option<String>,
    /// Something was taken back: the machine waits until somebody acts.
    held: bool,
    /// How many seconds a player may let the table wait.
    deadline: Option<u32>,
    /// The seconds that the machine waits for seats that may step in.
    grace: u32,
    /// Sentences that the encounter has ready to be said to everybody.
    calls: Vec<String>,
    /// What the encounter says to count beside play.
    tallies: Vec<Tally>,
    /// Ways to overrule the engine.
    fiats: Vec<Example>,
}

/// Something that the gamemaster counts beside play.
#[derive(Serialize, ToSchema)]
struct Tally {
    /// What is counted.
    what: String,
    /// How far it has been counted.
    at: u16,
    /// The number at which something comes of it.
    to: u16,
    /// What comes of it; may be empty.
    then: String,
}

/// The most lines at once.
pub(super) const PAGE: usize = 100;

/// The table as a role may see it now.
pub(super) fn look(room: &Room, role: kernel::Viewer) -> Result<Table, Problem> {
    let seen = room.glance(role, |glance, sent| {
        Table::of(glance, room.id.as_str(), sent.mark.to_string(), sent.lines.len())
    });
    seen.ok_or_else(Problem::absent)
}

/// Lines of the story, page by page.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lines {
    /// How many there are.
    pub(crate) count: usize,
    /// The number of the first one here.
    pub(crate) from: usize,
    /// A hundred at most.
    pub(crate) lines: Vec<Line>,
}

pub(super) fn clause(text: &Told) -> Option<&'static str> {
    text.clause.map(|clause| clause.id())
}

fn examples(given: &[(&'static str, &'static str)]) -> Vec<Example> {
    given.iter().map(|(example, meaning)| Example { example: json(example), meaning }).collect()
}

fn names(seats: impl IntoIterator<Item = kernel::Seat>) -> Vec<String> {
    seats.into_iter().map(|seat| seat.to_string()).collect()
}

impl Table {
    /// The version of this state.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The table as a viewer sees it, with this version.
    pub(crate) fn of(glance: &Glance<'_>, id: &str, version: String, lines: usize) -> Table {
        let (table, settings) = (glance.table, glance.around.settings);
        let game = table.game();
        let (now, seat) = (glance.now(), glance.seat());
        let (paused, cards) = (settings.paused, game.cards(glance.who));
        Table {
            id: id.to_owned(),
            title: table.log().header().title.clone(),
            system: table.system().id,
            you: auth::role_name(glance.who),
            version,
            lines,
            over: now == Now::Over,
            paused,
            unverified: settings.unverified,
            due: !paused && glance.is_due(),
            seats: seats(glance, &cards),
            roll: match &now {
                Now::Roll(roll) => Roll::of(glance, roll),
                _ => None,
            },
            asks: match &now {
                Now::Asks(asks) => {
                    let holding = machine::holding(game, asks);
                    let due = |ask: &AskInfo| !paused && holding.iter().any(|held| held.id == ask.id);
                    asks.iter().filter_map(|ask| Ask::of(glance, ask, due(ask))).collect()
                }
                _ => Vec::new(),
            },
            waits: if paused { Vec::new() } else { waits(glance, &now) },
            cards: cards.into_iter().map(Card::from).collect(),
            stage: glance.stage().clone().into(),
            standing: game
                .standing()
                .iter()
                .filter(|(whose, _)| Some(*whose) == seat)
                .map(|(_, reply)| json(reply))
                .collect(),
            may_stand: seat.map_or_else(Vec::new, |seat| {
                let may = |(reply, _): &&(&str, &str)| game.may_stand(seat, reply).is_ok();
                examples(&game.standings().iter().filter(may).copied().collect::<Vec<_>>())
            }),
            may_take_back: seat.is_some_and(|seat| table.may_take_back(seat).is_ok()),
            throws: seat.is_some_and(|seat| settings.throws.contains(&seat)),
            passes: seat.is_some_and(|seat| settings.passes.contains(&seat)),
            desk: glance.who.is_gm().then(|| Desk::of(glance)),
        }
    }
}

fn seats(glance: &Glance<'_>, cards: &[kernel::Card]) -> Vec<Seat> {
    let settings = glance.around.settings;
    let waited = glance.waited_for();
    // An id alone would show that the character exists.
    let is_seen = |id: &String| cards.iter().any(|card| card.id == *id);
    let seat = |info: kernel::SeatInfo| Seat {
        seat: info.seat.to_string(),
        name: info.name,
        plays: info.holds.into_iter().filter(is_seen).collect(),
        here: glance.around.present.contains_key(&kernel::Viewer::Seat(info.seat)),
        machine: settings.bots.contains_key(&info.seat),
        awaited: !settings.paused && waited.contains(&info.seat),
    };
    glance.table.game().seats().into_iter().map(seat).collect()
}

/// The seats that play waits for, each with no more than the kind of its ask.
fn waits(glance: &Glance<'_>, now: &Now) -> Vec<Waits> {
    match now {
        Now::Over => Vec::new(),
        Now::Roll(_) => vec![Waits { seats: names(glance.waited_for()), kind: None, until: None }],
        Now::Asks(asks) => {
            let waits = |(ask, seats): (&AskInfo, Vec<kernel::Seat>)| Waits {
                kind: Some(glance.table.game().waits(ask.id, glance.who)),
                until: glance.until(Waited::Ask(ask.id), seats.iter().copied()),
                seats: names(seats),
            };
            glance.holding(asks).into_iter().map(waits).collect()
        }
    }
}

impl Roll {
    fn of(glance: &Glance<'_>, roll: &RollInfo) -> Option<Roll> {
        // This viewer must not learn that dice fall, nor how many.
        if !SeenBy::from(roll.seen).by(glance.who) {
            return None;
        }
        let prompt = glance.table.game().roll_told(glance.who);
        Some(Roll {
            roll: glance.roll?.to_owned(),
            whose: roll.whose.to_string(),
            dice: roll.dice.to_string(),
            secret: roll.seen != Seen::Openly,
            until: glance.until(Waited::roll(glance.table), [roll.whose]),
            may_throw: match glance.seat() {
                Some(kernel::Seat::Gm) => true,
                Some(seat) => roll.whose == seat || roll.whose == kernel::Seat::Chance,
                None => false,
            },
            kept: glance.table.kept_faces().is_some(),
            clause: clause(&prompt),
            text: prompt.text,
            leads: prompt.leads,
        })
    }
}

impl Ask {
    /// An ask of this viewer; for the gamemaster, of any seat.
    fn of(glance: &Glance<'_>, info: &AskInfo, due: bool) -> Option<Ask> {
        let awaited = glance.awaited(info);
        let mine = glance.seat().is_some_and(|seat| awaited.contains(&seat));
        if !mine && !glance.who.is_gm() {
            return None;
        }
        let game = glance.table.game();
        let prompt = game.ask_told(info.id, glance.who).unwrap_or_default();
        let said = |(seat, answer): (kernel::Seat, String)| Said {
            seat: seat.to_string(),
            text: game.preview(info.id, &answer, glance.who).map(|preview| preview.text).unwrap_or_default(),
            answer: json(&answer),
        };
        let listed = game.legal(info.id, glance.who);
        let parts = game.parts(info.id, glance.who);
        Some(Ask {
            ask: glance.called(info.id)?.to_owned(),
            kind: info.kind,
            duty: if info.duty == Duty::Must { Duty_::Must } else { Duty_::May },
            due,
            awaited: names(awaited),
            until: glance.until(Waited::Ask(info.id), info.who.seats().iter()),
            mine,
            clause: clause(&prompt),
            text: prompt.text,
            leads: prompt.leads,
            words: glance.words(info.id).map(str::to_owned),
            said: game.said(info.id).into_iter().map(said).collect(),
            count: listed.len(),
            answers: listed.into_iter().zip(parts).take(ANSWERS).map(Answer::from).collect(),
        })
    }
}

impl From<(Listed, Vec<kernel::Part<String>>)> for Answer {
    fn from((listed, parts): (Listed, Vec<kernel::Part<String>>)) -> Self {
        let part =
            |part: kernel::Part<String>| Part { kind: part.kind, label: part.label, things: part.things };
        Answer {
            parts: parts.into_iter().map(part).collect(),
            answer: json(&listed.answer),
            clause: clause(&listed.told),
            own: listed.told.free.is_some(),
            needs_words: listed.needs_words,
            odds: None,
            text: listed.told.text,
            leads: listed.told.leads,
        }
    }
}

/// The consequences of an answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Preview {
    /// The answer in words.
    text: String,
    /// The consequences, as far as this role may know.
    leads: String,
    /// The clause behind it.
    clause: Option<&'static str>,
    /// The odds of what chance has still to say to it, where they can be told.
    odds: Option<Odds>,
}

/// The possible results of a throw.
#[derive(Serialize, ToSchema)]
pub(crate) struct Odds {
    /// The throw, if it is not the next one.
    of: Option<String>,
    /// The results, best first; a throw brings exactly one of them.
    rows: Vec<Chance>,
    /// The results of each tone together, where they are many.
    totals: Vec<Chance>,
    /// Further results that a throw may bring.
    besides: Vec<Chance>,
    /// How many equally likely throws there are, the denominator of each chance: a whole
    /// number in digits, which may be larger than a number of JSON can hold.
    throws: String,
}

/// One thing that may come of a throw.
#[derive(Serialize, ToSchema)]
struct Chance {
    /// The result in words.
    text: String,
    /// What the result means for the roller: `good`, `mixed`, `plain` or `bad`.
    #[schema(value_type = String)]
    tone: kernel::Tone,
    /// How likely it is, in whole percent: `42 %`. What is neither certain nor
    /// impossible is never rounded to it. The shares of all rows add up to 100, and so do those
    /// of the totals.
    share: String,
    /// How many of all equally likely throws bring it, exactly: its numerator, not reduced,
    /// a whole number in digits.
    throws: String,
}

impl Preview {
    pub(crate) fn of(preview: Told, odds: Option<kernel::Odds>) -> Preview {
        Preview {
            clause: clause(&preview),
            text: preview.text,
            leads: preview.leads,
            odds: odds.map(Odds::from),
        }
    }
}

impl From<kernel::Odds> for Odds {
    fn from(odds: kernel::Odds) -> Self {
        let chance = |(chance, share): (&kernel::Chance, String)| Chance {
            text: chance.text.to_string(),
            tone: chance.tone,
            share,
            throws: chance.throws.to_string(),
        };
        Odds {
            of: (!odds.of.is_empty()).then(|| odds.of.clone()),
            rows: odds.rows.iter().zip(odds.shares()).map(chance).collect(),
            totals: odds.totals.iter().map(|all| chance((all, odds.share_of(all.tone)))).collect(),
            besides: odds.besides.iter().map(|more| chance((more, odds.share(more)))).collect(),
            throws: odds.throws.to_string(),
        }
    }
}

impl Answers {
    /// A page of an ask's answers, with the odds of each.
    pub(crate) fn page(
        (listed, parts): (Vec<Listed>, Vec<Vec<kernel::Part<String>>>),
        from: usize,
        odds: impl Fn(&str) -> Option<kernel::Odds>,
    ) -> Answers {
        let answer = |(listed, parts): (Listed, Vec<kernel::Part<String>>)| Answer {
            odds: odds(&listed.answer).map(Odds::from),
            ..Answer::from((listed, parts))
        };
        Answers {
            count: listed.len(),
            from: from.min(listed.len()),
            answers: listed.into_iter().zip(parts).skip(from).take(ANSWERS).map(answer).collect(),
        }
    }
}

impl Desk {
    fn of(glance: &Glance<'_>) -> Desk {
        let around = glance.around;
        let prepared = glance.table.log().header().prepared();
        let tally = |(nth, tally): (usize, kernel::Tally)| Tally {
            what: tally.what,
            at: around.settings.counted(nth),
            to: tally.to,
            then: tally.then,
        };
        Desk {
            knocking: around.knocking.len(),
            door: door(around.settings.door),
            stuck: around.stuck.map(|seat| seat.to_string()),
            held: around.held,
            deadline: around.settings.deadline,
            grace: around.settings.grace().as_secs() as u32,
            calls: prepared.calls,
            tallies: prepared.tallies.into_iter().enumerate().map(tally).collect(),
            fiats: examples(glance.table.game().fiats()),
        }
    }
}

/// The API's name for a setting of the door.
pub(crate) fn door(door: Door) -> &'static str {
    match door {
        Door::Knock => "knock",
        Door::Open => "open",
    }
}
