//! The game in words: asks, answers with what they lead to, events, cards.

use crate::answer::{Answer, AtStake, Batch, Prompt, Sides, Turn};
use crate::dice::{Faces, Hand, Pool, Rating};
use crate::event::{Band, Event, How};
use crate::state::{Changes, Chore, Conflict, Menu, Nature, Next, Scene, Stage, State, To, ToSet, Why};
use crate::view::{
    by_name, is_in_sight, is_shown, item_name, known, known_facts, knows_of, knows_of_any, knows_thing,
    looks_at, name, said, sees, sees_scene, slug, to_said,
};
use crate::{
    Afraid, At, board, challenge, conflict, fiat, flow, forms, parts, questions, rules::Rules, stage,
    vocab::*,
};
use fracas_kernel::{
    Asking as _, Board, Came, Card, Cell, Clause, Ending, Fallen, Happened, Laid, Meter, Odds, Part,
    Prompted as _, Question, Row, Said, Seat, SheetPart, Slot, Stage as Drawn, Tag, TagShape, Told, Values,
    Viewer, Words, form::Form,
};

/// A list of things said: "Ana", "Ana and Bo", "Ana, Bo and Cy".
fn list<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.split_last() {
        None => "nobody".to_owned(),
        Some((one, [])) => (*one).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

pub(crate) fn names(at: At<'_>, all: CharSet) -> String {
    list(all.iter().map(|who| said(at, who)))
}

/// Those of them whom a viewer knows of.
pub(crate) fn known_names(at: At<'_>, all: CharSet, viewer: Viewer) -> String {
    names(at, known(all, at.state, viewer))
}

/// Those of a scene that a viewer sees.
pub(crate) fn scene_words(at: At<'_>, present: CharSet, viewer: Viewer) -> String {
    let seen = viewer.is_gm() || present.iter().any(|who| at.state.is_pc(who));
    match known(present, at.state, viewer) {
        known if seen && !known.is_empty() => names(at, known),
        _ => "somewhere else".to_owned(),
    }
}

/// Whether a viewer perceives an event: players what those do and suffer whom they see,
/// what becomes of a scene of theirs, and of a sheet what they may know of it.
fn is_perceived(state: &State, event: &Event, viewer: Viewer) -> bool {
    let cast = event.cast();
    let sees_one = || cast.is_empty() || cast.iter().any(|who| is_in_sight(state, who, viewer));
    let on_sheet = |item: Item| knows_thing(state, item, viewer) && sees_one();
    let own = |who: Char| viewer.is_gm() || state.is_pc(who);
    match *event {
        Event::Gained { item, .. }
        | Event::Changed { item, .. }
        | Event::Lost { item, .. }
        | Event::StruckOff { item, .. }
        | Event::Gone { item, .. } => on_sheet(item),
        Event::Bond { bond: item, .. } | Event::Assigned { item, .. } => on_sheet(item),
        Event::Unassigned { who, .. } | Event::StatDie { who, .. } => own(who),
        Event::Victim { who, turn, .. } => {
            let public = matches!(turn, Turn::Succumb | Turn::Release) && knows_of(state, who, viewer);
            viewer.is_gm() || public
        }
        Event::Met(to) => knows_of_any(state, to, viewer),
        Event::Ruled(who) => is_shown(state, who, viewer),
        Event::NewScene { open, .. } | Event::SceneEnded { open } | Event::Cut { open, .. } => {
            viewer.is_gm() || open
        }
        _ if event.is_of_the_scene() => sees_scene(state, viewer),
        _ => sees_one(),
    }
}

pub(crate) fn circumstances(which: Circumstances) -> String {
    list(which.iter().map(circumstance))
}

pub(crate) const fn become_words(which: Circumstances) -> &'static str {
    if which.len() == 1 { "becomes" } else { "become" }
}

/// A circumstance as the sheet has it.
pub(crate) const fn circumstance(which: Circumstance) -> &'static str {
    match which {
        Circumstance::Alone => "Alone",
        Circumstance::InTrouble => "In Trouble",
        Circumstance::Lost => "Lost",
        Circumstance::Unprepared => "Unprepared",
    }
}

/// What something is called, where the viewer may know it.
pub(crate) fn thing_name(at: At<'_>, item: Item, viewer: Viewer) -> String {
    if knows_thing(at.state, item, viewer) {
        format!("\"{}\"", item_name(at, item))
    } else {
        at.state.thing(item).map_or("something".to_owned(), |thing| format!("a {}", thing.sort))
    }
}

pub(crate) fn sort_of(state: &State, item: Item) -> &'static str {
    state.thing(item).map_or("thing", |thing| thing.sort.word())
}

/// Who is in a scene.
pub(crate) fn present(state: &State, scene: u8) -> CharSet {
    state.scenes.get(usize::from(scene)).map_or(CharSet::NONE, |scene| scene.present)
}

pub(crate) fn rating_of(state: &State, item: Item) -> String {
    state.thing(item).map_or_else(String::new, |thing| thing.rating.to_string())
}

/// A list of people and things.
pub(crate) fn everybody(at: At<'_>, all: ToSet) -> String {
    let all: Vec<_> = by_name(at, all).into_iter().map(|to| to_said(at, to)).collect();
    list(all.iter().map(AsRef::as_ref))
}

