//! Asking: shows the current ask and its answers, and reads a line.

use super::{Call, Listing, Sitting, Then};
use crate::input::Typed;
use crate::screen::{FAINT, KEY, PLAIN, STRONG, Text, some};
use crate::stop::{Ended, Stop};
use fracas_face::menu::{Menu, Row};
use fracas_kernel::{AskInfo, Duty, Odds, Seat, Viewer, Who};

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
        let handle = |seat| self.start.seats.chair(seat).map_or_else(String::new, |chair| chair.handle());
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
                .or_else(|| calls.iter().find(|call| self.due(&call.ask)))
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
            if before.is_some()
                && let Err(then @ Then::Leave) =
                    self.read_line(&format!("(next: {name}; Enter hides the table) "))?
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
        let sitter = self.sitter(seat);
        let menu = Menu::of(game, ask.id, Viewer::Seat(sitter));
        self.listing = Some(Listing { id: ask.id, seat, seq, menu });
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
            let names = old.iter().map(|(i, call)| format!("@{} {}", i + 1, self.either(&call.seats)));
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

    /// Shows the open asks, one a line. A player with the screen alone reads only the kind of
    /// answer that others are asked for.
    pub(super) fn calls(&mut self, calls: &[(usize, &Call)], before: Seat) -> Ended {
        for (i, call) in calls {
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
            self.screen.hang(&Text::of(KEY, format!("  @{} ", i + 1)), 6, &text)?;
        }
        Ok(())
    }

    /// Shows the rows of the menu.
    pub(super) fn rows(&mut self) -> Ended {
        let Some(listing) = &self.listing else { return Ok(()) };
        let menu = &listing.menu;
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
        let indent = rows.len().to_string().len().max(2) + 2;
        let who = Viewer::Seat(self.sitter(listing.seat));
        let game = self.start.table.game();
        let odds: Vec<Option<Odds>> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| match row {
                Row::One(at) if menu.page(rows.len()).contains(&i) => {
                    game.odds(listing.id, &menu.choice(*at)?.listed.answer, who)
                }
                _ => None,
            })
            .collect();
        // A subject that all odds share is named once.
        let mut of = odds.iter().flatten().map(|odds| odds.of.clone());
        let of = of.next().filter(|first| of.all(|other| other == *first)).unwrap_or_default();
        let page = menu.page(rows.len());
        for (i, row) in rows.iter().enumerate().take(page.end).skip(page.start) {
            let number = i + 1;
            let label = Text::of(KEY, format!("{number:>width$}  ", width = indent - 2));
            let text = match row {
                Row::One(at) => {
                    let Some(choice) = menu.choice(*at) else { continue };
                    let words = &choice.listed.told;
                    let mut text = Text::plain(&words.text);
                    if !words.leads.is_empty() {
                        text = text.and(FAINT, format!(" -> {}", words.leads));
                    }
                    if let Some(odds) = &odds[i] {
                        text = text.and(FAINT, format!(" ({})", chances(odds, &of)));
                    }
                    if words.free.is_some() {
                        text = text.and(FAINT, format!(" (or in your own words: {number} WORDS)"));
                    }
                    text
                }
                Row::Many { label, among, .. } => {
                    Text::plain(label).and(FAINT, format!(": {}", some(among.len(), "way")))
                }
            };
            self.screen.hang(&label, indent, &text)?;
        }
        let mut hints = Vec::new();
        if !of.is_empty() {
            hints.push(format!("Chances: {of}."));
        }
        if page.len() < rows.len() {
            let way = if page.end < rows.len() { "more goes on" } else { "back goes to those before" };
            hints.push(format!("{} to {} of {}: {way}.", page.start + 1, page.end, rows.len()));
        }
        if let Some(example) = menu.example() {
            let all = some(menu.count(), "answer");
            hints.push(format!(
                "Type a number, a word, or all in a line, as: {example}. all lists all {all}."
            ));
        } else if page.len() < rows.len() {
            hints.push("/WORD keeps only answers with that word.".to_owned());
        }
        if !hints.is_empty() {
            self.screen.tell(FAINT, &hints.join(" "))?;
        }
        Ok(())
    }
}

/// Odds beside an answer. The subject is left out if it is `said` already.
fn chances(odds: &Odds, said: &str) -> String {
    let told = |share: String, text: &str| format!("{} {text}", share.replace(' ', "\u{a0}"));
    let rows = odds.rows.iter().zip(odds.shares()).filter(|(row, _)| row.throws > 0);
    let shares: Vec<String> = rows.map(|(row, share)| told(share, &row.text)).collect();
    let totals: Vec<String> =
        odds.totals.iter().map(|all| told(odds.share_of(all.tone), &all.text)).collect();
    let all = if totals.is_empty() { String::new() } else { format!("in all {}: ", totals.join(", ")) };
    let of = if odds.of == said { String::new() } else { format!("{}: ", odds.of) };
    format!("{of}{all}{}", shares.join(" · "))
}
