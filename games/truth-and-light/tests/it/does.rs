//! What each effect does to whom, and how long, as the table tells it.

use fracas_kernel::{Document, Game, Seat, Session, Setup, Shown, Viewer};
use fracas_suite::{Driven, opened, told};
use truth_and_light::TruthAndLight;
use truth_and_light::state::{MAX_LIVE, Pending};
use truth_and_light::vocab::{Boon, Char, Sort};

type Table = Session<TruthAndLight>;

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

const LIBRARY: &str = "[[boon]]\nname = \"Stool\"\nrolls = \"save\"\n";

/// The table where Ana's Whisper does this.
fn table(effect: &str) -> Table {
    let whisper = format!(
        "[[character.whisper]]\nname = \"Word\"\naim = \"npc\"\nreach = \"simple\"\neffect = [{{ {effect} }}]\n\
         [[character]]\nname = \"Bo\""
    );
    let text = TABLE.replacen("[[character]]\nname = \"Bo\"", &whisper, 1);
    let encounter = Document::toml("e.toml", &text).expect("TOML").kept();
    let library = vec![Document::toml("l.toml", LIBRARY).expect("TOML").kept()];
    opened::<TruthAndLight>(&Setup { encounter, library })
}

/// Gives an answer, and tells what came of it.
#[track_caller]
fn answer(table: &mut Table, seat: Seat, answer: &str) -> Vec<String> {
    in_words(&table.says(seat, answer))
}

#[track_caller]
fn fiat(table: &mut Table, fiat: &str) -> Vec<String> {
    in_words(&table.overrules(fiat))
}

fn in_words(shown: &[Shown]) -> Vec<String> {
    told(shown, Viewer::Seat(Seat::Gm)).into_iter().map(str::to_owned).collect()
}

/// Ana uses it on Foe and succeeds by two degrees.
fn used(table: &mut Table) -> Vec<String> {
    used_by(table, 2)
}