/// What is put at stake, in words.
pub(crate) fn at_stake(at: At<'_>, what: AtStake) -> String {
    let mut parts = Vec::new();
    if !what.lives.is_empty() {
        parts.push(format!("the life of {}", names(at, what.lives)));
    }
    if !what.about.is_empty() {
        parts.push(everybody(at, what.about));
    }
    parts.extend(what.circumstances.each().map(|(one, whose)| {
        let are = if whose.len() == 1 { "is" } else { "are" };
        format!("whether {} {are} {}", names(at, whose), circumstance(one))
    }));
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

/// What a resolution of the stakes says, part by part.
fn resolution(at: At<'_>, (dies, comes, ends): (CharSet, Changes, Changes)) -> Vec<String> {
    let mut parts = Vec::new();
    if !dies.is_empty() {
        let what = if dies.len() == 1 { "loses their life" } else { "lose their lives" };
        parts.push(format!("{} {what}", names(at, dies)));
    }
    for (what, how) in [(comes, "true"), (ends, "false")] {
        parts.extend(
            what.each()
                .map(|(one, whose)| format!("{} is {how} for {}", circumstance(one), names(at, whose))),
        );
    }
    parts
}

/// The same of stakes that have been resolved.
pub(crate) fn resolved(at: At<'_>, how: (CharSet, Changes, Changes)) -> String {
    let parts = resolution(at, how);
    let aid = at.state.scene().and_then(|scene| scene.last).filter(|last| last.arena.is_none());
    // Where several lives were at stake the winners say which of them go on.
    let lives = aid.map(|last| last.stakes.what.lives).filter(|lives| lives.len() == 1);
    match lives.and_then(CharSet::first) {
        _ if !parts.is_empty() => parts.join("; "),
        Some(victim) => lives_on(at, victim),
        None => "as the winners say".to_owned(),
    }
}

/// Says that somebody in need of first aid lives for now.
fn lives_on(at: At<'_>, victim: Char) -> String {
    format!("{} lives for now", names(at, CharSet::one(victim)))
}

/// The same, and what is left to be done for them (`firstaid-outcome`).
fn aid_leads(at: At<'_>, conflict: &Conflict, victim: Char) -> String {
    let won = matches!(conflict.stage, Stage::Resolving(side) if conflict.aid_is_won(side));
    let left = if won { "the need for first aid is met" } else { "real medical care or death is left" };
    format!("{}: {left}", lives_on(at, victim))
}

pub(crate) fn sides_words(at: At<'_>, sides: Sides, viewer: Viewer) -> String {
    let all: Vec<String> = sides.iter().map(|(_, side)| known_names(at, side, viewer)).collect();
    all.join(" against ")
}

pub(crate) const fn menu_words(menu: Menu) -> &'static str {
    match menu {
        Menu::Experience => "experience",
        Menu::Short => "short-term fallout",
        Menu::Long => "long-term fallout",
        Menu::Injury => "injury, its long-term half",
        Menu::Wound => "injury, its other half",
        Menu::Reflection => "reflection, its other half",
    }
}

pub(crate) const fn menu_clause(menu: Menu) -> Clause {
    match menu {
        Menu::Experience => clause!("xp.choose"),
        Menu::Short => clause!("short.choose"),
        Menu::Long => clause!("long.choose"),
        Menu::Injury | Menu::Wound => clause!("injury.choose"),
        Menu::Reflection => clause!("reflection.choose"),
    }
}

/// The clause of a band.
pub(crate) const fn band_clause(band: Band) -> Clause {
    match band {
        Band::Short => clause!("fallout.band.short"),
        Band::Long => clause!("fallout.band.long"),
        Band::Injury => clause!("fallout.band.injury"),
        Band::FirstAid => clause!("fallout.band.firstaid"),
        Band::Dead => clause!("fallout.band.dead"),
    }
}

pub(crate) const fn how_clause(how: How) -> Clause {
    match how {
        How::Reverse => clause!("answer.reverse"),
        How::Block => clause!("answer.block"),
        How::Take => clause!("answer.take"),
    }
}

/// The clause of an entry of a menu.
const fn entry_clause(menu: Menu, answer: &Answer) -> Clause {
    match (menu, answer) {
        (Menu::Reflection, Answer::Clear(_)) => clause!("reflection.circumstances"),
        (Menu::Reflection, Answer::RelationshipDice(Batch::Big)) => clause!("reflection.rel-big"),
        (Menu::Reflection, Answer::RelationshipDice(Batch::Small)) => clause!("reflection.rel-small"),
        (_, Answer::Clear(_)) => clause!("xp.circumstances"),
        (_, Answer::RelationshipDice(Batch::Big)) => clause!("xp.rel-dice-big"),
        (_, Answer::RelationshipDice(Batch::Small)) => clause!("xp.rel-dice-small"),
        (_, Answer::NewTrait(_) | Answer::NewRelationship(_) | Answer::NewAcquaintance(_)) => {
            clause!("xp.new-trait")
        }
        (_, Answer::AddDie(_)) => clause!("xp.add-die"),
        (_, Answer::Resize { .. }) => clause!("xp.change-size"),
        (_, Answer::NewBelonging { .. }) => clause!("xp.belonging"),
        (Menu::Short, Answer::GiveDice(_)) => clause!("short.give-two"),
        (Menu::Short, Answer::Suffer(_)) => clause!("short.circumstance"),
        (Menu::Short, Answer::Reveal(_)) => clause!("short.gm-reveal"),
        (Menu::Wound, Answer::Suffer(_)) => clause!("injury.two-circumstances"),
        (Menu::Wound, Answer::LoseDie(_)) => clause!("injury.lose-stat-die"),
        (_, Answer::Suffer(_)) => clause!("long.circumstance"),
        (_, Answer::LoseDie(_)) => clause!("long.lose-stat-die"),
        (_, Answer::ToD4(_)) => clause!("long.to-d4"),
        (
            _,
            Answer::SufferForTrait { .. }
            | Answer::SufferForRelationship { .. }
            | Answer::SufferForAcquaintance { .. },
        ) => {
            clause!("long.two-and-gain")
        }
        (_, Answer::GiveDice(_)) => clause!("long.gm-give-two"),
        (_, Answer::Reveal(_)) => clause!("long.gm-reveal-person"),
        (_, Answer::Lose(_)) => clause!("injury.lose-item"),
        (_, Answer::NeedAid) => clause!("injury.require-firstaid"),
        (_, Answer::GiveAndReveal { .. }) => clause!("injury.gm"),
        (_, Answer::AddStats(_)) => clause!("reflection.stats"),
        (_, Answer::AddDice(_)) => clause!("reflection.items"),
        (_, Answer::NewBond { .. }) => clause!("reflection.bond"),
        (_, Answer::LoseMember) => clause!("gnpc.sheet"),
        _ => clause!("fallout.assign"),
    }
}

