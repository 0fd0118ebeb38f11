//! What draws a brisk player to abilities: what their effects do for a side, less their price.

use super::{DIE, Mind, NEVER, PAID, TOKEN};
use crate::{
    answer::Answer,
    bot::{SLOT, WHOLE},
    effect::Effect,
    stack,
    state::*,
    view,
    vocab::*,
};

impl Mind<'_> {
    pub(super) fn steps_in(&self, answer: Answer) -> i32 {
        match answer {
            Answer::Use { who, ability, on, pay } => {
                // Nobody adds to what their own side has just put on the Stack.
                let own =
                    |frame: &Frame| matches!(frame, Frame::Use(used) if self.side(used.by) == self.side(who));
                if self.at.state.waiting().last().is_some_and(own) {
                    -1
                } else {
                    self.used(who, ability, on, pay)
                }
            }
            Answer::Pass => 0,
            _ => -NEVER,
        }
    }

    /// What an ability does for its user's side, less its price.
    pub(super) fn used(&self, by: Char, ability: Ability, on: Option<Target>, pay: Few<Element, 6>) -> i32 {
        let data = self.at.rules.ability(ability);
        let who = stack::subject(self.at, by, ability, on);
        let sign = if self.side(who) == self.side(by) { 1 } else { -1 };
        let gains = data.effects.iter().map(|&effect| sign * self.does(by, who, effect, data.lasts));
        let cost = data.cost;
        let price = PAID * (pay.iter().count() as i32 + i32::from(cost.reaction) + i32::from(cost.exhaust));
        gains.sum::<i32>() - price - 1
    }

    /// What an effect does for the one it happens to. What is there already does nothing once more.
    pub(super) fn does(&self, by: Char, who: Char, effect: Effect, lasts: Lasts) -> i32 {
        let (rules, state) = (self.at.rules, self.at.state);
        let (body, sheet) = (state.body(who), rules.sheet(who));
        let lies = |card: Card| {
            let known = |&element: &Element| view::knows_element(self.at, element, self.viewer);
            state.elements_of(who).filter(known).any(|element| state.card(who, element) == card)
        };
        match effect {
            Effect::AddBd(_)
            | Effect::AddMd(_)
            | Effect::AddDamage(_)
            | Effect::MultiplyDamage(_)
            | Effect::SetPotential(_) => self.on_roll(who, effect, lasts),
            Effect::DealDamage(n) => -self.harm(who, self.after_tokens(by, who, WHOLE * i32::from(n))),
            Effect::RestoreMajor(n) if view::knows_will(self.at, who, self.viewer) => {
                3 * TOKEN / 2 * i32::from(n.min(sheet.major.saturating_sub(body.major)))
            }
            Effect::RestoreMinor(n) if view::knows_will(self.at, who, self.viewer) => {
                let most = sheet.minor.min(body.major);
                3 * TOKEN / 2 * i32::from(n.min(most.saturating_sub(body.minor)))
            }
            Effect::RestoreMajor(n) | Effect::RestoreMinor(n) => 3 * TOKEN / 2 * i32::from(n.min(body.hurt)),
            Effect::Alter { symbol, to, resist } => {
                let is_so = state.alteration(who, symbol) == Some(to);
                let good = matches!(to, Alteration::Bright | Alteration::Exalted);
                let size = if is_so {
                    0
                } else if resist.is_some() {
                    TOKEN / 2
                } else {
                    TOKEN
                };
                if good { size } else { -size }
            }
            Effect::ClearAlteration => {
                let bad =
                    |altered: &Altered| matches!(altered.to, Alteration::Eclipsed | Alteration::Obscured);
                body.alterations
                    .iter()
                    .flatten()
                    .map(|altered| if bad(altered) { TOKEN } else { -TOKEN })
                    .sum()
            }
            Effect::GiveToken { kind, .. } if state.tokens(who, kind) >= rules.options.token_cap.into() => 0,
            Effect::GiveToken { kind: TokenKind::Armor, .. } => match state.test() {
                Some(test)
                    if test.dodged.is_none() && test.parties().1 == who && test.kind == Kind::Attack =>
                {
                    TOKEN + self.stake(test) * self.passes(test, 0) / WHOLE / 2
                }
                _ => TOKEN,
            },
            Effect::GiveToken {
                kind: TokenKind::Weak | TokenKind::Vulnerable | TokenKind::Taunt, ..
            } => -TOKEN,
            Effect::GiveToken { .. } => TOKEN,
            Effect::GainKeyword(keyword) if !state.has_keyword(rules, who, keyword) => DIE,
            Effect::GainAction if state.turn() == Some(who) => 2 * TOKEN,
            Effect::GainReaction if !body.reaction => PAID,
            Effect::Ready if lies(Card::Exhausted) => DIE,
            Effect::Exhaust if lies(Card::Ready) => -DIE,
            Effect::AddSpellSlot(_) => PAID + SLOT,
            Effect::RevealSecret if self.at.rules.is_pc(by) => -TOKEN,
            Effect::LoseControl => -DIE,
            _ => 0,
        }
    }

    /// What an effect does for the one whose Roll it changes: the one under way, else those to come.
    fn on_roll(&self, who: Char, effect: Effect, lasts: Lasts) -> i32 {
        let due = |test: &&Test| test.step < Step::Dice && test.came.is_none();
        let test = self.at.state.test().filter(due).filter(|_| lasts == Lasts::AtOnce);
        let lies = self.at.state.live.iter().any(|live| live.on == who && live.effect == effect);
        match (effect, test) {
            (Effect::AddBd(n), Some(test)) if test.roller() == who => self.turns(test, n as i8),
            (Effect::AddMd(n), Some(test)) if test.roller() == who => self.turns(test, -(n as i8)),
            (Effect::AddBd(_) | Effect::AddMd(_), Some(_)) => 0,
            (_, Some(test)) if test.attacker == who && test.kind == Kind::Attack => {
                let dealt = self.dealt(test, who, test.defender);
                let changed = match effect {
                    Effect::AddDamage(n) => dealt + WHOLE * i32::from(n),
                    Effect::MultiplyDamage(n) => dealt * i32::from(n),
                    Effect::SetPotential(n) => dealt.max(WHOLE * i32::from(n) / 2),
                    _ => dealt,
                };
                let harm = |damage| self.harm(test.defender, damage);
                (harm(changed.max(0)) - harm(dealt)) * self.passes(test, 0) / WHOLE
            }
            (_, Some(_)) => 0,
            (_, None) if lies => 0,
            (Effect::AddMd(n), None) => -DIE * i32::from(n),
            (Effect::AddDamage(n), None) => DIE * i32::from(n.signum()),
            (_, None) => DIE,
        }
    }

    /// What so many dice more are worth to the one who throws.
    fn turns(&self, test: &Test, dice: i8) -> i32 {
        self.stake(test) * (self.passes(test, dice) - self.passes(test, 0)) / WHOLE
    }
}
