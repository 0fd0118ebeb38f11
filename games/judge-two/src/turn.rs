//! Turns and rounds: who may go, what a turn may hold, how it ends.

use crate::answer::{Answer, Deed};
use crate::state::{Arms, Frame, Intervene, Ruled, State, Test, Turn};
use crate::words::{deed_words, names};
use crate::{
    At, Play, arms, attack, deed, event::Event, group, risk, rules::Rules, suit, test, threat, vocab::*,
};
use fracas_kernel::{Clause, Objections, Sink, Told, Viewer, Why, fine, takes};

/// Deeds in a turn (`deed.limit`).
const DEEDS: u8 = 2;

/// Who may take the next turn.
///
/// Once a round each (`turn.once-per-round`); between players the side that the last
/// Truth named goes first (`pvp-turn-order`). The character who closed a round does not open
/// the next while another can (`back-to-back-turns`).
pub(crate) fn eligible(at: At<'_>) -> CharSet {
    let or_all = |some: CharSet, all| if some.is_empty() { all } else { some };
    let able = at.state.pcs(at.rules).minus(at.state.acted);
    let is_named = |&who: &Char| at.state.next_side.is_none_or(|side| at.state.being(who).side == side);
    let able = or_all(able.iter().filter(is_named).collect(), able);
    if at.state.acted.is_empty() { or_all(able.minus(at.state.closed), able) } else { able }
}

/// A turn begins.
pub(crate) fn begin(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    play.event(Event::Turn(CharSet::one(who)));
    threat::turn_begins(play, who);
    play.state.with_deed = CharSet::NONE;
    play.state.push(Frame::Turn(Turn { who, members: CharSet::one(who), ..Turn::default() }));
}

/// Deeds left in a turn: two, but one for the crushed (`crush-deed-count`).
pub(crate) fn deeds_left(at: At<'_>, who: Char, deeds: u8) -> u8 {
    let most = if at.state.being(who).marks.has(Mark::Crush) { 1 } else { most_deeds(at, who) };
    most.saturating_sub(deeds)
}

/// Deeds in a turn of somebody's: two, and what abilities add.
fn most_deeds(at: At<'_>, who: Char) -> u8 {
    DEEDS + at.rules.gifts(at.state, who).map(|gift| gift.deeds).sum::<u8>()
}

/// Deeds done in a turn. To the last of a group its one deed counts like one done, but
/// not to the crushed who did none (`group.deeds`, `mark.crush`).
pub(crate) fn deeds(state: &State, turn: &Turn) -> u8 {
    let of_group = turn.members.len() > 1 && turn.deeds == 1;
    if of_group { group::deeds_of(state, turn.who) } else { turn.deeds }
}

/// Reasons why no (further) deed can be done in a turn, or this one cannot.
pub(crate) fn object_deed(
    at: At<'_>,
    who: Char,
    deeds: u8,
    opened: bool,
    deed: Deed,
    out: &mut impl Objections,
) {
    if deeds_left(at, who, deeds) == 0 {
        if deeds < most_deeds(at, who) {
            out.no(clause!("mark.crush"), "a crushed character does one deed or one test");
        } else {
            out.no(clause!("deed.limit"), "two deeds in a turn, never a third");
        }
    }
    if opened {
        out.no(clause!("turn.deeds-first"), "deeds come before the test, and the test has begun");
    }
    deed::object(at, who, deed, out);
}

/// Reasons why no test of any kind can follow in this turn.
pub(crate) fn object_test(state: &State, who: Char, deeds: u8, out: &mut impl Objections) {
    if deeds > 0 && state.being(who).marks.has(Mark::Crush) {
        out.no(clause!("mark.crush"), "a crushed character does a deed or a test, never both");
    }
}

