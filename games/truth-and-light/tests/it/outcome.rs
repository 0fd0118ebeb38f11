//! What odds and simulation count, and what bots weigh.

use crate::TABLES;
use fracas_kernel::{Document, Game, Seat, Session, Setup, Slot, Viewer};
use fracas_suite::{Driven, opened, table};
use std::collections::BTreeSet;
use truth_and_light::answer::{Answer, Deal, Deed};
use truth_and_light::rules::{Numbers, Rules};
use truth_and_light::state::{Call, Fortunes, Live, State};
use truth_and_light::{Outcome, TruthAndLight, effect::Verb, vocab::*};

type Table = Session<TruthAndLight>;

/// The fight of the setups, before and after these fiats.
#[track_caller]
fn after(fiats: &[&str]) -> (Table, Table) {
    let before = opened::<TruthAndLight>(&TABLES.setup("fight.toml"));
    let mut now = before.clone();
    fiats.iter().for_each(|fiat| drop(now.overrules(fiat)));
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

/// A table after these steps, and before.
#[track_caller]
fn played(steps: &[&str]) -> (Table, Table) {
    let text = "[[player]]\nname = \"mo\"\n[[character]]\nname = \"Mara\"\nwrithing = \"w\"\n\
        attributes = { strength = 2, valor = 3 }\n[[npc]]\nname = \"Guard\"\npn = 9\n";
    let mut table = table::<TruthAndLight>(text);
    let before = table.clone();
    table.plays(&steps.join("\n"));
    (table, before)
}

const MO: Seat = Seat::Player(0);
const TEST: &str = r#"gm: {"test":{"who":"@mara"}}"#;
const AGAINST_8: &str = r#"gm: {"settle":{"attribute":"strength","tn":8}}"#;
const SPEND: &str = r#"mo: {"spend":0}"#;

#[test]
fn results_are_counted_by_name() {
    let save = [r#"gm: {"save":{"on":["@mara"],"by":"@guard"}}"#, r#"gm: {"terms":{"attribute":"valor"}}"#];
    let counted = |first: [&'static str; 2], then: &[&'static str]| {
        let (table, before) = played(&[&first, then].concat());
        let Outcome { tests, saves, .. } = outcome(&table, &before);
        let all: Vec<u16> = tests.into_iter().chain(saves).collect();
        assert_eq!(all.iter().sum::<u16>(), 1, "{all:?}");
        all.iter().position(|&n| n == 1)
    };
    for (at, then) in [
        (0, &["dice: 1 1", SPEND][..]),
        (1, &["dice: 1 3", SPEND]),
        (1, &["dice: 1 6", SPEND, r#"mo: "withdraw""#]),
        (3, &["dice: 6 1", SPEND]),
        (4, &["dice: 6 4", SPEND]),
        (5, &["dice: 6 5", SPEND]),
        (5, &["dice: 1 6", SPEND, r#"mo: "push-on""#, "dice: 6 1", SPEND]),
    ] {
        assert_eq!(counted([TEST, AGAINST_8], then), Some(at), "{then:?}");
    }
    for (at, dice) in [(6, "dice: 1 2"), (7, "dice: 1 6"), (8, "dice: 6 2")] {
        assert_eq!(counted(save, &[dice, SPEND]), Some(at), "{dice}");
    }
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
    let surroundings = Answer::Save { on: CharSet::one(Char(0)), by: Target::Surroundings, shake: None };
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
        (Answer::Refuse, 90),
        (Answer::No, 90),
        (Answer::Yes, 0),
    ] {
        assert_eq!(of(answer), restraint, "{answer:?}");
    }
}

/// The state of a table with something changed in it.
fn with(table: &Table, change: impl Fn(&mut State)) -> State {
    let mut state = table.state().clone();
    change(&mut state);
    state
}

/// What holds back the seat that is asked at `slot`.
#[track_caller]
fn held_back(table: &Table, state: &State, slot: u8, cases: &[(Answer, i32)]) {
    for &(answer, restraint) in cases {
        let found = TruthAndLight::restraint(table.rules(), state, Slot(slot), answer);
        assert_eq!(found, restraint, "{answer:?}");
    }
}

const ILEN: Char = Char(0);
const OSK: Char = Char(1);
const CAPTAIN: Char = Char(2);
const BRAVO: Char = Char(3);

fn save(on: &[Char], by: Target) -> Answer {
    Answer::Save { on: on.iter().copied().collect(), by, shake: None }
}

#[test]
fn a_scene_without_a_fight_wears_on() {
    let (table, _) = after(&[]);
    let talk =
        |beats| with(&table, |state| (state.conflict, state.call, state.beats) = (None, Call::Open, beats));
    let acted = |mut state: State| {
        state.acted = CharSet::one(ILEN).with(BRAVO);
        state
    };
    held_back(
        &table,
        &acted(talk(4)),
        0,
        &[
            (Answer::Peace, 48),
            (Answer::Close, 50),
            (Answer::NextScene, 55),
            (Answer::NextRound, 10),
            (Answer::Test { who: ILEN, on: None }, 42),
            (save(&[ILEN], Target::Surroundings), 52),
            (save(&[ILEN, OSK], Target::Surroundings), 52),
            (save(&[ILEN], Target::Char(BRAVO)), 35),
            (save(&[ILEN, OSK], Target::Char(BRAVO)), 43),
            (Answer::Floor(OSK), 12),
            (Answer::Floor(ILEN), 18),
            (Answer::Conflict(Conflict::Social), 16),
            (Answer::Notice(BRAVO), 25),
            (Answer::Major(Deal::by(ILEN)), 0),
        ],
    );
    // No more after so many beats: with foes about twelve end it, twenty-five are as long as any.
    let long: &[(Answer, i32)] = &[(Answer::Close, 0), (Answer::NextScene, 5), (Answer::Peace, -15)];
    held_back(&table, &talk(25), 0, long);
    held_back(&table, &talk(90), 0, long);
    held_back(&table, &talk(8), 0, &[(Answer::Close, 30), (Answer::Peace, 36), (Answer::Floor(OSK), 24)]);
}

#[test]
fn in_a_fight_whoever_acted_less_is_due() {
    let (table, _) = after(&[]);
    let fight = |acted: &[Char], call| {
        with(&table, |state| {
            (state.acted, state.call, state.beats) = (acted.iter().copied().collect(), call, 4);
        })
    };
    let blow = |by| Answer::Assault { by, on: ILEN };
    let open = Call::Players(None);
    // Theirs are due.
    held_back(
        &table,
        &fight(&[ILEN], open),
        0,
        &[
            (Answer::Floor(OSK), 12),
            (Answer::Floor(ILEN), 18),
            (blow(BRAVO), 0),
            (Answer::Peace, 48),
            (Answer::Close, 68),
            (Answer::NextScene, 148),
            (Answer::Test { who: ILEN, on: None }, 30),
            (save(&[ILEN], Target::Surroundings), 40),
            (save(&[ILEN], Target::Char(BRAVO)), 23),
        ],
    );
    // Nobody is, or the players are.
    for acted in [&[][..], &[ILEN, BRAVO], &[BRAVO]] {
        let state = fight(acted, open);
        held_back(&table, &state, 0, &[(Answer::Floor(OSK), 0), (blow(CAPTAIN), 12)]);
    }
    held_back(&table, &fight(&[ILEN, BRAVO], open), 0, &[(blow(BRAVO), 30), (Answer::Floor(ILEN), 6)]);
    // With the floor the gamemaster's side may as well strike.
    held_back(&table, &fight(&[], Call::Gm), 0, &[(blow(CAPTAIN), 0)]);
    // Once one side is out there is nothing to fight for.
    let decided = with(&table, |state| {
        state.beats = 4;
        state.cast[2..].iter_mut().for_each(|being| being.out = true);
    });
    held_back(&table, &decided, 0, &[(Answer::Peace, 0), (Answer::Close, 20), (Answer::NextScene, 25)]);
}

#[test]
fn players_fight_in_a_fight_and_fiddle_little() {
    let (table, _) = after(&[]);
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(MO)).expect("asked").1.0;
    let deal = Deal::by(ILEN);
    let shake = Some(Cause::End(End(0)));
    held_back(
        &table,
        table.state(),
        slot,
        &[
            (Answer::Major(deal), 14),
            (Answer::Major(Deal { ability: Some(Ability(0)), ..deal }), 0),
            (Answer::Major(Deal { using: Some(Boon(8)), ..deal }), 0),
            (Answer::Major(Deal { shake, ..deal }), 0),
            (Answer::Attack(deal), 0),
            (Answer::Minor { who: ILEN, deed: Deed::Shake(Cause::End(End(0))) }, 1),
            (Answer::Minor { who: ILEN, deed: Deed::Stow(Boon(8)) }, 12),
            (Answer::Done(ILEN), 4),
            (Answer::Fortune(Ground::FarApart), 6),
            (Answer::No, 0),
            (Answer::Conversation, 25),
        ],
    );
    let settle =
        |attribute, tn| Answer::Settle { label: Label::Major, reach: None, attribute, tn, tags: None };
    let terms = |attribute| Answer::Terms { attribute, tn: None, tags: None, end: None };
    let (beauty, honor) = (Some(Attribute::Beauty), Some(Attribute::Honor));
    let numbers =
        [(settle(beauty, None), 25), (settle(beauty, Some(6)), 40), (terms(honor), 25), (terms(None), 0)];
    held_back(&table, table.state(), 0, &numbers);
}

#[test]
fn what_is_over_or_done_with_weighs() {
    let (table, _) = after(&[]);
    let gain = |change: &dyn Fn(&mut State)| {
        let worth = |state: &State| TruthAndLight::worth(table.rules(), state, MO);
        worth(&with(&table, change)) - worth(table.state())
    };
    assert_eq!(gain(&|state| state.over = true), 3);
    assert_eq!(gain(&|state| (state.conflict, state.beats) = (None, 2)), 0);
    assert_eq!(gain(&|state| (state.conflict, state.beats) = (None, 3)), 1);
    assert_eq!(gain(&|state| state.beats = 9), 0);
    // As good for the gamemaster.
    let worth = |state: &State| TruthAndLight::worth(table.rules(), state, Seat::Gm);
    assert_eq!(worth(&with(&table, |state| state.over = true)) - worth(table.state()), 3);
    // Results, from a guilty failure to a glorious success, and of saves.
    for (at, value) in [-10, -4, -4, 6, 10, 12].into_iter().enumerate() {
        assert_eq!(gain(&|state| state.tally.tests[at] += 2), 2 * value, "test {at}");
    }
    for (at, value) in [-8, -4, 0].into_iter().enumerate() {
        assert_eq!(gain(&|state| state.tally.saves[at] += 2), 2 * value, "save {at}");
    }
    let fortunes = |now, next| Fortunes { now, next };
    assert_eq!(gain(&|state| state.cast[1].good = fortunes(2, 3)), 15);
    assert_eq!(gain(&|state| state.cast[1].bad = fortunes(2, 3)), -15);
}

#[test]
fn what_lasts_weighs_as_often_as_it_counts() {
    let (_, table) = after(&[r#"{"end":{"on":"@ilen","end":"@shoved-down"}}"#]);
    let gain = |change: &dyn Fn(&mut Live)| {
        let worth = |state: &State| TruthAndLight::worth(table.rules(), state, MO);
        worth(&with(&table, |state| change(&mut state.live[0]))) - worth(table.state())
    };
    assert_eq!(gain(&|live| live.times = 3), -4);
    assert_eq!(gain(&|live| live.on = BRAVO), 4);
    assert_eq!(gain(&|live| live.effect.verb = Verb::Pn(1)), 3);
    assert_eq!(gain(&|live| (live.effect.verb, live.times) = (Verb::Ap(1), 2)), 4);
    for verb in [Verb::BanAbilities, Verb::Attention, Verb::Apart, Verb::Hold] {
        assert_eq!(gain(&|live| (live.effect.verb, live.times) = (verb, 5)), 0);
    }
    assert_eq!(gain(&|live| live.effect.verb = Verb::RecoverBoon), 2);
}

#[test]
fn what_is_hidden_can_be_anything_that_it_might_be() {
    let found = TABLES.setup("hidden.toml");
    let (mut rules, state) = TruthAndLight::start(&found).expect("no faults");
    let npcs: Vec<Char> = rules.everybody().filter(|&who| rules.seat(who) == Seat::Gm).collect();
    let player = Viewer::Seat(MO);
    let mut seen = vec![[false; 17]; npcs.len()];
    let seeds = (0..200).chain([u64::MAX, u64::MAX - 1, 1 << 63]);
    for seed in seeds.clone() {
        let (mut rules, mut other) = (rules.clone(), state.clone());
        TruthAndLight::scramble(&mut rules, &mut other, player, seed);
        for (seen, &npc) in seen.iter_mut().zip(&npcs) {
            seen[usize::try_from(other.being(npc).pn).expect("a number")] = true;
        }
    }
    let any = std::array::from_fn(|pn| (6..=16).contains(&pn));
    assert!(seen.iter().all(|seen| *seen == any), "{seen:?}");

    // What is known, to whoever knows it, is not touched.
    let mut known = state.clone();
    known.known = npcs.iter().copied().collect();
    let same = |rules: &Rules, from: &State, who| {
        for seed in seeds.clone() {
            let (mut rules, mut other) = (rules.clone(), from.clone());
            TruthAndLight::scramble(&mut rules, &mut other, who, seed);
            assert_eq!(other, *from, "{who} {seed}");
        }
    };
    same(&rules, &known, player);
    same(&rules, &known, Viewer::Spectator);
    same(&rules, &state, Viewer::Seat(Seat::Gm));
    rules.options.numbers = Numbers::Announced;
    same(&rules, &state, player);
}

#[test]
fn a_hidden_track_may_be_longer_or_shorter() {
    let quay = r#"
        options = { tn-hidden = "hidden-until-spent" }
        player = [{ name = "Mo" }]
        [[character]]
        name = "Ress"
        player = "Mo"
        writhing = "will not run"
        [[npc]]
        name = "Bel"
        pn = 9
    "#;
    let quay = Setup::alone(Document::toml("quay", quay).expect("TOML"));
    let (rules, state) = TruthAndLight::start(&quay).expect("no faults");
    let bel = rules.everybody().find(|&who| rules.seat(who) == Seat::Gm).expect("Bel");
    let (size, left) = (rules.sheet(bel).tracks, state.being(bel).tracks);
    let (at, _) = left.iter().enumerate().find(|(_, left)| **left > 0).expect("a track");
    let found = (0..200).map(|seed| {
        let (mut rules, mut other) = (rules.clone(), state.clone());
        TruthAndLight::scramble(&mut rules, &mut other, Viewer::Seat(MO), seed);
        let left_now = other.being(bel).tracks[at];
        assert_eq!(rules.sheet(bel).tracks[at] - left_now, size[at] - left[at], "the harm taken shows");
        left_now
    });
    assert!(found.collect::<BTreeSet<_>>().len() > 3);
}

#[test]
fn a_hidden_number_can_be_anything_until_it_is_told() {
    let (table, _) = played(&[TEST, AGAINST_8, "dice: 1 6", SPEND]);
    let mut rules = table.rules().clone();
    rules.options.numbers = Numbers::Hidden;
    let number = |told, seed| {
        let mut rules = rules.clone();
        let mut state = with(&table, |state| state.action.as_mut().expect("an action").told = told);
        TruthAndLight::scramble(&mut rules, &mut state, Viewer::Seat(MO), seed);
        *state.action.expect("an action").tn.reveal()
    };
    let mut found: Vec<i8> = (0..11).map(|seed| number(false, seed)).collect();
    found.sort_unstable();
    assert_eq!(found, (6..=16).collect::<Vec<i8>>());
    assert!((6..=16).contains(&number(false, u64::MAX)));
    assert!((0..11).all(|seed| number(true, seed) == 8));
}

#[test]
fn whoever_was_out_before_is_not_lost_again() {
    let out = r#"{"out":{"who":"@bravo","out":true}}"#;
    let (before, now) = after(&[out, r#"{"out":{"who":"@ilen","out":true}}"#]);
    let (_, then) = after(&[out]);
    assert_eq!((outcome(&now, &before).lost, outcome(&now, &before).won), (1, 1));
    assert_eq!((outcome(&now, &then).lost, outcome(&now, &then).won), (1, 0));
    assert_eq!((outcome(&then, &now).lost, outcome(&then, &now).won), (0, 0));
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
    let (table, _) = played(&[TEST, AGAINST_8, "dice: 6 2", SPEND, r#"gm: {"fortune":"far-apart"}"#]);
    let slot = table.asks().find(|(_, _, ask)| ask.who.seats().contains(MO)).expect("asked").1;
    for answer in [Answer::Yes, Answer::No] {
        assert_eq!(TruthAndLight::restraint(table.rules(), table.state(), slot, answer), 0);
    }
}
