//! A playthrough, every word of it, kept beside the tests.

use fracas_kernel::{AnyTable, Now, Seat, SeatSet, Setup, System, Viewer, Who};
use fracas_sim::Chance;
use std::{fmt::Write, fs, io::ErrorKind, ops::RangeInclusive, path::Path};

/// The number of listed answers that a playthrough shows.
const SHOWN: usize = 3;
/// After so many steps the whole table is written down as everybody sees it.
const LOOK: u32 = 25;

/// Plays at random from a setup and compares every ask, a digest of every list
/// of answers with what each leads to, every event as each viewer is shown it,
/// and now and then everybody's view, with the file at `path`.
///
/// `FRACAS_GOLDEN=write` writes the file anew; read the difference before it is
/// committed.
///
/// # Panics
/// Where the playthrough is not the one kept, naming the first other line.
pub fn golden(system: &System, setup: &Setup, seed: u64, steps: u32, path: &Path) {
    let now = match (system.start)(setup) {
        Ok(table) => playthrough(table, seed, steps),
        Err(faults) => panic!("{} does not open:\n{faults}", setup.encounter.name()),
    };
    kept(path, &now);
}

/// Compares a text with the file at `path` line by line.
///
/// `FRACAS_GOLDEN=write` writes the file anew; read the difference before it is
/// committed.
///
/// # Panics
/// At the first other line.
pub fn kept(path: &Path, now: &str) {
    let Some(was) = kept_else(path, now) else { return };
    let mut lines = was.lines().zip(now.lines()).enumerate();
    let (at, was, is) = match lines.find(|(_, (was, is))| was != is) {
        Some((at, (was, is))) => (at, was, is),
        None => (was.lines().count().min(now.lines().count()), "(the end)", "(another end)"),
    };
    panic!(
        "what came of it is not what is kept; FRACAS_GOLDEN=write keeps this\n{}:{}\nwas: {was}\n is: {is}",
        path.display(),
        at + 1
    );
}

/// The text kept at `path`, if it differs from `now`. With `FRACAS_GOLDEN=write`, writes `now`
/// to `path` instead.
fn kept_else(path: &Path, now: &str) -> Option<String> {
    if std::env::var("FRACAS_GOLDEN").as_deref() == Ok("write") {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(error) = folder.and_then(|()| fs::write(path, now)) {
            panic!("{} cannot be written: {error}", path.display());
        }
        return None;
    }
    match fs::read_to_string(path) {
        Ok(kept) => (kept != now).then_some(kept),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("{}: there is no such file yet: FRACAS_GOLDEN=write makes it", path.display())
        }
        Err(error) => panic!("{} cannot be read: {error}", path.display()),
    }
}

/// Plays from every setup at random, so often, and compares a digest of each
/// playthrough (of all that [`golden`] keeps of one) with the file at `path`.
///
/// Says that something has changed where [`golden`] shows what: a playthrough of
/// this seed, written as a golden one before and after, tells it.
/// `FRACAS_GOLDEN=write` writes the file anew.
///
/// # Panics
/// Where a playthrough is not the one kept, naming its table and seed.
pub fn digests(system: &System, setups: &[Setup], seeds: RangeInclusive<u64>, steps: u32, path: &Path) {
    let mut now = String::new();
    for setup in setups {
        let name = Path::new(setup.encounter.name()).file_stem().unwrap_or_default().to_string_lossy();
        for seed in seeds.clone() {
            match (system.start)(setup) {
                Ok(table) => {
                    let told = digest(&playthrough(table, seed, steps));
                    line(&mut now, &format!("{name} {seed}: {told:016x}"));
                }
                Err(faults) => panic!("{name} does not open:\n{faults}"),
            }
        }
    }
    let Some(kept) = kept_else(path, &now) else { return };
    let other: Vec<&str> = now.lines().filter(|line| !kept.lines().any(|was| was == *line)).collect();
    panic!(
        "{} of {} playthroughs are not those kept in {}; FRACAS_GOLDEN=write keeps these: {}",
        other.len(),
        now.lines().count(),
        path.display(),
        other.join(", ")
    );
}

