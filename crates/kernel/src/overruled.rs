//! A fiat told to each viewer by the changes that the viewer sees.

use crate::{AnyTable, Card, Row, Seat, Session, Tag, Viewer, Words, form::Form};
use serde_json::Value;

/// A value longer than this is told by what is new in it and what is gone.
const LONG: usize = 40;

/// A fiat, and the table before it.
pub(crate) struct Ruled<G: Words> {
    /// The form that it fills in, in words.
    told: Option<String>,
    /// Whether everybody may know those words.
    open: bool,
    before: Session<G>,
}

impl<G: Words> Ruled<G> {
    /// A fiat (JSON with names), and the table before it was carried out.
    pub(crate) fn new(before: Session<G>, fiat: &str) -> Ruled<G> {
        let (told, open) = match Form::find(&before.fiat_forms(), fiat) {
            Some((form, told)) => (Some(told), form.open),
            None => (None, false),
        };
        Ruled { told, open, before }
    }

    /// The words for a viewer of the table as it is now: the changes on the cards, or else in
    /// the view. The gamemaster is told at least the words of the fiat.
    pub(crate) fn to(&self, who: Viewer, now: &Session<G>) -> Option<String> {
        if self.open {
            return self.told.clone();
        }
        let seen = || changed(&self.before.cards(who), &now.cards(who));
        match who {
            Viewer::Seat(Seat::Gm) => {
                seen().or_else(|| self.told.clone()).or_else(|| Some("nothing to be seen".to_owned()))
            }
            // Made only for a viewer whose cards are the same: views are large.
            _ => seen().or_else(|| {
                changed(&laid_out(&AnyTable::view(&self.before, who)), &laid_out(&AnyTable::view(now, who)))
            }),
        }
    }
}

/// A view as cards: one for everything in it that has a name, and one for the rest.
fn laid_out(view: &Value) -> Vec<Card> {
    let mut cards = vec![Card { title: "the table".to_owned(), ..Card::default() }];
    lay(view, view, (0, ""), &mut cards);
    cards
}

/// Puts a value on the card at a place: a row, or of an object all its fields.
fn lay(view: &Value, value: &Value, (at, label): (usize, &str), cards: &mut Vec<Card>) {
    let Some(fields) = value.as_object() else {
        let value = in_words(view, value);
        if !value.is_empty() {
            cards[at].rows.push(Row::new(label, value));
        }
        return;
    };
    for (key, value) in fields {
        match value.get("name").and_then(Value::as_str) {
            Some(name) => {
                cards.push(Card { id: key.clone(), title: name.to_owned(), ..Card::default() });
                lay(view, value, (cards.len() - 1, ""), cards);
            }
            None => lay(view, value, (at, format!("{label} {}", called(view, key)).trim()), cards),
        }
    }
}

/// The name that a view holds for a slug; otherwise the slug as a word.
fn called(view: &Value, word: &str) -> String {
    let slug = word.trim_start_matches('@');
    let mut lists = view.as_object().into_iter().flat_map(|fields| fields.values());
    let name = lists.find_map(|list| list.get(slug)?.get("name")?.as_str());
    name.map_or_else(|| slug.replace('-', " "), str::to_owned)
}

