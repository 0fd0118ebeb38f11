//! The order of an answer's effects.

use crate::{Effort, walk::walks};
use fracas_kernel::{Names, Setup, Words};
use serde_json::Value;
use std::collections::BTreeSet;

/// Two kinds of effects that may come in either order, and the clause that says why.
pub type Either<'a> = (&'a str, &'a str, &'a str);

/// Two kinds of effects on the same thing come in the same order in every answer, unless
/// `either` names the pair, with the clause that allows both orders.
///
/// The kind of an event is its name, with the clause or the cause in it: `ended`,
/// `ended/threats-at-scene-end`. Gives the number of pairs that came in one order only.
///
/// # Panics
/// If a pair came in both orders and is not named, or `either` names a clause that is not in
/// the rulebook.
pub fn ordered<G: Words>(setups: &[Setup], effort: Effort, either: &[Either<'_>]) -> usize {
    for (.., clause) in either {
        assert!(G::rulebook().find(clause).is_some(), "no clause is called {clause}");
    }
    let is_named = |a: &str, b: &str| {
        either.iter().any(|&(one, other, _)| (one, other) == (a, b) || (one, other) == (b, a))
    };
    let mut met: BTreeSet<(String, String)> = BTreeSet::new();
    walks::<G>(setups, effort, |here| {
        let effects: Vec<_> = here.events.iter().map(effect).collect();
        for (at, (first, on)) in effects.iter().enumerate() {
            for (then, also_on) in &effects[at + 1..] {
                if first == then || on.is_disjoint(also_on) || is_named(first, then) {
                    continue;
                }
                assert!(
                    !met.contains(&(then.clone(), first.clone())),
                    "{first} came before {then}, and the other way round, and no clause says why"
                );
                met.insert((first.clone(), then.clone()));
            }
        }
    });
    met.len()
}

/// The kind of an event, and its references.
fn effect(event: &impl serde::Serialize) -> (String, BTreeSet<(char, usize)>) {
    let json = serde_json::to_string(event).unwrap_or_default();
    let value: Value = serde_json::from_str(&json).unwrap_or_default();
    let on = Names::references(&json).collect();
    let Some((name, fields)) = value.as_object().and_then(|event| event.iter().next()) else {
        return (value.as_str().unwrap_or_default().to_owned(), on);
    };
    let cause = || fields["from"].as_object()?.keys().next().map(String::as_str);
    match fields["clause"].as_str().or_else(cause) {
        Some(why) => (format!("{name}/{why}"), on),
        None => (name.clone(), on),
    }
}
