//! Reasons against an answer: collected for people, or only counted.
//!
//! A game writes what speaks against an answer once, over [`Objections`]: `check`
//! collects the reasons, `legal` only asks whether there is one, at no cost.

use crate::{Clause, Refused};

/// Takes the reasons against an answer.
pub trait Objections {
    /// One reason, with the clause behind it.
    fn no(&mut self, clause: Clause, what: &'static str);
}

impl Objections for Refused {
    fn no(&mut self, clause: Clause, what: &'static str) {
        self.add(clause, what);
    }
}

/// Whether there was any reason.
#[derive(Clone, Copy, Default, Debug)]
pub struct Any(pub bool);

impl Objections for Any {
    fn no(&mut self, _: Clause, _: &'static str) {
        self.0 = true;
    }
}

/// Whether nothing speaks against it.
pub fn fine(objections: impl FnOnce(&mut Any)) -> bool {
    let mut any = Any::default();
    objections(&mut any);
    !any.0
}
