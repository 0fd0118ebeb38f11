//! The pages of papers: the list, one page for each paper, and the library to copy from.

use super::layout::{Note, page};
use super::{cast, words::capital};
use fracas_hindsight::Report;
use fracas_kernel::{Card, Fault, MAX_SIDE, System};
use fracas_live::{hall::date, hindsight::Progress};
use fracas_papers::plan::Plan;
use fracas_papers::sheet::{Control, Leaf, Part, Row, below, label};
use fracas_papers::{Entry, Pictured, Reading, guide::in_words, sort};
use fracas_store::Paper;
use fracas_systems::{Encounter, Sort};
use maud::{Markup, html};

/// The class of every page here.
const CLASS: &str = "plain desk";

/// What a paper is, in a word.
fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Encounter => "encounter",
        Sort::Library => "characters and things",
    }
}

/// A system with the kinds of paper that can be begun for it.
pub(crate) struct Shelf {
    pub(crate) system: System,
    pub(crate) kinds: Vec<String>,
    /// Its encounters have maps.
    pub(crate) has_map: bool,
}

/// All papers of a browser.
pub(crate) fn papers(papers: &[Paper], shelves: &[Shelf], note: &Note) -> Markup {
    let (kept, thrown): (Vec<&Paper>, Vec<&Paper>) = papers.iter().partition(|paper| paper.thrown.is_none());
    page(
        "Your papers",
        CLASS,
        html! {
            main .sheet .wide {
                p { a href="/" { "← Fracas" } }
                h1 { "Your papers" }
                p .lead { "Characters, foes and encounters of your own. They are this browser's; a file takes them anywhere." }
                (note.show())
                @if kept.is_empty() { p .soft { "Nothing yet. Begin with an example, copy something of the library, or bring a file." } }
                ul .places {
                    @for paper in &kept {
                        li { a .place href={ "/papers/" (paper.id) } {
                            b { bdi { (paper.name) } }
                            span .soft { (title(&paper.system)) " · " (sort_name(sort(paper))) " · " (date(paper.changed)) }
                        } }
                    }
                }
                h2 { "Begin a new one" }
                div .shelves {
                    @for shelf in shelves {
                        section .shelf {
                            h3 { ((shelf.system.rulebook)().title) }
                            form .row method="post" action="/papers" {
                                input type="hidden" name="system" value=(shelf.system.id);
                                @for kind in &shelf.kinds { button name="kind" value=(kind) { (capital(&label(kind))) } }
                            }
                            p { a href={ "/library/" (shelf.system.id) } { "Copy from the library" } }
                            p { a href={ "/scene/" (shelf.system.id) } { "A scene of characters you pick" } }
                        }
                    }
                }
                h2 { "Bring a file" }
                form method="post" action="/papers/import" enctype="multipart/form-data" {
                    div .pair {
                        label { "A .toml file" input type="file" name="file" accept=".toml,text/plain,application/toml"; }
                        label { "For which system, where it does not say" select name="system" {
                            @for shelf in shelves { option value=(shelf.system.id) { ((shelf.system.rulebook)().title) } }
                        } }
                    }
                    details {
                        summary { "Or its text" }
                        textarea name="text" rows="6" spellcheck="false" aria-label="The text of a file" {}
                    }
                    button { "Bring it in" }
                }
                (map_form(shelves))
                @if !thrown.is_empty() {
                    details {
                        summary { "Thrown away " small { (thrown.len()) } }
                        @for paper in &thrown {
                            form .row method="post" action={ "/papers/" (paper.id) "/back" } {
                                span { bdi { (paper.name) } " " small { (title(&paper.system)) } }
                                button { "Take back" }
                                button formaction={ "/papers/" (paper.id) "/erase" } { "For good" }
                            }
                        }
                    }
                }
            }
        },
    )
}

