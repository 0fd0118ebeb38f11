//! Faults in a library and in a setup, each in its own place.

use crate::TABLES;
use afraid::Afraid;
use fracas_kernel::{Document, Game, Setup};
use fracas_suite::{encounter_faults, just_these, library_faults, nothing_crashes};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    just_these(&library_faults::<Afraid>(&[("mine.toml", text)]), expected);
}

/// Faults of an encounter that has a player, a character and somebody else.
#[track_caller]
fn encounter(text: &str, expected: &[&str]) {
    let whole = format!(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ada\"\nstats = {{}}\n[[npc]]\nname = \"Moss\"\nstats = {{}}\n{text}"
    );
    just_these(&encounter_faults::<Afraid>(&whole), expected);
}

#[test]
fn three_mistakes_are_three_faults_in_one_run() {
    check(
        "[[background]]\nname = \"Returned\"\nbonds = 9\n\n[[npc]]\nname = \"Reeve\"\n\n[[character]]\nname = \"Wren\"\n\
         stats = { body = 21 }\nunasigned = \"1d6\"\n",
        &[
            "3: background[1].bonds: expected a whole number from 0 to 4, found 9",
            "5: npc[1]: `stats` are missing",
            "10: character[1].stats.body: expected a whole number from 0 to 20, found 21",
            "11: character[1].unasigned: no such field here; perhaps `unassigned`",
        ],
    );
}

#[test]
fn wrong_types() {
    check(
        "[[npc]]\nname = 3\nid = \"a\"\nstats = {}\n",
        &["2: npc[1].name: expected text, found a whole number"],
    );
    check("character = 3\n", &["1: character: expected a list, found a whole number"]);
    check("npc = [1]\n", &["1: npc[1]: expected a table"]);
    check(
        "[[character]]\nname = \"A\"\nstats = [1]\n[[character.trait]]\nname = \"B\"\ndice = \"1d6\"\narena = 2\n",
        &[
            "3: character[1].stats: expected a table, found a list",
            "7: character[1].trait[1].arena: expected one of research",
        ],
    );
}

#[test]
fn missing_fields() {
    check("\n[[npc]]\nid = \"a\"\nstats = {}\n", &["2: npc[1]: `name` is missing"]);
    check(
        "[[character]]\nname = \"A\"\nstats = {}\n[[character.trait]]\nname = \"B\"\n[[character.bond]]\ndice = \"1d6\"\n\
         [[character.relationship]]\ndice = \"1d6\"\n[[character.belonging]]\ngrade = \"big\"\n",
        &[
            "4: character[1].trait[1]: `dice` are missing",
            "6: character[1].bond[1]: `name` is missing",
            "8: character[1].relationship[1]: `to` is missing",
            "10: character[1].belonging[1]: `name` is missing",
        ],
    );
    check(
        "[[npc]]\nname = \"A\"\nstats = {}\n[[npc.fact]]\nid = \"a-fact\"\n[[npc.fact]]\ntext = \"B\"\ntopic = \"access\"\n",
        &["4: npc[1].fact[1]: `text` is missing", "6: npc[1].fact[2]: `about` is missing"],
    );
}

#[test]
fn unknown_tables_and_fields() {
    check(
        "[[characters]]\nname = \"A\"\n[[npc]]\nname = \"B\"\nstats = { wits = 3 }\nplayer = \"ana\"\n",
        &[
            "1: characters: no such field here; perhaps `character`",
            "5: npc[1].stats.wits: no such field here",
            "6: npc[1].player: no such field here",
        ],
    );
    check("[[scene]]\npresent = []\n", &["1: scene: no such field here"]);
    check("[conflict]\narena = \"social\"\n", &["1: conflict: no such field here"]);
    check(
        "[[npc]]\nname = \"A\"\nstats = {}\n[[npc.traits]]\nname = \"B\"\ndice = \"1d6\"\n[[npc.trait]]\nname = \"C\"\n\
         dice = \"1d6\"\nbroken = true\n",
        &[
            "4: npc[1].traits: no such field here; perhaps `trait`",
            "10: npc[1].trait[1].broken: no such field here",
        ],
    );
    check(
        "[carried]\nlog = \"a\"\nlines = 3\nstate = \"f\"\nfrom = 1\n[[fallen]]\nplayer = \"A\"\n",
        &["5: carried.from: no such field", "6: fallen[1]: `name` is missing"],
    );
}

