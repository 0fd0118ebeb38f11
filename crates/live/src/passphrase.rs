//! A table's passphrase, which links ask for.
//!
//! It is kept as an Argon2id hash. That takes memory and time on purpose, so few are
//! computed at once and attempts are limited.

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The fewest letters of a passphrase.
const LEAST: usize = 4;
/// The most bytes of a passphrase.
const MOST: usize = 200;
/// How many hashes are computed at once: each takes 19 MiB.
const AT_ONCE: usize = 2;

/// Computes hashes of passphrases, a few at a time, on threads of their own.
#[derive(Clone)]
pub struct Lock(Arc<Semaphore>);

/// Why a text cannot be a table's passphrase.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PhraseError {
    /// The passphrase is too short or too long.
    #[error("a passphrase has at least {LEAST} letters, and {MOST} at most")]
    Length,
    /// The system has no memory or random numbers for the hash.
    #[error("the passphrase could not be worked out: nothing was changed")]
    Failed,
}

/// 19 MiB, two passes, one lane.
fn argon2() -> Result<Argon2<'static>, PhraseError> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|_| PhraseError::Failed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

impl Default for Lock {
    fn default() -> Lock {
        Lock(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Lock {
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PhraseError> + Send + 'static,
    ) -> Result<T, PhraseError> {
        let permit = self.0.clone().acquire_owned().await.map_err(|_| PhraseError::Failed)?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.unwrap_or(Err(PhraseError::Failed))
    }

    /// Hashes a passphrase for the database.
    pub async fn keep(&self, phrase: &str) -> Result<String, PhraseError> {
        let phrase = phrase.trim().to_owned();
        if phrase.chars().count() < LEAST || phrase.len() > MOST {
            return Err(PhraseError::Length);
        }
        let hash = move || argon2()?.hash_password(phrase.as_bytes()).map_err(|_| PhraseError::Failed);
        self.work(hash).await.map(|hash| hash.to_string())
    }

    /// Whether the passphrase matches the kept hash. A table without one takes as long.
    pub async fn opens(&self, kept: &str, phrase: &str) -> bool {
        let kept = kept.to_owned();
        let phrase: String = phrase.trim().to_owned();
        let verify = move || {
            let hash = PasswordHash::new(&kept).map_err(|_| PhraseError::Failed)?;
            let same = argon2()?.verify_password(phrase.as_bytes(), &hash).is_ok();
            Ok(same && phrase.len() <= MOST)
        };
        self.work(verify).await.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_passphrase_opens_and_nothing_else_does() {
        let lock = Lock::default();
        let kept = lock.keep(" grey heron ").await.expect("a passphrase");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(lock.opens(&kept, "grey heron").await);
        for wrong in ["", "grey heron!", "Grey heron"] {
            assert!(!lock.opens(&kept, wrong).await, "{wrong}");
        }
        assert_eq!(lock.keep("abc").await, Err(PhraseError::Length));
        assert_eq!(lock.keep(&"x".repeat(201)).await, Err(PhraseError::Length));
        assert_ne!(lock.keep("grey heron").await, Ok(kept), "salted");
    }
}
