//! The interface a game implements.

use crate::told::{Card, Ending};
use crate::{
    Asks, Board, Came, Clause, Fallen, Faults, Fold, Going, Hidden, Known, Laid, Names, Odds, Open, Part,
    Pointed, Question, Rolled, Rulebook, Said, Seat, SeatInfo, Setup, Slot, Space, Stage, There, Told, Tone,
    Values, Viewer, form::Form, odds,
};
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Serialize, de::DeserializeOwned};
use std::{borrow::Cow, fmt, hash::Hash};

/// One system of rules as a pure state machine.
///
/// All functions are deterministic and read nothing but their arguments.
/// `open`, `legal`, `check`, `apply` and `roll` allocate nothing on the
/// ordinary paths and do bounded work.
pub trait Game: Sized + 'static {
    /// The system's id, as its rulebook names it.
    const ID: &'static str;
    /// Raised whenever the same answers may lead elsewhere than before, or are told in
    /// other words to anybody; from 1 on. A log keeps what was shown, and is compared
    /// with what the rules of its version show.
    const VERSION: u32;
    /// The list of a setup in which those stand whom the gamemaster plays; players'
    /// characters stand in `character`.
    const OTHERS: &'static str = "npc";

    /// Whether it matters which of several dice of one size shows a face. Where it does
    /// not, faces are told from the highest down.
    const ORDERED: bool = false;

    /// Cast, content, options and names; changed only by [`Game::fiat`].
    type Rules: Clone + Send + Sync;
    /// One moment of the whole table: ids, numbers and bounded arrays.
    type State: Clone + Eq + Hash + fmt::Debug + BorshSerialize + BorshDeserialize + Send + Sync;
    /// A question to a seat. Holds nothing that the asked seat may not know.
    type Prompt: Copy + Eq + fmt::Debug + Serialize + Send + Sync;
    /// A typed choice.
    type Answer: Copy + Eq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;
    /// A result of an answer.
    type Event: Copy + fmt::Debug + Serialize;
    /// The table as one viewer may see it.
    type View: Serialize + Eq + fmt::Debug;
    /// The statistic of a many-dice roll; [`crate::NoFold`] where there is none.
    type Fold: Fold;
    /// A change by which the gamemaster overrules the engine.
    type Fiat: Clone + fmt::Debug + Serialize + DeserializeOwned;
    /// An answer that a seat may give until further notice; `()` in a game without standing replies.
    type Standing: Copy + Eq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;
    /// The result of play that odds and simulation count.
    type Outcome: Clone + Eq + Ord + Hash + fmt::Debug + Serialize;

    /// The system's rulebook.
    fn rulebook() -> &'static Rulebook;

    /// Reads a setup.
    ///
    /// # Errors
    /// Every fault at once, each with file, line, field and what was expected.
    fn start(setup: &Setup) -> Result<(Self::Rules, Self::State), Faults>;

    /// Reads every entry of every library document as if it were used; the
    /// encounter is not looked at. A game that has no library finds no fault.
    ///
    /// # Errors
    /// Every fault at once, each with file, line, field and what was expected.
    fn library(setup: &Setup) -> Result<(), Faults> {
        let _ = setup;
        Ok(())
    }

    /// Documents to begin one's own from: a kind (`character`, `encounter`), and
    /// commented TOML in which [`Game::start`] (an encounter) or [`Game::library`]
    /// (all else) finds no fault as it stands.
    fn templates() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The names (slugs) of everything an answer may refer to.
    fn names(rules: &Self::Rules) -> &Names;

    /// How much `who` may know of what the `n`th name of kind `letter` means: the one
    /// decision on which views, words, refusals and previews rest.
    ///
    /// Of two tables that look the same to `who` it says the same of every name that
    /// both have, and [`Known::Hidden`] of every name that only one of them has.
    fn knows(rules: &Self::Rules, state: &Self::State, name: (char, usize), who: Viewer) -> Known;

    /// Takes the names of what is hidden out of rules and state: characters and people
    /// become "somebody", all else "something". Nothing else changes.
    fn mask(rules: &mut Self::Rules, state: &mut Self::State, hidden: &Hidden);

    /// The seats at the table, the gamemaster first, whose name is the system's word for them. A fiat
    /// may add to them.
    fn seats(rules: &Self::Rules) -> Vec<SeatInfo>;

    /// Calls a player's seat otherwise. Nothing else changes.
    fn rename(rules: &mut Self::Rules, seat: Seat, name: &str);

    /// The open asks, the roll that is due, or the end.
    fn open(rules: &Self::Rules, state: &Self::State) -> Open<Self>;

    /// The asks that stay open while dice are due that not everybody sees. For a viewer who does
    /// not see the dice these are all the open asks, and that viewer's seat may answer its own. For
    /// a viewer who sees the dice, an ask without answers stands for the throw. Empty if such dice
    /// hold everybody up.
    fn beside(_: &Self::Rules, _: &Self::State) -> Asks<Self::Prompt> {
        Asks::new()
    }

    /// Lists the answers that make sense for the ask at `slot`, each once.
    ///
    /// Every one of them passes [`Game::check`]; `check` may allow more.
    fn legal(rules: &Self::Rules, state: &Self::State, slot: Slot, each: &mut dyn FnMut(Self::Answer));

    /// Judges an answer to the ask at `slot`.
    ///
    /// # Errors
    /// Every reason against it, with the clause behind each.
    fn check(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        answer: Self::Answer,
    ) -> Result<Move<Self>, Refused>;

    /// Carries out an answer that `check` allowed in this very state.
    fn apply(rules: &Self::Rules, state: &mut Self::State, mv: Move<Self>, sink: &mut impl Sink<Self::Event>);

    /// Answers the open roll. `rolled` fits the roll (the kernel saw to it).
    fn roll(
        rules: &Self::Rules,
        state: &mut Self::State,
        rolled: Rolled<'_, Self::Fold>,
        sink: &mut impl Sink<Self::Event>,
    );

    /// The table as `who` may see it.
    fn view(rules: &Self::Rules, state: &Self::State, who: Viewer) -> Self::View;

    /// The result of play since an earlier state of the same table.
    fn outcome(rules: &Self::Rules, state: &Self::State, since: &Self::State) -> Self::Outcome;

    /// How well things stand for a seat, for bots: higher is better.
    ///
    /// Reads only what the seat may know. Units are the game's own.
    fn worth(rules: &Self::Rules, state: &Self::State, seat: Seat) -> i32;

    /// The reluctance of a good player to give an answer that would serve them: bots take it
    /// off [`Game::worth`]. 0 by default.
    fn restraint(rules: &Self::Rules, state: &Self::State, slot: Slot, answer: Self::Answer) -> i32 {
        let _ = (rules, state, slot, answer);
        0
    }

    /// How much a brisk player is drawn to each of the answers `listed` for the ask at `slot`, in their order:
    /// higher is better, in units of the game's own.
    ///
    /// For bots that play many conflicts: judged from the table as it lies, without trying an answer or copying
    /// a state. Reads only what `seat`, which answers, may know. By default [`Game::restraint`] alone decides.
    fn appeal(
        rules: &Self::Rules,
        state: &Self::State,
        (slot, seat): (Slot, Seat),
        listed: &[Self::Answer],
        each: &mut impl FnMut(i32),
    ) {
        let _ = seat;
        listed.iter().for_each(|answer| each(-Self::restraint(rules, state, slot, *answer)));
    }

    /// Whether a fair player who is asked at `slot` goes on although others may act: it is
    /// their side's turn, or nobody else will do anything.
    ///
    /// For bots. Reads only what everybody may know, for others see how soon a bot goes on.
    fn cuts_in(rules: &Self::Rules, state: &Self::State, slot: Slot) -> bool {
        let _ = (rules, state, slot);
        false
    }

    /// The gamemaster overrules the engine. A refused fiat changes nothing.
    ///
    /// # Errors
    /// The parts of the fiat that cannot be: an unknown name, a number out of range.
    fn fiat(
        rules: &mut Self::Rules,
        state: &mut Self::State,
        fiat: &Self::Fiat,
        sink: &mut impl Sink<Self::Event>,
    ) -> Result<(), Refused>;

    /// Whether an ask opens only once another seat than the one asked has answered a joint
    /// ask ([`crate::Who::All`]) beside it: it settles what those asked could not agree on.
    ///
    /// Such asks come last in [`Game::open`], so that the others keep their slots.
    fn follows_a_word(prompt: &Self::Prompt) -> bool {
        let _ = prompt;
        false
    }

    /// Whether the gamemaster is asked this also where declining is all there is: that play
    /// goes on at once would tell players what somebody cannot do.
    fn asked_in_sight(prompt: &Self::Prompt) -> bool {
        let _ = prompt;
        false
    }

    /// The answer that declines the ask at `slot`, where declining is possible. Nothing is
    /// declined where a game does not say.
    fn decline(rules: &Self::Rules, state: &Self::State, slot: Slot) -> Option<Self::Answer> {
        let _ = (rules, state, slot);
        None
    }

    /// Whether an answer to this settles dice that have fallen, or chooses what comes of them.
    /// Its player cannot take it back, for what follows may tell of hidden things, and so may
    /// it that nothing follows; the gamemaster can.
    fn settles(prompt: &Self::Prompt) -> bool {
        let _ = prompt;
        false
    }

    /// Whether a player may take an answer back even though it shows that nothing hidden stood
    /// in its way: a move on a map.
    ///
    /// The player may do so while nothing came of it but steps ([`crate::Told::step`]), also
    /// where a move goes on after somebody unseen has answered.
    fn retraces(answer: &Self::Answer) -> bool {
        let _ = answer;
        false
    }

    /// Whether an answer does nothing where something could be done: it passes a turn, or
    /// ends a string of deeds.
    ///
    /// Nothing is idle where a game does not say. That suits a game in which every answer
    /// moves play on.
    fn is_idle(answer: &Self::Answer) -> bool {
        let _ = answer;
        false
    }

    /// Whether people are asked once more before they give this answer: it loses what they play
    /// for, or ends a conflict or the evening for everybody.
    ///
    /// It is read off the answer alone, so that the question tells nothing hidden. No answer is
    /// grave where a game does not say.
    fn is_grave(answer: &Self::Answer) -> bool {
        let _ = answer;
        false
    }

    /// The clause that leaves the seat asked at `slot` only idle answers ([`Game::is_idle`]):
    /// that of a state that ends by itself, or that a participant can end. `None` if no clause
    /// does.
    ///
    /// An ask that must be answered, lists only idle answers and has no hindrance is a
    /// dead end.
    fn hindrance(rules: &Self::Rules, state: &Self::State, slot: Slot) -> Option<Clause> {
        let _ = (rules, state, slot);
        None
    }

    /// The answer of a seat's standing reply to the ask at `slot`, if it has one. `None` by
    /// default.
    fn standing(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        reply: Self::Standing,
    ) -> Option<Self::Answer> {
        let _ = (rules, state, slot, reply);
        None
    }

    /// Whether a seat may stand by this reply: some are the gamemaster's alone.
    ///
    /// # Errors
    /// Whose it is.
    fn may_stand(rules: &Self::Rules, seat: Seat, reply: Self::Standing) -> Result<(), Refused> {
        let _ = (rules, seat, reply);
        Ok(())
    }

    /// The reply with what it says of this moment written out: "in this turn" becomes the number of
    /// the turn, so that it ends with it. The same reply by default.
    fn written_out(rules: &Self::Rules, state: &Self::State, reply: Self::Standing) -> Self::Standing {
        let _ = (rules, state);
        reply
    }

    /// Whether a reply, [written out](Game::written_out), can answer nothing any more: what it was
    /// said for is over. Seats are not shown it then. Never, by default.
    fn lapsed(rules: &Self::Rules, state: &Self::State, reply: Self::Standing) -> bool {
        let _ = (rules, state, reply);
        false
    }

    /// The players' characters as they go into another evening: a library document as JSON,
    /// such as `{"character": [..], "fallen": [..]}`.
    ///
    /// Each entry has its `name`, what a setup reads of it (somebody who came this
    /// evening is marked [`crate::NEW`]), and in `history` a line
    /// on what became of it (alone, or after those it came with); see [`Setup::with`] and [`crate::carried_on`]
    /// for what comes of it. `None` where a system knows no other evening.
    fn carry(rules: &Self::Rules, state: &Self::State) -> Option<serde_json::Value> {
        let _ = (rules, state);
        None
    }

    /// The bytes of the snapshot codec that states of an earlier version of the rules lack at
    /// their end; `None` if such states cannot be read.
    fn lacking(version: u32) -> Option<&'static [u8]> {
        let _ = version;
        None
    }

    /// Fills in what a state of an earlier `version` could not hold. `start` is the state
    /// with which the same table would begin now. False where its ids mean other things
    /// than they did, so that the state cannot go on.
    fn catch_up(rules: &Self::Rules, start: &Self::State, state: &mut Self::State, version: u32) -> bool {
        let _ = (rules, start, state, version);
        true
    }

    /// The players' knowledge since an earlier state of the same table, which they keep when play
    /// goes back to it: fiats that add the knowledge to that state.
    fn learnt(rules: &Self::Rules, state: &Self::State, earlier: &Self::State) -> Vec<Self::Fiat> {
        let _ = (rules, state, earlier);
        Vec::new()
    }

    /// Changes what is hidden from `who`, and nothing that `who` may see.
    ///
    /// The secrecy tests compare what a seat is sent before and after.
    /// `seed` picks among the changes; a game without secrets does nothing.
    fn scramble(rules: &mut Self::Rules, state: &mut Self::State, who: Viewer, seed: u64);
}

