//! What odds and simulation count, and what can be changed of what is hidden. What bots weigh is
//! in the goldens (`worth`) and the counts (`restraint`), but for the rest of it here.

use crate::TABLES;
use fracas_kernel::{Game, Seat, Secret, Slot, Viewer};
use std::collections::BTreeSet;
use truth_and_light::answer::Answer;
use truth_and_light::effect::{Effect, Lasts, Scope, Verb, Whom};
use truth_and_light::rules::{Numbers, Rules};
use truth_and_light::state::{Action, Call, Live, Origin, State, Tally};
use truth_and_light::{Outcome, TruthAndLight, vocab::*};

const PLAYER: Viewer = Viewer::Seat(Seat::Player(0));

fn begun(file: &str) -> (Rules, State) {
    TruthAndLight::start(&TABLES.setup(file)).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn what_came_of_things_is_counted_since_a_moment() {
    let (rules, mut before) = begun("fight.toml");
    let of = |now: &State, since: &State| TruthAndLight::outcome(&rules, now, since);
    let nothing = Outcome { tests: [0; 6], saves: [0; 3], lost: 0, won: 0, harm: 0 };
    before.tally.tests[1] = 1;
    assert_eq!(of(&before, &before), nothing);
    let mut now = before.clone();
    let (ilen, osk, bravo) = (0, 1, 3);
    now.tally = Tally { tests: [1, 3, 3, 4, 5, 6], saves: [7, 8, 9] };
    now.cast[ilen].tracks[0] -= 2;
    now.cast[osk].tracks[1] = 0;
    (now.cast[osk].out, now.cast[bravo].out) = (true, true);
    let harm = 2 + i16::from(before.cast[osk].tracks[1]);
    let tests = [1, 2, 3, 4, 5, 6];
    assert_eq!(of(&now, &before), Outcome { tests, saves: [7, 8, 9], lost: 1, won: 1, harm });
    // Who was out before is not lost again.
    let mut then = now.clone();
    then.cast[ilen].out = true;
    assert_eq!(of(&then, &now), Outcome { lost: 1, ..nothing });
    assert_eq!(of(&now, &then), nothing);
}

#[test]
fn what_lasts_weighs_as_often_as_it_counts() {
    let (rules, mut state) = begun("fight.toml");
    let weaker = Effect {
        verb: Verb::Ap(-2),
        scope: Scope::ALL,
        on: Whom::Me,
        lasts: Lasts::Scene,
        per_degree: false,
    };
    let mut worth = |times| {
        state.live.clear();
        state.live.push(Live { on: Char(0), by: None, from: Origin::End(End(0)), effect: weaker, times });
        TruthAndLight::worth(&rules, &state, Seat::Player(0))
    };
    assert_eq!(worth(3) - worth(1), -4);
}

#[test]
fn whoever_acted_less_in_a_fight_is_due() {
    let (rules, mut state) = begun("fight.toml");
    let [ilen, osk, captain, bravo, lookout] = [0, 1, 2, 3, 4].map(Char);
    state.call = Call::Players(None);
    for (acted, floor, blow) in [
        (&[][..], 0, 12),
        (&[ilen], 12, 0),
        (&[bravo], 0, 12),
        (&[ilen, bravo], 0, 12),
        (&[osk, captain, bravo], 6, 12),
        (&[ilen, osk, captain, bravo], 18, 0),
    ] {
        state.acted = acted.iter().copied().collect();
        let held_back = |answer| TruthAndLight::restraint(&rules, &state, Slot(0), answer);
        let blows = held_back(Answer::Assault { by: lookout, on: ilen });
        assert_eq!((held_back(Answer::Floor(osk)), blows), (floor, blow), "{acted:?}");
    }
    // Once one side is out there is nothing to fight for.
    state.cast[2..].iter_mut().for_each(|being| being.out = true);
    state.beats = 4;
    for (answer, restraint) in [(Answer::Peace, 0), (Answer::Close, 20), (Answer::NextScene, 25)] {
        assert_eq!(TruthAndLight::restraint(&rules, &state, Slot(0), answer), restraint, "{answer:?}");
    }
}

/// A table with what is hidden from somebody changed.
fn scrambled((rules, state): &(Rules, State), who: Viewer, seed: u64) -> (Rules, State) {
    let (mut rules, mut state) = (rules.clone(), state.clone());
    TruthAndLight::scramble(&mut rules, &mut state, who, seed);
    (rules, state)
}

/// What this finds at a table with what is hidden from a player changed in many ways.
fn found<T: Ord>(table: &(Rules, State), of: impl Fn(&Rules, &State) -> T) -> BTreeSet<T> {
    let seeds = (0..200).chain([u64::MAX, u64::MAX - 1, 1 << 63]);
    let other = seeds.map(|seed| scrambled(table, PLAYER, seed));
    other.map(|(rules, state)| of(&rules, &state)).collect()
}

#[test]
fn what_is_hidden_can_be_anything_that_it_might_be() {
    let mut table = begun("hidden.toml");
    table.1.action = Some(Action { tn: Secret::new(8), ..Action::default() });
    let number = |_: &Rules, state: &State| *state.action.expect("an action").tn.reveal();
    assert!(found(&table, number).into_iter().eq(6..=16));
    table.1.action = Some(Action { tn: Secret::new(8), told: true, ..Action::default() });
    assert!(found(&table, number).into_iter().eq([8]));
    let npcs: CharSet = table.0.everybody().filter(|&who| table.0.seat(who) == Seat::Gm).collect();
    for npc in npcs.iter() {
        assert!(found(&table, |_, state| state.being(npc).pn).into_iter().eq(6..=16), "{npc}");
        // Of a track the harm taken shows, and its size does not.
        let harm = |rules: &Rules, state: &State| rules.sheet(npc).tracks[0] - state.being(npc).tracks[0];
        assert_eq!(found(&table, harm).into_iter().collect::<Vec<_>>(), [harm(&table.0, &table.1)]);
        assert!(found(&table, |_, state| state.being(npc).tracks[0]).len() > 3, "{npc}");
    }

    // What is known is not touched.
    let same = |table: &(Rules, State), who| {
        for seed in (0..200).chain([u64::MAX, 1 << 63]) {
            assert_eq!(scrambled(table, who, seed).1, table.1, "{who} {seed}");
        }
    };
    same(&table, Viewer::Seat(Seat::Gm));
    let known = (table.0.clone(), State { known: npcs, ..table.1.clone() });
    same(&known, PLAYER);
    same(&known, Viewer::Spectator);
    table.0.options.numbers = Numbers::Announced;
    same(&table, PLAYER);
}
