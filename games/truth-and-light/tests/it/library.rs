//! Faults in a library and in a setup, each in its own place.

use fracas_suite::{encounter_faults, just_these, library_faults};
use truth_and_light::TruthAndLight;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    just_these(&library_faults::<TruthAndLight>(&[("mine.toml", text)]), expected);
}

/// Faults of an encounter.
#[track_caller]
fn encounter(text: &str, expected: &[&str]) {
    let whole =
        format!("[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\n{text}");
    just_these(&encounter_faults::<TruthAndLight>(&whole), expected);
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        "[[boon]]\nname = \"Net\"\nbonus = 30\n\n[[npc]]\nname = \"Reeve\"\n\n[[character]]\nname = \"Wren\"\n\
         writing = \"w\"\n",
        &[
            "3: boon[1].bonus: expected a whole number from -9 to 9, found 30",
            "5: npc[1]: `pn` is missing: a power number from 6 to 16 (pn.range)",
            "8: character[1]: `writhing` is missing",
            "10: character[1].writing: no such field here; perhaps `writhing`",
        ],
    );
}

#[test]
fn wrong_types() {
    check("[[boon]]\nname = 3\n", &["2: boon[1].name: expected text, found a whole number"]);
    check("feat = 3\n", &["1: feat: expected a list, found a whole number"]);
    check("npc = [1]\n", &["1: npc[1]: expected a table"]);
}

#[test]
fn missing_fields() {
    check("[[boon]]\nbonus = 1\n", &["1: boon[1]: `name` is missing"]);
    check("[[hazard]]\nname = \"Fire\"\n", &["1: hazard[1]: `tn` is missing"]);
    check("[[end]]\nname = \"Hit\"\ndamaging = true\n", &["1: end[1]: `track` is missing: what it harms"]);
    check(
        "[[feat]]\nname = \"A\"\n[[feat.effect]]\nby = 1\n[[feat.effect]]\ndoes = \"ap\"\n",
        &["3: feat[1].effect[1]: `does` is missing", "5: feat[1].effect[2]: `by` is missing"],
    );
}

#[test]
fn what_cannot_be() {
    check(
        "[[boon]]\nname = \"Net\"\n[[boon.effect]]\ndoes = \"heal\"\n",
        &["3: boon[1].effect: only a boon that is used once has effects"],
    );
    check(
        "[[whisper]]\nname = \"A\"\ntrigger = \"passive\"\nattribute = \"honor\"\n",
        &[
            "3: whisper[1].trigger: a Whisper is used",
            "4: whisper[1].attribute: a test uses beauty, strength or wisdom",
        ],
    );
    check(
        "[[end]]\nname = \"A\"\n[[end.effect]]\ndoes = \"end\"\nend = \"Held\"\n",
        &["3: end[1].effect: an end brings no other end"],
    );
    check(
        "[[feat]]\nname = \"A\"\n[[feat.effect]]\ndoes = \"hold\"\nlasts = \"until-test\"\n\
         [[feat.effect]]\ndoes = \"ap\"\nby = 1\ntext = \"x\"\n[[feat.effect]]\ndoes = \"end\"\nend = \"Eaten\"\n\
         [[feat.effect]]\ndoes = \"gain-boon\"\nboon = \"Moon\"\n",
        &[
            "3: feat[1].effect[1]: `tn` is missing",
            "9: feat[1].effect[2].text: only `condition` and `narrate` have a text",
            "12: feat[1].effect[3].end: no end is called \"Eaten\"",
            "15: feat[1].effect[4].boon: the library has no [[boon]] called \"Moon\"",
        ],
    );
    check(
        "[[character]]\nname = \"A\"\nwrithing = \"w\"\ncarries = [\"Rope\"]\nfeats = [\"F\"]\nkept = [\"Hat\"]\n",
        &[
            "4: character[1].carries: the library has no [[boon]] called \"Rope\"",
            "5: character[1].feats: the library has no [[feat]] called \"F\"",
            "6: character[1].kept: they have no boon called \"Hat\"",
        ],
    );
    check(
        "[[npc]]\nname = \"A\"\npn = 9\n[[npc.track]]\nname = \"Soul\"\n",
        &["5: npc[1].track[1].name: no track is called \"Soul\"; there are Body, Mind"],
    );
}

