//! Lines of the log, as the viewers at this screen may see them.

use crate::screen::{DICE, FAINT, PLAIN, STRONG, Screen, Style, Text};
use crate::{seats::Seats, standing};
use fracas_face::plain;
use fracas_kernel::{Seat, Thrown, Viewer};
use fracas_table::{Auto, Entry, LineTo, Log, Reader, Record, ShownText, What};
use std::io;

/// A text from the log. A line of the log may give several with the same number.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The number on the screen, counted over the lines that are seen here: gaps would show that
    /// there are hidden lines.
    pub(crate) number: u64,
    /// The line's number in the log.
    pub(crate) seq: u64,
    /// The text.
    pub(crate) text: Text,
    /// The id of the clause behind the text.
    pub(crate) clause: Option<String>,
    /// Whether the line was taken back.
    pub(crate) struck: bool,
}

/// All lines that some viewers may see together.
#[derive(Debug)]
pub(crate) struct Transcript {
    viewers: Vec<Viewer>,
    lines: Vec<Line>,
    /// The next line of the log to read.
    next: u64,
    /// The last number that was given.
    numbers: u64,
    rewinds: u64,
}

impl Transcript {
    /// A transcript for these viewers, before it has read anything.
    pub(crate) const fn new(viewers: Vec<Viewer>) -> Self {
        Transcript { viewers, lines: Vec::new(), next: 0, numbers: 0, rewinds: 0 }
    }

    /// The viewers that the transcript is for.
    pub(crate) fn viewers(&self) -> &[Viewer] {
        &self.viewers
    }

    /// Reads the new lines of the log.
    pub(crate) fn read(&mut self, log: &Log, seats: &Seats) {
        while let Some(record) = log.get(self.next) {
            self.next += 1;
            let mut texts = Vec::new();
            each_text(record, seats, &self.viewers, &self.lines, &mut |text, clause| {
                texts.push((text, clause))
            });
            if texts.is_empty() {
                continue;
            }
            self.numbers += 1;
            let (number, struck) = (self.numbers, !record.live());
            self.lines.extend(texts.into_iter().map(|(text, clause)| Line {
                number,
                seq: record.seq,
                text,
                clause,
                struck,
            }));
        }
        if self.rewinds != log.rewinds() {
            self.rewinds = log.rewinds();
            for line in &mut self.lines {
                line.struck = log.get(line.seq).is_some_and(|record| !record.live());
            }
        }
    }

    /// The lines from `seq` on that were not taken back.
    pub(crate) fn since(&self, seq: u64) -> Vec<Line> {
        let from = self.lines.partition_point(|line| line.seq < seq);
        self.lines[from..].iter().filter(|line| !line.struck).cloned().collect()
    }

    /// The last `n` lines, including those that were taken back.
    pub(crate) fn last(&self, n: usize) -> &[Line] {
        let mut from = self.lines.len();
        let mut left = n;
        while from > 0 {
            let new = self.lines.get(from).is_none_or(|after| after.number != self.lines[from - 1].number);
            if new && left == 0 {
                break;
            }
            left -= usize::from(new);
            from -= 1;
        }
        &self.lines[from..]
    }

    /// The texts of the line with this number.
    pub(crate) fn at(&self, number: u64) -> &[Line] {
        let from = self.lines.partition_point(|line| line.number < number);
        let to = self.lines.partition_point(|line| line.number <= number);
        &self.lines[from..to]
    }
}