/// A game in words: what faces show where they have nothing of their own.
///
/// Everything here that words something for a viewer is given rules and state that are
/// masked for that viewer ([`crate::Masked`]): what is hidden has no name in them.
pub trait Words: Game {
    /// The words of the ask at `slot` for `who`.
    fn ask(rules: &Self::Rules, state: &Self::State, slot: Slot, who: Viewer) -> Told;

    /// An answer and what it leads to, as far as `who` may know.
    fn answer(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        answer: &Self::Answer,
        who: Viewer,
    ) -> Told;

    /// The parts of an answer, in the order of [`crate::PartKind`]: what is done, by whom, on
    /// whom, with what, how. Long lists are grouped by parts, and people choose part by part. A
    /// part points only at things that the answer refers to. By default the answer's words are
    /// one part.
    fn parts(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        answer: &Self::Answer,
        who: Viewer,
    ) -> Vec<Part> {
        vec![Part::what(Self::answer(rules, state, slot, answer, who).text)]
    }

    /// The questions about odds that the game answers without a table. None, where a game does not say.
    fn questions() -> &'static [Question] {
        &[]
    }

    /// The odds that answer one of [`Words::questions`], worked out by the game's own rules for dice.
    ///
    /// # Errors
    /// Values that are each allowed but do not go together, and what would be right.
    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        let _ = values;
        Err(format!("{question} is no question of this system"))
    }

    /// Dice or points laid out for the ask at `slot`, by which it can be answered
    /// beside its list; `None` where there is nothing to lay.
    fn board(rules: &Self::Rules, state: &Self::State, slot: Slot, who: Viewer) -> Option<Board> {
        let _ = (rules, state, slot, who);
        None
    }

    /// How the board lies with this answer; `None` where it is not given by laying.
    fn laid(rules: &Self::Rules, state: &Self::State, slot: Slot, answer: &Self::Answer) -> Option<Laid> {
        let _ = (rules, state, slot, answer);
        None
    }

    /// The answer that an arrangement of the board stands for, allowed or not. The arrangement
    /// of a listed answer gives that answer.
    fn arranged(rules: &Self::Rules, state: &Self::State, slot: Slot, laid: &Laid) -> Option<Self::Answer> {
        let _ = (rules, state, slot, laid);
        None
    }

    /// Where those can go who may move by an answer to the ask at `slot`: on a map, as far as `who`
    /// may know. Nobody can, by default.
    fn reach(rules: &Self::Rules, state: &Self::State, slot: Slot, who: Viewer) -> Vec<Going> {
        let _ = (rules, state, slot, who);
        Vec::new()
    }

    /// What a space is like for somebody who may act by an answer to the ask at `slot`, as far as `who`
    /// may know. Its answers need not be allowed: those that are not are left out. `None` if nobody by that
    /// name may act, or there is no such space.
    fn there(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        pointed: &Pointed,
        who: Viewer,
    ) -> Option<There<Self::Answer>> {
        let _ = (rules, state, slot, pointed, who);
        None
    }

    /// The fiat by which the gamemaster puts a token into a space; `None` where a game has no map.
    fn put(rules: &Self::Rules, token: &str, to: Space) -> Option<Self::Fiat> {
        let _ = (rules, token, to);
        None
    }

    /// The result of a throw, as far as `who` can tell by their knowledge before it; `None` if
    /// its odds mean nothing to `who`.
    fn came(rules: &Self::Rules, fallen: &Fallen<'_, Self>, who: Viewer) -> Option<Came> {
        let _ = (rules, fallen, who);
        None
    }

    /// The results of one tone together, in a word or two, to stand above a long list of odds:
    /// "passes". Empty where a game has no such words.
    fn in_all(tone: Tone) -> &'static str {
        let _ = tone;
        ""
    }

    /// The odds of what chance has still to say to an answer: of the roll that it
    /// leads to at once, where a game knows of nothing further.
    ///
    /// Where it hangs on something hidden whether a roll comes, a game tells none.
    fn odds(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        answer: &Self::Answer,
        who: Viewer,
    ) -> Option<Odds> {
        odds::odds_after::<Self>(rules, state, slot, answer, who)
    }

    /// Whether an answer means nothing until its player says what they do: faces then ask
    /// for words, or whether they are said aloud. No answer, where a game does not say.
    fn needs_words(rules: &Self::Rules, state: &Self::State, slot: Slot, answer: &Self::Answer) -> bool {
        let _ = (rules, state, slot, answer);
        false
    }

    /// The promises of an answer's words to `who`, as keys and numbers: `("risk", 3)`.
    /// Empty by default.
    fn promise(
        rules: &Self::Rules,
        state: &Self::State,
        slot: Slot,
        answer: &Self::Answer,
        who: Viewer,
    ) -> Vec<(&'static str, i32)> {
        let _ = (rules, state, slot, answer, who);
        Vec::new()
    }

    /// The results of an answer under the keys of [`Words::promise`], read off the table before
    /// and after it and its events.
    fn kept(
        rules: &Self::Rules,
        before: &Self::State,
        after: &Self::State,
        events: &[Self::Event],
    ) -> Vec<(&'static str, i32)> {
        let _ = (rules, before, after, events);
        Vec::new()
    }

    /// The words of an event for `who`; `None` if `who` learns nothing of it.
    ///
    /// `state` is the state after the whole answer that caused the event. An event of
    /// which every reference is hidden from `who`, before the answer and after it, is
    /// not asked about: nobody learns anything of it.
    fn event(rules: &Self::Rules, state: &Self::State, event: &Self::Event, who: Viewer) -> Option<Told>;

    /// The kinds of events of which others than the gamemaster are sent data, and the fields
    /// that each sentence of [`Words::event`] tells all its readers, but for what has no
    /// name to them; see [`crate::said`]. A field that only some sentences tell, as the
    /// attacker of a veiled attack, is none of them. Nothing, where a game does not say.
    fn said() -> Said {
        &[]
    }

    /// Why dice are due, told to `who`.
    fn roll_told(rules: &Self::Rules, state: &Self::State, who: Viewer) -> Told;

    /// The table as cards: the scene first, then everybody `who` may see.
    fn cards(rules: &Self::Rules, state: &Self::State, who: Viewer) -> Vec<Card>;

    /// How it ended, as far as `who` may know: asked once play is over. Everybody stands,
    /// where a game does not say otherwise.
    fn ending(rules: &Self::Rules, state: &Self::State, who: Viewer) -> Ending {
        Ending::of(&Self::cards(rules, state, who), |_| false)
    }

    /// The table as `who` may see it drawn: what the cards and the ending show, where a game
    /// does not say otherwise. Who is asked is no part of it; see [`Stage::ask`].
    fn stage(rules: &Self::Rules, state: &Self::State, who: Viewer) -> Stage {
        let cards = Self::cards(rules, state, who);
        Stage::of(&cards, &Self::seats(rules)).after(&Self::ending(rules, state, who))
    }

    /// Short kind of a prompt, stable, in kebab-case: `turn`, `guard`, `judge`.
    fn kind(prompt: &Self::Prompt) -> &'static str;

    /// Every kind of prompt there is, for coverage of random play.
    fn kinds() -> &'static [&'static str];

    /// The kind of ask that somebody who is not asked is told play waits for: one of
    /// [`Words::kinds`]. Another than the prompt's own where that would tell of
    /// something hidden from `who`.
    fn waits(rules: &Self::Rules, state: &Self::State, slot: Slot, who: Viewer) -> &'static str {
        let _ = who;
        let open = Self::open(rules, state);
        open.asks().get(usize::from(slot.0)).map_or("", |ask| Self::kind(&ask.prompt))
    }

    /// Words for waiting, by kind of prompt, to follow "for Ana". They tell no more than the
    /// kind, so that every viewer may read them.
    fn awaited() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether an event says only that the gamemaster overruled something: "By the
    /// gamemaster's word". The changes that its reader sees follow its words.
    fn overrules(_: &Self::Event) -> bool {
        false
    }

    /// The kinds of fiat: an example as JSON, and its meaning.
    fn fiats() -> &'static [(&'static str, &'static str)];

    /// The same as forms to fill in, each fiat under its key, with what there is to
    /// pick from now; what is wanted most often first. Told to the gamemaster alone.
    fn fiat_forms(rules: &Self::Rules, state: &Self::State) -> Vec<Form>;

    /// Standing replies a seat may give: an example as JSON, and its meaning.
    /// [`Game::may_stand`] says whose each is. None, where a game does not say.
    fn standings() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// A standing reply that was given, in words: with a state in those that fit its moment ("for
    /// this turn"), else in those that hold at any time ("in turn 3"). `None` where the words of
    /// its form do.
    fn standing_told(
        rules: &Self::Rules,
        state: Option<&Self::State>,
        reply: Self::Standing,
    ) -> Option<String> {
        let _ = (rules, state, reply);
        None
    }

    /// The same as forms to fill in, one for each and in that order.
    fn standing_forms() -> Vec<Form> {
        Self::standings().iter().map(|(json, told)| Form::of_example(json, told, 0..=99)).collect()
    }
}

