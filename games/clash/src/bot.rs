//! What bots go by: how things stand for a seat, and what a fair player would not do for it.
//!
//! A Roll that is under way counts by its chance, for a bot looks ahead only a few answers. All is read as the
//! seat may know it.

use crate::{
    At, Clash,
    answer::{Answer, Prompt},
    dice,
    effect::Effect,
    stack,
    state::*,
    test, view,
    vocab::*,
};
use fracas_kernel::{Asking, Seat, Slot, Viewer};

/// A Will Point, and what else is counted by it.
const MAJOR: i32 = 100;
const MINOR: i32 = 80;
pub(crate) const LOST: i32 = 600;
pub(crate) const DEAD: i32 = 4000;
/// A Spell Slot or Skill Slot, kept for when it is needed: less than what a Spell that helps brings.
pub(crate) const SLOT: i32 = 6;
/// What a Roll that passed is worth by itself.
const DONE: i32 = 20;
/// What players do not know of the Director's characters: a value of theirs.
pub(crate) const GUESS: i16 = 2;
/// So many Clashes make an evening.
const EVENING: u16 = 2;

/// How things stand for a seat: its side against the other, with what is under way.
pub(crate) fn worth(at: At<'_>, seat: Seat) -> i32 {
    let viewer = Viewer::Seat(seat);
    let sign = |who: Char| if at.state.body(who).side == Side::Party { 1 } else { -1 };
    let seen = at.rules.everybody().filter(|&who| view::sees(at, who, viewer));
    let standing: i32 = seen.map(|who| sign(who) * stands(at, who, viewer)).sum();
    let under_way: i32 = at
        .state
        .frames
        .iter()
        .map(|frame| match frame {
            Frame::Test(test) => sign(test.attacker) * chances(at, test, viewer),
            Frame::Use(used) => sign(used.by) * promised(at, used),
            Frame::Blow(blow) => -sign(blow.on) * harm(at, blow.on, WHOLE * i32::from(blow.amount), viewer),
            _ => 0,
        })
        .sum();
    let learnt = 40 * at.state.learnt.count_ones() as i32;
    let made = at.state.made.iter().filter(|made| made.passed && made.scene == at.state.scene);
    let done: i32 = made.map(|made| DONE * sign(made.who)).sum();
    let party = standing + under_way + learnt + done;
    (if seat == Seat::Gm { -party } else { party }) + 30 * i32::from(at.state.over)
}

/// How a character stands.
fn stands(at: At<'_>, who: Char, viewer: Viewer) -> i32 {
    let body = at.state.body(who);
    let will = match view::knows_will(at, who, viewer) {
        true => i32::from(body.major) * MAJOR + i32::from(body.minor) * MINOR,
        false => -i32::from(body.hurt) * MAJOR,
    };
    let lie = |card: Card| {
        let known = at.state.elements_of(who).filter(|&element| view::knows_element(at, element, viewer));
        known.filter(|&element| at.state.card(who, element) == card).count() as i32
    };
    // One card is kept back for defence: the first that is ready counts for more.
    let (ready, turned) = (lie(Card::Ready), lie(Card::Exhausted));
    let cards = 10 * ready + 20 * ready.min(1) + 5 * turned;
    let unused = |element: Element| match element {
        Element::Trait(id) => !at.state.mark(id).used,
        Element::Item(id) => !at.state.items[id.index()].used,
        Element::Prop(_) => true,
    };
    let free = at.state.elements_of(who).filter(|&e| view::knows_element(at, e, viewer) && unused(e)).count();
    let tokens: i32 = body
        .tokens
        .iter()
        .map(|token| match token.kind {
            TokenKind::Weak | TokenKind::Vulnerable | TokenKind::Taunt => -30,
            _ => 30,
        })
        .sum();
    let altered: i32 = body
        .alterations
        .iter()
        .flatten()
        .map(|altered| match altered.to {
            Alteration::Eclipsed | Alteration::Obscured => -40,
            Alteration::Bright | Alteration::Exalted => 40,
        })
        .sum();
    let side = |who: Char| at.state.body(who).side;
    let pools = at.state.pools.iter().filter(|pool| pool.caster == who);
    let pools: i32 = pools
        .filter(|pool| crate::spell::knows_pool(at, pool, viewer))
        .map(|pool| {
            let serves = (side(pool.target) == side(who)) == (pool.of == Dice::Bonus);
            if serves { 6 * i32::from(pool.dice) } else { -30 }
        })
        .sum();
    // A Clash that was lost stays lost.
    let held = at.state.grips.iter().filter(|grip| grip.loser == who && view::sees_grip(at, grip, viewer));
    let lost = held.count() + usize::from(body.lost || (at.state.subdued.contains(&who) && !viewer.is_gm()));
    let slots = if view::reads(at, who, viewer) { SLOT * slots(at, who) } else { 0 };
    let controls = 20 * at.state.controlled_by(who).count() as i32;
    let acts = 30 * i32::from(body.actions);
    will + cards + 8 * free as i32 + tokens + altered + pools + slots + controls + acts
        - LOST * lost as i32
        - DEAD * i32::from(body.dead)
}

