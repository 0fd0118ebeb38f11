//! Reads a setup: players, cast, gear, abilities, the scene, the options.

use crate::rules::{Cap, FormUse, Gear, Omen, Power, Rules, Sheet};
use crate::state::{Being, Disguise, Fate, Lie, Place, Poise, State, Venue};
use crate::{At, notice, risk, scene, script, view, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Faults, Faulty, Fields, Names, Roster, Seat, Setup, amid, near};

const NO_RESISTANCE: &str =
    "a brute never has risk, so that nothing is resisted: leave it out (brute.no-risk)";

/// Why somebody is not disguised when play begins.
fn no_disguise(rules: &Rules) -> String {
    format!("no disguise lasts at {} risk and more (disguise.breaks)", rules.options.critical_from)
}

/// The most abilities at one table.
const MAX_ABILITIES: usize = 64;

/// Everything read so far.
struct Reading<'s> {
    setup: &'s Setup,
    faults: Faulty,
    rules: Rules,
    beings: ArrayVec<Being, MAX_CAST>,
    places: ArrayVec<Place, MAX_ITEMS>,
    /// Omens by character, to be looked up once everybody is known.
    omens: Vec<(Char, Fields<'s>)>,
    /// Whom characters' fields name, by character and field.
    about: Vec<(Char, About, Fields<'s>)>,
    /// Scripts readied at the start, by owner and name.
    scripted: Vec<(Char, &'s str)>,
    /// Whose sheets are complete, as characters of another evening have them: what did
    /// nothing there does nothing here.
    complete: CharSet,
    /// Abilities used up before play begins, by place.
    used: u64,
    /// Attribute points each player's character may have.
    budget: Option<u8>,
    /// An entry of the library is missing: who is missing with it is not told.
    broken: bool,
}

/// How somebody comes by an ability.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It is on their own sheet.
    Own,
    /// All of their class or kind of mortal have it.
    Shared,
    /// A thing of theirs has it.
    Thing(Item),
}

/// What else an ability has that works by itself.
#[derive(Clone, Copy)]
struct Has {
    scripts: bool,
    resolve: bool,
}

/// What an ability says of the rolls on which it is used.
const OF_USE: [&str; 8] = ["cost", "once", "spent", "makes", "serves", "attribute", "essence", "reveals"];

/// What names others in a character's table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Unaware,
    Heedless,
    Known,
}

impl About {
    const ALL: [(&'static str, About); 3] =
        [("unaware_of", About::Unaware), ("heedless_of", About::Heedless), ("known_to", About::Known)];
}

/// The scripts that anybody can draw, where the table says nothing else
/// (`script.base-open`, `ext.scripts`).
const BASE_SCRIPTS: [(&str, Condition, bool); 4] = [
    ("Appeal", Condition::SelfSteady, false),
    ("Flatter", Condition::Steady, false),
    ("Rebuke", Condition::LowerPrestige, false),
    ("Scandalize", Condition::Uncomposed, true),
];

/// What lies about to fight with where the scene does not say: name, hands, how many of
/// them (`lying-about`).
const LYING_ABOUT: [(&str, i64, i64); 2] = [("Stick or Stone", 1, 6), ("Pole or Beam", 2, 2)];

/// What lay about under rules before version 7: name and hands. Tables that began under
/// them refer to it so.
const LAY_ABOUT: [(&str, i64); 8] = [
    ("Stick or Stone", 1),
    ("Stool or Jug", 1),
    ("Broken Chair", 1),
    ("Iron Pot", 1),
    ("Lamp Stand", 1),
    ("Hammer or Spade", 1),
    ("Bench or Pole", 2),
    ("Oar or Beam", 2),
];

/// The most things that lie about.
const MOST_LYING: i64 = 8;

/// The most things that characters have; the rest are scripts and what lies about.
const MOST_OWNED: usize = MAX_ITEMS - 8 - MOST_LYING as usize;

/// A thing with nothing special about it.
fn plain_gear(slug: String, name: String, category: Category, form: Form) -> Gear {
    let vital = category == Category::Vital;
    Gear {
        slug,
        name,
        category,
        form,
        condition: Condition::Ruled,
        range: Band::Close,
        group: None,
        people: None,
        improvised: false,
        impassioned: false,
        base: false,
        mount: false,
        kit: false,
        resist: [0; 3],
        blocks: ThreatSet::NONE,
        passive: vital,
        hands: 0,
        armor: None,
        shield: false,
        disarmable: !vital,
        stealable: true,
        owner: Char(0),
        readied: false,
    }
}

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let forms = [Form::Martial, Form::Subtle, Form::Strategic, Form::Naval].map(FormUse::of);
    let rules = Rules { roster: Roster::new(setup), forms, ..Rules::default() };
    let mut reading = Reading::new(setup, &faults, rules);
    reading.budget = top.int("budget", 0..=27).map(|n| n as u8);
    reading.rules.roster.begin(&top);
    if let Some(options) = top.table("options") {
        options.settings(|id, word| reading.rules.options.set(id, word));
    }
    if let Some(forms) = top.table("form") {
        reading.forms(&forms);
        forms.done();
    }
    reading.rules.roster.seat_players(&top);
    for fields in top.tables("character") {
        reading.character(fields, true);
    }
    for fields in top.tables("foe") {
        reading.character(fields, false);
    }
    reading.refer();
    let scene = top.table("scene");
    reading.pools(&top, scene.as_ref());
    let mut state = State {
        cast: reading.beings.clone(),
        places: reading.places.clone(),
        round: 1,
        used: reading.used,
        ..State::default()
    };
    index(&mut state);
    script::compose_all(&mut state);
    if let Some(scene) = scene {
        state.form = scene.word("conflict", Form::WORDS);
        state.venue = Venue {
            people: scene.word("place", People::WORDS),
            private: scene.flag("private").unwrap_or(false),
            setting: scene.words("setting", Setting::WORDS).into_iter().collect(),
            tools: scene.flag("tools").unwrap_or(false),
        };
        if let Some(round) = scene.int("round", 1..=9999) {
            state.round = round as u16;
        }
        scene.done();
    }
    reading.script(&top, &mut state);
    for who in reading
        .rules
        .everybody()
        .filter(|&who| is_seen_through(At { rules: &reading.rules, state: &state }, who))
    {
        top.fault(format!("{}: {}", reading.rules.name(who), no_disguise(&reading.rules)));
    }
    for range in top.tables("range") {
        reading.range(range, &mut state);
    }
    notice::at_start(&reading.rules, &mut state);
    name_seen_first(&mut reading.rules, &state, state.unseen);
    if !reading.broken {
        if state.form.is_some() && scene::is_decided(&state) {
            top.fault("scene: a conflict takes two sides, and only one is here (conflict.definition)");
        }
        let seats: Vec<Seat> = reading.rules.cast.iter().map(|sheet| sheet.seat).collect();
        reading.rules.roster.everybody_plays(&top, &seats);
    }
    top.done();
    let rules = reading.rules;
    faults.or((rules, state))
}

/// A thing or an ability, to be named.
struct Named<'a> {
    /// Nobody owns what lies about, or what anybody can draw.
    owner: Option<Char>,
    plain: String,
    slug: &'a mut String,
    sight: NameSight,
}

