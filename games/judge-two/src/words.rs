//! The game in words: asks, answers with what they lead to, events, cards.

use crate::answer::{Answer, Blow, Deed, Prompt};
use crate::event::{Event, RollKind, finisher_clause, roll_clause};
use crate::promise::{Attack, Effect, Promise, promise};
use crate::state::{Arms, Disguise, Fate, Frame, Lie, Poise, Save, State, Test, is_guilty};
use crate::view::{bound_with, is_hidden, knows_pl, omen_words, shows_ability, shows_item};
use crate::{
    At, JudgeTwo, arms, attack, board, burden, disguise, fiat, flow, forms, parts, prestige, questions, risk,
    rules::Rules, save, stage, test, turn, vocab::*,
};
use fracas_kernel::{
    Asking, Board, Came, Card, Cell, Clause, Ending, Fallen, Laid, Meter, Odds, Part, Question, Row, Seat,
    SheetPart, Slot, Stage, Tag, TagShape, Told, Values, Viewer, Words, form,
};

/// A list of names: "Ana", "Ana and Bo", "Ana, Bo and Cy".
pub(crate) fn names(rules: &Rules, all: CharSet) -> String {
    let names: Vec<&str> = all.iter().map(|who| rules.name(who)).collect();
    match names.split_last() {
        None => "nobody".to_owned(),
        Some((one, [])) => (*one).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

pub(crate) fn name(rules: &Rules, who: Option<Char>) -> &str {
    who.map_or("the danger", |who| rules.name(who))
}

pub(crate) fn verb<'w>(all: CharSet, one: &'w str, many: &'w str) -> &'w str {
    if all.len() == 1 { one } else { many }
}

pub(crate) fn blow_words(rules: &Rules, blow: Blow) -> String {
    match blow.item {
        Some(Prize::Thing(item)) => format!("{} ({})", blow.threat, rules.gear(item).name),
        Some(Prize::Composure) => format!("{} (composure)", blow.threat),
        None if blow.dislodge => format!("{}, knocking them off", blow.threat),
        None => blow.threat.to_string(),
    }
}

pub(crate) fn deed_words(rules: &Rules, deed: Deed) -> String {
    let thing = |item| rules.gear(item).name.as_str();
    match deed {
        Deed::Other => "does something small".to_owned(),
        Deed::Ready(item) => format!("readies {}", thing(item)),
        Deed::ReadyBoth(a, b) => format!("readies {} and {}", thing(a), thing(b)),
        Deed::Stow(item) => format!("puts {} away", thing(item)),
        Deed::Recover(item) => format!("recovers {}", thing(item)),
        Deed::Take(item) => format!("takes {}", thing(item)),
        Deed::Switch(old, new) => format!("puts {} away for {}", thing(old), thing(new)),
        Deed::Discard(item) => format!("discards {}", thing(item)),
        Deed::Compose => "regains composure".to_owned(),
        Deed::Mount(item) => format!("mounts {}", thing(item)),
        Deed::Dismount => "dismounts".to_owned(),
        Deed::Unmask => "drops the disguise".to_owned(),
        Deed::Request(of) => format!("asks {} for something", rules.name(of)),
    }
}

/// A signed degree: "+1", "-2" (`degree.notation`).
pub(crate) fn signed(degree: i8) -> String {
    format!("{degree:+}")
}

/// "innocent success +0" and the like (`outcome.four`).
pub(crate) fn result_words(degree: i8, truth: u8) -> String {
    let guilt = if is_guilty(truth) { "guilty" } else { "innocent" };
    let end = if degree >= 0 { "success" } else { "failure" };
    format!("{guilt} {end} {}", signed(degree))
}

/// What a hit can impose.
pub(crate) fn effect_words(effect: Effect) -> String {
    let Effect { risk, finisher, mark, threats } = effect;
    let what = match (finisher, mark, threats) {
        (true, ..) => return "a finisher".to_owned(),
        (_, true, 2) => "a mark or two threats",
        (_, true, _) => "a mark",
        (_, _, 2) => "two threats",
        (_, _, 1) => "a threat",
        _ => "",
    };
    match (risk, what) {
        (0, "") => "no effect".to_owned(),
        (0, what) => format!("{what}, no risk"),
        (risk, "") => format!("{risk} risk only"),
        (risk, what) => format!("{risk} risk and {what}"),
    }
}

/// What a way to judge leads to, as far as this viewer may know.
fn judging_leads(at: At<'_>, promise: Option<Promise>, truth: u8) -> String {
    match (at.state.top(), promise) {
        (Some(Frame::Test(test)), Some(promise)) => test_leads(at, test, promise, truth),
        (Some(Frame::Save(save)), Some(promise)) => save_leads(at.rules, save, promise, truth),
        _ => String::new(),
    }
}

pub(crate) fn truth_only(truth: u8) -> &'static str {
    if is_guilty(truth) { "guilty" } else { "innocent" }
}

fn test_leads(at: At<'_>, test: &Test, promise: Promise, truth: u8) -> String {
    let next = if test::is_pvp(at.rules, test) {
        if promise.guilty { "the other side goes next" } else { "your side goes next" }
    } else if at.state.is_pvp(at.rules) {
        "guilt brings no intervention between players"
    } else if promise.guilty && test.quick {
        "guilty, but quick: no intervention"
    } else if promise.guilty {
        "then the gamemaster intervenes"
    } else if test.on_turn {
        "then the turn passes"
    } else {
        "then play goes on"
    };
    if test::is_pvp(at.rules, test) {
        return format!("final Light {}, to be met by the defender's save; {next}", promise.fl);
    }
    let Some(degree) = promise.degree else {
        return format!(
            "final Light {} against a hidden power level, {}; {next}",
            promise.fl,
            truth_only(truth)
        );
    };
    let words = result_words(degree, truth);
    let (Some(on), Some(attack)) = (test.on, promise.attack) else { return format!("{words}; {next}") };
    let brute = at.rules.sheet(on).kind == Kind::Brute;
    let effect = match attack {
        Attack::Hit { effect, .. } if test.veiled => format!("{}, unnoticed", effect_words(effect)),
        Attack::Hit { effect, .. } if brute && effect.threats == 0 => effect_words(effect),
        Attack::Hit { degree: 0, .. } if brute => format!("a finisher, or a threat on {}", at.rules.name(on)),
        Attack::Hit { degree, .. } if brute => {
            format!("a finisher, or a threat on {} and {degree} more", at.rules.name(on))
        }
        Attack::Hit { degree, effect } => format!("degree {degree}, {}", effect_words(effect)),
        Attack::Thwarted { counter: true } => {
            format!("{} may counterattack", at.rules.name(test.guard.unwrap_or(on)))
        }
        Attack::Thwarted { counter: false } => return format!("{words}; {next}"),
    };
    format!("{words}: {effect}; {next}")
}

fn save_leads(rules: &Rules, save: &Save, promise: Promise, truth: u8) -> String {
    let next = if save.pvp {
        "the save's Truth decides nothing"
    } else if promise.guilty && save::is_quick(rules, save) {
        "quick: no further intervention"
    } else if promise.guilty {
        "then another intervention"
    } else {
        "no further intervention from this"
    };
    let Some(degree) = promise.degree else {
        return format!(
            "final Light {} against a hidden power level, {}; {next}",
            promise.fl,
            truth_only(truth)
        );
    };
    let effect = match promise.attack {
        _ if degree >= 0 => "thwarted".to_owned(),
        Some(Attack::Hit { effect, .. }) if save.danger.veiled => effect_words(effect),
        Some(Attack::Hit { degree, effect }) => format!("degree {degree}, {}", effect_words(effect)),
        _ => "the danger comes true".to_owned(),
    };
    format!("{}: {effect}; {next}", result_words(degree, truth))
}

/// What an attack would be rolled with, as far as this viewer may know.
fn attack_leads(at: At<'_>, by: Char, answer: &Answer, who: Viewer) -> String {
    let Answer::Attack { on, attribute, veiled, form, ability, with, manner, moves, .. } = *answer else {
        return String::new();
    };
    let form = turn::form_of(at.state, form).unwrap_or(Form::Martial);
    let arms = Arms { with, manner, moves };
    let test = Test {
        on: Some(on),
        form: Some(form),
        veiled,
        arms,
        ..test::declared(CharSet::one(by), [attribute; 3], true)
    };
    let power = ability.map(|ability| at.rules.power(ability));
    let named = attribute;
    let attribute = power.and_then(|power| power.attribute).unwrap_or(named);
    let rank = arms::rank(at, &test, by, attribute);
    let mut parts = vec![format!("{attribute} {rank}")];
    if rank < at.rules.rank(by, attribute) {
        let why = if form == Form::Subtle { "no language in common" } else { "not trained in that weapon" };
        parts.push(why.to_owned());
    }
    if at.rules.is_pc(on) {
        parts.push("against their save".to_owned());
    } else if knows_pl(at, on, who) {
        parts.push(format!("challenge level {}", at.rules.sheet(on).pl));
    } else {
        parts.push("challenge level hidden".to_owned());
    }
    let band = arms::band_after(at.state, by, on, moves);
    let long = moves.is_some() || burden::is_slow(at.state, by, true);
    parts.extend(so([
        (attack::is_bold(at, (by, on), form, veiled, (arms, band)), "bold"),
        (manner == Some(Manner::Throw), "faint"),
        (long, "long: the gamemaster intervenes first"),
    ]));
    let risk = test::risk_at_hit(at, (by, on), (form, veiled), who);
    parts.extend(risk.filter(|&risk| risk > 0).map(|risk| format!("+{risk} to the degree for risk")));
    parts.extend(so([(veiled, "risk only, unnoticed if it succeeds")]));
    let words = parts.join(", ");
    match power {
        Some(power) => {
            let instead = (attribute != named).then(|| format!("with {attribute} in place of {named}"));
            [words, use_leads(power, false, instead)].join("; ").trim_end_matches("; ").to_owned()
        }
        None => words,
    }
}

fn attack_words(veiled: bool, fallback: bool) -> &'static str {
    match (veiled, fallback) {
        (true, _) => "veiled attack on",
        (_, true) => "fall back to attacking",
        _ => "attack",
    }
}

