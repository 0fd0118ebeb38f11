//! Effects begin and end.

use crate::effect::{Effect, Facts, Lasts, Scope, Verb, Whom};
use crate::rules::{Harm, Rules};
use crate::state::{Action, Lie, Live, MAX_LIVE, Made, Origin, State};
use crate::{At, Play, boons, event::Event, power, scene, view::is_unseen, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::Sink;

/// Whose doing an effect is, and on whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doing {
    /// What it comes from.
    pub(crate) from: Origin,
    /// The acting character.
    pub(crate) me: Option<Char>,
    /// The character acted on.
    pub(crate) them: Option<Char>,
    /// The ally who was named.
    pub(crate) ally: Option<Char>,
    /// Degrees of the roll.
    pub(crate) degrees: u8,
    /// The track that harm is on where the effect names none.
    pub(crate) track: Option<Track>,
}

impl Doing {
    /// Somebody's doing to somebody.
    pub(crate) const fn of(from: Origin, me: Option<Char>, them: Option<Char>) -> Doing {
        Doing { from, me, them, ally: None, degrees: 0, track: None }
    }
}

/// Imposes every one of these.
pub(crate) fn all(play: &mut Play<'_, impl Sink<Event>>, effects: &[Effect], doing: Doing) {
    for effect in effects {
        impose(play, effect, doing);
    }
}

/// Imposes an effect on everybody whom it is on.
pub(crate) fn impose(play: &mut Play<'_, impl Sink<Event>>, effect: &Effect, doing: Doing) {
    for who in whom(play.at(), effect.on, doing).iter() {
        on_one(play, effect, who, doing);
    }
}

/// On whom that is.
pub(crate) fn whom(at: At<'_>, on: Whom, doing: Doing) -> CharSet {
    let one = |who: Option<Char>| who.map_or(CharSet::NONE, CharSet::one);
    match on {
        Whom::Me => one(doing.me),
        Whom::Them => one(doing.them),
        Whom::Ally => one(doing.ally),
        Whom::Allies => doing.me.map_or(CharSet::NONE, |me| side(at, me, true)),
        Whom::Foes => doing.me.map_or(CharSet::NONE, |me| side(at, me, false)),
    }
}

/// Whether an effect would find nobody that it is on, or no boon to take or to bring back.
pub(crate) fn finds_none(at: At<'_>, effect: &Effect, doing: Doing) -> bool {
    let has_none = |who: Char| match effect.verb {
        Verb::LoseBoon(_) => boons::likeliest(at, who).is_none(),
        Verb::RecoverBoon => boons::first_lost(at, who).is_none(),
        Verb::MoveBoon => boons::portable(at, who).is_none(),
        _ => false,
    };
    whom(at, effect.on, doing).iter().all(has_none)
}

/// Everybody nearby on the same side, or on the other; of the gamemaster's characters only the
/// hostile ones are foes.
pub(crate) fn side(at: At<'_>, me: Char, same: bool) -> CharSet {
    let is_foe = |other: Char| at.rules.is_pc(other) || at.state.being(other).hostile;
    at.rules
        .everybody()
        .filter(|&other| at.state.near(me, other) && (at.rules.is_pc(other) == at.rules.is_pc(me)) == same)
        .filter(|&other| same || is_foe(other))
        .collect()
}

/// The effect with its number counted once for each degree, where it says so.
pub(crate) fn scaled(effect: &Effect, degrees: u8) -> Effect {
    if !effect.per_degree {
        return *effect;
    }
    let times = |n: u8| n.saturating_mul(degrees);
    let signed = |n: i8| n.saturating_mul(degrees.min(100) as i8);
    let verb = match effect.verb {
        Verb::Ap(n) => Verb::Ap(signed(n)),
        Verb::Pn(n) => Verb::Pn(signed(n)),
        Verb::LoseBoon(n) => Verb::LoseBoon(times(n)),
        Verb::Harm(track, n) => Verb::Harm(track, times(n)),
        Verb::Heal(track, n) => Verb::Heal(track, times(n)),
        Verb::ExtraAction(label, n) => Verb::ExtraAction(label, times(n)),
        verb => verb,
    };
    Effect { verb, per_degree: false, ..*effect }
}

