//! Scenes: conflicts begin and end, death by marks, rest.

use crate::{
    answer::Answer,
    event::Event,
    mark, notice,
    rules::Rules,
    save, script,
    state::{Fate, Frame, Lie, Ranges, State, Test, Venue},
    test, threat, turn,
    view::is_hidden,
    vocab::*,
};
use fracas_kernel::{Objections, Sink, Viewer};

/// Marks with which a character fades at a scene's end (`death.marks`).
const FADING: usize = 3;

/// Reasons against what the gamemaster does between declarations.
pub(crate) fn object(rules: &Rules, state: &State, answer: Answer, out: &mut impl Objections) {
    match answer {
        Answer::Call { who, .. } => {
            if !rules.is_pc(who) {
                out.no(clause!("core.players-roll"), "only players' characters test");
            } else if !state.is_in(who) {
                out.no(clause!("finisher.defeat"), "they take no further part in this conflict");
            }
        }
        Answer::Danger(who) => crate::intervene::object_saver(rules, state, who, out),
        Answer::Conflict(_) if state.form.is_some() => {
            out.no(clause!("conflict.forms"), "a conflict is under way: end it first");
        }
        Answer::Conflict(_) if is_decided(state) => {
            out.no(clause!("conflict.definition"), "a conflict takes two sides, and only one is here");
        }
        Answer::Peace if state.form.is_none() => {
            out.no(clause!("conflict.forms"), "there is no conflict to end");
        }
        Answer::Conflict(_) | Answer::Peace | Answer::EndScene if !state.stack.is_empty() => {
            out.no(clause!("conflict-between-turns"), "a turn is under way: let it end first");
        }
        Answer::Conflict(_) | Answer::Peace | Answer::EndScene => {}
        Answer::Place { .. } => {}
        Answer::Dispose { who, .. } if rules.is_pc(who) => {
            out.no(clause!("disp.levels"), "how a player's character is disposed is its player's affair");
        }
        Answer::Dispose { .. } if state.form.is_some() => {
            out.no(
                clause!("disp.bribes"),
                "gifts and favours change it before a conflict or after; in one they only pay for what is asked",
            );
        }
        Answer::Dispose { .. } => {}
        _ => out.no(
            clause!("intervene.kind"),
            "expected call, danger, conflict, place, dispose, peace or end-scene",
        ),
    }
}

/// Lists what the gamemaster can do between declarations.
pub(crate) fn legal(rules: &Rules, state: &State, each: &mut impl FnMut(Answer)) {
    if state.stack.is_empty() {
        match state.form {
            None if is_decided(state) => {}
            None => Form::ALL.iter().for_each(|&form| each(Answer::Conflict(form))),
            Some(_) => each(Answer::Peace),
        }
        each(Answer::EndScene);
    }
    let Venue { people, private, setting, tools } = state.venue;
    each(Answer::Place { people, private: !private, setting, tools });
    if state.form.is_none() {
        for who in state.present().minus(rules.pcs).iter() {
            let now = state.being(who).disposition;
            for &to in Disposition::ALL.iter().filter(|&&to| (to as i8 - now as i8).abs() == 1) {
                each(Answer::Dispose { who, to });
            }
        }
    }
    for who in state.pcs(rules).iter() {
        each(Answer::Danger(CharSet::one(who)));
        for &attribute in Attribute::ALL {
            each(Answer::Call { who, attribute, social: false });
        }
    }
}

/// Carries it out.
pub(crate) fn apply(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    match answer {
        Answer::Call { who, attribute, social } => {
            sink.event(Event::Called(who));
            state.push(Frame::Test(Test {
                social,
                ..test::declared(CharSet::one(who), [attribute; 3], false)
            }));
        }
        Answer::Danger(who) => {
            let quick = state.is_pvp(rules);
            state.push(Frame::Danger(save::danger(rules, None, who, None, quick)));
        }
        Answer::Conflict(form) => begin_conflict(rules, state, form, sink),
        Answer::Place { people, private, setting, tools } => {
            state.venue = Venue { people, private, setting, tools };
            sink.event(Event::Place(private));
        }
        Answer::Dispose { who, to } => {
            state.being_mut(who).disposition = to;
            sink.event(Event::Disposed { who, to });
        }
        Answer::Peace => {
            end_conflict(rules, state, sink);
            state.push(Frame::Aftermath);
        }
        Answer::EndScene => end_scene(rules, state, sink),
        _ => {}
    }
}

