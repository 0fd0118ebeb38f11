//! Dice, points and cards laid out: another way to answer than to pick from a list.

use crate::{Clause, Odds, Refused};
use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};

/// The dice, points or cards that lie on the table for an ask.
///
/// The player arranges it: puts dice into places, slides points from one die to the
/// other, or lays cards. Dice that show the same face are alike: answers name faces, and no single die.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Board {
    /// The uses of one and the same arrangement, in a few words each: the target, say.
    /// Empty if there is only one.
    pub ways: Vec<String>,
    /// The dice, points or cards.
    pub lies: Lies,
    /// The rules by which it counts, one for each place or end, to be told beneath.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Clause>,
}

/// The dice, points or cards on a [`Board`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lies {
    /// Dice, each of which is in one of the places or in none.
    Dice {
        /// The dice that are there.
        dice: Vec<Piece>,
        /// Where they can be put.
        places: Vec<Place>,
    },
    /// Points that slide from one die to another.
    Points {
        /// The die that they are taken from.
        from: Piece,
        /// The die that they go to.
        to: Piece,
        /// The most of them, from none up.
        most: u8,
    },
    /// Cards, each of which is laid or kept.
    Cards {
        /// The cards; of each kind one at most is laid.
        cards: Vec<Playable>,
        /// The dice of the roll with no card laid: Bonus Dice, or Malus Dice below 0.
        bare: i8,
        /// What the roll comes to with each number of dice that can be laid, ascending without
        /// gaps; empty where the viewer may not know.
        row: Vec<Pooled>,
    },
}

/// A card on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Playable {
    /// Its name.
    pub name: String,
    /// The kind of card.
    pub kind: &'static str,
    /// The dice that it adds to the roll, or takes from it below 0.
    pub dice: i8,
    /// It cannot be used again for a while once it is laid.
    pub turns: bool,
}

/// A roll with so many dice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Pooled {
    /// Bonus Dice, or Malus Dice below 0.
    pub dice: i8,
    /// The same in words.
    pub name: String,
    /// The odds.
    pub odds: Odds,
    /// What follows for the choice, in a sentence or two.
    pub advice: String,
}

/// A die on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Piece {
    /// How many sides it has.
    pub sides: u8,
    /// The face that it shows.
    pub face: u8,
    /// The name of the die; empty if it has none.
    pub label: String,
    /// It is in this place, counted from 0, and stays there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<u8>,
}

impl Piece {
    /// A die without a name.
    pub fn new(sides: u8, face: u8) -> Piece {
        Piece { sides, face, label: String::new(), fixed: None }
    }

    /// The same, with a name.
    #[must_use]
    pub fn called(mut self, label: impl Into<String>) -> Piece {
        self.label = label.into();
        self
    }

    /// The same, in a place where it stays.
    #[must_use]
    pub fn fixed(mut self, place: u8) -> Piece {
        self.fixed = Some(place);
        self
    }
}

/// Where dice can be put.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// The name of the place.
    pub name: String,
    /// How many dice it takes at least.
    pub least: u8,
    /// And at most.
    pub most: u8,
    /// Where the faces in it are added up: what they must reach, or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adds: Option<u16>,
    /// The rule behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
}

impl Place {
    /// A place for one die.
    pub fn one(name: impl Into<String>, clause: Clause) -> Place {
        Place { name: name.into(), least: 1, most: 1, adds: None, clause: Some(clause) }
    }
}

/// How a board lies: written `0:5/4`, the way and then, for each place, the faces in
/// it with commas between; of points how many have slid, `1:3`; of cards the numbers of those
/// that are laid, counted from 0, `0:4,1`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Laid {
    /// Which of the board's ways, from 0.
    pub way: u8,
    /// For each place the faces of the dice in it, highest first; for points one
    /// place with how many have slid.
    pub put: Vec<Vec<u8>>,
}

/// The most numbers that are read of a laying.
const MOST: usize = 240;

impl Laid {
    /// The one way to lie so.
    pub fn new(put: Vec<Vec<u8>>) -> Laid {
        Laid::by(0, put)
    }

    /// One of several ways.
    pub fn by(way: u8, mut put: Vec<Vec<u8>>) -> Laid {
        put.iter_mut().for_each(|faces| faces.sort_unstable_by(|a, b| b.cmp(a)));
        Laid { way, put }
    }

    /// So many points.
    pub fn points(way: u8, points: u8) -> Laid {
        Laid { way, put: vec![vec![points]] }
    }

    /// These cards.
    pub fn cards(numbers: Vec<u8>) -> Laid {
        Laid::new(vec![numbers])
    }

    /// The faces in a place, counted from 0.
    pub fn at(&self, place: usize) -> &[u8] {
        self.put.get(place).map_or(&[], Vec::as_slice)
    }

