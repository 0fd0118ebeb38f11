//! The Stack: abilities, Priority, triggers, and what an ability does when it resolves
//! (`stack.window` to `unreact.triggers`, `ext.effects`).

use crate::{
    At, Play,
    answer::Answer,
    clash,
    effect::{Bearer, Effect},
    event::Event,
    harm, prop,
    state::*,
    study, test,
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Objections, Saying, Seat, Sink, Told, Viewer, fine, takes};

/// Puts something on top of what is under way. There is always room: nothing new is begun from
/// [`FULL`] frames on, and what is under way adds only a few.
pub(crate) fn push(state: &mut State, frame: Frame) {
    let _ = state.frames.try_push(frame);
}

/// The order in which Priority goes round and triggers are put (`priority-order`).
pub(crate) fn order(at: At<'_>) -> Line {
    let mut line = Line::new();
    let Some(now) = &at.state.clash else { return line };
    let turn = now.turn.map(|turn| turn.who);
    line.extend(turn.filter(|&who| at.state.stands(who)));
    // Those still to act, the sides by turns, the side to act next first.
    let next = turn.map_or(now.next, |who| at.state.body(who).side.other());
    let of = |side: Side| clash::candidates(at, side).filter(move |&who| Some(who) != turn).collect::<Line>();
    let (mut one, mut other) = (of(next).into_iter(), of(next.other()).into_iter());
    loop {
        let (first, second) = (one.next(), other.next());
        line.extend(first);
        line.extend(second);
        if first.is_none() && second.is_none() {
            break;
        }
    }
    for &who in &now.acted {
        if at.state.stands(who) && !line.contains(&who) {
            line.push(who);
        }
    }
    // Characters who came late, or have no turns of their own.
    for who in at.rules.everybody() {
        if at.state.stands(who) && !line.contains(&who) {
            line.push(who);
        }
    }
    line
}

/// Priority goes round from the one after `user`, who is not asked; from the turn's character on, all of them,
/// where nobody used anything yet (`priority-start`).
fn window(at: At<'_>, user: Option<Char>) -> Window {
    let mut left = order(at);
    if let Some(place) = user.and_then(|user| left.iter().position(|&who| who == user)) {
        left.rotate_left(place);
        left.remove(0);
    }
    // The Director answers once for all their characters, where the first of them comes up (`priority-order`).
    let is_gm = |who: Char| at.rules.sheet(who).seat == Seat::Gm;
    let mut asked = user.is_some_and(is_gm);
    left.retain(|who| !is_gm(*who) || !std::mem::replace(&mut asked, true));
    Window { left }
}

/// The window over what waits on top, as it opened.
pub(crate) fn whole_window(at: At<'_>) -> Window {
    let user = match at.state.waiting().last() {
        Some(Frame::Use(used)) if at.rules.ability(used.ability).timing == Timing::Rapid => Some(used.by),
        _ => None,
    };
    window(at, user)
}

/// An Action was announced and ruled on: it is on the Stack, and a window opens (`stack.window`).
pub(crate) fn announced(play: &mut Play<'_, impl Sink<Event>>) {
    let Some(test) = play.state.top_test() else { return };
    let (who, kind, defender) = (test.attacker, test.kind, test.defender);
    let opened = window(play.at(), None);
    push(play.state, Frame::Window(opened));
    if kind == Kind::Attack {
        harm::expend_made_up(play, defender, TokenMoment::Targeted, Some(who));
        happens(play, &[Moment::Attacks], who, Some(Target::Char(defender)));
    }
}

// ---- Abilities.

/// Whether a character has an ability now (`clash.active-needed`, `prop.must-control`).
pub(crate) fn has(at: At<'_>, who: Char, ability: Ability) -> bool {
    match at.rules.ability(ability).on {
        Bearer::Char(bearer) => bearer == who,
        Bearer::Item(item) => {
            at.state.items[item.index()].owner == Some(who) && clash::is_active(at, who, Element::Item(item))
        }
        Bearer::Prop(prop) => at.state.controlled_by(who).any(|there| there == prop),
    }
}