fn in_words(view: &Value, value: &Value) -> String {
    match value {
        Value::Null | Value::Object(_) => String::new(),
        Value::Bool(on) => if *on { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(word) => called(view, word),
        Value::Array(all) => all.iter().map(|one| in_words(view, one)).collect::<Vec<_>>().join(", "),
    }
}

/// The changes between the cards of two moments, in a few words:
/// "Tamsin: Risk 4 (was 1), weakened". `None` if there are none.
pub(crate) fn changed(before: &[Card], after: &[Card]) -> Option<String> {
    let is = |one: &Card, other: &Card| one.id == other.id;
    let gone = before.iter().filter(|card| !after.iter().any(|now| is(card, now)));
    let mut told: Vec<String> = gone.map(|card| format!("{} is out of sight", card.title)).collect();
    for now in after {
        match before.iter().find(|card| is(card, now)) {
            None => told.push(format!("{} is there", now.title)),
            Some(card) if card == now => {}
            Some(card) => {
                let parts = of_one(card, now);
                if !parts.is_empty() {
                    told.push(format!("{}: {}", now.title, parts.join(", ")));
                }
            }
        }
    }
    (!told.is_empty()).then(|| told.join("; "))
}

/// The additions to a card, and the removals from it.
fn of_one(before: &Card, now: &Card) -> Vec<String> {
    let mut parts = Vec::new();
    if before.title != now.title {
        parts.push(format!("{} before", before.title));
    }
    if before.note != now.note && !now.note.is_empty() {
        parts.push(now.note.clone());
    }
    if before.group != now.group {
        parts.push(format!("now {}", now.group));
    }
    for meter in &now.meters {
        match before.meters.iter().find(|was| was.label == meter.label) {
            Some(was) if (was.value, was.most) == (meter.value, meter.most) => {}
            Some(was) if was.most == meter.most => {
                parts.push(format!("{} {} (was {})", meter.label, meter.value, was.value));
            }
            _ => parts.push(format!("{} {} of {}", meter.label, meter.value, meter.most)),
        }
    }
    parts.extend(of_tags(&before.tags, &now.tags));
    parts.extend(of_rows(&before.rows, &now.rows));
    parts
}

/// The items of `these` that `those` lack, each as often as it is missing.
fn without<'a, T>(these: &'a [T], those: &[T], is: impl Fn(&T, &T) -> bool) -> Vec<&'a T> {
    let mut left: Vec<&T> = those.iter().collect();
    let is_new = |one: &&T| match left.iter().position(|other| is(one, other)) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    these.iter().filter(is_new).collect()
}

/// Statuses that have come, and those that are gone; of a number what it was.
fn of_tags(before: &[Tag], now: &[Tag]) -> Vec<String> {
    let same = |one: &Tag, other: &Tag| one.text == other.text;
    let (come, mut gone) = (without(now, before, same), without(before, now, same));
    let number = |text: &str| {
        let (number, of) = text.split_once(' ')?;
        number.parse::<u32>().ok().map(|_| (number.to_owned(), of.to_owned()))
    };
    let mut parts = Vec::new();
    for tag in come {
        let counted = number(&tag.text).and_then(|(_, of)| {
            let at = gone.iter().position(|was| number(&was.text).is_some_and(|(_, other)| other == of))?;
            number(&gone.remove(at).text)
        });
        parts.push(match counted {
            Some((was, _)) => format!("{} (was {was})", tag.text),
            None => tag.text.clone(),
        });
    }
    parts.extend(gone.iter().map(|tag| match tag.text.strip_prefix("no ") {
        Some(what) => format!("{what} again"),
        None => format!("no longer {}", tag.text),
    }));
    parts
}

/// Rows that say something else, have come or are gone. Several may have one label: what
/// somebody has is a row a thing.
fn of_rows(before: &[Row], now: &[Row]) -> Vec<String> {
    let same = |one: &Row, other: &Row| one == other;
    let (come, gone) = (without(now, before, same), without(before, now, same));
    let only = |rows: &[Row], label: &str| rows.iter().filter(|row| row.label == label).count() == 1;
    let is_one = |label: &str| only(before, label) && only(now, label);
    let mut parts: Vec<String> = Vec::new();
    for row in &come {
        let was = gone.iter().find(|was| was.label == row.label && is_one(&row.label));
        parts.push(of_row(was.copied(), row));
    }
    let lost = gone.iter().filter(|was| !is_one(&was.label));
    parts.extend(lost.map(|was| format!("{}: no longer {}", was.label, was.value)));
    parts
}

