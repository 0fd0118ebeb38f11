//! A request that is sent again is not done again; of two at once, one is done and the other
//! told so.

use crate::common::{Browser, Server, fields, join};
use crate::secrets::forms::forms;
use fracas_sim::Chance;
use std::{collections::BTreeSet, sync::Barrier, thread};

/// A table with a person at each of its seats, each with their page.
struct Seated {
    seats: Vec<(Browser, String)>,
    lines: usize,
    /// The actions that were done.
    done: BTreeSet<String>,
    sent: usize,
}

impl Seated {
    fn at(server: &Server, system: &str, encounter: &str, players: usize) -> Seated {
        let (gm, table) = server.table(system, encounter, &[]);
        let players: Vec<_> =
            (1..=players).map(|n| join(&gm, &table, &format!("player-{n}"), &format!("P{n}"))).collect();
        let mut seats = vec![(gm, table)];
        seats.extend(players);
        Seated { seats, lines: 0, done: BTreeSet::new(), sent: 0 }
    }

    fn count(&self) -> usize {
        let (gm, page) = &self.seats[0];
        gm.get(&format!("{page}/log")).body.lines().count()
    }

    /// Sends the same three times; it is done once, whatever the result.
    fn thrice(&mut self, seat: usize, deed: &str, fields: &[(&str, &str)]) -> bool {
        self.sent += 1;
        let (browser, page) = &self.seats[seat];
        let key = format!("key-{}", self.sent);
        let mut fields = fields.to_vec();
        fields.push(("key", &key));
        let first = browser.act(&format!("{page}/{deed}"), &fields);
        let lines = self.count();
        if first.status != 200 {
            assert_eq!(lines, self.lines, "refused, {deed} has left something: {}", first.body);
            return false;
        }
        assert!(lines > self.lines, "{deed} was done and has left nothing");
        for _ in 0..2 {
            let again = browser.act(&format!("{page}/{deed}"), &fields);
            assert_eq!((again.status, &again.body), (200, &first.body), "{deed} sent again");
            assert_eq!(self.count(), lines, "{deed} was done twice");
        }
        self.lines = lines;
        self.done.insert(deed.to_owned());
        true
    }
}

#[test]
fn the_same_command_three_times_makes_one_entry() {
    let server = Server::start();
    let mut chance = Chance::new(5, 0);
    let mut done = BTreeSet::new();
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("encounters")[0];
        let mut table = Seated::at(&server, system.id, &encounter.id, 2);
        table.lines = table.count();
        let options = |table: &Seated| {
            let (gm, page) = &table.seats[0];
            let page = gm.get(&format!("{page}/overrule?form=option")).body;
            let values = page.split("value=\"{").skip(1).filter_map(|rest| rest.split('"').next());
            values.map(|value| format!("{{{}", value.replace("&quot;", "\""))).collect::<Vec<_>>()
        };
        for option in options(&table) {
            if table.thrice(0, "overrule", &[("form", "option"), ("it", &option)]) {
                break;
            }
        }
        for step in 0..40 {
            table.thrice(step % 3, "note", &[("text", "Well, well."), ("to", "all")]);
            let seat = chance.place(table.seats.len());
            let page = table.seats[seat].0.get(&table.seats[seat].1).body;
            let standing = fields(&page, "form");
            if let Some(reply) = standing.first() {
                table.thrice(seat, "stand", &[("form", reply), ("on", "yes")]);
                table.thrice(seat, "stand", &[("form", reply), ("on", "no")]);
            }
            let offered = forms(&page);
            let Some(form) = offered.get(chance.place(offered.len())) else { continue };
            let answer = form.answers.get(chance.place(form.answers.len()));
            let all = [
                ("ask", form.ask.as_ref()),
                ("roll", form.roll.as_ref()),
                ("of", form.of.as_ref()),
                ("answer", answer),
            ];
            let fields = all.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?.as_str())));
            let filled: Vec<(&str, &str)> = fields.chain([("aloud", "yes")]).collect();
            if table.thrice(seat, &form.deed, &filled) && step % 4 == 0 {
                table.thrice(seat, "take-back", &[]);
            }
        }
        table.thrice(0, "undo", &[]);
        table.thrice(0, "rewind", &[("to", "1")]);
        done.extend(table.done);
    }
    let all = ["answer", "note", "overrule", "rewind", "stand", "take-back", "throw", "undo"];
    assert!(done.iter().eq(all), "not everything was done: {done:?}");
}

#[test]
fn the_same_command_three_times_at_once_makes_one_entry() {
    let server = Server::start();
    let system = fracas_systems::all()[0].id;
    let encounter = &fracas_systems::encounters(&fracas_systems::all()[0]).expect("encounters")[0].id;
    let (gm, table) = server.table(system, encounter, &[]);
    for n in 0..10 {
        let (barrier, key) = (Barrier::new(3), format!("at-once-{n}"));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    barrier.wait();
                    let fields = [("text", "Only once."), ("to", "all"), ("key", key.as_str())];
                    let done = gm.act(&format!("{table}/note"), &fields);
                    assert_eq!(done.status, 200, "{}", done.body);
                });
            }
        });
    }
    assert_eq!(gm.get(&format!("{table}/log")).body.matches("Only once.").count(), 10);
}

#[test]
fn of_two_tabs_that_answer_at_once_one_is_taken_and_one_is_told_so() {
    let server = Server::start();
    for system in fracas_systems::all() {
        let encounter = &fracas_systems::encounters(system).expect("encounters")[0];
        let (gm, table) = server.table(system.id, &encounter.id, &[]);
        let page = gm.get(&table).body;
        let offered =
            forms(&page).into_iter().find(|form| !form.answers.is_empty()).expect("something is asked");
        let ask = offered.ask.expect("its ask");
        let of = offered.of;
        let barrier = Barrier::new(2);
        let mut replies: Vec<(u16, String)> = thread::scope(|scope| {
            let tabs: Vec<_> = [offered.answers.first(), offered.answers.last()]
                .into_iter()
                .map(|answer| {
                    let (gm, table, ask, of, barrier) = (&gm, &table, &ask, &of, &barrier);
                    scope.spawn(move || {
                        let mut fields = vec![("ask", ask.as_str()), ("text", "what I wrote meanwhile")];
                        fields.push(("answer", answer.expect("an answer").as_str()));
                        fields.extend(of.as_deref().map(|of| ("of", of)));
                        barrier.wait();
                        let done = gm.post(&format!("{table}/answer"), &fields);
                        (done.status, done.body)
                    })
                })
                .collect();
            tabs.into_iter().map(|tab| tab.join().expect("no panic")).collect()
        });
        replies.sort();
        assert_eq!((replies[0].0, replies[1].0), (303, 409), "{}", system.id);
        assert!(replies[1].1.contains("You wrote: <q>what I wrote meanwhile</q>"), "{}", replies[1].1);
        assert_eq!(gm.get(&format!("{table}/log")).body.matches("what I wrote meanwhile").count(), 1);
    }
}