#[test]
fn dice_are_read_as_they_are_written() {
    let thing = |dice: &str, faults: &[&str]| {
        let bond = format!("[[character.bond]]\nname = \"B\"\ndice = \"{dice}\"\n");
        check(&format!("[[character]]\nname = \"A\"\nstats = {{}}\n{bond}"), faults);
    };
    for fine in ["1d4", "20d10", "2d6+1d4", "1d4 2d6", "d8"] {
        thing(fine, &[]);
    }
    for wrong in ["", "2", "1d7", "1d6 1d8", "0d6", "21d6", "1d4 1d6 1d8", "-1d6", "300d6"] {
        thing(wrong, &["6: character[1].bond[1].dice: expected dice of one size"]);
    }
    check(
        "[[character]]\nname = \"A\"\nstats = {}\nunassigned = \"1d12\"\nneeds_aid = \"\"\n[[npc]]\nname = \"B\"\nstats = {}\ndice = \"many\"\n",
        &[
            "4: character[1].unassigned: expected dice, as \"1d4 3d6 2d8\", found \"1d12\"",
            "5: character[1].needs_aid: expected the dice of the injury",
            "9: npc[1].dice: expected dice, as \"1d4 3d6 2d8\", found \"many\"",
        ],
    );
}

#[test]
fn words_there_are_not() {
    check(
        "[[npc]]\nname = \"A\"\ntie = \"friend\"\nstats = {}\ncircumstances = [\"late\"]\n[[npc.trait]]\nname = \"B\"\ndice = \"1d6\"\n\
         arena = \"hunting\"\n[[npc.belonging]]\nname = \"C\"\ngrade = \"vast\"\n[[npc.fact]]\ntext = \"D\"\ntopic = \"rumour\"\n",
        &[
            "3: npc[1].tie: expected one of monster, victim, slave, acolyte, bystander, found \"friend\"",
            "5: npc[1].circumstances: expected one of alone, in-trouble, lost, unprepared",
            "9: npc[1].trait[1].arena: expected one of research, social, athletic, fighting, murder",
            "12: npc[1].belonging[1].grade: expected one of poor, ordinary, excellent, big",
            "15: npc[1].fact[1].topic: expected one of plain, victim, slave, acolyte, bond, access",
        ],
    );
}

#[test]
fn what_cannot_be() {
    check(
        "[[character]]\nname = \"A\"\nstats = {}\nmembers = 3\n[[npc]]\nname = \"B\"\nstats = {}\nmembers = 3\ndice = \"1d6\"\n\
         [[npc]]\nname = \"C\"\nstats = {}\nmembers = 21\n[[npc]]\nname = \"D\"\nstats = {}\nworth = 2\n\
         [[npc]]\nname = \"E\"\ntie = \"victim\"\nstats = {}\nworth = 5\n[[npc]]\nname = \"@F\"\nid = \"f\"\nstats = {}\n\
         [[npc]]\nname = \"G\"\nid = \"G\"\nstats = {}\n[[npc]]\nname = \"H\"\nstats = {}\n[[npc.fact]]\ntext = \"I\"\ntopic = \"bond\"\nbond = \"J\"\n",
        &[
            "1: character[1]: only the gamemaster's characters are groups",
            "5: npc[1]: a group has a sheet: either `members` or `dice`",
            "13: npc[2].members: expected a whole number from 1 to 20, found 21",
            "14: npc[3]: only a victim of the monster",
            "22: npc[4].worth: expected a whole number from 0 to 4, found 5",
            "24: npc[5].name: a name is one line of 80 characters at most, not beginning with @",
            "27: npc[6]: \"G\" cannot be referred to: give an `id`",
            "37: npc[7].fact[1].bond: no bond is called \"J\"",
        ],
    );
    check(
        "[[character]]\nname = \"A\"\nbackground = \"Waller\"\nstats = {}\n[[character]]\nname = \"B\"\nfresh = true\nstats = {}\n",
        &[
            "3: character[1].background: there is no [[background]] called \"Waller\"",
            "7: character[2].fresh: only a character with a `background`",
        ],
    );
}

