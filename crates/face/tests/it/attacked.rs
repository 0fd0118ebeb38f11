//! Characters who have foes are attacked, though people always act before the machine.

use fracas_face::machine::{Did, Machine, Patience};
use fracas_kernel::{Duty, Link, LinkKind, Now, Seat, Setup, System, Viewer};
use fracas_sim::{Bot, BotKind};
use fracas_table::{MemoryStore, Opening, Table, Throw};
use std::collections::BTreeMap;

/// How many answers people give at a table.
const ANSWERS: u32 = 160;
/// The number of attacks that is enough.
const ENOUGH: u32 = 3;

/// Encounters in which nobody is anybody's foe until a person declares it, or the foe is a house.
const PEACEFUL: [&str; 4] =
    ["the-back-room", "the-feast-of-lamps", "the-house-on-tallow-street", "two-oaths"];

/// Answers for every player character: any listed answer to any ask, at once.
fn people_act(table: &mut Table, nth: u64) -> bool {
    let Now::Asks(asks) = table.game().now() else { return false };
    let bot = Bot::random(nth);
    let somebody_must = asks.iter().any(|ask| ask.duty == Duty::Must);
    for ask in asks
        .iter()
        .filter(|ask| ask.who.seats().contains(Seat::Player(0)) || !ask.who.seats().contains(Seat::Gm))
    {
        let Some(seat) = ask.who.seats().iter().find(|seat| *seat != Seat::Gm) else { continue };
        // An answer that only averts something is not given: these people attack.
        let answer = match table.game().decline(ask.id).filter(|_| ask.duty == Duty::May) {
            Some(decline) => Some(decline),
            // Nobody steps in, to surrender say, while somebody else is to act.
            None if ask.duty == Duty::May && somebody_must => continue,
            None => bot.choose(table.game(), seat, ask.id),
        };
        if let Some(answer) = answer {
            table.answer(seat, None, ask.id, &answer, None).expect("listed");
            return true;
        }
    }
    false
}

/// Whether somebody whom the gamemaster plays is about to do something to a player's character.
fn is_attacked(table: &Table, pcs: &[String]) -> bool {
    let stage = table.game().stage(Viewer::Seat(Seat::Gm), &[]);
    let is_attack = |link: &Link| link.kind == LinkKind::Aims && !pcs.contains(&link.from);
    stage.links.iter().any(|link| is_attack(link) && pcs.contains(&link.to))
}

/// Plays this table: the first player acts whenever possible, and the machine is the
/// gamemaster. Returns how often a player's character was attacked, and whether the game ended.
fn played(system: &System, setup: &Setup, seed: u64) -> (u32, bool) {
    let opening = Opening { seed: Some(seed.into()), ..Opening::default() };
    let mut table = Table::create(system, setup, opening, Box::new(MemoryStore::new())).expect("sound");
    let seats = table.game().seats();
    let players = seats.iter().filter(|info| info.seat != Seat::Gm);
    let pcs: Vec<String> = players.flat_map(|info| info.holds.clone()).collect();
    let bots = BTreeMap::from([(Seat::Gm, BotKind::Greedy)]);
    let mut machine = Machine::new(seed);
    let (mut acted, mut attacks, mut attacked) = (0, 0, false);
    while acted < ANSWERS && attacks < ENOUGH {
        let before = std::mem::replace(&mut attacked, is_attacked(&table, &pcs));
        attacks += u32::from(attacked && !before);
        match table.game().now() {
            Now::Over => return (attacks, true),
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
    (attacks, false)
}

#[test]
fn characters_with_foes_are_attacked_at_every_bundled_encounter_and_setting() {
    let mut with_foes = 0;
    for system in fracas_systems::all() {
        for encounter in fracas_systems::encounters(system).expect("sound content") {
            let setup = fracas_systems::setup(system, &encounter.id).expect("listed").expect("sound");
            let seats = (system.start)(&setup).expect("sound").seats();
            if !seats.iter().any(|info| info.seat == Seat::Gm && !info.holds.is_empty()) {
                continue;
            }
            with_foes += 1;
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
                // Where a game decides whose turn it is, foes act as their rules prescribe.
                let least = if over || settings.len() < 2 { 1 } else { ENOUGH };
                let quiet = PEACEFUL.contains(&encounter.id.as_str());
                assert!(quiet || attacks >= least, "{} {nth}: attacked {attacks} times", encounter.id);
            }
        }
    }
    assert!(with_foes > PEACEFUL.len(), "only {with_foes} encounters have foes");
}
