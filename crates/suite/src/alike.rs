//! A table with something hidden, and the same table without it.

use crate::{Driven, pointed};
use fracas_kernel::{AnyTable, AskId, AskInfo, Duty, Now, Seat, Seen, Shown, ShownTo, Step, Viewer, Who};
use fracas_sim::Chance;
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Debug};

/// Steps after which a comparison is done with.
const STEPS: u32 = 60;
/// One step in so many begins play elsewhere.
const ELSEWHERE: u32 = 8;
/// The most steps of play elsewhere.
const LONGEST: u32 = 2_000;
/// Listed answers whose odds are compared.
const ODDS: usize = 40;

/// Plays two tables alike, of which one has something hidden that the other lacks. Everything
/// that players and spectators are sent must be the same, byte by byte. Every name of either
/// is tried in every kind of answer and standing reply. Gives the number of bytes compared.
///
/// `unheard` are fiats on things that only `more` has: nobody else may hear of them.
///
/// # Panics
/// Where the two differ.
pub fn alike(more: Box<dyn AnyTable>, less: Box<dyn AnyTable>, unheard: &[&str], seed: u64) -> usize {
    alike_but_for(more, less, unheard, &Elsewhere::default(), seed)
}

/// The gamemaster's unseen moves, made in only one of two tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elsewhere<'e> {
    /// The gamemaster's answers with which it begins; without any there is nothing elsewhere.
    pub begins: &'e [&'e str],
    /// Kinds of answers that are not given meanwhile, since others may hear of them.
    pub but: &'e [&'e str],
    /// The gamemaster's answer with which it ends, once the ask from before it is open again.
    pub ends: &'e str,
}

/// The same as [`alike`], with play elsewhere in `more` now and then: to its end, with all
/// dice, while players act in both. Nobody else may hear of it, and the players' asks stay
/// the same asks.
///
/// # Panics
/// Where the two differ.
pub fn alike_but_for(
    mut more: Box<dyn AnyTable>,
    mut less: Box<dyn AnyTable>,
    unheard: &[&str],
    elsewhere: &Elsewhere<'_>,
    seed: u64,
) -> usize {
    let mut pair = Pair::new(seed);
    pair.compare(&*more, &*less);
    for step in 0..STEPS {
        if !unheard.is_empty() && pair.chance.below(4) == 0 {
            let fiat = unheard[pair.chance.place(unheard.len())];
            pair.unheard((&mut *more, &*less), fiat, |more| more.fiat(fiat, true));
        }
        if pair.chance.below(ELSEWHERE) == 0 {
            pair.elsewhere(&mut *more, &mut *less, elsewhere);
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
            pair.same(who, "hears", &heard(&this, who), &heard(&other, who));
        }
        pair.compare(&*more, &*less);
    }
    pair.bytes
}

/// Plays the same steps ([`Driven::plays`]) at two tables of which the gamemaster alone knows what
/// differs. Before the first step and after each, everything that players and spectators are sent
/// must be the same, byte by byte; every name of either is tried.
///
/// # Panics
/// Where the two differ, and where a step is refused.
#[track_caller]
pub fn alike_through(mut tables: [Box<dyn AnyTable>; 2], steps: &str) {
    let mut pairs = [0; 2].map(Pair::new);
    for step in std::iter::once("").chain(steps.lines()) {
        let [this, other] = tables.each_mut().map(|table| table.plays(step));
        let [one, two] = &tables;
        for who in others(&**one) {
            pairs[0].same(who, step, &heard(&this, who), &heard(&other, who));
        }
        pairs[0].compare(&**one, &**two);
        pairs[1].compare(&**two, &**one);
    }
}

/// Everybody but the gamemaster.
fn others(table: &dyn AnyTable) -> Vec<Viewer> {
    let seats = table.seats().into_iter().map(|info| Viewer::Seat(info.seat));
    seats.filter(|who| !who.is_gm()).chain([Viewer::Spectator]).collect()
}

/// The lines shown to a viewer.
fn heard(all: &[Shown], who: Viewer) -> Vec<ShownTo> {
    all.iter().filter_map(|shown| shown.to(who).cloned()).collect()
}

fn is_own(ask: &AskInfo, who: Viewer) -> bool {
    matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(seat))
}

/// The asks to a viewer.
fn own(table: &dyn AnyTable, who: Viewer) -> Vec<AskInfo> {
    let Now::Asks(mut asks) = table.now_to(who) else { return Vec::new() };
    asks.retain(|ask| is_own(ask, who));
    asks
}

/// The ask for whose answer play waits on the gamemaster.
fn of_gm(table: &dyn AnyTable) -> Option<AskInfo> {
    own(table, Viewer::Seat(Seat::Gm)).into_iter().find(|ask| ask.duty == Duty::Must)
}

