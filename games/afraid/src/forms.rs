//! The forms of what the gamemaster may overrule.

use crate::state::{Fate, Stage};
use crate::view::{item_name, name};
use crate::{Afraid, At, dice::TOP, rules::Rules, setup::MOST_DICE, vocab::*};
use fracas_kernel::Game;
use fracas_kernel::form::{Field, Form, Newcomer, Pick};

/// Everybody there is who is so, each with what else there is to know of them.
fn people(at: At<'_>, which: impl Fn(Char) -> bool, about: impl Fn(Char) -> String) -> Vec<Pick> {
    let all = (0..MAX_CAST + MAX_NEWCOMERS).map(|n| Char(n as u8));
    let pick = |who| {
        let (name, about) = (name(at, who), about(who));
        Pick::of(&who, if about.is_empty() { name.to_owned() } else { format!("{name} ({about})") })
    };
    all.filter(|&who| at.state.knows(who) && which(who)).map(pick).collect()
}

/// The scenes other than the current one, by the characters in them.
fn scenes(at: At<'_>) -> Vec<Pick> {
    let others = (0..).zip(&at.state.scenes).filter(|(n, _)| *n != at.state.now);
    others.map(|(n, scene): (u8, _)| Pick::of(&n, crate::words::names(at, scene.present))).collect()
}

/// What stands on sheets, by whose it is, with its dice.
fn things(at: At<'_>) -> Vec<Pick> {
    let pick = |(item, thing): (Item, &crate::state::Thing)| {
        let (called, gone) = (item_name(at, item), if thing.lost { ", struck off" } else { "" });
        let words = format!("{called} ({} {}{gone})", thing.sort, thing.rating);
        Pick::of(&item, words).among(name(at, thing.owner).to_owned())
    };
    let mut all: Vec<Pick> = at.state.things().map(pick).collect();
    all.sort_by(|a, b| a.group.cmp(&b.group));
    all
}

/// The monster's writeup, each fact cut short.
fn facts(at: At<'_>) -> Vec<Pick> {
    let pick = |(n, fact): (usize, &crate::rules::Writeup)| {
        let fact_id = Fact(n as u8);
        let text: String = fact.text.chars().take(60).collect();
        let more = if fact.text.chars().count() > 60 { "…" } else { "" };
        let known = if at.state.known.has(fact_id) { "known" } else { "not known" };
        Pick::of(&fact_id, format!("{text}{more} ({known})"))
    };
    at.rules.facts.iter().enumerate().map(pick).collect()
}

/// The forms that bring somebody in.
fn newcomers(rules: &Rules) -> Vec<Form> {
    let stats = || {
        let each = [
            ("stats.acuity", "Acuity, in d6s"),
            ("stats.body", "Body, in d6s"),
            ("stats.heart", "Heart, in d6s"),
            ("stats.will", "Will, in d6s"),
        ];
        each.map(|(key, label)| Field::number(key, label, 0..=u32::from(MOST_DICE))).to_vec()
    };
    let origins = rules.backgrounds.iter().map(|origin| Pick::new(&*origin.name, origin.name.clone()));
    let mut players = vec![Field::one("background", "Background", origins.collect()).or("none")];
    players.extend(stats());
    Form::joins(
        &rules.roster.library,
        "npc",
        Newcomer { name: "Passer-by", sheet: stats(), more: "tie = \"bystander\"\nsecret = \"Saw it.\"" },
        Newcomer { name: "Ines", sheet: players, more: "unassigned = \"1d8 2d6\"" },
    )
}

