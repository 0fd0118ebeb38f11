//! Questions about dice that need no table: `test power=5 tn=12`, `save power=4 tn=11 bad`.
//!
//! Light is spent, and results are read, by the code of play ([`roll`], [`board`]).

use crate::rules::Options;
use crate::state::{Action, Outcome, Throw};
use crate::{board, roll, settle::NUMBERS, vocab::*};
use fracas_kernel::{
    Came, Dice, Given, NoFold, Odds, Question, Read, Roll, Rolled, Seat, Secret, Seen, Takes, Values,
};

/// What can be asked.
pub(crate) static QUESTIONS: [Question; 3] = [
    Question {
        name: "test",
        about: "What a test comes to at best, and how guilt can be avoided.",
        fields: &[POWER, TN, SPEND, DIE, GOOD, PUSH, GUILT_TO, GLORY_FROM, PUSHED_DEGREES],
        example: "power=5 tn=12",
    },
    Question {
        name: "save",
        about: "What a save comes to, and how far it fails.",
        fields: &[POWER, TN, SPEND, DIE, GOOD, BAD, GUILT_TO],
        example: "power=4 tn=11",
    },
    Question {
        name: "push",
        about: "What the second roll after a glorious failure comes to.",
        fields: &[POWER, TN, DIE, PUSHED_DEGREES],
        example: "power=5 tn=12",
    },
];

const POWER: Given = number("power", "the attribute with all bonuses and penalties", (-10, 30, None));
const TN: Given = number(
    "tn",
    "the target number or power number",
    (*NUMBERS.start() as i32, *NUMBERS.end() as i32 + 14, None),
);
const SPEND: Given = Given {
    name: "spend",
    about: "how Light is spent: for the best result, for most degrees, or not at all",
    takes: Takes::OneOf(&["best", "most", "none"]),
};
const DIE: Given = flag("die", "with a writhing die");
const GOOD: Given = flag("good", "good fortune is played on what would fail");
const BAD: Given = flag("bad", "bad fortune is played on what would succeed");
const PUSH: Given = flag("push", "pushes on after a glorious failure");
const GUILT_TO: Given = number("guilt-to", "the most Light that is guilty", (1, 3, Some(2)));
const GLORY_FROM: Given =
    number("glory-from", "the least Light that is glorious; 7 is never", (4, 7, Some(5)));
const PUSHED_DEGREES: Given = number("pushed-degrees", "degrees that pushing on adds", (0, 4, Some(2)));

const fn number(
    name: &'static str,
    about: &'static str,
    (least, most, usual): (i32, i32, Option<i32>),
) -> Given {
    Given { name, about, takes: Takes::Number { least, most, usual } }
}

const fn flag(name: &'static str, about: &'static str) -> Given {
    Given { name, about, takes: Takes::Flag }
}

/// The odds that answer a question.
pub(crate) fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
    let kind = match question {
        "test" | "push" => Kind::Test,
        "save" => Kind::Save,
        _ => return Err(format!("{question} is no question of this system")),
    };
    let usual = Options::default();
    // A question that does not ask for a number has the usual one.
    let said =
        |name: &str, usual: u8| if values.number(name) == 0 { usual } else { values.number(name) as u8 };
    let options = Options {
        guilt_to: said("guilt-to", usual.guilt_to),
        glory_from: said("glory-from", usual.glory_from),
        pushed_degrees: values.number("pushed-degrees") as u8,
        ..usual
    };
    let (good, bad, push) = (values.flag("good"), values.flag("bad"), values.flag("push"));
    if good && bad {
        return Err("good and bad: one fortune at a time".to_owned());
    }
    if push && (good || values.flag("die")) {
        return Err("push goes neither with good nor with die: ask for the second roll alone".to_owned());
    }
    let asked = Asked {
        options,
        action: Action {
            kind,
            power: values.number("power") as i8,
            tn: Secret::new(values.number("tn") as i8),
            die: values.flag("die"),
            pushed: question == "push",
            ..Action::default()
        },
        spend: values.word("spend"),
    };
    let again = match (push, good || bad) {
        (true, _) => roll::dice(&asked.action),
        (_, true) => 1,
        _ => 0,
    };
    let dice = Dice::of(roll::dice(&asked.action) + again, 6);
    let roll: Roll<NoFold> = Roll { whose: Seat::Gm, seen: Seen::Openly, dice, read: Read::Ordered };
    let odds = Odds::by(&roll, |rolled| {
        let Rolled::Faces(faces) = rolled;
        asked.came(faces, (good, bad, push))
    });
    odds.ok_or_else(|| "too many dice to tell".to_owned())
}

/// A roll that is asked about.
struct Asked {
    options: Options,
    action: Action,
    spend: &'static str,
}

impl Asked {
    /// What dice come to: Truth, Light, the writhing die if there is one, then those of a second roll.
    fn came(&self, faces: &[u8], (good, bad, push): (bool, bool, bool)) -> Option<Came> {
        let (first, again) = faces.split_at_checked(usize::from(roll::dice(&self.action)))?;
        let action = self.thrown(first)?;
        let result = self.spent(&action)?;
        match *again {
            // Fortune is played on Light that has been seen (`fortune.reroll`).
            [light] if good && !result.success || bad && result.success => {
                let action = Action { throw: Throw { light, ..action.throw }, ..action };
                Some(self.told(&action, self.spent(&action)?))
            }
            [_, _] if push && !result.success && result.band == Band::Glorious => {
                let pushed = Asked { action: Action { pushed: true, ..self.action }, ..*self };
                let action = pushed.thrown(again)?;
                Some(pushed.told(&action, pushed.spent(&action)?))
            }
            _ => Some(self.told(&action, result)),
        }
    }

