//! A document as a form: fields with the values they take. A form's answers go back into the
//! text, which otherwise stays as its author wrote it.
//!
//! Paths are those of faults: `character[2].stats`. The name of a form's field is a letter
//! for how its answer is read ([`Control`]), a colon, and its path.

use crate::guide::{Guide, Line};
use fracas_kernel::{Kind, Names, Rulebook, Want};
use std::collections::{BTreeMap, BTreeSet};
use toml_edit::{
    Array, ArrayOfTables, Decor, DocumentMut, InlineTable, Item, RawString, Table, TableLike, Value,
};

/// The control that fills in a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// A line of text.
    Line,
    /// Several lines of text.
    Area,
    /// A whole number, with its bounds if they are known.
    Number(Option<(i64, i64)>),
    /// Yes, no, or left out.
    Flag,
    /// One of these, or left out.
    Choice(Vec<String>),
    /// Any of these.
    Marks(Vec<String>),
    /// Texts, one a line.
    Lines,
    /// Anything else, as TOML.
    Raw,
}

impl Control {
    /// The letter for how its answer is read; see [`answer`].
    pub fn letter(&self) -> char {
        match self {
            Control::Line | Control::Area | Control::Choice(_) => 't',
            Control::Number(_) => 'n',
            Control::Flag => 'f',
            Control::Marks(_) => 'm',
            Control::Lines => 'l',
            Control::Raw => 'r',
        }
    }
}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its path in the document, such as `character[2].name`.
    pub path: String,
    /// Its name.
    pub key: String,
    /// The template's explanation; may be empty.
    pub help: String,
    /// The control that fills it in.
    pub control: Control,
    /// The current values: a text, a word or a number; several for lists.
    pub values: Vec<String>,
    /// Whether the document has the field.
    pub present: bool,
    /// An example value, as TOML.
    pub example: String,
}

/// A part of a form.
#[derive(Clone, Debug)]
pub enum Part {
    /// A field.
    Leaf(Leaf),
    /// A table.
    Table {
        /// Its path in the document.
        path: String,
        /// Its name.
        key: String,
        /// The template's explanation; may be empty.
        help: String,
        /// Its fields, tables and lists.
        parts: Vec<Part>,
        /// Whether the document has the table.
        present: bool,
    },
    /// A list of tables.
    List {
        /// Its path in the document.
        path: String,
        /// Its name.
        key: String,
        /// The template's explanation; may be empty.
        help: String,
        /// Its entries.
        rows: Vec<Row>,
    },
}

impl Part {
    /// Whether the document has the part.
    pub fn is_present(&self) -> bool {
        match self {
            Part::Leaf(leaf) => leaf.present,
            Part::Table { present, .. } => *present,
            Part::List { rows, .. } => !rows.is_empty(),
        }
    }
}

/// An entry of a list.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its path in the document.
    pub path: String,
    /// The entry's name, if it has one.
    pub title: String,
    /// Its fields, tables and lists.
    pub parts: Vec<Part>,
}

/// A field's name in prose: `subtle_marks` is `subtle marks`.
pub fn label(key: &str) -> String {
    if key == "npc" { "NPC".to_owned() } else { key.replace(['_', '-'], " ") }
}

/// The sources of a form.
pub struct Known<'k> {
    /// The explanations in the system's templates.
    pub guide: &'k Guide,
    /// The fields that the system's reader asked for.
    pub wants: &'k [(String, &'static str, Want)],
    /// The system's rulebook.
    pub rulebook: &'static Rulebook,
}

/// A table's place without the numbers of entries: `character[2].trait` is
/// `character.trait`.
fn place(path: &str) -> String {
    let mut place = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '[' => inside = true,
            ']' => inside = false,
            c if !inside => place.push(c),
            _ => {}
        }
    }
    place
}

