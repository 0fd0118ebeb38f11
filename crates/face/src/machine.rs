//! The seats that the machine plays: which of them goes next, and what it does.

use fracas_kernel::{AnyTable, AskId, AskInfo, Duty, Now, Seat, Viewer, Who};
pub use fracas_sim::holding;
use fracas_sim::{Bot, BotKind};
use fracas_table::{Auto, PlayError, Table, Throw, What};
use std::collections::{BTreeMap, BTreeSet};

/// Answers in a row, without dice, after which the machine answers at random.
const CIRCLING: u32 = 40;
/// Answers in a row, without dice, after which somebody must step in.
const STUCK: u32 = 400;

/// The machine's seats at one table.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// What it draws from.
    pub seed: u64,
    /// Chances to react that it has had since anybody else answered.
    offered: Vec<(AskId, Seat)>,
    /// Its answers since a person answered or dice fell.
    circling: u32,
    /// What it last answered of what play waited for.
    under_way: Option<UnderWay>,
    /// Whom it lets go first.
    courtesy: Courtesy,
}

/// People who may act go before the machine, until by the game it is the machine's turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Courtesy {
    /// What the machine left open for them to act first: its seat, the kind of ask, the
    /// ask, and how far the game was.
    left: Option<(Seat, &'static str, AskId, u64)>,
}

impl Courtesy {
    /// Whether the machine answers this ask, which play waits for, at once: since it let
    /// people go first they have acted, and now it is its turn. Else it lets them.
    pub fn is_over(&mut self, game: &dyn AnyTable, seat: Seat, kind: &'static str, id: AskId) -> bool {
        let same = self.left.filter(|(whose, of, ..)| (*whose, *of) == (seat, kind));
        // What was taken back is as if nobody had acted.
        let acted = same.is_some_and(|(_, _, left, seq)| left != id && seq < game.seq());
        let over = acted && game.cuts_in(id);
        self.left = (!over).then(|| (seat, kind, id, game.seq()));
        over
    }

    /// The machine answers this kind of ask: people are let go first anew.
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
    /// Whether nothing has happened since but that dice fell of it: whoever looks on sees
    /// one deed that goes on, whatever was done out of their sight.
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

/// What the machine has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Did {
    /// It threw dice.
    Threw,
    /// It answered for this seat.
    Answered(Seat),
    /// Nothing: it waits for people.
    Nothing,
    /// Nothing, though it could go on as soon as nobody else wants to step in.
    Waits,
    /// Nothing: it goes round in circles as this seat, and a person must settle it.
    Stuck(Seat),
}

/// Whether people who may step in have had their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// They have: whoever has not stepped in does not want to.
    Spent,
    /// Not yet.
    Left,
    /// Not yet; and the machine waits whether or not anybody may, so that its
    /// waiting does not tell others that somebody can.
    Even,
}

impl Patience {
    /// Whether the machine waits, where people may step in or where none may.
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
    /// A machine that draws from this seed.
    pub fn new(seed: u64) -> Machine {
        Machine { seed, ..Machine::default() }
    }

    /// A person has answered, or gone back.
    pub fn people_moved(&mut self) {
        self.circling = 0;
        self.offered.clear();
    }

