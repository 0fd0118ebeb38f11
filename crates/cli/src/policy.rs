//! Who plays how, where the machine plays whole conflicts.

use crate::stop::Stop;
use fracas_sim::{Play, Sides};
use std::num::NonZeroUsize;
use std::thread;

/// Reads `--policy` of each side. A side of which nothing is said plays as is `usual`.
pub(crate) fn sides(policies: &[String], work: u32, usual: Play) -> Result<Sides<Play, Play>, Stop> {
    let mut sides = Sides { gm: usual, players: usual };
    for policy in policies {
        let (side, name) = policy.split_once('=').unwrap_or(("all", policy));
        let play = match name {
            "random" => Play::Random,
            "fair" => Play::Fair,
            "brisk" => Play::Brisk,
            "sound" => Play::Sound(work),
            _ => {
                return Err(Stop::bad(format!(
                    "--policy {policy}: random, fair, brisk or sound, not {name:?}"
                )));
            }
        };
        match side {
            "all" => sides = Sides { gm: play, players: play },
            "players" => sides.players = play,
            "gm" => sides.gm = play,
            _ => return Err(Stop::bad(format!("--policy {policy}: players, gm or all, not {side:?}"))),
        }
    }
    Ok(sides)
}

/// How many threads play: as many as there are cores, where nothing is said.
pub(crate) fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, NonZeroUsize::get), usize::from)
}
