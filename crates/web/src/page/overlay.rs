//! The overlay for a stream: a table as spectators know it, to lie over a video.
//!
//! Nothing in it can be pressed or focused. Each part is one element, so that the script can replace a part
//! that has changed.

use super::{dice, moment, odds, stage, story, words};
use fracas_kernel::{Now, RollInfo, Seat};
use fracas_live::glance::Glance;
use fracas_live::sight::Mark;
use fracas_table::{SeenBy, What};
use maud::{DOCTYPE, Markup, html};

/// A part of the overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The last dice that fell, and what came of them.
    Dice,
    /// The end of the story.
    Story,
    /// What play waits for, and the odds of a roll.
    Odds,
    /// Who stands.
    Tokens,
}

impl Part {
    /// All parts, from the top down. The first ones fade, so the others keep their places.
    pub(crate) const ALL: [Part; 4] = [Part::Dice, Part::Story, Part::Odds, Part::Tokens];

    /// The part's name in an address.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Part::Dice => "dice",
            Part::Story => "story",
            Part::Odds => "odds",
            Part::Tokens => "tokens",
        }
    }

    /// The part with this name.
    pub(crate) fn named(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }

    fn draw(self, glance: &Glance<'_>) -> Markup {
        match self {
            Part::Dice => fallen(glance),
            Part::Story => latest(glance),
            Part::Odds => due(glance),
            Part::Tokens => stage::tokens(glance),
        }
    }
}

/// The edge of the video beside which the overlay lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    Left,
    Right,
}

impl Edge {
    /// Its name in an address.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Edge::Left => "left",
            Edge::Right => "right",
        }
    }
}

/// How a streamer wants the overlay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) parts: Vec<Part>,
    pub(crate) edge: Edge,
    /// The size in hundredths, a multiple of five.
    pub(crate) scale: u16,
}

/// These parts of the overlay.
pub(crate) fn parts(glance: &Glance<'_>, parts: &[Part]) -> Markup {
    html! {
        @for part in Part::ALL.into_iter().filter(|part| parts.contains(part)) {
            section data-part=(part.name()) { (part.draw(glance)) }
        }
    }
}

/// The overlay as a page.
pub(crate) fn overlay(glance: &Glance<'_>, mark: Mark, layout: &Layout) -> Markup {
    let base = glance.base();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (glance.table.log().header().title) " · Fracas" }
                link rel="stylesheet" href="/assets/fracas.css";
                link rel="stylesheet" href="/assets/overlay.css";
                link rel="stylesheet" href={ "/assets/systems/" (glance.table.system().id) ".css" };
                link rel="icon" href="/assets/fracas.svg" type="image/svg+xml";
                script src="/assets/overlay.js" defer {}
                noscript { meta http-equiv="refresh" content="5"; }
            }
            body class={ "overlay " (layout.edge.name()) " scale-" (layout.scale) } {
                main #overlay data-base=(base) data-mark=(mark) { (parts(glance, &layout.parts)) }
            }
        }
    }
}

/// The last dice that fell openly, and what came of them.
fn fallen(glance: &Glance<'_>) -> Markup {
    let Some(line) = glance.fell else { return html! {} };
    let What::Roll { whose, dice: Some(rolled), faces, .. } = &line.what else { return html! {} };
    html! {
        // The same dice may fall twice: the line tells them apart.
        div .plate .fades data-line=(line.n) {
            (dice::thrown(rolled, faces, glance.table.system().ordered))
            @if *whose != Seat::Chance { p .kicker { bdi { (words::capital(&glance.name(*whose))) } } }
            @if let Some(outcome) = story::outcome(line) { p .outcome dir="auto" { (outcome) } }
        }
    }
}

/// The end of the story. What came of the dice stands below them, and is not told twice.
fn latest(glance: &Glance<'_>) -> Markup {
    let brief = match glance.latest {
        Some(line) => story::brief(glance.table, line),
        None => html! {
            @if let Some(opening) = words::about(glance.table, glance.who).begins() { p dir="auto" { (opening) } }
        },
    };
    let of_dice = glance.latest.zip(glance.fell).is_some_and(|(latest, fell)| latest.n == fell.n);
    html! { div .plate .fades .of-dice[of_dice] data-line=[glance.latest.map(|line| line.n)] { (brief) } }
}

/// What play waits for, with the odds of a roll.
fn due(glance: &Glance<'_>) -> Markup {
    html! {
        div .plate {
            @match glance.now() {
                Now::Over => {
                    p .waits { "It is over." @if let Some(result) = glance.table.game().ending(glance.who).result() { " " (result) } }
                },
                _ if glance.around.settings.paused => p .waits { "The table is paused." },
                Now::Roll(roll) => { (acting(glance)) (dice_due(glance, &roll)) },
                Now::Asks(asks) => {
                    (acting(glance))
                    @for (ask, seats) in glance.holding(&asks) {
                        p .waits { "The table waits for " (moment::waited(glance, ask, &seats)) "." }
                    }
                },
            }
        }
    }
}

/// Whose turn it is.
fn acting(glance: &Glance<'_>) -> Markup {
    let tokens = glance.stage().sides.iter().flat_map(|side| &side.tokens);
    let acting: Vec<String> = tokens.filter(|token| token.acts).map(|token| token.name.clone()).collect();
    html! {
        @if !acting.is_empty() {
            p .kicker { (words::names(&acting)) @if acting.len() == 1 { " acts" } @else { " act" } }
        }
    }
}

/// Dice that are due; a roll in secret is the gamemaster's to tell of.
fn dice_due(glance: &Glance<'_>, roll: &RollInfo) -> Markup {
    let game = glance.table.game();
    if !SeenBy::from(roll.seen).by(glance.who) {
        return html! { p .waits { "The table waits for " bdi { (glance.name(Seat::Gm)) } "." } };
    }
    let prompt = game.roll_told(glance.who);
    html! {
        p .waits dir="auto" { @if prompt.text.is_empty() { "Dice are due." } @else { (prompt.text) } }
        p .soft {
            @if roll.whose == Seat::Chance { "To be thrown: " (roll.dice) "." }
            @else { "The table waits for " bdi { (glance.name(roll.whose)) } " to throw " (roll.dice) "." }
        }
        @if let Some(odds) = game.roll_odds(glance.who) { (odds::line(&odds)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn parts_have_names() {
        for part in Part::ALL {
            assert_eq!(Part::named(part.name()), Some(part));
        }
        assert_eq!(Part::named("cards"), None);
    }
}
