//! The curve of the players' chances, as SVG.

use crate::{Outlook, Turns};
use std::fmt::Write as _;

/// The width of the curve, in its own units.
pub const WIDTH: f64 = 1_000.0;
/// Its height.
pub const HEIGHT: f64 = 260.0;

/// The colours of a picture that stands alone.
const STYLE: &str = "rect{fill:#fbf7ec}.even,.edge{stroke:#8b8269;fill:none}.even{stroke-dasharray:6 6}\
     .line{stroke:#7a2f1d;stroke-width:3;fill:none;stroke-linejoin:round}.area{fill:#7a2f1d22}circle{fill:#7a2f1d}\
     .n{fill:#fff;font-size:17px;text-anchor:middle}.scale{fill:#6b634d;font-size:16px}";

/// The curve as a picture that needs nothing else.
pub fn picture(title: &str, turns: &Turns) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1048 360\" font-family=\"Georgia, serif\">\
         <style>{STYLE}</style><rect width=\"1048\" height=\"360\"/>\
         <text x=\"24\" y=\"40\" font-size=\"26\" fill=\"#2c281f\">{title}: the players' chance to win</text>\
         <g transform=\"translate(24 70)\">{}</g></svg>\n",
        curve(turns)
    )
}

/// The curve, the turning points by their numbers, and the edges, without colours. Classes: `line`, `area`,
/// `even`, `edge`, `n`, `scale`.
pub fn curve(turns: &Turns) -> String {
    let last = turns.points.len().saturating_sub(1).max(1) as f64;
    let at = |n: usize, outlook: Outlook| (n as f64 / last * WIDTH, HEIGHT * (1.0 - outlook.chance()));
    let mut line = String::new();
    for (n, point) in turns.points.iter().enumerate() {
        let (x, y) = at(n, point.outlook);
        let _ = write!(line, "{}{x:.1} {y:.1}", if n == 0 { 'M' } else { 'L' });
    }
    let mut out = format!(
        "<path class=\"edge\" d=\"M0 0H{WIDTH}M0 {HEIGHT}H{WIDTH}\"/>\
         <path class=\"even\" d=\"M0 {}H{WIDTH}\"/>\
         <path class=\"area\" d=\"{line}V{HEIGHT}H0Z\"/><path class=\"line\" d=\"{line}\"/>\
         <text class=\"scale\" x=\"0\" y=\"-8\">100 %</text><text class=\"scale\" x=\"0\" y=\"{}\">0 %</text>",
        HEIGHT / 2.0,
        HEIGHT + 20.0
    );
    for (n, turn) in turns.turns.iter().enumerate() {
        let Some(place) = turns.points.iter().position(|point| point.seq >= turn.seq) else { continue };
        let (x, y) = at(place, turns.points[place].outlook);
        let (x, y) = (x.clamp(14.0, WIDTH - 14.0), y.clamp(4.0, HEIGHT - 4.0));
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"14\"/><text class=\"n\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            y + 6.0,
            n + 1
        );
    }
    out
}
