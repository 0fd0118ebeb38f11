//! Groups of listed answers, at tables of real games.

use fracas_face::{
    machine::{Machine, Patience},
    menu::{Menu, Row},
};
use fracas_kernel::{Now, Seat, Viewer};
use fracas_sim::BotKind;
use fracas_table::{MemoryStore, Opening, Table};

/// How far down menus are walked.
const DEPTH: u32 = 4;

/// Looks at the groups of a menu and of those below it; how many there are.
fn look(menu: &Menu, depth: u32) -> usize {
    let mut seen = 0;
    for (n, row) in menu.rows().iter().enumerate().filter(|_| depth < DEPTH) {
        let Row::Many { label, full, among, .. } = row else { continue };
        seen += 1;
        // Somebody who reads nothing else knows what is in it.
        assert!(
            !label.starts_with("no ") && label != "others" && !label.starts_with("..."),
            "{label:?}: {full}"
        );
        // A name, or the word of a field, is of all of them as it is.
        for word in label.split(' ').filter(|word| *word != "..." && label.contains("...")) {
            let says = |&at: &usize| {
                menu.choice(at).is_some_and(|choice| choice.listed.told.text.split(' ').any(|it| it == word))
            };
            let all = full.split(' ').any(|it| it == word) || among.iter().all(says);
            assert!(all, "{label:?} is not what each of {} says: {word:?}", among.len());
        }
        let mut inner = menu.clone();
        inner.pick(&(n + 1).to_string());
        seen += look(&inner, depth + 1);
    }
    seen
}

#[test]
fn what_a_group_is_called_is_true_of_all_in_it() {
    for system in fracas_systems::all() {
        let mut seen = 0;
        for setup in fracas_systems::setups(system).expect("sound content") {
            let opening = Opening { seed: Some(3.into()), ..Opening::default() };
            let mut table =
                Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("a sound setup");
            let mut machine = Machine::new(5);
            let bots = table.game().seats().iter().map(|info| (info.seat, BotKind::Random)).collect();
            for _ in 0..60 {
                if let Now::Asks(asks) = table.game().now() {
                    for ask in asks {
                        let listed = table.game().legal(ask.id, Viewer::Seat(Seat::Gm));
                        let menu = Menu::new(listed, &str::to_owned).called((system.groups)());
                        seen += look(&menu, 0);
                    }
                }
                machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
            }
        }
        assert!(seen > 0, "{}: no groups", system.id);
    }
}
