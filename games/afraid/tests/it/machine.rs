//! How the machine plays: dice are spent before anybody gives, and no sooner than they
//! are needed.

use crate::TABLES;
use afraid::Afraid;
use afraid::answer::{Answer, Prompt};
use afraid::state::{Part, State};
use afraid::vocab::{Aid, Arena, Char, Sort};
use fracas_kernel::{Document, Game, Setup};
use fracas_sim::{Chance, Greedy, Moment, Order, Playouts, Watch};
use std::fmt;

/// What was done in conflicts, told for players' characters and for the others.
#[derive(Default)]
struct Done {
    conflicts: u32,
    answers: u32,
    pcs: Deeds,
    npcs: Deeds,
    /// Whose dice came last, and how many things in a row.
    last: Option<Char>,
    streak: u32,
}

#[derive(Default)]
struct Deeds {
    brought: u32,
    /// The most things for one answer or challenge.
    most: u32,
    /// Brought in, and then given.
    wasted: u32,
    /// With enough at hand already.
    early: u32,
    escalations: u32,
    instead: u32,
    /// Escalations by somebody who could meet what was asked with two dice.
    uncalled: u32,
    murders: u32,
    /// Beyond one arena more than what has been entered.
    skipped: u32,
    given: u32,
    /// With a best pair that meets what is asked, or is a challenge that costs something.
    able: u32,
    /// With dice in hand that reach what is asked, or two for a challenge.
    could: u32,
    /// With things that were not rolled.
    unrolled: u32,
    challenges: u32,
    /// Challenges that an opponent reverses with one die, where a better pair lay there.
    cheap: u32,
}

impl fmt::Display for Deeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "brought {} (most {}, early {}, wasted {}); escalated {} (instead {}, uncalled {}, skipping {}, murder {}); \
             gave {} (best pair met it {}, hand reached it {}, unrolled {}); challenged {} (cheap {})",
            self.brought,
            self.most,
            self.early,
            self.wasted,
            self.escalations,
            self.instead,
            self.uncalled,
            self.skipped,
            self.murders,
            self.given,
            self.able,
            self.could,
            self.unrolled,
            self.challenges,
            self.cheap
        )
    }
}

fn unrolled(state: &State, part: &Part) -> bool {
    state.sheet(part.who).any(|(_, thing)| {
        matches!(thing.sort, Sort::Trait | Sort::Belonging)
            && !thing.rolled
            && thing.arena.is_none_or(|arena| part.arenas.has(arena))
    })
}

impl Watch<Afraid> for Done {
    fn answer(&mut self, moment: Moment<'_, Afraid>, _: &[Answer], answer: Answer) {
        let state = moment.state;
        if state.conflict().is_some() {
            self.answers += 1;
        }
        if moment.ask.prompt == Prompt::Resolve {
            self.conflicts += 1;
        }
        let (who, need) = match moment.ask.prompt {
            Prompt::Challenge { who, .. } => (who, None),
            Prompt::Answer { who, need, .. } => (who, Some(need)),
            _ => return,
        };
        let Some(conflict) = state.conflict() else { return };
        let Some(part) = conflict.part(who) else { return };
        if self.last != Some(who) {
            (self.last, self.streak) = (Some(who), 0);
        }
        let hand = part.hand.faces();
        let pair = hand.best_pair();
        let tops = conflict.opponents(who).iter().filter(|&one| conflict.is_in(one));
        let top =
            tops.filter_map(|one| conflict.part(one)).map(|one| one.hand.faces().top()).max().unwrap_or(0);
        let met = match need {
            Some(need) => pair >= need,
            None => hand.len() > 1 && pair > top,
        };
        let deeds = if state.is_pc(who) { &mut self.pcs } else { &mut self.npcs };
        match answer {
            Answer::Bring(_) => {
                self.streak += 1;
                deeds.brought += 1;
                deeds.most = deeds.most.max(self.streak);
                deeds.early += u32::from(met);
                return;
            }
            Answer::Escalate(arena) => {
                deeds.escalations += 1;
                deeds.instead += u32::from(need.is_some());
                deeds.uncalled += u32::from(met);
                deeds.murders += u32::from(arena == Arena::Murder);
                deeds.skipped += u32::from(arena.harm() as u8 > part.arenas.gravest() as u8 + 1);
            }
            Answer::Give | Answer::Yield => {
                deeds.given += 1;
                deeds.able += u32::from(met);
                deeds.could += u32::from(match need {
                    Some(need) => hand.sum() >= u16::from(need),
                    None => hand.len() > 1,
                });
                deeds.unrolled += u32::from(unrolled(state, part));
                deeds.wasted += self.streak;
            }
            Answer::Challenge { dice, .. } => {
                deeds.challenges += 1;
                deeds.cheap += u32::from(dice.best_pair() <= top && dice.best_pair() < pair);
            }
            _ => {}
        }
        self.streak = 0;
    }
}

