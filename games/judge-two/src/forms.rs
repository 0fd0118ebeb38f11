//! The forms of what the gamemaster may overrule, and of standing replies.

use crate::rules::{Omen, Rules};
use crate::{At, JudgeTwo, risk::MOST_RISK, state::Fate, vocab::*, words::fate_words};
use fracas_kernel::Game;
use fracas_kernel::form::{Field, Form, Newcomer, Pick};

/// Those of a set, each with what else there is to know of them.
fn people(rules: &Rules, of: CharSet, about: impl Fn(Char) -> String) -> Vec<Pick> {
    let pick = |who: Char| {
        let sheet = rules.sheet(who);
        let about = about(who);
        let words = if about.is_empty() { sheet.name.clone() } else { format!("{} ({about})", sheet.name) };
        Pick::of(&who, words)
    };
    of.iter().map(pick).collect()
}

fn everybody(rules: &Rules) -> CharSet {
    (0..rules.cast.len()).map(|n| Char(n as u8)).collect()
}

/// Everything that can be put somewhere, by whose it is.
fn things(at: At<'_>) -> Vec<Pick> {
    let mut all: Vec<Pick> = (0..at.rules.gear.len())
        .map(|n| {
            let item = Item(n as u8);
            let gear = at.rules.gear(item);
            let loose = at.rules.scripts.has(item) || at.rules.improvised.has(item);
            let group = if loose { "anybody's" } else { at.rules.name(at.state.place(item).holder) };
            Pick::of(&item, gear.name.clone()).among(group.to_owned())
        })
        .collect();
    all.sort_by(|a, b| a.group.cmp(&b.group));
    all
}

/// What a fate is in JSON, and in words.
fn fates() -> Vec<Pick> {
    let plain = [Fate::In, Fate::Away, Fate::Dead].map(|fate| (fate, fate_words(fate)));
    let finished = Finisher::ALL.iter().map(|&finisher| (Fate::Finished(finisher), finisher.word()));
    let pick = |(fate, words): (Fate, &'static str)| {
        let words = if words.is_empty() { "in play" } else { words };
        let group = if matches!(fate, Fate::Finished(_)) { "finished in this conflict" } else { "" };
        Pick::of(&fate, words.replace('-', " ")).among(group)
    };
    plain.into_iter().chain(finished).map(pick).collect()
}

/// The forms that bring somebody in.
fn newcomers(rules: &Rules) -> Vec<Form> {
    let ranks = [
        ("attributes.arm", "Arm"),
        ("attributes.breath", "Breath"),
        ("attributes.eyes", "Eyes"),
        ("attributes.feet", "Feet"),
        ("attributes.guts", "Guts"),
        ("attributes.hands", "Hands"),
        ("attributes.nose", "Nose"),
        ("attributes.spirit", "Spirit"),
        ("attributes.tongue", "Tongue"),
    ];
    let carries =
        || Field::many("carries", "Carries", Pick::library(&rules.roster.library, "boon")).or("nothing");
    let foes = vec![
        Field::one("kind", "Kind", Pick::words(&Kind::WORDS[1..])),
        Field::number("pl", "Power level", 4..=8),
        Field::one("omen.threat", "Omen: this threat succeeds", Pick::words(Threat::WORDS))
            .or("none: only a nemesis has one"),
        Field::one("side", "On whose side", vec![Pick::new(0, "the players'"), Pick::new(7, "against them")])
            .or("against them"),
        carries(),
    ];
    let mut players = vec![
        Field::one("people", "Kind of mortal", Pick::words(People::WORDS)).or("not said"),
        Field::one("class", "Class", Pick::library(&rules.roster.library, "class")).or("none"),
    ];
    players.extend(ranks.map(|(key, label)| Field::number(key, label, 0..=3).or("0")));
    players.push(carries());
    Form::joins(
        &rules.roster.library,
        "foe",
        Newcomer { name: "Late Levy", sheet: foes, more: "resolve = 1" },
        Newcomer { name: "Oren", sheet: players, more: "faith = 2" },
    )
}

