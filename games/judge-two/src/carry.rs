//! What players' characters take from this table into another evening.

use crate::rules::{Power, Sheet};
use crate::state::{Fate, Lie};
use crate::{At, vocab::*};
use fracas_kernel::{FALLEN, Names};
use serde_json::{Map, Value, json};

/// Every player's character as an entry of a library, the dead among the fallen.
pub(crate) fn carry(at: At<'_>) -> Value {
    let mut living = Vec::new();
    let mut fallen = Vec::new();
    for who in at.rules.everybody().filter(|&who| at.rules.is_pc(who)) {
        if at.state.being(who).fate == Fate::Dead {
            fallen.push(epitaph(at, who));
        } else {
            living.push(sheet(at, who));
        }
    }
    json!({ "character": living, FALLEN: fallen })
}

fn epitaph(at: At<'_>, who: Char) -> Value {
    json!({
        "name": at.rules.sheet(who).name,
        "player": at.rules.roster.player_of(at.rules.seat(who)),
        "history": at.rules.sheet(who).history.iter().cloned().chain([became(at, who)]).collect::<Vec<_>>(),
    })
}

/// A living character as a setup reads it.
fn sheet(at: At<'_>, who: Char) -> Value {
    let Sheet { slug, name, attributes, essences, own_resolve, shuvin, secret, .. } = at.rules.sheet(who);
    let Sheet { people, gender, speaks, writes, trained, supernal, priest, class, history, .. } =
        at.rules.sheet(who);
    let being = at.state.being(who);
    let ranks: Map<String, Value> =
        Attribute::ALL.iter().map(|a| (a.word().to_owned(), json!(attributes[*a as usize]))).collect();
    let subtle = being.marks.iter().filter(|&mark| !being.physical.has(mark)).collect::<MarkSet>();
    // Said where there is nothing of them, so that nothing comes back from elsewhere.
    let nothing = ["secret", "shamed", "disguise", "mounted", "burdened", "item"];
    let mut entry: Map<String, Value> =
        nothing.iter().map(|field| ((*field).to_owned(), Value::Null)).collect();
    let mut put = |field: &str, value: Value| drop(entry.insert(field.to_owned(), value));
    put("name", json!(name));
    if *slug != Names::slug_of(name) {
        put("id", json!(slug));
    }
    put("player", json!(at.rules.roster.player_of(at.rules.seat(who))));
    if !secret.is_empty() {
        put("secret", json!(secret));
    }
    put("attributes", Value::Object(ranks));
    put("faith", json!(essences[Essence::Faith as usize]));
    put("resolve", json!(own_resolve));
    put("shuvin", json!(shuvin));
    put("people", json!(people));
    put("gender", json!(gender));
    put("speaks", json!(speaks));
    put("writes", json!(writes));
    // A master's training is in the weapon of the own people, and means nothing without a people.
    let trained = if people.is_some() { *trained } else { trained.without(Training::Master) };
    put("proficient", json!(trained));
    put("wealth", json!(being.wealth));
    put("following", json!(being.following));
    if *supernal {
        put("supernal", json!(true));
    }
    if *priest {
        put("priest", json!(true));
    }
    if !class.is_empty() {
        put("class", json!(class));
    }
    // What class and kind give is written out.
    put("complete", json!(true));
    if being.shamed > 0 {
        put("shamed", json!(being.shamed));
    }
    put("disguise", json!(being.disguise));
    if being.mount.is_some() {
        put("mounted", json!(true));
    }
    put("risk", json!(being.risk));
    if being.burdened {
        put("burdened", json!(true));
    }
    put("marks", json!(being.physical));
    put("subtle_marks", json!(subtle));
    let (boons, readied) = belongings(at, who);
    // Said even where there are none, so that nothing comes back from elsewhere.
    put("carries", json!([]));
    put("readied", json!(readied));
    let told: Vec<String> = history.iter().cloned().chain([became(at, who)]).collect();
    put("history", json!(told));
    put("boon", json!(boons));
    // What a relic can do goes with it.
    put("ability", powers(at, |power| power.owner == who && power.item.is_none()).into());
    Value::Object(entry)
}

