//! What is open, and how answers move the table on.

use crate::answer::{Answer, Prompt};
use crate::event::{Event, RollKind};
use crate::state::{Cause, Frame, GroupStep, Harm, SaveStep, State, TestStep};
use crate::{
    At, JudgeTwo, Play, disguise, group, guard, harm, intervene, judging, notice, overtaken, risk,
    rules::Rules, save, scene, script, test, turn, vocab::*,
};
use fracas_kernel::{
    Ask, Asking, Dice, Due, Duty, Move, NoFold, Prompted, Read, Roll, Seat, Seen, Sink, Slot, Viewer, Who,
    Why,
};

/// Who guards? Each seat that could is asked until it has said so.
fn guards(at: At<'_>, (on, by): (Char, Option<Char>), declined: u8, put: &mut impl FnMut(Ask<Prompt>)) {
    let seats = guard::asked(at, on, declined);
    seats.iter().for_each(|seat| put(Ask::may(seat, Prompt::Guard { on, by })));
}

impl Asking for JudgeTwo {
    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
        if at.state.over {
            return Due::Over;
        }
        let gm = Seat::Gm;
        let Some(top) = at.state.top() else {
            if scene::waits_for_players(at) {
                let who = Who::Any(at.rules.player_seats());
                put(Ask { who, duty: Duty::Must, prompt: Prompt::NextTurn });
                put(Ask::may(gm, Prompt::Scene));
            } else {
                put(Ask::must(gm, Prompt::Scene));
            }
            return Due::Asks;
        };
        match top {
            Frame::Turn(turn) => {
                put(Ask::must(at.rules.seat(turn.who), Prompt::Turn(turn.who)));
                put(Ask::may(gm, Prompt::Scene));
            }
            Frame::Deed { who, deed: crate::answer::Deed::Request(of) } => {
                put(Ask::must(gm, Prompt::Request { who: *who, of: *of }));
            }
            Frame::Deed { who, deed } => put(Ask::must(gm, Prompt::Deed { who: *who, deed: *deed })),
            Frame::Group(group) => {
                let mut each = |prompt: fn(Char) -> Prompt| {
                    group.waiting.iter().for_each(|who| put(Ask::must(at.rules.seat(who), prompt(who))));
                };
                match group.step {
                    GroupStep::Aim => put(Ask::must(at.rules.seat(group.lead), Prompt::Aim(group.lead))),
                    GroupStep::Join => {
                        let (lead, members, on) = (group.lead, group.members, group.on);
                        for who in group.waiting.iter() {
                            put(Ask::must(at.rules.seat(who), Prompt::Join { who, lead, members, on }));
                        }
                    }
                    GroupStep::Attributes => each(Prompt::Attribute),
                    GroupStep::Deeds => each(Prompt::GroupDeed),
                    GroupStep::Confirm => {
                        if let Some(who) = group.waiting.first() {
                            put(match group.deeds[judging::place(group.members, who)] {
                                Some(deed) => Ask::must(gm, Prompt::Deed { who, deed }),
                                // The deed before was refused.
                                None => Ask::must(at.rules.seat(who), Prompt::GroupDeed(who)),
                            });
                        }
                    }
                }
            }
            Frame::Test(test) => {
                let lead = test.lead();
                match test.step {
                    TestStep::Settle => {
                        let (members, on, against) = (test.members, test.on, test.against);
                        put(Ask::must(gm, Prompt::Settle { who: lead, members, on, against }));
                    }
                    TestStep::Guard => {
                        if let Some(on) = test.on {
                            guards(at, (on, Some(lead)), test.declined, put);
                        }
                    }
                    TestStep::Roll => {
                        let kind = test::roll_kind(at, test);
                        return dice(at.rules.seat(lead), kind, test.members.len());
                    }
                    TestStep::Judge if !test.is_group() => {
                        put(Ask::must(at.rules.seat(lead), Prompt::Judge(lead)))
                    }
                    TestStep::Judge if test.truth == 0 => {
                        // The others judge for those who are gone.
                        let there = test.members.and(at.state.present());
                        let judges = if there.is_empty() { test.members } else { there };
                        let who = Who::All(at.rules.seats_of(judges));
                        put(Ask { who, duty: Duty::Must, prompt: Prompt::Truth(test.members) });
                    }
                    TestStep::Judge => {
                        for (i, who) in test.members.iter().enumerate() {
                            if test.lights[i] == 0 {
                                put(Ask::must(at.rules.seat(who), Prompt::Light(who)));
                            }
                        }
                    }
                    TestStep::Opening | TestStep::Defence | TestStep::Effects => {}
                }
            }
            Frame::Intervene(intervene) => {
                put(Ask::must(gm, Prompt::Intervene { opening: intervene.opening }));
            }
            Frame::NpcTurn { npc, .. } => put(Ask::must(gm, Prompt::NpcTurn(*npc))),
            Frame::Danger(danger) => put(Ask::must(gm, Prompt::Terms { who: danger.queue, by: danger.by })),
            Frame::Save(save) => {
                let who = save.saver();
                let seat = at.rules.seat(who);
                match save.step {
                    SaveStep::Guard => guards(at, (save.on, save.danger.by), save.declined, put),
                    SaveStep::Essence => {
                        put(Ask::must(seat, Prompt::Essence { who, proposed: save.danger.essence }));
                    }
                    SaveStep::Rule => {
                        put(Ask::must(gm, Prompt::Rule { who, essence: save.essence() }));
                    }
                    SaveStep::Roll => return dice(seat, save::roll_kind(at, save), 1),
                    SaveStep::Judge => put(Ask::must(seat, Prompt::Judge(who))),
                    SaveStep::Effects => {}
                }
            }
            Frame::Harm(harm) => {
                let seat = harm.by.map_or(gm, |by| at.rules.seat(by));
                match (harm.cause, harm.by) {
                    (Cause::Counter, Some(by)) => put(Ask::may(seat, Prompt::Counter { by, on: harm.on })),
                    _ => put(Ask::must(seat, Prompt::Harm { by: harm.by, on: harm.on })),
                }
            }
            Frame::Shares(shares) => {
                let who = Who::Any(at.rules.seats_of(shares.members));
                put(Ask { who, duty: Duty::Must, prompt: Prompt::Order(shares.left) });
            }
            Frame::Counters { by, on, .. } => {
                put(Ask::may(at.rules.seat(*by), Prompt::CounterWhom { by: *by, on: *on }));
            }
            Frame::Death { who } => put(Ask::must(gm, Prompt::Death(*who))),
            Frame::Accept { harm, finisher, .. } => {
                if let Some(seat) = harm::asked_to_accept(at.rules, harm, *finisher) {
                    put(Ask::must(seat, Prompt::Accept { who: harm.on, by: harm.by, finisher: *finisher }));
                }
            }
            Frame::Draw { left, .. } => {
                if let Some(who) = left.first() {
                    put(Ask::may(at.rules.seat(who), Prompt::Draw(who)));
                }
            }
            Frame::Dressing { queue } => {
                if let Some(who) = queue.first() {
                    put(Ask::may(at.rules.seat(who), Prompt::Disguise(who)));
                }
            }
            Frame::Aftermath => put(Ask::must(gm, Prompt::Aftermath)),
            Frame::Fading { queue } => {
                if let Some(who) = scene::fades_next(at.state, *queue) {
                    put(Ask::must(gm, Prompt::Fading(who)));
                }
            }
            Frame::Between => put(Ask::must(gm, Prompt::Between)),
            Frame::Provoked { .. } | Frame::Attacker { .. } => {}
            Frame::Resting { rest, queue } => {
                if let Some(who) = queue.first() {
                    put(Ask::must(at.rules.seat(who), Prompt::Recover { who, rest: *rest }));
                }
            }
        }
        Due::Asks
    }

    fn is_there(at: At<'_>, _: Who, (letter, n): (char, usize)) -> bool {
        match letter {
            Char::LETTER => n < at.rules.cast.len(),
            Item::LETTER => n < at.rules.gear.len(),
            _ => n < at.rules.abilities.len(),
        }
    }

    fn refuse_stray(prompt: Prompt, _: &Answer, (clause, what): Why) -> Why {
        match prompt {
            Prompt::Accept { finisher: Finisher::Provoke, .. } => (clause!("subtle.finisher-provoke"), what),
            Prompt::Recover { rest, .. } => (scene::recovery::clause_of(rest), what),
            _ => (clause, what),
        }
    }

    fn carry_out<S: Sink<Event>>(play: &mut Play<'_, S>, mv: Move<Self>) {
        apply(play, mv.slot(), mv.answer());
    }
}