/// The form that makes an encounter of a map or a picture.
fn map_form(shelves: &[Shelf]) -> Markup {
    let side = |name: &str, label: &str| {
        html! {
            label { (label) input type="number" name=(name) min="1" max=(MAX_SIDE) inputmode="numeric"; }
        }
    };
    html! {
        @if shelves.iter().any(|shelf| shelf.has_map) {
            h2 #map { "Bring a map" }
            p .soft { "A map that a map maker exported (Universal VTT: .dd2vtt, .uvtt, .df2vtt), with its walls, or a picture. It becomes an encounter to be filled in. Or an encounter's .toml file with the picture that it names: choose both. Everybody at its table sees the whole picture: draw no secret on it." }
            form method="post" action="/papers/map" enctype="multipart/form-data" {
                div .pair {
                    label { "A map or a picture, up to 16 MB, or two files" input type="file" name="file" required multiple accept=".dd2vtt,.uvtt,.df2vtt,.toml,image/png,image/jpeg,image/webp"; }
                    label { "For which system" select name="system" {
                        @for shelf in shelves.iter().filter(|shelf| shelf.has_map) { option value=(shelf.system.id) { ((shelf.system.rulebook)().title) } }
                    } }
                }
                div .pair {
                    (side("columns", "Of a picture: how many spaces wide"))
                    (side("rows", "and how many high"))
                }
                button { "Bring it in" span .sr { " as an encounter" } }
            }
        }
    }
}

fn title(system: &str) -> String {
    fracas_systems::find(system)
        .map_or_else(|| system.to_owned(), |system| (system.rulebook)().title.to_owned())
}

/// The library of a system: every bundled encounter and entry, to be copied.
pub(crate) fn library(system: &System, encounters: &[Encounter], entries: &[Entry]) -> Markup {
    let mut lists: Vec<&str> = Vec::new();
    for entry in entries {
        if !lists.contains(&entry.list.as_str()) {
            lists.push(&entry.list);
        }
    }
    page(
        "The library",
        CLASS,
        html! {
            main .sheet .wide {
                p { a href="/papers" { "← Your papers" } }
                p .kicker { ((system.rulebook)().title) }
                h1 { "The library" }
                p .lead { "A copy is yours to change. What you copy under its old name is used in its place." }
                form method="post" action={ "/library/" (system.id) } {
                    details open {
                        summary { "Encounters " small { (encounters.len()) } }
                        ul .rows { @for encounter in encounters {
                            li { span { b { (encounter.title) } " " span .soft { (encounter.about.summary) } }
                                button name="encounter" value=(encounter.id) { "Copy" span .sr { " " (encounter.title) } } }
                        } }
                    }
                    @for list in lists {
                        @let its: Vec<&Entry> = entries.iter().filter(|entry| entry.list == list).collect();
                        details {
                            summary { (capital(&label(list))) " " small { (its.len()) } }
                            ul .rows { @for entry in its {
                                li { span { b { bdi { (entry.name) } } " " span .soft dir="auto" { (entry.note) } }
                                    button name="entry" value={ (entry.list) "/" (entry.name) } { "Copy" span .sr { " " (entry.name) } } }
                            } }
                        }
                    }
                }
            }
        },
    )
}

/// How a paper is shown for editing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Face {
    /// Field by field.
    Form,
    /// As text.
    Text,
    /// As a map that is drawn on.
    Map,
}

impl Face {
    /// The face that an address or a form names; else a form.
    pub(crate) fn called(word: &str) -> Face {
        match word {
            "text" => Face::Text,
            "map" => Face::Map,
            _ => Face::Form,
        }
    }

    /// What names it in an address.
    pub(crate) const fn query(self) -> &'static str {
        match self {
            Face::Form => "",
            Face::Text => "?as=text",
            Face::Map => "?as=map",
        }
    }
}

/// The map of an encounter, as far as it can be drawn on.
#[derive(Debug)]
pub(crate) enum Mapped {
    /// Drawn, ready to be changed.
    Plan(Box<Plan>),
    /// It has faults: what is wrong, a line each.
    Faulty(Vec<String>),
    /// There is none yet.
    Absent,
}

