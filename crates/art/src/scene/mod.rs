//! Scenes: a picture from words.

mod hours;
mod motif;
mod pen;

// One path a line reads best, however long it is.
#[rustfmt::skip]
mod front;
#[rustfmt::skip]
mod land;
#[rustfmt::skip]
mod rooms;
#[rustfmt::skip]
mod sky;
#[rustfmt::skip]
mod things;
#[rustfmt::skip]
mod walls;

use crate::seed::Seed;
use crate::words::{Unknown, singulars, words};
use hours::{HOURS, Hour};
use motif::{Draw, Layer, Motif};
use pen::{Depth, HEIGHT, Pen, WIDTH};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A picture of a place: motifs in the inks of an hour, as words name them.
///
/// The same words and the same title give the same picture.
#[derive(Clone)]
pub struct Scene {
    hour: &'static Hour,
    motifs: Vec<&'static Motif>,
    title: String,
    unknown: Vec<String>,
}

/// A word that can be written for a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneWord {
    /// The word.
    pub word: &'static str,
    /// Other words for the same, with spaces between; may be empty.
    pub also: &'static str,
    /// What it draws, in one line.
    pub about: &'static str,
}

/// The most motifs of a scene. Words beyond them draw nothing.
const MOST: usize = 16;

/// The most bytes of a scene. A motif that would pass them is left out.
const BYTES: usize = 9000;

impl Scene {
    /// The scene that a line of words describes, such as `night moon wall gate lamps reeds`.
    ///
    /// The order of words matters only for things that stand side by side: the first is in the
    /// middle. The title chooses between variants, such as the side on which the moon stands.
    pub fn written(line: &str, title: &str) -> Self {
        let (mut hour, mut motifs, mut unknown) = (None, Vec::<&Motif>::new(), Vec::new());
        for word in words(line) {
            match known(&word) {
                Some(Known::Hour(said)) => hour = hour.or(Some(said)),
                Some(Known::Motif(motif)) => {
                    let again = motifs.iter().any(|other| other.word == motif.word);
                    motifs.extend((!again && motifs.len() < MOST).then_some(motif));
                }
                None => unknown.extend((unknown.len() < MOST).then_some(word)),
            }
        }
        let hour = hour
            .or_else(|| motifs.iter().find_map(|motif| hour_of(motif.hour)))
            .or_else(|| hour_of("indoor").filter(|_| in_room(&motifs)))
            .unwrap_or(&HOURS[0]);
        Self { hour, motifs, title: title.to_owned(), unknown }
    }

    /// The scene that a summary speaks of. `ground` is a line of words for what it leaves open: an
    /// hour if it names none, and motifs if it names fewer than three.
    pub fn summary(summary: &str, ground: &str, title: &str) -> Self {
        let said = Self::written(&format!("{title} {summary}"), title);
        let under = Self::written(ground, title);
        let hour = words(&format!("{title} {summary}")).find_map(|word| match known(&word) {
            Some(Known::Hour(hour)) => Some(hour),
            _ => None,
        });
        let mut line = vec![hour.unwrap_or(under.hour).word];
        line.extend(said.motifs.iter().map(|motif| motif.word));
        if said.motifs.len() < 3 && !in_room(&said.motifs) {
            line.extend(under.motifs.iter().map(|motif| motif.word));
        }
        Self::written(&line.join(" "), title)
    }

    /// The words of the line that name no motif and no hour, at most sixteen.
    pub fn unknown(&self) -> Vec<Unknown> {
        let known = || scene_words().map(|known| known.word);
        self.unknown.iter().map(|word| Unknown::new(word, known())).collect()
    }

