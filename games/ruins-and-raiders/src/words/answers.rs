//! Answers in words, with what they lead to.

use super::*;
use crate::answer::{Pull, Recourses, Via};
use crate::effect::{Bought, Effect};
use crate::state::{Phase, With};
use crate::{attack, points, round, walk};
use fracas_kernel::{Label, Saying, Space};

/// An answer, as far as this viewer may know what it leads to.
pub(super) fn answer(at: At<'_>, slot: Slot, answer: Answer, viewer: Viewer) -> Told {
    let prompt = RuinsAndRaiders::ask_at(at, slot).map(|ask| ask.prompt);
    match answer {
        Answer::Act(deed) => match prompt.and_then(actor) {
            Some(who) => of_act(at, who, deed, viewer),
            None => Told::new("act"),
        },
        Answer::As { who, act: deed } => {
            let words = of_act(at, who, deed, viewer);
            let free =
                words.free.map(|_| if matches!(deed, Act::Do(_)) { "/as/act/do" } else { "/as/act/shout" });
            Told { text: format!("{}: {}", at.rules.name(who), words.text), free, ..words }
        }
        Answer::Let => let_be(at, prompt),
        Answer::Check { .. }
        | Answer::Notice { .. }
        | Answer::NoRoll { .. }
        | Answer::Hint { .. }
        | Answer::Battle { .. }
        | Answer::Run { .. }
        | Answer::Rest { .. }
        | Answer::Raise { .. }
        | Answer::Buy { .. }
        | Answer::Try { .. }
        | Answer::Close => of_scene(at, answer),
        Answer::Level { .. } | Answer::How { .. } | Answer::Takes(_) => of_check(at, answer, viewer),
        Answer::Abort { .. } | Answer::Burn(_) | Answer::SideEffect(_) | Answer::Beside | Answer::Instead => {
            of_attack(at, prompt, answer, viewer)
        }
        Answer::No => no(prompt),
        Answer::Next | Answer::Shift { .. } | Answer::Peace => of_round(at, prompt, answer),
    }
}

/// What does not happen.
fn let_be(at: At<'_>, prompt: Option<Prompt>) -> Told {
    match prompt {
        Some(Prompt::Standoff(who)) => {
            let holds = round::holds_over(at.rules, at.state, who);
            let leads = if holds {
                "10 more initiative next round"
            } else {
                "no more initiative: an action is spent"
            };
            Told::new("let the round end").leads(leads).why(clause!("hold.bonus"))
        }
        Some(Prompt::Cut { who, .. }) => Told::new("let it be")
            .leads(format!("goes on waiting, {}", waits_for(at, who)))
            .why(clause!("wait.anytime")),
        _ => Told::new("let it be").why(clause!("wait.anytime")),
    }
}

fn no(prompt: Option<Prompt>) -> Told {
    match prompt {
        Some(Prompt::Rule { .. }) => {
            Told::new("no side effect").leads("the wounds alone").why(clause!("attack.strike.side-effect"))
        }
        _ => Told::new("it cannot be done").leads("it costs nothing").why(clause!("challenge.assign")),
    }
}

// ---- The scene.

