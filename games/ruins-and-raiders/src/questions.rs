//! Questions about dice that need no table, answered by the dice code that play uses.

use crate::rules::{Options, Track};
use crate::state::{Check, Why};
use crate::{check, values, vocab::*, words};
use fracas_kernel::{
    Came, Dice, Given, NoFold, Odds, Question, Read, Roll, Rolled, Seat, Seen, Takes, Tone, Values,
};

/// What can be asked.
pub(crate) static QUESTIONS: [Question; 4] = [
    Question {
        name: "check",
        about: "Whether a check passes, and with which mox.",
        fields: &[
            VALUE,
            said("against", "the challenge level", (0, 60)),
            number("longer", "how many times the usual time it takes", (1, 20, 1)),
            number("halved", "how often the usual time is halved", (0, 6, 0)),
            FORTUNE,
        ],
        example: "value=7 against=12 longer=2",
    },
    Question {
        name: "attack",
        about: "What a strike does: whether it hits, how hard, and who goes down by it.",
        fields: &[
            VALUE,
            said("defence", "Dodge or Parry of the target; 4 where it is unaware", (0, 60)),
            number("damage", "Brawn and the weapon's power together", (0, 60, 10)),
            number("protection", "what protects the target: Fortitude and armour", (0, 60, 5)),
            number("wounds", "what the target has already", (0, 60, 0)),
            number("disabled", "so many wounds disable the target", (1, 60, 15)),
            number("dead", "so many wounds kill the target", (1, 60, 20)),
            number("abort", "actions that the target gives up for its defence", (0, 2, 0)),
            number("aim", "actions spent on aiming", (0, 2, 0)),
            number("haymaker", "actions spent on winding up, for a blow", (0, 2, 0)),
            number("charge", "spaces of a charge, for a blow", (0, 60, 0)),
            FORTUNE,
            Given {
                name: "range",
                about: "a blow, a throw (short range) or a shot (long range)",
                takes: Takes::OneOf(&["blow", "throw", "shot"]),
            },
            number("spaces", "how far away the target is, of throws and shots", (0, 60, 1)),
        ],
        example: "value=7 defence=12 damage=13 protection=5 charge=12",
    },
    Question {
        name: "leap",
        about: "Whether a leap reaches so far.",
        fields: &[VALUE, said("spaces", "how many spaces are leapt", (1, 15)), FORTUNE],
        example: "value=5 spaces=3",
    },
    Question {
        name: "recover",
        about: "How many wounds a day's rest heals.",
        fields: &[
            VALUE,
            said("wounds", "how many wounds there are", (1, 19)),
            number("harder", "what poor conditions add to the challenge level", (0, 30, 0)),
            FORTUNE,
        ],
        example: "value=4 wounds=8",
    },
];

const VALUE: Given = said("value", "the trait or skill that is rolled", (0, 60));
const FORTUNE: Given = number("fortune", "Fortune that is burnt for the dice", (0, 3, 0));

/// A whole number that has a usual value.
const fn number(name: &'static str, about: &'static str, of: (i32, i32, i32)) -> Given {
    let (least, most, usual) = of;
    Given { name, about, takes: Takes::Number { least, most, usual: Some(usual) } }
}

/// A whole number that has to be said.
const fn said(name: &'static str, about: &'static str, (least, most): (i32, i32)) -> Given {
    Given { name, about, takes: Takes::Number { least, most, usual: None } }
}

/// The odds that answer a question.
pub(crate) fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
    match question {
        "check" => checked(values),
        "attack" => attack(values),
        "leap" => {
            let level = values::leap_level(small(values, "spaces").into());
            let fortune = small(values, "fortune");
            odds(value(values, "value") + i16::from(fortune), level, |passed, _| match passed {
                true => came(1, Tone::Good, "lands there".to_owned()),
                false => came(0, Tone::Bad, "falls short, and the action is lost".to_owned()),
            })
        }
        "recover" => Ok(recover(values)?),
        _ => Err(format!("{question} is no question of this system")),
    }
}

