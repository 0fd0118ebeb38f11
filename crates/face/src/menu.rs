//! Listed answers of any game, as a menu to walk down.
//!
//! A few answers are a numbered list. Many are grouped by the first part that tells them apart
//! (what, whom, with what, how), level by level. Long levels are shown page by page. Where answers
//! take several lines each, a face says how many it has room for ([`Menu::fit`]).

use fracas_kernel::{AnyTable, AskId, Listed, Part, PartKind, Viewer, distance};
use std::ops::Range;

/// The most answers that are listed without grouping, and the most rows of a page.
pub const FEW: usize = 12;
/// The fewest rows of a page, however long they are.
const LEAST: usize = 3;
/// One row in this many more is put on the last page rather than on a page of its own.
const SPARE: usize = 4;

/// One listed answer.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The answer, as the game lists it.
    pub listed: Listed,
    /// The parts of the answer.
    pub parts: Vec<Part<String>>,
}

impl Choice {
    /// Whether these words, in their order, begin words of its parts, in theirs.
    fn is_said_by(&self, words: &[&str]) -> bool {
        let mut own = self.parts.iter().flat_map(|part| words_of(&part.label));
        words.iter().all(|word| own.any(|own| own.starts_with(word)))
    }

    /// Whether its text has all these words, or words that begin so.
    fn has_words(&self, words: &[&str]) -> bool {
        let text = &self.listed.told.text;
        words.iter().all(|word| words_of(text).any(|own| own.starts_with(word)))
    }
}

/// A numbered line of a menu.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// One answer, by its index.
    One(usize),
    /// Several answers that share a part.
    Many {
        /// The part's words.
        label: String,
        /// The answers, by index.
        among: Vec<usize>,
    },
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
#[derive(Clone, Debug)]
pub struct Menu {
    choices: Vec<Choice>,
    /// The groups chosen so far, level by level; empty at the top.
    levels: Vec<(String, Vec<usize>)>,
    /// Whether every answer is listed, without grouping.
    all: bool,
    /// The page that is shown.
    page: usize,
    /// The most answers that are listed without grouping.
    few: usize,
    /// The rows of a page.
    size: usize,
}

impl Menu {
    /// A menu of these answers.
    pub fn new(choices: Vec<Choice>) -> Self {
        Menu { choices, levels: Vec::new(), all: false, page: 0, few: FEW, size: FEW }
    }

