//! The seats that the machine plays: which of them acts next, and how.

use fracas_kernel::{AnyTable, AskId, AskInfo, Duty, Now, Seat, Viewer, Who};
pub use fracas_sim::holding;
use fracas_sim::{Bot, BotKind};
use fracas_table::{Auto, Entry, PlayError, Table, Throw, What};
use std::collections::{BTreeMap, BTreeSet};

/// After this many answers in a row without dice, the machine answers at random.
const CIRCLING: u32 = 40;
/// After this many answers in a row without dice, a person must step in.
const STUCK: u32 = 400;

/// The machine's seats at one table.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The seed of its choices.
    pub seed: u64,
    /// The chances to react that it has had since another seat answered.
    offered: Vec<(AskId, Seat)>,
    /// Its answers since a person answered or dice fell.
    circling: u32,
    /// Its last answer to an ask that play waited for.
    under_way: Option<UnderWay>,
    /// The people it lets go first.
    courtesy: Courtesy,
}

/// Lets people who may act go before the machine, until the game makes it the machine's
/// turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Courtesy {
    /// The ask that the machine left open so that people could act first: the seat, the
    /// kind of ask, the ask, and how far the game was.
    left: Option<(Seat, &'static str, AskId, u64)>,
}

impl Courtesy {
    /// Whether the machine answers this ask, which play waits for, at once: people have
    /// acted since it let them go first, and now it is its turn. Otherwise it lets them go
    /// first.
    pub fn is_over(&mut self, game: &dyn AnyTable, seat: Seat, kind: &'static str, id: AskId) -> bool {
        let same = self.left.filter(|(whose, of, ..)| (*whose, *of) == (seat, kind));
        // After a rewind it is as if nobody had acted.
        let acted = same.is_some_and(|(_, _, left, seq)| left != id && seq < game.seq());
        let over = acted && game.cuts_in(id);
        self.left = (!over).then(|| (seat, kind, id, game.seq()));
        over
    }

    /// Records that the machine answers this kind of ask: people go first again.
    pub fn answered(&mut self, seat: Seat, kind: &'static str) {
        self.left.take_if(|(whose, of, ..)| (*whose, *of) == (seat, kind));
    }
}

/// An answer that play waited for.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    seat: Seat,
    kind: &'static str,
    /// Its line in the log.
    line: u64,
}

impl UnderWay {
    /// Whether only its dice have fallen since. All viewers then see one deed that goes on,
    /// whatever was done out of their sight.
    fn goes_on(&self, table: &Table) -> bool {
        let since = table.log().records().iter().skip(self.line as usize + 1);
        let mut fell = false;
        for line in since.filter_map(|record| record.to(Viewer::Spectator)) {
            match line.what {
                What::Roll { whose, .. } if whose == self.seat => fell = true,
                What::Answer { auto: Some(_), .. } => {}
                _ => return false,
            }
        }
        fell
    }
}

/// The result of a step of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Did {
    /// It threw dice.
    Threw,
    /// It answered for this seat.
    Answered(Seat),
    /// It waits for people.
    Nothing,
    /// It can go on as soon as nobody else wants to step in.
    Waits,
    /// It answers in circles as this seat, and a person must settle the matter.
    Stuck(Seat),
}

/// Whether people who may step in have had their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// They have: those who have not stepped in do not want to.
    Spent,
    /// Not yet.
    Left,
    /// Not yet; and the machine waits whether or not anybody may step in, so that its
    /// waiting does not reveal that somebody can.
    Even,
}

impl Patience {
    /// Whether the machine waits; `may` is whether people may step in.
    fn waits(self, may: bool) -> bool {
        match self {
            Patience::Spent => false,
            Patience::Left => may,
            Patience::Even => true,
        }
    }
}

/// An ask of one of the machine's seats.
struct Call {
    id: AskId,
    kind: &'static str,
    duty: Duty,
    seat: Seat,
}

impl Machine {
    /// A machine with this seed.
    pub fn new(seed: u64) -> Machine {
        Machine { seed, ..Machine::default() }
    }

    /// Records that a person has answered or gone back.
    pub fn people_moved(&mut self) {
        self.circling = 0;
        self.offered.clear();
    }

    /// Throws or answers once for one of these seats, if it is its turn.
    ///
    /// `throws` decides for whose dice it throws without being asked.
    ///
    /// # Errors
    /// If the move could not be saved.
    pub fn step(
        &mut self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        throws: impl Fn(Seat) -> bool,
        patience: Patience,
    ) -> Result<Did, PlayError> {
        match table.game().now() {
            Now::Over => Ok(Did::Nothing),
            Now::Roll(roll) => {
                if table.log().header().seed.is_none() || !throws(roll.whose) {
                    return self.turn(table, bots, patience);
                }
                table.roll(roll.whose, Throw::Dice)?;
                self.circling = 0;
                Ok(Did::Threw)
            }
            Now::Asks(_) => self.turn(table, bots, patience),
        }
    }