/// The path of a field below another.
pub fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The kind of an item in a form.
enum Shape<'i> {
    Value(&'i Value),
    Table(&'i dyn TableLike),
    Rows(Vec<&'i dyn TableLike>),
}

fn shape(item: &Item) -> Option<Shape<'_>> {
    Some(match item {
        Item::None => return None,
        Item::Table(table) => Shape::Table(table),
        Item::ArrayOfTables(tables) => Shape::Rows(tables.iter().map(|table| table as _).collect()),
        Item::Value(Value::InlineTable(table)) => Shape::Table(table),
        Item::Value(value) => {
            let rows: Option<Vec<&dyn TableLike>> =
                value.as_array().filter(|list| !list.is_empty()).and_then(|list| {
                    list.iter().map(|value| value.as_inline_table().map(|table| table as _)).collect()
                });
            rows.map_or(Shape::Value(value), Shape::Rows)
        }
    })
}

/// A whole document as a form.
pub fn parts(document: &DocumentMut, known: &Known<'_>) -> Vec<Part> {
    known.table(document.as_table(), "")
}

impl Known<'_> {
    fn table(&self, table: &dyn TableLike, path: &str) -> Vec<Part> {
        if path == "options" {
            return self.options(table);
        }
        let place = place(path);
        // The template's order is familiar: a field keeps its place, filled in or not. Other
        // fields of the document follow, then those that a reader asks for.
        let mut keys: Vec<String> = self.guide.lines(&place).iter().map(|line| line.key.clone()).collect();
        let there = table.iter().map(|(key, _)| key.to_owned());
        let asked =
            self.wants.iter().filter(|(there, ..)| there == path).map(|(_, key, _)| (*key).to_owned());
        for key in there.chain(asked) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.into_iter().map(|key| self.part(table.get(&key), path, &place, key)).collect()
    }

    fn part(&self, item: Option<&Item>, path: &str, place: &str, key: String) -> Part {
        let path_here = below(path, &key);
        let want = self.wants.iter().find(|(there, name, _)| there == path && *name == key);
        let want = want.map(|(.., want)| want);
        let line = self.guide.line(place, &key);
        let head = self.guide.head(&below(place, &key)).to_owned();
        let help = line.map(|line| line.help.clone()).filter(|help| !help.is_empty()).unwrap_or(head);
        let example = line.map_or("", |line| line.example.as_str());
        let empty = Table::new();
        match (item.and_then(shape), want) {
            (Some(Shape::Table(table)), _) => {
                let parts = self.table(table, &path_here);
                Part::Table { path: path_here, key, help, parts, present: true }
            }
            (Some(Shape::Rows(rows)), _) => {
                let rows = rows.into_iter().enumerate().map(|(at, table)| {
                    let path = format!("{path_here}[{}]", at + 1);
                    Row { title: called(table), parts: self.table(table, &path), path }
                });
                let rows = rows.collect();
                Part::List { path: path_here, key, help, rows }
            }
            (Some(Shape::Value(value)), Some(Want::Tables))
                if value.as_array().is_some_and(Array::is_empty) =>
            {
                Part::List { path: path_here, key, help, rows: Vec::new() }
            }
            (None, Some(Want::Tables)) => Part::List { path: path_here, key, help, rows: Vec::new() },
            (None, Some(Want::Table)) => {
                let mut parts = self.table(&empty, &path_here);
                if parts.is_empty() {
                    parts = examples(&path_here, example);
                }
                Part::Table { path: path_here, key, help, parts, present: false }
            }
            (Some(Shape::Value(value)), want) => {
                let example = example.to_owned();
                Part::Leaf(leaf(path_here, key, help, example, want, Some(value)))
            }
            (None, want) => Part::Leaf(leaf(path_here, key, help, example.to_owned(), want, None)),
        }
    }

    /// The options of the table, each a ruling that can be chosen.
    fn options(&self, table: &dyn TableLike) -> Vec<Part> {
        let rulings = self.rulebook.entries.iter().filter(|entry| entry.kind == Kind::Ruling);
        let mut parts: Vec<Part> = rulings
            .filter_map(|entry| {
                let option = entry.option.as_ref()?;
                let value = table.get(entry.id).and_then(Item::as_value);
                let words = option.values.iter().map(|word| (*word).to_owned()).collect();
                let want = Want::Word(words);
                let help = format!("{} As a rule: {}.", option.question, option.default);
                let path = below("options", entry.id);
                Some(Part::Leaf(leaf(path, entry.id.to_owned(), help, String::new(), Some(&want), value)))
            })
            .collect();
        for (key, item) in table.iter() {
            let is_shown = |part: &Part| matches!(part, Part::Leaf(leaf) if leaf.key == key);
            if let (false, Some(value)) = (parts.iter().any(is_shown), item.as_value()) {
                let path = below("options", key);
                let none = String::new;
                parts.push(Part::Leaf(leaf(path, key.to_owned(), none(), none(), None, Some(value))));
            }
        }
        parts
    }
}

/// An entry's name.
fn called(table: &dyn TableLike) -> String {
    let text = |key| table.get(key).and_then(Item::as_str);
    text("name").or_else(|| text("use")).unwrap_or_default().to_owned()
}

/// The fields of a table, all empty, from an example on one line.
fn examples(path: &str, example: &str) -> Vec<Part> {
    let Ok(Value::InlineTable(table)) = example.parse::<Value>() else { return Vec::new() };
    table
        .iter()
        .map(|(key, value)| {
            let shown = value.to_string().trim().to_owned();
            Part::Leaf(leaf(below(path, key), key.to_owned(), String::new(), shown, None, None))
        })
        .collect()
}