fn of_scene(at: At<'_>, answer: Answer) -> Told {
    let n = |who: Char| at.rules.name(who);
    match answer {
        Answer::Check { who, with, level: number, tools, against } => {
            let with = Saying(with, at);
            let number = match against {
                Some(other) => format!("{} + 7 of {}", with, n(other)),
                None => level(number.into()),
            };
            Told::new(format!("{} checks {with} against {number}{}", n(who), tooled(tools)))
                .leads("the player says how long it takes, then rolls")
                .why(clause!("challenge.assign"))
        }
        Answer::Notice { who, sense: with, level: number, of, harder, distracted, distance, secret } => {
            let harder = harder.saturating_add(distracted);
            let of = of.map(|of| format!(" for {}", n(of))).unwrap_or_default();
            let harder = if harder > 0 { format!(", {harder} harder") } else { String::new() };
            let far = if distance > 0 {
                format!(", {} away", count(distance.into(), "space"))
            } else {
                String::new()
            };
            let (how, leads) = match secret {
                true => {
                    (", in secret", "you roll, and the players hear of it only where somebody is noticed")
                }
                false => ("", "the player rolls"),
            };
            let clause = if with == Sense::Intuition {
                clause!("intuition.use")
            } else {
                clause!("perception.use.faint")
            };
            let number = level(number.into());
            Told::new(format!("{} checks {}{of} against {number}{harder}{far}{how}", n(who), sense(with)))
                .leads(leads)
                .why(clause)
        }
        Answer::NoRoll { who, with } => Told::new(format!("no roll for {}: {}", n(who), Saying(with, at)))
            .leads(format!("mox {}", values::level(at, who, with)))
            .why(clause!("core.no-roll")),
        Answer::Hint { who, what } => Told::new(format!("a hint for {}: {}", n(who), own(what)))
            .leads("only that player is told")
            .why(clause!("intuition.plot"))
            .free("/hint/what"),
        Answer::Battle { first, surprised } => battle(at, first, surprised),
        Answer::Run { fleeing, after, lead } => {
            let ahead = match lead {
                0 => "as far ahead as the map says".to_owned(),
                lead => format!("{} ahead", count(lead.into(), "space")),
            };
            let (flees, chases) = (agree(fleeing, "flees", "flee"), agree(after, "is", "are"));
            let (fleeing, after) = (names(at.rules, fleeing), names(at.rules, after));
            Told::new(format!("a chase: {fleeing} {flees}, {after} {chases} after"))
                .leads(format!("all roll Athlete; {ahead}"))
                .why(clause!("chase.roll"))
        }
        Answer::Rest { harder } => {
            let harder = if harder > 0 { format!(", {harder} harder") } else { String::new() };
            Told::new(format!("a day's rest{harder}"))
                .leads("who is wounded and has had no hard day may recover")
                .why(clause!("injury.recover"))
        }
        Answer::Buy { who, fortune } => Told::new(format!("{} buys {fortune} Fortune", n(who)))
            .leads("for as many experience points")
            .why(clause!("fortune.points")),
        Answer::Raise { who, what } => {
            let now = at.state.being(who).levels[what.index()];
            let price = 100 * (points::cost(u32::from(now) + 1) - points::cost(now.into()));
            let left = at.state.being(who).experience.saturating_sub(price);
            Told::new(format!("{} raises {} to {}", n(who), Saying(what, at), u16::from(now) + 1))
                .leads(format!("{price} experience points, {left} left"))
                .why(clause!("trait.raise"))
        }
        Answer::Try { who, with, what } => {
            Told::new(format!("{} tries something with {}{}", n(who), Saying(with, at), after(what)))
                .leads("the Adversary sets the challenge level")
                .why(clause!("challenge.assign"))
                .free("/try/what")
        }
        _ => Told::new("the evening is over"),
    }
}

/// A verb for one or for several.
fn agree(all: CharSet, of_one: &'static str, of_many: &'static str) -> &'static str {
    if all.len() == 1 { of_one } else { of_many }
}

/// Somebody's own words after a colon; nothing where a list proposed them.
fn after(words: Label) -> String {
    if is_proposed(&words) { String::new() } else { format!(": {}", own(words)) }
}

/// What tools change: ", 3 harder for the tools".
fn tooled(tools: i8) -> String {
    match tools {
        0 => String::new(),
        1.. => format!(", {tools} harder for makeshift tools"),
        _ => format!(", {} easier for outstanding tools", tools.unsigned_abs()),
    }
}

fn battle(at: At<'_>, first: CharSet, surprised: CharSet) -> Told {
    let text = match first.is_empty() {
        true => "a conflict begins, and nobody is first".to_owned(),
        false => {
            let acts = agree(first, "acts", "act");
            format!("a conflict begins: {} {acts} first", names(at.rules, first))
        }
    };
    let leads = match (first.is_empty(), surprised.is_empty()) {
        (true, _) => "round one, with initiative".to_owned(),
        (false, true) => "round zero; the others can only Abort".to_owned(),
        (false, false) => {
            format!("round zero; wholly surprised: {}", names(at.rules, surprised))
        }
    };
    Told::new(text).leads(leads).why(clause!("zero.begin"))
}

// ---- Checks and deeds.