#[test]
fn the_same_name_twice() {
    check(
        "[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n",
        &["4: boon[2].name: boon[1] is called \"A\" too"],
    );
    let one = ("one.toml", "[[boon]]\nname = \"A\"\n");
    assert_eq!(
        library_faults::<TruthAndLight>(&[one, ("two.toml", "[[boon]]\nname = \"A\"\n")]),
        "",
        "another file may say it anew"
    );
}

#[test]
fn entries_that_use_others() {
    check(
        "[[npc]]\nname = \"A\"\npn = 8\n[[npc]]\nuse = \"A\"\nname = \"B\"\n",
        &["5: npc[2].use: only an encounter's entry uses another"],
    );
    encounter("[[npc]]\nuse = \"Reeve\"\n", &["7: npc[1].use: the library has no [[npc]] called \"Reeve\""]);
}

#[test]
fn what_a_table_needs() {
    let found = encounter_faults::<TruthAndLight>("title = \"t\"\n");
    just_these(&found, &["1: there is no [[player]]", "1: there is no [[character]]"]);
    encounter("[[player]]\nname = \"ANA\"\n", &["7: player[2].name: two players are called \"ANA\""]);
    encounter("[[player]]\nname = \"gm\"\n", &["7: player[2].name: \"gm\" is a seat of its own"]);
    encounter("zone = \"Roof\"\n", &["6: character[1].zone: no zone is called \"Roof\"; there are Here"]);
    encounter("[[npc]]\nname = \"Ana\"\npn = 8\n", &["6: npc[1]: two things here are called \"ana\""]);
    encounter(
        "[[npc]]\nname = \"Bo\"\npn = 8\n[[npc.track]]\nname = \"Body\"\nsize = 2\nharm = 2\n[scene]\nconflict = \"social\"\n",
        &["14: scene.conflict: one side of the conflict is out before it begins"],
    );
    encounter(
        "[table]\ntracks = [\"A\", \"B\", \"C\", \"D\", \"E\"]\n",
        &["7: table.tracks: too many: 4 at most"],
    );
}

#[test]
fn more_than_there_can_be() {
    let npcs: String = (0..20).map(|n| format!("[[npc]]\nname = \"N{n}\"\npn = 8\n")).collect();
    encounter(&npcs, &[""; 5]);
    let boons: String = (0..90).map(|n| format!("[[character.boon]]\nname = \"B{n}\"\n")).collect();
    encounter(&boons, &[""; 2]);
    let feats: String =
        (0..65).map(|n| format!("[[character.feat]]\nname = \"F{n}\"\nnote = \"n\"\n")).collect();
    encounter(&feats, &[""]);
    let ends: String = (0..33).map(|n| format!("[[end]]\nname = \"E{n}\"\nnote = \"n\"\n")).collect();
    encounter(&ends, &[""]);
    let hazards: String = (0..17).map(|n| format!("[[hazard]]\nname = \"H{n}\"\ntn = 9\n")).collect();
    encounter(&hazards, &[""]);
    let many = "[[boon]]\nname = \"A\"\nbonus = 70\n".repeat(1100);
    assert!(library_faults::<TruthAndLight>(&[("many.toml", &many)]).contains("too many"));
}

/// Faults of a feat with this trigger and this effect.
#[track_caller]
fn feat(trigger: &str, effect: &str, expected: &[&str]) {
    check(&format!("[[feat]]\nname = \"A\"\ntrigger = \"{trigger}\"\n[[feat.effect]]\n{effect}\n"), expected);
}

