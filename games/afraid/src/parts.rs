//! What answers are made of.

use crate::answer::{Answer, AtStake, Turn};
use crate::view::{knows_thing, said, to_said};
use crate::words::{circumstance, everybody, fact_words, known_names, met, names, present, thing_name};
use crate::{Afraid, At, event::How, state::To, vocab::*};
use fracas_kernel::{Label, Part, Slot, Viewer, Words};

/// The parts of an answer. One that nobody composes has all its words in one.
pub(crate) fn parts(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
    let state = at.state;
    let what = |label: &str| Some(Part::what(label));
    let who = |who: Char| Some(Part::who(said(at, who)).at(&who));
    let whom = |whom: Char| Some(Part::whom(said(at, whom)).at(&whom));
    let all = |all: CharSet| Some(Part::whom(names(at, all)).at(&all));
    let to = |to: To| Some(Part::whom(to_said(at, to)).at(&to));
    let newcomer = |name: Label| Some(Part::whom(name.as_str()));
    let with = |label: &str| Some(Part::with(label));
    let thing = |item: Item| Some(Part::with(thing_name(at, item, viewer).trim_matches('"')).at(&item));
    let fact = |fact: Fact| Some(Part::with(fact_words(at, fact, viewer)).at(&fact));
    let how = |label: &str| Some(Part::how(label));
    let beyond = |is_so: bool| is_so.then(|| Part::how("beyond nature"));
    let much = |label: String| Some(Part::how_much(label));
    // Several things on a sheet may be called alike.
    let within = |item: Item| {
        let arena = state.thing(item).filter(|_| knows_thing(state, item, viewer))?.arena?;
        Some(Part::how(format!("in {arena}")))
    };
    let by = |arena: Option<Arena>| arena.map(|arena| Part::how(format!("by {arena}")));
    let threatening = |harm: Option<Harm>| harm.map(|harm| Part::how(harm.word()));
    let with_each = |mut parts: Vec<Option<Part>>, which: Circumstances| {
        parts.extend(which.iter().map(|one| how(circumstance(one))));
        parts
    };
    let parts: Vec<Option<Part>> = match *answer {
        Answer::Conflict { sides, arena, followup } => {
            let side = |make: fn(String) -> Part| {
                move |(_, side): (u8, CharSet)| Some(make(known_names(at, side, viewer)).at(&side))
            };
            let mut all = vec![what(if followup { "open a followup" } else { "open a conflict" })];
            all.extend(sides.iter().take(1).map(side(Part::who)));
            all.extend(sides.iter().skip(1).map(side(Part::whom)));
            all.push(how(arena.word()));
            all
        }
        Answer::FirstAid { victim, provider, kind } => {
            vec![what("first aid"), who(provider), whom(victim), how(kind.word())]
        }
        Answer::Care(victim) => vec![what("real medical care"), whom(victim)],
        Answer::Perish(victim) => vec![what("die"), who(victim)],
        Answer::Bond { bond, holds } => {
            let of = Part::what(thing_name(at, bond, viewer).trim_matches('"')).at(&bond);
            vec![what(if holds { "keep to a bond again" } else { "break a bond" }), Some(of)]
        }
        Answer::Assign { who: owner, to: other, count, size } => {
            vec![what("relationship dice"), owner.and_then(who), to(other), much(format!("{count}{size}"))]
        }
        Answer::AssignNew { who: owner, name, count, size } => vec![
            what("relationship dice"),
            owner.and_then(who),
            newcomer(name),
            much(format!("{count}{size}")),
        ],
        Answer::Victim { who: victim, turn } => {
            let turn = match turn {
                Turn::Step => "a step further under",
                Turn::Undo => "a step undone",
                Turn::Succumb => "succumbs",
                Turn::Release => "released",
            };
            vec![what("a victim of the monster"), whom(victim), how(turn)]
        }
        Answer::Meet(other) => vec![what("meet"), to(other)],
        Answer::Reveal(told) => {
            vec![what("reveal"), Some(Part::what(fact_words(at, told, viewer)).at(&told))]
        }
        Answer::NewScene(all_of) => {
            vec![what("a new scene"), Some(Part::who(known_names(at, all_of, viewer)).at(&all_of))]
        }
        Answer::Cut(to) => {
            // Nobody may be known in several scenes.
            let there = known_names(at, present(state, to), viewer);
            vec![what("cut to"), Some(Part::whom(there)), how(&format!("scene {}", to + 1))]
        }
        Answer::Enter(other) => vec![what("come in"), who(other)],
        Answer::Stake(stake) | Answer::Muse(stake) => stake_parts(at, stake),
        Answer::Bring(item) => vec![what("bring in"), thing(item), within(item)],
        Answer::Escalate(arena) => vec![what("escalate"), how(arena.word())],
        Answer::Challenge { on, dice, harm, arena } => vec![
            what("challenge"),
            all(on),
            with(&format!("{dice} = {}", dice.sum())),
            threatening(harm),
            by(arena),
        ],
        Answer::Strike { on, harm, arena } => {
            vec![what("another challenges"), all(on), threatening(harm), by(arena)]
        }
        Answer::Answer { dice, arena } => {
            vec![what(met(How::with(dice.len()))), with(&dice.to_string()), by(arena)]
        }
        Answer::Harm(harm) => vec![what("it is"), how(harm.word())],
        Answer::Join { who: joiner, with } => vec![what("join"), who(joiner), whom(with)],
        Answer::Help { who: helper, die } => {
            vec![what("hand over a die"), who(helper), with(&format!("a {die}"))]
        }
        Answer::Resolve { dies, comes, ends }
            if !(dies.is_empty() && comes.everybody().is_empty() && ends.everybody().is_empty()) =>
        {
            let changes = [(comes, "true"), (ends, "false")];
            let changes = changes.into_iter().flat_map(|(what, is)| what.each().map(move |one| (one, is)));
            let change = |((one, whose), is)| {
                Some(Part::how(format!("{} {is}: {}", circumstance(one), names(at, whose))).at(&whose))
            };
            let lost = [what("a life is lost"), all(dies)].into_iter().filter(|_| !dies.is_empty());
            lost.chain(changes.map(change)).collect()
        }
        Answer::Clear(which) => with_each(vec![what("become false")], which),
        Answer::Suffer(which) if which.is_empty() => vec![what("become true"), how("none")],
        Answer::Suffer(which) => with_each(vec![what("become true")], which),
        Answer::NewTrait(_) => vec![what("a new trait")],
        Answer::NewRelationship(other) => vec![what("a new relationship"), to(other)],
        Answer::NewAcquaintance(name) => vec![what("a new relationship"), newcomer(name)],
        Answer::AddDie(item) => vec![what("a die more"), thing(item), within(item)],
        Answer::Resize { item, to } => {
            vec![what("dice of another size"), thing(item), within(item), much(format!("to {to}"))]
        }
        Answer::NewBelonging { grade, .. } => vec![what("a belonging"), how(grade.word())],
        Answer::GiveDice(other) => vec![what("give the two best dice"), whom(other)],
        Answer::LoseDie(stat) => vec![what("a stat loses a die"), with(stat.word())],
        Answer::ToD4(item) => vec![what("all its dice to d4s"), thing(item), within(item)],
        Answer::SufferForTrait { suffer, .. } => {
            with_each(vec![what("circumstances for a new trait")], suffer)
        }
        Answer::SufferForRelationship { suffer, to: other } => {
            with_each(vec![what("circumstances for a relationship"), to(other)], suffer)
        }
        Answer::SufferForAcquaintance { suffer, name } => {
            with_each(vec![what("circumstances for a relationship"), newcomer(name)], suffer)
        }
        Answer::Lose(item) => vec![what("strike off the sheet"), thing(item), within(item)],
        Answer::GiveAndReveal { to, fact: told } => {
            vec![what("give the best die, and reveal"), whom(to), fact(told)]
        }
        Answer::AddStats(stats) => {
            [what("two more stat dice")].into_iter().chain(stats.map(|stat| with(stat.word()))).collect()
        }
        Answer::AddDice(items) => [what("three more dice")].into_iter().chain(items.map(thing)).collect(),
        Answer::NewBond { supernatural, .. } => vec![what("a bond"), beyond(supernatural)],
        Answer::Stats(stats) => {
            let dice = |&stat: &Stat| much(format!("{stat} {}d6", stats[stat as usize]));
            Stat::ALL.iter().map(dice).collect()
        }
        Answer::Place { sort, count, size, supernatural, .. } => {
            vec![what(&format!("a {sort}")), beyond(supernatural), much(format!("{count}{size}"))]
        }
        Answer::PlaceRelationship { to: other, count, size } => {
            vec![what("a relationship"), to(other), much(format!("{count}{size}"))]
        }
        _ => vec![what(&Afraid::answer(at.rules, state, slot, answer, viewer).text)],
    };
    parts.into_iter().flatten().collect()
}

/// What is put at stake: of whom, and which circumstance.
fn stake_parts(at: At<'_>, stake: AtStake) -> Vec<Option<Part>> {
    let AtStake { lives, about, circumstances } = stake;
    let mut parts = Vec::new();
    if !lives.is_empty() {
        parts.extend([Part::what("a life"), Part::whom(names(at, lives)).at(&lives)]);
    }
    if !about.is_empty() {
        parts.extend([Part::what("somebody or something"), Part::whom(everybody(at, about)).at(&about)]);
    }
    for (one, whose) in circumstances.each() {
        parts.extend([
            Part::what("a circumstance"),
            Part::whom(names(at, whose)).at(&whose),
            Part::how(circumstance(one)),
        ]);
    }
    parts.sort_by_key(|part| part.kind);
    parts.into_iter().map(Some).collect()
}
