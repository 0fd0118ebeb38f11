//! What is open, and how answers move the table on.

use crate::{
    Afraid, At, Play,
    answer::{Answer, AtStake, Prompt},
    challenge, conflict,
    conflict::Leaving,
    dice::{Fallout, Hand},
    dying, escalate,
    event::Event,
    fallout, scene,
    state::{Changes, Chore, Next, Stage, State, Step, To, Why},
    view::{is_in_sight, is_shown, knows_of_any, knows_thing, sees_scene},
    vocab::*,
};
use fracas_kernel::{
    Ask, Asks, Duty, Objections, Open, Read, Refused, Roll, Rolled, Seat, SeatSet, Seen, Sink, Slot, Viewer,
    Who, fine,
};
use std::ops::ControlFlow;

/// What is due besides asks.
enum Due {
    Over,
    /// Fallout dice: whose, and which.
    Fallout(Char, crate::dice::Pool),
    /// Dice for a hand.
    Dice(crate::state::Due),
    Asks,
}

fn must(who: Seat, prompt: Prompt) -> Ask<Prompt> {
    Ask { who: Who::One(who), duty: Duty::Must, prompt }
}

fn may(who: Seat, prompt: Prompt) -> Ask<Prompt> {
    Ask { who: Who::One(who), duty: Duty::May, prompt }
}

/// What is open now.
pub(crate) fn open(at: At<'_>) -> Open<Afraid> {
    let mut asks = Asks::new();
    let roll = |who, dice: crate::dice::Pool, read| {
        let player = Viewer::Spectator;
        let seen = if is_in_sight(at.state, who, player) { Seen::Openly } else { Seen::ByGm };
        Open::Roll(Roll { whose: at.state.seat(who), seen, dice: dice.dice(), read })
    };
    let due = each_ask(at, &mut |ask| {
        asks.push(ask);
        ControlFlow::Continue(())
    });
    match due {
        ControlFlow::Continue(Due::Over) => Open::Over,
        ControlFlow::Continue(Due::Fallout(who, dice)) => {
            roll(who, dice, Read::Fold(fallout::unrolled(at.rules)))
        }
        ControlFlow::Continue(Due::Dice(due)) => roll(due.who, due.dice, Read::Sorted),
        ControlFlow::Continue(Due::Asks) | ControlFlow::Break(()) => Open::Asks(asks),
    }
}

/// What stays asked while dice are due that players do not see.
pub(crate) fn beside(at: At<'_>) -> Asks<Prompt> {
    let mut asks = Asks::new();
    let _ = each_ask(at, &mut |ask| {
        asks.push(ask);
        ControlFlow::Continue(())
    });
    asks
}

/// The ask at a slot.
pub(crate) fn ask_at(at: At<'_>, slot: Slot) -> Option<Ask<Prompt>> {
    let (mut before, mut found) = (slot.0, None);
    let _ = each_ask(at, &mut |ask| match before.checked_sub(1) {
        Some(left) => {
            before = left;
            ControlFlow::Continue(())
        }
        None => {
            found = Some(ask);
            ControlFlow::Break(())
        }
    });
    found
}

/// Every open ask in canonical order, as long as `put` wants more, and the dice that are due.
fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>) -> ControlFlow<()>) -> ControlFlow<(), Due> {
    let mut unseen = true;
    let due = each_main_ask(at, &mut |ask| {
        unseen &= ask.prompt == Prompt::Scene || !may_hear_of(at.state, ask.prompt, Viewer::Spectator);
        put(ask)
    })?;
    let unseen = match due {
        Due::Over => false,
        Due::Asks => unseen,
        Due::Fallout(who, _) | Due::Dice(crate::state::Due { who, .. }) => {
            !is_in_sight(at.state, who, Viewer::Spectator)
        }
    };
    if unseen && !matches!(due, Due::Asks) {
        put(must(Seat::Gm, Prompt::Throw))?;
    }
    // For players it is between conflicts while they do not see the conflict.
    if unseen {
        aside_seats(at).iter().try_for_each(|seat| put(may(seat, Prompt::Aside(seat))))?;
    }
    ControlFlow::Continue(due)
}

