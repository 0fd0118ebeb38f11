//! What happens outside a Clash: the Director's desk, and what characters try (`core.atdd-inputs`).

use crate::{
    At, Play,
    answer::{Answer, Casting},
    clash,
    event::Event,
    harm, rest, spell, stack,
    state::*,
    test,
    vocab::*,
};
use fracas_kernel::{Label, Objections, Saying, Seat, SeatSet, Sink, Told, Viewer, Who, fine, takes};

/// The words that a list proposes where a player has words of their own.
fn words(text: &str) -> Option<Label> {
    text.parse().ok()
}

/// The seats that have somebody with something to try: somebody else is there, or a Spell is at hand.
pub(crate) fn who_can_try(at: At<'_>) -> SeatSet {
    let about = || at.rules.everybody().filter(|&who| at.state.is_about(who));
    let sees = |who: Char| about().any(|on| on != who && clash::is_seen(at, who, on).is_ok());
    let usable = |who: Char| Symbol::ALL.iter().any(|&one| !at.state.is_eclipsed(who, one));
    let can = |who: Char| {
        (sees(who) && usable(who))
            || at.state.concentration(who).is_some()
            || spell::each_castable(at, who).next().is_some()
    };
    about().fold(SeatSet::EMPTY, |seats, who| {
        let seat = at.rules.sheet(who).seat;
        if seats.contains(seat) || !can(who) { seats } else { seats.with(seat) }
    })
}

/// Lists how a character can resist a Subjugation that it knows of (`sub.resist`).
pub(crate) fn each_resistance(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    if !harm::knows_grip(at, who, None) {
        return;
    }
    let Some(task) = words("break free") else { return };
    let holders = |on: &Char| {
        harm::knows_grip(at, who, Some(*on))
            && *on != who
            && at.state.is_about(*on)
            && clash::is_seen(at, who, *on).is_ok()
    };
    let usable = |symbol: &Symbol| !at.state.is_eclipsed(who, *symbol);
    for on in at.rules.everybody().filter(holders) {
        for with in Symbol::ALL.iter().copied().filter(usable) {
            let on = Target::Char(on);
            each(Answer::Try { who, on, with, task, cast: None, resist: true, opens: None });
        }
    }
}

/// Whether there is somebody with turns on either side, as a Clash needs (`clash.what`).
pub(crate) fn has_sides(at: At<'_>) -> bool {
    let fights = |who: Char| at.state.is_about(who) && at.rules.sheet(who).turns > 0;
    let stands = |side: Side| at.rules.everybody().any(|who| fights(who) && at.state.body(who).side == side);
    stands(Side::Party) && stands(Side::Foes)
}

pub(crate) fn object_sides(at: At<'_>, out: &mut impl Objections) {
    if !has_sides(at) {
        out.no(clause!("clash.what"), "a Clash has two sides, and one of them would be empty");
    }
}

/// Lists what one character can try.
fn each_try(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
    let Some(task) = words(crate::words::DEED) else { return };
    let usable = |symbol: &Symbol| !at.state.is_eclipsed(who, *symbol);
    let attempt = |on, with, cast| Answer::Try {
        who,
        on: Target::Char(on),
        with,
        task,
        cast,
        resist: false,
        opens: None,
    };
    let castable: arrayvec::ArrayVec<Spell, 12> = spell::each_castable(at, who).take(12).collect();
    let side = at.state.body(who).side;
    let seen = |on: &Char| *on != who && at.state.is_about(*on) && clash::is_seen(at, who, *on).is_ok();
    let others = || at.rules.everybody().filter(seen);
    let is_foe = |on: Char| at.state.body(on).side != side;
    let foes = others().any(is_foe);
    for on in others() {
        if is_foe(on) || !foes {
            Symbol::ALL.iter().copied().filter(usable).for_each(|with| each(attempt(on, with, None)));
            for &spell in castable.iter().filter(|spell| usable(&at.rules.spell(**spell).symbol)) {
                let casting = Casting { spell, slot: None, lasting: false };
                each(attempt(on, at.rules.spell(spell).symbol, Some(casting)));
            }
        }
    }
    for &spell in &castable {
        let casting = Casting { spell, slot: None, lasting: true };
        each(Answer::Cast { who, on: who, casting, task: None });
    }
    if let Some(pool) = at.state.concentration(who) {
        each(Answer::Drop(who));
        if !pool.known {
            each(Answer::Explain(who));
        }
    }
    each_resistance(at, who, each);
}

