//! Saves: the defence of players' characters.

use crate::answer::{Answer, yes_or_no};
use crate::event::{Event, RollKind};
use crate::harm::{self, counter, hides_pl};
use crate::judging::{self, Result};
use crate::state::{Cause, Danger, Frame, Harm, Pool, Save, SaveStep, State, Test};
use crate::test::{self, LEVELS};
use crate::{
    At, Play, attack, burden, guard, intervene, mark, notice, risk, rules::Rules, script, suit, threat, turn,
    vocab::*, words::names,
};
use fracas_kernel::{Objections, Sink, Told, Viewer, fine, takes};
use std::borrow::Cow;

/// A danger before its terms are settled.
pub(crate) fn danger(
    rules: &Rules,
    by: Option<Char>,
    queue: CharSet,
    form: Option<Form>,
    quick: bool,
) -> Danger {
    let essence = form.map_or(Essence::Strength, |form| rules.form(form).essences[0]);
    Danger { by, queue, form, essence, quick, ..Danger::default() }
}

/// The forms in which the surroundings can harm (`resist-environment`).
fn environment(state: &State) -> &'static [Form] {
    match state.form {
        None | Some(Form::Martial) => &[Form::Martial],
        Some(Form::Subtle) => &[Form::Subtle, Form::Martial],
        Some(Form::Strategic) => &[Form::Strategic],
        Some(Form::Naval) => &[Form::Naval],
    }
}

/// The next of those endangered saves: exactly once (`save.one-per-danger`).
pub(crate) fn next(state: &mut State) {
    let Some(Frame::Danger(danger)) = state.stack.last_mut() else { return };
    let Some(on) = danger.queue.first() else { return };
    danger.queue = danger.queue.without(on);
    let mut danger = *danger;
    if !state.is_in(on) {
        return;
    }
    danger.fallback &= danger.by.is_some_and(|by| state.being(by).misdirected_by.has(on));
    // Nobody notices a veiled attack in time to guard (`guard-veiled`).
    let guarded = danger.form.is_some() && !danger.veiled;
    let step = if guarded { SaveStep::Guard } else { SaveStep::Essence };
    state.push(Frame::Save(Save { danger, on, step, ..Save::default() }));
}

/// The defence of a player's character against another's attack: a quick save
/// whose challenge level is the attacker's final Light (`pvp.defend`).
pub(crate) fn defend(play: &mut Play<'_, impl Sink<Event>>, test: &Test, fl: i8) {
    let (Some(on), Some(form)) = (test.on, test.form) else { return };
    let saver = test.guard.unwrap_or(on);
    play.event(Event::Terms { who: CharSet::one(saver), cl: fl, from: None, veiled: test.veiled });
    let danger = Danger {
        veiled: test.veiled,
        fallback: test.fallback,
        cl: fl,
        arms: test.arms,
        ..danger(play.rules, Some(test.lead()), CharSet::NONE, Some(form), true)
    };
    let (guard, step) = (test.guard, SaveStep::Essence);
    play.state.push(Frame::Save(Save { danger, on, guard, pvp: true, step, ..Save::default() }));
}

fn top(state: &mut State) -> Option<&mut Save> {
    match state.stack.last_mut() {
        Some(Frame::Save(save)) => Some(save),
        _ => None,
    }
}

/// The gamemaster rules on an unusual essence.
pub(crate) fn rule_essence(play: &mut Play<'_, impl Sink<Event>>, yes: bool) {
    let Some(save) = top(play.state) else { return };
    let essence = save.named.filter(|_| yes).unwrap_or(save.danger.essence);
    save.named = Some(essence);
    save.step = SaveStep::Roll;
    let who = save.saver();
    play.event(Event::Essence { who, essence });
}

