//! The words of the game, its rules at this table, and one moment of it.

use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::{Roster, Seat, Secret, reference};
use serde::Serialize;

/// The most characters, and the most beasts.
pub const MOST: usize = 4;
/// The most strength.
pub const STRONGEST: u8 = 9;

reference!(
    /// A character who crosses.
    Char: 'c' in 0..4
);
reference!(
    /// A beast.
    Beast: 'b' in 0..4
);

/// What does not change from moment to moment.
#[derive(Clone, Debug)]
pub struct Rules {
    pub roster: Roster,
    /// How wide the marsh is.
    pub paces: u8,
    pub cast: Vec<Sheet>,
    pub beasts: Vec<Sheet>,
}

/// What somebody is called, and who plays them.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub slug: String,
    pub name: String,
    pub seat: Seat,
}

/// One moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct State {
    /// Whose turn is next, unless that character is across or out.
    pub next: Char,
    /// How far that character's run has come.
    pub run: Run,
    pub walkers: ArrayVec<Walker, MOST>,
    pub lairs: ArrayVec<Lair, MOST>,
}

/// How far a run has come (`cross.run`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Run {
    /// Nobody runs.
    Not,
    /// The die is due.
    Rolls,
    /// It lies, and lets the runner go so far.
    Rolled(u8),
}

impl Run {
    /// The most paces that the runner can go.
    pub fn most(self) -> u8 {
        if let Run::Rolled(most) = self { most } else { 0 }
    }
}

/// How a character fares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Walker {
    pub pace: u8,
    pub strength: u8,
}

/// Where a beast is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Lair {
    Hidden(Secret<u8>),
    InTheWay,
    DrivenOff,
}

impl Rules {
    pub fn everybody(&self) -> impl Iterator<Item = Char> + use<> {
        (0..self.cast.len() as u8).map(Char)
    }

    pub fn every_beast(&self) -> impl Iterator<Item = Beast> + use<> {
        (0..self.beasts.len() as u8).map(Beast)
    }
}

impl State {
    pub fn walker(&self, who: Char) -> Walker {
        self.walkers[who.index()]
    }

    pub fn lair(&self, beast: Beast) -> Lair {
        self.lairs[beast.index()]
    }

    /// Whose turn it is (`cross.turns`); nobody's once all are across or out.
    pub fn turn(&self, rules: &Rules) -> Option<Char> {
        let count = self.walkers.len() as u8;
        let on_the_way = |who: &Char| {
            let walker = self.walker(*who);
            walker.pace < rules.paces && walker.strength > 0
        };
        (0..count).map(|after| Char((self.next.0 + after) % count)).find(on_the_way)
    }
}
