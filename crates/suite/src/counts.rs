//! How often each reason was met and what else was allowed, kept beside the tests.

use crate::{
    golden::{digest, kept},
    refused::{change, distorted, leaves, tries},
    walk::{Here, filled, walks_with},
};
use fracas_kernel::{AnyTable, AskId, Game, Refused, Seat, Session, Setup, Slot, Words};
use std::{collections::BTreeMap, fmt::Write, path::Path};

/// The walks from each setup.
const SEEDS: [u64; 3] = [1, 2, 3];
/// Steps of each walk.
const STEPS: u32 = 250;
/// One moment in so many is overruled.
const EVERY: u32 = 50;
/// Tries of each fiat at such a moment, with other names.
const TRIES: u32 = 6;
/// A kind of ask that was met less often than this is tried more often.
const SELDOM: i64 = 60;
/// Listed answers that are tried with something in them changed.
const NEAR: usize = 12;

/// Plays at random from every setup, tries at every ask what was listed elsewhere and
/// what is listed here with a name or a number changed, and compares with the file at `path` how
/// often each reason against it was met, by kind of ask, with a digest of what came of
/// what was allowed. So too for every fiat that a game gives as an example, for
/// standing replies, and for what holds bots back.
///
/// Where [`golden`](crate::golden) keeps what is played, this keeps what is not: a
/// reason that goes missing, or is met more often, is a line that changes. Words that
/// are told are left to the playthroughs.
/// `FRACAS_GOLDEN=write` writes the file anew; read the difference before it is
/// committed.
///
/// # Panics
/// Where something is not as it was kept, naming the first other line.
pub fn counts<G: Words>(setups: &[Setup], path: &Path) {
    let mut counts = Counts::default();
    walks_with::<G>(setups, &SEEDS, STEPS, |here| {
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

/// What was counted, by what it is of.
#[derive(Default)]
struct Counts(BTreeMap<String, Count>);

/// Counts of one kind, and a digest of what came of what was allowed.
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

    /// Counts what was allowed; `came` is what came of it.
    fn allowed(&mut self, came: &str) {
        self.add("allowed", 1);
        self.came = self.came.rotate_left(1) ^ digest(came);
    }
}

/// Some of what is listed, with a number or a name changed.
fn near<G: Words>(here: &mut Here<'_, G>, slot: Slot) -> Vec<G::Answer> {
    let mut listed = Vec::new();
    G::legal(here.session.rules(), here.session.state(), slot, &mut |answer| listed.push(answer));
    let mut one = |all: &[G::Answer]| all.get(here.chance.place(all.len())).copied();
    let pairs: Vec<_> = (0..NEAR).filter_map(|_| Some((one(&listed)?, one(here.pool)?))).collect();
    pairs.iter().filter_map(|(answer, other)| distorted::<G>(answer, other, here.chance)).collect()
}

/// Gives an answer on a copy.
fn answered<G: Words>(session: &Session<G>, by: Seat, id: AskId, answer: G::Answer, count: &mut Count) {
    let (mut copy, mut events) = (session.clone(), Vec::new());
    match copy.answer(by, id, answer, &mut events) {
        Err(refused) => count.refused(&refused),
        Ok(_) => count.allowed(&format!("{events:?} {:?}", copy.hash())),
    }
}

/// Counts what holds bots back from what is listed, and what is answered unasked.
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

/// Who may stand by what.
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

/// Overrules on a copy: with any names, and with a number or a name changed.
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
            // A name of something else is no fiat at all.
            Err(refused) if refused.reasons.iter().all(|reason| reason.clause.is_none()) => {}
            Err(refused) => count.refused(&refused),
            Ok(step) => {
                let events: String = step.shown.into_iter().map(|shown| shown.event).collect();
                count.allowed(&format!("{events} {}", AnyTable::hash(&copy)));
            }
        }
    }
}
