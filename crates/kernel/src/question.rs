//! Questions about odds that need no table: `attack arm=2 cl=6 bold`.

use crate::{Dice, MAX_DICE, dice::MAX_SIZES, near};

/// A question that a game answers without a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Its name, in kebab-case.
    pub name: &'static str,
    /// The meaning of its answer, in one sentence.
    pub about: &'static str,
    /// What is said with it.
    pub fields: &'static [Given],
    /// Words that ask it, as an example: `arm=2 cl=6 bold`.
    pub example: &'static str,
}

/// One value of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// Its name, in kebab-case.
    pub name: &'static str,
    /// The meaning, in a few words.
    pub about: &'static str,
    /// Its values.
    pub takes: Takes,
}

/// The values that a field of a question takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A whole number, `cl=6`. Without a usual number it must be said.
    Number {
        /// The least.
        least: i32,
        /// The most.
        most: i32,
        /// Where it is not said.
        usual: Option<i32>,
    },
    /// A word of these, `harm=body`; the first where it is not said.
    OneOf(&'static [&'static str]),
    /// Said by its name alone, `bold`; false where it is not said.
    Flag,
    /// Dice, `4d8+2d10`, with or without the field's name before them.
    Dice,
}

/// The values of a question, as they were said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values(Vec<(Given, Value)>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Number(i32),
    Word(&'static str),
    Flag(bool),
    Dice(Dice),
}

impl Question {
    /// Reads the words after the question's name.
    ///
    /// # Errors
    /// Every word that means nothing, is out of range or comes twice, and every value that is missing; each
    /// with what would be right.
    pub fn read<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Result<Values, Vec<String>> {
        let mut said: Vec<Option<Value>> = vec![None; self.fields.len()];
        let mut wrong = Vec::new();
        for word in words {
            match self.word(word) {
                Ok((at, _)) if said[at].is_some() => {
                    wrong.push(format!("{word}: {} is said twice", self.fields[at].name));
                }
                Ok((at, value)) => said[at] = Some(value),
                Err(what) => wrong.push(format!("{word}: {what}")),
            }
        }
        let mut values = Vec::new();
        for (given, said) in self.fields.iter().zip(said) {
            match said.or_else(|| given.takes.usual()) {
                Some(value) => values.push((*given, value)),
                None => wrong.push(format!("{} is missing: {}", given.name, given.shown())),
            }
        }
        if wrong.is_empty() { Ok(Values(values)) } else { Err(wrong) }
    }

    /// The field that a word is about, and its value.
    fn word(&self, word: &str) -> Result<(usize, Value), String> {
        let Some((name, value)) = word.split_once('=') else {
            let is_flag = |given: &Given| given.takes == Takes::Flag && given.name == word;
            if let Some(at) = self.fields.iter().position(is_flag) {
                return Ok((at, Value::Flag(true)));
            }
            if let Some(at) = self.fields.iter().position(|given| given.name == word) {
                return Err(format!("needs a value: {}", self.fields[at].shown()));
            }
            let dice = self.fields.iter().position(|given| given.takes == Takes::Dice);
            return match dice {
                Some(at) if word.starts_with(|first: char| first.is_ascii_digit() || first == 'd') => {
                    Ok((at, Value::Dice(read_dice(word)?)))
                }
                _ => Err(self.unknown(word)),
            };
        };
        let found = self.fields.iter().position(|given| given.name == name);
        let at = found.ok_or_else(|| self.unknown(name))?;
        Ok((at, self.fields[at].takes.read(value)?))
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.fields.iter().map(|given| given.name).collect();
        if names.is_empty() {
            return format!("{} takes no values", self.name);
        }
        format!("{} knows no {name:?}{}; it takes {}", self.name, near(name, &names), names.join(", "))
    }
}

impl Given {
    /// How it is said: `cl=4..8`, `bold`, `4d8+2d10`.
    pub fn shown(&self) -> String {
        let name = self.name;
        match self.takes {
            Takes::Number { least, most, usual } => {
                let usual = usual.map_or(String::new(), |usual| format!(", else {usual}"));
                format!("{name}=N from {least} to {most}{usual}")
            }
            Takes::OneOf(words) => format!("{name}=one of {}", words.join(", ")),
            Takes::Flag => name.to_owned(),
            Takes::Dice => format!("{name}=dice such as 4d8+2d10"),
        }
    }
}

impl Takes {
    fn usual(self) -> Option<Value> {
        match self {
            Takes::Number { usual, .. } => usual.map(Value::Number),
            Takes::OneOf(words) => words.first().copied().map(Value::Word),
            Takes::Flag => Some(Value::Flag(false)),
            Takes::Dice => None,
        }
    }

    fn read(self, value: &str) -> Result<Value, String> {
        match self {
            Takes::Number { least, most, .. } => {
                let number = value.parse().ok().filter(|number| (least..=most).contains(number));
                number
                    .map(Value::Number)
                    .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
            }
            Takes::OneOf(words) => {
                let found = words.iter().find(|word| **word == value);
                found.map(|word| Value::Word(word)).ok_or_else(|| crate::not_one_of(value, words))
            }
            Takes::Flag => Err("is said by its name alone".to_owned()),
            Takes::Dice => read_dice(value).map(Value::Dice),
        }
    }
}

