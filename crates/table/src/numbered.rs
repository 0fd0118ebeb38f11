//! Ask ids that a rewind does not use again.

use fracas_kernel::{
    AnyTable, AskId, AskInfo, Board, Card, Eager, Ending, Going, Laid, Listed, Mark, Names, Now, Odds, Part,
    Pointed, Refused, Rulebook, Seat, SeatInfo, Space, Stage, Step, There, Told, Viewer, form::Form,
};
use serde_json::Value;
use std::any::Any;

/// Ids of one stretch between two rewinds. A session's own ids stay far below this, and two
/// million stretches still fit a JSON number.
const STRETCH: u64 = 1 << 32;

/// A game whose ask ids depend on the stretch: after a rewind every ask has a new id, so
/// that an answer to an ask of before is stale.
pub(crate) struct Numbered {
    game: Box<dyn AnyTable>,
    /// Rewinds so far.
    stretch: u64,
}

impl Numbered {
    pub(crate) fn new(game: Box<dyn AnyTable>, rewinds: u64) -> Numbered {
        Numbered { game, stretch: rewinds }
    }

    pub(crate) fn copy(&self) -> Numbered {
        Numbered { game: self.game.again(), stretch: self.stretch }
    }

    /// The game with the session's ids.
    pub(crate) fn inner(&self) -> &dyn AnyTable {
        self.game.as_ref()
    }

    fn outside(&self, id: AskId) -> AskId {
        AskId(id.0 + self.stretch * STRETCH)
    }

    /// The session's id; for an id of another stretch, an id that is never open.
    fn inside(&self, id: AskId) -> AskId {
        AskId(id.0.checked_sub(self.stretch * STRETCH).filter(|&id| id < STRETCH).unwrap_or(0))
    }
}

/// The session's id in any stretch, for replaying a log.
pub fn session_id(id: AskId) -> AskId {
    AskId(id.0 % STRETCH)
}

