//! A toy game with one of everything: two players and a gamemaster, an ask of all, a sorted
//! roll, a chance to step in, a turn, a secret and fiats.
//!
//! Both agree on a number of dice (`bargain`). The player whose turn it is throws them (a
//! roll). The gamemaster may `meddle` while there is power for it, or let it pass. The
//! highest face scores. Then (`turn`) the player plays on, rests, peeks at a hidden number,
//! or gives a point away.

#![allow(dead_code, reason = "each test uses its own part of it")]

use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::*;
use serde::{Deserialize, Serialize};

macro_rules! clause {
    ($id:literal) => {
        BOOK.find($id).expect("a clause of the toy game")
    };
}

const BLANK: Entry = Entry {
    id: "",
    section: "Play",
    kind: Kind::Rule,
    says: "",
    plain: None,
    needs: &[],
    beyond: false,
    question: None,
    why: None,
    option: None,
};

pub(crate) static BOOK: Rulebook = Rulebook {
    system: "toy",
    title: "A Toy",
    summary: "Dice, a bargain and a secret.",
    entries: &[
        Entry {
            id: "bargain",
            kind: Kind::Choice,
            says: "Both players agree on one to three dice.",
            ..BLANK
        },
        Entry { id: "roll", says: "The highest face scores.", ..BLANK },
        Entry { id: "meddle", says: "Power takes a point away.", ..BLANK },
        Entry { id: "turn.rest", says: "A rest ends the turn.", ..BLANK },
        Entry { id: "turn.peek", section: "Secrets", says: "A peek tells the peeker alone.", ..BLANK },
        Entry { id: "turn.give", section: "Secrets", says: "Nobody gives to themselves.", ..BLANK },
        Entry { id: "guests", section: "Secrets", beyond: true, says: "Guests may come.", ..BLANK },
        Entry { id: "mood", section: "Play", kind: Kind::Guidance, says: "Be kind.", ..BLANK },
        Entry {
            id: "ties",
            section: "Rulings",
            kind: Kind::Ruling,
            says: "The elder wins.",
            question: Some("Who wins ties?"),
            option: Some(OptionOf {
                values: &["elder", "younger"],
                default: "elder",
                when: "setup",
                question: "Who wins ties?",
                range: None,
            }),
            ..BLANK
        },
    ],
    index: &[0, 6, 2, 7, 1, 8, 5, 4, 3],
};

/// The toy game under its first rules.
pub(crate) enum Toy {}
/// The toy game under later rules: a rest costs a point.
pub(crate) enum Later {}

/// A character, written as `"@ana"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Who(pub(crate) u8);

impl Serialize for Who {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("@c{}", self.0))
    }
}