#[test]
fn who_is_fresh_has_what_the_background_gives() {
    let fresh = |more: &str| {
        format!(
            "[[background]]\nname = \"Waller\"\nstats = 8\ntraits = \"1d8\"\nrelationships = \"2d6\"\n\
             never = [\"lost\"]\n[[character]]\nname = \"A\"\nbackground = \"Waller\"\nfresh = true\n{more}"
        )
    };
    let sound = "stats = { body = 5, will = 3 }\ncircumstances = [\"alone\"]\nunassigned = \"1d6\"\n\
        [[character.trait]]\nname = \"B\"\ndice = \"1d8\"\n[[character.relationship]]\nto = \"C\"\ndice = \"1d6\"\n";
    check(&fresh(sound), &[]);
    let other = sound
        .replace("[\"alone\"]", "[\"lost\"]")
        .replace("body = 5", "body = 4")
        .replace("unassigned = \"1d6\"\n", "note = \"x\"\n");
    let more = "[[character.bond]]\nname = \"D\"\ndice = \"1d6\"\n\
        [[character.belonging]]\nname = \"E\"\nsupernatural = true\n";
    check(
        &fresh(&(other + more)),
        &[
            "7: character[1]: Waller gives traits 1d8, and these are 1d6 1d8",
            "7: character[1]: Waller has 0 dice for bonds at most",
            "7: character[1]: Waller gives relationships 2d6, and these are 1d6",
            "7: character[1]: Waller has 0 weapons beyond nature at most",
            "11: character[1].stats: Waller gives 8d6, and these are 7d6",
            "12: character[1].circumstances: Waller begins with 1 of them true",
        ],
    );
}

#[test]
fn the_same_name_twice() {
    check(
        "[[npc]]\nname = \"A\"\nstats = {}\n[[npc]]\nname = \"A\"\nstats = {}\n[[character]]\nname = \"A\"\nstats = {}\n\
         [[character]]\nname = \"B\"\nstats = {}\n[[npc]]\nname = \"A\"\nstats = {}\n",
        &[
            "5: npc[2].name: npc[1] is called \"A\" too, and is the one taken",
            "14: npc[3].name: npc[1] is called \"A\" too, and is the one taken",
        ],
    );
    let one = ("one.toml", "[[npc]]\nname = \"A\"\nstats = {}\n");
    assert_eq!(
        library_faults::<Afraid>(&[one, ("two.toml", "[[npc]]\nname = \"A\"\nstats = {}\n")]),
        "",
        "another file may say it anew"
    );
}

#[test]
fn entries_that_use_others() {
    check(
        "[[npc]]\nname = \"A\"\nstats = {}\n[[npc]]\nuse = \"A\"\nname = \"B\"\n[[character]]\nuse = \"C\"\n",
        &[
            "5: npc[2].use: only an encounter's entry uses another, and none of a library",
            "8: character[1].use: the library has no [[character]] called \"C\"",
            "8: character[1].use: only an encounter's entry uses another",
        ],
    );
    encounter("[[npc]]\nuse = \"Reeve\"\n", &["10: npc[2].use: the library has no [[npc]] called \"Reeve\""]);
}

#[test]
fn whom_only_an_encounter_knows_is_no_fault() {
    let text = "[[character]]\nname = \"A\"\nplayer = \"Ana\"\nstats = {}\nhistory = [\"lived\"]\n\
        [[character.relationship]]\nto = \"The reeve\"\ndice = \"1d6\"\n[[character]]\nname = \"B\"\nstats = {}\n\
        [[npc]]\nname = \"C\"\ntie = \"slave\"\nstats = {}\n[[npc.fact]]\ntext = \"D\"\ntopic = \"slave\"\nabout = \"Moss\"\n\
        [[fallen]]\nname = \"E\"\nplayer = \"Bo\"\nhistory = [\"died\"]\n[carried]\nlog = \"a\"\nlines = 1\nstate = \"0\"\n";
    check(text, &[]);
    // A background may stand in a file of its own.
    let fresh = ("one.toml", "[[character]]\nname = \"A\"\nbackground = \"Waller\"\nstats = {}\n");
    assert_eq!(library_faults::<Afraid>(&[fresh, ("two.toml", "[[background]]\nname = \"Waller\"\n")]), "");
}