    /// Throws or answers once for one of these seats, where it is its turn.
    ///
    /// `throws` says for whose dice it throws without being asked.
    ///
    /// # Errors
    /// Where what it did could not be saved.
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
                    return Ok(Did::Nothing);
                }
                table.roll(roll.whose, Throw::Dice)?;
                self.circling = 0;
                Ok(Did::Threw)
            }
            Now::Asks(asks) => self.turn(table, bots, &asks, patience),
        }
    }

    fn turn(
        &mut self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        asks: &[AskInfo],
        patience: Patience,
    ) -> Result<Did, PlayError> {
        self.offered.retain(|(id, _)| asks.iter().any(|ask| ask.id == *id));
        let mut calls = Vec::new();
        let (mut due, mut may) = (false, false);
        for ask in asks {
            let agreed = agreed(table, ask);
            let open = || ask.who.seats().iter().filter(|seat| !agreed.contains(seat));
            let people = open().any(|seat| !bots.contains_key(&seat));
            due |= people && ask.duty == Duty::Must;
            may |= people && ask.duty == Duty::May;
            // Where any of several may answer, people come first.
            if !people || matches!(ask.who, Who::All(_)) {
                let machine = open().filter(|seat| bots.contains_key(seat));
                calls.extend(machine.map(|seat| Call { id: ask.id, kind: ask.kind, duty: ask.duty, seat }));
            }
        }
        // Chances to react come first, once each between two other answers; what
        // play waits for comes once no person has anything left to say; or at once,
        // where it goes on with what it was asked before it threw: as everybody can see,
        // so that it tells nothing of who may step in.
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

    /// Whether this is asked of it as part of what it was doing.
    fn goes_on(&self, table: &Table, call: &Call) -> bool {
        let same = self.under_way.filter(|was| (was.seat, was.kind) == (call.seat, call.kind));
        same.is_some_and(|was| was.goes_on(table))
    }

    /// Whether it is the machine's turn, though people may act.
    fn turns(&mut self, table: &Table, call: &Call) -> bool {
        self.courtesy.is_over(table.game(), call.seat, call.kind, call.id)
    }

    /// Answers an ask for every person who has let the table wait too long:
    /// declines it where that can be, else answers as the machine would in
    /// their place.
    ///
    /// # Errors
    /// Where it could not be saved.
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
            let choose = || Bot::new(BotKind::Greedy, self.seed).choose(table.game(), seat, ask.id);
            let any = || Bot::new(BotKind::Random, self.seed).choose(table.game(), seat, ask.id);
            let answer = table.game().decline(ask.id).or_else(choose).or_else(any);
            let Some(answer) = answer else { continue };
            table.answer_unasked(seat, ask.id, &answer, Auto::Late)?;
            did = Did::Answered(seat);
        }
        Ok(did)
    }

    /// Declines one ask of these seats by which, as far as they may know, nothing
    /// is to be gained.
    ///
    /// # Errors
    /// Where it could not be saved.
    pub fn decline_gainless(&self, table: &mut Table, seats: &BTreeSet<Seat>) -> Result<Did, PlayError> {
        let Now::Asks(asks) = table.game().now() else { return Ok(Did::Nothing) };
        let bot = Bot::new(BotKind::Greedy, self.seed);
        for ask in asks.iter().filter(|ask| matches!(ask.who, Who::One(_))) {
            let Some(decline) = table.game().decline(ask.id) else { continue };
            for seat in ask.who.seats().iter().filter(|seat| seats.contains(seat)) {
                if bot.choose(table.game(), seat, ask.id).is_none_or(|best| best == decline) {
                    table.answer_unasked(seat, ask.id, &decline, Auto::Gainless)?;
                    return Ok(Did::Answered(seat));
                }
            }
        }
        Ok(Did::Nothing)
    }

    /// Answers for a seat, where it has anything to say.
    fn answer(
        &mut self,
        table: &mut Table,
        bots: &BTreeMap<Seat, BotKind>,
        call: &Call,
    ) -> Result<Did, PlayError> {
        let Some(&kind) = bots.get(&call.seat) else { return Ok(Did::Nothing) };
        // Where it sees nothing to gain it can go round in circles: chance leads
        // out of them, and where it does not, somebody must.
        self.circling += 1;
        if self.circling > STUCK {
            return Ok(Did::Stuck(call.seat));
        }
        let circles = self.circling > CIRCLING && call.duty == Duty::Must;
        let kind = if circles { BotKind::Random } else { kind };
        let bot = Bot::new(kind, self.seed);
        let Some(answer) = bot.choose(table.game(), call.seat, call.id) else { return Ok(Did::Nothing) };
        table.answer(call.seat, None, call.id, &answer, None)?;
        Ok(Did::Answered(call.seat))
    }
}

/// Seats whose answer to a joint ask stands as the others' do.
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
