//! What one viewer may see; and what things are called.

use crate::{
    dice::{Faces, Hand, Pool, Rating},
    rules::Rules,
    state::{Changes, Conflict, Fate, Nature, Need, Scene, Stage, State, Step, Thing, To},
    vocab::*,
};
use fracas_kernel::{Hidden, Known, Label, Seat, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    /// What the encounter is called.
    pub title: String,
    /// Which scene is being played, from 0.
    pub scene: u8,
    /// Who is in each scene.
    pub scenes: Vec<CharSet>,
    /// The conflict in this scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<SeenConflict>,
    /// Everybody this viewer knows of, by name.
    pub cast: BTreeMap<String, Seen>,
    /// Facts of the monster's writeup: those known, and for the gamemaster all.
    pub facts: BTreeMap<String, SeenFact>,
    /// d10s that the monster has for victims to come; the gamemaster's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<u8>,
    /// The evening has ended.
    pub over: bool,
    /// The settings of the table.
    pub options: BTreeMap<&'static str, &'static str>,
}

/// Somebody, as one viewer may see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seen {
    /// What they are called.
    pub name: String,
    /// Who plays them.
    pub seat: Seat,
    /// What they are to the monster, for the gamemaster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie: Option<Tie>,
    /// Whether they live.
    pub fate: Fate,
    /// d6s of each stat, where the viewer may know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<BTreeMap<Stat, u8>>,
    /// Members of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u8>,
    /// Circumstances that are true.
    pub circumstances: Circumstances,
    /// What they were made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<Background>,
    /// Unassigned relationship dice.
    #[serde(skip_serializing_if = "Pool::is_empty_ref")]
    pub unassigned: Pool,
    /// What is on the sheet, as far as the viewer may know, by name.
    pub sheet: BTreeMap<String, SeenThing>,
    /// First aid is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_aid: Option<Need>,
    /// Dice kept or given for a followup.
    #[serde(skip_serializing_if = "Faces::is_none")]
    pub kept: Faces,
    /// How the monster has them, where they are its victim; the gamemaster's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
    /// Worth to the monster in d10s; the gamemaster's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<u8>,
}

impl Pool {
    /// For serde, which asks by reference.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
    fn is_empty_ref(&self) -> bool {
        self.is_empty()
    }
}

impl Faces {
    /// For serde, which asks by reference.
    fn is_none(&self) -> bool {
        self.is_empty()
    }
}

/// A thing on a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenThing {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub sort: Sort,
    /// Its dice.
    pub dice: String,
    /// Whom a relationship is to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<To>,
    /// In which arena alone it gives dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arena: Option<Arena>,
    /// A bond that is broken.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
    /// Its dice were rolled in the conflict under way.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rolled: bool,
}

/// A fact of the writeup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenFact {
    /// The fact.
    pub text: String,
    /// What it is about.
    pub topic: Topic,
    /// Whether the players know it.
    pub known: bool,
}

/// A conflict. All dice lie open (`vis.dice-open`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenConflict {
    /// How far it is.
    pub stage: Stage,
    /// What is at stake.
    pub stakes: SeenStakes,
    /// It follows up the conflict before.
    pub followup: bool,
    /// The opening arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arena: Option<Arena>,
    /// The round.
    pub round: u16,
    /// Its order.
    pub order: Vec<Char>,
    /// Who has had a turn.
    pub had: CharSet,
    /// Who takes part, by name.
    pub parts: BTreeMap<String, SeenPart>,
    /// Challenges outstanding, the first first.
    pub challenges: Vec<SeenChallenge>,
    /// Fallout dice the victim of first aid has banked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub victim: Option<Pool>,
}

/// What is at stake.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenStakes {
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<Label>,
    /// Whose lives.
    pub lives: CharSet,
    /// Whom of the cast.
    pub about: CharSet,
    /// Whom and what else.
    pub people: PersonSet,
    /// Whose circumstances.
    pub circumstances: Changes,
    /// By somebody's musing.
    pub implied: bool,
}

/// Somebody in a conflict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenPart {
    /// On which side.
    pub side: u8,
    /// Faces, the highest first.
    pub hand: Faces,
    /// The same by size.
    pub dice: Hand,
    /// The best pair.
    pub best_pair: u8,
    /// Fallout dice.
    pub bank: Pool,
    /// Arenas entered.
    pub arenas: ArenaSet,
    /// They have given or lost.
    pub out: bool,
    /// A group's standing answer.
    #[serde(skip_serializing_if = "Faces::is_none")]
    pub standing: Faces,
}

