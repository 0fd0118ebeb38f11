//! What is told of events and answers that random play seldom or never meets.

use fracas_kernel::{Clause, Seat, Slot, Told, Viewer, Words};
use fracas_suite::begun;
use truth_and_light::answer::{Answer, Deal, Deed};
use truth_and_light::{TruthAndLight, event::Event, rules::Rules, state::State, vocab::*};

const TABLE: &str = r#"
player = [{ name = "ana" }]
character = [{ name = "Ana", writhing = "w", boon = [{ name = "Knife" }] }, { name = "Bo", writhing = "w" }]
hazard = [{ name = "Fire", tn = 9 }]
[[npc]]
name = "Foe"
pn = 8
track = [{ name = "Body", size = 5, harm = 2 }]
[scene]
zones = ["Hall", "Yard"]
[options]
tn-hidden = "hidden-until-spent"
"#;

const ANA: Char = Char(0);
const BO: Char = Char(1);
const FOE: Char = Char(2);
const GM: Viewer = Viewer::Seat(Seat::Gm);
const PLAYER: Viewer = Viewer::Seat(Seat::Player(0));

fn table() -> (Rules, State) {
    begun::<TruthAndLight>(TABLE)
}

fn told(event: Event, who: Viewer) -> Told {
    let (rules, state) = table();
    TruthAndLight::event(&rules, &state, &event, who).expect("words")
}

fn clause(of: Option<Clause>) -> &'static str {
    of.map_or("", |clause| clause.id())
}

#[track_caller]
fn check(event: Event, text: &str, why: &str) {
    let told = told(event, PLAYER);
    assert_eq!((told.text.as_str(), clause(told.clause)), (text, why));
}

