//! What odds and simulation count, what bots weigh, and what no JSON can name.

use crate::TABLES;
use fracas_kernel::{Game, Seat, Session, Slot};
use fracas_suite::{Driven, opened};
use judge_two::answer::{Answer, Blow, Deed};
use judge_two::vocab::{Ability, Attribute, Char, CharSet, Disposition, Essence, Item, Prize, Threat};
use judge_two::{JudgeTwo, Outcome};

type Table = Session<JudgeTwo>;

/// A fight before and after these fiats.
#[track_caller]
fn after(fiats: &[&str]) -> (Table, Table) {
    let before = opened::<JudgeTwo>(&TABLES.setup("salt-gate.toml"));
    let mut now = before.clone();
    fiats.iter().for_each(|fiat| drop(now.overrules(fiat)));
    (before, now)
}

fn check(fiats: &[&str], expected: Outcome) {
    let (before, now) = after(fiats);
    assert_eq!(JudgeTwo::outcome(now.rules(), now.state(), before.state()), expected);
}

/// How much better things stand for the players after these fiats; for the
/// gamemaster it is the same the other way round.
fn gain(fiats: &[&str]) -> i32 {
    let (before, now) = after(fiats);
    let worth = |it: &Table, seat| JudgeTwo::worth(it.rules(), it.state(), seat);
    let gain = worth(&now, Seat::Player(0)) - worth(&before, Seat::Player(0));
    assert_eq!(worth(&before, Seat::Gm) - worth(&now, Seat::Gm), gain);
    gain
}

const NOTHING: Outcome = Outcome { lost: 0, dead: 0, won: 0, marks: 0, risk: 0, rounds: 0 };

#[test]
fn outcomes_are_counted() {
    check(&[], NOTHING);
    check(
        &[
            r#"{"fate":{"who":"@tamsin","fate":"dead"}}"#,
            r#"{"fate":{"who":"@oren","fate":{"finished":"flee"}}}"#,
            r#"{"fate":{"who":"@levy-adan","fate":"dead"}}"#,
            r#"{"mark":{"who":"@ilka","mark":"crush","on":true}}"#,
            r#"{"mark":{"who":"@ilka","mark":"pierce","on":true}}"#,
            r#"{"mark":{"who":"@gatewarden","mark":"pierce","on":true}}"#,
            r#"{"risk":{"who":"@ilka","risk":5}}"#,
            r#"{"risk":{"who":"@oren","risk":3}}"#,
            r#"{"risk":{"who":"@gatewarden","risk":9}}"#,
        ],
        Outcome { lost: 2, dead: 1, won: 1, marks: 2, risk: 8, rounds: 0 },
    );
}

