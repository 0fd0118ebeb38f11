//! Tests of what faces share.

mod attacked;
mod labels;
mod machine;