/// The same without what players see to meanwhile.
fn each_main_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>) -> ControlFlow<()>) -> ControlFlow<(), Due> {
    if at.state.over {
        return ControlFlow::Continue(Due::Over);
    }
    if let Some((seat, draft)) = dying::maker(at.state) {
        put(must(seat, Prompt::Newcomer { dead: draft.dead, step: draft.step }))?;
        return ControlFlow::Continue(Due::Asks);
    }
    match at.state.chores.first() {
        Some(&Chore::Roll { who, dice, .. }) => return ControlFlow::Continue(Due::Fallout(who, dice)),
        Some(&Chore::Menu { who, menu, .. }) => {
            put(must(at.state.seat(who), Prompt::Fallout { who, menu }))?;
            return ControlFlow::Continue(Due::Asks);
        }
        Some(&Chore::Need(who)) => {
            put(must(Seat::Gm, Prompt::Need(who)))?;
            return ControlFlow::Continue(Due::Asks);
        }
        _ => {}
    }
    let Some(conflict) = at.state.conflict() else {
        put(must(Seat::Gm, Prompt::Scene))?;
        return ControlFlow::Continue(Due::Asks);
    };
    match conflict.stage {
        Stage::Staking => {
            put(must(Seat::Gm, Prompt::Stakes))?;
            if has_stake(at.state) {
                let mut seats =
                    seats_of(at.state, conflict.parts()).filter(|&seat| !conflict.mused.contains(seat));
                seats.try_for_each(|seat| put(may(seat, Prompt::Muse(seat))))?;
            }
            return ControlFlow::Continue(Due::Asks);
        }
        Stage::Resolving(side) => {
            let seats: SeatSet =
                conflict::winners(conflict, side).iter().map(|who| at.state.seat(who)).collect();
            put(Ask { who: Who::All(seats), duty: Duty::Must, prompt: Prompt::Resolve })?;
            if seats.iter().count() > 1
                && let Some(who) = conflict::decider(at.state, side)
            {
                put(may(at.state.seat(who), Prompt::Decide(who)))?;
            }
            return ControlFlow::Continue(Due::Asks);
        }
        Stage::Running => {}
    }
    match conflict.next.first() {
        Some(Next::Roll(due)) => return ControlFlow::Continue(Due::Dice(*due)),
        Some(Next::Concrete { who, item }) => {
            put(must(Seat::Gm, Prompt::Concrete { who: *who, item: *item }))?;
        }
        Some(Next::Cut) => put(must(Seat::Gm, Prompt::Cut))?,
        Some(Next::Join(seats)) => {
            let mut joiners = escalate::joiners(at.state, *seats).iter();
            joiners.try_for_each(|seat| put(may(seat, Prompt::Join(seat))))?;
        }
        Some(Next::Admit { who, side }) => {
            let with = conflict.first_in(*side).unwrap_or(*who);
            put(must(Seat::Gm, Prompt::Admit { who: *who, with }))?;
        }
        None => exchange_asks(at, put)?,
    }
    ControlFlow::Continue(Due::Asks)
}

fn seats_of(state: &State, all: CharSet) -> impl Iterator<Item = Seat> + use<> {
    let seats: SeatSet = all.iter().map(|who| state.seat(who)).collect();
    seats.iter().filter(|&seat| seat != Seat::Gm)
}

/// What the challenge under way asks.
fn exchange_asks(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>) -> ControlFlow<()>) -> ControlFlow<()> {
    const NOBODY: ControlFlow<()> = ControlFlow::Continue(());
    let Some(conflict) = at.state.conflict() else { return NOBODY };
    let Some(exchange) = conflict.exchange() else { return NOBODY };
    let Some(who) = challenge::actor(at.state) else { return NOBODY };
    let seat = at.state.seat(who);
    match exchange.step {
        Step::Making => {
            let outer = conflict.exchanges.len().checked_sub(2).and_then(|at| conflict.exchanges.get(at));
            let instead = outer.filter(|_| exchange.instead).map(|outer| outer.by);
            put(must(seat, Prompt::Challenge { who, instead }))?;
        }
        Step::Members => {
            let most = at.state.members(who).min(crate::state::MAX_STRIKES as u8);
            put(must(seat, Prompt::Members { who, left: most.saturating_sub(exchange.made) }))?;
        }
        Step::Matching => {
            if let Some(arena) = exchange.escalated {
                put(must(seat, Prompt::Match { who, by: exchange.by, arena }))?;
            }
        }
        Step::Answering => {
            let (by, harm) = (exchange.by, exchange.strike().harm);
            put(must(seat, Prompt::Answer { who, by, need: exchange.sum(), harm }))?;
        }
    }
    if matches!(exchange.step, Step::Matching | Step::Answering)
        && at.state.is_pc(exchange.by)
        && !exchange.settled
        && challenge::could_be_other(at.state, exchange)
    {
        put(may(Seat::Gm, Prompt::Harm { by: exchange.by, harm: exchange.strike().harm }))?;
    }
    if at.rules.options.helping && matches!(exchange.step, Step::Making | Step::Answering) {
        let seats: SeatSet =
            challenge::helpers(conflict, who).iter().map(|ally| at.state.seat(ally)).collect();
        seats.iter().try_for_each(|seat| put(may(seat, Prompt::Help { seat, to: who })))?;
    }
    NOBODY
}