impl AnyTable for Numbered {
    fn system(&self) -> &'static str {
        self.game.system()
    }

    fn rulebook(&self) -> &'static Rulebook {
        self.game.rulebook()
    }

    fn version(&self) -> u32 {
        self.game.version()
    }

    fn seats(&self) -> Vec<SeatInfo> {
        self.game.seats()
    }

    fn names(&self) -> &Names {
        self.game.names()
    }

    fn now(&self) -> Now {
        let mut now = self.game.now();
        if let Now::Asks(asks) = &mut now {
            for ask in asks {
                ask.id = self.outside(ask.id);
            }
        }
        now
    }

    fn asks(&self) -> Vec<AskInfo> {
        let mut asks = self.game.asks();
        asks.iter_mut().for_each(|ask| ask.id = self.outside(ask.id));
        asks
    }

    fn ask_told(&self, id: AskId, who: Viewer) -> Option<Told> {
        self.game.ask_told(self.inside(id), who)
    }

    fn waits(&self, id: AskId, who: Viewer) -> &'static str {
        self.game.waits(self.inside(id), who)
    }

    fn roll_told(&self, who: Viewer) -> Told {
        self.game.roll_told(who)
    }

    fn board(&self, id: AskId, who: Viewer) -> Option<Board> {
        self.game.board(self.inside(id), who)
    }

    fn arranged(&self, id: AskId, laid: &Laid, who: Viewer) -> Result<Listed, Refused> {
        self.game.arranged(self.inside(id), laid, who)
    }

    fn reach(&self, id: AskId, who: Viewer) -> Vec<Going> {
        self.game.reach(self.inside(id), who)
    }

    fn there(&self, id: AskId, pointed: &Pointed, who: Viewer) -> Result<There<Listed>, Refused> {
        self.game.there(self.inside(id), pointed, who)
    }

    fn put(&self, token: &str, to: Space) -> Option<String> {
        self.game.put(token, to)
    }

    fn roll_odds(&self, who: Viewer) -> Option<Odds> {
        self.game.roll_odds(who)
    }

    fn odds(&self, id: AskId, answer: &str, who: Viewer) -> Option<Odds> {
        self.game.odds(self.inside(id), answer, who)
    }

    fn legal(&self, id: AskId, who: Viewer) -> Vec<Listed> {
        self.game.legal(self.inside(id), who)
    }

    fn parts(&self, id: AskId, who: Viewer) -> Vec<Vec<Part<String>>> {
        self.game.parts(self.inside(id), who)
    }

    fn count(&self, id: AskId) -> usize {
        self.game.count(self.inside(id))
    }

    fn said(&self, id: AskId) -> Vec<(Seat, String)> {
        self.game.said(self.inside(id))
    }

    fn preview(&self, id: AskId, answer: &str, who: Viewer) -> Result<Told, Refused> {
        self.game.preview(self.inside(id), answer, who)
    }

    fn check(&self, by: Seat, id: AskId, answer: &str) -> Result<(), Refused> {
        self.game.check(by, self.inside(id), answer)
    }

    fn answer(&mut self, by: Seat, id: AskId, answer: &str, show: bool) -> Result<Step, Refused> {
        let id = self.inside(id);
        self.game.answer(by, id, answer, show)
    }

    fn roll(&mut self, faces: &[u8], show: bool) -> Result<Step, Refused> {
        self.game.roll(faces, show)
    }

    fn fiat(&mut self, fiat: &str, show: bool) -> Result<Step, Refused> {
        self.game.fiat(fiat, show)
    }

    fn rename(&mut self, seat: Seat, name: &str) -> Result<(), Refused> {
        self.game.rename(seat, name)
    }

    fn fiats(&self) -> &'static [(&'static str, &'static str)] {
        self.game.fiats()
    }

    fn fiat_forms(&self) -> Vec<Form> {
        self.game.fiat_forms()
    }

    fn standings(&self) -> &'static [(&'static str, &'static str)] {
        self.game.standings()
    }

    fn standing_forms(&self) -> Vec<Form> {
        self.game.standing_forms()
    }

    fn may_stand(&self, seat: Seat, reply: &str) -> Result<(), Refused> {
        self.game.may_stand(seat, reply)
    }

    fn would_stand(&self, id: AskId, reply: &str) -> bool {
        self.game.would_stand(self.inside(id), reply)
    }

    fn stand(&mut self, seat: Seat, reply: &str, on: bool) -> Result<(), Refused> {
        self.game.stand(seat, reply, on)
    }

    fn standing(&self) -> Vec<(Seat, String)> {
        self.game.standing()
    }

    fn stands_by(&self, seat: Seat, reply: &str) -> bool {
        self.game.stands_by(seat, reply)
    }

    fn standing_told(&self, seat: Seat, reply: &str, now: bool) -> Option<String> {
        self.game.standing_told(seat, reply, now)
    }

    fn eager(&self) -> Option<Eager> {
        let mut eager = self.game.eager()?;
        eager.id = self.outside(eager.id);
        Some(eager)
    }

    fn worth(&self, seat: Seat) -> i32 {
        self.game.worth(seat)
    }

    fn restraint(&self, id: AskId, answer: &str) -> i32 {
        self.game.restraint(self.inside(id), answer)
    }

    fn cuts_in(&self, id: AskId) -> bool {
        self.game.cuts_in(self.inside(id))
    }

    fn is_grave(&self, answer: &str, who: Viewer) -> bool {
        self.game.is_grave(answer, who)
    }

    fn settles(&self, id: AskId) -> bool {
        self.game.settles(self.inside(id))
    }

    fn retraces(&self, answer: &str) -> bool {
        self.game.retraces(answer)
    }

    fn is_idle(&self, answer: &str) -> bool {
        self.game.is_idle(answer)
    }

    fn decline(&self, id: AskId) -> Option<String> {
        self.game.decline(self.inside(id))
    }

    fn carry(&self) -> Option<Value> {
        self.game.carry()
    }

    fn view(&self, who: Viewer) -> Value {
        self.game.view(who)
    }

    fn stage(&self, who: Viewer, awaited: &[Seat]) -> Stage {
        self.game.stage(who, awaited)
    }

    fn ending(&self, who: Viewer) -> Ending {
        self.game.ending(who)
    }

    fn cards(&self, who: Viewer) -> Vec<Card> {
        self.game.cards(who)
    }

    fn snapshot(&self) -> Vec<u8> {
        self.game.snapshot()
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        self.game.restore(bytes)
    }

    fn mark(&self) -> Mark {
        self.game.mark()
    }

    fn back(&mut self, mark: &Mark) {
        self.game.back(mark);
    }

    fn restore_earlier(&mut self, version: u32, bytes: &[u8], hash: &str) -> Result<(), Refused> {
        self.game.restore_earlier(version, bytes, hash)
    }

    fn learnt(&self, earlier: &[u8]) -> Vec<String> {
        self.game.learnt(earlier)
    }

    fn hash(&self) -> String {
        self.game.hash()
    }

    fn seq(&self) -> u64 {
        self.game.seq()
    }

    fn again(&self) -> Box<dyn AnyTable> {
        Box::new(self.copy())
    }

    fn imagine(&self, who: Viewer, seed: u64) -> Box<dyn AnyTable> {
        Box::new(Numbered { game: self.game.imagine(who, seed), stretch: self.stretch })
    }

    fn session(&self) -> &dyn Any {
        self.game.session()
    }
}
