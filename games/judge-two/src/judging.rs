//! Light and Truth.

use crate::state::{Frame, Save, Test};
use crate::state::{Pool, is_guilty};
use crate::words::{dice_words, names};
use crate::{At, Play, answer::Answer, event::Event, event::RollKind, save, test, view::knows_pl, vocab::*};
use fracas_kernel::{Objections, Sink, Told, Viewer, Why, takes};

/// How many dice a roll has.
pub(crate) const fn dice(kind: RollKind, members: usize) -> u8 {
    match kind {
        RollKind::Plain | RollKind::Cancelled => 2,
        RollKind::Bold | RollKind::Faint => 3,
        RollKind::Group => 2 * members as u8,
    }
}

/// The dice to be judged: a faint roll loses one highest die (`roll.faint`).
pub(crate) fn keep(faces: &[u8], kind: RollKind) -> Pool {
    let pool = Pool::of(faces);
    if kind == RollKind::Faint { pool.without(pool.faces[0]) } else { pool }
}

/// Every way to judge: Light and Truth on different dice, each pair of values
/// once (`judge.distinct`).
pub(crate) fn ways(pool: Pool, mut each: impl FnMut(u8, u8)) {
    let dice = pool.dice();
    for (i, &light) in dice.iter().enumerate() {
        if dice[..i].contains(&light) {
            continue;
        }
        let left = pool.without(light);
        let left = left.dice();
        for (j, &truth) in left.iter().enumerate() {
            if !left[..j].contains(&truth) {
                each(light, truth);
            }
        }
    }
}

/// The only way to judge, where there is nothing to choose (`judge.doubles`).
pub(crate) fn only_way(pool: Pool) -> Option<(u8, u8)> {
    let (mut found, mut count) = (None, 0);
    ways(pool, |light, truth| {
        found = Some((light, truth));
        count += 1;
    });
    found.filter(|_| count == 1)
}

/// A judged roll against a challenge level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Result {
    /// Light and rank (`fl.sum`).
    pub(crate) fl: i8,
    /// Final Light less challenge level: 0 and more succeeds.
    pub(crate) degree: i8,
    /// Truth 1 to 3.
    pub(crate) guilty: bool,
}

impl Result {
    /// Of these dice and numbers.
    pub(crate) const fn of(light: u8, truth: u8, rank: i8, cl: i8) -> Result {
        let fl = light as i8 + rank;
        Result { fl, degree: fl - cl, guilty: is_guilty(truth) }
    }

    /// Final Light at least the challenge level (`outcome.success`).
    pub(crate) const fn success(self) -> bool {
        self.degree >= 0
    }
}

/// Whether a group may be of this many (`group.size`).
pub(crate) fn object_size(members: usize, out: &mut impl Objections) {
    if !(2..=crate::answer::MAX_GROUP).contains(&members) {
        out.no(clause!("group.size"), "a group is two or three; larger parties split into several");
    }
}

/// A member's place among the members.
pub(crate) fn place(members: crate::vocab::CharSet, who: Char) -> usize {
    members.iter().position(|m| m == who).unwrap_or(0)
}

/// Each value of some dice once.
fn distinct(dice: &[u8], mut each: impl FnMut(u8)) {
    for (i, &face) in dice.iter().enumerate() {
        if !dice[..i].contains(&face) {
            each(face);
        }
    }
}

/// The dice a member may still take as Light: not the Truth, nor another's
/// Light (`judge.distinct`).
pub(crate) fn left_for_light(test: &Test) -> Pool {
    let taken = test.lights.iter().filter(|&&light| light != 0);
    taken.fold(test.dice.without(test.truth), |pool, &light| pool.without(light))
}

