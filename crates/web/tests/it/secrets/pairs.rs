//! Two worlds that look the same to a seat send it the same bytes.

use crate::common::program::{Program, Told};
use crate::common::{Browser, Reply, Server, Stream, overlay_of};
use crate::secrets::canaries::token;
use crate::secrets::forms::{Form, forms, groups, sheets};
use crate::secrets::worlds::{
    Guest, Planted, Play, all_setups, cookie, elsewhere, opened, plant, shown_at, shown_to, standing,
};
use fracas_kernel::{AnyTable, Names, Seat, Setup, System, Viewer};
use fracas_sim::Chance;
use fracas_suite::{lessened, renamed};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Steps of play between two moments that are compared.
const APART: u32 = 9;
/// The latest moment of a table that is compared.
const LAST: u32 = 40;
/// How many steps are taken in both worlds while the viewer looks on.
const STEPS: usize = 4;
/// Hidden entries of a setup that are dropped, one at a time.
const FEWER: usize = 2;
/// A name that nothing has.
const NOTHING: &str = "nothing-is-called-so";

/// Bytes that were compared.
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// Stories of made-up worlds that could not be told.
static UNTOLD: AtomicUsize = AtomicUsize::new(0);

/// Whether a header is the same in both worlds. The time of day is not, nor the remaining
/// quota at that moment.
fn is_compared(header: &str) -> bool {
    !["date:", "ratelimit:"].iter().any(|clocked| header.starts_with(clocked))
}

/// Two worlds that look the same to a viewer.
struct Pair {
    who: Viewer,
    /// Whether the gamemaster can tell them apart.
    differ: bool,
    /// The tables' ids.
    ids: [String; 2],
    /// Names to guess.
    guesses: Vec<String>,
}

/// One of the two, on a server, with its viewer.
pub(crate) struct World {
    id: String,
    viewer: Browser,
    pub(crate) gm: Browser,
    /// The address of the viewer's page, and of the gamemaster's.
    page: String,
    pub(crate) table: String,
    /// The viewer's program.
    program: Program,
}

impl World {
    pub(crate) fn at(server: &Server, id: &str, who: Viewer) -> World {
        let role = match who {
            Viewer::Spectator => "watch".to_owned(),
            Viewer::Seat(seat) => seat.to_string(),
        };
        let (viewer, page) =
            (Browser::known(&server.url, &cookie(1)), format!("{}/t/{id}/{role}", server.url));
        World {
            id: id.to_owned(),
            program: token(server, &viewer, &page),
            viewer,
            gm: Browser::known(&server.url, &cookie(0)),
            page,
            table: format!("{}/t/{id}/gm", server.url),
        }
    }

    /// The text without the ids of tables, which differ between any two.
    fn plain(&self, text: &str) -> String {
        text.replace(&self.id, "TABLE")
    }

    /// A whole response as it came over the wire, without the time of day.
    fn bytes(&self, reply: &Reply) -> String {
        let headers: Vec<&str> = reply.headers.lines().filter(|line| is_compared(line)).collect();
        self.plain(&format!("{} {:?}\n{}\n\n{}", reply.status, reply.to, headers.join("\n"), reply.body))
    }

    fn get(&self, path: &str) -> String {
        self.bytes(&self.viewer.get(&format!("{}{path}", self.page)))
    }

    fn post(&self, deed: &str, fields: &[(&str, &str)]) -> String {
        let url = format!("{}/{deed}", self.page);
        let scripted = self.viewer.act(&url, fields);
        format!("{}\n{}", self.bytes(&scripted), self.bytes(&self.viewer.post(&url, fields)))
    }

    /// Everything that the viewer's program can load now.
    fn for_programs(&self) -> Vec<(String, String)> {
        let plain = |response: Told| {
            let headers: Vec<&str> = response.headers.lines().filter(|line| is_compared(line)).collect();
            self.plain(&format!("{} {}\n\n{}", response.status, headers.join("\n"), response.body))
        };
        let at = |path: &str| format!("/tables/{}{path}", self.id);
        let mut all: Vec<(String, String)> =
            ["", "/view", "/lines?from=0", "/odds", "/story", "/log", "/carried", "/passes", "/people", "/x"]
                .map(|path| (format!("the API's {path}"), plain(self.program.get(&at(path)))))
                .into();
        for ask in self.program.get(&at("")).body["asks"].as_array().into_iter().flatten() {
            let ask = format!("/asks/{}", ask["ask"].as_str().expect("a name"));
            let listed = self.program.get(&at(&format!("{ask}/answers")));
            let preview = at(&format!("{ask}/preview"));
            let answers = listed.body["answers"].as_array().into_iter().flatten().take(3);
            for answer in
                answers.map(|answer| answer["answer"].clone()).chain([json!({ "no": "@such-thing" })])
            {
                let response = self.program.post(&preview, &json!({ "answer": answer }));
                all.push((format!("the API's {ask} {answer}"), plain(response)));
            }
            all.push((format!("the API's {ask}"), plain(listed)));
            let odds = self.program.get(&at(&format!("{ask}/answers?odds=true")));
            all.push((format!("the API's odds of {ask}"), plain(odds)));
        }
        all
    }

