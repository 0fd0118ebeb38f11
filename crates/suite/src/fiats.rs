//! Fiats and standing replies.

use crate::walk::{Here, filled, next, take, walks};
use crate::{Effort, listed::sound};
use fracas_kernel::form::{Form, Takes};
use fracas_kernel::{AnyTable, Refused, Seat, Session, Setup, Viewer, Words};
use fracas_sim::Chance;
use std::collections::{BTreeMap, BTreeSet};

/// Steps that are played after a fiat.
const AFTER: u32 = 40;
/// Fiats are tried at one moment in this many.
const EVERY: u32 = 12;
/// Tries of each fiat, with different names.
const TRIES: u32 = 3;

/// Play goes on after each of the game's examples of fiats, at any moment.
///
/// Unknown names in an example are replaced by names of the table. Also: a viewer whose view
/// a fiat changes is shown a line about it. A refused fiat changes nothing. Examples of fiats
/// and of standing replies can be read. A standing reply gives only allowed answers, and the
/// game says beforehand whether it would answer an ask.
///
/// # Panics
/// If that does not hold.
pub fn fiats<G: Words>(setups: &[Setup], effort: Effort) {
    let mut taken = vec![false; G::fiats().len()];
    let mut filled_in: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    walks::<G>(setups, effort, |here| {
        if here.done.is_empty() || here.chance.below(EVERY) == 0 {
            for (at, (fiat, _)) in G::fiats().iter().enumerate() {
                if taken[at] && here.chance.below(effort.sample) > 0 {
                    continue;
                }
                // Unknown names of an example are replaced by any of the table's.
                let tries = match taken[at] {
                    _ if !fiat.contains('@') => 1,
                    true => TRIES,
                    // Few names may be accepted.
                    false => 5 * TRIES,
                };
                for _ in 0..tries {
                    let fiat = filled(G::names(here.session.rules()), fiat, here.chance);
                    taken[at] |= overrule(here, &fiat).is_ok();
                }
            }
            let (rules, state) = (here.session.rules(), here.session.state());
            for form in G::fiat_forms(rules, state) {
                filled_in.entry((form.key, form.id)).or_default();
            }
            for form in here.session.fiat_forms() {
                let taken = filled_in.entry((form.key, form.id)).or_default();
                if *taken && here.chance.below(effort.sample) > 0 {
                    continue;
                }
                let fiat = fill(&form, here.chance);
                let done = overrule(here, &fiat);
                let unread = |refused: &Refused| refused.to_string().starts_with("not a fiat");
                assert!(!done.as_ref().is_err_and(unread), "filled in and not read: {fiat}: {done:?}");
                *taken |= done.is_ok();
            }
            standing(here);
        }
    });
    let kinds: BTreeSet<String> = G::fiats().iter().map(|(fiat, _)| key(fiat)).collect();
    let drawn: BTreeSet<String> = filled_in.keys().map(|(key, _)| (*key).to_owned()).collect();
    assert_eq!(kinds, drawn, "fiats and their forms");
    let never_filled: Vec<_> = filled_in.iter().filter(|(_, taken)| !**taken).collect();
    assert!(never_filled.is_empty(), "forms refused at every moment of every setup: {never_filled:?}");
    let never = taken.iter().zip(G::fiats()).filter(|(taken, _)| !**taken);
    let never: Vec<_> = never.map(|(_, (fiat, _))| *fiat).collect();
    assert!(never.is_empty(), "refused at every moment of every setup: {never:?}");
}

/// The first key of an example.
fn key(json: &str) -> String {
    json.split('"').nth(1).unwrap_or(json).to_owned()
}

