//! What is in front of everything: the lower edge and the air.

use super::motif::Layer::{Air, Front};
use super::motif::{Motif, strip};
use super::pen::{Ink, Pen, WIDTH, disc};

/// What stands along the lower edge, and what is in the air.
pub(crate) const MOTIFS: &[Motif] = &[
    strip(Front, "reeds", "reed rushes sedge", "reeds, higher at the sides", reeds),
    strip(Front, "grass", "weeds moorland", "long grass", grass),
    strip(Front, "corn", "wheat harvest grain barley", "ears of corn", corn),
    strip(Front, "thorns", "briars brambles hedge thicket", "a tangle of thorns at the sides", thorns),
    strip(Front, "waterweed", "kelp seaweed weed", "weed that sways under water", waterweed).by("deep"),
    strip(Front, "rocks", "rock boulders rubble scree", "rocks at the sides", rocks),
    strip(Front, "waves", "wave surf tide swell", "waves along the edge", waves),
    strip(Front, "steps", "step landing threshold", "broad steps of stone", steps),
    strip(Front, "fence", "railing hurdle", "a wooden fence", fence),
    strip(Front, "balustrade", "terrace-rail gallery balcony", "a stone rail, as of a gallery", balustrade),
    strip(Front, "crowd", "guests audience people throng mob", "heads of many people", crowd),
    strip(Front, "spears", "spear pikes host army soldiers levies", "a rank of helmets and spears", spears),
    strip(Front, "bars", "prison cell jail cage", "the bars of a cell", bars),
    strip(Air, "rain", "downpour drizzle wet", "rain; from a room, at the window", rain).by("storm"),
    strip(Air, "snow", "snowfall blizzard", "falling snow; from a room, at the window", snow).by("winter"),
    strip(Air, "fog", "haze mists vapour", "bands of fog over the ground", fog),
    strip(Air, "leaves", "leaf leaf-fall", "leaves in the wind", leaves),
    strip(Air, "embers", "sparks cinders ash", "sparks that rise", embers).by("ember"),
    strip(Air, "moths", "moth butterflies wings", "moths around the light", moths).by("night"),
    strip(Air, "fish", "shoal", "fish: they swim under water, and hang on a line elsewhere", fish),
    strip(Air, "bubbles", "breath", "bubbles that rise", bubbles).by("deep"),
];

/// How much higher something is at the sides than in the middle, up to `most`.
fn aside(x: i32, most: i32) -> i32 {
    let away = (x - WIDTH / 2).abs();
    most * away / (WIDTH / 2)
}

fn reeds(pen: &mut Pen<'_>) {
    let (mut stems, mut heads) = (String::new(), String::new());
    let mut x = -10;
    while x < WIDTH {
        let high = 34 + aside(x, 96) + pen.seed.within(-14, 26);
        let lean = pen.seed.within(-16, 16);
        stems += &format!("M{x} 404q{} -{} {lean} -{high}", lean / 4, high / 2);
        if pen.seed.below(3) == 0 {
            heads += &format!("M{} {}v-20", x + lean, 402 - high);
        }
        x += pen.seed.within(12, 36) - aside(x, 8);
    }
    pen.line(Ink::Body, 4, &stems);
    pen.line(Ink::Body, 9, &heads);
}

fn grass(pen: &mut Pen<'_>) {
    let mut blades = String::from("M-10 404V380");
    let mut x = -10;
    while x < WIDTH + 10 {
        let (high, step) = (12 + aside(x, 24) + pen.seed.within(-6, 12), pen.seed.within(9, 22));
        blades += &format!("L{} {}L{} {}", x + step / 2 + pen.seed.within(-5, 5), 384 - high, x + step, 380 + pen.seed.within(0, 5) );
        x += step;
    }
    pen.fill(Ink::LeafShade, &format!("{blades}V404Z"));
}

