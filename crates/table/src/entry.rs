//! The lines of a log, and how they are written.

use crate::{Seed, chain};
use fracas_kernel::{
    About, AskId, Document, Prepared, Seat, Seen, Setup, Shown, ShownTo, Telling, Thrown, Viewer,
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};
use std::collections::{BTreeMap, BTreeSet};

/// The content of one line of a log.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The first line: the table's setup.
    Header(Box<Header>),
    /// An accepted answer.
    Answer(Answer),
    /// Dice that were rolled.
    Roll(Roll),
    /// The gamemaster overruled the engine.
    Fiat(Fiat),
    /// The gamemaster or a player took back every line after one of them.
    Rewind(Rewind),
    /// A note that a person wrote.
    Note(Note),
    /// A standing reply was given or taken back.
    Standing(Standing),
    /// A snapshot, so that earlier lines need not be replayed.
    Snapshot(Snapshot),
    /// A player's seat got another name.
    Name(Naming),
}

/// The setup of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the log's format.
    pub format: u32,
    /// The system's id.
    pub system: String,
    /// The version of the rules.
    pub version: u32,
    /// The table's title.
    pub title: String,
    /// When the table was opened, in words of the person who opened it.
    pub label: String,
    /// The seats and their players.
    pub cast: Vec<Cast>,
    /// The encounter.
    pub encounter: Paper,
    /// The documents that the encounter draws on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub library: Vec<Paper>,
    /// The seed of the table's dice; absent if all dice are real.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// The lines from which the table is a branch of another: of the first branch first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branched: Vec<Branched>,
}

/// Where a table branched off another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branched {
    /// The last line that both have.
    pub after: u64,
    /// The seed of the dice from then on; absent if they are real.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

impl Header {
    /// The seed of dice that are thrown in this line.
    pub(crate) fn seed_at(&self, seq: u64) -> Option<Seed> {
        let branch = self.branched.iter().rfind(|branch| branch.after < seq);
        branch.map_or(self.seed, |branch| branch.seed)
    }

    /// The setup as the system reads it.
    pub fn setup(&self) -> Setup {
        Setup {
            encounter: self.encounter.document().begun_under(self.version),
            library: self.library.iter().map(Paper::document).collect(),
        }
    }

    /// What the encounter says about itself, for everybody at the table.
    pub fn about(&self) -> About {
        About::of(&self.encounter.document)
    }

    /// What its gamemaster has prepared beside the rules: for nobody else.
    pub fn prepared(&self) -> Prepared {
        Prepared::of(&self.encounter.document)
    }

    /// The portraits of its people, by name; see [`fracas_kernel::portraits`].
    pub fn portraits(&self) -> BTreeMap<String, String> {
        let library: Vec<&Value> = self.library.iter().map(|paper| &paper.document).collect();
        fracas_kernel::portraits(&self.encounter.document, &library)
    }
}

/// One seat: at the opening, or after a fiat that changed who sits there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cast {
    /// The seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
    /// The names of the seat's characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plays: Vec<String>,
}

impl Cast {
    /// The seat's part: `Tamsin`, or the player's name if the seat plays no character.
    pub fn part(&self) -> String {
        if self.plays.is_empty() { self.name.clone() } else { self.plays.join(", ") }
    }

    /// The player and their characters: `Ana (Tamsin)`.
    pub fn told(&self) -> String {
        match self.plays.as_slice() {
            [] => self.name.clone(),
            plays => format!("{} ({})", self.name, plays.join(", ")),
        }
    }
}

/// A document of the setup.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The document's name.
    pub name: String,
    /// Its content.
    pub document: Value,
}

impl Paper {
    pub(crate) fn of(document: &Document) -> Paper {
        Paper { name: document.name().to_owned(), document: document.to_json() }
    }

    fn document(&self) -> Document {
        Document::json(self.name.clone(), &self.document).kept()
    }
}

/// An accepted answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The ask.
    pub ask: AskId,
    /// The seat that gave it.
    pub by: Seat,
    /// The seat it was given for, if the gamemaster answered for another seat.
    #[serde(rename = "for", default, skip_serializing_if = "Option::is_none")]
    pub for_seat: Option<Seat>,
    /// Why the answer was given without asking, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<Auto>,
    /// The answer, as JSON with names.
    pub answer: Box<RawValue>,
    /// Text written with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The player cannot take it back: it told the player something hidden, or settled dice
    /// and so might have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reveals: bool,
    /// The player can take it back while nothing but steps came of it ([`ShownText::step`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retraces: bool,
    /// What was shown to each viewer; see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

