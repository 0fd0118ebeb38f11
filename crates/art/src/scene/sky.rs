//! The sky and what is in it.

use super::hours::mix;
use super::motif::{Layer::Sky, Motif, strip};
use super::pen::{HEIGHT, Ink, Pen, WIDTH, disc};

/// What is in the sky.
pub(crate) const MOTIFS: &[Motif] = &[
    strip(Sky, "stars", "starlight starry", "a field of stars", stars).by("night"),
    strip(Sky, "rays", "sunbeams glory", "rays that rise behind everything", rays),
    strip(Sky, "moon", "moonlight crescent", "a crescent moon with a halo", moon).by("night"),
    strip(Sky, "sun", "sunlight", "a sun, low at dawn and dusk", sun),
    strip(Sky, "aurora", "northern-lights", "curtains of light", aurora).by("night"),
    strip(Sky, "clouds", "cloud sky", "clouds with flat feet; heavy in a storm", clouds),
    strip(Sky, "lightning", "thunder spell", "a forked bolt", lightning).by("storm"),
    strip(Sky, "birds", "bird gulls crows ravens magpie flock", "a flock on the wing", birds),
];

/// The sky in bands, paler towards the horizon.
pub(crate) fn backdrop(pen: &mut Pen<'_>) {
    let [top, low] = pen.hour.sky;
    pen.blend(top, low, 0, &format!("M0 0H{WIDTH}V{HEIGHT}H0Z"));
    for band in 1..=4_u32 {
        let y = -20 + 58 * i32::try_from(band).unwrap_or(0);
        let [a, b, c] = [0; 3].map(|_| y + pen.seed.within(-22, 22));
        pen.blend(top, low, band * 25, &format!("M0 {a}C300 {b} 420 {c} 640 {y}S1010 {b} 1200 {c}V{HEIGHT}H0Z"));
    }
}

/// Where sun and moon stand, right of the middle.
pub(crate) const ASIDE: i32 = 236;

fn stars(pen: &mut Pen<'_>) {
    for (count, width) in [(46, 2), (14, 4)] {
        let dots: String = (0..count)
            .map(|_| format!("M{} {}h.01", pen.seed.within(8, WIDTH - 8), pen.seed.within(8, 210)))
            .collect();
        pen.line(Ink::Mist, width, &dots);
    }
}

fn moon(pen: &mut Pen<'_>) {
    let (x, y) = (pen.x(ASIDE), 88);
    pen.veil(Ink::Sun, 92, &disc(x, y, 92));
    pen.veil(Ink::Sun, 90, &disc(x, y, 62));
    pen.fill(Ink::Sun, &format!("M{} {}A42 42 0 1 0 {} {}A34 34 0 0 1 {0} {1}Z", x + 12, y - 40, x + 41, y + 10));
}

fn sun(pen: &mut Pen<'_>) {
    let low = ["dawn", "dusk", "amber", "moor", "ember"].contains(&pen.hour.word);
    let (x, y, radius) = (pen.x(ASIDE), if low { 178 } else { 96 }, if low { 60 } else { 46 });
    pen.veil(Ink::Sun, 84, &disc(x, y, radius * 19 / 10));
    pen.veil(Ink::Sun, 74, &disc(x, y, radius * 14 / 10));
    pen.fill(Ink::Sun, &disc(x, y, radius));
}

fn rays(pen: &mut Pen<'_>) {
    let beams: String = (0..9)
        .map(|beam| format!("M600 330L{} -40H{}Z", -900 + beam * 333, -900 + beam * 333 + 150))
        .collect();
    pen.veil(Ink::Sun, 82, &beams);
}

fn aurora(pen: &mut Pen<'_>) {
    for (y, light) in [(0, 0x7fe3b0), (-34, 0x8fd0e8), (30, 0x7fe3b0)] {
        let (x, y) = (pen.seed.within(-80, 0), y + pen.seed.within(-10, 10));
        pen.tint(light, 76, &format!("M{x} {}c160-90 300 60 500-30s380-70 780 30c-320-190-480-100-700-110s-300-60-580 110Z", 150 + y));
        pen.tint(light, 84, &format!("M{} {}c160-70 300 60 480-20s380-60 700 10c-320-110-460-50-680-50s-300-50-500 60Z", x + 40, 138 + y));
    }
}

fn clouds(pen: &mut Pen<'_>) {
    let heavy = matches!(pen.hour.word, "storm" | "grey" | "gloom");
    if heavy {
        let [top, low] = pen.hour.sky;
        pen.blend(top, low, 0, "M0 0H1200V66C1140 100 1080 64 1020 88C960 120 880 84 820 100C740 126 690 78 610 94C540 118 470 84 410 106C330 126 280 76 200 98C130 116 60 78 0 96Z");
        pen.blend(mix(top, 0, 22), low, 0, "M0 0H1200V28C1120 62 1050 26 960 48C880 70 800 34 700 52C600 70 520 30 420 54C320 74 240 30 150 50C90 64 40 40 0 50Z");
    }
    let count = if heavy { 2 } else { 4 };
    for at in 0..count {
        let x = 90 + at * 1100 / count + pen.seed.within(0, 130);
        let (y, size) = (pen.seed.within(92, 150) + i32::from(heavy) * 30, pen.seed.within(70, 120));
        pen.frame(x, y, size, |pen| {
            pen.veil(Ink::Mist, 30, "M-92 0C-98 -22 -70 -36 -52 -27C-46 -54 -4 -60 8 -34C26 -48 58 -36 58 -17C80 -20 96 -9 90 0Z");
        });
    }
}

fn lightning(pen: &mut Pen<'_>) {
    let x = pen.x(-230);
    pen.frame(x, 0, 100, |pen| {
        pen.veil(Ink::Lamp, 88, "M-120 0L-20 250L160 0Z");
        pen.fill(Ink::Lamp, "M26 0L-18 96H8L-30 168H-4L-44 262L36 142H10L46 74H20L62 0Z");
        pen.line(Ink::Lamp, 4, "M18 120L58 160L50 178L84 214M-22 166L-60 190L-56 206L-84 226");
    });
}

fn birds(pen: &mut Pen<'_>) {
    let (x, y) = (pen.x(-210), pen.seed.within(70, 100));
    let flock: String =
        [(0, 0, 16), (46, -18, 13), (-50, 16, 14), (88, 20, 11), (-96, -14, 10), (30, 34, 10)]
            .iter()
            .map(|(dx, dy, w)| {
                format!("M{} {}q{} -{w} {w} 0q{} -{w} {w} 0", x + dx - w, y + dy, w / 2, w / 2)
            })
            .collect();
    pen.at(3).line(Ink::Body, 4, &flock);
}
