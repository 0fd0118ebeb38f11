//! Tables that are made up: what they vary, and that they are played whole.

mod draw;

pub(crate) use draw::made_up;

use fracas_kernel::{Game, Setup};
use fracas_sim::{Chance, End, Fair, Greedy, Order, Playouts, Policy, Quiet, Random};
use fracas_suite::some;
use ruins_and_raiders::{RuinsAndRaiders, vocab::*};
use serde_json::Value;
use std::collections::BTreeSet;

/// All that stands under a name, anywhere in a document, as text.
fn all(value: &Value, name: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(field, value)| match value {
            Value::Array(list) if field == name && list.iter().all(Value::is_string) => {
                found.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            Value::Array(_) | Value::Object(_) => all(value, name, found),
            Value::Null => {}
            value if field == name => {
                found.insert(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
            _ => {}
        }),
        Value::Array(list) => list.iter().for_each(|value| all(value, name, found)),
        _ => {}
    }
}

#[test]
fn they_vary_all_that_a_setup_says() {
    let setups: Vec<Setup> = (0..300).map(made_up).collect();
    let under = |name: &str| {
        let mut found = BTreeSet::new();
        setups.iter().for_each(|setup| all(&setup.encounter.to_json(), name, &mut found));
        found
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<String>>();
    for (clause, option) in RuinsAndRaiders::rulebook().options() {
        assert_eq!(under(clause.id()), words(option.values), "{}", clause.id());
    }
    assert_eq!(under("uses"), words(&["melee", "thrown", "missile"]));
    assert_eq!(under("gifts"), Gift::ALL.iter().map(|gift| gift.word().to_owned()).collect());
    assert_eq!(under("range"), words(&["short", "long"]));
    assert_eq!(under("side"), words(&["foes", "nobody", "players"]));
    let effects = ["wounds", "shocks", "prone", "drop", "held", "asleep", "change", "thrown", "told"];
    assert_eq!(under("do"), words(&[&effects[..], &["bonus", "step"]].concat()));
    for flag in [
        "unseen", "away", "asleep", "unaware", "revealed", "mount", "aimed", "own", "brace", "pole",
        "natural",
    ] {
        assert!(under(flag).contains("true"), "{flag}");
    }
    for field in
        ["rides", "legend", "walls", "names", "place", "columns", "limbs", "track", "spell", "manoeuvre"]
    {
        let has = |setup: &&Setup| setup.encounter.to_json().to_string().contains(&format!("\"{field}\":"));
        assert!(setups.iter().any(|setup| has(&setup)), "{field}");
    }
}

#[test]
fn they_are_of_every_size() {
    let (mut sides, mut counts, mut places) = (BTreeSet::new(), BTreeSet::new(), 0);
    for setup in (0..300).map(made_up) {
        let (rules, _) = RuinsAndRaiders::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
        counts.insert(rules.everybody().filter(|&who| !rules.sheet(who).mount).count());
        if rules.field.is_grid() {
            sides.extend([rules.field.columns(), rules.field.rows()]);
        } else {
            places += 1;
        }
        for side in [Side::Players, Side::Foes] {
            assert!(rules.everybody().any(|who| rules.sheet(who).side == side), "{}", setup.encounter.name());
        }
    }
    assert_eq!((counts.first(), counts.last()), (Some(&2), Some(&20)));
    assert!(sides.first() == Some(&6) && sides.last() >= Some(&58), "{sides:?}");
    assert!(places > 20, "{places}");
}

#[test]
fn at_random_they_are_played_to_their_end() {
    check(Random, Order::Any, 2_000, 80);
}

#[test]
fn fair_players_play_them_to_their_end() {
    check(Fair::default(), Order::Waited, 500, 20);
}

#[test]
fn good_players_play_them_to_their_end() {
    check(Greedy { work: 400 }, Order::Waited, 500, 8);
}

/// Plays so many tables of these, once each; an ordinary run at most so many.
fn check(mut policy: impl Policy<RuinsAndRaiders>, order: Order, all: u32, most: usize) {
    for n in some(0..all, most) {
        let setup = made_up(n);
        let (rules, state) = RuinsAndRaiders::start(&setup).unwrap_or_else(|faults| panic!("{n}: {faults}"));
        let mut playouts = Playouts::<RuinsAndRaiders>::new(&rules, &state).order(order);
        let played = playouts.play(&mut policy, &mut Chance::new(1, n.into()), &mut Quiet);
        assert_eq!(played.end, End::Over, "{n}, after {} answers", played.answers);
    }
}