/// A paper's page.
pub(crate) struct Paperwork<'p> {
    pub(crate) paper: &'p Paper,
    pub(crate) system: &'p System,
    /// The entries that an encounter can take people from.
    pub(crate) library: &'p [Entry],
    pub(crate) reading: &'p Reading,
    /// The paper's faults in the form's words, one for each fault.
    pub(crate) form_faults: Vec<FormFault>,
    /// The form. `None` if the text is not TOML, or another face is wanted.
    pub(crate) parts: Option<&'p [Part]>,
    /// The map, where it is wanted.
    pub(crate) map: Option<&'p Mapped>,
    /// Whether there can be a map to be drawn on.
    pub(crate) has_map: bool,
    /// The pictures that the text can name.
    pub(crate) pictures: &'p [Pictured],
    /// The text in the page: the saved text, or the text that could not be saved.
    pub(crate) text: &'p str,
    pub(crate) note: &'p Note,
}

impl Paperwork<'_> {
    fn face(&self) -> Face {
        match (self.map, self.parts) {
            (Some(_), _) => Face::Map,
            (None, Some(_)) => Face::Form,
            (None, None) => Face::Text,
        }
    }

    /// The faults of the field at a path.
    fn faults(&self, path: &str) -> impl Iterator<Item = &FormFault> {
        self.form_faults.iter().filter(move |fault| fault.field == path && !path.is_empty())
    }

    /// Whether a path is that of an encounter's people.
    fn is_cast(&self, path: &str) -> bool {
        sort(self.paper) == Sort::Encounter && ["character", self.system.others].contains(&path)
    }

    /// Whether the field at a path, or one below it, has a fault.
    fn is_wrong(&self, path: &str) -> bool {
        self.form_faults.iter().any(|fault| is_below(&fault.field, path))
    }
}

/// Whether a field is at a path or below it.
fn is_below(field: &str, path: &str) -> bool {
    field.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A fault in the form's words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FormFault {
    /// The field's path.
    field: String,
    /// The field's place as the form names it: `Wren › Attributes › Arm`.
    place: String,
    /// What is wrong.
    what: String,
}

/// Faults in the form's words instead of the file's.
pub(crate) fn in_form_words(parts: &[Part], faults: &[Fault]) -> Vec<FormFault> {
    let tell = |fault: &Fault| {
        let missing = fault.what.strip_prefix('`').and_then(|rest| rest.split_once("` is missing: "));
        let field = missing.map_or_else(|| fault.field.clone(), |(key, _)| below(&fault.field, key));
        let (names, value) = called(parts, &field);
        let wrong = fault.what.strip_prefix("expected ").and_then(|rest| rest.rsplit_once(", found "));
        let what = match (missing, wrong) {
            (Some(_), _) => "still to be filled in".to_owned(),
            (None, Some((right, found))) => match value {
                Some(value) => format!("{right}, not “{value}”"),
                None => format!("{right}, not {found}"),
            },
            (None, None) => in_words(&fault.what),
        };
        FormFault { place: names.join(" › "), field, what }
    };
    faults.iter().map(tell).collect()
}

/// The form's names for the field at a path, from the outside in, and the field's value.
fn called<'p>(parts: &'p [Part], field: &str) -> (Vec<String>, Option<&'p str>) {
    let Some(part) = parts.iter().find(|part| is_below(field, path(part))) else {
        let key = field.rsplit('.').next().unwrap_or_default();
        return (vec![capital(&label(key))], None);
    };
    let (own, inner) = match part {
        Part::Leaf(leaf) => {
            return (vec![capital(&label(&leaf.key))], leaf.values.first().map(String::as_str));
        }
        Part::Table { key, parts, .. } => (capital(&label(key)), Some(parts)),
        Part::List { key, rows, .. } => match rows.iter().position(|row| is_below(field, &row.path)) {
            Some(at) if rows[at].title.is_empty() => {
                (format!("{} {}", capital(&label(key)), at + 1), Some(&rows[at].parts))
            }
            Some(at) => (rows[at].title.clone(), Some(&rows[at].parts)),
            None => (capital(&label(key)), None),
        },
    };
    // The table or entry itself, or something in it.
    let ends = field == path(part) || field.ends_with(']') && !field[path(part).len()..].contains('.');
    let mut names = vec![own];
    let Some(inner) = inner.filter(|_| !ends) else { return (names, None) };
    let (more, value) = called(inner, field);
    names.extend(more);
    (names, value)
}

