//! Playouts and bots on the suite's toy game.

use fracas_kernel::{AnyTable, Game, MAX_ASKS, Now, Open, Seat, Session};
use fracas_sim::{
    Bot, BotKind, Both, Branch, Chance, End, Greedy, Mix, Order, Playouts, Policy, Quiet, Random, Record,
    Sides, digest, divide, perft, survey,
};
use fracas_suite::toy::{self, Answer, Outcome, Toy};

type Table = (toy::Rules, toy::State);

fn table() -> Table {
    Toy::start(&toy::setup(3, 4)).expect("a setup without faults")
}

#[test]
fn the_same_stream_plays_the_same_conflict() {
    let (rules, state) = table();
    let mut playouts = Playouts::<Toy>::new(&rules, &state).order(Order::Any);
    let mut play = |stream| playouts.play(&mut Random, &mut Chance::new(9, stream), &mut Quiet);
    let played = play(4);
    assert_eq!(played.end, End::Over);
    assert_eq!(play(4), played);
    assert_ne!(play(5).checksum, played.checksum);
}

#[test]
fn a_recorded_conflict_replays_to_the_same_moment() {
    let (rules, start) = table();
    let mut watch = Both(Record::<Toy>::default(), Mix::of::<Toy>());
    let played = Playouts::<Toy>::new(&rules, &start).order(Order::Any).play(
        &mut Random,
        &mut Chance::new(2, 0),
        &mut watch,
    );
    let Both(Record(recorded), mix) = watch;
    assert_eq!(recorded.steps.len() as u32, played.answers + played.rolls);
    assert_eq!(mix.counts().iter().map(|(_, n)| n).sum::<u64>(), u64::from(played.answers));
    let mut state = start.clone();
    assert_eq!(recorded.replay::<Toy>(&rules, &mut state), recorded.steps.len());
    assert_eq!(state, played.state);
    assert_eq!(digest(&state), digest(&played.state));

    let mut wrong = recorded.clone();
    wrong.faces.pop();
    assert!(wrong.replay::<Toy>(&rules, &mut start.clone()) < recorded.steps.len(), "faces run out");
}

#[test]
fn a_conflict_without_end_stops_at_its_budget() {
    toy::plant(toy::NEVER_ENDS);
    let (rules, state) = table();
    let played = Playouts::<Toy>::new(&rules, &state).budget(500).play(
        &mut Random,
        &mut Chance::new(1, 0),
        &mut Quiet,
    );
    assert_eq!((played.end, played.answers + played.rolls), (End::Budget, 500));
}

#[test]
fn a_survey_meets_every_kind_and_names_missing_kinds() {
    let found = survey::<Toy>(&[table()], 50, 1, 5_000);
    assert_eq!(found.faults(10, &[]), Vec::<String>::new());
    assert_eq!(found.faults(100_000, &[]).len(), 1);
    assert!(found.to_string().contains("judge"), "{found}");

    toy::plant(toy::NEVER_ASKS);
    let lame = survey::<Toy>(&[table()], 20, 1, 5_000);
    assert_eq!(lame.mix.missing(), ["lash"]);
}

#[test]
fn playing_allocates_nothing_once_warm() {
    let (rules, state) = table();
    let mut playouts = Playouts::<Toy>::new(&rules, &state).order(Order::Any);
    let mut mix = Mix::of::<Toy>();
    let mut play = |stream| playouts.play(&mut Random, &mut Chance::new(3, stream), &mut mix).answers;
    play(0);
    let mut answers = 0;
    let used = allocation_counter::measure(|| answers = (1..50).map(&mut play).sum());
    assert!(answers > 500);
    assert_eq!(used.count_total, 0, "allocations in {answers} answers");
}

#[test]
fn perft_counts_every_path_once() {
    let (rules, state) = table();
    let counts: Vec<u64> = (0..=5).map(|depth| perft::<Toy>(&rules, &state, depth)).collect();
    // Three paths; six first turns; a strike is met by a guard or let through (two ways), a
    // look by the next hunter's turn (four); then dice (21 or 36).
    assert_eq!(counts[..4], [1, 3, 18, 3 * (3 * 2 + 3 * 4)]);
    let parts = divide::<Toy>(&rules, &state, 5);
    assert_eq!(parts.iter().map(|(_, n)| n).sum::<u64>(), counts[5]);
    assert_eq!(parts[0].0, Branch::Answer(Answer::Path(0)));
}