/// A conflict begins. What is readied stays so (`readied-at-start`).
pub(crate) fn begin_conflict(rules: &Rules, state: &mut State, form: Form, sink: &mut impl Sink<Event>) {
    beaten_are_back(state, rules.everybody(), Finisher::leaves_there, sink);
    state.form = Some(form);
    state.ambush = is_decided_in_sight(state);
    state.pvp_attacks = 0;
    sink.event(Event::Conflict(form));
    // No script is in play at first, and nobody has lost composure yet
    // (`script.none-at-start`, `composure-start`).
    script::clear(rules, state, sink);
    script::compose_all(state);
}

/// A conflict ends, and every threat with it (`threats-at-scene-end`).
pub(crate) fn end_conflict(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    if state.form.take().is_none() {
        return;
    }
    state.idle = 0;
    state.next_side = None;
    sink.event(Event::Peace);
    threat::conflict_ends(state, sink);
    script::clear(rules, state, sink);
}

/// Those of these whom such finishers have beaten are beaten no longer (`finisher-lasts`).
fn beaten_are_back(
    state: &mut State,
    all: impl Iterator<Item = Char>,
    of: impl Fn(Finisher) -> bool,
    sink: &mut impl Sink<Event>,
) {
    // What becomes of somebody elsewhere a fiat says.
    let gone = state.gone;
    for who in all.filter(|&who| !gone.has(who)) {
        let fate = &mut state.being_mut(who).fate;
        if matches!(*fate, Fate::Finished(finisher) if of(finisher)) {
            *fate = Fate::In;
            sink.event(Event::Returns(who));
        }
    }
}

/// Rounds without a deed after which a scene without a conflict may as well end.
const STALE: u8 = 3;
/// Rounds after which it may end whatever is done.
const LONG: u16 = 40;

/// Whether a scene without a conflict has gone on for long enough.
pub(crate) fn is_stale(state: &State) -> bool {
    state.form.is_none() && (state.idle >= STALE || state.round >= LONG)
}

/// Whether no two of those who take part are opposed.
pub(crate) fn is_decided(state: &State) -> bool {
    is_one_side(state, state.present())
}

/// The same as far as the players can see.
pub(crate) fn is_decided_in_sight(state: &State) -> bool {
    is_one_side(state, state.in_sight())
}

/// The same, leaving out those who have been beaten and are still there.
pub(crate) fn is_decided_among_unbeaten(state: &State) -> bool {
    is_one_side(state, state.in_sight().minus(beaten(state)))
}

/// Those present whom a finisher has beaten.
pub(crate) fn beaten(state: &State) -> CharSet {
    state.present().iter().filter(|&who| state.being(who).fate != Fate::In).collect()
}

/// Whether no two of these are opposed.
pub(crate) fn is_one_side(state: &State, all: CharSet) -> bool {
    all.first().is_none_or(|first| all.iter().all(|other| !state.opposed(first, other)))
}

/// A conflict with one side left, or no player's character, is over. Whom nobody has
/// noticed keeps none going, unless it began so (`unseen-counts`). Gives whether it is.
pub(crate) fn end_if_decided(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) -> bool {
    if state.form.is_none() {
        return false;
    }
    // Somebody may have been noticed just now.
    notice::learn(rules, state);
    let decided = if state.ambush { is_decided(state) } else { is_decided_in_sight(state) };
    let over = decided || state.pcs(rules).is_empty();
    if over {
        end_conflict(rules, state, sink);
        state.push(Frame::Aftermath);
    }
    over
}

/// Who would fade: three marks and more, one of them physical, and no rest at
/// once (`death.marks`, `death.marks-only-subtle`).
pub(crate) fn fading(rules: &Rules, state: &State) -> CharSet {
    rules
        .everybody()
        .filter(|&who| {
            let being = state.being(who);
            !matches!(being.fate, Fate::Dead | Fate::Away)
                && !state.gone.has(who)
                && being.marks.len() >= FADING
                && !being.physical.is_empty()
        })
        .collect()
}

