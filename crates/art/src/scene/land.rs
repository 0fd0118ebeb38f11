//! The horizon, the ground and the water, each over the whole width.

use super::hours::mix;
use super::motif::Layer::{Far, Ground, Water};
use super::motif::{Motif, strip};
use super::pen::{HEIGHT, Ink, Pen, WIDTH};

/// What lies far away, and what everything stands on.
pub(crate) const MOTIFS: &[Motif] = &[
    strip(Far, "mountains", "peaks alps fell", "a range with snow on it", mountains),
    strip(Far, "volcano", "crater lava", "a mountain that burns", volcano).by("ember"),
    strip(Far, "hills", "downs valley", "two rows of soft hills", hills),
    strip(Far, "mesa", "butte badlands canyon", "flat-topped rocks", mesa).by("dry"),
    strip(Far, "cliffs", "gorge ravine", "cliffs on both sides", cliffs),
    strip(Far, "forest", "wood", "two rows of firs", forest),
    strip(Far, "city", "town roofline", "roofs, spires and lit windows far away", city),
    strip(Far, "skyline", "skyscraper downtown", "high flat buildings with rows of windows", skyline).by("neon"),
    strip(Far, "smoke", "burning war", "columns of smoke on the horizon", smoke),
    strip(Ground, "ground", "earth", "bare ground", ground),
    strip(Ground, "meadow", "grassland pasture lawn", "grass with flowers", meadow),
    strip(Ground, "fields", "plough farm furrow", "ploughed land in strips", fields),
    strip(Ground, "terraces", "vineyard", "walled steps up a slope", terraces),
    strip(Ground, "dunes", "sand", "waves of sand", dunes).by("dry"),
    strip(Ground, "marsh", "swamp fen mud mire peat", "wet ground with pools", marsh),
    strip(Ground, "square", "plaza courtyard yard pavement", "a paved place", square),
    strip(Ground, "road", "path track lane highway", "a road that leads away", road),
    strip(Ground, "causeway", "dyke dam embankment mole", "a raised stone road between waters", causeway),
    strip(Ground, "planks", "boardwalk jetty pier", "a road of planks over wet ground", planks),
    strip(Ground, "railway", "rail", "rails that lead away", railway),
    strip(Ground, "seabed", "reservoir", "rippled sand under water, with light from above", seabed).by("deep"),
    strip(Water, "sea", "ocean waters coast bay", "the sea up to the horizon", sea),
    strip(Water, "lake", "pond mere tarn", "a lake between shores", lake),
    strip(Water, "river", "stream water canal bank", "a river across the picture", river),
    strip(Water, "ford", "crossing shallows", "a river with stones to cross it", ford),
    strip(Water, "harbour", "harbor port quay dock wharf", "a quay with masts behind it", harbour),
];

/// A soft line of hills from left to right: heights between `low` and `high`.
fn rolling(pen: &mut Pen<'_>, low: i32, high: i32, hills: i32) -> String {
    let step = WIDTH / hills;
    let (mut y, mut up) = (pen.seed.within(high, low), pen.seed.below(2) == 0);
    let mut line = format!("M-10 {y}");
    for hill in 0..=hills {
        let next = if up { high } else { low } + pen.seed.within(-9, 9);
        let (from, to) = (hill * step - step / 2, hill * step + step / 2);
        line += &format!("C{} {y} {} {next} {to} {next}", from + step * 45 / 100, to - step * 45 / 100);
        (y, up) = (next, !up);
    }
    line
}

/// The same down to the lower edge.
fn below(line: &str) -> String {
    format!("{line}V{HEIGHT}H-10Z")
}

fn hills(pen: &mut Pen<'_>) {
    let line = rolling(pen, 246, 176, 4);
    pen.fill(Ink::Body, &below(&line));
    let line = rolling(pen, 268, 222, 5);
    pen.at(1).fill(Ink::Pale, &below(&line));
}

