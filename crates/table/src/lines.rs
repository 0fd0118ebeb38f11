//! A log as one viewer may see it.

use crate::{Auto, Entry, Log, Reader, Record, ShownText, entry::ShownLine};
use fracas_kernel::{Said, Seat, Thrown, Viewer, said};
use serde::Serialize;
use serde_json::Value;

/// One line as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineTo {
    /// Its place among the lines this viewer sees, from 0: without gaps, so
    /// that it does not tell how many lines the viewer does not see.
    pub n: u64,
    /// Its number in the log: for the gamemaster alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
    /// What happened, as it was shown to this viewer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownText>,
    /// What somebody wrote. Words beside an answer or a fiat are for whoever
    /// was shown something of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether it was taken back later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub struck: bool,
}

/// What a line is, as far as a viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum What {
    /// The table was opened.
    Opened,
    /// A seat answered.
    Answer {
        /// Whose answer.
        seat: Seat,
        /// Whether the gamemaster gave it for that seat.
        by_gm: bool,
        /// Why nobody was asked, where nobody was. For that seat and the
        /// gamemaster alone, for it tells what else the seat could have
        /// answered; that it came late anybody may know.
        #[serde(skip_serializing_if = "Option::is_none")]
        auto: Option<Auto>,
    },
    /// Dice fell.
    Roll {
        /// Whose.
        whose: Seat,
        /// Whether the gamemaster threw them for that seat; told whoever may see them.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        by_gm: bool,
        /// Which dice; absent for who may not see them.
        #[serde(skip_serializing_if = "Option::is_none")]
        dice: Option<String>,
        /// What they showed; empty for who may not see them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faces: Vec<u8>,
        /// How they came about.
        thrown: Thrown,
    },
    /// The gamemaster overruled the engine.
    Fiat,
    /// Somebody wrote something.
    Note {
        /// Who.
        by: Seat,
        /// Whether it is not for everybody.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
    },
    /// Something was taken back.
    Rewind {
        /// Who took it back.
        by: Seat,
    },
    /// A standing reply was given or taken back.
    Standing {
        /// Whose.
        seat: Seat,
        /// The reply, as JSON with names.
        reply: String,
        /// Given, or taken back.
        on: bool,
    },
}

impl Log {
    /// What `who` may see of each line, in order. Lines of which `who` may see
    /// nothing are left out.
    pub fn lines_to(&self, who: Viewer) -> impl Iterator<Item = LineTo> {
        self.records().iter().filter_map(move |record| record.to(who)).zip(0..).map(|(mut line, n)| {
            line.n = n;
            line
        })
    }
}

impl Record {
    /// The events that [`Record::to`] shows `who`, as data: whole for the gamemaster; for
    /// others what their sentence says, by what the system tells ([`fracas_kernel::said`]).
    pub fn events(&self, who: Viewer, told: Said) -> Vec<Option<Value>> {
        let who = self.eyes(who);
        let event = |line: &ShownLine| {
            let telling = line.telling(who)?;
            let event: Value = serde_json::from_str(line.event.get()).unwrap_or_default();
            Some(if who.is_gm() { Some(event) } else { said(told, &event, telling) })
        };
        self.shown().iter().filter_map(event).collect()
    }

    /// What `who` may see of it, `n` being 0; `None` where that is nothing. Of a move that
    /// was taken back everybody but the gamemaster sees that it was one.
    pub fn to(&self, who: Viewer) -> Option<LineTo> {
        let who = self.eyes(who);
        let shown: Vec<ShownText> = self.shown().iter().filter_map(|line| line.to(who).cloned()).collect();
        let is = |seat: Seat| who.is_gm() || who == Viewer::Seat(seat);
        let sees = !shown.is_empty();
        let (visible, what, text) = match &self.entry {
            Entry::Header(_) => (true, What::Opened, None),
            Entry::Answer(it) => {
                let seat = it.seat();
                let by_gm = it.for_seat.is_some();
                (
                    sees || is(seat),
                    What::Answer {
                        seat,
                        by_gm,
                        auto: it.auto.filter(|auto| is(seat) || *auto == Auto::Late),
                    },
                    it.text.clone(),
                )
            }
            Entry::Roll(it) => {
                let open = it.seen.by(who);
                let what = What::Roll {
                    whose: it.whose,
                    by_gm: open && it.by == Seat::Gm && matches!(it.whose, Seat::Player(_)),
                    dice: open.then(|| it.dice.clone()),
                    faces: if open { it.faces.clone() } else { Vec::new() },
                    thrown: it.thrown,
                };
                (sees || open, what, None)
            }
            Entry::Fiat(it) => (sees || who.is_gm(), What::Fiat, it.text.clone()),
            Entry::Note(it) => (
                it.seen_by(who),
                What::Note { by: it.by, aside: it.to != Reader::All },
                Some(it.text.clone()),
            ),
            Entry::Rewind(it) => (self.is_heard(who), What::Rewind { by: it.by }, None),
            Entry::Standing(it) => {
                let what = What::Standing { seat: it.seat, reply: it.reply.get().to_owned(), on: it.on };
                (is(it.seat), what, None)
            }
            Entry::Snapshot(_) | Entry::Name(_) => return None,
        };
        let struck = !self.live();
        // What was taken back may name what is hidden again: it is the gamemaster's to read.
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
