//! Emblems: a sign for everybody, from a name.

mod charges;
mod fields;

use std::fmt;

use crate::seed::Seed;
use crate::words::{Unknown, same, words};
use charges::{CHARGES, Piece};
use fields::{DIVISIONS, SHAPES, TINCTURES};

/// The sign of a person or thing: a figure on a field of a colour, in an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Emblem {
    /// The choice for each [`Part`].
    choices: [usize; 4],
    tally: u8,
}

/// A name that wants an emblem, and what its author wrote about it.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The name.
    pub name: &'a str,
    /// Words for charge, tincture, shape and division, such as `wolf gold`; often empty. What is
    /// not written comes from the name.
    pub written: &'a str,
}

impl<'a> From<&'a str> for Named<'a> {
    fn from(name: &'a str) -> Self {
        Self { name, written: "" }
    }
}

/// The emblems of a table. Each keeps what others before it left, so that a name added later
/// changes none, and none depends on a name that was never added.
#[derive(Debug, Clone, Default)]
pub struct Emblems {
    given: Vec<Emblem>,
}

/// The emblems of the names, in their order. No two have both the same shape and the same
/// charge; shapes, charges and tinctures differ as long as there are enough. What is written
/// stands even against that. A name at the end changes none before it.
///
/// A viewer's picture must not tell who is hidden, so give only names that the viewer knows, in
/// the order in which they became known.
pub fn emblems<'a, N: Into<Named<'a>>>(names: impl IntoIterator<Item = N>) -> Vec<Emblem> {
    let mut table = Emblems::default();
    names.into_iter().map(|name| table.add(name)).collect()
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
    /// Every part, in the order in which an emblem is written.
    pub const ALL: [Self; 4] = [Self::Charge, Self::Tincture, Self::Shape, Self::Division];

    /// The words for this part that can be written. No word names two things.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Charge => CHARGES.iter().map(|charge| charge.name).collect(),
            Self::Tincture => TINCTURES.iter().map(|tincture| tincture.name).collect(),
            Self::Shape => SHAPES.iter().map(|shape| shape.name).collect(),
            Self::Division => DIVISIONS.iter().map(|(name, _)| *name).collect(),
        }
    }

    /// The choice that a written word stands for.
    fn read(self, word: &str) -> Option<usize> {
        let own = self.words().iter().position(|name| same(word, name));
        own.or_else(|| (self == Self::Charge).then(|| by_word(word)).flatten())
    }
}

impl Emblem {
    /// The emblem of a name that stands alone.
    pub fn of<'a>(name: impl Into<Named<'a>>) -> Self {
        Emblems::default().add(name)
    }

    /// The same emblem with dots at its foot, for one of a squad. At most five are drawn.
    pub fn tallied(self, number: u8) -> Self {
        Self { tally: number.min(5), ..self }
    }

    /// The word for a part of this emblem.
    pub fn word(&self, part: Part) -> &'static str {
        part.words()[self.choices[part as usize]]
    }

    /// The words of a written emblem that name no part of any, at most sixteen.
    pub fn unknown(written: &str) -> Vec<Unknown> {
        let known = || Part::ALL.into_iter().flat_map(Part::words);
        words(written)
            .filter(|word| Part::ALL.iter().all(|part| part.read(word).is_none()))
            .take(16)
            .map(|word| Unknown::new(&word, known()))
            .collect()
    }

    /// Draws the emblem as inline SVG of at most 1200 bytes, or 1400 with a tally. Its colours need
    /// no style sheet; the classes `emblem`, `t-gold` (with its tincture) and `edge` are for those
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
             <g fill=\"{ink}\" transform=\"translate({x} {y}) scale(.{room})\">{figure}</g>{tally}</svg>",
            name = tincture.name,
            outline = shape.outline,
            x = at(32),
            y = at(32 + shape.drop),
            room = shape.room,
            tally = dots(self.tally),
        )
    }
}

/// The words that give the emblem again when written: charge, tincture, shape, division.
impl fmt::Display for Emblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Part::ALL.map(|part| self.word(part)).join(" "))
    }
}

impl Emblems {
    /// Gives a name its emblem.
    pub fn add<'a>(&mut self, name: impl Into<Named<'a>>) -> Emblem {
        let Named { name, written } = name.into();
        let written: Vec<String> = words(written).collect();
        let said = |part: Part| written.iter().find_map(|word| part.read(word));
        let mut seed = Seed::of(name);
        let [charge, tincture, shape, division] = Part::ALL.map(|part| seed.below(part.words().len()));

        let has_room = |charge| (0..SHAPES.len()).any(|shape| self.free(charge, shape));
        let charge = said(Part::Charge)
            .or_else(|| in_name(name).filter(|charge| has_room(*charge)))
            .or_else(|| self.rarest(Part::Charge, charge, has_room))
            .unwrap_or(charge);
        let shape = said(Part::Shape)
            .or_else(|| self.rarest(Part::Shape, shape, |shape| self.free(charge, shape)))
            .unwrap_or(shape);
        let tincture = said(Part::Tincture)
            .or_else(|| self.rarest(Part::Tincture, tincture, |_| true))
            .unwrap_or(tincture);
        let division = said(Part::Division).unwrap_or(division);
        let emblem = Emblem { choices: [charge, tincture, shape, division], tally: 0 };
        self.given.push(emblem);
        emblem
    }

    /// Whether no emblem has this charge in this shape.
    fn free(&self, charge: usize, shape: usize) -> bool {
        self.given.iter().all(|emblem| (emblem.choices[0], emblem.choices[2]) != (charge, shape))
    }

    /// The allowed choice that the fewest emblems have, the first from `start` on.
    fn rarest(&self, part: Part, start: usize, allowed: impl Fn(usize) -> bool) -> Option<usize> {
        let uses =
            |choice| self.given.iter().filter(|emblem| emblem.choices[part as usize] == choice).count();
        let count = part.words().len();
        (start..start + count)
            .map(|choice| choice % count)
            .filter(|choice| allowed(*choice))
            .min_by_key(|choice| uses(*choice))
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

/// The charge that a word stands for.
fn by_word(word: &str) -> Option<usize> {
    CHARGES.iter().position(|charge| keys(charge).any(|key| same(word, key)))
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

/// Dots in a row at the foot of an emblem: a dashed line of round points.
fn dots(number: u8) -> String {
    let Some(gaps) = number.checked_sub(1).map(i32::from) else { return String::new() };
    let row = format!("M{} 56h{}.1", 32 - gaps * 11 / 2, gaps * 11);
    let points = |colour, width| {
        format!("<path stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"0 11\" d=\"{row}\"/>")
    };
    points(EDGE, 11) + &points("#f8e8c8", 7)
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
    fn no_word_names_two_things() {
        let mut all: Vec<_> = CHARGES.iter().flat_map(keys).collect();
        all.extend(Part::ALL[1..].iter().flat_map(|part| part.words()));
        for (at, word) in all.iter().enumerate() {
            let other = all[..at].iter().find(|other| same(word, other) || same(other, word));
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
