//! What a table looks like to one viewer: a picture in words, for any face to draw.
//!
//! A face that draws a [`Stage`] knows no rule and no game. Everything is called by the
//! name that answers and cards use, and everybody named in it stands on it.

use crate::{Card, Clause, Ending, Meter, Seat, SeatInfo, Tag};
use serde::Serialize;

/// A table as one viewer may see it drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stage {
    /// The title of the encounter.
    pub title: String,
    /// The state of play in a few words: the form of the conflict, the stakes, the round.
    pub note: String,
    /// Who stands together, the viewer's own side first.
    pub sides: Vec<Side>,
    /// Ties between two tokens.
    pub links: Vec<Link>,
    /// Who acts in turn, where the rules have an order: the next comes first.
    pub order: Vec<String>,
    /// Who is farther from each other than close; empty where distance does not matter.
    pub apart: Vec<Apart>,
    /// The parts of the scene; empty where it has none.
    pub places: Vec<Area>,
    /// A map of spaces.
    pub map: Option<Map>,
    /// Cards that lie in rows.
    pub hands: Vec<Hand>,
    /// Pending effects, the topmost first.
    pub stack: Vec<Waiting>,
    /// Who may still add to the stack, in order: the first may now. Empty where nobody may.
    pub priority: Vec<String>,
    /// Who has passed on it as it stands.
    pub passed: Vec<String>,
}

/// Some who stand together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// Who they are to the viewer: "your side", "theirs", "the players".
    pub title: String,
    /// Where it is drawn.
    pub flank: Flank,
    /// Who is on it.
    pub tokens: Vec<Token>,
}

/// Where a side is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flank {
    /// At the left, or below: the viewer's own side; to others the players'.
    Near,
    /// At the right, or above: against those who are near.
    Far,
    /// Between them: who takes neither side.
    Middle,
}

/// Somebody on the stage, or something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Token {
    /// The name by which answers and cards refer to it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its kind, in the game's word; empty if the game has no word for it.
    pub kind: String,
    /// Who plays it.
    pub seat: Option<Seat>,
    /// Its counts, the most important first.
    pub tracks: Vec<Meter>,
    /// Its statuses, but for those that a link shows.
    pub marks: Vec<Tag>,
    /// Whether it takes part.
    pub stands: Stands,
    /// It acts now.
    pub acts: bool,
    /// Play waits for its player to say what it does.
    pub asked: bool,
}

/// Whether somebody takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// In play.
    In,
    /// There, and out of it: given up, won over.
    Out,
    /// Dead, unconscious, destroyed.
    Fallen,
    /// Not there: fled, or elsewhere.
    Gone,
}

impl Stands {
    /// As a word.
    pub const fn word(self) -> &'static str {
        match self {
            Stands::In => "in",
            Stands::Out => "out",
            Stands::Fallen => "fallen",
            Stands::Gone => "gone",
        }
    }
}

/// A tie between two tokens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Link {
    /// From whom.
    pub from: String,
    /// To whom.
    pub to: String,
    /// How it is drawn.
    pub kind: LinkKind,
    /// The game's words, between the two names: "misdirects", "is bound with".
    pub text: String,
    /// The rule behind it.
    pub clause: Option<Clause>,
}

/// How a link is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// Each holds the other: it has no direction.
    Bound,
    /// One keeps the other where it is.
    Holds,
    /// One draws the other's attention.
    Misdirects,
    /// One stands before the other.
    Guards,
    /// One helps the other.
    Helps,
    /// One is about to do something to the other.
    Aims,
    /// One acts against the other, and does nothing to it.
    Opposes,
}

/// How far two are from each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Apart {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// In the game's word: "near", "far".
    pub band: String,
    /// How many bands they are apart, from 1.
    pub steps: u8,
}

/// A part of the scene.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Area {
    /// The name of the area.
    pub title: String,
    /// Who is there.
    pub tokens: Vec<String>,
}