/// FNV-1a, so that long lists take one line.
pub(crate) fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn playthrough(mut table: Box<dyn AnyTable>, seed: u64, steps: u32) -> String {
    let mut chance = Chance::new(seed, 0);
    let mut out = String::new();
    let viewers: Vec<Viewer> =
        table.seats().into_iter().map(|info| Viewer::Seat(info.seat)).chain([Viewer::Spectator]).collect();
    for step in 0..steps {
        if step % LOOK == 0 {
            look(&mut out, table.as_ref(), &viewers);
        }
        let done = match table.now() {
            Now::Over => break,
            Now::Roll(roll) => {
                let faces = chance.throw(&roll.dice);
                for &who in &viewers {
                    let told = table.roll_told(who);
                    line(&mut out, &format!("{step} roll, {who}: {} ({:?})", told.text, told.clause));
                }
                line(&mut out, &format!("{step} {} throws {}: {faces:?}", roll.whose, roll.dice));
                table.roll(&faces, true)
            }
            Now::Asks(asks) => {
                let at = chance.place(asks.len());
                for (i, ask) in asks.iter().enumerate() {
                    let seat = ask.who.seats().iter().next().unwrap_or(Seat::Gm);
                    let told = table.ask_told(ask.id, Viewer::Seat(seat)).unwrap_or_default();
                    let mark = if i == at { '*' } else { ' ' };
                    line(
                        &mut out,
                        &format!("{step}{mark}{} {:?}: {} ({:?})", ask.kind, ask.who, told.text, told.clause),
                    );
                }
                let ask = &asks[at];
                let seat = ask.who.seats().iter().next().unwrap_or(Seat::Gm);
                let listed = table.legal(ask.id, Viewer::Seat(seat));
                let all: String = listed.iter().fold(String::new(), |mut all, listed| {
                    let _ = writeln!(
                        all,
                        "{} {} {} {:?}",
                        listed.answer, listed.told.text, listed.told.leads, listed.told.clause
                    );
                    all
                });
                line(&mut out, &format!("  {} listed, {:016x}", listed.len(), digest(&all)));
                for listed in listed.iter().take(SHOWN) {
                    line(
                        &mut out,
                        &format!("    {}: {} -> {}", listed.answer, listed.told.text, listed.told.leads),
                    );
                }
                let answer = match listed.get(chance.place(listed.len().max(1))) {
                    Some(listed) => listed.answer.clone(),
                    None => break,
                };
                // What all must agree on, all answer alike.
                let seats = match ask.who {
                    Who::All(seats) => seats,
                    Who::One(_) | Who::Any(_) => SeatSet::one(seat),
                };
                let mut done = None;
                for seat in seats.iter() {
                    line(&mut out, &format!("  {seat}: {answer}"));
                    done = Some(table.answer(seat, ask.id, &answer, true));
                    if matches!(done, Some(Err(_))) {
                        break;
                    }
                }
                match done {
                    Some(done) => done,
                    None => break,
                }
            }
        };
        match done {
            Err(refused) => panic!("step {step}: what was listed is refused: {refused}\n{out}"),
            Ok(done) => {
                for shown in done.shown {
                    let clause = shown.gm.clause.map_or("", |clause| clause.id());
                    let mark = if shown.gm.opens { '¶' } else { '>' };
                    line(&mut out, &format!("  {mark} {} [{clause}] {}", shown.gm.text, shown.event));
                    for (viewer, shown) in shown.others {
                        let text = shown.map_or("-".to_owned(), |shown| shown.text);
                        line(&mut out, &format!("    {viewer}: {text}"));
                    }
                }
            }
        }
    }
    look(&mut out, table.as_ref(), &viewers);
    out
}

/// The whole table, as each viewer sees it.
fn look(out: &mut String, table: &dyn AnyTable, viewers: &[Viewer]) {
    for &who in viewers {
        let view = table.view(who).to_string();
        let cards = serde_json::to_string(&table.cards(who)).unwrap_or_default();
        line(out, &format!("= {who}: view {:016x}, cards {:016x}", digest(&view), digest(&cards)));
    }
    let seats = table.seats().into_iter().map(|info| (info.seat, table.worth(info.seat)));
    line(out, &format!("= worth {:?}", seats.collect::<Vec<_>>()));
    line(out, &format!("= state {}", table.hash()));
    let cards = table.cards(Viewer::Seat(Seat::Gm));
    for card in cards {
        let tags: Vec<_> = card.tags.iter().map(|tag| tag.text.as_str()).collect();
        let rows: Vec<_> = card.rows.iter().map(|row| format!("{} {}", row.label, row.value)).collect();
        line(out, &format!("  {} ({}): {}; {}", card.title, card.note, tags.join(", "), rows.join("; ")));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
