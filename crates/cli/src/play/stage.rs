//! A table drawn on the screen: sides beside each other where there is room, the rest below.

use super::cards::{pips, shaped};
use crate::screen::{ALARM, FAINT, KEY, PLAIN, Paragraph, STRONG, Screen, Text};
use fracas_kernel::{Flank, Hand, Meter, Playing, Seat, Side, Stage, Stands, Token, Waiting, amid};
use std::io;

/// The indent of a token's later lines.
const INDENT: usize = 4;
/// The widest name after which all of a side begin in one column.
const NAME: usize = 16;
/// The most pips of a track.
const PIPS: u32 = 6;

/// Draws a stage, as `seat` looks at it.
pub(crate) fn show(screen: &mut Screen, stage: &Stage, seat: Option<Seat>) -> io::Result<()> {
    let block = |flank: Flank| -> Vec<Paragraph> {
        stage.sides.iter().filter(|side| side.flank == flank && !is_absent(side)).flat_map(block).collect()
    };
    screen.beside(&block(Flank::Near), &block(Flank::Far))?;
    screen.beside(&block(Flank::Middle), &[])?;
    let mut rows: Vec<(String, Text)> = Vec::new();
    let ties = stage
        .links
        .iter()
        .map(|link| format!("{} {} {}", name(stage, &link.from), link.text, amid(name(stage, &link.to))));
    let ties: Vec<String> = ties.collect();
    if !ties.is_empty() {
        rows.push(("ties".to_owned(), Text::plain(ties.join(" · "))));
    }
    if !stage.order.is_empty() {
        rows.push(("order".to_owned(), names(stage, &stage.order)));
    }
    rows.extend(bands(stage, seat));
    rows.extend(stage.places.iter().map(|area| (area.title.clone(), names(stage, &area.tokens))));
    rows.extend(stage.sides.iter().filter(|side| is_absent(side)).map(|side| {
        let ids: Vec<String> = side.tokens.iter().map(|token| token.id.clone()).collect();
        (side.title.clone(), names(stage, &ids))
    }));
    rows.extend(stage.hands.iter().map(|hand| {
        let of = name(stage, &hand.of);
        (format!("{of}, {}", hand.title), Text::plain(cards(hand)))
    }));
    for (nth, waiting) in stage.stack.iter().enumerate() {
        let label = if nth == 0 { "on top" } else { "below" };
        rows.push((label.to_owned(), pending(stage, waiting)));
    }
    if !stage.priority.is_empty() {
        rows.push(("may answer".to_owned(), names(stage, &stage.priority)));
    }
    if !stage.passed.is_empty() {
        rows.push(("passed".to_owned(), names(stage, &stage.passed)));
    }
    let headed = rows.iter().filter(|(_, text)| !text.is_empty());
    let wide = headed.map(|(label, _)| label.chars().count()).max().unwrap_or(0).min(NAME);
    for (label, text) in &rows {
        screen.hang(&Text::of(FAINT, format!("  {label:wide$}  ")), wide + 4, text)?;
    }
    if let Some(map) = &stage.map {
        super::map::show(screen, stage, map)?;
    }
    legend(screen, stage)
}

/// Whether nobody of a side is there, and there is no more to say of them than who they are.
fn is_absent(side: &Side) -> bool {
    side.tokens.iter().all(|token| token.stands == Stands::Gone && token.marks.is_empty())
}

/// A side: its title, and a paragraph for each token.
fn block(side: &Side) -> Vec<Paragraph> {
    let title = Paragraph::new(Text::of(FAINT, side.title.to_uppercase()), 0, Text::default());
    let long = side.tokens.iter().map(|token| token.name.chars().count());
    let wide = long.filter(|&long| long <= NAME).max().unwrap_or(0);
    std::iter::once(title)
        .chain(side.tokens.iter().map(|token| paragraph(token, wide, side.flank == Flank::Middle)))
        .collect()
}

