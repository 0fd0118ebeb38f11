//! Outside conflicts: checks that the Adversary calls for, what players try, chases, rests.

use crate::answer::{Act, Answer};
use crate::rules::{ChaseDice, Opening};
use crate::state::{Check, Frame, Phase, Trial, Why};
use crate::{At, Play, check, event::Event, points, round, values, vocab::*, words};
use fracas_kernel::{Any, Objections, Seat, Sink, Told, Viewer, Who, fine, takes};

/// The question of [`crate::answer::Prompt::Scene`].
pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
    Told::new("What happens?").why(clause!("challenge.assign"))
}

/// What is usual: a fair check of each player's character, a look round, a conflict, the end.
pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
    if crate::flow::is_thrown(at) {
        return;
    }
    let here = |who: &Char| at.state.is_here(*who);
    for who in at.rules.pcs.iter().filter(here).filter(|&who| at.state.is_able(at.rules, who)) {
        usual_checks().for_each(|(with, level)| each(called(who, with, level)));
        looks(who, None, each);
        hidden(at).for_each(|of| looks(who, Some(of), each));
        each(Answer::NoRoll { who, with: Trait::ATHLETE });
        each(Answer::Hint { who, what: words::something() });
    }
    let able = |side: Side| -> CharSet {
        let is = |&who: &Char| {
            at.rules.sheet(who).side == side && round::takes_part(at, who) && at.state.is_able(at.rules, who)
        };
        at.rules.everybody().filter(is).collect()
    };
    let (players, foes) = (able(Side::Players), able(Side::Foes));
    if !players.is_empty() && !foes.is_empty() {
        if let Some((first, surprised)) = opening(at) {
            each(Answer::Battle { first, surprised });
        }
        each(Answer::Battle { first: CharSet::NONE, surprised: CharSet::NONE });
        each(Answer::Battle { first: foes, surprised: players });
        each(Answer::Battle { first: players, surprised: CharSet::NONE });
        let noticed = |all: CharSet| all.iter().filter(|&who| at.state.is_noticed(who)).collect::<CharSet>();
        let (fleeing, after) = (noticed(foes), noticed(players));
        if !fleeing.is_empty() && !after.is_empty() {
            each(Answer::Run { fleeing, after, lead: 0 });
        }
    }
    each(Answer::Rest { harder: 0 });
    each(Answer::Close);
}

/// Checks that are called for most often; the Adversary's forms take any trait and any level.
fn usual_checks() -> impl Iterator<Item = (Trait, u8)> {
    let of = |with: Trait, levels: &'static [u8]| levels.iter().map(move |&level| (with, level));
    of(Trait::ATHLETE, &[9, 12, 8])
        .chain(of(Trait::INTUITION, &[9, 12]))
        .chain(of(Trait::PRESENCE, &[9, 12, 15]))
        .chain([(Trait::RANGER, 9), (Trait::INTELLECT, 12)])
}

/// A check with the usual tools.
fn called(who: Char, with: Trait, level: u8) -> Answer {
    Answer::Check { who, with, level, tools: 0, against: None }
}

/// Checks to notice something, also where dusk or smoke makes it 3 harder, or to notice somebody, in secret.
fn looks(who: Char, of: Option<Char>, each: &mut impl FnMut(Answer)) {
    let secret = of.is_some();
    let mut put = |sense, level, harder| {
        each(Answer::Notice { who, sense, level, of, harder, distracted: 0, distance: 0, secret });
    };
    put(Sense::Sight, 9, 0);
    put(Sense::Sight, 9, 3);
    put(Sense::Hearing, 9, 0);
    if of.is_none() {
        put(Sense::Smell, 14, 0);
    }
}

/// A usual check to notice something; to notice somebody, in secret.
fn noticing(who: Char, sense: Sense, of: Option<Char>) -> Answer {
    let secret = of.is_some();
    Answer::Notice { who, sense, level: 9, of, harder: 0, distracted: 0, distance: 0, secret }
}