    /// The one number in a place; `None` where there is another number of them.
    pub fn one(&self, place: usize) -> Option<u8> {
        match self.at(place) {
            &[face] => Some(face),
            _ => None,
        }
    }
}

impl fmt::Display for Laid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.way)?;
        for (i, faces) in self.put.iter().enumerate() {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            write!(f, "{}{}", if i > 0 { "/" } else { "" }, faces.join(","))?;
        }
        Ok(())
    }
}

impl Serialize for Laid {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl FromStr for Laid {
    type Err = Refused;

    fn from_str(text: &str) -> Result<Laid, Refused> {
        let bad = |what: String| {
            Refused::form(format!(
                "{what}: dice are laid as `way:faces/faces`, such as `0:5/4`, points as `0:3`, cards as `0:4,1`"
            ))
        };
        let number = |text: &str| {
            text.parse::<u8>().map_err(|_| {
                let shown: String = text.chars().take(12).collect();
                bad(format!("{shown:?} is no number from 0 to 255"))
            })
        };
        let (way, rest) = text.split_once(':').ok_or_else(|| bad("there is no colon".to_owned()))?;
        let places = rest.split('/');
        if places.clone().map(|place| place.split(',').count()).sum::<usize>() > MOST {
            return Err(bad(format!("these are more than {MOST} dice")));
        }
        let faces = |place: &str| match place {
            "" => Ok(Vec::new()),
            _ => place.split(',').map(number).collect(),
        };
        let put = places.map(faces).collect::<Result<_, _>>()?;
        Ok(Laid::by(number(way)?, put))
    }
}

impl Board {
    /// Dice and the places for them, to be laid in one way.
    pub fn dice(dice: Vec<Piece>, places: Vec<Place>) -> Board {
        Board::of(Lies::Dice { dice, places })
    }

    /// Something to be laid in one way.
    pub fn of(lies: Lies) -> Board {
        Board { ways: Vec::new(), lies, rules: Vec::new() }
    }

    /// The same, which counts by these rules.
    #[must_use]
    pub fn by(mut self, rules: Vec<Clause>) -> Board {
        self.rules = rules;
        self
    }

    /// The same, to be laid in one of these ways.
    #[must_use]
    pub fn ways(mut self, ways: Vec<String>) -> Board {
        self.ways = ways;
        self
    }

