//! What does not change from moment to moment: cast, content, the ground, the settings of the table.

use crate::effect::{Against, Bought, Effects, Fall};
use crate::vocab::*;
use fracas_kernel::{Field, Metric, Roster, Seat, Space, Spaces};

/// Everything about a table that does not change from moment to moment.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub roster: Roster,
    pub cast: Vec<Sheet>,
    pub weapons: Vec<Arm>,
    pub spells: Vec<SpellData>,
    pub manoeuvres: Vec<ManoeuvreData>,
    /// What a sacrificed action buys besides Defend and Resist (`ext.abort`).
    pub recourses: Vec<RecourseData>,
    /// Traits and skills, the rulebook's first.
    pub traits: Vec<Named>,
    pub grounds: Vec<GroundData>,
    /// Where everybody stands.
    pub field: Field,
    pub options: Options,
    /// What small acts change of initiative (`ext.initiative-table`).
    pub minors: Minors,
    /// What Haste costs and gives (`ext.haste`).
    pub haste: Haste,
    /// Whether somebody with a pole weapon may always cut in on a charge (`ext.brace`).
    pub brace: bool,
    /// The wound track of everybody who has none of their own (`ext.health`).
    pub track: Track,
    pub(crate) pcs: CharSet,
    /// Those who carry others.
    pub(crate) mounts: CharSet,
    /// What the ground changes of Movement, the best first, each with the spaces that are no worse.
    pub(crate) floors: Vec<(i8, Spaces)>,
}

/// Something that has only a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub slug: String,
    pub name: String,
    /// Of the mind: shocks hinder it.
    pub mental: bool,
}

/// What is written on a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    pub slug: String,
    pub name: String,
    /// The same amid a sentence: `the gatekeeper`.
    pub said: String,
    pub seat: Seat,
    pub side: Side,
    pub armour: Armour,
    pub encumbrance: u8,
    pub gifts: GiftSet,
    /// Extra limbs, beyond two hands.
    pub limbs: u8,
    /// Values that stand on the sheet in place of what the formulas give.
    pub given: Given,
    pub track: Option<Track>,
    /// Carries others, and takes no turn of its own (`ext.mount`).
    pub mount: bool,
    /// How the first conflict of the encounter finds them, where it says so.
    pub opening: Option<Opening>,
    pub people: String,
    pub history: Vec<String>,
    /// What the Adversary keeps to themself.
    pub secret: String,
}

/// How the first conflict finds somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// Acts first, in round zero (`zero.one-or-group`).
    First,
    /// Is taken wholly by surprise (`zero.surprise.who`).
    Surprised,
}

/// Armour: what it adds to Protection, and what it takes off Movement and Dodge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Armour {
    pub name: String,
    pub value: u8,
    pub penalty: u8,
}

/// Values given by hand (`ext.character`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Given {
    pub movement: Option<u8>,
    pub dodge: Option<u8>,
    pub parry: Option<u8>,
    pub defiance: Option<u8>,
    pub protection: Option<u8>,
}

/// A weapon or a shield.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    pub slug: String,
    pub name: String,
    /// The first owner.
    pub owner: Char,
    pub uses: UseSet,
    pub power: u8,
    /// What it adds to Parry in hand.
    pub defence: u8,
    pub hands: u8,
    /// A pole weapon (`ext.brace`).
    pub pole: bool,
    /// Grown, and never laid down.
    pub natural: bool,
    pub note: String,
}

impl Arm {
    /// Whether it is another of the same name that does the same.
    pub(crate) fn is_like(&self, other: &Arm) -> bool {
        let of = |arm: &Arm| (arm.uses, arm.power, arm.defence, arm.hands, arm.pole, arm.natural);
        self.name == other.name && of(self) == of(other)
    }
}

/// A spell (`ext.spell`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpellData {
    pub slug: String,
    pub name: String,
    pub owner: Char,
    /// Intellect of a mage, Presence of a sorcerer (`offense.mage`, `offense.sorcerer`).
    pub with: Trait,
    pub actions: u8,
    pub against: Against,
    pub range: Range,
    /// Points of energy, paid with Fortune (`fortune.spell`).
    pub energy: u8,
    /// On the caster alone.
    pub own: bool,
    pub effects: Effects,
    pub note: String,
}

