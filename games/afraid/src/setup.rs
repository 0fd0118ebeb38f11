//! Reads a setup: players, cast, sheets, the monster's writeup, scenes, a conflict.

use crate::answer::{AtStake, Sides};
use crate::dice::{Hand, Pool, Rating, TOP};
use crate::rules::{Origin, Rules, Settings, Sheet, Writeup};
use crate::state::{
    Being, Changes, Fate, MAX_SCENES, MAX_STRIKES, Nature, Need, Scene, Stage, State, Thing, To,
};
use crate::{At, Play, background, conflict, vocab::*};
use fracas_kernel::{
    Faults, Faulty, Fields, Label, Names, NoSink, Refused, Roster, Seat, SeatInfo, Setup, amid,
};
use std::collections::BTreeSet;

/// The most dice that a stat or a thing on a sheet has.
pub(crate) const MOST_DICE: u8 = 20;
/// The most dice of one size in a pool: as many as are thrown at once.
const MOST_OF_A_SIZE: u8 = 60;
/// The d10s that the monster has for all its victims (`beyond.monster.victims`).
const MOST_OF_VICTIMS: u32 = 10;

/// The most bytes of what names are cut to.
const MOST_OF_A_SLUG: usize = 56;

/// Everything read so far.
struct Reading<'s> {
    setup: &'s Setup,
    faults: Faulty,
    rules: Rules,
    state: State,
    /// Relationships and facts that name somebody, looked up once everybody is known.
    links: Vec<(Link, Fields<'s>, &'s str)>,
    /// What is missing from a library is not told of twice.
    broken: bool,
    /// Somebody was named who is not there: what follows from it is not told besides.
    astray: bool,
    /// Those whom the library calls something else, of whom there may be several.
    copies: CharSet,
    /// Those who were carried from other evenings.
    carried: CharSet,
    /// Somebody joins a table under way.
    joins: bool,
}

/// What names somebody.
#[derive(Clone, Copy)]
enum Link {
    /// A relationship, or the monster's bond of a victim.
    Item(Item),
    /// A fact of the writeup.
    Fact(Fact),
}

/// Something that a sheet lists, before it is read whole.
struct Listed<'s> {
    fields: Fields<'s>,
    sort: Sort,
    /// Players know of it.
    known: bool,
    to: Option<&'s str>,
    name: String,
    arena: Option<Arena>,
    id: Option<&'s str>,
    /// The name by which answers refer to the entry if it has no `id`.
    slug: String,
}

impl<'s> Listed<'s> {
    fn read(fields: Fields<'s>, sort: Sort, pc: bool) -> Listed<'s> {
        let to = if matches!(sort, Sort::Relationship | Sort::Bond) { fields.text("to") } else { None };
        Listed {
            sort,
            known: pc || fields.flag("known").unwrap_or(false),
            to,
            name: fields.text("name").or(to).unwrap_or_default().to_owned(),
            arena: if sort == Sort::Trait { fields.word("arena", Arena::WORDS) } else { None },
            id: fields.text("id"),
            slug: String::new(),
            fields,
        }
    }
}

fn nothing(setup: &Setup) -> Rules {
    Rules {
        roster: Roster::new(setup),
        carried: carried(setup, |character| character.text("name").into_iter().collect()),
        ties: if setup.encounter.began_before(8) { Vec::new() } else { carried(setup, ties) },
        lenient: setup.encounter.began_before(7),
        ..Rules::default()
    }
}

/// What is read of the living characters of the players who were carried from other evenings.
fn carried<'s>(setup: &'s Setup, read: impl Fn(Fields<'s>) -> Vec<&'s str>) -> Vec<String> {
    let faults = Faulty::new();
    let tops = setup.library.iter().map(|document| document.fields(&faults));
    let carried = tops.filter(|top| top.has("carried")).flat_map(|top| top.tables("character"));
    carried.flat_map(read).map(str::to_owned).collect()
}

/// To whom a character's relationships are.
fn ties(character: Fields<'_>) -> Vec<&str> {
    character.tables("relationship").into_iter().filter_map(|fields| fields.text("to")).collect()
}

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut reading = Reading::new(setup, &faults, nothing(setup), State::default());
    reading.rules.roster.begin(&top);
    reading.table(&top);
    reading.later_names(top.text("briefing").unwrap_or_default());
    reading.rules.roster.seat_players(&top);
    reading.origins(&top);
    for person in top.tables("person") {
        let name = person.must_text("name");
        let met = person.flag("met").unwrap_or(false);
        person.text("note");
        if let Some(at) = reading.person(&person, name)
            && met
        {
            reading.state.met_people = reading.state.met_people.with(at);
        }
        person.done();
    }
    for (list, pc) in [("character", true), ("npc", false)] {
        for fields in top.tables(list) {
            reading.being(fields, pc);
        }
    }
    reading.link();
    reading.state.stock = top.int("stock", 0..=40).map_or_else(|| reading.stock(), |n| n as u8);
    reading.victims_fit(&top, "stock");
    reading.scenes(&top);
    if !reading.broken {
        let seats: Vec<Seat> = reading.rules.cast.iter().map(|sheet| sheet.seat).collect();
        reading.rules.roster.everybody_plays(&top, &seats);
    }
    crate::monster::meet_all(&mut reading.play(&mut NoSink));
    reading.names_of_hearsay(&top);
    if let Some(table) = top.table("conflict") {
        reading.conflict(&table);
        table.done();
    }
    top.done();
    let (rules, state) = (reading.rules, reading.state);
    faults.or((rules, state))
}

/// Who sits at the table, and whom they play.
pub(crate) fn seats(rules: &Rules) -> Vec<SeatInfo> {
    let holds = |seat| -> Vec<String> {
        rules.cast.iter().filter(|sheet| sheet.seat == seat).map(|sheet| sheet.slug.clone()).collect()
    };
    rules.roster.seats(holds)
}

