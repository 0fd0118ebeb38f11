//! The answers of an ask as a form, made from the listed answers.
//!
//! Few answers are listed. Many are grouped by the parts that tell them apart. Each group
//! is a fold that opens; without the script a group further in opens by another page.

use super::{scenery::emblem, words::capital};
use fracas_face::menu::{Choice, Menu, Row};
use fracas_kernel::{AskId, Label, Listed, Names, Odds, Part, PartKind, Seat, Viewer};
use fracas_table::Table;
use maud::{Markup, html};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most answers that a page is sent with. Groups beyond are fetched.
const INLINE: usize = 120;

/// The same where each answer has odds: each is played out.
const WITH_ODDS: usize = 60;

/// How much of a list has been sent.
#[derive(Default)]
struct Sent {
    answers: usize,
    odds: usize,
}

impl Sent {
    /// Whether this many more answers are sent with the page.
    fn has_room(&self, answers: usize) -> bool {
        self.answers + answers <= INLINE && self.odds < WITH_ODDS
    }
}

/// The groups that have been opened, from the top, each as its place from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path(pub(crate) Vec<usize>);

/// The path of a page on which no group is opened.
pub(super) static TOP: Path = Path(Vec::new());

impl Path {
    /// Reads the form in an address: `3.1`.
    pub(crate) fn read(text: &str) -> Path {
        Path(text.split('.').filter_map(|n| n.parse().ok()).take(12).collect())
    }

    fn inside(&self, n: usize) -> String {
        let steps: Vec<String> = self.0.iter().chain([&n]).map(usize::to_string).collect();
        steps.join(".")
    }
}

/// An ask by the viewer's name for it, with the group of its answers that they have opened.
pub(crate) type Opened<'o> = Option<(&'o str, &'o Path)>;

/// The answers of an ask on the page at `base`, from a group on.
pub(crate) fn choices(
    base: &str,
    (table, who): (&Table, Viewer),
    (id, called): (AskId, &str),
    path: &Path,
) -> Markup {
    let mut menu = Menu::of(table.game(), id, who);
    let all = menu.count();
    for step in &path.0 {
        menu.pick(&step.to_string());
    }
    let within: Vec<&str> = menu.path().collect();
    html! {
        @if !within.is_empty() {
            p .within { (within.join(" · ")) " " a href={ (base) "?ask=" (called) } data-choices { "all of them" } }
        }
        @if all == 0 { p .soft { "Nothing is listed: say it in your own words to " (fracas_live::glance::name(table, Seat::Gm)) "." } }
        (rows(&menu, &Place { table, who, id, base, called }, path, &mut Sent::default()))
    }
}

/// The place of an ask: its page, and the viewer's name for it.
#[derive(Clone, Copy)]
struct Place<'p> {
    table: &'p Table,
    who: Viewer,
    id: AskId,
    base: &'p str,
    called: &'p str,
}

fn rows(menu: &Menu, place: &Place<'_>, path: &Path, sent: &mut Sent) -> Markup {
    let rows = menu.rows();
    let is_laid = |at: &usize| menu.choice(*at).is_some_and(|choice| choice.listed.laid.is_some());
    // A single group stands open: there are few answers beside it.
    let groups = rows.iter().filter(|row| matches!(row, Row::Many { .. })).count();
    let alone = path.0.is_empty() && groups == 1;
    html! {
        @for (n, row) in (1..).zip(&rows) {
            @match row {
                Row::One(at) => (choice(menu, place, *at, sent)),
                Row::Many { label, among, .. } => {
                    @let laid = among.iter().all(is_laid);
                    @let parts = || among.iter().filter_map(|at| menu.choice(*at)).flat_map(|choice| &choice.parts);
                    @let on = on(parts());
                    @let about = about(parts());
                    @if sent.has_room(among.len()) {
                        // Of the first groups one stands open at a time.
                        details .group open[alone && !laid] name=[path.0.is_empty().then(|| format!("what-{}", place.called))] data-laid[laid] data-on=[&about] data-keep={ "group-" (place.called) "-" (path.inside(n)) } {
                            summary { (face(place, &path.inside(n), label, on.as_deref())) (capital(label)) " " small { (among.len()) " answers" } }
                            (opened(menu, place, path, n, sent))
                        }
                    } @else {
                        a .group data-laid[laid] data-on=[&about] href={ (place.base) "?ask=" (place.called) "&in=" (path.inside(n)) } data-choices {
                            (face(place, &path.inside(n), label, on.as_deref())) (capital(label)) " " small { (among.len()) " answers" }
                        }
                    }
                },
            }
        }
    }
}

/// The emblem of the character whom a group of answers is about, if its label is their name.
fn face(place: &Place<'_>, group: &str, label: &str, on: Option<&str>) -> Markup {
    let is_name = on.is_some_and(|on| on == Names::slug_of(label));
    html! { @if is_name { (emblem(label, &format!("on-{}-{group}", place.called))) } }
}

