//! What answers are made of.

use super::*;
use crate::{answer::Casting, state::Frame};

/// The parts of an answer. One that nobody composes has all its words in one.
pub(super) fn parts(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
    let what = |label: &str| Some(Part::what(label));
    let who = |c: Char| Some(Part::who(Saying(c, at).to_string()).at(&c));
    let whom = |c: Char| Some(Part::whom(Saying(c, at).to_string()).at(&c));
    let on = |on: Target| Some(Part::whom(Saying(on, at).to_string()).at(&on));
    let prop = |prop: Prop| Some(Part::whom(Saying(prop, at).to_string()).at(&prop));
    let valued = |c: Char, symbol: Symbol| Some(Part::with(answers::valued(at, c, symbol, viewer)));
    let prompt = Clash::ask_at(at, slot).map(|ask| ask.prompt);
    let acts = match prompt {
        Some(Prompt::Main(c) | Prompt::Dodge(c)) => Some(c),
        _ => None,
    };
    let with = |symbol: Symbol| acts.map_or_else(|| Some(Part::with(symbol.title())), |c| valued(c, symbol));
    let over =
        |with: Symbol, over: Symbol| Some(Part::with(format!("{} over {}", with.title(), over.title())));
    let element = |element: Element| Part::with(Saying(element, at).to_string()).at(&element);
    let by = |cast: Casting| Some(Part::with(Saying(cast.spell, at).to_string()).at(&cast.spell));
    let spell = |cast: Option<Casting>| cast.and_then(by);
    let lasts = |cast: Option<Casting>| cast.filter(|cast| cast.lasting).map(|_| Part::how("to last"));
    let how = |label: &str| Some(Part::how(label));
    let parts: Vec<Option<Part>> = match *answer {
        Answer::Begin { stakes, first, .. } => vec![
            what("a Clash begins"),
            how(&Saying(stakes, at).to_string()),
            how(&format!("{} first", side(first))),
        ],
        Answer::Tempt { by, on, with: one, over: other } => {
            vec![what("tempt"), who(by), whom(on), over(one, other)]
        }
        Answer::Milestone(c) => vec![what("a milestone"), who(c)],
        Answer::Peril { who: c, by, with: one, over: other } => {
            vec![what("mortal peril"), who(c), whom(by), over(one, other)]
        }
        Answer::Try { who: c, on: target, with: symbol, cast, resist, opens, .. } => vec![
            what(match opens {
                Some(Rank::Minor) => "open a Minor Clash by a deed",
                Some(Rank::Major) => "open a Major Clash by a deed",
                None => "try something",
            }),
            who(c),
            on(target),
            valued(c, symbol),
            spell(cast),
            lasts(cast),
            resist.then(|| Part::how("resisting")),
        ],
        Answer::Cast { who: c, on, casting, task } => {
            vec![
                what("a Spell or Skill on oneself, to last"),
                who(c),
                whom(on),
                by(casting),
                lasts(Some(casting)),
                task.and_then(|task| how(&task)),
            ]
        }
        Answer::RestOf(all) => {
            let names: Vec<String> = all.iter().map(|c| Saying(c, at).to_string()).collect();
            vec![what("some rest"), Some(Part::who(names.join(", ")).at(&all))]
        }
        Answer::Explain(c) => vec![what("tell what a Spell does"), who(c)],
        Answer::Deal(of) => vec![what("the Damage takes"), how(&format!("{} Will Points", Saying(of, at)))],
        Answer::Drop(c) => vec![what("stop Concentrating"), who(c)],
        Answer::LetGo { who: c, prop: there } => vec![what("let go"), who(c), prop(there)],
        Answer::Settle { with: one, over: other, defender, harmless, bonus: given, opens, let_be } => vec![
            what("a Roll"),
            defender.and_then(whom),
            over(one, other),
            opens.and_then(|stakes| how(&Saying(stakes, at).to_string())),
            harmless.then(|| Part::how("no Attack")),
            (given > 0).then(|| Part::how_much(bonus(given))),
            answers::asks_again(at, opens, let_be).then(|| Part::how("and you are asked again")),
        ],
        Answer::Same(n) => vec![
            what("the same Roll as before"),
            answers::made_before(at, n).and_then(|(task, _)| how(&task)),
            Some(Part::how_much(format!("number {}", u16::from(n) + 1))),
        ],
        Answer::Dodge(symbol) => vec![what("Dodge"), with(symbol)],
        Answer::Allow { with: one, over: other } => vec![what("allow the Dodge"), over(one, other)],
        Answer::Commit { idea, .. } => {
            let aids = answer.aids();
            let mut parts = vec![what(if at.state.clash.is_some() { "Exhaust" } else { "bring in" })];
            let sign = if matches!(prompt, Some(Prompt::Oppose(_))) { '-' } else { '+' };
            let dice =
                |one: Element| format!("{} ({sign}{})", Saying(one, at), at.state.dice_of(at.rules, one));
            parts.extend(aids.iter().map(|one| Some(Part::with(dice(one)).at(&one))));
            parts.push(idea.and_then(|idea| how(&format!("a Prop: {idea}"))));
            parts
        }
        Answer::Spend(n) => vec![what("spend dice"), Some(Part::how_much(n.to_string()))],
        Answer::Grant { mark, item, idea, help, hinder, malus: offered, by, bears } => {
            let aids = at.state.top_test().map(|test| test.aids).unwrap_or_default();
            let name = |one: Option<Element>| one.map(|one| Part::with(Saying(one, at).to_string()));
            let names =
                |all: CharSet| all.iter().map(|c| Saying(c, at).to_string()).collect::<Vec<_>>().join(", ");
            let plain = !mark && !item && idea == 0;
            vec![
                what(if plain { "grant nothing" } else { "grant" }),
                name(aids.mark.filter(|_| mark).map(Element::Trait)),
                name(aids.item.filter(|_| item).map(Element::Item)),
                (!help.is_empty()).then(|| Part::how(format!("help: {}", names(help))).at(&help)),
                (!hinder.is_empty()).then(|| Part::how(format!("hindrance: {}", names(hinder))).at(&hinder)),
                (!bears.is_empty()).then(|| Part::how("a Spell bears on it").at(&bears)),
                (idea > 0).then(|| Part::how_much(format!("{} for the Prop", bonus(idea)))),
                (offered > 0).then(|| Part::how_much(format!("{} offered", malus(offered))).at(&by)),
            ]
        }
        Answer::Subdue { aware, .. } => {
            vec![what("the Subjugation"), how(if aware { "known" } else { "not known" })]
        }
        Answer::Next(c) => vec![what("goes next"), who(c)],
        Answer::Activate(one) => vec![what("Activate"), Some(element(one))],
        Answer::Attack { on, with: symbol, cast, resist } => {
            let resists = resist.then(|| Part::how("resisting"));
            vec![what("attack"), whom(on), with(symbol), spell(cast), lasts(cast), resists]
        }
        Answer::Command { extra, on, with: symbol } => {
            vec![what("command an Extra to attack"), who(extra), whom(on), valued(extra, symbol)]
        }
        Answer::Study { on: target, with: symbol, cast } => {
            vec![what("study"), on(target), with(symbol), spell(cast), lasts(cast)]
        }
        Answer::Investigate { on: target, with: symbol, about, cast } => {
            vec![what("investigate"), on(target), with(symbol), spell(cast), how(&about)]
        }
        Answer::Control { prop: there, with: symbol, from, cast } => {
            vec![what("take Control"), prop(there), from.and_then(whom), with(symbol), spell(cast)]
        }
        Answer::PushOff { prop: there, whom: foe, with: symbol, cast } => {
            vec![what("push off"), prop(there), whom(foe), with(symbol), spell(cast)]
        }
        Answer::Generic { on, with: symbol, task, cast, resist } => {
            let resists = resist.then(|| Part::how("resisting"));
            vec![what("another Roll"), whom(on), with(symbol), spell(cast), how(&task), resists]
        }
        Answer::Use { who: c, ability, on: target, pay } => {
            let paid = pay.iter().map(|one| Saying(one, at).to_string()).collect::<Vec<_>>().join(", ");
            vec![
                what("use an ability"),
                who(c),
                target.and_then(on),
                Some(Part::with(Saying(ability, at).to_string()).at(&ability)),
                (!pay.is_empty()).then(|| Part::how(format!("Exhausting {paid}")).at(&pay)),
            ]
        }
        Answer::First(ability) => {
            vec![what("on the Stack next"), Some(Part::with(Saying(ability, at).to_string()).at(&ability))]
        }
        Answer::Learn(secret) => {
            vec![what("they learn"), Some(Part::with(at.rules.secret(secret).text.as_str()).at(&secret))]
        }
        Answer::Lay { dice, .. } => vec![what("a Spell Trait"), how(&format!("{dice} dice"))],
        Answer::GainMinor(_) => vec![what("a Minor Trait")],
        Answer::GainMajor(_) => vec![what("a Major Trait")],
        Answer::Swap { give, .. } => vec![what("exchange a Trait"), Some(element(Element::Trait(give)))],
        Answer::Surrender(c) => vec![what("Surrender"), who(c)],
        Answer::Activity(activity) => {
            vec![what("spend Hours"), Some(Part::with(Saying(activity, at).to_string()).at(&activity))]
        }
        Answer::Take if matches!(at.state.frames.last(), Some(Frame::Blow(_))) => {
            vec![what("take the Damage")]
        }
        _ => vec![what(&answers::answer(at, slot, *answer, viewer).text)],
    };
    let mut parts: Vec<Part> = parts.into_iter().flatten().collect();
    parts.sort_by_key(|part| part.kind);
    parts
}