fn on_one(play: &mut Play<'_, impl Sink<Event>>, written: &Effect, who: Char, doing: Doing) {
    // Nothing touches or comes from anybody who has gone out meanwhile (`gone-in-mid-action`).
    if [Some(who), doing.me].into_iter().flatten().any(|who| play.state.being(who).out) {
        return;
    }
    let effect = scaled(written, doing.degrees);
    match effect.verb {
        Verb::Ap(0) | Verb::Pn(0) | Verb::ExtraAction(_, 0) => {}
        // Players' characters have no power number (`pn.meaning`).
        Verb::Pn(_) if play.rules.is_pc(who) => {}
        // The gamemaster's characters neither roll nor use abilities, and draw no attention
        // (`nothing-of-a-players`).
        Verb::BanAbilities | Verb::Attention | Verb::RerollLight if !play.rules.is_pc(who) => {}
        Verb::Ap(_)
            if !play.rules.is_pc(who) && (effect.scope.ability_only || !effect.scope.against.is_empty()) => {}
        // The roll that it was for is over.
        Verb::RerollLight if effect.lasts == Lasts::ThisRoll => {}
        // Actions are counted in rounds alone (`ext.turns`).
        Verb::ExtraAction(..) if scene::turns(play.at()) != Turns::Alternate => {}
        verb if verb.endures() && effect.lasts != Lasts::ThisRoll => {
            let effect = Effect { per_degree: written.per_degree, ..effect };
            begin(play, Live { on: who, by: doing.me, from: doing.from, effect, times: 1 });
        }
        Verb::GainBoon(pattern) => boons::make(play, who, Made::Like(pattern)),
        Verb::LoseBoon(n) => {
            for _ in 0..n {
                if let Some(boon) = boons::likeliest(play.at(), who) {
                    boons::lose(play, boon);
                }
            }
        }
        Verb::RecoverBoon => {
            if let Some(boon) = boons::first_lost(play.at(), who) {
                play.state.put(boon, Some(who), Lie::InUse);
                let (boon, name) = boons::told(play.state, boon);
                play.event(Event::Gained { who, boon, name });
            }
        }
        Verb::MoveBoon => match (boons::portable(play.at(), who), doing.me) {
            (Some(boon), Some(me)) => boons::take(play, boon, me),
            // What nobody takes is lost (`done-by-nobody`).
            (Some(boon), None) => boons::lose(play, boon),
            (None, _) => {}
        },
        Verb::Harm(track, n) => {
            if let Some(track) = track.or(doing.track).or_else(|| play.rules.all_tracks().next()) {
                harm(play, who, track, n);
            }
        }
        Verb::Heal(track, n) => {
            let most = play.rules.sheet(who).tracks[track.index()];
            let left = &mut play.state.being_mut(who).tracks[track.index()];
            let amount = n.min(most.saturating_sub(*left));
            *left += amount;
            if amount > 0 {
                play.event(Event::Healed { who, track, amount });
            }
        }
        Verb::RerollLight => {
            let good = &mut play.state.being_mut(who).good;
            let count = if effect.lasts == Lasts::NextScene { &mut good.next } else { &mut good.now };
            *count = count.saturating_add(1);
            play.event(Event::Fortune { who, fate: Fate::Good });
        }
        Verb::ExtraAction(label, count) => {
            let being = play.state.being_mut(who);
            let left = match label {
                Label::Major => &mut being.majors,
                Label::Minor => &mut being.minors,
            };
            *left = left.saturating_add(count).min(9);
            // With a minor action more no character of the gamemaster's attacks again.
            if play.rules.is_pc(who) || label == Label::Major {
                play.state.acted = play.state.acted.without(who);
            }
            play.event(Event::Extra { who, label, count });
        }
        Verb::End(Some(it)) => {
            let by = doing.me.map(Target::Char);
            self::end(play, it, Target::Char(who), by, doing.degrees);
        }
        Verb::Narrate(text) => play.event(Event::Told { who, text }),
        // What counts for the roll itself is in it already, and an end that is not named yet
        // comes when it is picked.
        _ => {}
    }
}

