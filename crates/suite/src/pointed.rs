//! Maps: where somebody can go, and what a space is like there.

use crate::{Effort, walk::walks};
use fracas_kernel::{AnyTable, AskId, Going, Pointed, Seat, Setup, Space, There, Viewer, Words};
use std::collections::BTreeSet;

/// The most spaces that are pointed at for each who can go.
const SPACES: usize = 8;

/// Where somebody can go, an answer leads; what pointing offers is allowed.
///
/// Those who can go are tokens on the stage, each in one space. No space has two shades. Of a space
/// within reach pointing gives a way that ends there, or an answer. Every answer that pointing
/// gives passes the table's own check. A space off the map is refused.
///
/// # Panics
/// If that does not hold.
pub fn pointed<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        for (id, _, ask) in here.session.asks() {
            for seat in ask.who.seats().iter() {
                for going in here.session.reach(id, Viewer::Seat(seat)) {
                    sound(here.session, (id, seat), &going);
                }
            }
        }
    });
}

fn sound(table: &dyn AnyTable, (id, seat): (AskId, Seat), going: &Going) {
    let who = Viewer::Seat(seat);
    assert!(table.stage(who, &[]).token(&going.token).is_some(), "who goes is not seen: {going:?}");
    let mut all = BTreeSet::new();
    for shade in &going.shades {
        assert!(!shade.text.is_empty() && !shade.spaces.is_empty(), "an empty shade: {going:?}");
        for space in &shade.spaces {
            assert!(all.insert(*space), "{space} has two shades: {going:?}");
        }
    }
    for space in spaces(going) {
        let there =
            there(table, id, who, going, space).unwrap_or_else(|refused| panic!("{space}: {refused}"));
        for listed in &there.answers {
            if let Err(refused) = table.check(seat, id, &listed.answer) {
                panic!("pointing at {space} offers {}: {refused}", listed.answer);
            }
        }
        if all.contains(&space) {
            let shade = going.shades.iter().find(|shade| shade.spaces.contains(&space));
            let shade = shade.map_or("", |shade| &shade.text);
            assert!(
                !there.answers.is_empty(),
                "{space} is within reach of {} at {} ({shade}), and no answer leads there",
                going.token,
                going.from
            );
            assert_eq!(there.path.last(), Some(&space), "the way does not end there");
        }
    }
    let off = Space::new(63, 63).unwrap_or_default();
    if !all.contains(&off) && table.stage(who, &[]).map.is_some_and(|map| map.columns < 64) {
        assert!(there(table, id, who, going, off).is_err(), "a space off the map");
    }
}

/// A few spaces to point at: where somebody stands, and some of each shade.
pub(crate) fn spaces(going: &Going) -> Vec<Space> {
    let some = going.shades.iter().flat_map(|shade| [shade.spaces.first(), shade.spaces.last()]);
    let near = [0, 5].into_iter().filter_map(|row| Space::new(row + 1, row));
    let mut all: Vec<Space> = some.flatten().copied().chain([going.from]).chain(near).collect();
    all.truncate(SPACES);
    all
}

/// What a space is like for somebody.
pub(crate) fn there(
    table: &dyn AnyTable,
    id: AskId,
    who: Viewer,
    going: &Going,
    to: Space,
) -> Result<There<fracas_kernel::Listed>, fracas_kernel::Refused> {
    table.there(id, &Pointed { token: Some(going.token.clone()), via: Vec::new(), to }, who)
}

/// Where those can go who are asked, and what some spaces are like, as text to compare.
pub(crate) fn told(table: &dyn AnyTable, id: AskId, who: Viewer) -> Vec<String> {
    let reach = table.reach(id, who);
    let mut lines = vec![format!("{reach:?}")];
    for going in &reach {
        let like =
            |space| format!("{space} {:?}", there(table, id, who, going, space).map_err(|no| no.to_string()));
        lines.extend(spaces(going).into_iter().map(like));
    }
    lines
}
