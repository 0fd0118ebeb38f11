//! What one viewer may see; and what things are called.

use crate::dice::{Faces, Hand, Pool, Rating};
use crate::state::{
    Changes, Conflict, Fate, Nature, Need, Part, Stage, Stakes, State, Step, Thing, To, ToSet,
};
use crate::{At, answer::AtStake, rules::Rules, vocab::*};
use fracas_kernel::{Hidden, Known, Label, Seat, Viewer, amid, view};
use std::{borrow::Cow, collections::BTreeMap};

view! {
    /// The table as one viewer may see it.
    pub struct View {
        /// What the encounter is called.
        pub title: String,
        /// Which of the scenes is being played, or else looked at, from 0.
        pub scene: Option<u8> = default,
        /// Who is in each scene that the viewer sees.
        pub scenes: Vec<CharSet>,
        /// The conflict in this scene.
        pub conflict: Option<SeenConflict> = default,
        /// Everybody this viewer knows of, by name.
        pub cast: BTreeMap<String, Seen>,
        /// Facts of the monster's writeup that the players know, by the alphabet.
        pub facts: Vec<String>,
        /// All facts of the writeup; the gamemaster's.
        pub writeup: BTreeMap<String, SeenFact> = default,
        /// d10s that the monster has for victims to come; the gamemaster's.
        pub stock: Option<u8> = default,
        /// The evening has ended.
        pub over: bool,
        /// The settings of the table.
        pub options: BTreeMap<&'static str, &'static str>,
    }

    /// Somebody, as one viewer may see them.
    pub struct Seen {
        pub name: String,
        /// Who plays them.
        pub seat: Seat,
        /// What they are to the monster, for the gamemaster.
        pub tie: Option<Tie> = default,
        /// Whether they live.
        pub fate: Fate,
        /// d6s of each stat, where the viewer may know them.
        pub stats: Option<BTreeMap<Stat, u8>> = default,
        /// Members of a group.
        pub members: Option<u8> = default,
        /// Circumstances that are true.
        pub circumstances: Circumstances,
        /// What they were made from.
        pub background: Option<Background> = default,
        /// Unassigned relationship dice.
        pub unassigned: Pool = default,
        /// What is on the sheet, as far as the viewer may know, by name.
        pub sheet: BTreeMap<String, SeenThing>,
        /// First aid is required.
        pub needs_aid: Option<Need> = default,
        /// Dice kept or given for a followup.
        pub kept: Faces = default,
        /// How the monster has them, where they are its victim; the gamemaster's.
        pub hold: Option<Hold> = default,
        /// Worth to the monster in d10s; the gamemaster's.
        pub worth: Option<u8> = default,
    }

    /// A thing on a sheet.
    pub struct SeenThing {
        pub name: String,
        pub sort: Sort,
        pub dice: String,
        /// Whom a relationship is to.
        pub to: Option<To> = default,
        /// In which arena alone it gives dice.
        pub arena: Option<Arena> = default,
        /// A bond that is broken.
        pub broken: bool = default,
        /// Its dice were rolled in the conflict under way.
        pub rolled: bool = default,
    }

    /// A fact of the writeup.
    pub struct SeenFact {
        /// The fact.
        pub text: String,
        pub topic: Topic,
        /// Whether the players know it.
        pub known: bool,
    }

    /// A conflict. All dice lie open (`vis.dice-open`).
    pub struct SeenConflict {
        pub stage: Stage,
        /// What is at stake.
        pub stakes: SeenStakes,
        /// It follows up the conflict before.
        pub followup: bool,
        /// The opening arena.
        pub arena: Option<Arena> = default,
        pub round: u16,
        pub order: Vec<Char>,
        /// Who has had a turn.
        pub had: CharSet,
        /// Who takes part, by name.
        pub parts: BTreeMap<String, SeenPart>,
        /// Challenges outstanding, the first first.
        pub challenges: Vec<SeenChallenge>,
        /// Fallout dice the victim of first aid has banked.
        pub victim: Option<Pool> = default,
    }

    /// What is at stake.
    pub struct SeenStakes {
        /// In words.
        pub thing: Option<Label> = default,
        pub lives: CharSet,
        /// Whom and what it concerns, by name.
        pub about: Vec<To>,
        pub circumstances: Changes,
        /// By somebody's musing.
        pub implied: bool,
    }

    /// Somebody in a conflict.
    pub struct SeenPart {
        pub side: u8,
        /// Faces, the highest first.
        pub hand: Faces,
        /// The same by size.
        pub dice: Hand,
        pub best_pair: u8,
        /// Fallout dice.
        pub bank: Pool,
        /// Arenas entered.
        pub arenas: ArenaSet,
        /// They have given or lost.
        pub out: bool,
        /// A group's standing answer.
        pub standing: Faces = default,
    }

    /// A challenge outstanding.
    pub struct SeenChallenge {
        pub by: Char,
        /// Its dice; none yet, while it is being made.
        pub dice: Faces,
        /// What the one being answered threatens.
        pub harm: Option<Harm> = default,
        /// Who still owes an answer.
        pub owed: CharSet,
        /// Who is bound to answer in kind.
        pub committed: CharSet,
        /// The new arena it is made in.
        pub escalated: Option<Arena> = default,
    }
}

