//! Examples in the document, made from bundled encounters, so that each holds for a newly
//! opened table.

use fracas_kernel::form::{Form, Takes};
use fracas_kernel::{AnyTable, Now, Seat, System, Viewer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::{Content, RefOr, path::Operation};

/// The name of an ask in examples.
const ASK: &str = "1.1";
/// The most fiats of a system that are shown.
const FIATS: usize = 3;

type Named = BTreeMap<String, RefOr<Example>>;

/// Examples by operation.
#[derive(Default)]
pub(super) struct Examples {
    sent: BTreeMap<&'static str, Named>,
    shown: BTreeMap<&'static str, Named>,
}

impl Examples {
    /// Examples of every system, from its first bundled encounter.
    pub(super) fn of_all() -> Examples {
        let mut examples = Examples::default();
        for system in fracas_systems::all() {
            examples.add(system);
        }
        examples
    }

    fn add(&mut self, system: &System) {
        let Some((title, game)) = first(system) else { return };
        let at_the_beginning = |meaning: &str| format!("{meaning}; at the beginning of “{title}”");
        let gm = Viewer::Seat(Seat::Gm);
        let asks = if let Now::Asks(asks) = game.now() { asks } else { Vec::new() };
        if let Some(listed) = asks.iter().find_map(|ask| game.legal(ask.id, gm).into_iter().next()) {
            let (answer, meaning) = (json_of(&listed.answer), at_the_beginning(&listed.told.text));
            let sent = json!({ "ask": ASK, "answer": answer });
            self.sent("answer_ask", system.id.to_owned(), &meaning, sent);
            self.sent("preview_answer", system.id.to_owned(), &meaning, json!({ "answer": answer }));
        }
        for (n, (meaning, fiat)) in fiats(&*game).take(FIATS).enumerate() {
            let named = format!("{}-{}", system.id, n + 1);
            self.sent("overrule_by_fiat", named, &at_the_beginning(meaning), json!({ "fiat": fiat }));
        }
        let seats = || game.seats().into_iter().map(|info| info.seat);
        let may = |reply: &&(&str, &str)| seats().any(|seat| game.may_stand(seat, reply.0).is_ok());
        for (n, (reply, meaning)) in game.standings().iter().filter(may).enumerate() {
            let sent = json!({ "reply": json_of(reply), "on": true });
            self.sent("set_standing_reply", format!("{}-{}", system.id, n + 1), meaning, sent);
        }
        let seen = at_the_beginning("What a spectator sees");
        let view = example(&seen, game.view(Viewer::Spectator));
        self.shown.entry("get_view").or_default().insert(system.id.to_owned(), view);
    }

    fn sent(&mut self, operation: &'static str, named: String, meaning: &str, sent: Value) {
        self.sent.entry(operation).or_default().insert(named, example(meaning, sent));
    }

    /// Adds an operation's examples.
    pub(super) fn add_to(&self, operation: &mut Operation) {
        let Some(id) = operation.operation_id.as_deref() else { return };
        if let (Some(examples), Some(RefOr::T(body))) = (self.sent.get(id), &mut operation.request_body) {
            body.content.values_mut().for_each(|content| add_examples(content, examples));
        }
        if let Some(examples) = self.shown.get(id)
            && let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200")
        {
            response.content.values_mut().for_each(|content| add_examples(content, examples));
        }
    }
}

fn add_examples(content: &mut RefOr<Content>, examples: &Named) {
    if let RefOr::T(content) = content {
        content.examples.clone_from(examples);
    }
}

fn example(meaning: &str, value: Value) -> RefOr<Example> {
    RefOr::T(ExampleBuilder::new().summary(meaning).value(Some(value)).build())
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// The first encounter of a system: its title and its game.
fn first(system: &System) -> Option<(String, Box<dyn AnyTable>)> {
    let encounter = fracas_systems::encounters(system).ok()?.into_iter().next()?;
    let setup = fracas_systems::setup(system, &encounter.id)?.ok()?;
    Some((encounter.title, (system.start)(&setup).ok()?))
}

/// Fiats that the game takes at the beginning, each with its meaning.
fn fiats(game: &dyn AnyTable) -> impl Iterator<Item = (&'static str, Value)> {
    let takes = |fiat: &Value| game.again().fiat(&fiat.to_string(), false).is_ok();
    game.fiat_forms()
        .into_iter()
        .filter_map(|form| Some((form.told, filled(&form)?)))
        .filter(move |(_, fiat)| takes(fiat))
}

/// A form filled with the first of each pick and the least of each number; `None` if it
/// takes anything else.
fn filled(form: &Form) -> Option<Value> {
    let mut fields = Map::new();
    for field in form.fields.iter().filter(|field| field.blank.is_none()) {
        let value = match &field.takes {
            Takes::One { picks } => picks.first()?.value.clone(),
            Takes::Number { least, .. } => json!(least),
            Takes::Many { .. } | Takes::Numbers { .. } | Takes::Text { .. } | Takes::Table { .. } => {
                return None;
            }
        };
        if field.key.is_empty() || field.key.contains('.') {
            return None;
        }
        fields.insert(field.key.to_owned(), value);
    }
    Some(if fields.is_empty() { json!(form.key) } else { json!({ form.key: fields }) })
}