/// How the dice of a save fall.
///
/// A bold attack makes it faint (`roll.opposed-bold`), so do weakness
/// (`threat.weaken-pc`) and whatever would make it long (`roll.long-save`);
/// between players boldness is the attacker's and not counted twice
/// (`pvp-modifiers`).
pub(crate) fn roll_kind(at: At<'_>, save: &Save) -> RollKind {
    let danger = &save.danger;
    let saver = save.saver();
    let ability = save.ability.map(|ability| at.rules.power(ability));
    let attacked = danger.form.is_some() && !save.pvp;
    let attack = match (danger.by, danger.form) {
        (Some(by), Some(form)) if attacked => {
            let then = as_attacked(at.state, by);
            let band = then.range(by, save.on);
            attack::is_bold(
                At { rules: at.rules, state: &then },
                (by, saver),
                form,
                danger.veiled,
                (danger.arms, band),
            )
        }
        _ => attacked && at.state.being(saver).weakened,
    };
    let faint =
        danger.faint || danger.long || ability.is_some_and(|power| power.long || power.faint) || attack;
    let bold = danger.bold || ability.is_some_and(|power| power.bold);
    RollKind::of(bold, faint)
}

/// The table with the attacker as they were when the terms of an attack on several were
/// settled (`order-among-several`).
pub(crate) fn as_attacked(state: &State, by: Char) -> Cow<'_, State> {
    let then = state.stack.iter().rev().find_map(|frame| match *frame {
        Frame::Attacker { who, then } if who == by => Some(then),
        _ => None,
    });
    let Some(then) = then else { return Cow::Borrowed(state) };
    let mut state = state.clone();
    *state.being_mut(by) = then;
    Cow::Owned(state)
}

/// Takes the dice.
pub(crate) fn roll(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    let Some(Frame::Save(mut save)) = play.state.stack.last().copied() else { return };
    let kind = roll_kind(play.at(), &save);
    play.event(Event::Rolled { who: CharSet::one(save.saver()), dice: Pool::of(faces), kind });
    save.dice = judging::keep(faces, kind);
    save.step = SaveStep::Judge;
    play.state.replace_top(Frame::Save(save));
}

/// What a way to judge would come to.
pub(crate) fn result(rules: &Rules, save: &Save, light: u8, truth: u8) -> Result {
    let rank = rules.essence(save.saver(), save.essence());
    Result::of(light, truth, rank, save.danger.cl + save.danger.favor)
}

/// Whether a save is quick: its Truth brings no intervention.
pub(crate) fn is_quick(rules: &Rules, save: &Save) -> bool {
    save.danger.quick || save.ability.is_some_and(|ability| rules.power(ability).quick)
}

