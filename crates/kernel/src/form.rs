//! Forms to fill in: what a fiat or a standing reply takes, for faces that draw
//! fields where a program writes JSON.

use crate::{Document, Names, Refused, Rulebook};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::BTreeMap, ops::RangeInclusive};

/// The most numbers that an option offers one by one.
const NUMBERS: usize = 24;

/// One thing that somebody may have so, with what it takes to say it.
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    /// Its own among the forms of its list.
    pub id: &'static str,
    /// The key under which its JSON stands; often its id.
    pub key: &'static str,
    /// The effect in a few words: "Set somebody's risk".
    pub told: &'static str,
    /// Further explanation, in a sentence or two; mostly empty.
    pub help: &'static str,
    /// Whether what it says is for everybody to know: it is about nobody.
    pub open: bool,
    /// The fields, in order.
    pub fields: Vec<Field>,
}

/// A space in a [`Form`].
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Where it stands in the form's JSON; with a dot in a table of it, and nowhere
    /// (`""`) it is the whole, to which the other fields are added.
    pub key: &'static str,
    /// The label: "Whose".
    pub label: &'static str,
    /// The meaning of an empty field; `None` if the field must be filled in.
    pub blank: Option<&'static str>,
    /// Whether something empty stands in its place where it is left out.
    pub empties: bool,
    /// The values that it takes.
    pub takes: Takes,
}

/// The values that a [`Field`] takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Takes {
    /// One of these.
    One {
        /// The choices.
        picks: Vec<Pick>,
    },
    /// Some of these.
    Many {
        /// The choices.
        picks: Vec<Pick>,
    },
    /// A whole number.
    Number {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// Whole numbers, with spaces or commas between them.
    Numbers {
        /// The least that each may be.
        least: u32,
        /// The most that each may be.
        most: u32,
    },
    /// Words, or what a game writes in letters, such as `2d6`.
    Text {
        /// An example of a value.
        example: &'static str,
    },
    /// A table as in a file, in TOML.
    Table {
        /// An example of a value.
        example: &'static str,
    },
}

/// The fields of a form about a character who is in no library.
pub struct Newcomer {
    /// An example of a name.
    pub name: &'static str,
    /// The fields of the character's sheet.
    pub sheet: Vec<Field>,
    /// Further fields that a file could have.
    pub more: &'static str,
}

impl Newcomer {
    fn onto(self, form: Form) -> Form {
        let form = form.with(Field::text("name", "Called", self.name));
        let form = self.sheet.into_iter().fold(form, Form::with);
        form.with(Field::table("What else is true of them, as in a file", self.more).or("nothing"))
    }
}

/// Something to pick.
#[derive(Clone, PartialEq, Debug)]
pub struct Pick {
    /// The value in JSON, as a game writes it; faces get names in it.
    pub value: Value,
    /// The value in words.
    pub words: Cow<'static, str>,
    /// The group that it belongs to, if the list is long.
    pub group: Cow<'static, str>,
}

impl Pick {
    /// A pick that stands among no others in particular.
    pub fn new(value: impl Into<Value>, words: impl Into<Cow<'static, str>>) -> Pick {
        Pick { value: value.into(), words: words.into(), group: Cow::Borrowed("") }
    }

    /// A value of the game's own, or a reference of its.
    pub fn of(value: &impl Serialize, words: impl Into<Cow<'static, str>>) -> Pick {
        Pick::new(serde_json::to_value(value).unwrap_or_default(), words)
    }

    /// The same, among others.
    #[must_use]
    pub fn among(mut self, group: impl Into<Cow<'static, str>>) -> Pick {
        self.group = group.into();
        self
    }

    /// The value that a form sends for this choice: its JSON, or a text without its quotes.
    pub fn sent(&self) -> String {
        match &self.value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    }

