//! Questions about dice that need no table, answered by the dice code that play uses.

use crate::dice::{Fallout, Pool};
use crate::{Afraid, board, challenge, event::Band, fallout, rules::Options, vocab::*};
use fracas_kernel::{Came, Game, Given, Odds, Question, Read, Roll, Rolled, Seat, Seen, Takes, Tone, Values};
use std::borrow::Cow;

const DICE: Given = Given { name: "dice", about: "the dice that are rolled", takes: Takes::Dice };

/// A whole number that has a usual value.
const fn number(name: &'static str, about: &'static str, of: (i32, i32, i32)) -> Given {
    let (least, most, usual) = of;
    Given { name, about, takes: Takes::Number { least, most, usual: Some(usual) } }
}

/// A whole number that has to be said.
const fn said(name: &'static str, about: &'static str, (least, most): (i32, i32)) -> Given {
    Given { name, about, takes: Takes::Number { least, most, usual: None } }
}

/// What can be asked.
pub(crate) static QUESTIONS: [Question; 4] = [
    Question {
        name: "fallout",
        about: "What a roll of banked fallout dice brings.",
        fields: &[
            DICE,
            Given {
                name: "sum",
                about: "what is looked up: the two highest dice, or all",
                takes: Takes::OneOf(&["two-highest", "total"]),
            },
            number("long-from", "the least sum of long-term fallout", (5, 11, 8)),
            number("injury-from", "the least sum of an injury", (9, 15, 12)),
            number("first-aid-from", "the least sum that requires first aid", (13, 19, 16)),
            number("death-from", "the least sum of death; 21 is never reached", (17, 21, 20)),
        ],
        example: "4d8+2d10",
    },
    Question {
        name: "answer",
        about: "What a roll is enough for against a challenge.",
        fields: &[DICE, said("need", "the sum of the challenge", (2, 20))],
        example: "4d6+1d8 need=11",
    },
    Question {
        name: "challenge",
        about: "What it takes to answer the best challenge of a roll.",
        fields: &[
            DICE,
            said("top", "the highest die of the challenged", (1, 10)),
            said("pair", "their two highest dice, added", (1, 20)),
            number(
                "all",
                "all their dice, added; enough for any challenge where it is not said",
                (1, 200, 20),
            ),
        ],
        example: "3d6+2d8 top=6 pair=11",
    },
    Question {
        name: "best-pair",
        about: "The two highest dice of a roll: the order of the round, and the best challenge.",
        fields: &[DICE],
        example: "3d6+2d8",
    },
];

/// The odds that answer a question.
pub(crate) fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
    let dice = pool(values)?;
    let small = |name: &str| values.number(name) as u8;
    match question {
        "fallout" => {
            let options = Options {
                total: values.word("sum") == "total",
                long_from: small("long-from"),
                injury_from: small("injury-from"),
                first_aid_from: small("first-aid-from"),
                death_from: small("death-from"),
                ..Options::default()
            };
            odds(dice, fallout::unrolled(&options), |roll| {
                let came = board::of_fallout(&options, roll);
                Came { text: Cow::Borrowed(to_choose(fallout::band(&options, roll.sum()))), ..came }
            })
        }
        // The fold that adds all dice keeps the two best besides.
        "answer" => odds(dice, Fallout::TOTAL, |roll| {
            of(board::answered_with(challenge::fewest_of(
                best(roll),
                roll.sum().into(),
                small("need").into(),
            )))
        }),
        "challenge" => {
            let (top, pair, all) = (small("top"), small("pair"), small("all"));
            // All that is not said is enough for any challenge.
            let all = all.max(pair);
            let Some(next) = pair.checked_sub(top).filter(|&next| next <= top) else {
                return Err(format!("pair={pair}: with top={top} expected {top} to {}", 2 * top));
            };
            odds(dice, Fallout::TWO_HIGHEST, |roll| {
                let fewest = challenge::fewest_of([top, next], all.into(), roll.sum().into());
                of(board::met_with([fewest].into_iter()).unwrap_or_default())
            })
        }
        "best-pair" => odds(dice, Fallout::TWO_HIGHEST, |roll| {
            let text = Cow::Owned(roll.sum().to_string());
            Came { rank: roll.sum().into(), tone: Tone::Plain, text, besides: None }
        }),
        _ => Err(format!("{question} is no question of this system")),
    }
}

/// What becomes of a character in a band, and what is still chosen.
const fn to_choose(band: Band) -> &'static str {
    match band {
        Band::Short => "short-term: one circumstance, or the two best dice for an opponent",
        Band::Long => "long-term: a choice of circumstances and dice of the sheet",
        Band::Injury => "an injury: a long-term choice, and a second choice that may be first aid",
        Band::FirstAid => "first aid is required",
        Band::Dead => "death",
    }
}

/// The dice that were said, where the system has such dice.
fn pool(values: &Values) -> Result<Pool, String> {
    values.dice("dice").kinds().iter().try_fold(Pool::EMPTY, |pool, die| {
        let size = Size::ALL.iter().find(|size| size.sides() == die.sides);
        let size = size.ok_or_else(|| format!("d{}: {} has d4, d6, d8 and d10", die.sides, Afraid::ID))?;
        let pool = pool.and(die.count, *size);
        if pool.throwable() == pool { Ok(pool) } else { Err("at most 60 dice of a size".to_owned()) }
    })
}

/// The odds of a roll that is read as this fold.
fn odds(dice: Pool, unrolled: Fallout, came: impl Fn(Fallout) -> Came) -> Result<Odds, String> {
    let read = Read::Fold(unrolled);
    let roll = Roll { whose: Seat::Gm, seen: Seen::Openly, dice: dice.dice(), read };
    let odds = Odds::by(&roll, |rolled| match rolled {
        Rolled::Class(roll) => Some(came(roll)),
        Rolled::Faces(_) => None,
    });
    odds.ok_or_else(|| "too many dice to tell".to_owned())
}

const fn best(roll: Fallout) -> [u8; 2] {
    [roll.high.face(), roll.next.face()]
}

const fn of((rank, tone, text): (i16, Tone, &'static str)) -> Came {
    Came { rank, tone, text: Cow::Borrowed(text), besides: None }
}
