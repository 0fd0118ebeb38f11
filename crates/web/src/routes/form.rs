//! A form as somebody sent it.

use super::{query, serde_urlencoded};
use crate::room::Refusal;
use axum::http::{HeaderMap, Uri};
use fracas_kernel::Refused;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The fields of a form.
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn read(body: &str) -> Form {
        Form(serde_urlencoded(body))
    }

    /// What an address asks, which is written alike.
    pub(super) fn asked(uri: &Uri) -> Form {
        Form(query(uri))
    }

    /// A field that has words in it.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(n, value)| n == name && !value.trim().is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// A field of which there may be several.
    pub(super) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(n, _)| n == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Every field, in order.
    pub(super) fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// A field without which nothing can be done; what is said where it is not there.
    pub(super) fn must(&self, name: &str, what: &str) -> Result<String, Refusal> {
        self.get(name).map(str::to_owned).ok_or_else(|| Refusal::Refused(Refused::form(what.to_owned())))
    }

    /// What this very submission is called, so that one sent twice is done once: as
    /// the script says; without it, the same words from the same page are the same.
    pub(super) fn key(&self) -> Option<String> {
        if let Some(key) = self.get("key") {
            return (key.len() <= 64).then(|| key.to_owned());
        }
        let at = self.get("at").filter(|at| at.len() <= 40)?;
        let mut words = DefaultHasher::new();
        self.0.hash(&mut words);
        Some(format!("{at}-{:x}", words.finish()))
    }

    /// Whether the script sent it, which says what came of it by itself.
    pub(super) fn is_scripted(&self, headers: &HeaderMap) -> bool {
        headers.get("accept").is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
    }

    /// What somebody has written into it, so that a refusal does not lose it.
    pub(super) fn written(&self) -> Option<String> {
        let fields = ["text", "faces", "reply", "own"];
        fields.iter().find_map(|name| self.get(name)).map(str::to_owned)
    }
}
