//! The cookie by which a browser is known, signed by the server.

use data_encoding::BASE32_NOPAD;
use fracas_live::auth::Secret;
use fracas_store::Hash;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How a request came. A browser's cookie is named and signed accordingly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Unencrypted.
    Plain,
    /// Encrypted.
    Encrypted,
}

impl Way {
    /// The name of our one cookie. Over an encrypted connection it has the prefix that
    /// browsers accept from this very host alone: no other site of its domain can set it.
    pub(crate) fn cookie(self) -> &'static str {
        match self {
            Way::Plain => "fracas",
            Way::Encrypted => "__Host-fracas",
        }
    }
}

/// A valid cookie.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Brought {
    /// In the current form.
    Current(Secret),
    /// In an earlier form: the browser is to be given a new one.
    Before(Secret),
}

/// Recognizes cookies that the server made. Others are ignored, so nobody can choose the
/// secret by which a browser is known.
pub(crate) struct Cookies {
    /// The MAC, with the server's key.
    mac: Hmac<Sha256>,
    /// Browsers whose cookies are older than signatures.
    unsigned: Mutex<HashSet<Hash>>,
}

impl Cookies {
    /// `None` if nothing can be signed with this key.
    pub(crate) fn new(key: Hash, unsigned: impl IntoIterator<Item = Hash>) -> Option<Cookies> {
        let mac = Hmac::new_from_slice(&key).ok()?;
        Some(Cookies { mac, unsigned: Mutex::new(unsigned.into_iter().collect()) })
    }

    fn unsigned(&self) -> MutexGuard<'_, HashSet<Hash>> {
        self.unsigned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signature(&self, secret: &Secret, way: Way) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(format!("{}={}", way.cookie(), secret.reveal()).as_bytes());
        mac
    }

    /// The value of a browser's cookie: its secret and the server's signature.
    pub(crate) fn value(&self, secret: &Secret, way: Way) -> String {
        let mac = self.signature(secret, way).finalize().into_bytes();
        format!("{}.{}", secret.reveal(), BASE32_NOPAD.encode(&mac[..20]).to_ascii_lowercase())
    }

    /// The secret in a value that the server signed for this way.
    fn signed(&self, value: &str, way: Way) -> Option<Secret> {
        let (secret, mac) = value.split_once('.')?;
        let secret = Secret::read(secret)?;
        let mac = BASE32_NOPAD.decode(mac.to_ascii_uppercase().as_bytes()).ok()?;
        let is_ours = mac.len() == 20 && self.signature(&secret, way).verify_truncated_left(&mac).is_ok();
        is_ours.then_some(secret)
    }

    /// The valid one among these cookies, for this way.
    pub(crate) fn find(&self, cookies: &[(&str, &str)], way: Way) -> Option<Brought> {
        let called = |way: Way| cookies.iter().copied().filter(move |(name, _)| *name == way.cookie());
        let current = called(way).find_map(|(_, value)| self.signed(value, way));
        if let Some(secret) = current {
            return Some(Brought::Current(secret));
        }
        // From when the server was reached unencrypted, or cookies were not yet signed.
        let before = |(_, value): (&str, &str)| {
            let unsigned = || Secret::read(value).filter(|secret| self.unsigned().contains(&secret.hash()));
            self.signed(value, Way::Plain).or_else(unsigned)
        };
        called(Way::Plain).find_map(before).map(Brought::Before)
    }

    /// Records that a browser has a signed cookie. Returns whether its unsigned one was
    /// valid until now.
    pub(crate) fn has_signed(&self, browser: &Hash) -> bool {
        self.unsigned().remove(browser)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cookies_that_the_server_made_count() {
        let (own, old) = (Secret::new().expect("random"), Secret::new().expect("random"));
        let cookies = Cookies::new([1; 32], [old.hash()]).expect("a key");
        let (plain, host) = (Way::Plain, Way::Encrypted);
        let others = Cookies::new([2; 32], []).expect("a key");
        let find = |name: &str, value: &str, way| cookies.find(&[(name, value)], way);
        let (current, before) = (Brought::Current(own.clone()), Brought::Before(own.clone()));
        assert_eq!(find("fracas", &cookies.value(&own, plain), plain).as_ref(), Some(&current));
        assert_eq!(find("__Host-fracas", &cookies.value(&own, host), host), Some(current));
        // A browser that was known before the server was reached by https is still known.
        assert_eq!(find("fracas", &cookies.value(&own, plain), host), Some(before));
        for (name, value, way) in [
            ("fracas", own.reveal().to_owned(), plain),
            ("fracas", format!("{}.", own.reveal()), plain),
            ("fracas", format!("{}.{}", own.reveal(), "a".repeat(32)), plain),
            ("fracas", others.value(&own, plain), plain),
            ("fracas", cookies.value(&own, host), plain),
            // Set by another site of the domain, which has a cookie of its own.
            ("fracas", cookies.value(&own, host), host),
            ("__Host-fracas", cookies.value(&own, plain), host),
            ("other", cookies.value(&own, plain), plain),
        ] {
            assert_eq!(find(name, &value, way), None, "{name}={value}");
        }
        // An earlier cookie is valid until its browser has a signed one.
        for way in [plain, host] {
            assert_eq!(find("fracas", old.reveal(), way), Some(Brought::Before(old.clone())));
        }
        assert!(cookies.has_signed(&old.hash()) && !cookies.has_signed(&old.hash()));
        assert_eq!(find("fracas", old.reveal(), plain), None);
    }
}
