//! The open floor, turns, conflict scenes and what a scene's end does
//! (`ext.turns`, `ext.scene-place`, `fortune.next-scene`, `writhing.same-scene`).

use crate::act::{self, Manner};
use crate::effect::{Effect, Lasts, Removal, Verb};
use crate::rules::{Harm, Rules};
use crate::state::{Action, Being, Call, Die, Fortunes, Live, MAX_LIVE, State, Step};
use crate::{At, Play, answer::Answer, boons, event::Event, impose, settle, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Objections, Sink, Told, Viewer, takes};

/// The turns that count now: outside a conflict the gamemaster leads.
pub(crate) fn turns(at: At<'_>) -> Turns {
    if at.state.conflict.is_some() { at.rules.turns } else { Turns::Free }
}

/// Whether a player's character may act now.
pub(crate) fn may_act(at: At<'_>, who: Char) -> bool {
    at.rules.is_pc(who)
        && at.state.is_in(who)
        && match at.state.call {
            Call::Open => true,
            Call::One(one) => one == who,
            Call::First => waiting(at, None).has(who),
            Call::Players(but) => waiting(at, but).has(who),
            Call::Gm => false,
        }
}

/// The players' characters who can take the floor, but for this one if there is
/// another.
fn waiting(at: At<'_>, but: Option<Char>) -> CharSet {
    let all = still_to_act(at);
    let others = but.map_or(all, |but| all.without(but));
    if others.is_empty() { all } else { others }
}

/// The players' characters who can still act: in rounds, once each.
fn still_to_act(at: At<'_>) -> CharSet {
    let alternate = turns(at) == Turns::Alternate;
    let free = |&who: &Char| at.state.is_in(who) && !(alternate && at.state.acted.has(who));
    at.rules.pcs.iter().filter(free).collect()
}

/// Whether somebody has a major action left this round.
pub(crate) fn has_major(at: At<'_>, who: Char) -> bool {
    turns(at) != Turns::Alternate || at.state.being(who).majors > 0
}

/// Whether somebody has a minor action left this round.
pub(crate) fn has_minor(at: At<'_>, who: Char) -> bool {
    turns(at) != Turns::Alternate || at.state.being(who).minors > 0
}

/// The gamemaster's characters who can still act this round.
fn ready_npcs(at: At<'_>) -> CharSet {
    let foes = foes(at);
    if turns(at) == Turns::Alternate { foes.minus(at.state.acted) } else { foes }
}

/// The foes who take part.
fn foes(at: At<'_>) -> CharSet {
    let is_foe = |&who: &Char| !at.rules.is_pc(who) && at.state.is_in(who) && at.state.being(who).hostile;
    at.rules.everybody().filter(is_foe).collect()
}

pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
    let what = "The scene is yours: give the floor, call for a roll, end the scene";
    Told::new(what).why(clause!("kind.gm-calls"))
}

/// Lists what the gamemaster can have happen.
pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
    let pcs = || at.rules.pcs.iter().filter(|&who| at.state.is_in(who));
    let npcs = || at.rules.everybody().filter(|&who| !at.rules.is_pc(who) && !at.state.being(who).away);
    pcs().for_each(|who| each(Answer::Floor(who)));
    pcs().for_each(|who| each(Answer::Test { who, on: None }));
    let hostile =
        |yes: bool| npcs().filter(move |&npc| at.state.is_in(npc) && at.state.being(npc).hostile == yes);
    for by in hostile(true).chain(hostile(false)) {
        for on in pcs() {
            match at.state.conflict {
                Some(_) => each(Answer::Assault { by, on }),
                None => each(Answer::Save { on: CharSet::one(on), by: Target::Char(by), shake: None }),
            }
        }
    }
    for npc in npcs().filter(|&npc| at.state.is_in(npc)) {
        for (cause, _, by) in at.state.shakeable(npc, Label::Major) {
            let (on, by) = (by.map_or(CharSet::NONE, CharSet::one), Target::Char(npc));
            each(Answer::Save { on, by, shake: Some(cause) });
        }
    }
    for by in at.state.hazards.iter().map(Target::Hazard).chain([Target::Surroundings]) {
        pcs().for_each(|on| each(Answer::Save { on: CharSet::one(on), by, shake: None }));
        let there = |who: &Char| match by {
            Target::Hazard(hazard) => at.state.hazard_near(at.rules, hazard, *who),
            _ => true,
        };
        let all: CharSet = pcs().filter(there).collect();
        if all.len() > 1 {
            each(Answer::Save { on: all, by, shake: None });
        }
    }
    for npc in npcs() {
        each(Answer::Notice(npc));
        each(Answer::Hostile { who: npc, hostile: !at.state.being(npc).hostile });
        boons::deeds(at, npc, &mut |deed| each(Answer::Minor { who: npc, deed }));
    }
    if at.rules.zones.len() > 1 {
        for who in pcs() {
            at.rules.all_zones().for_each(|zone| each(Answer::Place { who, zone }));
        }
    }
    Conflict::ALL.iter().for_each(|&conflict| each(Answer::Conflict(conflict)));
    [Answer::Peace, Answer::NextRound, Answer::NextScene, Answer::Close].into_iter().for_each(each);
}

