//! A pause tells nothing: where the gamemaster's character holds an answer that others do not know of, they are sent
//! the same, at the same moments, as where it holds none.

use fracas_face::machine::{Did, Machine, Patience, waited_for};
use fracas_kernel::{Document, Duty, Now, Seat, Setup, Viewer};
use fracas_sim::{Bot, BotKind};
use fracas_table::{Entry, MemoryStore, Opening, Record, Table, Throw};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

/// Steps that two tables are compared for.
const STEPS: u32 = 250;

/// Who has the ability: a place in a list of the setup.
pub(crate) type Holder = (&'static str, usize);

/// The measured table of Clash, with this ability on a character.
pub(crate) fn table(ability: Option<(Holder, &Value)>, seed: u64) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/clash.toml");
    let text = fs::read_to_string(path).expect("it is there");
    let mut paper = Document::toml("clash", &text).expect("sound").to_json();
    if let Some(((list, place), ability)) = ability {
        paper[list][place]["ability"] = json!([ability]);
    }
    let setup = Setup::alone(Document::json("clash", &paper));
    let system = fracas_systems::find("clash").expect("it is there");
    let opening = Opening { seed: Some(seed.into()), ..Opening::default() };
    Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("sound")
}

/// All that a viewer who is not the gamemaster can tell of a table.
fn told(table: &Table, who: Viewer) -> Value {
    let game = table.game();
    let own = |seats: fracas_kernel::SeatSet| matches!(who, Viewer::Seat(seat) if seats.contains(seat));
    let asks: Vec<Value> = match game.now_to(who) {
        Now::Asks(asks) => asks
            .iter()
            .filter(|ask| own(ask.who.seats()))
            .map(|ask| json!([ask.kind, ask.duty == Duty::Must, game.legal(ask.id, who)]))
            .collect(),
        Now::Roll(roll) => vec![json!(format!("{:?} of {}", roll.dice, roll.whose))],
        Now::Over => Vec::new(),
    };
    let waits: Vec<String> = waited_for(table, who).iter().map(ToString::to_string).collect();
    let lines: Vec<_> = table.lines_to(who).map(|line| line.what).collect();
    json!({
        "view": game.view(who).to_string(),
        "stage": game.stage(who, &[]),
        "asks": asks,
        "waits": waits,
        "lines": lines.len(),
        "last": lines.last(),
    })
}

/// A person of a player's seat answers as the machine would, knowing no more than the seat.
fn person_acts(table: &mut Table, nth: u64) -> bool {
    let Now::Asks(asks) = table.game().now() else { return false };
    for ask in asks.iter().filter(|ask| ask.duty == Duty::Must) {
        for seat in ask.who.seats().iter().filter(|seat| *seat != Seat::Gm) {
            if let Some(answer) = Bot::greedy(nth).at(nth).choose(table.game(), seat, ask.id) {
                table.answer(seat, None, ask.id, &answer, None).expect("listed");
                return true;
            }
        }
    }
    false
}

/// What happens next at a table where the machine has the gamemaster's seat: who acted, or that it was waited.
fn next(table: &mut Table, machine: &mut Machine, patience: Patience, nth: u64) -> String {
    if let Now::Roll(roll) = table.game().now() {
        table.roll(roll.whose, Throw::Dice).expect("due");
        return "dice".to_owned();
    }
    let bots = BTreeMap::from([(Seat::Gm, BotKind::Greedy)]);
    let mut did = machine.step(table, &bots, |_| true, patience).expect("saved");
    let waited = did == Did::Waits;
    if waited {
        did = machine.step(table, &bots, |_| true, Patience::Spent).expect("saved");
    }
    if did == Did::Nothing && person_acts(table, nth) {
        machine.people_moved();
        return "a person".to_owned();
    }
    format!("{did:?}, waited: {waited}")
}

/// Plays two tables side by side, and requires that nobody but the gamemaster can tell them apart. Returns the number
/// of chances to answer that the gamemaster had.
fn same(ability: (Holder, &Value), patience: Patience, seed: u64) -> u32 {
    let mut tables = [table(Some(ability), seed), table(None, seed)];
    let mut machines = [Machine::new(seed), Machine::new(seed)];
    let players = tables[0].game().seats().into_iter().map(|info| Viewer::Seat(info.seat));
    let viewers: Vec<Viewer> = players.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
    let mut asked = 0;
    for nth in 0..STEPS {
        if let Now::Asks(asks) = tables[0].game().now() {
            asked += u32::from(
                asks.iter().any(|ask| ask.kind == "priority" && ask.who.seats().contains(Seat::Gm)),
            );
        }
        let [more, less] = [0, 1].map(|n| next(&mut tables[n], &mut machines[n], patience, nth.into()));
        assert_eq!(more, less, "step {nth} of seed {seed}, {patience:?}");
        // Once it is used everybody knows of it.
        let is_used = |record: &Record| match &record.entry {
            Entry::Answer(answer) => answer.answer.get().contains("second-thoughts"),
            _ => false,
        };
        if tables[0].log().records().iter().any(is_used) {
            break;
        }
        for &who in &viewers {
            let [more, less] = [0, 1].map(|n| told(&tables[n], who));
            assert_eq!(more, less, "{who:?} after step {nth} of seed {seed}, {patience:?}");
        }
        if matches!(tables[0].game().now(), Now::Over) {
            break;
        }
    }
    asked
}

/// An ability that can be used at any time, costs nothing, and serves the other side.
fn second_thoughts() -> Value {
    json!({
        "name": "Second Thoughts", "timing": "rapid", "hidden": true, "aim": "enemy",
        "effects": [{ "give-token": { "kind": "armor" } }],
    })
}

#[test]
fn a_pause_does_not_tell_whether_the_gamemaster_holds_an_answer() {
    let ability = second_thoughts();
    let mut asked = 0;
    for seed in 1..3 {
        for patience in [Patience::Left, Patience::Even] {
            asked += same((("npc", 1), &ability), patience, seed);
        }
    }
    assert!(asked > 2, "the gamemaster had {asked} chances to answer");
}

#[test]
fn an_ability_that_no_player_knows_of_is_not_told_by_its_owner_being_asked() {
    let ability = second_thoughts();
    for seed in 1..3 {
        same((("character", 1), &ability), Patience::Even, seed);
    }
}
