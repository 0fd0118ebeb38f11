//! Things outdoors. Point 0 0 is the middle of a thing's foot; up is negative.

use super::motif::Layer::{Afloat, Back, Hanging, Middle, Near, Span};
use super::motif::{Motif, strip, thing};
use super::pen::Ink::{Body, Cloth, Glass, Hole, Lamp, Leaf, LeafShade, Mist, Pale, Shade, Sky, Wood, WoodShade};
use super::pen::Piece::{F, G, L, V};
use super::pen::{Ink, Pen, Piece};

/// Buildings, trees, ships, people and what they carry.
pub(crate) const MOTIFS: &[Motif] = &[
    // On the far side of the ground.
    thing(Back, "castle", "citadel fortress palace", 440, "a castle on its hill", &[
        F(Shade, "M-236 6C-170 -44 -120 -60 0 -62S170 -44 236 6Z"),
        F(Body, "M-140 -36V-96H-128V-106H-112V-96H-96V-106H-80V-96H80V-106H96V-96H112V-106H128V-96H140V-36Z"),
        F(Body, "M-56 -50V-172H-64V-202H-46V-190H-26V-202H-8V-190H8V-202H26V-190H46V-202H64V-172H56V-50Z"),
        F(Body, "M-150 -40V-136H-98V-40ZM98 -40V-150H150V-40ZM-18 -196V-232H18V-196Z"),
        F(Cloth, "M-160 -134L-124 -196L-88 -134ZM88 -148L124 -214L160 -148ZM-26 -230L0 -276L26 -230Z"),
        F(Shade, "M26 -50V-172H64V-202H46V-190H26ZM128 -40V-150H150V-40ZM-116 -40V-136H-98V-40Z"),
        F(Glass, "M-26 -150H-14V-126H-26ZM2 -150H14V-126H2ZM-130 -112H-120V-94H-130ZM116 -124H126V-106H116Z"),
        F(Hole, "M-20 -48V-78Q0 -100 20 -78V-48Z"),
        L(Cloth, 4, "M0 -276V-296l22 6l-22 8"),
    ]),
    thing(Back, "village", "hamlet huts farmhouse settlement", 420, "low houses around a church", &[
        F(Body, "M-30 0V-98H8V0ZM8 0V-52H60V0Z"),
        F(Shade, "M-38 -94L-11 -178L16 -94ZM2 -48L22 -84H56L72 -48Z"),
        F(Pale, "M-196 4V-40H-122V4ZM-100 4V-54H-42V4ZM78 4V-46H142V4ZM152 4V-34H208V4Z"),
        F(Shade, "M-210 -36L-186 -74H-134L-112 -36ZM-112 -50L-90 -90H-52L-34 -50ZM66 -42L88 -80H134L156 -42ZM144 -30L160 -62H200L218 -30Z"),
        F(Glass, "M-180 -26h12v14h-12ZM-150 -26h12v14h-12ZM-86 -38h12v16h-12ZM94 -32h12v14h-12ZM118 -32h12v14h-12ZM170 -22h10v12h-10ZM-16 -76h8v16h-8Z"),
        L(Mist, 4, "M-160 -74c-8-14 8-18 0-34M120 -80c-8-14 8-18 0-32"),
    ]),
    thing(Back, "lighthouse", "pharos", 150, "a lighthouse with its beam", &[
        G(0, -196, 90),
        V(Lamp, "M10 -202L260 -262V-138L10 -190Z"),
        F(Shade, "M-84 8C-50 -14 50 -14 84 8Z"),
        F(Mist, "M-32 0L-20 -170H20L32 0Z"),
        F(Cloth, "M-29 -34L-26 -72H26L29 -34ZM-23 -110L-21 -146H21L23 -110Z"),
        V(Body, "M8 0L6 -170H20L32 0Z"),
        F(Body, "M-28 -170H28V-182H-28ZM-20 -208L0 -234L20 -208Z"),
        F(Lamp, "M-14 -182H14V-208H-14Z"),
        L(Body, 4, "M-14 -182V-208M0 -182V-208M14 -182V-208"),
    ]),
    thing(Back, "mill", "windmill granary", 220, "a windmill", &[
        F(Body, "M-50 4L-34 -128H34L50 4Z"),
        F(Shade, "M12 4L10 -128H34L50 4ZM-42 -124C-38 -166 38 -166 42 -124Z"),
        F(Pale, "M16 -156L88 -210L104 -188L32 -134ZM12 -126L66 -54L44 -38L-10 -110ZM-16 -132L-88 -78L-104 -100L-32 -154ZM-12 -160L-66 -232L-44 -248L10 -176Z"),
        L(Shade, 5, "M-108 -62L108 -226M-82 -252L82 -36"),
        F(Glass, "M-10 -92h20v22h-20Z"),
        F(Hole, "M-14 4V-26Q0 -44 14 -26V4Z"),
    ]),
    thing(Back, "tower", "watchtower turret spire", 140, "a tower with battlements", &[
        F(Body, "M-46 6L-40 -178H-54V-226H-34V-210H-12V-226H12V-210H34V-226H54V-178H40L46 6Z"),
        F(Shade, "M14 6V-178H-54V-188H54V-178H40L46 6Z"),
        F(Glass, "M-14 -138V-158Q-4 -172 6 -158V-138ZM-14 -74V-94Q-4 -108 6 -94V-74Z"),
        F(Hole, "M-18 6V-24Q-4 -42 10 -24V6Z"),
        L(Pale, 3, "M-34 -118H-20M-36 -52H-22M-32 -160H-22"),
    ]),
    thing(Back, "belfry", "campanile steeple bell", 150, "a bell tower", &[
        F(Body, "M-46 6L-42 -162H42L46 6ZM-54 -160V-174H-46V-236H46V-174H54V-160Z"),
        F(Cloth, "M-58 -234L0 -290L58 -234Z"),
        F(Shade, "M16 6V-160H54V-174H46V-236H22V-174L42 -162L46 6Z"),
        F(Sky, "M-28 -176V-208Q0 -240 28 -208V-176Z"),
        F(Hole, "M-5 -220H5C14 -212 12 -198 20 -190H-20C-12 -198 -14 -212 -5 -220ZM-4 -188h8v6h-8Z"),
        F(Glass, "M-12 -112V-130Q-2 -142 8 -130V-112ZM-12 -62V-80Q-2 -92 8 -80V-62Z"),
        F(Hole, "M-18 6V-20Q-2 -38 14 -20V6Z"),
    ]),
    // In the middle.
    thing(Middle, "gate", "gatehouse portcullis tollgate toll", 380, "a town gate with two towers", &[
        F(Body, "M-96 4V-180H-70V-200H-42V-180H-14V-200H14V-180H42V-200H70V-180H96V4Z"),
        F(Body, "M-178 4L-170 -206H-184V-250H-164V-234H-144V-250H-124V-234H-104V-250H-84V-206H-98L-90 4ZM178 4L170 -206H184V-250H164V-234H144V-250H124V-234H104V-250H84V-206H98L90 4Z"),
        F(Shade, "M-116 4L-118 -206H-184V-214H-84V-206H-98L-90 4ZM150 4L146 -206H84V-214H184V-206H170L178 4Z"),
        L(Pale, 7, "M-66 2V-82C-66 -140 -30 -160 0 -160S66 -140 66 -82V2"),
        F(Hole, "M-58 4V-82C-58 -134 -26 -152 0 -152S58 -134 58 -82V4Z"),
        L(Body, 5, "M-38 4V-136M-13 4V-148M13 4V-148M38 4V-136M-56 -38H56M-56 -82H56M-50 -122H50"),
        F(Glass, "M-144 -152V-172Q-136 -182 -128 -172V-152ZM128 -152V-172Q136 -182 144 -172V-152Z"),
        L(Pale, 3, "M-160 -100H-138M-164 -44H-140M-150 -72H-130M-82 -150H-66M110 -110H132M112 -52H130M68 -156H84"),
    ]),
    thing(Middle, "house", "manor mansion villa inn tavern", 350, "a big house with lit windows", &[
        F(Shade, "M92 -160V-226H124V-160ZM-118 -170V-214H-92V-170Z"),
        F(Body, "M-150 4V-118H150V4Z"),
        F(Shade, "M-176 -112L-118 -190H118L176 -112Z"),
        F(Body, "M-54 -100V-148L0 -206L54 -148V-100Z"),
        L(Shade, 11, "M-68 -138L0 -212L68 -138"),
        F(Hole, "M-24 4V-58Q0 -78 24 -58V4ZM-70 -88H-36V-40H-70Z"),
        F(Glass, "M-126 -88H-88V-40H-126ZM88 -88H126V-40H88ZM-20 -152H20V-114H-20Z"),
        F(Shade, "M38 -88H70V-40H38Z"),
        L(Body, 4, "M-107 -88V-40M107 -88V-40M0 -152V-114M-126 -64H-88M88 -64H126M-20 -133H20"),
        L(Pale, 4, "M-150 -24H-34M34 -24H150"),
        L(Mist, 4, "M108 -228c-14-14 10-20-2-38"),
    ]),
    thing(Middle, "cottage", "farmstead croft farmhand", 230, "a thatched cottage", &[
        F(Pale, "M-84 4V-60H84V4Z"),
        F(Body, "M42 -96V-140H70V-96Z"),
        F(Shade, "M-108 -46C-86 -104 -62 -124 -34 -124H40C66 -122 88 -100 108 -46C84 -56 60 -50 40 -56C10 -50 -20 -58 -44 -50C-70 -56 -90 -50 -108 -46Z"),
        F(Hole, "M-18 4V-36H16V4Z"),
        F(Glass, "M-64 -38h28v24h-28ZM36 -38h28v24h-28Z"),
        L(Shade, 4, "M-50 -38v24M50 -38v24"),
        L(Mist, 4, "M56 -142c-14-14 10-20-2-38"),
    ]),
    thing(Middle, "hut", "hovel shed cabin shack watchhut", 150, "a hut of boards", &[
        F(Wood, "M-52 4V-70L-40 -92H44L52 -70V4Z"),
        F(WoodShade, "M-70 -68L-50 -112H50L70 -68Z"),
        L(WoodShade, 3, "M-30 4V-64M34 4V-64M-30 -30H-6"),
        F(Glass, "M-40 -54h28v26h-28Z"),
        F(Hole, "M4 4V-52H32V4Z"),
        L(Wood, 4, "M-26 -54v26M-40 -41h28"),
    ]),
    thing(Middle, "chapel", "shrine minster abbey churchyard", 260, "a chapel with a spire", &[
        F(Body, "M-24 4V-72H118V4Z"),
        F(Shade, "M-34 -68L-8 -126H106L132 -68Z"),
        F(Body, "M-100 4V-146H-28V4Z"),
        F(Shade, "M-48 4V-146H-28V4ZM-110 -142L-64 -240L-18 -142Z"),
        L(Body, 5, "M-64 -240V-266M-74 -256H-54"),
        F(Glass, "M0 -16V-42Q9 -58 18 -42V-16ZM40 -16V-42Q49 -58 58 -42V-16ZM80 -16V-42Q89 -58 98 -42V-16ZM-80 -92V-112Q-70 -128 -60 -112V-92Z"),
        F(Hole, "M-84 4V-34Q-68 -56 -52 -34V4Z"),
    ]),
    thing(Middle, "ruins", "ruin rubble-walls remains", 520, "broken walls, an arch and columns", &[
        F(Shade, "M-30 4V-142L-18 -152L-6 -142L8 -156V4Z"),
        F(Body, "M-240 4V-150C-238 -196 -200 -218 -150 -212L-138 -188L-156 -178C-190 -180 -200 -164 -200 -140V4ZM-120 4L-112 -96L-104 -118L-90 -110V4Z"),
        F(Body, "M58 4V-98L68 -112L80 -100L94 -116V4Z"),
        F(Body, "M138 4V-178L158 -190L170 -168L192 -176L204 -124L224 -112L230 -64L250 -54L256 4Z"),
        F(Sky, "M160 -96V-126Q174 -146 188 -126V-96Z"),
        F(Shade, "M-40 4L-30 -22H26L36 4ZM98 4L104 -20H128L136 4ZM-196 4L-186 -18H-150L-140 4Z"),
        L(Pale, 3, "M-226 -120H-206M-228 -66H-208M-220 -30H-204M150 -70H176M200 -60H220M150 -150H168M64 -60H86M-24 -90H-2M-24 -40H0"),
    ]),
    thing(Middle, "stones", "stone menhirs henge circle-of-stones ring megaliths", 620, "a ring of standing stones", &[
        F(Pale, "M-150 -14L-144 -96L-124 -108L-106 -96L-102 -14ZM-44 -16L-40 -112L-20 -120L-2 -108L2 -16ZM68 -16L70 -96L92 -108L110 -92L114 -14ZM-52 -110L-50 -132L112 -122V-100Z"),
        F(Body, "M-296 4L-288 -106L-272 -126L-250 -116L-238 4ZM-216 2L-206 -150L-186 -166L-164 -150L-156 2ZM150 2L160 -138L182 -158L202 -146L212 2ZM236 4L246 -98L268 -118L288 -104L296 4Z"),
        F(Shade, "M-262 4L-264 -120L-250 -116L-238 4ZM-182 2L-180 -162L-164 -150L-156 2ZM188 2L186 -155L202 -146L212 2ZM272 4L270 -116L288 -104L296 4Z"),
        L(Shade, 3, "M-276 -70L-274 -30M-196 -110L-194 -60M172 -100L174 -50M258 -60L258 -24M-20 -80V-50M92 -70V-44"),
    ]),
    thing(Middle, "well", "fountain cistern", 200, "a roofed well", &[
        L(WoodShade, 9, "M-56 -66V-142M56 -66V-142M-56 -116H56"),
        L(Shade, 3, "M10 -116V-88"),
        F(WoodShade, "M-2 -92H24L20 -68H2Z"),
        F(Cloth, "M-94 -132L-62 -188H62L94 -132Z"),
        L(Shade, 4, "M-80 -150H80M-70 -168H70"),
        F(Body, "M-74 4V-60H74V4Z"),
        F(Shade, "M36 4V-60H74V4Z"),
        F(Pale, "M-84 -58H84V-74H-84Z"),
        L(Pale, 3, "M-60 -40H-30M-10 -40H20M-44 -20H-14M-64 -4H-40M48 -36H64M2 -6H26"),
    ]),
    thing(Span, "bridge", "viaduct", 1240, "a stone bridge from bank to bank", &[
        F(Body, "M-640 -128C-300 -158 300 -158 640 -128V56H548C548 -54 494 -96 424 -96S300 -54 300 40H124C124 -64 70 -108 0 -108S-124 -64 -124 40H-300C-300 -54 -354 -96 -424 -96S-548 -54 -548 40H-640Z"),
        L(Shade, 7, "M-548 40C-548 -54 -494 -96 -424 -96S-300 -54 -300 40M-124 40C-124 -64 -70 -108 0 -108S124 -64 124 40M300 40C300 -54 354 -96 424 -96S548 -54 548 40"),
        L(Pale, 8, "M-640 -134C-300 -164 300 -164 640 -134"),
        L(Pale, 3, "M-230 -20H-196M-238 -50H-206M-222 -80H-180M188 -30H222M194 -64H232M-602 -40H-578M580 -30H606M-190 -110H-150M160 -116H206"),
    ]),
    thing(Span, "broken-bridge", "span", 1240, "a bridge whose middle is down, with ropes across", &[
        F(Body, "M-640 -136H-170L-182 -116L-162 -98L-190 -76L-204 -62C-224 -36 -236 0 -238 40H-320C-320 -54 -374 -92 -430 -92S-540 -54 -540 40H-640Z"),
        F(Body, "M640 -136H168L184 -114L160 -100L180 -74L200 -62C222 -36 236 0 238 40H320C320 -54 374 -92 430 -92S540 -54 540 40H640Z"),
        L(Shade, 7, "M-320 40C-320 -54 -374 -92 -430 -92S-540 -54 -540 40M320 40C320 -54 374 -92 430 -92S540 -54 540 40"),
        L(Pale, 7, "M-640 -142H-166M168 -142H640"),
        L(WoodShade, 4, "M-180 -166Q0 -106 184 -166M-176 -128Q0 -62 178 -128M-130 -150V-110M-86 -136V-96M-40 -128V-84M4 -124V-82M50 -130V-86M96 -140V-98M140 -152V-114"),
        L(Wood, 9, "M-150 -110L-112 -102M-104 -96L-66 -92M-22 -82H18M62 -90L100 -98M124 -108L154 -116"),
        L(Pale, 3, "M-600 -100H-570M-290 -110H-250M-280 -70H-250M250 -110H290M256 -66H286M570 -96H606M-262 -20H-244M250 -24H268"),
    ]),
    thing(Middle, "tent", "pavilion marquee", 230, "a tent with a pennon", &[
        L(Shade, 4, "M0 -130V-176"),
        F(Cloth, "M0 -176L40 -166L0 -154Z"),
        F(Pale, "M-108 4C-60 -30 -20 -90 0 -136C20 -90 60 -30 108 4Z"),
        F(Body, "M0 -136C20 -90 60 -30 108 4H56C36 -34 14 -90 0 -136ZM0 -136C-14 -90 -36 -34 -56 4H-90C-50 -34 -16 -90 0 -136Z"),
        F(Hole, "M-26 4C-12 -20 -4 -60 0 -92C4 -60 12 -20 26 4Z"),
    ]),
    thing(Middle, "camp", "tents encampment bivouac", 540, "tents around a fire", &[
        L(WoodShade, 4, "M-170 -104V-136M160 -118V-156"),
        F(Cloth, "M-170 -136l28 8l-28 8ZM160 -156l30 8l-30 8Z"),
        F(Pale, "M-264 4L-170 -110L-76 4ZM60 4L160 -124L262 4Z"),
        F(Body, "M-170 -110L-76 4H-128ZM160 -124L262 4H206Z"),
        F(Hole, "M-190 4L-170 -74L-152 4ZM138 4L160 -84L180 4Z"),
        G(-4, -20, 84),
        L(WoodShade, 9, "M-38 0L30 -12M-36 -12L32 0"),
        F(Lamp, "M-22 -8C-32 -34 -8 -40 -10 -64C6 -54 8 -44 10 -34C16 -40 18 -46 18 -52C30 -38 30 -20 20 -8Z"),
    ]),
    thing(Middle, "market", "stall fair bazaar booths", 560, "two stalls under striped awnings", &[
        L(WoodShade, 7, "M-242 4V-140M-42 4V-140M42 4V-140M242 4V-140"),
        F(Wood, "M-252 -60H-32V4H-252ZM32 -60H252V4H32Z"),
        F(WoodShade, "M-252 -60H-32V-50H-252ZM32 -60H252V-50H32Z"),
        F(Cloth, "M-262 -112L-238 -164H-46L-22 -112ZM22 -112L46 -164H238L262 -112Z"),
        F(Mist, "M-222 -112L-206 -164H-174L-182 -112ZM-142 -112V-164H-110L-102 -112ZM-62 -112L-78 -164H-46L-22 -112ZM62 -112L78 -164H46L22 -112ZM102 -112L110 -164H142V-112ZM182 -112L174 -164H206L222 -112Z"),
        L(Pale, 16, "M-228 -68h.01M-206 -68h.01M-217 -82h.01M-180 -68h.01M-158 -68h.01M60 -68h.01M82 -68h.01M71 -82h.01"),
        F(Mist, "M-134 -60q20-26 44-4l12-12v24l-12-12q-22 18-44 4ZM-100 -76q16-20 36-2l10-10v20l-10-8q-18 12-36 0ZM108 -60q20-26 44-4l12-12v24l-12-12q-22 18-44 4Z"),
        L(Lamp, 14, "M186 -68h.01M204 -68h.01M222 -68h.01M195 -82h.01M213 -82h.01"),
        L(WoodShade, 3, "M-180 -40V0M-110 -40V0M110 -40V0M180 -40V0"),
    ]),
    thing(Middle, "statue", "monument idol colossus", 150, "a statue with a spear", &[
        F(Body, "M-62 4V-16H62V4ZM-48 -16V-64H48V-16Z"),
        F(Shade, "M16 -16V-64H48V-16Z"),
        F(Pale, "M-22 -64L-30 -150C-34 -176 -16 -186 0 -186S32 -178 32 -154L26 -64Z"),
        F(Pale, "M0 -220a17 17 0 1 0 .01 0Z"),
        F(Body, "M6 -64L4 -186C22 -186 34 -176 32 -154L26 -64Z"),
        L(Pale, 5, "M-40 -66V-236"),
        F(Pale, "M-40 -258L-30 -232H-50Z"),
        L(Pale, 13, "M-26 -156L-40 -126"),
    ]),
    thing(Middle, "tree", "oak elm willow orchard linden", 260, "a broad tree", &[
        F(WoodShade, "M-20 4C-12 -30 -14 -60 -20 -96L-56 -130L-46 -138L-12 -110L-6 -150H10L12 -112L48 -146L58 -136L22 -92C16 -60 16 -30 26 4Z"),
        F(LeafShade, "M-104 -104C-140 -140 -104 -190 -62 -184C-56 -226 20 -240 46 -204C92 -216 134 -176 108 -134C124 -104 84 -80 50 -96C24 -76 -26 -78 -44 -100C-66 -80 -100 -84 -104 -104Z"),
        F(Leaf, "M-100 -128C-124 -156 -96 -186 -62 -180C-54 -222 18 -234 42 -202C84 -212 120 -180 100 -148C80 -130 58 -140 46 -128C20 -110 -8 -132 -30 -122C-54 -108 -84 -110 -100 -128Z"),
        L(LeafShade, 4, "M-60 -152q14-12 28-2M-6 -176q16-14 34-2M40 -158q14-10 26 0"),
    ]),
    thing(Middle, "pines", "pine fir spruce", 330, "tall pines", &[
        F(WoodShade, "M-124 4h14v-30h-14ZM96 4h16v-36h-16ZM-14 4h18v-40h-18Z"),
        F(Leaf, "M-117 -190L-86 -128H-98L-70 -76H-88L-54 -20H-180L-146 -76H-164L-136 -128H-148ZM104 -206L138 -138H124L156 -80H136L174 -22H34L72 -80H52L84 -138H70Z"),
        F(LeafShade, "M-5 -252L34 -172H18L56 -100H34L78 -28H-88L-44 -100H-66L-28 -172H-44ZM104 -206L138 -138H124L156 -80H136L174 -22H124L110 -80L112 -138Z"),
        F(Shade, "M-5 -252L34 -172H18L56 -100H34L78 -28H20L4 -100L6 -172Z"),
    ]),
    thing(Middle, "dead-tree", "bare-tree snag", 220, "a bare, crooked tree", &[
        F(Body, "M-26 4C-10 -40 -18 -80 -14 -120L10 -118C6 -70 10 -34 30 4Z"),
        L(Body, 11, "M-4 -116C-10 -150 -40 -160 -66 -196M4 -116C14 -152 40 -164 52 -204"),
        L(Body, 6, "M-40 -160C-60 -158 -76 -150 -92 -156M-56 -182C-54 -206 -44 -220 -46 -236M38 -170C62 -172 74 -184 92 -186M50 -196C64 -214 60 -226 70 -242M-2 -140C4 -170 -6 -190 2 -214"),
        L(Shade, 4, "M-2 -10C2 -40 -6 -70 -2 -100"),
    ]),
    thing(Middle, "fire", "bonfire pyre blaze flames burns beacon", 200, "a great fire", &[
        G(0, -90, 170),
        L(WoodShade, 14, "M-74 -4L60 -30M-60 -30L74 -4M-30 2L20 -44"),
        F(Cloth, "M-56 -16C-80 -70 -34 -84 -40 -138C-8 -120 -4 -150 8 -196C40 -160 30 -120 44 -104C52 -116 54 -126 52 -138C84 -100 84 -50 58 -16Z"),
        F(Lamp, "M-36 -14C-52 -54 -20 -64 -22 -100C0 -90 2 -116 8 -138C28 -110 22 -84 32 -68C38 -76 40 -82 40 -90C58 -62 56 -34 38 -14Z"),
        F(Mist, "M-14 -14C-22 -34 -4 -44 -2 -64C14 -48 24 -34 16 -14Z"),
    ]),
    thing(Middle, "mine", "adit shaft pit-head tunnel", 260, "the mouth of a mine", &[
        F(Body, "M-160 6C-140 -80 -100 -150 -30 -160C50 -172 130 -100 160 6Z"),
        F(Shade, "M40 -150C90 -130 140 -70 160 6H90Z"),
        F(Hole, "M-58 6L-48 -96H48L58 6Z"),
        L(Wood, 12, "M-58 4L-48 -98M58 4L48 -98M-66 -100H66"),
        G(-26, -70, 50),
        F(Lamp, "M-32 -64h12v-18h-12Z"),
        L(Pale, 4, "M-16 4L-8 -30M16 4L8 -30M-14 -4H14M-11 -16H11"),
    ]),
    thing(Middle, "saloon", "frontier western boomtown", 340, "a frontier house with a false front", &[
        F(Wood, "M-150 4V-120H-120V-196H-90V-212H90V-196H120V-120H150V4Z"),
        L(WoodShade, 3, "M-118 -140H118M-118 -110H118"),
        F(Pale, "M-84 -190H84V-160H-84Z"),
        L(WoodShade, 5, "M-66 -175H-34M-22 -175H14M28 -175H64"),
        F(WoodShade, "M-170 -86L-156 -104H156L170 -86Z"),
        L(WoodShade, 6, "M-156 4V-86M-60 4V-86M60 4V-86M156 4V-86"),
        F(Glass, "M-128 -62h44v40h-44ZM84 -62h44v40h-44ZM-80 -150h30v-0h-30Z"),
        F(Hole, "M-30 4V-72H30V4Z"),
        F(Pale, "M-30 -14V-52L-2 -46V-14ZM30 -14V-52L2 -46V-14Z"),
        L(Wood, 4, "M-106 -62v40M106 -62v40"),
        L(Pale, 7, "M-176 2H176"),
    ]),
    thing(Middle, "train", "locomotive engine steam-engine", 540, "a steam engine with a coach", &[
        F(Mist, "M60 -190C40 -210 10 -200 0 -220C-40 -216 -60 -240 -110 -232C-160 -250 -220 -230 -250 -206C-190 -214 -150 -206 -110 -208C-60 -196 -10 -196 30 -180Z"),
        F(Body, "M-250 -24V-120H-60V-24ZM-40 -24V-132H30V-24ZM30 -24V-96H200V-24Z"),
        F(Shade, "M-258 -120H-52V-130H-258ZM-48 -130H40V-142H-48ZM54 -96V-140H44V-156H90V-140H80V-96ZM120 -96V-112H146V-96ZM200 -92C214 -88 214 -34 200 -28Z"),
        F(Glass, "M-234 -104h32v36h-32ZM-190 -104h32v36h-32ZM-146 -104h32v36h-32ZM-102 -104h28v36h-28ZM-26 -112h38v36h-38Z"),
        F(Shade, "M200 -28L244 4H190Z"),
        L(Shade, 8, "M-210 -16a15 15 0 1 0 .01 0ZM-110 -16a15 15 0 1 0 .01 0ZM0 -24a19 19 0 1 0 .01 0ZM70 -24a19 19 0 1 0 .01 0ZM140 -16a15 15 0 1 0 .01 0Z"),
        L(Pale, 4, "M0 -6H140M30 -60H196"),
        G(214, -84, 46),
        F(Lamp, "M204 -92h14v16h-14Z"),
    ]),
    thing(Middle, "portal", "rift star-gate", 240, "a ring of stone with light in it", &[
        G(0, -116, 150),
        F(Shade, "M-110 4V-20H110V4Z"),
        F(Body, "M0 -228a112 112 0 1 0 .01 0Z"),
        F(Lamp, "M0 -196a80 80 0 1 0 .01 0Z"),
        V(Mist, "M0 -172a56 56 0 1 0 .01 0Z"),
        F(Mist, "M0 -146a30 30 0 1 0 .01 0Z"),
        L(Shade, 5, "M-82 -172L-70 -162M-104 -116H-88M-82 -60L-70 -70M82 -172L70 -162M104 -116H88M82 -60L70 -70M0 -220V-204"),
    ]),
    thing(Middle, "gallows", "gibbet scaffold hanging", 190, "a gallows", &[
        F(Wood, "M-80 4V-22H80V4Z"),
        L(Wood, 11, "M-50 -22V-214H58M-50 -160L0 -212"),
        L(Pale, 4, "M44 -212V-150"),
        L(Pale, 5, "M44 -150a15 20 0 1 0 .01 0Z"),
        L(WoodShade, 4, "M-76 -10H76"),
    ]),
    thing(Middle, "catapult", "siege trebuchet engine-of-war ballista", 280, "a siege engine", &[
        L(Wood, 12, "M-110 -20H110M-60 -20L0 -120L60 -20"),
        L(Wood, 11, "M70 -60L-100 -190"),
        F(Wood, "M52 -76H108V-28H52Z"),
        L(WoodShade, 7, "M-80 -34a24 24 0 1 0 .01 0ZM80 -34a24 24 0 1 0 .01 0Z"),
        F(Pale, "M-106 -214a20 20 0 1 0 .01 0Z"),
    ]),
    // On the water.
    thing(Afloat, "ship", "sail galley vessel frigate", 320, "a ship under sail", SHIP),
    strip(Afloat, "ships", "fleet keels armada sails", "three ships, one of them near", ships).wide(1000),
    thing(Afloat, "barge", "ferry raft flatboat", 400, "a laden barge", &[
        L(WoodShade, 6, "M-130 -40L-176 -190"),
        F(Pale, "M-110 -40q4-40 34-40q32 4 34 40ZM-46 -40q4-50 40-50q36 4 38 50Z"),
        F(Cloth, "M46 -40V-94H130V-40ZM38 -92C50 -116 124 -116 138 -92Z"),
        F(Glass, "M70 -80h28v22h-28Z"),
        L(Shade, 3, "M-76 -80v-8M-6 -90v-8"),
        F(WoodShade, "M-210 -48C-180 -34 170 -34 208 -54L184 6H-180Z"),
        L(Pale, 4, "M-196 -28C-150 -16 150 -16 194 -32"),
        L(Mist, 4, "M-190 10H-90M-60 14H60M100 10H200"),
    ]),
    thing(Afloat, "boat", "rowing-boat skiff launch dinghy", 300, "a rowing boat", &[
        F(WoodShade, "M-146 -62C-100 -36 100 -36 146 -68L108 6H-112Z"),
        F(Wood, "M-146 -62C-100 -36 100 -36 146 -68L136 -44C90 -22 -90 -22 -136 -42Z"),
        L(Pale, 6, "M-30 -46L-150 10M34 -46L146 10"),
        L(Wood, 7, "M-70 -42H-28M14 -42H64"),
        L(Mist, 4, "M-116 12H-26M16 14H116"),
    ]),
    // From above.
    strip(Hanging, "lanterns", "lantern garland festival feast", "a garland of lanterns", lanterns),
    strip(Hanging, "washing", "laundry washing-line clothes", "washing on lines", washing),
    strip(Hanging, "pennants", "bunting flags", "a string of small flags", pennants),
    strip(Hanging, "lamps", "streetlamps torch", "two lamps: on posts, or on the wall of a room", lamps),
    strip(Hanging, "lamp", "lamplight lamppost", "one lamp: on a post, or over the middle of a room", lamp),
    strip(Hanging, "neon-signs", "sign advertisements", "signs of coloured light", signs).by("neon"),
    // In front.
    thing(Near, "cart", "wagon waggon carriage", 270, "a covered cart", &[
        L(Wood, 8, "M90 -44L160 -34"),
        F(Pale, "M-96 -64C-92 -142 -50 -150 0 -150S92 -142 96 -64Z"),
        L(Wood, 4, "M-46 -64C-44 -120 -36 -138 -22 -148M46 -64C44 -120 36 -138 22 -148"),
        F(Wood, "M-112 -70H112L98 -28H-98Z"),
        L(WoodShade, 3, "M-104 -48H104"),
        L(WoodShade, 8, "M-62 -58a29 29 0 1 0 .01 0ZM64 -58a29 29 0 1 0 .01 0Z"),
        L(WoodShade, 4, "M-62 -58V0M-91 -29H-33M64 -58V0M35 -29H93M-82 -49L-42 -9M-82 -9L-42 -49M44 -49L84 -9M44 -9L84 -49"),
    ]),
    strip(Near, "riders", "rider horsemen cavalry knights charge", "two riders with lances", riders).wide(420),
    thing(Near, "horse", "mare pony mule", 190, "a horse that grazes", &[
        F(Body, "M70 -74C60 -96 20 -98 -10 -92C-34 -96 -52 -84 -64 -62L-86 -26L-92 -10L-82 -4L-70 -12L-54 -40C-48 -50 -40 -54 -34 -52L-30 0H-18L-16 -46C0 -42 20 -42 34 -46L44 -26L42 0H54L56 -30L50 -52C58 -58 62 -62 66 -66C80 -60 80 -40 76 -22C88 -38 88 -62 70 -74Z"),
        F(Shade, "M-24 -50L-10 -22L-12 0H-2L2 -24L-4 -48ZM30 -48L34 -24L28 0H38L44 -24Z"),
        L(Shade, 5, "M-66 -62C-76 -56 -84 -44 -88 -32"),
    ]),
    strip(Near, "guards", "guard sentry watchmen watchman", "two guards with spears", guards).wide(420),
    thing(Near, "banner", "standard", 420, "two standards", &[
        L(WoodShade, 7, "M-180 0V-216M180 0V-216"),
        F(Cloth, "M-178 -210H-106L-124 -178L-106 -146H-178ZM178 -210H106L124 -178L106 -146H178Z"),
        F(Lamp, "M-152 -190a12 12 0 1 0 .01 0ZM152 -190a12 12 0 1 0 .01 0Z"),
        F(Pale, "M-180 -236L-172 -214H-188ZM180 -236L188 -214H172Z"),
    ]),
    thing(Near, "barrels", "barrel cask keg", 230, "barrels", &[
        F(Wood, "M-96 0C-108 -28 -108 -52 -96 -80H-44C-32 -52 -32 -28 -44 0ZM-18 0C-30 -28 -30 -52 -18 -80H34C46 -52 46 -28 34 0Z"),
        F(Pale, "M-58 -82C-70 -108 -70 -130 -58 -156H-10C2 -130 2 -108 -10 -82Z"),
        F(Wood, "M60 -64a32 32 0 1 1 -.01 0Z"),
        F(Pale, "M60 -56a24 24 0 1 1 -.01 0Z"),
        L(WoodShade, 5, "M-104 -56H-36M-104 -24H-36M-26 -56H42M-26 -24H42M-66 -134H-2M-66 -104H-2M60 -52V-12M46 -48V-16M74 -48V-16"),
    ]),
    thing(Near, "crates", "crate boxes cargo bales", 240, "crates and a sack", &[
        F(Wood, "M-110 0V-72H-30V0ZM-22 0V-58H46V0Z"),
        F(Pale, "M-90 -76V-128H-34V-76Z"),
        F(Pale, "M56 0C44 -30 52 -52 72 -62L64 -76H96L88 -62C108 -52 116 -30 104 0Z"),
        L(WoodShade, 5, "M-106 -68L-34 -4M-106 -4L-34 -68M-18 -30H42M12 -54V-4M-90 -102H-34M68 -60H92"),
    ]),
    thing(Near, "cactus", "cacti saguaro", 150, "a tall cactus", &[
        L(Body, 30, "M0 0V-146"),
        L(Body, 22, "M0 -58H-44V-104M0 -40H42V-82"),
        L(Pale, 4, "M-6 -10V-144M6 -10V-144M-46 -66V-100M44 -48V-80"),
        F(Shade, "M-40 4C-20 -10 20 -10 40 4Z"),
    ]),
    thing(Near, "graves", "grave graveyard cemetery tomb barrow", 420, "graves and crosses", &[
        F(Body, "M-180 0V-58C-180 -84 -130 -84 -130 -58V0ZM-30 0V-72C-30 -100 24 -100 24 -72V0ZM120 0L114 -54C112 -80 160 -84 164 -58L168 0Z"),
        L(Body, 13, "M-80 0V-86M-104 -60H-56M76 0L70 -74M50 -52L94 -56"),
        L(Pale, 4, "M-168 -50H-144M-166 -36H-146M-16 -66H10M-14 -50H8M128 -50H150"),
        F(Shade, "M-206 4C-170 -10 -140 -10 -104 4ZM-60 4C-20 -12 20 -12 56 4ZM92 4C130 -10 160 -10 196 4Z"),
    ]),
    thing(Near, "signpost", "milestone crossroads fingerpost", 150, "a signpost", &[
        L(Wood, 10, "M0 0V-160"),
        F(Pale, "M-64 -138L-46 -154H20V-122H-46ZM60 -94L44 -110H-16V-78H44Z"),
        L(WoodShade, 4, "M-42 -138H6M-4 -94H36"),
        F(WoodShade, "M-34 4L-22 -14H18L30 4Z"),
    ]),
    thing(Near, "campfire", "embers-of-a-fire hearthfire", 170, "a small fire", &[
        G(0, -28, 100),
        L(WoodShade, 12, "M-50 -4L44 -16M-44 -16L50 -4"),
        F(Cloth, "M-30 -10C-44 -46 -14 -54 -16 -88C6 -74 8 -58 12 -46C20 -54 22 -62 22 -70C40 -48 38 -24 26 -10Z"),
        F(Lamp, "M-16 -10C-24 -32 -4 -38 -4 -58C10 -46 20 -28 14 -10Z"),
    ]),
    thing(Near, "circle", "chalk pentagram ritual summoning", 440, "a circle drawn on the ground, with a gap", &[
        L(Mist, 6, "M150 -24A180 34 0 1 1 100 -34"),
        L(Mist, 3, "M-140 -6L140 -6L-86 -30L0 18L86 -30Z"),
        L(Mist, 5, "M-186 -4h.01M186 -4h.01M0 34h.01M-110 -36h.01M-120 24h.01M120 24h.01"),
    ]),
];

