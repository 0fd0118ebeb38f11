//! Numbers as exporters write them: whole, with a fraction, or as text.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// The farthest that anything may lie from a map, in spaces.
const FARTHEST: f64 = 10_000.0;

/// A number that is no farther from 0 than [`FARTHEST`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Number(pub(crate) f64);

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from -{FARTHEST} to {FARTHEST}")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        // No number at all is in no range.
        if (-FARTHEST..=FARTHEST).contains(&number) {
            Ok(Number(number))
        } else {
            Err(E::custom(format_args!("expected a number from -{FARTHEST} to {FARTHEST}, found {number:e}")))
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
        self.visit_f64(number as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        match text.trim().parse() {
            Ok(number) => self.visit_f64(number),
            Err(_) => Err(E::custom("expected a number, found other text")),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Number, D::Error> {
        d.deserialize_any(Reader)
    }
}