/// Dice that are due.
fn dice(whose: Seat, kind: RollKind, members: usize) -> Due<NoFold> {
    let dice = Dice::of(judging::dice(kind, members), 6);
    Due::Roll(Roll { whose, seen: Seen::Openly, dice, read: Read::Sorted })
}

/// Carries out an answer that was allowed.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, slot: Slot, answer: Answer) {
    let Some(ask) = JudgeTwo::ask_at(play.at(), slot) else { return };
    then_settle(play, |play| ask.prompt.apply(play, ask.who, answer));
}

/// Does something, and all that follows by itself.
fn then_settle<'a, S: Sink<Event>>(play: &mut Play<'a, S>, does: impl FnOnce(&mut Play<'a, S>)) {
    let (before, pcs) = (omens(play.at()), notice::watchers(play.at()));
    does(play);
    let before = tell_omens(play, before);
    settle(play);
    notice::keep(play.rules, play.state, pcs);
    notice::leave(play);
    tell_omens(play, before);
}

/// Takes the dice that were due.
pub(crate) fn roll(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    then_settle(play, |play| match play.state.top() {
        Some(Frame::Test(_)) => test::roll(play, faces),
        Some(Frame::Save(_)) => save::roll(play, faces),
        _ => {}
    });
}

/// The form of the attack under way.
pub(crate) fn attack_form(state: &State) -> Form {
    let form = state.stack.iter().rev().find_map(|frame| match frame {
        Frame::Test(test) => test.form,
        _ => None,
    });
    form.or(state.form).unwrap_or(Form::Martial)
}