fn texts(list: &Array) -> Option<Vec<String>> {
    list.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

/// The longest text that is written in one line of a form.
const LINE: usize = 28;

fn leaf(
    path: String,
    key: String,
    help: String,
    example: String,
    want: Option<&Want>,
    value: Option<&Value>,
) -> Leaf {
    let shown = example.parse::<Value>().ok();
    let like = value.or(shown.as_ref());
    let long = |text: &str| text.is_empty() || text.len() > LINE || text.contains('\n');
    let text = match (value.and_then(Value::as_str), shown.as_ref().and_then(Value::as_str)) {
        (Some(text), example) if long(text) && !(text.is_empty() && example.is_none()) => Control::Area,
        (_, Some(example)) if long(example) => Control::Area,
        _ => Control::Line,
    };
    let control = match want {
        Some(Want::Text) => text,
        Some(Want::Int(least, most)) => Control::Number(Some((*least, *most))),
        Some(Want::Flag) => Control::Flag,
        Some(Want::Word(words)) => Control::Choice(words.clone()),
        Some(Want::Words(words)) => Control::Marks(words.clone()),
        Some(Want::Texts) => Control::Lines,
        Some(Want::Table | Want::Tables) => Control::Raw,
        None => match like {
            None | Some(Value::String(_)) => text,
            Some(Value::Integer(_)) => Control::Number(None),
            Some(Value::Boolean(_)) => Control::Flag,
            Some(Value::Array(list)) if texts(list).is_some() => Control::Lines,
            Some(_) => Control::Raw,
        },
    };
    let (control, values) = filled(control, value);
    Leaf {
        path,
        key,
        help,
        control,
        values,
        present: value.is_some(),
        example: plain(shown.as_ref(), example),
    }
}

/// An example as a person would type it into the form.
fn plain(shown: Option<&Value>, example: String) -> String {
    match shown {
        Some(Value::String(text)) => text.value().clone(),
        Some(Value::Array(list)) => texts(list).map_or(example, |texts| texts.join("\n")),
        _ => example,
    }
}

/// A value as its control shows it; as TOML if that control cannot.
fn filled(control: Control, value: Option<&Value>) -> (Control, Vec<String>) {
    let Some(value) = value else { return (control, Vec::new()) };
    let several = || match value {
        Value::String(text) => Some(vec![text.value().clone()]),
        Value::Array(list) => texts(list),
        _ => None,
    };
    let values = match &control {
        Control::Line | Control::Area | Control::Choice(_) => {
            value.as_str().map(|text| vec![text.to_owned()])
        }
        // A value that is not a number is shown as typed.
        Control::Number(_) => {
            let typed = value.as_str().map(|text| vec![text.to_owned()]);
            value.as_integer().map(|n| vec![n.to_string()]).or(typed)
        }
        Control::Flag => value.as_bool().map(|yes| vec![if yes { "yes" } else { "no" }.to_owned()]),
        Control::Marks(_) | Control::Lines => several(),
        Control::Raw => None,
    };
    match (control, values) {
        // A duplicate cannot be ticked twice.
        (Control::Marks(_), Some(values))
            if (1..values.len()).any(|at| values[..at].contains(&values[at])) =>
        {
            (Control::Lines, values)
        }
        (control, Some(values)) => (control, values),
        (_, None) => (Control::Raw, vec![value.clone().decorated("", "").to_string()]),
    }
}

/// Puts a form's answers into a document. Values that did not change are not touched.
pub fn answer(document: &mut DocumentMut, form: &[(String, String)]) {
    let mut answers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in form.iter().filter(|(name, _)| name.as_bytes().get(1) == Some(&b':')) {
        answers.entry(name).or_default().push(value);
    }
    let seats = said_in(document, PLAYER, "name");
    for (name, values) in answers {
        let (letter, path) = (&name[..1], &name[2..]);
        let Some((at, key)) = split(path) else { continue };
        let now = table_at(document, &at).and_then(|table| table.get(key)).and_then(Item::as_value);
        let wanted = read(letter, &values, now);
        if same(wanted.as_ref(), now) {
            continue;
        }
        match wanted {
            None => {
                if let Some(table) = table_at(document, &at) {
                    take_out(table, key);
                }
            }
            Some(value) => {
                if let Some(table) = table_for(document, &at) {
                    set_field(table, key, value);
                }
            }
        }
    }
    let now = said_in(document, PLAYER, "name");
    if seats.len() == now.len() {
        for (was, is) in seats.iter().zip(&now).filter(|(was, _)| !now.contains(was)) {
            plays_as(document, was, is);
        }
    }
}

/// Renames a player: their characters stay theirs.
fn plays_as(document: &mut DocumentMut, was: &str, is: &str) {
    for character in entries(document, CHARACTER) {
        if character.get(PLAYER).and_then(Item::as_str) == Some(was) {
            character.insert(PLAYER, Item::Value(Value::from(is)));
        }
    }
}

/// The value that a form's answer means; `None` for no field at all.
fn read(letter: &str, values: &[&str], now: Option<&Value>) -> Option<Value> {
    let text = values.first().map(|text| text.replace("\r\n", "\n")).unwrap_or_default();
    let list = |items: Vec<String>| {
        // An empty list differs from a missing one.
        let empty = items.is_empty() && now.is_none();
        (!empty).then(|| Value::Array(items.into_iter().collect()))
    };
    match letter {
        "l" => list(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()),
        "m" => list(values.iter().filter(|value| !value.is_empty()).map(|v| (*v).to_owned()).collect()),
        _ if text.is_empty() => None,
        "n" => Some(text.trim().parse::<i64>().map_or_else(|_| Value::from(text), Value::from)),
        "f" => Some(Value::from(text == "yes")),
        "r" => Some(text.parse::<Value>().unwrap_or_else(|_| Value::from(text))),
        _ => Some(Value::from(text)),
    }
}

/// Whether two values mean the same.
fn same(value: Option<&Value>, other: Option<&Value>) -> bool {
    match (value, other) {
        (Some(Value::Array(value)), Some(Value::Array(other))) => {
            value.len() == other.len() && value.iter().zip(other.iter()).all(|(a, b)| same(Some(a), Some(b)))
        }
        // A single text stands for a list of one.
        (Some(Value::Array(list)), Some(text @ Value::String(_))) if list.len() == 1 => {
            same(list.get(0), Some(text))
        }
        (Some(Value::String(a)), Some(Value::String(b))) => a.value() == b.value(),
        (Some(Value::Integer(a)), Some(Value::Integer(b))) => a.value() == b.value(),
        (Some(Value::Boolean(a)), Some(Value::Boolean(b))) => a.value() == b.value(),
        (Some(a), Some(b)) => {
            a.clone().decorated("", "").to_string() == b.clone().decorated("", "").to_string()
        }
        (None, None) => true,
        // An empty text that was not touched.
        (None, Some(Value::String(text))) => text.value().is_empty(),
        _ => false,
    }
}

/// Sets a field; comments beside its old value stay.
pub(crate) fn set_field(table: &mut dyn TableLike, key: &str, value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        // A list of tables is not a field: it is changed entry by entry.
        Some(item) if !item.is_none() => {}
        _ => {
            // The space before the end of an inline table is no space before the next comma.
            if let Some(last) = table.iter_mut().last().and_then(|(_, item)| item.as_value_mut()) {
                let suffix = last.decor().suffix().and_then(RawString::as_str);
                if suffix.is_some_and(|suffix| suffix.trim().is_empty()) {
                    last.decor_mut().set_suffix("");
                }
            }
            table.insert(key, Item::Value(value));
        }
    }
}

/// Removes a field; the comments above it move to the field below.
pub(crate) fn take_out(table: &mut dyn TableLike, key: &str) {
    let above = table.key(key).and_then(|key| written(key.leaf_decor())).filter(|text| text.contains('#'));
    let next = table.iter().skip_while(|(there, _)| *there != key).nth(1).map(|(next, _)| next.to_owned());
    table.remove(key);
    if let (Some(above), Some(next)) = (above, next)
        && let Some(mut next) = table.key_mut(&next)
    {
        let own = written(next.leaf_decor()).unwrap_or_default();
        next.leaf_decor_mut().set_prefix(format!("{above}{own}"));
    }
}

