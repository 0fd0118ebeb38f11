//! Reasons against an answer: collected for people, or only counted.

use fracas_kernel::{Clause, Refused};

/// Takes the reasons against an answer.
pub(crate) trait Objections {
    /// One reason, with the clause behind it.
    fn no(&mut self, clause: Clause, what: &'static str);
}

impl Objections for Refused {
    fn no(&mut self, clause: Clause, what: &'static str) {
        self.add(clause, what);
    }
}

/// Whether there was any reason: what listing answers needs, at no cost.
#[derive(Default)]
pub(crate) struct Any(pub(crate) bool);

impl Objections for Any {
    fn no(&mut self, _: Clause, _: &'static str) {
        self.0 = true;
    }
}

/// Whether nothing speaks against it.
pub(crate) fn fine(objections: impl FnOnce(&mut Any)) -> bool {
    let mut any = Any::default();
    objections(&mut any);
    !any.0
}
