//! What happened, each event said in one place.

use crate::{At, Game, Refers, Said, Told, Viewer};
use std::fmt;

/// A value as it stands in a sentence, at a table of `G`.
///
/// Numbers are themselves; of its own types a game says it with [`says!`](crate::says).
pub trait Say<G: Game> {
    /// Writes it.
    ///
    /// # Errors
    /// None of its own.
    fn say(&self, at: At<'_, G>, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl<G: Game> Say<G> for $number {
            fn say(&self, _: At<'_, G>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        })+
    };
}

numbers!(u8 u16 u32 i8 i16 i32);

/// A value in a sentence, with the table that gives it its words.
pub struct Saying<'a, T, G: Game>(pub T, pub At<'a, G>);

impl<T: Say<G>, G: Game> fmt::Display for Saying<'_, T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.say(self.1, f)
    }
}

/// The trait that [`events!`](crate::events) implements.
pub trait Happened<G: Game>: Refers {
    /// The fields that are sent as data; see [`crate::Words::said`].
    const SAID: Said;

    /// The sentence, which begins with a capital, its clause, and whether a paragraph begins there.
    fn told(&self, at: At<'_, G>, viewer: Viewer) -> Told;
}

/// Says how values of a game's types stand in its sentences.
///
/// `says! { Duel, at; Char: who => at.rules.name(who); Grip: grip => grip }`
#[macro_export]
macro_rules! says {
    ($game:ty, $at:ident; $($type:ty: $value:ident => $words:expr);+ $(;)?) => {
        $(impl $crate::Say<$game> for $type {
            #[allow(unused_variables, reason = "a word needs no table")]
            fn say(
                &self,
                $at: $crate::At<'_, $game>,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> ::std::fmt::Result {
                let $value = *self;
                ::std::fmt::Display::fmt(&$words, f)
            }
        })+
    };
}

/// Lists the events of a game. An entry is the kind, the variant with its fields, and its words.
///
/// - `says(CLAUSE, "{who} strikes {on}.")`: the fields stand in the sentence as [`Say`] has them.
///   What else stands there is given behind it: `says(CLAUSE, "{who} rests{how}.", how = words(long))`.
/// - `opens(..)`: the same, and a story begins a new paragraph there.
/// - `works(..)`: the same, of how something came about: a story folds it; see [`Told::working`].
/// - `told(EXPRESSION)`: a [`Told`], for words that need a function.
///
/// `pub` marks what goes out as data, of what the sentence says, to others than the gamemaster
/// ([`crate::Words::said`]); a kind without fields is marked itself. The head names the game and says
/// what the entries call the table ([`At`]) and the viewer. Of an event that is one struct the field that
/// goes out is named: `"over" Over(pub live: Live, "on")`.
///
/// ```
/// # mod duel { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/duel/game.rs")); }
/// # use duel::{Char, Duel, STRIKE};
/// # use fracas_kernel::*;
/// events! {
///     /// What happened.
///     pub enum Event of Duel, telling (at, viewer);
///
///     "round" Round(pub round: u16) => opens(Clause::of(&STRIKE), "Round {round}.");
///     "rests" Rests { pub who: Char, long: bool } =>
///         says(Clause::of(&STRIKE), "{who} rests{how}.", how = if long { " well" } else { "" });
///     "secret" Secret(who: Char) => told(Told::new(if viewer.is_gm() { "Seen." } else { "A noise." }));
/// }
/// assert!(tells(Event::SAID, "rests", "who") && !tells(Event::SAID, "rests", "long"));
/// ```
#[macro_export]
macro_rules! events {
    (
        $(#[$doc:meta])* $vis:vis enum $event:ident of $game:ty, telling ($at:ident, $viewer:ident);
        $(
            $(#[$entry_doc:meta])*
            $kind:literal $goes_out:vis $variant:ident
                $(($one_goes_out:vis $one:ident: $one_type:ty $(, $inner:literal)?))?
                $({ $($(#[$field_meta:meta])* $field_goes_out:vis $field:ident: $field_type:ty),+ $(,)? })?
                => $how:ident ($($words:tt)*);
        )+
    ) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "an entry says what its fields are")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, ::serde::Serialize)]
        $vis enum $event {
            $(
                $(#[$entry_doc])*
                #[serde(rename = $kind)]
                $variant $(($one_type))? $({ $($(#[$field_meta])* $field: $field_type),+ })?
            ),+
        }

        impl $crate::Refers for $event {
            #[allow(unused_variables, reason = "an event may refer to nothing")]
            fn each_reference(&self, each: &mut impl FnMut(char, usize)) {
                match self {
                    $($event::$variant $(($one))? $({ $($field),+ })? => {
                        $($crate::Refers::each_reference($one, each);)?
                        $($($crate::Refers::each_reference($field, each);)+)?
                    })+
                }
            }
        }

        impl $crate::Happened<$game> for $event {
            const SAID: $crate::Said = &[
                $(
                    ($crate::events!(@out $goes_out, $kind), ""),
                    $(($crate::events!(@out $one_goes_out, $kind), $crate::events!(@inner $($inner)?)),)?
                    $($(($crate::events!(@out $field_goes_out, $kind), stringify!($field)),)+)?
                )+
            ];

            #[allow(unused_variables, reason = "not every field stands in the sentence")]
            fn told(&self, $at: $crate::At<'_, $game>, $viewer: $crate::Viewer) -> $crate::Told {
                let told = match *self {
                    $($event::$variant $(($one))? $({ $($field),+ })? => {
                        $crate::events!(@$how $at [$($one)? $($($field)+)?] $($words)*)
                    })+
                };
                told.begun()
            }
        }
    };
    // The kind, where this goes out: `pub` is all that may stand there.
    (@out $goes_out:vis, $kind:literal) => {
        if stringify!($goes_out).is_empty() { "" } else { $kind }
    };
    // Of a struct that is all there is to an event the field that goes out.
    (@inner) => { "_" };
    (@inner $field:literal) => { $field };
    (@says $at:ident [$($field:ident)*] $clause:expr, $words:literal $(, $more:ident = $value:expr)* $(,)?) => {{
        let clause = $clause;
        $(let $more = $value;)*
        $(let $field = $crate::Saying($field, $at);)*
        $crate::Told::new(format!($words)).why(clause)
    }};
    (@opens $at:ident $fields:tt $($words:tt)*) => {
        $crate::Told { opens: true, ..$crate::events!(@says $at $fields $($words)*) }
    };
    (@works $at:ident $fields:tt $($words:tt)*) => {
        $crate::events!(@says $at $fields $($words)*).working()
    };
    (@told $at:ident $fields:tt $told:expr) => { $told };
}