pub(crate) fn written(decor: &Decor) -> Option<String> {
    decor.prefix().and_then(RawString::as_str).map(str::to_owned)
}

pub(crate) type Step<'p> = (&'p str, Option<usize>);

/// The deepest nesting of tables in a path. Forms are far less deep.
const DEEPEST: usize = 16;

/// Splits a field's path into the way to its table, and its name. `None` if it is not a
/// path, or is nested too deeply.
pub(crate) fn split(path: &str) -> Option<(Vec<Step<'_>>, &str)> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for part in path.split('.') {
        if steps.len() > DEEPEST {
            return None;
        }
        let step = match part.split_once('[') {
            None => (part, None),
            Some((key, at)) => (key, Some(at.strip_suffix(']')?.parse::<usize>().ok()?.checked_sub(1)?)),
        };
        steps.push(step);
    }
    match steps.pop()? {
        (key, None) => Some((steps, key)),
        _ => None,
    }
}

fn into<'d>(table: &'d mut dyn TableLike, (key, at): Step<'_>) -> Option<&'d mut dyn TableLike> {
    match (table.get_mut(key)?, at) {
        (item, None) => item.as_table_like_mut(),
        (Item::ArrayOfTables(tables), Some(at)) => tables.get_mut(at).map(|table| table as _),
        (Item::Value(Value::Array(list)), Some(at)) => {
            list.get_mut(at)?.as_inline_table_mut().map(|table| table as _)
        }
        _ => None,
    }
}

pub(crate) fn table_at<'d>(
    document: &'d mut DocumentMut,
    steps: &[Step<'_>],
) -> Option<&'d mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for step in steps {
        table = into(table, *step)?;
    }
    Some(table)
}

/// The table at these steps; missing tables are created.
fn table_for<'d>(document: &'d mut DocumentMut, steps: &[Step<'_>]) -> Option<&'d mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, &(key, at)) in steps.iter().enumerate() {
        if at.is_none() && !table.contains_key(key) {
            let made = if depth == 0 {
                Item::Table(Table::new())
            } else {
                Item::Value(Value::InlineTable(InlineTable::new()))
            };
            table.insert(key, made);
        }
        table = into(table, (key, at))?;
    }
    Some(table)
}

/// Adds an entry to the list at a path, with the fields of the guide's example. Returns the
/// entry's path.
pub fn add(document: &mut DocumentMut, path: &str, guide: &Guide) -> Option<String> {
    let (steps, key) = split(path)?;
    let place = place(path);
    let table = table_at(document, &steps)?;
    let there = match table.get(key) {
        Some(Item::ArrayOfTables(tables)) => tables.len(),
        Some(Item::Value(Value::Array(list))) => list.len(),
        Some(Item::None) | None => 0,
        Some(_) => return None,
    };
    let mut entry = Table::new();
    let lines = guide.lines(&place);
    // An example's own texts, above all its secret, belong to the example.
    let is_copied = |line: &&Line| !["secret", "note", "history"].contains(&line.key.as_str());
    let of_its_own = |line: &&Line| line.given && line.place == lines[0].place && is_copied(line);
    for line in lines.iter().copied().filter(of_its_own) {
        if let Ok(value) = line.example.parse::<Value>() {
            entry.insert(&line.key, Item::Value(value));
        }
    }
    // Two entries with one name would be a fault at once.
    if entry.contains_key("name") || entry.is_empty() {
        entry.insert("name", Item::Value(Value::from(format!("New {} {}", label(key), there + 1))));
    }
    push(table, key, entry);
    Some(format!("{path}[{}]", there + 1))
}

/// Adds an entry to a list, in either notation. Returns the number of entries.
fn push(table: &mut dyn TableLike, key: &str, entry: Table) -> usize {
    match table.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.push(entry);
            tables.len()
        }
        Some(Item::Value(Value::Array(list))) if !list.is_empty() => {
            list.push(entry.into_inline_table());
            list.len()
        }
        _ => {
            let mut tables = ArrayOfTables::new();
            tables.push(entry);
            table.insert(key, Item::ArrayOfTables(tables));
            1
        }
    }
}

