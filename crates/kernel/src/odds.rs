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
    /// The results of each tone together, where they are many and the game has words for it
    /// ([`Words::in_all`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<Chance>,
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
    /// impossible is never rounded to it. Of rows and totals, which add up, see
    /// [`Odds::shares`] and [`Odds::share_of`].
    pub fn share(&self, chance: &Chance) -> String {
        // Few throws more or less make no difference where there are so many.
        let scale = (self.throws / (u128::MAX / 400)).max(1);
        let (part, all) = (chance.throws / scale, (self.throws / scale).max(1));
        self.percent(chance.throws, (part * 200 / all).div_ceil(2))
    }

    /// The share of each row, so that they add up: all to 100, those of a tone to what
    /// [`Odds::share_of`] says.
    pub fn shares(&self) -> Vec<String> {
        let mut shares = vec![String::new(); self.rows.len()];
        for (tone, _, percent) in self.tones() {
            let of: Vec<usize> = (0..self.rows.len()).filter(|&at| self.rows[at].tone == tone).collect();
            let parts: Vec<u128> = of.iter().map(|&at| self.rows[at].throws).collect();
            for ((at, throws), percent) in of.into_iter().zip(&parts).zip(apportioned(percent, &parts)) {
                shares[at] = self.percent(*throws, percent);
            }
        }
        shares
    }

    /// How likely the rows of a tone are together.
    pub fn share_of(&self, tone: Tone) -> String {
        let found = self.tones().into_iter().find(|(of, ..)| *of == tone);
        found.map_or_else(|| "0 %".to_owned(), |(_, throws, percent)| self.percent(throws, percent))
    }

    /// The tones of the rows, each with its throws and its share of a hundred.
    fn tones(&self) -> Vec<(Tone, u128, u128)> {
        let mut tones: Vec<(Tone, u128)> = Vec::new();
        for row in &self.rows {
            match tones.iter_mut().find(|(tone, _)| *tone == row.tone) {
                Some((_, throws)) => *throws += row.throws,
                None => tones.push((row.tone, row.throws)),
            }
        }
        let parts: Vec<u128> = tones.iter().map(|(_, throws)| *throws).collect();
        let percents = apportioned(100, &parts);
        tones.into_iter().zip(percents).map(|((tone, throws), percent)| (tone, throws, percent)).collect()
    }

    /// A share that was rounded to so many percent, in words.
    fn percent(&self, throws: u128, rounded: u128) -> String {
        match rounded {
            _ if throws == 0 => "0 %".to_owned(),
            _ if throws == self.throws => "100 %".to_owned(),
            0 => "under 1 %".to_owned(),
            100 => "over 99 %".to_owned(),
            percent => format!("{percent} %"),
        }
    }

    /// The same with the totals of tones, where there are more rows than tones.
    #[must_use]
    pub(crate) fn with_totals(mut self, words: impl Fn(Tone) -> &'static str) -> Odds {
        let tones = self.tones();
        if (2..self.rows.len()).contains(&tones.len())
            && tones.iter().all(|(tone, ..)| !words(*tone).is_empty())
        {
            let total = |(tone, throws, _)| Chance { text: words(tone).into(), tone, throws };
            self.totals = tones.into_iter().map(total).collect();
        }
        self
    }

    /// How much of `width` something takes.
    pub fn part(&self, chance: &Chance, width: u16) -> u16 {
        let scale = (self.throws / (u128::MAX / 70_000)).max(1);
        let part = chance.throws / scale * u128::from(width) / (self.throws / scale).max(1);
        u16::try_from(part).unwrap_or(width)
    }

    /// In one line: `success 58 %, failure 42 %`.
    pub fn line(&self) -> String {
        let told = |(chance, share): (&Chance, String)| format!("{} {share}", chance.text);
        let rows: Vec<String> = self.rows.iter().zip(self.shares()).map(told).collect();
        let share_of = |chance: &Chance| self.share_of(chance.tone);
        let totals: Vec<String> = self.totals.iter().map(|all| told((all, share_of(all)))).collect();
        let besides: Vec<String> = self.besides.iter().map(|more| told((more, self.share(more)))).collect();
        let join = if besides.is_empty() { "" } else { "; besides " };
        let of = if self.of.is_empty() { String::new() } else { format!("{}: ", self.of) };
        let all = if totals.is_empty() { String::new() } else { format!("in all {}: ", totals.join(", ")) };
        format!("{of}{all}{}{join}{}", rows.join(", "), besides.join(", "))
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
        let (rows, besides) = (plain(rows), plain(besides));
        Some(Odds { of: String::new(), throws: all, rows, totals: Vec::new(), besides })
    }
}

/// So many hundredths, shared out in whole ones: each part gets its own rounded down, and those
/// that lost most by that get what is left.
fn apportioned(percent: u128, parts: &[u128]) -> Vec<u128> {
    let all: u128 = parts.iter().sum();
    // Few throws more or less make no difference where there are so many.
    let scale = (all / (u128::MAX / 400)).max(1);
    let all = (all / scale).max(1);
    let exact = |part: &u128| part / scale * percent;
    let mut shares: Vec<u128> = parts.iter().map(|part| exact(part) / all).collect();
    let left = percent.saturating_sub(shares.iter().sum());
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(exact(&parts[at]) % all));
    order.into_iter().take(left as usize).for_each(|at| shares[at] += 1);
    shares
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
    let odds = Odds::by(&roll, |rolled| {
        let mut after = state.clone();
        events.clear();
        G::roll(rules, &mut after, rolled, &mut events);
        G::came(rules, &Fallen { known, before: state, after: &after, events: &events }, who)
    });
    Some(odds?.with_totals(G::in_all))
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
    fn shares_add_up_and_so_do_totals() {
        let of = |rows: &[(Tone, u128)]| {
            let row = |&(tone, throws)| Chance { text: "x".into(), tone, throws };
            let rows: Vec<Chance> = rows.iter().map(row).collect();
            let throws = rows.iter().map(|row| row.throws).sum();
            Odds { of: String::new(), throws, rows, totals: Vec::new(), besides: Vec::new() }
                .with_totals(|tone| if tone == Tone::Good { "high" } else { "low" })
        };
        let (good, bad) = (Tone::Good, Tone::Bad);
        for (rows, shares, line) in [
            (&[(good, 101), (bad, 99)][..], &["51 %", "49 %"][..], "x 51 %, x 49 %"),
            (
                &[(good, 1), (good, 1), (good, 1), (bad, 3)],
                &["17 %", "17 %", "16 %", "50 %"],
                "in all high 50 %, low 50 %: x 17 %",
            ),
            (
                &[(good, 5), (good, 5), (good, 9_980), (bad, 10)],
                &["under 1 %", "under 1 %", "over 99 %", "under 1 %"],
                "in all high over 99 %",
            ),
            (&[(good, 7)], &["100 %"], "x 100 %"),
            (&[(good, u128::MAX / 3), (bad, u128::MAX / 3)], &["50 %", "50 %"], "x 50 %"),
        ] {
            let odds = of(rows);
            assert_eq!(odds.shares(), shares);
            assert!(odds.line().starts_with(line), "{}", odds.line());
        }
        assert_eq!(of(&[(good, 7)]).share_of(bad), "0 %");
    }

    #[test]
    fn nothing_possible_is_told_as_certain() {
        let share = |throws, of| {
            let chance = Chance { text: "x".into(), tone: Tone::Plain, throws };
            let rows = vec![chance.clone()];
            let odds = Odds { of: String::new(), throws: of, rows, totals: Vec::new(), besides: Vec::new() };
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