/// Reasons why an ability cannot be used.
pub(crate) fn object_ability(at: At<'_>, who: Char, ability: Ability, save: bool, out: &mut impl Objections) {
    let power = at.rules.power(ability);
    if !at.rules.has_ability(at.state, who, ability) || !(if save { power.save } else { power.test }) {
        out.no(clause!("ext.feats"), "that is no ability of theirs for such a roll");
    }
    if at.state.used & (1 << ability.0) != 0 {
        out.no(clause!("ext.feats"), "it has served, and serves again after the round, the scene or a rest");
    }
    if at.state.being(who).marks.has(Mark::Afflict) {
        out.no(clause!("mark.afflict-abilities"), "the afflicted cannot use abilities");
    }
    if !risk::can_pay(at.state, who, power.cost) {
        out.no(clause!("risk.at-cap-voluntary"), "nobody raises their own risk at twelve, or beyond it");
    }
}

/// Reasons why a plain test cannot be declared.
fn object_plain(at: At<'_>, turn: &Turn, answer: Answer, out: &mut impl Objections) {
    let Answer::Test { against, ability, toward, social, text, .. } = answer else { return };
    object_test(at.state, turn.who, deeds(at.state, turn), out);
    if at.state.being(turn.who).bind != 0 {
        let what = "a bound character can only attack those it is bound with, or pass";
        out.no(clause!("threat.entangle-limits"), what);
    }
    object_against(at, against, out);
    if let Some(ability) = ability {
        object_ability(at, turn.who, ability, false, out);
    }
    if let Some(toward) = toward {
        if at.state.being(turn.who).unaware_of.has(toward) {
            out.no(clause!("veiled.success"), "they are not aware of this opponent");
        } else if at.state.form.is_some_and(|form| !form.has_ranges()) {
            out.no(clause!("subtle.no-terrain"), "distance does not matter in an argument");
        } else if !at.state.is_in(toward) {
            out.no(clause!("finisher.defeat"), "they take no part now");
        } else if toward == turn.who || at.state.range(turn.who, toward) == Band::Close {
            out.no(clause!("move.basic"), "they are close already");
        }
    }
    if let Some(language) = text
        && !at.rules.sheet(turn.who).writes.has(language)
    {
        out.no(clause!("lang.written"), "they cannot read or write that language: there is nothing to roll");
    }
    if social && text.is_some() {
        out.no(clause!("lang.fluency"), "a test is of talking or of texts, not both at once");
    }
}

/// Reasons why a plain test cannot oppose this character.
pub(crate) fn object_against(at: At<'_>, against: Option<Char>, out: &mut impl Objections) {
    if let Some(other) = against {
        if at.rules.is_pc(other) {
            out.no(clause!("cl.npc-pl"), "a test opposes a character with a power level, or nobody");
        } else if !at.state.is_in(other) {
            out.no(clause!("finisher.defeat"), "they take no further part in this conflict");
        }
    }
}

/// The form of an attack: the conflict's, or another the gamemaster may allow.
pub(crate) fn form_of(state: &State, form: Option<Form>) -> Option<Form> {
    form.or(state.form)
}

/// The ways in which somebody could attack somebody openly: as they stand, or
/// failing that by a move up or a throw; and an archer's step back.
fn each_way(at: At<'_>, (by, on): (Char, Char), form: Form, each: &mut impl FnMut(Arms)) {
    let plain = Arms::default();
    let mut offer = |arms| {
        let can = fine(|out| arms::object_reach(at, (by, on), form, false, arms, out));
        if can {
            each(arms);
        }
        can
    };
    if !offer(plain) {
        offer(Arms { moves: Some(Moves::In), ..plain });
        offer(Arms { manner: Some(Manner::Throw), ..plain });
    } else if form.has_ranges() && at.state.range(by, on) == Band::Close {
        let far = arms::weapon(at, by, form, Band::Near, plain).is_some();
        if far {
            offer(Arms { moves: Some(Moves::Out), ..plain });
        }
    }
}

