//! Listed answers of any game, as a menu to walk down.
//!
//! A few answers are a numbered list. Many are grouped by the first field of their JSON
//! that tells them apart (actor, target, means), level by level. Long levels are shown page
//! by page.

use fracas_kernel::{Listed, distance};
use serde_json::Value;
use std::ops::Range;

/// The most answers that are listed without grouping, and the rows of a page.
pub const FEW: usize = 15;
/// The least letters of a word that can describe a group.
const TELLING: usize = 4;
/// Stop words of [`TELLING`] letters: they describe nothing.
const SMALL: [&str; 8] = ["with", "from", "into", "onto", "that", "this", "their", "them"];
/// Up to this many rows more are put on the last page rather than on a page of their own.
const SPARE: usize = 3;

/// One listed answer.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The answer, as the game lists it.
    pub listed: Listed,
    /// Its fields in order.
    fields: Vec<Field>,
}

/// A field of an answer.
#[derive(Clone, Debug)]
struct Field {
    /// Its path in the JSON.
    path: String,
    /// Its value in words.
    value: String,
    /// Whether people would word it so: it is a name and no word of JSON.
    said: bool,
}

/// A numbered line of a menu.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// One answer, by its index.
    One(usize),
    /// Several answers that share a field.
    Many {
        /// What they share, in as few words as describe it.
        label: String,
        /// The same with the field's name, if it has one.
        full: String,
        /// The beginning that their sentences share.
        begins: String,
        /// The answers, by index.
        among: Vec<usize>,
    },
}

/// Answers that share a field.
struct Group {
    /// The field with its name, if it has one.
    full: String,
    /// Its value, if that is clear without the field's name.
    value: Option<String>,
    /// Whether people would word it so.
    said: bool,
    among: Vec<usize>,
}

/// The result of a choice in a menu.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pick {
    /// One answer, by its index.
    One(usize),
    /// One answer, in the person's own words.
    Own(usize, String),
    /// Several answers; the menu now shows only them.
    Narrowed,
    /// None, with the reason.
    Nothing(String),
    /// No answer matches.
    Unknown(Near),
}

/// The answers that come nearest to a typed text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Near {
    /// The answers that share the most words with it.
    pub answers: Vec<usize>,
    /// The words that are in none of these.
    pub odd: Vec<String>,
}

/// A position in a menu.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    choices: Vec<Choice>,
    /// The groups chosen so far, level by level; empty at the top.
    levels: Vec<(String, Vec<usize>)>,
    /// Whether every answer is listed, without grouping.
    all: bool,
    /// The page that is shown.
    page: usize,
    /// The game's names of groups: a field as in [`Row::Many`]'s `full`, and its words.
    groups: &'static [(&'static str, &'static str)],
}

impl Menu {
    /// A menu of these answers. `call` gives the name of a thing of the game.
    pub fn new(listed: Vec<Listed>, call: &dyn Fn(&str) -> String) -> Self {
        let choices = listed
            .into_iter()
            .map(|listed| {
                let mut fields = Vec::new();
                if let Ok(value) = serde_json::from_str(&listed.answer) {
                    flatten(&value, "", call, &mut fields);
                }
                Choice { listed, fields }
            })
            .collect();
        Menu { choices, ..Menu::default() }
    }

    /// Sets the game's names of groups; see [`fracas_kernel::Words::groups`].
    #[must_use]
    pub fn called(self, groups: &'static [(&'static str, &'static str)]) -> Self {
        Menu { groups, ..self }
    }

    /// The answer at an index.
    pub fn choice(&self, at: usize) -> Option<&Choice> {
        self.choices.get(at)
    }

    /// Whether this answer, as JSON, is listed.
    pub fn lists(&self, answer: &str) -> bool {
        self.choices.iter().any(|choice| choice.listed.answer == answer)
    }

    /// Everything that the answers refer to, each once.
    pub fn references(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for slug in self.choices.iter().flat_map(|choice| references(&choice.listed.answer)) {
            if !all.iter().any(|there| there == slug) {
                all.push(slug.to_owned());
            }
        }
        all
    }

    /// Whether the menu is at its top.
    pub fn is_whole(&self) -> bool {
        self.levels.is_empty()
    }

    /// How many answers there are in all.
    pub fn count(&self) -> usize {
        self.choices.len()
    }

