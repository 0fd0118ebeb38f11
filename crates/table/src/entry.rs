//! One line of a log, and how it is written.

use crate::{Seed, chain};
use fracas_kernel::{AskId, Document, Seat, Seen, Setup, Shown, ShownTo, Telling, Thrown, Viewer};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};
use std::collections::BTreeSet;

/// What one line of a log records.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The first line: what the table started from.
    Header(Box<Header>),
    /// An accepted answer.
    Answer(Answer),
    /// Fallen dice.
    Roll(Roll),
    /// The gamemaster overruled the engine.
    Fiat(Fiat),
    /// Everything after a line was taken back.
    Rewind(Rewind),
    /// What somebody wrote.
    Note(Note),
    /// A standing reply was given or taken back.
    Standing(Standing),
    /// The moment itself, so that the lines before need not be run again.
    Snapshot(Snapshot),
    /// A player's seat is called otherwise.
    Name(Naming),
}

/// What a table started from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of this format.
    pub format: u32,
    /// The system's id.
    pub system: String,
    /// The version of the rules.
    pub version: u32,
    /// What the table calls the game.
    pub title: String,
    /// When it began, in the words of whoever opened the table.
    pub label: String,
    /// Who sat down.
    pub cast: Vec<Cast>,
    /// The encounter.
    pub encounter: Paper,
    /// What the encounter draws on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub library: Vec<Paper>,
    /// What the table's own dice come from; absent where all dice are real.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

impl Header {
    /// The setup again, as the system reads it.
    pub fn setup(&self) -> Setup {
        Setup {
            encounter: self.encounter.document().begun_under(self.version),
            library: self.library.iter().map(Paper::document).collect(),
        }
    }

    /// What the encounter is about, in the words of its author for everybody at the table.
    pub fn summary(&self) -> Option<&str> {
        self.encounter.document.get("summary")?.as_str()
    }
}

/// One seat: when the table opened, or after a fiat that changed who sits there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cast {
    /// Which seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
    /// What the seat's characters are called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plays: Vec<String>,
}

impl Cast {
    /// What the seat is for: `Tamsin`, or the player where nobody is played.
    pub fn part(&self) -> String {
        if self.plays.is_empty() { self.name.clone() } else { self.plays.join(", ") }
    }

    /// The player with what they play: `Ana (Tamsin)`.
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
    /// What it is called.
    pub name: String,
    /// What it says.
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
    /// Which ask.
    pub ask: AskId,
    /// Who gave it.
    pub by: Seat,
    /// Whose answer it is, where the gamemaster gave it for somebody.
    #[serde(rename = "for", default, skip_serializing_if = "Option::is_none")]
    pub for_seat: Option<Seat>,
    /// Why nobody was asked, where nobody was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<Auto>,
    /// The answer, as JSON with names.
    pub answer: Box<RawValue>,
    /// What was written beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// It told the player something that was hidden, or settled dice and might have: its player
    /// cannot take it back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reveals: bool,
    /// What everybody was shown, see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

impl Answer {
    /// Whose answer it is.
    pub fn seat(&self) -> Seat {
        self.for_seat.unwrap_or(self.by)
    }
}

/// Why an answer was given without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Auto {
    /// A standing reply said so.
    Standing,
    /// There was nothing else to answer.
    Only,
    /// There was nothing to gain by it, and the seat lets such be declined.
    Gainless,
    /// Play had waited for it as long as the table waits.
    Late,
}

impl Auto {
    /// Whether it followed by itself from what was done before, and goes when
    /// that is taken back.
    pub fn follows(self) -> bool {
        match self {
            Auto::Standing | Auto::Only | Auto::Gainless => true,
            Auto::Late => false,
        }
    }
}

/// Fallen dice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// Who threw them, or typed them in.
    pub by: Seat,
    /// Whose roll it was.
    pub whose: Seat,
    /// Which dice, as `2d6 + 1d8`.
    pub dice: String,
    /// What they showed, in their order.
    pub faces: Vec<u8>,
    /// How the faces came about.
    pub thrown: Thrown,
    /// Who may see them.
    #[serde(default, skip_serializing_if = "SeenBy::openly")]
    pub seen: SeenBy,
    /// The state in which they fell: the beginning of its hash.
    pub at: String,
    /// How it looked to those who see it, see `Log::looks`; empty in older logs, where a roll
    /// is the same in the same state.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub looks: String,
    /// How many live rolls of these dice that looked the same came before.
    #[serde(default, skip_serializing_if = "none")]
    pub nth: u64,
    /// What everybody was shown, see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

impl Roll {
    /// What makes it the same roll as another of these dice.
    pub(crate) fn same(&self) -> &str {
        if self.looks.is_empty() { &self.at } else { &self.looks }
    }
}

fn none(n: &u64) -> bool {
    *n == 0
}

/// Who may see the faces of a roll, as a log keeps it.
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
    /// What was written beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Nobody's act: what players learnt before a rewind, which they cannot forget.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remembered: bool,
    /// Who sits at the table from here on; empty where that is as before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<Cast>,
    /// What everybody was shown, see [`ShownLine`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<RawValue>>,
}

/// Everything after a line was taken back.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewind {
    /// The last line that still stands.
    pub to: u64,
    /// Who took back: the gamemaster, or a player their own last answer.
    pub by: Seat,
}

