//! Walls over the whole width: of towns, and of rooms.

use super::hours::mix;
use super::motif::Layer::{Room, Wall};
use super::motif::{Motif, strip};
use super::pen::{HEIGHT, Ink, Pen, WIDTH};

/// Walls of towns and walls of rooms.
pub(crate) const MOTIFS: &[Motif] = &[
    strip(Wall, "wall", "rampart battlement", "a town wall with battlements", wall),
    strip(Wall, "breach", "gap", "a wall with a gap in the middle", breach),
    strip(Wall, "palisade", "stockade fort", "a wall of pointed stakes", palisade),
    strip(Wall, "quarry", "pit diggings delph", "cut rock in steps, with a hoist", quarry),
    strip(Wall, "court", "temple columns colonnade forum", "a front of columns under a gable", court),
    strip(Wall, "street", "townhouses houses alley", "a row of tall houses", street),
    strip(Wall, "roofs", "roof rooftop tiles", "roofs and chimneys, seen from a roof", roofs),
    strip(Wall, "cave", "cavern grotto", "the mouth of a cave, seen from within", cave),
    strip(Room, "room", "parlour chamber kitchen attic", "a room with boards on the wall", room).inside(),
    strip(Room, "hall", "throne-room great-hall", "a stone hall with pillars and hangings", hall).inside(),
    strip(Room, "vault", "cellar crypt dungeon undercroft", "arches of stone underground", vault).inside(),
    strip(Room, "nave", "church vestry chancel cathedral", "tall pointed windows in a stone wall", nave).inside(),
    strip(Room, "library", "archive study bookshop", "shelves of books up to the ceiling", library).inside(),
    strip(Room, "storeroom", "store pantry warehouse shop", "shelves of jars, sacks and boxes", storeroom).inside(),
    strip(Room, "theatre", "theater opera circus", "curtains, boards and footlights", theatre).by("crimson").inside(),
];

/// Stones in a wall, as lines, between heights.
fn stones(pen: &mut Pen<'_>, top: i32, bottom: i32, count: i32) {
    let lines: String = (0..count)
        .map(|_| {
            format!("M{} {}h{}", pen.seed.within(0, WIDTH), pen.seed.within(top, bottom) / 22 * 22, pen.seed.within(22, 66) )
        })
        .collect();
    pen.line(Ink::Pale, 3, &lines);
}

/// The ground before a wall.
fn foot(pen: &mut Pen<'_>) {
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.blend(land, front, 12, "M-10 318C260 308 480 326 760 316S1080 312 1210 320V400H-10Z");
    pen.blend(land, front, 28, "M-10 358C260 344 480 366 760 354S1080 348 1210 360V400H-10Z");
}

/// A line of battlements from left to right.
fn battlements(from: i32, to: i32, y: i32) -> String {
    (0..(to - from) / 60).map(|at| format!("V{}h32V{y}h28", y - 22 - at % 2)).collect()
}

fn wall(pen: &mut Pen<'_>) {
    let top = 176;
    pen.fill(Ink::Body, &format!("M-14 400V{top}{}V400Z", battlements(-14, 1250, top)));
    pen.line(Ink::Shade, 7, "M0 200H1200");
    stones(pen, 214, 296, 26);
    foot(pen);
}

fn breach(pen: &mut Pen<'_>) {
    pen.fill(Ink::Body, &format!("M-14 400V150{}L446 160L440 184L462 200L456 236L480 256L474 292L500 312V400Z", battlements(-14, 430, 150) ));
    pen.fill(Ink::Body, &format!("M1220 400V150H1214{}L752 158L764 190L744 206L752 246L726 262L730 296L704 316V400Z", (0..7).map(|_| "V128h-32V150h-28").collect::<String>() ));
    pen.fill(Ink::Shade, "M446 160L440 184L462 200L456 236L480 256L474 292L500 312V340H470L440 300L446 262L424 240L430 206L416 190L420 160Z");
    stones(pen, 180, 300, 22);
    foot(pen);
    pen.at(2).fill(Ink::Body, "M440 344L460 318L492 314L508 328L530 322L548 344ZM664 344L684 326L700 314L728 318L752 344ZM580 346L590 334H612L622 346Z");
}

fn palisade(pen: &mut Pen<'_>) {
    let mut stakes = String::new();
    for at in 0..31 {
        let (x, y) = (at * 40 - 14, 170 + pen.seed.within(-8, 8));
        stakes += &format!("M{x} 320V{y}L{} {}L{} {y}V320Z", x + 18, y - 30, x + 36);
    }
    pen.fill(Ink::WoodShade, "M-10 230H1210V320H-10Z");
    pen.fill(Ink::Wood, &stakes);
    pen.line(Ink::WoodShade, 7, "M0 214H1200M0 276H1200");
    foot(pen);
}

