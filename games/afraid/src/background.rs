//! The four backgrounds, as far as they are known (`ext.sheet`).

use crate::vocab::{Circumstance, Circumstances};
use crate::{dice::Pool, rules::Origin};

/// The four backgrounds. A table's own background replaces the one of the same name.
pub(crate) fn known() -> [Origin; 4] {
    [
        origin(
            "Veteran",
            "Has fought a monster before.",
            (12, [2, 2, 1, 2], [1, 4, 1, 0]),
            (1, 2, Circumstance::Unprepared),
        ),
        origin(
            "Investigator",
            "Involved through a profession.",
            (14, [1, 3, 2, 0], [0, 4, 1, 0]),
            (0, 0, Circumstance::Lost),
        ),
        origin(
            "Attached",
            "Cares about the victim. Only its stats and traits are known; the rest stands in for \
             what is lost, and may be changed.",
            (11, [1, 3, 1, 1], [1, 4, 1, 0]),
            (0, 0, Circumstance::Alone),
        ),
        origin(
            "Entangled",
            "Drawn in. All of it stands in for what is lost, after one sheet seen in play, and may \
             be changed.",
            (12, [1, 3, 1, 1], [2, 3, 1, 0]),
            (0, 0, Circumstance::InTrouble),
        ),
    ]
}

/// Whether a background is one of the four, unchanged.
pub(crate) fn is_known(background: &Origin) -> bool {
    known().contains(background)
}

/// The dice of traits and of relationships are counts of d4, d6, d8 and d10.
fn origin(
    name: &str,
    note: &str,
    (stats, traits, relationships): (u8, [u8; 4], [u8; 4]),
    (bonds, weapons, never): (u8, u8, Circumstance),
) -> Origin {
    Origin {
        name: name.to_owned(),
        note: note.to_owned(),
        stats,
        traits: Pool(traits),
        relationships: Pool(relationships),
        bonds,
        weapons,
        true_at_start: 1,
        never: Circumstances::one(never),
    }
}