/// What a character can still cast.
fn slots(at: At<'_>, who: Char) -> i32 {
    let body = at.state.body(who);
    let of_items = at.state.items_of(who).flat_map(|item| at.state.items[item.index()].slots);
    of_items.chain(body.skill_slots).map(i32::from).sum()
}

/// Chances and Damage on average are counted in thousandths.
pub(crate) const WHOLE: i32 = 1_000;

/// What so much Damage, in thousandths, does to a character.
fn harm(at: At<'_>, who: Char, damage: i32, viewer: Viewer) -> i32 {
    let body = at.state.body(who);
    let minor = at.state.stakes() == Rank::Minor;
    let left = if minor { body.minor } else { body.major };
    let each = if minor { MINOR + MAJOR } else { MAJOR };
    match view::knows_will(at, who, viewer) {
        _ if damage <= 0 => 0,
        // It may be converted (`wp.convert`).
        true if left == 0 && minor && at.rules.is_pc(who) && body.major > 0 => MAJOR * 3 / 2,
        true if left == 0 && at.state.clash.is_some() => LOST,
        true => damage.min(WHOLE * i32::from(left)) * each / WHOLE,
        // The more somebody has taken, the nearer they are to losing.
        false => damage * each / WHOLE + if body.hurt >= 2 { LOST / 3 } else { 0 },
    }
}

/// The chance that one die reaches the Difficulty, and that the Roll passes, in thousandths.
pub(crate) fn chance(difficulty: i16, net: i8) -> (i32, i32) {
    let die = (i32::from(21 - difficulty) * 50).clamp(50, 950);
    let all = |one: i32| (0..dice::dice(net)).fold(WHOLE, |all, _| all * one / WHOLE);
    (die, if net < 0 { all(die) } else { WHOLE - all(WHOLE - die) })
}

/// The Difficulty, as a viewer knows it or guesses.
pub(crate) fn difficulty(at: At<'_>, test: &Test, viewer: Viewer) -> i16 {
    if viewer.is_gm() || (view::is_ruled(test) && view::knows_difficulty(at, viewer)) {
        return test::difficulty(at, test);
    }
    let value = |who: Char, symbol: Symbol, known: bool| match known && view::reads(at, who, viewer) {
        true => at.state.value(at.rules, who, symbol),
        false => GUESS,
    };
    let ruled = view::is_ruled(test);
    let with = if test.step == Step::AllowDodge { GUESS } else { value(test.attacker, test.with, true) };
    let over = match test.step {
        Step::AllowDodge => value(test.defender, test.with, true),
        _ => value(test.defender, test.over, ruled),
    };
    let base = at.rules.options.difficulty_base;
    match test.kind {
        Kind::Death => i16::from(at.rules.options.death_difficulty),
        Kind::Conflict => dice::temptation(with, over),
        _ if test.step == Step::AllowDodge => dice::difficulty(base, over, with),
        _ => dice::difficulty(base, with, over),
    }
}

