//! Tests of the log: play, rewinds, damage, carrying characters over.

mod carried;
mod damage;
mod joined;
mod table;
mod toy;
mod verify;
