//! One Roll, from the Director's ruling to its outcome (`roll.order`, `roll-slots`).

use crate::{
    At, Play,
    answer::{Answer, Casting},
    clash,
    dice::{self, Came, Critical},
    effect::Effect,
    event::Event,
    free, harm, prop,
    rules::HelpInClash,
    rules::{PropOnce, Repeat, Surprise},
    spell, stack,
    state::*,
    study, view,
    vocab::*,
};
use fracas_kernel::{Label, Objections, Saying, Seat, Sink, Told, Viewer, takes};
use std::fmt::Write;

/// A Roll that is being built.
pub(crate) fn new(kind: Kind, attacker: Char, target: Target, defender: Char, with: Symbol) -> Test {
    Test {
        kind,
        step: Step::Rule,
        attacker,
        defender,
        with,
        over: usual(with),
        target,
        task: None,
        from: None,
        cast: None,
        dodged: None,
        aids: Aids::default(),
        idea: None,
        against: Aids::default(),
        pool: 0,
        bears: Few::default(),
        stood: false,
        let_be: false,
        granted: false,
        bonus: 0,
        helpers: CharSet::NONE,
        hinderers: CharSet::NONE,
        bd: 0,
        md: 0,
        offered: 0,
        took: false,
        mods: Mods::default(),
        resists: false,
        stakes: Rank::Minor,
        resisted: None,
        came: None,
        rolled: false,
    }
}

/// The Symbol that usually defends against another, where nothing was ruled before.
pub(crate) const fn usual(with: Symbol) -> Symbol {
    match with {
        Symbol::Lantern | Symbol::Edge => Symbol::Thorn,
        Symbol::Clock | Symbol::Key => Symbol::Clock,
        Symbol::Lips | Symbol::Thorn | Symbol::Chaos => Symbol::Lantern,
        Symbol::Thunder | Symbol::Star => Symbol::Heart,
        Symbol::Heart => Symbol::Thunder,
    }
}

/// The Symbol that the Director will most likely name: the last one against this Defender, else the usual one.
pub(crate) fn likely(at: At<'_>, test: &Test) -> Symbol {
    let ruled = habitual(at, test.defender, test.kind, test.with);
    ruled.or_else(|| prop::usual_control(at, test)).unwrap_or(usual(test.with))
}

/// The Symbol that the Director named last for such a Roll.
pub(crate) fn habitual(at: At<'_>, defender: Char, kind: Kind, with: Symbol) -> Option<Symbol> {
    let same = |habit: &&Habit| habit.of == defender && habit.kind == kind && habit.with == with;
    at.state.habits.iter().rev().find(same).map(|habit| habit.over)
}

/// The Difficulty (`roll.difficulty`, `conflict.difficulty`, `death.difficulty`).
pub(crate) fn difficulty(at: At<'_>, test: &Test) -> i16 {
    let attacking = at.state.value(at.rules, test.attacker, test.with);
    let defending = at.state.value(at.rules, test.defender, test.over);
    match test.kind {
        Kind::Death => i16::from(at.rules.options.death_difficulty),
        Kind::Conflict => dice::temptation(attacking, defending),
        _ => dice::difficulty(at.rules.options.difficulty_base, attacking, defending),
    }
}

/// The dice that the Spell gives its caster's Roll (`spell.bd`): none to somebody who Dodges it.
pub(crate) fn spell_dice(at: At<'_>, test: &Test) -> u8 {
    match test.cast {
        Some(cast) if test.dodged.is_none() => {
            let spell = at.rules.spell(cast.spell);
            spell.level + u8::from(spell.symbol == test.with)
        }
        _ => 0,
    }
}

/// Who knows of everything.
const ALL: Viewer = Viewer::Seat(Seat::Gm);

