//! Things in rooms. Point 0 0 is the middle of a thing's foot; up is negative.

use super::motif::Layer::{Back, Hanging, Middle, Near};
use super::motif::{Motif, strip, thing};
use super::pen::Ink::{Body, Cloth, Glass, Hole, Lamp, Leaf, Mist, Pale, Shade, Wood, WoodShade};
use super::pen::Piece::{F, G, L};
use super::pen::{Ink, Pen};

/// What stands along the wall, in the room and in front, and what hangs from the ceiling.
pub(crate) const MOTIFS: &[Motif] = &[
    // Along the wall.
    strip(Back, "window", "pane casement skylight", "a window, with the weather behind it", window).wide(210).inside(),
    thing(Back, "door", "doorway exit", 160, "a door in its frame", &[
        F(WoodShade, "M-66 2V-196H66V2Z"),
        F(Pale, "M-52 2V-182H52V2Z"),
        F(Wood, "M-40 -104V-168H40V-104ZM-40 -20V-88H40V-20Z"),
        F(Lamp, "M38 -92a6 6 0 1 0 .01 0Z"),
    ]).inside(),
    thing(Back, "fireplace", "hearth chimney stove fireside", 270, "a fireplace with a fire", &[
        G(0, -60, 150),
        F(Body, "M-78 -172L-96 -320H96L78 -172Z"),
        F(Body, "M-118 2V-166H118V2Z"),
        F(Shade, "M-136 -162H136V-186H-136Z"),
        F(Hole, "M-78 2V-96Q-70 -128 0 -130Q70 -128 78 -96V2Z"),
        L(Pale, 5, "M-86 0V-98Q-76 -138 0 -140Q76 -138 86 -98V0"),
        L(Shade, 12, "M-46 -8L40 -18M-40 -18L46 -8"),
        F(Cloth, "M-42 -12C-58 -52 -26 -60 -28 -94C-4 -82 0 -72 4 -58C14 -66 16 -78 16 -90C44 -64 54 -36 40 -12Z"),
        F(Lamp, "M-24 -12C-34 -38 -12 -46 -12 -68C6 -58 8 -48 10 -42C16 -46 18 -52 18 -58C34 -42 34 -26 24 -12Z"),
    ]).inside(),
    thing(Back, "mirror", "looking-glass", 150, "a tall mirror", &[
        F(Shade, "M-56 -30V-160C-56 -216 56 -216 56 -160V-30Z"),
        F(Mist, "M-42 -42V-156C-42 -198 42 -198 42 -156V-42Z"),
        F(Pale, "M-42 -42V-90L42 -170V-120L-30 -42Z"),
        L(Body, 7, "M-40 0L-50 -30M40 0L50 -30M-62 -28H62"),
    ]).inside(),
    thing(Back, "clock", "grandfather-clock pendulum", 110, "a tall clock", &[
        F(Wood, "M-40 2V-24H-32V-150H-42V-216C-42 -246 42 -246 42 -216V-150H32V-24H40V2Z"),
        F(Mist, "M0 -222a28 28 0 1 0 .01 0Z"),
        L(Hole, 4, "M0 -214V-194L12 -184"),
        F(Hole, "M-20 -40V-138H20V-40Z"),
        L(Lamp, 4, "M0 -136V-76"),
        F(Lamp, "M0 -82a11 11 0 1 0 .01 0Z"),
    ]).inside(),
    thing(Back, "picture", "portrait painting map", 180, "a picture on the wall", &[
        F(WoodShade, "M-80 -116V-226H80V-116Z"),
        F(Mist, "M-68 -128V-214H68V-128Z"),
        F(Pale, "M-68 -128V-150L-34 -182L-6 -156L22 -190L68 -146V-128Z"),
        F(Lamp, "M-36 -208a10 10 0 1 0 .01 0Z"),
    ]).inside(),
    thing(Back, "stairs", "stair staircase upstairs ladder", 380, "stairs that lead up", &[
        F(Wood, "M-180 4V-28H-130V-62H-80V-96H-30V-130H20V-164H70V-198H120V-232H190V4Z"),
        F(WoodShade, "M-120 4L190 -196V4Z"),
        L(Pale, 5, "M-180 -28H-130M-130 -62H-80M-80 -96H-30M-30 -130H20M20 -164H70M70 -198H120M120 -232H190"),
        L(WoodShade, 7, "M-170 -110L130 -314"),
        L(WoodShade, 4, "M-158 -30V-116M-106 -64V-152M-56 -98V-186M-6 -132V-220M44 -166V-254M94 -200V-290"),
        F(WoodShade, "M-182 2V-122H-164V2ZM-173 -138a12 12 0 1 0 .01 0Z"),
    ]).inside(),
    thing(Back, "bar", "counter taproom saloon-bar bottles", 560, "a bar with bottles behind it", &[
        F(WoodShade, "M-250 -100V-250H250V-100Z"),
        F(Pale, "M-110 -120V-236H110V-120Z"),
        L(Wood, 7, "M-250 -150H-124M124 -150H250M-250 -200H-124M124 -200H250"),
        F(Glass, "M-234 -152v-24l4-10h8l4 10v24ZM-206 -152v-30h14v30ZM-178 -152v-24l4-10h8l4 10v24ZM150 -152v-30h14v30ZM182 -152v-24l4-10h8l4 10v24ZM216 -152v-30h14v30Z"),
        F(Cloth, "M-226 -202v-28h14v28ZM-196 -202v-22l4-10h8l4 10v22ZM142 -202v-22l4-10h8l4 10v22ZM176 -202v-28h14v28ZM210 -202v-22l4-10h8l4 10v22Z"),
        F(Wood, "M-280 26V-76H280V26Z"),
        F(Pale, "M-292 -74H292V-92H-292Z"),
        L(WoodShade, 5, "M-186 -56V14M-94 -56V14M0 -56V14M94 -56V14M186 -56V14M-276 12H276"),
    ]).inside(),
    // In the room.
    thing(Middle, "table", "board banquet supper dinner", 500, "a long table, laid", &[
        F(WoodShade, "M-190 6V-66H-166V6ZM166 6V-66H190V6Z"),
        F(Wood, "M-236 -60H236V-80H-236Z"),
        F(Mist, "M-140 -80H140L128 -34L96 -50L60 -34L24 -50L-20 -34L-60 -50L-100 -34L-128 -50Z"),
        F(Pale, "M-206 -80q4-22 26-22t26 22ZM150 -80v-26h-8c0-20 32-20 32 0h-8v26Z"),
        F(Pale, "M-41 -82h8v-26h-8ZM-7 -82h8v-34h-8ZM27 -82h8v-26h-8Z"),
        F(Lamp, "M-37 -112c-8-6-4-14 0-20c4 6 8 14 0 20ZM-3 -120c-8-6-4-14 0-20c4 6 8 14 0 20ZM31 -112c-8-6-4-14 0-20c4 6 8 14 0 20Z"),
        G(-3, -126, 84),
    ]).inside(),
    thing(Middle, "billiards", "billiard pool-table snooker", 640, "a billiard table", &[
        F(WoodShade, "M-250 8L-244 -54H-196L-210 8ZM250 8L244 -54H196L210 8Z"),
        F(Wood, "M-240 -116H240L312 -52H-312Z"),
        F(Leaf, "M-226 -108H226L280 -62H-280Z"),
        F(WoodShade, "M-312 -52H312V-26H-312Z"),
        L(Mist, 9, "M-60 -84h.01M40 -92h.01M110 -76h.01"),
        L(Lamp, 9, "M-130 -74h.01"),
        L(Pale, 5, "M-40 -80L190 -70"),
        L(Hole, 12, "M-272 -60h.01M272 -60h.01M-220 -110h.01M220 -110h.01M0 -58h.01M0 -112h.01"),
    ]).inside(),
    thing(Middle, "throne", "dais judgement-seat seat-of-state", 320, "a throne on a dais", &[
        F(Shade, "M-150 8V-12H150V8Z"),
        F(Body, "M-118 -12V-32H118V-12Z"),
        F(Body, "M-56 -32V-196L-66 -214L-40 -206L0 -252L40 -206L66 -214L56 -196V-32Z"),
        F(Cloth, "M-38 -70V-184L0 -222L38 -184V-70Z"),
        F(Lamp, "M0 -186a13 13 0 1 0 .01 0ZM-66 -226a8 8 0 1 0 .01 0ZM66 -226a8 8 0 1 0 .01 0ZM0 -268a9 9 0 1 0 .01 0Z"),
        F(Pale, "M-78 -32V-100H-54V-74H54V-100H78V-32Z"),
        F(Body, "M-54 -32V-62H54V-32Z"),
    ]).inside(),
    thing(Middle, "scales", "balance justice magistrate judge verdict trial", 250, "a great pair of scales", &[
        F(Shade, "M-66 6L-50 -16H50L66 6Z"),
        L(Body, 11, "M0 -14V-216"),
        L(Body, 8, "M-104 -186L104 -206"),
        L(Lamp, 3, "M-104 -184L-140 -96M-104 -184L-68 -96M104 -204L68 -126M104 -204L140 -126"),
        F(Lamp, "M-146 -98H-62C-66 -66 -142 -66 -146 -98ZM62 -128H146C142 -96 66 -96 62 -128Z"),
        F(Lamp, "M0 -234a14 14 0 1 0 .01 0Z"),
    ]).inside(),
    thing(Middle, "desk", "papers ledger writing-desk scribe", 320, "a desk with papers and a lamp", &[
        F(WoodShade, "M-140 6V-76H-70V6ZM70 6V-76H140V6Z"),
        F(Wood, "M-156 -72H156V-90H-156Z"),
        L(Wood, 4, "M-128 -48H-82M-128 -20H-82M82 -48H128M82 -20H128"),
        F(Mist, "M-60 -92L-44 -104H6L20 -92ZM26 -90L38 -108H84L76 -90Z"),
        L(WoodShade, 3, "M-40 -98H0M44 -102H76"),
        G(-104, -136, 90),
        L(WoodShade, 6, "M-104 -92V-124"),
        F(Lamp, "M-132 -124C-126 -156 -82 -156 -76 -124Z"),
    ]).inside(),
    thing(Middle, "chest", "coffer strongbox treasure", 240, "an open chest", &[
        G(0, -80, 100),
        F(WoodShade, "M-104 -74L-90 -134C-60 -150 60 -150 90 -134L104 -74Z"),
        F(Hole, "M-92 -76L-80 -124C-54 -136 54 -136 80 -124L92 -76Z"),
        F(Mist, "M-70 -70L-56 -104L-20 -96L-24 -70ZM-10 -70L4 -112L44 -104L34 -70ZM36 -70L54 -96L78 -88L70 -70Z"),
        F(Wood, "M-108 6V-76H108V6Z"),
        F(WoodShade, "M-108 -76H108V-62H-108Z"),
        L(Pale, 9, "M-72 -76V6M72 -76V6"),
        F(Lamp, "M-15 -64H15V-34H-15Z"),
        L(Hole, 5, "M0 -52V-44"),
    ]).inside(),
    thing(Middle, "bed", "bedroom sickbed cot", 340, "a bed with a board at its head", &[
        F(WoodShade, "M-164 6V-142H-146V6ZM146 6V-84H164V6Z"),
        F(Wood, "M-150 -60V-128C-120 -142 -150 -60 -110 -60Z"),
        F(Mist, "M-146 -50C-146 -86 -80 -86 -76 -50Z"),
        F(Cloth, "M-92 -24V-52C-40 -78 60 -70 148 -58V-24Z"),
        F(Wood, "M-150 -4V-34H150V-4Z"),
        L(WoodShade, 4, "M-60 -52C-20 -46 40 -60 90 -48"),
    ]).inside(),
    thing(Middle, "dummy", "tailor sewing dressmaker needle fitting", 200, "a tailor's dummy, and cloth", &[
        L(Shade, 7, "M0 -60V-6M-38 6L0 -14L38 6"),
        F(Shade, "M-8 -232H8V-214H-8Z"),
        F(Mist, "M-10 -216C-6 -208 -30 -206 -46 -196C-58 -176 -40 -150 -34 -128C-40 -112 -46 -84 -44 -60H44C46 -84 40 -112 34 -128C40 -150 58 -176 46 -196C30 -206 6 -208 10 -216Z"),
        F(Pale, "M4 -206C30 -206 42 -200 46 -196C58 -176 40 -150 34 -128C40 -112 46 -84 44 -60H10Z"),
        L(Shade, 3, "M0 -206V-62M-34 -128C-10 -120 10 -120 34 -128"),
        F(Cloth, "M-46 -120C-90 -90 -84 -30 -98 6H-20C-30 -30 -26 -90 -34 -124Z"),
        L(Mist, 3, "M-56 -100C-74 -70 -72 -40 -80 0M-42 -96C-52 -60 -50 -30 -54 0"),
    ]).inside(),
    thing(Middle, "altar", "shrine-stone offering sacrifice", 280, "an altar with two candles", &[
        F(Shade, "M-130 6V-14H130V6Z"),
        F(Body, "M-92 -14V-84H92V-14Z"),
        F(Pale, "M-106 -82H106V-100H-106Z"),
        F(Cloth, "M-34 -100H34V-40L0 -56L-34 -40Z"),
        F(Mist, "M-84 -100h10v-34h-10ZM74 -100h10v-34h-10Z"),
        G(-79, -150, 60),
        G(79, -150, 60),
        F(Lamp, "M-79 -138c-12-8-6-18 0-28c6 10 12 20 0 28ZM79 -138c-12-8-6-18 0-28c6 10 12 20 0 28ZM-4 -64h8v-14h10v-8H4v-12h-8v12h-10v8h10Z"),
    ]).inside(),
    thing(Middle, "cauldron", "witch brew kitchen-fire pot", 220, "a cauldron over a fire", &[
        G(0, -30, 110),
        L(Shade, 7, "M-80 6L0 -176L80 6M0 -176V-126"),
        F(Cloth, "M-40 4C-52 -24 -22 -26 -24 -44C-4 -38 0 -30 2 -24C12 -30 14 -38 14 -46C36 -28 48 -14 38 4Z"),
        F(Lamp, "M-20 4C-26 -12 -8 -16 -8 -28C8 -20 26 -12 18 4Z"),
        F(Body, "M-62 -110H62C70 -60 40 -36 0 -36S-70 -60 -62 -110Z"),
        F(Pale, "M-70 -106H70V-118H-70Z"),
        L(Mist, 5, "M-24 -126c-10-14 10-20 0-38M20 -126c-10-14 10-20 0-38"),
    ]).inside(),
    thing(Middle, "machine", "clockwork engine-room laboratory gears", 380, "wheels and pipes", &[
        L(Body, 22, "M-90 -154a72 72 0 1 0 .01 0Z"),
        L(Body, 13, "M-90 -178V14M-186 -82H6M-158 -150L-22 -14M-158 -14L-22 -150"),
        F(Pale, "M-90 -100a18 18 0 1 0 .01 0Z"),
        L(Pale, 14, "M62 -206a38 38 0 1 0 .01 0Z"),
        L(Pale, 8, "M62 -222V-114M8 -168H116M24 -206L100 -130M24 -130L100 -206"),
        F(Body, "M60 6V-90H170V6Z"),
        L(Body, 16, "M150 -90V-180H196"),
        F(Glass, "M115 -74a24 24 0 1 0 .01 0Z"),
        L(Hole, 4, "M115 -50L128 -62"),
        L(Mist, 5, "M196 -190c10-14-8-20 4-36"),
    ]).inside(),
    // In front.
    thing(Near, "candles", "candle taper candlelight", 190, "three candles", &[
        G(0, -110, 110),
        F(Pale, "M-74 0V-14H74V0Z"),
        F(Mist, "M-56 -14V-62H-32V-14ZM-13 -14V-86H13V-14ZM34 -14V-52H58V-14Z"),
        L(Shade, 3, "M-44 -62V-70M0 -86V-94M46 -52V-60"),
        F(Lamp, "M-44 -66c-14-8-6-22 0-34c6 12 14 26 0 34ZM0 -90c-16-10-8-26 0-40c8 14 16 30 0 40ZM46 -56c-14-8-6-22 0-34c6 12 14 26 0 34Z"),
    ]).inside(),
    thing(Near, "benches", "bench pew seats", 520, "two benches", &[
        F(Wood, "M-250 0V-78H-234V-48H-60V-78H-44V0H-60V-30H-234V0ZM250 0V-78H234V-48H60V-78H44V0H60V-30H234V0Z"),
        F(Pale, "M-244 -62H-50V-76H-244ZM244 -62H50V-76H244Z"),
    ]).inside(),
    thing(Near, "stool", "chair", 130, "a stool", &[
        F(Pale, "M-48 -58H48V-72H-48Z"),
        L(Wood, 9, "M-34 -58L-46 0M34 -58L46 0M-40 -26H40"),
    ]).inside(),
    thing(Near, "rug", "carpet mat", 420, "a carpet", &[
        F(Cloth, "M-170 -34H170L210 4H-210Z"),
        L(Lamp, 3, "M-156 -26H156L186 -4H-186Z"),
        L(Mist, 4, "M-30 -14L0 -24L30 -14L0 -6Z"),
    ]).inside(),
    // From the ceiling.
    strip(Hanging, "chandelier", "candelabra lustre", "a chandelier", chandelier).inside(),
    strip(Hanging, "drapes", "curtain hangings tapestry", "curtains at both sides", drapes).inside(),
];

