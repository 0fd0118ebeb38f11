//! The log's tests: play, rewinds, damage, what another evening takes along.

mod carried;
mod damage;
mod joined;
mod table;
mod toy;
mod verify;
