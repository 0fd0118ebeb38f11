//! The table drawn, as JSON.

use super::card::{Meter, Tag};
use fracas_kernel as kernel;
use serde::Serialize;
use utoipa::ToSchema;

/// The table as the role may see it drawn: enough for a picture, without a rule of the
/// system. Everybody is called as in `cards`; everybody named here is one of the tokens.
#[derive(Serialize, ToSchema)]
pub(crate) struct Stage {
    /// The title of the encounter.
    title: String,
    /// The state of play in a few words: the form of the conflict, the stakes, the round.
    note: String,
    /// Who stands together, the side to be drawn near first.
    sides: Vec<Side>,
    /// Ties between two tokens.
    links: Vec<Link>,
    /// Who acts in turn, the next first; empty where the system has no order.
    order: Vec<String>,
    /// Who is farther from each other than close; empty where distance does not matter.
    apart: Vec<Apart>,
    /// The parts of the scene; empty where it has none.
    places: Vec<Area>,
    /// A map of spaces, in a system that has one.
    map: Option<Map>,
    /// Cards that lie in rows, in a system that has them.
    hands: Vec<Hand>,
    /// Pending effects, the topmost first, in a system that has such a stack.
    stack: Vec<Waiting>,
    /// Who may still add to the stack, in order: the first may now. Empty where nobody may.
    priority: Vec<String>,
    /// Who has passed on it as it stands.
    passed: Vec<String>,
}

/// Some who stand together.
#[derive(Serialize, ToSchema)]
struct Side {
    /// Who they are to this role.
    #[schema(example = "your side")]
    title: String,
    /// Where it is drawn. `near`: at the left, or below; the role's own side, to others the
    /// players'. `far`: against them. `middle`: takes neither side.
    flank: Flank,
    /// Who is on it.
    tokens: Vec<Token>,
}

/// Where a side is drawn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Flank {
    Near,
    Far,
    Middle,
}

/// Somebody on the stage, or something.
#[derive(Serialize, ToSchema)]
struct Token {
    /// The name by which answers and cards refer to it.
    id: String,
    /// The name for people.
    name: String,
    /// Its kind, in the system's word; empty if the system has no word for it.
    #[schema(example = "nemesis")]
    kind: String,
    /// Who plays it.
    seat: Option<String>,
    /// Its counts, the most important first.
    tracks: Vec<Meter>,
    /// Its statuses, but for those that a link shows.
    marks: Vec<Tag>,
    /// Whether it takes part. `in`: it does; `out`: it is there, and out of it; `fallen`:
    /// dead, or as good as; `gone`: it is not there.
    stands: Stands,
    /// Whether it acts now.
    acts: bool,
    /// Whether play waits for its seat to say what it does.
    asked: bool,
}

/// Whether somebody takes part.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Stands {
    In,
    Out,
    Fallen,
    Gone,
}

/// A tie between two tokens.
#[derive(Serialize, ToSchema)]
struct Link {
    /// From whom.
    from: String,
    /// To whom.
    to: String,
    /// How it is drawn. `bound` has no direction.
    kind: LinkKind,
    /// The system's words, to stand between the two names.
    #[schema(example = "misdirects")]
    text: String,
    /// The clause behind it.
    clause: Option<&'static str>,
}

/// How a link is drawn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum LinkKind {
    Bound,
    Holds,
    Misdirects,
    Guards,
    Helps,
    Aims,
    Opposes,
}

/// How far two are from each other.
#[derive(Serialize, ToSchema)]
struct Apart {
    /// The first token.
    one: String,
    /// The other.
    other: String,
    /// In the system's word.
    #[schema(example = "near")]
    band: String,
    /// How many bands they are apart, from 1.
    steps: u8,
}

/// A part of the scene.
#[derive(Serialize, ToSchema)]
struct Area {
    /// The name of the area.
    title: String,
    /// Who is there.
    tokens: Vec<String>,
}

