//! Draws every picture on one page, in light and dark:
//! `cargo run -p fracas-art --example gallery > gallery.html`.
//!
//! With `emblems` or `motifs` it draws these alone, and with other words the scene
//! that they describe: `gallery "night moon gate" "A Title"`.

use fracas_art::{Emblem, Scene, scene_words};

fn main() {
    let mut words = std::env::args().skip(1);
    let (what, title) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let page = match what.as_str() {
        "emblems" => all_emblems(),
        "motifs" => all_motifs(),
        "" => [all_emblems(), all_motifs()].concat(),
        line => {
            let scene = Scene::written(line, &title);
            for unknown in scene.unknown() {
                eprintln!("{unknown}");
            }
            format!("<figure class=wide>{}</figure>", scene.svg())
        }
    };
    println!(
        "<!doctype html><meta charset=utf-8><title>Gallery</title><style>{STYLE}</style>\
         <section>{page}</section><section class=dark>{page}</section>"
    );
}

const STYLE: &str = "body{margin:0;font:13px system-ui}section{background:#f4efe4;color:#221d16;padding:12px}\
    .dark{background:#16140f;color:#efe8d9}figure{display:inline-block;margin:4px;text-align:center}\
    .s24 svg{width:24px}.s48 svg{width:48px}.s96 svg{width:96px}.scene{display:block}\
    .motif .scene{width:360px;height:150px}.wide .scene{width:1200px}";

/// An emblem with a prefix of its own.
fn draw(emblem: Emblem) -> String {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static DRAWN: AtomicUsize = AtomicUsize::new(0);
    emblem.svg(&format!("g{}", DRAWN.fetch_add(1, Ordering::Relaxed)))
}

fn all_emblems() -> String {
    let names = [
        "Tamsin",
        "Oren",
        "Ilka",
        "Gatewarden",
        "Levy Adan",
        "Levy Bero",
        "Archer of the Wall",
        "Besh",
        "Rehka",
        "Old Scorpion",
        "Captain Rusa",
        "Envoy in Grey",
        "Moor Wolf",
        "Ember Hound",
    ];
    let mut page = String::from("<h2>Emblems</h2>");
    for name in names {
        page += "<figure>";
        for size in [24, 48, 96] {
            page += &format!("<span class=s{size}>{}</span>", draw(Emblem::of(name)));
        }
        page += &format!("<br>{name}</figure>");
    }
    page
}

fn all_motifs() -> String {
    let draw = |word| {
        let svg = Scene::written(word, word).svg();
        format!("<figure class=motif>{svg}{word} ({})</figure>", svg.len())
    };
    format!("<h2>Words</h2>{}", scene_words().map(|known| draw(known.word)).collect::<String>())
}