fn mountains(pen: &mut Pen<'_>) {
    let mut x = -60;
    let (mut body, mut shade, mut snow) = (String::from("M-60 400"), String::new(), String::new());
    while x < WIDTH + 60 {
        let (half, high) = (pen.seed.within(70, 130), pen.seed.within(64, 176));
        let (top, y) = (x + half, 250 - high);
        body += &format!("L{x} 250L{top} {y}");
        let bend = pen.seed.within(10, 26);
        shade += &format!("M{top} {y}L{} 250H{}L{} {}L{} {}Z", top + half, top + bend, top - bend / 2, y + high / 2, top + bend, y + high / 4 );
        if high > 100 {
            let h = high * 3 / 10;
            let w = half * 3 / 10;
            snow += &format!("M{top} {y}L{} {}L{} {}L{} {}L{} {}L{} {}Z", top + w, y + h, top + w / 3, y + h * 7 / 10, top, y + h * 11 / 10, top - w / 2, y + h * 7 / 10, top - w, y + h );
        }
        x = top + half * 6 / 10;
    }
    pen.fill(Ink::Body, &format!("{body}L{x} 250V400Z"));
    pen.fill(Ink::Shade, &shade);
    pen.veil(Ink::Mist, 20, &snow);
}

fn volcano(pen: &mut Pen<'_>) {
    let x = pen.x(-60);
    pen.frame(x, 252, 100, |pen| {
        pen.veil(Ink::Body, 30, "M-30 -170C-80 -200 -60 -240 -10 -236C-20 -270 60 -280 80 -240C140 -250 160 -200 110 -180C90 -160 60 -168 40 -166Z");
        pen.fill(Ink::Body, "M-560 150V20C-300 0 -130 -90 -66 -172L-40 -160L-6 -168L30 -158L62 -172C130 -90 300 0 560 20V150Z");
        pen.fill(Ink::Shade, "M62 -172C130 -90 300 0 560 20V30H120C90 -60 60 -110 30 -158Z");
        pen.fill(Ink::Lamp, "M-40 -160L-6 -168L30 -158C20 -130 34 -110 24 -84C18 -60 30 -40 26 -16C10 -40 12 -62 4 -84C-4 -66 -8 -60 -18 -40C-22 -66 -10 -84 -18 -106C-22 -128 -34 -140 -40 -160Z");
    });
    pen.glow(x, 80, 120);
}

fn mesa(pen: &mut Pen<'_>) {
    let wide = "M-190 40L-176 0L-150 -18L-142 -96L-128 -104H120L138 -92L146 -20L176 0L200 40Z";
    let shade = "M40 -104H120L138 -92L146 -20L176 0L200 40H60L48 -18Z";
    let small = "M-70 40L-58 -4L-40 -16L-36 -70L-28 -78H24L34 -68L38 -16L56 -4L70 40Z";
    let small_shade = "M4 -78H24L34 -68L38 -16L56 -4L70 40H14Z";
    for (right, y, size, body, dark) in [
        (-330, 240, 100, wide, shade),
        (110, 244, 80, small, small_shade),
        (400, 246, 112, wide, shade),
        (-60, 246, 70, small, small_shade),
    ] {
        let x = pen.x(right);
        pen.frame(x, y, size, |pen| {
            pen.fill(Ink::Body, body);
            pen.fill(Ink::Shade, dark);
            pen.line(Ink::Pale, 3, "M-30 -62H-8M-24 -40H2M-34 -18H-14");
        });
    }
}

fn cliffs(pen: &mut Pen<'_>) {
    pen.at(1);
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        let at = |points: &[(i32, i32)]| -> String {
            let line: Vec<String> = points.iter().map(|(right, y)| format!("{} {y}", x(*right))).collect();
            format!("M{}", line.join("L"))
        };
        pen.fill(Ink::Pale, &(at(&[(620, 60), (480, 74), (440, 66), (404, 128), (360, 140), (330, 240), (290, 262), (270, 300), (620, 400)]) + "Z"));
        pen.fill(Ink::Body, &(at(&[(620, 20), (540, 34), (516, 96), (470, 110), (456, 190), (410, 206), (396, 276), (350, 300), (620, 400)]) + "Z"));
        pen.line(Ink::Shade, 3, &(at(&[(600, 96), (548, 104)]) + &at(&[(600, 160), (500, 172)]) + &at(&[(580, 220), (474, 232)]) + &at(&[(600, 276), (440, 290)])));
    }
}

