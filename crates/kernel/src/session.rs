//! One game being played: ids on asks, joint answers, standing replies.

use crate::{
    Ask, Asks, Faces, FacesError, Game, MAX_ASKS, Open, Refused, Roll, Seat, SeatInfo, SeatSet, Seen, Sink,
    Slot, Viewer, Who,
};
use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Names one ask from when it opened until it is answered or falls away.
///
/// It survives other seats' answers while who is asked and what is asked stay
/// the same; an answer to an id that is no longer open is refused as stale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[derive(Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(transparent)]
pub struct AskId(pub u64);

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Stands for an ask that has just been answered; never given out.
const ANSWERED: AskId = AskId(0);

/// The asks that stay open beside the dice that are due.
fn beside<G: Game>(rules: &G::Rules, state: &G::State, open: &Open<G>) -> Asks<G::Prompt> {
    match open {
        Open::Roll(roll) if roll.seen != Seen::Openly => G::beside(rules, state),
        _ => Asks::new(),
    }
}

/// The effect of an accepted answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answered {
    /// The game moved on.
    Moved,
    /// Noted; these seats have yet to give the same answer.
    Waiting(SeatSet),
}

/// A game being played.
pub struct Session<G: Game> {
    rules: G::Rules,
    now: Moment<G>,
}

/// A moment of a session, to go back to; see [`Session::mark`].
pub struct Moment<G: Game> {
    state: G::State,
    open: Open<G>,
    /// The asks that stay open beside dice that not everybody sees; see [`Game::beside`].
    beside: Asks<G::Prompt>,
    ids: ArrayVec<AskId, MAX_ASKS>,
    /// Accepted answers, rolls and fiats so far.
    seq: u64,
    /// The answers of single seats to asks that need all of several.
    said: Vec<(AskId, Seat, G::Answer)>,
    standing: Vec<(Seat, G::Standing)>,
}

impl<G: Game> Clone for Session<G> {
    fn clone(&self) -> Self {
        Session { rules: self.rules.clone(), now: self.now.clone() }
    }
}

impl<G: Game> Clone for Moment<G> {
    fn clone(&self) -> Self {
        Moment {
            state: self.state.clone(),
            open: self.open.clone(),
            beside: self.beside.clone(),
            ids: self.ids.clone(),
            seq: self.seq,
            said: self.said.clone(),
            standing: self.standing.clone(),
        }
    }

    // A bot goes back to a moment for every answer that it weighs: memory is used again.
    fn clone_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.open.clone_from(&other.open);
        self.beside.clone_from(&other.beside);
        self.ids.clone_from(&other.ids);
        self.seq = other.seq;
        self.said.clone_from(&other.said);
        self.standing.clone_from(&other.standing);
    }
}

impl<G: Game> Session<G> {
    /// A session from rules and a state, as [`Game::start`] gives them.
    pub fn new(rules: G::Rules, state: G::State) -> Self {
        let now = Moment {
            state,
            open: Open::Over,
            beside: Asks::new(),
            ids: ArrayVec::new(),
            seq: 0,
            said: Vec::new(),
            standing: Vec::new(),
        };
        let mut session = Session { rules, now };
        session.reopen();
        session
    }

    /// The rules at this table.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// The moment.
    pub fn state(&self) -> &G::State {
        &self.now.state
    }

    /// The open asks, the roll that is due, or the end.
    pub fn open(&self) -> &Open<G> {
        &self.now.open
    }

    /// Accepted answers, rolls and fiats so far.
    pub fn seq(&self) -> u64 {
        self.now.seq
    }

    /// The open asks with their ids, in canonical order: also those that stay open beside
    /// dice, see [`Game::beside`].
    pub fn asks(&self) -> impl Iterator<Item = (AskId, Slot, &Ask<G::Prompt>)> {
        self.now.ids.iter().zip(self.asked()).enumerate().map(|(i, (&id, ask))| (id, Slot(i as u8), ask))
    }

    fn asked(&self) -> &[Ask<G::Prompt>] {
        if self.due().is_some() { &self.now.beside } else { self.now.open.asks() }
    }

    /// The open ask with this id.
    pub fn ask(&self, id: AskId) -> Option<(Slot, &Ask<G::Prompt>)> {
        self.asks().find(|(i, ..)| *i == id).map(|(_, slot, ask)| (slot, ask))
    }