/// Who is first and who is surprised in the first conflict, where the encounter says that of anybody who can
/// act (`zero.one-or-group`, `zero.surprise.who`).
pub(crate) fn opening(at: At<'_>) -> Option<(CharSet, CharSet)> {
    let those = |opening: Opening| -> CharSet {
        let is = |&who: &Char| {
            at.rules.sheet(who).opening == Some(opening)
                && round::takes_part(at, who)
                && at.state.is_able(at.rules, who)
        };
        at.rules.everybody().filter(is).collect()
    };
    let first = those(Opening::First);
    (at.state.battles == 0 && !first.is_empty()).then(|| (first, those(Opening::Surprised)))
}

/// Those who are there to be noticed.
fn hidden(at: At<'_>) -> impl Iterator<Item = Char> + '_ {
    at.rules.everybody().filter(move |&of| at.state.being(of).unseen && at.state.is_here(of))
}

takes!(
    Answer,
    Answer::Check { .. }
        | Answer::Notice { .. }
        | Answer::NoRoll { .. }
        | Answer::Hint { .. }
        | Answer::Battle { .. }
        | Answer::Run { .. }
        | Answer::Rest { .. }
        | Answer::Raise { .. }
        | Answer::Buy { .. }
        | Answer::Close,
    clause!("challenge.assign"),
    "expected what happens in the scene"
);

pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
    if crate::flow::is_thrown(at) {
        return out.no(clause!("info.adversary"), crate::flow::LIE_FIRST);
    }
    let here = |who: Char, out: &mut dyn FnMut(fracas_kernel::Clause, &'static str)| {
        if !at.state.is_here(who) {
            out(clause!("challenge.assign"), "that character is not here");
        }
    };
    match answer {
        Answer::Check { who, tools, against, .. } => {
            here(who, &mut |clause, what| out.no(clause, what));
            if at.state.is_disabled(at.rules, who) || at.state.being(who).asleep {
                out.no(clause!("turn.disabled"), "that character can do nothing now");
            }
            if against == Some(who) {
                out.no(clause!("core.versus"), "nobody resists themself");
            }
            check::tools(tools, out);
        }
        Answer::Notice { who, sense, of, .. } => {
            here(who, &mut |clause, what| out.no(clause, what));
            if at.state.is_disabled(at.rules, who) {
                out.no(clause!("perception.unconscious"), "an unconscious character notices nothing");
            }
            if at.state.being(who).asleep && sense != Sense::Hearing {
                out.no(clause!("sleep-senses"), "a sleeper can only hear something");
            }
            if of.is_some() && at.rules.sheet(who).side != Side::Players {
                out.no(clause!("perception.use.faint"), "only the players' side has not noticed them");
            }
            if of.is_some_and(|of| !at.state.is_here(of) || !at.state.being(of).unseen) {
                out.no(
                    clause!("perception.use.faint"),
                    "expected somebody here whom players have not noticed",
                );
            }
        }
        Answer::NoRoll { who, .. } => {
            here(who, &mut |clause, what| out.no(clause, what));
            if at.state.is_disabled(at.rules, who) || at.state.being(who).asleep {
                out.no(clause!("turn.disabled"), "that character can do nothing now");
            }
        }
        Answer::Hint { who, .. } if !at.rules.is_pc(who) => {
            out.no(clause!("intuition.plot"), "a hint goes to a player's character");
        }
        Answer::Battle { first, surprised } => {
            let takes_part = |who: Char| round::takes_part(at, who) && at.state.is_able(at.rules, who);
            if !first.iter().all(takes_part) {
                out.no(clause!("zero.one-or-group"), "only those who are here and able can act first");
            }
            if !first.and(surprised).is_empty() || first.is_empty() && !surprised.is_empty() {
                out.no(clause!("zero.surprise.who"), "those are surprised whom others attack first");
            }
            let fights = |side: Side| {
                at.rules.everybody().any(|who| {
                    at.rules.sheet(who).side == side
                        && round::takes_part(at, who)
                        && !at.state.is_disabled(at.rules, who)
                })
            };
            if !fights(Side::Players) || !fights(Side::Foes) {
                out.no(clause!("zero.begin"), "a conflict has two sides");
            }
        }
        Answer::Run { fleeing, after, .. } => {
            let all = fleeing.or(after);
            if fleeing.is_empty() || after.is_empty() || !fleeing.and(after).is_empty() {
                out.no(clause!("chase.roll"), "a chase has those who flee and others who pursue");
            } else if !all.iter().all(|who| at.state.is_able(at.rules, who)) {
                out.no(clause!("chase.roll"), "only those who are here and able can run");
            } else if all.iter().any(|who| at.state.being(who).unseen) {
                out.no(clause!("chase.roll"), "dice tell of who runs: let them be noticed first");
            }
        }
        Answer::Raise { who, what } => raise(at, who, what, out),
        Answer::Buy { who, fortune } => {
            let being = at.state.being(who);
            if !at.rules.is_pc(who) {
                out.no(clause!("fortune.points"), "players buy Fortune for their characters");
            } else if fortune == 0 || u32::from(fortune) > being.experience {
                out.no(clause!("fortune.points"), "each point costs one experience point");
            } else if being.fortune + fortune.min(MAX_FORTUNE) > MAX_FORTUNE {
                out.no(clause!("fortune.points"), "nobody has more than 999 Fortune");
            }
        }
        _ => {}
    }
}