#[test]
fn more_than_is_read() {
    let many = "[[npc]]\nname = \"A\"\nstats = {}\nmembers = 70\n".repeat(1100);
    assert!(
        library_faults::<Afraid>(&[("many.toml", &many)]).contains("too many: of one list 1000 are read")
    );
    let traits: String =
        (0..161).map(|n| format!("[[npc.trait]]\nname = \"T{n}\"\ndice = \"1d6\"\n")).collect();
    encounter(&traits, &["489: npc[1].trait[161]: too much on all sheets together: 160"]);
    let facts: String = (0..65).map(|n| format!("[[npc.fact]]\ntext = \"F{n}\"\n")).collect();
    encounter(&facts, &["137: npc[1].fact[65]: too many facts: 64 at most"]);
    let npcs: String = (0..19).map(|n| format!("[[npc]]\nname = \"N{n}\"\nstats = {{}}\n")).collect();
    encounter(&npcs, &["63: npc[20]: too many characters: 20 at most"]);
    let people: String = (0..41).map(|n| format!("[[person]]\nname = \"P{n}\"\n")).collect();
    encounter(&people, &["89: person[41]: too many people: 40 at most"]);
    let backgrounds: String = (0..17).map(|n| format!("[[background]]\nname = \"B{n}\"\n")).collect();
    encounter(&backgrounds, &["41: background[17]: too many backgrounds: 16 at most"]);
    let players: String = (0..8).map(|n| format!("[[player]]\nname = \"p{n}\"\n")).collect();
    let found = players_alone(&players, "p0");
    assert_eq!(found.lines().count(), 7, "each of them needs a character:\n{found}");
    let found = players_alone(&(players + "[[player]]\nname = \"p8\"\n"), "p0");
    assert!(found.contains("e.toml:17: player[9]: too many players: 8 at most"), "{found}");
}

/// Faults of an encounter of these players, with a character of one of them.
fn players_alone(players: &str, of: &str) -> String {
    let whole = format!("{players}[[character]]\nname = \"A\"\nplayer = \"{of}\"\nstats = {{}}\n");
    encounter_faults::<Afraid>(&whole)
}

#[test]
fn what_a_table_needs() {
    let found = encounter_faults::<Afraid>("title = \"t\"\n");
    just_these(&found, &["1: there is no [[player]]", "1: there is no [[character]]"]);
    encounter("", &[]);
    encounter(
        "[[player]]\nname = \"ANA\"\n[[player]]\nname = \"gm\"\n",
        &[
            "10: player[2].name: two players are called \"ANA\"",
            "12: player[3].name: \"gm\" is a seat of its own",
        ],
    );
    // With several players everybody's character says whose it is.
    encounter(
        "[[player]]\nname = \"bo\"\n[[character]]\nname = \"Ben\"\nplayer = \"cy\"\nstats = {}\n",
        &[
            "1: player \"bo\" has no [[character]]",
            "3: character[1]: `player` is missing",
            "13: character[2].player: no [[player]] is called \"cy\"; there are ana, bo",
        ],
    );
    encounter("[[npc]]\nname = \"Ada\"\nstats = {}\n", &["9: npc[2]: two things here are called \"ada\""]);
    encounter("[[npc]]\nname = \"Veteran\"\nstats = {}\n", &["9: npc[2]: two things here are called"]);
    encounter("[[npc]]\nname = \"Injury\"\nstats = {}\n", &["9: npc[2]: two things here are called"]);
}

