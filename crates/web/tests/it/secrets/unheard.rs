//! Unseen actions of the gamemaster change nothing that others are sent.

use crate::common::Server;
use crate::{
    secrets::pairs::{World, alike},
    secrets::worlds::{Guest, Planted, Play, all_setups, opened, plant, shown_at},
};
use fracas_kernel::{Seat, Viewer};
use fracas_sim::Chance;
use std::{thread, time::Duration};

/// Fiats tried at each table until one is unseen.
const TRIES: usize = 12;
/// How far each table has been played, in turn.
const PLAYED: [usize; 6] = [0, 5, 9, 14, 20, 31];

#[test]
fn what_is_overruled_unseen_is_not_heard() {
    let data = tempfile::tempdir().expect("a folder");
    let (mut planted, mut all) = (Vec::new(), Vec::new());
    for (s, system) in fracas_systems::all().iter().enumerate() {
        for (n, setup) in all_setups(system).iter().enumerate() {
            let mut play = Play::open(system, setup, 5 + n as u64);
            (0..PLAYED[n % PLAYED.len()]).all(|_| play.step());
            let seats = play.table.game().seats().into_iter().map(|info| Viewer::Seat(info.seat));
            let others: Vec<Viewer> = seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
            let (who, id) = (others[n % others.len()], format!("s{s}t{n}"));
            let guests = vec![Guest::inside(Viewer::Seat(Seat::Gm), 0), Guest::inside(who, 1)];
            planted.push(Planted { id: id.clone(), log: play.log(), guests });
            all.push((system.id, id, who));
        }
    }
    plant(data.path(), &planted);
    let server = Server::with(data);
    let worlds: Vec<(&str, World, Viewer)> =
        all.iter().map(|(system, id, who)| (*system, World::at(&server, id, *who), *who)).collect();
    for (_, world, _) in &worlds {
        // So that deadlines are shown.
        let paced = world.gm.act(&format!("{}/pace", world.table), &[("deadline", "3600")]);
        assert_eq!(paced.status, 200, "{}", paced.body);
    }
    // A clock that began anew would show it.
    thread::sleep(Duration::from_millis(1_100));
    let mut unheard: Vec<&str> = Vec::new();
    for (n, (system, world, who)) in worlds.iter().enumerate() {
        let (stream, _) = world.listen();
        let before = world.everything();
        let Some(fields) = unseen(world, *who, &mut Chance::new(n as u64, 4)) else { continue };
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        for (deed, fields) in [("overrule", &fields[..]), ("undo", &[])] {
            let done = world.gm.act(&format!("{}/{deed}", world.table), fields);
            assert_eq!(done.status, 200, "{fields:?}: {}", done.body);
            alike(*who, &before, &world.everything());
            assert_eq!(world.caught_up(&stream), "", "{who} hears {deed} {fields:?}");
        }
        unheard.push(system);
    }
    for system in fracas_systems::all() {
        let count = unheard.iter().filter(|unheard| **unheard == system.id).count();
        println!("{}: {count} fiats unseen and taken back, heard by nobody else", system.id);
        assert!(count > 1, "{}: only {count} fiats were unseen", system.id);
    }
}

/// The form of a fiat of which this viewer is told nothing.
fn unseen(world: &World, who: Viewer, chance: &mut Chance) -> Option<Vec<(&'static str, String)>> {
    let log = world.log();
    let here = opened(&log);
    let before = shown_at(&here, who);
    let forms = here.game().fiat_forms();
    (0..TRIES).find_map(|_| {
        let form = &forms[chance.place(forms.len())];
        let mut sent = fracas_suite::at_random(form, chance);
        let given =
            |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
        let fiat = form.fill(given).ok()?;
        let mut table = opened(&log);
        table.fiat(&fiat, None).ok()?;
        sent.push(("form", form.id.to_owned()));
        (shown_at(&table, who) == before).then_some(sent)
    })
}
