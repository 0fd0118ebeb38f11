//! What a table plays by: cast, content, options. Changed by fiats alone.

use crate::{dice::Pool, state::To, vocab::*};
use fracas_kernel::{Roster, Seat, no_option, not_one_of};

/// Cast, content and options of one table.
#[derive(Clone, Debug)]
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

/// The rulings a table may choose between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `fallout-sum`: all dice are added, not the two highest.
    pub total: bool,
    /// `best-pair-when`: the order is fixed once, not each round.
    pub once: bool,
    /// `in-kind-bar-scope`: a character who matched never escalates instead.
    pub lockout: bool,
    /// `give-in-group`: any giving ends the whole conflict.
    pub literal: bool,
    /// `band-16-includes-injury`: 16-19 is an injury too.
    pub injury_too: bool,
    /// `helping-dice`: allies may hand over a die.
    pub helping: bool,
}

impl Options {
    /// Each option with its two words, the default first.
    const ALL: [(&'static str, [&'static str; 2]); 6] = [
        ("fallout-sum", ["two-highest", "total"]),
        ("best-pair-when", ["each-round", "once"]),
        ("in-kind-bar-scope", ["matched-arena", "lockout"]),
        ("give-in-group", ["side", "literal"]),
        ("band-16-includes-injury", ["firstaid-only", "injury-too"]),
        ("helping-dice", ["off", "on"]),
    ];

    /// Those that are settled before play.
    pub const AT_SETUP: [&'static str; 2] = ["best-pair-when", "in-kind-bar-scope"];

    /// The options' ids.
    pub const IDS: [&'static str; 6] = {
        let mut ids = [""; 6];
        let mut i = 0;
        while i < 6 {
            ids[i] = Self::ALL[i].0;
            i += 1;
        }
        ids
    };

    fn flags(&mut self) -> [&mut bool; 6] {
        [
            &mut self.total,
            &mut self.once,
            &mut self.lockout,
            &mut self.literal,
            &mut self.injury_too,
            &mut self.helping,
        ]
    }

    /// Sets one by its id and word.
    ///
    /// # Errors
    /// What would be right: the words it takes, or the options there are.
    pub fn set(&mut self, id: &str, word: &str) -> Result<(), String> {
        let at = Self::ALL.iter().position(|(one, _)| *one == id);
        let at = at.ok_or_else(|| no_option(id, &Self::IDS))?;
        let words = Self::ALL[at].1;
        let value = words.iter().position(|one| *one == word).ok_or_else(|| not_one_of(word, &words))?;
        *self.flags()[at] = value == 1;
        Ok(())
    }

    /// Each with the word it stands at.
    pub fn words(mut self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let flags = self.flags().map(|flag| usize::from(*flag));
        Self::ALL.into_iter().zip(flags).map(|((id, words), at)| (id, words[at]))
    }
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
