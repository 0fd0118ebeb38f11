//! What answers are made of.

use super::answers::held_back;
use super::*;
use fracas_kernel::{Saying, Space};

/// The parts of an answer. One that nobody composes has all its words in one.
pub(super) fn parts(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Vec<Part> {
    let what = |label: &str| Some(Part::what(label));
    let who = |c: Char| Some(Part::who(at.rules.name(c)).at(&c));
    let whom = |c: Char| Some(Part::whom(at.rules.name(c)).at(&c));
    let all = |set: CharSet| Part::who(names(at.rules, set)).at(&set);
    let with = |of: Trait| Some(Part::with(Saying(of, at).to_string()).at(&of));
    let how = |label: String| Some(Part::how(label));
    let so_much = |label: String| Some(Part::how_much(label));
    let against = |number: i16| so_much(format!("against {}", level(number)));
    let tools = |by: i8| (by != 0).then(|| Part::how(format!("{by:+} for tools")));
    let parts: Vec<Option<Part>> = match *answer {
        Answer::Act(deed) => return of_act(at, None, deed),
        Answer::As { who, act } => return of_act(at, Some(who), act),
        Answer::Check { who: c, with: of, level: number, tools: by, against: other } => vec![
            what("call for a check"),
            who(c),
            other.and_then(whom),
            with(of),
            tools(by),
            if other.is_none() { against(number.into()) } else { None },
        ],
        Answer::Notice {
            who: c,
            sense: of,
            level: number,
            of: other,
            harder,
            distracted,
            distance,
            secret,
        } => vec![
            what(if secret { "a check in secret" } else { "a check to notice" }),
            who(c),
            other.and_then(whom),
            Some(Part::with(sense(of))),
            (harder > 0).then(|| Part::how(format!("{harder} harder"))),
            (distracted > 0).then(|| Part::how(format!("{distracted} harder for distraction"))),
            (distance > 0).then(|| Part::how(format!("{} away", count(distance.into(), "space")))),
            against(number.into()),
        ],
        Answer::NoRoll { who: c, with: of } => vec![what("no roll"), who(c), with(of)],
        Answer::Hint { who: c, what: words } => vec![what("a hint"), who(c), how(own(words))],
        Answer::Battle { first, surprised } => vec![
            what("a conflict begins"),
            (!first.is_empty()).then(|| all(first)),
            (!surprised.is_empty())
                .then(|| Part::how(format!("surprised: {}", names(at.rules, surprised))).at(&surprised)),
        ],
        Answer::Run { fleeing, after, lead } => vec![
            what("a chase"),
            Some(all(fleeing)),
            Some(Part::whom(names(at.rules, after)).at(&after)),
            (lead > 0).then(|| Part::how_much(format!("{} ahead", count(lead.into(), "space")))),
        ],
        Answer::Rest { harder } => {
            vec![what("a day's rest"), (harder > 0).then(|| Part::how_much(format!("{harder} harder")))]
        }
        Answer::Buy { who: c, fortune } => {
            vec![what("buy Fortune"), who(c), Some(Part::how_much(fortune.to_string()))]
        }
        Answer::Raise { who: c, what: of } => vec![what("raise"), who(c), with(of)],
        Answer::Try { who: c, with: of, what: words } => {
            let words = (!is_proposed(&words)).then(|| Part::how(own(words)));
            vec![what("try something"), who(c), with(of), words]
        }
        Answer::Level { level: number, tools: by, with: of } => {
            vec![what("a challenge level"), of.and_then(with), tools(by), against(number.into())]
        }
        Answer::How { time: taken, fortune } => vec![
            what(if fortune > 0 { "burn Fortune" } else { "take time" }),
            (taken != Time::default() || fortune == 0).then(|| Part::how(time(taken))),
            (fortune > 0).then(|| Part::how_much(format!("{fortune} Fortune"))),
        ],
        Answer::Takes(actions) => vec![what("it takes"), so_much(count(actions.into(), "action"))],
        Answer::Abort { defend: 0, resist: 0, with: of, own, .. } if own.as_slice().is_empty() => {
            vec![what("give up nothing"), of.map(|of| Part::with(defence(of)))]
        }
        Answer::Abort { defend, resist, with: of, own, to } => {
            let own = own.as_slice().iter();
            let own = own.map(|&recourse| Some(Part::how(Saying(recourse, at).to_string()).at(&recourse)));
            let given = [
                what("Abort"),
                of.map(|of| Part::with(defence(of))),
                (defend > 0).then(|| Part::how_much(format!("{} to defend", count(defend.into(), "action")))),
                (resist > 0).then(|| Part::how_much(format!("{} to resist", count(resist.into(), "action")))),
            ];
            given.into_iter().chain(own).chain([to.map(|to| Part::how(space(at, to)))]).collect()
        }
        Answer::Burn(points) => vec![what("burn Fortune"), so_much(points.to_string())],
        Answer::SideEffect(effect) => match effect {
            SideEffect::None => vec![what("the wounds alone")],
            SideEffect::Disarm => vec![what("disarm")],
            SideEffect::Trip => vec![what("trip")],
            SideEffect::Other(words) => vec![what("another side effect"), how(own(words))],
        },
        Answer::Shift { who: c, by } => vec![what("shift initiative"), who(c), so_much(signed(by.into()))],
        _ => vec![what(&RuinsAndRaiders::answer(at.rules, at.state, slot, answer, viewer).text)],
    };
    parts.into_iter().flatten().collect()
}

/// The parts of an act. `actor` is named where several could act.
fn of_act(at: At<'_>, actor: Option<Char>, deed: Act) -> Vec<Part> {
    let what = |label: &str| Some(Part::what(label));
    let who = || actor.map(|c| Part::who(at.rules.name(c)).at(&c));
    let whom = |c: Char| Some(Part::whom(at.rules.name(c)).at(&c));
    let arm = |weapon: Weapon| Some(Part::with(Saying(weapon, at).to_string()).at(&weapon));
    let to = |there: Space| Some(Part::how(space(at, there)));
    let fortune = |points: u8| (points > 0).then(|| Part::how_much(format!("{points} Fortune")));
    let words = |label: fracas_kernel::Label| (!is_proposed(&label)).then(|| Part::how(own(label)));
    let plain = |label: &str| vec![what(label), who()];
    let thing = |label: &str, weapon: Weapon| vec![what(label), who(), arm(weapon)];
    let parts: Vec<Option<Part>> = match deed {
        Act::Step(there) => vec![what("step"), who(), to(there)],
        Act::Move { to: there, via, charge, fortune: points } => {
            let by = via.as_slice().iter().map(|&by| Some(Part::how(format!("by {}", space(at, by)))));
            let first = [what(if charge { "charge" } else { "move" }), who(), to(there)];
            first.into_iter().chain(by).chain([fortune(points)]).collect()
        }
        Act::Strike { on, with, thrown, pull } => {
            let back = held_back(pull);
            vec![
                what(if thrown { "throw" } else { "strike" }),
                who(),
                whom(on),
                with.map_or_else(|| Some(Part::with("bare hands")), arm),
                (!back.is_empty()).then(|| Part::how(back.trim_start_matches([',', ' ']))),
            ]
        }
        Act::Use { what: how, on } => vec![
            what("use a manoeuvre"),
            who(),
            on.and_then(whom),
            Some(Part::with(Saying(how, at).to_string()).at(&how)),
        ],
        Act::Cast { spell, on } => vec![
            what("cast a spell"),
            who(),
            on.and_then(whom),
            Some(Part::with(Saying(spell, at).to_string()).at(&spell)),
        ],
        Act::Aim => plain("aim"),
        Act::Defend => plain("defend"),
        Act::Haymaker => plain("wind up for a haymaker"),
        Act::Resist => plain("resist"),
        Act::Look => plain("look about"),
        Act::Haste => plain("haste"),
        Act::Rapid => plain("burn 3 Fortune for a second strike"),
        Act::Stand => plain("stand up"),
        Act::Fall => plain("drop prone"),
        Act::Mount(mount) => vec![what("mount"), who(), whom(mount)],
        Act::Dismount => plain("get off"),
        Act::Leap(there) => vec![what("leap"), who(), to(there)],
        Act::Draw(weapon) => thing("draw", weapon),
        Act::Sheathe(weapon) => thing("put away", weapon),
        Act::PickUp(weapon) => thing("pick up", weapon),
        Act::Door => plain("open a door"),
        Act::Do(label) => vec![what("do something else"), who(), words(label)],
        Act::Shout(label) => vec![what("call out"), who(), words(label)],
        Act::Work => plain("go on with what takes longer"),
        Act::Heal { on, points, own, .. } => vec![
            what("heal by touch"),
            who(),
            whom(on),
            own.then(|| Part::how("for wounds of one's own")),
            Some(Part::how_much(points.to_string())),
        ],
        Act::Feel(on) => vec![what("feel what somebody feels"), who(), whom(on)],
        Act::Wait { wire: moment, trap } => vec![
            what("wait"),
            who(),
            trap.map(|weapon| Part::with(Saying(weapon, at).to_string()).at(&weapon)),
            Some(waited(at, moment)),
        ],
        Act::End => plain("end the turn"),
    };
    parts.into_iter().flatten().collect()
}

/// The moment that ends a wait.
fn waited(at: At<'_>, moment: Wire) -> Part {
    let part = Part::how(format!("until {}", wire(at, moment)));
    match moment {
        Wire::Near { of: Some(of), .. } => part.at(&of),
        _ => part,
    }
}
