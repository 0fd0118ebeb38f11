//! Reads a setup: players, cast, gear, abilities, the scene, the options.

use crate::{
    rules::{Cap, Gear, Omen, Options, Power, Rules, Sheet},
    scene,
    state::{Being, Fate, Lie, Place, State},
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Faults, Faulty, Fields, Names, NoSink, Seat, SeatSet, Setup};

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
    unaware: Vec<(Char, Vec<&'s str>)>,
    /// An entry of the library is missing: who is missing with it is not told.
    broken: bool,
}

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut reading = Reading {
        setup,
        faults: faults.clone(),
        rules: Rules {
            names: Names::default(),
            title: top.text("title").unwrap_or("A table").to_owned(),
            players: Vec::new(),
            cast: Vec::new(),
            gear: Vec::new(),
            abilities: Vec::new(),
            options: Options::default(),
            pcs: CharSet::NONE,
            brutes: CharSet::NONE,
            ominous: CharSet::NONE,
        },
        beings: ArrayVec::new(),
        places: ArrayVec::new(),
        omens: Vec::new(),
        unaware: Vec::new(),
        broken: false,
    };
    // What files say about themselves, for people and for `check`.
    for about in ["game", "summary", "note"] {
        top.text(about);
    }
    if let Some(options) = top.table("options") {
        reading.options(&options);
    }
    let players = top.tables("player");
    if players.is_empty() {
        top.fault("there is no [[player]]: at least one is needed");
    }
    for player in players {
        reading.player(player);
    }
    for fields in top.tables("character") {
        reading.character(fields, true);
    }
    for fields in top.tables("foe") {
        reading.character(fields, false);
    }
    reading.refer();
    let mut state = State {
        cast: reading.beings.clone(),
        places: reading.places.clone(),
        form: None,
        round: 1,
        acted: CharSet::NONE,
        last: CharSet::NONE,
        closed: CharSet::NONE,
        next_side: None,
        pvp_attacks: 0,
        pl_known: CharSet::NONE,
        omens_ruled: CharSet::NONE,
        revealed: CharSet::NONE,
        over: false,
        stack: ArrayVec::new(),
    };
    if let Some(scene) = top.table("scene") {
        if let Some(form) = scene.word("conflict", Form::WORDS) {
            scene::begin_conflict(&mut state, form, &mut NoSink);
        }
        if let Some(round) = scene.int("round", 1..=9999) {
            state.round = round as u16;
        }
        scene.done();
    }
    if reading.rules.pcs.is_empty() && !reading.broken {
        top.fault("there is no [[character]]: at least one player's character is needed");
    }
    for (i, name) in reading.rules.players.iter().enumerate() {
        if !reading.broken && !reading.rules.cast.iter().any(|sheet| sheet.seat == Seat::Player(i as u8)) {
            top.fault(format!("player {name:?} has no [[character]]"));
        }
    }
    top.done();
    let rules = reading.rules;
    faults.or((rules, state))
}

/// Reads one more foe into a table under way.
pub(crate) fn join(rules: &Rules, state: &State, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    let mut reading = Reading {
        setup,
        faults: faults.clone(),
        rules: rules.clone(),
        beings: state.cast.clone(),
        places: state.places.clone(),
        omens: Vec::new(),
        unaware: Vec::new(),
        broken: false,
    };
    let who = Char(rules.cast.len() as u8);
    reading.character(fields, false);
    reading.refer();
    let mut state = state.clone();
    state.cast = reading.beings;
    state.places = reading.places;
    let rules = reading.rules;
    faults.or((rules, state, who))
}

impl<'s> Reading<'s> {
    fn options(&mut self, options: &Fields<'s>) {
        for (id, word) in options.pairs() {
            match self.rules.options.set(id, word) {
                Ok(()) => {}
                Err(Some(words)) => {
                    options.fault_in(id, format!("expected one of {}, found {word:?}", words.join(", ")));
                }
                Err(None) => {
                    options.fault_in(id, format!("no such option; there are {}", Options::IDS.join(", ")));
                }
            }
        }
    }

