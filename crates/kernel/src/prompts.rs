//! What a game asks, each prompt said in one place.
//!
//! [`prompts!`](crate::prompts) lists a game's prompts, an entry each. The entry names a module,
//! and the module holds all there is to the prompt: its question (`told`), the answers worth
//! listing (`legal`), which kinds of answer it takes ([`takes!`](crate::takes)), the reasons
//! against one (`object`), and what one does (`apply`). [`Asking`] makes of that what [`Game`]
//! wants.

use crate::{
    Any, Ask, Asks, Clause, Game, Move, Objections, Open, Refers, Refused, Roll, Sink, Slot, Told, Viewer,
    Who, fine,
};

/// A table at one moment: what a function is given that changes nothing.
pub struct At<'a, G: Game> {
    /// The part of the table that does not change.
    pub rules: &'a G::Rules,
    /// The moment.
    pub state: &'a G::State,
}

impl<G: Game> Clone for At<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for At<'_, G> {}

/// A table in play: what a function is given that changes the moment and tells of it.
pub struct Play<'a, G: Game, S> {
    /// The part of the table that does not change.
    pub rules: &'a G::Rules,
    /// The moment.
    pub state: &'a mut G::State,
    /// Takes the events.
    pub sink: &'a mut S,
}

impl<G: Game, S: Sink<G::Event>> Play<'_, G, S> {
    /// The table as it is now.
    pub fn at(&self) -> At<'_, G> {
        At { rules: self.rules, state: self.state }
    }

    /// Tells an event.
    pub fn event(&mut self, event: G::Event) {
        self.sink.event(event);
    }
}

/// The kind of a moment: the end, a roll, or open asks.
pub enum Due<F> {
    /// The game is over.
    Over,
    /// Dice are due.
    Roll(Roll<F>),
    /// Asks are open.
    Asks,
}

