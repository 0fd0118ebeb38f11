//! Names of hosts, and whether they are on the internet.

use ureq::http::uri::Authority;

/// Suffixes of names that nobody can have on the internet.
const LOCAL: [&str; 4] = [".local", ".lan", ".home.arpa", ".internal"];

/// Whether the name means this machine everywhere.
pub fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// Whether nobody can have the name on the internet: it leads to the local network, or
/// nowhere.
pub fn is_local(host: &str) -> bool {
    is_this_machine(host) || !host.contains('.') || LOCAL.iter().any(|end| host.ends_with(end))
}

/// The host without port and brackets.
pub fn host_of(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    let host = authority.host().trim_start_matches('[').trim_end_matches([']', '.']);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}
