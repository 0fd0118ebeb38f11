//! Identity: the secrets of browsers, links and tokens. Only their hashes are kept.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use fracas_kernel::{Seat, Viewer};
use fracas_store::{Hash, TableId};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::{fmt, time::SystemTime};

/// A secret of 160 random bits, as 32 letters and digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new secret; `None` if the system gives no random numbers.
    pub fn new() -> Option<Secret> {
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes).ok()?;
        Some(Secret(BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()))
    }

    /// Derives a named secret by HMAC: stable for the owner, unguessable to others.
    pub fn called(&self, name: &str) -> Secret {
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) else { return self.clone() };
        mac.update(name.as_bytes());
        Secret(BASE32_NOPAD.encode(&mac.finalize().into_bytes()[..20]).to_ascii_lowercase())
    }

    /// Derives a secret from a hash that nobody else knows.
    pub fn following(from: &Hash) -> Secret {
        Secret(BASE32_NOPAD.encode(&from[..20]).to_ascii_lowercase())
    }

    /// Reads a secret; `None` if the text has another form.
    pub fn read(text: &str) -> Option<Secret> {
        let good = text.len() == 32 && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        good.then(|| Secret(text.to_owned()))
    }

    /// The secret as text, for links and cookies only.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash under which the database keeps the secret.
    pub fn hash(&self) -> Hash {
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

/// A hash as text, by which a page refers to a link.
pub fn written(hash: &Hash) -> String {
    HEXLOWER.encode(hash)
}

/// Reads a hash that [`written`] wrote.
pub fn hash_of(text: &str) -> Option<Hash> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// A role as an address writes it: `gm`, `player-1`, `watch`.
pub fn role_name(role: Viewer) -> String {
    match role {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "watch".to_owned(),
    }
}

/// Reads a role that [`role_name`] wrote.
pub fn role_of(name: &str) -> Option<Viewer> {
    match name {
        "watch" => Some(Viewer::Spectator),
        "chance" => None,
        name => name.parse::<Seat>().ok().map(Viewer::Seat),
    }
}

/// Seconds since 1970.
pub fn now() -> i64 {
    (milliseconds() / 1_000).cast_signed()
}

/// Milliseconds since 1970.
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
