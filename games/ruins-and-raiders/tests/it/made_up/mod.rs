//! Tables that are made up: what they vary, and that they are played whole.

mod draw;

pub(crate) use draw::made_up;

use fracas_kernel::{Game, Setup};
use fracas_sim::{Fair, Greedy, Order, Policy, Random, survey_by};
use fracas_suite::Effort;
use ruins_and_raiders::{RuinsAndRaiders, vocab::*};
use serde_json::Value;
use std::collections::BTreeSet;

const SEED: u64 = 1;

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
    let setups = made_up(300, SEED);
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
    for setup in made_up(300, SEED) {
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
fn they_are_played_to_their_end() {
    let conflicts = Effort::default().walks;
    check(&mut Random, Order::Any, 8 * conflicts);
    check(&mut Fair::default(), Order::Waited, 2 * conflicts);
    check(&mut Greedy { work: 40 }, Order::Waited, conflicts.div_ceil(6));
}

fn check(policy: &mut impl Policy<RuinsAndRaiders>, order: Order, conflicts: u32) {
    let setups = made_up(conflicts, SEED);
    let tables: Vec<_> = setups
        .iter()
        .map(|setup| RuinsAndRaiders::start(setup).unwrap_or_else(|faults| panic!("{faults}")))
        .collect();
    let found = survey_by::<RuinsAndRaiders>(&tables, (policy, order), (conflicts, SEED, 20_000));
    assert_eq!(found.endings(), None, "{found}");
}
