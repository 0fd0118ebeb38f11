//! Play from random bytes.

use crate::walk::filled;
use fracas_kernel::{AnyTable, AskId, Document, Now, Seat, SeatSet, Setup, System, Viewer, Who};
use fracas_sim::Chance;

/// The most steps for one input.
const STEPS: usize = 300;

/// Opens a table and plays it as the bytes say; nothing may panic.
///
/// The first byte selects a setup; 0 means that a setup in TOML follows, up to a zero byte.
/// Then each byte selects a listed answer, or announces raw faces or a line of raw JSON: an
/// answer, a fiat or a standing reply.
pub fn fuzz_one(system: &System, setups: &[Setup], bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let pick = usize::from(bytes.byte());
    let started = if pick == 0 || setups.is_empty() {
        let text = bytes.until(0);
        match Document::toml("input", &text) {
            Ok(document) => (system.start)(&Setup::alone(document)),
            Err(faults) => Err(faults),
        }
    } else {
        (system.start)(&setups[(pick - 1) % setups.len()])
    };
    match started {
        Ok(mut table) => play(&mut *table, &mut bytes),
        Err(faults) => drop(faults.to_string()),
    }
}

/// As [`fuzz_one`], but the first byte selects the system.
pub fn fuzz_any(tables: &[(System, Vec<Setup>)], bytes: &[u8]) {
    if let Some((first, rest)) = bytes.split_first()
        && let Some((system, setups)) = tables.get(usize::from(*first) % tables.len().max(1))
    {
        fuzz_one(system, setups, rest);
    }
}

fn play(table: &mut dyn AnyTable, bytes: &mut Bytes<'_>) {
    for step in 0..STEPS {
        if bytes.is_empty() {
            return;
        }
        // A fiat may have added a seat.
        let seats: Vec<Seat> = table.seats().into_iter().map(|info| info.seat).collect();
        let what = bytes.byte();
        match what {
            // Results are ignored: refusals are fine, only panics are not.
            250..=255 => {
                let faces: Vec<u8> = (0..bytes.byte() % 8).map(|_| bytes.byte()).collect();
                drop(table.roll(&faces, true));
            }
            240..=249 => drop(table.fiat(&bytes.until(b'\n'), true)),
            236..=239 => {
                let seat = seats[usize::from(bytes.byte()) % seats.len()];
                drop(table.stand(seat, &bytes.until(b'\n'), true));
            }
            232..=235 => {
                let snapshot = table.snapshot();
                assert!(table.restore(&snapshot).is_ok(), "a snapshot is not taken back");
            }
            200..=231 => {
                let seat = seats[usize::from(bytes.byte()) % seats.len()];
                let id = match table.now() {
                    Now::Asks(asks) if what < 228 => asks[usize::from(what) % asks.len()].id,
                    _ => AskId(u64::from(what)),
                };
                drop(table.answer(seat, id, &bytes.until(b'\n'), true));
            }
            _ => listed(table, what, bytes),
        }
        // One viewer a step, in turn: views take most of the time.
        let who = seats.get(step % (seats.len() + 1)).map_or(Viewer::Spectator, |&seat| Viewer::Seat(seat));
        drop(table.view(who));
    }
}

/// A valid step: a listed answer, or possible faces.
fn listed(table: &mut dyn AnyTable, what: u8, bytes: &mut Bytes<'_>) {
    match table.now() {
        Now::Over => {}
        Now::Roll(roll) => {
            let faces: Vec<u8> = roll.dice.sides().map(|sides| bytes.byte() % sides + 1).collect();
            if let Err(refused) = table.roll(&faces, true) {
                panic!("{faces:?} can fall, and are refused: {refused}");
            }
        }
        Now::Asks(asks) => {
            let ask = &asks[usize::from(what) % asks.len()];
            let listed = table.legal(ask.id, Viewer::Seat(Seat::Gm));
            let Some(seat) = ask.who.seats().iter().next() else { return };
            let Some(answer) = listed.get(usize::from(bytes.byte()) % listed.len().max(1)) else { return };
            let seats = match ask.who {
                Who::All(all) => all,
                _ => SeatSet::one(seat),
            };
            for seat in seats.iter() {
                if let Err(refused) = table.answer(seat, ask.id, &answer.answer, true) {
                    panic!("listed, and refused: {}: {refused}", answer.answer);
                }
            }
        }
    }
}