impl Values {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(given, _)| given.name == name).map(|(_, value)| value)
    }

    /// A number; 0 of a name that is no number of this question.
    pub fn number(&self, name: &str) -> i32 {
        if let Some(Value::Number(number)) = self.get(name) { *number } else { 0 }
    }

    /// A word; empty of a name that is no word of this question.
    pub fn word(&self, name: &str) -> &'static str {
        if let Some(Value::Word(word)) = self.get(name) { word } else { "" }
    }

    /// Whether a flag was said.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Flag(true))
    }

    /// Dice; none of a name that is no dice of this question.
    pub fn dice(&self, name: &str) -> Dice {
        if let Some(Value::Dice(dice)) = self.get(name) { dice.clone() } else { Dice::default() }
    }
}

/// Reads `4d8+2d10`.
fn read_dice(text: &str) -> Result<Dice, String> {
    let wrong = || "expected dice such as 4d8+2d10".to_owned();
    let mut sizes: Vec<(u8, usize)> = Vec::new();
    for part in text.split('+') {
        let (count, sides) = part.split_once('d').ok_or_else(wrong)?;
        let count: u8 = if count.is_empty() { 1 } else { count.parse().map_err(|_| wrong())? };
        let sides: u8 = sides.parse().map_err(|_| wrong())?;
        if count == 0 || sides < 2 {
            return Err(wrong());
        }
        match sizes.iter_mut().find(|(there, _)| *there == sides) {
            Some((_, all)) => *all += usize::from(count),
            None => sizes.push((sides, count.into())),
        }
    }
    if sizes.len() > MAX_SIZES || sizes.iter().map(|(_, count)| count).sum::<usize>() > MAX_DICE {
        return Err(format!("at most {MAX_DICE} dice of {MAX_SIZES} sizes"));
    }
    Ok(sizes.into_iter().fold(Dice::default(), |dice, (sides, count)| dice.and(count as u8, sides)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTACK: Question = Question {
        name: "attack",
        about: "What an attack does.",
        fields: &[
            Given { name: "arm", about: "the rank", takes: Takes::Number { least: 0, most: 3, usual: None } },
            Given {
                name: "cl",
                about: "the level",
                takes: Takes::Number { least: 4, most: 8, usual: Some(6) },
            },
            Given { name: "form", about: "the form", takes: Takes::OneOf(&["martial", "subtle"]) },
            Given { name: "bold", about: "with a third die", takes: Takes::Flag },
        ],
        example: "arm=2 bold",
    };
    const FALLOUT: Question = Question {
        name: "fallout",
        about: "What fallout does.",
        fields: &[Given { name: "dice", about: "the dice", takes: Takes::Dice }],
        example: "4d8+2d10",
    };

    #[test]
    fn values_are_read_in_any_order() {
        let values = ATTACK.read(["bold", "arm=2", "form=subtle"]).unwrap();
        assert_eq!((values.number("arm"), values.number("cl")), (2, 6));
        assert_eq!((values.word("form"), values.flag("bold")), ("subtle", true));
        assert!(!ATTACK.read(["arm=0"]).unwrap().flag("bold"));
        let dice = FALLOUT.read(["4d8+d10"]).unwrap().dice("dice");
        assert_eq!(dice.to_string(), "4d8 + 1d10");
        assert_eq!(FALLOUT.read(["dice=4d8+1d10"]).unwrap().dice("dice"), dice);
    }

    #[test]
    fn each_fault_says_what_would_be_right() {
        for (question, words, faults) in [
            (ATTACK, "", &["arm is missing: arm=N from 0 to 3"][..]),
            (
                ATTACK,
                "arm=9 bold=1 form=epic",
                &[
                    "arm=9: expected a whole number from 0 to 3",
                    "bold=1: is said by its name alone",
                    "form=epic: expected one of martial, subtle, found \"epic\"",
                    "arm is missing: arm=N from 0 to 3",
                ],
            ),
            (ATTACK, "arm=1 arm=2", &["arm=2: arm is said twice"]),
            (ATTACK, "arm=99999999999 arm=1", &["arm=99999999999: expected a whole number from 0 to 3"]),
            (ATTACK, "arm=1 cl", &["cl: needs a value: cl=N from 4 to 8, else 6"]),
            (FALLOUT, "", &["dice is missing: dice=dice such as 4d8+2d10"]),
            (
                FALLOUT,
                "dice=0d8",
                &["dice=0d8: expected dice such as 4d8+2d10", "dice is missing: dice=dice such as 4d8+2d10"],
            ),
            (
                FALLOUT,
                "250d8+250d6",
                &["250d8+250d6: at most 240 dice of 6 sizes", "dice is missing: dice=dice such as 4d8+2d10"],
            ),
        ] {
            let found = question.read(words.split_whitespace()).unwrap_err();
            assert_eq!(found, faults, "{words}");
        }
        let unknown = ATTACK.read(["arm=1", "bolt"]).unwrap_err();
        assert!(unknown[0].contains("bold"), "{unknown:?}");
    }
}