/// A map of spaces. Columns and rows are counted from 0, from the upper left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Map {
    /// How the spaces lie.
    pub grid: Grid,
    /// How many columns there are.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// Who is in which space.
    pub spots: Vec<Spot>,
    /// The ground of some spaces: water, a wall, within somebody's reach.
    pub grounds: Vec<Ground>,
    /// The edges that nobody crosses, each by the two spaces beside it.
    pub walls: Vec<[(u8, u8); 2]>,
    /// The picture beneath it.
    pub picture: Option<Picture>,
}

/// A picture beneath a map. It lies where its author says, and may be larger than the map.
///
/// Across it is measured in thousandths of a column, down in thousandths of a row, from the
/// upper left corner of the first space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Picture {
    /// Its name in the place that keeps it; see [`Picture::is_id`].
    pub id: String,
    /// Its left edge.
    pub left: i32,
    /// Its upper edge.
    pub top: i32,
    /// How wide it is.
    pub width: i32,
    /// How high.
    pub height: i32,
}

impl Picture {
    /// How many digits an id has.
    pub const ID: usize = 64;

    /// Whether a text can be the id of a picture: lower-case hexadecimal digits, [`Picture::ID`]
    /// of them.
    pub fn is_id(text: &str) -> bool {
        text.len() == Picture::ID && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// Whether a text can be the name of a picture's file, in the folder of its encounter.
    pub fn is_file(text: &str) -> bool {
        !text.is_empty() && !text.starts_with('.') && !text.contains(['/', '\\', ':'])
    }
}

/// How the spaces of a map lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grid {
    /// In squares; a diagonal step counts 1.
    Square,
    /// In squares, without diagonal steps.
    Orthogonal,
    /// In hexes: every other row is half a space to the right.
    Hex,
}

/// Somebody in a space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Spot {
    /// Who.
    pub token: String,
    /// The column.
    pub column: u8,
    /// The row.
    pub row: u8,
}

/// The ground of some spaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ground {
    /// What it is to a face.
    pub kind: GroundKind,
    /// In the game's words.
    pub text: String,
    /// Which, by column and row.
    pub spaces: Vec<(u8, u8)>,
}

/// How the ground of some spaces is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroundKind {
    /// Nobody can be there.
    Wall,
    /// Other ground than the ordinary: mud, a slope.
    Terrain,
    /// A space with a name.
    Name,
    /// Something that lies there.
    Thing,
}

impl GroundKind {
    /// As a word.
    pub const fn word(self) -> &'static str {
        match self {
            GroundKind::Wall => "wall",
            GroundKind::Terrain => "terrain",
            GroundKind::Name => "name",
            GroundKind::Thing => "thing",
        }
    }
}

/// Cards that lie in a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hand {
    /// Whose.
    pub of: String,
    /// The name of the row: "in play", "in hand".
    pub title: String,
    /// The cards, from the left.
    pub cards: Vec<Playing>,
}

/// A card in a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Playing {
    /// The name of the card; `None` if the viewer sees only its back.
    pub name: Option<String>,
    /// The mark in the corner of the card: "+1".
    pub sign: String,
    /// It is turned: used up for now.
    pub turned: bool,
}

/// Something that waits to happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Waiting {
    /// Whose it is.
    pub by: Option<String>,
    /// Whom it is aimed at.
    pub on: Option<String>,
    /// The name.
    pub title: String,
    /// The effect in words.
    pub text: String,
}

impl Stage {
    /// A stage from cards: their groups are the sides, and everybody takes part. A small game
    /// whose cards have no other groups needs no more.
    pub fn of(cards: &[Card], seats: &[SeatInfo]) -> Stage {
        let mut stage = Stage::default();
        if let Some(scene) = cards.iter().find(|card| card.id.is_empty()) {
            (stage.title, stage.note) = (scene.title.clone(), scene.note.clone());
        }
        for card in cards.iter().filter(|card| card.is_somebody()) {
            let holds = |info: &&SeatInfo| info.holds.contains(&card.id);
            let token = Token {
                id: card.id.clone(),
                name: card.title.clone(),
                kind: String::new(),
                seat: seats.iter().find(holds).map(|info| info.seat),
                tracks: card.meters.clone(),
                marks: card.tags.clone(),
                stands: Stands::In,
                acts: false,
                asked: false,
            };
            match stage.sides.iter_mut().find(|side| side.title == card.group) {
                Some(side) => side.tokens.push(token),
                None => stage.sides.push(Side {
                    title: card.group.clone(),
                    flank: Flank::Middle,
                    tokens: vec![token],
                }),
            }
        }
        stage.flank();
        stage
    }