fn corn(pen: &mut Pen<'_>) {
    let (mut stems, mut ears) = (String::new(), String::new());
    let mut x = 0;
    while x < WIDTH {
        let (high, lean) = (44 + aside(x, 60) + pen.seed.within(-10, 16), pen.seed.within(4, 18));
        stems += &format!("M{x} 404q0 -{} {lean} -{high}", high / 2);
        ears += &format!("M{} {}l5-18", x + lean, 406 - high);
        x += pen.seed.within(18, 32);
    }
    pen.at(3).line(Ink::Leaf, 4, &stems);
    pen.line(Ink::Lamp, 8, &ears);
}

fn thorns(pen: &mut Pen<'_>) {
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        pen.line(Ink::Body, 9, &format!("M{} 410C{} 300 {} 240 {} 300S{} 400 {} 330M{} 410C{} 330 {} 300 {} 340S{} 400 {} 372", x(600), x(560), x(460), x(440), x(400), x(360), x(500), x(470), x(420), x(380), x(330), x(290) ));
        let spikes: String = [(566, 334, 14), (530, 290, -10), (480, 268, 12), (446, 296, -16), (424, 338, 14), (470, 364, 12), (430, 322, -12), (386, 344, 12), (352, 374, -12)]
        .iter()
        .map(|(right, y, dx)| format!("M{} {y}l{dx}-16", x(*right)))
        .collect();
        pen.line(Ink::Body, 5, &spikes);
    }
}

fn waterweed(pen: &mut Pen<'_>) {
    for (depth, step, most) in [(3, 90, 150), (4, 62, 110)] {
        let mut blades = String::new();
        for at in 0..=WIDTH / step {
            let (x, high) = (at * step + pen.seed.within(-14, 14), 30 + aside(at * step, most) + pen.seed.within(0, 30));
            let (sway, third) = (pen.seed.within(12, 26) * (1 - 2 * (at % 2)), high / 3);
            blades += &format!("M{x} 404c{} -{third} {sway} -{} 0 -{high}c{} {third} {} {} 15 {high}Z", -sway, third * 2, sway + 14, 8 - sway, third * 2);
        }
        pen.at(depth).fill(Ink::LeafShade, &blades);
    }
}

fn rocks(pen: &mut Pen<'_>) {
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        let low = pen.seed.within(-10, 16);
        pen.at(3).fill(Ink::Body, &format!("M{} 404V{}L{} {}L{} {}L{} {}L{} 404Z", x(620), 230 + low, x(560), 222 + low, x(500), 284 + low, x(430), 312 + low, x(380)));
        pen.at(4).fill(Ink::Body, &format!("M{} 404V{}L{} {}L{} {}L{} 338L{} 404ZM{} 404L{} 372L{} 362L{} 382L{} 404Z", x(620), 286 + low, x(540), 278 + low, x(490), 318 + low, x(400), x(350), x(360), x(310), x(270), x(244), x(226)));
        pen.line(Ink::Pale, 4, &format!("M{} {}L{} {}M{} {}L{} 336", x(556), 230 + low, x(512), 278 + low, x(536), 288 + low, x(500)));
    }
}

fn waves(pen: &mut Pen<'_>) {
    for (depth, y) in [(2, 352), (3, 368), (4, 384)] {
        let crests: String = (0..15).map(|_| "q22 -20 44 -4q20 14 44 4").collect();
        let x = -90 + pen.seed.within(0, 60);
        pen.at(depth).fill(Ink::Body, &format!("M{x} {y}{crests}V404H-90Z"));
        if depth == 2 {
            pen.line(Ink::Pale, 3, &format!("M{x} {y}{crests}"));
        }
    }
}

fn steps(pen: &mut Pen<'_>) {
    pen.at(2).fill(Ink::Pale, "M-10 340H1210V404H-10Z");
    pen.at(3).fill(Ink::Pale, "M-10 362H1210V404H-10Z");
    pen.at(4).fill(Ink::Pale, "M-10 384H1210V404H-10Z");
    pen.at(3).line(Ink::Body, 3, "M40 351H180M290 351H420M520 351H660M770 351H900M1010 351H1150M120 373H260M380 373H520M640 373H760M880 373H1040");
}

