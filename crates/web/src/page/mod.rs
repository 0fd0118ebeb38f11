//! The pages, as HTML that escapes by default.
//!
//! The regions of a table's page are functions of a [`Glance`](fracas_live::glance::Glance): the
//! table as one viewer sees it at one moment. None of them knows a rule.

mod api;
mod ask;
mod board;
mod cast;
mod chart;
mod delete;
mod dice;
mod door;
mod draw;
mod forget;
mod hindsight;
mod hint;
mod home;
mod layout;
mod map;
mod moment;
mod next;
mod odds;
pub(crate) mod overlay;
mod overrule;
mod papers;
mod people;
mod plan;
mod programs;
mod qr;
mod rules;
mod scene;
mod scenery;
mod sheet;
mod stage;
mod story;
mod table;
mod tools;
mod words;

pub(crate) use api::api;
pub(crate) use ask::{Path, choices};
pub(crate) use board::arranged;
pub(crate) use delete::{Deletion, deletion};
pub(crate) use door::{AtDoor, Glimpse, Knock, knock, place, waiting};
pub(crate) use draw::Pages;
pub(crate) use forget::{Known, forget};
pub(crate) use hindsight::{AGAIN, Past, from, turns};
pub(crate) use hint::hint;
pub(crate) use home::{NOBODY, Offer, Place, Wanted, home, open};
pub(crate) use layout::{Filled, Note, Reason, Rule, WayOn, trouble};
pub(crate) use map::there;
pub(crate) use moment::moment;
pub(crate) use next::{Chosen, Evening, next};
pub(crate) use overrule::{Overrule, overrule};
pub(crate) use papers::{Face, Mapped, Paperwork, Shelf, in_form_words, library, paper, papers, report};
pub(crate) use people::{LinkRow, People, TakenAlong, people};
pub(crate) use plan::{misdrawn, plan, unmapped};
pub(crate) use programs::{Nudges, Programs, programs};
pub(crate) use rules::{ReadFrom, clause, rule, rulebook};
pub(crate) use scene::{Picked, scene};
pub(crate) use scenery::cover;
pub(crate) use sheet::sheet;
pub(crate) use story::{For, Story, StoryHead, story, story_file};
pub(crate) use table::{Shown, table};
pub(crate) use words::capital;
