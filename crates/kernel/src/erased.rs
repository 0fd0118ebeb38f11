//! A session with the game's types erased: JSON text in, JSON text out.
//!
//! Written once for all games. JSON here uses names (`"@gatewarden"`), see
//! [`crate::Names`]. Everything that goes to a viewer passes through that
//! viewer's own projection.

use crate::overruled::Ruled;
use crate::{
    Answered, AskId, Board, Card, Clause, Dice, Duty, Ending, Game, Going, Hidden, Label, LabelError, Laid,
    Masked, Names, Odds, Open, Part, Pointed, Question, Refused, Rulebook, Said, Seat, SeatInfo, Seen,
    Session, Setup, Slot, Space, Stage, There, Told, Values, Viewer, Who, Words, document::Faults,
    form::Form, odds, said,
};
use borsh::BorshDeserialize;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::any::Any;

/// A system that a table can be opened with: what a registry lists.
#[derive(Clone, Copy)]
pub struct System {
    /// The system's id.
    pub id: &'static str,
    /// Raised whenever the same answers may lead elsewhere than before, or are told in
    /// other words; see [`Game::VERSION`].
    pub version: u32,
    /// The list of those whom the gamemaster plays; see [`Game::OTHERS`].
    pub others: &'static str,
    /// Whether it matters which of several dice shows a face; see [`Game::ORDERED`].
    pub ordered: bool,
    /// Every clause of the system.
    pub rulebook: fn() -> &'static Rulebook,
    /// Opens a table, or gives every fault of the setup.
    pub start: fn(&Setup) -> Result<Box<dyn AnyTable>, Faults>,
    /// Finds every fault in the entries of a library; see [`Game::library`].
    pub library: fn(&Setup) -> Result<(), Faults>,
    /// Every kind of prompt there is.
    pub kinds: fn() -> &'static [&'static str],
    /// Words for waiting, by kind of prompt; see [`Words::awaited`].
    pub awaited: fn() -> &'static [(&'static str, &'static str)],
    /// The fields of events that players and spectators are sent; see [`Words::said`].
    pub said: fn() -> Said,
    /// Documents to begin one's own from; see [`Game::templates`].
    pub templates: fn() -> &'static [(&'static str, &'static str)],
    /// The questions about odds that it answers without a table; see [`Words::questions`].
    pub questions: fn() -> &'static [Question],
    /// The answer to one of them; see [`Words::answers`].
    pub answers: fn(&'static str, &Values) -> Result<Odds, String>,
}

impl System {
    /// Words for waiting on this kind of prompt, to follow "for Ana"; `None` if the game has none.
    pub fn awaited(&self, kind: &str) -> Option<&'static str> {
        (self.awaited)().iter().find(|(of, _)| *of == kind).map(|(_, told)| *told)
    }
}

/// The registry's entry for a game.
pub const fn system_of<G: Words>() -> System {
    System {
        id: G::ID,
        version: G::VERSION,
        others: G::OTHERS,
        ordered: G::ORDERED,
        rulebook: G::rulebook,
        start: |setup| {
            let (rules, state) = G::start(setup)?;
            Ok(Box::new(Session::<G>::new(rules, state)))
        },
        library: G::library,
        kinds: G::kinds,
        awaited: G::awaited,
        said: G::said,
        templates: G::templates,
        questions: G::questions,
        answers: |question, values| Ok(G::answers(question, values)?.with_totals(G::in_all)),
    }
}

/// The open asks, the roll that is due, or the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Now {
    /// The game is over.
    Over,
    /// Dice are due.
    Roll(RollInfo),
    /// Seats are asked.
    Asks(Vec<AskInfo>),
}

/// Dice that are due.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RollInfo {
    /// Whose they are.
    pub whose: Seat,
    /// Who may see the faces.
    pub seen: Seen,
    /// Which dice.
    pub dice: Dice,
}

/// An open ask.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AskInfo {
    /// Its id.
    pub id: AskId,
    /// Who is asked.
    pub who: Who,
    /// Whether play waits for it.
    pub duty: Duty,
    /// The kind of prompt.
    pub kind: &'static str,
    /// The prompt, as JSON.
    pub prompt: String,
}

/// A listed answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Listed {
    /// The answer, as JSON.
    pub answer: String,
    /// In words.
    pub told: Told,
    /// How the ask's board lies with it, where it is given by laying.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laid: Option<Laid>,
    /// Whether it means nothing until its player says what they do; see
    /// [`Words::needs_words`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_words: bool,
}

impl Listed {
    /// The answer with the caller's label in place of the label that the game
    /// proposes, as JSON; see [`Told::free`].
    ///
    /// # Errors
    /// Where the answer has no label to be worded otherwise, or these words
    /// cannot be a [`Label`].
    pub fn in_own_words(&self, words: &str) -> Result<String, Refused> {
        let label: Label = words.parse().map_err(|e: LabelError| Refused::form(e.to_string()))?;
        let mut answer: Value = serde_json::from_str(&self.answer).unwrap_or_default();
        match self.told.free.and_then(|place| answer.pointer_mut(place)) {
            Some(Value::String(proposed)) => {
                *proposed = label.to_string();
                Ok(answer.to_string())
            }
            _ => Err(Refused::form("that answer has no place for words of your own")),
        }
    }
}