/// Lists attacks on one opponent.
fn legal_attacks(
    at: At<'_>,
    who: Char,
    (on, fallback): (Char, bool),
    form: Form,
    each: &mut impl FnMut(Answer),
) {
    let attack = |attribute, veiled, ability| Answer::Attack {
        on,
        attribute,
        veiled,
        fallback,
        form: None,
        ability,
        with: None,
        manner: None,
        moves: None,
    };
    let loud = fine(|out| attack::object_silenced(at.state, who, Some(form), false, out));
    if loud {
        each_way(at, (who, on), form, &mut |arms| {
            for &attribute in &at.rules.form(form).attributes {
                if suit::attribute(at, (who, on), form, arms, attribute) {
                    each(Answer::attack(on, attribute, fallback, arms));
                }
            }
        });
    }
    if fine(|out| attack::object_silenced(at.state, who, Some(form), true, out)) {
        VEILED.into_iter().for_each(|attribute| each(attack(attribute, true, None)));
    }
    for ability in at.rules.abilities_of(at.state, who) {
        let plain = Arms::default();
        if loud
            && fine(|out| object_ability(at, who, ability, false, out))
            && fine(|out| arms::object_reach(at, (who, on), form, false, plain, out))
        {
            each(attack(at.rules.form(form).attributes[0], false, Some(ability)));
        }
    }
}

/// A turn without a test: in a conflict it always brings an intervention
/// (`conflict.pass`), unless a long test's has happened in it already
/// (`long-actor-removed`); outside conflicts none (`pass-outside-conflict`).
pub(crate) fn pass(play: &mut Play<'_, impl Sink<Event>>, who: Char, opened: bool) {
    play.event(Event::Passed(who));
    // Between players an intervention never chains, and the turn goes to an ally, where
    // there is one.
    let pvp = play.state.is_pvp(play.rules);
    let ally = pvp && play.state.pcs(play.rules).iter().any(|other| play.state.allies(who, other));
    done(play.state, ally.then_some(play.state.being(who).side));
    if play.state.form.is_some() && !opened {
        intervene(play, pvp, clause!("conflict.pass"));
    }
}

/// The turn on top has been had; between players a side may go next.
pub(crate) fn done(state: &mut State, next: Option<u8>) {
    if let Some(Frame::Turn(turn)) = state.stack.last_mut() {
        turn.done = true;
        state.next_side = next;
    }
}

/// An intervention comes.
pub(crate) fn intervene(play: &mut Play<'_, impl Sink<Event>>, quick: bool, why: Clause) {
    play.event(Event::Intervention { opening: false, why });
    play.state.push(Frame::Intervene(Intervene { quick, ..Intervene::default() }));
}

/// Whether a character of this disposition grants a request without a conflict
/// (`disp.friendly`, `disp.neutral`, `disp.hostile`).
pub(crate) const fn grants(disposition: Disposition, stake: Stake, paid: bool) -> bool {
    match disposition {
        Disposition::Friendly => matches!(stake, Stake::Moderate),
        Disposition::Neutral => paid,
        Disposition::Hostile => false,
    }
}

/// Carries the gamemaster's word on a deed out.
pub(crate) fn rule(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
    let Some(Frame::Deed { who, deed }) = play.state.stack.pop() else { return };
    let Some(&Frame::Turn(now)) = play.state.stack.last() else { return };
    let done = deeds(play.state, &now);
    let Some(Frame::Turn(turn)) = play.state.stack.last_mut() else { return };
    if matches!(answer, Answer::Yes | Answer::Weigh { .. }) {
        turn.deeds = done + 1;
        if turn.members.len() > 1 {
            play.state.with_deed = play.state.with_deed.with(who);
        }
        turn.ruled = Ruled::No;
        deed::carry_out(play, who, deed);
        play.event(Event::Deed { who, deed });
        if let (Deed::Request(of), Answer::Weigh { stake, paid }) = (deed, answer) {
            let disposition = play.state.being(of).disposition;
            play.event(Event::Answered { who, of, disposition, yes: grants(disposition, stake, paid) });
        }
    } else {
        let long = answer == Answer::AsLongTest;
        turn.ruled = if long { Ruled::LongTest } else { Ruled::Test };
        turn.denied = Some(deed);
        play.event(Event::RuledTest { who, deed, long });
    }
}

/// The turn on top is over: it is somebody else's, or a new round's.
pub(crate) fn end(state: &mut State, turn: Turn) {
    state.stack.pop();
    state.acted = state.acted.or(turn.members);
    state.last = turn.members;
    if !turn.done {
        state.next_side = None;
    }
}

