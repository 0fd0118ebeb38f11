//! The dice as they lie, to be put onto Light and Truth, and what a roll allows.

use crate::answer::{Answer, Prompt};
use crate::judging::{self, Result};
use crate::state::{Frame, Pool, Save, State, Test, is_guilty};
use crate::test::{self, LEVELS};
use crate::{At, JudgeTwo, arms, event::Event, rules::Rules, save, view::knows_pl, vocab::Turnabout, words};
use fracas_kernel::{
    Ask, Asking, Board, Came, Chance, Fallen, Game, Laid, Odds, Open, Piece, Place, Slot, Tone, Viewer,
    odds_at, to_roll,
};
use std::borrow::Cow;

/// The dice that wait to be judged, with a place for Light and one for Truth.
pub(crate) fn board(at: At<'_>, slot: Slot) -> Option<Board> {
    let light = |why| Place::one("Light", why);
    let truth = |why| Place::one("Truth", why);
    let (dice, places) = match (JudgeTwo::ask_at(at, slot)?.prompt, at.state.top()?) {
        (Prompt::Judge(_), Frame::Test(Test { dice, .. }) | Frame::Save(Save { dice, .. })) => {
            (*dice, vec![light(clause!("judge.choice")), truth(clause!("judge.choice"))])
        }
        (Prompt::Truth(_), Frame::Test(test)) => (test.dice, vec![truth(clause!("group.judge"))]),
        (Prompt::Light(_), Frame::Test(test)) => {
            (judging::left_for_light(test), vec![light(clause!("group.judge"))])
        }
        _ => return None,
    };
    let counts = |place: &Place| match place.name.as_str() {
        "Light" => clause!("fl.sum"),
        _ => clause!("truth.guilty"),
    };
    let clauses = places.iter().map(counts).collect();
    Some(Board::dice(dice.dice().iter().map(|&face| Piece::new(6, face)).collect(), places).by(clauses))
}

/// How the dice lie for a way to judge.
pub(crate) fn laid(answer: Answer) -> Option<Laid> {
    match answer {
        Answer::Judge { light, truth } => Some(Laid::new(vec![vec![light], vec![truth]])),
        Answer::Truth(face) | Answer::Light(face) => Some(Laid::new(vec![vec![face]])),
        _ => None,
    }
}

/// The way to judge for which the dice lie so.
pub(crate) fn arranged(at: At<'_>, slot: Slot, laid: &Laid) -> Option<Answer> {
    match JudgeTwo::ask_at(at, slot)?.prompt {
        Prompt::Judge(_) => Some(Answer::Judge { light: laid.one(0)?, truth: laid.one(1)? }),
        Prompt::Truth(_) => laid.one(0).map(Answer::Truth),
        Prompt::Light(_) => laid.one(0).map(Answer::Light),
        _ => None,
    }
}

/// What dice that have fallen can be judged as, at best.
pub(crate) fn came(rules: &Rules, fallen: &Fallen<'_, JudgeTwo>, who: Viewer) -> Option<Came> {
    let ways = ways(rules, fallen)?;
    if !knows_level(rules, fallen, who)? {
        let light = ways.iter().map(|way| way.fl).max()?;
        let text = Cow::Owned(format!("final Light {light} at best"));
        return Some(Came { rank: light.into(), tone: Tone::Plain, text, besides: None });
    }
    Some(best_judged(&ways))
}

/// What dice come to that can be judged in these ways, at best.
pub(crate) fn best_judged(ways: &[Result]) -> Came {
    let best = |success: bool| ways.iter().filter(move |way| way.success() == success);
    let (rank, tone, text) = match (best(true).next(), guiltless(best(true)), guiltless(best(false))) {
        (Some(_), true, _) => (3, Tone::Good, "innocent success"),
        (Some(_), false, _) => (2, Tone::Mixed, "success, but guilty"),
        (None, _, true) => (1, Tone::Bad, "failure, but innocent"),
        (None, _, false) => (0, Tone::Bad, "guilty failure"),
    };
    Came { rank, tone, text: Cow::Borrowed(text), besides: None }
}