fn of_check(at: At<'_>, answer: Answer, viewer: Viewer) -> Told {
    match answer {
        Answer::Level { level: number, tools, with } => {
            let with = with.map(|with| format!(" with {}", Saying(with, at))).unwrap_or_default();
            Told::new(format!("against {}{}{with}", level(number.into()), tooled(tools)))
                .leads("it is rolled")
                .why(clause!("challenge.assign"))
        }
        Answer::How { time: taken, fortune } => how(at, taken, fortune, viewer),
        Answer::Takes(0) => Told::new("it is a small thing").leads("no action").why(clause!("action.minor")),
        Answer::Takes(1) => Told::new("it takes 1 action").leads("done at once").why(clause!("action.major")),
        Answer::Takes(actions) => Told::new(format!("it takes {actions} actions"))
            .leads("the first is spent now, the others over several turns if need be")
            .why(clause!("action.long")),
        _ => Told::default(),
    }
}

/// In how much time something is done, with how much Fortune.
fn how(at: At<'_>, taken: Time, fortune: u8, viewer: Viewer) -> Told {
    let text = match (taken == Time::default(), fortune) {
        (true, 0) => "in the usual time".to_owned(),
        (false, 0) => format!("in {}", time(taken)),
        (true, points) => format!("burn {points} Fortune"),
        (false, points) => format!("in {}, and burn {points} Fortune", time(taken)),
    };
    let mut leads = Vec::new();
    if let Some(Frame::Check(check)) = at.state.frames.last() {
        let check = crate::state::Check { time: taken, fortune, ..*check };
        let shows = shows_check(at, &check, viewer);
        let against =
            if shows { format!(" against {}", level(check::challenge(&check))) } else { String::new() };
        leads.push(format!("{}{against}", dice(check::bonus(at, &check))));
    }
    if taken.bonus() > 0 {
        leads.push(format!("+{} for the time", taken.bonus()));
    }
    if taken.halvings() > 0 {
        leads.push(format!("{} harder for the haste", 3 * u16::from(taken.halvings())));
    }
    let clause = match (fortune, taken.halvings(), taken.bonus()) {
        (1.., 0, 0) => clause!("fortune.check"),
        (_, 1.., _) => clause!("time.rush"),
        (_, 0, 1..) => clause!("time.extra.applies"),
        _ => clause!("time.normal"),
    };
    Told::new(text).leads(leads.join("; ")).why(clause)
}

// ---- Attacks.

fn of_attack(at: At<'_>, prompt: Option<Prompt>, answer: Answer, viewer: Viewer) -> Told {
    match (answer, prompt) {
        (Answer::Abort { defend, resist, with, own, to }, Some(Prompt::Abort { who, .. })) => {
            abort(at, who, (defend, resist, own), (with, to), viewer)
        }
        (Answer::Burn(points), Some(Prompt::Absorb { who, wounds })) => absorb(at, who, points, wounds),
        (Answer::Burn(0), _) => Told::new("burn no Fortune").why(clause!("fortune.check")),
        (Answer::Burn(points), Some(Prompt::Fortune(who))) => {
            let left = at.state.being(who).fortune.saturating_sub(points);
            Told::new(format!("burn {points} Fortune"))
                .leads(format!("+{points} to the roll; {left} left"))
                .why(clause!("fortune.check"))
        }
        (Answer::Burn(points), _) => {
            Told::new(format!("burn {points} Fortune")).why(clause!("fortune.check"))
        }
        (Answer::SideEffect(effect), _) => side_effect(at, effect),
        (Answer::Beside, _) => {
            Told::new("it comes about").leads("and the wounds too").why(clause!("attack.strike.side-effect"))
        }
        (Answer::Instead, _) => Told::new("it comes about instead")
            .leads("and no wounds")
            .why(clause!("attack.strike.side-effect")),
        _ => Told::default(),
    }
}

/// What giving up actions brings against the attack under way.
fn abort(
    at: At<'_>,
    who: Char,
    (defend, resist, own): (u8, u8, Recourses),
    (with, to): (Option<Defence>, Option<Space>),
    viewer: Viewer,
) -> Told {
    let actions = defend.saturating_add(resist).saturating_add(own.as_slice().len() as u8);
    let mut what: Vec<String> = [(defend, "defend"), (resist, "resist")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(_, to)| format!("to {to}"))
        .collect();
    what.extend(own.as_slice().iter().map(|&recourse| format!("for {}", Saying(recourse, at))));
    let text = match actions {
        0 => "give up nothing".to_owned(),
        _ => format!("give up {} {}", count(actions.into(), "action"), what.join(" and ")),
    };
    let to = to.map(|to| format!(", to {}", space(at, to))).unwrap_or_default();
    let with_words = with.map(|with| format!(", and defend with {}", defence(with))).unwrap_or_default();
    let mut leads = Vec::new();
    if actions > 0 {
        leads.push(format!("{} until the next round", bought(at, (defend, resist), own)));
    }
    if shows_fight(at, viewer) {
        leads.extend(reached(at, who, (defend, resist, own), with));
    }
    let left = at.state.fighting(who).actions.saturating_sub(actions);
    leads.push(format!("{} left", count(left.into(), "action")));
    let clause = match (with, own.as_slice()) {
        (_, [_, ..]) => clause!("ext.abort"),
        (Some(_), []) if actions == 0 => clause!("attack.defence"),
        _ => clause!("abort.choice"),
    };
    Told::new(format!("{text}{to}{with_words}")).leads(leads.join("; ")).why(clause)
}