/// What speaks against raising a trait (`trait.raise`).
fn raise(at: At<'_>, who: Char, what: Trait, out: &mut impl Objections) {
    let being = at.state.being(who);
    let level = being.levels[what.index()];
    if !at.rules.is_pc(who) {
        out.no(clause!("trait.raise"), "players raise the traits of their characters");
    } else if level >= MAX_LEVEL {
        out.no(clause!("trait.raise"), "it cannot rise further");
    } else if being.experience < price(level) {
        out.no(clause!("trait.raise"), "there are not enough experience points");
    }
}

/// Experience points for one level more: a hundred for each character point.
fn price(level: u8) -> u32 {
    let level = u32::from(level);
    100 * (points::cost(level + 1) - points::cost(level))
}

pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    match answer {
        Answer::Check { who, with, level, tools, against } => {
            let level = match against {
                Some(other) => values::level(play.at(), other, with) + 7,
                None => i16::from(level),
            };
            let level = (level + i16::from(tools)).max(0);
            // Nobody takes time over it in a fight or a chase.
            let timed = play.state.phase == Phase::Scene;
            begin(play, Check { timed, ..Check::new(who, with, level, Why::Called) });
        }
        Answer::Notice { who, sense, level, of, harder, distracted, distance, secret } => {
            let at = play.at();
            // The gift of a sense cancels what hinders it (`gift.nature`).
            let keen = at.rules.sheet(who).gifts.iter().any(|gift| gift.sense() == Some(sense));
            let harder = i16::from(distracted) + if keen { 0 } else { i16::from(harder) };
            let far = of.filter(|_| distance == 0).map(|of| at.state.distance(at.rules, who, of));
            let range = values::range_number(sense.range(), far.unwrap_or(distance.into()));
            let why = Why::Notice { sense, of };
            begin(
                play,
                Check { secret, ..Check::new(who, sense.checked(), i16::from(level) + harder + range, why) },
            );
        }
        Answer::NoRoll { who, with } => {
            let mox = values::level(play.at(), who, with);
            play.event(Event::NoRoll { who, with, mox });
        }
        Answer::Hint { who, what } => play.event(Event::Hint { who, what }),
        Answer::Battle { first, surprised } => round::begin(play, first, surprised),
        Answer::Run { fleeing, after, lead } => set_off(play, fleeing, after, lead),
        Answer::Rest { harder } => rest(play, harder),
        Answer::Raise { who, what } => {
            let being = play.state.being_mut(who);
            being.experience = being.experience.saturating_sub(price(being.levels[what.index()]));
            being.levels[what.index()] += 1;
            let to = being.levels[what.index()];
            play.event(Event::Raises { who, what, to });
        }
        Answer::Buy { who, fortune } => {
            let being = play.state.being_mut(who);
            being.experience = being.experience.saturating_sub(fortune.into());
            being.fortune = (being.fortune + fortune).min(MAX_FORTUNE);
            play.event(Event::Buys { who, points: fortune });
        }
        Answer::Close => {
            play.state.over = true;
            play.event(Event::Over);
        }
        _ => {}
    }
}