#[test]
fn effects_that_would_do_nothing() {
    feat(
        "passive",
        "does = \"hold\"",
        &["5: feat[1].effect[1].does: a passive feat adds to rolls and does nothing else"],
    );
    feat(
        "passive",
        "does = \"ap\"\nby = -2\non = \"foes\"\nlasts = \"scene\"",
        &["8: feat[1].effect[1].lasts: a passive feat always works: leave `lasts` out"],
    );
    let on = "7: feat[1].effect[1].on: what counts for the roll itself is on the roller";
    feat("passive", "does = \"ap\"\nby = -2\non = \"foes\"", &[on]);
    feat("on-test", "does = \"ap\"\nby = 1\non = \"allies\"", &[on]);
    feat("on-test", "does = \"ap\"\nby = 1\non = \"allies\"\nlasts = \"next-action\"", &[]);
    feat(
        "on-test",
        "does = \"ap\"\nby = 1\nper_degree = true",
        &["7: feat[1].effect[1].per_degree: degrees are known once the roll is over"],
    );
    let lasts = "4: feat[1].effect[1]: `lasts` is missing: how long it is on them";
    feat("on-test", "does = \"hold\"\non = \"them\"", &[lasts]);
    feat("on-success", "does = \"ap\"\nby = 1", &[lasts]);
    feat(
        "on-success",
        "does = \"heal\"\non = \"ally\"",
        &["6: feat[1].effect[1].on: nobody names an ally for it"],
    );
    check(
        "[[end]]\nname = \"Hit\"\n[[end.effect]]\ndoes = \"ap\"\nby = -2\n",
        &["3: end[1].effect[1]: `lasts` is missing"],
    );
}

#[test]
fn usual_ends_have_their_place() {
    let ends: String = (0..23).map(|n| format!("[[end]]\nname = \"E{n}\"\nnote = \"n\"\n")).collect();
    encounter(&ends, &["72: end[23]: too many ends: 32 at most with the usual ones"]);
    encounter(&ends.replace("\"E7\"", "\"Held\""), &[]);
}

#[test]
fn more_than_a_table_holds() {
    let zones: Vec<String> = (0..9).map(|n| format!("\"Z{n}\"")).collect();
    let zones = |n: usize| format!("[scene]\nzones = [{}]\n", zones[..n].join(", "));
    encounter(&zones(8), &[]);
    encounter(&zones(9), &["7: scene.zones: too many: 8 at most"]);
    encounter("[table]\ntracks = [\"A\", \"B\", \"C\", \"D\"]\n", &[]);
    let edges = |n: usize| {
        format!(
            "[[character.boon]]\nname = \"A\"\nedge = [{}]\n",
            vec!["{ against = [\"slow\"] }"; n].join(", ")
        )
    };
    encounter(&edges(2), &[]);
    encounter(&edges(3), &["8: character[1].boon[1].edge[3]: too many edges: two at most"]);
    let players = |n: usize| -> String {
        let one = |n| {
            format!(
                "[[player]]\nname = \"p{n}\"\n[[character]]\nname = \"P{n}\"\nplayer = \"p{n}\"\nwrithing = \"w\"\n"
            )
        };
        (1..n).map(one).collect()
    };
    let most = usize::from(fracas_kernel::SeatSet::PLAYERS);
    let table = |n: usize| {
        let first =
            "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nplayer = \"ana\"\nwrithing = \"w\"\n";
        encounter_faults::<TruthAndLight>(&format!("{first}{}", players(n)))
    };
    assert_eq!(table(most), "");
    assert!(table(most + 1).contains(&format!("too many players: {most} at most")));
}

#[test]
fn who_plays_whom_is_said() {
    encounter(
        "[[player]]\nname = \"bo\"\n",
        &[
            "1: player \"bo\" has no [[character]]",
            "3: character[1]: `player` is missing: who plays this character",
        ],
    );
    encounter(
        "player = \"cy\"\n",
        &["6: character[1].player: no [[player]] is called \"cy\"; there are ana"],
    );
    encounter(
        "[[player]]\nname = \"Chance\"\n",
        &["7: player[2].name: \"Chance\" is a seat of its own: call the player something else"],
    );
}