takes!(
    Answer,
    Answer::Floor(_)
        | Answer::Test { .. }
        | Answer::Save { .. }
        | Answer::Assault { .. }
        | Answer::Conflict(_)
        | Answer::Peace
        | Answer::NextRound
        | Answer::NextScene
        | Answer::Close
        | Answer::Place { .. }
        | Answer::Notice(_)
        | Answer::Hostile { .. }
        | Answer::Minor { .. },
    clause!("kind.gm-calls"),
    "expected what happens in the scene: the floor, a test, a save, an attack, a scene's end",
);

/// Collects the reasons against what the gamemaster would have happen.
pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
    let pc_here = |who: Char| at.rules.is_pc(who) && at.state.is_in(who);
    let npc_here = |who: Char| !at.rules.is_pc(who) && at.state.is_in(who);
    match answer {
        Answer::Floor(who) | Answer::Test { who, .. } if !pc_here(who) => {
            out.no(clause!("roll.players-only"), "only a player's character who takes part acts and rolls");
        }
        Answer::Floor(who) => {
            if at.state.call == Call::One(who) {
                out.no(clause!("ext.turns"), "they have the floor already");
            } else if turns(at) == Turns::Alternate && at.state.acted.has(who) {
                out.no(clause!("ext.turns"), "they have acted this round");
            }
        }
        Answer::Test { who, on } => object_target(at.state, Some(who), on, out),
        Answer::Save { on, by, shake } => {
            let holder = |cause| at.state.shaken_by(by.char()?, Label::Major, cause)?.1;
            match shake.map(holder) {
                Some(Some(holder)) if !at.rules.is_pc(holder) => out.no(
                    clause!("held-by-a-player"),
                    "one of the gamemaster's characters laid that on them: only the gamemaster ends it",
                ),
                Some(holder) if holder.is_none_or(|holder| on != CharSet::one(holder)) => out.no(
                    clause!("held-by-a-player"),
                    "what a player's character has laid on somebody is shaken off against that character's save",
                ),
                _ => {}
            }
            if on.is_empty() || on.iter().any(|who| !pc_here(who)) {
                let what = "players' characters who take part save, and nobody else";
                out.no(clause!("save.target-rolls"), what);
            }
            match by {
                Target::Char(npc) if at.rules.is_pc(npc) => {
                    out.no(clause!("save.def"), "a save is against another's character or the surroundings");
                }
                Target::Char(npc) => object_npc(at, npc, Some(on).filter(|_| shake.is_none()), out),
                Target::Hazard(hazard) if at.state.hazards.has(hazard) => {
                    if !on.iter().all(|who| at.state.hazard_near(at.rules, hazard, who)) {
                        out.no(clause!("ext.scene-place"), "that hazard is in another part of the scene");
                    }
                }
                _ => object_target(at.state, None, Some(by), out),
            }
        }
        Answer::Assault { by, on } => {
            if at.state.conflict.is_none() {
                out.no(clause!("bad.action"), "attacks and defences exist only in a conflict scene");
            }
            if !pc_here(on) {
                out.no(clause!("save.target-rolls"), "a player's character who takes part defends");
            }
            if at.rules.is_pc(by) {
                out.no(clause!("action.attack-npc"), "a player's character attacks by a test of its own");
            } else {
                object_npc(at, by, Some(CharSet::one(on)), out);
            }
        }
        Answer::Conflict(_) if at.state.conflict.is_some() => {
            out.no(clause!("ext.turns"), "a conflict scene is under way");
        }
        Answer::Peace if at.state.conflict.is_none() => {
            out.no(clause!("ext.turns"), "there is no conflict scene to end");
        }
        Answer::NextRound => {
            if turns(at) != Turns::Alternate || at.state.call != Call::Gm {
                out.no(clause!("ext.turns"), "a round ends with the gamemaster's part of it");
            } else if !still_to_act(at).is_empty() {
                out.no(clause!("ext.turns"), "players' characters have not acted yet: give them the floor");
            }
        }
        Answer::Place { who, zone } => {
            if at.state.being(who).away {
                out.no(clause!("ext.scene-place"), "they are not in this scene");
            } else if at.state.being(who).zone == zone {
                out.no(clause!("ext.scene-place"), "they are there already");
            }
        }
        Answer::Notice(who) if !npc_here(who) || !at.state.being(who).unaware => {
            out.no(clause!("tn-tailing-spy"), "there is nothing that they have not noticed");
        }
        Answer::Hostile { who, hostile } => {
            if at.rules.is_pc(who) || at.state.being(who).away {
                let what = "only the gamemaster's characters in the scene are hostile or not";
                out.no(clause!("attention"), what);
            } else if at.state.being(who).hostile == hostile {
                out.no(clause!("attention"), "that is how they are");
            }
        }
        Answer::Minor { who, deed } => {
            if at.rules.is_pc(who) {
                out.no(clause!("action.minor"), "players say what their own characters do");
            }
            if at.state.being(who).away || at.state.being(who).out {
                out.no(clause!("action.minor"), "they take no part in this scene");
            }
            match (turns(at), at.state.call) {
                (Turns::Alternate, Call::First | Call::Gm) if at.state.being(who).minors == 0 => {
                    out.no(clause!("ext.turns"), "they have no minor action left this round");
                }
                (Turns::Alternate, Call::Open | Call::One(_) | Call::Players(_)) => {
                    out.no(clause!("ext.turns"), "the players have the floor");
                }
                _ => {}
            }
            boons::object_deed(at, who, deed, out);
        }
        _ => {}
    }
}