/// Does a contested end to somebody or something; damage is 1 and the degrees, after what
/// else it does (`ext.ends`, `ext.harm`, `effects-in-order`).
pub(crate) fn end(
    play: &mut Play<'_, impl Sink<Event>>,
    end: End,
    on: Target,
    by: Option<Target>,
    degrees: u8,
) {
    let me = by.and_then(Target::char);
    let is_gone = |state: &State, who: Option<Char>| who.is_some_and(|who| state.being(who).out);
    if is_gone(play.state, on.char()) || is_gone(play.state, me) {
        return;
    }
    play.event(Event::End { on, by, end });
    let ending = play.rules.ending(end);
    let doing = Doing { degrees, track: ending.track, ..Doing::of(Origin::End(end), me, on.char()) };
    // Of what is on no character the maker and their side have theirs (`surprise-on-surroundings`).
    all(play, &ending.effects, doing);
    if let Target::Char(who) = on
        && ending.damaging
        && !is_gone(play.state, me)
        && let Some(track) = ending.track
    {
        harm(play, who, track, degrees.saturating_add(1));
    }
}

/// Whether harm of somebody is counted on a track, rather than told (`ext.harm`).
pub(crate) fn counts(rules: &Rules, who: Char, track: Track) -> bool {
    rules.harm == Harm::Tracks && rules.sheet(who).tracks[track.index()] > 0
}

/// Takes points off a track; a character with an empty track is out (`ext.harm`).
pub(crate) fn harm(play: &mut Play<'_, impl Sink<Event>>, who: Char, track: Track, n: u8) {
    if !counts(play.rules, who, track) || play.state.being(who).out {
        return;
    }
    let left = &mut play.state.being_mut(who).tracks[track.index()];
    let amount = n.min(*left);
    *left -= amount;
    let gone = *left == 0;
    if amount > 0 {
        play.event(Event::Harmed { who, track, amount, gone });
    }
    if gone {
        play.state.being_mut(who).out = true;
        play.event(Event::Out(who));
        scene::let_go(play);
    }
}

/// Begins a lasting effect. The same effect of a guilt or a glory counts once more
/// (`same-effect-stacks`). A character who is down is not down twice, but held by each holder
/// (`held-by-two`). If there is no room the oldest effect gives way. An effect on somebody in
/// the scene never gives way to an effect on somebody away, nor an effect that players see to
/// an effect that they do not see (`out-of-sight`).
fn begin(play: &mut Play<'_, impl Sink<Event>>, mut live: Live) {
    // The roll under way does not count it, so that it does not end with that either
    // (`overruled-in-mid-roll`); nor does a ban that comes of its result (`when-resolved`).
    let timed = matches!(live.effect.lasts, Lasts::NextRoll | Lasts::NextAction | Lasts::UntilAbility);
    let ban = live.effect.verb == Verb::BanAbilities;
    let late = |action: Action| action.is_counted() || ban && action.has_result();
    if timed && play.state.action.is_some_and(|action| action.who == live.on && late(action)) {
        live.times = 0;
    }
    let adds = !matches!(live.from, Origin::End(_));
    let same = |other: &&mut Live| {
        let alike = match adds {
            true => Live { times: live.times, ..**other } == live,
            false => other.is_like(&live) && (other.by == live.by || !live.is_by_power()),
        };
        alike && (other.times > 0) == (live.times > 0)
    };
    let begun = match play.state.live.iter_mut().find(same) {
        Some(there) if !adds && there.strength() >= live.strength() => return,
        Some(there) if !adds => {
            *there = live;
            live
        }
        Some(there) => {
            there.times = there.times.saturating_add(1).min(20);
            *there
        }
        None => {
            if play.state.live.is_full() {
                let unseen = |live: &Live| is_unseen(play.at(), live.on);
                let is_away = |live: &Live| play.state.being(live.on).away;
                let (mut all, mut rest) = (play.state.live.iter(), play.state.live.iter());
                let at = all
                    .position(unseen)
                    .or_else(|| if unseen(&live) { None } else { rest.position(is_away) })
                    .or((!is_away(&live)).then_some(0));
                let Some(at) = at else { return play.event(Event::Over(live)) };
                let oldest = play.state.live.remove(at);
                play.event(Event::Over(oldest));
            }
            play.state.live.push(live);
            live
        }
    };
    play.event(Event::Lasting(begun));
}