    /// The groups chosen so far, from the top.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        self.levels.iter().map(|(label, _)| label.as_str())
    }

    fn here(&self) -> Vec<usize> {
        match self.levels.last() {
            Some((_, among)) => among.clone(),
            None => (0..self.choices.len()).collect(),
        }
    }

    /// Lists every answer at this level.
    pub fn all(&mut self) {
        self.all = true;
        self.page = 0;
    }

    /// Goes back a page, or up a level; false at the top.
    pub fn back(&mut self) -> bool {
        if self.page > 0 {
            self.page -= 1;
            return true;
        }
        std::mem::take(&mut self.all) || self.levels.pop().is_some()
    }

    /// Goes to the next page, or from the last to the first; false if there is only one.
    pub fn more(&mut self) -> bool {
        let rows = self.rows().len();
        let shown = self.page(rows);
        self.page = if shown.end < rows { self.page + 1 } else { 0 };
        shown.len() < rows
    }

    /// Which of this many rows are shown.
    pub fn page(&self, rows: usize) -> Range<usize> {
        let from = (self.page * FEW).min(rows);
        let to = rows.min(from + FEW);
        from..if rows - to <= SPARE { rows } else { to }
    }

    /// Shows only answers that contain each of these words, or parts of words; all answers
    /// if there are no words. False if no answer matches.
    pub fn filter(&mut self, words: &str) -> bool {
        let wanted = words.to_lowercase();
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let holds = |at: &usize| {
            let text = self.choices[*at].listed.told.text.to_lowercase();
            wanted.iter().all(|word| text.contains(word))
        };
        let found: Vec<usize> = (0..self.choices.len()).filter(holds).collect();
        if found.is_empty() {
            return false;
        }
        self.levels.clear();
        self.all = false;
        self.page = 0;
        if !wanted.is_empty() {
            self.narrow(words.trim().to_owned(), found);
        }
        true
    }

    fn narrow(&mut self, label: String, among: Vec<usize>) {
        self.levels.push((label, among));
        self.all = false;
        self.page = 0;
    }

    /// The numbered lines, from number 1.
    pub fn rows(&self) -> Vec<Row> {
        let here = self.here();
        if self.all || here.len() <= FEW {
            return here.into_iter().map(Row::One).collect();
        }
        match self.group(&here) {
            Some(rows) => rows,
            None => here.into_iter().map(Row::One).collect(),
        }
    }

    /// Groups by the first field with a handful of values, else by the field with the
    /// fewest; `None` if no field separates these answers.
    fn group(&self, here: &[usize]) -> Option<Vec<Row>> {
        let mut paths: Vec<&str> = Vec::new();
        for &at in here {
            for field in &self.choices[at].fields {
                if !paths.contains(&field.path.as_str()) {
                    paths.push(&field.path);
                }
            }
        }
        let mut best: Option<(usize, Vec<Group>)> = None;
        for path in paths {
            let groups = self.by(path, here);
            if groups.len() < 2 {
                continue;
            }
            let cost = if groups.len() <= FEW { 0 } else { groups.len() };
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, groups));
            }
            if cost == 0 {
                break;
            }
        }
        let (_, groups) = best?;
        // Small groups are listed outright if there is room for all of a size.
        let rows_with = |most: usize| -> usize {
            groups.iter().map(|group| if group.among.len() <= most { group.among.len() } else { 1 }).sum()
        };
        let outright = (1..=FEW).rev().find(|&most| rows_with(most) <= FEW).unwrap_or(1);
        let begins: Vec<String> = groups.iter().map(|group| self.begins(&group.among)).collect();
        let shares: Vec<Option<String>> = groups.iter().map(|group| self.shares(&group.among)).collect();
        let mut rows = Vec::new();
        for (i, Group { full, value, said, among }) in groups.into_iter().enumerate() {
            if among.len() <= outright {
                rows.extend(among.into_iter().map(Row::One));
                continue;
            }
            let mine = &begins[i];
            let shared = begins.iter().filter(|b| *b == mine).count() > 1;
            let begins = if shared { String::new() } else { mine.clone() };
            let own =
                shares[i].clone().filter(|_| shares.iter().filter(|other| **other == shares[i]).count() == 1);
            // A name is clear without its field's name; `yes`, `3` and words of JSON are
            // not. A label is true of all answers in its group.
            let named = self.groups.iter().find(|(field, _)| *field == full);
            let label = match (named, value) {
                (Some((_, words)), _) => (*words).to_owned(),
                (None, Some(value)) if said => value,
                _ if !begins.is_empty() => format!("{begins} ..."),
                (None, Some(value)) => own.unwrap_or_else(|| format!("{value} ...")),
                (None, None) if full.starts_with("no ") => own.unwrap_or_else(|| "others".to_owned()),
                (None, None) => full.clone(),
            };
            rows.push(Row::Many { label, full, begins, among });
        }
        Some(rows)
    }

    /// The words that all of these share, in order, with `...` for others: "... must save
    /// against ...". `None` if these words describe nothing.
    fn shares(&self, among: &[usize]) -> Option<String> {
        let words = |at: usize| self.choices[at].listed.told.text.split(' ').collect::<Vec<_>>();
        let (first, rest) = among.split_first()?;
        let mut kept: Vec<Shared<'_>> =
            words(*first).into_iter().map(|word| Shared { word, apart: false }).collect();
        for &at in rest {
            kept = in_both(&kept, &words(at));
        }
        // A name alone does not say what is done.
        let telling = |word: &str| {
            word.chars().count() >= TELLING && word.starts_with(char::is_lowercase) && !SMALL.contains(&word)
        };
        if !kept.iter().any(|shared| telling(shared.word)) {
            return None;
        }
        let mut label = String::new();
        let mut gap = false;
        for Shared { word, apart } in kept {
            gap |= apart;
            // A sign such as `+` means nothing by itself.
            if word.contains(char::is_alphanumeric) {
                label.push_str(if gap { "... " } else { "" });
                label.push_str(word);
                label.push(' ');
                gap = false;
            } else {
                gap = true;
            }
        }
        Some(label + "...")
    }

    fn by(&self, path: &str, here: &[usize]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for &at in here {
            let found = self.choices[at].fields.iter().find(|field| field.path == path);
            let name = path.rsplit('.').next().unwrap_or(path).replace(['-', '_'], " ");
            let (full, value) = match found.map(|field| &field.value) {
                Some(value) if name.is_empty() => (value.clone(), Some(value.clone())),
                Some(value) => (format!("{name}: {value}"), telling(value).then(|| value.clone())),
                None => (format!("no {name}"), None),
            };
            match groups.iter_mut().find(|group| group.full == full) {
                Some(group) => group.among.push(at),
                None => {
                    let said = found.is_some_and(|field| field.said);
                    groups.push(Group { full, value, said, among: vec![at] });
                }
            }
        }
        groups
    }

    /// The words with which all of these begin, if they are several; else empty.
    fn begins(&self, among: &[usize]) -> String {
        let mut texts =
            among.iter().map(|&at| self.choices[at].listed.told.text.split(' ').collect::<Vec<_>>());
        let Some(mut shared) = texts.next() else { return String::new() };
        for text in texts {
            let same = shared.iter().zip(&text).take_while(|(a, b)| a == b).count();
            shared.truncate(same);
        }
        if shared.len() < 2 { String::new() } else { shared.join(" ") }
    }

    /// Chooses by a typed text: a number, a row's label, or words of an answer.
    pub fn pick(&mut self, typed: &str) -> Pick {
        let rows = self.rows();
        let numbered = |number: usize| number.checked_sub(1).and_then(|n| rows.get(n));
        let none = |number: usize| match rows.len() {
            0 => "there is nothing listed to choose from".to_owned(),
            1 => format!("there is no {number} here: only 1"),
            most => format!("there is no {number} here: choose 1 to {most}"),
        };
        if let Ok(number) = typed.parse() {
            return match numbered(number) {
                Some(row) => self.take(row.clone()),
                None => Pick::Nothing(none(number)),
            };
        }
        // A number followed by words is an answer in these words, if it takes words of
        // one's own.
        let worded = typed.split_once(char::is_whitespace);
        let worded = worded.and_then(|(number, words)| Some((number.parse::<usize>().ok()?, words.trim())));
        if let Some((number, words)) = worded
            && let Some(Row::One(at)) = numbered(number)
            && self.choices[*at].listed.told.free.is_some()
        {
            return Pick::Own(*at, words.to_owned());
        }
        let typed = typed.to_lowercase();
        // A row by the beginning of its label, if only one begins so.
        let begins: Vec<&Row> = rows
            .iter()
            .filter(|row| match row {
                Row::One(at) => self.choices[*at].listed.told.text.to_lowercase().starts_with(&typed),
                Row::Many { label, full, begins, .. } => {
                    label.to_lowercase().starts_with(&typed)
                        || full.to_lowercase().starts_with(&typed)
                        || !begins.is_empty() && begins.to_lowercase().starts_with(&typed)
                }
            })
            .collect();
        if let [row] = begins[..] {
            let row = row.clone();
            return self.take(row);
        }
        // Any answer, at this level or elsewhere, with all of the words.
        let words: Vec<&str> =
            typed.split_whitespace().map(|word| word.trim_end_matches([',', ';'])).collect();
        let here = self.here();
        let mut found = self.matching(&here, &words);
        if found.is_empty() {
            found = self.matching(&(0..self.choices.len()).collect::<Vec<_>>(), &words);
        }
        let exact: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&at| self.choices[at].listed.told.text.to_lowercase() == typed)
            .collect();
        match (&found[..], &exact[..]) {
            ([only], _) | (_, [only]) => Pick::One(*only),
            ([], _) => match worded {
                Some((number, _)) if numbered(number).is_none() => Pick::Nothing(none(number)),
                Some((number, words)) => Pick::Nothing(format!(
                    "{number} takes no words of your own; to say how for the story: {number} : {words}"
                )),
                None => Pick::Unknown(self.near(&words)),
            },
            _ => {
                self.narrow(typed, found);
                Pick::Narrowed
            }
        }
    }

    /// The answers that share the most words with these. Short words count for little.
    fn near(&self, words: &[&str]) -> Near {
        let weight = |word: &str| if word.chars().count() < 4 { 1 } else { word.chars().count() };
        let shared =
            |choice: &Choice, word: &str| parts(&choice.listed.told.text).any(|part| alike(&part, word));
        let score = |choice| words.iter().filter(|word| shared(choice, word)).map(|word| weight(word)).sum();
        let scores: Vec<usize> = self.choices.iter().map(score).collect();
        let most = scores.iter().copied().max().unwrap_or(0);
        let least = words.iter().copied().map(weight).max().unwrap_or(0).min(4);
        if most < least || most == 0 {
            return Near { answers: Vec::new(), odd: words.iter().map(|word| (*word).to_owned()).collect() };
        }
        let answers: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] == most).collect();
        let odd = words.iter().filter(|word| !answers.iter().any(|&at| shared(&self.choices[at], word)));
        Near { odd: odd.map(|word| (*word).to_owned()).collect(), answers }
    }

    fn matching(&self, among: &[usize], words: &[&str]) -> Vec<usize> {
        among
            .iter()
            .copied()
            .filter(|&at| {
                let text = &self.choices[at].listed.told.text;
                words.iter().all(|word| parts(text).any(|part| part.starts_with(word)))
            })
            .collect()
    }

    fn take(&mut self, row: Row) -> Pick {
        match row {
            Row::One(at) => Pick::One(at),
            Row::Many { label, among, .. } => {
                self.narrow(label, among);
                Pick::Narrowed
            }
        }
    }
}