/// The clause of a reveal, by what is revealed.
fn reveal_clause(rules: &Rules, menu: Menu, fact: Fact) -> Clause {
    match (menu, rules.facts.get(fact.index()).map(|writeup| writeup.topic)) {
        (Menu::Short, _) => clause!("short.gm-reveal"),
        (_, Some(Topic::Bond)) => clause!("long.gm-reveal-bond"),
        (_, Some(Topic::Access)) => clause!("long.gm-reveal-access"),
        _ => clause!("long.gm-reveal-person"),
    }
}

/// The clause under which something on a sheet is brought in.
pub(crate) fn bring_clause(state: &State, item: Item) -> Clause {
    match state.thing(item).map(|thing| thing.sort) {
        Some(Sort::Belonging) => clause!("bring.belonging"),
        _ => clause!("bring.trait"),
    }
}

/// How a challenge is made, for a player who has not made one yet.
pub(crate) const HOW_TO_CHALLENGE: &str = "put two dice forward; everybody challenged must reach their sum";
/// What an answer takes.
pub(crate) const HOW_TO_ANSWER: &str =
    "one die that reaches it reverses it, two block or dodge, three or more take it";

/// Without the last prompt, [`Prompt::Throw`], of which nobody is told.
fn all_but_throw<T>(all: &'static [T]) -> &'static [T] {
    all.split_last().map_or(&[], |(_, others)| others)
}

impl Words for Afraid {
    fn ask(rules: &Rules, state: &State, slot: Slot, viewer: Viewer) -> Told {
        let at = At { rules, state };
        let ask = Self::ask_at(at, slot);
        ask.map_or_else(Told::default, |ask| ask.prompt.told(at, ask.who, viewer))
    }

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, viewer: Viewer) -> Told {
        let at = At { rules, state };
        let prompt = Self::ask_at(at, slot).map(|ask| ask.prompt);
        let actor = prompt.and_then(Prompt::actor);
        let n = |who| said(at, who);
        let to_n = |to| to_said(at, to);
        let thing = |item| thing_name(at, item, viewer);
        let dice = |item| rating_of(state, item);
        let menu = match state.chores.first() {
            Some(Chore::Menu { menu, .. }) => *menu,
            _ => Menu::Experience,
        };
        let entry = |text: String| Told::new(text).why(entry_clause(menu, answer));
        match *answer {
            Answer::Conflict { sides, arena, followup } => {
                let kind = if followup { "followup" } else { "conflict" };
                Told::new(format!("open a {kind}: {arena}, {}", sides_words(at, sides, viewer)))
                    .why(arena.clause())
            }
            Answer::FirstAid { victim, provider, kind } => {
                let (own, theirs) = kind.stats();
                Told::new(format!("{} gives {} {kind} first aid", n(provider), n(victim)))
                    .leads(format!("{own} of {} and {theirs} of {}", n(provider), n(victim)))
                    .why(clause!("firstaid.required"))
            }
            Answer::Care(who) => Told::new(format!("real medical care for {}", n(who)))
                .leads("a long-term result, and all four circumstances become true")
                .why(clause!("medical.care")),
            Answer::Perish(who) => {
                Told::new(format!("{} dies", n(who))).why(clause!("firstaid.demands-more"))
            }
            Answer::Bond { bond, holds } => {
                let how = if holds { "is kept to again" } else { "is broken" };
                Told::new(format!("{} {how}", thing(bond))).why(clause!("bond-true"))
            }
            Answer::Assign { to, count, size, .. } => {
                Told::new(format!("{count}{size} of relationship to {}", to_n(to)))
                    .leads(assigned_leads(state, actor, to))
                    .why(clause!("relationship-assign"))
            }
            Answer::AssignNew { name, count, size, .. } => {
                Told::new(format!("{count}{size} of relationship to \"{name}\""))
                    .why(clause!("relationship-assign"))
                    .free("/assign-new/name")
            }
            Answer::Victim { who, turn } => {
                let what = match turn {
                    Turn::Step => "goes a step further under",
                    Turn::Undo => "has a step undone",
                    Turn::Succumb => "succumbs to the monster",
                    Turn::Release => "is released",
                };
                Told::new(format!("{} {what}", n(who))).why(clause!("beyond.monster.victims"))
            }
            Answer::Meet(to) => Told::new(format!("they meet {}", to_n(to))),
            Answer::Reveal(fact) => Told::new(format!("reveal: {}", fact_words(at, fact, viewer))).why(
                if prompt == Some(Prompt::Scene) {
                    clause!("vis.monster-hidden")
                } else {
                    reveal_clause(rules, menu, fact)
                },
            ),
            Answer::NewScene(who) => Told::new(format!("a new scene: {}", known_names(at, who, viewer))),
            Answer::Cut(to) => {
                let there = present(state, to);
                Told::new(format!("cut to {}", known_names(at, there, viewer))).why(clause!("esc.cut"))
            }
            Answer::Enter(who) => Told::new(format!("{} comes in", n(who))),
            Answer::Move => Told::new("the scene moves to another place"),
            Answer::EndScene => Told::new("the scene ends")
                .leads("dice kept for a followup are gone; victims who still need first aid need care"),
            Answer::Close => Told::new("the evening ends"),
            Answer::Thing(thing) => {
                let named = state.conflict().and_then(|conflict| conflict.stakes.thing);
                let (how, leads) = match named {
                    Some(named) => ("in other words", format!("in place of \"{named}\"")),
                    None => ("in words", String::new()),
                };
                Told::new(format!("at stake, {how}: \"{thing}\""))
                    .leads(leads)
                    .why(clause!("stakes.thing"))
                    .free("/thing")
            }
            Answer::Stake(what) => {
                Told::new(format!("at stake: {}", at_stake(at, what))).why(clause!("setup.stakes"))
            }
            Answer::Muse(what) => Told::new(format!("muse about {}", at_stake(at, what)))
                .leads("puts it at stake, and binds nobody")
                .why(clause!("stakes.implicit")),
            Answer::Begin => Told::new("begin: roll the dice").why(clause!("open.stat-dice")),
            Answer::CallOff => Told::new("call the conflict off"),
            Answer::Bring(item) => {
                let arena = state.thing(item).and_then(|thing| thing.arena);
                let arena = arena.map_or_else(String::new, |arena| format!(" (in {arena})"));
                Told::new(format!("bring in {}{arena}: roll {}", thing(item), dice(item)))
                    .why(bring_clause(state, item))
            }
            Answer::Escalate(arena) => {
                let instead = matches!(prompt, Some(Prompt::Answer { .. }));
                let how = if instead { " instead of answering" } else { "" };
                Told::new(format!("escalate to {arena}{how}"))
                    .leads(escalation_leads(state, arena))
                    .why(if instead { clause!("esc.instead") } else { clause!("esc.challenge") })
            }
            Answer::Challenge { on, dice, harm, arena } => {
                let how = harm.map_or_else(String::new, |harm| format!(", {harm}"));
                let place = arena.map_or_else(String::new, |arena| format!(" by {arena}"));
                Told::new(format!("challenge {} with {dice} = {}{how}{place}", names(at, on), dice.sum()))
                    .why(clause!("challenge.two-dice"))
            }
            Answer::Strike { on, harm, .. } => {
                let how = harm.map_or_else(String::new, |harm| format!(", {harm}"));
                Told::new(format!("another challenges {}{how}", names(at, on)))
                    .why(clause!("gnpc.shared-dice"))
            }
            Answer::Done => {
                let left = state.draft.map(|draft| draft.left).filter(|left| !left.is_empty());
                Told::new("done").leads(left.map_or_else(String::new, |left| {
                    format!("{left} that have no place become relationship dice, assigned to nobody yet")
                }))
            }
            Answer::Match => Told::new(match prompt {
                Some(Prompt::Match { .. }) => "match at once",
                _ => "match: respond in kind",
            })
            .leads("rolls what was not rolled of that arena; the answer must then be in kind")
            .why(clause!("esc.match-roll")),
            Answer::Answer { dice, .. } => answer_words(state, dice),
            Answer::Give => Told::new("give").leads(give_leads(at, actor)).why(clause!("give.ends")),
            Answer::Yield => {
                Told::new("cannot or will not go on").leads("you lose, and keep no dice").why(match prompt {
                    Some(Prompt::Challenge { .. }) => clause!("end.no-challenge"),
                    _ => clause!("end.no-answer"),
                })
            }
            Answer::Harm(harm) => Told::new(format!("it is {harm}"))
                .leads(format!("fallout in {}s", harm.size()))
                .why(harm.clause()),
            Answer::Yes => Told::new("yes"),
            Answer::No => Told::new("no"),
            Answer::Pass => Told::new(match prompt {
                Some(Prompt::Match { .. }) => "not now",
                Some(Prompt::Cut) => "stay here",
                _ => "no",
            }),
            Answer::Join { who, with } => {
                Told::new(format!("{} joins {}", n(who), n(with))).why(clause!("join.on-escalation"))
            }
            Answer::Help { who, die } => {
                Told::new(format!("{} hands over a {die}", n(who))).why(clause!("helping-dice"))
            }
            Answer::Resolve { dies, comes, ends } => {
                let parts = resolution(at, (dies, comes, ends));
                let aid = state.conflict().and_then(|conflict| Some((conflict, conflict.aid?.victim)));
                let text = match aid {
                    _ if !parts.is_empty() => parts.join("; "),
                    Some((conflict, victim)) => aid_leads(at, conflict, victim),
                    None => "as your side tells it; nothing changes on the sheets".to_owned(),
                };
                Told::new(text).why(clause!("end.resolve"))
            }
            Answer::Clear(which) => entry(format!("{} {} false", circumstances(which), become_words(which))),
            Answer::Suffer(which) if matches!(prompt, Some(Prompt::Newcomer { .. })) => {
                let what = if which.is_empty() {
                    "none is true".to_owned()
                } else {
                    format!("{} true", circumstances(which))
                };
                Told::new(what).why(clause!("dying.background-rest"))
            }
            Answer::Suffer(which) => entry(format!("{} {} true", circumstances(which), become_words(which))),
            Answer::NewTrait(name) => entry(format!("a new trait, 1d6: \"{name}\"")).free("/new-trait"),
            Answer::NewRelationship(to) => entry(format!("a new relationship, 1d6, to {}", to_n(to))),
            Answer::NewAcquaintance(name) => {
                entry(format!("a new relationship, 1d6, to \"{name}\"")).free("/new-acquaintance")
            }
            Answer::AddDie(item) => entry(format!("a die more on {}, now {}", thing(item), dice(item))),
            Answer::Resize { item, to } => entry(format!("{}, now {}, to {to}", thing(item), dice(item))),
            Answer::RelationshipDice(batch) => entry(
                match (menu, batch) {
                    (Menu::Reflection, Batch::Big) => "1d10 2d6 of relationship, unassigned",
                    (Menu::Reflection, Batch::Small) => "3d4 2d6 of relationship, unassigned",
                    (_, Batch::Big) => "1d8 1d6 of relationship, unassigned",
                    (_, Batch::Small) => "2d4 1d6 of relationship, unassigned",
                }
                .to_owned(),
            ),
            Answer::NewBelonging { name, grade } => {
                let (count, size) = grade.rating();
                entry(format!("a belonging, {grade}, {}: \"{name}\"", Rating::of(count, size)))
                    .free("/new-belonging/name")
            }
            Answer::GiveDice(to) => entry(format!("the two best dice go to {} for a followup", n(to))),
            Answer::LoseDie(stat) => entry(format!("{stat} loses a die")),
            Answer::ToD4(item) => entry(format!("{}, now {}, to d4s", thing(item), dice(item))),
            Answer::SufferForTrait { suffer, name } => {
                let price = circumstances(suffer);
                entry(format!("a new trait, 1d4: \"{name}\"; {price} become true"))
                    .free("/suffer-for-trait/name")
            }
            Answer::SufferForRelationship { suffer, to } => {
                let (to, price) = (to_n(to), circumstances(suffer));
                entry(format!("a new relationship, 1d4, to {to}; {price} become true"))
            }
            Answer::SufferForAcquaintance { suffer, name } => {
                let price = circumstances(suffer);
                entry(format!("a new relationship, 1d4, to \"{name}\"; {price} become true"))
                    .free("/suffer-for-acquaintance/name")
            }
            Answer::Lose(item) => entry(format!("{} ({}) is struck off", thing(item), dice(item))),
            Answer::NeedAid => entry("first aid is required".to_owned()),
            Answer::GiveAndReveal { to, fact } => {
                entry(format!("the best die goes to {}, and reveal: {}", n(to), fact_words(at, fact, viewer)))
            }
            Answer::LoseMember => entry("a member is lost".to_owned()),
            Answer::AddStats([one, other]) => {
                let what = if one == other {
                    format!("two d6 more on {one}")
                } else {
                    format!("a d6 more on {one} and a d6 more on {other}")
                };
                entry(what)
            }
            Answer::AddDice(items) => entry(more_dice_words(items, thing)),
            Answer::NewBond { name, supernatural } => {
                let dice = if supernatural { "1d6 + 1d4" } else { "1d6" };
                entry(format!("a bond, {dice}: \"{name}\"")).free("/new-bond/name")
            }
            Answer::Name(name) => Told::new(format!("called \"{name}\"")).free("/name"),
            Answer::Background(one) => match rules.backgrounds.get(one.index()) {
                Some(origin) => Told::new(origin.name.clone())
                    .leads(origin.note.clone())
                    .why(clause!("dying.new-character")),
                None => Told::new("no such background"),
            },
            Answer::Stats(stats) => Told::new(stats_words(stats)).why(clause!("dying.trade")),
            Answer::Place { sort, name, count, size, supernatural } => {
                let more = if supernatural { " + 1d4" } else { "" };
                Told::new(format!("a {sort}, {count}{size}{more}: \"{name}\""))
                    .why(clause!("dying.trade"))
                    .free("/place/name")
            }
            Answer::PlaceRelationship { to, count, size } => {
                Told::new(format!("a relationship, {count}{size}, to {}", to_n(to)))
                    .why(clause!("dying.trade"))
            }
        }
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
        parts::parts(At { rules, state }, slot, answer, viewer)
    }

    fn promise(
        rules: &Rules,
        state: &State,
        slot: Slot,
        answer: &Answer,
        _: Viewer,
    ) -> Vec<(&'static str, i32)> {
        match *answer {
            Answer::Answer { dice, .. } => match challenge::to_bank(state, dice) {
                Some((_, own, theirs)) => [own].into_iter().chain(theirs).flat_map(in_numbers).collect(),
                None => vec![("banked", 0)],
            },
            Answer::Give => {
                let actor = Self::ask_at(At { rules, state }, slot).and_then(|ask| ask.prompt.actor());
                vec![("kept", kept_by_giving(At { rules, state }, actor).faces().sum().into())]
            }
            _ => Vec::new(),
        }
    }

    fn kept(_: &Rules, _: &State, _: &State, events: &[Event]) -> Vec<(&'static str, i32)> {
        let mut came: Vec<_> = events
            .iter()
            .flat_map(|event| match *event {
                Event::Banked { dice, .. } => in_numbers(dice),
                Event::Gave { kept, .. } => vec![("kept", kept.faces().sum().into())],
                _ => Vec::new(),
            })
            .collect();
        if came.is_empty() {
            came.push(("banked", 0));
        }
        came
    }

    fn event(rules: &Rules, state: &State, event: &Event, viewer: Viewer) -> Option<Told> {
        is_perceived(state, event, viewer).then(|| event.told(At { rules, state }, viewer))
    }

    fn questions() -> &'static [Question] {
        &questions::QUESTIONS
    }

    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        questions::answers(question, values)
    }

    fn board(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Option<Board> {
        board::board(At { rules, state }, slot)
    }

    fn laid(rules: &Rules, state: &State, slot: Slot, answer: &Answer) -> Option<Laid> {
        board::laid(At { rules, state }, slot, *answer)
    }

    fn arranged(rules: &Rules, state: &State, slot: Slot, laid: &Laid) -> Option<Answer> {
        board::arranged(At { rules, state }, slot, laid)
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, Afraid>, _: Viewer) -> Option<Came> {
        board::came(rules, fallen)
    }

    fn odds(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
        board::odds(At { rules, state }, slot, answer, who)
    }

    fn roll_told(rules: &Rules, state: &State, viewer: Viewer) -> Told {
        let at = At { rules, state };
        let (who, what, clause) = match (state.chores.first(), state.conflict()) {
            (Some(&Chore::Roll { who, .. }), _) => (who, "'s fallout".to_owned(), clause!("fallout.roll")),
            (_, Some(conflict)) => match conflict.next.first() {
                Some(Next::Roll(due)) => {
                    let (why, clause) = why_words(due.why);
                    (due.who, format!(" rolls {why}"), clause)
                }
                _ => return Told::default(),
            },
            _ => return Told::default(),
        };
        match is_in_sight(state, who, viewer) {
            true => Told::new(format!("{}{what}", said(at, who))).why(clause),
            false => Told::new("Dice fall somewhere else"),
        }
    }

    fn cards(rules: &Rules, state: &State, viewer: Viewer) -> Vec<Card> {
        let at = At { rules, state };
        let mut cards = vec![scene_card(at, viewer)];
        let briefing = rules.roster.briefing_card().filter(|_| viewer.is_gm());
        cards.extend(briefing.map(|card| Card { group: "scene".to_owned(), ..card }));
        if viewer.is_gm() && !rules.facts.is_empty() {
            cards.push(writeup_card(at));
        }
        let looked_at = looks_at(state, viewer).and_then(|at| state.scenes.get(at));
        let here = looked_at.map_or(CharSet::NONE, |scene| scene.present);
        let mut order: Vec<Char> = state.everybody().filter(|&who| sees(state, who, viewer)).collect();
        order.sort_by_key(|&who| (!is_own(state, who, viewer), !here.has(who), !state.is_pc(who)));
        cards.extend(order.into_iter().map(|who| being_card(at, who, here.has(who), viewer)));
        cards
    }

    fn ending(rules: &Rules, state: &State, viewer: Viewer) -> Ending {
        // As they were seen: who died elsewhere is not told of.
        let dead = |tag: &Tag| tag.clause.is_some_and(|clause| clause.id() == "dying.final");
        Ending::of(&Self::cards(rules, state, viewer), |card| card.tags.iter().any(dead))
    }

    fn stage(rules: &Rules, state: &State, viewer: Viewer) -> Drawn {
        stage::stage(At { rules, state }, viewer)
    }

    fn needs_words(rules: &Rules, state: &State, slot: Slot, answer: &Answer) -> bool {
        // What a player brings in has to show in what they do (`bring.concrete`).
        let asked = Self::ask_at(At { rules, state }, slot).filter(|_| matches!(answer, Answer::Bring(_)));
        asked.and_then(|ask| ask.prompt.actor()).is_some_and(|who| state.is_pc(who))
    }

    fn kind(prompt: &Prompt) -> &'static str {
        match prompt {
            // Others read of dice that they do not see what they read of the scene.
            Prompt::Throw => Prompt::Scene.kind(),
            _ => prompt.kind(),
        }
    }

    fn kinds() -> &'static [&'static str] {
        all_but_throw(Prompt::KINDS)
    }

    fn waits(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> &'static str {
        let Some(ask) = Self::ask_at(At { rules, state }, slot) else { return "" };
        Self::kind(if flow::may_hear_of(state, ask.prompt, who) { &ask.prompt } else { &Prompt::Scene })
    }

    fn awaited() -> &'static [(&'static str, &'static str)] {
        all_but_throw(Prompt::AWAITED)
    }

    fn said() -> Said {
        <Event as Happened<Self>>::SAID
    }

    fn overrules(event: &Event) -> bool {
        matches!(event, Event::Ruled(_) | Event::RuledTable)
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        forms::fiats(At { rules, state })
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[
            (r#""accept""#, "the gamemaster accepts all items that are brought in"),
            (r#""admit""#, "the gamemaster lets everybody join"),
            (r#""never-match""#, "never matches an escalation at once"),
            (r#""never-join""#, "never joins at an escalation"),
            (r#""never-cut""#, "the gamemaster never cuts at an escalation"),
        ]
    }
}

/// Stats as the sheet has them.
pub(crate) fn stats_words(stats: [u8; 4]) -> String {
    let all = Stat::ALL.iter().map(|&stat| format!("{stat} {}d6", stats[stat as usize]));
    all.collect::<Vec<_>>().join(", ")
}

/// Three dice more: on what, and how many on each.
fn more_dice_words(items: [Item; 3], thing: impl Fn(Item) -> String) -> String {
    let mut parts = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        if !items[..at].contains(&item) {
            let dice = match items.iter().filter(|&&one| one == item).count() {
                1 => "a die",
                2 => "two dice",
                _ => "three dice",
            };
            parts.push(format!("{dice} more on {}", thing(item)));
        }
    }
    list(parts.iter().map(String::as_str))
}

pub(crate) fn fact_words(at: At<'_>, fact: Fact, viewer: Viewer) -> &str {
    let known = at.rules.facts.get(fact.index()).filter(|_| viewer.is_gm() || at.state.known.has(fact));
    known.map_or("a fact", |writeup| &writeup.text)
}

/// Why dice are rolled.
pub(crate) fn why_words(why: Why) -> (String, Clause) {
    match why {
        Why::Opening => ("to begin".to_owned(), clause!("open.stat-dice")),
        Why::Escalated(arena) => (format!("for {arena}"), clause!("esc.challenge-roll")),
        Why::Matched(arena) => (format!("to match in {arena}"), clause!("esc.match-roll")),
        Why::Brought(_) => ("what was brought in".to_owned(), clause!("bring.trait")),
        Why::Joined(arena) => (format!("to join in {arena}"), clause!("join-dice")),
        Why::Came => ("for a relationship to whoever came".to_owned(), clause!("relationship-late")),
        Why::Assigned(_) => ("for a relationship".to_owned(), clause!("relationship-assign")),
    }
}

/// What escalating rolls.
fn escalation_leads(state: &State, arena: Arena) -> String {
    let Some((who, part)) = challenge::actor(state).and_then(|who| Some((who, state.part(who)?))) else {
        return String::new();
    };
    let fresh = arena.stats().minus(part.rolled);
    if fresh.is_empty() {
        return "no new dice".to_owned();
    }
    format!("rolls {} ({})", list(fresh.iter().map(Stat::word)), state.being(who).stat_dice(fresh))
}

/// Whether assigned dice are rolled at once.
fn assigned_leads(state: &State, actor: Option<Char>, to: To) -> &'static str {
    let at_once = actor.is_some_and(|who| conflict::matters(state, who, to));
    if at_once { "rolled at once" } else { "" }
}

/// The dice that giving keeps for a followup.
fn kept_by_giving(at: At<'_>, actor: Option<Char>) -> Hand {
    let kept = at.state.conflict().zip(actor);
    kept.map_or(Hand::NONE, |(conflict, who)| conflict::kept_by_giving(&at.rules.options, conflict, who))
}

/// What giving leads to.
fn give_leads(at: At<'_>, actor: Option<Char>) -> String {
    let Some(who) = actor else { return String::new() };
    let kept = kept_by_giving(at, actor);
    let friends = at.state.conflict().is_some_and(|c| !c.allies(who).and(c.still_in()).is_empty());
    let end = match friends {
        true if at.rules.options.literal => "the conflict ends, and your whole side loses",
        true => "you are out, and your side fights on without you",
        false => "your side loses",
    };
    format!("{end}; for a followup you keep {kept}")
}

/// How many dice of each size there are.
fn in_numbers(dice: Pool) -> Vec<(&'static str, i32)> {
    let some = Size::ALL.iter().filter(|&&size| dice.count(size) > 0);
    some.map(|size| (size.word(), i32::from(dice.count(*size)))).collect()
}

/// How a challenge is met.
pub(crate) const fn met(how: How) -> &'static str {
    match how {
        How::Reverse => "reverse",
        How::Block => "block or dodge",
        How::Take => "take it",
    }
}

/// An answer, and what it comes to.
fn answer_words(state: &State, dice: Faces) -> Told {
    let who = challenge::answerer(state).map(|(who, _)| who);
    let group = who.is_some_and(|who| state.is_group(who));
    let spent = if group { "a standing answer" } else { "the dice are spent" };
    let how = How::with(dice.len());
    let leads = match (how, challenge::to_bank(state, dice)) {
        (How::Reverse | How::Block, _) if group => "a standing answer".to_owned(),
        (How::Reverse, _) => "the die stays".to_owned(),
        (How::Block, _) => "both dice are spent".to_owned(),
        (How::Take, Some((_, own, Some(theirs)))) => {
            format!("the dice are spent; {own} of fallout, and {theirs} for whoever is aided")
        }
        (How::Take, Some((_, own, None))) => format!("{spent}; {own} of fallout"),
        (How::Take, None) => String::new(),
    };
    let sum = if dice.len() == 1 { String::new() } else { format!(" = {}", dice.sum()) };
    Told::new(format!("{} with {dice}{sum}", met(how))).leads(leads).why(how_clause(how))
}

/// What is at stake in a conflict, in words.
pub(crate) fn stakes_words(at: At<'_>, conflict: &Conflict) -> String {
    let stakes = conflict.stakes;
    match stakes.thing {
        Some(thing) if stakes.what == AtStake::default() => thing.to_string(),
        Some(thing) => format!("{thing}; {}", at_stake(at, stakes.what)),
        None => at_stake(at, stakes.what),
    }
}

/// The conflict of the scene that a viewer looks at.
fn conflict_before(state: &State, viewer: Viewer) -> Option<&Conflict> {
    state.scenes.get(looks_at(state, viewer)?)?.conflict.as_ref()
}

/// As many fallout dice as are drawn where there are fewer.
const USUAL_BANK: u32 = 12;

fn scene_card(at: At<'_>, viewer: Viewer) -> Card {
    let mut card =
        Card { title: at.rules.roster.title.clone(), group: "scene".to_owned(), ..Card::default() };
    let looked_at = looks_at(at.state, viewer);
    let seen = |(_, scene): &(usize, &Scene)| viewer.is_gm() || at.state.is_open(scene);
    let scenes = at.state.scenes.iter().enumerate().filter(seen);
    if scenes.clone().count() > 1 {
        for (n, scene) in scenes {
            let here = if Some(n) == looked_at { "this scene" } else { "another scene" };
            card.rows.push(Row::new(here, known_names(at, scene.present, viewer)));
        }
    }
    if let Some(conflict) = conflict_before(at.state, viewer) {
        card.note = match conflict.stage {
            Stage::Staking => "naming the stakes".to_owned(),
            Stage::Running => format!("round {}", conflict.round),
            Stage::Resolving(_) => "resolving the stakes".to_owned(),
        };
        card.rows.push(Row::new("stakes", stakes_words(at, conflict)));
        if let Some(arena) = conflict.arena {
            card.rows.push(Row::new("opened in", arena.word()));
        }
        if let Some(arena) = conflict.latest.filter(|_| conflict.latest != conflict.arena) {
            card.rows.push(Row::new("last escalated to", arena.word()));
        }
        if !conflict.order.is_empty() {
            let order = conflict.order.iter().filter(|&&who| conflict.is_in(who));
            card.rows.push(Row::new("order", list(order.map(|&who| said(at, who)))));
        }
        for exchange in conflict.exchanges.iter().filter(|exchange| exchange.made > 0) {
            let what = format!(
                "{} with {} + {} = {}, {}; {} to answer",
                said(at, exchange.by),
                exchange.dice[0],
                exchange.dice[1],
                exchange.sum(),
                exchange.strike().harm,
                names(at, exchange.owed)
            );
            card.rows.push(Row::new("challenge", what));
        }
    }
    if viewer.is_gm() && at.state.stock > 0 {
        card.rows.push(Row::new("for victims to come", format!("{}d10", at.state.stock)));
    }
    card.rows.extend(known_facts(at).into_iter().map(|fact| Row::new("known", fact)));
    card
}

/// The monster's writeup, for the gamemaster.
fn writeup_card(at: At<'_>) -> Card {
    let rows = at.rules.facts.iter().enumerate().map(|(n, writeup)| {
        let slug = at.rules.roster.names.slug(Fact::LETTER, n).unwrap_or_default();
        let known = if at.state.known.has(Fact(n as u8)) { "known" } else { "hidden" };
        Row::new(format!("@{slug}"), format!("{} ({}, {known})", writeup.text, writeup.topic))
    });
    Card {
        id: "writeup".to_owned(),
        title: "The writeup".to_owned(),
        note: "for the gamemaster".to_owned(),
        group: "scene".to_owned(),
        rows: rows.collect(),
        ..Card::default()
    }
}

/// Whether somebody is a player's own, in that player's eyes.
pub(crate) fn is_own(state: &State, who: Char, viewer: Viewer) -> bool {
    state.is_pc(who) && viewer == Viewer::Seat(state.seat(who))
}

/// Among whom somebody stands, in this viewer's eyes: the gamemaster's side is not the
/// players', and in a conflict that a player sees sides are as they are fought.
fn card_group(state: &State, who: Char, here: bool, viewer: Viewer) -> &'static str {
    if is_own(state, who, viewer) {
        return "yours";
    }
    let pc = state.is_pc(who);
    match viewer {
        _ if !here => "elsewhere",
        Viewer::Spectator | Viewer::Seat(Seat::Gm) if pc => "the players",
        Viewer::Spectator => "the gamemaster's",
        Viewer::Seat(Seat::Gm) => "your side",
        Viewer::Seat(_) => {
            let conflict = conflict_before(state, viewer);
            let own = conflict.and_then(|c| c.parts.iter().find(|part| is_own(state, part.who, viewer)));
            let other = conflict.and_then(|conflict| conflict.part(who));
            let ours = own.zip(other).map_or(pc, |(own, other)| own.side == other.side);
            if ours { "your side" } else { "theirs" }
        }
    }
}

