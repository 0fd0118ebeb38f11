//! Setups as documents: every fault at once, with file, line and field.

use crate::{Field, Game, Hidden, Picture, Refused, Seat, Viewer, carried::CARRIED, clause::distance_within};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::{borrow::Cow, cell::RefCell, fmt, ops::Range, rc::Rc};

/// One thing wrong with a document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Fault {
    /// The file, or what stands for it.
    pub file: String,
    /// Line, from 1; 0 where the document has no lines (JSON in a request).
    pub line: usize,
    /// The field, as `character[2].arm`; empty for the whole document.
    pub field: String,
    /// The fault, and the correction.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        f.write_str(": ")?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)
    }
}

/// Everything wrong with a setup, in the order of the documents.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

impl Faults {
    /// The same in the order of their lines, document by document as they first came.
    #[must_use]
    pub fn by_line(mut self) -> Self {
        let mut files: Vec<String> = Vec::new();
        for fault in &self.0 {
            if files.last() != Some(&fault.file) && !files.contains(&fault.file) {
                files.push(fault.file.clone());
            }
        }
        let place = |file: &String| files.iter().position(|there| there == file);
        self.0.sort_by_cached_key(|fault| (place(&fault.file), fault.line));
        self
    }

    /// Each fault once, in the order in which they first came.
    #[must_use]
    pub fn once(self) -> Self {
        let mut told = BTreeSet::new();
        Faults(self.0.into_iter().filter(|fault| told.insert(fault.clone())).collect())
    }

    /// The same, with fields that begin with `from` (`character[1]`) told as
    /// beginning with `to`: for what was read in another place than its own.
    #[must_use]
    pub fn moved(mut self, from: &str, to: &str) -> Self {
        for fault in &mut self.0 {
            if let Some(rest) = fault.field.strip_prefix(from)
                && (rest.is_empty() || rest.starts_with(['.', '[']))
            {
                fault.field = format!("{to}{rest}");
            }
        }
        self
    }
}

/// As what somebody said in play, who knows of no files: without their names and lines.
impl From<Faults> for Refused {
    fn from(faults: Faults) -> Refused {
        let told = |Fault { field, what, .. }: Fault| match field.is_empty() {
            true => what,
            false => format!("{field}: {what}"),
        };
        let reasons = faults.0.into_iter().flat_map(|fault| Refused::form(told(fault)).reasons);
        Refused { reasons: reasons.collect() }
    }
}

/// The documents that a table starts from: an encounter, and the library under it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The encounter: players, cast, options.
    pub encounter: Document,
    /// Characters, foes and gear that the encounter may use by name.
    pub library: Vec<Document>,
}

impl Setup {
    /// An encounter that brings everything itself.
    pub fn alone(encounter: Document) -> Self {
        Setup { encounter, library: Vec::new() }
    }

    /// Somebody who comes to a table under way, as a setup writes them, with the
    /// library that the table was opened with.
    ///
    /// # Errors
    /// A name that cannot be given; see [`crate::Names::newcomer`].
    pub fn newcomer<G: Game>(
        (rules, state): (&G::Rules, &G::State),
        entry: &serde_json::Value,
        library: &[Document],
    ) -> Result<Setup, Refused> {
        let hidden = Hidden::from::<G>(rules, state, Viewer::Spectator);
        let encounter = Document::json("join", &G::names(rules).newcomer(entry, &hidden)?).kept();
        Ok(Setup { encounter, library: library.to_vec() })
    }

    /// A hint for a name that no entry of this list of the library has: up to three similar
    /// names, or else some of the names that there are.
    pub fn near(&self, list: &str, name: &str) -> String {
        let names = self.library.iter().flat_map(|document| document.entries(list));
        let mut there: Vec<&str> = names.filter(|name| name.len() <= NAME).take(AMONG).collect();
        there.sort_unstable();
        there.dedup();
        let near = near(name, &there);
        match (near.is_empty(), there.len()) {
            (false, _) => near,
            (true, 0) => String::new(),
            (true, many) => {
                let rest = if many > SOME { format!(" and {} more", many - SOME) } else { String::new() };
                there.truncate(SOME);
                format!("; there are {}{rest}", there.join(", "))
            }
        }
    }
}

/// How many names of a library are told where none is near.
const SOME: usize = 8;
/// The most names of a library among which one is looked for.
const AMONG: usize = 500;
/// The most bytes of a name that is looked for, or told.
const NAME: usize = 100;

impl Node {
    /// The names of the entries of a list in this table.
    fn entries_of(&self, list: &str) -> Vec<&str> {
        let field = |node: &'_ Node, wanted: &str| match &node.value {
            Value::Table(fields) => fields.iter().position(|(name, ..)| name == wanted),
            _ => None,
        };
        let Value::Table(fields) = &self.value else { return Vec::new() };
        let Some(Value::List(entries)) = field(self, list).map(|at| &fields[at].2.value) else {
            return Vec::new();
        };
        entries
            .iter()
            .filter_map(|entry| {
                let Value::Table(fields) = &entry.value else { return None };
                match &fields[field(entry, "name")?].2.value {
                    Value::Text(name) => Some(name.as_str()),
                    _ => None,
                }
            })
            .collect()
    }
}

/// A document: a tree of values, each with its place. A copy shares the tree.
#[derive(Clone, Debug)]
pub struct Document {
    name: String,
    /// Where each line begins; empty where places mean nothing.
    lines: Arc<[usize]>,
    root: Arc<Node>,
    /// A record of the fields that readers ask for, in a watched document.
    asked: Option<Arc<Mutex<Asking>>>,
    /// See [`Document::kept`].
    kept: bool,
    /// See [`Document::begun_under`].
    version: Option<u32>,
}

