//! Questions about dice that need no table: `attack with=4 over=2 bonus=2 potential=3`.
//!
//! All is read by [`dice`] and counted by [`harm::after`], as in play. What a table sets otherwise is a value here.

use crate::{
    dice::{self, Critical, NatDie, Reading, Thrown},
    harm,
    rules::Options,
    vocab::TokenKind,
};
use fracas_kernel::{Came, Given, Odds, Question, Roll, Rolled, Seat, Takes, Tone, Values};

/// What can be asked.
pub(crate) const QUESTIONS: &[Question] = &[
    Question {
        name: "roll",
        about: "How often a Roll passes against a Difficulty, and by what.",
        fields: &[
            number("difficulty", "the Difficulty", -20, 40, None),
            BONUS,
            MALUS,
            Given {
                name: "natural",
                about: "the die whose 20 or 1 decides",
                takes: Takes::OneOf(&["base", "kept"]),
            },
            number("criticals", "how many 1s or 20s make a Critical", 2, 4, Some(2)),
        ],
        example: "difficulty=9 bonus=2",
    },
    Question {
        name: "attack",
        about: "The Damage that an Attack deals.",
        fields: &[
            number("with", "the Attacker's value", -20, 20, None),
            number("over", "the Defender's value", -20, 20, None),
            BONUS,
            MALUS,
            DAMAGE,
            POTENTIAL,
            flag("power", "the Attacker has a Power Token"),
            flag("weak", "the Attacker has a Weak Token"),
            flag("vulnerable", "the Defender has a Vulnerable Token"),
            flag("armor", "the Defender has an Armor Token"),
        ],
        example: "with=4 over=2 bonus=2 malus=1 potential=3",
    },
    Question {
        name: "dodge",
        about: "What a Dodge comes to, and what it costs where it fails.",
        fields: &[
            number("with", "the value of the one who Dodges", -20, 20, None),
            number("over", "the Attacker's value", -20, 20, None),
            BONUS,
            MALUS,
            DAMAGE,
            number("more", "the Damage that a failed Dodge adds", 0, 3, Some(1)),
        ],
        example: "with=4 over=2 bonus=1",
    },
    Question {
        name: "resist",
        about: "How often a temptation is resisted, in a Conflict Roll.",
        fields: &[
            number("own", "the tempted character's value in the tempted Symbol", -20, 20, None),
            number("tempter", "the tempter's value", -20, 20, None),
            BONUS,
            MALUS,
        ],
        example: "own=3 tempter=2 bonus=1",
    },
];

const BONUS: Given = number("bonus", "Bonus Dice", 0, 12, Some(0));
const MALUS: Given = number("malus", "Malus Dice, such as of what the Defender Exhausts", 0, 12, Some(0));
const DAMAGE: Given =
    number("damage", "the Attacker's base Damage, 0 where the action deals none", 0, 9, Some(1));
const POTENTIAL: Given = number("potential", "Potential Damage, such as the dice of a Spell", 0, 12, Some(0));

const fn number(name: &'static str, about: &'static str, least: i32, most: i32, usual: Option<i32>) -> Given {
    Given { name, about, takes: Takes::Number { least, most, usual } }
}

const fn flag(name: &'static str, about: &'static str) -> Given {
    Given { name, about, takes: Takes::Flag }
}

/// The odds that answer a question.
pub(crate) fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
    match question {
        "roll" => roll(values),
        "attack" => attack(values),
        "dodge" => dodge(values),
        "resist" => resist(values),
        _ => Err(format!("{question} is no question of Clash")),
    }
}

/// A value that is no more than a byte.
fn small(values: &Values, name: &str) -> u8 {
    values.number(name).clamp(0, 255) as u8
}

fn value(values: &Values, name: &str) -> i16 {
    values.number(name) as i16
}

/// A Roll with the dice that were named.
fn dice_of(values: &Values, difficulty: i16, reading: Reading) -> Roll<Thrown> {
    let net = small(values, "bonus") as i8 - small(values, "malus") as i8;
    dice::roll(Seat::Gm, (difficulty, net), reading)
}

