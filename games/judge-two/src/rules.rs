//! Cast, content and options at this table.

use crate::{state::State, vocab::*};
use arrayvec::ArrayVec;
use fracas_kernel::{Roster, Seat, SeatSet};

/// Everything about a table that does not change from moment to moment.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Title, briefing, players, names and library.
    pub roster: Roster,
    /// Everybody, players' characters first in the order of the setup.
    pub cast: Vec<Sheet>,
    /// Every boon and item.
    pub gear: Vec<Gear>,
    /// Every ability.
    pub abilities: Vec<Power>,
    /// The table's settings.
    pub options: Options,
    /// The player characters.
    pub(crate) pcs: CharSet,
    pub(crate) brutes: CharSet,
    /// Those who have an omen.
    pub(crate) ominous: CharSet,
    /// Those with abilities that work without being used, the holders of such
    /// things left aside.
    pub(crate) gifted: CharSet,
    pub(crate) scripts: ItemSet,
    /// Improvised weapons that lie around for the taking.
    pub(crate) improvised: ItemSet,
    /// Things with abilities of their own.
    pub(crate) relics: ItemSet,
    /// What each form of conflict uses, by [`Form`].
    pub forms: [FormUse; 4],
}

/// What a form of conflict uses at this table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FormUse {
    /// Attributes of attacks, the default first.
    pub attributes: ArrayVec<Attribute, 9>,
    /// Essences of defences, the default first.
    pub essences: ArrayVec<Essence, 4>,
    pub finishers: ArrayVec<Finisher, 8>,
}

impl FormUse {
    /// What the form uses where the table says nothing else.
    pub(crate) fn of(form: Form) -> FormUse {
        FormUse {
            attributes: form.attributes().iter().copied().collect(),
            essences: form.essences().iter().copied().collect(),
            finishers: form.finishers().iter().copied().collect(),
        }
    }
}

/// What is written on a character's sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The name others refer to it by.
    pub slug: String,
    pub name: String,
    /// The same amid a sentence: `the gatekeeper`.
    pub said: String,
    /// Player character, brute, foe or nemesis.
    pub kind: Kind,
    /// The seat that plays it.
    pub seat: Seat,
    /// Which side it fights on; equal numbers are allies.
    pub side: u8,
    /// Ranks by [`Attribute`], 0 to 3; all 0 for others than player characters.
    pub attributes: [u8; 9],
    /// Ranks by [`Essence`], 0 to 3 (4 where the table lets it).
    pub essences: [u8; 4],
    /// Power level, 4 to 8; 0 for player characters.
    pub pl: u8,
    /// Resolve: added to every resistance.
    pub resolve: u8,
    /// Resolve without what training and abilities add.
    pub(crate) own_resolve: u8,
    /// Whether it can be riven.
    pub shuvin: bool,
    /// Its kind of mortal.
    pub people: Option<People>,
    /// Male, female, or neither.
    pub gender: Option<Gender>,
    /// Languages it speaks and understands.
    pub speaks: LanguageSet,
    /// Languages it reads and writes.
    pub writes: LanguageSet,
    pub trained: TrainingSet,
    /// A supernal being (`prestige.supernal`).
    pub supernal: bool,
    /// A priest of a royal cult (`prestige.priests`).
    pub priest: bool,
    pub class: String,
    /// What it has been through, a line each.
    pub history: Vec<String>,
    /// What must be met before a nemesis can take risk.
    pub omen: Option<Omen>,
    /// What the gamemaster keeps to themself.
    pub secret: String,
}

/// A boon or another item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gear {
    /// The name others refer to it by.
    pub slug: String,
    pub name: String,
    /// Power, vital, keen, or no boon.
    pub category: Category,
    /// The form of conflict it serves.
    pub form: Form,
    /// When a power boon is bold.
    pub condition: Condition,
    /// How far a weapon reaches.
    pub range: Band,
    /// Training a weapon takes; none: anybody can use it.
    pub group: Option<Training>,
    /// The kind of mortal whose weapon it is, of a master's weapon.
    pub people: Option<People>,
    /// Whether it is an improvised weapon.
    pub improvised: bool,
    /// Whether, as a script, it excludes composure (`script.passion`).
    pub impassioned: bool,
    /// A script that anybody may draw (`script.base-open`).
    pub base: bool,
    pub mount: bool,
    /// A disguise kit (`disguise.tools`).
    pub kit: bool,
    /// Resistance a vital boon grants: martial, subtle, epic.
    pub resist: [u8; 3],
    /// Threats a keen boon makes impossible, when they come in its form.
    pub blocks: ThreatSet,
    /// Readied merely by being worn or possessed.
    pub passive: bool,
    /// Hands it takes up while readied.
    pub hands: u8,
    /// How heavy, if it is armour.
    pub armor: Option<Weight>,
    pub shield: bool,
    /// Whether it can be disarmed.
    pub disarmable: bool,
    /// Whether somebody else can take it once it is down.
    pub stealable: bool,
    /// Whose it is at the start.
    pub owner: Char,
    /// Readied when play begins.
    pub readied: bool,
}