/// Those of these words that are so.
fn so<const N: usize>(words: [(bool, &'static str); N]) -> impl Iterator<Item = String> {
    words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned())
}

/// How an attack is made, beyond the ordinary: ", with Hookblade, thrown".
fn arms_words(rules: &Rules, arms: Arms) -> String {
    let mut words = String::new();
    if let Some(item) = arms.with {
        words += &format!(", with {}", rules.gear(item).name);
    }
    words += match arms.manner {
        Some(Manner::Throw) => ", thrown",
        Some(Manner::Bare) => ", with bare hands",
        None => "",
    };
    words += match arms.moves {
        Some(Moves::In) => ", moving up",
        Some(Moves::Out) => ", stepping back",
        None => "",
    };
    words
}

/// What a disguise passes somebody off for.
pub(crate) fn disguise_words(disguise: Disguise) -> String {
    let mut words = Vec::new();
    words.extend(disguise.gender.map(|gender| gender.to_string()));
    words.extend(disguise.people.map(|people| people.to_string()));
    if words.is_empty() {
        words.push("somebody".to_owned());
    }
    words.extend(disguise.wealth.map(|wealth| format!("of apparent wealth {wealth}")));
    words.extend(disguise.priest.map(|priest| if priest { "a priest" } else { "no priest" }.to_owned()));
    words.join(" ")
}

fn roll_words(kind: RollKind) -> &'static str {
    match kind {
        RollKind::Plain => "two dice",
        RollKind::Cancelled => "two dice, bold and faint cancelling",
        RollKind::Bold => "three dice, bold",
        RollKind::Faint => "three dice, faint: the highest falls away",
        RollKind::Group => "two dice for each member",
    }
}

