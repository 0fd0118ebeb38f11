//! Characters: what stands on their sheets, and how they are.

use super::{Entry, Reading, read_track};
use crate::points;
use crate::rules::{Armour, Given, Opening, Sheet};
use crate::state::{Being, Lie};
use crate::vocab::*;
use fracas_kernel::{Fields, Seat, TextOr, amid};

/// The most experience that is counted.
const MAX_EXPERIENCE: i64 = 1_000_000_000;
/// The most extra limbs.
const MAX_LIMBS: i64 = 8;

/// Whether players are to know nothing of one of the Adversary's characters.
pub(super) fn is_to_be_hidden(fields: &Fields<'_>) -> bool {
    fields.flag("unseen") == Some(true) || fields.flag("away") == Some(true)
}

impl<'s> Reading<'s> {
    /// A character's own fields; what it has is read once everything is known that it may refer to.
    pub(super) fn character(&mut self, entry: Entry<'s>, is_pc: bool) -> Option<(Char, Fields<'s>)> {
        let fields = &entry.fields;
        if self.rules.cast.len() == MAX_CAST {
            fields.fault(format!("too many characters: {MAX_CAST} at most"));
            return None;
        }
        let who = Char(self.rules.cast.len() as u8);
        let name = fields.must_text("name").to_owned();
        let slug = self.rules.roster.slug(fields, Char::LETTER, &name);
        let seat = if is_pc { fields.player(&self.rules.roster.players) } else { Seat::Gm };
        let side = if is_pc { Side::Players } else { fields.word("side", Side::WORDS).unwrap_or(Side::Foes) };
        let being = self.being(&entry, is_pc);
        let armour = self.armour(fields);
        let (gifts, limbs) = gifts(fields);
        let track = fields.table("track").map(|track| read_track(track, self.rules.track));
        let mount = fields.flag("mount").unwrap_or(false);
        self.rules.cast.push(Sheet {
            slug,
            said: amid(&name),
            name,
            seat,
            side,
            armour,
            encumbrance: fields.int("encumbrance", 0..=60).unwrap_or(0) as u8,
            gifts,
            limbs,
            given: given(fields),
            track,
            mount,
            opening: opening(fields, mount),
            people: fields.text("kind").unwrap_or_default().to_owned(),
            history: fields.texts("history").into_iter().map(str::to_owned).collect(),
            secret: fields.text("secret").unwrap_or_default().to_owned(),
        });
        if is_pc {
            self.rules.pcs = self.rules.pcs.with(who);
            built(fields, &being, gifts, limbs);
        }
        if mount {
            self.rules.mounts = self.rules.mounts.with(who);
        }
        self.state.cast.push(being);
        fields.text("note");
        Some((who, entry.fields))
    }

    /// How somebody is at the start.
    fn being(&mut self, entry: &Entry<'s>, is_pc: bool) -> Being {
        let levels = self.levels(entry, is_pc);
        let fields = &entry.fields;
        let count = |of, most: u16| fields.int(of, 0..=most.into()).unwrap_or(0) as u16;
        let is = |of| fields.flag(of).unwrap_or(false);
        Being {
            levels,
            wounds: count("wounds", MAX_WOUNDS),
            shocks: count("shocks", MAX_WOUNDS),
            fortune: count("fortune", MAX_FORTUNE),
            experience: fields.int("experience", 0..=MAX_EXPERIENCE).unwrap_or(0) as u32,
            away: is("away"),
            unseen: !is_pc && is("unseen"),
            revealed: !is_pc && is("revealed"),
            prone: is("prone"),
            asleep: is("asleep"),
            unaware: is("unaware"),
            ..Being::default()
        }
    }

    /// Traits and skills, each 0 where nothing is said: those of the library, with those said beside.
    fn levels(&mut self, entry: &Entry<'s>, is_pc: bool) -> [u8; MAX_TRAITS] {
        let mut levels = [0; MAX_TRAITS];
        if entry.fields.table("traits").is_none() {
            return levels;
        }
        for table in entry.layers.iter().filter_map(|layer| layer.table("traits")) {
            for (name, word) in table.pairs() {
                let level = word.parse::<u8>().ok().filter(|level| *level <= MAX_LEVEL);
                if level.is_none() {
                    let what = format!("expected a whole number from 0 to {MAX_LEVEL}, found {word}");
                    table.fault_in(name, what);
                }
                if let Some(of) = self.trait_of(&table, name, name, is_pc) {
                    levels[of.index()] = level.unwrap_or(0);
                }
            }
        }
        levels
    }

    /// The armour that somebody wears: the library's of a name, or a table.
    fn armour(&mut self, fields: &Fields<'s>) -> Armour {
        let worn = match fields.text_or_table("armour") {
            Some(TextOr::Text(name)) => self.setup.must_entry("armour", name, (fields, "armour")),
            Some(TextOr::Other(table)) => self.over_library(table, "armour"),
            None => None,
        };
        let Some(worn) = worn else { return Armour::default() };
        let armour = Armour {
            name: worn.must_text("name").to_owned(),
            value: worn.int("value", 0..=60).unwrap_or(0) as u8,
            penalty: worn.int("penalty", 0..=20).unwrap_or(0) as u8,
        };
        worn.text("note");
        worn.done();
        armour
    }