/// A track on one line: as pips where it is the first.
fn reading(track: &Meter, first: bool) -> Text {
    let full = if track.most <= PIPS { track.value } else { track.value * PIPS / track.most };
    let bar = pips(full.max(u32::from(track.value > 0)), track.most.min(PIPS));
    let bar = if first && !bar.is_empty() { format!("{bar}\u{a0}") } else { String::new() };
    let is_serious = track.alarm.is_some_and(|from| track.value >= from);
    let (style, sign) = if is_serious { (ALARM, "\u{a0}(!)") } else { (PLAIN, "") };
    let label = format!("{} ", track.label).replace(' ', "\u{a0}");
    Text::of(FAINT, label).and(style, format!("{bar}{}/{}{sign}", track.value, track.most))
}

fn paragraph(token: &Token, wide: usize, is_elsewhere: bool) -> Paragraph {
    let acts = if token.acts { "▸" } else { sign(token.stands) };
    let asked = if token.asked { "?" } else { " " };
    let style = if token.stands == Stands::In { STRONG } else { FAINT };
    let label = Text::of(KEY, format!("{acts}{asked}")).and(style, format!("{:wide$}  ", token.name));
    let mut parts: Vec<Text> = Vec::new();
    if !matches!(token.seat, Some(Seat::Player(_))) && !token.kind.is_empty() {
        parts.push(Text::of(FAINT, &token.kind));
    }
    let tracks = token.tracks.iter().filter(|_| token.stands != Stands::Gone);
    parts.extend(tracks.enumerate().map(|(nth, track)| reading(track, nth == 0)));
    parts.extend(token.marks.iter().map(|mark| Text::plain(shaped(mark))));
    let word = token.stands.word();
    let is_told = is_elsewhere || token.marks.iter().any(|mark| mark.text == word);
    // Of those who are not here, the sign before the name says so.
    if !matches!(token.stands, Stands::In | Stands::Gone) && !is_told {
        parts.push(Text::plain(word));
    }
    let mut text = Text::default();
    for (nth, part) in parts.into_iter().enumerate() {
        text = if nth > 0 { text.and(FAINT, "\u{a0}· ") } else { text }.then(part);
    }
    Paragraph::new(label, INDENT, text)
}

/// How somebody who does not take part is marked.
const fn sign(stands: Stands) -> &'static str {
    match stands {
        Stands::In => " ",
        Stands::Out | Stands::Fallen => "×",
        Stands::Gone => "‹",
    }
}

/// Something that waits to happen: whose it is, what it is, and whom it is aimed at.
fn pending(stage: &Stage, waiting: &Waiting) -> Text {
    let by = waiting.by.as_ref().map_or(String::new(), |by| format!("{}: ", name(stage, by)));
    let on = waiting.on.as_ref().map_or(String::new(), |on| format!(" → {}", name(stage, on)));
    let text = Text::of(PLAIN, by).and(STRONG, &waiting.title).and(PLAIN, on);
    if waiting.text.is_empty() { text } else { text.and(FAINT, format!(" ({})", waiting.text)) }
}

fn name<'s>(stage: &'s Stage, id: &'s str) -> &'s str {
    stage.token(id).map_or(id, |token| token.name.as_str())
}

fn names(stage: &Stage, ids: &[String]) -> Text {
    if ids.is_empty() {
        return Text::of(FAINT, "nobody");
    }
    Text::plain(ids.iter().map(|id| name(stage, id)).collect::<Vec<_>>().join(", "))
}