    /// Each word of a vocabulary; hyphens become spaces where people read it.
    pub fn words<T>(words: &[(&'static str, T)]) -> Vec<Pick> {
        words.iter().map(|(word, _)| Pick::new(*word, word.replace('-', " "))).collect()
    }

    /// The entries of a list of a library, such as its foes, by their names; each among
    /// those of its `kind`, where they say one. Of several of one name the first counts.
    pub fn library(library: &[Document], list: &str) -> Vec<Pick> {
        let mut named: BTreeMap<String, String> = BTreeMap::new();
        for document in library {
            for entry in document.to_json()[list].as_array().into_iter().flatten() {
                let text = |field: &str| entry[field].as_str().map(str::to_owned);
                if let Some(name) = text("name") {
                    named.entry(name).or_insert_with(|| text("kind").unwrap_or_default());
                }
            }
        }
        let mut there: Vec<(String, String)> = named.into_iter().map(|(name, kind)| (kind, name)).collect();
        there.sort_unstable();
        there.into_iter().map(|(kind, name)| Pick::new(name.clone(), name).among(kind)).collect()
    }
}

impl Field {
    fn new(key: &'static str, label: &'static str, takes: Takes) -> Field {
        Field { key, label, blank: None, empties: false, takes }
    }

    /// One of some.
    pub fn one(key: &'static str, label: &'static str, picks: Vec<Pick>) -> Field {
        Field::new(key, label, Takes::One { picks })
    }

    /// Some of some.
    pub fn many(key: &'static str, label: &'static str, picks: Vec<Pick>) -> Field {
        Field::new(key, label, Takes::Many { picks })
    }

    /// True or false, in words for each.
    pub fn yes(key: &'static str, label: &'static str, yes: &'static str, no: &'static str) -> Field {
        Field::one(key, label, vec![Pick::new(true, yes), Pick::new(false, no)])
    }

    /// A whole number.
    pub fn number(key: &'static str, label: &'static str, range: RangeInclusive<u32>) -> Field {
        let (least, most) = range.into_inner();
        Field::new(key, label, Takes::Number { least, most })
    }

    /// Whole numbers.
    pub fn numbers(key: &'static str, label: &'static str, each: RangeInclusive<u32>) -> Field {
        let (least, most) = each.into_inner();
        Field::new(key, label, Takes::Numbers { least, most })
    }

    /// Words.
    pub fn text(key: &'static str, label: &'static str, example: &'static str) -> Field {
        Field::new(key, label, Takes::Text { example })
    }

    /// A table as in a file, to which the other fields are added.
    pub fn table(label: &'static str, example: &'static str) -> Field {
        Field::new("", label, Takes::Table { example })
    }

    /// The options that may be set in mid-play, each with its values; `now` is what
    /// they are.
    pub fn options(rulebook: &Rulebook, now: &[(&'static str, &'static str)]) -> Field {
        let any = rulebook.options().filter(|(_, option)| option.when == "any");
        let picks = any.flat_map(|(clause, option)| {
            let numbers =
                option.range.into_iter().flat_map(|(least, most)| least..=most).map(|n| n.to_string());
            let mut values: Vec<String> = option.values.iter().map(|value| (*value).to_owned()).collect();
            values.extend(numbers.filter(|n| !option.values.contains(&n.as_str())).take(NUMBERS));
            values.into_iter().map(move |value| {
                let is = now.iter().any(|(id, word)| *id == clause.id() && *word == value);
                let words = format!("{}{}", value.replace('-', " "), if is { " (now)" } else { "" });
                Pick::new(serde_json::json!({ "id": clause.id(), "value": value }), words)
                    .among(option.question)
            })
        });
        Field::one("", "So that", picks.collect())
    }

    /// The same where it may be left out, with what that means.
    #[must_use]
    pub fn or(mut self, blank: &'static str) -> Field {
        self.blank = Some(blank);
        self
    }

    /// The same where it may be empty, with what that means.
    #[must_use]
    pub fn or_empty(mut self, blank: &'static str) -> Field {
        self.empties = true;
        self.or(blank)
    }

    /// A value of its own in words.
    fn tell(&self, value: &Value) -> String {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let pick = |picks: &[Pick], value: &Value| {
            let words = picks.iter().find(|pick| pick.value == *value).map(|pick| pick.words.as_ref());
            // Without what was said of it when it was to be picked.
            words.map_or_else(|| plain(value), |words| words.split(" (").next().unwrap_or(words).to_owned())
        };
        match (&self.takes, value) {
            (Takes::Many { picks }, Value::Array(all)) => {
                all.iter().map(|one| pick(picks, one)).collect::<Vec<_>>().join(" and ")
            }
            (Takes::One { picks } | Takes::Many { picks }, value) => pick(picks, value),
            (_, Value::Array(all)) => all.iter().map(plain).collect::<Vec<_>>().join(" "),
            (_, value) => plain(value),
        }
    }

    /// The name under which a form sends the field: its key, or `it` if it is the whole value.
    pub fn name(&self) -> &'static str {
        if self.key.is_empty() { "it" } else { self.key }
    }

    /// The key of the form's JSON in which it stands.
    fn place(&self) -> &'static str {
        self.key.split('.').next().unwrap_or_default()
    }