/// Lists the answers to the ask at a slot.
pub(crate) fn legal(at: At<'_>, slot: Slot, each: &mut impl FnMut(Answer)) {
    let Some(ask) = ask_at(at, slot) else { return };
    match ask.prompt {
        Prompt::Scene => scene::legal(at, each),
        Prompt::Throw => {}
        Prompt::Aside(seat) => legal_aside(at, seat, each),
        Prompt::Stakes => {
            if fine(|out| conflict::object_begin(at, out)) {
                each(Answer::Begin);
            }
            each(Answer::CallOff);
            let named = at.state.conflict().and_then(|conflict| conflict.stakes.thing);
            if named != Some(fallout::PROPOSALS.stakes) {
                each(Answer::Thing(fallout::PROPOSALS.stakes));
            }
            each_stake(at.state, &mut |what| each(Answer::Stake(what)));
        }
        Prompt::Muse(_) => each_stake(at.state, &mut |what| each(Answer::Muse(what))),
        Prompt::Challenge { who, .. } => {
            let Some(exchange) = at.state.conflict().and_then(|conflict| conflict.exchange()) else { return };
            challenge::legal(at.state, exchange, each);
            challenge::legal_bring(at.state, who, each);
            escalate::legal(at, who, &mut |arena| each(Answer::Escalate(arena)));
            scene::legal_assign(at, who, each);
            each(Answer::Give);
            each(Answer::Yield);
        }
        Prompt::Members { .. } => {
            let Some(exchange) = at.state.conflict().and_then(|conflict| conflict.exchange()) else { return };
            challenge::legal_member(at.state, exchange, each);
        }
        Prompt::Match { .. } => {
            each(Answer::Match);
            each(Answer::Pass);
        }
        Prompt::Answer { who, .. } => {
            let Some(exchange) = at.state.conflict().and_then(|conflict| conflict.exchange()) else { return };
            challenge::legal_answer(at.state, exchange, who, each);
            challenge::legal_bring(at.state, who, each);
            if escalate::matched_arena(at.state, who).is_some() {
                each(Answer::Match);
            }
            escalate::legal(at, who, &mut |arena| each(Answer::Escalate(arena)));
            scene::legal_assign(at, who, each);
            each(Answer::Give);
            each(Answer::Yield);
        }
        Prompt::Harm { harm: said, .. } => {
            let Some(exchange) = at.state.conflict().and_then(|conflict| conflict.exchange()) else { return };
            for &harm in Harm::ALL.iter().filter(|&&harm| harm != said) {
                if fine(|out| challenge::object_harm(at.state, exchange, harm, out)) {
                    each(Answer::Harm(harm));
                }
            }
        }
        Prompt::Help { seat, to } => {
            let Some(conflict) = at.state.conflict() else { return };
            for who in challenge::helpers(conflict, to).iter().filter(|&who| at.state.seat(who) == seat) {
                let hand = conflict.part(who).map(|part| part.hand.faces()).unwrap_or_default();
                hand.each().rev().for_each(|die| each(Answer::Help { who, die }));
            }
        }
        Prompt::Concrete { .. } | Prompt::Admit { .. } => {
            each(Answer::Yes);
            each(Answer::No);
        }
        Prompt::Cut => {
            each(Answer::Pass);
            (0..at.state.scenes.len() as u8)
                .filter(|&to| to != at.state.now)
                .for_each(|to| each(Answer::Cut(to)));
        }
        Prompt::Join(seat) => {
            each(Answer::Pass);
            escalate::legal_join(at.state, seat, &mut |who, with| each(Answer::Join { who, with }));
        }
        Prompt::Resolve | Prompt::Decide(_) => legal_resolve(at.state, voice(&ask), each),
        Prompt::Fallout { .. } => {
            if let Some(chore) = at.state.chores.first() {
                fallout::legal(at, chore, each);
            }
        }
        Prompt::Need(who) => {
            each(Answer::Care(who));
            each(Answer::Perish(who));
        }
        Prompt::Newcomer { .. } => {
            if let Some(draft) = &at.state.draft {
                dying::legal(at, draft, each);
            }
        }
    }
}