/// Reads one more character into a table under way: with `player` a player's.
pub(crate) fn join(at: At<'_>, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    let mut reading = Reading::new(setup, &faults, at.rules.clone(), at.state.clone());
    reading.joins = true;
    let who = Char(at.rules.cast.len() as u8);
    let pc = fields.has("player");
    reading.rules.roster.seat_newcomer(&fields);
    let table = setup.encounter.fields(&faults);
    reading.being(fields, pc);
    reading.link();
    reading.share(&table, who);
    let (rules, mut state) = (reading.rules, reading.state);
    if let Some(scene) = state.scene_mut() {
        scene.present = scene.present.with(who);
    }
    faults.or((rules, state, who))
}

/// What somebody of this name is referred to by.
pub(crate) fn slug_of(name: &str) -> String {
    cut(Names::slug_of(name))
}

/// What is too long to refer by is cut, with room for a number behind it.
fn cut(slug: String) -> String {
    let is_long = !Names::is_slug(&slug) && slug.len() > MOST_OF_A_SLUG && slug.is_ascii();
    if is_long { slug[..MOST_OF_A_SLUG].trim_end_matches('-').to_owned() } else { slug }
}

/// Dice as written: `2d6 1d8`, or `2d6 + 1d8`.
pub(crate) fn pool(text: &str) -> Option<Pool> {
    text.split([' ', '+', ',']).filter(|part| !part.is_empty()).try_fold(Pool::EMPTY, |pool, part| {
        let (count, size) = part.split_once('d')?;
        let count: u8 = if count.is_empty() { 1 } else { count.parse().ok()? };
        let sides: u8 = size.parse().ok()?;
        let size = Size::ALL.iter().copied().find(|size| size.sides() == sides)?;
        (pool.count(size).checked_add(count)? <= MOST_OF_A_SIZE).then(|| pool.and(count, size))
    })
}

/// The rating of a thing on a sheet: dice of one size, and a further `1d4` if the thing is
/// beyond nature.
pub(crate) fn rating(pool: Pool) -> Option<Rating> {
    let mut kinds = Size::ALL.iter().copied().filter(|&size| pool.count(size) > 0);
    let (first, second) = (kinds.next()?, kinds.next());
    if kinds.next().is_some() {
        return None;
    }
    match second {
        None if pool.count(first) <= MOST_DICE => Some(Rating::of(pool.count(first), first)),
        // A single d4 comes first, and is the one on top.
        Some(main) if pool.count(Size::D4) == 1 && pool.count(main) <= MOST_DICE => {
            Some(Rating { more: 1, ..Rating::of(pool.count(main), main) })
        }
        _ => None,
    }
}

