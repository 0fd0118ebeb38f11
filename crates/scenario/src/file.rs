//! Reading a scenario file.

use crate::files;
use fracas_kernel::{Document, Fault, Faults, Setup, System};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};
use toml::{Spanned, de};

/// The name of a system's bundled documents in `library`.
const BUNDLED: &str = "bundled";

/// Finds the content bundled with a system: characters, foes and gear that a setup may use
/// by name.
pub type Bundled<'b> = &'b (dyn Fn(&System) -> Result<Vec<Document>, Faults> + Sync);

/// A parsed scenario.
pub(crate) struct Scenario {
    pub(crate) title: String,
    pub(crate) game: String,
    pub(crate) covers: Vec<String>,
    pub(crate) setup: Setup,
    /// The scenario names no library, and nothing is bundled with this run.
    pub(crate) bare: bool,
    /// Texts that the faults of the setup must contain; empty if the setup must be sound.
    pub(crate) faults: Vec<String>,
    /// The steps, each with its line.
    pub(crate) steps: Vec<(usize, Step)>,
    pub(crate) expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    game: String,
    #[serde(default)]
    covers: Vec<String>,
    setup: Value,
    library: Option<Spanned<Value>>,
    #[serde(default)]
    faults: Vec<String>,
    #[serde(default)]
    step: Vec<Spanned<Step>>,
    #[serde(default)]
    expect: Map<String, Value>,
}

/// One step: an action and its expected results.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) seat: Option<String>,
    pub(crate) answer: Option<Value>,
    pub(crate) ask: Option<String>,
    pub(crate) roll: Option<Vec<u8>>,
    pub(crate) fiat: Option<Value>,
    pub(crate) standing: Option<Value>,
    pub(crate) withdraw: Option<Value>,
    /// The setup of another evening, with what players' characters take there from this one.
    pub(crate) evening: Option<Value>,
    /// Texts that the faults of that setup must contain; it goes on there if there are none.
    #[serde(default)]
    pub(crate) faults: Vec<String>,
    pub(crate) refused: Option<String>,
    #[serde(default)]
    pub(crate) expect: Vec<Value>,
    #[serde(default)]
    pub(crate) unexpected: Vec<Value>,
    #[serde(default)]
    pub(crate) offered: Vec<Value>,
    #[serde(default)]
    pub(crate) not_offered: Vec<Value>,
    #[serde(default)]
    pub(crate) sees: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) hides: BTreeMap<String, Vec<String>>,
}

/// The expectations after the last step.
#[derive(Default)]
pub(crate) struct Expect {
    /// Fields of the gamemaster's view.
    pub(crate) gm: Map<String, Value>,
    /// Fields of other seats' views.
    pub(crate) views: Map<String, Value>,
    /// All open asks and dice.
    pub(crate) asks: Option<Vec<Open>>,
}

/// An ask or dice expected to be open at the end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Open {
    /// The asked seat; `chance` for dice that are due.
    pub(crate) seat: String,
    /// The kind of ask, or the dice.
    pub(crate) kind: Option<String>,
}

/// Every unknown field of a scenario, step by step; `first` if no other error is found.
fn misread(text: &str, first: de::Error) -> Vec<de::Error> {
    let Ok(mut root) = de::DeTable::parse(text) else { return vec![first] };
    let steps = root.get_mut().remove("step").map(Spanned::into_inner);
    let mut errors: Vec<de::Error> =
        Written::deserialize(de::Deserializer::from(root)).err().into_iter().collect();
    if let Some(de::DeValue::Array(steps)) = steps {
        let read = |step| Step::deserialize(de::ValueDeserializer::from(step)).err();
        errors.extend(steps.into_iter().filter_map(read));
    }
    if errors.is_empty() { vec![first] } else { errors }
}

