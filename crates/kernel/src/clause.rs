//! The rulebook in a program: clauses by id.
//!
//! A game's build script turns `rulebook/<game>.toml` into one `static`
//! [`Rulebook`] and a `clause!` macro, so an id that the rulebook does not hold
//! does not compile, and naming a clause at run time costs a pointer.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer};

/// A reference to one entry of a rulebook; as small and as cheap as a pointer.
///
/// Two clauses are equal, ordered and hashed by their id alone. It serialises
/// as its id.
#[derive(Clone, Copy)]
pub struct Clause(&'static Entry);

impl Clause {
    /// The clause that an entry is.
    pub const fn of(entry: &'static Entry) -> Clause {
        Clause(entry)
    }

    /// Its id, such as `outcome.success`.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Everything the rulebook says of it.
    pub const fn entry(self) -> &'static Entry {
        self.0
    }

    /// Its text for a reader: the plain wording where there is one, else `says`.
    pub const fn text(self) -> &'static str {
        match self.0.plain {
            Some(plain) => plain,
            None => self.0.says,
        }
    }
}

impl PartialEq for Clause {
    fn eq(&self, other: &Clause) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.id == other.0.id
    }
}

impl Eq for Clause {}

impl PartialOrd for Clause {
    fn partial_cmp(&self, other: &Clause) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Clause {
    fn cmp(&self, other: &Clause) -> Ordering {
        self.0.id.cmp(other.0.id)
    }
}

impl Hash for Clause {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}

impl Serialize for Clause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.id)
    }
}

/// One entry of a rulebook, whatever its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its id, unique in its rulebook. An example's is `example.<id>`; all
    /// others stand as the rulebook writes them.
    pub id: &'static str,
    /// The chapter it comes from; `Rulings`, `Examples` or `Extensions` for
    /// what the documents do not hold.
    pub section: &'static str,
    /// The sort of entry.
    pub kind: Kind,
    /// The exact text: the clause, the ruling, the example as given and expected, or the
    /// proposed extension.
    pub says: &'static str,
    /// The same for a reader at the table, where `says` is too technical.
    pub plain: Option<&'static str>,
    /// Ids it rests on: what a clause needs, an example covers, an extension
    /// fills. Each is in the same rulebook.
    pub needs: &'static [&'static str],
    /// Whether it comes from elsewhere than the system's own document.
    pub beyond: bool,
    /// The question of a ruling; no other entry has one.
    pub question: Option<&'static str>,
    /// Why a ruling reads as it does; nothing else has one.
    pub why: Option<&'static str>,
    /// The setting of the table that a ruling is, for the few that are one.
    pub option: Option<OptionOf>,
}

/// The sort of an [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Something the engine does or forbids.
    Rule,
    /// Something a person at the table decides.
    Choice,
    /// A table, list or number that the rules use.
    Content,
    /// Something the document names and leaves out.
    Gap,
    /// Advice and tone, without effect on play.
    Guidance,
    /// The reading chosen where the document is silent or contradicts itself.
    Ruling,
    /// A worked example.
    Example,
    /// A proposal that fills a gap.
    Extension,
}

impl Kind {
    /// Every kind, in the order a rulebook lists them.
    pub const ALL: [Kind; 8] = [
        Kind::Rule,
        Kind::Choice,
        Kind::Content,
        Kind::Gap,
        Kind::Guidance,
        Kind::Ruling,
        Kind::Example,
        Kind::Extension,
    ];

    /// Its name as written in a rulebook and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Rule => "rule",
            Kind::Choice => "choice",
            Kind::Content => "content",
            Kind::Gap => "gap",
            Kind::Guidance => "guidance",
            Kind::Ruling => "ruling",
            Kind::Example => "example",
            Kind::Extension => "extension",
        }
    }

    /// Whether at least one scenario must show an entry of this kind.
    pub const fn must_be_shown(self) -> bool {
        matches!(self, Kind::Rule | Kind::Choice | Kind::Content)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A ruling that a table may settle its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OptionOf {
    /// The values it can take, at least two; with a `range`, those worth
    /// offering first.
    pub values: &'static [&'static str],
    /// The value it has unless the table says otherwise; one of `values`.
    pub default: &'static str,
    /// When it may be set: `setup` (before play only) or `any` (by the
    /// gamemaster in mid-play too).
    pub when: &'static str,
    /// The question.
    pub question: &'static str,
    /// The whole numbers from least to greatest that are allowed beside
    /// `values`, for an option that is a number.
    pub range: Option<(i64, i64)>,
}

impl OptionOf {
    /// Whether this option can take a value.
    pub fn allows(&self, value: &str) -> bool {
        self.values.contains(&value)
            || self.range.is_some_and(|(least, greatest)| {
                value.parse::<i64>().is_ok_and(|n| n.to_string() == value && (least..=greatest).contains(&n))
            })
    }
}

