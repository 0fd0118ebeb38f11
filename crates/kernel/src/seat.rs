//! Who answers and who looks on.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Somebody who answers: chance, the gamemaster, or a player.
///
/// Written as `chance`, `gm`, or `player-1` (counted from one).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub enum Seat {
    /// The dice. Answered by a generator, or by a person with real dice.
    Chance,
    /// The gamemaster, who holds every character that no player holds.
    Gm,
    /// A player, by place at the table from 0. May hold several characters.
    Player(u8),
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Chance => f.write_str("chance"),
            Seat::Gm => f.write_str("gm"),
            Seat::Player(n) => write!(f, "player-{}", n + 1),
        }
    }
}

impl std::str::FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "chance" => Ok(Seat::Chance),
            "gm" => Ok(Seat::Gm),
            _ => text
                .strip_prefix("player-")
                .and_then(|n| n.parse::<u8>().ok())
                .filter(|n| (1..=SeatSet::PLAYERS).contains(n))
                .map(|n| Seat::Player(n - 1))
                .ok_or_else(|| format!("no seat is called {text:?}: gm, chance, or player-1 and so on")),
        }
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of seats; at most [`SeatSet::PLAYERS`] players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
pub struct SeatSet(u16);

impl SeatSet {
    /// The most players a table can seat.
    pub const PLAYERS: u8 = 8;
    /// Nobody.
    pub const EMPTY: SeatSet = SeatSet(0);

    const fn bit(seat: Seat) -> u16 {
        match seat {
            Seat::Chance => 1,
            Seat::Gm => 2,
            Seat::Player(n) => 4 << n,
        }
    }

    /// The set holding just `seat`.
    pub const fn one(seat: Seat) -> SeatSet {
        SeatSet(Self::bit(seat))
    }

    /// The seats in both.
    #[must_use]
    pub const fn and(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }

    /// This set with `seat` in it.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | Self::bit(seat))
    }

    /// Whether `seat` is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & Self::bit(seat) != 0
    }

    /// Whether nobody is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in order: chance, gamemaster, players.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as u8;
            // Without the lowest bit; of none there is nothing to take off.
            left &= left.checked_sub(1)?;
            Some(match bit {
                0 => Seat::Chance,
                1 => Seat::Gm,
                player => Seat::Player(player - 2),
            })
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|s| s.to_string())).finish()
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.iter())
    }
}

/// Somebody who looks: a seat, or a spectator who holds none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Viewer {
    /// Sees what this seat may see. The gamemaster sees everything.
    Seat(Seat),
    /// Sees what everybody may see.
    Spectator,
}

impl Viewer {
    /// Whether this is the gamemaster, from whom nothing is hidden.
    pub const fn is_gm(self) -> bool {
        matches!(self, Viewer::Seat(Seat::Gm))
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Viewer::Seat(seat) => seat.fmt(f),
            Viewer::Spectator => f.write_str("spectator"),
        }
    }
}

/// One seat as a face shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatInfo {
    /// Which seat.
    pub seat: Seat,
    /// The player's name, or "gamemaster".
    pub name: String,
    /// The names (slugs) of the characters the seat holds.
    pub holds: Vec<String>,
}
