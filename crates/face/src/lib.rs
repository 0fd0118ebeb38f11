//! Shared by the faces of a table and independent of the game: listed answers as a menu to
//! walk down, the seats that the machine plays and its hints, and text without control characters.

#![forbid(unsafe_code)]

pub mod hint;
pub mod machine;
pub mod menu;
pub mod plain;
