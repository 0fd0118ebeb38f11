//! Who sits where: at this keyboard, or played by the machine.

use crate::stop::Stop;
use fracas_kernel::{Seat, SeatInfo, Viewer};
use fracas_sim::BotKind;

/// Who answers for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    /// Somebody at this terminal.
    Hand,
    /// The machine.
    Bot(BotKind),
}

/// A seat that answers.
#[derive(Clone, Debug)]
pub(crate) struct Chair {
    /// Which seat, its player's name, what it holds.
    pub(crate) info: SeatInfo,
    /// What its characters are called.
    pub(crate) plays: Vec<String>,
    /// Who answers for it.
    pub(crate) player: Player,
    /// Whether its player is not here, and the gamemaster answers instead.
    pub(crate) absent: bool,
}

impl Chair {
    /// The seat as people say it: `Ana (Tamsin)`.
    pub(crate) fn called(&self) -> String {
        if self.info.seat == Seat::Gm || self.plays.is_empty() {
            capital(&self.info.name)
        } else {
            format!("{} ({})", self.info.name, self.plays.join(", "))
        }
    }

    /// What to type after `@` for it.
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

    /// Names of characters by which the seat is called. The gamemaster's may be hidden
    /// from players, so nobody is found by those.
    fn characters(&self) -> impl Iterator<Item = &str> {
        let named = self.info.seat != Seat::Gm;
        let all = self.info.holds.iter().chain(&self.plays).map(String::as_str);
        all.filter(move |_| named)
    }
}

/// Text with its first letter large.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// Every chair at the table, the gamemaster's first.
#[derive(Clone, Debug)]
pub(crate) struct Seats(Vec<Chair>);

impl Seats {
    /// Everybody by hand. `title` gives what a character is called.
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

    /// Whether these are the seats, with what they hold.
    pub(crate) fn are(&self, seats: &[SeatInfo]) -> bool {
        self.0.len() == seats.len() && self.0.iter().zip(seats).all(|(chair, info)| chair.info == *info)
    }

    /// Takes over who answers for whom: whoever is new is by hand.
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

    /// Who answers for a seat at this terminal: its player, or the gamemaster
    /// while the player is absent.
    pub(crate) fn sitter(&self, seat: Seat) -> Seat {
        if self.chair(seat).is_some_and(|chair| chair.absent) { Seat::Gm } else { seat }
    }

    /// Lets the gamemaster answer for a seat, or its own player again.
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

    /// Reads the `--absent` arguments.
    pub(crate) fn absentees(&mut self, given: &[String]) -> Result<(), Stop> {
        for one in given {
            if matches!(one.as_str(), "none" | "nobody") {
                self.0.iter_mut().for_each(|chair| chair.absent = false);
                continue;
            }
            self.absent(one, true).map_err(|what| Stop::bad(format!("--absent {one}: {what}")))?;
        }
        Ok(())
    }

    /// The seats for which the gamemaster answers.
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

