//! References in JSON: `"@gatewarden"` outside, `"@c3"` inside.
//!
//! A game's ids are small numbers and serialise as a mark, a letter and a
//! number. People and files use slugs. The table translates at its edge, in
//! the JSON text, so that no game needs context to read or write an answer.

use crate::{Hidden, Refused};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{borrow::Cow, collections::BTreeMap};

/// The slugs of everything that an answer, fiat or event may refer to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// For each letter, slugs by number.
    by_id: BTreeMap<char, Vec<String>>,
    by_slug: BTreeMap<String, (char, usize)>,
}

/// How much somebody may know of what a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Not that it is there: the name is refused as one that nobody has.
    Hidden,
    /// The name, and not what kind of thing has it. An answer may refer to it only where
    /// the game reads any kind, by [`hearsay`].
    Hearsay,
    /// Known without its name: the name is refused like a name that nothing has.
    Unnamed,
    /// May be named; no hint offers the name.
    Unsaid,
    /// All there is to a name.
    Open,
}

/// A reference to nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("nothing here is called {name:?}{}", hint(near))]
pub struct RefError {
    /// The name given.
    pub name: String,
    /// Names like it.
    pub near: Vec<String>,
}

fn hint(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", ")) }
}

impl Names {
    /// Whether `slug` can be a name: lower-case letters, digits and hyphens.
    pub fn is_slug(slug: &str) -> bool {
        !slug.is_empty()
            && slug.len() <= 60
            && slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    }

