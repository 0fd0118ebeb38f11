//! Light as it slides into Truth, and what a roll allows.

use crate::answer::{Answer, Prompt};
use crate::rules::{Numbers, Options, Rules};
use crate::state::{Action, Outcome, State, Step};
use crate::{At, TruthAndLight, act, roll, view::knows_number, vocab::*};
use fracas_kernel::{
    Any, Ask, Asking, Board, Came, Fallen, Laid, Lies, Odds, Piece, Slot, Tone, Viewer, fine, odds_at,
    to_roll,
};
use std::borrow::Cow;

/// Just spending, and claiming the writhing for a failure.
const SPEND: u8 = 0;
const CLAIM: u8 = 1;

/// Light and Truth, with the points that can be spent of the one on the other.
pub(crate) fn board(at: At<'_>, slot: Slot) -> Option<Board> {
    let Prompt::Spend(_) = TruthAndLight::ask_at(at, slot)?.prompt else { return None };
    let action = at.state.action.as_ref()?;
    let (throw, most) = (action.throw, roll::most(action));
    let may_claim = |spend: u8| {
        let claim = Answer::Claim { spend: spend as i8, reason: None };
        fine(|out: &mut Any| roll::spend::of(at, action, claim, out))
    };
    let ways = if (0..=most).any(may_claim) {
        vec!["spend".to_owned(), "spend, and fail on account of the writhing".to_owned()]
    } else {
        Vec::new()
    };
    let truth = match throw.writhe {
        0 => "Truth".to_owned(),
        face => format!("Truth (and {face} writhing)"),
    };
    let (from, to) = (Piece::new(6, throw.light).called("Light"), Piece::new(6, throw.truth).called(truth));
    let clauses = vec![clause!("roll.light-meaning"), clause!("roll.truth-meaning")];
    Some(Board::of(Lies::Points { from, to, most }).ways(ways).by(clauses))
}

/// How much of Light an answer slides.
pub(crate) fn laid(answer: Answer) -> Option<Laid> {
    let (way, spend) = match answer {
        Answer::Spend(spend) => (SPEND, spend),
        Answer::Claim { spend, .. } => (CLAIM, spend),
        _ => return None,
    };
    Some(Laid::points(way, u8::try_from(spend).ok()?))
}

/// The answer that slides so much.
pub(crate) fn arranged(laid: &Laid) -> Option<Answer> {
    let spend = i8::try_from(laid.one(0)?).ok()?;
    match laid.way {
        CLAIM => Some(Answer::Claim { spend, reason: roll::usual_reason() }),
        _ => Some(Answer::Spend(spend)),
    }
}

/// What dice that have fallen come to at best, however much Light is spent.
pub(crate) fn came(rules: &Rules, fallen: &Fallen<'_, TruthAndLight>, who: Viewer) -> Option<Came> {
    let action = fallen.after.action.as_ref()?;
    let told = knows_before(rules, fallen.known, action) && fallen.before.action?.told;
    let most = roll::most(action);
    if !told && !who.is_gm() {
        let power = roll::after(action, most).0;
        let text = Cow::Owned(format!("action power {power} at most"));
        return Some(Came { rank: power.into(), tone: Tone::Plain, text, besides: None });
    }
    let best = best(&rules.options, action)?;
    let (tone, text) = words(action.kind, best);
    Some(Came { rank: rank(best), tone, text: Cow::Borrowed(text), besides: None })
}

/// Where a result stands among the others: the best has the highest.
pub(crate) const fn rank(result: Outcome) -> i16 {
    3 * result.success as i16 + result.band as i16
}

/// The best that Light can be spent for.
pub(crate) fn best(options: &Options, action: &Action) -> Option<Outcome> {
    let results = (0..=roll::most(action)).map(|spend| roll::result(options, action, spend));
    results.max_by_key(|&result| rank(result))
}

/// Whether players knew the number of what is under way at a moment before the dice
/// fell: of what had not begun then, where it is no secret whose number it is.
fn knows_before(rules: &Rules, known: &State, action: &Action) -> bool {
    match &known.action {
        Some(before) if before.step != Step::Settle && before.step != Step::Terms => before.told,
        _ => match act::rival(rules, action, action.reach) {
            Some(npc) => knows_number(At { rules, state: known }, npc, Viewer::Spectator),
            None => rules.options.numbers == Numbers::Announced,
        },
    }
}

/// The odds of the roll that an answer declares or makes ready, if it goes as declared. Not for
/// spending: whether another roll follows can hang on a hidden number.
pub(crate) fn odds(at: At<'_>, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
    let rolls = matches!(
        answer,
        Answer::Major(_)
            | Answer::Attack(_)
            | Answer::Assault { .. }
            | Answer::Settle { .. }
            | Answer::Terms { .. }
            | Answer::Ready { .. }
            | Answer::PushOn
            | Answer::GoodFortune
            | Answer::BadFortune
            | Answer::Reroll
    );
    if !rolls {
        return None;
    }
    let (due, between) = to_roll::<TruthAndLight>(at.rules, at.state, slot, answer, usual)?;
    let odds = odds_at::<TruthAndLight>(at.rules, at.state, &due, who)?;
    // Of several who save the first.
    let first = due
        .action
        .filter(|action| action.queue.iter().any(|other| other > action.who))
        .map(|action| at.rules.name(action.who));
    Some(match first {
        Some(first) => odds.of(format!("{first}, as the first")),
        None if between > 0 => odds.of("if it goes as declared"),
        None => odds,
    })
}

/// What is answered where it goes as declared: the gamemaster agrees, and nothing more goes
/// into the roll.
fn usual(_: &State, ask: &Ask<Prompt>) -> Option<Answer> {
    match ask.prompt {
        Prompt::Settle { .. } => Some(Answer::AGREED),
        Prompt::Terms { .. } => Some(Answer::Terms { attribute: None, tn: None, tags: None, end: None }),
        Prompt::Ready(_) => Some(Answer::PLAIN),
        _ => None,
    }
}

/// The tone of a result for its roller, and its words.
pub(crate) const fn words(kind: Kind, result: Outcome) -> (Tone, &'static str) {
    match (kind, result.success, result.band) {
        (Kind::Save, true, _) => (Tone::Good, "warded off"),
        (Kind::Save, false, Band::Guilty) => (Tone::Bad, "it comes true, and more besides"),
        (Kind::Save, false, _) => (Tone::Bad, "it comes true"),
        (Kind::Test, true, Band::Glorious) => (Tone::Good, "glorious success"),
        (Kind::Test, true, Band::Innocent) => (Tone::Good, "innocent success"),
        (Kind::Test, true, Band::Guilty) => (Tone::Mixed, "guilty success"),
        (Kind::Test, false, Band::Glorious) => (Tone::Mixed, "glorious failure"),
        (Kind::Test, false, Band::Innocent) => (Tone::Bad, "innocent failure"),
        (Kind::Test, false, Band::Guilty) => (Tone::Bad, "guilty failure"),
    }
}
