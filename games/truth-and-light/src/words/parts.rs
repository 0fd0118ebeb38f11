//! What answers are made of.

use super::phrases::*;
use crate::answer::{Answer, Control, Deed, GloryPick, GuiltPick, Lost, UpperPick};
use crate::{At, TruthAndLight, settle, state::Action, vocab::*};
use fracas_kernel::{Part, Slot, Viewer, Words};

/// The parts of an answer. One that nobody composes has all its words in one.
pub(super) fn parts(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
    let At { rules, state } = at;
    let what = |label: &str| Some(Part::what(label));
    let who = |c: Char| Some(Part::who(rules.name(c)).at(&c));
    let whom = |c: Char| Some(Part::whom(rules.name(c)).at(&c));
    let on = |on: Target| Some(Part::whom(target(rules, on)).at(&on));
    let with = |boon: Boon| Some(Part::with(state.name_of(rules, boon)).at(&boon));
    let using = |ability: Ability| Some(Part::with(rules.power(ability).name.as_str()).at(&ability));
    let how = |label: &str| Some(Part::how(label));
    let to_end = |end: End| Some(Part::how(rules.ending(end).name.as_str()).at(&end));
    let rid = |cause: Cause| Some(Part::how(format!("rid of {}", cause_name(rules, cause))).at(&cause));
    let zone = |zone: Zone| Some(Part::how(rules.zones[zone.index()].name.as_str()).at(&zone));
    let lost = |lost: Lost| lost.iter().map(with);
    let against = |number: i8| Some(Part::how_much(format!("against {number}")));
    let taken = |what_is_done: &str, boon: Boon| {
        vec![what("Control Boons"), what(what_is_done), state.place(boon).holder.and_then(whom), with(boon)]
    };
    let parts: Vec<Option<Part>> = match *answer {
        Answer::Floor(c) => vec![what("the floor"), who(c)],
        Answer::Test { who: c, on: target } => vec![what("call for a test"), who(c), target.and_then(on)],
        Answer::Save { on: savers, by, shake } => vec![
            what("a save"),
            Some(Part::who(names(rules, savers)).at(&savers)),
            on(by),
            shake.and_then(rid),
        ],
        Answer::Assault { by, on } => vec![what("attack"), who(by), whom(on)],
        Answer::Conflict(conflict) => vec![what("conflict scene"), how(conflict.word())],
        Answer::Place { who: c, zone: there } => vec![what("be somewhere else"), who(c), zone(there)],
        Answer::Notice(c) => vec![what("notice"), who(c)],
        Answer::Hostile { who: c, hostile } => {
            vec![what(if hostile { "turn hostile" } else { "be hostile no longer" }), who(c)]
        }
        Answer::Major(deal) | Answer::Attack(deal) => vec![
            what(if matches!(answer, Answer::Attack(_)) { "attack" } else { "major action" }),
            who(deal.who),
            deal.on.and_then(on),
            deal.ability.and_then(using),
            deal.using.and_then(with),
            deal.attribute.map(|attribute| Part::with(attribute.word())),
            deal.end.and_then(to_end),
            deal.shake.and_then(rid),
            deal.what.map(|what| Part::how(what.as_str())),
        ],
        Answer::Minor { who: c, deed } => {
            let minor = what("minor action");
            match deed {
                Deed::Other(name) => vec![minor, what(name.as_str()), who(c)],
                Deed::Recover(boon) => vec![minor, what("get back"), who(c), with(boon)],
                Deed::Ready(boon) => vec![minor, what("take into use"), who(c), with(boon)],
                Deed::Stow(boon) => vec![minor, what("put away"), who(c), with(boon)],
                Deed::Give { boon, to } => vec![minor, what("hand over"), who(c), whom(to), with(boon)],
                Deed::Shake(cause) => vec![minor, what("shake off"), who(c), rid(cause)],
                Deed::Go(there) => vec![minor, what("go"), who(c), zone(there)],
            }
        }
        Answer::Done(c) => vec![what("done"), who(c)],
        Answer::Settle { label: Label::Major, reach, attribute, tn, tags } => {
            // With no number given, the number is that of the power number.
            let settled = state
                .action
                .as_ref()
                .map(|action| settle::on_test_terms(at, action, (reach, attribute, tags)));
            let named = |Action { reach, attribute, .. }| what(&format!("{reach} {attribute} test"));
            vec![settled.and_then(named).or(what("agreed")), tn.and_then(against)]
        }
        Answer::Terms { attribute, tn, tags, end } => {
            let saved =
                state.action.as_ref().map(|action| settle::on_terms(at, action, (attribute, tags, end)));
            let save =
                saved.as_ref().map_or("agreed".to_owned(), |saved| format!("{} save", saved.attribute));
            let suffered = saved.as_ref().and_then(|saved| saved.end);
            match suffered {
                Some(suffered) => vec![
                    Some(Part::what(rules.ending(suffered).name.as_str()).at(&end)),
                    Some(Part::with(save)),
                    tn.and_then(against),
                ],
                None => vec![what(&save), tn.and_then(against)],
            }
        }
        Answer::Ready { die, ability, using: boon } => {
            let plain = !die && ability.is_none() && boon.is_none();
            vec![
                what("into the roll"),
                die.then(|| Part::with("the writhing die")),
                ability.and_then(using),
                boon.and_then(with),
                plain.then(|| Part::with("nothing more")),
            ]
        }
        Answer::Spend(spend) => vec![what("spend"), Some(Part::how_much(spend.to_string()))],
        Answer::Claim { spend, .. } => {
            vec![what("fail on account of the writhing"), Some(Part::how_much(format!("spend {spend}")))]
        }
        Answer::Guilt(pick) => {
            let named = what(&title(pick.guilt().word()));
            match pick {
                GuiltPick::FaultAbility(ally) => vec![named, whom(ally)],
                GuiltPick::LoseBoons(boons) => [named].into_iter().chain(lost(boons)).collect(),
                GuiltPick::RaiseRisk => vec![named],
                GuiltPick::SufferSurprise { by, end } => {
                    vec![named, Some(Part::who(target(rules, by)).at(&by)), to_end(end)]
                }
            }
        }
        Answer::Glory(pick) => {
            let named = what(&title(pick.glory().word()));
            match pick {
                GloryPick::GrantAbility(ally) => vec![named, whom(ally)],
                GloryPick::ControlBoons(Control::Improvise { rolls, tags, once, .. }) => vec![
                    named,
                    what("improvise"),
                    how(&format!("for {rolls}s")),
                    how(&tags_words(tags)),
                    once.then(|| Part::how("used once")),
                ],
                GloryPick::ControlBoons(Control::Steal(boon)) => taken("take", boon),
                GloryPick::ControlBoons(Control::Discard(boon)) => taken("rid of", boon),
                GloryPick::BreakRisk(BreakMode::Next) => vec![named, how("for what comes")],
                GloryPick::BreakRisk(BreakMode::Now) => vec![named, how("now")],
                GloryPick::SpringSurprise { on: sufferer, end } => vec![named, on(sufferer), to_end(end)],
            }
        }
        Answer::Lose(boons) => [what("lose")].into_iter().chain(lost(boons)).collect(),
        Answer::Upper(pick) => {
            let named = what(pick.upper().word());
            match pick {
                UpperPick::Press | UpperPick::Overwhelm => vec![named],
                UpperPick::Seize(boon) => vec![named, with(boon)],
                UpperPick::Surprise(end) => vec![named, to_end(end)],
                UpperPick::Rally(other) => vec![named, whom(other)],
            }
        }
        _ => vec![what(&TruthAndLight::answer(rules, state, slot, answer, viewer).text)],
    };
    parts.into_iter().flatten().collect()
}
