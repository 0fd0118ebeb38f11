//! Reads a setup: players, cast, boons, abilities, ends, hazards, the scene.

use crate::effect::{self, Effect, Lasts, Removal, Scope, Text, Verb, Whom};
use crate::rules::{Ending, Gear, Harm, Named, Peril, Power, Rules, Sheet, TargetRule, Use};
use crate::state::{Being, Die, Fortunes, Lie, Live, MAX_LIVE, Origin, Place, State};
use crate::{At, scene, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Faults, Faulty, Fields, Names, Roster, Seat, Setup, amid, near};

/// Everything read so far.
struct Reading<'s> {
    setup: &'s Setup,
    faults: Faulty,
    rules: Rules,
    beings: ArrayVec<Being, MAX_CAST>,
    places: ArrayVec<Place, MAX_BOONS>,
    /// Boons that others are made after, by name.
    patterns: Vec<(String, Boon)>,
    /// An entry of the library is missing: who is missing with it is not told.
    broken: bool,
    /// What lasts on somebody already.
    live: ArrayVec<Live, MAX_LIVE>,
}

/// Whose a character is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A player's.
    Players,
    /// The gamemaster's.
    Gamemaster,
}

impl Side {
    /// The list of a setup that such characters stand in.
    const fn list(self) -> &'static str {
        match self {
            Side::Players => "character",
            Side::Gamemaster => "npc",
        }
    }
}

/// An end that every table has, unless it brings another of the name (`ext.ends`; all of it ours): its
/// name, the track that it harms, its kinds of action, its attribute and that of the save, its effect.
struct Usual(
    &'static str,
    Option<&'static str>,
    &'static [Tag],
    (Attribute, Attribute),
    Option<(Verb, Scope, Lasts)>,
);

const COMBAT_SAVES: Scope = Scope { tags: TagSet::one(Tag::Combat), ..Scope::of(Rolls::Save) };
const HONOR_SAVES: Scope =
    Scope { attributes: AttributeSet::one(Attribute::Honor), ..Scope::of(Rolls::Save) };
const PURSUIT: Scope = Scope { tags: TagSet::one(Tag::Pursuit), ..Scope::ALL };

const BODILY: (Attribute, Attribute) = (Attribute::Strength, Attribute::Valor);
const BY_WORDS: (Attribute, Attribute) = (Attribute::Beauty, Attribute::Honor);
const MINOR: Lasts = Lasts::Until(Removal::Minor);
const TESTS: Scope = Scope::of(Rolls::Test);

const USUAL: [Usual; 10] = {
    use Tag::*;
    let (quick, seen) = (Attribute::Initiative, Attribute::Wisdom);
    let hold = Some((Verb::Hold, Scope::ALL, Lasts::Until(Removal::PowerNumber)));
    [
        Usual("Wounded", Some("Body"), &[Combat], BODILY, None),
        Usual("Shaken", Some("Mind"), &[Social], BY_WORDS, None),
        Usual("Shoved Down", None, &[Combat, Pursuit], BODILY, Some((Verb::Ap(-2), COMBAT_SAVES, MINOR))),
        Usual("Disarmed", None, &[Combat], BODILY, Some((Verb::LoseBoon(1), Scope::ALL, Lasts::ThisRoll))),
        Usual("Driven Back", None, &[Combat, Command], BODILY, Some((Verb::Apart, Scope::ALL, MINOR))),
        Usual("Held", None, &[Combat, Pursuit], BODILY, hold),
        Usual("Blinded", None, &[Combat], (seen, quick), Some((Verb::Ap(-2), TESTS, Lasts::NextAction))),
        Usual("Exposed", None, &[Social, Research], (seen, Attribute::Honor), None),
        Usual("Unsettled", None, &[Social], BY_WORDS, Some((Verb::Ap(-2), HONOR_SAVES, Lasts::NextAction))),
        Usual("Slowed", None, &[Pursuit, Command], (seen, quick), Some((Verb::Ap(-2), PURSUIT, MINOR))),
    ]
};

/// Reads a setup, or gives every fault in it.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut reading = Reading::new(setup, &faults);
    reading.rules.roster.begin(&top);
    reading.spares();
    if let Some(options) = top.table("options") {
        options.settings(|id, word| reading.rules.options.set(id, word));
    }
    let table = top.table("table");
    reading.table(table.as_ref());
    let scene = top.table("scene");
    // Without zones everybody is nearby.
    reading.rules.zones = reading.named(scene.as_ref(), ("zones", Zone::LETTER, MAX_ZONES), &["Here"]);
    reading.rules.roster.seat_players(&top);
    let mut cast: Vec<_> = [Side::Players, Side::Gamemaster]
        .into_iter()
        .flat_map(|side| top.tables(side.list()).into_iter().map(move |fields| (fields, side)))
        .filter_map(|(fields, side)| reading.character(fields, side))
        .collect();
    reading.ends(&top);
    let hazards = reading.hazards(&top);
    // Of two things called alike the second is named by its owner: what is hidden comes
    // last, so that no name tells of it.
    cast.sort_by_key(|(who, _)| !reading.rules.is_pc(*who) && reading.beings[who.index()].away);
    // What they have, now that everything is known that it may refer to.
    for (who, fields) in cast {
        reading.belongings(fields, who);
    }
    let mut state = reading.state(hazards);
    if let Some(scene) = scene {
        reading.scene(scene, &mut state);
    }
    state.remember();
    if !reading.broken {
        let seats: Vec<Seat> = reading.rules.cast.iter().map(|sheet| sheet.seat).collect();
        reading.rules.roster.everybody_plays(&top, &seats);
    }
    top.done();
    faults.or((reading.rules, state))
}

/// Reads one more character into a table under way: with `player` a player's, who
/// may be new to the table, otherwise one of the gamemaster's.
pub(crate) fn join(at: At<'_>, setup: &Setup) -> Result<(Rules, State, Char), Faults> {
    let faults = Faulty::new();
    let fields = setup.encounter.fields(&faults);
    let mut reading = Reading {
        rules: at.rules.clone(),
        beings: at.state.cast.clone(),
        places: at.state.boons.clone(),
        live: at.state.live.clone(),
        patterns: patterns(at.rules),
        ..Reading::new(setup, &faults)
    };
    let who = Char(at.rules.cast.len() as u8);
    let side = if fields.has("player") { Side::Players } else { Side::Gamemaster };
    reading.rules.roster.seat_newcomer(&fields);
    if let Some((who, fields)) = reading.character(fields, side) {
        reading.belongings(fields, who);
    }
    let mut state = at.state.clone();
    state.cast = reading.beings.clone();
    state.boons = reading.places.clone();
    state.live = reading.live.clone();
    state.uses.extend((state.uses.len()..reading.rules.abilities.len()).map(|_| 0));
    faults.or((reading.rules, state, who))
}

