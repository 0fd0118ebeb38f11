//! Tests and attacks of players' characters, alone or in a group.

use crate::attack::{self, is_bold};
use crate::event::{Degrees, Event, RollKind};
use crate::judging::{self, Result};
use crate::rules::{Rules, Share};
use crate::state::{Cause, Frame, Harm, Intervene, Pool, Shares, State, Test, TestStep};
use crate::words::{names, verb};
use crate::{
    At, Play, answer::Answer, arms, burden, group, guard, harm, mark, notice, overtaken, risk, save, script,
    suit, threat, turn, vocab::*,
};
use fracas_kernel::{NoSink, Objections, Sink, Told, Viewer, fine, takes};

/// Challenge levels (`cl.range`).
pub(crate) const LEVELS: std::ops::RangeInclusive<u8> = 4..=8;

/// A test just declared.
pub(crate) fn declared(members: CharSet, attributes: [Attribute; 3], on_turn: bool) -> Test {
    Test { members, attributes, on_turn, ..Test::default() }
}

/// The attributes named, one for each member.
fn named(test: &Test) -> &[Attribute] {
    &test.attributes[..test.members.len()]
}

/// Whether only the default attribute of the form was proposed, which is never
/// refused (`attribute-dispute`).
fn is_default(rules: &Rules, test: &Test) -> bool {
    test.form.is_some_and(|form| {
        let usual = rules.form(form).attributes.first();
        named(test).iter().all(|a| Some(a) == usual)
    })
}

/// Whose power level is the challenge level (`cl.npc-pl`): the guard's, the
/// target's, or that of the opponent of a plain test.
pub(crate) fn level_of(rules: &Rules, test: &Test) -> Option<Char> {
    test.guard.or(test.on).or(test.against).filter(|&who| !rules.is_pc(who))
}

/// Whether this is an attack of one player's character on another's.
pub(crate) fn is_pvp(rules: &Rules, test: &Test) -> bool {
    test.on.is_some_and(|on| rules.is_pc(on))
}

/// An answer that settles nothing special.
pub(crate) const fn plain_terms(cl: Option<u8>) -> Answer {
    let (attribute, bold, faint, quick, long) = (None, false, false, false, false);
    Answer::Settle { cl, attribute, bold, faint, quick, long, favor: 0, difficult: false }
}

/// Terms with one thing changed: bold, faint, quick, long, favor.
fn settle(cl: Option<u8>, change: impl FnOnce(&mut (bool, bool, bool, bool, i8))) -> Answer {
    let mut terms = (false, false, false, false, 0);
    change(&mut terms);
    let (bold, faint, quick, long, favor) = terms;
    Answer::Settle { cl, attribute: None, bold, faint, quick, long, favor, difficult: false }
}

/// Whether an attack takes the gamemaster's leave: in another form than the
/// conflict's (`cross-form-attack`), or falling back where only the story leaves
/// nothing else (`threat.misdirect-fallback`).
pub(crate) fn needs_leave(at: At<'_>, test: &Test) -> bool {
    test.form != at.state.form || (test.fallback && !attack::must_fall_back(at, test.lead()))
}

/// Whether an attack is nothing out of the ordinary: with one of its form's
/// usual attributes, and without leave.
fn is_ordinary(at: At<'_>, test: &Test) -> bool {
    let usual = |form: Form| {
        let suits = |(who, &a): (Char, &Attribute)| match test.on {
            Some(_) if test.veiled => VEILED.contains(&a),
            Some(on) => suit::attribute(at, (who, on), form, test.arms, a),
            None => true,
        };
        test.members.iter().zip(named(test)).all(suits)
    };
    test.form.is_some_and(usual) && !needs_leave(at, test)
}

