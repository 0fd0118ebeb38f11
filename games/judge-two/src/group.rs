//! Groups gather: what for, who joins, with what, after which deeds.

use crate::answer::{Answer, Deed, yes_or_no};
use crate::state::{Arms, Frame, Group, GroupStep, Shares, State, Test};
use crate::{
    At, Play, arms, attack, deed, event::Event, judging::place, test, threat, turn, vocab::*, words::names,
};
use fracas_kernel::{Objections, Sink, Told, Viewer, Why, fine, takes};

/// A group just proposed.
pub(crate) fn proposed(lead: Char, members: CharSet) -> Group {
    Group { lead, members, ..Group::default() }
}

/// The leader of these members: the character whose turn it is, else the first.
pub(crate) fn lead(state: &State, members: CharSet) -> Char {
    let turn = state.stack.iter().rev().find_map(|frame| match frame {
        Frame::Turn(turn) => Some(turn.who).filter(|&who| members.has(who)),
        _ => None,
    });
    turn.or(members.first()).unwrap_or(Char(0))
}

/// Deeds that the last of a group has done once the group's are: each could do one, those
/// who were crushed by then none (`group.deeds`, `mark.crush`).
pub(crate) fn deeds_of(state: &State, who: Char) -> u8 {
    u8::from(!state.being(who).marks.has(Mark::Crush) || state.with_deed.has(who))
}

/// Whether somebody has had a deed with the group and is crushed since: no test is left
/// for them in this turn (`mark.crush`).
pub(crate) fn is_spent(state: &State, who: Char) -> bool {
    state.with_deed.has(who) && state.being(who).marks.has(Mark::Crush)
}

/// Those of a group's turn who are there and can still test in it.
pub(crate) fn able(state: &State, members: CharSet) -> CharSet {
    members.and(state.present()).iter().filter(|&who| !is_spent(state, who)).collect()
}

/// A group that has done its deeds finds something else to do together.
pub(crate) fn again(state: &mut State, members: CharSet) {
    let lead = lead(state, members);
    state.push(Frame::Group(Group { again: true, ..proposed(lead, members) }));
}

/// Whether a member can attack this target only as a fallback
/// (`group-member-limits`).
pub(crate) fn falls_back(at: At<'_>, by: Char, on: Char) -> bool {
    at.state.being(by).misdirected_by.has(on) && attack::must_fall_back(at, by)
}

/// Whether any of these can attack this target only as a fallback.
pub(crate) fn any_falls_back(at: At<'_>, members: CharSet, on: Char) -> bool {
    members.iter().any(|by| falls_back(at, by, on))
}

/// Whether a group could be for anything.
pub(crate) fn has_aim(at: At<'_>, group: &Group) -> bool {
    let mut any = false;
    each_aim(at, group, &mut |answer| {
        any |= answer != Answer::Pass && fine(|out| object_aim(at, group, answer, out));
    });
    any
}

fn top(state: &mut State) -> Option<&mut Group> {
    match state.stack.last_mut() {
        Some(Frame::Group(group)) => Some(group),
        _ => None,
    }
}

/// What a group is for.
pub(crate) const fn aim_of(group: &Group) -> Answer {
    let Group { on, against, veiled, social, .. } = *group;
    Answer::Aim { on, against, veiled, social }
}

/// Everybody has said what was asked of them: the group's next step.
pub(crate) fn go_on(play: &mut Play<'_, impl Sink<Event>>, mut group: Group) {
    match group.step {
        GroupStep::Aim => return,
        GroupStep::Join => {
            (group.step, group.waiting) = (GroupStep::Attributes, group.members);
            everybodys_turn(play, &group);
        }
        // Its deeds are done.
        GroupStep::Attributes if group.again => group.step = GroupStep::Confirm,
        GroupStep::Attributes => (group.step, group.waiting) = (GroupStep::Deeds, group.members),
        GroupStep::Deeds => {
            let does = |who: &Char| group.deeds[place(group.members, *who)].is_some();
            (group.step, group.waiting) = (GroupStep::Confirm, group.members.iter().filter(does).collect());
        }
        GroupStep::Confirm => return begin_test(play, group),
    }
    play.state.replace_top(Frame::Group(group));
}

/// Everybody takes their turn at the same time (`group.simultaneous`).
fn everybodys_turn(play: &mut Play<'_, impl Sink<Event>>, group: &Group) {
    let Some(Frame::Turn(turn)) = play.state.below_mut() else { return };
    let others = group.members.minus(turn.members);
    turn.members = group.members;
    play.event(Event::Turn(group.members));
    for other in others.iter() {
        threat::turn_begins(play, other);
    }
}