fn window(pen: &mut Pen<'_>) {
    let [top, low] = if pen.lit() { [0x141b33, 0x35446e] } else { pen.hour.sky };
    pen.fill(Ink::Shade, "M-84 -92V-250H84V-92Z");
    pen.blend(top, low, 30, "M-72 -104V-238H72V-104Z");
    pen.blend(top, low, 80, "M-72 -104V-152C-30 -166 20 -140 72 -156V-104Z");
    if pen.has("moon") {
        pen.fill(Ink::Sun, "M40 -226A19 19 0 1 0 56 -200A16 16 0 0 1 40 -226Z");
    }
    if pen.has("sun") {
        pen.fill(Ink::Sun, "M36 -222a18 18 0 1 0 .01 0Z");
    }
    if pen.has("stars") {
        pen.line(Ink::Mist, 3, "M-52 -220h.01M-20 -196h.01M-44 -176h.01M20 -216h.01M54 -170h.01M-8 -228h.01");
    }
    if pen.has("rain") || pen.hour.word == "storm" || pen.has("lightning") {
        pen.line(Ink::Mist, 3, "M-50 -226l-8 26M-20 -210l-8 26M14 -230l-8 26M46 -214l-8 26M-42 -168l-8 26M-6 -160l-8 26M30 -178l-8 26M60 -160l-8 26");
    }
    if pen.has("lightning") {
        pen.fill(Ink::Lamp, "M22 -234L-4 -190H10L-10 -146L34 -200H18L36 -234Z");
    }
    if pen.has("snow") {
        pen.line(Ink::Mist, 5, "M-50 -214h.01M-20 -190h.01M-40 -160h.01M20 -210h.01M50 -170h.01M0 -150h.01M56 -220h.01M-8 -224h.01M30 -130h.01M-56 -124h.01");
    }
    pen.line(Ink::Shade, 7, "M0 -238V-104M-72 -172H72");
    pen.fill(Ink::Body, "M-98 -84H98V-98H-98Z");
    pen.fill(Ink::Cloth, "M-100 -262H-36C-40 -200 -62 -150 -100 -128ZM100 -262H36C40 -200 62 -150 100 -128Z");
    pen.line(Ink::Body, 7, "M-112 -262H112");
}

