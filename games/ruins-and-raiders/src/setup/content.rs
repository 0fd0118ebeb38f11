//! Weapons, spells and manoeuvres, and what the latter two do.

use super::Reading;
use crate::effect::{Against, Bought, Effect, Effects, MAX_EFFECTS, Soak};
use crate::rules::{Arm, ManoeuvreData, SpellData};
use crate::state::{Lie, Place};
use crate::vocab::*;
use fracas_kernel::{Fields, Names, TextOr, not_one_of};

fracas_kernel::words!(
    /// What an effect does, as a setup says it.
    Does {
        Wounds = "wounds",
        Shocks = "shocks",
        Prone = "prone",
        Drop = "drop",
        Held = "held",
        Asleep = "asleep",
        Change = "change",
        Thrown = "thrown",
        Told = "told",
    }
);

fracas_kernel::words!(
    /// What an action given up against an attack does, as a setup says it.
    Buys { Bonus = "bonus", Prone = "prone", Step = "step" }
);

/// The numbers that an action given up against an attack can add to.
const DEFENCES: [(&str, Value); 4] = [
    ("dodge", Value::Dodge),
    ("parry", Value::Parry),
    ("defiance", Value::Defiance),
    ("protection", Value::Protection),
];

/// What an action given up against an attack buys (`ext.abort`).
pub(super) fn bought(fields: &Fields<'_>) -> Option<Bought> {
    fields.must("do", "what it does: \"bonus\", \"prone\" or \"step\"");
    let buys = fields.word("do", Buys::WORDS);
    let value = fields.word("value", &DEFENCES);
    let by = fields.int("by", 1..=9);
    match buys? {
        Buys::Bonus => {
            fields.must("value", "which number is higher, such as \"protection\"");
            fields.must("by", "how much, from 1 to 9");
            Some(Bought::Bonus { value: value?, by: by? as u8 })
        }
        other => {
            let what = format!("`do = \"{other}\"` adds to no number: leave this out");
            fields.idle_all(&["value", "by"], &what);
            Some(if other == Buys::Prone { Bought::Prone } else { Bought::Step })
        }
    }
}

impl Does {
    /// The fields that say more of it.
    const fn takes(self) -> &'static [&'static str] {
        match self {
            Does::Wounds => &["power", "brawn", "soak"],
            Does::Shocks => &["power", "soak"],
            Does::Change => &["value", "by"],
            Does::Thrown => &["spaces"],
            Does::Prone | Does::Drop | Does::Held | Does::Asleep | Does::Told => &[],
        }
    }
}

/// All fields that some effects have and others do not.
const MORE: [&str; 6] = ["power", "brawn", "soak", "value", "by", "spaces"];

/// What a check can be against, by a word.
const AGAINST: [(&str, Against); 5] = [
    ("body", Against::Body),
    ("dodge", Against::Only(Defence::Dodge)),
    ("parry", Against::Only(Defence::Parry)),
    ("defiance", Against::Only(Defence::Defiance)),
    ("nothing", Against::Nothing),
];

/// The traits that spells are cast with (`offense.mage`, `offense.sorcerer`).
const CASTING: [(&str, Trait); 2] = [("intellect", Trait::INTELLECT), ("presence", Trait::PRESENCE)];