    fn turn(
        &mut self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        patience: Patience,
    ) -> Result<Did, PlayError> {
        let asks = open_asks(table);
        self.offered.retain(|(id, _)| asks.iter().any(|ask| ask.id == *id));
        let mut calls = Vec::new();
        // Dice that only some see are waited for as a person is.
        let (mut due, mut may) = (matches!(table.game().now(), Now::Roll(_)), false);
        for ask in &asks {
            let agreed = agreed(table, ask);
            let open = || ask.who.seats().iter().filter(|seat| !agreed.contains(seat));
            let people = open().any(|seat| !bots.contains_key(&seat));
            due |= people && ask.duty == Duty::Must;
            may |= people && ask.duty == Duty::May;
            // If any of several seats may answer, people come first.
            if !people || matches!(ask.who, Who::All(_)) {
                let machine = open().filter(|seat| bots.contains_key(seat));
                calls.extend(machine.map(|seat| Call { id: ask.id, kind: ask.kind, duty: ask.duty, seat }));
            }
        }
        // Chances to react come first, once each between two answers of other seats. An ask
        // that play waits for comes once no person has anything left to do. It comes at
        // once if it continues the deed for which the machine threw dice: all viewers can
        // see that, so it does not reveal who may step in.
        calls.sort_by_key(|call| call.duty == Duty::Must);
        for call in &calls {
            match call.duty {
                Duty::May if self.offered.contains(&(call.id, call.seat)) => continue,
                Duty::May => self.offered.push((call.id, call.seat)),
                Duty::Must if due => continue,
                Duty::Must
                    if !self.goes_on(table, call) && patience.waits(may) && !self.turns(table, call) =>
                {
                    return Ok(Did::Waits);
                }
                Duty::Must => {
                    self.offered.clear();
                    let Call { seat, kind, .. } = *call;
                    self.courtesy.answered(seat, kind);
                    self.under_way = Some(UnderWay { seat, kind, line: table.log().next() });
                }
            }
            let did = self.answer(table, bots, call)?;
            if did != Did::Nothing {
                return Ok(did);
            }
        }
        if due || may || self.offered.is_empty() {
            return Ok(Did::Nothing);
        }
        // Only chances to react are open, and play waits for them.
        self.offered.clear();
        calls.first().map_or(Ok(Did::Nothing), |call| self.answer(table, bots, call))
    }

    /// Whether this ask continues the machine's deed.
    fn goes_on(&self, table: &Table, call: &Call) -> bool {
        let same = self.under_way.filter(|was| (was.seat, was.kind) == (call.seat, call.kind));
        same.is_some_and(|was| was.goes_on(table))
    }

    /// Whether it is the machine's turn, though people may act.
    fn turns(&mut self, table: &Table, call: &Call) -> bool {
        self.courtesy.is_over(table.game(), call.seat, call.kind, call.id)
    }

    /// Answers an ask for every person for whom the time limit has run out: declines it if
    /// possible, else answers as the machine would.
    ///
    /// # Errors
    /// If it could not be saved.
    pub fn answer_late(
        &self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        ask: &AskInfo,
    ) -> Result<Did, PlayError> {
        let agreed = agreed(table, ask);
        let late = ask.who.seats().iter().filter(|seat| !agreed.contains(seat) && !bots.contains_key(seat));
        let late: Vec<Seat> =
            if matches!(ask.who, Who::All(_)) { late.collect() } else { late.take(1).collect() };
        let mut did = Did::Nothing;
        for seat in late {
            let choose = || self.bot(BotKind::Greedy, table, seat).choose(table.game(), seat, ask.id);
            let any = || self.bot(BotKind::Random, table, seat).choose(table.game(), seat, ask.id);
            let answer = table.game().decline(ask.id).or_else(choose).or_else(any);
            let Some(answer) = answer else { continue };
            table.answer_unasked(seat, ask.id, &answer, Auto::Late)?;
            did = Did::Answered(seat);
        }
        Ok(did)
    }

