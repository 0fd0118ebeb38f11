//! Faults in a library, each in its own place.

use crate::TABLES;
use fracas_suite::{begun, encounter_faults, just_these, library_faults, nothing_crashes};
use judge_two::JudgeTwo;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    just_these(&library_faults::<JudgeTwo>(&[("mine.toml", text)]), expected);
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        "[[boon]]\nname = \"Net\"\nhands = 3\n\n[[foe]]\nname = \"Reeve\"\npl = 5\n\n[[character]]\nname = \"Wren\"\n\
         atributes = { arm = 1 }\n",
        &[
            "3: boon[1].hands: expected a whole number from 0 to 2, found 3",
            "5: foe[1]: `kind` is missing: brute, foe or nemesis",
            "11: character[1].atributes: no such field here; perhaps `attributes`",
        ],
    );
}

#[test]
fn wrong_types() {
    check("[[boon]]\nname = 3\n", &["2: boon[1].name: expected text, found a whole number"]);
    check("character = 3\n", &["1: character: expected a list, found a whole number"]);
    check("foe = [1, { name = \"A\", kind = \"foe\", pl = 5 }]\n", &["1: foe[1]: expected a table"]);
    check(
        "[[character]]\nname = \"A\"\nattributes = [1]\n[[character.boon]]\nname = \"B\"\nresist = { martial = \"two\" }\n",
        &[
            "3: character[1].attributes: expected a table, found a list",
            "6: character[1].boon[1].resist.martial: expected a whole number from 0 to 9, found text",
        ],
    );
}

#[test]
fn missing_fields() {
    check("[[boon]]\nhands = 1\n", &["1: boon[1]: `name` is missing"]);
    check(
        "\n[[foe]]\nname = \"A\"\nkind = \"nemesis\"\n",
        &["2: foe[1]: `pl` is missing", "2: foe[1]: `omen` is missing"],
    );
}

#[test]
fn unknown_fields_and_lists() {
    check(
        "[[boons]]\nname = \"A\"\n[[boon]]\nname = \"B\"\nhand = 1\n",
        &["1: boons: no such field here; perhaps `boon`", "5: boon[1].hand: no such field here"],
    );
    check("[carried]\nlog = \"a\"\nlines = 3\nstate = \"f\"\nfrom = 1\n", &["5: carried.from: no such"]);
    check("[[fallen]]\nplayer = \"A\"\n", &["1: fallen[1]: `name` is missing"]);
}

#[test]
fn huge_numbers() {
    check(
        "[[character]]\nname = \"A\"\nfaith = 99999999999999999999999\nrisk = 9223372036854775807\n",
        &[
            "3: character[1].faith: expected a whole number from 0 to 3, found a number too large",
            "4: character[1].risk: expected a whole number from 0 to 12, found 9223372036854775807",
        ],
    );
    let many = "[[boon]]\nname = \"A\"\nhands = 7\n".repeat(3000);
    assert!(library_faults::<JudgeTwo>(&[("many.toml", &many)]).contains("too many"));
}

#[test]
fn the_same_name_twice() {
    check(
        "[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n[[foe]]\nname = \"A\"\nkind = \"brute\"\npl = 4\n",
        &["4: boon[2].name: boon[1] is called \"A\" too", "6: boon[3].name: boon[1] is called \"A\" too"],
    );
    let one = ("one.toml", "[[boon]]\nname = \"A\"\n");
    assert_eq!(
        library_faults::<JudgeTwo>(&[one, ("two.toml", "[[boon]]\nname = \"A\"\n")]),
        "",
        "another file may say it anew"
    );
}

#[test]
fn what_is_used_must_be_there() {
    check(
        "[[character]]\nname = \"A\"\ncarries = [\"Net\", \"Rope\"]\n[[character.boon]]\nuse = \"Hook\"\n[[boon]]\nname = \"Net\"\n",
        &[
            "3: character[1].carries: the library has no [[boon]] called \"Rope\"",
            "5: character[1].boon[1].use: the library has no [[boon]] called \"Hook\"",
        ],
    );
    check(
        "[[foe]]\nname = \"A\"\nkind = \"brute\"\npl = 4\n[[foe]]\nuse = \"A\"\nname = \"B\"\n",
        &["6: foe[2].use: only an encounter's entry uses another"],
    );
    let boons = ("boons.toml", "[[boon]]\nname = \"Rope\"\n");
    assert_eq!(
        library_faults::<JudgeTwo>(&[
            ("mine.toml", "[[character]]\nname = \"A\"\ncarries = [\"Rope\"]\n"),
            boons
        ]),
        ""
    );
}