/// What somebody is called.
pub(crate) fn name<'a>(at: At<'a>, who: Char) -> &'a str {
    if who == Char::INJURY {
        return "The injury";
    }
    match who.index().checked_sub(MAX_CAST) {
        Some(n) => at.state.newcomer_names.get(n).map_or("somebody new", |name| name.as_str()),
        None => at.rules.cast.get(who.index()).map_or("nobody", |sheet| sheet.name.as_str()),
    }
}

/// The same amid a sentence.
pub(crate) fn said<'a>(at: At<'a>, who: Char) -> &'a str {
    match at.rules.cast.get(who.index()) {
        Some(sheet) => &sheet.said,
        None if who == Char::INJURY => "the injury",
        None => name(at, who),
    }
}

/// What somebody is referred to by.
pub(crate) fn slug(rules: &Rules, who: Char) -> &str {
    let found = match who.index().checked_sub(MAX_CAST) {
        _ if who == Char::INJURY => rules.roster.names.slug('w', 0),
        Some(at) => rules.roster.names.slug('n', at),
        None => rules.roster.names.slug(Char::LETTER, who.index()),
    };
    found.unwrap_or("nobody")
}

/// What a thing on a sheet is called.
pub(crate) fn item_name<'a>(at: At<'a>, item: Item) -> &'a str {
    let named: Option<&str> = match item.place() {
        Place::Setup(n) => at.rules.items.get(n).map(String::as_str),
        Place::Gained(n) => at.state.gained_names.get(n).map(|name| name.as_str()),
        Place::Theirs(n) => at.state.their_names.get(n).map(|name| name.as_str()),
    };
    named.unwrap_or("something")
}

fn item_slug(rules: &Rules, item: Item) -> &str {
    let found = match item.place() {
        Place::Setup(at) => rules.roster.names.slug(Item::LETTER, at),
        Place::Gained(at) => rules.roster.names.slug('g', at),
        Place::Theirs(at) => rules.roster.names.slug('h', at),
    };
    found.unwrap_or("something")
}

/// What somebody whom a relationship is to is called.
pub(crate) fn to_name<'a>(at: At<'a>, to: To) -> &'a str {
    match to {
        To::Char(who) => name(at, who),
        To::Person(person) => match at.rules.people.get(person.index()) {
            Some(name) => name,
            None => at.state.acquaintance(person).map_or("somebody", |name| name.as_str()),
        },
    }
}

/// Some in the order of their names, which does not tell who is in the cast.
pub(crate) fn by_name(at: At<'_>, all: ToSet) -> Vec<To> {
    let mut all: Vec<To> = all.iter().collect();
    all.sort_by_key(|&to| to_name(at, to).to_lowercase());
    all
}

