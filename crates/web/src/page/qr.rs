//! A link as a QR code.

use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};

/// Light modules around the code: the standard asks for four.
const QUIET: i32 = 4;

/// The QR code of a link; empty if the link is too long.
pub(super) fn code(link: &str) -> Markup {
    let Ok(code) = QrCode::encode_text(link, QrCodeEcc::Medium) else { return html! {} };
    let size = code.size();
    let dark = |x, y| code.get_module(x, y);
    let mut path = String::new();
    for (y, x) in (0..size).flat_map(|y| (0..size).map(move |x| (y, x))).filter(|&(y, x)| dark(x, y)) {
        path.push_str(&format!("M{x} {y}h1v1h-1z"));
    }
    let all = size + 2 * QUIET;
    html! {
        svg .qr viewBox={ (-QUIET) " " (-QUIET) " " (all) " " (all) } role="img" aria-label="The link, to be read by a phone's camera" {
            rect x=(-QUIET) y=(-QUIET) width=(all) height=(all) fill="#fff" {}
            path d=(path) fill="#000" {}
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_link_is_a_picture() {
        let picture =
            super::code("http://192.168.1.7:7766/join/abcdefghijklmnopqrstuvwxyz234567").into_string();
        assert!(picture.contains("viewBox=\"-4 -4 ") && picture.matches('M').count() > 200, "{picture}");
        assert_eq!(super::code(&"x".repeat(9000)).into_string(), "");
    }
}