    /// A seat as people say it.
    pub(crate) fn called(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| seat.to_string(), Chair::called)
    }

    /// A seat's player by name alone.
    pub(crate) fn name(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| seat.to_string(), |chair| capital(&chair.info.name))
    }

    /// Whether a seat is played at this terminal.
    pub(crate) fn by_hand(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.player == Player::Hand)
    }

    /// The seats played at this terminal.
    pub(crate) fn hands(&self) -> impl Iterator<Item = Seat> {
        self.0.iter().filter(|c| c.player == Player::Hand).map(|c| c.info.seat)
    }

    /// Whose eyes a story of the evening is told through: the only seat played
    /// here, or everybody's.
    pub(crate) fn teller(&self) -> Viewer {
        let mut hands = self.hands();
        match (hands.next(), hands.next()) {
            (Some(one), None) => Viewer::Seat(one),
            _ => Viewer::Spectator,
        }
    }

    /// The seat of somebody who plays alone: the first player's, or the gamemaster's where
    /// there is no player.
    pub(crate) fn first(&self) -> Option<&Chair> {
        self.0.iter().find(|chair| chair.info.seat != Seat::Gm).or(self.0.first())
    }

    /// Lets the machine play everybody but [`Seats::first`].
    pub(crate) fn alone(&mut self) {
        let first = self.first().map(|chair| chair.info.seat);
        for chair in &mut self.0 {
            let is_first = Some(chair.info.seat) == first;
            chair.player = if is_first { Player::Hand } else { Player::Bot(BotKind::Greedy) };
        }
    }

    /// Seats somebody at this terminal, or the machine.
    pub(crate) fn seat(&mut self, seat: Seat, player: Player) {
        for chair in self.0.iter_mut().filter(|chair| chair.info.seat == seat) {
            chair.player = player;
        }
    }

    /// The seat that answers to a name: its own, a player's, a character's, or
    /// the beginning of one where only one begins so.
    pub(crate) fn find(&self, name: &str) -> Result<Seat, String> {
        let wanted = name.trim_start_matches('@').to_lowercase();
        let wanted = if wanted == "gamemaster" { "gm" } else { wanted.as_str() };
        let exact: Vec<&Chair> = self.0.iter().filter(|c| c.answers_to(wanted)).collect();
        let near: Vec<&Chair> =
            self.0.iter().filter(|c| !wanted.is_empty() && c.begins_with(wanted)).collect();
        match (&exact[..], &near[..]) {
            ([one], _) | ([], [one]) => Ok(one.info.seat),
            _ => {
                let known: Vec<String> = self.0.iter().map(Chair::handle).collect();
                Err(format!("nobody here is called {name:?}: there are {}", known.join(", ")))
            }
        }
    }

    /// Somebody who looks, by name.
    pub(crate) fn viewer(&self, name: &str) -> Result<Viewer, String> {
        if name == "spectator" { Ok(Viewer::Spectator) } else { self.find(name).map(Viewer::Seat) }
    }

    /// Reads the `--bot` arguments.
    pub(crate) fn bots(&mut self, given: &[String]) -> Result<(), Stop> {
        for one in given {
            self.machine(one).map_err(|what| Stop::bad(format!("--bot {one}: {what}")))?;
        }
        Ok(())
    }

    /// Reads `SEAT=random|greedy`, or `none`.
    ///
    /// Whom the machine plays is not absent, and a machine stands in for nobody.
    pub(crate) fn machine(&mut self, one: &str) -> Result<(), String> {
        self.seat_machine(one)?;
        let gm = self.by_hand(Seat::Gm);
        for chair in &mut self.0 {
            chair.absent &= gm && chair.player == Player::Hand;
        }
        Ok(())
    }

    fn seat_machine(&mut self, one: &str) -> Result<(), String> {
        if matches!(one, "none" | "nobody") {
            self.0.iter_mut().for_each(|chair| chair.player = Player::Hand);
            return Ok(());
        }
        let (name, kind) = one
            .split_once('=')
            .ok_or_else(|| "expected SEAT=random or SEAT=greedy, such as gm=greedy".to_owned())?;
        let kind = bot(kind)?;
        if matches!(name, "all" | "everybody") {
            self.0.iter_mut().for_each(|chair| chair.player = Player::Bot(kind));
        } else {
            let seat = self.find(name)?;
            self.seat(seat, Player::Bot(kind));
        }
        Ok(())
    }

    /// Reads what people write in one line: `gm, ana=random and Bo`.
    pub(crate) fn machines(&mut self, line: &str) -> Result<(), String> {
        let mut tried = self.clone();
        for word in line.split([' ', ',', ';', '&']).filter(|word| !word.is_empty()) {
            match word.to_lowercase().as_str() {
                "and" | "the" => {}
                none @ ("none" | "nobody") => tried.machine(none)?,
                _ if word.contains('=') => tried.machine(word)?,
                _ => tried.machine(&format!("{word}=greedy"))?,
            }
        }
        *self = tried;
        Ok(())
    }

    /// The seats that the machine plays.
    pub(crate) fn played(&self) -> Vec<(Seat, BotKind)> {
        self.0
            .iter()
            .filter_map(|chair| match chair.player {
                Player::Bot(kind) => Some((chair.info.seat, kind)),
                Player::Hand => None,
            })
            .collect()
    }

    /// The arguments that seat everybody so again.
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

/// A kind of bot by its word.
pub(crate) fn bot(word: &str) -> Result<BotKind, String> {
    match word {
        "random" => Ok(BotKind::Random),
        "greedy" => Ok(BotKind::Greedy),
        _ => Err(format!("there is no bot {word:?}: random or greedy")),
    }
}

/// What a kind of bot is called.
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
        assert!(table.bots(&["gm".into()]).is_err());
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
    fn who_comes_late_sits_at_this_keyboard() {
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
        let told = table.machines("gm and zed").unwrap_err();
        assert!(told.starts_with("nobody here is called") && !told.contains("--bot"), "{told}");
        assert_eq!(table.played().len(), 3, "nothing has changed");
        table.machines("nobody").unwrap();
        assert!(table.played().is_empty());
    }
}