    /// The name that something called so gets: `The Salt Gate` is `the-salt-gate`.
    ///
    /// Where nothing of it is a plain letter or digit, its first characters by their
    /// numbers: `王` is `u738b`.
    pub fn slug_of(name: &str) -> String {
        let mut slug = String::new();
        for c in name.chars() {
            if c.is_ascii_alphanumeric() {
                slug.push(c.to_ascii_lowercase());
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-').to_owned();
        if !slug.is_empty() {
            return slug;
        }
        let numbers: Vec<String> = name.trim().chars().take(8).map(|c| format!("u{:x}", c as u32)).collect();
        numbers.join("-")
    }

    /// Adds the next thing of kind `letter`; false where the name is taken.
    pub fn add(&mut self, letter: char, slug: &str) -> bool {
        if self.by_slug.contains_key(slug) {
            return false;
        }
        let ids = self.by_id.entry(letter).or_default();
        self.by_slug.insert(slug.to_owned(), (letter, ids.len()));
        ids.push(slug.to_owned());
        true
    }

    /// A slug for something called `plain` that belongs to somebody unseen. It does not name its
    /// owner, and does not count such things. `owner` is what the gamemaster alone knows of the
    /// owner; a player who guesses all of it can tell that the guess fits. The `nth` slug serves
    /// where those before it are taken.
    pub fn unseen(plain: &str, owner: &[&str], nth: usize) -> String {
        const FIRST: &[u8; 16] = b"bdfghjklmnprstvz";
        const THEN: &[u8; 4] = b"aiou";
        let hash = Sha256::digest(format!("{} {plain} {nth}", owner.join(" ")));
        let sounds = hash[..2].iter().flat_map(|byte| {
            [FIRST[usize::from(byte & 15)], THEN[usize::from(byte >> 4 & 3)]].map(char::from)
        });
        format!("{plain}-{}", sounds.collect::<String>())
    }

    /// The entry of somebody who comes to a table under way, as a setup writes it: one of
    /// the gamemaster's whose name is taken gets the next number that is free.
    ///
    /// # Errors
    /// A player's character whose name is taken; a name or a number that something hidden
    /// from the players has, for the next number would tell them of it.
    pub fn newcomer(&self, entry: &Value, hidden: &Hidden) -> Result<Value, Refused> {
        let mut entry = entry.clone();
        let Some(fields) = entry.as_object_mut() else { return Ok(entry) };
        let called = ["name", "use"].iter().find_map(|field| fields.get(*field)?.as_str());
        let is_taken = |name: &str| self.by_slug.contains_key(&Names::slug_of(name));
        let Some(called) = called.filter(|called| is_taken(called) && !fields.contains_key("id")) else {
            return Ok(entry);
        };
        if fields.contains_key("player") {
            return Err(Refused::form(format!("{called} is here already: say what this one is called")));
        }
        let numbered = |n: usize| if n == 1 { called.to_owned() } else { format!("{called} {n}") };
        let free = (1..).find(|&n| !is_taken(&numbered(n))).unwrap_or_default();
        let is_hidden =
            |name: String| self.find(&Names::slug_of(&name)).is_some_and(|(l, n)| hidden.has(l, n));
        if (1..free).map(numbered).any(is_hidden) {
            return Err(Refused::form(format!(
                "{called} is also the name of something the players do not see, and a number would tell \
                 them of it: say what this one is called"
            )));
        }
        fields.insert("name".to_owned(), numbered(free).into());
        Ok(entry)
    }

    /// The slug of the `n`th thing of kind `letter`.
    pub fn slug(&self, letter: char, n: usize) -> Option<&str> {
        self.by_id.get(&letter)?.get(n).map(String::as_str)
    }

    /// Every name as its kind and number.
    pub fn all(&self) -> impl Iterator<Item = (char, usize)> + '_ {
        self.by_id.iter().flat_map(|(&letter, slugs)| (0..slugs.len()).map(move |n| (letter, n)))
    }

    /// The letter and index that a slug stands for.
    pub fn find(&self, slug: &str) -> Option<(char, usize)> {
        self.by_slug.get(slug).copied()
    }

    /// Slugs of what is known that look like `name`, the likeliest first; at most three.
    fn near(&self, name: &str, known: &impl Fn(char, usize) -> Known) -> Vec<String> {
        let mut near: Vec<_> = self
            .by_slug
            .iter()
            .filter(|&(_, &(letter, n))| matches!(known(letter, n), Known::Open | Known::Hearsay))
            .filter_map(|(slug, _)| {
                let shared = slug.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
                let close =
                    shared * 2 >= name.len().max(2) || slug.contains(name) || name.contains(slug.as_str());
                close.then_some((usize::MAX - shared, slug.clone()))
            })
            .collect();
        near.sort();
        near.into_iter().take(3).map(|(_, slug)| slug).collect()
    }

    /// JSON as people write it into JSON as the game reads it.
    ///
    /// # Errors
    /// A reference that names nothing.
    pub fn read(&self, json: &str) -> Result<String, RefError> {
        self.read_knowing(json, |_, _| Known::Open)
    }

    /// The same for somebody who may know only some of what there is: the rest is
    /// refused as if it were not there.
    ///
    /// # Errors
    /// A reference that names nothing known.
    pub fn read_knowing(&self, json: &str, known: impl Fn(char, usize) -> Known) -> Result<String, RefError> {
        self.translate(json, |name| {
            let found = self.find(name).map(|(letter, n)| (known(letter, n), format!("{letter}{n}")));
            match found {
                Some((Known::Unsaid | Known::Open, id)) => Ok(id),
                Some((Known::Hearsay, id)) => Ok(format!("{HEARSAY}{id}")),
                Some((Known::Hidden | Known::Unnamed, _)) | None => {
                    Err(RefError { name: name.to_owned(), near: self.near(name, &known) })
                }
            }
        })
    }

    /// JSON as the game writes it into JSON as people read it.
    pub fn write(&self, json: &str) -> String {
        self.write_without(json, &Hidden::default())
    }

    /// The same for a viewer from whom some names are hidden: they read `@somebody`.
    pub fn write_without(&self, json: &str, hidden: &Hidden) -> String {
        self.translate(json, |id| {
            let name = match reference(id) {
                Some((letter, n)) if hidden.has(letter, n) => "somebody",
                Some((letter, n)) => self.slug(letter, n).unwrap_or(id),
                None => id,
            };
            Ok::<_, RefError>(name.to_owned())
        })
        .unwrap_or_default()
    }

    /// A text in which ids stand as the game writes them, with names in their place: what
    /// is hidden has ids too, and the gaps between others' would tell of it.
    pub(crate) fn outside(&self, text: &str) -> String {
        let mut pieces = text.split('@');
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let piece = piece.strip_prefix(HEARSAY).unwrap_or(piece);
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(piece.len());
            let (id, rest) = piece.split_at(end);
            let name = reference(id).and_then(|(letter, n)| self.slug(letter, n)).unwrap_or(id);
            out.extend(["@", name, rest]);
        }
        out
    }

