//! How often each reason for a refusal occurs, kept in a file beside the tests.

use crate::golden::{digest, kept};
use crate::refused::{change, distorted, leaves, tries};
use crate::walk::{Here, filled, walks_with};
use fracas_kernel::{AnyTable, AskId, Game, Refused, Seat, Session, Setup, Slot, Words};
use std::{collections::BTreeMap, fmt::Write, path::Path};

/// The seeds of the walks from each setup.
const SEEDS: [u64; 1] = [1];
/// Steps of each walk, and of all walks together.
const STEPS: u32 = 300;
const ALL_STEPS: u32 = 3_600;
/// Fiats are tried at one moment in this many.
const EVERY: u32 = 50;
/// Tries of each fiat at such a moment, with different names.
const TRIES: u32 = 6;
/// A kind of ask that occurred less often than this is tried more often.
const SELDOM: i64 = 60;
/// Listed answers that are tried with a change.
const NEAR: usize = 12;

/// The reasons for refusals are those in the file at `path`.
///
/// Plays at random from every setup. At every ask, tries answers that were listed elsewhere,
/// and listed answers with a name or a number changed. Counts each reason by kind of ask, and
/// makes a digest of the results of allowed answers. Does the same for every example of a
/// fiat, for standing replies, and for the reasons that restrain bots.
///
/// [`golden`](crate::golden) keeps what is played; this keeps what is refused. A reason that
/// disappears, or occurs more often, changes a line. The texts of events are not compared.
/// `FRACAS_GOLDEN=write` writes the file; read the difference before you commit it.
///
/// # Panics
/// If the result differs from the file; names the first line that differs.
pub fn counts<G: Words>(setups: &[Setup], path: &Path) {
    let mut counts = Counts::default();
    let steps = STEPS.min(ALL_STEPS / setups.len() as u32);
    walks_with::<G>(setups, &SEEDS, steps, |here| {
        if here.done.is_empty() {
            stood(here, &mut counts);
        }
        let asks: Vec<_> =
            here.session.asks().map(|(id, slot, ask)| (id, slot, ask.who.seats(), ask.prompt)).collect();
        for (id, slot, seats, prompt) in asks {
            let by = seats.iter().next().unwrap_or(Seat::Gm);
            let of = G::kind(&prompt);
            counts.of(of).add("(met)", 1);
            for _ in 0..if counts.of(of).lines["(met)"] < SELDOM { 6 } else { 1 } {
                for answer in tries(here).into_iter().chain(near(here, slot)) {
                    answered(here.session, by, id, answer, counts.of(of));
                }
            }
            held_back(here.session, slot, counts.of(of));
        }
        if here.done.is_empty() || here.chance.below(EVERY) == 0 {
            for (fiat, _) in G::fiats() {
                for _ in 0..TRIES {
                    overruled(here, fiat, counts.of(&format!("fiat {fiat}")));
                }
            }
        }
    });
    kept(path, &counts.text());
}

/// Counts by kind of ask, fiat or reply.
#[derive(Default)]
struct Counts(BTreeMap<String, Count>);

/// The counts of a kind, and a digest of the results of allowed answers.
#[derive(Default)]
struct Count {
    lines: BTreeMap<String, i64>,
    came: u64,
}

impl Counts {
    fn of(&mut self, what: &str) -> &mut Count {
        self.0.entry(what.to_owned()).or_default()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (of, count) in &self.0 {
            let _ = writeln!(text, "{of}: {:016x}", count.came);
            for (line, n) in count.lines.iter().filter(|(_, n)| **n != 0) {
                let _ = writeln!(text, "  {n} {line}");
            }
        }
        text
    }
}

impl Count {
    fn add(&mut self, line: &str, n: i64) {
        *self.lines.entry(line.to_owned()).or_default() += n;
    }

