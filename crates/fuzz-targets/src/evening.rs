//! Random evenings, for their logs.

use crate::tables::answering;
use fracas_kernel::{Now, Seat, Setup, System, Viewer};
use fracas_sim::Chance;
use fracas_suite::filled;
use fracas_table::{MemoryStore, Opening, PlayError, Reader, Seed, Table, Throw};

/// The log of a table at which this many things were done: answers, throws, typed dice,
/// fiats, notes, standing replies and rewinds.
pub(crate) fn evening(system: &System, setup: &Setup, seed: u64, acts: u32) -> String {
    let store = MemoryStore::new();
    let opening = Opening {
        title: "An evening at random".to_owned(),
        label: "2026".to_owned(),
        seed: Some(Seed::from(seed)),
    };
    let mut table = Table::create(system, setup, opening, Box::new(store.clone())).expect("a table");
    let mut chance = Chance::new(seed, 0);
    for _ in 0..acts {
        act(&mut table, &mut chance).expect("a log of its own can be played");
    }
    if chance.below(2) == 0 {
        table.close().expect("memory has room");
    }
    String::from_utf8(store.bytes()).expect("a log is text")
}

/// Does one thing at random. If it is not allowed just now, it is refused and changes
/// nothing.
pub(crate) fn act(table: &mut Table, chance: &mut Chance) -> Result<(), PlayError> {
    let seats: Vec<Seat> = table.game().seats().into_iter().map(|info| info.seat).collect();
    let seat = seats[chance.place(seats.len())];
    let done = match chance.below(24) {
        0 => table.note(seat, Reader::All, "The lamps go out, one by one.").map(drop),
        1 => {
            table.note(seat, Reader::Seats(vec![seats[chance.place(seats.len())]]), "A word aside.").map(drop)
        }
        2 => table.note(seat, Reader::Gm, "For your ears alone.").map(drop),
        3 => {
            let replies = table.game().standings();
            let Some((reply, _)) = replies.get(chance.place(replies.len().max(1))) else { return Ok(()) };
            table.stand(seat, reply, chance.below(3) > 0).map(drop)
        }
        4 | 5 => {
            let fiats = table.game().fiats();
            let Some((fiat, _)) = fiats.get(chance.place(fiats.len().max(1))) else { return Ok(()) };
            let fiat = filled(table.game().names(), fiat, chance);
            table.fiat(&fiat, (chance.below(2) == 0).then_some("because it is so")).map(drop)
        }
        6 => table.rewind(chance.place(table.log().records().len()) as u64, Seat::Gm).map(drop),
        7 => table.undo().map(drop),
        8 => table.take_back(seat).map(drop),
        _ => step(table, chance),
    };
    match done {
        Err(PlayError::Refused(_)) => Ok(()),
        done => done,
    }
}

/// Answers an ask or throws dice.
fn step(table: &mut Table, chance: &mut Chance) -> Result<(), PlayError> {
    match table.game().now() {
        Now::Over => {}
        Now::Roll(roll) if chance.below(4) == 0 => {
            let faces = chance.throw(&roll.dice);
            table.roll(Seat::Gm, Throw::Faces(&faces))?;
        }
        Now::Roll(_) => {
            table.roll(Seat::Gm, Throw::Dice)?;
        }
        Now::Asks(asks) => {
            let ask = &asks[chance.place(asks.len())];
            let listed = table.game().legal(ask.id, Viewer::Seat(Seat::Gm));
            let answer = &listed[chance.place(listed.len())].answer;
            for seat in answering(ask.who).iter() {
                let text = (chance.below(4) == 0).then_some("says so aloud");
                let for_seat = (chance.below(8) == 0).then_some(seat);
                let by = if for_seat.is_some() { Seat::Gm } else { seat };
                table.answer(by, for_seat, ask.id, answer, text)?;
            }
        }
    }
    Ok(())
}