/// A map of spaces. Columns and rows are counted from 0, from the upper left.
#[derive(Serialize, ToSchema)]
struct Map {
    /// How the spaces lie, and how steps are counted: in squares (`square`), squares without diagonal
    /// steps (`orthogonal`), or hexes (`hex`: every other row is half a space to the right).
    grid: Grid,
    /// How many columns there are.
    columns: u8,
    /// How many rows.
    rows: u8,
    /// Who is in which space.
    spots: Vec<Spot>,
    /// The ground of some spaces.
    grounds: Vec<Ground>,
    /// The edges that nobody crosses.
    walls: Vec<Wall>,
    /// The picture beneath it, if there is one.
    picture: Option<Picture>,
}

/// An edge between two spaces that nobody crosses.
#[derive(Serialize, ToSchema)]
struct Wall {
    /// The space on one side.
    one: Space,
    /// The space on the other.
    other: Space,
}

/// A picture beneath a map, in thousandths of a column across and of a row down, from the upper
/// left corner of the first space.
#[derive(Serialize, ToSchema)]
struct Picture {
    /// Its address on this server: a PNG or JPEG. A picture that the server has not is absent there.
    #[schema(example = "/pictures/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")]
    href: String,
    /// Its left edge.
    left: i32,
    /// Its upper edge.
    top: i32,
    /// How wide it is.
    width: i32,
    /// How high.
    height: i32,
}

/// How the spaces of a map lie.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Grid {
    Square,
    Orthogonal,
    Hex,
}

/// Somebody in a space.
#[derive(Serialize, ToSchema)]
struct Spot {
    /// Who.
    token: String,
    /// The column.
    column: u8,
    /// The row.
    row: u8,
}

/// The ground of some spaces: water, a wall, within somebody's reach.
#[derive(Serialize, ToSchema)]
struct Ground {
    /// What it is: a wall, other ground than the ordinary, the name of a space, or something that lies
    /// there.
    kind: GroundKind,
    /// In the system's words.
    text: String,
    /// Which.
    spaces: Vec<Space>,
}

/// What the ground of some spaces is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum GroundKind {
    Wall,
    Terrain,
    Name,
    Thing,
}

/// A space of a map.
#[derive(Serialize, ToSchema)]
struct Space {
    /// The column.
    column: u8,
    /// The row.
    row: u8,
}

/// Cards that lie in a row.
#[derive(Serialize, ToSchema)]
struct Hand {
    /// The owner.
    of: String,
    /// The name of the row.
    title: String,
    /// The cards, from the left.
    cards: Vec<Playing>,
}

/// A card in a row.
#[derive(Serialize, ToSchema)]
struct Playing {
    /// The name of the card; `null` if this role sees only its back.
    name: Option<String>,
    /// The mark in the corner of the card.
    #[schema(example = "+1")]
    sign: String,
    /// Whether it is turned: used up for now.
    turned: bool,
}

/// Something that waits to happen.
#[derive(Serialize, ToSchema)]
struct Waiting {
    /// Who caused it.
    by: Option<String>,
    /// Whom it is aimed at.
    on: Option<String>,
    /// The name of the effect.
    title: String,
    /// The effect in words.
    text: String,
}

impl From<kernel::Stage> for Stage {
    fn from(stage: kernel::Stage) -> Self {
        let kernel::Stage { title, note, sides, links, order, apart, places, map, hands, .. } = stage;
        let kernel::Stage { stack, priority, passed, .. } = stage;
        let area = |area: kernel::Area| Area { title: area.title, tokens: area.tokens };
        let apart_ = |kernel::Apart { one, other, band, steps }| Apart { one, other, band, steps };
        let waiting = |kernel::Waiting { by, on, title, text }| Waiting { by, on, title, text };
        let playing = |kernel::Playing { name, sign, turned }| Playing { name, sign, turned };
        let hand = |hand: kernel::Hand| Hand {
            of: hand.of,
            title: hand.title,
            cards: hand.cards.into_iter().map(playing).collect(),
        };
        Stage {
            title,
            note,
            sides: sides.into_iter().map(Side::from).collect(),
            links: links.into_iter().map(Link::from).collect(),
            order,
            apart: apart.into_iter().map(apart_).collect(),
            places: places.into_iter().map(area).collect(),
            map: map.map(Map::from),
            hands: hands.into_iter().map(hand).collect(),
            stack: stack.into_iter().map(waiting).collect(),
            priority,
            passed,
        }
    }
}

