//! Faults in a library, each in its own place.

use crate::TABLES;
use fracas_suite::{begun, encounter_faults, faults_beside, just_these, library_faults, nothing_crashes};
use judge_two::JudgeTwo;

#[track_caller]
fn check(text: &str) {
    faults_beside(text, |sheet| library_faults::<JudgeTwo>(&[("mine.toml", sheet)]));
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        r#"
        boon = [{ name = "Net", hands = 3 }] #! hands: expected a whole number from 0 to 2, found 3
        foe = [{ name = "Reeve", pl = 5 }] #! `kind` is missing: brute, foe or nemesis
        [[character]]
        name = "Wren"
        atributes = { arm = 1 } #! atributes: no such field here; perhaps `attributes`
        "#,
    );
}

#[test]
fn wrong_types() {
    check("character = 3 #! character: expected a list, found a whole number");
    check(
        r#"
        boon = [{ name = 3 }] #! name: expected text, found a whole number
        foe = [1, { name = "A", kind = "foe", pl = 5 }] #! expected a table
        [[character]]
        name = "A"
        attributes = [1] #! attributes: expected a table, found a list
        [[character.boon]]
        name = "B"
        resist = { martial = "two" } #! resist.martial: expected a whole number from 0 to 9, found text
        "#,
    );
}

#[test]
fn what_is_missing_unknown_or_too_large() {
    check(
        r#"
        boon = [
            { hands = 1 }, #! `name` is missing
            { name = "B", hand = 1 }, #! hand: no such field here
        ]
        foe = [{ name = "A", kind = "nemesis" }] #! `pl` is missing #! `omen` is missing
        boons = [{ name = "A" }] #! boons: no such field here; perhaps `boon`
        fallen = [{ player = "A" }] #! `name` is missing
        [carried]
        log = "a"
        lines = 3
        state = "f"
        from = 1 #! carried.from: no such
        [[character]]
        name = "A"
        faith = 99999999999999999999999 #! faith: expected a whole number from 0 to 3, found a number too large
        risk = 9223372036854775807 #! risk: expected a whole number from 0 to 12, found 9223372036854775807
        "#,
    );
    let many = "[[boon]]\nname = \"A\"\nhands = 7\n".repeat(3000);
    assert!(library_faults::<JudgeTwo>(&[("many.toml", &many)]).contains("too many"));
}

#[test]
fn the_same_name_twice() {
    check(
        r#"
        boon = [
            { name = "A" },
            { name = "A" }, #! name: boon[1] is called "A" too
            { name = "A" }, #! name: boon[1] is called "A" too
        ]
        foe = [{ name = "A", kind = "brute", pl = 4 }]
        "#,
    );
    let [one, two] = ["one.toml", "two.toml"].map(|file| (file, "[[boon]]\nname = \"A\"\n"));
    assert_eq!(library_faults::<JudgeTwo>(&[one, two]), "", "another file may say it anew");
}

#[test]
fn what_is_used_must_be_there() {
    check(
        r#"
        boon = [{ name = "Net" }]
        character = [
            { name = "A", carries = ["Net", "Rope"] }, #! carries: the library has no [[boon]] called "Rope"
            { name = "B", boon = [{ use = "Hook" }] }, #! use: the library has no [[boon]] called "Hook"
        ]
        foe = [
            { name = "A", kind = "brute", pl = 4 },
            { use = "A", name = "B" }, #! use: only an encounter's entry uses another
        ]
        "#,
    );
    let mine = ("mine.toml", "[[character]]\nname = \"A\"\ncarries = [\"Rope\"]\n");
    assert_eq!(library_faults::<JudgeTwo>(&[mine, ("boons.toml", "[[boon]]\nname = \"Rope\"\n")]), "");
}

#[test]
fn whom_only_an_encounter_knows_is_no_fault() {
    check(
        r#"
        fallen = [{ name = "C" }]
        [[character]]
        name = "A"
        player = "Ana"
        unaware_of = ["reeve", "a-dog"]
        history = ["lived"]
        [[foe]]
        name = "B"
        kind = "nemesis"
        pl = 6
        omen = { defeated = "reeve" }
        [[foe]]
        name = "C"
        kind = "foe"
        pl = 6
        unaware_of = ["The Reeve", "A"]
        heedless_of = "X"
        [[foe]]
        name = "D"
        kind = "nemesis"
        pl = 6
        omen = { defeated = "The Reeve" } #! omen.defeated: nobody here is called "The Reeve"
        "#,
    );
}

#[test]
fn whatever_is_written_is_survived() {
    nothing_crashes::<JudgeTwo>(&TABLES, &["foes.toml", "characters.toml"], 300);
}

#[test]
fn what_others_share_is_read_too() {
    check(
        r#"
        class = [
            { name = "Clerk", resolve = 10 }, #! resolve: expected a whole number from 0 to 9, found 10
            { name = "Poet", ability = [{ name = "Quill", costs = 1 }] }, #! costs: no such field here
            { resolve = 1 }, #! `name` is missing
            { name = "Scribe", note = "x", proficient = ["captain"], ability = [{ use = "Ward" }] },
        ]
        people = [
            { name = "udahi", proficient = ["archer"] }, #! proficient: expected one of
            { name = "elves" }, #! expected one of udahi
            { name = "menefi", homeland = "the river" },
        ]
        ability = [
            { name = "Ban", once = "ever" }, #! once: expected one of
            { name = "Bar", forbids = ["sleep"] }, #! forbids: "sleep" is no threat and no mark
            { name = "Ward", forbids = ["disarm", "crush"] },
        ]
        character = [{ name = "A", class = "Scribe", readied = ["Rebuke"] }]
        "#,
    );
}