/// A field that a reader asked for: the place of its table, its name, the values it takes.
type Asked = (Range<usize>, &'static str, Want);

/// All that readers asked of a document, what of it must be there, and the map they made of it.
#[derive(Debug, Default)]
struct Asking {
    wants: Vec<Asked>,
    needs: BTreeSet<((usize, usize), &'static str)>,
    map: Option<MapRead>,
}

/// A map that a reader made of a document.
#[derive(Clone, Debug)]
pub struct MapRead {
    /// The map; of one with faults, what can be used.
    pub field: Field,
    /// The words that its legend may use.
    pub words: Vec<String>,
}

/// The values that a field takes, by its reader's request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// Text.
    Text,
    /// A whole number from the first to the second.
    Int(i64, i64),
    /// True or false.
    Flag,
    /// One of these words.
    Word(Vec<String>),
    /// Any of these words.
    Words(Vec<String>),
    /// A list of texts.
    Texts,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
}

/// The value of a field that holds text or something else.
pub enum TextOr<'d, T> {
    /// Text.
    Text(&'d str),
    /// The other kind.
    Other(T),
}

/// A value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Bytes of the document it takes up.
    pub(crate) span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// Where a value stands that was never written in its document.
const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

impl Node {
    /// A field of this table, absent as yet where there is none; `None` where this is
    /// no table.
    fn field(&mut self, name: &str) -> Option<&mut Node> {
        let Value::Table(fields) = &mut self.value else { return None };
        let at = fields.iter().position(|(there, ..)| there == name).unwrap_or_else(|| {
            fields.push((name.to_owned(), NOWHERE, Node { span: NOWHERE, value: Value::Null }));
            fields.len() - 1
        });
        Some(&mut fields[at].2)
    }
}

/// A value of a document.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Absent (JSON only).
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table: names, where each stands, and values, in order.
    Table(Vec<(String, Range<usize>, Node)>),
    /// A value no setup takes: a fraction, a date. Named for the error.
    Other(&'static str),
}

impl Value {
    /// The kind of the value, in the words of an error.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a whole number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }
}

impl Document {
    /// Reads TOML.
    ///
    /// # Errors
    /// Where the text is not TOML, with the line of each thing that is wrong with it.
    pub fn toml(name: impl Into<String>, text: &str) -> Result<Document, Faults> {
        let name = name.into();
        let lines: Arc<[usize]> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let (table, errors) = toml::de::DeTable::parse_recoverable(text);
        if errors.is_empty() {
            let root = Arc::new(Node { span: table.span(), value: toml_table(table.get_ref()) });
            return Ok(Document { name, lines, root, asked: None, kept: false, version: None });
        }
        let faults = errors.iter().map(|error| Fault {
            file: name.clone(),
            line: line_of(&lines, error.span().map_or(0, |span| span.start)),
            field: String::new(),
            what: error.message().to_owned(),
        });
        // What is wrong with a line is said once: the rest of it follows from that.
        let mut faults = Faults(faults.collect()).by_line();
        faults.0.dedup_by_key(|fault| fault.line);
        Err(faults)
    }

    /// A document that came as JSON, or was put together by a program.
    pub fn json(name: impl Into<String>, value: &serde_json::Value) -> Document {
        let root = Arc::new(json_node(value));
        Document { name: name.into(), lines: Arc::default(), root, asked: None, kept: false, version: None }
    }

    /// The same document, read from one of its own tables.
    ///
    /// # Errors
    /// Where there is no such table.
    pub fn part(&self, field: &str) -> Result<Document, Faults> {
        let found = match &self.root.value {
            Value::Table(fields) => fields.iter().find(|(name, ..)| name == field).map(|(.., node)| node),
            _ => None,
        };
        match found {
            Some(node) => Ok(self.rooted(node.clone())),
            None => Err(Faults(vec![Fault {
                file: self.name.clone(),
                line: 0,
                field: field.to_owned(),
                what: format!("there is no [{field}] table"),
            }])),
        }
    }

    /// Stands for an entry in [`Document::placed`].
    pub const ENTRY: &str = "@entry";

    /// One entry (from 0) of one of its lists, with `around` in place of all
    /// else: the text [`Document::ENTRY`] in that JSON stands for the entry.
    ///
    /// Faults in the entry still name this document and the entry's lines.
    /// `None` where there is no such entry, or it is no table.
    pub fn placed(&self, list: &str, at: usize, around: &serde_json::Value) -> Option<Document> {
        let Value::Table(fields) = &self.root.value else { return None };
        let Value::List(entries) = &fields.iter().find(|(name, ..)| name == list)?.2.value else {
            return None;
        };
        let entry = entries.get(at).filter(|entry| matches!(entry.value, Value::Table(_)))?;
        let mut root = json_node(around);
        put(&mut root, entry);
        Some(self.rooted(root))
    }

    /// Another tree in this document's place.
    fn rooted(&self, root: Node) -> Document {
        let (name, lines, asked) = (self.name.clone(), self.lines.clone(), self.asked.clone());
        let kept = self.kept || self.has_table(CARRIED);
        Document { name, lines, root: Arc::new(root), asked, kept, version: self.version }
    }

    /// The same document as a table under way has it: what could never do anything there
    /// is no fault ([`Fields::idle`]), since tables were opened with such entries before.
    #[must_use]
    pub fn kept(mut self) -> Document {
        self.kept = true;
        self
    }

    /// The same document as a table has it that began under this version of the rules, so
    /// that what a setup adds of itself is called as it was then.
    #[must_use]
    pub fn begun_under(mut self, version: u32) -> Document {
        self.version = Some(version);
        self
    }

    /// Whether a table of this document began under rules before this version of them.
    pub fn began_before(&self, version: u32) -> bool {
        self.version.is_some_and(|began| began < version)
    }

    /// The same document, and whatever is read of it is remembered; see
    /// [`Document::wants`].
    #[must_use]
    pub fn watched(mut self) -> Document {
        self.asked = Some(Arc::default());
        // Its top is told apart from what [`Document::placed`] puts around an entry.
        self.root_mut().span.end = usize::MAX;
        self
    }

    /// The fields that readers have asked for since the document is [`Document::watched`]: the
    /// table, such as `character[2].stats` (empty for the top), the field, and the values that it
    /// takes. Each kind of value once, table by table, in the order of asking.
    pub fn wants(&self) -> Vec<(String, &'static str, Want)> {
        let Some(asked) = &self.asked else { return Vec::new() };
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut by_table: BTreeMap<(usize, usize), Vec<(&'static str, &Want)>> = BTreeMap::new();
        for (span, name, want) in &asked.wants {
            by_table.entry((span.start, span.end)).or_default().push((name, want));
        }
        let mut wants = Vec::new();
        each_table(&self.root, "", &mut |path, span| {
            let mut seen = Vec::new();
            for (name, want) in by_table.get(&span).into_iter().flatten() {
                let kind = (*name, std::mem::discriminant(*want));
                if !seen.contains(&kind) {
                    seen.push(kind);
                    wants.push((path.to_owned(), *name, (*want).clone()));
                }
            }
        });
        wants
    }

    /// The map that a reader has made of the document since it is [`Document::watched`].
    pub fn map(&self) -> Option<MapRead> {
        let asked = self.asked.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        asked.map.clone()
    }

    /// The fields that must be there, by table, of all that its readers asked for since it
    /// is [`Document::watched`].
    pub fn needs(&self) -> Vec<(String, &'static str)> {
        let Some(asked) = &self.asked else { return Vec::new() };
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut needs = Vec::new();
        each_table(&self.root, "", &mut |path, span| {
            let of_table = asked.needs.range((span, "")..).take_while(|(of, _)| *of == span);
            needs.extend(of_table.map(|(_, name)| (path.to_owned(), *name)));
        });
        needs
    }

    /// Whether there is such a table at its top.
    fn has_table(&self, name: &str) -> bool {
        matches!(&self.root.value, Value::Table(fields) if fields.iter().any(|(there, ..)| there == name))
    }

    /// The name of the document.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the entries of a list at its top, such as `foe`.
    pub fn entries(&self, list: &str) -> Vec<&str> {
        self.root.entries_of(list)
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    pub(crate) fn root_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.root)
    }

    /// The whole document as JSON: what a log keeps of it.
    pub fn to_json(&self) -> serde_json::Value {
        node_json(&self.root)
    }

    /// Puts a value in place of a field, named from the top on, with the tables on
    /// the way where there are none. All else keeps its place. Nothing changes where
    /// something other than a table is in the way.
    pub fn set(&mut self, field: &[&str], value: &serde_json::Value) {
        let Some((last, tables)) = field.split_last() else { return };
        let mut node = self.root_mut();
        for table in tables {
            let Some(there) = node.field(table) else { return };
            if there.value == Value::Null {
                there.value = Value::Table(Vec::new());
            }
            node = there;
        }
        if let Some(there) = node.field(last) {
            there.value = json_node(value).value;
        }
    }

    /// The line of a place, from 1; 0 where the document has no lines, or what
    /// stands there was never written in it.
    pub(crate) fn line(&self, span: &Range<usize>) -> usize {
        if self.lines.is_empty() || *span == NOWHERE { 0 } else { line_of(&self.lines, span.start) }
    }

    /// The system that an encounter says it is for: its `game`, or its `system`.
    pub fn named_system(&self) -> Option<String> {
        let json = self.to_json();
        ["game", "system"].iter().find_map(|field| Some(json.get(field)?.as_str()?.to_owned()))
    }

    /// Reads the document's top table field by field.
    pub fn fields<'d>(&'d self, faults: &Faulty) -> Fields<'d> {
        Fields::new(self, &self.root, String::new(), faults.clone())
    }
}

