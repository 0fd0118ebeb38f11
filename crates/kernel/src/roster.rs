//! What every game reads of a setup alike: title, briefing, players and names.

use crate::{About, Card, Document, Faulty, Fields, Names, Prepared, Row, Seat, SeatInfo, SeatSet, Setup};
use std::sync::Arc;

/// The part of the rules that every game has.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// The title of the encounter.
    pub title: String,
    /// The gamemaster's briefing, by paragraphs.
    pub briefing: Vec<String>,
    /// The players' names, by place.
    pub players: Vec<String>,
    /// The names by which answers refer to things.
    pub names: Names,
    /// The library of the encounter and of latecomers.
    pub library: Arc<[Document]>,
}

/// The fault of a name that no reference can be made from.
pub(crate) fn cannot_be_referred_to(slug: &str) -> String {
    format!("{slug:?} cannot be referred to: give an `id` of lower-case letters, digits and hyphens")
}

impl Roster {
    /// Of a setup that is about to be read: nobody is at the table yet.
    pub fn new(setup: &Setup) -> Roster {
        Roster { library: setup.library.clone().into(), ..Roster::default() }
    }

    /// Reads what an encounter says about itself.
    pub fn begin(&mut self, top: &Fields<'_>) {
        top.text("title").unwrap_or("A table").clone_into(&mut self.title);
        let line = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let paragraphs = top.text("briefing").unwrap_or_default().split("\n\n").map(line);
        self.briefing = paragraphs.filter(|paragraph| !paragraph.is_empty()).collect();
        About::check(top);
        Prepared::check(top);
    }

    /// Reads every `[[player]]`.
    pub fn seat_players(&mut self, top: &Fields<'_>) {
        let players = top.tables("player");
        if players.is_empty() {
            top.fault("there is no [[player]]: at least one is needed");
        }
        for fields in players {
            self.seat(&fields, "name", fields.must_text("name"));
            fields.done();
        }
    }

    /// Seats the player whom a newcomer's table names, if they are new to the table.
    pub fn seat_newcomer(&mut self, fields: &Fields<'_>) {
        if let Some(name) = fields.text("player").filter(|name| !self.players.iter().any(|one| one == name)) {
            self.seat(fields, "player", name);
        }
    }

    /// Says what is missing where not every player has a character; `cast` is who plays each.
    pub fn everybody_plays(&self, top: &Fields<'_>, cast: &[Seat]) {
        if cast.iter().all(|seat| *seat == Seat::Gm) {
            top.fault("there is no [[character]]: at least one player's character is needed");
        }
        for (place, name) in self.players.iter().enumerate() {
            if !cast.contains(&Seat::Player(place as u8)) {
                top.fault(format!("player {name:?} has no [[character]]"));
            }
        }
    }

    /// A seat for a player of this name, which stands in `field`.
    pub fn seat(&mut self, fields: &Fields<'_>, field: &str, name: &str) {
        if self.players.len() >= usize::from(SeatSet::PLAYERS) {
            fields.fault(format!("too many players: {} at most", SeatSet::PLAYERS));
        } else if self.players.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            fields.fault_in(field, format!("two players are called {name:?}"));
        } else if name.eq_ignore_ascii_case("gm") || name.eq_ignore_ascii_case("chance") {
            fields.fault_in(field, format!("{name:?} is a seat of its own: call the player something else"));
        } else {
            self.players.push(name.to_owned());
        }
    }

    /// Adds a name of kind `letter` for what these fields say.
    pub fn add_name(&mut self, fields: &Fields<'_>, letter: char, slug: &str) {
        if !Names::is_slug(slug) {
            fields.fault(cannot_be_referred_to(slug));
        } else if !self.names.add(letter, slug) {
            fields.fault(format!("two things here are called {slug:?}: give one another `id`"));
        }
    }

    /// Adds the slug that these fields give as `id`, or else the slug made from `called`.
    pub fn slug(&mut self, fields: &Fields<'_>, letter: char, called: &str) -> String {
        let slug = Roster::slug_of(fields, called);
        self.add_name(fields, letter, &slug);
        slug
    }

    /// The slug that these fields give as `id`, or else the slug made from `called`.
    pub fn slug_of(fields: &Fields<'_>, called: &str) -> String {
        fields.text("id").map_or_else(|| Names::slug_of(called), str::to_owned)
    }

    /// The player of a seat.
    pub fn player_of(&self, seat: Seat) -> Option<&str> {
        match seat {
            Seat::Player(place) => self.players.get(usize::from(place)).map(String::as_str),
            _ => None,
        }
    }

    /// Calls a player's seat otherwise.
    pub fn rename(&mut self, seat: Seat, name: &str) {
        if let Seat::Player(place) = seat
            && let Some(player) = self.players.get_mut(usize::from(place))
        {
            name.clone_into(player);
        }
    }

    /// The seats at the table, the gamemaster first; `holds` gives the names of those that a seat plays.
    pub fn seats(&self, holds: impl Fn(Seat) -> Vec<String>) -> Vec<SeatInfo> {
        let info = |seat, name: &str| SeatInfo { seat, name: name.to_owned(), holds: holds(seat) };
        let players = self.players.iter().enumerate();
        std::iter::once(info(Seat::Gm, "gamemaster"))
            .chain(players.map(|(place, name)| info(Seat::Player(place as u8), name)))
            .collect()
    }

    /// The briefing as a card, if there is one.
    pub fn briefing_card(&self) -> Option<Card> {
        let row = |(n, text): (usize, &String)| Row::new((n + 1).to_string(), text);
        (!self.briefing.is_empty()).then(|| Card {
            id: "briefing".to_owned(),
            title: "Briefing".to_owned(),
            note: "for the gamemaster".to_owned(),
            group: "gamemaster".to_owned(),
            rows: self.briefing.iter().enumerate().map(row).collect(),
            ..Card::default()
        })
    }
}

impl Setup {
    /// These fields over the library's entry that they name with `use`, if they do. Where there is no such
    /// entry that is the one fault to tell: nothing comes back.
    pub fn over_library<'s>(&'s self, fields: Fields<'s>, list: &'static str) -> Option<Fields<'s>> {
        let Some(name) = fields.text("use") else { return Some(fields) };
        let base = self.must_entry(list, name, (&fields, "use"))?;
        Some(fields.over(Some(base)))
    }

    /// The library's entry of this name, in one of its lists, as a field names it. Where there is none
    /// that is a fault of the field.
    pub fn must_entry<'s>(
        &'s self,
        list: &'static str,
        name: &str,
        (fields, field): (&Fields<'s>, &str),
    ) -> Option<Fields<'s>> {
        let entry = self.entry(list, name, &fields.faults);
        if entry.is_none() {
            let near = self.near(list, name);
            fields.fault_in(field, format!("the library has no [[{list}]] called {name:?}{near}"));
        }
        entry
    }

    /// The library's entry of this name, in one of its lists.
    pub fn entry<'s>(&'s self, list: &'static str, name: &str, faults: &Faulty) -> Option<Fields<'s>> {
        self.library.iter().find_map(|document| document.fields(faults).entry(list, name))
    }
}
