//! What a new table is set up with, whoever opens it: a person or a program.

use fracas_face::plain;
use fracas_kernel::{Faults, Seat, Setup, System};
use fracas_systems::{Comer, Encounter};
use std::collections::BTreeMap;

/// The most letters of a table's title.
pub(crate) const TITLE: usize = 80;
/// The most letters of a player's name.
pub(crate) const NAME: usize = 80;
/// The most of one kind who come to a scene.
pub(crate) const MOST: usize = 20;

/// What a table is called: as somebody said, else as its encounter.
pub(crate) fn title(said: &str, otherwise: &str) -> String {
    let titles = [said, otherwise].map(|title| plain::one_line(title, TITLE));
    titles.into_iter().find(|title| !title.is_empty()).unwrap_or_else(|| "A table".to_owned())
}

/// A bundled encounter of this id, with its setup.
pub(crate) fn bundled(system: &System, encounter: &str) -> Result<Option<(Encounter, Setup)>, Faults> {
    let all = fracas_systems::encounters(system)?;
    let Some(found) = all.into_iter().find(|one| one.id == encounter) else { return Ok(None) };
    let setup = fracas_systems::setup(system, &found.id).transpose()?;
    Ok(setup.map(|setup| (found, setup)))
}

/// The setup with these options, whatever it says of them itself.
pub(crate) fn with_options<'o>(
    mut setup: Setup,
    options: impl IntoIterator<Item = (&'o String, &'o String)>,
) -> Setup {
    for (id, value) in options {
        setup.encounter.set(&["options", id], &value.as_str().into());
    }
    setup
}

/// The setup with its players called so. Whoever is not named, or by nothing, keeps
/// their name; a seat that nobody has is left out. Nothing changes in a setup that is
/// at fault, so that its faults have their lines.
pub(crate) fn with_players(system: &System, mut setup: Setup, names: &BTreeMap<Seat, String>) -> Setup {
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
        // Whoever is played says by whom.
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

/// Players' characters as they come to a scene, each with who plays them, where
/// that was said; and the seats of the players whom nobody has named.
pub(crate) fn played(
    characters: impl IntoIterator<Item = (String, Option<String>)>,
) -> (Vec<Comer>, Vec<Seat>) {
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