/// A check of a trait, in the time and with the Fortune that was said.
fn checked(values: &Values) -> Result<Odds, String> {
    let (longer, halved) = (small(values, "longer"), small(values, "halved"));
    if longer > 1 && halved > 0 {
        return Err(format!("longer={longer} halved={halved}: expected one of the two"));
    }
    let time = Time(longer.into(), 1 << halved);
    let check = Check {
        time,
        fortune: small(values, "fortune"),
        ..Check::new(Char(0), Trait(0), value(values, "against"), Why::Called)
    };
    let bonus = check::helped(value(values, "value"), &check);
    let odds = odds(bonus, check::challenge(&check), |passed, mox| match passed {
        true => came(mox, Tone::Good, format!("passes, mox {mox}")),
        false => came(-1, Tone::Bad, "fails".to_owned()),
    })?;
    Ok(odds.of(format!("{} against {}", words::dice(bonus), check::challenge(&check))))
}

/// A strike at somebody with so many wounds.
fn attack(values: &Values) -> Result<Odds, String> {
    let options = Options::default();
    let is_blow = values.word("range") == "blow";
    let [haymaker, charge] = ["haymaker", "charge"].map(|name| small(values, name));
    if !is_blow && (haymaker > 0 || charge > 0) {
        return Err("haymaker and charge add to a blow: leave them out, or say range=blow".to_owned());
    }
    let distance = values.number("spaces") as u16;
    let range = match values.word("range") {
        "throw" => values::range_number(Range::Short, distance),
        "shot" => values::range_number(Range::Long, distance),
        _ => 0,
    };
    let bonus = value(values, "value") + values::AIM * value(values, "aim") + value(values, "fortune");
    let level = value(values, "defence") + options.defended(small(values, "abort")) + range;
    let damage = value(values, "damage") + options.wound_up(haymaker) + options.momentum(charge);
    let had = values.number("wounds") as u16;
    let track = Track {
        disabled: Some(values.number("disabled") as u16),
        dead: values.number("dead") as u16,
        ..Track::default()
    };
    let odds = odds(bonus, level, |hits, mox| {
        if !hits {
            return came(-1, Tone::Bad, "misses".to_owned());
        }
        let wounds = values::wounds(mox, damage, value(values, "protection"));
        let all = had + wounds;
        let falls = match () {
            () if wounds == 0 => return came(0, Tone::Mixed, "hits: no wounds".to_owned()),
            () if track.kills(all) => ", and kills",
            () if track.disables(all, options.disabled_at) => ", and disables",
            // Somebody hurt may be disarmed or tripped (`attack.strike.side-effect`).
            () => "",
        };
        let text = format!("hits: {}{falls}", words::count(wounds, "wound"));
        came(wounds as i16, Tone::Good, text)
    })?;
    Ok(odds.of(format!(
        "{} against {level}; 1 wound or more: a disarm or a trip may be asked for",
        words::dice(bonus)
    )))
}

/// A day's rest with so many wounds.
fn recover(values: &Values) -> Result<Odds, String> {
    let wounds = values.number("wounds") as u16;
    let hindered = values::hindrance(wounds, Track::default().penalty);
    let bonus = value(values, "value") - hindered + value(values, "fortune");
    let level = check::rests(wounds, small(values, "harder"));
    odds(bonus, level, |passed, mox| match check::heals(wounds, passed, mox) {
        0 => came(0, Tone::Bad, "recovers from nothing".to_owned()),
        healed => came(healed as i16, Tone::Good, format!("recovers from {}", words::count(healed, "wound"))),
    })
}

/// What becomes of two dice with this bonus against this level, by success and mox.
fn odds(bonus: i16, level: i16, mut read: impl FnMut(bool, i16) -> Came) -> Result<Odds, String> {
    let roll =
        Roll::<NoFold> { whose: Seat::Gm, seen: Seen::Openly, dice: Dice::of(2, 6), read: Read::Sorted };
    let odds = Odds::by(&roll, |rolled| {
        let Rolled::Faces(faces) = rolled;
        let (passed, mox) = values::result(faces.iter().sum(), bonus, level);
        Some(read(passed, mox))
    });
    odds.ok_or_else(|| "too many dice to tell".to_owned())
}

