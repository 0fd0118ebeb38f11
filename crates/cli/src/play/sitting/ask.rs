//! Asking: shows the current ask and its answers, and reads a line.

use super::{Call, Listing, Sitting, Then};
use crate::input::Typed;
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Text, some};
use crate::stop::{Ended, Stop};
use fracas_face::menu::{FEW, Menu, Row};
use fracas_kernel::{AskInfo, Duty, Odds, Seat, Told, Viewer, Who};
use std::{collections::BTreeMap, ops::Range};

impl Sitting<'_> {
    /// Reads a line; `Err` if the input ended or cannot be used.
    pub(super) fn read_line(&mut self, prompt: &str) -> Result<Result<String, Then>, Stop> {
        self.telling = false;
        Ok(match self.input.line(prompt, self.screen)? {
            Typed::Line(line) => Ok(line),
            Typed::Unreadable(why) => {
                self.refuse(why)?;
                Err(Then::Go)
            }
            Typed::End | Typed::Interrupt => Err(Then::Leave),
        })
    }

    /// Shows lines page by page. Enter goes on, any other line ends it.
    pub(super) fn page(&mut self, lines: &[String]) -> Ended {
        let room = self.screen.height().map_or(usize::MAX, |height| height - 2);
        let mut rest = lines;
        loop {
            let (now, later) = rest.split_at(rest.len().min(room));
            now.iter().try_for_each(|line| self.screen.raw(line))?;
            if later.is_empty() {
                return Ok(());
            }
            let prompt = format!("(Enter: {} more; q: enough) ", some(later.len(), "line"));
            match self.read_line(&prompt)? {
                Ok(line) if line.is_empty() => rest = later,
                _ => return Ok(()),
            }
        }
    }

    /// Shows the current ask, and obeys a line.
    pub(super) fn prompt(&mut self, calls: &[Call]) -> Result<Then, Stop> {
        if let Some(seat) = self.floor {
            if let Some(then) = self.hand_over(seat)? {
                return Ok(then);
            }
            return self.command(calls, seat);
        }
        let at = self.current(calls);
        let seat = at.map_or_else(|| self.start.seats.hands().next().unwrap_or(Seat::Gm), |(_, seat)| seat);
        if let Some(then) = self.hand_over(seat)? {
            return Ok(then);
        }
        if let Some((at, seat)) = at {
            self.list(&calls[at].ask, seat);
            if !self.shown {
                self.ask(calls, at, seat)?;
                self.shown = true;
            }
        }
        self.command(calls, seat)
    }

    /// Reads a line for a seat, and obeys it.
    fn command(&mut self, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        let handle = |seat| self.start.seats.handle(seat);
        let prompt = match self.sitter(seat) {
            sitter if sitter == seat => format!("{}> ", handle(seat)),
            sitter => format!("{}-for-{}> ", handle(sitter), handle(seat)),
        };
        match self.read_line(&prompt)? {
            Ok(line) => self.obey(&line, calls, seat),
            Err(then) => Ok(then),
        }
    }

    /// The call and the seat that the next line is about.
    pub(super) fn current(&mut self, calls: &[Call]) -> Option<(usize, Seat)> {
        let focused = self.focus.and_then(|(id, seat)| {
            let at = calls.iter().position(|c| c.ask.id == id)?;
            calls[at].seats.contains(&seat).then_some((at, seat))
        });
        let chosen = focused.or_else(|| {
            let place = |call: &Call| calls.iter().position(|c| c.ask.id == call.ask.id);
            // The seat that acted last goes on if it can; else the first that is due.
            let must = |c: &&Call| c.ask.duty == Duty::Must;
            let mine = |c: &&Call| must(c) && self.last.is_some_and(|last| c.seats.contains(&last));
            let first = calls
                .iter()
                .find(mine)
                .or_else(|| calls.iter().find(must))
                .or_else(|| calls.iter().find(|call| self.due(call)))
                .or_else(|| calls.first())?;
            let seat = match self.last {
                Some(last) if first.seats.contains(&last) => last,
                _ => *first.seats.first()?,
            };
            Some((place(first)?, seat))
        })?;
        self.focus = Some((calls[chosen.0].ask.id, chosen.1));
        Some(chosen)
    }

    /// Clears the screen before it is shown to another seat.
    pub(super) fn hand_over(&mut self, seat: Seat) -> Result<Option<Then>, Stop> {
        let seat = self.sitter(seat);
        let before = self.last.replace(seat);
        if !self.start.handover || before == Some(seat) {
            return Ok(None);
        }
        let name = self.start.seats.called(seat);
        if self.input.is_terminal() {
            // Also before the first seat: the title stands there to be read.
            if let Err(then @ Then::Leave) =
                self.read_line(&format!("(next: {name}; Enter clears the screen) "))?
            {
                return Ok(Some(then));
            }
            self.screen.wipe()?;
            self.screen.say(&Text::of(STRONG, name).and(PLAIN, ": this is for you alone."))?;
            if let Err(then @ Then::Leave) = self.read_line("(Enter shows it) ")? {
                return Ok(Some(then));
            }
        }
        if !self.input.is_terminal() && before.is_some() {
            self.screen.tell(FAINT, &format!("Next: {}.", self.start.seats.called(seat)))?;
        }
        self.screen.wipe()?;
        self.input.forget();
        self.news()?;
        self.shown = false;
        Ok(None)
    }

    /// Lists the answers to an ask, unless they are listed already.
    pub(super) fn list(&mut self, ask: &AskInfo, seat: Seat) {
        let game = self.start.table.game();
        let seq = game.seq();
        if self.listing.as_ref().is_some_and(|l| (l.id, l.seat, l.seq) == (ask.id, seat, seq)) {
            return;
        }
        self.listing = Some(self.listing(ask, seat));
        self.fit();
    }

    /// The listed answers to an ask.
    pub(super) fn listing(&self, ask: &AskInfo, seat: Seat) -> Listing {
        let game = self.start.table.game();
        let menu = Menu::of(game, ask.id, Viewer::Seat(self.sitter(seat)));
        Listing { id: ask.id, seat, seq: game.seq(), menu, odds: BTreeMap::new() }
    }

    /// Shows the ask and its answers.
    pub(super) fn ask(&mut self, calls: &[Call], at: usize, seat: Seat) -> Ended {
        let ask = &calls[at].ask;
        let viewer = Viewer::Seat(self.sitter(seat));
        let question = self.start.table.game().ask_told(ask.id, viewer).unwrap_or_default();
        let (whose, text) = self.addressed(&calls[at], seat, &question.text);
        self.screen.blank()?;
        let mut head = Text::of(STRONG, whose).and(PLAIN, ": ").and(PLAIN, text);
        if !question.leads.is_empty() {
            head = head.and(FAINT, format!(" ({})", question.leads));
        }
        self.screen.say(&head)?;
        if let Who::All(_) = ask.who {
            for (other, answer) in self.start.table.game().said(ask.id) {
                let said = self
                    .start
                    .table
                    .game()
                    .preview(ask.id, &answer, viewer)
                    .map_or(answer, |preview| preview.text);
                let text = Text::plain(format!("{} says: {said}", self.start.seats.name(other)));
                self.screen.hang(&Text::plain("  "), 4, &text)?;
            }
        }
        self.rows()?;
        if let Some(going) = self.start.table.game().reach(ask.id, viewer).first() {
            let hint = format!(
                "A space such as {} tells what it is like there, and what can be done; look draws the map.",
                going.shades.last().and_then(|shade| shade.spaces.last()).unwrap_or(&going.from)
            );
            self.screen.tell(FAINT, &hint)?;
        }
        if ask.duty == Duty::May && self.others {
            self.screen.tell(FAINT, "Enter lets the others go on; wait does so until further notice.")?;
        }
        let others: Vec<(usize, &Call)> = calls.iter().enumerate().filter(|(i, _)| *i != at).collect();
        let (old, new): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(_, c)| self.announced.contains(&c.ask.id));
        if !new.is_empty() {
            self.announced.extend(new.iter().map(|(_, call)| call.ask.id));
            self.screen.tell(FAINT, "Also open:")?;
            self.calls(&new, seat)?;
        }
        if !old.is_empty() {
            let names = old.iter().map(|(_, call)| format!("@{}", self.handle_of(call)));
            let others = format!("Also open: {}", names.collect::<Vec<_>>().join(", "));
            self.screen.tell(FAINT, &others)?;
        }
        Ok(())
    }

    /// The name and the text of an ask. If the text begins with one of the seat's characters, only
    /// that character is named.
    fn addressed<'t>(&self, call: &Call, seat: Seat, text: &'t str) -> (String, &'t str) {
        if let Who::Any(_) = call.ask.who {
            return (self.either(&call.seats), text);
        }
        let chair = self.start.seats.chair(seat);
        let named = chair.filter(|_| seat != Seat::Gm).and_then(|chair| {
            let found = chair
                .plays
                .iter()
                .find_map(|name| Some((name, text.strip_prefix(name.as_str())?.strip_prefix(": ")?)));
            let whom = match self.sitter(seat) {
                sitter if sitter == seat => chair.info.name.clone(),
                sitter => format!("{}, for {}", self.start.seats.called(sitter), chair.info.name),
            };
            found.map(|(name, rest)| (format!("{whom} ({name})"), rest))
        });
        named.unwrap_or_else(|| (self.called(seat), text))
    }

    /// Names of seats of which any may answer: `Ana, Bo or Cyr`.
    fn either(&self, seats: &[Seat]) -> String {
        match seats {
            [] => String::new(),
            [seat] => self.called(*seat),
            [most @ .., last] => {
                let name = |seat: Seat| {
                    let absent = if self.sitter(seat) == seat { "" } else { " (absent)" };
                    format!("{}{absent}", self.start.seats.name(seat))
                };
                let most: Vec<String> = most.iter().map(|&seat| name(seat)).collect();
                format!("{} or {}", most.join(", "), name(*last))
            }
        }
    }

    /// The word after `@` that turns to an ask.
    fn handle_of(&self, call: &Call) -> String {
        self.start.seats.handle(call.seats.first().copied().unwrap_or(Seat::Gm))
    }

    /// Shows the open asks, one a line. A player with the screen alone reads only the kind of
    /// answer that others are asked for.
    pub(super) fn calls(&mut self, calls: &[(usize, &Call)], before: Seat) -> Ended {
        for (_, call) in calls {
            let seat = call.seats.first().copied().unwrap_or(Seat::Gm);
            let game = self.start.table.game();
            let text = if self.elsewhere(before) && self.sitter(seat) != self.sitter(before) {
                let kind = game.waits(call.ask.id, Viewer::Seat(self.sitter(before)));
                self.start.table.system().awaited(kind).unwrap_or("to answer").to_owned()
            } else {
                game.ask_told(call.ask.id, Viewer::Seat(self.sitter(seat))).unwrap_or_default().text
            };
            let (whose, text) = self.addressed(call, seat, &text);
            let may = if call.ask.duty == Duty::May { " (may)" } else { "" };
            let text = Text::plain(format!("{whose}{may}: {text}"));
            self.screen.hang(&Text::of(KEY, format!("  @{} ", self.handle_of(call))), 6, &text)?;
        }
        Ok(())
    }

    /// Shows the rows of the menu.
    pub(super) fn rows(&mut self) -> Ended {
        self.fit();
        let Some(menu) = self.listing.as_ref().map(|listing| listing.menu.clone()) else { return Ok(()) };
        let path: Vec<&str> = menu.path().collect();
        if !path.is_empty() {
            let asks = Some(menu.asks()).filter(|asks| !asks.is_empty());
            let asks = asks.map_or_else(String::new, |asks| format!(": {asks}?"));
            self.screen.say(&Text::of(FAINT, format!("{}{asks} (back goes up)", path.join(", "))))?;
        }
        let rows = menu.rows();
        if rows.is_empty() {
            self.screen.tell(FAINT, "Nothing is listed: answer as JSON.")?;
        }
        let page = menu.page(rows.len());
        let ways = rows.iter().any(|row| matches!(row, Row::Many { .. }));
        let (example, here) = (menu.example().filter(|_| ways), menu.here().len());
        let (shown, shared) = self.worded(&rows, page.clone());
        for (label, indent, text) in &shown {
            self.screen.hang(label, *indent, text)?;
        }
        let mut hints = Vec::new();
        if !shared.leading.is_empty() {
            hints.push(format!("{}: {}.", numbers(&shared.leading), shared.leads));
        }
        if !shared.free.is_empty() {
            hints.push(format!("{}: your own words may follow the number.", numbers(&shared.free)));
        }
        if !shared.of.is_empty() {
            hints.push(format!("Chances: {}.", shared.of));
        }
        if page.len() < rows.len() {
            let way = if page.end < rows.len() { "more goes on" } else { "back goes to those before" };
            hints.push(format!("{} to {} of {}: {way}.", page.start + 1, page.end, rows.len()));
        }
        if let Some(example) = example {
            hints.push(format!("Type a number or words, such as \"{example}\"; all lists all {here}."));
        } else if page.len() < rows.len() {
            hints.push("/WORD keeps only answers with that word.".to_owned());
        }
        if !hints.is_empty() {
            self.screen.tell(FAINT, &hints.join(" "))?;
        }
        Ok(())
    }

    /// The rows of a page as paragraphs, each with its label and indent, and what they share.
    fn worded(&mut self, rows: &[Row], page: Range<usize>) -> (Vec<(Text, usize, Text)>, Shared) {
        let game = self.start.table.game();
        let Some(listing) = &mut self.listing else { return (Vec::new(), Shared::default()) };
        let who = Viewer::Seat(self.start.seats.sitter(listing.seat));
        let who = if self.stand_in == Some(listing.seat) { Viewer::Seat(Seat::Gm) } else { who };
        for row in &rows[page.clone()] {
            if let Row::One(at) = row
                && let Some(choice) = listing.menu.choice(*at)
            {
                let odds = || game.odds(listing.id, &choice.listed.answer, who);
                listing.odds.entry(*at).or_insert_with(odds);
            }
        }
        let answers: Vec<(usize, &Told, Option<&Odds>)> = page
            .clone()
            .filter_map(|row| {
                let Row::One(at) = &rows[row] else { return None };
                let odds = listing.odds.get(at).and_then(Option::as_ref);
                Some((row, &listing.menu.choice(*at)?.listed.told, odds))
            })
            .collect();
        let shared = Shared::by(&answers);
        let indent = rows.len().to_string().len().max(2) + 2;
        let paragraph = |row: usize| {
            let number = row + 1;
            let label = Text::of(KEY, format!("{number:>width$}  ", width = indent - 2));
            let text = match &rows[row] {
                Row::One(at) => {
                    let words = &listing.menu.choice(*at)?.listed.told;
                    let mut text = Text::plain(&words.text);
                    if !words.leads.is_empty() && !shared.leading.contains(&row) {
                        text = text.and(FAINT, format!(" -> {}", words.leads));
                    }
                    if let Some(Some(odds)) = listing.odds.get(at) {
                        text = text.and(FAINT, format!(" ({})", chances(odds, &shared.of)));
                    }
                    if words.free.is_some() && shared.free.is_empty() {
                        text = text.and(FAINT, format!(" (or in your own words: {number} ...)"));
                    }
                    text
                }
                Row::Many { label, among, .. } => {
                    Text::plain(label).and(FAINT, format!(": {}", some(among.len(), "way")))
                }
            };
            Some((label, indent, text))
        };
        (page.filter_map(paragraph).collect(), shared)
    }

    /// Groups and cuts the list so that the question and a page of answers fit on the screen.
    fn fit(&mut self) {
        let Some(room) = self.screen.height().map(|height| height.saturating_sub(AROUND)) else { return };
        // A script counts on the same numbers on any screen.
        if !self.input.is_terminal() {
            return;
        }
        let Some(menu) = self.listing.as_ref().map(|listing| listing.menu.clone()) else { return };
        let flat: Vec<Row> = (0..menu.count()).map(Row::One).collect();
        // Of many answers only some are listed, and their odds take long: each adds about a line.
        let few = menu.here().len() <= FEW;
        let mut lines: Vec<usize> = Vec::new();
        for at in 0..flat.len() {
            let choice = menu.choice(at).map(|choice| &choice.listed.told);
            let text =
                choice.map_or_else(String::new, |told| format!("     {} -> {}", told.text, told.leads));
            lines.push(self.screen.lines_of(&Text::default(), 4, &Text::plain(text)));
        }
        if few {
            let here: Vec<usize> = menu.here();
            let rows: Vec<Row> = here.iter().map(|at| Row::One(*at)).collect();
            for (at, (label, indent, text)) in here.iter().zip(self.worded(&rows, 0..rows.len()).0) {
                lines[*at] = self.screen.lines_of(&label, indent, &text);
            }
        }
        if let Some(listing) = &mut self.listing {
            listing.menu.fit(room, |row| match row {
                Row::One(at) => lines.get(*at).copied().unwrap_or(1),
                Row::Many { .. } => 1,
            });
        }
    }
}

