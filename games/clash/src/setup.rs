//! Reading a setup: players, characters, what they have, Clash Props, how it all stands.

use crate::{
    At,
    effect::{AbilityData, Bearer, Cost, Effect, MAX_EFFECTS},
    rules::{
        ActivityData, HeldBefore, ItemData, MAX_LEVEL, MadeBefore, Options, PropData, Rules, SecretData,
        Sheet, Source, SpellData, TokenData, TraitData,
    },
    spell,
    state::{
        Altered, Body, Card, Fixture, Grip, HIDDEN_POOLS, Live, MAX_POOLS, Mark, Pool, State, Thing, Token,
    },
    vocab::*,
};
use arrayvec::ArrayVec;
use fracas_kernel::{Faults, Faulty, Fields, Label, Names, Roster, Seat, Setup, near, not_one_of};

/// The most Subjugations that a setup may name: play has room for those of some more Clashes.
const MOST_GRIPS: usize = 32;
/// Will Points of a player's character: Major, and how many of them are Minor (`wp.pc-start`).
pub(crate) const WILL: (u8, u8) = (5, 2);
/// Skill Slots of Level 1 and of Level 3 (`skill.slots`).
pub(crate) const SKILL_SLOTS: [u8; 2] = [3, 1];
/// Uses of the Minor Skills and of the Major one (`skill.uses`).
pub(crate) const SKILL_USES: [u8; 2] = [5, 2];
/// The most Tokens of a kind that are not Countless (`token.cap`).
const MAX_OF_A_KIND: usize = 2;
/// The most Activities.
const MAX_ACTIVITIES: usize = 16;
/// What stands for the Levels in a table of slots.
pub(crate) const LEVELS: [&str; MAX_LEVEL] = ["1", "2", "3", "4", "5"];

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut reading = Reading::new(setup, &faults);
    reading.rules.roster.begin(&top);
    reading.made_in_play();
    if let Some(options) = top.table("options") {
        options.settings(|id, word| reading.rules.options.set(id, word));
    }
    reading.rules.max_traits = top.int("max_traits", 1..=24).map(|most| most as u8);
    reading.token_kinds(&top);
    reading.rules.roster.seat_players(&top);
    let away = |fields: &Fields<'_>| fields.flag("here") == Some(false);
    let pcs = reading.all(&top, "character");
    let (npcs_away, npcs): (Vec<_>, Vec<_>) = reading.all(&top, "npc").into_iter().partition(away);
    let (props_away, props): (Vec<_>, Vec<_>) = reading.all(&top, "prop").into_iter().partition(away);
    // Of two things called alike the later one gets another name. What players may not know of
    // comes after all that they know, so that no name tells of it.
    let mut cast: Vec<_> = pcs.into_iter().filter_map(|fields| reading.character(fields, true)).collect();
    cast.extend(npcs.into_iter().filter_map(|fields| reading.character(fields, false)));
    let mut fixtures: Vec<_> = props.into_iter().filter_map(|fields| reading.prop(fields)).collect();
    for activity in reading.all(&top, "activity") {
        reading.activity(activity);
    }
    for (who, fields) in &cast {
        reading.belongings(fields, *who);
    }
    for fields in npcs_away {
        if let Some((who, fields)) = reading.character(fields, false) {
            reading.belongings(&fields, who);
            cast.push((who, fields));
        }
    }
    fixtures.extend(props_away.into_iter().filter_map(|fields| reading.prop(fields)));
    for (prop, fields) in fixtures {
        reading.of_prop(fields, prop);
    }
    for (who, fields) in cast {
        reading.history(fields, who);
    }
    reading.used_props(&top);
    reading.complete(&top);
    top.done();
    let Reading { rules, state, .. } = reading;
    faults.or((rules, state))
}

/// Reads one more character into a table under way: with `player` a player's, who may be new to the table,
/// otherwise one of the Director's.
pub(crate) fn join(at: At<'_>, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let mut reading =
        Reading { rules: at.rules.clone(), state: at.state.clone(), ..Reading::new(setup, &faults) };
    let fields = setup.encounter.fields(&faults);
    let pc = fields.has("player");
    reading.rules.roster.seat_newcomer(&fields);
    let who = Char(at.rules.cast.len() as u8);
    let list = if pc { "character" } else { "npc" };
    let fields = reading.over_library(fields, list).and_then(|fields| reading.character(fields, pc));
    if let Some((who, fields)) = fields {
        reading.belongings(&fields, who);
        reading.history(fields, who);
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
    /// An entry of the library is missing: who is missing with it is not told.
    broken: bool,
}

/// How the names of what somebody has are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// By their own; where that is taken, with the owner's before it.
    Open,
    /// With the owner's before it: players may not know of it.
    Owned,
    /// So that it tells nothing of its owner, nor of how many there are.
    Unseen,
}

/// Whose something is: the slug, and how names are made for it.
#[derive(Clone, Copy)]
struct Of<'a> {
    slug: &'a str,
    naming: Naming,
}

impl<'s> Reading<'s> {
    fn new(setup: &'s Setup, faults: &Faulty) -> Reading<'s> {
        let free = Mark { owner: None, rank: Rank::Minor, card: Card::Inactive, used: false, spell: false };
        let absent = Fixture { here: false, exhausted: false, controllers: CharSet::NONE };
        Reading {
            setup,
            faults: faults.clone(),
            rules: Rules {
                roster: Roster::new(setup),
                options: Options::default(),
                cast: Vec::new(),
                traits: Vec::new(),
                items: Vec::new(),
                props: Vec::new(),
                secrets: Vec::new(),
                abilities: Vec::new(),
                statics: Vec::new(),
                spells: Vec::new(),
                activities: Vec::new(),
                max_traits: None,
                tokens: Vec::new(),
                used_props: Vec::new(),
                made: Vec::new(),
                held: Vec::new(),
            },
            state: State {
                scene: 1,
                over: false,
                bodies: ArrayVec::new(),
                traits: [free; MAX_TRAITS + MAX_GAINED].into(),
                gained: ArrayVec::new(),
                items: ArrayVec::new(),
                props: [absent; MAX_PROPS + MAX_MADE_PROPS].into(),
                made_props: ArrayVec::new(),
                learnt: 0,
                met: 0,
                shown_traits: 0,
                shown_items: 0,
                shown_spells: 0,
                used: [0; 3],
                used_props: ArrayVec::new(),
                used_clash_props: 0,
                made: ArrayVec::new(),
                grips: ArrayVec::new(),
                pools: ArrayVec::new(),
                live: ArrayVec::new(),
                clash: None,
                clashes: 0,
                frames: ArrayVec::new(),
                resting: CharSet::NONE,
                growing: ArrayVec::new(),
                fought: None,
                subdued: ArrayVec::new(),
                habits: ArrayVec::new(),
                warned: CharSet::NONE,
            },
            broken: false,
        }
    }

    /// Names for what comes into being in play.
    fn made_in_play(&mut self) {
        let names = &mut self.rules.roster.names;
        for n in 1..=MAX_GAINED {
            names.add('g', &format!("trait-{n}"));
        }
        for n in 1..=MAX_MADE_PROPS {
            names.add('q', &format!("prop-{n}"));
        }
    }

    /// A table over the library's entry that it names with `use`, if it does.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let over = self.setup.over_library(fields, list);
        self.broken |= over.is_none();
        over
    }