/// The dice are judged.
pub(crate) fn judge(play: &mut Play<'_, impl Sink<Event>>, light: u8, truth: u8) {
    let Some(Frame::Save(mut save)) = play.state.stack.last().copied() else { return };
    let result = result(play.rules, &save, light, truth);
    (save.light, save.truth) = (light, truth);
    save.success = result.success();
    save.step = SaveStep::Effects;
    play.state.replace_top(Frame::Save(save));
    let saver = save.saver();
    let danger = save.danger;
    let from = danger.by.filter(|&by| !play.rules.is_pc(by) && !danger.veiled && !play.state.unseen.has(by));
    play.event(Event::Judged {
        who: saver,
        light,
        truth,
        fl: result.fl,
        degree: result.degree,
        save: true,
        from,
        open: false,
    });
    if result.guilty
        && !is_quick(play.rules, &save)
        && let Some(Frame::Danger(danger)) = play.state.below_mut()
    {
        danger.guilty = danger.guilty.saturating_add(1);
    }
    if result.guilty && !save.success {
        mark::release_npcs(play, saver);
    }
    let hit = !save.success;
    if let Some(by) = danger.by
        && danger.form.is_some()
    {
        notice::attacked(play, by, save.on, hit, danger.veiled);
        notice::attacked(play, by, saver, hit, danger.veiled);
        // A success that nobody sees ends nothing that would tell whose it was
        // (`npc-veiled-visible`).
        if !(hit && danger.veiled && !play.rules.is_pc(by)) {
            threat::attacked(play, by, (save.on, save.guard), hit, danger.veiled);
        }
    }
    if save.pvp
        && let Some(Frame::Test(test)) = play.state.below_mut()
    {
        test.success = hit;
    }
    // A fright wounds no body, and shakes like words.
    if hit && danger.fear {
        if fine(|out| mark::object(play.at(), saver, Mark::Stricken, out)) {
            mark::impose(play, danger.by, saver, Mark::Stricken, Form::Subtle);
        } else {
            play.event(Event::Unaffected { who: saver, why: clause!("ext.fear") });
        }
    }
    let Some(form) = danger.form else { return };
    let range = danger.by.map_or(Band::Close, |by| play.state.range(by, save.on));
    if save.success {
        // An attacker's innocent success is a defender's guilty failure
        // (`npc-burden-mirror`); between players the guilt is the attacker's own
        // (`pvp-modifiers`).
        if let Some(by) = danger.by {
            let guilty = match play.state.below() {
                Some(Frame::Test(test)) if save.pvp => test.guilty(),
                _ => !result.guilty,
            };
            burden::failed(play, by, guilty);
        }
        play.event(Event::Thwarted { by: danger.by, on: saver, veiled: danger.veiled });
        // A veiled attack cannot be countered (`veiled.no-counter`), nor can the
        // environment (`counter-environment`).
        if let Some(by) = danger.by
            && !danger.veiled
            && harm::may_counter(play.at(), saver, by, form, range)
        {
            play.state.push(Frame::Harm(counter(saver, by, form, range)));
        }
        return;
    }
    // The degree of failure is the attack's degree of success, which risk
    // raises (`attack.degree-transfer`, `risk.adds`).
    let degree = -result.degree + risk::effective(play.at(), saver, form);
    play.event(Event::Hit { by: danger.by, on: save.on, degree, veiled: danger.veiled });
    let harm = Harm {
        degree,
        veiled: danger.veiled,
        fallback: danger.fallback,
        most: harm::MOST_IMPOSED,
        manner: danger.arms.manner,
        ..Harm::of(Cause::Attack, danger.by, save.on, form, range)
    };
    // Between players at once, otherwise once everybody has saved (`script.draw`).
    match play.state.below_mut() {
        Some(Frame::Danger(danger)) => danger.hit = true,
        _ => {
            if let Some(by) = danger.by {
                script::offer(play.state, CharSet::one(by), form, danger.veiled);
            }
        }
    }
    guard::strike(play.state, harm, save.guard);
}

/// Whether the player who saves may know the challenge level: of a veiled
/// attack always, since it does not say whose it is (`npc-veiled-visible`).
pub(crate) fn shows_level(at: At<'_>, save: &Save) -> bool {
    save.danger.veiled || save.danger.by.is_none_or(|by| !hides_pl(at, by))
}