/// Puts a node wherever [`Document::ENTRY`] stands for it.
fn put(node: &mut Node, entry: &Node) {
    match &mut node.value {
        Value::Text(text) if text == Document::ENTRY => *node = entry.clone(),
        Value::List(list) => list.iter_mut().for_each(|node| put(node, entry)),
        Value::Table(fields) => fields.iter_mut().for_each(|(.., node)| put(node, entry)),
        _ => {}
    }
}

/// Goes through a table and those in it: where each stands, and the bytes it takes up.
fn each_table(node: &Node, path: &str, each: &mut impl FnMut(&str, (usize, usize))) {
    match &node.value {
        Value::Table(fields) => {
            each(path, (node.span.start, node.span.end));
            for (name, _, node) in fields {
                each_table(node, &below(path, name), each);
            }
        }
        Value::List(list) => {
            for (at, node) in list.iter().enumerate() {
                each_table(node, &format!("{path}[{}]", at + 1), each);
            }
        }
        _ => {}
    }
}

/// A field of the table at `path`, as faults write it.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn line_of(lines: &[usize], at: usize) -> usize {
    lines.partition_point(|&start| start <= at)
}

fn toml_table(table: &toml::de::DeTable<'_>) -> Value {
    Value::Table(
        table.iter().map(|(key, value)| (key.get_ref().to_string(), key.span(), toml_node(value))).collect(),
    )
}

fn toml_node(value: &toml::Spanned<toml::de::DeValue<'_>>) -> Node {
    use toml::de::DeValue;
    let read = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(n) => {
            i64::from_str_radix(n.as_str(), n.radix()).map_or(Value::Other("a number too large"), Value::Int)
        }
        DeValue::Float(_) => Value::Other("a fraction"),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(list) => Value::List(list.iter().map(toml_node).collect()),
        DeValue::Table(table) => toml_table(table),
    };
    Node { span: value.span(), value: read }
}

fn json_node(value: &serde_json::Value) -> Node {
    use serde_json::Value as Json;
    let read = match value {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => n.as_i64().map_or(Value::Other("a fraction or a number too large"), Value::Int),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => Value::List(list.iter().map(json_node).collect()),
        Json::Object(map) => {
            Value::Table(map.iter().map(|(k, v)| (k.clone(), NOWHERE, json_node(v))).collect())
        }
    };
    Node { span: NOWHERE, value: read }
}

fn node_json(node: &Node) -> serde_json::Value {
    use serde_json::Value as Json;
    match &node.value {
        Value::Null | Value::Other(_) => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(n) => Json::from(*n),
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(list) => Json::Array(list.iter().map(node_json).collect()),
        Value::Table(fields) => {
            Json::Object(fields.iter().map(|(k, _, v)| (k.clone(), node_json(v))).collect())
        }
    }
}

/// Where the readers of a setup put what they find wrong: each fault once, as one entry
/// of a library may be read many times.
#[derive(Clone, Debug, Default)]
pub struct Faulty(Rc<RefCell<Found>>);

/// The faults found so far, in order, and the same to look up.
#[derive(Debug, Default)]
struct Found {
    faults: Vec<Rc<Fault>>,
    told: BTreeSet<Rc<Fault>>,
}

impl Faulty {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many faults there are so far.
    pub fn count(&self) -> usize {
        self.0.borrow().faults.len()
    }

    fn add(&self, fault: Fault) {
        let Found { faults, told } = &mut *self.0.borrow_mut();
        let fault = Rc::new(fault);
        if told.insert(fault.clone()) {
            faults.push(fault);
        }
    }

    /// `value` where nothing was found wrong.
    ///
    /// # Errors
    /// Every fault found.
    pub fn or<T>(self, value: T) -> Result<T, Faults> {
        let Found { faults, told } = self.0.take();
        drop(told);
        let faults: Vec<Fault> = faults.into_iter().map(Rc::unwrap_or_clone).collect();
        if faults.is_empty() { Ok(value) } else { Err(Faults(faults).by_line()) }
    }
}

/// A field that every entry of a list may have without being asked for it: lines
/// on what became of it, for people ([`crate::Game::carry`]).
pub const HISTORY: &str = "history";
/// The field of a player's character that names their portrait: a picture that a server keeps, by its id.
pub const PORTRAIT: &str = "portrait";
/// The field of an entry that names others of which a carried character has nothing, so that
/// nothing of them comes from another encounter either.
pub(crate) const WITHOUT: &str = "without";