/// A round in which every player's character in play has acted is complete
/// (`round.complete`): a round does not wait for characters who are out or away
/// (`removed-players`), and no scene's end completes it (`rounds-and-scenes`). Gives
/// whether it was.
pub(crate) fn complete_round(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let pcs = play.state.pcs(play.rules);
    if play.state.acted.is_empty() || pcs.is_empty() || !pcs.minus(play.state.acted).is_empty() {
        return false;
    }
    play.state.round = play.state.round.saturating_add(1);
    play.state.idle = play.state.idle.saturating_add(1);
    play.state.closed = play.state.last;
    play.state.acted = CharSet::NONE;
    for being in &mut play.state.cast {
        being.released = false;
    }
    renew(play.rules, play.state, play.rules.everybody().collect(), &[Often::Round]);
    play.event(Event::Round(play.state.round));
    true
}

/// Abilities of theirs that serve again.
pub(crate) fn renew(rules: &Rules, state: &mut State, whose: CharSet, often: &[Often]) {
    if state.used != 0 {
        for (i, power) in rules.abilities.iter().enumerate() {
            let owner = power.item.map_or(power.owner, |item| state.place(item).holder);
            if whose.has(owner) && power.once.is_some_and(|once| often.contains(&once)) {
                state.used &= !(1 << i);
            }
        }
    }
}

/// Who takes the next turn (`turn.order-free`).
pub(crate) mod next {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let waiting = at.state.pcs(at.rules).minus(at.state.acted).minus(eligible(at));
        let ask = format!("Round {}: who goes next?", at.state.round);
        if waiting.is_empty() {
            Told::new(ask).why(clause!("turn.order-free"))
        } else if at.state.next_side.is_some() {
            Told::new(format!("{ask} (a turn of this side)")).why(clause!("pvp.next-side"))
        } else {
            let closed = names(at.rules, waiting);
            Told::new(format!("{ask} ({closed} closed the last round, so somebody else opens this one)"))
                .why(clause!("turn.pass"))
        }
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        eligible(at).iter().for_each(|who| each(Answer::Begin(who)));
    }

    takes!(Answer, Answer::Begin(_), clause!("turn.order-free"), "expected who begins");

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Answer::Begin(who) = answer else { return };
        let able = eligible(at);
        if able.has(who) {
            return;
        }
        let named = |side: u8| able.iter().any(|other| at.state.being(other).side == side);
        if !at.rules.is_pc(who) {
            out.no(clause!("npc.turn"), "only an intervention gives such a character a turn");
        } else if !at.state.is_in(who) {
            out.no(clause!("removed-players"), "they take no part now");
        } else if at.state.acted.has(who) {
            out.no(clause!("turn.once-per-round"), "they have had their turn this round");
        } else if at.state.next_side.is_some_and(|side| at.state.being(who).side != side && named(side)) {
            out.no(clause!("pvp.next-side"), "the next turn is the other side's");
        } else {
            out.no(
                clause!("turn.pass"),
                "the character who closed the round does not open the next while others can",
            );
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        if let Answer::Begin(who) = answer {
            begin(play, who);
        }
    }
}

/// Reasons why whose turn it is cannot propose a group with these.
pub(crate) fn object_group(at: At<'_>, turn: &Turn, with: CharSet, out: &mut impl Objections) {
    let who = turn.who;
    crate::judging::object_size(with.with(who).len(), out);
    object_test(at.state, who, deeds(at.state, turn), out);
    if deeds(at.state, turn) > 0 {
        out.no(clause!("group.deeds"), "in a group each does one deed at most, all together before the roll");
    }
    if turn.opened {
        out.no(clause!("group.no-modifiers"), "a group test is never long: act alone or pass");
    }
    for other in with.iter() {
        if other == who || !at.rules.is_pc(other) {
            out.no(
                if at.rules.is_pc(other) { clause!("group.size") } else { clause!("gattack.npc-none") },
                "a group is of players' characters, each named once",
            );
        } else if !at.state.is_in(other) || at.state.acted.has(other) {
            out.no(clause!("group.eligible"), "everybody in a group needs a turn left this round");
        } else if !at.state.allies(who, other) {
            out.no(clause!("group.eligible"), "a group is of allies");
        }
    }
}

