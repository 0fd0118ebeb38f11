//! Names, numbers and results as every sentence has them.

use crate::answer::Recourses;
use crate::effect::{Against, Bought, Effect, Soak};
use crate::fiat::Setting;
use crate::rules::Rules;
use crate::state::{Attack, Check, Frame, Gait, Lie, Place, SideEffect, State, Why, With};
use crate::view::{is_players, knows_values, notices, sees, shows_check, shows_fight};
use crate::{At, check, values, vocab::*};
use fracas_kernel::{Clause, Label, Saying, Space, Told, Viewer};

/// What lists propose where somebody has words of their own.
pub(crate) const DEED: &str = "what I say";

/// The same as a label.
pub(crate) fn something() -> Label {
    DEED.parse().expect("a short plain text")
}

/// Whether these are words that a list proposed, and nobody's own.
pub(crate) fn is_proposed(words: &Label) -> bool {
    words.as_str() == DEED
}

/// Somebody's own words, before a full stop.
pub(crate) fn own(words: Label) -> String {
    if is_proposed(&words) {
        return "told by the player".to_owned();
    }
    let text = words.trim_end_matches(['.', '!', '?', ' ']);
    if text.is_empty() { words.to_string() } else { text.to_owned() }
}

/// A list of names: "Ana", "Ana and Bo", "Ana, Bo and Cy".
pub(crate) fn names(rules: &Rules, all: CharSet) -> String {
    listed(&all.iter().map(|who| rules.name(who)).collect::<Vec<_>>())
}

/// Somebody needs no roll: the mox is the trait, which of an enemy is hidden.
pub(crate) fn no_roll(at: At<'_>, who: Char, with: Trait, mox: i16, viewer: Viewer) -> Told {
    let mox = if knows_values(at, who, viewer) { format!(": mox {mox}") } else { String::new() };
    Told::new(format!("{} needs no roll with {}{mox}.", Saying(who, at), Saying(with, at)))
        .why(clause!("core.no-roll"))
}

/// Wounds and shocks: "2 wounds and 1 shock".
pub(crate) fn harm(wounds: u16, shocks: u16) -> String {
    match (wounds, shocks) {
        (wounds, 0) => count(wounds, "wound"),
        (0, shocks) => count(shocks, "shock"),
        _ => format!("{} and {}", count(wounds, "wound"), count(shocks, "shock")),
    }
}

/// Somebody of the Adversary's is noticed, with all that they carry, and what is known of their skills.
pub(crate) fn noticed(at: At<'_>, of: Char, viewer: Viewer) -> Told {
    let carried = |(n, place): (usize, &Place)| {
        let is_there = place.holder == of && matches!(place.lie, Lie::Hand | Lie::Carried);
        is_there.then(|| at.rules.weapons[n].name.as_str())
    };
    let mut arms: Vec<&str> = at.state.arms.iter().enumerate().filter_map(carried).collect();
    if knows_values(at, of, viewer) {
        arms.extend(at.rules.spells_of(of).map(|spell| at.rules.spell(spell).name.as_str()));
        let own = at.rules.manoeuvres.iter().filter(|data| data.owner == Some(of));
        arms.extend(own.map(|data| data.name.as_str()));
    }
    let with = if arms.is_empty() { String::new() } else { format!(", with {}", listed(&arms)) };
    Told::new(format!("{} is noticed{with}.", Saying(of, at))).why(clause!("perception.use.faint"))
}

