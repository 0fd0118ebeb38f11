//! What bots make of range, ground, actions to give up, and charges; and that they end battles.

use crate::{TABLES, made_up::made_up};
use fracas_kernel::{Ask, Document, Faces, Game, NoSink, Open, Seat, Setup, Slot, Space};
use fracas_sim::{Chance, End, Fair, Greedy, Moment, Order, Playouts, Policy, Quiet, Sides, Watch};
use fracas_suite::is_long;
use ruins_and_raiders::answer::{Act, Answer, Prompt};
use ruins_and_raiders::{RuinsAndRaiders, rules::Rules, state::State, vocab::*};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Two who fight: Ana's Wren, and a foe.
const WREN: Char = Char(0);
const FOE: Char = Char(1);

/// A map that is open in one row and in its neighbours.
struct Board {
    /// The fields of an encounter that make it.
    fields: Value,
    /// The open row.
    row: usize,
}

/// An empty map, and for each metric one that is made up, but for the open rows.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let mut boards = vec![Board { fields: json!({}), row: 3 }];
    for metric in ["square", "square-orthogonal", "hex"] {
        boards.extend((0..).find_map(|n| board(made_up(n).encounter.to_json(), metric)));
    }
    boards
});

/// The map of a table, if it is of this metric, has ground and is large enough.
fn board(mut encounter: Value, metric: &str) -> Option<Board> {
    let map = encounter["map"].take();
    let rows: Vec<&str> = map["rows"].as_array()?.iter().filter_map(Value::as_str).collect();
    let is_large = rows.len() > 6 && rows[0].len() > 26;
    if !is_large || encounter["options"]["metric"] != *metric {
        return None;
    }
    let row = rows.len() / 2;
    let is_open = |n: usize| (row - 2..=row).contains(&n);
    let rows: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(n, row)| if is_open(n) { ".".repeat(row.len()) } else { (*row).to_owned() })
        .collect();
    let has = |letter: &String| rows.iter().any(|row| row.contains(letter.as_str()));
    if !map["legend"].as_object()?.keys().all(has) {
        return None;
    }
    let map = json!({ "rows": rows, "legend": map["legend"] });
    let fields = json!({ "map": map, "ground": encounter["ground"], "options": { "metric": metric } });
    Some(Board { fields, row })
}

/// A table in play.
struct Table {
    rules: Rules,
    state: State,
}

impl Table {
    fn of(setup: &Setup) -> Table {
        let (rules, state) = RuinsAndRaiders::start(setup).unwrap_or_else(|faults| panic!("{faults}"));
        Table { rules, state }
    }

    /// A battle in round one, with the dice of Wren's initiative. In the cast `#` is the open row.
    fn battle(board: &Board, cast: &str, faces: [u8; 2]) -> Table {
        let text = format!("[[player]]\nname = \"ana\"\n{cast}").replace('#', &board.row.to_string());
        let mut encounter = Document::toml("table.toml", &text).expect("TOML").to_json();
        for (name, value) in board.fields.as_object().expect("fields") {
            encounter[name] = value.clone();
        }
        let mut table = Table::of(&Setup::alone(Document::json("table", &encounter)));
        table.give(Answer::Battle { first: CharSet::NONE, surprised: CharSet::NONE });
        table.give(Answer::Next);
        table.roll(faces);
        table
    }

    /// The first ask that play waits for.
    fn ask(&self) -> (Slot, Ask<Prompt>) {
        match RuinsAndRaiders::open(&self.rules, &self.state) {
            Open::Asks(asks) => (Slot(0), asks[0]),
            open => panic!("an ask is expected: {open:?}"),
        }
    }

    fn give(&mut self, answer: Answer) {
        let (slot, _) = self.ask();
        let checked = RuinsAndRaiders::check(&self.rules, &self.state, slot, answer).expect("taken");
        RuinsAndRaiders::apply(&self.rules, &mut self.state, checked, &mut NoSink);
    }

    fn roll(&mut self, faces: [u8; 2]) {
        let Open::Roll(roll) = RuinsAndRaiders::open(&self.rules, &self.state) else {
            panic!("dice are due")
        };
        let mut faces: Faces = faces.into_iter().collect();
        roll.sort(&mut faces);
        RuinsAndRaiders::roll(&self.rules, &mut self.state, roll.classify(&faces), &mut NoSink);
    }

