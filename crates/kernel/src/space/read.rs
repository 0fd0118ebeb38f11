//! Fields read from setups.

use super::drawn::{read_picture, read_walls};
use super::{Field, MAX_PLACES, MAX_SIDE, MAX_WAYS, Metric, Space};
use crate::{Fields, Label, Names, not_one_of};
use std::collections::{BTreeMap, BTreeSet};

/// What a word of a legend means, and the words that mean something.
struct Words<'a> {
    kind: &'a mut dyn FnMut(&str) -> Option<u8>,
    words: &'a [&'a str],
}

impl Field {
    /// The word of a legend for [`Field::WALL`].
    pub const WALL_WORD: &str = "wall";

    /// Reads a table such as `[map]`: `rows` with their `legend`, or `columns` and `height`, or
    /// a list of `place`s; beside a grid `names` of spaces, `walls` between them and a `picture`
    /// beneath. Notes all faults, and gives what can be used. The caller ends the reading of the
    /// table ([`Fields::done`]), which may have other fields.
    ///
    /// `kind` says which kind of ground a word of the legend means, but for `wall`. `words` are
    /// those that it knows: the fault of another one names them.
    pub fn read(
        fields: &Fields<'_>,
        metric: Metric,
        kind: &mut dyn FnMut(&str) -> Option<u8>,
        words: &[&str],
    ) -> Field {
        // All of them are asked for, so that the fault of a field that there is not names them.
        let before = fields.faults.count();
        let rows = fields.texts("rows");
        let places = fields.tables("place");
        // Of what is no list there is a fault already.
        let is_list = fields.faults.count() == before;
        let walls = fields.texts("walls");
        let picture = fields.table("picture");
        let legend = fields.table("legend");
        let size = ["columns", "height"].map(|side| fields.int(side, 1..=MAX_SIDE.into()));
        let names = fields.table("names");
        check_form(fields);
        if fields.has("place") {
            if places.is_empty() && is_list {
                fields.fault_in("place", "there are no places");
            }
            let field = read_places(fields, places);
            fields.mapped(&field, words);
            return field;
        }
        if fields.has("rows") && is_list && rows.iter().all(|row| row.is_empty()) {
            fields.fault_in("rows", "there are no rows");
        }
        let mut field = if fields.has("rows") {
            read_rows(fields, legend.as_ref(), &rows, metric, &mut Words { kind, words })
        } else {
            read_size(fields, size, metric)
        };
        if let Some(names) = names {
            read_names(&names, &mut field);
        }
        read_walls(fields, &walls, &mut field);
        if let Some(picture) = picture {
            read_picture(&picture, &field).into_iter().for_each(|picture| field.lay(picture));
            picture.done();
        }
        fields.mapped(&field, words);
        field
    }
}

/// Notes it where a table has not one form, or a field of another.
fn check_form(fields: &Fields<'_>) {
    let (rows, places) = (fields.has("rows"), fields.has("place"));
    let size = fields.has("columns") || fields.has("height");
    if [rows, places, size].into_iter().filter(|&has| has).count() != 1 {
        fields.fault("expected either `rows`, or `columns` and `height`, or a list of `place`s");
    }
    if fields.has("legend") && !rows {
        fields.fault_in("legend", "only `rows` have a legend");
    }
    if fields.has("names") && places {
        fields.fault_in("names", "each place has a name of its own");
    }
    for field in ["walls", "picture"].into_iter().filter(|field| places && fields.has(field)) {
        fields.fault_in(
            field,
            format!("only a grid has {}", if field == "walls" { field } else { "a picture" }),
        );
    }
}

/// An open map.
fn read_size(fields: &Fields<'_>, size: [Option<i64>; 2], metric: Metric) -> Field {
    for (side, other) in [("columns", "height"), ("height", "columns")] {
        if fields.has(other) {
            fields.must(side, &format!("a whole number from 1 to {MAX_SIDE}"));
        }
    }
    let [columns, rows] = size.map(|side| side.unwrap_or(1) as u8);
    Field::grid(columns, rows, metric)
}