/// An event as everybody was shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Shown {
    /// The event, as JSON: for the gamemaster, the log and scenarios only.
    pub event: String,
    /// The gamemaster's words.
    pub gm: ShownTo,
    /// The words of other viewers, where they differ; `None` if the viewer is told nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<(String, Option<ShownTo>)>,
}

/// An event as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownTo {
    /// The line.
    pub text: String,
    /// The clause behind it, as this viewer may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// A story begins a new paragraph here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opens: bool,
    /// Nothing but a step of the viewer's own: see [`Game::retraces`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
    /// How something came about, not what happened: a story folds it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub working: bool,
}

impl From<Told> for ShownTo {
    fn from(told: Told) -> Self {
        let Told { text, clause, opens, step, working, .. } = told;
        ShownTo { text, clause, opens, step, working }
    }
}

impl Shown {
    /// The words for this viewer; `None` if the viewer is told nothing.
    pub fn to(&self, who: Viewer) -> Option<&ShownTo> {
        let name = who.to_string();
        match self.others.iter().find(|(viewer, _)| *viewer == name) {
            Some((_, shown)) => shown.as_ref(),
            None => Some(&self.gm),
        }
    }
}

/// The result of an accepted answer, roll or fiat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whether the game moved.
    pub answered: Answered,
    /// The answer or fiat as the game read it, as JSON with names.
    pub said: String,
    /// The events in order; empty if the caller did not ask for them.
    pub shown: Vec<Shown>,
}

/// An answer that nobody need be asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Eager {
    /// Whose.
    pub seat: Seat,
    /// To which ask.
    pub id: AskId,
    /// The answer, as JSON.
    pub answer: String,
}