fn quarry(pen: &mut Pen<'_>) {
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        let face = |steps: &[(i32, i32)]| -> String {
            let points: String = steps.iter().map(|(right, y)| format!("L{} {y}", x(*right))).collect();
            format!("M{} {HEIGHT}{points}Z", x(620))
        };
        pen.at(1).fill(Ink::Pale, &face(&[(620, 98), (430, 112), (414, 172), (296, 184), (280, 244), (196, 256), (182, 330), (176, 400)]));
        pen.at(2).fill(Ink::Pale, &face(&[(620, 50), (520, 62), (500, 150), (392, 164), (376, 232), (276, 244), (256, 330), (250, 400)]));
        pen.fill(Ink::Shade, &face(&[(620, 180), (560, 190), (546, 262), (440, 274), (420, 340), (340, 350), (330, 400)]));
        let ledges: String = [(600, 100, 70), (590, 132, 50), (486, 196, 70), (470, 216, 50), (364, 276, 70), (350, 300, 50), (600, 226, 30), (540, 308, 80), (500, 330, 50)]
            .iter()
            .map(|(right, y, long)| format!("M{} {y}H{}", x(*right), x(right - long)))
            .collect();
        pen.line(Ink::Body, 4, &ledges);
    }
    let x = pen.x(-296);
    pen.at(3).frame(x, 246, 100, |pen| {
        pen.line(Ink::WoodShade, 8, "M-40 0L-4 -190L38 0M-28 -60H26M-4 -190L104 -164");
        pen.line(Ink::WoodShade, 3, "M-40 0L-4 -190M98 -166V-70");
        pen.fill(Ink::WoodShade, "M76 -72H120V-40H76Z");
    });
}

fn court(pen: &mut Pen<'_>) {
    pen.at(2).fill(Ink::Body, "M170 330V150H1030V330Z");
    pen.at(1);
    for at in 0..8 {
        let x = 176 + at * 114;
        pen.fill(Ink::Body, &format!("M{} 330V312H{x}V170H{}V154H{}V170H{}V312H{}V330Z", x - 8, x - 8, x + 58, x + 50, x + 58 ));
    }
    let flutes: String =
        (0..8).map(|at| 176 + at * 114).map(|x| format!("M{} 178V306M{} 178V306", x + 16, x + 34)).collect();
    pen.line(Ink::Shade, 4, &flutes);
    pen.fill(Ink::Body, "M130 134L600 34L1070 134V158H130Z");
    pen.fill(Ink::Shade, "M232 130L600 54L968 130Z");
    pen.line(Ink::Pale, 4, "M130 142H1070");
    pen.fill(Ink::Pale, "M600 82a18 18 0 1 0 .01 0Z");
    pen.fill(Ink::Pale, "M120 328H1080V344H120Z");
    pen.fill(Ink::Body, "M84 344H1116V362H84Z");
}

fn street(pen: &mut Pen<'_>) {
    let mut x = -24;
    let mut houses = [const { String::new() }; 2];
    let (mut windows, mut dark) = (String::new(), String::new());
    while x < WIDTH {
        let (w, y) = (pen.seed.within(92, 138), pen.seed.within(112, 170));
        let middle = x + w / 2;
        let gable = match pen.seed.below(4) {
            0 => format!("V{y}h{0}v-24h{0}v-24h{0}v24h{0}v24H{1}", w / 5, x + w),
            1 => format!("V{y}c{0} 0 {0} -50 {1} -56c{2} 6 {2} 56 {3} 56", w / 4, w / 2, w / 4, w - w / 2),
            _ => format!("V{y}l{} -58L{} {y}", w / 2, x + w),
        };
        houses[pen.seed.below(2)] += &format!("M{x} 330{gable}V330Z");
        for floor in 0..3 {
            for column in 0..2 {
                let pane = format!("M{} {}h26v30h-26Z", middle - 34 + column * 42, y + 10 + floor * 46);
                if pen.seed.below(5) < 2 { windows += &pane } else { dark += &pane }
            }
        }
        windows += &format!("M{} {}h10v14h-10Z", middle - 5, y - 24);
        x += w;
    }
    pen.fill(Ink::Body, &houses[0]);
    pen.fill(Ink::Pale, &houses[1]);
    pen.fill(Ink::Shade, &dark);
    pen.fill(Ink::Glass, &windows);
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.blend(land, front, 10, "M-10 322H1210V400H-10Z");
    pen.blend(land, front, 45, "M-10 322H1210V330H-10Z");
    let cobbles: String = (0..34).map(|_| format!("M{} {}h{}", pen.seed.within(0, WIDTH), pen.seed.within(338, 398) / 10 * 10, pen.seed.within(10, 30))).collect();
    pen.stroke(mix(land, front, 40), 4, &cobbles);
}

