//! What becomes of somebody who has left is told to the gamemaster alone.

use crate::{
    Effort, at_random,
    secrecy::{line, told_alike},
    walk::{next, seeds, start, take},
};
use fracas_kernel::{AnyTable, Known, Names, Seat, Session, Setup, Shown, Step, Viewer, Words, form::Form};
use fracas_sim::Chance;
use std::collections::BTreeSet;

/// One walk of so many of [`Effort::walks`] is played.
const WALKS: u32 = 4;
/// Steps of a walk.
const STEPS: u32 = 80;
/// Tries with each form to send somebody away.
const SENT: u32 = 4;
/// One moment in so many somebody is sent away, if that can be.
const LEAVES: u32 = 8;
/// Forms and answers tried on those who have left, at each moment.
const TRIES: u32 = 6;
/// Answers tried that name those who have left.
const NAMED: usize = 3;

/// Nobody but the gamemaster is told what becomes of somebody who was seen and has left.
///
/// Conflicts are played at random, and fiats send some of those whom a viewer sees out of
/// that viewer's sight. Then come fiats and answers that are about them alone, or about
/// others who are hidden. Until somebody is back the viewer is shown nothing of these:
/// no line, and the same view, cards and ending. What differs about those who have
/// left is nothing to the viewer ([`crate::secrecy`]).
///
/// # Panics
/// Where that does not hold, and where nobody can be sent away.
pub fn absent<G: Words>(setups: &[Setup], effort: Effort) {
    let (mut left, mut acts) = (0, 0);
    for setup in setups {
        for seed in seeds(effort.walks.div_ceil(WALKS)) {
            let (rules, state) = start::<G>(setup);
            let seats = G::seats(&rules).into_iter().map(|info| Viewer::Seat(info.seat));
            let viewers: Vec<Viewer> = seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
            let who = viewers[seed as usize % viewers.len()];
            let gone = BTreeSet::new();
            let mut walk = Walk::<G> { setup, seed, who, session: Session::new(rules, state), gone, acts: 0 };
            left += walk.play(&mut Chance::new(seed, 3));
            acts += walk.acts;
        }
    }
    println!("{}: {left} sent away, {acts} acts on those who had left", G::ID);
    assert!(left > 0 && acts > 0, "nobody is ever sent away: {left}, {acts}");
}

struct Walk<'s, G: Words> {
    setup: &'s Setup,
    seed: u64,
    who: Viewer,
    session: Session<G>,
    /// Those who were sent out of the viewer's sight and are not back.
    gone: BTreeSet<String>,
    acts: usize,
}

