//! Who is who: cookies, links and tokens. Only hashes of secrets are kept.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Hash, TableId};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::{fmt, time::SystemTime};

/// A secret of 160 random bits, as 32 letters and digits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new one; `None` where the system gives no random numbers.
    pub(crate) fn new() -> Option<Secret> {
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes).ok()?;
        Some(Secret(BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()))
    }

    /// The one that whoever has this secret calls so: nobody else can know it, and it is
    /// the same whenever they ask.
    pub(crate) fn called(&self, name: &str) -> Secret {
        // A key of any length is a key.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) else { return self.clone() };
        mac.update(name.as_bytes());
        Secret(BASE32_NOPAD.encode(&mac.finalize().into_bytes()[..20]).to_ascii_lowercase())
    }

    /// The one that follows from what nobody else knows.
    pub(crate) fn following(from: &Hash) -> Secret {
        Secret(BASE32_NOPAD.encode(&from[..20]).to_ascii_lowercase())
    }

    /// One that somebody brings; `None` where it cannot be one.
    pub(crate) fn read(text: &str) -> Option<Secret> {
        let good = text.len() == 32 && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        good.then(|| Secret(text.to_owned()))
    }

    /// For a link or a cookie, and nowhere else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub(crate) fn hash(&self) -> Hash {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A new table's id: 60 random bits.
pub(crate) fn new_table_id() -> Option<TableId> {
    let secret = Secret::new()?;
    TableId::new(&secret.0[..12])
}

/// A hash as a page writes it, to point at a link.
pub(crate) fn written(hash: &Hash) -> String {
    HEXLOWER.encode(hash)
}

/// The hash again.
pub(crate) fn hash_of(text: &str) -> Option<Hash> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// A role as an address writes it: `gm`, `player-1`, `watch`.
pub(crate) fn role_name(role: Viewer) -> String {
    match role {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "watch".to_owned(),
    }
}

/// The role again.
pub(crate) fn role_of(name: &str) -> Option<Viewer> {
    match name {
        "watch" => Some(Viewer::Spectator),
        "chance" => None,
        name => name.parse::<Seat>().ok().map(Viewer::Seat),
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    (milliseconds() / 1_000).cast_signed()
}

/// Milliseconds since 1970.
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