/// A paper's page.
pub(crate) fn paper(paperwork: &Paperwork<'_>) -> Markup {
    let (paper, base) = (paperwork.paper, format!("/papers/{}", paperwork.paper.id));
    let sort = sort(paper);
    page(
        &paper.name,
        CLASS,
        html! {
            main .bench {
                header .bench-head {
                    p { a href="/papers" { "← Your papers" } }
                    p .kicker { ((paperwork.system.rulebook)().title) " · " (sort_name(sort)) }
                    h1 { bdi { (paper.name) } }
                    nav .row aria-label="This paper" {
                        (tab(&base, "As a form", paperwork.face() == Face::Form))
                        (tab(&format!("{base}{}", Face::Text.query()), "As text", paperwork.face() == Face::Text))
                        @if paperwork.has_map { (tab(&format!("{base}{}", Face::Map.query()), "As a map", paperwork.face() == Face::Map)) }
                        @if sort == Sort::Encounter {
                            button .open form="work" name="do" value="open" { "Open a table" }
                            button form="work" name="do" value="report" { "Report" }
                        }
                        a .button href={ (base) "/file" } { "Keep as a file" }
                        form method="post" action={ (base) "/copy" } { button { "Copy" } }
                        form method="post" action={ (base) "/away" } { button { "Throw away" } }
                    }
                    (paperwork.note.show())
                    (checked(paperwork))
                }
                form #work .work method="post" action=(base) data-unsaved[!paperwork.note.is_empty()] {
                    // Enter in a field saves, whatever buttons stand further down.
                    button .sr tabindex="-1" aria-hidden="true" name="do" value="save" { "Save" }
                    input type="hidden" name="version" value=(paper.version);
                    @match (paperwork.map, paperwork.parts) {
                        (Some(map), _) => {
                            input type="hidden" name="as" value="map";
                            @match map {
                                Mapped::Plan(plan) => (super::plan(plan, paperwork.text, &base)),
                                Mapped::Faulty(faults) => (super::misdrawn(faults, paperwork.text, &base)),
                                Mapped::Absent => (super::unmapped(paperwork.text)),
                            }
                        }
                        (None, Some(parts)) => {
                            textarea .base name="base" hidden aria-label="The text before" { "\n" (paperwork.text) }
                            (fields(paperwork, parts))
                        }
                        (None, None) => {
                            label .wide { "The text (TOML)"
                                // A browser drops a line break right after the tag.
                                textarea .text name="text" rows="28" spellcheck="false" autocapitalize="off" autocomplete="off" { "\n" (paperwork.text) }
                            }
                        }
                    }
                    div .save { button .go name="do" value="save" { "Save and check" }
                        span .soft { "A text with faults is saved too." } }
                }
                aside .seen aria-label="What comes of it" {
                    (pictures(paperwork))
                    @if !paperwork.reading.players.is_empty() {
                        h2 { "What players see" }
                        (cards(&paperwork.reading.players, paperwork.system))
                    }
                    @if !paperwork.reading.gm.is_empty() && paperwork.reading.gm != paperwork.reading.players {
                        details data-keep="gm" { summary { "What you see" } (cards(&paperwork.reading.gm, paperwork.system)) }
                    }
                    @if paperwork.reading.players.is_empty() {
                        p .soft { "Its characters are shown here as cards once the text has no faults." }
                    }
                    p { a href={ "/rules/" (paperwork.system.id) } { "The rules, clause by clause" } }
                }
            }
        },
    )
}

/// A report on an encounter in a few sentences, or how far the work on it is.
pub(crate) fn report(paper: &Paper, progress: &Progress<Report>) -> Markup {
    let base = format!("/papers/{}", paper.id);
    page(
        &format!("Report on {}", paper.name),
        CLASS,
        html! {
            main .sheet .hindsight {
                p { a href=(base) { "← " bdi { (paper.name) } } }
                h1 { "Report" }
                @if let Progress::Done(report) = progress {
                    @for sentence in report.summary() { p dir="auto" { (sentence) } }
                    p .row {
                        a .button .go href={ (base) "/report.html" } { "Read it all" }
                        a .button href={ (base) "/report.html" } download={ (paper.name) ".html" } { "Save it as a file" }
                    }
                } @else {
                    (super::hindsight::under_way(progress))
                }
            }
        },
    )
}

