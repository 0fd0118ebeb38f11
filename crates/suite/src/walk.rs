//! Random walks through conflicts, with a look at each moment.

use crate::Effort;
use fracas_kernel::{Answered, AskId, Game, Names, Open, Refused, Seat, Session, Setup, Who, Words};
use fracas_sim::Chance;
use std::env;

/// The most answers that are kept to be tried elsewhere.
const POOL: usize = 80;

/// A step of a walk.
#[derive(Clone, Debug)]
pub(crate) enum Done<A> {
    Answer(Seat, AskId, A),
    Roll(Vec<u8>),
}

/// A moment of a walk.
pub(crate) struct Here<'a, G: Game> {
    /// The setup of the walk.
    pub(crate) setup: &'a Setup,
    /// The table.
    pub(crate) session: &'a Session<G>,
    /// A generator for the observer; using it does not change the walk.
    pub(crate) chance: &'a mut Chance,
    /// Answers given or listed earlier in the walk.
    pub(crate) pool: &'a [G::Answer],
    /// The steps so far.
    pub(crate) done: &'a [Done<G::Answer>],
    /// The events of the last step.
    pub(crate) events: &'a [G::Event],
}

/// Prints the place of a failure when a walk panics.
struct Trail<'a> {
    setup: &'a Setup,
    seed: u64,
    step: usize,
    last: String,
    quiet: bool,
}

impl Drop for Trail<'_> {
    fn drop(&mut self) {
        if !self.quiet {
            eprintln!(
                "in {} at step {}, after {}; again with FRACAS_SEED={}",
                self.setup.encounter.name(),
                self.step,
                self.last,
                self.seed
            );
        }
    }
}

/// The seeds of this many walks, or the one in the environment.
fn seeds(walks: u32) -> Vec<u64> {
    match env::var("FRACAS_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (1..=u64::from(walks)).collect(),
    }
}

/// The rules and the first state of a setup.
#[track_caller]
pub(crate) fn start<G: Game>(setup: &Setup) -> (G::Rules, G::State) {
    match G::start(setup) {
        Ok(table) => table,
        Err(faults) => panic!("{} does not open:\n{faults}", setup.encounter.name()),
    }
}

/// An answer as JSON with names.
pub(crate) fn json<A: serde::Serialize>(names: &Names, answer: &A) -> String {
    names.write(&serde_json::to_string(answer).unwrap_or_default())
}