/// What the static abilities of a character do that a viewer knows of.
pub(crate) fn statics(at: At<'_>, who: Char, viewer: Viewer) -> impl Iterator<Item = Effect> + '_ {
    at.rules
        .statics
        .iter()
        .filter(move |&&ability| has(at, who, ability) && crate::view::knows_ability(at, ability, viewer))
        .flat_map(move |&ability| at.rules.ability(ability).effects.iter().copied())
        .filter(|&effect| clash::is_static(effect))
}

/// The element that an ability is on.
const fn bearer(on: Bearer) -> Option<Element> {
    match on {
        Bearer::Char(_) => None,
        Bearer::Item(item) => Some(Element::Item(item)),
        Bearer::Prop(prop) => Some(Element::Prop(prop)),
    }
}

/// Whether its limit is used up.
fn is_spent(at: At<'_>, ability: Ability) -> bool {
    let limit = at.rules.ability(ability).cost.limit;
    limit.is_some_and(|limit| at.state.used[limit as usize] & 1 << ability.0 != 0)
}

/// Elements that pay so much Focus, the smallest first; `None` where all together do not.
fn payment(at: At<'_>, who: Char, ability: Ability) -> Option<Few<Element, 6>> {
    let data = at.rules.ability(ability);
    let mut pay = Few::default();
    let mut due = i16::from(data.cost.focus) - i16::from(at.state.body(who).floating);
    if due <= 0 {
        return Some(pay);
    }
    let turned = if data.cost.exhaust { bearer(data.on) } else { None };
    let mut ready: ArrayVec<(u8, Element), 48> = at
        .state
        .elements_of(who)
        .filter(|&element| at.state.card(who, element) == Card::Ready && Some(element) != turned)
        .map(|element| (at.state.focus_value(at.rules, element), element))
        .collect();
    ready.sort_unstable();
    for (value, element) in ready.into_iter().rev() {
        if due <= 0 {
            break;
        }
        if !pay.push(element) {
            return None;
        }
        due -= i16::from(value);
    }
    (due <= 0).then_some(pay)
}

/// Those at whom an ability can be aimed.
fn each_target(at: At<'_>, who: Char, ability: Ability, each: &mut impl FnMut(Option<Target>)) {
    let side = |who: Char| at.state.body(who).side;
    // Nobody else chooses a holder of a Stealth Token as a target (`token.stealth`).
    let is_seen = |on: Char| on == who || at.state.tokens(on, TokenKind::Stealth) == 0;
    let standing = || at.rules.everybody().filter(|&on| at.state.stands(on) && is_seen(on));
    match at.rules.ability(ability).aim {
        Aim::Me => each(None),
        Aim::Ally => {
            standing().filter(|&on| side(on) == side(who)).for_each(|on| each(Some(Target::Char(on))));
        }
        Aim::Enemy => {
            standing().filter(|&on| side(on) != side(who)).for_each(|on| each(Some(Target::Char(on))));
        }
        Aim::Anyone => standing().for_each(|on| each(Some(Target::Char(on)))),
        Aim::Element => {
            for of in at.rules.everybody().filter(|&of| at.state.stands(of)) {
                let lying =
                    at.state.elements_of(of).filter(|&element| at.state.card(of, element) != Card::Inactive);
                lying.for_each(|element| each(Some(Target::Element(element))));
            }
        }
        // About an Action that waits: without one there is nobody.
        Aim::Acting | Aim::Target => {
            if at.state.test().is_some() {
                each(None);
            }
        }
    }
}

/// Lists the uses of a character's abilities.
pub(crate) fn each_use(at: At<'_>, who: Char, rapid: bool, each: &mut impl FnMut(Answer)) {
    for ability in at.rules.every_ability() {
        let timing = at.rules.ability(ability).timing;
        let is_timely = timing == Timing::Rapid || (timing == Timing::Slow && !rapid);
        if is_timely
            && has(at, who, ability)
            && crate::view::knows_own(at, who, ability)
            && let Some(pay) = payment(at, who, ability)
        {
            each_target(at, who, ability, &mut |on| {
                if fine(|out| object(at, who, ability, on, pay, rapid, out)) {
                    each(Answer::Use { who, ability, on, pay });
                }
            });
        }
    }
}

/// Whether a character could use a Rapid ability now.
pub(crate) fn can_answer(at: At<'_>, who: Char) -> bool {
    let mut can = false;
    each_use(at, who, true, &mut |_| can = true);
    can
}

/// Collects the reasons against the use of an ability.
pub(crate) fn object(
    at: At<'_>,
    who: Char,
    ability: Ability,
    on: Option<Target>,
    pay: Few<Element, 6>,
    rapid: bool,
    out: &mut impl Objections,
) {
    let data = at.rules.ability(ability);
    let body = at.state.body(who);
    if !has(at, who, ability) || !crate::view::knows_own(at, who, ability) {
        out.no(clause!("clash.active-needed"), "you have no such ability ready for use");
        return;
    }
    match data.timing {
        Timing::Rapid => {}
        Timing::Slow if rapid => {
            out.no(clause!("action.slow"), "that is Slow: only in the Main Step of your own turn")
        }
        Timing::Slow => {}
        Timing::Triggered => out.no(clause!("trigger.stack"), "that goes off by itself"),
        Timing::Static => out.no(clause!("core.scope"), "that is always in force"),
    }
    if data.cost.action && body.actions == 0 {
        out.no(clause!("action.resource"), "no Action is left");
    }
    if data.cost.reaction && (!body.reaction || test::is_dazed(at, who)) {
        out.no(clause!("timing.reaction-cost"), "no Reaction is left");
    }
    if is_spent(at, ability) {
        out.no(clause!("clash.illegal"), "its limit is used up");
    }
    let own = bearer(data.on);
    if data.cost.exhaust && own.is_some_and(|own| at.state.card(who, own) != Card::Ready) {
        out.no(clause!("exhaust.state"), "it must be ready, to be Exhausted");
    }
    let mut paid = u16::from(body.floating);
    for element in pay.iter() {
        let is_taken = data.cost.exhaust && own == Some(element);
        if at.state.card(who, element) != Card::Ready || is_taken {
            out.no(clause!("focus.ability-cost"), "what pays must be yours, Active and ready");
        }
        paid += u16::from(at.state.focus_value(at.rules, element));
    }
    if paid < u16::from(data.cost.focus) {
        out.no(clause!("focus.ability-cost"), "that does not pay its Focus cost");
    }
    if data.cost.focus == 0 && !pay.is_empty() {
        out.no(clause!("focus.ability-cost"), "it has no Focus cost");
    }
    let mut is_there = false;
    each_target(at, who, ability, &mut |there| is_there = is_there || there == on);
    if !is_there {
        out.no(clause!("clash.illegal"), "it cannot be aimed like that now");
    }
    let needs_roll = data.effects.iter().all(|effect| effect.is_on_roll()) && data.lasts == Lasts::AtOnce;
    let of = subject(at, who, ability, on);
    let is_due =
        |frame: &Frame| data.effects.iter().any(|&effect| is_of(frame, of, effect) && changes(frame, effect));
    if needs_roll && !data.effects.is_empty() && !at.state.frames.iter().any(is_due) {
        out.no(clause!("timing.rapid"), "no Roll of theirs is under way for it to change");
    }
    if at.state.frames.len() >= FULL {
        out.no(clause!("stack.window"), "too much is under way");
    }
}

/// Uses an ability: pays for it and puts it on the Stack, or lets it happen at once (`unreact.rule`).
pub(crate) fn use_ability(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    ability: Ability,
    on: Option<Target>,
    paying: Few<Element, 6>,
) {
    pay(play, who, ability, paying);
    ask_again(play.state);
    play.event(Event::Uses { who, ability, on });
    let used = Use { ability, by: who, on };
    // Priority starts over from the next after the user (`stack.restart`).
    if matches!(play.state.frames.last(), Some(Frame::Window(_))) {
        if play.rules.ability(ability).unreactable {
            resolve(play, used);
            happens(play, &[Moment::AbilityUsed], who, on);
            return;
        }
        play.state.frames.pop();
    }
    if play.rules.ability(ability).unreactable {
        resolve(play, used);
    } else {
        let rapid = play.rules.ability(ability).timing == Timing::Rapid;
        push(play.state, Frame::Use(used));
        let opened = window(play.at(), rapid.then_some(who));
        push(play.state, Frame::Window(opened));
    }
    happens(play, &[Moment::AbilityUsed], who, on);
}

/// Pays what an ability costs; Focus beyond that stays (`focus.excess`).
fn pay(play: &mut Play<'_, impl Sink<Event>>, who: Char, ability: Ability, paying: Few<Element, 6>) {
    let data = play.rules.ability(ability);
    let mut focus = play.state.body(who).floating;
    for element in paying.iter() {
        focus = focus.saturating_add(play.state.focus_value(play.rules, element));
        play.state.turn_card(element, Card::Exhausted);
        play.event(Event::Exhausts { who, element, against: false });
    }
    if data.cost.exhaust
        && let Some(own) = bearer(data.on)
    {
        play.state.turn_card(own, Card::Exhausted);
    }
    if let Some(limit) = data.cost.limit {
        play.state.used[limit as usize] |= 1 << ability.0;
    }
    play.state.met |= 1 << ability.0;
    let body = play.state.body_mut(who);
    body.floating = focus.saturating_sub(data.cost.focus);
    body.actions = body.actions.saturating_sub(data.cost.action.into());
    body.reaction &= !data.cost.reaction;
}

// ---- Priority.

/// Whether a character gets Priority: they could use something (`stack.window`). What the Director's characters hold
/// is hidden, and a pause would tell: the Director is asked unless they let it be when they ruled on it.
fn is_asked(at: At<'_>, who: Char) -> bool {
    let is_gm = at.rules.sheet(who).seat == Seat::Gm;
    at.state.stands(who) && if is_gm { !lets_be(at) } else { can_answer(at, who) }
}

/// Whether the Director let be what is on top of the Stack when they ruled on it.
fn lets_be(at: At<'_>) -> bool {
    matches!(at.state.waiting().last(), Some(Frame::Test(test)) if test.let_be)
}

/// Something else is used: what the Director said of the Action before that no longer holds.
fn ask_again(state: &mut State) {
    for frame in &mut state.frames {
        match frame {
            Frame::Test(test) => test.let_be = false,
            Frame::Blow(blow) => blow.let_be = false,
            _ => {}
        }
    }
}

/// Those who may use something with this character's Priority: of the Director's characters all.
fn may_use(at: At<'_>, who: Char, user: Char) -> bool {
    let is_gm = |who: Char| at.rules.sheet(who).seat == Seat::Gm;
    user == who || (is_gm(who) && is_gm(user) && at.state.stands(user))
}

/// Asks the next who could answer; once all have passed the Stack resolves (`stack.close`).
pub(crate) fn window_goes_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let at = play.at();
    let Some(Frame::Window(window)) = at.state.frames.last() else { return false };
    match window.left.first() {
        Some(&who) if is_asked(at, who) => return false,
        Some(_) => {
            if let Some(Frame::Window(window)) = play.state.frames.last_mut() {
                window.left.remove(0);
            }
        }
        None => {
            play.state.frames.pop();
        }
    }
    true
}

