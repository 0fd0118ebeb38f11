//! A hidden entry makes no difference to viewers who may not know it.

use crate::secrecy::{Told, line};
use crate::{Effort, at_random};
use fracas_kernel::{
    Answered, AnyTable, AskId, AskInfo, Document, Hidden, Known, Names, Now, Seat, Session, Setup, Step,
    System, Viewer, Words, system_of,
};
use fracas_sim::Chance;
use serde_json::Value;
use std::collections::BTreeSet;

/// Steps for which two worlds are played in parallel.
const STEPS: u32 = 120;
/// Steps that the full world may take before both worlds have the same asks again.
const APART: u32 = 24;
/// Listed answers that are tried with exchanged names, at each ask.
const TEMPLATES: usize = 2;
/// One step in this many is a fiat.
const OVERRULED: u32 = 12;
/// For each hidden entry of a setup, [`Effort::walks`] is divided by this number; there is at
/// least one walk for each viewer.
const WALKS: u32 = 10;

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Compared {
    /// Pairs of worlds.
    pub worlds: usize,
    /// Moments that both worlds had.
    pub moments: usize,
    /// Bytes that viewers were sent in each world.
    pub bytes: usize,
}

/// A table without a hidden entry looks the same to a viewer who may not know the entry.
///
/// For each entry of a setup that is hidden from a viewer at the start, by the viewer's cards
/// or by [`Game::knows`](fracas_kernel::Game::knows), a second world is made without the entry
/// and all that refers to it. Both worlds are played with the same answers, dice and fiats.
/// The gamemaster declines asks about the entry, as the other world does not have them. At
/// every moment that both worlds have, these must be the same bytes for the viewer: view,
/// cards, stage, asks, listed answers, boards, odds, standing replies, texts of events, and the
/// refusal of the entry's name, which must read like that of an unused name. If the viewer is
/// shown a line that reveals the entry, the comparison ends.
///
/// # Panics
/// If that does not hold, or no setup hides anything.
pub fn fewer<G: Words>(setups: &[Setup], effort: Effort) {
    let mut all = Compared::default();
    for setup in setups {
        for (dropped, lesser) in lessened(&system_of::<G>(), setup) {
            let viewers = viewers::<G>(setup);
            let walks = (effort.walks.div_ceil(WALKS) as usize).max(viewers.len());
            let looking = effort.viewers.clamp(1, viewers.len());
            for walk in 0..walks {
                for nth in 0..looking {
                    // If not all viewers are compared, each gets a turn.
                    let who = viewers[(walk * looking + nth) % viewers.len()];
                    let seed = (walk + nth * 31) as u64;
                    if let Some(pair) = Pair::<G>::open(setup, &lesser, &dropped, who, seed) {
                        let done = pair.compare(seed);
                        all.worlds += 1;
                        all.moments += done.moments;
                        all.bytes += done.bytes;
                    }
                }
            }
        }
    }
    println!(
        "{}: {} pairs of worlds, {} moments, {} bytes told in each",
        G::ID,
        all.worlds,
        all.moments,
        all.bytes
    );
    assert!(
        all.moments > 0,
        "no name is hidden from anybody in any setup: let a table hide somebody, or leave this test out where \
         all secrets are numbers and words"
    );
}

/// All viewers but the gamemaster.
fn viewers<G: Words>(setup: &Setup) -> Vec<Viewer> {
    let (rules, _) = crate::walk::start::<G>(setup);
    let seats = G::seats(&rules).into_iter().map(|info| Viewer::Seat(info.seat));
    seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect()
}

/// For each entry that the gamemaster plays and that can be dropped: its place and name, and
/// the setup without it.
pub fn lessened(system: &System, setup: &Setup) -> Vec<(String, Setup)> {
    let paper = setup.encounter.to_json();
    let mut places = Vec::new();
    entries(&paper, String::new(), &mut places);
    let mine = |place: &&String| place.starts_with(&format!("/{}/", system.others));
    let found = places.iter().filter(mine).filter_map(|place| {
        let mut paper = paper.clone();
        let called = drop_at(&mut paper, place)?;
        let encounter = Document::json(setup.encounter.name(), &paper);
        let lesser = Setup { encounter, library: setup.library.clone() };
        (system.start)(&lesser).is_ok().then(|| (format!("{place} ({called})"), lesser))
    });
    found.collect()
}

