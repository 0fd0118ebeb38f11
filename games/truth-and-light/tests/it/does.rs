//! What each effect does to whom, and how long, as the table tells it.

use fracas_kernel::{Document, Seat, Session, Setup, Viewer};
use fracas_suite::{Driven, opened, told};
use truth_and_light::TruthAndLight;
use truth_and_light::state::{Fortunes, Pending};
use truth_and_light::vocab::{Char, Sort};

/// Ana uses a Whisper on Foe; Bo stands by, and Aide by Foe; Cy and Spy are elsewhere.
const TABLE: &str = r#"
player = [{ name = "ana" }]
[table]
turns = "alternate"
[scene]
zones = ["Hall", "Yard"]
conflict = "martial"
[[end]]
name = "Numbed"
damaging = true
track = "Mind"
effect = [{ does = "harm" }]
[[character]]
name = "Ana"
writhing = "w"
attributes = { strength = 2 }
boon = [{ name = "Lamp", sort = "gear" }, { name = "Knife", sort = "weapon" }, { name = "Coat", kept = true }, { name = "Ring", quality = "old" }]
lost = ["Ring"]
track = [{ name = "Body", size = 6, harm = 4 }]
whisper = [{ name = "Word", aim = "npc", reach = "simple", effect = [{ EFFECT }] }]
[[character]]
name = "Bo"
writhing = "w"
boon = [{ name = "Shield", sort = "shield" }]
[[character]]
name = "Cy"
writhing = "w"
zone = "Yard"
[[npc]]
name = "Foe"
pn = 8
boon = [{ name = "Net" }, { name = "Club", sort = "weapon", quality = "fine" }]
track = [{ name = "Body", size = 5 }]
[[npc]]
name = "Aide"
pn = 7
[[npc]]
name = "Spy"
pn = 7
zone = "Yard"
"#;

/// Effects of the Whisper, and what is told of each at a success by two degrees.
const DOES: &str = r#"
does = "gain-boon", boon = "Stool", on = "me" => Ana has Stool now.
does = "gain-boon", boon = "Stool", on = "allies" => Bo has Stool now.
does = "lose-boon" => Foe loses Club, and can get it back.
does = "lose-boon", by = 2 => Foe loses Club, and can get it back. | Foe loses Net.
does = "lose-boon", per_degree = true => Foe loses Club, and can get it back. | Foe loses Net.
does = "lose-boon", by = 9, on = "me" => Ana loses Knife. | Ana loses Lamp.
does = "lose-boon", by = 2, on = "allies" => Bo loses Shield.
does = "recover-boon", on = "me" => Ana has Ring now.
does = "recover-boon", on = "them" =>
does = "move-boon" => Club goes from Foe to Ana.
does = "move-boon", on = "foes" => Club goes from Foe to Ana.
does = "harm" => Foe loses 1 Body.
does = "harm", by = 3, track = "Mind" => Foe loses 3 Mind.
does = "harm", by = 2, per_degree = true => Foe loses 4 Body.
does = "harm", by = 9 => Foe loses 5 Body, and has nothing left. | Foe is out of the conflict.
does = "harm", on = "foes" => Foe loses 1 Body. | Aide loses 1 Body.
does = "heal", track = "Body", on = "me" => Ana gets 1 Body back.
does = "heal", track = "Body", by = 9, on = "me" => Ana gets 4 Body back.
does = "heal", track = "Body", per_degree = true, on = "me" => Ana gets 2 Body back.
does = "heal", track = "Mind", on = "me" =>
does = "end", end = "Numbed" => Foe: Numbed, by Ana. | Foe loses 1 Mind. | Foe loses 3 Mind.
does = "end", end = "Held" => Foe: Held, by Ana. | Held for Foe: cannot leave until a test against Ana.
does = "reroll-light", on = "them", lasts = "scene" =>
does = "reroll-light", on = "me", lasts = "next-scene" => Ana takes good fortune.
does = "extra-action", on = "me" => Ana has 1 more major action.
does = "extra-action", on = "allies", action = "minor", by = 2, per_degree = true => Bo has 4 more minor actions.
does = "narrate", text = "a cold wind" => Foe: a cold wind
does = "ap", by = -1, lasts = "scene" => Word for Foe: -1 action power for the scene.
does = "ap", by = -1, per_degree = true, lasts = "scene" => Word for Foe: -2 action power for the scene.
does = "pn", by = 2, rolls = "save", tags = ["social"], lasts = "next-roll" => Word for Foe: +2 power number on saves (social) for the next roll.
does = "pn", by = 2, per_degree = true, lasts = "next-scene" => Word for Foe: +4 power number in the next scene.
does = "ap", by = 1, ability_only = true, on = "me", lasts = "until-ability" => Word for Ana: +1 action power with an ability until an ability is used.
does = "ban-abilities", on = "me", lasts = "next-action" => Word for Ana: no feats or Whispers through the next action.
does = "attention", on = "allies", lasts = "scene" => Word for Bo: hostile attention for the scene.
does = "condition", text = "giddy", lasts = "until-minor" => Word for Foe: giddy until a minor action.
does = "apart", lasts = "until-test", tn = 9 => Word for Foe: near nobody until a test.
does = "hold", lasts = "until-power-number" => Word for Foe: cannot leave until a test against Ana.
does = "condition", text = "marked", lasts = "until-gamemaster" => Word for Foe: marked until the gamemaster says.
"#;