pub(crate) mod priority {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let (waits, leads) = match at.state.waiting().last() {
            Some(Frame::Test(test)) => (
                format!(
                    "{} {} {}{}",
                    Saying(test.attacker, at),
                    crate::words::doing(test.kind),
                    Saying(test.target, at),
                    crate::words::cast(at, test, viewer)
                ),
                test::faced(at, test, viewer),
            ),
            Some(Frame::Use(used)) => {
                (format!("{} of {}", Saying(used.ability, at), Saying(used.by, at)), String::new())
            }
            _ => ("something".to_owned(), String::new()),
        };
        Told::new(format!("{} has Priority. On top of the Stack: {waits}", Saying(who, at)))
            .leads(leads)
            .why(clause!("stack.pass-choice"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        for user in at.rules.everybody().filter(|&user| may_use(at, who, user)) {
            each_use(at, user, true, each);
            each(Answer::Surrender(user));
        }
    }

    takes!(
        Answer,
        Answer::Pass | Answer::Use { .. } | Answer::Surrender(_) | Answer::Narrate(_),
        clause!("stack.pass-choice"),
        "expected a Rapid ability, or to pass"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Use { who: user, ability, on, pay } => {
                if !may_use(at, who, user) {
                    out.no(clause!("timing.rapid"), "somebody else has Priority");
                }
                super::object(at, user, ability, on, pay, true, out);
            }
            Answer::Surrender(loser) if !may_use(at, who, loser) => {
                out.no(clause!("wp.surrender"), "somebody else has Priority");
            }
            Answer::Narrate(_) if at.state.turn() != Some(who) => {
                out.no(clause!("narr.free"), "Narrative Actions have their place in one's own turn");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        match answer {
            Answer::Use { who: user, ability, on, pay } => use_ability(play, user, ability, on, pay),
            Answer::Surrender(loser) => harm::surrender(play, loser),
            Answer::Narrate(words) => play.event(Event::Narrates { who, words }),
            _ => {
                if let Some(Frame::Window(window)) = play.state.frames.last_mut() {
                    window.left.remove(0);
                }
                play.event(Event::Passes { who });
            }
        }
    }
}

// ---- Triggers.

/// Something happens that may trigger abilities: `who` did it, to `on` (`trigger.stack`).
pub(crate) fn happens(
    play: &mut Play<'_, impl Sink<Event>>,
    moments: &[Moment],
    who: Char,
    on: Option<Target>,
) {
    if play.state.clash.is_none() || play.state.frames.len() >= FULL {
        return;
    }
    let mut left = ArrayVec::<Use, MAX_TRIGGERED>::new();
    for by in order(play.at()) {
        for ability in play.rules.every_ability() {
            let at = play.at();
            let data = at.rules.ability(ability);
            let side = |who: Char| at.state.body(who).side;
            let (Timing::Triggered, Some((when, whose))) = (data.timing, data.when) else { continue };
            let is_theirs = match whose {
                _ if when == Moment::ClashBegins => true,
                Whose::Mine => by == who,
                Whose::OnMe => on == Some(Target::Char(by)) || on.is_some_and(|on| is_own(at, by, on)),
                Whose::Ally => by != who && side(by) == side(who),
                Whose::Enemy => side(by) != side(who),
                Whose::Anyone => true,
            };
            let body = at.state.body(by);
            let own = bearer(data.on);
            let paid = (!data.cost.reaction || (body.reaction && !test::is_dazed(at, by)))
                && data.cost.focus <= body.floating
                && !(data.cost.exhaust && own.is_some_and(|own| at.state.card(by, own) != Card::Ready))
                && !is_spent(at, ability);
            if moments.contains(&when)
                && has(at, by, ability)
                && is_theirs
                && paid
                && let Some(on) = aimed(at, by, data.aim, who, on)
                && left.try_push(Use { ability, by, on }).is_ok()
            {
                pay(play, by, ability, Few::default());
            }
        }
    }
    if !left.is_empty() {
        push(play.state, Frame::Triggers(Triggers { left }));
    }
}

/// Whether an element is somebody's.
fn is_own(at: At<'_>, who: Char, on: Target) -> bool {
    matches!(on, Target::Element(element) if at.state.owns(who, element))
}

/// What a triggered ability is aimed at, of those whom its moment is about; `None` where nobody of them fits.
fn aimed(at: At<'_>, by: Char, aim: Aim, who: Char, on: Option<Target>) -> Option<Option<Target>> {
    let side = |who: Char| at.state.body(who).side;
    let other = on.and_then(Target::char);
    let both = [Some(who), other];
    let of =
        |is: &dyn Fn(Char) -> bool| both.iter().flatten().copied().find(|&one| is(one)).map(Target::Char);
    let found = match aim {
        Aim::Me => return Some(None),
        Aim::Acting | Aim::Anyone => Some(Target::Char(who)),
        Aim::Target => on,
        Aim::Enemy => of(&|one| side(one) != side(by)),
        Aim::Ally => of(&|one| side(one) == side(by)),
        Aim::Element => on.filter(|on| matches!(on, Target::Element(_))),
    };
    found.map(Some)
}

/// Puts triggered abilities on the Stack in turn order (`trigger.order`); false where a controller chooses
/// among several of theirs (`trigger.own-order`).
pub(crate) fn triggers_go_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let Some(Frame::Triggers(triggers)) = play.state.frames.last() else { return false };
    let Some(&first) = triggers.left.first() else {
        play.state.frames.pop();
        // Rapid effects that answer the same event come above them (`trigger.before-rapid`).
        if matches!(play.state.frames.last(), Some(Frame::Use(_))) {
            let opened = window(play.at(), None);
            push(play.state, Frame::Window(opened));
        }
        return true;
    };
    let several = triggers.left.iter().filter(|other| other.by == first.by).count() > 1;
    if several {
        return false;
    }
    put(play, first);
    true
}

/// Puts one triggered ability on the Stack, beneath those that are still to be put.
fn put(play: &mut Play<'_, impl Sink<Event>>, used: Use) {
    let Some(Frame::Triggers(mut triggers)) = play.state.frames.pop() else { return };
    triggers.left.retain(|other| *other != used);
    ask_again(play.state);
    play.event(Event::Triggers { who: used.by, ability: used.ability, on: used.on });
    if play.rules.ability(used.ability).unreactable {
        push(play.state, Frame::Triggers(triggers));
        resolve(play, used);
        return;
    }
    // Another window opens above them, in place of one that was open.
    if matches!(play.state.frames.last(), Some(Frame::Window(_))) {
        play.state.frames.pop();
    }
    push(play.state, Frame::Use(used));
    push(play.state, Frame::Triggers(triggers));
}

pub(crate) mod order {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!(
            "Several abilities of {} are triggered. Which goes on the Stack next? The last resolves first",
            Saying(who, at)
        ))
        .why(clause!("trigger.own-order"))
    }

    fn own(at: At<'_>, who: Char) -> impl Iterator<Item = Use> + '_ {
        let left = match at.state.frames.last() {
            Some(Frame::Triggers(triggers)) => triggers.left.as_slice(),
            _ => &[],
        };
        left.iter().copied().filter(move |used| used.by == who)
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        own(at, who).for_each(|used| each(Answer::First(used.ability)));
    }

    takes!(Answer, Answer::First(_), clause!("trigger.own-order"), "expected one of the triggered abilities");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        let Answer::First(ability) = answer else { return };
        if !own(at, who).any(|used| used.ability == ability) {
            out.no(clause!("trigger.own-order"), "that ability of yours is not triggered");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Answer::First(ability) = answer else { return };
        let found = own(play.at(), who).find(|used| used.ability == ability);
        if let Some(used) = found {
            put(play, used);
        }
    }
}