    /// A menu of the answers to an ask, as they are listed for a viewer.
    pub fn of(game: &dyn AnyTable, id: AskId, who: Viewer) -> Self {
        let answers = game.legal(id, who).into_iter().zip(game.parts(id, who));
        Menu::new(answers.map(|(listed, parts)| Choice { listed, parts }).collect())
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

    /// The answers at this level, by index.
    pub fn here(&self) -> Vec<usize> {
        match self.levels.last() {
            Some((_, among)) => among.clone(),
            None => (0..self.choices.len()).collect(),
        }
    }

    /// Fits this level into so many lines, where `lines` gives those of a row: what does not fit is
    /// grouped if that leaves half the rows or fewer, and pages are shorter.
    pub fn fit(&mut self, room: usize, lines: impl Fn(&Row) -> usize) {
        let fitting = |rows: &[Row]| {
            let all: usize = rows.iter().map(&lines).sum();
            if all <= room { FEW } else { (room * rows.len() / all).clamp(LEAST, FEW) }
        };
        let flat: Vec<Row> = self.here().into_iter().map(Row::One).collect();
        self.few = fitting(&flat);
        if flat.len() <= FEW && 2 * self.rows().len() > flat.len() {
            self.few = FEW;
        }
        self.size = fitting(&self.rows());
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
        let from = (self.page * self.size).min(rows);
        let to = rows.min(from + self.size);
        from..if rows - to <= self.size / SPARE { rows } else { to }
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
        if among.len() < self.here().len() {
            self.levels.push((label, among));
        }
        self.all = false;
        self.page = 0;
    }

    /// The numbered lines, from number 1.
    pub fn rows(&self) -> Vec<Row> {
        let here = self.here();
        if self.all || here.len() <= self.few {
            return here.into_iter().map(Row::One).collect();
        }
        self.group(&here)
    }

    /// How many of the first parts all of these share.
    fn shared(&self, here: &[usize]) -> usize {
        let Some((first, others)) = here.split_first() else { return 0 };
        let first = &self.choices[*first].parts;
        let shared = |at: &usize| {
            first.iter().zip(&self.choices[*at].parts).take_while(|(one, other)| reads_as(one, other)).count()
        };
        others.iter().map(shared).min().unwrap_or(first.len())
    }

    /// The question at this level: "whom", "with what or how".
    pub fn asks(&self) -> String {
        let here = self.here();
        let depth = self.shared(&here);
        let kinds = here.iter().filter_map(|&at| Some(self.choices[at].parts.get(depth)?.kind));
        let mut kinds: Vec<PartKind> = kinds.collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.into_iter().map(PartKind::asks).collect::<Vec<_>>().join(" or ")
    }

    /// The first words of the parts of an answer in the largest group: a line that can be typed.
    pub fn example(&self) -> Option<String> {
        let groups = self.rows().into_iter().filter_map(|row| match row {
            Row::Many { among, .. } => Some(among),
            Row::One(_) => None,
        });
        let among = groups.rev().max_by_key(Vec::len)?;
        let depth = self.shared(&self.here());
        let first = &self.choices[among[0]].parts;
        let tells_apart = |&n: &usize| {
            let reads_otherwise =
                |at: &usize| self.choices[*at].parts.get(n).is_none_or(|part| !reads_as(part, &first[n]));
            n == depth || among.iter().any(reads_otherwise)
        };
        let word = |n: usize| match first[n].kind {
            PartKind::HowMuch => words_of(&first[n].label).last(),
            _ => words_of(&first[n].label).find(|word| is_telling(word)),
        };
        let words: Vec<String> = (depth..first.len()).filter(tells_apart).filter_map(word).take(3).collect();
        Some(words.join(" "))
    }

    /// The first words of the parts of the first answer: a line that can be typed where nothing is
    /// grouped.
    pub fn first_words(&self) -> Option<String> {
        let choice = &self.choices[*self.here().first()?];
        let words =
            choice.parts.iter().filter_map(|part| words_of(&part.label).find(|word| is_telling(word)));
        Some(words.take(3).collect::<Vec<_>>().join(" ")).filter(|words| !words.is_empty())
    }

    /// Groups by the first part that these do not share. An answer that is alone with its part
    /// is listed itself, and so is one that has no more parts.
    fn group(&self, here: &[usize]) -> Vec<Row> {
        let depth = self.shared(here);
        let mut groups: Vec<(Option<&Part<String>>, Vec<usize>)> = Vec::new();
        for &at in here {
            let part = self.choices[at].parts.get(depth);
            let same = |other: &Part<String>| part.is_some_and(|part| reads_as(part, other));
            match groups.iter_mut().find(|(other, _)| other.is_some_and(same)) {
                Some((_, among)) => among.push(at),
                None => groups.push((part, vec![at])),
            }
        }
        let row = |(part, among): (Option<&Part<String>>, Vec<usize>)| match (part, &among[..]) {
            (Some(part), [_, _, ..]) => Row::Many { label: part.label.clone(), among },
            _ => Row::One(among[0]),
        };
        groups.into_iter().map(row).collect()
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
        let given = typed;
        let typed = typed.to_lowercase();
        let text = |at: usize| self.choices[at].listed.told.text.to_lowercase();
        // A row by its label, or by the beginning of it if only one begins so.
        let label = |row: &Row| match row {
            Row::One(at) => text(*at),
            Row::Many { label, .. } => label.to_lowercase(),
        };
        let begins = rows.iter().filter(|row| label(row).starts_with(&typed));
        let exact = rows.iter().filter(|row| label(row) == typed);
        for fit in [exact.collect::<Vec<_>>(), begins.collect()] {
            if let [row] = fit[..] {
                return self.take(row.clone());
            }
        }
        // Answers at this level, else anywhere: by their parts in order, else by all words.
        let own: Vec<String> = words_of(&typed).filter(|word| !word.is_empty()).collect();
        let words: Vec<&str> =
            if own.is_empty() { vec![&typed] } else { own.iter().map(String::as_str).collect() };
        let all = (0..self.choices.len()).collect();
        let found = [self.here(), all].into_iter().find_map(|among| {
            [Choice::is_said_by, Choice::has_words].into_iter().find_map(|fits| {
                let fit = among.iter().copied().filter(|&at| fits(&self.choices[at], &words));
                Some(fit.collect()).filter(|fit: &Vec<usize>| !fit.is_empty())
            })
        });
        let found = found.unwrap_or_default();
        let exact: Vec<usize> = found.iter().copied().filter(|&at| text(at) == typed).collect();
        match (&found[..], &exact[..]) {
            ([only], _) | (_, [only]) => Pick::One(*only),
            ([], _) => match worded {
                Some((number, _)) if numbered(number).is_none() => Pick::Nothing(none(number)),
                Some((number, words)) => Pick::Nothing(format!(
                    "{number} takes no words of your own; to say how for the story: {number} : {words}"
                )),
                None => self.worded(given).unwrap_or_else(|| Pick::Unknown(self.near(&words))),
            },
            _ => {
                // A row that holds just these answers calls them.
                let row =
                    rows.into_iter().find(|row| matches!(row, Row::Many { among, .. } if *among == found));
                self.take(row.unwrap_or(Row::Many { label: typed.clone(), among: found }))
            }
        }
    }

    /// An answer by the words that begin it, in the person's own words that follow: the longest
    /// beginning that only answers have which take words of one's own.
    fn worded(&self, given: &str) -> Option<Pick> {
        given.rmatch_indices(char::is_whitespace).find_map(|(cut, _)| {
            let (begun, own) = (&given[..cut].to_lowercase(), given[cut..].trim());
            let said: Vec<String> = words_of(begun).filter(|word| !word.is_empty()).collect();
            let said: Vec<&str> = said.iter().map(String::as_str).collect();
            let fits = |at: &usize| !said.is_empty() && self.choices[*at].is_said_by(&said);
            let found: Vec<usize> = self.here().into_iter().filter(fits).collect();
            let is_free = |at: &usize| self.choices[*at].listed.told.free.is_some();
            match &found[..] {
                [only] if is_free(only) => Some(Pick::Own(*only, own.to_owned())),
                [_, _, ..] if found.iter().all(is_free) => Some(Pick::Nothing(format!(
                    "several answers begin with {begun:?}: say {own:?} behind the number of one"
                ))),
                _ => None,
            }
        })
    }

    /// The answers that share the most words with these, and at least half of them. Short words
    /// count for little.
    fn near(&self, words: &[&str]) -> Near {
        let weight = |word: &str| if word.chars().count() < 4 { 1 } else { word.chars().count() };
        let shared =
            |choice: &Choice, word: &str| words_of(&choice.listed.told.text).any(|own| alike(&own, word));
        let score = |choice| words.iter().filter(|word| shared(choice, word)).map(|word| weight(word)).sum();
        let scores: Vec<usize> = self.choices.iter().map(score).collect();
        let half = |at: &usize| {
            let shares = words.iter().filter(|word| shared(&self.choices[*at], word)).count();
            2 * shares >= words.len()
        };
        let most = scores.iter().copied().max().unwrap_or(0);
        let least = words.iter().copied().map(weight).max().unwrap_or(0).min(4);
        let answers: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] == most).filter(half).collect();
        if most < least || most == 0 || answers.is_empty() {
            return Near { answers: Vec::new(), odd: words.iter().map(|word| (*word).to_owned()).collect() };
        }
        let odd = words.iter().filter(|word| !answers.iter().any(|&at| shared(&self.choices[at], word)));
        Near { odd: odd.map(|word| (*word).to_owned()).collect(), answers }
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

/// Whether a word says something by itself.
fn is_telling(word: &str) -> bool {
    word.chars().count() > 1 && word != "the"
}

/// Whether two parts are the same to a reader.
fn reads_as(one: &Part<String>, other: &Part<String>) -> bool {
    (one.kind, &one.label) == (other.kind, &other.label)
}

/// The names that an answer refers to.
pub fn references(json: &str) -> impl Iterator<Item = &str> {
    json.split("\"@").skip(1).filter_map(|rest| rest.split('"').next())
}

/// The words of a text, in lower case.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'').map(str::to_lowercase)
}