/// Reasons against a member's one deed: all deeds happen together, so each is
/// judged by how things are before any of them (`group.deeds`). The crushed do
/// a deed or a test.
pub(crate) fn object_deed(at: At<'_>, who: Char, deed: Deed, out: &mut impl Objections) {
    if at.state.being(who).marks.has(Mark::Crush) {
        out.no(clause!("mark.crush"), "a crushed character does a deed or a test, never both");
    }
    if matches!(deed, Deed::Request(_)) {
        out.no(clause!("group.deeds"), "asking somebody for something is done alone");
    }
    deed::object(at, who, deed, out);
}

/// The gamemaster confirms a member's deed. One that is refused was not done, and another
/// may be named in its place (`group-deed-refused`).
pub(crate) fn confirm(play: &mut Play<'_, impl Sink<Event>>, who: Char, yes: bool) {
    let Some(group) = top(play.state) else { return };
    let at = place(group.members, who);
    if yes {
        group.waiting = group.waiting.without(who);
    } else if let Some(deed) = group.deeds[at].take() {
        play.event(Event::DeedRefused { who, deed });
    }
}

/// Everything is said: the deeds happen together, and the test begins.
fn begin_test(play: &mut Play<'_, impl Sink<Event>>, group: Group) {
    play.state.stack.pop();
    for (i, who) in group.members.iter().enumerate() {
        let Some(deed) = group.deeds[i] else { continue };
        // Of two who reach for one thing only the first gets it (`group-deeds-order`).
        if fine(|out| object_deed(play.at(), who, deed, out)) {
            deed::carry_out(play, who, deed);
            play.state.with_deed = play.state.with_deed.with(who);
            play.event(Event::Deed { who, deed });
        } else {
            play.event(Event::FellAway(who));
        }
    }
    // Their deeds, or a word of the gamemaster's, may have changed what is possible: then
    // they find something else.
    let on = group.on;
    let tried = Group { again: true, ..group };
    if !fine(|out| object_aim(play.at(), &tried, aim_of(&group), out)) {
        play.event(Event::FellAway(group.lead));
        again(play.state, group.members);
        return;
    }
    let mut attributes = [Attribute::Arm; 3];
    for (slot, attribute) in attributes.iter_mut().zip(group.attributes) {
        *slot = attribute.unwrap_or(*slot);
    }
    let fallback = on.is_some_and(|on| any_falls_back(play.at(), group.members, on));
    match on {
        Some(on) => play.event(Event::Attack {
            by: group.members,
            on,
            form: play.state.form.unwrap_or(Form::Martial),
            veiled: group.veiled,
            fallback,
        }),
        None => play.event(Event::Test { who: group.members, against: group.against }),
    }
    play.state.push(Frame::Test(Test {
        on,
        against: group.against,
        form: on.and(play.state.form),
        veiled: group.veiled,
        social: group.social,
        fallback,
        ..test::declared(group.members, attributes, true)
    }));
}

/// The next member of a successful group attack imposes a set.
pub(crate) fn next_share(state: &mut State, who: Char) {
    use crate::state::{Cause, Harm};
    let Some(Frame::Shares(shares)) = state.stack.last_mut() else { return };
    shares.left = shares.left.without(who);
    let Shares { on, guard, form, degrees, members, veiled, fallback, risk, .. } = *shares;
    let harm = Harm {
        degree: degrees[place(members, who)],
        veiled,
        fallback: fallback.has(who),
        most: risk,
        ..Harm::of(Cause::Attack, Some(who), on, form, state.range(who, on))
    };
    crate::guard::strike(state, harm, guard);
}

/// Reasons against what a group is for.
pub(crate) fn object_aim(at: At<'_>, group: &Group, answer: Answer, out: &mut impl Objections) {
    let Answer::Aim { on, against, veiled, social } = answer else { return };
    if social && on.is_some() {
        out.no(clause!("lang.fluency"), "an attack is social by its form: `social` is for plain tests");
    }
    if let Some(on) = on {
        if against.is_some() {
            let what = "an attack has its target; only a plain test opposes somebody";
            out.no(clause!("gattack.as-group"), what);
        }
        if at.rules.is_pc(on) {
            out.no(clause!("gattack.eligible"), "a group attacks one of the gamemaster's characters");
        }
        if at.state.form.is_none() {
            out.no(clause!("conflict.forms"), "there is no conflict to attack in");
        }
        for by in group.members.iter() {
            let back = falls_back(at, by, on);
            attack::object(at, by, on, back, out);
            attack::object_silenced(at.state, by, at.state.form, veiled, out);
            let form = at.state.form.unwrap_or(Form::Martial);
            // A group test is never long: everybody attacks from where they are, at
            // most with what a deed readies first.
            if group.again || !arms::could_reach(at, (by, on), form) {
                arms::object_reach(at, (by, on), form, veiled, Arms::default(), out);
            }
        }
    } else {
        if veiled {
            out.no(clause!("gattack.veiled"), "only an attack is veiled");
        }
        turn::object_against(at, against, out);
        if group.members.iter().any(|who| at.state.being(who).bind != 0) {
            let what = "a bound character can only attack those it is bound with";
            out.no(clause!("threat.entangle-limits"), what);
        }
    }
}