/// A game being played, of any type.
pub trait AnyTable: Send + Sync {
    /// The system's id.
    fn system(&self) -> &'static str;
    /// The system's rulebook.
    fn rulebook(&self) -> &'static Rulebook;
    /// The version of the rules.
    fn version(&self) -> u32;
    /// The seats, the gamemaster first.
    fn seats(&self) -> Vec<SeatInfo>;
    /// The names an answer may use.
    fn names(&self) -> &Names;
    /// What is open now.
    fn now(&self) -> Now;
    /// Everything that is asked now: also what stays asked beside dice that not everybody
    /// sees; see [`Game::beside`].
    fn asks(&self) -> Vec<AskInfo>;
    /// What is open now, as far as this viewer may know. If unseen dice are due, these are the
    /// asks that stay open beside them.
    fn now_to(&self, who: Viewer) -> Now {
        match self.now() {
            Now::Roll(roll) if !roll.seen.by(who) => match self.asks() {
                asks if asks.is_empty() => Now::Roll(roll),
                asks => Now::Asks(asks),
            },
            now => now,
        }
    }
    /// The words of an ask; `None` if the ask is not open any more.
    fn ask_told(&self, id: AskId, who: Viewer) -> Option<Told>;
    /// The kind of ask that somebody who is not asked is told play waits for; empty
    /// where it is no longer open. See [`Words::waits`].
    fn waits(&self, id: AskId, who: Viewer) -> &'static str;
    /// Why dice are due, in words.
    fn roll_told(&self, who: Viewer) -> Told;
    /// Dice or points by which an ask can be answered; see [`Words::board`].
    fn board(&self, id: AskId, who: Viewer) -> Option<Board>;
    /// The answer that a laying means, with what it leads to, listed or not.
    ///
    /// # Errors
    /// Where it is no laying of the ask's board, or as [`AnyTable::check`].
    fn arranged(&self, id: AskId, laid: &Laid, who: Viewer) -> Result<Listed, Refused>;
    /// Where those can go who may move by an answer to the ask; see [`Words::reach`].
    fn reach(&self, id: AskId, who: Viewer) -> Vec<Going>;
    /// What a space is like for somebody who may act by an answer to the ask; see [`Words::there`].
    ///
    /// # Errors
    /// Where nobody by that name may act, or there is no such space.
    fn there(&self, id: AskId, pointed: &Pointed, who: Viewer) -> Result<There<Listed>, Refused>;
    /// The fiat by which the gamemaster puts a token into a space, as JSON; see [`Words::put`].
    fn put(&self, token: &str, to: Space) -> Option<String>;
    /// The odds of the roll that is due, as far as `who` may know them.
    fn roll_odds(&self, who: Viewer) -> Option<Odds>;
    /// The odds of what chance has still to say to an answer; see [`Words::odds`].
    fn odds(&self, id: AskId, answer: &str, who: Viewer) -> Option<Odds>;
    /// The answers that make sense, with what each leads to.
    fn legal(&self, id: AskId, who: Viewer) -> Vec<Listed>;
    /// The parts of each listed answer, in the order of the list; see [`Words::parts`].
    fn parts(&self, id: AskId, who: Viewer) -> Vec<Vec<Part<String>>>;
    /// How many answers [`AnyTable::legal`] would list.
    fn count(&self, id: AskId) -> usize;
    /// The answers that seats have given to an ask that waits for other seats.
    fn said(&self, id: AskId) -> Vec<(Seat, String)>;
    /// One answer in words, whether or not it is listed.
    ///
    /// # Errors
    /// As [`AnyTable::check`].
    fn preview(&self, id: AskId, answer: &str, who: Viewer) -> Result<Told, Refused>;
    /// Whether this answer would be accepted.
    ///
    /// # Errors
    /// Every reason against it.
    fn check(&self, by: Seat, id: AskId, answer: &str) -> Result<(), Refused>;
    /// Answers an ask. With `show` false no events are put into words.
    ///
    /// # Errors
    /// As [`AnyTable::check`]; then nothing has changed.
    fn answer(&mut self, by: Seat, id: AskId, answer: &str, show: bool) -> Result<Step, Refused>;
    /// Answers the roll that is due with faces in the order of its dice.
    ///
    /// # Errors
    /// Where no roll is due, or the faces cannot fall.
    fn roll(&mut self, faces: &[u8], show: bool) -> Result<Step, Refused>;
    /// The gamemaster overrules the engine.
    ///
    /// # Errors
    /// The parts of the fiat that cannot be; nothing has changed then.
    fn fiat(&mut self, fiat: &str, show: bool) -> Result<Step, Refused>;
    /// Calls a player's seat otherwise; see [`Session::rename`].
    ///
    /// # Errors
    /// Where there is no such player.
    fn rename(&mut self, seat: Seat, name: &str) -> Result<(), Refused>;
    /// Examples of fiats: JSON and meaning.
    fn fiats(&self) -> &'static [(&'static str, &'static str)];
    /// Fiats as forms to fill in: those that can be, now; see [`Words::fiat_forms`].
    fn fiat_forms(&self) -> Vec<Form>;
    /// Examples of standing replies: JSON and meaning.
    fn standings(&self) -> &'static [(&'static str, &'static str)];
    /// Standing replies as forms to fill in, one for each example.
    fn standing_forms(&self) -> Vec<Form>;
    /// Whether a seat may stand by a reply (JSON).
    ///
    /// # Errors
    /// Where it is not one of the game's standing replies, or not that seat's.
    fn may_stand(&self, seat: Seat, reply: &str) -> Result<(), Refused>;
    /// Whether this standing reply (JSON), given by the seat that is asked, would
    /// answer this very ask. Looks at nothing else that is open, so that it tells that
    /// seat nothing of what others are asked.
    fn would_stand(&self, id: AskId, reply: &str) -> bool;
    /// Adds a standing reply (JSON), written out ([`Game::written_out`]) and as the last of
    /// [`AnyTable::standing`], or takes it back.
    ///
    /// # Errors
    /// Where it is not one of the game's standing replies; where it is to be
    /// added, as [`AnyTable::may_stand`] too.
    fn stand(&mut self, seat: Seat, reply: &str, on: bool) -> Result<(), Refused>;
    /// The standing replies that still hold, as JSON.
    fn standing(&self) -> Vec<(Seat, String)>;
    /// Whether a seat stands by a reply (JSON), as it is [written out](Game::written_out) now.
    fn stands_by(&self, seat: Seat, reply: &str) -> bool;
    /// A seat's standing reply (JSON) in words of the game's own; see [`Words::standing_told`].
    fn standing_told(&self, seat: Seat, reply: &str, now: bool) -> Option<String>;
    /// The next answer that nobody need be asked for.
    fn eager(&self) -> Option<Eager>;
    /// How well things stand for a seat; see [`Game::worth`].
    fn worth(&self, seat: Seat) -> i32;
    /// The answer that declines an ask, where that is possible; see [`Game::decline`].
    fn decline(&self, id: AskId) -> Option<String>;
    /// Whether an answer to this ask settles dice that have fallen; see [`Game::settles`].
    fn settles(&self, id: AskId) -> bool;
    /// Whether a player may take an answer (JSON) back while nothing but steps came of it; see
    /// [`Game::retraces`].
    fn retraces(&self, answer: &str) -> bool;
    /// Whether an answer (JSON) does nothing where something could be done; see [`Game::is_idle`].
    fn is_idle(&self, answer: &str) -> bool;
    /// The reluctance of a good player to give an answer; see [`Game::restraint`].
    fn restraint(&self, id: AskId, answer: &str) -> i32;
    /// Whether it is the asked side's turn, though others may act; see [`Game::cuts_in`].
    fn cuts_in(&self, id: AskId) -> bool;
    /// Whether people are asked once more before they give this answer, as JSON; see
    /// [`Game::is_grave`]. `who` reads the names in it.
    fn is_grave(&self, answer: &str, who: Viewer) -> bool;
    /// The players' characters as they go into another evening; see [`Game::carry`].
    fn carry(&self) -> Option<serde_json::Value>;
    /// The view of `who`, as JSON.
    fn view(&self, who: Viewer) -> serde_json::Value;
    /// The view of `who`, as cards.
    fn cards(&self, who: Viewer) -> Vec<Card>;
    /// The view of `who`, as a stage to draw, while play waits for these seats; see [`Stage::ask`].
    fn stage(&self, who: Viewer, awaited: &[Seat]) -> Stage;
    /// [`Words::ending`].
    fn ending(&self, who: Viewer) -> Ending;
    /// The moment as bytes.
    fn snapshot(&self) -> Vec<u8>;
    /// Goes to a moment that [`AnyTable::snapshot`] gave.
    ///
    /// # Errors
    /// Where the bytes are not such a snapshot.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), Refused>;
    /// A copy of this moment, for looking ahead; see [`Session::mark`].
    fn mark(&self) -> Mark;
    /// Goes back to a moment that [`AnyTable::mark`] gave. A mark of another game changes nothing.
    fn back(&mut self, mark: &Mark);
    /// Goes to a moment of an earlier version of the rules; see
    /// [`Session::restore_earlier`]. `hash` is as [`AnyTable::hash`] gave it then.
    ///
    /// # Errors
    /// Where the bytes are not such a snapshot, or these rules cannot go on from it.
    fn restore_earlier(&mut self, version: u32, bytes: &[u8], hash: &str) -> Result<(), Refused>;
    /// Fiats (JSON with names) that put what the players have learnt since an earlier
    /// moment, given as its snapshot, into that moment; see [`Game::learnt`].
    fn learnt(&self, earlier: &[u8]) -> Vec<String>;
    /// SHA-256 of the state, in hexadecimal.
    fn hash(&self) -> String;
    /// Accepted answers, rolls and fiats so far.
    fn seq(&self) -> u64;
    /// The same table again.
    fn again(&self) -> Box<dyn AnyTable>;
    /// The table as `who` might imagine it; see [`Session::imagine`].
    fn imagine(&self, who: Viewer, seed: u64) -> Box<dyn AnyTable>;
    /// The [`Session`] behind it, for work that the erased interface is too slow for.
    fn session(&self) -> &dyn Any;
}