/// Random input for a form, by field name.
///
/// Optional fields are left out every other time. Text is the form's example.
pub fn at_random(form: &Form, chance: &mut Chance) -> Vec<(&'static str, String)> {
    let mut sent = Vec::new();
    for field in &form.fields {
        if field.blank.is_some() && chance.below(2) == 0 {
            continue;
        }
        let number =
            |least: u32, most: u32, chance: &mut Chance| (least + chance.below(most - least + 1)).to_string();
        let times = 1 + chance.below(3);
        match &field.takes {
            Takes::One { picks } => {
                sent.extend(
                    picks.get(chance.place(picks.len().max(1))).map(|pick| (field.name(), pick.sent())),
                );
            }
            Takes::Many { picks } => {
                let first = chance.place(picks.len().max(1));
                let some = picks.iter().skip(first).take(times as usize);
                sent.extend(some.map(|pick| (field.name(), pick.sent())));
            }
            Takes::Number { least, most } => sent.push((field.name(), number(*least, *most, chance))),
            Takes::Numbers { least, most } => {
                let all: Vec<String> = (0..times).map(|_| number(*least, *most, chance)).collect();
                sent.push((field.name(), all.join(" ")));
            }
            Takes::Text { example } | Takes::Table { example } => {
                sent.push((field.name(), (*example).to_owned()))
            }
        }
    }
    sent
}

/// The JSON of a form with random input, which the game must be able to read.
fn fill(form: &Form, chance: &mut Chance) -> String {
    let sent = at_random(form, chance);
    let given =
        |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
    form.fill(given).unwrap_or_else(|refused| panic!("{}: {sent:?}: {refused}", form.id))
}

/// Applies a fiat to a copy of the table, and checks the result.
fn overrule<G: Words>(here: &mut Here<'_, G>, fiat: &str) -> Result<(), Refused> {
    let mut copy = here.session.clone();
    let before = copy.snapshot();
    let seats = G::seats(copy.rules()).into_iter().map(|info| Viewer::Seat(info.seat));
    let others: Vec<Viewer> = seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
    let who = others[here.chance.place(others.len())];
    match AnyTable::fiat(&mut copy, fiat, true) {
        Err(refused) => {
            assert!(!refused.reasons.is_empty(), "refused without a reason: {fiat}");
            assert_eq!(copy.snapshot(), before, "changed by a fiat that was refused: {fiat}");
            Err(refused)
        }
        Ok(step) => {
            // The smallest games show fiats to nobody.
            let is_shown = !step.shown.is_empty();
            let unheard = is_shown && step.shown.iter().all(|shown| shown.to(who).is_none());
            if unheard {
                let (was, now) = (AnyTable::view(here.session, who), AnyTable::view(&copy, who));
                assert!(now == was, "{who} is told nothing of {fiat}:\n{was}\n{now}");
            }
            sound::<G>(copy.open());
            // A rewind is possible, also to before a player joined.
            copy.learnt(&before);
            go_on(&mut copy, here, fiat);
            Ok(())
        }
    }
}

fn go_on<G: Words>(copy: &mut Session<G>, here: &mut Here<'_, G>, fiat: &str) {
    let mut pool = Vec::new();
    for _ in 0..AFTER {
        let Some(step) = next(copy, here.chance, &mut pool) else { return };
        if let Err(refused) = take(copy, &step, &mut Vec::new()) {
            panic!("after the fiat {fiat} a listed answer is refused: {step:?}: {refused}");
        }
    }
}

fn standing<G: Words>(here: &Here<'_, G>) {
    let seats: Vec<Seat> = G::seats(here.session.rules()).into_iter().map(|info| info.seat).collect();
    for (reply, _) in G::standings() {
        let mut copy = here.session.clone();
        // Not every seat may set a reply, but some seat may set each.
        let stood: Vec<_> = seats.iter().map(|&seat| AnyTable::stand(&mut copy, seat, reply, true)).collect();
        let first = copy.asks().next().map(|(id, ..)| id);
        if let Some(first) = first.filter(|first| here.session.eager().is_none_or(|(_, id, _)| id != *first))
        {
            let answered = copy.eager().is_some_and(|(_, id, _)| id == first);
            assert_eq!(here.session.would_stand(first, reply), answered, "{reply} would answer");
        }
        // One that is for a moment that is over stands no more.
        let (rules, state) = (here.session.rules(), here.session.state());
        let is_over = serde_json::from_str(reply)
            .is_ok_and(|reply| G::lapsed(rules, state, G::written_out(rules, state, reply)));
        if let (Some(Err(refused)), false) = (stood.first(), is_over || stood.iter().any(Result::is_ok)) {
            panic!("{reply} is nobody's standing reply: {refused}");
        }
        if let Some((seat, id, answer)) = copy.eager()
            && let Err(refused) = copy.answer(seat, id, answer, &mut Vec::new())
        {
            panic!("{reply} stands and is refused: {answer:?}: {refused}");
        }
    }
}