fn chandelier(pen: &mut Pen<'_>) {
    pen.glow(600, 84, 190);
    pen.line(Ink::Body, 5, "M600 -10V60");
    pen.line(Ink::Body, 7, "M470 92C490 130 560 130 600 96C640 130 710 130 730 92M540 96C560 130 590 120 600 96C610 120 640 130 660 96");
    pen.fill(Ink::Body, "M586 50H614L606 112L600 130L594 112Z");
    for x in [470, 535, 600, 665, 730] {
        pen.fill(Ink::Mist, &format!("M{} 92v-26h12v26Z", x - 6));
        pen.fill(Ink::Lamp, &format!("M{x} 64c-12-8-6-18 0-28c6 10 12 20 0 28Z"));
    }
}

fn drapes(pen: &mut Pen<'_>) {
    for side in [1, -1] {
        let x = |right: i32| 600 + right * side;
        pen.fill(Ink::Cloth, &format!("M{} -10H{}C{} 120 {} 190 {} 230C{} 280 {} 340 {} 410H{}Z", x(620), x(400), x(410), x(440), x(530), x(540), x(520), x(530), x(620) ));
        pen.line(Ink::Body, 5, &format!("M{} 0C{} 110 {} 180 {} 222M{} 0C{} 110 {} 180 {} 226", x(460), x(470), x(500), x(560), x(530), x(536), x(550), x(580) ));
        pen.line(Ink::Lamp, 7, &format!("M{} 226L{} 244", x(524), x(610)));
    }
}