    /// The answers that seats have given to an ask that waits for other seats.
    pub fn said(&self, id: AskId) -> impl Iterator<Item = (Seat, &G::Answer)> {
        self.now.said.iter().filter(move |(i, ..)| *i == id).map(|(_, seat, answer)| (*seat, answer))
    }

    /// Works out what is open, keeping the ids of asks that stay the same.
    fn reopen(&mut self) {
        let mut open = G::open(&self.rules, &self.now.state);
        let mut kept: ArrayVec<_, MAX_ASKS> = self
            .now
            .ids
            .iter()
            .copied()
            .zip(self.asked().iter().copied())
            .filter(|(id, _)| *id != ANSWERED)
            .collect();
        if let Open::Asks(asks) = &mut open {
            let stays = |said: AskId| kept.iter().any(|(id, old)| *id == said && asks.contains(old));
            let said: SeatSet =
                self.now.said.iter().filter(|(id, ..)| stays(*id)).map(|(_, seat, _)| *seat).collect();
            let waits = |ask: &Ask<G::Prompt>| said.iter().all(|seat| ask.who.seats().contains(seat));
            asks.retain(|ask| !G::follows_a_word(&ask.prompt) || !waits(ask));
        }
        self.now.beside = beside::<G>(&self.rules, &self.now.state, &open);
        self.now.open = open;
        let mut ids = ArrayVec::new();
        for (i, ask) in self.asked().iter().enumerate() {
            let same = kept.iter().position(|(_, old)| old.who == ask.who && old.prompt == ask.prompt);
            ids.push(match same {
                Some(at) => kept.remove(at).0,
                None => AskId(self.now.seq * MAX_ASKS as u64 + i as u64 + 1),
            });
        }
        self.now.said.retain(|(id, ..)| ids.contains(id));
        self.now.ids = ids;
    }

    /// Whether `by` may give this answer to this ask now.
    ///
    /// # Errors
    /// A stale id, somebody else's ask, or every reason the game has.
    pub fn check(&self, by: Seat, id: AskId, answer: G::Answer) -> Result<crate::Move<G>, Refused> {
        let Some((slot, ask)) = self.ask(id) else {
            let sees_dice = |roll: &Roll<G::Fold>| roll.seen.by(Viewer::Seat(by));
            return Err(Refused::form(if self.due().is_some_and(sees_dice) {
                "dice are due: nothing else can be answered before they fall"
            } else {
                "that ask is no longer open: look at what is asked now"
            }));
        };
        if !ask.who.seats().contains(by) {
            let whose: Vec<_> = ask.who.seats().iter().map(|s| s.to_string()).collect();
            return Err(Refused::form(format!("that is asked of {}, not of {by}", whose.join(", "))));
        }
        G::check(&self.rules, &self.now.state, slot, answer)
    }

    /// Answers an ask. A refused answer changes nothing.
    ///
    /// # Errors
    /// As [`Session::check`].
    pub fn answer(
        &mut self,
        by: Seat,
        id: AskId,
        answer: G::Answer,
        sink: &mut impl Sink<G::Event>,
    ) -> Result<Answered, Refused> {
        let mv = self.check(by, id, answer)?;
        if let Some((_, Ask { who: Who::All(all), .. })) = self.ask(id) {
            let all = *all;
            self.now.said.retain(|(i, seat, _)| !(*i == id && *seat == by));
            self.now.said.push((id, by, answer));
            let missing: SeatSet = all
                .iter()
                .filter(|&seat| !self.now.said.iter().any(|(i, s, a)| *i == id && *s == seat && *a == answer))
                .collect();
            if !missing.is_empty() {
                self.moved();
                return Ok(Answered::Waiting(missing));
            }
        }
        G::apply(&self.rules, &mut self.now.state, mv, sink);
        // Should the same be asked again at once, it is another ask.
        if let Some(answered) = self.now.ids.iter_mut().find(|open| **open == id) {
            *answered = ANSWERED;
        }
        self.moved();
        Ok(Answered::Moved)
    }

    fn moved(&mut self) {
        self.now.seq += 1;
        self.reopen();
    }

    /// The roll that is due.
    pub fn due(&self) -> Option<&Roll<G::Fold>> {
        match &self.now.open {
            Open::Roll(roll) => Some(roll),
            _ => None,
        }
    }