    /// Everything that the viewer can load now.
    pub(crate) fn everything(&self) -> Vec<(String, String)> {
        let page = self.viewer.get(&self.page).body;
        let mut paths: Vec<String> = [
            "",
            "?from=0",
            "/story",
            "/story.html",
            "/story.md",
            "/due",
            "/log",
            "/people",
            "/knock",
            "/choices",
            "/choices?ask=1.1",
            "/choices?ask=2.1",
            "/choices?ask=9.9&in=1",
        ]
        .map(str::to_owned)
        .into();
        for form in forms(&page) {
            let ask = form.ask.unwrap_or_default();
            paths.extend(["", "&in=1", "&in=2.1"].map(|rest| format!("/choices?ask={ask}{rest}")));
            paths.push(format!("?ask={ask}&in=1"));
        }
        paths.extend(groups(&page).into_iter().take(3).map(|query| format!("/choices?{query}")));
        paths.extend(sheets(&page).into_iter().take(3).map(|name| format!("/sheet/{name}")));
        let pages = paths.into_iter().map(|path| (format!("GET {path}"), self.get(&path)));
        let overlay = self.viewer.get(&overlay_of(&self.page));
        let overlay = [("GET the overlay".to_owned(), self.bytes(&overlay))];
        pages.chain(overlay).chain(self.for_programs()).collect()
    }

    /// The first thing that its viewer is asked.
    pub(crate) fn ask(&self) -> Option<String> {
        forms(&self.viewer.get(&self.page).body).into_iter().find_map(|form| form.ask)
    }

    /// Answers for its viewer; gives the status.
    pub(crate) fn answers(&self, ask: &str, answer: &str) -> u16 {
        let fields = [("ask", ask), ("answer", answer), ("aloud", "yes")];
        self.viewer.act(&format!("{}/answer", self.page), &fields).status
    }

    /// The replies to requests that must be refused.
    fn refusals(&self, tries: &[String]) -> Vec<(String, String)> {
        let page = self.viewer.get(&self.page).body;
        let mut asks: Vec<String> = forms(&page).into_iter().filter_map(|form| form.ask).collect();
        asks.extend(["1.1".to_owned(), "7.2".to_owned()]);
        let mut heard = Vec::new();
        for ask in &asks {
            for answer in ["{}", "{\"no\":\"@such-thing\"}", "\"\u{0}\"", "[["] {
                heard.push((
                    format!("{ask} {answer}"),
                    self.post("answer", &[("ask", ask), ("answer", answer)]),
                ));
            }
        }
        // Answers to other asks; those that fit here too would change something.
        let here = |answer: &String| page.contains(&answer.replace('"', "&quot;"));
        for answer in tries.iter().filter(|answer| !here(answer)) {
            let fields = [("ask", "0.9"), ("answer", answer.as_str())];
            heard.push((format!("stale {answer}"), self.post("answer", &fields)));
        }
        for (deed, fields) in [
            ("throw", &[("roll", "roll-1"), ("faces", "1 2 x")][..]),
            ("throw", &[("roll", "roll-3")]),
            ("note", &[("text", "x"), ("to", "player-99")]),
            ("note", &[("text", " ")]),
            ("stand", &[("reply", "{{{"), ("on", "yes")]),
            ("overrule", &[("form", "option")]),
            ("rewind", &[("to", "3")]),
            ("undo", &[]),
            ("resume", &[]),
            ("go-on", &[]),
            ("bot", &[("seat", "gm")]),
            ("links", &[("role", "gm")]),
            ("admit", &[("browser", "00")]),
        ] {
            heard.push((format!("{deed} {fields:?}"), self.post(deed, fields)));
        }
        heard
    }

