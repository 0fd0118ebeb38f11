//! Random play, with the gamemaster answering for everybody.

use crate::common::{Browser, Server, field, fields};

/// Pseudorandom numbers, the same each time.
fn next(seed: &mut usize) -> usize {
    *seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
    *seed >> 8
}

/// Answers an ask or throws, as the gamemaster for everybody. Returns `false` if there is
/// nothing left to do.
pub(crate) fn play_on(gm: &Browser, table: &str, page: &str, seed: &mut usize) -> bool {
    if let Some(roll) = field(page, "roll") {
        gm.act(&format!("{table}/throw"), &[("roll", &roll)]);
        return true;
    }
    let forms = page.split("<form class=\"answer\"").skip(1).filter_map(|form| form.split("</form>").next());
    let forms: Vec<&str> = forms.filter(|form| field(form, "answer").is_some()).collect();
    if forms.is_empty() {
        return false;
    }
    let form = forms[next(seed) % forms.len()];
    let answers = fields(form, "answer");
    let (ask, of) = (field(form, "ask").expect("an ask"), field(form, "of").unwrap_or_default());
    let answer = &answers[next(seed) % answers.len()];
    gm.act(&format!("{table}/answer"), &[("ask", &ask), ("answer", answer), ("of", &of), ("aloud", "yes")]);
    true
}

/// A table at which a page of the gamemaster's contains these words, and that page.
pub(crate) fn played_until(
    server: &Server,
    system: &str,
    encounter: &str,
    words: &str,
) -> (Browser, String, String) {
    let found = played_until_so(server, system, encounter, |_, _, page| page.contains(words));
    found.unwrap_or_else(|| panic!("{system} never came to {words}"))
}

/// The same until a page of a table is so.
pub(crate) fn played_until_so(
    server: &Server,
    system: &str,
    encounter: &str,
    is_so: impl Fn(&Browser, &str, &str) -> bool,
) -> Option<(Browser, String, String)> {
    for mut seed in 1..20 {
        let (gm, table) = server.table(system, encounter, &[]);
        for _ in 0..150 {
            let page = gm.get(&table).body;
            if is_so(&gm, &table, &page) {
                return Some((gm, table, page));
            }
            if !play_on(&gm, &table, &page, &mut seed) {
                break;
            }
        }
    }
    None
}
