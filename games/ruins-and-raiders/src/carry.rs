//! What players' characters take from this table into another evening.

use crate::effect::{Against, Effect, Soak};
use crate::rules::{Armour, Given, Named, Rules, Track};
use crate::state::Lie;
use crate::{At, vocab::*};
use fracas_kernel::{FALLEN, Names};
use serde_json::{Map, Value, json};

/// Every player's character as an entry of a library, the dead among the fallen, and the skills that the
/// table has of its own.
///
/// What belongs to the place stays there: where somebody stands, rides or lies, what they have not noticed.
pub(crate) fn carry(at: At<'_>) -> Value {
    let (dead, living): (Vec<Char>, Vec<Char>) =
        at.rules.pcs.iter().partition(|&who| at.state.is_dead(at.rules, who));
    let living: Vec<Value> = living.into_iter().map(|who| sheet(at, who)).collect();
    let fallen: Vec<Value> = dead.into_iter().map(|who| fallen(at, who)).collect();
    let skills: Vec<Value> = at.rules.traits.iter().skip(TRAITS.len()).map(skill).collect();
    json!({ "skill": skills, "character": living, FALLEN: fallen })
}

fn skill(named: &Named) -> Value {
    json!({ "name": named.name, "mental": some(named.mental, json!(true)) })
}

fn fallen(at: At<'_>, who: Char) -> Value {
    let sheet = at.rules.sheet(who);
    json!({
        "name": sheet.name,
        "player": at.rules.roster.player_of(sheet.seat),
        "history": history(at, who),
    })
}

/// A character as a setup reads it.
fn sheet(at: At<'_>, who: Char) -> Value {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let levels = at.rules.traits.iter().zip(being.levels).filter(|(_, level)| *level > 0);
    let traits: Map<String, Value> =
        levels.map(|(named, level)| (Names::slug_of(&named.name), json!(level))).collect();
    let (weapons, ready) = weapons(at, who);
    let spells = at.rules.spells_of(who).map(|spell| self::spell(at.rules, who, spell));
    let own = |of: &Manoeuvre| at.rules.manoeuvre(*of).owner == Some(who);
    let manoeuvres = at.rules.manoeuvres_of(who).filter(own).map(|of| manoeuvre(at.rules, who, of));
    json!({
        "name": sheet.name,
        "id": some(sheet.slug != Names::slug_of(&sheet.name), json!(sheet.slug)),
        "player": at.rules.roster.player_of(sheet.seat),
        "kind": some(!sheet.people.is_empty(), json!(sheet.people)),
        "secret": some(!sheet.secret.is_empty(), json!(sheet.secret)),
        "mount": some(sheet.mount, json!(true)),
        // It was built once, and has grown since.
        "points": null,
        "traits": traits,
        "fortune": being.fortune,
        "experience": being.experience,
        "wounds": being.wounds,
        "shocks": being.shocks,
        "armour": armour(&sheet.armour),
        "encumbrance": sheet.encumbrance,
        "gifts": sheet.gifts,
        "limbs": some(sheet.gifts.has(Gift::ExtraLimbs), json!(sheet.limbs)),
        "values": given(sheet.given),
        "track": sheet.track.map(track),
        // Said even where there are none, so that nothing comes back from elsewhere.
        "weapons": [],
        "weapon": weapons,
        "ready": ready,
        "spells": [],
        "spell": spells.collect::<Vec<Value>>(),
        "manoeuvres": [],
        "manoeuvre": manoeuvres.collect::<Vec<Value>>(),
        "history": history(at, who),
    })
}

/// A value, or nothing.
fn some(there: bool, value: Value) -> Value {
    if there { value } else { Value::Null }
}

fn armour(worn: &Armour) -> Value {
    let Armour { name, value, penalty } = worn;
    some(!name.is_empty(), json!({ "name": name, "value": value, "penalty": penalty }))
}

/// Values that stand on the sheet, without those that do not.
fn given(given: Given) -> Value {
    let values = [
        ("movement", given.movement),
        ("dodge", given.dodge),
        ("parry", given.parry),
        ("defiance", given.defiance),
        ("protection", given.protection),
    ];
    let there = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
    let there: Map<String, Value> = there.collect();
    some(!there.is_empty(), Value::Object(there))
}

fn track(track: Track) -> Value {
    let mut fields = json!({ "penalty": track.penalty, "dead": track.dead });
    if let Some(disabled) = track.disabled {
        fields["disabled"] = json!(disabled);
    }
    fields
}

/// The weapons that somebody has, those in hand first, and the names of these.
fn weapons(at: At<'_>, who: Char) -> (Vec<Value>, Vec<&str>) {
    let in_hand: Vec<Weapon> = at.state.held(who, Lie::Hand).collect();
    let carried = at.state.held(who, Lie::Carried);
    let all = in_hand.iter().copied().chain(carried).map(|weapon| self::weapon(at.rules, who, weapon));
    let laid_down = |weapon: &&Weapon| !at.rules.arm(**weapon).natural;
    let ready = in_hand.iter().filter(laid_down).map(|weapon| at.rules.arm(*weapon).name.as_str());
    (all.collect(), ready.collect())
}

