//! The forms of what the Adversary may overrule.

use crate::fiat::Keep;
use crate::state::Phase;
use crate::words::{lies, names, sense, space, value};
use crate::{At, RuinsAndRaiders, rules::Rules, vocab::*};
use fracas_kernel::form::{Field, Form, Newcomer, Pick};
use fracas_kernel::{Game, Seat, Space};

/// Everybody who is so, each with what else there is to know of them.
fn people(rules: &Rules, which: impl Fn(Char) -> bool, about: impl Fn(Char) -> String) -> Vec<Pick> {
    let pick = |who| {
        let (name, about) = (rules.name(who), about(who));
        Pick::of(&who, if about.is_empty() { name.to_owned() } else { format!("{name} ({about})") })
    };
    rules.everybody().filter(|&who| which(who)).map(pick).collect()
}

/// Every weapon, by who has it.
fn weapons(at: At<'_>) -> Vec<Pick> {
    let pick = |weapon: Weapon| {
        let (arm, place) = (at.rules.arm(weapon), at.state.place(weapon));
        let words = format!("{} ({})", arm.name, lies(at, place.lie));
        (place.holder, Pick::of(&weapon, words).among(at.rules.name(place.holder).to_owned()))
    };
    let mut all: Vec<(Char, Pick)> = (0..at.rules.weapons.len() as u8).map(|n| pick(Weapon(n))).collect();
    all.sort_by_key(|(holder, _)| *holder);
    all.into_iter().map(|(_, pick)| pick).collect()
}

/// Where somebody can be put: places by their names; a space of a map is written.
fn spaces(at: At<'_>) -> Field {
    let field = &at.rules.field;
    if field.is_grid() {
        return Field::text("at", "Space, by column and row", "A1");
    }
    let all = (0..usize::from(field.columns())).filter_map(Space::of_index);
    Field::one("at", "Place", all.map(|there| Pick::of(&there, space(at, there))).collect())
}

/// Numbers that can be below 0.
fn signed(most: i8) -> Vec<Pick> {
    (-most..=most).rev().map(|by| Pick::new(by, format!("{by:+}"))).collect()
}

/// The forms that bring somebody in.
fn newcomers(rules: &Rules) -> Vec<Form> {
    let levels = || {
        [
            ("traits.brawn", "Brawn"),
            ("traits.fortitude", "Fortitude"),
            ("traits.perception", "Perception"),
            ("traits.warrior", "Warrior"),
            ("traits.archer", "Archer"),
            ("traits.athlete", "Athlete"),
        ]
        .map(|(key, label)| Field::number(key, label, 0..=MAX_LEVEL.into()).or("0"))
        .to_vec()
    };
    Form::joins(
        &rules.roster.library,
        "npc",
        Newcomer { name: "Late Guard", sheet: levels(), more: "unseen = true" },
        Newcomer { name: "Latecomer", sheet: levels(), more: "fortune = 3" },
    )
}

/// The forms of what the Adversary calls for, with any number and anybody.
fn calls(at: At<'_>) -> Vec<Form> {
    let nothing = |_: Char| String::new();
    let here = |who: Char| at.state.is_here(who) && !at.rules.mounts.has(who);
    let hidden = |who: Char| at.state.being(who).unseen && at.state.is_here(who);
    let traits = at.rules.traits.iter().enumerate();
    let traits = traits.map(|(n, named)| Pick::of(&Trait(n as u8), named.name.clone())).collect();
    let who = || Field::one("who", "Who", people(at.rules, here, nothing));
    let level = || Field::number("level", "Challenge level", 0..=60);
    let harder = Field::number("harder", "Harder for conditions by", 0..=30);
    let of = Field::one("of", "Somebody unseen", people(at.rules, hidden, nothing));
    vec![
        Form::new("check", "Call for a check")
            .help("While nothing else is under way.")
            .with(who())
            .with(Field::one("with", "Trait or skill", traits))
            .with(level()),
        Form::new("notice", "Call for a check to notice something")
            .help("While nothing else is under way.")
            .with(who())
            .with(Field::one("sense", "By", Sense::ALL.iter().map(|of| Pick::of(of, sense(*of))).collect()))
            .with(level())
            .with(harder.or("0"))
            .with(of.or("nobody"))
            .with(
                Field::yes("secret", "The dice are", "yours, in secret", "the player's").or("the player's"),
            ),
        Form::new("battle", "A conflict begins")
            .help("Who acts first does so in round zero. Who is surprised can do nothing in it.")
            .with(Field::many("first", "Who acts first", people(at.rules, here, nothing)).or("nobody"))
            .with(Field::many("surprised", "Who is surprised", people(at.rules, here, nothing)).or("nobody")),
    ]
}