fn begin(play: &mut Play<'_, impl Sink<Event>>, mut check: Check) {
    // What somebody does whom nobody has noticed is not heard.
    check.secret |= play.state.being(check.who).unseen;
    play.state.frames.push(Frame::Check(check));
    check::call(play);
}

/// A night's rest: each player's character who is hurt, and had no hard day, recovers (`injury.recover`).
fn rest(play: &mut Play<'_, impl Sink<Event>>, harder: u8) {
    play.event(Event::Rested);
    let hurt = |&who: &Char| {
        play.state.is_here(who) && play.state.being(who).wounds > 0 && !play.state.is_dead(play.rules, who)
    };
    let hurt: CharSet = play.rules.pcs.iter().filter(hurt).collect();
    play.state.frames.push(Frame::Rest(hurt, harder));
}

/// The next of those who rest recovers.
pub(crate) fn rest_on(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(&Frame::Rest(left, harder)) = play.state.frames.last() else { return };
    play.state.frames.pop();
    let Some(who) = left.first() else {
        for being in &mut play.state.cast {
            being.weary = false;
        }
        return;
    };
    play.state.frames.push(Frame::Rest(left.without(who), harder));
    if play.state.being(who).weary {
        return play.event(Event::NoRest { who });
    }
    let level = check::rests(play.state.being(who).wounds, harder);
    begin(play, Check::new(who, Trait::FORTITUDE, level, Why::Recover));
}

/// Heals by touch, wounds or shocks, paid with Fortune or with as many of one's own (`gift.empathy`,
/// `fortune.heal`).
pub(crate) fn heal(
    play: &mut Play<'_, impl Sink<Event>>,
    (who, on): (Char, Char),
    points: u8,
    (shocks, own): (bool, bool),
) {
    let being = play.state.being_mut(on);
    let points = u16::from(points);
    let of_mind = if shocks { being.shocks.min(points) } else { points.saturating_sub(being.wounds) };
    let of_body = points - of_mind;
    being.shocks = being.shocks.saturating_sub(of_mind);
    being.wounds = being.wounds.saturating_sub(of_body);
    play.event(Event::Heals { who, on, wounds: of_body, shocks: of_mind });
    if own {
        round::wound(play, who, of_body);
        round::shock(play, who, of_mind);
    } else {
        crate::act::burn(play, who, points);
    }
}

