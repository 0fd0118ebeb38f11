//! What setups bring to a table, and what is wrong with some.

use super::{join, start};
use crate::carry::carry;
use crate::effect::{Against, Effect, Soak};
use crate::rules::Rules;
use crate::state::{Lie, State};
use crate::{At, vocab::*};
use fracas_kernel::{Document, FALLEN, Setup, toml};
use serde_json::json;

const PLAYER: &str = "[[player]]\nname = \"Ana\"\n";

fn setup(text: &str, library: &str) -> Setup {
    let document = |name: &str, text: &str| Document::toml(name, text).expect("TOML");
    Setup { encounter: document("e.toml", text), library: vec![document("l.toml", library)] }
}

fn begun(text: &str, library: &str) -> (Rules, State) {
    start(&setup(&format!("{PLAYER}{text}"), library)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The faults of a table, without their files and lines.
fn faults(text: &str) -> Vec<String> {
    let found = start(&setup(&format!("{PLAYER}{text}"), "")).err().unwrap_or_default();
    found.0.into_iter().map(|fault| format!("{}: {}", fault.field, fault.what)).collect()
}

fn find(rules: &Rules, name: &str) -> Char {
    let at = rules.cast.iter().position(|sheet| sheet.name == name).expect("somebody of that name");
    Char(at as u8)
}

fn space(state: &State, who: Char) -> String {
    state.being(who).at.to_string()
}

#[test]
fn the_tables_of_the_tests_are_sound() {
    for (name, text) in [
        ("causeway", include_str!("../../tests/setups/causeway.toml")),
        ("hall", include_str!("../../tests/setups/hall.toml")),
        ("roofs", include_str!("../../tests/setups/roofs.toml")),
        ("duel", include_str!("../../tests/setups/duel.toml")),
        ("bench", include_str!("../../../../benches/ruins-and-raiders.toml")),
    ] {
        let setup = Setup::alone(Document::toml(name, text).expect("TOML"));
        let (rules, state) = start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
        for who in rules.everybody().filter(|&who| state.is_here(who)) {
            assert!(rules.field.is_there(state.being(who).at), "{name}: {}", rules.name(who));
        }
    }
}

#[test]
fn the_first_conflict_finds_nobody_both_ways_and_no_mount() {
    let found = faults(
        "[[character]]\nname = \"Wren\"\nfirst = true\nsurprised = true\n\
         [[npc]]\nname = \"Grey\"\nmount = true\nsurprised = true\n",
    );
    let expected = [
        "character[1].surprised: who acts first is not surprised: leave one of the two out (zero.surprise.who)",
        "npc[1].surprised: a mount takes no turn of its own: say it of its rider (ext.mount)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn people_stand_at_their_edge_and_make_no_way_for_the_unseen() {
    let (rules, state) = begun(
        "[[npc]]\nname = \"Lurker\"\nunseen = true\n[[npc]]\nname = \"Guard\"\n[[npc]]\nname = \"Late\"\naway = true\n\
         [[character]]\nname = \"Wren\"\nrides = \"Grey\"\n[[character]]\nname = \"Grey\"\nmount = true\n\
         [[character]]\nname = \"Tam\"\nat = \"A1\"\n[map]\ncolumns = 4\nheight = 2\n",
        "",
    );
    let names: Vec<&str> = rules.cast.iter().map(|sheet| sheet.name.as_str()).collect();
    assert_eq!(names, ["Wren", "Grey", "Tam", "Guard", "Lurker", "Late"], "who is hidden comes last");
    let at = |name| space(&state, find(&rules, name));
    assert_eq!((at("Tam"), at("Grey"), at("Wren")), ("A1".to_owned(), "A2".to_owned(), "A2".to_owned()));
    assert_eq!((at("Guard"), at("Lurker")), ("D1".to_owned(), "D2".to_owned()));
    assert_eq!(state.being(find(&rules, "Wren")).riding, Some(find(&rules, "Grey")));
    assert!(state.met.has(find(&rules, "Guard")) && !state.met.has(find(&rules, "Late")));
}

#[test]
fn names_tell_nothing_of_the_unseen() {
    let armed = "[[npc.weapon]]\nname = \"Knife\"\nuses = [\"melee\"]\n";
    let (rules, _) = begun(
        &format!(
            "[[npc]]\nname = \"Lurker\"\nunseen = true\n{armed}{armed}[[npc]]\nname = \"Guard\"\n{armed}{armed}\
             [[character]]\nname = \"Wren\"\n[[character.weapon]]\nname = \"Knife\"\nuses = [\"thrown\"]\n"
        ),
        "",
    );
    let slugs: Vec<&str> = rules.weapons.iter().map(|arm| arm.slug.as_str()).collect();
    assert_eq!(slugs[..3], ["knife", "guard-knife", "guard-knife-2"]);
    for slug in &slugs[3..] {
        assert!(slug.starts_with("knife-") && !slug.contains("lurker"), "{slug}");
    }
}

#[test]
fn what_fits_is_in_hand() {
    let arms = "[[character.weapon]]\nname = \"Bow\"\nuses = [\"missile\"]\nhands = 2\n\
        [[character.weapon]]\nname = \"Knife\"\nuses = [\"melee\"]\n\
        [[character.weapon]]\nname = \"Claws\"\nuses = [\"melee\"]\nnatural = true\n";
    let hands = |fields: &str| {
        let (rules, state) = begun(&format!("[[character]]\nname = \"Wren\"\n{fields}{arms}"), "");
        let held = state.held(Char(0), Lie::Hand).map(|weapon| rules.arm(weapon).name.clone());
        held.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(hands(""), "Bow, Claws");
    assert_eq!(hands("ready = [\"Knife\"]\n"), "Knife, Claws");
    assert_eq!(hands("ready = []\n"), "Claws");
    assert_eq!(hands("gifts = [\"extra-limbs\"]\n"), "Bow, Knife, Claws");
}

#[test]
fn an_encounter_wins_over_the_library() {
    let library = "[[armour]]\nname = \"Mail\"\nvalue = 5\npenalty = 1\n[[skill]]\nname = \"Sailor\"\n\
        [[ground]]\nname = \"Bog\"\nmovement = -4\n[[weapon]]\nname = \"Axe\"\nuses = [\"melee\"]\npower = 6\n\
        [[character]]\nname = \"Wren\"\narmour = \"Mail\"\ntraits = { brawn = 3, sailor = 2 }\nweapons = [\"Axe\"]\n";
    let (rules, state) = begun(
        "[[character]]\nuse = \"Wren\"\ntraits = { brawn = 4 }\n[[character.weapon]]\nuse = \"Axe\"\nname = \"Old Axe\"\n\
         power = 4\n[map]\nrows = [\"..b\"]\nlegend = { b = \"bog\" }\n",
        library,
    );
    let (wren, being) = (rules.sheet(Char(0)), state.being(Char(0)));
    assert_eq!((wren.armour.value, wren.armour.penalty), (5, 1));
    assert_eq!((being.levels[0], being.levels[10]), (4, 2), "a skill of the library comes along");
    assert_eq!(rules.traits[10].slug, "sailor");
    let powers: Vec<u8> = rules.weapons.iter().map(|arm| arm.power).collect();
    assert_eq!(powers, [6, 4]);
    let kind = rules.field.kind("C1".parse().expect("a space"));
    assert_eq!(rules.ground(kind).map(|ground| ground.name.as_str()), Some("Bog"));
}

#[test]
fn checks_are_against_words_numbers_and_traits() {
    let (rules, _) = begun(
        "[[character]]\nname = \"Wren\"\n[[character.spell]]\nname = \"A\"\nagainst = 12\nnote = \"x\"\n\
         [[character.spell]]\nname = \"B\"\nown = true\n[[character.spell.effect]]\ndo = \"shocks\"\n\
         [[manoeuvre]]\nname = \"C\"\nwith = \"brawn\"\nagainst = \"athlete\"\nnote = \"x\"\n\
         [[manoeuvre]]\nname = \"D\"\nnote = \"x\"\n",
        "",
    );
    let spells: Vec<Against> = rules.spells.iter().map(|spell| spell.against).collect();
    assert_eq!(spells, [Against::Level(12), Against::Nothing]);
    assert_eq!(rules.spells[1].effects[..], [Effect::Shocks { power: 0, soak: Soak::Nothing }]);
    let manoeuvres: Vec<Against> = rules.manoeuvres.iter().map(|data| data.against).collect();
    assert_eq!(manoeuvres, [Against::Trait(Trait::ATHLETE), Against::Nothing]);
}

#[test]
fn every_fault_is_told_at_once() {
    let found = faults(
        "[table.track]\ndisabled = 30\n[[character]]\nname = \"Wren\"\npoints = 9\ntraits = { brawn = 7 }\nfortune = 2\n\
         limbs = 2\nrides = \"Grey\"\nunseen = true\n[[character]]\nname = \"Tam\"\nat = \"B1\"\nready = [\"Axe\"]\n\
         [[character.weapon]]\nname = \"Bow\"\nuses = []\n[[npc]]\nname = \"Guard\"\nat = \"C1\"\nside = \"us\"\n\
         [[npc.spell]]\nname = \"A\"\nwith = \"brawn\"\n[[npc.spell.effect]]\ndo = \"prone\"\npower = 3\n\
         [[npc.manoeuvre]]\nname = \"B\"\nagainst = \"dodge\"\nnote = \"x\"\n[[npc]]\nname = \"Other\"\nat = \"C1\"\n\
         [[npc]]\nname = \"Third\"\nat = \"Z9\"\n[[ground]]\nname = \"Ice\"\n[map]\nrows = [\".#..\"]\nlegend = { \"#\" = \"wall\" }\n",
    );
    let expected = [
        "table.track.disabled: expected at most 20",
        "character[1].points: the character costs 14: traits and skills 12, gifts 0, Fortune 2",
        "character[1].limbs: they come with a gift",
        "character[1].rides: there is no `mount = true` called \"Grey\"",
        "character[1].unseen: no such field here",
        "character[2].at: B1 is a wall",
        "character[2].ready: the character has no weapon called \"Axe\"",
        "character[2].weapon[1].uses: expected at least one",
        "npc[1].side: expected one of players, foes, nobody, found \"us\"",
        "npc[1].spell[1].with: expected one of intellect, presence, found \"brawn\"",
        "npc[1].spell[1].effect[1].power: nothing more is said",
        "npc[1].manoeuvre[1].against: no check is made",
        "npc[2].at: Guard is in C1: expected another space",
        "npc[3].at: expected a space of the map, such as C4, found \"Z9\"",
        "ground[1]: it is as ordinary ground",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn newcomers_stand_where_nobody_seems_to_be() {
    let (rules, state) = begun(
        "[[character]]\nname = \"Wren\"\n[[npc]]\nname = \"Lurker\"\nunseen = true\nat = \"D1\"\n\
         [map]\ncolumns = 4\nheight = 1\n",
        "",
    );
    let table = At { rules: &rules, state: &state };
    let join = |entry| join(table, &Setup::alone(Document::json("join", &entry).kept()));
    let (_, after, who) = join(json!({ "name": "Guard" })).expect("no fault");
    assert_eq!((space(&after, who).as_str(), after.cast.len()), ("D1", 3));
    let (_, after, who) = join(json!({ "name": "Thief", "unseen": true })).expect("no fault");
    assert_eq!(space(&after, who), "C1");
    let (rules, after, who) = join(json!({ "name": "Tam", "player": "Ben" })).expect("no fault");
    assert_eq!((space(&after, who).as_str(), rules.roster.players.len()), ("B1", 2));
    assert!(join(json!({ "name": "Guard", "at": "A1" })).is_err(), "Wren is there");
}

#[test]
fn what_is_carried_is_read_again() {
    let text = include_str!("../../tests/setups/causeway.toml");
    let (rules, mut state) = start(&Setup::alone(Document::toml("e", text).expect("TOML"))).expect("sound");
    let jory = find(&rules, "Jory");
    state.being_mut(jory).wounds = 20;
    let carried = carry(At { rules: &rules, state: &state });
    assert_eq!(carried[FALLEN][0]["name"], "Jory");
    let library = toml(&carried);
    let (rules, state) = begun(
        "[[character]]\nuse = \"Odile\"\n[[character]]\nuse = \"Ysolt\"\n",
        &format!("{library}\n").replace("player = \"Ben\"", "player = \"Ana\""),
    );
    let (odile, ysolt) = (rules.sheet(Char(0)), state.being(Char(1)));
    assert!(odile.gifts.has(Gift::Empathy) && odile.armour.penalty == 1);
    assert_eq!(odile.history, ["The causeway: held out"]);
    assert_eq!((ysolt.fortune, rules.spells.len(), rules.weapons.len()), (6, 2, 4));
    assert_eq!(state.held(Char(0), Lie::Hand).count(), 2);
}