    /// The replies to guessed names, in previews and in answers. Nothing that is hidden or
    /// missing may be in them.
    fn guessed(&self, guesses: &[String]) -> Vec<(String, String)> {
        let at = format!("/tables/{}", self.id);
        let sheet = |guess: &String| format!("/sheet/{}", guess.trim_start_matches('@'));
        let mut heard: Vec<(String, String)> =
            guesses.iter().map(|guess| (format!("the sheet of {guess}"), self.get(&sheet(guess)))).collect();
        for ask in self.program.get(&at).body["asks"].as_array().into_iter().flatten() {
            let name = ask["ask"].as_str().expect("a name");
            let listed = self.program.get(&format!("{at}/asks/{name}/answers"));
            let answers = listed.body["answers"].as_array().into_iter().flatten();
            let named =
                answers.map(|answer| answer["answer"].to_string()).find(|answer| answer.contains("\"@"));
            let Some(template) = named else { continue };
            for guess in guesses {
                let answer = renamed(&template, guess);
                let sent = json!({ "answer": serde_json::from_str::<Value>(&answer).expect("JSON") });
                let preview = self.program.post(&format!("{at}/asks/{name}/preview"), &sent);
                heard
                    .push((format!("a preview of {answer}"), format!("{} {}", preview.status, preview.body)));
                let refusal = self.post("answer", &[("ask", name), ("answer", &answer)]);
                heard.push((format!("the answer {answer}"), refusal));
            }
        }
        heard
    }

    /// The stream of a new tab, up to date.
    pub(crate) fn listen(&self) -> (Stream, String) {
        let stream = self.viewer.listen(&format!("{}/stream", self.page), None);
        let (id, data) = stream.next();
        (stream, self.plain(&format!("{id} {data}")))
    }

    /// What a stream has brought by now.
    pub(crate) fn caught_up(&self, stream: &Stream) -> String {
        let mark = mark(&self.viewer.get(&self.page).body);
        stream.up_to(&mark).into_iter().map(|(id, data)| self.plain(&format!("{id} {data}\n"))).collect()
    }

    pub(crate) fn log(&self) -> String {
        self.gm.get(&format!("{}/log", self.table)).body
    }
}

/// The position of a page.
fn mark(page: &str) -> String {
    let at = page.find("data-mark=\"").expect("a mark") + 11;
    page[at..].split('"').next().expect("its end").to_owned()
}

pub(crate) fn alike(who: Viewer, a: &[(String, String)], b: &[(String, String)]) {
    for ((asked, bytes), (_, other)) in a.iter().zip(b) {
        BYTES.fetch_add(bytes.len() + other.len(), Ordering::Relaxed);
        if bytes != other {
            let at = bytes.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            let near = |text: &str| {
                String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(90)..])
                    .chars()
                    .take(260)
                    .collect::<String>()
            };
            panic!(
                "{who} can tell two worlds apart by {asked}\nthis: …{}\nelse: …{}",
                near(bytes),
                near(other)
            );
        }
    }
    assert_eq!(a.len(), b.len(), "{who} is told more or less");
}

#[test]
fn of_two_worlds_that_look_the_same_the_bytes_are_the_same() {
    let data = tempfile::tempdir().expect("a folder");
    let mut planted = Vec::new();
    let mut all: Vec<(Pair, Vec<String>)> = Vec::new();
    for (s, system) in fracas_systems::all().iter().enumerate() {
        let before = all.len();
        let setups = all_setups(system);
        // In an ordinary run every sixth moment, or every fourth where there are few tables; of each table
        // other ones.
        let every = if fracas_suite::is_long() { 1 } else { 4 + 2 * usize::from(setups.len() > 8) };
        for (n, setup) in setups.iter().enumerate() {
            let mut play = Play::open(system, setup, 1 + n as u64);
            let mut tries = Vec::new();
            for moment in 0..LAST / APART {
                if (moment as usize + n / 2).is_multiple_of(every) {
                    let id = format!("s{s}t{n}m{moment}");
                    let made = pair_at(system, &play, moment + n as u32, &id, &mut planted);
                    all.extend(made.map(|pair| (pair, tries.clone())));
                }
                if !(0..APART).all(|_| play.step()) {
                    break;
                }
                tries = last_answers(&play);
            }
        }
        for (n, setup) in setups.iter().enumerate() {
            all.extend(fewer(system, setup, n, &format!("s{s}t{n}f"), &mut planted));
        }
        let differ = all[before..].iter().filter(|(pair, _)| pair.differ).count();
        let least = if fracas_suite::is_long() { 8 } else { 2 };
        assert!(differ > least, "{}: only {differ} pairs in which something is hidden", system.id);
    }
    plant(data.path(), &planted);
    let server = Server::with(data);
    let mut steps = 0;
    for (n, (pair, tries)) in all.iter().enumerate() {
        steps += compare(&server, pair, tries, n as u64);
    }
    let (worlds, bytes) = (2 * all.len(), BYTES.load(Ordering::Relaxed));
    println!("{worlds} worlds in pairs, {steps} steps, {bytes} bytes compared, none that differ");
    let untold = UNTOLD.load(Ordering::Relaxed);
    println!("{untold} stories of made-up worlds could not be told");
    assert!(100 * untold < steps, "{untold} stories of {steps} could not be told");
    assert!(steps > all.len(), "{steps} steps in {} pairs: they part too soon to show anything", all.len());
}