// ---- What abilities do.

/// An ability resolves. Where the one it was aimed at is gone nothing happens.
pub(crate) fn resolve(play: &mut Play<'_, impl Sink<Event>>, used: Use) {
    let Use { ability, by, on } = used;
    let data = play.rules.ability(ability);
    let gone = !play.state.stands(by)
        || match on {
            Some(Target::Char(who)) => !play.state.stands(who),
            Some(Target::Element(Element::Prop(prop))) => !play.state.props[prop.index()].here,
            _ => false,
        };
    if gone {
        play.event(Event::Fizzles { who: by, ability });
        return;
    }
    let who = subject(play.at(), by, ability, on);
    for effect in data.effects.clone() {
        happen(play, (by, ability), who, on, effect, data.lasts);
    }
}

/// Whom an ability acts on: the one it is aimed at, or whose what it is aimed at is.
pub(crate) fn subject(at: At<'_>, by: Char, ability: Ability, on: Option<Target>) -> Char {
    let aim = at.rules.ability(ability).aim;
    let of_roll = |test: &Test| if aim == Aim::Target { test.defender } else { test.attacker };
    match (on, aim) {
        (Some(Target::Char(who)), _) => who,
        (Some(target), _) => keeper(at.rules, at.state, target).unwrap_or(by),
        (None, Aim::Acting | Aim::Target) => at.state.test().map_or(by, of_roll),
        (None, _) => by,
    }
}