#[test]
fn whom_only_an_encounter_knows_is_no_fault() {
    let text = "[[character]]\nname = \"A\"\nplayer = \"Ana\"\nunaware_of = [\"reeve\", \"a-dog\"]\nhistory = [\"lived\"]\n\
        [[foe]]\nname = \"B\"\nkind = \"nemesis\"\npl = 6\nomen = { defeated = \"reeve\" }\n[[fallen]]\nname = \"C\"\n";
    check(text, &[]);
    check(
        "[[foe]]\nname = \"B\"\nkind = \"foe\"\npl = 6\nunaware_of = [\"The Reeve\", \"A\"]\nheedless_of = \"X\"\n",
        &[],
    );
    check(
        "[[foe]]\nname = \"B\"\nkind = \"nemesis\"\npl = 6\nomen = { defeated = \"The Reeve\" }\n",
        &["5: foe[1].omen.defeated: nobody here is called \"The Reeve\""],
    );
}

#[test]
fn whatever_is_written_is_survived() {
    nothing_crashes::<JudgeTwo>(&TABLES, &["foes.toml", "characters.toml"], 300);
}

#[test]
fn what_others_share_is_read_too() {
    check(
        "[[class]]\nname = \"Scribe\"\nresolve = 10\n[[class.ability]]\nname = \"Quill\"\ncosts = 1\n\
         [[people]]\nname = \"udahi\"\nproficient = [\"archer\"]\n[[people]]\nname = \"elves\"\n[[class]]\nresolve = 1\n\
         [[ability]]\nname = \"Ward\"\nonce = \"ever\"\nforbids = [\"sleep\"]\n",
        &[
            "3: class[1].resolve: expected a whole number from 0 to 9, found 10",
            "6: class[1].ability[1].costs: no such field here",
            "9: people[1].proficient: expected one of",
            "10: people[2]: expected one of udahi",
            "12: class[2]: `name` is missing",
            "16: ability[1].once: expected one of",
            "17: ability[1].forbids: \"sleep\" is no threat and no mark",
        ],
    );
    let whole = "[[class]]\nname = \"Scribe\"\nnote = \"x\"\nproficient = [\"captain\"]\n[[class.ability]]\nuse = \"Ward\"\n\
        [[people]]\nname = \"menefi\"\nhomeland = \"the river\"\n[[ability]]\nname = \"Ward\"\nforbids = [\"disarm\", \"crush\"]\n\
        [[character]]\nname = \"A\"\nclass = \"Scribe\"\nreadied = [\"Rebuke\"]\n";
    check(whole, &[]);
}

/// A fault: its line, what stands there and why it does nothing.
type Fault = (usize, &'static str, &'static str);