/// What the attack under way must reach then, and what it must reach now.
fn reached(
    at: At<'_>,
    who: Char,
    (defend, resist, own): (u8, u8, Recourses),
    with: Option<Defence>,
) -> Option<String> {
    let attack = attack::top(at)?;
    let now = values::challenge(at, &attack)?;
    let mut better = at.state.clone();
    let fighting = better.fighting_mut(who);
    fighting.defend = fighting.defend.saturating_add(defend);
    fighting.resist = fighting.resist.saturating_add(resist);
    for &recourse in own.as_slice() {
        match at.rules.recourse(recourse).buys {
            Bought::Bonus { value, by } => {
                let change = &mut better.fighting_mut(who).changes[value as usize];
                *change = change.saturating_add_unsigned(by);
            }
            Bought::Prone => better.being_mut(who).prone = true,
            Bought::Step => {}
        }
    }
    let attack = Attack { defence: with, ..attack };
    let then = values::challenge(At { rules: at.rules, state: &better }, &attack)?;
    Some(if then == now { format!("against {now}") } else { format!("against {then}, not {now}") })
}

/// What Fortune cancels of the wounds of a hit.
fn absorb(at: At<'_>, who: Char, points: u16, wounds: u16) -> Told {
    let (being, rest) = (at.state.being(who), wounds.saturating_sub(points));
    let sum = being.wounds.saturating_add(rest);
    let dead = at.rules.sheet(who).track.unwrap_or(at.rules.track).dead;
    let then = match sum {
        0 => String::new(),
        _ if sum >= dead => format!(", {sum} in all: dead"),
        _ if sum >= at.state.disabled_at(at.rules, who) => format!(", {sum} in all: disabled"),
        _ => format!(", {sum} in all"),
    };
    let text = if points == 0 { "take the wounds".to_owned() } else { format!("burn {points} Fortune") };
    let fortune = being.fortune.saturating_sub(points);
    Told::new(text)
        .leads(format!("{}{then}; {fortune} Fortune left", count(rest, "wound")))
        .why(clause!("fortune.absorb"))
}

fn side_effect(at: At<'_>, effect: SideEffect) -> Told {
    let on = attack::top(at).map_or("the target", |attack| at.rules.name(attack.on));
    let words = match effect {
        SideEffect::None => return Told::new("the wounds alone").why(clause!("attack.strike.side-effect")),
        SideEffect::Disarm => Told::new(format!("disarm {on}")),
        SideEffect::Trip => Told::new(format!("trip {on}")),
        SideEffect::Other(what) => Told::new(own(what)).free("/side-effect/other"),
    };
    words
        .leads("the Adversary rules, beside the wounds or in place of them")
        .why(clause!("attack.strike.side-effect"))
}

// ---- Rounds.

fn of_round(at: At<'_>, prompt: Option<Prompt>, answer: Answer) -> Told {
    match answer {
        Answer::Next if at.state.phase == Phase::Chase => {
            Told::new("the chase goes on").leads("all roll Athlete").why(clause!("chase.roll"))
        }
        Answer::Next if round::is_over(at) => {
            Told::new("the conflict goes on").leads("you say when it is over").why(clause!("battle-end"))
        }
        Answer::Next => Told::new(format!("round {} begins", at.state.round + 1))
            .leads("two actions and a free step each")
            .why(clause!("turn.sequence")),
        Answer::Shift { who, by } => {
            // Between rounds it is for the next.
            let next = prompt == Some(Prompt::Round) || at.state.round == 0;
            let when = if next { "next" } else { "this" };
            Told::new(format!("{}: {} initiative {when} round", at.rules.name(who), signed(by.into())))
                .why(clause!("init.environment"))
        }
        Answer::Peace if at.state.phase == Phase::Chase => {
            Told::new("the chase is over").why(clause!("chase.roll"))
        }
        _ => Told::new("the conflict is over")
            .leads("what lasts for its rounds ends")
            .why(clause!("battle-end")),
    }
}