/// What speaks against acting on this, or against its doing something.
pub(crate) fn object_target(state: &State, who: Option<Char>, on: Option<Target>, out: &mut impl Objections) {
    match on {
        Some(Target::Char(other)) if Some(other) == who => {
            out.no(clause!("action.contested"), "nobody acts against themself");
        }
        Some(Target::Char(other)) if !state.is_in(other) => {
            out.no(clause!("ext.scene-place"), "they take no part in this scene");
        }
        Some(Target::Hazard(hazard)) if !state.hazards.has(hazard) => {
            out.no(clause!("ext.scene-place"), "there is no such hazard in this scene");
        }
        _ => {}
    }
}

/// Collects the reasons against an action of a gamemaster's character. `on` is `None` if the
/// character only breaks free.
fn object_npc(at: At<'_>, npc: Char, on: Option<CharSet>, out: &mut impl Objections) {
    if !at.state.is_in(npc) {
        out.no(clause!("ext.scene-place"), "they take no part in this scene");
    }
    match (turns(at), at.state.call) {
        (Turns::Free, _) | (Turns::TruthCall, Call::Gm) => {}
        (Turns::Alternate, Call::First | Call::Gm) if !at.state.acted.has(npc) => {}
        (Turns::Alternate, Call::First | Call::Gm) => {
            out.no(clause!("ext.turns"), "they have acted this round")
        }
        _ => out.no(clause!("ext.turns"), "the players have the floor"),
    }
    // Characters who draw attention are attacked (`guilt.raise-attention`, `attention`).
    let drawn = |&who: &Char| at.state.is_under(who, Verb::Attention) && at.state.near(npc, who);
    let drawn: CharSet = at.rules.pcs.iter().filter(drawn).collect();
    let spared = on.is_some_and(|on| on.and(drawn).is_empty());
    if at.state.being(npc).hostile && !drawn.is_empty() && spared {
        out.no(clause!("guilt.raise-attention"), "hostile attention is on another character nearby");
    }
}