fn weapon(rules: &Rules, who: Char, weapon: Weapon) -> Value {
    let arm = rules.arm(weapon);
    json!({
        "name": arm.name,
        "id": own_id(rules, (who, arm.owner), &arm.slug, &arm.name),
        "uses": arm.uses,
        "power": arm.power,
        "defence": some(arm.defence > 0, json!(arm.defence)),
        "hands": some(arm.hands > 1, json!(arm.hands)),
        "pole": some(arm.pole, json!(true)),
        "natural": some(arm.natural, json!(true)),
        "note": some(!arm.note.is_empty(), json!(arm.note)),
    })
}

fn spell(rules: &Rules, who: Char, spell: Spell) -> Value {
    let data = rules.spell(spell);
    json!({
        "name": data.name,
        "id": own_id(rules, (who, data.owner), &data.slug, &data.name),
        "with": rules.traits[data.with.index()].slug,
        "actions": data.actions,
        "against": against(rules, data.against),
        "range": some(!data.own, json!(data.range)),
        "energy": some(data.energy > 0, json!(data.energy)),
        "own": some(data.own, json!(true)),
        "effect": effects(&data.effects),
        "note": some(!data.note.is_empty(), json!(data.note)),
    })
}

fn manoeuvre(rules: &Rules, who: Char, manoeuvre: Manoeuvre) -> Value {
    let data = rules.manoeuvre(manoeuvre);
    json!({
        "name": data.name,
        "id": own_id(rules, (who, who), &data.slug, &data.name),
        "with": data.with.map(|with| &rules.traits[with.index()].slug),
        "actions": data.actions,
        "against": some(data.with.is_some(), against(rules, data.against)),
        "aimed": some(!data.aimed, json!(false)),
        "effect": effects(&data.effects),
        "note": some(!data.note.is_empty(), json!(data.note)),
    })
}

/// The `id` of something, where a setup would not make it of what it is called and of whose it is.
fn own_id<'a>(rules: &Rules, (who, first): (Char, Char), slug: &'a str, name: &str) -> Option<&'a str> {
    let plain = Names::slug_of(name);
    let owned = format!("{}-{plain}", rules.sheet(first).slug);
    let is_made = slug == plain || slug.strip_prefix(&owned).is_some_and(is_number_behind);
    (who == first && !is_made).then_some(slug)
}

/// Whether a text is nothing, or a number as stands behind the name of the second of a kind.
fn is_number_behind(rest: &str) -> bool {
    rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u8>().is_ok())
}

fn against(rules: &Rules, against: Against) -> Value {
    match against {
        Against::Body => json!("body"),
        Against::Only(defence) => json!(defence),
        Against::Trait(of) => json!(rules.traits[of.index()].slug),
        Against::Level(level) => json!(level),
        Against::Nothing => json!("nothing"),
    }
}

fn effects(effects: &[Effect]) -> Value {
    let all: Vec<Value> = effects.iter().map(|effect| self::effect(*effect)).collect();
    some(!all.is_empty(), json!(all))
}

/// An effect as a setup reads it.
fn effect(effect: Effect) -> Value {
    match effect {
        Effect::Wounds { power, brawn, soak } => json!({
            "do": "wounds",
            "power": power,
            "brawn": some(brawn, json!(true)),
            "soak": some(soak != Soak::default(), json!(soak)),
        }),
        Effect::Shocks { power, soak } => json!({ "do": "shocks", "power": power, "soak": soak }),
        Effect::Prone => json!({ "do": "prone" }),
        Effect::Drop => json!({ "do": "drop" }),
        Effect::Held => json!({ "do": "held" }),
        Effect::Asleep => json!({ "do": "asleep" }),
        Effect::Change { value, by } => json!({ "do": "change", "value": value, "by": by }),
        Effect::Thrown(spaces) => json!({ "do": "thrown", "spaces": spaces }),
        Effect::Told => json!({ "do": "told" }),
    }
}

/// What somebody has been through, this evening last.
fn history(at: At<'_>, who: Char) -> Vec<String> {
    at.rules.sheet(who).history.iter().cloned().chain([became(at, who)]).collect()
}

/// One line on what this evening made of somebody.
fn became(at: At<'_>, who: Char) -> String {
    let being = at.state.being(who);
    let track = at.rules.sheet(who).track.unwrap_or(at.rules.track);
    let fared = if being.wounds >= track.dead {
        "died"
    } else if being.shocks >= track.dead {
        "lost the mind for good"
    } else if at.state.is_disabled(at.rules, who) {
        "was struck down"
    } else {
        "held out"
    };
    let mut parts = vec![fared.to_owned()];
    for (count, kind) in [(being.wounds, "wound"), (being.shocks, "shock")] {
        let plural = if count == 1 { "" } else { "s" };
        parts.extend((count > 0).then(|| format!("{count} {kind}{plural}")));
    }
    let mut list = |head: &str, weapons: Vec<&str>| {
        if !weapons.is_empty() {
            parts.push(format!("{head} {}", weapons.join(", ")));
        }
    };
    let all = || (0..at.rules.weapons.len() as u8).map(Weapon);
    let has = |weapon: Weapon| {
        let place = at.state.place(weapon);
        place.holder == who && matches!(place.lie, Lie::Hand | Lie::Carried)
    };
    let own = |weapon: Weapon| at.rules.arm(weapon).owner == who;
    let name = |weapon: Weapon| at.rules.arm(weapon).name.as_str();
    list("came by", all().filter(|&weapon| has(weapon) && !own(weapon)).map(name).collect());
    list("lost", all().filter(|&weapon| own(weapon) && !has(weapon)).map(name).collect());
    format!("{}: {}", at.rules.roster.title, parts.join("; "))
}