/// The cover and the portraits, each with a form to bring another.
fn pictures(paperwork: &Paperwork<'_>) -> Markup {
    let is_open = paperwork.pictures.iter().any(|pictured| pictured.id.is_some());
    html! {
        @if !paperwork.pictures.is_empty() {
            details #pictures .pictures open[is_open] data-keep="pictures" {
                summary { "Pictures" }
                p .soft { "PNG, JPEG or WebP. Without one, a place is drawn from words and a character from the name." }
                @for pictured in paperwork.pictures {
                    @let name = if pictured.name.is_empty() { "the cover".to_owned() } else { format!("the portrait of {}", pictured.name) };
                    form method="post" action={ "/papers/" (paperwork.paper.id) "/picture" } enctype="multipart/form-data" {
                        input type="hidden" name="version" value=(paperwork.paper.version);
                        input type="hidden" name="field" value=(pictured.field);
                        @if let Some(id) = &pictured.id { img src={ "/pictures/" (id) } alt={ "Now " (name) }; }
                        label { bdi { (capital(&name)) } input type="file" name="file" accept="image/png,image/jpeg,image/webp" required; }
                        div .row {
                            button { "Keep" span .sr { " " (name) } }
                            @if pictured.id.is_some() { button name="do" value="forget" formnovalidate { "Take away" span .sr { " " (name) } } }
                        }
                    }
                }
            }
        }
    }
}

fn tab(href: &str, name: &str, here: bool) -> Markup {
    html! { a .button .here[here] href=(href) aria-current=[here.then_some("page")] { (name) } }
}

fn cards(cards: &[Card], system: &System) -> Markup {
    html! { @for card in cards { (cast::card(card, system.id, None)) } }
}

/// The faults that the check found, or that there are none.
fn checked(paperwork: &Paperwork<'_>) -> Markup {
    let faults = &paperwork.reading.faults;
    let lines: Vec<&str> = paperwork.paper.text.lines().collect();
    let own = |fault: &Fault| fault.file.ends_with(&format!("-{}.toml", paperwork.paper.id));
    html! {
        @if faults.is_empty() { p .sound role="status" { "✓ Checked: nothing is wrong." } }
        @else {
            div .refusal role="status" {
                p { b { @if faults.len() == 1 { "One thing is wrong:" } @else { (faults.len() + paperwork.reading.more) " things are wrong:" } } }
                ul .faults { @for (fault, in_form) in faults.iter().zip(&paperwork.form_faults) {
                    @if paperwork.face() == Face::Form && own(fault) {
                        li { a href={ "#f-" (in_form.field) } { (in_form.place) } ": " (in_form.what) }
                    } @else { li {
                        @if !own(fault) { span .soft { "in " (fault.file) ", " } }
                        @if fault.line > 0 { span .soft { "line " (fault.line) ": " } }
                        @if !fault.field.is_empty() { (fault.field) ": " }
                        (fault.what)
                        @if let (true, Some(line)) = (own(fault) && paperwork.face() != Face::Form, fault.line.checked_sub(1).and_then(|at| lines.get(at))) {
                            @if !line.trim().is_empty() { br; code { (line.trim()) } }
                        }
                    } }
                }
                @if paperwork.reading.more > 0 { li { "and " (paperwork.reading.more) " more" } }
                }
            }
        }
    }
}