#[test]
fn scenes_and_conflicts() {
    encounter(
        "[[scene]]\npresent = [\"Ada\", \"Moss\"]\n[[scene]]\npresent = [\"moss\", \"Eve\"]\n",
        &[
            "12: scene[2].present: nobody here is called \"Eve\"",
            "12: scene[2].present: somebody is in two scenes",
        ],
    );
    encounter("[conflict]\nthing = \"the bridge\"\n", &["9: conflict: `arena` is missing"]);
    encounter("[conflict]\narena = \"social\"\nbegun = true\n", &["9: conflict: nothing is at stake"]);
    encounter(
        "[conflict]\narena = \"social\"\n[[conflict.side]]\nwho = [\"Ada\", \"Moss\"]\n",
        &["9: conflict: a conflict takes two sides with somebody on each (setup.sides)"],
    );
    encounter(
        "[conflict]\narena = \"social\"\nthing = \"t\"\n[[conflict.part]]\nwho = \"Ada\"\nhand = \"7/d6 x\"\n\
         [[conflict.part]]\nwho = \"Eve\"\nhand = \"6\"\n",
        &[
            "14: conflict.part[1].hand: expected faces, as \"6 5 8/d10\", found \"7/d6\"",
            "14: conflict.part[1].hand: expected faces, as \"6 5 8/d10\", found \"x\"",
            "16: conflict.part[2].who: nobody here is called \"Eve\"",
        ],
    );
    encounter(
        "[options]\nfallout-sum = \"all\"\nluck = \"on\"\n[settings]\ninfluence = \"1d3\"\nluck = true\n",
        &[
            "10: options.fallout-sum: expected one of two-highest, total, found \"all\"",
            "11: options.luck: no such option; there are fallout-sum",
            "13: settings.influence: expected dice",
            "14: settings.luck: no such field here",
        ],
    );
}

#[test]
fn nothing_in_a_library_can_crash() {
    nothing_crashes::<Afraid>(&TABLES, &["people.toml", "characters.toml"], 150);
}

#[test]
fn two_of_a_monster_have_facts_and_bonds_of_their_own() {
    let library = "[[npc]]\nname = \"Pell\"\ntie = \"monster\"\nstats = {}\n\
                   [[npc.bond]]\nid = \"eats\"\nname = \"Eats nothing\"\ndice = \"1d6\"\n\
                   [[npc.fact]]\nid = \"bread\"\ntext = \"She brings bread.\"\ntopic = \"bond\"\nbond = \"Eats nothing\"\n";
    let encounter = "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ada\"\nstats = {}\n\
                     [[npc]]\nuse = \"Pell\"\nname = \"Pell 1\"\n[[npc]]\nuse = \"Pell\"\nname = \"Pell 2\"\n";
    let read = |name, text| Document::toml(name, text).expect("TOML");
    let setup = Setup { encounter: read("e.toml", encounter), library: vec![read("l.toml", library)] };
    let (rules, state) = Afraid::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
    for (at, slugs) in [["bread", "eats"], ["pell-2-bread", "pell-2-eats"]].into_iter().enumerate() {
        assert_eq!(slugs.map(|slug| rules.roster.names.find(slug)), [Some(('f', at)), Some(('i', at))]);
        let bond = state.thing(rules.facts[at].bond.expect("a bond")).expect("a thing");
        assert_eq!(usize::from(bond.owner.0), at + 1);
    }
    assert_eq!(rules.facts[0].text, "She brings bread.");
    assert_eq!(rules.facts[1].text, "She brings bread. (Pell 2)");
}

#[test]
fn one_mistake_is_told_once() {
    check("[[npc]]\nstats = {}\n", &["1: npc[1]: `name` is missing: text"]);
    check("[[background]]\nbonds = 1\n", &["1: background[1]: `name` is missing: text"]);
    check(
        "[[npc]]\nname = \"Storm\"\ndice = \"4dd\"\n",
        &["3: npc[1].dice: expected dice, as \"1d4 3d6 2d8\", found \"4dd\""],
    );
    check(
        "[[npc]]\nname = \"Liv\"\nstats = {}\ntie = \"victm\"\nworth = 2\n",
        &["4: npc[1].tie: expected one of monster"],
    );
    encounter(
        "[conflict]\narena = \"social\"\nthing = \"it\"\n[[conflict.side]]\nwho = [\"Ada\"]\n[[conflict.side]]\nwho = [\"Mosz\"]\n",
        &["15: conflict.side[2].who: nobody here is called \"Mosz\""],
    );
}