/// What machines do in every seat of a table, so many times.
fn played(setup: &Setup, times: u64, budget: u32) -> Done {
    let (rules, state) = Afraid::start(setup).expect("a setup without faults");
    let mut playouts = Playouts::<Afraid>::new(&rules, &state).order(Order::Canonical).budget(budget);
    let mut done = Done::default();
    for stream in 0..times {
        playouts.play(&mut Greedy { work: 4000 }, &mut Chance::new(7, stream), &mut done);
    }
    done
}

#[test]
fn dice_are_spent_before_anybody_gives_and_no_sooner_than_they_are_needed() {
    let done = played(&TABLES.setup("the-third-fitting.toml"), 1, 150);
    for (whose, deeds) in [("players", &done.pcs), ("others", &done.npcs)] {
        assert!(deeds.challenges > 5 && deeds.brought > 3, "{whose}: {deeds}");
        assert_eq!((deeds.early, deeds.uncalled), (0, 0), "{whose} spend what is not needed: {deeds}");
        assert_eq!((deeds.able, deeds.could), (0, 0), "{whose} give with an answer at hand: {deeds}");
        assert_eq!((deeds.skipped, deeds.murders), (0, 0), "{whose} go too far too soon: {deeds}");
    }
}

/// The kinds of first aid that the machine gives to somebody with such an injury.
struct Given(Vec<Aid>);

impl Watch<Afraid> for Given {
    fn answer(&mut self, _: Moment<'_, Afraid>, _: &[Answer], answer: Answer) {
        if let Answer::FirstAid { kind, .. } = answer {
            self.0.push(kind);
        }
    }
}

#[test]
fn who_bleeds_is_bandaged_and_who_is_beside_himself_is_talked_to() {
    for (dice, expected) in [("4d8", Aid::Physical), ("2d4 1d6", Aid::Physical), ("4d4", Aid::Psychological)]
    {
        // Her heart is better than her hands: psychological first aid would be won more often.
        let text = format!(
            "[[player]]\nname = \"ana\"\n[[character]]\nname = \"Ada\"\n\
             stats = {{ acuity = 1, body = 1, heart = 6, will = 6 }}\n\
             [[character]]\nname = \"Cal\"\nneeds_aid = \"{dice}\"\n\
             stats = {{ acuity = 3, body = 1, heart = 3, will = 6 }}\n"
        );
        let setup = Setup::alone(Document::toml("aid.toml", &text).expect("TOML"));
        let (rules, state) = Afraid::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
        let mut playouts = Playouts::<Afraid>::new(&rules, &state).order(Order::Canonical).budget(60);
        let mut given = Given(Vec::new());
        for stream in 0..3 {
            playouts.play(&mut Greedy { work: 4000 }, &mut Chance::new(7, stream), &mut given);
        }
        assert!(!given.0.is_empty(), "{dice}: nobody gives first aid");
        assert!(given.0.iter().all(|kind| *kind == expected), "{dice}: {:?}", given.0);
    }
}

/// What machines do with the bundled encounters: to be read by people.
#[test]
#[ignore = "a measurement, not a test"]
fn what_machines_do() {
    for setup in TABLES.setups().iter().filter(|setup| setup.encounter.name().contains("encounters")) {
        let done = played(setup, 6, 250);
        let name = setup.encounter.name().rsplit('/').next().unwrap_or_default();
        println!("{name}: {} conflicts, {} answers", done.conflicts, done.answers);
        println!("  players: {}\n  others:  {}", done.pcs, done.npcs);
    }
}
