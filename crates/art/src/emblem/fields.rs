//! What lies under a charge: outlines, colours and divisions of the field, in a box of 64.

/// An outline, with the room that it leaves.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) outline: &'static str,
    /// The size of a charge in it, in hundredths.
    pub(crate) room: i32,
    /// How far the middle of its room lies below that of the box.
    pub(crate) drop: i32,
}

/// The outlines differ as black shapes 24 pixels high.
pub(crate) const SHAPES: &[Shape] = &[
    shape("shield", 73, -4, "M8 5H56V30C56 46 45 56 32 61C19 56 8 46 8 30Z"),
    shape("disc", 76, 0, "M32 3a29 29 0 1 0 .01 0Z"),
    shape("lozenge", 58, 0, "M32 1L62 32L32 63L2 32Z"),
    shape("pear", 66, -6, "M32 3C47 3 56 12 56 24C56 40 43 52 32 63C21 52 8 40 8 24C8 12 17 3 32 3Z"),
    shape("arch", 74, 4, "M8 61V31C8 15 19 7 32 2C45 7 56 15 56 31V61Z"),
    shape("hexagon", 72, 0, "M17 5H47L62 32L47 59H17L2 32Z"),
    shape("pennon", 66, -6, "M7 4H57V61L32 46L7 61Z"),
    shape("clover", 70, 0, "M17 17A15 15 0 0 1 47 17A15 15 0 0 1 47 47A15 15 0 0 1 17 47A15 15 0 0 1 17 17Z"),
    shape(
        "tablet",
        75,
        0,
        "M15 4H49A11 11 0 0 0 60 15V49A11 11 0 0 0 49 60H15A11 11 0 0 0 4 49V15A11 11 0 0 0 15 4Z",
    ),
    shape("plus", 60, 0, "M17 3H47V17H61V47H47V61H17V47H3V17H17Z"),
    shape("axehead", 63, 0, "M5 6C14 12 50 12 59 6C53 24 53 40 59 58C50 52 14 52 5 58C11 40 11 24 5 6Z"),
    shape("square", 74, 0, "M6 6H58V58H6Z"),
];

const fn shape(name: &'static str, room: i32, drop: i32, outline: &'static str) -> Shape {
    Shape { name, outline, room, drop }
}

/// Three inks of one colour.
pub(crate) struct Tincture {
    pub(crate) name: &'static str,
    pub(crate) field: &'static str,
    /// The darker part of a divided field.
    pub(crate) shade: &'static str,
    pub(crate) charge: &'static str,
}

/// A charge stands out from its field by at least 4.5 to 1.
pub(crate) const TINCTURES: &[Tincture] = &[
    tincture("red", "#9c2d25", "#7a211b", "#f8e8c8"),
    tincture("blue", "#2c4390", "#21336f", "#f6e0a4"),
    tincture("gold", "#e9bd52", "#d3a237", "#3a230c"),
    tincture("green", "#3d6a2f", "#2d5122", "#f6efd4"),
    tincture("silver", "#f0e8d6", "#dacfb6", "#7c241d"),
    tincture("purple", "#612c66", "#4a1f4e", "#f5dbc8"),
    tincture("black", "#2b2926", "#171614", "#f0c768"),
    tincture("teal", "#1d6668", "#144e50", "#f5e5c2"),
    tincture("orange", "#dd7c34", "#cd6a26", "#241005"),
    tincture("sky", "#a9cadb", "#8bb3c8", "#1c3450"),
    tincture("brown", "#68442a", "#4e311c", "#f4d899"),
    tincture("pink", "#e2aaa3", "#cd8d86", "#4d1226"),
];

const fn tincture(
    name: &'static str,
    field: &'static str,
    shade: &'static str,
    charge: &'static str,
) -> Tincture {
    Tincture { name, field, shade, charge }
}

/// Divisions: the darker part of the field. The first is plain.
pub(crate) const DIVISIONS: &[(&str, &str)] = &[
    ("plain", ""),
    ("pale", "M32 0H64V64H32Z"),
    ("fess", "M0 32H64V64H0Z"),
    ("bend", "M0 0L64 64H0Z"),
    ("sinister", "M64 0V64H0Z"),
    ("chevron", "M0 64V56L32 26L64 56V64Z"),
    ("chief", "M0 0H64V18H0Z"),
    ("quarterly", "M32 0H64V32H32ZM0 32H32V64H0Z"),
    ("paly", "M0 0H12V64H0ZM24 0H32V64H24ZM44 0H54V64H44Z"),
    ("barry", "M0 9H64V20H0ZM0 31H64V42H0ZM0 53H64V64H0Z"),
    ("gyronny", "M32 32L0 12V0H12ZM32 32L52 0H64V12ZM32 32L64 52V64H52ZM32 32L12 64H0V52Z"),
    ("pile", "M6 0H58L32 56Z"),
    ("saltire", "M0 0H14L32 20L50 0H64V14L44 32L64 50V64H50L32 44L14 64H0V50L20 32L0 14Z"),
    ("wavy", "M0 36q8-8 16 0t16 0 16 0 16 0V64H0Z"),
    ("bordered", "M0 0H64V64H0ZM14 14V50H50V14Z"),
];