pub(crate) fn dice_words(faces: &[u8]) -> String {
    faces.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

impl Words for JudgeTwo {
    fracas_kernel::asking!(Words);

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        let Some(ask) = JudgeTwo::ask_at(At { rules, state }, slot) else { return Told::default() };
        let n = |c: Char| rules.name(c);
        let ability = |ability: Option<Ability>| match ability {
            Some(ability) => {
                let power = rules.power(ability);
                match power.cost {
                    0 => format!(", using {}", power.name),
                    cost => format!(", using {} ({cost} risk)", power.name),
                }
            }
            None => String::new(),
        };
        let bind = |release: bool| if release { ", breaking the bind" } else { "" };
        let lower =
            |tier: Option<Tier>| tier.map_or(String::new(), |tier| format!(" (only the {tier} tier)"));
        match *answer {
            Answer::Begin(c) => Told::new(n(c)),
            Answer::Deed(deed) => {
                let what = match deed {
                    Deed::Other => "something small (look, talk, handle things)".to_owned(),
                    deed => deed_words(rules, deed),
                };
                let leads = match (ask.prompt, deed) {
                    (Prompt::NpcTurn(_), _) => "one deed",
                    (_, Deed::Other) => "the gamemaster confirms it, or has you test",
                    _ => "one deed, once the gamemaster confirms it",
                };
                Told::new(format!("deed: {what}")).leads(leads).why(clause!("deed.confirm"))
            }
            Answer::Test { attribute, against, ability: a, toward, social, text } => {
                let on = against.map_or(String::new(), |c| format!(" against {}", n(c)));
                let rank = match ask.prompt {
                    Prompt::Turn(c) => format!(" {}", rules.rank(c, attribute)),
                    _ => String::new(),
                };
                let mut what = format!("test {attribute}{rank}{on}{}", ability(a));
                if social {
                    what += ", talking";
                }
                if let Some(language) = text {
                    what += &format!(", a text in {language}");
                }
                let mut leads = "the gamemaster settles the challenge level".to_owned();
                if let Some(power) = a.map(|a| rules.power(a)) {
                    let instead = power.attribute.filter(|&own| own != attribute);
                    let instead = instead.map(|own| format!("with {own} in place of {attribute}"));
                    leads = [leads, use_leads(power, false, instead)].join("; ").trim_end_matches("; ").to_owned();
                }
                if let Some(toward) = toward {
                    what += &format!(", towards {}", n(toward));
                    leads += "; success brings them a range nearer";
                }
                Told::new(what).leads(leads).why(if toward.is_some() {
                    clause!("move.beyond-near")
                } else {
                    clause!("test.steps")
                })
            }
            Answer::Attack { on, attribute, veiled, fallback, form, ability: a, with, manner, moves } => {
                let kind = attack_words(veiled, fallback);
                let form = form.map_or(String::new(), |form| format!(", as a {form} attack"));
                let leads = match ask.prompt {
                    Prompt::Turn(c) => attack_leads(At { rules, state }, c, answer, who),
                    _ => String::new(),
                };
                let clause = if veiled { clause!("veiled.no-effects") } else { clause!("attack.definition") };
                let how = arms_words(rules, Arms { with, manner, moves });
                Told::new(format!("{kind} {} with {attribute}{form}{how}{}", n(on), ability(a)))
                    .leads(leads)
                    .why(clause)
            }
            Answer::Group(with) => Told::new(format!("act as a group with {}", names(rules, with))),
            Answer::Pass => match ask.prompt {
                // The intervention of a long test has come in it already.
                Prompt::Turn(_)
                    if state.form.is_some() && !matches!(state.top(), Some(Frame::Turn(turn)) if turn.opened) =>
                {
                    Told::new("pass").leads("the gamemaster intervenes").why(clause!("conflict.pass"))
                }
                Prompt::Turn(_) => Told::new("pass").leads("the turn goes to somebody else"),
                Prompt::NpcTurn(_) => Told::new("something that calls for no save"),
                Prompt::Guard { .. } => Told::new("nobody guards"),
                Prompt::Counter { .. } | Prompt::CounterWhom { .. } => Told::new("no counterattack"),
                Prompt::Draw(_) => Told::new("no script"),
                Prompt::Disguise(_) => Told::new("nothing new"),
                Prompt::GroupDeed(_) => Told::new("no deed"),
                _ => Told::new("not as a group"),
            },
            Answer::Aim { on, against, veiled, social } => Told::new(match (on, against) {
                (Some(on), _) if veiled => format!("veiled group attack on {}", n(on)),
                (Some(on), _) => format!("group attack on {}", n(on)),
                (None, Some(other)) => format!("group test against {}", n(other)),
                (None, None) if social => "group test, talking".to_owned(),
                (None, None) => "group test".to_owned(),
            }),
            Answer::Yes => Told::new(match ask.prompt {
                Prompt::Deed { .. } => "yes, a deed",
                Prompt::Settle { .. } => "agreed, as declared",
                Prompt::Join { .. } => "join",
                Prompt::Death(_) | Prompt::Fading(_) => "they die",
                Prompt::Accept { finisher: Finisher::Provoke, .. } => "yes, they fight",
                Prompt::Accept { .. } => "yes, they believe it",
                _ => "yes",
            }),
            Answer::No => Told::new(match ask.prompt {
                Prompt::Death(_) => "they live, out of this conflict",
                Prompt::Accept { .. } => "no, another finisher",
                Prompt::Join { .. } => "do not join",
                _ => "no",
            }),
            Answer::AsTest => {
                Told::new("it takes a test").leads("no deed is done").why(clause!("deed.confirm"))
            }
            Answer::AsLongTest => Told::new("it takes a long test")
                .leads("no deed is done; an intervention comes before the roll")
                .why(clause!("roll.long")),
            Answer::Settle { cl, attribute, bold, faint, quick, long, favor, difficult } => {
                let mut words = Vec::new();
                words.extend(cl.map(|cl| format!("CL {cl}")));
                words.extend(attribute.map(|a| format!("with {a} instead")));
                words.extend(so([(bold, "bold"), (faint, "faint"), (quick, "quick"), (long, "long")]));
                let terrain = "through difficult terrain, so long";
                words.extend(so([(favor != 0, favor_words(favor)), (difficult, terrain)]));
                Told::new(if words.is_empty() { "agreed".to_owned() } else { words.join(", ") })
            }
            Answer::Refuse => Told::new("not possible: something else"),
            Answer::Attribute(attribute) => Told::new(match ask.prompt {
                Prompt::Attribute(c) => format!("{attribute} {}", rules.rank(c, attribute)),
                _ => attribute.to_string(),
            }),
            Answer::Guard(c) => Told::new(format!("{} guards", n(c)))
                .leads(format!(
                    "risk {} becomes {}, and they defend; if they fail, the character they guard suffers all the same",
                    state.being(c).risk,
                    state.being(c).risk + rules.options.guard_cost
                ))
                .why(clause!("guard.cost")),
            Answer::Judge { light, truth } => Told::new(format!("{light} Light, {truth} Truth"))
                .leads(judging_leads(At { rules, state }, promise(At { rules, state }, slot, answer, who), truth)),
            Answer::Truth(face) => {
                Told::new(format!("Truth {face}")).leads(format!("the group is {}", truth_only(face)))
            }
            Answer::Light(face) => {
                let leads = match promise(At { rules, state }, slot, answer, who) {
                    Some(Promise { fl, degree: Some(degree), .. }) => {
                        format!("final Light {fl}, degree {}", signed(degree))
                    }
                    Some(Promise { fl, .. }) => format!("final Light {fl}"),
                    None => String::new(),
                };
                Told::new(format!("Light {face}")).leads(leads)
            }
            Answer::Next(c) => Told::new(n(c)),
            Answer::Threat { threat, item, dislodge, tier, release } => Told::new(format!(
                "{}{}{}",
                blow_words(rules, Blow { threat, item, dislodge }),
                lower(tier),
                bind(release)
            ))
            .leads(threat_leads(rules, Blow { threat, item, dislodge }, imposer(state)))
            .why(threat_clause(threat)),
            Answer::Threats { first, second, tier, release } => Told::new(format!(
                "{} and {}{}{}",
                blow_words(rules, first),
                blow_words(rules, second),
                lower(tier),
                bind(release)
            ))
            .leads(both_leads(rules, first, second, imposer(state)))
            .why(clause!("attack.tier-mid")),
            Answer::Mark { mark, tier, release } => {
                Told::new(format!("mark: {mark}{}{}", lower(tier), bind(release)))
                    .leads(mark_leads(mark))
                    .why(mark_clause(mark))
            }
            Answer::Finisher { finisher, release } => {
                let what = finisher.word().replace('-', " ");
                Told::new(format!("finisher: {what}{}", bind(release)))
                    .leads(finisher_leads(finisher))
                    .why(finisher_clause(finisher))
            }
            Answer::Spread { threat, item, dislodge, also, release } => {
                let others = if also.is_empty() {
                    String::new()
                } else {
                    format!(", and {threat} on {}", names(rules, also))
                };
                let blow = Blow { threat, item, dislodge };
                Told::new(format!("{}{others}{}", blow_words(rules, blow), bind(release)))
                    .leads(threat_leads(rules, blow, imposer(state)))
                    .why(clause!("brute.spread-same"))
            }
            Answer::Nothing { release } => {
                let what = if matches!(state.top(), Some(Frame::Harm(harm)) if harm.veiled) {
                    "the risk only"
                } else {
                    "nothing more"
                };
                Told::new(format!("{what}{}", bind(release)))
            }
            Answer::Tell(turnabout) => Told::new(match turnabout {
                Turnabout::Challenge => "a new challenge, or something taken away",
                Turnabout::Compromise => "what was achieved is partly spoilt",
                Turnabout::Other => "something else happens",
            })
            .leads("no save, so the run of interventions ends")
            .why(clause!("chain-no-save")),
            Answer::Grant(c) => Told::new(format!("{} takes a turn", n(c))).why(clause!("npc.turn")),
            Answer::Danger(all) => Told::new(format!("{} must save against a danger", names(rules, all)))
                .why(clause!("intervene.hostile")),
            Answer::Assault { on, veiled, fallback, form, with, manner, moves } => {
                let kind = attack_words(veiled, fallback);
                let form = form.map_or(String::new(), |form| format!(", as a {form} attack"));
                let leads = match ask.prompt {
                    Prompt::NpcTurn(npc) => format!("a save against CL {}", rules.sheet(npc).pl),
                    _ => String::new(),
                };
                let how = arms_words(rules, Arms { with, manner, moves });
                Told::new(format!("{kind} {}{form}{how}", names(rules, on)))
                    .leads(leads)
                    .why(clause!("attack.npc-on-pc"))
            }
            Answer::Terms { essence, cl, form, bold, faint, quick, long, favor, difficult, fear } => {
                let mut words = vec![essence.to_string()];
                words.extend(cl.map(|cl| format!("CL {cl}")));
                words.extend(form.map(|form| format!("{form} harm")));
                words.extend(so([(bold, "bold"), (faint, "faint"), (quick, "quick"), (long, "long, so faint")]));
                words.extend(so([
                    (favor != 0, favor_words(favor)),
                    (difficult, "through difficult terrain, so quick"),
                    (fear, "a fright: a character who fails is stricken"),
                ]));
                Told::new(words.join(", "))
            }
            Answer::Essence { essence, ability: a } => {
                let power = a.map(|a| rules.power(a));
                let named = power.and_then(|power| power.essence).unwrap_or(essence);
                let rank = match ask.prompt {
                    Prompt::Essence { who, .. } => rules.essence(who, named),
                    _ => 0,
                };
                let instead = (named != essence).then(|| format!("with {named} in place of {essence}"));
                let leads = power.map_or(String::new(), |power| use_leads(power, true, instead));
                Told::new(format!("{named} {rank}{}", ability(a))).leads(leads).why(essence_clause(named))
            }
            Answer::Call { who: c, attribute, social } => {
                let talking = if social { ", talking" } else { "" };
                Told::new(format!("{} tests {attribute}{talking}", n(c)))
            }
            Answer::Conflict(form) => Told::new(format!("a {form} conflict begins")),
            Answer::Place { people, private, setting, tools } => {
                let mut words = vec![if private { "a private place" } else { "a public place" }.to_owned()];
                words.extend(people.map(|people| format!("{people} ground")));
                words.extend(setting.iter().map(|s| s.to_string()));
                words.extend(so([(tools, "with the makings of a disguise")]));
                Told::new(words.join(", ")).why(clause!("prestige.gm"))
            }
            Answer::Dispose { who: c, to } => {
                Told::new(format!("{} becomes {to}", n(c))).why(clause!("disp.bribes-gm"))
            }
            Answer::Weigh { stake, paid } => {
                let paid = if paid { "fairly paid" } else { "not paid" };
                let leads = match ask.prompt {
                    Prompt::Request { of, .. }
                        if turn::grants(state.being(of).disposition, stake, paid == "fairly paid") =>
                    {
                        "given without a conflict"
                    }
                    _ => "it takes a subtle conflict",
                };
                Told::new(format!("of {stake} importance, {paid}")).leads(leads).why(clause!("disp.levels"))
            }
            Answer::Draw { script, down } => {
                let gear = rules.gear(script);
                let down = down.map_or(String::new(), |d| format!(", setting {} down", rules.gear(d).name));
                Told::new(format!("draw {}{down}", gear.name))
                    .leads(format!(
                        "bold {}{}",
                        condition_words(gear.condition),
                        if gear.impassioned { "; costs composure" } else { "" }
                    ))
                    .why(clause!("script.draw"))
            }
            Answer::Disguise(disguise) if disguise.is_none() => Told::new("take the disguise off"),
            Answer::Disguise(disguise) => {
                Told::new(format!("pass for {}", disguise_words(disguise))).why(clause!("disguise.no-roll"))
            }
            Answer::Peace => Told::new("the conflict ends"),
            Answer::EndScene => Told::new("the scene ends"),
            Answer::GoOn => Told::new("the scene goes on"),
            Answer::RestNow(rest) => Told::new(format!("a {rest} rest at once")),
            Answer::Tend => Told::new("tended in time: they live, and no mark is lifted"),
            Answer::Rest(rest) => Told::new(format!("a {rest} rest")).why(crate::event::rest_clause(rest)),
            Answer::NextScene => Told::new("the next scene"),
            Answer::Close => Told::new("that is all for now"),
            Answer::Recover(marks) => {
                let words: Vec<_> = marks.iter().map(Mark::word).collect();
                Told::new(format!("recover {}", words.join(" and ")))
            }
        }
    }

    fn questions() -> &'static [Question] {
        &questions::QUESTIONS
    }

    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        questions::answers(question, values)
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Vec<Part> {
        parts::parts(At { rules, state }, slot, answer, who)
    }

    fn promise(
        rules: &Rules,
        state: &State,
        slot: Slot,
        answer: &Answer,
        who: Viewer,
    ) -> Vec<(&'static str, i32)> {
        // What a member of a group promises comes once all have judged.
        let promise = match answer {
            Answer::Judge { .. } => promise(At { rules, state }, slot, answer, who),
            _ => None,
        };
        promise.map_or_else(Vec::new, Promise::numbers)
    }

    fn kept(rules: &Rules, before: &State, after: &State, events: &[Event]) -> Vec<(&'static str, i32)> {
        crate::promise::kept(rules, before, after, events).map_or_else(Vec::new, Promise::numbers)
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        event.shown(At { rules, state }, who)
    }

    fn board(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Option<Board> {
        board::board(At { rules, state }, slot)
    }

    fn laid(_: &Rules, _: &State, _: Slot, answer: &Answer) -> Option<Laid> {
        board::laid(*answer)
    }

    fn arranged(rules: &Rules, state: &State, slot: Slot, laid: &Laid) -> Option<Answer> {
        board::arranged(At { rules, state }, slot, laid)
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, JudgeTwo>, who: Viewer) -> Option<Came> {
        board::came(rules, fallen, who)
    }

    fn odds(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
        board::odds(At { rules, state }, slot, answer, who)
    }

    fn roll_told(rules: &Rules, state: &State, _: Viewer) -> Told {
        match state.top() {
            Some(Frame::Test(test)) => {
                let kind = test::roll_kind(At { rules, state }, test);
                let on = test.on.map_or(String::new(), |on| format!(" against {}", rules.name(on)));
                Told::new(format!("{}{on}: {}", names(rules, test.members), roll_words(kind)))
                    .why(roll_clause(test.members, kind))
            }
            Some(Frame::Save(save)) => {
                let kind = save::roll_kind(At { rules, state }, save);
                let who = CharSet::one(save.saver());
                Told::new(format!("{} saves: {}", names(rules, who), roll_words(kind)))
                    .why(roll_clause(who, kind))
            }
            _ => Told::default(),
        }
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        let mut cards = vec![scene_card(At { rules, state }, who)];
        cards.extend(rules.roster.briefing_card().filter(|_| who.is_gm()));
        let seen = rules.everybody().filter(|&c| !is_hidden(state, c, who));
        cards.extend(seen.map(|c| card(At { rules, state }, c, who)));
        cards
    }

    fn ending(rules: &Rules, state: &State, who: Viewer) -> Ending {
        let fell = |card: &Card| {
            let of = rules.everybody().find(|&c| rules.sheet(c).slug == card.id);
            of.is_some_and(|c| !matches!(state.being(c).fate, Fate::In | Fate::Away))
        };
        let lies = |&item: &Item| state.place(item).lie == Lie::Ground && shows_item(state, item, who);
        let told = |item: Item| {
            let had = state.place(item).holder;
            let name = &rules.gear(item).name;
            if is_hidden(state, had, who) {
                name.clone()
            } else {
                format!("{name}, {} had it last", rules.name(had))
            }
        };
        let lying = rules.everything().filter(lies).map(told).collect();
        Ending { lying, ..Ending::of(&Self::cards(rules, state, who), fell) }
    }

    fn stage(rules: &Rules, state: &State, who: Viewer) -> Stage {
        stage::stage(At { rules, state }, who)
    }

    fn needs_words(_: &Rules, _: &State, _: Slot, answer: &Answer) -> bool {
        matches!(
            answer,
            Answer::Deed(Deed::Other | Deed::Request(_))
                | Answer::Test { toward: None, .. }
                | Answer::Aim { on: None, .. }
        )
    }

    fn waits(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> &'static str {
        let Some(ask) = JudgeTwo::ask_at(At { rules, state }, slot) else { return "" };
        match flow::without_unseen(At { rules, state }).filter(|_| !who.is_gm()) {
            Some(state) => {
                flow::awaited(At { rules, state: &state }).map_or("intervene", |prompt| Self::kind(&prompt))
            }
            None => Self::kind(&ask.prompt),
        }
    }

    fn overrules(event: &Event) -> bool {
        matches!(
            event,
            Event::FiatRisk { .. }
                | Event::FiatFate { .. }
                | Event::FiatOther(_)
                | Event::FiatItem(_)
                | Event::FiatTable
        )
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[
            (r#""agree""#, "the gamemaster settles attacks as declared"),
            (r#""confirm""#, "the gamemaster confirms every deed"),
            (r#""never-guard""#, "never guard"),
            (r#"{"never-guard-from":4}"#, "never guard with a character at this risk or more"),
            (r#""never-counter""#, "never counterattack"),
        ]
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<form::Form> {
        forms::fiats(At { rules, state })
    }

    fn standing_forms() -> Vec<form::Form> {
        let risk = 0..=u32::from(risk::MOST_RISK);
        Self::standings()
            .iter()
            .map(|(json, told)| form::Form::of_example(json, told, risk.clone()))
            .collect()
    }
}

/// A thing and what it does: "Hookblade", "bold against shielded".
fn gear_cell(rules: &Rules, who: Char, item: Item) -> Cell {
    let gear = rules.gear(item);
    let mut words = Vec::new();
    let resist = gear.resist.iter().max().copied().unwrap_or(0);
    match gear.category {
        Category::Power => {
            if gear.form.has_ranges() && gear.range > Band::Close {
                words.push(gear.range.to_string());
            }
            words.extend(so([(gear.hands > 1, "two hands")]));
            if !gear.improvised {
                words.push(format!("bold {}", condition_words(gear.condition)));
            }
            let untrained = rules.is_pc(who) && !arms::is_trained(rules, who, item);
            words.extend(so([(gear.impassioned, "impassioned"), (untrained, "not trained in it")]));
        }
        Category::Vital => words.push(format!("resistance {resist}")),
        Category::Keen => {
            let blocks: Vec<_> = gear.blocks.iter().map(Threat::word).collect();
            words.push(format!("keeps off {}", blocks.join(" and ")));
        }
        Category::Item if gear.mount => words.push("to ride".to_owned()),
        Category::Item if gear.kit => words.push("for disguises".to_owned()),
        Category::Item => {}
    }
    Cell::new(&gear.name, words.join(", "))
}

/// An ability and what it does: "River Rush", "1 risk, bold, tests".
fn power_cell(power: &crate::rules::Power) -> Cell {
    let mut words = Vec::new();
    words.extend((power.cost > 0).then(|| format!("{} risk", power.cost)));
    words.extend(power.once.map(|once| format!("once a {once}")));
    words.extend(so([
        (power.bold, "bold"),
        (power.faint, "faint"),
        (power.quick, "quick"),
        (power.long, "long"),
    ]));
    words.extend(power.attribute.map(|attribute| format!("with {attribute}")));
    words.extend(power.essence.map(|essence| format!("with {essence}")));
    let serves: Vec<_> = so([(power.test, "tests"), (power.save, "saves")]).collect();
    words.extend(Some(serves.join(" and ")).filter(|serves| !serves.is_empty()));
    words.extend(power.bold_when.map(|when| format!("attacks bold {}", condition_words(when))));
    if power.resist != [0; 3] {
        words.push(format!("resistance {}", power.resist.map(|rank| rank.to_string()).join("/")));
    }
    words.extend((power.resolve > 0).then(|| format!("resolve {}", power.resolve)));
    let forbids: Vec<_> =
        power.forbids.iter().map(Threat::word).chain(power.forbids_marks.iter().map(Mark::word)).collect();
    if !forbids.is_empty() {
        words.push(format!("never {}", forbids.join(" or ")));
    }
    words.extend(so([(power.armed, "armed with bare hands")]));
    words.extend((power.deeds > 0).then(|| format!("{} more deeds", power.deeds)));
    words.extend(so([(power.magick, "magick")]));
    Cell::new(&power.name, words.join(", "))
}

/// When a boon is bold, after "bold".
fn condition_words(condition: Condition) -> String {
    match condition {
        Condition::Always => "always".to_owned(),
        Condition::SelfSteady => "while your own risk is 6 or less".to_owned(),
        Condition::Steady => "against risk of 6 or less".to_owned(),
        Condition::LowerPrestige => "against less prestige".to_owned(),
        Condition::Uncomposed => "against lost composure".to_owned(),
        Condition::Ruled => "when the gamemaster says so".to_owned(),
        Condition::Unaware => "against the unaware".to_owned(),
        other => format!("against {other}"),
    }
}

pub(crate) fn favor_words(favor: i8) -> &'static str {
    if favor < 0 { "the surroundings help (-1)" } else { "the surroundings hinder (+1)" }
}

/// The effect of a threat on its victim.
fn threat_leads(rules: &Rules, blow: Blow, by: Option<Char>) -> String {
    match (blow.threat, blow.item) {
        (Threat::Disarm, Some(Prize::Composure)) => "composure is lost; regaining it takes a deed".to_owned(),
        (Threat::Disarm, Some(Prize::Thing(item))) => {
            format!("{} falls; recovering it takes a deed", rules.gear(item).name)
        }
        (Threat::Disarm, None) => "it falls to the ground".to_owned(),
        (Threat::Entangle, _) => "the two are bound: they can only attack each other".to_owned(),
        (Threat::Misdirect, _) => format!("may not attack {}", by.map_or("the source", |by| rules.name(by))),
        (Threat::Weaken, _) if blow.dislodge => {
            "attacks on them are bold until their next turn, and the way back takes longer".to_owned()
        }
        (Threat::Weaken, _) => "attacks on them are bold until their next turn".to_owned(),
    }
}

/// What two threats at once do.
fn both_leads(rules: &Rules, first: Blow, second: Blow, by: Option<Char>) -> String {
    let (one, other) = (threat_leads(rules, first, by), threat_leads(rules, second, by));
    if one == other { one } else { format!("{one}; and {other}") }
}

/// What comes of using an ability: how the roll changes, and how often it can be used.
fn use_leads(power: &crate::rules::Power, save: bool, instead: Option<String>) -> String {
    let mut parts: Vec<String> = instead.into_iter().collect();
    parts.extend(so([
        (power.bold, "makes the roll bold"),
        (power.faint || (save && power.long), "makes the roll faint"),
        (power.quick && save, "makes it quick: guilt brings no further intervention"),
        (power.quick && !save, "makes it quick: guilt brings no intervention"),
        (power.long && !save, "makes it long: the gamemaster intervenes first"),
    ]));
    let nothing = parts.is_empty() && !power.magick;
    parts.extend(so([(nothing, "nothing about this roll changes")]));
    parts.extend(power.once.map(|once| format!("then used up, being once a {once}")));
    parts.join("; ")
}

/// The effect of a mark on its bearer.
fn mark_leads(mark: Mark) -> &'static str {
    match mark {
        Mark::Afflict => "no abilities, no bonuses from boons",
        Mark::Crush => "a deed or a test each turn, not both",
        Mark::Pierce => "their attacks impose no threats and no marks",
        Mark::Stricken => "no attack in a round until released",
    }
}

/// How its bearer is.
pub(crate) const fn marked_words(mark: Mark) -> &'static str {
    match mark {
        Mark::Afflict => "afflicted",
        Mark::Crush => "crushed",
        Mark::Pierce => "pierced",
        Mark::Stricken => "stricken",
    }
}

/// The effect of a finisher on its victim.
fn finisher_leads(finisher: Finisher) -> &'static str {
    match finisher {
        Finisher::Kill => "dead (a player's character only if the gamemaster confirms it)",
        Finisher::Unconscious => "out for the rest of the scene",
        Finisher::Flee => "badly wounded and away",
        Finisher::Surrender => "drops all weapons, in the attacker's hands",
        Finisher::Provoke => "fights at once, however unwise",
        Finisher::Shame => "leaves, their name harmed",
        Finisher::Assent => "lives by one proposition of the attacker's",
        Finisher::Disposition => "better disposed for good",
        Finisher::Destroy => "a force no more",
        Finisher::Rout => "flees in disorder",
        Finisher::Withdraw => "quits the field in order",
        Finisher::Sunk => "goes down",
        Finisher::Captured => "is taken",
        Finisher::DrivenOff => "is driven off",
        Finisher::Burned => "burns",
    }
}

/// The character who imposes the effect that is being chosen.
fn imposer(state: &State) -> Option<Char> {
    match state.top() {
        Some(Frame::Harm(harm)) => harm.by,
        _ => None,
    }
}

pub(crate) fn threat_clause(threat: Threat) -> Clause {
    match threat {
        Threat::Disarm => clause!("threat.disarm"),
        Threat::Entangle => clause!("threat.entangle"),
        Threat::Misdirect => clause!("threat.misdirect"),
        Threat::Weaken => clause!("threat.weaken"),
    }
}

pub(crate) fn mark_clause(mark: Mark) -> Clause {
    match mark {
        Mark::Afflict => clause!("mark.afflict-boons"),
        Mark::Crush => clause!("mark.crush"),
        Mark::Pierce => clause!("mark.pierce"),
        Mark::Stricken => clause!("mark.stricken"),
    }
}

fn essence_clause(essence: Essence) -> Clause {
    match essence {
        Essence::Heart => clause!("essence.heart"),
        Essence::Mind => clause!("essence.mind"),
        Essence::Strength => clause!("essence.strength"),
        Essence::Faith => clause!("essence.faith"),
    }
}

pub(crate) fn fate_words(fate: Fate) -> &'static str {
    match fate {
        Fate::In => "in play",
        Fate::Finished(finisher) => match finisher {
            Finisher::Kill | Finisher::Unconscious => "unconscious",
            Finisher::Flee => "fled",
            Finisher::Surrender => "surrendered",
            Finisher::Provoke => "provoked",
            Finisher::Shame => "shamed",
            Finisher::Assent => "won over",
            Finisher::Disposition => "better disposed",
            Finisher::Destroy => "destroyed",
            Finisher::Rout => "routed",
            Finisher::Withdraw => "withdrawn",
            Finisher::Sunk => "sunk",
            Finisher::Captured => "captured",
            Finisher::DrivenOff => "driven off",
            Finisher::Burned => "burned",
        },
        Fate::Dead => "dead",
        Fate::Away => "away",
    }
}

fn scene_card(at: At<'_>, viewer: Viewer) -> Card {
    let acted = if at.state.acted.is_empty() { String::new() } else { names(at.rules, at.state.acted) };
    let fallen: Vec<_> = at
        .rules
        .everything()
        .filter(|&item| at.state.place(item).lie == Lie::Ground)
        .filter(|&item| shows_item(at.state, item, viewer))
        .map(|item| format!("{} ({})", at.rules.gear(item).name, at.rules.name(at.state.place(item).holder)))
        .collect();
    let rows =
        [("round", at.state.round.to_string()), ("have acted", acted), ("lying about", fallen.join(", "))];
    Card {
        title: at.rules.roster.title.clone(),
        note: at.state.form.map_or("no conflict".to_owned(), |form| format!("{form} conflict")),
        group: "scene".to_owned(),
        rows: rows.into_iter().filter_map(row_of).collect(),
        ..Card::default()
    }
}

/// The highest rank of an attribute (`attr.nine`).
const MOST_RANK: u32 = 3;

/// A row of a card, where there is something to say.
fn row_of((label, value): (&str, String)) -> Option<Row> {
    (!value.is_empty()).then(|| Row::new(label, value))
}

/// The group of a side's cards for a viewer. Where players face each other, a viewer who plays
/// on no side sees the sides by number.
fn group_of(at: At<'_>, side: u8, viewer: Viewer) -> String {
    if let Viewer::Seat(seat @ Seat::Player(_)) = viewer {
        let own = at.rules.pcs.iter().find(|&who| at.rules.seat(who) == seat);
        let ours = own.map(|who| at.state.being(who).side) == Some(side);
        return if ours { "your side" } else { "theirs" }.to_owned();
    }
    let mut sides = at.rules.pcs.iter().map(|who| at.state.being(who).side);
    let players = sides.next();
    if sides.any(|other| Some(other) != players) {
        return format!("side {}", side + 1);
    }
    match (players == Some(side), viewer.is_gm()) {
        (true, _) => "the players",
        (false, true) => "your side",
        (false, false) => "the gamemaster's",
    }
    .to_owned()
}

fn card(at: At<'_>, who: Char, viewer: Viewer) -> Card {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let pc = at.rules.is_pc(who);
    let gm = viewer.is_gm();
    let mut tags = Vec::new();
    let mut tag = |is_so: bool, text: &str, shape, clause| {
        tags.extend(is_so.then(|| Tag { text: text.to_owned(), shape, clause: Some(clause) }));
    };
    use TagShape::{Lasting, Passing, Plain};
    tag(being.fate != Fate::In, fate_words(being.fate), Lasting, clause!("finisher.defeat"));
    for mark in being.marks.iter() {
        let word = match mark {
            Mark::Stricken if being.released => "stricken, released",
            mark => marked_words(mark),
        };
        tag(true, word, Lasting, mark_clause(mark));
    }
    tag(being.weakened, "weakened", Passing, clause!("threat.weaken"));
    let shown = |all: CharSet| -> CharSet {
        all.iter().filter(|&other| !is_hidden(at.state, other, viewer)).collect()
    };
    // Misdirected or bound they are, whether or not they know by whom.
    let by_whom = |all: CharSet| match shown(all) {
        CharSet::NONE => "somebody".to_owned(),
        shown => names(at.rules, shown),
    };
    let by = being.misdirected_by;
    let misdirected = format!("misdirected by {}", by_whom(by));
    tag(!by.is_empty(), &misdirected, Passing, clause!("threat.misdirect"));
    let bound = bound_with(at, who);
    tag(!bound.is_empty(), &format!("bound with {}", by_whom(bound)), Passing, clause!("threat.entangle"));
    tag(risk::is_critical(at, who), "critical", Plain, clause!("risk.critical"));
    tag(being.burdened, "burdened", Passing, clause!("burdened.pc"));
    tag(being.dislodged, "knocked off", Passing, clause!("weaken.dislodge-cost"));
    if let Some(mount) = being.mount {
        tag(true, &format!("on {}", at.rules.gear(mount).name), Plain, clause!("mounted-state"));
    }
    tag(being.footing, "unsteady footing", Plain, clause!("weaken.dislodge"));
    tag(being.silenced, "silenced", Lasting, clause!("subtle.finisher-state"));
    tag(being.poise != Poise::Composed, "no composure", Passing, clause!("subtle.composure-lost"));
    if at.state.form == Some(Form::Subtle) && being.fate == Fate::In {
        let level = prestige::level(at, who);
        tag(true, &format!("{level} prestige"), Plain, clause!("prestige.ranks"));
    }
    let knows_disguise = being.disguise.is_some() && (pc || gm);
    tag(knows_disguise, "disguised", Plain, clause!("disguise.purpose"));
    tag(being.riven, "riven", Plain, clause!("riven.reveals"));
    if sheet.omen.is_some() {
        let met = at.state.omen_met(at.rules, who);
        tag(met, "omen met", Plain, clause!("nemesis.omen"));
        tag(!met, "no risk can be imposed", Plain, clause!("nemesis.omen-lapse"));
    }
    tag(being.apart, "too far to guard", Plain, clause!("guard.choice"));
    let unaware_of = shown(being.unaware_of);
    let unaware = format!("unaware of {}", names(at.rules, unaware_of));
    tag(!unaware_of.is_empty(), &unaware, Plain, clause!("veiled.success"));
    let mut rows = Vec::new();
    if pc {
        for (essence, attributes) in DERIVED {
            let own = Cell::of(essence.word(), at.rules.essence(who, essence), MOST_RANK);
            let from = attributes.map(|a| Cell::of(a.word(), at.rules.rank(who, a), MOST_RANK));
            rows.push(Row::numbers(essence.word(), std::iter::once(own).chain(from).collect()));
        }
        rows.push(Row::new(Essence::Faith.word(), at.rules.essence(who, Essence::Faith).to_string()));
    } else {
        let level = if knows_pl(at, who, viewer) { sheet.pl.to_string() } else { "hidden".to_owned() };
        rows.push(Row::new("power level", level));
    }
    let mut things = |label: &str, items: &mut dyn Iterator<Item = Item>| {
        let cells: Vec<Cell> = items.map(|item| gear_cell(at.rules, who, item)).collect();
        rows.extend((!cells.is_empty()).then(|| Row::list(SheetPart::Things, label, cells)));
    };
    for (label, lie) in [("readied", Lie::Readied), ("carried", Lie::Carried), ("down", Lie::Ground)] {
        let held = |&item: &Item| at.state.place(item).holder == who && at.state.place(item).lie == lie;
        things(label, &mut at.rules.everything().filter(held));
    }
    if pc || gm {
        // Own scripts, which nobody else can draw.
        let own = |&item: &Item| !at.rules.gear(item).base && at.rules.gear(item).owner == who;
        let undrawn = |&item: &Item| at.state.place(item).lie == Lie::Gone;
        things("can draw", &mut at.rules.scripts.iter().filter(own).filter(undrawn));
    }
    let powers = at.rules.abilities_of(at.state, who).filter(|&ability| gm || shows_ability(at, ability));
    let powers: Vec<Cell> = powers.map(|ability| power_cell(at.rules.power(ability))).collect();
    rows.extend((!powers.is_empty()).then(|| Row::list(SheetPart::Abilities, "abilities", powers)));
    let mut row = |label: &str, value: String| rows.extend(row_of((label, value)));
    if let Some(form) = at.state.form {
        let resistance = risk::resistance(at, who, form);
        row("resistance", if resistance > 0 { resistance.to_string() } else { String::new() });
    }
    if at.state.form.is_none_or(Form::has_ranges) && being.fate == Fate::In {
        for &band in &Band::ALL[1..] {
            let there = |&other: &Char| other != who && being.ranges.to(other) == band;
            let others: CharSet = shown(at.state.present()).iter().filter(there).collect();
            row(band.word(), if others.is_empty() { String::new() } else { names(at.rules, others) });
        }
    }
    let looks = |gender: Option<Gender>, people: Option<People>| {
        let looks = [gender.map(Gender::word), people.map(People::word)];
        looks.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    row("appears", looks(disguise::gender(at, who), disguise::people(at, who)));
    if knows_disguise {
        row("truly", looks(sheet.gender, sheet.people));
    }
    if at.state.form == Some(Form::Subtle) {
        row("apparent wealth", disguise::wealth(at.state, who).to_string());
    }
    if !pc && gm {
        row("disposition", being.disposition.to_string());
    }
    if pc {
        row("class", sheet.class.clone());
        let words = |all: Vec<&str>| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        for (label, all) in [("speaks", sheet.speaks), ("writes", sheet.writes)] {
            if all != LanguageSet::ALL {
                row(label, words(all.iter().map(Language::word).collect()));
            }
        }
        row("trained", words(sheet.trained.iter().map(Training::word).collect()));
    }
    if being.following > 0 {
        row("following", being.following.to_string());
    }
    if gm || pc {
        rows.extend(sheet.history.iter().map(|line| Row::new("history", line)));
    }
    if gm {
        let omen = sheet.omen.as_ref().map_or(String::new(), |omen| omen_words(at.rules, omen));
        rows.extend([("omen", omen), ("secret", sheet.secret.clone())].into_iter().filter_map(row_of));
    }
    let mut meters = Vec::new();
    if sheet.kind != Kind::Brute {
        meters.push(Meter {
            label: "risk".to_owned(),
            value: u32::from(being.risk),
            most: u32::from(risk::MOST_RISK),
            alarm: Some(u32::from(at.rules.options.critical_from)),
        });
    }
    let played = at.rules.roster.player_of(sheet.seat).unwrap_or_default();
    Card {
        id: sheet.slug.clone(),
        title: sheet.name.clone(),
        note: if pc { format!("played by {played}") } else { sheet.kind.to_string() },
        group: group_of(at, being.side, viewer),
        meters,
        tags,
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging;

    #[test]
    fn results_are_told_with_their_sign() {
        assert_eq!(result_words(1, 2), "guilty success +1");
        assert_eq!(result_words(-2, 5), "innocent failure -2");
        assert_eq!(result_words(0, 4), "innocent success +0");
    }

    #[test]
    fn a_bold_roll_with_a_pair_has_three_ways() {
        let mut ways = Vec::new();
        judging::ways(crate::state::Pool::of(&[4, 4, 1]), |l, t| ways.push((l, t)));
        assert_eq!(ways, [(4, 4), (4, 1), (1, 4)]);
    }
}
