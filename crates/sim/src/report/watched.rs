//! Conflicts in words: what was listed and never chosen, and which rules were named.

use super::{Answered, Chapter, Clauses, Holder, Progress, Unchosen, WATCHED, WORDED, spread};
use crate::study::playouts;
use crate::{Both, Chance, Did, Moment, Plan, Quiet, Record, Recorded, Watch};
use fracas_kernel::{Clause, Entry, Game, Kind, Open, Seat, Viewer, Words};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The page is for the encounter's author, from whom nothing is hidden.
const AUTHOR: Viewer = Viewer::Seat(Seat::Gm);

/// What watched conflicts came to.
#[derive(Default)]
pub(super) struct Watched {
    /// How many conflicts.
    pub(super) conflicts: u64,
    answers: BTreeMap<Answer, Counts>,
    clauses: BTreeSet<Clause>,
}

/// Who was asked, the kind of prompt, and the leading part of the answer.
type Answer = (Holder, &'static str, String);

/// In how many questions an answer was listed and chosen.
#[derive(Clone, Copy, Default)]
struct Counts {
    listed: u64,
    chosen: u64,
}

/// Plays the first conflicts of the plan once more, in words. Words are slow: so many conflicts are watched as
/// take a bounded number of them.
pub(super) fn watch<G: Words>(
    table: &(G::Rules, G::State),
    plan: &Plan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Option<Watched> {
    let planned = plan.conflicts.end - plan.conflicts.start;
    let [most, least] = WATCHED.map(|conflicts| conflicts.min(planned));
    let mut sides = plan.sides;
    let sample = plan.conflicts.start..plan.conflicts.start + least;
    let listed: u64 = sample
        .map(|conflict| {
            let chance = &mut Chance::new(plan.seed, conflict);
            playouts::<G>(table, plan).play(&mut sides, chance, &mut Quiet).listed
        })
        .sum();
    let conflicts = (planned.saturating_mul(WORDED) * least / listed.max(1)).clamp(least, most);
    let first = plan.conflicts.start;
    let each = |nth: usize| of_conflict::<G>(table, plan, first + nth as u64);
    let count = usize::try_from(conflicts).unwrap_or(usize::MAX);
    let all = spread((count, plan.threads), progress, "in words", each)?;
    Some(all.into_iter().fold(Watched::default(), Watched::and))
}

fn of_conflict<G: Words>(table: &(G::Rules, G::State), plan: &Plan, conflict: u64) -> Watched {
    let mut watch = Both(Record::<G>::default(), Choices::default());
    let mut sides = plan.sides;
    playouts::<G>(table, plan).play(&mut sides, &mut Chance::new(plan.seed, conflict), &mut watch);
    let Both(Record(recorded), Choices(answers)) = watch;
    Watched { conflicts: 1, answers, clauses: named::<G>(table, &recorded) }
}

/// Counts what is listed and what is chosen.
#[derive(Default)]
struct Choices(BTreeMap<Answer, Counts>);

impl<G: Words> Watch<G> for Choices {
    fn answer(&mut self, moment: Moment<'_, G>, listed: &[G::Answer], answer: G::Answer) {
        // Where there is no choice nothing is passed over.
        if listed.len() < 2 {
            return;
        }
        let asked = if moment.seat == Seat::Gm { Holder::Gm } else { Holder::Players };
        let kind = G::kind(&moment.ask.prompt);
        let lead = |answer: &G::Answer| {
            let parts = G::parts(moment.rules, moment.state, moment.slot, answer, AUTHOR);
            parts.into_iter().next().map_or_else(String::new, |part| part.label)
        };
        for part in listed.iter().map(lead).collect::<BTreeSet<_>>() {
            self.0.entry((asked, kind, part)).or_default().listed += 1;
        }
        self.0.entry((asked, kind, lead(&answer))).or_default().chosen += 1;
    }
}

/// The clauses behind what was answered, thrown and told in a conflict.
fn named<G: Words>(
    (rules, start): &(G::Rules, G::State),
    conflict: &Recorded<G::Answer>,
) -> BTreeSet<Clause> {
    let mut clauses = BTreeSet::new();
    let mut state = start.clone();
    let mut faces = conflict.faces.as_slice();
    for step in &conflict.steps {
        let mut events: Vec<G::Event> = Vec::new();
        match *step {
            Did::Answer(slot, answer) => {
                let Ok(mv) = G::check(rules, &state, slot, answer) else { break };
                clauses.extend(G::answer(rules, &state, slot, &answer, AUTHOR).clause);
                G::apply(rules, &mut state, mv, &mut events);
            }
            Did::Roll(count) => {
                let Open::Roll(roll) = G::open(rules, &state) else { break };
                let Some((these, rest)) = faces.split_at_checked(usize::from(count)) else { break };
                clauses.extend(G::roll_told(rules, &state, AUTHOR).clause);
                G::roll(rules, &mut state, roll.classify(these), &mut events);
                faces = rest;
            }
        }
        let words = events.iter().filter_map(|event| G::event(rules, &state, event, AUTHOR));
        clauses.extend(words.filter_map(|words| words.clause));
    }
    clauses
}

impl Watched {
    fn and(mut self, other: Watched) -> Watched {
        self.conflicts += other.conflicts;
        self.clauses.extend(other.clauses);
        for (answer, counts) in other.answers {
            let all = self.answers.entry(answer).or_default();
            all.listed += counts.listed;
            all.chosen += counts.chosen;
        }
        self
    }

    /// What was never chosen.
    pub(super) fn answered(&self) -> Answered {
        let unchosen = self.answers.iter().filter(|(_, counts)| counts.chosen == 0);
        let mut unchosen: Vec<Unchosen> = unchosen
            .map(|((asked, kind, part), counts)| Unchosen {
                asked: *asked,
                kind,
                part: part.clone(),
                listed: counts.listed,
            })
            .collect();
        unchosen.sort_by_key(|unchosen| std::cmp::Reverse(unchosen.listed));
        Answered { all: self.answers.len(), unchosen }
    }

    /// Which rules were named, chapter by chapter.
    pub(super) fn clauses<G: Game>(&self) -> Clauses {
        let mut chapters: Vec<Chapter> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in G::rulebook().entries.iter().filter(|entry| can_be_named(entry)) {
            let at = *places.entry(entry.section).or_insert_with(|| {
                chapters.push(Chapter { section: entry.section, all: 0, fired: 0, unfired: Vec::new() });
                chapters.len() - 1
            });
            let (chapter, clause) = (&mut chapters[at], Clause::of(entry));
            chapter.all += 1;
            match self.clauses.contains(&clause) {
                true => chapter.fired += 1,
                false => chapter.unfired.push(clause),
            }
        }
        let sum = |of: fn(&Chapter) -> usize| chapters.iter().map(of).sum();
        let (all, fired) = (sum(|chapter| chapter.all), sum(|chapter| chapter.fired));
        chapters.retain(|chapter| chapter.fired > 0 && !chapter.unfired.is_empty());
        // The greatest share first: 2 of 3 before 3 of 5. Equal ones stay in the rulebook's order.
        chapters.sort_by(|a, b| (b.fired * a.all).cmp(&(a.fired * b.all)));
        Clauses { all, fired, chapters }
    }
}

/// Whether play can name a rule: each clause that a game's code names has words for players, and hardly another.
fn can_be_named(entry: &Entry) -> bool {
    entry.kind == Kind::Rule && entry.plain.is_some()
}