    /// Declines one ask of these seats by which, as far as they may know, nothing is to be
    /// gained.
    ///
    /// # Errors
    /// If it could not be saved.
    pub fn decline_gainless(&self, table: &mut Table, seats: &BTreeSet<Seat>) -> Result<Did, PlayError> {
        for ask in open_asks(table).iter().filter(|ask| matches!(ask.who, Who::One(_))) {
            let Some(decline) = table.game().decline(ask.id) else { continue };
            for seat in ask.who.seats().iter().filter(|seat| seats.contains(seat)) {
                let bot = self.bot(BotKind::Greedy, table, seat);
                if bot.choose(table.game(), seat, ask.id).is_none_or(|best| best == decline) {
                    table.answer_unasked(seat, ask.id, &decline, Auto::Gainless)?;
                    return Ok(Did::Answered(seat));
                }
            }
        }
        Ok(Did::Nothing)
    }

    /// A bot of this kind for a seat. Its chance comes from what the seat has answered so far:
    /// what others do unseen does not change it.
    fn bot(&self, kind: BotKind, table: &Table, seat: Seat) -> Bot {
        let answers = table.log().live().filter(|record| match &record.entry {
            Entry::Answer(answer) => answer.seat() == seat,
            _ => false,
        });
        Bot::new(kind, self.seed).at(answers.count() as u64)
    }

    /// Answers for a seat, if the bot has an answer.
    fn answer(
        &mut self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        call: &Call,
    ) -> Result<Did, PlayError> {
        let Some(&kind) = bots.get(&call.seat) else { return Ok(Did::Nothing) };
        // A bot that sees nothing to gain can go round in circles. Random answers lead out
        // of them; if they do not, a person must.
        self.circling += 1;
        if self.circling > STUCK {
            return Ok(Did::Stuck(call.seat));
        }
        let circles = self.circling > CIRCLING && call.duty == Duty::Must;
        let kind = if circles { BotKind::Random } else { kind };
        let bot = self.bot(kind, table, call.seat);
        let Some(answer) = bot.choose(table.game(), call.seat, call.id) else { return Ok(Did::Nothing) };
        table.answer(call.seat, None, call.id, &answer, None)?;
        Ok(Did::Answered(call.seat))
    }
}

/// The open asks; if dice are due, the asks to seats that do not see them.
fn open_asks(table: &Table) -> Vec<AskInfo> {
    let mut asks = table.game().asks();
    if let Now::Roll(roll) = table.game().now() {
        asks.retain(|ask| ask.who.seats().iter().all(|seat| !roll.seen.by(Viewer::Seat(seat))));
    }
    asks
}

/// The seats whose answer to a joint ask agrees with the others'.
pub fn agreed(table: &Table, ask: &AskInfo) -> Vec<Seat> {
    if !matches!(ask.who, Who::All(_)) {
        return Vec::new();
    }
    let said = table.game().said(ask.id);
    match said.last() {
        Some((_, last)) => said.iter().filter(|(_, a)| a == last).map(|(seat, _)| *seat).collect(),
        None => Vec::new(),
    }
}

/// The seats that an ask still waits for.
pub fn awaited(table: &Table, ask: &AskInfo) -> Vec<Seat> {
    let agreed = agreed(table, ask);
    ask.who.seats().iter().filter(|seat| !agreed.contains(seat)).collect()
}

/// The asks that hold play up, each with the seats it waits for, as a viewer may know.
///
/// If only chances to step in are open, play waits until each is declined. Other viewers
/// do not learn that the gamemaster has such a chance besides players: what they know
/// would not show it. Once no player is left, everybody can tell.
pub fn holding_to<'a>(table: &Table, asks: &'a [AskInfo], who: Viewer) -> Vec<(&'a AskInfo, Vec<Seat>)> {
    let open = holding(table.game(), asks).into_iter().map(|ask| (ask, awaited(table, ask)));
    let open: Vec<_> = open.filter(|(_, seats)| !seats.is_empty()).collect();
    let is_players = |(_, seats): &(&AskInfo, Vec<Seat>)| seats.iter().any(|seat| *seat != Seat::Gm);
    let quiet = !who.is_gm() && open.iter().any(is_players);
    let is_told = |held: &(&AskInfo, Vec<Seat>)| !quiet || held.0.duty == Duty::Must || is_players(held);
    open.into_iter().filter(is_told).collect()
}

/// The seats that play waits for, as a viewer may know.
pub fn waited_for(table: &Table, who: Viewer) -> Vec<Seat> {
    match table.game().now_to(who) {
        Now::Over => Vec::new(),
        Now::Roll(roll) if roll.seen.by(who) && roll.whose != Seat::Chance => vec![roll.whose],
        Now::Roll(_) => vec![Seat::Gm],
        Now::Asks(asks) => {
            let mut seats: Vec<Seat> = Vec::new();
            for seat in holding_to(table, &asks, who).into_iter().flat_map(|(_, seats)| seats) {
                if !seats.contains(&seat) {
                    seats.push(seat);
                }
            }
            seats
        }
    }
}
