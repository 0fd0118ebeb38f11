//! The tables of a server, without a word of HTTP or HTML.
//!
//! A server holds many tables ([`hall`]), each a room ([`room`]) with a log in the database.
//! Everything that people and programs do is a [`command::Command`]. A viewer is sent their own
//! projection and nothing else ([`sight`]), made from the table as they see it
//! ([`glance`]). A face draws it: it hands the hall a [`sight::Draw`].

#![forbid(unsafe_code)]

pub mod auth;
pub mod clock;
pub mod command;
pub mod course;
pub mod ending;
pub mod evening;
pub mod glance;
pub mod hall;
pub mod hindsight;
pub mod hint;
pub mod host;
mod jobs;
pub mod left;
pub mod line;
pub mod nudger;
pub mod opening;
pub mod origin;
pub mod pass;
pub mod passphrase;
mod reading;
pub mod room;
pub mod settings;
pub mod sight;
mod streak;
pub mod take_in;
pub mod webhook;
pub mod wire;