/// A map that is drawn with characters.
fn read_rows(
    fields: &Fields<'_>,
    legend: Option<&Fields<'_>>,
    texts: &[&str],
    metric: Metric,
    words: &mut Words<'_>,
) -> Field {
    let kinds = legend.map(|legend| read_legend(legend, words)).unwrap_or_default();
    // A single text holds all rows; of several each is a row.
    let rows: Vec<&str> = match texts {
        [text] => text.lines().collect(),
        texts => texts.to_vec(),
    };
    let widths: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let is_whole = check_size(fields, &widths);
    let columns = widths.first().map_or(0, |&width| width.min(MAX_SIDE.into()));
    let mut field = Field::grid(columns as u8, rows.len().min(MAX_SIDE.into()) as u8, metric);
    let mut seen = BTreeSet::new();
    for (row, text) in (0..MAX_SIDE).zip(&rows) {
        for (column, c) in (0..MAX_SIDE).zip(text.chars()) {
            let kind = kinds.get(&c).copied();
            if seen.insert(c) && kind.is_none() {
                check_character(fields, legend, (row, column), c);
            }
            if let Some(space) = Space::new(column, row) {
                field.set_kind(space, kind.unwrap_or(Field::PLAIN));
            }
        }
    }
    for (c, _) in kinds.iter().filter(|(c, _)| is_whole && !seen.contains(c)) {
        if let Some(legend) = legend {
            legend.idle(c.encode_utf8(&mut [0; 4]), "no row has this character");
        }
    }
    field
}

/// The kind of ground that each character of a legend means.
fn read_legend(legend: &Fields<'_>, words: &mut Words<'_>) -> BTreeMap<char, u8> {
    let mut kinds = BTreeMap::new();
    for (key, word) in legend.pairs() {
        let kind = if word == Field::WALL_WORD { Some(Field::WALL) } else { (words.kind)(&word) };
        if kind.is_none() {
            let known: Vec<&str> = words.words.iter().copied().chain([Field::WALL_WORD]).collect();
            legend.fault_in(key, not_one_of(&word, &known));
        }
        let mut chars = key.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_control() => {
                kinds.insert(c, kind.unwrap_or(Field::PLAIN));
            }
            _ => legend.fault_in(key, "expected a single character, such as \"~\""),
        }
    }
    kinds
}

/// Notes what is wrong with the number of rows and their widths; whether all is right.
fn check_size(fields: &Fields<'_>, widths: &[usize]) -> bool {
    let most = usize::from(MAX_SIDE);
    // Where there are none, or all are empty, there is a fault already.
    let Some(&first) = widths.first().filter(|_| widths.iter().any(|&width| width > 0)) else { return false };
    let mut is_right = true;
    let mut fault = |what: String| {
        fields.fault_in("rows", what);
        is_right = false;
    };
    if widths.len() > most {
        fault(format!("expected at most {most} rows, found {}", widths.len()));
    }
    let number = |at: usize| at + 1;
    if let Some(at) = widths.iter().position(|&width| width > most) {
        fault(format!("row {}: expected at most {most} columns, found {}", number(at), widths[at]));
    }
    if let Some(at) = widths.iter().position(|&width| width != first) {
        let (row, width) = (number(at), widths[at]);
        fault(format!(
            "row {row} has {}, and row 1 has {}: all rows are equally long",
            spaces(width),
            spaces(first)
        ));
    }
    is_right
}

/// So many spaces, in words.
fn spaces(count: usize) -> String {
    if count == 1 { "1 space".to_owned() } else { format!("{count} spaces") }
}

/// Notes it where a character of a row means nothing.
fn check_character(fields: &Fields<'_>, legend: Option<&Fields<'_>>, (row, column): (u8, u8), c: char) {
    // Of an entry of the legend that is no word there is a fault already.
    let is_in_legend = legend.is_some_and(|legend| legend.has(c.encode_utf8(&mut [0; 4])));
    if matches!(c, '.' | ' ') || is_in_legend && !c.is_control() {
        return;
    }
    let wrong = if c.is_control() { "cannot be drawn" } else { "is not in the legend" };
    fields.fault_in("rows", format!("row {}, column {}: {c:?} {wrong}", row + 1, column + 1));
}

/// The names of some spaces.
fn read_names(names: &Fields<'_>, field: &mut Field) {
    let mut slugs = BTreeSet::new();
    for (name, text) in names.pairs() {
        match read_name(name, &text, &mut slugs, field) {
            Ok((label, space)) => field.name(space, label.as_str()),
            Err(what) => names.fault_in(name, what),
        }
    }
}

