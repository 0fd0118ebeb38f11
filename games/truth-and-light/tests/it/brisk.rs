//! Choices that any sensible player would make.

use fracas_kernel::{Ask, Game, Open, Seat, Session, Slot};
use fracas_suite::{Driven, table};
use truth_and_light::TruthAndLight;
use truth_and_light::answer::{Answer, Deal, Deed, Prompt};
use truth_and_light::vocab::{Boon, Char, Target};

const ANA: Seat = Seat::Player(0);
const BO: Seat = Seat::Player(1);
const ILEN: Char = Char(0);
const OSK: Char = Char(1);
const HALE: Char = Char(2);
const FAINT: Char = Char(3);

/// Two against two: of one on each side little is left.
fn fight() -> Session<TruthAndLight> {
    table::<TruthAndLight>(
        r#"
        player = [{ name = "ana" }, { name = "bo" }]
        scene = { conflict = "martial" }
        [[character]]
        name = "Ilen"
        player = "ana"
        writhing = "w"
        attributes = { strength = 4, valor = 3 }
        [[character.boon]]
        name = "Oak Shield"
        sort = "shield"
        quality = "oak"
        [[character]]
        name = "Osk"
        player = "bo"
        writhing = "w"
        attributes = { strength = 4, valor = 3 }
        track = [{ name = "Body", size = 6, harm = 5 }]
        [[npc]]
        name = "Hale"
        pn = 8
        [[npc]]
        name = "Faint"
        pn = 8
        track = [{ name = "Body", size = 8, harm = 6 }]
        "#,
    )
}

/// The ask of this seat, and every answer to it that draws most.
fn drawn(table: &Session<TruthAndLight>, seat: Seat) -> Vec<Answer> {
    let (rules, state) = (table.rules(), table.state());
    let Open::Asks(asks) = TruthAndLight::open(rules, state) else { panic!("nothing is asked") };
    let is_of = |ask: &Ask<Prompt>| ask.who.seats().contains(seat);
    let slot = Slot(asks.iter().position(is_of).expect("an ask") as u8);
    let (mut listed, mut appeals) = (Vec::new(), Vec::new());
    TruthAndLight::legal(rules, state, slot, &mut |answer| listed.push(answer));
    TruthAndLight::appeal(rules, state, (slot, seat), &listed, &mut |appeal| appeals.push(appeal));
    let most = appeals.iter().copied().max();
    let best = listed.iter().zip(&appeals).filter(|(_, appeal)| Some(**appeal) == most);
    best.map(|(answer, _)| *answer).collect()
}

#[track_caller]
fn check(table: &Session<TruthAndLight>, seat: Seat, fits: impl Fn(&Answer) -> bool) {
    let drawn = drawn(table, seat);
    assert!(!drawn.is_empty() && drawn.iter().all(fits), "{drawn:?}");
}

/// A table where Osk has attacked Faint, with dice that have fallen so.
fn attacked(faces: &[u8]) -> Session<TruthAndLight> {
    let mut table = fight();
    table.says(BO, r#"{"attack":{"who":"@osk","on":"@faint","end":"@wounded"}}"#);
    table.says(Seat::Gm, r#"{"settle":{}}"#);
    table.throws(faces);
    table
}

#[test]
fn what_is_lost_is_regained_and_those_who_are_nearly_down_are_attacked() {
    let mut table = fight();
    table.overrules(r#"{"boon":{"boon":"@oak-shield","holder":"@ilen","lie":"lost"}}"#);
    let recovers =
        |answer: &Answer| matches!(answer, Answer::Minor { who: ILEN, deed: Deed::Recover(Boon(_)) });
    check(&table, ANA, recovers);
    let on_faint = |answer: &Answer| {
        matches!(answer, Answer::Attack(Deal { on: Some(Target::Char(FAINT)), end: Some(_), .. }))
    };
    check(&table, BO, on_faint);
    table.says(ANA, r#"{"minor":{"who":"@ilen","deed":{"recover":"@oak-shield"}}}"#);
    check(&table, ANA, on_faint);
}

#[test]
fn light_is_spent_for_what_finishes_a_foe_and_no_more() {
    // Four and four and what is spent against eight: two points of Light take the two that are left.
    check(&attacked(&[3, 4]), BO, |answer| matches!(answer, Answer::Spend(2 | 3)));
    // It is done already, and gloriously.
    check(&attacked(&[6, 5]), BO, |answer| *answer == Answer::Spend(0));
}

#[test]
fn a_glorious_failure_that_may_yet_finish_a_foe_is_pushed_on() {
    let mut table = attacked(&[1, 6]);
    table.says(BO, r#"{"spend":0}"#);
    check(&table, BO, |answer| *answer == Answer::PushOn);
}

#[test]
fn the_gamemaster_takes_turns_and_attacks_who_is_nearly_down() {
    let table = fight();
    // Nobody has acted: the players begin.
    check(&table, Seat::Gm, |answer| matches!(answer, Answer::Floor(_)));
    let mut table = attacked(&[1, 1]);
    table.says(BO, r#"{"spend":0}"#);
    table.says(Seat::Gm, r#"{"guilt":{"fault-ability":"@ilen"}}"#);
    check(&table, Seat::Gm, |answer| matches!(answer, Answer::Assault { on: OSK, .. }));
    table.says(Seat::Gm, r#"{"assault":{"by":"@hale","on":"@osk"}}"#);
    let harms = |answer: &Answer| matches!(answer, Answer::Terms { end: Some(_), tn: None, .. });
    check(&table, Seat::Gm, harms);
}

#[test]
fn a_conflict_ends_once_it_is_decided_and_so_does_the_scene() {
    let mut table = fight();
    table.overrules(r#"{"out":{"who":"@hale","out":true}}"#);
    check(&table, Seat::Gm, |answer| !matches!(answer, Answer::Peace | Answer::Close));
    table.overrules(r#"{"out":{"who":"@faint","out":true}}"#);
    check(&table, Seat::Gm, |answer| *answer == Answer::Peace);
    table.says(Seat::Gm, r#""peace""#);
    check(&table, Seat::Gm, |answer| *answer == Answer::Close);
    assert!(!table.state().is_in(HALE));
}