/// What boons are made after at a table under way, each under its name.
fn patterns(rules: &Rules) -> Vec<(String, Boon)> {
    let all = rules.boons.iter().enumerate().skip(SPARES);
    all.filter(|(_, gear)| gear.owner.is_none())
        .map(|(at, gear)| (gear.name.clone(), Boon(at as u8)))
        .collect()
}

impl<'s> Reading<'s> {
    fn new(setup: &'s Setup, faults: &Faulty) -> Reading<'s> {
        Reading {
            setup,
            faults: faults.clone(),
            rules: Rules { roster: Roster::new(setup), ..Rules::default() },
            beings: ArrayVec::new(),
            places: ArrayVec::new(),
            patterns: Vec::new(),
            broken: false,
            live: ArrayVec::new(),
        }
    }

    /// Names for what will be made in play.
    fn spares(&mut self) {
        for at in 1..=SPARES {
            let slug = format!("improvised-{at}");
            self.rules.roster.names.add('x', &slug);
            let (name, serves) = ("something improvised".to_owned(), usual_use(Sort::Other));
            self.rules.boons.push(Gear { slug, name, serves, ..Gear::default() });
            self.places.push(Place { holder: None, lie: Lie::Gone });
        }
    }

    /// How the table plays: turns, harm, tracks.
    fn table(&mut self, table: Option<&Fields<'s>>) {
        self.rules.tracks = self.named(table, ("tracks", Track::LETTER, MAX_TRACKS), &["Body", "Mind"]);
        let Some(table) = table else { return };
        self.rules.turns = table.word("turns", Turns::WORDS).unwrap_or_default();
        self.rules.harm = table.word("harm", Harm::WORDS).unwrap_or_default();
        self.rules.recovery = table.word("recovery", Recovery::WORDS).unwrap_or_default();
        if self.rules.harm == Harm::Told {
            let what = "no harm is counted with `harm = \"told\"`, so that none comes back: leave it out";
            table.idle_all(&["recovery"], what);
        }
    }

    /// What a list of names says, or `usual` where there is none.
    fn named(
        &mut self,
        fields: Option<&Fields<'s>>,
        (field, letter, most): (&'static str, char, usize),
        usual: &[&'static str],
    ) -> Vec<Named> {
        let names = fields.map(|fields| fields.texts(field)).filter(|names| !names.is_empty());
        let names = names.unwrap_or_else(|| usual.to_vec());
        let mut add = |name: &&str| {
            let slug = Names::slug_of(name);
            match fields {
                Some(fields) => self.rules.roster.add_name(fields, letter, &slug),
                None => drop(self.rules.roster.names.add(letter, &slug)),
            }
            Named { slug, name: (*name).to_owned() }
        };
        let named = names.iter().take(most).map(&mut add).collect();
        if let Some(fields) = fields.filter(|_| names.len() > most) {
            fields.fault_in(field, format!("too many: {most} at most"));
        }
        named
    }

    /// A table over the library's entry that it names with `use`, if it does.
    fn over_library(&mut self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let over = self.setup.over_library(fields, list);
        self.broken |= over.is_none();
        over
    }

    /// A name for what somebody owns: where it is taken the thing is called after
    /// its owner too.
    fn slug_of_owned(
        &mut self,
        fields: &Fields<'s>,
        letter: char,
        name: &str,
        owner: Option<Char>,
    ) -> String {
        let plain = Roster::slug_of(fields, name);
        let is_free = |slug: &String| self.rules.roster.names.find(slug).is_none();
        let taken = !is_free(&plain) && !fields.has("id");
        // Names of what players see, or of what joins later, tell nothing of what is away,
        // and its own name nothing of its owner, from whom it may come into other hands.
        let is_away = |owner: Char| {
            !self.rules.is_pc(owner) && self.beings.get(owner.index()).is_some_and(|being| being.away)
        };
        let owned = |owner: Char| format!("{}-{plain}", self.rules.cast[owner.index()].slug);
        let slug = match owner {
            Some(owner) if is_away(owner) && !fields.has("id") => {
                let owner = &self.rules.cast[owner.index()];
                let of = [owner.slug.as_str(), &owner.secret];
                (0..).map(|nth| Names::unseen(&plain, &of, nth)).find(is_free).unwrap_or_default()
            }
            Some(owner) if taken => owned(owner),
            None if taken => format!("{plain}-pattern"),
            _ => plain,
        };
        self.rules.roster.add_name(fields, letter, &slug);
        slug
    }

    /// A character's own fields; what it has is read once everything is known that
    /// it may refer to.
    fn character(&mut self, fields: Fields<'s>, side: Side) -> Option<(Char, Fields<'s>)> {
        let fields = self.over_library(fields, side.list())?;
        let pc = side == Side::Players;
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return None;
        }
        let who = Char(self.rules.cast.len() as u8);
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(&fields, Char::LETTER, &name);
        let seat = if pc { fields.player(&self.rules.roster.players) } else { Seat::Gm };
        let mut pn = 0;
        let mut ranks = [0; 6];
        if pc {
            ranks = self.ranks(&fields);
            fields.must("writhing", "every player's character has one (writhing.has)");
        } else {
            fields.must("pn", "a power number from 6 to 16 (pn.range)");
            let what = "only players' characters have a writhing: leave it out (writhing.has)";
            fields.idle_all(&["writhing"], what);
            pn = fields.int("pn", 6..=16).unwrap_or(6) as u8;
        }
        let (tracks, left) = self.tracks(&fields, if pc { 6 } else { pn });
        let being = self.being(&fields, pn, (tracks, left), side);
        self.rules.cast.push(Sheet {
            slug,
            said: amid(&name),
            name,
            seat,
            ranks,
            class: fields.text("class").unwrap_or_default().to_owned(),
            people: fields.text("kind").unwrap_or_default().to_owned(),
            writhing: fields.text("writhing").unwrap_or_default().to_owned(),
            tracks,
            traits: fields.words("traits", Trait::WORDS).into_iter().collect(),
            history: fields.texts("history").into_iter().map(str::to_owned).collect(),
            secret: fields.text("secret").unwrap_or_default().to_owned(),
        });
        self.beings.push(being);
        if pc {
            self.rules.pcs = self.rules.pcs.with(who);
        }
        fields.text("note");
        Some((who, fields))
    }

    /// Six ranks, 0 where nothing is said (`rank.pc-cap`).
    fn ranks(&self, fields: &Fields<'s>) -> [u8; 6] {
        let mut ranks = [0; 6];
        if let Some(table) = fields.table("attributes") {
            let most = i64::from(self.rules.options.highest_rank);
            for (rank, attribute) in ranks.iter_mut().zip(Attribute::ALL) {
                *rank = table.int(attribute.word(), 0..=most).unwrap_or(0) as u8;
            }
            table.done();
        }
        ranks
    }

    /// How large each track is, and what is left of it.
    fn tracks(&self, fields: &Fields<'s>, usual: u8) -> ([u8; MAX_TRACKS], [u8; MAX_TRACKS]) {
        let mut sizes = [0; MAX_TRACKS];
        sizes[..self.rules.tracks.len()].fill(usual);
        let mut left = sizes;
        for table in fields.tables("track") {
            let track = self.track(&table, "name", table.must_text("name"));
            let size = table.int("size", 0..=30).map_or(usual, |size| size as u8);
            let harm = table.int("harm", 0..=30).unwrap_or(0) as u8;
            if size == 0 && harm > 0 {
                table.idle("harm", "on a track of size 0 nobody is harmed: leave it out");
            }
            if let Some(track) = track {
                sizes[track.index()] = size;
                left[track.index()] = size.saturating_sub(harm);
            }
            table.done();
        }
        (sizes, left)
    }

    fn being(
        &self,
        fields: &Fields<'s>,
        pn: u8,
        (sizes, tracks): ([u8; MAX_TRACKS], [u8; MAX_TRACKS]),
        side: Side,
    ) -> Being {
        let mut being = Being {
            zone: fields.text("zone").and_then(|name| self.zone(fields, name)).unwrap_or_default(),
            away: fields.flag("away").unwrap_or(false),
            out: sizes.iter().zip(tracks).any(|(&size, left)| size > 0 && left == 0),
            pn: pn.into(),
            tracks,
            majors: 1,
            minors: 1,
            ..Being::default()
        };
        if side == Side::Players {
            let count = |field: &'static str| fields.int(field, 0..=9).unwrap_or(0) as u8;
            let held = fields.flag("writhing_die").unwrap_or(false);
            being.last = fields.word("last_glory", Glory::WORDS);
            being.good = Fortunes { now: count("good_fortune"), next: count("good_fortune_taken") };
            being.bad = Fortunes { now: count("bad_fortune"), next: count("bad_fortune_taken") };
            being.die = Die { held, gained: held, spent: false };
        } else {
            being.hostile = fields.flag("hostile").unwrap_or(true);
            being.unaware = fields.flag("unaware").unwrap_or(false);
        }
        being
    }

    fn zone(&self, fields: &Fields<'s>, name: &str) -> Option<Zone> {
        called(&self.rules.zones, "zone", (fields, "zone", name)).map(Zone)
    }

    /// What somebody has.
    fn belongings(&mut self, fields: Fields<'s>, who: Char) {
        let owner = Some(who);
        for gear in self.entries(&fields, "boon", "carries") {
            self.gear(gear, owner);
        }
        if self.rules.is_pc(who) {
            for (gift, names) in [(Gift::Feat, "feats"), (Gift::Whisper, "whispers")] {
                for ability in self.entries(&fields, gift.word(), names) {
                    self.ability(ability, who, gift);
                }
            }
            for table in fields.tables("under") {
                self.under(table, who);
            }
        }
        for (field, lie) in [("kept", Lie::Kept), ("lost", Lie::Lost)] {
            for name in fields.texts(field) {
                let own = |gear: &Gear| gear.owner == owner && (gear.name == name || gear.slug == name);
                match self.rules.boons.iter().position(own) {
                    Some(at) => {
                        self.places[at].lie = lie;
                        if lie == Lie::Kept && self.rules.boons[at].serves.situation {
                            fields.idle(field, format!("{name:?} is a situation, and cannot be put away"));
                        }
                    }
                    None => {
                        let own = self.rules.boons.iter().filter(|gear| gear.owner == owner);
                        let known = own.map(|gear| gear.name.as_str());
                        fields.unknown(field, "they have no boon called", name, known);
                    }
                }
            }
        }
        fields.done();
    }

    /// The tables of a list, and the library's entries that are named beside it.
    fn entries(&self, fields: &Fields<'s>, list: &'static str, names: &'static str) -> Vec<Fields<'s>> {
        let named = fields.texts(names).into_iter();
        let named = named.filter_map(|name| self.setup.must_entry(list, name, (fields, names)));
        fields.tables(list).into_iter().chain(named).collect()
    }

    /// What lasts on somebody already (`ends-and-scenes`).
    fn under(&mut self, fields: Fields<'s>, who: Char) {
        let name = fields.must_text("from");
        let times = fields.int("times", 1..=20).unwrap_or(1) as u8;
        let known = self.rules.ends.iter().position(|end| end.name == name || end.slug == name);
        let at = match known {
            Some(at) => at,
            None if self.rules.ends.len() > usize::from(u8::MAX) => {
                return fields.fault_in("from", "too many ends");
            }
            None => {
                // It is known by what it comes from, and nobody does it anew.
                let numbered = (1..).map(|n| format!("lasting-{n}"));
                let is_free =
                    |slug: &String| Names::is_slug(slug) && self.rules.roster.names.find(slug).is_none();
                let slug = std::iter::once(Names::slug_of(name)).chain(numbered).find(is_free);
                let slug = slug.unwrap_or_default();
                self.rules.roster.names.add(End::LETTER, &slug);
                let (attribute, save) = BODILY;
                let name = name.to_owned();
                self.rules.ends.push(Ending {
                    slug,
                    name,
                    attribute,
                    save,
                    carried: true,
                    ..Ending::default()
                });
                self.rules.ends.len() - 1
            }
        };
        let Some(effect) = self.effect(fields, Part::Lasting, Whom::Them) else { return };
        let live = Live { on: who, by: None, from: Origin::End(End(at as u8)), effect, times };
        match self.live.iter_mut().find(|other| Live { times, ..**other } == live) {
            Some(other) => other.times = other.times.saturating_add(times).min(20),
            None => drop(self.live.try_push(live)),
        }
    }

    fn gear(&mut self, fields: Fields<'s>, owner: Option<Char>) -> Option<Boon> {
        let fields = self.over_library(fields, "boon")?;
        if self.rules.boons.len() == MAX_BOONS {
            fields.fault(format!("too many boons: {} at most", MAX_BOONS - SPARES));
            return None;
        }
        let name = fields.must_text("name").to_owned();
        let boon = Boon(self.rules.boons.len() as u8);
        let slug = self.slug_of_owned(&fields, Boon::LETTER, &name, owner);
        let usual = usual_use(fields.word("sort", Sort::WORDS).unwrap_or(Sort::Other));
        let quality = fields.text("quality").unwrap_or("common");
        let set = |field: &'static str, usual: TagSet| {
            if fields.has(field) { fields.words(field, Tag::WORDS).into_iter().collect() } else { usual }
        };
        let mut serves = Use {
            situation: fields.flag("situation").unwrap_or(usual.situation),
            quality: if quality == "common" { Quality::Common } else { Quality::Better },
            rolls: fields.word("rolls", Rolls::WORDS).unwrap_or(usual.rolls),
            tags: set("tags", usual.tags),
            attributes: usual.attributes,
            bonus: fields.int("bonus", -9..=9).unwrap_or(2) as i8,
            once: fields.flag("once").unwrap_or(false),
            pn: fields.int("pn", 0..=6).unwrap_or(0) as i8,
            ..usual
        };
        if fields.has("attributes") {
            serves.attributes = fields.words("attributes", Attribute::WORDS).into_iter().collect();
        } else if usual.tags.has(Tag::Combat) {
            serves.attributes = combat_attributes(serves.rolls, serves.tags);
        }
        for (at, edge) in fields.tables("edge").into_iter().enumerate() {
            let against: TraitSet = edge.words("against", Trait::WORDS).into_iter().collect();
            let bonus = edge.int("bonus", -9..=9).unwrap_or(1) as i8;
            match serves.edges.get_mut(at) {
                Some(place) => *place = (against, bonus),
                None => edge.fault("too many edges: two at most"),
            }
            if against.is_empty() {
                edge.idle("", "an edge counts against somebody: say `against`, such as [\"shielded\"]");
            }
            if bonus == 0 {
                edge.idle("bonus", "a bonus of 0 adds nothing: leave the edge out");
            }
            edge.done();
        }
        idle_use(&fields, &serves);
        self.rules.boons.push(Gear {
            slug,
            name,
            owner,
            serves,
            quality: if quality == "common" { String::new() } else { quality.to_owned() },
            effects: Vec::new(),
            note: fields.text("note").unwrap_or_default().to_owned(),
        });
        let lie = match (owner, fields.flag("kept").unwrap_or(false)) {
            (None, _) => Lie::Gone,
            (_, true) => Lie::Kept,
            _ => Lie::InUse,
        };
        self.places.push(Place { holder: owner, lie });
        let effects = self.effects(&fields, Part::Used(serves.rolls, Aim::Nothing), Whom::Me);
        if !effects.is_empty() && !serves.once {
            fields.fault_in("effect", "only a boon that is used once has effects: `once = true`");
        }
        if serves.situation {
            let what = "a situation cannot be put away: leave it out, or say `situation = false`";
            fields.idle_all(&["kept"], what);
        }
        if serves.once && effects.is_empty() && !fields.has("effect") {
            fields.idle("once", "what is used once does what its effects say: give it a [[boon.effect]]");
        }
        self.rules.boons[boon.index()].effects = effects;
        fields.done();
        Some(boon)
    }

    /// A boon that others are made after.
    fn pattern(&mut self, fields: &Fields<'s>, name: &str) -> Option<Boon> {
        if let Some((_, boon)) = self.patterns.iter().find(|(one, _)| one == name) {
            return Some(*boon);
        }
        let gear = self.setup.must_entry("boon", name, (fields, "boon"))?;
        let boon = self.gear(gear, None)?;
        self.patterns.push((name.to_owned(), boon));
        Some(boon)
    }

    fn ability(&mut self, fields: Fields<'s>, owner: Char, gift: Gift) {
        let Some(fields) = self.over_library(fields, gift.word()) else { return };
        if self.rules.abilities.len() == MAX_ABILITIES {
            return fields.fault(format!("too many feats and Whispers: {MAX_ABILITIES} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Ability::LETTER, &name, Some(owner));
        let whisper = gift == Gift::Whisper;
        let attribute = fields.word("attribute", Attribute::WORDS);
        if attribute.is_some_and(|attribute| attribute.kind() == Kind::Save) {
            fields.fault_in("attribute", "a test uses beauty, strength or wisdom (bad.attribute)");
        }
        let trigger = fields.word("trigger", Trigger::WORDS).unwrap_or(Trigger::Test);
        let words = self.words(&fields);
        let tn = match (fields.int("tn", 6..=16), fields.flag("power_number")) {
            (Some(tn), _) => TargetRule::Fixed(tn as u8),
            (None, Some(true)) => TargetRule::PowerNumber,
            _ => TargetRule::Gm,
        };
        let aim = fields.word("aim", Aim::WORDS).unwrap_or(Aim::Nothing);
        let power = Power {
            slug,
            name,
            owner,
            gift,
            class: fields.text("class").unwrap_or_default().to_owned(),
            trigger,
            limit: fields.int("limit", 0..=9).unwrap_or(0) as u8,
            attribute,
            reach: fields.word("reach", Reach::WORDS).unwrap_or(usual_reach(aim)),
            tn,
            aim,
            tags: fields.words("tags", Tag::WORDS).into_iter().collect(),
            effects: self.effects(
                &fields,
                Part::of(trigger, aim),
                if matches!(aim, Aim::Ally | Aim::Npc) { Whom::Them } else { Whom::Me },
            ),
            words,
            note: fields.text("note").unwrap_or_default().to_owned(),
        };
        idle_ability(&fields, &power);
        let by_itself = trigger.rolls().is_none();
        if by_itself {
            self.rules.gifted = self.rules.gifted.with(owner);
        }
        if whisper && by_itself {
            fields.fault_in("trigger", "a Whisper is used: on-test, on-save or on-roll (ability.whisper)");
        }
        self.rules.abilities.push(power);
        fields.done();
    }

    /// A Whisper's own words for guilts and glories.
    fn words(&mut self, fields: &Fields<'s>) -> [Option<Text>; 8] {
        let mut words = [None; 8];
        if let Some(table) = fields.table("words") {
            let names = Guilt::ALL.iter().map(|g| g.word()).chain(Glory::ALL.iter().map(|g| g.word()));
            for (place, name) in words.iter_mut().zip(names) {
                *place = table.text(name).map(|text| self.text(text));
            }
            table.done();
        }
        words
    }

    fn text(&mut self, text: &str) -> Text {
        let known = self.rules.texts.iter().position(|one| one == text);
        let at = known.unwrap_or_else(|| {
            self.rules.texts.push(text.to_owned());
            self.rules.texts.len() - 1
        });
        Text(at.min(usize::from(u16::MAX)) as u16)
    }

    /// Every contested end: the encounter's, the library's, and the usual ones.
    fn ends(&mut self, top: &Fields<'s>) {
        let setup = self.setup;
        let faults = self.faults.clone();
        let of_library = setup.library.iter().flat_map(|document| document.fields(&faults).tables("end"));
        let mut read: Vec<(End, Fields<'s>)> = Vec::new();
        for fields in top.tables("end").into_iter().chain(of_library) {
            let name = fields.must_text("name").to_owned();
            if self.rules.ends.iter().any(|end| end.name == name) {
                continue;
            }
            let there = |one: &str| one == name || self.rules.ends.iter().any(|end| end.name == one);
            let usual = USUAL.iter().filter(|Usual(name, ..)| !there(name)).count();
            if self.rules.ends.len() + usual == MAX_ENDS {
                fields.fault(format!("too many ends: {MAX_ENDS} at most with the usual ones"));
                break;
            }
            let at = End(self.rules.ends.len() as u8);
            let slug = self.rules.roster.slug(&fields, End::LETTER, &name);
            let damaging = fields.flag("damaging").unwrap_or(false);
            let track = fields.text("track").and_then(|name| self.track(&fields, "track", name));
            if damaging && track.is_none() && !fields.has("track") {
                fields.fault("`track` is missing: what it harms");
            }
            let tags: TagSet = fields.words("tags", Tag::WORDS).into_iter().collect();
            let attribute = fields.word("attribute", Attribute::WORDS).unwrap_or(Attribute::Strength);
            let save = fields.word("save", Attribute::WORDS).unwrap_or(Attribute::Valor);
            if attribute.kind() != Kind::Test || save.kind() != Kind::Save {
                fields.fault("a test uses beauty, strength or wisdom, a save honor, valor or initiative (bad.attribute)");
            }
            let ending = Ending { slug, name, damaging, track, tags, attribute, save, ..Ending::default() };
            self.rules.ends.push(ending);
            read.push((at, fields));
        }
        self.usual_ends();
        // Effects may name ends: they are read once all are known.
        for (at, fields) in read {
            let effects = self.effects(&fields, Part::End, Whom::Them);
            let harms = effects.iter().any(|effect| matches!(effect.verb, Verb::Harm(..)));
            let damaging = self.rules.ends[at.index()].damaging;
            if harms && !damaging {
                fields.fault_in("effect", "what harms does damage: say `damaging = true` (ext.ends)");
            }
            if !damaging {
                fields.idle_all(&["track"], "only what does damage has a track: say `damaging = true`");
            }
            if !damaging && !fields.has("effect") && !fields.has("note") {
                let what = "it would do nothing: give it an [[end.effect]] or `damaging = true`, or say in a `note` \
                            what it means at the table";
                fields.idle("", what);
            }
            if effects.iter().any(|effect| matches!(effect.verb, Verb::End(_))) {
                fields.fault_in("effect", "an end brings no other end");
            }
            self.rules.ends[at.index()].effects = effects;
            fields.text("note");
            fields.done();
        }
    }

    /// The ends that every table has; one of another's name gives way to it.
    fn usual_ends(&mut self) {
        for &Usual(name, harms, tags, (attribute, save), effect) in &USUAL {
            if self.rules.ends.iter().any(|end| end.name == name) {
                continue;
            }
            let plain = Names::slug_of(name);
            let taken = self.rules.roster.names.find(&plain).is_some();
            let slug = if taken { format!("{plain}-end") } else { plain };
            let named = |name: &str| self.rules.tracks.iter().position(|track| track.name == name);
            let track = harms.map(|name| Track(named(name).unwrap_or(0) as u8));
            let does = |(verb, scope, lasts)| effect::once(verb, scope, Whom::Them, lasts);
            self.rules.roster.names.add(End::LETTER, &slug);
            self.rules.ends.push(Ending {
                slug,
                name: name.to_owned(),
                damaging: track.is_some(),
                track,
                tags: tags.iter().copied().collect(),
                attribute,
                save,
                effects: effect.into_iter().map(does).collect(),
                carried: false,
            });
        }
    }

    fn track(&self, fields: &Fields<'s>, field: &str, name: &str) -> Option<Track> {
        called(&self.rules.tracks, "track", (fields, field, name)).map(Track)
    }

    fn end(&self, fields: &Fields<'s>, name: &str) -> Option<End> {
        let found = self.rules.ends.iter().position(|end| end.name == name || end.slug == name);
        if found.is_none() {
            let known = self.rules.ends.iter().map(|end| end.name.as_str());
            fields.unknown("end", "no end is called", name, known);
        }
        found.map(|at| End(at as u8))
    }

    /// The hazards that are there at the start.
    fn hazards(&mut self, top: &Fields<'s>) -> HazardSet {
        let mut present = HazardSet::NONE;
        for fields in top.tables("hazard") {
            let Some(fields) = self.over_library(fields, "hazard") else { continue };
            if self.rules.hazards.len() == MAX_HAZARDS {
                fields.fault(format!("too many hazards: {MAX_HAZARDS} at most"));
                break;
            }
            let hazard = Hazard(self.rules.hazards.len() as u8);
            let name = fields.must_text("name").to_owned();
            let slug = self.rules.roster.slug(&fields, Hazard::LETTER, &name);
            fields.must("tn", "a target number from 6 to 16 (tn.range)");
            let tn = fields.int("tn", 6..=16).unwrap_or(6) as u8;
            let save = fields.word("save", Attribute::WORDS).unwrap_or(Attribute::Valor);
            if save.kind() != Kind::Save {
                fields.fault_in("save", "a save uses honor, valor or initiative (bad.attribute)");
            }
            let zone = fields.text("zone").and_then(|name| self.zone(&fields, name));
            let tags = fields.words("tags", Tag::WORDS).into_iter().collect();
            let end = fields.text("end").and_then(|name| self.end(&fields, name));
            self.rules.hazards.push(Peril { slug, name, zone, tn, save, tags, end });
            if fields.flag("present").unwrap_or(true) {
                present = present.with(hazard);
            }
            fields.text("note");
            fields.done();
        }
        present
    }

    /// Effects, in the words of the one vocabulary (`ext.effects`).
    fn effects(&mut self, fields: &Fields<'s>, part: Part, usual: Whom) -> Vec<Effect> {
        let tables = fields.tables("effect");
        tables.into_iter().filter_map(|table| self.effect(table, part, usual)).collect()
    }

    fn effect(&mut self, fields: Fields<'s>, part: Part, usual: Whom) -> Option<Effect> {
        fields.must("does", "what the effect does, such as \"ap\"");
        let does = fields.word("does", Does::WORDS)?;
        // What lasts already may have been counted for each degree.
        let most = if part == Part::Lasting { i64::from(i8::MAX) } else { 9 };
        let number = fields.int("by", -most..=most);
        let by = || number.unwrap_or(0) as i8;
        let count = number.unwrap_or(1).unsigned_abs() as u8;
        let track = fields.text("track").and_then(|name| self.track(&fields, "track", name));
        let text = fields.text("text");
        let verb = match does {
            Does::Ap => Verb::Ap(by()),
            Does::Pn => Verb::Pn(by()),
            Does::BanAbilities => Verb::BanAbilities,
            Does::GainBoon => Verb::GainBoon(self.pattern(&fields, fields.must_text("boon"))?),
            Does::LoseBoon => Verb::LoseBoon(count),
            Does::RecoverBoon => Verb::RecoverBoon,
            Does::MoveBoon => Verb::MoveBoon,
            Does::Attention => Verb::Attention,
            Does::Harm => Verb::Harm(track, count),
            Does::Heal => Verb::Heal(track.unwrap_or_default(), count),
            Does::Condition => Verb::Condition(self.text(fields.must_text("text"))),
            Does::Apart => Verb::Apart,
            Does::Hold => Verb::Hold,
            Does::RerollLight => Verb::RerollLight,
            Does::ExtraAction => {
                Verb::ExtraAction(fields.word("action", Label::WORDS).unwrap_or(Label::Major), count)
            }
            Does::End => Verb::End(Some(self.end(&fields, fields.must_text("end"))?)),
            Does::Narrate => Verb::Narrate(self.text(fields.must_text("text"))),
        };
        if text.is_some() && !matches!(does, Does::Condition | Does::Narrate) {
            fields.fault_in("text", "only `condition` and `narrate` have a text");
        }
        let is_count = matches!(does, Does::LoseBoon | Does::Harm | Does::Heal | Does::ExtraAction);
        if is_count && number.is_some_and(i64::is_negative) {
            fields.idle("by", "it is counted, and from 1 up: another verb goes the other way");
        }
        if matches!(does, Does::Ap | Does::Pn) && by() == 0 {
            fields.fault("`by` is missing: how much, from -9 to 9");
        }
        let scope = Scope {
            rolls: fields.word("rolls", Rolls::WORDS).unwrap_or(Rolls::Both),
            attributes: fields.words("attributes", Attribute::WORDS).into_iter().collect(),
            tags: fields.words("tags", Tag::WORDS).into_iter().collect(),
            ability_only: fields.flag("ability_only").unwrap_or(false),
            against: fields.words("against", Trait::WORDS).into_iter().collect(),
        };
        let tn = fields.int("tn", 6..=16);
        let lasts = match fields.word("lasts", &LASTS).unwrap_or(Lasts::ThisRoll) {
            Lasts::Until(Removal::Test(_)) => {
                if tn.is_none() {
                    fields.fault("`tn` is missing: the number of the test that removes it, from 6 to 16");
                }
                Lasts::Until(Removal::Test(tn.unwrap_or(6) as u8))
            }
            lasts => lasts,
        };
        let per_degree = fields.flag("per_degree").unwrap_or(false);
        let mut effect = Effect { verb, scope, on: usual, lasts, per_degree };
        if effect.into_roll() && part != Part::End {
            effect.on = Whom::Me;
        }
        effect.on = fields.word("on", Whom::WORDS).unwrap_or(effect.on);
        if text.is_some_and(|text| text.trim().is_empty()) {
            fields.idle("text", "an empty text says nothing");
        }
        if number == Some(0) && !matches!(does, Does::Ap | Does::Pn) {
            fields.idle("by", "0 of it is nothing");
        }
        if tn.is_some() && !matches!(effect.lasts, Lasts::Until(Removal::Test(_))) {
            fields.idle("tn", "only what lasts `until-test` has a number of its own");
        }
        untaken(&fields, &effect, part);
        idle(&fields, &effect, part);
        fields.done();
        Some(effect)
    }

    fn state(&self, hazards: HazardSet) -> State {
        State {
            cast: self.beings.clone(),
            boons: self.places.clone(),
            live: self.live.clone(),
            uses: self.rules.abilities.iter().map(|_| 0).collect(),
            hazards,
            round: 1,
            scene: 1,
            ..State::default()
        }
    }

    /// The scene as it is when play begins.
    fn scene(&self, scene: Fields<'s>, state: &mut State) {
        if let Some(number) = scene.int("number", 1..=9999) {
            state.scene = number as u16;
        }
        state.conflict = scene.word("conflict", Conflict::WORDS);
        if state.conflict.is_some() {
            scene::open_round(&self.rules, state);
            if scene::is_decided(At { rules: &self.rules, state }) && !self.broken {
                scene.fault_in("conflict", "one side of the conflict is out before it begins");
            }
        }
        scene.texts("zones");
        scene.done();
    }
}

/// The place of what a field calls so.
fn called(all: &[Named], what: &str, (fields, field, name): (&Fields<'_>, &str, &str)) -> Option<u8> {
    let found = all.iter().position(|one| one.name == name || one.slug == name);
    if found.is_none() {
        let there: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let (perhaps, there) = (near(name, &there), there.join(", "));
        fields.fault_in(field, format!("no {what} is called {name:?}{perhaps}; there are {there}"));
    }
    found.map(|at| at as u8)
}

/// What an effect belongs to, which says what it can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A feat that always works.
    Passive,
    /// A feat, a Whisper or a boon that is used on such rolls, and what on.
    Used(Rolls, Aim),
    /// A feat that works by itself once such a roll is over.
    After(Kind),
    /// A contested end.
    End,
    /// What lasts on somebody already.
    Lasting,
}

impl Part {
    fn of(trigger: Trigger, aim: Aim) -> Part {
        match (trigger, trigger.rolls()) {
            (_, Some(rolls)) => Part::Used(rolls, aim),
            (Trigger::Passive, _) => Part::Passive,
            (Trigger::Warded, _) => Part::After(Kind::Save),
            _ => Part::After(Kind::Test),
        }
    }

    /// Whether an effect on these is only ever on players' characters.
    fn is_on_ours(self, on: Whom) -> bool {
        match on {
            Whom::Me | Whom::Ally | Whom::Allies => self != Part::End,
            Whom::Them => matches!(self, Part::Used(_, Aim::Ally)),
            Whom::Foes => false,
        }
    }

    /// Whether an effect on these is only ever on the gamemaster's characters: they are who
    /// a save is against.
    fn is_on_theirs(self, on: Whom) -> bool {
        match on {
            Whom::Foes => self != Part::End,
            Whom::Them => {
                matches!(self, Part::Used(_, Aim::Npc) | Part::Used(Rolls::Save, _) | Part::After(Kind::Save))
            }
            Whom::Me | Whom::Ally | Whom::Allies => false,
        }
    }

    /// Whether there is never such a one.
    fn is_on_nobody(self, on: Whom) -> bool {
        match on {
            Whom::Them => self == Part::Used(Rolls::Test, Aim::Me),
            Whom::Ally => {
                matches!(self, Part::Used(Rolls::Save, _) | Part::Used(Rolls::Test, Aim::Me | Aim::Npc))
            }
            Whom::Me | Whom::Allies | Whom::Foes => false,
        }
    }
}

/// Whether rolls of this sort never use any of these attributes.
fn never_uses(rolls: Rolls, attributes: AttributeSet) -> bool {
    let uses = |attribute: Attribute| rolls.counts(attribute.kind());
    !attributes.is_empty() && !attributes.iter().any(uses)
}

const NEVER_USED: &str =
    "it would never count: tests use beauty, strength and wisdom, saves honor, valor and initiative";

/// What of a boon would never count (`boon.plus-two`).
fn idle_use(fields: &Fields<'_>, serves: &Use) {
    if never_uses(serves.rolls, serves.attributes) {
        fields.idle(if fields.has("attributes") { "attributes" } else { "rolls" }, NEVER_USED);
    }
    if serves.once {
        let what = "what is used once adds nothing by itself: say in an [[boon.effect]] what it does";
        fields.idle_all(&["bonus", "edge"], what);
    }
    let is_told = matches!(serves.sort, Sort::Armour | Sort::Shield | Sort::Mount) || fields.has("note");
    let adds = serves.bonus != 0 || serves.pn != 0 || serves.edges.iter().any(|(_, bonus)| *bonus != 0);
    if !serves.once && !adds && !is_told {
        let what = "a bonus of 0 adds nothing: leave it out for +2, or say in a `note` what the boon is for";
        fields.idle("bonus", what);
    }
}

/// What of a feat or a Whisper would never do anything (`ext.feat`, `ext.whisper`).
fn idle_ability(fields: &Fields<'_>, power: &Power) {
    let is_used = power.trigger.rolls().is_some();
    if power.gift == Gift::Whisper && !is_used {
        // That is a fault already.
        return;
    }
    if power.trigger == Trigger::Passive {
        fields.idle_all(&["limit"], "a passive feat always works, and cannot be used up: leave it out");
    }
    if !is_used {
        let what = "it works by itself, and this is for what is used on a roll: leave it out, or give it another \
                    trigger, such as on-test";
        let of_use = ["attribute", "tags", "aim", "reach", "tn", "power_number", "words"];
        fields.idle_all(&of_use, what);
    }
    if power.trigger == Trigger::Save {
        let what = "that is of tests, and it is used on saves: leave it out, or say `trigger = \"on-roll\"`";
        fields.idle_all(&["attribute", "reach", "tn", "power_number"], what);
    }
    if power.gift == Gift::Feat && is_used {
        let what = "only a Whisper has it: a feat has the reach of the action that it is used on";
        fields.idle_all(&["reach"], what);
    }
    let is_fixed = matches!(power.tn, TargetRule::Fixed(_));
    if is_fixed && fields.has("power_number") {
        fields.idle("power_number", "it has a target number of its own: either this or `tn`");
    }
    if is_used && matches!(power.aim, Aim::Me | Aim::Ally) {
        let what = "only the gamemaster's characters have one, and it is used on none of them: leave it out";
        fields.idle_all(&["power_number"], what);
    }
    let is_contested =
        power.gift == Gift::Whisper && power.aim == Aim::Npc && power.reach == Reach::Contested;
    if is_fixed && is_contested {
        let what = "what is contested meets a power number: leave it out, or say `reach = \"simple\"`";
        fields.idle("tn", what);
    }
    let says = !power.tags.is_empty() && is_used || power.words.iter().any(Option::is_some);
    if !says && !fields.has("effect") && !fields.has("note") {
        let list = power.gift;
        let what = format!(
            "it would do nothing: give it a [[{list}.effect]], or say in a `note` what it means at the table"
        );
        fields.idle("", what);
    }
}

/// Fields that an effect of this verb does not take, so that nothing comes of them.
fn untaken(fields: &Fields<'_>, it: &Effect, part: Part) {
    use Verb::*;
    let counted = matches!(it.verb, Ap(_) | Pn(_) | LoseBoon(_) | Harm(..) | Heal(..) | ExtraAction(..));
    if !counted {
        fields.idle_all(&["by", "per_degree"], "nothing of it is counted: leave it out");
    }
    if !matches!(it.verb, Harm(..) | Heal(..)) {
        fields.idle_all(&["track"], "only `harm` and `heal` have a track");
    }
    match it.verb {
        Ap(_) => {}
        Pn(_) => {
            let what =
                "a power number has neither attributes nor abilities: `rolls` and `tags` say when it counts";
            fields.idle_all(&["attributes", "against", "ability_only"], what);
        }
        _ => {
            let what = "only `ap` and `pn` count for some rolls and not for others";
            fields.idle_all(&["rolls", "attributes", "tags", "against", "ability_only"], what);
        }
    }
    let ours = part.is_on_ours(it.on);
    if part.is_on_theirs(it.on) {
        match it.verb {
            BanAbilities | Attention | RerollLight if !it.into_roll() => {
                let what = "the gamemaster's characters neither roll nor use abilities, and draw no attention: \
                            this is for players' characters (nothing-of-a-players)";
                fields.idle("on", what);
            }
            Ap(_) if !it.into_roll() => {
                let what = "of the gamemaster's characters no roll is with an ability or against somebody like \
                            this: it would never count (nothing-of-a-players)";
                fields.idle_all(&["against", "ability_only"], what);
            }
            _ => {}
        }
    }
    if part.is_on_nobody(it.on) && !it.into_roll() {
        fields.idle("on", "by its `trigger` and its `aim` there is never such a one (used-on-nobody)");
    }
    if ours && matches!(it.verb, Ap(_)) && never_uses(it.scope.rolls, it.scope.attributes) {
        fields.idle("attributes", NEVER_USED);
    }
    if ours && matches!(it.verb, Pn(_)) && part != Part::Lasting {
        let what = "players' characters have no power number: `on = \"them\"` or \"foes\" (pn.meaning)";
        fields.idle("on", what);
    }
    if it.on == Whom::Me && it.verb == MoveBoon {
        fields.idle("on", "nobody takes a boon from themself: `on = \"them\"`");
    }
    match it.verb {
        RerollLight if it.lasts == Lasts::ThisRoll && matches!(part, Part::After(_) | Part::End) => {
            fields.idle("lasts", "the roll is over by then: `scene` or `next-scene`, for a good fortune");
        }
        RerollLight if matches!(it.lasts, Lasts::ThisRoll | Lasts::Scene | Lasts::NextScene) => {}
        RerollLight => {
            fields.idle("lasts", "a reroll is for `this-roll`, or a fortune for `scene` or `next-scene`")
        }
        verb if !verb.endures() && part != Part::Lasting && it.lasts != Lasts::ThisRoll => {
            fields.idle_all(&["lasts"], "that is done at once: leave it out");
        }
        _ => {}
    }
}

/// What in an effect would do nothing where it stands, and what would be right
/// (`ext.effects`).
fn idle(fields: &Fields<'_>, it: &Effect, part: Part) {
    let now = it.lasts == Lasts::ThisRoll;
    if part == Part::Lasting && !it.verb.endures() {
        fields.fault_in("does", "that is done at once, and lasts on nobody");
    }
    if part == Part::Passive && !matches!(it.verb, Verb::Ap(_)) {
        let what = "a passive feat adds to rolls and does nothing else: `does = \"ap\"`, or another trigger, \
                    such as on-success";
        return fields.fault_in("does", what);
    }
    if part == Part::Passive && !now {
        fields.fault_in("lasts", "a passive feat always works: leave `lasts` out");
    }
    if it.into_roll() && matches!(part, Part::Passive | Part::Used(..)) {
        if it.on != Whom::Me {
            let what = "what counts for the roll itself is on the roller: `on = \"me\"`, or say with `lasts` \
                        how long it is on another";
            fields.fault_in("on", what);
        }
        if it.per_degree {
            fields.fault_in("per_degree", "degrees are known once the roll is over: leave it out");
        }
        let (of, attributes) = (it.scope.rolls, it.scope.attributes);
        if let (Part::Used(rolls, _), Verb::Ap(_)) = (part, it.verb)
            && !never_uses(of, attributes)
        {
            let fits = |kind: &Kind| {
                let has = attributes.is_empty() || attributes.iter().any(|one| one.kind() == *kind);
                rolls.counts(*kind) && of.counts(*kind) && has
            };
            if !Kind::ALL.iter().any(fits) {
                let what =
                    "it would never count: it goes into the roll that it is used on, which is none of these";
                fields.idle(if fields.has("rolls") { "rolls" } else { "attributes" }, what);
            }
        }
    } else if now && it.verb.endures() {
        fields.fault("`lasts` is missing: how long it is on them, such as \"next-action\"");
    }
    if it.on == Whom::Ally && matches!(part, Part::After(_) | Part::End) {
        fields.fault_in("on", "nobody names an ally for it: \"allies\", \"me\" or \"them\"");
    }
}

fracas_kernel::words!(
    /// What an effect does, as a setup says it.
    Does {
        Ap = "ap",
        Pn = "pn",
        BanAbilities = "ban-abilities",
        GainBoon = "gain-boon",
        LoseBoon = "lose-boon",
        RecoverBoon = "recover-boon",
        MoveBoon = "move-boon",
        Attention = "attention",
        Harm = "harm",
        Heal = "heal",
        Condition = "condition",
        Apart = "apart",
        Hold = "hold",
        RerollLight = "reroll-light",
        ExtraAction = "extra-action",
        End = "end",
        Narrate = "narrate",
    }
);

/// How long an effect lasts, as a setup says it.
const LASTS: [(&str, Lasts); 10] = [
    ("this-roll", Lasts::ThisRoll),
    ("next-roll", Lasts::NextRoll),
    ("next-action", Lasts::NextAction),
    ("until-ability", Lasts::UntilAbility),
    ("scene", Lasts::Scene),
    ("next-scene", Lasts::NextScene),
    ("until-minor", Lasts::Until(Removal::Minor)),
    ("until-test", Lasts::Until(Removal::Test(0))),
    ("until-power-number", Lasts::Until(Removal::PowerNumber)),
    ("until-gamemaster", Lasts::Until(Removal::Gm)),
];

/// The word for how long an effect lasts.
pub(crate) fn lasts_word(lasts: Lasts) -> &'static str {
    let same = |other: Lasts| match (lasts, other) {
        (Lasts::Until(Removal::Test(_)), Lasts::Until(Removal::Test(_))) => true,
        _ => lasts == other,
    };
    LASTS.iter().find(|(_, other)| same(*other)).map_or("", |(word, _)| word)
}

/// How what is used on somebody reaches them where nothing else is said (`ext.feat`).
pub(crate) const fn usual_reach(aim: Aim) -> Reach {
    match aim {
        Aim::Npc => Reach::Contested,
        _ => Reach::Simple,
    }
}

/// What a boon of a sort is good for where nothing else is said (`ext.boon`); only
/// the +2 and the sides of weapon and shield are the system's, the rest is ours.
pub(crate) fn usual_use(sort: Sort) -> Use {
    let (rolls, tag, attribute) = match sort {
        Sort::Weapon | Sort::HighGround => (Rolls::Test, Some(Tag::Combat), None),
        Sort::Shield | Sort::Armour | Sort::Cover => (Rolls::Save, Some(Tag::Combat), None),
        Sort::Mount => (Rolls::Test, None, Some(Attribute::Strength)),
        Sort::Gear => (Rolls::Test, Some(Tag::Wilds), None),
        Sort::Research => (Rolls::Test, Some(Tag::Research), Some(Attribute::Wisdom)),
        Sort::Social => (Rolls::Test, Some(Tag::Social), Some(Attribute::Beauty)),
        Sort::Other => (Rolls::Test, None, None),
    };
    let tags = tag.map_or(TagSet::NONE, TagSet::one);
    let attributes = attribute.map_or_else(|| combat_attributes(rolls, tags), AttributeSet::one);
    Use {
        sort,
        // Losing such a one is losing a place or a seat (`guilt.lose-situations`).
        situation: matches!(sort, Sort::Cover | Sort::HighGround | Sort::Mount),
        rolls,
        attributes,
        tags,
        bonus: 2,
        ..Use::default()
    }
}

/// What a boon that is for combat alone counts with: combat tests use strength, and combat saves
/// valor (`mod.weapon`, `mod.shield`).
pub(crate) fn combat_attributes(rolls: Rolls, tags: TagSet) -> AttributeSet {
    let used = [Attribute::Strength, Attribute::Valor].into_iter().filter(|one| rolls.counts(one.kind()));
    if tags == TagSet::one(Tag::Combat) { used.collect() } else { AttributeSet::NONE }
}
