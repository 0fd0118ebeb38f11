//! A Clash: sides, turns and their steps, Activation, Actions, and its end (`clash.what` to `turn.end`).

use crate::{
    At, Play,
    answer::{Answer, Casting},
    effect::Effect,
    event::Event,
    free, harm, prop, spell, stack,
    state::*,
    test,
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Label, Objections, Saying, Seat, SeatSet, Sink, Told, Viewer, Who, fine, takes};

/// Begins a Clash among all who are here (`clash.all-inactive`).
pub(crate) fn begin(play: &mut Play<'_, impl Sink<Event>>, stakes: Rank, first: Side, name: Label) {
    play.state.clashes = play.state.clashes.saturating_add(1);
    play.state.clash =
        Some(Clash { stakes, name, first, next: first, round: 0, turns: 0, acted: Line::new(), turn: None });
    for who in play.rules.everybody() {
        let (turns, controller) = (play.rules.sheet(who).turns, play.rules.sheet(who).controller);
        let body = play.state.body_mut(who);
        body.fights = body.here && !body.dead && (turns > 0 || controller.is_some());
        (body.lost, body.actions, body.reaction, body.floating, body.turns) = (false, 0, true, 0, 0);
        body.hurt = 0;
    }
    lay_down(play.state);
    play.event(Event::Begins { stakes, first, name });
    new_round(play);
    stack::happens(play, &[Moment::ClashBegins], Char(0), None);
}

/// Lays every card down: Inactive and unexhausted, nobody Controls anything.
fn lay_down(state: &mut State) {
    state.traits.iter_mut().for_each(|mark| mark.card = Card::Inactive);
    state.items.iter_mut().for_each(|item| item.card = Card::Inactive);
    for prop in &mut state.props {
        (prop.exhausted, prop.controllers) = (false, CharSet::NONE);
    }
}

/// A Roll opens a Clash (`start.roll`, `start.surprised`).
pub(crate) fn open(play: &mut Play<'_, impl Sink<Event>>, test: &Test, actor: Char, victim: Char) {
    let name = test.task.or_else(|| crate::words::UNNAMED.parse().ok());
    let Some(name) = name else { return };
    let first = play.state.body(actor).side;
    begin(play, test.stakes, first, name);
    play.state.body_mut(victim).surprised = true;
    play.event(Event::Surprised { who: victim });
}

/// Whose Action an Action of this character takes: an Extra acts by its Controller's (`ext.extras`).
pub(crate) fn payer(rules: &crate::rules::Rules, who: Char) -> Char {
    rules.sheet(who).controller.unwrap_or(who)
}

/// Those of a side who have turns left (`clash.pick-order`).
pub(crate) fn candidates(at: At<'_>, side: Side) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&who| {
        let body = at.state.body(who);
        at.state.stands(who) && body.side == side && body.turns > 0
    })
}

/// Whether a side has somebody left who takes turns: Extras alone do not go on.
fn is_standing(at: At<'_>, side: Side) -> bool {
    at.rules.everybody().any(|who| {
        let sheet = at.rules.sheet(who);
        at.state.stands(who) && at.state.body(who).side == side && sheet.controller.is_none()
    })
}

/// A round ends when all turns are used; the same side starts each (`round-repeat`).
fn new_round(play: &mut Play<'_, impl Sink<Event>>) {
    let rules = play.rules;
    for who in rules.everybody().filter(|&who| play.state.stands(who)).collect::<Line>() {
        play.state.body_mut(who).turns = rules.sheet(who).turns;
    }
    let Some(clash) = &mut play.state.clash else { return };
    clash.round = clash.round.saturating_add(1);
    clash.next = clash.first;
    clash.acted.clear();
    let round = clash.round;
    play.event(Event::Round { round });
}