/// Carries out what the gamemaster has happen.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    match answer {
        Answer::Floor(who) => {
            play.state.call = Call::One(who);
            play.event(Event::Floor(who));
        }
        Answer::Test { who, on } => {
            play.event(Event::Called { who, on });
            let action = Action { target: on, ..act::plain(who, Kind::Test, Step::Settle) };
            play.state.action = Some(act::as_usual(play.at(), action));
        }
        Answer::Save { on, by, shake } => threaten(play, on, by, (Manner::Plain, shake)),
        Answer::Assault { by, on } => {
            threaten(play, CharSet::one(on), Target::Char(by), (Manner::Attack, None));
        }
        Answer::Conflict(conflict) => begin_conflict(play, conflict),
        Answer::Peace => peace(play),
        Answer::NextRound => next_round(play),
        Answer::NextScene => next_scene(play),
        Answer::Close => {
            play.state.over = true;
            play.event(Event::Closed);
        }
        Answer::Place { who, zone } => place(play, who, zone),
        Answer::Notice(who) => {
            play.state.being_mut(who).unaware = false;
            play.event(Event::Noticed(who));
        }
        Answer::Hostile { who, hostile } => {
            play.state.being_mut(who).hostile = hostile;
            play.event(Event::Hostile { who, hostile });
        }
        Answer::Minor { who, deed } => {
            boons::act(play, who, deed);
            spend_minor(play.rules, play.state, who);
        }
        _ => {}
    }
}

fn threaten(
    play: &mut Play<'_, impl Sink<Event>>,
    who: CharSet,
    by: Target,
    (manner, shake): (Manner, Option<Cause>),
) {
    let Some(first) = who.first() else { return };
    let attack = manner == Manner::Attack;
    play.event(Event::Threatened { who, by, attack, shake });
    let fresh = act::plain(first, Kind::Save, Step::Terms);
    let action = Action { target: Some(by), attack, shake, queue: who, ..fresh };
    play.state.action = Some(act::as_usual(play.at(), action));
}

/// Somebody is in a zone now.
pub(crate) fn place(play: &mut Play<'_, impl Sink<Event>>, who: Char, zone: Zone) {
    play.state.being_mut(who).zone = zone;
    play.event(Event::Placed { who, zone });
}

/// A minor action is done.
pub(crate) fn spend_minor(rules: &Rules, state: &mut State, who: Char) {
    if turns(At { rules, state }) == Turns::Alternate {
        let being = state.being_mut(who);
        being.minors = being.minors.saturating_sub(1);
        match rules.is_pc(who) {
            true => finished(state, who),
            false => take_floor(state),
        }
    }
}

/// A character with nothing left to do this round has acted, and the players have the floor
/// again.
fn finished(state: &mut State, who: Char) {
    if state.being(who).majors == 0 && state.being(who).minors == 0 {
        state.acted = state.acted.with(who);
    }
    if state.acted.has(who) || state.call == Call::First {
        state.call = Call::Players(None);
    }
}

/// One of the gamemaster's characters acts; in rounds it has acted once it has no major
/// action left.
pub(crate) fn npc_acts(rules: &Rules, state: &mut State, npc: Char) {
    let alternate = turns(At { rules, state }) == Turns::Alternate;
    let being = state.being_mut(npc);
    being.majors = being.majors.saturating_sub(alternate.into());
    if !alternate || being.majors == 0 {
        state.acted = state.acted.with(npc);
    }
    take_floor(state);
}

/// At the start of a round the gamemaster's side takes the floor as one of it acts.
fn take_floor(state: &mut State) {
    if state.call == Call::First {
        state.call = Call::Gm;
    }
}