#[test]
fn what_would_never_do_anything_is_a_fault() {
    let ability = |fields: &str| format!("[[ability]]\nname = \"A\"\n{fields}\n");
    let boon = |fields: &str| format!("[[boon]]\nname = \"B\"\n{fields}\n");
    let of_foe = |kind: &str, fields: &str| {
        format!("[[foe]]\nname = \"F\"\nkind = \"{kind}\"\npl = 5\n[[foe.ability]]\nname = \"A\"\n{fields}\n")
    };
    let nothing = "ability[1]: it would do nothing: say what it makes of a roll";
    let unused = "it works by itself and is never used: leave it out, or say what it `serves`";
    let rolls = "the gamemaster's characters roll nothing, so that nothing comes of it";
    let foes = "it would do nothing for one of the gamemaster's characters";
    let power = "only a power boon has it";
    let tables: &[(String, &[Fault])] = &[
        // Abilities.
        (ability(""), &[(1, "", nothing)]),
        (ability("note = \"the gamemaster knows\""), &[]),
        (ability("cost = 2\nonce = \"scene\"\nnote = \"x\""), &[(1, "", nothing)]),
        (ability("resist = { martial = 0 }"), &[(1, "", nothing)]),
        (ability("makes = [\"bold\"]"), &[]),
        (ability("reveals = true"), &[]),
        (ability("magick = true"), &[]),
        (ability("resolve = 1\nonce = \"round\""), &[(4, "ability[1].once: ", unused)]),
        (
            ability("bold = \"brute\"\nmakes = [\"bold\"]\ncost = 1"),
            &[(4, "ability[1].makes: ", unused), (5, "ability[1].cost: ", unused)],
        ),
        (
            ability("bold = \"brute\"\nserves = [\"test\"]"),
            &[(4, "ability[1].serves: ", "its use would do nothing")],
        ),
        (ability("bold = \"brute\"\nserves = [\"test\"]\nmakes = [\"bold\"]"), &[]),
        (ability("essence = \"faith\""), &[(3, "ability[1].essence: ", "an essence is for saves")]),
        (ability("essence = \"faith\"\nserves = [\"save\"]"), &[]),
        (
            ability("attribute = \"feet\"\nserves = [\"save\"]"),
            &[(3, "ability[1].attribute: ", "an attribute is for tests")],
        ),
        // Those of the gamemaster's characters.
        (
            of_foe("foe", "makes = [\"bold\"]\ncost = 2"),
            &[(7, "foe[1].ability[1].makes: ", rolls), (8, "foe[1].ability[1].cost: ", rolls)],
        ),
        (of_foe("foe", ""), &[(5, "foe[1].ability[1]: ", foes)]),
        (of_foe("foe", "note = \"sees in the dark\""), &[]),
        (of_foe("foe", "resist = { martial = 1 }"), &[]),
        (of_foe("foe", "deeds = 1"), &[]),
        (
            of_foe("brute", "resist = { martial = 1 }"),
            &[(7, "foe[1].ability[1].resist: ", "a brute never has risk")],
        ),
        (of_foe("foe", "armed = true\nessence = \"mind\""), &[(8, "foe[1].ability[1].essence: ", rolls)]),
        (
            "[[foe]]\nname = \"F\"\nkind = \"brute\"\npl = 4\nresolve = 1\n".to_owned(),
            &[(5, "foe[1].resolve: ", "a brute never has risk")],
        ),
        (
            "[[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 4\nknown_to = [\"A\"]\n".to_owned(),
            &[(5, "foe[1].known_to: ", "only somebody who is shuvin is known for it")],
        ),
        (
            "[[ability]]\nname = \"Rush\"\nnote = \"n\"\nmakes = [\"bold\"]\n\
             [[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 5\n[[foe.ability]]\nuse = \"Rush\"\n"
                .to_owned(),
            &[(10, "foe[1].ability[1].use: ", foes)],
        ),
        // A relic serves its holder.
        (
            "[[foe]]\nname = \"F\"\nkind = \"foe\"\npl = 4\n[[foe.item]]\nname = \"Horn\"\n\
             [[foe.item.ability]]\nname = \"A\"\nmakes = [\"bold\"]\n"
                .to_owned(),
            &[],
        ),
        // Boons.
        (boon("range = \"far\""), &[(3, "boon[1].range: ", power)]),
        (
            boon("category = \"keen\"\nblocks = [\"weaken\"]\nbold = \"always\""),
            &[(5, "boon[1].bold: ", power)],
        ),
        (
            boon("category = \"power\"\nimpassioned = true"),
            &[(4, "boon[1].impassioned: ", "only a script has it")],
        ),
        (
            boon("category = \"power\"\nform = \"subtle\"\nrange = \"far\""),
            &[(5, "boon[1].range: ", "in such a conflict nothing has a reach")],
        ),
        (
            boon("category = \"power\"\npeople = \"udahi\""),
            &[(4, "boon[1].people: ", "only a master's weapon")],
        ),
        (boon("resist = { martial = 1 }"), &[(3, "boon[1].resist: ", "only a vital boon grants resistance")]),
        (boon("blocks = [\"weaken\"]"), &[(3, "boon[1].blocks: ", "only a keen boon makes threats")]),
        (boon("category = \"vital\""), &[(1, "boon[1]: ", "a vital boon grants resistance")]),
        (boon("category = \"keen\""), &[(1, "boon[1]: ", "a keen boon makes threats impossible")]),
        (boon("category = \"keen\"\nnote = \"x\""), &[]),
        (boon(""), &[]),
        // What is left empty.
        ("[[class]]\nname = \"C\"\n".to_owned(), &[(1, "class[1]: ", "it would give nothing")]),
        ("[[class]]\nname = \"C\"\nnote = \"x\"\n".to_owned(), &[]),
        (
            "[[character]]\nname = \"A\"\ndisguise = {}\n".to_owned(),
            &[(3, "character[1].disguise: ", "nothing about them is disguised")],
        ),
    ];
    for (text, expected) in tables {
        let told = expected.iter().map(|(line, field, what)| format!("{line}: {field}{what}"));
        just_these(&library_faults::<JudgeTwo>(&[("mine.toml", text)]), &told.collect::<Vec<_>>());
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
