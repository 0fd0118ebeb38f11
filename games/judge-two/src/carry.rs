//! What players' characters take from this table into another evening.

use crate::{
    rules::{Gear, Rules, Sheet},
    setup::slug_of,
    state::{Fate, Lie, State},
    vocab::*,
};
use fracas_kernel::{FALLEN, Names, Seat};
use serde_json::{Map, Value, json};

/// Every player's character as an entry of a library, the dead among the fallen.
pub(crate) fn carry(rules: &Rules, state: &State) -> Value {
    let mut living = Vec::new();
    let mut fallen = Vec::new();
    for who in rules.everybody().filter(|&who| rules.is_pc(who)) {
        if state.being(who).fate == Fate::Dead {
            fallen.push(epitaph(rules, state, who));
        } else {
            living.push(sheet(rules, state, who));
        }
    }
    json!({ "character": living, FALLEN: fallen })
}

fn player(rules: &Rules, who: Char) -> Option<&str> {
    match rules.seat(who) {
        Seat::Player(at) => rules.players.get(usize::from(at)).map(String::as_str),
        _ => None,
    }
}

fn epitaph(rules: &Rules, state: &State, who: Char) -> Value {
    json!({
        "name": rules.sheet(who).name,
        "player": player(rules, who),
        "history": [became(rules, state, who)],
    })
}

/// A living character as a setup reads it.
fn sheet(rules: &Rules, state: &State, who: Char) -> Value {
    let Sheet { slug, name, attributes, essences, resolve, shuvin, secret, .. } = rules.sheet(who);
    let being = state.being(who);
    let ranks: Map<String, Value> =
        Attribute::ALL.iter().map(|a| (a.word().to_owned(), json!(attributes[*a as usize]))).collect();
    let subtle = being.marks.iter().filter(|&mark| !being.physical.has(mark)).collect::<MarkSet>();
    let mut entry = Map::new();
    let mut put = |field: &str, value: Value| drop(entry.insert(field.to_owned(), value));
    put("name", json!(name));
    if *slug != slug_of(name) {
        put("id", json!(slug));
    }
    put("player", json!(player(rules, who)));
    if !secret.is_empty() {
        put("secret", json!(secret));
    }
    put("attributes", Value::Object(ranks));
    put("faith", json!(essences[Essence::Faith as usize]));
    put("resolve", json!(resolve));
    put("shuvin", json!(shuvin));
    put("risk", json!(being.risk));
    put("marks", json!(being.physical));
    put("subtle_marks", json!(subtle));
    let (boons, readied) = belongings(rules, state, who);
    // Said even where there are none, so that nothing comes back from elsewhere.
    put("carries", json!([]));
    put("readied", json!(readied));
    put("history", json!([became(rules, state, who)]));
    put("boon", json!(boons));
    put("ability", rules.abilities_of(who).map(|ability| power(rules, ability)).collect());
    Value::Object(entry)
}

/// What somebody holds now, and the names of what is in hand.
fn belongings(rules: &Rules, state: &State, who: Char) -> (Vec<Value>, Vec<String>) {
    let mut boons = Vec::new();
    let mut readied = Vec::new();
    let mut called: Vec<String> = Vec::new();
    for item in rules.everything().filter(|&item| holds(state, who, item)) {
        let gear = rules.gear(item);
        let plain = slug_of(&gear.name);
        let owned = |owner: Char| format!("{}-{plain}", rules.sheet(owner).slug);
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
        if state.place(item).lie == Lie::Readied && !gear.passive {
            readied.push(id.clone().unwrap_or_else(|| gear.name.clone()));
        }
        boons.push(boon(gear, id));
    }
    (boons, readied)
}

fn holds(state: &State, who: Char, item: Item) -> bool {
    let place = state.place(item);
    place.holder == who && matches!(place.lie, Lie::Readied | Lie::Carried)
}

/// A boon or another thing, without what its category does not have.
fn boon(gear: &Gear, id: Option<String>) -> Value {
    let resist: Map<String, Value> = ["martial", "subtle", "epic"]
        .iter()
        .zip(gear.resist)
        .filter(|(_, rank)| *rank > 0)
        .map(|(form, rank)| ((*form).to_owned(), json!(rank)))
        .collect();
    let some = |there: bool, value: Value| if there { value } else { Value::Null };
    let vital = gear.category == Category::Vital;
    json!({
        "name": gear.name,
        "id": id,
        "category": gear.category,
        "form": gear.form,
        "bold": some(gear.category == Category::Power, json!(gear.condition)),
        "hands": some(gear.hands > 0, json!(gear.hands)),
        "resist": some(!resist.is_empty(), Value::Object(resist)),
        "blocks": some(!gear.blocks.is_empty(), json!(gear.blocks)),
        "passive": some(gear.passive != vital, json!(gear.passive)),
        "armor": gear.armor,
        "shield": some(gear.shield, json!(true)),
        "disarmable": some(gear.disarmable == vital, json!(gear.disarmable)),
        "stealable": some(!gear.stealable, json!(false)),
    })
}

fn power(rules: &Rules, ability: Ability) -> Value {
    let power = rules.power(ability);
    let words = |all: &[(&str, bool)]| -> Vec<String> {
        all.iter().filter(|(_, on)| *on).map(|(word, _)| (*word).to_owned()).collect()
    };
    json!({
        "name": power.name,
        "cost": power.cost,
        "makes": words(&[("bold", power.bold), ("quick", power.quick), ("long", power.long)]),
        "serves": words(&[("test", power.test), ("save", power.save)]),
    })
}

/// One line on what this evening made of somebody.
fn became(rules: &Rules, state: &State, who: Char) -> String {
    let being = state.being(who);
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
            let (own, has) = (rules.gear(item).owner == who, holds(state, who, item));
            if took { has && !own } else { own && !has }
        };
        rules.everything().filter(other).map(|item| rules.gear(item).name.clone()).collect()
    };
    if being.fate != Fate::Dead {
        list("came by", named(true));
        list("lost", named(false));
    }
    format!("{}: {}", rules.title, parts.join("; "))
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
        Finisher::Destroy => "beaten with all their force",
    }
}