const SHIP: &[Piece] = &[
    L(WoodShade, 7, "M-36 -30V-222M64 -34V-186"),
    F(Mist, "M-96 -74C-64 -62 -8 -62 12 -74C24 -120 16 -172 4 -196C-24 -186 -60 -186 -84 -196C-74 -154 -80 -110 -96 -74ZM28 -68C50 -60 92 -60 112 -72C118 -110 110 -142 98 -162C76 -156 54 -156 38 -162C44 -130 42 -98 28 -68Z"),
    F(Cloth, "M-36 -240L6 -230L-36 -220Z"),
    L(Pale, 4, "M-88 -134C-60 -126 -12 -126 14 -134M38 -114C58 -108 92 -108 112 -116"),
    F(Wood, "M-144 -52C-132 -38 -90 -34 -40 -34C30 -34 100 -40 152 -62L124 4H-108C-128 -12 -140 -30 -144 -52Z"),
    F(WoodShade, "M-128 -20C-60 -10 60 -10 136 -24L124 4H-108C-116 -2 -122 -10 -128 -20Z"),
    L(Pale, 4, "M-136 -36C-80 -22 70 -22 142 -42"),
    L(Mist, 4, "M-150 8H-70M-40 12H60M90 8H160"),
];

fn ships(pen: &mut Pen<'_>) {
    for (right, y, size, depth) in [(330, -56, 56, 1), (-330, -34, 80, 1), (10, 0, 124, 2)] {
        let x = right * pen.side;
        pen.at(depth).put(SHIP, x, y, size);
    }
}

