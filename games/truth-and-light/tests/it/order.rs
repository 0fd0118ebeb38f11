//! What is listed first: what is likely.

use fracas_kernel::{Game, Slot};
use fracas_suite::begun;
use truth_and_light::vocab::{Char, Target};
use truth_and_light::{TruthAndLight, answer::Answer};

const TABLE: &str = r#"
player = [{ name = "ana" }, { name = "bo" }]
character = [{ name = "Ana", player = "ana", writhing = "w" }, { name = "Bo", player = "bo", writhing = "w" }]
npc = [{ name = "Aide", pn = 7, hostile = false }, { name = "Foe", pn = 8 }]
"#;

/// Whom the answers at a slot name, in the order in which they are listed.
fn named(slot: u8, whom: impl Fn(Answer) -> Option<Char>) -> Vec<String> {
    let (rules, state) = begun::<TruthAndLight>(TABLE);
    let mut all: Vec<String> = Vec::new();
    TruthAndLight::legal(&rules, &state, Slot(slot), &mut |answer| {
        all.extend(whom(answer).map(|who| rules.name(who).to_owned()));
    });
    all.dedup();
    all
}

#[test]
fn players_act_on_foes_before_friends() {
    let on = |answer| match answer {
        Answer::Major(deal) => deal.on.and_then(Target::char),
        _ => None,
    };
    assert_eq!(named(1, on), ["Foe", "Aide", "Bo"]);
}

#[test]
fn the_hostile_act_before_others() {
    let by = |answer| match answer {
        Answer::Save { by, .. } => by.char(),
        _ => None,
    };
    assert_eq!(named(0, by), ["Foe", "Aide"]);
}
