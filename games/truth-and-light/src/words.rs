//! The game in words: asks, answers with what they lead to, events, cards.

use crate::{
    TruthAndLight, act,
    answer::{Answer, Control, Deal, Deed, GloryPick, GuiltPick, Prompt, UpperPick},
    boons,
    effect::{Effect, Lasts, Removal, Verb},
    event::Event,
    fiat, flow, power,
    power::Source,
    roll,
    rules::{Harm, Rules},
    scale::{self, Challenge},
    settle,
    state::{Action, Call, Lie, Live, Origin, Outcome, Pending, State},
    view::knows_number,
    vocab::*,
};
use fracas_kernel::{
    Card, Clause, Label as Name, Meter, Row, Seat, Slot, Tag as Mark, TagShape, Told, Viewer, Words,
};

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// A list of names: "Ana", "Ana and Bo", "Ana, Bo and Cy".
fn names(rules: &Rules, all: CharSet) -> String {
    let names: Vec<&str> = all.iter().map(|who| rules.name(who)).collect();
    match names.split_last() {
        None => "nobody".to_owned(),
        Some((one, [])) => (*one).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

fn target(rules: &Rules, on: Target) -> &str {
    match on {
        Target::Char(who) => rules.name(who),
        Target::Hazard(hazard) => &rules.peril(hazard).name,
        Target::Surroundings => "the surroundings",
    }
}

/// "Guilty Success 2" and the like (`degree.notation`).
fn result_words(result: Outcome) -> String {
    let end = if result.success { "Success" } else { "Failure" };
    format!("{} {end} {}", capital(result.band.word()), result.degrees)
}

/// The clause of a result.
fn result_clause(kind: Kind, result: Outcome) -> Clause {
    match (kind, result.success, result.band) {
        (Kind::Save, true, _) => clause!("save.success-innocent"),
        (Kind::Save, false, Band::Guilty) => clause!("save.fail-1-2"),
        (Kind::Save, false, _) => clause!("save.fail-3-to-6"),
        (Kind::Test, false, Band::Guilty) => clause!("outcome.guilty-failure"),
        (Kind::Test, false, Band::Innocent) => clause!("outcome.innocent-failure"),
        (Kind::Test, false, Band::Glorious) => clause!("outcome.glorious-failure"),
        (Kind::Test, true, Band::Guilty) => clause!("outcome.guilty-success"),
        (Kind::Test, true, Band::Innocent) => clause!("outcome.innocent-success"),
        (Kind::Test, true, Band::Glorious) => clause!("outcome.glorious-success"),
    }
}

const fn guilt_clause(guilt: Guilt) -> Clause {
    match guilt {
        Guilt::Fault => clause!("guilt.fault"),
        Guilt::Lose => clause!("guilt.lose"),
        Guilt::Raise => clause!("guilt.raise"),
        Guilt::Surprise => clause!("guilt.surprise"),
    }
}

const fn glory_clause(glory: Glory) -> Clause {
    match glory {
        Glory::Grant => clause!("glory.grant"),
        Glory::Control => clause!("glory.control"),
        Glory::Break => clause!("glory.break-next"),
        Glory::Spring => clause!("glory.spring"),
    }
}

fn origin_clause(origin: Origin) -> Clause {
    match origin {
        Origin::Guilt(guilt) => guilt_clause(guilt),
        Origin::Glory(glory) => glory_clause(glory),
        Origin::Upper(_) => clause!("ext.npc-glory"),
        Origin::End(_) => clause!("ext.ends"),
        Origin::Ability(_) => clause!("ability.def"),
        Origin::Boon(_) => clause!("boon.one-time"),
    }
}

fn origin(rules: &Rules, state: &State, origin: Origin) -> String {
    match origin {
        Origin::Guilt(guilt) => title(guilt.word()),
        Origin::Glory(glory) => title(glory.word()),
        Origin::Upper(upper) => title(upper.word()),
        Origin::End(end) => rules.ending(end).name.clone(),
        Origin::Ability(ability) => rules.power(ability).name.clone(),
        Origin::Boon(boon) => state.name_of(rules, boon).to_owned(),
    }
}

/// "fault-ability" as "Fault Ability".
fn title(word: &str) -> String {
    word.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

/// What an effect does, in a few words.
fn effect_words(rules: &Rules, effect: &Effect) -> String {
    let scope = &effect.scope;
    let mut words = match effect.verb {
        Verb::Ap(n) => format!("{n:+} action power"),
        Verb::Pn(n) => format!("{n:+} power number"),
        Verb::BanAbilities => return "no feats or Whispers".to_owned(),
        Verb::Attention => return "hostile attention".to_owned(),
        Verb::Condition(text) => return rules.text(text).to_owned(),
        Verb::Apart => return "near nobody".to_owned(),
        Verb::Hold => return "cannot leave".to_owned(),
        _ => return String::new(),
    };
    match scope.rolls {
        Rolls::Both => {}
        rolls => words += &format!(" on {rolls}s"),
    }
    if !scope.tags.is_empty() {
        let tags: Vec<&str> = scope.tags.iter().map(|tag| tag.word()).collect();
        words += &format!(" ({})", tags.join(", "));
    }
    if scope.ability_only {
        words += " with an ability";
    }
    words
}

const fn lasts_words(lasts: Lasts) -> &'static str {
    match lasts {
        Lasts::ThisRoll => "for this roll",
        Lasts::NextRoll => "for the next roll",
        Lasts::NextAction => "through the next action",
        Lasts::UntilAbility => "until an ability is used",
        Lasts::Scene => "for the scene",
        Lasts::NextScene => "in the next scene",
        Lasts::Until(Removal::Minor) => "until a minor action",
        Lasts::Until(Removal::Test(_) | Removal::PowerNumber) => "until a test",
        Lasts::Until(Removal::Gm) => "until the gamemaster says",
    }
}

/// Something lasting, in words.
pub(crate) fn lasting(rules: &Rules, state: &State, live: &Live) -> String {
    let times = if live.times > 1 { format!(" ({} times)", live.times) } else { String::new() };
    format!(
        "{}: {}{times} {}",
        origin(rules, state, live.from),
        effect_words(rules, &live.effect),
        lasts_words(live.effect.lasts)
    )
}

fn boon_name<'a>(rules: &'a Rules, boon: Boon, name: Option<&'a Name>) -> &'a str {
    match name {
        Some(name) => name,
        None => &rules.boons[boon.index()].name,
    }
}

/// The number to reach, as far as this viewer may know.
fn number_words(action: &Action, who: Viewer) -> String {
    if action.told || who.is_gm() { format!("{}", action.tn.reveal()) } else { "a hidden number".to_owned() }
}

/// Attribute, bonuses and penalties: "strength 4, +2 Spear".
fn power_words(rules: &Rules, state: &State, action: &Action) -> String {
    let rank = rules.sheet(action.who).ranks[action.attribute as usize];
    let mut words = format!("{} {rank}", action.attribute);
    power::modifiers(rules, state, action, &mut |source, n| {
        let from = match source {
            Source::Live(live) => origin(rules, state, live.from),
            Source::Boon(boon) | Source::Used(boon) => state.name_of(rules, boon).to_owned(),
            Source::Ability(ability) => rules.power(ability).name.clone(),
        };
        words += &format!(", {n:+} {from}");
    });
    words
}

/// What a way to spend leads to, as far as this viewer may know (`sys.intent`).
fn spend_leads(action: &Action, spend: u8, claim: bool, who: Viewer) -> String {
    let (ap, left) = roll::after(action, spend);
    let band = Band::of(left);
    if !action.told && !who.is_gm() {
        let claims = if claim { "; claims the writhing die" } else { "" };
        return format!("action power {ap} against a hidden number, Light {left}: {band}{claims}");
    }
    let result = roll::result(action, spend);
    let next = match (action.kind, result.success, result.band, claim) {
        (_, _, Band::Glorious, true) => "no second roll; a writhing die, if the gamemaster agrees",
        (Kind::Test, _, Band::Guilty, true) => "a guilt, and a writhing die, if the gamemaster agrees",
        (_, _, _, true) => "a writhing die, if the gamemaster agrees",
        (Kind::Test, _, Band::Guilty, _) => "the gamemaster picks a guilt",
        (Kind::Test, true, Band::Glorious, _) => "you pick a glory",
        (Kind::Test, false, Band::Glorious, _) => "withdraw or push on",
        (Kind::Save, true, ..) => "warded off",
        (Kind::Save, false, Band::Guilty, _) => "it comes true, and more besides",
        (Kind::Save, false, ..) => "it comes true",
        (Kind::Test, true, ..) => "it succeeds",
        (Kind::Test, false, ..) => "it fails",
    };
    format!("{}: {next}", result_words(result))
}

fn deal_words(rules: &Rules, deal: &Deal, attack: bool, of: &State) -> String {
    let mut words = if attack { "attack".to_owned() } else { "major action".to_owned() };
    if let Some(what) = &deal.what {
        words += &format!(": {}", what.as_str());
    }
    if let Some(on) = deal.on {
        words += &format!(" on {}", target(rules, on));
    }
    if let Some(end) = deal.end {
        words += &format!(", to leave them {}", rules.ending(end).name);
    }
    if let Some(ability) = deal.ability {
        words += &format!(", with {}", rules.power(ability).name);
    }
    if let Some(boon) = deal.using {
        words += &format!(", using {}", of.name_of(rules, boon));
    }
    if let Some(cause) = deal.shake {
        words += &format!(", to be rid of {}", cause_name(rules, cause));
    }
    if let Some(attribute) = deal.attribute {
        words += &format!(" with {attribute}");
    }
    words
}

fn cause_name(rules: &Rules, cause: Cause) -> &str {
    match cause {
        Cause::End(end) => &rules.ending(end).name,
        Cause::Ability(ability) => &rules.power(ability).name,
    }
}

fn deed_words(rules: &Rules, state: &State, deed: Deed) -> String {
    match deed {
        Deed::Other(name) => format!("does {}", name.as_str()),
        Deed::Recover(boon) => format!("gets {} back", state.name_of(rules, boon)),
        Deed::Ready(boon) => format!("takes {} into use", state.name_of(rules, boon)),
        Deed::Stow(boon) => format!("puts {} away", state.name_of(rules, boon)),
        Deed::Give { boon, to } => {
            format!("hands {} to {}", state.name_of(rules, boon), rules.name(to))
        }
        Deed::Shake(cause) => format!("shakes off {}", cause_name(rules, cause)),
        Deed::Go(zone) => format!("goes to {}", rules.zones[zone.index()].name),
    }
}

fn lost_words(rules: &Rules, state: &State, lost: crate::answer::Lost) -> String {
    let names: Vec<&str> = lost.iter().map(|boon| state.name_of(rules, boon)).collect();
    if names.is_empty() { "which the player picks".to_owned() } else { names.join(" and ") }
}

fn tags_words(tags: TagSet) -> String {
    if tags.is_empty() {
        return "any kind of action".to_owned();
    }
    tags.iter().map(|tag| tag.word()).collect::<Vec<_>>().join(", ")
}

fn guilt_words(rules: &Rules, state: &State, pick: GuiltPick) -> (String, &'static str) {
    match pick {
        GuiltPick::FaultAbility(ally) => (
            format!("Fault Ability on {}", rules.name(ally)),
            "-2 on their rolls and no abilities through their next action",
        ),
        GuiltPick::LoseBoons(lost) => {
            (format!("Lose Boons: {}", lost_words(rules, state, lost)), "common ones are gone for good")
        }
        GuiltPick::RaiseRisk => {
            ("Raise Risk".to_owned(), "-2 on saves and hostile attention through the next action")
        }
        GuiltPick::SufferSurprise { by, end } => (
            format!("Suffer Surprise: {} by {}", rules.ending(end).name, target(rules, by)),
            "at once, without a roll",
        ),
    }
}

fn glory_words(rules: &Rules, state: &State, pick: GloryPick) -> (String, String) {
    let amount = rules.options.break_now;
    match pick {
        GloryPick::GrantAbility(ally) => (
            format!("Grant Ability to {}", rules.name(ally)),
            "+3 on their next roll with an ability".to_owned(),
        ),
        GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once }) => (
            format!("Control Boons: improvise {}", name.as_str()),
            if once {
                "used once, for what cannot be attempted without it".to_owned()
            } else {
                format!("+2 on {rolls}s in {}, if the gamemaster agrees", tags_words(tags))
            },
        ),
        GloryPick::ControlBoons(Control::Steal(boon)) => {
            let holder = state.place(boon).holder.map_or("somebody", |who| rules.name(who));
            (format!("Control Boons: take {} from {holder}", state.name_of(rules, boon)), String::new())
        }
        GloryPick::ControlBoons(Control::Discard(boon)) => {
            let holder = state.place(boon).holder.map_or("somebody", |who| rules.name(who));
            (format!("Control Boons: rid {holder} of {}", state.name_of(rules, boon)), String::new())
        }
        GloryPick::BreakRisk(BreakMode::Next) => {
            ("Break Risk, for what comes".to_owned(), "+2 on all rolls through the next action".to_owned())
        }
        GloryPick::BreakRisk(BreakMode::Now) => {
            ("Break Risk, now".to_owned(), format!("+{amount} on this action, and so {amount} degrees"))
        }
        GloryPick::SpringSurprise { on, end } => (
            format!("Spring Surprise: {} on {}", rules.ending(end).name, target(rules, on)),
            "at once, without a roll".to_owned(),
        ),
    }
}