/// What somebody wrote.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Who wrote it.
    pub by: Seat,
    /// For whom. The gamemaster and the writer always see it.
    #[serde(default, skip_serializing_if = "Reader::everybody")]
    pub to: Reader,
    /// The words.
    pub text: String,
}

/// For whom a note is.
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

    /// The same with each seat once, however often it was named.
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
/// It outlives a rewind: it says what a seat wants from now on, not what
/// happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Whose.
    pub seat: Seat,
    /// The reply, as JSON with names.
    pub reply: Box<RawValue>,
    /// Given, or taken back.
    pub on: bool,
}

/// A player's seat is called otherwise from here on.
///
/// It outlives a rewind: it says who sits there, not what happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naming {
    /// Which seat.
    pub seat: Seat,
    /// The player's name.
    pub name: String,
}

/// The moment itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The version of the rules from here on.
    pub version: u32,
    /// The moment as the kernel's snapshot codec writes it, in hexadecimal.
    pub bytes: String,
    /// The hash of its state.
    pub hash: String,
}

/// An event as it was shown when it happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownLine {
    /// The event, as JSON with names: for the gamemaster only.
    pub event: Box<RawValue>,
    /// What the gamemaster saw.
    pub gm: ShownText,
    /// What the others saw, where it differed: nothing, or other words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<(String, Option<ShownText>)>,
}

impl PartialEq for ShownLine {
    fn eq(&self, other: &Self) -> bool {
        (self.event.get(), &self.gm, &self.others) == (other.event.get(), &other.gm, &other.others)
    }
}

/// An event as one viewer saw it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownText {
    /// The line.
    pub text: String,
    /// The id of the clause behind it, as this viewer may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// A story begins a new paragraph here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opens: bool,
}

impl ShownLine {
    /// What this viewer saw of it, if the viewer was there: who may have come
    /// later is looked up by [`crate::Record::eyes`].
    pub fn to(&self, who: Viewer) -> Option<&ShownText> {
        self.own(who).unwrap_or(Some(&self.gm))
    }

    /// What this viewer saw of it where that is not what the gamemaster saw.
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

/// What everybody was shown, as a line keeps it; `None` where it is nothing.
pub(crate) fn keep(shown: &[Shown]) -> Option<Box<RawValue>> {
    if shown.is_empty() {
        return None;
    }
    let lines: Vec<ShownLine> = shown.iter().map(ShownLine::from).collect();
    serde_json::value::to_raw_value(&lines).ok()
}

/// JSON that the kernel wrote; what is not JSON is kept as a string.
pub(crate) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

impl Entry {
    /// What everybody was shown, as kept; `None` for kinds that show nothing.
    pub(crate) fn kept(&self) -> Option<&RawValue> {
        match self {
            Entry::Answer(Answer { shown, .. })
            | Entry::Roll(Roll { shown, .. })
            | Entry::Fiat(Fiat { shown, .. }) => shown.as_deref(),
            _ => None,
        }
    }

    /// Whether it moves the game: an answer, a roll or a fiat.
    pub fn is_move(&self) -> bool {
        matches!(self, Entry::Answer(_) | Entry::Roll(_) | Entry::Fiat(_))
    }
}

/// The line as it stands in the file: its number and one of the kinds.
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
    /// Written and compared as text, see [`crate::chain`].
    #[serde(skip_serializing)]
    chain: Option<IgnoredAny>,
}

/// Borrowed where it is written, owned where it is read.
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

/// A line as it goes into the store, with its newline, still without its hash.
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
        Entry::Header(it) => line.header = Some(Of::Borrowed(it)),
        Entry::Answer(it) => line.answer = Some(Of::Borrowed(it)),
        Entry::Roll(it) => line.roll = Some(Of::Borrowed(it)),
        Entry::Fiat(it) => line.fiat = Some(Of::Borrowed(it)),
        Entry::Rewind(it) => line.rewind = Some(Of::Borrowed(it)),
        Entry::Note(it) => line.note = Some(Of::Borrowed(it)),
        Entry::Standing(it) => line.standing = Some(Of::Borrowed(it)),
        Entry::Snapshot(it) => line.snapshot = Some(Of::Borrowed(it)),
        Entry::Name(it) => line.name = Some(Of::Borrowed(it)),
    }
    let mut text = serde_json::to_string(&line)?;
    text.push('\n');
    Ok(text)
}

/// Which field of a line cannot be read, as `header.cast[0].seat`; `None` where it is
/// the line as a whole.
fn field_at_fault(text: &str) -> Option<String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let error = serde_path_to_error::deserialize::<_, Line<'static>>(&mut json).err()?;
    let field = error.path();
    field.iter().next().map(|_| field.to_string())
}

/// A line from the store: its number and what it records.
///
/// The error says what was expected.
pub(crate) fn read(text: &str) -> Result<(u64, Entry), String> {
    let line: Line<'static> = serde_json::from_str(text).map_err(|e| {
        // The place within the line follows the line's own number badly.
        let told = e.to_string().replace(" at line 1 column ", ", at column ");
        match field_at_fault(text) {
            Some(field) => format!("{field}: {told}"),
            None => told,
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
