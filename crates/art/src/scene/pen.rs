//! What motifs draw with: inks, places and paths.

use std::fmt::Write as _;

use super::hours::{Colour, Hour, Light, mix};
use crate::seed::Seed;

/// The width and height of a scene.
pub(crate) const WIDTH: i32 = 1200;
pub(crate) const HEIGHT: i32 = 400;

/// An ink. The first four depend on how far away the motif is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The motif itself.
    Body,
    /// Its side in shadow.
    Shade,
    /// Its side in light, and lines on it.
    Pale,
    /// Openings.
    Hole,
    /// Windows: lit when lamps are.
    Glass,
    /// Flames and lamps.
    Lamp,
    /// Roofs, banners, awnings.
    Cloth,
    /// Leaves and felt, in light and in shadow.
    Leaf,
    LeafShade,
    /// What is made of wood, in light and in shadow.
    Wood,
    WoodShade,
    /// Foam, haze, paper.
    Mist,
    /// The sky at the horizon, seen through an opening.
    Sky,
    Land,
    Water,
    Sun,
}

/// A piece of a motif that is always the same. Its point 0 0 is the middle of its foot.
pub(crate) enum Piece {
    /// A filled path.
    F(Ink, &'static str),
    /// A line of a width.
    L(Ink, i32, &'static str),
    /// A filled path that half shows what is beneath.
    V(Ink, &'static str),
    /// Light around a lamp: where, and how far it reaches.
    G(i32, i32, i32),
}

/// How far away something is: 0 on the horizon, 4 at the lower edge.
pub(crate) type Depth = usize;

/// Draws a scene, motif by motif.
pub(crate) struct Pen<'a> {
    pub(crate) hour: &'a Hour,
    pub(crate) seed: Seed,
    /// 1, or -1 where left and right are exchanged.
    pub(crate) side: i32,
    /// The words of all motifs of the scene.
    pub(crate) words: Vec<&'static str>,
    depth: Depth,
    out: String,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(hour: &'a Hour, words: Vec<&'static str>, mut seed: Seed) -> Self {
        let side = if seed.below(2) == 0 { 1 } else { -1 };
        Self { hour, seed, side, words, depth: 2, out: String::new() }
    }

    /// What has been drawn since the last time.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Whether the scene has a motif.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Whether lamps are lit.
    pub(crate) fn lit(&self) -> bool {
        self.hour.light == Light::Lamps
    }

    /// A place so far right of the middle, or left of it where sides are exchanged.
    pub(crate) fn x(&self, right: i32) -> i32 {
        WIDTH / 2 + right * self.side
    }

    /// From now on draws at this depth.
    pub(crate) fn at(&mut self, depth: Depth) -> &mut Self {
        self.depth = depth;
        self
    }

    /// The colour of what stands at a depth, in percent of the way to the front.
    fn stands(&self, percent: u32) -> Colour {
        let [far, middle, front] = self.hour.stands;
        let percent = percent.min(100);
        if percent < 50 { mix(far, middle, percent * 2) } else { mix(middle, front, percent * 2 - 100) }
    }

    fn colour(&self, ink: Ink) -> Colour {
        let depth = u32::try_from(self.depth).unwrap_or(4) * 25;
        let hour = self.hour;
        match ink {
            Ink::Body => self.stands(depth),
            Ink::Shade if self.depth >= 4 => mix(self.stands(100), 0, 35),
            Ink::Shade => self.stands(depth + 16),
            Ink::Pale => mix(
                self.stands(depth),
                self.stands(depth.saturating_sub(45)),
                if self.depth == 0 { 0 } else { 60 },
            ),
            Ink::Hole => mix(self.stands(100), self.stands(depth), 15),
            Ink::Glass if self.lit() => hour.lamp,
            Ink::Glass => self.stands(depth + 30),
            Ink::Lamp => hour.lamp,
            Ink::Cloth => mix(hour.cloth, self.stands(depth), 20),
            Ink::Leaf => mix(0x5b8340, self.stands(depth + 8), 52),
            Ink::LeafShade => mix(0x3c6232, self.stands(depth + 24), 60),
            Ink::Wood => mix(0x8f6038, self.stands(depth + 4), 52),
            Ink::WoodShade => mix(0x5f3d22, self.stands(depth + 22), 56),
            Ink::Mist => hour.mist,
            Ink::Sky => hour.sky[1],
            Ink::Land => hour.land,
            Ink::Water => hour.water,
            Ink::Sun => hour.sun,
        }
    }

    pub(crate) fn fill(&mut self, ink: Ink, path: &str) {
        let colour = self.colour(ink);
        self.paint(colour, "", path);
    }

    /// A line. Its ends and corners are round.
    pub(crate) fn line(&mut self, ink: Ink, width: i32, path: &str) {
        let colour = self.colour(ink);
        self.stroke(colour, width, path);
    }

    /// A line in a colour.
    pub(crate) fn stroke(&mut self, colour: Colour, width: i32, path: &str) {
        let _ = write!(
            self.out,
            "<path fill=\"none\" stroke=\"#{colour:06x}\" stroke-width=\"{width}\" d=\"{path}\"/>"
        );
    }

    /// A filled path through which so many percent of what is beneath can be seen.
    pub(crate) fn veil(&mut self, ink: Ink, clear: i32, path: &str) {
        let colour = self.colour(ink);
        self.tint(colour, clear, path);
    }

    /// A path in a colour between two inks.
    pub(crate) fn blend(&mut self, from: Colour, to: Colour, percent: u32, path: &str) {
        self.paint(mix(from, to, percent), "", path);
    }

    /// A filled path in a colour, through which so many percent of what is beneath can be seen.
    pub(crate) fn tint(&mut self, colour: Colour, clear: i32, path: &str) {
        self.paint(colour, &format!(" opacity=\".{:02}\"", (100 - clear).clamp(0, 99)), path);
    }

    fn paint(&mut self, colour: Colour, more: &str, path: &str) {
        let _ = write!(self.out, "<path fill=\"#{colour:06x}\"{more} d=\"{path}\"/>");
    }

    /// Light around a lamp, if lamps are lit.
    pub(crate) fn glow(&mut self, x: i32, y: i32, reach: i32) {
        self.glows(&[(x, y)], reach);
    }

    /// Light around lamps, if lamps are lit.
    pub(crate) fn glows(&mut self, lamps: &[(i32, i32)], reach: i32) {
        if self.lit() {
            for (reach, clear) in [(reach, 88), (reach * 6 / 10, 84)] {
                let discs: String = lamps.iter().map(|(x, y)| disc(*x, *y, reach)).collect();
                self.veil(Ink::Lamp, clear, &discs);
            }
        }
    }

    /// What lies between the outlines of a path.
    pub(crate) fn ring(&mut self, ink: Ink, path: &str) {
        let colour = self.colour(ink);
        self.paint(colour, " fill-rule=\"evenodd\"", path);
    }

    /// Draws pieces with their foot at a place, in a size in percent.
    pub(crate) fn put(&mut self, pieces: &[Piece], x: i32, y: i32, size: i32) {
        self.frame(x, y, size, |pen| {
            for piece in pieces {
                match piece {
                    Piece::F(ink, path) => pen.fill(*ink, path),
                    Piece::L(ink, width, path) => pen.line(*ink, *width, path),
                    Piece::V(ink, path) => pen.veil(*ink, 55, path),
                    Piece::G(x, y, reach) => pen.glow(*x, *y, *reach),
                }
            }
        });
    }

    /// Draws with point 0 0 at a place, in a size in percent.
    pub(crate) fn frame(&mut self, x: i32, y: i32, size: i32, draw: impl FnOnce(&mut Self)) {
        let scale =
            if size == 100 { String::new() } else { format!(" scale({}.{:02})", size / 100, size % 100) };
        let _ = write!(self.out, "<g transform=\"translate({x} {y}){scale}\">");
        draw(self);
        self.out.push_str("</g>");
    }
}

/// A disc as a path.
pub(crate) fn disc(x: i32, y: i32, radius: i32) -> String {
    format!("M{x} {}a{radius} {radius} 0 1 0 .01 0Z", y - radius)
}