/// The same amid a sentence.
pub(crate) fn to_said<'a>(at: At<'a>, to: To) -> Cow<'a, str> {
    match to {
        To::Char(who) => said(at, who).into(),
        To::Person(_) => amid(to_name(at, to)).into(),
    }
}

/// What somebody whom a relationship is to is called, as a label: cut short where it is too long for one.
pub(crate) fn label_of(at: At<'_>, to: To) -> Label {
    let name = to_name(at, to);
    let end =
        name.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= Label::MOST).last();
    name[..end.unwrap_or(0)].parse().unwrap_or(crate::fallout::PROPOSALS.thing)
}

/// Whether a viewer has been shown such a character (`vis.monster-hidden`): players those
/// they have met.
pub(crate) fn sees(state: &State, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || who == Char::INJURY || crate::monster::is_met(state, To::Char(who))
}

/// Whether a viewer knows that there is such a character: those they have been shown, and
/// those of whom the gamemaster has said what becomes of them.
pub(crate) fn is_shown(state: &State, who: Char, viewer: Viewer) -> bool {
    let fate = |stakes: &Stakes| stakes.what.lives.or(stakes.what.circumstances.everybody()).has(who);
    sees(state, who, viewer) || seen_stakes(state).any(fate)
}

/// Whether a viewer has heard the name of such a character: also those to whom they see
/// that somebody has a relationship, and those whom a conflict of theirs is about. Whether
/// such a name is in the cast they do not know.
pub(crate) fn knows_of(state: &State, who: Char, viewer: Viewer) -> bool {
    is_shown(state, who, viewer) || is_spoken_of(state, To::Char(who), viewer)
}

/// What is at stake where players see it.
fn seen_stakes(state: &State) -> impl Iterator<Item = &Stakes> {
    let open = state.scenes.iter().filter(|scene| state.is_open(scene));
    open.filter_map(|scene| Some(&scene.conflict.as_ref()?.stakes))
}

/// Whether somebody has a relationship to this one, on a sheet that a viewer sees, or a
/// conflict that players see is about them.
fn is_spoken_of(state: &State, to: To, viewer: Viewer) -> bool {
    is_related(state, to, viewer) || seen_stakes(state).any(|stakes| stakes.what.about.has(to))
}

/// Whether a viewer sees what happens in the scene that is being played.
pub(crate) fn sees_scene(state: &State, viewer: Viewer) -> bool {
    viewer.is_gm() || state.scene().is_some_and(|scene| state.is_open(scene))
}

/// Whether a viewer sees what somebody does and how they are now: players their own
/// characters, and those in a scene with one of theirs.
pub(crate) fn is_in_sight(state: &State, who: Char, viewer: Viewer) -> bool {
    let with_them =
        || state.scene_of(who).and_then(|at| state.scenes.get(at)).is_some_and(|it| state.is_open(it));
    match who {
        Char::INJURY => sees_scene(state, viewer),
        _ => viewer.is_gm() || state.is_pc(who) || knows_of(state, who, viewer) && with_them(),
    }
}

/// The scene that a viewer looks at: the current scene if they see it, or else the last
/// scene that players saw played. If they do not see that any more, their own character's
/// scene, or else the first that players see.
pub(crate) fn looks_at(state: &State, viewer: Viewer) -> Option<usize> {
    let now = usize::from(state.now);
    let own = || match viewer {
        Viewer::Seat(seat) => state.living_of(seat).and_then(|who| state.scene_of(who)),
        Viewer::Spectator => None,
    };
    let open = || state.scenes.iter().position(|scene| state.is_open(scene));
    let seen = Some(now).filter(|_| sees_scene(state, viewer)).or_else(|| state.shown());
    seen.or_else(own).or_else(open)
}

/// What a relationship on a sheet that a viewer sees is to.
fn is_related(state: &State, to: To, viewer: Viewer) -> bool {
    state.things().any(|(item, thing)| thing.to == Some(to) && knows_thing(state, item, viewer))
}