impl<'s> Reading<'s> {
    /// A weapon or a shield (`ext.weapon`).
    pub(super) fn weapon(&mut self, fields: Fields<'s>, owner: Char) {
        let Some(fields) = self.over_library(fields, "weapon") else { return };
        if self.rules.weapons.len() == MAX_WEAPONS {
            return fields.fault(format!("too many weapons: {MAX_WEAPONS} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Weapon::LETTER, &name, owner);
        let arm = Arm {
            slug,
            name,
            owner,
            uses: self.uses(&fields),
            power: fields.int("power", 0..=60).unwrap_or(0) as u8,
            defence: fields.int("defence", 0..=20).unwrap_or(0) as u8,
            hands: fields.int("hands", 1..=2).unwrap_or(1) as u8,
            pole: fields.flag("pole").unwrap_or(false),
            natural: fields.flag("natural").unwrap_or(false),
            note: fields.text("note").unwrap_or_default().to_owned(),
        };
        idle_weapon(&fields, &arm);
        let lie = if arm.natural { Lie::Hand } else { Lie::Carried };
        self.state.arms.push(Place { holder: owner, lie, seen: false });
        self.rules.weapons.push(arm);
        fields.done();
    }

    fn uses(&self, fields: &Fields<'s>) -> UseSet {
        fields.must("uses", "how it is used, such as [\"melee\"]: melee, thrown, missile");
        let before = self.faults.count();
        let uses: UseSet = fields.words("uses", Use::WORDS).into_iter().collect();
        if uses.is_empty() && fields.has("uses") && self.faults.count() == before {
            fields.fault_in("uses", "expected at least one of melee, thrown, missile");
        }
        uses
    }

    /// A spell (`ext.spell`).
    pub(super) fn spell(&mut self, fields: Fields<'s>, owner: Char) {
        let Some(fields) = self.over_library(fields, "spell") else { return };
        if self.rules.spells.len() == MAX_SPELLS {
            return fields.fault(format!("too many spells: {MAX_SPELLS} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = self.slug_of_owned(&fields, Spell::LETTER, &name, owner);
        let own = fields.flag("own").unwrap_or(false);
        let usual = if own { Against::Nothing } else { Against::Only(Defence::Defiance) };
        let spell = SpellData {
            slug,
            name,
            owner,
            with: fields.word("with", &CASTING).unwrap_or(Trait::INTELLECT),
            actions: fields.int("actions", 1..=2).unwrap_or(2) as u8,
            against: self.against(&fields, None).unwrap_or(usual),
            range: fields.word("range", Range::WORDS).unwrap_or(Range::Long),
            energy: fields.int("energy", 0..=60).unwrap_or(0) as u8,
            own,
            effects: effects(&fields),
            note: fields.text("note").unwrap_or_default().to_owned(),
        };
        if own {
            on_oneself(&fields, spell.against);
            fields.idle_all(&["range"], "it reaches nobody else: leave it out");
        }
        idle_content(&fields, "spell");
        self.rules.spells.push(spell);
        fields.done();
    }

    /// A manoeuvre, somebody's or everybody's (`ext.two-actions`).
    pub(super) fn manoeuvre(&mut self, fields: Fields<'s>, owner: Option<Char>) {
        let Some(fields) = self.over_library(fields, "manoeuvre") else { return };
        if self.rules.manoeuvres.len() == MAX_MANOEUVRES {
            return fields.fault(format!("too many manoeuvres: {MAX_MANOEUVRES} at most"));
        }
        let name = fields.must_text("name").to_owned();
        let slug = match owner {
            Some(owner) => self.slug_of_owned(&fields, Manoeuvre::LETTER, &name, owner),
            None => self.rules.roster.slug(&fields, Manoeuvre::LETTER, &name),
        };
        let brings = owner.is_none_or(|owner| self.rules.is_pc(owner));
        let word = fields.text("with");
        let with = word.and_then(|word| self.trait_of(&fields, "with", word, brings));
        let aimed = fields.flag("aimed").unwrap_or(true);
        let usual = if word.is_some() { Against::Body } else { Against::Nothing };
        let manoeuvre = ManoeuvreData {
            slug,
            name,
            owner,
            actions: fields.int("actions", 1..=2).unwrap_or(1) as u8,
            with,
            against: self.against(&fields, Some(brings)).unwrap_or(usual),
            aimed,
            effects: effects(&fields),
            note: fields.text("note").unwrap_or_default().to_owned(),
        };
        if word.is_none() && manoeuvre.against != Against::Nothing {
            let what = "no check is made: say with `with` what is rolled, or leave it out";
            fields.idle("against", what);
        } else if !aimed {
            on_oneself(&fields, manoeuvre.against);
        }
        idle_content(&fields, "manoeuvre");
        self.rules.manoeuvres.push(manoeuvre);
        fields.done();
    }

    /// What a check is against: a word, a number, and where `brings` is said a trait.
    fn against(&mut self, fields: &Fields<'s>, brings: Option<bool>) -> Option<Against> {
        let word = match fields.text_or_int("against", 0..=60)? {
            TextOr::Text(word) => word,
            TextOr::Other(level) => return Some(Against::Level(level as u8)),
        };
        if let Some((_, against)) = AGAINST.iter().find(|(known, _)| *known == word) {
            return Some(*against);
        }
        let words: Vec<&str> = AGAINST.iter().map(|(word, _)| *word).collect();
        let Some(brings) = brings else {
            fields.fault_in("against", format!("{}; or a number", not_one_of(word, &words)));
            return None;
        };
        if let Some(of) = self.known_trait(word, brings) {
            return Some(Against::Trait(of));
        }
        let traits = self.rules.traits.iter().map(|named| named.slug.as_str());
        let words: Vec<&str> = words.into_iter().chain(traits).collect();
        fields.fault_in("against", format!("{}; or a number", not_one_of(&Names::slug_of(word), &words)));
        None
    }
}

/// Effects, in the words of their one vocabulary.
fn effects(fields: &Fields<'_>) -> Effects {
    let tables = fields.tables("effect");
    if tables.len() > MAX_EFFECTS {
        fields.fault_in("effect", format!("too many effects: {MAX_EFFECTS} at most"));
    }
    tables.into_iter().filter_map(effect).take(MAX_EFFECTS).collect()
}

fn effect(fields: Fields<'_>) -> Option<Effect> {
    fields.must("do", "what the effect does, such as \"prone\"");
    let does = fields.word("do", Does::WORDS);
    let power = fields.int("power", -20..=60).unwrap_or(0) as i16;
    let brawn = fields.flag("brawn").unwrap_or(false);
    let soak = fields.word("soak", Soak::WORDS);
    let value = fields.word("value", Value::WORDS);
    let by = fields.int("by", -9..=9);
    let spaces = fields.int("spaces", 1..=MAX_MOVE.into());
    if let Some(does) = does {
        let others: Vec<&str> = MORE.into_iter().filter(|field| !does.takes().contains(field)).collect();
        fields.idle_all(&others, &idle_beside(does));
    }
    match does {
        Some(Does::Change) => {
            fields.must("value", "which number it changes, such as \"dodge\"");
            fields.must("by", "how much, from -9 to 9");
            if by == Some(0) {
                fields.idle("by", "0 changes nothing");
            }
        }
        Some(Does::Thrown) => fields.must("spaces", "how far, from 1 space"),
        _ => {}
    }
    fields.done();
    Some(match does? {
        Does::Wounds => Effect::Wounds { power, brawn, soak: soak.unwrap_or_default() },
        // Armour is for the body.
        Does::Shocks => Effect::Shocks { power, soak: soak.unwrap_or(Soak::Nothing) },
        Does::Prone => Effect::Prone,
        Does::Drop => Effect::Drop,
        Does::Held => Effect::Held,
        Does::Asleep => Effect::Asleep,
        Does::Change => Effect::Change { value: value?, by: by? as i8 },
        Does::Thrown => Effect::Thrown(spaces? as u8),
        Does::Told => Effect::Told,
    })
}

/// What is wrong with a field that an effect does not take.
fn idle_beside(does: Does) -> String {
    match does.takes() {
        [] => format!("nothing more is said of `do = \"{does}\"`: leave it out"),
        takes => format!("`do = \"{does}\"` takes {}: leave this out", takes.join(", ")),
    }
}

/// What of a weapon could never do anything.
fn idle_weapon(fields: &Fields<'_>, arm: &Arm) {
    if arm.pole && !arm.uses.has(Use::Melee) {
        fields.idle("pole", "a pole weapon is used in melee: say so in `uses` (ext.brace)");
    }
    if arm.natural {
        fields.idle_all(&["hands"], "what is grown takes no hand: leave it out");
        if arm.uses.has(Use::Thrown) {
            fields.idle("uses", "what is grown cannot be thrown");
        }
    }
}

/// What of a spell or a manoeuvre could never do anything.
fn idle_content(fields: &Fields<'_>, list: &str) {
    if !fields.has("effect") && !fields.has("note") {
        let what = format!(
            "it would do nothing: give it a [[{list}.effect]], or say in a `note` what it means at the table"
        );
        fields.idle("", what);
    }
}

/// Nobody defends against what somebody does to themself.
fn on_oneself(fields: &Fields<'_>, against: Against) {
    if !matches!(against, Against::Level(_) | Against::Nothing) {
        fields.fault_in("against", "it is on the character alone: expected a number, or \"nothing\"");
    }
}
