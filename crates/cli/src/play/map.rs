//! A map in characters, and what a space is like.

use crate::screen::{FAINT, KEY, PLAIN, STRONG, Screen, Text};
use fracas_kernel::{
    Going, Grid, GroundKind, Listed, MAX_VIA, Map, Pointed, Space, Stage, Stands, There, amid,
};
use std::collections::BTreeMap;
use std::io;

/// How terrain is drawn, in its order.
const TERRAIN: [char; 8] = [':', '~', '%', '^', '"', '=', '+', ';'];
/// A wall.
const WALL: char = '#';
/// Ground that a space with a name has.
const NAMED: char = '_';
/// Something that lies there.
const THING: char = '*';
/// How many columns have one letter.
const LETTERS: u8 = 26;

/// Draws a map: a sign for each token and each kind of ground.
pub(super) fn show(screen: &mut Screen, stage: &Stage, map: &Map) -> io::Result<()> {
    let signs = signs(stage, map);
    let wide = usize::from(map.columns) * 2 + 6 <= screen.width();
    if wide || usize::from(map.columns) + 5 <= screen.width() {
        let drawing = Drawing { map, signs: &signs, wide };
        for line in drawing.letters().into_iter().chain((0..map.rows).flat_map(|row| drawing.row(row))) {
            screen.verbatim(&line)?;
        }
    }
    let named = |(token, sign): (&String, &char)| {
        let spot = map.spots.iter().find(|spot| spot.token == *token)?;
        let space = Space::new(spot.column, spot.row)?;
        Some(format!("{sign} {} {space}", stage.token(token)?.name))
    };
    let spots = signs.iter().filter_map(named);
    let mut nth = 0;
    let grounds = map.grounds.iter().map(|ground| {
        let at = ground.spaces.first().and_then(|&(column, row)| Space::new(column, row));
        let at = at.map_or_else(String::new, |space| format!(" {space}"));
        match ground.kind {
            GroundKind::Wall => format!("{WALL} {}", ground.text),
            GroundKind::Name => format!("{NAMED} {}{at}", ground.text),
            GroundKind::Thing => format!("{THING} {}{at}", ground.text),
            GroundKind::Terrain => {
                nth += 1;
                format!("{} {}", TERRAIN[(nth - 1) % TERRAIN.len()], ground.text)
            }
        }
    });
    let legend: Vec<String> = spots.chain(grounds).collect();
    screen.hang(&Text::plain("  "), 2, &Text::plain(legend.join(" · ")))
}

/// A sign for each token: a letter of its name that no other has, else a digit.
fn signs(stage: &Stage, map: &Map) -> BTreeMap<String, char> {
    let mut signs: BTreeMap<String, char> = BTreeMap::new();
    for spot in &map.spots {
        let Some(token) = stage.token(&spot.token) else { continue };
        let letters = token.name.chars().filter(|letter| letter.is_alphanumeric());
        let is_free = |sign: &char| !signs.values().any(|taken| taken == sign);
        let letter = letters.flat_map(char::to_uppercase).find(is_free);
        let sign = letter.or_else(|| ('0'..='9').chain('a'..='z').find(is_free)).unwrap_or('?');
        signs.insert(spot.token.clone(), sign);
    }
    signs
}

struct Drawing<'m> {
    map: &'m Map,
    signs: &'m BTreeMap<String, char>,
    /// A blank, or an edge, stands before each space.
    wide: bool,
}