/// The same of somebody whom a relationship can be to: of people outside the cast
/// players know those they have met, have a relationship to, or who are at stake.
pub(crate) fn knows_of_any(state: &State, to: To, viewer: Viewer) -> bool {
    match to {
        To::Char(who) => knows_of(state, who, viewer),
        To::Person(_) => {
            viewer.is_gm() || crate::monster::is_met(state, to) || is_spoken_of(state, to, viewer)
        }
    }
}

/// Whether a viewer may know a thing on a sheet: players what is on their own, and what
/// somebody has shown them whom they have met.
pub(crate) fn knows_thing(state: &State, item: Item, viewer: Viewer) -> bool {
    let shown = |thing: &Thing| state.is_pc(thing.owner) || thing.known && sees(state, thing.owner, viewer);
    viewer.is_gm() || state.thing(item).is_some_and(shown)
}

/// How much a viewer may know of a name. What players do not know of is for them as if it
/// were not there: people, what is on the sheets of others, the writeup.
pub(crate) fn knows_name(at: At<'_>, (letter, n): (char, usize), who: Viewer) -> Known {
    let n = n as u8;
    let open = |known: bool| if known { Known::Open } else { Known::Hidden };
    let named = |to: To| {
        let is_shown = match to {
            To::Char(one) => is_shown(at.state, one, who),
            To::Person(_) => crate::monster::is_met(at.state, to),
        };
        match at.state.is_there(at.rules, to) && knows_of_any(at.state, to, who) {
            true if is_shown => Known::Open,
            true => Known::Hearsay,
            false => Known::Hidden,
        }
    };
    let person = |first: usize| named(To::Person(Person(first as u8 + n)));
    match letter {
        'c' => named(To::Char(Char(n))),
        'n' => named(To::Char(Char(MAX_CAST as u8 + n))),
        'i' => open(knows_thing(at.state, Item(n), who)),
        'g' => open(knows_thing(at.state, Item(MAX_ITEMS as u8 + n), who)),
        'h' => open(knows_thing(at.state, Item((MAX_ITEMS + MAX_GAINED) as u8 + n), who)),
        'p' => person(0),
        's' => person(MAX_PEOPLE),
        't' => person(MAX_PEOPLE + MAX_MET),
        // An id may tell more than the text, and numbers count the facts.
        'f' if at.state.known.has(Fact(n)) => Known::Unnamed,
        'f' => Known::Hidden,
        _ => Known::Open,
    }
}

/// Takes the names of what is hidden out of rules and state.
pub(crate) fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
    fn put<T>(all: &mut [T], letter: char, hidden: &Hidden, take: impl Fn(&mut T)) {
        let names = all.iter_mut().enumerate().filter(|(at, _)| hidden.has(letter, *at));
        names.for_each(|(_, one)| take(one));
    }
    let label = |text: &'static str| move |one: &mut Label| *one = text.parse().unwrap_or(*one);
    put(&mut rules.cast, Char::LETTER, hidden, |sheet| {
        (sheet.name, sheet.said) = ("somebody".to_owned(), "somebody".to_owned());
    });
    put(&mut rules.people, Person::LETTER, hidden, |name| "somebody".clone_into(name));
    put(&mut rules.items, Item::LETTER, hidden, |name| "something".clone_into(name));
    put(&mut rules.facts, Fact::LETTER, hidden, |fact| "something".clone_into(&mut fact.text));
    put(&mut state.newcomer_names, 'n', hidden, label("somebody"));
    put(&mut state.acquainted, 's', hidden, label("somebody"));
    put(&mut state.their_acquainted, 't', hidden, label("somebody"));
    put(&mut state.gained_names, 'g', hidden, label("something"));
    put(&mut state.their_names, 'h', hidden, label("something"));
}

/// Those of them whom a viewer knows of.
pub(crate) fn known(all: CharSet, state: &State, viewer: Viewer) -> CharSet {
    all.iter().filter(|&who| knows_of(state, who, viewer)).collect()
}