/// A word that several texts share.
#[derive(Clone, Copy)]
struct Shared<'t> {
    word: &'t str,
    /// Whether in any of them other words stand before it.
    apart: bool,
}

/// The longest common subsequence of words.
fn in_both<'t>(kept: &[Shared<'t>], other: &[&str]) -> Vec<Shared<'t>> {
    // The lengths of the longest common subsequences from each pair of words on.
    let wide = other.len() + 1;
    let mut runs = vec![0usize; (kept.len() + 1) * wide];
    for i in (0..kept.len()).rev() {
        for j in (0..other.len()).rev() {
            runs[i * wide + j] = if kept[i].word == other[j] {
                runs[(i + 1) * wide + j + 1] + 1
            } else {
                runs[(i + 1) * wide + j].max(runs[i * wide + j + 1])
            };
        }
    }
    let (mut i, mut j, mut apart, mut shared) = (0, 0, false, Vec::new());
    while i < kept.len() && j < other.len() {
        if kept[i].word == other[j] {
            shared.push(Shared { word: kept[i].word, apart: apart || kept[i].apart });
            (i, j, apart) = (i + 1, j + 1, false);
            continue;
        }
        apart = true;
        if runs[(i + 1) * wide + j] >= runs[i * wide + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    shared
}

/// The names that an answer refers to.
pub fn references(json: &str) -> impl Iterator<Item = &str> {
    json.split("\"@").skip(1).filter_map(|rest| rest.split('"').next())
}

/// The words of a text, in lower case.
pub fn parts(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'').map(str::to_lowercase)
}