/// The fields of a table: first those present, then those that may be added.
fn fields(paperwork: &Paperwork<'_>, parts: &[Part]) -> Markup {
    let shown =
        |part: &&Part| part.is_present() || paperwork.is_wrong(path(part)) || paperwork.is_cast(path(part));
    let small = |part: &&Part| matches!(part, Part::Leaf(_));
    let (here, more): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(shown);
    let (leaves, blocks): (Vec<&Part>, Vec<&Part>) = here.into_iter().partition(small);
    let (lists, more): (Vec<&Part>, Vec<&Part>) =
        more.into_iter().partition(|part| matches!(part, Part::List { .. }));
    let (leaves_more, blocks_more): (Vec<&Part>, Vec<&Part>) = more.into_iter().partition(small);
    let many = leaves_more.len() + blocks_more.len();
    html! {
        @if !leaves.is_empty() { div .fields { @for part in leaves { (draw_part(paperwork, part)) } } }
        @for part in blocks { (draw_part(paperwork, part)) }
        @if many > 0 {
            details .more {
                summary { "More fields " small { (many) } }
                div .fields { @for part in leaves_more { (draw_part(paperwork, part)) } }
                @for part in blocks_more { (draw_part(paperwork, part)) }
            }
        }
        @if !lists.is_empty() {
            p .adds { @for part in lists { @if let Part::List { path, key, help, .. } = part { (adding(path, key, help)) } } }
        }
    }
}

fn path(part: &Part) -> &str {
    match part {
        Part::Leaf(leaf) => &leaf.path,
        Part::Table { path, .. } | Part::List { path, .. } => path,
    }
}

fn adding(path: &str, key: &str, help: &str) -> Markup {
    html! { button name="do" value={ "add:" (path) } title=[(!help.is_empty()).then_some(help)] { "Add " (label(key)) } }
}

/// The control that copies a person from the library or from another paper.
fn library_picker(paperwork: &Paperwork<'_>, list: &str) -> Markup {
    let there: Vec<&Entry> = paperwork.library.iter().filter(|entry| entry.list == list).collect();
    if there.is_empty() || !paperwork.is_cast(list) {
        return html! {};
    }
    let (bundled, own): (Vec<&Entry>, Vec<&Entry>) =
        there.into_iter().partition(|entry| entry.document.starts_with("content/"));
    html! {
        p .adds .row {
            select name={ "take-" (list) } aria-label={ "Take a " (label(list)) " from" } {
                option value="" { "From the library…" }
                @for (group, entries) in [("Your papers", own), ("The library", bundled)] {
                    @if !entries.is_empty() { optgroup label=(group) {
                        @for entry in entries { option value=(entry.name) { (entry.name) } }
                    } }
                }
            }
            button name="do" value={ "take:" (list) } { "Take in" span .sr { " this " (label(list)) } }
        }
    }
}

fn draw_part(paperwork: &Paperwork<'_>, part: &Part) -> Markup {
    match part {
        Part::Leaf(leaf) => field(paperwork, leaf),
        Part::Table { path, key, help, parts, .. } => html! {
            fieldset .block id={ "f-" (path) } {
                legend { (capital(&label(key))) }
                (help_text(help))
                (wrong(paperwork, path))
                // Numbers stand side by side, as on a sheet.
                @if parts.iter().all(is_number) { div .numbers { @for part in parts { (draw_part(paperwork, part)) } } }
                @else { (fields(paperwork, parts)) }
            }
        },
        Part::List { path, key, help, rows } => html! {
            section .list id={ "f-" (path) } {
                h2 { (capital(&label(key))) " " small { (rows.len()) } }
                (help_text(help))
                (wrong(paperwork, path))
                @for row in rows { (entry(paperwork, key, row, rows.len() == 1)) }
                @if rows.is_empty() && paperwork.is_cast(path) { p .soft { "Nobody yet: take somebody in from the library, or write somebody new." } }
                p .adds { (adding(path, key, "")) }
                (library_picker(paperwork, path))
                @if path == "character" && paperwork.is_cast(path) && !rows.is_empty() {
                    details {
                        summary { "Begin with nobody" }
                        p .soft { "Everybody is removed: these, those whom the gamemaster plays, and the players." }
                        button .quiet-button name="do" value={ "nobody:" (path) } { "Remove everybody" }
                    }
                }
            }
        },
    }
}

fn is_number(part: &Part) -> bool {
    matches!(part, Part::Leaf(Leaf { control: Control::Number(_), .. }))
}