    /// Sorts the sides by where they are drawn. The gamemaster sees the players where they
    /// see themselves.
    fn flank(&mut self) {
        let near = ["the players", "your side"];
        let near = near.into_iter().find(|near| self.sides.iter().any(|side| side.title == *near));
        let near = near.or(self.sides.first().map(|side| side.title.as_str()).filter(|at| is_numbered(at)));
        let near = near.map(str::to_owned);
        for side in &mut self.sides {
            side.flank = match side.title.as_str() {
                title if Some(title) == near.as_deref() => Flank::Near,
                "theirs" | "your side" => Flank::Far,
                // In the system's own word: "the gamemaster's".
                title if title.starts_with("the ") && title.ends_with("'s") => Flank::Far,
                title if is_numbered(title) => Flank::Far,
                _ => Flank::Middle,
            };
        }
        self.sides.sort_by_key(|side| side.flank);
    }

    /// The same, in which those of an ending who have fallen have done so.
    #[must_use]
    pub fn after(mut self, ending: &Ending) -> Stage {
        for token in self.sides.iter_mut().flat_map(|side| &mut side.tokens) {
            if ending.fallen.iter().any(|fared| fared.name == token.name) {
                token.stands = Stands::Fallen;
            }
        }
        self
    }

    /// Everybody on it, side by side.
    pub fn tokens(&self) -> impl Iterator<Item = &Token> {
        self.sides.iter().flat_map(|side| &side.tokens)
    }

    /// Somebody on it.
    pub fn token(&self, id: &str) -> Option<&Token> {
        self.tokens().find(|token| token.id == id)
    }

    /// Somebody on it, to change them.
    pub fn token_mut(&mut self, id: &str) -> Option<&mut Token> {
        self.sides.iter_mut().flat_map(|side| &mut side.tokens).find(|token| token.id == id)
    }

    /// Ties two who are both on it. Of somebody whom the viewer does not see there is no tie.
    /// Whether there is one now.
    pub fn link(&mut self, kind: LinkKind, (from, to): (&str, &str), text: &str, clause: Clause) -> bool {
        let there = from != to && [from, to].iter().all(|id| self.token(id).is_some());
        let link = Link {
            from: from.to_owned(),
            to: to.to_owned(),
            kind,
            text: text.to_owned(),
            clause: Some(clause),
        };
        if there && !self.links.contains(&link) {
            self.links.push(link);
        }
        there
    }

    /// Marks those whose player play waits for: of their characters who act, or else of all
    /// who take part. The gamemaster is asked for a character only where it acts.
    pub fn ask(&mut self, awaited: &[Seat]) {
        for seat in awaited {
            let own = |token: &Token| token.seat == Some(*seat);
            let act = self.tokens().any(|token| own(token) && token.acts) || *seat == Seat::Gm;
            let all = self.sides.iter_mut().flat_map(|side| &mut side.tokens);
            for token in all.filter(|token| own(token)) {
                token.asked |= if act { token.acts } else { token.stands == Stands::In };
            }
        }
    }

    /// Everybody whom something on it names: each of them is a token.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        let links = self.links.iter().flat_map(|link| [&link.from, &link.to]);
        let apart = self.apart.iter().flat_map(|apart| [&apart.one, &apart.other]);
        let places = self.places.iter().flat_map(|area| &area.tokens);
        let spots = self.map.iter().flat_map(|map| &map.spots).map(|spot| &spot.token);
        let cards = self.hands.iter().map(|hand| &hand.of);
        let stack = self.stack.iter().flat_map(|waiting| [&waiting.by, &waiting.on]).flatten();
        let order = self.order.iter().chain(&self.priority).chain(&self.passed);
        let all = links.chain(apart).chain(order).chain(places).chain(spots).chain(cards).chain(stack);
        all.map(String::as_str)
    }
}

