//! Input of people and programs at a table: JSON and forms.

use crate::edits::edited;
use crate::tables::{SYSTEMS, UNDER_WAY, step, viewers};
use fracas_kernel::form::{Form, Takes};
use fracas_kernel::{AnyTable, AskId, Laid, Listed, Now, Refused, Seat, Viewer};
use fracas_sim::Chance;
use fracas_suite::{Bytes, filled};
use serde_json::Value;

/// The most moves of one input.
const SAID: usize = 32;

/// Tries answers, fiats, standing replies, layings and faces, right or wrong, at a table
/// some steps into play: each is accepted or refused, and a refusal changes nothing.
///
/// The first byte picks the table; then each picks a kind of move, whose details more bytes
/// pick.
pub fn json(bytes: &[u8]) {
    with_table(bytes, |table, bytes| match bytes.byte() % 8 {
        0..=2 => answer(table, bytes),
        3 | 4 => {
            let fiat = json_like(table, table.fiats(), bytes);
            refusal_changes_nothing(table, &fiat, |table| table.fiat(&fiat, true).map(drop));
        }
        5 => stand(table, bytes),
        6 => lay(table, bytes),
        _ => {
            let faces: Vec<u8> = (0..bytes.byte() % 8).map(|_| bytes.byte()).collect();
            refusal_changes_nothing(table, &faces, |table| table.roll(&faces, true).map(drop));
        }
    });
}

/// Fills in forms of fiats and standing replies, rightly or wrongly: the result is JSON,
/// and is accepted or refused without a change.
///
/// The first byte picks the table; then each picks a form, which more bytes fill in.
pub fn forms(bytes: &[u8]) {
    with_table(bytes, |table, bytes| {
        let standing = bytes.byte() % 4 == 0;
        let forms = if standing { table.standing_forms() } else { table.fiat_forms() };
        let Some(form) = forms.get(usize::from(bytes.byte()) % forms.len().max(1)) else { return };
        let sent = fill_in(form, bytes);
        let given =
            |name: &str| sent.iter().filter(|(n, _)| *n == name).map(|(_, value)| value.as_str()).collect();
        let json = match form.fill(given) {
            Ok(json) => json,
            Err(refused) => {
                return assert!(!refused.reasons.is_empty(), "refused without a reason: {sent:?}");
            }
        };
        if let Err(error) = serde_json::from_str::<Value>(&json) {
            panic!("{}: {sent:?} is no JSON: {error}: {json}", form.id);
        }
        drop(Form::tell(&forms, &json));
        let seat = seat(table, bytes);
        refusal_changes_nothing(table, &json, |table| match standing {
            true => table.stand(seat, &json, true),
            false => table.fiat(&json, true).map(drop),
        });
    });
}