impl<'s> Reading<'s> {
    fn new(setup: &'s Setup, faults: &Faulty, rules: Rules, state: State) -> Reading<'s> {
        let (copies, carried) = (CharSet::NONE, CharSet::NONE);
        let (links, faults) = (Vec::new(), faults.clone());
        Reading {
            setup,
            faults,
            rules,
            state,
            links,
            broken: false,
            astray: false,
            copies,
            carried,
            joins: false,
        }
    }

    /// The table so far in play: nobody is told of anything yet.
    fn play<'p>(&'p mut self, sink: &'p mut NoSink) -> Play<'p, NoSink> {
        Play { rules: &self.rules, state: &mut self.state, sink }
    }

    /// Options and settings.
    fn table(&mut self, top: &Fields<'s>) {
        if let Some(options) = top.table("options") {
            options.settings(|id, word| self.rules.options.set(id, word));
        }
        if let Some(settings) = top.table("settings") {
            self.rules.settings = Settings {
                members_pay: settings.flag("members_pay").unwrap_or(false),
                self_aid: settings.flag("self_aid").unwrap_or(false),
                influence: dice(&settings, "influence").unwrap_or_default(),
            };
            settings.done();
        }
    }

    /// Names for whatever play may bring.
    fn later_names(&mut self, briefing: &str) {
        let names = &mut self.rules.roster.names;
        let mut many = |letter: char, word: &str, most: usize| {
            for n in 1..=most {
                names.add(letter, &format!("{word}-{n}"));
            }
        };
        many('n', "newcomer", MAX_NEWCOMERS);
        many('g', "gained", MAX_GAINED);
        many('s', "someone", MAX_MET);
        let unseen = [('h', "theirs", MAX_THEIRS), ('t', "stranger", MAX_THEIR_MET)];
        if self.rules.lenient {
            unseen.into_iter().for_each(|(letter, word, most)| many(letter, word, most));
        } else {
            // By numbers players would learn how much more has become of others.
            let briefing = briefing.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
            let briefing: Vec<&str> = briefing.collect();
            for (letter, word, most) in unseen {
                let mut slugs = (0..).map(|nth| Names::unseen(word, &briefing, nth));
                for _ in 0..most {
                    slugs.by_ref().find(|slug| names.add(letter, slug));
                }
            }
        }
        names.add('w', "injury");
    }

    /// Backgrounds: those of the encounter, then of its library, then the four known ones.
    fn origins(&mut self, top: &Fields<'s>) {
        self.own_origins(top);
        for origin in background::known() {
            // The encounter's background of the same name replaces this one.
            if self.rules.backgrounds.len() < 16
                && self.rules.roster.names.add(Background::LETTER, &Names::slug_of(&origin.name))
            {
                self.rules.backgrounds.push(origin);
            }
        }
    }

    fn own_origins(&mut self, top: &Fields<'s>) {
        let mut tables = top.tables("background");
        for document in &self.setup.library {
            tables.extend(document.fields(&self.faults).tables("background"));
        }
        for fields in tables {
            let Some(fields) = self.over_library(fields, "background") else { continue };
            let name = fields.must_text("name").to_owned();
            if self.rules.backgrounds.iter().any(|origin| origin.name == name) {
                continue;
            }
            if self.rules.backgrounds.len() == 16 {
                fields.fault("too many backgrounds: 16 at most");
                return;
            }
            let slug = Names::slug_of(&name);
            self.add_name(&fields, Background::LETTER, &slug);
            let mut origin = Origin {
                note: fields.text("note").unwrap_or_default().to_owned(),
                stats: fields.int("stats", 0..=40).unwrap_or(12) as u8,
                traits: dice(&fields, "traits").unwrap_or_default(),
                relationships: dice(&fields, "relationships").unwrap_or_default(),
                bonds: fields.int("bonds", 0..=4).unwrap_or(0) as u8,
                weapons: fields.int("weapons", 0..=4).unwrap_or(0) as u8,
                true_at_start: fields.int("true_at_start", 0..=4).unwrap_or(1) as u8,
                never: fields.words("never", Circumstance::WORDS).into_iter().collect(),
                name,
            };
            self.limit(&fields, &mut origin);
            self.rules.backgrounds.push(origin);
            fields.done();
        }
    }

    /// A background begins with no more circumstances than it allows
    /// (`background-circumstances`).
    fn limit(&self, fields: &Fields<'s>, origin: &mut Origin) {
        let most = Circumstances::ALL.minus(origin.never).len() as u8;
        let asked = origin.true_at_start;
        if asked > most {
            let are = if asked == 1 { "is" } else { "are" };
            let left = if most == 0 { "none".to_owned() } else { most.to_string() };
            let what = format!(
                "{asked} {are} true at the start, and `never` leaves {left} to choose from \
                 (background-circumstances)"
            );
            self.unsound(fields, "true_at_start", what);
            origin.true_at_start = most;
        }
    }

    /// Notes a fault that earlier rules allowed. A table that began under those rules goes on:
    /// its own setup and its joiners are not at fault.
    fn unsound(&self, fields: &Fields<'s>, field: &str, what: impl Into<String>) {
        if !self.joins {
            fields.idle(field, what);
        } else if !self.rules.lenient {
            fields.fault_in(field, what);
        }
    }

    /// Somebody outside the cast whom something is about.
    fn person(&mut self, fields: &Fields<'s>, name: &str) -> Option<Person> {
        if let Some(at) = self.rules.people.iter().position(|one| one == name) {
            return Some(Person(at as u8));
        }
        if self.rules.people.len() == MAX_PEOPLE {
            fields.fault(format!("too many people: {MAX_PEOPLE} at most"));
            return None;
        }
        let at = Person(self.rules.people.len() as u8);
        let plain = slug_of(name);
        let slug = match self.is_tie(name) {
            true if self.is_taken(&plain) => self.numbered(&plain),
            true => plain,
            false => self.apart(plain),
        };
        self.add_name(fields, Person::LETTER, &slug);
        self.rules.people.push(name.to_owned());
        Some(at)
    }

    /// Whether a carried relationship is to somebody called exactly so.
    fn is_tie(&self, name: &str) -> bool {
        self.rules.ties.iter().any(|tie| tie == name)
    }

    /// What something else goes by than those to whom carried relationships are: players, who
    /// know those, do not learn of it by a number (`same-name`).
    fn apart(&self, slug: String) -> String {
        if self.is_kept(&slug) { self.numbered(&slug) } else { slug }
    }

    /// Whether somebody to whom a carried relationship is goes by this.
    fn is_kept(&self, slug: &str) -> bool {
        self.rules.ties.iter().any(|tie| slug_of(tie) == slug)
    }

    fn is_taken(&self, slug: &str) -> bool {
        self.rules.roster.names.find(slug).is_some()
    }

    /// This with the first number that is free.
    fn numbered(&self, slug: &str) -> String {
        let mut numbered = (2u32..).map(|n| format!("{slug}-{n}"));
        numbered.find(|slug| !self.is_kept(slug) && !self.is_taken(slug)).unwrap_or_default()
    }

    fn add_name(&mut self, fields: &Fields<'s>, letter: char, slug: &str) {
        // Of what has no name that is told already.
        if !slug.is_empty() || fields.has("name") {
            self.rules.roster.add_name(fields, letter, slug);
        }
    }

    /// What stands here over what the library says of the name it uses.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let over = self.setup.over_library(fields, list);
        self.broken = self.broken || over.is_none();
        over
    }