/// The counterattack on one of those who attacked together.
pub(crate) fn counter_of(state: &State, counters: &Frame, on: Char) -> Option<Harm> {
    let Frame::Counters { by, at, .. } = *counters else { return None };
    Some(harm::counter(by, on, attack_form(state), state.range(on, at)))
}

pub(crate) fn harm_chosen(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    let Some(Frame::Harm(harm)) = play.state.stack.pop() else { return };
    if answer == Answer::Pass {
        return;
    }
    if let Answer::Finisher { finisher, release } = answer
        && harm::asked_to_accept(play.rules, &harm, finisher).is_some()
    {
        play.state.push(Frame::Accept { harm, finisher, release });
        return;
    }
    take_effect(play, harm, answer);
}

/// A finisher that has conditions takes, or something else is chosen.
pub(crate) fn accepted(play: &mut Play<'_, impl Sink<Event>>, yes: bool) {
    let Some(Frame::Accept { mut harm, finisher, release }) = play.state.stack.pop() else { return };
    if yes {
        take_effect(play, harm, Answer::Finisher { finisher, release });
    } else {
        harm.barred |= 1 << finisher as u16;
        play.event(Event::Withstands { who: harm.on, finisher });
        play.state.push(Frame::Harm(harm));
    }
}

/// The effect chosen comes about.
fn take_effect(play: &mut Play<'_, impl Sink<Event>>, harm: Harm, answer: Answer) {
    if harm.cause == Cause::Counter
        && let Some(by) = harm.by
    {
        play.event(Event::Counter { by, on: harm.on });
    }
    let used = harm::carry_out(play, harm, answer);
    if let Some(Frame::Shares(shares)) =
        play.state.stack.iter_mut().rev().find(|f| matches!(f, Frame::Shares(_)))
    {
        shares.risk = shares.risk.saturating_sub(used);
    }
}

