//! Reads a setup: the table, the ground, players, cast, what they have, where they stand.

mod cast;
mod content;
mod places;
#[cfg(test)]
mod tests;

use crate::effect::Fall;
use crate::rules::{GroundData, Haste, Minors, Named, RecourseData, Rules, Track};
use crate::state::State;
use crate::{At, vocab::*};
use fracas_kernel::{Faults, Faulty, Field, Fields, Names, Roster, Seat, Setup, near};

/// Columns and rows where a setup has no map.
const USUAL_MAP: (u8, u8) = (24, 16);
/// The ground that every table has, unless it brings its own of the name (`ext.terrain`).
const TREACHEROUS: &str = "treacherous";

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut reading = Reading::new(setup, &faults);
    reading.rules.roster.begin(&top);
    if let Some(options) = top.table("options") {
        options.settings(|id, word| reading.rules.options.set(id, word));
    }
    reading.table(&top);
    reading.all_traits(&top);
    reading.all_grounds(&top);
    reading.map(&top);
    reading.rules.roster.seat_players(&top);
    for fields in top.tables("manoeuvre") {
        reading.manoeuvre(fields, None);
    }
    let cast = reading.everybody(&top);
    for (who, fields) in &cast {
        reading.ride(*who, fields);
    }
    reading.stand(&cast);
    for (_, fields) in cast {
        fields.done();
    }
    reading.state.remember();
    if !reading.broken {
        let rules = &reading.rules;
        let acting = rules.everybody().filter(|&who| !rules.mounts.has(who));
        let seats: Vec<Seat> = acting.map(|who| rules.seat(who)).collect();
        rules.roster.everybody_plays(&top, &seats);
    }
    top.done();
    let Reading { rules, state, .. } = reading;
    faults.or((rules, state))
}

/// Reads somebody more into a table under way: with `player` a player's, who may be new to
/// the table, otherwise the Adversary's.
pub(crate) fn join(at: At<'_>, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    let mut reading =
        Reading { rules: at.rules.clone(), state: at.state.clone(), ..Reading::new(setup, &faults) };
    let who = Char(at.rules.cast.len() as u8);
    let is_pc = fields.has("player");
    reading.rules.roster.seat_newcomer(&fields);
    let entry = reading.entry(fields, if is_pc { "character" } else { "npc" });
    if let Some((who, fields)) = entry.and_then(|entry| reading.character(entry, is_pc)) {
        reading.belongings(&fields, who);
        let newcomer = [(who, fields)];
        for (who, fields) in &newcomer {
            reading.ride(*who, fields);
        }
        reading.stand(&newcomer);
        for (_, fields) in newcomer {
            fields.done();
        }
        reading.state.remember();
    }
    let Reading { rules, state, .. } = reading;
    faults.or((rules, state, who))
}

/// Everything read so far.
struct Reading<'s> {
    setup: &'s Setup,
    faults: Faulty,
    rules: Rules,
    state: State,
    /// An entry of the library is missing: who is missing with it is no further fault.
    broken: bool,
}

/// A character's table over that of the library, and each of both by itself.
struct Entry<'s> {
    fields: Fields<'s>,
    layers: Vec<Fields<'s>>,
}

impl<'s> Reading<'s> {
    fn new(setup: &'s Setup, faults: &Faulty) -> Reading<'s> {
        Reading {
            setup,
            faults: faults.clone(),
            rules: Rules { roster: Roster::new(setup), ..Rules::default() },
            state: State::default(),
            broken: false,
        }
    }

    /// A table over the library's entry that it names with `use`, if it does.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let over = self.setup.over_library(fields, list);
        self.broken |= over.is_none();
        over
    }