    /// Somebody: a player's character, or one of the gamemaster's.
    fn being(&mut self, fields: Fields<'s>, pc: bool) {
        let is_copy = fields.has("use") && fields.has("name");
        let is_carried =
            fields.text("use").is_some_and(|name| self.rules.carried.iter().any(|other| other == name));
        let Some(fields) = self.over_library(fields, if pc { "character" } else { "npc" }) else { return };
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return;
        }
        let who = Char(self.rules.cast.len() as u8);
        if is_copy {
            self.copies = self.copies.with(who);
        }
        if is_carried {
            self.carried = self.carried.with(who);
        }
        let name = fields.must_text("name").to_owned();
        let id = fields.text("id").map_or_else(|| slug_of(&name), str::to_owned);
        let plain = slug_of(&name);
        let slug = match () {
            () if pc => id.clone(),
            () if self.is_tie(&name) && !self.is_taken(&plain) => plain,
            () => self.apart(id.clone()),
        };
        self.add_name(&fields, Char::LETTER, &slug);
        if !name.is_empty() && name.parse::<Label>().is_err() {
            fields.fault_in(
                "name",
                format!("a name is one line of {} characters at most, not beginning with @", Label::MOST),
            );
        }
        let seat = if pc { fields.player(&self.rules.roster.players) } else { Seat::Gm };
        let is_dead = fields.flag("dead").unwrap_or(false);
        if pc && !is_dead && !name.is_empty() {
            self.own_name(&fields, &name);
        }
        let text = |field| fields.text(field).unwrap_or_default().to_owned();
        self.rules.cast.push(Sheet {
            slug,
            id,
            said: amid(&name),
            name,
            seat,
            note: text("note"),
            secret: text("secret"),
            history: fields.texts("history").into_iter().map(str::to_owned).collect(),
        });
        let said = if pc { None } else { fields.word("tie", Tie::WORDS) };
        let tie = said.unwrap_or(Tie::Bystander);
        if pc {
            fields.idle_all(&["met"], "players have met their own characters: only the gamemaster's have it");
        }
        let mut being = Being::new(seat, tie, Nature::One);
        self.nature(&fields, &mut being, pc);
        if let Some(stats) = fields.table("stats") {
            for &(word, stat) in Stat::WORDS {
                being.stats[stat as usize] = stats.int(word, 0..=i64::from(MOST_DICE)).unwrap_or(0) as u8;
            }
            stats.done();
        } else if !fields.has("dice") {
            fields.fault("`stats` are missing: { acuity = 3, body = 3, heart = 3, will = 3 }");
        }
        being.unassigned = dice(&fields, "unassigned").unwrap_or_default();
        being.circumstances = fields.words("circumstances", Circumstance::WORDS).into_iter().collect();
        if let Some(name) = fields.text("background") {
            match self.rules.backgrounds.iter().position(|origin| origin.name == name) {
                Some(at) => being.background = Some(Background(at as u8)),
                None => {
                    let known = self.rules.backgrounds.iter().map(|origin| origin.name.as_str());
                    fields.unknown("background", "there is no [[background]] called", name, known);
                }
            }
        }
        if let Some(text) = fields.text("needs_aid") {
            match pool(text).filter(|dice| !dice.is_empty()) {
                Some(dice) => being.need = Some(Need { dice, tried: false, met: false }),
                None => fields.fault_in("needs_aid", "expected the dice of the injury, as \"4d8\""),
            }
            if is_dead {
                let what = "the dead require no first aid: leave it out, or leave `dead` out (dying.final)";
                self.unsound(&fields, "needs_aid", what);
            } else if matches!(being.nature, Nature::Thing(_)) {
                let what = "a thing has no body or mind to be treated: leave it out (firstaid-no-sheet)";
                self.unsound(&fields, "needs_aid", what);
            }
        }
        if is_dead {
            being.fate = Fate::Dead;
        }
        let worth = fields.int("worth", 0..=i64::from(crate::monster::MOST_WORTH));
        let hold = fields.word("hold", Hold::WORDS);
        if tie == Tie::Victim {
            being.hold = hold.unwrap_or(Hold::Held);
            let usual = i64::from(being.hold == Hold::Held);
            being.worth = worth.unwrap_or(usual) as u8;
        } else if (worth.is_some() || hold.is_some()) && (said.is_some() || !fields.has("tie")) {
            fields.fault("only a victim of the monster (`tie = \"victim\"`) has `worth` and `hold`");
        }
        if fields.flag("met").unwrap_or(false) {
            self.state.met = self.state.met.with(who);
        }
        self.state.cast.push(being);
        let listed = |&(list, sort): &(&'static str, Sort)| {
            fields.tables(list).into_iter().map(move |table| Listed::read(table, sort, pc))
        };
        let mut things: Vec<Listed<'s>> = Sort::WORDS.iter().flat_map(listed).collect();
        self.name_things(who, &mut things);
        for thing in things {
            self.thing(thing, who);
        }
        for table in fields.tables("fact") {
            self.fact(table, who);
        }
        if fields.flag("fresh").unwrap_or(false) {
            self.fresh(&fields, who);
        }
        fields.done();
    }

    /// The living characters of the players each have a name of their own (`same-name`).
    fn own_name(&self, fields: &Fields<'s>, name: &str) {
        let others = self.state.everybody().filter(|&who| self.state.is_pc(who) && self.state.lives(who));
        let at = At { rules: &self.rules, state: &self.state };
        let mut called = others.map(|who| crate::view::name(at, who));
        let is_somebody_else = self.joins && !fields.has("use") && self.rules.is_away(name);
        if called.any(|other| other.eq_ignore_ascii_case(name)) || is_somebody_else {
            let what = format!(
                "another of the players' characters is called {name:?}: give each a name of their own \
                 (same-name)"
            );
            self.unsound(fields, "name", what);
        }
    }

    /// A person, a group, or something with dice and no sheet.
    fn nature(&self, fields: &Fields<'s>, being: &mut Being, pc: bool) {
        let members = fields.int("members", 1..=MAX_STRIKES as i64);
        let dice = dice(fields, "dice");
        match (members, dice, pc) {
            (None, None, _) => {}
            (_, _, true) => {
                fields.fault("only the gamemaster's characters are groups, or have dice of their own")
            }
            (Some(_), Some(_), _) => fields.fault("a group has a sheet: either `members` or `dice`"),
            (Some(members), None, _) => being.nature = Nature::Group(members as u8),
            (None, Some(dice), _) => being.nature = Nature::Thing(dice),
        }
        if let Nature::Thing(dice) = being.nature {
            let what = "a thing rolls its `dice` and has no sheet: leave it out, or leave `dice` out";
            let of_sheets =
                ["stats", "trait", "bond", "relationship", "belonging", "circumstances", "unassigned"];
            fields.idle_all(&of_sheets, what);
            if dice.is_empty() {
                fields.idle("dice", "a thing without dice rolls nothing: as \"4d8\"");
            }
        }
    }

    /// Names the things that have no `id`: known things are named first, so that hidden
    /// ones do not number them.
    fn name_things(&self, owner: Char, things: &mut [Listed<'s>]) {
        let mut taken: BTreeSet<String> = things.iter().filter_map(|it| it.id.map(str::to_owned)).collect();
        let is_free = |slug: &String, taken: &BTreeSet<String>| {
            !self.is_taken(slug) && !taken.contains(slug) && !self.is_kept(slug)
        };
        let (seen, unseen): (Vec<_>, Vec<_>) =
            things.iter_mut().filter(|it| it.id.is_none()).partition(|it| it.known);
        for it in seen.into_iter().chain(unseen) {
            // Called after its owner: many have a "Brave", and relationships bear names.
            let whole = format!("{}-{}", self.rules.cast[owner.index()].slug, Names::slug_of(&it.name));
            let owned = cut(whole);
            // And after its arena, which tells sets with the same name apart.
            let arena = it.arena.filter(|_| !self.state.is_pc(owner));
            let of_arena = arena.map(|arena| format!("{owned}-{arena}")).filter(|slug| Names::is_slug(slug));
            let owned = of_arena.unwrap_or(owned);
            let numbered = |n: usize| if n == 1 { owned.clone() } else { format!("{owned}-{n}") };
            it.slug = (1..).map(numbered).find(|slug| is_free(slug, &taken)).unwrap_or_default();
            taken.insert(it.slug.clone());
        }
    }

    /// Something on a sheet.
    fn thing(&mut self, listed: Listed<'s>, owner: Char) {
        let Listed { fields, sort, known, to, name, arena, id, slug } = listed;
        if self.state.items.is_full() {
            fields.fault(format!("too much on all sheets together: {MAX_ITEMS} things at most"));
            return;
        }
        if name.is_empty() {
            fields.fault(if sort == Sort::Relationship {
                "`to` is missing: whom it is to"
            } else {
                "`name` is missing: text"
            });
        }
        let item = Item(self.state.items.len() as u8);
        let slug = id.map_or(slug, |id| self.apart(self.id_of(owner, id)));
        self.add_name(&fields, Item::LETTER, &slug);
        self.rules.items.push(name);
        let supernatural = fields.flag("supernatural").unwrap_or(false);
        let graded = if sort == Sort::Belonging { fields.word("grade", Grade::WORDS) } else { None };
        let said = fields.text("dice").map(|text| pool(text).and_then(rating));
        let mut rated = match (said, graded) {
            (Some(Some(rating)), _) => rating,
            (None, Some(grade)) => Rating::of(grade.rating().0, grade.rating().1),
            (None, None) if sort == Sort::Belonging => Rating::of(1, Size::D6),
            (None, None) => {
                fields.fault("`dice` are missing: as \"2d6\"");
                Rating::of(1, Size::D6)
            }
            (Some(None), _) => {
                let what = "expected dice of one size, as \"2d6\", with \"+ 1d4\" where beyond nature";
                fields.fault_in("dice", what);
                Rating::of(1, Size::D6)
            }
        };
        if said.is_some() {
            fields.idle_all(&["grade"], "its `dice` stand in place of a grade: either this or `dice`");
        }
        if supernatural && rated.more > 0 {
            fields.idle("supernatural", "its dice have the 1d4 on top already: either this or \"+ 1d4\"");
        }
        if sort == Sort::Bond && to.is_some() && self.state.being(owner).tie != Tie::Monster {
            fields
                .idle("to", "only a monster's bond is with a victim: leave it out (beyond.monster.victims)");
        }
        rated.more += u8::from(supernatural && rated.more == 0);
        let holds = sort != Sort::Bond || !fields.flag("broken").unwrap_or(false);
        self.state.items.push(Thing { arena, holds, known, ..Thing::new(owner, sort, rated) });
        fields.text("note");
        if let Some(to) = to {
            self.links.push((Link::Item(item), fields, to));
        } else {
            fields.done();
        }
    }

    /// The slug of an `id` on a sheet. Copies of a sheet have their owner's slug before the `id`.
    fn id_of(&self, owner: Char, id: &str) -> String {
        let slug = &self.rules.cast[owner.index()].slug;
        if self.copies.has(owner) && self.rules.roster.names.find(id).is_some() {
            format!("{slug}-{id}")
        } else {
            id.to_owned()
        }
    }

    /// A fact of the monster's writeup.
    fn fact(&mut self, fields: Fields<'s>, owner: Char) {
        if self.rules.facts.len() == MAX_FACTS {
            fields.fault(format!("too many facts: {MAX_FACTS} at most"));
            return;
        }
        let fact = Fact(self.rules.facts.len() as u8);
        let slug = match fields.text("id") {
            Some(id) => self.id_of(owner, id),
            None => format!("fact-{}", fact.index() + 1),
        };
        let slug = self.apart(slug);
        self.add_name(&fields, Fact::LETTER, &slug);
        let mut text = fields.must_text("text").to_owned();
        if self.copies.has(owner) && self.rules.facts.iter().any(|other| other.text == text) {
            text = format!("{text} ({})", self.rules.cast[owner.index()].name);
        }
        let topic = fields.word("topic", Topic::WORDS).unwrap_or(Topic::Plain);
        if fields.flag("known").unwrap_or(false) {
            self.state.known = self.state.known.with(fact);
        }
        let bond = fields.text("bond").and_then(|name| {
            let called = |(item, thing): &(Item, &Thing)| {
                thing.sort == Sort::Bond && self.rules.items[item.index()] == name
            };
            // Of two who have such a bond one's own.
            let own = self.state.things().find(|it| called(it) && it.1.owner == owner);
            let found = own.or_else(|| self.state.things().find(called)).map(|(item, _)| item);
            if found.is_none() {
                let bonds = self.state.things().filter(|(_, thing)| thing.sort == Sort::Bond);
                let known = bonds.map(|(item, _)| self.rules.items[item.index()].as_str());
                fields.unknown("bond", "no bond is called", name, known);
            }
            found
        });
        self.rules.facts.push(Writeup { text, topic, about: None, bond });
        match fields.text("about") {
            Some(about) => self.links.push((Link::Fact(fact), fields, about)),
            None => {
                let who = matches!(topic, Topic::Victim | Topic::Slave | Topic::Acolyte | Topic::Access);
                if who {
                    fields.fault("`about` is missing: whom it is about");
                }
                fields.done();
            }
        }
    }

    /// Looks up whom relationships and facts are about.
    fn link(&mut self) {
        for (link, fields, name) in std::mem::take(&mut self.links) {
            let to = match self.linked(link, name) {
                Some(who) => Some(To::Char(who)),
                None => self.person(&fields, name).map(To::Person),
            };
            match link {
                Link::Item(item) => {
                    self.only_one(&fields, item, to);
                    if let Some(thing) = self.state.thing_mut(item) {
                        thing.to = to;
                    }
                    if let Some(To::Char(victim)) = to {
                        self.worth_of_bond(victim, item);
                    }
                }
                Link::Fact(fact) => self.rules.facts[fact.index()].about = to,
            }
            fields.done();
        }
    }

    /// A relationship is to somebody else, and the only one to them (`relationship-one`).
    fn only_one(&self, fields: &Fields<'s>, item: Item, to: Option<To>) {
        let relationship = self.state.thing(item).filter(|thing| thing.sort == Sort::Relationship);
        let (Some(thing), Some(to)) = (relationship, to) else { return };
        if to == To::Char(thing.owner) {
            let what = "a relationship is to somebody else, never to herself (relationship-one)";
            self.unsound(fields, "to", what);
        } else if crate::fallout::relationship_to(&self.state, thing.owner, to).is_some() {
            let called = fields.text("to").unwrap_or_default();
            let what = format!(
                "there is a relationship to {called:?} already: give that one all the dice \
                 (relationship-one)"
            );
            self.unsound(fields, "to", what);
        }
    }

    /// What a victim whom the monster holds is worth is what its bond of that name holds.
    fn worth_of_bond(&mut self, victim: Char, bond: Item) {
        let Some(worth) = self.state.thing(bond).map(|thing| thing.rating.count) else { return };
        let first = self.state.bond_of_victim(victim) == Some(bond);
        if let Some(being) = self.state.being_mut(victim).filter(|_| first)
            && being.tie == Tie::Victim
            && being.hold == Hold::Held
        {
            being.worth = worth.min(crate::monster::MOST_WORTH);
        }
    }

    /// d10s that the monster's victims are worth (`beyond.monster.victims`): what its bonds of
    /// their names hold, and what victims without such a bond are worth.
    fn taken(&self) -> u32 {
        let is_monsters = |thing: &Thing| self.state.being(thing.owner).tie == Tie::Monster;
        let bonds = self.state.things().filter(|(_, thing)| thing.sort == Sort::Bond && is_monsters(thing));
        let named: u32 = bonds
            .filter(|(_, thing)| thing.to.is_some())
            .map(|(_, thing)| u32::from(thing.rating.count))
            .sum();
        let unnamed = self.state.everybody().filter(|&who| self.state.bond_of_victim(who).is_none());
        named + unnamed.map(|who| u32::from(self.state.being(who).worth)).sum::<u32>()
    }

    /// d10s left of the monster's ten.
    fn stock(&self) -> u8 {
        if self.has_monster() { MOST_OF_VICTIMS.saturating_sub(self.taken()) as u8 } else { 0 }
    }

    fn has_monster(&self) -> bool {
        self.state.cast.iter().any(|being| being.tie == Tie::Monster)
    }

    /// All victims together take no more than the monster has for them.
    fn victims_fit(&self, fields: &Fields<'s>, field: &str) {
        let taken = self.taken();
        if taken > MOST_OF_VICTIMS {
            let what = format!(
                "the victims are worth {taken} d10s, and the monster has ten for all of them \
                 (beyond.monster.victims)"
            );
            self.unsound(fields, field, what);
        }
    }

    /// A victim who joins takes her share of the ten d10s that are left; the first monster
    /// has the rest.
    fn share(&mut self, fields: &Fields<'s>, who: Char) {
        if !self.state.knows(who) {
            return;
        }
        let (tie, worth) = (self.state.being(who).tie, self.state.being(who).worth);
        let monsters = self.state.cast.iter().filter(|being| being.tie == Tie::Monster).count();
        match tie {
            Tie::Monster => {
                self.victims_fit(fields, "bond");
                if monsters == 1 && self.state.stock == 0 {
                    self.state.stock = self.stock();
                }
            }
            Tie::Victim if monsters > 0 && worth > self.state.stock => {
                let what = format!(
                    "she is worth {worth} d10s, and the monster has {} left for victims \
                     (beyond.monster.victims)",
                    self.state.stock
                );
                self.unsound(fields, "worth", what);
            }
            _ => {}
        }
        if tie == Tie::Victim {
            self.state.stock = self.state.stock.saturating_sub(worth);
        }
    }

    /// Of somebody whom players know from a relationship alone they do not learn whether that
    /// is a mere name: an `id` of their own would tell that it is none (`hearsay`).
    fn names_of_hearsay(&self, fields: &Fields<'s>) {
        let related =
            self.state.things().filter(|(_, thing)| thing.known && thing.sort == Sort::Relationship);
        let unmet = related.filter_map(|(_, thing)| match thing.to? {
            To::Char(who) if !crate::monster::is_met(&self.state, To::Char(who)) => Some(who),
            _ => None,
        });
        for sheet in unmet.collect::<CharSet>().iter().filter_map(|who| self.rules.cast.get(who.index())) {
            let plain = slug_of(&sheet.name);
            if sheet.slug != plain {
                let what = format!(
                    "the id {:?} would tell players that {} is in the cast, whom they know from a \
                     relationship alone: leave it out, or have her `met` (hearsay)",
                    sheet.slug, sheet.name
                );
                self.unsound(fields, "npc", what);
            }
        }
    }

    /// Who in the cast is meant by a name. A carried relationship names a character by the exact
    /// name: it comes from another evening, whose `id`s mean nothing here.
    fn linked(&self, link: Link, name: &str) -> Option<Char> {
        let owner = |item| self.state.thing(item).map(|thing| thing.owner);
        match link {
            Link::Item(item) if self.is_tie(name) && owner(item).is_some_and(|who| self.carried.has(who)) => {
                self.called(name)
            }
            _ => self.somebody(name),
        }
    }

    fn called(&self, name: &str) -> Option<Char> {
        self.rules.cast.iter().position(|sheet| sheet.name == name).map(|n| Char(n as u8))
    }

    fn somebody(&self, name: &str) -> Option<Char> {
        let by_id = self.rules.cast.iter().position(|sheet| sheet.id == name).map(|n| Char(n as u8));
        by_id.or_else(|| self.called(name))
    }

    /// What everybody here is called.
    fn cast_names(&self) -> impl Iterator<Item = &str> {
        self.rules.cast.iter().map(|sheet| sheet.name.as_str())
    }

    /// Several characters, by name.
    fn many(&mut self, fields: &Fields<'s>, field: &'static str) -> CharSet {
        let mut all = CharSet::NONE;
        for name in fields.texts(field) {
            match self.somebody(name) {
                Some(who) => all = all.with(who),
                None => {
                    if !self.broken {
                        fields.unknown(field, "nobody here is called", name, self.cast_names());
                    }
                    self.astray = true;
                }
            }
        }
        all
    }

    /// A character that has just been made has what its background gives
    /// (`beyond.sheet.background`).
    fn fresh(&self, fields: &Fields<'s>, who: Char) {
        let being = self.state.being(who);
        let Some(origin) = being.background.and_then(|at| self.rules.backgrounds.get(at.index())) else {
            return fields.fault_in("fresh", "only a character with a `background` can be fresh from it");
        };
        let dice = |sorts: &[Sort]| {
            let sheet = self.state.sheet(who).filter(|(_, thing)| sorts.contains(&thing.sort));
            // The d4 of something beyond nature comes on top.
            sheet.fold(Pool::EMPTY, |all, (_, thing)| all.and(thing.rating.count, thing.rating.size))
        };
        let stats: u8 = being.stats.iter().sum();
        if stats != origin.stats {
            let what = format!("{} gives {}d6, and these are {stats}d6", origin.name, origin.stats);
            fields.fault_in("stats", what);
        }
        let traits = dice(&[Sort::Trait, Sort::Bond]);
        let ties = dice(&[Sort::Relationship]).plus(being.unassigned);
        let belongings = self.state.sheet(who).filter(|(_, thing)| thing.sort == Sort::Belonging);
        let weapons = belongings.filter(|(_, thing)| thing.rating.more > 0).count();
        let gives = |what: &str, given: Pool, has: Pool| {
            (has != given).then(|| format!("{} gives {what} {given}, and these are {has}", origin.name))
        };
        let at_most = |what: &str, most: u8, has: usize| {
            (has > usize::from(most)).then(|| format!("{} has {most} {what} at most", origin.name))
        };
        let faults = [
            gives("traits", origin.traits, traits),
            at_most("dice for bonds", origin.bonds, dice(&[Sort::Bond]).len()),
            gives("relationships", origin.relationships, ties),
            at_most("weapons beyond nature", origin.weapons, weapons),
        ];
        faults.into_iter().flatten().for_each(|fault| fields.fault(fault));
        let now = being.circumstances;
        if now.len() != usize::from(origin.true_at_start) || now.minus(origin.never) != now {
            fields.fault_in(
                "circumstances",
                format!("{} begins with {} of them true, and some never", origin.name, origin.true_at_start),
            );
        }
    }

    /// The scenes that run: without any, one with everybody in it.
    fn scenes(&mut self, top: &Fields<'s>) {
        for fields in top.tables("scene") {
            if self.state.scenes.len() == MAX_SCENES {
                fields.fault(format!("too many scenes: {MAX_SCENES} run at once at most"));
                return;
            }
            let present = self.many(&fields, "present");
            if self.state.scenes.iter().any(|scene| !scene.present.and(present).is_empty()) {
                fields.fault_in("present", "somebody is in two scenes");
            }
            self.state.scenes.push(Scene { present, conflict: None, last: None, stage: 0 });
            fields.done();
        }
        if self.state.scenes.is_empty() {
            let present = self.state.everybody().filter(|&who| self.state.lives(who)).collect();
            self.state.scenes.push(Scene { present, conflict: None, last: None, stage: 0 });
        }
    }

    /// A conflict that is being opened, or has begun.
    fn conflict(&mut self, fields: &Fields<'s>) {
        let mut sides = Sides::default();
        for (at, side) in fields.tables("side").into_iter().enumerate() {
            match sides.0.get_mut(at) {
                Some(place) => *place = self.many(&side, "who"),
                None => side.fault("more sides than can take part"),
            }
            side.done();
        }
        if fields.has("side") {
            // Said in full.
        } else {
            let present = self.state.scene().map_or(CharSet::NONE, |scene| scene.present);
            let pcs: CharSet = present.iter().filter(|&who| self.state.is_pc(who)).collect();
            sides = Sides::two(pcs, present.minus(pcs));
        }
        fields.must("arena", "research, social, athletic, fighting or murder");
        let arena = fields.word("arena", Arena::WORDS).unwrap_or(Arena::Social);
        let mut refused = Refused::default();
        // Of her own characters the gamemaster who wrote this has said who stands with whom:
        // encounters from before that was judged are read as ever (`alone-of-whom`).
        let mut judged = self.state.clone();
        for being in judged.cast.iter_mut().filter(|being| being.seat == Seat::Gm) {
            being.circumstances = Circumstances::NONE;
        }
        conflict::object_open(&judged, sides, false, &mut refused);
        if let Err(refused) = refused.verdict() {
            // Where somebody is missing already, only what was written too few of.
            let one_side = fields.has("side") && sides.0.iter().filter(|side| !side.is_empty()).count() < 2;
            let written = fields.tables("side").len();
            if !self.broken && !self.astray {
                fields.fault(refused.to_string());
            } else if one_side && written < 2 {
                fields.fault("a conflict takes two sides with somebody on each: two [[conflict.side]]");
            }
            // Nothing else of it can be made sense of.
            for field in ["thing", "alone", "in_trouble", "lost", "unprepared", "about", "lives"] {
                fields.texts(field);
            }
            fields.flag("begun");
            for part in fields.tables("part") {
                hands(&part);
                part.must_text("who");
                part.done();
            }
            return;
        }
        conflict::open(&mut self.play(&mut NoSink), sides, arena, false);
        match fields.text("thing").map(str::parse::<Label>) {
            Some(Ok(thing)) => conflict::name_thing(&mut self.play(&mut NoSink), thing),
            Some(Err(error)) => fields.fault_in("thing", error.to_string()),
            None => {}
        }
        let mut circumstances = Changes::default();
        for (field, one) in [
            ("alone", Circumstance::Alone),
            ("in_trouble", Circumstance::InTrouble),
            ("lost", Circumstance::Lost),
            ("unprepared", Circumstance::Unprepared),
        ] {
            *circumstances.of_mut(one) = self.many(fields, field);
        }
        let names = fields.texts("about").into_iter();
        let about = names
            .filter_map(|name| match self.somebody(name) {
                Some(who) => Some(To::Char(who)),
                None => self.person(fields, name).map(To::Person),
            })
            .collect();
        let what = AtStake { lives: self.many(fields, "lives"), about, circumstances };
        if what != AtStake::default() {
            conflict::stake(&mut self.play(&mut NoSink), what, false);
        }
        let parts = fields.tables("part");
        if fields.flag("begun").unwrap_or(!parts.is_empty()) {
            self.begun(fields, parts);
        }
    }

    /// A conflict under way, with the hands it is at.
    fn begun(&mut self, fields: &Fields<'s>, parts: Vec<Fields<'s>>) {
        let Some(conflict) = self.state.conflict_mut() else { return };
        if !conflict.stakes.are_named() {
            fields
                .fault("nothing is at stake: name a `thing`, `lives`, or whom it is `about` (setup.stakes)");
        }
        if parts.is_empty() {
            conflict::begin(&mut self.play(&mut NoSink));
            return conflict::advance(&mut self.play(&mut NoSink));
        }
        conflict.stage = Stage::Running;
        for part in parts {
            let name = part.must_text("who");
            let who = self.somebody(name);
            if who.is_none() {
                part.unknown("who", "nobody here is called", name, self.cast_names());
            }
            let (hand, bank, arenas, rolled) = hands(&part);
            let there = who.and_then(|who| self.state.part_mut(who));
            match there {
                Some(there) => {
                    there.hand.join(hand);
                    there.bank = bank;
                    there.arenas = there.arenas.or(arenas);
                    there.rolled = there.arenas.iter().fold(rolled, |all, arena| all.or(arena.stats()));
                }
                None if who.is_some() => {
                    part.fault_in("who", "a character with dice takes part in the conflict")
                }
                None => {}
            }
            part.done();
        }
        // What was due at the start has been rolled.
        let parts = self.state.conflict().map_or(CharSet::NONE, |conflict| conflict.parts());
        for who in parts.iter() {
            conflict::opening_things(&mut self.state, who);
        }
        conflict::advance(&mut self.play(&mut NoSink));
    }
}

