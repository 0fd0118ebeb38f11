//! Answers composed part by part, at tables of real games.

use fracas_face::machine::{Machine, Patience};
use fracas_face::menu::{FEW, Menu, Pick, Row};
use fracas_kernel::{Now, Seat, Viewer};
use fracas_sim::BotKind;
use fracas_table::{MemoryStore, Opening, Table};

/// The answers of all rows, by index.
fn answers(menu: &Menu) -> Vec<usize> {
    let of_row = |row: Row| match row {
        Row::One(at) => vec![at],
        Row::Many { among, .. } => among,
    };
    let mut all: Vec<usize> = menu.rows().into_iter().flat_map(of_row).collect();
    all.sort_unstable();
    all
}

/// Walks down a menu of these answers: each is in one row, and each group holds fewer than the
/// level above it. Returns how many groups there are.
fn walk(menu: &Menu, among: &[usize]) -> usize {
    assert_eq!(answers(menu), among, "the rows hold each answer once");
    let mut groups = 0;
    for (n, row) in menu.rows().iter().enumerate() {
        let Row::Many { label, among: inner } = row else { continue };
        assert!(inner.len() < among.len(), "{label:?} narrows nothing");
        let mut into = menu.clone();
        assert_eq!(into.pick(&(n + 1).to_string()), Pick::Narrowed);
        groups += 1 + walk(&into, inner);
    }
    groups
}

/// All parts of an answer, typed in one line, lead to it or to a few that begin so.
fn is_found_by_its_parts(menu: &Menu) {
    for at in 0..menu.count() {
        let parts = &menu.choice(at).expect("listed").parts;
        let typed: Vec<&str> = parts.iter().map(|part| part.label.trim_end_matches('…')).collect();
        let typed = typed.join(" ");
        let mut menu = menu.clone();
        let found = match menu.pick(&typed) {
            Pick::One(found) => vec![found],
            Pick::Narrowed => answers(&menu),
            other => panic!("{typed:?} is not found: {other:?}"),
        };
        assert!(found.contains(&at), "{typed:?} leads elsewhere");
    }
}

#[test]
fn every_answer_is_reached_part_by_part() {
    let mut grouped = 0;
    for system in fracas_systems::all() {
        let (mut groups, mut longest, mut most) = (0, 0, 0);
        for setup in fracas_systems::setups(system).expect("sound content") {
            let opening = Opening { seed: Some(3.into()), ..Opening::default() };
            let mut table =
                Table::create(system, &setup, opening, Box::new(MemoryStore::new())).expect("a sound setup");
            let mut machine = Machine::new(5);
            let bots = table.game().seats().iter().map(|info| (info.seat, BotKind::Random)).collect();
            for _ in 0..60 {
                if let Now::Asks(asks) = table.game().now() {
                    for ask in asks {
                        let menu = Menu::of(table.game(), ask.id, Viewer::Seat(Seat::Gm));
                        groups += walk(&menu, &(0..menu.count()).collect::<Vec<_>>());
                        longest = longest.max(menu.rows().len());
                        most = most.max(menu.count());
                        is_found_by_its_parts(&menu);
                    }
                }
                machine.step(&mut table, &bots, |_| true, Patience::Spent).expect("saved");
            }
        }
        assert_eq!(groups > 0, most > FEW, "{}: {groups} groups of up to {most} answers", system.id);
        assert!(longest <= 2 * FEW, "{}: a list of {longest} lines", system.id);
        grouped += groups;
    }
    assert!(grouped > 0, "no list is long");
}
