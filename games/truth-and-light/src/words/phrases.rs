//! Names, numbers, effects and results as every sentence has them.

use crate::answer::{Answer, Control, Deal, Deed, GloryPick, GuiltPick};
use crate::effect::{Effect, Lasts, Removal, Scope, Verb, Whom};
use crate::impose::{self, Doing};
use crate::rules::{Harm, Power, Rules};
use crate::state::{Action, Live, Origin, Outcome, State};
use crate::{At, Play, act::Manner, boons, power, roll, view::knows_number, vocab::*};
use fracas_kernel::{Clause, Label as Name, NoSink, Viewer};

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// A list of names: "Ana", "Ana and Bo", "Ana, Bo and Cy".
pub(crate) fn names(rules: &Rules, all: CharSet) -> String {
    let names: Vec<&str> = all.iter().map(|who| rules.name(who)).collect();
    match names.split_last() {
        None => "nobody".to_owned(),
        Some((one, [])) => (*one).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

pub(crate) fn target(rules: &Rules, on: Target) -> &str {
    match on {
        Target::Char(who) => rules.name(who),
        Target::Hazard(hazard) => &rules.peril(hazard).name,
        Target::Surroundings => "the surroundings",
    }
}

/// "Guilty Success 2" and the like (`degree.notation`).
pub(crate) fn result_words(result: Outcome) -> String {
    let end = if result.success { "Success" } else { "Failure" };
    format!("{} {end} {}", capital(result.band.word()), result.degrees)
}

/// The clause of a result.
pub(crate) fn result_clause(kind: Kind, result: Outcome) -> Clause {
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

pub(crate) const fn guilt_clause(guilt: Guilt) -> Clause {
    match guilt {
        Guilt::Fault => clause!("guilt.fault"),
        Guilt::Lose => clause!("guilt.lose"),
        Guilt::Raise => clause!("guilt.raise"),
        Guilt::Surprise => clause!("guilt.surprise"),
    }
}

pub(crate) const fn glory_clause(glory: Glory, mode: Option<BreakMode>) -> Clause {
    match (glory, mode) {
        (Glory::Grant, _) => clause!("glory.grant"),
        (Glory::Control, _) => clause!("glory.control"),
        (Glory::Break, Some(BreakMode::Now)) => clause!("glory.break-now"),
        (Glory::Break, _) => clause!("glory.break-next"),
        (Glory::Spring, _) => clause!("glory.spring"),
    }
}

pub(crate) fn origin_clause(origin: Origin) -> Clause {
    match origin {
        Origin::Guilt(guilt) => guilt_clause(guilt),
        Origin::Glory(glory) => glory_clause(glory, None),
        Origin::Upper(_) => clause!("ext.npc-glory"),
        Origin::End(_) => clause!("ext.ends"),
        Origin::Ability(_) => clause!("ability.def"),
        Origin::Boon(_) => clause!("boon.one-time"),
    }
}

pub(crate) fn origin(at: At<'_>, origin: Origin) -> String {
    match origin {
        Origin::Guilt(guilt) => title(guilt.word()),
        Origin::Glory(glory) => title(glory.word()),
        Origin::Upper(upper) => title(upper.word()),
        Origin::End(end) => at.rules.ending(end).name.clone(),
        Origin::Ability(ability) => at.rules.power(ability).name.clone(),
        Origin::Boon(boon) => at.state.name_of(at.rules, boon).to_owned(),
    }
}

/// "fault-ability" as "Fault Ability".
pub(crate) fn title(word: &str) -> String {
    word.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

/// What an effect does, in a few words.
pub(crate) fn effect_words(rules: &Rules, effect: &Effect) -> String {
    let boons = |n: u8| if n == 1 { "a boon".to_owned() } else { format!("{n} boons") };
    let track = |track: Track| rules.tracks[track.index()].name.as_str();
    match effect.verb {
        Verb::Ap(n) => format!("{n:+} action power{}", scope_words(&effect.scope)),
        Verb::Pn(n) => format!("{n:+} power number{}", scope_words(&effect.scope)),
        Verb::BanAbilities => "no feats or Whispers".to_owned(),
        Verb::Attention => "hostile attention".to_owned(),
        Verb::Condition(text) | Verb::Narrate(text) => rules.text(text).to_owned(),
        Verb::Apart => "near nobody".to_owned(),
        Verb::Hold => "cannot leave".to_owned(),
        Verb::GainBoon(boon) => format!("gains {}", rules.boons[boon.index()].name),
        Verb::LoseBoon(n) => format!("loses {}", boons(n)),
        Verb::RecoverBoon => "gets a lost boon back".to_owned(),
        Verb::MoveBoon => "takes a boon".to_owned(),
        Verb::Harm(Some(on), n) => format!("{n} harm to {}", track(on)),
        Verb::Harm(None, n) => format!("{n} harm"),
        Verb::Heal(on, n) => format!("{n} of {} back", track(on)),
        Verb::RerollLight => "Light rolled again".to_owned(),
        Verb::ExtraAction(label, 1) => format!("a {label} action more"),
        Verb::ExtraAction(label, n) => format!("{n} {label} actions more"),
        Verb::End(Some(end)) => rules.ending(end).name.clone(),
        Verb::End(None) => "a surprise".to_owned(),
    }
}

/// Which rolls something counts for: " on tests (combat) with an ability".
pub(crate) fn scope_words(scope: &Scope) -> String {
    let mut words = String::new();
    let attributes: String = scope.attributes.iter().map(|one| format!("{one} ")).collect();
    match scope.rolls {
        Rolls::Both if attributes.is_empty() => {}
        Rolls::Both => words += &format!(" on {attributes}rolls"),
        rolls => words += &format!(" on {attributes}{rolls}s"),
    }
    if !scope.tags.is_empty() {
        words += &format!(" ({})", tags_words(scope.tags));
    }
    if scope.ability_only {
        words += " with an ability";
    }
    words
}

/// All that these do: "burning on them until a minor action, +2 action power".
pub(crate) fn effects_words(rules: &Rules, effects: &[Effect]) -> String {
    let whom = |on: Whom| match on {
        Whom::Me => "",
        Whom::Them => " on them",
        Whom::Ally => " on an ally",
        Whom::Allies => " on allies",
        Whom::Foes => " on foes",
    };
    effects.iter().map(|effect| full_words(rules, effect, whom)).collect::<Vec<_>>().join(", ")
}

/// One effect with whom it is on and how long it lasts.
fn full_words(rules: &Rules, effect: &Effect, whom: impl Fn(Whom) -> &'static str) -> String {
    let mut words = effect_words(rules, effect);
    if effect.per_degree {
        words += " for each degree";
    }
    words += whom(effect.on);
    match effect.lasts {
        Lasts::ThisRoll => words,
        lasts => words + " " + lasts_words(lasts),
    }
}

/// Whom an effect of a contested end is on, if not on the character who suffers the end.
const fn of_end(on: Whom) -> &'static str {
    match on {
        Whom::Them => "",
        Whom::Me => " on whoever does it",
        Whom::Ally => " on an ally of theirs",
        Whom::Allies => " on their allies",
        Whom::Foes => " on their foes",
    }
}

/// What a contested end does: "-2 action power on saves (combat) until a minor action", "1 of
/// Body, and 1 more for each degree".
pub(crate) fn end_does(rules: &Rules, end: End) -> String {
    does_words(rules, end, rules.ending(end).effects.iter())
}

fn does_words<'r>(rules: &Rules, end: End, effects: impl Iterator<Item = &'r Effect>) -> String {
    let ending = rules.ending(end);
    let harm = ending.track.filter(|_| ending.damaging && rules.harm == Harm::Tracks);
    let harm =
        harm.map(|track| format!("1 of {}, and 1 more for each degree", rules.tracks[track.index()].name));
    effects.map(|effect| full_words(rules, effect, of_end)).chain(harm).collect::<Vec<_>>().join(", ")
}

/// What a contested end would do to somebody now, done by somebody.
pub(crate) fn end_would(at: At<'_>, end: End, of: (Target, Option<Target>)) -> String {
    let ending = at.rules.ending(end);
    let harm = ending.track.filter(|_| ending.damaging && at.rules.harm == Harm::Tracks);
    match would_do(at, end, of).next() {
        None if harm.is_none() && !ending.effects.is_empty() => "it changes nothing now".to_owned(),
        _ => does_words(at.rules, end, would_do(at, end, of)),
    }
}

/// The effects of a contested end that would find what they are for.
fn would_do(at: At<'_>, end: End, (on, by): (Target, Option<Target>)) -> impl Iterator<Item = &'_ Effect> {
    let doing = Doing::of(Origin::End(end), by.and_then(Target::char), on.char());
    at.rules.ending(end).effects.iter().filter(move |effect| !impose::finds_none(at, effect, doing))
}

/// The words that follow what they are about, where there are any: ": cannot leave until a test".
pub(crate) fn after_colon(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

/// What a contested end comes to at so many degrees: "Wounded: 5 of Body (1 left)"; what
/// is left only for a viewer to whom it can be told.
fn end_comes(
    at: At<'_>,
    end: End,
    (on, by): (Target, Option<Target>),
    degrees: u8,
    rest_for: Option<Viewer>,
) -> String {
    let ending = at.rules.ending(end);
    let effects = would_do(at, end, (on, by));
    let mut parts: Vec<String> =
        effects.map(|effect| full_words(at.rules, &impose::scaled(effect, degrees), of_end)).collect();
    if let Some((sufferer, track, left, out)) = left_after(at, end, (on, by), degrees) {
        // A track may be as large as a power number that is hidden.
        let knows = rest_for.is_some_and(|who| at.rules.is_pc(sufferer) || knows_number(at, sufferer, who));
        let rest = match out {
            _ if !knows => String::new(),
            true => " (out)".to_owned(),
            false => format!(" ({left} left)"),
        };
        let name = &at.rules.tracks[track.index()].name;
        parts.push(format!("{} of {name}{rest}", degrees.saturating_add(1)));
    }
    if parts.is_empty() && !ending.effects.is_empty() {
        parts.push("it changes nothing now".to_owned());
    }
    format!("{}{}", ending.name, after_colon(&parts.join(", ")))
}

/// What an end that does harm leaves somebody of a track, and whether they are out.
fn left_after(
    at: At<'_>,
    end: End,
    (on, by): (Target, Option<Target>),
    degrees: u8,
) -> Option<(Char, Track, u8, bool)> {
    let ending = at.rules.ending(end);
    let (who, track) = (on.char()?, ending.track?);
    if !ending.damaging || !impose::counts(at.rules, who, track) {
        return None;
    }
    let mut after = at.state.clone();
    let mut play = Play { rules: at.rules, state: &mut after, sink: &mut NoSink };
    impose::end(&mut play, end, on, by, degrees);
    let being = after.being(who);
    Some((who, track, being.tracks[track.index()], being.out))
}

/// What a boon does: "+2 on strength tests (combat), +1 against shielded, fine".
pub(crate) fn boon_does(at: At<'_>, boon: Boon) -> String {
    let serves = at.state.use_of(at.rules, boon);
    let gear = at.state.gear(at.rules, boon);
    let attributes: String = serves.attributes.iter().map(|one| format!("{one} ")).collect();
    let rolls = match serves.rolls {
        Rolls::Both => "rolls".to_owned(),
        rolls => format!("{rolls}s"),
    };
    let tags = if serves.tags.is_empty() { String::new() } else { format!(" ({})", tags_words(serves.tags)) };
    let mut parts = Vec::new();
    if serves.once {
        let does = effects_words(at.rules, &gear.effects);
        let does = if does.is_empty() { "what cannot be tried without it".to_owned() } else { does };
        parts.push(format!("used once on {attributes}{rolls}{tags}: {does}"));
    } else {
        parts.push(format!("{:+} on {attributes}{rolls}{tags}", serves.bonus));
    }
    for (traits, n) in serves.edges.iter().filter(|(traits, _)| !traits.is_empty()) {
        let traits: Vec<&str> = traits.iter().map(|one| one.word()).collect();
        parts.push(format!("{n:+} against {}", traits.join(", ")));
    }
    if serves.quality == Quality::Better {
        parts.push(if gear.quality.is_empty() { "better".to_owned() } else { gear.quality.clone() });
    }
    parts.join(", ")
}

/// What a feat or a Whisper does, and when.
pub(crate) fn power_does(rules: &Rules, power: &Power) -> String {
    let limit = match power.limit {
        0 => String::new(),
        1 => ", once a scene".to_owned(),
        n => format!(", {n} times a scene"),
    };
    let does = effects_words(rules, &power.effects);
    let does = if does.is_empty() { "as the table tells it".to_owned() } else { does };
    format!("{}{limit}: {does}", power.trigger)
}

pub(crate) const fn lasts_words(lasts: Lasts) -> &'static str {
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
pub(crate) fn lasting(at: At<'_>, live: &Live) -> String {
    format!("{}: {}", origin(at, live.from), live_words(at.rules, live))
}

/// The same without what it comes from: "-2 action power, twice, through the next
/// action".
pub(crate) fn live_words(rules: &Rules, live: &Live) -> String {
    let times = match live.times {
        0 | 1 => String::new(),
        2 => ", twice,".to_owned(),
        times => format!(", {times} times,"),
    };
    let against = live.by.filter(|_| live.is_by_power());
    let against = against.map_or(String::new(), |by| format!(" against {}", rules.name(by)));
    format!("{}{times} {}{against}", effect_words(rules, &live.effect), lasts_words(live.effect.lasts))
}

pub(crate) fn boon_name<'a>(rules: &'a Rules, boon: Boon, name: Option<&'a Name>) -> &'a str {
    match name {
        Some(name) => name,
        None => &rules.boons[boon.index()].name,
    }
}

/// The number to reach, as far as this viewer may know.
pub(crate) fn number_words(action: &Action, who: Viewer) -> String {
    if action.told || who.is_gm() { format!("{}", action.tn.reveal()) } else { "a hidden number".to_owned() }
}

/// Attribute, bonuses and penalties: "strength 4, +2 Spear".
pub(crate) fn power_words(at: At<'_>, action: &Action) -> String {
    let rank = at.rules.sheet(action.who).ranks[action.attribute as usize];
    let mut words = format!("{} {rank}", action.attribute);
    power::modifiers(at, action, &mut |from, n| words += &format!(", {n:+} {}", origin(at, from)));
    words
}

/// What a way to spend leads to, as far as this viewer may know (`sys.intent`).
pub(crate) fn spend_leads(at: At<'_>, action: &Action, (spend, claim): (u8, bool), who: Viewer) -> String {
    let (ap, left) = roll::after(action, spend);
    let band = at.rules.options.band(left);
    if !action.told && !who.is_gm() {
        let claims = if claim { "; claims the writhing die" } else { "" };
        return format!("action power {ap} against a hidden number, Light {left}: {band}{claims}");
    }
    let result = roll::result(&at.rules.options, action, spend);
    let guiltless =
        action.kind == Kind::Test && result.band == Band::Guilty && is_guiltless(at, action, spend);
    let next = match (action.kind, result.success, result.band, claim) {
        (.., true) if guiltless => "you are out by it; a writhing die, if the gamemaster agrees",
        (_, true, ..) if guiltless => "it succeeds, and takes you out before any guilt",
        (_, false, ..) if guiltless => "it fails, and takes you out before any guilt",
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
    let comes = result_comes(at, action, result, who);
    let comes = comes.map_or(String::new(), |comes| format!("; {comes}"));
    format!("{}: {next}{comes}", result_words(result))
}

/// Whether what comes of a guilty result takes its own roller out, so that no guilt comes
/// (`guilt-or-success-first`).
fn is_guiltless(at: At<'_>, action: &Action, spend: u8) -> bool {
    let mut after = at.state.clone();
    after.action = Some(*action);
    let mut play = Play { rules: at.rules, state: &mut after, sink: &mut NoSink };
    roll::spend::apply(&mut play, action.who, Answer::Spend(spend as i8));
    !after.action.is_some_and(|action| action.has_come_about())
}

/// What the target or the saver suffers by a result, if the aim was declared.
fn result_comes(at: At<'_>, action: &Action, result: Outcome, who: Viewer) -> Option<String> {
    let aim = aim_of(action, result)?;
    let rest_for = Some(who).filter(|_| !does_more(at.rules, action));
    Some(end_comes(at, action.end?, aim, result.degrees, rest_for))
}

/// On whom an end comes by a result, and by whom.
fn aim_of(action: &Action, result: Outcome) -> Option<(Target, Option<Target>)> {
    let doer = Target::Char(action.who);
    match (action.kind, result.success) {
        (Kind::Test, true) => Some((action.target?, Some(doer))),
        (Kind::Save, false) => Some((doer, action.target)),
        _ => None,
    }
}

/// Whether an action may do more than its end: only a test does.
fn does_more(rules: &Rules, action: &Action) -> bool {
    let more = action.ability.is_some() || action.using.is_some() || rules.gifted.has(action.who);
    action.kind == Kind::Test && more
}

/// A result in numbers, and the rest of the track if the result takes from it at once.
pub(crate) fn numbers(result: Outcome, left: impl FnOnce() -> Option<u8>) -> Vec<(&'static str, i32)> {
    let Outcome { success, band, degrees } = result;
    let mut numbers = vec![("success", success.into()), ("band", band as i32), ("degrees", degrees.into())];
    numbers.extend(left().map(|left| ("left", left.into())));
    numbers
}

/// The character and the track that a result takes from at once, and the rest of the track.
pub(crate) fn takes(at: At<'_>, action: &Action, result: Outcome) -> Option<(Char, Track, u8)> {
    // A glory, or the gain from a guilty save, is picked first.
    let waits = match action.kind {
        Kind::Test => Band::Glorious,
        Kind::Save => Band::Guilty,
    };
    if result.band == waits || does_more(at.rules, action) {
        return None;
    }
    let (who, track, left, _) = left_after(at, action.end?, aim_of(action, result)?, result.degrees)?;
    Some((who, track, left))
}

pub(crate) fn deal_words(rules: &Rules, deal: &Deal, manner: Manner, of: &State) -> String {
    let what = match manner {
        Manner::Attack => "attack",
        Manner::Plain => "major action",
    };
    let more = [
        deal.what.map(|what| format!(": {}", what.as_str())),
        deal.on.map(|on| format!(" on {}", target(rules, on))),
        deal.end.map(|end| format!(", to leave them {}", rules.ending(end).name)),
        deal.ability.map(|ability| format!(", with {}", rules.power(ability).name)),
        deal.using.map(|boon| format!(", using {}", of.name_of(rules, boon))),
        deal.shake.map(|cause| format!(", to be rid of {}", cause_name(rules, cause))),
        deal.attribute.map(|attribute| format!(" with {attribute}")),
    ];
    what.to_owned() + &more.into_iter().flatten().collect::<String>()
}

pub(crate) fn cause_name(rules: &Rules, cause: Cause) -> &str {
    match cause {
        Cause::End(end) => &rules.ending(end).name,
        Cause::Ability(ability) => &rules.power(ability).name,
        Cause::Boon(boon) => &rules.boons[boon.index()].name,
    }
}

pub(crate) fn deed_words(at: At<'_>, deed: Deed) -> String {
    match deed {
        Deed::Other(name) => format!("does {}", name.as_str()),
        Deed::Recover(boon) => format!("gets {} back", at.state.name_of(at.rules, boon)),
        Deed::Ready(boon) => format!("takes {} into use", at.state.name_of(at.rules, boon)),
        Deed::Stow(boon) => format!("puts {} away", at.state.name_of(at.rules, boon)),
        Deed::Give { boon, to } => {
            format!("hands {} to {}", at.state.name_of(at.rules, boon), at.rules.name(to))
        }
        Deed::Shake(cause) => format!("shakes off {}", cause_name(at.rules, cause)),
        Deed::Go(zone) => format!("goes to {}", at.rules.zones[zone.index()].name),
    }
}

pub(crate) fn lost_words(at: At<'_>, lost: crate::answer::Lost) -> String {
    let names: Vec<&str> = lost.iter().map(|boon| at.state.name_of(at.rules, boon)).collect();
    if names.is_empty() { "which the player picks".to_owned() } else { names.join(" and ") }
}

pub(crate) fn tags_words(tags: TagSet) -> String {
    if tags.is_empty() {
        return "any kind of action".to_owned();
    }
    tags.iter().map(|tag| tag.word()).collect::<Vec<_>>().join(", ")
}

/// What a surprise leads to that does this to somebody.
fn surprise_leads(at: At<'_>, end: End, of: (Target, Option<Target>)) -> String {
    format!("at once, without a roll{}", after_colon(&end_would(at, end, of)))
}

pub(crate) fn guilt_words(at: At<'_>, who: Target, pick: GuiltPick) -> (String, String) {
    match pick {
        GuiltPick::FaultAbility(ally) => (
            format!("Fault Ability on {}", at.rules.name(ally)),
            "-2 on their rolls and no abilities through their next action".to_owned(),
        ),
        GuiltPick::LoseBoons(lost) => {
            (format!("Lose Boons: {}", lost_words(at, lost)), "common ones are gone for good".to_owned())
        }
        GuiltPick::RaiseRisk => {
            ("Raise Risk".to_owned(), "-2 on saves and hostile attention through the next action".to_owned())
        }
        GuiltPick::SufferSurprise { by, end } => (
            format!("Suffer Surprise: {} by {}", at.rules.ending(end).name, target(at.rules, by)),
            surprise_leads(at, end, (who, Some(by))),
        ),
    }
}

pub(crate) fn glory_words(at: At<'_>, who: Target, pick: GloryPick) -> (String, String) {
    let amount = at.rules.options.break_now;
    let thing = |boon| at.state.name_of(at.rules, boon);
    let holder = |boon| at.state.place(boon).holder.map_or("somebody", |who| at.rules.name(who));
    match pick {
        GloryPick::GrantAbility(ally) => (
            format!("Grant Ability to {}", at.rules.name(ally)),
            "+3 on their next roll with an ability".to_owned(),
        ),
        GloryPick::ControlBoons(Control::Improvise { name, rolls, tags, once }) => (
            format!("Control Boons: improvise {}", name.as_str()),
            if once {
                "used once, for what cannot be attempted without it".to_owned()
            } else {
                let attributes = boons::improvised(rolls, tags, once).attributes;
                let attributes: String = attributes.iter().map(|one| format!("{one} ")).collect();
                format!("+2 on {attributes}{rolls}s in {}, if the gamemaster agrees", tags_words(tags))
            },
        ),
        GloryPick::ControlBoons(Control::Steal(boon)) => {
            (format!("Control Boons: take {} from {}", thing(boon), holder(boon)), String::new())
        }
        GloryPick::ControlBoons(Control::Discard(boon)) => {
            (format!("Control Boons: rid {} of {}", holder(boon), thing(boon)), String::new())
        }
        GloryPick::BreakRisk(BreakMode::Next) => {
            let amount = at.rules.options.break_next;
            let leads = format!("+{amount} on all rolls through the next action");
            ("Break Risk, for what comes".to_owned(), leads)
        }
        GloryPick::BreakRisk(BreakMode::Now) => {
            ("Break Risk, now".to_owned(), format!("+{amount} on this action, and so {amount} degrees"))
        }
        GloryPick::SpringSurprise { on, end } => (
            format!("Spring Surprise: {} on {}", at.rules.ending(end).name, target(at.rules, on)),
            surprise_leads(at, end, (on, Some(who))),
        ),
    }
}

pub(crate) const fn ground_words(ground: Ground) -> &'static str {
    match ground {
        Ground::NothingFits => "none of the four is relevant here",
        Ground::FarApart => "actions are too far apart for one to weigh on the next",
    }
}

pub(crate) const fn fate_words(fate: Fate) -> &'static str {
    match fate {
        Fate::Good => "good fortune",
        Fate::Bad => "bad fortune",
    }
}

/// What was declared: "Ajira attacks the spy".
pub(crate) fn action_words(rules: &Rules, action: &Action) -> String {
    let who = rules.name(action.who);
    let does = match (action.kind, action.target) {
        (Kind::Test, Some(on)) if action.attack => format!("{who} attacks {}", target(rules, on)),
        (Kind::Test, Some(on)) => format!("{who} acts on {}", target(rules, on)),
        (Kind::Test, None) => format!("{who} acts"),
        (Kind::Save, Some(by)) if action.attack => format!("{who} defends against {}", target(rules, by)),
        (Kind::Save, by) => format!("{who} saves against {}", by.map_or("it", |by| target(rules, by))),
    };
    let left = |end: End| match action.kind {
        Kind::Test => format!(", to leave them {}", rules.ending(end).name),
        Kind::Save => format!(" ({})", rules.ending(end).name),
    };
    let shake = action.shake.filter(|_| action.kind == Kind::Test);
    let more = [
        action.what.map(|what| format!(" ({})", what.as_str())),
        action.end.map(left),
        action.ability.map(|ability| format!(", with {}", rules.power(ability).name)),
        shake.map(|cause| format!(", to be rid of {}", cause_name(rules, cause))),
    ];
    does + &more.into_iter().flatten().collect::<String>()
}

/// Who takes part again: "Ana and Bo take part again".
pub(crate) fn back_words(rules: &Rules, back: CharSet) -> String {
    let take = if back.len() == 1 { "takes" } else { "take" };
    format!("{} {take} part again", names(rules, back))
}

/// A Whisper's own words for a guilt or a glory.
pub(crate) fn own_words(rules: &Rules, by: Option<Ability>, at: usize) -> String {
    let text = by.and_then(|ability| rules.power(ability).words.get(at).copied().flatten());
    text.map_or(String::new(), |text| format!(" {}", rules.text(text)))
}