    fn thrown(&self, faces: &[u8]) -> Option<Action> {
        let (&[truth, light], rest) = faces.split_first_chunk()?;
        let writhe = rest.first().copied().unwrap_or(0);
        Some(Action { throw: Throw { truth, light, writhe, ..Throw::default() }, ..self.action })
    }

    /// The result of Light spent as is asked.
    fn spent(&self, action: &Action) -> Option<Outcome> {
        match self.spend {
            "none" => Some(roll::result(&self.options, action, 0)),
            "most" => Some(roll::result(&self.options, action, roll::most(action))),
            _ => board::best(&self.options, action),
        }
    }

    /// A result in words, with its degree where it is told, or what else can be chosen.
    fn told(&self, action: &Action, result: Outcome) -> Came {
        let (tone, words) = board::words(action.kind, result);
        let chosen = matches!(self.spend, "best" | "");
        let (text, worth) = match (action.kind, result.success) {
            (Kind::Save, false) => {
                let degree = if chosen { self.least(action, result) } else { result.degrees };
                (format!("{words}, degree {degree}"), -i16::from(degree))
            }
            (Kind::Test, true) if !chosen || action.pushed => {
                (format!("{words}, degree {}", result.degrees), result.degrees.into())
            }
            (Kind::Test, true) if result.band == Band::Guilty => match self.guiltless(action) {
                Some(band) => (format!("{words}, or {band} failure"), 1 + band as i16),
                None => (words.to_owned(), 0),
            },
            _ => (words.to_owned(), 0),
        };
        Came { rank: 64 * board::rank(result) + worth, tone, text: text.into(), besides: None }
    }

    /// Every result that Light can be spent for.
    fn results(&self, action: &Action) -> impl Iterator<Item = Outcome> {
        (0..=roll::most(action)).map(|spend| roll::result(&self.options, action, spend))
    }

    /// The least degree with which a save fails so.
    fn least(&self, action: &Action, failed: Outcome) -> u8 {
        let alike = self.results(action).filter(|other| (other.success, other.band) == (false, failed.band));
        alike.map(|other| other.degrees).min().unwrap_or(failed.degrees)
    }

    /// The best failure without guilt.
    fn guiltless(&self, action: &Action) -> Option<Band> {
        let failures = self.results(action).filter(|result| !result.success && result.band != Band::Guilty);
        failures.map(|result| result.band).max_by_key(|&band| band as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that answer a question, each with its throws.
    fn rows(question: &str, words: &str) -> Vec<(String, u128)> {
        let question = QUESTIONS.iter().find(|one| one.name == question).expect("a question");
        let values = question.read(words.split_whitespace()).expect("values");
        let odds = answers(question.name, &values).expect("odds");
        odds.rows.into_iter().map(|row| (row.text.into_owned(), row.throws)).collect()
    }

    fn throws(question: &str, words: &str, starts: &str) -> u128 {
        let of = rows(question, words).into_iter().filter(|(text, _)| text.starts_with(starts));
        of.map(|(_, throws)| throws).sum()
    }

    /// Ordered throws of two dice that are so.
    fn pairs(is_so: impl Fn(i32, i32) -> bool) -> u128 {
        (1..=6)
            .flat_map(|truth| (1..=6).map(move |light| (truth, light)))
            .filter(|&(t, l)| is_so(t, l))
            .count() as u128
    }

    #[test]
    fn a_test_is_what_every_throw_comes_to() {
        // With 5 against 12 Truth and what is spent of Light make 7 or more.
        let glorious = pairs(|truth, light| light >= 5 && truth + light - 5 >= 7);
        let innocent = pairs(|truth, light| light >= 3 && truth + light - 3 >= 7) - glorious;
        let guilty = pairs(|truth, light| truth + light > 7) - glorious - innocent;
        assert_eq!((glorious, innocent, guilty), (1, 5, 9));
        for (row, throws_of_it) in [
            ("glorious success", glorious),
            ("innocent success", innocent),
            ("guilty success", guilty),
            ("glorious failure", pairs(|truth, light| light >= 5 && truth + light <= 7)),
        ] {
            assert_eq!(throws("test", "power=5 tn=12", row), throws_of_it, "{row}");
        }
    }

    #[test]
    fn a_save_fails_by_its_least_degree() {
        // With 4 against 11 it is 7 again; what fails without guilt keeps 3 of Light.
        assert_eq!(throws("save", "power=4 tn=11", "warded off"), pairs(|truth, light| truth + light > 7));
        let by_three = pairs(|truth, light| light >= 3 && truth + light <= 7 && 7 - (truth + light - 3) == 3);
        assert_eq!(throws("save", "power=4 tn=11", "it comes true, degree 3"), by_three);
    }

    #[test]
    fn fortune_and_pushing_on_are_second_chances() {
        let plain = throws("save", "power=4 tn=11", "warded off") * 6;
        assert!(throws("save", "power=4 tn=11 good", "warded off") > plain);
        assert!(throws("save", "power=4 tn=11 bad", "warded off") < plain);
        // After a glorious failure 15 of 36 second rolls succeed.
        let first = throws("test", "power=5 tn=12", "glorious failure");
        let again = throws("push", "power=5 tn=12", "glorious success");
        let pushed = throws("test", "power=5 tn=12 push", "glorious success");
        assert_eq!(again, 15);
        assert_eq!(pushed, throws("test", "power=5 tn=12", "glorious success") * 36 + first * again);
        assert_eq!(throws("test", "power=5 tn=12 push", "glorious failure"), 0);
    }
}