// ---- What somebody does.

/// What costs an action.
const COSTS: &str = "1 action";
/// What costs nothing.
const FREE: &str = "no action";

#[allow(clippy::too_many_lines, reason = "a list, one act after the other")]
fn of_act(at: At<'_>, who: Char, deed: Act, viewer: Viewer) -> Told {
    let name = |other: Char| at.rules.name(other);
    let one_action = |text: String, leads: &str| Told::new(text).leads(format!("{leads}; {COSTS}"));
    let minor = |text: String, shift: i8| {
        let shift = if shift == 0 { String::new() } else { format!("; {shift:+} initiative this round") };
        Told::new(text).leads(format!("{FREE}{shift}")).why(clause!("action.minor"))
    };
    match deed {
        Act::Step(to) if at.state.being(who).prone => Told::new(format!("crawl to {}", space(at, to)))
            .leads("the one space of this round; no action")
            .why(clause!("prone.move")),
        Act::Step(to) => Told::new(format!("step to {}", space(at, to)))
            .leads("the free step of this round; no action")
            .why(clause!("move.free-step")),
        Act::Move { to, via, charge, fortune } => going(at, who, (to, via), (charge, fortune), viewer),
        Act::Strike { on, with, thrown, pull } => {
            let text = strike(at, (on, with), thrown) + &held_back(pull);
            let cost = match at.state.fighting(who).extra {
                0 => COSTS,
                _ => "the strike that Fortune bought",
            };
            Told::new(text).leads(blow(at, who, deed, viewer, cost)).why(clause!("attack.strike"))
        }
        Act::Use { what, on } => {
            let data = at.rules.manoeuvre(what);
            let on = on.map(|on| format!(" on {}", name(on))).unwrap_or_default();
            let cost = count(data.actions.into(), "action");
            Told::new(format!("use {}{on}", Saying(what, at)))
                .leads(blow(at, who, deed, viewer, &cost))
                .why(clause!("option.two-actions"))
        }
        Act::Cast { spell, on } => {
            let data = at.rules.spell(spell);
            let on = on.map(|on| format!(" on {}", name(on))).unwrap_or_default();
            let energy = if data.energy > 0 { format!(", {} Fortune", data.energy) } else { String::new() };
            let cost = format!("{}{energy}", count(data.actions.into(), "action"));
            Told::new(format!("cast {}{on}", Saying(spell, at)))
                .leads(blow(at, who, deed, viewer, &cost))
                .why(clause!("action.spell"))
        }
        Act::Aim => {
            one_action("aim".to_owned(), "+3 to the roll of the next attack").why(clause!("option.aim"))
        }
        Act::Defend => {
            let more = format!("+{} to Dodge and Parry until the next round", at.rules.options.defend_bonus);
            one_action("defend".to_owned(), &more).why(clause!("option.defend"))
        }
        Act::Haymaker => {
            let more = format!("+{} to the damage of the next melee attack", at.rules.options.haymaker);
            one_action("wind up for a haymaker".to_owned(), &more).why(clause!("option.haymaker"))
        }
        Act::Resist => one_action("resist".to_owned(), "+3 to Defiance until the next round")
            .why(clause!("option.resist")),
        Act::Look => one_action("look about".to_owned(), "+3 to Perception until the next round")
            .why(clause!("option.look")),
        Act::Haste => {
            let haste = at.rules.haste;
            Told::new("haste")
                .leads(format!(
                    "{} more initiative from the next round on; {}",
                    haste.initiative,
                    count(haste.actions.into(), "action")
                ))
                .why(clause!("init.haste"))
        }
        Act::Rapid => Told::new("burn 3 Fortune for a second strike")
            .leads(format!("one strike more; {} Fortune left", at.state.being(who).fortune.saturating_sub(3)))
            .why(clause!("fortune.rapid")),
        Act::Stand => Told::new("stand up").leads(COSTS).why(clause!("move.stand")),
        Act::Fall => Told::new("drop prone, to lie or sit")
            .leads("+3 against shots and throws, and easier to hit in melee; one space a round; no action")
            .why(clause!("prone.fall")),
        Act::Mount(mount) => {
            let known = knows_values(at, mount, viewer);
            let movement =
                if known { format!("Movement {}; ", values::movement(at, mount)) } else { String::new() };
            Told::new(format!("mount {}", name(mount)))
                .leads(format!("{movement}{COSTS}"))
                .why(clause!("move.mount-up"))
        }
        Act::Dismount => {
            let mount = at.state.being(who).riding.map_or("the mount", name);
            Told::new(format!("get off {mount}")).leads(COSTS).why(clause!("move.other"))
        }
        Act::Leap(to) => {
            let level = 4 * at.rules.field.distance(at.state.being(who).at, to);
            let thrown = dice(values::rolled(at, who, Trait::ATHLETE));
            one_action(format!("leap to {}", space(at, to)), &format!("{thrown} against {level}"))
                .why(clause!("jump.check"))
        }
        Act::Draw(weapon) => minor(format!("draw {}", Saying(weapon, at)), at.rules.minors.draw),
        Act::Sheathe(weapon) => minor(format!("put {} away", Saying(weapon, at)), 0),
        Act::PickUp(weapon) => {
            Told::new(format!("pick {} up", Saying(weapon, at))).leads(COSTS).why(clause!("move.other"))
        }
        Act::Door => Told::new("open a door").leads(COSTS).why(clause!("action.door")),
        Act::Do(what) => Told::new(format!("do something else{}", after(what)))
            .leads("the Adversary says what it takes")
            .why(clause!("action.major"))
            .free("/act/do"),
        Act::Shout(what) => {
            minor(format!("call out{}", after(what)), at.rules.minors.shout).free("/act/shout")
        }
        Act::Work => {
            let left = at.state.fighting(who).deed.saturating_sub(1);
            let what = at.state.deeds.iter().find(|(doer, _)| *doer == who);
            let what = what.map_or_else(|| "it".to_owned(), |(_, what)| own(*what));
            let leads = if left == 0 { "done with it".to_owned() } else { format!("{left} more to go") };
            one_action(format!("go on: {what}"), &leads).why(clause!("action.long"))
        }
        Act::Heal { on, points, shocks: _, own } => {
            let price = if own { count(points.into(), "wound") } else { format!("{points} Fortune") };
            let actions = if at.state.phase == Phase::Battle { "; both actions" } else { "" };
            Told::new(format!("heal {} by touch", name(on)))
                .leads(format!("{} or shock less, for {price}{actions}", count(points.into(), "wound")))
                .why(clause!("gift.empathy"))
        }
        Act::Feel(on) => one_action(format!("feel what {} feels", name(on)), "a check of Intuition")
            .why(clause!("gift.empathy")),
        Act::Wait { wire: moment, trap } => {
            let trap = trap.map(|weapon| format!(", then strike with {}", Saying(weapon, at)));
            Told::new(format!("wait until {}{}", wire(at, moment), trap.unwrap_or_default()))
                .leads("acts at any moment; nobody else learns what for")
                .why(clause!("wait.may"))
        }
        Act::End => {
            let left = at.state.fighting(who).actions;
            let leads =
                if left == 0 { String::new() } else { format!("{} lost", count(left.into(), "action")) };
            Told::new("end the turn").leads(leads).why(clause!("action.two"))
        }
    }
}

