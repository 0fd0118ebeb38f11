//! Reading a setup, with every fault at once.

use crate::table::*;
use fracas_kernel::{Faults, Faulty, Roster, Seat, Secret, Setup};

/// A table, or all that is wrong with its setup.
pub(crate) fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
    let faults = Faulty::new();
    let top = setup.encounter.fields(&faults);
    let mut roster = Roster::new(setup);
    roster.begin(&top);
    let paces = top.int("paces", 10..=90).unwrap_or(40) as u8;
    let mut rules = Rules { roster, paces, cast: Vec::new(), beasts: Vec::new() };
    let mut state =
        State { next: Char(0), run: Run::Not, walkers: Default::default(), lairs: Default::default() };
    rules.roster.seat_players(&top);
    top.must("character", "at least one is needed");
    for fields in top.tables("character") {
        let name = fields.must_text("name").to_owned();
        let slug = rules.roster.slug(&fields, Char::LETTER, &name);
        let seat = fields.player(&rules.roster.players);
        let strength = fields.int("strength", 1..=i64::from(STRONGEST)).unwrap_or(3) as u8;
        if state.walkers.try_push(Walker { pace: 0, strength }).is_err() {
            fields.fault(format!("too many characters: {MOST} at most"));
        }
        rules.cast.push(Sheet { slug, name, seat });
        fields.done();
    }
    // Beasts come last: no name of a character tells that they are there.
    for fields in top.tables("npc") {
        let name = fields.must_text("name").to_owned();
        let slug = rules.roster.slug(&fields, Beast::LETTER, &name);
        fields.must("at", "the pace at which it lies");
        let at = fields.int("at", 1..=i64::from(paces)).unwrap_or(1) as u8;
        if state.lairs.try_push(Lair::Hidden(Secret::new(at))).is_err() {
            fields.fault(format!("too many beasts: {MOST} at most"));
        }
        rules.beasts.push(Sheet { slug, name, seat: Seat::Gm });
        fields.done();
    }
    top.done();
    faults.or((rules, state))
}