/// A moment of a table of any game; see [`AnyTable::mark`].
pub struct Mark(Box<dyn Any>);

/// JSON for the outside; every type here serialises.
fn write(names: &Names, value: &impl Serialize) -> String {
    names.write(&serde_json::to_string(value).unwrap_or_default())
}

/// JSON from the outside, read for somebody who names only what they may know.
fn read<G: Game, T: DeserializeOwned>(
    session: &Session<G>,
    who: Viewer,
    what: &str,
    json: &str,
) -> Result<T, Refused> {
    serde_json::from_str(&inside(session, who, json)?).map_err(|e| {
        // Positions would be those of the translated text: leave them out.
        let told = e.to_string();
        let told = told.split(" at line ").next().unwrap_or_default();
        Refused::form(format!("not {what} of this game: {}", G::names(session.rules()).outside(told)))
    })
}

/// A standing reply from the outside. One that is none is refused with examples: people type them.
fn read_reply<G: Words>(session: &Session<G>, seat: Seat, json: &str) -> Result<G::Standing, Refused> {
    serde_json::from_str(&inside(session, Viewer::Seat(seat), json)?).map_err(|_| {
        let examples: Vec<&str> = G::standings().iter().map(|(example, _)| *example).collect();
        Refused::form(match examples.is_empty() {
            true => "not a standing reply: this game has none".to_owned(),
            false => format!("not a standing reply of this game, such as {}", examples.join(", ")),
        })
    })
}

/// JSON from the outside as the game reads it, for somebody who names only what they may know.
fn inside<G: Game>(session: &Session<G>, who: Viewer, json: &str) -> Result<String, Refused> {
    let (rules, state) = (session.rules(), session.state());
    let inside = G::names(rules).read_knowing(json, |letter, n| G::knows(rules, state, (letter, n), who));
    inside.map_err(|e| Refused::form(e.to_string()))
}

/// The names hidden from each viewer but the gamemaster before something happened.
struct Before {
    hidden: Vec<(Viewer, Hidden)>,
    names: Names,
}

impl Before {
    fn of<G: Words>(session: &Session<G>) -> Before {
        let (rules, state) = (session.rules(), session.state());
        let hidden = others::<G>(rules).map(|who| (who, Hidden::from::<G>(rules, state, who))).collect();
        Before { hidden, names: G::names(rules).clone() }
    }

    /// The table after it, for telling a viewer what happened: a name that was known
    /// before or is known now is told.
    fn masked<'a, G: Words>(&self, session: &'a Session<G>, who: Viewer) -> Masked<'a, G> {
        let (rules, state) = (session.rules(), session.state());
        let now = Hidden::from::<G>(rules, state, who);
        let before = self.hidden.iter().find(|(viewer, _)| *viewer == who);
        Masked::of(
            rules,
            state,
            match before {
                Some((_, before)) => now.since(before, &self.names),
                None => now,
            },
        )
    }
}

