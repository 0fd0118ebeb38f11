//! Tests and attacks of players' characters, alone or in a group.

use crate::{
    answer::Answer,
    arms,
    attack::{self, is_bold},
    burden,
    event::{Degrees, Event, RollKind},
    group, guard, harm,
    judging::{self, Result},
    mark, notice, overtaken, risk,
    rules::{Rules, Share},
    save, script,
    state::{Arms, Cause, Frame, Harm, Intervene, Pool, Shares, State, Test, TestStep},
    suit, threat, turn,
    vocab::*,
};
use fracas_kernel::{NoSink, Objections, Sink, Viewer, fine};

/// Challenge levels (`cl.range`).
pub(crate) const LEVELS: std::ops::RangeInclusive<u8> = 4..=8;

/// A test just declared.
pub(crate) fn declared(members: CharSet, attributes: [Attribute; 3], on_turn: bool) -> Test {
    Test {
        members,
        on: None,
        against: None,
        form: None,
        attributes,
        veiled: false,
        fallback: false,
        arms: Arms::default(),
        toward: None,
        social: false,
        ability: None,
        on_turn,
        cl: 0,
        favor: 0,
        bold: false,
        faint: false,
        quick: false,
        long: false,
        opened: false,
        guard: None,
        declined: 0,
        step: TestStep::Settle,
        dice: Pool::default(),
        lights: [0; 3],
        truth: 0,
        success: false,
    }
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
/// target's, or that of whomever a plain test opposes.
pub(crate) fn level_of(rules: &Rules, test: &Test) -> Option<Char> {
    test.guard.or(test.on).or(test.against).filter(|&who| !rules.is_pc(who))
}

/// Whether this is an attack of one player's character on another's.
pub(crate) fn is_pvp(rules: &Rules, test: &Test) -> bool {
    test.on.is_some_and(|on| rules.is_pc(on))
}

/// Reasons against the terms the gamemaster gives.
pub(crate) fn object_settle(
    rules: &Rules,
    state: &State,
    test: &Test,
    answer: Answer,
    out: &mut impl Objections,
) {
    match answer {
        Answer::Yes if test.on.is_some() || level_of(rules, test).is_some() => {}
        Answer::Yes => {
            out.no(clause!("cl.assign"), "a test with no opponent needs a challenge level: settle its `cl`")
        }
        Answer::Refuse => {
            if test.on.is_some() && is_default(rules, test) && !needs_leave(rules, state, test) {
                out.no(
                    clause!("attribute-dispute"),
                    "an attack with the form's usual attribute is always open",
                );
            } else if test.on.is_none() && state.form.is_none() && test.on_turn && !test.is_group() {
                out.no(clause!("conflict.other-test-gm"), "outside conflicts a test is settled, not refused");
            }
        }
        Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult } => {
            match (cl, level_of(rules, test), test.on) {
                (Some(cl), None, None) if LEVELS.contains(&cl) => {}
                (Some(_), None, None) => out.no(clause!("cl.range"), "a challenge level is from 4 to 8"),
                (None, None, None) => out.no(clause!("cl.assign"), "this test needs a challenge level: `cl`"),
                (Some(_), Some(_), _) => {
                    out.no(clause!("cl.npc-pl"), "the opponent's power level is the challenge level");
                }
                (Some(_), None, Some(_)) => {
                    out.no(clause!("pvp.attack"), "an attack on a player's character has no challenge level");
                }
                (None, ..) => {}
            }
            if favor != 0 && is_pvp(rules, test) {
                out.no(
                    clause!("pvp-surroundings"),
                    "between players the attacker's final Light is the level, whatever the surroundings",
                );
            }
            if !(-1..=1).contains(&favor) {
                out.no(clause!("clamp-cl"), "the surroundings change it by one at most: -1, 0 or 1");
            }
            if attribute.is_some_and(|a| a != test.attributes[0]) && is_default(rules, test) {
                out.no(clause!("attribute-dispute"), "the usual attribute of the form can never be refused");
            }
            if test.form.or(state.form) == Some(Form::Subtle) && (favor != 0 || difficult) {
                out.no(clause!("subtle.no-terrain"), "the surroundings do not help or hinder in an argument");
            }
            if attribute.is_some() && test.is_group() {
                out.no(clause!("group.attribute"), "in a group everybody uses their own attribute");
            }
            if test.is_group() && (bold || faint || quick || long || difficult) {
                out.no(clause!("group.no-modifiers"), "a group test is never bold, faint, quick or long");
            }
        }
        _ => out.no(clause!("cl.assign"), "expected yes, settle or refuse"),
    }
}

