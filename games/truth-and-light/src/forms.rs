//! The forms of what the gamemaster may overrule.

use crate::{At, TruthAndLight, rules::Rules, state::Lie, vocab::*, words::phrases::cause_name};
use fracas_kernel::Game;
use fracas_kernel::form::{Field, Form, Newcomer, Pick};

/// Everybody who is so, each with what else there is to know of them.
fn people(rules: &Rules, which: impl Fn(Char) -> bool, about: impl Fn(Char) -> String) -> Vec<Pick> {
    let pick = |who| {
        let (name, about) = (rules.name(who), about(who));
        Pick::of(&who, if about.is_empty() { name.to_owned() } else { format!("{name} ({about})") })
    };
    (0..rules.cast.len()).map(|n| Char(n as u8)).filter(|&who| which(who)).map(pick).collect()
}

/// Every boon there is, by whose it is.
fn boons(at: At<'_>) -> Vec<Pick> {
    let there = |boon: Boon| boon.index() >= SPARES || at.state.made[boon.index()].is_some();
    let pick = |boon: Boon| {
        let gear = &at.rules.boons[boon.index()];
        let of = gear.owner.map_or("anybody's", |owner| at.rules.name(owner));
        Pick::of(&boon, gear.name.clone()).among(of.to_owned())
    };
    let mut all: Vec<Pick> =
        (0..at.rules.boons.len()).map(|n| Boon(n as u8)).filter(|&boon| there(boon)).map(pick).collect();
    all.sort_by(|a, b| a.group.cmp(&b.group));
    all
}

/// What lasts on anybody, each cause once.
fn causes(at: At<'_>) -> Vec<Pick> {
    let mut all: Vec<Pick> = Vec::new();
    for cause in at.state.live.iter().filter_map(|live| live.from.cause()) {
        let pick = Pick::of(&cause, cause_name(at.rules, cause).to_owned());
        if !all.contains(&pick) {
            all.push(pick);
        }
    }
    all
}

/// The forms that bring somebody in.
fn newcomers(rules: &Rules) -> Vec<Form> {
    let most = u32::from(rules.options.highest_rank);
    let ranks = [
        ("attributes.beauty", "Beauty"),
        ("attributes.strength", "Strength"),
        ("attributes.wisdom", "Wisdom"),
        ("attributes.honor", "Honor"),
        ("attributes.valor", "Valor"),
        ("attributes.initiative", "Initiative"),
    ];
    let boons =
        || Field::many("carries", "Carries", Pick::library(&rules.roster.library, "boon")).or("nothing");
    let mut players = vec![Field::text("writhing", "Writhing", "never waits")];
    players.extend(ranks.map(|(key, label)| Field::number(key, label, 0..=most).or("0")));
    players.push(boons());
    Form::joins(
        &rules.roster.library,
        "npc",
        Newcomer {
            name: "Late Guard",
            sheet: vec![Field::number("pn", "Power number", 6..=16), boons()],
            more: "traits = [\"armored\"]",
        },
        Newcomer { name: "Latecomer", sheet: players, more: "class = \"Ferrier\"" },
    )
}