/// The forms of [`crate::fiat::Fiat`], those that are wanted most often first.
pub(crate) fn fiats(at: At<'_>) -> Vec<Form> {
    let running = at.state.conflict().filter(|conflict| conflict.stage == Stage::Running);
    let fights = |who| running.is_some_and(|conflict| conflict.part(who).is_some());
    let banks = |who| running.is_some_and(|conflict| conflict.binds(who));
    let nothing = |_| String::new();
    let those = |label, which: &dyn Fn(Char) -> bool, about: &dyn Fn(Char) -> String| {
        Field::one("who", label, people(at, which, about))
    };
    let sheets = |label, about: &dyn Fn(Char) -> String| those(label, &|who| at.state.has_sheet(who), about);
    let stats = |who: Char| {
        let all =
            Stat::ALL.iter().map(|&stat| format!("{stat} {}", at.state.being(who).stats[stat as usize]));
        all.collect::<Vec<_>>().join(", ")
    };
    let true_of = |who: Char| {
        let all =
            at.state.being(who).circumstances.iter().map(|it: Circumstance| it.word().replace('-', " "));
        all.collect::<Vec<_>>().join(", ")
    };
    let unassigned = |who: Char| {
        let dice = at.state.being(who).unassigned;
        if dice.is_empty() { String::new() } else { dice.to_string() }
    };
    let alive = |who: Char| match at.state.being(who).fate {
        Fate::Living => String::new(),
        Fate::Dead => "dead".to_owned(),
    };
    let here = |who: Char| match at.state.scene() {
        Some(scene) if scene.present.has(who) => "here".to_owned(),
        _ => String::new(),
    };
    let members = |who: Char| format!("now {}", at.state.members(who));
    let need = |who: Char| match at.state.being(who).need {
        Some(need) => format!("requires it: {}", need.dice),
        None => String::new(),
    };
    let mut forms = vec![
        Form::new("circumstance", "Make a circumstance true or false")
            .with(sheets("Whose", &true_of))
            .with(Field::one("circumstance", "Circumstance", Pick::words(Circumstance::WORDS)))
            .with(Field::yes("on", "It is", "true", "false")),
        Form::new("gain", "Put something on a sheet")
            .with(sheets("Whose", &nothing))
            .with(Field::one("sort", "What", Pick::words(Sort::WORDS)))
            .with(Field::text("name", "Called", "Quick"))
            .with(Field::text("dice", "Dice", "1d6")),
        Form::new("thing", "Change the dice of something, or strike it off")
            .with(Field::one("item", "What", things(at)))
            .with(Field::text("dice", "Dice", "2d8").or("strike it off")),
        Form::new("stat", "Set a stat")
            .with(sheets("Whose", &stats))
            .with(Field::one("stat", "Stat", Pick::words(Stat::WORDS)))
            .with(Field::number("dice", "d6s", 0..=20)),
        Form::new("hand", "Set the dice in somebody's hand")
            .help("In a conflict that is being fought in this scene. These dice replace the whole hand.")
            .with(those("Whose", &fights, &nothing))
            .with(Field::numbers("faces", "What they show", 1..=u32::from(TOP)).or_empty("no dice")),
        Form::new("bank", "Set somebody's fallout dice")
            .help("In a conflict that is being fought in this scene, the victim of first aid included.")
            .with(those("Whose", &banks, &nothing))
            .with(Field::text("dice", "Dice", "3d8").or_empty("none")),
        Form::new("unassigned", "Set unassigned relationship dice")
            .with(sheets("Whose", &unassigned))
            .with(Field::text("dice", "Dice", "1d8 2d6").or_empty("none")),
        Form::new("need", "Have somebody require first aid")
            .with(sheets("Who", &need))
            .with(Field::text("dice", "The injury's dice", "4d8").or("no longer")),
        Form::new("fate", "Say whether somebody lives")
            .help("Nobody dies or rises in a conflict: end it, or drop it, first.")
            .with(those("Who", &|who| !at.state.is_bound(who), &alive))
            .with(Field::one(
                "fate",
                "Is",
                vec![Pick::of(&Fate::Dead, "dead"), Pick::of(&Fate::Living, "alive")],
            )),
        Form::new("present", "Bring somebody into this scene, or send them out")
            .with(those("Who", &|who| !at.state.is_bound(who), &here))
            .with(Field::yes("there", "Is", "here", "not here")),
        Form::new("scene", "Go on to another scene")
            .help("A conflict here waits as it stands.")
            .with(Field::one("to", "Which", scenes(at))),
        Form::new("members", "Set how many a group has")
            .with(those("Which", &|who| at.state.is_group(who), &members))
            .with(Field::number("members", "Members", 1..=20)),
        Form::new("known", "Have the players know a fact, or forget it")
            .with(Field::one("fact", "Fact", facts(at)))
            .with(Field::yes("known", "It is", "known", "not known")),
    ];
    forms.extend(newcomers(at.rules));
    forms.extend([
        Form::new("option", "Change a setting of the table")
            .open()
            .with(Field::options(Afraid::rulebook(), &at.rules.options.words())),
        Form::new("cancel", "Drop the conflict in this scene").help("Nobody has won."),
    ]);
    forms
}