#[test]
fn names_to_refer_by() {
    encounter(
        "id = \"Big Ana\"\n",
        &["3: character[1]: \"Big Ana\" cannot be referred to: give an `id` of lower-case letters"],
    );
    let boons = |first: &str, second: &str| {
        format!("[[character.boon]]\nname = \"Net\"\n{first}[[character.boon]]\nname = \"Net\"\n{second}")
    };
    encounter(&boons("", ""), &[]);
    encounter(&boons("", "id = \"net-2\"\n"), &[]);
    encounter(
        &boons("id = \"net\"\n", "id = \"net\"\n"),
        &["9: character[1].boon[2]: two things here are called \"net\": give one another `id`"],
    );
}

#[test]
fn attributes_are_for_tests_or_for_saves() {
    let end = |field: &str| format!("[[end]]\nname = \"Hit\"\n{field}\nnote = \"n\"\n");
    let wrong = ["1: end[1]: a test uses beauty, strength or wisdom, a save honor, valor or initiative"];
    check(&end("attribute = \"valor\""), &wrong);
    check(&end("save = \"wisdom\""), &wrong);
    check(&end("attribute = \"wisdom\"\nsave = \"honor\""), &[]);
    check(
        "[[hazard]]\nname = \"Fire\"\ntn = 9\nsave = \"beauty\"\n",
        &["4: hazard[1].save: a save uses honor, valor or initiative"],
    );
    check("[[hazard]]\nname = \"Fire\"\ntn = 9\nsave = \"honor\"\n", &[]);
    for (tn, fine) in [(5, false), (6, true), (16, true), (17, false)] {
        let wrong = format!("3: hazard[1].tn: expected a whole number from 6 to 16, found {tn}");
        let expected: &[&str] = if fine { &[] } else { &[&wrong] };
        check(&format!("[[hazard]]\nname = \"Fire\"\ntn = {tn}\n"), expected);
    }
}

#[test]
fn what_harms_says_what() {
    let end = |fields: &str| format!("[[end]]\nname = \"Hit\"\n{fields}\n");
    check(
        &end("damaging = true\ntrack = \"Soul\""),
        &["4: end[1].track: no track is called \"Soul\"; there are Body, Mind"],
    );
    check(&end("damaging = true\ntrack = \"Mind\""), &[]);
    check(&end("track = \"Mind\"\nnote = \"n\""), &["3: end[1].track: only what does damage has a track"]);
    check(
        &end("effect = [{ does = \"harm\", track = \"Mind\" }]"),
        &["3: end[1].effect: what harms does damage: say `damaging = true`"],
    );
    check(&end("damaging = true\ntrack = \"Mind\"\neffect = [{ does = \"harm\" }]"), &[]);
    check(&end("effect = [{ does = \"heal\" }]"), &[]);
    check(
        &end("effect = [{ does = \"heal\", on = \"ally\" }]"),
        &["3: end[1].effect[1].on: nobody names an ally for it"],
    );
}

#[test]
fn only_what_is_told_is_a_fault() {
    // Of a conflict nobody knows who is missing from it.
    encounter(
        "[[npc]]\nname = \"Bo\"\npn = 8\n[[npc.track]]\nname = \"Body\"\nsize = 2\nharm = 2\n\
         [[npc]]\nuse = \"Reeve\"\n[scene]\nconflict = \"social\"\n",
        &["14: npc[2].use: the library has no [[npc]] called \"Reeve\""],
    );
    // Nor who plays, where the characters are missing.
    let text = "[[player]]\nname = \"ana\"\n[[character]]\nuse = \"Wren\"\n";
    let found = encounter_faults::<TruthAndLight>(text);
    just_these(&found, &["4: character[1].use: the library has no [[character]] called \"Wren\""]);
    // Three of a name: each other is told of the first.
    check(
        "[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n[[boon]]\nname = \"A\"\n",
        &[
            "4: boon[2].name: boon[1] is called \"A\" too, and is the one taken",
            "6: boon[3].name: boon[1] is called \"A\" too, and is the one taken",
        ],
    );
}