/// What a Roll that has not been read promises the side of its Attacker.
fn chances(at: At<'_>, test: &Test, viewer: Viewer) -> i32 {
    let net = test::net(at, test);
    let (die, mut pass) = chance(difficulty(at, test, viewer), net);
    if let Some(came) = test.came {
        pass = WHOLE * i32::from(came.passed);
    }
    let asks_dodge = test.step == Step::AllowDodge;
    // After a Dodge the one who acted defends.
    let (kind, victim) = match test.dodged {
        Some((kind, ..)) if asks_dodge => (kind, test.defender),
        Some((kind, ..)) => (kind, test.attacker),
        None => (test.kind, test.defender),
    };
    let works = if test.dodged.is_some() { WHOLE - pass } else { pass };
    let potential = match view::reads(at, test.attacker, viewer) {
        true => test::potential(at, test, viewer),
        false => test::spell_dice(at, test).max(test.mods.potential),
    };
    let dealt = match kind {
        Kind::Attack | Kind::Opening if test.dodged.is_none() && potential > 1 => {
            (die * i32::from(dice::dice(net))).clamp(WHOLE, WHOLE * i32::from(potential))
        }
        Kind::Attack | Kind::Opening => WHOLE,
        _ => 0,
    } + WHOLE * i32::from(test.dodged.is_some());
    let added = test.mods.damage.iter().fold(dealt, |dealt, effect| match *effect {
        Effect::AddDamage(n) if dealt > 0 => dealt + WHOLE * i32::from(n),
        Effect::MultiplyDamage(n) => dealt.saturating_mul(n.into()).min(100 * WHOLE),
        _ => dealt,
    });
    let early = at.state.clash.as_ref().is_some_and(|clash| clash.round == 1);
    let fresh = !at
        .rules
        .every_secret()
        .any(|secret| at.rules.secret(secret).of == test.target && at.state.learnt >> secret.0 & 1 != 0);
    let gain = match kind {
        // Players learn what there is to know before they fight on.
        Kind::Study | Kind::Investigate if at.rules.is_pc(test.attacker) => {
            if early && fresh {
                110
            } else {
                30
            }
        }
        Kind::Control => 50,
        Kind::PushOff => 40,
        Kind::Free | Kind::Generic => DONE,
        _ => 0,
    };
    let value = match kind {
        Kind::Death => -DEAD * (WHOLE - pass) / WHOLE,
        Kind::Conflict => 60 * (WHOLE - pass) / WHOLE,
        _ => works * (gain + harm(at, victim, added.max(0), viewer)) / WHOLE,
    };
    // Of a Dodge the Attacker is the one who Dodges.
    let swapped = test.dodged.is_some() && !asks_dodge;
    if swapped { -value } else { value }
}

/// What an ability on the Stack promises its user.
fn promised(at: At<'_>, used: &Use) -> i32 {
    let on = stack::subject(at, used.by, used.ability, used.on);
    let friend = at.state.body(on).side == at.state.body(used.by).side;
    let good = |effect: &Effect| match *effect {
        Effect::DealDamage(n) => -MAJOR * i32::from(n),
        Effect::RestoreMajor(n) | Effect::RestoreMinor(n) => MINOR * i32::from(n),
        Effect::GainAction => 60,
        Effect::AddMd(_) | Effect::Exhaust | Effect::LoseControl => -20,
        Effect::Alter { to: Alteration::Eclipsed | Alteration::Obscured, .. } => -40,
        Effect::GiveToken { kind: TokenKind::Weak | TokenKind::Vulnerable, .. } => -30,
        Effect::RevealSecret if !friend => -40,
        Effect::SetPotential(_) | Effect::AddDamage(_) | Effect::MultiplyDamage(_) => 0,
        _ => 20,
    };
    let all: i32 = at.rules.ability(used.ability).effects.iter().map(good).sum();
    if friend { all } else { -all }
}

/// What holds a fair player back: nobody gives up what is not lost, and the Director lets play be.
pub(crate) fn restraint(at: At<'_>, slot: Slot, answer: Answer) -> i32 {
    held_back(at, Clash::ask_at(at, slot).map(|ask| ask.prompt), answer)
}

