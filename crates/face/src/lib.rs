//! What every face of a table needs and no game knows: listed answers as a
//! menu to walk down, and the seats that the machine plays.

#![forbid(unsafe_code)]

pub mod machine;
pub mod menu;