impl<G: Words> Walk<'_, G> {
    /// Gives how many were sent away.
    fn play(&mut self, chance: &mut Chance) -> usize {
        let (mut pool, mut left) = (Vec::new(), 0);
        for _ in 0..STEPS {
            let there = on_cards(&self.session, self.who);
            self.gone.retain(|slug| !there.contains(slug));
            if chance.below(LEAVES) == 0 {
                left += self.send_away(chance);
            }
            if !self.gone.is_empty() {
                (0..TRIES).for_each(|_| self.overrule(chance));
                self.answers(chance);
                let tries: Vec<String> = self.gone.iter().flat_map(|slug| self.named(slug, chance)).collect();
                told_alike(&self.session, self.who, chance.seed(), &tries, &[], &[]);
            }
            let Some(step) = next(&self.session, chance, &mut pool) else { break };
            if let Err(refused) = take(&mut self.session, &step, &mut Vec::new()) {
                panic!("{}: refused: {refused}", self.here(""));
            }
        }
        left
    }

    /// Takes a fiat that takes somebody of the gamemaster's from the viewer's cards; gives
    /// how many.
    fn send_away(&mut self, chance: &mut Chance) -> usize {
        let all = G::seats(self.session.rules()).into_iter().filter(|info| info.seat == Seat::Gm);
        let held: BTreeSet<String> = all.flat_map(|info| info.holds).collect();
        let there: BTreeSet<String> =
            on_cards(&self.session, self.who).intersection(&held).cloned().collect();
        let forms = self.session.fiat_forms();
        let first = chance.place(forms.len());
        for form in forms.iter().cycle().skip(first).take(forms.len()) {
            for _ in 0..SENT {
                let Some(fiat) = filled(form, chance) else { continue };
                let mut copy = self.session.clone();
                if AnyTable::fiat(&mut copy, &fiat, false).is_err() {
                    continue;
                }
                let now = on_cards(&copy, self.who);
                let lost: Vec<String> = there.difference(&now).cloned().collect();
                if !lost.is_empty() {
                    let sent = lost.len();
                    self.gone.extend(lost);
                    self.session = copy;
                    return sent;
                }
            }
        }
        0
    }

    /// The gamemaster overrules something about those who have left.
    fn overrule(&mut self, chance: &mut Chance) {
        let forms = self.session.fiat_forms();
        let form = &forms[chance.place(forms.len())];
        let Some(fiat) = filled(form, chance) else { return };
        let fiat = self.aimed(&fiat, chance);
        if self.is_about(&fiat, |slug| self.is_hidden(&self.session, slug)) {
            self.silent(&fiat, chance, |copy| AnyTable::fiat(copy, &fiat, true).ok());
        }
    }

    /// The gamemaster answers something about those who have left.
    fn answers(&mut self, chance: &mut Chance) {
        let asks: Vec<_> = self.session.asks().map(|(id, _, ask)| (id, ask.who)).collect();
        for (id, _) in asks.into_iter().filter(|(_, who)| who.seats().contains(Seat::Gm)) {
            let listed = AnyTable::legal(&self.session, id, Viewer::Seat(Seat::Gm));
            let about: Vec<String> = (listed.iter())
                .filter(|listed| listed.answer.contains("\"@"))
                .map(|listed| self.aimed(&listed.answer, chance))
                .filter(|answer| self.is_about(answer, |_| false))
                .collect();
            for _ in 0..NAMED.min(about.len()) {
                let answer = &about[chance.place(about.len())];
                let mut copy = self.session.clone();
                let Ok(step) = AnyTable::answer(&mut copy, Seat::Gm, id, answer, true) else { continue };
                if !self.is_back(&copy) && !self.is_of_all(&step) {
                    self.acts += 1;
                    self.untold(answer, &step);
                }
            }
        }
    }

    /// Does something that the viewer is not to notice; sometimes play goes on from it.
    fn silent(&mut self, what: &str, chance: &mut Chance, act: impl FnOnce(&mut Session<G>) -> Option<Step>) {
        let mut copy = self.session.clone();
        let Some(step) = act(&mut copy) else { return };
        // What shows again is told.
        let known =
            names_in(what).into_iter().any(|slug| !self.gone.contains(slug) && !self.is_hidden(&copy, slug));
        if known || self.is_back(&copy) || self.is_of_all(&step) {
            return;
        }
        self.acts += 1;
        self.untold(what, &step);
        let (this, other) = (self.look(&self.session), self.look(&copy));
        for (this, other) in this.iter().zip(&other) {
            assert!(this == other, "{}\nbefore: {this}\nafter: {other}", self.here(what));
        }
        assert_eq!(this.len(), other.len(), "{}", self.here(what));
        if chance.below(2) == 0 {
            self.session = copy;
        }
    }

    /// Something happened to the whole table, such as a fight that breaks out.
    fn is_of_all(&self, step: &Step) -> bool {
        step.shown.iter().any(|shown| shown.to(self.who).is_some() && !shown.event.contains("\"@"))
    }

    fn untold(&self, what: &str, step: &Step) {
        let told: Vec<_> = step.shown.iter().filter_map(|shown: &Shown| shown.to(self.who)).collect();
        assert!(told.is_empty(), "{}: {told:?}", self.here(what));
    }

    /// What the viewer sees. An ask about somebody hidden may fall away with them.
    fn look(&self, session: &Session<G>) -> Vec<String> {
        vec![
            line("view", &session.view(self.who)),
            line("cards", &session.cards(self.who)),
            line("ending", &session.ending(self.who)),
        ]
    }

    /// Somebody who has left is in sight again.
    fn is_back(&self, session: &Session<G>) -> bool {
        !on_cards(session, self.who).is_disjoint(&self.gone)
    }

    fn is_hidden(&self, session: &Session<G>, slug: &str) -> bool {
        let (rules, state) = (session.rules(), session.state());
        G::names(rules).find(slug).is_some_and(|name| G::knows(rules, state, name, self.who) == Known::Hidden)
    }

    /// Whether what is said is about those who have left, and others of whom that holds.
    fn is_about(&self, said: &str, other: impl Fn(&str) -> bool) -> bool {
        let names = names_in(said);
        names.iter().any(|&slug| self.gone.contains(slug))
            && names.iter().all(|&slug| self.gone.contains(slug) || other(slug))
    }

    /// The same with those who have left in place of others of their kind.
    fn aimed(&self, json: &str, chance: &mut Chance) -> String {
        let names = G::names(self.session.rules());
        let kind = |slug: &str| names.find(slug).map(|(letter, _)| letter);
        let gone: Vec<&String> = self.gone.iter().collect();
        let mut out = json.to_owned();
        for slug in names_in(json) {
            let put = gone[chance.place(gone.len())];
            if kind(slug) == kind(put) {
                out = out.replacen(&format!("\"@{slug}\""), &format!("\"@{put}\""), 1);
            }
        }
        out
    }

    /// Answers of the viewer's that name somebody who has left.
    fn named(&self, slug: &str, chance: &mut Chance) -> Vec<String> {
        let Viewer::Seat(seat) = self.who else { return Vec::new() };
        let asks: Vec<_> = self.session.asks().map(|(id, _, ask)| (id, ask.who)).collect();
        let mine = asks.into_iter().filter(|(_, who)| who.seats().contains(seat));
        let mut all: Vec<String> =
            mine.flat_map(|(id, _)| AnyTable::legal(&self.session, id, self.who)).map(|l| l.answer).collect();
        all.retain(|answer| answer.contains("\"@"));
        let some = (0..NAMED.min(all.len())).map(|_| all[chance.place(all.len())].clone());
        some.map(|answer| crate::renamed(&answer, slug)).collect()
    }

    fn here(&self, what: &str) -> String {
        format!(
            "{} is told of {:?}, who have left, in {}, seed {}, by {what}",
            self.who,
            self.gone,
            self.setup.encounter.name(),
            self.seed
        )
    }
}

/// Who is on a viewer's cards.
fn on_cards<G: Words>(session: &Session<G>, who: Viewer) -> BTreeSet<String> {
    session.cards(who).into_iter().map(|card| card.id).collect()
}

fn filled(form: &Form, chance: &mut Chance) -> Option<String> {
    let sent = at_random(form, chance);
    let given =
        |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
    form.fill(given).ok()
}

/// The names in an answer or a fiat.
fn names_in(json: &str) -> Vec<&str> {
    let quoted = json.split("\"@").skip(1);
    quoted.filter_map(|rest| rest.split('"').next()).filter(|slug| Names::is_slug(slug)).collect()
}