/// What somebody who takes part in a conflict has of it: the hand, fallout dice, arenas entered,
/// stats rolled.
fn hands(part: &Fields<'_>) -> (Hand, Pool, ArenaSet, StatSet) {
    let mut hand = Hand::NONE;
    for die in part.texts("hand").iter().flat_map(|text| text.split([' ', ','])).filter(|die| !die.is_empty())
    {
        match read_die(die) {
            Some((size, face)) => hand.add(size, face),
            None => part.fault_in("hand", format!("expected faces, as \"6 5 8/d10\", found {die:?}")),
        }
    }
    let arenas = part.words("arenas", Arena::WORDS).into_iter().collect();
    let rolled = part.words("rolled", Stat::WORDS).into_iter().collect();
    (hand, dice(part, "bank").unwrap_or_default(), arenas, rolled)
}

/// A die that lies open: its face, and its size where that is not the least.
fn read_die(text: &str) -> Option<(Size, u8)> {
    let (face, sides) = text.split_once("/d").map_or((text, None), |(face, sides)| (face, Some(sides)));
    let face: u8 = face.parse().ok().filter(|face| (1..=TOP).contains(face))?;
    let is_said = |size: &Size| sides.is_none_or(|sides| sides.parse() == Ok(size.sides()));
    let size = Size::ALL.iter().copied().find(|size| size.sides() >= face && is_said(size))?;
    Some((size, face))
}

/// A field of dice.
fn dice(fields: &Fields<'_>, name: &'static str) -> Option<Pool> {
    let text = fields.text(name)?;
    let found = pool(text);
    if found.is_none() {
        fields.fault_in(name, format!("expected dice, as \"1d4 3d6 2d8\", found {text:?}"));
    }
    found
}