/// "strike the thug with Sword".
fn strike(at: At<'_>, (on, with): (Char, Option<Weapon>), thrown: bool) -> String {
    let on = at.rules.name(on);
    match with {
        Some(weapon) if thrown => format!("throw {} at {on}", Saying(weapon, at)),
        Some(weapon) if !at.rules.arm(weapon).uses.has(Use::Melee) => {
            format!("shoot at {on} with {}", Saying(weapon, at))
        }
        Some(weapon) => format!("strike {on} with {}", Saying(weapon, at)),
        None => format!("strike {on} with bare hands"),
    }
}

/// What is left out of a blow.
pub(super) fn held_back(pull: Pull) -> String {
    let parts = [(pull.brawn, "Brawn"), (pull.power, "power")].into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    if parts.is_empty() { String::new() } else { format!(", holding back {}", parts.join(" and ")) }
}

/// What an attack needs and does.
fn blow(at: At<'_>, who: Char, deed: Act, viewer: Viewer, cost: &str) -> String {
    let Some(attack) = act::announced(at, who, deed) else { return cost.to_owned() };
    let mut leads = Vec::new();
    let knows = crate::view::is_players(at.rules, who) || knows_values(at, who, viewer);
    match values::challenge(at, &attack) {
        None => leads.push("no roll".to_owned()),
        Some(number) => {
            let thrown = dice(if knows { values::attack_bonus(at, &attack) } else { 0 });
            let against = if shows_fight(at, viewer) { format!(" against {number}") } else { String::new() };
            let unaware = if attack.unaware { ", unaware" } else { "" };
            leads.push(format!("{thrown}{against}{unaware}"));
        }
    }
    leads.extend(range(at, &attack));
    match attack.with {
        With::BareHands | With::Weapon(_) if knows => {
            let momentum = i16::from(attack.momentum) + values::momentum_taken(at, &attack);
            let gained =
                if momentum == 0 { String::new() } else { format!(", {momentum} of it by momentum") };
            leads.push(format!("damage {} and the mox{gained}", values::damage_base(at, &attack) + momentum));
        }
        With::BareHands | With::Weapon(_) => {}
        With::Spell(spell) => leads.extend(does(&at.rules.spell(spell).effects, &at.rules.spell(spell).note)),
        With::Manoeuvre(what) => {
            leads.extend(does(&at.rules.manoeuvre(what).effects, &at.rules.manoeuvre(what).note));
        }
    }
    leads.push(cost.to_owned());
    leads.join("; ")
}