/// What somebody holds now, and the names of what is in hand.
fn belongings(at: At<'_>, who: Char) -> (Vec<Value>, Vec<String>) {
    let mut boons = Vec::new();
    let mut readied = Vec::new();
    let mut called: Vec<String> = Vec::new();
    for item in at.rules.everything().filter(|&item| holds(at, who, item)) {
        let gear = at.rules.gear(item);
        let plain = Names::slug_of(&gear.name);
        let owned = |owner: Char| format!("{}-{plain}", at.rules.sheet(owner).slug);
        let own_id = gear.slug != plain && gear.slug != owned(gear.owner);
        let mut id = own_id.then(|| gear.slug.clone());
        // The second of a name needs one of its own.
        let mut n = 1;
        while called.contains(id.as_ref().unwrap_or(&plain)) {
            n += 1;
            id = Some(format!("{}-{n}", owned(who)));
        }
        called.push(id.clone().unwrap_or(plain));
        let id = id.filter(|id| Names::is_slug(id));
        if at.state.place(item).lie == Lie::Readied && !gear.passive && !at.rules.scripts.has(item) {
            readied.push(id.clone().unwrap_or_else(|| gear.name.clone()));
        }
        boons.push(boon(at, item, id));
    }
    (boons, readied)
}

/// Whether somebody takes it along: what they have and their own scripts, but
/// not what everybody can draw or pick up.
fn holds(at: At<'_>, who: Char, item: Item) -> bool {
    let gear = at.rules.gear(item);
    if gear.base || at.rules.improvised.has(item) {
        return false;
    }
    if at.rules.scripts.has(item) {
        return gear.owner == who;
    }
    at.state.being(who).held.has(item)
}

/// A boon or another thing, without what its category does not have.
fn boon(at: At<'_>, item: Item, id: Option<String>) -> Value {
    let gear = at.rules.gear(item);
    let abilities = powers(at, |power| power.item == Some(item));
    let weapon = gear.category == Category::Power && gear.form.has_ranges();
    let vital = gear.category == Category::Vital;
    json!({
        "name": gear.name,
        "id": id,
        "category": gear.category,
        "form": gear.form,
        "bold": some(gear.category == Category::Power, json!(gear.condition)),
        "hands": some(weapon || gear.shield || gear.hands > 0, json!(gear.hands)),
        "range": some(weapon, json!(gear.range)),
        "group": gear.group,
        "people": gear.people,
        "improvised": some(gear.improvised, json!(true)),
        "impassioned": some(gear.impassioned, json!(true)),
        "mount": some(gear.mount, json!(true)),
        "kit": some(gear.kit, json!(true)),
        "ability": some(!abilities.is_empty(), json!(abilities)),
        // Armour and shields have ranks and blocks even where nothing is said.
        "resist": some(gear.armor.is_some() || gear.resist != [0; 3], ranks(gear.resist)),
        "blocks": some(gear.shield || !gear.blocks.is_empty(), json!(gear.blocks)),
        "passive": some(gear.passive != vital, json!(gear.passive)),
        "armor": gear.armor,
        "shield": some(gear.shield, json!(true)),
        "disarmable": some(gear.disarmable == vital, json!(gear.disarmable)),
        "stealable": some(!gear.stealable, json!(false)),
    })
}

/// A value, or nothing.
fn some(there: bool, value: Value) -> Value {
    if there { value } else { Value::Null }
}

/// Resistances, those that are any.
fn ranks(ranks: [u8; 3]) -> Value {
    let ranks = ["martial", "subtle", "epic"].iter().zip(ranks).filter(|(_, rank)| *rank > 0);
    Value::Object(ranks.map(|(form, rank)| ((*form).to_owned(), json!(rank))).collect())
}