/// One system's rulebook, complete, as its game carries it.
///
/// Built by a game's build script, which has checked that ids are unique and
/// that everything named is there. Nothing is built or sorted at run time.
#[derive(Clone, Copy, Debug)]
pub struct Rulebook {
    /// The system's id.
    pub system: &'static str,
    /// The title of its document.
    pub title: &'static str,
    /// A description in one paragraph.
    pub summary: &'static str,
    /// Every entry in the rulebook's own order: clauses, rulings, examples,
    /// extensions.
    pub entries: &'static [Entry],
    /// Positions in `entries`, sorted by the id found there.
    pub index: &'static [u16],
}

impl Rulebook {
    /// The entry with this id, if there is one.
    pub fn find(&self, id: &str) -> Option<Clause> {
        let at = self.index.binary_search_by(|&at| self.entries[usize::from(at)].id.cmp(id)).ok()?;
        Some(Clause(&self.entries[usize::from(self.index[at])]))
    }

    /// Every entry, in the rulebook's own order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause> + use<> {
        self.entries.iter().map(Clause)
    }

    /// Every ruling that is a setting of the table, with its option.
    pub fn options(&self) -> impl Iterator<Item = (Clause, &'static OptionOf)> + use<> {
        self.entries.iter().filter_map(|entry| Some((Clause(entry), entry.option.as_ref()?)))
    }

    /// Up to three ids that someone who wrote `id` may have meant, nearest first.
    ///
    /// Empty if nothing is near.
    pub fn suggest(&self, id: &str) -> Vec<&'static str> {
        let wanted = id.to_lowercase();
        let limit = (wanted.chars().count() / 3).clamp(1, 6);
        let mut near: Vec<(usize, &'static str)> = self
            .entries
            .iter()
            .filter_map(|entry| {
                let last = entry.id.rsplit('.').next().unwrap_or(entry.id);
                // A forgotten chapter (`risk` for `harm.risk`) is as near as one slip.
                let far = if last == wanted { 1 } else { distance(&wanted, entry.id) };
                (far <= limit).then_some((far, entry.id))
            })
            .collect();
        near.sort_unstable();
        near.truncate(3);
        near.into_iter().map(|(_, id)| id).collect()
    }

    /// Every entry that holds all of some words, best first.
    ///
    /// Words are separated by white space; case does not matter. Whole words
    /// count more than beginnings of words, and a hit in the id more than one in
    /// the section, and that more than one in the text. Only where nothing is
    /// found so may a word stand inside a longer one. No words find nothing.
    pub fn search(&self, words: &str) -> Vec<Clause> {
        let found = self.search_starts(words);
        if found.is_empty() { self.hits(words, Fit::Inside) } else { found }
    }

    /// As [`Rulebook::search`], but never for words in the middle of others.
    pub fn search_starts(&self, words: &str) -> Vec<Clause> {
        self.hits(words, Fit::Start)
    }

    fn hits(&self, words: &str, least: Fit) -> Vec<Clause> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let fits = |clause: Clause| Some((score(clause.entry(), &words, least)?, clause));
        let mut found: Vec<(u32, Clause)> = self.clauses().filter_map(fits).collect();
        // Stable: entries that score alike stay in the rulebook's order.
        found.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        found.into_iter().map(|(_, clause)| clause).collect()
    }
}

/// How a word stands in a text, the least fitting first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// In the middle or at the end of a longer word.
    Inside,
    /// At the beginning of a longer word.
    Start,
    /// As a word.
    Whole,
}

/// How well a word stands in a text, at the best of its places.
fn fit(text: &str, word: &str) -> Option<Fit> {
    let goes_on = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word)
        .map(|(at, found)| {
            match (goes_on(text[..at].chars().next_back()), goes_on(text[at + found.len()..].chars().next()))
            {
                (true, _) => Fit::Inside,
                (false, true) => Fit::Start,
                (false, false) => Fit::Whole,
            }
        })
        .max()
}

/// How well an entry answers all `words` (lower case); `None` if one is missing
/// or fits less than `least`.
fn score(entry: &Entry, words: &[String], least: Fit) -> Option<u32> {
    let section = entry.section.to_lowercase();
    let mut text = entry.says.to_lowercase();
    for more in [entry.plain, entry.question, entry.why].into_iter().flatten() {
        text.push('\n');
        text.push_str(&more.to_lowercase());
    }
    words.iter().try_fold(0, |sum, word| {
        if entry.id == word {
            return Some(sum + 64);
        }
        // All of a chapter comes before entries of other chapters that name it.
        if entry.id.split_once('.').is_some_and(|(chapter, _)| chapter == word) {
            return Some(sum + 48);
        }
        let places = [(entry.id, [32, 16, 3]), (&section, [12, 6, 2]), (&text, [8, 4, 1])];
        let here = places.into_iter().filter_map(|(text, [whole, start, inside])| {
            fit(text, word).filter(|fit| *fit >= least).map(|fit| match fit {
                Fit::Whole => whole,
                Fit::Start => start,
                Fit::Inside => inside,
            })
        });
        Some(sum + here.max()?)
    })
}