/// What somebody does in their own turn.
pub(crate) mod own {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let after = match at.state.top() {
            Some(Frame::Turn(turn)) if turn.ruled == Ruled::LongTest => " (that takes a long test)",
            Some(Frame::Turn(turn)) if turn.ruled == Ruled::Test => " (that takes a test)",
            _ => "",
        };
        Told::new(format!("{}: what do you do{after}?", at.rules.name(who))).why(clause!("turn.contents"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Turn(turn)) = at.state.top() else { return };
        if deeds_left(at, who, deeds(at.state, turn)) > 0 && !turn.opened {
            deed::each(at, who, &mut |deed| {
                if turn.denied != Some(deed) {
                    each(Answer::Deed(deed));
                }
            });
        }
        let testing = fine(|out| object_test(at.state, who, deeds(at.state, turn), out));
        if testing {
            if let Some(form) = at.state.form {
                for target in attack::targets(at, who) {
                    legal_attacks(at, who, target, form, each);
                }
            }
            let plain = |ability| {
                let (attribute, social) = (Attribute::Arm, false);
                Answer::Test { attribute, against: None, ability, toward: None, social, text: None }
            };
            if fine(|out| object_plain(at, turn, plain(None), out)) {
                for &attribute in Attribute::ALL {
                    each(Answer::test(attribute));
                }
                for ability in at.rules.abilities_of(at.state, who) {
                    if fine(|out| object_ability(at, who, ability, false, out)) {
                        each(plain(Some(ability)));
                    }
                }
                // A character too far off for one long move is reached by tests.
                if at.state.form.is_some_and(Form::has_ranges) {
                    for other in at.state.opponents(who).iter() {
                        let seen = !at.state.being(who).unaware_of.has(other);
                        if seen && at.state.range(who, other) > Band::Near {
                            each(Answer::Test {
                                attribute: Attribute::Feet,
                                against: None,
                                ability: None,
                                toward: Some(other),
                                social: false,
                                text: None,
                            });
                        }
                    }
                }
            }
            let mut group = |with: CharSet| {
                if fine(|out| object_group(at, turn, with, out))
                    && group::has_aim(at, &group::proposed(who, with.with(who)))
                {
                    each(Answer::Group(with));
                }
            };
            let others = at.state.pcs(at.rules).minus(at.state.acted).without(who);
            for one in others.iter() {
                group(CharSet::one(one));
                for two in others.iter().filter(|&two| two > one) {
                    group(CharSet::one(one).with(two));
                }
            }
        }
        each(Answer::Pass);
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Deed(_) | Answer::Test { .. } | Answer::Attack { .. } | Answer::Group(_),
        clause!("turn.contents"),
        "in one's own turn: deed, test, attack, group or pass"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Turn(turn)) = at.state.top() else { return };
        match answer {
            Answer::Pass => {}
            Answer::Deed(deed) => object_deed(at, who, deeds(at.state, turn), turn.opened, deed, out),
            Answer::Test { .. } => object_plain(at, turn, answer, out),
            Answer::Attack { on, fallback, form, ability, veiled, with, manner, moves, .. } => {
                object_test(at.state, who, deeds(at.state, turn), out);
                attack::object(at, who, on, fallback, out);
                match form_of(at.state, form) {
                    None => out
                        .no(clause!("conflict.forms"), "there is no conflict: name the `form` of the attack"),
                    Some(form) => {
                        attack::object_silenced(at.state, who, Some(form), veiled, out);
                        let arms = Arms { with, manner, moves };
                        arms::object_reach(at, (who, on), form, veiled, arms, out);
                    }
                }
                if let Some(ability) = ability {
                    object_ability(at, who, ability, false, out);
                }
            }
            Answer::Group(with) => object_group(at, turn, with, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Turn(turn)) = play.state.stack.last().copied() else { return };
        if answer != Answer::Pass {
            play.state.idle = 0;
        }
        match answer {
            Answer::Pass => pass(play, who, turn.opened),
            Answer::Deed(deed) => play.state.push(Frame::Deed { who, deed }),
            Answer::Test { attribute, against, ability, toward, social, .. } => {
                play.event(Event::Test { who: CharSet::one(who), against });
                // What was said of a deed holds for the test declared in its place.
                let long = turn.ruled == Ruled::LongTest || turn.opened;
                if let Some(Frame::Turn(turn)) = play.state.stack.last_mut() {
                    turn.ruled = Ruled::No;
                }
                play.state.push(Frame::Test(Test {
                    against,
                    ability,
                    toward,
                    social,
                    long,
                    opened: turn.opened,
                    ..test::declared(CharSet::one(who), [attribute; 3], true)
                }));
            }
            Answer::Attack { on, attribute, veiled, fallback, form, ability, with, manner, moves } => {
                let form = form_of(play.state, form).unwrap_or(Form::Martial);
                play.event(Event::Attack { by: CharSet::one(who), on, form, veiled, fallback });
                if let Some(moves) = moves {
                    play.event(Event::Sets { who, on, moves });
                }
                play.state.push(Frame::Test(Test {
                    on: Some(on),
                    form: Some(form),
                    veiled,
                    fallback,
                    arms: Arms { with, manner, moves },
                    ability,
                    opened: turn.opened,
                    ..test::declared(CharSet::one(who), [attribute; 3], true)
                }));
            }
            Answer::Group(with) => play.state.push(Frame::Group(group::proposed(who, with.with(who)))),
            _ => {}
        }
    }
}