/// Abilities, and which of them are used up: the end of an evening is no rest
/// (`closing-no-rest`).
fn powers(at: At<'_>, of: impl Fn(&Power) -> bool) -> Vec<Value> {
    let all = at.rules.abilities.iter().enumerate().filter(|(_, power)| of(power));
    all.map(|(n, power)| self::power(power, at.state.used & (1 << n) != 0)).collect()
}

fn power(power: &Power, used: bool) -> Value {
    let words = |all: &[(&str, bool)]| -> Vec<String> {
        all.iter().filter(|(_, on)| *on).map(|(word, _)| (*word).to_owned()).collect()
    };
    let makes = [("bold", power.bold), ("quick", power.quick), ("long", power.long), ("faint", power.faint)];
    let serves = words(&[("test", power.test), ("save", power.save)]);
    let threats = power.forbids.iter().map(|threat| threat.to_string());
    let forbids: Vec<String> =
        threats.chain(power.forbids_marks.iter().map(|mark| mark.to_string())).collect();
    json!({
        "name": power.name,
        "cost": power.cost,
        "once": power.once,
        "spent": some(used && power.once == Some(Often::Rest), json!(true)),
        "makes": words(&makes),
        "serves": serves,
        "attribute": power.attribute,
        "essence": power.essence,
        "reveals": some(power.reveals, json!(true)),
        "magick": some(power.magick, json!(true)),
        "bold": power.bold_when,
        "resist": some(power.resist != [0; 3], ranks(power.resist)),
        "forbids": some(!forbids.is_empty(), json!(forbids)),
        "armed": some(power.armed, json!(true)),
        "deeds": some(power.deeds > 0, json!(power.deeds)),
        "resolve": some(power.resolve > 0, json!(power.resolve)),
    })
}

/// One line on what this evening made of somebody.
fn became(at: At<'_>, who: Char) -> String {
    let being = at.state.being(who);
    let mut parts = vec![match being.fate {
        Fate::In | Fate::Away => "lived".to_owned(),
        Fate::Finished(how) => format!("lived, but {}", ended(how)),
        Fate::Dead => "died".to_owned(),
    }];
    let mut list = |head: &str, all: Vec<String>| {
        if !all.is_empty() {
            parts.push(format!("{head} {}", all.join(", ")));
        }
    };
    list("marked by", being.marks.iter().map(|mark| mark.to_string()).collect());
    let named = |took: bool| -> Vec<String> {
        let other = |&item: &Item| {
            let (own, has) = (at.rules.gear(item).owner == who, holds(at, who, item));
            if at.rules.gear(item).base || at.rules.improvised.has(item) {
                return false;
            }
            if took { has && !own } else { own && !has }
        };
        at.rules.everything().filter(other).map(|item| at.rules.gear(item).name.clone()).collect()
    };
    if being.fate != Fate::Dead {
        list("came by", named(true));
        list("lost", named(false));
    }
    format!("{}: {}", at.rules.roster.title, parts.join("; "))
}

/// How a finisher left somebody who is not dead.
const fn ended(how: Finisher) -> &'static str {
    match how {
        Finisher::Kill => "left for dead",
        Finisher::Unconscious => "left unconscious",
        Finisher::Flee => "put to flight",
        Finisher::Surrender => "made to surrender",
        Finisher::Provoke => "provoked",
        Finisher::Shame => "shamed before all",
        Finisher::Assent => "brought to assent",
        Finisher::Disposition => "won over",
        Finisher::Destroy | Finisher::Burned => "beaten with all their force",
        Finisher::Rout => "routed",
        Finisher::Withdraw => "made to quit the field",
        Finisher::Sunk => "sunk",
        Finisher::Captured => "captured",
        Finisher::DrivenOff => "driven off",
    }
}