    fn refused(&mut self, refused: &Refused) {
        for reason in &refused.reasons {
            let clause = reason.clause.map_or("form", |clause| clause.id());
            self.add(&format!("{clause}: {}", reason.what), 1);
        }
    }

    /// Counts an allowed answer; `came` is its result.
    fn allowed(&mut self, came: &str) {
        self.add("allowed", 1);
        self.came = self.came.rotate_left(1) ^ digest(came);
    }
}

/// Some listed answers, with a number or a name changed.
fn near<G: Words>(here: &mut Here<'_, G>, slot: Slot) -> Vec<G::Answer> {
    let mut listed = Vec::new();
    G::legal(here.session.rules(), here.session.state(), slot, &mut |answer| listed.push(answer));
    let mut random = |all: &[G::Answer]| all.get(here.chance.place(all.len())).copied();
    let pairs: Vec<_> = (0..NEAR).filter_map(|_| Some((random(&listed)?, random(here.pool)?))).collect();
    pairs.iter().filter_map(|(answer, other)| distorted::<G>(answer, other, here.chance)).collect()
}

/// Gives an answer at a copy of the table.
fn answered<G: Words>(session: &Session<G>, by: Seat, id: AskId, answer: G::Answer, count: &mut Count) {
    let (mut copy, mut events) = (session.clone(), Vec::new());
    match copy.answer(by, id, answer, &mut events) {
        Err(refused) => count.refused(&refused),
        Ok(_) => count.allowed(&format!("{events:?} {:?}", copy.hash())),
    }
}

/// Counts the reasons that restrain bots from listed answers, and answers without an ask.
fn held_back<G: Words>(session: &Session<G>, slot: Slot, count: &mut Count) {
    let (rules, state) = (session.rules(), session.state());
    let mut sum = 0;
    G::legal(rules, state, slot, &mut |answer| {
        sum += i64::from(G::restraint(rules, state, slot, answer));
    });
    count.add("(restraint)", sum);
    count.add("(declined)", i64::from(G::decline(rules, state, slot).is_some()));
    for (reply, _) in G::standings() {
        if let Ok(standing) = serde_json::from_str(&G::names(rules).read(reply).unwrap_or_default()) {
            let answers = <G as Game>::standing(rules, state, slot, standing).is_some();
            count.add(&format!("({reply} stands)"), i64::from(answers));
        }
    }
}

/// Counts which seats may set which standing replies.
fn stood<G: Words>(here: &Here<'_, G>, counts: &mut Counts) {
    for info in G::seats(here.session.rules()) {
        for (reply, _) in G::standings() {
            let count = counts.of(&format!("standing {reply}, {}", info.seat));
            match AnyTable::stand(&mut here.session.clone(), info.seat, reply, true) {
                Ok(()) => count.allowed(reply),
                Err(refused) => count.refused(&refused),
            }
        }
    }
}

/// Tries a fiat at a copy of the table: with random names, and with a number or name changed.
fn overruled<G: Words>(here: &mut Here<'_, G>, example: &str, count: &mut Count) {
    let fiat = filled(G::names(here.session.rules()), example, here.chance);
    let changed = serde_json::from_str::<serde_json::Value>(&fiat).ok().map(|mut value| {
        let own = value.clone();
        let mut lent = Vec::new();
        leaves(&own, &mut lent);
        change(&mut value, &mut here.chance.place(lent.len()), &lent, here.chance);
        value.to_string()
    });
    for fiat in [Some(fiat), changed].into_iter().flatten() {
        let mut copy = here.session.clone();
        match AnyTable::fiat(&mut copy, &fiat, true) {
            // With a name of another kind, the JSON is not a fiat.
            Err(refused) if refused.reasons.iter().all(|reason| reason.clause.is_none()) => {}
            Err(refused) => count.refused(&refused),
            Ok(step) => {
                let events: String = step.shown.into_iter().map(|shown| shown.event).collect();
                count.allowed(&format!("{events} {}", AnyTable::hash(&copy)));
            }
        }
    }
}
