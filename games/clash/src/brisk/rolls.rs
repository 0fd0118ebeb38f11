//! What draws a brisk player to an answer about a Roll that is under way, or a blow.

use super::{CARD, CONTROL, DONE, Mind, NEVER, PAID, PUSHED, SECRET, TOKEN};
use crate::{
    answer::{Answer, Prompt},
    bot::{self, DEAD, GUESS, LOST, WHOLE, chance},
    effect::Effect,
    rules::WinningBlow,
    state::*,
    test, view,
    vocab::{Dice, *},
};

/// Whether cards are laid for a Roll or against it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lays {
    For,
    Against,
}

impl Mind<'_> {
    /// What a pass of the Roll under way is worth to the one who throws.
    pub(super) fn stake(&self, test: &Test) -> i32 {
        let (actor, victim) = test.parties();
        let (kind, dodged) = test.dodged.map_or((test.kind, false), |(kind, ..)| (kind, true));
        let extra = if dodged { self.if_not_dodged() } else { 0 };
        let damage = match kind {
            Kind::Attack | Kind::Opening => self.dealt(test, actor, victim) + extra,
            _ => extra,
        };
        let gain = match kind {
            Kind::Control => CONTROL,
            Kind::PushOff => PUSHED,
            Kind::Study | Kind::Investigate if self.at.rules.is_pc(actor) => SECRET / 2,
            Kind::Conflict => 2 * TOKEN,
            Kind::Death => DEAD,
            _ => DONE,
        };
        gain + self.harm(victim, damage)
    }

    /// The Damage of the Roll under way, if it passes.
    pub(super) fn dealt(&self, test: &Test, actor: Char, victim: Char) -> i32 {
        let mut means = self.means(actor);
        let changes = test.mods.damage.iter();
        changes.for_each(|effect| match *effect {
            Effect::AddDamage(n) => means.plus += i32::from(n),
            Effect::MultiplyDamage(n) => means.times = means.times.saturating_mul(n.into()),
            _ => {}
        });
        let net = test::net_known(self.at, test, self.viewer);
        let die = chance(bot::difficulty(self.at, test, self.viewer), 0).0;
        let seen = test::spell_dice(self.at, test).max(test.mods.potential);
        self.damage(means, victim, die, net, seen)
    }

    /// The chance that the Roll under way passes with so many dice more.
    pub(super) fn passes(&self, test: &Test, more: i8) -> i32 {
        let net = test::net_known(self.at, test, self.viewer);
        chance(bot::difficulty(self.at, test, self.viewer), net.saturating_add(more)).1
    }

    /// To stand, or to Dodge with a Symbol: what each loses on average (`dodge.swap`).
    pub(super) fn dodge(&self, who: Char, test: &Test, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let ready = |who: Char| {
            let known = |&element: &Element| view::knows_element(self.at, element, self.viewer);
            i8::from(test::each_ready(self.at, who).any(|element| known(&element)))
        };
        let (mine, theirs) = (ready(who), ready(test.attacker));
        let stands = self.stake(test) * self.passes(test, theirs - mine) / WHOLE;
        let deals = matches!(test.kind, Kind::Attack | Kind::Opening);
        let damage = if deals { self.dealt(test, test.attacker, who) } else { 0 };
        let fails = self.stake(test) - self.harm(who, damage) + self.harm(who, damage + self.if_not_dodged());
        let attacking = match view::knows_difficulty(self.at, self.viewer) {
            true => self.at.state.value(self.at.rules, test.attacker, test.with),
            false => self.value(test.attacker, test.with),
        };
        for &answer in listed {
            each(match answer {
                Answer::Dodge(with) => {
                    let difficulty = self.difficulty(self.value(who, with), attacking);
                    let (_, dodges) = chance(difficulty, mine - theirs);
                    let held = bot::held_back(self.at, Some(Prompt::Dodge(who)), answer);
                    -fails * (WHOLE - dodges) / WHOLE - held
                }
                _ => -stands,
            });
        }
    }

    /// Cards laid for a Roll or against it: what the dice change, and what the cards that are kept hinder before
    /// they are ready again (`clash.exhaust-aid`, `clash.defend-exhaust`, `turn.unexhaust`).
    pub(super) fn lay(
        &self,
        who: Char,
        test: &Test,
        lays: Lays,
        listed: &[Answer],
        each: &mut impl FnMut(i32),
    ) {
        let in_clash = self.at.state.clash.is_some();
        let (stake, net) = (self.stake(test), test::net_known(self.at, test, self.viewer));
        let difficulty = bot::difficulty(self.at, test, self.viewer);
        // Of each kind the most dice of a card, and of another.
        let mut most = [[0i8; 2]; 3];
        for element in test::to_lay(self.at, who) {
            let (of, dice) = (&mut most[kind(element)], self.dice(element, lays));
            *of = if dice > of[0] { [dice, of[0]] } else { [of[0], of[1].max(dice)] };
        }
        let guards = if in_clash { self.harm(who, WHOLE) * self.attacks(who, lays) / WHOLE } else { 0 };
        let bare = chance(self.difficulty(GUESS, GUESS), 0).1;
        for &answer in listed {
            let (aids, idea) = match answer {
                Answer::Commit { idea, .. } => (answer.aids(), i8::from(idea.is_some())),
                Answer::Pass => (Aids::default(), 0),
                // Who grants something is asked once more what is laid.
                _ => {
                    let pass = chance(difficulty, net).1;
                    each(-stake * pass / WHOLE - bot::held_back(self.at, None, answer));
                    continue;
                }
            };
            let (mut laid, mut kept, mut cards) = (idea, most.map(|of| of[0]), i32::from(idea));
            for element in aids.iter() {
                let dice = self.dice(element, lays);
                laid += dice;
                cards += 1;
                let of = most[kind(element)];
                kept[kind(element)] = if dice == of[0] { of[1] } else { of[0] };
            }
            let kept: i8 = kept.iter().sum();
            let guard = guards * (bare - chance(self.difficulty(GUESS, GUESS), -kept).1) / WHOLE;
            let pass = match lays {
                Lays::For => stake * chance(difficulty, net + laid).1 / WHOLE,
                Lays::Against => -stake * chance(difficulty, net - laid).1 / WHOLE,
            };
            each(pass + guard - CARD * cards);
        }
    }

    /// The dice of a card. A Spell Trait gives the roller what is spent of its pool (`persist.spend`).
    fn dice(&self, element: Element, lays: Lays) -> i8 {
        let pool = match element {
            Element::Trait(mark) if lays == Lays::For => self.at.state.pool_of(mark),
            _ => None,
        };
        let spends = |pool: &&Pool| crate::spell::knows_pool(self.at, pool, self.viewer);
        match pool.filter(spends) {
            Some(pool) => self.at.rules.spell(pool.spell).level.min(pool.dice).max(1) as i8,
            None => self.at.state.dice_of(self.at.rules, element) as i8,
        }
    }

    /// How often a character is attacked before their next turn, in thousandths.
    fn attacks(&self, who: Char, lays: Lays) -> i32 {
        let turns = |side: Side, of: &dyn Fn(Char) -> i32| -> i32 {
            let all = self.at.rules.everybody();
            all.filter(|&one| self.at.state.stands(one) && self.side(one) == side).map(of).sum()
        };
        let foes = turns(self.side(who).other(), &|foe| i32::from(self.at.rules.sheet(foe).turns));
        let friends = turns(self.side(who), &|_| 1).max(1);
        let all = (WHOLE * foes / friends).min(WHOLE);
        if lays == Lays::For { all } else { all / 2 }
    }

    /// Dice of a pool: for the Roll of a friend, or against one of a foe.
    pub(super) fn spend(&self, test: &Test, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let Some(pool) = crate::spell::pool_to_spend(self.at, test) else {
            return listed.iter().for_each(|_| each(0));
        };
        let stake = self.stake(test);
        let sign = if self.side(pool.caster) == self.side(test.roller()) { 1 } else { -1 };
        for &answer in listed {
            let Answer::Spend(spent) = answer else { continue };
            // Without its pool a Bonus Spell Trait is a Minor Trait (`persist-plain-use`).
            let more = match pool.of {
                Dice::Bonus => spent.max(1) as i8,
                Dice::Malus => -(spent as i8),
            };
            each(sign * stake * self.passes(test, more) / WHOLE - PAID * i32::from(spent) / 2);
        }
    }

    /// Malus Dice for a Lucky Token, where they change little.
    pub(super) fn malus(&self, test: &Test, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let stake = self.stake(test);
        for &answer in listed {
            each(match answer {
                Answer::Take => TOKEN + stake * self.passes(test, -(test.offered as i8)) / WHOLE,
                _ => stake * self.passes(test, 0) / WHOLE,
            });
        }
    }

    /// A Roll that failed is thrown again where much hangs on it and the chance is there (`token.lucky`).
    pub(super) fn lucky(&self, test: &Test, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let failed = test.came.is_some_and(|came| !came.passed);
        let gain = if failed { self.stake(test) * self.passes(test, 0) / WHOLE } else { -NEVER };
        listed.iter().for_each(|&answer| each(if answer == Answer::Reroll { gain - TOKEN } else { 0 }));
    }

    /// Damage is taken while Will Points are left; a Clash that is lost is lost alive (`wp.surrender`).
    pub(super) fn blow(&self, who: Char, answer: Answer) -> i32 {
        let (rules, state) = (self.at.rules, self.at.state);
        let Some(Frame::Blow(blow)) = state.frames.last() else { return 0 };
        let body = state.body(who);
        let held = |by: Char| view::sees_hold(self.at, (who, by), self.viewer);
        let by_rule = rules.options.winning_blow_death == WinningBlow::DeathRoll
            && state.stakes() == Rank::Major
            && blow.by.is_some();
        let deadly = body.major == 0 && (by_rule || blow.by.is_some_and(held));
        match answer {
            Answer::Convert => LOST / 2,
            Answer::Take if deadly => -LOST,
            Answer::Surrender(_) => -bot::held_back(self.at, Some(Prompt::Blow(who)), answer),
            // Outside a Clash a fair Director takes Minor Will Points first (`damage-outside`).
            Answer::Deal(Rank::Major) => {
                if body.minor > 0 {
                    -LOST
                } else {
                    LOST
                }
            }
            _ => 0,
        }
    }
}

/// The place of an element's kind: one of each kind is laid (`clash.aid-limit`).
const fn kind(element: Element) -> usize {
    match element {
        Element::Trait(_) => 0,
        Element::Item(_) => 1,
        Element::Prop(_) => 2,
    }
}