impl Answer {
    /// The seat whose answer it is.
    pub fn seat(&self) -> Seat {
        self.for_seat.unwrap_or(self.by)
    }
}

/// Why an answer was given without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Auto {
    /// A standing reply gave it.
    Standing,
    /// It was the only answer.
    Only,
    /// Answering gains nothing, and the seat lets such asks be declined.
    Gainless,
    /// The table's time limit ran out.
    Late,
}

impl Auto {
    /// Whether the answer follows by itself from an earlier line, and is taken back with
    /// that line.
    pub fn follows(self) -> bool {
        match self {
            Auto::Standing | Auto::Only | Auto::Gainless => true,
            Auto::Late => false,
        }
    }
}

/// Dice that were rolled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The seat that threw them or typed them in.
    pub by: Seat,
    /// The seat whose roll it was.
    pub whose: Seat,
    /// The dice, as `2d6 + 1d8`.
    pub dice: String,
    /// Their faces, in order.
    pub faces: Vec<u8>,
    /// How the faces came about.
    pub thrown: Thrown,
    /// Who may see the faces.
    #[serde(default, skip_serializing_if = "SeenBy::openly")]
    pub seen: SeenBy,
    /// The state in which they fell: the first digits of its hash.
    pub at: String,
    /// The hash of how the table looked to those who see the roll, see `Log::looks`. Empty
    /// in older logs, in which a roll is the same if the state is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub looks: String,
    /// How many live rolls of these dice, at a table that looked the same, came before.
    #[serde(default, skip_serializing_if = "none")]
    pub nth: u64,
    /// What was shown to each viewer; see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

impl Roll {
    /// The hash by which this roll is recognised as the same as another of these dice.
    pub(crate) fn same(&self) -> &str {
        if self.looks.is_empty() { &self.at } else { &self.looks }
    }
}

fn none(n: &u64) -> bool {
    *n == 0
}

/// Who may see the faces of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeenBy {
    /// Everybody.
    #[default]
    Openly,
    /// The gamemaster alone.
    ByGm,
    /// The gamemaster and this seat.
    ByGmAnd(Seat),
}

impl SeenBy {
    fn openly(&self) -> bool {
        *self == SeenBy::Openly
    }

    /// Whether `who` may see the faces.
    pub fn by(self, who: Viewer) -> bool {
        match self {
            SeenBy::Openly => true,
            SeenBy::ByGm => who.is_gm(),
            SeenBy::ByGmAnd(seat) => who.is_gm() || who == Viewer::Seat(seat),
        }
    }
}

impl From<Seen> for SeenBy {
    fn from(seen: Seen) -> Self {
        match seen {
            Seen::Openly => SeenBy::Openly,
            Seen::ByGm => SeenBy::ByGm,
            Seen::ByGmAnd(seat) => SeenBy::ByGmAnd(seat),
        }
    }
}

/// The gamemaster overruled the engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fiat {
    /// The fiat, as JSON with names.
    pub fiat: Box<RawValue>,
    /// Text written with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Written by the engine, not by the gamemaster: it repeats what players learnt before
    /// a rewind, since they cannot forget it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remembered: bool,
    /// The seats and their players from here on; empty if they are unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<Cast>,
    /// What was shown to each viewer; see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

/// Every line after one of them was taken back.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewind {
    /// The last line that still stands.
    pub to: u64,
    /// Who took back: the gamemaster, or a player their own last answer.
    pub by: Seat,
}

/// A note that a person wrote.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Its writer.
    pub by: Seat,
    /// Its readers. The gamemaster and the writer always see it.
    #[serde(default, skip_serializing_if = "Reader::everybody")]
    pub to: Reader,
    /// Its text.
    pub text: String,
}

/// The readers of a note.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reader {
    /// Everybody.
    #[default]
    All,
    /// The gamemaster.
    Gm,
    /// These seats, and the gamemaster.
    Seats(Vec<Seat>),
}

impl Reader {
    fn everybody(&self) -> bool {
        *self == Reader::All
    }

    /// The same readers, with each seat once.
    pub(crate) fn once(mut self) -> Reader {
        if let Reader::Seats(seats) = &mut self {
            let mut named = BTreeSet::new();
            seats.retain(|seat| named.insert(*seat));
        }
        self
    }
}

