//! Pointing at a map: where somebody can go, and what a space there is like.
//!
//! The board takes any space, not only those that an ask lists answers for. A game says where
//! somebody can go ([`Words::reach`](crate::Words::reach)), and of any space what it is like
//! there and which answers it stands for ([`Words::there`](crate::Words::there)).

use crate::{Odds, Space, Told};
use serde::Serialize;

/// The most spaces by which a way is led.
pub const MAX_VIA: usize = 6;

/// Where somebody can go who may move now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Going {
    /// The token that moves.
    pub token: String,
    /// The space where it stands.
    pub from: Space,
    /// The spaces that it can move to, by what that costs, cheapest first. No space is in two.
    pub shades: Vec<Shade>,
}

/// Spaces that cost the same to move to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shade {
    /// The cost in the game's words: "one action".
    pub text: String,
    /// The spaces.
    pub spaces: Vec<Space>,
}

/// A space that a player points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointed {
    /// The token that is to go there; `None` where only one can.
    pub token: Option<String>,
    /// The spaces by which the way is led, in order: at most [`MAX_VIA`].
    pub via: Vec<Space>,
    /// The space.
    pub to: Space,
}

/// A space as it is for somebody who would go there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct There<A> {
    /// The token that would go.
    pub token: String,
    /// The space in words: "C4, mud, beside Mace".
    pub title: String,
    /// What the way there costs and brings, a sentence each, with the rule behind it.
    pub lines: Vec<Told>,
    /// The way there, without its start; empty if none leads there.
    pub path: Vec<Space>,
    /// Labels for spaces of the way.
    pub marks: Vec<(Space, String)>,
    /// What the token could do to others from there, and they to it.
    pub facing: Vec<Facing>,
    /// The answers that pointing there stands for; each of them is allowed.
    pub answers: Vec<A>,
}

/// Somebody seen from a space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Facing {
    /// The other token.
    pub token: String,
    /// How far away it is, in the game's words.
    pub apart: String,
    /// What attacks on it from there come to, for its attacker; none where none is possible, or the viewer
    /// may not know.
    pub gives: Vec<Odds>,
    /// What its attacks on who is there come to, for who is there.
    pub takes: Vec<Odds>,
}

impl<A> There<A> {
    /// The same with other answers.
    pub fn with<B>(self, answers: impl FnOnce(Vec<A>) -> Vec<B>) -> There<B> {
        let There { token, title, lines, path, marks, facing, answers: old } = self;
        There { token, title, lines, path, marks, facing, answers: answers(old) }
    }
}