#[test]
fn a_conflict_is_read_whatever_is_wrong_with_its_people() {
    encounter(
        "[[npc]]\nuse = \"Nobody\"\n[conflict]\narena = \"social\"\nthing = \"t\"\n[[conflict.side]]\nwho = [\"Adda\"]\n\
         [[conflict.part]]\nwho = \"Ada\"\nbank = \"3d13\"\narenas = [\"socail\"]\n",
        &[
            "10: npc[2].use: the library has no [[npc]] called \"Nobody\"",
            "11: conflict: a conflict takes two sides",
            "18: conflict.part[1].bank: expected dice",
            "19: conflict.part[1].arenas: expected one of research, social, athletic, fighting, murder, found \"socail\"; perhaps `social`",
        ],
    );
    encounter(
        "[options]\nfallout-sun = \"total\"\n",
        &["10: options.fallout-sun: no such option; perhaps `fallout-sum`"],
    );
}

/// A fault: its line, what stands there and why it does nothing.
type Fault = (usize, &'static str, &'static str);

#[test]
fn what_would_never_do_anything_is_a_fault() {
    let npc = |fields: &str| format!("[[npc]]\nname = \"N\"\n{fields}\n");
    let person = |fields: &str| npc(&format!("stats = {{ body = 2 }}\n{fields}"));
    let thing = "a thing rolls its `dice` and has no sheet";
    let tables: &[(String, &[Fault])] = &[
        (npc("dice = \"4d8\"\nstats = { body = 2 }"), &[(4, "npc[1].stats: ", thing)]),
        (
            npc("dice = \"4d8\"\ncircumstances = [\"lost\"]\n[[npc.trait]]\nname = \"T\"\ndice = \"1d6\""),
            &[(4, "npc[1].circumstances: ", thing), (5, "npc[1].trait: ", thing)],
        ),
        (npc("dice = \"4d8\"\n[[npc.fact]]\ntext = \"It creaks.\""), &[]),
        (npc("dice = \"\""), &[(3, "npc[1].dice: ", "a thing without dice rolls nothing")]),
        (npc("dice = \"0d6\""), &[(3, "npc[1].dice: ", "a thing without dice rolls nothing")]),
        (
            person("[[npc.belonging]]\nname = \"B\"\ngrade = \"big\"\ndice = \"1d4\""),
            &[(6, "npc[1].belonging[1].grade: ", "its `dice` stand in place of a grade")],
        ),
        (
            person("[[npc.belonging]]\nname = \"B\"\ndice = \"1d6 + 1d4\"\nsupernatural = true"),
            &[(7, "npc[1].belonging[1].supernatural: ", "its dice have the 1d4 on top already")],
        ),
        (
            person("[[npc.bond]]\nname = \"B\"\ndice = \"1d6\"\nto = \"Liv\""),
            &[(7, "npc[1].bond[1].to: ", "only a monster's bond is with a victim")],
        ),
        (person("tie = \"monster\"\n[[npc.bond]]\ndice = \"1d10\"\nto = \"Liv\""), &[]),
        (
            "[[character]]\nname = \"C\"\nstats = { body = 2 }\nmet = true\n".to_owned(),
            &[(4, "character[1].met: ", "players have met their own characters")],
        ),
        (
            "[[character]]\nname = \"C\"\nstats = { body = 2 }\n[[character.trait]]\nname = \"T\"\n"
                .to_owned(),
            &[(4, "character[1].trait[1]: ", "`dice` are missing")],
        ),
    ];
    for (text, expected) in tables {
        let told = expected.iter().map(|(line, field, what)| format!("{line}: {field}{what}"));
        just_these(&library_faults::<Afraid>(&[("mine.toml", text)]), &told.collect::<Vec<_>>());
    }
}