#[test]
fn events_are_told_with_their_clause() {
    let all = CharSet::one(ANA).with(BO);
    let flood = Target::Hazard(Hazard(0));
    let result = truth_and_light::state::Outcome { success: false, band: Band::Glorious, degrees: 3 };
    check(Event::Noticed(FOE), "Foe notices.", "tn-tailing-spy");
    check(Event::Joined(BO), "Bo joins.", "ext.character");
    check(Event::Ruled(ANA), "By the gamemaster's word", "roll.when");
    check(Event::RuledTable, "By the gamemaster's word", "roll.when");
    check(Event::Placed { who: ANA, zone: Zone(1) }, "Ana is in Yard now.", "ext.scene-place");
    check(Event::Hostile { who: FOE, hostile: true }, "Foe turns hostile.", "attention");
    check(Event::Hostile { who: FOE, hostile: false }, "Foe is hostile no longer.", "attention");
    check(Event::Peace, "The conflict scene ends.", "ext.turns");
    let none = CharSet::NONE;
    check(
        Event::Lapsed { dice: all, good: none, bad: CharSet::one(BO) },
        "The writhing die of Ana and Bo is lost with the scene. Bad fortune of Bo is lost with the scene.",
        "writhing.same-scene",
    );
    check(
        Event::Lapsed { dice: none, good: CharSet::one(ANA), bad: none },
        "Good fortune of Ana is lost with the scene.",
        "fortune.next-scene",
    );
    check(Event::Guiltless(ANA), "Ana is out: no guilt comes.", "guilt-or-success-first");
    check(Event::PlayersCall(Some(ANA)), "The floor goes to the players, Ana last.", "ext.turns");
    check(Event::PlayersCall(None), "The floor goes to the players.", "ext.turns");
    check(Event::Refused(ANA), "It cannot be done so: Ana does something else.", "tn.gm-sets");
    check(
        Event::Spared { who: all, by: flood },
        "It takes no roll: Ana and Bo need not save against Fire.",
        "tn.mundane",
    );
    check(
        Event::TakenBack { who: CharSet::one(BO), by: Target::Surroundings },
        "After all Bo need not save against the surroundings.",
        "kind.gm-calls",
    );
    check(Event::Conversation { who: ANA, on: BO }, "Ana and Bo talk it out.", "pc-vs-pc-ruling");
    check(Event::Unfounded(ANA), "The reason is not enough: Ana decides anew.", "writhing-refused");
    check(Event::DieGained(ANA), "Ana gains a writhing die.", "writhing.gain");
    check(Event::Void(ANA), "Ana could not have done better: no writhing die.", "writhing.claim-reachable");
    check(Event::DieSpent(ANA), "Ana puts the writhing die into the roll.", "writhing.spend");
    check(Event::Unfortunate(ANA), "No fortune for Ana.", "fortune.who-takes");
    check(Event::Disallowed(ANA), "That is not possible: Ana picks something else.", "improvise-limit");
    check(Event::Used { who: ANA, boon: Boon(8), name: None }, "Ana uses Knife.", "boon.one-time");
    check(
        Event::Used { who: ANA, boon: Boon(8), name: "rope".parse().ok() },
        "Ana uses rope.",
        "boon.one-time",
    );
    let rolled = |writhe| Event::Rolled { who: ANA, truth: 2, light: 5, writhe };
    check(rolled(0), "Ana rolls Truth 2, Light 5.", "roll.first-values");
    check(rolled(1), "Ana rolls Truth 2, Light 5, writhing die 1.", "roll.first-values");
    for (fate, text, why) in [
        (Fate::Good, "Good fortune is played on the roll of Ana.", "fortune.good-use"),
        (Fate::Bad, "Bad fortune is played on the roll of Ana.", "fortune.bad-use"),
    ] {
        check(Event::Played { who: ANA, fate }, text, why);
    }
    let degrees = |kind| Event::Degrees { who: ANA, result, kind, ap: None };
    check(degrees(Kind::Test), "That makes it Glorious Failure 3 for Ana.", "glory.break-now");
    check(degrees(Kind::Save), "That makes it Glorious Failure 3 for Ana.", "ext.npc-glory");
    let gains = |by| Event::Upper { on: ANA, by, upper: Upper::Press };
    check(gains(Some(FOE)), "Foe gains by the failure of Ana: press.", "save.guilty-means");
    check(gains(None), "The danger gains by the failure of Ana: press.", "save.guilty-means");
    let lost = |better| Event::Lost { who: ANA, boon: Boon(8), better, name: None };
    check(lost(true), "Ana loses Knife, and can get it back.", "guilt.lose-fate");
    check(lost(false), "Ana loses Knife.", "guilt.lose-fate");
    let minor = |deed| Event::Minor { who: ANA, deed };
    check(minor(Deed::Go(Zone(1))), "Ana goes to Yard.", "action.minor");
    check(minor(Deed::Give { boon: Boon(8), to: BO }), "Ana hands Knife to Bo.", "action.minor");
}

#[test]
fn a_paragraph_opens_where_something_new_begins() {
    let deal = |attack| Event::Declared {
        who: ANA,
        on: Some(Target::Char(FOE)),
        attack,
        end: Some(End(5)),
        ability: None,
        using: None,
        shake: None,
        what: "a net".parse().ok(),
    };
    for (event, text) in [
        (Event::Round(3), "Round 3."),
        (Event::Scene(4), "Scene 4."),
        (Event::Conflict(Conflict::Pursuit), "A pursuit conflict scene begins."),
        (Event::Floor(BO), "Bo has the floor."),
        (deal(true), "Ana: attack: a net on Foe, to leave them Held."),
        (deal(false), "Ana: major action: a net on Foe, to leave them Held."),
        (Event::Called { who: ANA, on: None }, "Ana must test."),
        (Event::Called { who: ANA, on: Some(Target::Char(FOE)) }, "Ana must test on Foe."),
        (
            Event::Threatened {
                who: CharSet::one(ANA),
                by: Target::Surroundings,
                attack: false,
                shake: None,
            },
            "Ana is in danger from the surroundings.",
        ),
        (
            Event::Threatened { who: CharSet::one(ANA), by: Target::Char(FOE), attack: true, shake: None },
            "Foe attacks Ana.",
        ),
    ] {
        let told = told(event, PLAYER);
        assert_eq!((told.text.as_str(), told.opens), (text, true));
    }
    assert!(!told(Event::GmCall, PLAYER).opens);
}