/// The forms of [`crate::fiat::Fiat`], those that are wanted most often first.
#[allow(clippy::too_many_lines, reason = "a list, one form after the other")]
pub(crate) fn fiats(at: At<'_>) -> Vec<Form> {
    let nothing = |_: Char| String::new();
    let anybody = |key, label| Field::one(key, label, people(at.rules, |_| true, nothing));
    let those = |label, which: &dyn Fn(Char) -> bool, about: &dyn Fn(Char) -> String| {
        Field::one("who", label, people(at.rules, which, about))
    };
    let everybody = |_: Char| true;
    let is_pc = |who: Char| at.rules.is_pc(who);
    let is_npc = |who: Char| !at.rules.is_pc(who);
    let being = |who: Char| at.state.being(who);
    let left = |who: Char| {
        let tracks = at.rules.tracks.iter().enumerate().filter(|(n, _)| at.rules.sheet(who).tracks[*n] > 0);
        let tracks = tracks.map(|(n, track)| format!("{} {}", track.name, being(who).tracks[n]));
        tracks.collect::<Vec<_>>().join(", ")
    };
    let said = |is: bool, words: &str| if is { words.to_owned() } else { String::new() };
    let out = |who: Char| said(being(who).out, "out");
    let away = |who: Char| said(being(who).away, "elsewhere");
    let known = |who: Char| said(at.state.known.has(who), "known");
    let unaware = |who: Char| said(being(who).unaware, "has not noticed");
    let power = |who: Char| format!("now {}", being(who).pn);
    let fortunes = |who: Char| format!("good {}, bad {}", being(who).good.now, being(who).bad.now);
    let held = |who: Char| said(being(who).die.held, "has one");
    let last = |who: Char| being(who).last.map_or_else(String::new, |glory| glory.word().replace('-', " "));
    let widest = at.rules.cast.iter().flat_map(|sheet| sheet.tracks).max().unwrap_or(0);
    let tracks =
        at.rules.tracks.iter().enumerate().map(|(n, track)| Pick::of(&Track(n as u8), track.name.clone()));
    let hazard = |(n, peril): (usize, &crate::rules::Peril)| {
        let hazard = Hazard(n as u8);
        let there = if at.state.hazards.has(hazard) { " (present)" } else { "" };
        Pick::of(&hazard, format!("{}{there}", peril.name))
    };
    let ends = at.rules.ends.iter().enumerate().map(|(n, end)| Pick::of(&End(n as u8), end.name.clone()));
    let lies = vec![
        Pick::of(&Lie::InUse, "in use"),
        Pick::of(&Lie::Kept, "kept, not in use"),
        Pick::of(&Lie::Lost, "lost: a minor action regains it"),
        Pick::of(&Lie::Gone, "out of play"),
    ];
    let turns = vec![
        Pick::of(&Turns::Free, "the gamemaster gives the floor"),
        Pick::of(&Turns::Alternate, "in rounds: the players' side, then the other"),
        Pick::of(&Turns::TruthCall, "as the Truth of the last test says"),
    ];
    let mut forms =
        vec![
            Form::new("track", "Set what is left of a track")
                .with(those("Whose", &|who| at.rules.sheet(who).tracks.iter().any(|&size| size > 0), &left))
                .with(Field::one("track", "Track", tracks.collect()))
                .with(Field::number("left", "Left", 0..=u32::from(widest))),
            Form::new("out", "Out of the conflict, or back in")
                .with(those("Who", &everybody, &out))
                .with(Field::yes("out", "Is", "out", "in again")),
            Form::new("end", "Do a contested end to somebody")
                .help("Without a roll.")
                .with(anybody("on", "To"))
                .with(Field::one("end", "End", ends.collect()))
                .with(anybody("by", "By").or("nobody in particular"))
                .with(Field::number("degrees", "Degrees, for damage", 0..=20).or("none")),
            Form::new("lift", "End what lasts on somebody")
                .with(anybody("who", "On"))
                .with(Field::one("from", "What comes from", causes(at)).or("everything")),
            Form::new("power", "Set a power number")
                .with(those("Whose", &is_npc, &power))
                .with(Field::number("pn", "Power number", 6..=16)),
            Form::new("boon", "Put a boon somewhere")
                .with(Field::one("boon", "Boon", boons(at)))
                .with(anybody("holder", "Who has it, or lost it"))
                .with(Field::one("lie", "It is", lies)),
        ];
    forms.extend(newcomers(at.rules));
    forms.extend([
        Form::new("away", "Out of the scene, or back")
            .with(those("Who", &everybody, &away))
            .with(Field::yes("away", "Is", "elsewhere", "here")),
        Form::new("aware", "Whether one of yours has noticed")
            .with(those("Who", &is_npc, &unaware))
            .with(Field::yes("aware", "Has", "noticed what goes on", "not noticed")),
        Form::new("known", "Whether the players know a power number")
            .help("Where numbers are hidden.")
            .with(those("Whose", &is_npc, &known))
            .with(Field::yes("known", "It is", "known", "not known")),
        Form::new("fortune", "Set good or bad fortunes")
            .with(those("Whose", &is_pc, &fortunes))
            .with(Field::one("fate", "Fortunes", Pick::words(Fate::WORDS)))
            .with(Field::number("now", "For this scene", 0..=9))
            .with(Field::number("next", "For the next", 0..=9).or("none")),
        Form::new("die", "Give a writhing die, or take it")
            .with(those("Who", &is_pc, &held))
            .with(Field::yes("held", "Has", "one in hand", "none")),
        Form::new("last", "Set the last glory picked")
            .with(those("Whose", &is_pc, &last))
            .with(Field::one("glory", "Glory", Pick::words(Glory::WORDS)).or("none: every one is free")),
        Form::new("hazard", "Bring a hazard in, or remove it")
            .with(Field::one("hazard", "Hazard", at.rules.hazards.iter().enumerate().map(hazard).collect()))
            .with(Field::yes("present", "It is", "present", "not present")),
        Form::new("scene", "Set the scene's number").open().help("Without ending it.").with(Field::number(
            "",
            "Scene",
            1..=u16::MAX.into(),
        )),
        Form::new("turns", "Say who acts when").open().with(Field::one("", "Turns", turns)),
        Form::new("option", "Change a setting of the table")
            .open()
            .with(Field::options(TruthAndLight::rulebook(), &at.rules.options.words())),
        Form::new("cancel", "Drop what is under way")
            .open()
            .help("Nothing comes of it, and what went into it comes back."),
    ]);
    forms
}