/// An answer that [`Game::check`] has allowed.
pub struct Move<G: Game> {
    slot: Slot,
    answer: G::Answer,
}

impl<G: Game> Clone for Move<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Move<G> {}

impl<G: Game> fmt::Debug for Move<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}", self.answer, self.slot)
    }
}

impl<G: Game> Move<G> {
    /// Vouches for an answer. Only a game's `check` calls this.
    pub const fn vouched(slot: Slot, answer: G::Answer) -> Self {
        Move { slot, answer }
    }

    /// The ask it answers.
    pub const fn slot(&self) -> Slot {
        self.slot
    }

    /// The answer.
    pub const fn answer(&self) -> G::Answer {
        self.answer
    }
}

/// One reason why an answer is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reason {
    /// The fault, and the correction, in lower case.
    pub what: Cow<'static, str>,
    /// The clause behind it, where a rule (and not the form) refuses.
    pub clause: Option<Clause>,
}

/// Why an answer is not allowed: every reason, the weightiest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Refused {
    /// At least one reason.
    pub reasons: Vec<Reason>,
}

impl Refused {
    /// Refused for a rule.
    pub fn rule(clause: Clause, what: impl Into<Cow<'static, str>>) -> Self {
        Refused { reasons: vec![Reason { what: what.into(), clause: Some(clause) }] }
    }

