//! What bots make of range, ground, actions to give up, and charges; and that they end battles.

use crate::TABLES;
use fracas_kernel::{Ask, Document, Faces, Game, NoSink, Open, Seat, Setup, Slot, Space};
use fracas_sim::{Chance, End, Fair, Greedy, Moment, Order, Playouts, Policy, Quiet};
use fracas_suite::Effort;
use ruins_and_raiders::answer::{Act, Answer, Prompt};
use ruins_and_raiders::{RuinsAndRaiders, rules::Rules, state::State, vocab::*};

/// Two who fight: Ana's Wren, and a foe.
const WREN: Char = Char(0);
const FOE: Char = Char(1);

/// A table in play.
struct Table {
    rules: Rules,
    state: State,
}

impl Table {
    /// A battle in round one, with the dice of Wren's initiative.
    fn battle(cast: &str, faces: [u8; 2]) -> Table {
        let text = format!("[[player]]\nname = \"ana\"\n{cast}");
        let encounter = Document::toml("table.toml", &text).expect("TOML");
        let (rules, state) =
            RuinsAndRaiders::start(&Setup { encounter, library: Vec::new() }).expect("a table");
        let mut table = Table { rules, state };
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
    let table = Table::battle(
        "[[character]]\nname = \"Wren\"\nat = \"B3\"\ntraits = { archer = 6, perception = 9 }\n\
         [[character.weapon]]\nname = \"Bow\"\nuses = [\"missile\"]\npower = 6\nhands = 2\n\
         [[npc]]\nname = \"Brute\"\nat = \"L3\"\ntraits = { warrior = 4, fortitude = 2 }",
        [6, 6],
    );
    table.chooses(|answer| {
        matches!(answer, Answer::Act(Act::Aim | Act::Strike { on: FOE, with: Some(_), .. }))
    });
}

#[test]
fn fighters_cover_the_ground_before_they_strike() {
    let mut table = Table::battle(
        "[[character]]\nname = \"Wren\"\nat = \"B3\"\ntraits = { warrior = 6, brawn = 3, perception = 9 }\n\
         [[character.weapon]]\nname = \"Sword\"\nuses = [\"melee\"]\npower = 6\n\
         [[npc]]\nname = \"Brute\"\nat = \"J3\"\ntraits = { warrior = 2, fortitude = 2 }",
        [6, 6],
    );
    let (from, goal) = (Space::new(1, 2).expect("B3"), Space::new(9, 2).expect("J3"));
    let mut there = from;
    let field = table.rules.field.clone();
    table.chooses(
        |answer| matches!(answer, Answer::Act(Act::Move { to, .. }) if field.distance(to, goal) == 1),
    );
    for space in field.neighbours(goal) {
        if field.distance(from, space) < field.distance(from, there).max(8) {
            there = space;
        }
    }
    table.give(Answer::Act(Act::Move { to: there, via: Default::default(), charge: false, fortune: 0 }));
    table.chooses(|answer| matches!(answer, Answer::Act(Act::Strike { on: FOE, .. })));
}

/// Wren beside a foe who strikes first, with so many wounds already.
fn struck(wounds: u8, foe: &str) -> Table {
    let mut table = Table::battle(
        &format!(
            "[[character]]\nname = \"Wren\"\nat = \"B3\"\nwounds = {wounds}\ntraits = {{ warrior = 2, fortitude = 2 }}\n\
             [[character.weapon]]\nname = \"Stick\"\nuses = [\"melee\"]\npower = 1\n\
             [[npc]]\nname = \"Brute\"\nat = \"C3\"\ntraits = {{ {foe}, perception = 9 }}\n\
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
    struck(10, "warrior = 5, brawn = 4").chooses(|answer| given(answer) > 0);
    struck(0, "warrior = 0").chooses(|answer| given(answer) == 0);
}

#[test]
fn who_is_on_foot_lets_a_rider_come() {
    let table = Table::battle(
        "[[character]]\nname = \"Wren\"\nat = \"B3\"\ntraits = { warrior = 5, brawn = 2, perception = 9 }\n\
         [[character.weapon]]\nname = \"Pike\"\nuses = [\"melee\"]\npower = 9\npole = true\n\
         [[npc]]\nname = \"Knight\"\nrides = \"Grey\"\ntraits = { warrior = 6, brawn = 4 }\n\
         [[npc]]\nname = \"Grey\"\nmount = true\nat = \"V3\"\nvalues = { movement = 28 }",
        [6, 6],
    );
    table.chooses(|answer| matches!(answer, Answer::Act(Act::Wait { .. })));
}

#[test]
fn good_players_end_every_evening() {
    let evenings = Effort::default().walks.div_ceil(40).into();
    check(Greedy { work: 400 }, evenings);
    check(Fair::default(), evenings);
}

fn check(mut policy: impl Policy<RuinsAndRaiders>, evenings: u64) {
    for setup in TABLES.setups() {
        let (rules, state) = RuinsAndRaiders::start(&setup).expect("a table");
        let mut playouts = Playouts::<RuinsAndRaiders>::new(&rules, &state).order(Order::Waited);
        for stream in 0..evenings {
            let played = playouts.play(&mut policy, &mut Chance::new(1, stream), &mut Quiet);
            assert_eq!(played.end, End::Over, "{} {stream}", setup.encounter.name());
        }
    }
}
