//! Obeys typed lines.

use super::{Call, Listing, Sitting, Then};
use crate::play::{
    cards, fiats, help, map,
    order::{self, Order},
    stage,
};
use crate::screen::{ALARM, FAINT, KEY, PLAIN, STRONG, Screen, Text, some};
use crate::seats::{Player, capital};
use crate::stop::{Ended, Stop};
use crate::{
    args::Dice,
    lines::{self, Line},
    standing,
};
use fracas_face::hint::{Advice, BY, hints};
use fracas_face::machine;
use fracas_face::menu::{Menu, Pick, Row};
use fracas_kernel::{AskId, Card, Clause, Duty, Listed, Now, Prepared, Refused, Seat, Stage, Viewer, Who};
use fracas_table::{PlayError, Reader};

/// The most lines shown of those that were taken back.
const TAKEN: usize = 6;

impl Sitting<'_> {
    pub(super) fn obey(&mut self, line: &str, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        self.obey_order(order::order(line), calls, seat)
    }

    /// Obeys an order. What a person at a terminal reads comes page by page.
    fn obey_order(&mut self, order: Order<'_>, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        if !order.is_reading() || !self.input.is_terminal() {
            return self.carry_out(order, calls, seat);
        }
        self.screen.hold();
        let then = self.carry_out(order, calls, seat);
        let lines = self.screen.held();
        self.page(&lines)?;
        then
    }

    fn carry_out(&mut self, order: Order<'_>, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        // The speaker; the gamemaster for an absent player.
        let by = self.sitter(seat);
        match order {
            Order::Nothing if self.floor.is_none() && self.may_wait(calls).is_some() => self.wait(calls)?,
            Order::Nothing => (self.shown, self.floor, self.stand_in) = (false, None, None),
            Order::Answer { pick, text } => self.pick(pick, text, calls, seat)?,
            Order::As { who, rest } => {
                self.stand_in = None;
                return self.act_as(who, rest, calls, seat);
            }
            Order::Say(text) => self.note(by, Reader::All, text)?,
            Order::Note(text) => self.note(by, Reader::Seats(vec![by]), text)?,
            Order::Whisper { to, text } => match self.start.seats.find(to) {
                Ok(Seat::Gm) => self.note(by, Reader::Gm, text)?,
                Ok(to) => self.note(by, Reader::Seats(vec![to]), text)?,
                Err(what) => self.refuse(&what)?,
            },
            Order::For { who, rest } => return self.answer_for(who, rest, calls, seat),
            Order::Absent(who) => self.absent(who, true, by)?,
            Order::Present(who) => self.absent(who, false, by)?,
            Order::Why(what) => self.why(what, by)?,
            Order::Json(which) => self.json(which, seat, calls)?,
            Order::Hint => self.hint(seat)?,
            Order::Odds(which) => self.odds(which, seat, calls)?,
            Order::Undo(to) => self.undo(to, by)?,
            Order::Look(what) => self.look(what, by)?,
            Order::LookAs(who) => self.look_as(who, by)?,
            Order::Fiat(fiat) => self.fiat(fiat, by)?,
            Order::Calls(which) => self.prepared(which, by)?,
            Order::Standing(what) => self.standing(what, seat)?,
            Order::Story => {
                // Where everybody reads along, it has only what everybody may read.
                let who = if self.start.handover { Viewer::Seat(by) } else { self.start.seats.teller() };
                let story = self.start.table.log().story(who, fracas_table::Detail::Everything);
                self.screen.markdown(&story)?;
            }
            Order::Save(file) => self.save(file)?,
            Order::Log(n) => {
                let recent = self.lines().last(n).to_vec();
                if recent.is_empty() {
                    self.screen.tell(FAINT, "Nothing has happened yet.")?;
                }
                lines::show(self.screen, &recent)?;
            }
            Order::All => {
                if let Some(listing) = &mut self.listing {
                    listing.menu.all();
                }
                self.rows()?;
            }
            Order::More => match self.listing.as_mut().map(|listing| listing.menu.more()) {
                Some(true) => self.rows()?,
                _ => self.refuse("everything is on this page")?,
            },
            Order::Filter(words) => match self.listing.as_mut().map(|l| l.menu.filter(words)) {
                Some(true) => self.rows()?,
                Some(false) => self.refuse(&format!("no answer here holds {words:?}"))?,
                None => self.refuse("nothing is asked now, so nothing is listed")?,
            },
            Order::Back => {
                let moved = self.listing.as_mut().is_some_and(|l| l.menu.back());
                if moved {
                    self.rows()?;
                } else {
                    self.refuse("you are at the top already; undo takes an answer back")?;
                }
            }
            // Where play waits for this answer, the word can only be an answer itself.
            Order::Wait if self.focus.is_some() && self.may_wait(calls).is_none() => {
                self.pick("wait", None, calls, seat)?;
            }
            Order::Wait => {
                if let Some(call) = self.may_wait(calls) {
                    self.start.quiet.push(call.ask.kind.to_owned());
                    self.remember();
                    self.screen.tell(FAINT, "The others go on. wait off asks you again.")?;
                }
                self.wait(calls)?;
            }
            Order::WaitOff => {
                self.start.quiet.clear();
                self.remember();
                self.forget();
            }
            Order::Seats => self.who(calls, seat)?,
            Order::Dice(how) => self.dice_from_here_on(how)?,
            Order::Help(which) => self.help(which.eq_ignore_ascii_case("all"))?,
            Order::Quit => return Ok(Then::Leave),
            Order::Unclear(what) => self.refuse(&what)?,
        }
        Ok(Then::Go)
    }

    /// The gamemaster answers once for a player.
    fn answer_for(&mut self, who: &str, rest: &str, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        let Ok(other) = self.start.seats.find(who) else {
            // A line that begins with `for` may be an answer.
            let line = if rest.is_empty() { format!("for {who}") } else { format!("for {who} : {rest}") };
            return self.obey_order(order::answer(&line), calls, seat);
        };
        let known = self.start.seats.clone().absent(who, true);
        let refused = match known {
            Err(what) => Some(what),
            Ok(_) if self.elsewhere(seat) => Some(self.for_gm_alone(&format!("for {who}: {rest}"))),
            Ok(_) if !calls.iter().any(|call| call.seats.contains(&other)) => {
                Some(format!("{} is asked nothing now", self.start.seats.called(other)))
            }
            Ok(_) => None,
        };
        if let Some(what) = refused {
            self.refuse(&what)?;
            return Ok(Then::Go);
        }
        self.listing = None;
        self.stand_in = Some(other);
        self.act_as(&other.to_string(), rest, calls, other)
    }

    /// Sets who throws the dice.
    fn dice_from_here_on(&mut self, how: &str) -> Ended {
        let (dice, message) = match how {
            "typed" => (Dice::Typed, "From here on you throw the dice and type what they show."),
            "thrown" => (Dice::Thrown, "From here on the machine throws the dice."),
            _ => return self.refuse("dice typed, or dice thrown"),
        };
        self.start.dice = dice;
        self.shown = false;
        self.remember();
        self.screen.tell(FAINT, message)?;
        Ok(())
    }

    /// Whether a player has the screen alone.
    pub(super) fn elsewhere(&self, seat: Seat) -> bool {
        self.start.handover && self.sitter(seat) != Seat::Gm
    }

    fn for_gm_alone(&self, what: &str) -> String {
        format!("that is the gamemaster's: {}", self.as_gamemaster(what))
    }

    /// Marks a player as absent or present.
    fn absent(&mut self, who: &str, absent: bool, by: Seat) -> Ended {
        let own = self.start.seats.find(who) == Ok(by);
        if self.elsewhere(by) && !own {
            let what = if absent { "absent" } else { "back" };
            let why = self.for_gm_alone(&format!("{what} {who}"));
            return self.refuse(&why);
        }
        let seat = match self.start.seats.absent(who, absent) {
            Ok(seat) => seat,
            Err(what) => return self.refuse(&what),
        };
        self.remember();
        self.forget();
        let name = self.start.seats.name(seat);
        let message = if absent {
            format!("{name} is absent: the gamemaster answers for {name} until back {who}.")
        } else {
            format!("{name} is here and answers.")
        };
        self.screen.tell(FAINT, &message)?;
        Ok(())
    }

    /// Turns to another seat or another open ask.
    pub(super) fn act_as(&mut self, who: &str, rest: &str, calls: &[Call], seat: Seat) -> Result<Then, Stop> {
        // If the machine plays the gamemaster, people may still rewind and overrule.
        if self.start.seats.find(who) == Ok(Seat::Gm)
            && !self.start.seats.by_hand(Seat::Gm)
            && matches!(order::order(rest), Order::Undo(_) | Order::Fiat(_))
        {
            return self.obey(rest, calls, Seat::Gm);
        }
        let found = match who.parse::<usize>() {
            Ok(n) => match n.checked_sub(1).and_then(|n| calls.get(n)) {
                Some(call) => {
                    let seat =
                        if call.seats.contains(&seat) { Some(seat) } else { call.seats.first().copied() };
                    seat.map(|seat| (Some(call), seat))
                        .ok_or_else(|| "nobody here can answer that".to_owned())
                }
                None => Err(format!("there is no open ask {n}: seats lists them")),
            },
            Err(_) => self.start.seats.find(who).and_then(|seat| {
                if self.start.seats.by_hand(seat) {
                    Ok((self.call_of(seat, calls, rest.is_empty()), seat))
                } else {
                    Err(format!("{} is played by the machine", self.start.seats.called(seat)))
                }
            }),
        };
        let (call, other) = match found {
            Ok(found) => found,
            Err(what) => {
                self.refuse(&what)?;
                return Ok(Then::Go);
            }
        };
        if self.start.handover && self.sitter(other) != self.sitter(seat) && !rest.is_empty() {
            let handle = self.start.seats.handle(self.sitter(other));
            self.refuse(&format!("hand over first: type @{handle}"))?;
            return Ok(Then::Go);
        }
        let before = (self.focus, self.named, self.floor);
        if let Some(call) = call {
            self.floor = None;
            self.waited.retain(|id| *id != call.ask.id);
            self.focus = Some((call.ask.id, other));
            // `@2` names an ask, `@ana` a seat.
            self.named = who.parse::<usize>().is_err();
            self.list(&call.ask, other);
        }
        if rest.is_empty() {
            self.shown = false;
            self.floor = call.is_none().then_some(other);
            if call.is_none() {
                let message = format!(
                    "{} is asked nothing now, but may speak. Enter goes back.",
                    self.start.seats.called(other)
                );
                self.screen.tell(FAINT, &message)?;
            }
            return Ok(Then::Go);
        }
        if call.is_none() && matches!(order::order(rest), Order::Answer { .. }) {
            let why = format!("{} is asked nothing now", self.start.seats.called(other));
            self.refuse(&why)?;
            return Ok(Then::Go);
        }
        let aside = order::order(rest).is_aside();
        self.unseen = !self.shown || self.focus != before.0;
        let then = self.obey(rest, calls, other)?;
        self.unseen = false;
        // Numbers keep referring to the list on the screen.
        if self.shown && aside {
            (self.focus, self.named, self.floor) = before;
        } else if self.focus != before.0 && self.listing.as_ref().is_some_and(|l| l.menu.is_whole()) {
            self.shown = false;
        }
        Ok(then)
    }

    /// The ask that a seat's name turns to: the one in focus or the first; with `on`, the next after
    /// the one in focus.
    fn call_of<'c>(&self, seat: Seat, calls: &'c [Call], on: bool) -> Option<&'c Call> {
        let own: Vec<&Call> = calls.iter().filter(|call| call.seats.contains(&seat)).collect();
        let focused = self.focus.filter(|(_, focused)| *focused == seat);
        let at = focused.and_then(|(id, _)| own.iter().position(|call| call.ask.id == id));
        let at = at.map_or(0, |at| if on { (at + 1) % own.len() } else { at });
        own.get(at).copied()
    }

    /// Answers the ask in focus.
    pub(super) fn pick(&mut self, pick: &str, text: Option<&str>, calls: &[Call], seat: Seat) -> Ended {
        let focus = self.focus.filter(|(id, s)| *s == seat && calls.iter().any(|c| c.ask.id == *id));
        let Some((id, _)) = focus else {
            let why = self.not_asked("help says what can be typed");
            return self.refuse(&why);
        };
        if text.is_none() && self.lets_go(pick, calls) {
            return self.wait(calls);
        }
        if let Some(answer) = self.point(pick, id, seat)? {
            return if answer.is_empty() { Ok(()) } else { self.pick(&answer, text, calls, seat) };
        }
        let mut said = None;
        let answer = if pick.starts_with(['{', '[', '"']) {
            // A quotation that is not an answer is speech.
            if pick.starts_with('"')
                && text.is_none()
                && self
                    .start
                    .table
                    .game()
                    .check(seat, id, pick)
                    .is_err_and(|r| r.reasons.iter().all(|r| r.clause.is_none()))
            {
                return self.note(self.sitter(seat), Reader::All, pick);
            }
            pick.to_owned()
        } else {
            let Some(listing) = &mut self.listing else { return Ok(()) };
            match listing.menu.pick(pick) {
                Pick::One(at) => match listing.menu.choice(at).map(|choice| choice.listed.clone()) {
                    // Only a person at a terminal is asked for the words; a script has given all it has.
                    Some(listed) if listed.needs_words && text.is_none() && self.input.is_terminal() => {
                        let Some(words) = self.words(&listed, calls, seat)? else {
                            self.screen.tell(FAINT, "Nothing is answered.")?;
                            return Ok(());
                        };
                        // Where the answer has a place for them, they say what is done.
                        match listed.in_own_words(&words) {
                            Ok(answer) if !words.is_empty() => answer,
                            _ => {
                                said = Some(words).filter(|words| !words.is_empty());
                                listed.answer
                            }
                        }
                    }
                    Some(listed) => listed.answer,
                    None => return Ok(()),
                },
                Pick::Own(at, words) => {
                    match listing.menu.choice(at).map(|c| c.listed.in_own_words(&words)) {
                        Some(Ok(answer)) => answer,
                        Some(Err(refused)) => return self.refuse(&refused.to_string()),
                        None => return Ok(()),
                    }
                }
                Pick::Narrowed => {
                    if text.is_some() {
                        self.refuse("several answers fit: choose one, and say it with that")?;
                    }
                    return self.rows();
                }
                Pick::Nothing(what) => return self.refuse(&what),
                Pick::Unknown(near) => {
                    return match self.grave_beside(pick, calls, seat) {
                        Some(listing) => self.pick_beside(listing, pick, text, calls),
                        None => self.unknown(pick, &near, id, seat),
                    };
                }
            }
        };
        let call = calls.iter().find(|c| c.ask.id == id);
        let seat = call.filter(|_| !self.named).and_then(|call| self.meant(call, &answer)).unwrap_or(seat);
        let by = self.sitter(seat);
        let text = text.or(said.as_deref());
        if !self.is_meant(id, &answer, seat)? {
            self.screen.tell(FAINT, "Nothing is answered.")?;
            return Ok(());
        }
        match self.start.table.answer(by, Some(seat), id, &answer, text) {
            Ok(_) => {
                self.last = Some(by);
                self.offered.clear();
                self.circling = 0;
                self.count_answer();
                Ok(())
            }
            Err(error) => self.refused(error),
        }
    }

    /// Shows the space that somebody points at, or gives one of its answers; empty where nothing is left to
    /// do. `None` if the words do not point.
    fn point(&mut self, pick: &str, id: AskId, seat: Seat) -> Result<Option<String>, Stop> {
        let game = self.start.table.game();
        let viewer = Viewer::Seat(self.sitter(seat));
        let going = game.reach(id, viewer);
        let stage = self.stage(viewer);
        let Some((pointed, nth)) = map::read(pick, &going, &stage).filter(|_| !going.is_empty()) else {
            return Ok(None);
        };
        let there = match game.there(id, &pointed, viewer) {
            Ok(there) => there,
            Err(refused) => {
                let what = refused.to_string();
                self.refuse(&what)?;
                return Ok(Some(String::new()));
            }
        };
        let Some(nth) = nth else {
            map::there(self.screen, &there, &stage, pick)?;
            return Ok(Some(String::new()));
        };
        match nth.checked_sub(1).and_then(|at| there.answers.get(at)) {
            Some(listed) => Ok(Some(listed.answer.clone())),
            None => {
                self.refuse(&format!("{} has {}", pointed.to, some(there.answers.len(), "answer")))?;
                Ok(Some(String::new()))
            }
        }
    }

    /// Whether a word lets the others go on, as Enter does.
    fn lets_go(&self, word: &str, calls: &[Call]) -> bool {
        let is_listed = |menu: &Menu| {
            menu.rows().iter().any(|row| match row {
                Row::One(at) => {
                    menu.choice(*at).is_some_and(|c| c.listed.told.text.eq_ignore_ascii_case(word))
                }
                Row::Many { label, .. } => label.eq_ignore_ascii_case(word),
            })
        };
        ["pass", "no", "skip"].iter().any(|other| other.eq_ignore_ascii_case(word))
            && self.may_wait(calls).is_some()
            && !self.listing.as_ref().is_some_and(|listing| is_listed(&listing.menu))
    }

    /// The list of an ask that this seat is not stopped for, if these words name an answer of it.
    fn grave_beside(&self, words: &str, calls: &[Call], seat: Seat) -> Option<Listing> {
        let beside = calls.iter().filter(|call| call.grave && call.seats.contains(&seat));
        beside.map(|call| self.listing(&call.ask, seat)).find(|listing| {
            // The menu that is kept stays at its top.
            matches!(listing.menu.clone().pick(words), Pick::One(_) | Pick::Narrowed)
        })
    }

    /// Answers an ask beside the one in focus, which stays in focus where nothing is answered.
    fn pick_beside(&mut self, listing: Listing, pick: &str, text: Option<&str>, calls: &[Call]) -> Ended {
        let (id, seat) = (listing.id, listing.seat);
        let before = (self.focus.replace((id, seat)), self.listing.replace(listing));
        self.unseen = true;
        self.pick(pick, text, calls, seat)?;
        self.unseen = false;
        // A list that was narrowed is on the screen now.
        if self.listing.as_ref().is_some_and(|listing| listing.id == id && listing.menu.is_whole()) {
            (self.focus, self.listing) = before;
        }
        Ok(())
    }

    /// Asks for the words of an answer that means nothing without them. `None` if the person goes
    /// back.
    fn words(&mut self, listed: &Listed, calls: &[Call], seat: Seat) -> Result<Option<String>, Stop> {
        loop {
            let hint = "Say in a few words what you do. Enter: you say it aloud. back: another answer.";
            self.screen.say(&Text::plain(format!("{}. ", listed.told.text)).and(FAINT, hint))?;
            let Ok(line) = self.read_line("words> ")? else { return Ok(None) };
            match line.to_lowercase().as_str() {
                "back" | "undo" | "quit" => return Ok(None),
                "help" | "?" | "look" | "why" | "odds" | "log" => {
                    self.obey(&line, calls, seat)?;
                }
                _ => return Ok(Some(line)),
            }
        }
    }

    /// Reads an answer out where its list is not on the screen, and asks a person once whether a
    /// grave one is meant.
    fn is_meant(&mut self, id: AskId, answer: &str, seat: Seat) -> Result<bool, Stop> {
        let who = Viewer::Seat(self.sitter(seat));
        let unseen = std::mem::take(&mut self.unseen);
        let game = self.start.table.game();
        let grave = self.input.is_terminal() && game.is_grave(answer, who);
        // An answer that is refused is not read out.
        let Some(words) = game.preview(id, answer, who).ok().filter(|_| unseen || grave) else {
            return Ok(true);
        };
        let mut text = Text::of(FAINT, format!("{}: ", self.called(seat))).and(PLAIN, words.text);
        if !words.leads.is_empty() {
            text = text.and(FAINT, format!(" -> {}", words.leads));
        }
        self.screen.say(&text)?;
        if !grave {
            return Ok(true);
        }
        let line = self.read_line("sure? yes or no> ")?;
        Ok(line.is_ok_and(|line| ["y", "yes"].contains(&line.to_lowercase().as_str())))
    }

    /// The reason why nothing can be answered now.
    fn not_asked(&self, rest: &str) -> String {
        match self.start.table.game().now() {
            Now::Roll(roll) => match roll.dice.sides().collect::<Vec<_>>()[..] {
                [sides] => format!("the die comes first: type a number from 1 to {sides}, or throw"),
                _ => format!("the dice come first: type what {} show, or throw", roll.dice),
            },
            Now::Asks(_) | Now::Over => format!("nothing is asked now; {rest}"),
        }
    }

    /// Of several seats that may answer, the only one whose character the answer names.
    fn meant(&self, call: &Call, answer: &str) -> Option<Seat> {
        if self.start.handover || !matches!(call.ask.who, Who::Any(_)) {
            return None;
        }
        let names = |seat: &Seat| {
            let chair = self.start.seats.chair(*seat)?;
            chair.info.holds.iter().any(|slug| answer.contains(&format!("\"@{slug}\""))).then_some(*seat)
        };
        let mut meant = call.seats.iter().filter_map(names);
        meant.next().filter(|_| meant.next().is_none())
    }

    pub(super) fn note(&mut self, seat: Seat, to: Reader, text: &str) -> Ended {
        match self.start.table.note(seat, to, text) {
            Ok(_) => Ok(()),
            Err(error) => self.refused(error),
        }
    }

    /// The ask in focus, if the other seats may go on without an answer.
    fn may_wait<'c>(&self, calls: &'c [Call]) -> Option<&'c Call> {
        let (id, _) = self.focus?;
        calls.iter().find(|c| c.ask.id == id && c.ask.duty == Duty::May && self.others)
    }

    /// Lets the other seats go on.
    fn wait(&mut self, calls: &[Call]) -> Ended {
        let Some(call) = self.may_wait(calls) else {
            return self.refuse("play waits for this answer");
        };
        self.waited.push(call.ask.id);
        self.forget();
        Ok(())
    }

    /// Shows the seats and the open asks.
    pub(super) fn who(&mut self, calls: &[Call], seat: Seat) -> Ended {
        for chair in self.start.seats.iter() {
            let who = match chair.player {
                Player::Hand if chair.absent => "  (absent: the gamemaster answers)",
                Player::Hand => "",
                Player::Bot(_) => "  (the machine)",
            };
            let text = Text::plain(chair.called()).and(FAINT, who);
            self.screen.hang(&Text::of(KEY, format!("  @{} ", chair.handle())), 14, &text)?;
        }
        let all: Vec<(usize, &Call)> = calls.iter().enumerate().collect();
        if !all.is_empty() {
            self.screen.tell(FAINT, "Open:")?;
        }
        self.calls(&all, seat)
    }

    pub(super) fn look(&mut self, what: &str, seat: Seat) -> Ended {
        // As the seat may see them, also on a shared screen.
        let viewer = Viewer::Seat(seat);
        let mut cards = self.start.table.game().cards(viewer);
        if what.is_empty() {
            return self.look_around(cards, seat);
        }
        if !what.eq_ignore_ascii_case("all") {
            let wanted = what.to_lowercase();
            let is_wanted = |c: &Card| c.id.contains(&wanted) || c.title.to_lowercase().contains(&wanted);
            // A player's name stands for their characters.
            let player = self.start.seats.find(what).ok().filter(|found| *found != Seat::Gm);
            let player = player.and_then(|found| self.start.seats.chair(found));
            let is_played = |c: &Card| player.is_some_and(|chair| chair.info.holds.contains(&c.id));
            let named = cards.iter().any(is_wanted);
            cards.retain(|card| if named { is_wanted(card) } else { is_played(card) });
            if cards.is_empty() {
                return self.refuse(&format!("you see nothing here called {what:?}"));
            }
        }
        Ok(cards::show(self.screen, &cards)?)
    }

    /// Draws the table, with what is of nobody on a line each, and shows a player's own cards
    /// in full.
    fn look_around(&mut self, mut cards: Vec<Card>, seat: Seat) -> Ended {
        let drawn = self.stage(Viewer::Seat(seat));
        let mut of_nobody: Vec<Card> = cards.extract_if(.., |card| !card.is_somebody()).collect();
        for card in &mut of_nobody {
            let is_drawn = |label: &str| {
                label == "order" && !drawn.order.is_empty()
                    || drawn.places.iter().any(|place| place.title == label)
            };
            card.rows.retain(|row| !is_drawn(&row.label));
        }
        cards::brief(self.screen, &of_nobody)?;
        stage::show(self.screen, &drawn, Some(seat))?;
        let chair = self.start.seats.chair(seat).filter(|_| seat != Seat::Gm);
        cards.retain(|card| chair.is_some_and(|chair| chair.info.holds.contains(&card.id)));
        cards::show(self.screen, &cards)?;
        self.screen.tell(FAINT, "look NAME shows one of them in full, look all everything.")?;
        Ok(())
    }

    /// The table as a viewer sees it drawn.
    fn stage(&self, viewer: Viewer) -> Stage {
        let table = &self.start.table;
        table.game().stage(viewer, &machine::waited_for(table, viewer))
    }

    pub(super) fn look_as(&mut self, who: &str, by: Seat) -> Ended {
        let viewer = match self.start.seats.viewer(who) {
            Ok(viewer) => viewer,
            Err(what) => return self.refuse(&what),
        };
        if let Viewer::Seat(seat) = viewer {
            let gm = by == Seat::Gm && self.start.seats.by_hand(Seat::Gm);
            if seat == Seat::Gm && !gm && self.start.seats.by_hand(Seat::Gm) && !self.start.handover {
                return self
                    .refuse("what the gamemaster sees is not for players: the gamemaster types @gm look");
            }
            let allowed = if self.start.handover {
                self.last == Some(seat) || self.last == Some(Seat::Gm)
            } else {
                gm || self.start.seats.by_hand(seat)
            };
            if !allowed {
                return self.refuse("what that seat sees is not yours to see");
            }
        }
        let cards = self.start.table.game().cards(viewer);
        let seat = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
        let drawn = self.stage(viewer);
        stage::show(self.screen, &drawn, seat)?;
        Ok(cards::show(self.screen, &cards)?)
    }

    pub(super) fn why(&mut self, what: &str, seat: Seat) -> Ended {
        let book = self.start.table.game().rulebook();
        let mut clauses: Vec<Clause> = Vec::new();
        if what.is_empty() {
            let lines = self.lines().last(1);
            clauses.extend(lines.iter().filter_map(|l| book.find(l.clause.as_deref()?)));
            if let Some((id, seat)) = self.focus {
                let asked = self.start.table.game().ask_told(id, Viewer::Seat(seat));
                clauses.extend(asked.and_then(|t| t.clause));
            }
            clauses.dedup();
            if clauses.is_empty() {
                return self.refuse(
                    "the last line and this ask name no rule; why 12 asks about line 12, why WORDS searches the rules",
                );
            }
        } else if let Ok(line) = what.parse::<u64>() {
            let lines = self.lines().at(line);
            let lines_there = !lines.is_empty();
            clauses.extend(lines.iter().filter_map(|l| book.find(l.clause.as_deref()?)));
            clauses.dedup();
            if clauses.is_empty() {
                let why = if lines_there {
                    format!("line {line} names no rule; why WORDS searches the rules")
                } else {
                    format!("there is no line {line} here: log lists them")
                };
                return self.refuse(&why);
            }
        } else if let Some(number) = what.strip_suffix(')').or_else(|| what.strip_prefix("answer ")) {
            let row = number.trim().parse::<usize>().ok().and_then(|n| {
                let menu = &self.listing.as_ref()?.menu;
                let at = match menu.rows().get(n.checked_sub(1)?)? {
                    Row::One(at) => *at,
                    Row::Many { among, .. } => *among.first()?,
                };
                Some(menu.choice(at)?.listed.told.clause)
            });
            let Some(named) = row else {
                return self.refuse(&format!("there is no answer {number} in the list"));
            };
            let asked = self
                .focus
                .and_then(|(id, _)| self.start.table.game().ask_told(id, Viewer::Seat(seat)))
                .and_then(|asked| asked.clause);
            match (named, asked) {
                (Some(clause), _) => clauses.push(clause),
                (None, Some(clause)) => {
                    self.screen
                        .tell(FAINT, "That answer names no rule of its own; what is asked rests on:")?;
                    clauses.push(clause);
                }
                (None, None) => {
                    return self.refuse(
                        "neither that answer nor what is asked names a rule: answer as you like; why WORDS searches the rules",
                    );
                }
            }
        } else if let Some(clause) = book.find(what) {
            clauses.push(clause);
        } else {
            clauses = book.search(what);
            clauses.truncate(3);
            if clauses.is_empty() {
                return self.refuse(&format!(
                    "no rule holds {what:?}; why N asks about line N, why answer N about an answer"
                ));
            }
        }
        for clause in clauses {
            show_rule(self.screen, clause)?;
        }
        Ok(())
    }

    /// Takes back: a player's own last answer, or anything for the gamemaster.
    pub(super) fn undo(&mut self, to: Option<u64>, seat: Seat) -> Ended {
        let before = self.lines().since(0);
        let done = if seat == Seat::Gm {
            let found: Result<u64, String> = match to {
                Some(0) => Ok(self.start.table.log().floor()),
                Some(number) => {
                    let lines = self.lines().at(number);
                    lines
                        .first()
                        .map(|line| line.seq)
                        .ok_or_else(|| format!("there is no line {number}: log lists them"))
                }
                None => lines::before_last_by_hand(self.start.table.log(), &self.start.seats)
                    .ok_or_else(|| "there is nothing to take back".to_owned()),
            };
            match found {
                Ok(to) => self.start.table.rewind(to, Seat::Gm),
                Err(what) => return self.refuse(&what),
            }
        } else if let Some(to) = to {
            let why = format!(
                "only the gamemaster goes back to a line ({}); undo alone takes your last answer back",
                self.as_gamemaster(&format!("undo {to}"))
            );
            return self.refuse(&why);
        } else {
            match self.start.table.take_back(seat) {
                Err(PlayError::Refused(why)) => return self.not_taken_back(seat, &why),
                done => done,
            }
        };
        match done {
            Ok(_) => {
                self.forget();
                self.taken_back(&before)
            }
            Err(error) => self.refused(error),
        }
    }

    /// Shows the lines that were taken back, of those that stood before.
    fn taken_back(&mut self, before: &[Line]) -> Ended {
        let stood = |line: &&Line| line.struck && before.iter().any(|other| other.seq == line.seq);
        let gone: Vec<Line> = self.lines().last(usize::MAX).iter().filter(stood).cloned().collect();
        let (shown, more) = gone.split_at(gone.len().min(TAKEN));
        self.screen.tell(FAINT, if gone.is_empty() { "That left no line here." } else { "Taken back:" })?;
        lines::show(self.screen, shown)?;
        if !more.is_empty() {
            self.screen.tell(FAINT, &format!("and {} more", some(more.len(), "line")))?;
        }
        Ok(())
    }

    /// Explains why a player's answer cannot be taken back, and how the gamemaster can.
    fn not_taken_back(&mut self, seat: Seat, why: &Refused) -> Ended {
        let reasons: Vec<&str> = why.reasons.iter().map(|reason| reason.what.as_ref()).collect();
        // Another seat here may have answered last.
        let other = self.start.seats.iter().find(|chair| {
            let other = chair.info.seat;
            chair.player == Player::Hand
                && !self.start.handover
                && ![seat, Seat::Gm].contains(&other)
                && self.start.table.may_take_back(other).is_ok()
        });
        let other = other.map_or_else(String::new, |chair| {
            format!("@{} undo takes back what {} answered; ", chair.handle(), chair.info.name)
        });
        let name = self.start.seats.name(seat);
        let why = format!(
            "for {name}: {}. {other}{} goes back as the gamemaster",
            reasons.join("; "),
            self.as_gamemaster("undo")
        );
        self.refuse(&why)
    }

    pub(super) fn fiat(&mut self, fiat: &str, seat: Seat) -> Ended {
        if matches!(fiat, "" | "help") {
            return self.fiats(seat);
        }
        if seat != Seat::Gm {
            let order = if fiat.len() > 60 { "fiat ...".to_owned() } else { format!("fiat {fiat}") };
            let why = format!("only the gamemaster overrules: {}", self.as_gamemaster(&order));
            return self.refuse(&why);
        }
        let (fiat, text) = match order::order(fiat) {
            Order::Answer { pick, text } if pick.starts_with(['{', '[', '"']) => (pick.to_owned(), text),
            Order::Unclear(why) => return self.refuse(&why),
            _ => {
                let (words, text) = match fiat.split_once(" : ") {
                    Some((words, text)) => (words, Some(text.trim()).filter(|text| !text.is_empty())),
                    None => (fiat, None),
                };
                match fiats::find(&self.start.table.game().fiat_forms(), words) {
                    Ok(fiat) => (fiat, text),
                    Err(refused) => return self.refuse(&refused.to_string()),
                }
            }
        };
        match self.start.table.fiat(&fiat, text) {
            Ok(_) => {
                self.forget();
                Ok(())
            }
            Err(error) => self.refused(error),
        }
    }

    pub(super) fn standing(&mut self, what: &str, seat: Seat) -> Ended {
        let examples = self.start.table.game().standings();
        if what.is_empty() {
            return self.standings(examples, seat);
        }
        let (on, what) = match what.split_once(char::is_whitespace) {
            Some(("off", rest)) => (false, rest.trim()),
            Some(("on", rest)) => (true, rest.trim()),
            _ => (true, what),
        };
        let reply = match standing::find(examples, what) {
            Ok(reply) => reply,
            Err(what) => return self.refuse(&what),
        };
        match self.start.table.stand(seat, &reply, on) {
            Ok(_) => {
                self.forget();
                let name = self.start.seats.name(seat);
                let meaning = standing::meaning(examples, &reply);
                let message = if on {
                    format!("Noted for {name}: {meaning}. Where that answers, nobody is asked.")
                } else {
                    format!("No longer for {name}: {meaning}. You will be asked again.")
                };
                self.screen.tell(FAINT, &message)?;
                Ok(())
            }
            Err(PlayError::Refused(why)) if self.for_gm_only(seat, &reply) => {
                let reasons: Vec<&str> = why.reasons.iter().map(|reason| reason.what.as_ref()).collect();
                let way = self.as_gamemaster(&format!("standing {}", standing::words(&reply)));
                self.refuse(&format!("{} ({way})", reasons.join("; ")))
            }
            Err(error) => self.refused(error),
        }
    }

    /// Whether a standing reply is for the gamemaster but not for this seat.
    fn for_gm_only(&self, seat: Seat, reply: &str) -> bool {
        let may = |seat| self.start.table.game().may_stand(seat, reply).is_ok();
        !may(seat) && may(Seat::Gm)
    }

    /// Shows a seat's standing replies, and those that it may set.
    fn standings(&mut self, examples: &[(&str, &str)], seat: Seat) -> Ended {
        if examples.is_empty() {
            self.screen.tell(FAINT, "This game has none.")?;
            return Ok(());
        }
        let given = self.start.table.game().standing();
        for (_, reply) in given.iter().filter(|(s, _)| *s == seat) {
            let words = self.start.table.game().standing_told(seat, reply, true);
            let text = Text::plain(words.unwrap_or_else(|| standing::meaning(examples, reply)))
                .and(FAINT, format!("  (standing off {})", standing::words(reply)));
            self.screen.hang(&Text::plain("  on  "), 6, &text)?;
        }
        for (i, (json, meaning)) in examples.iter().enumerate() {
            let gm = if self.for_gm_only(seat, json) { " (for the gamemaster)" } else { "" };
            let text = Text::plain(*meaning).and(FAINT, gm).and(FAINT, ": ").and(KEY, standing::words(json));
            self.screen.hang(&Text::of(KEY, format!("{:>2}  ", i + 1)), 4, &text)?;
        }
        let own = examples.iter().find(|(json, _)| !self.for_gm_only(seat, json)).or(examples.first());
        let first = own.map_or_else(String::new, |(json, _)| standing::words(json));
        let hint = format!("Type standing and its number or words: standing {first}; standing off {first}.");
        self.screen.tell(FAINT, &hint)?;
        Ok(())
    }

    /// Shows listed answers as JSON: the whole ask's, or one row's.
    pub(super) fn json(&mut self, which: &str, seat: Seat, calls: &[Call]) -> Ended {
        let focus = self.focus.filter(|(id, s)| *s == seat && calls.iter().any(|c| c.ask.id == *id));
        let Some(listing) = self.listing.as_ref().filter(|l| focus == Some((l.id, l.seat))) else {
            let why = self.not_asked("so nothing is listed");
            return self.refuse(&why);
        };
        let menu = &listing.menu;
        let among = match among(menu, "json", which, (0..menu.count()).collect()) {
            Ok(among) => among,
            Err(why) => return self.refuse(&why),
        };
        let answers: Vec<String> = among
            .iter()
            .filter_map(|&at| menu.choice(at))
            .map(|choice| choice.listed.answer.clone())
            .collect();
        // Not wrapped, so that it can be copied.
        Ok(self.screen.verbatim(&answers.join("\n"))?)
    }

    /// Shows what the machine would answer for this seat.
    fn hint(&mut self, seat: Seat) -> Ended {
        let found = hints(self.start.table.game(), seat);
        if found.is_empty() {
            let why = self.not_asked("so there is nothing to hint at");
            return self.refuse(&why);
        }
        for hint in found {
            self.screen.say(&Text::of(STRONG, hint.ask))?;
            self.advise("best", &hint.best)?;
            for other in &hint.others {
                self.advise(&format!("{:.1} worse", other.behind), other)?;
            }
        }
        self.screen.tell(FAINT, BY)?;
        Ok(())
    }

    fn advise(&mut self, how: &str, advice: &Advice) -> Ended {
        let leads = if advice.leads.is_empty() { String::new() } else { format!("; {}", advice.leads) };
        let odds = advice.odds.as_ref().map_or(String::new(), |odds| format!(": {odds}"));
        let clause = advice.clause.map_or(String::new(), |clause| format!(" [{clause}]"));
        let text = Text::plain(&advice.text).and(FAINT, format!(" ({how}{leads}){odds}{clause}"));
        Ok(self.screen.hang(&Text::plain("  "), 4, &text)?)
    }

    /// Shows the odds of the listed answers, of one row, or of the dice that are due.
    pub(super) fn odds(&mut self, which: &str, seat: Seat, calls: &[Call]) -> Ended {
        let who = Viewer::Seat(self.sitter(seat));
        if let (Now::Roll(_), "") = (self.start.table.game().now(), which) {
            let odds = self.start.table.game().roll_odds(who).map(|odds| capital(&super::line_of(&odds)));
            let odds = odds.unwrap_or_else(|| "nothing can be told of these dice".to_owned());
            self.screen.say(&Text::plain(odds))?;
            return Ok(());
        }
        let focus = self.focus.filter(|(id, s)| *s == seat && calls.iter().any(|c| c.ask.id == *id));
        let Some(listing) = self.listing.as_ref().filter(|l| focus == Some((l.id, l.seat))) else {
            let why = self.not_asked("so nothing is listed");
            return self.refuse(&why);
        };
        let menu = &listing.menu;
        let here = menu.rows().into_iter().flat_map(|row| match row {
            Row::One(at) => vec![at],
            Row::Many { among, .. } => among,
        });
        let among = match among(menu, "odds", which, here.collect()) {
            Ok(among) => among,
            Err(why) => return self.refuse(&why),
        };
        let game = self.start.table.game();
        let chances: Vec<(String, String)> = among
            .iter()
            .filter_map(|&at| menu.choice(at))
            .filter_map(|choice| {
                let odds = game.odds(listing.id, &choice.listed.answer, who)?;
                Some((choice.listed.told.text.clone(), super::line_of(&odds)))
            })
            .collect();
        if chances.is_empty() {
            let none = "No chances are told: no dice follow at once, or others can still change them.";
            self.screen.tell(FAINT, none)?;
        }
        for (answer, odds) in chances {
            self.screen.hang(&Text::plain("  "), 4, &Text::plain(answer).and(FAINT, format!(": {odds}")))?;
        }
        Ok(())
    }

    /// Shows what the encounter has ready for the gamemaster, or says one of its calls.
    fn prepared(&mut self, which: &str, seat: Seat) -> Ended {
        if seat != Seat::Gm {
            let why = self.for_gm_alone("calls");
            return self.refuse(&why);
        }
        let Prepared { calls, tallies } = self.start.table.log().header().prepared();
        if which.is_empty() {
            for (n, call) in (1..).zip(&calls) {
                self.screen.hang(&Text::of(KEY, format!("  {n}  ")), 5, &Text::plain(call))?;
            }
            for tally in &tallies {
                let then = if tally.then.is_empty() { String::new() } else { format!(": {}", tally.then) };
                self.screen.tell(FAINT, &format!("To count: {}, to {}{then}.", tally.what, tally.to))?;
            }
            if calls.is_empty() && tallies.is_empty() {
                self.screen.tell(FAINT, "This encounter has no calls.")?;
            }
            return Ok(());
        }
        let nth = which.parse::<usize>().ok().and_then(|nth| calls.get(nth.checked_sub(1)?));
        match nth {
            Some(call) => self.note(seat, Reader::All, &call.clone()),
            None => self.refuse(&format!("calls {which}: there are {} calls, by their numbers", calls.len())),
        }
    }

    /// Shows the fiats that are possible now, and how to type them.
    fn fiats(&mut self, seat: Seat) -> Ended {
        // Its names would tell players of what is hidden from them, also where they read along.
        if seat != Seat::Gm {
            let why = self.for_gm_alone("fiat help");
            return self.refuse(&why);
        }
        let forms = self.start.table.game().fiat_forms();
        if forms.is_empty() {
            self.screen.tell(FAINT, "There is nothing to overrule now.")?;
            return Ok(());
        }
        for form in &forms {
            let text =
                Text::plain(format!("{}: ", form.told)).and(KEY, format!("fiat {}", fiats::usage(form)));
            self.screen.hang(&Text::plain("  "), 4, &text)?;
            for meaning in fiats::meanings(form) {
                self.screen.hang(&Text::plain("      "), 8, &Text::of(FAINT, meaning))?;
            }
        }
        let cards = self.start.table.game().cards(Viewer::Seat(seat));
        // Cards that are only text, such as a briefing, have no name to use.
        let known = self.start.table.game().names();
        let names: Vec<String> = cards
            .iter()
            .filter(|card| known.find(&card.id).is_some())
            .map(|card| format!("@{}", card.id))
            .collect();
        let hint = format!(
            "Type @gm fiat, its word and what it takes; in brackets is what may be left out. JSON will do too. Names here: {}",
            names.join(" ")
        );
        self.screen.tell(FAINT, &hint)?;
        Ok(())
    }

    /// Shows the commonest orders, or all, with an answer that can be typed now.
    fn help(&mut self, all: bool) -> Ended {
        let menu = self.listing.as_ref().map(|listing| &listing.menu);
        let example = menu.and_then(|menu| menu.example().or_else(|| menu.first_words()));
        // Its kind alone: what it can name now is for the gamemaster.
        let fiat = self.start.table.game().fiats().first().and_then(|(json, _)| json.split('"').nth(1));
        Ok(help::show(self.screen, example.as_deref(), fiat, all)?)
    }

    pub(super) fn save(&mut self, file: &str) -> Ended {
        if std::path::Path::new(file).exists() {
            return self.refuse(&format!("{file} is there already: choose another name"));
        }
        match std::fs::copy(&self.start.log, file) {
            Ok(_) => {
                self.screen.tell(FAINT, "Saved.")?;
                Ok(())
            }
            Err(e) => self.refuse(&format!("{file}: {e}")),
        }
    }

    /// Shows the reason for a refusal.
    pub(super) fn refuse(&mut self, what: &str) -> Ended {
        self.screen.hang(&Text::of(ALARM, "No: "), 4, &Text::plain(what))?;
        if self.start.strict { Err(Stop::Failed) } else { Ok(()) }
    }

    pub(super) fn refused(&mut self, error: PlayError) -> Ended {
        let PlayError::Refused(Refused { reasons }) = error else {
            return self.refuse(&error.to_string());
        };
        for reason in &reasons {
            let mut text = Text::plain(reason.what.as_ref());
            if let Some(clause) = reason.clause {
                text = text.and(FAINT, format!(" ({clause})"));
            }
            self.screen.hang(&Text::of(ALARM, "No: "), 4, &text)?;
        }
        if self.start.strict { Err(Stop::Failed) } else { Ok(()) }
    }
}

/// Shows a clause: its id, its question and its text.
fn show_rule(screen: &mut Screen, clause: Clause) -> std::io::Result<()> {
    let entry = clause.entry();
    let head = Text::of(KEY, entry.id).and(FAINT, format!(" ({}, {})", entry.section, entry.kind));
    screen.hang(&Text::plain("  "), 2, &head)?;
    if let Some(question) = entry.question {
        screen.hang(&Text::plain("    "), 4, &Text::of(FAINT, question))?;
    }
    screen.hang(&Text::plain("    "), 4, &Text::plain(clause.text()))
}

/// The answers of the row with this number, or `all` without one.
fn among(menu: &Menu, order: &str, which: &str, all: Vec<usize>) -> Result<Vec<usize>, String> {
    if which.is_empty() {
        return Ok(all);
    }
    let rows = menu.rows();
    match which.parse::<usize>().ok().and_then(|n| rows.get(n.checked_sub(1)?)) {
        Some(Row::One(at)) => Ok(vec![*at]),
        Some(Row::Many { among, .. }) => Ok(among.clone()),
        None => {
            Err(format!("{order} takes the number of a listed answer, 1 to {}, not {which:?}", rows.len()))
        }
    }
}