/// The scene ends: readied boons are put away (`boon.duration`), the beaten are back
/// (`finisher-lasts`), and some may fade. A burden stays (`burden-lasts`), and so does what
/// lasts a round (`rounds-and-scenes`).
pub(crate) fn end_scene(rules: &Rules, state: &mut State, sink: &mut impl Sink<Event>) {
    end_conflict(rules, state, sink);
    // What came of attacks outside any conflict ends now at the latest.
    threat::conflict_ends(state, sink);
    sink.event(Event::SceneEnd);
    for item in rules.everything() {
        let place = state.place(item);
        if rules.improvised.has(item) {
            notice::put_back(state, item);
        } else if place.lie == Lie::Readied && !rules.gear(item).passive {
            state.put(item, place.holder, Lie::Carried);
        }
    }
    turn::renew(rules, state, rules.everybody().collect(), &[Often::Scene]);
    mark::witness(state);
    script::clear(rules, state, sink);
    for who in rules.everybody() {
        let being = state.being_mut(who);
        being.riven = false;
        being.apart = false;
        being.silenced = false;
        being.footing = false;
        // The next scene finds people wherever the gamemaster places them.
        being.ranges = Ranges::default();
        being.heedless_of = CharSet::NONE;
    }
    // Of the gamemaster's characters who have left, a fiat says where they are.
    beaten_are_back(state, rules.pcs.iter(), |_| true, sink);
    let still_there = |finisher: Finisher| finisher.leaves_there() || finisher == Finisher::Unconscious;
    beaten_are_back(state, rules.everybody(), still_there, sink);
    state.push(Frame::Between);
    let queue = fading(rules, state);
    if !queue.is_empty() {
        state.push(Frame::Fading { queue });
    }
}

/// Reasons against an answer between scenes.
pub(crate) fn object_between(answer: Answer, out: &mut impl Objections) {
    if !matches!(answer, Answer::Rest(_) | Answer::NextScene | Answer::Close) {
        out.no(clause!("rest.between-scenes"), "between scenes: rest, next-scene or close");
    }
}

/// Carries it out.
pub(crate) fn apply_between(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    match answer {
        Answer::Rest(rest) => {
            // What the gamemaster's characters do meanwhile is theirs to say (a fiat).
            let all: CharSet = rules
                .pcs
                .iter()
                .filter(|&who| !matches!(state.being(who).fate, Fate::Dead | Fate::Away))
                .collect();
            take_rest(rules, state, all, rest, sink);
        }
        Answer::NextScene => {
            state.stack.pop();
            state.idle = 0;
            sink.event(Event::SceneBegins);
        }
        _ => {
            state.stack.clear();
            state.over = true;
            sink.event(Event::Closed);
        }
    }
}

/// Some rest: their risk is gone, and marks are chosen next.
pub(crate) fn take_rest(
    rules: &Rules,
    state: &mut State,
    who: CharSet,
    rest: Rest,
    sink: &mut impl Sink<Event>,
) {
    if rest != Rest::Quick {
        keep_from_fading(state, who, Some(rest), sink);
        turn::renew(rules, state, who, &[Often::Rest]);
        // It is time enough for a disguise (`disguise.time`). To ask of the gamemaster's
        // characters would tell who is disguised (`npc-rest`).
        state.push(Frame::Dressing { queue: who.and(rules.pcs) });
    }
    for who in who.iter() {
        state.being_mut(who).risk = 0;
        sink.event(Event::Rested { who, rest });
    }
    state.push(Frame::Resting { rest, queue: who });
}

/// Everybody whom players are not shown: nobody is asked about their rest (`rest-unseen`).
fn hidden(rules: &Rules, state: &State) -> CharSet {
    rules.everybody().filter(|&who| is_hidden(state, who, Viewer::Spectator)).collect()
}

/// Marks a rest can lift: a short one afflict or stricken, a long one any.
pub(crate) fn liftable(state: &State, who: Char, rest: Rest) -> (MarkSet, usize) {
    let marks = state.being(who).marks;
    match rest {
        Rest::Quick => (MarkSet::NONE, 0),
        Rest::Short => {
            (marks.iter().filter(|mark| matches!(mark, Mark::Afflict | Mark::Stricken)).collect(), 1)
        }
        Rest::Long => (marks, 2),
    }
}

/// Each who rests: recovers what there is no choice about, or is asked.
pub(crate) fn rest_on(
    rules: &Rules,
    state: &mut State,
    (rest, queue): (Rest, CharSet),
    sink: &mut impl Sink<Event>,
) -> bool {
    let Some(who) = queue.first() else {
        state.stack.pop();
        return false;
    };
    let (marks, most) = liftable(state, who, rest);
    if marks.len() > most && !hidden(rules, state).has(who) {
        return true;
    }
    mark::recover(state, who, marks.iter().take(most).collect(), rest, sink);
    rested(state, rest, queue.without(who));
    false
}

fn rested(state: &mut State, rest: Rest, queue: CharSet) {
    if let Some(top) = state.stack.last_mut() {
        *top = Frame::Resting { rest, queue };
    }
}

