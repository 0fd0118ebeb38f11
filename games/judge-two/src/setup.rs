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
        },
        beings: ArrayVec::new(),
        places: ArrayVec::new(),
        omens: Vec::new(),
        unaware: Vec::new(),
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
    if reading.rules.pcs.is_empty() {
        top.fault("there is no [[character]]: at least one player's character is needed");
    }
    for (i, name) in reading.rules.players.iter().enumerate() {
        if !reading.rules.cast.iter().any(|sheet| sheet.seat == Seat::Player(i as u8)) {
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
            let at = document.fields(&quiet).tables(list).iter().position(|e| e.text("name") == Some(name))?;
            // Read again, so that its own faults are told.
            document.fields(&self.faults).tables(list).into_iter().nth(at)
        })
    }

    /// A name to refer to, taken from `id` or made from the name.
    fn slug(&mut self, fields: &Fields<'s>, letter: char, name: &str) -> String {
        let slug = match fields.text("id") {
            Some(id) => id.to_owned(),
            None => slug_of(name),
        };
        if !Names::is_slug(&slug) {
            fields.fault(format!(
                "{slug:?} cannot be referred to: give an `id` of lower-case letters, digits and hyphens"
            ));
        } else if !self.rules.names.add(letter, &slug) {
            fields.fault(format!("two things here are called {slug:?}: give one another `id`"));
        }
        slug
    }

    fn character(&mut self, fields: Fields<'s>, pc: bool) {
        // `use` takes the sheet from the library; what stands beside it wins.
        let list = if pc { "character" } else { "foe" };
        let base = fields.text("use").and_then(|name| {
            let found = self.entry(list, name);
            if found.is_none() {
                fields.fault_in("use", format!("the library has no [[{list}]] called {name:?}"));
            }
            found
        });
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return;
        }
        let who = Char(self.rules.cast.len() as u8);
        let both = |read: &dyn Fn(&Fields<'s>) -> Option<i64>| read(&fields).or_else(|| base.as_ref().and_then(read));
        let texts = |name: &'static str| {
            let here = fields.text(name);
            here.or_else(|| base.as_ref().and_then(|base| base.text(name)))
        };
        let name = match texts("name") {
            Some(name) => name.to_owned(),
            None => fields.must_text("name").to_owned(),
        };
        let slug = self.slug(&fields, Char::LETTER, &name);
        let seat = if pc { self.holder(&fields) } else { Seat::Gm };
        let kind = if pc {
            Kind::Pc
        } else {
            let kinds = &Kind::WORDS[1..];
            let here = fields.word("kind", kinds);
            here.or_else(|| base.as_ref().and_then(|base| base.word("kind", kinds))).unwrap_or_else(|| {
                fields.fault("`kind` is missing: brute, foe or nemesis");
                Kind::Foe
            })
        };
        let mut sheet = Sheet {
            slug,
            name,
            kind,
            seat,
            side: both(&|f| f.int("side", 0..=7)).unwrap_or(if pc { 0 } else { 7 }) as u8,
            attributes: [0; 9],
            essences: [0; 4],
            pl: 0,
            resolve: both(&|f| f.int("resolve", 0..=9)).unwrap_or(0) as u8,
            shuvin: false,
            omen: None,
            secret: texts("secret").unwrap_or_default().to_owned(),
        };
        texts("note");
        if pc {
            self.ranks(&fields, base.as_ref(), &mut sheet);
            sheet.shuvin = fields
                .flag("shuvin")
                .or_else(|| base.as_ref().and_then(|base| base.flag("shuvin")))
                .unwrap_or(true);
        } else {
            sheet.pl = both(&|f| f.int("pl", 4..=8)).unwrap_or_else(|| {
                if !fields.has("pl") {
                    fields.fault("`pl` is missing: a power level from 4 to 8");
                }
                4
            }) as u8;
        }
        let being = self.condition(&fields, base.as_ref(), &sheet);
        self.beings.push(being);
        self.rules.cast.push(sheet);
        if pc {
            self.rules.pcs = self.rules.pcs.with(who);
        }
        for source in base.iter().chain([&fields]) {
            for gear in source.tables("boon").into_iter().chain(source.tables("item")) {
                self.gear(gear, who);
            }
            for name in source.texts("carries") {
                match self.entry("boon", name) {
                    Some(gear) => self.gear(gear, who),
                    None => source.fault_in("carries", format!("the library has no [[boon]] called {name:?}")),
                }
            }
            for ability in source.tables("ability") {
                self.ability(ability, who);
            }
        }
        let ready = fields.texts("readied");
        for name in ready {
            self.ready(&fields, who, name);
        }
        self.hands(&fields, who);
        let from = if fields.has("omen") { Some(&fields) } else { base.as_ref() };
        match from.and_then(|from| from.table("omen")) {
            Some(omen) if kind == Kind::Nemesis => self.omens.push((who, omen)),
            Some(omen) => omen.fault("only a nemesis has an omen"),
            None if kind == Kind::Nemesis => {
                fields.fault("`omen` is missing: a nemesis has one, such as { threat = \"weaken\" }");
            }
            None => {}
        }
        self.unaware.push((who, fields.texts("unaware_of")));
        if let Some(base) = base {
            base.text("id");
            base.text("use");
            base.done();
        }
        fields.done();
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
    fn ranks(&self, fields: &Fields<'s>, base: Option<&Fields<'s>>, sheet: &mut Sheet) {
        let table = fields.table("attributes");
        let base_table = base.and_then(|base| base.table("attributes"));
        let names: [&'static str; 9] =
            ["arm", "breath", "eyes", "feet", "guts", "hands", "nose", "spirit", "tongue"];
        for (i, name) in names.into_iter().enumerate() {
            let read = |f: &Option<Fields<'s>>| f.as_ref().and_then(|f| f.int(name, 0..=3));
            let here = read(&table);
            sheet.attributes[i] = here.or_else(|| read(&base_table)).unwrap_or(0) as u8;
        }
        table.into_iter().chain(base_table).for_each(Fields::done);
        let a = |attribute: Attribute| sheet.attributes[attribute as usize];
        let cap = if self.rules.options.cap == Cap::Uncapped { 4 } else { 3 };
        // Halved and rounded down (`essence.derived`).
        let half = |sum: u8| (sum / 2).min(cap);
        let faith = fields.int("faith", 0..=3).or_else(|| base.and_then(|base| base.int("faith", 0..=3)));
        sheet.essences = [
            half(a(Attribute::Nose) + a(Attribute::Guts) + a(Attribute::Tongue)),
            half(a(Attribute::Breath) + a(Attribute::Eyes) + a(Attribute::Hands)),
            half(a(Attribute::Arm) + a(Attribute::Feet) + a(Attribute::Spirit)),
            faith.unwrap_or(1) as u8,
        ];
    }

    /// How somebody is when play begins.
    fn condition(
        &self,
        fields: &Fields<'s>,
        base: Option<&Fields<'s>>,
        sheet: &Sheet,
    ) -> Being {
        let risk = fields.int("risk", 0..=12).or_else(|| base.and_then(|base| base.int("risk", 0..=12)));
        let read_marks = |name: &'static str| -> MarkSet {
            let here = fields.words(name, Mark::WORDS);
            let from_base = base.map(|base| base.words(name, Mark::WORDS)).unwrap_or_default();
            (if fields.has(name) { here } else { from_base }).into_iter().collect()
        };
        let marks = read_marks("marks");
        let subtle = read_marks("subtle_marks");
        if sheet.kind == Kind::Brute && risk.unwrap_or(0) > 0 {
            fields.fault_in("risk", "a brute never has risk (brute.no-risk)");
        }
        let mut all = marks;
        for mark in subtle.iter() {
            if marks.has(mark) {
                fields.fault_in("subtle_marks", format!("{mark} stands in `marks` already (mark-repeat)"));
            }
            all = all.with(mark);
        }
        Being {
            risk: risk.unwrap_or(0) as u8,
            marks: all,
            physical: marks,
            weakened: fields.flag("weakened").unwrap_or(false),
            fate: if fields.flag("away").unwrap_or(false) { Fate::Away } else { Fate::In },
            apart: fields.flag("apart").unwrap_or(false),
            side: sheet.side,
            ..Being::default()
        }
    }

    fn gear(&mut self, fields: Fields<'s>, owner: Char) {
        // A boon may be taken from the library by name and changed.
        let base = fields.text("use").and_then(|name| {
            let found = self.entry("boon", name);
            if found.is_none() {
                fields.fault_in("use", format!("the library has no [[boon]] called {name:?}"));
            }
            found
        });
        if self.rules.gear.len() == MAX_ITEMS {
            fields.fault(format!("too many things: {MAX_ITEMS} at most"));
            return;
        }
        let either = |read: &dyn Fn(&Fields<'s>) -> Option<i64>| read(&fields).or_else(|| base.as_ref().and_then(read));
        let flag = |name: &'static str| {
            fields.flag(name).or_else(|| base.as_ref().and_then(|base| base.flag(name)))
        };
        let name = fields
            .text("name")
            .or_else(|| base.as_ref().and_then(|base| base.text("name")))
            .unwrap_or_else(|| fields.must_text("name"))
            .to_owned();
        let owner_slug = self.rules.cast[owner.index()].slug.clone();
        // Two may own the same thing: then it is called after its owner too.
        let plain = fields.text("id").map_or_else(|| slug_of(&name), str::to_owned);
        let slug = if self.rules.names.find(&plain).is_some() && !fields.has("id") {
            format!("{owner_slug}-{plain}")
        } else {
            plain
        };
        if !Names::is_slug(&slug) {
            fields.fault(format!(
                "{slug:?} cannot be referred to: give an `id` of lower-case letters, digits and hyphens"
            ));
        } else if !self.rules.names.add(Item::LETTER, &slug) {
            fields.fault(format!("two things here are called {slug:?}: give one another `id`"));
        }
        let word = |f: &Fields<'s>| f.word("category", Category::WORDS);
        let category = word(&fields).or_else(|| base.as_ref().and_then(word)).unwrap_or(Category::Item);
        let form = |f: &Fields<'s>| f.word("form", Form::WORDS);
        let condition = |f: &Fields<'s>| f.word("bold", Condition::WORDS);
        let armor = |f: &Fields<'s>| f.word("armor", Weight::WORDS);
        let mut resist = [0; 3];
        for source in base.iter().chain([&fields]) {
            if let Some(table) = source.table("resist") {
                for (slot, name) in resist.iter_mut().zip(["martial", "subtle", "epic"]) {
                    *slot = table.int(name, 0..=9).map_or(*slot, |n| n as u8);
                }
                table.done();
            }
        }
        let blocks = |f: &Fields<'s>| f.words("blocks", Threat::WORDS).into_iter().collect::<ThreatSet>();
        let vital = category == Category::Vital;
        let passive = flag("passive").unwrap_or(vital);
        let gear = Gear {
            slug,
            name,
            category,
            form: form(&fields).or_else(|| base.as_ref().and_then(form)).unwrap_or(Form::Martial),
            condition: condition(&fields).or_else(|| base.as_ref().and_then(condition)).unwrap_or(Condition::Ruled),
            resist,
            blocks: if fields.has("blocks") { blocks(&fields) } else { base.as_ref().map(blocks).unwrap_or_default() },
            passive,
            hands: either(&|f| f.int("hands", 0..=2)).unwrap_or(0) as u8,
            armor: armor(&fields).or_else(|| base.as_ref().and_then(armor)),
            shield: flag("shield").unwrap_or(false),
            // Power and keen boons can be disarmed, vital ones not, unless the
            // boon itself says otherwise.
            disarmable: flag("disarmable").unwrap_or(!vital),
            stealable: flag("stealable").unwrap_or(true),
            owner,
            readied: flag("readied").unwrap_or(false),
        };
        let lie = if gear.category != Category::Item && (gear.passive || gear.readied) {
            Lie::Readied
        } else {
            Lie::Carried
        };
        if gear.readied && gear.category == Category::Item {
            fields.fault_in("readied", "only a boon is readied: give it a `category`");
        }
        self.places.push(Place { holder: owner, lie, disarmed: false });
        self.rules.gear.push(gear);
        for fields in [Some(&fields), base.as_ref()].into_iter().flatten() {
            fields.text("id");
            fields.text("note");
        }
        if let Some(base) = base {
            base.text("use");
            base.done();
        }
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
        let slug = self.slug(&fields, Ability::LETTER, &name);
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