/// Which die is Light and which Truth (`judge.choice`).
pub(crate) mod both {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        Told::new(question(at, who, viewer)).why(clause!("judge.choice"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        if let Some(pool) = pool(at) {
            ways(pool, |light, truth| each(Answer::Judge { light, truth }));
        }
    }

    takes!(Answer, Answer::Judge { .. }, clause!("judge.choice"), "expected Light and Truth");

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let (Answer::Judge { light, truth }, Some(pool)) = (answer, pool(at)) else { return };
        if pool.count(light) == 0 || pool.count(truth) == 0 {
            out.no(clause!("judge.choice"), "Light and Truth are values of the dice that were rolled");
        } else if light == truth && pool.count(light) < 2 {
            out.no(clause!("judge.distinct"), "one die cannot be both Light and Truth");
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, _: Char, answer: Answer) {
        let Answer::Judge { light, truth } = answer else { return };
        if matches!(play.state.top(), Some(Frame::Save(_))) {
            save::judge(play, light, truth);
        } else {
            test::judge(play, light, truth);
        }
    }

    /// The dice that wait to be judged.
    fn pool(at: At<'_>) -> Option<Pool> {
        match at.state.top()? {
            Frame::Test(Test { dice, .. }) | Frame::Save(Save { dice, .. }) => Some(*dice),
            _ => None,
        }
    }

    /// The moment of judging, told: what is at stake and the dice.
    fn question(at: At<'_>, who: Char, viewer: Viewer) -> String {
        let dice = |pool: Pool| dice_words(pool.dice());
        match at.state.top() {
            Some(Frame::Test(test)) => {
                let attribute = test.attributes[0];
                let cl = match test::level_of(at.rules, test) {
                    Some(npc) if !knows_pl(at, npc, viewer) => "a hidden level".to_owned(),
                    _ if test::is_pvp(at.rules, test) => "their save".to_owned(),
                    _ => format!("CL {}", test::challenge(at.rules, test)),
                };
                let what = match test.on {
                    Some(on) => format!("attacks {}", at.rules.name(on)),
                    None => "tests".to_owned(),
                };
                format!(
                    "{} {what}: {attribute} {}, {cl}. The dice show {}: which is Light, which Truth?",
                    at.rules.name(who),
                    at.rules.rank(who, attribute),
                    dice(test.dice)
                )
            }
            Some(Frame::Save(save)) => {
                let essence = save.essence();
                let cl = if save::shows_level(at, save) || viewer.is_gm() {
                    format!("CL {}", save.danger.cl + save.danger.favor)
                } else {
                    "a hidden level".to_owned()
                };
                format!(
                    "{} saves: {essence} {}, {cl}. The dice show {}: which is Light, which Truth?",
                    at.rules.name(who),
                    at.rules.essence(who, essence),
                    dice(save.dice)
                )
            }
            _ => String::new(),
        }
    }
}

/// Which die is the group's Truth (`group.judge`).
pub(crate) mod truth {
    use super::*;

    pub(crate) fn told(at: At<'_>, _: Viewer) -> Told {
        let Some(Frame::Test(test)) = at.state.top() else { return Told::default() };
        let (members, dice) = (names(at.rules, test.members), dice_words(test.dice.dice()));
        Told::new(format!("{members}: the dice show {dice}. Which one is your Truth?"))
            .why(clause!("group.judge"))
    }

    pub(crate) fn legal(at: At<'_>, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        distinct(test.dice.dice(), |face| each(Answer::Truth(face)));
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(at: At<'_>, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        match answer {
            Answer::Truth(face) if test.dice.count(face) > 0 && face > 0 => {}
            _ => out.no(clause!("group.judge"), "Truth is the value of one of the group's dice"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, answer: Answer) {
        if let (Answer::Truth(face), Some(Frame::Test(test))) = (answer, play.state.stack.last_mut()) {
            test.truth = face;
        }
    }
}

/// Which die is this member's Light (`group.judge`).
pub(crate) mod light {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        let Some(Frame::Test(test)) = at.state.top() else { return Told::default() };
        let (who, dice, truth) = (at.rules.name(who), dice_words(test.dice.dice()), test.truth);
        Told::new(format!("{who}: the dice show {dice}, Truth being {truth}. Which one is your Light?"))
            .why(clause!("group.judge"))
    }

    pub(crate) fn legal(at: At<'_>, _: Char, each: &mut impl FnMut(Answer)) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        distinct(left_for_light(test).dice(), |face| each(Answer::Light(face)));
    }

    pub(crate) const fn strays(_: &Answer) -> Option<Why> {
        None
    }

    pub(crate) fn object(at: At<'_>, _: Char, answer: Answer, out: &mut impl Objections) {
        let Some(Frame::Test(test)) = at.state.top() else { return };
        match answer {
            Answer::Light(face) if face > 0 && left_for_light(test).count(face) > 0 => {}
            Answer::Light(face) if face > 0 && test.dice.count(face) > 0 => {
                out.no(clause!("judge.distinct"), "that die is the Truth or another member's Light");
            }
            _ => out.no(clause!("group.judge"), "Light is the value of one of the group's dice"),
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        if let (Answer::Light(face), Some(Frame::Test(test))) = (answer, play.state.stack.last_mut()) {
            let place = test.place(who);
            test.lights[place] = face;
        }
    }
}
