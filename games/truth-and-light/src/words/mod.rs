//! The game in words: asks, answers with what they lead to, events, cards.

mod answers;
mod cards;
mod parts;
pub(crate) mod phrases;

pub(crate) use phrases::{boon_does, lasting, origin};

use crate::answer::{Answer, Deal, Deed};
use crate::state::{Outcome, State};
use crate::{
    At, TruthAndLight, act, board, event::Event, fiat, forms, questions, roll, rules::Rules, stage,
    vocab::Band,
};
use fracas_kernel::{
    Board, Came, Card, Ending, Fallen, Laid, Odds, Part, Question, Slot, Stage, Told, Values, Viewer, Words,
    form::Form,
};
use phrases::*;

impl Words for TruthAndLight {
    fracas_kernel::asking!(Words);

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        answers::answer(At { rules, state }, slot, answer, who)
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Vec<Part> {
        parts::parts(At { rules, state }, slot, answer, who)
    }

    fn promise(
        rules: &Rules,
        state: &State,
        _: Slot,
        answer: &Answer,
        who: Viewer,
    ) -> Vec<(&'static str, i32)> {
        let known = state.action.as_ref().filter(|action| action.told || who.is_gm());
        match (known, answer) {
            (Some(action), Answer::Spend(spend)) => {
                let result = roll::result(&rules.options, action, (*spend).max(0) as u8);
                numbers(result, || takes(At { rules, state }, action, result).map(|(.., left)| left))
            }
            (Some(action), Answer::Withdraw) => {
                numbers(Outcome { band: Band::Innocent, ..action.result }, || None)
            }
            _ => Vec::new(),
        }
    }

    fn kept(rules: &Rules, before: &State, after: &State, events: &[Event]) -> Vec<(&'static str, i32)> {
        let came = events.iter().find_map(|event| match *event {
            Event::Result { result, .. } | Event::Withdrew { result, .. } => Some(result),
            _ => None,
        });
        let left = |result| {
            let (who, track, _) = takes(At { rules, state: before }, before.action.as_ref()?, result)?;
            Some(after.being(who).tracks[track.index()])
        };
        came.map_or_else(Vec::new, |result| numbers(result, || left(result)))
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        event.shown(At { rules, state }, who)
    }

    fn questions() -> &'static [Question] {
        &questions::QUESTIONS
    }

    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        questions::answers(question, values)
    }

    fn board(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Option<Board> {
        board::board(At { rules, state }, slot)
    }

    fn laid(_: &Rules, _: &State, _: Slot, answer: &Answer) -> Option<Laid> {
        board::laid(*answer)
    }

    fn arranged(_: &Rules, _: &State, _: Slot, laid: &Laid) -> Option<Answer> {
        board::arranged(laid)
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, TruthAndLight>, who: Viewer) -> Option<Came> {
        board::came(rules, fallen, who)
    }

    fn odds(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
        board::odds(At { rules, state }, slot, answer, who)
    }

    fn roll_told(rules: &Rules, state: &State, who: Viewer) -> Told {
        let Some(action) = &state.action else { return Told::default() };
        let number = number_words(action, who);
        let dice = match roll::dice(action) {
            1 => "Light again",
            2 => "Truth, then Light",
            _ => "Truth, Light, then the writhing die",
        };
        let words = action_words(rules, action);
        Told::new(format!("{words}: {} {:+} against {number} ({dice})", action.attribute, action.power))
            .why(clause!("roll.two-dice"))
    }

    fn ending(rules: &Rules, state: &State, who: Viewer) -> Ending {
        cards::ending(At { rules, state }, who)
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        cards::cards(At { rules, state }, who)
    }

    fn stage(rules: &Rules, state: &State, who: Viewer) -> Stage {
        stage::stage(At { rules, state }, who)
    }

    fn needs_words(_: &Rules, _: &State, _: Slot, answer: &Answer) -> bool {
        match *answer {
            Answer::Minor { deed: Deed::Other(name), .. } => act::small() == Some(name),
            Answer::Major(Deal { what, ability: None, shake: None, .. }) => {
                what.is_none() || what == act::bold()
            }
            _ => false,
        }
    }

    fn overrules(event: &Event) -> bool {
        matches!(event, Event::Ruled(_) | Event::RuledTable)
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        forms::fiats(At { rules, state })
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[
            (r#""agree""#, "settles actions as they were declared, where a number is given"),
            (r#""approve""#, "finds every reason for a writhing good enough"),
            (r#""allow""#, "allows what players pick"),
            (r#""mercy""#, "never plays bad fortune"),
            (r#""plain""#, "never puts anything more into a roll"),
            (r#""withdraw""#, "never pushes on"),
        ]
    }
}