/// A manoeuvre (`ext.two-actions`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManoeuvreData {
    pub slug: String,
    pub name: String,
    /// Whose it is; everybody's where nothing is said.
    pub owner: Option<Char>,
    pub actions: u8,
    /// What is rolled; none where it needs no check.
    pub with: Option<Trait>,
    pub against: Against,
    /// On somebody next to it; else on the character alone.
    pub aimed: bool,
    pub effects: Effects,
    pub note: String,
}

/// What a sacrificed action buys at this table (`ext.abort`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecourseData {
    pub slug: String,
    pub name: String,
    pub buys: Bought,
}

/// A kind of ground (`ext.terrain`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundData {
    pub slug: String,
    pub name: String,
    /// What it changes of Movement (`terrain.slope`).
    pub movement: i8,
    /// The challenge level of the footing: Athlete on foot, Ranger mounted.
    pub level: Option<u8>,
    pub fall: Fall,
}

/// What small acts change of initiative for the round (`init.minor`): mostly nothing, or less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Minors {
    pub step: i8,
    pub draw: i8,
    pub shout: i8,
    pub drop: i8,
    /// In round one, for those who were surprised in round zero (`init.environment`).
    pub surprised: i8,
}

/// What Haste costs and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Haste {
    pub actions: u8,
    pub initiative: u8,
}

impl Default for Haste {
    fn default() -> Haste {
        Haste { actions: 1, initiative: 3 }
    }
}

/// What wounds and shocks do (`ext.health`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Track {
    /// Each beyond so many takes 1 off checks (`injury.penalty`, `injury.shock`).
    pub penalty: u16,
    /// So many wounds disable; by the setting of the table where nothing is said (`disabled-at`).
    pub disabled: Option<u16>,
    /// So many wounds kill, so many shocks destroy the mind (`injury.death`).
    pub dead: u16,
}

impl Default for Track {
    fn default() -> Track {
        Track { penalty: 10, disabled: None, dead: 20 }
    }
}

fracas_kernel::options! {
    /// How distance is counted on a map.
    metric: Metric = "metric" [
        "square" = Metric::Square,
        "square-orthogonal" = Metric::Orthogonal,
        "hex" = Metric::Hex,
    ],
    /// Who rolls in a chase.
    chase: ChaseDice = "chase-dice" { AllRoll = "all-roll", FixedFoes = "fixed-foes" },
    /// Whether the same option can be bought twice.
    abort: AbortBonus = "abort-bonus" { AddsUp = "adds-up", OnceEach = "once-each" },
    /// How much must be unspent to hold over.
    hold: HoldSpent = "hold-spent" { BothUnspent = "both-unspent", OneUnspent = "one-unspent" },
    /// Whether anybody may Haste.
    hasten: Hasten = "haste" { OneAction = "one-action-plus-3", Off = "off" },
    /// Which numbers players see.
    visibility: Visibility = "visibility" { Guarded = "guarded", Open = "open", Closed = "closed" },
    /// What wound penalties lower.
    penalty: PenaltyTo = "penalty-defence" { RolledChecks = "rolled-checks-only", ValuesToo = "values-too" },
    /// So many wounds disable.
    disabled_at: u16 = "disabled-at" ["15" = 15, "10" = 10, "18" = 18],
    /// Whether two may stand in one space.
    occupied: Occupied = "occupied" { OneEach = "one-each", Shared = "shared" },
    /// How many spaces of a charge are worth a point of momentum.
    charge_rate: u8 = "charge-rate" ["3" = 3, "1" = 1, "2" = 2, "4" = 4, "5" = 5, "6" = 6],
    /// What Dodge and Parry gain by an action.
    defend_bonus: u8 = "defend-bonus" ["3" = 3, "1" = 1, "2" = 2, "4" = 4, "5" = 5, "6" = 6],
    /// What a Haymaker adds to damage.
    haymaker: u8 = "haymaker-damage" [
        "10" = 10, "4" = 4, "5" = 5, "6" = 6, "7" = 7, "8" = 8, "9" = 9, "11" = 11, "12" = 12,
    ],
    /// What an enemy has in place of the dice of initiative.
    foe_initiative: u8 = "foe-initiative" [
        "7" = 7, "2" = 2, "3" = 3, "4" = 4, "5" = 5, "6" = 6, "8" = 8, "9" = 9, "10" = 10, "11" = 11,
        "12" = 12,
    ],
}