    /// The same for a character.
    fn entry(&mut self, own: Fields<'s>, list: &'static str) -> Option<Entry<'s>> {
        let base = match own.text("use") {
            Some(name) => {
                let base = self.setup.must_entry(list, name, (&own, "use"));
                self.broken |= base.is_none();
                Some(base?)
            }
            None => None,
        };
        let layers = base.iter().chain([&own]).cloned().collect();
        Some(Entry { fields: own.over(base), layers })
    }

    /// Everybody with what they have: players' characters, then the Adversary's. What players do not see
    /// comes last, so that of two things called alike no name tells of it.
    fn everybody(&mut self, top: &Fields<'s>) -> Vec<(Char, Fields<'s>)> {
        let mut entries = |list| -> Vec<Entry<'s>> {
            top.tables(list).into_iter().filter_map(|fields| self.entry(fields, list)).collect()
        };
        let (own, others) = (entries("character"), entries("npc"));
        let (hidden, open): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|entry| cast::is_to_be_hidden(&entry.fields));
        let mut cast: Vec<_> = own.into_iter().filter_map(|entry| self.character(entry, true)).collect();
        cast.extend(open.into_iter().filter_map(|entry| self.character(entry, false)));
        for (who, fields) in &cast {
            self.belongings(fields, *who);
        }
        for entry in hidden {
            if let Some((who, fields)) = self.character(entry, false) {
                self.belongings(&fields, who);
                cast.push((who, fields));
            }
        }
        cast
    }

    /// Whether players know nothing of somebody.
    fn is_hidden(&self, who: Char) -> bool {
        let being = self.state.being(who);
        !self.rules.is_pc(who) && (being.unseen || being.away && !self.state.met.has(who))
    }

    /// A name for what somebody owns: where it is taken, the thing is called after its owner too.
    fn slug_of_owned(&mut self, fields: &Fields<'s>, letter: char, name: &str, owner: Char) -> String {
        let slug = self.owned(fields, name, owner);
        self.rules.roster.add_name(fields, letter, &slug);
        slug
    }

    fn owned(&self, fields: &Fields<'s>, name: &str, owner: Char) -> String {
        let plain = Roster::slug_of(fields, name);
        // Of what has no name that is the fault to tell.
        if fields.has("id") || plain.is_empty() {
            return plain;
        }
        let is_free = |slug: &String| self.rules.roster.names.find(slug).is_none();
        let sheet = self.rules.sheet(owner);
        if self.is_hidden(owner) {
            let secret = [sheet.slug.as_str(), &sheet.secret];
            return (0..).map(|nth| Names::unseen(&plain, &secret, nth)).find(is_free).unwrap_or_default();
        }
        let owned = format!("{}-{plain}", sheet.slug);
        let numbered = (2..).map(|nth| format!("{owned}-{nth}"));
        [plain, owned.clone()].into_iter().chain(numbered).find(is_free).unwrap_or_default()
    }

    /// How the table plays.
    fn table(&mut self, top: &Fields<'s>) {
        let Some(table) = top.table("table") else { return };
        self.rules.brace = table.flag("brace").unwrap_or(false);
        if let Some(haste) = table.table("haste") {
            let usual = Haste::default();
            self.rules.haste = Haste {
                actions: haste.int("actions", 1..=2).map_or(usual.actions, |actions| actions as u8),
                initiative: haste.int("initiative", 1..=20).map_or(usual.initiative, |more| more as u8),
            };
            haste.done();
        }
        if let Some(minors) = table.table("initiative") {
            let change = |of| minors.int(of, -9..=9).unwrap_or(0) as i8;
            self.rules.minors = Minors {
                step: change("step"),
                draw: change("draw"),
                shout: change("shout"),
                drop: change("drop"),
                surprised: change("surprised"),
            };
            minors.done();
        }
        if let Some(track) = table.table("track") {
            self.rules.track = read_track(track, self.rules.track);
        }
        for fields in table.tables("abort") {
            self.recourse(fields);
        }
        table.done();
    }

    /// What a sacrificed action buys besides Defend and Resist (`ext.abort`).
    fn recourse(&mut self, fields: Fields<'s>) {
        if self.rules.recourses.len() == MAX_RECOURSES {
            return fields.fault(format!("too many options for Abort: {MAX_RECOURSES} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Recourse::LETTER, &name);
        fields.text("note");
        let buys = content::bought(&fields);
        self.rules.recourses.extend(buys.map(|buys| RecourseData { slug, name, buys }));
        fields.done();
    }

    /// Traits and skills, the rulebook's and the table's (`trait.list`, `skill.list`).
    fn all_traits(&mut self, top: &Fields<'s>) {
        for (of, name) in (0..).map(Trait).zip(TRAITS) {
            let slug = Names::slug_of(name);
            self.rules.roster.names.add(Trait::LETTER, &slug);
            self.rules.traits.push(Named { slug, name: name.to_owned(), mental: of.is_mental() });
        }
        for fields in top.tables("skill") {
            self.skill(fields);
        }
    }

    /// A skill of the table's own.
    fn skill(&mut self, fields: Fields<'s>) -> Option<Trait> {
        let fields = self.over_library(fields, "skill")?;
        if self.rules.traits.len() == MAX_TRAITS {
            fields.fault(format!("too many skills: {} at most", MAX_TRAITS - TRAITS.len()));
            return None;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Trait::LETTER, &name);
        let mental = fields.flag("mental").unwrap_or(false);
        self.rules.traits.push(Named { slug, name, mental });
        fields.text("note");
        fields.done();
        Some(Trait(self.rules.traits.len() as u8 - 1))
    }

    /// The trait or skill that a word means. A player's character may bring one of the library's
    /// to the table: whose it is shows.
    fn known_trait(&mut self, word: &str, brings: bool) -> Option<Trait> {
        let slug = Names::slug_of(word);
        let is_meant = |named: &Named| named.slug == slug || Names::slug_of(&named.name) == slug;
        if let Some(at) = self.rules.traits.iter().position(is_meant) {
            return Some(Trait(at as u8));
        }
        let fields = if brings { self.of_library("skill", &slug) } else { None };
        self.skill(fields?)
    }

    /// The same where a field must name one.
    fn trait_of(&mut self, fields: &Fields<'s>, field: &str, word: &str, brings: bool) -> Option<Trait> {
        let found = self.known_trait(word, brings);
        if found.is_none() {
            let there: Vec<&str> = self.rules.traits.iter().map(|named| named.slug.as_str()).collect();
            let (perhaps, there) = (near(&Names::slug_of(word), &there), there.join(", "));
            let what = format!("no trait or skill is called {word:?}{perhaps}; there are {there}");
            fields.fault_in(field, what);
        }
        found
    }

    /// The library's entry of a list whose name makes this slug.
    fn of_library(&self, list: &'static str, slug: &str) -> Option<Fields<'s>> {
        let mut names = self.setup.library.iter().flat_map(|document| document.entries(list));
        let name = names.find(|name| Names::slug_of(name) == slug)?;
        self.setup.entry(list, name, &self.faults)
    }

    /// Kinds of ground (`ext.terrain`).
    fn all_grounds(&mut self, top: &Fields<'s>) {
        for fields in top.tables("ground") {
            self.ground(fields);
        }
        if self.ground_called(TREACHEROUS).is_some() || self.rules.grounds.len() == MAX_GROUNDS {
            return;
        }
        let (slug, name) = (TREACHEROUS.to_owned(), "treacherous ground".to_owned());
        self.rules.roster.names.add(Ground::LETTER, &slug);
        let fall = Fall { prone: true, ..Fall::default() };
        self.rules.grounds.push(GroundData { slug, name, movement: 0, level: Some(9), fall });
    }

    fn ground_called(&self, word: &str) -> Option<u8> {
        let slug = Names::slug_of(word);
        let is_meant = |ground: &GroundData| ground.slug == slug || ground.name == word;
        self.rules.grounds.iter().position(is_meant).map(|at| at as u8)
    }

    fn ground(&mut self, fields: Fields<'s>) -> Option<u8> {
        let fields = self.over_library(fields, "ground")?;
        if self.rules.grounds.len() == MAX_GROUNDS {
            fields.fault(format!("too many kinds of ground: {MAX_GROUNDS} at most"));
            return None;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Ground::LETTER, &name);
        let movement = fields.int("movement", -30..=30).unwrap_or(0) as i8;
        let level = fields.int("level", 0..=60).map(|level| level as u8);
        let fall = Fall {
            prone: fields.flag("prone").unwrap_or(level.is_some()),
            wounds: fields.int("wounds", 0..=60).unwrap_or(0) as u8,
            back: fields.flag("back").unwrap_or(false),
        };
        fields.text("note");
        if level.is_none() && !fields.has("level") {
            let what =
                "nobody falls where no check is made: say with `level` how hard the footing is (ext.terrain)";
            fields.idle_all(&["prone", "wounds", "back"], what);
            if movement == 0 {
                fields.idle("", "it is as ordinary ground: say its `movement` or its `level` (ext.terrain)");
            }
        }
        self.rules.grounds.push(GroundData { slug, name, movement, level, fall });
        fields.done();
        Some(self.rules.grounds.len() as u8 - 1)
    }

    /// The map; without one an empty grid.
    fn map(&mut self, top: &Fields<'s>) {
        let (columns, rows) = USUAL_MAP;
        self.rules.field = match top.table("map") {
            Some(map) => self.drawn(map),
            None => Field::grid(columns, rows, self.rules.options.metric),
        };
        self.rules.find_floors();
    }

    fn drawn(&mut self, map: Fields<'s>) -> Field {
        let here = self.rules.grounds.iter().map(|ground| ground.slug.clone());
        let library = self.setup.library.iter().flat_map(|document| document.entries("ground"));
        let mut words: Vec<String> = here.chain(library.map(Names::slug_of)).collect();
        words.sort_unstable();
        words.dedup();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let metric = self.rules.options.metric;
        let field = Field::read(&map, metric, &mut |word| self.kind(word), &words);
        map.done();
        field
    }

    /// The number on the map of a kind of ground: one of the table, or else of the library.
    fn kind(&mut self, word: &str) -> Option<u8> {
        let found = self.ground_called(word).or_else(|| {
            let fields = self.of_library("ground", &Names::slug_of(word))?;
            self.ground(fields)
        });
        found.map(|at| at + 1)
    }
}

/// A wound track, with what is `usual` where it says nothing (`ext.health`).
fn read_track(fields: Fields<'_>, usual: Track) -> Track {
    let most = i64::from(MAX_WOUNDS);
    let number = |of, least| fields.int(of, least..=most).map(|number| number as u16);
    let track = Track {
        penalty: number("penalty", 0).unwrap_or(usual.penalty),
        disabled: number("disabled", 1).or(usual.disabled),
        dead: number("dead", 1).unwrap_or(usual.dead),
    };
    if fields.has("disabled") && track.disabled.is_some_and(|disabled| disabled > track.dead) {
        let what = format!("expected at most {}: so many wounds kill (ext.health)", track.dead);
        fields.fault_in("disabled", what);
    }
    fields.done();
    track
}
