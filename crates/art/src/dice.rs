//! Dice: one drawing for each kind and face, as such a die lies on a table.

/// A kind of die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Die {
    /// Four sides.
    D4,
    /// Six sides.
    D6,
    /// Eight sides.
    D8,
    /// Ten sides, from 1 to 10.
    D10,
    /// Twelve sides.
    D12,
    /// Twenty sides.
    D20,
}

/// What a die has come to in a roll. Each state is a class of the drawing and a mark in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// It lies there.
    #[default]
    Plain,
    /// It counts: a bar beneath it (`counts`).
    Counts,
    /// It does not: struck through, without depth (`dropped`).
    Dropped,
    /// It decides: a star at its corner (`critical`).
    Critical,
}

/// How a solid looks from above, in a box of 64.
struct Solid {
    outline: &'static str,
    /// What is seen of its lower half, beneath the outline.
    side: &'static str,
    /// The facet with the figure, closed, and the edges that lead away from it, each a line.
    facets: &'static str,
    /// The foot of the figure, and its size.
    foot: u8,
    size: u8,
}

impl Die {
    /// Every kind, the smallest first.
    pub const ALL: [Self; 6] = [Self::D4, Self::D6, Self::D8, Self::D10, Self::D12, Self::D20];

    /// The kind with so many sides.
    pub fn with_sides(sides: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|die| die.sides() == sides)
    }

    /// How many sides it has.
    pub fn sides(self) -> u8 {
        [4, 6, 8, 10, 12, 20][self as usize]
    }

    fn solid(self) -> Solid {
        let (foot, size, outline, side, facets) = match self {
            Self::D4 => (47, 26, "M32 4L62 57H2Z", "M2 57L3 63H61L62 57", "M31 10L36 46L6 55ZM36 46L58 54"),
            Self::D6 => (
                45,
                36,
                "M14 3H50Q61 3 61 14V50Q61 61 50 61H14Q3 61 3 50V14Q3 3 14 3Z",
                "M3 50V55Q3 66 14 66H50Q61 66 61 55V50",
                "",
            ),
            Self::D8 => {
                (40, 27, "M32 1L60 19V45L32 63L4 45V19Z", "M4 45V50L32 68L60 50V45", "M32 4L57 44H7Z")
            }
            Self::D10 => (
                36,
                25,
                "M32 1L62 25V39L32 63L2 39V25Z",
                "M2 39V44L32 68L62 44V39",
                "M32 5L50 36L32 47L14 36ZM50 36l9 2M14 36l-9 2M32 47V60",
            ),
            Self::D12 => (
                42,
                27,
                "M32 1L51 7L62 23V41L51 57L32 63L13 57L2 41V23L13 7Z",
                "M2 41V46L13 62L32 68L51 62L62 46V41",
                "M32 11L52 26L44 49H20L12 26ZV4M52 26l7-2M44 49l5 6M20 49l-5 6M12 26L5 24",
            ),
            Self::D20 => (
                42,
                23,
                "M32 1L60 17V47L32 63L4 47V17Z",
                "M4 47V52L32 68L60 52V47",
                "M32 11L53 46H11ZV4M32 11l25 7M32 11L7 18M53 46l4-28M53 46h4M53 46L32 60M11 46l21 14M11 46H7M11 46L7 18",
            ),
        };
        Solid { outline, side, facets, foot, size }
    }
}

/// The pips of a d6 as dots, by face.
const PIPS: [&str; 7] = [
    "",
    "M32 32h.01",
    "M17 17h.01M47 47h.01",
    "M17 17h.01M32 32h.01M47 47h.01",
    "M17 17h.01M47 17h.01M17 47h.01M47 47h.01",
    "M17 17h.01M47 17h.01M32 32h.01M17 47h.01M47 47h.01",
    "M17 15h.01M47 15h.01M17 32h.01M47 32h.01M17 49h.01M47 49h.01",
];