/// The fewest single-letter insertions, deletions and exchanges from `a` to `b`:
/// for suggesting what somebody may have meant.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The same where it is at most so many: then only what can be so near is looked at, in
/// time proportional to the length and not to its square.
pub(crate) fn distance_within(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let more = most + 1;
    let mut row: Vec<usize> = (0..=b.len()).map(|far| far.min(more)).collect();
    for (i, x) in a.iter().enumerate() {
        let (from, to) = (i.saturating_sub(most), b.len().min(i + more));
        let mut diagonal = row[from];
        row[from] = if from == 0 { more.min(i + 1) } else { more };
        for j in from..to {
            let changed = diagonal + usize::from(*x != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1).min(more);
        }
    }
    (row[b.len()] <= most).then_some(row[b.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: Entry = Entry {
        id: "",
        section: "Dice",
        kind: Kind::Rule,
        says: "",
        plain: None,
        needs: &[],
        beyond: false,
        question: None,
        why: None,
        option: None,
    };

    static BOOK: Rulebook = Rulebook {
        system: "toy",
        title: "A Toy",
        summary: "",
        entries: &[
            Entry { id: "once.roll", ..BLANK },
            Entry { id: "roll.two", says: "Two dice are thrown.", plain: Some("Throw two."), ..BLANK },
            Entry { id: "harm.mark", section: "Harm", says: "A mark stays until Dawn.", ..BLANK },
            Entry {
                id: "dawn",
                section: "Rulings",
                kind: Kind::Ruling,
                says: "At first light.",
                question: Some("When is dawn?"),
                option: Some(OptionOf {
                    values: &["5", "6"],
                    default: "6",
                    when: "setup",
                    question: "When is dawn?",
                    range: Some((1, 9)),
                }),
                ..BLANK
            },
        ],
        index: &[3, 2, 0, 1],
    };

    #[track_caller]
    fn check_search(words: &str, expected: &[&str]) {
        let found: Vec<&str> = BOOK.search(words).into_iter().map(Clause::id).collect();
        assert_eq!(found, expected, "searching {words:?}");
    }

    #[track_caller]
    fn check_suggest(id: &str, expected: &[&str]) {
        assert_eq!(BOOK.suggest(id), expected, "for {id:?}");
    }

    #[test]
    fn every_entry_is_found_by_its_id_and_no_other() {
        for clause in BOOK.clauses() {
            assert_eq!(BOOK.find(clause.id()), Some(clause));
        }
        assert_eq!(BOOK.find("dusk"), None);
        assert_eq!(BOOK.find(""), None);
    }

    #[test]
    fn plain_words_are_preferred() {
        let text = |id| BOOK.find(id).map(Clause::text);
        assert_eq!(text("roll.two"), Some("Throw two."));
        assert_eq!(text("harm.mark"), Some("A mark stays until Dawn."));
    }

    #[test]
    fn a_clause_serialises_and_prints_as_its_id() {
        let clause = BOOK.find("dawn").unwrap();
        assert_eq!(serde_json::to_string(&clause).unwrap(), "\"dawn\"");
        assert_eq!(format!("{clause:?} {clause}"), "dawn dawn");
        assert!(clause < BOOK.find("harm.mark").unwrap());
    }

    #[test]
    fn near_ids_are_suggested() {
        check_suggest("roll.tow", &["roll.two"]);
        check_suggest("Harm.Mark", &["harm.mark"]);
        check_suggest("mark", &["harm.mark"]);
        check_suggest("something-else", &[]);
    }

    #[test]
    fn search_wants_every_word_and_ranks_ids_first() {
        check_search("DAWN", &["dawn", "harm.mark"]);
        check_search("mark dawn", &["harm.mark"]);
        check_search("two dice", &["roll.two"]);
        check_search("roll", &["roll.two", "once.roll"]);
        check_search("  ", &[]);
        check_search("mark absent", &[]);
    }

    #[test]
    fn search_takes_whole_words_before_their_beginnings_and_insides() {
        check_search("throw", &["roll.two"]);
        // A word of one entry, the beginning of words in two.
        check_search("a", &["harm.mark", "roll.two", "dawn"]);
        // Nothing begins so: then it may stand inside.
        check_search("wo", &["roll.two"]);
        check_search("arm", &["harm.mark"]);
    }

    #[test]
    fn an_option_allows_its_values_and_its_range() {
        let (clause, option) = BOOK.options().next().unwrap();
        assert_eq!(clause.id(), "dawn");
        for good in ["5", "6", "1", "9"] {
            assert!(option.allows(good), "{good}");
        }
        for bad in ["0", "10", "05", "+5", "noon", ""] {
            assert!(!option.allows(bad), "{bad}");
        }
    }

    #[test]
    fn what_is_near_is_found_as_by_looking_at_everything() {
        let words = ["", "a", "arm", "armour", "amour", "hand", "hands", "readied", "ready", "raedied", "é"];
        for a in words {
            for b in words {
                for most in 0..8 {
                    let far = distance(a, b);
                    assert_eq!(distance_within(a, b, most), (far <= most).then_some(far), "{a} {b} {most}");
                }
            }
        }
    }
}