/// An answer that settles nothing special.
pub(crate) const fn plain_terms(cl: Option<u8>) -> Answer {
    let (attribute, bold, faint, quick, long) = (None, false, false, false, false);
    Answer::Settle { cl, attribute, bold, faint, quick, long, favor: 0, difficult: false }
}

/// Lists terms worth offering.
pub(crate) fn legal_settle(rules: &Rules, state: &State, test: &Test, each: &mut impl FnMut(Answer)) {
    let mut offer = |answer| {
        if fine(|out| object_settle(rules, state, test, answer, out)) {
            each(answer);
        }
    };
    offer(Answer::Yes);
    if test.on.is_some() || level_of(rules, test).is_some() {
        for favor in [-1, 1] {
            offer(settle(None, |t| t.4 = favor));
        }
        if let Answer::Settle { cl, attribute, bold, faint, quick, long, favor, .. } = plain_terms(None) {
            offer(Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult: true });
        }
    } else {
        for cl in LEVELS {
            offer(plain_terms(Some(cl)));
            offer(settle(Some(cl), |t| t.0 = true));
            offer(settle(Some(cl), |t| t.1 = true));
            offer(settle(Some(cl), |t| t.2 = true));
            offer(settle(Some(cl), |t| t.3 = true));
        }
    }
    // Refusing is for what is out of the ordinary, and offered once a turn.
    let again = state.stack.iter().rev().any(|frame| matches!(frame, Frame::Turn(turn) if turn.refused));
    if !again && !is_ordinary(rules, state, test) {
        offer(Answer::Refuse);
    }
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
pub(crate) fn needs_leave(rules: &Rules, state: &State, test: &Test) -> bool {
    test.form != state.form || (test.fallback && !attack::must_fall_back(rules, state, test.lead()))
}

/// Whether an attack is nothing out of the ordinary: with one of its form's
/// usual attributes, and without leave.
fn is_ordinary(rules: &Rules, state: &State, test: &Test) -> bool {
    let usual = |form: Form| {
        let suits = |(who, &a): (Char, &Attribute)| match test.on {
            Some(_) if test.veiled => VEILED.contains(&a),
            Some(on) => suit::attribute(rules, state, (who, on), form, test.arms, a),
            None => true,
        };
        test.members.iter().zip(named(test)).all(suits)
    };
    test.form.is_some_and(usual) && !needs_leave(rules, state, test)
}

/// Carries out what the gamemaster settled.
pub(crate) fn apply_settle(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(Frame::Test(test)) = state.stack.last().copied() else { return };
    if answer == Answer::Refuse {
        overtaken::undeclare(state, &test);
        let mut lead = group::lead(state, test.members);
        if let Some(Frame::Turn(turn)) = state.stack.last_mut() {
            turn.refused |= test.on_turn;
            lead = if test.on_turn { lead } else { turn.who };
        }
        sink.event(Event::Refused(lead));
        if test.is_group() {
            group::again(state, test.members);
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
            sink.event(Event::Difficult(test.members));
        }
        if let Some(attribute) = attribute {
            test.attributes = [attribute; 3];
        }
    }
    if let Some(ability) = test.ability {
        let power = rules.power(ability);
        test.bold |= power.bold;
        test.faint |= power.faint;
        test.quick |= power.quick;
        test.long |= power.long;
        if let Some(attribute) = power.attribute {
            test.attributes = [attribute; 3];
        }
        pay(rules, state, test.lead(), ability, sink);
    }
    // Whatever makes it long opens it once (`double-long`); a group's is never
    // long (`group-burdened`), nor one that was called for by a fall (`called-in-a-turn`).
    if !test.is_group() {
        test.faint |= test.arms.manner == Some(Manner::Throw);
        let up = test.toward.is_some_and(|toward| state.range(test.lead(), toward) == Band::Near);
        let slow = test.on_turn && burden::is_slow(state, test.lead(), test.on.is_some());
        test.long |= up || test.arms.moves.is_some() || slow;
    }
    let from = level_of(rules, &test);
    let cl = from.map_or(test.cl, |who| rules.sheet(who).pl as i8);
    sink.event(Event::Settled { who: test.members, cl, favor: test.favor, from });
    test.step = TestStep::Opening;
    replace(state, test);
    if test.long && !test.opened {
        sink.event(Event::Long(test.members));
        sink.event(Event::Intervention { opening: true, why: clause!("roll.long") });
        // Its saves are quick, so they cannot chain (`roll.long-saves`).
        state.push(Frame::Intervene(Intervene {
            opening: true,
            quick: true,
            chosen: false,
            guilty: 0,
            owed: 0,
        }));
    }
}