/// An example (such as of a fiat) with each unknown name replaced by a name of this table.
pub fn filled(names: &Names, example: &str, chance: &mut Chance) -> String {
    // By kind, so that rare kinds come up as often as others.
    let kind = |letter| (0..).map_while(move |n| names.slug(letter, n)).collect::<Vec<_>>();
    let kinds: Vec<Vec<&str>> = ('a'..='z').map(kind).filter(|all| !all.is_empty()).collect();
    let mut given: Vec<(&str, &str)> = Vec::new();
    let mut out = String::new();
    let mut rest = example;
    while let Some(at) = rest.find("\"@") {
        let (before, after) = rest.split_at(at + 2);
        let (name, after) = after.split_at(after.find('"').unwrap_or(after.len()));
        let known = names
            .find(name)
            .map(|_| name)
            .or_else(|| given.iter().find(|(placeholder, _)| *placeholder == name).map(|(_, known)| *known));
        let known = known.unwrap_or_else(|| {
            let kind = kinds.get(chance.place(kinds.len())).map_or(&[][..], Vec::as_slice);
            let picked = kind.get(chance.place(kind.len())).copied().unwrap_or(name);
            given.push((name, picked));
            picked
        });
        out.push_str(before);
        out.push_str(known);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Walks from every setup, as often as the effort allows, and calls `look` at each moment.
pub(crate) fn walks<G: Words>(setups: &[Setup], effort: Effort, look: impl FnMut(&mut Here<'_, G>)) {
    let each = effort.walks.min(effort.most_walks.div_ceil(setups.len().max(1) as u32));
    walks_with(setups, &seeds(each), effort.steps, look);
}

/// Walks from every setup with these seeds, ignoring the environment.
pub(crate) fn walks_with<G: Words>(
    setups: &[Setup],
    seeds: &[u64],
    steps: u32,
    mut look: impl FnMut(&mut Here<'_, G>),
) {
    assert!(!setups.is_empty(), "no setup to play from");
    for setup in setups {
        for &seed in seeds {
            let (rules, state) = start::<G>(setup);
            let mut session = Session::new(rules, state);
            let trail = Trail { setup, seed, step: 0, last: "the start".to_owned(), quiet: false };
            walk(&mut session, seed, steps, trail, &mut look);
        }
    }
}

fn walk<G: Words>(
    session: &mut Session<G>,
    seed: u64,
    steps: u32,
    mut trail: Trail<'_>,
    look: &mut impl FnMut(&mut Here<'_, G>),
) {
    let mut play = Chance::new(seed, 0);
    let mut chance = Chance::new(seed, 1);
    let mut pool: Vec<G::Answer> = Vec::new();
    let mut done = Vec::new();
    let mut events = Vec::new();
    for _ in 0..=steps {
        look(&mut Here {
            setup: trail.setup,
            session,
            chance: &mut chance,
            pool: &pool,
            done: &done,
            events: &events,
        });
        events.clear();
        let Some(step) = next(session, &mut play, &mut pool) else { break };
        trail.step += 1;
        trail.last = match &step {
            Done::Answer(seat, _, answer) => format!("{seat}: {}", json(G::names(session.rules()), answer)),
            Done::Roll(faces) => format!("a roll of {faces:?}"),
        };
        if let Err(refused) = take(session, &step, &mut events) {
            panic!("refused: {refused}");
        }
        done.push(step);
    }
    trail.quiet = true;
}

/// Takes a step.
pub(crate) fn take<G: Game>(
    session: &mut Session<G>,
    step: &Done<G::Answer>,
    events: &mut Vec<G::Event>,
) -> Result<Answered, Refused> {
    match step {
        Done::Answer(seat, id, answer) => session.answer(*seat, *id, *answer, events),
        Done::Roll(faces) => session.roll(faces, events).map(|()| Answered::Moved),
    }
}

/// A random step, or `None` at the end.
pub(crate) fn next<G: Game>(
    session: &Session<G>,
    chance: &mut Chance,
    pool: &mut Vec<G::Answer>,
) -> Option<Done<G::Answer>> {
    match session.open() {
        Open::Over => None,
        Open::Roll(roll) => Some(Done::Roll(chance.throw(&roll.dice).to_vec())),
        Open::Asks(_) => {
            let asks: Vec<_> = session.asks().map(|(id, slot, ask)| (id, slot, ask.who)).collect();
            assert!(!asks.is_empty(), "the game is not over, and nothing is asked");
            let (id, slot, who) = asks[chance.place(asks.len())];
            let mut listed = Vec::new();
            G::legal(session.rules(), session.state(), slot, &mut |a| listed.push(a));
            assert!(
                !listed.is_empty(),
                "nothing is listed for {slot:?}: {:?}",
                session.asks().collect::<Vec<_>>()
            );
            let answer = listed[chance.place(listed.len())];
            for kept in [answer, listed[chance.place(listed.len())]] {
                keep(pool, kept, chance);
            }
            let seats: Vec<Seat> = who.seats().iter().collect();
            assert!(!seats.is_empty(), "{slot:?} is asked of nobody");
            let seat = seats[chance.place(seats.len())];
            if let Who::All(_) = who {
                // Seats usually agree with a proposal.
                let said: Vec<_> = session.said(id).map(|(seat, answer)| (seat, *answer)).collect();
                if let Some(&(first, proposed)) = said.first()
                    && chance.below(4) > 0
                {
                    let mut others = seats.iter().filter(|&&s| !said.contains(&(s, proposed)));
                    return Some(Done::Answer(*others.next().unwrap_or(&first), id, proposed));
                }
            }
            Some(Done::Answer(seat, id, answer))
        }
    }
}

fn keep<A: Copy + PartialEq>(pool: &mut Vec<A>, answer: A, chance: &mut Chance) {
    if pool.contains(&answer) {
        return;
    }
    if pool.len() < POOL {
        pool.push(answer);
    } else {
        let at = chance.place(POOL);
        pool[at] = answer;
    }
}