/// What speaks against healing by touch (`gift.empathy`): in a fight it is all that somebody does in a round,
/// in peace each point of Fortune heals (`fortune.heal`).
pub(crate) fn can_heal(
    at: At<'_>,
    (who, on): (Char, Char),
    points: u8,
    own: bool,
    no: &mut impl FnMut(fracas_kernel::Clause, &'static str),
) {
    let fights = at.state.phase == Phase::Battle;
    let hurt = at.state.being(on);
    if !at.rules.sheet(who).gifts.has(Gift::Empathy) {
        no(clause!("gift.empathy"), "only with the gift of Empathy");
    }
    if points != 1 && (fights || own) {
        no(clause!("gift.empathy"), "one wound or shock a round");
    }
    if fights && at.state.fighting(who).actions < 2 {
        no(clause!("gift.empathy"), "an empath does nothing else that round: both actions must be left");
    }
    if own && on == who {
        no(clause!("gift.empathy"), "an empath can take upon herself what others have: pay with Fortune");
    }
    if !own && at.state.being(who).fortune < u16::from(points) {
        no(clause!("fortune.heal"), "there is not so much Fortune left");
    }
    if !at.state.perceives(at.rules, who, on) || fights && !at.state.is_next_to(at.rules, who, on) {
        no(clause!("gift.empathy"), "the empath must touch them");
    } else if at.state.is_dead(at.rules, on) {
        no(clause!("gift.empathy"), "the dead cannot be healed");
    } else if points == 0 || hurt.wounds + hurt.shocks < u16::from(points) {
        no(clause!("fortune.heal"), "no more is healed than there are wounds and shocks");
    }
}

/// Lists what somebody with the gift of Empathy can do by it: heal one point or all that Fortune pays, of
/// another also at the empath's own cost, and feel what those nearby feel.
pub(crate) fn empathy(at: At<'_>, who: Char, put: &mut impl FnMut(Act)) {
    if !at.rules.sheet(who).gifts.has(Gift::Empathy) {
        return;
    }
    for on in at.rules.everybody() {
        let hurt = at.state.being(on);
        let all = (hurt.wounds + hurt.shocks).min(at.state.being(who).fortune).min(u8::MAX.into()) as u8;
        put(Act::Heal { on, points: 1, shocks: false, own: false });
        if hurt.wounds > 0 && hurt.shocks > 0 {
            put(Act::Heal { on, points: 1, shocks: true, own: false });
        }
        if all > 1 && at.state.phase != Phase::Battle {
            put(Act::Heal { on, points: all, shocks: false, own: false });
        }
        put(Act::Heal { on, points: 1, shocks: false, own: true });
    }
    let others = at.rules.everybody().filter(|&on| at.rules.sheet(on).side != at.rules.sheet(who).side);
    others.filter(|&on| !at.state.is_disabled(at.rules, on)).for_each(|on| put(Act::Feel(on)));
}

/// What speaks against feeling what somebody feels (`gift.empathy`, `empathy-nearby`).
pub(crate) fn can_feel(
    at: At<'_>,
    who: Char,
    on: Char,
    no: &mut impl FnMut(fracas_kernel::Clause, &'static str),
) {
    if !at.rules.sheet(who).gifts.has(Gift::Empathy) {
        no(clause!("gift.empathy"), "only with the gift of Empathy");
    }
    let fights = at.state.phase == Phase::Battle;
    let distance = at.state.distance(at.rules, who, on);
    if on == who || !at.state.perceives(at.rules, who, on) {
        no(clause!("gift.empathy"), "somebody else nearby is needed");
    } else if fights && values::range_number(Sense::Intuition.range(), distance) > 0 {
        no(clause!("empathy-nearby"), "nearby is point-blank for Intuition: up to 5 spaces");
    }
}

/// Feels what somebody feels: Intuition against their Defiance.
pub(crate) fn feel(play: &mut Play<'_, impl Sink<Event>>, who: Char, on: Char) {
    let level = values::defiance(play.at(), on);
    crate::walk::push_check(play, who, Trait::INTUITION, level, Why::Feel(on));
    check::call(play);
}

/// The question of [`crate::answer::Prompt::Try`].
pub(crate) mod attempt {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Who, _: Viewer) -> Told {
        Told::new("Does one of your characters try something?").why(clause!("challenge.assign"))
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        for who in own(at, asked) {
            for with in [Trait::BRAWN, Trait::INTELLECT, Trait::PRESENCE, Trait::ATHLETE, Trait::RANGER] {
                each(Answer::Try { who, with, what: words::something() });
            }
            let raised = (0..at.rules.traits.len() as u8).map(|n| Answer::Raise { who, what: Trait(n) });
            let bought = [1, 5].into_iter().map(|fortune| Answer::Buy { who, fortune });
            let mut put = |answer: Answer| {
                if fine(|out: &mut Any| object(at, asked, answer, out)) {
                    each(answer);
                }
            };
            raised.chain(bought).for_each(&mut put);
            empathy(at, who, &mut |act| put(Answer::As { who, act }));
        }
    }

    /// Characters of a seat who can do something.
    fn own(at: At<'_>, asked: Who) -> impl Iterator<Item = Char> + '_ {
        at.rules
            .pcs
            .iter()
            .filter(move |&who| Some(at.rules.seat(who)) == asked.seat() && at.state.is_able(at.rules, who))
    }

    takes!(
        Answer,
        Answer::Try { .. }
            | Answer::Raise { .. }
            | Answer::Buy { .. }
            | Answer::As { act: Act::Heal { .. } | Act::Feel(_), .. },
        clause!("challenge.assign"),
        "expected what your character tries"
    );

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        let (Answer::Try { who, .. }
        | Answer::Raise { who, .. }
        | Answer::Buy { who, .. }
        | Answer::As { who, .. }) = answer
        else {
            return;
        };
        if Some(at.rules.seat(who)) != asked.seat() {
            return out.no(clause!("challenge.assign"), "that is none of your characters");
        }
        match answer {
            Answer::Raise { .. } | Answer::Buy { .. } => super::object(at, answer, out),
            _ if !at.state.is_able(at.rules, who) => {
                out.no(clause!("turn.disabled"), "that character can do nothing now");
            }
            Answer::As { act: Act::Heal { on, points, own, .. }, .. } => {
                can_heal(at, (who, on), points, own, &mut |clause, what| out.no(clause, what));
            }
            Answer::As { act: Act::Feel(on), .. } => {
                can_feel(at, who, on, &mut |clause, what| out.no(clause, what))
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        match answer {
            Answer::Try { who, with, what } => {
                play.event(Event::Tries { who, with, what });
                let check = Check::new(who, with, 0, Why::Tried(what));
                play.state.frames.push(Frame::Check(Check { step: Trial::Level, ..check }));
            }
            Answer::As { who, act: Act::Heal { on, points, shocks, own } } => {
                super::heal(play, (who, on), points, (shocks, own));
            }
            Answer::As { who, act: Act::Feel(on) } => super::feel(play, who, on),
            other => super::apply(play, other),
        }
    }
}

/// The Adversary steps in while others act or wait: the question of [`crate::answer::Prompt::Aside`].
pub(crate) mod aside {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("Does something come to somebody's notice meanwhile?").why(clause!("perception.use.faint"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        if crate::flow::is_thrown(at) {
            return;
        }
        let mut put = |answer: Answer| {
            if fine(|out: &mut Any| object(at, answer, out)) {
                each(answer);
            }
        };
        for who in at.rules.pcs.iter() {
            let asleep = at.state.being(who).asleep;
            put(noticing(who, if asleep { Sense::Hearing } else { Sense::Sight }, None));
            put(Answer::Hint { who, what: words::something() });
        }
        for of in hidden(at) {
            let near = at.rules.pcs.iter().filter(|&who| at.state.is_able(at.rules, who));
            if let Some(who) = near.min_by_key(|&who| at.state.distance(at.rules, who, of)) {
                put(noticing(who, Sense::Sight, Some(of)));
            }
        }
        if at.state.phase == Phase::Battle {
            round::shifts(at, |fighting| fighting.turn == Turn::Later && fighting.shift == 0, &mut put);
        }
    }

    takes!(
        Answer,
        Answer::Check { .. }
            | Answer::Notice { .. }
            | Answer::Hint { .. }
            | Answer::NoRoll { .. }
            | Answer::Shift { .. },
        clause!("perception.use.faint"),
        "expected what comes to somebody's notice"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Shift { .. } => round::object(at, answer, out),
            _ => super::object(at, answer, out),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Shift { who, by } if play.state.round > 0 => round::shift(play, who, by),
            Answer::Shift { .. } => round::apply(play, answer),
            _ => super::apply(play, answer),
        }
    }
}

/// A chase begins: those who flee are as far ahead as the map says, or the Adversary.
fn set_off(play: &mut Play<'_, impl Sink<Event>>, fleeing: CharSet, after: CharSet, lead: u8) {
    play.state.phase = Phase::Chase;
    (play.state.fleeing, play.state.after) = (fleeing, after);
    let apart = |play: &Play<'_, _>, who, other| play.state.distance(play.rules, who, other).min(999) as i16;
    for who in fleeing.iter() {
        let nearest = after.iter().map(|other| apart(play, who, other)).min().unwrap_or(0);
        play.state.being_mut(who).lead = if lead > 0 { lead.into() } else { nearest };
    }
    for who in after.iter() {
        let behind = |other: Char| play.state.being(other).lead - apart(play, who, other);
        let from_map = fleeing.iter().map(behind).min().unwrap_or(0);
        play.state.being_mut(who).lead = if lead > 0 { 0 } else { from_map };
    }
    play.event(Event::Chase);
}

/// The question of [`crate::answer::Prompt::Chase`], and all that follows from it.
pub(crate) mod chase {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("Does the chase go on?").why(clause!("chase-rate"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        if crate::flow::is_thrown(at) {
            return;
        }
        each(Answer::Next);
        each(Answer::Peace);
        // What lies in the way (`chase-rate`).
        let running = at.state.fleeing.or(at.state.after).iter();
        for who in running.filter(|&who| at.rules.is_pc(who) && at.state.is_able(at.rules, who)) {
            [9, 8, 12].into_iter().for_each(|level| each(called(who, Trait::ATHLETE, level)));
        }
    }

    takes!(
        Answer,
        Answer::Next | Answer::Peace | Answer::Check { .. },
        clause!("chase-rate"),
        "expected that the chase goes on, or ends, or a check on the way"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        super::object(at, answer, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        if let Answer::Check { .. } = answer {
            return super::apply(play, answer);
        }
        if answer == Answer::Peace {
            (play.state.fleeing, play.state.after) = (CharSet::NONE, CharSet::NONE);
            play.event(Event::ChaseEnds);
            play.state.phase = Phase::Scene;
            return;
        }
        let mut left = CharSet::NONE;
        for who in play.state.fleeing.or(play.state.after).iter() {
            let fixed = play.rules.options.chase == ChaseDice::FixedFoes && play.rules.seat(who) == Seat::Gm;
            if !play.state.is_able(play.rules, who) {
                continue;
            }
            if fixed {
                let total = values::level(play.at(), who, Trait::ATHLETE) + 7;
                play.state.being_mut(who).total = total;
                play.event(Event::Runs { who, total });
            } else {
                left = left.with(who);
            }
        }
        play.state.frames.push(Frame::Chase(left));
    }
}

/// Somebody's dice in a chase lie.
pub(crate) fn ran(play: &mut Play<'_, impl Sink<Event>>, left: CharSet, dice: u8) {
    let Some(who) = left.first() else { return };
    let total = i16::from(dice) + values::rolled(play.at(), who, Trait::ATHLETE);
    play.state.being_mut(who).total = total;
    play.event(Event::Runs { who, total });
    if let Some(frame) = play.state.frames.last_mut() {
        *frame = Frame::Chase(left.without(who));
    }
}

/// All have run: the best gains on each other by the difference (`chase.mox`).
pub(crate) fn run_over(play: &mut Play<'_, impl Sink<Event>>) {
    play.state.frames.pop();
    let running = |&who: &Char| play.state.is_able(play.rules, who);
    let all: CharSet = play.state.fleeing.or(play.state.after).iter().filter(running).collect();
    let Some(best) = all.iter().max_by_key(|&who| (play.state.being(who).total, std::cmp::Reverse(who)))
    else {
        return;
    };
    let most = play.state.being(best).total;
    for who in all.iter() {
        let being = play.state.being_mut(who);
        let behind = most - being.total;
        being.lead = (being.lead - behind).clamp(-9_999, 9_999);
        let against = play.state.fleeing.has(who) != play.state.fleeing.has(best);
        if behind > 0 && against {
            play.event(Event::Gains { who: best, on: who, spaces: behind as u16 });
        }
    }
    for who in play.state.fleeing.and(all).iter() {
        let lead = play.state.being(who).lead;
        let catches = |&other: &Char| play.state.being(other).lead >= lead;
        if let Some(by) = play.state.after.and(all).iter().find(catches) {
            play.event(Event::Caught { who, by });
        }
    }
}
