//! A small complete game for testing all that plays games.
//!
//! Up to three friends hunt a beast whose size only the gamemaster knows. The game has an
//! example of each feature: a plan that all must agree on, a turn that any hunter may take,
//! reactions beside and between other asks, dice read sorted and dice read through a fold, a
//! choice after the roll, a secret and a way to learn it, an answer with a free label, and
//! snares that only the gamemaster knows until they spring. One more hunter may join during
//! play, and the survivors may hunt another day.
//!
//! [`plant`] plants a bug, to test that the suite finds it.

use borsh::{BorshDeserialize, BorshSerialize};
use fracas_kernel::form::{Field, Form, Pick};
use fracas_kernel::{
    Ask, Asks, Board, Came, Card, Clause, Dice, Document, Duty, Ending, Entry, FALLEN, Fallen, Faults,
    Faulty, Fields, Fold, Game, Hidden, Kind, Known, Label, Laid, LinkKind, Meter, Move, Names, Open, Part,
    Piece, Place, Read, Refused, Roll, Rolled, Row, Rulebook, Seat, SeatInfo, SeatSet, Secret, Seen, Setup,
    Sink, Slot, Stage, Told, Tone, Viewer, Waiting, Who, Words,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;

thread_local! {
    /// The bug of the games of this thread.
    static FAULT: Cell<u8> = const { Cell::new(SOUND) };
}

/// Plants a bug in all toys of this thread; [`SOUND`] takes it out.
pub fn plant(fault: u8) {
    FAULT.set(fault);
}

fn has(fault: u8) -> bool {
    FAULT.get() == fault
}

/// No bug.
pub const SOUND: u8 = 0;
/// The view tells the beast's size to everybody.
pub const LEAKS_IN_VIEW: u8 = 1;
/// The preview of an answer tells the beast's size.
pub const LEAKS_IN_WORDS: u8 = 2;
/// A refusal tells the beast's size.
pub const LEAKS_IN_REFUSAL: u8 = 3;
/// The list of answers depends on the beast's size.
pub const LEAKS_IN_LIST: u8 = 4;
/// The worth of the position depends on the beast's size, for players too.
pub const LEAKS_IN_WORTH: u8 = 5;
/// An answer is listed twice.
pub const LISTS_TWICE: u8 = 6;
/// A listed answer is refused.
pub const LISTS_REFUSED: u8 = 7;
/// A part of the state is not saved.
pub const FORGETS: u8 = 8;
/// The class of a fold depends on the order of the dice.
pub const FOLDS_IN_ORDER: u8 = 9;
/// A kind of prompt is never asked.
pub const NEVER_ASKS: u8 = 10;
/// The beast heals as fast as it is hurt: no conflict ends.
pub const NEVER_ENDS: u8 = 11;
/// An answer that is not listed is allowed and breaks the game.
pub const TAKES_ANYTHING: u8 = 12;
/// An event has an empty text.
pub const SAYS_NOTHING: u8 = 13;
/// A fiat leaves the table with nothing that can be answered.
pub const FIAT_BREAKS: u8 = 14;
/// The text of an event tells the beast's size.
pub const LEAKS_IN_EVENT: u8 = 15;
/// A free label has no place in the answer that allows it.
pub const MISPLACES_WORDS: u8 = 16;
/// The odds of a strike tell the beast's size.
pub const LEAKS_IN_ODDS: u8 = 17;
/// Two answers have the same laying.
pub const LAYS_ALIKE: u8 = 18;
/// A laying gives an answer other than its own.
pub const MISTAKES_LAYINGS: u8 = 19;
/// The odds leave a result out.
pub const LOSES_ODDS: u8 = 20;
/// The name of an unseen snare is refused differently from an unused name.
pub const LEAKS_NAME_IN_REFUSAL: u8 = 21;
/// An unseen snare is listed to be disarmed.
pub const LEAKS_NAME_IN_LIST: u8 = 22;
/// All viewers are told that something unseen was left as it is.
pub const TELLS_HIDDEN_EVENT: u8 = 23;
/// A hunter who joins knows every snare.
pub const NEWCOMERS_KNOW: u8 = 24;
/// The view tells all viewers the number of snares.
pub const COUNTS_HIDDEN: u8 = 25;
/// A striker can only leave the beast alone, and no clause says why.
pub const LEAVES_IDLE: u8 = 26;
/// Every strike is promised to hit.
pub const PROMISES_HITS: u8 = 27;
/// A strike that shows an even low die mends before it strikes, another after.
pub const TURNS_ABOUT: u8 = 28;
/// The stage tells the beast's size.
pub const LEAKS_IN_STAGE: u8 = 29;
/// The stage shows every snare to all viewers.
pub const DRAWS_HIDDEN: u8 = 30;
/// The stage names somebody who is not on it.
pub const DRAWS_NOBODY: u8 = 31;
/// A hunter who is down takes part on the stage.
pub const DRAWS_THE_FALLEN: u8 = 32;
/// Every blow at a hunter is made of the same parts.
pub const PARTS_ALIKE: u8 = 33;
/// A part points at a hunter whom the answer is not about.
pub const POINTS_ELSEWHERE: u8 = 34;
/// The parts of an answer come in another order than people choose them.
pub const PARTS_ASKEW: u8 = 35;
/// The parts of a strike tell the beast's size.
pub const LEAKS_IN_PARTS: u8 = 36;

const fn entry(id: &'static str, says: &'static str) -> Entry {
    Entry {
        id,
        section: "The Hunt",
        kind: Kind::Rule,
        says,
        plain: None,
        needs: &[],
        beyond: false,
        question: None,
        why: None,
        option: None,
    }
}

static BOOK: Rulebook = Rulebook {
    system: "toy",
    title: "The Hunt",
    summary: "A game for tests.",
    entries: &[
        entry("beast.reacts", "The beast may guard against a strike, and may lash out once a round."),
        entry("beast.size", "The beast's size is hidden. A strike hits with a die of at least its size."),
        entry("hunt.end", "The hunt ends when the beast or every hunter is down, or at the last round."),
        entry("plan.together", "Each round the hunters agree on a path."),
        entry("strike.judge", "A striker throws two dice and picks one: high to hit, low to mend."),
        entry("turn.any", "Each hunter takes one turn a round, in any order."),
        entry("turn.look", "Looking tells a hunter the beast's size."),
        entry("beast.name", "The gamemaster may say what the beast is called, once."),
    ],
    index: &[7, 0, 1, 2, 3, 4, 5, 6],
};

/// A clause of the toy's rulebook.
fn clause(at: usize) -> Clause {
    Clause::of(&BOOK.entries[at])
}

const REACTS: usize = 0;
const SIZE: usize = 1;
const END: usize = 2;
const PLAN: usize = 3;
const JUDGE: usize = 4;
const TURN: usize = 5;
const LOOK: usize = 6;
const NAME: usize = 7;

/// The beast's default name.
fn proposed() -> Label {
    // The name is valid.
    "the grim one".parse().unwrap_or_else(|e| panic!("{e}"))
}

/// The most hunters at the start.
const START: usize = 3;
/// The most hunters, as one may join.
const HUNTERS: usize = START + 1;
/// The wounds a hunter can take.
const HEALTH: u8 = 4;

/// The toy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toy;

/// A hunter by number; written as a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Hunter(pub u8);

impl Serialize for Hunter {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("@h{}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hunter {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <String as Deserialize>::deserialize(d)?;
        let number = text.strip_prefix("@h").and_then(|n| n.parse().ok());
        number.map(Hunter).ok_or_else(|| serde::de::Error::custom("not a hunter"))
    }
}

/// A snare by number; written as a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct Snare(pub u8);

impl Serialize for Snare {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("@s{}", self.0))
    }
}