/// An ability: a feat, a power of magick or faith, or what a relic can do.
///
/// Part of it works as long as its owner has it, part when it is used on one
/// roll. The afflicted have neither (`mark.afflict-abilities`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Power {
    /// The name others refer to it by.
    pub slug: String,
    pub name: String,
    /// The owner; for an ability of a relic, the first owner of the relic.
    pub owner: Char,
    /// The relic that gives the ability to its holder.
    pub item: Option<Item>,
    /// Had: resolve, which affliction leaves (`afflict-proficiency`).
    pub resolve: u8,
    /// Risk its use costs.
    pub cost: u8,
    /// How often it can be used; always where nothing is said.
    pub once: Option<Often>,
    /// Used: makes the roll bold.
    pub bold: bool,
    /// Used: makes the test quick.
    pub quick: bool,
    /// Used: makes the test long (a save faint instead).
    pub long: bool,
    /// Used: makes the roll faint.
    pub faint: bool,
    /// Used: this attribute in place of the one named.
    pub attribute: Option<Attribute>,
    /// Used: this essence in place of the one named.
    pub essence: Option<Essence>,
    /// Used: shows that its owner is shuvin (`prestige.shuvin`).
    pub reveals: bool,
    /// Is magick, which Faith meets (`martial.def-faith`).
    pub magick: bool,
    /// Whether it serves tests.
    pub test: bool,
    /// Whether it serves saves.
    pub save: bool,
    /// Had: attacks are bold in this situation.
    pub bold_when: Option<Condition>,
    /// Had: resistance, martial, subtle, epic.
    pub resist: [u8; 3],
    /// Had: threats that cannot be imposed on its owner.
    pub forbids: ThreatSet,
    /// Had: marks that cannot be imposed on its owner.
    pub forbids_marks: MarkSet,
    /// Had: its owner is armed with nothing readied.
    pub armed: bool,
    /// Had: further deeds in a turn.
    pub deeds: u8,
}

impl Power {
    /// Whether part of it works without being used.
    pub(crate) fn is_passive(&self) -> bool {
        self.bold_when.is_some()
            || self.resist != [0; 3]
            || !self.forbids.is_empty()
            || !self.forbids_marks.is_empty()
            || self.armed
            || self.deeds > 0
    }
}

/// What must be so before risk can be imposed on a nemesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Omen {
    /// This threat lies on the nemesis.
    Threat(Threat),
    /// All of these are out of its hands.
    Disarmed(Vec<Item>),
    /// This other character is defeated.
    Defeated(Char),
    /// Fewer brutes than this still stand.
    BrutesBelow(u8),
    /// The gamemaster says so (a fiat).
    Ruled,
}

fracas_kernel::options! {
    /// How many interventions follow several guilty saves.
    chain: Chain = "multi-save-chain" {
        /// One, however many saves were guilty.
        OneInAll = "one-in-all",
        OnePerSave = "one-per-guilty-save"
    },
    /// Whether players see power levels.
    sight: Sight = "cl-visible" {
        /// Always.
        Shown = "shown",
        /// Once the first attack on that character has been resolved.
        AfterFirstAttack = "pl-after-first-attack"
    },
    /// Whether an attacker may do less than the degree allows.
    lower: Lower = "tier-downgrade" {
        /// Never.
        Forbidden = "forbidden",
        Allowed = "allowed"
    },
    /// What it takes to get a disarmed boon back.
    recovery: Recovery = "disarm-recovery-deeds" {
        /// One deed to recover it, one to ready it.
        TwoDeeds = "two-deeds",
        /// One deed for both.
        OneDeed = "one-deed"
    },
    /// What is left of a power boon without its bonuses.
    bonusless: Bonusless = "afflict-boons" {
        /// Its owner still imposes marks and counterattacks.
        BonusesOnly = "bonuses-only",
        /// Its owner counts as unarmed.
        Unarmed = "counts-as-unarmed"
    },
    /// Which degree each member of a group attack uses.
    share: Share = "group-individual-degree" {
        /// Their own.
        Own = "own-degree",
        /// The sum.
        Total = "group-total"
    },
    /// Whether a derived essence may be 4.
    cap: Cap = "essence-cap" {
        /// No: 3 at most.
        AtThree = "capped-at-3",
        Uncapped = "uncapped"
    },
    /// Whether a nemesis can be finished before its omen is met.
    omen: OmenGuard = "omen-finisher" {
        /// By degree alone.
        ByDegree = "by-degree",
        Barred = "barred-until-met"
    },
    /// What guarding costs in risk.
    guard_cost: u8 = "guard-cost" ["2" = 2, "0" = 0, "1" = 1, "3" = 3, "4" = 4],
    /// The least risk of a critical state.
    critical_from: u8 = "critical-from" [
        "7" = 7, "4" = 4, "5" = 5, "6" = 6, "8" = 8, "9" = 9, "10" = 10,
    ],
    /// The least degree of the middle tier: a mark or two threats.
    mark_from: u8 = "mark-from" ["3" = 3, "2" = 2, "4" = 4],
    /// The least degree of the highest tier: a finisher.
    finisher_from: u8 = "finisher-from" ["5" = 5, "4" = 4, "6" = 6, "7" = 7, "8" = 8],
}