/// The same of an ask with this prompt.
pub(crate) fn held_back(at: At<'_>, prompt: Option<Prompt>, answer: Answer) -> i32 {
    match (prompt, answer) {
        // To step in is nobody's duty: looked at from before, Surrender there is as good as to do nothing.
        (Some(Prompt::Aside), Answer::Surrender(who)) => {
            let (seat, mut then) = (at.rules.sheet(who).seat, at.state.clone());
            then.body_mut(who).lost = true;
            worth(At { rules: at.rules, state: &then }, seat) - worth(at, seat)
        }
        (_, Answer::Surrender(who)) => must_lose(at, who),
        (Some(Prompt::Desk), answer) => at_the_desk(at, answer),
        (Some(Prompt::Rule(_)), answer) => of_ruling(at, answer),
        (_, Answer::EndClash | Answer::Close) => 20 * LOST,
        (_, Answer::Grant { mark, item, idea, help, hinder, malus, bears, .. }) => {
            let Some(test) = at.state.top_test() else { return 0 };
            let refused = u8::from(test.aids.mark.is_some() && !mark)
                + u8::from(test.aids.item.is_some() && !item)
                + u8::from(test.idea.is_some() && idea == 0);
            let meddles = !help.is_empty() || !hinder.is_empty() || malus > 0 || !bears.is_empty();
            200 * i32::from(refused) + 150 * i32::from(meddles) + 20 * i32::from(idea > 1)
        }
        (_, Answer::Allow { over, .. }) => {
            let likely = at.state.top_test().is_none_or(|test| test.over == over);
            if likely { 0 } else { 80 }
        }
        // Players' Dodges are allowed.
        (Some(Prompt::Allow(who)), Answer::Refuse) if at.rules.is_pc(who) => 2 * LOST,
        (_, Answer::Refuse) => 120,
        (_, Answer::Subdue { aware: false, .. }) => 50,
        (_, Answer::NoMatch) => 100,
        (Some(Prompt::Carry(_)), Answer::Begin { .. }) => 30,
        // It changes nothing, and would go on for ever.
        (_, Answer::Narrate(_)) => 100 * LOST,
        // Nobody risks death lightly.
        (
            _,
            Answer::Try { resist: true, .. }
            | Answer::Attack { resist: true, .. }
            | Answer::Generic { resist: true, .. },
        ) => DEAD,
        // The Director keeps the Dodges of theirs for what is dangerous.
        (Some(Prompt::Dodge(who)), Answer::Dodge(_)) => {
            if at.rules.is_pc(who) {
                20
            } else {
                100
            }
        }
        _ => 0,
    }
}

/// Nobody Surrenders but who would lose to this very blow, or risk death by it.
fn must_lose(at: At<'_>, who: Char) -> i32 {
    let Some(Frame::Blow(blow)) = at.state.frames.last() else { return 10 * LOST };
    let body = at.state.body(who);
    let left = if at.state.stakes() == Rank::Minor { body.minor } else { body.major };
    if blow.on == who && left == 0 { 5 } else { 10 * LOST }
}

/// The Director has a Clash or two in an evening, and a Rest where people need one.
fn at_the_desk(at: At<'_>, answer: Answer) -> i32 {
    let full = at.state.clashes >= EVENING;
    let alive = |side: Side| {
        at.rules.everybody().any(|who| {
            at.state.is_about(who)
                && at.state.body(who).side == side
                && at.rules.sheet(who).turns > 0
                && !at.state.grips.iter().any(|grip| grip.loser == who)
        })
    };
    // All who lost must let the conflict be (`sub.no-reopen`).
    let over = full || !alive(Side::Party) || !alive(Side::Foes);
    match answer {
        Answer::Close => {
            if over {
                0
            } else {
                20 * LOST
            }
        }
        _ if over => 10 * LOST,
        Answer::Begin { .. } => 0,
        Answer::Try { opens: Some(_), .. } => 60,
        Answer::Rest => {
            let hurt = |who: Char| at.state.body(who).major < at.rules.sheet(who).major;
            if at.rules.everybody().any(|who| at.rules.is_pc(who) && hurt(who)) { 400 } else { LOST }
        }
        Answer::Peril { .. } => 20 * LOST,
        _ => LOST,
    }
}

