//! Scenes: conflicts begin and end, death by marks, rest.

use crate::answer::{Answer, yes_or_no};
use crate::state::{Fate, Frame, Lie, Ranges, State, Test, Venue};
use crate::{
    At, Play, event::Event, mark, notice, save, script, test, threat, turn, view::is_hidden, vocab::*,
};
use fracas_kernel::{Clause, Objections, Sink, Told, Viewer, takes, takes_all};

/// Marks with which a character fades at a scene's end (`death.marks`).
const FADING: usize = 3;

/// A conflict begins. What is readied stays so (`readied-at-start`).
pub(crate) fn begin_conflict(play: &mut Play<'_, impl Sink<Event>>, form: Form) {
    beaten_are_back(play, play.rules.everybody(), Finisher::leaves_there);
    play.state.form = Some(form);
    play.state.ambush = is_decided_in_sight(play.state);
    play.state.pvp_attacks = 0;
    play.event(Event::Conflict(form));
    // No script is in play at first, and nobody has lost composure yet
    // (`script.none-at-start`, `composure-start`).
    script::clear(play);
    script::compose_all(play.state);
}

/// A conflict ends, and every threat with it (`threats-at-scene-end`).
pub(crate) fn end_conflict(play: &mut Play<'_, impl Sink<Event>>) {
    if play.state.form.take().is_none() {
        return;
    }
    play.state.idle = 0;
    play.state.next_side = None;
    play.event(Event::Peace);
    threat::conflict_ends(play);
    script::clear(play);
}