/// Adds the JSON pointers of all tables in lists.
fn entries(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(field, value)| entries(value, format!("{at}/{field}"), places));
        }
        Value::Array(values) => {
            for (nth, value) in values.iter().enumerate().filter(|(_, value)| value.is_object()) {
                places.push(format!("{at}/{nth}"));
                entries(value, format!("{at}/{nth}"), places);
            }
        }
        _ => {}
    }
}

/// Removes an entry and all that refers to it; gives its name.
fn drop_at(paper: &mut Value, place: &str) -> Option<String> {
    let (list, nth) = place.rsplit_once('/')?;
    let entry = paper.pointer_mut(list)?.as_array_mut()?.remove(nth.parse().ok()?);
    let called = ["name", "use", "text"].iter().find_map(|field| entry.get(field)?.as_str())?;
    forget(paper, &Names::slug_of(called));
    Some(called.to_owned())
}

/// Removes references to a slug: the element of a list, the field of a table.
fn forget(value: &mut Value, slug: &str) {
    let is = |value: &Value| value.as_str().is_some_and(|text| Names::slug_of(text) == slug);
    let refers = |value: &Value| match value {
        Value::Array(values) => values.iter().any(is),
        Value::Object(fields) => {
            // What ties nobody else to anything goes too; somebody with a name stays.
            let is_tie = !fields.contains_key("name") && !fields.contains_key("use");
            let is_all =
                |value: &Value| value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(is));
            fields.iter().any(|(field, value)| field != "use" && (is(value) || is_tie && is_all(value)))
        }
        value => is(value),
    };
    match value {
        Value::Array(values) => {
            // A pair of characters is removed as a whole; a list of names loses one name.
            values.retain(|value| !refers(value));
            values.iter_mut().for_each(|value| forget(value, slug));
        }
        Value::Object(fields) => {
            fields.retain(|field, value| Names::slug_of(field) != slug && !is(value));
            fields.values_mut().for_each(|value| forget(value, slug));
        }
        _ => {}
    }
}

/// Two worlds; the second lacks a hidden entry.
struct Pair<'s, G: Words> {
    setup: &'s Setup,
    dropped: &'s str,
    who: Viewer,
    seed: u64,
    full: Session<G>,
    less: Session<G>,
    /// Names that only the full world has.
    names: Vec<String>,
    /// The lines that the viewer was shown in each world since their last common moment.
    shown: [Vec<String>; 2],
    /// The last step.
    last: String,
}

impl<'s, G: Words> Pair<'s, G> {
    /// Opens both worlds; `None` if the entry is not hidden from the viewer at the start.
    fn open(setup: &'s Setup, lesser: &Setup, dropped: &'s str, who: Viewer, seed: u64) -> Option<Self> {
        let [full, less] = [setup, lesser].map(|setup| {
            let (rules, state) = crate::walk::start::<G>(setup);
            Session::<G>::new(rules, state)
        });
        let slugs = |session: &Session<G>| -> BTreeSet<String> {
            let names = G::names(session.rules());
            names.all().filter_map(|(letter, n)| names.slug(letter, n)).map(str::to_owned).collect()
        };
        let (all, others) = (slugs(&full), slugs(&less));
        let names: Vec<String> = all.difference(&others).cloned().collect();
        let pair = Pair {
            setup,
            dropped,
            who,
            seed,
            full,
            less,
            names,
            shown: Default::default(),
            last: "the start".to_owned(),
        };
        // The characters of the gamemaster's seat may differ: the gamemaster knows them.
        let seats = |session: &Session<G>| {
            let all = G::seats(session.rules()).into_iter();
            all.map(|info| (info.seat, info.name)).collect::<Vec<_>>()
        };
        if pair.names.is_empty() || seats(&pair.full) != seats(&pair.less) {
            return None;
        }
        let whole = dropped.matches('/').count() == 2;
        let cards = line("", &pair.full.cards(who));
        let called = dropped.split_once(" (").map_or("", |(_, called)| called.trim_end_matches(')'));
        // A character may be known by name alone, from a relationship on a sheet.
        let unseen = whole && cards == line("", &pair.less.cards(who)) && !cards.contains(called);
        // Cards may show things that are renamed without the entry: then the entry's own name
        // decides whether it is hidden.
        let own = Names::slug_of(called);
        let hidden = unseen || pair.is_hidden() && pair.known(&pair.full, &own) != Some(Known::Open);
        if hidden || pair.known(&pair.full, &own) == Some(Known::Hidden) {
            let mut renamed = others.difference(&all);
            let leaked = renamed.find(|slug| pair.known(&pair.less, slug) != Some(Known::Hidden));
            if let Some(name) = leaked {
                panic!("{}", pair.difference(&format!("dropping {dropped} renames what is then {name}")));
            }
        }
        (hidden && others.is_subset(&all)).then_some(pair)
    }