/// Pays what an ability costs.
pub(crate) fn pay(
    rules: &Rules,
    state: &mut State,
    who: Char,
    ability: Ability,
    sink: &mut impl Sink<Event>,
) {
    let power = rules.power(ability);
    let cost = power.cost;
    sink.event(Event::Ability { who, ability, cost });
    if power.once.is_some() {
        state.used |= 1 << ability.0;
    }
    if power.reveals && rules.sheet(who).shuvin {
        mark::reveal(state, who, state.present());
        sink.event(Event::Revealed(who));
    }
    risk::impose(rules, state, who, cost, false, sink);
}

fn replace(state: &mut State, test: Test) {
    if let Some(Frame::Test(top)) = state.stack.last_mut() {
        *top = test;
    }
}

/// After the intervention of a long test: is the test still possible?
/// (`long-actor-removed`)
pub(crate) fn reopen(rules: &Rules, state: &mut State, mut test: Test, sink: &mut impl Sink<Event>) {
    let who = test.lead();
    // Whoever was to be reached may have come up meanwhile, or gone.
    if let Some(on) = test.on {
        let close = state.range(who, on) == Band::Close;
        test.arms.moves = test.arms.moves.filter(|&moves| (moves == Moves::In) != close);
    }
    if test.long && !test.opened && !overtaken::is_possible(rules, state, &test) && !test.is_group() {
        overtaken::fall_away(state, &test, sink);
        return;
    }
    test.opened = true;
    test.step = TestStep::Guard;
    test.arms.with = test.arms.with.filter(|&with| state.being(who).readied.has(with));
    if let Some(on) = test.on {
        arms::make_move(state, who, on, test.arms.moves.take());
    }
    replace(state, test);
}

/// How the dice of a test fall: bold, faint, both or neither (`roll.cancel`).
pub(crate) fn roll_kind(rules: &Rules, state: &State, test: &Test) -> RollKind {
    if test.is_group() {
        return RollKind::Group;
    }
    let bold = test.on.is_some_and(|on| {
        let form = test.form.unwrap_or(Form::Martial);
        let (by, defender) = (test.lead(), test.guard.unwrap_or(on));
        let band = arms::band_after(state, by, on, test.arms.moves);
        is_bold(rules, state, (by, defender), form, test.veiled, (test.arms, band))
    });
    RollKind::of(test.bold || bold, test.faint)
}

/// Takes the dice.
pub(crate) fn roll(rules: &Rules, state: &mut State, faces: &[u8], sink: &mut impl Sink<Event>) {
    let Some(Frame::Test(mut test)) = state.stack.last().copied() else { return };
    let kind = roll_kind(rules, state, &test);
    sink.event(Event::Rolled { who: test.members, dice: Pool::of(faces), kind });
    test.dice = judging::keep(faces, kind);
    test.step = TestStep::Judge;
    for who in test.members.iter() {
        if test.on_turn {
            burden::spend(state, who, test.on.is_some(), sink);
        }
        if let Some(on) = test.on.filter(|_| !test.veiled) {
            let struck = CharSet::one(test.guard.unwrap_or(on)).with(on);
            notice::openly(state, who, struck.or(test.members), sink);
        }
    }
    // A thrown weapon leaves the hand whatever comes of it.
    if let (Some(on), Some(form)) = (test.on, test.form) {
        test.arms = arms::hurl(rules, state, (test.lead(), on), form, test.arms, sink);
    }
    replace(state, test);
}

