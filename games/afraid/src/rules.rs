//! What a table plays by: cast, content, options. Changed by fiats alone.

use crate::{dice::Pool, state::To, vocab::*};
use fracas_kernel::{Roster, Seat};

/// Cast, content and options of one table.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Title, briefing, players, names and library.
    pub roster: Roster,
    /// Who there is, by [`Char`]; without those made in play.
    pub cast: Vec<Sheet>,
    /// What things on sheets are called, by [`Item`]; without those gained in play.
    pub items: Vec<String>,
    /// Whom and what relationships are to, beside the cast, by [`Person`].
    pub people: Vec<String>,
    /// The monster's writeup.
    pub facts: Vec<Writeup>,
    /// What new characters are made from.
    pub backgrounds: Vec<Origin>,
    /// What the table settled of what the document leaves open.
    pub options: Options,
    /// What the table settled of what the document leaves out.
    pub settings: Settings,
    /// The living characters of the players who came from other evenings, by name, here or
    /// not.
    pub carried: Vec<String>,
    /// To whom their relationships are, by name: the character called exactly so is meant, and
    /// goes by that name alone (`same-name`). None where the table began under rules that
    /// read them as what an encounter says.
    pub ties: Vec<String>,
    /// The table began under rules that found fewer faults: who joins it is read as then.
    pub lenient: bool,
}

impl Rules {
    /// Whether a character of the players who has no part in this evening is called so.
    pub fn is_away(&self, name: &str) -> bool {
        // Whom the gamemaster plays counts for nothing: players may not know of them.
        let players = || self.cast.iter().filter(|sheet| sheet.seat != Seat::Gm);
        let is_here = |name: &str| players().any(|sheet| sheet.name == name);
        let mut away = self.carried.iter().filter(|carried| !is_here(carried));
        away.any(|carried| carried.eq_ignore_ascii_case(name))
    }
}

/// Somebody's unchanging part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// What they are referred to by.
    pub slug: String,
    /// What the setup refers to them by.
    pub id: String,
    pub name: String,
    /// The same amid a sentence: `the gatekeeper`.
    pub said: String,
    /// Who plays them.
    pub seat: Seat,
    pub note: String,
    /// For the gamemaster.
    pub secret: String,
    /// What became of them on other evenings.
    pub history: Vec<String>,
}

/// One fact of the monster's writeup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writeup {
    /// The fact.
    pub text: String,
    pub topic: Topic,
    pub about: Option<To>,
    /// The bond on the monster's sheet that it reveals.
    pub bond: Option<Item>,
}

/// A background (`beyond.sheet.background`, `ext.sheet`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub name: String,
    /// What is known of it, and what is not.
    pub note: String,
    /// Its stat dice, all d6.
    pub stats: u8,
    /// Its trait dice.
    pub traits: Pool,
    /// Its relationship dice.
    pub relationships: Pool,
    /// How many trait dice may go to bonds instead.
    pub bonds: u8,
    /// How many supernatural weapons it may have.
    pub weapons: u8,
    /// How many circumstances are true at the start.
    pub true_at_start: u8,
    /// Which cannot be.
    pub never: Circumstances,
}

fracas_kernel::options! {
    /// All dice of fallout are added, not the two highest.
    total: bool = "fallout-sum" ["two-highest" = false, "total" = true],
    /// The order is fixed once, not each round.
    once: bool = "best-pair-when" ["each-round" = false, "once" = true],
    /// A character who matched never escalates instead.
    lockout: bool = "in-kind-bar-scope" ["matched-arena" = false, "lockout" = true],
    /// Any giving ends the whole conflict.
    literal: bool = "give-in-group" ["side" = false, "literal" = true],
    /// 16-19 is an injury too.
    injury_too: bool = "band-16-includes-injury" ["firstaid-only" = false, "injury-too" = true],
    /// Allies may hand over a die.
    helping: bool = "helping-dice" ["off" = false, "on" = true],
    /// The least sum of long-term fallout.
    long_from: u8 = "long-from" [
        "8" = 8, "5" = 5, "6" = 6, "7" = 7, "9" = 9, "10" = 10, "11" = 11,
    ],
    /// The least sum of an injury.
    injury_from: u8 = "injury-from" [
        "12" = 12, "9" = 9, "10" = 10, "11" = 11, "13" = 13, "14" = 14, "15" = 15,
    ],
    /// The least sum that requires first aid.
    first_aid_from: u8 = "first-aid-from" [
        "16" = 16, "13" = 13, "14" = 14, "15" = 15, "17" = 17, "18" = 18, "19" = 19,
    ],
    /// The least sum of death; 21 is never reached.
    death_from: u8 = "death-from" ["20" = 20, "17" = 17, "18" = 18, "19" = 19, "21" = 21],
    /// How many dice a character keeps who gives.
    kept_by_giving: u8 = "kept-by-giving" ["2" = 2, "0" = 0, "1" = 1, "3" = 3, "4" = 4],
}

impl Options {
    /// Those that are settled before play.
    pub const AT_SETUP: [&'static str; 2] = ["best-pair-when", "in-kind-bar-scope"];
}

/// What a table settles that the document leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// A group may pay the loss of a stat die or of a thing with a member
    /// (`ext.group-npc`).
    pub members_pay: bool,
    /// Somebody may give first aid to herself (`firstaid-self`).
    pub self_aid: bool,
    /// More dice for every injury: the monster's influence (`ext.injury-dice`).
    pub influence: Pool,
}