/// What one of the gamemaster's characters did is as if it had not been (`cancel-gives-back`).
pub(crate) fn npc_has_not_acted(rules: &Rules, state: &mut State, npc: Char) {
    state.acted = state.acted.without(npc);
    if turns(At { rules, state }) == Turns::Alternate {
        let being = state.being_mut(npc);
        being.majors = being.majors.saturating_add(1).min(9);
        let untouched = state.cast.iter().all(|being| being.majors > 0 && being.minors > 0);
        if state.call == Call::Gm && state.acted.is_empty() && untouched {
            state.call = Call::First;
        }
    }
}

/// A character who has acted has no action left this round; the gamemaster's keep a minor
/// action.
pub(crate) fn leave_nothing(rules: &Rules, state: &mut State) {
    if turns(At { rules, state }) != Turns::Alternate {
        return;
    }
    for who in state.acted.iter() {
        let being = state.being_mut(who);
        being.majors = 0;
        if rules.is_pc(who) {
            being.minors = 0;
        }
    }
}

/// A player's character is done: the floor goes on.
pub(crate) fn done(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.event(Event::Done(who));
    play.state.beats = play.state.beats.saturating_add(1);
    play.state.acted = play.state.acted.with(who);
    match turns(play.at()) {
        Turns::Free => play.state.call = Call::Open,
        Turns::Alternate => {
            leave_nothing(play.rules, play.state);
            play.state.call = Call::Players(None);
        }
        Turns::TruthCall => call_gm(play),
    }
}

fn call_gm(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.call = Call::Gm;
    play.event(Event::GmCall);
}

/// The players' side goes on; the gamemaster does where none of them can.
fn call_players(play: &mut Play<'_, impl Sink<Event>>, last: Option<Char>) {
    if still_to_act(play.at()).is_empty() {
        return call_gm(play);
    }
    play.state.call = Call::Players(last);
    play.event(Event::PlayersCall(last));
}

/// An action is over: the floor goes on as the table's turns say.
pub(crate) fn over(play: &mut Play<'_, impl Sink<Event>>, action: &Action, label: Label) {
    let who = action.who;
    play.state.beats = play.state.beats.saturating_add(1);
    match (turns(play.at()), action.kind) {
        (Turns::Free, Kind::Test) => {
            play.state.acted = play.state.acted.with(who);
            begin_anew(play.rules, play.state);
            if !action.called {
                play.state.call = Call::Open;
            }
        }
        (Turns::Alternate, Kind::Test) if !action.called => {
            let being = play.state.being_mut(who);
            // What turns out to be minor takes the place of the major action it was
            // declared as, where no minor one is left.
            match label {
                Label::Minor if being.minors > 0 => being.minors -= 1,
                _ => being.majors = being.majors.saturating_sub(1),
            }
            finished(play.state, who);
            play.state.call = Call::Players(None);
        }
        (Turns::Free, Kind::Save) => begin_anew(play.rules, play.state),
        // The Truth of the test says who goes on (`beyond.truth-passes-turn`); without dice the
        // call stays.
        (Turns::TruthCall, Kind::Test) if action.throw.truth > 0 => {
            if action.throw.truth <= 3 {
                call_gm(play);
            } else {
                call_players(play, Some(who));
            }
        }
        (Turns::TruthCall, Kind::Save) if play.state.call == Call::Gm => {
            call_players(play, None);
        }
        _ => {}
    }
}

/// Where turns are free it is only recorded who has acted: once everybody has, the
/// record begins anew.
fn begin_anew(rules: &Rules, state: &mut State) {
    let pcs: CharSet = rules.pcs.iter().filter(|&who| state.is_in(who)).collect();
    let all = pcs.or(ready_npcs(At { rules, state }));
    if all.minus(state.acted).is_empty() {
        state.acted = CharSet::NONE;
    }
}

/// A conflict scene begins (`ext.turns`).
pub(crate) fn begin_conflict(play: &mut Play<'_, impl Sink<Event>>, conflict: Conflict) {
    play.state.conflict = Some(conflict);
    play.state.round = 1;
    play.event(Event::Conflict(conflict));
    open_round(play.rules, play.state);
}