/// A name and its space, or what is wrong with them.
fn read_name(
    name: &str,
    text: &str,
    slugs: &mut BTreeSet<String>,
    field: &Field,
) -> Result<(Label, Space), String> {
    let label: Label = name.parse().map_err(|wrong: crate::LabelError| wrong.to_string())?;
    let space: Space = text.parse().map_err(|wrong: super::SpaceError| format!("{wrong}, found {text:?}"))?;
    if label.parse().is_ok_and(|other: Space| other != space) {
        return Err("that is what another space is called".to_owned());
    }
    if !slugs.insert(Names::slug_of(&label)) {
        return Err("another space has this name".to_owned());
    }
    if let Some(other) = field.named(space) {
        return Err(format!("{space} is already called {other:?}"));
    }
    match field.kind(space) {
        _ if !field.is_on(space) => Err(format!("{space} is not on the map, which ends at {}", field.last())),
        Field::WALL => Err(format!("{space} is a wall")),
        _ => Ok((label, space)),
    }
}

/// A place as a setup has it.
struct Place<'d> {
    slug: String,
    name: &'d str,
    fields: Fields<'d>,
}

/// Places with lengths between them.
fn read_places(fields: &Fields<'_>, tables: Vec<Fields<'_>>) -> Field {
    if tables.len() > MAX_PLACES {
        let what = format!("expected at most {MAX_PLACES} places, found {}", tables.len());
        fields.fault_in("place", what);
    }
    let places: Vec<Place<'_>> = tables.into_iter().map(read_place).collect();
    let known = by_slug(&places);
    let mut lengths: BTreeMap<(usize, usize), u8> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        if let Some(to) = place.fields.table("to") {
            read_lengths(&to, at, &places, &known, &mut lengths);
        }
    }
    let mut ways = vec![0; places.len()];
    for &(a, b) in lengths.keys() {
        ways[a] += 1;
        ways[b] += 1;
    }
    let mut names = Vec::new();
    for (Place { slug, name, fields }, ways) in places.into_iter().zip(ways) {
        if ways > MAX_WAYS {
            fields.fault(format!("expected at most {MAX_WAYS} ways from a place, found {ways}"));
        }
        fields.done();
        names.push((slug, name.to_owned()));
    }
    let lengths: Vec<_> = lengths.into_iter().map(|((a, b), length)| (a, b, length)).collect();
    Field::places(names, &lengths).unwrap_or_default()
}