fn roofs(pen: &mut Pen<'_>) {
    for (depth, base, wide, high) in [(1, 262, 140, 88), (2, 334, 230, 120), (3, 416, 350, 130)] {
        let [mut slopes, mut gables, mut tiles, mut ridges, mut windows] = [const { String::new() }; 5];
        let mut x = -pen.seed.within(40, wide);
        while x < WIDTH {
            let (w, tall) = (wide + pen.seed.within(-20, 40), high + pen.seed.within(-16, 22));
            // The ridge runs from the left end to the gable, which looks to the right.
            let (lean, half) = (w / 6, w / 5);
            let ridge = w - lean - half;
            slopes += &format!("M{x} 404V{base}l{lean} -{tall}h{ridge}l{half} {tall}V404Z");
            gables += &format!("M{} {}l{half} {tall}V404h-{}V{base}Z", x + lean + ridge, base - tall, half * 2);
            ridges += &format!("M{} {base}l{half} -{tall}l{half} {tall}M{} {}h{ridge}", x + lean + ridge - half, x + lean, base - tall);
            for row in 1..4 {
                let from = x + lean - lean * row / 4 + pen.seed.within(8, 30);
                tiles += &format!("M{from} {}h{}", base - tall + tall * row / 4, ridge - half * row / 4 - pen.seed.within(20, 50));
            }
            let (chimney, top) = (x + lean + pen.seed.within(10, ridge * 6 / 10), base - tall);
            match pen.seed.below(3) {
                0 => gables += &format!("M{chimney} {}v-44h-4v-8h32v8h-4v44Z", top + 12),
                1 => windows += &format!("M{chimney} {}h22v24h-22Z", top + tall * 4 / 10),
                _ => {}
            }
            if pen.seed.below(2) == 0 {
                windows += &format!("M{} {}h14v20h-14Z", x + lean + ridge - 7, base - tall * 4 / 10);
            }
            x += w + pen.seed.within(-half, half / 2);
        }
        pen.at(depth).fill(Ink::Body, &slopes);
        pen.line(Ink::Shade, 3, &tiles);
        pen.fill(Ink::Shade, &gables);
        pen.line(Ink::Pale, 5, &ridges);
        pen.fill(Ink::Glass, &windows);
    }
}

fn cave(pen: &mut Pen<'_>) {
    pen.at(3).ring(Ink::Body, "M-10 -10H1210V410H-10ZM250 340C200 250 230 150 330 90C360 116 372 128 380 76C440 40 520 34 560 46L578 110L600 40C700 20 800 50 850 80L866 140L890 96C960 150 990 250 950 340C880 350 780 344 700 352S400 352 250 340Z");
    pen.at(4).fill(Ink::Body, "M-10 -10H260C200 40 150 140 150 240C150 300 190 340 250 356L-10 410ZM1210 -10H960C1020 60 1060 160 1050 250C1044 310 1010 344 950 358L1210 410Z");
    pen.fill(Ink::Body, "M-10 372C200 348 420 376 620 366S1000 352 1210 376V410H-10Z");
}

/// The wall and the floor of a room: the floor begins at 306.
fn shell(pen: &mut Pen<'_>) {
    let [shadow, light] = pen.hour.sky;
    pen.blend(shadow, light, 70, "M-10 -10H1210V306H-10Z");
    pen.blend(shadow, light, 35, "M-10 -10H1210V46C900 70 300 70 -10 46Z");
    floor(pen);
}

fn floor(pen: &mut Pen<'_>) {
    let (land, front) = (pen.hour.land, pen.hour.stands[2]);
    pen.blend(land, front, 0, "M-10 306H1210V400H-10Z");
    pen.blend(land, front, 40, "M-10 364H1210V400H-10Z");
    pen.stroke(mix(land, front, 45), 3, "M0 330H1200M0 362H1200M140 306V330M420 306V330M730 306V330M1010 306V330M270 330V362M590 330V362M880 330V362M1120 330V362M90 362V400M460 362V400M760 362V400M1060 362V400");
}

