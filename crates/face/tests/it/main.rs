//! Tests of the code that faces share.

mod attacked;
mod labels;
mod machine;