fn read_place(fields: Fields<'_>) -> Place<'_> {
    fields.must("name", "text");
    let (name, id) = (fields.text("name").map(str::trim), fields.text("id"));
    let slug = id.map_or_else(|| Names::slug_of(name.unwrap_or_default()), str::to_owned);
    let wrong = name.and_then(|name| name.parse::<Label>().err());
    if let Some(wrong) = wrong {
        fields.fault_in("name", wrong.to_string());
    } else if id.is_some() && !Names::is_slug(&slug) {
        fields.fault_in("id", "expected 1 to 60 lower-case letters, digits and hyphens");
    } else if name.is_some() && !Names::is_slug(&slug) {
        fields.fault_in("name", "expected at most 60 letters and digits, or an `id` that is shorter");
    }
    Place { slug, name: name.unwrap_or_default(), fields }
}

/// The numbers of places by what other places may call them; notes it where two have the same slug.
fn by_slug(places: &[Place<'_>]) -> BTreeMap<String, usize> {
    let mut known = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        let first = *known.entry(place.slug.clone()).or_insert(at);
        if first != at && !place.slug.is_empty() {
            let field = if place.fields.has("id") { "id" } else { "name" };
            place.fields.fault_in(field, format!("another place is called {:?}", place.slug));
        }
    }
    for (at, place) in places.iter().enumerate() {
        known.entry(Names::slug_of(place.name)).or_insert(at);
    }
    known
}

/// The lengths of the ways from a place.
fn read_lengths(
    to: &Fields<'_>,
    from: usize,
    places: &[Place<'_>],
    known: &BTreeMap<String, usize>,
    lengths: &mut BTreeMap<(usize, usize), u8>,
) {
    for (key, word) in to.pairs() {
        let Some(&other) = known.get(&Names::slug_of(key)) else {
            let there = places.iter().take(MAX_PLACES).map(|place| place.slug.as_str());
            to.unknown(key, "no place is called", key, there);
            continue;
        };
        let most = Field::MAX_LENGTH;
        let length = word.parse().ok().filter(|length| (1..=most).contains(length));
        let Some(length) = length else {
            to.fault_in(key, format!("expected a whole number from 1 to {most}, found {word}"));
            continue;
        };
        if other == from {
            to.fault_in(key, "no way leads from a place to itself");
            continue;
        }
        let before = *lengths.entry((from.min(other), from.max(other))).or_insert(length);
        if before != length {
            let what = format!("a way is equally long from both ends, and from the other it is {before}");
            to.fault_in(key, what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::at;
    use super::*;
    use crate::stage::Picture;
    use crate::{Document, Faulty};

    /// Reads the `[map]` of a document, and the faults by line.
    fn read(text: &str) -> (Field, Vec<String>) {
        let document = Document::toml("m.toml", text).unwrap_or_else(|faults| panic!("{faults}"));
        let faults = Faulty::new();
        let top = document.fields(&faults);
        let map = top.table("map").unwrap();
        let words = ["mud", "water"];
        let mut kind = |word: &str| words.iter().position(|there| *there == word).map(|n| n as u8 + 1);
        let field = Field::read(&map, Metric::Square, &mut kind, &words);
        map.done();
        let faults = faults.or(()).err().map(|faults| faults.0).unwrap_or_default();
        (field, faults.iter().map(|fault| fault.to_string().replacen("m.toml:", "", 1)).collect())
    }

    #[track_caller]
    fn field(text: &str) -> Field {
        let (field, faults) = read(text);
        assert_eq!(faults, [""; 0]);
        field
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (_, faults) = read(text);
        assert_eq!(faults, expected, "{text}");
    }

    #[test]
    fn a_map_is_drawn_with_characters() {
        let text = "[map]\nrows = \"\"\"\n....~~..\n..##~.. \n\"\"\"\nlegend = { \"~\" = \"mud\", \"#\" = \"wall\" }\n\
                    [map.names]\ngate = \"C1\"\n\"The old well\" = \"h2\"\n";
        let map = field(text);
        assert_eq!((map.columns(), map.rows(), map.metric()), (8, 2, Metric::Square));
        assert_eq!((map.kind(at("E1")), map.kind(at("C2")), map.kind(at("H2"))), (1, Field::WALL, 0));
        assert_eq!(map.spaces().len(), 14);
        let names: Vec<_> = map.named_spaces().collect();
        assert_eq!(names, [(at("C1"), "gate"), (at("H2"), "The old well")]);
    }

    #[test]
    fn rows_may_be_a_list() {
        let map = field("[map]\nrows = [\"....\", \"..ä.\"]\nlegend = { \"ä\" = \"water\" }\n");
        assert_eq!((map.columns(), map.rows(), map.kind(at("C2"))), (4, 2, 2));
        let map = field("[map]\nrows = [\"..\"]\nlegend = { \".\" = \"mud\" }\n");
        assert_eq!((map.rows(), map.kind(at("A1"))), (1, 1), "a point may mean something else");
        assert_eq!(field("[map]\nrows = \"\"\"\r\n..\r\n..\r\n\"\"\"\n").rows(), 2);
    }

    #[test]
    fn an_open_map_has_a_size() {
        let map = field("[map]\ncolumns = 24\nheight = 16\nnames = { gate = \"X16\" }\n");
        assert_eq!((map.columns(), map.rows(), map.spaces().len()), (24, 16, 384));
        assert_eq!(map.find("gate"), Some(at("X16")));
    }

    #[test]
    fn every_fault_of_the_rows_is_told() {
        check(
            "[map]\nrows = [\"..?\", \"?!\", \"....\"]\nlegend = { \"~\" = \"mud\", ab = \"mud\", \"!\" = \"mudd\" }\n",
            &[
                "2: map.rows: row 2 has 2 spaces, and row 1 has 3 spaces: all rows are equally long",
                "2: map.rows: row 1, column 3: '?' is not in the legend",
                "3: map.legend.!: expected one of mud, water, wall, found \"mudd\"; perhaps `mud`",
                "3: map.legend.ab: expected a single character, such as \"~\"",
            ],
        );
        check(
            "[map]\nrows = [\"..#\"]\nlegend = { \"~\" = \"mud\", \"#\" = \"wall\" }\n",
            &["3: map.legend.~: no row has this character"],
        );
        check(
            "[map]\nrows = [\"..#\"]\nlegend = { \"#\" = [] }\n",
            &["3: map.legend.#: expected text, found a list"],
        );
        check("[map]\nrows = []\n", &["2: map.rows: there are no rows"]);
        check("[map]\nrows = \"\"\n", &["2: map.rows: there are no rows"]);
        check("[map]\nrows = [\"\", \"\"]\n", &["2: map.rows: there are no rows"]);
        check("[map]\nrows = 3\n", &["2: map.rows: expected a list, found a whole number"]);
        check("[map]\nrows = [\"..\", 3]\n", &["2: map.rows: expected text, found a whole number"]);
        check(
            "[map]\nrows = [\"\", \".\"]\n",
            &["2: map.rows: row 2 has 1 space, and row 1 has 0 spaces: all rows are equally long"],
        );
    }

    #[test]
    fn control_characters_are_refused() {
        check(
            "[map]\nrows = [\"..\\t\", \"\\t\\n\\u0000\"]\nlegend = { \"\\t\" = \"mud\" }\n",
            &[
                "2: map.rows: row 1, column 3: '\\t' cannot be drawn",
                "2: map.rows: row 2, column 2: '\\n' cannot be drawn",
                "2: map.rows: row 2, column 3: '\\0' cannot be drawn",
                "3: map.legend.\t: expected a single character, such as \"~\"",
            ],
        );
        check(
            "[map]\nrows = [\"..\"]\nnames = { \"a\\nb\" = \"A1\" }\n",
            &["3: map.names.a\nb: a name is one line of plain text"],
        );
    }

    #[test]
    fn a_map_has_an_end() {
        let rows = format!("[map]\nrows = {:?}\n", vec![".".repeat(65); 66]);
        check(
            &rows,
            &[
                "2: map.rows: expected at most 64 rows, found 66",
                "2: map.rows: row 1: expected at most 64 columns, found 65",
            ],
        );
        assert_eq!(field(&format!("[map]\nrows = {:?}\n", vec![".".repeat(64); 64])).spaces().len(), 4096);
        check(
            "[map]\ncolumns = 65\nheight = 0\n",
            &[
                "2: map.columns: expected a whole number from 1 to 64, found 65",
                "3: map.height: expected a whole number from 1 to 64, found 0",
            ],
        );
        check("[map]\ncolumns = 5\n", &["1: map: `height` is missing: a whole number from 1 to 64"]);
        check("[map]\nheight = 5\n", &["1: map: `columns` is missing: a whole number from 1 to 64"]);
    }

    #[test]
    fn names_are_of_spaces_where_somebody_can_be() {
        let space = super::super::SpaceError;
        check(
            "[map]\nrows = [\"..#\"]\nlegend = { \"#\" = \"wall\" }\n[map.names]\na = \"D1\"\nb = \"A2\"\nc = \"C1\"\n\
             \"the D\" = \"A1\"\ne = \"A1\"\nf = \"gate\"\ng = 4\nB1 = \"A1\"\nthe-d = \"B1\"\n\"\" = \"B1\"\n",
            &[
                "5: map.names.a: D1 is not on the map, which ends at C1",
                "6: map.names.b: A2 is not on the map, which ends at C1",
                "7: map.names.c: C1 is a wall",
                "8: map.names.the D: A1 is already called \"e\"",
                &format!("10: map.names.f: {space}, found \"gate\""),
                &format!("11: map.names.g: {space}, found \"4\""),
                "12: map.names.B1: that is what another space is called",
                "13: map.names.the-d: another space has this name",
                "14: map.names.: a name is needed, and this is empty",
            ],
        );
    }

    #[test]
    fn a_map_has_one_form() {
        let fault = "1: map: expected either `rows`, or `columns` and `height`, or a list of `place`s";
        check("[map]\n", &[fault]);
        check("[map]\nrows = [\".\"]\ncolumns = 1\nheight = 1\n", &[fault]);
        check("[map]\nrows = [\".\"]\n[[map.place]]\nname = \"A\"\n", &[fault]);
        check("[map]\ncolumns = 1\nheight = 1\nlegend = {}\n", &["4: map.legend: only `rows` have a legend"]);
        check(
            "[map]\ncolumns = 1\nheight = 1\nwide = 3\n",
            &[
                "4: map.wide: no such field here; there are columns, height, legend, names, picture, place, rows, walls",
            ],
        );
    }

    #[test]
    fn places_have_lengths_both_ways() {
        let map = field(
            "[[map.place]]\nname = \"The gate\"\nto = { bridge = 6, \"Old yard\" = 10 }\n\
             [[map.place]]\nname = \"Bridge\"\nto = { the-gate = 6 }\n\
             [[map.place]]\nname = \"Old yard\"\nid = \"yard\"\nhistory = [\"built\"]\n",
        );
        assert!(!map.is_grid());
        let [gate, bridge, yard] = ["the gate", "bridge", "yard"].map(|name| map.find(name).unwrap());
        assert_eq!((map.length(gate, bridge), map.distance(bridge, yard)), (6, 16));
        assert_eq!((map.place_name(yard), map.place_slug(gate)), (Some("Old yard"), Some("the-gate")));
        assert_eq!(field("[[map.place]]\nname = \"Here\"\n").columns(), 1);
    }

    #[test]
    fn every_fault_of_the_places_is_told() {
        check(
            "[[map.place]]\nname = \"Gate\"\nto = { bridgee = 6, gate = 3, yard = 61, bridge = 6 }\n\
             [[map.place]]\nname = \"Bridge\"\nto = { gate = 7, yard = \"far\" }\nwide = 3\n\
             [[map.place]]\nname = \"gate\"\n[[map.place]]\n[[map.place]]\nname = \"Yard\"\nid = \"The Yard\"\n",
            &[
                "3: map.place[1].to.bridgee: no place is called \"bridgee\"; perhaps `bridge`",
                "3: map.place[1].to.gate: no way leads from a place to itself",
                "3: map.place[1].to.yard: expected a whole number from 1 to 60, found 61",
                "6: map.place[2].to.gate: a way is equally long from both ends, and from the other it is 6",
                "6: map.place[2].to.yard: expected a whole number from 1 to 60, found far",
                "7: map.place[2].wide: no such field here; there are id, name, to",
                "9: map.place[3].name: another place is called \"gate\"",
                "10: map.place[4]: `name` is missing: text",
                "13: map.place[5].id: expected 1 to 60 lower-case letters, digits and hyphens",
            ],
        );
        check("[map]\nplace = []\n", &["2: map.place: there are no places"]);
        check("[map]\nplace = 3\n", &["2: map.place: expected a list, found a whole number"]);
        check(
            "[map]\nnames = { a = \"A1\" }\n[[map.place]]\nname = \"Here\"\n",
            &["2: map.names: each place has a name of its own"],
        );
        let many: String = (0..25).map(|n| format!("[[map.place]]\nname = \"P{n}\"\n")).collect();
        check(&many, &["1: map.place: expected at most 24 places, found 25"]);
        let star: String =
            (1..18).map(|n| format!("[[map.place]]\nname = \"P{n}\"\nto = {{ hub = 1 }}\n")).collect();
        check(
            &format!("[[map.place]]\nname = \"Hub\"\n{star}"),
            &["1: map.place[1]: expected at most 16 ways from a place, found 17"],
        );
        let long = format!("[[map.place]]\nname = \"{}\"\n", "x".repeat(70));
        check(
            &long,
            &["2: map.place[1].name: expected at most 60 letters and digits, or an `id` that is shorter"],
        );
    }

    #[test]
    fn walls_stand_between_spaces() {
        let map =
            field("[map]\ncolumns = 4\nheight = 3\nwalls = [\"A1-B1\", \"b2 - b3\", \"D1-C2\", \"B1-A1\"]\n");
        let walls: Vec<_> = map.walls().map(|(a, b)| format!("{a}-{b}")).collect();
        assert_eq!(walls, ["A1-B1", "D1-C2", "B2-B3"]);
        assert!(!map.is_step(at("A1"), at("B1")) && !map.is_step(at("B1"), at("A1")));
        assert!(map.is_step(at("A1"), at("A2")) && !map.is_step(at("C2"), at("D1")));
        let map = field("[map]\nrows = [\"...\"]\nwalls = \"A1-B1\"\n");
        assert_eq!(map.walls().count(), 1, "a single wall needs no list");
    }

    #[test]
    fn every_fault_of_the_walls_is_told() {
        let form = "expected two spaces that touch, such as \"C4-D4\", found";
        check(
            "[map]\ncolumns = 3\nheight = 2\nwalls = [\"A1\", \"A1-\", \"A1-C1\", \"A1-A1\", \"C2-D2\", \"A1-B2\", 4]\n",
            &[
                "4: map.walls: expected text, found a whole number",
                &format!("4: map.walls: {form} \"A1\""),
                &format!("4: map.walls: {form} \"A1-\""),
                "4: map.walls: A1-C1: A1 and C1 do not touch",
                "4: map.walls: A1-A1: A1 and A1 do not touch",
                "4: map.walls: C2-D2: D2 is not on the map, which ends at C2",
            ],
        );
        let many: String = (0..50_000).map(|n| format!("\"x{n}\",")).collect();
        let many = format!("[map]\ncolumns = 3\nheight = 2\nwalls = [{many}]\n");
        assert_eq!(read(&many).1.len(), 16);
        check(
            "[map]\nwalls = [\"A1-B1\"]\npicture = {}\n[[map.place]]\nname = \"Here\"\n",
            &["2: map.walls: only a grid has walls", "3: map.picture: only a grid has a picture"],
        );
    }

    #[test]
    fn a_picture_lies_beneath_the_map() {
        let id = "0123456789abcdef".repeat(4);
        let map = field(&format!("[map]\ncolumns = 4\nheight = 3\npicture = {{ id = \"{id}\" }}\n"));
        let whole = Picture { id: id.clone(), left: 0, top: 0, width: 4_000, height: 3_000 };
        assert_eq!(map.picture(), Some(&whole));
        let map = field(&format!(
            "[map]\nrows = [\"..\"]\n[map.picture]\nid = \"{id}\"\nleft = -500\ntop = 250\nwidth = 2500\nheight = 1\n"
        ));
        let picture = Picture { id: id.clone(), left: -500, top: 250, width: 2_500, height: 1 };
        assert_eq!(map.picture(), Some(&picture));
        check(
            "[map]\ncolumns = 4\nheight = 3\n[map.picture]\nid = \"<svg>\"\nleft = 128001\nwidth = 0\nhigh = 3\n",
            &[
                "5: map.picture.id: expected the 64 digits and letters (a to f) that the server gave the picture",
                "6: map.picture.left: expected a whole number from -128000 to 128000, found 128001",
                "7: map.picture.width: expected a whole number from 1 to 128000, found 0",
                "8: map.picture.high: no such field here; there are file, height, id, left, top, width",
            ],
        );
        let named = "4: map.picture: expected either the `id` that a server gave the picture, or a `file` beside this one";
        check("[map]\ncolumns = 4\nheight = 3\npicture = {}\n", &[named]);
        let both =
            format!("[map]\ncolumns = 4\nheight = 3\npicture = {{ id = \"{id}\", file = \"mill.jpg\" }}\n");
        check(&both, &[named]);
    }

    #[test]
    fn a_picture_that_is_a_file_stands_beside_the_text() {
        let map = |file: &str| {
            format!("[map]\ncolumns = 4\nheight = 3\npicture = {{ file = '{file}', left = -500 }}\n")
        };
        assert_eq!(field(&map("The mill.jpg")).picture(), None);
        for file in ["", "../mill.jpg", ".mill.jpg", "maps/mill.jpg", "maps\\mill.jpg", "C:mill.jpg"] {
            check(
                &map(file),
                &[
                    "4: map.picture.file: expected the name of a picture in the same folder, such as \"mill.jpg\"",
                ],
            );
        }
    }

    #[test]
    fn a_hostile_map_is_read_in_bounds() {
        let rows = format!("[map]\nrows = \"\"\"\n{}\"\"\"\n", "~".repeat(1_000_000));
        assert_eq!(read(&rows).1.len(), 2);
        let rows = format!("[map]\nrows = \"\"\"\n{}\"\"\"\n", "~\n".repeat(500_000));
        assert_eq!(read(&rows).1.len(), 2);
        let all: String = ('\u{100}'..'\u{8000}').collect();
        let rows = format!("[map]\nrows = [\"{all}\", \"{all}\"]\n");
        assert_eq!(read(&rows).1.len(), 65);
        let places: String =
            (0..2_000).map(|n| format!("[[map.place]]\nname = \"P{n}\"\nto = {{ p1 = 1 }}\n")).collect();
        assert_eq!(read(&places).1.len(), 3);
        for odd in [
            "rows = { a = 1 }",
            "place = [1, \"x\", []]",
            "legend = 3\nrows = \"..\"",
            "names = 3",
            "columns = \"x\"",
        ] {
            assert!(!read(&format!("[map]\n{odd}\n")).1.is_empty(), "{odd}");
        }
    }
}