/// The forms of [`crate::fiat::Fiat`], those that are wanted most often first.
#[allow(clippy::too_many_lines, reason = "a list, one form after the other")]
pub(crate) fn fiats(at: At<'_>) -> Vec<Form> {
    let all = everybody(at.rules);
    let anybody = |key, label| Field::one(key, label, people(at.rules, all, |_| String::new()));
    let who = |label| anybody("who", label);
    let those = |label, of: CharSet, about: &dyn Fn(Char) -> String| {
        Field::one("who", label, people(at.rules, of, about))
    };
    let being = |who| at.state.being(who);
    let nothing = |_: Char| String::new();
    let risk = |who: Char| format!("now {}", being(who).risk);
    let fate = |who: Char| fate_words(being(who).fate).to_owned();
    let side = |who: Char| format!("now {}", being(who).side);
    let marks =
        |who: Char| being(who).marks.iter().map(|mark: Mark| mark.word()).collect::<Vec<_>>().join(", ");
    let risky = all.minus(at.rules.brutes);
    let shuvin: CharSet = all.iter().filter(|&who| at.rules.sheet(who).shuvin).collect();
    let ruled: CharSet = all.iter().filter(|&who| at.rules.sheet(who).omen == Some(Omen::Ruled)).collect();
    let tiers = vec![
        Pick::new("low", "low: 2 risk"),
        Pick::new("mid", "mid: 3 risk"),
        Pick::new("high", "high: the finisher chosen below"),
    ];
    let physical =
        vec![Pick::new(false, "something else"), Pick::new(true, "a physical attack: it counts for fading")];
    let threats = Threat::WORDS.iter().filter(|(_, threat)| *threat != Threat::Disarm);
    let threats = threats.map(|(word, _)| Pick::new(*word, *word)).collect();
    let yes = |id, title, whom, [key, label, yes, no]: [&'static str; 4]| {
        Form::new(id, title).with(who(whom)).with(Field::yes(key, label, yes, no))
    };
    let mut forms = vec![
        Form::new("risk", "Set somebody's risk")
            .help("A brute never has risk.")
            .with(those("Whose", risky, &risk))
            .with(Field::number("risk", "Risk", 0..=u32::from(MOST_RISK))),
        Form::new("mark", "Give or lift a mark")
            .with(those("Whose", all, &marks))
            .with(Field::one("mark", "Mark", Pick::words(Mark::WORDS)))
            .with(Field::yes("on", "It is", "given", "lifted"))
            .with(Field::one("physical", "Of", physical)),
        yes("weaken", "Weaken somebody, or end it", "Whom", ["on", "They are", "weakened", "weakened no longer"]),
        Form::new("misdirect", "Misdirect somebody, or end it")
            .with(who("Whom"))
            .with(anybody("by", "By"))
            .with(Field::yes("on", "They are", "misdirected", "misdirected no longer")),
        Form::new("bind", "Entangle two, or free somebody")
            .with(who("Whom"))
            .with(anybody("with", "With").or("nobody: free them")),
        Form::new("fate", "Say whether somebody takes part")
            .with(those("Who", all, &fate))
            .with(Field::one("fate", "Is", fates())),
        Form::new("item", "Put something somewhere")
            .with(Field::one("item", "What", things(at)))
            .with(anybody("holder", "Who has it, or had it last"))
            .with(Field::one(
                "lie",
                "It is",
                vec![
                    Pick::new("readied", "readied"),
                    Pick::new("carried", "carried, not readied"),
                    Pick::new("ground", "on the ground, within reach"),
                    Pick::new("gone", "out of play"),
                ],
            ))
            .with(
                Field::yes("disarmed", "Disarmed", "it counts as disarmed", "it does not")
                    .or("as usual: a boon on the ground is"),
            ),
        Form::new("strike", "Apply a tier without a roll")
            .help("As when two of the gamemaster's own meet. A disarm names its item: put it somewhere instead.")
            .with(anybody("on", "On"))
            .with(Field::one("tier", "Tier", tiers))
            .with(anybody("by", "By").or("nobody in particular"))
            .with(Field::many("threats", "Threats", threats).or("none"))
            .with(Field::one("mark", "Mark", Pick::words(Mark::WORDS)).or("none"))
            .with(Field::one("finisher", "Finisher", Pick::words(Finisher::WORDS)).or("none")),
    ];
    forms.extend(newcomers(at.rules));
    forms.extend([
        Form::new("side", "Change sides")
            .help("Equal numbers are allies.")
            .with(those("Who", all, &side))
            .with(Field::number("side", "Side", 0..=7)),
        yes("apart", "Too far off to guard, or near", "Who", ["apart", "Is", "too far off to guard", "near"]),
        Form::new("range", "How far two are from each other")
            .with(who("One"))
            .with(anybody("of", "The other"))
            .with(Field::one("range", "Distance", Pick::words(Band::WORDS))),
        Form::new("aware", "Whether somebody has noticed somebody")
            .with(who("Who"))
            .with(anybody("of", "Of whom"))
            .with(Field::yes("aware", "They have", "noticed", "not noticed")),
        Form::new("heed", "Whether somebody pays attention to somebody")
            .with(who("Who"))
            .with(anybody("of", "To whom"))
            .with(Field::yes("heeds", "They", "hear and see them", "pay no attention")),
        Form::new("footing", "On something to be knocked off")
            .help("A ladder, a rope, a bridge; swimming or climbing.")
            .with(who("Who"))
            .with(Field::yes("on", "They are", "on it", "on firm ground")),
        yes("composure", "Give composure, or take it", "Who", ["has", "They have", "composure", "lost it"]),
        yes(
            "burden",
            "Burden somebody, or end it",
            "Whom",
            ["on", "They are", "burdened", "burdened no longer"],
        ),
        Form::new("seems", "How wealthy somebody seems")
            .with(who("Who"))
            .with(Field::number("wealth", "Apparent wealth", 0..=9).or("as it is"))
            .with(Field::number("following", "Following", 0..=99).or("as it is")),
        Form::new("disguise", "Into a disguise, or out of it")
            .help("With nothing filled in, they are seen for who they are.")
            .with(who("Whom"))
            .with(Field::one("disguise.people", "Kind of mortal", Pick::words(People::WORDS)).or("their own"))
            .with(Field::one("disguise.gender", "Gender", Pick::words(Gender::WORDS)).or("their own"))
            .with(Field::number("disguise.wealth", "Wealth", 0..=9).or("their own"))
            .with(
                Field::yes("disguise.priest", "Cult", "a priest of a royal cult", "no priest")
                    .or("as they are"),
            ),
        Form::new("reveal", "Have a shuvin known, or forgotten")
            .with(those("Who", shuvin, &nothing))
            .with(Field::yes("known", "They are", "known for a shuvin", "known no longer"))
            .with(Field::many("to", "To", people(at.rules, all, nothing)).or("everybody present"))
            .with(Field::yes("riven", "Glowing manna", "spills", "does not spill").or("as it is")),
        Form::new("dispose", "How somebody is disposed").with(who("Who")).with(Field::one(
            "to",
            "Is",
            Pick::words(Disposition::WORDS),
        )),
        Form::new("rest", "Have somebody rest alone").with(who("Who")).with(Field::one(
            "rest",
            "Rest",
            Pick::words(Rest::WORDS),
        )),
        Form::new("omen", "Declare an omen met, or not")
            .help("Where the omen is the gamemaster's to rule.")
            .with(those("Whose", ruled, &nothing))
            .with(Field::yes("met", "It is", "met", "not met")),
        Form::new("option", "Change a setting of the table")
            .open()
            .with(Field::options(JudgeTwo::rulebook(), &at.rules.options.words())),
        Form::new("cancel", "Drop what is under way")
            .open()
            .help("The turn is dropped too, as if it had not begun."),
    ]);
    forms
}