const fn ground_words(ground: Ground) -> &'static str {
    match ground {
        Ground::NothingFits => "none of the four is relevant here",
        Ground::FarApart => "actions are too far apart for one to weigh on the next",
    }
}

const fn fate_words(fate: Fate) -> &'static str {
    match fate {
        Fate::Good => "good fortune",
        Fate::Bad => "bad fortune",
    }
}

/// What was declared: "Ajira attacks the spy".
fn action_words(rules: &Rules, action: &Action) -> String {
    let who = rules.name(action.who);
    let mut words = match (action.kind, action.target) {
        (Kind::Test, Some(on)) if action.attack => format!("{who} attacks {}", target(rules, on)),
        (Kind::Test, Some(on)) => format!("{who} acts on {}", target(rules, on)),
        (Kind::Test, None) => format!("{who} acts"),
        (Kind::Save, Some(by)) if action.attack => format!("{who} defends against {}", target(rules, by)),
        (Kind::Save, by) => format!("{who} saves against {}", by.map_or("it", |by| target(rules, by))),
    };
    if let Some(what) = &action.what {
        words += &format!(" ({})", what.as_str());
    }
    if let Some(end) = action.end {
        words += &format!(", {}", rules.ending(end).name);
    }
    if let Some(ability) = action.ability {
        words += &format!(", with {}", rules.power(ability).name);
    }
    words
}