/// A horse at a trot, with its rider.
const RIDER: &[Piece] = &[
    L(Shade, 5, "M-60 -96L74 -204"),
    F(Shade, "M-40 -50L-30 -26L-38 0H-27L-19 -26L-22 -50ZM16 -48L36 -28L34 2H45L48 -32L34 -54Z"),
    F(Body, "M-66 -64C-64 -88 -38 -94 -6 -90C16 -88 32 -96 44 -118L52 -136L60 -126L76 -118L86 -98L80 -90L62 -96C56 -82 54 -72 48 -62L26 -46C6 -42 -14 -42 -32 -46L-44 -26L-38 2H-49L-58 -28L-54 -50C-64 -44 -68 -32 -72 -20C-84 -36 -80 -58 -66 -64ZM24 -54L54 -44L50 -14H40L42 -36L16 -44Z"),
    F(Cloth, "M-30 -92H14L22 -58L-4 -50L-34 -60Z"),
    F(Body, "M-24 -92C-28 -124 -20 -146 -4 -146S18 -126 16 -100L24 -66H8L-2 -90ZM-4 -178a14 14 0 1 0 .01 0Z"),
    F(Pale, "M74 -212L92 -222L86 -200Z"),
];

fn riders(pen: &mut Pen<'_>) {
    pen.put(RIDER, -110, 0, 100);
    pen.put(RIDER, 104, -12, 92);
}

