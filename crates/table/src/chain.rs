//! The hash in each line that vouches for the line and for everything before it.
//!
//! Each line ends with `"chain"`: the SHA-256 of the hash of the line before and of the
//! line's own text up to there. The first line that has one continues from the SHA-256 of
//! all bytes before it, which for a new log are none. So an edited, removed, moved or
//! damaged line is found at that line. If a forger computes every later hash again, the
//! last hash differs from a copy of it that was kept elsewhere.
//!
//! All 256 bits are kept: the author of a log must not be able to prepare two evenings with
//! the same last hash.

use crate::hex;
use sha2::{Digest, Sha256};

type Hash = [u8; 32];

/// Hexadecimal digits of a hash.
const DIGITS: usize = 64;
/// The text before the hash in a line.
const BEFORE: &str = ",\"chain\":\"";
/// The text after it.
const AFTER: &str = "\"}\n";
/// The end of a line without a hash.
const BARE: &str = "}\n";

/// The state of the hash chain after some lines.
#[derive(Clone)]
pub(crate) enum Chain {
    /// No line has a hash yet: the hasher of all bytes so far.
    Bare(Sha256),
    /// The last line's hash, and the number of the first line that has one.
    Linked { end: Hash, from: u64 },
}

impl Default for Chain {
    fn default() -> Self {
        Chain::Bare(Sha256::new())
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Chain::Bare(_) => f.write_str("Bare"),
            Chain::Linked { end, from } => write!(f, "Linked({}, from {from})", hex::write(end)),
        }
    }
}

impl Chain {
    /// The last line's hash, where it has one.
    pub(crate) fn end(&self) -> Option<String> {
        match self {
            Chain::Bare(_) => None,
            Chain::Linked { end, .. } => Some(hex::write(end)),
        }
    }

    /// The number of the first line that has a hash.
    pub(crate) fn from(&self) -> Option<u64> {
        match self {
            Chain::Bare(_) => None,
            Chain::Linked { from, .. } => Some(*from),
        }
    }

    /// The hash of line `seq` with this text before its hash, and the number of the first
    /// line that has a hash.
    fn next(&self, seq: u64, text: &str) -> (Hash, u64) {
        let (before, from) = match self {
            Chain::Bare(all) => (all.clone().finalize().into(), seq),
            Chain::Linked { end, from } => (*end, *from),
        };
        let hash: Hash = Sha256::new().chain_update(before).chain_update(text).finalize().into();
        (hash, from)
    }

    /// Adds the hash to line `seq`, a JSON object with its newline.
    pub(crate) fn link(&mut self, seq: u64, line: &str) -> String {
        let text = line.strip_suffix(BARE).unwrap_or(line);
        let (end, from) = self.next(seq, text);
        *self = Chain::Linked { end, from };
        [text, BEFORE, &hex::write(&end), AFTER].concat()
    }

    /// Checks the hash of line `seq` as it was read, with its newline, and moves the chain
    /// past it.
    ///
    /// # Errors
    /// If its hash is missing, or differs from the hash of this line and the lines before.
    pub(crate) fn read(&mut self, seq: u64, line: &str) -> Result<(), String> {
        let (text, found) = match (split(line), &mut *self) {
            (Some(parts), _) => parts,
            (None, Chain::Bare(all)) => {
                all.update(line);
                return Ok(());
            }
            (None, Chain::Linked { .. }) => {
                return Err("the line lacks the hash at its end (\"chain\") that the lines before have: \
                            it was added or changed afterwards"
                    .to_owned());
            }
        };
        let (end, from) = self.next(seq, text);
        let right = hex::write(&end);
        if found != right {
            return Err(format!(
                "the line is not as it was written, or the one before is not: its hash is {found}, \
                 and with the lines before it comes to {right}"
            ));
        }
        *self = Chain::Linked { end, from };
        Ok(())
    }
}

/// The text of a line before its hash, and the hash; `None` if it has none.
pub(crate) fn split(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_suffix(AFTER)?;
    let (text, hash) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    Some((text.strip_suffix(BEFORE)?, hash))
}

/// Computes the hashes of all lines anew, as a forger would. A line that is no JSON object
/// is left as it is. For tests and fuzzing.
pub fn renewed(log: &str) -> String {
    let mut chain = Chain::default();
    let line = |(seq, line): (u64, &str)| {
        let bare = bare(line);
        if bare.ends_with(BARE) { chain.link(seq, &bare) } else { bare }
    };
    (0..).zip(log.split_inclusive('\n')).map(line).collect()
}

/// Removes the hashes, as in format 1. For tests and fuzzing.
pub fn stripped(log: &str) -> String {
    let bare: String = log.split_inclusive('\n').map(bare).collect();
    bare.replacen("\"format\":2", "\"format\":1", 1)
}

fn bare(line: &str) -> String {
    split(line).map_or_else(|| line.to_owned(), |(text, _)| [text, BARE].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_pinned() {
        // From an independent implementation.
        let log = renewed("{\"seq\":0}\n{\"seq\":1}\n");
        let hashes: Vec<&str> = log.split_inclusive('\n').filter_map(split).map(|(_, hash)| hash).collect();
        assert_eq!(
            hashes,
            [
                "376374b489cf54cdbf4120bd348f53dc4e337a5b59c164b242f6f3ff3a576568",
                "5567c6376e5f0455b966be0487c6fb27dbcb62f47ca756866b1d4472b39078a0",
            ]
        );
    }

    #[test]
    fn a_log_that_had_no_hashes_goes_on_with_them() {
        let mut chain = Chain::default();
        chain.read(0, "{\"seq\":0}\n").expect("none is needed yet");
        assert_eq!((chain.end(), chain.from()), (None, None));
        let mut again = chain.clone();
        let line = chain.link(1, "{\"seq\":1}\n");
        again.read(1, &line).expect("the same");
        assert_eq!((again.end(), again.from()), (chain.end(), Some(1)));
        assert!(again.read(2, "{\"seq\":2}\n").unwrap_err().contains("lacks the hash"));
        // The lines without a hash are covered from then on.
        let mut other = Chain::default();
        other.read(0, "{\"seq\":9}\n").expect("none is needed yet");
        assert!(other.read(1, &line).unwrap_err().contains("not as it was written"));
    }

    #[test]
    fn hashes_are_taken_off_and_put_on_again() {
        let bare = "{\"seq\":0,\"header\":{\"format\":1}}\n{\"seq\":1,\"note\":{\"text\":\",\\\"chain\\\":\\\"\"}}\n";
        let log = renewed(bare);
        assert_eq!(renewed(&log), log);
        assert_eq!(stripped(&log), bare);
        assert_eq!(renewed("odd\n"), "odd\n");
    }
}