/// Who learns of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameSight {
    /// Players see it.
    Seen,
    /// Its owner is seen; of an ability or a script of theirs players know nothing yet.
    Secret,
    /// Its owner is unseen.
    Unseen,
}

/// Of things with the same name the first that players see has the name, and the others are
/// called after their owners too. A thing of an unseen character, and a secret thing whose
/// name a thing in sight could have, is called by [`Names::unseen`]. So names of things that
/// players see, or of latecomers, do not tell that it is there. Its own name does not tell
/// its owner, as it may come into other hands.
pub(crate) fn name_seen_first(rules: &mut Rules, state: &State, unseen: CharSet) {
    let sight = |owner: Option<Char>, secret: bool| match owner {
        Some(owner) if unseen.has(owner) => NameSight::Unseen,
        Some(_) if secret => NameSight::Secret,
        _ => NameSight::Seen,
    };
    let things: Vec<(Option<Char>, NameSight)> = (rules.everything())
        .map(|item| {
            let gear = rules.gear(item);
            let owner = Some(gear.owner).filter(|_| !gear.base && !gear.improvised);
            let undrawn = rules.scripts.has(item) && state.place(item).lie == Lie::Gone;
            (owner, sight(owner, undrawn && owner.is_some_and(|owner| !rules.is_pc(owner))))
        })
        .collect();
    let powers: Vec<(Option<Char>, NameSight)> = (0..rules.abilities.len() as u8)
        .map(|n| {
            let owner = Some(rules.power(Ability(n)).owner);
            (owner, sight(owner, !view::shows_ability(At { rules, state }, Ability(n))))
        })
        .collect();
    let Rules { roster, cast, gear, abilities, .. } = rules;
    let names = &mut roster.names;
    let slugs = gear.iter_mut().map(|gear| (&gear.name, &mut gear.slug));
    let slugs = slugs.chain(abilities.iter_mut().map(|power| (&power.name, &mut power.slug)));
    let mut all: Vec<Named<'_>> = slugs
        .zip(things.into_iter().chain(powers))
        .map(|((name, slug), (owner, sight))| Named { owner, plain: Names::slug_of(name), slug, sight })
        .collect();
    all.sort_by_key(|named| named.owner.map_or(MAX_CAST, Char::index));
    let called = |owner: Option<Char>, plain: &str| match owner {
        Some(owner) => format!("{}-{plain}", cast[owner.index()].slug),
        None => format!("{plain}-of-all"),
    };
    let mut renamed = false;
    for at in 0..all.len() {
        let Named { owner, ref plain, ref slug, sight } = all[at];
        let plain = plain.clone();
        let is_first = **slug == plain;
        let next_of = |sight| {
            let is_next =
                |other: &Named<'_>| other.sight == sight && *other.slug == called(other.owner, &plain);
            all.iter().position(is_next).filter(|_| is_first)
        };
        let seen = next_of(NameSight::Seen);
        let (yields, next) = match sight {
            NameSight::Seen => (false, None),
            NameSight::Secret => (seen.is_some(), seen),
            NameSight::Unseen => {
                (is_first || **slug == called(owner, &plain), seen.or_else(|| next_of(NameSight::Secret)))
            }
        };
        if !yields {
            continue;
        }
        let is_free =
            |slug: &String| names.find(slug).is_none() && all.iter().all(|other| *other.slug != *slug);
        let owner = owner.map(|owner| &cast[owner.index()]);
        let of = owner.map_or([""; 2], |owner| [owner.slug.as_str(), &owner.secret]);
        let free = (0..).map(|nth| Names::unseen(&plain, &of, nth)).find(is_free);
        *all[at].slug = free.unwrap_or_default();
        if let Some(next) = next {
            *all[next].slug = plain;
        }
        renamed = true;
    }
    if renamed {
        let mut fresh = Names::default();
        for sheet in cast.iter() {
            fresh.add(Char::LETTER, &sheet.slug);
        }
        for gear in gear.iter() {
            fresh.add(Item::LETTER, &gear.slug);
        }
        for power in abilities.iter() {
            fresh.add(Ability::LETTER, &power.slug);
        }
        *names = fresh;
    }
}

/// Whether a nemesis is disguised though its omen is met and its risk counts.
fn is_seen_through(at: At<'_>, who: Char) -> bool {
    at.rules.ominous.has(who) && at.state.being(who).disguise.is_some() && risk::is_critical(at, who)
}

/// Notes with everybody what they have and have readied.
fn index(state: &mut State) {
    if state.cast.is_empty() {
        return;
    }
    for i in 0..state.places.len() as u8 {
        let place = state.place(Item(i));
        state.put(Item(i), place.holder, place.lie);
    }
}

/// Reads one more character into a table under way: with `player` a player's, who
/// may be new to the table, otherwise one of the gamemaster's.
pub(crate) fn join(at: At<'_>, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    let mut reading = Reading {
        beings: at.state.cast.clone(),
        places: at.state.places.clone(),
        ..Reading::new(setup, &faults, at.rules.clone())
    };
    let who = Char(at.rules.cast.len() as u8);
    let pc = fields.has("player");
    reading.rules.roster.seat_newcomer(&fields);
    reading.character(fields, pc);
    reading.refer();
    let mut state = at.state.clone();
    state.cast = reading.beings.clone();
    state.places = reading.places.clone();
    state.used |= reading.used;
    index(&mut state);
    if let Some(being) = state.cast.last_mut() {
        being.poise = script::poise_at_start(being);
    }
    let top = setup.encounter.fields(&faults);
    reading.script(&top, &mut state);
    let rules = reading.rules;
    if is_seen_through(At { rules: &rules, state: &state }, who) {
        top.fault(format!("{}: {}", rules.name(who), no_disguise(&rules)));
    }
    faults.or((rules, state, who))
}