fn listed(all: &[&str]) -> String {
    match all.split_last() {
        None => "nobody".to_owned(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// So many of something: "1 wound", "2 wounds".
pub(crate) fn count(n: u16, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// With its sign: "+3".
pub(crate) fn signed(by: i16) -> String {
    format!("{by:+}")
}

/// A space: the name of a place, or "C4", or "C4, the gate".
pub(crate) fn space(at: At<'_>, space: Space) -> String {
    let field = &at.rules.field;
    match (field.place_name(space), field.named(space)) {
        (Some(place), _) => place.to_owned(),
        (None, Some(name)) => format!("{space}, {name}"),
        (None, None) => space.to_string(),
    }
}

/// Where something lies.
pub(crate) fn lies(at: At<'_>, lie: Lie) -> String {
    match lie {
        Lie::Hand => "in hand".to_owned(),
        Lie::Carried => "carried".to_owned(),
        Lie::Dropped(there) => format!("at {}", space(at, there)),
        Lie::Gone => "gone".to_owned(),
    }
}

/// What is noticed with, in a sentence.
pub(crate) const fn sense(sense: Sense) -> &'static str {
    match sense {
        Sense::Sight => "sight",
        Sense::Hearing => "hearing",
        Sense::Smell => "smell",
        Sense::Intuition => "Intuition",
    }
}

/// A number of somebody's, in a sentence.
pub(crate) const fn value(value: Value) -> &'static str {
    match value {
        Value::Attack => "attacks",
        Value::Damage => "damage",
        Value::Dodge => "Dodge",
        Value::Parry => "Parry",
        Value::Defiance => "Defiance",
        Value::Protection => "Protection",
        Value::Movement => "Movement",
        Value::Checks => "checks",
    }
}

pub(crate) const fn defence(with: Defence) -> &'static str {
    match with {
        Defence::Dodge => "Dodge",
        Defence::Parry => "Parry",
        Defence::Defiance => "Defiance",
    }
}

/// What an attack is made with, after "with": "Sword", "bare hands".
pub(crate) fn with_what(at: At<'_>, with: With) -> String {
    match with {
        With::BareHands => "bare hands".to_owned(),
        With::Weapon(weapon) => Saying(weapon, at).to_string(),
        With::Spell(spell) => Saying(spell, at).to_string(),
        With::Manoeuvre(manoeuvre) => Saying(manoeuvre, at).to_string(),
    }
}

/// Two dice and what is added: "2d6 + 7".
pub(crate) fn dice(bonus: i16) -> String {
    match bonus {
        0 => "2d6".to_owned(),
        1.. => format!("2d6 + {bonus}"),
        _ => format!("2d6 - {}", bonus.unsigned_abs()),
    }
}

/// A challenge level with its name, where it has one: "9 (fair)".
pub(crate) fn level(level: i16) -> String {
    match LEVELS.iter().find(|(named, _)| i16::from(*named) == level) {
        Some((_, name)) => format!("{level} ({name})"),
        None => level.to_string(),
    }
}

/// How long something takes: "twice the usual time".
pub(crate) fn time(time: Time) -> String {
    match (time.0, time.1) {
        (taken, usual) if taken == usual => "the usual time".to_owned(),
        (2, 1) => "twice the usual time".to_owned(),
        (times, 1) => format!("{times} times the usual time"),
        (1, 2) => "half the usual time".to_owned(),
        (1, 4) => "a quarter of the usual time".to_owned(),
        (1, 8) => "an eighth of the usual time".to_owned(),
        (taken, usual) => format!("{taken}/{usual} of the usual time"),
    }
}

// ---- The scene and checks.

/// Somebody must check something: with the challenge level, where the viewer may know it.
pub(crate) fn called(
    at: At<'_>,
    (who, with): (Char, Trait),
    level: i16,
    combat: bool,
    viewer: Viewer,
) -> Told {
    let noticing = !combat && notices(with);
    let shows = viewer.is_gm() || State::shows_level(at.rules, noticing);
    let against = if shows { format!(" against {}", self::level(level)) } else { String::new() };
    Told::new(format!("{} checks {}{against}.", Saying(who, at), Saying(with, at))).why(clause!("core.check"))
}

/// Somebody takes longer, or rushes.
pub(crate) fn takes_time(at: At<'_>, who: Char, taken: Time) -> Told {
    let (who, words) = (Saying(who, at), time(taken));
    match (taken.bonus(), taken.halvings()) {
        (0, 0) => Told::new(format!("{who} takes {words}.")).why(clause!("time.normal")),
        (0, n) => {
            let harder = 3 * u16::from(n);
            Told::new(format!("{who} rushes, and takes {words}: {harder} harder.")).why(clause!("time.rush"))
        }
        (bonus, _) => Told::new(format!("{who} takes {words}: +{bonus}.")).why(clause!("time.extra.applies")),
    }
}

/// How a check came out.
pub(crate) fn came(
    at: At<'_>,
    (who, with): (Char, Trait),
    (total, level): (i16, i16),
    mox: i16,
    natural: bool,
    passed: bool,
) -> Told {
    let (who, with) = (Saying(who, at), Saying(with, at));
    let text = match (passed, natural) {
        (true, false) => format!("{who} passes with {with}: {total} against {level}, mox {mox}."),
        (true, true) => {
            format!("The dice show 12: {who} passes with {with}, {total} against {level}, mox {mox}.")
        }
        (false, false) => format!("{who} fails with {with}: {total} against {level}."),
        (false, true) => format!("The dice show 2: {who} fails with {with}, {total} against {level}."),
    };
    Told::new(text).why(match (passed, natural) {
        (_, false) => clause!("core.success"),
        (true, true) => clause!("core.twelve"),
        (false, true) => clause!("core.two"),
    })
}

/// What the player of somebody who noticed nothing is told.
pub(crate) fn nothing(at: At<'_>, who: Char, with: Trait) -> Told {
    let (verb, clause) = match with {
        Trait::INTUITION => ("senses", clause!("intuition.use")),
        _ => ("notices", clause!("perception.use.faint")),
    };
    Told::new(format!("{} {verb} nothing.", Saying(who, at))).why(clause).begun()
}

/// What comes to somebody through Intuition.
pub(crate) fn hint(at: At<'_>, who: Char, what: Label) -> Told {
    Told::new(format!("A hint for {}: {}.", Saying(who, at), own(what))).why(clause!("intuition.plot"))
}

/// A setting of the table is another one.
pub(crate) fn setting(setting: Setting) -> Told {
    let found = crate::RULEBOOK.options().find(|(clause, _)| clause.id() == setting.id);
    let question = found.map_or(setting.id, |(_, option)| option.question);
    let words = |word: &str| word.replace('-', " ");
    let (was, is) = (words(setting.was), words(setting.is));
    let told = Told::new(format!("By the Adversary's word: {question} Now {is}; before {was}."));
    found.map_or(told.clone(), |(clause, _)| told.why(clause))
}

// ---- Battles, rounds, turns.

/// Somebody's initiative.
pub(crate) fn initiative(at: At<'_>, who: Char, score: i16, rolled: bool) -> Told {
    let who = Saying(who, at);
    match rolled {
        true => Told::new(format!("{who} rolls {score} for initiative.")).why(clause!("init.value")),
        false => Told::new(format!("{who} has an initiative of {score}.")).why(clause!("init.enemy")),
    }
}

/// What somebody waits for, after "until": "a foe has moved".
pub(crate) fn wire(at: At<'_>, wire: Wire) -> String {
    match wire {
        Wire::Moved => "a foe has moved".to_owned(),
        Wire::Moves => "a foe enters any space".to_owned(),
        Wire::Near { of: None, within } => format!("a foe comes within {}", count(within.into(), "space")),
        Wire::Near { of: Some(of), within } => {
            format!("a foe comes within {} of {}", count(within.into(), "space"), Saying(of, at))
        }
        Wire::Enters(there) => format!("a foe enters {}", space(at, there)),
    }
}

/// The same of somebody, with the strike that is prepared.
pub(crate) fn waits_for(at: At<'_>, who: Char) -> String {
    let fighting = at.state.fighting(who);
    let trap = fighting.trap.reveal().map(|weapon| format!(", then strikes with {}", Saying(weapon, at)));
    format!("until {}{}", wire(at, *fighting.wire.reveal()), trap.unwrap_or_default())
}

// ---- Moves.

/// Somebody's footing fails.
pub(crate) fn slips(at: At<'_>, who: Char) -> Told {
    Told::new(format!("{} slips, and the move ends.", Saying(who, at))).why(clause!("jump-fail"))
}

// ---- Deeds.

/// How many actions something takes.
pub(crate) fn takes(at: At<'_>, who: Char, actions: u8) -> Told {
    let cost = count(actions.into(), "action");
    let (more, clause) = match actions {
        0 => ("", clause!("action.minor")),
        1 => ("", clause!("action.major")),
        _ => (", over several turns if need be", clause!("action.long")),
    };
    Told::new(format!("That takes {} {cost}{more}.", Saying(who, at))).why(clause)
}

/// Somebody goes on with something that takes several actions.
pub(crate) fn works(at: At<'_>, who: Char, left: u8) -> Told {
    let who = Saying(who, at);
    let rest = count(left.into(), "action");
    let text = match left {
        0 => format!("{who} goes on with it, and it is done: {rest} left."),
        _ => format!("{who} goes on with it: {rest} left."),
    };
    Told::new(text).why(clause!("action.long"))
}

// ---- Attacks.

/// An attack is announced.
pub(crate) fn attacks(at: At<'_>, (who, on): (Char, Char), with: With, thrown: bool) -> Told {
    Told::new(format!("{}.", attack_words(at, (who, on), with, thrown))).why(match with {
        With::Spell(_) => clause!("action.spell"),
        With::Weapon(_) if thrown => clause!("range.thrown"),
        _ => clause!("attack.strike"),
    })
}

/// "Juk strikes at the thug with Sword".
pub(crate) fn attack_words(at: At<'_>, (by, on): (Char, Char), with: With, thrown: bool) -> String {
    let (who, what) = (Saying(by, at), with_what(at, with));
    let at_whom = |word: &str| if by == on { String::new() } else { format!(" {word} {}", Saying(on, at)) };
    match with {
        With::Spell(_) => format!("{who} casts {what}{}", at_whom("on")),
        With::Manoeuvre(_) => format!("{who} uses {what}{}", at_whom("on")),
        With::Weapon(_) if thrown => format!("{who} throws {what}{}", at_whom("at")),
        With::Weapon(weapon) if !at.rules.arm(weapon).uses.has(Use::Melee) => {
            format!("{who} shoots{} with {what}", at_whom("at"))
        }
        With::Weapon(_) | With::BareHands => format!("{who} strikes{} with {what}", at_whom("at")),
    }
}

/// What giving up actions brings: "+3 to Dodge and Parry", "Duck: prone".
pub(crate) fn bought(at: At<'_>, (defend, resist): (u8, u8), own: Recourses) -> String {
    let defended = at.rules.options.defended(defend);
    let parts = [(defended, "Dodge and Parry"), (3 * i16::from(resist), "Defiance")].into_iter();
    let parts = parts.filter(|(more, _)| *more > 0).map(|(more, what)| format!("+{more} to {what}"));
    let own = own.as_slice().iter().map(|&recourse| {
        let what = match at.rules.recourse(recourse).buys {
            Bought::Bonus { value: of, by } => format!("+{by} to {}", value(of)),
            Bought::Prone => "prone".to_owned(),
            Bought::Step => "a step aside".to_owned(),
        };
        format!("{}: {what}", Saying(recourse, at))
    });
    parts.chain(own).collect::<Vec<_>>().join(", ")
}

/// Somebody gives up actions for a better defence.
pub(crate) fn aborts(at: At<'_>, who: Char, (defend, resist): (u8, u8), own: Recourses) -> Told {
    let actions = count(u16::from(defend) + u16::from(resist) + own.as_slice().len() as u16, "action");
    let words = bought(at, (defend, resist), own);
    Told::new(format!("{} Aborts, and gives up {actions}: {words}.", Saying(who, at)))
        .why(clause!("abort.bonus"))
}

/// The dice of an attack are due: what is added, and what is to be reached, as far as the viewer may know.
pub(crate) fn rolls(
    at: At<'_>,
    (who, on): (Char, Char),
    bonus: i16,
    level: i16,
    unaware: bool,
    viewer: Viewer,
) -> Told {
    let shows = shows_fight(at, viewer);
    let added = shows || is_players(at.rules, who) || knows_values(at, who, viewer);
    let thrown = if added { dice(bonus) } else { dice(0) };
    let against = if shows { format!(" against {level}") } else { String::new() };
    let (by, clause) =
        (Saying(who, at), if unaware { clause!("surprise.flat") } else { clause!("attack.roll") });
    let taken = if unaware { format!(": {} does not see it coming", Saying(on, at)) } else { String::new() };
    Told::new(format!("{by} rolls {thrown}{against}{taken}.")).why(clause)
}

pub(crate) fn hits(at: At<'_>, (who, on): (Char, Char), mox: i16, natural: bool) -> Told {
    let does = landed(at, who, on);
    match natural {
        true => Told::new(format!("The dice show 12: {does}, mox {mox}.")).why(clause!("core.twelve")),
        false => Told::new(format!("{does}: mox {mox}.")).why(clause!("attack.roll")),
    }
}

fn landed(at: At<'_>, who: Char, on: Char) -> String {
    if who == on {
        format!("{} succeeds", Saying(who, at))
    } else {
        format!("{} hits {}", Saying(who, at), Saying(on, at))
    }
}

pub(crate) fn misses(at: At<'_>, (who, on): (Char, Char), natural: bool) -> Told {
    let by = Saying(who, at);
    let does = if who == on { format!("{by} fails") } else { format!("{by} misses {}", Saying(on, at)) };
    match natural {
        true => Told::new(format!("The dice show 2: {does}.")).why(clause!("core.two")),
        false => Told::new(format!("{does}.")).why(clause!("attack.roll")),
    }
}

/// Another part of a sum: " + 21", " - 2".
fn plus(n: i16) -> String {
    if n < 0 { format!(" - {}", n.unsigned_abs()) } else { format!(" + {n}") }
}

/// The wounds of a hit by their parts; what protects the target only to those who know its numbers.
pub(crate) fn damage(
    at: At<'_>,
    (who, on): (Char, Char),
    (mox, base): (i16, i16),
    momentum: i16,
    protection: i16,
    wounds: u16,
    viewer: Viewer,
) -> Told {
    let charge = if momentum == 0 { String::new() } else { format!(" + momentum {momentum}") };
    let less = match knows_values(at, on, viewer) {
        true => format!("Protection {protection}"),
        false => format!("what protects {}", Saying(on, at)),
    };
    let (by, base, wounds) = (Saying(who, at), plus(base), count(wounds, "wound"));
    Told::new(format!("The blow of {by}: mox {mox}{base}{charge}, less {less}: {wounds}."))
        .why(clause!("damage.formula"))
}

/// Somebody is killed, or loses the mind for good.
pub(crate) fn dies(at: At<'_>, who: Char) -> Told {
    let dead = at.rules.sheet(who).track.unwrap_or(at.rules.track).dead;
    let by = Saying(who, at);
    if at.state.being(who).wounds < dead {
        return Told::new(format!("The mind of {by} is lost for good.")).why(clause!("injury.shock"));
    }
    Told::new(format!("{by} dies.")).why(clause!("injury.death"))
}

/// A side effect of a strike is called for.
pub(crate) fn calls_effect(at: At<'_>, (who, on): (Char, Char), effect: SideEffect) -> Told {
    let (who, on) = (Saying(who, at), Saying(on, at));
    let text = match effect {
        SideEffect::None => format!("{who} calls for no side effect."),
        SideEffect::Disarm => format!("{who} would disarm {on} by the strike."),
        SideEffect::Trip => format!("{who} would trip {on} by the strike."),
        SideEffect::Other(words) => format!("{who} would do more to {on} by the strike: {}.", own(words)),
    };
    Told::new(text).why(clause!("attack.strike.side-effect"))
}

/// What becomes of it.
pub(crate) fn effect_ruled(at: At<'_>, who: Char, allowed: bool, instead: bool) -> Told {
    let who = Saying(who, at);
    let text = match (allowed, instead) {
        (false, _) => format!("The strike of {who} has no side effect."),
        (true, true) => format!("The side effect of {who}'s strike comes about, and no wounds."),
        (true, false) => format!("The side effect of {who}'s strike comes about, and the wounds too."),
    };
    Told::new(text).why(clause!("attack.strike.side-effect"))
}

/// An effect that has come about.
pub(crate) fn effect(at: At<'_>, on: Char, effect: Effect) -> Told {
    let who = Saying(on, at);
    let text = match effect {
        Effect::Wounds { .. } => format!("{who} is wounded."),
        Effect::Shocks { .. } => format!("The mind of {who} is hurt."),
        Effect::Prone => format!("{who} is prone."),
        Effect::Drop => format!("{who} drops what is in hand."),
        Effect::Held => format!("{who} is held, and cannot move until the next round."),
        Effect::Asleep => format!("{who} falls asleep."),
        Effect::Change { value: of, by } => {
            format!("{who} has {by:+} to {} until the next round.", value(of))
        }
        Effect::Thrown(_) => format!("{who} is thrown to {}.", space(at, at.state.being(on).at)),
        Effect::Told => format!("What else becomes of {who} is told."),
    };
    Told::new(text).why(match effect {
        Effect::Asleep => clause!("perception.sleep.not-unconscious"),
        Effect::Change { .. } => clause!("modifier.expiry"),
        Effect::Prone => clause!("prone.fall"),
        _ => clause!("action.spell.list"),
    })
}

// ---- Spells, manoeuvres and what is under way.

/// What spells and manoeuvres do, in short: "wounds: mox + 9, less Protection; prone".
pub(crate) fn effects(all: &[Effect]) -> String {
    let harm = |what: &str, (power, brawn): (i16, bool), soak: Soak| {
        let brawn = if brawn { " + Brawn" } else { "" };
        let power = if power == 0 { String::new() } else { plus(power) };
        let less = match soak {
            Soak::Protection => ", less Protection",
            Soak::Fortitude => ", less Fortitude",
            Soak::Nothing => "",
        };
        format!("{what}: mox{brawn}{power}{less}")
    };
    let words = all.iter().map(|&effect| match effect {
        Effect::Wounds { power, brawn, soak } => harm("wounds", (power, brawn), soak),
        Effect::Shocks { power, soak } => harm("shocks", (power, false), soak),
        Effect::Prone => "prone".to_owned(),
        Effect::Drop => "drops what is in hand".to_owned(),
        Effect::Held => "held: cannot move until the next round".to_owned(),
        Effect::Asleep => "asleep".to_owned(),
        Effect::Change { value: of, by } => format!("{by:+} to {} until the next round", value(of)),
        Effect::Thrown(spaces) => format!("thrown back {}", count(spaces.into(), "space")),
        Effect::Told => "as the table tells it".to_owned(),
    });
    words.collect::<Vec<_>>().join("; ")
}

/// What is rolled against.
pub(crate) fn against(at: At<'_>, against: Against) -> String {
    match against {
        Against::Body => "Dodge or Parry".to_owned(),
        Against::Only(with) => defence(with).to_owned(),
        Against::Trait(of) => format!("{} + 7", Saying(of, at)),
        Against::Level(n) => n.to_string(),
        Against::Nothing => "nothing".to_owned(),
    }
}

/// What a sacrifice is worth that somebody made this round, with its clause.
pub(crate) fn sacrifices(at: At<'_>, who: Char) -> impl Iterator<Item = (String, Clause)> {
    let fighting = at.state.fighting(who);
    let all = [
        (fighting.aim, 3, "the next attack", clause!("option.aim")),
        (fighting.defend, 3, "Dodge and Parry", clause!("option.defend")),
        (fighting.haymaker, 10, "the next melee damage", clause!("option.haymaker")),
        (fighting.resist, 3, "Defiance", clause!("option.resist")),
        (fighting.look, 3, "Perception", clause!("option.look")),
    ];
    let words = |(n, each, what, clause): (u8, u16, &str, Clause)| {
        (format!("+{} {what}", each * u16::from(n)), clause)
    };
    all.into_iter().filter(|(n, ..)| *n > 0).map(words)
}

/// Something under way, for a viewer who sees it.
pub(crate) fn under_way(at: At<'_>, frame: &Frame, viewer: Viewer) -> Option<String> {
    let seen = |who: Char| sees(at, who, viewer);
    Some(match frame {
        Frame::Walk(walk) if !seen(walk.who) => return None,
        Frame::Walk(walk) => {
            let verb = match walk.gait {
                Gait::Charge => "charges",
                Gait::Leap => "leaps",
                Gait::Move | Gait::Step | Gait::Aside => "moves",
            };
            format!("{} {verb}", Saying(walk.who, at))
        }
        Frame::Attack(Attack { by, on, .. }) if !seen(*by) && !seen(*on) => return None,
        Frame::Attack(attack) => attack_words(at, (attack.by, attack.on), attack.with, attack.thrown),
        Frame::Check(check) if !viewer.is_gm() && (check.secret || !seen(check.who)) => return None,
        Frame::Check(check) => check_words(at, check),
        // Who may cut in is the business of those who are asked.
        Frame::Cut(_) => return None,
        Frame::Deed(deed) if !seen(deed.who) => return None,
        Frame::Deed(deed) => format!("{}: {}", Saying(deed.who, at), own(deed.what)),
        Frame::Initiative(_) => "initiative".to_owned(),
        Frame::RollOff(_) => "a roll-off for who goes first".to_owned(),
        Frame::Chase(_) => "the chase".to_owned(),
        Frame::Rest(..) => "a day's rest".to_owned(),
    })
}

/// What somebody checks: "Ana checks hearing".
pub(crate) fn check_words(at: At<'_>, check: &Check) -> String {
    let who = Saying(check.who, at);
    match check.why {
        Why::Notice { sense: with, .. } => format!("{who} checks {}", sense(with)),
        Why::Recover => format!("{who} recovers, with {}", Saying(check.with, at)),
        Why::Jump(to) => format!("{who} leaps to {}, with {}", space(at, to), Saying(check.with, at)),
        Why::Footing(kind) => {
            let ground = at.rules.ground(kind).map_or("the ground", |ground| ground.name.as_str());
            format!("{who} minds the footing ({ground}), with {}", Saying(check.with, at))
        }
        Why::Tried(what) if !is_proposed(&what) => {
            format!("{who} checks {} ({})", Saying(check.with, at), own(what))
        }
        Why::Feel(on) => {
            format!("{who} feels what {} feels, with {}", Saying(on, at), Saying(check.with, at))
        }
        Why::Called | Why::Tried(_) => format!("{who} checks {}", Saying(check.with, at)),
    }
}

/// Why dice are due: who rolls what, against what, as far as the viewer may know.
pub(crate) fn roll(at: At<'_>, viewer: Viewer) -> Told {
    match at.state.frames.last() {
        Some(Frame::Attack(attack)) => attack_roll(at, attack, viewer),
        Some(Frame::Check(check)) if !viewer.is_gm() && (check.secret || !sees(at, check.who, viewer)) => {
            Told::new("the dice are the Adversary's").why(clause!("info.adversary"))
        }
        Some(Frame::Check(check)) => {
            let knows = is_players(at.rules, check.who) || knows_values(at, check.who, viewer);
            let shows = shows_check(at, check, viewer);
            let thrown = dice(if knows || shows { check::bonus(at, check) } else { 0 });
            let against =
                if shows { format!(" against {}", level(check::challenge(check))) } else { String::new() };
            Told::new(format!("{}: {thrown}{against}", check_words(at, check))).why(clause!("core.check"))
        }
        Some(Frame::Initiative(all)) => {
            let bonus = |who| values::rolled(at, who, Trait::PERCEPTION);
            of_all(at, *all, "initiative", bonus).why(clause!("init.roll"))
        }
        Some(Frame::RollOff(all)) => {
            of_all(at, *all, "goes first by the higher roll", |_| 0).why(clause!("init-tie"))
        }
        Some(Frame::Chase(all)) => {
            let knows = |who| is_players(at.rules, who) || knows_values(at, who, viewer);
            let bonus = |who| if knows(who) { values::rolled(at, who, Trait::ATHLETE) } else { 0 };
            of_all(at, *all, "the chase", bonus).why(clause!("chase.roll"))
        }
        _ => Told::new("dice are due").why(clause!("core.check")),
    }
}

/// The roll of the first of several.
fn of_all(at: At<'_>, all: CharSet, what: &str, bonus: impl Fn(Char) -> i16) -> Told {
    let Some(who) = all.first() else { return Told::new(what) };
    Told::new(format!("{}, {what}: {}", Saying(who, at), dice(bonus(who))))
}

fn attack_roll(at: At<'_>, attack: &Attack, viewer: Viewer) -> Told {
    let shows = shows_fight(at, viewer);
    let added = shows || is_players(at.rules, attack.by) || knows_values(at, attack.by, viewer);
    let thrown = dice(if added { values::attack_bonus(at, attack) } else { 0 });
    let reached = values::challenge(at, attack).filter(|_| shows);
    let reached = reached.map(|level| format!(" against {level}")).unwrap_or_default();
    let words = attack_words(at, (attack.by, attack.on), attack.with, attack.thrown);
    let clause = if attack.unaware { clause!("surprise.flat") } else { clause!("attack.roll") };
    Told::new(format!("{words}: {thrown}{reached}")).why(clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str) -> Label {
        text.parse().expect("a label")
    }

    #[test]
    fn own_words_end_where_the_sentence_does() {
        for (words, said) in [
            ("kick the table over", "kick the table over"),
            ("Look out!", "Look out"),
            ("well...", "well"),
            ("?!", "?!"),
            (DEED, "told by the player"),
        ] {
            assert_eq!(own(label(words)), said);
        }
        assert!(is_proposed(&something()) && !is_proposed(&label("climb")));
    }

    #[test]
    fn numbers_stand_with_their_nouns_and_signs() {
        assert_eq!([0, 1, 2].map(|n| count(n, "wound")), ["0 wounds", "1 wound", "2 wounds"]);
        assert_eq!([-2, 3].map(signed), ["-2", "+3"]);
        assert_eq!([-1, 0, 7].map(dice), ["2d6 - 1", "2d6", "2d6 + 7"]);
        assert_eq!([9, 10, 21].map(level), ["9 (fair)", "10", "21 (inconceivable)"]);
    }

    #[test]
    fn times_are_shares_of_the_usual_one() {
        for (taken, words) in [
            (Time(1, 1), "the usual time"),
            (Time(2, 1), "twice the usual time"),
            (Time(4, 1), "4 times the usual time"),
            (Time(1, 2), "half the usual time"),
            (Time(3, 4), "3/4 of the usual time"),
        ] {
            assert_eq!(time(taken), words);
        }
    }

    #[test]
    fn effects_say_what_is_taken_off() {
        let burns = Effect::Wounds { power: 9, brawn: false, soak: Soak::Protection };
        let pushes = Effect::Wounds { power: 0, brawn: true, soak: Soak::Nothing };
        assert_eq!(effects(&[burns, Effect::Prone]), "wounds: mox + 9, less Protection; prone");
        assert_eq!(effects(&[pushes]), "wounds: mox + Brawn");
        assert_eq!(effects(&[]), "");
    }
}