/// Gives the texts of a line to `each`.
fn each_text(
    record: &Record,
    seats: &Seats,
    viewers: &[Viewer],
    before: &[Line],
    each: &mut dyn FnMut(Text, Option<String>),
) {
    let seen: Vec<LineTo> = viewers.iter().filter_map(|&who| record.to(who)).collect();
    // The viewer who sees the dice speaks for all.
    let Some(best) =
        seen.iter().max_by_key(|line| matches!(&line.what, What::Roll { faces, .. } if !faces.is_empty()))
    else {
        return;
    };
    let text = seen.iter().find_map(|line| line.text.as_deref());
    // Faces that the game's own text names, and the note on how they were thrown.
    let mut thrown_so: Option<(&[u8], &str)> = None;
    // A note that the gamemaster acted for a player; added to the first text only.
    let stood_in = |seat| format!(" ({} for {})", seats.name(Seat::Gm).to_lowercase(), seats.name(seat));
    let mut in_place = String::new();
    match &best.what {
        What::Opened => {}
        What::Answer { seat, by_gm, .. } => {
            if *by_gm {
                in_place = stood_in(*seat);
            }
            if let Some(text) = text {
                let by = if *by_gm { Seat::Gm } else { *seat };
                each(spoken(seats, by, text).and(FAINT, std::mem::take(&mut in_place)), None);
            }
        }
        What::Roll { whose, by_gm, dice: Some(dice), faces, thrown } => {
            if *by_gm {
                in_place = stood_in(*whose);
            }
            let how = match thrown {
                Thrown::Thrown => "",
                Thrown::Typed => " (typed)",
                Thrown::Again => " (as before it was taken back)",
            };
            let shown = record.shown();
            let by_the_game = |&who: &Viewer| {
                shown
                    .iter()
                    .any(|line| line.to(record.eyes(who)).is_some_and(|to| names_faces(&to.text, faces)))
            };
            if viewers.iter().all(by_the_game) {
                thrown_so = Some((faces, how));
            } else {
                let who = if *whose == Seat::Chance { "Chance".to_owned() } else { seats.name(*whose) };
                let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
                let thrown_text = Text::of(FAINT, format!("{who} throws {dice}: "))
                    .and(DICE, faces.join(" "))
                    .and(FAINT, how)
                    .and(FAINT, std::mem::take(&mut in_place));
                each(thrown_text, None);
            }
        }
        What::Roll { whose, .. } => {
            each(Text::plain(format!("Dice fall where you cannot see them ({}).", seats.name(*whose))), None);
        }
        What::Fiat => {
            each(
                Text::of(STRONG, format!("The {} overrules.", seats.gamemaster())).and(PLAIN, lead(text)),
                None,
            );
        }
        What::Note { by, .. } => {
            if let Some(text) = text {
                let mark = match &record.entry {
                    Entry::Note(note) => readers(seats, *by, &note.to),
                    _ => String::new(),
                };
                each(spoken(seats, *by, text).and(FAINT, mark), None);
            }
        }
        What::Rewind { by } => {
            let back = match &record.entry {
                Entry::Rewind(rewind) => {
                    before.iter().rev().find(|line| line.seq <= rewind.to && !line.struck)
                }
                _ => None,
            };
            let message = match back {
                // A player can take back only one answer of their own.
                _ if *by != Seat::Gm => format!("{} takes an answer back.", seats.name(*by)),
                Some(line) => format!("{} goes back to line {}.", seats.name(*by), line.number),
                None if before.is_empty() => format!("{} takes the last answer back.", seats.name(*by)),
                None => format!("{} goes back to the start.", seats.name(*by)),
            };
            each(Text::of(STRONG, message), None);
        }
        What::Standing { seat, reply, on } => {
            let verb = if *on { "stands by" } else { "no longer stands by" };
            let reply = standing::words(reply);
            each(Text::of(FAINT, format!("{} {verb} {reply}", seats.name(*seat))), None);
        }
    }
    let mut standing_reply = matches!(best.what, What::Answer { auto: Some(Auto::Standing), .. });
    for shown in record.shown() {
        let mut versions: Vec<(&ShownText, Vec<Viewer>)> = Vec::new();
        for &who in viewers {
            let Some(to) = shown.to(record.eyes(who)) else { continue };
            match versions.iter_mut().find(|(other, _)| *other == to) {
                Some((_, whom)) => whom.push(who),
                None => versions.push((to, vec![who])),
            }
        }
        for (to, whom) in &versions {
            let mut text = Text::default();
            if whom.len() < viewers.len() {
                let names: Vec<String> = whom.iter().map(|who| name(seats, *who)).collect();
                text = text.and(FAINT, format!("(for {}) ", names.join(", ")));
            }
            let ruled = plain::overruled(&to.text).filter(|_| matches!(best.what, What::Fiat));
            text = text.and(PLAIN, ruled.unwrap_or(&to.text));
            if let Some((_, how)) = thrown_so.take_if(|(faces, _)| names_faces(&to.text, faces)) {
                text = text.and(FAINT, how);
            }
            text = text.and(FAINT, std::mem::take(&mut in_place));
            if standing_reply {
                text = text.and(FAINT, " (standing reply)");
            }
            each(text, to.clause.clone());
        }
        standing_reply &= versions.is_empty();
    }
}

