//! What is read on the cards of a table.

use fracas_kernel::{Seat, Viewer, Words};
use fracas_suite::begun;
use truth_and_light::TruthAndLight;

/// The card of somebody, with its tags and rows as "label: value", and its meters.
fn card(text: &str, id: &str, who: Seat) -> Vec<String> {
    let (rules, state) = begun::<TruthAndLight>(text);
    let cards = TruthAndLight::cards(&rules, &state, Viewer::Seat(who));
    let card = cards.into_iter().find(|card| card.id == id).expect("a card");
    let tags = card.tags.into_iter().map(|tag| tag.text);
    let meters = card.meters.into_iter().map(|it| format!("{} {}/{}", it.label, it.value, it.most));
    let rows = card.rows.into_iter().map(|row| format!("{}: {}", row.label, row.value));
    tags.chain(rows).chain(meters).collect()
}

/// What Ana has, and a line of her card.
const ANA: &str = r#"
boon = [{ name = "Spear", sort = "weapon", quality = "royal", edge = [{ against = ["slow", "beast"] }] }] => in use: Spear: +2 on strength tests (combat), +1 against slow, beast, royal
boon = [{ name = "Scroll", sort = "research", kept = true }] => kept: Scroll: +2 on wisdom tests (research)
boon = [{ name = "Draught", once = true, effect = [{ does = "heal", by = 3, track = "Body" }, { does = "condition", text = "giddy", lasts = "scene" }] }] => in use: Draught: used once on tests: 3 of Body back, giddy for the scene
boon = [{ name = "Key", once = true, rolls = "both" }] => in use: Key: used once on rolls: what cannot be tried without it
feat = [{ name = "Word", trigger = "on-glory", limit = 1, effect = [{ does = "ap", by = 1, on = "allies", lasts = "next-roll" }] }] => feat: Word: on-glory, once a scene: +1 action power on allies for the next roll
feat = [{ name = "Snatch", trigger = "on-success", effect = [{ does = "move-boon", on = "them" }] }] => feat: Snatch: on-success: takes a boon on them
whisper = [{ name = "Hush" }] => whisper: Hush: on-test: as the table tells it
attributes = { strength = 5, wisdom = 4 } => strength 5: above 4
"#;

#[test]
fn a_card_says_what_somebody_has_and_what_it_does() {
    for line in ANA.trim().lines() {
        let (has, expected) = line.split_once(" => ").expect("what she has, and a line");
        let text = format!(
            "player = [{{ name = \"ana\" }}]\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\n{has}\n"
        );
        let found = card(&text, "ana", Seat::Player(0));
        assert!(found.iter().any(|found| found == expected), "{expected:?} is not among {found:#?}");
        assert!(!found.iter().any(|found| found.contains("wisdom 4")), "{found:#?}");
    }
}

#[test]
fn of_a_foe_whose_number_is_hidden_only_what_is_lost_is_told() {
    let text = r#"
        options = { tn-hidden = "hidden-until-spent" }
        player = [{ name = "ana" }]
        character = [{ name = "Ana", writhing = "w" }]
        npc = [{ name = "Foe", pn = 8, track = [{ name = "Body", size = 5, harm = 2 }] }]
    "#;
    assert_eq!(card(text, "foe", Seat::Player(0)), ["hostile", "Body: 2 lost"]);
    assert_eq!(card(text, "foe", Seat::Gm), ["hostile", "Body 3/5", "Mind 8/8"]);
}
