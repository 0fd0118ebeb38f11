//! The vocabulary of effects: what guilts and glories do can be written in it.

use fracas_kernel::{Document, Game, Setup};
use std::mem::discriminant;
use truth_and_light::effect::{Effect, Verb, Way, of_glory, of_guilt};
use truth_and_light::{TruthAndLight, vocab::Guilt};

/// The effects of a feat that is written so.
fn written(effects: &str) -> Vec<Effect> {
    let text = format!(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\n\
         [[character.feat]]\nname = \"Feat\"\n{}",
        effects.replace("[[effect]]", "[[character.feat.effect]]")
    );
    let encounter = Document::toml("feat.toml", &text).expect("TOML").kept();
    let boons = Document::toml("boons.toml", "[[boon]]\nname = \"Stool\"\n").expect("TOML").kept();
    let setup = Setup { encounter, library: vec![boons] };
    let (rules, _) = TruthAndLight::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
    rules.abilities[0].effects.clone()
}

/// The same, where a verb may name what the system leaves to be named.
#[track_caller]
fn check(effects: &str, expected: &[Effect]) {
    let found = written(effects);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        match expected.verb {
            Verb::End(None) | Verb::GainBoon(_) => {
                assert_eq!(discriminant(&found.verb), discriminant(&expected.verb));
                assert_eq!(Effect { verb: expected.verb, ..*found }, *expected);
            }
            _ => assert_eq!(found, expected),
        }
    }
}

#[test]
fn every_guilt_can_be_written() {
    check(
        "[[effect]]\ndoes = \"ap\"\nby = -2\non = \"ally\"\nlasts = \"next-action\"\n\
         [[effect]]\ndoes = \"ban-abilities\"\non = \"ally\"\nlasts = \"next-action\"\n",
        of_guilt(Guilt::Fault),
    );
    check("[[effect]]\ndoes = \"lose-boon\"\nby = 2\n", of_guilt(Guilt::Lose));
    check(
        "[[effect]]\ndoes = \"ap\"\nby = -2\nrolls = \"save\"\nlasts = \"next-action\"\n\
         [[effect]]\ndoes = \"attention\"\nlasts = \"next-action\"\n",
        of_guilt(Guilt::Raise),
    );
    check("[[effect]]\ndoes = \"end\"\nend = \"Shoved Down\"\n", of_guilt(Guilt::Surprise));
}

#[test]
fn every_glory_can_be_written() {
    check(
        "[[effect]]\ndoes = \"ap\"\nby = 3\non = \"ally\"\nability_only = true\nlasts = \"until-ability\"\n",
        of_glory(Way::Grant),
    );
    check("[[effect]]\ndoes = \"gain-boon\"\nboon = \"Stool\"\n", of_glory(Way::Improvise));
    check("[[effect]]\ndoes = \"move-boon\"\non = \"them\"\n", of_glory(Way::Steal));
    check("[[effect]]\ndoes = \"lose-boon\"\non = \"them\"\n", of_glory(Way::Discard));
    check("[[effect]]\ndoes = \"ap\"\nby = 2\nlasts = \"next-action\"\n", of_glory(Way::BreakNext));
    check("[[effect]]\ndoes = \"ap\"\nby = 4\n", of_glory(Way::BreakNow));
    check("[[effect]]\ndoes = \"end\"\nend = \"Held\"\non = \"them\"\n", of_glory(Way::Spring));
}
