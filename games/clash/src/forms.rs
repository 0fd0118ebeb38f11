//! The forms of what the Director may overrule.

use crate::{At, Clash, rules::Rules, vocab::*, words::effect_words};
use fracas_kernel::{
    Game,
    form::{Field, Form, Newcomer, Pick},
};
use serde_json::json;

/// Everybody who is so, each with what else there is to know of them.
fn people(at: At<'_>, which: impl Fn(Char) -> bool, about: impl Fn(Char) -> String) -> Vec<Pick> {
    let pick = |who| {
        let (name, about) = (&at.rules.sheet(who).name, about(who));
        Pick::of(&who, if about.is_empty() { name.clone() } else { format!("{name} ({about})") })
    };
    at.rules.everybody().filter(|&who| which(who)).map(pick).collect()
}

/// What people have, numbered from 1 for each.
fn numbered(at: At<'_>, all: &[(Char, String)]) -> Vec<Pick> {
    let pick = |(n, (who, words)): (usize, &(Char, String))| {
        let number = 1 + all[..n].iter().filter(|(other, _)| other == who).count();
        Pick::new(json!({ "who": who, "number": number }), words.clone())
            .among(at.rules.sheet(*who).name.clone())
    };
    all.iter().enumerate().map(pick).collect()
}

/// A new character's sheet, as in a file.
const NEW_SHEET: &str = "personalities = { passion = 6, oddity = 4 }
core = [\"edge\", \"star\"]
trait = [{ name = \"Duellist\", rank = \"major\" }, { name = \"Late\" }, { name = \"In Debt\" }]
skill = [
    { name = \"Flourish\", symbol = \"edge\", rank = \"major\" },
    { name = \"Banter\", symbol = \"lips\" },
    { name = \"Pounce\", symbol = \"key\" },
]";

/// The forms that bring somebody in.
fn newcomers(rules: &Rules) -> Vec<Form> {
    let items = || Field::many("items", "Items", Pick::library(&rules.roster.library, "item")).or("nothing");
    let own = vec![
        Field::number("wp.major", "Major Will Points", 0..=99),
        Field::number("wp.minor", "Minor Will Points", 0..=99),
        items(),
    ];
    Form::joins(
        &rules.roster.library,
        "npc",
        Newcomer { name: "Late Constable", sheet: own, more: "personalities = { determination = 3 }" },
        Newcomer { name: "Latecomer", sheet: vec![items()], more: NEW_SHEET },
    )
}

/// The forms of [`crate::fiat::Fiat`], those that are wanted most often first.
#[allow(clippy::too_many_lines, reason = "a list, one form after the other")]
pub(crate) fn fiats(at: At<'_>) -> Vec<Form> {
    let body = |who: Char| at.state.body(who);
    let nothing = |_: Char| String::new();
    let said = |is: bool, words: &str| if is { words.to_owned() } else { String::new() };
    let those = |label, which: &dyn Fn(Char) -> bool, about: &dyn Fn(Char) -> String| {
        Field::one("who", label, people(at, which, about))
    };
    let everybody = |_: Char| true;
    let anybody = || those("Who", &everybody, &nothing);
    let is_pc = |who: Char| at.rules.is_pc(who);
    let prepares = |who: Char| at.rules.sheet(who).preparation > 0;
    let concentrates = |who: Char| at.state.concentration(who).is_some();
    let casters = || people(at, concentrates, nothing);
    let will = |who: Char| format!("Major {}, Minor {}", body(who).major, body(who).minor);
    let lost =
        |who: Char| format!("{} of {} lost", body(who).preparation_lost, at.rules.sheet(who).preparation);
    let away = |who: Char| said(!body(who).here, "away");
    let dead = |who: Char| said(body(who).dead, "dead");
    let dodged = |who: Char| said(body(who).dodged, "Dodge attempted");
    let warned = |who: Char| said(at.state.warned.has(who), "warned");
    let grips: Vec<(Char, String)> =
        at.state.grips.iter().map(|grip| (grip.loser, grip.cause.to_string())).collect();
    let lives: Vec<(Char, String)> =
        at.state.live.iter().map(|live| (live.on, effect_words(live.effect))).collect();
    let ranks = || vec![Pick::of(&Rank::Major, "Major"), Pick::of(&Rank::Minor, "Minor")];
    let sides = || vec![Pick::of(&Side::Party, "the party"), Pick::of(&Side::Foes, "the Director's")];
    let values = (-10..=10).rev().map(|value: i8| Pick::new(value, value.to_string())).collect();
    let symbols = || Symbol::ALL.iter().map(|symbol| Pick::of(symbol, symbol.title())).collect();
    let of = |who: Option<Char>| who.map_or("nobody's".to_owned(), |who| at.rules.sheet(who).name.clone());
    let items = at.rules.every_item().map(|item| {
        Pick::of(&item, at.rules.item(item).name.clone()).among(of(at.state.items[item.index()].owner))
    });
    let items: Vec<Pick> = items.collect();
    let traits = at.rules.everybody().flat_map(|who| at.state.traits_of(who).map(move |id| (who, id)));
    let traits = traits
        .map(|(who, id)| Pick::of(&id, at.state.trait_name(at.rules, id).to_owned()).among(of(Some(who))));
    let traits: Vec<Pick> = traits.collect();
    let elements = items.iter().chain(&traits).cloned().collect();
    let made = (MAX_PROPS..MAX_PROPS + at.state.made_props.len()).map(|n| Prop(n as u8));
    let props = (0..at.rules.props.len() as u8).map(Prop).chain(made).map(|prop| {
        let away = if at.state.props[prop.index()].here { "" } else { " (not here)" };
        Pick::of(&prop, format!("{}{away}", crate::words::prop(at, prop)))
    });
    let abilities = at.rules.every_ability().map(|ability| {
        let data = at.rules.ability(ability);
        let met = if at.state.met >> ability.0 & 1 != 0 { " (known)" } else { "" };
        Pick::of(&ability, format!("{}{met}", data.name))
    });
    let secrets = at.rules.every_secret().map(|secret| {
        let data = at.rules.secret(secret);
        let learnt = if at.state.learnt >> secret.0 & 1 != 0 { " (learnt)" } else { "" };
        Pick::of(&secret, format!("{}{learnt}", data.text)).among(crate::words::target(at, data.of))
    });
    let rolls = at.state.made.iter().zip(1u8..).map(|(made, number)| {
        let how = if made.passed { "passed" } else { "failed" };
        Pick::new(number, format!("{}: {} ({how})", at.rules.sheet(made.who).name, crate::words::tried(made)))
    });
    let widest = at.rules.cast.iter().map(|sheet| sheet.major).max().unwrap_or(0);
    let preparation = at.rules.cast.iter().map(|sheet| sheet.preparation).max().unwrap_or(0);
    let alterations = Pick::words(Alteration::WORDS);
    let mut forms = vec![
        Form::new("warn", "Warn of a Death Roll")
            .help("Before a player commits to what may lead to one.")
            .with(those("Whom", &is_pc, &warned))
            .with(Field::yes("warned", "They are", "warned", "no longer warned")),
        Form::new("will", "Set Will Points")
            .with(those("Whose", &everybody, &will))
            .with(Field::one("of", "Which", ranks()))
            .with(Field::number("left", "Left", 0..=widest.into())),
        Form::new("preparation", "Set Preparation Damage")
            .with(those("Whose", &prepares, &lost))
            .with(Field::number("lost", "Lost in all", 0..=preparation.into()))
            .with(Field::yes("told", "Players", "read how many", "are not told")),
        Form::new("alter", "Alter a Symbol")
            .with(anybody())
            .with(Field::one("symbol", "Which", symbols()))
            .with(Field::one("to", "To", alterations).or("Stable"))
            .with(Field::one("lasts", "For", Pick::words(Lasts::WORDS)).or("a Scene")),
        Form::new("token", "Give or take a Token")
            .with(anybody())
            .with(Field::one("kind", "Which", Pick::words(TokenKind::WORDS)))
            .with(Field::yes("given", "It is", "given", "taken"))
            .with(Field::yes("persistent", "It is", "Persistent", "not Persistent").or("not Persistent")),
        Form::new("free", "End a Subjugation").with(Field::one("", "Which", numbered(at, &grips))),
        Form::new("aware", "Tell or hide a Subjugation")
            .with(Field::one("", "Which", numbered(at, &grips)))
            .with(Field::yes("aware", "The loser", "knows of it", "does not know of it")),
        Form::new("here", "Bring somebody in, or send them away")
            .with(those("Who", &everybody, &away))
            .with(Field::yes("here", "They are", "here", "away")),
        Form::new("side", "Say on whose side somebody is").with(anybody()).with(Field::one(
            "side",
            "On the side of",
            sides(),
        )),
        Form::new("make", "Turn something into a Clash Prop")
            .with(Field::text("name", "Called", "Chandelier"))
            .with(Field::one("creator", "Control is rolled against", people(at, everybody, nothing)))
            .with(Field::number("capacity", "Capacity", 1..=20))
            .with(Field::number("dice", "Dice", 1..=2)),
        Form::new("prop", "Remove a Clash Prop, or bring it back")
            .with(Field::one("prop", "Which", props.collect()))
            .with(Field::yes("here", "It is", "here", "not here")),
        Form::new("item", "Hand an Item to somebody")
            .with(Field::one("item", "Which", items.clone()))
            .with(Field::one("owner", "To", people(at, everybody, nothing)).or("nobody: it is gone")),
        Form::new("gain", "Give a Trait")
            .with(anybody())
            .with(Field::one("rank", "Rank", ranks()))
            .with(Field::text("name", "The Trait", "Knighted")),
        Form::new("lose", "Take a Trait").with(Field::one("trait", "Which", traits)),
        Form::new("show", "Show a Trait or an Item of yours")
            .with(Field::one("what", "Which", elements))
            .with(Field::yes("known", "Players", "know of it", "do not know of it")),
        Form::new("personality", "Set a Personality")
            .with(anybody())
            .with(Field::one("personality", "Which", Pick::words(Personality::WORDS)))
            .with(Field::one("value", "To", values)),
        Form::new("secret", "Reveal a Secret")
            .with(Field::one("secret", "Which", secrets.collect()))
            .with(Field::yes("known", "Players", "know it", "do not know it")),
        Form::new("reveal", "Reveal an ability")
            .with(Field::one("ability", "Which", abilities.collect()))
            .with(Field::yes("known", "Players", "know it", "do not know it")),
        Form::new("spell", "Tell what a Persistent Spell does")
            .with(Field::one("caster", "Whose", casters()))
            .with(Field::yes("known", "Its target", "knows what it does", "does not")),
        Form::new("end-spell", "End a Persistent Spell").with(Field::one("", "Whose", casters())),
        Form::new("cease", "End an effect").with(Field::one("", "Which", numbered(at, &lives))),
        Form::new("again", "Give the Dodge back, and what is once a Scene").with(Field::one(
            "",
            "Whose",
            people(at, everybody, dodged),
        )),
        Form::new("used", "Mark a Prop as used, or not")
            .open()
            .with(Field::text("name", "Which", "the bazaar crowd"))
            .with(Field::yes("used", "It was", "used", "not used")),
        Form::new("forget", "Strike a Roll from memory").with(Field::one("", "Which", rolls.collect())),
        Form::new("dead", "Say whether somebody is dead")
            .with(those("Who", &everybody, &dead))
            .with(Field::yes("dead", "They are", "dead", "alive")),
        Form::new("end-clash", "End the Clash")
            .open()
            .with(Field::one("winners", "It is won by", sides()).or("nobody")),
        Form::new("cancel", "Drop what is under way").open(),
        Form::new("option", "Change a setting of the table")
            .open()
            .with(Field::options(Clash::rulebook(), &at.rules.options.words())),
    ];
    forms.extend(newcomers(at.rules));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fiat::Fiat,
        state::{Grip, State},
        view::tests::{FOE, table},
    };
    use fracas_kernel::form::Takes;

    /// The choices that the first field of a form gives.
    fn picks(rules: &Rules, state: &State, id: &str) -> Vec<Pick> {
        let form = fiats(At { rules, state }).into_iter().find(|form| form.id == id);
        match form.map(|mut form| form.fields.remove(0).takes) {
            Some(Takes::One { picks }) => picks,
            other => panic!("{id}: {other:?}"),
        }
    }

    #[test]
    fn the_subjugation_that_is_picked_ends() {
        let (mut rules, mut state) = table("");
        for (loser, cause) in [(Char(0), "a duel"), (Char(1), "a bet"), (Char(0), "a lie")] {
            let cause = cause.parse().expect("a label");
            let winners = CharSet::one(FOE);
            state.grips.push(Grip { loser, winners, rank: Rank::Minor, cause, aware: true });
        }
        let picks = picks(&rules, &state, "free");
        assert_eq!(picks.iter().map(|pick| &*pick.words).collect::<Vec<_>>(), ["a duel", "a bet", "a lie"]);
        for (pick, left) in picks.iter().zip([["a bet", "a lie"], ["a duel", "a lie"], ["a duel", "a bet"]]) {
            let fiat: Fiat = serde_json::from_value(json!({ "free": pick.value })).expect("a fiat");
            let mut after = state.clone();
            Clash::fiat(&mut rules, &mut after, &fiat, &mut Vec::new()).expect("an end");
            assert_eq!(after.grips.iter().map(|grip| grip.cause.to_string()).collect::<Vec<_>>(), left);
        }
    }
}