fn entry(paperwork: &Paperwork<'_>, key: &str, row: &Row, alone: bool) -> Markup {
    let title = if row.title.is_empty() { capital(&label(key)) } else { row.title.clone() };
    html! {
        details .entry id={ "f-" (row.path) } open[alone || paperwork.is_wrong(&row.path)] {
            summary { (title) }
            (wrong(paperwork, &row.path))
            (fields(paperwork, &row.parts))
            p .adds { button .quiet-button name="do" value={ "remove:" (row.path) } { "Remove " (title) } }
        }
    }
}

fn help_text(help: &str) -> Markup {
    html! { @if !help.is_empty() { p .help { (help) } } }
}

fn wrong(paperwork: &Paperwork<'_>, path: &str) -> Markup {
    html! { @for fault in paperwork.faults(path) { p .wrong { (capital(&fault.what)) } } }
}

fn field(paperwork: &Paperwork<'_>, leaf: &Leaf) -> Markup {
    let name = format!("{}:{}", leaf.control.letter(), leaf.path);
    let id = format!("f-{}", leaf.path);
    let value = leaf.values.first().map_or("", String::as_str);
    let bad = paperwork.is_wrong(&leaf.path).then_some("true");
    let wide = matches!(leaf.control, Control::Area | Control::Lines | Control::Marks(_) | Control::Raw);
    let head = capital(&label(&leaf.key));
    let about = format!("h-{}", leaf.path);
    let lines = matches!(leaf.control, Control::Lines);
    let tail = html! { div .about id=(about) {
        (wrong(paperwork, &leaf.path))
        @if lines { p .help { "One a line. " (leaf.help) } } @else { (help_text(&leaf.help)) }
    } };
    // An example for a field that is not filled in is shown in its help.
    let hint = (!leaf.present && !leaf.example.is_empty()).then_some(leaf.example.as_str());
    if let Control::Marks(words) = &leaf.control {
        let all = words.iter().chain(leaf.values.iter().filter(|value| !words.contains(value)));
        return html! {
            fieldset .field .wide id=(id) aria-describedby=(about) {
                legend .name { (head) }
                input type="hidden" name=(name) value="";
                div .marks { @for word in all {
                    label .check { input type="checkbox" name=(name) value=(word) checked[leaf.values.contains(word)]; span { (word) } }
                } }
                (tail)
            }
        };
    }
    html! {
        div .field .wide[wide] {
            label .name for=(id) { (head) }
            @match &leaf.control {
                Control::Line => input id=(id) name=(name) value=(value) placeholder=[hint] aria-invalid=[bad] aria-describedby=(about) autocomplete="off";,
                Control::Number(bounds) => input id=(id) name=(name) value=(value) inputmode="numeric" size="4" placeholder=[hint] aria-invalid=[bad] aria-describedby=(about) autocomplete="off"
                    title=[bounds.filter(|(least, most)| most - least < 1_000_000).map(|(least, most)| format!("{least} to {most}"))];,
                Control::Area => textarea id=(id) name=(name) rows="2" placeholder=[hint] aria-invalid=[bad] aria-describedby=(about) { "\n" (value) },
                Control::Lines => textarea id=(id) name=(name) rows="2" placeholder=[hint] aria-invalid=[bad] aria-describedby=(about) { "\n" (leaf.values.join("\n")) },
                Control::Raw => textarea id=(id) name=(name) rows="1" spellcheck="false" placeholder=[hint] aria-invalid=[bad] aria-describedby=(about) { "\n" (value) },
                Control::Flag => select id=(id) name=(name) aria-invalid=[bad] aria-describedby=(about) {
                    option value="" selected[value.is_empty()] { "not said" }
                    @for word in ["yes", "no"] { option value=(word) selected[value == word] { (word) } }
                },
                Control::Choice(words) => select id=(id) name=(name) aria-invalid=[bad] aria-describedby=(about) {
                    option value="" selected[value.is_empty()] { "not said" }
                    @for word in words { option value=(word) selected[value == word] { (word) } }
                    @if !value.is_empty() && !words.iter().any(|word| word == value) { option value=(value) selected { (value) } }
                },
                Control::Marks(_) => {},
            }
            (tail)
        }
    }
}