    /// Every entry of a list.
    fn all(&mut self, top: &Fields<'s>, list: &'static str) -> Vec<Fields<'s>> {
        top.tables(list).into_iter().filter_map(|fields| self.over_library(fields, list)).collect()
    }

    /// The name of something that belongs to something else.
    fn slug(&mut self, fields: &Fields<'s>, letter: char, name: &str, of: Of<'_>) -> String {
        let plain = Roster::slug_of(fields, name);
        let is_free = |slug: &String| self.rules.roster.names.find(slug).is_none();
        let owner = of.slug;
        let slug = match of.naming {
            // Of what has no name that is the fault to tell.
            _ if fields.has("id") || plain.is_empty() => plain,
            Naming::Open if is_free(&plain) => plain,
            Naming::Open | Naming::Owned => format!("{owner}-{plain}"),
            Naming::Unseen => {
                let named = |nth| Names::unseen(&plain, &[owner], nth);
                (0..).map(named).find(is_free).unwrap_or_default()
            }
        };
        self.rules.roster.add_name(fields, letter, &slug);
        slug
    }

    /// How what somebody has is called.
    fn naming(&self, who: Char) -> Naming {
        match (self.rules.is_pc(who), self.state.body(who).here) {
            (true, _) => Naming::Open,
            (false, true) => Naming::Owned,
            (false, false) => Naming::Unseen,
        }
    }

    /// A character of this name or slug.
    fn find(&self, name: &str) -> Option<Char> {
        let at = self.rules.cast.iter().position(|sheet| sheet.name == name || sheet.slug == name);
        at.map(|at| Char(at as u8))
    }

    /// A character's own fields (`sheet.fields`).
    fn character(&mut self, fields: Fields<'s>, pc: bool) -> Option<(Char, Fields<'s>)> {
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return None;
        }
        let who = Char(self.rules.cast.len() as u8);
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Char::LETTER, &name);
        let seat = if pc { fields.player(&self.rules.roster.players) } else { Seat::Gm };
        let side = fields.word("side", Side::WORDS).unwrap_or(if pc { Side::Party } else { Side::Foes });
        if !pc && let Some(name) = fields.text("extra_of") {
            return self.extra(fields, (slug, name.to_owned()), side);
        }
        if !pc && fields.int("value", -10..=10).is_some() {
            fields.fault_in(
                "value",
                "one number for every Symbol is for Extras: say whom they obey in `extra_of`",
            );
        }
        let (major, minor, preparation) = if pc { pc_will(&fields) } else { npc_will(&fields) };
        let keywords = fields.texts("keywords").into_iter();
        let keywords = keywords.filter_map(|text| keyword(&fields, "keywords", text)).collect();
        let personalities = personalities(&fields);
        let core = core(&fields);
        let nature = fields.word("nature", Nature::WORDS).unwrap_or(Nature::Person);
        // Objects and places take part in a Clash where their turns are given.
        let usual = i64::from(nature == Nature::Person);
        let turns = if pc { 1 } else { fields.int("turns", 1..=9).unwrap_or(usual) as u8 };
        let history = if pc { fields.texts("history") } else { Vec::new() };
        let history = history.into_iter().map(str::to_owned).collect();
        for about in ["note", "use"] {
            fields.text(about);
        }
        self.rules.cast.push(Sheet {
            slug,
            name,
            seat,
            pc,
            nature,
            side,
            personalities,
            core,
            major,
            minor,
            preparation,
            turns,
            base_damage: fields.int("base_damage", 0..=9).unwrap_or(1) as u8,
            keywords,
            history,
            controller: None,
        });
        let here = fields.flag("here").unwrap_or(true);
        self.state.bodies.push(body(side, (major, minor), here));
        Some((who, fields))
    }

    /// An Extra (`ext.extras`): one number for every Symbol, 1 Will Point, no turns of its own.
    fn extra(
        &mut self,
        fields: Fields<'s>,
        (slug, of): (String, String),
        side: Side,
    ) -> Option<(Char, Fields<'s>)> {
        let who = Char(self.rules.cast.len() as u8);
        let name = fields.text("name").unwrap_or_default().to_owned();
        let value = fields.int("value", -10..=10).unwrap_or(0) as i8;
        let Some(controller) = self.rules.cast.iter().position(|sheet| sheet.name == of) else {
            let known = self.rules.cast.iter().map(|sheet| sheet.name.as_str());
            fields.unknown("extra_of", "no character above it is", &of, known);
            return None;
        };
        let commander = &self.rules.cast[controller];
        let (seat, side) = (commander.seat, if fields.says("side") { side } else { commander.side });
        let here = fields.flag("here").unwrap_or(true);
        self.rules.cast.push(Sheet {
            slug,
            name,
            seat,
            pc: false,
            nature: Nature::Person,
            side,
            personalities: [value; 5],
            core: [None; 2],
            major: 1,
            minor: 1,
            preparation: 0,
            turns: 0,
            base_damage: 1,
            keywords: Vec::new(),
            history: Vec::new(),
            controller: Some(Char(controller as u8)),
        });
        self.state.bodies.push(body(side, (1, 1), here));
        Some((who, fields))
    }

    /// What somebody has, and how they fare.
    fn belongings(&mut self, fields: &Fields<'s>, who: Char) {
        for table in fields.tables("trait") {
            self.a_trait(table, who);
        }
        for table in fields.tables("item") {
            self.item(table, who);
        }
        for name in fields.texts("items") {
            match self.setup.entry("item", name, &self.faults) {
                Some(item) => self.item(item, who),
                None => {
                    let near = self.setup.near("item", name);
                    fields.fault_in("items", format!("the library has no [[item]] called {name:?}{near}"));
                }
            }
        }
        for table in fields.tables("skill") {
            self.skill(table, who);
        }
        let owner = self.rules.sheet(who).slug.clone();
        let of = Of { slug: &owner, naming: self.naming(who) };
        self.powers(fields, Bearer::Char(who), of);
        self.secrets(fields, Target::Char(who), of);
        self.now(fields, who);
        if self.rules.is_pc(who) {
            self.created(fields, who);
        }
    }

    /// Whether a player's character keeps the rules of creation (`sheet.validate`).
    fn created(&self, fields: &Fields<'s>, who: Char) {
        let sheet = self.rules.sheet(who);
        let skills: Vec<Rank> = self
            .rules
            .spells
            .iter()
            .filter_map(|spell| match spell.from {
                Source::Skill(owner, rank) if owner == who => Some(rank),
                _ => None,
            })
            .collect();
        let count = |ranks: &[Rank]| {
            let major = ranks.iter().filter(|rank| **rank == Rank::Major).count();
            (major, ranks.len() - major)
        };
        let (major, minor) = count(&skills);
        if (major, minor) != (1, 2) {
            let what = format!(
                "every player's character has three Skills, one Major and two Minor, and this one {major} Major \
                 and {minor} Minor (skill.count)"
            );
            fields.fault_in("skill", what);
        }
        // Who has been played before has grown.
        if fields.flag("grown").unwrap_or(false) {
            return;
        }
        if fields.has("personalities") {
            self.personalities_fit(fields, sheet);
        }
        let traits: Vec<Rank> =
            self.rules.traits.iter().filter(|data| data.owner == who).map(|data| data.rank).collect();
        let (major, minor) = count(&traits);
        if (major, minor) != (1, 2) {
            let what = format!(
                "a new character has three Traits, one Major and two Minor, and this one {major} Major and \
                 {minor} Minor (trait.start); say `grown = true` of one who has been played before"
            );
            fields.fault_in("trait", what);
        }
    }

    /// The Personalities of a new character (`pers.creation-sum`, `pers.creation-bounds`).
    fn personalities_fit(&self, fields: &Fields<'s>, sheet: &Sheet) {
        let all = sheet.personalities;
        let sum: i16 = all.iter().map(|&value| i16::from(value)).sum();
        if sum != 10 {
            let what = format!(
                "the five Personalities of a new character add up to 10, and these to {sum} (pers.creation-sum)"
            );
            fields.fault_in("personalities", what);
        }
        for (personality, value) in Personality::ALL.iter().zip(all) {
            if !(-3..=6).contains(&value) {
                let what = format!(
                    "a new character's Personalities are from -3 to 6, and {} is {value} (pers.creation-bounds)",
                    personality.word()
                );
                fields.fault_in("personalities", what);
            }
        }
        self.core_fits(fields, sheet);
    }

    /// Core Symbols are of the highest and of the lowest Personality (`symbol.core`, `core-tie`).
    fn core_fits(&self, fields: &Fields<'s>, sheet: &Sheet) {
        let value = |symbol: Symbol| sheet.personalities[symbol.personality() as usize];
        let highest = sheet.personalities.iter().max().copied().unwrap_or_default();
        let lowest = sheet.personalities.iter().min().copied().unwrap_or_default();
        let fits = match sheet.core {
            [Some(one), Some(other)] => {
                let are = |high: Symbol, low: Symbol| value(high) == highest && value(low) == lowest;
                one.personality() != other.personality() && (are(one, other) || are(other, one))
            }
            _ => false,
        };
        if !fits {
            let of = |wanted: i8| {
                let all = Personality::ALL.iter().filter(|one| sheet.personalities[**one as usize] == wanted);
                all.map(|one| one.word()).collect::<Vec<_>>().join(" or ")
            };
            let what = format!(
                "the two Core Symbols are one of the highest Personality ({}) and one of the lowest ({}), not both \
                 of the same (symbol.core)",
                of(highest),
                of(lowest)
            );
            fields.fault_in("core", what);
        }
    }

    fn a_trait(&mut self, fields: Fields<'s>, who: Char) {
        if self.rules.traits.len() == MAX_TRAITS {
            return fields.fault(format!("too many Traits: {MAX_TRAITS} at most"));
        }
        let id = TraitId(self.rules.traits.len() as u8);
        let name = fields.must_text("name").to_owned();
        let owner = self.rules.sheet(who).slug.clone();
        let of = Of { slug: &owner, naming: self.naming(who) };
        let slug = self.slug(&fields, 't', &name, of);
        let rank = fields.word("rank", Rank::WORDS).unwrap_or(Rank::Minor);
        self.state.traits[id.index()].owner = Some(who);
        self.state.traits[id.index()].rank = rank;
        self.rules.traits.push(TraitData {
            slug: slug.clone(),
            name,
            owner: who,
            rank,
            cost: fields.int("cost", 0..=20).unwrap_or(0) as u8,
            focus: fields.int("focus", 0..=9).unwrap_or(1) as u8,
        });
        self.secrets(&fields, Target::Element(Element::Trait(id)), Of { slug: &slug, ..of });
        fields.text("note");
        fields.done();
    }

    /// An Item (`ext.item`).
    fn item(&mut self, fields: Fields<'s>, who: Char) {
        let Some(fields) = self.over_library(fields, "item") else { return };
        if self.rules.items.len() == MAX_ITEMS {
            return fields.fault(format!("too many Items: {MAX_ITEMS} at most"));
        }
        let item = Item(self.rules.items.len() as u8);
        let name = fields.must_text("name").to_owned();
        let owner = self.rules.sheet(who).slug.clone();
        let of = Of { slug: &owner, naming: self.naming(who) };
        let slug = self.slug(&fields, Item::LETTER, &name, of);
        let slots = levels(&fields, "slots", 20);
        let casts = fields.int("casts", 1..=20).map(|casts| casts as u8);
        let left = levels(&fields, "left", 20);
        let casts_left = fields.int("casts_left", 0..=20).map(|casts| casts as u8);
        let full = slots.unwrap_or_default();
        let left = left.map_or(full, |left| std::array::from_fn(|level| left[level].min(full[level])));
        self.rules.items.push(ItemData {
            slug: slug.clone(),
            name,
            form: fields.text("form").unwrap_or_default().to_owned(),
            owner: who,
            cost: fields.int("cost", 0..=20).unwrap_or(0) as u8,
            focus: fields.int("focus", 0..=9).unwrap_or(1) as u8,
            slots,
            casts: casts.unwrap_or(0),
        });
        let most = casts.unwrap_or(0);
        self.state.items.push(Thing {
            owner: Some(who),
            card: Card::Inactive,
            used: false,
            slots: left,
            casts: casts_left.map_or(most, |left| left.min(most)),
        });
        let of = match of.naming {
            Naming::Open => Of { slug: &slug, ..of },
            Naming::Owned | Naming::Unseen => of,
        };
        for spell in fields.tables("spell") {
            self.spell(spell, item, of);
        }
        self.castable(&fields, item);
        self.powers(&fields, Bearer::Item(item), of);
        self.secrets(&fields, Target::Element(Element::Item(item)), of);
        fields.text("note");
        fields.done();
    }

    /// Whether the Spells of an Item can be cast (`spell.slots`, `spell.item-special`).
    fn castable(&self, fields: &Fields<'s>, item: Item) {
        let data = self.rules.item(item);
        let own = self.rules.spells.iter().filter(|spell| spell.from == Source::Item(item));
        let highest = own.map(|spell| spell.level).max();
        match (highest, data.slots) {
            (None, _) => {
                let what = "it has no Spells: give it a [[spell]], or leave this out";
                fields.idle_all(&["slots", "casts"], what);
            }
            (Some(_), None) if data.casts == 0 => fields.fault(
                "it has Spells: say how many `slots` it has by Level, such as { 1 = 2, 3 = 1 }, or how many `casts` \
                 between Rests (spell.slots, spell.item-special)",
            ),
            (Some(_), Some(_)) if data.casts > 0 => {
                fields.fault_in("casts", "it has either `slots` or `casts` (spell.item-special)");
            }
            (Some(level), Some(slots)) => {
                let reached = slots.iter().rposition(|&slots| slots > 0).map_or(0, |at| at + 1);
                if usize::from(level) > reached {
                    let what = format!("no slot is for a Spell of Level {level}: it could never be cast (spell.slots)");
                    fields.idle("slots", what);
                }
            }
            _ => {}
        }
    }

    /// A Spell of an Item (`spell.elements`).
    fn spell(&mut self, fields: Fields<'s>, item: Item, of: Of<'_>) {
        let Some((name, symbol)) = self.named_symbol(&fields) else { return };
        fields.must("level", "from 1 to 5 (spell.elements)");
        let level = fields.int("level", 1..=MAX_LEVEL as i64).unwrap_or(1) as u8;
        let slug = self.slug(&fields, Spell::LETTER, &name, of);
        self.rules.spells.push(SpellData { slug, name, from: Source::Item(item), level, symbol });
        fields.text("note");
        fields.done();
    }

    /// A Skill (`skill.like-spell`).
    fn skill(&mut self, fields: Fields<'s>, who: Char) {
        let Some((name, symbol)) = self.named_symbol(&fields) else { return };
        let rank = fields.word("rank", Rank::WORDS).unwrap_or(Rank::Minor);
        let level = skill_level(rank);
        if fields.int("level", 1..=MAX_LEVEL as i64).is_some_and(|said| said != i64::from(level)) {
            fields
                .fault_in("level", "a Minor Skill is of Level 1 and the Major one of Level 3 (skill.levels)");
        }
        let owner = self.rules.sheet(who).slug.clone();
        let of = Of { slug: &owner, naming: self.naming(who) };
        let slug = self.slug(&fields, Spell::LETTER, &name, of);
        self.rules.spells.push(SpellData { slug, name, from: Source::Skill(who, rank), level, symbol });
        fields.text("note");
        fields.done();
    }

    /// The name and the Symbol of a Spell or a Skill, if there is room for one more.
    fn named_symbol(&self, fields: &Fields<'s>) -> Option<(String, Symbol)> {
        if self.rules.spells.len() == MAX_SPELLS {
            fields.fault(format!("too many Spells and Skills: {MAX_SPELLS} at most"));
            return None;
        }
        let name = fields.must_text("name").to_owned();
        fields.must("symbol", "one of the ten (spell.elements)");
        Some((name, fields.word("symbol", Symbol::WORDS).unwrap_or(Symbol::Lantern)))
    }

    /// The abilities of something (`ext.effects`).
    fn powers(&mut self, fields: &Fields<'s>, on: Bearer, of: Of<'_>) {
        for table in fields.tables("ability") {
            self.ability(table, on, of);
        }
    }

    fn ability(&mut self, fields: Fields<'s>, on: Bearer, of: Of<'_>) {
        if self.rules.abilities.len() == MAX_ABILITIES {
            return fields.fault(format!("too many abilities: {MAX_ABILITIES} at most"));
        }
        let at = self.rules.abilities.len();
        let name = fields.must_text("name").to_owned();
        let hidden = fields.flag("hidden").unwrap_or(false);
        let of = if hidden { Of { naming: Naming::Unseen, ..of } } else { of };
        let slug = self.slug(&fields, Ability::LETTER, &name, of);
        fields.must("timing", "slow, rapid, triggered or static");
        let timing = fields.word("timing", Timing::WORDS).unwrap_or(Timing::Slow);
        let moment = fields.word("when", Moment::WORDS);
        let whose = fields.word("whose", Whose::WORDS).unwrap_or(Whose::Mine);
        let flag = |name| fields.flag(name).unwrap_or(false);
        let cost = Cost {
            action: flag("action"),
            reaction: flag("reaction"),
            focus: fields.int("focus", 0..=20).unwrap_or(0) as u8,
            exhaust: flag("exhaust"),
            limit: fields.word("limit", Limit::WORDS),
        };
        let effects = effects(&fields, &self.rules.tokens);
        let ability = AbilityData {
            slug,
            name,
            text: fields.text("text").unwrap_or_default().to_owned(),
            on,
            timing,
            when: moment.map(|moment| (moment, whose)),
            unreactable: flag("unreactable"),
            cost,
            aim: fields.word("aim", Aim::WORDS).unwrap_or(Aim::Me),
            lasts: fields.word("lasts", Lasts::WORDS).unwrap_or_else(|| usual_duration(&effects)),
            effects,
            hidden,
        };
        sound(&fields, &ability);
        if fields.flag("used").unwrap_or(false) {
            match cost.limit {
                Some(limit) => self.state.used[limit as usize] |= 1 << at,
                None => fields.idle("used", "it has no `limit`, and can be used again at once: leave it out"),
            }
        }
        if fields.flag("met").unwrap_or(false) {
            if !self.rules.is_to_be_met(&ability) {
                fields.idle("met", "it is not `hidden`: everybody knows it");
            }
            self.state.met |= 1 << at;
        }
        if timing == Timing::Static {
            self.rules.statics.push(Ability(at as u8));
        }
        self.rules.abilities.push(ability);
        fields.text("note");
        fields.done();
    }

    /// The Secrets of something, in the order in which they are learnt (`secret-choice`).
    fn secrets(&mut self, fields: &Fields<'s>, of: Target, owner: Of<'_>) {
        for table in fields.tables("secret") {
            self.secret(table, of, owner);
        }
    }

    fn secret(&mut self, fields: Fields<'s>, of: Target, owner: Of<'_>) {
        if self.rules.secrets.len() == MAX_SECRETS {
            return fields.fault(format!("too many Secrets: {MAX_SECRETS} at most"));
        }
        let text = fields.must_text("text").to_owned();
        // Two of one owner differ by their texts alone, and their names do not count them.
        let told = format!("{} {text}", owner.slug);
        let slug = self.slug(&fields, SecretId::LETTER, "secret", Of { slug: &told, naming: Naming::Unseen });
        let reveals = fields.text("reveals").and_then(|name| self.revealed(&fields, name, of));
        if fields.flag("learnt").unwrap_or(false) {
            self.state.learnt |= 1 << self.rules.secrets.len();
            if let Some(ability) = reveals {
                self.state.met |= 1 << ability.index();
            }
        }
        let investigate = fields.flag("investigate").unwrap_or(false);
        self.rules.secrets.push(SecretData { slug, text, of, investigate, reveals });
        fields.done();
    }

    /// The hidden ability that a Secret reveals.
    fn revealed(&self, fields: &Fields<'s>, name: &str, of: Target) -> Option<Ability> {
        let has = |on: Bearer| match (of, on) {
            (Target::Char(who), Bearer::Char(on)) => who == on,
            (Target::Element(Element::Item(item)), Bearer::Item(on)) => item == on,
            (Target::Element(Element::Prop(prop)), Bearer::Prop(on)) => prop == on,
            _ => false,
        };
        let own = || self.rules.abilities.iter().enumerate().filter(|(_, ability)| has(ability.on));
        let found = own().find(|(_, ability)| ability.name == name);
        match found {
            None => {
                fields.unknown(
                    "reveals",
                    "it has no ability called",
                    name,
                    own().map(|(_, a)| a.name.as_str()),
                );
            }
            Some((_, ability)) if !ability.hidden => {
                fields.idle("reveals", "that ability is not `hidden`: there is nothing to reveal");
            }
            Some(_) => {}
        }
        found.map(|(at, _)| Ability(at as u8))
    }

    /// How somebody fares when play begins.
    fn now(&mut self, fields: &Fields<'s>, who: Char) {
        let sheet = self.rules.sheet(who).clone();
        let body = &mut self.state.bodies[who.index()];
        if let Some(now) = fields.table("now") {
            let most = |most: u8| 0..=i64::from(most);
            if let Some(major) = now.int("major", most(sheet.major)) {
                body.major = major as u8;
            }
            let minor = now.int("minor", most(sheet.minor)).map(|minor| minor as u8);
            if minor.is_some_and(|minor| minor > body.major) {
                now.fault_in("minor", "Minor Will Points are some of the Major ones: never more (wp.subset)");
            }
            body.minor = minor.unwrap_or(sheet.minor.min(body.major));
            let lost = now.int("preparation_lost", most(sheet.preparation));
            body.preparation_lost = lost.unwrap_or(0) as u8;
            body.extra_hours = now.int("extra_hours", -9..=9).unwrap_or(0) as i8;
            for (field, names, left, most) in [
                ("skill_slots", ["1", "3"], &mut body.skill_slots, SKILL_SLOTS),
                ("skill_uses", ["minor", "major"], &mut body.skill_uses, SKILL_USES),
            ] {
                let Some(table) = now.table(field) else { continue };
                for ((name, left), most) in names.into_iter().zip(left).zip(most) {
                    *left = table.int(name, 0..=i64::from(most)).map_or(*left, |n| n as u8);
                }
                table.done();
            }
            now.done();
        }
        for table in fields.tables("token") {
            token(table, body, &self.rules.tokens);
        }
        for table in fields.tables("altered") {
            alteration(table, body, self.rules.options.alt_scope == crate::rules::AltScope::Character);
        }
        for table in fields.tables("lasting") {
            let lasts = table.word("lasts", Lasts::WORDS).unwrap_or(Lasts::Scene);
            for effect in effects(&table, &self.rules.tokens) {
                if self.state.live.try_push(Live { on: who, by: who, effect, lasts }).is_err() {
                    table.fault("too much lasts on people already");
                    break;
                }
            }
            table.done();
        }
    }

    /// What ties somebody to others and to earlier evenings.
    fn history(&mut self, fields: Fields<'s>, who: Char) {
        for table in fields.tables("grip") {
            self.grip(table, who);
        }
        for table in fields.tables("made") {
            let made = MadeBefore {
                who,
                task: table.must_text("task").to_owned(),
                against: table.text("against").unwrap_or_default().to_owned(),
                passed: table.flag("passed").unwrap_or(false),
            };
            table.must("passed", "whether the Roll passed (roll.permanent)");
            self.rules.made.push(made);
            table.done();
        }
        for table in fields.tables("pool") {
            self.pool(table, who);
        }
        fields.done();
    }

    /// A Subjugation that somebody is in (`sub.types`).
    fn grip(&mut self, fields: Fields<'s>, loser: Char) {
        fields.must("rank", "minor or major, as the Clash was (sub.types)");
        let rank = fields.word("rank", Rank::WORDS).unwrap_or(Rank::Minor);
        let cause = label(&fields, "cause", fields.must_text("cause"));
        let mut winners = CharSet::NONE;
        let mut absent = Vec::new();
        for name in fields.texts("by") {
            match self.find(name) {
                Some(winner) if winner == loser => {
                    fields.fault_in("by", "nobody Subjugates themself (sub.types)")
                }
                Some(winner) => winners = winners.with(winner),
                None => absent.push(name.to_owned()),
            }
        }
        let aware = fields.flag("aware").unwrap_or(true);
        if let Some(cause) = cause {
            if self.state.grips.len() < MOST_GRIPS {
                self.state.grips.push(Grip { loser, winners, rank, cause, aware });
            } else {
                fields.fault(format!("too many Subjugations: {MOST_GRIPS} at most"));
            }
            if !absent.is_empty() {
                self.rules.held.push(HeldBefore { loser, cause: cause.to_string(), by: absent });
            }
        }
        fields.done();
    }

    /// A Persistent Spell that somebody Concentrates on (`persist.trait`).
    fn pool(&mut self, fields: Fields<'s>, caster: Char) {
        let name = fields.must_text("spell");
        let own = |from: Source| match from {
            Source::Item(item) => self.state.items[item.index()].owner == Some(caster),
            Source::Skill(who, _) => who == caster,
        };
        let spells = || self.rules.spells.iter().enumerate().filter(|(_, spell)| own(spell.from));
        let spell =
            spells().find(|(_, spell)| spell.name == name).map(|(at, spell)| (Spell(at as u8), spell.level));
        if spell.is_none() {
            fields.unknown(
                "spell",
                "they have no Spell or Skill called",
                name,
                spells().map(|(_, s)| s.name.as_str()),
            );
        }
        let on = fields.must_text("on");
        let target = self.find(on);
        if target.is_none() {
            // Of a Spell on somebody who is elsewhere on another evening nothing is left.
            let what = format!("nobody here is called {on:?}{}", near(on, &self.names_of_cast()));
            fields.idle("on", what);
        }
        let words = label(&fields, "words", fields.must_text("words"));
        let most = 2 * i64::from(spell.map_or(1, |(_, level)| level));
        fields.must("dice", "how many dice are left in the pool (persist.pool)");
        let dice = fields.int("dice", 1..=most).unwrap_or(1) as u8;
        let of = fields.word("of", Dice::WORDS).unwrap_or(Dice::Bonus);
        let matched = fields.int("matched", 0..=2).unwrap_or(0) as u8;
        let known = fields.flag("known").unwrap_or(false);
        if self.state.concentration(caster).is_some() {
            fields.fault("a caster has one Persistent Spell at a time (persist.one-per-caster)");
        } else if let (Some((spell, _)), Some(target), Some(words)) = (spell, target, words) {
            let at = At { rules: &self.rules, state: &self.state };
            if let Some(mark) = spell::room_for(at, caster, target) {
                self.state.pools.push(Pool { caster, target, spell, mark, dice, of, matched, known });
                self.state.call(mark, words);
                let there = &mut self.state.traits[mark.index()];
                *there = Mark { owner: Some(target), spell: true, ..*there };
            } else {
                fields.fault(format!("too many Persistent Spells: {} at most, and {HIDDEN_POOLS} between characters who are away", MAX_POOLS - HIDDEN_POOLS));
            }
        }
        fields.done();
    }

    fn names_of_cast(&self) -> Vec<&str> {
        self.rules.cast.iter().map(|sheet| sheet.name.as_str()).collect()
    }

    /// A Clash Prop's own fields (`ext.clash-prop`); its abilities are read once its creator is known.
    fn prop(&mut self, fields: Fields<'s>) -> Option<(Prop, Fields<'s>)> {
        if self.rules.props.len() == MAX_PROPS {
            fields.fault(format!("too many Clash Props: {MAX_PROPS} at most"));
            return None;
        }
        let prop = Prop(self.rules.props.len() as u8);
        let name = fields.must_text("name").to_owned();
        let here = fields.flag("here").unwrap_or(true);
        let naming = if here { Naming::Open } else { Naming::Unseen };
        let slug = self.slug(&fields, 'p', &name, Of { slug: "prop", naming });
        let control = fields.text("control").filter(|said| *said != "free");
        let control = control.and_then(|said| symbols(&fields, "control", said));
        self.state.props[prop.index()].here = here;
        self.rules.props.push(PropData {
            slug,
            name,
            creator: Char(0),
            capacity: fields.int("capacity", 1..=MAX_CAST as i64).unwrap_or(1) as u8,
            focus: fields.int("focus", 0..=9).unwrap_or(1) as u8,
            dice: fields.int("dice", 1..=2).unwrap_or(1) as u8,
            control,
        });
        for about in ["note", "use"] {
            fields.text(about);
        }
        Some((prop, fields))
    }

    /// What a Clash Prop has, and who made it.
    fn of_prop(&mut self, fields: Fields<'s>, prop: Prop) {
        let creator = match fields.text("creator") {
            Some(name) => {
                let found = self.find(name);
                if found.is_none() && !self.broken {
                    fields.unknown("creator", "nobody here is called", name, self.names_of_cast());
                }
                found
            }
            // Unless it says otherwise, it is the Director's first character's.
            None => self.rules.everybody().find(|&who| !self.rules.is_pc(who)),
        };
        if creator.is_none() && !fields.has("creator") {
            fields.fault("`creator` is missing: a character, against whom Control is rolled (prop.clash)");
        }
        self.rules.props[prop.index()].creator = creator.unwrap_or_default();
        let slug = self.rules.props[prop.index()].slug.clone();
        let here = self.state.props[prop.index()].here;
        let of = Of { slug: &slug, naming: if here { Naming::Owned } else { Naming::Unseen } };
        self.powers(&fields, Bearer::Prop(prop), of);
        self.secrets(&fields, Target::Element(Element::Prop(prop)), of);
        fields.done();
    }

    /// Something to do in a Rest (`ext.hours`).
    fn activity(&mut self, fields: Fields<'s>) {
        if self.rules.activities.len() == MAX_ACTIVITIES {
            return fields.fault(format!("too many activities: {MAX_ACTIVITIES} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Activity::LETTER, &name);
        let hours = fields.int("hours", 1..=2).unwrap_or(1) as u8;
        let effects = effects(&fields, &self.rules.tokens);
        for effect in &effects {
            if effect.is_on_roll() {
                let what = "in a Rest there is no Roll, and nothing comes of it (rest.rest)";
                fields.idle("effects", what);
            }
        }
        self.rules.activities.push(ActivityData { slug, name, hours, effects });
        fields.text("note");
        fields.done();
    }

    /// Kinds of Tokens that the table made up, of the encounter and of the library (`ext.tokens`).
    fn token_kinds(&mut self, top: &Fields<'s>) {
        let faults = self.faults.clone();
        let setup = self.setup;
        let library = setup.library.iter().flat_map(|document| document.fields(&faults).tables("token"));
        for fields in self.all(top, "token").into_iter().chain(library) {
            self.token_kind(&fields);
            fields.done();
        }
    }

    fn token_kind(&mut self, fields: &Fields<'s>) {
        let name = fields.must_text("name");
        for (field, what) in [
            ("when", "when it is Expended, such as \"damage-taken\""),
            ("effects", "what it does (ext.tokens)"),
        ] {
            fields.must(field, what);
        }
        let effects = effects(fields, &self.rules.tokens);
        if effects.contains(&Effect::LoseControl) {
            fields.idle("effects", "`lose-control` is of a Clash Prop, and a Token is of none");
        }
        let when = fields.word("when", TokenMoment::WORDS);
        for about in ["note", "use"] {
            fields.text(about);
        }
        match name.parse() {
            Ok(kind @ TokenKind::Own(_)) => {
                // The encounter's own comes first.
                if let Some(when) = when
                    && !self.rules.tokens.iter().any(|there| there.kind == kind)
                {
                    self.rules.tokens.push(TokenData { kind, when, effects });
                }
            }
            Ok(_) => fields.fault_in("name", "the rules have a Token of that name (token.what)"),
            Err(_) if name.is_empty() => {}
            Err(error) => fields.fault_in("name", error),
        }
    }

    /// The Props that were used before, of the encounter and of what is carried (`improv.prop-once`).
    fn used_props(&mut self, top: &Fields<'s>) {
        let faults = self.faults.clone();
        let setup = self.setup;
        let carried = setup.library.iter().flat_map(|document| document.fields(&faults).tables("used_prop"));
        for fields in top.tables("used_prop").into_iter().chain(carried) {
            let name = fields.must_text("name");
            // Of one that is carried on besides, nothing more is said there.
            fields.text("use");
            if !self.rules.used_props.iter().any(|used| used == name) {
                self.rules.used_props.push(name.to_owned());
            }
            fields.done();
        }
    }

    /// What a table cannot be without.
    fn complete(&self, top: &Fields<'s>) {
        if self.broken {
            return;
        }
        for (place, player) in self.rules.roster.players.iter().enumerate() {
            if !self.rules.cast.iter().any(|sheet| sheet.seat == Seat::Player(place as u8)) {
                top.fault(format!("player {player:?} has no [[character]]"));
            }
        }
    }
}

/// A character who has lost nothing yet.
fn body(side: Side, (major, minor): (u8, u8), here: bool) -> Body {
    Body {
        side,
        major,
        minor,
        hurt: 0,
        preparation_lost: 0,
        alterations: [None; 10],
        tokens: ArrayVec::new(),
        actions: 0,
        reaction: false,
        floating: 0,
        turns: 0,
        surprised: false,
        dodged: false,
        fights: false,
        lost: false,
        dead: false,
        here,
        hours: 0,
        extra_hours: 0,
        skill_slots: SKILL_SLOTS,
        skill_uses: SKILL_USES,
    }
}

/// The Level of a Skill (`skill.levels`).
pub(crate) const fn skill_level(rank: Rank) -> u8 {
    match rank {
        Rank::Minor => 1,
        Rank::Major => 3,
    }
}

/// The five Personalities, 0 where nothing is said (`pers.range`).
fn personalities(fields: &Fields<'_>) -> [i8; 5] {
    fields.must("personalities", "the five, such as { precision = 4, depth = -1 } (pers.five)");
    let mut values = [0; 5];
    if let Some(table) = fields.table("personalities") {
        for (value, personality) in values.iter_mut().zip(Personality::ALL) {
            *value = table.int(personality.word(), -10..=10).unwrap_or(0) as i8;
        }
        table.done();
    }
    values
}

/// The Core Symbols (`symbol.core`).
fn core(fields: &Fields<'_>) -> [Option<Symbol>; 2] {
    let mut core = fields.words("core", Symbol::WORDS).into_iter();
    let two = [core.next(), core.next()];
    if core.next().is_some() {
        fields.fault_in("core", "there are two Core Symbols (symbol.core)");
    }
    two
}

/// Will Points of a player's character are always the same (`wp.pc-start`).
fn pc_will(fields: &Fields<'_>) -> (u8, u8, u8) {
    let (major, minor) = WILL;
    if let Some(table) = fields.table("wp") {
        let said = (table.int("major", 0..=99), table.int("minor", 0..=99));
        let other = |said: Option<i64>, usual: u8| said.is_some_and(|said| said != i64::from(usual));
        if other(said.0, major) || other(said.1, minor) {
            let what = format!(
                "a player's character has {major} Major Will Points, {minor} of them Minor: leave it out, and say \
                 what is left of them with `now` (wp.pc-start)"
            );
            fields.fault_in("wp", what);
        }
        subset(&table, said);
        table.done();
    }
    (major, minor, 0)
}

/// Will Points of the Director's characters are on their sheets (`ext.npc`).
fn npc_will(fields: &Fields<'_>) -> (u8, u8, u8) {
    fields.must("wp", "how many Will Points, such as { major = 4, minor = 2 } (wp.pc-start)");
    let Some(table) = fields.table("wp") else { return (0, 0, 0) };
    for (field, what) in [("major", "how many Will Points"), ("minor", "how many of them are Minor")] {
        table.must(field, what);
    }
    let (major, minor) = (table.int("major", 0..=99), table.int("minor", 0..=99));
    let preparation = table.int("preparation", 0..=99).unwrap_or(0);
    subset(&table, (major, minor));
    if major.is_some_and(|major| preparation > major) {
        table.fault_in(
            "preparation",
            "Preparation Will Points are some of the Major ones: never more (prep-part)",
        );
    }
    table.done();
    (major.unwrap_or(0) as u8, minor.unwrap_or(0) as u8, preparation as u8)
}

/// Minor Will Points are some of the Major ones (`wp.subset`).
fn subset(table: &Fields<'_>, wp: (Option<i64>, Option<i64>)) {
    if let (Some(major), Some(minor)) = wp
        && minor > major
    {
        table.fault_in("minor", "Minor Will Points are some of the Major ones: never more (wp.subset)");
    }
}

/// Numbers by Level, such as `{ 1 = 2, 3 = 1 }`.
fn levels(fields: &Fields<'_>, name: &'static str, most: i64) -> Option<[u8; MAX_LEVEL]> {
    let table = fields.table(name)?;
    let slots = LEVELS.map(|level| table.int(level, 0..=most).unwrap_or(0) as u8);
    table.done();
    Some(slots)
}

/// A text that is short enough to be kept in the state.
fn label(fields: &Fields<'_>, field: &str, text: &str) -> Option<Label> {
    match text.parse() {
        Ok(label) => Some(label),
        Err(_) if !fields.has(field) => None,
        Err(error) => {
            fields.fault_in(field, error.to_string());
            None
        }
    }
}

/// Two Symbols, as `edge over heart` (`roll.symbols`).
fn symbols(fields: &Fields<'_>, field: &str, text: &str) -> Option<(Symbol, Symbol)> {
    let Some((with, over)) = text.split_once(" over ") else {
        fields.fault_in(field, format!("expected two Symbols, such as \"edge over heart\", found {text:?}"));
        return None;
    };
    let symbol = |word: &str| {
        let found = Symbol::WORDS.iter().find(|(there, _)| *there == word).map(|(_, symbol)| *symbol);
        if found.is_none() {
            let there: Vec<&str> = Symbol::WORDS.iter().map(|(there, _)| *there).collect();
            fields.fault_in(field, not_one_of(word, &there));
        }
        found
    };
    let (with, over) = (symbol(with.trim()), symbol(over.trim()));
    Some((with?, over?))
}

/// A Token that somebody holds already (`token.what`).
fn token(fields: Fields<'_>, body: &mut Body, made_up: &[TokenData]) {
    fields.must("kind", "which Token, such as \"lucky\"");
    let flag = |name| fields.flag(name).unwrap_or(false);
    let (persistent, countless) = (flag("persistent"), flag("countless"));
    if let Some(kind) = token_kind(&fields, made_up) {
        let limited = |token: &&Token| token.kind == kind && !token.countless;
        if !countless && body.tokens.iter().filter(limited).count() == MAX_OF_A_KIND {
            fields.fault("nobody holds more than two Tokens of a kind (token.cap)");
        } else if body.tokens.try_push(Token { kind, persistent, countless, ephemeral: None }).is_err() {
            fields.fault(format!("too many Tokens: {} at most", crate::state::MAX_TOKENS));
        }
    }
    fields.done();
}

/// An Alteration that somebody is under already (`alteration.states`).
fn alteration(fields: Fields<'_>, body: &mut Body, one: bool) {
    for (field, what) in [("symbol", "which Symbol"), ("to", "eclipsed, obscured, bright or exalted")] {
        fields.must(field, what);
    }
    let symbol = fields.word("symbol", Symbol::WORDS);
    let to = fields.word("to", Alteration::WORDS);
    let lasts = fields.word("lasts", Lasts::WORDS).unwrap_or(Lasts::Scene);
    if matches!(lasts, Lasts::AtOnce | Lasts::Turn | Lasts::NextTurn | Lasts::Clash) {
        fields.idle("lasts", "no Clash is under way: it would be over before it began");
    }
    if one && body.alterations.iter().any(Option::is_some) {
        fields.fault("a character is under one Alteration at a time (alteration.replace, alt-scope)");
    }
    if let (Some(symbol), Some(to)) = (symbol, to) {
        body.alterations[symbol as usize] = Some(Altered { to, lasts, by: None });
    }
    fields.done();
}

/// Effects that nothing is said of but that they are there.
pub(crate) const PLAIN: [(&str, Effect); 8] = [
    ("clear-alteration", Effect::ClearAlteration),
    ("gain-action", Effect::GainAction),
    ("gain-reaction", Effect::GainReaction),
    ("ready", Effect::Ready),
    ("exhaust", Effect::Exhaust),
    ("reveal-secret", Effect::RevealSecret),
    ("lose-control", Effect::LoseControl),
    ("note", Effect::Note),
];

/// Effects of which a number is said: the least, the most, and what it makes.
type Counted = (&'static str, i64, i64, fn(i64) -> Effect);
const COUNTED: [Counted; 11] = [
    ("add-bd", 1, 9, |n| Effect::AddBd(n as u8)),
    ("add-md", 1, 9, |n| Effect::AddMd(n as u8)),
    ("add-damage", -9, 9, |n| Effect::AddDamage(n as i8)),
    ("multiply-damage", 2, 9, |n| Effect::MultiplyDamage(n as u8)),
    ("set-potential", 1, 9, |n| Effect::SetPotential(n as u8)),
    ("deal-damage", 1, 9, |n| Effect::DealDamage(n as u8)),
    ("restore-major", 1, 9, |n| Effect::RestoreMajor(n as u8)),
    ("restore-minor", 1, 9, |n| Effect::RestoreMinor(n as u8)),
    ("gain-focus", 1, 9, |n| Effect::GainFocus(n as u8)),
    ("add-spell-slot", 1, MAX_LEVEL as i64, |n| Effect::AddSpellSlot(n as u8)),
    ("change-hours", -2, 9, |n| Effect::ChangeHours(n as i8)),
];

/// Effects in the one vocabulary, a table each (`ext.effects`).
fn effects(fields: &Fields<'_>, tokens: &[TokenData]) -> ArrayVec<Effect, MAX_EFFECTS> {
    let mut all = ArrayVec::new();
    for table in fields.tables("effects") {
        if all.is_full() {
            table.fault(format!("too many effects: {MAX_EFFECTS} at most"));
        }
        if let Some(effect) = effect(table, tokens) {
            let _ = all.try_push(effect);
        }
    }
    all
}

/// One effect: a table with one field, such as `{ add-bd = 1 }`.
fn effect(fields: Fields<'_>, tokens: &[TokenData]) -> Option<Effect> {
    let mut found: Vec<(&str, Option<Effect>)> = Vec::new();
    for (name, least, most, made) in COUNTED {
        let number = fields.int(name, least..=most);
        if number == Some(0) {
            fields.idle(name, "0 of it is nothing: leave it out");
        }
        found.push((name, number.map(made)));
    }
    for (name, effect) in PLAIN {
        let is = fields.flag(name);
        if is == Some(false) {
            fields.idle(name, "it is there or not: leave it out");
        }
        found.push((name, is.map(|_| effect)));
    }
    let gained = fields.text("gain-keyword").and_then(|text| keyword(&fields, "gain-keyword", text));
    found.push(("gain-keyword", gained.map(Effect::GainKeyword)));
    found.push(("alter", fields.table("alter").and_then(alter)));
    found.push(("give-token", fields.table("give-token").and_then(|table| given(table, tokens))));
    let mut there = found.into_iter().filter(|(name, _)| fields.has(name));
    let first = there.next();
    if first.is_none() {
        fields.idle("", "an effect is missing, such as { add-bd = 1 }");
    }
    if let Some((name, _)) = there.next() {
        fields.fault_in(name, "one effect a table: give this one braces of its own");
    }
    fields.done();
    first?.1
}

/// Puts a Symbol under an Alteration (`conflict.source-effects`).
fn alter(fields: Fields<'_>) -> Option<Effect> {
    for (field, what) in [("symbol", "which Symbol"), ("to", "eclipsed, obscured, bright or exalted")] {
        fields.must(field, what);
    }
    let symbol = fields.word("symbol", Symbol::WORDS);
    let to = fields.word("to", Alteration::WORDS);
    let resist = fields.text("resist").and_then(|said| symbols(&fields, "resist", said));
    fields.done();
    Some(Effect::Alter { symbol: symbol?, to: to?, resist })
}

/// A kind of Token: of the rules, or of those that the table made up (`ext.tokens`).
fn token_kind(fields: &Fields<'_>, made_up: &[TokenData]) -> Option<TokenKind> {
    let text = fields.text("kind")?;
    let all = TokenKind::WORDS.iter().map(|(_, kind)| *kind).chain(made_up.iter().map(|data| data.kind));
    let names: Vec<(String, TokenKind)> = all.map(|kind| (kind.to_string(), kind)).collect();
    let found = names.iter().find(|(name, _)| name == text).map(|(_, kind)| *kind);
    if found.is_none() {
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        fields.fault_in("kind", not_one_of(text, &names));
    }
    found
}

/// A keyword: one of the rules, or any other short text, unless it looks like one of the rules (`ext.effects`).
fn keyword(fields: &Fields<'_>, field: &str, text: &str) -> Option<Keyword> {
    let known: Vec<&str> = Keyword::WORDS.iter().map(|(word, _)| *word).collect();
    match text.parse::<Keyword>() {
        Ok(Keyword::Own(_)) if !near(text, &known).is_empty() => {
            fields.fault_in(field, not_one_of(text, &known));
            None
        }
        Ok(keyword) => Some(keyword),
        Err(error) => {
            fields.fault_in(field, error);
            None
        }
    }
}

/// Gives a Token (`ext.tokens`).
fn given(fields: Fields<'_>, tokens: &[TokenData]) -> Option<Effect> {
    fields.must("kind", "which Token, such as \"lucky\"");
    let kind = token_kind(&fields, tokens);
    let flag = |name| fields.flag(name).unwrap_or(false);
    let (persistent, ephemeral, countless) = (flag("persistent"), flag("ephemeral"), flag("countless"));
    fields.done();
    Some(Effect::GiveToken { kind: kind?, persistent, ephemeral, countless })
}

/// How long an ability lasts where it does not say: what stays on somebody until the Scene changes
/// (`default-duration`), all else happens at once.
pub(crate) fn usual_duration(effects: &[Effect]) -> Lasts {
    let stays = |effect: &Effect| matches!(effect, Effect::Alter { .. } | Effect::GainKeyword(_));
    if effects.iter().any(stays) { Lasts::Scene } else { Lasts::AtOnce }
}

/// What in an ability is missing, or could never do anything.
fn sound(fields: &Fields<'_>, ability: &AbilityData) {
    let triggered = ability.timing == Timing::Triggered;
    if triggered && !fields.has("when") {
        fields.fault("`when` is missing: what triggers it, such as \"attacks\" (trigger.stack)");
    }
    if !triggered {
        fields.idle_all(&["when", "whose"], "only a Triggered ability waits for its moment: leave it out");
    }
    if triggered {
        fields.idle_all(
            &["action"],
            "a Triggered ability goes off by itself, and takes no Action (trigger.stack)",
        );
    }
    if ability.timing == Timing::Static {
        let what = "a Static ability is always there: nobody uses it, and it costs nothing";
        fields.idle_all(&["action", "reaction", "focus", "exhaust", "limit", "unreactable"], what);
    }
    if ability.cost.exhaust && matches!(ability.on, Bearer::Char(_)) {
        fields
            .idle("exhaust", "it is on a character, and only a Trait, an Item or a Clash Prop is Exhausted");
    }
    if ability.timing == Timing::Slow && matches!(ability.aim, Aim::Acting | Aim::Target) {
        let what =
            "a Slow ability is used when nothing waits on the Stack: there is never such a one (action.slow)";
        fields.idle("aim", what);
    }
    if ability.timing == Timing::Slow && ability.effects.iter().any(|effect| effect.is_on_roll()) {
        let lasting = !matches!(ability.lasts, Lasts::AtOnce);
        if !lasting {
            let what =
                "a Slow ability is used when no Roll is under way: say how long it `lasts` (action.slow)";
            fields.idle("effects", what);
        }
    }
    let resisted = |effect: &Effect| matches!(effect, Effect::Alter { resist: Some(_), .. });
    if ability.aim == Aim::Me && ability.effects.iter().any(resisted) {
        fields
            .idle("effects", "nobody resists themself: leave `resist` out, or say with `aim` whom it is on");
    }
    let moves = ability.effects.iter().any(|effect| matches!(effect, Effect::LoseControl));
    if moves && !matches!(ability.on, Bearer::Prop(_)) {
        fields
            .idle("effects", "`lose-control` is of the Clash Prop that the ability is on, and it is on none");
    }
    if ability.effects.is_empty() && !fields.has("effects") && ability.text.is_empty() {
        fields.idle(
            "",
            "it would do nothing: give it `effects`, or say in a `text` what it means at the table",
        );
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use fracas_kernel::Document;

    /// The fields of a new character who keeps all the rules of creation.
    pub(crate) const HERO: &str = r#"
        name = "Hero"
        personalities = { precision = 4, passion = 2, determination = 3, depth = -1, oddity = 2 }
        core = ["clock", "thorn"]
        trait = [{ name = "One", rank = "major" }, { name = "Two" }, { name = "Three" }]
        skill = [{ name = "Oath", symbol = "heart", rank = "major" }, { name = "Joke", symbol = "lips" }, { name = "Leap", symbol = "key" }]
    "#;

    pub(crate) fn read(text: &str) -> Result<(Rules, State), Faults> {
        start(&Setup::alone(Document::toml("e.toml", text).expect("TOML")))
    }

    /// A table of one hero, in whose fields and after whom this stands.
    fn table(hero: &str, rest: &str) -> String {
        format!("player = [{{ name = \"ana\" }}]\n{rest}\n[[character]]\n{hero}")
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = read(text).err().unwrap_or_default().to_string();
        let fits = found.lines().count() == expected.len()
            && expected.iter().all(|expected| found.lines().any(|found| found.contains(expected)));
        assert!(fits, "found:\n{found}\nexpected:\n{}", expected.join("\n"));
    }

    #[test]
    fn a_sheet_that_keeps_the_rules_starts() {
        let (rules, state) = read(&table(HERO, "")).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!((rules.sheet(Char(0)).major, rules.sheet(Char(0)).minor), (5, 2));
        assert_eq!((state.scene, state.traits.len(), state.props.len()), (1, 104, 16));
        assert_eq!((state.body(Char(0)).skill_slots, state.body(Char(0)).skill_uses), ([3, 1], [5, 2]));
        assert!(state.body(Char(0)).here && state.traits_of(Char(0)).count() == 3);
        let levels: Vec<u8> = rules.spells.iter().map(|spell| spell.level).collect();
        assert_eq!(levels, [3, 1, 1]);
        for (name, letter) in [("hero", 'c'), ("trait-32", 'g'), ("prop-6", 'q'), ("two", 't'), ("leap", 'z')]
        {
            assert_eq!(rules.roster.names.find(name).map(|(found, _)| found), Some(letter), "{name}");
        }
    }

    /// Each rule of creation, broken by itself.
    #[test]
    fn every_rule_of_creation_is_told() {
        for (from, to, fault) in [
            ("passion = 2", "passion = 3", "add up to 10, and these to 11 (pers.creation-sum)"),
            ("passion = 2", "passion = 11", "passion: expected a whole number from -10 to 10"),
            ("\"clock\"", "\"key\"", "highest Personality (precision) and one of the lowest (depth)"),
            ("\"thorn\"", "\"lantern\"", "(symbol.core)"),
            (", { name = \"Three\" }", "", "1 Major and 1 Minor (trait.start)"),
            (
                "{ name = \"Two\" }",
                "{ name = \"Two\", rank = \"major\" }",
                "2 Major and 1 Minor (trait.start)",
            ),
            (", { name = \"Leap\", symbol = \"key\" }", "", "1 Major and 1 Minor (skill.count)"),
            ("symbol = \"lips\" }", "symbol = \"lips\", level = 2 }", "(skill.levels)"),
            ("core =", "wp = { major = 6, minor = 2 }\ncore =", "(wp.pc-start)"),
        ] {
            let text = HERO.replace(from, to);
            let sums_too = to == "passion = 11";
            let faults: &[&str] = if sums_too { &[fault, "(pers.creation-sum)"] } else { &[fault] };
            check(&table(&text, ""), faults);
        }
        // 7 and -4 keep the sum, and the range, and not the bounds.
        let wide = HERO.replace("precision = 4", "precision = 7").replace("depth = -1", "depth = -4");
        check(
            &table(&wide, ""),
            &["precision is 7 (pers.creation-bounds)", "depth is -4 (pers.creation-bounds)"],
        );
        let all = HERO
            .replace("precision = 4", "precision = 9")
            .replace("\"clock\"", "\"key\"")
            .replace(", { name = \"Three\" }", "")
            .replace(", { name = \"Leap\", symbol = \"key\" }", "");
        let all = format!("wp = {{ major = 2, minor = 3 }}\n{all}");
        check(
            &table(&all, ""),
            &[
                "creation-sum",
                "creation-bounds",
                "symbol.core",
                "trait.start",
                "skill.count",
                "wp.pc-start",
                "wp.subset",
            ],
        );
    }

    #[test]
    fn ties_are_the_players_to_break() {
        let even = HERO.replace(
            "{ precision = 4, passion = 2, determination = 3, depth = -1, oddity = 2 }",
            "{ precision = 2, passion = 2, determination = 2, depth = 2, oddity = 2 }",
        );
        check(&table(&even, ""), &[]);
        check(&table(&even.replace("\"thorn\"", "\"lantern\""), ""), &["(symbol.core)"]);
    }

    #[test]
    fn who_has_been_played_has_grown() {
        let grown = HERO
            .replace("passion = 2", "passion = 7")
            .replace("{ name = \"Three\" }", "{ name = \"Three\" }, { name = \"Four\", rank = \"major\" }");
        check(&table(&format!("grown = true\n{grown}"), ""), &[]);
        check(&table(&grown, ""), &["creation-sum", "creation-bounds", "symbol.core", "trait.start"]);
    }

    #[test]
    fn faults_of_everything_else() {
        let npc = |fields: &str| {
            table(HERO, &format!("npc = [{{ name = \"Foe\", personalities = {{}}, {fields} }}]"))
        };
        let foe = "wp = { major = 4, minor = 2 }";
        let item = |fields: &str| npc(&format!("{foe}, item = [{{ name = \"Bell\", {fields} }}]"));
        let ability = |fields: &str| item(&format!("ability = [{{ name = \"Toll\", {fields} }}]"));
        let effects = |all: &str| ability(&format!("timing = \"rapid\", effects = [{all}]"));
        let prop = |fields: &str| table(HERO, &format!("prop = [{{ name = \"Rope\", {fields} }}]"));
        let hero = |fields: &str| table(&format!("{fields}\n{HERO}"), "");
        check(&npc("turns = 1"), &["`wp` is missing"]);
        let bare = "name = \"Hera\"\ngrown = true";
        check(&table(bare, ""), &["`personalities` is missing", "(skill.count)"]);
        check(
            &table("name = \"Hera\"", ""),
            &["`personalities` is missing", "(skill.count)", "(trait.start)"],
        );
        check(&npc("wp = { major = 2, minor = 3, preparation = 4 }"), &["wp.subset", "prep-part"]);
        check(&npc(&format!("{foe}, turns = 0")), &["turns: expected a whole number from 1 to 9"]);
        check(&npc(&format!("{foe}, here = 3")), &["here: expected true or false"]);
        check(&hero("turns = 2"), &["turns: no such field here"]);
        check(&item("form = \"cracked\""), &[]);
        check(&item("slots = { 1 = 2 }"), &["slots: it has no Spells"]);
        let spell = "spell = [{ name = \"Thaw\", level = 2, symbol = \"heart\" }]";
        check(&item(spell), &["it has Spells: say how many `slots`"]);
        check(&item(&format!("slots = {{ 1 = 2 }}, {spell}")), &["no slot is for a Spell of Level 2"]);
        check(
            &item(&format!("slots = {{ 3 = 1 }}, casts = 2, {spell}")),
            &["it has either `slots` or `casts`"],
        );
        check(
            &item("spell = [{ name = \"Thaw\" }], casts = 1"),
            &["`level` is missing", "`symbol` is missing"],
        );
        check(&ability("text = \"rings\""), &["`timing` is missing"]);
        check(&ability("timing = \"triggered\", text = \"rings\""), &["`when` is missing"]);
        check(&ability("timing = \"slow\", when = \"fails\", text = \"rings\""), &["when: only a Triggered"]);
        check(&ability("timing = \"slow\", action = true"), &["it would do nothing"]);
        check(
            &ability("timing = \"static\", action = true, text = \"rings\""),
            &["a Static ability is always there"],
        );
        check(&ability("timing = \"slow\", aim = \"acting\", text = \"rings\""), &["aim: a Slow ability"]);
        check(&ability("timing = \"slow\", effects = [{ add-bd = 1 }]"), &["effects: a Slow ability"]);
        check(&effects("{ add-bd = 1 }, { gain-action = true }, { multiply-damage = 2 }"), &[]);
        check(&effects("{ add-bd = 1, gain-action = true }"), &["one effect a table"]);
        check(&effects("{}"), &["an effect is missing"]);
        check(&effects("{ add-pd = 1 }"), &["no such field here; perhaps `add-bd`"]);
        check(&effects("{ gain-action = false }"), &["it is there or not"]);
        check(&effects("{ deal-damage = 0 }"), &["expected a whole number from 1 to 9"]);
        check(&effects("{ lose-control = true }"), &["of the Clash Prop that the ability is on"]);
        check(&effects("{ alter = { symbol = \"heart\" } }"), &["`to` is missing"]);
        let alter = |resist: &str| {
            effects(&format!(
                "{{ alter = {{ symbol = \"heart\", to = \"bright\", resist = \"{resist}\" }} }}"
            ))
        };
        check(&alter("lips over lips"), &["nobody resists themself"]);
        check(&alter("lips over lips").replace("\"rapid\"", "\"rapid\", aim = \"enemy\""), &[]);
        check(&alter("lips"), &["expected two Symbols, such as"]);
        check(&alter("lip over lips"), &["found \"lip\"; perhaps `lips`"]);
        check(&effects("{ give-token = { kind = \"luck\" } }"), &["found \"luck\"; perhaps `lucky`"]);
        check(&effects(&["{ add-bd = 1 }"; 7].join(", ")), &["too many effects: 6 at most"]);
        let secret = |fields: &str| npc(&format!("{foe}, secret = [{{ text = \"t\", {fields} }}]"));
        check(&secret("reveals = \"Toll\""), &["it has no ability called \"Toll\""]);
        check(&prop("dice = 3"), &["dice: expected a whole number from 1 to 2", "`creator` is missing"]);
        check(&prop("creator = \"Hera\""), &["nobody here is called \"Hera\"; perhaps `Hero`"]);
        check(&prop("creator = \"Hero\", control = \"edge\""), &["control: expected two Symbols"]);
        check(&prop("creator = \"Hero\", control = \"free\""), &[]);
        check(
            &hero("token = [{ kind = \"lucky\" }, { kind = \"lucky\" }, { kind = \"lucky\" }]"),
            &["token.cap"],
        );
        check(&hero("now = { major = 1, minor = 2 }"), &["now.minor: Minor Will Points are some"]);
        check(&hero("now = { preparation_lost = 1 }"), &["now.preparation_lost: expected"]);
        check(
            &hero("grip = [{ rank = \"minor\", cause = \"c\", by = [\"Hero\"] }]"),
            &["nobody Subjugates themself"],
        );
        check(&hero("made = [{ task = \"climbs\" }]"), &["`passed` is missing"]);
        let pool = "pool = [{ spell = \"Oath\", on = \"Hero\", words = \"Brave\", dice = 7 }]";
        check(&hero(pool), &["dice: expected a whole number from 1 to 6"]);
        let altered =
            "altered = [{ symbol = \"key\", to = \"bright\" }, { symbol = \"star\", to = \"bright\" }]";
        check(&hero(altered), &["one Alteration at a time"]);
        check(
            &table(HERO, "options = { alt-scope = \"sybmol\", npc-die = \"kept\" }"),
            &["alt-scope", "no such option"],
        );
        check(&table(HERO, "used_prop = [{ name = \"a dog\", use = \"a dog\" }]"), &[]);
        check(
            &npc(&format!("{foe}, trait = [{{ rank = \"major\" }}]")),
            &["`name` is missing", "give an `id`"],
        );
        check("player = [{ name = \"ana\" }]", &["player \"ana\" has no [[character]]"]);
        check("title = \"t\"", &["there is no [[player]]: at least one is needed"]);
        let twice =
            "activity = [{ name = \"Mend\", hours = 3 }, { name = \"Doze\", effects = [{ add-bd = 1 }] }]";
        check(
            &table(HERO, twice),
            &["hours: expected a whole number from 1 to 2", "in a Rest there is no Roll"],
        );
    }

    /// What players do not see changes no name that they do.
    #[test]
    fn names_tell_nothing_of_what_is_hidden() {
        let seen = |npcs: &str| {
            let (rules, _) = read(&table(HERO, npcs)).unwrap_or_else(|faults| panic!("{faults}"));
            let slugs = rules.traits.iter().map(|data| (data.owner, data.slug.clone()));
            slugs.filter(|(owner, _)| rules.is_pc(*owner)).collect::<Vec<_>>()
        };
        let foe = |here: bool| {
            format!(
                "npc = [{{ name = \"Foe\", here = {here}, personalities = {{}}, wp = {{ major = 1, minor = 0 }}, \
                 trait = [{{ name = \"Two\" }}, {{ name = \"Lone\" }}], secret = [{{ text = \"a\" }}, {{ text = \"b\" }}] }}]"
            )
        };
        assert_eq!(seen(""), seen(&foe(true)));
        assert_eq!(seen(""), seen(&foe(false)));
        let slugs = |here: bool| {
            let (rules, _) = read(&table(HERO, &foe(here))).unwrap_or_else(|faults| panic!("{faults}"));
            let secrets: Vec<String> = rules.secrets.iter().map(|secret| secret.slug.clone()).collect();
            ([3, 4].map(|n: usize| rules.traits[n].slug.clone()), secrets)
        };
        assert_eq!(slugs(true).0, ["foe-two", "foe-lone"]);
        for (unseen, plain) in slugs(false).0.iter().zip(["two-", "lone-"]) {
            assert!(unseen.starts_with(plain) && !unseen.contains("foe"), "{unseen}");
        }
        for secret in slugs(true).1 {
            assert!(secret.starts_with("secret-") && !secret.contains(char::is_numeric), "{secret}");
        }
    }
}