    /// The line of words that gives this scene.
    pub fn line(&self) -> String {
        let words = [self.hour.word].into_iter().chain(self.motifs.iter().map(|motif| motif.word));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Draws the scene as inline SVG of at most 9 KB, without ids. Its box is 1200 by 400; in a
    /// box of another shape the middle is seen.
    ///
    /// Its colours need no style sheet. Its classes are `scene` and `hour-night`, with its hour.
    pub fn svg(&self) -> String {
        self.draw().0
    }

    /// The drawing, and the words of motifs that would have made it too long.
    fn draw(&self) -> (String, Vec<&'static str>) {
        let motifs = self.completed();
        let seed = Seed::of(&format!("{} / {}", self.title, self.line()));
        // What is outdoors is seen through the windows of a room.
        let words = self.motifs.iter().chain(&motifs).map(|motif| motif.word).collect();
        let mut pen = Pen::new(self.hour, words, seed);
        let mut svg = format!(
            "<svg class=\"scene hour-{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"xMidYMid slice\" \
             aria-hidden=\"true\" stroke-linecap=\"round\" stroke-linejoin=\"round\">",
            self.hour.word
        );
        sky::backdrop(&mut pen);
        svg += &pen.take();
        let mut left_out = Vec::new();
        for (motif, place) in placed(&motifs) {
            draw(motif, place, &mut pen);
            let drawn = pen.take();
            if svg.len() + drawn.len() + "</svg>".len() <= BYTES {
                svg += &drawn;
            } else {
                left_out.push(motif.word);
            }
        }
        (svg + "</svg>", left_out)
    }

    /// The motifs of the scene, with the ground or the room that they need.
    fn completed(&self) -> Vec<&'static Motif> {
        let any = |test: &dyn Fn(&Motif) -> bool| self.motifs.iter().any(|motif| test(motif));
        let has = |layers: &[Layer]| any(&|motif| layers.contains(&motif.layer));
        let open =
            |motif: &Motif| motif.layer <= Layer::Wall || ["rain", "snow", "fog"].contains(&motif.word);
        let inside = self.hour.word == "indoor" || in_room(&self.motifs);
        let mut motifs = self.motifs.clone();
        let mut needs = Vec::new();
        if inside {
            motifs.retain(|motif| !open(motif));
            if !has(&[Layer::Room]) {
                needs.push("room");
            }
            // What is outdoors is seen through a window.
            if any(&open) && !any(&|motif| ["window", "nave"].contains(&motif.word)) {
                needs.push("window");
            }
        } else {
            let deep = self.hour.word == "deep";
            if has(&[Layer::Afloat, Layer::Span]) && !has(&[Layer::Water]) {
                needs.push("river");
            } else if !has(&[Layer::Ground, Layer::Water]) {
                needs.push(if deep { "seabed" } else { "ground" });
            }
            if !has(&[Layer::Far, Layer::Wall]) && !deep && !any(&|motif| motif.word == "sea") {
                needs.push("hills");
            }
        }
        motifs.extend(needs.into_iter().filter_map(motif_of));
        motifs
    }
}

/// Whether the motifs are a room, or things of a room with nothing outdoors among them.
fn in_room(motifs: &[&Motif]) -> bool {
    let outdoors =
        motifs.iter().any(|motif| !motif.inside && (Layer::Ground..=Layer::Afloat).contains(&motif.layer));
    motifs.iter().any(|motif| motif.layer == Layer::Room)
        || motifs.iter().any(|motif| motif.inside) && !outdoors
}

/// Where a motif is drawn: how far right of the middle, how low, in what size in percent, and
/// how far away.
#[derive(Clone, Copy)]
struct Place {
    right: i32,
    y: i32,
    size: i32,
    depth: Depth,
}