/// The entries of a list at the top, in either notation.
pub(crate) fn entries<'d>(document: &'d mut DocumentMut, list: &str) -> Vec<&'d mut dyn TableLike> {
    match document.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter_mut().map(|table| table as &mut dyn TableLike).collect()
        }
        Some(Item::Value(Value::Array(list))) => {
            let tables = list.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table| table as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// The values of a field in the entries of a list.
fn said_in(document: &mut DocumentMut, list: &str, field: &str) -> Vec<String> {
    let text = |table: &mut dyn TableLike| Some(table.get(field)?.as_str()?.to_owned());
    entries(document, list).into_iter().filter_map(text).collect()
}

/// Copies a person of the library into a list at the top. Returns the entry's path. A
/// player's character goes to the first player without a character, or to a new one. An
/// entry with that name is replaced, but keeps its player and side.
pub fn take(document: &mut DocumentMut, list: &str, name: &str) -> String {
    let uses = Item::Value(Value::from(name));
    if list != CHARACTER {
        let taken: Vec<String> = ["name", "use"]
            .iter()
            .flat_map(|field| said_in(document, list, field))
            .map(|name| Names::slug_of(&name))
            .collect();
        let is_taken = |called: &str| taken.contains(&Names::slug_of(called));
        let mut entry = Table::new();
        entry.insert("use", uses);
        if is_taken(name) {
            let free = (2..).map(|n| format!("{name} {n}")).find(|called| !is_taken(called));
            entry.insert("name", Item::Value(Value::from(free.unwrap_or_default())));
        }
        return format!("{list}[{}]", push(document.as_table_mut(), list, entry));
    }
    let is_them = |table: &&mut dyn TableLike| {
        ["name", "use"].iter().any(|field| table.get(field).and_then(Item::as_str) == Some(name))
    };
    let there = entries(document, list).iter().position(is_them);
    let at = there.unwrap_or_else(|| push(document.as_table_mut(), list, Table::new()) - 1);
    let seat = there.and_then(|at| Some(entries(document, list).get(at)?.get(PLAYER)?.as_str()?.to_owned()));
    let player = seat.unwrap_or_else(|| seat_for(document));
    if let Some(entry) = entries(document, list).get_mut(at) {
        let rest: Vec<String> =
            entry.iter().map(|(key, _)| key.to_owned()).filter(|key| key != PLAYER && key != SIDE).collect();
        for key in rest {
            entry.remove(&key);
        }
        entry.insert("use", uses);
        entry.insert(PLAYER, Item::Value(Value::from(player)));
    }
    format!("{list}[{}]", at + 1)
}

/// The first player without a character, or a new one.
fn seat_for(document: &mut DocumentMut) -> String {
    let (taken, players) = (said_in(document, CHARACTER, PLAYER), said_in(document, PLAYER, "name"));
    if let Some(free) = players.iter().find(|player| !taken.contains(player)) {
        return free.clone();
    }
    let another = (players.len() + 1..).map(|n| format!("Player {n}")).find(|name| !players.contains(name));
    let another = another.unwrap_or_default();
    let mut seat = Table::new();
    seat.insert("name", Item::Value(Value::from(another.as_str())));
    push(document.as_table_mut(), PLAYER, seat);
    another
}

/// The field with a character's side.
const SIDE: &str = "side";
/// The list of players' characters.
const CHARACTER: &str = "character";
const PLAYER: &str = "player";

/// Removes the entry at a path such as `character[2]`. With a person go the player who plays
/// nobody else, and everything that refers to the person. `others` is the list of the
/// gamemaster's characters.
pub fn remove(document: &mut DocumentMut, path: &str, others: &str) {
    let list = path.split('[').next().filter(|_| !path.contains('.')).unwrap_or_default();
    let name = format!("{path}.name");
    let somebody = split(&name).filter(|_| [CHARACTER, others].contains(&list));
    let Some((steps, _)) = somebody else { return remove_entry(document, path) };
    let Some(entry) = table_at(document, &steps) else { return };
    let called_by = calls(entry);
    let player = entry.get(PLAYER).and_then(Item::as_str).map(str::to_owned);
    remove_entry(document, path);
    let left = all_calls(document, others);
    let gone: BTreeSet<String> = called_by.into_iter().filter(|call| !left.contains(call)).collect();
    forget(document.as_table_mut(), "", &gone);
    if let Some(player) = player.filter(|player| !said_in(document, CHARACTER, PLAYER).contains(player)) {
        let at = said_in(document, PLAYER, "name").iter().position(|name| *name == player);
        at.into_iter().for_each(|at| remove_entry(document, &format!("{PLAYER}[{}]", at + 1)));
    }
}

/// Removes all people, with their players and everything that refers to them.
pub fn remove_everybody(document: &mut DocumentMut, others: &str) {
    let gone = all_calls(document, others);
    for list in [CHARACTER, others, PLAYER] {
        document.remove(list);
    }
    forget(document.as_table_mut(), "", &gone);
}

/// The ways to refer to an entry: its name, and its id or the slug of its name, each with
/// and without an at sign.
fn calls(entry: &dyn TableLike) -> Vec<String> {
    let name = called(entry);
    let id = entry.get("id").and_then(Item::as_str).map_or_else(|| Names::slug_of(&name), str::to_owned);
    let mut calls = Vec::new();
    if !id.is_empty() {
        calls.push(format!("@{id}"));
        calls.push(id);
    }
    if !name.is_empty() {
        calls.push(name);
    }
    calls
}

/// The ways to refer to all people: players' characters and those of the gamemaster.
fn all_calls(document: &mut DocumentMut, others: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for list in [CHARACTER, others] {
        for entry in entries(document, list) {
            all.extend(calls(entry));
        }
    }
    all
}

/// Fields that refer to people of the cast. All others are left alone, whatever they hold:
/// prose, players, things, the game's own words.
const REFERS: &[&str] = &[
    "about",
    "alone",
    "creator",
    "defeated",
    "from",
    "heedless_of",
    "in_trouble",
    "known_to",
    "lives",
    "present",
    "to",
    "unaware_of",
    "unprepared",
    "who",
];

/// Fields that identify an entry or hold text to be read. An entry with one of them still
/// means something without the people it refers to.
const ITS_OWN: &[&str] = &["name", "title", "use", "summary", "text", "secret"];

/// Whether a field of a table, or of an entry of a list, refers to people of the cast.
fn refers(table: &str, field: &str) -> bool {
    match field {
        "against" => table == "made",
        "by" => table == "grip",
        // Elsewhere, a lost thing.
        "lost" => table == "conflict",
        "on" => table == "pool",
        _ => REFERS.contains(&field),
    }
}

/// Removes these names from all references in the table called `of`. Returns whether that
/// emptied a field. An entry with an emptied field is removed, unless it has a field of
/// [`ITS_OWN`].
fn forget(table: &mut dyn TableLike, of: &str, gone: &BTreeSet<String>) -> bool {
    let is_gone = |value: &Value| value.as_str().is_some_and(|text| gone.contains(text));
    let is_left = |entry: &mut dyn TableLike, list: &str| {
        !forget(entry, list, gone) || ITS_OWN.iter().any(|field| entry.contains_key(field))
    };
    let mut emptied: Vec<String> = Vec::new();
    for (key, item) in table.iter_mut() {
        let field = key.get();
        let is_over = match item {
            Item::Value(Value::Array(list)) if !list.is_empty() => {
                if refers(of, field) {
                    list.retain(|value| !is_gone(value));
                }
                let left = list
                    .iter_mut()
                    .map(|value| value.as_inline_table_mut().is_none_or(|entry| is_left(entry, field)));
                let mut left = left.collect::<Vec<_>>().into_iter();
                list.retain(|_| left.next().unwrap_or(true));
                list.is_empty()
            }
            Item::Value(value) if is_gone(value) => refers(of, field),
            Item::ArrayOfTables(tables) => {
                let left = tables.iter_mut().map(|entry| is_left(entry, field));
                let mut left = left.collect::<Vec<_>>().into_iter();
                tables.retain(|_| left.next().unwrap_or(true));
                tables.is_empty()
            }
            item => {
                let inner = item.as_table_like_mut();
                inner.is_some_and(|inner| forget(inner, field, gone) && inner.is_empty())
            }
        };
        if is_over {
            emptied.push(field.to_owned());
        }
    }
    emptied.iter().rev().for_each(|key| drop(table.remove(key)));
    !emptied.is_empty()
}

fn remove_entry(document: &mut DocumentMut, path: &str) {
    let Some((list, at)) = path.strip_suffix(']').and_then(|path| path.rsplit_once('[')) else { return };
    let Some(at) = at.parse::<usize>().ok().and_then(|at| at.checked_sub(1)) else { return };
    let Some((steps, key)) = split(list) else { return };
    let Some(table) = table_at(document, &steps) else { return };
    let left = match table.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) if at < tables.len() => {
            tables.remove(at);
            tables.len()
        }
        Some(Item::Value(Value::Array(list))) if at < list.len() => {
            list.remove(at);
            list.len()
        }
        _ => return,
    };
    if left == 0 {
        table.remove(key);
    }
}

