//! What a way to judge the dice says it leads to, against what comes of it.

use crate::TABLES;
use fracas_kernel::{At, Game, Open, Seat, Session, Viewer};
use fracas_sim::Chance;
use fracas_suite::{Choice, begun, choices};
use judge_two::answer::{Answer, Prompt};
use judge_two::promise::{Attack, Promise, kept, promise};
use judge_two::state::{Frame, State};
use judge_two::vocab::{Char, CharSet, Kind};
use judge_two::{JudgeTwo, event::Event, rules::Rules};

type Table = Session<JudgeTwo>;

/// Everything that changes what a hit imposes: omens that an attack ends, no weapon, a
/// pierced friend, a shield, a ward, brutes, and a keeper whose ability nobody knows.
const CROWD: &str = r#"
player = [{ name = "ana" }, { name = "bo" }, { name = "cy" }]
scene = { conflict = "martial" }
foe = [
    { name = "Warden", kind = "nemesis", pl = 5, omen = { threat = "misdirect" },
      boon = [{ name = "Spear", category = "power", hands = 1, readied = true }] },
    { name = "Tyrant", kind = "nemesis", pl = 4, omen = { threat = "entangle" } },
    { name = "Keeper", kind = "foe", pl = 4, ability = [
        { name = "Rooted", forbids = ["entangle", "weaken", "misdirect", "crush", "pierce"] },
        { name = "Claws", armed = true },
    ] },
    { name = "Guard", kind = "foe", pl = 5, boon = [
        { name = "Ward", category = "keen", passive = true, disarmable = false, blocks = ["misdirect", "weaken", "entangle"] },
        { name = "Mace", category = "power", hands = 1, readied = true },
    ] },
    { name = "Adan", kind = "brute", pl = 4 },
    { name = "Bero", kind = "brute", pl = 4 },
]
character = [
    { name = "Ana", player = "ana", attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 }, boon = [
        { name = "Blade", category = "power", hands = 1, readied = true },
        { name = "Shield", category = "keen", shield = true, hands = 1, blocks = ["entangle", "weaken"], readied = true },
    ] },
    { name = "Bo", player = "bo", attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 } },
    { name = "Cy", player = "cy", marks = ["pierce"], attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 },
      boon = [{ name = "Axe", category = "power", hands = 1, readied = true }] },
]
"#;

/// Whether a promise to players is kept, as far as it does not hang on abilities that
/// they do not know.
fn is_kept(rules: &Rules, state: &State, promised: Promise, came: Option<Attack>) -> bool {
    let gifted = |who: &Char| !rules.is_pc(*who) && rules.abilities_of(state, *who).next().is_some();
    let involved = match state.stack.last() {
        Some(Frame::Test(test)) => [test.on, test.guard].iter().flatten().any(gifted),
        Some(Frame::Save(save)) => save.danger.by.iter().any(gifted),
        _ => false,
    };
    match (promised.attack, came) {
        (Some(Attack::Hit { degree, effect }), Some(Attack::Hit { degree: now, effect: came }))
            if involved =>
        {
            degree == now && effect.risk == came.risk && effect.finisher == came.finisher
        }
        // Nobody knows what a foe is armed with by nature until it counters.
        (Some(Attack::Thwarted { counter: false }), Some(Attack::Thwarted { .. })) if involved => true,
        (promised, came) => promised == came,
    }
}

/// Compares what every way to judge promises with what comes of it. Gives how many
/// attacks were compared.
fn compare(table: &Table) -> usize {
    let mut compared = 0;
    let (rules, state) = (table.rules(), table.state());
    let judging = |choice: &Choice<JudgeTwo>| matches!(choice.prompt, Prompt::Judge(_) | Prompt::Light(_));
    for way in choices(table).into_iter().filter(judging) {
        let (answer, at) = (way.answer, At { rules, state });
        let told = |seat| promise(at, way.slot, &answer, Viewer::Seat(seat)).expect("of dice");
        let (gm, player) = (told(Seat::Gm), told(way.seat()));
        let mut next = table.clone();
        let events = way.give(&mut next);
        if let Prompt::Light(member) = way.prompt {
            for event in &events {
                if let Event::GroupJudged { who, degrees, .. } = *event {
                    let at = who.iter().position(|other| other == member).expect("a member");
                    assert_eq!(gm.degree, degrees.iter().nth(at), "{answer:?}");
                }
            }
            continue;
        }
        let came = kept(rules, state, next.state(), &events);
        assert_eq!(Some(gm), came, "{answer:?} of {:#?}", state.stack.last());
        let came = came.and_then(|came| came.attack);
        if player.degree.is_some() {
            assert!(is_kept(rules, state, player, came), "{player:?}, but {came:?}");
        }
        compared += usize::from(came.is_some());
    }
    compared
}