/// Whether a person who typed `word` may have meant `part`.
pub fn alike(part: &str, word: &str) -> bool {
    let letters = word.chars().count();
    part.starts_with(word) || letters > 2 && distance(part, word) <= letters / 4 + usize::from(letters == 3)
}

/// Whether a value is clear without the name of its field.
fn telling(value: &str) -> bool {
    value.chars().any(char::is_alphabetic) && !matches!(value, "yes" | "no" | "none")
}

/// Lists the fields of an answer: the path and value of each.
fn flatten(value: &Value, path: &str, call: &dyn Fn(&str) -> String, fields: &mut Vec<Field>) {
    let inside = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        // A variant with content is written as a table with one key.
        Value::Object(map) if map.len() == 1 => {
            for (name, inner) in map {
                let value = name.replace(['-', '_'], " ");
                fields.push(Field { path: path.to_owned(), value, said: false });
                // A trailing dot separates a variant's content from its name, and from the
                // field without a name of its own.
                flatten(inner, &inside(name), call, fields);
            }
        }
        Value::Object(map) => {
            for (name, inner) in map {
                flatten(inner, &inside(name), call, fields);
            }
        }
        leaf => {
            let said = !leaf.as_str().is_some_and(|text| !text.starts_with('@') && text.contains('-'));
            fields.push(Field { path: path.to_owned(), value: words(leaf, call), said });
        }
    }
}

