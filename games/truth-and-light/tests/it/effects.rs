//! The vocabulary of effects: what guilts and glories do can be written in it.

use fracas_suite::begun;
use truth_and_light::TruthAndLight;
use truth_and_light::effect::{BREAK_NEXT, Effect, FAULT, GRANT, RAISE};

/// The effects of a feat that is written so.
fn written(effects: &str) -> Vec<Effect> {
    let feat = format!("[[character.feat]]\nname = \"Feat\"\neffect = [{effects}]\n");
    let ana = "player = [{ name = \"ana\" }]\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\n";
    begun::<TruthAndLight>(&format!("{ana}{feat}")).0.abilities[0].effects.clone()
}

#[test]
fn every_guilt_and_every_glory_can_be_written() {
    let kept: [(&str, &[Effect]); 4] = [
        (
            r#"{ does = "ap", by = -2, on = "ally", lasts = "next-action" },
               { does = "ban-abilities", on = "ally", lasts = "next-action" }"#,
            &FAULT,
        ),
        (
            r#"{ does = "ap", by = -2, rolls = "save", lasts = "next-action" },
               { does = "attention", lasts = "next-action" }"#,
            &RAISE,
        ),
        (r#"{ does = "ap", by = 3, on = "ally", ability_only = true, lasts = "until-ability" }"#, &GRANT),
        (r#"{ does = "ap", by = 2, lasts = "next-action" }"#, &BREAK_NEXT),
    ];
    for (effects, expected) in kept {
        assert_eq!(written(effects), expected, "{effects}");
    }
    // The rest is done at once, to what is named when it is picked.
    let at_once = r#"
        { does = "lose-boon", by = 2 }, { does = "end", end = "Shoved Down" }, { does = "move-boon", on = "them" },
        { does = "lose-boon", on = "them" }, { does = "ap", by = 4 }, { does = "end", end = "Held", on = "them" }
    "#;
    assert!(written(at_once).iter().all(|effect| !effect.verb.endures() || effect.into_roll()));
}