    /// Answers the roll with faces in the order of the dice.
    ///
    /// # Errors
    /// Where no roll is due, or the faces cannot fall.
    pub fn roll(&mut self, faces: &[u8], sink: &mut impl Sink<G::Event>) -> Result<(), Refused> {
        let Open::Roll(roll) = &self.now.open else {
            return Err(Refused::form("no dice are due"));
        };
        roll.fits(faces).map_err(|e: FacesError| Refused::form(e.to_string()))?;
        let mut sorted: Faces = faces.iter().copied().collect();
        roll.sort(&mut sorted);
        let rolled = roll.classify(&sorted);
        G::roll(&self.rules, &mut self.now.state, rolled, sink);
        self.moved();
        Ok(())
    }

    /// The gamemaster overrules the engine. A refused fiat changes nothing.
    ///
    /// # Errors
    /// As [`Game::fiat`].
    pub fn fiat(&mut self, fiat: &G::Fiat, sink: &mut impl Sink<G::Event>) -> Result<(), Refused> {
        let (mut rules, mut state) = (self.rules.clone(), self.now.state.clone());
        G::fiat(&mut rules, &mut state, fiat, sink)?;
        (self.rules, self.now.state) = (rules, state);
        self.moved();
        Ok(())
    }

    /// Calls a player's seat otherwise. Nothing else changes.
    ///
    /// # Errors
    /// Where there is no such player.
    pub fn rename(&mut self, seat: Seat, name: &str) -> Result<(), Refused> {
        let is_player = |info: &SeatInfo| info.seat == seat && seat != Seat::Gm;
        if !G::seats(&self.rules).iter().any(is_player) {
            return Err(Refused::form(format!("{seat} is no player at this table")));
        }
        G::rename(&mut self.rules, seat, name);
        Ok(())
    }