impl<'s> Reading<'s> {
    fn new(setup: &'s Setup, faults: &Faulty, rules: Rules) -> Reading<'s> {
        Reading {
            setup,
            faults: faults.clone(),
            rules,
            beings: ArrayVec::new(),
            places: ArrayVec::new(),
            omens: Vec::new(),
            about: Vec::new(),
            scripted: Vec::new(),
            complete: CharSet::NONE,
            used: 0,
            budget: None,
            broken: false,
        }
    }

    /// What forms of conflict use at this table, where it differs.
    fn forms(&mut self, forms: &Fields<'s>) {
        for &form in Form::ALL {
            let Some(table) = forms.table(form.word()) else { continue };
            let uses = &mut self.rules.forms[form as usize];
            if table.has("attributes") {
                uses.attributes = table.words("attributes", Attribute::WORDS).into_iter().take(9).collect();
            }
            if table.has("essences") {
                uses.essences = table.words("essences", Essence::WORDS).into_iter().take(4).collect();
            }
            if table.has("finishers") {
                uses.finishers = table.words("finishers", Finisher::WORDS).into_iter().take(8).collect();
            }
            if ["attributes", "essences", "finishers"].iter().all(|field| !table.has(field)) {
                table.idle("", "it changes nothing: say `attributes`, `essences` or `finishers`");
            }
            if uses.attributes.is_empty() || uses.essences.is_empty() || uses.finishers.is_empty() {
                table.fault("a form of conflict needs an attribute, an essence and a finisher at least");
                *uses = FormUse::of(form);
            }
            table.done();
        }
    }

    /// What belongs to nobody at first: base scripts, those of the table in place
    /// of others of the name, and what lies about to fight with.
    fn pools(&mut self, top: &Fields<'s>, scene: Option<&Fields<'s>>) {
        let mut own = Vec::new();
        for table in top.tables("script") {
            let name = table.must_text("name").to_owned();
            own.push(name.to_lowercase());
            let condition = table.word("bold", Condition::WORDS).unwrap_or(Condition::Ruled);
            let impassioned = table.flag("impassioned").unwrap_or(false);
            table.text("note");
            self.pool_script(top, &name, condition, impassioned);
            table.done();
        }
        for (name, condition, impassioned) in BASE_SCRIPTS {
            if !own.contains(&name.to_lowercase()) {
                self.pool_script(top, name, condition, impassioned);
            }
        }
        let said = scene.map(|scene| (scene.tables("lying_about"), scene.has("lying_about")));
        let Some((tables, true)) = said else {
            if self.setup.encounter.began_before(7) {
                LAY_ABOUT.iter().for_each(|&(name, hands)| self.lying_about(top, (name, hands, 1)));
                return;
            }
            LYING_ABOUT.iter().for_each(|&thing| self.lying_about(top, thing));
            return;
        };
        let (mut there, mut names) = (0, Vec::new());
        for table in tables {
            let name = table.must_text("name");
            let (hands, count) = (table.int("hands", 1..=2), table.int("count", 1..=MOST_LYING));
            let (hands, count) = (hands.unwrap_or(1), count.unwrap_or(1));
            there += count;
            if names.contains(&name) {
                table.fault_in("name", format!("{name:?} lies about already: say `count`"));
            } else if there > MOST_LYING {
                table.fault(format!("too many things lie about: {MOST_LYING} at most"));
                there -= count;
            } else if !Names::is_slug(&Names::slug_of(name)) && table.has("name") {
                table.fault_in("name", "it cannot be referred to: a shorter name, of letters and digits");
            } else if !name.is_empty() {
                self.lying_about(&table, (name, hands, count));
            }
            names.push(name);
            table.text("note");
            table.done();
        }
    }

    /// So many things of a name that lie about to fight with (`improvised-stats`).
    fn lying_about(&mut self, fields: &Fields<'s>, (name, hands, count): (&str, i64, i64)) {
        let plain = Names::slug_of(name);
        for nth in 1..=count {
            let slug = if nth == 1 { plain.clone() } else { format!("{plain}-{nth}") };
            let gear = plain_gear(slug, name.to_owned(), Category::Power, Form::Martial);
            if let Some(item) = self.pool(fields, Gear { hands: hands as u8, improvised: true, ..gear }) {
                self.rules.improvised = self.rules.improvised.with(item);
            }
        }
    }

    fn pool_script(&mut self, top: &Fields<'s>, name: &str, condition: Condition, impassioned: bool) {
        let gear = plain_gear(Names::slug_of(name), name.to_owned(), Category::Power, Form::Subtle);
        if let Some(item) = self.pool(top, Gear { condition, impassioned, base: true, ..gear }) {
            self.rules.scripts = self.rules.scripts.with(item);
        }
    }

    /// Something that is not in play yet. Where its name is taken it gets another
    /// to be referred to by.
    fn pool(&mut self, top: &Fields<'s>, gear: Gear) -> Option<Item> {
        if self.rules.gear.len() == MAX_ITEMS {
            top.fault("too many scripts: at most four more than the usual ones");
            return None;
        }
        let item = Item(self.rules.gear.len() as u8);
        let slug = if self.rules.roster.names.find(&gear.slug).is_some() {
            format!("{}-of-all", gear.slug)
        } else {
            gear.slug.clone()
        };
        self.rules.roster.add_name(top, Item::LETTER, &slug);
        self.rules.gear.push(Gear { slug, ..gear });
        self.places.push(Place { holder: Char(0), lie: Lie::Gone, disarmed: false, lost_by: None });
        Some(item)
    }

    /// Scripts that are in play at the start: only in a conflict under way
    /// (`script.none-at-start`).
    fn script(&mut self, top: &Fields<'s>, state: &mut State) {
        for (who, name) in std::mem::take(&mut self.scripted) {
            let found = self.rules.scripts.iter().find(|&item| {
                let gear = self.rules.gear(item);
                (gear.base || gear.owner == who) && (gear.name == name || gear.slug == name)
            });
            let Some(item) = found else { continue };
            if state.form.is_none() {
                top.fault(format!(
                    "readied: no script is in play before a conflict, so {name:?} cannot be readied \
                     (script.none-at-start)"
                ));
            }
            if state.place(item).lie != Lie::Gone {
                top.fault(format!("readied: there is one {name:?} in play at a time (script.one-copy)"));
            }
            state.put(item, who, Lie::Readied);
            if self.rules.gear(item).impassioned {
                state.being_mut(who).poise = Poise::Lost;
            }
            let readied = state.being(who).readied;
            if readied.iter().filter(|&item| self.rules.scripts.has(item)).count() > script::MOST {
                top.fault("readied: two scripts at most (script.two-max)");
            }
        }
        for (i, &poise) in self.beings.iter().map(|being| &being.poise).enumerate() {
            if poise != Poise::Composed {
                state.cast[i].poise = poise;
            }
        }
    }

    /// How far some are from others.
    fn range(&self, fields: Fields<'s>, state: &mut State) {
        let all = |field: &'static str| -> Vec<Char> {
            fields.must(field, "a list of names");
            let names = fields.texts(field);
            if names.is_empty() && fields.has(field) {
                fields.fault_in(field, "expected a list of names, found none");
            }
            names.iter().filter_map(|name| self.somebody(&fields, field, name)).collect()
        };
        let (from, to) = (all("from"), all("to"));
        if !from.is_empty() && to.iter().chain(&from).all(|who| *who == from[0]) && !to.is_empty() {
            fields.idle("to", "nobody is at a distance from themself");
        }
        fields.must("is", "close, near, far or beyond");
        let band = fields.word("is", Band::WORDS).unwrap_or(Band::Close);
        for &a in &from {
            for &b in &to {
                state.place_at(a, b, band);
            }
        }
        fields.done();
    }

