//! Which number of an encounter matters most: each is changed by one.

use super::party::name_of;
use super::{
    Change, LEAST_PAIRED, MOST_CHANGES, MOST_NUMBERS, Number, Numbers, Progress, STEPS, Written, difference,
    spread,
};
use crate::{ANSWERS, Mean, Plan, Row, study};
use fracas_kernel::{Document, HISTORY, Setup, Words};
use serde_json::Value;
use std::ops::ControlFlow;

/// What stands at the top of an encounter and is not about who or what takes part.
const BESIDE: [&str; 7] = ["minutes", "tally", "player", "options", "carried", "calls", "fallen"];
/// Fields that are no numbers of the rules, wherever they stand.
const NO_NUMBERS: [&str; 3] = ["id", "players", HISTORY];

/// A step on the way to a number.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Key {
    Field(String),
    Item(usize),
}

/// A number, and where an encounter says it.
#[derive(Clone, Debug)]
struct Found {
    number: Number,
    /// The places that are changed together: those of all who use the same entry of the library.
    places: Vec<Vec<Key>>,
}

/// Whether a difference among so many is more than chance: were there none, one of all would be told in fewer than
/// one report of twenty (Bonferroni, with the Gaussian tail bounded by exp(-z²/2)).
fn shows(difference: &Mean, among: usize) -> bool {
    let z = (2.0 * (among.max(1) as f64 / 0.05).ln()).sqrt();
    let [below, above] = [difference.mean - difference.low, difference.high - difference.mean];
    let reach = if difference.mean > 0.0 { below } else { above };
    difference.mean.abs() > reach * z / 1.96
}

