//! Random evenings, damaged in one place: the log is refused, or cut, or means the same.

use crate::toy::{TOY, setup};
use fracas_kernel::{Now, Seat, Viewer, Who};
use fracas_sim::Chance;
use fracas_table::*;
use std::ops::Range;

const VIEWERS: [Viewer; 4] =
    [Viewer::Seat(Seat::Gm), Viewer::Seat(Seat::Player(0)), Viewer::Seat(Seat::Player(1)), Viewer::Spectator];

/// Does something at random; a refusal changes nothing.
fn act(table: &mut Table, chance: &mut Chance) {
    let player = Seat::Player(u8::try_from(chance.below(2)).expect("small"));
    let lines = table.log().next();
    let _ = match chance.below(12) {
        0 => table.note(player, Reader::All, "Übung macht … 🎲").map(drop),
        1 => table.note(Seat::Gm, Reader::Seats(vec![player]), "for you alone").map(drop),
        2 => table.fiat(&format!(r#"{{"power":{}}}"#, chance.below(9)), Some("so be it")).map(drop),
        3 => table.stand(Seat::Gm, r#""never-meddle""#, chance.below(2) == 0).map(drop),
        4 => table.undo().map(drop),
        5 => table.rewind(lines.saturating_sub(chance.below(6).into()), Seat::Gm).map(drop),
        _ => match table.game().now() {
            Now::Over => Ok(()),
            Now::Roll(roll) if chance.below(3) == 0 => {
                let faces: Vec<u8> = chance.throw(&roll.dice).to_vec();
                table.roll(Seat::Gm, Throw::Faces(&faces)).map(drop)
            }
            Now::Roll(_) => table.roll(Seat::Gm, Throw::Dice).map(drop),
            Now::Asks(asks) => {
                let ask = &asks[chance.place(asks.len())];
                let listed = table.game().legal(ask.id, VIEWERS[0]);
                let answer = &listed[chance.place(listed.len())].answer;
                let seats = match ask.who {
                    Who::All(seats) => seats.iter().collect(),
                    who => who.seats().iter().take(1).collect::<Vec<_>>(),
                };
                seats
                    .into_iter()
                    .try_for_each(|seat| table.answer(seat, None, ask.id, answer, None).map(drop))
            }
        },
    };
}

/// The log of a random evening; some tables were closed, and some were not.
fn evening(seed: u64, acts: u32) -> String {
    let mut chance = Chance::new(seed, 0);
    let store = MemoryStore::new();
    let opening = Opening { label: "May".into(), seed: Some(Seed::from(seed)), ..Opening::default() };
    let setup = setup("goal = 60");
    let mut table = Table::create(&TOY, &setup, opening, Box::new(store.clone())).expect("a sound setup");
    (0..acts).for_each(|_| act(&mut table, &mut chance));
    if chance.below(2) == 0 {
        table.close().expect("saved");
    }
    String::from_utf8(store.bytes()).expect("UTF-8")
}

/// The bytes of a line with its newline.
fn line(bytes: &[u8], chance: &mut Chance) -> Range<usize> {
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    let n = chance.place(ends.len());
    n.checked_sub(1).map_or(0, |before| ends[before])..ends[n]
}

/// Damages a log in one place.
fn damaged(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = chance.place(bytes.len());
    match chance.below(6) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = b"0Z\"{},\n\xff"[chance.place(8)],
        2 => drop(bytes.drain(line(&bytes, chance))),
        3 => {
            let line = line(&bytes, chance);
            let doubled = bytes[line.clone()].to_vec();
            bytes.splice(line.end..line.end, doubled);
        }
        4 => {
            let (first, second) = (line(&bytes, chance), line(&bytes, chance));
            let (first, second) = if first.start <= second.start { (first, second) } else { (second, first) };
            let swapped = [
                &bytes[second.clone()],
                &bytes[first.end..second.start.max(first.end)],
                &bytes[first.clone()],
            ];
            let swapped = if first == second { bytes[first.clone()].to_vec() } else { swapped.concat() };
            bytes.splice(first.start..second.end, swapped);
        }
        _ => bytes.truncate(at),
    }
    bytes
}

/// Everything that every viewer is shown, and the state's hash.
fn shown(table: &Table) -> Vec<String> {
    let lines = VIEWERS.iter().map(|who| format!("{:?}", table.lines_to(*who).collect::<Vec<_>>()));
    let stories = VIEWERS.iter().map(|who| table.log().story(*who, Detail::Everything));
    lines.chain(stories).chain([table.game().hash()]).collect()
}

#[test]
fn random_evenings_verify() {
    for seed in 0..40 {
        let text = evening(seed, 60);
        let report = verify(&Log::parse("t", &text).expect("a log"), &[TOY]).expect("a toy");
        assert!(report.sound(), "{seed}: {:?}\n{text}", report.problems);
    }
}

#[test]
fn a_damaged_log_is_refused_or_cut_and_never_means_something_else() {
    let (mut refused, mut cut) = (0, 0);
    let mut same = 0;
    for seed in 0..40 {
        let whole = evening(seed, 40);
        let mut chance = Chance::new(seed, 1);
        for _ in 0..25 {
            let bytes = damaged(whole.as_bytes(), &mut chance);
            let store = MemoryStore::holding(bytes.clone());
            let Ok(table) = Table::open(&[TOY], Box::new(store)) else {
                refused += 1;
                continue;
            };
            let kept = usize::try_from(table.log().next()).expect("small");
            let kept: String = whole.split_inclusive('\n').take(kept).collect();
            let as_it_was =
                Table::open(&[TOY], Box::new(MemoryStore::holding(kept.clone()))).expect("as played");
            assert_eq!(shown(&table), shown(&as_it_was), "{}", String::from_utf8_lossy(&bytes));
            *(if kept == whole { &mut same } else { &mut cut }) += 1;
        }
    }
    assert!(refused > 500 && cut > 50, "{refused} refused, {cut} cut, {same} the same");
}
