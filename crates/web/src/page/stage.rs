//! The table drawn: who stands there with which cards in play, and the stack.
//!
//! It is drawn for systems whose tables have a map, cards or a stack; the cast says the same of
//! the others.

use super::words::capital;
use fracas_kernel::{Flank, Hand, Meter, Playing, Stage, Stands, Token, Waiting};
use fracas_live::glance::Glance;
use maud::{Markup, html};

/// Up to this number, a track is drawn as pips.
const PIPS: u32 = 8;

/// The stage; empty if neither a map nor cards nor a stack are on it.
pub(super) fn stage(glance: &Glance<'_>) -> Markup {
    let stage = &glance.stage();
    let flank = |flank| stage.sides.iter().filter(move |side| side.flank == flank);
    html! {
        @if stage.map.is_some() { (order(stage)) (super::map::map(glance, stage)) }
        @if !stage.hands.is_empty() || !stage.stack.is_empty() {
            (stack(stage))
            div .floor {
                @for at in [Flank::Near, Flank::Far, Flank::Middle] {
                    @let there: Vec<&Token> = flank(at).flat_map(|side| &side.tokens).filter(|token| is_drawn(token)).collect();
                    @if !there.is_empty() {
                        div .flank .theirs[at == Flank::Far] .between[at == Flank::Middle] {
                            h3 { (flank(at).map(|side| capital(&side.title)).collect::<Vec<_>>().join(", ")) }
                            @for token in there { (stander(stage, token)) }
                        }
                    }
                }
            }
        }
    }
}

/// The order in which they act.
fn order(stage: &Stage) -> Markup {
    let tokens = || stage.order.iter().filter_map(|id| stage.token(id));
    html! {
        @if !stage.order.is_empty() {
            ol .turn-order aria-label="Order of the round" {
                @for token in tokens() {
                    li .now[token.acts] .out[token.stands != Stands::In] {
                        b { bdi { (token.name) } }
                        @for mark in &token.marks { small { (mark.text) } }
                    }
                }
            }
        }
    }
}

/// Whether somebody is there to be seen.
fn is_drawn(token: &Token) -> bool {
    token.stands != Stands::Gone
}

fn stander(stage: &Stage, token: &Token) -> Markup {
    let (laid, kept): (Vec<&Hand>, Vec<&Hand>) =
        stage.hands.iter().filter(|hand| hand.of == token.id).partition(|hand| hand.title == "in play");
    let is_out = token.stands != Stands::In;
    html! {
        div .stander .acts[token.acts] .out[is_out] {
            p .called {
                @if token.acts { span .mark aria-hidden="true" { "▸ " } }
                b { bdi { (token.name) } }
                @if token.acts { span .sr { ", acting" } }
                @if token.asked { span .chip .now { "asked" } }
                @if is_out { span .chip { (token.stands.word()) } }
            }
            @if let Some(track) = token.tracks.first() { (pips(track)) }
            @for hand in laid { ul .cards aria-label=(hand.title) { @for card in &hand.cards { (playing(card)) } } }
            @for hand in kept {
                details .kept data-keep={ "hand-" (token.id) "-" (hand.title) } {
                    summary { (hand.cards.len()) " " (hand.title) }
                    ul { @for card in &hand.cards { (playing(card)) } }
                }
            }
        }
    }
}

/// A track as pips, or as a number where there are too many.
fn pips(track: &Meter) -> Markup {
    html! {
        span .will {
            span .label { (track.label) " " b { (track.value) } " of " (track.most) }
            @if (1..=PIPS).contains(&track.most) {
                span .pips aria-hidden="true" { @for pip in 1..=track.most { i .on[pip <= track.value] {} } }
            }
        }
    }
}

fn playing(card: &Playing) -> Markup {
    html! {
        li .turned[card.turned] {
            @match &card.name {
                Some(name) => { @if !card.sign.is_empty() { b { (card.sign) } " " } span { (name) } }
                None => span { "face down" },
            }
            @if card.turned { span .sr { ", turned" } }
        }
    }
}

/// What waits to happen, topmost first, and who may add to it.
fn stack(stage: &Stage) -> Markup {
    let named = |id: &str| stage.token(id).map_or("", |token| token.name.as_str()).to_owned();
    html! {
        @if !stage.stack.is_empty() {
            section .waiting aria-label="The Stack" {
                h3 { "On the Stack" }
                ol { @for (n, waiting) in stage.stack.iter().enumerate() { li .below[n > 0] { (pending(waiting, &named)) } } }
                @if let Some((first, rest)) = stage.priority.split_first() {
                    p .next {
                        "Priority: " b { bdi { (named(first)) } }
                        @for id in rest { " → " bdi { (named(id)) } }
                    }
                }
                @if !stage.passed.is_empty() {
                    p .next { "Passed: " (super::words::names(&stage.passed.iter().map(|id| named(id)).collect::<Vec<_>>())) }
                }
            }
        }
    }
}

fn pending(waiting: &Waiting, named: &impl Fn(&str) -> String) -> Markup {
    html! {
        b {
            @if let Some(by) = &waiting.by { bdi { (named(by)) } " " }
            (waiting.title)
            @if let Some(on) = &waiting.on { span aria-hidden="true" { " → " } span .sr { ", at " } bdi { (named(on)) } }
        }
        @if !waiting.text.is_empty() { " " span { (waiting.text) } }
    }
}
