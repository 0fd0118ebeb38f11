//! A table with something hidden, and the same table without it.

use fracas_kernel::{AnyTable, AskId, Duty, Now, Seat, Seen, ShownTo, Viewer, Who};
use fracas_sim::Chance;
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Debug};

/// Steps after which a comparison is done with.
const STEPS: u32 = 60;
/// Listed answers whose odds are compared.
const ODDS: usize = 40;

/// Plays two tables alike, of which one has something hidden that the other lacks: whatever
/// anybody but the gamemaster is sent must be the same, byte by byte. Every name of either
/// is tried in every kind of answer and standing reply; gives how many bytes were compared.
///
/// `unheard` are fiats on what only `more` has: nobody else may hear of them.
///
/// # Panics
/// Where the two differ.
pub fn alike(mut more: Box<dyn AnyTable>, mut less: Box<dyn AnyTable>, unheard: &[&str], seed: u64) -> usize {
    let mut pair = Pair { chance: Chance::new(seed, 0), bytes: 0, tried: BTreeSet::new(), seed };
    pair.compare(&*more, &*less);
    for step in 0..STEPS {
        if !unheard.is_empty() && pair.chance.below(4) == 0 {
            let fiat = unheard[pair.chance.place(unheard.len())];
            let done = more.fiat(fiat, true).unwrap_or_else(|refused| panic!("{fiat}: {refused}"));
            for shown in done.shown {
                for who in others(&*more) {
                    assert_eq!(shown.to(who), None, "{who} hears of {fiat}");
                }
            }
            pair.compare(&*more, &*less);
        }
        let shown = match less.now() {
            Now::Over => break,
            Now::Roll(roll) => {
                let faces = pair.chance.throw(&roll.dice).to_vec();
                [&mut more, &mut less].map(|table| table.roll(&faces, true).map(|step| step.shown))
            }
            Now::Asks(asks) => {
                let at = pair.chance.place(asks.len());
                let listed = less.legal(asks[at].id, Viewer::Seat(Seat::Gm));
                let Some(answer) = listed.get(pair.chance.place(listed.len().max(1))) else { break };
                let seats: Vec<Seat> = match asks[at].who {
                    Who::All(seats) => seats.iter().collect(),
                    Who::One(seat) => vec![seat],
                    Who::Any(seats) => seats.iter().take(1).collect(),
                };
                let other = same_ask(&*more, &*less, at);
                // What is hidden may leave the gamemaster less room: that is told to nobody else.
                if seats == [Seat::Gm] && more.check(Seat::Gm, other, &answer.answer).is_err() {
                    continue;
                }
                [(&mut more, other), (&mut less, asks[at].id)].map(|(table, id)| {
                    let mut shown = Vec::new();
                    for &seat in &seats {
                        shown.extend(table.answer(seat, id, &answer.answer, true)?.shown);
                    }
                    Ok(shown)
                })
            }
        };
        let [this, other] =
            shown.map(|shown| shown.unwrap_or_else(|refused| panic!("step {step}: {refused}")));
        for who in others(&*more) {
            let heard = |all: &[fracas_kernel::Shown]| -> Vec<ShownTo> {
                all.iter().filter_map(|shown| shown.to(who).cloned()).collect()
            };
            pair.same(who, "hears", &heard(&this), &heard(&other));
        }
        pair.compare(&*more, &*less);
    }
    pair.bytes
}

/// Everybody but the gamemaster.
fn others(table: &dyn AnyTable) -> Vec<Viewer> {
    let seats = table.seats().into_iter().map(|info| Viewer::Seat(info.seat));
    seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect()
}

/// The ask of `more` that is the one at this place in `less`.
fn same_ask(more: &dyn AnyTable, less: &dyn AnyTable, at: usize) -> AskId {
    let (Now::Asks(these), Now::Asks(those)) = (more.now(), less.now()) else {
        panic!("one is asked for dice, the other is not: {:?}, {:?}", more.now(), less.now())
    };
    assert_eq!(these.len(), those.len(), "{these:?}, {those:?}");
    assert_eq!((these[at].who, these[at].kind), (those[at].who, those[at].kind));
    these[at].id
}

struct Pair {
    chance: Chance,
    bytes: usize,
    /// Which kinds of answer have been tried with every name, by who was asked.
    tried: BTreeSet<(Viewer, String)>,
    seed: u64,
}

impl Pair {
    #[track_caller]
    fn same<T: Debug>(&mut self, who: Viewer, what: &str, this: &T, other: &T) {
        let (this, other) = (format!("{this:?}"), format!("{other:?}"));
        self.bytes += this.len();
        assert!(
            this == other,
            "{who}, {what}, seed {}\nwith what is hidden: {this}\nwithout: {other}",
            self.seed
        );
    }