/// Nemeses who take part and whose omen is met.
pub(crate) fn omens(at: At<'_>) -> CharSet {
    at.rules.ominous.iter().filter(|&who| at.state.is_in(who) && at.state.omen_met(at.rules, who)).collect()
}

/// Says which omens have come to be met, or to lapse, since `before`; of somebody who is
/// back, that theirs is met (`omen-of-the-beaten`). Gives those that are met now.
pub(crate) fn tell_omens(play: &mut Play<'_, impl Sink<Event>>, before: CharSet) -> CharSet {
    let now = omens(play.at());
    let changed = now.minus(before).or(before.minus(now)).iter();
    let changed: CharSet = changed.filter(|&who| play.state.is_in(who)).collect();
    for who in changed.iter() {
        play.event(Event::Omen { who, met: now.has(who) });
        // Risk that was ignored counts again (`omen-ignored-risk`).
        if now.has(who) && risk::is_critical(play.at(), who) {
            play.event(Event::Critical(who));
            disguise::breaks(play, who);
        }
    }
    now
}

/// Moves on until somebody must be asked or dice are due.
///
/// Every round of the loop pops a frame or takes one a step further, so it
/// ends; the bound is a guard against a mistake here.
pub(crate) fn settle(play: &mut Play<'_, impl Sink<Event>>) {
    for _ in 0..256 {
        if !step(play) {
            break;
        }
    }
}

