//! Players who do not give up bring every Clash to its end.

use crate::TABLES;
use clash::{Clash, answer::Answer};
use fracas_kernel::Game;
use fracas_sim::{Chance, End, Fair, Greedy, Moment, Order, Playouts, Policy, Watch};
use fracas_suite::Effort;

/// The answers of each Clash of an evening, and how many of all these passed.
#[derive(Default)]
struct Lengths {
    each: Vec<u32>,
    passes: u32,
}

impl Watch<Clash> for Lengths {
    fn answer(&mut self, moment: Moment<'_, Clash>, _: &[Answer], answer: Answer) {
        if moment.state.clash.is_some() {
            self.each.resize(usize::from(moment.state.clashes), 0);
            self.each.last_mut().into_iter().for_each(|count| *count += 1);
            self.passes += u32::from(Clash::is_idle(&answer));
        }
    }
}

/// Plays evenings at every table; no Clash may have more answers than `most`.
fn check(mut policy: impl Policy<Clash>, evenings: u64, most: u32) {
    let mut all = Lengths::default();
    for setup in TABLES.setups() {
        let (rules, state) = Clash::start(&setup).expect("a table");
        let mut playouts = Playouts::<Clash>::new(&rules, &state).order(Order::Waited);
        for stream in 0..evenings {
            let mut found = Lengths::default();
            let played = playouts.play(&mut policy, &mut Chance::new(1, stream), &mut found);
            assert_eq!(played.end, End::Over, "{} {stream}", setup.encounter.name());
            all.each.extend(found.each);
            all.passes += found.passes;
        }
    }
    all.each.sort_unstable();
    let (count, sum) = (all.each.len(), all.each.iter().sum::<u32>());
    let at = |part: usize| all.each[(count - 1) * part / 10];
    println!(
        "{count} Clashes: {} answers in each, a tenth up to {}, half up to {}, nine tenths up to {}, most {}; {:.1}% pass",
        sum as usize / count,
        at(1),
        at(5),
        at(9),
        at(10),
        f64::from(all.passes) * 100.0 / f64::from(sum),
    );
    assert!(at(10) <= most, "a Clash of {} answers", at(10));
}

#[test]
fn good_players_end_every_clash() {
    check(Greedy { work: 100 }, u64::from(Effort::default().walks.div_ceil(10)), 1_000);
}

#[test]
fn players_who_do_not_give_up_end_every_clash() {
    check(Fair::default(), u64::from(Effort::default().walks.div_ceil(2)), 15_000);
}