impl Drawing<'_> {
    /// The letters of the columns, below each other where there are two.
    fn letters(&self) -> Vec<String> {
        let letter = |n: u8| char::from(b'A' + n % LETTERS);
        let line = |of: &dyn Fn(u8) -> char| -> String {
            let spaces: String = (0..self.map.columns).map(|column| self.spaced(' ', of(column))).collect();
            format!("    {spaces}").trim_end().to_owned()
        };
        let last = line(&letter);
        if self.map.columns <= LETTERS {
            return vec![last];
        }
        let first = |column: u8| if column < LETTERS { ' ' } else { letter(column / LETTERS - 1) };
        vec![line(&first), last]
    }

    fn spaced(&self, edge: char, sign: char) -> String {
        if self.wide { format!("{edge}{sign}") } else { sign.to_string() }
    }

    /// A row, and the walls below it.
    fn row(&self, row: u8) -> Vec<String> {
        let map = self.map;
        let is_shut = |a: (u8, u8), b: (u8, u8)| map.walls.contains(&[a, b]);
        let edge = |column: u8| {
            let is_wall = column > 0 && is_shut((column - 1, row), (column, row));
            if is_wall { '|' } else { ' ' }
        };
        let spaces: String =
            (0..map.columns).map(|column| self.spaced(edge(column), self.sign(column, row))).collect();
        let shift = if map.grid == Grid::Hex && row % 2 == 1 { " " } else { "" };
        let mut lines = vec![format!("  {:>2}{shift}{spaces}", row + 1)];
        let is_floor = |column: u8| map.grid != Grid::Hex && is_shut((column, row), (column, row + 1));
        let below: String = (0..map.columns)
            .map(|column| self.spaced(' ', if is_floor(column) { '-' } else { ' ' }))
            .collect();
        if below.contains('-') {
            lines.push(format!("    {}", below.trim_end()));
        }
        lines
    }

    /// Who stands in a space, or what its ground is.
    fn sign(&self, column: u8, row: u8) -> char {
        let here = self.map.spots.iter().rev().find(|spot| (spot.column, spot.row) == (column, row));
        let token = here.and_then(|spot| self.signs.get(&spot.token));
        let of = |kind: GroundKind| {
            let all = self.map.grounds.iter().filter(move |ground| ground.kind == kind);
            all.enumerate().find(|(_, ground)| ground.spaces.contains(&(column, row))).map(|(nth, _)| nth)
        };
        let is = |kind, sign| of(kind).map(|_| sign);
        token
            .copied()
            .or_else(|| is(GroundKind::Wall, WALL))
            .or_else(|| is(GroundKind::Thing, THING))
            .or_else(|| of(GroundKind::Terrain).map(|nth| TERRAIN[nth % TERRAIN.len()]))
            .or_else(|| is(GroundKind::Name, NAMED))
            .unwrap_or('.')
    }
}

