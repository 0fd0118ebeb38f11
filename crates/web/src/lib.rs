//! The table in the browser, and the API.
//!
//! A server holds many tables ([`hall`]), each a room with a log in the database. A viewer
//! is sent their own projection and nothing else ([`sight`]): pages are rendered from it,
//! and streams push its changes. Everything that people do is a [`room::Command`], from a
//! form, the script or the API.

#![forbid(unsafe_code)]

mod api;
mod app;
mod asked;
mod auth;
mod clock;
mod connections;
mod course;
mod ending;
mod evening;
mod files;
mod glance;
mod guide;
mod hall;
mod host;
mod hosts;
mod left;
mod limits;
mod line;
mod markdown;
mod metrics;
mod nudger;
mod opening;
mod origin;
mod page;
mod papers;
mod pass;
mod passphrase;
mod room;
mod routes;
mod security;
mod serve;
mod settings;
mod sheet;
mod sight;
mod stream;
mod take_in;
mod trouble;
mod webhook;
mod wire;

pub use limits::{Addresses, Limits, Rate};
pub use papers::{Entry, encounter_text, entries, entry_text};
pub use routes::addresses;
pub use serve::{Config, ServeError, Served, serve};
pub use sheet::entry_of;
pub use webhook::Reach;
