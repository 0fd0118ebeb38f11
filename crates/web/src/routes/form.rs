//! Forms that browsers send.

use crate::asked::{query, serde_urlencoded};
use axum::http::{HeaderMap, Uri};
use fracas_kernel::Refused;
use fracas_live::command::Refusal;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The fields of a form.
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn read(body: &str) -> Form {
        Form(serde_urlencoded(body))
    }

    /// The query of an address, as a form.
    pub(super) fn asked(uri: &Uri) -> Form {
        Form(query(uri))
    }

    /// A field that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(n, value)| n == name && !value.trim().is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// All values of a field.
    pub(super) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(n, _)| n == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Every field, in order.
    pub(super) fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// A required field; `what` is the refusal if it is absent.
    pub(super) fn must(&self, name: &str, what: &str) -> Result<String, Refusal> {
        self.get(name).map(str::to_owned).ok_or_else(|| Refusal::Refused(Refused::form(what.to_owned())))
    }

    /// The key of this submission, so that one sent twice is done once. The script gives
    /// one; without it, the same words from the same page have the same key.
    pub(super) fn key(&self) -> Option<String> {
        if let Some(key) = self.get("key") {
            return (key.len() <= 64).then(|| key.to_owned());
        }
        let at = self.get("at").filter(|at| at.len() <= 40)?;
        let mut words = DefaultHasher::new();
        self.0.hash(&mut words);
        Some(format!("{at}-{:x}", words.finish()))
    }

    /// Whether the script sent it, which shows the result itself.
    pub(super) fn is_scripted(&self, headers: &HeaderMap) -> bool {
        headers.get("accept").is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
    }

    /// The text that a person wrote in it, so that a refusal does not lose it.
    pub(super) fn written(&self) -> Option<String> {
        let fields = ["text", "faces", "reply", "own"];
        fields.iter().find_map(|name| self.get(name)).map(str::to_owned)
    }
}