/// The lines of a screen that stand around the answers: the question, hints, other asks and the
/// prompt.
const AROUND: usize = 8;

/// From so many rows on, what they have in common is said once.
const ALIKE: usize = 3;

/// What the answers of a page share, and is said once below them.
#[derive(Default)]
struct Shared {
    /// Of what their odds are.
    of: String,
    /// What some of them lead to.
    leads: String,
    /// The rows that lead to it.
    leading: Vec<usize>,
    /// The rows that take words of one's own, where these are several.
    free: Vec<usize>,
}

impl Shared {
    /// What the answers of these rows share.
    fn by(told: &[(usize, &Told, Option<&Odds>)]) -> Shared {
        let mut of = told.iter().filter_map(|(.., odds)| Some(odds.as_ref()?.of.as_str()));
        let of = of.next().filter(|first| of.all(|other| other == *first)).unwrap_or_default().to_owned();
        let rows = |is: &dyn Fn(&Told) -> bool| -> Vec<usize> {
            let rows: Vec<usize> =
                told.iter().filter(|(_, told, _)| is(told)).map(|(row, ..)| *row).collect();
            if rows.len() >= ALIKE { rows } else { Vec::new() }
        };
        // What the most rows lead to.
        let leading = told.iter().filter(|(_, told, _)| !told.leads.is_empty());
        let leading = leading.map(|(_, first, _)| (rows(&|told| told.leads == first.leads), &first.leads));
        let leading = leading.rev().max_by_key(|(rows, _)| rows.len());
        let (leading, leads) = leading.map_or_else(Default::default, |(rows, leads)| (rows, leads.clone()));
        let free = rows(&|told| told.free.is_some());
        Shared { of, leads, leading, free }
    }
}

