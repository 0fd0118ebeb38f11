//! The pictures that a paper can name: the cover of an encounter, and portraits of characters.

use crate::sheet::{entries, set_field, split, table_at, take_out};
use fracas_kernel::{About, PORTRAIT, Picture};
use fracas_systems::Sort;
use toml_edit::{DocumentMut, TableLike, Value};

/// A picture that a text can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictured {
    /// The field with its id: `cover`, `character[2].portrait`.
    pub field: String,
    /// The name of the character; empty for the cover.
    pub name: String,
    /// The id that stands there.
    pub id: Option<String>,
}

/// The pictures that a text can name, the cover first.
pub fn pictures(text: &str, sort: Sort) -> Vec<Pictured> {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let said = |table: &dyn TableLike, field: &str| Some(table.get(field)?.as_str()?.to_owned());
    let picture = |table: &dyn TableLike, field: &str| said(table, field).filter(|id| Picture::is_id(id));
    let field = About::COVER.to_owned();
    let cover = Pictured { id: picture(document.as_table(), &field), field, name: String::new() };
    let mut all = Vec::from_iter((sort == Sort::Encounter).then_some(cover));
    for (n, entry) in (1..).zip(entries(&mut document, "character")) {
        let Some(name) = said(entry, "name").or_else(|| said(entry, "use")) else { continue };
        let field = format!("character[{n}].{PORTRAIT}");
        all.push(Pictured { field, name, id: picture(entry, PORTRAIT) });
    }
    all
}

/// The text with this id in a field of [`pictures`], or without that field; `None` if the text has no place
/// for it.
pub fn with_picture(text: &str, sort: Sort, field: &str, id: Option<&str>) -> Option<String> {
    let there = |text: &str| pictures(text, sort).into_iter().find(|pictured| pictured.field == field);
    there(text)?;
    let mut document = text.parse::<DocumentMut>().ok()?;
    let (steps, key) = split(field)?;
    let table = table_at(&mut document, &steps)?;
    match id {
        Some(id) => set_field(table, key, Value::from(id)),
        None => take_out(table, key),
    }
    let text = document.to_string();
    (there(&text)?.id.as_deref() == id).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"X\"\n\n# Two of them.\n[[character]]\nname = \"Ana\"\n\n[[character]]\nuse = \"Bo\" # Grey.\n";

    fn with(text: &str, field: &str, id: Option<&str>) -> Option<String> {
        with_picture(text, Sort::Encounter, field, id)
    }

    #[test]
    fn a_picture_is_named_and_forgotten_and_the_rest_stays() {
        let all = pictures(TEXT, Sort::Encounter);
        let fields: Vec<(&str, &str)> =
            all.iter().map(|pictured| (pictured.field.as_str(), pictured.name.as_str())).collect();
        assert_eq!(
            fields,
            [("cover", ""), ("character[1].portrait", "Ana"), ("character[2].portrait", "Bo")]
        );
        assert_eq!(pictures(TEXT, Sort::Library).len(), 2, "a library has no cover");
        let id = "ab".repeat(32);
        for (field, _) in fields {
            let text = with(TEXT, field, Some(&id)).expect(field);
            assert!(text.contains("# Two of them.") && text.contains("# Grey."), "{text}");
            let named = pictures(&text, Sort::Encounter);
            assert!(named.iter().all(|it| it.id.is_some() == (it.field == field)), "{named:?}");
            assert_eq!(with(&text, field, None).as_deref(), Some(TEXT));
        }
        let inline = "character = [{ name = \"Ana\" }]\n";
        assert!(with(inline, "character[1].portrait", Some(&id)).is_some_and(|text| text.contains(&id)));
    }

    #[test]
    fn where_no_picture_can_be_named_none_is() {
        let id = "ab".repeat(32);
        for field in ["title", "character[3].portrait", "character[1].name", "foe[1].portrait", "", "cover.x"]
        {
            assert_eq!(with(TEXT, field, Some(&id)), None, "{field}");
        }
        assert_eq!(with_picture(TEXT, Sort::Library, "cover", Some(&id)), None);
        for text in ["[cover]\nx = 1\n", "[[cover]]\nx = 1\n", "title = "] {
            assert_eq!(with(text, "cover", Some(&id)), None, "{text}");
        }
        let taken = "[[character]]\nname = \"Ana\"\n[character.portrait]\nx = 1\n";
        assert_eq!(with(taken, "character[1].portrait", Some(&id)), None);
        let wild = "[[character]]\nname = \"Ana\"\nportrait = \"../t/x\"\n";
        assert_eq!(pictures(wild, Sort::Encounter)[1].id, None, "an address is no id");
    }
}
