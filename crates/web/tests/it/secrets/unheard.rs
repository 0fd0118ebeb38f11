//! Unseen actions of the gamemaster change nothing that others are sent.

use crate::common::{Server, Stream};
use crate::secrets::forms::forms;
use crate::secrets::pairs::{World, alike};
use crate::secrets::worlds::{Guest, Planted, Play, all_setups, opened, plant, shown_at};
use fracas_kernel::{Document, Seat, Setup, Viewer};
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
        for (n, setup) in fracas_suite::some(all_setups(system).iter().enumerate(), 8) {
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

/// Two friends, and two in wait.
const VALLEY: &str = r#"
title = "The valley"
player = [{ name = "Ana" }, { name = "Bo" }]
scene = [{ present = ["Ada", "Ben"] }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2, body = 1, heart = 2, will = 1 }
bond = [{ name = "Keeps the door", dice = "1d4" }]
[[character]]
name = "Ben"
player = "Bo"
stats = { acuity = 1, body = 2, heart = 1, will = 2 }
[[npc]]
name = "The Hollow"
stats = { acuity = 3, body = 3, heart = 3, will = 3 }
[[npc]]
name = "The Lodger"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
"#;

#[test]
fn what_is_played_unseen_is_not_heard() {
    let data = tempfile::tempdir().expect("a folder");
    let system = fracas_systems::all().iter().find(|system| system.id == "afraid").expect("Afraid");
    let setup = Setup::alone(Document::toml("valley.toml", VALLEY).expect("TOML"));
    let ana = Viewer::Seat(Seat::Player(0));
    let all = [ana, Viewer::Seat(Seat::Player(1)), Viewer::Spectator];
    let planted = [0, 1, 2].map(|n| Planted {
        id: format!("unseen{n}"),
        log: Play::open(system, &setup, 1).log(),
        guests: vec![Guest::inside(Viewer::Seat(Seat::Gm), 0), Guest::inside(all[n], 1)],
    });
    plant(data.path(), &planted);
    let server = Server::with(data);
    for (who, planted) in all.into_iter().zip(&planted) {
        let world = World::at(&server, &planted.id, who);
        let paced = world.gm.act(&format!("{}/pace", world.table), &[("deadline", "3600")]);
        assert_eq!(paced.status, 200, "{}", paced.body);
        let (stream, _) = world.listen();
        let mut before = world.everything();
        let (mut threw, mut answered) = (0, false);
        let begins = [
            r#"{"new-scene":["@the-hollow","@the-lodger"]}"#,
            r#"{"conflict":{"sides":[["@the-hollow"],["@the-lodger"]],"arena":"social"}}"#,
            r#"{"thing":"the house"}"#,
            r#""begin""#,
            r#""yield""#,
            r#"{"resolve":{}}"#,
            r#"{"cut":0}"#,
            r#"{"cut":1}"#,
            r#""end-scene""#,
        ];
        let mut left = begins.iter().peekable();
        while let Some(&&answer) = left.peek() {
            let form = forms(&world.gm.get(&world.table).body).into_iter().find(|form| form.of.is_none());
            let form = form.expect("something for the gamemaster to do");
            let done = match (&form.roll, &form.ask) {
                (Some(roll), _) => {
                    threw += 1;
                    // While she takes her time over real dice a player acts.
                    if who == ana && !answered {
                        answered = true;
                        before = broken(&world, &stream);
                    }
                    world.gm.act(&format!("{}/throw", world.table), &[("roll", roll.as_str())])
                }
                (None, Some(ask)) => {
                    left.next();
                    let fields = [("ask", ask.as_str()), ("answer", answer), ("aloud", "yes")];
                    world.gm.act(&format!("{}/answer", world.table), &fields)
                }
                (None, None) => panic!("nothing to do"),
            };
            assert_eq!(done.status, 200, "{answer}: {}", done.body);
            alike(who, &before, &world.everything());
            assert_eq!(world.caught_up(&stream), "", "{who} hears {answer}");
        }
        assert!(threw > 1, "no dice fell");
    }
}

/// A player answers an aside; gives what they are sent then.
fn broken(world: &World, stream: &Stream) -> Vec<(String, String)> {
    let bond = r#"{"bond":{"bond":"@ada-keeps-the-door","holds":false}}"#;
    let ask = world.ask().expect("an aside");
    assert_eq!(world.answers(&ask, bond), 200);
    assert_ne!(world.caught_up(stream), "");
    world.everything()
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