/// Draws a die with a face up, as inline SVG of at most 600 bytes. A face that the die does not
/// have is left blank: the die has not been thrown.
///
/// Its classes: `die-svg`, its kind (`d6`) and its state, and within it `side`, `body`,
/// `facets`, `pips` or `num`, and `mark`.
pub fn die(die: Die, face: u8, state: State) -> String {
    let Solid { outline, side, facets, foot, size } = die.solid();
    let sides = die.sides();
    let (ink, shade, facet, crease) = match state {
        State::Critical => ("#f2bf4f", "#221d16", "#43341e", "#763"),
        _ => ("#221d16", "#f1e5ca", "#fffdf6", "#ba8"),
    };
    let (body, joints) = match die {
        Die::D6 => (facet, ""),
        Die::D4 => (shade, " stroke-linejoin=\"round\""),
        _ => (shade, ""),
    };
    let (class, mark) = match state {
        State::Plain => ("", ""),
        State::Counts => (" counts", "<path class=\"mark\" stroke=\"currentColor\" d=\"M12 73H52\"/>"),
        State::Dropped => (" dropped\" opacity=\".6", "<path class=\"mark\" d=\"M4 62L60 4\"/>"),
        State::Critical => (" critical\" fill=\"#f2bf4f", ""),
    };
    let figure = match die {
        _ if !(1..=sides).contains(&face) => String::new(),
        Die::D6 => {
            let pips = PIPS[usize::from(face)];
            format!("<path class=\"pips\" stroke-width=\"12\" stroke-linecap=\"round\" d=\"{pips}\"/>")
        }
        _ => {
            // Upside down, a six is a nine.
            let under =
                if sides > 8 && matches!(face, 6 | 9) { " text-decoration=\"underline\"" } else { "" };
            format!(
                "<text class=\"num\" x=\"32\" y=\"{foot}\" font-size=\"{size}\" font-weight=\"800\" \
                 text-anchor=\"middle\" stroke=\"none\"{under}>{face}</text>"
            )
        }
    };
    let facets = match facets {
        "" => String::new(),
        _ => format!("<path class=\"facets\" fill=\"{facet}\" stroke=\"{crease}\" d=\"{facets}\"/>"),
    };
    let side = match state {
        State::Dropped => String::new(),
        _ => format!("<path class=\"side\" fill=\"#b59f74\" d=\"{side}\"/>"),
    };
    format!(
        "<svg class=\"die-svg d{sides}{class}\" viewBox=\"0 0 64 76\" aria-hidden=\"true\" \
         stroke=\"{ink}\" stroke-width=\"3\"{joints}>{side}\
         <path class=\"body\" fill=\"{body}\" d=\"{outline}\"/>{facets}\
         {figure}{mark}</svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_is_drawn_in_few_bytes() {
        for kind in Die::ALL {
            assert_eq!(Die::with_sides(kind.sides()), Some(kind));
            let states = [State::Plain, State::Counts, State::Dropped, State::Critical];
            let mut drawn: Vec<String> = states
                .iter()
                .flat_map(|state| (0..=kind.sides()).map(|face| die(kind, face, *state)))
                .collect();
            assert!(
                drawn.iter().all(|svg| svg.len() <= 600),
                "{kind:?} {:?}",
                drawn.iter().map(String::len).max()
            );
            drawn.sort();
            drawn.dedup();
            assert_eq!(drawn.len(), 4 * (usize::from(kind.sides()) + 1), "{kind:?}: each differs");
            assert_eq!(die(kind, kind.sides() + 1, State::Plain), die(kind, 0, State::Plain));
        }
        assert_eq!(Die::with_sides(7), None);
    }

    #[test]
    fn six_and_nine_differ() {
        assert!(die(Die::D20, 6, State::Plain).contains("underline"));
        assert!(die(Die::D10, 9, State::Plain).contains("underline"));
        assert!(!die(Die::D20, 16, State::Plain).contains("underline"));
        assert!(!die(Die::D8, 6, State::Plain).contains("underline"));
    }
}