/// The content of a group.
fn opened(menu: &Menu, place: &Place<'_>, path: &Path, n: usize, sent: &mut Sent) -> Markup {
    let mut inner = menu.clone();
    inner.pick(&n.to_string());
    let mut steps = path.0.clone();
    steps.push(n);
    rows(&inner, place, &Path(steps), sent)
}

/// A short hash of an answer, by which a page that is drawn again recognizes it.
pub(super) fn mark(answer: &str) -> String {
    let mut hasher = DefaultHasher::new();
    answer.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

fn choice(menu: &Menu, place: &Place<'_>, at: usize, sent: &mut Sent) -> Markup {
    let Some(choice) = menu.choice(at) else { return html! {} };
    // A list that cannot be grouped may have any length.
    let under = menu.path().last();
    let few = sent.answers < INLINE;
    let odds = few.then(|| place.table.game().odds(place.id, &choice.listed.answer, place.who)).flatten();
    sent.answers += 1;
    sent.odds += usize::from(odds.is_some());
    match menu.count() {
        1 if is_press(&choice.listed) => press(&choice.listed, odds.as_ref()),
        1 => card(choice, under, odds.as_ref(), Given::Only),
        _ if is_press(&choice.listed) && !place.table.game().is_grave(&choice.listed.answer, place.who) => {
            card(choice, under, odds.as_ref(), Given::ByPress)
        }
        _ => card(choice, under, odds.as_ref(), Given::ByButton),
    }
}

/// Whom parts of answers are about, by name; `None` if nobody.
fn on<'p>(parts: impl Iterator<Item = &'p Part<String>>) -> Option<String> {
    about(parts.filter(|part| matches!(part.kind, PartKind::Who | PartKind::Whom)))
}

/// Whom and what parts of answers are about, by name; `None` if nothing.
fn about<'p>(parts: impl Iterator<Item = &'p Part<String>>) -> Option<String> {
    let mut things: Vec<&str> = parts.flat_map(|part| part.things.iter().map(String::as_str)).collect();
    things.sort_unstable();
    things.dedup();
    (!things.is_empty()).then(|| things.join(" "))
}

/// The only answer of an ask, if nothing is laid or written with it. Its button shows it.
pub(super) fn only(table: &Table, who: Viewer, id: AskId) -> Option<Listed> {
    let mut listed = table.game().legal(id, who);
    listed.pop().filter(|last| listed.is_empty() && is_press(last))
}

/// Whether an answer needs no words and no laying.
fn is_press(listed: &Listed) -> bool {
    !listed.needs_words && listed.told.free.is_none() && listed.laid.is_none()
}

/// The odds and results that the button shows.
fn press(listed: &Listed, odds: Option<&Odds>) -> Markup {
    html! {
        div .only data-keep={ "answer-" (mark(&listed.answer)) } {
            input type="radio" name="answer" value=(listed.answer) checked hidden;
            @if !listed.told.leads.is_empty() { p .soft dir="auto" { (capital(&listed.told.leads)) } }
            @if let Some(odds) = odds { (super::odds::line(odds)) }
        }
    }
}

/// How an answer in a list is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// By pressing it, where there is a script.
    ByPress,
    /// By choosing it, then the button: it takes words, is laid, or ends something for everybody.
    ByButton,
    /// By the button: it is the only one, and stands chosen.
    Only,
}

/// An answer with its results and odds, in the group with the label `under`, which it does not repeat.
pub(super) fn card(choice: &Choice, under: Option<&str>, odds: Option<&Odds>, given: Given) -> Markup {
    let listed = &choice.listed;
    let answer = &listed.told;
    let again = |text: &str, under: &str| {
        let rest = text.get(under.len()..)?.strip_prefix(": ")?;
        text[..under.len()].eq_ignore_ascii_case(under).then(|| rest.to_owned())
    };
    let text = under.and_then(|under| again(&answer.text, under)).unwrap_or_else(|| answer.text.clone());
    // An answer with a place for free words takes the words there.
    let words = listed.needs_words.then_some(if answer.free.is_some() { "own" } else { "beside" });
    let hint = if listed.needs_words { "What do you do?" } else { "in your own words" };
    html! {
        label .choice data-keep={ "answer-" (mark(&listed.answer)) } data-laid=[listed.laid.as_ref()] data-words=[words] data-press[given == Given::ByPress] data-on=[about(choice.parts.iter())] {
            input type="radio" name="answer" value=(listed.answer) required checked[given == Given::Only];
            span .what {
                span .text dir="auto" { (capital(&text)) }
                @if !answer.leads.is_empty() { span .leads dir="auto" { (answer.leads) } }
                @if let Some(odds) = odds { (super::odds::line(odds)) }
            }
            @if answer.free.is_some() {
                span .own { input type="text" name="own" maxlength=(Label::MOST) placeholder=(hint) aria-label=(capital(hint)) autocomplete="off"; }
            }
        }
    }
}