/// Whether a person who typed `word` may have meant `own`.
pub fn alike(own: &str, word: &str) -> bool {
    let letters = word.chars().count();
    // In a word of three letters, one that is left out.
    let slips = if letters == 3 { usize::from(own.chars().count() == 4) } else { letters / 4 };
    own.starts_with(word) || letters > 2 && distance(own, word) <= slips
}

#[cfg(test)]
mod tests {
    use super::*;
    use PartKind::{How, What, Whom, With};
    use fracas_kernel::Told;

    fn choice(text: &str, parts: &[(PartKind, &str)]) -> Choice {
        let listed =
            Listed { answer: format!("{text:?}"), told: Told::new(text), laid: None, needs_words: false };
        let part = |&(kind, label): &(PartKind, &str)| Part { kind, label: label.into(), things: Vec::new() };
        Choice { listed, parts: parts.iter().map(part).collect() }
    }

    /// An answer whose only part is its whole text.
    fn whole(text: &str) -> Choice {
        choice(text, &[(What, text)])
    }

    fn menu() -> Menu {
        let mut all = vec![whole("Pass the turn")];
        for on in ["guard", "priest", "king"] {
            for with in ["hook", "fist", "word", "staff", "sling", "net"] {
                let parts = [(What, "strike"), (Whom, on), (With, with)];
                all.push(choice(&format!("Strike the {on} with the {with}"), &parts));
            }
        }
        Menu::new(all)
    }

