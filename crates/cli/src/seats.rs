//! The seats of a table, and who answers for each: a person at this keyboard or the machine.

use crate::stop::Stop;
use fracas_kernel::{Seat, SeatInfo, Viewer};
use fracas_sim::BotKind;
use fracas_table::Log;

/// Who answers for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    /// A person at this terminal.
    Hand,
    /// A bot.
    Bot(BotKind),
}

/// A seat and its player.
#[derive(Clone, Debug)]
pub(crate) struct Chair {
    /// The seat, its player's name and its characters.
    pub(crate) info: SeatInfo,
    /// The names of the characters.
    pub(crate) plays: Vec<String>,
    /// Who answers for the seat.
    pub(crate) player: Player,
    /// Whether the player is absent, so that the gamemaster answers.
    pub(crate) absent: bool,
}

impl Chair {
    /// The seat's name with its characters: `Ana (Tamsin)`.
    pub(crate) fn called(&self) -> String {
        if self.info.seat == Seat::Gm || self.plays.is_empty() {
            capital(&self.info.name)
        } else {
            format!("{} ({})", self.info.name, self.plays.join(", "))
        }
    }

    /// The word after `@` that names the seat.
    pub(crate) fn handle(&self) -> String {
        let name = self.info.name.to_lowercase();
        match self.info.seat {
            Seat::Gm => "gm".to_owned(),
            _ if !name.is_empty() && !name.contains(char::is_whitespace) => name,
            seat => seat.to_string(),
        }
    }

    fn answers_to(&self, name: &str) -> bool {
        let same = |other: &str| other.to_lowercase() == name;
        self.info.seat.to_string() == name || same(&self.info.name) || self.characters().any(same)
    }

    fn begins_with(&self, name: &str) -> bool {
        let begins = |other: &str| other.to_lowercase().starts_with(name);
        begins(&self.info.name) || self.characters().any(begins)
    }

    /// Names of characters that find the seat. The gamemaster's characters may be hidden from
    /// players, so they find nothing.
    fn characters(&self) -> impl Iterator<Item = &str> {
        let named = self.info.seat != Seat::Gm;
        let all = self.info.holds.iter().chain(&self.plays).map(String::as_str);
        all.filter(move |_| named)
    }
}

/// Text with its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// All chairs at the table, the gamemaster's first.
#[derive(Clone, Debug)]
pub(crate) struct Seats(Vec<Chair>);

impl Seats {
    /// Seats that are all played by hand. `title` gives a character's name.
    pub(crate) fn new(seats: Vec<SeatInfo>, title: &dyn Fn(&str) -> String) -> Self {
        Seats(
            seats
                .into_iter()
                .map(|info| Chair {
                    plays: info.holds.iter().map(|slug| title(slug)).collect(),
                    info,
                    player: Player::Hand,
                    absent: false,
                })
                .collect(),
        )
    }

    /// The seats of a log, all played by hand.
    pub(crate) fn of(log: &Log) -> Self {
        let cast = log.cast();
        let seats = cast
            .iter()
            .map(|cast| SeatInfo { seat: cast.seat, name: cast.name.clone(), holds: cast.plays.clone() })
            .collect();
        Seats::new(seats, &str::to_owned)
    }

    /// Whether the seats and their characters are these.
    pub(crate) fn are(&self, seats: &[SeatInfo]) -> bool {
        self.0.len() == seats.len() && self.0.iter().zip(seats).all(|(chair, info)| chair.info == *info)
    }

    /// Copies from `before` who answers for each player. New players are played by hand.
    #[must_use]
    pub(crate) fn after(mut self, before: &Seats) -> Self {
        for chair in &mut self.0 {
            let same = before.chair(chair.info.seat).filter(|old| old.info.name == chair.info.name);
            if let Some(old) = same {
                (chair.player, chair.absent) = (old.player, old.absent);
            }
        }
        self
    }

    /// The seat that answers for this one: the seat itself, or the gamemaster while its player is
    /// absent.
    pub(crate) fn sitter(&self, seat: Seat) -> Seat {
        if self.chair(seat).is_some_and(|chair| chair.absent) { Seat::Gm } else { seat }
    }

