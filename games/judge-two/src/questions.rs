//! Questions about dice that need no table: `attack rank=2 cl=6 risk=4`.
//!
//! Dice are kept and judged as in play ([`judging`]); what a player can choose after the throw, a row says.

use crate::board::{best_judged, summed};
use crate::event::RollKind;
use crate::judging::{self, Result};
use crate::promise::Effect;
use crate::rules::Options;
use crate::state::Pool;
use crate::test::LEVELS;
use crate::words::effect_words;
use crate::{risk, vocab::Tier};
use fracas_kernel::{
    Came, Dice, Given, NoFold, Odds, Question, Read, Roll, Rolled, Seat, Seen, Takes, Tone, Values,
};

/// What can be asked.
pub(crate) static QUESTIONS: [Question; 4] = [
    Question {
        name: "attack",
        about: "What an attack of a player's character does: risk, threats, a mark, a finisher.",
        fields: &[RANK, CL, RISK, RESISTANCE, BOLD, FAINT, QUICK, BRUTE, MARK_FROM, FINISHER_FROM],
        example: "rank=2 cl=6 risk=4",
    },
    Question {
        name: "save",
        about: "What a save of a player's character brings, and what its failure costs.",
        fields: &[
            number("essence", "the rank of the essence", 0, 4, None),
            CL,
            RISK,
            RESISTANCE,
            BOLD,
            FAINT,
            QUICK,
            MARK_FROM,
            FINISHER_FROM,
        ],
        example: "essence=2 cl=6 risk=4",
    },
    Question {
        name: "test",
        about: "How often a test succeeds, and at what price.",
        fields: &[RANK, CL, BOLD, FAINT],
        example: "rank=2 cl=6 bold",
    },
    Question {
        name: "group",
        about: "How often two or three succeed together, and at what price.",
        fields: &[
            number("members", "how many test together", 2, 3, Some(3)),
            number("ranks", "their ranks, added", 0, 9, None),
            CL,
        ],
        example: "members=3 ranks=4 cl=6",
    },
];

const RANK: Given = number("rank", "the rank of the attribute", 0, 3, None);
/// Surroundings make a level one lower or higher (`clamp-cl`).
const CL: Given =
    number("cl", "the challenge level", *LEVELS.start() as i32 - 1, *LEVELS.end() as i32 + 1, Some(6));
const RISK: Given = number("risk", "the defender's risk", 0, risk::MOST_RISK as i32, Some(0));
const RESISTANCE: Given = number("resistance", "the defender's resistance, resolve included", 0, 20, Some(0));
const MARK_FROM: Given = number("mark-from", "the least degree of a mark", 2, 4, Some(3));
const FINISHER_FROM: Given = number("finisher-from", "the least degree of a finisher", 4, 8, Some(5));
const BOLD: Given = flag("bold", "three dice, and any two of them");
const FAINT: Given = flag("faint", "three dice less the highest");
const QUICK: Given = flag("quick", "guilt brings no intervention");
const BRUTE: Given = flag("brute", "the defender is a brute");

const fn number(name: &'static str, about: &'static str, least: i32, most: i32, usual: Option<i32>) -> Given {
    Given { name, about, takes: Takes::Number { least, most, usual } }
}

const fn flag(name: &'static str, about: &'static str) -> Given {
    Given { name, about, takes: Takes::Flag }
}

/// The odds that answer a question.
pub(crate) fn answers(question: &'static str, values: &Values) -> std::result::Result<Odds, String> {
    let small = |name: &str| values.number(name) as u8;
    let signed = |name: &str| values.number(name) as i8;
    let options = Options {
        mark_from: small("mark-from"),
        finisher_from: small("finisher-from"),
        ..Options::default()
    };
    let stakes = Stakes {
        effective: risk::beyond(small("risk"), small("resistance")),
        risk: small("risk"),
        brute: values.flag("brute"),
        quick: values.flag("quick"),
        options,
    };
    let kind = RollKind::of(values.flag("bold"), values.flag("faint"));
    let cl = signed("cl");
    match question {
        "attack" => {
            odds(kind, 1, |pool| stakes.came(pool, (signed("rank"), cl), |result| stakes.attack(result)))
        }
        "save" => {
            odds(kind, 1, |pool| stakes.came(pool, (signed("essence"), cl), |result| stakes.save(result)))
        }
        "test" => odds(kind, 1, |pool| Some(best_judged(&judged(pool, signed("rank"), cl)))),
        "group" => {
            let members = values.number("members") as usize;
            let (ranks, most) = (signed("ranks"), 3 * members as i8);
            if ranks > most {
                return Err(format!("ranks={ranks}: {members} members have {most} ranks at most"));
            }
            odds(RollKind::Group, members, |pool| Some(best_judged(&summed(pool, members, (ranks, cl)))))
        }
        _ => Err(format!("{question} is no question of this system")),
    }
}