impl Scenario {
    /// Reads a scenario, and its setup if that is in a file of its own.
    ///
    /// Without a `library` it draws on the content bundled with its system, as an encounter
    /// does.
    pub(crate) fn read(
        path: &Path,
        systems: &[System],
        bundled: Option<Bundled<'_>>,
    ) -> Result<Scenario, Faults> {
        let text = files::read(path)?;
        let name = path.display().to_string();
        let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let fault = |line: usize, field: &str, what: String| {
            Faults(vec![Fault { file: name.clone(), line, field: field.to_owned(), what }])
        };
        Document::toml(name.clone(), &text)?;
        let written: Written = toml::from_str(&text).map_err(|first| {
            let fault = |error: de::Error| Fault {
                file: name.clone(),
                line: error.span().map_or(0, |span| line(span.start)),
                field: String::new(),
                what: error.message().to_owned(),
            };
            Faults(misread(&text, first).into_iter().map(fault).collect()).by_line()
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        // An unknown system is reported once the scenario is read.
        let bundle = || match (bundled, systems.iter().find(|system| system.id == written.game)) {
            (Some(bundled), Some(system)) => bundled(system),
            _ => Ok(Vec::new()),
        };
        let at_hand = if written.library.is_none() { bundle()? } else { Vec::new() };
        let mut setup = match &written.setup {
            Value::String(file) => files::load_setup(&folder.join(file), &at_hand)?,
            Value::Object(fields) => match fields.get("from") {
                None => {
                    let encounter = Document::toml(name.clone(), &text)?.part("setup")?;
                    Setup { encounter, library: at_hand }
                }
                Some(Value::String(file)) => {
                    let mut setup = files::load_setup(&folder.join(file), &at_hand)?;
                    let mut merged = setup.encounter.to_json();
                    let mut over = fields.clone();
                    over.shift_remove("from");
                    merge(&mut merged, Value::Object(over));
                    setup.encounter = Document::json(format!("{name} over {file}"), &merged);
                    setup
                }
                Some(_) => {
                    return Err(fault(0, "setup.from", "expected the path of a shared setup".to_owned()));
                }
            },
            _ => return Err(fault(0, "setup", "expected a table, or the path of a shared setup".to_owned())),
        };
        if let Some(library) = &written.library {
            let line = line(library.span().start);
            let wrong = || fault(line, "library", format!("expected {BUNDLED:?}, or a list of files"));
            let named = match library.get_ref() {
                Value::Array(list) => list.as_slice(),
                file @ Value::String(_) => std::slice::from_ref(file),
                _ => return Err(wrong()),
            };
            for item in named {
                match item.as_str().ok_or_else(wrong)? {
                    BUNDLED if bundled.is_none() => {
                        let what = "nothing is bundled with this run; `fracas check` has what is bundled";
                        return Err(fault(line, "library", what.to_owned()));
                    }
                    BUNDLED => setup.library.extend(bundle()?),
                    file => setup.library.push(files::read_document(&folder.join(file))?),
                }
            }
        }
        // A scenario sets up only what it shows, so entries without effect are no fault.
        if written.faults.is_empty() {
            setup.encounter = setup.encounter.kept();
            setup.library = setup.library.into_iter().map(Document::kept).collect();
        }
        let bare = written.library.is_none() && bundled.is_none();
        let expect = Expect::read(written.expect).map_err(|(field, what)| fault(0, &field, what))?;
        let steps: Vec<(usize, Step)> =
            written.step.into_iter().map(|step| (line(step.span().start), step.into_inner())).collect();
        for (at, step) in &steps {
            step.check().map_err(|what| fault(*at, "step", what))?;
        }
        let nothing_more = steps.is_empty() && expect.is_empty();
        if !written.faults.is_empty() && !nothing_more {
            return Err(fault(
                0,
                "faults",
                "a setup that must be refused has no steps and nothing after them".to_owned(),
            ));
        }
        let (title, game, covers, faults) = (written.title, written.game, written.covers, written.faults);
        if faults.is_empty() && nothing_more {
            return Err(fault(
                0,
                "",
                "it says nothing that could fail: give it a [[step]] or an [expect]".to_owned(),
            ));
        }
        Ok(Scenario { title, game, covers, setup, bare, faults, steps, expect })
    }
}

/// Lays one table over another: tables are merged field by field, all other values
/// replaced.
fn merge(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (field, value) in over {
                match under.get_mut(&field) {
                    Some(under) => merge(under, value),
                    None => {
                        under.insert(field, value);
                    }
                }
            }
        }
        (under, over) => *under = over,
    }
}

impl Step {
    /// Whether the step does at most one thing, and has all that this needs.
    fn check(&self) -> Result<(), String> {
        let does: Vec<&str> = [
            ("answer", self.answer.is_some()),
            ("roll", self.roll.is_some()),
            ("fiat", self.fiat.is_some()),
            ("standing", self.standing.is_some()),
            ("withdraw", self.withdraw.is_some()),
            ("evening", self.evening.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, there)| there.then_some(name))
        .collect();
        let offers = !self.offered.is_empty() || !self.not_offered.is_empty();
        match (does.as_slice(), self.seat.as_deref()) {
            ([], _) if !offers => Err(
                "it does nothing: expected answer, roll, fiat, standing, withdraw, evening, offered or not_offered"
                    .to_owned(),
            ),
            ([_, _, ..], _) => {
                Err(format!("it does several things, {}: make them steps of their own", does.join(" and ")))
            }
            (["roll"], Some(seat)) if seat != "chance" => Err(format!("a roll is chance's, not {seat}'s")),
            (["fiat"], Some(seat)) if seat != "gm" => {
                Err(format!("a fiat is the gamemaster's, not {seat}'s"))
            }
            (["answer"], Some("chance")) => Err("chance answers with `roll = [..]`".to_owned()),
            (["answer" | "standing" | "withdraw"] | [], None) => {
                Err("`seat` is missing: whose is it?".to_owned())
            }
            (["evening"], _) if self.refused.is_some() || !self.expect.is_empty() => {
                Err("of another evening no events come: expected `faults`, or nothing more".to_owned())
            }
            (["roll" | "fiat" | "evening"], _) if offers || self.ask.is_some() => {
                Err("`ask`, `offered` and `not_offered` go with an answer".to_owned())
            }
            ([], _) if self.refused.is_some() => Err("nothing is done that could be refused".to_owned()),
            ([], _) if !(self.expect.is_empty() && self.unexpected.is_empty()) => {
                Err("nothing is done that events could come of".to_owned())
            }
            _ if self.evening.is_none() && !self.faults.is_empty() => {
                Err("`faults` go with `evening`".to_owned())
            }
            _ if self.refused.is_some() && !(self.expect.is_empty() && self.sees.is_empty()) => {
                Err("of what is refused no events come".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl Expect {
    fn read(mut fields: Map<String, Value>) -> Result<Expect, (String, String)> {
        let views = match fields.shift_remove("view") {
            None => Map::new(),
            Some(Value::Object(views)) => views,
            Some(_) => {
                return Err(("expect.view".to_owned(), "expected tables: [expect.view.<seat>]".to_owned()));
            }
        };
        let asks = match fields.shift_remove("asks") {
            None => None,
            Some(asks) => Some(serde_json::from_value(asks).map_err(|e| {
                ("expect.asks".to_owned(), format!("expected a list of {{ seat, kind }}: {e}"))
            })?),
        };
        Ok(Expect { gm: fields, views, asks })
    }

    fn is_empty(&self) -> bool {
        self.gm.is_empty() && self.views.is_empty() && self.asks.is_none()
    }
}