impl<'de> Deserialize<'de> for Snare {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <String as Deserialize>::deserialize(d)?;
        let number = text.strip_prefix("@s").and_then(|n| n.parse().ok());
        number.map(Snare).ok_or_else(|| serde::de::Error::custom("not a snare"))
    }
}

/// The most snares.
const SNARES: usize = 2;

/// The table's rules.
#[derive(Clone, Debug)]
pub struct Rules {
    names: Names,
    snares: Vec<String>,
    hunters: Vec<String>,
    /// By hunter, the player's place.
    held: Vec<u8>,
    players: Vec<String>,
    rounds: u8,
}

/// One moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
pub struct State {
    at: At,
    size: Secret<u8>,
    called: Option<Label>,
    beast: u8,
    wounds: [u8; HUNTERS],
    knows: [bool; HUNTERS],
    acted: [bool; HUNTERS],
    lashed: bool,
    round: u8,
    path: u8,
    /// Snares that have sprung, which all viewers know.
    sprung: [bool; SNARES],
    /// Snares that the gamemaster was asked about this round.
    seen_to: [bool; SNARES],
    #[borsh(skip)]
    forgotten: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, BorshSerialize, BorshDeserialize)]
enum At {
    Plan,
    Turn,
    Guard(Hunter),
    Strike(Hunter, bool),
    Judge(Hunter, bool, [u8; 2]),
    Lash(Hunter),
    Over,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prompt {
    /// Which path the hunters take.
    Plan,
    /// Who acts, and how.
    Turn {
        /// The round, from 1.
        round: u8,
    },
    /// Whether the beast guards.
    Guard {
        /// Against whom.
        striker: Hunter,
    },
    /// Which die counts.
    Judge {
        /// Who struck.
        striker: Hunter,
        /// The dice, the higher first.
        dice: [u8; 2],
    },
    /// Whether the beast lashes out.
    Lash,
    /// Whether a snare springs.
    Spring {
        /// Which.
        snare: Snare,
    },
}

/// A choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    /// Take a path.
    Path(u8),
    /// Strike at the beast.
    Strike(Hunter),
    /// Look at the beast.
    Look(Hunter),
    /// The beast guards.
    Guard,
    /// The beast does not.
    Pass,
    /// Count the higher die.
    High,
    /// Count the lower die.
    Low,
    /// The beast lashes out.
    Lash(Hunter),
    /// The beast gets a name.
    Call(Label),
    /// A snare springs.
    Spring(Snare),
    /// A snare is left as it is.
    Leave(Snare),
    /// Stay clear of a snare.
    Avoid(Snare),
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The hunters agreed.
    Planned(u8),
    /// The beast guarded.
    Guarded,
    /// A strike hit, or not.
    Struck {
        /// Who struck.
        striker: Hunter,
        /// Whether it hit.
        hit: bool,
    },
    /// A hunter mended a wound.
    Mended(Hunter),
    /// A hunter learnt the beast's size.
    Learnt {
        /// Who learnt it.
        hunter: Hunter,
        /// The size; told to that hunter alone.
        size: u8,
    },
    /// The beast lashed out.
    Lashed {
        /// At whom.
        hunter: Hunter,
        /// Wounds dealt.
        wounds: u8,
    },
    /// The beast has a name.
    Called(Label),
    /// A hunter came late.
    Joined(Hunter),
    /// A snare sprang.
    Sprung(Snare),
    /// A snare was left as it is.
    Left(Snare),
    /// The same, without the snare's name.
    Rustled,
    /// The hunters stay clear of a snare.
    Avoided(Snare),
    /// It is over.
    Ended,
}

/// What a viewer may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The round, from 1.
    pub round: u8,
    /// Health of the beast.
    pub beast: u8,
    /// Wounds of the hunters.
    pub wounds: Vec<u8>,
    /// The beast's name.
    pub called: Option<Label>,
    /// The beast's size, for those who know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// Snares, to those who know them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub snares: Vec<Snare>,
    /// The number of snares, which only a planted bug tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// The highest of several dice and how many show it, up to two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Top {
    high: u8,
    twice: bool,
}