/// Puts the table into a state that play comes to but seldom.
fn stir(rules: &Rules, state: &mut State, chance: &mut Chance) {
    let all: Vec<Char> = rules.everybody().collect();
    let pick = |chance: &mut Chance, pcs: bool| {
        let side: Vec<Char> = all.iter().copied().filter(|&who| rules.is_pc(who) == pcs).collect();
        side[chance.place(side.len())]
    };
    for _ in 0..4 {
        let (pc, other) = (pick(chance, true), pick(chance, false));
        if rules.sheet(other).kind != Kind::Brute {
            state.cast[usize::from(other.0)].risk = chance.place(8) as u8;
        }
        state.cast[usize::from(pc.0)].risk = chance.place(13) as u8;
        let (on, by) = if chance.place(2) == 0 { (pc, other) } else { (other, pc) };
        let being = &mut state.cast[usize::from(on.0)];
        being.misdirected_by = being.misdirected_by.with(by);
    }
    let (pc, other) = (pick(chance, true), pick(chance, false));
    if chance.place(3) == 0 {
        state.cast[usize::from(pc.0)].bind = 1;
        state.cast[usize::from(other.0)].bind = 1;
    }
    // Falling back takes that everybody has misdirected somebody.
    if chance.place(2) == 0 {
        let theirs =
            all.iter().filter(|&&who| !rules.is_pc(who)).fold(CharSet::NONE, |set, &who| set.with(who));
        state.cast[usize::from(pc.0)].misdirected_by = theirs;
    }
}

/// Plays at random, comparing at every judging. Gives how many attacks were compared.
fn play(rules: Rules, state: State, chance: &mut Chance, answers: usize) -> usize {
    let (mut table, mut compared) = (Table::new(rules, state), 0);
    for _ in 0..answers {
        match table.open() {
            Open::Over => break,
            Open::Roll(roll) => {
                let faces = chance.throw(&roll.dice);
                table.roll(&faces, &mut Vec::new()).expect("they can fall");
            }
            Open::Asks(_) => {
                compared += compare(&table);
                let mut all = choices(&table);
                // Most of what is declared is to be an attack.
                let turn =
                    |choice: &Choice<JudgeTwo>| matches!(choice.prompt, Prompt::Turn(_) | Prompt::NextTurn);
                if let Some(turn) = all.iter().find(|choice| turn(choice)).map(|choice| choice.id) {
                    all.retain(|choice| choice.id == turn);
                }
                let is_attack = |answer| {
                    matches!(answer, Answer::Attack { .. } | Answer::Grant(_) | Answer::Assault { .. })
                };
                let attacks: Vec<_> = all.iter().copied().filter(|choice| is_attack(choice.answer)).collect();
                let from = if attacks.is_empty() || chance.place(4) == 0 { &all } else { &attacks };
                from[chance.place(from.len())].give(&mut table);
            }
        }
    }
    compared
}

#[test]
fn what_judging_promises_comes() {
    let mut compared = 0;
    for (seed, setup) in (1..).zip(TABLES.setups()) {
        let (rules, state) = JudgeTwo::start(&setup).expect("no faults");
        compared += play(rules, state, &mut Chance::new(seed, 0), 600);
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn what_judging_promises_comes_in_every_plight() {
    let mut compared = 0;
    for seed in 0..300 {
        let mut chance = Chance::new(seed, 1);
        let (rules, mut state) = begun::<JudgeTwo>(CROWD);
        stir(&rules, &mut state, &mut chance);
        compared += play(rules, state, &mut chance, 60);
    }
    assert!(compared > 1000, "{compared}");
}