/// A table being read: each field once; what nobody read is a fault.
///
/// A table may lie over another ([`Fields::over`]), as an encounter's character
/// over the library's: what is absent here is then read there.
///
/// Readers give a default where a field is missing or wrong, so that the rest
/// of the document is still looked at; the fault is noted. Call
/// [`Fields::done`] last.
#[derive(Clone, Debug)]
pub struct Fields<'d> {
    document: &'d Document,
    node: &'d Node,
    path: String,
    pub(crate) faults: Faulty,
    read: RefCell<BTreeSet<&'static str>>,
    base: Option<Box<Fields<'d>>>,
}

impl<'d> Fields<'d> {
    fn new(document: &'d Document, node: &'d Node, path: String, faults: Faulty) -> Self {
        let fields = Fields { document, node, path, faults, read: RefCell::default(), base: None };
        if !matches!(node.value, Value::Table(_)) {
            fields.fault(format!("expected a table, found {}", node.value.kind()));
        }
        fields
    }

    /// This table, and `base` for what is absent here.
    #[must_use]
    pub fn over(mut self, base: Option<Fields<'d>>) -> Self {
        self.base = base.map(Box::new);
        self
    }

    fn entries(&self) -> &'d [(String, Range<usize>, Node)] {
        match &self.node.value {
            Value::Table(fields) => fields,
            _ => &[],
        }
    }

    fn mark(&self, name: &'static str, want: &dyn Fn() -> Want) {
        self.read.borrow_mut().insert(name);
        if let Some(asked) = self.document.asked.as_ref().filter(|_| !self.node.span.is_empty()) {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.wants.push((self.node.span.clone(), name, want()));
        }
        if let Some(base) = &self.base {
            base.mark(name, want);
        }
    }

    /// A field and the table it stands in: this one, or the one beneath.
    fn find(&self, name: &str) -> Option<(&Fields<'d>, &'d Range<usize>, &'d Node)> {
        let own = self.entries().iter().find(|(n, ..)| n == name);
        match own {
            Some((_, span, node)) if node.value != Value::Null => Some((self, span, node)),
            _ => self.base.as_ref()?.find(name),
        }
    }

    fn get(&self, name: &'static str, want: &dyn Fn() -> Want) -> Option<(&Fields<'d>, &'d Node)> {
        self.mark(name, want);
        self.find(name).map(|(at, _, node)| (at, node))
    }

    fn path_to(&self, name: &str) -> String {
        below(&self.path, name)
    }

    fn fault_at(&self, span: &Range<usize>, field: String, what: impl Into<String>) {
        let line = self.document.line(span);
        self.faults.add(Fault { file: self.document.name.clone(), line, field, what: what.into() });
    }

    /// Remembers the map that was read of this table; see [`Document::map`].
    pub(crate) fn mapped(&self, field: &Field, words: &[&str]) {
        if let Some(asked) = &self.document.asked {
            let all = [Field::WALL_WORD].into_iter().chain(words.iter().copied());
            let words = all.map(str::to_owned).collect();
            let map = Some(MapRead { field: field.clone(), words });
            asked.lock().unwrap_or_else(PoisonError::into_inner).map = map;
        }
    }

    /// Notes a fault of the whole table.
    pub fn fault(&self, what: impl Into<String>) {
        self.fault_at(&self.node.span, self.path.clone(), what);
    }

    /// Notes a fault of one field (or of the table, where the field is absent).
    pub fn fault_in(&self, name: &str, what: impl Into<String>) {
        match self.find(name) {
            Some((at, span, _)) => at.fault_at(span, at.path_to(name), what),
            None => self.fault_at(&self.node.span, self.path_to(name), what),
        }
    }

    /// Notes that a field, or the whole table where `name` is empty, could never do anything
    /// where it stands. In what a table keeps already ([`Document::kept`]), or carries on
    /// from another evening, that is no fault; nor is it of a table with a field that
    /// nobody has read: perhaps it is meant.
    pub fn idle(&self, name: &str, what: impl Into<String>) {
        let document = self.find(name).map_or(self.document, |(at, ..)| at.document);
        if document.kept || document.has_table(CARRIED) {
            return;
        }
        match name {
            "" if self.has_unread() => {}
            "" => self.fault(what),
            name => self.fault_in(name, what),
        }
    }

    /// Whether there is a field that nobody has read, and that [`Fields::done`] would tell of.
    fn has_unread(&self) -> bool {
        let read = self.read.borrow();
        let later = [HISTORY, WITHOUT, PORTRAIT];
        let is_unread = |name: &str| !read.contains(name) && !later.contains(&name);
        let base = || self.base.as_ref().is_some_and(|base| base.has_unread());
        self.entries().iter().any(|(name, ..)| is_unread(name)) || base()
    }

    /// The same for each of these fields that is there and holds more than no, 0 or nothing.
    pub fn idle_all(&self, names: &[&str], what: &str) {
        let says = |node: &Node| match &node.value {
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::List(list) => !list.is_empty(),
            _ => true,
        };
        let there = |name: &&&str| self.find(name).is_some_and(|(.., node)| says(node));
        names.iter().filter(there).for_each(|name| self.idle(name, what));
    }

    /// Sets each setting of a table such as `[options]` by its id and word; `set` says of
    /// one that cannot be set what would be right ([`no_option`], [`not_one_of`]).
    pub fn settings(&self, mut set: impl FnMut(&str, &str) -> Result<(), String>) {
        for (id, word) in self.pairs() {
            if let Err(what) = set(id, &word) {
                self.fault_in(id, what);
            }
        }
    }

    /// The player who holds a character, by name; the only player needs none. Where it is
    /// not said rightly the fault is noted, and it is the first.
    pub fn player(&self, players: &[String]) -> Seat {
        let by_name = self.text("player").and_then(|name| {
            let at = players.iter().position(|player| player == name);
            if at.is_none() {
                let known: Vec<&str> = players.iter().map(String::as_str).collect();
                let (perhaps, there) = (near(name, &known), known.join(", "));
                let what = format!("no [[player]] is called {name:?}{perhaps}; there are {there}");
                self.fault_in("player", what);
            }
            at
        });
        if !self.has("player") && players.len() > 1 {
            self.fault("`player` is missing: who plays this character");
        }
        Seat::Player(by_name.unwrap_or(0) as u8)
    }

    /// Notes that a field names something that is not there: `what` says what is missing,
    /// `known` is what there is, of which the nearest is told.
    pub fn unknown<'k>(&self, field: &str, what: &str, name: &str, known: impl IntoIterator<Item = &'k str>) {
        let known: Vec<&str> = known.into_iter().collect();
        self.fault_in(field, format!("{what} {name:?}{}", near(name, &known)));
    }

    /// Whether the field is there. Does not count as reading it.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether the field stands in this very table, and not in the one beneath.
    pub fn says(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(at, ..)| std::ptr::eq(at, self))
    }

    fn wrong(&self, name: &str, node: &Node, want: &str) {
        self.fault_at(
            &node.span,
            self.path_to(name),
            format!("expected {want}, found {}", node.value.kind()),
        );
    }

    /// A text field; `None` where it is absent.
    pub fn text(&self, name: &'static str) -> Option<&'d str> {
        let (at, node) = self.get(name, &|| Want::Text)?;
        match &node.value {
            Value::Text(text) => Some(text),
            _ => {
                at.wrong(name, node, "text");
                None
            }
        }
    }

    /// A text field that must be there; empty where it is not.
    pub fn must_text(&self, name: &'static str) -> &'d str {
        self.must(name, "text");
        self.text(name).unwrap_or_default()
    }

    /// Notes it where a field is missing that must be there; `what` says what it holds.
    pub fn must(&self, name: &'static str, what: &str) {
        if let Some(asked) = &self.document.asked {
            let span = (self.node.span.start, self.node.span.end);
            asked.lock().unwrap_or_else(PoisonError::into_inner).needs.insert((span, name));
        }
        if !self.has(name) {
            self.fault(format!("`{name}` is missing: {what}"));
        }
    }

    /// A whole number within bounds; `None` where it is absent or wrong.
    pub fn int(&self, name: &'static str, bounds: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let (at, node) = self.get(name, &|| Want::Int(*bounds.start(), *bounds.end()))?;
        let want = format!("a whole number from {} to {}", bounds.start(), bounds.end());
        match node.value {
            Value::Int(n) if bounds.contains(&n) => Some(n),
            Value::Int(n) => {
                at.fault_at(&node.span, at.path_to(name), format!("expected {want}, found {n}"));
                None
            }
            _ => {
                at.wrong(name, node, &want);
                None
            }
        }
    }

    /// A text, or a whole number within bounds; `None` where it is absent or wrong.
    pub fn text_or_int(
        &self,
        name: &'static str,
        bounds: std::ops::RangeInclusive<i64>,
    ) -> Option<TextOr<'d, i64>> {
        self.mark(name, &|| Want::Text);
        let (at, node) = self.get(name, &|| Want::Int(*bounds.start(), *bounds.end()))?;
        match &node.value {
            Value::Text(text) => Some(TextOr::Text(text)),
            Value::Int(_) => self.int(name, bounds).map(TextOr::Other),
            _ => {
                let want = format!("a word, or a whole number from {} to {}", bounds.start(), bounds.end());
                at.wrong(name, node, &want);
                None
            }
        }
    }

    /// A text, or a table of its own; `None` where it is absent or wrong.
    pub fn text_or_table(&self, name: &'static str) -> Option<TextOr<'d, Fields<'d>>> {
        self.mark(name, &|| Want::Text);
        let (at, node) = self.get(name, &|| Want::Table)?;
        match &node.value {
            Value::Text(text) => Some(TextOr::Text(text)),
            Value::Table(_) => {
                let path = at.path_to(name);
                Some(TextOr::Other(Fields::new(at.document, node, path, at.faults.clone())))
            }
            _ => {
                at.wrong(name, node, "a name, or a table");
                None
            }
        }
    }

    /// True or false; `None` where it is absent.
    pub fn flag(&self, name: &'static str) -> Option<bool> {
        let (at, node) = self.get(name, &|| Want::Flag)?;
        match node.value {
            Value::Bool(b) => Some(b),
            _ => {
                at.wrong(name, node, "true or false");
                None
            }
        }
    }

    /// One of several words; `None` where it is absent or none of them.
    pub fn word<T: Copy>(&self, name: &'static str, words: &[(&str, T)]) -> Option<T> {
        let (at, node) = self.get(name, &|| Want::Word(listed(words)))?;
        at.one_word(name, node, words)
    }

    fn one_word<T: Copy>(&self, name: &str, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let list = || listed(words).join(", ");
        match &node.value {
            Value::Text(text) => {
                let found = words.iter().find(|(w, _)| w == text).map(|(_, t)| *t);
                if found.is_none() {
                    self.fault_at(&node.span, self.path_to(name), not_one_of(text, &listed(words)));
                }
                found
            }
            _ => {
                self.wrong(name, node, &format!("one of {}", list()));
                None
            }
        }
    }

    /// A list of words; empty where it is absent. Wrong ones are left out.
    pub fn words<T: Copy>(&self, name: &'static str, words: &[(&str, T)]) -> Vec<T> {
        let Some((at, node)) = self.get(name, &|| Want::Words(listed(words))) else { return Vec::new() };
        at.items(name, node).into_iter().filter_map(|node| at.one_word(name, node, words)).collect()
    }

    /// A list of texts; empty where it is absent. A single text is a list of one.
    pub fn texts(&self, name: &'static str) -> Vec<&'d str> {
        let Some((at, node)) = self.get(name, &|| Want::Texts) else { return Vec::new() };
        at.items(name, node)
            .into_iter()
            .filter_map(|node| match &node.value {
                Value::Text(text) => Some(text.as_str()),
                _ => {
                    at.wrong(name, node, "text");
                    None
                }
            })
            .collect()
    }

    fn items(&self, name: &str, node: &'d Node) -> Vec<&'d Node> {
        match &node.value {
            Value::List(list) => list.iter().collect(),
            Value::Text(_) => vec![node],
            _ => {
                self.wrong(name, node, "a list");
                Vec::new()
            }
        }
    }

    /// A table inside this one, over that of the same name beneath.
    pub fn table(&self, name: &'static str) -> Option<Fields<'d>> {
        self.mark(name, &|| Want::Table);
        let own = self
            .entries()
            .iter()
            .find(|(n, ..)| n == name)
            .map(|(.., node)| Fields::new(self.document, node, self.path_to(name), self.faults.clone()));
        let base = self.base.as_ref().and_then(|base| base.table(name));
        match own {
            Some(own) => Some(own.over(base)),
            None => base,
        }
    }

    /// A list of tables (`[[name]]`), those of the table beneath first; empty
    /// where it is absent.
    pub fn tables(&self, name: &'static str) -> Vec<Fields<'d>> {
        self.mark(name, &|| Want::Tables);
        let mut tables = self.base.as_ref().map(|base| base.tables(name)).unwrap_or_default();
        if let Some((.., node)) = self.entries().iter().find(|(n, ..)| n == name) {
            let items = self.items(name, node).into_iter().enumerate();
            tables.extend(items.map(|(i, node)| {
                let path = format!("{}[{}]", self.path_to(name), i + 1);
                Fields::new(self.document, node, path, self.faults.clone())
            }));
        }
        tables
    }

    /// The first table of a list with this `name`, read without the others.
    pub fn entry(&self, list: &'static str, name: &str) -> Option<Fields<'d>> {
        let (.., node) = self.entries().iter().find(|(n, ..)| n == list)?;
        let Value::List(items) = &node.value else { return None };
        let named = |node: &Node| match &node.value {
            Value::Table(fields) => fields
                .iter()
                .any(|(n, _, node)| n == "name" && matches!(&node.value, Value::Text(text) if text == name)),
            _ => false,
        };
        let at = items.iter().position(named)?;
        let path = format!("{}[{}]", self.path_to(list), at + 1);
        Some(Fields::new(self.document, &items[at], path, self.faults.clone()))
    }

    /// Every field of the table that holds a word: its name and the word; a
    /// number, true and false are words too, so that the caller, who knows the words
    /// that are allowed, can name them. Reads the whole table, as for `[options]`.
    pub fn pairs(&self) -> Vec<(&'d str, Cow<'d, str>)> {
        let mut pairs = Vec::new();
        for (name, _, node) in self.entries() {
            match &node.value {
                Value::Text(text) => pairs.push((name.as_str(), Cow::from(text.as_str()))),
                Value::Int(number) => pairs.push((name.as_str(), Cow::from(number.to_string()))),
                Value::Bool(truth) => pairs.push((name.as_str(), Cow::from(truth.to_string()))),
                _ => self.wrong(name, node, "text"),
            }
        }
        pairs
    }

    /// The id of a picture.
    pub(crate) fn picture(&self, name: &'static str) {
        if self.text(name).is_some_and(|id| !Picture::is_id(id)) {
            self.fault_in(name, "expected the id of a picture, as the page of a paper writes it");
        }
    }

    /// Ends the reading: a field that nobody read is a fault. In an entry of a
    /// list `history`, `without` and `portrait` are read here.
    pub fn done(self) {
        let has =
            |field: &str| self.path.ends_with(']') && self.entries().iter().any(|(name, ..)| name == field);
        for field in [HISTORY, WITHOUT].into_iter().filter(|field| has(field)) {
            self.texts(field);
        }
        if self.path.starts_with("character[") && has(PORTRAIT) && !self.path.contains('.') {
            self.picture(PORTRAIT);
        }
        let read = self.read.borrow();
        let known: Vec<&str> = read.iter().copied().collect();
        let there = known.join(", ");
        for (name, span, _) in self.entries().iter().filter(|(name, ..)| !read.contains(name.as_str())) {
            let what = format!("no such field here{}; there are {there}", near(name, &known));
            self.fault_at(span, self.path_to(name), what);
        }
        if let Some(base) = self.base {
            base.done();
        }
    }
}

/// The words alone.
fn listed<T>(words: &[(&str, T)]) -> Vec<String> {
    words.iter().map(|(word, _)| (*word).to_owned()).collect()
}

/// The message for a word that is none of these.
pub fn not_one_of(word: &str, words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    format!("expected one of {}, found {word:?}{}", words.join(", "), near(word, &words))
}

/// The message for an id that no option has.
pub fn no_option(id: &str, there: &[&str]) -> String {
    format!("no such option{}; there are {}", near(id, there), there.join(", "))
}

/// A hint for an unknown name: up to three known names that the writer may have meant,
/// nearest first: a slip or two away, or begun alike (`ready` for `readied`).
pub fn near(name: &str, known: &[&str]) -> String {
    if name.len() > NAME {
        return String::new();
    }
    let wanted = name.to_lowercase();
    let length = wanted.chars().count();
    let limit = (length / 3).clamp(1, 6);
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .filter_map(|&there| {
            let lower = there.to_lowercase();
            let far = distance_within(&wanted, &lower, limit);
            let shared = wanted.chars().zip(lower.chars()).take_while(|(a, b)| a == b).count();
            let alike = shared >= 3 && shared * 2 >= length.max(there.chars().count());
            // A name of one letter is a slip away from every other.
            let near = far.is_some_and(|far| far < length);
            (alike || near).then_some((far.unwrap_or(limit + 1), there))
        })
        .collect();
    near.sort_unstable();
    near.truncate(3);
    let near: Vec<String> = near.iter().map(|(_, there)| format!("`{there}`")).collect();
    if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_twice_is_told_of_once() {
        let document = Document::toml("a.toml", "dice = 3\n").unwrap();
        let faults = Faulty::new();
        for _ in 0..2 {
            document.fields(&faults).text("dice");
        }
        assert_eq!(faults.or(()).unwrap_err().0.len(), 1);
    }

    /// The least time that some work took of nine times, in nanoseconds: a busy machine disturbs some.
    fn took(work: impl Fn()) -> u128 {
        let once = || {
            let begun = std::time::Instant::now();
            work();
            begun.elapsed().as_nanos()
        };
        (0..9).map(|_| once()).min().expect("nine")
    }

    #[test]
    fn ten_times_as_many_faults_take_about_ten_times_as_long() {
        let read = |count: usize| {
            let text: String = (0..count).map(|n| format!("x{n} = 1\n[[foe]]\nkind = {n}\n")).collect();
            let document = Document::toml("a.toml", &text).unwrap().watched();
            took(|| {
                let faults = Faulty::new();
                let top = document.fields(&faults);
                for foe in top.tables("foe") {
                    foe.text("kind");
                    foe.done();
                }
                top.done();
                let all = faults.or(()).unwrap_err();
                assert_eq!(all.0.len(), 2 * count);
                assert_eq!(all.once().0.len(), 2 * count);
                assert!(document.wants().len() > count);
            })
        };
        let (few, many) = (read(500), read(5_000));
        assert!(many < 30 * few, "{few} ns, then {many} ns: a square would be a hundred times as much");
    }

    #[test]
    fn names_are_looked_for_in_bounded_time() {
        let list = |count: usize, name: &str| {
            (0..count).map(|n| format!("[[foe]]\nname = \"{name}{n}\"\n")).collect::<String>()
        };
        let setup = |text: String| Setup {
            encounter: Document::toml("e.toml", "").unwrap(),
            library: vec![Document::toml("l.toml", &text).unwrap()],
        };
        let long = setup(list(2, &"a".repeat(50_000)));
        assert_eq!(long.near("foe", &"b".repeat(50_000)), "", "nor are they told each time");
        let (some, many) = (setup(list(AMONG, "foe ")), setup(list(20 * AMONG, "foe ")));
        let near = |setup: &Setup| took(|| drop(setup.near("foe", "fox 7")));
        let (few, more) = (near(&some), near(&many));
        assert!(more < 10 * few, "{few} ns, then {more} ns");
        assert_eq!(some.near("foe", "foe 1"), "; perhaps `foe 1`, `foe 0`, `foe 10`");
    }

    #[test]
    fn what_is_set_leaves_all_else_in_its_place() {
        let text = "[options]\nend = \"early\"\n[deep]\nn = 99\n";
        let mut document = Document::toml("a.toml", text).unwrap();
        for path in [&["options", "end"][..], &["options", "tie"], &["more", "x"], &["deep", "n", "x"], &[]] {
            document.set(path, &"late".into());
        }
        document.set(&["deep", "more"], &serde_json::json!({ "n": 99 }));
        let json = document.to_json();
        assert_eq!(json["options"], serde_json::json!({ "end": "late", "tie": "late" }));
        assert_eq!((&json["more"]["x"], &json["deep"]["n"]), (&"late".into(), &99.into()));
        let faults = Faulty::new();
        let deep = document.fields(&faults).table("deep").unwrap();
        deep.int("n", 0..=12);
        deep.table("more").unwrap().int("n", 0..=12);
        let told = faults.or(()).unwrap_err().to_string();
        assert!(told.contains("a.toml:4: deep.n: ") && told.contains("a.toml: deep.more.n: "), "{told}");
    }

    #[test]
    fn every_fault_at_once_with_its_line() {
        let text = "name = 3\nrisk = 99\nkind = \"ogre\"\nodd = 1\n";
        let document = Document::toml("a.toml", text).unwrap();
        let faults = Faulty::new();
        let fields = document.fields(&faults);
        fields.text("name");
        fields.int("risk", 0..=12);
        fields.word("kind", &[("brute", 1), ("foe", 2)]);
        fields.must_text("player");
        fields.done();
        let told = faults.or(()).unwrap_err().to_string();
        assert_eq!(
            told,
            "a.toml:1: name: expected text, found a whole number\n\
             a.toml:1: `player` is missing: text\n\
             a.toml:2: risk: expected a whole number from 0 to 12, found 99\n\
             a.toml:3: kind: expected one of brute, foe, found \"ogre\"\n\
             a.toml:4: odd: no such field here; there are kind, name, player, risk"
        );
    }

    #[test]
    fn a_field_near_to_one_there_is_is_suggested_first() {
        let told = |written: &str| {
            let document = Document::toml("a.toml", &format!("{written} = 1")).unwrap();
            let faults = Faulty::new();
            let fields = document.fields(&faults);
            for field in ["pl", "readied", "resolve", "kind", "unaware_of"] {
                fields.text(field);
            }
            fields.done();
            faults.or(()).unwrap_err().0.remove(0).what
        };
        let rest = "there are kind, pl, readied, resolve, unaware_of";
        for (written, meant) in [
            ("ready", "readied"),
            ("raedied", "readied"),
            ("Readied", "readied"),
            ("readied_", "readied"),
            ("resolv", "resolve"),
            ("unaware", "unaware_of"),
            ("kinds", "kind"),
        ] {
            let perhaps = format!("no such field here; perhaps `{meant}`; {rest}");
            assert_eq!(told(written), perhaps, "{written}");
        }
        for written in ["p", "x", "weapon", "re", "unlucky"] {
            assert_eq!(told(written), format!("no such field here; {rest}"), "{written}");
        }
    }

    #[test]
    fn a_name_near_to_one_in_the_library_is_suggested() {
        let read = |text: &str| Document::toml("l.toml", text).unwrap();
        let many: String = (0..9).map(|n| format!("[[boon]]\nname = \"B{n}\"\n")).collect();
        let setup = Setup {
            encounter: read(""),
            library: vec![
                read("[[character]]\nname = \"Tamsin\"\n[[character]]\nname = 3\n"),
                read(&format!("[[character]]\nname = \"Old Oren\"\n{many}")),
            ],
        };
        assert_eq!(setup.near("character", "tamsyn"), "; perhaps `Tamsin`");
        assert_eq!(setup.near("character", "Zed"), "; there are Old Oren, Tamsin");
        assert_eq!(setup.near("boon", "Sword"), "; there are B0, B1, B2, B3, B4, B5, B6, B7 and 1 more");
        assert_eq!(setup.near("foe", "Zed"), "");
    }

    #[test]
    fn an_option_may_be_written_as_a_number_or_a_truth() {
        let document = Document::toml("a.toml", "a = true\nb = 3\nc = \"on\"\nd = [1]\n").unwrap();
        let faults = Faulty::new();
        let pairs = document.fields(&faults).pairs();
        let told: Vec<String> = pairs.iter().map(|(name, word)| format!("{name} {word}")).collect();
        assert_eq!(told, ["a true", "b 3", "c on"]);
        assert_eq!(faults.or(()).unwrap_err().to_string(), "a.toml:4: d: expected text, found a list");
    }

    #[test]
    fn an_entry_read_elsewhere_keeps_its_place() {
        let text = "[[boon]]\nname = \"A\"\n\n[[boon]]\nname = \"B\"\nhands = true\n";
        let document = Document::toml("b.toml", text).unwrap();
        let around = serde_json::json!({ "character": [{ "name": "X", "boon": [Document::ENTRY] }] });
        let placed = document.placed("boon", 1, &around).unwrap();
        assert!(
            document.placed("boon", 2, &around).is_none() && document.placed("foe", 0, &around).is_none()
        );
        let faults = Faulty::new();
        for character in placed.fields(&faults).tables("character") {
            for boon in character.tables("boon") {
                boon.int("hands", 0..=2);
            }
        }
        let told = faults.or(()).unwrap_err().moved("character[1].boon[1]", "boon[2]");
        let expected = "b.toml:6: boon[2].hands: expected a whole number from 0 to 2, found true or false";
        assert_eq!(told.to_string(), expected);
        assert_eq!(told.clone().moved("boo", "foe"), told, "no part of a name");
    }

    #[test]
    fn an_entry_may_have_a_history() {
        let told = |text: &str| {
            let document = Document::toml("a.toml", text).unwrap();
            let faults = Faulty::new();
            let top = document.fields(&faults);
            top.tables("character").into_iter().for_each(Fields::done);
            top.done();
            faults.or(()).map_err(|faults| faults.0.len())
        };
        assert_eq!(told("[[character]]\nhistory = [\"lived\"]\n"), Ok(()));
        assert_eq!(told("[[character]]\nhistory = [1, 2]\n"), Err(1));
        assert_eq!(told("history = [\"lived\"]\n"), Err(1), "only an entry");
    }

    #[test]
    fn a_watched_document_tells_what_its_fields_take() {
        let text = "title = 1\n[[foe]]\nstats = { arm = 1 }\n[[foe]]\nname = \"B\"\n[[foe.boon]]\n";
        let document = Document::toml("w.toml", text).unwrap().watched();
        let faults = Faulty::new();
        document.fields(&faults).text("title");
        for at in 0..2 {
            let around = serde_json::json!({ "foe": [Document::ENTRY] });
            let placed = document.placed("foe", at, &around).unwrap();
            let around = placed.fields(&faults);
            around.text("of no document");
            for foe in around.tables("foe") {
                foe.text("name");
                foe.text("name");
                foe.word("kind", &[("brute", 1), ("nemesis", 2)]);
                if let Some(stats) = foe.table("stats") {
                    stats.int("arm", 0..=3);
                }
                for boon in foe.tables("boon") {
                    boon.flag("readied");
                }
            }
        }
        let wants = document.wants();
        let told: Vec<String> =
            wants.iter().map(|(path, name, want)| format!("{path}/{name}: {want:?}")).collect();
        let kind = "Word([\"brute\", \"nemesis\"])";
        let expected = [
            "/title: Text".to_owned(),
            "foe[1]/name: Text".to_owned(),
            format!("foe[1]/kind: {kind}"),
            "foe[1]/stats: Table".to_owned(),
            "foe[1]/boon: Tables".to_owned(),
            "foe[1].stats/arm: Int(0, 3)".to_owned(),
            "foe[2]/name: Text".to_owned(),
            format!("foe[2]/kind: {kind}"),
            "foe[2]/stats: Table".to_owned(),
            "foe[2]/boon: Tables".to_owned(),
            "foe[2].boon[1]/readied: Flag".to_owned(),
        ];
        assert_eq!(told, expected);
        assert!(Document::toml("w.toml", text).unwrap().wants().is_empty());
    }

    #[test]
    fn a_watched_document_tells_what_must_be_there() {
        let text = "[[foe]]\nname = \"A\"\n[[foe]]\nkind = \"brute\"\n";
        let document = Document::toml("w.toml", text).unwrap().watched();
        let faults = Faulty::new();
        for foe in document.fields(&faults).tables("foe") {
            foe.must_text("name");
            foe.must("kind", "brute or foe");
        }
        let needs = document.needs();
        let told: Vec<String> = needs.iter().map(|(path, name)| format!("{path}/{name}")).collect();
        assert_eq!(told, ["foe[1]/kind", "foe[1]/name", "foe[2]/kind", "foe[2]/name"]);
        let expected = "w.toml:1: foe[1]: `kind` is missing: brute or foe\n\
                        w.toml:3: foe[2]: `name` is missing: text";
        assert_eq!(faults.or(()).unwrap_err().to_string(), expected);
        assert!(Document::toml("w.toml", text).unwrap().needs().is_empty());
    }

    #[test]
    fn what_does_nothing_is_a_fault_but_in_what_is_kept() {
        let told = |document: Document| {
            let faults = Faulty::new();
            for foe in document.fields(&faults).tables("foe") {
                foe.text("name");
                foe.texts("makes");
                foe.idle_all(&["makes", "serves"], "foes roll nothing");
                foe.idle("", "it does nothing");
            }
            faults.or(()).err().map(|faults| faults.to_string())
        };
        let text = "[[foe]]\nname = \"A\"\nmakes = [\"bold\"]\n";
        let read = |text: &str| Document::toml("a.toml", text).unwrap();
        let expected = "a.toml:1: foe[1]: it does nothing\na.toml:3: foe[1].makes: foes roll nothing";
        assert_eq!(told(read(text)).as_deref(), Some(expected));
        assert_eq!(told(read(text).kept()), None);
        let empty = "a.toml:1: foe[1]: it does nothing";
        assert_eq!(told(read("[[foe]]\nname = \"A\"\nmakes = []\n")).as_deref(), Some(empty));
        let expected = "a.toml:3: foe[1].makes: foes roll nothing";
        assert_eq!(told(read(&format!("{text}does = 1\n"))).as_deref(), Some(expected));
        assert_eq!(told(read(&format!("{text}[carried]\nlog = \"a\"\n"))), None);
    }

    #[test]
    fn settings_say_what_would_be_right() {
        let document = Document::toml("a.toml", "end = \"erly\"\nties = \"late\"\ntie = \"late\"\n").unwrap();
        let faults = Faulty::new();
        document.fields(&faults).settings(|id, word| match (id, word) {
            ("end" | "tie", "early" | "late") => Ok(()),
            ("end" | "tie", _) => Err(not_one_of(word, &["early", "late"])),
            _ => Err(no_option(id, &["end", "tie"])),
        });
        assert_eq!(
            faults.or(()).unwrap_err().to_string(),
            "a.toml:1: end: expected one of early, late, found \"erly\"; perhaps `early`\n\
             a.toml:2: ties: no such option; perhaps `tie`; there are end, tie"
        );
    }

    #[test]
    fn broken_toml_names_every_line() {
        let lines = |text: &str| -> Vec<usize> {
            Document::toml("b.toml", text).unwrap_err().0.iter().map(|fault| fault.line).collect()
        };
        assert_eq!(lines("a = 1\nb = = 2\n"), [2]);
        assert_eq!(lines("a = 1\nb = \"open\nc = 3\n[table\nd = 4\n"), [2, 4]);
    }

    #[test]
    fn a_word_near_to_one_there_is_is_suggested() {
        let document = Document::toml("a.toml", "kind = \"Brut\"\nuse = \"Bell Hammr\"\n").unwrap();
        let faults = Faulty::new();
        let fields = document.fields(&faults);
        fields.unknown("use", "nothing here is called", "Bell Hammr", ["Bell Hammer", "Tongs"]);
        fields.word("kind", &[("brute", 1), ("foe", 2)]);
        assert_eq!(
            faults.or(()).unwrap_err().to_string(),
            "a.toml:1: kind: expected one of brute, foe, found \"Brut\"; perhaps `brute`\n\
             a.toml:2: use: nothing here is called \"Bell Hammr\"; perhaps `Bell Hammer`"
        );
    }
}
