//! The table in the browser, and the API.
//!
//! A live table (`fracas_live`) is drawn as pages; streams push their changes; the API says
//! the same to programs. Everything that people do is a command, from a form, the script or
//! the API.

#![forbid(unsafe_code)]

mod api;
mod app;
mod asked;
mod connections;
mod cookies;
mod files;
mod hosts;
mod limits;
mod markdown;
mod metrics;
mod page;
mod reading;
mod refusal;
mod routes;
mod security;
mod serve;
mod stream;
mod terms;
mod trouble;

pub use fracas_live::webhook::Reach;
pub use limits::{Addresses, Limits, Rate};
pub use routes::{addresses, route_terms};
pub use serve::{Config, ServeError, Served, serve};
pub use terms::{Cost, Senders, Terms};
