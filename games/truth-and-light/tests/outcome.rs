//! What odds and simulation count, and what bots weigh.

use fracas_kernel::{Document, Game, Seat, Session, Setup, Slot};
use fracas_suite::Tables;
use truth_and_light::{
    Outcome, TruthAndLight,
    answer::{Answer, Deed},
    fiat::Fiat,
    vocab::{Boon, Char, CharSet, Label, Target, Zone},
};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "truth-and-light" };

type Table = Session<TruthAndLight>;

/// The fight of the setups, after these fiats.
fn after(fiats: &[&str]) -> (Table, Table) {
    let found = TABLES.setups().into_iter().find(|it| it.encounter.name().ends_with("fight.toml"));
    let (rules, state) = TruthAndLight::start(&found.expect("the setup")).expect("no faults");
    let before = Table::new(rules, state);
    let mut now = before.clone();
    for fiat in fiats {
        let fiat = TruthAndLight::names(now.rules()).read(fiat).expect("names");
        let fiat: Fiat = serde_json::from_str(&fiat).expect("a fiat");
        now.fiat(&fiat, &mut Vec::new()).expect("allowed");
    }
    (before, now)
}

fn outcome(now: &Table, before: &Table) -> Outcome {
    TruthAndLight::outcome(now.rules(), now.state(), before.state())
}

/// How much better things stand for the players after these fiats; for the
/// gamemaster it is the same the other way round.
fn gain(fiats: &[&str]) -> i32 {
    let (before, now) = after(fiats);
    let worth = |it: &Table, seat| TruthAndLight::worth(it.rules(), it.state(), seat);
    let gain = worth(&now, Seat::Player(0)) - worth(&before, Seat::Player(0));
    assert_eq!(worth(&before, Seat::Gm) - worth(&now, Seat::Gm), gain);
    gain
}

#[test]
fn harm_and_who_went_out_are_counted() {
    let (before, now) = after(&[
        r#"{"track":{"who":"@ilen","track":"@body","left":4}}"#,
        r#"{"track":{"who":"@osk","track":"@mind","left":0}}"#,
        r#"{"out":{"who":"@bravo","out":true}}"#,
    ]);
    let nothing = Outcome { tests: [0; 6], saves: [0; 3], lost: 0, won: 0, harm: 0 };
    assert_eq!(outcome(&before, &before), nothing);
    assert_eq!(outcome(&now, &before), Outcome { lost: 1, won: 1, harm: 8, ..nothing });
}

/// What answers and faces, given in turn, came to.
fn play(answers: &[(Seat, &str)], faces: &[&[u8]]) -> Outcome {
    let (table, before) = played(answers, faces);
    outcome(&table, &before)
}

/// A table after answers and faces, given in turn, and before.
fn played(answers: &[(Seat, &str)], faces: &[&[u8]]) -> (Table, Table) {
    let text = "[[player]]\nname = \"mo\"\n[[character]]\nname = \"Mara\"\nwrithing = \"w\"\n\
        attributes = { strength = 2, valor = 3 }\n[[npc]]\nname = \"Guard\"\npn = 9\n";
    let setup = Setup::alone(Document::toml("one.toml", text).expect("TOML"));
    let (rules, state) = TruthAndLight::start(&setup).expect("no faults");
    let mut table = Table::new(rules, state);
    let before = table.clone();
    let mut faces = faces.iter();
    for (seat, answer) in answers {
        while table.due().is_some() {
            table.roll(faces.next().expect("faces"), &mut Vec::new()).expect("fits");
        }
        let answer = TruthAndLight::names(table.rules()).read(answer).expect("names");
        let answer: Answer = serde_json::from_str(&answer).expect("an answer");
        let id = table.asks().find(|(_, _, ask)| ask.who.seats().contains(*seat)).expect("asked").0;
        table.answer(*seat, id, answer, &mut Vec::new()).expect("allowed");
    }
    (table, before)
}

const MO: Seat = Seat::Player(0);