    /// What a greedy bot answers to the ask that play waits for, whatever it imagines.
    fn chooses(&self, expected: impl Fn(Answer) -> bool) {
        let (slot, ask) = self.ask();
        let seat = ask.who.seat().unwrap_or(Seat::Gm);
        let mut listed = Vec::new();
        RuinsAndRaiders::legal(&self.rules, &self.state, slot, &mut |answer| listed.push(answer));
        let moment =
            Moment::<RuinsAndRaiders> { rules: &self.rules, state: &self.state, slot, ask: &ask, seat };
        for stream in 0..4 {
            let chosen = listed[Greedy { work: 20_000 }.pick(moment, &listed, &mut Chance::new(1, stream))];
            assert!(expected(chosen), "{stream}: {chosen:?}");
        }
    }
}

#[test]
fn archers_do_not_come_closer() {
    for board in &*BOARDS {
        let table = Table::battle(
            board,
            "[[character]]\nname = \"Wren\"\nat = \"B#\"\ntraits = { archer = 6, perception = 9 }\n\
             [[character.weapon]]\nname = \"Bow\"\nuses = [\"missile\"]\npower = 6\nhands = 2\n\
             [[npc]]\nname = \"Brute\"\nat = \"L#\"\ntraits = { warrior = 4, fortitude = 2 }",
            [6, 6],
        );
        table.chooses(|answer| {
            matches!(answer, Answer::Act(Act::Aim | Act::Strike { on: FOE, with: Some(_), .. }))
        });
    }
}

#[test]
fn fighters_cover_the_ground_before_they_strike() {
    for board in &*BOARDS {
        let mut table = Table::battle(
            board,
            "[[character]]\nname = \"Wren\"\nat = \"B#\"\ntraits = { warrior = 6, brawn = 3, perception = 9 }\n\
             [[character.weapon]]\nname = \"Sword\"\nuses = [\"melee\"]\npower = 6\n\
             [[npc]]\nname = \"Brute\"\nat = \"J#\"\ntraits = { warrior = 2, fortitude = 2 }",
            [6, 6],
        );
        let goal = table.state.being(FOE).at;
        let field = table.rules.field.clone();
        table.chooses(
            |answer| matches!(answer, Answer::Act(Act::Move { to, .. }) if field.distance(to, goal) == 1),
        );
        let to = Space::new(goal.column() - 1, goal.row()).expect("the space before the foe");
        table.give(Answer::Act(Act::Move { to, via: Default::default(), charge: false, fortune: 0 }));
        table.chooses(|answer| matches!(answer, Answer::Act(Act::Strike { on: FOE, .. })));
    }
}

/// Wren beside a foe who strikes first, with so many wounds already.
fn struck(board: &Board, wounds: u8, foe: &str) -> Table {
    let mut table = Table::battle(
        board,
        &format!(
            "[[character]]\nname = \"Wren\"\nat = \"B#\"\nwounds = {wounds}\ntraits = {{ warrior = 2, fortitude = 2 }}\n\
             [[character.weapon]]\nname = \"Stick\"\nuses = [\"melee\"]\npower = 1\n\
             [[npc]]\nname = \"Brute\"\nat = \"C#\"\ntraits = {{ {foe}, perception = 9 }}\n\
             [[npc.weapon]]\nname = \"Maul\"\nuses = [\"melee\"]\npower = 6"
        ),
        [1, 1],
    );
    table.give(Answer::Act(Act::Strike {
        on: WREN,
        with: Some(Weapon(1)),
        thrown: false,
        pull: Default::default(),
    }));
    table
}

#[test]
fn actions_are_given_up_where_that_may_save_somebody() {
    let given = |answer| match answer {
        Answer::Abort { defend, resist, .. } => defend + resist,
        other => panic!("{other:?}"),
    };
    for board in &*BOARDS {
        struck(board, 10, "warrior = 5, brawn = 4").chooses(|answer| given(answer) > 0);
        struck(board, 0, "warrior = 0").chooses(|answer| given(answer) == 0);
    }
}

#[test]
fn who_is_on_foot_lets_a_rider_come_for_two_rounds() {
    for board in &*BOARDS {
        let mut table = Table::battle(
            board,
            "[[character]]\nname = \"Wren\"\nat = \"B#\"\ntraits = { warrior = 5, brawn = 2, perception = 9 }\n\
             [[character.weapon]]\nname = \"Pike\"\nuses = [\"melee\"]\npower = 9\npole = true\n\
             [[npc]]\nname = \"Knight\"\nrides = \"Grey\"\ntraits = { warrior = 6, brawn = 4 }\n\
             [[npc]]\nname = \"Grey\"\nmount = true\nat = \"V#\"\nvalues = { movement = 28 }",
            [6, 6],
        );
        for round in 1..=3 {
            assert_eq!((table.state.round, table.ask().1.prompt), (round, Prompt::Turn(WREN)));
            let waits = |answer| matches!(answer, Answer::Act(Act::Wait { .. }));
            let moves = |answer| matches!(answer, Answer::Act(Act::Move { .. }));
            table.chooses(|answer| if round > 2 { moves(answer) } else { waits(answer) });
            if round > 2 {
                break;
            }
            table.give(Answer::Act(Act::Wait { wire: Wire::Moved, trap: None }));
            table.give(Answer::Act(Act::End));
            table.give(Answer::Let);
            table.give(Answer::Next);
        }
    }
}