impl Options {
    /// The tier of a final degree (`attack.tier-low` and on).
    pub(crate) fn tier(&self, degree: i8) -> Tier {
        if degree >= self.finisher_from as i8 {
            Tier::High
        } else if degree >= self.mark_from as i8 {
            Tier::Mid
        } else {
            Tier::Low
        }
    }

    /// Whether the bounds of the tiers are the document's.
    pub(crate) fn has_usual_tiers(&self) -> bool {
        (self.mark_from, self.finisher_from) == (3, 5)
    }
}

/// A sentence with one of these numbers in it, which is the table's.
macro_rules! with_number {
    ($number:expr, [$($one:literal)*], $before:literal, $after:literal) => {
        match $number {
            $($one => concat!($before, $one, $after),)*
            _ => concat!($before, "this much", $after),
        }
    };
}
pub(crate) use with_number;

impl Rules {
    /// Somebody's sheet.
    pub fn sheet(&self, who: Char) -> &Sheet {
        &self.cast[who.index()]
    }

    /// A boon or item.
    pub fn gear(&self, item: Item) -> &Gear {
        &self.gear[item.index()]
    }

    /// An ability.
    pub fn power(&self, ability: Ability) -> &Power {
        &self.abilities[ability.index()]
    }

    /// Everybody's id.
    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    /// Everything's id.
    pub fn everything(&self) -> impl Iterator<Item = Item> + use<> {
        (0..self.gear.len() as u8).map(Item)
    }

    /// Whether somebody has an ability now.
    pub fn has_ability(&self, state: &State, who: Char, ability: Ability) -> bool {
        let power = self.power(ability);
        match power.item {
            Some(item) => state.being(who).held.has(item),
            None => power.owner == who,
        }
    }

    /// Somebody's abilities.
    pub fn abilities_of<'a>(&'a self, state: &'a State, who: Char) -> impl Iterator<Item = Ability> + 'a {
        (0..self.abilities.len() as u8).map(Ability).filter(move |&a| self.has_ability(state, who, a))
    }

    /// Somebody's abilities as far as they work by themselves: none of the
    /// afflicted's (`mark.afflict-abilities`).
    pub(crate) fn gifts<'a>(&'a self, state: &'a State, who: Char) -> impl Iterator<Item = &'a Power> + 'a {
        let being = state.being(who);
        let any = (self.gifted.has(who) || !being.held.and(self.relics).is_empty())
            && !being.marks.has(Mark::Afflict);
        any.then(|| self.abilities_of(state, who).map(|a| self.power(a))).into_iter().flatten()
    }

    /// What a form of conflict uses.
    pub(crate) fn form(&self, form: Form) -> &FormUse {
        &self.forms[form as usize]
    }

    /// The seat that plays a character.
    pub fn seat(&self, who: Char) -> Seat {
        self.sheet(who).seat
    }

    /// Whether a player plays it.
    pub fn is_pc(&self, who: Char) -> bool {
        self.sheet(who).kind == Kind::Pc
    }

    /// The seats of several characters.
    pub(crate) fn seats_of(&self, all: CharSet) -> SeatSet {
        all.iter().map(|who| self.seat(who)).collect()
    }

    /// Every player's seat.
    pub(crate) fn player_seats(&self) -> SeatSet {
        (0..self.roster.players.len() as u8).map(Seat::Player).collect()
    }

    /// The name of a character.
    pub(crate) fn name(&self, who: Char) -> &str {
        &self.sheet(who).said
    }

    /// The rank of an attribute.
    pub(crate) fn rank(&self, who: Char, attribute: Attribute) -> i8 {
        self.sheet(who).attributes[attribute as usize] as i8
    }

    /// The rank of an essence.
    pub(crate) fn essence(&self, who: Char, essence: Essence) -> i8 {
        self.sheet(who).essences[essence as usize] as i8
    }
}