fn show_all<G: Words>(
    session: &Session<G>,
    before: &Before,
    events: &[G::Event],
    ruled: Option<&Ruled<G>>,
) -> Vec<Shown> {
    if events.is_empty() {
        return Vec::new();
    }
    let all = others::<G>(session.rules()).chain([Viewer::Seat(Seat::Gm)]);
    let all: Vec<(Viewer, Masked<'_, G>)> = all.map(|who| (who, before.masked(session, who))).collect();
    let to = |event: &G::Event, inside: &str, who: Viewer, masked: &Masked<'_, G>| {
        if masked.hidden().is_all_of(inside) {
            return None;
        }
        let mut told = G::event(masked.rules(), masked.state(), event, who)?;
        if let Some(ruled) = ruled.filter(|_| G::overrules(event)) {
            let what = ruled.to(who, session)?;
            told.text = format!("{}: {what}.", told.text);
        }
        Some(ShownTo::from(told.begun()))
    };
    let shown = events.iter().filter_map(|event| {
        let inside = serde_json::to_string(event).unwrap_or_default();
        let mut each = all.iter().map(|(who, masked)| (*who, to(event, &inside, *who, masked)));
        let gm = each.next_back()?.1?;
        let is_own = |i: usize, shown: &Option<ShownTo>| {
            shown.as_ref() != Some(&gm) || said::withholds(G::said(), &inside, all[i].1.hidden())
        };
        let others = each.enumerate().filter(|(i, (_, shown))| is_own(*i, shown));
        let others = others.map(|(_, (who, shown))| (who.to_string(), shown)).collect();
        Some(Shown { event: G::names(session.rules()).write(&inside), gm, others })
    });
    shown.collect()
}

/// Everybody but the gamemaster who may be told of what happens.
fn others<G: Words>(rules: &G::Rules) -> impl Iterator<Item = Viewer> {
    let seats = G::seats(rules).into_iter().map(|info| Viewer::Seat(info.seat));
    seats.filter(|viewer| !viewer.is_gm()).chain([Viewer::Spectator])
}

impl<G: Words> Session<G> {
    fn slot(&self, id: AskId) -> Result<Slot, Refused> {
        self.ask(id)
            .map(|(slot, _)| slot)
            .ok_or_else(|| Refused::form("that ask is no longer open: look at what is asked now"))
    }

    /// The table as `who` may know it.
    fn masked(&self, who: Viewer) -> Masked<'_, G> {
        Masked::new(self.rules(), self.state(), who)
    }

    /// An answer as it is listed for the viewer whom `masked` is for.
    fn listed(masked: &Masked<'_, G>, slot: Slot, answer: &G::Answer, who: Viewer) -> Listed {
        let (rules, state) = (masked.rules(), masked.state());
        let inside = serde_json::to_string(answer).unwrap_or_default();
        Listed {
            answer: G::names(rules).write_without(&inside, masked.hidden()),
            told: <G as Words>::answer(rules, state, slot, answer, who),
            laid: G::laid(rules, state, slot, answer),
            needs_words: G::needs_words(rules, state, slot, answer),
        }
    }

    /// A refusal in words that name nothing hidden from the seat that is refused.
    fn refused(&self, by: Seat, id: AskId, answer: G::Answer, refused: Refused) -> Refused {
        let asked = self.ask(id).filter(|(_, ask)| ask.who.seats().contains(by));
        let masked = self.masked(Viewer::Seat(by));
        match asked {
            Some((slot, _)) if !masked.hidden().is_empty() => {
                G::check(masked.rules(), masked.state(), slot, answer).err().unwrap_or(refused)
            }
            _ => refused,
        }
    }

    fn step<F>(&mut self, show: bool, said: String, act: F) -> Result<Step, Refused>
    where
        F: FnOnce(&mut Self, &mut Collect<G::Event>) -> Result<Answered, Refused>,
    {
        self.step_of(show, said, None, act)
    }

    /// A step that may be a fiat: `overruled` is then the table before it.
    fn step_of<F>(
        &mut self,
        show: bool,
        said: String,
        overruled: Option<Session<G>>,
        act: F,
    ) -> Result<Step, Refused>
    where
        F: FnOnce(&mut Self, &mut Collect<G::Event>) -> Result<Answered, Refused>,
    {
        let mut events = Collect { on: show, events: Vec::new() };
        let before = show.then(|| Before::of(self));
        let answered = act(self, &mut events)?;
        let ruled = overruled.map(|before| Ruled::new(before, &said));
        let shown = before.map(|before| show_all(self, &before, &events.events, ruled.as_ref()));
        Ok(Step { answered, said, shown: shown.unwrap_or_default() })
    }
}

/// Keeps events only where somebody wants them.
struct Collect<E> {
    on: bool,
    events: Vec<E>,
}

impl<E> crate::Sink<E> for Collect<E> {
    fn event(&mut self, event: E) {
        if self.on {
            self.events.push(event);
        }
    }
}

