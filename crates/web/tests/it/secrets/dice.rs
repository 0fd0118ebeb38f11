//! Dice that fall unseen: a form that would throw them does not reveal their number.

use crate::common::{Browser, Server};
use crate::secrets::worlds::{Guest, Planted, Play, cookie, plant};
use fracas_kernel::{Document, Now, Seat, Setup, Viewer};
use std::collections::BTreeSet;

/// Two characters whom no player has met, and a player's character with another one.
const TABLE: &str = r#"
title = "The valley"
player = [{ name = "Ana" }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2, body = 1, heart = 2, will = 1 }
[[npc]]
name = "Moss"
stats = { acuity = 2, body = 2, heart = 1, will = 1 }
[[npc]]
name = "The Hollow"
tie = "monster"
stats = { acuity = 3, body = 3, heart = 3, will = 3 }
[[npc]]
name = "The Lodger"
stats = { acuity = 1, body = 1, heart = 1, will = 1 }
[[scene]]
present = ["Ada", "Moss"]
"#;

/// The steps from the start to dice that only the gamemaster sees.
const UNSEEN: [&str; 4] = [
    r#"{"new-scene":["@the-hollow","@the-lodger"]}"#,
    r#"{"conflict":{"sides":[["@the-hollow"],["@the-lodger"]],"arena":"social"}}"#,
    r#"{"thing":"the house"}"#,
    r#""begin""#,
];

#[test]
fn how_many_dice_fall_unseen_is_not_learnt_by_throwing_them() {
    let system = fracas_systems::find("afraid").expect("a system");
    let setup = Setup::alone(Document::toml("valley.toml", TABLE).expect("TOML"));
    let mut play = Play::open(system, &setup, 1);
    for answer in UNSEEN {
        let Now::Asks(asks) = play.table.game().now() else { panic!("nothing is asked before {answer}") };
        let ask =
            asks.iter().find(|ask| ask.who.seats().contains(Seat::Gm)).expect("asked of the gamemaster");
        play.table.answer(Seat::Gm, None, ask.id, answer, None).expect("an answer of the gamemaster's");
    }
    let data = tempfile::tempdir().expect("a folder");
    let roles = [Viewer::Seat(Seat::Gm), Viewer::Seat(Seat::Player(0)), Viewer::Spectator];
    let guests = roles.iter().enumerate().map(|(n, &role)| Guest::inside(role, n)).collect();
    plant(data.path(), &[Planted { id: "valley".to_owned(), log: play.log(), guests }]);
    let server = Server::with(data);
    for (n, role) in [(1, "player-1"), (2, "watch")] {
        let browser = Browser::known(&server.url, &cookie(n));
        let throw = |roll: &str, dice: usize| {
            let fields = [("roll", roll), ("faces", &"3".repeat(dice))];
            let reply = browser.act(&format!("{}/t/valley/{role}/throw", server.url), &fields);
            (reply.status, reply.body)
        };
        for roll in ["x", "roll-0-1"] {
            let replies: BTreeSet<(u16, String)> = (1..=14).map(|dice| throw(roll, dice)).collect();
            assert_eq!(replies.len(), 1, "{role} of {roll}: {replies:?}");
        }
    }
}
