//! Dice as pictures.

use maud::{Markup, html};

/// Where the pips of a six-sided die stand, on a grid from 0 to 2.
const PIPS: [&[(u8, u8)]; 6] = [
    &[(1, 1)],
    &[(0, 0), (2, 2)],
    &[(0, 0), (1, 1), (2, 2)],
    &[(0, 0), (2, 0), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
    &[(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
];

/// The outline of a die on a field of 40 by 40.
fn outline(sides: u8) -> &'static str {
    match sides {
        4 => "M20 3 37 35 3 35Z",
        8 => "M20 2 37 20 20 38 3 20Z",
        10 => "M20 2 38 17 20 38 2 17Z",
        12 => "M20 2 37 14.5 30.5 35 9.5 35 3 14.5Z",
        20 => "M20 2 36 11 36 29 20 38 4 29 4 11Z",
        _ => "M8 3H32Q37 3 37 8V32Q37 37 32 37H8Q3 37 3 32V8Q3 3 8 3Z",
    }
}

/// A die that shows a face.
pub(super) fn die(sides: u8, face: u8) -> Markup {
    let pips = if sides == 6 { PIPS.get(usize::from(face).wrapping_sub(1)) } else { None };
    html! {
        svg .die viewBox="0 0 40 40" role="img" aria-label={ (face) " on a d" (sides) } {
            path .edge d=(outline(sides)) {}
            @if let Some(pips) = pips {
                @for (x, y) in *pips { circle .pip cx=(11 + 9 * x) cy=(11 + 9 * y) r="3.1" {} }
            } @else {
                text x="20" y=(if sides == 4 { "31" } else { "26" }) text-anchor="middle" { (face) }
            }
        }
    }
}

/// Dice written as `2d6 + 1d8`, each with the face it shows. If `ordered`, in the order in
/// which they fell; otherwise dice of one size stand from the highest down, as the game
/// names them.
pub(super) fn thrown(dice: &str, faces: &[u8], ordered: bool) -> Markup {
    let mut left = faces;
    let kinds = dice.split('+').filter_map(|part| {
        let (count, sides) = part.trim().split_once('d')?;
        let (these, rest) = left.split_at(count.parse::<usize>().ok()?.min(left.len()));
        left = rest;
        let mut these = these.to_vec();
        if !ordered {
            these.sort_unstable_by(|a, b| b.cmp(a));
        }
        Some((sides.parse::<u8>().ok()?, these))
    });
    html! {
        span .dice { @for (sides, faces) in kinds { @for face in faces { (die(sides, face)) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::thrown;

    #[test]
    fn dice_lie_as_they_are_told() {
        let faces = |ordered| {
            let drawn = thrown("3d6 + 2d8", &[1, 5, 2, 3, 8], ordered).into_string();
            let drawn_faces = drawn.split("aria-label=\"").skip(1).filter_map(|die| die.chars().next());
            drawn_faces.collect::<String>()
        };
        assert_eq!((faces(true).as_str(), faces(false).as_str()), ("15238", "52183"));
    }
}