fn fence(pen: &mut Pen<'_>) {
    let posts: String = (0..11).map(|at| format!("M{} 404V{}", 20 + at * 116, 336 + at % 3 * 4)).collect();
    pen.at(3).line(Ink::WoodShade, 11, &posts);
    pen.line(Ink::WoodShade, 7, "M-10 356C200 350 420 362 620 354S1000 362 1210 354M-10 384C200 388 420 380 620 386S1000 382 1210 386");
}

fn balustrade(pen: &mut Pen<'_>) {
    let posts: String = (0..31)
        .map(|at| at * 40)
        .map(|x| format!("M{} 392V384q-12-10-4-22q6-8 4-14h12q-2 6 4 14q8 12-4 22v8Z", x + 4))
        .collect();
    pen.fill(Ink::Body, &posts);
    pen.fill(Ink::Body, "M-10 336H1210V350H-10ZM-10 390H1210V404H-10Z");
    pen.line(Ink::Pale, 3, "M0 338H1200");
}

fn crowd(pen: &mut Pen<'_>) {
    for (depth, y, step, big) in [(3, 350, 58, 12), (4, 376, 78, 17)] {
        let (mut backs, mut heads) = (String::new(), String::new());
        let mut x = -20 + pen.seed.within(0, 20);
        while x < WIDTH + 20 {
            let top = y + pen.seed.within(-8, 8);
            backs += &format!("M{} 404V{}q0-{big} {2}-{big}q{2} 0 {2} {big}V404Z", x - big * 2, top + big, big * 2);
            heads += &format!("M{x} {}h.01", top - big + 2);
            x += step + pen.seed.within(-12, 12);
        }
        pen.at(depth).fill(Ink::Body, &backs);
        pen.line(Ink::Body, big * 2, &heads);
    }
}

fn spears(pen: &mut Pen<'_>) {
    for (depth, y, step, big) in [(3, 348, 62, 3), (4, 376, 92, 4)] {
        let [mut shafts, mut points, mut men, mut brims] = [const { String::new() }; 4];
        let (half, rise) = (big * 8, big * 4);
        let mut x = pen.seed.within(-30, 0);
        while x < WIDTH + 20 {
            let (top, long) = (y + pen.seed.within(-6, 6), 404 - y + 110 + pen.seed.within(-8, 12));
            let (foot, lean) = (x + half, long / 8);
            shafts += &format!("M{foot} 404l{lean} -{long}");
            points += &format!("M{} {}l4 -30l11 28Z", foot + lean - 8, 406 - long);
            men += &format!("M{} 404V{}q0-{rise} {half}-{rise}t{half} {rise}V404Z", x - half, top + rise);
            men += &disc(x, top - big * 3, rise);
            brims += &format!("M{} {}h{}", x - big * 6, top - big * 2, big * 12);
            x += step + pen.seed.within(-8, 8);
        }
        pen.at(depth).line(Ink::WoodShade, big + 1, &shafts);
        pen.fill(Ink::Pale, &points);
        pen.fill(Ink::Body, &men);
        pen.line(Ink::Pale, 4, &brims);
    }
}

fn bars(pen: &mut Pen<'_>) {
    let bars: String = (0..9).map(|at| format!("M{} -10V410", 40 + at * 140)).collect();
    pen.line(Ink::Body, 18, &bars);
    pen.line(Ink::Body, 14, "M0 40H1200M0 350H1200");
}

fn rain(pen: &mut Pen<'_>) {
    for (count, width, long) in [(44, 2, 26), (20, 3, 40)] {
        let drops: String = (0..count)
            .map(|_| {
                format!("M{} {}l-{} {long}", pen.seed.within(0, WIDTH + 20), pen.seed.within(-20, 360), long / 3 )
            })
            .collect();
        pen.line(Ink::Mist, width, &drops);
    }
}

fn snow(pen: &mut Pen<'_>) {
    for (count, width) in [(50, 4), (26, 7)] {
        let flakes: String = (0..count)
            .map(|_| format!("M{} {}h.01", pen.seed.within(0, WIDTH), pen.seed.within(0, 396)))
            .collect();
        pen.line(Ink::Mist, width, &flakes);
    }
}