/// A challenge outstanding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenChallenge {
    /// Whose.
    pub by: Char,
    /// Its dice; none yet, while it is being made.
    pub dice: Faces,
    /// What the one being answered threatens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harm: Option<Harm>,
    /// Who still owes an answer.
    pub owed: CharSet,
    /// Who is bound to answer in kind.
    pub committed: CharSet,
    /// The new arena it is made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalated: Option<Arena>,
}

/// What somebody is called.
pub(crate) fn name<'a>(rules: &'a Rules, state: &'a State, who: Char) -> &'a str {
    if who == Char::INJURY {
        return "The injury";
    }
    match who.index().checked_sub(MAX_CAST) {
        Some(at) => state.newcomer_names.get(at).map_or("somebody new", |name| name.as_str()),
        None => rules.cast.get(who.index()).map_or("nobody", |sheet| sheet.name.as_str()),
    }
}

/// The same amid a sentence.
pub(crate) fn said<'a>(rules: &'a Rules, state: &'a State, who: Char) -> &'a str {
    match rules.cast.get(who.index()) {
        Some(sheet) => &sheet.said,
        None if who == Char::INJURY => "the injury",
        None => name(rules, state, who),
    }
}

/// What somebody is referred to by.
pub(crate) fn slug(rules: &Rules, who: Char) -> &str {
    let found = match who.index().checked_sub(MAX_CAST) {
        _ if who == Char::INJURY => rules.names.slug('w', 0),
        Some(at) => rules.names.slug('n', at),
        None => rules.names.slug(Char::LETTER, who.index()),
    };
    found.unwrap_or("nobody")
}

/// What a thing on a sheet is called.
pub(crate) fn item_name<'a>(rules: &'a Rules, state: &'a State, item: Item) -> &'a str {
    match item.index().checked_sub(MAX_ITEMS) {
        Some(at) => state.gained_names.get(at).map_or("something", |name| name.as_str()),
        None => rules.items.get(item.index()).map_or("something", String::as_str),
    }
}

fn item_slug(rules: &Rules, item: Item) -> &str {
    let found = match item.index().checked_sub(MAX_ITEMS) {
        Some(at) => rules.names.slug('g', at),
        None => rules.names.slug(Item::LETTER, item.index()),
    };
    found.unwrap_or("something")
}

/// What somebody whom a relationship is to is called.
pub(crate) fn to_name<'a>(rules: &'a Rules, state: &'a State, to: To) -> &'a str {
    match to {
        To::Char(who) => name(rules, state, who),
        To::Person(person) => match person.index().checked_sub(MAX_PEOPLE) {
            Some(at) => state.acquainted.get(at).map_or("somebody", |name| name.as_str()),
            None => rules.people.get(person.index()).map_or("somebody", String::as_str),
        },
    }
}

/// The same amid a sentence.
pub(crate) fn to_said<'a>(rules: &'a Rules, state: &'a State, to: To) -> &'a str {
    match to {
        To::Char(who) => said(rules, state, who),
        To::Person(_) => to_name(rules, state, to),
    }
}

/// What somebody whom a relationship is to is called, as a label: cut short where it is too long for one.
pub(crate) fn label_of(rules: &Rules, state: &State, to: To) -> Label {
    let name = to_name(rules, state, to);
    let end =
        name.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= Label::MOST).last();
    name[..end.unwrap_or(0)].parse().unwrap_or(crate::fallout::PROPOSALS.thing)
}

/// Whether a viewer knows that there is such a character (`vis.monster-hidden`).
pub(crate) fn knows_of(state: &State, who: Char, viewer: Viewer) -> bool {
    // Whoever is at stake in a conflict of theirs has been named to the players.
    let at_stake = |scene: &Scene| {
        let concerned = scene.conflict.as_ref().map_or(CharSet::NONE, |conflict| conflict.stakes.cast());
        concerned.has(who) && state.is_open(scene)
    };
    viewer.is_gm()
        || who == Char::INJURY
        || crate::monster::is_met(state, To::Char(who))
        || state.scenes.iter().any(at_stake)
}

/// Whether a viewer sees what happens in the scene that is being played.
pub(crate) fn sees_scene(state: &State, viewer: Viewer) -> bool {
    viewer.is_gm() || state.scene().is_some_and(|scene| state.is_open(scene))
}

/// The same of somebody whom a relationship can be to: of people outside the cast
/// players know those they have met, have a relationship to, or who are at stake.
pub(crate) fn knows_of_any(state: &State, to: To, viewer: Viewer) -> bool {
    let To::Person(person) = to else { return matches!(to, To::Char(who) if knows_of(state, who, viewer)) };
    let related = |(_, thing): (Item, &Thing)| thing.to == Some(to) && state.is_pc(thing.owner);
    let at_stake =
        |scene: &Scene| scene.conflict.as_ref().is_some_and(|conflict| conflict.stakes.people.has(person));
    viewer.is_gm()
        || person.index() >= MAX_PEOPLE
        || crate::monster::is_met(state, to)
        || state.things().any(related)
        || state.scenes.iter().any(at_stake)
}