/// Everybody can act again, the players' side first.
pub(crate) fn open_round(rules: &Rules, state: &mut State) {
    state.acted = CharSet::NONE;
    for being in &mut state.cast {
        (being.majors, being.minors) = (1, 1);
    }
    state.call = match rules.turns {
        Turns::Free => Call::Open,
        Turns::Alternate => Call::First,
        Turns::TruthCall => Call::Players(None),
    };
}

fn next_round(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.round = play.state.round.saturating_add(1);
    play.event(Event::Round(play.state.round));
    open_round(play.rules, play.state);
}

/// A conflict scene ends, and never by itself (`conflict-goes-on`).
fn peace(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.conflict = None;
    play.state.call = Call::Open;
    play.event(Event::Peace);
}

/// Whether one side of a conflict is out.
pub(crate) fn is_decided(at: At<'_>) -> bool {
    let here = |who: Char| !at.state.being(who).away;
    let out = |who: Char| at.state.being(who).out;
    let ours: CharSet = at.rules.pcs.iter().filter(|&who| here(who)).collect();
    let hostile = |&who: &Char| !at.rules.is_pc(who) && here(who) && at.state.being(who).hostile;
    let theirs: CharSet = at.rules.everybody().filter(hostile).collect();
    [ours, theirs].iter().any(|side| !side.is_empty() && side.iter().all(out))
}

/// Whether something outlives the scene: nothing timed does (`next-action-never-comes`),
/// nor what a minor action ends, nor being driven back or held with all that came with it;
/// what is for the next scene has not begun (`ends-and-scenes`).
fn outlives(state: &State, live: &Live) -> bool {
    let is_to_come = |other: &Live| other.effect.lasts == Lasts::NextScene;
    let of_place = |other: &Live| matches!(other.effect.verb, Verb::Apart | Verb::Hold) && !is_to_come(other);
    let with_it = |other: &Live| (other.on, other.from) == (live.on, live.from);
    match live.effect.lasts {
        Lasts::NextScene => true,
        Lasts::Until(removal) if removal != Removal::Minor => {
            !state.live.iter().any(|other| of_place(other) && with_it(other))
        }
        _ => false,
    }
}

/// What outlives the scene, as it is in the next: what was for that is for its scene now.
pub(crate) fn outliving(state: &State) -> ArrayVec<Live, MAX_LIVE> {
    let begun = |live: &Live| match live.effect.lasts {
        Lasts::NextScene => Live { effect: Effect { lasts: Lasts::Scene, ..live.effect }, ..*live },
        _ => *live,
    };
    state.live.iter().filter(|live| outlives(state, live)).map(begun).collect()
}

/// What is left of a track by the next scene (`ext.harm`).
pub(crate) fn recovered(rules: &Rules, left: u8, size: u8) -> u8 {
    match rules.recovery {
        Recovery::Full => size,
        Recovery::One => size.min(left + 1),
        Recovery::Nothing => left,
    }
}

/// Who gets something back by the next scene, and who takes part again by that: of
/// those who are here.
pub(crate) fn recovering(at: At<'_>) -> (CharSet, CharSet) {
    let here = || at.rules.everybody().filter(|&who| !at.state.being(who).away);
    let tracks = |who: Char| at.rules.sheet(who).tracks.into_iter().zip(at.state.being(who).tracks);
    let counted = at.rules.harm == Harm::Tracks;
    let gains =
        |&who: &Char| counted && tracks(who).any(|(size, left)| recovered(at.rules, left, size) > left);
    let stands = |who: Char| tracks(who).all(|(size, left)| size == 0 || recovered(at.rules, left, size) > 0);
    (here().filter(gains).collect(), here().filter(|&who| at.state.being(who).out && stands(who)).collect())
}