    /// The value that was sent, `None` where it is left out.
    fn read(&self, given: &[&str]) -> Result<Option<Value>, String> {
        let given: Vec<&str> = given.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        let Some(first) = given.first() else {
            return match (self.blank, &self.takes) {
                (None, _) => Err("is missing".to_owned()),
                (Some(_), Takes::Many { .. } | Takes::Numbers { .. }) if self.empties => {
                    Ok(Some(Value::Array(Vec::new())))
                }
                (Some(_), _) if self.empties => Ok(Some("".into())),
                (Some(_), _) => Ok(None),
            };
        };
        let whole = |text: &str, least: u32, most: u32| match text.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Ok(Value::from(number)),
            _ => Err(format!("takes a number from {least} to {most}, not {text:?}")),
        };
        let pick = |picks: &[Pick], text: &str| {
            let found = picks.iter().find(|pick| pick.sent() == text);
            found.map(|pick| pick.value.clone()).ok_or_else(|| format!("has no {text:?} to pick"))
        };
        let value = match &self.takes {
            Takes::One { picks } => pick(picks, first)?,
            Takes::Many { picks } => {
                given.iter().map(|text| pick(picks, text)).collect::<Result<Vec<_>, _>>()?.into()
            }
            Takes::Number { least, most } => whole(first, *least, *most)?,
            Takes::Numbers { least, most } => {
                let each = first.split([' ', ',']).filter(|text| !text.is_empty());
                each.map(|text| whole(text, *least, *most)).collect::<Result<Vec<_>, _>>()?.into()
            }
            Takes::Text { .. } => Value::from(*first),
            Takes::Table { .. } => {
                let table = Document::toml("what is written", first).map_err(|faults| faults.to_string())?;
                table.to_json()
            }
        };
        Ok(Some(value))
    }
}

impl Form {
    /// A form without fields, which stands under its id.
    pub fn new(id: &'static str, told: &'static str) -> Form {
        Form { id, key: id, told, help: "", open: false, fields: Vec::new() }
    }

    /// The same under another key: one of several forms for the same thing.
    #[must_use]
    pub fn under(mut self, key: &'static str) -> Form {
        self.key = key;
        self
    }

    /// The same with a sentence or two on it.
    #[must_use]
    pub fn help(mut self, help: &'static str) -> Form {
        self.help = help;
        self
    }

    /// The same, and everybody may know what it says.
    #[must_use]
    pub fn open(mut self) -> Form {
        self.open = true;
        self
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: Field) -> Form {
        self.fields.push(field);
        self
    }

    /// The same with names in place of a game's references.
    #[must_use]
    pub(crate) fn told_by(mut self, names: &Names) -> Form {
        for field in &mut self.fields {
            if let Takes::One { picks } | Takes::Many { picks } = &mut field.takes {
                for pick in picks {
                    let written = names.write(&pick.value.to_string());
                    pick.value = serde_json::from_str(&written).unwrap_or_default();
                }
            }
        }
        self
    }

    /// The forms that bring somebody in: whom the gamemaster plays, of this list of the
    /// library or new, and a player's character likewise.
    pub fn joins(library: &[Document], list: &str, own: Newcomer, players: Newcomer) -> Vec<Form> {
        let player = || Field::text("player", "Player", "Cy");
        let of = |list| Field::one("use", "Who", Pick::library(library, list));
        let called = || Field::text("name", "Called", "Ada").or("as in the library");
        vec![
            Form::new("join", "Bring somebody in from the library")
                .help("A name that is taken gets a number.")
                .with(of(list))
                .with(called()),
            own.onto(Form::new("join-new", "Bring in somebody new").under("join")),
            Form::new("join-player", "Bring a player's character in from the library")
                .under("join")
                .help("A player who is not yet at the table gets a seat.")
                .with(player())
                .with(of("character"))
                .with(called()),
            players.onto(
                Form::new("join-player-new", "Bring a player's new character in")
                    .under("join")
                    .help("A player who is not yet at the table gets a seat.")
                    .with(player()),
            ),
        ]
    }

    /// Whether there is something to pick wherever something must be picked.
    pub fn can_be_filled(&self) -> bool {
        let has = |field: &Field| match &field.takes {
            Takes::One { picks } | Takes::Many { picks } => field.blank.is_some() || !picks.is_empty(),
            _ => true,
        };
        self.fields.iter().all(has)
    }

    /// The form of an example as JSON, where that is a word, or a word with a
    /// number of this range.
    pub fn of_example(json: &'static str, told: &'static str, range: RangeInclusive<u32>) -> Form {
        let word = json.split('"').nth(1).unwrap_or(json);
        let form = Form::new(word, told);
        if json.starts_with('{') { form.with(Field::number("", "Number", range)) } else { form }
    }