/// The numbers of rows: `1 to 3, 5, 6`.
fn numbers(rows: &[usize]) -> String {
    let spans = rows.chunk_by(|one, next| one + 1 == *next).flat_map(|span| match span {
        [first, .., last] if span.len() >= ALIKE => vec![format!("{} to {}", first + 1, last + 1)],
        few => few.iter().map(|row| (row + 1).to_string()).collect(),
    });
    spans.collect::<Vec<_>>().join(", ")
}

/// Odds beside an answer. The subject is left out if it is `said` already.
fn chances(odds: &Odds, said: &str) -> String {
    let shared = |share: String, text: &str| format!("{} {text}", share.replace(' ', "\u{a0}"));
    let rows = odds.rows.iter().zip(odds.shares()).filter(|(row, _)| row.throws > 0);
    let shares: Vec<String> = rows.map(|(row, share)| shared(share, &row.text)).collect();
    let totals: Vec<String> =
        odds.totals.iter().map(|all| shared(odds.share_of(all.tone), &all.text)).collect();
    let all = if totals.is_empty() { String::new() } else { format!("in all {}: ", totals.join(", ")) };
    let of = if odds.of == said { String::new() } else { format!("{}: ", odds.of) };
    format!("{of}{all}{}", shares.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rows_have_in_common_is_said_once() {
        let leads = |leads: &str| Told::new("answer").leads(leads);
        let all =
            [leads("a"), leads("b").free("/b"), leads("a"), leads("a"), leads("a"), leads(""), leads("a")];
        let answers: Vec<(usize, &Told, Option<&Odds>)> =
            all.iter().enumerate().map(|(row, told)| (row, told, None)).collect();
        let shared = Shared::by(&answers);
        assert_eq!((shared.leads.as_str(), numbers(&shared.leading).as_str()), ("a", "1, 3 to 5, 7"));
        assert!(shared.free.is_empty() && Shared::by(&answers[..3]).leading.is_empty(), "two are too few");
    }
}