impl Options {
    /// The momentum of a charge over so many spaces (`charge.rate`, `charge-rate`).
    pub(crate) fn momentum(&self, spaces: u8) -> i16 {
        (spaces / self.charge_rate.max(1)).into()
    }

    /// What so many actions add to Dodge and Parry (`option.defend`, `defend-bonus`).
    pub(crate) fn defended(&self, actions: u8) -> i16 {
        i16::from(self.defend_bonus) * i16::from(actions)
    }

    /// What so many actions add to the damage of a blow (`option.haymaker`, `haymaker-damage`).
    pub(crate) fn wound_up(&self, actions: u8) -> i16 {
        i16::from(self.haymaker) * i16::from(actions)
    }
}

impl Track {
    /// Whether so many wounds kill, or so many shocks destroy the mind (`injury.death`, `injury.shock`).
    pub const fn kills(self, harm: u16) -> bool {
        harm >= self.dead
    }

    /// Whether so many wounds disable, where `usual` do so at this table (`disabled-at`).
    pub fn disables(self, wounds: u16, usual: u16) -> bool {
        wounds >= self.disabled.unwrap_or(usual)
    }
}

impl Rules {
    pub fn sheet(&self, who: Char) -> &Sheet {
        &self.cast[who.index()]
    }

    /// What somebody is called amid a sentence.
    pub fn name(&self, who: Char) -> &str {
        &self.sheet(who).said
    }

    pub fn seat(&self, who: Char) -> Seat {
        self.sheet(who).seat
    }

    pub fn is_pc(&self, who: Char) -> bool {
        self.pcs.has(who)
    }

    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    pub fn arm(&self, weapon: Weapon) -> &Arm {
        &self.weapons[weapon.index()]
    }

    pub fn spell(&self, spell: Spell) -> &SpellData {
        &self.spells[spell.index()]
    }

    pub fn manoeuvre(&self, manoeuvre: Manoeuvre) -> &ManoeuvreData {
        &self.manoeuvres[manoeuvre.index()]
    }

    pub fn recourse(&self, recourse: Recourse) -> &RecourseData {
        &self.recourses[recourse.index()]
    }

    pub fn all_recourses(&self) -> impl Iterator<Item = Recourse> + use<> {
        (0..self.recourses.len() as u8).map(Recourse)
    }

    /// A kind of ground by its number on the map, of ordinary ground none.
    pub fn ground(&self, kind: u8) -> Option<&GroundData> {
        self.grounds.get(usize::from(kind).checked_sub(1)?)
    }

    /// What the ground of a space changes of Movement.
    pub fn change_of(&self, space: Space) -> i8 {
        self.ground(self.field.kind(space)).map_or(0, |ground| ground.movement)
    }

    /// Works out which spaces a move with each change of Movement can touch.
    pub(crate) fn find_floors(&mut self) {
        let mut changes: Vec<i8> = self.field.spaces().iter().map(|space| self.change_of(space)).collect();
        changes.sort_unstable_by_key(|&change| std::cmp::Reverse(change));
        changes.dedup();
        let no_worse = |least: i8| {
            let mut spaces = Spaces::default();
            self.field
                .spaces()
                .iter()
                .filter(|&space| self.change_of(space) >= least)
                .for_each(|space| spaces.add(space));
            spaces
        };
        self.floors = changes.into_iter().map(|change| (change, no_worse(change))).collect();
    }

    pub fn spells_of(&self, who: Char) -> impl Iterator<Item = Spell> + '_ {
        let own = move |(_, spell): &(usize, &SpellData)| spell.owner == who;
        self.spells.iter().enumerate().filter(own).map(|(at, _)| Spell(at as u8))
    }

    /// What somebody can do besides: everybody's manoeuvres and their own.
    pub fn manoeuvres_of(&self, who: Char) -> impl Iterator<Item = Manoeuvre> + '_ {
        let own = move |(_, data): &(usize, &ManoeuvreData)| data.owner.is_none_or(|owner| owner == who);
        self.manoeuvres.iter().enumerate().filter(own).map(|(at, _)| Manoeuvre(at as u8))
    }
}
