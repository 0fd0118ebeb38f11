//! What is open, and how answers and dice move the table on.

use crate::answer::Prompt;
use crate::state::{Attack, Blow, Check, Frame, Phase, Trial};
use crate::{At, Play, RuinsAndRaiders, attack, check, event::Event, round, scene, vocab::*, walk};
use fracas_kernel::{Ask, Asking, Asks, Dice, Due, NoFold, Read, Roll, Seat, Seen, Sink, Who};

/// Two dice of somebody's.
fn two_dice(at: At<'_>, who: Char, secret: bool) -> Due<NoFold> {
    let (whose, seen) = if secret { (Seat::Gm, Seen::ByGm) } else { (at.rules.seat(who), Seen::Openly) };
    Due::Roll(Roll { whose, seen, dice: Dice::of(2, 6), read: Read::Sorted })
}

impl Asking for RuinsAndRaiders {
    fn each_ask(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
        if at.state.over {
            return Due::Over;
        }
        let seat = |who| at.rules.seat(who);
        match at.state.frames.last() {
            None => in_general(at, put),
            Some(Frame::Walk(_) | Frame::Rest(..)) => {}
            Some(Frame::Initiative(left) | Frame::RollOff(left) | Frame::Chase(left)) => {
                if let Some(who) = left.first() {
                    return two_dice(at, who, false);
                }
            }
            Some(Frame::Deed(deed)) => put(Ask::must(Seat::Gm, Prompt::Deed(deed.who))),
            Some(Frame::Cut(cut)) => {
                if let Some(who) = round::next_to_cut(at, cut) {
                    put(Ask::must(seat(who), Prompt::Cut { who, on: cut.on }));
                }
            }
            Some(Frame::Check(check)) => match check.step {
                Trial::Level => put(Ask::must(Seat::Gm, Prompt::Level(check.who))),
                Trial::How => put(Ask::must(seat(check.who), Prompt::How(check.who))),
                Trial::Dice => {
                    // Nobody hears of dice that the Adversary throws in secret: all else stays open.
                    if check.secret {
                        in_general(at, put);
                    }
                    return two_dice(at, check.who, check.secret);
                }
            },
            Some(Frame::Attack(attack)) => return blow(at, attack, put),
        }
        Due::Asks
    }

    fn is_there(at: At<'_>, _: Who, (letter, n): (char, usize)) -> bool {
        let count = match letter {
            Char::LETTER => at.rules.cast.len(),
            Weapon::LETTER => at.rules.weapons.len(),
            Spell::LETTER => at.rules.spells.len(),
            Manoeuvre::LETTER => at.rules.manoeuvres.len(),
            Trait::LETTER => at.rules.traits.len(),
            Recourse::LETTER => at.rules.recourses.len(),
            _ => at.rules.grounds.len(),
        };
        n < count
    }

    fn settle<S: Sink<Event>>(play: &mut Play<'_, S>) {
        loop {
            round::drop_out(play);
            if is_due(play.at()) && !is_beside(play.at()) {
                return;
            }
            let before = (play.state.frames.len(), play.state.turn);
            match play.state.frames.last() {
                Some(Frame::Walk(_)) => walk::go_on(play),
                Some(Frame::Attack(_)) => attack::go_on(play),
                Some(Frame::Check(_)) if !is_beside(play.at()) => check::go_on(play),
                Some(Frame::Cut(_)) => round::cut_on(play),
                Some(Frame::Chase(_)) => scene::run_over(play),
                Some(Frame::Rest(..)) => scene::rest_on(play),
                Some(Frame::Initiative(_) | Frame::RollOff(_) | Frame::Deed(_)) => {
                    play.state.frames.pop();
                }
                _ => {
                    round::go_on(play);
                    if (play.state.frames.len(), play.state.turn) == before {
                        return;
                    }
                }
            }
        }
    }
}

/// Whether a battle goes on beside dice that the Adversary throws in secret.
fn is_beside(at: At<'_>) -> bool {
    is_thrown(at) && at.state.phase == Phase::Battle
}

/// The refusal of what the Adversary answers meanwhile.
pub(crate) const LIE_FIRST: &str = "the dice that are thrown in secret must lie first";

/// Whether the Adversary throws dice in secret: it answers nothing else until they lie.
pub(crate) fn is_thrown(at: At<'_>) -> bool {
    matches!(at.state.frames.last(), Some(Frame::Check(check)) if is_secret(check))
}

fn is_secret(check: &Check) -> bool {
    check.secret && check.step == Trial::Dice
}