fn forest(pen: &mut Pen<'_>) {
    for (depth, base, step, high) in [(0, 262, 34, 84), (1, 280, 46, 96)] {
        let mut x = -20;
        let mut trees = format!("M-20 {HEIGHT}V{base}");
        while x < WIDTH + 20 {
            let (w, h) = (step + pen.seed.within(-8, 10), high + pen.seed.within(-34, 22));
            trees += &format!("L{} {}H{}L{} {}L{} {}H{}L{} {base}", x + w * 3 / 10, base - h * 4 / 10, x + w * 2 / 10, x + w / 2, base - h, x + w * 8 / 10, base - h * 4 / 10, x + w * 7 / 10, x + w );
            x += w;
        }
        pen.at(depth).fill(Ink::Body, &format!("{trees}V{HEIGHT}Z"));
    }
}

fn city(pen: &mut Pen<'_>) {
    let mut x = -10;
    let (mut walls, mut windows) = (format!("M-10 {HEIGHT}"), String::new());
    while x < WIDTH {
        let (w, y) = (pen.seed.within(38, 84), 262 - pen.seed.within(26, 78));
        let middle = x + w / 2;
        walls += &match pen.seed.below(7) {
            0 => format!("V{y}H{}V{}H{}V{y}H{}", middle - 14, y - 40, middle + 14, x + w),
            1 => format!("V{y}L{middle} {}L{} {y}", y - 76, x + w),
            2 => format!(
                "V{y}H{}C{} {} {} {} {} {y}H{}",
                x + 6,
                x + 6,
                y - 40,
                x + w - 6,
                y - 40,
                x + w - 6,
                x + w
            ),
            3 => format!("V{}L{} {y}", y - 18, x + w),
            _ => format!("V{y}L{middle} {}L{} {y}", y - w / 3, x + w),
        };
        if pen.seed.below(5) < 3 {
            windows += &format!("M{} {}h7v10h-7ZM{} {}h7v10h-7Z", middle - 12, y + 12, middle + 6, y + 12 + pen.seed.within(0, 1) * 20 );
        }
        x += w;
    }
    pen.fill(Ink::Body, &format!("{walls}V{HEIGHT}Z"));
    pen.fill(Ink::Glass, &windows);
}

fn skyline(pen: &mut Pen<'_>) {
    for (depth, lowest, highest) in [(0, 70, 190), (1, 40, 130)] {
        let mut x = -10;
        let (mut walls, mut windows) = (format!("M-10 {HEIGHT}"), String::new());
        while x < WIDTH {
            let (w, y) = (pen.seed.within(48, 96), 268 - pen.seed.within(lowest, highest));
            walls += &format!("V{y}H{}", x + w);
            if pen.seed.below(4) == 0 {
                walls += &format!("M{} {y}V{}h6V{y}ZM{} {y}", x + w / 2, y - 34, x + w);
            }
            for floor in 0..3 {
                windows +=
                    &format!("M{} {}h{}v6H{0}Z", x + 10, y + 14 + floor * 18, pen.seed.within(8, w - 22));
            }
            x += w;
        }
        pen.at(depth).fill(Ink::Body, &format!("{walls}V{HEIGHT}Z"));
        let ink = if depth == 0 { Ink::Glass } else { Ink::Cloth };
        pen.veil(ink, 30, &windows);
    }
}