fn fog(pen: &mut Pen<'_>) {
    for (y, clear) in [(226, 66), (286, 60), (346, 66)] {
        let x = pen.seed.within(-120, 120);
        pen.veil(Ink::Mist, clear, &format!("M{} {y}C{} {} {} {} {} {}S{} {} {} {}S{} {} {} {y}S{} {} {} {}S{} {} {} {y}Z", x - 300, x, y - 24, x + 200, y + 4, x + 420, y - 10, x + 800, y - 24, x + 1000, y - 8, x + 1300, y - 20, x + 1600, x + 1000, y + 26, x + 700, y + 16, x + 100, y + 28, x - 300 ));
    }
}

fn leaves(pen: &mut Pen<'_>) {
    for ink in [Ink::Cloth, Ink::Lamp] {
        let leaves: String = (0..16)
            .map(|_| {
                let (dx, dy) = (pen.seed.within(6, 12), pen.seed.within(-8, 8));
                format!("M{} {}q{} -10 {} {dy}q-{} 8 -{} {}Z", pen.seed.within(0, WIDTH), pen.seed.within(40, 380), dx, dx * 2, dx, dx * 2, -dy )
            })
            .collect();
        pen.fill(ink, &leaves);
    }
}

fn embers(pen: &mut Pen<'_>) {
    for (count, width) in [(40, 3), (16, 5)] {
        let sparks: String = (0..count)
            .map(|_| format!("M{} {}h.01", pen.seed.within(100, WIDTH - 100), pen.seed.within(20, 380)))
            .collect();
        pen.line(Ink::Lamp, width, &sparks);
    }
}

fn moths(pen: &mut Pen<'_>) {
    for (count, size, clear) in [(13, 100, 30), (9, 170, 14)] {
        pen.frame(0, 0, size, |pen| {
            let moths: String = (0..count)
                .map(|at| {
                    let x = (110 + at * 1000 / count + pen.seed.within(0, 60)) * 100 / size;
                    let y = pen.seed.within(40, 350) * 100 / size;
                    format!("M{x} {y}c-3-10-15-13-18-6c-1 7 6 11 11 9c-7 1-6 11 1 10c4-1 6-5 6-9c0 4 2 8 6 9c7 1 8-9 1-10c5 2 12-2 11-9c-3-7-15-4-18 6Z")
                })
                .collect();
            pen.veil(Ink::Mist, clear, &moths);
        });
    }
}

fn fish(pen: &mut Pen<'_>) {
    if pen.hour.word != "deep" {
        // Out of the water they hang on a line to dry.
        pen.line(Ink::WoodShade, 4, "M-10 44Q600 104 1210 44");
        let hung: String = (0..15)
            .map(|at| {
                let (x, away) = (40 + at * 80, (40 + at * 80 - 600) / 10);
                format!("M{x} {}l-9 14h6c-14 18-14 40 3 54c17-14 17-36 3-54h6Z", 74 - away * away * 30 / 3600)
            })
            .collect();
        pen.at(2).fill(Ink::Mist, &hung);
        return;
    }
    for at in 0..7 {
        let (x, y) = (90 + at * 165 + pen.seed.within(-40, 40), pen.seed.within(70, 260));
        let size = pen.seed.within(60, 110);
        pen.frame(x, y, size, |pen| {
            let way = if at % 3 == 0 { -1 } else { 1 };
            pen.veil(Ink::Mist, 25, &format!("M{} 0C{} -20 {} -22 {} -4L{} -16V16L{} 4C{} 22 {} 20 {0} 0Z", -36 * way, -18 * way, 8 * way, 26 * way, 46 * way, 26 * way, 8 * way, -18 * way));
        });
    }
}

fn bubbles(pen: &mut Pen<'_>) {
    for width in [5, 9] {
        let rise: String = (0..14)
            .map(|_| format!("M{} {}h.01", pen.seed.within(60, WIDTH - 60), pen.seed.within(30, 360)))
            .collect();
        pen.line(Ink::Mist, width, &rise);
    }
}