/// Pays what an ability costs.
pub(crate) fn pay(play: &mut Play<'_, impl Sink<Event>>, who: Char, ability: Ability) {
    let power = play.rules.power(ability);
    let cost = power.cost;
    play.event(Event::Ability { who, ability, cost });
    if power.once.is_some() {
        play.state.used |= 1 << ability.0;
    }
    if power.reveals && play.rules.sheet(who).shuvin {
        mark::reveal(play.state, who, play.state.present());
        play.event(Event::Revealed(who));
    }
    risk::impose(play, who, cost, false);
}

/// After the intervention of a long test: is the test still possible?
/// (`long-actor-removed`)
pub(crate) fn reopen(play: &mut Play<'_, impl Sink<Event>>, mut test: Test) {
    let who = test.lead();
    // The character to be reached may have come up meanwhile, or gone.
    if let Some(on) = test.on {
        let close = play.state.range(who, on) == Band::Close;
        test.arms.moves = test.arms.moves.filter(|&moves| (moves == Moves::In) != close);
    }
    if test.long && !test.opened && !overtaken::is_possible(play.at(), &test) && !test.is_group() {
        overtaken::fall_away(play, &test);
        return;
    }
    test.opened = true;
    test.step = TestStep::Guard;
    test.arms.with = test.arms.with.filter(|&with| play.state.being(who).readied.has(with));
    if let Some(on) = test.on {
        arms::make_move(play.state, who, on, test.arms.moves.take());
    }
    play.state.replace_top(Frame::Test(test));
}

/// How the dice of a test fall: bold, faint, both or neither (`roll.cancel`).
pub(crate) fn roll_kind(at: At<'_>, test: &Test) -> RollKind {
    if test.is_group() {
        return RollKind::Group;
    }
    let bold = test.on.is_some_and(|on| {
        let form = test.form.unwrap_or(Form::Martial);
        let (by, defender) = (test.lead(), test.guard.unwrap_or(on));
        let band = arms::band_after(at.state, by, on, test.arms.moves);
        is_bold(at, (by, defender), form, test.veiled, (test.arms, band))
    });
    RollKind::of(test.bold || bold, test.faint)
}

/// Takes the dice.
pub(crate) fn roll(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    let Some(Frame::Test(mut test)) = play.state.stack.last().copied() else { return };
    let kind = roll_kind(play.at(), &test);
    play.event(Event::Rolled { who: test.members, dice: Pool::of(faces), kind });
    test.dice = judging::keep(faces, kind);
    test.step = TestStep::Judge;
    for who in test.members.iter() {
        if test.on_turn {
            burden::spend(play, who, test.on.is_some());
        }
        if let Some(on) = test.on.filter(|_| !test.veiled) {
            let struck = CharSet::one(test.guard.unwrap_or(on)).with(on);
            notice::openly(play, who, struck.or(test.members));
        }
    }
    // A thrown weapon leaves the hand whatever comes of it.
    if let (Some(on), Some(form)) = (test.on, test.form) {
        test.arms = arms::hurl(play, (test.lead(), on), form, test.arms);
    }
    play.state.replace_top(Frame::Test(test));
}

/// The challenge level with circumstances; 3 and 9 are possible (`clamp-cl`).
pub(crate) fn challenge(rules: &Rules, test: &Test) -> i8 {
    level_of(rules, test).map_or(test.cl, |who| rules.sheet(who).pl as i8) + test.favor
}

/// What a way to judge would come to, for a single tester.
pub(crate) fn result(at: At<'_>, test: &Test, light: u8, truth: u8) -> Result {
    let rank = arms::rank(at, test, test.lead(), test.attributes[0]);
    Result::of(light, truth, rank, challenge(at.rules, test))
}

/// What a member of a group comes to with this Light.
pub(crate) fn member_result(at: At<'_>, test: &Test, who: Char, light: u8) -> Result {
    let rank = arms::rank(at, test, who, test.attributes[test.place(who)]);
    Result::of(light, test.truth, rank, challenge(at.rules, test))
}

