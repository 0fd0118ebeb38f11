//! The exact odds of a roll: every answer that chance can give, played out.

use crate::{Ask, Dice, Fold, Game, NoSink, Open, Read, Roll, Slot, Viewer, Words, classes};
use serde::Serialize;
use std::borrow::Cow;

/// The most classes of a roll that are played out; beyond them no odds are told.
const MOST_CLASSES: u128 = 5_000;
/// The most asks between an answer and the roll that it leads to.
const MOST_BETWEEN: u8 = 16;

/// The possible results of a roll, each with the number of throws that bring it.
///
/// They are about the dice alone: if a player has still to choose what to make of the dice, a
/// row says what the player can choose then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Odds {
    /// Of what, where that is not the roll that comes next.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// All throws, each as likely as the others.
    pub throws: u128,
    /// The results, best first; a throw brings exactly one of them.
    pub rows: Vec<Chance>,
    /// Further results that a throw may bring.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<Chance>,
}

/// One thing that may come of a roll.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chance {
    /// The result in words.
    pub text: Cow<'static, str>,
    /// What the result means for the roller.
    pub tone: Tone,
    /// How many of all throws bring it.
    pub throws: u128,
}

/// What a result means for the roller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// The roller hopes for it.
    Good,
    /// Good at a price.
    Mixed,
    /// Neither, or nobody can say.
    #[default]
    Plain,
    /// The roller fears it.
    Bad,
}

/// The result of one throw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Came {
    /// Where it stands among the others: the best has the highest.
    pub rank: i16,
    /// What the result means for the roller.
    pub tone: Tone,
    /// The result in words.
    pub text: Cow<'static, str>,
    /// A further result.
    pub besides: Option<Cow<'static, str>>,
}

/// One throw, played out.
pub struct Fallen<'a, G: Game> {
    /// The moment at which somebody asks for odds: what people know is read here,
    /// for an answer that leads to the roll may tell them more.
    pub known: &'a G::State,
    /// The state in which the roll was due.
    pub before: &'a G::State,
    /// The state it led to.
    pub after: &'a G::State,
    /// The events of the throw.
    pub events: &'a [G::Event],
}

impl Odds {
    /// How likely something is, in whole percent: `42 %`. What is neither certain nor
    /// impossible is never rounded to it.
    pub fn share(&self, chance: &Chance) -> String {
        // Few throws more or less make no difference where there are so many.
        let scale = (self.throws / (u128::MAX / 400)).max(1);
        let (part, all) = (chance.throws / scale, (self.throws / scale).max(1));
        match (part * 200 / all).div_ceil(2) {
            _ if chance.throws == 0 => "0 %".to_owned(),
            _ if chance.throws == self.throws => "100 %".to_owned(),
            0 => "under 1 %".to_owned(),
            100 => "over 99 %".to_owned(),
            percent => format!("{percent} %"),
        }
    }

    /// How much of `width` something takes.
    pub fn part(&self, chance: &Chance, width: u16) -> u16 {
        let scale = (self.throws / (u128::MAX / 70_000)).max(1);
        let part = chance.throws / scale * u128::from(width) / (self.throws / scale).max(1);
        u16::try_from(part).unwrap_or(width)
    }

    /// In one line: `success 58 %, failure 42 %`.
    pub fn line(&self) -> String {
        let told = |chance: &Chance| format!("{} {}", chance.text, self.share(chance));
        let rows: Vec<String> = self.rows.iter().map(told).collect();
        let besides: Vec<String> = self.besides.iter().map(told).collect();
        let join = if besides.is_empty() { "" } else { "; besides " };
        let of = if self.of.is_empty() { String::new() } else { format!("{}: ", self.of) };
        format!("{of}{}{join}{}", rows.join(", "), besides.join(", "))
    }

    /// The same, said to be of something else than the roll that comes next.
    #[must_use]
    pub fn of(self, of: impl Into<String>) -> Odds {
        Odds { of: of.into(), ..self }
    }