/// Reads what points at the map: `K2`, `Juk K2`, `K2 by F3 G4`, each with the number of an answer after it
/// or none. `None` if the words do not point.
pub(super) fn read(typed: &str, going: &[Going], stage: &Stage) -> Option<(Pointed, Option<usize>)> {
    let words: Vec<&str> = typed.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let space = |word: &str| word.to_uppercase().parse::<Space>().ok();
    let at = words.iter().position(|word| space(word).is_some())?;
    let name = words[..at].join(" ").to_lowercase();
    let is_called = |going: &&Going| {
        let called = stage.token(&going.token).map(|token| token.name.to_lowercase());
        going.token == name || called.is_some_and(|called| called.starts_with(&name))
    };
    let token = match (name.is_empty(), going) {
        (true, [only]) => only.token.clone(),
        (true, _) => stage.tokens().find(|token| token.acts && token.stands == Stands::In)?.id.clone(),
        (false, _) => going.iter().find(is_called)?.token.clone(),
    };
    let (to, mut rest) = (space(words[at])?, &words[at + 1..]);
    let nth = rest.last().and_then(|word| word.parse::<usize>().ok());
    if nth.is_some() {
        rest = &rest[..rest.len() - 1];
    }
    let via = match rest {
        [] => Vec::new(),
        [by, via @ ..] if matches!(by.to_lowercase().as_str(), "by" | "via") && via.len() <= MAX_VIA => {
            via.iter().map(|word| space(word)).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some((Pointed { token: Some(token), via, to }, nth))
}

/// Shows what a space is like, with the answers that pointing there stands for.
pub(super) fn there(
    screen: &mut Screen,
    there: &There<Listed>,
    stage: &Stage,
    typed: &str,
) -> io::Result<()> {
    let name = |id: &str| stage.token(id).map_or_else(|| id.to_owned(), |token| token.name.clone());
    screen.say(&Text::of(STRONG, name(&there.token)).and(PLAIN, format!(" to {}", there.title)))?;
    for line in &there.lines {
        screen.hang(&Text::plain("  "), 2, &Text::plain(&line.text))?;
    }
    if !there.path.is_empty() {
        let way: Vec<String> = there.path.iter().map(Space::to_string).collect();
        screen.hang(&Text::of(FAINT, "  by "), 5, &Text::of(FAINT, way.join(" ")))?;
    }
    for facing in &there.facing {
        let given = facing.gives.iter().map(|odds| format!("you {}", amid(&odds.line())));
        let taken = facing.takes.iter().map(|odds| format!("they {}", amid(&odds.line())));
        let all: Vec<String> = given.chain(taken).collect();
        let label = format!("  {} ({}) ", name(&facing.token), facing.apart);
        screen.hang(&Text::plain(label), 4, &Text::of(FAINT, all.join("; ")))?;
    }
    for (nth, listed) in there.answers.iter().enumerate() {
        let leads =
            if listed.told.leads.is_empty() { String::new() } else { format!(" ({})", listed.told.leads) };
        let label = Text::of(KEY, format!("  {typed} {}  ", nth + 1));
        screen.hang(&label, 4, &Text::plain(&listed.told.text).and(FAINT, leads))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::{Card, Ground, SeatInfo, Spot};

    fn stage() -> Stage {
        let card = |id: &str, title: &str| Card {
            id: id.to_owned(),
            title: title.to_owned(),
            group: "theirs".to_owned(),
            ..Card::default()
        };
        Stage::of(&[card("rook", "Rook"), card("robin-the-page", "Robin the Page")], &[] as &[SeatInfo])
    }

    fn map(columns: u8, walls: Vec<[(u8, u8); 2]>) -> Map {
        let spot = |token: &str, column, row| Spot { token: token.to_owned(), column, row };
        let ground = |kind, text: &str, spaces| Ground { kind, text: text.to_owned(), spaces };
        Map {
            grid: Grid::Square,
            columns,
            rows: 2,
            spots: vec![spot("rook", 0, 0), spot("robin-the-page", 3, 1)],
            grounds: vec![
                ground(GroundKind::Terrain, "water", vec![(1, 0), (1, 1)]),
                ground(GroundKind::Wall, "a wall", vec![(2, 0)]),
            ],
            walls,
            picture: None,
        }
    }

    fn drawn(map: &Map) -> Vec<String> {
        let (mut screen, kept) = Screen::kept();
        show(&mut screen, &stage(), map).expect("kept");
        kept.text().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_map_has_a_sign_for_each_token_and_ground() {
        let expected = [
            "     A B C D",
            "   1 R : # .",
            "     -",
            "   2 . :|. O",
            "  O Robin the Page D2 · R Rook A1 · : water · # a wall",
        ];
        assert_eq!(drawn(&map(4, vec![[(0, 0), (0, 1)], [(1, 1), (2, 1)]])), expected);
    }

    #[test]
    fn many_columns_have_two_letters() {
        let found = drawn(&map(30, Vec::new()));
        assert!(found[0].trim_start().starts_with("A"), "{found:?}");
        assert!(found[1].trim_start().starts_with("A B C"), "{found:?}");
    }

    #[test]
    fn pointing_names_a_space_and_perhaps_more() {
        let going =
            |token: &str| Going { token: token.to_owned(), from: Space::default(), shades: Vec::new() };
        let (rook, robin) = (going("rook"), going("robin-the-page"));
        let read = |typed: &str, going: &[Going]| {
            let (pointed, nth) = read(typed, going, &stage())?;
            let via: Vec<String> = pointed.via.iter().map(Space::to_string).collect();
            Some(format!("{} {} {} {nth:?}", pointed.token?, pointed.to, via.join("-")))
        };
        let both = [rook.clone(), robin];
        for (typed, going, expected) in [
            ("k2", std::slice::from_ref(&rook), Some("rook K2  None")),
            ("K2 by F3, g4 2", std::slice::from_ref(&rook), Some("rook K2 F3-G4 Some(2)")),
            ("robin k2 1", &both, Some("robin-the-page K2  Some(1)")),
            ("k2", &both, None),
            ("move k2", &both, None),
            ("k2 then", &both, None),
        ] {
            assert_eq!(read(typed, going).as_deref(), expected, "{typed}");
        }
    }
}