impl Note {
    /// Whether `who` may read it.
    pub fn seen_by(&self, who: Viewer) -> bool {
        who.is_gm()
            || who == Viewer::Seat(self.by)
            || match (&self.to, who) {
                (Reader::All, _) => true,
                (Reader::Seats(seats), Viewer::Seat(seat)) => seats.contains(&seat),
                _ => false,
            }
    }
}

/// A standing reply was given or taken back.
///
/// It outlives a rewind: it is about what a seat wants from now on, not about what
/// happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The seat.
    pub seat: Seat,
    /// The reply, as JSON with names.
    pub reply: Box<RawValue>,
    /// Whether it was given or taken back.
    pub on: bool,
}

/// A player's seat has another name from here on.
///
/// It outlives a rewind: it is about who sits there, not about what happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naming {
    /// The seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
}

/// A snapshot of the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The version of the rules from here on.
    pub version: u32,
    /// The state as the kernel's snapshot codec writes it, in hexadecimal.
    pub bytes: String,
    /// The hash of the state.
    pub hash: String,
}

/// An event, as each viewer was shown it when it happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownLine {
    /// The event, as JSON with names: for the gamemaster only.
    pub event: Box<RawValue>,
    /// What the gamemaster saw.
    pub gm: ShownText,
    /// What other viewers saw where it differed: other text, or nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<(String, Option<ShownText>)>,
}

impl PartialEq for ShownLine {
    fn eq(&self, other: &Self) -> bool {
        (self.event.get(), &self.gm, &self.others) == (other.event.get(), &other.gm, &other.others)
    }
}

/// An event as one viewer saw it.
#[derive(Clone, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownText {
    /// The text.
    pub text: String,
    /// The id of the clause behind it, if this viewer may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// A story begins a new paragraph here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opens: bool,
    /// Nothing but a step of the viewer's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
    /// How something came about, not what happened: a story folds it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub working: bool,
}

/// The same was shown, though rules of another version may fold it otherwise.
impl PartialEq for ShownText {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.clause, self.opens, self.step)
            == (&other.text, &other.clause, other.opens, other.step)
    }
}

impl ShownLine {
    /// What this viewer saw of the event, if present: [`crate::Record::eyes`] answers for
    /// viewers who came later.
    pub fn to(&self, who: Viewer) -> Option<&ShownText> {
        self.own(who).unwrap_or(Some(&self.gm))
    }

    /// What this viewer saw, if it differs from what the gamemaster saw.
    fn own(&self, who: Viewer) -> Option<Option<&ShownText>> {
        let name = who.to_string();
        self.others.iter().find(|(viewer, _)| *viewer == name).map(|(_, shown)| shown.as_ref())
    }

    /// The sentence that this viewer was shown.
    pub(crate) fn telling(&self, who: Viewer) -> Option<Telling<'_>> {
        match self.own(who) {
            Some(shown) => shown.map(|shown| Telling::Own(&shown.text)),
            None => Some(Telling::Same(&self.gm.text)),
        }
    }
}

impl From<&ShownTo> for ShownText {
    fn from(shown: &ShownTo) -> Self {
        ShownText {
            text: shown.text.clone(),
            clause: shown.clause.map(|c| c.id().to_owned()),
            opens: shown.opens,
            step: shown.step,
            working: shown.working,
        }
    }
}

impl From<&Shown> for ShownLine {
    fn from(shown: &Shown) -> Self {
        let others = shown.others.iter().map(|(who, to)| (who.clone(), to.as_ref().map(ShownText::from)));
        ShownLine {
            event: raw(shown.event.clone()),
            gm: ShownText::from(&shown.gm),
            others: others.collect(),
        }
    }
}

/// What was shown to each viewer, as a line keeps it; `None` if nothing was.
pub(crate) fn keep(shown: &[Shown]) -> Option<Box<RawValue>> {
    if shown.is_empty() {
        return None;
    }
    let lines: Vec<ShownLine> = shown.iter().map(ShownLine::from).collect();
    serde_json::value::to_raw_value(&lines).ok()
}

/// Wraps JSON that the kernel wrote; other text becomes a JSON string.
pub(crate) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

impl Entry {
    /// What was shown to each viewer, as the line keeps it; `None` for kinds that show
    /// nothing.
    pub(crate) fn kept(&self) -> Option<&RawValue> {
        match self {
            Entry::Answer(Answer { shown, .. })
            | Entry::Roll(Roll { shown, .. })
            | Entry::Fiat(Fiat { shown, .. }) => shown.as_deref(),
            _ => None,
        }
    }