    fn labels(menu: &Menu) -> Vec<String> {
        let label = |row: &Row| match row {
            Row::One(at) => menu.choices[*at].listed.told.text.clone(),
            Row::Many { label, among, .. } => format!("{label} | {}", among.len()),
        };
        menu.rows().iter().map(label).collect()
    }

    #[test]
    fn many_answers_are_walked_part_by_part() {
        let mut menu = menu();
        assert_eq!(
            (labels(&menu), menu.asks()),
            (vec!["Pass the turn".into(), "strike | 18".into()], "what".into())
        );
        assert_eq!(menu.pick("2"), Pick::Narrowed);
        assert_eq!((labels(&menu)[1].as_str(), menu.asks().as_str()), ("priest | 6", "whom"));
        assert_eq!(menu.pick("k"), Pick::Narrowed);
        assert_eq!((menu.rows().len(), menu.asks().as_str()), (6, "with what"));
        assert_eq!(menu.pick("6"), Pick::One(18));
        assert!(menu.back() && menu.back() && !menu.back());
    }

    #[test]
    fn one_line_says_the_parts_in_order() {
        for (typed, one) in [("strike king (net)", 18), ("king, net", 18), ("s pr h", 7)] {
            assert_eq!(menu().pick(typed), Pick::One(one), "{typed}");
        }
        let mut menu = menu();
        assert_eq!(menu.pick("strike g"), Pick::Narrowed);
        assert_eq!(menu.rows().len(), 6);
        assert_eq!(menu.pick("priest net"), Pick::One(12), "an answer elsewhere");
        let mut all =
            vec![whole("strike"), choice("on the net", &[(What, "on"), (With, "net"), (How, "at once")])];
        all.push(choice("at net", &[(What, "net"), (Whom, "on")]));
        assert_eq!(Menu::new(all).pick("on net"), Pick::One(1), "the order tells two apart");
    }

    #[test]
    fn an_example_of_a_line_says_what_tells_answers_apart() {
        let mut menu = menu();
        assert_eq!(menu.example().as_deref(), Some("strike guard hook"));
        assert_eq!((menu.pick("strike"), menu.pick("strike")), (Pick::Narrowed, Pick::Narrowed));
        assert_eq!(menu.path().collect::<Vec<_>>(), ["strike"], "the same answers again are no level");
        assert_eq!(menu.example().as_deref(), Some("guard hook"));
        let spend = |n: usize| {
            choice(
                &format!("spend {n}"),
                &[(What, "spend"), (Whom, "Ana"), (PartKind::HowMuch, &format!("up to {n}"))],
            )
        };
        let all = (0..12).map(spend).chain([whole("pass")]).collect();
        assert_eq!(Menu::new(all).example().as_deref(), Some("spend 0"));
    }

    #[test]
    fn an_answer_that_ends_where_others_go_on_is_listed_beside_them() {
        let mut all = vec![choice("CL 4", &[(What, "CL 4")]), choice("CL 5", &[(What, "CL 5")])];
        for how in ["bold", "faint", "quick", "long", "easy", "hard"] {
            for level in ["CL 4", "CL 5"] {
                all.push(choice(&format!("{level}, {how}"), &[(What, level), (How, how)]));
            }
        }
        let mut menu = Menu::new(all);
        assert_eq!(labels(&menu), ["CL 4 | 7", "CL 5 | 7"]);
        assert_eq!(menu.pick("cl 5"), Pick::Narrowed);
        assert_eq!((labels(&menu)[0].as_str(), menu.asks().as_str()), ("CL 5", "how"));
        assert_eq!(menu.pick("cl 5"), Pick::One(1));
    }