/// Whether a viewer may know a thing on a sheet.
pub(crate) fn knows_thing(state: &State, item: Item, viewer: Viewer) -> bool {
    viewer.is_gm() || state.thing(item).is_some_and(|thing| thing.known || state.is_pc(thing.owner))
}

/// How much a player may know of what a name means. Somebody unmet is not there; what
/// is on sheets, and facts, can be named, and rules say what comes of it.
pub(crate) fn knows_name(rules: &Rules, state: &State, (letter, n): (char, usize), who: Viewer) -> Known {
    let hidden_unless = |known: bool| if known { Known::Open } else { Known::Hidden };
    let unsaid_unless = |known: bool| if known { Known::Open } else { Known::Unsaid };
    let char = |n: usize| {
        let one = Char(n as u8);
        hidden_unless(state.knows(one) && knows_of(state, one, who))
    };
    let person = |n: usize| {
        let to = To::Person(Person(n as u8));
        hidden_unless(state.is_there(rules, to) && knows_of_any(state, to, who))
    };
    let item = |n: usize| {
        let item = Item(n as u8);
        match state.thing(item) {
            Some(thing) if knows_of(state, thing.owner, who) => unsaid_unless(knows_thing(state, item, who)),
            _ => Known::Hidden,
        }
    };
    match letter {
        'c' => char(n),
        'n' => char(MAX_CAST + n),
        'i' => item(n),
        'g' => item(MAX_ITEMS + n),
        'p' => person(n),
        's' => person(MAX_PEOPLE + n),
        'f' => unsaid_unless(state.known.has(Fact(n as u8))),
        _ => Known::Open,
    }
}

/// Takes the names of what is hidden out of the rules.
pub(crate) fn mask(rules: &mut Rules, hidden: &Hidden) {
    for (_, sheet) in rules.cast.iter_mut().enumerate().filter(|(n, _)| hidden.has(Char::LETTER, *n)) {
        sheet.name = "somebody".to_owned();
        sheet.said = "somebody".to_owned();
    }
}

fn known(all: CharSet, state: &State, viewer: Viewer) -> CharSet {
    all.iter().filter(|&who| knows_of(state, who, viewer)).collect()
}

/// The table as `who` may see it.
pub(crate) fn view(rules: &Rules, state: &State, who: Viewer) -> View {
    let gm = who.is_gm();
    let cast = state.everybody().filter(|&one| knows_of(state, one, who));
    let facts = (0..rules.facts.len() as u8).map(Fact).filter(|&fact| gm || state.known.has(fact));
    View {
        title: rules.title.clone(),
        scene: state.now,
        scenes: state.scenes.iter().map(|scene| known(scene.present, state, who)).collect(),
        conflict: state
            .conflict()
            .filter(|_| sees_scene(state, who))
            .map(|conflict| seen_conflict(rules, conflict)),
        cast: cast.map(|one| (slug(rules, one).to_owned(), seen(rules, state, one, who))).collect(),
        facts: facts
            .map(|fact| {
                let writeup = &rules.facts[fact.index()];
                let slug = rules.names.slug(Fact::LETTER, fact.index()).unwrap_or_default().to_owned();
                let (text, topic, known) = (writeup.text.clone(), writeup.topic, state.known.has(fact));
                (slug, SeenFact { text, topic, known })
            })
            .collect(),
        stock: gm.then_some(state.stock),
        over: state.over,
        options: rules.options.words().collect(),
    }
}

fn seen(rules: &Rules, state: &State, who: Char, viewer: Viewer) -> Seen {
    let being = state.being(who);
    let open = viewer.is_gm() || state.is_pc(who);
    let things = state.sheet(who).filter(|(item, _)| knows_thing(state, *item, viewer));
    Seen {
        name: name(rules, state, who).to_owned(),
        seat: being.seat,
        tie: viewer.is_gm().then_some(being.tie),
        fate: being.fate,
        stats: (open && state.has_sheet(who))
            .then(|| Stat::ALL.iter().map(|&stat| (stat, being.stats[stat as usize])).collect()),
        members: if let Nature::Group(members) = being.nature { Some(members) } else { None },
        circumstances: being.circumstances,
        background: being.background.filter(|_| open),
        unassigned: if open { being.unassigned } else { Pool::EMPTY },
        sheet: things
            .map(|(item, thing)| (item_slug(rules, item).to_owned(), seen_thing(rules, state, item, thing)))
            .collect(),
        needs_aid: being.need,
        kept: being.all_kept().faces(),
        hold: (viewer.is_gm() && being.tie == Tie::Victim).then_some(being.hold),
        worth: (viewer.is_gm() && being.tie == Tie::Victim).then_some(being.worth),
    }
}