    /// Marks a player as absent or present, and gives the seat.
    ///
    /// # Errors
    /// If no seat has this name, or the gamemaster cannot answer for it.
    pub(crate) fn absent(&mut self, name: &str, absent: bool) -> Result<Seat, String> {
        let seat = self.find(name)?;
        if seat == Seat::Gm {
            return Err("nobody stands in for the gamemaster: let the machine be it (--bot gm=greedy)".into());
        }
        if !self.by_hand(seat) {
            return Err(format!("{} is played by the machine", self.called(seat)));
        }
        if absent && !self.by_hand(Seat::Gm) {
            return Err(format!(
                "the machine is the gamemaster, and answers for nobody else: let it play {name} too (--bot {seat}=greedy)"
            ));
        }
        for chair in self.0.iter_mut().filter(|chair| chair.info.seat == seat) {
            chair.absent = absent;
        }
        Ok(seat)
    }

    /// Applies the `--absent` arguments.
    pub(crate) fn absentees(&mut self, given: &[String]) -> Result<(), Stop> {
        for argument in given {
            if matches!(argument.as_str(), "none" | "nobody") {
                self.0.iter_mut().for_each(|chair| chair.absent = false);
                continue;
            }
            self.absent(argument, true).map_err(|what| Stop::bad(format!("--absent {argument}: {what}")))?;
        }
        Ok(())
    }

    /// The seats whose players are absent.
    pub(crate) fn away(&self) -> impl Iterator<Item = Seat> {
        self.0.iter().filter(|chair| chair.absent).map(|chair| chair.info.seat)
    }