    /// What everybody here is called.
    fn cast_names(&self) -> impl Iterator<Item = &str> {
        self.rules.cast.iter().map(|sheet| sheet.name.as_str())
    }

    /// What somebody's own things are called.
    fn things_of(&self, who: Char) -> impl Iterator<Item = &str> {
        self.rules.gear.iter().filter(move |gear| gear.owner == who).map(|gear| gear.name.as_str())
    }

    /// Somebody by name or slug.
    fn somebody(&self, fields: &Fields<'s>, field: &str, name: &str) -> Option<Char> {
        let by_slug = match self.rules.roster.names.find(name) {
            Some((Char::LETTER, n)) => Some(Char(n as u8)),
            _ => None,
        };
        let by_name = || self.rules.cast.iter().position(|sheet| sheet.name == name).map(|n| Char(n as u8));
        let found = by_slug.or_else(by_name);
        if found.is_none() && !self.broken {
            fields.unknown(field, "nobody here is called", name, self.cast_names());
        }
        found
    }

    /// A name to refer to a thing or an ability by. Where it is taken it is called after its owner too.
    fn slug_of_owned(&mut self, fields: &Fields<'s>, letter: char, name: &str, owner: Char) -> String {
        let plain = Roster::slug_of(fields, name);
        let slug = if self.rules.roster.names.find(&plain).is_some() && !fields.has("id") {
            format!("{}-{plain}", self.rules.cast[owner.index()].slug)
        } else {
            plain
        };
        self.rules.roster.add_name(fields, letter, &slug);
        slug
    }

