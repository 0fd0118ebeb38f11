//! What a player reads on the cards of a table.

use fracas_kernel::{Seat, Viewer, Words};
use fracas_suite::begun;
use truth_and_light::TruthAndLight;

/// The card of somebody, with its tags and rows as "label: value".
fn card(text: &str, id: &str) -> Vec<String> {
    let (rules, state) = begun::<TruthAndLight>(text);
    let cards = TruthAndLight::cards(&rules, &state, Viewer::Seat(Seat::Player(0)));
    let card = cards.into_iter().find(|card| card.id == id).expect("a card");
    let tags = card.tags.into_iter().map(|tag| tag.text);
    tags.chain(card.rows.into_iter().map(|row| format!("{}: {}", row.label, row.value))).collect()
}

#[track_caller]
fn check(belongings: &str, expected: &[&str]) {
    let whole = format!(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\n{belongings}\n"
    );
    let found = card(&whole, "ana");
    for line in expected {
        assert!(found.iter().any(|found| found == line), "{line:?} is not among {found:#?}");
    }
}

#[test]
fn a_boon_says_what_it_does() {
    check(
        "[[character.boon]]\nname = \"Spear\"\nsort = \"weapon\"\nquality = \"royal\"\n\
         edge = [{ against = [\"slow\", \"beast\"] }]",
        &["in use: Spear: +2 on strength tests (combat), +1 against slow, beast, royal"],
    );
    check(
        "[[character.boon]]\nname = \"Scroll\"\nsort = \"research\"\nkept = true",
        &["kept: Scroll: +2 on wisdom tests (research)"],
    );
    check(
        "[[character.boon]]\nname = \"Draught\"\nonce = true\n[[character.boon.effect]]\ndoes = \"heal\"\nby = 3\n\
         track = \"Body\"\n[[character.boon.effect]]\ndoes = \"condition\"\ntext = \"giddy\"\nlasts = \"scene\"",
        &["in use: Draught: used once on tests: 3 of Body back, giddy for the scene"],
    );
    check(
        "[[character.boon]]\nname = \"Key\"\nonce = true\nrolls = \"both\"",
        &["in use: Key: used once on rolls: what cannot be tried without it"],
    );
}

#[test]
fn an_ability_says_when_it_works() {
    check(
        "[[character.feat]]\nname = \"Word\"\ntrigger = \"on-glory\"\nlimit = 1\n[[character.feat.effect]]\n\
         does = \"ap\"\nby = 1\non = \"allies\"\nlasts = \"next-roll\"",
        &["feat: Word: on-glory, once a scene: +1 action power on allies for the next roll"],
    );
    check("[[character.whisper]]\nname = \"Hush\"", &["whisper: Hush: on-test: as the table tells it"]);
}

#[test]
fn a_rank_above_four_is_noted() {
    check("attributes = { strength = 5, wisdom = 4 }", &["strength 5: above 4"]);
    let four = card(
        "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ana\"\nwrithing = \"w\"\nattributes = { wisdom = 4 }\n",
        "ana",
    );
    assert!(!four.iter().any(|line| line.contains("above 4")), "{four:#?}");
}

#[test]
fn of_a_foe_whose_number_is_hidden_only_what_is_lost_is_told() {
    let foe = |harm: &str| {
        let text = format!(
            "[options]\ntn-hidden = \"hidden-until-spent\"\n[[player]]\nname = \"ana\"\n[[character]]\n\
             name = \"Ana\"\nwrithing = \"w\"\n[[npc]]\nname = \"Foe\"\npn = 8\n[[npc.track]]\n\
             name = \"Body\"\nsize = 6\n{harm}"
        );
        card(&text, "foe")
    };
    assert!(foe("harm = 2").contains(&"Body: 2 lost".to_owned()), "{:#?}", foe("harm = 2"));
    assert!(!foe("").iter().any(|line| line.contains("lost")), "{:#?}", foe(""));
}
