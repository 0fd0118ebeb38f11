//! What happened.

use crate::answer::{AtStake, Sides, Turn};
use crate::dice::{Faces, Fallout, Hand, Pool};
use crate::state::{Changes, Menu, To, Why};
use crate::view::{said, to_said};
use crate::{Afraid, vocab::*, words};
use fracas_kernel::{Label, Refers as _, Told, events, refer_to_nothing, says, words};

words!(
    /// What an answer came to, by the number of its dice.
    How {
        /// One die: turned against the challenger.
        Reverse = "reverse",
        /// Two: blocked or dodged.
        Block = "block",
        /// Three or more: it hits home.
        Take = "take",
    }
);

words!(
    /// The bands of the fallout roll.
    Band {
        /// 2 to 7, where the table says no other bounds.
        Short = "short-term",
        /// 8 to 11.
        Long = "long-term",
        /// 12 to 15.
        Injury = "injury",
        /// 16 to 19.
        FirstAid = "first-aid",
        /// 20.
        Dead = "dead",
    }
);

impl How {
    /// What so many dice do to a challenge (`answer.reverse`, `answer.block`, `answer.take`).
    pub(crate) const fn with(dice: usize) -> How {
        match dice {
            1 => How::Reverse,
            2 => How::Block,
            _ => How::Take,
        }
    }
}

impl Event {
    /// Whose doing or suffering it is: told only to those who see one of them.
    pub(crate) fn cast(&self) -> CharSet {
        let mut cast = CharSet::NONE;
        self.each_reference(&mut |letter, n| {
            if let Some((_, all)) = Char::LETTERS.iter().find(|(of, _)| *of == letter) {
                cast = cast.with(Char(all.start + n as u8));
            }
        });
        cast
    }

    /// Whether it is about the conflict of a scene as a whole: told only to those who
    /// see that scene.
    pub(crate) const fn is_of_the_scene(&self) -> bool {
        matches!(
            self,
            Event::Opened { .. }
                | Event::Thing(_)
                | Event::Staked { .. }
                | Event::Round(_)
                | Event::CalledOff
                | Event::Ended { .. }
                | Event::Resolved { .. }
                | Event::Unresolved
                | Event::Moved
        )
    }
}