/// A guard with spear and shield.
const GUARD: &[Piece] = &[
    L(WoodShade, 6, "M-40 2V-190"),
    F(Pale, "M-40 -220L-30 -186H-50Z"),
    F(Shade, "M-22 2L-18 -50H18L22 2H6L0 -40L-6 2Z"),
    F(Body, "M-30 -40L-24 -112C-22 -130 22 -130 24 -112L30 -40Z"),
    L(Body, 13, "M-20 -110L-38 -84"),
    F(Pale, "M0 -160a14 14 0 1 0 .01 0Z"),
    F(Shade, "M-28 -146C-18 -150 -16 -172 0 -174S18 -150 28 -146Z"),
    F(Cloth, "M4 -104H46V-70C46 -48 25 -38 25 -38S4 -48 4 -70Z"),
    L(Lamp, 4, "M25 -100V-46M8 -78H42"),
];

fn guards(pen: &mut Pen<'_>) {
    pen.put(GUARD, -150, 0, 100);
    pen.put(GUARD, 150, 0, 100);
}

fn lanterns(pen: &mut Pen<'_>) {
    pen.line(Ink::Body, 3, "M-10 40C160 100 330 110 600 92S1040 20 1210 60");
    let lamps: Vec<(i32, i32)> = [(60, 72), (180, 96), (300, 99), (420, 111), (540, 98), (660, 102), (780, 80), (900, 72), (1020, 48), (1140, 56)]
        .map(|(x, y)| (x, y + 34))
        .to_vec();
    pen.glows(&lamps, 44);
    let each = |path: &str| -> String { lamps.iter().map(|(x, y)| format!("M{x} {y}{path}")).collect() };
    pen.fill(Ink::Lamp, &each("m-13-18q13-8 26 0q8 18 0 36q-13 8-26 0q-8-18 0-36Z"));
    pen.line(Ink::Body, 4, &each("m-11-19h22m-11 0v-22m-11 60h22"));
}