/// Whether a text of the game names all these faces.
fn names_faces(text: &str, faces: &[u8]) -> bool {
    let text = text.to_lowercase();
    let mut numbers: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    ["roll", "throw", "dice"].iter().any(|word| text.contains(word))
        && faces.iter().all(|face| {
            let face = face.to_string();
            let at = numbers.iter().position(|number| *number == face);
            at.map(|at| numbers.swap_remove(at)).is_some()
        })
}

/// The readers of a note, if not everybody reads it.
fn readers(seats: &Seats, by: Seat, to: &Reader) -> String {
    let others: Vec<Seat> = match to {
        Reader::All => return String::new(),
        Reader::Gm => vec![Seat::Gm],
        Reader::Seats(to) => to.clone(),
    };
    let names: Vec<String> = others
        .into_iter()
        .filter(|&seat| seat != by)
        .map(|seat| if seat == Seat::Gm { format!("the {}", seats.gamemaster()) } else { seats.name(seat) })
        .collect();
    match &names[..] {
        [] => " (a note to oneself)".to_owned(),
        [name] => format!(" (to {name})"),
        [most @ .., last] => format!(" (to {} and {last})", most.join(", ")),
    }
}

fn lead(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!(" {text}"))
}

fn name(seats: &Seats, who: Viewer) -> String {
    match who {
        Viewer::Seat(seat) => seats.name(seat),
        Viewer::Spectator => "everybody".into(),
    }
}

fn spoken(seats: &Seats, by: Seat, text: &str) -> Text {
    Text::of(SPOKEN, format!("{}: {text}", seats.name(by)))
}

/// The style of words spoken at the table.
const SPOKEN: Style = Style::new().italic();

/// Shows lines; a number is shown only beside its first text.
pub(crate) fn show(screen: &mut Screen, lines: &[Line]) -> io::Result<()> {
    let mut before = None;
    for line in lines {
        let number = if before == Some(line.number) { String::new() } else { line.number.to_string() };
        before = Some(line.number);
        let mark = if line.struck { "x" } else { " " };
        let label = Text::of(FAINT, format!("{number:>4}{mark} "));
        let text = if line.struck { line.text.clone().all(FAINT) } else { line.text.clone() };
        screen.hang(&label, 6, &text)?;
    }
    Ok(())
}

/// The line to rewind to, to take back the last answer, throw or fiat of a person.
///
/// The machine's later dice and answers are removed too: taking back only those would repeat
/// them.
pub(crate) fn before_last_by_hand(log: &Log, seats: &Seats) -> Option<u64> {
    let by_hand = |record: &&Record| match &record.entry {
        Entry::Answer(answer) => answer.auto.is_none() && seats.by_hand(answer.seat()),
        Entry::Roll(roll) => roll.thrown == Thrown::Typed,
        // What is told again after a rewind, nobody did.
        Entry::Fiat(fiat) => !fiat.remembered,
        _ => false,
    };
    let last = log.live().rev().find(by_hand)?.seq;
    log.live().rev().find(|record| record.seq < last).map(|record| record.seq).filter(|&to| to >= log.floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_of_dice_where_it_names_every_face() {
        assert!(names_faces("Tamsin rolls: 3, 2.", &[2, 3]));
        assert!(names_faces("Oren rolls boldly: 6, 6, 2.", &[6, 2, 6]));
        assert!(!names_faces("Oren rolls boldly: 6, 2.", &[6, 6]));
        assert!(!names_faces("Tamsin: 2 risk (now 3).", &[2, 3]));
        assert!(!names_faces("Tamsin rolls: 12.", &[1, 2]));
    }

    #[test]
    fn a_note_names_its_readers() {
        let seats = Seats::new(Vec::new(), &str::to_owned);
        let (ana, bo) = (Seat::Player(0), Seat::Player(1));
        assert_eq!(readers(&seats, ana, &Reader::All), "");
        assert_eq!(readers(&seats, ana, &Reader::Gm), " (to the gamemaster)");
        assert_eq!(readers(&seats, ana, &Reader::Seats(vec![ana])), " (a note to oneself)");
        assert_eq!(readers(&seats, Seat::Gm, &Reader::Seats(vec![ana, bo])), " (to player-1 and player-2)");
    }
}