    /// The words of the form that this JSON fills in: "Give or lift a mark: Oren, pierce,
    /// given". `None` if the JSON fits no form. Of several forms the one with the most fields.
    pub fn tell(forms: &[Form], json: &str) -> Option<String> {
        Form::find(forms, json).map(|(_, told)| told)
    }

    /// The same with the form.
    pub(crate) fn find<'f>(forms: &'f [Form], json: &str) -> Option<(&'f Form, String)> {
        let said: Value = serde_json::from_str(json).ok()?;
        // The first of forms with as many fields: `max_by_key` takes the last.
        let all = forms.iter().rev().filter_map(|form| Some((form, form.told_of(&said)?)));
        all.max_by_key(|(_, (asked, _))| *asked).map(|(form, (_, told))| (form, told))
    }

    /// The number of filled-in fields that this form has, and its words; `None` if it does not fit.
    fn told_of(&self, said: &Value) -> Option<(usize, String)> {
        let whole = match said {
            Value::String(key) => {
                return (key == self.key && self.fields.is_empty()).then(|| (0, self.told.to_owned()));
            }
            Value::Object(table) => table.get(self.key)?,
            _ => return None,
        };
        let is_asked = |key: &String| self.fields.iter().any(|field| field.place() == key);
        let unasked = whole.as_object().is_some_and(|table| !table.keys().all(is_asked));
        if unasked && self.fields.iter().all(|field| !field.key.is_empty()) {
            return None;
        }
        let mut words = Vec::new();
        for field in self.fields.iter().filter(|field| !matches!(field.takes, Takes::Table { .. })) {
            let value = match field.key {
                "" => Some(whole),
                key => key.split('.').try_fold(whole, |value, key| value.get(key)),
            };
            match value.filter(|value| !value.is_null()) {
                Some(value) => words.push(field.tell(value)),
                None if field.blank.is_some() => {}
                None => return None,
            }
        }
        let told = match words.is_empty() {
            true => self.told.to_owned(),
            false => format!("{}: {}", self.told, words.join(", ")),
        };
        Some((words.len(), told))
    }

    /// The JSON that a form means: what was sent for each field, by its
    /// [name](Field::name).
    ///
    /// # Errors
    /// Every field that is missing or does not hold what it takes.
    ///
    /// ```
    /// use fracas_kernel::form::{Field, Form, Pick};
    ///
    /// let people = vec![Pick::new("@ana", "Ana"), Pick::new("@bo", "Bo")];
    /// let form = Form::new("risk", "Set somebody's risk")
    ///     .with(Field::one("of", "Whose", people))
    ///     .with(Field::number("risk", "To", 0..=12));
    /// let sent = |name: &str| vec![if name == "of" { "@bo" } else { "4" }];
    /// assert_eq!(form.fill(sent).unwrap(), r#"{"risk":{"of":"@bo","risk":4}}"#);
    /// assert!(form.fill(|_| vec![]).is_err());
    /// let told = Form::tell(&[form], r#"{"risk":{"of":"@bo","risk":4}}"#);
    /// assert_eq!(told.unwrap(), "Set somebody's risk: Bo, 4");
    /// let told = |form, fiat| Form::tell(&[form], fiat).unwrap();
    /// let lift = Form::new("lift", "Lift").with(Field::number("from", "From", 0..=9).or("all"));
    /// assert_eq!(told(lift, r#"{"lift":{"from":null}}"#), "Lift");
    /// ```
    pub fn fill<'g>(&self, sent: impl Fn(&str) -> Vec<&'g str>) -> Result<String, Refused> {
        let mut refused = Refused::default();
        let mut whole = Value::Null;
        let mut parts = Map::new();
        for field in &self.fields {
            match field.read(&sent(field.name())) {
                Ok(None) => {}
                Ok(Some(value)) if field.key.is_empty() => whole = value,
                Ok(Some(value)) => match field.key.split_once('.') {
                    Some((table, key)) => {
                        let table = parts.entry(table).or_insert_with(|| Map::new().into());
                        if let Value::Object(table) = table {
                            table.insert(key.to_owned(), value);
                        }
                    }
                    None => drop(parts.insert(field.key.to_owned(), value)),
                },
                Err(what) => {
                    let what = format!("\u{201c}{}\u{201d} {what}", field.label);
                    refused.reasons.extend(Refused::form(what).reasons);
                }
            }
        }
        refused.verdict()?;
        let it = match whole {
            _ if self.fields.is_empty() => return Ok(Value::from(self.key).to_string()),
            Value::Object(mut table) => {
                table.extend(parts);
                table.into()
            }
            Value::Null => parts.into(),
            value => value,
        };
        Ok(Value::Object(Map::from_iter([(self.key.to_owned(), it)])).to_string())
    }
}
