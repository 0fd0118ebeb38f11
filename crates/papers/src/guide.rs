//! The templates of a system, as explanation of its fields: help, examples, places.
//!
//! A template is commented TOML: lines that explain, then the fields they are about, of
//! which optional ones are commented out. So the text that people begin from also explains
//! the form they fill in.

use fracas_kernel::System;

/// A field as a template shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The list or table that the field stands in, such as `character.trait`; empty at the
    /// top.
    pub place: String,
    /// Its name.
    pub key: String,
    /// The template's explanation; may be empty.
    pub help: String,
    /// The field's value in the template, as TOML.
    pub example: String,
    /// Whether the field is filled in there, not commented out.
    pub given: bool,
}

/// The fields of all templates of a system.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    lines: Vec<Line>,
    /// Lists and tables, each with its explanation.
    heads: Vec<(String, String)>,
    /// The list of characters that the gamemaster plays.
    others: &'static str,
}

impl Guide {
    /// Reads the templates of a system.
    pub fn of(system: &System) -> Guide {
        let mut guide = Guide { others: system.others, ..Guide::default() };
        for (_, text) in (system.templates)() {
            guide.read(text);
        }
        guide
    }

    fn read(&mut self, text: &str) {
        let mut place = String::new();
        let mut help: Vec<&str> = Vec::new();
        // Consecutive fields share the explanation above the first.
        let mut has_fields = false;
        for line in text.lines() {
            let (content, given) = match line.strip_prefix('#') {
                Some(rest) => (rest.trim_start(), false),
                None => (line, true),
            };
            if let Some(head) = head(content) {
                place = head.to_owned();
                if !self.heads.iter().any(|(there, _)| *there == place) {
                    self.heads.push((place.clone(), in_words(&help.join(" "))));
                }
                help.clear();
            } else if let Some((key, example)) = field(content) {
                let known = self.lines.iter().any(|line| line.place == place && line.key == key);
                if !known {
                    self.lines.push(Line {
                        place: place.clone(),
                        key: key.to_owned(),
                        help: in_words(&help.join(" ")),
                        example: example.to_owned(),
                        given,
                    });
                }
                has_fields = true;
            } else if given || content.starts_with("----") {
                help.clear();
                has_fields = false;
            } else {
                if has_fields {
                    help.clear();
                    has_fields = false;
                }
                help.push(content);
            }
        }
    }

    /// The places whose explanations hold at `place`: the place itself, the same place of
    /// players' characters, which are explained in full, and what these have.
    fn places(&self, place: &str) -> Vec<String> {
        let mut places = vec![place.to_owned()];
        if place.is_empty() {
            return places;
        }
        let (list, below) = place.split_once('.').map_or((place, None), |(list, below)| (list, Some(below)));
        match below {
            _ if list != self.others => {}
            None => places.push("character".to_owned()),
            Some(below) => places.push(format!("character.{below}")),
        }
        places.push(format!("character.{place}"));
        places
    }

    /// The field of this name.
    pub fn line(&self, place: &str, key: &str) -> Option<&Line> {
        let find = |place: &String| self.lines.iter().find(|line| line.place == *place && line.key == key);
        self.places(place).iter().find_map(find)
    }

    /// Every field of a list's entries, or of a table, each once.
    pub fn lines(&self, place: &str) -> Vec<&Line> {
        let mut found: Vec<&Line> = Vec::new();
        for place in self.places(place) {
            for line in self.lines.iter().filter(|line| line.place == place) {
                if !found.iter().any(|there| there.key == line.key) {
                    found.push(line);
                }
            }
        }
        found
    }

    /// The explanation of a list or table as a whole.
    pub fn head(&self, place: &str) -> &str {
        let find = |place: &String| self.heads.iter().find(|(there, _)| there == place);
        self.places(place).iter().find_map(find).map_or("", |(_, help)| help.as_str())
    }
}

