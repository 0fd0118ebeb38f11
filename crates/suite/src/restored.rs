//! Snapshots, and the state rebuilt from the answers.

use crate::Effort;
use crate::walk::{Done, Here, json, start, take, walks};
use fracas_kernel::{AnyTable, AskId, Session, Setup, Words};

/// Restoring a snapshot gives the same moment, with the same ids, as going back to a mark does.
///
/// Also: a truncated snapshot is refused and changes nothing, and equal states have equal
/// bytes.
///
/// # Panics
/// If that does not hold.
pub fn restored<G: Words>(setups: &[Setup], effort: Effort) {
    let mut other: Option<Session<G>> = None;
    walks::<G>(setups, effort, |here| {
        let session = here.session;
        if here.done.is_empty() {
            other = Some(session.clone());
        }
        let Some(other) = &mut other else { return };
        let bytes = session.snapshot();
        let earlier = AnyTable::mark(other);
        let before = other.snapshot();
        if let Err(refused) = other.restore(&bytes) {
            panic!("a snapshot is not taken back: {refused}");
        }
        assert_same(session, other);
        assert_eq!(other.snapshot(), bytes, "another snapshot of the same moment");
        let short = here.chance.place(bytes.len());
        assert!(other.restore(&bytes[..short]).is_err(), "a snapshot cut short is taken");
        assert_same(session, other);
        AnyTable::back(other, &earlier);
        assert_eq!(other.snapshot(), before, "another moment than the one marked");
        AnyTable::back(other, &AnyTable::mark(session));
        assert_same(session, other);
    });
}

/// The same answers, read from JSON with their ids, lead to the same moments.
///
/// # Panics
/// If that does not hold.
pub fn replayed<G: Words>(setups: &[Setup], effort: Effort) {
    let mut other: Option<Session<G>> = None;
    walks::<G>(setups, effort, |here: &mut Here<'_, G>| {
        let Some((last, _)) = here.done.split_last() else {
            let (rules, state) = start::<G>(here.setup);
            other = Some(Session::new(rules, state));
            return;
        };
        let Some(other) = &mut other else { return };
        match last {
            Done::Roll(_) => drop(take(other, last, &mut Vec::new())),
            Done::Answer(seat, id, answer) => {
                let text = json(G::names(other.rules()), answer);
                let step = AnyTable::answer(other, *seat, *id, &text, true);
                match step {
                    Ok(step) => assert_eq!(step.said, text, "the answer is read as another"),
                    Err(refused) => panic!("refused when played again: {refused}"),
                }
            }
        }
        assert_same(here.session, other);
        assert_eq!(AnyTable::hash(here.session), AnyTable::hash(other), "hashes of equal states");
    });
}

#[track_caller]
fn assert_same<G: Words>(a: &Session<G>, b: &Session<G>) {
    let ids = |s: &Session<G>| s.asks().map(|(id, ..)| id).collect::<Vec<AskId>>();
    let said = |s: &Session<G>| {
        let all = s.asks().flat_map(|(id, ..)| s.said(id).map(move |(seat, a)| (id, seat, *a)));
        all.collect::<Vec<_>>()
    };
    assert_eq!(a.state(), b.state(), "states");
    assert_eq!(a.open().asks(), b.open().asks(), "asks");
    assert_eq!(a.due(), b.due(), "rolls due");
    assert_eq!(ids(a), ids(b), "ids");
    assert_eq!(said(a), said(b), "what has been said");
    assert_eq!(a.seq(), b.seq(), "numbers of steps");
}
