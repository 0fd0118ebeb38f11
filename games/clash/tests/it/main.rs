//! The tests of Clash: those of every game, and a module for each other subject.

mod bots;
mod hidden;
mod odds;

use clash::Clash;
use fracas_suite::Effort;

fracas_suite::game! {
    Clash, clash::system, "clash";
    examples: 13;
    rare: ["displace"];
    perft:
        a_stair = "small.toml" [14, 99, 812, 8_529];
        a_duel = "duel.toml" [21, 228, 2_402];
        a_salon = "salon.toml" [30, 285, 3_586];
        a_vault = "vault.toml" [27, 286, 3_172];
}

#[test]
fn fewer() {
    fracas_suite::fewer::<Clash>(&TABLES.setups(), Effort::default());
}

#[test]
fn effects_come_in_order() {
    // A Rest frees one character and lets another regain Will Points, in the order of the cast.
    let either = [
        ("freed", "recovers", "rest.rest"),
        // An ability's effects happen in the order in which its author wrote them.
        ("effect", "token", "ext.effects"),
        // An ability that answers comes before the Control that it answers, one that is triggered by it after.
        ("controls", "effect", "stack.lifo"),
    ];
    fracas_suite::ordered::<Clash>(&TABLES.setups(), Effort::default(), &either);
}