/// Moves a Clash on while nothing is under way; false where somebody is asked.
pub(crate) fn goes_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let at = play.at();
    let Some(clash) = &at.state.clash else { return false };
    for side in [Side::Party, Side::Foes] {
        if !is_standing(at, side) {
            let winners = is_standing(at, side.other()).then(|| side.other());
            end(play, winners);
            return true;
        }
    }
    let Some(turn) = clash.turn else {
        let next = clash.next;
        if candidates(at, next).next().is_some() {
            return false;
        }
        if candidates(at, next.other()).next().is_none() {
            new_round(play);
        } else if let Some(clash) = &mut play.state.clash {
            clash.next = next.other();
        }
        return true;
    };
    if !at.state.stands(turn.who) {
        finish(play, turn.who);
        return true;
    }
    match turn.step {
        // What the Director's characters could Activate is hidden, so they are always asked.
        TurnStep::Breath
            if at.rules.sheet(turn.who).seat == Seat::Gm || each_activable(at, turn.who).next().is_some() =>
        {
            false
        }
        TurnStep::Breath => {
            to_step(play.state, TurnStep::Main);
            true
        }
        TurnStep::Main => false,
        TurnStep::End => {
            finish(play, turn.who);
            true
        }
    }
}

fn to_step(state: &mut State, step: TurnStep) {
    if let Some(Turn { step: now, .. }) = state.clash.as_mut().and_then(|clash| clash.turn.as_mut()) {
        *now = step;
    }
}

/// A turn begins with the first three things of the Breath Step, in order (`turn.breath-order`).
fn start_turn(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    if let Some(clash) = &mut play.state.clash {
        clash.turn = Some(Turn { who, step: TurnStep::Breath });
        clash.turns = clash.turns.saturating_add(1);
    }
    play.event(Event::Turn { who });
    let body = play.state.body_mut(who);
    body.turns = body.turns.saturating_sub(1);
    (body.floating, body.surprised) = (0, false);
    harm::expire(play, |lasts, by| lasts == Lasts::NextTurn && by == Some(who));
    harm::expire_tokens(play, who);
    for element in play.state.elements_of(who).collect::<ArrayVec<Element, 48>>() {
        if play.state.card(who, element) == Card::Exhausted {
            play.state.turn_card(element, Card::Ready);
        }
    }
    play.state.bodies.iter_mut().for_each(|body| body.reaction = true);
    play.state.body_mut(who).actions = 1;
    play.state.used[Limit::Turn as usize] = 0;
    stack::happens(play, &[Moment::TurnBegins], who, None);
}

/// A turn is over: what lasts to its end ends now (`turn.end`).
fn finish(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    harm::expire(play, |lasts, _| lasts == Lasts::Turn);
    play.state.body_mut(who).actions = 0;
    play.event(Event::TurnOver { who });
    if let Some(clash) = &mut play.state.clash {
        clash.turn = None;
        clash.acted.retain(|other| *other != who);
        clash.acted.push(who);
    }
    let side = play.state.body(who).side;
    let others = candidates(play.at(), side.other()).next().is_some();
    if let Some(clash) = &mut play.state.clash {
        clash.next = if others { side.other() } else { side };
    }
}

/// The Clash is over (`ext.clash-end`): the losers are to be Subjugated, and all regain Minor WP.
pub(crate) fn end(play: &mut Play<'_, impl Sink<Event>>, winners: Option<Side>) {
    play.event(Event::ClashOver { winners });
    let Some(clash) = &play.state.clash else { return };
    let (stakes, name) = (clash.stakes, clash.name);
    let losers: Line = play
        .rules
        .everybody()
        .filter(|&who| play.state.body(who).fights && play.state.body(who).lost)
        .collect();
    play.state.fought = Some(Fought { name, winners, losers: losers.iter().copied().collect() });
    for &loser in &losers {
        // An Extra that left with its Controller has no part in it any more (`extra.leave`).
        if !play.state.body(loser).fights {
            continue;
        }
        let side = play.state.body(loser).side.other();
        let standing: CharSet = play
            .rules
            .everybody()
            .filter(|&who| play.state.stands(who) && play.state.body(who).side == side)
            .collect();
        if !standing.is_empty() && !play.state.body(loser).dead && !play.state.grips.is_full() {
            play.state.grips.push(Grip { loser, winners: standing, rank: stakes, cause: name, aware: true });
            if stakes == Rank::Major {
                harm::dismiss(play, loser);
            }
            play.state.subdued.push(loser);
        }
    }
    harm::expire(play, |lasts, _| {
        matches!(lasts, Lasts::AtOnce | Lasts::Clash | Lasts::Turn | Lasts::NextTurn)
    });
    play.state.clash = None;
    for who in play.rules.everybody() {
        let sheet = play.rules.sheet(who);
        let body = play.state.body_mut(who);
        if body.fights {
            body.minor = sheet.minor.min(body.major);
        }
        (body.fights, body.lost, body.actions, body.floating, body.turns) = (false, false, 0, 0, 0);
        (body.reaction, body.surprised) = (false, false);
    }
    lay_down(play.state);
}

