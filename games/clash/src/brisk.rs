//! What draws a brisk player to an answer, judged from the table as it lies ([`fracas_kernel::Game::appeal`]).
//!
//! Appeals are in the units of [`crate::bot`]: an ordinary character who loses the Clash counts 600. Chances and
//! Damage are in thousandths. What holds a fair Director back holds a brisk one back too.

mod abilities;
mod rolls;

use crate::{
    At, Clash,
    answer::{Answer, Casting, Prompt},
    bot::{self, DEAD, GUESS, LOST, SLOT, WHOLE, chance},
    dice,
    effect::{Bearer, Effect},
    harm,
    rules::Source,
    state::*,
    test, view,
    vocab::{Dice, *},
};
use fracas_kernel::{Asking, Seat, Slot, Viewer};

/// What nobody does who plays to win: to give up, or to do nothing for ever.
const NEVER: i32 = 20 * LOST;
/// The blows that beat an ordinary character, where their Will Points are not known.
const BLOWS: u8 = 3;
/// A Clash Prop that is gained early, for each of its dice, and one that an enemy loses.
const CONTROL: i32 = 60;
const PUSHED: i32 = 40;
/// A Secret that is learnt before a long fight.
const SECRET: i32 = 110;
/// A Roll that passes and changes nothing else.
const DONE: i32 = 20;
/// A Token, an Alteration, a lasting die.
const TOKEN: i32 = 40;
const DIE: i32 = 20;
/// A card that is turned, a Reaction that is spent.
const CARD: i32 = 2;
const PAID: i32 = 12;

/// What draws a seat to each listed answer.
pub(crate) fn appeal(at: At<'_>, (slot, seat): (Slot, Seat), listed: &[Answer], each: &mut impl FnMut(i32)) {
    let prompt = Clash::ask_at(at, slot).map(|ask| ask.prompt);
    let mind = Mind { at, viewer: Viewer::Seat(seat) };
    let test = at.state.top_test();
    match (prompt, test) {
        (Some(Prompt::Main(who)), _) => mind.main(who, listed, each),
        (Some(Prompt::Act), _) => mind.act(listed, each),
        (Some(Prompt::Priority(_) | Prompt::Aside), _) => {
            listed.iter().for_each(|&answer| each(mind.steps_in(answer)));
        }
        (Some(Prompt::Breath(who)), _) => listed.iter().for_each(|&answer| each(mind.breath(who, answer))),
        (Some(Prompt::Pick(_)), _) => listed.iter().for_each(|&answer| each(mind.pick(answer))),
        (Some(Prompt::Dodge(who)), Some(test)) => mind.dodge(who, test, listed, each),
        (Some(Prompt::Aid(who)), Some(test)) => mind.lay(who, test, rolls::Lays::For, listed, each),
        (Some(Prompt::Oppose(who)), Some(test)) => mind.lay(who, test, rolls::Lays::Against, listed, each),
        (Some(Prompt::Spend(_)), Some(test)) => mind.spend(test, listed, each),
        (Some(Prompt::Malus(_)), Some(test)) => mind.malus(test, listed, each),
        (Some(Prompt::Lucky(_)), Some(test)) => mind.lucky(test, listed, each),
        (Some(Prompt::Blow(who)), _) => listed.iter().for_each(|&answer| each(mind.blow(who, answer))),
        (prompt, _) => listed.iter().for_each(|&answer| {
            each(mind.chosen(prompt, answer) - bot::held_back(at, prompt, answer));
        }),
    }
}

/// What a character brings to Rolls of their own: dice, Potential Damage, changes of Damage.
#[derive(Clone, Copy)]
struct Means {
    who: Char,
    net: i8,
    potential: u8,
    plus: i32,
    times: i32,
}

/// The table as a seat knows it.
struct Mind<'a> {
    at: At<'a>,
    viewer: Viewer,
}