    #[test]
    fn answers_that_read_alike_are_all_listed() {
        let menu = Menu::new((0..20).map(|_| whole("improvise")).collect());
        assert_eq!(menu.rows().len(), 20);
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
        let mut menu = Menu::new(vec![whole("a feast for the king"), whole("a bark")]);
        let Pick::Unknown(near) = menu.pick("foo bar baz") else { panic!() };
        assert!(near.answers.is_empty(), "one word of three");
    }

    #[test]
    fn long_lists_have_pages() {
        let mut menu = Menu::new((0..39).map(|n| whole(&format!("go to {n}"))).collect());
        assert_eq!((menu.rows().len(), menu.page(39)), (39, 0..12));
        assert!(menu.more() && menu.more());
        assert_eq!(menu.page(39), 24..39);
        assert_eq!(menu.pick("3"), Pick::One(2), "numbers go through all pages");
        assert!(menu.back());
        assert_eq!(menu.page(39), 12..24);
        assert!(menu.more() && menu.more());
        assert_eq!(menu.page(39), 0..12);
        assert!(!menu.back());
        assert_eq!((menu.page(15), menu.page(16)), (0..15, 0..12), "a page of its own for more than a few");
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
    fn what_does_not_fit_is_grouped_and_pages_are_shorter() {
        let answers = |n: usize| {
            let parts = |at: usize| {
                [(What, ["lift", "push"][at % 2]), (With, ["rope", "bar", "wedge", "hand", "pole"][at / 2])]
            };
            (0..n).map(move |at| choice(&format!("answer {at}"), &parts(at))).collect()
        };
        let long = |row: &Row| if matches!(row, Row::One(_)) { 4 } else { 1 };
        let mut menu = Menu::new(answers(10));
        menu.fit(40, long);
        assert_eq!((menu.rows().len(), menu.page(10)), (10, 0..10));
        menu.fit(20, long);
        assert_eq!(labels(&menu), ["lift | 5", "push | 5"]);
        let lifts = ["rope", "bar"].map(|with| choice(with, &[(What, "lift"), (With, with)]));
        let mut mixed = Menu::new(["rest", "wait", "flee"].map(whole).into_iter().chain(lifts).collect());
        mixed.fit(12, long);
        assert_eq!((mixed.rows().len(), mixed.page(5)), (5, 0..3), "one group of two is not worth it");
        assert_eq!((menu.pick("1"), menu.here().len()), (Pick::Narrowed, 5));
        menu.fit(16, long);
        assert_eq!((menu.rows().len(), menu.page(5)), (5, 0..5), "one more than fits");
        menu.fit(12, long);
        assert_eq!((menu.rows().len(), menu.page(5)), (5, 0..3));
        assert!(menu.more());
        assert_eq!(menu.page(5), 3..5);
    }

    #[test]
    fn own_words_follow_an_answer_that_takes_them() {
        let free = |with: &str| {
            let mut free = choice(&format!("try with {with}"), &[(What, "try"), (With, with)]);
            free.listed.told.free = Some("/try");
            free
        };
        let mut menu = Menu::new(vec![whole("rest"), free("rope"), free("bar")]);
        assert_eq!(menu.pick("try rope  Climb the Wall"), Pick::Own(1, "Climb the Wall".into()));
        assert_eq!(menu.pick("try bar"), Pick::One(2));
        let Pick::Nothing(reason) = menu.pick("try climbing it") else { panic!() };
        assert!(reason.contains("several answers begin with \"try\""), "{reason}");
        assert!(matches!(menu.pick("rest a while"), Pick::Unknown(_)), "it takes none");
    }

    #[test]
    fn own_words_follow_the_number() {
        let mut call = whole("call it Grim");
        call.listed.told.free = Some("/call");
        let mut menu = Menu::new(vec![whole("pass 1 by"), call]);
        assert_eq!(menu.pick("2 Old  Moss "), Pick::Own(1, "Old  Moss".into()));
        assert_eq!(menu.pick("2"), Pick::One(1));
        assert_eq!(menu.pick("1 by"), Pick::One(0), "words as ever");
        let Pick::Nothing(reason) = menu.pick("1 Moss") else { panic!() };
        assert!(reason.ends_with("1 : Moss"), "{reason}");
        assert_eq!(menu.pick("3 Moss"), Pick::Nothing("there is no 3 here: choose 1 to 2".into()));
    }
}