type Table = Session<TruthAndLight>;

/// The table where Ana's Whisper does this.
fn table(effect: &str) -> Table {
    let encounter = Document::toml("e.toml", &TABLE.replace("EFFECT", effect)).expect("TOML").kept();
    let stool = "[[boon]]\nname = \"Stool\"\nrolls = \"save\"\n";
    opened(&Setup { encounter, library: vec![Document::toml("l.toml", stool).expect("TOML").kept()] })
}

/// What is told when Ana uses it on Foe and succeeds by so many degrees.
fn used(table: &mut Table, degrees: u8) -> Vec<String> {
    table.plays(&format!(
        r#"ana: {{"major":{{"who":"@ana","on":"@foe","ability":"@word"}}}}
        gm: {{"settle":{{"attribute":"strength","tn":6}}}}
        dice: {} 4"#,
        4 + degrees
    ));
    let shown = table.plays(r#"ana: {"spend":0}"#);
    let told = told(&shown, Viewer::Seat(Seat::Gm)).into_iter().map(str::to_owned);
    let result = format!("Innocent Success {degrees}.");
    told.skip_while(|line| !line.ends_with(&result)).skip(1).collect()
}

#[test]
fn effects_are_told_with_whom_they_are_on_and_how_long() {
    for line in DOES.trim().lines() {
        let (effect, expected) = line.split_once(" =>").expect("an effect and what is told");
        assert_eq!(used(&mut table(effect), 2).join(" | "), expected.trim(), "{effect}");
    }
}

#[test]
fn nothing_for_each_of_no_degrees_is_nothing() {
    for does in ["ap", "pn"] {
        let effect = format!("does = \"{does}\", by = 1, per_degree = true, lasts = \"scene\"");
        assert_eq!(used(&mut table(&effect), 0), [""; 0], "{does}");
    }
}

#[test]
fn fortune_is_for_this_scene_or_the_next() {
    for (lasts, now, next) in [("scene", 1, 0), ("next-scene", 0, 1)] {
        let mut table = table(&format!(r#"does = "reroll-light", on = "me", lasts = "{lasts}""#));
        used(&mut table, 2);
        assert_eq!(table.state().being(Char(0)).good, Fortunes { now, next }, "{lasts}");
    }
}

#[test]
fn the_same_again_counts_once_more() {
    let mut table = table(r#"does = "pn", by = 1, lasts = "scene""#);
    table.plays(r#"fiat: {"turns":"free"}"#);
    for times in ["", ", twice,", ", 3 times,"] {
        assert_eq!(used(&mut table, 2), [format!("Word for Foe: +1 power number{times} for the scene.")]);
    }
}

#[test]
fn what_is_improvised_is_of_the_sort_that_it_is_for() {
    let mut table = table(r#"does = "narrate", text = "so""#);
    table.plays(
        r#"ana: {"major":{"who":"@ana"}}
        gm: {"settle":{"attribute":"strength","tn":6}}
        dice: 6 5
        ana: {"spend":0}"#,
    );
    use Sort::*;
    for (rolls, tags, sort) in [
        ("test", r#""combat""#, Weapon),
        ("save", r#""combat""#, Shield),
        ("test", r#""social""#, Social),
        ("test", r#""research""#, Research),
        ("test", r#""wilds""#, Gear),
        ("test", r#""wilds","combat""#, Weapon),
        ("save", r#""social","research","wilds""#, Other),
        ("test", r#""pursuit""#, Other),
        ("test", "", Other),
        ("save", "", Other),
    ] {
        let mut copy = table.clone();
        let it = format!(r#""improvise":{{"name":"it","rolls":"{rolls}","tags":[{tags}]}}"#);
        copy.plays(&format!(r#"ana: {{"glory":{{"control-boons":{{{it}}}}}}}"#));
        let pending = copy.state().action.map(|action| action.pending);
        let Some(Pending::Improvised(_, serves)) = pending else { panic!("{pending:?}") };
        assert_eq!((serves.sort, serves.bonus, serves.once), (sort, 2, false), "{it}");
    }
}