/// Whether that is a deed (`deed.confirm`); of a group, whether it is done.
pub(crate) mod ruling {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, deed: Deed, _: Viewer) -> Told {
        let (name, does) = (at.rules.name(who), deed_words(at.rules, deed));
        Told::new(format!("{name} {does}: is it a deed?")).why(clause!("deed.confirm"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, _: Deed, each: &mut impl FnMut(Answer)) {
        if matches!(at.state.top(), Some(Frame::Group(_))) {
            return [Answer::Yes, Answer::No].into_iter().for_each(each);
        }
        [Answer::Yes, Answer::AsTest].into_iter().for_each(&mut *each);
        if at.state.form.is_some() {
            each(Answer::AsLongTest);
        }
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(at: At<'_>, _: Char, _: Deed, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Yes => {}
            Answer::No if matches!(at.state.top(), Some(Frame::Group(_))) => {}
            _ if matches!(at.state.top(), Some(Frame::Group(_))) => {
                out.no(clause!("deed.confirm"), "expected yes or no");
            }
            Answer::AsTest => {}
            Answer::AsLongTest => object_long(at, out),
            _ => out.no(clause!("deed.confirm"), "expected yes, as-test or as-long-test"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, _: Deed, answer: Answer) {
        if matches!(play.state.top(), Some(Frame::Group(_))) {
            group::confirm(play, who, answer == Answer::Yes);
        } else {
            rule(play, answer);
        }
    }
}

/// What somebody is asked for, and what comes of it (`disp.levels`).
pub(crate) mod asking {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(&Frame::Deed { who, deed: Deed::Request(of) }) = at.state.top() else {
            return Told::default();
        };
        let disposition = at.state.being(of).disposition;
        let (who, of) = (at.rules.name(who), at.rules.name(of));
        Told::new(format!(
            "{who} asks {of} ({disposition}) for something: how much does it matter, and is it paid for?"
        ))
        .why(clause!("disp.levels"))
    }

    pub(crate) fn legal(_: At<'_>, each: &mut impl FnMut(Answer)) {
        for &stake in Stake::ALL {
            [false, true].into_iter().for_each(|paid| each(Answer::Weigh { stake, paid }));
        }
        each(Answer::AsTest);
    }

    takes!(
        Answer,
        Answer::Weigh { .. } | Answer::Yes | Answer::AsTest | Answer::AsLongTest,
        clause!("deed.confirm"),
        "expected yes, as-test or as-long-test"
    );

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Yes => {
                let what = "`weigh` what is asked: the stake, and whether it is paid for";
                out.no(clause!("disp.levels"), what);
            }
            Answer::AsLongTest => object_long(at, out),
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        rule(play, answer);
    }
}

/// Reasons why a deed cannot be ruled to be a long test.
fn object_long(at: At<'_>, out: &mut impl Objections) {
    if at.state.form.is_none() {
        out.no(clause!("deed.confirm"), "a deed becomes a long test only in a conflict");
    }
}