/// Plants a moment of play twice, if there is anything to hide at it.
fn pair_at(system: &System, play: &Play, turn: u32, id: &str, planted: &mut Vec<Planted>) -> Option<Pair> {
    let seats: Vec<Seat> =
        play.table.game().seats().iter().map(|info| info.seat).filter(|seat| *seat != Seat::Gm).collect();
    let who = match turn as usize % (seats.len() + 1) {
        0 => Viewer::Spectator,
        nth => Viewer::Seat(seats[nth - 1]),
    };
    let other = elsewhere(system, play, who, u64::from(turn) + 1)?;
    let this = standing(&play.log(), play.table.game());
    let gm = Viewer::Seat(Seat::Gm);
    let differ = shown_to(opened(&this).game(), gm) != shown_to(opened(&other).game(), gm);
    let ids = [format!("{id}a"), format!("{id}b")];
    for (id, log) in ids.iter().zip([this, other]) {
        let guests = vec![Guest::inside(Viewer::Seat(Seat::Gm), 0), Guest::inside(who, 1)];
        planted.push(Planted { id: id.clone(), log, guests });
    }
    Some(Pair { who, differ, ids, guesses: vec![NOTHING.to_owned(), "no".to_owned()] })
}

/// Plants the start of a table and of the same without a hidden entry, for some of those
/// that are hidden.
fn fewer(
    system: &System,
    setup: &Setup,
    turn: usize,
    id: &str,
    planted: &mut Vec<Planted>,
) -> Vec<(Pair, Vec<String>)> {
    let full = Play::open(system, setup, 1);
    let game = full.table.game();
    let seats = game.seats().into_iter().map(|info| Viewer::Seat(info.seat));
    let mut viewers: Vec<Viewer> = seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect();
    let turn = turn % viewers.len().max(1);
    viewers.rotate_left(turn);
    let slugs = |names: &Names| -> BTreeSet<String> {
        names.all().filter_map(|(letter, n)| names.slug(letter, n)).map(str::to_owned).collect()
    };
    let pair = |(nth, (dropped, lesser)): (usize, (String, Setup))| {
        let less = Play::open(system, &lesser, 1);
        let other = less.table.game();
        let (names, others) = (slugs(game.names()), slugs(other.names()));
        let cards = |game: &dyn AnyTable, who| json!(game.cards(who));
        let unseen = |who: &&Viewer| cards(game, **who) == cards(other, **who);
        let who = *viewers.iter().find(unseen)?;
        let view = other.view(who).to_string();
        for name in others.difference(&names) {
            let shown =
                [format!("\"{name}\""), format!("\"@{name}\"")].iter().any(|word| view.contains(word));
            assert!(!shown, "{}: dropping {dropped} renames what is then {name}", setup.encounter.name());
        }
        if !others.is_subset(&names) {
            return None;
        }
        let mut guesses: Vec<String> = names.difference(&others).cloned().collect();
        let begin = guesses.first()?.chars().take(3).collect();
        guesses.truncate(2);
        guesses.extend([begin, NOTHING.to_owned()]);
        let ids = [format!("{id}{nth}a"), format!("{id}{nth}b")];
        for (id, play) in ids.iter().zip([&full, &less]) {
            let log = standing(&play.log(), play.table.game());
            let guests = vec![Guest::inside(Viewer::Seat(Seat::Gm), 0), Guest::inside(who, 1)];
            planted.push(Planted { id: id.clone(), log, guests });
        }
        Some((Pair { who, differ: true, ids, guesses }, Vec::new()))
    };
    // Whole characters: a part of one may be known without being on a card.
    let whole = |(place, _): &(String, Setup)| place.matches('/').count() == 2;
    lessened(system, setup).into_iter().filter(whole).enumerate().filter_map(pair).take(FEWER).collect()
}