    /// The standing replies of each seat, without those that have [lapsed](Game::lapsed).
    pub fn standing(&self) -> impl Iterator<Item = (Seat, G::Standing)> + '_ {
        let holds = |(_, reply): &&(Seat, G::Standing)| !G::lapsed(&self.rules, &self.now.state, *reply);
        self.now.standing.iter().filter(holds).copied()
    }

    /// Whether a seat may stand by a reply now.
    ///
    /// # Errors
    /// Where the game says no, see [`Game::may_stand`], or what the reply is for is over.
    pub fn may_stand(&self, seat: Seat, reply: G::Standing) -> Result<(), Refused> {
        G::may_stand(&self.rules, seat, reply)?;
        let reply = G::written_out(&self.rules, &self.now.state, reply);
        if G::lapsed(&self.rules, &self.now.state, reply) {
            return Err(Refused::form("what this reply is for is over: it would answer nothing"));
        }
        Ok(())
    }

    /// Adds a standing reply, [written out](Game::written_out), as the last, or takes it back.
    pub fn stand(&mut self, seat: Seat, reply: G::Standing, on: bool) {
        let reply = G::written_out(&self.rules, &self.now.state, reply);
        if !on {
            self.now.standing.retain(|stands| *stands != (seat, reply));
            return;
        }
        let kept: Vec<_> = self.standing().filter(|stands| *stands != (seat, reply)).collect();
        self.now.standing = kept;
        self.now.standing.push((seat, reply));
    }

    /// The next answer that nobody need be asked for: a standing reply, or the
    /// decline of an ask where declining is all there is, see [`Game::asked_in_sight`].
    pub fn eager(&self) -> Option<(Seat, AskId, G::Answer)> {
        self.asks().find_map(|(id, slot, ask)| {
            let Who::One(seat) = ask.who else { return None };
            let stands = self.now.standing.iter().filter(|(s, _)| *s == seat);
            let said = stands
                .filter_map(|(_, reply)| G::standing(&self.rules, &self.now.state, slot, *reply))
                .next();
            let in_sight = seat == Seat::Gm && G::asked_in_sight(&ask.prompt);
            let answer = said.or_else(|| {
                let decline = G::decline(&self.rules, &self.now.state, slot)?;
                let mut others = false;
                G::legal(&self.rules, &self.now.state, slot, &mut |a| others |= a != decline);
                (!others && !in_sight).then_some(decline)
            })?;
            G::check(&self.rules, &self.now.state, slot, answer).ok()?;
            Some((seat, id, answer))
        })
    }

    /// The same table as `who` might imagine it: what is hidden from `who` is
    /// made up anew by [`Game::scramble`], all else is as it was. Looking ahead
    /// through it tells a seat nothing that the seat may not know.
    pub fn imagine(&self, who: Viewer, seed: u64) -> Self {
        let mut other = self.clone();
        if !who.is_gm() {
            G::scramble(&mut other.rules, &mut other.now.state, who, seed);
            other.reopen();
        }
        other
    }

    /// The moment as bytes: state, ids and what has been said.
    pub fn snapshot(&self) -> Vec<u8> {
        let said: Vec<(AskId, Seat, Vec<u8>)> = self
            .now
            .said
            .iter()
            .map(|(id, seat, a)| (*id, *seat, serde_json::to_vec(a).unwrap_or_default()))
            .collect();
        let ids: Vec<AskId> = self.now.ids.to_vec();
        borsh::to_vec(&(&self.now.state, self.now.seq, ids, said)).unwrap_or_default()
    }

    /// A copy of this moment. A snapshot is for storage; this is quicker, and stays in memory.
    pub fn mark(&self) -> Moment<G> {
        self.now.clone()
    }

    /// Goes back to a moment that [`Session::mark`] gave, under these rules.
    pub fn back(&mut self, moment: &Moment<G>) {
        self.now.clone_from(moment);
    }

    /// Goes to a moment that [`Session::snapshot`] gave, under these rules.
    ///
    /// # Errors
    /// Where the bytes are not such a snapshot.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        type Kept<S> = (S, u64, Vec<AskId>, Vec<(AskId, Seat, Vec<u8>)>);
        let (state, seq, ids, said): Kept<G::State> = borsh::from_slice(bytes)
            .map_err(|_| Refused::form("the snapshot is damaged, or of another version of the rules"))?;
        let mut open = G::open(&self.rules, &state);
        if let Open::Asks(asks) = &mut open
            && ids.len() < asks.len()
        {
            // Asks that nobody's word had opened yet.
            asks.retain(|ask| !G::follows_a_word(&ask.prompt));
        }
        let mut beside = beside::<G>(&self.rules, &state, &open);
        if ids.is_empty() {
            // Earlier rules asked nothing beside dice.
            beside.clear();
        }
        let said: Option<Vec<_>> = said
            .into_iter()
            .map(|(id, seat, a)| Some((id, seat, serde_json::from_slice(&a).ok()?)))
            .collect();
        let (Some(said), true) = (said, ids.len() == open.asks().len() + beside.len()) else {
            return Err(Refused::form("the snapshot does not fit these rules"));
        };
        let (ids, standing) = (ids.into_iter().collect(), std::mem::take(&mut self.now.standing));
        self.now = Moment { state, open, beside, ids, seq, said, standing };
        Ok(())
    }

    /// Goes to a moment that [`Session::snapshot`] gave under an earlier version of the
    /// rules. `hash` is the SHA-256 of its state then, by which the state's end is found.
    /// Called on a session at its start.
    ///
    /// # Errors
    /// Where the bytes are not such a snapshot, or these rules cannot go on from it.
    pub fn restore_earlier(&mut self, version: u32, bytes: &[u8], hash: [u8; 32]) -> Result<(), Refused> {
        let unreadable =
            || Refused::form(format!("these rules cannot go on from a snapshot of version {version}"));
        let lacking = G::lacking(version).ok_or_else(unreadable)?;
        let mut read = Sha256::new();
        let ends = |end: &usize| {
            read.update(&bytes[end.saturating_sub(1)..*end]);
            <[u8; 32]>::from(read.clone().finalize()) == hash
        };
        let end = (0..=bytes.len()).find(ends).ok_or_else(unreadable)?;
        let start = self.now.state.clone();
        self.restore(&[&bytes[..end], lacking, &bytes[end..]].concat())?;
        if !G::catch_up(&self.rules, &start, &mut self.now.state, version) {
            return Err(unreadable());
        }
        self.reopen();
        Ok(())
    }

    /// SHA-256 of the state: equal states have equal hashes on every machine.
    pub fn hash(&self) -> [u8; 32] {
        let bytes = borsh::to_vec(&self.now.state).unwrap_or_default();
        Sha256::digest(bytes).into()
    }
}