/// On what terms these save.
pub(crate) mod terms {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(Frame::Danger(danger)) = at.state.top() else { return Told::default() };
        let against = danger.by.map_or("a danger of the surroundings", |by| at.rules.name(by));
        Told::new(format!("{} must save against {against}: on what terms?", names(at.rules, danger.queue)))
            .why(clause!("save.essence-choice"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Danger(danger)) = at.state.top() else { return };
        let terms = |essence, cl, form, favor| Answer::Terms {
            essence,
            cl,
            form,
            bold: false,
            faint: false,
            quick: false,
            long: false,
            favor,
            difficult: false,
            fear: false,
        };
        if danger.by.is_some() {
            // Mind meets surprise, which most veiled attacks are.
            let saver = danger.queue.first().unwrap_or(Char(0));
            let surprise = danger.by.is_some_and(|by| at.state.being(saver).unaware_of.has(by));
            let first = if danger.veiled || surprise { Essence::Mind } else { danger.essence };
            each(terms(first, None, None, 0));
            if danger.form.or(at.state.form) != Some(Form::Subtle) {
                each(terms(first, None, None, 1));
                each(terms(first, None, None, -1));
            }
            for &essence in Essence::ALL.iter().filter(|&&e| e != first) {
                if suit::essence(at, saver, danger.by, danger.form, danger.veiled, essence) {
                    each(terms(essence, None, None, 0));
                }
            }
            return;
        }
        let harmful = environment(at.state).iter().copied().map(Some);
        let first = at.state.form.is_none().then_some(None);
        let last = at.state.form.is_some().then_some(None);
        let forms = first.into_iter().chain(harmful).chain(last);
        // In a conflict the surroundings are no worse than the worst of those in it.
        let worst = at.state.present().minus(at.rules.pcs).iter().map(|who| at.rules.sheet(who).pl).max();
        let most = worst.filter(|_| at.state.form.is_some()).unwrap_or(*LEVELS.end());
        for form in forms {
            for &essence in Essence::ALL {
                for cl in *LEVELS.start()..=most {
                    each(terms(essence, Some(cl), form, 0));
                }
            }
        }
    }

    takes!(Answer, Answer::Terms { .. }, clause!("cl.assign"), "expected the terms of the save");

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Danger(danger)) = at.state.top() else { return };
        let Answer::Terms { cl, form, favor, difficult, fear, .. } = answer else { return };
        match (danger.by, cl) {
            (None, Some(cl)) if LEVELS.contains(&cl) => {}
            (None, Some(_)) => out.no(clause!("cl.range"), "a challenge level is from 4 to 8"),
            (None, None) => {
                out.no(clause!("cl.assign"), "a save with no opponent needs a challenge level: `cl`")
            }
            (Some(_), Some(_)) => {
                out.no(clause!("cl.npc-pl"), "the attacker's power level is the challenge level")
            }
            (Some(_), None) => {}
        }
        if danger.by.is_some() && form.is_some() {
            out.no(clause!("cross-form-attack"), "the attack was declared in its form already");
        }
        if danger.by.is_none() && form.is_some_and(|form| !environment(at.state).contains(&form)) {
            out.no(
            clause!("resist-environment"),
            "the surroundings harm in the form of the conflict; outside one, and in an argument too, bodies",
        );
        }
        if !(-1..=1).contains(&favor) {
            out.no(clause!("clamp-cl"), "the surroundings change it by one at most: -1, 0 or 1");
        }
        if danger.form.or(form).or(at.state.form) == Some(Form::Subtle) && (favor != 0 || difficult) {
            out.no(clause!("subtle.no-terrain"), "the surroundings do not help or hinder in an argument");
        }
        if difficult && danger.by.is_none() {
            let what = "somebody has to cross difficult terrain: the surroundings do not";
            out.no(clause!("move.terrain"), what);
        }
        if fear && (danger.form.is_some() || form.is_some()) {
            out.no(clause!("ext.fear"), "a fright is no attack: give it no form");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Answer::Terms { essence, cl, form, bold, faint, quick, long, favor, difficult, fear } = answer
        else {
            return;
        };
        let Some(Frame::Danger(danger)) = play.state.stack.last_mut() else { return };
        danger.essence = essence;
        danger.form = danger.form.or(form);
        (danger.faint, danger.long, danger.favor, danger.fear) = (faint, long, favor, fear);
        // A thrown weapon makes the attack faint, and so the save bold.
        danger.bold = bold || danger.arms.manner == Some(Manner::Throw);
        danger.quick |= quick || difficult;
        danger.cl = match danger.by {
            Some(by) => play.rules.sheet(by).pl as i8,
            None => cl.unwrap_or(*LEVELS.start()) as i8,
        };
        danger.settled = true;
        let (by, attack, veiled) = (danger.by, danger.form.is_some(), danger.veiled);
        intervene::turn_is_over(play.state);
        // Of what nobody sees nothing is spent: that would tell whose it is
        // (`npc-veiled-visible`).
        if let Some(by) = by.filter(|_| !veiled) {
            let slow = burden::is_slow(play.state, by, attack);
            if let Some(Frame::Danger(danger)) = play.state.stack.last_mut() {
                danger.quick |= slow;
            }
            burden::spend(play, by, attack);
            if difficult {
                play.event(Event::Difficult(CharSet::one(by)));
            }
        }
        let Some(Frame::Danger(danger)) = play.state.stack.last().copied() else { return };
        let cl = danger.cl + favor;
        // None of several changes by an answer what the others save from.
        if let Some(who) = danger.by
            && attack
            && !veiled
            && danger.queue.len() > 1
        {
            let below = play.state.stack.len().saturating_sub(1);
            let _ = play.state.stack.try_insert(below, Frame::Attacker { who, then: *play.state.being(who) });
        }
        if danger.by.is_none() {
            play.event(Event::Danger { who: danger.queue, by: None, veiled: false, form: danger.form });
        }
        // Of what nobody sees the level is told, but not whose it is.
        let from = danger.by.filter(|&by| !danger.veiled && !play.state.unseen.has(by));
        play.event(Event::Terms { who: danger.queue, cl, from, veiled: danger.veiled });
    }
}