    /// Whether all names that only the full world has are hidden from the viewer.
    fn is_hidden(&self) -> bool {
        self.names.iter().all(|slug| self.known(&self.full, slug) == Some(Known::Hidden))
    }

    /// How much the viewer may know of a name, if the world has that name.
    fn known(&self, session: &Session<G>, slug: &str) -> Option<Known> {
        let (rules, state) = (session.rules(), session.state());
        G::names(rules).find(slug).map(|name| G::knows(rules, state, name, self.who))
    }

    fn compare(mut self, seed: u64) -> Compared {
        let mut chance = Chance::new(seed, 2);
        let mut done = Compared::default();
        assert!(self.is_hidden(), "{}", self.difference("a name may be known that another table has not"));
        for _ in 0..STEPS {
            let Some(ids) = self.catch_up(&mut chance) else { break };
            let [full, less] = std::mem::take(&mut self.shown);
            if !self.is_hidden() {
                assert!(full != less, "{}", self.difference("a name is known without a line that says so"));
                break;
            }
            self.same("what happened", &full, &less);
            done.bytes += self.look(&ids, &mut chance);
            done.moments += 1;
            if !self.step(&ids, &mut chance) {
                break;
            }
        }
        done
    }

    /// Lets the gamemaster decline the asks that only the full world has. Gives pairs of open
    /// asks once both worlds have the same.
    fn catch_up(&mut self, chance: &mut Chance) -> Option<Vec<(AskId, AskId)>> {
        for _ in 0..APART {
            let (now, then) = (self.full.now(), self.less.now());
            let extra = match (&now, &then) {
                (Now::Over, Now::Over) => return Some(Vec::new()),
                (Now::Roll(this), Now::Roll(other)) if this == other => return Some(Vec::new()),
                (Now::Roll(roll), _) => {
                    let faces = chance.throw(&roll.dice).to_vec();
                    self.do_in(0, "a roll that only one world has", |full| full.roll(&faces, true))?;
                    continue;
                }
                (Now::Asks(this), other) => {
                    let (pairs, extra) = self.paired(this, other);
                    if let (None, Now::Asks(others)) = (&extra, other) {
                        let fits = pairs.len() == others.len();
                        let more =
                            this.iter().any(|ask| self.asks(ask) && !pairs.iter().any(|p| p.0 == ask.id));
                        let what = "a player is asked what the other world does not ask";
                        assert!(!fits || !more || !self.is_hidden(), "{}", self.difference(what));
                        return fits.then_some(pairs);
                    }
                    extra?
                }
                _ => return None,
            };
            let decline = self.full.decline(extra)?;
            self.do_in(0, "a chance declined", |full| full.answer(Seat::Gm, extra, &decline, true))?;
        }
        None
    }

    /// Whether the viewer is asked this. Asks of other seats may be about the hidden entry.
    fn asks(&self, ask: &AskInfo) -> bool {
        matches!(self.who, Viewer::Seat(seat) if ask.who.seats().contains(seat))
    }