/// The forms of [`crate::fiat::Fiat`], those that are wanted most often first.
#[allow(clippy::too_many_lines, reason = "a list, one form after the other")]
pub(crate) fn fiats(at: At<'_>) -> Vec<Form> {
    let being = |who: Char| at.state.being(who);
    let those = |label, which: &dyn Fn(Char) -> bool, about: &dyn Fn(Char) -> String| {
        Field::one("who", label, people(at.rules, which, about))
    };
    let said = |is: bool, words: &str| if is { words.to_owned() } else { String::new() };
    let everybody = |_: Char| true;
    let nothing = |_: Char| String::new();
    let theirs = |who: Char| at.rules.seat(who) == Seat::Gm;
    let rides = |who: Char| !at.rules.mounts.has(who);
    let carries = |who: Char| at.rules.mounts.has(who);
    let fights = |who: Char| at.state.phase == Phase::Battle && at.state.fighting(who).turn != Turn::Out;
    let wounds = |who: Char| format!("now {}", being(who).wounds);
    let shocks = |who: Char| format!("now {}", being(who).shocks);
    let fortune = |who: Char| format!("now {}", being(who).fortune);
    let experience = |who: Char| format!("now {}", being(who).experience);
    let stands = |who: Char| space(at, being(who).at);
    let prone = |who: Char| said(being(who).prone, "prone");
    let asleep = |who: Char| said(being(who).asleep, "asleep");
    let unaware = |who: Char| said(being(who).unaware, "unaware");
    let unseen = |who: Char| said(being(who).unseen, "not noticed");
    let away = |who: Char| said(being(who).away, "away");
    let revealed = |who: Char| said(being(who).revealed, "known");
    let out = |who: Char| said(being(who).out, "out");
    let weary = |who: Char| said(being(who).weary, "has had a hard day");
    let actions = |who: Char| format!("{} left", at.state.fighting(who).actions);
    let shift = |who: Char| {
        let fighting = at.state.fighting(who);
        format!("now {:+}", if at.state.round == 0 { fighting.ahead } else { fighting.shift })
    };
    let riding = |who: Char| {
        being(who)
            .riding
            .map_or_else(String::new, |mount| format!("on {}", names(at.rules, CharSet::one(mount))))
    };
    let traits =
        at.rules.traits.iter().enumerate().map(|(n, named)| Pick::of(&Trait(n as u8), named.name.clone()));
    let values = Value::ALL.iter().map(|of| Pick::of(of, value(*of)));
    let keeps = vec![
        Pick::of(&Keep::Hand, "in hand"),
        Pick::of(&Keep::Carried, "carried"),
        Pick::of(&Keep::Dropped, "on the ground where they stand"),
        Pick::of(&Keep::Gone, "out of play"),
    ];
    let harm = 0..=u32::from(MAX_WOUNDS);
    let mut forms = calls(at);
    forms.extend([
        Form::new("wounds", "Set somebody's wounds")
            .with(those("Whose", &everybody, &wounds))
            .with(Field::number("wounds", "Wounds", harm.clone())),
        Form::new("place", "Put somebody somewhere")
            .help("With who rides on them, or carries them.")
            .with(those("Who", &everybody, &stands))
            .with(spaces(at)),
        Form::new("unseen", "Whether players have noticed one of yours")
            .with(those("Who", &theirs, &unseen))
            .with(Field::yes("unseen", "Is", "not noticed", "noticed")),
        Form::new("revealed", "Whether players know the numbers of one of yours")
            .with(those("Whose", &theirs, &revealed))
            .with(Field::yes("revealed", "They are", "known", "not known")),
        Form::new("aware", "Whether somebody is aware of those against them")
            .with(those("Who", &everybody, &unaware))
            .with(Field::yes("aware", "Is", "aware", "unaware")),
        Form::new("prone", "Bring somebody down, or up")
            .with(those("Who", &everybody, &prone))
            .with(Field::yes("prone", "Is", "prone", "standing")),
        Form::new("change", "Change a number until the next round")
            .with(those("Whose", &fights, &nothing))
            .with(Field::one("value", "Number", values.collect()))
            .with(Field::one("by", "By", signed(20))),
        Form::new("actions", "Set the actions left this round")
            .with(those("Whose", &fights, &actions))
            .with(Field::number("actions", "Actions", 0..=2)),
        Form::new("shift", "Change somebody's initiative this round")
            .help("In round zero: that of the first round.")
            .with(those("Whose", &fights, &shift))
            .with(Field::one("by", "By", signed(20))),
        Form::new("trick", "A trick helps the next attack")
            .help("On somebody of lesser fighting skill, and once on each.")
            .with(those("Whose", &fights, &nothing))
            .with(Field::one("on", "On", people(at.rules, fights, nothing)))
            .with(Field::number("by", "It adds", 1..=20)),
        Form::new("weapon", "Give somebody a weapon")
            .with(Field::one("weapon", "Weapon", weapons(at)))
            .with(Field::one("holder", "Who has it, or had it last", people(at.rules, everybody, nothing)))
            .with(Field::one("lie", "It is", keeps)),
        Form::new("fortune", "Set somebody's Fortune")
            .with(those("Whose", &everybody, &fortune))
            .with(Field::number("fortune", "Fortune", 0..=MAX_FORTUNE.into())),
        Form::new("shocks", "Set somebody's shocks")
            .with(those("Whose", &everybody, &shocks))
            .with(Field::number("shocks", "Shocks", harm)),
    ]);
    forms.extend(newcomers(at.rules));
    forms.extend([
        Form::new("away", "Out of the scene, or back")
            .with(those("Who", &everybody, &away))
            .with(Field::yes("away", "Is", "away", "here")),
        Form::new("out", "Out of the fight, or in again")
            .with(those("Who", &everybody, &out))
            .with(Field::yes("out", "Is", "out", "in again")),
        Form::new("asleep", "Put somebody to sleep, or wake them")
            .with(those("Who", &everybody, &asleep))
            .with(Field::yes("asleep", "Is", "asleep", "awake")),
        Form::new("ride", "Put somebody on a mount, or on foot")
            .with(those("Who", &rides, &riding))
            .with(Field::one("mount", "Mount", people(at.rules, carries, nothing)).or("none: on foot")),
        Form::new("level", "Set a trait or a skill")
            .with(those("Whose", &everybody, &nothing))
            .with(Field::one("what", "Trait or skill", traits.collect()))
            .with(Field::number("level", "Level", 0..=MAX_LEVEL.into())),
        Form::new("experience", "Set somebody's experience points")
            .with(those("Whose", &everybody, &experience))
            .with(Field::number("experience", "Experience points", 0..=99_999)),
        Form::new("rested", "Let somebody recover after a hard day").with(those("Who", &everybody, &weary)),
        Form::new("option", "Change a setting of the table")
            .open()
            .with(Field::options(RuinsAndRaiders::rulebook(), &at.rules.options.words())),
        Form::new("cancel", "Drop what is under way")
            .open()
            .help("Nothing comes of it; what it cost is spent."),
    ]);
    forms
}