/// Lists what a group could be for.
fn each_aim(at: At<'_>, group: &Group, each: &mut impl FnMut(Answer)) {
    for on in at.state.opponents(group.lead).iter() {
        each(Answer::Aim { on: Some(on), against: None, veiled: false, social: false });
        each(Answer::Aim { on: Some(on), against: None, veiled: true, social: false });
    }
    each(Answer::Aim { on: None, against: None, veiled: false, social: false });
    each(Answer::Pass);
}

/// What a group does.
pub(crate) mod goal {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{}: what does the group do?", at.rules.name(who))).why(clause!("group.size"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Group(group)) = at.state.top() else { return };
        each_aim(at, group, each);
    }

    takes!(
        Answer,
        Answer::Aim { .. } | Answer::Pass,
        clause!("group.size"),
        "expected aim, or pass to act alone"
    );

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Group(group)) = at.state.top() else { return };
        object_aim(at, group, answer, out);
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Some(group) = top(play.state) else { return };
        let Answer::Aim { on, against, veiled, social } = answer else {
            let (lead, again) = (group.lead, group.again);
            play.state.stack.pop();
            // The group's deeds are done and its turn with them.
            if again {
                turn::pass(play, lead, false);
            }
            return;
        };
        (group.on, group.against, group.veiled, group.social) = (on, against, veiled, social);
        if group.again {
            group.step = GroupStep::Attributes;
            group.waiting = group.members;
        } else {
            group.step = GroupStep::Join;
            group.waiting = group.members.without(group.lead);
        }
    }
}

/// Whether somebody joins.
pub(crate) mod joining {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(Frame::Group(group)) = at.state.top() else { return Told::default() };
        let attack = |on| format!("a group attack on {}", at.rules.name(on));
        let what = group.on.map_or("a group test".to_owned(), attack);
        Told::new(format!("{}: join {what} of {}?", at.rules.name(who), names(at.rules, group.members)))
            .why(clause!("group.simultaneous"))
    }

    yes_or_no!((Char), clause!("group.eligible"));

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(group) = top(play.state) else { return };
        if answer == Answer::No {
            play.state.stack.pop();
            play.event(Event::NotJoined(who));
            return;
        }
        group.waiting = group.waiting.without(who);
    }
}

/// Which attribute a member uses (`group.attribute`).
pub(crate) mod naming {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{}: with which attribute?", at.rules.name(who))).why(clause!("group.attribute"))
    }

    pub(crate) fn legal(_: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        Attribute::ALL.iter().for_each(|&a| each(Answer::Attribute(a)));
    }

    takes!(Answer, Answer::Attribute(_), clause!("group.attribute"), "expected an attribute");

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Answer::Attribute(attribute) = answer else { return };
        let Some(group) = top(play.state) else { return };
        let n = place(group.members, who);
        group.attributes[n] = Some(attribute);
        group.waiting = group.waiting.without(who);
    }
}

/// Which one deed a member does, if any (`group.deeds`).
pub(crate) mod deeds {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!("{}: one deed first, or none?", at.rules.name(who))).why(clause!("group.deeds"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        each(Answer::Pass);
        if !at.state.being(who).marks.has(Mark::Crush) {
            deed::each(at, who, &mut |deed| each(Answer::Deed(deed)));
        }
    }

    takes!(Answer, Answer::Pass | Answer::Deed(_), clause!("group.deeds"), "expected one deed, or pass");

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        if let Answer::Deed(deed) = answer {
            object_deed(at, who, deed, out);
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let deed = if let Answer::Deed(deed) = answer { Some(deed) } else { None };
        let Some(group) = top(play.state) else { return };
        let n = place(group.members, who);
        group.deeds[n] = deed;
        // A deed in place of a refused deed waits for the gamemaster's word.
        if group.step == GroupStep::Deeds || deed.is_none() {
            group.waiting = group.waiting.without(who);
        }
    }
}

/// Who of the group imposes next (`gattack.order`).
pub(crate) mod order {
    use super::*;

    pub(crate) fn told(at: At<'_>, left: CharSet, _: Viewer) -> Told {
        Told::new(format!("Who imposes next: {}?", names(at.rules, left))).why(clause!("gattack.order"))
    }

    pub(crate) fn legal(_: At<'_>, left: CharSet, each: &mut impl FnMut(Answer)) {
        left.iter().for_each(|who| each(Answer::Next(who)));
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(_: At<'_>, left: CharSet, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Next(who) if left.has(who) => {}
            _ => out.no(clause!("gattack.order"), "expected one of the attackers who has not imposed yet"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: CharSet, answer: Answer) {
        if let Answer::Next(who) = answer {
            next_share(play.state, who);
        }
    }
}
