//! The setup of a new table, for pages and the API.

use fracas_face::plain;
use fracas_kernel::{Faults, Seat, Setup, System};
use fracas_systems::{Comer, Encounter};
use std::collections::BTreeMap;

/// The most letters of a table's title.
pub const TITLE: usize = 80;
/// The most letters of a player's name.
pub const NAME: usize = 80;
/// The most of one kind in a scene.
pub const MOST: usize = 20;

/// A table's title: the given one, or its encounter's.
pub fn title(said: &str, otherwise: &str) -> String {
    let titles = [said, otherwise].map(|title| plain::one_line(title, TITLE));
    titles.into_iter().find(|title| !title.is_empty()).unwrap_or_else(|| "A table".to_owned())
}

/// The title of a branch of a table, where it is not said.
pub fn branch_title(of: &str, after: u64) -> String {
    let end = format!(", from line {after}");
    let room = TITLE.saturating_sub(end.chars().count());
    format!("{}{end}", of.chars().take(room).collect::<String>().trim_end())
}

/// The bundled encounter of this id, with its setup.
pub fn bundled(system: &System, encounter: &str) -> Result<Option<(Encounter, Setup)>, Faults> {
    let all = fracas_systems::encounters(system)?;
    let Some(found) = all.into_iter().find(|bundled| bundled.id == encounter) else { return Ok(None) };
    let setup = fracas_systems::setup(system, &found.id).transpose()?;
    Ok(setup.map(|setup| (found, setup)))
}

/// The setup with these options in place of its own.
pub fn with_options<'o>(
    mut setup: Setup,
    options: impl IntoIterator<Item = (&'o String, &'o String)>,
) -> Setup {
    for (id, value) in options {
        setup.encounter.set(&["options", id], &value.as_str().into());
    }
    setup
}

/// The setup with these names for its players. A player without a name here keeps the
/// setup's; a seat that does not exist is ignored. A setup with faults stays unchanged, so
/// that the faults keep their lines.
pub fn with_players(system: &System, mut setup: Setup, names: &BTreeMap<Seat, String>) -> Setup {
    let clean = |name: &String| plain::one_line(name, NAME);
    let names: BTreeMap<Seat, String> = names.iter().map(|(seat, name)| (*seat, clean(name))).collect();
    let json = setup.encounter.to_json();
    let players = json["player"].as_array().map_or(&[][..], Vec::as_slice);
    let called: BTreeMap<&str, &str> = players
        .iter()
        .zip(0..=u8::MAX)
        .filter_map(|(player, seat)| {
            let name = names.get(&Seat::Player(seat)).map(|name| name.trim())?;
            let was = player["name"].as_str()?;
            (!name.is_empty() && name != was).then_some((was, name))
        })
        .collect();
    if called.is_empty() || (system.start)(&setup).is_err() {
        return setup;
    }
    for (list, entries) in json.as_object().into_iter().flatten() {
        // A character that is played by a player names them.
        let field = if list == "player" { "name" } else { "player" };
        let Some(mut entries) = entries.as_array().cloned() else { continue };
        let mut changed = false;
        for entry in &mut entries {
            if let Some(name) = entry[field].as_str().and_then(|was| called.get(was)) {
                entry[field] = (*name).into();
                changed = true;
            }
        }
        if changed {
            setup.encounter.set(&[list], &entries.into());
        }
    }
    setup
}

/// The players' characters of a scene, each with its player if one was given; and the seats
/// of players without a name.
pub fn played(characters: impl IntoIterator<Item = (String, Option<String>)>) -> (Vec<Comer>, Vec<Seat>) {
    let (mut comers, mut unnamed) = (Vec::new(), Vec::new());
    let mut players: BTreeMap<String, Seat> = BTreeMap::new();
    for (name, said) in characters {
        let is_unnamed = said.is_none();
        let player = said.unwrap_or_else(|| format!("Player {}", players.len() + 1));
        let seat = Seat::Player(u8::try_from(players.len()).unwrap_or(u8::MAX));
        let seat = *players.entry(player.clone()).or_insert(seat);
        if is_unnamed {
            unnamed.push(seat);
        }
        comers.push(Comer { name, player: Some(player), count: 1 });
    }
    (comers, unnamed)
}