/// Whether anything may be put at stake of those who take part, and is not yet.
fn has_stake(state: &State) -> bool {
    let mut any = false;
    each_stake(state, &mut |_| any = true);
    any
}

/// Lists what may be put at stake of those who take part, and is not yet.
fn each_stake(state: &State, each: &mut impl FnMut(AtStake)) {
    let Some(conflict) = state.conflict() else { return };
    let (stakes, none) = (&conflict.stakes, AtStake::default());
    for who in conflict.parts().iter().filter(|&who| state.has_sheet(who)) {
        let one = CharSet::one(who);
        if !stakes.lives.has(who) && state.lives(who) {
            each(AtStake { lives: one, ..none });
        }
        if !stakes.about.cast.has(who) {
            each(AtStake { about: one.into(), ..none });
        }
        for &circumstance in Circumstance::ALL {
            if !stakes.circumstances.of(circumstance).has(who) && state.lives(who) {
                let mut circumstances = Changes::default();
                *circumstances.of_mut(circumstance) = one;
                each(AtStake { circumstances, ..none });
            }
        }
    }
}

/// Seats of players who have something to see to between conflicts: a bond, or dice.
fn aside_seats(at: At<'_>) -> SeatSet {
    let bonds = at.state.things().filter(|(_, thing)| thing.sort == Sort::Bond && !thing.lost);
    let bound: CharSet = bonds.map(|(_, thing)| thing.owner).collect();
    let assigns = |who: Char| {
        let mut any = false;
        scene::legal_assign(at, who, &mut |_| any = true);
        any
    };
    let busy = |&who: &Char| {
        at.state.is_pc(who)
            && at.state.lives(who)
            && (bound.has(who) && !at.state.is_bound(who) || assigns(who))
    };
    at.state.everybody().filter(busy).map(|who| at.state.seat(who)).collect()
}

/// Lists what a player may see to between conflicts.
fn legal_aside(at: At<'_>, seat: Seat, each: &mut impl FnMut(Answer)) {
    for who in held(at.state, seat).iter() {
        for (item, thing) in at.state.sheet(who).filter(|(_, thing)| thing.sort == Sort::Bond) {
            if fine(|out| scene::object_bond(at.state, seat, item, out)) {
                each(Answer::Bond { bond: item, holds: !thing.holds });
            }
        }
        scene::legal_assign(at, who, each);
    }
}

/// Lists ways to resolve the stakes: nothing of them changes, each life is lost, each
/// circumstance becomes true or false for all whose it is.
fn legal_resolve(state: &State, by: Seat, each: &mut impl FnMut(Answer)) {
    let Some(conflict) = state.conflict() else { return };
    let (none, stakes) = (Changes::default(), &conflict.stakes);
    let lives = |who: Char| state.seems_alive(who, by);
    each(Answer::Resolve { dies: CharSet::NONE, comes: none, ends: none });
    for dies in stakes.lives.iter().map(CharSet::one) {
        if fine(|out| conflict::object_resolve(state, by, (dies, none, none), out)) {
            each(Answer::Resolve { dies, comes: none, ends: none });
        }
    }
    // All that can become better for one side and worse for the other, and the reverse.
    let players = |circumstances: Changes, pcs: bool| {
        let mut some = Changes::default();
        for &one in Circumstance::ALL {
            let whose = circumstances.of(one).iter();
            *some.of_mut(one) = whose.filter(|&who| state.is_pc(who) == pcs && lives(who)).collect();
        }
        some
    };
    let (ours, theirs) = (players(stakes.circumstances, true), players(stakes.circumstances, false));
    if (ours, theirs) == (none, none) {
        return;
    }
    each(Answer::Resolve { dies: CharSet::NONE, comes: theirs, ends: ours });
    each(Answer::Resolve { dies: CharSet::NONE, comes: ours, ends: theirs });
}

/// A seat's living characters.
fn held(state: &State, seat: Seat) -> CharSet {
    state.everybody().filter(|&who| state.seat(who) == seat && state.lives(who)).collect()
}