impl From<kernel::Side> for Side {
    fn from(side: kernel::Side) -> Self {
        let flank = match side.flank {
            kernel::Flank::Near => Flank::Near,
            kernel::Flank::Far => Flank::Far,
            kernel::Flank::Middle => Flank::Middle,
        };
        Side { title: side.title, flank, tokens: side.tokens.into_iter().map(Token::from).collect() }
    }
}

impl From<kernel::Token> for Token {
    fn from(token: kernel::Token) -> Self {
        Token {
            id: token.id,
            name: token.name,
            kind: token.kind,
            seat: token.seat.map(|seat| seat.to_string()),
            tracks: token.tracks.into_iter().map(Meter::from).collect(),
            marks: token.marks.into_iter().map(Tag::from).collect(),
            stands: match token.stands {
                kernel::Stands::In => Stands::In,
                kernel::Stands::Out => Stands::Out,
                kernel::Stands::Fallen => Stands::Fallen,
                kernel::Stands::Gone => Stands::Gone,
            },
            acts: token.acts,
            asked: token.asked,
        }
    }
}

impl From<kernel::Link> for Link {
    fn from(link: kernel::Link) -> Self {
        use kernel::LinkKind as Of;
        Link {
            from: link.from,
            to: link.to,
            kind: match link.kind {
                Of::Bound => LinkKind::Bound,
                Of::Holds => LinkKind::Holds,
                Of::Misdirects => LinkKind::Misdirects,
                Of::Guards => LinkKind::Guards,
                Of::Helps => LinkKind::Helps,
                Of::Aims => LinkKind::Aims,
                Of::Opposes => LinkKind::Opposes,
            },
            text: link.text,
            clause: link.clause.map(|clause| clause.id()),
        }
    }
}

impl From<kernel::Map> for Map {
    fn from(map: kernel::Map) -> Self {
        let spot = |kernel::Spot { token, column, row }| Spot { token, column, row };
        let space = |(column, row)| Space { column, row };
        let wall = |[a, b]: [(u8, u8); 2]| Wall { one: space(a), other: space(b) };
        let ground = |ground: kernel::Ground| Ground {
            kind: match ground.kind {
                kernel::GroundKind::Wall => GroundKind::Wall,
                kernel::GroundKind::Terrain => GroundKind::Terrain,
                kernel::GroundKind::Name => GroundKind::Name,
                kernel::GroundKind::Thing => GroundKind::Thing,
            },
            text: ground.text,
            spaces: ground.spaces.into_iter().map(space).collect(),
        };
        Map {
            grid: match map.grid {
                kernel::Grid::Square => Grid::Square,
                kernel::Grid::Orthogonal => Grid::Orthogonal,
                kernel::Grid::Hex => Grid::Hex,
            },
            columns: map.columns,
            rows: map.rows,
            spots: map.spots.into_iter().map(spot).collect(),
            grounds: map.grounds.into_iter().map(ground).collect(),
            walls: map.walls.into_iter().map(wall).collect(),
            picture: map.picture.map(Picture::from),
        }
    }
}

impl From<kernel::Picture> for Picture {
    fn from(picture: kernel::Picture) -> Self {
        let kernel::Picture { id, left, top, width, height } = picture;
        Picture { href: format!("/pictures/{id}"), left, top, width, height }
    }
}
