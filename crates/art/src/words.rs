//! Words that choose what is drawn, and the known word nearest to an unknown one.

use std::borrow::Cow;
use std::fmt;

/// A word that names nothing to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The word as it was written, cut after forty letters.
    pub word: String,
    /// The known word that is nearest to it, if one is near.
    pub nearest: Option<&'static str>,
}

impl Unknown {
    pub(crate) fn new(word: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        let word: String = word.chars().take(40).collect();
        Self { nearest: nearest(&word, known), word }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` names nothing that can be drawn", self.word)?;
        self.nearest.map_or(Ok(()), |near| write!(f, "; nearest is `{near}`"))
    }
}

/// The most words of a text that are read.
const READ: usize = 400;

/// The first words of a text in small letters: what stands between anything but letters, digits
/// and the hyphen. A possessive ending does not count.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric() && !"-'’".contains(letter))
        .map(|word| word.trim_end_matches("'s").trim_end_matches("’s").trim_matches(['-', '\'', '’']))
        .filter(|word| !word.is_empty())
        .take(READ)
        .map(str::to_lowercase)
}

/// A word, and what it is the plural of, if it is one.
pub(crate) fn singulars(word: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let plain =
        [Some(word), word.strip_suffix('s'), word.strip_suffix("es")].into_iter().flatten().map(Cow::from);
    plain.chain(word.strip_suffix("ies").map(|word| Cow::from(format!("{word}y"))))
}

/// The known word that takes the fewest changes, at most a third of the letters.
fn nearest(word: &str, known: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let word = word.to_lowercase();
    let near = known.into_iter().map(|other| (changes(&word, other), other)).min()?;
    (near.0 <= ((word.chars().count() + 1) / 3).max(1)).then_some(near.1)
}

/// How many letters must be put in, taken out or changed to make `from` into `to`.
fn changes(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (done, letter) in from.chars().enumerate() {
        let mut corner = row[0];
        row[0] = done + 1;
        for (at, other) in to.chars().enumerate() {
            let change = corner + usize::from(letter != other);
            corner = row[at + 1];
            row[at + 1] = change.min(corner + 1).min(row[at] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text() {
        let split = |text| words(text).collect::<Vec<_>>().join(" ");
        assert_eq!(split("The Widow's Well: a lawsuit, wide-open"), "the widow well a lawsuit wide-open");
        assert_eq!(split("Fen’s – 'quoted' \u{0}\"><script>"), "fen quoted script");
        assert_eq!(split(""), "");
    }

    #[test]
    fn plurals_are_the_same_word() {
        for (word, known) in [("wolf", "wolf"), ("lamps", "lamp"), ("torches", "torch"), ("cities", "city")] {
            assert!(singulars(word).any(|word| word == known), "{word} {known}");
        }
        for (word, known) in [("wolfish", "wolf"), ("lamp", "lamps"), ("ties", "city")] {
            assert!(singulars(word).all(|word| word != known), "{word} {known}");
        }
    }

    #[test]
    fn the_nearest_word_is_near() {
        let known = || ["mountains", "moon", "moor", "market"];
        assert_eq!(nearest("mountian", known()), Some("mountains"));
        assert_eq!(nearest("Mon", known()), Some("moon"));
        assert_eq!(nearest("helicopter", known()), None);
        assert_eq!((changes("kitten", "sitting"), changes("", "ab"), changes("ab", "")), (3, 2, 2));
    }
}