#[test]
fn a_library_says_where_it_comes_from() {
    check(
        "title = \"t\"\nsummary = \"s\"\nnote = \"n\"\n[carried]\nlog = \"a\"\nlines = 0\nstate = \"b\"\n\
         [[fallen]]\nname = \"Wren\"\nplayer = \"ana\"\nnote = \"fell\"\n",
        &[],
    );
    check(
        "[carried]\nlines = -1\nwhen = 3\n[[fallen]]\nplayer = \"ana\"\nage = 3\n[[spell]]\nname = \"x\"\n",
        &[
            "2: carried.lines: expected a whole number",
            "3: carried.when: no such field here",
            "4: fallen[1]: `name` is missing",
            "6: fallen[1].age: no such field here",
            "7: spell: no such field here",
        ],
    );
}

/// A fault: its line, what stands there and why it does nothing.
type Fault = (usize, &'static str, &'static str);

#[test]
fn what_would_never_do_anything_is_a_fault() {
    let effect = |fields: &str| format!("[[feat]]\nname = \"F\"\n[[feat.effect]]\ndoes = {fields}\n");
    let entry = |list: &str, fields: &str| format!("[[{list}]]\nname = \"A\"\n{fields}\n");
    let heals = "[[feat.effect]]\ndoes = \"heal\"";
    let by_itself = "it works by itself, and this is for what is used on a roll";
    let of_tests = "that is of tests, and it is used on saves";
    let counted = "nothing of it is counted: leave it out";
    let scoped = "only `ap` and `pn` count for some rolls";
    let never = "it would never count: tests use beauty, strength and wisdom";
    let tables: &[(String, &[Fault])] = &[
        // Feats and Whispers.
        (entry("feat", ""), &[(1, "feat[1]: ", "it would do nothing: give it a [[feat.effect]]")]),
        (entry("feat", "trigger = \"on-glory\""), &[(1, "feat[1]: ", "it would do nothing")]),
        (entry("feat", "note = \"smells rain\""), &[]),
        (entry("feat", "tags = [\"wilds\"]"), &[]),
        (entry("whisper", ""), &[(1, "whisper[1]: ", "it would do nothing: give it a [[whisper.effect]]")]),
        (entry("whisper", "words = { lose-boons = \"gone\" }"), &[]),
        (
            entry("feat", "trigger = \"passive\"\nlimit = 1\n[[feat.effect]]\ndoes = \"ap\"\nby = 1"),
            &[(4, "feat[1].limit: ", "a passive feat always works")],
        ),
        (
            entry(
                "feat",
                &format!("trigger = \"on-success\"\nattribute = \"wisdom\"\ntags = [\"wilds\"]\n{heals}"),
            ),
            &[(4, "feat[1].attribute: ", by_itself), (5, "feat[1].tags: ", by_itself)],
        ),
        (
            entry("feat", &format!("trigger = \"on-save\"\nattribute = \"wisdom\"\ntn = 9\n{heals}")),
            &[(4, "feat[1].attribute: ", of_tests), (5, "feat[1].tn: ", of_tests)],
        ),
        (
            entry("feat", &format!("reach = \"simple\"\n{heals}")),
            &[(3, "feat[1].reach: ", "only a Whisper has it")],
        ),
        (
            entry("whisper", "tn = 9\npower_number = true\nnote = \"n\""),
            &[(4, "whisper[1].power_number: ", "it has a target number of its own")],
        ),
        (
            entry("whisper", "aim = \"npc\"\ntn = 9\nnote = \"n\""),
            &[(4, "whisper[1].tn: ", "what is contested meets a power number")],
        ),
        (entry("whisper", "aim = \"npc\"\ntn = 9\nreach = \"simple\"\nnote = \"n\""), &[]),
        // Effects.
        (
            effect("\"hold\"\non = \"them\"\nlasts = \"scene\"\nby = 2"),
            &[(7, "feat[1].effect[1].by: ", counted)],
        ),
        (
            effect("\"narrate\"\ntext = \"x\"\nper_degree = true"),
            &[(6, "feat[1].effect[1].per_degree: ", counted)],
        ),
        (
            effect("\"narrate\"\ntext = \" \""),
            &[(5, "feat[1].effect[1].text: ", "an empty text says nothing")],
        ),
        (effect("\"heal\"\nby = 0"), &[(5, "feat[1].effect[1].by: ", "0 of it is nothing")]),
        (effect("\"heal\"\nlasts = \"scene\""), &[(5, "feat[1].effect[1].lasts: ", "that is done at once")]),
        (
            effect("\"lose-boon\"\non = \"them\"\nrolls = \"test\"\ntrack = \"Body\""),
            &[
                (6, "feat[1].effect[1].rolls: ", scoped),
                (7, "feat[1].effect[1].track: ", "only `harm` and `heal` have a track"),
            ],
        ),
        (
            effect("\"ap\"\nby = 1\nrolls = \"save\"\nattributes = [\"wisdom\"]"),
            &[(7, "feat[1].effect[1].attributes: ", never)],
        ),
        (effect("\"ap\"\nby = 1\nattributes = [\"wisdom\"]"), &[]),
        (effect("\"ap\"\nby = 1\ntn = 9"), &[(6, "feat[1].effect[1].tn: ", "only what lasts `until-test`")]),
        (
            effect("\"pn\"\nby = 1\nlasts = \"scene\""),
            &[(3, "feat[1].effect[1].on: ", "players' characters have no power number")],
        ),
        (
            effect("\"pn\"\nby = -1\non = \"them\"\nlasts = \"scene\"\nability_only = true"),
            &[(8, "feat[1].effect[1].ability_only: ", "a power number has neither attributes nor abilities")],
        ),
        (effect("\"move-boon\""), &[(3, "feat[1].effect[1].on: ", "nobody takes a boon from themself")]),
        (
            effect("\"reroll-light\"\nlasts = \"next-roll\""),
            &[(5, "feat[1].effect[1].lasts: ", "a reroll is for `this-roll`")],
        ),
        // Boons and ends.
        (
            entry("boon", "once = true"),
            &[(3, "boon[1].once: ", "what is used once does what its effects say")],
        ),
        (
            entry("boon", "once = true\nbonus = 3\n[[boon.effect]]\ndoes = \"heal\""),
            &[(4, "boon[1].bonus: ", "what is used once adds nothing by itself")],
        ),
        (entry("boon", "bonus = 0"), &[(3, "boon[1].bonus: ", "a bonus of 0 adds nothing")]),
        (entry("boon", "bonus = 0\nnote = \"a seal\""), &[]),
        (entry("boon", "bonus = 0\nsort = \"shield\""), &[]),
        (entry("boon", "rolls = \"save\"\nattributes = [\"wisdom\"]"), &[(4, "boon[1].attributes: ", never)]),
        (entry("boon", "sort = \"mount\"\nrolls = \"save\""), &[(4, "boon[1].rolls: ", never)]),
        (
            entry("boon", "edge = [{ bonus = 1 }]"),
            &[(3, "boon[1].edge[1]: ", "an edge counts against somebody")],
        ),
        (
            entry("boon", "edge = [{ against = [\"beast\"], bonus = 0 }]"),
            &[(3, "boon[1].edge[1].bonus: ", "a bonus of 0 adds nothing")],
        ),
        (entry("end", ""), &[(1, "end[1]: ", "it would do nothing: give it an [[end.effect]]")]),
        (entry("end", "note = \"told\""), &[]),
        (
            entry("npc", "pn = 8\n[[npc.track]]\nname = \"Mind\"\nsize = 0\nharm = 2"),
            &[(7, "npc[1].track[1].harm: ", "on a track of size 0 nobody is harmed")],
        ),
    ];
    for (text, expected) in tables {
        let told = expected.iter().map(|(line, field, what)| format!("{line}: {field}{what}"));
        just_these(&library_faults::<TruthAndLight>(&[("mine.toml", text)]), &told.collect::<Vec<_>>());
    }
    encounter(
        "[table]\nharm = \"told\"\nrecovery = \"one\"\n",
        &["8: table.recovery: no harm is counted with `harm = \"told\"`"],
    );
}

