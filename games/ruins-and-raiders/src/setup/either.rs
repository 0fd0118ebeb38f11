//! Fields that hold one of two kinds of value: armour is a name or a table, what a check is against a word or a
//! number. A reader asks for text first, and the fault of that is none.

use fracas_kernel::{Fault, Faults, Faulty};

/// The field of armour.
pub(super) const ARMOUR: &str = "armour";
/// The field of what a check is against.
pub(super) const AGAINST: &str = "against";

/// `value` where nothing was found wrong but what is none.
pub(super) fn settled<T>(faults: Faulty, value: T) -> Result<T, Faults> {
    let Err(found) = faults.or(()) else { return Ok(value) };
    let left: Vec<Fault> = found.0.into_iter().filter_map(settle).collect();
    if left.is_empty() { Ok(value) } else { Err(Faults(left)) }
}

/// The fault in the words of such a field, if it is one.
fn settle(mut fault: Fault) -> Option<Fault> {
    let field = fault.field.rsplit('.').next().unwrap_or_default();
    let is_either = field == ARMOUR || field == AGAINST;
    if is_either && fault.what.starts_with("expected text, found") {
        return None;
    }
    if field == ARMOUR
        && let Some(found) = fault.what.strip_prefix("expected a table, found ")
    {
        if found == "text" {
            return None;
        }
        fault.what = format!("expected the name of armour, or a table, found {found}");
    } else if field == AGAINST
        && let Some(rest) = fault.what.strip_prefix("expected a whole number")
    {
        fault.what = format!("expected a word, or a whole number{rest}");
    }
    Some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Document;

    /// The faults of a document whose fields are read as either.
    fn faults(text: &str) -> Vec<String> {
        let document = Document::toml("a.toml", text).expect("TOML");
        let faults = Faulty::new();
        let top = document.fields(&faults);
        if top.text(ARMOUR).is_none()
            && let Some(table) = top.table(ARMOUR)
        {
            table.text("name");
            table.done();
        }
        if top.text(AGAINST).is_none() {
            top.int(AGAINST, 0..=60);
        }
        top.done();
        let found = settled(faults, ()).err().unwrap_or_default();
        found.0.into_iter().map(|fault| fault.what).collect()
    }

    #[test]
    fn either_kind_of_value_is_right() {
        for text in ["armour = \"Mail\"\nagainst = \"dodge\"", "armour = { name = \"Mail\" }\nagainst = 9"] {
            assert!(faults(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn any_other_kind_is_one_fault() {
        assert_eq!(
            faults("armour = 3\nagainst = [\"dodge\"]"),
            [
                "expected the name of armour, or a table, found a whole number",
                "expected a word, or a whole number from 0 to 60, found a list",
            ]
        );
        assert_eq!(faults("against = 99"), ["expected a word, or a whole number from 0 to 60, found 99"]);
    }
}