fn washing(pen: &mut Pen<'_>) {
    for (y, sag) in [(64, 30), (26, 22)] {
        pen.line(Ink::Body, 3, &format!("M-10 {y}Q600 {} 1210 {y}", y + sag * 2));
        for ink in [Ink::Mist, Ink::Cloth, Ink::Pale] {
            let clothes: String = (0..4)
                .map(|_| {
                    let x = pen.seed.within(20, 1130);
                    let (away, w, h) = ((x - 600) / 10, pen.seed.within(34, 56), pen.seed.within(40, 66));
                    let top = y + sag - sag * away * away / 3600;
                    if pen.seed.below(3) == 0 {
                        format!("M{x} {top}h{w}l14 20l-12 8l-8-8v{h}h-{}v-{h}l-8 8l-12-8Z", w - 12)
                    } else {
                        format!("M{x} {top}h{w}v{h}q-{} 8-{} 0t-{} 0Z", w / 4, w / 2, w - w / 2)
                    }
                })
                .collect();
            pen.at(2).fill(ink, &clothes);
        }
    }
}

fn pennants(pen: &mut Pen<'_>) {
    pen.line(Ink::Body, 3, "M-10 30Q300 110 600 44Q900 110 1210 30");
    for (ink, from) in [(Ink::Cloth, 0), (Ink::Lamp, 1), (Ink::Mist, 2)] {
        let flags: String = (0..8)
            .map(|at| at * 3 + from)
            .map(|at| {
                let x = 6 + at * 50;
                let away = (x + 20 - if x < 580 { 296 } else { 904 }) / 10;
                format!("M{x} {}h40l-20 40Z", 74 - away * away * 32 / 900)
            })
            .collect();
        pen.fill(ink, &flags);
    }
}