/// One effect happens to a character (`ext.effects`).
pub(crate) fn happen(
    play: &mut Play<'_, impl Sink<Event>>,
    (by, ability): (Char, Ability),
    who: Char,
    on: Option<Target>,
    effect: Effect,
    lasts: Lasts,
) {
    let element = match on {
        Some(Target::Element(element)) => Some(element),
        _ => None,
    };
    if !matches!(effect, Effect::Alter { .. } | Effect::DealDamage(_) | Effect::RevealSecret) {
        play.event(Event::Effect { on: who, effect });
    }
    match effect {
        Effect::AddBd(_)
        | Effect::AddMd(_)
        | Effect::AddDamage(_)
        | Effect::MultiplyDamage(_)
        | Effect::SetPotential(_) => on_roll(play, by, who, effect, lasts),
        Effect::DealDamage(amount) => {
            harm::strike(
                play,
                Blow { by: Some(by), on: who, amount, symbols: None, counted: false, let_be: false },
            );
        }
        Effect::RestoreMajor(n) => harm::restore(play, who, Rank::Major, n),
        Effect::RestoreMinor(n) => harm::restore(play, who, Rank::Minor, n),
        Effect::Alter { symbol, to, resist } => match resist {
            None => harm::alter(play, who, symbol, Altered { to, lasts: harm::lasting(lasts), by: Some(by) }),
            Some((with, over)) if by != who => {
                let mut test = test::new(Kind::Conflict, by, Target::Char(who), who, with);
                (test.over, test.step) = (over, Step::Aid);
                test.resisted = Some((by, symbol, to, harm::lasting(lasts)));
                push(play.state, Frame::Test(test));
            }
            Some(_) => {}
        },
        Effect::ClearAlteration => harm::clear(play, who),
        Effect::GiveToken { kind, persistent, ephemeral, countless } => {
            harm::give(play, who, kind, (persistent, ephemeral.then_some(by), countless));
        }
        Effect::GainKeyword(_) => last(play.state, Live { on: who, by, effect, lasts: harm::lasting(lasts) }),
        Effect::GainAction => {
            let body = play.state.body_mut(who);
            body.actions = body.actions.saturating_add(1).min(9);
        }
        Effect::GainReaction => play.state.body_mut(who).reaction = true,
        Effect::Ready | Effect::Exhaust => {
            let (from, to) = match effect {
                Effect::Ready => (Card::Exhausted, Card::Ready),
                _ => (Card::Ready, Card::Exhausted),
            };
            let lies = |state: &State, element| state.card(who, element) == from;
            let found = element
                .filter(|&element| lies(play.state, element))
                .or_else(|| play.state.elements_of(who).find(|&element| lies(play.state, element)));
            if let Some(element) = found {
                play.state.turn_card(element, to);
            }
        }
        Effect::GainFocus(n) => {
            let body = play.state.body_mut(who);
            body.floating = body.floating.saturating_add(n);
        }
        Effect::AddSpellSlot(level) => crate::spell::add_slot(play, who, level),
        Effect::ChangeHours(n) => {
            let body = play.state.body_mut(who);
            body.extra_hours = body.extra_hours.saturating_add(n).clamp(-2, 9);
        }
        Effect::RevealSecret => study::reveal(play, by, on.unwrap_or(Target::Char(who))),
        Effect::LoseControl => {
            // An activity of a Rest is no ability, and on no Clash Prop.
            let on = play.rules.abilities.get(ability.index()).map(|data| data.on);
            if let Some(Bearer::Prop(prop)) = on {
                prop::release(play, who, prop);
            }
        }
        Effect::Note => {}
    }
}

