//! A log as one viewer may see it.

use crate::{Auto, Entry, Log, Reader, Record, ShownText, entry::ShownLine};
use fracas_kernel::{Said, Seat, Thrown, Viewer, said};
use serde::Serialize;
use serde_json::Value;

/// One line as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineTo {
    /// Its place among the lines that this viewer sees, from 0. The count has no gaps, so
    /// it does not reveal how many lines are hidden from this viewer.
    pub n: u64,
    /// Its number in the log, for the gamemaster alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Its kind and content.
    #[serde(flatten)]
    pub what: What,
    /// The events it caused, as this viewer was shown them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownText>,
    /// Text that a person wrote. Text beside an answer or a fiat is visible to viewers who
    /// were shown an event of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether it was taken back later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub struck: bool,
}

/// A line's kind and content, as far as a viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum What {
    /// The table was opened.
    Opened,
    /// A seat answered.
    Answer {
        /// The seat whose answer it is.
        seat: Seat,
        /// Whether the gamemaster gave it for that seat.
        by_gm: bool,
        /// Why it was given without asking, if it was. For that seat and the gamemaster
        /// alone, since it reveals what else the seat could have answered; everybody may
        /// know that a time limit ran out.
        #[serde(skip_serializing_if = "Option::is_none")]
        auto: Option<Auto>,
    },
    /// Dice fell.
    Roll {
        /// The seat whose roll it was.
        whose: Seat,
        /// Whether the gamemaster threw for that seat; visible to viewers who may see the
        /// faces.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        by_gm: bool,
        /// The dice; absent for viewers who may not see them.
        #[serde(skip_serializing_if = "Option::is_none")]
        dice: Option<String>,
        /// The faces; empty for viewers who may not see them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faces: Vec<u8>,
        /// How the faces came about.
        thrown: Thrown,
    },
    /// The gamemaster overruled the engine.
    Fiat,
    /// A person wrote a note.
    Note {
        /// Its writer.
        by: Seat,
        /// Whether it is not for everybody.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
    },
    /// Lines were taken back.
    Rewind {
        /// The seat that took them back.
        by: Seat,
    },
    /// A standing reply was given or taken back.
    Standing {
        /// The seat.
        seat: Seat,
        /// The reply, as JSON with names.
        reply: String,
        /// Whether it was given or taken back.
        on: bool,
    },
}

impl Log {
    /// What `who` may see of each line, in order. Lines of which `who` may see nothing are
    /// left out.
    pub fn lines_to(&self, who: Viewer) -> impl Iterator<Item = LineTo> {
        self.records().iter().filter_map(move |record| record.to(who)).zip(0..).map(|(mut line, n)| {
            line.n = n;
            line
        })
    }
}

impl Record {
    /// The events that [`Record::to`] shows `who`, as data: whole for the gamemaster, and
    /// for others the fields that `shared` allows and that their own sentence states
    /// ([`fracas_kernel::said`]).
    pub fn events(&self, who: Viewer, shared: Said) -> Vec<Option<Value>> {
        let who = self.eyes(who);
        let event = |line: &ShownLine| {
            let telling = line.telling(who)?;
            let event: Value = serde_json::from_str(line.event.get()).unwrap_or_default();
            Some(if who.is_gm() { Some(event) } else { said(shared, &event, telling) })
        };
        self.shown().iter().filter_map(event).collect()
    }

    /// What `who` may see of the line, with `n` as 0; `None` if that is nothing. Of a move
    /// that was taken back, everybody but the gamemaster sees only that there was one.
    pub fn to(&self, who: Viewer) -> Option<LineTo> {
        let who = self.eyes(who);
        let shown: Vec<ShownText> = self.shown().iter().filter_map(|line| line.to(who).cloned()).collect();
        let is = |seat: Seat| who.is_gm() || who == Viewer::Seat(seat);
        let sees = !shown.is_empty();
        let (visible, what, text) = match &self.entry {
            Entry::Header(_) => (true, What::Opened, None),
            Entry::Answer(entry) => {
                let seat = entry.seat();
                let by_gm = entry.for_seat.is_some();
                (
                    sees || is(seat),
                    What::Answer {
                        seat,
                        by_gm,
                        auto: entry.auto.filter(|auto| is(seat) || *auto == Auto::Late),
                    },
                    entry.text.clone(),
                )
            }
            Entry::Roll(entry) => {
                let open = entry.seen.by(who);
                let what = What::Roll {
                    whose: entry.whose,
                    by_gm: open && entry.by == Seat::Gm && matches!(entry.whose, Seat::Player(_)),
                    dice: open.then(|| entry.dice.clone()),
                    faces: if open { entry.faces.clone() } else { Vec::new() },
                    thrown: entry.thrown,
                };
                (sees || open, what, None)
            }
            Entry::Fiat(entry) => (sees || who.is_gm(), What::Fiat, entry.text.clone()),
            Entry::Note(entry) => (
                entry.seen_by(who),
                What::Note { by: entry.by, aside: entry.to != Reader::All },
                Some(entry.text.clone()),
            ),
            Entry::Rewind(entry) => (self.is_heard(who), What::Rewind { by: entry.by }, None),
            Entry::Standing(entry) => {
                let what =
                    What::Standing { seat: entry.seat, reply: entry.reply.get().to_owned(), on: entry.on };
                (is(entry.seat), what, None)
            }
            Entry::Snapshot(_) | Entry::Name(_) => return None,
        };
        let struck = !self.live();
        // A move that was taken back may name something that is hidden again, so only the
        // gamemaster may read it.
        let blank = struck && !who.is_gm() && self.entry.is_move();
        visible.then(|| LineTo {
            n: 0,
            seq: who.is_gm().then_some(self.seq),
            what,
            shown: if blank { Vec::new() } else { shown },
            text: text.filter(|_| !blank),
            struck,
        })
    }
}
