//! What answers say they lead to, where random play seldom or never comes.

use fracas_kernel::{Game, Session, Viewer, Words};
use fracas_suite::Driven;
use truth_and_light::{TruthAndLight, answer::Answer};

const TABLE: &str = r#"
player = [{ name = "ana" }]
#TABLE
[scene]
conflict = "martial"
[[character]]
name = "Ana"
writhing = "w"
attributes = { strength = 3, valor = 2 }
track = [{ name = "Body", size = 6 }]
#ANA
[[npc]]
name = "Foe"
pn = 10
track = [{ name = "Body", size = 5, harm = 1 }]
#FOE
"#;

/// The table with something more at a place, after these steps.
#[track_caller]
fn table((place, more): (&str, &str), steps: &str) -> Session<TruthAndLight> {
    let mut table = fracas_suite::table::<TruthAndLight>(&TABLE.replace(place, more));
    table.plays(steps);
    table
}

/// What an answer leads to, such as `ana: {"spend":0}`, whether or not it could be given.
#[track_caller]
fn leads(table: &Session<TruthAndLight>, answer: &str) -> String {
    let (who, answer) = answer.split_once(": ").expect("somebody answers");
    let seat = table.seat(who);
    let answer = TruthAndLight::names(table.rules()).read(answer).expect("names");
    let answer: Answer = serde_json::from_str(&answer).expect("an answer");
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(seat)).expect("asked").1;
    <TruthAndLight as Words>::answer(table.rules(), table.state(), slot, &answer, Viewer::Seat(seat)).leads
}

#[test]
fn a_guilt_that_does_not_come_is_not_promised() {
    let check = |(trigger, by): (&str, u8), dice: &str, spend: &str, expected: &str| {
        let feat = format!(
            r#"feat = [{{ name = "Burn", trigger = "{trigger}", effect = [{{ does = "harm", by = {by}, track = "Body" }}] }}]"#
        );
        let attack = r#"ana: {"attack":{"who":"@ana","on":"@foe"}}
            gm: {"settle":{}}"#;
        let mut table = table(("#ANA", &feat), &format!("{attack}\ndice: {dice}"));
        assert_eq!(leads(&table, spend), expected);
        table.plays(spend);
        let asks = table.asks().any(|(.., ask)| TruthAndLight::kind(&ask.prompt) == "guilt");
        assert_eq!(asks, expected.contains("the gamemaster picks a guilt"), "{expected}");
    };
    let (all, none) = (r#"ana: {"spend":1}"#, r#"ana: {"spend":0}"#);
    check(("on-success", 6), "6 2", none, "Guilty Failure 1: the gamemaster picks a guilt");
    check(("on-success", 5), "6 3", all, "Guilty Success 0: the gamemaster picks a guilt");
    check(("on-success", 6), "6 3", all, "Guilty Success 0: it succeeds, and takes you out before any guilt");
    check(("on-failure", 6), "6 2", none, "Guilty Failure 1: it fails, and takes you out before any guilt");
    let claimed = "Guilty Failure 1: you are out by it; a writhing die, if the gamemaster agrees";
    check(("on-failure", 6), "6 2", r#"ana: {"claim":{"spend":0}}"#, claimed);
}

#[test]
fn what_is_lost_is_there_to_be_lost() {
    let attack = r#"ana: {"attack":{"who":"@ana","on":"@foe","end":"@disarmed"}}"#;
    for (kept, leads_to) in [(false, "loses a boon"), (true, "it changes nothing now")] {
        let boon = format!("boon = [{{ name = \"Knife\", sort = \"weapon\", kept = {kept} }}]");
        let mut table = table(("#FOE", &boon), "");
        assert_eq!(leads(&table, attack), format!("against 10; {leads_to}"));
        table.plays(&format!("{attack}\ngm: {{\"settle\":{{}}}}\ndice: 6 4"));
        let spend = format!("Innocent Success 0: it succeeds; Disarmed: {leads_to}");
        assert_eq!(leads(&table, r#"ana: {"spend":1}"#), spend);
    }
}

#[test]
fn the_next_scene_says_who_recovers() {
    for (recovery, then) in [
        ("full", ", and all harm is gone, foes' too"),
        ("one", ", and one point of each track comes back to Foe"),
        ("nothing", ""),
    ] {
        let table = table(("#TABLE", &format!("table = {{ recovery = \"{recovery}\" }}")), "");
        let plain = "what lasts for the scene ends, fortunes taken become playable";
        assert_eq!(leads(&table, r#"gm: "next-scene""#), format!("{plain}{then}"));
    }
}

/// An end is of its own kinds where it does not belong to the conflict
/// (`kinds-of-a-roll`), and the number that is told beforehand is the one settled.
#[test]
fn an_attack_tells_the_number_that_is_settled() {
    for (end, number) in [("shaken", "10"), ("wounded", "8")] {
        let shoved = r#"fiat: {"end":{"on":"@foe","end":"@shoved-down"}}
            gm: "peace"
            gm: {"conflict":"social"}"#;
        let mut table = table(("#FOE", ""), shoved);
        let attack = format!(r#"ana: {{"attack":{{"who":"@ana","on":"@foe","end":"@{end}"}}}}"#);
        assert!(leads(&table, &attack).starts_with(&format!("against {number};")), "{end}");
        let settled = table.plays(&format!("{attack}\ngm: {{\"settle\":{{}}}}"));
        assert!(settled[0].gm.text.contains(&format!(" test against {number}, ")), "{settled:?}");
    }
}