/// The motifs from back to front, each with its place.
fn placed(motifs: &[&'static Motif]) -> Vec<(&'static Motif, Place)> {
    let has = |layer: Layer| motifs.iter().any(|motif| motif.layer == layer);
    let (water, room) = (has(Layer::Water), has(Layer::Room));
    let of = |layers: &[Layer]| -> Vec<&'static Motif> {
        motifs.iter().copied().filter(|motif| motif.width > 0 && layers.contains(&motif.layer)).collect()
    };
    let span = has(Layer::Span);
    let mut middle = if span {
        // On the bridge, and beneath it.
        let mut on_bridge = row(&of(&[Layer::Middle]), 350, 74);
        on_bridge.iter_mut().for_each(|(_, right, _)| *right = -*right);
        on_bridge.extend(row(&of(&[Layer::Afloat]), 0, 72));
        on_bridge
    } else {
        row(&of(&[Layer::Middle, Layer::Afloat]), 0, 100)
    };
    if let ([(only, _, size)], false) = (&mut middle[..], span) {
        // What stands alone is the picture: it may be bigger.
        *size = if only.width < 330 && !room { 122 } else { 106 };
    }
    let core: i32 = middle.iter().map(|(motif, _, size)| motif.width * size / 100).sum();
    let back =
        row(&of(&[Layer::Back]), if room { core / 2 } else { core * 3 / 4 }, if room { 100 } else { 86 });
    let mut near = row(&of(&[Layer::Near]), core * 6 / 10, 100);
    if !span {
        let ends = |row: &[(&Motif, i32, i32)]| {
            let reach = |(motif, right, size): &(&Motif, i32, i32)| (*right, motif.width * size / 200);
            let left = row.iter().map(reach).map(|(right, half)| right - half).min();
            left.zip(row.iter().map(reach).map(|(right, half)| right + half).max())
        };
        if let (Some((a, b)), Some((c, d))) = (ends(&middle), ends(&near)) {
            // The group as a whole comes nearer to the middle.
            let (left, right) = (a.min(c), b.max(d));
            let shift = (-(left + right) / 3).max(-WIDTH / 2 - left).min(WIDTH / 2 - right);
            middle.iter_mut().chain(&mut near).for_each(|(_, right, _)| *right += shift);
        }
    }
    let mut rows: Vec<_> = middle.into_iter().chain(back).chain(near).collect();
    rows.extend(of(&[Layer::Span]).into_iter().map(|motif| (motif, 0, 100)));

    let mut placed: Vec<(&Motif, Place)> = motifs
        .iter()
        .map(|motif| {
            let (y, depth) = match motif.layer {
                Layer::Sky | Layer::Far => (0, 0),
                Layer::Ground | Layer::Water | Layer::Wall | Layer::Room => (0, 1),
                Layer::Back if room => (304, 2),
                Layer::Back if water => (264, 1),
                Layer::Back => (276, 1),
                Layer::Span => (346, 2),
                Layer::Middle if span => (212, 2),
                Layer::Middle if water => (300, 2),
                Layer::Middle => (332, 2),
                Layer::Afloat if span => (370, 3),
                Layer::Afloat => (346, 2),
                Layer::Hanging => (0, 3),
                Layer::Near => (368, 3),
                Layer::Front | Layer::Air => (0, 4),
            };
            let at = rows.iter().find(|(other, ..)| other.word == motif.word);
            let (right, size) = at.map_or((0, 100), |(_, right, size)| (*right, *size));
            (*motif, Place { right, y, size, depth })
        })
        .collect();
    placed.sort_by_key(|(motif, _)| motif.layer);
    placed
}

/// Puts things side by side: how far right of the middle each stands, and its size in percent.
/// The first is in the middle, or beside `core`, the width of what stands there already.
fn row(things: &[&'static Motif], core: i32, size: i32) -> Vec<(&'static Motif, i32, i32)> {
    const GAP: i32 = 36;
    const EDGE: i32 = WIDTH / 2;
    let total: i32 = things.iter().map(|motif| motif.width + GAP).sum::<i32>() + core;
    let size = (100 * (WIDTH - 40) / total.max(1)).clamp(50, size);
    let (mut left, mut right) = (-core / 2, core / 2);
    let mut row = Vec::new();
    for motif in things {
        let width = (motif.width + GAP) * size / 100;
        let x = if left == right {
            (left, right) = (-width / 2, width / 2);
            0
        } else if right <= -left {
            right += width;
            right - width / 2
        } else {
            left -= width;
            left + width / 2
        };
        row.push((*motif, x, size));
    }
    for (_, x, _) in &mut row {
        *x += if core == 0 {
            // The row as a whole comes nearer to the middle.
            -(left + right) / 3
        } else if *x > 0 {
            (EDGE - right).min(0)
        } else {
            (-EDGE - left).max(0)
        };
    }
    row
}

fn draw(motif: &Motif, place: Place, pen: &mut Pen<'_>) {
    let (x, y, size) = (pen.x(place.right), place.y, place.size);
    pen.at(place.depth);
    match motif.draw {
        Draw::Pieces(pieces) => pen.put(pieces, x, y, size),
        Draw::Code(draw) if motif.width > 0 => pen.frame(x, y, size, draw),
        Draw::Code(draw) => draw(pen),
    }
}

/// Every motif.
fn motifs() -> impl Iterator<Item = &'static Motif> {
    [sky::MOTIFS, land::MOTIFS, walls::MOTIFS, things::MOTIFS, rooms::MOTIFS, front::MOTIFS]
        .into_iter()
        .flatten()
}

/// What a word stands for.
#[derive(Clone, Copy)]
enum Known {
    Hour(&'static Hour),
    Motif(&'static Motif),
}

/// What a word, or its singular, stands for.
fn known(word: &str) -> Option<Known> {
    static KNOWN: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
        let hours = HOURS.iter().map(|hour| (hour.word, hour.also, Known::Hour(hour)));
        let motifs = motifs().map(|motif| (motif.word, motif.also, Known::Motif(motif)));
        let all = hours.chain(motifs);
        all.flat_map(|(word, also, known)| {
            [word].into_iter().chain(also.split(' ')).map(move |word| (word, known))
        })
        .collect()
    });
    singulars(word).find_map(|word| KNOWN.get(word.as_ref()).copied())
}

