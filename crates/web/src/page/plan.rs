//! The map of an encounter, to be drawn on.
//!
//! The server draws it whole, with everything the script needs. The script sends a change and the
//! text, and gets this page part back.

use super::map::{Drawing, cells, coordinates, described, filled, grid_word, ground, stacks, tokens};
use super::scenery::Portraits;
use super::words::capital;
use fracas_kernel::{Field, Flank, MAX_SIDE, Side, Stage, Stands, Token};
use fracas_papers::plan::{End, Person, Plan};
use fracas_papers::sheet::label;
use maud::{Markup, html};
use serde_json::json;

/// The map of a text, and its tools; `base` is the address of its paper.
pub(crate) fn plan(plan: &Plan, text: &str, base: &str) -> Markup {
    let (map, stage) = (&plan.map, stage(plan));
    let drawing = Drawing(map.grid);
    html! {
        div #plan .map .plan data-base=(base) data-columns=(map.columns) data-rows=(map.rows)
            data-grid=(grid_word(map.grid)) data-cells=(json!(cells(&stage, map)).to_string()) {
            (text_of(text))
            p .scriptless { "Drawing needs the script of this page. Without it, the map is drawn in " a href={ (base) "?as=text" } { "the text" } "." }
            div #plan-tools .plan-tools hidden { (tools(plan)) }
            div #plan-said .plan-said role="status" { @for fault in &plan.faults { p .wrong { (fault) } } }
            div .sight tabindex="0" role="application" aria-label={ (described(&stage, map)) " Arrow keys walk the map, Space uses the tool." } {
                svg viewBox=(drawing.view(map)) aria-hidden="true" {
                    (ground(map, drawing))
                    (coordinates(map, drawing))
                    @for (at, here) in stacks(&stage, map) { (tokens(&here, drawing.middle(at), &Portraits::new())) }
                    g .over {}
                }
            }
            p #plan-live .sr aria-live="polite" {}
        }
    }
}

/// In place of a map that cannot be drawn on: what is wrong with it.
pub(crate) fn misdrawn(faults: &[String], text: &str, base: &str) -> Markup {
    html! {
        (text_of(text))
        div .refusal {
            p { "The map cannot be drawn on yet." }
            ul .faults { @for fault in faults { li { (fault) } } }
            p { a href={ (base) "?as=text" } { "Put it right in the text" } }
        }
    }
}

/// In place of a map where there is none yet: what begins one.
pub(crate) fn unmapped(text: &str) -> Markup {
    html! {
        (text_of(text))
        p { "This encounter has no map yet. An empty one is added to its text, to be drawn on." }
        div .tools {
            @for (name, words, usual) in [("columns", "Columns", 24), ("rows", "Rows", 16)] {
                label .number { (words) input type="number" name=(name) value=(usual) min="1" max=(MAX_SIDE) inputmode="numeric"; }
            }
            button name="do" value="begin-map" { "Begin a map" }
        }
    }
}

/// The text, which is saved with the page.
fn text_of(text: &str) -> Markup {
    html! { textarea #plan-text .base name="text" hidden autocomplete="off" aria-label="The text" { "\n" (text) } }
}

/// Everybody on the map, players' characters as the near side.
fn stage(plan: &Plan) -> Stage {
    let side = |flank, is_players| Side {
        title: String::new(),
        flank,
        tokens: plan.people.iter().filter(|person| person.is_players == is_players).map(token).collect(),
    };
    Stage { sides: vec![side(Flank::Near, true), side(Flank::Far, false)], ..Stage::default() }
}

fn token(person: &Person) -> Token {
    Token {
        id: person.path.clone(),
        name: person.name.clone(),
        kind: String::new(),
        seat: None,
        tracks: Vec::new(),
        marks: Vec::new(),
        stands: Stands::In,
        acts: false,
        asked: false,
    }
}

fn tools(plan: &Plan) -> Markup {
    html! {
        div .map-tools role="toolbar" aria-label="The map" {
            button #plan-undo type="button" data-plan="undo" title="Take the last change back (Ctrl+Z)" disabled { "Undo" }
            button #plan-in type="button" data-plan="in" aria-label="Closer" title="Closer (+)" { "+" }
            button #plan-out type="button" data-plan="out" aria-label="Farther" title="Farther (-)" { "−" }
        }
        (grounds(plan))
        (walls())
        (people(plan))
        (names())
        @if let Some(picture) = &plan.map.picture { (picture_tools([picture.left, picture.top, picture.width, picture.height])) }
        (sizes(plan))
    }
}

/// A tool that a press on the map uses.
fn tool(value: &str, words: Markup, checked: bool) -> Markup {
    html! {
        label .tool { input id={ "tool-" (value) } type="radio" name="tool" value=(value) checked[checked]; (words) }
    }
}

/// The kinds of ground: those of the map first.
fn grounds(plan: &Plan) -> Markup {
    let is_other = |word: &&String| *word != Field::WALL_WORD;
    let (used, unused): (Vec<&String>, Vec<&String>) =
        plan.words.iter().filter(is_other).partition(|word| plan.nth_terrain(word).is_some());
    let swatch = |class: &str| html! { svg viewBox="0 0 16 16" aria-hidden="true" { rect class=(class) width="16" height="16" {} } };
    let terrain = |word: &str| {
        let nth = plan.nth_terrain(word);
        tool(
            &format!("paint:{word}"),
            html! { @if let Some(nth) = nth { (filled(nth)) } (label(word)) },
            false,
        )
    };
    html! {
        fieldset .tools {
            legend { "Draw" }
            (tool("paint:", html! { (swatch("floor")) "ordinary ground" }, true))
            (tool(&format!("paint:{}", Field::WALL_WORD), html! { (swatch("wall")) (Field::WALL_WORD) }, false))
            @for word in used { (terrain(word)) }
            (tool("move", html! { "nothing: move the view" }, false))
            @if !unused.is_empty() {
                details #plan-more {
                    summary { "More ground " small { (unused.len()) } }
                    div .tools { @for word in unused { (terrain(word)) } }
                }
            }
        }
    }
}

