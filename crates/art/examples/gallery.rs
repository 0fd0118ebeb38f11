//! Draws every picture on one page, in light and dark:
//! `cargo run -p fracas-art --example gallery > gallery.html`.
//!
//! With `emblems`, `dice`, `scenes` or `motifs` it draws only these, and with other words the scene
//! that they describe: `gallery "night moon gate" "A Title"`.

use fracas_art::{Die, Emblem, Named, Part, Scene, State, die, emblems, scene_words};

fn main() {
    let mut words = std::env::args().skip(1);
    let (what, title) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let page = match what.as_str() {
        "emblems" => all_emblems(),
        "dice" => all_dice(),
        "scenes" => all_scenes(),
        "motifs" => all_motifs(),
        "" => [all_emblems(), all_dice(), all_scenes(), all_motifs()].concat(),
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
    .s24 svg{width:24px}.s28 svg{width:28px}.s48 svg{width:48px}.s96 svg{width:96px}.scene{display:block}\
    .cover .scene{width:420px;height:157px}.phone .scene{width:390px;height:220px}\
    .small .scene{width:108px;height:140px}.motif .scene{width:360px;height:150px}.wide .scene{width:1200px}";

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
    let mut page = String::from("<h2>A table</h2>");
    for (name, emblem) in names.iter().zip(emblems(names)) {
        page += &format!("<figure><span class=s48>{}</span><br>{name}</figure>", draw(emblem));
    }
    for part in Part::ALL {
        page += &format!("<h2>{part:?}</h2>");
        for (at, word) in part.words().into_iter().enumerate() {
            let other = |part: Part| part.words()[at % part.words().len()];
            let others = match part {
                Part::Charge => [Part::Tincture, Part::Shape, Part::Division].map(other).join(" "),
                Part::Tincture => String::from("wolf shield plain"),
                Part::Shape => String::from("gate blue plain"),
                Part::Division => String::from("key red square"),
            };
            let emblem = Emblem::of(Named { name: "", written: &format!("{word} {others}") });
            page += "<figure>";
            for size in [24, 48, 96] {
                page += &format!("<span class=s{size}>{}</span>", draw(emblem));
            }
            page += &format!("<br>{word}</figure>");
        }
    }
    page
}

fn all_dice() -> String {
    let mut page = String::from("<h2>Dice</h2>");
    for kind in Die::ALL {
        page += "<div>";
        for face in 0..=kind.sides() {
            page += &format!("<span class=s28>{}</span> ", die(kind, face, State::Plain));
        }
        for state in [State::Plain, State::Counts, State::Dropped, State::Critical] {
            page += &format!(
                "<span class=s48>{0}</span> <span class=s96>{0}</span> ",
                die(kind, kind.sides(), state)
            );
        }
        page += "</div>";
    }
    page
}

/// The bundled encounters, as covers and as stages on a phone.
fn all_scenes() -> String {
    let encounters = include_str!("encounters.txt").lines().filter_map(|line| line.split_once(": "));
    let draw = |(title, line)| {
        let svg = Scene::written(line, title).svg();
        format!(
            "<figure class=cover>{svg}{title} ({})</figure><figure class=phone>{svg}</figure>\
             <figure class=small>{svg}</figure>",
            svg.len()
        )
    };
    format!("<h2>Encounters</h2>{}", encounters.map(draw).collect::<String>())
}

fn all_motifs() -> String {
    let draw = |word| {
        let svg = Scene::written(word, word).svg();
        format!("<figure class=motif>{svg}{word} ({})</figure>", svg.len())
    };
    format!("<h2>Words</h2>{}", scene_words().map(|known| draw(known.word)).collect::<String>())
}
