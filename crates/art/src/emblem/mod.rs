//! Emblems: a sign for everybody, from a name.

mod charges;
mod fields;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::seed::Seed;
use crate::words::{singulars, words};
use charges::{CHARGES, Piece};
use fields::{DIVISIONS, SHAPES, TINCTURES};

/// The sign of a person or thing: a figure on a field of a colour, in an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Emblem {
    /// The choice for each [`Part`].
    choices: [usize; 4],
}

/// What an emblem is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The figure.
    Charge,
    /// The colour of the field and of the figure on it.
    Tincture,
    /// The outline.
    Shape,
    /// How the field is divided.
    Division,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 4] = [Self::Charge, Self::Tincture, Self::Shape, Self::Division];

    /// The words for this part.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Charge => CHARGES.iter().map(|charge| charge.name).collect(),
            Self::Tincture => TINCTURES.iter().map(|tincture| tincture.name).collect(),
            Self::Shape => SHAPES.iter().map(|shape| shape.name).collect(),
            Self::Division => DIVISIONS.iter().map(|(name, _)| *name).collect(),
        }
    }
}

impl Emblem {
    /// The emblem of a name: a word in it chooses the charge, its letters all else.
    pub fn of(name: &str) -> Self {
        let mut seed = Seed::of(name);
        let [charge, tincture, shape, division] = Part::ALL.map(|part| seed.below(part.words().len()));
        Self { choices: [in_name(name).unwrap_or(charge), tincture, shape, division] }
    }

    /// The word for a part of this emblem.
    pub fn word(&self, part: Part) -> &'static str {
        part.words()[self.choices[part as usize]]
    }

    /// Draws the emblem as inline SVG of at most 1200 bytes. Its colours need no style sheet; the classes `emblem`, `t-gold` (with its tincture) and `edge` are for those
    /// that change it.
    ///
    /// Every id in it begins with `prefix`, which no other drawing of the page may have. A prefix
    /// of more than twelve bytes, or with anything but ASCII letters, digits, `-` and `_`, is
    /// replaced by a number made from it.
    pub fn svg(&self, prefix: &str) -> String {
        let [charge, tincture, shape, division] = self.choices;
        let (shape, tincture, division) = (&SHAPES[shape], &TINCTURES[tincture], DIVISIONS[division].1);
        let (id, ink, field) = (id(prefix), tincture.charge, tincture.field);
        let (under, shade) = match division {
            "" => (field, String::new()),
            _ => (tincture.shade, format!("<path fill=\"{}\" d=\"{division}\"/>", tincture.shade)),
        };
        let figure: String = CHARGES[charge].pieces.iter().map(|piece| draw(piece, ink, under)).collect();
        // The charge is drawn smaller around the middle of the box.
        let at = |middle: i32| {
            let corner = middle * 100 - 32 * shape.room;
            format!("{}.{:02}", corner / 100, corner % 100)
        };
        format!(
            "<svg class=\"emblem t-{name}\" viewBox=\"0 0 64 64\" aria-hidden=\"true\" fill=\"none\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\
             <clipPath id=\"{id}\"><path id=\"{id}o\" d=\"{outline}\"/></clipPath>\
             <g clip-path=\"url(#{id})\"><use href=\"#{id}o\" fill=\"{field}\"/>{shade}\
             <use href=\"#{id}o\" stroke=\"{ink}\" stroke-width=\"8.4\"/>\
             <use href=\"#{id}o\" stroke=\"{field}\" stroke-width=\"5.6\"/></g>\
             <use href=\"#{id}o\" class=\"edge\" stroke=\"{EDGE}\" stroke-width=\"3\"/>\
             <g fill=\"{ink}\" transform=\"translate({x} {y}) scale(.{room})\">{figure}</g></svg>",
            name = tincture.name,
            outline = shape.outline,
            x = at(32),
            y = at(32 + shape.drop),
            room = shape.room,
        )
    }
}

/// Its words: charge, tincture, shape, division.
impl fmt::Display for Emblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Part::ALL.map(|part| self.word(part)).join(" "))
    }
}