/// The table as `who` may see it.
pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let gm = who.is_gm();
    let cast = at.state.everybody().filter(|&one| sees(at.state, one, who));
    let facts = at.rules.facts.iter().zip((0..).map(Fact)).filter(|_| gm).map(|(writeup, fact)| {
        let slug = at.rules.roster.names.slug(Fact::LETTER, fact.index()).unwrap_or_default().to_owned();
        let (text, topic, known) = (writeup.text.clone(), writeup.topic, at.state.known.has(fact));
        (slug, SeenFact { text, topic, known })
    });
    let scenes = at.state.scenes.iter().enumerate().filter(|(_, scene)| gm || at.state.is_open(scene));
    let looked_at = looks_at(at.state, who);
    View {
        title: at.rules.roster.title.clone(),
        scene: scenes.clone().position(|(n, _)| Some(n) == looked_at).map(|n| n as u8),
        scenes: scenes.map(|(_, scene)| known(scene.present, at.state, who)).collect(),
        conflict: looked_at
            .and_then(|n| at.state.scenes.get(n)?.conflict.as_ref())
            .map(|conflict| seen_conflict(at, conflict)),
        cast: cast.map(|one| (slug(at.rules, one).to_owned(), seen(at, one, who))).collect(),
        facts: known_facts(at).into_iter().map(str::to_owned).collect(),
        writeup: facts.collect(),
        stock: gm.then_some(at.state.stock),
        over: at.state.over,
        options: at.rules.options.words().into_iter().collect(),
    }
}

/// The facts that players know, in an order that does not tell their places in the writeup.
pub(crate) fn known_facts<'r>(at: At<'r>) -> Vec<&'r str> {
    let known = at.state.known.iter().filter_map(|fact| at.rules.facts.get(fact.index()));
    let mut texts: Vec<&str> = known.map(|writeup| writeup.text.as_str()).collect();
    texts.sort_unstable();
    texts
}

fn seen(at: At<'_>, who: Char, viewer: Viewer) -> Seen {
    let being = at.state.being(who);
    let open = viewer.is_gm() || at.state.is_pc(who);
    // Of somebody elsewhere players know what they are called.
    let here = is_in_sight(at.state, who, viewer);
    let things = at.state.sheet(who).filter(|(item, _)| here && knows_thing(at.state, *item, viewer));
    let things = things.map(|(item, &Thing { sort, rating, to, arena, holds, rolled, .. })| {
        let (name, dice) = (item_name(at, item).to_owned(), rating.to_string());
        let to = to.filter(|&to| knows_of_any(at.state, to, viewer));
        let thing = SeenThing { name, sort, dice, to, arena, broken: !holds, rolled };
        (item_slug(at.rules, item).to_owned(), thing)
    });
    Seen {
        name: name(at, who).to_owned(),
        seat: being.seat,
        tie: viewer.is_gm().then_some(being.tie),
        // Who rises elsewhere is dead to players until they see them.
        fate: match at.state.mourned.has(who) {
            _ if here => being.fate,
            true => Fate::Dead,
            false => Fate::Living,
        },
        stats: (open && at.state.has_sheet(who))
            .then(|| Stat::ALL.iter().map(|&stat| (stat, being.stats[stat as usize])).collect()),
        members: match being.nature {
            Nature::Group(members) if here => Some(members),
            _ => None,
        },
        circumstances: if here { being.circumstances } else { Circumstances::NONE },
        background: being.background.filter(|_| open),
        unassigned: if open { being.unassigned } else { Pool::EMPTY },
        sheet: things.collect(),
        needs_aid: being.need.filter(|_| here),
        kept: if here { being.all_kept(who).faces() } else { Faces::NONE },
        hold: (viewer.is_gm() && being.tie == Tie::Victim).then_some(being.hold),
        worth: (viewer.is_gm() && being.tie == Tie::Victim).then_some(being.worth),
    }
}