fn seen_thing(rules: &Rules, state: &State, item: Item, thing: &Thing) -> SeenThing {
    SeenThing {
        name: item_name(rules, state, item).to_owned(),
        sort: thing.sort,
        dice: thing.rating.to_string(),
        to: thing.to,
        arena: thing.arena,
        broken: !thing.holds,
        rolled: thing.rolled,
    }
}

fn seen_conflict(rules: &Rules, conflict: &Conflict) -> SeenConflict {
    let stakes = &conflict.stakes;
    let parts = conflict.parts.iter().map(|part| {
        let faces = part.hand.faces();
        let seen = SeenPart {
            side: part.side,
            hand: faces,
            dice: part.hand,
            best_pair: faces.best_pair(),
            bank: part.bank,
            arenas: part.arenas,
            out: part.out,
            standing: part.standing.dice.faces(),
        };
        (slug(rules, part.who).to_owned(), seen)
    });
    let challenges = conflict.exchanges.iter().map(|exchange| {
        let made = exchange.step != Step::Making;
        let owed = match exchange.step {
            Step::Making => CharSet::NONE,
            Step::Members | Step::Matching => exchange.strike().on,
            Step::Answering => exchange.owed,
        };
        SeenChallenge {
            by: exchange.by,
            dice: if made { Faces::of(&exchange.dice) } else { Faces::NONE },
            harm: made.then(|| exchange.strike().harm),
            owed,
            committed: exchange.committed.or(exchange.in_kind),
            escalated: exchange.escalated,
        }
    });
    SeenConflict {
        stage: conflict.stage,
        stakes: SeenStakes {
            thing: stakes.thing,
            lives: stakes.lives,
            about: stakes.chars,
            people: stakes.people,
            circumstances: stakes.circumstances,
            implied: stakes.implied,
        },
        followup: conflict.followup,
        arena: conflict.arena,
        round: conflict.round,
        order: conflict.order.to_vec(),
        had: conflict.had,
        parts: parts.collect(),
        challenges: challenges.collect(),
        victim: conflict.aid.map(|aid| aid.bank),
    }
}

/// Changes what is hidden from a viewer, and nothing else.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    if who.is_gm() {
        return;
    }
    let pick = |at: usize, most: u64| ((seed >> 3).wrapping_add(at as u64 * 7) % most) as u8;
    for (at, fact) in rules.facts.iter_mut().enumerate() {
        if !state.known.has(Fact(at as u8)) {
            fact.text = format!("another fact {}", seed.wrapping_add(at as u64));
            fact.topic = Topic::ALL[usize::from(pick(at, Topic::ALL.len() as u64))];
        }
    }
    let everybody: Vec<Char> = state.everybody().collect();
    for one in everybody {
        let (at, met) = (one.index(), knows_of(state, one, who));
        if state.is_pc(one) {
            continue;
        }
        if let Some(sheet) = rules.cast.get_mut(at) {
            sheet.secret = format!("another secret {seed}");
            if !met {
                sheet.name = format!("Somebody {}", pick(at, 90));
                sheet.said.clone_from(&sheet.name);
            }
        }
        // Stats that were rolled lie open as dice; how many are to come does not.
        let rolled = state.conflict_of(one).and_then(|conflict| conflict.part(one)).map(|part| part.rolled);
        let Some(being) = state.being_mut(one) else { continue };
        for &stat in Stat::ALL {
            if rolled.is_none_or(|rolled| !rolled.has(stat)) {
                being.stats[stat as usize] = 1 + pick(at + stat as usize, 5);
            }
        }
        being.unassigned = Pool([pick(at, 3), 0, 0, 0]);
        if !met {
            being.circumstances = Circumstances(pick(at, 16));
        }
    }
    let items: Vec<Item> = state.things().map(|(item, _)| item).collect();
    for item in items {
        if knows_thing(state, item, who) {
            continue;
        }
        if let Some(name) = rules.items.get_mut(item.index()) {
            *name = format!("something {}", pick(item.index(), 90));
        }
        if let Some(thing) = state.thing_mut(item)
            && !thing.rolled
        {
            let count = thing.rating.count;
            thing.rating = Rating { count: 1 + (count + pick(item.index(), 3)) % 3, ..thing.rating };
        }
    }
}