/// The charge that a name speaks of. The main word of an English name comes last before the
/// first "of" or "in": the Moor Wolf is a wolf, the Archer of the Wall an archer.
fn in_name(name: &str) -> Option<usize> {
    let mut words: Vec<String> = words(name).take(20).collect();
    let links = ["of", "in", "on", "at", "with", "from", "by", "to", "who"];
    let head = words.iter().position(|word| links.contains(&word.as_str())).unwrap_or(words.len());
    words[..head].reverse();
    let part_of = |word: &String| {
        let joined = |key: &str| key.len() >= 4 && (word.starts_with(key) || word.ends_with(key));
        CHARGES.iter().position(|charge| keys(charge).any(joined))
    };
    words.iter().find_map(|word| by_word(word)).or_else(|| words.iter().find_map(part_of))
}

/// The charge that a word, or its singular, stands for.
fn by_word(word: &str) -> Option<usize> {
    static KEYS: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
        let charges = CHARGES.iter().enumerate();
        charges.flat_map(|(at, charge)| keys(charge).map(move |key| (key, at))).collect()
    });
    singulars(word).find_map(|word| KEYS.get(word.as_ref()).copied())
}

fn keys(charge: &charges::Charge) -> impl Iterator<Item = &'static str> {
    [charge.name].into_iter().chain(charge.words.split(' ').filter(|key| !key.is_empty()))
}

/// The outline of every emblem.
const EDGE: &str = "#1b1610";

fn draw(piece: &Piece, ink: &str, field: &str) -> String {
    match piece {
        Piece::Ink(path) => format!("<path d=\"{path}\"/>"),
        Piece::Cut(path) => format!("<path fill=\"{field}\" d=\"{path}\"/>"),
        Piece::Line(width, path) => line(path, ink, *width),
        Piece::Slit(width, path) => line(path, field, *width),
    }
}

fn line(path: &str, colour: &str, width: u8) -> String {
    format!("<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" d=\"{path}\"/>")
}

/// An id that is whole in HTML, CSS and `url()`, different for different prefixes.
fn id(prefix: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if (1..=12).contains(&prefix.len()) && prefix.bytes().all(plain) {
        format!("{prefix}-e")
    } else {
        format!("e{:x}-e", Seed::of(prefix).below(1 << 40))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_a_name_chooses_the_charge() {
        for (name, charge) in [
            ("Moor Wolf", "wolf"),
            ("Archer of the Wall", "bow"),
            ("Clerk of Weights", "scales"),
            ("Gatewarden", "gate"),
            ("Captain of Pikes", "crown"),
            ("Sister Emberhand", "cross"),
            ("Rider with the Grey", "horse"),
            ("Bridge Reaver", "axe"),
            ("House on Tallow Street", "house"),
        ] {
            assert_eq!(Emblem::of(name).word(Part::Charge), charge, "{name}");
        }
        assert_eq!(in_name("Ilka"), None);
        assert_eq!(in_name(""), None);
    }

    #[test]
    fn no_emblem_is_too_long() {
        // Each path is drawn by itself, so the longest of each part is the longest emblem.
        let mut choices = [0; 4];
        for part in Part::ALL {
            let with = |choice| {
                let mut all = [0; 4];
                all[part as usize] = choice;
                Emblem { choices: all }.svg("x").len()
            };
            choices[part as usize] =
                (0..part.words().len()).max_by_key(|choice| with(*choice)).expect("a choice");
        }
        let longest = Emblem { choices }.svg("a-prefix-12b");
        assert!((1000..=1200).contains(&longest.len()), "{}", longest.len());
    }

    #[test]
    fn no_word_names_two_things() {
        let mut all: Vec<_> = CHARGES.iter().flat_map(keys).collect();
        all.extend(Part::ALL[1..].iter().flat_map(|part| part.words()));
        for (at, word) in all.iter().enumerate() {
            let other = all[..at].iter().find(|other| {
                singulars(word).any(|word| word == **other) || singulars(other).any(|other| other == *word)
            });
            assert_eq!(other, None, "{word}");
        }
    }

    /// How much light a colour throws back, in thousandths, as WCAG reckons it.
    fn light(colour: &str) -> f64 {
        let channel = |from: usize| {
            let value = f64::from(u8::from_str_radix(&colour[from..from + 2], 16).expect("a colour")) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn charges_stand_out() {
        let contrast = |a: &str, b: &str| {
            let (a, b) = (light(a), light(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for tincture in TINCTURES {
            let field = contrast(tincture.field, tincture.charge);
            let shade = contrast(tincture.shade, tincture.charge);
            assert!(field >= 4.5 && shade >= 4.5, "{}: {field:.1} {shade:.1}", tincture.name);
        }
    }
}