/// Those of these whom such finishers have beaten are beaten no longer (`finisher-lasts`).
fn beaten_are_back(
    play: &mut Play<'_, impl Sink<Event>>,
    all: impl Iterator<Item = Char>,
    of: impl Fn(Finisher) -> bool,
) {
    // What becomes of somebody elsewhere a fiat says.
    let gone = play.state.gone;
    for who in all.filter(|&who| !gone.has(who)) {
        let fate = &mut play.state.being_mut(who).fate;
        if matches!(*fate, Fate::Finished(finisher) if of(finisher)) {
            *fate = Fate::In;
            play.event(Event::Returns(who));
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
pub(crate) fn end_if_decided(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    if play.state.form.is_none() {
        return false;
    }
    // Somebody may have been noticed just now.
    notice::learn(play.rules, play.state);
    let decided = if play.state.ambush { is_decided(play.state) } else { is_decided_in_sight(play.state) };
    let over = decided || play.state.pcs(play.rules).is_empty();
    if over {
        end_conflict(play);
        play.state.push(Frame::Aftermath);
    }
    over
}

/// Who would fade: three marks and more, one of them physical, and no rest at
/// once (`death.marks`, `death.marks-only-subtle`).
pub(crate) fn fading(at: At<'_>) -> CharSet {
    at.rules
        .everybody()
        .filter(|&who| {
            let being = at.state.being(who);
            !matches!(being.fate, Fate::Dead | Fate::Away)
                && !at.state.gone.has(who)
                && being.marks.len() >= FADING
                && !being.physical.is_empty()
        })
        .collect()
}

/// Who of those who fade is asked about next: whom players see comes first, so that their
/// waiting does not tell that somebody unseen fades too.
pub(crate) fn fades_next(state: &State, queue: CharSet) -> Option<Char> {
    queue.minus(state.out_of_sight()).first().or(queue.first())
}

/// The scene ends: readied boons are put away (`boon.duration`), and some may fade. The beaten are back once
/// the next begins (`finisher-lasts`). A burden stays (`burden-lasts`), and so does what
/// lasts a round (`rounds-and-scenes`).
pub(crate) fn end_scene(play: &mut Play<'_, impl Sink<Event>>) {
    end_conflict(play);
    // What came of attacks outside any conflict ends now at the latest.
    threat::conflict_ends(play);
    play.event(Event::SceneEnd);
    for item in play.rules.everything() {
        let place = play.state.place(item);
        if play.rules.improvised.has(item) {
            notice::put_back(play.state, item);
        } else if place.lie == Lie::Readied && !play.rules.gear(item).passive {
            play.state.put(item, place.holder, Lie::Carried);
        }
    }
    turn::renew(play.rules, play.state, play.rules.everybody().collect(), &[Often::Scene]);
    mark::witness(play.state);
    script::clear(play);
    for who in play.rules.everybody() {
        let being = play.state.being_mut(who);
        being.riven = false;
        being.apart = false;
        being.silenced = false;
        being.footing = false;
        // The next scene finds people wherever the gamemaster places them.
        being.ranges = Ranges::default();
        being.heedless_of = CharSet::NONE;
    }
    play.state.push(Frame::Between);
    let queue = fading(play.at());
    if !queue.is_empty() {
        play.state.push(Frame::Fading { queue });
    }
}

/// Some rest: their risk is gone, and marks are chosen next.
pub(crate) fn take_rest(play: &mut Play<'_, impl Sink<Event>>, who: CharSet, rest: Rest) {
    if rest != Rest::Quick {
        keep_from_fading(play, who, Some(rest));
        turn::renew(play.rules, play.state, who, &[Often::Rest]);
        // It is time enough for a disguise (`disguise.time`). To ask of the gamemaster's
        // characters would tell who is disguised (`npc-rest`).
        play.state.push(Frame::Dressing { queue: who.and(play.rules.pcs) });
    }
    for who in who.iter() {
        play.state.being_mut(who).risk = 0;
        play.event(Event::Rested { who, rest });
    }
    play.state.push(Frame::Resting { rest, queue: who });
}

/// Everybody whom players are not shown: nobody is asked about their rest (`rest-unseen`).
fn hidden(at: At<'_>) -> CharSet {
    at.rules.everybody().filter(|&who| is_hidden(at.state, who, Viewer::Spectator)).collect()
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
pub(crate) fn rest_on(play: &mut Play<'_, impl Sink<Event>>, (rest, queue): (Rest, CharSet)) -> bool {
    let Some(who) = queue.first() else {
        play.state.stack.pop();
        return false;
    };
    let (marks, most) = liftable(play.state, who, rest);
    if marks.len() > most && !hidden(play.at()).has(who) {
        return true;
    }
    mark::recover(play, who, marks.iter().take(most).collect(), rest);
    play.state.replace_top(Frame::Resting { rest, queue: queue.without(who) });
    false
}

/// Those of these who were fading are saved by a rest, or by care (`death.marks`).
fn keep_from_fading(play: &mut Play<'_, impl Sink<Event>>, who: CharSet, rest: Option<Rest>) {
    for frame in &mut play.state.stack {
        if let Frame::Fading { queue } = frame {
            queue.and(who).iter().for_each(|who| play.sink.event(Event::Kept { who, rest }));
            *queue = queue.minus(who);
        }
    }
}

/// Whether somebody may take a turn now.
pub(crate) fn waits_for_players(at: At<'_>) -> bool {
    !turn::eligible(at).is_empty()
}

/// What the gamemaster does between declarations.
pub(crate) mod floor {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("The scene is yours: call for a test or a save, begin or end a conflict")
            .why(clause!("core.fundamentals-first"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let rests = at.state.stack.is_empty();
        if rests && at.state.form.is_none() && !is_decided(at.state) {
            Form::ALL.iter().for_each(|&form| each(Answer::Conflict(form)));
        }
        let Venue { people, private, setting, tools } = at.state.venue;
        each(Answer::Place { people, private: !private, setting, tools });
        if at.state.form.is_none() {
            for who in at.state.present().minus(at.rules.pcs).iter() {
                let now = at.state.being(who).disposition;
                for &to in Disposition::ALL.iter().filter(|&&to| (to as i8 - now as i8).abs() == 1) {
                    each(Answer::Dispose { who, to });
                }
            }
        }
        for who in at.state.pcs(at.rules).iter() {
            each(Answer::Danger(CharSet::one(who)));
            for &attribute in Attribute::ALL {
                each(Answer::Call { who, attribute, social: false });
            }
        }
        // What ends something for everybody comes last.
        if rests && at.state.form.is_some() {
            each(Answer::Peace);
        }
        if rests {
            each(Answer::EndScene);
        }
    }

    takes!(
        Answer,
        Answer::Call { .. }
            | Answer::Danger(_)
            | Answer::Conflict(_)
            | Answer::Place { .. }
            | Answer::Dispose { .. }
            | Answer::Peace
            | Answer::EndScene,
        clause!("intervene.kind"),
        "expected call, danger, conflict, place, dispose, peace or end-scene"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Call { who, .. } => {
                if !at.rules.is_pc(who) {
                    out.no(clause!("core.players-roll"), "only players' characters test");
                } else if !at.state.is_in(who) {
                    out.no(clause!("finisher.defeat"), "they take no further part in this conflict");
                }
            }
            Answer::Danger(who) => crate::intervene::object_saver(at, who, out),
            Answer::Conflict(_) if at.state.form.is_some() => {
                out.no(clause!("conflict.forms"), "a conflict is under way: end it first");
            }
            Answer::Conflict(_) if is_decided(at.state) => {
                out.no(clause!("conflict.definition"), "a conflict takes two sides, and only one is here");
            }
            Answer::Peace if at.state.form.is_none() => {
                out.no(clause!("conflict.forms"), "there is no conflict to end");
            }
            Answer::Conflict(_) | Answer::Peace | Answer::EndScene if !at.state.stack.is_empty() => {
                out.no(clause!("conflict-between-turns"), "a turn is under way: let it end first");
            }
            Answer::Dispose { who, .. } if at.rules.is_pc(who) => {
                out.no(clause!("disp.levels"), "how a player's character is disposed is its player's affair");
            }
            Answer::Dispose { .. } if at.state.form.is_some() => {
                out.no(
                    clause!("disp.bribes"),
                    "gifts and favours change it before a conflict or after; in one they only pay for what is \
                     asked",
                );
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Call { who, attribute, social } => {
                play.event(Event::Called(who));
                play.state.push(Frame::Test(Test {
                    social,
                    ..test::declared(CharSet::one(who), [attribute; 3], false)
                }));
            }
            Answer::Danger(who) => {
                let quick = play.state.is_pvp(play.rules);
                play.state.push(Frame::Danger(save::danger(play.rules, None, who, None, quick)));
            }
            Answer::Conflict(form) => begin_conflict(play, form),
            Answer::Place { people, private, setting, tools } => {
                play.state.venue = Venue { people, private, setting, tools };
                play.event(Event::Place(private));
            }
            Answer::Dispose { who, to } => {
                play.state.being_mut(who).disposition = to;
                play.event(Event::Disposed { who, to });
            }
            Answer::Peace => {
                end_conflict(play);
                play.state.push(Frame::Aftermath);
            }
            Answer::EndScene => end_scene(play),
            _ => {}
        }
    }
}

/// Whether somebody struck down dies: the gamemaster confirms a death or withholds it
/// (`death.confirm`).
pub(crate) mod dying {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{} is struck down: do they die?", at.rules.name(who)))
            .why(clause!("death.confirm"))
    }

    yes_or_no!((Char), clause!("death.confirm"));

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Death { .. }) = play.state.stack.pop() else { return };
        if answer == Answer::Yes {
            play.state.being_mut(who).fate = Fate::Dead;
            play.event(Event::Died(who));
        } else {
            // Out of the conflict all the same.
            play.state.being_mut(who).fate = Fate::Finished(Finisher::Unconscious);
            play.event(Event::Spared(who));
        }
    }
}

/// What follows a conflict.
pub(crate) mod aftermath {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("The conflict is over: does the scene go on?")
    }

    takes_all!(
        At<'_>,
        () -> Answer,
        [Answer::GoOn, Answer::EndScene],
        clause!("rest.between-scenes"),
        "expected go-on or end-scene"
    );

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        play.state.stack.pop();
        if answer == Answer::EndScene {
            end_scene(play);
        }
    }
}