fn came(rank: i16, tone: Tone, text: String) -> Came {
    Came { rank, tone, text: text.into(), besides: None }
}

/// A value that is no more than a byte.
fn small(values: &Values, name: &str) -> u8 {
    values.number(name).clamp(0, 255) as u8
}

fn value(values: &Values, name: &str) -> i16 {
    values.number(name) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of an answer: text and throws.
    fn rows(name: &str, words: &str) -> Vec<(String, u128)> {
        let question = QUESTIONS.iter().find(|question| question.name == name).expect("a question");
        let values = question.read(words.split_whitespace()).expect("values");
        let odds = answers(question.name, &values).expect("an answer");
        assert_eq!(odds.throws, 36);
        odds.rows.into_iter().map(|row| (row.text.into_owned(), row.throws)).collect()
    }

    fn throws(rows: &[(String, u128)], of: &str) -> u128 {
        rows.iter().filter(|(text, _)| text.contains(of)).map(|(_, throws)| throws).sum()
    }

    #[test]
    fn a_check_needs_the_rest_on_two_dice() {
        // 5 or more of two dice: all but the 6 throws of 2, 3 and 4.
        let all = rows("check", "value=7 against=12");
        assert_eq!((throws(&all, "passes"), throws(&all, "fails")), (30, 6));
        assert_eq!(throws(&all, "mox 7"), 1);
        // A 12 passes however hard it is, and a 2 fails however easy.
        assert_eq!(
            rows("check", "value=0 against=40"),
            [("passes, mox 1".to_owned(), 1), ("fails".to_owned(), 35)]
        );
        assert_eq!(throws(&rows("check", "value=30 against=2"), "fails"), 1);
        // Twice the time is worth 3, half the time costs 3.
        assert_eq!(throws(&rows("check", "value=4 against=12 longer=2"), "passes"), 30);
        assert_eq!(throws(&rows("check", "value=7 against=9 halved=1"), "passes"), 30);
    }

    #[test]
    fn a_blow_counts_mox_damage_and_momentum() {
        // Twelve spaces are 4 more damage: 13 and 4, less 5, are 12 wounds with mox 0, at a 5.
        let all = rows("attack", "value=7 defence=12 damage=13 protection=5 charge=12");
        assert_eq!(throws(&all, "misses"), 6);
        assert_eq!(throws(&all, "12 wounds"), 4);
        // 15 from an 8 on, which are 15 throws; no throw comes to 20.
        assert_eq!((throws(&all, "disables"), throws(&all, "kills")), (15, 0));
        let hurt = rows("attack", "value=7 defence=12 damage=13 protection=5 charge=12 wounds=8");
        assert_eq!((throws(&hurt, "disables"), throws(&hurt, "kills")), (0, 30));
    }

    #[test]
    fn what_is_given_up_makes_a_blow_harder() {
        // 8, 11 and 14 are needed: 15 throws, 3, and the 12 alone.
        for (abort, hits) in [(0, 15), (1, 3), (2, 1)] {
            let all = rows("attack", &format!("value=4 defence=12 abort={abort}"));
            assert_eq!(36 - throws(&all, "misses"), hits, "{abort}");
        }
        let far = rows("attack", "value=4 defence=12 range=shot spaces=16");
        assert_eq!(36 - throws(&far, "misses"), 3);
    }

    #[test]
    fn a_leap_of_three_spaces_needs_twelve() {
        assert_eq!(throws(&rows("leap", "value=5 spaces=3"), "lands"), 21);
        assert_eq!(throws(&rows("leap", "value=5 spaces=3 fortune=2"), "lands"), 30);
    }

    #[test]
    fn a_rest_heals_as_many_wounds_as_the_mox() {
        // Against 8: a 4 is a mox of 0, which heals nothing, and a 12 one of 8.
        let all = rows("recover", "value=4 wounds=8");
        assert_eq!((throws(&all, "nothing"), throws(&all, "8 wounds")), (6, 1));
        // Twelve wounds take 2 off.
        assert_eq!(throws(&rows("recover", "value=4 wounds=12"), "nothing"), 33);
    }
}