/// The odds of the roll that an answer leads to, if all goes as declared. Not for the judging
/// of dice, which can hang on a hidden level, and not for answers about a roll in the past.
pub(crate) fn odds(at: At<'_>, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
    let prompt = JudgeTwo::ask_at(at, slot)?.prompt;
    if !leads_to_roll(&prompt) {
        return None;
    }
    let Some((due, between)) = to_roll::<JudgeTwo>(at.rules, at.state, slot, answer, usual) else {
        return odds_by_level(at, slot, answer, who);
    };
    let odds = odds_at::<JudgeTwo>(at.rules, at.state, &due, who)?;
    // A guard is asked about the roll of somebody else.
    let whose =
        matches!(prompt, Prompt::Guard { .. }).then(|| whose(At { rules: at.rules, state: &due })).flatten();
    Some(match (whose, between) {
        (Some(whose), 0) => odds.of(whose),
        (Some(whose), _) => odds.of(format!("if it goes as declared, {whose}")),
        (None, 0) => odds,
        (None, _) => odds.of("if it goes as declared"),
    })
}

/// Of a test whose challenge level the gamemaster has still to settle: up to which level
/// it can succeed.
fn odds_by_level(at: At<'_>, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
    if !matches!(answer, Answer::Test { .. }) {
        return None;
    }
    let settled = |state: &State, ask: &Ask<Prompt>| match ask.prompt {
        Prompt::Settle { .. } => Some(test::plain_terms(Some(*LEVELS.start()))),
        _ => usual(state, ask),
    };
    let (due, _) = to_roll::<JudgeTwo>(at.rules, at.state, slot, answer, settled)?;
    let Open::Roll(roll) = JudgeTwo::open(at.rules, &due) else { return None };
    if !roll.seen.by(who) {
        return None;
    }
    let odds = Odds::by(&roll, |rolled| {
        let (mut after, mut events) = (due.clone(), Vec::new());
        JudgeTwo::roll(at.rules, &mut after, rolled, &mut events);
        let fallen = Fallen { known: at.state, before: &due, after: &after, events: &events };
        let light = ways(at.rules, &fallen)?.iter().map(|way| way.fl).max()?;
        let (tone, text) = match light {
            8.. => (Tone::Good, Cow::Borrowed("success at any level")),
            4..8 => (Tone::Mixed, Cow::Owned(format!("{UP_TO}{light}"))),
            _ => (Tone::Bad, Cow::Borrowed("failure at any level")),
        };
        Some(Came { rank: light.clamp(3, 8).into(), tone, text, besides: None })
    });
    Some(with_sums(odds?).of("as the gamemaster sets the level"))
}

/// Says of each level that a throw can reach how likely success is at that level: with
/// this throw or a better one.
fn with_sums(mut odds: Odds) -> Odds {
    let mut sum = 0;
    for at in 0..odds.rows.len() {
        let row = &odds.rows[at];
        sum += row.throws;
        if let Some(level) = row.text.strip_prefix(UP_TO).filter(|_| sum > row.throws) {
            let reached = odds.share(&Chance { throws: sum, ..row.clone() });
            odds.rows[at].text = format!("{UP_TO}{level} (at level {level} {reached} in all)").into();
        }
    }
    odds
}

/// The words before a level that a throw reaches.
const UP_TO: &str = "success up to level ";

/// Whether the prompt asks how a roll comes about, or how it is made.
const fn leads_to_roll(prompt: &Prompt) -> bool {
    !matches!(
        prompt,
        Prompt::Judge(_)
            | Prompt::Truth(_)
            | Prompt::Light(_)
            | Prompt::Order(_)
            | Prompt::Harm { .. }
            | Prompt::Counter { .. }
            | Prompt::CounterWhom { .. }
            | Prompt::Death(_)
            | Prompt::Accept { .. }
            | Prompt::Draw(_)
    )
}