fn walls() -> Markup {
    html! {
        fieldset .tools {
            legend { "Wall" }
            (tool("edge:close", html! { "along an edge" }, false))
            (tool("edge:open", html! { "none along it" }, false))
            p .help { "Press the edge between two spaces, or draw along several. With keys: Shift and an arrow, for the edge on that side." }
        }
    }
}

fn people(plan: &Plan) -> Markup {
    let place = |person: &Person| match (&person.at, person.space) {
        (Some(at), Some(_)) => at.clone(),
        (Some(at), None) => format!("{at} is no space"),
        (None, _) => "anywhere".to_owned(),
    };
    html! {
        @if !plan.people.is_empty() {
            fieldset .tools {
                legend { "Place" }
                @for person in &plan.people {
                    (tool(&format!("place:{}", person.path), html! { bdi { (person.name) } " " small { (place(person)) } }, false))
                }
                p .help { "Press the space where somebody stands already, and the game places them." }
            }
        }
    }
}

fn names() -> Markup {
    html! {
        fieldset .tools {
            legend { "Name" }
            (tool("name", html! { "a space" }, false))
            input #plan-name .by type="text" aria-label="The name; empty for none" placeholder="Old Ford" maxlength="60" autocomplete="off";
        }
    }
}

fn number(id: &str, name: &str, value: i32) -> Markup {
    html! { label .number { (name) input id={ "plan-" (id) } type="number" value=(value) inputmode="numeric"; } }
}

fn picture_tools(laid: [i32; 4]) -> Markup {
    html! {
        fieldset .tools {
            legend { "Picture" }
            (tool("corner", html! { "press two corners of its grid" }, false))
            (number("across", "that are apart, across", 10))
            (number("down", "and down", 10))
            details #plan-laid {
                summary { "By numbers" }
                div .tools {
                    @for (name, value) in ["left", "top", "width", "height"].into_iter().zip(laid) { (number(name, name, value)) }
                    button #plan-lay type="button" data-plan="lay" { "Lay it so" }
                }
                p .help { "In thousandths of a space, from the upper left corner of the map." }
            }
        }
    }
}

fn sizes(plan: &Plan) -> Markup {
    let map = &plan.map;
    html! {
        fieldset .tools {
            legend { "Size" }
            span { (map.columns) " columns, " (map.rows) " rows" }
            @for (word, end) in End::ALL {
                @let step = end.step(map.grid);
                @let what = if end.is_across() { "column" } else if step == 1 { "row" } else { "pair of rows" };
                span .ends {
                    (capital(word))
                    button id={ "plan-shrink-" (word) } type="button" data-plan="shrink" data-end=(word) aria-label={ "Take a " (what) " at the " (word) } { "−" }
                    button id={ "plan-grow-" (word) } type="button" data-plan="grow" data-end=(word) aria-label={ "Add a " (what) " at the " (word) } disabled[side(plan, end) + step > MAX_SIDE] { "+" }
                }
            }
        }
    }
}

/// How long the map is from an end to the other.
fn side(plan: &Plan, end: End) -> u8 {
    if end.is_across() { plan.map.columns } else { plan.map.rows }
}
