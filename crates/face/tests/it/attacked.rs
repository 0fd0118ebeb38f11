//! Characters who have foes are attacked, though people always act before the machine.

use fracas_face::machine::{Did, Machine, Patience};
use fracas_kernel::{Duty, Now, Seat, Setup, System};
use fracas_sim::{Bot, BotKind};
use fracas_table::{Entry, MemoryStore, Opening, Table, Throw};
use std::collections::BTreeMap;

/// How many answers people give at a table.
const ANSWERS: u32 = 160;
/// So many attacks are enough.
const ENOUGH: u32 = 3;

/// Encounters in which nobody is a foe of anybody until a person says so.
const PEACEFUL: [&str; 4] = ["the-back-room", "the-feast-of-lamps", "the-quiet-hour", "two-oaths"];

/// What happens when somebody is attacked or otherwise endangered, and between which
/// words of it the attacked one stands, game by game.
const ATTACKS: [[&str; 3]; 3] = [
    [r#""danger":{"#, r#""who":"#, r#""by":"#],
    [r#""threatened":{"#, r#""who":"#, r#""by":"#],
    [r#""challenged":{"#, r#""on":"#, r#""dice":"#],
];

/// Somebody for every player's character here: in any answer to any of them, whatever is
/// listed, and at once.
fn people_act(table: &mut Table, nth: u64) -> bool {
    let Now::Asks(asks) = table.game().now() else { return false };
    let bot = Bot::random(nth);
    for ask in asks
        .iter()
        .filter(|ask| ask.who.seats().contains(Seat::Player(0)) || !ask.who.seats().contains(Seat::Gm))
    {
        let Some(seat) = ask.who.seats().iter().find(|seat| *seat != Seat::Gm) else { continue };
        // What only averts something is left alone, as by people who attack.
        let answer = match table.game().decline(ask.id).filter(|_| ask.duty == Duty::May) {
            Some(decline) => Some(decline),
            None => bot.choose(table.game(), seat, ask.id),
        };
        if let Some(answer) = answer {
            table.answer(seat, None, ask.id, &answer, None).expect("listed");
            return true;
        }
    }
    false
}

/// How often one of these was attacked.
fn attacks(table: &Table, pcs: &[String]) -> u32 {
    let is_attack = |entry: &Entry| {
        let Entry::Answer(answer) = entry else { return false };
        let Some(shown) = answer.shown.as_ref().filter(|_| answer.by == Seat::Gm) else { return false };
        let shown = shown.get().replace('\\', "");
        ATTACKS.iter().any(|[event, from, to]| {
            let rest = shown.split_once(event).and_then(|(_, rest)| rest.split_once(from));
            let whom = rest.and_then(|(_, rest)| rest.split_once(to));
            whom.is_some_and(|(whom, _)| pcs.iter().any(|pc| whom.contains(&format!("\"@{pc}\""))))
        })
    };
    let count = table.log().records().iter().filter(|record| is_attack(&record.entry)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Plays this table, where the first player acts whenever they may, and the machine is the
/// gamemaster; how often somebody was attacked, and whether it came to its end.
fn played(system: &System, setup: &Setup, seed: u64) -> (u32, bool) {
    let opening = Opening { seed: Some(seed.into()), ..Opening::default() };
    let mut table = Table::create(system, setup, opening, Box::new(MemoryStore::new())).expect("sound");
    let seats = table.game().seats();
    let players = seats.iter().filter(|info| info.seat != Seat::Gm);
    let pcs: Vec<String> = players.flat_map(|info| info.holds.clone()).collect();
    let bots = BTreeMap::from([(Seat::Gm, BotKind::Greedy)]);
    let mut machine = Machine::new(seed);
    let mut acted = 0;
    while acted < ANSWERS && attacks(&table, &pcs) < ENOUGH {
        match table.game().now() {
            Now::Over => return (attacks(&table, &pcs), true),
            Now::Roll(roll) => drop(table.roll(roll.whose, Throw::Dice).expect("due")),
            Now::Asks(_) => {
                // People come first, as often as the machine lets them.
                let did = machine.step(&mut table, &bots, |_| true, Patience::Left).expect("saved");
                if matches!(did, Did::Nothing | Did::Waits) {
                    acted += 1;
                    if people_act(&mut table, acted.into()) {
                        machine.people_moved();
                    } else {
                        machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
                    }
                }
            }
        }
    }
    (attacks(&table, &pcs), false)
}

#[test]
fn characters_with_foes_are_attacked_at_every_bundled_encounter_and_setting() {
    for system in fracas_systems::all() {
        for encounter in fracas_systems::encounters(system).expect("sound content") {
            let setup = fracas_systems::setup(system, &encounter.id).expect("listed").expect("sound");
            let turns = ["free", "alternate", "truth-call"].map(|turns| {
                let mut setup = setup.clone();
                setup.encounter.set(&["table", "turns"], &turns.into());
                setup
            });
            let settings: Vec<Setup> =
                turns.into_iter().filter(|setup| (system.start)(setup).is_ok()).collect();
            let settings = if settings.is_empty() { vec![setup] } else { settings };
            for (nth, setup) in settings.iter().enumerate() {
                let (attacks, over) = played(system, setup, 9);
                // Where a game says whose turn it is, foes act as their rules have it.
                let least = if over || settings.len() < 2 { 1 } else { ENOUGH };
                let quiet = PEACEFUL.contains(&encounter.id.as_str());
                assert!(quiet || attacks >= least, "{} {nth}: attacked {attacks} times", encounter.id);
            }
        }
    }
}