/// What spells and manoeuvres do, with what the table says of them.
fn does(all: &[Effect], note: &str) -> impl Iterator<Item = String> {
    [effects(all), note.to_owned()].into_iter().filter(|words| !words.is_empty())
}

/// The range number of an attack, where it counts.
pub(crate) fn range(at: At<'_>, attack: &Attack) -> Option<String> {
    let class = match (attack.with, values::use_of(at, attack)) {
        (With::Spell(spell), _) => at.rules.spell(spell).range,
        (_, Use::Thrown) => Range::Short,
        (_, Use::Missile) => Range::Long,
        (_, Use::Melee) => return None,
    };
    let number = values::range_number(class, at.state.distance(at.rules, attack.by, attack.on));
    (number > 0).then(|| format!("range number {number} in it"))
}

/// A move: how far, over what ground, with what momentum.
fn going(
    at: At<'_>,
    who: Char,
    (to, via): (Space, Via),
    (charge, fortune): (bool, u8),
    viewer: Viewer,
) -> Told {
    let verb = if charge { "charge" } else { "move" };
    let by: Vec<String> = via.as_slice().iter().map(|&by| space(at, by)).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let burns = if fortune > 0 { format!(", burning {fortune} Fortune") } else { String::new() };
    let mut leads = Vec::new();
    if let Some(path) = walk::path(at, who, to, &via, fortune) {
        let spaces = at.rules.field.total(at.state.being(who).at, &path);
        leads.push(count(spaces, "space"));
        if charge {
            let run = u16::from(at.state.fighting(who).run) + spaces;
            let momentum = at.rules.options.momentum(run.min(u8::MAX.into()) as u8);
            leads.push(format!(
                "momentum {momentum}: so much more damage by the next melee attack, and by melee blows that hit this round"
            ));
        }
        leads.extend(footing(at, who, &path, viewer));
    }
    leads.push(COSTS.to_owned());
    Told::new(format!("{verb} to {}{by}{burns}", space(at, to))).leads(leads.join("; ")).why(if charge {
        clause!("charge.choice")
    } else {
        clause!("move.action")
    })
}

/// The ground on a way that asks for a check, each kind once.
pub(crate) fn footing(at: At<'_>, who: Char, path: &[Space], viewer: Viewer) -> Vec<String> {
    let mut kinds: Vec<u8> = path.iter().map(|&space| at.rules.field.kind(space)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let with = if at.state.being(who).riding.is_some() { Trait::RANGER } else { Trait::ATHLETE };
    let grounds = kinds.into_iter().filter_map(|kind| at.rules.ground(kind));
    let words = grounds.filter_map(|ground| {
        let level = ground.level?;
        let against = if shows_fight(at, viewer) { format!(" against {level}") } else { String::new() };
        Some(format!("{}: a check of {}{against}", ground.name, Saying(with, at)))
    });
    words.collect()
}
