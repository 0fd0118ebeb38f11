//! What answers say they lead to: harm, recovery, effects, fortune.

use fracas_kernel::{Game, Seat, Session, Told, Viewer, Words};
use fracas_suite::Driven;
use truth_and_light::{TruthAndLight, answer::Answer};

type Table = Session<TruthAndLight>;

const TABLE: &str = r#"
player = [{ name = "ana" }]
[scene]
conflict = "martial"
[[character]]
name = "Ana"
writhing = "w"
attributes = { strength = 3, valor = 2 }
track = [{ name = "Body", size = 6 }]
[[npc]]
name = "Foe"
pn = 10
track = [{ name = "Body", size = 5, harm = 1 }]
"#;

const ANA: Seat = Seat::Player(0);

fn table(more: &str) -> Table {
    fracas_suite::table::<TruthAndLight>(&format!("{more}{TABLE}"))
}

/// An answer in words, whether or not it could be given.
fn told(table: &Table, seat: Seat, answer: &str) -> Told {
    let answer = TruthAndLight::names(table.rules()).read(answer).expect("names");
    let answer: Answer = serde_json::from_str(&answer).expect("an answer");
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(seat)).expect("asked").1;
    <TruthAndLight as Words>::answer(table.rules(), table.state(), slot, &answer, Viewer::Seat(seat))
}

fn leads(table: &Table, seat: Seat, answer: &str) -> String {
    told(table, seat, answer).leads
}

const ASSAULT: &str = r#"{"assault":{"by":"@foe","on":"@ana"}}"#;
const WOUND: &str = r#"{"terms":{"end":"@wounded"}}"#;
const ATTACK: &str = r#"{"attack":{"who":"@ana","on":"@foe","end":"@wounded"}}"#;

