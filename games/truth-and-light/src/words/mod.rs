//! The game in words: asks, answers with what they lead to, events, cards.

mod answers;
mod asks;
mod cards;
mod events;
mod phrases;

pub(crate) use phrases::{boon_does, lasting, origin};

use crate::{
    TruthAndLight, act,
    answer::{Answer, Deal, Deed, Prompt},
    board,
    event::Event,
    fiat, forms, roll,
    rules::Rules,
    state::{Outcome, State},
    vocab::Band,
};
use fracas_kernel::{Board, Came, Card, Ending, Fallen, Laid, Odds, Slot, Told, Viewer, Words, form::Form};
use phrases::*;

impl Words for TruthAndLight {
    fn ask(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> Told {
        asks::ask(rules, state, slot, who)
    }

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        answers::answer(rules, state, slot, answer, who)
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
                let result = roll::result(action, (*spend).max(0) as u8);
                numbers(result, || takes(rules, state, action, result).map(|(.., left)| left))
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
            let (who, track, _) = takes(rules, before, before.action.as_ref()?, result)?;
            Some(after.being(who).tracks[track.index()])
        };
        came.map_or_else(Vec::new, |result| numbers(result, || left(result)))
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        events::event(rules, state, event, who)
    }

    fn board(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Option<Board> {
        board::board(rules, state, slot)
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
        board::odds(rules, state, slot, answer, who)
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
        cards::ending(rules, state, who)
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        cards::cards(rules, state, who)
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

    fn kind(prompt: &Prompt) -> &'static str {
        match prompt {
            Prompt::Scene => "scene",
            Prompt::Act => "act",
            Prompt::Settle { .. } => "settle",
            Prompt::Terms { .. } => "terms",
            Prompt::Ready(_) => "ready",
            Prompt::Misfortune(_) => "misfortune",
            Prompt::Spend(_) => "spend",
            Prompt::Reason(_) => "reason",
            Prompt::Push(_) => "push",
            Prompt::Guilt(_) => "guilt",
            Prompt::Take(_) => "take",
            Prompt::Lose(_) => "lose",
            Prompt::Glory(_) => "glory",
            Prompt::Allow(_) => "allow",
            Prompt::Upper { .. } => "upper",
        }
    }

    fn kinds() -> &'static [&'static str] {
        &[
            "scene",
            "act",
            "settle",
            "terms",
            "ready",
            "misfortune",
            "spend",
            "reason",
            "push",
            "guilt",
            "take",
            "lose",
            "glory",
            "allow",
            "upper",
        ]
    }

    fn awaited() -> &'static [(&'static str, &'static str)] {
        crate::awaited::AWAITED
    }

    fn said() -> fracas_kernel::Said {
        &[
            ("peace gm-call closed", ""),
            (
                "round scene conflict floor players-call done refused die-spent unfounded die-gained void pushed-on guiltless unfortunate disallowed no-room out noticed joined",
                "_",
            ),
            ("degrees withdrew minor", "who"),
            ("declared", "who on end ability using shake what"),
            ("called", "who on"),
            ("threatened", "who by"),
            ("spared taken-back", "who by"),
            ("settled", "who kind attribute"),
            ("happened", "who what"),
            ("conversation", "who on"),
            ("ability", "who ability"),
            ("used lost gained", "who boon"),
            ("rolled", "who truth light"),
            ("rerolled", "who light"),
            ("played offered fortune", "who fate"),
            ("spent", "who light truth left"),
            ("claimed", "who reason"),
            ("result", "who ap tn"),
            ("guilt", "who guilt"),
            ("glory", "who glory"),
            ("upper", "on upper by"),
            ("lasting over", "on"),
            ("moved", "from to boon"),
            ("end", "on by end"),
            ("harmed healed", "who track amount"),
            ("placed", "who zone"),
            ("hostile", "who"),
            ("recovered", "who back"),
            ("lapsed", "dice good bad"),
            ("extra told", "who"),
        ]
    }

    fn groups() -> &'static [(&'static str, &'static str)] {
        &[
            ("attack", "attack somebody"),
            ("assault", "one of yours attacks"),
            ("hostile", "who is hostile, and who no longer"),
            ("save", "somebody must save"),
            ("terms", "the terms of the save"),
            ("place", "where somebody is"),
            ("test", "call for a test"),
        ]
    }

    fn overrules(event: &Event) -> bool {
        matches!(event, Event::Ruled(_) | Event::RuledTable)
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        forms::fiats(rules, state)
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
