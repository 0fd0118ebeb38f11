//! Short texts that an answer may carry: what somebody calls a new thing.

use arrayvec::ArrayString;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, ops::Deref, str::FromStr};

/// A name of one line and at most [`Label::MOST`] bytes, such as a state may hold.
///
/// Surrounding blanks are cut off. It has no control characters and does not begin
/// with `@`, which marks a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize)]
pub struct Label(ArrayString<{ Label::MOST }>);

/// Why a text is no label.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LabelError {
    /// There is nothing in it.
    #[error("a name is needed, and this is empty")]
    Empty,
    /// Too long.
    #[error("a name has at most {most} characters (an accented one counts for two or more), and this has {0}", most = Label::MOST)]
    Long(usize),
    /// A line break or the like.
    #[error("a name is one line of plain text")]
    Control,
    /// It looks like a reference.
    #[error("a name does not begin with '@': that marks somebody or something there is already")]
    Reference,
}

impl Label {
    /// The most bytes of a label.
    pub const MOST: usize = 80;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Label {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Label, LabelError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(LabelError::Empty);
        }
        if text.starts_with('@') {
            return Err(LabelError::Reference);
        }
        if text.chars().any(char::is_control) {
            return Err(LabelError::Control);
        }
        ArrayString::from(text).map(Label).map_err(|_| LabelError::Long(text.len()))
    }
}

impl Deref for Label {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Label, D::Error> {
        let text = <String as Deserialize>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_plain_names_are_labels() {
        assert_eq!("  Ann's brother ".parse::<Label>().unwrap().as_str(), "Ann's brother");
        assert_eq!("".parse::<Label>(), Err(LabelError::Empty));
        assert_eq!(" \t".parse::<Label>(), Err(LabelError::Empty));
        assert_eq!("a\nb".parse::<Label>(), Err(LabelError::Control));
        assert_eq!("@c0".parse::<Label>(), Err(LabelError::Reference));
        assert_eq!("x".repeat(81).parse::<Label>(), Err(LabelError::Long(81)));
        assert!("x".repeat(80).parse::<Label>().is_ok());
    }

    #[test]
    fn a_label_goes_through_json_and_snapshots() {
        let label: Label = serde_json::from_str(r#""climber""#).unwrap();
        assert_eq!(serde_json::to_string(&label).unwrap(), r#""climber""#);
        assert_eq!(borsh::from_slice::<Label>(&borsh::to_vec(&label).unwrap()).unwrap(), label);
        let error = serde_json::from_str::<Label>(r#""@x""#).unwrap_err();
        assert!(error.to_string().contains("does not begin with"), "{error}");
    }
}