/// A template's explanation for people who fill in a form. Fields and lists get the form's
/// names: `use = "Wren"` becomes “use: Wren”, `[[player]]` a player.
pub fn in_words(help: &str) -> String {
    let mut words = String::new();
    for (n, part) in help.split('`').enumerate() {
        if n % 2 == 0 {
            words.push_str(&part.replace("[[", "").replace("]]", ""));
            continue;
        }
        let (key, value) = part.split_once(" = ").map_or((part, None), |(key, value)| (key, Some(value)));
        let value = value.map(|value| match value {
            "true" => ": yes".to_owned(),
            "false" => ": no".to_owned(),
            value => format!(": {}", value.trim_matches('"')),
        });
        words.push_str(&format!("“{}{}”", key.replace(['_', '-'], " "), value.unwrap_or_default()));
    }
    words
}

/// The path of `[a]` or `[[a.b]]`.
fn head(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
    let plain = |b: u8| b.is_ascii_lowercase() || b"-_.".contains(&b);
    (!inner.is_empty() && inner.bytes().all(plain)).then_some(inner)
}

/// The name and the value of a field on one line.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(" = ")?;
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b"-_".contains(&b));
    let value = value.split("  #").next().unwrap_or_default().trim();
    plain.then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_systems::Sort;

    #[test]
    fn comments_explain_the_fields_below_them() {
        let mut guide = Guide { others: "npc", ..Guide::default() };
        guide.read(
            "# About the file.\n\n[[character]]\n# What they are\n# called. Needed.\nname = \"Wren\"\n\n\
             # Two flags.\n# away = false\n#   apart = false  # or true\n# ---- Things ----\n\
             # As many as they have.\n# [[character.boon]]\n# hands = 1\n",
        );
        let line = |place: &str, key: &str| guide.line(place, key).expect("it is there");
        assert_eq!(line("character", "name").help, "What they are called. Needed.");
        assert!(line("character", "name").given && !line("character", "away").given);
        assert_eq!(line("npc", "apart").help, "Two flags.", "as of players' characters");
        assert_eq!(line("character", "apart").example, "false");
        assert_eq!(line("boon", "hands").help, "", "of a library too");
        assert_eq!(guide.head("npc.boon"), "As many as they have.");
        assert_eq!((guide.lines("npc").len(), guide.lines("scene").len()), (3, 0));
        assert!(guide.line("", "name").is_none());
    }

    #[test]
    fn a_form_tells_of_fields_and_not_of_text() {
        for (help, words) in [
            ("a [[player]] of the encounter", "a player of the encounter"),
            ("`use = \"Wren\"` begins with", "“use: Wren” begins with"),
            ("an item with `mount = true`. Default no.", "an item with “mount: yes”. Default no."),
            ("`until-test` of `known_to`", "“until test” of “known to”"),
        ] {
            assert_eq!(in_words(help), words);
        }
    }

    #[test]
    fn the_templates_of_every_system_explain_themselves() {
        let mut secret = 0;
        for system in fracas_systems::all() {
            let guide = Guide::of(system);
            let name = guide.line("character", "name").expect("a character has a name");
            let help = &name.help;
            assert!(help.contains("Needed"), "{}: say `Needed` above `name`, not {help:?}", system.id);
            let schema = fracas_systems::schema(system, Sort::Encounter).expect("sound content");
            let field = format!("/properties/{}/items/properties/secret", system.others);
            let is_read = schema.pointer(&field).is_some_and(|field| field["type"] == "string");
            assert_eq!(guide.line(system.others, "secret").is_some(), is_read, "{}: `secret`", system.id);
            secret += u32::from(is_read);
            let explained = guide.lines.iter().filter(|line| !line.help.is_empty()).count();
            let all = guide.lines.len();
            assert!(explained * 3 > all, "{}: {explained} of {all} have a comment above them", system.id);
        }
        assert!(secret > 0, "nobody has a secret");
    }
}