#[test]
fn a_number_is_told_to_whoever_may_know() {
    let settled = |kind, attribute, from, hidden| {
        let event = Event::Settled { who: ANA, kind, attribute, tn: 8, from, hidden };
        [GM, PLAYER].map(|who| told(event, who).text)
    };
    let test = |from, hidden| settled(Kind::Test, Attribute::Beauty, from, hidden);
    let of_foe = "Ana: beauty test against 8, from the power number of Foe.".to_owned();
    let hidden = "Ana: beauty test against a hidden number.".to_owned();
    assert_eq!(test(Some(FOE), false), [of_foe.clone(), of_foe.clone()]);
    assert_eq!(test(Some(FOE), true), [of_foe, hidden]);
    let hard = "8 (hard without some skill, luck or preparation";
    assert_eq!(
        test(None, false)[1],
        format!("Ana: beauty test against {hard}, like haggling with a merchant).")
    );
    // What is as hard is told of tests alone.
    assert_eq!(
        settled(Kind::Save, Attribute::Honor, None, false)[1],
        format!("Ana: honor save against {hard}).")
    );
}

#[test]
fn answers_are_told_with_what_they_lead_to() {
    let (rules, state) = table();
    let check = |answer: Answer, text: &str, leads: &str| {
        let told = <TruthAndLight as Words>::answer(&rules, &state, Slot(0), &answer, PLAYER);
        assert_eq!((told.text.as_str(), told.leads.as_str()), (text, leads), "{answer:?}");
    };
    check(Answer::NextRound, "the round ends", "");
    check(Answer::Peace, "the conflict scene ends", "");
    check(Answer::Notice(FOE), "Foe notices", "");
    check(Answer::Place { who: ANA, zone: Zone(1) }, "Ana is in Yard now", "");
    check(Answer::Hostile { who: FOE, hostile: true }, "Foe turns hostile", "");
    check(Answer::Hostile { who: FOE, hostile: false }, "Foe is hostile no longer", "");
    check(Answer::Reroll, "roll Light again, by what is used", "Light is rolled again");
    check(Answer::Pass, "let it be", "");
    check(Answer::Conversation, "they talk it out", "no dice");
    check(Answer::Done(BO), "Bo is done", "");
    // The number of somebody whose number is not known stays untold.
    let attack = Answer::Attack(Deal { on: Some(Target::Char(FOE)), ..Deal::by(ANA) });
    check(attack, "Ana: attack on Foe", "");
    let gm = <TruthAndLight as Words>::answer(&rules, &state, Slot(0), &attack, GM);
    assert_eq!(gm.leads, "against 8");
    let shake = Some(Cause::End(End(5)));
    let all = Deal {
        using: Some(Boon(8)),
        shake,
        attribute: Some(Attribute::Wisdom),
        what: "a trick".parse().ok(),
        ..Deal::by(ANA)
    };
    check(
        Answer::Major(all),
        "Ana: major action: a trick, using Knife, to be rid of Held with wisdom",
        "the gamemaster settles what it takes",
    );
}

#[test]
fn harm_is_told_where_what_is_left_is_hidden() {
    let (rules, mut state) = table();
    let rows = |state: &State, who| -> Vec<String> {
        let cards = TruthAndLight::cards(&rules, state, who);
        let card = cards.into_iter().find(|card| card.id == "foe").expect("a card");
        let rows = card.rows.into_iter().map(|row| format!("{}: {}", row.label, row.value));
        rows.chain(card.meters.into_iter().map(|it| format!("{} {}/{}", it.label, it.value, it.most)))
            .collect()
    };
    assert_eq!(rows(&state, PLAYER), ["Body: 2 lost"]);
    assert_eq!(rows(&state, GM), ["Body 3/5", "Mind 8/8"]);
    state.known = CharSet::one(FOE);
    assert_eq!(rows(&state, PLAYER), ["Body 3/5", "Mind 8/8"]);
}