fn smoke(pen: &mut Pen<'_>) {
    for (right, size) in [(-300, 100), (330, 80)] {
        let x = pen.x(right);
        pen.frame(x, 258, size, |pen| {
            pen.veil(Ink::Body, 30, "M-14 0C-40 -50 10 -80 -16 -130C-50 -180 -10 -240 70 -262C160 -280 220 -262 260 -240C180 -236 120 -220 90 -190C60 -150 60 -110 40 -80C24 -50 20 -20 22 0Z");
            pen.glow(4, 0, 60);
            pen.fill(Ink::Lamp, "M-26 6C-34 -14 -16 -20 -14 -40C0 -30 2 -20 4 -12C10 -20 12 -26 12 -32C26 -18 30 -6 24 6Z");
        });
    }
}

/// Bare ground: two bands, darker in front.
fn ground(pen: &mut Pen<'_>) {
    let line = rolling(pen, 282, 270, 3);
    pen.fill(Ink::Land, &below(&line));
    earth(pen, 18, "M-10 340C260 322 480 350 760 336S1080 330 1210 344V400H-10Z");
}

/// Ground that is so many percent darker than its first band.
fn earth(pen: &mut Pen<'_>, percent: u32, path: &str) {
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.blend(land, front, percent, path);
}

fn meadow(pen: &mut Pen<'_>) {
    ground(pen);
    let tufts: String = (0..26)
        .map(|_| format!("M{} {}l3-9l4 9", pen.seed.within(0, WIDTH), pen.seed.within(292, 392)))
        .collect();
    let (land, front) = (pen.hour.land, pen.hour.stands[1]);
    let colour = mix(land, front, 45);
    pen.stroke(colour, 3, &tufts);
    for ink in [Ink::Cloth, Ink::Mist] {
        let flowers: String = (0..12)
            .map(|_| format!("M{} {}h.01", pen.seed.within(0, WIDTH), pen.seed.within(300, 392)))
            .collect();
        pen.line(ink, 6, &flowers);
    }
}

fn fields(pen: &mut Pen<'_>) {
    ground(pen);
    for strip in 0..6 {
        let (a, b) = (330 + strip * 90, -500 + strip * 370);
        earth(pen, 14, &format!("M{a} 274H{}L{} 400H{b}Z", a + 44, b + 180));
    }
    let furrows: String =
        (0..22).map(|at| format!("M{} 278L{} 400", 330 + at * 25, -450 + at * 100)).collect();
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.stroke(mix(land, front, 34), 2, &furrows);
    let hedge: String = (0..24).map(|at| format!("M{} 272h.01", at * 52 + pen.seed.within(0, 20))).collect();
    pen.at(1).line(Ink::Body, 18, &hedge);
}

fn terraces(pen: &mut Pen<'_>) {
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    let mut y = 222;
    for step in 0..5_u32 {
        let (left, right) = (y - pen.x(60) + 600, y + pen.x(60) - 600);
        let edge = format!("M-10 {left}C300 {} 700 {} 1210 {right}", left - 24, right + 28);
        earth(pen, step * 9, &below(&edge));
        pen.stroke(mix(land, front, 26 + step * 6), 6, &edge);
        let plants: String = (0..9).map(|_| format!("M{} {}h.01", pen.seed.within(0, WIDTH), y + pen.seed.within(14, 26))).collect();
        pen.at(1 + step as usize / 2).line(Ink::Leaf, 9, &plants);
        y += 34;
    }
}

fn dunes(pen: &mut Pen<'_>) {
    for (at, y) in [(0_u32, 236), (1, 280), (2, 330)] {
        let x = pen.x(-200 + i32::try_from(at).unwrap_or(0) * 190);
        earth(pen, at * 10, &format!("M-10 {}C{} {} {} {y} {x} {y}C{} {} {} {} 1210 {}V400H-10Z", y + 34, x - 420, y + 30, x - 150, x + 120, y + 30, x + 300, y + 50, y + 26 ));
        earth(pen, 14 + at * 10, &format!("M{x} {y}C{} {} {} {} {} {}C{} {} {} {} {x} {y}Z", x + 120, y + 30, x + 300, y + 50, x + 560, y + 36, x + 330, y + 70, x + 60, y + 62 ));
    }
}

