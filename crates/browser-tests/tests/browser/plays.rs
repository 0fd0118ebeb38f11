//! Whole conflicts of each system, played by people.

use crate::person::{Company, Hands, Person};
use crate::script::{Script, script};
use crate::{common::Server, worlds::plant};
use fracas_browser_tests::{Chromium, Look};
use fracas_kernel::{Setup, System};
use fracas_suite::some;
use std::{sync::OnceLock, time::Instant};

/// An encounter for two players.
pub(crate) struct Seats {
    pub(crate) system: &'static str,
    pub(crate) encounter: String,
    pub(crate) setup: Setup,
}

/// The encounters for two players of a system.
fn for_two(system: &System) -> Vec<Seats> {
    let two = |id: String| {
        let setup = fracas_systems::setup(system, &id)?.ok()?;
        let players = setup.encounter.to_json().get("player")?.as_array()?.len();
        (players == 2).then_some(Seats { system: system.id, encounter: id, setup })
    };
    let all = fracas_systems::encounters(system).expect("encounters");
    all.into_iter().filter_map(|one| two(one.id)).collect()
}

/// The first encounter for two players of each system.
pub(crate) fn tables() -> Vec<Seats> {
    fracas_systems::all().iter().map(|system| for_two(system).swap_remove(0)).collect()
}

/// Everybody plays a few moves at a table of each system, in an ordinary run of at most so
/// many systems; there somebody looks on.
pub(crate) fn at_tables(
    most: usize,
    mut server: Server,
    mut look: impl FnMut(Server, &mut Company) -> Server,
) {
    let chromium = Chromium::start();
    let mut windows = chromium.windows(Look::WIDE);
    for table in some(tables(), most) {
        let mut company = Company::gather(&server, windows, table.system, &table.encounter);
        company.play(6, |_| {});
        server = look(server, &mut company);
        windows = company.windows();
    }
}

/// No page is wider than the screen.
fn fits(person: &Person) {
    for part in ["", "cast", "story", "moment"] {
        if !part.is_empty() {
            person.window.click(&format!(".tabs a[href='#{part}']"));
        }
        let wide = person.window.script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            &[],
        );
        assert!(wide.as_i64() <= Some(0), "{part} at {} is {wide} pixels too wide", person.page);
    }
}

/// What the gamemaster and two players sit at, and how they play.
type People = [(Look, Hands); 3];

/// The people play a conflict of each of these systems from its beginning to its end.
fn whole(systems: &[usize], people: People, mut see: impl FnMut(&Person)) {
    let scripts: Vec<&Script> = systems.iter().map(|&n| &scripts()[n]).collect();
    let data = tempfile::tempdir().expect("a folder");
    let tables: Vec<_> =
        scripts.iter().enumerate().map(|(n, script)| script.planted(&format!("table{n}"))).collect();
    plant(data.path(), &tables);
    let server = Server::with(data);
    let chromium = Chromium::start();
    let mut windows: Vec<_> = people.iter().map(|(look, _)| chromium.window(*look)).collect();
    for (script, table) in scripts.iter().zip(&tables) {
        let begun = Instant::now();
        let mut company = Company::planted(&server, windows, &table.id, people.map(|(_, hands)| hands));
        company.perform(script, &mut see);
        windows = company.windows();
        eprintln!("{}: {} steps in {:.1?}", script.system, script.steps.len(), begun.elapsed());
    }
}

/// The systems that a test plays, by number: all in a long run, else two of them. Tests with
/// another `first` play others.
fn from(first: usize) -> Vec<usize> {
    let count = fracas_systems::all().len();
    some((0..count).map(|n| (first + n) % count), 2)
}

/// A conflict of each system.
fn scripts() -> &'static [Script] {
    static SCRIPTS: OnceLock<Vec<Script>> = OnceLock::new();
    SCRIPTS.get_or_init(|| {
        let of = |system: &System| {
            let setups: Vec<Setup> = for_two(system).into_iter().map(|table| table.setup).collect();
            script(system, &setups)
        };
        fracas_systems::all().iter().map(of).collect()
    })
}

#[test]
fn three_people_play_a_whole_conflict_of_each_system() {
    let people = [(Look::WIDE, Hands::Pointer), (Look::PHONE, Hands::Pointer), (Look::WIDE, Hands::Keys)];
    let all: Vec<usize> = (0..fracas_systems::all().len()).collect();
    whole(&all, people, |_| {});
}

#[test]
fn by_keyboard_alone() {
    whole(&from(0), [(Look::WIDE, Hands::Keys); 3], |_| {});
}

#[test]
fn on_phones() {
    whole(&from(1), [(Look::PHONE, Hands::Pointer); 3], fits);
}

#[test]
fn on_the_narrowest_phones() {
    let mut steps = 0;
    whole(&from(2), [(Look::NARROW, Hands::Pointer); 3], |person| {
        steps += 1;
        if steps % 4 == 0 {
            fits(person);
        }
    });
}

#[test]
fn without_script() {
    whole(&from(4), [(Look::PLAIN, Hands::Plain); 3], |_| {});
}