impl Fold for Top {
    fn take(self, _: u8, face: u8) -> Self {
        match face.cmp(&self.high) {
            std::cmp::Ordering::Greater => Top { high: face, twice: false },
            std::cmp::Ordering::Equal => Top { twice: true, ..self },
            std::cmp::Ordering::Less if has(FOLDS_IN_ORDER) => Top { twice: false, ..self },
            std::cmp::Ordering::Less => self,
        }
    }
}

/// What the gamemaster may overrule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fiat {
    /// Sets the beast's health.
    Beast(u8),
    /// Sets a hunter's wounds.
    Wounds(Hunter, u8),
    /// Adds a hunter, and a player if there is none of that name.
    Join {
        /// Who plays.
        player: String,
        /// The hunter.
        hunter: String,
    },
}

/// A standing reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The beast never guards.
    NeverGuard,
}

/// The outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The beast is down.
    Caught,
    /// The beast is not down.
    Escaped,
}

/// A setup with this many hunters.
///
/// # Panics
/// Never: the text is well formed.
pub fn setup(hunters: u8, size: u8) -> Setup {
    let text = format!("hunters = {hunters}\nsize = {size}\n");
    Setup::alone(Document::toml("toy", &text).unwrap_or_else(|faults| panic!("{faults}")))
}

/// A setup with snares that only the gamemaster knows.
///
/// # Panics
/// Never: the text is well formed.
pub fn snared(hunters: u8, size: u8) -> Setup {
    let text = format!(
        "hunters = {hunters}\nsize = {size}\n[[snare]]\nname = \"pit\"\n[[snare]]\nname = \"noose\"\n"
    );
    Setup::alone(Document::toml("snared", &text).unwrap_or_else(|faults| panic!("{faults}")))
}

/// A hunter's name, player and wounds, merged over the library entry that it uses.
fn read_hunter(fields: Fields<'_>, library: &[Document], faulty: &Faulty) -> (String, String, u8) {
    let wanted = fields.text("use");
    let named = |hunter: &Fields<'_>| wanted.is_some() && hunter.text("name") == wanted;
    let base = library.iter().find_map(|document| {
        let at = document.fields(&Faulty::new()).tables("hunter").iter().position(named)?;
        document.fields(faulty).tables("hunter").into_iter().nth(at)
    });
    if wanted.is_some() && base.is_none() {
        fields.fault_in("use", "no such hunter");
    }
    let fields = fields.over(base);
    let name = fields.must_text("name").to_owned();
    let player = fields.text("player").unwrap_or(&name).to_owned();
    let wounds = fields.int("wounds", 0..=i64::from(HEALTH) - 1).unwrap_or(0) as u8;
    fields.done();
    (name, player, wounds)
}

impl Rules {
    fn hunters(&self) -> impl Iterator<Item = Hunter> + use<> {
        (0..self.hunters.len() as u8).map(Hunter)
    }

    fn name(&self, hunter: Hunter) -> &str {
        &self.hunters[usize::from(hunter.0)]
    }

    fn snare(&self, snare: Snare) -> &str {
        &self.snares[usize::from(snare.0)]
    }

    fn snares(&self) -> impl Iterator<Item = Snare> + use<> {
        (0..self.snares.len() as u8).map(Snare)
    }

    fn seat(&self, hunter: Hunter) -> Seat {
        Seat::Player(self.held[usize::from(hunter.0)])
    }

    /// Adds a hunter, and a player if there is none of that name.
    fn add(&mut self, player: &str, hunter: &str) -> Result<(), String> {
        if self.hunters.len() == HUNTERS {
            return Err(format!("no more than {HUNTERS} hunters"));
        }
        if player.is_empty() || !Names::is_slug(hunter) || !self.names.add('h', hunter) {
            return Err(format!("{hunter:?} is no new name, or nobody plays it"));
        }
        let known = self.players.iter().position(|there| there == player);
        let at = known.unwrap_or(self.players.len());
        if known.is_none() {
            self.players.push(player.to_owned());
        }
        self.hunters.push(hunter.to_owned());
        self.held.push(at as u8);
        Ok(())
    }
}

impl State {
    fn up(&self, hunter: Hunter) -> bool {
        self.wounds[usize::from(hunter.0)] < HEALTH
    }

    fn is_sprung(&self, snare: Snare) -> bool {
        self.sprung[usize::from(snare.0)]
    }

    fn ready(&self, hunter: Hunter) -> bool {
        self.up(hunter) && !self.acted[usize::from(hunter.0)]
    }

    fn known_to(&self, rules: &Rules, who: Viewer) -> Option<u8> {
        let holds = |h: Hunter| who == Viewer::Seat(rules.seat(h));
        let known = who.is_gm() || rules.hunters().any(|h| holds(h) && self.knows[usize::from(h.0)]);
        known.then(|| *self.size.reveal())
    }

    /// Continues after a turn: the next turn, the next round, or the end.
    fn next(&mut self, rules: &Rules, sink: &mut impl Sink<Event>) {
        self.at = At::Turn;
        if has(NEVER_ENDS) {
            self.beast = 12;
            self.wounds = [0; HUNTERS];
            self.round = 1;
        }
        let over = self.beast == 0 || rules.hunters().all(|h| !self.up(h));
        if !over && !rules.hunters().any(|h| self.ready(h)) {
            self.at = At::Plan;
            self.acted = [false; HUNTERS];
            self.seen_to = [false; SNARES];
            self.lashed = false;
            self.round += 1;
        }
        if over || self.round > rules.rounds {
            self.at = At::Over;
            sink.event(Event::Ended);
        }
    }
}

impl Game for Toy {
    const ID: &'static str = "toy";
    const VERSION: u32 = 1;
    const OTHERS: &'static str = "snare";

    type Rules = Rules;
    type State = State;
    type Prompt = Prompt;
    type Answer = Answer;
    type Event = Event;
    type View = View;
    type Fold = Top;
    type Fiat = Fiat;
    type Standing = Standing;
    type Outcome = Outcome;