    /// The references in a value, in JSON as the game writes it.
    pub fn references(json: &str) -> impl Iterator<Item = (char, usize)> + '_ {
        json.split("\"@").skip(1).filter_map(|rest| reference(rest.split('"').next()?))
    }

    /// Replaces what stands in each JSON string that begins with `@`.
    fn translate<E>(&self, json: &str, mut name: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
        let mut out = String::with_capacity(json.len() + 16);
        let mut rest = json;
        while let Some(at) = rest.find('"') {
            let string = &rest[at + 1..];
            let end = end_of_string(string);
            let (inside, after) = string.split_at(end);
            out.push_str(&rest[..=at]);
            // An `@` may also come escaped.
            match inside.strip_prefix('@').or_else(|| inside.strip_prefix("\\u0040")) {
                Some(id) => {
                    out.push('@');
                    out.push_str(&name(id)?);
                }
                None => out.push_str(inside),
            }
            let close = after.len().min(1);
            out.push_str(&after[..close]);
            rest = &after[close..];
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// The mark before an id that an answer names by hearsay.
const HEARSAY: char = '~';

/// A reference as [`crate::referred`] reads it, where one by hearsay is allowed too.
pub fn hearsay(text: &str) -> Cow<'_, str> {
    text.strip_prefix("@~").map_or(Cow::Borrowed(text), |id| Cow::Owned(format!("@{id}")))
}

/// Reads what stands behind the mark: `c3`.
fn reference(id: &str) -> Option<(char, usize)> {
    let mut chars = id.chars();
    Some((chars.next()?, chars.as_str().parse().ok()?))
}

/// Where a JSON string ends: the place of its closing quote.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (i, b) in text.bytes().enumerate() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return i,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        assert!(names.add('c', "ana") && names.add('c', "gatewarden") && names.add('i', "hookblade"));
        assert!(!names.add('i', "ana"), "a taken name");
        names
    }

    #[test]
    fn whoever_comes_later_has_a_name_of_their_own() {
        let read = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        let mut n = names();
        let come = |n: &Names, entry: &Value| n.newcomer(entry, &Hidden::default());
        let second = come(&n, &read(r#"{"use":"Gatewarden","pl":4}"#));
        assert_eq!(second.unwrap(), read(r#"{"use":"Gatewarden","pl":4,"name":"Gatewarden 2"}"#));
        assert!(n.add('c', "gatewarden-2"));
        let third = come(&n, &read(r#"{"name":"Gatewarden"}"#));
        assert_eq!(third.unwrap(), read(r#"{"name":"Gatewarden 3"}"#));
        let players = come(&n, &read(r#"{"name":"Ana","player":"Cy"}"#)).unwrap_err();
        assert!(players.to_string().contains("Ana is here already"), "{players}");
        // Who says who they are is taken at their word.
        for as_it_is in [
            r#"{"name":"Ana","player":"Cy","id":"ana-c"}"#,
            r#"{"name":"Ana","id":"ana-b"}"#,
            r#"{"name":"Bo"}"#,
            r#"{"name":"Bo","player":"Cy"}"#,
        ] {
            assert_eq!(come(&n, &read(as_it_is)).unwrap(), read(as_it_is));
        }
        for hidden in [1, 2] {
            let told =
                n.newcomer(&read(r#"{"name":"Gatewarden"}"#), &Hidden::of([('c', hidden)])).unwrap_err();
            assert!(told.to_string().contains("say what this one is called"), "{told}");
        }
    }

    #[test]
    fn the_names_of_things_unseen_count_nothing() {
        let slugs: Vec<String> =
            ["ox", "fox"].iter().map(|owner| Names::unseen("yew-bow", &[owner, "a spy"], 0)).collect();
        assert_ne!(slugs[0], slugs[1]);
        assert!(
            slugs.iter().all(|slug| Names::is_slug(slug) && slug.len() == "yew-bow-kalo".len()),
            "{slugs:?}"
        );
        assert_ne!(Names::unseen("yew-bow", &["ox", "a spy"], 1), slugs[0]);
    }

    #[test]
    fn translates_only_references() {
        let n = names();
        let outside = r#"{"on":"@gatewarden","note":"say \"@ana\"","with":["@hookblade"]}"#;
        let inside = r#"{"on":"@c1","note":"say \"@ana\"","with":["@i0"]}"#;
        assert_eq!(n.read(outside).unwrap(), inside);
        assert_eq!(n.write(inside), outside);
    }

    #[test]
    fn unknown_names_get_a_hint() {
        let error = names().read(r#""@gatewarder""#).unwrap_err();
        assert_eq!(error.to_string(), r#"nothing here is called "gatewarder"; perhaps gatewarden"#);
    }

    #[test]
    fn what_is_not_known_is_refused_as_what_is_not_there() {
        let names = names();
        let known = |letter, n| match (letter, n) {
            ('c', 1) => Known::Hidden,
            ('i', 0) => Known::Unsaid,
            ('c', 0) => Known::Unnamed,
            _ => Known::Open,
        };
        let told = |name: &str| names.read_knowing(name, known).unwrap_err();
        assert!(names.read_knowing(r#""@hookblade""#, known).is_ok());
        assert_eq!(told(r#""@hookblad""#).to_string(), r#"nothing here is called "hookblad""#);
        assert_eq!(told(r#""@gatewarden""#).to_string(), r#"nothing here is called "gatewarden""#);
        assert_eq!(told(r#""@ana""#).to_string(), r#"nothing here is called "ana""#);
        assert_eq!(told(r#""@gatewardes""#).to_string(), r#"nothing here is called "gatewardes""#);
    }

    #[test]
    fn a_text_with_ids_is_told_with_names() {
        let told = names().outside("unknown variant `@c1`, expected `@~i0` or a@b, @");
        assert_eq!(told, "unknown variant `@gatewarden`, expected `@hookblade` or a@b, @");
    }

    #[test]
    fn a_name_known_by_hearsay_does_not_tell_what_has_it() {
        let known = |letter, _| if letter == 'c' { Known::Hearsay } else { Known::Open };
        let read = names().read_knowing(r#"["@ana","@hookblade"]"#, known).unwrap();
        assert_eq!(read, r#"["@~c0","@i0"]"#);
        let letters = [('c', 0..9)];
        assert_eq!(crate::referred("@~c0", &letters), None);
        assert_eq!(crate::referred(&hearsay("@~c0"), &letters), Some(0));
        assert_eq!(crate::referred(&hearsay("@c0"), &letters), Some(0));
        let near = names().read_knowing(r#""@an""#, known).unwrap_err();
        assert_eq!(near.near, ["ana"]);
    }

    #[test]
    fn a_hidden_reference_is_written_as_somebody() {
        let hidden = Hidden::of([('c', 1)]);
        let inside = r#"{"by":"@c1","on":"@c0","note":"say \"@c1\"","with":["@i0"]}"#;
        let outside = r#"{"by":"@somebody","on":"@ana","note":"say \"@c1\"","with":["@hookblade"]}"#;
        assert_eq!(names().write_without(inside, &hidden), outside);
        assert_eq!(Names::references(inside).collect::<Vec<_>>(), [('c', 1), ('c', 0), ('i', 0)]);
        assert!(hidden.is_all_of(r#"{"draws":{"who":"@c1"}}"#) && !hidden.is_all_of(inside));
        assert!(!hidden.is_all_of(r#"{"round":2}"#), "it refers to nothing");
    }

    #[test]
    fn a_name_without_plain_letters_has_a_slug() {
        assert_eq!(Names::slug_of("The Salt Gate!"), "the-salt-gate");
        assert_eq!(Names::slug_of("王 五"), "u738b-u20-u4e94");
        assert!(Names::is_slug(&Names::slug_of(&"𝄞".repeat(40))));
        assert_eq!(Names::slug_of(" "), "");
    }

    #[test]
    fn an_escaped_mark_is_a_mark() {
        assert_eq!(names().read(r#""\u0040gatewarden""#).unwrap(), r#""@c1""#);
        assert!(names().read(r#""\u0040c1""#).is_err(), "an id from outside");
    }

    #[test]
    fn broken_json_is_left_to_the_reader() {
        assert_eq!(names().read(r#"{"a": "unfinished"#).unwrap(), r#"{"a": "unfinished"#);
        assert_eq!(names().write(r#""@c99""#), r#""@c99""#);
    }
}