/// How far the others are from one of the viewer's own, band by band; where the viewer has
/// none, from the character who acts.
fn bands(stage: &Stage, seat: Option<Seat>) -> Vec<(String, Text)> {
    if stage.apart.is_empty() {
        return Vec::new();
    }
    let here = || stage.tokens().filter(|token| token.stands == Stands::In);
    let own = || here().filter(|token| seat == token.seat && seat != Some(Seat::Gm));
    let from = own().find(|token| token.acts).or_else(|| own().next());
    let Some(from) = from.or_else(|| here().find(|token| token.acts)).or_else(|| here().next()) else {
        return Vec::new();
    };
    let apart = |other: &Token| {
        let is_it = |ends: [&String; 2]| ends == [&from.id, &other.id] || ends == [&other.id, &from.id];
        let apart = stage.apart.iter().find(|apart| is_it([&apart.one, &apart.other]));
        apart.map_or((0, "close"), |apart| (apart.steps, apart.band.as_str()))
    };
    let mut bands: Vec<((u8, &str), Vec<String>)> = Vec::new();
    for other in here().filter(|other| other.id != from.id) {
        let band = apart(other);
        match bands.iter_mut().find(|(of, _)| *of == band) {
            Some((_, there)) => there.push(other.id.clone()),
            None => bands.push((band, vec![other.id.clone()])),
        }
    }
    bands.sort_by_key(|(band, _)| *band);
    let head = (format!("from {}", amid(&from.name)), Text::default());
    let row = |((_, band), there): ((u8, &str), Vec<String>)| (band.to_owned(), names(stage, &there));
    // Of others they are told where they are close to this one, and not to each other.
    let is_close = |id: &str| id != from.id && stage.token(id).is_some_and(|other| apart(other).0 == 0);
    let between = stage.apart.iter().filter(|apart| is_close(&apart.one) && is_close(&apart.other));
    let between: Vec<String> = between
        .map(|apart| {
            format!("{} and {}: {}", name(stage, &apart.one), amid(name(stage, &apart.other)), apart.band)
        })
        .collect();
    let rest = (!between.is_empty()).then(|| ("but".to_owned(), Text::plain(between.join(" · "))));
    std::iter::once(head).chain(bands.into_iter().map(row)).chain(rest).collect()
}

/// The cards of a row; those of which only the back is seen are counted.
fn cards(hand: &Hand) -> String {
    let face = |card: &Playing| {
        let name = card.name.as_ref()?;
        let sign = if card.sign.is_empty() { String::new() } else { format!("{} ", card.sign) };
        Some(format!("[{sign}{name}]{}", if card.turned { " turned" } else { "" }))
    };
    let mut faces: Vec<String> = hand.cards.iter().filter_map(face).collect();
    match hand.cards.len() - faces.len() {
        0 => {}
        1 => faces.push("a card face down".to_owned()),
        backs => faces.push(format!("{backs} cards face down")),
    }
    faces.join(" ")
}