/// Whose relationship dice a seat assigns: the actor's in a conflict; elsewhere whoever
/// is named, or the seat's first character.
fn assigner(state: &State, prompt: Prompt, answer: Answer) -> Option<Char> {
    let (Answer::Assign { who, .. } | Answer::AssignNew { who, .. }) = answer else { return None };
    match prompt {
        Prompt::Challenge { who: actor, .. } | Prompt::Answer { who: actor, .. } => {
            who.is_none_or(|who| who == actor).then_some(actor)
        }
        Prompt::Aside(seat) => {
            let mine = held(state, seat);
            who.or(mine.first()).filter(|&who| mine.has(who))
        }
        Prompt::Scene => who.filter(|&who| held(state, Seat::Gm).has(who)),
        _ => None,
    }
}

/// The seat whose knowledge an answer is judged by: of several asked a player's, since their
/// joint answer names what all of them know.
fn voice(ask: &Ask<Prompt>) -> Seat {
    ask.who.seats().iter().find(|&seat| seat != Seat::Gm).unwrap_or(Seat::Gm)
}

/// Collects the reasons against an answer.
fn object(at: At<'_>, ask: &Ask<Prompt>, answer: Answer, out: &mut impl Objections) {
    let prompt = ask.prompt;
    let exchange = || at.state.conflict().and_then(|conflict| conflict.exchange());
    let over = matches!(
        prompt,
        Prompt::Scene | Prompt::Aside(_) | Prompt::Resolve | Prompt::Decide(_) | Prompt::Fallout { .. }
    );
    match (prompt, answer) {
        (_, Answer::Challenge { .. } | Answer::Answer { .. } | Answer::Escalate(_) | Answer::Give)
            if over =>
        {
            out.no(
                clause!("illegal.after-end"),
                "the conflict is over: what remains is to resolve the stakes and the fallout",
            );
        }
        (Prompt::Aside(seat), Answer::Bond { bond, .. }) => scene::object_bond(at.state, seat, bond, out),
        (
            Prompt::Scene | Prompt::Aside(_) | Prompt::Challenge { .. } | Prompt::Answer { .. },
            Answer::Assign { count, size, .. } | Answer::AssignNew { count, size, .. },
        ) => {
            let to = if let Answer::Assign { to, .. } = answer { Some(to) } else { None };
            match assigner(at.state, prompt, answer) {
                Some(who) => scene::object_assign(at, who, (to, count, size), out),
                None => {
                    out.no(clause!("relationship-assign"), "only dice of one's own characters are assigned")
                }
            }
        }
        (_, Answer::Assign { .. } | Answer::AssignNew { .. }) => out.no(
            clause!("relationship-assign"),
            "relationship dice are assigned between conflicts, or in one at one's own turn or answer",
        ),
        (Prompt::Scene, _) => scene::object(at, answer, out),
        (Prompt::Throw, _) => {}
        (Prompt::Aside(_), _) => {
            out.no(clause!("bond-true"), "expected a bond's being kept to or broken, or dice assigned");
        }
        (Prompt::Stakes, Answer::Begin) => conflict::object_begin(at, out),
        (Prompt::Stakes, Answer::Thing(_) | Answer::CallOff) => {}
        (Prompt::Muse(_), Answer::Thing(_)) => {
            if at.state.conflict().is_some_and(|conflict| conflict.stakes.thing.is_some()) {
                out.no(
                    clause!("stakes.speculate"),
                    "the stakes have been put in words: muse on what may come of them",
                );
            }
        }
        (Prompt::Stakes, Answer::Stake(what)) | (Prompt::Stakes | Prompt::Muse(_), Answer::Muse(what)) => {
            let by = if let Prompt::Muse(seat) = prompt { seat } else { Seat::Gm };
            conflict::object_stake(at.state, by, what, out);
        }
        (Prompt::Stakes, _) => out.no(clause!("setup.stakes"), "expected what is at stake, or to begin"),
        (Prompt::Muse(_), _) => {
            out.no(clause!("stakes.speculate"), "expected how your side might resolve the stakes");
        }
        (Prompt::Challenge { .. }, Answer::Challenge { on, dice, harm, arena }) => {
            if let Some(exchange) = exchange() {
                challenge::object(at.state, exchange, (on, dice, harm, arena), out);
            }
        }
        (Prompt::Members { .. }, Answer::Strike { on, harm, arena }) => {
            if let Some(exchange) = exchange() {
                challenge::object_strike(at.state, exchange, (on, harm, arena), out);
            }
        }
        (Prompt::Members { .. }, Answer::Done) => {
            if let Some(exchange) = exchange() {
                challenge::object_done(exchange, out);
            }
        }
        (Prompt::Members { .. }, _) => {
            out.no(clause!("gnpc.challenges"), "expected another member's challenge, or done");
        }
        (Prompt::Match { .. }, Answer::Match | Answer::Pass) => {}
        (Prompt::Match { .. }, _) => out.no(clause!("esc.match-now"), "expected match, or pass"),
        (Prompt::Answer { who, .. }, Answer::Answer { dice, arena }) => {
            if let Some(exchange) = exchange() {
                challenge::object_answer(at.state, exchange, who, (dice, arena), out);
            }
        }
        (Prompt::Answer { who, .. }, Answer::Match) => escalate::object_match(at.state, who, out),
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Bring(item)) => {
            challenge::object_bring(at.state, who, item, out);
        }
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Escalate(arena)) => {
            escalate::object(at, who, arena, out);
        }
        (Prompt::Challenge { .. } | Prompt::Answer { .. }, Answer::Give | Answer::Yield) => {}
        (Prompt::Challenge { .. }, _) => out.no(
            clause!("challenge.action"),
            "expected a challenge, something brought in, an escalation, give or yield",
        ),
        (Prompt::Answer { .. }, _) => out.no(
            clause!("answer.response"),
            "expected an answer, something brought in, match, an escalation, give or yield",
        ),
        (Prompt::Harm { .. }, Answer::Harm(harm)) => {
            if let Some(exchange) = exchange() {
                challenge::object_harm(at.state, exchange, harm, out);
            }
        }
        (Prompt::Harm { .. }, _) => out.no(clause!("harm-who"), "expected a kind of harm"),
        (Prompt::Help { seat, to }, Answer::Help { who, die }) => {
            if at.state.seat(who) != seat {
                out.no(clause!("helping-dice"), "only whoever plays a character hands its dice over");
            }
            challenge::object_help(at.state, to, who, die, out);
        }
        (Prompt::Help { .. }, _) => out.no(clause!("helping-dice"), "expected a die of an ally's"),
        (Prompt::Concrete { .. } | Prompt::Admit { .. }, Answer::Yes | Answer::No) => {}
        (Prompt::Concrete { .. }, _) => out.no(clause!("bring.concrete"), "expected yes or no"),
        (Prompt::Admit { .. }, _) => out.no(clause!("join-dice"), "expected yes or no"),
        (Prompt::Cut, Answer::Pass) => {}
        (Prompt::Cut, Answer::Cut(to)) if usize::from(to) < at.state.scenes.len() && to != at.state.now => {}
        (Prompt::Cut, _) => out.no(clause!("esc.cut"), "expected another scene that runs, or pass"),
        (Prompt::Join(_), Answer::Pass) => {}
        (Prompt::Join(seat), Answer::Join { who, with }) => {
            escalate::object_join(at.state, seat, who, with, out);
        }
        (Prompt::Join(_), _) => {
            out.no(clause!("join.on-escalation"), "expected who joins with whom, or pass")
        }
        (Prompt::Resolve | Prompt::Decide(_), Answer::Resolve { dies, comes, ends }) => {
            conflict::object_resolve(at.state, voice(ask), (dies, comes, ends), out);
        }
        (Prompt::Resolve | Prompt::Decide(_), _) => {
            out.no(clause!("stakes.winner-resolves"), "expected how the stakes are resolved");
        }
        (Prompt::Fallout { .. }, _) => {
            if let Some(chore) = at.state.chores.first() {
                fallout::object(at, chore, answer, out);
            }
        }
        (Prompt::Need(who), Answer::Care(one) | Answer::Perish(one)) if who == one => {}
        (Prompt::Need(who), Answer::FirstAid { .. })
            if at.state.being(who).need.is_some_and(|need| need.tried) =>
        {
            out.no(clause!("firstaid.one-in-row"), "only one first aid conflict in a row is allowed");
        }
        (Prompt::Need(_), _) => {
            out.no(clause!("firstaid.demands-more"), "expected real medical care for the victim, or death");
        }
        (Prompt::Newcomer { .. }, _) => {
            if let Some(draft) = &at.state.draft {
                dying::object(at, draft, answer, out);
            }
        }
    }
}