    /// What somebody has and can do.
    pub(super) fn belongings(&mut self, fields: &Fields<'s>, who: Char) {
        for weapon in self.entries(fields, "weapon", "weapons") {
            self.weapon(weapon, who);
        }
        self.ready(fields, who);
        for spell in self.entries(fields, "spell", "spells") {
            self.spell(spell, who);
        }
        for manoeuvre in self.entries(fields, "manoeuvre", "manoeuvres") {
            self.manoeuvre(manoeuvre, Some(who));
        }
    }

    /// The library's entries that are named, and the tables of a list beside them.
    fn entries(&self, fields: &Fields<'s>, list: &'static str, names: &'static str) -> Vec<Fields<'s>> {
        let named = fields.texts(names).into_iter();
        let named = named.filter_map(|name| self.setup.must_entry(list, name, (fields, names)));
        named.chain(fields.tables(list)).collect()
    }

    /// What somebody has in hand at the start: what is said, or else the first that fit.
    fn ready(&mut self, fields: &Fields<'s>, who: Char) {
        let hands = u16::from(2 + self.rules.sheet(who).limbs);
        let weapons = &self.rules.weapons;
        let own: Vec<usize> = (0..weapons.len()).filter(|&at| weapons[at].owner == who).collect();
        let names = fields.texts("ready");
        let mut held = 0;
        if !fields.has("ready") {
            for at in own {
                let arm = &weapons[at];
                if !arm.natural && held + u16::from(arm.hands) <= hands {
                    held += u16::from(arm.hands);
                    self.state.arms[at].lie = Lie::Hand;
                }
            }
            return;
        }
        for name in names {
            let is_called = |&at: &usize| weapons[at].name == name || weapons[at].slug == name;
            let called: Vec<usize> = own.iter().copied().filter(is_called).collect();
            match called.iter().find(|&&at| self.state.arms[at].lie == Lie::Carried) {
                Some(&at) => {
                    held += u16::from(weapons[at].hands);
                    self.state.arms[at].lie = Lie::Hand;
                }
                None if called.is_empty() => {
                    let known = own.iter().map(|&at| weapons[at].name.as_str());
                    fields.unknown("ready", "the character has no weapon called", name, known);
                }
                // Natural weapons are in hand always.
                None => {}
            }
        }
        if held > hands {
            let what = format!("that takes {held} hands, and the character has {hands} (ext.weapon)");
            fields.fault_in("ready", what);
        }
    }
}

/// Gifts, and extra limbs with them (`gift.list`).
fn gifts(fields: &Fields<'_>) -> (GiftSet, u8) {
    let gifts: GiftSet = fields.words("gifts", Gift::WORDS).into_iter().collect();
    let limbs = fields.int("limbs", 1..=MAX_LIMBS).map(|limbs| limbs as u8);
    if !gifts.has(Gift::ExtraLimbs) {
        fields.idle_all(&["limbs"], "they come with a gift: say \"extra-limbs\" in `gifts` (gift.list)");
        return (gifts, 0);
    }
    (gifts, limbs.unwrap_or(1))
}

/// How the first conflict finds somebody, if that is said (`zero.one-or-group`, `zero.surprise.who`).
fn opening(fields: &Fields<'_>, mount: bool) -> Option<Opening> {
    let first = fields.flag("first").unwrap_or(false);
    let surprised = fields.flag("surprised").unwrap_or(false);
    if first && surprised {
        let what = "who acts first is not surprised: leave one of the two out (zero.surprise.who)";
        fields.fault_in("surprised", what.to_owned());
    }
    if mount && (first || surprised) {
        let field = if first { "first" } else { "surprised" };
        fields
            .fault_in(field, "a mount takes no turn of its own: say it of its rider (ext.mount)".to_owned());
    }
    match (first, surprised) {
        (true, _) => Some(Opening::First),
        (false, true) => Some(Opening::Surprised),
        (false, false) => None,
    }
}

/// Values that stand on the sheet (`ext.character`).
fn given(fields: &Fields<'_>) -> Given {
    let Some(values) = fields.table("values") else { return Given::default() };
    let value = |of, most: u8| values.int(of, 0..=most.into()).map(|value| value as u8);
    let given = Given {
        movement: value("movement", MAX_MOVE),
        dodge: value("dodge", 99),
        parry: value("parry", 99),
        defiance: value("defiance", 99),
        protection: value("protection", 99),
    };
    values.done();
    given
}

/// Whether a player's character costs no more points than it is built with (`trait.cost`, `gift.list`,
/// `fortune.points`).
fn built(fields: &Fields<'_>, being: &Being, gifts: GiftSet, limbs: u8) {
    let Some(points) = fields.int("points", 0..=99_999) else { return };
    let traits = being.levels.iter().map(|level| points::cost((*level).into()));
    let traits = traits.fold(0, u32::saturating_add);
    let each = |gift: Gift| u32::from(gift.cost()) * if gift == Gift::ExtraLimbs { limbs.into() } else { 1 };
    let gifts: u32 = gifts.iter().map(each).sum();
    let sum = traits.saturating_add(gifts).saturating_add(being.fortune.into());
    if i64::from(sum) > points {
        let what = format!(
            "the character costs {sum}: traits and skills {traits}, gifts {gifts}, Fortune {} (trait.cost, \
             gift.list, fortune.points)",
            being.fortune
        );
        fields.fault_in("points", what);
    }
}