/// The last few answers that were given.
fn last_answers(play: &Play) -> Vec<String> {
    let answers = play.table.log().records().iter().rev().filter_map(|record| match &record.entry {
        fracas_table::Entry::Answer(answer) => Some(answer.answer.get().to_owned()),
        _ => None,
    });
    answers.take(3).collect()
}

/// Compares two worlds as they are, and while the same is done in both until a difference
/// shows. Returns how often they were equal.
fn compare(server: &Server, pair: &Pair, tries: &[String], seed: u64) -> usize {
    let who = pair.who;
    let worlds = pair.ids.each_ref().map(|id| World::at(server, id, who));
    let all = worlds.each_ref().map(World::everything);
    alike(who, &all[0], &all[1]);
    let refused = worlds.each_ref().map(|world| world.refusals(tries));
    alike(who, &refused[0], &refused[1]);
    let guessed = worlds.each_ref().map(|world| world.guessed(&pair.guesses));
    alike(who, &guessed[0], &guessed[1]);
    let (streams, first): (Vec<_>, Vec<_>) = worlds.iter().map(World::listen).unzip();
    alike(who, &[("a stream".to_owned(), first[0].clone())], &[(String::new(), first[1].clone())]);
    let mut chance = Chance::new(seed, 0);
    for step in 0..STEPS {
        if !act(&worlds, &mut chance) {
            return step;
        }
        let now = worlds.each_ref().map(|world| shown_at(&opened(&world.log()), who));
        if now[0] != now[1] {
            // A hidden difference has decided something that everybody sees.
            return step;
        }
        let heard: Vec<String> =
            worlds.iter().zip(&streams).map(|(world, stream)| world.caught_up(stream)).collect();
        alike(who, &[("its stream".to_owned(), heard[0].clone())], &[(String::new(), heard[1].clone())]);
        let pages = worlds.each_ref().map(|world| vec![("its page".to_owned(), world.get(""))]);
        alike(who, &pages[0], &pages[1]);
        let stories = worlds.each_ref().map(|world| vec![("its story".to_owned(), world.get("/story"))]);
        // The other world was made up, and did not come about by its log: it may not be played again.
        let is_made_up = pair.ids[1].contains('m');
        if !is_made_up || !stories[1][0].1.starts_with("500") {
            alike(who, &stories[0], &stories[1]);
        } else {
            assert!(stories[0][0].1.starts_with("200"), "{who}: {}", stories[0][0].1);
            UNTOLD.fetch_add(1, Ordering::Relaxed);
        }
    }
    STEPS
}

/// The gamemaster does the same in both worlds. In one of them it also writes a line that is for
/// nobody else, and counts.
fn act(worlds: &[World; 2], chance: &mut Chance) -> bool {
    let [a, b] = worlds.each_ref().map(|world| forms(&world.gm.get(&world.table).body));
    let note = [("text", "for nobody but me"), ("to", "gm")];
    assert_eq!(worlds[1].gm.act(&format!("{}/note", worlds[1].table), &note).status, 200);
    // It also counts there, where its encounter says what to count.
    let counts = !opened(&worlds[1].log()).log().header().prepared().tallies.is_empty();
    let counted = worlds[1].gm.act(&format!("{}/tally", worlds[1].table), &[("nth", "0"), ("by", "2")]);
    assert_eq!(counted.status, if counts { 200 } else { 422 }, "{}", counted.body);
    let both: Vec<(&Form, &Form)> =
        a.iter().zip(&b).filter(|(a, b)| a.deed == b.deed && a.of == b.of).collect();
    if both.is_empty() {
        return false;
    }
    let forms = both[chance.place(both.len())];
    let common: Vec<&String> =
        forms.0.answers.iter().filter(|answer| forms.1.answers.contains(answer)).collect();
    let answer = common.get(chance.place(common.len())).copied();
    if forms.0.ask.is_some() && answer.is_none() {
        return false;
    }
    [forms.0, forms.1].into_iter().zip(worlds).all(|(form, world)| {
        let fields = [
            ("ask", form.ask.as_ref()),
            ("roll", form.roll.as_ref()),
            ("of", form.of.as_ref()),
            ("answer", answer),
        ];
        let fields = fields.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?.as_str())));
        let fields: Vec<(&str, &str)> = fields.chain([("aloud", "yes")]).collect();
        world.gm.act(&format!("{}/{}", world.table, form.deed), &fields).status == 200
    })
}