/// Bytes that decide what is played; zeros follow their end.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Bytes(bytes)
    }

    /// Whether all have been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// An index into a list of this length, from two bytes; 0 if the list is empty.
    pub fn place(&mut self, len: usize) -> usize {
        let word = usize::from(u16::from_be_bytes([self.byte(), self.byte()]));
        (word * len) >> 16
    }

    /// The text up to this byte, which is skipped.
    pub fn until(&mut self, end: u8) -> String {
        let at = self.0.iter().position(|&b| b == end).unwrap_or(self.0.len());
        let (text, rest) = self.0.split_at(at);
        self.0 = rest.get(1..).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    /// The remaining bytes.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Fuzzing with a small fixed corpus, for ordinary test runs.
///
/// Random bytes, which mostly play listed answers, mixed with raw JSON: listed answers and
/// examples of the game, whole or cut short, and fragments of other text.
///
/// # Panics
/// If the game panics.
pub fn smoke(system: &System, setups: &[Setup], inputs: u32) {
    let scraps = scraps(system, setups);
    // The fuzzing of all games tries more, and is run apart from ordinary tests.
    let inputs = if crate::is_long() { inputs } else { inputs / 2 };
    for stream in 0..u64::from(inputs) {
        let mut chance = Chance::new(11, stream);
        let mut bytes = vec![if stream % 8 == 0 { 0 } else { stream as u8 | 1 }];
        if stream % 8 == 0 {
            bytes.extend_from_slice(scraps[chance.place(scraps.len())].as_bytes());
            bytes.push(0);
        }
        for _ in 0..chance.below(400) {
            let byte = chance.below(256) as u8;
            bytes.push(byte);
            if (200..250).contains(&byte) {
                let scrap = scraps[chance.place(scraps.len())].as_bytes();
                let end = if chance.below(4) > 0 { scrap.len() } else { chance.place(scrap.len() + 1) };
                bytes.push(chance.below(8) as u8);
                bytes.extend_from_slice(&scrap[..end]);
                bytes.push(b'\n');
            }
        }
        fuzz_one(system, setups, &bytes);
    }
}

/// Text that is valid, or almost.
fn scraps(system: &System, setups: &[Setup]) -> Vec<String> {
    let mut scraps: Vec<String> = SCRAPS.iter().map(|&scrap| scrap.to_owned()).collect();
    for setup in setups {
        let Ok(mut table) = (system.start)(setup) else { continue };
        let mut chance = Chance::new(12, 0);
        let examples = table.fiats().iter().chain(table.standings()).copied();
        scraps.extend(examples.map(|(json, _)| filled(table.names(), json, &mut chance)));
        let mut bytes: Vec<u8> = Vec::new();
        for _ in 0..60 {
            if let Now::Asks(asks) = table.now() {
                let listed = table.legal(asks[0].id, Viewer::Seat(Seat::Gm));
                scraps.extend(listed.into_iter().map(|listed| listed.answer).take(6));
            }
            bytes.clear();
            bytes.extend((0..64).map(|_| chance.below(200) as u8));
            listed(&mut *table, 0, &mut Bytes::new(&bytes));
        }
    }
    scraps.sort_unstable();
    scraps.dedup();
    scraps
}

/// Text that is almost valid.
const SCRAPS: &[&str] = &[
    "",
    "null",
    "{}",
    "[]",
    "\"pass\"",
    "{\"a\":1e400}",
    "\"@\"",
    "\"@c0\"",
    "{\"on\":\"@nobody\"}",
    "[1,2,3]",
    "\"\\u0000\"",
    "a = 1",
    "title = \"x\"\n[[seat]]\nname = \"\"\n",
    "[x]\ny = [1, {z = 2}]\n",
    "game = \"chess\"\n[characters]\n",
    "a = 99999999999999999999",
];