/// Whether everybody and everything an answer names is there, as far as whoever answers
/// may know: a player who names somebody unmet is told what of nobody.
fn names_what_there_is(at: At<'_>, viewer: Viewer, answer: Answer) -> bool {
    let one = |who: Char| who == Char::INJURY || at.state.knows(who) && is_shown(at.state, who, viewer);
    let chars = |all: CharSet| all.iter().all(one);
    let there = |to: To| at.state.is_there(at.rules, to) && knows_of_any(at.state, to, viewer);
    let item = |item: Item| at.state.thing(item).is_some() && knows_thing(at.state, item, viewer);
    match answer {
        Answer::Conflict { sides, .. } => sides.iter().all(|(_, side)| chars(side)),
        Answer::FirstAid { victim, provider, .. } => one(victim) && one(provider),
        Answer::Care(who) | Answer::Perish(who) | Answer::Enter(who) => one(who),
        Answer::Victim { who, .. } | Answer::Help { who, .. } => one(who),
        Answer::Bond { bond, .. } => item(bond),
        Answer::Bring(it) | Answer::AddDie(it) | Answer::ToD4(it) | Answer::Lose(it) => item(it),
        Answer::Resize { item: it, .. } => item(it),
        Answer::AddDice(items) => items.into_iter().all(item),
        Answer::Assign { who, to, .. } => who.is_none_or(one) && there(to),
        Answer::Meet(to) | Answer::NewRelationship(to) => there(to),
        Answer::SufferForRelationship { to, .. } | Answer::PlaceRelationship { to, .. } => there(to),
        Answer::NewScene(all) => chars(all),
        Answer::Challenge { on, .. } | Answer::Strike { on, .. } => chars(on),
        Answer::Join { who, with } => one(who) && one(with),
        Answer::GiveDice(to) | Answer::GiveAndReveal { to, .. } => one(to),
        Answer::Resolve { dies, comes, ends } => {
            chars(dies) && chars(comes.everybody()) && chars(ends.everybody())
        }
        Answer::Stake(what) | Answer::Muse(what) => {
            chars(what.lives.or(what.circumstances.everybody())) && what.about.iter().all(there)
        }
        _ => true,
    }
}