impl Words for TruthAndLight {
    fn ask(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> Told {
        let Some(ask) = flow::ask_at(rules, state, slot) else { return Told::default() };
        let n = |c: Char| rules.name(c);
        let action = state.action.as_ref();
        match ask.prompt {
            Prompt::Scene => Told::new("The scene is yours: give the floor, call for a roll, end the scene")
                .why(clause!("kind.gm-calls")),
            Prompt::Act => Told::new("What do you do?").why(clause!("action.major")),
            Prompt::Settle { .. } => {
                let what = action.map_or(String::new(), |action| action_words(rules, action));
                Told::new(format!("{what}: which attribute, and against which number?"))
                    .why(clause!("tn.gm-sets"))
            }
            Prompt::Terms { who: all, by } => Told::new(format!(
                "{} must save against {}: with what, and against which number?",
                names(rules, all),
                target(rules, by)
            ))
            .why(clause!("save.def")),
            Prompt::Ready(c) => {
                let number = action.map_or(String::new(), |action| number_words(action, who));
                Told::new(format!("{} is about to roll against {number}: what goes into it?", n(c)))
                    .why(clause!("writhing.spend"))
            }
            Prompt::Misfortune(c) => {
                Told::new(format!("{} holds bad fortune: is it played on this save?", n(c)))
                    .why(clause!("fortune.bad-use"))
            }
            Prompt::Spend(c) => {
                let (truth, light) = action.map_or((0, 0), |action| (action.throw.truth, action.throw.light));
                let power = action.map_or(0, |action| action.power);
                let number = action.map_or(String::new(), |action| number_words(action, who));
                let die = match action.map_or(0, |action| action.throw.writhe) {
                    0 => String::new(),
                    face => format!(", writhing die {face}"),
                };
                Told::new(format!(
                    "{}: Truth {truth}, Light {light}{die}, {power:+} against {number}. How much Light do you spend?",
                    n(c)
                ))
                .why(clause!("spend.choice"))
            }
            Prompt::Reason(c) => Told::new(format!(
                "{} fails on purpose, on account of this writhing: {}. Is the reason good enough?",
                n(c),
                rules.sheet(c).writhing
            ))
            .why(clause!("writhing.gm-approves")),
            Prompt::Push(c) => Told::new(format!("{} fails gloriously: withdraw, or push on?", n(c)))
                .why(clause!("push.offer")),
            Prompt::Guilt(c) => {
                Told::new(format!("{} is guilty: which guilt?", n(c))).why(clause!("guilt.gm-picks"))
            }
            Prompt::Take(c) => Told::new(format!("{}: bad fortune in place of a guilt?", n(c)))
                .why(clause!("fortune.who-takes")),
            Prompt::Lose(c) => {
                Told::new(format!("{}: which boons do you lose?", n(c))).why(clause!("guilt.lose-which"))
            }
            Prompt::Glory(c) => Told::new(format!("{} succeeds gloriously: which glory?", n(c)))
                .why(clause!("glory.player-picks")),
            Prompt::Allow(c) => {
                let (what, clause) = match action.map_or(Pending::Nothing, |action| action.pending) {
                    Pending::Improvised(name, serves) => (
                        format!(
                            "{} improvises {} ({}s in {}): is it possible?",
                            n(c),
                            name.as_str(),
                            serves.rolls,
                            tags_words(serves.tags)
                        ),
                        clause!("improvise-limit"),
                    ),
                    Pending::Stolen(boon) => (
                        format!("{} takes {}: can that be taken?", n(c), state.name_of(rules, boon)),
                        clause!("control-target"),
                    ),
                    Pending::Fortune(ground) => (
                        format!(
                            "{} asks for good fortune, since {}: is that so?",
                            n(c),
                            ground_words(ground)
                        ),
                        clause!("fortune.condition"),
                    ),
                    Pending::Nothing => {
                        (format!("{}: is that possible?", n(c)), clause!("glory.control-which"))
                    }
                };
                Told::new(what).why(clause)
            }
            Prompt::Upper { on, by } => Told::new(format!(
                "{} failed a save guiltily: what does {} gain?",
                n(on),
                by.map_or("the danger", n)
            ))
            .why(clause!("save.guilty-means")),
        }
    }

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        let n = |c: Char| rules.name(c);
        let prompt = flow::ask_at(rules, state, slot).map(|ask| ask.prompt);
        let action = state.action.as_ref();
        match *answer {
            Answer::Floor(c) => Told::new(format!("{} has the floor", n(c))),
            Answer::Test { who: c, on } => {
                let on = on.map_or(String::new(), |on| format!(" on {}", target(rules, on)));
                Told::new(format!("call for a test of {}{on}", n(c))).why(clause!("test.def"))
            }
            Answer::Save { on, by } => {
                Told::new(format!("{} must save against {}", names(rules, on), target(rules, by)))
                    .why(clause!("save.def"))
            }
            Answer::Assault { by, on } => {
                Told::new(format!("{} attacks {}", n(by), n(on))).why(clause!("action.attack-npc"))
            }
            Answer::Conflict(conflict) => Told::new(format!("a {conflict} conflict scene begins")),
            Answer::Peace => Told::new("the conflict scene ends"),
            Answer::NextRound => Told::new("the round ends"),
            Answer::NextScene => Told::new("the next scene begins")
                .leads("what lasts for the scene ends, fortunes taken become playable"),
            Answer::Close => Told::new("the table closes"),
            Answer::Place { who: c, zone } => {
                Told::new(format!("{} is in {} now", n(c), rules.zones[zone.index()].name))
            }
            Answer::Notice(c) => Told::new(format!("{} notices", n(c))),
            Answer::Hostile { who: c, hostile: true } => Told::new(format!("{} turns hostile", n(c))),
            Answer::Hostile { who: c, .. } => Told::new(format!("{} is hostile no longer", n(c))),
            Answer::Major(deal) => {
                let told = Told::new(format!("{}: {}", n(deal.who), deal_words(rules, &deal, false, state)))
                    .leads("the gamemaster settles what it takes")
                    .why(clause!("action.major"));
                if deal.what.is_some() { told.free("/major/what") } else { told }
            }
            Answer::Attack(deal) => {
                let number = match deal.on {
                    Some(Target::Char(npc)) if !rules.is_pc(npc) && knows_number(rules, state, npc, who) => {
                        let tags = state.conflict.map_or(TagSet::NONE, |it| TagSet::one(it.tag()));
                        format!("against {}", power::number(rules, state, npc, Kind::Test, tags))
                    }
                    _ => String::new(),
                };
                Told::new(format!("{}: {}", n(deal.who), deal_words(rules, &deal, true, state)))
                    .leads(number)
                    .why(clause!("action.attack"))
            }
            Answer::Minor { who: c, deed } => {
                let told = Told::new(format!("{} {}", n(c), deed_words(rules, state, deed)))
                    .leads("no roll: it just happens")
                    .why(clause!("action.minor"));
                if matches!(deed, Deed::Other(_)) { told.free("/minor/deed/other") } else { told }
            }
            Answer::Done(c) => Told::new(format!("{} is done", n(c))),
            Answer::Settle { label: Label::Minor, .. } => {
                let save = matches!(prompt, Some(Prompt::Terms { .. }));
                let leads = if save { "it is nothing to them" } else { "it just happens" };
                Told::new("it takes no roll").leads(leads).why(clause!("tn.mundane"))
            }
            Answer::Settle { reach, attribute, tn, tags, .. } => {
                let Some(action) = action else { return Told::new("agreed") };
                let attribute = attribute.unwrap_or(action.attribute);
                let reach = reach.unwrap_or(action.reach);
                let tags = tags.unwrap_or(action.tags);
                let given = act::given_number(rules, state, action, reach, tags);
                let number = tn.or(given).unwrap_or(0);
                let rank = rules.sheet(action.who).ranks[attribute as usize];
                Told::new(format!("{reach} {attribute} test against {number}"))
                    .leads(format!("{attribute} {rank}"))
                    .why(clause!("attr.gm-names"))
            }
            Answer::Conversation => {
                Told::new("they talk it out").leads("no dice").why(clause!("pc-vs-pc-ruling"))
            }
            Answer::Refuse if matches!(prompt, Some(Prompt::Terms { .. })) => {
                Told::new("take it back").leads("nobody has to save")
            }
            Answer::Refuse => Told::new("it cannot be done so").leads("something else is declared"),
            Answer::Terms { attribute, tn, end, .. } => {
                let Some(action) = action else { return Told::new("a save") };
                let end = end.or_else(|| settle::hazard_end(rules, action));
                let trial = Action { end, ..*action };
                let attribute = attribute.unwrap_or_else(|| act::usual(rules, state, &trial));
                let own = match action.target {
                    Some(Target::Char(npc)) if !rules.is_pc(npc) => {
                        Some(power::number(rules, state, npc, Kind::Save, act::tags(rules, state, &trial)))
                    }
                    Some(Target::Hazard(hazard)) => Some(rules.peril(hazard).tn as i8),
                    _ => None,
                };
                let number = tn.or(own).unwrap_or(0);
                let what = end.map_or("told in words".to_owned(), |end| rules.ending(end).name.clone());
                Told::new(format!("{attribute} save against {number}"))
                    .leads(format!("a failure: {what}"))
                    .why(clause!("attr.saves-lesser"))
            }
            Answer::Ready { die, ability, using } => {
                let mut parts = Vec::new();
                if die {
                    parts.push("the writhing die".to_owned());
                }
                parts.extend(ability.map(|ability| rules.power(ability).name.clone()));
                parts.extend(using.map(|boon| state.name_of(rules, boon).to_owned()));
                if parts.is_empty() {
                    parts.push("nothing more".to_owned());
                }
                let leads = action.map_or(String::new(), |action| {
                    let trial = Action {
                        ability: action.ability.or(ability),
                        using: action.using.or(using),
                        tags: ability.map_or(action.tags, |a| action.tags.or(rules.power(a).tags)),
                        ..*action
                    };
                    let trial = Action { ability_used: power::uses_ability(rules, state, &trial), ..trial };
                    power_words(rules, state, &trial)
                });
                Told::new(format!("into the roll: {}", parts.join(", "))).leads(leads)
            }
            Answer::BadFortune => {
                Told::new("play bad fortune").leads("Light is rolled again").why(clause!("fortune.bad-use"))
            }
            Answer::GoodFortune => {
                Told::new("play good fortune").leads("Light is rolled again").why(clause!("fortune.good-use"))
            }
            Answer::Reroll => Told::new("roll Light again, by what is used").leads("Light is rolled again"),
            Answer::Pass => Told::new("let it be"),
            Answer::Spend(spend) => {
                let leads = action.map_or(String::new(), |a| spend_leads(a, spend.max(0) as u8, false, who));
                Told::new(format!("spend {spend}")).leads(leads).why(clause!("spend.choice"))
            }
            Answer::Claim { spend, ref reason } => {
                let leads = action.map_or(String::new(), |a| spend_leads(a, spend.max(0) as u8, true, who));
                let why = reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.as_str()));
                let told = Told::new(format!("spend {spend} and fail on account of the writhing{why}"))
                    .leads(leads)
                    .why(clause!("writhing.claim"));
                if reason.is_some() { told.free("/claim/reason") } else { told }
            }
            Answer::PushOn => Told::new("push on")
                .leads("a second roll: guilty if it fails, glorious if it succeeds, and two degrees more")
                .why(clause!("push.redo")),
            Answer::Withdraw => {
                let result = action.map(|action| Outcome { band: Band::Innocent, ..action.result });
                Told::new("withdraw")
                    .leads(result.map_or(String::new(), result_words))
                    .why(clause!("push.withdraw"))
            }
            Answer::Guilt(pick) => {
                let (text, leads) = guilt_words(rules, state, pick);
                Told::new(text).leads(leads).why(guilt_clause(pick.guilt()))
            }
            Answer::Glory(pick) => {
                let (text, leads) = glory_words(rules, state, pick);
                let told = Told::new(text).leads(leads).why(glory_clause(pick.glory()));
                match pick {
                    GloryPick::ControlBoons(Control::Improvise { .. }) => {
                        told.free("/glory/control-boons/improvise/name")
                    }
                    _ => told,
                }
            }
            Answer::Fortune(ground) => {
                let fate = if matches!(prompt, Some(Prompt::Guilt(_))) { Fate::Bad } else { Fate::Good };
                let leads = match (fate, ground) {
                    (Fate::Bad, Ground::NothingFits) => "bad fortune, without asking",
                    (Fate::Bad, Ground::FarApart) => "the player takes bad fortune, or a guilt",
                    (Fate::Good, _) => "the gamemaster says whether that is so",
                };
                Told::new(format!("{}: {}", fate_words(fate), ground_words(ground)))
                    .leads(leads)
                    .why(clause!("fortune.condition"))
            }
            Answer::Lose(lost) => Told::new(format!("lose {}", lost_words(rules, state, lost))),
            Answer::Upper(pick) => {
                let (text, leads) = match pick {
                    UpperPick::Press => ("press".to_owned(), "+2 power number through its next action"),
                    UpperPick::Seize(boon) => {
                        (format!("seize {}", state.name_of(rules, boon)), "the boon is lost")
                    }
                    UpperPick::Surprise(end) => {
                        (format!("surprise: {}", rules.ending(end).name), "one more end, without a roll")
                    }
                    UpperPick::Rally(other) => {
                        (format!("rally {}", n(other)), "+2 power number on their next action")
                    }
                    UpperPick::Overwhelm => ("overwhelm".to_owned(), "four degrees more"),
                };
                Told::new(text).leads(leads).why(clause!("ext.npc-glory"))
            }
            Answer::Yes => Told::new(match prompt {
                Some(Prompt::Reason(_)) => "the reason is good enough",
                Some(Prompt::Take(_)) => "take bad fortune",
                Some(Prompt::Allow(_)) => "allowed",
                _ => "yes",
            }),
            Answer::No => Told::new(match prompt {
                Some(Prompt::Reason(_)) => "it is not: spending is decided anew",
                Some(Prompt::Take(_)) => "rather a guilt",
                Some(Prompt::Allow(_)) => "no: something else is picked",
                _ => "no",
            }),
        }
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        let n = |c: Char| rules.name(c);
        let told = match *event {
            Event::Round(round) => {
                Told { opens: true, ..Told::new(format!("Round {round}.")).why(clause!("ext.turns")) }
            }
            Event::Scene(scene) => {
                Told { opens: true, ..Told::new(format!("Scene {scene}.")).why(clause!("ext.scene-place")) }
            }
            Event::Conflict(conflict) => Told {
                opens: true,
                ..Told::new(format!("A {conflict} conflict scene begins.")).why(clause!("ext.turns"))
            },
            Event::Peace { decided: true } => {
                Told::new("One side is out: the conflict is over.").why(clause!("ext.harm"))
            }
            Event::Peace { .. } => Told::new("The conflict scene ends.").why(clause!("ext.turns")),
            Event::Floor(c) => Told {
                opens: true,
                ..Told::new(format!("{} has the floor.", n(c))).why(clause!("ext.turns"))
            },
            Event::GmCall => Told::new("The gamemaster has the floor.").why(clause!("ext.turns")),
            Event::PlayersCall(Some(c)) => {
                Told::new(format!("The floor goes to the players, {} last.", n(c))).why(clause!("ext.turns"))
            }
            Event::PlayersCall(None) => Told::new("The floor goes to the players.").why(clause!("ext.turns")),
            Event::Done(c) => Told::new(format!("{} is done.", n(c))).why(clause!("ext.turns")),
            Event::Declared { who: c, on, attack, end, ability, what } => {
                let deal = Deal { on, end, ability, what, ..Deal::by(c) };
                let clause = if attack { clause!("action.attack-pc") } else { clause!("action.major") };
                let words = deal_words(rules, &deal, attack, state);
                Told { opens: true, ..Told::new(format!("{}: {words}.", n(c))).why(clause) }
            }
            Event::Called { who: c, on } => {
                let on = on.map_or(String::new(), |on| format!(" on {}", target(rules, on)));
                Told {
                    opens: true,
                    ..Told::new(format!("{} must test{on}.", n(c))).why(clause!("kind.gm-calls"))
                }
            }
            Event::Threatened { who: all, by, attack } => {
                let (verb, clause) = if attack {
                    ("attacks", clause!("action.attack-npc"))
                } else {
                    ("endangers", clause!("save.def"))
                };
                let words = format!("{} {verb} {}.", capital(target(rules, by)), names(rules, all));
                Told { opens: true, ..Told::new(words).why(clause) }
            }
            Event::Settled { who: c, kind, attribute, tn, from, hidden } => {
                let (number, clause) = match from {
                    _ if hidden && !who.is_gm() => ("a hidden number".to_owned(), clause!("tn-hidden")),
                    Some(npc) => {
                        (format!("{tn}, the power number of {}", n(npc)), clause!("tn.power-number"))
                    }
                    None => {
                        let challenge = Challenge::of(tn);
                        let (words, clause) = challenge.words();
                        let like = challenge.like(attribute).filter(|_| kind == Kind::Test);
                        let like = like.map_or(String::new(), |(like, _)| format!(", like {like}"));
                        (format!("{tn} ({words}{like})"), clause)
                    }
                };
                Told::new(format!("{}: {attribute} {kind} against {number}.", n(c))).why(clause)
            }
            Event::Happened { who: c, attribute, what } => {
                let what = what.as_ref().map_or(String::new(), |what| format!(" ({})", what.as_str()));
                let like = Challenge::Mundane.like(attribute);
                let like = like.map_or(String::new(), |(like, _)| format!(", like {like}"));
                Told::new(format!("It takes no roll{like}: what {} does{what} just happens.", n(c)))
                    .why(clause!("tn.mundane"))
            }
            Event::Spared { who: all, by } => {
                let words =
                    format!("It takes no roll: {} is nothing to {}.", target(rules, by), names(rules, all));
                Told::new(words).why(clause!("tn.mundane"))
            }
            Event::TakenBack { who: all, by } => {
                let words =
                    format!("After all {} need not save against {}.", names(rules, all), target(rules, by));
                Told::new(words).why(clause!("kind.gm-calls"))
            }
            Event::Conversation { who: c, on } => {
                Told::new(format!("{} and {} talk it out.", n(c), n(on))).why(clause!("pc-vs-pc-ruling"))
            }
            Event::Refused(c) => Told::new(format!("It cannot be done so: {} does something else.", n(c)))
                .why(clause!("tn.gm-sets")),
            Event::Minor { who: c, deed } => {
                Told::new(format!("{} {}.", n(c), deed_words(rules, state, deed)))
                    .why(clause!("action.minor"))
            }
            Event::DieSpent(c) => Told::new(format!("{} puts the writhing die into the roll.", n(c)))
                .why(clause!("writhing.spend")),
            Event::Ability { who: c, ability } => {
                Told::new(format!("{} uses {}.", n(c), rules.power(ability).name)).why(clause!("ability.use"))
            }
            Event::Used { who: c, boon, ref name } => {
                Told::new(format!("{} uses {}.", n(c), boon_name(rules, boon, name.as_ref())))
                    .why(clause!("boon.one-time"))
            }
            Event::Rolled { who: c, truth, light, writhe } => {
                let die = if writhe > 0 { format!(", writhing die {writhe}") } else { String::new() };
                Told::new(format!("{} rolls Truth {truth}, Light {light}{die}.", n(c)))
                    .why(clause!("roll.first-values"))
            }
            Event::Rerolled { who: c, light } => {
                Told::new(format!("{} rolls Light again: {light}.", n(c))).why(clause!("fortune.reroll"))
            }
            Event::Played { who: c, fate } => {
                let clause =
                    if fate == Fate::Good { clause!("fortune.good-use") } else { clause!("fortune.bad-use") };
                Told::new(format!("{} is played on the roll of {}.", capital(fate_words(fate)), n(c)))
                    .why(clause)
            }
            Event::Spent { who: c, light, truth, left } => {
                Told::new(format!("{} spends {light}: final Truth {truth}, final Light {left}.", n(c)))
                    .why(clause!("spend.final-values"))
            }
            Event::Claimed { who: c, reason } => {
                let why = reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.as_str()));
                Told::new(format!("{} would fail on account of the writhing{why}.", n(c)))
                    .why(clause!("writhing.claim"))
            }
            Event::Unfounded(c) => Told::new(format!("The reason is not enough: {} decides anew.", n(c)))
                .why(clause!("writhing-refused")),
            Event::DieGained(c) => {
                Told::new(format!("{} gains a writhing die.", n(c))).why(clause!("writhing.gain"))
            }
            Event::Void(c) => Told::new(format!("{} could not have done better on purpose: no die.", n(c)))
                .why(clause!("writhing.claim-reachable")),
            Event::Result { who: c, kind, result, ap, tn } => {
                Told::new(format!("{}: action power {ap} against {tn}, {}.", n(c), result_words(result)))
                    .why(result_clause(kind, result))
            }
            Event::PushedOn(c) => Told::new(format!("{} pushes on.", n(c))).why(clause!("push.redo")),
            Event::Withdrew { who: c, result } => {
                Told::new(format!("{} withdraws: {}.", n(c), result_words(result)))
                    .why(clause!("push.withdraw"))
            }
            Event::Guilt { who: c, guilt, by } => {
                let own = own_words(rules, by, guilt as usize);
                Told::new(format!("{} suffers a guilt: {}.{own}", n(c), title(guilt.word())))
                    .why(guilt_clause(guilt))
            }
            Event::Glory { who: c, glory, by } => {
                let own = own_words(rules, by, Guilt::ALL.len() + glory as usize);
                Told::new(format!("{} earns a glory: {}.{own}", n(c), title(glory.word())))
                    .why(glory_clause(glory))
            }
            Event::Degrees { who: c, result, kind } => {
                let clause = match kind {
                    Kind::Test => clause!("glory.break-now"),
                    Kind::Save => clause!("ext.npc-glory"),
                };
                Told::new(format!("That makes it {} for {}.", result_words(result), n(c))).why(clause)
            }
            Event::Offered { who: c, fate, ground } => Told::new(format!(
                "{} may stand in for {}: {}.",
                capital(fate_words(fate)),
                n(c),
                ground_words(ground)
            ))
            .why(clause!("fortune.condition")),
            Event::Fortune { who: c, fate } => {
                Told::new(format!("{} takes {}.", n(c), fate_words(fate))).why(clause!("fortune.replaces"))
            }
            Event::Unfortunate(c) => {
                Told::new(format!("No fortune for {}.", n(c))).why(clause!("fortune.who-takes"))
            }
            Event::Disallowed(c) => {
                Told::new(format!("That is not possible: {} picks something else.", n(c)))
                    .why(clause!("improvise-limit"))
            }
            Event::Upper { on, by, upper } => Told::new(format!(
                "{} gains by the failure of {}: {}.",
                capital(by.map_or("the danger", n)),
                n(on),
                upper
            ))
            .why(clause!("save.guilty-means")),
            Event::Lasting(live) => Told::new(format!("{}: {}.", n(live.on), lasting(rules, state, &live)))
                .why(origin_clause(live.from)),
            Event::Over(live) => {
                let from = origin(rules, state, live.from);
                Told::new(format!("{} is over for {}.", from, n(live.on))).why(clause!("dur.start"))
            }
            Event::Lost { who: c, boon, better, ref name } => {
                let boon = boon_name(rules, boon, name.as_ref());
                let fate = if better { ", and can get it back" } else { "" };
                Told::new(format!("{} loses {boon}{fate}.", n(c))).why(clause!("guilt.lose-fate"))
            }
            Event::Gained { who: c, boon, ref name } => {
                Told::new(format!("{} has {} now.", n(c), boon_name(rules, boon, name.as_ref())))
                    .why(clause!("boon.def"))
            }
            Event::Moved { from, to, boon, ref name } => {
                let boon = boon_name(rules, boon, name.as_ref());
                Told::new(format!("{boon} goes from {} to {}.", n(from), n(to)))
                    .why(clause!("glory.control-steal"))
            }
            Event::NoRoom(c) => {
                Told::new(format!("There is no more to be had for {}.", n(c))).why(clause!("improvise-limit"))
            }
            Event::End { on, by, end } => {
                let by = by.map_or(String::new(), |by| format!(", by {}", target(rules, by)));
                Told::new(format!("{}: {}{by}.", capital(target(rules, on)), rules.ending(end).name))
                    .why(clause!("ext.ends"))
            }
            Event::Harmed { who: c, track, amount, gone } => {
                let rest = if gone { ", and has nothing left" } else { "" };
                let track = &rules.tracks[track.index()].name;
                Told::new(format!("{} loses {amount} {track}{rest}.", n(c))).why(clause!("ext.harm"))
            }
            Event::Healed { who: c, track, amount } => {
                let track = &rules.tracks[track.index()].name;
                Told::new(format!("{} gets {amount} {track} back.", n(c))).why(clause!("ext.harm"))
            }
            Event::Out(c) => Told::new(format!("{} is out of the conflict.", n(c))).why(clause!("ext.harm")),
            Event::Extra { who: c, label, count } => {
                Told::new(format!("{} has {count} {label} more.", n(c))).why(clause!("ext.effects"))
            }
            Event::Told { who: c, text } => {
                Told::new(format!("{}: {}", n(c), rules.text(text))).why(clause!("ext.effects"))
            }
            Event::Placed { who: c, zone } => {
                Told::new(format!("{} is in {} now.", n(c), rules.zones[zone.index()].name))
                    .why(clause!("ext.scene-place"))
            }
            Event::Noticed(c) => Told::new(format!("{} notices.", n(c))).why(clause!("tn-tailing-spy")),
            Event::Hostile { who: c, hostile } => {
                let now = if hostile { "turns hostile" } else { "is hostile no longer" };
                Told::new(format!("{} {now}.", n(c))).why(clause!("attention"))
            }
            Event::Closed => Told::new("The table closes.").why(clause!("ext.scene-place")),
            Event::Joined(c) => Told::new(format!("{} joins.", n(c))).why(clause!("ext.character")),
            Event::Ruled(c) => {
                Told::new(format!("The gamemaster rules on {}.", n(c))).why(clause!("roll.when"))
            }
            Event::RuledTable => Told::new("The gamemaster rules on the table.").why(clause!("roll.when")),
        };
        Some(told)
    }

    fn roll_told(rules: &Rules, state: &State, who: Viewer) -> Told {
        let Some(action) = &state.action else { return Told::default() };
        let number = number_words(action, who);
        let dice = match roll::dice(action) {
            1 => "Light again",
            2 => "Truth, then Light",
            _ => "Truth, Light, then the writhing die",
        };
        let words = action_words(rules, action);
        Told::new(format!("{words}: {} {:+} against {number} ({dice})", action.attribute, action.power))
            .why(clause!("roll.two-dice"))
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        let all = rules.everybody().filter(|&c| !state.being(c).away);
        std::iter::once(scene_card(rules, state, who))
            .chain(briefing_card(rules).filter(|_| who.is_gm()))
            .chain(all.map(|c| card(rules, state, c, who)))
            .collect()
    }

    fn kind(prompt: &Prompt) -> &'static str {
        match prompt {
            Prompt::Scene => "scene",
            Prompt::Act => "act",
            Prompt::Settle { .. } => "settle",
            Prompt::Terms { .. } => "terms",
            Prompt::Ready(_) => "ready",
            Prompt::Misfortune(_) => "misfortune",
            Prompt::Spend(_) => "spend",
            Prompt::Reason(_) => "reason",
            Prompt::Push(_) => "push",
            Prompt::Guilt(_) => "guilt",
            Prompt::Take(_) => "take",
            Prompt::Lose(_) => "lose",
            Prompt::Glory(_) => "glory",
            Prompt::Allow(_) => "allow",
            Prompt::Upper { .. } => "upper",
        }
    }

    fn kinds() -> &'static [&'static str] {
        &[
            "scene",
            "act",
            "settle",
            "terms",
            "ready",
            "misfortune",
            "spend",
            "reason",
            "push",
            "guilt",
            "take",
            "lose",
            "glory",
            "allow",
            "upper",
        ]
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[
            (r#""agree""#, "settles actions as they were declared, where a number is given"),
            (r#""approve""#, "finds every reason for a writhing good enough"),
            (r#""allow""#, "allows what players pick"),
            (r#""mercy""#, "never plays bad fortune"),
            (r#""plain""#, "never puts anything more into a roll"),
            (r#""withdraw""#, "never pushes on"),
        ]
    }
}

/// A Whisper's own words for a guilt or a glory.
fn own_words(rules: &Rules, by: Option<Ability>, at: usize) -> String {
    let text = by.and_then(|ability| rules.power(ability).words.get(at).copied().flatten());
    text.map_or(String::new(), |text| format!(" {}", rules.text(text)))
}

fn row(label: &str, value: impl Into<String>) -> Row {
    Row { label: label.to_owned(), value: value.into() }
}

fn scene_card(rules: &Rules, state: &State, who: Viewer) -> Card {
    let floor = match state.call {
        Call::Open => "open".to_owned(),
        Call::One(one) => rules.name(one).to_owned(),
        Call::First | Call::Players(_) => "the players".to_owned(),
        Call::Gm => "the gamemaster".to_owned(),
    };
    let mut rows = vec![row("floor", floor)];
    let hazards: Vec<&str> = state.hazards.iter().map(|hazard| rules.peril(hazard).name.as_str()).collect();
    if !hazards.is_empty() {
        rows.push(row("hazards", hazards.join(", ")));
    }
    if rules.zones.len() > 1 {
        for zone in rules.all_zones() {
            let there: CharSet =
                rules.everybody().filter(|&c| !state.being(c).away && state.being(c).zone == zone).collect();
            rows.push(row(&rules.zones[zone.index()].name, names(rules, there)));
        }
    }
    if let Some(action) = &state.action {
        rows.push(row("under way", action_words(rules, action)));
        if matches!(action.step, crate::state::Step::Spend | crate::state::Step::Dice) {
            rows.push(row("against", number_words(action, who)));
        }
    }
    let conflict = state.conflict.map(|conflict| Mark {
        text: format!("{conflict} conflict, round {}", state.round),
        shape: TagShape::Plain,
        clause: Some(clause!("ext.turns")),
    });
    Card {
        title: rules.title.clone(),
        note: format!("scene {}", state.scene),
        group: "scene".to_owned(),
        tags: conflict.into_iter().collect(),
        rows,
        ..Card::default()
    }
}

/// What the encounter tells the gamemaster.
fn briefing_card(rules: &Rules) -> Option<Card> {
    let paragraph = |(at, text): (usize, &String)| row(&(at + 1).to_string(), text.as_str());
    (!rules.briefing.is_empty()).then(|| Card {
        id: "briefing".to_owned(),
        title: "Briefing".to_owned(),
        note: "for the gamemaster (look briefing)".to_owned(),
        group: "gamemaster".to_owned(),
        rows: rules.briefing.iter().enumerate().map(paragraph).collect(),
        ..Card::default()
    })
}

fn card(rules: &Rules, state: &State, c: Char, who: Viewer) -> Card {
    let (sheet, being) = (rules.sheet(c), state.being(c));
    let pc = rules.is_pc(c);
    let knows = pc || knows_number(rules, state, c, who);
    let mut card = Card {
        id: sheet.slug.clone(),
        title: sheet.name.clone(),
        group: if pc { "your side" } else { "theirs" }.to_owned(),
        note: match (pc, knows) {
            (true, _) => match sheet.seat {
                Seat::Player(at) => rules.players.get(usize::from(at)).cloned().unwrap_or_default(),
                _ => String::new(),
            },
            (false, true) => format!("power number {}", boons::power_number(rules, state, c)),
            (false, false) => "power number hidden".to_owned(),
        },
        ..Card::default()
    };
    if rules.harm == Harm::Tracks {
        for track in rules.all_tracks().filter(|track| sheet.tracks[track.index()] > 0) {
            let (size, left) = (sheet.tracks[track.index()], being.tracks[track.index()]);
            let name = &rules.tracks[track.index()].name;
            if knows {
                card.meters.push(Meter {
                    label: name.clone(),
                    value: u32::from(left),
                    most: u32::from(size),
                    alarm: None,
                });
            } else if left < size {
                card.rows.push(row(name, format!("{} lost", size - left)));
            }
        }
    }
    let mut tag = |on: bool, text: &str, shape: TagShape, clause: Clause| {
        if on {
            card.tags.push(Mark { text: text.to_owned(), shape, clause: Some(clause) });
        }
    };
    tag(being.out, "out", TagShape::Lasting, clause!("ext.harm"));
    tag(!pc && being.hostile, "hostile", TagShape::Plain, clause!("attention"));
    tag(being.unaware, "unaware", TagShape::Passing, clause!("tn-tailing-spy"));
    tag(being.die.held, "writhing die", TagShape::Passing, clause!("writhing.spend"));
    for (fate, fortunes) in [(Fate::Good, being.good), (Fate::Bad, being.bad)] {
        let clause =
            if fate == Fate::Good { clause!("fortune.good-use") } else { clause!("fortune.bad-use") };
        tag(fortunes.now > 0, &format!("{} ({})", fate_words(fate), fortunes.now), TagShape::Passing, clause);
        let next = format!("{} next scene ({})", fate_words(fate), fortunes.next);
        tag(fortunes.next > 0, &next, TagShape::Lasting, clause!("fortune.next-scene"));
    }
    for live in state.live.iter().filter(|live| live.on == c) {
        card.tags.push(Mark {
            text: lasting(rules, state, live),
            shape: TagShape::Passing,
            clause: Some(origin_clause(live.from)),
        });
    }
    if pc {
        for attribute in Attribute::ALL {
            let rank = sheet.ranks[*attribute as usize];
            card.rows.push(row(attribute.word(), format!("{rank} ({})", scale::rank(rank).0)));
            if rank > 4 {
                card.tags.push(Mark {
                    text: format!("{attribute} {rank}: above 4"),
                    shape: TagShape::Plain,
                    clause: Some(clause!("ext.character")),
                });
            }
        }
        card.rows.push(row("writhing", sheet.writhing.as_str()));
        let known: Vec<&str> =
            rules.abilities_of(c).map(|ability| rules.power(ability).name.as_str()).collect();
        if !known.is_empty() {
            card.rows.push(row("abilities", known.join(", ")));
        }
        if let Some(last) = being.last {
            card.rows.push(row("last glory", title(last.word())));
        }
    }
    for (label, lie) in [("in use", Lie::InUse), ("kept", Lie::Kept), ("lost", Lie::Lost)] {
        let has = |(_, place): &(usize, &crate::state::Place)| place.holder == Some(c) && place.lie == lie;
        let all: Vec<&str> = state
            .boons
            .iter()
            .enumerate()
            .filter(has)
            .map(|(at, _)| state.name_of(rules, Boon(at as u8)))
            .collect();
        if !all.is_empty() {
            card.rows.push(row(label, all.join(", ")));
        }
    }
    if who.is_gm() && !sheet.secret.is_empty() {
        card.rows.push(row("secret", sheet.secret.as_str()));
    }
    card
}