/// A scene ends and the next begins: what lasted ends, writhing dice and limits are
/// anew, fortunes taken become playable for just one scene, tracks recover.
pub(crate) fn next_scene(play: &mut Play<'_, impl Sink<Event>>) {
    if play.state.conflict.is_some() {
        peace(play);
    }
    let (who, back) = recovering(play.at());
    let outliving = outliving(play.state);
    let lapsing = |lapses: fn(&Being) -> bool| -> CharSet {
        play.rules.pcs.iter().filter(|&who| lapses(play.state.being(who))).collect()
    };
    let dice = lapsing(|being| being.die.held);
    let good = lapsing(|being| being.good.now > 0);
    let bad = lapsing(|being| being.bad.now > 0);
    let over: ArrayVec<Live, MAX_LIVE> =
        play.state.live.iter().filter(|live| !outlives(play.state, live)).copied().collect();
    impose::cease(play, |live| over.contains(live));
    play.state.live = outliving;
    play.state.scene = play.state.scene.saturating_add(1);
    play.state.beats = 0;
    play.state.acted = CharSet::NONE;
    play.state.call = Call::Open;
    play.state.uses.iter_mut().for_each(|uses| *uses = 0);
    for who in play.rules.everybody() {
        let sizes = play.rules.sheet(who).tracks;
        let being = play.state.being_mut(who);
        being.die = Die::default();
        let lapse = |fortunes: Fortunes| Fortunes { now: fortunes.next, next: 0 };
        (being.good, being.bad) = (lapse(being.good), lapse(being.bad));
        for (left, size) in being.tracks.iter_mut().zip(sizes) {
            *left = recovered(play.rules, *left, size);
        }
        let stands = play.state.stands(play.rules, who);
        play.state.being_mut(who).out &= !stands;
    }
    play.event(Event::Scene(play.state.scene));
    if !who.or(back).is_empty() {
        play.event(Event::Recovered { who, back });
    }
    if !dice.or(good).or(bad).is_empty() {
        play.event(Event::Lapsed { dice, good, bad });
    }
}

/// If the roller has left, the other savers go on (`ext.group`). An action without savers,
/// target or opponent is dropped (`gone-in-mid-action`).
fn without_the_gone(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    let is_there = play.state.has(action.target);
    let is_here = play.state.is_in(action.who);
    if is_here && (is_there || action.has_come_about()) {
        return;
    }
    let next = action.queue.iter().find(|&who| play.state.is_in(who));
    match (action.step, next) {
        (Step::Terms, Some(who)) if is_there => {
            // Of those still to save somebody may yet be back in time (`gone-in-mid-action`).
            let queue = action.queue.iter().filter(|&one| one >= who).collect();
            play.state.action = Some(Action { who, queue, ..*action });
        }
        (Step::Terms, _) => play.state.action = None,
        _ if action.kind == Kind::Save && settle::next_save(play) => {
            act::give_back(play, action);
        }
        _ => act::cancel(play),
    }
}

/// A character who takes no part holds nobody and keeps nothing up (`held-by-the-absent`).
pub(crate) fn let_go(play: &mut Play<'_, impl Sink<Event>>) {
    let absent: CharSet = play.rules.everybody().filter(|&who| !play.state.is_in(who)).collect();
    impose::cease(play, |live| live.is_by_power() && live.by.is_some_and(|by| absent.has(by)));
}

/// Moves the floor on while nobody need be asked.
pub(crate) fn settle(play: &mut Play<'_, impl Sink<Event>>) {
    if let Some(action) = play.state.action {
        without_the_gone(play, &action);
    }
    let_go(play);
    if play.state.action.is_some() || play.state.over {
        return;
    }
    if let Call::One(who) = play.state.call
        && !play.state.is_in(who)
    {
        play.state.call = if turns(play.at()) == Turns::Free { Call::Open } else { Call::Players(None) };
    }
    let waits = !still_to_act(play.at()).is_empty();
    let ours = matches!(play.state.call, Call::First | Call::Players(_));
    // In rounds a side that went first is followed by the other; once everybody has acted
    // the next round begins. With one side left the gamemaster says how it goes on
    // (`conflict-goes-on`).
    let acted = turns(play.at()) == Turns::Alternate && ready_npcs(play.at()).is_empty();
    let both_left = play.rules.pcs.iter().any(|who| play.state.is_in(who)) && !foes(play.at()).is_empty();
    match waits {
        true if acted && play.state.call == Call::Gm => call_players(play, None),
        false if acted && both_left && (ours || play.state.call == Call::Gm) => next_round(play),
        false if ours => call_gm(play),
        _ => {}
    }
}