/// The clause behind a refusal, and its words.
pub type Why = (Clause, &'static str);

/// The trait that [`prompts!`](crate::prompts) implements. `asked` is who is asked.
pub trait Prompted<G: Game>: Copy {
    /// Every kind of prompt.
    const KINDS: &'static [&'static str];
    /// Words for waiting, by kind of prompt, for viewers who are not asked.
    const AWAITED: &'static [(&'static str, &'static str)];

    /// The kind of this one.
    fn kind(&self) -> &'static str;

    /// The words of the prompt for a viewer.
    fn told(self, at: At<'_, G>, asked: Who, viewer: Viewer) -> Told;

    /// Lists the answers that make sense; none of them is refused.
    fn legal(self, at: At<'_, G>, asked: Who, each: &mut dyn FnMut(G::Answer));

    /// Why an answer is of no kind that this prompt takes, if it is of none.
    fn strays(self, answer: &G::Answer) -> Option<Why>;

    /// Collects the reasons against an answer of a kind that this prompt takes.
    fn object(self, at: At<'_, G>, asked: Who, answer: G::Answer, out: &mut impl Objections);

    /// Carries out an answer that was allowed.
    fn apply<S: Sink<G::Event>>(self, play: &mut Play<'_, G, S>, asked: Who, answer: G::Answer);
}

/// A game whose prompts are listed by [`prompts!`](crate::prompts). [`asking!`](crate::asking)
/// makes of it the functions of [`Game`] and [`crate::Words`] that are about asks.
pub trait Asking: Game<Prompt: Prompted<Self>, Answer: Refers> {
    /// The refusal of an answer with an unknown name.
    const NOT_THERE: &'static str = "the answer names somebody or something that is not at this table";

    /// Puts every open ask in canonical order, and says what is due besides.
    fn each_ask(at: At<'_, Self>, put: &mut impl FnMut(Ask<Self::Prompt>)) -> Due<Self::Fold>;

    /// Whether there is such a thing as an answer of those `asked` names: the `n`th of kind `letter`.
    fn is_there(at: At<'_, Self>, asked: Who, name: (char, usize)) -> bool {
        let _ = asked;
        Self::names(at.rules).slug(name.0, name.1).is_some()
    }

    /// Says otherwise why an answer is none to this prompt, where the game knows better.
    fn refuse_stray(prompt: Self::Prompt, answer: &Self::Answer, why: Why) -> Why {
        let _ = (prompt, answer);
        why
    }

    /// Carries out what follows without an answer, after an answer was carried out.
    fn settle<S: Sink<Self::Event>>(play: &mut Play<'_, Self, S>) {
        let _ = play;
    }

    /// The ask at a slot. (No game says this otherwise.)
    fn ask_at(at: At<'_, Self>, slot: Slot) -> Option<Ask<Self::Prompt>> {
        let (mut place, mut found) = (0, None);
        Self::each_ask(at, &mut |ask| {
            if place == slot.0 {
                found = Some(ask);
            }
            place += 1;
        });
        found
    }

    /// Collects the reasons against an answer to an ask. (No game says this otherwise.)
    fn object(at: At<'_, Self>, ask: &Ask<Self::Prompt>, answer: Self::Answer, out: &mut impl Objections) {
        match ask.prompt.strays(&answer) {
            Some(why) => {
                let (clause, what) = Self::refuse_stray(ask.prompt, &answer, why);
                out.no(clause, what);
            }
            None => ask.prompt.object(at, ask.who, answer, out),
        }
    }

    /// [`Game::open`]. (No game says this otherwise.)
    fn now_open(at: At<'_, Self>) -> Open<Self> {
        // Filled where it is returned: a list of asks is long.
        let mut open = Open::Asks(Asks::new());
        let due = Self::each_ask(at, &mut |ask| {
            if let Open::Asks(asks) = &mut open {
                asks.push(ask);
            }
        });
        match due {
            Due::Over => open = Open::Over,
            Due::Roll(roll) => open = Open::Roll(roll),
            Due::Asks => {}
        }
        open
    }

    /// [`Game::check`]. (No game says this otherwise.)
    ///
    /// # Errors
    /// Every reason against the answer.
    fn judge(at: At<'_, Self>, slot: Slot, answer: Self::Answer) -> Result<Move<Self>, Refused> {
        match Self::ask_at(at, slot) {
            Some(ask) => Self::judge_answer(at, (slot, &ask), answer),
            None => Err(Refused::form("nothing is asked at this slot")),
        }
    }

    /// The same for the ask that was found at the slot. (No game says this otherwise.)
    ///
    /// # Errors
    /// Every reason against the answer.
    fn judge_answer(
        at: At<'_, Self>,
        (slot, ask): (Slot, &Ask<Self::Prompt>),
        answer: Self::Answer,
    ) -> Result<Move<Self>, Refused> {
        let mut is_there = true;
        answer
            .each_reference(&mut |letter, n| is_there = is_there && Self::is_there(at, ask.who, (letter, n)));
        if !is_there {
            return Err(Refused::form(Self::NOT_THERE));
        }
        // Collecting reasons costs; most answers have none.
        if !fine(|out: &mut Any| Self::object(at, ask, answer, out)) {
            let mut refused = Refused::default();
            Self::object(at, ask, answer, &mut refused);
            refused.verdict()?;
        }
        Ok(Move::vouched(slot, answer))
    }

    /// [`Game::apply`]. A game says otherwise only what else an answer is wrapped in.
    fn carry_out<S: Sink<Self::Event>>(play: &mut Play<'_, Self, S>, mv: Move<Self>) {
        let Some(ask) = Self::ask_at(play.at(), mv.slot()) else { return };
        ask.prompt.apply(play, ask.who, mv.answer());
        Self::settle(play);
    }
}

/// Lists the prompts of a game. An entry is the kind, the variant with its fields, the module
/// that holds all there is to it with what is handed to its functions, and what others are told
/// that play waits for, in words that go on from "for Ana".
///
/// The head names the game and says what the entries call those who are asked ([`Who`]).
/// The functions of a module, where `given` stands for what its entry hands over:
///
/// - `told(at, given, viewer) -> Told`: the question.
/// - `legal(at, given, each)`: answers worth listing; those that `object` refuses are left out,
///   which costs a judgement each. `unfiltered` at the end of an entry says that its list is right
///   by the way it is made and stands as it is (a debug build judges it all the same).
/// - [`takes!`](crate::takes), or a function `strays`: which kinds of answer it takes.
///   [`takes_all!`](crate::takes_all) writes `legal` and `object` as well.
/// - `object(at, given, answer, out)`: the reasons against an answer of such a kind.
/// - `apply(play, given, answer)`: what an allowed answer does.
///
/// ```
/// # mod example {
/// # mod duel { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/duel/game.rs")); }
/// # use duel::{Answer, Char, Duel, Event, STRIKE};
/// # use fracas_kernel::*;
/// prompts! {
///     /// What is asked.
///     pub enum Prompt of Duel, asking asked;
///
///     /// Does somebody rest after a blow of another's?
///     "rest" Rest { who: Char, by: Char } => rest(who), "to rest";
/// }
///
/// mod rest {
///     use super::*;
///     pub(crate) fn told(at: At<'_, Duel>, who: Char, _: Viewer) -> Told {
///         Told::new(format!("Does {} rest?", Saying(who, at)))
///     }
///     pub(crate) fn legal(_: At<'_, Duel>, _: Char, each: &mut impl FnMut(Answer)) {
///         each(Answer::Wait);
///     }
///     takes!(Answer, Answer::Wait, Clause::of(&STRIKE), "expected rest");
///     pub(crate) fn object(_: At<'_, Duel>, _: Char, _: Answer, _: &mut impl Objections) {}
///     pub(crate) fn apply(play: &mut Play<'_, Duel, impl Sink<Event>>, who: Char, _: Answer) {
///         play.event(Event::Waits(who));
///     }
/// }
/// # pub fn kind() -> &'static str { Prompt::Rest { who: Char(0), by: Char(1) }.kind() }
/// # }
/// assert_eq!(example::kind(), "rest");
/// ```
#[macro_export]
macro_rules! prompts {
    // Whether an answer that `legal` gives is listed.
    (@stands $answer:ident, $fine:ident) => {
        $fine()
    };
    (@stands $answer:ident, $fine:ident, unfiltered) => {{
        debug_assert!($fine(), "listed unfiltered and refused: {:?}", $answer);
        true
    }};
    (
        $(#[$doc:meta])* $vis:vis enum $prompt:ident of $game:ty, asking $asked:ident;
        $(
            $(#[$entry_doc:meta])*
            $kind:literal $variant:ident
                $(($($one:ident: $one_type:ty),+))?
                $({ $($(#[$field_doc:meta])* $field:ident: $field_type:ty),+ $(,)? })?
                => $($module:ident)::+ ($($given:ident),*), $waits:literal $(, $unfiltered:ident)?;
        )+
    ) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "an entry says what its fields are")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, ::serde::Serialize)]
        $vis enum $prompt {
            $(
                $(#[$entry_doc])*
                #[serde(rename = $kind)]
                $variant $(($($one_type),+))? $({ $($(#[$field_doc])* $field: $field_type),+ })?
            ),+
        }

        #[allow(unused_variables, reason = "an entry hands over what its module reads")]
        impl $crate::Prompted<$game> for $prompt {
            const KINDS: &'static [&'static str] = &[$($kind),+];
            const AWAITED: &'static [(&'static str, &'static str)] = &[$(($kind, $waits)),+];

            fn kind(&self) -> &'static str {
                match self { $($prompt::$variant { .. } => $kind),+ }
            }

            fn told(
                self, at: $crate::At<'_, $game>, $asked: $crate::Who, viewer: $crate::Viewer,
            ) -> $crate::Told {
                match self {
                    $($prompt::$variant $(($($one),+))? $({ $($field),+ })? => {
                        $($module)::+::told(at, $($given,)* viewer)
                    })+
                }
            }

            fn legal(
                self, at: $crate::At<'_, $game>, $asked: $crate::Who,
                each: &mut dyn FnMut(<$game as $crate::Game>::Answer),
            ) {
                match self {
                    $($prompt::$variant $(($($one),+))? $({ $($field),+ })? => {
                        $($module)::+::legal(at, $($given,)* &mut |answer| {
                            let fine =
                                || $crate::fine(|out| $($module)::+::object(at, $($given,)* answer, out));
                            if $crate::prompts!(@stands answer, fine $(, $unfiltered)?) {
                                each(answer);
                            }
                        });
                    })+
                }
            }

            fn strays(self, answer: &<$game as $crate::Game>::Answer) -> Option<$crate::Why> {
                match self { $($prompt::$variant { .. } => $($module)::+::strays(answer)),+ }
            }

            fn object(
                self, at: $crate::At<'_, $game>, $asked: $crate::Who,
                answer: <$game as $crate::Game>::Answer, out: &mut impl $crate::Objections,
            ) {
                match self {
                    $($prompt::$variant $(($($one),+))? $({ $($field),+ })? => {
                        $($module)::+::object(at, $($given,)* answer, out);
                    })+
                }
            }

            fn apply<S: $crate::Sink<<$game as $crate::Game>::Event>>(
                self, play: &mut $crate::Play<'_, $game, S>, $asked: $crate::Who,
                answer: <$game as $crate::Game>::Answer,
            ) {
                match self {
                    $($prompt::$variant $(($($one),+))? $({ $($field),+ })? => {
                        $($module)::+::apply(play, $($given,)* answer);
                    })+
                }
            }
        }
    };
}

/// Says in the module of a prompt which kinds of answer it takes, and what any other is refused
/// with: `takes!(Answer, Answer::Yes | Answer::No, clause!("push.offer"), "expected yes or no")`.
#[macro_export]
macro_rules! takes {
    ($answer:ty, $takes:pat, $clause:expr, $what:literal $(,)?) => {
        pub(crate) const fn strays(answer: &$answer) -> Option<$crate::Why> {
            match *answer {
                $takes => None,
                _ => Some(($clause, $what)),
            }
        }
    };
}

/// The same of a prompt that lists all the answers it takes, whatever is on the table, and has
/// nothing against any of them: writes `legal` and `object` as well. In front are the types of what
/// the prompt's entry hands over:
/// `takes_all!(At<'_>, (Char) -> Answer, [Answer::Yes, Answer::No], clause!("push.offer"), "expected yes or no")`.
#[macro_export]
macro_rules! takes_all {
    ($at:ty, ($($given:ty),*) -> $answer:ty, $all:expr, $clause:expr, $what:literal $(,)?) => {
        pub(crate) fn legal(_: $at, $(_: $given,)* each: &mut impl FnMut($answer)) {
            $all.into_iter().for_each(each);
        }

        pub(crate) fn strays(answer: &$answer) -> Option<$crate::Why> {
            (!$all.contains(answer)).then_some(($clause, $what))
        }

        pub(crate) fn object(_: $at, $(_: $given,)* _: $answer, _: &mut impl $crate::Objections) {}
    };
}

/// The functions about asks, for a game that is [`Asking`]: `asking!(Game)` in its
/// `impl Game`, `asking!(Words)` in its `impl Words`.
#[macro_export]
macro_rules! asking {
    (Game) => {
        fn open(rules: &Self::Rules, state: &Self::State) -> $crate::Open<Self> {
            <Self as $crate::Asking>::now_open($crate::At { rules, state })
        }

        fn legal(
            rules: &Self::Rules,
            state: &Self::State,
            slot: $crate::Slot,
            each: &mut dyn FnMut(Self::Answer),
        ) {
            let at = $crate::At { rules, state };
            if let Some(ask) = <Self as $crate::Asking>::ask_at(at, slot) {
                $crate::Prompted::<Self>::legal(ask.prompt, at, ask.who, each);
            }
        }

        fn check(
            rules: &Self::Rules,
            state: &Self::State,
            slot: $crate::Slot,
            answer: Self::Answer,
        ) -> Result<$crate::Move<Self>, $crate::Refused> {
            <Self as $crate::Asking>::judge($crate::At { rules, state }, slot, answer)
        }

        fn apply(
            rules: &Self::Rules,
            state: &mut Self::State,
            mv: $crate::Move<Self>,
            sink: &mut impl $crate::Sink<Self::Event>,
        ) {
            <Self as $crate::Asking>::carry_out(&mut $crate::Play { rules, state, sink }, mv);
        }
    };
    (Words) => {
        fn ask(
            rules: &Self::Rules,
            state: &Self::State,
            slot: $crate::Slot,
            viewer: $crate::Viewer,
        ) -> $crate::Told {
            let at = $crate::At { rules, state };
            <Self as $crate::Asking>::ask_at(at, slot).map_or_else($crate::Told::default, |ask| {
                $crate::Prompted::<Self>::told(ask.prompt, at, ask.who, viewer)
            })
        }

        fn kind(prompt: &Self::Prompt) -> &'static str {
            $crate::Prompted::<Self>::kind(prompt)
        }

        fn kinds() -> &'static [&'static str] {
            <Self::Prompt as $crate::Prompted<Self>>::KINDS
        }

        fn awaited() -> &'static [(&'static str, &'static str)] {
            <Self::Prompt as $crate::Prompted<Self>>::AWAITED
        }

        fn said() -> $crate::Said {
            <Self::Event as $crate::Happened<Self>>::SAID
        }
    };
}
