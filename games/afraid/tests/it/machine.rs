//! How the machine plays: dice are spent before anybody gives, and no sooner than they
//! are needed.

use crate::TABLES;
use afraid::Afraid;
use afraid::answer::{Answer, Prompt};
use afraid::vocab::{Aid, Arena};
use fracas_kernel::{Document, Game, Setup};
use fracas_sim::{Chance, Greedy, Moment, Order, Playouts, Watch};

/// What was done in conflicts, told for players' characters and for the others.
#[derive(Default)]
struct Done {
    pcs: Deeds,
    npcs: Deeds,
}

#[derive(Default, Debug)]
struct Deeds {
    brought: u32,
    /// With enough at hand already.
    early: u32,
    /// Escalations by somebody who could meet what was asked with two dice.
    uncalled: u32,
    murders: u32,
    /// Beyond one arena more than what has been entered.
    skipped: u32,
    /// Given with a best pair that meets what is asked, or is a challenge that costs something.
    able: u32,
    /// Given with dice in hand that reach what is asked, or two for a challenge.
    could: u32,
    challenges: u32,
}

impl Watch<Afraid> for Done {
    fn answer(&mut self, moment: Moment<'_, Afraid>, _: &[Answer], answer: Answer) {
        let (who, need) = match moment.ask.prompt {
            Prompt::Challenge { who, .. } => (who, None),
            Prompt::Answer { who, need, .. } => (who, Some(need)),
            _ => return,
        };
        let Some(conflict) = moment.state.conflict() else { return };
        let Some(part) = conflict.part(who) else { return };
        let (hand, others) = (part.hand.faces(), conflict.opponents(who).and(conflict.still_in()));
        let tops = others.iter().filter_map(|one| conflict.part(one)).map(|one| one.hand.faces().top());
        let top = tops.max().unwrap_or(0);
        let (met, reached) = match need {
            Some(need) => (hand.best_pair() >= need, hand.sum() >= u16::from(need)),
            None => (hand.len() > 1 && hand.best_pair() > top, hand.len() > 1),
        };
        let deeds = if moment.state.is_pc(who) { &mut self.pcs } else { &mut self.npcs };
        match answer {
            Answer::Bring(_) => {
                deeds.brought += 1;
                deeds.early += u32::from(met);
            }
            Answer::Escalate(arena) => {
                deeds.uncalled += u32::from(met);
                deeds.murders += u32::from(arena == Arena::Murder);
                deeds.skipped += u32::from(arena.harm() as u8 > part.arenas.gravest() as u8 + 1);
            }
            Answer::Give | Answer::Yield => {
                deeds.able += u32::from(met);
                deeds.could += u32::from(reached);
            }
            Answer::Challenge { .. } => deeds.challenges += 1,
            _ => {}
        }
    }
}

/// What machines do in every seat of a table, so many times.
fn watched(setup: &Setup, times: u64, budget: u32, watch: &mut impl Watch<Afraid>) {
    let (rules, state) = Afraid::start(setup).unwrap_or_else(|faults| panic!("{faults}"));
    let mut playouts = Playouts::<Afraid>::new(&rules, &state).order(Order::Canonical).budget(budget);
    for stream in 0..times {
        playouts.play(&mut Greedy { work: 4000 }, &mut Chance::new(7, stream), watch);
    }
}

#[test]
fn dice_are_spent_before_anybody_gives_and_no_sooner_than_they_are_needed() {
    let mut done = Done::default();
    watched(&TABLES.setup("the-third-fitting.toml"), 1, 150, &mut done);
    for (whose, deeds) in [("players", &done.pcs), ("others", &done.npcs)] {
        assert!(deeds.challenges > 5 && deeds.brought > 3, "{whose}: {deeds:?}");
        assert_eq!((deeds.early, deeds.uncalled), (0, 0), "{whose} spend what is not needed: {deeds:?}");
        assert_eq!((deeds.able, deeds.could), (0, 0), "{whose} give with an answer at hand: {deeds:?}");
        assert_eq!((deeds.skipped, deeds.murders), (0, 0), "{whose} go too far too soon: {deeds:?}");
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
        let mut given = Given(Vec::new());
        watched(&setup, 3, 60, &mut given);
        assert!(!given.0.is_empty(), "{dice}: nobody gives first aid");
        assert!(given.0.iter().all(|kind| *kind == expected), "{dice}: {:?}", given.0);
    }
}