    /// The odds of a roll of which each class comes to something; `None` where there
    /// are too many classes, or of one it is not known what it came to.
    pub fn by<F: Fold>(
        roll: &Roll<F>,
        mut came: impl FnMut(crate::Rolled<'_, F>) -> Option<Came>,
    ) -> Option<Odds> {
        if !is_short(&roll.dice, matches!(roll.read, Read::Fold(_)), roll.read == Read::Ordered) {
            return None;
        }
        let mut rows: Vec<(i16, Chance)> = Vec::new();
        let mut besides: Vec<(i16, Chance)> = Vec::new();
        let mut known = true;
        let all = classes(roll, |rolled, throws| {
            let Some(came) = known.then(|| came(rolled)).flatten() else {
                known = false;
                return;
            };
            add(&mut rows, came.rank, came.tone, came.text, throws);
            if let Some(more) = came.besides {
                add(&mut besides, 0, Tone::Plain, more, throws);
            }
        })?;
        if !known {
            return None;
        }
        rows.sort_by(|(one, _), (other, _)| other.cmp(one));
        let plain = |rows: Vec<(i16, Chance)>| rows.into_iter().map(|(_, chance)| chance).collect();
        Some(Odds { of: String::new(), throws: all, rows: plain(rows), besides: plain(besides) })
    }
}

fn add(rows: &mut Vec<(i16, Chance)>, rank: i16, tone: Tone, text: Cow<'static, str>, throws: u128) {
    match rows.iter_mut().find(|(there, chance)| *there == rank && chance.text == text) {
        Some((_, chance)) => chance.throws += throws,
        None => rows.push((rank, Chance { text, tone, throws })),
    }
}

/// Whether a roll has few enough classes to be played out.
fn is_short(dice: &Dice, folded: bool, ordered: bool) -> bool {
    if folded {
        return true;
    }
    if ordered {
        return dice.throws().is_some_and(|throws| throws <= MOST_CLASSES);
    }
    let mut classes: u128 = 1;
    for die in dice.kinds() {
        // Multisets of faces, one die after the other.
        let mut sets: u128 = 1;
        for n in 1..=u128::from(die.count) {
            sets = sets * (u128::from(die.sides) + n - 1) / n;
            if sets > MOST_CLASSES {
                return false;
            }
        }
        classes *= sets;
    }
    classes <= MOST_CLASSES
}

/// The odds of the roll that is due, as far as `who` may know them.
pub(crate) fn due<G: Words>(rules: &G::Rules, state: &G::State, who: Viewer) -> Option<Odds> {
    odds_at::<G>(rules, state, state, who)
}

/// The odds of the roll that is due at `state`, by what was known before it came to
/// that; `None` where no roll is due or `who` may not know.
pub fn odds_at<G: Words>(rules: &G::Rules, known: &G::State, state: &G::State, who: Viewer) -> Option<Odds> {
    let Open::Roll(roll) = G::open(rules, state) else { return None };
    if !roll.seen.by(who) {
        return None;
    }
    let mut events = Vec::new();
    Odds::by(&roll, |rolled| {
        let mut after = state.clone();
        events.clear();
        G::roll(rules, &mut after, rolled, &mut events);
        G::came(rules, &Fallen { known, before: state, after: &after, events: &events }, who)
    })
}

/// The odds of the roll that an answer to the ask at `slot` leads to at once.
///
/// `None` where it leads to no roll, is refused, or `who` may not know.
pub fn odds_after<G: Words>(
    rules: &G::Rules,
    state: &G::State,
    slot: Slot,
    answer: &G::Answer,
    who: Viewer,
) -> Option<Odds> {
    let (due, _) = to_roll::<G>(rules, state, slot, answer, |_, _| None)?;
    odds_at::<G>(rules, state, &due, who)
}

/// The table with the roll due (or at its end) that an answer to the ask at `slot` leads to,
/// and the number of asks answered before that. Each time `usual` answers the first open ask
/// for which it has an answer.
///
/// `None` if an answer is refused, or `usual` answers no open ask.
pub fn to_roll<G: Game>(
    rules: &G::Rules,
    state: &G::State,
    slot: Slot,
    answer: &G::Answer,
    usual: impl Fn(&G::State, &Ask<G::Prompt>) -> Option<G::Answer>,
) -> Option<(G::State, u8)> {
    let mut now = state.clone();
    let (mut slot, mut answer) = (slot, *answer);
    for between in 0..=MOST_BETWEEN {
        let mv = G::check(rules, &now, slot, answer).ok()?;
        G::apply(rules, &mut now, mv, &mut NoSink);
        let Open::Asks(asks) = G::open(rules, &now) else { return Some((now, between)) };
        let found = (0..).map(Slot).zip(asks.iter()).find_map(|(slot, ask)| Some((slot, usual(&now, ask)?)));
        (slot, answer) = found?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoFold, Rolled, Seat, Seen};

    fn roll(dice: Dice, read: Read<NoFold>) -> Roll<NoFold> {
        Roll { whose: Seat::Gm, seen: Seen::Openly, dice, read }
    }

    fn of_sum(dice: Dice, read: Read<NoFold>) -> Option<Odds> {
        Odds::by(&roll(dice, read), |rolled| {
            let Rolled::Faces(faces) = rolled;
            let sum: u8 = faces.iter().sum();
            let (rank, text, tone) = if sum >= 10 { (1, "high", Tone::Good) } else { (0, "low", Tone::Bad) };
            let besides = faces.contains(&1).then_some(Cow::Borrowed("a one"));
            Some(Came { rank, tone, text: Cow::Borrowed(text), besides })
        })
    }

    #[test]
    fn odds_are_exact_whatever_the_order_of_the_dice() {
        for read in [Read::Ordered, Read::Sorted] {
            let odds = of_sum(Dice::of(2, 6), read).unwrap();
            assert_eq!(odds.throws, 36);
            assert_eq!(odds.rows.iter().map(|row| row.throws).collect::<Vec<_>>(), [6, 30]);
            assert_eq!(odds.besides[0].throws, 11);
            assert_eq!(odds.line(), "high 17 %, low 83 %; besides a one 31 %");
        }
    }

    #[test]
    fn long_rolls_and_what_nobody_knows_have_none() {
        assert_eq!(of_sum(Dice::of(12, 10), Read::Sorted), None);
        assert_eq!(of_sum(Dice::of(6, 6), Read::Ordered), None);
        assert!(of_sum(Dice::of(6, 6), Read::Sorted).is_some());
        assert_eq!(Odds::by(&roll(Dice::of(1, 6), Read::Sorted), |_| None), None);
    }

    #[test]
    fn nothing_possible_is_told_as_certain() {
        let share = |throws, of| {
            let chance = Chance { text: "x".into(), tone: Tone::Plain, throws };
            let odds = Odds { of: String::new(), throws: of, rows: Vec::new(), besides: Vec::new() };
            (odds.share(&chance), odds.part(&chance, 100))
        };
        assert_eq!(share(0, 6), ("0 %".to_owned(), 0));
        assert_eq!(share(6, 6), ("100 %".to_owned(), 100));
        assert_eq!(share(1, 2), ("50 %".to_owned(), 50));
        assert_eq!(share(1, 36), ("3 %".to_owned(), 2));
        assert_eq!(share(1, 1_000_000), ("under 1 %".to_owned(), 0));
        assert_eq!(share(999_999, 1_000_000), ("over 99 %".to_owned(), 99));
        assert_eq!(share(u128::MAX / 2, u128::MAX), ("50 %".to_owned(), 50));
    }
}