fn room(pen: &mut Pen<'_>) {
    shell(pen);
    let [shadow, light] = pen.hour.sky;
    let boards: String = (0..25).map(|at| format!("M{} 0V236", at * 50)).collect();
    pen.stroke(mix(shadow, light, 48), 2, &boards);
    pen.at(2).fill(Ink::Pale, "M-10 232H1210V306H-10Z");
    let panels: String = (0..13).map(|at| format!("M{} 250h72v40h-72Z", 12 + at * 96)).collect();
    pen.fill(Ink::Body, &panels);
    pen.line(Ink::Shade, 6, "M0 234H1200M0 304H1200");
}

fn hall(pen: &mut Pen<'_>) {
    shell(pen);
    let [shadow, light] = pen.hour.sky;
    for at in 0..5 {
        let x = at * 300 - 60;
        pen.blend(shadow, light, 30, &format!("M{} 306V150C{} 70 {} 40 {} 24C{} 40 {} 70 {} 150V306Z", x + 40, x + 40, x + 100, x + 150, x + 200, x + 260, x + 260 ));
        pen.at(2)
            .fill(Ink::Cloth, &format!("M{} 70H{}V202L{} 178L{} 202Z", x + 120, x + 180, x + 150, x + 120));
        pen.line(Ink::Lamp, 3, &format!("M{} 76V186M{} 76V186M{} 70H{}", x + 130, x + 170, x + 112, x + 188));
    }
    pen.at(1);
    for at in 0..6 {
        let x = at * 300 - 150;
        pen.fill(Ink::Pale, &format!("M{} 306V288L{} 276V60C{} 30 {} 10 {} -10H{}C{} 10 {} 30 {} 60V276L{} 288V306Z", x - 38, x - 24, x - 24, x - 50, x - 90, x + 90, x + 50, x + 24, x + 24, x + 38 ));
        pen.line(Ink::Body, 4, &format!("M{} 276V64M{} 60H{}M{} 276H{}", x + 8, x - 28, x + 28, x - 30, x + 30));
    }
}

fn vault(pen: &mut Pen<'_>) {
    shell(pen);
    let [shadow, _] = pen.hour.sky;
    pen.at(1);
    pen.fill(Ink::Body, "M-10 -10H1210V306H-10Z");
    for x in [0, 300, 600, 900, 1200] {
        pen.blend(shadow, 0, 35, &format!("M{} 306V170C{} 100 {} 66 {x} 66S{} 100 {} 170V306Z", x - 112, x - 112, x - 64, x + 112, x + 112 ));
        pen.line(Ink::Pale, 9, &format!("M{} 306V170C{} 92 {} 54 {x} 54S{} 92 {} 170V306", x - 120, x - 120, x - 70, x + 120, x + 120 ));
    }
    stones(pen, 10, 60, 12);
    pen.line(Ink::Shade, 4, "M130 210H170M126 250H160M430 190H466M436 240H474M730 220H770M726 262H764M1030 200H1066M1036 250H1070");
}

fn nave(pen: &mut Pen<'_>) {
    shell(pen);
    pen.at(1);
    for (x, tall) in [(120, 0), (360, 0), (600, 34), (840, 0), (1080, 0)] {
        let y = 120 - tall;
        pen.fill(Ink::Shade, &format!("M{} 236V{y}C{} {} {} {} {x} {}C{} {} {} {} {} {y}V236Z", x - 56, x - 56, y - 40, x - 26, y - 66, y - 84, x + 26, y - 66, x + 56, y - 40, x + 56 ));
        let [dark, pane] = if pen.lit() { pen.hour.sky } else { [pen.hour.mist, pen.hour.sky[1]] };
        pen.blend(mix(dark, pen.hour.mist, 35), pane, 30, &format!("M{} 228V{y}C{} {} {} {} {x} {}C{} {} {} {} {} {y}V228Z", x - 44, x - 44, y - 32, x - 20, y - 54, y - 68, x + 20, y - 54, x + 44, y - 32, x + 44 ));
        pen.line(Ink::Shade, 5, &format!("M{x} {}V228M{} 190H{}M{} 150H{}", y - 66, x - 44, x + 44, x - 44, x + 44));
        pen.line(Ink::Pale, 5, &format!("M{} 240H{}", x - 64, x + 64));
    }
    if pen.has("rain") {
        let drops: String = (0..34)
            .map(|at| {
                format!("M{} {}l-5 16", 84 + at % 5 * 240 + pen.seed.within(0, 76), pen.seed.within(100, 206))
            })
            .collect();
        pen.line(Ink::Mist, 2, &drops);
    }
    pen.line(Ink::Pale, 9, "M240 306V96M480 306V96M720 306V96M960 306V96M0 290H1200");
}