/// The odds of what each Roll came to.
fn odds(roll: &Roll<Thrown>, read: impl Fn(dice::Came) -> Came) -> Result<Odds, String> {
    let by = Odds::by(roll, |rolled| match rolled {
        Rolled::Class(thrown) => Some(read(thrown.came())),
        Rolled::Faces(_) => None,
    });
    by.ok_or_else(|| "too many dice: their throws cannot be counted".to_owned())
}

fn came(rank: i16, tone: Tone, text: String) -> Came {
    Came { rank, tone, text: text.into(), besides: None }
}

/// A Critical, in a row beside the others.
fn critical(came: dice::Came) -> Option<&'static str> {
    came.critical.map(|critical| match critical {
        Critical::Breakthrough => "a Breakthrough",
        Critical::Disaster => "a Disaster",
    })
}

fn roll(values: &Values) -> Result<Odds, String> {
    let natural = if values.word("natural") == "kept" { NatDie::Kept } else { NatDie::Base };
    let reading = Reading { natural, critical: small(values, "criticals") };
    odds(&dice_of(values, value(values, "difficulty"), reading), |one| {
        let (rank, tone, text) = match (one.passed, one.critical.is_some(), one.natural) {
            (true, true, _) => (5, Tone::Good, "passes by a Breakthrough"),
            (true, _, true) => (4, Tone::Good, "passes by a natural 20"),
            (true, ..) => (3, Tone::Good, "passes"),
            (false, false, false) => (2, Tone::Bad, "fails"),
            (false, _, true) => (1, Tone::Bad, "fails by a natural 1"),
            (false, true, _) => (0, Tone::Bad, "fails by a Disaster"),
        };
        let besides = (one.successes > 1).then(|| "two or more Success Dice".into());
        Came { besides, ..came(rank, tone, text.to_owned()) }
    })
}

fn attack(values: &Values) -> Result<Odds, String> {
    let options = Options::default();
    let difficulty = dice::difficulty(options.difficulty_base, value(values, "with"), value(values, "over"));
    let tokens = [
        ("power", TokenKind::Power),
        ("weak", TokenKind::Weak),
        ("vulnerable", TokenKind::Vulnerable),
        ("armor", TokenKind::Armor),
    ];
    let dealt = |one: dice::Came| {
        let all = dice::damage(small(values, "damage"), small(values, "potential"), one.successes);
        let held = tokens.iter().filter(|(name, _)| values.flag(name));
        held.fold(all, |all, &(_, kind)| harm::after(kind, all))
    };
    let read = |one: dice::Came| {
        let besides = critical(one).map(Into::into);
        let (rank, tone, text) = match dealt(one) {
            _ if !one.passed => (0, Tone::Bad, "misses".to_owned()),
            0 => (1, Tone::Plain, "hits, and deals no Damage".to_owned()),
            all => (1 + i16::from(all), Tone::Good, format!("hits for {all} Damage")),
        };
        Came { besides, ..came(rank, tone, text) }
    };
    let roll = dice_of(values, difficulty, options.reading());
    let average = odds(&roll, |one| {
        let all = if one.passed { dealt(one) } else { 0 };
        came(all.into(), Tone::Plain, all.to_string())
    })?;
    Ok(odds(&roll, read)?
        .of(format!("against Difficulty {difficulty}, {} Damage on average", mean(&average))))
}