    /// Whether the arrangement is possible on this board. Whether the rules allow it is for the
    /// game to say.
    ///
    /// # Errors
    /// An unknown way, dice that are not there, or places with too few or too many dice.
    pub fn fits(&self, laid: &Laid) -> Result<(), Refused> {
        let ways = self.ways.len().max(1);
        if usize::from(laid.way) >= ways {
            let told = format!("way {}: there are {ways}, counted from 0", laid.way);
            return Err(Refused::form(told));
        }
        match &self.lies {
            Lies::Points { most, .. } => match laid.put.as_slice() {
                [points] if matches!(points.as_slice(), [n] if n <= most) => Ok(()),
                _ => Err(Refused::form(format!("from 0 to {most} points slide, given as one number"))),
            },
            Lies::Dice { dice, places } => fit_dice(dice, places, laid),
            Lies::Cards { cards, .. } => fit_cards(cards, laid),
        }
    }
}

fn fit_cards(cards: &[Playable], laid: &Laid) -> Result<(), Refused> {
    let [numbers] = laid.put.as_slice() else {
        return Err(Refused::form("the numbers of the laid cards stand between commas"));
    };
    for (n, &number) in numbers.iter().enumerate() {
        let Some(card) = cards.get(usize::from(number)) else {
            let there = cards.len();
            return Err(Refused::form(format!("card {number}: there are {there}, counted from 0")));
        };
        if numbers[..n].iter().any(|&other| cards[usize::from(other)].kind == card.kind) {
            return Err(Refused::form(format!("one {} at most is laid", card.kind)));
        }
    }
    Ok(())
}

fn fit_dice(dice: &[Piece], places: &[Place], laid: &Laid) -> Result<(), Refused> {
    let mut refused = Refused::default();
    let mut no = |what: String| refused.reasons.extend(Refused::form(what).reasons);
    if laid.put.len() != places.len() {
        no(format!("dice for {} places: there are {}", laid.put.len(), places.len()));
    }
    for (at, place) in places.iter().enumerate() {
        let there = laid.at(at);
        let (least, most) = (usize::from(place.least), usize::from(place.most));
        if !(least..=most).contains(&there.len()) {
            let takes = match (least, most) {
                (1, 1) => "one die".to_owned(),
                (least, most) if least == most => format!("{least} dice"),
                (least, _) if there.len() < least => format!("{least} or more dice"),
                (_, most) => format!("{most} dice at most"),
            };
            no(format!("{} takes {takes}, and has {}", place.name, there.len()));
        }
        let stays = |die: &&Piece| die.fixed.is_some_and(|fixed| usize::from(fixed) == at);
        for face in dice.iter().filter(stays).map(|die| die.face) {
            let fixed = dice.iter().filter(stays).filter(|die| die.face == face).count();
            if there.iter().filter(|&&shown| shown == face).count() < fixed {
                no(format!("a die that shows {face} stays in {}", place.name));
                break;
            }
        }
    }
    let mut left: Vec<u8> = dice.iter().map(|die| die.face).collect();
    for face in laid.put.iter().flatten() {
        match left.iter().position(|there| there == face) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => {
                no(format!("no die that shows {face} is left for it"));
                break;
            }
        }
    }
    refused.verdict()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str, least: u8, most: u8) -> Place {
        Place { name: name.to_owned(), least, most, adds: None, clause: None }
    }

    fn check(board: &Board, laid: &str, refused: &str) {
        let fits = laid.parse().and_then(|laid| board.fits(&laid));
        let told = fits.map_or_else(|refused| refused.to_string(), |()| String::new());
        assert_eq!(told.is_empty(), refused.is_empty(), "{laid}: {told}");
        assert!(told.contains(refused), "{laid}: {told}");
    }

    #[test]
    fn only_what_is_there_can_be_laid() {
        let dice = vec![Piece::new(6, 5), Piece::new(6, 5), Piece::new(6, 2)];
        let two = Board::dice(dice, vec![place("Light", 1, 1), place("Truth", 1, 1)]);
        check(&two, "0:5/2", "");
        check(&two, "0:5/5", "");
        check(&two, "0:5/", "Truth takes one die, and has 0");
        check(&two, "0:5,5/2", "Light takes one die, and has 2");
        check(&two, "0:2/2", "no die that shows 2 is left");
        check(&two, "0:6/2", "no die that shows 6 is left");
        check(&two, "0:5", "dice for 1 places: there are 2");
        check(&two, "1:5/2", "way 1: there are 1");
        let pool = vec![Piece::new(4, 4).fixed(0), Piece::new(8, 7), Piece::new(8, 1)];
        let pool = Board::dice(pool, vec![place("the answer", 2, 9)]).ways(vec![String::new(); 2]);
        check(&pool, "1:4,7", "");
        check(&pool, "1:7,4,1", "");
        check(&pool, "1:4", "takes 2 or more dice, and has 1");
        check(&pool, "0:7,1", "a die that shows 4 stays in the answer");
    }

    #[test]
    fn points_slide_within_bounds() {
        let lies = Lies::Points { from: Piece::new(6, 4), to: Piece::new(6, 1), most: 3 };
        let board = Board::of(lies).ways(vec!["spend".to_owned(), "claim".to_owned()]);
        check(&board, "0:0", "");
        check(&board, "1:3", "");
        check(&board, "0:4", "from 0 to 3 points");
        check(&board, "0:1,2", "from 0 to 3 points");
        check(&board, "0:", "from 0 to 3 points");
        check(&board, "2:1", "way 2: there are 2");
    }

    #[test]
    fn of_each_kind_one_card_is_laid() {
        let card = |name: &str, kind| Playable { name: name.to_owned(), kind, dice: 1, turns: true };
        let cards = vec![card("Poet", "Trait"), card("Late", "Trait"), card("Fan", "Item")];
        let board = Board::of(Lies::Cards { cards, bare: 0, row: Vec::new() });
        check(&board, "0:", "");
        check(&board, "0:2,0", "");
        check(&board, "0:1,0", "one Trait at most");
        check(&board, "0:2,2", "one Item at most");
        check(&board, "0:3", "card 3: there are 3");
        check(&board, "0:1/2", "between commas");
    }

    #[test]
    fn layings_are_read_as_written_and_nonsense_is_told() {
        for (text, canonical) in [("0:5/4", "0:5/4"), ("3:1,6,2", "3:6,2,1"), ("0:/4", "0:/4"), ("0:", "0:")]
        {
            assert_eq!(text.parse::<Laid>().map(|laid| laid.to_string()).as_deref(), Ok(canonical));
        }
        let long = format!("0:{}", vec!["1"; 300].join(","));
        for bad in ["", "5/4", "x:5", "0:5/x", "0:256", "0:-1", "0:5//x", "0: 5", long.as_str()] {
            let told = bad.parse::<Laid>().expect_err(bad).to_string();
            assert!(told.contains("such as `0:5/4`"), "{told}");
        }
    }
}