/// Reasons against the marks chosen.
pub(crate) fn object_recover(
    state: &State,
    who: Char,
    rest: Rest,
    answer: Answer,
    out: &mut impl Objections,
) {
    let (marks, most) = liftable(state, who, rest);
    let clause = if rest == Rest::Short { clause!("rest.short-choice") } else { clause!("rest.long-choice") };
    match answer {
        Answer::Recover(chosen) if chosen.iter().any(|mark| !state.being(who).marks.has(mark)) => {
            out.no(clause, "they do not bear that mark");
        }
        Answer::Recover(chosen) if chosen.iter().any(|mark| !marks.has(mark)) => {
            out.no(clause, "such a rest does not lift crush or pierce");
        }
        Answer::Recover(chosen) if chosen.len() != most.min(marks.len()) => {
            out.no(clause, "a short rest lifts one mark, a long rest two");
        }
        Answer::Recover(_) => {}
        _ => out.no(clause, "expected the marks to recover"),
    }
}

/// Lists the marks that could be chosen.
pub(crate) fn legal_recover(state: &State, who: Char, rest: Rest, each: &mut impl FnMut(Answer)) {
    let (marks, most) = liftable(state, who, rest);
    for (i, first) in marks.iter().enumerate() {
        if most == 1 {
            each(Answer::Recover(MarkSet::NONE.with(first)));
        } else {
            for second in marks.iter().skip(i + 1) {
                each(Answer::Recover(MarkSet::NONE.with(first).with(second)));
            }
        }
    }
}

/// Lifts the marks chosen.
pub(crate) fn recover(state: &mut State, chosen: MarkSet, sink: &mut impl Sink<Event>) {
    let Some(Frame::Resting { rest, queue }) = state.stack.last().copied() else { return };
    let Some(who) = queue.first() else { return };
    mark::recover(state, who, chosen, rest, sink);
    rested(state, rest, queue.without(who));
}

/// Reasons against what becomes of somebody who is fading. A quick rest lifts
/// no mark and so saves nobody (`death-fade-time`).
pub(crate) fn object_fading(answer: Answer, out: &mut impl Objections) {
    match answer {
        Answer::RestNow(Rest::Short | Rest::Long) | Answer::Tend | Answer::Yes => {}
        Answer::RestNow(Rest::Quick) => {
            out.no(clause!("death-fade-time"), "a quick rest recovers no mark and saves nobody from fading");
        }
        _ => out.no(clause!("death.marks"), "expected rest-now, tend, or yes: they fade and die"),
    }
}

/// Carries it out.
pub(crate) fn apply_fading(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    let Some(Frame::Fading { queue }) = state.stack.last().copied() else { return };
    let Some(who) = queue.first() else { return };
    match answer {
        Answer::RestNow(rest) => take_rest(rules, state, CharSet::one(who), rest, sink),
        Answer::Tend => keep_from_fading(state, CharSet::one(who), None, sink),
        _ => {
            state.being_mut(who).fate = Fate::Dead;
            sink.event(Event::Died(who));
        }
    }
}

/// Those of these who were fading are saved by a rest, or by care (`death.marks`).
fn keep_from_fading(state: &mut State, who: CharSet, rest: Option<Rest>, sink: &mut impl Sink<Event>) {
    for frame in &mut state.stack {
        if let Frame::Fading { queue } = frame {
            queue.and(who).iter().for_each(|who| sink.event(Event::Kept { who, rest }));
            *queue = queue.minus(who);
        }
    }
}

/// The gamemaster confirms a death or withholds it (`death.confirm`).
pub(crate) fn death(state: &mut State, yes: bool, sink: &mut impl Sink<Event>) {
    let Some(Frame::Death { who }) = state.stack.pop() else { return };
    if yes {
        state.being_mut(who).fate = Fate::Dead;
        sink.event(Event::Died(who));
    } else {
        // Out of the conflict all the same.
        state.being_mut(who).fate = Fate::Finished(Finisher::Unconscious);
        sink.event(Event::Spared(who));
    }
}

/// What follows a conflict.
pub(crate) fn apply_aftermath(rules: &Rules, state: &mut State, answer: Answer, sink: &mut impl Sink<Event>) {
    state.stack.pop();
    if answer == Answer::EndScene {
        end_scene(rules, state, sink);
    }
}

/// Whether somebody may take a turn now.
pub(crate) fn waits_for_players(rules: &Rules, state: &State) -> bool {
    !turn::eligible(rules, state).is_empty()
}