#[test]
fn what_is_spent_on_a_save_says_the_harm() {
    let mut table = table("");
    table.says(Seat::Gm, ASSAULT);
    table.says(Seat::Gm, WOUND);
    table.throws(&[2, 5]);
    let of = |spend: u8| leads(&table, ANA, &format!(r#"{{"spend":{spend}}}"#));
    assert_eq!(of(0), "Innocent Failure 6: it comes true; Wounded: 7 of Body (out)");
    assert_eq!(of(2), "Innocent Failure 4: it comes true; Wounded: 5 of Body (1 left)");
    assert_eq!(of(4), "Guilty Failure 2: it comes true, and more besides; Wounded: 3 of Body (3 left)");
    // What is said comes true.
    table.says(ANA, r#"{"spend":2}"#);
    let view = TruthAndLight::view(table.rules(), table.state(), Viewer::Seat(ANA));
    assert_eq!(view.cast["ana"].left.as_ref().map(|left| left["body"]), Some(1));
}

#[test]
fn what_is_spent_on_a_test_says_what_the_other_suffers() {
    let spent = |more: &str| {
        let mut table = table(more);
        table.says(ANA, ATTACK);
        table.says(Seat::Gm, r#"{"settle":{}}"#);
        table.throws(&[6, 3]);
        leads(&table, ANA, r#"{"spend":1}"#)
    };
    let known = "Guilty Success 0: the gamemaster picks a guilt; Wounded: 1 of Body (3 left)".to_owned();
    assert_eq!(spent(""), known);
    // A hidden number stays hidden, and what it says of a track with it.
    let hidden = spent("options = { tn-hidden = \"hidden-until-spent\" }\n");
    assert_eq!(hidden, "action power 10 against a hidden number, Light 2: guilty");
}

#[test]
fn a_guilt_that_does_not_come_is_not_promised() {
    let spent = |feat: &str, faces: &[u8], light: u8| {
        let feat = format!("feat = [{feat}]\ntrack = [{{ name = \"Body\", size = 6 }}]\n[[npc]]");
        let text = TABLE.replacen("track = [{ name = \"Body\", size = 6 }]\n[[npc]]", &feat, 1);
        let mut table = fracas_suite::table::<TruthAndLight>(&text);
        table.says(ANA, r#"{"attack":{"who":"@ana","on":"@foe"}}"#);
        table.says(Seat::Gm, r#"{"settle":{}}"#);
        table.throws(faces);
        let spend = format!(r#"{{"spend":{light}}}"#);
        let leads = leads(&table, ANA, &spend);
        table.says(ANA, &spend);
        let asks = table.asks().any(|(.., ask)| TruthAndLight::kind(&ask.prompt) == "guilt");
        assert_eq!(asks, leads.contains("the gamemaster picks a guilt"), "{leads}");
        leads
    };
    let burn = |trigger: &str, by: u8| {
        format!(
            "{{ name = \"Burn\", trigger = \"{trigger}\", effect = [{{ does = \"harm\", by = {by}, track = \"Body\" }}] }}"
        )
    };
    let (success, failure) = ((&[6, 3][..], 1), (&[6, 2][..], 0));
    let of = |feat: &str, (faces, light): (&[u8], u8)| spent(feat, faces, light);
    assert_eq!(of(&burn("on-success", 6), failure), "Guilty Failure 1: the gamemaster picks a guilt");
    assert_eq!(of(&burn("on-success", 5), success), "Guilty Success 0: the gamemaster picks a guilt");
    assert_eq!(
        of(&burn("on-success", 6), success),
        "Guilty Success 0: it succeeds, and takes you out before any guilt"
    );
    assert_eq!(
        of(&burn("on-failure", 6), failure),
        "Guilty Failure 1: it fails, and takes you out before any guilt"
    );
}

#[test]
fn what_is_lost_is_there_to_be_lost() {
    let disarm = r#"{"attack":{"who":"@ana","on":"@foe","end":"@disarmed"}}"#;
    let of = |boons: &str| {
        let mut table = fracas_suite::table::<TruthAndLight>(&format!("{TABLE}boon = [{boons}]\n"));
        let declared = leads(&table, ANA, disarm);
        table.says(ANA, disarm);
        table.says(Seat::Gm, r#"{"settle":{}}"#);
        table.throws(&[6, 4]);
        (declared, leads(&table, ANA, r#"{"spend":1}"#))
    };
    let (declared, spent) = of(r#"{ name = "Knife", sort = "weapon" }"#);
    assert_eq!(declared, "against 10; loses a boon");
    assert_eq!(spent, "Innocent Success 0: it succeeds; Disarmed: loses a boon");
    let (declared, spent) = of(r#"{ name = "Knife", sort = "weapon", kept = true }"#);
    assert_eq!(declared, "against 10; it changes nothing now");
    assert_eq!(spent, "Innocent Success 0: it succeeds; Disarmed: it changes nothing now");
}

#[test]
fn a_failed_test_says_nothing_of_the_other() {
    let mut table = table("");
    table.says(ANA, ATTACK);
    table.says(Seat::Gm, r#"{"settle":{}}"#);
    table.throws(&[1, 3]);
    assert_eq!(leads(&table, ANA, r#"{"spend":0}"#), "Innocent Failure 6: it fails");
}

#[test]
fn effects_say_what_they_do_where_they_are_picked() {
    let mut table = table("");
    let attack = leads(&table, ANA, ATTACK);
    assert_eq!(attack, "against 10; 1 of Body, and 1 more for each degree");
    let held = leads(&table, ANA, r#"{"attack":{"who":"@ana","on":"@foe","end":"@held"}}"#);
    assert_eq!(held, "against 10; cannot leave until a test");
    table.says(Seat::Gm, ASSAULT);
    let save = told(&table, Seat::Gm, WOUND);
    assert_eq!(save.text, "Wounded: valor save against 10");
    assert_eq!(save.leads, "a failure: 1 of Body, and 1 more for each degree");
}

#[test]
fn the_next_scene_says_who_recovers() {
    let of = |recovery: &str| leads(&table(recovery), Seat::Gm, r#""next-scene""#);
    let plain = "what lasts for the scene ends, fortunes taken become playable";
    assert_eq!(of(""), format!("{plain}, and all harm is gone, foes' too"));
    let one = of("table = { recovery = \"one\" }\n");
    assert_eq!(one, format!("{plain}, and one point of each track comes back to Foe"));
    assert_eq!(of("table = { recovery = \"nothing\" }\n"), plain);
}

#[test]
fn no_light_to_spend_says_why() {
    let mut table = table("");
    table.says(Seat::Gm, ASSAULT);
    table.says(Seat::Gm, WOUND);
    table.throws(&[6, 1]);
    let (_, slot, _) = table.asks().next().expect("asked");
    let ask = TruthAndLight::ask(table.rules(), table.state(), slot, Viewer::Seat(ANA)).text;
    assert!(ask.ends_with("Light cannot fall below 1: there is none to spend"), "{ask}");
}

#[test]
fn fortune_and_guilt_say_what_they_lead_to() {
    let mut table = table("");
    table.says(ANA, ATTACK);
    table.says(Seat::Gm, r#"{"settle":{}}"#);
    table.throws(&[6, 1]);
    table.says(ANA, r#"{"spend":0}"#);
    table.says(Seat::Gm, r#"{"fortune":"far-apart"}"#);
    let (yes, no) = (told(&table, ANA, r#""yes""#), told(&table, ANA, r#""no""#));
    assert_eq!((yes.text.as_str(), no.text.as_str()), ("take bad fortune", "rather a guilt"));
    assert!(yes.leads.contains("in the next scene"), "{}", yes.leads);
    assert!(no.leads.contains("the gamemaster picks"), "{}", no.leads);
}

/// An end is of its own kinds where it does not belong to the conflict
/// (`kinds-of-a-roll`), and the number that is told beforehand is the one settled.
#[test]
fn an_attack_tells_the_number_that_is_settled() {
    let check = |end: &str, number: &str| {
        let mut table = table("");
        table.overrules(r#"{"end":{"on":"@foe","end":"@shoved-down"}}"#);
        table.says(Seat::Gm, r#""peace""#);
        table.says(Seat::Gm, r#"{"conflict":"social"}"#);
        let attack = ATTACK.replace("wounded", end);
        assert!(leads(&table, ANA, &attack).starts_with(&format!("against {number};")), "{end}");
        table.says(ANA, &attack);
        let settled = told(&table, Seat::Gm, r#"{"settle":{}}"#).text;
        assert_eq!(settled.split(" against ").nth(1), Some(number), "{end}");
    };
    check("shaken", "10");
    check("wounded", "8");
}