/// Whether a side has only a number: where players face each other, to who looks on.
fn is_numbered(title: &str) -> bool {
    title.starts_with("side ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(id: &str, group: &str) -> Card {
        Card { id: id.to_owned(), title: id.to_owned(), group: group.to_owned(), ..Card::default() }
    }

    fn stage(cards: &[Card]) -> Stage {
        let seat = |seat, holds: &[&str]| SeatInfo {
            seat,
            name: String::new(),
            holds: holds.iter().map(|&id| id.to_owned()).collect(),
        };
        Stage::of(cards, &[seat(Seat::Gm, &["wolf", "bear"]), seat(Seat::Player(0), &["ana", "bo"])])
    }

    fn drawn(groups: &[&str]) -> String {
        let cards: Vec<Card> = groups.iter().map(|group| card(group, group)).collect();
        let sides = stage(&cards).sides;
        sides.iter().map(|side| format!("{} {:?}", side.title, side.flank)).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn sides_stand_against_each_other() {
        for (groups, expected) in [
            (&["scene", "theirs", "your side"][..], "your side Near, theirs Far"),
            (&["your side", "the players"], "the players Near, your side Far"),
            (&["the gamemaster's", "the players"], "the players Near, the gamemaster's Far"),
            (&["the Director's", "the players"], "the players Near, the Director's Far"),
            (&["side 2", "side 1"], "side 2 Near, side 1 Far"),
            (&["elsewhere", "gamemaster", "your side"], "your side Near, elsewhere Middle"),
        ] {
            assert_eq!(drawn(groups), expected);
        }
    }

    #[test]
    fn nobody_is_tied_to_who_is_not_there() {
        static BOOK: [crate::Entry; 1] = [crate::Entry {
            id: "a.rule",
            section: "",
            kind: crate::Kind::Rule,
            says: "",
            plain: None,
            needs: &[],
            beyond: false,
            question: None,
            why: None,
            option: None,
        }];
        let rule = Clause::of(&BOOK[0]);
        let mut stage = stage(&[card("ana", "your side"), card("wolf", "theirs")]);
        for (from, to, is_there) in
            [("ana", "wolf", true), ("ana", "wolf", true), ("ana", "bear", false), ("ana", "ana", false)]
        {
            assert_eq!(stage.link(LinkKind::Aims, (from, to), "attacks", rule), is_there, "{from} {to}");
        }
        assert_eq!(stage.named().collect::<Vec<_>>(), ["ana", "wolf"]);
    }

    #[track_caller]
    fn asked(acting: &[&str], out: &[&str], awaited: &[Seat], expected: &[&str]) {
        let all = [("ana", "your side"), ("bo", "your side"), ("wolf", "theirs"), ("bear", "theirs")];
        let mut stage = stage(&all.map(|(id, group)| card(id, group)));
        for id in acting {
            stage.token_mut(id).expect("there").acts = true;
        }
        for id in out {
            stage.token_mut(id).expect("there").stands = Stands::Out;
        }
        stage.ask(awaited);
        let asked: Vec<&str> = stage.tokens().filter(|token| token.asked).map(|t| t.id.as_str()).collect();
        assert_eq!(asked, expected);
    }

    #[test]
    fn who_is_asked_is_marked() {
        let (gm, player) = (Seat::Gm, Seat::Player(0));
        asked(&[], &[], &[], &[]);
        asked(&[], &[], &[player], &["ana", "bo"]);
        asked(&[], &["bo"], &[player], &["ana"]);
        asked(&["bo"], &[], &[player], &["bo"]);
        asked(&["bo"], &[], &[gm], &[]);
        asked(&["bear"], &[], &[gm, player], &["ana", "bo", "bear"]);
    }
}