fn caught(policy: &mut impl Policy<Toy>) -> u32 {
    let (rules, state) = table();
    let mut playouts = Playouts::<Toy>::new(&rules, &state).order(Order::Any);
    let plays = |stream| {
        let played = playouts.play(policy, &mut Chance::new(6, stream), &mut Quiet);
        u32::from(Toy::outcome(&rules, &played.state, &state) == Outcome::Caught)
    };
    (0..60).map(plays).sum()
}

#[test]
fn greedy_hunters_do_better_than_random_ones() {
    let greedy = Greedy { work: 2_000 };
    let random = caught(&mut Random);
    let hunters = caught(&mut Sides { gm: Random, players: greedy });
    let beast = caught(&mut Sides { gm: greedy, players: Random });
    assert!(hunters > random, "{hunters} greedy, {random} random");
    assert!(beast < random, "{beast} against a greedy beast, {random} against a random one");
}

/// Plays a table to its end with a bot in every seat.
fn bots(kind: BotKind, seed: u64) -> (u32, Box<dyn AnyTable>) {
    let (rules, state) = table();
    let mut table: Box<dyn AnyTable> = Box::new(Session::<Toy>::new(rules, state));
    let mut chance = Chance::new(seed, 0);
    let mut answers = 0;
    loop {
        match table.now() {
            Now::Over => return (answers, table),
            Now::Roll(roll) => {
                drop(table.roll(&chance.throw(&roll.dice), false).expect("dice that can fall"))
            }
            Now::Asks(asks) => {
                let choose = |seat| {
                    let ask = asks.iter().find(|ask| ask.who.seats().contains(seat))?;
                    let said = Bot::new(kind, seed).choose(&*table, seat, ask.id)?;
                    Some((seat, ask.id, said))
                };
                let seats = [Seat::Player(2), Seat::Gm, Seat::Player(1), Seat::Player(0)];
                let (seat, id, said) = seats.into_iter().find_map(choose).expect("somebody can answer");
                table.answer(seat, id, &said, false).expect("a listed answer");
                answers += 1;
                assert!(answers < 2_000, "bots do not come to an end");
            }
        }
    }
}

#[test]
fn bots_play_an_erased_table_to_its_end() {
    for kind in [BotKind::Random, BotKind::Greedy] {
        let (answers, table) = bots(kind, 1);
        assert!(answers > 10);
        assert_eq!(table.hash(), bots(kind, 1).1.hash(), "the same seed, the same play");
    }
}

#[test]
fn a_bot_answers_only_its_own_open_asks() {
    let (rules, state) = table();
    let session = Session::<Toy>::new(rules, state);
    let (id, ..) = session.asks().next().unwrap();
    let bot = Bot::greedy(1);
    assert_eq!(bot.choose(&session, Seat::Gm, id), None, "asked of the hunters");
    let stale = fracas_kernel::AskId(id.0 + MAX_ASKS as u64);
    assert_eq!(bot.choose(&session, Seat::Player(0), stale), None);
    assert!(bot.choose(&session, Seat::Player(0), id).is_some());
}

#[test]
fn a_bot_seconds_a_proposed_answer() {
    let (rules, state) = table();
    let mut session = Session::<Toy>::new(rules, state);
    let (id, ..) = session.asks().next().unwrap();
    session.answer(Seat::Player(1), id, Answer::Path(2), &mut Vec::new()).unwrap();
    for seed in 0..10 {
        let said = Bot::random(seed).choose(&session, Seat::Player(0), id);
        assert_eq!(said.as_deref(), Some(r#"{"path":2}"#));
        assert_eq!(Bot::random(seed).choose(&session, Seat::Player(1), id), None, "has said so");
    }
}

#[test]
fn a_greedy_player_uses_nothing_hidden_from_it() {
    // The same table but for the beast's size, so that both look the same to a player.
    let choices = |size| {
        let (rules, state) = Toy::start(&toy::setup(3, size)).unwrap();
        let mut session = Session::<Toy>::new(rules, state);
        for n in 0..3 {
            let (id, ..) = session.asks().next().unwrap();
            session.answer(Seat::Player(n), id, Answer::Path(1), &mut Vec::new()).unwrap();
        }
        assert!(matches!(session.open(), Open::Asks(_)));
        let (id, ..) = session.asks().next().unwrap();
        (0..10).map(|seed| Bot::greedy(seed).choose(&session, Seat::Player(0), id)).collect::<Vec<_>>()
    };
    assert_eq!(choices(1), choices(6));
}