    /// Refused for its form: no such ask, the wrong seat, an unknown name.
    pub fn form(what: impl Into<Cow<'static, str>>) -> Self {
        Refused { reasons: vec![Reason { what: what.into(), clause: None }] }
    }

    /// Adds a reason.
    pub fn add(&mut self, clause: Clause, what: impl Into<Cow<'static, str>>) {
        self.reasons.push(Reason { what: what.into(), clause: Some(clause) });
    }

    /// `Ok` while no reason stands against it.
    ///
    /// # Errors
    /// Itself, once there is a reason.
    pub fn verdict(self) -> Result<(), Refused> {
        if self.reasons.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Whether one of the reasons is this clause.
    pub fn names(&self, id: &str) -> bool {
        self.reasons.iter().any(|r| r.clause.is_some_and(|c| c.id() == id))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            f.write_str(&reason.what)?;
            if let Some(clause) = reason.clause {
                write!(f, " ({})", clause.id())?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Refused {}

/// Where a game's events go.
pub trait Sink<E> {
    /// Takes one event, in the order they happen.
    fn event(&mut self, event: E);
}

impl<E> Sink<E> for Vec<E> {
    fn event(&mut self, event: E) {
        self.push(event);
    }
}

/// Takes no notice: what playouts use.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoSink;

impl<E> Sink<E> for NoSink {
    fn event(&mut self, _: E) {}
}
