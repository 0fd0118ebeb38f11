//! What answers are made of.

use crate::answer::{Answer, Blow, Deed};
use crate::words::{blow_words, disguise_words, favor_words, names};
use crate::{At, JudgeTwo, vocab::*};
use fracas_kernel::{Part, Slot, Viewer, Words};

/// The parts of an answer. One that nobody composes has all its words in one.
pub(crate) fn parts(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
    let At { rules, state } = at;
    let what = |label: &str| Some(Part::what(label));
    let who = |c: Char| Some(Part::who(rules.name(c)).at(&c));
    let whom = |c: Char| Some(Part::whom(rules.name(c)).at(&c));
    let all = |all: CharSet| Some(Part::whom(names(rules, all)).at(&all));
    let with = |label: &str| Some(Part::with(label));
    let thing = |item: Item| Some(Part::with(rules.gear(item).name.as_str()).at(&item));
    let using = |ability: Ability| Some(Part::with(rules.power(ability).name.as_str()).at(&ability));
    let blow = |blow: Blow| Some(Part::what(blow_words(rules, blow)).at(&blow.item));
    let how = |is_so: bool, label: &str| is_so.then(|| Part::how(label));
    let manner = |manner: Option<Manner>| match manner? {
        Manner::Throw => Some(Part::how("thrown")),
        Manner::Bare => Some(Part::how("with bare hands")),
    };
    let moving = |moves: Option<Moves>| match moves? {
        Moves::In => Some(Part::how("moving up")),
        Moves::Out => Some(Part::how("stepping back")),
    };
    let in_form = |form: Option<Form>| form.map(|form| Part::how(format!("as a {form} attack")));
    let lower = |tier: Option<Tier>| tier.map(|tier| Part::how(format!("only the {tier} tier")));
    let unbind = |release| how(release, "breaking the bind");
    let favored = |favor: i8| how(favor != 0, favor_words(favor));
    let level = |cl: u8| Part::how_much(format!("CL {cl}"));
    let parts: Vec<Option<Part>> = match *answer {
        Answer::Begin(c) | Answer::Next(c) => vec![who(c)],
        Answer::Deed(deed) => {
            let [of_what, first, second] = match deed {
                Deed::Other => [what("something small"), None, None],
                Deed::Ready(item) => [what("ready"), thing(item), None],
                Deed::ReadyBoth(one, other) => [what("ready two"), thing(one), thing(other)],
                Deed::Stow(item) => [what("put away"), thing(item), None],
                Deed::Recover(item) => [what("recover"), thing(item), None],
                Deed::Take(item) => [what("take"), thing(item), None],
                Deed::Switch(old, new) => [what("switch"), thing(old), thing(new)],
                Deed::Discard(item) => [what("discard"), thing(item), None],
                Deed::Compose => [what("regain composure"), None, None],
                Deed::Mount(item) => [what("mount"), thing(item), None],
                Deed::Dismount => [what("dismount"), None, None],
                Deed::Unmask => [what("drop the disguise"), None, None],
                Deed::Request(of) => [what("ask for something"), whom(of), None],
            };
            vec![what("deed"), of_what, first, second]
        }
        Answer::Test { attribute, against, ability, toward, social, text } => vec![
            what("test"),
            against.and_then(whom),
            with(attribute.word()),
            ability.and_then(using),
            toward.map(|c| Part::how(format!("towards {}", rules.name(c))).at(&c)),
            how(social, "talking"),
            text.map(|language| Part::how(format!("a text in {language}"))),
        ],
        Answer::Attack { on, attribute, veiled, fallback, form, ability, with: item, manner: by, moves } => {
            vec![
                what("attack"),
                whom(on),
                with(attribute.word()),
                item.and_then(thing),
                ability.and_then(using),
                how(veiled, "veiled"),
                how(fallback, "as a fallback"),
                in_form(form),
                manner(by),
                moving(moves),
            ]
        }
        Answer::Assault { on, veiled, fallback, form, with: item, manner: by, moves } => vec![
            what("attack"),
            all(on),
            item.and_then(thing),
            how(veiled, "veiled"),
            how(fallback, "as a fallback"),
            in_form(form),
            manner(by),
            moving(moves),
        ],
        Answer::Group(others) => vec![what("act as a group"), all(others)],
        Answer::Aim { on, against, veiled, social } => vec![
            what(if on.is_some() { "group attack" } else { "group test" }),
            on.or(against).and_then(whom),
            how(veiled, "veiled"),
            how(social, "talking"),
        ],
        Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult } => vec![
            cl.map_or(what("agreed"), |cl| what(&format!("CL {cl}"))),
            attribute.map(|attribute| Part::with(format!("{attribute} instead"))),
            how(bold, "bold"),
            how(faint, "faint"),
            how(quick, "quick"),
            how(long, "long"),
            favored(favor),
            how(difficult, "through difficult terrain"),
        ],
        Answer::Terms { essence, cl, form, bold, faint, quick, long, favor, difficult, fear } => vec![
            what(essence.word()),
            form.map(|form| Part::how(format!("{form} harm"))),
            how(bold, "bold"),
            how(faint, "faint"),
            how(quick, "quick"),
            how(long, "long"),
            favored(favor),
            how(difficult, "through difficult terrain"),
            how(fear, "a fright"),
            cl.map(level),
        ],
        Answer::Guard(c) => vec![what("guard"), who(c)],
        Answer::Judge { light, truth } => {
            vec![what(&format!("{light} Light")), what(&format!("{truth} Truth"))]
        }
        Answer::Threat { threat, item, dislodge, tier, release } => {
            vec![what("threat"), blow(Blow { threat, item, dislodge }), lower(tier), unbind(release)]
        }
        Answer::Threats { first, second, tier, release } => {
            vec![what("two threats"), blow(first), blow(second), lower(tier), unbind(release)]
        }
        Answer::Mark { mark, tier, release } => {
            vec![what("mark"), what(mark.word()), lower(tier), unbind(release)]
        }
        Answer::Finisher { finisher, release } => {
            vec![what("finisher"), what(&finisher.word().replace('-', " ")), unbind(release)]
        }
        Answer::Spread { threat, item, dislodge, also, release } => vec![
            what("threat"),
            blow(Blow { threat, item, dislodge }),
            Some(also).filter(|also| !also.is_empty()).and_then(all),
            unbind(release),
        ],
        Answer::Grant(c) => vec![what("give a turn"), who(c)],
        Answer::Danger(threatened) => vec![what("danger"), all(threatened)],
        Answer::Essence { essence, ability } => {
            let instead = ability.and_then(|ability| rules.power(ability).essence);
            vec![what(instead.unwrap_or(essence).word()), ability.and_then(using)]
        }
        Answer::Call { who: c, attribute, social } => {
            vec![what("call for a test"), who(c), with(attribute.word()), how(social, "talking")]
        }
        Answer::Conflict(form) => vec![what("conflict"), how(true, form.word())],
        Answer::Dispose { who: c, to } => vec![what("disposition"), whom(c), how(true, to.word())],
        Answer::Draw { script, down } => {
            let setting_down = |item| Part::how(format!("setting {} down", rules.gear(item).name)).at(&item);
            vec![what("draw"), thing(script), down.map(setting_down)]
        }
        Answer::Disguise(disguise) if !disguise.is_none() => {
            vec![what("pass for"), how(true, &disguise_words(disguise))]
        }
        Answer::Weigh { stake, paid } => vec![
            what(&format!("of {stake} importance")),
            how(true, if paid { "fairly paid" } else { "not paid" }),
        ],
        _ => vec![what(&JudgeTwo::answer(rules, state, slot, answer, viewer).text)],
    };
    parts.into_iter().flatten().collect()
}