/// Effects that change every Roll of the roller while they last, as far as a viewer knows of them.
pub(crate) fn lasting(at: At<'_>, who: Char, viewer: Viewer) -> impl Iterator<Item = Effect> + '_ {
    let live = at.state.live.iter().filter(move |live| live.on == who).map(|live| live.effect);
    live.chain(stack::statics(at, who, viewer)).filter(|effect| effect.is_on_roll())
}

/// Bonus Dice and Malus Dice in all, as far as a viewer knows.
fn both(at: At<'_>, test: &Test, viewer: Viewer) -> (u8, u8) {
    let (mut bd, mut md) = (test.bd + test.mods.bd, test.md + test.mods.md);
    bd += spell_dice(at, test) + test.helpers.iter().count() as u8;
    md += test.hinderers.iter().count() as u8;
    if test.dodged.is_none() {
        bd += test.bonus + u8::from(test.kind == Kind::Opening);
        bd += u8::from(test.kind == Kind::Control && prop::has_ally(at, test));
    }
    md += if test.took { test.offered } else { 0 };
    for effect in lasting(at, test.roller(), viewer) {
        match effect {
            Effect::AddBd(n) => bd += n,
            Effect::AddMd(n) => md += n,
            _ => {}
        }
    }
    (bd, md)
}

/// Bonus Dice less Malus Dice (`roll.cancel`).
pub(crate) fn net(at: At<'_>, test: &Test) -> i8 {
    net_known(at, test, ALL)
}

/// The same, as far as a viewer knows.
pub(crate) fn net_known(at: At<'_>, test: &Test, viewer: Viewer) -> i8 {
    let (bd, md) = both(at, test, viewer);
    (i16::from(bd) - i16::from(md)).clamp(-60, 60) as i8
}

/// Potential Damage, as far as a viewer knows: 0 where nothing gives any (`damage.potential`,
/// `potential-no-lower`).
pub(crate) fn potential(at: At<'_>, test: &Test, viewer: Viewer) -> u8 {
    let set = lasting(at, test.parties().0, viewer).filter_map(|effect| match effect {
        Effect::SetPotential(n) => Some(n),
        _ => None,
    });
    set.chain([test.mods.potential, spell_dice(at, test)]).max().unwrap_or(0)
}

/// The Damage of a passed Attack, with what changes it in the order of the Stack, as far as a viewer knows.
fn damage(at: At<'_>, test: &Test, actor: Char, successes: u8, viewer: Viewer) -> u8 {
    let base = dice::damage(at.rules.sheet(actor).base_damage, potential(at, test, viewer), successes);
    let mods = lasting(at, actor, viewer).chain(test.mods.damage.iter().copied());
    let all = mods.fold(i16::from(base), |damage, effect| match effect {
        Effect::AddDamage(n) => damage + i16::from(n),
        Effect::MultiplyDamage(n) => damage * i16::from(n),
        _ => damage,
    });
    all.clamp(0, 99) as u8
}

/// The Roll under way, to be changed.
pub(crate) fn top(state: &mut State) -> Option<&mut Test> {
    match state.frames.last_mut() {
        Some(Frame::Test(test)) => Some(test),
        _ => None,
    }
}

/// Whether the Roll is made under the rules of a Clash: the Roll that opens one is not (`start-roll-dice`).
fn in_clash(at: At<'_>) -> bool {
    at.state.clash.is_some()
}

/// Moves a Roll on from a step that asks nothing; false where it asks, or dice are due.
pub(crate) fn goes_on(play: &mut Play<'_, impl Sink<Event>>, step: Step) -> bool {
    let at = play.at();
    let Some(test) = at.state.top_test() else { return false };
    let (roller, opposer) = (test.roller(), test.opposer());
    let next = match step {
        Step::Rule | Step::AllowDodge | Step::Dice => return false,
        Step::Waits => {
            resume(play);
            return true;
        }
        Step::Dodge if may_dodge(at, test) => return false,
        Step::Dodge => Step::Aid,
        Step::Aid if may_aid(at, roller) => return false,
        Step::Aid => Step::Grant,
        Step::Grant if opposes_at_once(at, test) => Step::Oppose,
        Step::Grant if may_grant(at, test) && !grants_nothing(at, test) => return false,
        Step::Grant => Step::Spend,
        Step::Spend if spell::pool_to_spend(at, test).is_some() => return false,
        Step::Spend => Step::Oppose,
        Step::Oppose if in_clash(at) && each_ready(at, opposer).next().is_some() => return false,
        Step::Oppose => Step::Malus,
        Step::Malus if test.offered > 0 => return false,
        Step::Malus => {
            throw(play);
            return true;
        }
        Step::Lucky if at.state.tokens(roller, TokenKind::Lucky) > 0 => return false,
        Step::Lucky => Step::Carry,
        Step::Carry if spell::may_carry(at, test) => return false,
        Step::Carry => Step::Result,
        Step::Result => {
            if let Some(Frame::Test(test)) = play.state.frames.pop() {
                result(play, test);
            }
            return true;
        }
    };
    if let Some(test) = top(play.state) {
        test.step = next;
    }
    true
}

/// All is committed: the dice are due. What Tokens of the roller do to the Roll they do now (`ext.tokens`).
fn throw(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(roller) = play.state.top_test().map(Test::roller) else { return };
    harm::expend_made_up(play, roller, TokenMoment::Roll, Some(roller));
    let at = play.at();
    let Some(test) = at.state.test() else { return };
    let (with, against) = test.symbols();
    let event = Event::Rolls {
        who: roller,
        over: test.opposer(),
        with,
        against,
        difficulty: difficulty(at, test),
        net: net(at, test),
    };
    play.event(event);
    let tests = play.state.frames.iter_mut().rev().find_map(|frame| match frame {
        Frame::Test(test) => Some(test),
        _ => None,
    });
    if let Some(test) = tests {
        test.step = Step::Dice;
    }
}

/// An Action that waited comes up: it goes on if there is still somebody to act on (`stack.lifo`).
fn resume(play: &mut Play<'_, impl Sink<Event>>) {
    let at = play.at();
    let Some(test) = at.state.top_test() else { return };
    let who = test.attacker;
    // Who has lost the Clash resists a Subjugation outside the turn order (`beaten-out`).
    let resists = test.resists && !test.kind.is_action() && at.state.is_about(who);
    let is_off = !(resists || at.state.stands(who))
        || match test.kind {
            Kind::Attack => !at.state.stands(test.defender),
            Kind::Control | Kind::PushOff => !prop::can_go_on(at, test),
            _ => at.state.body(test.defender).dead,
        };
    if is_off {
        play.state.frames.pop();
        play.event(Event::Lapses { who });
    } else if let Some(test) = top(play.state) {
        test.step = if test.came.is_some() { Step::Result } else { Step::Dodge };
    }
}

/// Whether the Defender is asked about a Dodge.
fn may_dodge(at: At<'_>, test: &Test) -> bool {
    let body = at.state.body(test.defender);
    !matches!(test.kind, Kind::Conflict | Kind::Death)
        && test.dodged.is_none()
        && !test.stood
        && (!test.let_be || at.rules.is_pc(test.defender))
        && !body.dodged
        && !body.dead
        && body.here
        && !is_dazed(at, test.defender)
        && Symbol::ALL
            .iter()
            .any(|&symbol| at.state.alteration(test.defender, symbol) != Some(Alteration::Eclipsed))
}

/// Whether Surprise forbids Dodges and Reactions (`surprised-dodge`).
pub(crate) fn is_dazed(at: At<'_>, who: Char) -> bool {
    at.state.body(who).surprised && at.rules.options.surprised_dodge == Surprise::Strict
}

/// Whether the roller has anything to commit: outside a Clash a Prop can always be described.
fn may_aid(at: At<'_>, roller: Char) -> bool {
    if in_clash(at) {
        return each_ready(at, roller).next().is_some();
    }
    // What the Director's characters have is hidden, so they are always asked.
    !at.rules.is_pc(roller) || !at.state.used_props.is_full() || each_unused(at, roller).next().is_some()
}

/// The elements of a character that can be Exhausted for a Roll in a Clash (`exhaust.state`).
pub(crate) fn each_ready(at: At<'_>, who: Char) -> impl Iterator<Item = Element> + '_ {
    at.state.elements_of(who).filter(move |&element| can_aid(at, who, element))
}

/// Whether an element can give dice in a Clash.
pub(crate) fn can_aid(at: At<'_>, who: Char, element: Element) -> bool {
    let spent = match element {
        Element::Prop(prop) => {
            at.rules.options.clash_prop_once == PropOnce::OnceEver
                && at.state.used_clash_props & 1 << prop.0 != 0
        }
        Element::Trait(_) | Element::Item(_) => is_hostile(at, element),
    };
    at.state.card(who, element) == Card::Ready && !spent
}

/// Whether an element is a Spell Trait with Malus Dice.
fn is_hostile(at: At<'_>, element: Element) -> bool {
    matches!(element, Element::Trait(mark) if at.state.pool_of(mark).is_some_and(|pool| pool.of == Dice::Malus))
}

/// The Traits and Items that a character has not used for Improvisation in this Scene (`improv.scene-limit`).
fn each_unused(at: At<'_>, who: Char) -> impl Iterator<Item = Element> + '_ {
    at.state.elements_of(who).filter(move |&element| is_unused(at, element))
}

fn is_unused(at: At<'_>, element: Element) -> bool {
    match element {
        Element::Trait(mark) => !at.state.mark(mark).used && !is_hostile(at, element),
        Element::Item(item) => !at.state.items[item.index()].used,
        Element::Prop(_) => false,
    }
}

/// Whether the Director is asked what is granted: of a player's Roll always, for Malus Dice can be offered; of an
/// NPC's where something was brought in (`npc-improv`), or others of its side could help.
fn may_grant(at: At<'_>, test: &Test) -> bool {
    let side = |who: Char| at.state.body(who).side;
    let helps = !in_clash(at) || helps_in_clash(at);
    at.rules.is_pc(test.roller())
        || is_brought(at, test)
        || (helps && each_other(at, test).any(|who| side(who) == side(test.roller())))
}

/// Whether the Director must judge what was brought in (`improv.grant`).
fn is_brought(at: At<'_>, test: &Test) -> bool {
    !in_clash(at) && (test.idea.is_some() || test.aids.iter().next().is_some())
}

/// Whether the Director who let it be has nothing to judge, and so grants, counts and offers nothing.
fn grants_nothing(at: At<'_>, test: &Test) -> bool {
    test.let_be && !is_brought(at, test)
}

/// Whether the Director is asked once what is granted and what opposes the Roll (`roll-slots`): both are theirs to
/// say, and nobody is asked in between.
fn opposes_at_once(at: At<'_>, test: &Test) -> bool {
    in_clash(at)
        && may_grant(at, test)
        && !grants_nothing(at, test)
        && !at.rules.is_pc(test.opposer())
        && each_ready(at, test.opposer()).next().is_some()
        && spell::pool_to_spend(at, test).is_none()
}

/// Whether what opposes the Roll is asked together with what is granted.
pub(crate) fn grants_too(at: At<'_>, test: &Test) -> bool {
    test.step == Step::Oppose && !test.granted && opposes_at_once(at, test)
}

/// What the Director may still be asked about a Roll, unless they let it be: a Rapid effect of theirs where it goes on
/// the Stack, a Dodge of theirs, dice that they offer.
pub(crate) fn is_left(at: At<'_>, test: &Test, opens: Option<Rank>) -> [bool; 3] {
    let waits = in_clash(at) && test.kind != Kind::Death;
    let dodges = opens.is_none() && !at.rules.is_pc(test.defender) && may_dodge(at, test);
    [waits, dodges, test.kind != Kind::Death && at.rules.is_pc(test.attacker)]
}

/// Whether the Director may be asked about this Roll once more.
pub(crate) fn has_more(at: At<'_>, test: &Test, opens: Option<Rank>) -> bool {
    is_left(at, test, opens).contains(&true)
}

/// Whether the Director counts helpers in a Clash (`help-in-clash`).
fn helps_in_clash(at: At<'_>) -> bool {
    at.rules.options.help_in_clash == HelpInClash::DirectorCounts
}

/// Whether the Director may raise the 1 die of the Clash Prop that aids the Roll to 2 (`prop-size`).
fn may_raise(at: At<'_>, test: &Test) -> bool {
    test.aids.prop.is_some_and(|prop| at.state.dice_of(at.rules, Element::Prop(prop)) == 1)
}

/// The Spell Traits with Malus Dice on the roller.
fn each_bearing(at: At<'_>, test: &Test) -> Few<TraitId, 4> {
    let mut all = Few::default();
    let on = |pool: &&Pool| pool.target == test.roller() && pool.of == Dice::Malus;
    at.state.pools.iter().filter(on).for_each(|pool| {
        all.push(pool.mark);
    });
    all
}

/// Those who could help or hinder: they are there, and are neither roller nor opposer.
pub(crate) fn each_other<'a>(at: At<'a>, test: &'a Test) -> impl Iterator<Item = Char> + 'a {
    let (roller, opposer) = (test.roller(), test.opposer());
    at.rules.everybody().filter(move |&who| who != roller && who != opposer && at.state.is_about(who))
}

// ---- The Director rules.

pub(crate) mod rule {
    use super::*;

    pub(crate) fn told(at: At<'_>, viewer: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        let (who, target) = (Saying(test.attacker, at), Saying(test.target, at));
        let task = test.task.map_or(String::new(), crate::words::own_words);
        let by = crate::words::cast(at, test, viewer);
        Told::new(format!(
            "{who}, with {}{by}, {} {target}{task}. Which Symbols?",
            test.with.title(),
            crate::words::doing(test.kind)
        ))
        .why(clause!("roll.symbols-choice"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(test) = at.state.top_test() else { return };
        let let_be = has_more(at, test, None);
        let settle = |with, over, harmless, bonus| Answer::Settle {
            with,
            over,
            defender: None,
            harmless,
            bonus,
            opens: None,
            let_be,
        };
        let likely = likely(at, test);
        let overs =
            || std::iter::once(likely).chain(Symbol::ALL.iter().copied().filter(move |&s| s != likely));
        let bonuses = if test.kind == Kind::Investigate { 0..=2 } else { 0..=0 };
        // Rulings that differ in what follows are judged alike: one of them is judged for all.
        let stands = |answer| fracas_kernel::fine(|out| object(at, answer, out));
        if stands(settle(test.with, likely, false, 0)) {
            for over in overs() {
                for bonus in bonuses.clone() {
                    let settled = settle(test.with, over, false, bonus);
                    each(settled);
                    if let_be {
                        each(to_be_asked_again(settled));
                    }
                }
            }
            if test.kind == Kind::Attack {
                overs().for_each(|over| each(settle(test.with, over, true, 0)));
            }
        }
        let opening = |stakes| Answer::Settle {
            with: test.with,
            over: likely,
            defender: None,
            harmless: false,
            bonus: 0,
            opens: Some(stakes),
            let_be: has_more(at, test, Some(stakes)),
        };
        if test.kind == Kind::Free && stands(opening(Rank::Minor)) {
            Rank::ALL.iter().for_each(|&stakes| each(opening(stakes)));
        }
        if stands(Answer::Passes) {
            [Answer::Passes, Answer::Fails].into_iter().for_each(&mut *each);
        }
        let all = 0..(at.state.made.len() + at.rules.made.len()).min(255) as u8;
        all.rev().filter(|&n| came_before(at, test, n).is_some()).take(6).for_each(|n| each(Answer::Same(n)));
        let temptation =
            |core| Answer::Tempt { by: test.attacker, on: test.defender, with: test.with, over: core };
        let tempts = at.rules.sheet(test.defender).core.into_iter().flatten().map(temptation);
        let rest = tempts.chain([Answer::Forbid, Answer::Refuse]);
        rest.filter(|&answer| stands(answer)).for_each(each);
    }

    takes!(
        Answer,
        Answer::Settle { .. }
            | Answer::Passes
            | Answer::Fails
            | Answer::Same(_)
            | Answer::Tempt { .. }
            | Answer::Forbid
            | Answer::Refuse,
        clause!("roll.symbols-choice"),
        "expected a ruling: Symbols, an outcome without a Roll, or a refusal"
    );

    /// The same ruling of a Director who wants to be asked again.
    const fn to_be_asked_again(settled: Answer) -> Answer {
        match settled {
            Answer::Settle { with, over, defender, harmless, bonus, opens, .. } => {
                Answer::Settle { with, over, defender, harmless, bonus, opens, let_be: false }
            }
            other => other,
        }
    }

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(test) = at.state.top_test() else { return };
        match answer {
            Answer::Settle { with, defender, harmless, bonus, opens, .. } => {
                let chosen = !matches!(test.kind, Kind::Conflict | Kind::Death);
                if chosen && at.state.alteration(test.attacker, with) == Some(Alteration::Eclipsed) {
                    out.no(clause!("alteration.eclipsed-ban"), "that Symbol of theirs is Eclipsed");
                }
                let side = |who: Char| at.state.body(who).side;
                let against = defender.unwrap_or(test.defender);
                if against == test.attacker {
                    out.no(clause!("roll.parties"), "nobody Rolls against themselves");
                } else if (opens.is_some() || test.kind == Kind::Opening)
                    && side(against) == side(test.attacker)
                {
                    out.no(clause!("clash.what"), "a Clash has two sides, and these are of one");
                }
                if opens.is_some() && !matches!(test.kind, Kind::Free | Kind::Opening) {
                    out.no(clause!("start.roll"), "only a Roll outside a Clash opens one");
                } else if opens.is_some() || test.kind == Kind::Opening {
                    free::object_sides(at, out);
                }
                if defender.is_some() && !matches!(test.kind, Kind::Free | Kind::Generic | Kind::Opening) {
                    out.no(clause!("roll.environment-defender"), "this Roll has its Defender already");
                }
                if harmless && test.kind != Kind::Attack {
                    out.no(clause!("attack.must-push"), "only an Attack can turn out to be none");
                }
                if bonus > 2 || (bonus > 0 && test.kind != Kind::Investigate) {
                    out.no(
                        clause!("study.investigate"),
                        "an Investigation earns up to 2 Bonus Dice, nothing else does",
                    );
                }
            }
            Answer::Passes | Answer::Fails => {
                if matches!(test.kind, Kind::Attack | Kind::Conflict | Kind::Death | Kind::Opening) {
                    out.no(clause!("roll.when-director"), "this takes a Roll");
                }
            }
            Answer::Same(n) if came_before(at, test, n).is_none() => {
                out.no(clause!("roll.never-same"), "there is no earlier Roll of that number by them");
            }
            Answer::Tempt { by, on, over, .. } => {
                if (by, on) != (test.attacker, test.defender) || by == on {
                    out.no(clause!("roll.parties"), "the action is not theirs, or not on them");
                }
                if !matches!(test.kind, Kind::Free | Kind::Generic) || test.cast.is_some() {
                    out.no(clause!("conflict.purpose"), "that is no temptation");
                }
                if !at.rules.sheet(on).core.contains(&Some(over)) {
                    out.no(clause!("conflict.core-symbol"), "that is no Core Symbol of theirs");
                }
            }
            Answer::Forbid => {
                let held = at.state.grips.iter().any(|grip| grip.loser == test.attacker);
                let is_chosen = test.kind.is_action() || matches!(test.kind, Kind::Free | Kind::Opening);
                if !held || test.resists || !is_chosen {
                    out.no(clause!("sub.no-reopen"), "no Subjugation of theirs forbids it");
                }
            }
            Answer::Refuse => {
                if matches!(test.kind, Kind::Conflict | Kind::Death) {
                    out.no(clause!("core.atdd"), "this Roll must be made");
                }
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Settle { with, over, defender, harmless, bonus, opens, let_be } => {
                let Some(test) = top(play.state) else { return };
                (test.with, test.over, test.bonus) = (with, over, bonus);
                test.let_be = let_be;
                test.defender = defender.unwrap_or(test.defender);
                if harmless {
                    test.kind = Kind::Generic;
                }
                if let Some(stakes) = opens {
                    (test.kind, test.stakes) = (Kind::Opening, stakes);
                }
                if let Some(test) = play.state.top_test().filter(|test| test.kind == Kind::Control) {
                    let defender = prop::defender(play.at(), test);
                    if let Some(test) = top(play.state) {
                        test.defender = defender;
                    }
                }
                let Some(test) = top(play.state) else { return };
                let dying = (test.kind == Kind::Death).then_some(test.attacker);
                let habit = Habit { of: test.defender, kind: test.kind, with, over };
                keep_in_mind(play.state, habit);
                if let Some(who) = dying {
                    play.event(Event::DeathRoll { who });
                }
                ruled(play, Step::Dodge);
            }
            Answer::Passes | Answer::Fails => {
                let passes = answer == Answer::Passes;
                let Some(test) = play.state.top_test() else { return };
                play.event(Event::NoRoll { who: test.attacker, passes });
                without_dice(play, passes);
            }
            // It can be done again with no Roll, or cannot be done (`roll.permanent`).
            Answer::Same(n) => {
                let at = play.at();
                let Some(test) = at.state.top_test() else { return };
                let (who, passes) = (test.attacker, came_before(at, test, n) == Some(true));
                play.event(Event::Repeats { who, passes });
                if passes {
                    without_dice(play, true);
                } else {
                    withdraw(play);
                }
            }
            Answer::Tempt { with, over, .. } => {
                let Some(test) = top(play.state) else { return };
                (test.kind, test.with, test.over) = (Kind::Conflict, with, over);
                ruled(play, Step::Aid);
            }
            Answer::Forbid => {
                let who = withdraw(play);
                play.event(Event::Forbidden { who });
            }
            _ => {
                let who = withdraw(play);
                play.event(Event::NotGranted { who });
            }
        }
    }

    /// The action goes on from this step: in a Clash it waits on the Stack first (`stack-vs-roll`). A Spell is cast.
    fn ruled(play: &mut Play<'_, impl Sink<Event>>, next: Step) {
        let clash = play.state.clash.is_some();
        let Some(test) = top(play.state) else { return };
        let waits = clash && test.kind != Kind::Death;
        test.step = if waits { Step::Waits } else { next };
        let (who, on) = (test.attacker, test.defender);
        if let Some(cast) = test.cast {
            spell::spend_slot(play, who, cast);
            play.event(Event::Casts { who, spell: cast.spell, on });
        }
        if waits {
            stack::announced(play);
        }
    }

    /// The action works, or does not, with no Roll (`roll.when-director`).
    fn without_dice(play: &mut Play<'_, impl Sink<Event>>, passed: bool) {
        if let Some(test) = top(play.state) {
            test.came = Some(Came { passed, successes: u8::from(passed), critical: None, natural: false });
        }
        ruled(play, Step::Result);
    }

    /// The action does not happen: nothing is used up (`refused-use`).
    fn withdraw(play: &mut Play<'_, impl Sink<Event>>) -> Char {
        let Some(Frame::Test(test)) = play.state.frames.pop() else { return Char(0) };
        if play.state.clash.is_some() && test.kind.is_action() {
            play.state.body_mut(clash::payer(play.rules, test.attacker)).actions += 1;
        }
        test.attacker
    }

    fn keep_in_mind(state: &mut State, habit: Habit) {
        state.habits.retain(|old| (old.of, old.kind, old.with) != (habit.of, habit.kind, habit.with));
        if state.habits.is_full() {
            state.habits.remove(0);
        }
        state.habits.push(habit);
    }

    /// Whether an earlier Roll that this character may not make again passed. It was theirs, or in this Scene somebody's
    /// of their side (`group-repeat`). Rolls are counted from 0, those of earlier evenings last.
    fn came_before(at: At<'_>, test: &Test, n: u8) -> Option<bool> {
        let exempt = at.rules.options.never_same_clash == Repeat::Exempt
            && test.kind.is_action()
            && test.kind != Kind::Generic;
        if exempt || matches!(test.kind, Kind::Conflict | Kind::Death | Kind::Opening) {
            return None;
        }
        let (who, n) = (test.attacker, usize::from(n));
        let side = |who: Char| at.state.body(who).side;
        if let Some(made) = at.state.made.get(n) {
            let group = made.scene == at.state.scene && side(made.who) == side(who);
            return (made.who == who || group).then_some(made.passed);
        }
        let made = at.rules.made.get(n.checked_sub(at.state.made.len())?)?;
        (made.who == who).then_some(made.passed)
    }
}

// ---- A Dodge.

/// What a Roll that waits means for the other side: its Symbols, its terms, its Damage. Nothing where no Roll is
/// needed.
pub(crate) fn faced(at: At<'_>, test: &Test, viewer: Viewer) -> String {
    if !view::is_ruled(test) || (test.came.is_some() && !test.rolled) {
        return String::new();
    }
    let roll = format!("{}: {}", crate::words::symbols(test), crate::words::terms(at, test, viewer));
    match test.kind {
        Kind::Attack | Kind::Opening => format!("{roll}; {}", dealt(at, test, viewer)),
        _ => roll,
    }
}

/// The Damage of a pass, as far as a viewer knows the attacker.
fn dealt(at: At<'_>, test: &Test, viewer: Viewer) -> String {
    if !view::reads(at, test.attacker, viewer) {
        return match spell_dice(at, test).max(test.mods.potential) {
            0 | 1 => "a pass deals Damage".to_owned(),
            seen => format!("Potential Damage {seen}"),
        };
    }
    let most = potential(at, test, viewer).max(1);
    let [least, most] = [1, most].map(|dice| damage(at, test, test.attacker, dice, viewer));
    match least == most {
        true => format!("a pass deals {least} Damage"),
        false => format!("a pass deals {least} to {most} Damage, as it has Success Dice"),
    }
}

pub(crate) mod dodge {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        Told::new(format!(
            "{} {} {} with {}{}. Does {} stand, or Dodge?",
            Saying(test.attacker, at),
            crate::words::doing(test.kind),
            Saying(test.target, at),
            test.with.title(),
            crate::words::cast(at, test, viewer),
            Saying(who, at)
        ))
        .leads(faced(at, test, viewer))
        .why(clause!("dodge.declare"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        let usable = |symbol: &Symbol| !at.state.is_eclipsed(who, *symbol);
        Symbol::ALL.iter().copied().filter(usable).for_each(|symbol| each(Answer::Dodge(symbol)));
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Dodge(_),
        clause!("dodge.declare"),
        "expected to stand, or a Dodge"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Dodge(symbol) = answer
            && at.state.alteration(who, symbol) == Some(Alteration::Eclipsed)
        {
            out.no(clause!("alteration.eclipsed-ban"), "that Symbol of yours is Eclipsed");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(test) = top(play.state) else { return };
        match answer {
            Answer::Dodge(with) => {
                test.dodged = Some((test.kind, test.with, test.over));
                test.step = Step::AllowDodge;
                (test.over, test.with) = (test.with, with);
                play.event(Event::Dodges { who, with });
            }
            _ => {
                test.stood = true;
                test.step = Step::Aid;
            }
        }
    }
}

pub(crate) mod allow {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        Told::new(format!(
            "{} would Dodge {} with {}. Is it allowed, and with which Symbols?",
            Saying(test.defender, at),
            Saying(test.attacker, at),
            test.with.title()
        ))
        .why(clause!("dodge.allow"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(test) = at.state.top_test() else { return };
        let (with, likely) = (test.with, test.over);
        each(Answer::Allow { with, over: likely });
        for &over in Symbol::ALL.iter().filter(|&&over| over != likely) {
            each(Answer::Allow { with, over });
        }
        each(Answer::Refuse);
    }

    takes!(
        Answer,
        Answer::Allow { .. } | Answer::Refuse,
        clause!("dodge.allow"),
        "expected to allow the Dodge with two Symbols, or to refuse it"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(test) = at.state.top_test() else { return };
        if let Answer::Allow { with, .. } = answer
            && at.state.alteration(test.defender, with) == Some(Alteration::Eclipsed)
        {
            out.no(clause!("alteration.eclipsed-ban"), "that Symbol of theirs is Eclipsed");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Some(test) = top(play.state) else { return };
        let who = test.defender;
        let allowed = match answer {
            Answer::Allow { with, over } => {
                (test.with, test.over) = (with, over);
                (test.attacker, test.defender) = (test.defender, test.attacker);
                // What helped the Roll that is replaced is against this one (`dodge-timing`).
                (test.mods.bd, test.mods.md) = (test.mods.md, test.mods.bd);
                true
            }
            _ => {
                if let Some((_, with, over)) = test.dodged.take() {
                    (test.with, test.over) = (with, over);
                }
                test.stood = true;
                false
            }
        };
        test.step = Step::Aid;
        play.state.body_mut(who).dodged |= allowed;
        play.event(Event::DodgeRuled { who, allowed });
    }
}

// ---- Dice are committed.

/// The elements that can be committed to a Roll, or against it.
pub(crate) fn to_lay(at: At<'_>, who: Char) -> arrayvec::ArrayVec<Element, 48> {
    match in_clash(at) {
        true => each_ready(at, who).take(48).collect(),
        false => each_unused(at, who).take(48).collect(),
    }
}

/// Every choice of at most one Trait, one Item and one Clash Prop among these.
fn each_choice(elements: &[Element], each: &mut impl FnMut(Aids)) {
    let of = |kind: fn(&Element) -> bool| {
        std::iter::once(None).chain(elements.iter().copied().filter(kind).map(Some))
    };
    for a_trait in of(|element| matches!(element, Element::Trait(_))) {
        for item in of(|element| matches!(element, Element::Item(_))) {
            for prop in of(|element| matches!(element, Element::Prop(_))) {
                let mut aids = Aids::default();
                [a_trait, item, prop].into_iter().flatten().for_each(|element| aids.add(element));
                each(aids);
            }
        }
    }
}

pub(crate) fn committed(aids: Aids, idea: Option<Label>) -> Answer {
    let Aids { mark, item, prop } = aids;
    if mark.is_none() && item.is_none() && prop.is_none() && idea.is_none() {
        return Answer::Pass;
    }
    Answer::Commit { mark, item, prop, idea }
}

/// Exhausts what is committed in a Clash (`clash.exhaust-aid`), and says how many dice it gives. A Spell Trait
/// gives its dice when the caster has said how many (`persist.spend`).
fn exhaust(play: &mut Play<'_, impl Sink<Event>>, who: Char, aids: Aids, against: bool) -> u8 {
    let mut dice = 0;
    for element in aids.iter() {
        let is_spell = matches!(element, Element::Trait(mark) if play.state.mark(mark).spell);
        if against || !is_spell {
            dice += play.state.dice_of(play.rules, element);
        }
        play.state.turn_card(element, Card::Exhausted);
        if let Element::Prop(prop) = element {
            play.state.used_clash_props |= 1 << prop.0;
        }
        play.event(Event::Exhausts { who, element, against });
    }
    dice
}

pub(crate) mod aid {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        let odds = crate::words::difficulty(at, test, who);
        Told::new(format!(
            "{} rolls {} of {}{odds}. What aids the Roll?",
            Saying(who, at),
            crate::words::symbols(test),
            Saying(test.opposer(), at)
        ))
        .why(clause!("improv.offer"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let elements = to_lay(at, who);
        each_choice(&elements, &mut |aids| each(committed(aids, None)));
        if !in_clash(at)
            && at.rules.is_pc(who)
            && !at.state.used_props.is_full()
            && let Some(idea) = fresh(at)
        {
            each_choice(&elements, &mut |aids| each(committed(aids, Some(idea))));
        }
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Commit { .. },
        clause!("improv.offer"),
        "expected at most one Trait, one Item and one Prop"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        for element in answer.aids().iter() {
            if !at.state.owns(who, element) {
                match element {
                    Element::Prop(_) => {
                        out.no(clause!("prop.must-control"), "you do not Control that Clash Prop")
                    }
                    _ => out.no(clause!("clash.illegal"), "that is not yours"),
                }
            } else if is_hostile(at, element) {
                out.no(clause!("persist.spend"), "a Spell Trait with Malus Dice helps nobody");
            } else if in_clash(at) && !can_aid(at, who, element) {
                out.no(clause!("exhaust.state"), "that is not Active and ready");
            } else if !in_clash(at) && !is_unused(at, element) {
                out.no(clause!("improv.scene-limit"), "that has helped in this Scene already");
            }
        }
        if let Answer::Commit { idea: Some(idea), .. } = answer {
            if in_clash(at) {
                out.no(clause!("prop.must-control"), "in a Clash only a Clash Prop that you Control helps");
            } else if at.state.used_props.is_full() {
                out.no(clause!("improv.prop-once"), "no more Props can be kept in mind this evening");
            } else if is_used(at, idea) {
                out.no(clause!("improv.prop-once"), "that very Prop has been used before");
            } else if is_element(at, idea) {
                out.no(clause!("prop.what"), "that is a Trait or an Item, and so no Prop");
            }
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let aids = answer.aids();
        if play.state.clash.is_some() {
            let dice = exhaust(play, who, aids, false);
            let Some(test) = top(play.state) else { return };
            test.bd += dice;
            (test.aids, test.step) = (aids, Step::Grant);
            return;
        }
        for element in aids.iter() {
            play.event(Event::Commits { who, element });
        }
        let idea = match answer {
            Answer::Commit { idea, .. } => idea,
            _ => None,
        };
        if let Some(idea) = idea {
            play.event(Event::Describes { who, idea });
        }
        let Some(test) = top(play.state) else { return };
        (test.aids, test.idea, test.step) = (aids, idea, Step::Grant);
    }

    /// Words for a Prop that was not used before, for a list to propose.
    fn fresh(at: At<'_>) -> Option<Label> {
        const WORDS: &str = crate::words::PROP;
        let number = |used: &str| used.strip_prefix(WORDS)?.strip_suffix(')')?.parse::<u8>().ok();
        let [now, before] = [
            at.state.used_props.iter().filter_map(|used| number(used)).max(),
            at.rules.used_props.iter().filter_map(|used| number(used)).max(),
        ];
        let last = u16::from(now.max(before).unwrap_or(0));
        (last + 1..).take(MAX_USED).find_map(|n| {
            let mut words = arrayvec::ArrayString::<{ Label::MOST }>::new();
            write!(words, "{WORDS}{n})").ok()?;
            words.parse().ok().filter(|&idea| !is_used(at, idea) && !is_element(at, idea))
        })
    }

    /// Whether a Trait or an Item of a player's character is called so: those are known to all.
    fn is_element(at: At<'_>, idea: Label) -> bool {
        let is_called_so = |element: Element| match element {
            Element::Trait(mark) => at.state.trait_name(at.rules, mark).eq_ignore_ascii_case(&idea),
            Element::Item(item) => at.rules.item(item).name.eq_ignore_ascii_case(&idea),
            Element::Prop(_) => false,
        };
        let is_pcs = |owner: Option<Char>| owner.is_some_and(|who| at.rules.is_pc(who));
        let mut traits = (0..).zip(&at.state.traits).filter(|(_, mark)| is_pcs(mark.owner));
        let mut items = (0..).zip(&at.state.items).filter(|(_, item)| is_pcs(item.owner));
        traits.any(|(n, _)| is_called_so(Element::Trait(TraitId(n))))
            || items.any(|(n, _)| is_called_so(Element::Item(Item(n))))
    }

    /// Whether a Prop of these very words was used before (`improv.prop-once`).
    fn is_used(at: At<'_>, idea: Label) -> bool {
        let same = |other: &str| other.eq_ignore_ascii_case(&idea);
        at.state.used_props.iter().any(|used| same(used)) || at.rules.used_props.iter().any(|used| same(used))
    }
}

pub(crate) mod oppose {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        let besides = if grants_too(at, test) { " Or what do you offer or grant first?" } else { "" };
        let (with, over) = test.symbols();
        Told::new(format!(
            "{} rolls {} over your {}{}. What does {} Exhaust against it?{besides}",
            Saying(test.roller(), at),
            with.title(),
            over.title(),
            crate::words::difficulty(at, test, who),
            Saying(who, at)
        ))
        .leads(match test.let_be && !at.rules.is_pc(who) {
            true => format!("You let it be, and are asked because {} has something ready.", Saying(who, at)),
            false => String::new(),
        })
        .why(clause!("clash.defend-choice"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each_choice(&to_lay(at, who), &mut |aids| each(committed(aids, None)));
        if at.state.top_test().is_some_and(|test| grants_too(at, test)) {
            grant::each_grant(at, &mut |answer| {
                if !grant::is_nothing(answer) {
                    each(answer);
                }
            });
        }
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Commit { idea: None, .. } | Answer::Grant { .. },
        clause!("clash.defend-exhaust"),
        "expected at most one Trait, one Item and one Clash Prop"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Grant { .. } = answer {
            match at.state.top_test().is_some_and(|test| grants_too(at, test)) {
                true => grant::object(at, answer, out),
                false => out.no(clause!("roll-slots"), "there is nothing to grant now"),
            }
            return;
        }
        aid::object(at, who, answer, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if let Answer::Grant { .. } = answer {
            return grant::apply(play, answer);
        }
        let aids = answer.aids();
        let dice = exhaust(play, who, aids, true);
        let Some(test) = top(play.state) else { return };
        test.md += dice;
        (test.against, test.step) = (aids, Step::Malus);
    }
}

pub(crate) mod grant {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(test) = at.state.top_test() else { return Told::default() };
        let mut wants = Vec::new();
        wants.extend(test.aids.iter().map(|element| Saying(element, at).to_string()));
        wants.extend(test.idea.map(|idea| format!("a Prop, {idea}")));
        if wants.is_empty() || in_clash(at) {
            return Told::new(format!("{} rolls. What do you offer or count?", Saying(test.roller(), at)))
                .why(clause!("improv.malus-offer"));
        }
        let wants = wants.join(", ");
        Told::new(format!("{} brings in {wants}. What do you grant?", Saying(test.roller(), at)))
            .why(clause!("improv.grant"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        each_grant(at, each);
    }

    /// Whether nothing is granted, counted or offered.
    pub(super) fn is_nothing(answer: Answer) -> bool {
        matches!(answer, Answer::Grant { mark: false, item: false, idea: 0, help, hinder, malus: 0, bears, .. }
            if help.or(hinder).is_empty() && bears.is_empty())
    }

    pub(super) fn each_grant(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(test) = at.state.top_test() else { return };
        let on = |is: bool| if is { 0..=1u8 } else { 0..=0 };
        let (mark, item) =
            (!in_clash(at) && test.aids.mark.is_some(), !in_clash(at) && test.aids.item.is_some());
        let (marks, items) = (on(mark), on(item));
        let ideas: &[u8] = match test.idea {
            Some(_) => &[1, 2, 0],
            None if may_raise(at, test) => &[0, 2],
            None => &[0],
        };
        let nobody = CharSet::NONE;
        let friends: CharSet = each_other(at, test)
            .filter(|&who| at.state.body(who).side == at.state.body(test.roller()).side)
            .collect();
        let mut helps = arrayvec::ArrayVec::<(CharSet, CharSet), 24>::new();
        helps.push((nobody, nobody));
        if friends.iter().count() > 1 {
            helps.push((friends, nobody));
        }
        for one in friends.iter().take(8) {
            helps.push((CharSet::one(one), nobody));
            helps.push((nobody, CharSet::one(one)));
        }
        let bears: Few<TraitId, 4> = if in_clash(at) { Few::default() } else { each_bearing(at, test) };
        let grant = |mark, item, idea, (help, hinder), malus| Answer::Grant {
            mark,
            item,
            idea,
            help,
            hinder,
            malus,
            by: Few::default(),
            bears,
        };
        for mark in marks.rev() {
            for item in items.clone().rev() {
                for &idea in ideas {
                    each(grant(mark == 1, item == 1, idea, helps[0], 0));
                }
            }
        }
        if !in_clash(at) || helps_in_clash(at) {
            helps.iter().skip(1).for_each(|&help| each(grant(mark, item, ideas[0], help, 0)));
        }
        if at.rules.is_pc(test.roller()) {
            (1..=2).for_each(|malus| each(grant(mark, item, ideas[0], helps[0], malus)));
        }
    }

    takes!(Answer, Answer::Grant { .. }, clause!("improv.grant"), "expected what is granted");

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(test) = at.state.top_test() else { return };
        let Answer::Grant { mark, item, idea, help, hinder, malus, by, bears } = answer else { return };
        let raises = idea == 2 && may_raise(at, test);
        if in_clash(at) && (mark || item || (idea > 0 && !raises) || !bears.is_empty()) {
            out.no(clause!("clash.no-fit-needed"), "in a Clash the dice of elements need no grant");
        }
        let brought = (test.aids.mark.is_some(), test.aids.item.is_some(), test.idea.is_some() || raises);
        if (mark && !brought.0) || (item && !brought.1) || (idea > 0 && !brought.2) {
            out.no(clause!("improv.grant"), "that was not brought in");
        }
        if idea > 2 {
            out.no(clause!("improv.prop-dice"), "a Prop gives 1 or 2 dice");
        }
        let others: CharSet = each_other(at, test).collect();
        if !help.minus(others).is_empty() || !hinder.minus(others).is_empty() {
            out.no(clause!("group.help"), "only others who are there help or hinder");
        }
        if !help.and(hinder).is_empty() {
            out.no(clause!("group.help"), "nobody both helps and hinders");
        }
        if in_clash(at) && !helps_in_clash(at) && !help.or(hinder).is_empty() {
            out.no(clause!("help-in-clash"), "in a Clash nobody else helps or hinders");
        }
        let dice: u8 = by.iter().map(|element| at.state.dice_of(at.rules, element)).sum();
        if malus < dice || (!by.is_empty() && malus > dice + 2) {
            out.no(clause!("improv.malus-offer"), "as many Malus Dice as it would give Bonus Dice");
        }
        if by.iter().any(|element| test.aids.iter().any(|aid| aid == element)) {
            out.no(clause!("malus-use"), "what helps a Roll does not hinder it too");
        }
        let there = each_bearing(at, test);
        if bears.iter().any(|mark| !there.has(mark)) {
            out.no(
                clause!("persist.spend"),
                "no Persistent Spell with Malus Dice lies on them by that Trait",
            );
        }
        if malus > 5 {
            out.no(clause!("improv.malus-offer"), "Scene Elements give at most 5 dice");
        }
        if malus > 0 && !at.rules.is_pc(test.roller()) {
            out.no(clause!("improv.malus-offer"), "Malus Dice are offered to players' characters only");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Answer::Grant { mark, item, idea, help, hinder, malus, bears, .. } = answer else { return };
        let Some(test) = play.state.top_test() else { return };
        let (who, aids, prop) = (test.roller(), test.aids, test.idea);
        let brought = play.state.clash.is_none() && (prop.is_some() || aids.iter().next().is_some());
        // A Clash Prop has given 1 die already.
        let raises = idea == 2 && may_raise(play.at(), test);
        let mut dice = u8::from(raises);
        if mark && let Some(id) = aids.mark {
            // A Spell Trait gives its dice when its caster has said how many (`persist.spend`).
            if !play.state.mark(id).spell {
                dice += play.state.dice_of(play.rules, Element::Trait(id));
            }
            play.state.traits[id.index()].used = true;
        }
        if item && let Some(id) = aids.item {
            dice += 1;
            play.state.items[id.index()].used = true;
        }
        if idea > 0
            && let Some(prop) = prop
        {
            dice += idea;
            let _ = play.state.used_props.try_push(prop);
        }
        if let Some(test) = top(play.state) {
            test.bd += dice;
            (test.helpers, test.hinderers, test.offered) = (help, hinder, malus);
            (test.bears, test.granted, test.step) = (bears, true, Step::Spend);
            if brought && !mark {
                test.aids.mark = None;
            }
        }
        match (brought || raises, dice) {
            (true, 0) if !mark => play.event(Event::NotGranted { who }),
            (true, 1..) => play.event(Event::Granted { who, dice }),
            _ => {}
        }
        let (helps, hinders) = (help.iter().count() as u8, hinder.iter().count() as u8);
        if helps + hinders > 0 {
            play.event(Event::Counts { who, help: helps, hinder: hinders });
        }
        if malus > 0 {
            play.event(Event::Offered { who, dice: malus });
        }
    }
}

pub(crate) mod malus {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let dice = at.state.top_test().map_or(0, |test| test.offered);
        Told::new(format!(
            "The Director offers {} {} for a Persistent Lucky Token. Does {} take {}?",
            Saying(who, at),
            crate::words::malus(dice),
            Saying(who, at),
            if dice == 1 { "it" } else { "them" }
        ))
        .why(clause!("improv.malus-offer"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Take);
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Take | Answer::Pass,
        clause!("improv.malus-offer"),
        "expected to take the Malus Dice, or to pass"
    );

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let taken = answer == Answer::Take;
        if let Some(test) = top(play.state) {
            test.took = taken;
            test.offered = if taken { test.offered } else { 0 };
            play.event(Event::Accepted { who, taken });
            throw(play);
        }
    }
}

pub(crate) mod lucky {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let passed = at.state.top_test().and_then(|test| test.came).is_some_and(|came| came.passed);
        Told::new(format!(
            "The Roll of {} {}. Let it stand, or Expend a Lucky Token and throw all dice again?",
            Saying(who, at),
            if passed { "passes" } else { "fails" }
        ))
        .why(clause!("token.lucky"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        each(Answer::Reroll);
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Reroll,
        clause!("token.lucky"),
        "expected to let it stand, or a reroll"
    );

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if answer == Answer::Reroll {
            play.event(Event::Rerolls { who });
            harm::expend(play, who, TokenKind::Lucky);
        }
        if let Some(test) = top(play.state) {
            test.step = if answer == Answer::Reroll { Step::Dice } else { Step::Carry };
        }
    }
}

// ---- The dice fall.

/// The dice fell: an outcome, which a Lucky Token may still undo.
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, came: Came) {
    let Some(test) = top(play.state) else { return };
    (test.came, test.rolled) = (Some(came), true);
    test.step = Step::Lucky;
    let who = test.roller();
    let Came { passed, successes, critical, natural } = came;
    play.event(match passed {
        true => Event::Passed { who, successes, critical, natural },
        false => Event::Failed { who, critical, natural },
    });
}

/// What comes of a Roll.
fn result(play: &mut Play<'_, impl Sink<Event>>, test: Test) {
    let Some(came) = test.came else { return };
    let (roller, opposer) = (test.roller(), test.opposer());
    let (actor, victim) = test.parties();
    let (kind, works) = match test.dodged {
        Some((kind, ..)) => (kind, !came.passed),
        None => (test.kind, came.passed),
    };
    if test.dodged.is_some() {
        play.event(if works { Event::NotDodged { who: victim } } else { Event::Dodged { who: victim } });
    }
    play.state
        .live
        .retain(|live| !(live.on == roller && live.lasts == Lasts::AtOnce && live.effect.is_on_roll()));
    if test.rolled && test.dodged.is_none() {
        record(play, &test, works);
    }
    if kind == Kind::Opening {
        clash::open(play, &test, actor, victim);
    }
    // Beneath the Damage of the action, which comes first (`resist-death-clash`).
    if test.resists {
        harm::owe_death(play, actor, victim);
    }
    let dodged = test.dodged.is_some();
    let extra = if dodged { play.rules.options.dodge_damage } else { 0 };
    let deals = matches!(kind, Kind::Attack | Kind::Opening);
    if works && (deals || extra > 0) {
        // A failed Dodge counts as an Attack passed with one Success Die (`dodge-potential`).
        let successes = if dodged { 1 } else { came.successes };
        let amount = if deals { damage(play.at(), &test, actor, successes, ALL) + extra } else { extra };
        let symbols = match test.dodged {
            Some((_, with, over)) => (with, over),
            None => (test.with, test.over),
        };
        if amount > 0 {
            harm::strike(
                play,
                Blow {
                    by: Some(actor),
                    on: victim,
                    amount,
                    symbols: Some(symbols),
                    counted: false,
                    let_be: test.let_be,
                },
            );
        }
    }
    match kind {
        Kind::Study if works => study::learn(play, actor, test.target),
        Kind::Investigate if works => {
            stack::push(play.state, Frame::Match { who: actor, target: test.target })
        }
        Kind::Control if works => prop::gained(play, &test, actor),
        Kind::PushOff if works => prop::pushed(play, &test, actor, victim),
        Kind::Conflict => harm::tempted(play, &test, came.passed),
        Kind::Death => harm::death(play, test.attacker, came.passed),
        _ => {}
    }
    if works && let Some(cast) = test.cast.filter(|cast| cast.lasting) {
        spell::stays(play, actor, victim, cast.spell);
    }
    if test.took {
        harm::give(play, roller, TokenKind::Lucky, (true, None, false));
    }
    if test.rolled && play.state.clash.is_some() {
        let mut moments = arrayvec::ArrayVec::<Moment, 2>::new();
        moments.push(if came.passed { Moment::Passes } else { Moment::Fails });
        if let Some(critical) = came.critical {
            moments.push(match critical {
                Critical::Disaster => Moment::Disaster,
                Critical::Breakthrough => Moment::Breakthrough,
            });
        }
        stack::happens(play, &moments, roller, Some(Target::Char(opposer)));
    }
}

/// Keeps a Roll in mind, for it is never made again (`roll.never-same`).
fn record(play: &mut Play<'_, impl Sink<Event>>, test: &Test, passed: bool) {
    let strict = play.rules.options.never_same_clash == Repeat::Strict;
    let kept = match test.kind {
        Kind::Free | Kind::Opening | Kind::Generic => true,
        Kind::Conflict | Kind::Death => false,
        _ => strict,
    };
    let words = || crate::words::doing(test.kind).parse().ok();
    if let Some(task) = test.task.or_else(words).filter(|_| kept) {
        if play.state.made.is_full() {
            play.state.made.remove(0);
        }
        play.state.made.push(Made {
            who: test.attacker,
            against: test.defender,
            with: test.with,
            over: test.over,
            task,
            passed,
            scene: play.state.scene,
        });
    }
}

/// The Spell with which an answer is made, checked: it is there, and there is a slot for it.
pub(crate) fn object_cast(at: At<'_>, who: Char, casting: Option<Casting>, out: &mut impl Objections) {
    if let Some(casting) = casting {
        spell::object_cast(at, who, casting, out);
    }
}