/// Changes each number by one, and compares the conflicts with those of `base`.
pub(super) fn try_each<G: Words>(
    setup: &Setup,
    plan: &Plan,
    base: &[Row],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Option<Numbers> {
    let encounter = setup.encounter.to_json();
    let (mut tried, mut fixed, mut untried) = (Vec::new(), Vec::new(), Vec::new());
    let mut changes: Vec<(usize, i64, _)> = Vec::new();
    for found in all(&encounter, setup) {
        if tried.len() == MOST_NUMBERS {
            untried.push(found.number);
            continue;
        }
        let before = changes.len();
        for to in [found.number.value.saturating_sub(1), found.number.value.saturating_add(1)] {
            let started = G::start(&changed(setup, &encounter, &found.places, to));
            changes.extend(started.ok().map(|table| (tried.len(), to, table)));
        }
        let is_fixed = changes.len() == before;
        if is_fixed { &mut fixed } else { &mut tried }.push(found.number);
    }
    let conflicts = paired(base, changes.len());
    let base = &base[..usize::try_from(conflicts).unwrap_or(usize::MAX).min(base.len())];
    let start = plan.conflicts.start;
    let part = Plan { threads: 1, conflicts: start..start + conflicts, ..plan.clone() };
    let each = |nth: usize| {
        let mut rows = Vec::new();
        study::<G>(std::slice::from_ref(&changes[nth].2), &part, |block| {
            rows.extend(block.into_iter().flatten());
            ControlFlow::Continue(())
        });
        difference(base, &rows)
    };
    let differences = spread((changes.len(), plan.threads), progress, "with changed numbers", each)?;
    let mut moving: Vec<(usize, Change)> = changes
        .iter()
        .zip(differences)
        .filter(|(_, difference)| shows(difference, changes.len()))
        .map(|((nth, to, _), difference)| (*nth, Change { number: tried[*nth].clone(), to: *to, difference }))
        .collect();
    let without = (0..tried.len()).filter(|nth| moving.iter().all(|(other, _)| other != nth)).count();
    moving.sort_by(|(_, a), (_, b)| b.difference.mean.abs().total_cmp(&a.difference.mean.abs()));
    let largest = moving.into_iter().take(MOST_CHANGES).map(|(_, change)| change).collect();
    Some(Numbers { conflicts, tried: tried.len(), changes: changes.len(), largest, without, untried, fixed })
}

/// How many conflicts are played with each change: all that there are, unless that takes too long.
fn paired(base: &[Row], changes: usize) -> u64 {
    let conflicts = base.len() as u64;
    let steps = |row: &Row| row.values[ANSWERS].saturating_add(row.values[ANSWERS + 1]);
    let all = base.iter().map(steps).sum::<i64>().max(1).unsigned_abs();
    let affordable = u128::from(conflicts) * u128::from(conflicts) * u128::from(STEPS)
        / (u128::from(all) * changes.max(1) as u128);
    u64::try_from(affordable).unwrap_or(u64::MAX).max(LEAST_PAIRED).min(conflicts)
}

/// The setup with another number in these places.
fn changed(setup: &Setup, encounter: &Value, places: &[Vec<Key>], to: i64) -> Setup {
    let mut json = encounter.clone();
    places.iter().for_each(|place| put(&mut json, place, to));
    let encounter = Document::json(setup.encounter.name(), &json);
    Setup { encounter, library: setup.library.clone() }
}

/// Puts a number in a place, with the tables on the way to it.
fn put(value: &mut Value, place: &[Key], to: i64) {
    match place.split_first() {
        None => *value = to.into(),
        Some((Key::Item(at), rest)) => {
            if let Some(item) = value.get_mut(*at) {
                put(item, rest, to);
            }
        }
        Some((Key::Field(name), rest)) => {
            if value.is_null() {
                *value = Value::Object(serde_json::Map::new());
            }
            if let Some(fields) = value.as_object_mut() {
                put(fields.entry(name.clone()).or_insert(Value::Null), rest, to);
            }
        }
    }
}

/// Every number of an encounter, then those of the library's entries that it uses: first one of each entry, then
/// another of each.
fn all(encounter: &Value, setup: &Setup) -> Vec<Found> {
    let mut found = Vec::new();
    for (name, value) in encounter.as_object().into_iter().flatten() {
        if !BESIDE.contains(&name.as_str()) {
            let mut place = vec![Key::Field(name.clone())];
            each_number(value, &mut place, "", Lists::Enter, &mut |place, of, value| {
                let number =
                    Number { of: of.to_owned(), field: path(place), written: Written::Encounter, value };
                found.push(Found { number, places: vec![place.to_vec()] });
            });
        }
    }
    let used = of_library(encounter, setup);
    let longest = used.iter().map(Vec::len).max().unwrap_or(0);
    let mut in_turn: Vec<Found> = Vec::new();
    for nth in 0..longest {
        in_turn.extend(used.iter().filter_map(|of_entry| of_entry.get(nth).cloned()));
    }
    found.extend(in_turn);
    found
}

/// The numbers of each entry of the library that the encounter uses and does not say otherwise.
fn of_library(encounter: &Value, setup: &Setup) -> Vec<Vec<Found>> {
    let library: Vec<Value> = setup.library.iter().map(Document::to_json).collect();
    let mut all = Vec::new();
    for (list, entries) in encounter.as_object().into_iter().flatten() {
        let entries = entries.as_array().map_or(&[][..], Vec::as_slice);
        let mut seen: Vec<&str> = Vec::new();
        for used in entries.iter().filter_map(|entry| entry.get("use")?.as_str()) {
            if seen.contains(&used) {
                continue;
            }
            seen.push(used);
            let is_used = |entry: &&Value| entry.get("name").and_then(Value::as_str) == Some(used);
            let of_list = library.iter().filter_map(|document| document.get(list)?.as_array());
            let Some(base) = of_list.flatten().find(is_used) else { continue };
            let mut found = Vec::new();
            each_number(base, &mut Vec::new(), used, Lists::Leave, &mut |place, of, value| {
                let uses =
                    |(_, entry): &(usize, &Value)| entry.get("use").and_then(Value::as_str) == Some(used);
                let users =
                    entries.iter().enumerate().filter(uses).filter(|(_, entry)| at(entry, place).is_none());
                let users: Vec<(usize, &Value)> = users.collect();
                let of = match users[..] {
                    [] => return,
                    [(_, only)] => name_of(only).unwrap_or_else(|| of.to_owned()),
                    _ => format!("{of} (all {})", users.len()),
                };
                let place_of = |(nth, _): &(usize, &Value)| {
                    let entry = [Key::Field(list.clone()), Key::Item(*nth)];
                    entry.into_iter().chain(place.iter().cloned()).collect()
                };
                let number = Number { of, field: path(place), written: Written::Library, value };
                found.push(Found { number, places: users.iter().map(place_of).collect() });
            });
            all.push(found);
        }
    }
    all
}

/// Whether numbers in lists count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lists {
    Enter,
    /// What stands in a list of the library cannot be said otherwise by who uses the entry.
    Leave,
}