pub(crate) fn object_try(
    at: At<'_>,
    is_own: impl Fn(Char) -> bool,
    answer: Answer,
    out: &mut impl Objections,
) {
    match answer {
        Answer::Try { who, on, with, cast, resist, .. } => {
            if !is_own(who) || !at.state.is_about(who) {
                out.no(clause!("core.roles"), "that character is not yours to act with now");
            }
            match keeper(at.rules, at.state, on) {
                None => out.no(clause!("roll.parties"), "nobody stands behind that"),
                Some(defender) if defender == who => {
                    out.no(clause!("roll.parties"), "nobody Rolls against themselves");
                }
                Some(_) => {}
            }
            if on.char().is_some_and(|on| at.state.body(on).dead) {
                out.no(clause!("roll.parties"), "they are dead");
            }
            if let Some(Err((clause, what))) = on.char().map(|on| clash::is_seen(at, who, on)) {
                out.no(clause, what);
            }
            if at.state.is_eclipsed(who, with) {
                out.no(clause!("alteration.eclipsed-ban"), "that Symbol of yours is Eclipsed");
            }
            if resist && !harm::knows_grip(at, who, None) {
                out.no(clause!("sub.resist"), "there is no Subjugation that they know of");
            }
            test::object_cast(at, who, cast, out);
        }
        Answer::Cast { who, on, casting, .. } => {
            if !is_own(who) || !at.state.is_about(who) {
                out.no(clause!("core.roles"), "that character is not yours to act with now");
            }
            spell::object_no_roll(at, (who, who), on, casting, out);
        }
        Answer::Drop(who) if !is_own(who) || at.state.concentration(who).is_none() => {
            out.no(clause!("conc.drop"), "they do not Concentrate");
        }
        Answer::Explain(who) if !is_own(who) || at.state.concentration(who).is_none_or(|pool| pool.known) => {
            out.no(clause!("persist.awareness"), "there is no Spell of theirs to tell of");
        }
        _ => {}
    }
}

pub(crate) fn apply_try(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    match answer {
        Answer::Try { who, on, with, task, cast, resist, opens } => {
            let Some(defender) = keeper(play.rules, play.state, on) else { return };
            let kind = if opens.is_some() { Kind::Opening } else { Kind::Free };
            let mut test = test::new(kind, who, on, defender, with);
            (test.task, test.resists) = (Some(task), resist);
            test.stakes = opens.unwrap_or(Rank::Minor);
            test.cast = cast.and_then(|casting| spell::cast(play.at(), casting));
            test.over = test::likely(play.at(), &test);
            play.event(Event::Tries { who, on, with, task });
            stack::push(play.state, Frame::Test(test));
        }
        Answer::Cast { who, on, casting, task } => {
            let mut test = spell::quietly(play.at(), who, on, casting.spell, task);
            test.cast = spell::cast(play.at(), casting);
            play.event(Event::Quietly { who, on, with: test.with, task });
            stack::push(play.state, Frame::Test(test));
        }
        Answer::Drop(who) => spell::stop(play, who),
        Answer::Explain(who) => spell::explain(play, who),
        _ => {}
    }
}

pub(crate) mod act {
    use super::*;

    pub(crate) fn told(at: At<'_>, asked: Who, _: Viewer) -> Told {
        let held = |&who: &Char| owns(at, asked, who) && harm::knows_grip(at, who, None);
        let warning = match at.rules.everybody().find(held) {
            Some(who) => format!(" To resist the Subjugation of {} brings a Death Roll.", Saying(who, at)),
            None => String::new(),
        };
        Told::new(format!("What do you try?{warning}")).why(clause!("roll.when"))
    }

    fn owns(at: At<'_>, asked: Who, who: Char) -> bool {
        asked.seats().contains(at.rules.sheet(who).seat)
    }

    pub(crate) fn legal(at: At<'_>, asked: Who, each: &mut impl FnMut(Answer)) {
        for who in at.rules.everybody().filter(|&who| owns(at, asked, who) && at.state.is_about(who)) {
            each_try(at, who, each);
        }
    }

    takes!(
        Answer,
        Answer::Try { .. } | Answer::Cast { .. } | Answer::Drop(_) | Answer::Explain(_),
        clause!("roll.when"),
        "expected what a character tries"
    );

    pub(crate) fn object(at: At<'_>, asked: Who, answer: Answer, out: &mut impl Objections) {
        if matches!(answer, Answer::Try { opens: Some(_), .. }) {
            out.no(clause!("clash.types"), "the Director says whether it opens a Clash");
        }
        object_try(at, |who| owns(at, asked, who), answer, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Who, answer: Answer) {
        apply_try(play, answer);
    }
}

pub(crate) mod desk {
    use super::*;