/// The odds of a roll of this kind.
fn odds(
    kind: RollKind,
    members: usize,
    came: impl Fn(Pool) -> Option<Came>,
) -> std::result::Result<Odds, String> {
    let dice = Dice::of(judging::dice(kind, members), 6);
    let roll: Roll<NoFold> = Roll { whose: Seat::Gm, seen: Seen::Openly, dice, read: Read::Sorted };
    let odds = Odds::by(&roll, |rolled| {
        let Rolled::Faces(faces) = rolled;
        came(judging::keep(faces, kind))
    });
    odds.ok_or_else(|| "too many dice to tell".to_owned())
}

/// Every way to judge dice.
fn judged(pool: Pool, rank: i8, cl: i8) -> Vec<Result> {
    let mut all = Vec::new();
    judging::ways(pool, |light, truth| all.push(Result::of(light, truth, rank, cl)));
    all
}

/// What is at stake in an attack or a save.
struct Stakes {
    /// What the defender's risk adds to a degree (`risk.effective`).
    effective: i8,
    risk: u8,
    brute: bool,
    quick: bool,
    options: Options,
}

impl Stakes {
    /// What an attack that is judged so does: how good that is for the attacker, and words.
    fn attack(&self, result: Result) -> (i16, String) {
        if !result.success() {
            return (0, "failure".to_owned());
        }
        let tier = self.options.tier(result.degree + self.effective);
        (1 + if self.brute { 0 } else { tier as i16 }, self.words(tier))
    }

    /// What a save that is judged so comes to: of a failure the degree is the attacker's
    /// (`attack.degree-transfer`).
    fn save(&self, result: Result) -> (i16, String) {
        if result.success() {
            return (3, "success".to_owned());
        }
        let tier = self.options.tier(self.effective - result.degree);
        (2 - tier as i16, self.words(tier))
    }

    /// What a hit of this tier can impose.
    fn words(&self, tier: Tier) -> String {
        if self.brute {
            // Of a brute it is the attacker's choice (`brute.success`).
            return "a finisher, or a threat that may spread".to_owned();
        }
        effect_words(Effect {
            risk: risk::fits(self.risk, tier.risk()),
            finisher: tier == Tier::High,
            mark: tier == Tier::Mid,
            threats: if tier == Tier::Mid { 2 } else { 1 },
        })
    }

    /// What a throw comes to: the best that can be had innocently, and what more guilt brings.
    fn came(&self, pool: Pool, (rank, cl): (i8, i8), of: impl Fn(Result) -> (i16, String)) -> Option<Came> {
        let ways = judged(pool, rank, cl);
        let best = |guilty: Option<bool>| {
            let ways = ways.iter().filter(|way| guilty.is_none_or(|guilty| way.guilty == guilty));
            ways.max_by_key(|way| (of(**way).0, way.degree)).copied()
        };
        let most = best(None)?;
        let ((most_worth, most_words), innocent) = (of(most), best(Some(false)));
        let success = most.success();
        if self.quick {
            let tone = if success { Tone::Good } else { Tone::Bad };
            return Some(Came { rank: most_worth, tone, text: most_words.into(), besides: None });
        }
        let innocent = innocent.map(|way| (way.success(), of(way)));
        let text = match &innocent {
            Some((_, (worth, words))) if *worth == most_worth => format!("{words}, innocent"),
            Some((_, (_, words))) => format!("{most_words}, guilty, or {words}, innocent"),
            None => format!("{most_words}, guilty"),
        };
        let tone = match &innocent {
            Some((true, _)) => Tone::Good,
            _ if success => Tone::Mixed,
            _ => Tone::Bad,
        };
        let rank = 8 * most_worth + innocent.map_or(0, |(_, (worth, _))| worth + 1);
        Some(Came { rank, tone, text: text.into(), besides: None })
    }
}