fn marsh(pen: &mut Pen<'_>) {
    ground(pen);
    let pools: String = (0..7)
        .map(|at| {
            let (y, w) = (292 + at * 15, 60 + at * 14);
            let x = pen.seed.within(0, WIDTH);
            format!("M{} {y}q{w} -{} {} 0q-{w} {} -{2} 0Z", x - w, 6 + at, w * 2, 8 + at)
        })
        .collect();
    pen.fill(Ink::Water, &pools);
    let tufts: String = (0..24)
        .map(|_| {
            format!("M{} {}l-4-12m6 12v-16m3 16l5-12", pen.seed.within(0, WIDTH), pen.seed.within(296, 384))
        })
        .collect();
    pen.at(3).line(Ink::Pale, 3, &tufts);
}

fn square(pen: &mut Pen<'_>) {
    pen.fill(Ink::Land, "M-10 278H1210V400H-10Z");
    earth(pen, 16, "M-10 356H1210V400H-10Z");
    let joints: String =
        (-9..=9).map(|at| format!("M{} 278L{} 400", 600 + at * 66, 600 + at * 150)).collect();
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.stroke(mix(land, front, 26), 2, &format!("{joints}M0 292H1200M0 312H1200M0 340H1200M0 378H1200"));
}

fn road(pen: &mut Pen<'_>) {
    ground(pen);
    let (land, mist, front) = (pen.hour.land, pen.hour.mist, pen.hour.stands[2]);
    let x = pen.x(80);
    pen.blend(land, mist, 42, &format!("M{} 276C{} 292 520 312 640 336S600 376 420 402H860C900 376 850 350 760 328S{} 290 {} 276Z", x - 14, x - 60, x + 10, x + 10 ));
    pen.stroke(mix(land, front, 30), 3, "M600 400C690 380 730 366 724 350M560 398q30-8 54-16");
}

fn causeway(pen: &mut Pen<'_>) {
    pen.fill(Ink::Water, "M-10 262H1210V400H-10Z");
    glints(pen, 270, 396, 16);
    pen.at(2).fill(Ink::Body, "M552 262H648L1010 400H190Z");
    pen.fill(Ink::Pale, "M560 262H640L930 400H270Z");
    pen.line(Ink::Body, 3, "M548 280H652M528 302H672M496 330H704M452 366H748M600 262V280M584 280V302M622 302V330M570 330V366M640 366V400");
}

fn planks(pen: &mut Pen<'_>) {
    marsh(pen);
    pen.at(2).fill(Ink::WoodShade, "M560 274H640L900 408H300Z");
    pen.fill(Ink::Wood, "M564 272H636L880 400H320Z");
    pen.line(Ink::WoodShade, 4, "M552 280H648M536 290H664M516 302H684M492 316H708M464 332H736M430 352H770M390 376H810");
    pen.at(3).line(Ink::WoodShade, 7, "M300 400V356M396 352V320M466 320V294M900 400V356M804 352V320M734 320V294");
}

fn railway(pen: &mut Pen<'_>) {
    ground(pen);
    pen.at(3).fill(Ink::Pale, "M578 276H622L820 400H380Z");
    pen.line(Ink::Body, 6, "M574 284H626M560 296H640M542 312H658M518 332H682M486 358H714M448 388H752");
    pen.at(4).line(Ink::Body, 5, "M590 276L460 400M610 276L740 400");
}

fn seabed(pen: &mut Pen<'_>) {
    pen.veil(Ink::Mist, 90, "M300 0H420L340 400H120ZM560 0H640L700 400H520ZM800 0H960L1120 400H900Z");
    let line = rolling(pen, 300, 250, 4);
    pen.fill(Ink::Pale, &below(&line));
    let line = rolling(pen, 344, 316, 3);
    pen.fill(Ink::Land, &below(&line));
    let ripples: String = (0..16)
        .map(|_| format!("M{} {}q24 -8 48 0t48 0", pen.seed.within(-20, WIDTH), pen.seed.within(352, 396)))
        .collect();
    pen.at(2).line(Ink::Body, 3, &ripples);
}