fn seen_conflict(at: At<'_>, conflict: &Conflict) -> SeenConflict {
    let parts = conflict.parts.iter().map(|part| {
        let &Part { side, hand: dice, bank, arenas, out, .. } = part;
        let (hand, standing) = (dice.faces(), part.standing.dice.faces());
        let best_pair = hand.best_pair();
        let seen = SeenPart { side, hand, dice, best_pair, bank, arenas, out, standing };
        (slug(at.rules, part.who).to_owned(), seen)
    });
    let challenges = conflict.exchanges.iter().map(|exchange| {
        let made = exchange.step != Step::Making;
        SeenChallenge {
            by: exchange.by,
            dice: if made { Faces::of(&exchange.dice) } else { Faces::NONE },
            harm: made.then(|| exchange.strike().harm),
            owed: match exchange.step {
                Step::Making => CharSet::NONE,
                Step::Members | Step::Matching => exchange.strike().on,
                Step::Answering => exchange.owed,
            },
            committed: exchange.committed.or(exchange.in_kind),
            escalated: exchange.escalated,
        }
    });
    let &Conflict { stage, stakes, followup, arena, round, had, .. } = conflict;
    let Stakes { thing, what: AtStake { lives, about, circumstances }, implied } = stakes;
    SeenConflict {
        stage,
        stakes: SeenStakes { thing, lives, about: by_name(at, about), circumstances, implied },
        followup,
        arena,
        round,
        order: conflict.order.to_vec(),
        had,
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
    let people = (0..rules.people.len() as u8).map(Person);
    let unknown: Vec<Person> = people.filter(|&one| !knows_of_any(state, To::Person(one), who)).collect();
    for one in unknown {
        rules.people[one.index()] = format!("Nobody {}", pick(one.index(), 90));
    }
    state.stock = pick(1, 9);
    let everybody: Vec<Char> = state.everybody().collect();
    for one in everybody {
        let (at, named) = (one.index(), knows_of(state, one, who));
        let here = is_in_sight(state, one, who);
        if state.is_pc(one) {
            continue;
        }
        if let Some(sheet) = rules.cast.get_mut(at) {
            sheet.secret = format!("another secret {seed}");
            if !named {
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
        being.worth = 1 + pick(at, 4);
        if !here {
            being.circumstances = Circumstances(pick(at, 16));
            if let Nature::Group(members) = &mut being.nature {
                *members = 1 + pick(at, 9);
            }
        }
    }
    scramble_sheets(rules, state, who, seed);
}

/// Replaces the things on sheets that a viewer has not seen. The number, dice and arenas of the
/// replacements do not depend on the replaced things. Rolled things lie open as dice.
fn scramble_sheets(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    let mut left = seed;
    let mut pick = |most: usize| {
        left = left.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (left >> 33) as usize % most
    };
    let items = state.things().map(|(item, _)| item);
    let unseen: Vec<Item> = items.filter(|&item| !knows_thing(state, item, who)).collect();
    for item in unseen {
        if let Some(name) = rules.items.get_mut(item.index()) {
            *name = format!("something {}", (seed >> 3).wrapping_add(item.index() as u64) % 90);
        }
        if let Some(thing) = state.thing_mut(item).filter(|thing| !thing.rolled) {
            thing.lost = true;
        }
    }
    let name: Label = crate::fallout::PROPOSALS.thing;
    let others = state.everybody().filter(|&one| !state.is_pc(one) && state.has_sheet(one));
    let others: Vec<Char> = others.filter(|&one| is_in_sight(state, one, who)).collect();
    for owner in others {
        for _ in 0..pick(4) {
            let sort = [Sort::Trait, Sort::Trait, Sort::Belonging, Sort::Bond][pick(4)];
            let rating = Rating::of(1 + pick(3) as u8, Size::ALL[pick(Size::ALL.len())]);
            let arena = Arena::ALL.get(pick(2 * Arena::ALL.len())).copied();
            let arena = arena.filter(|_| sort == Sort::Trait);
            // What is full makes no room here: of what was struck off players may have heard.
            if !state.theirs.is_full() {
                state.gain(Thing { arena, ..Thing::new(owner, sort, rating) }, name);
            }
        }
    }
}