#[test]
fn harm_weighs_on_whoever_suffers_it() {
    assert_eq!(gain(&[]), 0);
    assert_eq!(gain(&[r#"{"risk":{"who":"@ilka","risk":5}}"#]), -20);
    assert_eq!(gain(&[r#"{"mark":{"who":"@ilka","mark":"crush","on":true}}"#]), -9);
    assert_eq!(gain(&[r#"{"weaken":{"who":"@ilka","on":true}}"#]), -3);
    assert_eq!(gain(&[r#"{"weaken":{"who":"@levy-adan","on":true}}"#]), 3);
    let bind = |who| format!(r#"{{"bind":{{"who":"@{who}","with":"@levy-adan"}}}}"#);
    assert_eq!(gain(&[&bind("ilka")]), 0);
    assert_eq!(gain(&[&bind("ilka"), &bind("oren")]), -3);
    assert_eq!(gain(&[r#"{"misdirect":{"who":"@levy-adan","by":"@oren","on":true}}"#]), 3);
    assert_eq!(gain(&[r#"{"fate":{"who":"@ilka","fate":{"finished":"flee"}}}"#]), -60);
    assert_eq!(gain(&[r#"{"fate":{"who":"@ilka","fate":"dead"}}"#]), -90);
    assert_eq!(gain(&[r#"{"item":{"item":"@hookblade","holder":"@tamsin","lie":"carried"}}"#]), -2);
    // Risk on a nemesis counts for nothing before its omen is met.
    assert_eq!(gain(&[r#"{"risk":{"who":"@gatewarden","risk":9}}"#]), 0);
    assert_eq!(
        gain(&[
            r#"{"risk":{"who":"@gatewarden","risk":9}}"#,
            r#"{"misdirect":{"who":"@gatewarden","by":"@oren","on":true}}"#,
        ]),
        39
    );
}

/// An assault, with a weapon or with what there is.
fn assault(on: CharSet, veiled: bool, with: Option<Item>) -> Answer {
    Answer::Assault { on, veiled, fallback: false, form: None, with, manner: None, moves: None }
}

#[test]
fn a_fair_gamemaster_holds_back() {
    let (mut table, _) = after(&[]);
    let of = |table: &Table, answer| JudgeTwo::restraint(table.rules(), table.state(), Slot(0), answer);
    let settle = |favor| Answer::Settle {
        cl: None,
        attribute: None,
        bold: false,
        faint: false,
        quick: false,
        long: false,
        favor,
        difficult: false,
    };
    let assault = |veiled| assault(CharSet::one(Char(0)), veiled, None);
    let terms = |essence, cl, favor| Answer::Terms {
        essence,
        cl: Some(cl),
        form: None,
        bold: false,
        faint: false,
        quick: false,
        long: false,
        favor,
        difficult: false,
        fear: false,
    };
    let both = CharSet::one(Char(0)).with(Char(1));
    for (answer, restraint) in [
        (settle(1), 30),
        (settle(0), 0),
        (settle(-1), 0),
        (assault(true), 15),
        (assault(false), 0),
        (Answer::AsTest, 30),
        (Answer::AsLongTest, 30),
        (Answer::Refuse, 10),
        (Answer::Dispose { who: Char(2), to: Disposition::Hostile }, 20),
        (Answer::Danger(CharSet::one(Char(0))), 18),
        (Answer::Danger(both), 26),
        (Answer::Pass, 0),
    ] {
        assert_eq!(of(&table, answer), restraint, "{answer:?}");
    }
    table.says(Seat::Gm, r#"{"danger":["@tamsin","@oren"]}"#);
    assert_eq!(of(&table, terms(Essence::Strength, 4, 0)), 0);
    assert_eq!(of(&table, terms(Essence::Strength, 6, 0)), 10);
    assert_eq!(of(&table, terms(Essence::Strength, 6, 1)), 40);
    assert_eq!(of(&table, terms(Essence::Strength, 6, -1)), 10);
    assert_eq!(of(&table, terms(Essence::Faith, 4, 0)), 20);
}

#[test]
fn a_fair_gamemaster_has_no_prisoner_fight_on() {
    let foes = ["gatewarden", "levy-adan", "levy-bero", "levy-cato", "archer-of-the-wall"];
    let beaten =
        foes.map(|foe| format!(r#"{{"fate":{{"who":"@{foe}","fate":{{"finished":"surrender"}}}}}}"#));
    let (_, table) = after(&beaten.each_ref().map(String::as_str));
    assert_eq!(table.state().form, None);
    let again = Answer::Conflict(judge_two::vocab::Form::Martial);
    assert_eq!(JudgeTwo::restraint(table.rules(), table.state(), Slot(0), again), 300);
}

#[test]
fn nobody_and_nothing_from_elsewhere_is_named() {
    let (mut table, _) = after(&[]);
    table.says(Seat::Player(0), r#"{"begin":"@tamsin"}"#);
    let (who, other) = (Char(23), CharSet::one(Char(3)).with(Char(23)));
    let (item, ability) = (Item(127), Some(Ability(63)));
    let thing = |item| Some(Prize::Thing(item));
    let blow = |item| Blow { threat: Threat::Disarm, item: thing(item), dislodge: false };
    let threats = |first, second| Answer::Threats { first, second, tier: None, release: false };
    let attack = |on, ability, with| Answer::Attack {
        on,
        attribute: Attribute::Arm,
        veiled: false,
        fallback: false,
        form: None,
        ability,
        with,
        manner: None,
        moves: None,
    };
    let test = |against, ability, toward| Answer::Test {
        attribute: Attribute::Arm,
        against,
        ability,
        toward,
        social: false,
        text: None,
    };
    let spread = |item, also| Answer::Spread {
        threat: Threat::Disarm,
        item: thing(item),
        dislodge: false,
        also,
        release: false,
    };
    let aim = |on, against| Answer::Aim { on, against, veiled: false, social: false };
    for answer in [
        Answer::Begin(who),
        Answer::Guard(who),
        Answer::Next(who),
        Answer::Grant(who),
        Answer::Call { who, attribute: Attribute::Arm, social: false },
        Answer::Dispose { who, to: Disposition::Friendly },
        Answer::Draw { script: item, down: None },
        Answer::Draw { script: Item(0), down: Some(item) },
        Answer::Deed(Deed::Discard(item)),
        Answer::Deed(Deed::Mount(item)),
        Answer::Deed(Deed::Switch(item, Item(0))),
        Answer::Deed(Deed::Switch(Item(0), item)),
        Answer::Deed(Deed::Request(who)),
        Answer::Deed(Deed::Ready(item)),
        Answer::Deed(Deed::Take(item)),
        Answer::Deed(Deed::ReadyBoth(Item(0), item)),
        Answer::Deed(Deed::ReadyBoth(item, Item(0))),
        test(Some(who), None, None),
        test(None, ability, None),
        test(None, None, Some(who)),
        attack(who, None, None),
        attack(Char(3), ability, None),
        attack(Char(3), None, Some(item)),
        Answer::Group(other),
        Answer::Danger(other),
        aim(Some(who), None),
        aim(None, Some(who)),
        Answer::Threat {
            threat: Threat::Disarm,
            item: thing(item),
            dislodge: false,
            tier: None,
            release: false,
        },
        threats(blow(item), blow(Item(0))),
        threats(blow(Item(0)), blow(item)),
        spread(item, CharSet::NONE),
        spread(Item(0), other),
        assault(other, false, None),
        assault(CharSet::one(Char(0)), false, Some(item)),
        Answer::Essence { essence: Essence::Heart, ability },
    ] {
        let refused = JudgeTwo::check(table.rules(), table.state(), Slot(0), answer).expect_err("not here");
        assert_eq!(refused.reasons[0].clause, None, "{answer:?}: {refused}");
    }
}
