//! A game is a pure state machine that asks. Seats answer. Chance is a seat.
//!
//! A [`Game`] keeps its [`Game::Rules`] (cast, content, options) apart from its
//! [`Game::State`] (one moment, plain data). A state says what it asks
//! ([`Game::open`]); an answer is judged ([`Game::check`]) and then applied
//! ([`Game::apply`]), which cannot fail; a roll is answered with faces or with
//! the class of a [`Fold`]. Nothing here calls out, waits, throws dice or reads
//! a clock: tables, bots, odds, replay and scenarios are users of this one
//! interface and none of them knows a rule.
//!
//! [`Session`] plays one game: it stamps asks with ids, keeps joint answers and
//! standing replies, and refuses what is stale or somebody else's.
//! [`AnyTable`] is the same with the game's types erased to JSON text.

#![forbid(unsafe_code)]

mod about;
mod ask;
mod board;
mod carried;
mod classes;
mod clause;
mod dice;
mod document;
mod erased;
mod events;
pub mod form;
mod game;
mod label;
mod library;
mod masked;
mod names;
mod objection;
mod odds;
mod options;
mod overruled;
mod part;
mod pointed;
mod prompts;
mod question;
mod refers;
mod roster;
mod said;
mod seat;
mod secret;
mod session;
mod space;
mod stage;
mod told;
mod view;
mod vocab;
mod written;

pub use about::{About, Prepared, Tally, portraits};
pub use ask::{Ask, Asks, Duty, MAX_ASKS, Open, Slot, Who};
pub use board::{Board, Laid, Lies, Piece, Place, Playable, Pooled};
pub use carried::{FALLEN, NEW, carried_on};
pub use classes::classes;
pub use clause::{Clause, Entry, Kind, OptionOf, Rulebook, distance};
pub use dice::{Dice, Die, Faces, FacesError, Fold, MAX_DICE, NoFold, Read, Roll, Rolled, Seen, Thrown};
pub use document::{
    Document, Fault, Faults, Faulty, Fields, HISTORY, MapRead, Node, PORTRAIT, Setup, TextOr, Value, Want,
    near, no_option, not_one_of,
};
pub use erased::{
    AnyTable, AskInfo, Eager, Listed, Mark, Now, RollInfo, Shown, ShownTo, Step, System, system_of,
};
pub use events::{Happened, Say, Saying};
pub use game::{Game, Move, NoSink, Reason, Refused, Sink, Words};
pub use label::{Label, LabelError};
pub use library::check_library;
pub use masked::{Hidden, Masked};
pub use names::{Known, Names, RefError, hearsay};
pub use objection::{Any, Objections, fine};
pub use odds::{Came, Chance, Fallen, Odds, Tone, odds_after, odds_at, to_roll};
pub use options::set_option;
pub use part::{Part, PartKind};
pub use pointed::{Facing, Going, MAX_VIA, Pointed, Shade, There};
pub use prompts::{Asking, At, Due, Play, Prompted, Why};
pub use question::{Given, Question, Takes, Values};
pub use refers::{Refers, is_default};
pub use roster::Roster;
pub use said::{Said, Telling, said, tells};
pub use seat::{Seat, SeatInfo, SeatSet, Viewer};
pub use secret::Secret;
pub use session::{Answered, AskId, Session};
pub use space::{
    Blocked, Field, Line, MAX_PATH, MAX_PLACES, MAX_SIDE, MAX_WAYS, Metric, Neighbours, Path, PlacesError,
    Reach, Space, SpaceError, Spaces,
};
pub use stage::{
    Apart, Area, Flank, Grid, Ground, GroundKind, Hand, Link, LinkKind, Map, Picture, Playing, Side, Spot,
    Stage, Stands, Token, Waiting,
};
pub use told::{Card, Cell, Ending, Fared, Meter, Row, SheetPart, Tag, TagShape, Told, amid};
pub use vocab::referred;
pub use written::toml;