impl<G: Words> AnyTable for Session<G> {
    fn system(&self) -> &'static str {
        G::ID
    }

    fn rulebook(&self) -> &'static Rulebook {
        <G as Game>::rulebook()
    }

    fn version(&self) -> u32 {
        G::VERSION
    }

    fn seats(&self) -> Vec<SeatInfo> {
        G::seats(self.rules())
    }

    fn names(&self) -> &Names {
        G::names(self.rules())
    }

    fn now(&self) -> Now {
        match self.open() {
            Open::Over => Now::Over,
            Open::Roll(roll) => {
                Now::Roll(RollInfo { whose: roll.whose, seen: roll.seen, dice: roll.dice.clone() })
            }
            Open::Asks(_) => Now::Asks(AnyTable::asks(self)),
        }
    }

    fn asks(&self) -> Vec<AskInfo> {
        let asks = Session::asks(self).map(|(id, _, ask)| AskInfo {
            id,
            who: ask.who,
            duty: ask.duty,
            kind: G::kind(&ask.prompt),
            prompt: write(G::names(self.rules()), &ask.prompt),
        });
        asks.collect()
    }

    fn ask_told(&self, id: AskId, who: Viewer) -> Option<Told> {
        let (slot, _) = self.ask(id)?;
        let masked = self.masked(who);
        Some(G::ask(masked.rules(), masked.state(), slot, who).begun())
    }

    fn waits(&self, id: AskId, who: Viewer) -> &'static str {
        self.ask(id).map_or("", |(slot, _)| G::waits(self.rules(), self.state(), slot, who))
    }

    fn roll_told(&self, who: Viewer) -> Told {
        let masked = self.masked(who);
        G::roll_told(masked.rules(), masked.state(), who).begun()
    }

    fn legal(&self, id: AskId, who: Viewer) -> Vec<Listed> {
        let Some((slot, _)) = self.ask(id) else { return Vec::new() };
        let masked = self.masked(who);
        let mut listed = Vec::new();
        G::legal(self.rules(), self.state(), slot, &mut |answer| {
            listed.push(Self::listed(&masked, slot, &answer, who));
        });
        listed
    }

    fn parts(&self, id: AskId, who: Viewer) -> Vec<Vec<Part<String>>> {
        let Some((slot, _)) = self.ask(id) else { return Vec::new() };
        let masked = self.masked(who);
        let name = |(letter, n)| {
            let known = !masked.hidden().has(letter, n);
            known.then(|| G::names(self.rules()).slug(letter, n)).flatten()
        };
        let mut parts = Vec::new();
        G::legal(self.rules(), self.state(), slot, &mut |answer| {
            let of_one = G::parts(masked.rules(), masked.state(), slot, &answer, who);
            parts.push(of_one.into_iter().map(|part| part.named(name)).collect());
        });
        parts
    }

    fn board(&self, id: AskId, who: Viewer) -> Option<Board> {
        let (slot, _) = self.ask(id)?;
        let masked = self.masked(who);
        G::board(masked.rules(), masked.state(), slot, who)
    }

    fn arranged(&self, id: AskId, laid: &Laid, who: Viewer) -> Result<Listed, Refused> {
        let slot = self.slot(id)?;
        let masked = self.masked(who);
        let (rules, state) = (masked.rules(), masked.state());
        let none = || Refused::form("this ask is not answered by laying dice: choose from its list");
        G::board(rules, state, slot, who).ok_or_else(none)?.fits(laid)?;
        let answer = G::arranged(rules, state, slot, laid).ok_or_else(none)?;
        G::check(rules, state, slot, answer)?;
        Ok(Self::listed(&masked, slot, &answer, who))
    }

    fn reach(&self, id: AskId, who: Viewer) -> Vec<Going> {
        let Some((slot, _)) = self.ask(id) else { return Vec::new() };
        let masked = self.masked(who);
        G::reach(masked.rules(), masked.state(), slot, who)
    }

    fn there(&self, id: AskId, pointed: &Pointed, who: Viewer) -> Result<There<Listed>, Refused> {
        let slot = self.slot(id)?;
        let masked = self.masked(who);
        let (rules, state) = (masked.rules(), masked.state());
        let none = || Refused::form("there is no such space for that character");
        let there = G::there(rules, state, slot, pointed, who).ok_or_else(none)?;
        let is_allowed = |answer: &G::Answer| G::check(rules, state, slot, *answer).is_ok();
        let listed = |answer: &G::Answer| Self::listed(&masked, slot, answer, who);
        Ok(there.with(|answers| answers.iter().filter(|answer| is_allowed(answer)).map(listed).collect()))
    }

    fn put(&self, token: &str, to: Space) -> Option<String> {
        let fiat = G::put(self.rules(), token, to)?;
        Some(write(G::names(self.rules()), &fiat))
    }

    fn roll_odds(&self, who: Viewer) -> Option<Odds> {
        let masked = self.masked(who);
        odds::due::<G>(masked.rules(), masked.state(), who)
    }

    fn odds(&self, id: AskId, answer: &str, who: Viewer) -> Option<Odds> {
        let (slot, _) = self.ask(id)?;
        let answer: G::Answer = read(self, who, "an answer", answer).ok()?;
        let masked = self.masked(who);
        <G as Words>::odds(masked.rules(), masked.state(), slot, &answer, who)
    }

    fn count(&self, id: AskId) -> usize {
        let Some((slot, _)) = self.ask(id) else { return 0 };
        let mut count = 0;
        G::legal(self.rules(), self.state(), slot, &mut |_| count += 1);
        count
    }

    fn said(&self, id: AskId) -> Vec<(Seat, String)> {
        let names = G::names(self.rules());
        Session::said(self, id).map(|(seat, answer)| (seat, write(names, answer))).collect()
    }

    fn preview(&self, id: AskId, answer: &str, who: Viewer) -> Result<Told, Refused> {
        let slot = self.slot(id)?;
        let answer: G::Answer = read(self, who, "an answer", answer)?;
        let masked = self.masked(who);
        G::check(masked.rules(), masked.state(), slot, answer)?;
        Ok(<G as Words>::answer(masked.rules(), masked.state(), slot, &answer, who))
    }

    fn check(&self, by: Seat, id: AskId, answer: &str) -> Result<(), Refused> {
        let answer = read(self, Viewer::Seat(by), "an answer", answer)?;
        Session::check(self, by, id, answer).map(drop).map_err(|why| self.refused(by, id, answer, why))
    }

    fn answer(&mut self, by: Seat, id: AskId, answer: &str, show: bool) -> Result<Step, Refused> {
        let answer: G::Answer = read(self, Viewer::Seat(by), "an answer", answer)?;
        let said = if show { write(G::names(self.rules()), &answer) } else { String::new() };
        self.step(show, said, |session, events| {
            let answered = Session::answer(session, by, id, answer, events);
            answered.map_err(|why| session.refused(by, id, answer, why))
        })
    }

    fn roll(&mut self, faces: &[u8], show: bool) -> Result<Step, Refused> {
        self.step(show, String::new(), |session, events| {
            Session::roll(session, faces, events).map(|()| Answered::Moved)
        })
    }

    fn fiat(&mut self, fiat: &str, show: bool) -> Result<Step, Refused> {
        let fiat: G::Fiat = read(self, Viewer::Seat(Seat::Gm), "a fiat", fiat)?;
        let said = if show { write(G::names(self.rules()), &fiat) } else { String::new() };
        let before = show.then(|| self.clone());
        self.step_of(show, said, before, |session, events| {
            Session::fiat(session, &fiat, events).map(|()| Answered::Moved)
        })
    }

    fn rename(&mut self, seat: Seat, name: &str) -> Result<(), Refused> {
        Session::rename(self, seat, name)
    }

    fn fiats(&self) -> &'static [(&'static str, &'static str)] {
        G::fiats()
    }

    fn fiat_forms(&self) -> Vec<Form> {
        let (rules, state) = (self.rules(), self.state());
        let forms = G::fiat_forms(rules, state).into_iter().filter(Form::can_be_filled);
        forms.map(|form| form.told_by(G::names(rules))).collect()
    }

    fn standings(&self) -> &'static [(&'static str, &'static str)] {
        G::standings()
    }

    fn standing_forms(&self) -> Vec<Form> {
        G::standing_forms()
    }

    fn may_stand(&self, seat: Seat, reply: &str) -> Result<(), Refused> {
        let reply = read_reply(self, seat, reply)?;
        Session::may_stand(self, seat, reply)
    }

    fn would_stand(&self, id: AskId, reply: &str) -> bool {
        let Some((slot, ask)) = self.ask(id) else { return false };
        let Who::One(seat) = ask.who else { return false };
        let Ok(reply) = read_reply(self, seat, reply) else { return false };
        let (rules, state) = (self.rules(), self.state());
        let reply = G::written_out(rules, state, reply);
        G::may_stand(rules, seat, reply).is_ok()
            && G::standing(rules, state, slot, reply)
                .is_some_and(|answer| G::check(rules, state, slot, answer).is_ok())
    }

    fn stand(&mut self, seat: Seat, reply: &str, on: bool) -> Result<(), Refused> {
        let reply = read_reply(self, seat, reply)?;
        if on {
            Session::may_stand(self, seat, reply)?;
        }
        Session::stand(self, seat, reply, on);
        Ok(())
    }

    fn standing(&self) -> Vec<(Seat, String)> {
        let names = G::names(self.rules());
        Session::standing(self).map(|(seat, reply)| (seat, write(names, &reply))).collect()
    }

    fn stands_by(&self, seat: Seat, reply: &str) -> bool {
        let Ok(reply) = read_reply(self, seat, reply) else { return false };
        let reply = G::written_out(self.rules(), self.state(), reply);
        Session::standing(self).any(|stands| stands == (seat, reply))
    }

    fn standing_told(&self, seat: Seat, reply: &str, now: bool) -> Option<String> {
        let reply = read_reply(self, seat, reply).ok()?;
        let masked = self.masked(Viewer::Seat(seat));
        G::standing_told(masked.rules(), now.then_some(masked.state()), reply)
    }

    fn eager(&self) -> Option<Eager> {
        let (seat, id, answer) = Session::eager(self)?;
        Some(Eager { seat, id, answer: write(G::names(self.rules()), &answer) })
    }

    fn worth(&self, seat: Seat) -> i32 {
        G::worth(self.rules(), self.state(), seat)
    }

    fn decline(&self, id: AskId) -> Option<String> {
        let (slot, _) = self.ask(id)?;
        let decline = G::decline(self.rules(), self.state(), slot)?;
        Some(write(G::names(self.rules()), &decline))
    }

    fn settles(&self, id: AskId) -> bool {
        self.ask(id).is_some_and(|(_, ask)| G::settles(&ask.prompt))
    }

    fn retraces(&self, answer: &str) -> bool {
        read(self, Viewer::Seat(Seat::Gm), "an answer", answer).is_ok_and(|answer| G::retraces(&answer))
    }

    fn is_idle(&self, answer: &str) -> bool {
        read(self, Viewer::Seat(Seat::Gm), "an answer", answer).is_ok_and(|answer| G::is_idle(&answer))
    }

    fn restraint(&self, id: AskId, answer: &str) -> i32 {
        let slot = self.slot(id);
        let answer = read(self, Viewer::Seat(Seat::Gm), "an answer", answer);
        match (slot, answer) {
            (Ok(slot), Ok(answer)) => G::restraint(self.rules(), self.state(), slot, answer),
            _ => 0,
        }
    }

    fn cuts_in(&self, id: AskId) -> bool {
        self.slot(id).is_ok_and(|slot| G::cuts_in(self.rules(), self.state(), slot))
    }

    fn is_grave(&self, answer: &str, who: Viewer) -> bool {
        read(self, who, "an answer", answer).is_ok_and(|answer: G::Answer| G::is_grave(&answer))
    }

    fn carry(&self) -> Option<serde_json::Value> {
        G::carry(self.rules(), self.state())
    }

    fn view(&self, who: Viewer) -> serde_json::Value {
        let masked = self.masked(who);
        let view = G::view(masked.rules(), masked.state(), who);
        let inside = serde_json::to_string(&view).unwrap_or_default();
        let outside = G::names(self.rules()).write_without(&inside, masked.hidden());
        serde_json::from_str(&outside).unwrap_or_default()
    }

    fn cards(&self, who: Viewer) -> Vec<Card> {
        let masked = self.masked(who);
        G::cards(masked.rules(), masked.state(), who)
    }

    fn stage(&self, who: Viewer, awaited: &[Seat]) -> Stage {
        let masked = self.masked(who);
        let mut stage = G::stage(masked.rules(), masked.state(), who);
        stage.ask(awaited);
        stage
    }

    fn ending(&self, who: Viewer) -> Ending {
        let masked = self.masked(who);
        G::ending(masked.rules(), masked.state(), who)
    }

    fn snapshot(&self) -> Vec<u8> {
        Session::snapshot(self)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        Session::restore(self, bytes)
    }

    fn mark(&self) -> Mark {
        Mark(Box::new(Session::mark(self)))
    }

    fn back(&mut self, Mark(moment): &Mark) {
        if let Some(moment) = moment.downcast_ref() {
            Session::back(self, moment);
        }
    }

    fn restore_earlier(&mut self, version: u32, bytes: &[u8], hash: &str) -> Result<(), Refused> {
        let digits =
            |at: usize| hash.get(2 * at..2 * at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
        let mut state = [0; 32];
        for (at, byte) in state.iter_mut().enumerate() {
            *byte = digits(at).ok_or_else(|| Refused::form("a hash has 64 hexadecimal digits"))?;
        }
        Session::restore_earlier(self, version, bytes, state)
    }

    fn learnt(&self, earlier: &[u8]) -> Vec<String> {
        // The state alone: what is open then cannot be asked of rules that somebody has joined.
        let Ok(then) = G::State::deserialize(&mut &*earlier) else { return Vec::new() };
        let fiats = G::learnt(self.rules(), self.state(), &then);
        fiats.iter().map(|fiat| write(G::names(self.rules()), fiat)).collect()
    }

    fn hash(&self) -> String {
        Session::hash(self).iter().map(|b| format!("{b:02x}")).collect()
    }

    fn seq(&self) -> u64 {
        Session::seq(self)
    }

    fn again(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }

    fn imagine(&self, who: Viewer, seed: u64) -> Box<dyn AnyTable> {
        Box::new(Session::imagine(self, who, seed))
    }

    fn session(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_words_stand_where_the_game_says() {
        let build = Listed {
            answer: r#"{"build":{"on":"@tor","called":"a raft"}}"#.to_owned(),
            told: Told::new("build something").free("/build/called"),
            laid: None,
            needs_words: false,
        };
        let own = build.in_own_words(" Ann's \"ark\" ");
        assert_eq!(own.as_deref(), Ok(r#"{"build":{"on":"@tor","called":"Ann's \"ark\""}}"#));
        assert_eq!(build.in_own_words("@tor").unwrap_err().to_string(), LabelError::Reference.to_string());
        for told in [Told::new("no place"), Told::new("nowhere").free("/raise"), Told::new("all").free("")] {
            let listed = Listed { told, ..build.clone() };
            assert!(listed.in_own_words("x").unwrap_err().to_string().contains("no place"));
        }
        let whole =
            Listed { answer: r#""a raft""#.to_owned(), told: Told::new("name it").free(""), ..build.clone() };
        assert_eq!(whole.in_own_words("an ark").as_deref(), Ok(r#""an ark""#));
    }
}