/// The dice are judged.
pub(crate) fn judge(play: &mut Play<'_, impl Sink<Event>>, light: u8, truth: u8) {
    let Some(Frame::Test(mut test)) = play.state.stack.last().copied() else { return };
    test.lights[0] = light;
    test.truth = truth;
    let who = test.lead();
    let result = result(play.at(), &test, light, truth);
    let pvp = is_pvp(play.rules, &test);
    let from = level_of(play.rules, &test);
    play.event(Event::Judged {
        who,
        light,
        truth,
        fl: result.fl,
        degree: if pvp { 0 } else { result.degree },
        save: false,
        from,
        open: pvp,
    });
    if pvp {
        test.step = TestStep::Defence;
        play.state.replace_top(Frame::Test(test));
        play.state.pvp_attacks = play.state.pvp_attacks.wrapping_add(1);
        save::defend(play, &test, result.fl);
        return;
    }
    test.success = result.success();
    test.step = TestStep::Effects;
    play.state.replace_top(Frame::Test(test));
    if test.on.is_some() {
        land(play, &test, &[result.degree]);
    }
}

/// Everybody of a group has a Light: the degrees are added up (`group.total`).
pub(crate) fn judge_group(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(Frame::Test(mut test)) = play.state.stack.last().copied() else { return };
    let mut degrees = [0; 3];
    for (i, who) in test.members.iter().enumerate() {
        degrees[i] = member_result(play.at(), &test, who, test.lights[i]).degree;
    }
    let total = degrees.iter().sum();
    test.success = total >= 0;
    test.step = TestStep::Effects;
    let from = level_of(play.rules, &test);
    let each = Degrees::of(&degrees[..test.members.len()]);
    play.event(Event::GroupJudged { who: test.members, truth: test.truth, degrees: each, total, from });
    play.state.replace_top(Frame::Test(test));
    if test.on.is_some() {
        land(play, &test, &degrees[..test.members.len()]);
    }
}

/// An attack on the gamemaster's characters is resolved: effects, or chances to
/// counterattack, go on the stack.
fn land(play: &mut Play<'_, impl Sink<Event>>, test: &Test, degrees: &[i8]) {
    let (Some(on), Some(form)) = (test.on, test.form) else { return };
    if play.state.is_pvp(play.rules) {
        play.state.pvp_attacks = play.state.pvp_attacks.wrapping_add(1);
    }
    let defender = test.guard.unwrap_or(on);
    play.state.pl_known = play.state.pl_known.with(on).with(defender);
    // Read before the attack ends the misdirection (`group-member-limits`).
    let misdirected: CharSet =
        test.members.iter().filter(|&who| play.state.being(who).misdirected_by.has(on)).collect();
    for by in test.members.iter() {
        notice::attacked(play, by, on, test.success, test.veiled);
        notice::attacked(play, by, defender, test.success, test.veiled);
        threat::attacked(play, by, (on, test.guard), test.success, test.veiled);
    }
    if !test.success {
        // A group's failure is everybody's (`group-burden-gain`).
        for by in test.members.iter() {
            burden::failed(play, by, test.guilty());
        }
        play.event(Event::Thwarted { by: Some(test.lead()), on: defender, veiled: test.veiled });
        if !test.veiled {
            let can: CharSet = test
                .members
                .iter()
                .filter(|&by| harm::may_counter(play.at(), defender, by, form, play.state.range(by, on)))
                .collect();
            play.state.push(Frame::Counters { by: defender, on: can, at: on });
        }
        return;
    }
    // Every attacker uses the risk from before the attack (`gattack.no-feedback`).
    let effective = risk::effective(play.at(), defender, form);
    script::offer(play.state, test.members, form, test.veiled);
    if test.is_group() {
        let total: i8 = degrees.iter().sum();
        let mut finals = [0; 3];
        for (i, &own) in degrees.iter().enumerate() {
            let degree = if play.rules.options.share == Share::Total { total } else { own };
            finals[i] = (degree + effective).max(0);
            let by = test.members.iter().nth(i);
            play.event(Event::Hit { by, on, degree: finals[i], veiled: test.veiled });
        }
        play.state.push(Frame::Shares(Shares {
            left: test.members,
            on,
            guard: test.guard,
            form,
            degrees: finals,
            members: test.members,
            veiled: test.veiled,
            fallback: if test.fallback { misdirected } else { CharSet::NONE },
            risk: harm::MOST_IMPOSED,
        }));
        return;
    }
    let by = test.lead();
    let degree = degrees[0] + effective;
    play.event(Event::Hit { by: Some(by), on, degree, veiled: test.veiled });
    let harm = Harm {
        degree,
        veiled: test.veiled,
        fallback: test.fallback,
        most: harm::MOST_IMPOSED,
        manner: test.arms.manner,
        ..Harm::of(Cause::Attack, Some(by), on, form, play.state.range(by, on))
    };
    guard::strike(play.state, harm, test.guard);
}

