//! What an answer is made of, in the order in which a person chooses it.

use crate::Names;
use serde::Serialize;

crate::words!(
    /// The kinds of parts of an answer, in the order in which a person chooses.
    PartKind {
        /// What is done: an attack, a test, a deed.
        What = "what",
        /// Who does it, or has the turn.
        Who = "who",
        /// On whom or against whom.
        Whom = "whom",
        /// With which thing, ability or attribute.
        With = "with",
        /// In which manner.
        How = "how",
        /// How many dice or points, or against which number.
        HowMuch = "how-much",
    }
);

impl PartKind {
    /// The question that it answers.
    pub const fn asks(self) -> &'static str {
        match self {
            PartKind::What => "what",
            PartKind::Who => "who",
            PartKind::Whom => "whom",
            PartKind::With => "with what",
            PartKind::How => "how",
            PartKind::HowMuch => "how much",
        }
    }
}

/// A part of an answer: one thing that a person chooses.
///
/// A game makes it with a constructor of its kind. It refers to things by letter and number,
/// and the table replaces these by slugs (`Part<String>`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Part<T = (char, usize)> {
    /// The kind of the part.
    pub kind: PartKind,
    /// Its words in the game's own terms, [`Part::MOST`] letters at most.
    pub label: String,
    /// The things at the table that it points at; empty if it is only words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<T>,
}

impl Part {
    /// The most letters of a label.
    pub const MOST: usize = 40;

    fn new(kind: PartKind, label: impl Into<String>) -> Part {
        Part { kind, label: short(label.into()), things: Vec::new() }
    }

    /// A part that names the deed.
    pub fn what(label: impl Into<String>) -> Part {
        Part::new(PartKind::What, label)
    }

    /// Who does it.
    pub fn who(label: impl Into<String>) -> Part {
        Part::new(PartKind::Who, label)
    }

    /// On whom or against whom.
    pub fn whom(label: impl Into<String>) -> Part {
        Part::new(PartKind::Whom, label)
    }

    /// With what.
    pub fn with(label: impl Into<String>) -> Part {
        Part::new(PartKind::With, label)
    }

    /// In which manner.
    pub fn how(label: impl Into<String>) -> Part {
        Part::new(PartKind::How, label)
    }

    /// How much, or against which number.
    pub fn how_much(label: impl Into<String>) -> Part {
        Part::new(PartKind::HowMuch, label)
    }

    /// The same, pointing at what this piece of the answer refers to.
    #[must_use]
    pub fn at(mut self, piece: &impl Serialize) -> Part {
        let json = serde_json::to_string(piece).unwrap_or_default();
        self.things = Names::references(&json).collect();
        self
    }

    /// The same with names for what it points at; without a name it is left out.
    pub(crate) fn named<'n>(self, name: impl Fn((char, usize)) -> Option<&'n str>) -> Part<String> {
        let things = self.things.into_iter().filter_map(|thing| name(thing).map(str::to_owned)).collect();
        Part { kind: self.kind, label: self.label, things }
    }
}

/// A label of at most [`Part::MOST`] letters: cut behind a word where it is longer.
fn short(label: String) -> String {
    let Some((most, _)) = label.char_indices().nth(Part::MOST) else { return label };
    let room = label.char_indices().nth(Part::MOST - 1).map_or(most, |(at, _)| at);
    let end = label[..room].rfind(' ').unwrap_or(room);
    format!("{}…", label[..end].trim_end_matches([',', ';', ':', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_label_is_cut_behind_a_word() {
        for (label, cut) in [
            ("attack", "attack"),
            ("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789"),
            ("0123456789012345678901234567890123456789x", "012345678901234567890123456789012345678…"),
            ("Josie, the Night Shift, Dougal Finch, and Perry", "Josie, the Night Shift, Dougal Finch…"),
            ("Ünlikely Ö'Name Ünlikely Ö'Name Ünlikely Ö'Name", "Ünlikely Ö'Name Ünlikely Ö'Name…"),
        ] {
            assert_eq!(Part::what(label).label, cut);
            assert!(cut.chars().count() <= Part::MOST);
        }
    }

    #[test]
    fn a_part_points_at_what_a_piece_refers_to() {
        assert_eq!(Part::whom("Ana and Bo").at(&["@c3", "@n1"]).things, [('c', 3), ('n', 1)]);
        assert!(Part::what("rest").at(&"quick").things.is_empty());
    }
}