fn motif_of(word: &str) -> Option<&'static Motif> {
    motifs().find(|motif| motif.word == word)
}

fn hour_of(word: &str) -> Option<&'static Hour> {
    HOURS.iter().find(|hour| hour.word == word)
}

/// The words that can be written for a scene: first the hours, then the motifs from back to
/// front.
pub fn scene_words() -> impl Iterator<Item = SceneWord> {
    let hours = HOURS.iter().map(|hour| SceneWord { word: hour.word, also: hour.also, about: hour.about });
    hours.chain(motifs().map(|motif| SceneWord { word: motif.word, also: motif.also, about: motif.about }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn no_word_stands_for_two_things() {
        let mut all: Vec<_> = scene_words()
            .flat_map(|known| [known.word].into_iter().chain(known.also.split_whitespace()))
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|word| words(word).collect::<Vec<_>>() == [*word]), "each can be written");
    }

    #[test]
    fn motifs_are_many_and_their_hours_exist() {
        assert!(motifs().count() >= 45);
        for motif in motifs() {
            assert!(motif.hour.is_empty() || hour_of(motif.hour).is_some(), "{}", motif.word);
            let thing =
                [Layer::Span, Layer::Back, Layer::Middle, Layer::Afloat, Layer::Near].contains(&motif.layer);
            assert_eq!(motif.width > 0, thing, "{}: things have a width", motif.word);
        }
    }

    /// The words of what is drawn in the end.
    fn drawn(line: &str) -> String {
        let scene = Scene::written(line, "");
        let motifs: Vec<_> = placed(&scene.completed()).iter().map(|(motif, _)| motif.word).collect();
        format!("{}: {}", scene.hour.word, motifs.join(" "))
    }

    #[test]
    fn scenes_get_what_they_need() {
        assert_eq!(drawn(""), "day: hills ground");
        assert_eq!(drawn("gate moon wall"), "night: moon ground wall gate");
        assert_eq!(drawn("barge"), "day: hills river barge");
        assert_eq!(drawn("fish deep"), "deep: seabed fish");
        assert_eq!(drawn("table"), "indoor: room table");
        assert_eq!(drawn("gloom hall rain fireplace hills"), "gloom: hall fireplace window");
        assert_eq!(drawn("nave rain"), "storm: nave");
        assert_eq!(drawn("well table"), "day: hills ground well table");
    }

    #[test]
    fn the_bundled_encounters_are_drawn_whole() {
        let folder =
            |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let content = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../content"));
        let mut count = 0;
        for file in folder(content).flat_map(|system| folder(&system.join("encounters"))) {
            let text = fs::read_to_string(&file).expect("an encounter");
            let line = text.lines().find_map(|line| line.strip_prefix("picture = ")).expect("a picture");
            assert_eq!(Scene::written(line, "").draw().1, [""; 0], "{}", file.display());
            count += 1;
        }
        assert!(count > 20, "{count}");
        let heavy = "night city roofs ships lanterns moths spears crowd waterweed balustrade";
        assert!(!Scene::written(heavy, "").draw().1.is_empty());
    }

    #[test]
    fn things_stand_apart() {
        for line in
            ["well tree", "well tree hut cart", "bridge fire barge", "castle mill gate barrels crates graves"]
        {
            let mut ends: Vec<_> = placed(&Scene::written(line, "").motifs)
                .into_iter()
                .filter(|(motif, _)| motif.width > 0 && motif.layer != Layer::Span)
                .map(|(motif, place)| {
                    let half = motif.width * place.size / 200;
                    (motif.layer, place.right - half, place.right + half)
                })
                .collect();
            assert!(ends.iter().all(|(_, left, right)| *left >= -600 && *right <= 600), "{line} {ends:?}");
            ends.sort();
            for pair in ends.windows(2) {
                assert!(pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1, "{line} {pair:?}");
            }
        }
    }

    #[test]
    fn a_summary_leaves_the_rest_to_the_ground() {
        let line = |text, title| Scene::summary(text, "dusk forest river", title).line();
        assert_eq!(line("A talk.", "Nothing"), "dusk forest river");
        assert_eq!(line("By night at the old mill.", "The Well"), "night well mill forest river");
        assert_eq!(line("A tower, a gate and a wall.", "X"), "dusk tower gate wall");
        assert_eq!(line("One chest of papers.", "The Library"), "dusk library chest desk");
    }
}