/// The ask of `more` at the place of this ask in `less`.
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
    fn new(seed: u64) -> Pair {
        Pair { chance: Chance::new(seed, 0), bytes: 0, tried: BTreeSet::new(), seed }
    }

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

    /// Does something in `more` that nobody but the gamemaster may notice.
    fn unheard<E: Debug>(
        &mut self,
        (more, less): (&mut dyn AnyTable, &dyn AnyTable),
        what: &str,
        act: impl FnOnce(&mut dyn AnyTable) -> Result<Step, E>,
    ) {
        let asked = |more: &dyn AnyTable| -> Vec<Vec<AskId>> {
            others(more)
                .into_iter()
                .map(|who| own(more, who).into_iter().map(|ask| ask.id).collect())
                .collect()
        };
        let before = asked(more);
        let done = act(more).unwrap_or_else(|refused| panic!("{what}: {refused:?}"));
        for who in others(more) {
            for shown in &done.shown {
                assert_eq!(shown.to(who), None, "{who} hears of {what}, seed {}", self.seed);
            }
        }
        assert_eq!(asked(more), before, "others are asked anew after {what}, seed {}", self.seed);
        self.compare(more, less);
    }

    /// Plays what is elsewhere, where it can begin now.
    fn elsewhere(&mut self, more: &mut dyn AnyTable, less: &mut dyn AnyTable, elsewhere: &Elsewhere<'_>) {
        let (Some(asked), Some(first)) = (of_gm(more), elsewhere.begins.first()) else { return };
        if of_gm(less).is_none_or(|ask| ask.kind != asked.kind)
            || more.check(Seat::Gm, asked.id, first).is_err()
        {
            return;
        }
        for answer in elsewhere.begins {
            let id = of_gm(more).expect("the gamemaster is asked").id;
            self.unheard((more, less), answer, |more| more.answer(Seat::Gm, id, answer, true));
        }
        for _ in 0..LONGEST {
            self.beside(more, less);
            if let Now::Roll(roll) = more.now() {
                let faces = self.chance.throw(&roll.dice).to_vec();
                self.unheard((more, less), "dice", |more| more.roll(&faces, true));
                continue;
            }
            let ask = of_gm(more).expect("the gamemaster is asked");
            if ask.kind == asked.kind {
                self.unheard((more, less), elsewhere.ends, |more| {
                    more.answer(Seat::Gm, ask.id, elsewhere.ends, true)
                });
                return;
            }
            let mut listed = more.legal(ask.id, Viewer::Seat(Seat::Gm));
            let is_left_out =
                |answer: &str| elsewhere.but.iter().any(|but| answer.contains(&format!("\"{but}\"")));
            listed.retain(|listed| !is_left_out(&listed.answer));
            // What brings things to an end is listed last.
            let at =
                if self.chance.below(3) == 0 { listed.len() - 1 } else { self.chance.place(listed.len()) };
            let answer = &listed[at].answer;
            self.unheard((more, less), answer, |more| more.answer(Seat::Gm, ask.id, answer, true));
        }
        panic!("what is elsewhere does not end, seed {}", self.seed);
    }

    /// Now and then a player answers in both what they are asked.
    fn beside(&mut self, more: &mut dyn AnyTable, less: &mut dyn AnyTable) {
        let all = others(more);
        let who = all[self.chance.place(all.len())];
        let ask = own(more, who).into_iter().zip(own(less, who)).next();
        let (Viewer::Seat(seat), Some((one, other))) = (who, ask) else { return };
        let listed = less.legal(other.id, who);
        if listed.is_empty() || self.chance.below(3) > 0 {
            return;
        }
        let answer = &listed[self.chance.place(listed.len())].answer;
        let this = more.answer(seat, one.id, answer, true);
        let that = less.answer(seat, other.id, answer, true);
        let [this, that] = [this, that]
            .map(|step| step.unwrap_or_else(|refused| panic!("{who}: {answer}: {refused}")).shown);
        for who in others(more) {
            self.same(who, "hears", &heard(&this, who), &heard(&that, who));
        }
        self.compare(more, less);
    }

    fn compare(&mut self, more: &dyn AnyTable, less: &dyn AnyTable) {
        for who in others(more) {
            self.same(who, "view", &more.view(who), &less.view(who));
            self.same(who, "cards", &more.cards(who), &less.cards(who));
            self.same(who, "stage", &more.stage(who, &[]), &less.stage(who, &[]));
            self.same(who, "ending", &more.ending(who), &less.ending(who));
            if let Viewer::Seat(seat) = who {
                self.same(who, "worth", &more.worth(seat), &less.worth(seat));
            }
            match (more.now_to(who), less.now_to(who)) {
                (Now::Asks(these), Now::Asks(those)) => {
                    let told = |asks: Vec<AskInfo>| -> Vec<AskInfo> {
                        asks.into_iter().filter(|ask| ask.duty == Duty::Must || is_own(ask, who)).collect()
                    };
                    let (these, those) = (told(these), told(those));
                    let asked = |asks: &[AskInfo]| {
                        asks.iter().map(|ask| (ask.who.seats(), ask.duty)).collect::<Vec<_>>()
                    };
                    self.same(who, "who is asked", &asked(&these), &asked(&those));
                    for (one, other) in these.iter().zip(&those) {
                        self.asked((more, one.id), (less, other.id), who, (one.who, one.duty));
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
        self.same(who, "map", &pointed::told(more, this, who), &pointed::told(less, other, who));
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