events! {
    /// What happened, in the game's own types.
    pub enum Event of Afraid, telling (at, viewer);

    "opened" Opened { pub sides: Sides, pub arena: Arena, followup: bool } =>
        opens(clause!("setup.opening-arena"), "{kind}, {arena}: {all}.",
            kind = if followup { "A followup conflict" } else { "A conflict" },
            all = words::sides_words(at, sides, viewer));
    "aid-opened" AidOpened { pub victim: Char, pub provider: Char, pub kind: Aid } =>
        opens(clause!("firstaid.kind"), "{provider} gives {victim} {kind} first aid.");
    /// The stakes in words.
    "thing" Thing(pub thing: Label) => says(clause!("stakes.thing"), "At stake: {thing}.");
    /// Something was put at stake; `implied` by musing on an outcome.
    "staked" pub Staked { what: AtStake, implied: bool } => says(
        if implied { clause!("stakes.implicit") } else { clause!("setup.stakes") },
        "At stake{how}: {thing}.",
        how = if implied { " by musing" } else { "" }, thing = words::at_stake(at, what));
    "called-off" pub CalledOff =>
        opens(clause!("setup.stage"), "The conflict is called off; nobody has won.");
    /// Dice were rolled into a hand.
    "rolled" Rolled { pub who: Char, dice: Hand, why: Why } =>
        works(words::why_words(why).1, "{who} rolls {what}: {dice}.", what = words::why_words(why).0);
    /// Kept or given dice came in as they showed.
    "kept-dice" KeptDice { pub who: Char, dice: Hand } =>
        works(clause!("followup-rules"), "{who} has {dice} from before.");
    "kept-gone" KeptGone(pub who: Char) =>
        works(clause!("short-give-no-followup"), "The dice that {who} kept are gone.");
    "round" Round(pub round: u16) => opens(clause!("turn.best-pair"), "Round {round}.");
    "turn" Turn(pub who: Char) => works(clause!("turn.alternate"), "{who} is next.");
    "brought" Brought { pub who: Char, item: Item } =>
        says(words::bring_clause(at.state, item), "{who} brings in {thing}.",
            thing = words::thing_name(at, item, viewer));
    "not-concrete" NotConcrete { pub who: Char, item: Item } =>
        works(clause!("bring.concrete"), "{thing} does not show in what {who} does.",
            thing = words::thing_name(at, item, viewer));
    "escalated" Escalated { pub who: Char, pub arena: Arena, instead: bool } => says(
        if instead { clause!("esc.instead-no-answer") } else { clause!("esc.challenge") },
        "{who} escalates to {arena}{how}.", how = if instead { " instead of answering" } else { "" });
    /// Somebody went along; `at_once`, and so is bound to answer in kind.
    "matched" Matched { pub who: Char, pub arena: Arena, #[serde(rename = "at-once")] at_once: bool } => says(
        if at_once { clause!("esc.match-now-binds") } else { clause!("esc.match-later") },
        "{who} matches{how}, in {arena}.", how = if at_once { " at once" } else { ", to respond in kind" });
    "joined" Joined { pub who: Char, side: u8 } => says(clause!("join.on-escalation"), "{who} joins.");
    "not-admitted" NotAdmitted(pub who: Char) => says(clause!("join-dice"), "{who} cannot be there.");
    /// Play cut to another scene; `open` where players saw another before, and see this one.
    "cut" Cut { to: u8, open: bool } => opens(clause!("esc.cut"), "Cut to {there}.",
        there = words::scene_words(at, words::present(at.state, to), viewer));
    "challenged" Challenged { pub by: Char, pub on: CharSet, pub dice: [u8; 2], pub harm: Harm } =>
        says(clause!("challenge.two-dice"), "{by} challenges {on} with {sum}, {harm}.",
            sum = format!("{} + {} = {}", dice[0], dice[1], dice[0] + dice[1]));
    /// Another member of a group challenges.
    "struck" Struck { pub by: Char, pub on: CharSet, pub harm: Harm } =>
        says(clause!("gnpc.shared-dice"), "Another of {by} challenges {on}, {harm}.");
    "harm-named" HarmNamed { pub by: Char, pub harm: Harm } =>
        works(clause!("harm-who"), "{by}'s challenge is {harm}.");
    "answered" Answered { pub who: Char, by: Char, pub dice: Faces, pub how: How } =>
        says(words::how_clause(how), "{who} {does}: {dice}.", does = match how {
            How::Reverse => "reverses, and keeps the die",
            How::Block => "blocks or dodges",
            How::Take => "takes it",
        });
    "banked" Banked { pub who: Char, dice: Pool } =>
        works(clause!("fallout.bank"), "{who} banks {dice} of fallout.");
    "helped" Helped { pub who: Char, pub to: Char, pub die: u8 } =>
        says(clause!("helping-dice"), "{who} hands {to} a {die}.");
    /// A group's standing answers were cleared away; `back` are dice that came back.
    "standing-gone" StandingGone { pub who: Char, back: Hand } =>
        works(clause!("standing-fallout"), "{who}'s standing answer is over{more}.",
            more = if back.is_empty() { String::new() } else { format!("; {back} comes back") });
    "gave" Gave { pub who: Char, kept: Hand } =>
        says(clause!("give.keep-two"), "{who} gives, and keeps {kept}.");
    /// Somebody lost who could not or would not go on: `challenging` on their own turn to
    /// challenge; otherwise they owed an answer.
    "out" Out { pub who: Char, challenging: bool } => says(
        if challenging { clause!("end.no-challenge") } else { clause!("end.no-answer") },
        "{who} cannot or will not go on, and loses.");
    "ended" Ended { pub winners: CharSet } =>
        opens(clause!("end.resolve"), "The conflict is over: {winners} won.");
    /// The stakes were resolved: whose life is lost, what became true, what false.
    "resolved" pub Resolved { dies: CharSet, comes: Changes, ends: Changes } =>
        says(clause!("stakes.winner-resolves"), "The stakes are resolved: {what}.",
            what = words::resolved(at, (dies, comes, ends)));
    "unresolved" pub Unresolved =>
        says(clause!("stakes-of-the-dead"), "None of the winners lives to resolve the stakes.");
    /// A fallout roll, and the number looked up.
    "fallout-rolled" FalloutRolled { pub who: Char, roll: Fallout, pub sum: u8, pub band: Band } =>
        works(words::band_clause(band), "{who} rolls fallout: {sum}, {band}{one}.",
            one = if roll.one && band != Band::Dead { ", and a 1: experience" } else { "" });
    /// Nothing that a fallout roll or reflection brought could be done; without a menu, of first aid.
    "nothing" Nothing {
        pub who: Char, #[serde(skip_serializing_if = "Option::is_none")] menu: Option<Menu>,
    } => says(
        if menu.is_some() { clause!("fallout-entry-impossible") } else { clause!("firstaid-no-sheet") },
        "Of {of} nothing can be done for {who}.", of = menu.map_or("first aid", words::menu_words));
    "suffered" Suffered { pub who: Char, pub circumstances: Circumstances } =>
        says(clause!("beyond.sheet.circumstances"), "{circumstances} {be} true for {who}.",
            be = words::become_words(circumstances));
    "cleared" Cleared { pub who: Char, pub circumstances: Circumstances } =>
        says(clause!("beyond.sheet.circumstances"), "{circumstances} {be} false for {who}.",
            be = words::become_words(circumstances));
    "gained" Gained { pub who: Char, item: Item } =>
        says(clause!("fallout.assign"), "{who} has a new {sort}: {thing} ({dice}).",
            sort = words::sort_of(at.state, item), thing = words::thing_name(at, item, viewer),
            dice = words::rating_of(at.state, item));
    "changed" Changed { pub who: Char, item: Item } =>
        works(clause!("fallout.assign"), "{thing} of {who} is {dice} now.",
            thing = words::thing_name(at, item, viewer), dice = words::rating_of(at.state, item));
    "lost" Lost { pub who: Char, item: Item } =>
        says(clause!("injury.lose-item"), "{who} loses {thing}.",
            thing = words::thing_name(at, item, viewer));
    /// It was struck off by the gamemaster's word.
    "struck-off" StruckOff { pub who: Char, item: Item } => told(Told::new(
        format!("{} of {} is struck off.", words::thing_name(at, item, viewer), said(at, who))).working());
    /// It was gone with a victim's release.
    "gone" Gone { pub who: Char, item: Item } =>
        says(clause!("beyond.monster.victims"), "The {sort} {thing} of {who} is gone.",
            sort = words::sort_of(at.state, item), thing = words::thing_name(at, item, viewer));
    /// Unassigned relationship dice came in.
    "unassigned" Unassigned { pub who: Char, dice: Pool } =>
        works(clause!("xp.rel-dice-big"), "{who} has {dice} more of relationship.");
    "stat-die" StatDie { pub who: Char, pub stat: Stat, more: bool } => works(
        if more { clause!("reflection.stats") } else { clause!("long.lose-stat-die") },
        "{who}'s {stat} {what} a die.", what = if more { "gains" } else { "loses" });
    "gave-dice" GaveDice { pub who: Char, pub to: Char, dice: Hand } =>
        works(clause!("short.give-two"), "{who} leaves {to} {dice} for a followup.");
    "member-lost" MemberLost(pub who: Char) => says(clause!("gnpc.sheet"), "{who} loses a member.");
    "needs-aid" NeedsAid(pub who: Char) => says(clause!("firstaid.required"), "{who} requires first aid.");
    "aid-met" AidMet(pub who: Char) => says(clause!("firstaid-outcome"), "First aid was enough for {who}.");
    "cared" Cared(pub who: Char) => says(clause!("medical.care"), "{who} gets real medical care.");
    "died" Died(pub who: Char) => opens(clause!("dying.final"), "{who} dies.");
    "newcomer" Newcomer { pub who: Char, pub dead: Char } =>
        opens(clause!("dying.new-character"), "{who} comes in the place of {dead}.");
    "not-placed" NotPlaced(who: Char) => says(clause!("newcomer-place"),
        "{who} is in no scene until the gamemaster frames one.");
    "no-newcomer" NoNewcomer(pub dead: Char) => says(clause!("dying.new-character"),
        "No more characters can be made this evening: the gamemaster brings one in for {dead}.");
    "reflects" Reflects(pub who: Char) =>
        says(clause!("reflection.choose"), "{who} gets reflection fallout.");
    "revealed" pub Revealed(fact: Fact) => says(clause!("vis.monster-hidden"), "It becomes known: {text}",
        text = at.rules.facts.get(fact.index()).map_or("", |writeup| writeup.text.as_str()));
    "bond" Bond { pub who: Char, bond: Item, holds: bool } =>
        says(clause!("bond-true"), "{who} {how} {thing}.",
            how = if holds { "keeps to" } else { "has broken" },
            thing = words::thing_name(at, bond, viewer));
    "assigned" Assigned { pub who: Char, item: Item } =>
        works(clause!("relationship-assign"), "{who} has {dice} now for {thing}.",
            dice = words::rating_of(at.state, item), thing = words::thing_name(at, item, viewer));
    /// Something happened to a victim, whose worth now this is.
    "victim" Victim { pub who: Char, turn: Turn, worth: u8 } => says(
        match turn {
            Turn::Succumb => clause!("reflection.trigger-succumb"),
            Turn::Release => clause!("reflection.trigger-release"),
            Turn::Step | Turn::Undo => clause!("beyond.monster.victims"),
        },
        "{who} {what}.",
        what = match turn {
            Turn::Succumb => "succumbs to the monster".to_owned(),
            Turn::Release => "is released from the monster".to_owned(),
            Turn::Step | Turn::Undo => format!("is worth {worth}d10 to the monster now"),
        });
    "met" Met(pub to: To) => says(clause!("beyond.scene.gm-frames"), "{to} has been met.");
    /// A new scene; `open` where a player's character is there, or somebody goes there from one's scene.
    "new-scene" pub NewScene { who: CharSet, open: bool } =>
        opens(clause!("beyond.scene.gm-frames"), "A new scene: {all}.",
            all = words::scene_words(at, who, viewer));
    "entered" Entered(pub who: Char) => says(clause!("beyond.scene.gm-frames"), "{who} comes in.");
    "moved" pub Moved => opens(clause!("beyond.scene.gm-frames"), "The scene moves to another place.");
    /// The scene ended; `open` where a player's character was there.
    "scene-ended" pub SceneEnded { open: bool } =>
        opens(clause!("beyond.scene.gm-frames"), "The scene ends.");
    "closed" pub Closed => opens(clause!("beyond.scene.gm-frames"), "The evening ends.");
    "ruled" Ruled(who: Char) => told(Told::new("By the gamemaster's word"));
    "ruled-table" RuledTable => told(Told::new("By the gamemaster's word"));
}

says! {
    Afraid, at;
    Char: who => said(at, who);
    CharSet: all => words::names(at, all);
    To: to => to_said(at, to);
    Arena: arena => arena;
    Aid: kind => kind;
    Harm: harm => harm;
    Circumstances: which => words::circumstances(which);
    Stat: stat => stat;
    Band: band => band;
    Label: text => text;
    Faces: dice => dice;
    Hand: dice => dice;
    Pool: dice => dice;
}

refer_to_nothing!(Hand, Pool, Fallout);