/// Every whole number in a value: its place, the name of what it belongs to, and what it is.
fn each_number(
    value: &Value,
    place: &mut Vec<Key>,
    of: &str,
    lists: Lists,
    each: &mut impl FnMut(&[Key], &str, i64),
) {
    match value {
        Value::Number(number) => {
            if let Some(number) = number.as_i64() {
                each(place, of, number);
            }
        }
        Value::Array(items) if lists == Lists::Enter => {
            for (nth, item) in items.iter().enumerate() {
                place.push(Key::Item(nth));
                each_number(item, place, of, lists, each);
                place.pop();
            }
        }
        Value::Object(fields) => {
            let own = name_of(value);
            let of = own.as_deref().unwrap_or(of);
            for (name, field) in fields.iter().filter(|(name, _)| !NO_NUMBERS.contains(&name.as_str())) {
                place.push(Key::Field(name.clone()));
                each_number(field, place, of, lists, each);
                place.pop();
            }
        }
        _ => {}
    }
}

/// What stands in a place.
fn at<'v>(value: &'v Value, place: &[Key]) -> Option<&'v Value> {
    place.iter().try_fold(value, |value, key| match key {
        Key::Field(name) => value.get(name),
        Key::Item(nth) => value.get(*nth),
    })
}

/// A place as faults write it: `character[2].stats.arm`.
fn path(place: &[Key]) -> String {
    let mut path = String::new();
    for key in place {
        match key {
            Key::Field(name) if path.is_empty() => path.push_str(name),
            Key::Field(name) => path.extend([".", name.as_str()]),
            Key::Item(nth) => path.push_str(&format!("[{}]", nth + 1)),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_found_in_the_encounter_and_in_what_it_uses() {
        let library = json!({ "foe": [
            { "name": "Levy", "pl": 4, "id": 7, "track": { "dead": 12 }, "boon": [{ "bold": 3 }] },
            { "name": "Warden", "pl": 6, "resolve": 1 },
        ] });
        let encounter = json!({
            "minutes": 60, "tally": [{ "to": 3 }], "player": [{ "name": "Ana", "seat": 1 }],
            "foe": [{ "use": "Levy", "name": "Adan" }, { "use": "Levy", "pl": 5 }, { "use": "Warden" }],
            "scene": { "lying": [{ "name": "Beam", "hands": 2, "heavy": true }] },
        });
        let setup = Setup {
            encounter: Document::json("x", &encounter),
            library: vec![Document::json("y", &json!({})), Document::json("z", &library)],
        };
        let found = all(&encounter, &setup);
        let shown: Vec<String> = found
            .iter()
            .map(|Found { number, places }| {
                format!("{} {} {} {}", number.of, number.field, number.value, places.len())
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Levy foe[2].pl 5 1",
                "Beam scene.lying[1].hands 2 1",
                "Adan pl 4 1",
                "Warden pl 6 1",
                "Levy (all 2) track.dead 12 2",
                "Warden resolve 1 1",
            ]
        );
        let json = changed(&setup, &encounter, &found[4].places, 13).encounter.to_json();
        assert_eq!(
            (&json["foe"][0]["track"]["dead"], &json["foe"][1]["track"]["dead"]),
            (&json!(13), &json!(13))
        );
        let json = changed(&setup, &encounter, &found[1].places, 1).encounter.to_json();
        assert_eq!(json["scene"]["lying"][0]["hands"], 1);
    }

    #[test]
    fn among_many_changes_only_larger_ones_are_told() {
        let difference = |mean: f64| Mean { mean, low: mean - 0.05, high: mean + 0.05 };
        for (mean, among, expected) in
            [(0.07, 1, true), (0.06, 1, false), (0.07, 80, false), (0.1, 80, true), (-0.1, 80, true)]
        {
            assert_eq!(shows(&difference(mean), among), expected, "{mean} among {among}");
        }
    }

    #[test]
    fn long_conflicts_are_played_less_often() {
        let row = |steps: i64| Row { values: vec![0, 0, 0, 0, 0, 0, steps, 0], fell: Vec::new() };
        for (steps, changes, conflicts, expected) in [
            (50, 80, 400, 400),
            (1_500, 80, 400, 50),
            (20_000, 80, 400, 40),
            (20_000, 80, 10, 10),
            (0, 0, 3, 3),
        ] {
            let rows = vec![row(steps); conflicts];
            assert_eq!(paired(&rows, changes), expected, "{steps} {changes} {conflicts}");
        }
    }
}