    fn character(&mut self, fields: Fields<'s>, pc: bool) {
        // `use` takes the sheet from the library; what stands beside it wins.
        let Some(fields) = self.over_library(fields, if pc { "character" } else { "foe" }) else { return };
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return;
        }
        let who = Char(self.rules.cast.len() as u8);
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Char::LETTER, &name);
        let seat = if pc { fields.player(&self.rules.roster.players) } else { Seat::Gm };
        let kind = if pc {
            Kind::Pc
        } else {
            fields.must("kind", "brute, foe or nemesis");
            fields.word("kind", &Kind::WORDS[1..]).unwrap_or(Kind::Foe)
        };
        let mut sheet = Sheet {
            slug,
            said: amid(&name),
            name,
            kind,
            seat,
            side: fields.int("side", 0..=7).unwrap_or(if pc { 0 } else { 7 }) as u8,
            attributes: [0; 9],
            essences: [0; 4],
            pl: 0,
            resolve: fields.int("resolve", 0..=9).unwrap_or(0) as u8,
            own_resolve: 0,
            shuvin: false,
            people: fields.word("people", People::WORDS),
            gender: fields.word("gender", Gender::WORDS),
            speaks: languages(&fields, "speaks"),
            writes: languages(&fields, "writes"),
            trained: TrainingSet::NONE,
            supernal: fields.flag("supernal").unwrap_or(false),
            priest: fields.flag("priest").unwrap_or(false),
            class: fields.text("class").unwrap_or_default().to_owned(),
            history: fields.texts("history").into_iter().map(str::to_owned).collect(),
            omen: None,
            secret: fields.text("secret").unwrap_or_default().to_owned(),
        };
        fields.text("note");
        // What is not told is no bar: every weapon but a master's of another kind.
        // Of somebody with a class it is what the class gives.
        if fields.has("proficient") {
            sheet.trained = fields.words("proficient", Training::WORDS).into_iter().collect();
        } else if sheet.class.is_empty() {
            sheet.trained = [Training::Commoner, Training::Soldier, Training::Master].into_iter().collect();
        }
        if pc {
            self.ranks(&fields, &mut sheet);
            sheet.shuvin = fields.flag("shuvin").unwrap_or(true);
            let what =
                "how a player's character is disposed is its player's affair: leave it out (disp.levels)";
            fields.idle_all(&["disposition"], what);
        } else {
            fields.must("pl", "a power level from 4 to 8");
            sheet.pl = fields.int("pl", 4..=8).unwrap_or(4) as u8;
        }
        let points: u8 = sheet.attributes.iter().sum();
        if let Some(most) = self.budget.filter(|&most| pc && points > most) {
            fields.fault_in("attributes", format!("{points} points, and this table gives {most}"));
        }
        // A class and a kind of mortal bring what the library says of them, where
        // the sheet is not complete already.
        let complete = fields.flag("complete").unwrap_or(false);
        if complete {
            self.complete = self.complete.with(who);
        }
        let shared = if complete { Vec::new() } else { self.shared(&fields, &mut sheet) };
        sheet.own_resolve = sheet.resolve;
        if sheet.trained.is_empty() && !fields.has("proficient") {
            sheet.trained = [Training::Commoner, Training::Soldier].into_iter().collect();
        }
        let told = fields.has("proficient") || fields.has("class");
        if told && sheet.trained.has(Training::Master) && sheet.people.is_none() {
            let what = "a master's proficiency is for the weapon of one's own kind: `people`";
            fields.fault_in("proficient", what);
        }
        // The captain's resolve is permanent (`prof.captain-resolve`).
        sheet.resolve += u8::from(sheet.trained.has(Training::Captain));
        if !sheet.shuvin {
            let what = "only somebody who is shuvin is known for it: `shuvin`, of players' characters";
            fields.idle_all(&["known_to"], what);
        }
        let being = condition(&self.rules, &fields, &sheet);
        self.beings.push(being);
        self.rules.cast.push(sheet);
        match kind {
            Kind::Pc => self.rules.pcs = self.rules.pcs.with(who),
            Kind::Brute => {
                self.rules.brutes = self.rules.brutes.with(who);
                if fields.says("resolve") {
                    fields.idle("resolve", NO_RESISTANCE);
                }
            }
            Kind::Foe | Kind::Nemesis => {}
        }
        for gear in fields.tables("boon").into_iter().chain(fields.tables("item")) {
            self.gear(gear, who);
        }
        for name in fields.texts("carries") {
            if let Some(gear) = self.setup.must_entry("boon", name, (&fields, "carries")) {
                self.gear(gear, who);
            }
        }
        for ability in fields.tables("ability") {
            self.ability(ability, who, Source::Own);
        }
        for ability in shared {
            self.ability(ability, who, Source::Shared);
        }
        for name in fields.texts("readied") {
            self.ready(&fields, who, name);
        }
        self.hands(&fields, who);
        if fields.flag("mounted").unwrap_or(false) {
            let mounts = self.rules.gear.iter().position(|gear| gear.owner == who && gear.mount);
            match mounts {
                Some(at) => self.beings[who.index()].mount = Some(Item(at as u8)),
                None => {
                    fields.fault_in("mounted", "they have nothing to ride: an [[item]] with `mount = true`")
                }
            }
        }
        match fields.table("omen") {
            Some(omen) if kind == Kind::Nemesis => self.omens.push((who, omen)),
            Some(omen) => omen.fault("only a nemesis has an omen"),
            None if kind == Kind::Nemesis => {
                fields.fault("`omen` is missing: a nemesis has one, such as { threat = \"weaken\" }");
            }
            None => {}
        }
        for (field, about) in About::ALL {
            if !fields.texts(field).is_empty() {
                self.about.push((who, about, fields.clone()));
            }
        }
        fields.done();
    }

    /// What the library says of a character's class and kind of mortal: resolve
    /// and training are added here, abilities are given back.
    fn shared(&mut self, fields: &Fields<'s>, sheet: &mut Sheet) -> Vec<Fields<'s>> {
        let class = (!sheet.class.is_empty())
            .then(|| self.setup.must_entry("class", &sheet.class, (fields, "class")));
        let people = sheet.people.map(|people| self.setup.entry("people", people.word(), &self.faults));
        let mut abilities = Vec::new();
        for entry in [class.flatten(), people.flatten()].into_iter().flatten() {
            entry.must_text("name");
            entry.text("note");
            entry.text("homeland");
            // For people to read: which language is whose the system itself says
            // (`disguise.language-list`).
            entry.word("language", Language::WORDS);
            if let Some(weapon) = entry.text("weapon") {
                self.setup.must_entry("boon", weapon, (&entry, "weapon"));
            }
            sheet.resolve += entry.int("resolve", 0..=9).unwrap_or(0) as u8;
            for training in entry.words("proficient", Training::WORDS) {
                sheet.trained = sheet.trained.with(training);
            }
            abilities.extend(entry.tables("ability"));
            let says = ["resolve", "proficient", "ability", "note", "homeland", "language", "weapon"];
            if says.iter().all(|field| !entry.has(field)) {
                let what = "it would give nothing: say `resolve`, `proficient` or an ability, or describe it in a `note`";
                entry.idle("", what);
            }
            entry.done();
        }
        abilities
    }

    /// A table over the library's entry that it names with `use`, if it does.
    /// Where there is no such entry that is the one fault to tell.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let over = self.setup.over_library(fields, list);
        self.broken = self.broken || over.is_none();
        over
    }

    /// Attributes as given, three essences from them, faith as given.
    fn ranks(&self, fields: &Fields<'s>, sheet: &mut Sheet) {
        if let Some(table) = fields.table("attributes") {
            let names: [&'static str; 9] =
                ["arm", "breath", "eyes", "feet", "guts", "hands", "nose", "spirit", "tongue"];
            for (rank, name) in sheet.attributes.iter_mut().zip(names) {
                *rank = table.int(name, 0..=3).unwrap_or(0) as u8;
            }
            table.done();
        }
        let a = |attribute: Attribute| sheet.attributes[attribute as usize];
        let cap = if self.rules.options.cap == Cap::Uncapped { 4 } else { 3 };
        // Halved and rounded down (`essence.derived`).
        let half = |sum: u8| (sum / 2).min(cap);
        let [heart, mind, strength] = DERIVED.map(|(_, from)| half(from.into_iter().map(a).sum()));
        sheet.essences = [heart, mind, strength, fields.int("faith", 0..=3).unwrap_or(1) as u8];
    }

    fn gear(&mut self, fields: Fields<'s>, owner: Char) {
        // A boon may be taken from the library by name and changed.
        let Some(fields) = self.over_library(fields, "boon") else { return };
        let pooled = self.rules.gear.iter().filter(|gear| gear.base || gear.improvised).count();
        if self.rules.gear.len() - pooled >= MOST_OWNED || self.rules.gear.len() == MAX_ITEMS {
            fields.fault(format!("too many things: {MOST_OWNED} at most"));
            return;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Item::LETTER, &name, owner);
        let before = self.faults.count();
        let plain = match (fields.has("armor"), fields.has("shield")) {
            (true, _) => Category::Vital,
            (_, true) => Category::Keen,
            _ => Category::Item,
        };
        let category = fields.word("category", Category::WORDS).unwrap_or(plain);
        let item = Item(self.rules.gear.len() as u8);
        let armor = fields.word("armor", Weight::WORDS);
        let shield = fields.flag("shield").unwrap_or(false);
        // What armour and shields give unless the table says otherwise
        // (`armor.light`, `armor.heavy`, `shield.effect`).
        let resist = match armor {
            Some(weight) if !fields.has("resist") => [if weight == Weight::Heavy { 3 } else { 2 }, 0, 0],
            _ => resistances(&fields),
        };
        let blocks = if shield && !fields.has("blocks") {
            [Threat::Entangle, Threat::Weaken].into_iter().collect()
        } else {
            fields.words("blocks", Threat::WORDS).into_iter().collect()
        };
        let vital = category == Category::Vital;
        let form = fields.word("form", Form::WORDS).unwrap_or(Form::Martial);
        // A weapon takes a hand, and so does a shield (`weapon.hands`, `shield.hand`).
        let held = form == Form::Martial && (shield || category == Category::Power);
        let gear = Gear {
            slug,
            name,
            category,
            form,
            condition: fields.word("bold", Condition::WORDS).unwrap_or(Condition::Ruled),
            range: fields.word("range", &Band::WORDS[..3]).unwrap_or(Band::Close),
            group: fields.word("group", &Training::WORDS[..3]),
            people: fields.word("people", People::WORDS),
            improvised: fields.flag("improvised").unwrap_or(false),
            impassioned: fields.flag("impassioned").unwrap_or(false),
            base: false,
            mount: fields.flag("mount").unwrap_or(false),
            kit: fields.flag("kit").unwrap_or(false),
            resist,
            blocks,
            passive: fields.flag("passive").unwrap_or(vital),
            hands: fields.int("hands", 0..=2).unwrap_or(i64::from(held)) as u8,
            armor,
            shield,
            // Power and keen boons can be disarmed, vital ones not, unless the
            // boon itself says otherwise.
            disarmable: fields.flag("disarmable").unwrap_or(!vital),
            stealable: fields.flag("stealable").unwrap_or(true),
            owner,
            readied: fields.flag("readied").unwrap_or(false),
        };
        if self.faults.count() == before {
            idle_gear(&fields, &gear);
        }
        if gear.readied && gear.category == Category::Item {
            fields.fault_in("readied", "only a boon is readied: give it a `category`");
        }
        if gear.group == Some(Training::Master) && gear.people.is_none() {
            fields.fault_in("group", "a master's weapon is that of one kind of mortal: `people`");
        }
        let ready = gear.category != Category::Item && (gear.passive || gear.readied);
        // Scripts come into play by being drawn (`script.none-at-start`).
        let script = gear.category == Category::Power && gear.form == Form::Subtle;
        let lie = match (script, ready) {
            (true, _) => Lie::Gone,
            (_, true) => Lie::Readied,
            _ => Lie::Carried,
        };
        if script {
            self.rules.scripts = self.rules.scripts.with(item);
            if gear.readied {
                self.scripted.push((owner, fields.must_text("name")));
            }
        }
        self.places.push(Place { holder: owner, lie, disarmed: false, lost_by: None });
        self.rules.gear.push(gear);
        for ability in fields.tables("ability") {
            self.ability(ability, owner, Source::Thing(item));
        }
        fields.text("note");
        fields.done();
    }

    /// Readies something at the start, by name or id.
    fn ready(&mut self, fields: &Fields<'s>, who: Char, name: &'s str) {
        let found = self.rules.gear.iter().position(|gear| {
            gear.owner == who && gear.category != Category::Item && (gear.name == name || gear.slug == name)
        });
        match found {
            Some(at) if self.rules.scripts.has(Item(at as u8)) => self.scripted.push((who, name)),
            Some(at) => {
                self.rules.gear[at].readied = true;
                self.places[at].lie = Lie::Readied;
            }
            None if BASE_SCRIPTS.iter().any(|(base, ..)| *base == name || Names::slug_of(base) == name) => {
                self.scripted.push((who, name));
            }
            None => fields.unknown("readied", "they have no boon called", name, self.things_of(who)),
        }
    }

    /// Nobody begins with more in hand than two hands hold (`boon.keen`).
    fn hands(&self, fields: &Fields<'s>, who: Char) {
        let held: u8 = self
            .rules
            .gear
            .iter()
            .zip(&self.places)
            .filter(|(gear, place)| gear.owner == who && place.lie == Lie::Readied)
            .map(|(gear, _)| gear.hands)
            .sum();
        if held > 2 {
            fields.fault_in("readied", format!("what is readied takes {held} hands, and there are two"));
        }
    }

    /// A feat of somebody's, or what a relic can do.
    fn ability(&mut self, fields: Fields<'s>, owner: Char, source: Source) {
        let item = match source {
            Source::Thing(item) => Some(item),
            Source::Own | Source::Shared => None,
        };
        let Some(fields) = self.over_library(fields, "ability") else { return };
        if self.rules.abilities.len() == MAX_ABILITIES {
            fields.fault(format!("too many abilities: {MAX_ABILITIES} at most"));
            return;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Ability::LETTER, &name, owner);
        fields.text("note");
        let spent = fields.flag("spent") == Some(true);
        let before = self.faults.count();
        let makes = fields.words("makes", &[("bold", 0), ("quick", 1), ("long", 2), ("faint", 3)]);
        let serves = fields.words("serves", &[("test", 0), ("save", 1)]);
        let forbids: Vec<&str> = fields.texts("forbids");
        let mut power = Power {
            slug,
            name,
            owner,
            item,
            cost: fields.int("cost", 0..=12).unwrap_or(0) as u8,
            once: fields.word("once", Often::WORDS),
            bold: makes.contains(&0),
            quick: makes.contains(&1),
            long: makes.contains(&2),
            faint: makes.contains(&3),
            attribute: fields.word("attribute", Attribute::WORDS),
            essence: fields.word("essence", Essence::WORDS),
            reveals: fields.flag("reveals").unwrap_or(false),
            magick: fields.flag("magick").unwrap_or(false),
            bold_when: fields.word("bold", Condition::WORDS),
            resist: resistances(&fields),
            armed: fields.flag("armed").unwrap_or(false),
            deeds: fields.int("deeds", 0..=4).unwrap_or(0) as u8,
            ..Power::default()
        };
        for word in forbids {
            let threat = Threat::WORDS.iter().find(|(w, _)| *w == word);
            let mark = Mark::WORDS.iter().find(|(w, _)| *w == word);
            match (threat, mark) {
                (Some((_, threat)), _) => power.forbids = power.forbids.with(*threat),
                (_, Some((_, mark))) => power.forbids_marks = power.forbids_marks.with(*mark),
                _ => {
                    let threats = Threat::WORDS.iter().map(|(word, _)| *word);
                    let known = threats.chain(Mark::WORDS.iter().map(|(word, _)| *word));
                    let known: Vec<&str> = known.collect();
                    let what = format!("{word:?} is no threat and no mark{}", near(word, &known));
                    fields.fault_in("forbids", what);
                }
            }
        }
        // What works by itself is not there to be used, unless it says what for.
        let scripts = fields.texts("scripts");
        let resolve = fields.int("resolve", 0..=9);
        let had = power.is_passive() || resolve.is_some() || !scripts.is_empty() || fields.has("serves");
        power.test = serves.contains(&0) || (serves.is_empty() && !had);
        power.save = serves.contains(&1);
        if let Some(resolve) = resolve {
            if item.is_some() {
                fields.fault_in("resolve", "resolve is a character's own: a thing grants `resist`");
            }
            self.rules.cast[owner.index()].resolve += resolve as u8;
            power.resolve = resolve as u8;
        }
        let has = Has { scripts: !scripts.is_empty(), resolve: resolve.is_some_and(|resolve| resolve > 0) };
        match source {
            // What of it is not understood may be what it does.
            _ if self.faults.count() > before || self.complete.has(owner) => {}
            Source::Own if !self.rules.is_pc(owner) => self.idle_of_foe(&fields, &power, has),
            Source::Own | Source::Thing(_) => self.idle_ability(&fields, &power, has),
            Source::Shared if self.rules.is_pc(owner) => self.idle_ability(&fields, &power, has),
            Source::Shared => {}
        }
        if power.is_passive() || power.magick {
            match item {
                Some(item) => self.rules.relics = self.rules.relics.with(item),
                None => self.rules.gifted = self.rules.gifted.with(owner),
            }
        }
        if spent {
            if power.once.is_none() {
                fields.fault_in("spent", "it serves as often as they like: give `once` first");
            }
            self.used |= 1 << self.rules.abilities.len();
        }
        self.rules.abilities.push(power);
        for script in scripts {
            if let Some(gear) = self.setup.must_entry("boon", script, (&fields, "scripts")) {
                self.gear(gear, owner);
            }
        }
        fields.done();
    }

    /// What of an ability would never do anything, though its owner rolls.
    fn idle_ability(&self, fields: &Fields<'s>, power: &Power, has: Has) {
        let works = power.is_passive() || has.scripts || has.resolve;
        if !power.test && !power.save {
            let what = "it works by itself and is never used: leave it out, or say what it `serves`";
            fields.idle_all(&["cost", "once", "makes", "attribute", "essence", "reveals"], what);
        } else {
            if !power.test && power.attribute.is_some() {
                fields.idle("attribute", "an attribute is for tests, and it serves saves alone: `serves`");
            }
            if !power.save && power.essence.is_some() {
                let what = "an essence is for saves, and it serves tests alone: `serves = [\"save\"]`";
                fields.idle("essence", what);
            }
        }
        let rolls = power.bold || power.quick || power.long || power.faint;
        let changes = power.test && power.attribute.is_some() || power.save && power.essence.is_some();
        let used = (power.test || power.save) && (rolls || changes || power.reveals);
        let misplaced = power.attribute.is_some() || power.essence.is_some();
        if used || power.magick || misplaced {
            return;
        }
        if works {
            let what = "its use would do nothing: say with `makes` what it makes of the roll";
            fields.idle_all(&["serves"], what);
        } else if !fields.has("note") || OF_USE.iter().any(|field| fields.has(field)) {
            let what = "it would do nothing: say what it makes of a roll (`makes`, `attribute`, `essence`) or what it \
                        does by itself (`bold`, `resist`, `forbids`, `armed`, `deeds`, `resolve`, `scripts`), or in a \
                        `note` alone what it means at the table";
            fields.idle("", what);
        }
    }

    /// The same where its owner is the gamemaster's and rolls nothing (`core.players-roll`).
    fn idle_of_foe(&self, fields: &Fields<'s>, power: &Power, has: Has) {
        let is_brute = self.rules.brutes.has(power.owner);
        let resists = power.resist != [0; 3] || has.resolve;
        let works = resists && !is_brute
            || power.bold_when.is_some()
            || !power.forbids.is_empty()
            || !power.forbids_marks.is_empty()
            || power.armed
            || power.deeds > 0
            || power.magick
            || has.scripts;
        let said = |names: &[&'static str]| -> Vec<&'static str> {
            names.iter().filter(|name| fields.says(name)).copied().collect()
        };
        let of_use = said(&OF_USE);
        let what = "the gamemaster's characters roll nothing, so that nothing comes of it: leave it out \
                    (core.players-roll)";
        fields.idle_all(&of_use, what);
        let of_risk = if is_brute { said(&["resist", "resolve"]) } else { Vec::new() };
        fields.idle_all(&of_risk, NO_RESISTANCE);
        let is_told = fields.has("note") && !OF_USE.iter().any(|field| fields.has(field));
        if of_use.is_empty() && of_risk.is_empty() && !works && !is_told {
            let what = "it would do nothing for one of the gamemaster's characters, who roll nothing: of an ability \
                        only what works by itself does, or say in a `note` alone what it means at the table";
            fields.idle(if fields.says("use") { "use" } else { "" }, what);
        }
    }

    /// Looks up what refers to others, now that everybody is known.
    fn refer(&mut self) {
        for (who, omen) in std::mem::take(&mut self.omens) {
            let read = self.omen(who, &omen);
            omen.done();
            self.rules.cast[who.index()].omen = Some(read);
            self.rules.ominous = self.rules.ominous.with(who);
        }
        for (who, about, fields) in std::mem::take(&mut self.about) {
            let field = About::ALL.iter().find(|(_, a)| *a == about).map_or("", |(field, _)| *field);
            for other in fields.texts(field) {
                let Some(other) = self.somebody(&fields, field, other) else { continue };
                if other == who {
                    fields.idle(field, format!("{} is nobody else", self.rules.name(who)));
                }
                let being = &mut self.beings[who.index()];
                let set = match about {
                    About::Unaware => &mut being.unaware_of,
                    About::Heedless => &mut being.heedless_of,
                    About::Known => &mut being.known_to,
                };
                *set = set.with(other);
            }
        }
    }

    fn omen(&self, who: Char, omen: &Fields<'s>) -> Omen {
        let mut found = Vec::new();
        if let Some(threat) = omen.word("threat", Threat::WORDS) {
            found.push(Omen::Threat(threat));
        }
        let disarmed = omen.texts("disarmed");
        if !disarmed.is_empty() {
            let items = disarmed.iter().filter_map(|name| {
                let at = self
                    .rules
                    .gear
                    .iter()
                    .position(|gear| gear.owner == who && (gear.name == *name || gear.slug == *name));
                if at.is_none() {
                    omen.unknown("disarmed", "they have nothing called", name, self.things_of(who));
                }
                at.map(|at| Item(at as u8))
            });
            found.push(Omen::Disarmed(items.collect()));
        }
        if let Some(name) = omen.text("defeated") {
            match self.rules.roster.names.find(name) {
                Some((Char::LETTER, n)) => found.push(Omen::Defeated(Char(n as u8))),
                _ => omen.unknown("defeated", "nobody here is called", name, self.cast_names()),
            }
        }
        if let Some(n) = omen.int("brutes_below", 1..=24) {
            found.push(Omen::BrutesBelow(n as u8));
        }
        if omen.flag("ruled") == Some(true) {
            found.push(Omen::Ruled);
        }
        if found.len() > 1 {
            omen.fault("an omen is one condition: threat, disarmed, defeated, brutes_below or ruled");
        }
        // Of a condition that cannot be read that is told already.
        let named = ["threat", "disarmed", "defeated", "brutes_below"].iter().any(|field| omen.has(field));
        found.pop().unwrap_or_else(|| {
            if named {
                return Omen::Ruled;
            }
            omen.fault("an omen needs a condition: threat, disarmed, defeated, brutes_below or ruled = true");
            Omen::Ruled
        })
    }
}

/// What of a boon its category or form has no use for.
fn idle_gear(fields: &Fields<'_>, gear: &Gear) {
    let is_power = gear.category == Category::Power;
    if !is_power {
        let what = "only a power boon has it: `category = \"power\"`";
        fields.idle_all(&["bold", "range", "group", "improvised"], what);
    } else if !gear.form.has_ranges() {
        fields.idle_all(&["range"], "in such a conflict nothing has a reach");
    }
    if !(is_power && gear.form == Form::Subtle) {
        let what = "only a script has it: `category = \"power\"` and `form = \"subtle\"`";
        fields.idle_all(&["impassioned"], what);
    }
    if gear.group != Some(Training::Master) {
        let what = "only a master's weapon is that of one kind of mortal: `group = \"master\"`";
        fields.idle_all(&["people"], what);
    }
    if gear.category != Category::Vital {
        fields.idle_all(&["resist"], "only a vital boon grants resistance: `category = \"vital\"`");
    }
    if gear.category != Category::Keen {
        fields.idle_all(&["blocks"], "only a keen boon makes threats impossible: `category = \"keen\"`");
    }
    let is_told = fields.has("ability") || fields.has("note");
    match gear.category {
        Category::Vital if gear.resist == [0; 3] && !is_told => {
            fields.idle("", "a vital boon grants resistance: say `resist`, or `armor`");
        }
        Category::Keen if gear.blocks.is_empty() && !is_told => {
            fields.idle("", "a keen boon makes threats impossible: say `blocks`, or `shield = true`");
        }
        _ => {}
    }
}

/// How somebody is when play begins.
fn condition(rules: &Rules, fields: &Fields<'_>, sheet: &Sheet) -> Being {
    let risk = fields.int("risk", 0..=12).unwrap_or(0);
    let physical: MarkSet = fields.words("marks", Mark::WORDS).into_iter().collect();
    let subtle: MarkSet = fields.words("subtle_marks", Mark::WORDS).into_iter().collect();
    if sheet.kind == Kind::Brute && risk > 0 {
        fields.fault_in("risk", "a brute never has risk (brute.no-risk)");
    }
    for mark in subtle.iter().filter(|&mark| physical.has(mark)) {
        fields.fault_in("subtle_marks", format!("{mark} stands in `marks` already (mark-repeat)"));
    }
    let disguise = fields.table("disguise").map(|table| {
        if ["people", "gender", "wealth", "priest"].iter().all(|field| !table.has(field)) {
            table.idle("", "nothing about them is disguised: say `people`, `gender`, `wealth` or `priest`");
        }
        let disguise = Disguise {
            people: table.word("people", People::WORDS),
            gender: table.word("gender", Gender::WORDS),
            wealth: table.int("wealth", 0..=9).map(|n| n as u8),
            priest: table.flag("priest"),
        };
        table.done();
        disguise
    });
    let portrayed = disguise.and_then(|d| d.people);
    if portrayed.is_some_and(|people| !sheet.speaks.has(people.language())) {
        let what = "they do not speak the language of the kind they portray (disguise.language)";
        fields.fault_in("disguise", what);
    }
    // Whether a nemesis's risk counts is known once its omen can be read.
    if disguise.is_some() && risk >= i64::from(rules.options.critical_from) && !fields.has("omen") {
        fields.fault_in("disguise", no_disguise(rules));
    }
    Being {
        disguise,
        burdened: fields.flag("burdened").unwrap_or(false),
        footing: fields.flag("footing").unwrap_or(false),
        poise: if fields.flag("composed").unwrap_or(true) { Poise::Composed } else { Poise::Lost },
        wealth: fields.int("wealth", 0..=9).unwrap_or(0) as u8,
        following: fields.int("following", 0..=99).unwrap_or(0) as u8,
        disposition: fields.word("disposition", Disposition::WORDS).unwrap_or_default(),
        shamed: fields.int("shamed", 0..=99).unwrap_or(0) as u8,
        risk: risk as u8,
        marks: physical.iter().chain(subtle.iter()).collect(),
        physical,
        weakened: fields.flag("weakened").unwrap_or(false),
        fate: if fields.flag("away").unwrap_or(false) { Fate::Away } else { Fate::In },
        apart: fields.flag("apart").unwrap_or(false),
        side: sheet.side,
        ..Being::default()
    }
}

/// Languages; where nothing is said, every one.
fn languages(fields: &Fields<'_>, name: &'static str) -> LanguageSet {
    if fields.has(name) {
        fields.words(name, Language::WORDS).into_iter().collect()
    } else {
        LanguageSet::ALL
    }
}

/// Resistances by kind: martial, subtle, epic.
fn resistances(fields: &Fields<'_>) -> [u8; 3] {
    let mut resist = [0; 3];
    if let Some(table) = fields.table("resist") {
        for (slot, name) in resist.iter_mut().zip(["martial", "subtle", "epic"]) {
            *slot = table.int(name, 0..=9).unwrap_or(0) as u8;
        }
        table.done();
    }
    resist
}