/// What becomes of somebody who is fading. A quick rest lifts no mark and so saves nobody
/// (`death-fade-time`).
pub(crate) mod fate {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{} is fading: rest at once, care, or death?", at.rules.name(who)))
            .why(clause!("death.marks"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        [Answer::RestNow(Rest::Short), Answer::RestNow(Rest::Long), Answer::Tend, Answer::Yes]
            .into_iter()
            .for_each(each);
    }

    takes!(
        Answer,
        Answer::RestNow(_) | Answer::Tend | Answer::Yes,
        clause!("death.marks"),
        "expected rest-now, tend, or yes: they fade and die"
    );

    pub(crate) fn object(_: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        if answer == Answer::RestNow(Rest::Quick) {
            out.no(clause!("death-fade-time"), "a quick rest recovers no mark and saves nobody from fading");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        match answer {
            Answer::RestNow(rest) => take_rest(play, CharSet::one(who), rest),
            Answer::Tend => keep_from_fading(play, CharSet::one(who), None),
            _ => {
                play.state.being_mut(who).fate = Fate::Dead;
                play.event(Event::Died(who));
            }
        }
    }
}

/// What happens between scenes.
pub(crate) mod between {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("Between scenes: rest, the next scene, or the end").why(clause!("rest.between-scenes"))
    }

    takes_all!(
        At<'_>,
        () -> Answer,
        [
            Answer::Rest(Rest::Quick),
            Answer::Rest(Rest::Short),
            Answer::Rest(Rest::Long),
            Answer::NextScene,
            Answer::Close,
        ],
        clause!("rest.between-scenes"),
        "between scenes: rest, next-scene or close"
    );

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Rest(rest) => {
                // What the gamemaster's characters do meanwhile is theirs to say (a fiat).
                let all: CharSet = play
                    .rules
                    .pcs
                    .iter()
                    .filter(|&who| !matches!(play.state.being(who).fate, Fate::Dead | Fate::Away))
                    .collect();
                take_rest(play, all, rest);
            }
            Answer::NextScene => {
                play.state.stack.pop();
                play.state.idle = 0;
                play.event(Event::SceneBegins);
                // Of the gamemaster's characters who have left, a fiat says where they are.
                beaten_are_back(play, play.rules.pcs.iter(), |_| true);
                let still_there =
                    |finisher: Finisher| finisher.leaves_there() || finisher == Finisher::Unconscious;
                beaten_are_back(play, play.rules.everybody(), still_there);
            }
            _ => {
                play.state.stack.clear();
                play.state.over = true;
                play.event(Event::Closed);
            }
        }
    }
}