/// What the defender's risk adds to an attack that hits, after the misdirections that
/// the attack ends, as far as a viewer may know: that a misdirection is somebody's omen
/// is for the gamemaster alone, and so is what its end does to their risk.
pub(crate) fn risk_at_hit(
    at: At<'_>,
    (by, on): (Char, Char),
    (form, veiled): (Form, bool),
    who: Viewer,
) -> Option<i8> {
    let mut then = at.state.clone();
    threat::attacked(
        &mut Play { rules: at.rules, state: &mut then, sink: &mut NoSink },
        by,
        (on, None),
        true,
        veiled,
    );
    let ends = then.being(on).misdirected_by != at.state.being(on).misdirected_by;
    let known = who.is_gm() || !ends || !at.rules.ominous.has(on);
    known.then(|| risk::effective(At { rules: at.rules, state: &then }, on, form))
}

/// A test with all its effects is over.
pub(crate) fn close(play: &mut Play<'_, impl Sink<Event>>, test: Test) {
    play.state.stack.pop();
    if test.on.is_some() && test.success && !test.guilty() {
        mark::release_pcs(play, test.members);
    }
    if test.success
        && let Some(toward) = test.toward
    {
        approach(play, test.lead(), toward);
    }
    if test.on_turn {
        let next = if is_pvp(play.rules, &test) { next_side(play.state, &test) } else { None };
        turn::done(play.state, next);
    }
    if is_pvp(play.rules, &test) || (test.on.is_some() && play.state.is_pvp(play.rules)) {
        close_pvp(play);
    } else if test.guilty() && !test.quick && !play.state.is_pvp(play.rules) {
        let why = if test.is_group() { clause!("group.truth") } else { clause!("intervene.trigger") };
        turn::intervene(play, false, why);
    }
}

/// A test has brought somebody a band nearer (`move.beyond-near`).
fn approach(play: &mut Play<'_, impl Sink<Event>>, who: Char, toward: Char) {
    // A word may have put them close already.
    if play.state.range(who, toward) == Band::Close {
        return;
    }
    match play.state.range(who, toward) {
        Band::Beyond => play.state.place_at(who, toward, Band::Far),
        Band::Far => play.state.place_at(who, toward, Band::Near),
        Band::Near | Band::Close => play.state.close_in(who, toward),
    }
    play.event(Event::Moved { who, toward, band: play.state.range(who, toward) });
}

/// The side that goes next after an attack between players (`pvp.next-side`).
fn next_side(state: &State, test: &Test) -> Option<u8> {
    let side_of = if test.guilty() { test.on? } else { test.lead() };
    state.form.map(|_| state.being(side_of).side)
}