    pub(crate) fn told(_: At<'_>, _: Viewer) -> Told {
        Told::new("What happens: a Clash, another Scene, a Rest, something that your own characters try?")
            .why(clause!("core.atdd-inputs"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let is_fine = |answer: Answer| fine(|out| object(at, answer, out));
        if let Some(name) = words(crate::words::UNNAMED).filter(|_| has_sides(at)) {
            for stakes in [Rank::Minor, Rank::Major] {
                for first in [Side::Party, Side::Foes] {
                    each(Answer::Begin { stakes, first, name });
                }
            }
        }
        [Answer::Scene, Answer::Rest].into_iter().for_each(&mut *each);
        let about = || at.rules.everybody().filter(|&who| at.state.is_about(who));
        let npcs = || about().filter(|&who| at.rules.sheet(who).seat == Seat::Gm);
        for on in about() {
            let core = at.rules.sheet(on).core;
            for by in about().filter(|&by| at.state.body(by).side != at.state.body(on).side) {
                for symbol in core.into_iter().flatten() {
                    each(Answer::Tempt { by, on, with: symbol, over: symbol });
                }
            }
        }
        let milestones = at.rules.everybody().map(Answer::Milestone);
        milestones.filter(|&answer| is_fine(answer)).for_each(&mut *each);
        for who in npcs() {
            let with = best(at, who);
            let Some(task) = words(crate::words::DEED) else { continue };
            for on in about().filter(|&on| at.rules.is_pc(on)) {
                let on = Target::Char(on);
                let like = |opens| Answer::Try { who, on, with, task, cast: None, resist: false, opens };
                if is_fine(like(None)) {
                    [None, Some(Rank::Minor), Some(Rank::Major)].map(like).into_iter().for_each(&mut *each);
                }
            }
        }
        if let Some(by) = npcs().next() {
            for who in about().filter(|&who| at.rules.is_pc(who)) {
                each(Answer::Peril { who, by, with: Symbol::Heart, over: Symbol::Chaos });
            }
        }
        each(Answer::Close);
    }

    fn best(at: At<'_>, who: Char) -> Symbol {
        let value = |symbol: &Symbol| at.state.value(at.rules, who, *symbol);
        Symbol::ALL.iter().copied().rev().max_by_key(value).unwrap_or(Symbol::Lantern)
    }

    takes!(
        Answer,
        Answer::Begin { .. }
            | Answer::Scene
            | Answer::Rest
            | Answer::RestOf(_)
            | Answer::Close
            | Answer::Tempt { .. }
            | Answer::Milestone(_)
            | Answer::Peril { .. }
            | Answer::Try { .. }
            | Answer::Cast { .. }
            | Answer::Drop(_)
            | Answer::Explain(_),
        clause!("core.atdd-inputs"),
        "expected what happens"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        // A Subjugation lets the Director force what its loser does (`sub.force-pc`).
        let is_forced = |who: Char| at.state.grips.iter().any(|grip| grip.loser == who);
        let is_own = |who: Char| at.rules.sheet(who).seat == Seat::Gm || is_forced(who);
        match answer {
            Answer::Begin { .. } => object_sides(at, out),
            Answer::RestOf(who) => {
                if who.is_empty() || who.iter().any(|who| !at.state.is_about(who)) {
                    out.no(clause!("rest.when"), "only those who are here rest");
                }
            }
            Answer::Tempt { by, on, over, .. } => {
                if by == on {
                    out.no(clause!("roll.parties"), "nobody Rolls against themselves");
                }
                if !at.state.is_about(by) || !at.state.is_about(on) {
                    out.no(clause!("conflict.purpose"), "both must be here");
                }
                if !at.rules.sheet(on).core.contains(&Some(over)) {
                    out.no(clause!("conflict.core-symbol"), "that is no Core Symbol of theirs");
                }
            }
            Answer::Milestone(who) => {
                if !at.rules.is_pc(who) || at.state.body(who).dead {
                    out.no(clause!("trait.milestone"), "only players' characters who live reach milestones");
                }
                if at.state.growing.is_full() {
                    out.no(clause!("trait.milestone"), "too many reach a milestone at once");
                }
            }
            Answer::Peril { who, by, .. } => {
                if who == by {
                    out.no(clause!("roll.parties"), "nobody Rolls against themselves");
                }
                if !at.state.is_about(who) {
                    out.no(clause!("death.narrative"), "they are not here");
                }
            }
            _ => object_try(at, is_own, answer, out),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        match answer {
            Answer::Begin { stakes, first, name } => clash::begin(play, stakes, first, name),
            Answer::Scene => rest::change_scene(play),
            Answer::Rest => {
                let all = play.rules.everybody().filter(|&who| play.state.is_about(who)).collect();
                rest::rest(play, all);
            }
            Answer::RestOf(who) => rest::rest(play, who),
            Answer::Close => {
                play.state.over = true;
                play.event(Event::Closes);
            }
            Answer::Tempt { by, on, with, over } => {
                let mut test = test::new(Kind::Conflict, by, Target::Char(on), on, with);
                (test.over, test.step) = (over, Step::Aid);
                stack::push(play.state, Frame::Test(test));
            }
            Answer::Milestone(who) => rest::milestone(play, who),
            Answer::Peril { who, by, with, over } => harm::peril(play, who, by, (with, over)),
            _ => apply_try(play, answer),
        }
    }
}