/// One entry of a document's list, alone, with its comments: the one of this name, or the
/// first.
pub fn entry_of(text: &str, list: &str, name: Option<&str>) -> Option<String> {
    let document: DocumentMut = text.parse().ok()?;
    let is_it =
        |entry: &&Table| name.is_none_or(|name| entry.get("name").and_then(Item::as_str) == Some(name));
    let mut entry = document.get(list)?.as_array_of_tables()?.iter().find(is_it)?.clone();
    entry.decor_mut().set_prefix("");
    let mut entries = ArrayOfTables::new();
    entries.push(entry);
    let mut alone = DocumentMut::new();
    alone.insert(list, Item::ArrayOfTables(entries));
    Some(alone.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Mine.\ntitle = \"X\" # keep\n\n[[character]]\n# Who.\nname = \"Ana\"\n# How many.\nrisk = 3\n\
        stats = { arm = 1, eyes = 2 }\nmarks = [\"crush\"]\n\n[[character.boon]]\nname = \"Net\"\n\n[[character]]\nname = \"Bo\"\n";

    #[track_caller]
    fn answered(form: &[(&str, &str)]) -> String {
        let mut document: DocumentMut = TEXT.parse().expect("TOML");
        let form: Vec<(String, String)> =
            form.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        answer(&mut document, &form);
        document.to_string()
    }

    #[test]
    fn what_is_not_changed_stays_to_the_letter() {
        let all = [
            ("t:title", "X"),
            ("t:character[1].name", "Ana"),
            ("n:character[1].risk", "3"),
            ("n:character[1].stats.arm", "1"),
            ("m:character[1].marks", ""),
            ("m:character[1].marks", "crush"),
            ("t:character[1].boon[1].name", "Net"),
            ("t:character[2].note", ""),
            ("f:character[2].away", ""),
            ("l:character[2].carries", ""),
        ];
        assert_eq!(answered(&all), TEXT);
    }

    #[test]
    fn a_player_who_is_called_otherwise_plays_whom_they_played() {
        let text = "[[player]]\nname = \"Player 1\"\n\n[[character]]\nname = \"Ana\"\nplayer = \"Player 1\"\n\n\
            [[character]]\nname = \"Bo\"\nplayer = \"Player 2\"\n\n[[player]]\nname = \"Player 2\"\n";
        let mut document: DocumentMut = text.parse().expect("TOML");
        let form = [("t:player[1].name", "Miriam"), ("t:character[1].player", "Player 1")];
        answer(&mut document, &form.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(document.to_string(), text.replace("Player 1", "Miriam"));
    }

    #[test]
    fn a_path_deeper_than_anything_lies_is_no_path() {
        let deep = format!("t:{}name", "a.".repeat(300_000));
        assert_eq!(answered(&[(&deep, "Ana")]), TEXT);
        assert_ne!(answered(&[("t:a.b.c.name", "Ana")]), TEXT);
    }

    #[test]
    fn what_is_changed_changes_alone() {
        let changed = |form: &[(&str, &str)], from: &str, to: &str| {
            assert_eq!(answered(form), TEXT.replacen(from, to, 1), "{form:?}");
        };
        changed(&[("t:title", "A \"Y\"")], "\"X\"", "'A \"Y\"'");
        changed(&[("n:character[1].stats.arm", "2")], "arm = 1", "arm = 2");
        changed(&[("n:character[1].risk", "many")], "risk = 3", "risk = \"many\"");
        changed(&[("m:character[1].marks", "")], "[\"crush\"]", "[]");
        changed(&[("t:character[1].boon[1].name", "Rope")], "Net", "Rope");
        changed(&[("f:character[2].away", "yes")], "name = \"Bo\"\n", "name = \"Bo\"\naway = true\n");
        changed(&[("n:character[1].risk", "")], "risk = 3\n", "");
        changed(
            &[("n:character[2].stats.arm", "3")],
            "name = \"Bo\"\n",
            "name = \"Bo\"\nstats = { arm = 3 }\n",
        );
        changed(
            &[("l:character[2].carries", " a\r\n\r\nb ")],
            "name = \"Bo\"\n",
            "name = \"Bo\"\ncarries = [\"a\", \"b\"]\n",
        );
        // Paths that the document does not have do nothing.
        for path in ["t:", "t:character", "t:character[9].name", "t:character[0].name", "t:title.x", "n:a[1]"]
        {
            assert_eq!(answered(&[(path, "1")]).matches("Ana").count(), 1, "{path}");
        }
    }

    #[test]
    fn entries_come_and_go() {
        let mut document: DocumentMut = TEXT.parse().expect("TOML");
        let guide = Guide::default();
        assert_eq!(add(&mut document, "character[1].boon", &guide).as_deref(), Some("character[1].boon[2]"));
        assert_eq!(add(&mut document, "character[2].boon", &guide).as_deref(), Some("character[2].boon[1]"));
        assert_eq!(add(&mut document, "title", &guide), None);
        let text = document.to_string();
        let (first, second) = text.split_once("\"Bo\"").expect("both");
        assert!(first.contains("New boon 2") && second.contains("New boon 1"), "{text}");
        remove(&mut document, "character[1].boon[2]", "npc");
        remove(&mut document, "character[2].boon[1]", "npc");
        remove(&mut document, "character[7]", "npc");
        remove(&mut document, "nonsense", "npc");
        assert_eq!(document.to_string(), TEXT);
    }

    #[test]
    fn whoever_is_taken_in_has_a_player_and_makes_nobody_else_go() {
        let text = "[[player]]\nname = \"Zoe\"\n\n[[player]]\nname = \"Yan\"\n\n[[character]]\nname = \"Ana\"\n\
            player = \"Zoe\"\nside = 2\nrisk = 3\n\n[character.stats]\narm = 1\n\n[[foe]]\nname = \"Old Moss\"\n";
        let mut document: DocumentMut = text.parse().expect("TOML");
        let ana = "name = \"Ana\"\nplayer = \"Zoe\"\nside = 2\nrisk = 3\n\n[character.stats]\narm = 1\n";
        // The first player without a character plays them; then a new player.
        assert_eq!(take(&mut document, CHARACTER, "Bo"), "character[2]");
        assert_eq!(take(&mut document, CHARACTER, "Cy"), "character[3]");
        let now = document.to_string();
        for there in [
            ana,
            "[[character]]\nuse = \"Bo\"\nplayer = \"Yan\"\n",
            "[[character]]\nuse = \"Cy\"\nplayer = \"Player 3\"\n",
            "[[player]]\nname = \"Player 3\"\n",
        ] {
            assert!(now.contains(there), "{there} is not in:\n{now}");
        }
        // The entry with that name is replaced; its player and side stay.
        assert_eq!(take(&mut document, CHARACTER, "Ana"), "character[1]");
        assert_eq!(document.to_string(), now.replace(ana, "player = \"Zoe\"\nside = 2\nuse = \"Ana\"\n"));
        assert_eq!(take(&mut document, CHARACTER, "Bo"), "character[2]");
        assert_eq!(entries(&mut document, CHARACTER).len(), 3);
        // Others come as often as they are taken, each under a name of their own.
        for path in ["foe[2]", "foe[3]"] {
            assert_eq!(take(&mut document, "foe", "Old Moss"), path);
        }
        assert_eq!(said_in(&mut document, "foe", "name"), ["Old Moss", "Old Moss 2", "Old Moss 3"]);
        assert_eq!(said_in(&mut document, "foe", "use"), ["Old Moss"; 2]);
        // In either notation of the list.
        let mut inline: DocumentMut =
            "character = [{ use = \"Ana\", player = \"Zoe\", risk = 3 }]\n".parse().expect("TOML");
        assert_eq!(take(&mut inline, CHARACTER, "Ana"), "character[1]");
        assert_eq!(take(&mut inline, CHARACTER, "Bo"), "character[2]");
        let all: Vec<String> = said_in(&mut inline, CHARACTER, "use");
        assert!(all == ["Ana", "Bo"] && !inline.to_string().contains("risk"), "{inline}");
    }

    #[test]
    fn a_form_knows_what_each_field_takes() {
        let document: DocumentMut = TEXT.parse().expect("TOML");
        let wants = [
            ("character[1]".to_owned(), "risk", Want::Int(0, 12)),
            ("character[1]".to_owned(), "marks", Want::Words(vec!["crush".into(), "pierce".into()])),
            ("character[1]".to_owned(), "away", Want::Flag),
        ];
        let system = fracas_systems::all()[0];
        let known = Known { guide: &Guide::default(), wants: &wants, rulebook: (system.rulebook)() };
        let all = parts(&document, &known);
        let Part::List { rows, .. } = &all[1] else { panic!("{all:?}") };
        assert_eq!((rows[0].title.as_str(), rows[1].path.as_str()), ("Ana", "character[2]"));
        let leaf = |key: &str| {
            let found = rows[0].parts.iter().find_map(|part| match part {
                Part::Leaf(leaf) if leaf.key == key => Some(leaf.clone()),
                _ => None,
            });
            found.expect("it is there")
        };
        assert_eq!(leaf("risk").control, Control::Number(Some((0, 12))));
        assert_eq!(leaf("marks").values, ["crush"]);
        assert!(!leaf("away").present);
    }

    #[test]
    fn a_kind_of_its_own_is_cut_out_of_a_template() {
        for system in fracas_systems::all() {
            let templates = (system.templates)();
            let encounter = templates.iter().find(|(kind, _)| *kind == "encounter").expect("there is one").1;
            let alone = entry_of(encounter, system.others, None).expect("there are others");
            assert!(alone.contains(&format!("[[{}]]", system.others)), "{alone}");
            assert!(!alone.contains("[[player]]") && alone.contains("name = "), "{alone}");
            assert_eq!(entry_of(encounter, system.others, Some("nobody")), None);
        }
    }

    /// Two players' characters, one of the gamemaster's, and references to them.
    const CAST: &str = r#"title = "At the gate"
[[player]]
name = "Ana"
[[player]]
name = "Bo"
[[character]]
name = "Wren"
player = "Ana"
unaware_of = ["Moth", "Warden"]
[[character]]
name = "Moth"
player = "Bo"
[[npc]]
name = "Warden"
known_to = ["Moth"]
[[range]]
from = ["Moth"]
to = ["Warden"]
"#;

    #[test]
    fn whoever_is_removed_takes_along_their_player_and_whatever_names_them() {
        let mut document: DocumentMut = CAST.parse().expect("it is TOML");
        remove(&mut document, "character[2]", "npc");
        let left = CAST
            .replace("[[player]]\nname = \"Bo\"\n", "")
            .replace("[[character]]\nname = \"Moth\"\nplayer = \"Bo\"\n", "")
            .replace("known_to = [\"Moth\"]\n", "")
            .replace("\"Moth\", ", "");
        let left = left.split("[[range]]").next().expect("what is before");
        assert_eq!(document.to_string().replace("[ \"Warden\"]", "[\"Warden\"]"), left);
    }

    #[test]
    fn who_plays_another_too_stays_and_so_does_what_names_one_of_the_same_name() {
        let two = CAST.replace("name = \"Moth\"\nplayer = \"Bo\"", "name = \"Moth\"\nplayer = \"Ana\"");
        let mut document: DocumentMut = two.parse().expect("it is TOML");
        remove(&mut document, "character[2]", "npc");
        assert!(document.to_string().contains("name = \"Ana\""), "{document}");
        let twins = CAST.replace("name = \"Wren\"", "name = \"Moth\"");
        let mut document: DocumentMut = twins.parse().expect("it is TOML");
        remove(&mut document, "character[2]", "npc");
        assert!(document.to_string().contains("known_to = [\"Moth\"]"), "{document}");
    }

    #[test]
    fn a_cast_can_begin_with_nobody() {
        let mut document: DocumentMut = CAST.parse().expect("it is TOML");
        remove_everybody(&mut document, "npc");
        assert_eq!(document.to_string(), "title = \"At the gate\"\n");
        // With many people, each is looked up once.
        let many: String = (0..3000)
            .map(|n| format!("[[npc]]\nname = \"N {n}\"\n[[range]]\nfrom = [\"n-{n}\"]\nto = [\"Moth\"]\n"))
            .collect();
        let mut document: DocumentMut = format!("{CAST}{many}").parse().expect("it is TOML");
        remove_everybody(&mut document, "npc");
        assert_eq!(document.to_string(), "title = \"At the gate\"\n");
    }

    #[test]
    fn no_bundled_encounter_names_anybody_when_all_are_gone() {
        for system in fracas_systems::all() {
            for encounter in fracas_systems::encounters(system).expect("they are read") {
                let text = crate::encounter_text(system, &encounter.id).expect("it is there");
                let mut document: DocumentMut = text.parse().expect("it is TOML");
                let gone = all_calls(&mut document, system.others);
                remove_everybody(&mut document, system.others);
                let text = document.to_string();
                let left: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
                let left = left.join("\n");
                for name in gone {
                    assert!(!left.contains(&format!("\"{name}\"")), "{name} is in:\n{left}");
                }
            }
        }
    }

    #[test]
    fn whoever_is_removed_takes_nothing_that_only_sounds_like_them() {
        let wren = "[[player]]\nname = \"Ana\"\n[[character]]\nname = \"Wren\"\nplayer = \"Ana\"\nclass = \"Ana\"\n\
            kind = \"Ana\"\nnote = \"Ana\"\ncarries = [\"Ana\"]\nlost = [\"Ana\"]\n";
        let both = format!("{wren}[[character]]\nname = \"Ana\"\nplayer = \"Ana\"\n");
        let mut document: DocumentMut = both.parse().expect("it is TOML");
        remove(&mut document, "character[2]", "npc");
        assert_eq!(document.to_string(), wren);
        // A player goes with the last character that they play.
        remove(&mut document, "character[1]", "npc");
        assert_eq!(document.to_string(), "");
    }

    /// References to a person, by name and by slug.
    const SAID: &str = r#"[[npc]]
name = "The Hollow"
[[npc.fact]]
id = "hunger"
text = "It has fed since Candlemas."
topic = "victim"
about = "Joan Arkle"
[[npc.fact]]
text = "It comes by the well."
[[npc.relationship]]
to = "joan-arkle"
dice = "1d6"
[[npc]]
name = "Joan Arkle"
[[scene]]
present = ["The Hollow", "@joan-arkle"]
[conflict]
lost = ["joan-arkle"]
arena = "social"
[[conflict.part]]
who = "Joan Arkle"
hand = "6 5"
[[range]]
from = ["joan-arkle"]
to = ["The Hollow"]
is = "near"
"#;

    #[test]
    fn what_somebody_wrote_stays_without_whom_it_was_about() {
        let mut document: DocumentMut = SAID.parse().expect("it is TOML");
        remove(&mut document, "npc[2]", "npc");
        let left = SAID
            .replace("about = \"Joan Arkle\"\n", "")
            .replace("[[npc.relationship]]\nto = \"joan-arkle\"\ndice = \"1d6\"\n", "")
            .replace("[[npc]]\nname = \"Joan Arkle\"\n", "")
            .replace(", \"@joan-arkle\"", "")
            .replace("lost = [\"joan-arkle\"]\n", "");
        let left = left.split("[[conflict.part]]").next().expect("what is before");
        assert_eq!(document.to_string(), left);
    }

    #[test]
    fn an_id_names_somebody_instead_of_the_slug_of_their_name() {
        let text = "[[npc]]\nname = \"Old Moss\"\nid = \"moss\"\n[[npc]]\nname = \"Wolf\"\n\
            known_to = [\"Bo\", \"old-moss\", \"@moss\"]\nunaware_of = \"moss\"\nomen = { defeated = \"moss\" }\n";
        let mut document: DocumentMut = text.parse().expect("it is TOML");
        remove(&mut document, "npc[1]", "npc");
        let left = "[[npc]]\nname = \"Wolf\"\nknown_to = [\"Bo\", \"old-moss\"]\n";
        assert_eq!(document.to_string(), left);
    }
}
