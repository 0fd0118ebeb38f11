//! Tests of the code that faces share.

mod attacked;
mod composed;
mod machine;
mod pauses;
