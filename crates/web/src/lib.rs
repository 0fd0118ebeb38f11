//! The table in the browser, and the API.
//!
//! A server holds many tables ([`hall`]), each a room with a log in the database. A viewer
//! is sent their own projection and nothing else ([`sight`]): pages are rendered from it,
//! and streams push its changes. Everything that people do is a [`room::Command`], from a
//! form, the script or the API.

#![forbid(unsafe_code)]

mod api;
mod app;
mod auth;
mod connections;
mod course;
mod evening;
mod files;
mod guide;
mod hall;
mod hosts;
mod left;
mod limits;
mod markdown;
mod metrics;
mod opening;
mod page;
mod papers;
mod pass;
mod passphrase;
mod room;
mod routes;
mod security;
mod settings;
mod sheet;
mod sight;
mod stream;
mod take_in;
mod webhook;

pub use app::{Config, ServeError, Served, serve};
pub use limits::{Addresses, Limits, Rate};
pub use papers::{Entry, encounter_text, entries, entry_text};
pub use routes::addresses;
pub use sheet::entry_of;
pub use webhook::Reach;