/// The Director rules as before, and lets Rolls decide.
fn of_ruling(at: At<'_>, answer: Answer) -> i32 {
    let Some(test) = at.state.top_test() else { return 0 };
    match answer {
        Answer::Settle { with, over, harmless, bonus, defender, opens, let_be } => {
            let other = with != test.with || over != test::likely(at, test) || defender.is_some();
            // The second Roll of the evening against a foe opens the Clash.
            let side = |who: Char| at.state.body(who).side;
            let due = at.state.clashes == 0
                && !at.state.made.is_empty()
                && at.rules.is_pc(test.attacker)
                && side(test.attacker) != side(test.defender);
            let opening = match opens {
                None => 0,
                Some(Rank::Minor) if due => -300,
                Some(_) => 300,
            };
            let fair = if test.kind == Kind::Investigate { i32::from(bonus.abs_diff(1)) } else { 0 };
            // The machine lets nothing be but what opens a Clash: where it did so now and then, players would
            // know that it holds an answer.
            300 * i32::from(other)
                + LOST * i32::from(let_be && opens.is_none())
                + opening
                + LOST * i32::from(harmless)
                + 30 * fair
        }
        Answer::Same(n) => {
            let made = at.state.made.get(usize::from(n));
            let same = made.is_some_and(|made| {
                (made.against, made.with, Some(made.task)) == (test.defender, test.with, test.task)
            });
            if same { -LOST } else { 10 * LOST }
        }
        // What is done to oneself needs no Roll, and works.
        Answer::Passes if test.attacker == test.defender => 0,
        Answer::Passes | Answer::Fails => 2 * LOST,
        _ => 10 * LOST,
    }
}