#[test]
fn what_would_never_do_anything_is_a_fault() {
    check(
        r#"
        ability = [
            { name = "A" }, #! it would do nothing: say what it makes of a roll
            { name = "B", note = "the gamemaster knows" },
            { name = "C", cost = 2, once = "scene", note = "x" }, #! it would do nothing: say what it makes
            { name = "D", resist = { martial = 0 } }, #! it would do nothing: say what it makes of a roll
            { name = "E", makes = ["bold"] },
            { name = "F", reveals = true },
            { name = "G", magick = true },
            { name = "H", resolve = 1, once = "round" }, #! once: it works by itself and is never used
            { name = "I", bold = "brute", makes = ["bold"] }, #! makes: it works by itself and is never used
            { name = "J", bold = "brute", cost = 1 }, #! cost: it works by itself and is never used
            { name = "K", bold = "brute", serves = ["test"] }, #! serves: its use would do nothing
            { name = "L", bold = "brute", serves = ["test"], makes = ["bold"] },
            { name = "M", essence = "faith" }, #! essence: an essence is for saves
            { name = "N", essence = "faith", serves = ["save"] },
            { name = "O", attribute = "feet", serves = ["save"] }, #! attribute: an attribute is for tests
            { name = "Rush", note = "n", makes = ["bold"] },
        ]
        boon = [
            { name = "A", range = "far" }, #! range: only a power boon has it
            { name = "B", category = "keen", blocks = ["weaken"], bold = "always" }, #! bold: only a power boon
            { name = "C", category = "power", impassioned = true }, #! impassioned: only a script has it
            { name = "D", category = "power", form = "subtle", range = "far" }, #! range: in such a conflict
            { name = "E", category = "power", people = "udahi" }, #! people: only a master's weapon
            { name = "F", resist = { martial = 1 } }, #! resist: only a vital boon grants resistance
            { name = "G", blocks = ["weaken"] }, #! blocks: only a keen boon makes threats
            { name = "H", category = "vital" }, #! a vital boon grants resistance
            { name = "I", category = "keen" }, #! a keen boon makes threats impossible
            { name = "J", category = "keen", note = "x" },
            { name = "K" },
        ]
        class = [{ name = "C" }, { name = "D", note = "x" }] #! it would give nothing
        character = [{ name = "A", disguise = {} }] #! disguise: nothing about them is disguised
        "#,
    );
    // Those of the gamemaster's characters, who roll nothing; a relic serves its holder.
    let foe =
        |kind: &str, fields: &str| format!("foe = [{{ name = \"F\", kind = \"{kind}\", pl = 5, {fields}");
    for (kind, fields) in [
        ("foe", "ability = [{ name = \"A\", makes = [\"bold\"] }] }] #! makes: ROLLS"),
        ("foe", "ability = [{ name = \"A\", cost = 2 }] }] #! cost: ROLLS"),
        ("foe", "ability = [{ name = \"A\" }] }] #! NOTHING"),
        ("foe", "ability = [{ name = \"A\", note = \"sees in the dark\" }] }]"),
        ("foe", "ability = [{ name = \"A\", resist = { martial = 1 } }] }]"),
        ("foe", "ability = [{ name = \"A\", deeds = 1 }] }]"),
        (
            "brute",
            "ability = [{ name = \"A\", resist = { martial = 1 } }] }] #! resist: a brute never has risk",
        ),
        ("foe", "ability = [{ name = \"A\", armed = true, essence = \"mind\" }] }] #! essence: ROLLS"),
        (
            "foe",
            "ability = [{ use = \"R\" }] }] #! use: NOTHING\nability = [{ name = \"R\", reveals = true }]",
        ),
        ("foe", "item = [{ name = \"Horn\", ability = [{ name = \"A\", makes = [\"bold\"] }] }] }]"),
        ("brute", "resolve = 1 }] #! resolve: a brute never has risk"),
        ("foe", "known_to = [\"A\"] }] #! known_to: only somebody who is shuvin is known for it"),
    ] {
        let rolls = "the gamemaster's characters roll nothing, so that nothing comes of it";
        let nothing = "it would do nothing for one of the gamemaster's characters";
        check(&foe(kind, fields).replace("ROLLS", rolls).replace("NOTHING", nothing));
    }
}

#[test]
fn what_a_table_keeps_already_may_do_nothing() {
    let text = "[[player]]\nname = \"Ana\"\n[[character]]\nname = \"A\"\n[[character.ability]]\nname = \"E\"\n\
                [form.naval]\n[[foe]]\nname = \"F\"\nkind = \"brute\"\npl = 4\nresolve = 1\nunaware_of = [\"F\"]\n\
                [[range]]\nfrom = [\"A\"]\nto = [\"A\"]\nis = \"far\"\n";
    just_these(&encounter_faults::<JudgeTwo>(text), &[""; 5]);
    begun::<JudgeTwo>(text);
}

#[test]
fn names_that_are_near_are_told() {
    let text = "[options]\ntier-downgrad = \"allowed\"\nessence-cap = \"uncaped\"\n[[player]]\nname = \"Tamsin\"\n\
                [[character]]\nname = \"A\"\nplayer = \"Tamsyn\"\n[[character.ability]]\nname = \"W\"\nforbids = [\"weakn\"]\n";
    let expected = [
        "2: options.tier-downgrad: no such option; perhaps `tier-downgrade`; there are ",
        "3: options.essence-cap: expected one of capped-at-3, uncapped, found \"uncaped\"; perhaps `uncapped`",
        "8: character[1].player: no [[player]] is called \"Tamsyn\"; perhaps `Tamsin`; there are Tamsin",
        "11: character[1].ability[1].forbids: \"weakn\" is no threat and no mark; perhaps `weaken`",
    ];
    just_these(&encounter_faults::<JudgeTwo>(text), &expected);
}