/// One step that needs nobody; false where somebody is asked.
fn step(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let Some(top) = play.state.stack.last().copied() else {
        return turn::complete_round(play) || scene::end_if_decided(play);
    };
    if overtaken::keep_up(play) {
        return true;
    }
    match top {
        Frame::Turn(turn) if turn.done || !play.state.is_in(turn.who) => turn::end(play.state, turn),
        Frame::Group(group) if group.step != GroupStep::Aim && group.waiting.is_empty() => {
            group::go_on(play, group);
        }
        Frame::Test(test) => match test.step {
            TestStep::Opening => test::reopen(play, test),
            TestStep::Guard => {
                let nobody = match test.on {
                    Some(on) if !test.veiled => guard::asked(play.at(), on, test.declined).is_empty(),
                    _ => true,
                };
                if nobody && let Some(Frame::Test(test)) = play.state.stack.last_mut() {
                    test.step = TestStep::Roll;
                }
                return nobody;
            }
            TestStep::Judge if test.is_group() => {
                let all = test.lights[..test.members.len()].iter().all(|&light| light != 0);
                if all {
                    test::judge_group(play);
                }
                return all;
            }
            TestStep::Judge => match judging::only_way(test.dice) {
                Some((light, truth)) => test::judge(play, light, truth),
                None => return false,
            },
            TestStep::Defence | TestStep::Effects => test::close(play, test),
            TestStep::Settle | TestStep::Roll => return false,
        },
        Frame::Intervene(intervene) if intervene.chosen => intervene::go_on(play, intervene),
        Frame::NpcTurn { npc, .. } if !play.state.is_in(npc) => play.state.pop(),
        Frame::Danger(danger) if danger.queue.is_empty() => intervene::danger_over(play, danger),
        Frame::Danger(danger) if danger.settled => save::next(play.state),
        Frame::Save(save) => match save.step {
            SaveStep::Guard => {
                let nobody = guard::asked(play.at(), save.on, save.declined).is_empty();
                if nobody && let Some(Frame::Save(save)) = play.state.stack.last_mut() {
                    save.step = SaveStep::Essence;
                }
                return nobody;
            }
            SaveStep::Judge => match judging::only_way(save.dice) {
                Some((light, truth)) => save::judge(play, light, truth),
                None => return false,
            },
            SaveStep::Effects => play.state.pop(),
            SaveStep::Essence | SaveStep::Rule | SaveStep::Roll => return false,
        },
        Frame::Harm(harm) => {
            // Of a brute that another of the group has finished the threat may
            // still spread to its fellows.
            let spreads = play.rules.sheet(harm.on).kind == Kind::Brute && harm.cause == Cause::Attack;
            if !play.state.is_in(harm.on) && !spreads {
                play.state.stack.pop();
                // Of a group it is told once.
                let told = matches!(play.state.top(), Some(Frame::Shares(shares))
                    if overtaken::is_lost(play.at(), shares));
                if harm.cause != Cause::Counter && !told {
                    play.event(Event::Unaffected { who: harm.on, why: clause!("finisher.defeat") });
                }
                return true;
            }
            // Where there is just one thing to impose, nobody is asked.
            let (mut only, mut count) = (Answer::Pass, 0);
            harm::legal(play.at(), &harm, &mut |answer| {
                only = answer;
                count += 1;
            });
            debug_assert!(count > 0, "nothing is listed of {harm:?}");
            // Who can only decline is asked like others (`asked-in-sight`).
            if count > 1 || harm.cause == Cause::Counter {
                return false;
            }
            harm_chosen(play, only);
        }
        Frame::Shares(shares) => match (shares.left.len(), shares.left.first()) {
            (1, Some(who)) => group::next_share(play.state, who),
            (0, _) => play.state.pop(),
            _ => return false,
        },
        Frame::Counters { by, on, at } => {
            let nemesis = play.rules.sheet(by).kind == Kind::Nemesis;
            match on.first() {
                None => play.state.pop(),
                // A nemesis counters every one of them (`nemesis.counter-all`).
                Some(who) if nemesis || on.len() == 1 => {
                    let left = if nemesis { on.without(who) } else { CharSet::NONE };
                    play.state.replace_top(Frame::Counters { by, on: left, at });
                    if let Some(harm) = counter_of(play.state, &top, who) {
                        play.state.push(Frame::Harm(harm));
                    }
                }
                Some(_) => return false,
            }
        }
        Frame::Accept { harm, .. } if !play.state.is_in(harm.on) => play.state.pop(),
        // Nobody is there to fight (`provoker-gone`).
        Frame::Accept { harm, finisher: Finisher::Provoke, .. }
            if harm.by.is_some_and(|by| !play.state.can_provoke(by)) =>
        {
            accepted(play, false);
        }
        // Who may draw nothing is not asked.
        Frame::Draw { left, veiled } => match left.first() {
            None => play.state.pop(),
            Some(who) if !script::may_draw(play.at(), who, veiled) => {
                play.state.replace_top(Frame::Draw { left: left.without(who), veiled });
            }
            Some(_) => return false,
        },
        Frame::Dressing { queue } => match queue.first() {
            None => play.state.pop(),
            Some(who) if !disguise::can_dress(play.at(), who) => disguise::dressed(play.state),
            Some(_) => return false,
        },
        Frame::Fading { queue } if queue.is_empty() => play.state.pop(),
        Frame::Attacker { .. } => play.state.pop(),
        Frame::Provoked { .. } => harm::fight(play),
        Frame::Resting { rest, queue } => {
            return !scene::rest_on(play, (rest, queue));
        }
        _ => return false,
    }
    true
}

/// The table without the doings of unseen characters that are under way: a player who waits
/// must not learn of them by the asks. `None` if everybody can see all that is under way.
pub(crate) fn without_unseen(at: At<'_>) -> Option<State> {
    let unseen = |who: Char| at.state.out_of_sight().has(who);
    let out_of_sight = |frame: &Frame| match *frame {
        // A character who has been given a turn shows once they act (`npc-veiled-visible`).
        Frame::NpcTurn { npc, open, .. } => !open || unseen(npc),
        Frame::Draw { left, veiled } => {
            left.first().is_some_and(|who| unseen(who) || (veiled && !at.rules.is_pc(who)))
        }
        Frame::Fading { queue } => scene::fades_next(at.state, queue).is_some_and(unseen),
        Frame::Resting { queue, .. } => queue.first().is_some_and(unseen),
        Frame::Death { who } => unseen(who),
        // Of it nobody is asked anything.
        Frame::Attacker { .. } => true,
        _ => false,
    };
    let shown = at.state.stack.iter().rposition(|frame| !out_of_sight(frame)).map_or(0, |n| n + 1);
    (shown < at.state.stack.len()).then(|| {
        let mut state = at.state.clone();
        state.stack.truncate(shown);
        state
    })
}