    fn rulebook() -> &'static Rulebook {
        &BOOK
    }

    fn start(setup: &Setup) -> Result<(Rules, State), Faults> {
        let faulty = Faulty::new();
        let fields = setup.encounter.fields(&faulty);
        let hunters = fields.int("hunters", 1..=START as i64).unwrap_or(START as i64);
        let size = fields.int("size", 1..=6).unwrap_or(4) as u8;
        let rounds = fields.int("rounds", 1..=20).unwrap_or(12) as u8;
        let mut rules = Rules {
            names: Names::default(),
            snares: Vec::new(),
            hunters: Vec::new(),
            held: Vec::new(),
            players: Vec::new(),
            rounds,
        };
        let mut wounds = [0; HUNTERS];
        for (at, hunter) in fields.tables("hunter").into_iter().enumerate().take(START) {
            let (name, player, taken) = read_hunter(hunter, &setup.library, &faulty);
            wounds[at] = taken;
            if let Err(what) = rules.add(&player, &name) {
                fields.fault(what);
            }
        }
        for snare in fields.tables("snare").into_iter().take(SNARES) {
            let name = snare.must_text("name");
            if Names::is_slug(name) && rules.names.add('s', name) {
                rules.snares.push(name.to_owned());
            } else {
                snare.fault_in("name", "no new name");
            }
            snare.done();
        }
        fields.done();
        if rules.hunters.is_empty() {
            for name in ["ana", "bo", "cleo"].iter().take(hunters as usize) {
                // Three different names.
                let _ = rules.add(name, name);
            }
        }
        let state = State {
            at: At::Plan,
            size: Secret::new(size),
            called: None,
            beast: 12,
            wounds,
            knows: [false; HUNTERS],
            acted: [false; HUNTERS],
            lashed: false,
            round: 1,
            path: 0,
            sprung: [false; SNARES],
            seen_to: [false; SNARES],
            forgotten: 0,
        };
        faulty.or((rules, state))
    }

    fn library(setup: &Setup) -> Result<(), Faults> {
        let faulty = Faulty::new();
        for document in &setup.library {
            for hunter in document.fields(&faulty).tables("hunter") {
                read_hunter(hunter, &[], &faulty);
            }
        }
        faulty.or(())
    }

    fn templates() -> &'static [(&'static str, &'static str)] {
        &[("hunt", "# How many hunt, from 1 to 3.\nhunters = 2\n")]
    }

    fn names(rules: &Rules) -> &Names {
        &rules.names
    }

    fn knows(_: &Rules, state: &State, (letter, n): (char, usize), who: Viewer) -> Known {
        match letter {
            's' if who.is_gm() || state.is_sprung(Snare(n as u8)) => Known::Open,
            's' if has(LEAKS_NAME_IN_REFUSAL) => Known::Unsaid,
            's' => Known::Hidden,
            _ => Known::Open,
        }
    }

    fn mask(rules: &mut Rules, _: &mut State, hidden: &Hidden) {
        for (_, snare) in rules.snares.iter_mut().enumerate().filter(|(n, _)| hidden.has('s', *n)) {
            *snare = "something".to_owned();
        }
    }

    fn seats(rules: &Rules) -> Vec<SeatInfo> {
        let gm = SeatInfo { seat: Seat::Gm, name: "gamemaster".to_owned(), holds: Vec::new() };
        let players = rules.players.iter().enumerate().map(|(at, name)| {
            let seat = Seat::Player(at as u8);
            let holds = rules.hunters().filter(|&h| rules.seat(h) == seat).map(|h| rules.name(h).to_owned());
            SeatInfo { seat, name: name.clone(), holds: holds.collect() }
        });
        std::iter::once(gm).chain(players).collect()
    }

    fn rename(rules: &mut Rules, seat: Seat, name: &str) {
        if let Seat::Player(at) = seat
            && let Some(player) = rules.players.get_mut(usize::from(at))
        {
            name.clone_into(player);
        }
    }

    fn open(rules: &Rules, state: &State) -> Open<Self> {
        let mut asks = Asks::new();
        let all: SeatSet = rules.hunters().map(|h| rules.seat(h)).collect();
        let striker_of = |h: Hunter, guarded: bool| Roll {
            whose: rules.seat(h),
            seen: Seen::Openly,
            dice: if guarded { Dice::of(2, 6) } else { Dice::of(2, 8) },
            read: Read::Sorted,
        };
        match state.at {
            At::Over => return Open::Over,
            At::Strike(h, guarded) => return Open::Roll(striker_of(h, guarded)),
            At::Lash(_) => {
                return Open::Roll(Roll {
                    whose: Seat::Gm,
                    seen: Seen::Openly,
                    dice: Dice::of(3, 6).and(2, 8),
                    read: Read::Fold(Top { high: 0, twice: false }),
                });
            }
            At::Plan => {
                asks.push(Ask { who: Who::All(all), duty: Duty::Must, prompt: Prompt::Plan });
                let rests = |snare: &Snare| !state.is_sprung(*snare) && !state.seen_to[usize::from(snare.0)];
                for snare in rules.snares().filter(rests) {
                    let prompt = Prompt::Spring { snare };
                    asks.push(Ask { who: Who::One(Seat::Gm), duty: Duty::May, prompt });
                }
            }
            At::Turn => {
                let ready = rules.hunters().filter(|&h| state.ready(h)).map(|h| rules.seat(h)).collect();
                let prompt = Prompt::Turn { round: state.round };
                asks.push(Ask { who: Who::Any(ready), duty: Duty::Must, prompt });
                if !state.lashed && !has(NEVER_ASKS) {
                    asks.push(Ask { who: Who::One(Seat::Gm), duty: Duty::May, prompt: Prompt::Lash });
                }
            }
            At::Guard(striker) => {
                let prompt = Prompt::Guard { striker };
                asks.push(Ask { who: Who::One(Seat::Gm), duty: Duty::May, prompt });
            }
            At::Judge(striker, _, dice) => {
                let prompt = Prompt::Judge { striker, dice };
                asks.push(Ask { who: Who::One(rules.seat(striker)), duty: Duty::Must, prompt });
            }
        }
        Open::Asks(asks)
    }

    fn legal(rules: &Rules, state: &State, slot: Slot, each: &mut dyn FnMut(Answer)) {
        match (state.at, slot.0) {
            (At::Plan, 0) => {
                (0..3).for_each(|path| each(Answer::Path(path)));
                let shown = |snare: &Snare| state.is_sprung(*snare) || has(LEAKS_NAME_IN_LIST);
                rules.snares().filter(shown).for_each(|snare| each(Answer::Avoid(snare)));
            }
            (At::Plan, _) => {
                if let Some(snare) = asked_of(rules, state, slot) {
                    each(Answer::Spring(snare));
                    each(Answer::Leave(snare));
                }
            }
            (At::Turn, 0) => {
                for h in rules.hunters().filter(|&h| state.ready(h)) {
                    each(Answer::Strike(h));
                    let unknown = !state.knows[usize::from(h.0)];
                    if unknown && (!has(LEAKS_IN_LIST) || *state.size.reveal() > 3) {
                        each(Answer::Look(h));
                    }
                }
            }
            (At::Turn, _) => {
                rules.hunters().filter(|&h| state.up(h)).for_each(|h| each(Answer::Lash(h)));
                if state.called.is_none() {
                    each(Answer::Call(proposed()));
                }
            }
            (At::Guard(_), _) => {
                each(Answer::Guard);
                each(Answer::Pass);
                if has(LISTS_TWICE) {
                    each(Answer::Guard);
                }
                if has(LISTS_REFUSED) {
                    each(Answer::High);
                }
            }
            (At::Judge(..), _) => {
                if !has(LEAVES_IDLE) {
                    each(Answer::High);
                }
                each(Answer::Low);
            }
            (At::Strike(..) | At::Lash(_) | At::Over, _) => {}
        }
    }

    fn check(rules: &Rules, state: &State, slot: Slot, answer: Answer) -> Result<Move<Self>, Refused> {
        let there = |h: Hunter| usize::from(h.0) < rules.hunters.len();
        let asked = asked_of(rules, state, slot);
        let fits = match (state.at, slot.0, answer) {
            (At::Plan, 0, Answer::Avoid(snare)) if usize::from(snare.0) < rules.snares.len() => Ok(()),
            (At::Plan, _, Answer::Spring(snare) | Answer::Leave(snare)) if asked == Some(snare) => Ok(()),
            (At::Plan, 0, Answer::Path(path)) if path < 3 || has(TAKES_ANYTHING) => Ok(()),
            (At::Plan, 0, Answer::Path(_)) => {
                Err(Refused::rule(clause(PLAN), "there are three paths, 0 to 2"))
            }
            (At::Turn, 0, Answer::Strike(h) | Answer::Look(h)) if there(h) && state.ready(h) => Ok(()),
            (At::Turn, 0, Answer::Strike(h) | Answer::Look(h)) if there(h) => Err(Refused::rule(
                clause(TURN),
                match *state.size.reveal() {
                    size if has(LEAKS_IN_REFUSAL) => format!("the beast of {size} has seen you act"),
                    _ => "that hunter has acted or is down".to_owned(),
                },
            )),
            (At::Turn, 1, Answer::Lash(h)) if there(h) && state.up(h) => Ok(()),
            (At::Turn, 1, Answer::Call(_)) if state.called.is_none() => Ok(()),
            (At::Turn, 1, Answer::Call(_)) => {
                Err(Refused::rule(clause(NAME), "the beast has a name already"))
            }
            (At::Guard(_), _, Answer::Guard | Answer::Pass) => Ok(()),
            (At::Judge(..), _, Answer::High | Answer::Low) => Ok(()),
            _ => Err(Refused::form("that does not answer what is asked")),
        };
        fits.map(|()| Move::vouched(slot, answer))
    }

    fn apply(rules: &Rules, state: &mut State, mv: Move<Self>, sink: &mut impl Sink<Event>) {
        if has(FORGETS) {
            state.forgotten = state.forgotten.wrapping_add(1);
        }
        match (state.at, mv.answer()) {
            (_, Answer::Path(path)) => {
                state.path = [0, 1, 2][usize::from(path)];
                state.at = At::Turn;
                sink.event(Event::Planned(path));
            }
            (_, Answer::Avoid(snare)) => {
                state.at = At::Turn;
                sink.event(Event::Avoided(snare));
            }
            (_, Answer::Spring(snare)) => {
                state.sprung[usize::from(snare.0)] = true;
                sink.event(Event::Sprung(snare));
            }
            (_, Answer::Leave(snare)) => {
                state.seen_to[usize::from(snare.0)] = true;
                sink.event(if has(TELLS_HIDDEN_EVENT) { Event::Rustled } else { Event::Left(snare) });
            }
            (_, Answer::Strike(h)) => {
                state.acted[usize::from(h.0)] = true;
                state.at = At::Guard(h);
            }
            (_, Answer::Look(hunter)) => {
                state.acted[usize::from(hunter.0)] = true;
                state.knows[usize::from(hunter.0)] = true;
                sink.event(Event::Learnt { hunter, size: *state.size.reveal() });
                state.next(rules, sink);
            }
            (_, Answer::Lash(h)) => {
                state.lashed = true;
                state.at = At::Lash(h);
            }
            (_, Answer::Call(label)) => {
                state.called = Some(label);
                sink.event(Event::Called(label));
            }
            (At::Guard(h), Answer::Guard) => {
                sink.event(Event::Guarded);
                state.at = At::Strike(h, true);
            }
            (At::Guard(h), _) => state.at = At::Strike(h, false),
            (At::Judge(striker, _, dice), Answer::High) => {
                let hit = dice[0] >= *state.size.reveal() + state.path;
                state.beast = state.beast.saturating_sub(u8::from(hit));
                let mends = (has(TURNS_ABOUT)).then_some(dice[1] % 2 == 0);
                if mends == Some(true) {
                    sink.event(Event::Mended(striker));
                }
                sink.event(Event::Struck { striker, hit });
                if mends == Some(false) {
                    sink.event(Event::Mended(striker));
                }
                state.next(rules, sink);
            }
            (At::Judge(h, ..), _) => {
                let wounds = &mut state.wounds[usize::from(h.0)];
                *wounds = wounds.saturating_sub(1);
                sink.event(Event::Mended(h));
                state.next(rules, sink);
            }
            _ => {}
        }
    }

    fn roll(rules: &Rules, state: &mut State, rolled: Rolled<'_, Top>, sink: &mut impl Sink<Event>) {
        match (state.at, rolled) {
            (At::Strike(h, guarded), Rolled::Faces(&[high, low])) => {
                state.at = At::Judge(h, guarded, [high, low]);
            }
            (At::Lash(hunter), Rolled::Class(top)) => {
                let wounds = u8::from(top.high > 5) + u8::from(top.twice);
                let taken = &mut state.wounds[usize::from(hunter.0)];
                *taken = (*taken + wounds).min(HEALTH);
                sink.event(Event::Lashed { hunter, wounds });
                state.next(rules, sink);
            }
            _ => {}
        }
    }

    fn view(rules: &Rules, state: &State, who: Viewer) -> View {
        let size = match FAULT.get() {
            LEAKS_IN_VIEW => Some(*state.size.reveal()),
            _ => state.known_to(rules, who),
        };
        View {
            round: state.round,
            beast: state.beast,
            called: state.called,
            wounds: state.wounds[..rules.hunters.len()].to_vec(),
            size,
            snares: rules.snares().filter(|&snare| who.is_gm() || state.is_sprung(snare)).collect(),
            count: (has(COUNTS_HIDDEN)).then_some(rules.snares.len()),
        }
    }

    fn outcome(_: &Rules, state: &State, _: &State) -> Outcome {
        if state.beast == 0 { Outcome::Caught } else { Outcome::Escaped }
    }

    fn worth(rules: &Rules, state: &State, seat: Seat) -> i32 {
        let wounds: i32 = rules.hunters().map(|h| i32::from(state.wounds[usize::from(h.0)])).sum();
        let known = state.knows.iter().filter(|&&k| k).count() as i32;
        let hidden = if has(LEAKS_IN_WORTH) { i32::from(*state.size.reveal()) } else { 0 };
        let hunters = known + hidden - 10 * i32::from(state.beast) - 5 * wounds;
        if seat == Seat::Gm { -hunters } else { hunters }
    }

    fn fiat(
        rules: &mut Rules,
        state: &mut State,
        fiat: &Fiat,
        sink: &mut impl Sink<Event>,
    ) -> Result<(), Refused> {
        match fiat {
            Fiat::Beast(health) if *health <= 12 => state.beast = *health,
            Fiat::Wounds(h, wounds) if usize::from(h.0) < rules.hunters.len() && *wounds <= HEALTH => {
                state.wounds[usize::from(h.0)] = *wounds;
            }
            Fiat::Join { player, hunter } => {
                rules.add(player, hunter).map_err(Refused::form)?;
                if has(NEWCOMERS_KNOW) {
                    state.sprung = [true; SNARES];
                }
                sink.event(Event::Joined(Hunter(rules.hunters.len() as u8 - 1)));
            }
            _ => return Err(Refused::form("a beast has up to 12 health, a hunter up to 4 wounds")),
        }
        let stands = state.beast > 0 && rules.hunters().any(|h| state.up(h));
        if !has(FIAT_BREAKS) && (!stands || state.at == At::Turn) {
            state.next(rules, sink);
        }
        Ok(())
    }

    // A character who mends leaves the beast alone.
    fn is_idle(answer: &Answer) -> bool {
        matches!(answer, Answer::Low | Answer::Pass)
    }

    fn is_grave(answer: &Answer) -> bool {
        matches!(answer, Answer::Lash(_))
    }

    fn decline(rules: &Rules, state: &State, slot: Slot) -> Option<Answer> {
        match state.at {
            At::Guard(_) => Some(Answer::Pass),
            _ => asked_of(rules, state, slot).map(Answer::Leave),
        }
    }

    fn standing(_: &Rules, state: &State, _: Slot, _: Standing) -> Option<Answer> {
        matches!(state.at, At::Guard(_)).then_some(Answer::Pass)
    }

    fn may_stand(_: &Rules, seat: Seat, _: Standing) -> Result<(), Refused> {
        if seat == Seat::Gm { Ok(()) } else { Err(Refused::form("the beast is the gamemaster's")) }
    }

    fn carry(rules: &Rules, state: &State) -> Option<serde_json::Value> {
        let entry = |h: Hunter| {
            let wounds = state.wounds[usize::from(h.0)];
            let became = if state.up(h) { "lived" } else { "fell" };
            let player = &rules.players[usize::from(rules.held[usize::from(h.0)])];
            serde_json::json!({ "name": rules.name(h), "player": player, "wounds": wounds, "history": [became] })
        };
        let (up, down): (Vec<_>, Vec<_>) = rules.hunters().partition(|&h| state.up(h));
        let list = |all: Vec<Hunter>| all.into_iter().map(entry).collect::<Vec<_>>();
        Some(serde_json::json!({ "hunter": list(up), FALLEN: list(down) }))
    }

    fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
        if state.known_to(rules, who).is_none() {
            *state.size.reveal_mut() = (seed % 6) as u8 + 1;
        }
    }
}