/// What is for everybody to know of somebody.
fn noted(at: At<'_>, who: Char) -> Option<Row> {
    let note = at.rules.cast.get(who.index()).map(|sheet| &sheet.note);
    note.filter(|note| !note.is_empty()).map(|note| Row::new("note", note.clone()))
}

/// Of somebody whom players do not see now: that they were seen dead, and what is for
/// everybody to know.
fn elsewhere(at: At<'_>, who: Char, mut card: Card) -> Card {
    if at.state.mourned.has(who) {
        let clause = Some(clause!("dying.final"));
        card.tags.push(Tag { text: "dead".to_owned(), shape: TagShape::Lasting, clause });
    }
    card.rows.extend(noted(at, who));
    card
}

/// The best two dice of a hand.
pub(crate) fn pair_meter(part: &crate::state::Part) -> Meter {
    let value = u32::from(part.hand.faces().best_pair());
    Meter { label: "best pair".to_owned(), value, most: 20, alarm: None }
}

fn being_card(at: At<'_>, who: Char, here: bool, viewer: Viewer) -> Card {
    let being = at.state.being(who);
    let open = viewer.is_gm() || at.state.is_pc(who);
    let mut card = Card {
        id: slug(at.rules, who).to_owned(),
        title: name(at, who).to_owned(),
        group: card_group(at.state, who, here, viewer).to_owned(),
        note: match being.seat {
            seat @ Seat::Player(_) => at.rules.roster.player_of(seat).unwrap_or_default().to_owned(),
            _ if viewer.is_gm() && being.tie != Tie::Bystander => being.tie.to_string(),
            _ => String::new(),
        },
        ..Card::default()
    };
    if !here && is_own(at.state, who, viewer) {
        card.tags.push(Tag { text: "elsewhere".to_owned(), shape: TagShape::Plain, clause: None });
    }
    if !is_in_sight(at.state, who, viewer) {
        return elsewhere(at, who, card);
    }
    let mut tag = |text: String, shape, clause| card.tags.push(Tag { text, shape, clause: Some(clause) });
    for one in being.circumstances.iter() {
        tag(circumstance(one).to_owned(), TagShape::Lasting, clause!("beyond.sheet.circumstances"));
    }
    if !at.state.lives(who) {
        tag("dead".to_owned(), TagShape::Lasting, clause!("dying.final"));
    }
    if being.need.is_some() {
        tag("requires first aid".to_owned(), TagShape::Lasting, clause!("firstaid.required"));
    }
    if let Nature::Group(members) = being.nature {
        tag(format!("a group of {members}"), TagShape::Plain, clause!("gnpc.one-hand"));
    }
    let banked = at.state.banked(who);
    if at.state.has_sheet(who) {
        let (label, value) = ("fallout dice".to_owned(), banked.len() as u32);
        card.meters.push(Meter { label, value, most: value.max(USUAL_BANK), alarm: None });
    }
    if !banked.is_empty() {
        card.rows.push(Row::new("fallout", banked.to_string()));
    }
    if let Some(part) = at.state.conflict_of(who).and_then(|conflict| conflict.part(who)) {
        if part.out {
            tag("out".to_owned(), TagShape::Passing, clause!("give.ends"));
        }
        card.rows.push(Row::new("dice", part.hand.to_string()));
        card.meters.push(pair_meter(part));
        if !part.standing.dice.is_empty() {
            card.rows.push(Row::new("standing answer", part.standing.dice.to_string()));
        }
        if !part.arenas.is_empty() {
            card.rows.push(Row::new("arenas", list(part.arenas.iter().map(Arena::word))));
        }
    }
    let kept = being.all_kept(who);
    if !kept.is_empty() {
        card.rows.push(Row::new("kept for a followup", kept.to_string()));
    }
    if open && at.state.has_sheet(who) {
        let stat = |&stat: &Stat| Cell::new(stat.word(), format!("{}d6", being.stats[stat as usize]));
        card.rows.push(Row::numbers("stats", Stat::ALL.iter().map(stat).collect()));
        if !being.unassigned.is_empty() {
            card.rows.push(Row::new("relationship dice", being.unassigned.to_string()));
        }
    }
    for (item, thing) in at.state.sheet(who).filter(|(item, _)| knows_thing(at.state, *item, viewer)) {
        let called = item_name(at, item);
        let mut value = thing.rating.to_string();
        let to = thing.to.filter(|_| thing.sort == Sort::Relationship).map(|to| crate::view::to_name(at, to));
        if let Some(to) = to.filter(|to| *to != called) {
            value.push_str(&format!(" to {to}"));
        }
        if let Some(arena) = thing.arena {
            value.push_str(&format!(" in {arena}"));
        }
        if !thing.holds {
            value.push_str(", broken");
        }
        if thing.rolled {
            value.push_str(", rolled");
        }
        let part = match thing.sort {
            Sort::Trait | Sort::Bond | Sort::Relationship => SheetPart::Abilities,
            Sort::Belonging => SheetPart::Things,
        };
        let row = Row::new(thing.sort.word(), format!("{called} {value}"));
        card.rows.push(row.piece(part, Cell::new(called, value)));
    }
    card.rows.extend(noted(at, who));
    let secret = at.rules.cast.get(who.index()).map(|sheet| &sheet.secret);
    card.rows.extend(
        secret.filter(|it| viewer.is_gm() && !it.is_empty()).map(|it| Row::new("secret", it.clone())),
    );
    card
}