/// What the signs before names mean, of those that are there.
fn legend(screen: &mut Screen, stage: &Stage) -> io::Result<()> {
    let drawn = || stage.sides.iter().filter(|side| !is_absent(side)).flat_map(|side| &side.tokens);
    let is = |test: &dyn Fn(&Token) -> bool| drawn().any(test);
    let signs = [
        (is(&|token| token.acts), "▸ acts"),
        (is(&|token| token.asked), "? is asked"),
        (is(&|token| !token.acts && sign(token.stands) == "×"), "× out of it"),
        (is(&|token| !token.acts && token.stands == Stands::Gone), "‹ not here"),
    ];
    let meanings: Vec<&str> =
        signs.into_iter().filter(|(there, _)| *there).map(|(_, meanings)| meanings).collect();
    if meanings.is_empty() {
        Ok(())
    } else {
        screen.hang(&Text::plain("  "), 2, &Text::of(FAINT, meanings.join(" · ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::{Apart, Area, Card, SeatInfo, Waiting};

    fn table() -> Stage {
        let card = |id: &str, title: &str, group: &str| Card {
            id: id.to_owned(),
            title: title.to_owned(),
            group: group.to_owned(),
            ..Card::default()
        };
        let mut rook = card("rook", "Rook", "your side");
        rook.meters.push(Meter { label: "hearts".to_owned(), value: 3, most: 12, alarm: Some(3) });
        let cards = [rook, card("guard", "The Guard", "theirs"), card("page", "Page", "looking on")];
        let seat = |seat, holds: &str| SeatInfo { seat, name: String::new(), holds: vec![holds.to_owned()] };
        let mut stage = Stage::of(&cards, &[seat(Seat::Gm, "guard"), seat(Seat::Player(0), "rook")]);
        stage.token_mut("rook").expect("there").acts = true;
        stage.token_mut("guard").expect("there").stands = Stands::Out;
        stage.ask(&[Seat::Player(0)]);
        stage
    }

    /// The lines drawn of this table.
    #[track_caller]
    fn drawn(stage: &Stage, says: &[&str]) {
        let (mut screen, said) = Screen::kept();
        show(&mut screen, stage, Some(Seat::Player(0))).expect("drawn");
        let said = said.text();
        for line in says {
            assert!(said.lines().any(|said| said.trim_end() == *line), "{line}\n{said}");
        }
    }

    #[test]
    fn sides_stand_beside_each_other() {
        drawn(
            &table(),
            &[
                "YOUR SIDE                                THEIRS",
                "▸?Rook  hearts\u{a0}●○○○○○\u{a0}3/12\u{a0}(!)           × The Guard  out",
                "LOOKING ON",
                "  Page",
                "  ▸ acts · ? is asked · × out of it",
            ],
        );
    }

    #[test]
    fn who_is_elsewhere_has_a_row() {
        let mut stage = table();
        stage.token_mut("page").expect("there").stands = Stands::Gone;
        drawn(&stage, &["  looking on  Page", "  ▸ acts · ? is asked · × out of it"]);
    }

    #[test]
    fn distances_and_places_are_rows() {
        let mut stage = table();
        stage.token_mut("guard").expect("there").stands = Stands::In;
        let apart = |one: &str, other: &str, band: &str, steps| Apart {
            one: one.to_owned(),
            other: other.to_owned(),
            band: band.to_owned(),
            steps,
        };
        stage.apart = vec![apart("guard", "rook", "far", 2)];
        stage.places = vec![
            Area { title: "The stair".to_owned(), tokens: vec!["rook".to_owned(), "page".to_owned()] },
            Area { title: "The gate".to_owned(), tokens: Vec::new() },
        ];
        drawn(
            &stage,
            &[
                "  from Rook",
                "  close      Page",
                "  far        The Guard",
                "  The stair  Rook, Page",
                "  The gate   nobody",
            ],
        );
        stage.apart = vec![apart("guard", "page", "near", 1)];
        drawn(&stage, &["  close      The Guard, Page", "  but        The Guard and Page: near"]);
    }

    #[test]
    fn cards_lie_in_rows_and_what_waits_on_a_stack() {
        let mut stage = table();
        let playing = |name: Option<&str>, sign: &str, turned| Playing {
            name: name.map(str::to_owned),
            sign: sign.to_owned(),
            turned,
        };
        let hand = |of: &str, cards| Hand { of: of.to_owned(), title: "in play".to_owned(), cards };
        stage.hands = vec![
            hand("rook", vec![playing(Some("Hammer"), "+1", true), playing(Some("Gambler"), "", false)]),
            hand(
                "guard",
                vec![playing(Some("Oath"), "", false), playing(None, "", false), playing(None, "", true)],
            ),
        ];
        let waiting = |by: Option<&str>, title: &str, text: &str| Waiting {
            by: by.map(str::to_owned),
            on: None,
            title: title.to_owned(),
            text: text.to_owned(),
        };
        stage.stack = vec![waiting(Some("rook"), "A strike", "one damage"), waiting(None, "A wall", "holds")];
        stage.stack[0].on = Some("guard".to_owned());
        stage.priority = vec!["guard".to_owned(), "rook".to_owned()];
        stage.passed = vec!["page".to_owned()];
        drawn(
            &stage,
            &[
                "  Rook, in play     [+1 Hammer] turned [Gambler]",
                "  The Guard, in play  [Oath] 2 cards face down",
                "  on top            Rook: A strike → The Guard (one damage)",
                "  below             A wall (holds)",
                "  may answer        The Guard, Rook",
                "  passed            Page",
            ],
        );
    }
}