/// Whether a viewer may be told what kind of ask this is: not where it is about somebody
/// whom they do not see, or a scene where no character of theirs is.
pub(crate) fn may_hear_of(state: &State, prompt: Prompt, viewer: Viewer) -> bool {
    match prompt {
        Prompt::Scene | Prompt::Throw | Prompt::Aside(_) | Prompt::Newcomer { .. } => true,
        Prompt::Fallout { who, .. } | Prompt::Need(who) => is_in_sight(state, who, viewer),
        _ => sees_scene(state, viewer),
    }
}

/// Judges an answer.
pub(crate) fn check(at: At<'_>, slot: Slot, answer: Answer) -> Result<(), Refused> {
    let Some(ask) = ask_at(at, slot) else {
        return Err(Refused::form("nothing is asked there"));
    };
    if ask.prompt == Prompt::Throw {
        return Err(Refused::form("dice are due: nothing else can be answered before they fall"));
    }
    if !names_what_there_is(at, Viewer::Seat(voice(&ask)), answer) {
        return Err(Refused::form("nobody and nothing here is called that"));
    }
    let mut refused = Refused::default();
    object(at, &ask, answer, &mut refused);
    refused.verdict()
}

/// Carries out an answer that was allowed.
pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, slot: Slot, answer: Answer) {
    let Some(ask) = ask_at(play.at(), slot) else { return };
    match (ask.prompt, answer) {
        (Prompt::Aside(_), Answer::Bond { bond, holds }) => scene::set_bond(play, bond, holds),
        (prompt, Answer::Assign { to, count, size, .. }) => {
            if let Some(who) = assigner(play.state, prompt, answer) {
                let name = crate::view::label_of(play.at(), to);
                scene::assign(play, who, (Some(to), name), (count, size));
            }
        }
        (prompt, Answer::AssignNew { name, count, size, .. }) => {
            if let Some(who) = assigner(play.state, prompt, answer) {
                scene::assign(play, who, (None, name), (count, size));
            }
        }
        (Prompt::Scene, _) => return scene::apply(play, answer),
        (_, Answer::Thing(thing)) => conflict::name_thing(play, thing),
        (_, Answer::Stake(what)) => conflict::stake(play, what, false),
        (prompt, Answer::Muse(what)) => {
            conflict::stake(play, what, true);
            if let (Prompt::Muse(seat), Some(conflict)) = (prompt, play.state.conflict_mut()) {
                conflict.mused = conflict.mused.with(seat);
            }
        }
        (_, Answer::Begin) => return conflict::begin(play),
        (_, Answer::CallOff) => conflict::drop_it(play),
        (_, Answer::Challenge { on, dice, harm, arena }) => {
            challenge::make(play, (on, dice, harm, arena));
        }
        (_, Answer::Strike { on, harm, arena }) => challenge::add(play, (on, harm, arena)),
        (Prompt::Members { .. }, _) => challenge::done(play.state),
        (Prompt::Match { who, .. }, Answer::Pass) => escalate::wait(play.state, who),
        (Prompt::Match { who, .. } | Prompt::Answer { who, .. }, Answer::Match) => {
            escalate::go_along(play, who);
        }
        (_, Answer::Answer { dice, .. }) => challenge::answer(play, dice),
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Bring(item)) => {
            challenge::bring(play, who, item);
        }
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Escalate(arena)) => {
            escalate::escalate(play, who, arena);
        }
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Give) => {
            conflict::leave(play, who, Leaving::Giving);
        }
        (Prompt::Challenge { who, .. } | Prompt::Answer { who, .. }, Answer::Yield) => {
            conflict::leave(play, who, Leaving::Losing);
        }
        (_, Answer::Harm(harm)) => challenge::name_harm(play, harm),
        (Prompt::Help { to, .. }, Answer::Help { who, die }) => challenge::help(play, to, who, die),
        (Prompt::Concrete { who, item }, _) => {
            conflict::drop_next(play.state);
            if answer == Answer::Yes {
                challenge::accept(play, who, item);
            } else {
                play.event(Event::NotConcrete { who, item });
            }
        }
        (Prompt::Cut, _) => {
            conflict::drop_next(play.state);
            if let Answer::Cut(to) = answer {
                scene::cut(play, to);
            }
        }
        (Prompt::Join(seat), Answer::Pass) => escalate::stay_out(play.state, seat),
        (Prompt::Join(_), Answer::Join { who, with }) => escalate::join(play, who, with),
        (Prompt::Admit { who, .. }, _) => {
            let side =
                play.state.conflict().and_then(|conflict| conflict.next.first()).and_then(
                    |next| match next {
                        Next::Admit { side, .. } => Some(*side),
                        _ => None,
                    },
                );
            conflict::drop_next(play.state);
            match side {
                Some(side) if answer == Answer::Yes => escalate::admit(play, who, side),
                _ => escalate::send_away(play, who),
            }
        }
        (Prompt::Resolve | Prompt::Decide(_), Answer::Resolve { dies, comes, ends }) => {
            conflict::resolve(play, (dies, comes, ends));
        }
        (Prompt::Fallout { .. }, _) => fallout::choose(play, answer),
        (Prompt::Need(who), _) => {
            play.state.chores.remove(0);
            if let Answer::Care(_) = answer {
                crate::aid::care(play, who);
            } else {
                dying::die(play, who);
            }
            fallout::settle(play);
        }
        (Prompt::Newcomer { .. }, _) => dying::make(play, answer),
        _ => {}
    }
    conflict::advance(play);
}

/// Dice have been rolled.
pub(crate) fn roll(play: &mut Play<'_, impl Sink<Event>>, rolled: Rolled<'_, Fallout>) {
    let faces = match rolled {
        Rolled::Class(class) => {
            fallout::rolled(play, class);
            return conflict::advance(play);
        }
        Rolled::Faces(faces) => faces,
    };
    let Some(&Next::Roll(due)) = play.state.conflict().and_then(|conflict| conflict.next.first()) else {
        return;
    };
    conflict::drop_next(play.state);
    let mut dice = Hand::NONE;
    dice.roll(due.dice, faces);
    if let Some(part) = play.state.conflict_mut().and_then(|conflict| conflict.part_mut(due.who)) {
        part.hand.join(dice);
    }
    play.event(Event::Rolled { who: due.who, dice, why: due.why });
    if let Why::Joined(_) = due.why {
        escalate::take_place(play.state, due.who);
    }
    conflict::advance(play);
}