    /// Every chair.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Chair> {
        self.0.iter()
    }

    /// The chair of a seat.
    pub(crate) fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.0.iter().find(|chair| chair.info.seat == seat)
    }

    /// A seat's name with its characters.
    pub(crate) fn called(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| seat.to_string(), Chair::called)
    }

    /// The name of a seat's player.
    pub(crate) fn name(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| seat.to_string(), |chair| capital(&chair.info.name))
    }

    /// The system's word for the gamemaster, as it stands within a sentence.
    pub(crate) fn gamemaster(&self) -> &str {
        self.chair(Seat::Gm).map_or("gamemaster", |chair| &chair.info.name)
    }

    /// The word after `@` that names a seat.
    pub(crate) fn handle(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| seat.to_string(), Chair::handle)
    }

    /// Whether a seat is played at this terminal.
    pub(crate) fn by_hand(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.player == Player::Hand)
    }

    /// The seats played at this terminal.
    pub(crate) fn hands(&self) -> impl Iterator<Item = Seat> {
        self.0.iter().filter(|c| c.player == Player::Hand).map(|c| c.info.seat)
    }

    /// The viewer of the story: the only seat played here, else a spectator.
    pub(crate) fn teller(&self) -> Viewer {
        let mut hands = self.hands();
        match (hands.next(), hands.next()) {
            (Some(seat), None) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    /// The seat of a person who plays alone: the first player's, or the gamemaster's if there are
    /// no players.
    pub(crate) fn first(&self) -> Option<&Chair> {
        self.0.iter().find(|chair| chair.info.seat != Seat::Gm).or(self.0.first())
    }

    /// Lets the machine play all seats but [`Seats::first`].
    pub(crate) fn alone(&mut self) {
        let first = self.first().map(|chair| chair.info.seat);
        for chair in &mut self.0 {
            let is_first = Some(chair.info.seat) == first;
            chair.player = if is_first { Player::Hand } else { Player::Bot(BotKind::Greedy) };
        }
    }

    /// Sets who answers for a seat.
    pub(crate) fn seat(&mut self, seat: Seat, player: Player) {
        for chair in self.0.iter_mut().filter(|chair| chair.info.seat == seat) {
            chair.player = player;
        }
    }

    /// Finds a seat by its id, its player's name or a character's name, or by the beginning of
    /// such a name.
    ///
    /// # Errors
    /// If no seat has this name, or several do.
    pub(crate) fn find(&self, name: &str) -> Result<Seat, String> {
        let wanted = name.trim_start_matches('@').to_lowercase();
        let wanted = if wanted == "gamemaster" { "gm" } else { wanted.as_str() };
        let exact: Vec<&Chair> = self.0.iter().filter(|c| c.answers_to(wanted)).collect();
        let near: Vec<&Chair> =
            self.0.iter().filter(|c| !wanted.is_empty() && c.begins_with(wanted)).collect();
        match (&exact[..], &near[..]) {
            ([chair], _) | ([], [chair]) => Ok(chair.info.seat),
            _ => {
                let known: Vec<String> = self.0.iter().map(Chair::handle).collect();
                Err(format!("nobody here is called {name:?}: there are {}", known.join(", ")))
            }
        }
    }

    /// Finds a viewer by name.
    pub(crate) fn viewer(&self, name: &str) -> Result<Viewer, String> {
        if name == "spectator" { Ok(Viewer::Spectator) } else { self.find(name).map(Viewer::Seat) }
    }

    /// Applies the `--bot` arguments.
    pub(crate) fn bots(&mut self, given: &[String]) -> Result<(), Stop> {
        for argument in given {
            self.machine(argument).map_err(|what| Stop::bad(format!("--bot {argument}: {what}")))?;
        }
        Ok(())
    }

    /// Applies `SEAT=random|greedy`, `SEAT` for greedy, or `none`.
    ///
    /// Players whose seats the machine plays are no longer absent. If the machine plays the
    /// gamemaster, nobody is.
    pub(crate) fn machine(&mut self, argument: &str) -> Result<(), String> {
        self.seat_machine(argument)?;
        let gm = self.by_hand(Seat::Gm);
        for chair in &mut self.0 {
            chair.absent &= gm && chair.player == Player::Hand;
        }
        Ok(())
    }

    fn seat_machine(&mut self, argument: &str) -> Result<(), String> {
        if matches!(argument, "none" | "nobody") {
            self.0.iter_mut().for_each(|chair| chair.player = Player::Hand);
            return Ok(());
        }
        let (name, kind) = argument.split_once('=').unwrap_or((argument, word(BotKind::Greedy)));
        let kind = bot(kind)?;
        if matches!(name, "all" | "everybody") {
            self.0.iter_mut().for_each(|chair| chair.player = Player::Bot(kind));
        } else {
            let seat = self.find(name)?;
            self.seat(seat, Player::Bot(kind));
        }
        Ok(())
    }

    /// Applies a line such as `gm, ana=random and Bo`.
    pub(crate) fn machines(&mut self, line: &str) -> Result<(), String> {
        let mut tried = self.clone();
        for word in line.split([' ', ',', ';', '&']).filter(|word| !word.is_empty()) {
            match word.to_lowercase().as_str() {
                "and" | "the" => {}
                none @ ("none" | "nobody") => tried.machine(none)?,
                _ => tried.machine(word)?,
            }
        }
        *self = tried;
        Ok(())
    }

    /// The seats that bots play.
    pub(crate) fn played(&self) -> Vec<(Seat, BotKind)> {
        self.0
            .iter()
            .filter_map(|chair| match chair.player {
                Player::Bot(kind) => Some((chair.info.seat, kind)),
                Player::Hand => None,
            })
            .collect()
    }

    /// The arguments that restore these seats.
    pub(crate) fn as_arguments(&self) -> String {
        let absent: String = self.away().map(|seat| format!(" --absent {seat}")).collect();
        let bots = self.played();
        if let Some(&(_, kind)) = bots.first()
            && bots.len() == self.0.len()
            && bots.iter().all(|(_, k)| *k == kind)
        {
            return format!(" --bot all={}", word(kind));
        }
        let bots: String = bots.iter().map(|(seat, kind)| format!(" --bot {seat}={}", word(*kind))).collect();
        bots + &absent
    }
}

/// The kind of bot that a word names.
pub(crate) fn bot(word: &str) -> Result<BotKind, String> {
    match word {
        "random" => Ok(BotKind::Random),
        "greedy" => Ok(BotKind::Greedy),
        _ => Err(format!("there is no bot {word:?}: random or greedy")),
    }
}

/// The word for a kind of bot.
pub(crate) const fn word(kind: BotKind) -> &'static str {
    match kind {
        BotKind::Random => "random",
        BotKind::Greedy => "greedy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats() -> Seats {
        let info = |seat, name: &str, holds: &[&str]| SeatInfo {
            seat,
            name: name.into(),
            holds: holds.iter().map(|h| (*h).to_owned()).collect(),
        };
        Seats::new(
            vec![
                info(Seat::Gm, "gamemaster", &["gatewarden"]),
                info(Seat::Player(0), "Ana", &["tamsin"]),
                info(Seat::Player(1), "Anton", &["corin", "mule"]),
            ],
            &|slug| slug.to_uppercase(),
        )
    }

    #[test]
    fn a_seat_answers_to_many_names() {
        for (name, seat) in [
            ("gm", Seat::Gm),
            ("Gamemaster", Seat::Gm),
            ("player-2", Seat::Player(1)),
            ("ana", Seat::Player(0)),
            ("ANT", Seat::Player(1)),
            ("@mule", Seat::Player(1)),
            ("TAMSIN", Seat::Player(0)),
        ] {
            assert_eq!(seats().find(name), Ok(seat), "{name}");
        }
        assert_eq!(seats().find("an").unwrap_err(), "nobody here is called \"an\": there are gm, ana, anton");
        assert!(seats().find("").is_err());
    }

    #[test]
    fn bots_are_seated_and_told_again() {
        let mut table = seats();
        table.bots(&["gm=greedy".into(), "Anton=random".into()]).unwrap();
        assert_eq!(table.as_arguments(), " --bot gm=greedy --bot player-2=random");
        assert_eq!(table.hands().collect::<Vec<_>>(), [Seat::Player(0)]);
        table.bots(&["all=random".into()]).unwrap();
        assert_eq!(table.as_arguments(), " --bot all=random");
        table.bots(&["none".into(), "gm".into()]).unwrap();
        assert_eq!(table.as_arguments(), " --bot gm=greedy");
        assert!(table.bots(&["gm=clever".into()]).is_err());
        assert!(table.bots(&["nobody=random".into()]).is_err());
        table.bots(&["none".into()]).unwrap();
        assert_eq!(table.as_arguments(), "");
    }

    #[test]
    fn the_gamemaster_stands_in_for_who_is_absent() {
        let mut table = seats();
        table.absentees(&["anton".into()]).unwrap();
        assert_eq!(
            (table.sitter(Seat::Player(1)), table.sitter(Seat::Player(0))),
            (Seat::Gm, Seat::Player(0))
        );
        assert_eq!(table.as_arguments(), " --absent player-2");
        table.bots(&["ana=random".into()]).unwrap();
        assert_eq!(table.as_arguments(), " --bot player-1=random --absent player-2");
        assert!(table.absentees(&["ana".into()]).is_err(), "the machine is there");
        assert!(table.absentees(&["gm".into()]).is_err() && table.absentees(&["zed".into()]).is_err());
        table.bots(&["gm=random".into()]).unwrap();
        assert_eq!(table.away().count(), 0, "a machine stands in for nobody");
        assert!(table.absentees(&["anton".into()]).is_err());
        table.bots(&["none".into()]).unwrap();
        table.absentees(&["anton".into(), "none".into()]).unwrap();
        assert_eq!(table.as_arguments(), "");
    }

    #[test]
    fn a_new_player_sits_at_this_keyboard() {
        let mut before = seats();
        before.bots(&["ana=greedy".into()]).unwrap();
        before.absentees(&["anton".into()]).unwrap();
        let mut now: Vec<SeatInfo> = before.iter().map(|chair| chair.info.clone()).collect();
        assert!(before.are(&now));
        now.push(SeatInfo { seat: Seat::Player(2), name: "Cy".into(), holds: vec![] });
        assert!(!before.are(&now));
        let after = Seats::new(now, &str::to_owned).after(&before);
        assert_eq!(after.as_arguments(), " --bot player-1=greedy --absent player-2");
        assert!(after.by_hand(Seat::Player(2)));
    }

    #[test]
    fn machines_are_named_in_plain_words() {
        let mut table = seats();
        table.machines("the gm, ana=random and Anton").unwrap();
        assert_eq!(table.as_arguments(), " --bot gm=greedy --bot player-1=random --bot player-2=greedy");
        let refusal = table.machines("gm and zed").unwrap_err();
        assert!(refusal.starts_with("nobody here is called") && !refusal.contains("--bot"), "{refusal}");
        assert_eq!(table.played().len(), 3, "nothing has changed");
        table.machines("nobody").unwrap();
        assert!(table.played().is_empty());
    }
}