/// Which marks a rest lifts (`rest.short-choice`, `rest.long-choice`).
pub(crate) mod recovery {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, rest: Rest, _: Viewer) -> Told {
        let who = at.rules.name(who);
        Told::new(format!("{who}: which marks does the {rest} rest lift?")).why(clause_of(rest))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, rest: Rest, each: &mut impl FnMut(Answer)) {
        let (marks, most) = liftable(at.state, who, rest);
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

    takes!(Answer, Answer::Recover(_), clause!("rest.long-choice"), "expected the marks to recover");

    pub(crate) fn object(at: At<'_>, who: Char, rest: Rest, answer: Answer, out: &mut impl Objections) {
        let (marks, most) = liftable(at.state, who, rest);
        let clause = clause_of(rest);
        match answer {
            Answer::Recover(chosen) if chosen.iter().any(|mark| !at.state.being(who).marks.has(mark)) => {
                out.no(clause, "they do not bear that mark");
            }
            Answer::Recover(chosen) if chosen.iter().any(|mark| !marks.has(mark)) => {
                out.no(clause, "such a rest does not lift crush or pierce");
            }
            Answer::Recover(chosen) if chosen.len() != most.min(marks.len()) => {
                out.no(clause, "a short rest lifts one mark, a long rest two");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, rest: Rest, answer: Answer) {
        let Answer::Recover(marks) = answer else { return };
        let Some(Frame::Resting { queue, .. }) = play.state.stack.last().copied() else { return };
        mark::recover(play, who, marks, rest);
        play.state.replace_top(Frame::Resting { rest, queue: queue.without(who) });
    }

    /// The clause of the choice that such a rest leaves.
    pub(crate) fn clause_of(rest: Rest) -> Clause {
        if rest == Rest::Short { clause!("rest.short-choice") } else { clause!("rest.long-choice") }
    }
}