/// Ends what lasts and fits.
pub(crate) fn cease(play: &mut Play<'_, impl Sink<Event>>, ends: impl Fn(&Live) -> bool) {
    let over: ArrayVec<Live, MAX_LIVE> = play.state.live.iter().filter(|live| ends(live)).copied().collect();
    play.state.live.retain(|live| !ends(live));
    // A cause that is wholly over is told once, and so is what one of several laid on; of
    // what is over in part each effect.
    let told_as = |live: &Live| {
        let rest = || play.state.live.iter().filter(|other| (other.on, other.from) == (live.on, live.from));
        let part = rest().next().is_some();
        let by = part && rest().any(|other| other.is_like(live));
        (live.on, live.from, by.then_some(live.by), (part && !by).then_some(live.effect))
    };
    for (at, live) in over.iter().enumerate() {
        if over[..at].iter().all(|other| told_as(other) != told_as(live)) {
            play.sink.event(Event::Over(*live));
        }
    }
}

/// Ends what somebody shakes off by such an action, and nothing else that comes of
/// the same cause (`ext.ends`); of several who hold them the first lets go (`held-by-two`).
pub(crate) fn shake(play: &mut Play<'_, impl Sink<Event>>, who: Char, label: Label, cause: Cause) {
    let Some((removal, by)) = play.state.shaken_by(who, label, cause).filter(|_| play.state.is_in(who))
    else {
        return;
    };
    let lasts = Lasts::Until(removal);
    cease(play, |live| {
        live.on == who
            && live.effect.lasts == lasts
            && live.from.cause() == Some(cause)
            && (live.by == by || !live.is_by_power())
    });
}

/// Ends what a roll uses up: what was for one roll, or until an ability was used, where it
/// counts for this one (`which-next-roll`); what was through the next action, if this was
/// it (`dur.start`). Bans are for later (`when-resolved`).
pub(crate) fn rolled(play: &mut Play<'_, impl Sink<Event>>, who: Char, roll: &Facts) {
    use_up(play, who, roll, |verb| verb != Verb::BanAbilities);
}

/// All of an action is done: the bans that it uses up end, if it came to a result
/// (`when-resolved`).
pub(crate) fn done(play: &mut Play<'_, impl Sink<Event>>, action: &Action) {
    if action.has_result() {
        let roll = power::facts(play.at(), action);
        use_up(play, action.who, &roll, |verb| verb == Verb::BanAbilities);
    }
}

/// Ends what a roll uses up of what does this, and counts from now on what came too late for it.
fn use_up(play: &mut Play<'_, impl Sink<Event>>, who: Char, roll: &Facts, which: fn(Verb) -> bool) {
    let counts = |scope: &Scope| match play.rules.is_pc(who) {
        true => scope.counts(roll),
        false => power::of_npc(scope).counts(roll),
    };
    cease(play, |live| {
        live.on == who
            && live.times > 0
            && which(live.effect.verb)
            && match live.effect.lasts {
                Lasts::NextRoll => counts(&live.effect.scope),
                // Saves in between do not end it (`dur.saves-between`).
                Lasts::NextAction => roll.kind == Kind::Test,
                Lasts::UntilAbility => roll.ability && counts(&live.effect.scope),
                _ => false,
            }
    });
    count_the_late(play.state, who, which);
}

/// What came too late for a roll of somebody's counts from now on, where it does this.
pub(crate) fn count_the_late(state: &mut State, who: Char, which: fn(Verb) -> bool) {
    let late = |live: &&mut Live| live.on == who && live.times == 0 && which(live.effect.verb);
    state.live.iter_mut().filter(late).for_each(|live| live.times = 1);
}