#[test]
fn most_foes_are_unseen_in_an_ambush() {
    let is_ambush = |answer| match answer {
        Answer::Battle { first, .. } => !first.is_empty(),
        other => panic!("{other:?}"),
    };
    for (file, ambush) in [("reeds-at-dusk.toml", true), ("spear-line.toml", false), ("causeway.toml", false)]
    {
        Table::of(&TABLES.setup(file)).chooses(|answer| is_ambush(answer) == ambush);
    }
}

#[test]
fn an_ambush_is_what_the_encounter_says() {
    let table = Table::of(&TABLES.setup("reeds-at-dusk.toml"));
    let names = |all: CharSet| all.iter().map(|who| table.rules.name(who)).collect::<Vec<_>>().join(", ");
    table.chooses(|answer| match answer {
        Answer::Battle { first, surprised } => {
            (names(first), names(surprised))
                == ("Left Bow, Right Bow".into(), "Corrie Sedge, Oda Gann".into())
        }
        _ => false,
    });
}

/// Lets everything be.
struct Idle;

impl Policy<RuinsAndRaiders> for Idle {
    fn pick(&mut self, _: Moment<'_, RuinsAndRaiders>, listed: &[Answer], _: &mut Chance) -> usize {
        listed.iter().position(RuinsAndRaiders::is_idle).unwrap_or(0)
    }
}

/// Whether the pikes moved in the first two rounds, and after that.
#[derive(Default)]
struct Line {
    early: bool,
    late: bool,
}

impl Watch<RuinsAndRaiders> for Line {
    fn answer(&mut self, moment: Moment<'_, RuinsAndRaiders>, _: &[Answer], answer: Answer) {
        let is_pike = |who: Char| moment.rules.sheet(who).name.contains("Pike");
        let (Prompt::Turn(who), Answer::Act(act)) = (moment.ask.prompt, answer) else { return };
        if is_pike(who) && matches!(act, Act::Move { .. }) {
            *if moment.state.round > 2 { &mut self.late } else { &mut self.early } = true;
        }
    }
}

#[test]
fn the_spear_line_advances_once_nobody_has_come() {
    let Table { rules, state } = Table::of(&TABLES.setup("spear-line.toml"));
    let mut seen = Line::default();
    let mut policy = Sides { gm: Greedy { work: 400 }, players: Idle };
    let mut playouts = Playouts::<RuinsAndRaiders>::new(&rules, &state).order(Order::Waited).budget(200);
    playouts.play(&mut policy, &mut Chance::new(1, 0), &mut seen);
    assert!(!seen.early && seen.late, "early {}, late {}", seen.early, seen.late);
}

#[test]
fn good_players_end_every_evening() {
    let evenings = if is_long() { 50 } else { 1 };
    check(Greedy { work: 400 }, evenings);
    check(Fair::default(), evenings);
}

#[test]
fn good_players_end_a_battle_that_nobody_can_win() {
    // No move is so long.
    let text = "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Wren\"\nat = \"Here\"\n\
                [[npc]]\nname = \"Brute\"\nat = \"There\"\n\
                [[map.place]]\nname = \"Here\"\n[[map.place]]\nname = \"There\"\nto = { Here = 40 }";
    let setup = Setup::alone(Document::toml("table.toml", text).expect("TOML"));
    check_at(&setup, &mut Greedy { work: 400 }, 1);
    check_at(&setup, &mut Fair::default(), 8);
}

fn check(mut policy: impl Policy<RuinsAndRaiders>, evenings: u64) {
    TABLES.setups().iter().for_each(|setup| check_at(setup, &mut policy, evenings));
}

fn check_at(setup: &Setup, policy: &mut impl Policy<RuinsAndRaiders>, evenings: u64) {
    let Table { rules, state } = Table::of(setup);
    let mut playouts = Playouts::<RuinsAndRaiders>::new(&rules, &state).order(Order::Waited);
    for stream in 0..evenings {
        let played = playouts.play(policy, &mut Chance::new(1, stream), &mut Quiet);
        assert_eq!(played.end, End::Over, "{} {stream}", setup.encounter.name());
    }
}