/// Makes moves at the table that the first byte picks.
fn with_table(bytes: &[u8], mut say: impl FnMut(&mut dyn AnyTable, &mut Bytes<'_>)) {
    let mut bytes = Bytes::new(bytes);
    let mut table = UNDER_WAY[usize::from(bytes.byte()) % UNDER_WAY.len()].again();
    let mut chance = Chance::new(1, 0);
    for n in 0..SAID {
        if bytes.is_empty() {
            break;
        }
        say(&mut *table, &mut bytes);
        let all = viewers(&*table);
        drop(table.view(all[n % all.len()]));
        // Play goes on whatever was accepted.
        step(&mut *table, &mut chance);
    }
}

/// Everything that a refusal must not change.
fn all_of(table: &dyn AnyTable) -> (Vec<u8>, String, u64, Vec<(Seat, String)>, Now) {
    (table.snapshot(), table.hash(), table.seq(), table.standing(), table.now())
}

/// Makes a move, and checks that a refusal has reasons and changes nothing.
#[track_caller]
fn refusal_changes_nothing(
    table: &mut dyn AnyTable,
    said: &dyn std::fmt::Debug,
    act: impl FnOnce(&mut dyn AnyTable) -> Result<(), Refused>,
) {
    let before = all_of(table);
    if let Err(refused) = act(table) {
        assert!(!refused.reasons.is_empty(), "refused without a reason: {said:?}");
        assert_eq!(all_of(table), before, "changed by what was refused: {said:?}: {refused}");
    }
}

fn seat(table: &dyn AnyTable, bytes: &mut Bytes<'_>) -> Seat {
    let seats = table.seats();
    match usize::from(bytes.byte()) {
        // Now and then a seat that nobody sits in.
        255 => Seat::Chance,
        254 => Seat::Player(7),
        n => seats[n % seats.len()].seat,
    }
}

/// JSON that is an example, a changed example, or anything.
fn json_like(table: &dyn AnyTable, examples: &[(&str, &str)], bytes: &mut Bytes<'_>) -> String {
    let pick = usize::from(bytes.byte());
    if pick == 0 || examples.is_empty() {
        return bytes.until(b'\n');
    }
    let (example, _) = examples[(pick - 1) % examples.len()];
    let mut chance = Chance::new(u64::from(bytes.byte()), 0);
    changed(filled(table.names(), example, &mut chance), bytes)
}

/// The text, changed if the next byte asks for it.
fn changed(text: String, bytes: &mut Bytes<'_>) -> String {
    if bytes.byte().is_multiple_of(2) {
        return text;
    }
    let line = bytes.until(b'\n');
    String::from_utf8_lossy(&edited(&text, &mut Bytes::new(line.as_bytes()))).into_owned()
}

/// The id of an open ask, or of none.
fn ask(table: &dyn AnyTable, bytes: &mut Bytes<'_>) -> AskId {
    let n = bytes.byte();
    match table.now() {
        Now::Asks(asks) if n < 250 => asks[usize::from(n) % asks.len()].id,
        _ => AskId(u64::from(n)),
    }
}

fn answer(table: &mut dyn AnyTable, bytes: &mut Bytes<'_>) {
    let (by, id) = (seat(table, bytes), ask(table, bytes));
    let listed = table.legal(id, Viewer::Seat(Seat::Gm));
    let answer = match usize::from(bytes.byte()) {
        0 => bytes.until(b'\n'),
        _ if listed.is_empty() => bytes.until(b'\n'),
        pick => {
            let listed = &listed[(pick - 1) % listed.len()];
            let own = bytes.byte().is_multiple_of(8).then(|| bytes.until(b'\n'));
            let reworded = own.and_then(|own| listed.in_own_words(&own).ok());
            changed(reworded.unwrap_or_else(|| listed.answer.clone()), bytes)
        }
    };
    for who in [Viewer::Seat(by), Viewer::Spectator] {
        drop(table.preview(id, &answer, who));
        drop(table.odds(id, &answer, who));
        table.is_grave(&answer, who);
    }
    table.restraint(id, &answer);
    let allowed = table.check(by, id, &answer);
    refusal_changes_nothing(table, &answer, |table| {
        let done = table.answer(by, id, &answer, true).map(drop);
        assert_eq!(done, allowed, "checked and answered differently: {answer}");
        done
    });
}

fn stand(table: &mut dyn AnyTable, bytes: &mut Bytes<'_>) {
    let (seat, id, on) = (seat(table, bytes), ask(table, bytes), !bytes.byte().is_multiple_of(4));
    let reply = json_like(table, table.standings(), bytes);
    table.would_stand(id, &reply);
    let may = table.may_stand(seat, &reply);
    refusal_changes_nothing(table, &reply, |table| {
        let stood = table.stand(seat, &reply, on);
        assert!(!on || stood == may, "may stand: {may:?}; stood: {stood:?}: {reply}");
        stood
    });
    if let Some(eager) = table.eager() {
        assert_eq!(table.check(eager.seat, eager.id, &eager.answer), Ok(()), "{eager:?}");
    }
}

fn lay(table: &mut dyn AnyTable, bytes: &mut Bytes<'_>) {
    let (id, who) = (ask(table, bytes), Viewer::Seat(seat(table, bytes)));
    let listed = table.legal(id, who);
    let written = match listed.get(usize::from(bytes.byte()) % listed.len().max(1)) {
        Some(Listed { laid: Some(laid), .. }) => changed(laid.to_string(), bytes),
        _ => bytes.until(b'\n'),
    };
    drop(table.board(id, who));
    if let Ok(laid) = written.parse::<Laid>()
        && let Ok(meant) = table.arranged(id, &laid, who)
        && let Viewer::Seat(by) = who
        && matches!(table.now(), Now::Asks(asks) if asks.iter().any(|ask| ask.id == id && ask.who.seats().contains(by)))
    {
        assert_eq!(
            table.check(by, id, &meant.answer),
            Ok(()),
            "laid and allowed, and then refused: {written}"
        );
    }
}

/// Fills in a form with picks and numbers that it takes, and with others.
fn fill_in(form: &Form, bytes: &mut Bytes<'_>) -> Vec<(&'static str, String)> {
    let mut sent = Vec::new();
    for field in &form.fields {
        for _ in 0..bytes.byte() % 3 {
            let pick = usize::from(bytes.byte());
            let value = match &field.takes {
                _ if pick % 8 == 0 => bytes.until(b'\n'),
                Takes::One { picks } | Takes::Many { picks } if !picks.is_empty() => {
                    picks[pick % picks.len()].sent()
                }
                Takes::Number { least, most } | Takes::Numbers { least, most } => {
                    [*least, *most, pick as u32, most.saturating_add(1)][pick % 4].to_string()
                }
                Takes::Text { example } | Takes::Table { example } => changed((*example).to_owned(), bytes),
                _ => String::new(),
            };
            sent.push((field.name(), value));
        }
    }
    sent
}

/// Plays any bytes at a table of any system: nothing panics, and a listed answer is
/// accepted; see [`fracas_suite::fuzz_any`].
pub fn play(bytes: &[u8]) {
    fracas_suite::fuzz_any(&SYSTEMS, bytes);
}
