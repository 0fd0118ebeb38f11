//! A fiat told to each by what they see it change.

use crate::{Card, Row, Seat, Tag, Viewer, form::Form};

/// A value longer than this is told by what is new in it and what is gone.
const LONG: usize = 40;

/// What was overruled: what it said, and what everybody saw before.
pub(crate) struct Ruled {
    /// The form that it fills in, in words.
    told: Option<String>,
    /// Whether that is for everybody to know.
    open: bool,
    before: Vec<(Viewer, Vec<Card>)>,
}

impl Ruled {
    /// A fiat (JSON with names) before it is carried out.
    pub(crate) fn new(forms: &[Form], fiat: &str, before: Vec<(Viewer, Vec<Card>)>) -> Ruled {
        let (told, open) = match Form::find(forms, fiat) {
            Some((form, told)) => (Some(told), form.open),
            None => (None, false),
        };
        Ruled { told, open, before }
    }

    /// What somebody who now sees these cards is told of it: what they see changed; the
    /// gamemaster at least what was said.
    pub(crate) fn to(&self, who: Viewer, now: &[Card]) -> Option<String> {
        let before = self.before.iter().find(|(viewer, _)| *viewer == who).map(|(_, cards)| cards);
        let seen = before.and_then(|before| changed(before, now));
        match who {
            _ if self.open => self.told.clone(),
            Viewer::Seat(Seat::Gm) => {
                seen.or_else(|| self.told.clone()).or_else(|| Some("nothing to be seen".to_owned()))
            }
            _ => seen,
        }
    }
}

/// What somebody sees changed between the cards of two moments, in a few words:
/// "Tamsin: Risk 4 (was 1), weakened". `None` where that is nothing.
pub(crate) fn changed(before: &[Card], after: &[Card]) -> Option<String> {
    let is = |one: &Card, other: &Card| one.id == other.id && one.group.is_empty() == other.group.is_empty();
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

/// What is new on a card, and what is gone from it.
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
            Some(was) => parts.push(format!("{} {} (was {})", meter.label, meter.value, was.value)),
            None => parts.push(format!("{} {}", meter.label, meter.value)),
        }
    }
    let has = |tags: &[Tag], tag: &Tag| tags.iter().any(|other| other.text == tag.text);
    parts.extend(now.tags.iter().filter(|tag| !has(&before.tags, tag)).map(|tag| tag.text.clone()));
    let lifted = before.tags.iter().filter(|tag| !has(&now.tags, tag));
    parts.extend(lifted.map(|tag| format!("no longer {}", tag.text)));
    for row in &now.rows {
        match before.rows.iter().find(|was| was.label == row.label) {
            Some(was) if was.value == row.value => {}
            was => parts.push(of_row(was, row)),
        }
    }
    let lost = before.rows.iter().filter(|was| !now.rows.iter().any(|row| row.label == was.label));
    parts.extend(lost.map(|was| format!("{}: nothing", was.label)));
    parts
}

/// What a row says now; of a long list only what has come and gone.
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
            rows: vec![Row { label: "Carries".to_owned(), value: carries.to_owned() }],
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
    fn of_a_long_list_only_what_comes_and_goes_is_told() {
        let long = "Hookblade, Wicker Shield, Quilted Coat, Rope";
        let now = card(1, &[], &format!("{long}, Lamp").replace("Rope, ", ""));
        let told = changed(&[card(1, &[], long)], &[now]).unwrap();
        assert_eq!(told, "Ana: Carries: now Lamp, no longer Rope");
    }
}