/// Ana uses it on Foe and succeeds by so many degrees.
fn used_by(table: &mut Table, degrees: u8) -> Vec<String> {
    let ana = Seat::Player(0);
    answer(table, ana, r#"{"major":{"who":"@ana","on":"@foe","ability":"@word"}}"#);
    answer(table, Seat::Gm, r#"{"settle":{"attribute":"strength","tn":6}}"#);
    table.throws(&[4 + degrees, 4]);
    let told = answer(table, ana, r#"{"spend":0}"#);
    let result = format!("Innocent Success {degrees}.");
    let result = told.iter().position(|line| line.ends_with(&result)).expect("a success");
    told[result + 1..].to_vec()
}

#[track_caller]
fn check(effect: &str, expected: &[&str]) {
    assert_eq!(used(&mut table(effect)), expected, "{effect}");
}

#[test]
fn boons_come_and_go() {
    check(r#"does = "gain-boon", boon = "Stool", on = "me""#, &["Ana has Stool now."]);
    check(r#"does = "gain-boon", boon = "Stool", on = "allies""#, &["Bo has Stool now."]);
    check(r#"does = "lose-boon""#, &["Foe loses Club, and can get it back."]);
    check(r#"does = "lose-boon", by = 2"#, &["Foe loses Club, and can get it back.", "Foe loses Net."]);
    check(r#"does = "lose-boon", by = 9, on = "me""#, &["Ana loses Knife.", "Ana loses Lamp."]);
    check(r#"does = "lose-boon", by = 2, on = "allies""#, &["Bo loses Shield."]);
    check(r#"does = "recover-boon", on = "me""#, &["Ana has Ring now."]);
    check(r#"does = "recover-boon", on = "them""#, &[]);
    check(r#"does = "move-boon""#, &["Club goes from Foe to Ana."]);
    check(r#"does = "move-boon", on = "foes""#, &["Club goes from Foe to Ana."]);
}

#[test]
fn harm_is_done_and_mended() {
    check(r#"does = "harm""#, &["Foe loses 1 Body."]);
    check(r#"does = "harm", by = 3, track = "Mind""#, &["Foe loses 3 Mind."]);
    check(r#"does = "harm", by = 2, per_degree = true"#, &["Foe loses 4 Body."]);
    check(
        r#"does = "harm", by = 9"#,
        &["Foe loses 5 Body, and has nothing left.", "Foe is out of the conflict."],
    );
    check(r#"does = "harm", on = "foes""#, &["Foe loses 1 Body.", "Aide loses 1 Body."]);
    check(r#"does = "heal", track = "Body", on = "me""#, &["Ana gets 1 Body back."]);
    check(r#"does = "heal", track = "Body", by = 9, on = "me""#, &["Ana gets 4 Body back."]);
    check(r#"does = "heal", track = "Body", per_degree = true, on = "me""#, &["Ana gets 2 Body back."]);
    check(r#"does = "heal", track = "Mind", on = "me""#, &[]);
    check(
        r#"does = "end", end = "Numbed""#,
        &["Foe: Numbed, by Ana.", "Foe loses 1 Mind.", "Foe loses 3 Mind."],
    );
}

#[test]
fn what_lasts_says_on_whom_and_how_long() {
    for (effect, on, rest) in [
        (r#"does = "ap", by = -1, lasts = "scene""#, "Foe", "-1 action power for the scene"),
        (
            r#"does = "ap", by = -1, per_degree = true, lasts = "scene""#,
            "Foe",
            "-2 action power for the scene",
        ),
        (
            r#"does = "pn", by = 2, rolls = "save", tags = ["social"], lasts = "next-roll""#,
            "Foe",
            "+2 power number on saves (social) for the next roll",
        ),
        (
            r#"does = "pn", by = 2, per_degree = true, lasts = "next-scene""#,
            "Foe",
            "+4 power number in the next scene",
        ),
        (
            r#"does = "ap", by = 1, ability_only = true, on = "me", lasts = "until-ability""#,
            "Ana",
            "+1 action power with an ability until an ability is used",
        ),
        (
            r#"does = "ban-abilities", on = "me", lasts = "next-action""#,
            "Ana",
            "no feats or Whispers through the next action",
        ),
        (r#"does = "attention", on = "allies", lasts = "scene""#, "Bo", "hostile attention for the scene"),
        (r#"does = "condition", text = "giddy", lasts = "until-minor""#, "Foe", "giddy until a minor action"),
        (r#"does = "apart", lasts = "until-test", tn = 9"#, "Foe", "near nobody until a test"),
        (r#"does = "hold", lasts = "until-power-number""#, "Foe", "cannot leave until a test against Ana"),
        (
            r#"does = "condition", text = "marked", lasts = "until-gamemaster""#,
            "Foe",
            "marked until the gamemaster says",
        ),
    ] {
        check(effect, &[&format!("Word for {on}: {rest}.")]);
    }
}

#[test]
fn nothing_for_each_of_no_degrees_is_nothing() {
    for does in ["ap", "pn"] {
        let effect = format!("does = \"{does}\", by = 1, per_degree = true, lasts = \"scene\"");
        assert_eq!(used_by(&mut table(&effect), 0), [""; 0], "{does}");
    }
}

#[test]
fn the_rest_is_done_at_once() {
    check(r#"does = "reroll-light", on = "them", lasts = "scene""#, &[]);
    check(r#"does = "reroll-light", on = "me", lasts = "next-scene""#, &["Ana takes good fortune."]);
    check(r#"does = "extra-action", on = "me""#, &["Ana has 1 more major action."]);
    check(
        r#"does = "extra-action", on = "allies", action = "minor", by = 2, per_degree = true"#,
        &["Bo has 4 more minor actions."],
    );
    check(r#"does = "narrate", text = "a cold wind""#, &["Foe: a cold wind"]);
    check(
        r#"does = "end", end = "Held""#,
        &["Foe: Held, by Ana.", "Held for Foe: cannot leave until a test against Ana."],
    );
}

#[test]
fn fortune_is_for_this_scene_or_the_next() {
    let fortunes = |lasts: &str| {
        let mut table = table(&format!(r#"does = "reroll-light", on = "me", lasts = "{lasts}""#));
        used(&mut table);
        let good = table.state().being(Char(0)).good;
        (good.now, good.next)
    };
    assert_eq!(fortunes("scene"), (1, 0));
    assert_eq!(fortunes("next-scene"), (0, 1));
}

#[test]
fn further_actions_are_counted() {
    let left = |action: &str| {
        let mut table = table(&format!(r#"does = "extra-action", on = "me", action = "{action}", by = 2"#));
        used(&mut table);
        let being = *table.state().being(Char(0));
        (being.majors, being.minors, table.state().acted.has(Char(0)))
    };
    // The one that was taken is gone.
    assert_eq!(left("major"), (2, 1, false));
    assert_eq!(left("minor"), (0, 3, false));
}

#[test]
fn the_same_again_counts_once_more() {
    let mut table = table(r#"does = "pn", by = 1, lasts = "scene""#);
    fiat(&mut table, r#"{"turns":"free"}"#);
    for times in ["", ", twice,", ", 3 times,"] {
        let lasts = format!("+1 power number{times} for the scene");
        assert_eq!(used(&mut table), [format!("Word for Foe: {lasts}.")]);
        let view = TruthAndLight::view(table.rules(), table.state(), Viewer::Spectator);
        assert_eq!(view.cast["foe"].under, [format!("Word: {lasts}")]);
    }
    // They add up, on top of the 8 that is written.
    assert_eq!(answer(&mut table, Seat::Player(0), r#"{"attack":{"who":"@ana","on":"@foe"}}"#).len(), 1);
    let settled = answer(&mut table, Seat::Gm, r#"{"settle":{"attribute":"strength"}}"#);
    assert_eq!(settled, ["Ana: strength test against 11, from the power number of Foe."]);
}

#[test]
fn an_end_is_on_somebody_once() {
    let mut table = table(r#"does = "narrate", text = "so""#);
    let held = |by: &str| format!(r#"{{"end":{{"on":"@ana","by":"@{by}","end":"@held"}}}}"#);
    let lasts = "Held for Ana: cannot leave until a test against Foe.";
    assert_eq!(fiat(&mut table, &held("foe")), ["Ana: Held, by Foe.", lasts]);
    assert_eq!(fiat(&mut table, &held("foe")), ["Ana: Held, by Foe."]);
    assert_eq!(table.state().live.len(), 1);
    // Another holds her by their own power, and nobody is down twice.
    let by_aide = "Held for Ana: cannot leave until a test against Aide.";
    assert_eq!(fiat(&mut table, &held("aide")), ["Ana: Held, by Aide.", by_aide]);
    let down = |by: &str| format!(r#"{{"end":{{"on":"@ana","by":"@{by}","end":"@shoved-down"}}}}"#);
    assert_eq!(fiat(&mut table, &down("foe")).len(), 2);
    assert_eq!(fiat(&mut table, &down("aide")), ["Ana: Shoved Down, by Aide."]);
    let lifts = |table: &mut Table, from: &str, over: &str| {
        let told = fiat(table, &format!(r#"{{"lift":{{"who":"@ana"{from}}}}}"#));
        assert_eq!((told.len(), told[0].as_str()), (2, over));
        assert!(told[1].starts_with("By the gamemaster's word: Ana: no longer "), "{told:?}");
    };
    lifts(&mut table, r#","from":"@shoved-down""#, "Shoved Down is over for Ana.");
    // Lifted is what is on somebody and comes of what is named.
    let nothing: [&str; 0] = [];
    assert_eq!(fiat(&mut table, r#"{"lift":{"who":"@bo"}}"#), nothing);
    assert_eq!(fiat(&mut table, r#"{"lift":{"who":"@ana","from":"@word"}}"#), nothing);
    assert_eq!(table.state().live.len(), 2);
    lifts(&mut table, r#","from":"@held""#, "Held is over for Ana.");
    assert_eq!(fiat(&mut table, &held("foe")), ["Ana: Held, by Foe.", lasts]);
    lifts(&mut table, "", "Held is over for Ana.");
}

#[test]
fn the_oldest_gives_way() {
    let ends: String = (0..20)
        .map(|n| {
            format!("[[end]]\nname = \"E{n}\"\neffect = [{{ does = \"condition\", text = \"c{n}\", lasts = \"scene\" }}]\n")
        })
        .collect();
    let encounter = Document::toml("e.toml", &format!("{TABLE}{ends}")).expect("TOML").kept();
    let mut table = opened::<TruthAndLight>(&Setup::alone(encounter));
    let mut lines = Vec::new();
    let names: Vec<String> = table.rules().cast.iter().map(|sheet| sheet.slug.clone()).collect();
    for at in 0..=MAX_LIVE {
        let (who, end) = (&names[at / 20], at % 20);
        lines = fiat(&mut table, &format!(r#"{{"end":{{"on":"@{who}","end":"@e{end}"}}}}"#));
        assert_eq!(lines.len(), if at < MAX_LIVE { 2 } else { 3 }, "{lines:?}");
    }
    assert_eq!(lines, ["Cy: E8.", "E0 is over for Ana.", "E8 for Cy: c8 for the scene."]);
    assert_eq!(table.state().live.len(), MAX_LIVE);
}

#[test]
fn more_than_can_be_made_is_not_made() {
    let mut table = table(r#"does = "gain-boon", boon = "Stool", on = "me""#);
    fiat(&mut table, r#"{"turns":"free"}"#);
    for _ in 0..6 {
        assert_eq!(used(&mut table), ["Ana has Stool now."]);
    }
    assert_eq!(used(&mut table), ["There is no more to be had for Ana."]);
    // What is lost makes room.
    fiat(&mut table, r#"{"boon":{"boon":"@improvised-3","holder":"@ana","lie":"gone"}}"#);
    assert_eq!(table.state().spare(table.rules(), Char(0)), Some(Boon(2)));
    assert_eq!(used(&mut table), ["Ana has Stool now."]);
}

#[test]
fn what_is_improvised_is_of_the_sort_that_it_is_for() {
    let mut table = table(r#"does = "narrate", text = "so""#);
    let ana = Seat::Player(0);
    answer(&mut table, ana, r#"{"major":{"who":"@ana"}}"#);
    answer(&mut table, Seat::Gm, r#"{"settle":{"attribute":"strength","tn":6}}"#);
    table.throws(&[6, 5]);
    answer(&mut table, ana, r#"{"spend":0}"#);
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
        let improvise = format!(
            r#"{{"glory":{{"control-boons":{{"improvise":{{"name":"it","rolls":"{rolls}","tags":[{tags}]}}}}}}}}"#
        );
        answer(&mut copy, ana, &improvise);
        let pending = copy.state().action.map(|action| action.pending);
        let Some(Pending::Improvised(_, serves)) = pending else { panic!("{pending:?}") };
        assert_eq!((serves.sort, serves.bonus, serves.once), (sort, 2, false), "{improvise}");
    }
}

#[test]
fn what_is_made_for_the_absent_is_counted_apart() {
    let mut table = table(r#"does = "gain-boon", boon = "Stool", on = "them""#);
    let present = table.state().spare(table.rules(), Char(0));
    let npc = table.rules().everybody().find(|&who| !table.rules().is_pc(who)).expect("one");
    let slug = table.rules().sheet(npc).slug.clone();
    fiat(&mut table, &format!(r#"{{"away":{{"who":"@{slug}","away":true}}}}"#));
    assert_ne!(table.state().spare(table.rules(), npc), present);
}