#[test]
fn names_that_are_near_are_told() {
    encounter(
        "player = \"anaa\"\n[options]\nboon-stackin = \"all-add\"\ntn-hidden = \"anounced\"\n",
        &[
            "6: character[1].player: no [[player]] is called \"anaa\"; perhaps `ana`; there are ana",
            "8: options.boon-stackin: no such option; perhaps `boon-stacking`; there are ",
            "9: options.tn-hidden: expected one of announced, hidden-until-spent, found \"anounced\"; perhaps `announced`",
        ],
    );
}

#[test]
fn what_does_nothing_where_it_stands() {
    let feat = |about: &str, effect: &str, expected: &str| {
        let text = format!("[[feat]]\nname = \"F\"\n{about}\neffect = [{{ {effect} }}]\n");
        check(&text, &[&format!("4: feat[1].effect[1].{expected}")]);
    };
    let (save, test) = ("trigger = \"on-save\"", "trigger = \"on-test\"");
    feat(
        save,
        "does = \"ap\", by = 1, rolls = \"test\"",
        "rolls: it would never count: it goes into the roll",
    );
    feat(
        test,
        "does = \"ap\", by = 1, rolls = \"save\"",
        "rolls: it would never count: it goes into the roll",
    );
    feat(
        test,
        "does = \"ap\", by = 1, attributes = [\"valor\"]",
        "attributes: it would never count: it goes",
    );
    feat("trigger = \"on-success\"", "does = \"reroll-light\"", "lasts: the roll is over by then");
    let foes = "on = \"foes\", lasts = \"scene\"";
    for does in ["ban-abilities", "attention", "reroll-light"] {
        let expected = "on: the gamemaster's characters neither roll nor use abilities";
        feat("trigger = \"on-success\"", &format!("does = {does:?}, {foes}"), expected);
        let them = format!("does = {does:?}, on = \"them\", lasts = \"scene\"");
        feat("aim = \"npc\"", &them, expected);
        feat("trigger = \"on-warded\"", &them, expected);
    }
    let only = format!("does = \"ap\", by = -1, ability_only = true, {foes}");
    feat("trigger = \"on-success\"", &only, "ability_only: of the gamemaster's characters no roll");
    let pn = "does = \"pn\", by = -1, on = \"them\", lasts = \"scene\"";
    feat("aim = \"ally\"", pn, "on: players' characters have no power number");
    feat("aim = \"self\"", pn, "on: by its `trigger` and its `aim` there is never such a one");
    feat(test, "does = \"heal\", by = -1, track = \"Body\"", "by: it is counted, and from 1 up");
    feat(test, "does = \"lose-boon\", by = -1, on = \"them\"", "by: it is counted, and from 1 up");
    check(
        "[[whisper]]\nname = \"W\"\naim = \"ally\"\npower_number = true\nnote = \"n\"\n",
        &["4: whisper[1].power_number: only the gamemaster's characters have one"],
    );
    check(
        "[[boon]]\nname = \"Wall\"\nsort = \"cover\"\nkept = true\n",
        &["4: boon[1].kept: a situation cannot be put away"],
    );
}

#[test]
fn a_fault_of_one_end_is_told_of_that_one() {
    let end = |name: &str, more: &str| format!("[[end]]\nname = {name:?}\nnote = \"n\"\n{more}\n");
    check(
        &format!("{}{}{}", end("A", "tags = [\"kombat\"]"), end("B", ""), end("C", "")),
        &["4: end[1].tags: "],
    );
}