/// Whether an effect on somebody changes this: a Roll of theirs whose dice are still to be thrown, or Damage that
/// they are about to deal.
fn is_of(frame: &Frame, who: Char, effect: Effect) -> bool {
    let on_dice = matches!(effect, Effect::AddBd(_) | Effect::AddMd(_));
    match frame {
        Frame::Test(test) => {
            test.step < Step::Dice && who == if on_dice { test.roller() } else { test.attacker }
        }
        Frame::Blow(blow) => blow.by == Some(who) && !on_dice && !matches!(effect, Effect::SetPotential(_)),
        _ => false,
    }
}

/// Whether an effect makes any difference to this: what changes Damage does so where some is dealt.
const fn changes(frame: &Frame, effect: Effect) -> bool {
    match frame {
        Frame::Test(test) => {
            matches!(effect, Effect::AddBd(_) | Effect::AddMd(_))
                || matches!(test.kind, Kind::Attack | Kind::Opening)
        }
        _ => true,
    }
}

/// An effect changes the Roll of a character that is under way, or the blow that is about to fall; what lasts, or
/// comes before the Roll, changes the Rolls to come.
fn on_roll(play: &mut Play<'_, impl Sink<Event>>, by: Char, who: Char, effect: Effect, lasts: Lasts) {
    let found = match lasts {
        Lasts::AtOnce => play.state.frames.iter_mut().rev().find(|frame| is_of(frame, who, effect)),
        _ => None,
    };
    match (found, effect) {
        (Some(Frame::Test(test)), Effect::AddBd(n)) => test.mods.bd = test.mods.bd.saturating_add(n),
        (Some(Frame::Test(test)), Effect::AddMd(n)) => test.mods.md = test.mods.md.saturating_add(n),
        (Some(Frame::Test(test)), Effect::SetPotential(n)) => {
            test.mods.potential = test.mods.potential.max(n)
        }
        (Some(Frame::Test(test)), _) => {
            let _ = test.mods.damage.try_push(effect);
        }
        (Some(Frame::Blow(blow)), Effect::AddDamage(n)) => blow.amount = blow.amount.saturating_add_signed(n),
        (Some(Frame::Blow(blow)), Effect::MultiplyDamage(n)) => {
            blow.amount = blow.amount.saturating_mul(n).min(99);
        }
        _ => last(play.state, Live { on: who, by, effect, lasts }),
    }
}

/// Keeps an effect that lasts.
fn last(state: &mut State, live: Live) {
    let _ = state.live.try_push(live);
}