/// The mean of rows that are numbers, to two places.
fn mean(odds: &Odds) -> String {
    let all = odds.rows.iter().map(|row| row.throws * row.text.parse().unwrap_or(0));
    let hundredths = (all.sum::<u128>() * 200 / odds.throws).div_ceil(2);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn dodge(values: &Values) -> Result<Odds, String> {
    let options = Options::default();
    let difficulty = dice::difficulty(options.difficulty_base, value(values, "with"), value(values, "over"));
    // A failed Dodge counts as an Attack passed with one Success Die (`dodge-potential`).
    let all = dice::damage(small(values, "damage"), 0, 1) + small(values, "more");
    let odds = odds(&dice_of(values, difficulty, options.reading()), |one| {
        let besides = critical(one).map(Into::into);
        let fails = match all {
            0 => "fails: the action succeeds".to_owned(),
            all => format!("fails: the action succeeds, with {all} Damage"),
        };
        let (rank, tone, text) =
            if one.passed { (1, Tone::Good, "Dodges it".to_owned()) } else { (0, Tone::Bad, fails) };
        Came { besides, ..came(rank, tone, text) }
    })?;
    Ok(odds.of(format!("against Difficulty {difficulty}")))
}

fn resist(values: &Values) -> Result<Odds, String> {
    let difficulty = dice::temptation(value(values, "tempter"), value(values, "own"));
    let odds = odds(&dice_of(values, difficulty, Options::default().reading()), |one| {
        let besides = critical(one).map(Into::into);
        let (rank, tone, text) =
            if one.passed { (1, Tone::Good, "resists") } else { (0, Tone::Bad, "gives in") };
        Came { besides, ..came(rank, tone, text.to_owned()) }
    })?;
    Ok(odds.of(format!("against Difficulty {difficulty}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, words: &str, rows: &[(&str, u128)], besides: &[(&str, u128)]) -> Odds {
        let question = QUESTIONS.iter().find(|question| question.name == name).expect("a question");
        let values = question.read(words.split_whitespace()).expect(words);
        let odds = answers(question.name, &values).expect(words);
        let plain = |rows: &[fracas_kernel::Chance]| -> Vec<(String, u128)> {
            rows.iter().map(|row| (row.text.to_string(), row.throws)).collect()
        };
        let said = |rows: &[(&str, u128)]| -> Vec<(String, u128)> {
            rows.iter().map(|&(text, throws)| (text.to_owned(), throws)).collect()
        };
        assert_eq!(plain(&odds.rows), said(rows), "{name} {words}");
        let mut more = plain(&odds.besides);
        more.sort();
        assert_eq!(more, said(besides), "{name} {words}");
        odds
    }

    #[test]
    fn a_roll_is_counted_throw_by_throw() {
        check(
            "roll",
            "difficulty=11",
            &[("passes by a natural 20", 1), ("passes", 9), ("fails", 9), ("fails by a natural 1", 1)],
            &[],
        );
        // Two dice: the Base Die's 20 and 1 decide, two alike are a Critical, else either reaches 11.
        check(
            "roll",
            "bonus=3 malus=2 difficulty=11",
            &[
                ("passes by a Breakthrough", 1),
                ("passes by a natural 20", 19),
                ("passes", 9 * 20 + 9 * 10),
                ("fails", 9 * 10),
                ("fails by a natural 1", 19),
                ("fails by a Disaster", 1),
            ],
            &[("two or more Success Dice", 10 * 10)],
        );
    }

    #[test]
    fn an_attack_deals_what_its_success_dice_say() {
        check("attack", "with=0 over=0", &[("hits for 1 Damage", 10), ("misses", 10)], &[]);
        let spell = check(
            "attack",
            "with=3 over=3 bonus=1 potential=2 power",
            &[("hits for 4 Damage", 100), ("hits for 2 Damage", 190), ("misses", 110)],
            &[("a Breakthrough", 1), ("a Disaster", 1)],
        );
        assert_eq!(spell.of, "against Difficulty 11, 1.95 Damage on average");
        check("attack", "with=0 over=0 armor", &[("hits, and deals no Damage", 10), ("misses", 10)], &[]);
    }

    #[test]
    fn a_failed_dodge_costs_one_damage_more() {
        let fails = "fails: the action succeeds, with 2 Damage";
        check("dodge", "with=4 over=2", &[("Dodges it", 12), (fails, 8)], &[]);
        let resisted = check("resist", "own=3 tempter=2", &[("resists", 10), ("gives in", 10)], &[]);
        assert_eq!(resisted.of, "against Difficulty 11");
    }
}