    fn player(&mut self, fields: Fields<'s>) {
        let name = fields.must_text("name");
        if self.rules.players.len() >= usize::from(SeatSet::PLAYERS) {
            fields.fault(format!("too many players: {} at most", SeatSet::PLAYERS));
        } else if self.rules.players.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            fields.fault_in("name", format!("two players are called {name:?}"));
        } else if name.eq_ignore_ascii_case("gm") || name.eq_ignore_ascii_case("chance") {
            fields.fault_in("name", format!("{name:?} is a seat of its own: call the player something else"));
        } else {
            self.rules.players.push(name.to_owned());
        }
        fields.done();
    }

    /// The library's entry of this name, in one of its lists.
    fn entry(&self, list: &'static str, name: &str) -> Option<Fields<'s>> {
        let quiet = Faulty::new();
        self.setup.library.iter().find_map(|document| {
            let at =
                document.fields(&quiet).tables(list).iter().position(|e| e.text("name") == Some(name))?;
            // Read again, so that its own faults are told.
            document.fields(&self.faults).tables(list).into_iter().nth(at)
        })
    }

    /// A name to refer to, taken from `id` or made from the name.
    fn slug(&mut self, fields: &Fields<'s>, letter: char, name: &str) -> String {
        let slug = fields.text("id").map_or_else(|| slug_of(name), str::to_owned);
        self.add_name(fields, letter, &slug);
        slug
    }

    /// The same for a thing or an ability. Two may own the same: then it is
    /// called after its owner too.
    fn slug_of_owned(&mut self, fields: &Fields<'s>, letter: char, name: &str, owner: Char) -> String {
        let plain = fields.text("id").map_or_else(|| slug_of(name), str::to_owned);
        let slug = if self.rules.names.find(&plain).is_some() && !fields.has("id") {
            format!("{}-{plain}", self.rules.cast[owner.index()].slug)
        } else {
            plain
        };
        self.add_name(fields, letter, &slug);
        slug
    }

    fn add_name(&mut self, fields: &Fields<'s>, letter: char, slug: &str) {
        if !Names::is_slug(slug) {
            fields.fault(format!(
                "{slug:?} cannot be referred to: give an `id` of lower-case letters, digits and hyphens"
            ));
        } else if !self.rules.names.add(letter, slug) {
            fields.fault(format!("two things here are called {slug:?}: give one another `id`"));
        }
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
        let slug = self.slug(&fields, Char::LETTER, &name);
        let seat = if pc { self.holder(&fields) } else { Seat::Gm };
        let kind = if pc {
            Kind::Pc
        } else {
            if !fields.has("kind") {
                fields.fault("`kind` is missing: brute, foe or nemesis");
            }
            fields.word("kind", &Kind::WORDS[1..]).unwrap_or(Kind::Foe)
        };
        let mut sheet = Sheet {
            slug,
            name,
            kind,
            seat,
            side: fields.int("side", 0..=7).unwrap_or(if pc { 0 } else { 7 }) as u8,
            attributes: [0; 9],
            essences: [0; 4],
            pl: 0,
            resolve: fields.int("resolve", 0..=9).unwrap_or(0) as u8,
            shuvin: false,
            omen: None,
            secret: fields.text("secret").unwrap_or_default().to_owned(),
        };
        fields.text("note");
        if pc {
            self.ranks(&fields, &mut sheet);
            sheet.shuvin = fields.flag("shuvin").unwrap_or(true);
        } else {
            if !fields.has("pl") {
                fields.fault("`pl` is missing: a power level from 4 to 8");
            }
            sheet.pl = fields.int("pl", 4..=8).unwrap_or(4) as u8;
        }
        let being = condition(&fields, &sheet);
        self.beings.push(being);
        self.rules.cast.push(sheet);
        match kind {
            Kind::Pc => self.rules.pcs = self.rules.pcs.with(who),
            Kind::Brute => self.rules.brutes = self.rules.brutes.with(who),
            Kind::Foe | Kind::Nemesis => {}
        }
        for gear in fields.tables("boon").into_iter().chain(fields.tables("item")) {
            self.gear(gear, who);
        }
        for name in fields.texts("carries") {
            match self.entry("boon", name) {
                Some(gear) => self.gear(gear, who),
                None => fields.fault_in("carries", format!("the library has no [[boon]] called {name:?}")),
            }
        }
        for ability in fields.tables("ability") {
            self.ability(ability, who);
        }
        for name in fields.texts("readied") {
            self.ready(&fields, who, name);
        }
        self.hands(&fields, who);
        match fields.table("omen") {
            Some(omen) if kind == Kind::Nemesis => self.omens.push((who, omen)),
            Some(omen) => omen.fault("only a nemesis has an omen"),
            None if kind == Kind::Nemesis => {
                fields.fault("`omen` is missing: a nemesis has one, such as { threat = \"weaken\" }");
            }
            None => {}
        }
        self.unaware.push((who, fields.texts("unaware_of")));
        fields.done();
    }

    /// A table over the library's entry that it names with `use`, if it does.
    /// Where there is no such entry that is the one fault to tell.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let Some(name) = fields.text("use") else { return Some(fields) };
        let base = self.entry(list, name);
        if base.is_none() {
            fields.fault_in("use", format!("the library has no [[{list}]] called {name:?}"));
            self.broken = true;
            return None;
        }
        Some(fields.over(base))
    }

    /// The player who holds a character: by name; the only player needs none.
    fn holder(&self, fields: &Fields<'s>) -> Seat {
        let by_name = fields.text("player").and_then(|name| {
            let at = self.rules.players.iter().position(|player| player == name);
            if at.is_none() {
                fields.fault_in(
                    "player",
                    format!("no [[player]] is called {name:?}; there are {}", self.rules.players.join(", ")),
                );
            }
            at
        });
        if !fields.has("player") && self.rules.players.len() > 1 {
            fields.fault("`player` is missing: who plays this character");
        }
        Seat::Player(by_name.unwrap_or(0) as u8)
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
        sheet.essences = [
            half(a(Attribute::Nose) + a(Attribute::Guts) + a(Attribute::Tongue)),
            half(a(Attribute::Breath) + a(Attribute::Eyes) + a(Attribute::Hands)),
            half(a(Attribute::Arm) + a(Attribute::Feet) + a(Attribute::Spirit)),
            fields.int("faith", 0..=3).unwrap_or(1) as u8,
        ];
    }

    fn gear(&mut self, fields: Fields<'s>, owner: Char) {
        // A boon may be taken from the library by name and changed.
        let Some(fields) = self.over_library(fields, "boon") else { return };
        if self.rules.gear.len() == MAX_ITEMS {
            fields.fault(format!("too many things: {MAX_ITEMS} at most"));
            return;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Item::LETTER, &name, owner);
        let category = fields.word("category", Category::WORDS).unwrap_or(Category::Item);
        let mut resist = [0; 3];
        if let Some(table) = fields.table("resist") {
            for (slot, name) in resist.iter_mut().zip(["martial", "subtle", "epic"]) {
                *slot = table.int(name, 0..=9).unwrap_or(0) as u8;
            }
            table.done();
        }
        let vital = category == Category::Vital;
        let gear = Gear {
            slug,
            name,
            category,
            form: fields.word("form", Form::WORDS).unwrap_or(Form::Martial),
            condition: fields.word("bold", Condition::WORDS).unwrap_or(Condition::Ruled),
            resist,
            blocks: fields.words("blocks", Threat::WORDS).into_iter().collect(),
            passive: fields.flag("passive").unwrap_or(vital),
            hands: fields.int("hands", 0..=2).unwrap_or(0) as u8,
            armor: fields.word("armor", Weight::WORDS),
            shield: fields.flag("shield").unwrap_or(false),
            // Power and keen boons can be disarmed, vital ones not, unless the
            // boon itself says otherwise.
            disarmable: fields.flag("disarmable").unwrap_or(!vital),
            stealable: fields.flag("stealable").unwrap_or(true),
            owner,
            readied: fields.flag("readied").unwrap_or(false),
        };
        if gear.readied && gear.category == Category::Item {
            fields.fault_in("readied", "only a boon is readied: give it a `category`");
        }
        let ready = gear.category != Category::Item && (gear.passive || gear.readied);
        let lie = if ready { Lie::Readied } else { Lie::Carried };
        self.places.push(Place { holder: owner, lie, disarmed: false, lost_by: None });
        self.rules.gear.push(gear);
        fields.text("note");
        fields.done();
    }

    /// Readies something at the start, by name or id.
    fn ready(&mut self, fields: &Fields<'s>, who: Char, name: &str) {
        let found = self.rules.gear.iter().position(|gear| {
            gear.owner == who && gear.category != Category::Item && (gear.name == name || gear.slug == name)
        });
        match found {
            Some(at) => {
                self.rules.gear[at].readied = true;
                self.places[at].lie = Lie::Readied;
            }
            None => fields.fault_in("readied", format!("they have no boon called {name:?}")),
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

    fn ability(&mut self, fields: Fields<'s>, owner: Char) {
        if self.rules.abilities.len() == MAX_ABILITIES {
            fields.fault(format!("too many abilities: {MAX_ABILITIES} at most"));
            return;
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Ability::LETTER, &name, owner);
        let makes = fields.words("makes", &[("bold", 0), ("quick", 1), ("long", 2)]);
        let serves = fields.words("serves", &[("test", 0), ("save", 1)]);
        self.rules.abilities.push(Power {
            slug,
            name,
            owner,
            cost: fields.int("cost", 0..=12).unwrap_or(0) as u8,
            bold: makes.contains(&0),
            quick: makes.contains(&1),
            long: makes.contains(&2),
            test: serves.is_empty() || serves.contains(&0),
            save: serves.contains(&1),
        });
        fields.text("note");
        fields.done();
    }

    /// Looks up what refers to others, now that everybody is known.
    fn refer(&mut self) {
        for (who, omen) in std::mem::take(&mut self.omens) {
            let read = self.omen(who, &omen);
            omen.done();
            self.rules.cast[who.index()].omen = Some(read);
            self.rules.ominous = self.rules.ominous.with(who);
        }
        for (who, others) in std::mem::take(&mut self.unaware) {
            for other in others {
                match self.rules.names.find(other) {
                    Some((Char::LETTER, n)) => {
                        let being = &mut self.beings[who.index()];
                        being.unaware_of = being.unaware_of.with(Char(n as u8));
                    }
                    _ => {
                        let top = self.setup.encounter.fields(&self.faults);
                        top.fault(format!("unaware_of: nobody here is called {other:?}"));
                    }
                }
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
                    omen.fault_in("disarmed", format!("they have nothing called {name:?}"));
                }
                at.map(|at| Item(at as u8))
            });
            found.push(Omen::Disarmed(items.collect()));
        }
        if let Some(name) = omen.text("defeated") {
            match self.rules.names.find(name) {
                Some((Char::LETTER, n)) => found.push(Omen::Defeated(Char(n as u8))),
                _ => omen.fault_in("defeated", format!("nobody here is called {name:?}")),
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
        found.pop().unwrap_or_else(|| {
            omen.fault("an omen needs a condition: threat, disarmed, defeated, brutes_below or ruled = true");
            Omen::Ruled
        })
    }
}

/// How somebody is when play begins.
fn condition(fields: &Fields<'_>, sheet: &Sheet) -> Being {
    let risk = fields.int("risk", 0..=12).unwrap_or(0);
    let physical: MarkSet = fields.words("marks", Mark::WORDS).into_iter().collect();
    let subtle: MarkSet = fields.words("subtle_marks", Mark::WORDS).into_iter().collect();
    if sheet.kind == Kind::Brute && risk > 0 {
        fields.fault_in("risk", "a brute never has risk (brute.no-risk)");
    }
    for mark in subtle.iter().filter(|&mark| physical.has(mark)) {
        fields.fault_in("subtle_marks", format!("{mark} stands in `marks` already (mark-repeat)"));
    }
    Being {
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

/// A name as others refer to it: lower case, with hyphens.
pub(crate) fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}
