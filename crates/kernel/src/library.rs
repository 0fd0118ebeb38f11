//! A library by itself: every entry read as if an encounter used it.

use crate::{Document, FALLEN, Fault, Faults, Faulty, Fields, Game, Setup, roster::cannot_be_referred_to};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of one list that are read.
const MOST: usize = 1000;

/// Every fault of every library document of a setup.
///
/// `lists` are those that a library of this game has, and `around` gives for an entry of one the
/// encounter that is put around it (with [`Document::ENTRY`] in the entry's place) and that place, as
/// `character[1].boon[1]`. An entry that the encounter has no place for is looked up by its name: it
/// stands in a library before all others, as `class[1]`. `alone` is an encounter that uses nothing of
/// the library: what is faulty
/// beside it is told where it stands, and not once more of each entry.
///
/// # Errors
/// Every fault at once, in the order of their lines.
pub fn check_library<G: Game>(
    setup: &Setup,
    lists: &[&'static str],
    alone: &Value,
    around: impl Fn(&str, &Value) -> (Value, &'static str),
) -> Result<(), Faults> {
    let mut all = Vec::new();
    let mut table = setup.clone();
    table.encounter = Document::json("table", alone);
    let beside = G::start(&table).err().unwrap_or_default().0;
    let beside: BTreeSet<Fault> = beside.into_iter().filter(|fault| fault.line > 0).collect();
    for document in &setup.library {
        let mut read = Read { document, table: &mut table, beside: &beside, around: &around };
        let mut found = read.document::<G>(lists);
        found.sort_by_key(|fault| fault.line);
        all.extend(found);
    }
    if all.is_empty() { Ok(()) } else { Err(Faults(all).once()) }
}

/// A document of a library that is being read.
struct Read<'r, F> {
    document: &'r Document,
    /// The table that is put around one entry after the other.
    table: &'r mut Setup,
    /// The faults of the library outside its entries.
    beside: &'r BTreeSet<Fault>,
    around: &'r F,
}

impl<F: Fn(&str, &Value) -> (Value, &'static str)> Read<'_, F> {
    fn document<G: Game>(&mut self, lists: &[&'static str]) -> Vec<Fault> {
        let faults = Faulty::new();
        let mut found = Vec::new();
        let top = self.document.fields(&faults);
        for about in ["title", "summary", "note"] {
            top.text(about);
        }
        if let Some(carried) = top.table("carried") {
            carried.text("log");
            carried.int("lines", 0..=i64::MAX);
            carried.text("state");
            carried.done();
        }
        for fallen in top.tables(FALLEN) {
            fallen.must_text("name");
            fallen.text("player");
            fallen.text("note");
            fallen.done();
        }
        let json = self.document.to_json();
        for &list in lists {
            let mut names: BTreeMap<&str, usize> = BTreeMap::new();
            for (at, fields) in top.tables(list).into_iter().enumerate() {
                if at == MOST {
                    fields.fault(format!("too many: of one list {MOST} are read"));
                    break;
                }
                if let Some(name) = json[list][at]["name"].as_str() {
                    let first = *names.entry(name).or_insert(at + 1);
                    if first <= at {
                        let what = format!("{list}[{first}] is called {name:?} too, and is the one taken");
                        fields.fault_in("name", what);
                    }
                }
                found.extend(self.entry::<G>((list, at), &json[list][at], &fields));
            }
        }
        top.done();
        found.extend(faults.or(()).err().unwrap_or_default().0);
        found
    }

    /// Reads one entry with a table around it.
    fn entry<G: Game>(
        &mut self,
        (list, at): (&'static str, usize),
        json: &Value,
        fields: &Fields<'_>,
    ) -> Vec<Fault> {
        if fields.has("use") {
            fields.fault_in("use", "only an encounter's entry uses another, and none of a library");
        }
        let (around, place) = (self.around)(list, json);
        let looked_up = around.get(list).is_none() && place.starts_with(list);
        let inside = if looked_up { &json!({ list: [Document::ENTRY] }) } else { &around };
        let Some(placed) = self.document.placed(list, at, inside) else { return Vec::new() };
        let started = if looked_up {
            fields.must_text("name");
            self.table.encounter = Document::json(self.document.name(), &around);
            self.table.library.insert(0, placed);
            let started = G::start(self.table);
            self.table.library.remove(0);
            started
        } else {
            self.table.encounter = placed;
            G::start(self.table)
        };
        let Err(faults) = started else { return Vec::new() };
        let theirs = |fault: &Fault| at > 0 && self.beside.contains(fault);
        let (own, others): (Vec<Fault>, Vec<Fault>) =
            faults.0.into_iter().partition(|fault| fault.field.starts_with(place) && !theirs(fault));
        let is_here = |fault: &Fault| fault.file == self.document.name() && !self.beside.contains(fault);
        for fault in others.into_iter().filter(is_here) {
            // Of the encounter around it, but caused by it: who is meant, how many hands.
            if fields.has(&fault.field) {
                fields.fault_in(&fault.field, fault.what);
            } else {
                fields.fault(fault.what);
            }
        }
        // That nothing can be called by a name that is missing goes without saying.
        let nameless = cannot_be_referred_to("");
        let own = own.into_iter().filter(|fault| fault.what != nameless).collect();
        Faults(own).moved(place, &format!("{list}[{}]", at + 1)).0
    }
}