/// Whether an answer or dice are due, and nothing follows by itself.
fn is_due(at: At<'_>) -> bool {
    match at.state.frames.last() {
        None => at.state.over || at.state.phase != Phase::Battle,
        Some(Frame::Walk(_) | Frame::Rest(..)) => false,
        Some(Frame::Attack(attack)) => attack::is_due(at, attack),
        Some(Frame::Check(check)) => check::is_due(at, check),
        Some(Frame::Cut(cut)) => round::is_cut_due(at, cut),
        Some(Frame::Initiative(left) | Frame::RollOff(left) | Frame::Chase(left)) => !left.is_empty(),
        Some(Frame::Deed(_)) => true,
    }
}

/// What an attack asks as it stands.
fn blow(at: At<'_>, attack: &Attack, put: &mut impl FnMut(Ask<Prompt>)) -> Due<NoFold> {
    let &Attack { by, on, wounds, .. } = attack;
    let ask = match attack.step {
        Blow::Dice => return two_dice(at, by, false),
        Blow::Abort => Ask::must(at.rules.seat(on), Prompt::Abort { who: on, by }),
        Blow::Fortune => Ask::must(at.rules.seat(by), Prompt::Fortune(by)),
        Blow::Absorb => Ask::must(at.rules.seat(on), Prompt::Absorb { who: on, wounds }),
        Blow::Effect => Ask::must(at.rules.seat(by), Prompt::Effect { who: by, on }),
        Blow::Rule => Ask::must(Seat::Gm, Prompt::Rule { who: by, on }),
        Blow::Announced | Blow::Lands => return Due::Asks,
    };
    put(ask);
    Due::Asks
}

/// Outside conflicts: the Adversary leads, players may try something.
fn floor(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) {
    put(Ask::must(Seat::Gm, Prompt::Scene));
    let able = |seat| {
        let own = |who: Char| at.rules.seat(who) == seat && at.state.is_able(at.rules, who);
        at.rules.pcs.iter().any(own)
    };
    players(at).filter(|&seat| able(seat)).for_each(|seat| put(Ask::may(seat, Prompt::Try)));
}

fn players(at: At<'_>) -> impl Iterator<Item = Seat> + use<> {
    (0..at.rules.roster.players.len() as u8).map(Seat::Player)
}

/// In a battle: whose turn it is, and who waits besides.
fn turns(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) {
    if round::is_over(at) {
        put(Ask::must(Seat::Gm, Prompt::Round));
        return;
    }
    if let Some(who) = at.state.turn {
        put(Ask::must(at.rules.seat(who), Prompt::Turn(who)));
    } else if at.state.round == 0 && !round::those(at, Turn::Later).is_empty() {
        let first = round::those(at, Turn::Later);
        for seat in players(at).chain([Seat::Gm]) {
            if first.iter().any(|who| at.rules.seat(who) == seat) {
                put(Ask::must(seat, Prompt::First));
            }
        }
    } else if let Some(who) = round::next_in_standoff(at) {
        put(Ask::must(at.rules.seat(who), Prompt::Standoff(who)));
    } else {
        put(Ask::must(Seat::Gm, Prompt::Round));
        return;
    }
    for seat in players(at).chain([Seat::Gm]) {
        if !round::waits_for(at, seat).is_empty() {
            put(Ask::may(seat, Prompt::Waiting));
        }
    }
}

/// What stays open while the Adversary rolls in secret.
pub(crate) fn beside(at: At<'_>) -> Asks<Prompt> {
    let mut asks = Asks::new();
    if is_thrown(at) {
        in_general(at, &mut |ask| asks.push(ask));
    }
    asks
}

/// What is asked while nothing is under way. The Adversary can always step in: that tells nobody anything.
fn in_general(at: At<'_>, put: &mut impl FnMut(Ask<Prompt>)) {
    let mut rounds = false;
    match at.state.phase {
        Phase::Scene => return floor(at, put),
        Phase::Chase => put(Ask::must(Seat::Gm, Prompt::Chase)),
        Phase::Battle => turns(at, &mut |ask| {
            rounds |= ask.prompt == Prompt::Round;
            put(ask);
        }),
    }
    if !rounds && at.rules.pcs.iter().any(|who| !at.state.is_disabled(at.rules, who) && at.state.is_here(who))
    {
        put(Ask::may(Seat::Gm, Prompt::Aside));
    }
}

/// Two dice have fallen.
pub(crate) fn fell(play: &mut Play<'_, impl Sink<Event>>, faces: &[u8]) {
    let dice: u8 = faces.iter().sum();
    match play.state.frames.last() {
        Some(&Frame::Initiative(left)) => round::initiative_fell(play, left, dice),
        Some(&Frame::RollOff(left)) => round::rolled_off(play, left, dice),
        Some(&Frame::Chase(left)) => scene::ran(play, left, dice),
        Some(Frame::Check(_)) => check::fell(play, dice),
        Some(Frame::Attack(_)) => attack::fell(play, dice),
        _ => {}
    }
    RuinsAndRaiders::settle(play);
}
