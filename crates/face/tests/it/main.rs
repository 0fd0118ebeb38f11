//! Tests of the code that faces share.

mod attacked;
mod composed;
mod grave;
mod machine;
mod pauses;
mod standing;