/// The value of a row now; of a long list only the additions and removals.
fn of_row(before: Option<&Row>, now: &Row) -> String {
    let items = |row: &Row| row.value.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let whole = format!("{}: {}", now.label, now.value);
    let Some(before) = before.filter(|_| now.value.chars().count() > LONG) else { return whole };
    let (was, is) = (items(before), items(now));
    let come = is.iter().filter(|item| !was.contains(item)).map(|item| format!("now {item}"));
    let left = was.iter().filter(|item| !is.contains(item)).map(|item| format!("no longer {item}"));
    let parts: Vec<String> = come.chain(left).collect();
    if parts.is_empty() { whole } else { format!("{}: {}", now.label, parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meter, TagShape};

    fn card(risk: u32, tags: &[&str], carries: &str) -> Card {
        let tag = |text: &&str| Tag { text: (*text).to_owned(), shape: TagShape::Plain, clause: None };
        Card {
            id: "ana".to_owned(),
            title: "Ana".to_owned(),
            note: String::new(),
            group: "yours".to_owned(),
            meters: vec![Meter { label: "Risk".to_owned(), value: risk, most: 12, alarm: None }],
            tags: tags.iter().map(tag).collect(),
            rows: vec![Row::new("Carries", carries)],
        }
    }

    #[test]
    fn a_change_is_told_by_what_is_new_and_what_is_gone() {
        let before = card(1, &["weakened"], "Hookblade");
        let told = |now: Card| changed(std::slice::from_ref(&before), &[now]);
        assert_eq!(told(before.clone()), None);
        assert_eq!(told(card(4, &["weakened"], "Hookblade")).unwrap(), "Ana: Risk 4 (was 1)");
        let other = told(card(1, &["pierced"], "Staff")).unwrap();
        assert_eq!(other, "Ana: pierced, no longer weakened, Carries: Staff");
        assert_eq!(changed(&[], std::slice::from_ref(&before)).unwrap(), "Ana is there");
        assert_eq!(changed(&[before], &[]).unwrap(), "Ana is out of sight");
    }

    #[test]
    fn rows_of_one_label_are_told_apart() {
        let with = |traits: &[&str], risk| {
            let row = |value: &&str| Row::new("trait", *value);
            Card { rows: traits.iter().map(row).collect(), ..card(risk, &[], "") }
        };
        let told = |before: Card, now: Card| changed(&[before], &[now]);
        let three = ["quick", "tall", "loud"];
        assert_eq!(told(with(&three, 1), with(&three, 2)).unwrap(), "Ana: Risk 2 (was 1)");
        let one_less = told(with(&three, 1), with(&["quick", "loud"], 1));
        assert_eq!(one_less.unwrap(), "Ana: trait: no longer tall");
        let other = told(with(&three, 1), with(&["quick", "tall", "meek"], 1));
        assert_eq!(other.unwrap(), "Ana: trait: meek, trait: no longer loud");
    }

    #[test]
    fn what_no_card_shows_is_told_from_the_view() {
        let told = |before: Value, now: Value| changed(&laid_out(&before), &laid_out(&now));
        let cast = |ana: Value| {
            let mut cast = serde_json::json!({ "ana": { "name": "Ana" }, "bo-tal": { "name": "Bo Tal" } });
            for (key, value) in ana.as_object().into_iter().flatten() {
                cast["ana"][key] = value.clone();
            }
            serde_json::json!({ "title": "Here", "cast": cast, "round": 1 })
        };
        let heeds = cast(serde_json::json!({ "side": 0, "heedless-of": ["@bo-tal"] }));
        let does = cast(serde_json::json!({ "side": 2, "heedless-of": [], "ranges": { "bo-tal": "far" } }));
        assert_eq!(told(heeds.clone(), heeds.clone()), None);
        let text = "Ana: side: 2, ranges Bo Tal: far, heedless of: no longer Bo Tal";
        assert_eq!(told(heeds, does).unwrap(), text);
    }

    #[test]
    fn what_counts_and_what_was_not_is_told_in_words() {
        let told = |before: &[&str], now: &[&str]| changed(&[card(1, before, "")], &[card(1, now, "")]);
        assert_eq!(told(&["3 prestige"], &["5 prestige"]).unwrap(), "Ana: 5 prestige (was 3)");
        assert_eq!(told(&["no composure"], &[]).unwrap(), "Ana: composure again");
    }

    #[test]
    fn of_a_long_list_only_what_comes_and_goes_is_told() {
        let long = "Hookblade, Wicker Shield, Quilted Coat, Rope";
        let now = card(1, &[], &format!("{long}, Lamp").replace("Rope, ", ""));
        let told = changed(&[card(1, &[], long)], &[now]).unwrap();
        assert_eq!(told, "Ana: Carries: now Lamp, no longer Rope");
    }
}