impl Mind<'_> {
    // ---- Values and chances.

    /// A Symbol's value, as the seat knows it or guesses.
    fn value(&self, who: Char, symbol: Symbol) -> i16 {
        match view::reads(self.at, who, self.viewer) {
            true => self.at.state.value(self.at.rules, who, symbol),
            false => dice::altered(GUESS, self.at.state.alteration(who, symbol)),
        }
    }

    /// The value with which a character most likely defends (`roll.symbols-choice`).
    fn defends(&self, who: Char, kind: Kind, with: Symbol) -> i16 {
        let habit = if self.viewer.is_gm() { test::habitual(self.at, who, kind, with) } else { None };
        self.value(who, habit.unwrap_or(test::usual(with)))
    }

    fn difficulty(&self, attacking: i16, defending: i16) -> i16 {
        dice::difficulty(self.at.rules.options.difficulty_base, attacking, defending)
    }

    /// The Damage that a failed Dodge adds (`dodge.fail`).
    fn if_not_dodged(&self) -> i32 {
        WHOLE * i32::from(self.at.rules.options.dodge_damage)
    }

    /// The chance that one die reaches, and that a Roll of these means passes.
    fn chances(&self, means: Means, with: Symbol, over: i16, dice: i8) -> (i32, i32) {
        chance(self.difficulty(self.value(means.who, with), over), means.net + dice)
    }

    /// What a character brings to their next Roll; a ready card is a die.
    fn means(&self, who: Char) -> Means {
        let card = i8::from(test::each_ready(self.at, who).next().is_some());
        let mut means = Means { who, net: card, potential: 0, plus: 0, times: 1 };
        for effect in test::lasting(self.at, who, self.viewer) {
            match effect {
                Effect::AddBd(n) => means.net = means.net.saturating_add(n as i8),
                Effect::AddMd(n) => means.net = means.net.saturating_sub(n as i8),
                Effect::SetPotential(n) => means.potential = means.potential.max(n),
                Effect::AddDamage(n) => means.plus += i32::from(n),
                Effect::MultiplyDamage(n) => means.times = means.times.saturating_mul(n.into()),
                _ => {}
            }
        }
        means
    }

    /// Damage on average of an Attack that passes, after the Tokens of both (`damage.potential`).
    fn damage(&self, means: Means, on: Char, die: i32, net: i8, spell: u8) -> i32 {
        let base = match view::reads(self.at, means.who, self.viewer) {
            true => self.at.rules.sheet(means.who).base_damage,
            false => 1,
        };
        let potential = i32::from(means.potential.max(spell));
        let successes = (die * i32::from(dice::dice(net))).clamp(WHOLE, WHOLE * potential.max(1));
        let all = successes.max(WHOLE * i32::from(base));
        self.after_tokens(
            means.who,
            on,
            (all + WHOLE * means.plus).saturating_mul(means.times).clamp(0, 99 * WHOLE),
        )
    }

    /// Damage after the Tokens of both. An Armor Token is gone after that, so the blow was not for nothing.
    fn after_tokens(&self, by: Char, on: Char, damage: i32) -> i32 {
        if self.at.state.body(by).tokens.is_empty() && self.at.state.body(on).tokens.is_empty() {
            return damage;
        }
        let points = (damage / WHOLE).clamp(1, 99) as u8;
        let blow = Blow { by: Some(by), on, amount: points, symbols: None, counted: false, let_be: false };
        match harm::counted(self.at, &blow) {
            0 => damage / 4,
            counted => damage / i32::from(points) * i32::from(counted),
        }
    }

    /// The Damage that a character takes before the blow that beats them.
    fn left(&self, who: Char) -> u8 {
        let body = self.at.state.body(who);
        match view::knows_will(self.at, who, self.viewer) {
            false => BLOWS.saturating_sub(body.hurt),
            // Each blow that would beat them costs a player's character a Major Will Point (`wp.convert`).
            true if self.at.state.stakes() == Rank::Minor && self.at.rules.is_pc(who) => {
                body.minor.max(body.major)
            }
            true if self.at.state.stakes() == Rank::Minor => body.minor,
            true => body.major,
        }
    }

    /// What it counts to beat a character: who has more turns is the greater threat.
    fn weight(&self, who: Char) -> i32 {
        let sheet = self.at.rules.sheet(who);
        match sheet.controller {
            Some(_) => LOST / 3,
            None => LOST * (1 + i32::from(sheet.turns)) / 2,
        }
    }

    /// What so much Damage does to a character: the fewer blows are left, the more each counts.
    fn harm(&self, who: Char, damage: i32) -> i32 {
        let left = i32::from(self.left(who));
        self.weight(who) * damage.clamp(0, WHOLE * left.max(1)) / (WHOLE * (left + 1))
    }

    fn side(&self, who: Char) -> Side {
        self.at.state.body(who).side
    }

    fn round(&self) -> u16 {
        self.at.state.clash.as_ref().map_or(0, |clash| clash.round)
    }
    // ---- Actions.

    fn main(&self, who: Char, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let means = self.means(who);
        for &answer in listed {
            each(match answer {
                Answer::Attack { resist: true, .. } | Answer::Generic { resist: true, .. } => -DEAD,
                Answer::Attack { on, with, cast, .. } => self.attack(means, on, with, cast),
                Answer::Command { extra, on, with } => self.attack(self.means(extra), on, with, None),
                Answer::Study { on, with, .. } => self.study(means, on, with, 0),
                // The Director gives a question a Bonus Die (`study.investigate`).
                Answer::Investigate { on, with, .. } => self.study(means, on, with, 1),
                Answer::Control { prop, with, from, .. } => self.control(means, prop, with, from),
                Answer::PushOff { whom, with, .. } if self.side(whom) != self.side(who) => {
                    PUSHED * self.chances(means, with, self.defends(whom, Kind::PushOff, with), 0).1 / WHOLE
                }
                Answer::Cast { casting, .. } => self.persists(who, casting),
                Answer::Use { who, ability, on, pay } => self.used(who, ability, on, pay),
                Answer::End => 0,
                Answer::Generic { .. } => -1,
                _ => -NEVER,
            });
        }
    }

    /// An Attack: its chance, times what its Damage does.
    fn attack(&self, means: Means, on: Char, with: Symbol, cast: Option<Casting>) -> i32 {
        let spell = cast.map_or(0, |cast| self.spell_dice(cast.spell, with));
        let over = self.defends(on, Kind::Attack, with);
        let (die, pass) = self.chances(means, with, over, spell as i8);
        let harm = self.harm(on, self.damage(means, on, die, means.net + spell as i8, spell));
        pass * harm / WHOLE - if spell > 0 { SLOT } else { 0 }
    }

    /// The dice that a Spell gives (`spell.bd`).
    fn spell_dice(&self, spell: Spell, with: Symbol) -> u8 {
        let data = self.at.rules.spell(spell);
        data.level + u8::from(data.symbol == with)
    }

    /// Players learn what there is to know of a foe before a long fight; the Director knows it.
    fn study(&self, means: Means, on: Target, with: Symbol, dice: i8) -> i32 {
        let Target::Char(foe) = on else { return -1 };
        let known = |secret: SecretId| self.at.rules.secret(secret).of == on;
        let learnt = self.at.state.learnt;
        let long = self.at.state.stakes() == Rank::Major && self.round() == 1;
        let studied = learnt != 0
            && self.at.rules.every_secret().any(|secret| learnt >> secret.0 & 1 != 0 && known(secret));
        if !long || studied || !self.at.rules.is_pc(means.who) {
            return -1;
        }
        let kind = if dice > 0 { Kind::Investigate } else { Kind::Study };
        SECRET * self.chances(means, with, self.defends(foe, kind, with), dice).1 / WHOLE
    }

    /// Control of a Clash Prop gives dice in each turn that is left (`action.control`).
    fn control(&self, means: Means, prop: Prop, with: Symbol, from: Option<Char>) -> i32 {
        let target = Target::Element(Element::Prop(prop));
        let Some(creator) = keeper(self.at.rules, self.at.state, target) else { return -1 };
        let held = self.at.state.controlled_by(means.who).count() as i32;
        let each = self.at.state.dice_of(self.at.rules, Element::Prop(prop));
        let gain = CONTROL * i32::from(each) / (i32::from(self.round()).max(1) * (1 + held))
            + from.map_or(0, |_| PUSHED);
        // The creator of a Clash Prop that no enemy Controls needs no Roll (`control-own-creation`).
        let defender = match from {
            None if creator == means.who => return gain,
            Some(from) => from,
            None => creator,
        };
        let named = self.at.rules.props.get(prop.index()).and_then(|data| data.control);
        let over = match named {
            Some((_, over)) => self.value(defender, over),
            None => self.defends(defender, Kind::Control, with),
        };
        gain * self.chances(means, with, over, 0).1 / WHOLE
    }

    /// A Persistent Spell gives dice for Rolls to come, and there is one at a time (`persist.pool`).
    fn persists(&self, who: Char, casting: Casting) -> i32 {
        let late = self.round() > 2 || (self.round() == 0 && self.at.state.clashes > 0);
        if late || self.at.state.concentration(who).is_some() {
            return -1;
        }
        2 * DIE * i32::from(self.at.rules.spell(casting.spell).level) - SLOT
    }

    /// Outside a Clash: the second Roll of the evening against a foe opens the Clash, and is an Attack.
    fn act(&self, listed: &[Answer], each: &mut impl FnMut(i32)) {
        let opens = self.at.state.clashes == 0 && !self.at.state.made.is_empty();
        let mut means: Option<Means> = None;
        for &answer in listed {
            each(match answer {
                Answer::Try { resist: true, .. } => -DEAD,
                Answer::Try { who, on: Target::Char(on), with, cast, .. } => {
                    let means = match means {
                        Some(means) if means.who == who => means,
                        _ => *means.insert(self.means(who)),
                    };
                    let over = self.defends(on, Kind::Free, with);
                    match cast {
                        _ if opens => DONE + self.attack(means, on, with, cast),
                        None => DONE * self.chances(means, with, over, 0).1 / WHOLE,
                        Some(_) => 0,
                    }
                }
                Answer::Cast { who, casting, .. } => self.persists(who, casting),
                _ => -NEVER,
            });
        }
    }

    /// The next turn goes to whoever is nearest to being beaten, and can use it best.
    fn pick(&self, answer: Answer) -> i32 {
        let Answer::Next(who) = answer else { return -NEVER };
        let body = self.at.state.body(who);
        let turned = |element: &Element| self.at.state.card(who, *element) == Card::Exhausted;
        let turned = self.at.state.elements_of(who).filter(turned).count() as i32;
        10 * i32::from(body.turns) + 10 * i32::from(body.hurt) + 5 * turned
    }

    /// The card that gives most: dice, Focus, Spells, abilities.
    fn breath(&self, who: Char, answer: Answer) -> i32 {
        let Answer::Activate(element) = answer else { return 0 };
        let (rules, state) = (self.at.rules, self.at.state);
        let alike = |&other: &Element| {
            std::mem::discriminant(&other) == std::mem::discriminant(&element)
                && state.card(who, other) != Card::Inactive
        };
        let first = !state.elements_of(who).any(|other| alike(&other));
        let on_it = match element {
            Element::Item(item) => {
                let spells = rules.spells.iter().filter(|spell| spell.from == Source::Item(item)).count();
                let abilities = rules.abilities.iter().filter(|data| data.on == Bearer::Item(item)).count();
                2 * spells.min(5) + 2 * abilities
            }
            _ => 0,
        };
        1 + 4 * i32::from(state.dice_of(rules, element))
            + 2 * i32::from(state.focus_value(rules, element))
            + 3 * i32::from(first)
            + on_it as i32
    }

    // ---- All else.

    /// Answers to be given where nothing else tells them apart.
    fn chosen(&self, prompt: Option<Prompt>, answer: Answer) -> i32 {
        match (prompt, answer) {
            (_, Answer::Push | Answer::GainMajor(_)) => TOKEN,
            (Some(Prompt::Lay(who)), Answer::Lay { dice, .. }) => {
                let target = self.at.state.frames.iter().rev().find_map(|frame| match frame {
                    Frame::Lay { target, .. } => Some(*target),
                    _ => None,
                });
                let friend = target.is_some_and(|target| self.side(target) == self.side(who));
                if friend == (dice == Dice::Bonus) { TOKEN } else { -TOKEN }
            }
            (Some(Prompt::Hours(who)), Answer::Activity(activity)) => {
                let data = &self.at.rules.activities[activity.index()];
                let gains = data.effects.iter().map(|&effect| self.does(who, who, effect, Lasts::Rest));
                gains.sum::<i32>() / i32::from(data.hours.max(1))
            }
            (_, Answer::Swap { .. }) => -TOKEN,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Play,
        rules::Rules,
        view::tests::{FOE, table},
    };
    use fracas_kernel::{Game, Open};

    const HERO: Char = Char(0);
    const HERA: Char = Char(1);

    /// A Minor Clash in which this character is to act.
    fn turn_of(who: Char) -> (Rules, State) {
        let (rules, mut state) = table("");
        let side = state.body(who).side;
        let mut play = Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, side, "a brawl".parse().expect("a label"));
        let clash = state.clash.as_mut().expect("a Clash");
        clash.turn = Some(Turn { who, step: TurnStep::Main });
        state.body_mut(who).actions = 1;
        (rules, state)
    }

    /// A blow is about to fall on the hero.
    fn struck(change: impl FnOnce(&mut State)) -> (Rules, State) {
        let (rules, mut state) = turn_of(FOE);
        let blow = Blow { by: Some(FOE), on: HERO, amount: 1, symbols: None, counted: true, let_be: false };
        state.frames.push(Frame::Blow(blow));
        change(&mut state);
        (rules, state)
    }

    /// The answers that draw the one asked first most.
    fn best((rules, state): &(Rules, State)) -> Vec<Answer> {
        let Open::Asks(asks) = Clash::open(rules, state) else { panic!("nobody is asked") };
        let seat = asks[0].who.seats().iter().next().expect("a seat");
        let (mut listed, mut appeals) = (Vec::new(), Vec::new());
        Clash::legal(rules, state, Slot(0), &mut |answer| listed.push(answer));
        Clash::appeal(rules, state, (Slot(0), seat), &listed, &mut |appeal| appeals.push(appeal));
        assert_eq!(listed.len(), appeals.len());
        let most = *appeals.iter().max().expect("an answer");
        listed
            .into_iter()
            .zip(appeals)
            .filter(|&(_, appeal)| appeal == most)
            .map(|(answer, _)| answer)
            .collect()
    }

    #[test]
    fn who_is_nearly_beaten_is_attacked() {
        for near in [HERO, HERA] {
            let (rules, mut state) = turn_of(FOE);
            let body = state.body_mut(near);
            (body.major, body.minor) = (0, 0);
            let all = best(&(rules, state));
            let attacked = |answer: &Answer| matches!(answer, Answer::Attack { on, .. } if *on == near);
            assert!(all.iter().all(attacked), "{near:?}: {all:?}");
        }
    }

    #[test]
    fn the_best_symbol_attacks() {
        let (mut rules, state) = turn_of(HERO);
        rules.cast[0].personalities = [0, 0, 5, 0, 0];
        let all = best(&(rules, state));
        let strong = [Symbol::Thunder, Symbol::Heart];
        let attacks =
            |answer: &Answer| matches!(answer, Answer::Attack { with, .. } if strong.contains(with));
        assert!(!all.is_empty() && all.iter().all(attacks), "{all:?}");
    }

    #[test]
    fn the_director_attacks_where_the_defender_is_weak() {
        let (mut rules, mut state) = turn_of(FOE);
        (rules.cast[0].personalities, rules.cast[1].personalities) = ([0, 0, -8, 0, 0], [0; 5]);
        state.body_mut(HERA).lost = true;
        let all = best(&(rules, state));
        // Over Heart of the hero (`test::usual`).
        let weak = |answer: &Answer| {
            matches!(answer, Answer::Attack { with: Symbol::Thunder | Symbol::Star | Symbol::Heart, .. })
        };
        assert!(all.iter().all(weak), "{all:?}");
    }

    #[test]
    fn nobody_surrenders_while_will_points_are_left() {
        assert_eq!(best(&struck(|_| {})), [Answer::Take]);
    }

    #[test]
    fn a_major_will_point_is_given_for_the_clash() {
        let last = struck(|state| {
            let body = state.body_mut(HERO);
            (body.minor, body.major) = (0, 2);
        });
        assert_eq!(best(&last), [Answer::Convert]);
    }

    #[test]
    fn a_lost_clash_is_lost_alive() {
        let name = "an old quarrel".parse().expect("a label");
        for (held, chosen) in [(true, Answer::Surrender(HERO)), (false, Answer::Take)] {
            let last = struck(|state| {
                let body = state.body_mut(HERO);
                (body.minor, body.major) = (0, 0);
                let winners = CharSet::one(FOE);
                let grip = Grip { loser: HERO, winners, rank: Rank::Major, cause: name, aware: true };
                state.grips.extend(held.then_some(grip));
            });
            assert_eq!(best(&last), [chosen], "held: {held}");
        }
    }

    #[test]
    fn a_turn_without_an_action_ends() {
        for who in [HERO, FOE] {
            let (rules, mut state) = turn_of(who);
            state.body_mut(who).actions = 0;
            assert_eq!(best(&(rules, state)), [Answer::End]);
        }
    }

    #[test]
    fn a_card_is_laid_on_the_blow_that_wins() {
        let (rules, mut state) = turn_of(HERO);
        let card = state.elements_of(HERO).next().expect("a Trait");
        state.turn_card(card, Card::Ready);
        state.body_mut(FOE).hurt = BLOWS;
        let mut test = test::new(Kind::Attack, HERO, Target::Char(FOE), FOE, Symbol::Edge);
        test.step = Step::Aid;
        state.frames.push(Frame::Test(test));
        assert!(matches!(best(&(rules, state))[..], [Answer::Commit { .. }]));
    }
}