// ---- Who goes next.

pub(crate) mod pick {
    use super::*;

    pub(crate) fn told(at: At<'_>, side: Side, _: Who, _: Viewer) -> Told {
        let round = at.state.clash.as_ref().map_or(0, |clash| clash.round);
        Told::new(format!("Round {round}: {} to go. Who takes the next turn?", crate::words::side(side)))
            .why(clause!("clash.pick-order"))
    }

    pub(crate) fn legal(at: At<'_>, side: Side, asked: Who, each: &mut impl FnMut(Answer)) {
        candidates(at, side).for_each(|who| each(Answer::Next(who)));
        if asked == Who::One(Seat::Gm) {
            each(Answer::EndClash);
        }
    }

    takes!(Answer, Answer::Next(_) | Answer::EndClash, clause!("clash.pick-order"), "expected who goes next");

    pub(crate) fn object(at: At<'_>, side: Side, asked: Who, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Next(who) if !candidates(at, side).any(|there| there == who) => {
                out.no(clause!("clash.pick-order"), "they have no turn left, or it is not their side's turn");
            }
            Answer::EndClash if !asked.seats().contains(Seat::Gm) => {
                out.no(clause!("core.atdd"), "the Director ends a Clash");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Side, _: Who, answer: Answer) {
        match answer {
            Answer::Next(who) => start_turn(play, who),
            _ => end(play, None),
        }
    }
}

// ---- Activation.