/// The snare that the gamemaster is asked about.
fn asked_of(rules: &Rules, state: &State, slot: Slot) -> Option<Snare> {
    match Toy::open(rules, state).asks().get(usize::from(slot.0))?.prompt {
        Prompt::Spring { snare } => Some(snare),
        _ => None,
    }
}

impl Words for Toy {
    fn ask(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Told {
        match (state.at, slot.0) {
            (At::Plan, 0) => Told::new("Which path?").why(clause(PLAN)),
            (At::Plan, _) => Told::new("Does the snare spring?").why(clause(REACTS)),
            (At::Turn, 0) => Told::new("Who acts?").why(clause(TURN)),
            (At::Guard(h), _) => Told::new(format!("{} strikes: guard?", rules.name(h))).why(clause(REACTS)),
            (At::Judge(..), _) => Told::new("Which die?").why(clause(JUDGE)),
            _ => Told::new("Lash out?").why(clause(REACTS)),
        }
    }

    fn answer(rules: &Rules, state: &State, _: Slot, answer: &Answer, who: Viewer) -> Told {
        match *answer {
            Answer::Path(path) => Told::new(format!("path {path}")),
            Answer::Strike(h) => {
                let size = match FAULT.get() {
                    LEAKS_IN_WORDS => Some(*state.size.reveal()),
                    _ => state.known_to(rules, who),
                };
                let leads = size.map(|size| format!("hits on {}", size + state.path)).unwrap_or_default();
                Told::new(format!("{} strikes", rules.name(h))).leads(leads)
            }
            Answer::Look(h) => Told::new(format!("{} looks", rules.name(h))),
            Answer::Guard => Told::new("guard"),
            Answer::Pass => Told::new("let it come"),
            Answer::High => Told::new("the higher: hit"),
            Answer::Low => Told::new("the lower: mend"),
            Answer::Lash(h) => Told::new(format!("lash out at {}", rules.name(h))),
            Answer::Spring(snare) => Told::new(format!("the {} springs", rules.snare(snare))),
            Answer::Leave(snare) => Told::new(format!("leave the {}", rules.snare(snare))),
            Answer::Avoid(snare) => Told::new(format!("keep off the {}", rules.snare(snare))),
            Answer::Call(label) => {
                let place = if has(MISPLACES_WORDS) { "/name" } else { "/call" };
                Told::new(format!("call the beast {label}")).why(clause(NAME)).free(place)
            }
        }
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Vec<Part> {
        let of = |what: &str, h: &Hunter| vec![Part::what(what), Part::who(rules.name(*h)).at(h)];
        match answer {
            Answer::Strike(h) if has(LEAKS_IN_PARTS) => {
                let size = Part::how_much(format!("a beast of {}", state.size.reveal()));
                [of("strike", h), vec![size]].concat()
            }
            Answer::Strike(h) => of("strike", h),
            Answer::Look(h) if has(POINTS_ELSEWHERE) => {
                let other = Hunter((h.0 + 1) % rules.hunters.len() as u8);
                vec![Part::what("look"), Part::who(rules.name(*h)).at(&other)]
            }
            Answer::Look(h) if has(PARTS_ASKEW) => of("look", h).into_iter().rev().collect(),
            Answer::Look(h) => of("look", h),
            Answer::Lash(_) if has(PARTS_ALIKE) => vec![Part::what("lash out")],
            Answer::Lash(h) => vec![Part::what("lash out"), Part::whom(rules.name(*h)).at(h)],
            _ => vec![Part::what(Self::answer(rules, state, slot, answer, who).text)],
        }
    }

    fn promise(_: &Rules, state: &State, _: Slot, answer: &Answer, _: Viewer) -> Vec<(&'static str, i32)> {
        let At::Judge(_, _, [high, _]) = state.at else { return Vec::new() };
        let hits = *answer == Answer::High && high >= *state.size.reveal() + state.path;
        vec![("hit", i32::from(hits || has(PROMISES_HITS)))]
    }

    fn kept(_: &Rules, _: &State, _: &State, events: &[Event]) -> Vec<(&'static str, i32)> {
        let hit = events.iter().any(|event| matches!(event, Event::Struck { hit: true, .. }));
        vec![("hit", i32::from(hit))]
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        Some(match *event {
            Event::Planned(path) => Told::new(format!("The hunters take path {path}.")).why(clause(PLAN)),
            Event::Guarded if has(SAYS_NOTHING) => Told::default(),
            Event::Guarded if has(LEAKS_IN_EVENT) => {
                Told::new(format!("A beast of {} guards.", state.size.reveal())).why(clause(REACTS))
            }
            Event::Guarded => Told::new("The beast guards.").why(clause(REACTS)),
            Event::Struck { striker, hit } => {
                let how = if hit { "hits" } else { "misses" };
                Told::new(format!("{} {how}.", rules.name(striker))).why(clause(SIZE))
            }
            Event::Mended(h) => Told::new(format!("{} mends.", rules.name(h))).why(clause(JUDGE)),
            Event::Learnt { hunter, size } => {
                let text = format!("{} looks closely", rules.name(hunter));
                let knows = who.is_gm() || who == Viewer::Seat(rules.seat(hunter));
                Told::new(if knows { format!("{text}: size {size}.") } else { format!("{text}.") })
                    .why(clause(LOOK))
            }
            Event::Lashed { hunter, wounds } => {
                Told::new(format!("The beast deals {} {wounds}.", rules.name(hunter))).why(clause(REACTS))
            }
            Event::Called(label) => Told::new(format!("The beast is called {label}.")).why(clause(NAME)),
            Event::Sprung(snare) => {
                Told::new(format!("The {} springs.", rules.snare(snare))).why(clause(REACTS))
            }
            Event::Left(snare) => {
                Told::new(format!("The {} is left as it is.", rules.snare(snare))).why(clause(REACTS))
            }
            Event::Rustled => Told::new("There is a rustle.").why(clause(REACTS)),
            Event::Avoided(snare) => {
                Told::new(format!("The hunters keep off the {}.", rules.snare(snare))).why(clause(PLAN))
            }
            Event::Joined(h) => Told::new(format!("{} joins.", rules.name(h))).why(clause(TURN)),
            Event::Ended => Told::new("The hunt is over.").why(clause(END)),
        })
    }

    fn board(_: &Rules, state: &State, slot: Slot, _: Viewer) -> Option<Board> {
        let (At::Judge(_, guarded, dice), Slot(0)) = (state.at, slot) else { return None };
        let sides = if guarded { 6 } else { 8 };
        let picked = Place { adds: Some(0), ..Place::one("The die that counts", clause(JUDGE)) };
        Some(Board::dice(dice.iter().map(|&face| Piece::new(sides, face)).collect(), vec![picked]))
    }

    fn laid(_: &Rules, state: &State, _: Slot, answer: &Answer) -> Option<Laid> {
        let At::Judge(_, _, [high, low]) = state.at else { return None };
        match answer {
            Answer::High => Some(Laid::new(vec![vec![high]])),
            Answer::Low if has(LAYS_ALIKE) => Some(Laid::new(vec![vec![high]])),
            // Neither of two equal dice is the lower.
            Answer::Low if low < high => Some(Laid::new(vec![vec![low]])),
            _ => None,
        }
    }

    fn arranged(_: &Rules, state: &State, _: Slot, laid: &Laid) -> Option<Answer> {
        let At::Judge(_, _, [high, _]) = state.at else { return None };
        let is_high = (laid.one(0)? == high) != (has(MISTAKES_LAYINGS));
        Some(if is_high { Answer::High } else { Answer::Low })
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, Self>, who: Viewer) -> Option<Came> {
        let At::Judge(_, _, [high, _]) = fallen.after.at else { return None };
        let size = match FAULT.get() {
            LEAKS_IN_ODDS => Some(*fallen.before.size.reveal()),
            _ => fallen.known.known_to(rules, who),
        }?;
        let (rank, tone, text) = match high >= size + fallen.before.path {
            true => (1, Tone::Good, "hits"),
            false if has(LOSES_ODDS) => {
                return Some(Came { rank: 1, tone: Tone::Bad, text: "".into(), besides: None });
            }
            false => (0, Tone::Bad, "misses"),
        };
        Some(Came { rank, tone, text: text.into(), besides: None })
    }

    fn roll_told(_: &Rules, state: &State, _: Viewer) -> Told {
        match state.at {
            At::Lash(_) => Told::new("The beast lashes out").why(clause(REACTS)),
            _ => Told::new("A strike").why(clause(JUDGE)),
        }
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        let scene = Card { title: "The hunt".to_owned(), group: "scene".to_owned(), ..Card::default() };
        let size = state.known_to(rules, who);
        let beast = Card {
            id: "beast".to_owned(),
            title: state.called.map_or_else(|| "The beast".to_owned(), |label| label.to_string()),
            group: "theirs".to_owned(),
            meters: vec![Meter {
                label: "health".to_owned(),
                value: u32::from(state.beast),
                most: 12,
                alarm: None,
            }],
            rows: size.map(|size| Row::new("size", size.to_string())).into_iter().collect(),
            ..Card::default()
        };
        let hunters = rules.hunters().map(|h| Card {
            id: rules.name(h).to_owned(),
            title: rules.name(h).to_owned(),
            group: "your side".to_owned(),
            ..Card::default()
        });
        let known = rules.snares().filter(|&snare| who.is_gm() || state.is_sprung(snare));
        let snares = known.map(|snare| Card {
            id: rules.snare(snare).to_owned(),
            title: rules.snare(snare).to_owned(),
            group: "theirs".to_owned(),
            ..Card::default()
        });
        [scene, beast].into_iter().chain(hunters).chain(snares).collect()
    }

    fn ending(rules: &Rules, state: &State, who: Viewer) -> Ending {
        let cards = Self::cards(rules, state, who);
        let is_down = |card: &Card| rules.hunters().any(|h| rules.name(h) == card.id && !state.up(h));
        Ending::of(&cards, is_down)
    }

    fn stage(rules: &Rules, state: &State, who: Viewer) -> Stage {
        let shown = if has(DRAWS_HIDDEN) { Viewer::Seat(Seat::Gm) } else { who };
        let mut stage = Stage::of(&Self::cards(rules, state, shown), &Self::seats(rules));
        if !has(DRAWS_THE_FALLEN) {
            stage = stage.after(&Self::ending(rules, state, who));
        }
        if let At::Guard(striker) | At::Strike(striker, _) | At::Judge(striker, ..) = state.at {
            let by = rules.name(striker);
            stage.token_mut(by).into_iter().for_each(|token| token.acts = true);
            stage.link(LinkKind::Aims, (by, "beast"), "strikes at", clause(JUDGE));
            let (title, text) = ("a strike".to_owned(), "hits or mends".to_owned());
            stage.stack.push(Waiting { by: Some(by.to_owned()), on: Some("beast".to_owned()), title, text });
            stage.priority.push(by.to_owned());
        }
        match FAULT.get() {
            LEAKS_IN_STAGE => stage.note = state.size.reveal().to_string(),
            DRAWS_NOBODY => stage.order.push("nobody".to_owned()),
            _ => {}
        }
        stage
    }

    fn kind(prompt: &Prompt) -> &'static str {
        match prompt {
            Prompt::Plan => "plan",
            Prompt::Turn { .. } => "turn",
            Prompt::Guard { .. } => "guard",
            Prompt::Judge { .. } => "judge",
            Prompt::Lash | Prompt::Spring { .. } => "lash",
        }
    }

    fn kinds() -> &'static [&'static str] {
        &["plan", "turn", "guard", "judge", "lash"]
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        &[
            (r#"{"beast":0}"#, "sets the beast's health"),
            (r#"{"wounds":["@name",4]}"#, "sets a hunter's wounds"),
            (r#"{"join":{"player":"dee","hunter":"dora"}}"#, "brings a hunter in, and the hunter's player"),
        ]
    }

    fn fiat_forms(rules: &Rules, _: &State) -> Vec<Form> {
        let hunter = |at: u8| Pick::of(&(Hunter(at), HEALTH), rules.hunters[usize::from(at)].clone());
        vec![
            Form::new("beast", "Set the beast's health").with(Field::number("", "Health", 0..=12)),
            Form::new("wounds", "Wound a hunter as far as can be").with(Field::one(
                "",
                "Whom",
                (0..rules.hunters.len() as u8).map(hunter).collect(),
            )),
            Form::new("join", "Bring a hunter in")
                .with(Field::text("player", "Player", "dee"))
                .with(Field::text("hunter", "Hunter", "dora")),
        ]
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[(r#""never-guard""#, "the beast never guards")]
    }
}
