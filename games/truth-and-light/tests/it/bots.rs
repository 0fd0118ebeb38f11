//! Bots play whole encounters to an end that comes by itself.

use crate::TABLES;
use fracas_kernel::{AnyTable, Game, Now, Seat, Session};
use fracas_sim::{Bot, Chance, End, Greedy, Playouts, Quiet};
use truth_and_light::TruthAndLight;

#[test]
fn greedy_tables_come_to_their_end() {
    for setup in TABLES.setups() {
        let (rules, state) = TruthAndLight::start(&setup).unwrap();
        for seed in 1..=2 {
            let mut playouts = Playouts::<TruthAndLight>::new(&rules, &state).budget(1_000);
            let mut chance = Chance::new(seed, 0);
            let played = playouts.play(&mut Greedy { work: 300 }, &mut chance, &mut Quiet);
            println!(
                "{} {seed}: {:?} after {} answers and {} rolls; {:?}",
                setup.encounter.name(),
                played.end,
                played.answers,
                played.rolls,
                TruthAndLight::outcome(&rules, &played.state, &state)
            );
            assert_eq!(played.end, End::Over, "{} {seed}", setup.encounter.name());
        }
    }
}

#[test]
fn a_machine_as_gamemaster_keeps_the_attribute_that_the_deed_names() {
    const TABLE: &str = r#"
        player = [{ name = "ana" }]
        character = [{ name = "Ilen", writhing = "w", attributes = { beauty = 3, strength = 1, wisdom = 2 } }]
        npc = [{ name = "Captain", pn = 8, hostile = false }]
    "#;
    for attribute in ["beauty", "strength", "wisdom"] {
        for seed in 1..=12 {
            let mut table = fracas_suite::table::<TruthAndLight>(TABLE);
            let asked = |table: &Session<TruthAndLight>, seat| {
                let Now::Asks(asks) = table.now() else { panic!("nothing is asked") };
                asks.iter().find(|ask| ask.who.seats().contains(seat)).expect("an ask").id
            };
            let deed = format!(r#"{{"major":{{"who":"@ilen","attribute":"{attribute}"}}}}"#);
            let id = asked(&table, Seat::Player(0));
            AnyTable::answer(&mut table, Seat::Player(0), id, &deed, false).expect("a deed");
            let id = asked(&table, Seat::Gm);
            let settled = Bot::greedy(seed).choose(&table, Seat::Gm, id).expect("an answer");
            let told: serde_json::Value = serde_json::from_str(&settled).expect("JSON");
            let named = told["settle"]["attribute"].as_str().unwrap_or(attribute);
            assert_eq!(named, attribute, "seed {seed}: {settled}");
        }
    }
}