    /// Whether the entry changes the game: an answer, a roll or a fiat.
    pub fn is_move(&self) -> bool {
        matches!(self, Entry::Answer(_) | Entry::Roll(_) | Entry::Fiat(_))
    }
}

/// The line in the file: its number and exactly one of the kinds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'e> {
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<Of<'e, Box<Header>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Of<'e, Answer>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<Of<'e, Roll>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fiat: Option<Of<'e, Fiat>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rewind: Option<Of<'e, Rewind>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Of<'e, Note>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Of<'e, Standing>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<Of<'e, Snapshot>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Of<'e, Naming>>,
    /// Read and checked as text, see [`crate::chain`].
    #[serde(skip_serializing)]
    chain: Option<IgnoredAny>,
}

/// Borrowed when it is written, owned when it is read.
#[derive(Serialize)]
#[serde(untagged)]
enum Of<'e, T> {
    Borrowed(&'e T),
    Owned(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Of<'_, T> {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        T::deserialize(d).map(Of::Owned)
    }
}

impl<T> Of<'_, T> {
    fn owned(self) -> Option<T> {
        match self {
            Of::Owned(value) => Some(value),
            Of::Borrowed(_) => None,
        }
    }
}

/// Writes a line with its newline, still without its hash.
pub(crate) fn write(seq: u64, entry: &Entry) -> Result<String, serde_json::Error> {
    let mut line = Line {
        seq,
        header: None,
        answer: None,
        roll: None,
        fiat: None,
        rewind: None,
        note: None,
        standing: None,
        snapshot: None,
        name: None,
        chain: None,
    };
    match entry {
        Entry::Header(entry) => line.header = Some(Of::Borrowed(entry)),
        Entry::Answer(entry) => line.answer = Some(Of::Borrowed(entry)),
        Entry::Roll(entry) => line.roll = Some(Of::Borrowed(entry)),
        Entry::Fiat(entry) => line.fiat = Some(Of::Borrowed(entry)),
        Entry::Rewind(entry) => line.rewind = Some(Of::Borrowed(entry)),
        Entry::Note(entry) => line.note = Some(Of::Borrowed(entry)),
        Entry::Standing(entry) => line.standing = Some(Of::Borrowed(entry)),
        Entry::Snapshot(entry) => line.snapshot = Some(Of::Borrowed(entry)),
        Entry::Name(entry) => line.name = Some(Of::Borrowed(entry)),
    }
    let mut text = serde_json::to_string(&line)?;
    text.push('\n');
    Ok(text)
}

/// The field of a line that cannot be read, as `header.cast[0].seat`; `None` if it is the
/// line as a whole.
fn field_at_fault(text: &str) -> Option<String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let error = serde_path_to_error::deserialize::<_, Line<'static>>(&mut json).err()?;
    let field = error.path();
    field.iter().next().map(|_| field.to_string())
}

/// Parses a line: its number and its entry.
///
/// The error says what was expected.
pub(crate) fn read(text: &str) -> Result<(u64, Entry), String> {
    let line: Line<'static> = serde_json::from_str(text).map_err(|e| {
        // The caller adds the number of the line in the log, so serde's own line number
        // goes.
        let message = e.to_string().replace(" at line 1 column ", ", at column ");
        match field_at_fault(text) {
            Some(field) => format!("{field}: {message}"),
            None => message,
        }
    })?;
    if line.chain.is_some() && chain::split(text).is_none() {
        return Err("chain: expected 64 hexadecimal digits at the end of the line".to_owned());
    }
    let mut kinds = [
        line.header.and_then(Of::owned).map(Entry::Header),
        line.answer.and_then(Of::owned).map(Entry::Answer),
        line.roll.and_then(Of::owned).map(Entry::Roll),
        line.fiat.and_then(Of::owned).map(Entry::Fiat),
        line.rewind.and_then(Of::owned).map(Entry::Rewind),
        line.note.and_then(Of::owned).map(Entry::Note),
        line.standing.and_then(Of::owned).map(Entry::Standing),
        line.snapshot.and_then(Of::owned).map(Entry::Snapshot),
        line.name.and_then(Of::owned).map(Entry::Name),
    ]
    .into_iter()
    .flatten();
    match (kinds.next(), kinds.next()) {
        (Some(entry), None) => Ok((line.seq, entry)),
        _ => {
            Err("expected exactly one of header, answer, roll, fiat, rewind, note, standing, snapshot, name"
                .to_owned())
        }
    }
}