    fn compare(&mut self, more: &dyn AnyTable, less: &dyn AnyTable) {
        for who in others(more) {
            self.same(who, "view", &more.view(who), &less.view(who));
            self.same(who, "cards", &more.cards(who), &less.cards(who));
            self.same(who, "ending", &more.ending(who), &less.ending(who));
            if let Viewer::Seat(seat) = who {
                self.same(who, "worth", &more.worth(seat), &less.worth(seat));
            }
            match (more.now(), less.now()) {
                (Now::Asks(these), Now::Asks(_)) => {
                    for (at, ask) in these.iter().enumerate() {
                        let id = same_ask(more, less, at);
                        let Now::Asks(those) = less.now() else { continue };
                        self.asked((more, id), (less, those[at].id), who, (ask.who, ask.duty));
                    }
                }
                (this, other) => {
                    let seen = |now: &Now| matches!(now, Now::Roll(roll) if roll.seen == Seen::Openly);
                    self.same(who, "dice are due", &seen(&this), &seen(&other));
                    if seen(&this) {
                        self.same(who, "dice", &this, &other);
                        self.same(who, "why", &more.roll_told(who), &less.roll_told(who));
                        self.same(who, "odds", &more.roll_odds(who), &less.roll_odds(who));
                    }
                }
            }
        }
    }

    fn asked(
        &mut self,
        (more, this): (&dyn AnyTable, AskId),
        (less, other): (&dyn AnyTable, AskId),
        who: Viewer,
        (asked, duty): (Who, Duty),
    ) {
        let seat = match who {
            Viewer::Seat(seat) if asked.seats().contains(seat) => seat,
            _ if duty == Duty::Must => {
                return self.same(who, "waits", &more.waits(this, who), &less.waits(other, who));
            }
            _ => return,
        };
        self.same(who, "ask", &more.ask_told(this, who), &less.ask_told(other, who));
        self.same(who, "board", &more.board(this, who), &less.board(other, who));
        self.same(who, "declines", &more.decline(this), &less.decline(other));
        let listed = more.legal(this, who);
        self.same(who, "listed", &listed, &less.legal(other, who));
        for answer in listed.iter().take(ODDS) {
            let (one, two) = (more.odds(this, &answer.answer, who), less.odds(other, &answer.answer, who));
            self.same(who, "odds", &one, &two);
        }
        let names: Vec<String> = {
            let all = more.names().all().filter_map(|(letter, n)| more.names().slug(letter, n));
            all.map(str::to_owned).collect()
        };
        for answer in &listed {
            let (shape, places) = blanked(&answer.answer);
            if places == 0 || !self.tried.insert((who, shape)) {
                continue;
            }
            for (place, name) in (0..places).flat_map(|place| names.iter().map(move |name| (place, name))) {
                let tried = named(&answer.answer, place, name);
                let told = |table: &dyn AnyTable, id| {
                    (
                        table.preview(id, &tried, who),
                        table.check(seat, id, &tried),
                        table.odds(id, &tried, who),
                    )
                };
                self.same(who, &tried, &told(more, this), &told(less, other));
            }
        }
        for (reply, _) in more.standings() {
            for name in &names {
                let reply = reply.replace("@name", &format!("@{name}"));
                let told =
                    |table: &dyn AnyTable, id| (table.may_stand(seat, &reply), table.would_stand(id, &reply));
                self.same(who, &reply, &told(more, this), &told(less, other));
            }
        }
    }
}

/// An answer without what it names and its numbers, and how often it names something.
fn blanked(answer: &str) -> (String, usize) {
    let mut value: Value = serde_json::from_str(answer).unwrap_or_default();
    let mut places = 0;
    each(&mut value, &mut |text| {
        *text = if text.starts_with('@') {
            places += 1;
            "@".to_owned()
        } else {
            String::new()
        };
    });
    let shape = value.to_string().chars().filter(|c| !c.is_ascii_digit()).collect();
    (shape, places)
}

/// An answer with this name at one of the places where it names something.
fn named(answer: &str, place: usize, name: &str) -> String {
    let mut value: Value = serde_json::from_str(answer).unwrap_or_default();
    let mut at = 0;
    each(&mut value, &mut |text| {
        if text.starts_with('@') {
            if at == place {
                *text = format!("@{name}");
            }
            at += 1;
        }
    });
    value.to_string()
}

fn each(value: &mut Value, see: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(all) => all.iter_mut().for_each(|one| each(one, see)),
        Value::Object(all) => all.values_mut().for_each(|one| each(one, see)),
        _ => {}
    }
}