    /// The asks that both worlds have, and an ask of the gamemaster's that only the full one has.
    fn paired(&self, asks: &[AskInfo], other: &Now) -> (Vec<(AskId, AskId)>, Option<AskId>) {
        let mut others: Vec<&AskInfo> = match other {
            Now::Asks(others) => others.iter().collect(),
            _ => Vec::new(),
        };
        let (mut pairs, mut extra) = (Vec::new(), None);
        for ask in asks {
            let mine = ask.who.seats().contains(Seat::Gm);
            let about = self.names.iter().any(|name| ask.prompt.contains(&format!("\"@{name}\"")));
            let alike = |other: &&AskInfo| {
                (other.who, other.kind, other.duty) == (ask.who, ask.kind, ask.duty)
                    && (mine || other.prompt == ask.prompt)
            };
            match others.iter().position(alike).filter(|_| !(mine && about)) {
                Some(at) => pairs.push((ask.id, others.remove(at).id)),
                None if mine => extra = Some(ask.id),
                None => {}
            }
        }
        (pairs, extra)
    }

    /// Takes a step in a world, and keeps what the viewer is shown. `None` if it is refused.
    fn do_in<E>(
        &mut self,
        world: usize,
        what: &str,
        act: impl FnOnce(&mut dyn AnyTable) -> Result<Step, E>,
    ) -> Option<Answered> {
        let session = if world == 0 { &mut self.full } else { &mut self.less };
        let step = act(session).ok()?;
        let shown = step.shown.iter().filter_map(|shown| shown.to(self.who));
        self.shown[world].extend(shown.map(|shown| line("shown", shown)));
        self.last = format!("{what} {}", step.said);
        Some(step.answered)
    }

    /// Takes the same step in both worlds; `false` if they have no step in common.
    fn step(&mut self, ids: &[(AskId, AskId)], chance: &mut Chance) -> bool {
        if chance.below(OVERRULED) == 0 {
            self.overrule(chance);
            return true;
        }
        match self.full.now() {
            Now::Over => false,
            Now::Roll(roll) => {
                let faces = chance.throw(&roll.dice).to_vec();
                (0..2).all(|world| self.do_in(world, "a roll", |game| game.roll(&faces, true)).is_some())
            }
            Now::Asks(asks) => {
                let Some(&(this, other)) = ids.get(chance.place(ids.len())) else { return false };
                let Some(ask) = asks.iter().find(|ask| ask.id == this) else { return false };
                let gm = Viewer::Seat(Seat::Gm);
                let others = self.less.legal(other, gm);
                let mut common = self.full.legal(this, gm);
                common.retain(|listed| others.iter().any(|other| other.answer == listed.answer));
                let Some(listed) = common.get(chance.place(common.len())) else { return false };
                for seat in ask.who.seats().iter() {
                    let mut give = |world: usize, id| {
                        self.do_in(world, "an answer", |game| game.answer(seat, id, &listed.answer, true))
                    };
                    match (give(0, this), give(1, other)) {
                        (Some(Answered::Moved), Some(Answered::Moved)) => return true,
                        (Some(_), Some(_)) => {}
                        _ => return false,
                    }
                }
                true
            }
        }
    }

    /// Applies the same fiat in both worlds, if both accept it.
    fn overrule(&mut self, chance: &mut Chance) {
        let forms = self.less.fiat_forms();
        let Some(form) = forms.get(chance.place(forms.len())) else { return };
        let sent = at_random(form, chance);
        let given =
            |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
        let Ok(fiat) = form.fill(given) else { return };
        let taken =
            [&self.full, &self.less].map(|session| AnyTable::again(session).fiat(&fiat, false).is_ok());
        if taken == [true, true] {
            for world in 0..2 {
                self.do_in(world, "the gamemaster's word", |game| game.fiat(&fiat, true));
            }
        }
    }

