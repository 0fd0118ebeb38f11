//! What a way to judge the dice says it leads to, against what comes of it.

use fracas_kernel::{AskId, At, Game, Open, Seat, Session, Slot, Viewer, Who};
use fracas_sim::Chance;
use fracas_suite::{Tables, begun};
use judge_two::{
    JudgeTwo,
    answer::{Answer, Prompt},
    event::Event,
    promise::{Attack, Promise, kept, promise},
    rules::Rules,
    state::{Frame, State},
    vocab::{Char, CharSet, Kind},
};

/// The tables these tests play from.
const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

type Table = Session<JudgeTwo>;

/// Everything that changes what a hit imposes: omens that an attack ends, no weapon, a
/// pierced friend, a shield, a ward, brutes, and a keeper whose ability nobody knows.
const CROWD: &str = r#"
player = [{ name = "ana" }, { name = "bo" }, { name = "cy" }]
[[character]]
name = "Ana"
player = "ana"
attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 }
boon = [
    { name = "Blade", category = "power", hands = 1, readied = true },
    { name = "Shield", category = "keen", shield = true, hands = 1, blocks = ["entangle", "weaken"], readied = true },
]
[[character]]
name = "Bo"
player = "bo"
attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 }
[[character]]
name = "Cy"
player = "cy"
marks = ["pierce"]
attributes = { arm = 3, eyes = 2, feet = 2, guts = 2 }
boon = [{ name = "Axe", category = "power", hands = 1, readied = true }]
[[foe]]
name = "Warden"
kind = "nemesis"
pl = 5
omen = { threat = "misdirect" }
boon = [{ name = "Spear", category = "power", hands = 1, readied = true }]
[[foe]]
name = "Tyrant"
kind = "nemesis"
pl = 4
omen = { threat = "entangle" }
[[foe]]
name = "Keeper"
kind = "foe"
pl = 4
ability = [{ name = "Rooted", forbids = ["entangle", "weaken", "misdirect", "crush", "pierce"] }, { name = "Claws", armed = true }]
[[foe]]
name = "Guard"
kind = "foe"
pl = 5
boon = [
    { name = "Ward", category = "keen", passive = true, disarmable = false, blocks = ["misdirect", "weaken", "entangle"] },
    { name = "Mace", category = "power", hands = 1, readied = true },
]
[[foe]]
name = "Adan"
kind = "brute"
pl = 4
[[foe]]
name = "Bero"
kind = "brute"
pl = 4
[scene]
conflict = "martial"
"#;

/// Every answer that is listed at a slot.
fn listed(table: &Table, slot: Slot) -> Vec<Answer> {
    let mut all = Vec::new();
    JudgeTwo::legal(table.rules(), table.state(), slot, &mut |answer| all.push(answer));
    all
}

fn give(table: &mut Table, id: AskId, who: Who, answer: Answer) -> Vec<Event> {
    let mut events = Vec::new();
    let seats: Vec<Seat> = match who {
        Who::All(all) => all.iter().collect(),
        who => who.seats().iter().take(1).collect(),
    };
    for seat in seats {
        table.answer(seat, id, answer, &mut events).expect("listed");
    }
    events
}

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
    let asks: Vec<_> = table.asks().map(|(id, slot, ask)| (id, slot, ask.who, ask.prompt)).collect();
    for (id, slot, who, prompt) in asks {
        if !matches!(prompt, Prompt::Judge(_) | Prompt::Light(_)) {
            continue;
        }
        let (rules, state) = (table.rules(), table.state());
        let seat = who.seats().iter().next().expect("somebody");
        for answer in listed(table, slot) {
            let told =
                |seat| promise(At { rules, state }, slot, &answer, Viewer::Seat(seat)).expect("of dice");
            let (gm, player) = (told(Seat::Gm), told(seat));
            let mut next = table.clone();
            let events = give(&mut next, id, who, answer);
            if let Prompt::Light(member) = prompt {
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
                let asks: Vec<_> =
                    table.asks().map(|(id, slot, ask)| (id, slot, ask.who, ask.prompt)).collect();
                // Most of what is declared is to be an attack.
                let turn =
                    asks.iter().position(|(.., prompt)| matches!(prompt, Prompt::Turn(_) | Prompt::NextTurn));
                let (id, slot, who, _) = asks[turn.unwrap_or_else(|| chance.place(asks.len()))];
                let all = listed(&table, slot);
                let attacks: Vec<_> = all
                    .iter()
                    .copied()
                    .filter(|answer| {
                        matches!(answer, Answer::Attack { .. } | Answer::Grant(_) | Answer::Assault { .. })
                    })
                    .collect();
                let from = if attacks.is_empty() || chance.place(4) == 0 { &all } else { &attacks };
                give(&mut table, id, who, from[chance.place(from.len())]);
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