/// Whose roll is due: "the save of Oren".
fn whose(at: At<'_>) -> Option<String> {
    match at.state.top()? {
        Frame::Test(test) => {
            let roll = if test.on.is_some() { "attack" } else { "test" };
            Some(format!("the {roll} of {}", words::names(at.rules, test.members)))
        }
        Frame::Save(save) => Some(format!("the save of {}", at.rules.name(save.saver()))),
        _ => None,
    }
}

/// What is answered where it goes as declared: the gamemaster agrees, and only tells
/// something where a long test is opened; nobody guards, and the saver does it with
/// what is proposed.
fn usual(_: &State, ask: &Ask<Prompt>) -> Option<Answer> {
    match ask.prompt {
        Prompt::Settle { .. } | Prompt::Rule { .. } => Some(Answer::Yes),
        Prompt::Guard { .. } => Some(Answer::Pass),
        Prompt::Intervene { opening: true } => Some(Answer::Tell(Turnabout::Other)),
        Prompt::Essence { proposed, .. } => Some(Answer::Essence { essence: proposed, ability: None }),
        _ => None,
    }
}

fn guiltless<'w>(mut ways: impl Iterator<Item = &'w Result>) -> bool {
    ways.any(|way| !way.guilty)
}

/// Whether a viewer can tell a success from a failure before the dice fall; `None`
/// where nothing is rolled against a level.
fn knows_level(rules: &Rules, fallen: &Fallen<'_, JudgeTwo>, who: Viewer) -> Option<bool> {
    let known = fallen.known;
    match fallen.before.top()? {
        Frame::Test(test) if test::is_pvp(rules, test) => Some(false),
        Frame::Test(test) => {
            Some(test::level_of(rules, test).is_none_or(|npc| knows_pl(At { rules, state: known }, npc, who)))
        }
        Frame::Save(save) => Some(save::shows_level(At { rules, state: known }, save) || who.is_gm()),
        _ => None,
    }
}

/// Every result that dice which have fallen can be judged as: where there is but one,
/// they have been.
fn ways(rules: &Rules, fallen: &Fallen<'_, JudgeTwo>) -> Option<Vec<Result>> {
    let judged = |event: &Event| match *event {
        Event::Judged { fl, degree, truth, .. } => Some(Result { fl, degree, guilty: is_guilty(truth) }),
        _ => None,
    };
    if let Some(only) = fallen.events.iter().find_map(judged) {
        return Some(vec![only]);
    }
    let mut all = Vec::new();
    match fallen.after.top()? {
        Frame::Test(test) if test.is_group() => all = group_ways(At { rules, state: fallen.after }, test),
        Frame::Test(test) => judging::ways(test.dice, |light, truth| {
            all.push(test::result(At { rules, state: fallen.after }, test, light, truth));
        }),
        Frame::Save(save) => judging::ways(save.dice, |light, truth| {
            all.push(save::result(rules, save, light, truth));
        }),
        _ => return None,
    }
    Some(all)
}

/// What a group's dice come to for each Truth, with the highest of the others as
/// Light: the degrees are added up (`group.total`).
fn group_ways(at: At<'_>, test: &Test) -> Vec<Result> {
    let ranks = test.members.iter().zip(test.attributes);
    let ranks: i8 = ranks.map(|(who, attribute)| arms::rank(at, test, who, attribute)).sum();
    summed(test.dice, test.members.len(), (ranks, test::challenge(at.rules, test)))
}

/// The same of so many members with these ranks, added, against a level.
pub(crate) fn summed(dice: Pool, members: usize, (ranks, cl): (i8, i8)) -> Vec<Result> {
    let lights = |pool: Pool| pool.dice().iter().take(members).map(|&face| face as i8).sum::<i8>();
    let of = |&truth: &u8| {
        let fl = lights(dice.without(truth)) + ranks;
        Result { fl, degree: fl - cl * members as i8, guilty: is_guilty(truth) }
    };
    dice.dice().iter().map(of).collect()
}
