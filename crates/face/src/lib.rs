//! What every face of a table needs and no game knows: listed answers as a
//! menu to walk down, the seats that the machine plays, and text as it is shown.

#![forbid(unsafe_code)]

pub mod machine;
pub mod menu;
pub mod plain;