/// Whether a fair player goes on although the Director has the floor: they have tried nothing in this Scene.
/// Reads only what everybody knows.
pub(crate) fn cuts_in(at: At<'_>, slot: Slot) -> bool {
    let Some(ask) = Clash::ask_at(at, slot) else { return false };
    let own = |who: Char| ask.who.seats().contains(at.rules.sheet(who).seat);
    let tried = |made: &Made| made.scene == at.state.scene && own(made.who);
    matches!(ask.prompt, Prompt::Act) && !at.state.made.iter().any(tried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Outcome, Play,
        rules::Rules,
        view::tests::{FOE, table},
    };
    use fracas_kernel::Game;

    const HERO: Char = Char(0);
    const GM: Viewer = Viewer::Seat(Seat::Gm);

    /// A Minor Clash of heroes against a foe.
    fn brawl(options: &str) -> (Rules, State) {
        let (rules, mut state) = table(options);
        let mut play = Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, Side::Party, "a brawl".parse().expect("a label"));
        (rules, state)
    }

    /// What the machine rules.
    fn ruled(rules: &Rules, state: &State) -> Option<Answer> {
        let mut listed = Vec::new();
        let at = At { rules, state };
        test::rule::legal(at, &mut |answer| listed.push(answer));
        listed.into_iter().min_by_key(|&answer| of_ruling(at, answer))
    }

    #[test]
    fn the_second_roll_against_a_foe_opens_the_clash() {
        let (rules, mut state) = table("");
        let try_it = Answer::Try {
            who: HERO,
            on: Target::Char(FOE),
            with: Symbol::Edge,
            task: "I shout".parse().expect("a label"),
            cast: None,
            resist: false,
            opens: None,
        };
        let opens = |answer| matches!(answer, Some(Answer::Settle { opens: Some(Rank::Minor), .. }));
        let mut play = Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::free::apply_try(&mut play, try_it);
        assert!(!opens(ruled(&rules, &state)), "the first does not");
        let over = Symbol::Edge;
        let scene = state.scene;
        state.made.push(Made {
            who: HERO,
            against: FOE,
            with: Symbol::Lips,
            over,
            task: "I whisper".parse().expect("a label"),
            passed: true,
            scene,
        });
        assert!(opens(ruled(&rules, &state)), "{:?}", ruled(&rules, &state));
    }

    #[test]
    fn an_investigation_gets_one_bonus_die() {
        let (rules, mut state) = brawl("");
        state.frames.push(Frame::Test(test::new(
            Kind::Investigate,
            HERO,
            Target::Char(FOE),
            FOE,
            Symbol::Edge,
        )));
        let ruled = ruled(&rules, &state);
        assert!(matches!(ruled, Some(Answer::Settle { bonus: 1, .. })), "{ruled:?}");
    }

    fn attack() -> Test {
        test::new(Kind::Attack, HERO, Target::Char(FOE), FOE, Symbol::Edge)
    }

    #[test]
    fn what_came_of_a_conflict_is_counted() {
        let (rules, since) = brawl("");
        let mut state = since.clone();
        for (who, major) in [(HERO, 2), (Char(1), 1), (FOE, 3)] {
            state.body_mut(who).major -= major;
        }
        (state.body_mut(HERO).lost, state.body_mut(Char(1)).lost) = (true, true);
        (state.body_mut(HERO).dead, state.learnt) = (true, 1);
        let outcome = Outcome { beaten: [2, 0], lost: [3, 3], dead: 1, learnt: 1 };
        assert_eq!(Clash::outcome(&rules, &state, &since), outcome);
        assert_eq!(Clash::outcome(&rules, &state, &state).beaten, [0, 0]);
    }

    #[test]
    fn chances_grow_with_dice_and_damage() {
        let (rules, state) = brawl("");
        let at = At { rules: &rules, state: &state };
        let worth = |change: &dyn Fn(&mut Test)| {
            let mut test = attack();
            change(&mut test);
            chances(at, &test, GM)
        };
        let bare = worth(&|_| {});
        assert!(bare > 0, "{bare}");
        assert!(worth(&|test| test.bd = 2) > bare);
        assert!(worth(&|test| test.md = 2) < bare);
        let twice = worth(&|test| test.mods.damage.push(Effect::MultiplyDamage(2)));
        let more = worth(&|test| test.mods.damage.push(Effect::AddDamage(1)));
        assert!((bare * 2 - 1..=bare * 2 + 1).contains(&twice), "{bare} {twice}");
        assert_eq!(more, twice, "one Damage, or one more");
        // With one die, Potential Damage of 3 counts one Success Die at most; with more dice more.
        let deadly = |dice| {
            worth(&|test| {
                test.mods.potential = 3;
                test.bd = dice;
            })
        };
        assert!(deadly(2) > deadly(0) && deadly(2) > worth(&|test| test.bd = 2));
        let dodged = worth(&|test| test.dodged = Some((Kind::Attack, Symbol::Edge, Symbol::Edge)));
        assert!(dodged != bare);
    }

    #[test]
    fn more_dice_and_more_damage_count_for_more() {
        let (rules, state) = brawl("");
        let (die, whole) = chance(11, 0);
        assert_eq!((die, whole), (500, 500));
        assert_eq!(chance(11, 1), (500, 750));
        assert_eq!(chance(11, -1), (500, 250));
        assert_eq!(chance(2, 0).0, 950);
        assert_eq!(chance(25, 0).0, 50);
        let at = At { rules: &rules, state: &state };
        assert!(harm(at, HERO, WHOLE, GM) > 0 && harm(at, HERO, 0, GM) == 0);
        assert!(harm(at, HERO, 2 * WHOLE, GM) > harm(at, HERO, WHOLE, GM));
    }

    #[test]
    fn an_ability_promises_what_its_effects_do_to_friend_or_foe() {
        let (mut rules, state) = brawl("");
        let secret = Effect::RevealSecret;
        let weak = Effect::GiveToken {
            kind: TokenKind::Weak,
            persistent: false,
            ephemeral: false,
            countless: false,
        };
        for (effect, on_friend, on_foe) in [
            (Effect::DealDamage(2), -2 * MAJOR, 2 * MAJOR),
            (Effect::RestoreMinor(1), MINOR, -MINOR),
            (Effect::AddBd(1), 20, -20),
            (Effect::AddMd(1), -20, 20),
            (weak, -30, 30),
            (secret, 20, 40),
            // These count in the Roll that they change.
            (Effect::AddDamage(2), 0, 0),
            (Effect::MultiplyDamage(2), 0, 0),
            (Effect::SetPotential(3), 0, 0),
        ] {
            rules.abilities[0].effects = [effect].into_iter().collect();
            let promises = |on: Char| {
                let used = Use { ability: Ability(0), by: HERO, on: Some(Target::Char(on)) };
                promised(At { rules: &rules, state: &state }, &used)
            };
            assert_eq!((promises(Char(1)), promises(FOE)), (on_friend, on_foe), "{effect:?}");
        }
    }
}