/// A value in words.
fn words(value: &Value, call: &dyn Fn(&str) -> String) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => match text.strip_prefix('@') {
            Some(slug) => call(slug),
            None => text.replace(['-', '_'], " "),
        },
        Value::Array(list) if list.is_empty() => "none".into(),
        Value::Array(list) => list.iter().map(|v| words(v, call)).collect::<Vec<_>>().join(", "),
        object => object.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracas_kernel::Told;

    fn listed(answer: &str, text: &str) -> Listed {
        Listed { answer: answer.into(), told: Told::new(text), laid: None, needs_words: false }
    }

    fn menu() -> Menu {
        let mut all = vec![listed(r#""pass""#, "Pass the turn")];
        for on in ["guard", "priest", "king"] {
            for with in ["hook", "fist", "word", "staff", "sling", "net"] {
                all.push(listed(
                    &format!(r#"{{"strike":{{"on":"@{on}","with":"@{with}"}}}}"#),
                    &format!("Strike the {on} with the {with}"),
                ));
            }
        }
        Menu::new(all, &|slug| format!("the {slug}"))
    }

    fn labels(menu: &Menu) -> Vec<String> {
        let label = |row: &Row| match row {
            Row::One(at) => menu.choices[*at].listed.told.text.clone(),
            Row::Many { label, among, .. } => format!("{label} | {}", among.len()),
        };
        menu.rows().iter().map(label).collect()
    }

    #[test]
    fn many_answers_are_walked_field_by_field() {
        let mut menu = menu();
        assert_eq!(labels(&menu), ["Pass the turn", "Strike the ... | 18"]);
        assert_eq!(menu.pick("2"), Pick::Narrowed);
        assert_eq!(labels(&menu)[1], "the priest | 6");
        assert_eq!(menu.clone().pick("on: the k"), Pick::Narrowed);
        assert_eq!(menu.pick("the k"), Pick::Narrowed);
        assert_eq!(menu.rows().len(), 6);
        assert_eq!(menu.pick("6"), Pick::One(18));
        assert!(menu.back() && menu.back() && !menu.back());
    }

    #[test]
    fn small_groups_are_listed_outright_where_there_is_room() {
        let mut all = Vec::new();
        for (what, n) in [("rest", 3), ("go", 4), ("say", 20)] {
            all.extend((0..n).map(|i| listed(&format!(r#"{{"{what}":{i}}}"#), &format!("{what} {i}"))));
        }
        let menu = Menu::new(all, &str::to_owned);
        let rows = labels(&menu);
        assert_eq!((rows.len(), rows[6].as_str(), rows[7].as_str()), (8, "go 3", "say ... | 20"));
    }

    #[test]
    fn a_group_is_labelled_in_words() {
        let mut all = Vec::new();
        for (what, tells) in [
            ("add-die", &["d4 to Trust", "d6 to Sorrow"][..]),
            ("suffer-for-trait", &["Ilka suffers for", "Ilka suffers with"]),
        ] {
            all.extend(
                (0..20).map(|i| listed(&format!(r#"{{"{what}":{i}}}"#), &format!("{} {i}", tells[i % 2]))),
            );
        }
        assert_eq!(labels(&Menu::new(all, &str::to_owned)), ["add die ... | 20", "Ilka suffers ... | 20"]);
    }

    #[test]
    fn words_find_an_answer_anywhere() {
        assert_eq!(menu().pick("strike king net"), Pick::One(18));
        assert_eq!(menu().pick("pass"), Pick::One(0));
        let mut narrowed = menu();
        assert_eq!(narrowed.pick("hook"), Pick::Narrowed);
        assert_eq!(narrowed.rows().len(), 3);
        assert_eq!(menu().pick("dance"), Pick::Unknown(Near { answers: vec![], odd: vec!["dance".into()] }));
        assert!(matches!(menu().pick("7"), Pick::Nothing(_)));
    }

    #[test]
    fn a_gap_is_marked_where_any_of_them_has_one() {
        let texts = ["takes hold of it", "takes a firm hold of that", "takes hold of this"];
        let all = texts.iter().map(|text| listed(r#""x""#, text)).collect();
        let menu = Menu::new(all, &str::to_owned);
        assert_eq!(menu.shares(&[0, 1, 2]).unwrap(), "takes ... hold of ...");
    }

    #[test]
    fn an_unclear_value_keeps_the_name_of_its_field() {
        let all = (0..2).flat_map(|n| {
            (0..20).map(move |i| {
                listed(&format!(r#"{{"risk":{n},"x":"a{i}"}}"#), &format!("option {i} with {n}"))
            })
        });
        assert_eq!(labels(&Menu::new(all.collect(), &str::to_owned)), ["risk: 0 | 20", "risk: 1 | 20"]);
    }

    #[test]
    fn all_lists_every_answer() {
        let mut menu = menu();
        menu.all();
        assert_eq!(menu.rows().len(), 19);
        assert!(menu.back());
        assert_eq!(menu.rows().len(), 2);
    }

    #[test]
    fn a_text_that_matches_no_answer_has_near_ones() {
        let Pick::Unknown(near) = menu().pick("strike the kng with the axe") else { panic!() };
        assert_eq!((near.answers.len(), near.odd), (6, vec!["axe".to_owned()]));
        let Pick::Unknown(near) = menu().pick("give in") else { panic!() };
        assert!(near.answers.is_empty(), "no word but a short one");
    }

    #[test]
    fn long_lists_have_pages() {
        let all = (0..40).map(|n| listed(&n.to_string(), &format!("go to {n}"))).collect();
        let mut menu = Menu::new(all, &str::to_owned);
        assert_eq!((menu.rows().len(), menu.page(40)), (40, 0..15));
        assert!(menu.more() && menu.more());
        assert_eq!(menu.page(40), 30..40);
        assert_eq!(menu.pick("3"), Pick::One(2), "numbers go through all pages");
        assert!(menu.back());
        assert_eq!(menu.page(40), 15..30);
        assert!(menu.more() && menu.more());
        assert_eq!(menu.page(40), 0..15);
        assert!(!menu.back());
        assert_eq!((menu.page(18), menu.page(19)), (0..18, 0..15), "a page of its own for more than a few");
    }

    #[test]
    fn a_filter_keeps_answers_with_its_words() {
        let mut menu = menu();
        assert!(menu.filter(" King st ") && menu.rows().len() == 6, "strike");
        assert!(menu.filter("aff") && menu.rows().len() == 3, "staff");
        assert!(!menu.filter("axe") && menu.rows().len() == 3);
        assert!(menu.filter("") && menu.rows().len() == 2);
        assert!(!menu.more(), "one page");
    }

    #[test]
    fn own_words_follow_the_number() {
        let mut call = listed(r#"{"call":"Grim"}"#, "call it Grim");
        call.told.free = Some("/call");
        let mut menu = Menu::new(vec![listed(r#""pass""#, "pass 1 by"), call], &str::to_owned);
        assert_eq!(menu.pick("2 Old  Moss "), Pick::Own(1, "Old  Moss".into()));
        assert_eq!(menu.pick("2"), Pick::One(1));
        assert_eq!(menu.pick("1 by"), Pick::One(0), "words as ever");
        let Pick::Nothing(reason) = menu.pick("1 Moss") else { panic!() };
        assert!(reason.ends_with("1 : Moss"), "{reason}");
        assert_eq!(menu.pick("3 Moss"), Pick::Nothing("there is no 3 here: choose 1 to 2".into()));
    }
}