/// What a character can Activate now (`focus.activation-cost`).
pub(crate) fn each_activable(at: At<'_>, who: Char) -> impl Iterator<Item = Element> + '_ {
    let total = at.state.active_focus(at.rules, who);
    at.state.elements_of(who).filter(move |&element| {
        at.state.card(who, element) == Card::Inactive
            && u16::from(at.state.activation_cost(at.rules, element)) <= total
            && !matches!(element, Element::Trait(mark) if at.state.pool_of(mark).is_some_and(|pool| pool.of == Dice::Malus))
    })
}

pub(crate) mod breath {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!(
            "{} takes a breath, with {} Focus Active. What is Activated?",
            Saying(who, at),
            at.state.active_focus(at.rules, who)
        ))
        .why(clause!("turn.activate-choice"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each_activable(at, who).for_each(|element| each(Answer::Activate(element)));
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Activate(_) | Answer::Pass | Answer::Narrate(_),
        clause!("turn.activate-choice"),
        "expected what is Activated, or to pass"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::Activate(element) = answer else { return };
        if !at.state.owns(who, element) {
            out.no(clause!("clash.illegal"), "that is not yours");
        } else if at.state.card(who, element) != Card::Inactive {
            out.no(clause!("clash.illegal"), "that is Active already");
        } else if !each_activable(at, who).any(|there| there == element) {
            out.no(
                clause!("focus.activation-cost"),
                "what you have Active does not give enough Focus for it",
            );
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if let Answer::Narrate(words) = answer {
            return play.event(Event::Narrates { who, words });
        }
        to_step(play.state, TurnStep::Main);
        if let Answer::Activate(element) = answer {
            play.state.turn_card(element, Card::Ready);
            play.event(Event::Activates { who, element });
            stack::happens(play, &[Moment::Activated], who, Some(Target::Element(element)));
        }
    }
}

// ---- The Main Step.

/// Whether an Attack may be aimed at somebody (`attack.target`, `clash.flying`, `token.stealth`, `token.taunt`).
pub(crate) fn may_be_attacked(
    at: At<'_>,
    who: Char,
    on: Char,
) -> Result<(), (fracas_kernel::Clause, &'static str)> {
    if who == on {
        return Err((clause!("roll.parties"), "nobody Rolls against themselves"));
    }
    if !at.state.stands(on) {
        return Err((clause!("attack.target"), "they take no part in this Clash, or have lost it"));
    }
    let has = |keyword| at.state.has_keyword(at.rules, who, keyword);
    if at.state.has_keyword(at.rules, on, Keyword::Flying) && !has(Keyword::Flying) && !has(Keyword::Range) {
        return Err((clause!("clash.flying"), "only somebody Flying or with Range can attack them"));
    }
    is_seen(at, who, on)?;
    let side = at.state.body(who).side;
    let taunts = |other: Char| {
        at.state.stands(other)
            && at.state.body(other).side != side
            && at.state.tokens(other, TokenKind::Taunt) > 0
            && at.state.tokens(other, TokenKind::Stealth) == 0
            && (!at.state.has_keyword(at.rules, other, Keyword::Flying)
                || has(Keyword::Flying)
                || has(Keyword::Range))
    };
    if at.state.tokens(on, TokenKind::Taunt) == 0 && at.rules.everybody().any(taunts) {
        return Err((clause!("token.taunt"), "a Taunt Token must be attacked first"));
    }
    Ok(())
}

/// Whether a character can be chosen as a target (`token.stealth`).
pub(crate) fn is_seen(at: At<'_>, who: Char, on: Char) -> Result<(), (fracas_kernel::Clause, &'static str)> {
    if who != on && at.state.tokens(on, TokenKind::Stealth) > 0 {
        return Err((clause!("token.stealth"), "a Stealth Token hides them"));
    }
    Ok(())
}

pub(crate) mod main {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let actions = at.state.body(who).actions;
        let left = match actions {
            0 => "no Action left".to_owned(),
            1 => "one Action".to_owned(),
            n => format!("{n} Actions"),
        };
        let mut warning = String::new();
        if viewer != Viewer::Spectator && harm::knows_grip(at, who, None) {
            warning.push_str(" To resist a Subjugation brings a Death Roll.");
            if harm::is_in_mortal_danger(at, who) {
                warning.push_str(" So does Damage from a subjugator.");
            }
        }
        Told::new(format!("{} acts, with {left}.{warning}", Saying(who, at))).why(clause!("turn.main"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        if at.state.body(who).actions > 0 {
            each_action(at, who, each);
        }
        stack::each_use(at, who, false, each);
        at.state.controlled_by(who).for_each(|prop| each(Answer::LetGo { who, prop }));
        if at.state.concentration(who).is_some() {
            each(Answer::Drop(who));
        }
        each(Answer::End);
        if let Ok(words) = crate::words::REMARK.parse() {
            each(Answer::Narrate(words));
        }
        each(Answer::Surrender(who));
        if at.rules.sheet(who).seat == Seat::Gm {
            each(Answer::EndClash);
        }
    }

    fn each_action(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let is_fine = |answer: Answer| fine(|out| object(at, who, answer, out));
        let usable = |symbol: &Symbol| !at.state.is_eclipsed(who, *symbol);
        let symbols: ArrayVec<Symbol, 10> = Symbol::ALL.iter().copied().filter(usable).collect();
        // What differs in its Symbol alone is judged once.
        let all = |like: &dyn Fn(Symbol) -> Answer, each: &mut dyn FnMut(Answer)| {
            if symbols.first().is_some_and(|&with| is_fine(like(with))) {
                symbols.iter().for_each(|&with| each(like(with)));
            }
        };
        let side = at.state.body(who).side;
        let is_foe = |on: &Char| at.state.stands(*on) && at.state.body(*on).side != side;
        let foes: Line = at.rules.everybody().filter(is_foe).collect();
        let casts: ArrayVec<(Spell, Symbol), 12> = spell::each_castable(at, who)
            .map(|spell| (spell, at.rules.spell(spell).symbol))
            .take(12)
            .collect();
        let best = best(at, who);
        for &on in &foes {
            all(&|with| Answer::Attack { on, with, cast: None, resist: false }, each);
            for &(spell, with) in &casts {
                let casting = Casting { spell, slot: None, lasting: false };
                let attack = Answer::Attack { on, with, cast: Some(casting), resist: false };
                is_fine(attack).then(|| each(attack));
            }
        }
        let extras = at.rules.everybody().filter(|&extra| at.rules.sheet(extra).controller == Some(who));
        for extra in extras.filter(|&extra| at.state.stands(extra)) {
            let command = |&on: &Char| Answer::Command { extra, on, with: Symbol::Thunder };
            foes.iter().map(command).filter(|&command| is_fine(command)).for_each(&mut *each);
        }
        prop::each_action(at, who, &mut |action| {
            is_fine(action).then(|| each(action));
        });
        let about = crate::words::QUESTION.parse().ok();
        for &on in &foes {
            let on = Target::Char(on);
            all(&|with| Answer::Study { on, with, cast: None }, each);
            let investigate = about.map(|about| Answer::Investigate { on, with: best, about, cast: None });
            investigate.filter(|&investigate| is_fine(investigate)).into_iter().for_each(&mut *each);
        }
        for prop in at.state.props_here() {
            let study = Answer::Study { on: Target::Element(Element::Prop(prop)), with: best, cast: None };
            is_fine(study).then(|| each(study));
        }
        if let Ok(task) = "get away".parse() {
            for &on in &foes {
                all(&|with| Answer::Generic { on, with, task, cast: None, resist: false }, each);
            }
        }
        // Against those who hold the character in a Subjugation that it knows of (`sub.resist`).
        for &on in foes.iter().filter(|&&on| harm::knows_grip(at, who, Some(on))) {
            all(&|with| Answer::Attack { on, with, cast: None, resist: true }, each);
        }
        for (spell, _) in casts {
            let cast = Answer::Cast {
                who,
                on: who,
                casting: Casting { spell, slot: None, lasting: true },
                task: None,
            };
            is_fine(cast).then(|| each(cast));
        }
    }

    takes!(
        Answer,
        Answer::Attack { .. }
            | Answer::Study { .. }
            | Answer::Investigate { .. }
            | Answer::Control { .. }
            | Answer::PushOff { .. }
            | Answer::Generic { .. }
            | Answer::Command { .. }
            | Answer::Cast { .. }
            | Answer::Use { .. }
            | Answer::LetGo { .. }
            | Answer::Drop(_)
            | Answer::Narrate(_)
            | Answer::End
            | Answer::EndClash
            | Answer::Surrender(_),
        clause!("turn.main"),
        "expected an Action, an ability, or the end of the turn"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let (with, cast) = match answer {
            Answer::Attack { with, cast, .. }
            | Answer::Study { with, cast, .. }
            | Answer::Investigate { with, cast, .. }
            | Answer::Control { with, cast, .. }
            | Answer::PushOff { with, cast, .. }
            | Answer::Generic { with, cast, .. } => (Some(with), cast),
            Answer::Command { with, .. } => (Some(with), None),
            _ => (None, None),
        };
        if let Answer::Attack { resist: true, .. } | Answer::Generic { resist: true, .. } = answer
            && !harm::knows_grip(at, who, None)
        {
            out.no(clause!("sub.resist"), "there is no Subjugation that they know of");
        }
        if let Some(with) = with {
            if at.state.body(who).actions == 0 {
                out.no(clause!("action.resource"), "no Action is left");
            }
            let roller = if let Answer::Command { extra, .. } = answer { extra } else { who };
            if at.state.is_eclipsed(roller, with) {
                out.no(clause!("alteration.eclipsed-ban"), "that Symbol of theirs is Eclipsed");
            }
            if at.state.frames.len() >= FULL {
                out.no(clause!("stack.window"), "too much is under way");
            }
            test::object_cast(at, who, cast, out);
        }
        match answer {
            Answer::Attack { on, .. } => {
                if let Err((clause, what)) = may_be_attacked(at, who, on) {
                    out.no(clause, what);
                }
            }
            Answer::Command { extra, on, .. } => {
                if at.rules.sheet(extra).controller != Some(who) || !at.state.stands(extra) {
                    out.no(clause!("extra.what"), "they command no such Extra here");
                }
                if let Err((clause, what)) = may_be_attacked(at, extra, on) {
                    out.no(clause, what);
                }
            }
            Answer::Study { on, .. } | Answer::Investigate { on, .. } => {
                crate::study::object(at, who, on, out);
            }
            Answer::Generic { on, .. } => {
                if let Err((clause, what)) = is_seen(at, who, on) {
                    out.no(clause, what);
                }
                if on == who {
                    out.no(clause!("roll.parties"), "nobody Rolls against themselves");
                } else if !at.state.is_about(on) {
                    out.no(clause!("roll.parties"), "they are not here");
                }
            }
            Answer::Control { prop, from, .. } => prop::object_control(at, who, prop, from, out),
            Answer::PushOff { prop, whom, .. } => prop::object_push(at, who, prop, whom, out),
            Answer::Cast { who: caster, on, casting, .. } => {
                if at.state.body(who).actions == 0 {
                    out.no(clause!("spell-action"), "no Action is left");
                }
                spell::object_no_roll(at, (who, caster), on, casting, out);
            }
            Answer::Use { who: user, ability, on, pay } => {
                if user != who {
                    out.no(clause!("clash.illegal"), "that character is not the one whose turn it is");
                }
                stack::object(at, user, ability, on, pay, false, out);
            }
            Answer::LetGo { who: holder, prop }
                if holder != who || !at.state.controlled_by(who).any(|there| there == prop) =>
            {
                out.no(clause!("control-release"), "they do not Control that");
            }
            Answer::Drop(caster) if caster != who || at.state.concentration(who).is_none() => {
                out.no(clause!("conc.drop"), "they do not Concentrate");
            }
            Answer::Surrender(loser) if loser != who => {
                out.no(clause!("wp.surrender"), "that character is not the one whose turn it is");
            }
            Answer::EndClash if at.rules.sheet(who).seat != Seat::Gm => {
                out.no(clause!("core.atdd"), "the Director ends a Clash");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        match answer {
            Answer::Attack { on, with, cast, resist } => {
                let test = test::new(Kind::Attack, who, Target::Char(on), on, with);
                announce(play, Test { resists: resist, ..test }, cast);
            }
            Answer::Command { extra, on, with } => {
                announce(play, test::new(Kind::Attack, extra, Target::Char(on), on, with), None);
            }
            Answer::Study { on, with, cast } => {
                let Some(defender) = keeper(play.rules, play.state, on) else { return };
                announce(play, test::new(Kind::Study, who, on, defender, with), cast);
            }
            Answer::Investigate { on, with, about, cast } => {
                let Some(defender) = keeper(play.rules, play.state, on) else { return };
                let test = test::new(Kind::Investigate, who, on, defender, with);
                announce(play, Test { task: Some(about), ..test }, cast);
            }
            Answer::Generic { on, with, task, cast, resist } => {
                let test = test::new(Kind::Generic, who, Target::Char(on), on, with);
                announce(play, Test { task: Some(task), resists: resist, ..test }, cast);
            }
            Answer::Control { prop, with, from, cast } => {
                if let Some(test) = prop::control(play.at(), who, prop, with, from) {
                    announce(play, test, cast);
                }
            }
            Answer::PushOff { prop, whom, with, cast } => {
                let target = Target::Element(Element::Prop(prop));
                announce(play, test::new(Kind::PushOff, who, target, whom, with), cast);
            }
            Answer::Cast { on, casting, task, .. } => {
                let test = spell::quietly(play.at(), who, on, casting.spell, task);
                play.event(Event::Quietly { who, on, with: test.with, task });
                begin_action(play, test, Some(casting));
            }
            Answer::Use { ability, on, pay, .. } => stack::use_ability(play, who, ability, on, pay),
            Answer::LetGo { prop, .. } => prop::release(play, who, prop),
            Answer::Drop(_) => spell::stop(play, who),
            Answer::Narrate(words) => play.event(Event::Narrates { who, words }),
            Answer::Surrender(_) => harm::surrender(play, who),
            Answer::EndClash => end(play, None),
            _ => {
                to_step(play.state, TurnStep::End);
                stack::happens(play, &[Moment::TurnEnds], who, None);
            }
        }
    }

    /// An Action is announced: it costs its Action, and the Director rules on it (`stack-vs-roll`).
    fn announce(play: &mut Play<'_, impl Sink<Event>>, test: Test, cast: Option<Casting>) {
        let (who, kind, on, with) = (test.attacker, test.kind, test.target, test.with);
        play.event(Event::Announces { who, kind, on, with });
        begin_action(play, test, cast);
    }

    /// An Action that was announced begins.
    fn begin_action(play: &mut Play<'_, impl Sink<Event>>, mut test: Test, cast: Option<Casting>) {
        let who = test.attacker;
        test.cast = cast.and_then(|casting| spell::cast(play.at(), casting));
        test.over = test::likely(play.at(), &test);
        play.state.body_mut(payer(play.rules, who)).actions -= 1;
        // Where there is no Roll the Director has nothing to rule on (`control-own-creation`).
        let is_settled = test.came.is_some();
        if is_settled {
            test.step = Step::Waits;
        }
        stack::push(play.state, Frame::Test(test));
        if is_settled {
            stack::announced(play);
        }
    }

    /// The Symbol of a character's highest value.
    pub(super) fn best(at: At<'_>, who: Char) -> Symbol {
        let value = |symbol: &Symbol| at.state.value(at.rules, who, *symbol);
        Symbol::ALL.iter().copied().rev().max_by_key(value).unwrap_or(Symbol::Lantern)
    }
}

// ---- Stepping in on somebody else's turn.

/// The seats that are asked whether they step in: the Director's always. Before the Main Step only Rapid effects are
/// worth asking for: Surrender has its place in the Main Step that follows (`timing.rapid`, `wp.surrender`).
pub(crate) fn asked_aside(at: At<'_>) -> SeatSet {
    let any = is_main(at);
    let seat = |who: Char| at.rules.sheet(who).seat;
    let beaten = each_beaten(at).fold(SeatSet::one(Seat::Gm), |seats, who| seats.with(seat(who)));
    each_aside(at).fold(beaten, |seats, who| {
        let asked = !seats.contains(seat(who)) && (any || stack::can_answer(at, who));
        if asked { seats.with(seat(who)) } else { seats }
    })
}

/// Whether somebody is in the Main Step of their turn.
fn is_main(at: At<'_>) -> bool {
    let turn = at.state.clash.as_ref().and_then(|clash| clash.turn);
    turn.is_some_and(|turn| turn.step == TurnStep::Main)
}

/// Those who can step in while nothing is under way: in the Main Step the turn's character acts as such.
pub(crate) fn each_aside(at: At<'_>) -> impl Iterator<Item = Char> + '_ {
    let turn = at.state.clash.as_ref().and_then(|clash| clash.turn);
    let acts = turn.filter(|turn| turn.step == TurnStep::Main).map(|turn| turn.who);
    at.rules.everybody().filter(move |&who| at.state.stands(who) && Some(who) != acts)
}

/// Those who can end their Concentration while others have Priority: that is done at will, and waits for nothing
/// (`conc.drop`).
pub(crate) fn each_dropping(at: At<'_>) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&who| {
        at.state.stands(who) && at.state.concentration(who).is_some() && pays_to_drop(at, who)
    })
}

/// Whether a character can pay for the end of their Concentration: on another's turn with the Reaction.
fn pays_to_drop(at: At<'_>, who: Char) -> bool {
    at.state.turn() == Some(who) || (at.state.body(who).reaction && !test::is_dazed(at, who))
}

/// Those who have lost this Clash, and can still resist a Subjugation that they know of (`beaten-out`).
pub(crate) fn each_beaten(at: At<'_>) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&who| {
        let body = at.state.body(who);
        let holds = |on: &Char| harm::knows_grip(at, who, Some(*on)) && at.state.is_about(*on);
        body.fights
            && body.lost
            && !body.dead
            && at.rules.everybody().any(|on| holds(&on) && is_seen(at, who, on).is_ok())
    })
}

pub(crate) mod aside {
    use super::*;

    fn own(at: At<'_>, asked: Who) -> impl Iterator<Item = Char> + '_ {
        each_aside(at).filter(move |&who| asked.seats().contains(at.rules.sheet(who).seat))
    }

    /// Whether others have Priority: Rapid effects wait then (`timing.rapid`).
    fn is_window(at: At<'_>) -> bool {
        matches!(at.state.frames.last(), Some(Frame::Window(_)))
    }

    fn is_of(at: At<'_>, asked: Who, who: Char) -> bool {
        asked.seats().contains(at.rules.sheet(who).seat)
    }

    pub(crate) fn told(at: At<'_>, asked: Who, _: Viewer) -> Told {
        if is_window(at) {
            return Told::new("You may stop Concentrating").why(clause!("conc.drop"));
        }
        let turn =
            at.state.turn().map_or(String::new(), |who| format!(" on the turn of {}", Saying(who, at)));
        let rapid = own(at, asked).any(|who| stack::can_answer(at, who));
        let rapid = if rapid { ": a Rapid ability, or Surrender" } else { " by Surrender" };
        Told::new(format!("You may step in{turn}{rapid}")).why(clause!("timing.rapid"))
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        if is_window(at) {
            return each_dropping(at)
                .filter(|&who| is_of(at, asked, who))
                .for_each(|who| each(Answer::Drop(who)));
        }
        for who in each_beaten(at).filter(|&who| is_of(at, asked, who)) {
            free::each_resistance(at, who, each);
        }
        for who in own(at, asked) {
            stack::each_use(at, who, true, each);
            if at.state.concentration(who).is_some() && pays_to_drop(at, who) {
                each(Answer::Drop(who));
            }
            let side = |who: Char| at.state.body(who).side;
            if at.state.turn().is_some_and(|turn| side(turn) == side(who)) {
                at.state.controlled_by(who).for_each(|prop| each(Answer::LetGo { who, prop }));
            }
            each(Answer::Surrender(who));
        }
        // On a turn of their own characters, and before one, the Director has it elsewhere.
        if asked == Who::One(Seat::Gm) && (is_main(at) || own(at, asked).next().is_none()) {
            each(Answer::EndClash);
        }
    }

    takes!(
        Answer,
        Answer::Use { .. }
            | Answer::Drop(_)
            | Answer::LetGo { .. }
            | Answer::Surrender(_)
            | Answer::Try { resist: true, .. }
            | Answer::EndClash,
        clause!("action.slow"),
        "expected a Rapid ability, or Surrender: Actions are Slow"
    );

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let is_own = |who: Char| own(at, asked).any(|own| own == who);
        if is_window(at) {
            match answer {
                Answer::Drop(who)
                    if each_dropping(at).any(|dropping| dropping == who && is_of(at, asked, who)) => {}
                Answer::Drop(_) => {
                    out.no(clause!("conc.drop"), "they do not Concentrate, or no Reaction is left")
                }
                _ => out.no(clause!("timing.rapid"), "somebody has Priority"),
            }
            return;
        }
        match answer {
            Answer::Use { who, ability, on, pay } => {
                if !is_own(who) {
                    out.no(clause!("clash.illegal"), "that character is not yours to act with now");
                }
                stack::object(at, who, ability, on, pay, true, out);
            }
            Answer::Try { .. } => {
                let seats = asked.seats();
                let is_beaten = |who: Char| {
                    seats.contains(at.rules.sheet(who).seat) && each_beaten(at).any(|beaten| beaten == who)
                };
                free::object_try(at, is_beaten, answer, out);
            }
            Answer::Drop(who) => {
                if !is_own(who) || at.state.concentration(who).is_none() {
                    out.no(clause!("conc.drop"), "they do not Concentrate");
                } else if !pays_to_drop(at, who) {
                    out.no(clause!("conc.drop"), "on another's turn that costs a Reaction, and none is left");
                }
            }
            Answer::LetGo { who, prop } => {
                let side = |who: Char| at.state.body(who).side;
                let ally = at.state.turn().is_some_and(|turn| side(turn) == side(who));
                if !is_own(who) || !at.state.controlled_by(who).any(|there| there == prop) {
                    out.no(clause!("control-release"), "they do not Control that");
                } else if !ally {
                    out.no(clause!("control-release"), "on an enemy's turn Control is not let go");
                }
            }
            Answer::Surrender(who) if !is_own(who) => {
                out.no(clause!("wp.surrender"), "that character is not yours to act with now");
            }
            Answer::EndClash if asked != Who::One(Seat::Gm) => {
                out.no(clause!("core.atdd"), "the Director ends a Clash");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        match answer {
            Answer::Use { who, ability, on, pay } => stack::use_ability(play, who, ability, on, pay),
            Answer::Drop(who) => {
                let own = play.state.turn() == Some(who);
                play.state.body_mut(who).reaction &= own;
                spell::stop(play, who);
            }
            Answer::LetGo { who, prop } => prop::release(play, who, prop),
            Answer::Surrender(who) => harm::surrender(play, who),
            Answer::Try { .. } => free::apply_try(play, answer),
            _ => end(play, None),
        }
    }
}

/// An Item or a Trait of a character is of use to a static ability: it is Active, or there is no Clash.
pub(crate) fn is_active(at: At<'_>, who: Char, element: Element) -> bool {
    at.state.clash.is_none() || at.state.card(who, element) != Card::Inactive
}

/// Whether an effect is one that a static ability can have.
pub(crate) const fn is_static(effect: Effect) -> bool {
    effect.is_on_roll() || matches!(effect, Effect::GainKeyword(_))
}