#[test]
fn results_are_counted_by_name() {
    let test = [
        (Seat::Gm, r#"{"test":{"who":"@mara"}}"#),
        (Seat::Gm, r#"{"settle":{"attribute":"strength","tn":8}}"#),
    ];
    let save = [
        (Seat::Gm, r#"{"save":{"on":["@mara"],"by":"@guard"}}"#),
        (Seat::Gm, r#"{"terms":{"attribute":"valor"}}"#),
    ];
    let with = |first: &[(Seat, &'static str)], more: &[(Seat, &'static str)]| [first, more].concat();
    let spend = (MO, r#"{"spend":0}"#);
    let tests = |at: usize, answers: Vec<(Seat, &str)>, faces: &[&[u8]]| {
        let found = play(&answers, faces);
        assert_eq!(found.tests.iter().position(|&n| n == 1), Some(at), "{found:?}");
        assert_eq!(found.tests.iter().chain(&found.saves).sum::<u16>(), 1, "{found:?}");
    };
    tests(0, with(&test, &[spend]), &[&[1, 1]]);
    tests(1, with(&test, &[spend]), &[&[1, 3]]);
    tests(1, with(&test, &[spend, (MO, r#""withdraw""#)]), &[&[1, 6]]);
    tests(3, with(&test, &[spend]), &[&[6, 1]]);
    tests(4, with(&test, &[spend]), &[&[6, 4]]);
    tests(5, with(&test, &[spend]), &[&[6, 5]]);
    tests(5, with(&test, &[spend, (MO, r#""push-on""#), spend]), &[&[1, 6], &[6, 1]]);
    let saves = |at: usize, face: [u8; 2]| {
        let found = play(&with(&save, &[spend]), &[&face]);
        assert_eq!(found.saves.iter().position(|&n| n == 1), Some(at), "{found:?}");
    };
    saves(0, [1, 2]);
    saves(1, [1, 6]);
    saves(2, [6, 2]);
}

#[test]
fn what_somebody_has_and_suffers_weighs() {
    assert_eq!(gain(&[]), 0);
    assert_eq!(gain(&[r#"{"track":{"who":"@ilen","track":"@body","left":4}}"#]), -6);
    assert_eq!(gain(&[r#"{"out":{"who":"@ilen","out":true}}"#]), -50);
    assert_eq!(gain(&[r#"{"out":{"who":"@bravo","out":true}}"#]), 50);
    assert_eq!(gain(&[r#"{"boon":{"boon":"@boathook","holder":"@ilen","lie":"gone"}}"#]), -3);
    assert_eq!(gain(&[r#"{"boon":{"boon":"@boathook","holder":"@ilen","lie":"lost"}}"#]), -2);
    assert_eq!(gain(&[r#"{"boon":{"boon":"@cutlass","holder":"@ilen","lie":"in-use"}}"#]), 6);
    assert_eq!(gain(&[r#"{"end":{"on":"@ilen","end":"@shoved-down"}}"#]), -2);
    assert_eq!(gain(&[r#"{"end":{"on":"@bravo","end":"@held"}}"#]), 2);
    assert_eq!(gain(&[r#"{"fortune":{"who":"@osk","fate":"good","now":1}}"#]), 3);
    assert_eq!(gain(&[r#"{"fortune":{"who":"@osk","fate":"bad","now":1}}"#]), -3);
    assert_eq!(gain(&[r#"{"die":{"who":"@osk","held":false}}"#]), -4);
    // A power number may be hidden, and is not weighed.
    assert_eq!(gain(&[r#"{"power":{"who":"@bravo","pn":16}}"#]), 0);
}

#[test]
fn a_fair_gamemaster_holds_back() {
    let (table, _) = after(&[]);
    let of = |answer| TruthAndLight::restraint(table.rules(), table.state(), Slot(0), answer);
    let settle = |label, tn| Answer::Settle { label, reach: None, attribute: None, tn, tags: None };
    let terms = |tn| Answer::Terms { attribute: None, tn, tags: None, end: None };
    let surroundings = Answer::Save { on: CharSet::one(Char(0)), by: Target::Surroundings };
    for (answer, restraint) in [
        (Answer::Peace, 60),
        (Answer::Close, 80),
        (Answer::NextScene, 160),
        (Answer::Floor(Char(0)), 0),
        (Answer::Test { who: Char(0), on: None }, 30),
        (surroundings, 40),
        (Answer::Assault { by: Char(2), on: Char(0) }, 12),
        (Answer::Hostile { who: Char(2), hostile: false }, 25),
        (Answer::Place { who: Char(0), zone: Zone(0) }, 25),
        (Answer::Minor { who: Char(2), deed: Deed::Recover(Boon(9)) }, 1),
        (Answer::Minor { who: Char(2), deed: Deed::Stow(Boon(9)) }, 60),
        (Answer::AGREED, 0),
        (settle(Label::Minor, None), 25),
        (settle(Label::Major, Some(9)), 0),
        (settle(Label::Major, Some(13)), 20),
        (terms(Some(6)), 15),
        (Answer::Refuse, 25),
        (Answer::No, 90),
        (Answer::Yes, 0),
    ] {
        assert_eq!(of(answer), restraint, "{answer:?}");
    }
}

#[test]
fn whoever_is_not_at_the_table_does_nothing() {
    let (table, _) = after(&[]);
    let nobody = Char(table.rules().cast.len() as u8);
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(Seat::Gm)).expect("asked").1;
    for on in [None, Some(Target::Surroundings), Some(Target::Char(Char(0)))] {
        let answer = Answer::Test { who: nobody, on };
        let refused = TruthAndLight::check(table.rules(), table.state(), slot, answer).expect_err("refused");
        assert_eq!(refused.to_string(), "the answer names somebody or something that is not at this table");
    }
}

#[test]
fn a_player_declines_freely() {
    let (table, _) = played(
        &[
            (Seat::Gm, r#"{"test":{"who":"@mara"}}"#),
            (Seat::Gm, r#"{"settle":{"attribute":"strength","tn":8}}"#),
            (MO, r#"{"spend":0}"#),
            (Seat::Gm, r#"{"fortune":"far-apart"}"#),
        ],
        &[&[6, 2]],
    );
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(MO)).expect("asked").1;
    for answer in [Answer::Yes, Answer::No] {
        assert_eq!(TruthAndLight::restraint(table.rules(), table.state(), slot, answer), 0);
    }
}