/// Lines of light on water, longer and wider apart in front.
pub(crate) fn glints(pen: &mut Pen<'_>, from: i32, to: i32, count: i32) {
    let lines: String = (0..count)
        .map(|at| {
            let y = from + (to - from) * at * at / (count * count);
            format!("M{} {y}h{}", pen.seed.within(-40, WIDTH), 30 + at * 5 + pen.seed.within(0, 50))
        })
        .collect();
    let (water, mist) = (pen.hour.water, pen.hour.mist);
    pen.stroke(mix(water, mist, 50), 3, &lines);
}

/// Water from a line down, with the path of sun or moon on it.
fn water(pen: &mut Pen<'_>, top: i32, bottom: i32) {
    pen.fill(Ink::Water, &format!("M-10 {top}H1210V{bottom}H-10Z"));
    if pen.has("moon") || pen.has("sun") {
        let x = pen.x(super::sky::ASIDE);
        let trail: String = (0..7)
            .map(|at| {
                let (y, w) = (top + 6 + (bottom - top) * at * at / 56, 20 + at * 7 + pen.seed.within(-8, 8));
                format!("M{} {y}h{}", x - w + pen.seed.within(-6, 6), w * 2)
            })
            .collect();
        pen.line(Ink::Sun, 4, &trail);
    }
    glints(pen, top + 8, bottom - 4, 18);
}

fn sea(pen: &mut Pen<'_>) {
    water(pen, 240, HEIGHT);
    let (deep, front) = (pen.hour.water, pen.hour.stands[2]);
    for (y, percent) in [(318, 14), (360, 30)] {
        let swell: String = (0..9).map(|_| "q36 -14 72 0t72 0").collect();
        let x = pen.seed.within(-80, -40);
        pen.blend(deep, front, percent, &format!("M{x} {y}{swell}V400H-80Z"));
    }
}

fn lake(pen: &mut Pen<'_>) {
    ground(pen);
    pen.fill(Ink::Water, "M-10 302C200 292 420 298 600 296S1000 290 1210 304V344C1000 372 800 352 640 366S220 380 -10 346Z");
    glints(pen, 306, 358, 12);
}

fn river(pen: &mut Pen<'_>) {
    ground(pen);
    water(pen, 300, 374);
    earth(pen, 30, "M-10 296C200 304 400 292 640 300S1020 292 1210 300V306C1000 300 800 312 600 306S200 314 -10 304Z");
    earth(pen, 30, "M-10 366C220 378 460 360 700 374S1060 362 1210 372V400H-10Z");
}

fn ford(pen: &mut Pen<'_>) {
    river(pen);
    for (right, y, w) in [(-30, 310, 26), (30, 322, 32), (-44, 338, 38), (44, 354, 44), (-30, 374, 56)] {
        let x = pen.x(right);
        earth(pen, 62, &format!("M{} {y}q{w} 18 {} 0q-{} -26 -{1} 0Z", x - w, w * 2, w));
        earth(pen, 12, &format!("M{} {y}q{w} 8 {} 0q-{} -22 -{1} 0Z", x - w, w * 2, w));
    }
}

fn harbour(pen: &mut Pen<'_>) {
    water(pen, 244, HEIGHT);
    pen.at(1);
    for right in [-500, -430, -380, 350, 410, 500] {
        let (x, h) = (pen.x(right), 110 + pen.seed.within(0, 50));
        pen.line(Ink::Body, 5, &format!("M{x} 276V{}M{} {}H{}", 276 - h, x - 26, 300 - h, x + 26));
        pen.fill(Ink::Body, &format!("M{} 268H{}L{} 286H{}Z", x - 44, x + 44, x + 32, x - 34));
    }
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.blend(land, front, 20, "M-10 318H1210V400H-10Z");
    pen.blend(land, front, 5, "M-10 318H1210V334H-10Z");
    pen.stroke(mix(land, front, 45), 3, "M0 356H1200M90 334V356M330 334V356M560 334V356M800 334V356M1040 334V356M210 356V400M460 356V400M690 356V400M930 356V400M1130 356V400");
}