/// The challenge level with circumstances; 3 and 9 are possible (`clamp-cl`).
pub(crate) fn challenge(rules: &Rules, test: &Test) -> i8 {
    level_of(rules, test).map_or(test.cl, |who| rules.sheet(who).pl as i8) + test.favor
}

/// What a way to judge would come to, for a single tester.
pub(crate) fn result(rules: &Rules, state: &State, test: &Test, light: u8, truth: u8) -> Result {
    let rank = arms::rank(rules, state, test, test.lead(), test.attributes[0]);
    Result::of(light, truth, rank, challenge(rules, test))
}

/// What a member of a group comes to with this Light.
pub(crate) fn member_result(rules: &Rules, state: &State, test: &Test, who: Char, light: u8) -> Result {
    let rank = arms::rank(rules, state, test, who, test.attributes[test.place(who)]);
    Result::of(light, test.truth, rank, challenge(rules, test))
}

/// The dice are judged.
pub(crate) fn judge(rules: &Rules, state: &mut State, light: u8, truth: u8, sink: &mut impl Sink<Event>) {
    let Some(Frame::Test(mut test)) = state.stack.last().copied() else { return };
    test.lights[0] = light;
    test.truth = truth;
    let who = test.lead();
    let result = result(rules, state, &test, light, truth);
    let pvp = is_pvp(rules, &test);
    let from = level_of(rules, &test);
    sink.event(Event::Judged {
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
        replace(state, test);
        state.pvp_attacks = state.pvp_attacks.wrapping_add(1);
        save::defend(rules, state, &test, result.fl, sink);
        return;
    }
    test.success = result.success();
    test.step = TestStep::Effects;
    replace(state, test);
    if test.on.is_some() {
        land(rules, state, &test, &[result.degree], sink);
    }
}

/// Everybody of a group has a Light: the degrees are added up (`group.total`).
pub(crate) fn judge_group(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    let Some(Frame::Test(mut test)) = state.stack.last().copied() else { return };
    let mut degrees = [0; 3];
    for (i, who) in test.members.iter().enumerate() {
        degrees[i] = member_result(rules, state, &test, who, test.lights[i]).degree;
    }
    let total = degrees.iter().sum();
    test.success = total >= 0;
    test.step = TestStep::Effects;
    let from = level_of(rules, &test);
    let each = Degrees::of(&degrees[..test.members.len()]);
    sink.event(Event::GroupJudged { who: test.members, truth: test.truth, degrees: each, total, from });
    replace(state, test);
    if test.on.is_some() {
        land(rules, state, &test, &degrees[..test.members.len()], sink);
    }
}

/// An attack on the gamemaster's characters is resolved: effects, or chances to
/// counterattack, go on the stack.
fn land(rules: &Rules, state: &mut State, test: &Test, degrees: &[i8], sink: &mut impl Sink<Event>) {
    let (Some(on), Some(form)) = (test.on, test.form) else { return };
    if state.is_pvp(rules) {
        state.pvp_attacks = state.pvp_attacks.wrapping_add(1);
    }
    let defender = test.guard.unwrap_or(on);
    state.pl_known = state.pl_known.with(on).with(defender);
    // Read before the attack ends the misdirection (`group-member-limits`).
    let misdirected: CharSet =
        test.members.iter().filter(|&who| state.being(who).misdirected_by.has(on)).collect();
    for by in test.members.iter() {
        notice::attacked(state, by, on, test.success, test.veiled, sink);
        notice::attacked(state, by, defender, test.success, test.veiled, sink);
        threat::attacked(state, by, (on, test.guard), test.success, test.veiled, sink);
    }
    if !test.success {
        // A group's failure is everybody's (`group-burden-gain`).
        for by in test.members.iter() {
            burden::failed(rules, state, by, test.guilty(), sink);
        }
        sink.event(Event::Thwarted { by: Some(test.lead()), on: defender, veiled: test.veiled });
        if !test.veiled {
            let can: CharSet = test
                .members
                .iter()
                .filter(|&by| harm::may_counter(rules, state, defender, by, form, state.range(by, on)))
                .collect();
            state.push(Frame::Counters { by: defender, on: can, at: on });
        }
        return;
    }
    // Every attacker uses the risk from before the attack (`gattack.no-feedback`).
    let effective = risk::effective(rules, state, defender, form);
    script::offer(state, test.members, form, test.veiled);
    if test.is_group() {
        let total: i8 = degrees.iter().sum();
        let mut finals = [0; 3];
        for (i, &own) in degrees.iter().enumerate() {
            let degree = if rules.options.share == Share::Total { total } else { own };
            finals[i] = (degree + effective).max(0);
            let by = test.members.iter().nth(i);
            sink.event(Event::Hit { by, on, degree: finals[i], veiled: test.veiled });
        }
        state.push(Frame::Shares(Shares {
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
    sink.event(Event::Hit { by: Some(by), on, degree, veiled: test.veiled });
    let harm = Harm {
        by: Some(by),
        on,
        form,
        cause: Cause::Attack,
        degree,
        veiled: test.veiled,
        fallback: test.fallback,
        most: harm::MOST_IMPOSED,
        range: state.range(by, on),
        manner: test.arms.manner,
        barred: 0,
    };
    state.push(Frame::Harm(harm));
    if let Some(guard) = test.guard {
        state.push(Frame::Harm(guard::threat_on(harm, guard)));
    }
}

/// What the defender's risk adds to an attack that hits, after the misdirections that
/// the attack ends, as far as a viewer may know: that a misdirection is somebody's omen
/// is for the gamemaster alone, and so is what its end does to their risk.
pub(crate) fn risk_at_hit(
    rules: &Rules,
    state: &State,
    (by, on): (Char, Char),
    (form, veiled): (Form, bool),
    who: Viewer,
) -> Option<i8> {
    let mut then = state.clone();
    threat::attacked(&mut then, by, (on, None), true, veiled, &mut NoSink);
    let ends = then.being(on).misdirected_by != state.being(on).misdirected_by;
    let known = who.is_gm() || !ends || !rules.ominous.has(on);
    known.then(|| risk::effective(rules, &then, on, form))
}

/// A test with all its effects is over.
pub(crate) fn close(rules: &Rules, state: &mut State, test: Test, sink: &mut impl Sink<Event>) {
    state.stack.pop();
    if test.on.is_some() && test.success && !test.guilty() {
        mark::release_pcs(rules, state, test.members, sink);
    }
    if test.success
        && let Some(toward) = test.toward
    {
        approach(state, test.lead(), toward, sink);
    }
    if test.on_turn {
        let next = if is_pvp(rules, &test) { next_side(state, &test) } else { None };
        turn::done(state, next);
    }
    if is_pvp(rules, &test) || (test.on.is_some() && state.is_pvp(rules)) {
        close_pvp(state, sink);
    } else if test.guilty() && !test.quick && !state.is_pvp(rules) {
        let why = if test.is_group() { clause!("group.truth") } else { clause!("intervene.trigger") };
        turn::intervene(state, false, why, sink);
    }
}

/// A test has brought somebody a band nearer (`move.beyond-near`).
fn approach(state: &mut State, who: Char, toward: Char, sink: &mut impl Sink<Event>) {
    // A word may have put them close already.
    if state.range(who, toward) == Band::Close {
        return;
    }
    match state.range(who, toward) {
        Band::Beyond => state.place_at(who, toward, Band::Far),
        Band::Far => state.place_at(who, toward, Band::Near),
        Band::Near | Band::Close => state.close_in(who, toward),
    }
    sink.event(Event::Moved { who, toward, band: state.range(who, toward) });
}

/// The side that goes next after an attack between players (`pvp.next-side`).
fn next_side(state: &State, test: &Test) -> Option<u8> {
    let side_of = if test.guilty() { test.on? } else { test.lead() };
    state.form.map(|_| state.being(side_of).side)
}

/// Between players every second attack, on whomever (`pvp-bystander`), brings an
/// intervention whose saves are quick (`pvp.intervene`).
fn close_pvp(state: &mut State, sink: &mut impl Sink<Event>) {
    // Words that provoke a fight are none of its attacks (`pvp-provoked`).
    if state.form.is_some() && state.pvp_attacks > 0 && state.pvp_attacks.is_multiple_of(2) {
        turn::intervene(state, true, clause!("pvp.intervene"), sink);
    }
}