/// Where the boards of shelves are.
const SHELVES: [i32; 3] = [104, 194, 284];

fn shelves(pen: &mut Pen<'_>) {
    shell(pen);
    pen.at(2).fill(Ink::Pale, "M-10 10H1210V306H-10Z");
}

fn boards(pen: &mut Pen<'_>) {
    pen.at(3);
    for y in SHELVES {
        pen.fill(Ink::Body, &format!("M-10 {y}H1210V{}H-10Z", y + 10));
    }
    pen.line(Ink::Body, 14, "M-2 10V300M300 10V300M600 10V300M900 10V300M1202 10V300M0 10H1200");
}

fn library(pen: &mut Pen<'_>) {
    shelves(pen);
    let mut books = [const { String::new() }; 4];
    for y in SHELVES {
        let mut x = 12;
        while x < WIDTH - 20 {
            let (w, h) = (pen.seed.within(14, 26), pen.seed.within(44, 66));
            if pen.seed.below(12) == 0 {
                x += 34;
            } else if x % 300 < 300 - w - 8 {
                books[pen.seed.below(4)] += &format!("M{x} {y}v-{h}h{w}v{h}Z");
            }
            x += w + 3;
        }
    }
    for (path, (depth, ink)) in
        books.iter().zip([(2, Ink::Shade), (3, Ink::Pale), (2, Ink::Cloth), (1, Ink::Pale)])
    {
        pen.at(depth).fill(ink, path);
    }
    boards(pen);
}

fn storeroom(pen: &mut Pen<'_>) {
    shelves(pen);
    let mut wares = [const { String::new() }; 3];
    let mut bands = String::new();
    for y in SHELVES {
        let mut x = 26;
        while x < WIDTH - 60 {
            let w = pen.seed.within(40, 62);
            let half = w / 2;
            if x % 300 < 300 - w - 10 {
                let place = pen.seed.below(3);
                match pen.seed.below(5) {
                    0 => wares[place] += &format!("M{x} {y}c-10-26 0-40 8-54h{}c8 14 18 28 8 54Z", w - 16),
                    1 => {
                        wares[place] += &format!("M{x} {y}v-46h{w}v46Z");
                        bands += &format!("M{} {}h{}", x + 6, y - 24, w - 12);
                    }
                    2 => {
                        wares[place] += &format!("M{x} {y}v-34q{half}-10 {w} 0v34Z");
                        wares[place] += &format!("M{} {}v-12h{half}v12Z", x + w / 4, y - 38);
                    }
                    3 => wares[place] += &format!("M{} {y}q-8-34 6-44l-6-12h24l-6 12q14 10 6 44Z", x + 8),
                    _ => {}
                }
            }
            x += w + pen.seed.within(10, 26);
        }
    }
    for (path, (depth, ink)) in wares.iter().zip([(3, Ink::Pale), (3, Ink::Body), (2, Ink::Shade)]) {
        pen.at(depth).fill(ink, path);
    }
    pen.at(2).line(Ink::Pale, 3, &bands);
    boards(pen);
}

fn theatre(pen: &mut Pen<'_>) {
    shell(pen);
    pen.at(2);
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        pen.fill(Ink::Body, &format!("M{} -10H{}C{} 120 {} 200 {} 250C{} 280 {} 300 {} 312H{}Z", x(620), x(300), x(310), x(350), x(470), x(500), x(510), x(520), x(620) ));
        pen.line(Ink::Shade, 8, &format!("M{} 0C{} 110 {} 190 {} 300M{} 0C{} 100 {} 180 {} 300M{} 0V300", x(380), x(390), x(430), x(540), x(460), x(470), x(500), x(570), x(540) ));
        pen.line(Ink::Lamp, 6, &format!("M{} 232L{} 258", x(456), x(560)));
    }
    let folds: String = (0..9)
        .map(|at| format!("C{} 70 {} 70 {} 36", at * 140 + 30, at * 140 + 100, at * 140 + 130))
        .collect();
    pen.at(3).fill(Ink::Pale, &format!("M-10 -10V36{folds}V-10Z"));
    pen.line(Ink::Lamp, 4, &format!("M-10 36{folds}"));
    for at in 0..9 {
        let x = 120 + at * 120;
        pen.glow(x, 366, 44);
        pen.fill(Ink::Lamp, &format!("M{} 376q16 -26 32 0Z", x - 16));
    }
}