/// Whether the scene is a room.
fn indoors(pen: &Pen<'_>) -> bool {
    ["room", "hall", "vault", "nave", "library", "storeroom", "theatre"].iter().any(|word| pen.has(word))
}

fn lamps(pen: &mut Pen<'_>) {
    let along_wall = ["window", "fireplace", "door", "stairs", "mirror", "bar"].iter().any(|word| pen.has(word));
    for side in [-1, 1] {
        if indoors(pen) {
            let (x, y) = (600 + side * if along_wall { 150 } else { 262 }, 130);
            pen.glow(x, y, 96);
            pen.line(Ink::Body, 7, &format!("M{x} {}v36M{} {}h28", y + 20, x - 14, y + 20));
            pen.fill(Ink::Lamp, &format!("M{x} {}c14 18 16 40 0 44c-16-4-14-26 0-44Z", y - 26));
        } else {
            post(pen, 600 + side * 296);
        }
    }
}

/// A lamp on a post.
fn post(pen: &mut Pen<'_>, x: i32) {
    pen.frame(x, 360, 100, |pen| {
        pen.glow(0, -204, 104);
        pen.line(Ink::Body, 8, "M0 0V-180");
        pen.fill(Ink::Body, "M-16 6L-8 -14H8L16 6ZM-20 -220L-12 -236H12L20 -220ZM-12 -182H12L16 -172H-16Z");
        pen.fill(Ink::Lamp, "M-16 -220H16L10 -182H-10Z");
        pen.line(Ink::Body, 4, "M0 -218V-184M-16 -220L-10 -182H10L16 -220");
    });
}