    /// Compares all that the viewer is sent now; gives the number of bytes.
    fn look(&self, ids: &[(AskId, AskId)], chance: &mut Chance) -> usize {
        let who = self.who;
        let mut bytes = 0;
        for (look, this, other) in [
            ("the view", self.full.view(who).to_string(), self.less.view(who).to_string()),
            ("the cards", line("", &self.full.cards(who)), line("", &self.less.cards(who))),
            ("the stage", line("", &self.full.stage(who, &[])), line("", &self.less.stage(who, &[]))),
            ("the ending", line("", &self.full.ending(who)), line("", &self.less.ending(who))),
        ] {
            bytes += this.len();
            self.same(look, &[this], &[other]);
        }
        let guesses = self.guesses(chance);
        let mut tries = Vec::new();
        let seat = match who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        if let Now::Asks(asks) = self.full.now() {
            for ask in asks.iter().filter(|ask| seat.is_some_and(|seat| ask.who.seats().contains(seat))) {
                let mut listed = self.full.legal(ask.id, who);
                listed.retain(|listed| listed.answer.contains("\"@"));
                for _ in 0..TEMPLATES.min(listed.len()) {
                    let template = &listed[chance.place(listed.len())].answer;
                    tries.extend(guesses.iter().map(|guess| renamed(template, guess)));
                }
            }
        }
        let replies: Vec<String> = (G::standings().iter())
            .flat_map(|(reply, _)| guesses.iter().map(move |guess| renamed(reply, guess)))
            .collect();
        let of = |ids: Vec<AskId>, session: &Session<G>| {
            Told { who, ids: &ids, tries: &tries, replies: &replies }.by(session)
        };
        let this = of(ids.iter().map(|(this, _)| *this).collect(), &self.full);
        let other = of(ids.iter().map(|(_, other)| *other).collect(), &self.less);
        self.same("what is asked and told", &this, &other);
        bytes + this.iter().map(String::len).sum::<usize>()
    }

    /// Names to try: hidden ones and their beginnings, any other, and an unused one.
    fn guesses(&self, chance: &mut Chance) -> Vec<String> {
        let names = G::names(self.full.rules());
        let hidden = Hidden::from::<G>(self.full.rules(), self.full.state(), self.who);
        let open: Vec<&str> = (names.all())
            .filter(|&(letter, n)| !hidden.has(letter, n))
            .filter_map(|(letter, n)| names.slug(letter, n))
            .collect();
        let mut guesses = vec!["nothing-is-called-so".to_owned()];
        if let Some(name) = self.names.get(chance.place(self.names.len())) {
            guesses.extend([name.clone(), name.chars().take(2).collect(), name.chars().take(4).collect()]);
        }
        guesses.extend(open.get(chance.place(open.len())).map(|&name| name.to_owned()));
        guesses
    }

    #[track_caller]
    fn same(&self, what: &str, this: &[String], other: &[String]) {
        let differ = this.iter().zip(other).find(|(this, other)| this != other);
        if let Some((this, other)) = differ {
            let at = this.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            let near = |text: &str| {
                let from = text.as_bytes().get(at.saturating_sub(120)..).unwrap_or_default();
                String::from_utf8_lossy(from).chars().take(400).collect::<String>()
            };
            panic!("{}\nwith: …{}\nless: …{}", self.difference(what), near(this), near(other));
        }
        assert!(this.len() == other.len(), "{}: {this:#?} and {other:#?}", self.difference(what));
    }

    /// The message for a difference between the worlds.
    fn difference(&self, what: &str) -> String {
        format!(
            "{} of {} can tell whether {} is there, after {}, seed {}: {what}",
            self.who,
            self.setup.encounter.name(),
            self.dropped,
            self.last,
            self.seed
        )
    }
}

/// An answer with each of its names replaced.
pub fn renamed(json: &str, name: &str) -> String {
    let mut out = String::new();
    let mut rest = json;
    while let Some(at) = rest.find("\"@") {
        let (before, after) = rest.split_at(at + 2);
        out.push_str(before);
        out.push_str(name);
        rest = after.find('"').map_or("", |end| &after[end..]);
    }
    out.push_str(rest);
    out
}