/// Between players every second attack, on any target (`pvp-bystander`), brings an
/// intervention whose saves are quick (`pvp.intervene`).
fn close_pvp(play: &mut Play<'_, impl Sink<Event>>) {
    // Words that provoke a fight are none of its attacks (`pvp-provoked`).
    if play.state.form.is_some() && play.state.pvp_attacks > 0 && play.state.pvp_attacks.is_multiple_of(2) {
        turn::intervene(play, true, clause!("pvp.intervene"));
    }
}

/// Reasons why the gamemaster cannot refuse what was declared.
fn object_refusal(at: At<'_>, test: &Test, out: &mut impl Objections) {
    if test.on.is_some() && is_default(at.rules, test) && !needs_leave(at, test) {
        let what = "an attack with the form's usual attribute is always open";
        out.no(clause!("attribute-dispute"), what);
    } else if test.on.is_none() && at.state.form.is_none() && test.on_turn && !test.is_group() {
        let what = "outside conflicts a test is settled, not refused";
        out.no(clause!("conflict.other-test-gm"), what);
    }
}

/// On what terms a test is: attribute, challenge level and circumstances.
pub(crate) mod terms {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(Frame::Test(test)) = at.state.top() else { return Told::default() };
        let all = names(at.rules, test.members);
        let s = verb(test.members, "s", "");
        let what = match (test.on, test.against) {
            (Some(on), _) => format!("{all} attack{s} {}", at.rules.name(on)),
            (None, Some(other)) => format!("{all} test{s} against {}", at.rules.name(other)),
            (None, None) => format!("{all} test{s}"),
        };
        let attribute = test.attributes[0];
        let rank = at.rules.rank(test.lead(), attribute);
        let clause = if test.on.is_some() { clause!("attr.choice") } else { clause!("cl.assign") };
        Told::new(format!("{what} with {attribute} {rank}: on what terms?")).why(clause)
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        if test.on.is_some() || level_of(at.rules, test).is_some() {
            each(Answer::Yes);
            let terrain = test.form.or(at.state.form) != Some(Form::Subtle);
            for favor in [-1, 1].into_iter().filter(|_| terrain && !is_pvp(at.rules, test)) {
                each(settle(None, |t| t.4 = favor));
            }
            if let Answer::Settle { cl, attribute, bold, faint, quick, long, favor, .. } = plain_terms(None)
                && terrain
                && !test.is_group()
            {
                each(Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult: true });
            }
        } else {
            for cl in LEVELS {
                each(plain_terms(Some(cl)));
                if !test.is_group() {
                    each(settle(Some(cl), |t| t.0 = true));
                    each(settle(Some(cl), |t| t.1 = true));
                    each(settle(Some(cl), |t| t.2 = true));
                    each(settle(Some(cl), |t| t.3 = true));
                }
            }
        }
        // Refusing is for what is out of the ordinary, and offered once a turn.
        let again =
            at.state.stack.iter().rev().any(|frame| matches!(frame, Frame::Turn(turn) if turn.refused));
        if !again && !is_ordinary(at, test) && fine(|out| object_refusal(at, test, out)) {
            each(Answer::Refuse);
        }
    }

    takes!(
        Answer,
        Answer::Yes | Answer::Refuse | Answer::Settle { .. },
        clause!("cl.assign"),
        "expected yes, settle or refuse"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        match answer {
            Answer::Yes if test.on.is_some() || level_of(at.rules, test).is_some() => {}
            Answer::Yes => out
                .no(clause!("cl.assign"), "a test with no opponent needs a challenge level: settle its `cl`"),
            Answer::Refuse => object_refusal(at, test, out),
            Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult } => {
                match (cl, level_of(at.rules, test), test.on) {
                    (Some(cl), None, None) if LEVELS.contains(&cl) => {}
                    (Some(_), None, None) => out.no(clause!("cl.range"), "a challenge level is from 4 to 8"),
                    (None, None, None) => {
                        out.no(clause!("cl.assign"), "this test needs a challenge level: `cl`")
                    }
                    (Some(_), Some(_), _) => {
                        out.no(clause!("cl.npc-pl"), "the opponent's power level is the challenge level");
                    }
                    (Some(_), None, Some(_)) => {
                        let what = "an attack on a player's character has no challenge level";
                        out.no(clause!("pvp.attack"), what);
                    }
                    (None, ..) => {}
                }
                if favor != 0 && is_pvp(at.rules, test) {
                    out.no(
                        clause!("pvp-surroundings"),
                        "between players the attacker's final Light is the level, whatever the surroundings",
                    );
                }
                if !(-1..=1).contains(&favor) {
                    out.no(clause!("clamp-cl"), "the surroundings change it by one at most: -1, 0 or 1");
                }
                if attribute.is_some_and(|a| a != test.attributes[0]) && is_default(at.rules, test) {
                    let what = "the usual attribute of the form can never be refused";
                    out.no(clause!("attribute-dispute"), what);
                }
                if test.form.or(at.state.form) == Some(Form::Subtle) && (favor != 0 || difficult) {
                    let what = "the surroundings do not help or hinder in an argument";
                    out.no(clause!("subtle.no-terrain"), what);
                }
                if attribute.is_some() && test.is_group() {
                    out.no(clause!("group.attribute"), "in a group everybody uses their own attribute");
                }
                if test.is_group() && (bold || faint || quick || long || difficult) {
                    out.no(clause!("group.no-modifiers"), "a group test is never bold, faint, quick or long");
                }
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        let Some(Frame::Test(test)) = play.state.stack.last().copied() else { return };
        if answer == Answer::Refuse {
            overtaken::undeclare(play.state, &test);
            let mut lead = group::lead(play.state, test.members);
            if let Some(Frame::Turn(turn)) = play.state.stack.last_mut() {
                turn.refused |= test.on_turn;
                lead = if test.on_turn { lead } else { turn.who };
            }
            play.event(Event::Refused(lead));
            if test.is_group() {
                group::again(play.state, test.members);
            }
            return;
        }
        let mut test = test;
        if let Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult } = answer {
            test.cl = cl.unwrap_or(0) as i8;
            test.favor = favor;
            test.bold |= bold;
            test.faint |= faint;
            test.quick |= quick;
            test.long |= long || difficult;
            if difficult {
                play.event(Event::Difficult(test.members));
            }
            if let Some(attribute) = attribute {
                test.attributes = [attribute; 3];
            }
        }
        if let Some(ability) = test.ability {
            let power = play.rules.power(ability);
            test.bold |= power.bold;
            test.faint |= power.faint;
            test.quick |= power.quick;
            test.long |= power.long;
            if let Some(attribute) = power.attribute {
                test.attributes = [attribute; 3];
            }
            pay(play, test.lead(), ability);
        }
        // Several reasons to be long open a test once (`double-long`). A group's test is never
        // long (`group-burdened`), nor is a test called for by a fall (`called-in-a-turn`).
        if !test.is_group() {
            test.faint |= test.arms.manner == Some(Manner::Throw);
            let up = test.toward.is_some_and(|toward| play.state.range(test.lead(), toward) == Band::Near);
            let slow = test.on_turn && burden::is_slow(play.state, test.lead(), test.on.is_some());
            test.long |= up || test.arms.moves.is_some() || slow;
        }
        let from = level_of(play.rules, &test);
        let cl = from.map_or(test.cl, |who| play.rules.sheet(who).pl as i8);
        play.event(Event::Settled { who: test.members, cl, favor: test.favor, from });
        test.step = TestStep::Opening;
        play.state.replace_top(Frame::Test(test));
        if test.long && !test.opened {
            play.event(Event::Long(test.members));
            play.event(Event::Intervention { opening: true, why: clause!("roll.long") });
            // Its saves are quick, so they cannot chain (`roll.long-saves`).
            play.state.push(Frame::Intervene(Intervene {
                opening: true,
                quick: true,
                ..Intervene::default()
            }));
        }
    }
}