/// Which essence somebody saves with (`save.essence-choice`). The one proposed and the form's
/// default need no ruling (`attribute-dispute`).
pub(crate) mod naming {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let cl = match at.state.top() {
            Some(Frame::Save(save)) if shows_level(at, save) || viewer.is_gm() => {
                format!(" against CL {}", save.danger.cl + save.danger.favor)
            }
            _ => String::new(),
        };
        Told::new(format!("{} must save{cl}: with which essence?", at.rules.name(who)))
            .why(clause!("save.essence-choice"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Save(save)) = at.state.top() else { return };
        let proposed = save.danger.essence;
        let Danger { by, form, veiled, .. } = save.danger;
        let suits = |&e: &Essence| suit::essence(at, who, by, form, veiled, e);
        let others = Essence::ALL.iter().copied().filter(|&e| e != proposed).filter(suits);
        for essence in std::iter::once(proposed).chain(others) {
            each(Answer::Essence { essence, ability: None });
        }
        for ability in at.rules.abilities_of(at.state, who) {
            if fine(|out| turn::object_ability(at, who, ability, true, out)) {
                each(Answer::Essence { essence: proposed, ability: Some(ability) });
            }
        }
    }

    takes!(Answer, Answer::Essence { .. }, clause!("save.essence"), "a save adds an essence: name one");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Essence { ability: Some(ability), .. } = answer {
            turn::object_ability(at, who, ability, true, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Answer::Essence { essence, ability } = answer else { return };
        let essence = ability.and_then(|ability| play.rules.power(ability).essence).unwrap_or(essence);
        let Some(save) = top(play.state) else { return };
        let usual = save.danger.form.map(|form| play.rules.form(form).essences[0]);
        let given = ability.is_some_and(|ability| play.rules.power(ability).essence.is_some());
        let agreed = given || essence == save.danger.essence || Some(essence) == usual;
        save.named = Some(essence);
        save.ability = ability;
        let who = save.saver();
        save.step = if agreed { SaveStep::Roll } else { SaveStep::Rule };
        if agreed {
            play.event(Event::Essence { who, essence });
        }
        if let Some(ability) = ability {
            test::pay(play, who, ability);
        }
    }
}

/// Whether this essence may be used (`attribute-dispute`).
pub(crate) mod dispute {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(Frame::Save(save)) = at.state.top() else { return Told::default() };
        let (who, essence) = (at.rules.name(save.saver()), save.essence());
        Told::new(format!("{who} would save with {essence}: does it fit?")).why(clause!("attribute-dispute"))
    }

    yes_or_no!((), clause!("attribute-dispute"));

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        rule_essence(play, answer == Answer::Yes);
    }
}