impl<'de> Deserialize<'de> for Who {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as Deserialize>::deserialize(d)?;
        let n = text.strip_prefix("@c").and_then(|n| n.parse().ok());
        n.map(Who).ok_or_else(|| serde::de::Error::custom("expected a character"))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Rules {
    names: Names,
    players: [String; 2],
    slugs: [String; 2],
    later: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
enum Phase {
    Bargain,
    Toss,
    Meddle(u8),
    Turn,
    Over,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct State {
    phase: Phase,
    dice: u8,
    turn: u8,
    score: [u32; 2],
    power: u32,
    goal: u32,
    hidden: Secret<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Prompt {
    Bargain,
    Meddle { face: u8 },
    Turn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    Dice(u8),
    Meddle,
    Pass,
    Again,
    Rest,
    Peek,
    Give { to: Who },
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Event {
    Bargained { dice: u8 },
    Fell { high: u8 },
    Meddled,
    Scored { who: Who, to: u32 },
    Rested { who: Who },
    Peeked { who: Who, above: bool },
    Gave { to: Who },
    Power { now: u32 },
    Came,
    Won { who: Who },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fiat {
    Power(u32),
    Guest(String),
    Goal(u32),
    Bug,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    NeverMeddle,
    AlwaysPlayOn,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct View {
    turn: Who,
    score: Vec<u32>,
    power: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<u32>,
}

impl State {
    fn turn(&self) -> usize {
        usize::from(self.turn)
    }
}

fn start(setup: &Setup, later: bool) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    fields.text("game");
    let goal = fields.int("goal", 1..=1_000_000).unwrap_or(20);
    let power = fields.int("power", 0..=1_000_000).unwrap_or(2);
    let hidden = fields.int("hidden", 0..=100).unwrap_or(7);
    if let Some(options) = fields.table("options") {
        options.word("ties", &[("elder", ()), ("younger", ())]);
        options.done();
    }
    let mut names = Names::default();
    let mut slugs = vec![];
    let mut players = vec![];
    for player in fields.tables("player") {
        let slug = player.must_text("plays").to_owned();
        if !names.add('c', &slug) {
            player.fault_in("plays", "taken: bargain says both differ (bargain)");
        }
        players.push(player.must_text("name").to_owned());
        slugs.push(slug);
        player.done();
    }
    let (players, slugs) = match (players.try_into(), slugs.try_into()) {
        (Ok(players), Ok(slugs)) => (players, slugs),
        _ => {
            fields.fault("expected two [[player]]");
            Default::default()
        }
    };
    fields.done();
    let small = |n: i64| u32::try_from(n).expect("within bounds");
    let state = State {
        phase: Phase::Bargain,
        dice: 0,
        turn: 0,
        score: [0; 2],
        power: small(power),
        goal: small(goal),
        hidden: Secret::new(small(hidden)),
    };
    faults.or((Rules { names, players, slugs, later }, state))
}

macro_rules! game {
    ($game:ty, $version:literal, $later:literal) => {
        impl Game for $game {
            const ID: &'static str = "toy";
            const VERSION: u32 = $version;
            type Rules = Rules;
            type State = State;
            type Prompt = Prompt;
            type Answer = Answer;
            type Event = Event;
            type View = View;
            type Fold = NoFold;
            type Fiat = Fiat;
            type Standing = Standing;
            type Outcome = u32;

            fn rulebook() -> &'static Rulebook {
                &BOOK
            }

            fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
                start(setup, $later)
            }

            fn knows(_: &Rules, _: &State, _: (char, usize), _: Viewer) -> Known {
                Known::Open
            }

            fn mask(_: &mut Rules, _: &mut State, _: &Hidden) {}

            fn lacking(_: u32) -> Option<&'static [u8]> {
                Some(&[])
            }

            fn names(rules: &Rules) -> &Names {
                &rules.names
            }

            fn seats(rules: &Rules) -> Vec<SeatInfo> {
                let player = |n: usize| SeatInfo {
                    seat: Seat::Player(n as u8),
                    name: rules.players[n].clone(),
                    holds: vec![rules.slugs[n].clone()],
                };
                let gm = SeatInfo { seat: Seat::Gm, name: "gamemaster".to_owned(), holds: vec![] };
                vec![gm, player(0), player(1)]
            }

            fn rename(rules: &mut Rules, seat: Seat, name: &str) {
                if let Seat::Player(at) = seat
                    && let Some(player) = rules.players.get_mut(usize::from(at))
                {
                    name.clone_into(player);
                }
            }

            fn open(_: &Rules, state: &State) -> Open<Self> {
                let ask = |who, duty, prompt| Open::Asks([Ask { who, duty, prompt }].into_iter().collect());
                let player = Seat::Player(state.turn);
                match state.phase {
                    Phase::Over => Open::Over,
                    Phase::Bargain => {
                        let both = SeatSet::one(Seat::Player(0)).with(Seat::Player(1));
                        ask(fracas_kernel::Who::All(both), Duty::Must, Prompt::Bargain)
                    }
                    Phase::Toss => Open::Roll(Roll {
                        whose: player,
                        seen: Seen::Openly,
                        dice: Dice::of(state.dice, 6),
                        read: Read::Sorted,
                    }),
                    Phase::Meddle(face) => {
                        ask(fracas_kernel::Who::One(Seat::Gm), Duty::May, Prompt::Meddle { face })
                    }
                    Phase::Turn => ask(fracas_kernel::Who::One(player), Duty::Must, Prompt::Turn),
                }
            }

            fn legal(_: &Rules, state: &State, _: Slot, each: &mut dyn FnMut(Answer)) {
                match state.phase {
                    Phase::Bargain => (1..=3).map(Answer::Dice).for_each(each),
                    Phase::Meddle(_) => {
                        each(Answer::Pass);
                        if state.power > 0 {
                            each(Answer::Meddle);
                        }
                    }
                    Phase::Turn => {
                        [Answer::Again, Answer::Rest, Answer::Peek].into_iter().for_each(&mut *each);
                        if state.score[state.turn()] > 0 {
                            each(Answer::Give { to: Who(1 - state.turn) });
                        }
                    }
                    _ => {}
                }
            }

            fn check(_: &Rules, state: &State, slot: Slot, answer: Answer) -> Result<Move<Self>, Refused> {
                let mut refused = Refused::default();
                match (state.phase, answer) {
                    (Phase::Bargain, Answer::Dice(1..=3)) => {}
                    (Phase::Bargain, Answer::Dice(_)) => refused.add(clause!("bargain"), "one to three dice"),
                    (Phase::Meddle(_), Answer::Pass) => {}
                    (Phase::Meddle(_), Answer::Meddle) => {
                        if state.power == 0 {
                            refused.add(clause!("meddle"), "no power is left");
                        }
                    }
                    (Phase::Turn, Answer::Again | Answer::Rest | Answer::Peek) => {}
                    (Phase::Turn, Answer::Give { to }) => {
                        if to.0 == state.turn {
                            refused.add(clause!("turn.give"), "that is yourself");
                        }
                        if state.score[state.turn()] == 0 {
                            refused.add(clause!("turn.give"), "there is nothing to give");
                        }
                    }
                    _ => return Err(Refused::form("that is not what is asked")),
                }
                refused.verdict().map(|()| Move::vouched(slot, answer))
            }

            fn apply(rules: &Rules, state: &mut State, mv: Move<Self>, sink: &mut impl Sink<Event>) {
                let who = Who(state.turn);
                match mv.answer() {
                    Answer::Dice(dice) => {
                        state.dice = dice;
                        state.phase = Phase::Toss;
                        sink.event(Event::Bargained { dice });
                    }
                    answer @ (Answer::Meddle | Answer::Pass) => {
                        let Phase::Meddle(face) = state.phase else { return };
                        let mut points = u32::from(face);
                        if answer == Answer::Meddle {
                            state.power -= 1;
                            points -= 1;
                            sink.event(Event::Meddled);
                        }
                        let score = &mut state.score[usize::from(who.0)];
                        *score += points;
                        sink.event(Event::Scored { who, to: *score });
                        state.phase = Phase::Turn;
                        if *score >= state.goal {
                            state.phase = Phase::Over;
                            sink.event(Event::Won { who });
                        }
                    }
                    Answer::Again => state.phase = Phase::Toss,
                    Answer::Rest => {
                        if rules.later {
                            let score = &mut state.score[usize::from(who.0)];
                            *score = score.saturating_sub(1);
                        }
                        state.turn = 1 - state.turn;
                        sink.event(Event::Rested { who });
                        if rules.later {
                            sink.event(Event::Scored { who, to: state.score[usize::from(who.0)] });
                        }
                    }
                    Answer::Peek => {
                        let above = *state.hidden.reveal() > state.score[usize::from(who.0)];
                        sink.event(Event::Peeked { who, above });
                    }
                    Answer::Give { to } => {
                        state.score[usize::from(who.0)] -= 1;
                        state.score[usize::from(to.0)] += 1;
                        sink.event(Event::Gave { to });
                    }
                }
            }

            fn roll(_: &Rules, state: &mut State, rolled: Rolled<'_, NoFold>, sink: &mut impl Sink<Event>) {
                let Rolled::Faces(&[high, ..]) = rolled else { return };
                state.phase = Phase::Meddle(high);
                sink.event(Event::Fell { high });
            }

            fn view(_: &Rules, state: &State, who: Viewer) -> View {
                View {
                    turn: Who(state.turn),
                    score: state.score.to_vec(),
                    power: state.power,
                    hidden: who.is_gm().then_some(*state.hidden.reveal()),
                }
            }

            fn outcome(_: &Rules, state: &State, _: &State) -> u32 {
                state.score[0]
            }

            fn worth(_: &Rules, state: &State, seat: Seat) -> i32 {
                let gap = state.score[0].cast_signed() - state.score[1].cast_signed();
                if seat == Seat::Player(0) { gap } else { -gap }
            }

            fn fiat(
                rules: &mut Rules,
                state: &mut State,
                fiat: &Fiat,
                sink: &mut impl Sink<Event>,
            ) -> Result<(), Refused> {
                match fiat {
                    Fiat::Power(now) if *now > 1_000_000 => return Err(Refused::form("at most 1000000")),
                    Fiat::Power(now) => {
                        state.power = *now;
                        sink.event(Event::Power { now: *now });
                    }
                    Fiat::Goal(goal) => state.goal = *goal,
                    Fiat::Bug => panic!("a bug, for the tests"),
                    Fiat::Guest(slug) => {
                        if !rules.names.add('c', slug) {
                            return Err(Refused::rule(clause!("guests"), "somebody is called that"));
                        }
                        sink.event(Event::Came);
                    }
                }
                Ok(())
            }

            fn decline(_: &Rules, state: &State, _: Slot) -> Option<Answer> {
                matches!(state.phase, Phase::Meddle(_)).then_some(Answer::Pass)
            }

            fn standing(_: &Rules, state: &State, _: Slot, reply: Standing) -> Option<Answer> {
                match (state.phase, reply) {
                    (Phase::Meddle(_), Standing::NeverMeddle) => Some(Answer::Pass),
                    // Without end: a peek changes nothing.
                    (Phase::Turn, Standing::AlwaysPlayOn) => Some(Answer::Peek),
                    _ => None,
                }
            }

            fn scramble(_: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
                if !who.is_gm() {
                    *state.hidden.reveal_mut() = u32::try_from(seed % 100).expect("small");
                }
            }
        }

        impl Words for $game {
            fn ask(_: &Rules, _: &State, _: Slot, _: Viewer) -> Told {
                Told::new("What now?")
            }

            fn answer(_: &Rules, _: &State, _: Slot, answer: &Answer, _: Viewer) -> Told {
                Told::new(format!("{answer:?}"))
            }

            fn event(rules: &Rules, _: &State, event: &Event, who: Viewer) -> Option<Told> {
                let name = |who: Who| rules.slugs[usize::from(who.0)].as_str();
                Some(match *event {
                    Event::Bargained { dice } => {
                        Told::new(format!("It is settled: {dice} dice")).why(clause!("bargain"))
                    }
                    Event::Fell { high } => Told::new(format!("The highest is {high}")).why(clause!("roll")),
                    Event::Meddled => Told::new("Something meddles").why(clause!("meddle")),
                    Event::Scored { who, to } => Told::new(format!("{} stands at {to}", name(who))),
                    Event::Rested { who } => {
                        Told::new(format!("{} rests", name(who))).why(clause!("turn.rest"))
                    }
                    Event::Peeked { who: peeker, above } => {
                        let knows = who.is_gm() || who == Viewer::Seat(Seat::Player(peeker.0));
                        let text = match (knows, above) {
                            (false, _) => format!("{} peeks", name(peeker)),
                            (true, true) => format!("{} peeks: it is higher", name(peeker)),
                            (true, false) => format!("{} peeks: it is not higher", name(peeker)),
                        };
                        Told::new(text).why(clause!("turn.peek"))
                    }
                    Event::Gave { to } => {
                        Told::new(format!("A point for {}", name(to))).why(clause!("turn.give"))
                    }
                    Event::Power { now } if who.is_gm() => Told::new(format!("Power is now {now}")),
                    Event::Power { .. } => return None,
                    Event::Came => Told::new("A guest comes").why(clause!("guests")),
                    Event::Won { who } => Told::new(format!("{} wins", name(who))),
                })
            }

            fn roll_told(_: &Rules, _: &State, _: Viewer) -> Told {
                Told::new("Dice!")
            }

            fn cards(rules: &Rules, _: &State, _: Viewer) -> Vec<Card> {
                let card = |slug: &String| Card {
                    id: slug.clone(),
                    title: format!("{}{} the Bold", slug[..1].to_uppercase(), &slug[1..]),
                    ..Card::default()
                };
                rules.slugs.iter().map(card).collect()
            }

            fn kind(prompt: &Prompt) -> &'static str {
                match prompt {
                    Prompt::Bargain => "bargain",
                    Prompt::Meddle { .. } => "meddle",
                    Prompt::Turn => "turn",
                }
            }

            fn kinds() -> &'static [&'static str] {
                &["bargain", "meddle", "turn"]
            }

            fn fiats() -> &'static [(&'static str, &'static str)] {
                &[(r#"{"power":3}"#, "sets the power")]
            }

            fn fiat_forms(_: &Rules, _: &State) -> Vec<form::Form> {
                let power = form::Field::number("", "Power", 0..=9);
                vec![form::Form::new("power", "Set the power").with(power)]
            }

            fn standings() -> &'static [(&'static str, &'static str)] {
                &[(r#""never-meddle""#, "lets everything pass")]
            }
        }
    };
}

game!(Toy, 1, false);
game!(Later, 2, true);

/// The toy game as the registry of systems lists it.
pub(crate) const TOY: System = system_of::<Toy>();
/// The toy game under its later rules.
pub(crate) const LATER: System = system_of::<Later>();

/// An encounter of the toy game.
pub(crate) const DUEL: &str = r#"
game = "toy"
[[player]]
name = "Ana"
plays = "aster"
[[player]]
name = "Ben"
plays = "bryn"
"#;

/// A setup of the toy game with more fields before its players.
pub(crate) fn setup(more: &str) -> Setup {
    Setup::alone(Document::toml("duel.toml", &format!("{more}\n{DUEL}")).expect("TOML"))
}
