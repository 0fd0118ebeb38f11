//! The overlay for a stream.

use super::seat::Watching;
use crate::asked::query;
use crate::page::overlay::{self, Edge, Layout, Part};
use crate::trouble::{Trouble, shown};
use axum::http::Uri;
use axum::response::Html;

/// The smallest and the largest size, in hundredths.
const SCALES: std::ops::RangeInclusive<f64> = 75.0..=300.0;

/// Sizes have a class each in the style sheet, so many hundredths apart.
const STEP: f64 = 5.0;

/// The table as spectators know it, to lie over a video.
pub(crate) async fn page(Watching(seated): Watching, uri: Uri) -> Result<Html<String>, Trouble> {
    let layout = layout(&query(&uri)).map_err(Trouble::all_bad)?;
    let page = seated.room.glance(seated.role, |glance, sent| overlay::overlay(glance, sent.mark, &layout));
    page.map(shown).ok_or_else(Trouble::absent)
}

/// Reads how the streamer wants the overlay.
///
/// # Errors
/// Every parameter that cannot be read.
fn layout(asked: &[(String, String)]) -> Result<Layout, Vec<String>> {
    let mut layout = Layout { parts: Part::ALL.to_vec(), edge: Edge::Left, scale: 100 };
    let mut faults = Vec::new();
    for (name, value) in asked {
        let read = match name.as_str() {
            "show" => parts(value).map(|parts| layout.parts = parts),
            "side" => edge(value).map(|edge| layout.edge = edge),
            "scale" => scale(value).map(|scale| layout.scale = scale),
            _ => Err(format!("The overlay has no \u{201c}{name}\u{201d}. It has show, side and scale.")),
        };
        faults.extend(read.err());
    }
    if faults.is_empty() { Ok(layout) } else { Err(faults) }
}

fn parts(value: &str) -> Result<Vec<Part>, String> {
    let named = value.split(',').map(|name| Part::named(name.trim()));
    named.collect::<Option<_>>().ok_or_else(|| {
        format!("show={value}: name some of dice, odds, tokens and story, with commas between, such as show=dice,odds.")
    })
}

fn edge(value: &str) -> Result<Edge, String> {
    let edge = [Edge::Left, Edge::Right].into_iter().find(|edge| edge.name() == value);
    edge.ok_or_else(|| format!("side={value}: the side is left or right."))
}

fn scale(value: &str) -> Result<u16, String> {
    let hundredths = value.parse::<f64>().ok().map(|scale| scale * 100.0);
    let scale = hundredths.filter(|hundredths| SCALES.contains(hundredths));
    let scale = scale.map(|hundredths| ((hundredths / STEP).round() * STEP) as u16);
    scale.ok_or_else(|| format!("scale={value}: the scale is a number from 0.75 to 3, such as 1.5."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, expected: Result<(&[Part], Edge, u16), usize>) {
        let layout = layout(&crate::asked::serde_urlencoded(asked));
        let expected = expected.map(|(parts, edge, scale)| Layout { parts: parts.to_vec(), edge, scale });
        assert_eq!(layout.map_err(|faults| faults.len()), expected, "{asked}");
    }

    #[test]
    fn what_a_streamer_wants_is_read() {
        check("", Ok((&Part::ALL, Edge::Left, 100)));
        check("show=dice,odds", Ok((&[Part::Dice, Part::Odds], Edge::Left, 100)));
        check("show=story%2C+tokens&side=right", Ok((&[Part::Story, Part::Tokens], Edge::Right, 100)));
        for (scale, hundredths) in [("0.75", 75), ("1.5", 150), ("1.23", 125), ("2.999", 300), ("3", 300)] {
            check(&format!("scale={scale}"), Ok((&Part::ALL, Edge::Left, hundredths)));
        }
    }

    #[test]
    fn every_fault_is_told() {
        for asked in ["show=", "show=dice,", "show=cards", "show=Dice", "side=top", "side=", "size=2"] {
            check(asked, Err(1));
        }
        for scale in ["", "0.74", "3.01", "-1", "1,5", "NaN", "inf", "1e9", "big"] {
            check(&format!("scale={scale}"), Err(1));
        }
        check("show=cards&side=top&scale=9&size=2", Err(4));
    }
}