/// What play waits for.
pub(crate) fn awaited(at: At<'_>) -> Option<Prompt> {
    let mut found = None;
    JudgeTwo::each_ask(at, &mut |ask| {
        if ask.duty == Duty::Must && found.is_none() {
            found = Some(ask.prompt);
        }
    });
    found
}

/// Whom what is under way is about, of the gamemaster's characters, as far as the viewer
/// can see: a veiled attack does not show whose it is, and who rests or fades is where they
/// are.
pub(crate) fn involved(state: &State, viewer: Viewer) -> CharSet {
    let sees = |veiled: bool| viewer.is_gm() || !veiled;
    let by = |by: Option<Char>| by.map_or(CharSet::NONE, CharSet::one);
    let of = |frame: &Frame| match *frame {
        Frame::Death { who } => CharSet::one(who),
        Frame::Danger(danger) => by(danger.by.filter(|_| sees(danger.veiled))),
        Frame::Save(save) => by(save.danger.by.filter(|_| sees(save.danger.veiled))),
        Frame::Test(test) => by(test.on).or(by(test.guard)).or(by(test.against)),
        Frame::Harm(harm) | Frame::Accept { harm, .. } => {
            by(harm.by.filter(|_| sees(harm.veiled))).with(harm.on)
        }
        Frame::Shares(shares) => by(shares.guard).with(shares.on),
        Frame::Counters { by, .. } => CharSet::one(by),
        Frame::NpcTurn { npc: who, .. } if viewer.is_gm() => CharSet::one(who),
        Frame::Draw { left: queue, .. } | Frame::Resting { queue, .. } | Frame::Fading { queue }
            if viewer.is_gm() =>
        {
            queue
        }
        _ => CharSet::NONE,
    };
    state.stack.iter().map(of).fold(CharSet::NONE, CharSet::or)
}

/// Replaces a gamemaster's character, whose veiled attack the players cannot see, by another.
pub(crate) fn scramble_lurker(rules: &Rules, state: &mut State, seed: u64) {
    let candidates = state.present().minus(rules.pcs);
    let mut put = None;
    for at in 0..state.stack.len() {
        let lurker = match &state.stack[at] {
            Frame::NpcTurn { npc, open: false, .. } => Some(*npc),
            Frame::Danger(danger) if danger.veiled => danger.by,
            _ => None,
        };
        // An attack is by the same character as the turn below it.
        let Some(lurker) = lurker.filter(|_| lurker != put) else { continue };
        let others = candidates.without(lurker);
        let pick = others.iter().nth(seed as usize % others.len().max(1));
        let Some(other) = pick else { continue };
        put = Some(other);
        let same = |by: &mut Option<Char>| {
            if *by == Some(lurker) {
                *by = Some(other);
            }
        };
        for frame in &mut state.stack[at..] {
            match frame {
                Frame::NpcTurn { npc, open: false, .. } if *npc == lurker => *npc = other,
                Frame::Danger(danger) if danger.veiled => same(&mut danger.by),
                Frame::Save(save) if save.danger.veiled && !save.pvp => same(&mut save.danger.by),
                Frame::Harm(harm) if harm.veiled => same(&mut harm.by),
                Frame::Draw { left, veiled: true } if left.has(lurker) => {
                    *left = left.without(lurker).with(other);
                }
                _ => {}
            }
        }
    }
}