fn lamp(pen: &mut Pen<'_>) {
    if !indoors(pen) {
        post(pen, pen.x(-230));
        return;
    }
    if pen.lit() {
        pen.veil(Ink::Lamp, 88, "M500 60L250 400H950L700 60Z");
    }
    pen.line(Ink::Body, 5, "M600 -10V14");
    pen.fill(Ink::Body, "M570 10H630L708 60H492Z");
    pen.line(Ink::Lamp, 7, "M500 64H700");
}

fn signs(pen: &mut Pen<'_>) {
    for (right, y, tall, ink) in [
        (-400, 60, 150, Ink::Lamp),
        (-236, 110, 80, Ink::Cloth),
        (250, 80, 120, Ink::Cloth),
        (420, 46, 170, Ink::Lamp),
    ] {
        let x = pen.x(right);
        pen.glow(x, y + tall / 2, tall * 7 / 10);
        pen.fill(Ink::Body, &format!("M{} {y}h52v{tall}h-52Z", x - 26));
        let glyphs: String = (0..tall / 34)
            .map(|at| format!("M{} {}h24m-12 0v16m-12 0h24", x - 12, y + 16 + at * 34))
            .collect();
        pen.line(ink, 4, &format!("M{} {}h40v{}h-40Z{glyphs}", x - 20, y + 6, tall - 12));
    }
}
