//! What players' characters take from this table into another evening.

use crate::{
    rules::{Gear, Rules},
    setup::slug_of,
    state::{Fate, Lie, State},
    vocab::*,
};
use fracas_kernel::{FALLEN, Names, Seat};
use serde::Serialize;
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
///
/// What a class and a kind of mortal bring is written out; a class would bring it
/// again, and is left out.
fn sheet(rules: &Rules, state: &State, who: Char) -> Value {
    let sheet = rules.sheet(who);
    let being = state.being(who);
    let ranks: Map<String, Value> = Attribute::ALL
        .iter()
        .map(|attribute| (attribute.word().to_owned(), json!(sheet.attributes[*attribute as usize])))
        .collect();
    let subtle: MarkSet = being.marks.iter().filter(|&mark| !being.physical.has(mark)).collect();
    let captain = u8::from(sheet.trained.has(Training::Captain));
    // Where nothing is told, that is what a setup takes anybody to be trained in;
    // a master's training is that of one's own kind.
    let usual: TrainingSet = [Training::Commoner, Training::Soldier, Training::Master].into_iter().collect();
    let master = sheet.people.is_some() || sheet.trained == usual;
    let trained = if master { sheet.trained } else { sheet.trained.without(Training::Master) };
    let mut slugs = Slugs { rules, who, taken: Vec::new() };
    let (boons, readied) = belongings(state, &mut slugs);
    let abilities: Vec<Value> = rules
        .abilities_of(state, who)
        .filter(|&ability| rules.power(ability).item.is_none())
        .map(|ability| power(&mut slugs, ability))
        .collect();
    json!({
        "name": sheet.name,
        "id": some(sheet.slug != slug_of(&sheet.name), &sheet.slug),
        "player": player(rules, who),
        "secret": some(!sheet.secret.is_empty(), &sheet.secret),
        "people": sheet.people,
        "gender": sheet.gender,
        "speaks": some(sheet.speaks != LanguageSet::ALL, sheet.speaks),
        "writes": some(sheet.writes != LanguageSet::ALL, sheet.writes),
        "proficient": some(trained != usual, trained),
        "supernal": some(sheet.supernal, true),
        "priest": some(sheet.priest, true),
        "attributes": ranks,
        "faith": sheet.essences[Essence::Faith as usize],
        "resolve": sheet.resolve.saturating_sub(captain),
        "shuvin": sheet.shuvin,
        "wealth": being.wealth,
        "following": being.following,
        "shamed": being.shamed,
        "risk": being.risk,
        "marks": being.physical,
        "subtle_marks": subtle,
        // Said even where there are none, so that nothing comes back from elsewhere.
        "carries": [],
        "readied": readied,
        "mounted": being.mount.is_some(),
        "history": [became(rules, state, who)],
        "boon": boons,
        "ability": abilities,
    })
}

/// A value where there is something to say.
fn some(there: bool, value: impl Serialize) -> Value {
    if there { json!(value) } else { Value::Null }
}

/// What somebody's things and abilities are referred to by next time.
struct Slugs<'r> {
    rules: &'r Rules,
    who: Char,
    taken: Vec<String>,
}

impl Slugs<'_> {
    /// The `id` that a thing or an ability needs, if any: it had one of its own,
    /// or is the second of a name.
    fn id(&mut self, name: &str, slug: &str, owner: Char) -> Option<String> {
        let plain = slug_of(name);
        let owned = |owner: Char| format!("{}-{plain}", self.rules.sheet(owner).slug);
        let own = slug != plain && slug != owned(owner) && slug != owned(self.who);
        let mut id = own.then(|| slug.to_owned());
        let mut n = 1;
        while self.taken.contains(id.as_ref().unwrap_or(&plain)) {
            n += 1;
            id = Some(format!("{}-{n}", owned(self.who)));
        }
        self.taken.push(id.clone().unwrap_or(plain));
        id.filter(|id| Names::is_slug(id))
    }
}

/// What somebody has now, and the names of what is in hand.
fn belongings(state: &State, slugs: &mut Slugs<'_>) -> (Vec<Value>, Vec<String>) {
    let (rules, who) = (slugs.rules, slugs.who);
    let mut boons = Vec::new();
    let mut readied = Vec::new();
    for item in rules.everything().filter(|&item| keeps(rules, state, who, item)) {
        let gear = rules.gear(item);
        let id = slugs.id(&gear.name, &gear.slug, gear.owner);
        let script = rules.scripts.has(item);
        if state.place(item).lie == Lie::Readied && !gear.passive && !script {
            readied.push(id.clone().unwrap_or_else(|| gear.name.clone()));
        }
        let mut boon = boon(gear, id);
        let inside = (0..rules.abilities.len() as u8).map(Ability);
        let inside = inside.filter(|&ability| rules.power(ability).item == Some(item));
        let inside: Vec<Value> = inside.map(|ability| power(slugs, ability)).collect();
        boon["ability"] = some(!inside.is_empty(), inside);
        boons.push(boon);
    }
    (boons, readied)
}

/// Whether something is somebody's to keep: they have it, or know it for a script.
fn keeps(rules: &Rules, state: &State, who: Char, item: Item) -> bool {
    let (place, gear) = (state.place(item), rules.gear(item));
    if anybodys(rules, item) {
        return false;
    }
    if rules.scripts.has(item) {
        return gear.owner == who;
    }
    place.holder == who && matches!(place.lie, Lie::Readied | Lie::Carried)
}

/// What lies around for the taking is there again next time.
fn anybodys(rules: &Rules, item: Item) -> bool {
    rules.gear(item).base || rules.improvised.has(item)
}

/// A boon or another thing, where it differs from what a setup would take it for.
fn boon(gear: &Gear, id: Option<String>) -> Value {
    let vital = gear.category == Category::Vital;
    json!({
        "name": gear.name,
        "id": id,
        "category": gear.category,
        "form": gear.form,
        "bold": some(gear.category == Category::Power, gear.condition),
        "range": some(gear.range != Band::Close, gear.range),
        "group": gear.group,
        "people": gear.people,
        "improvised": some(gear.improvised, true),
        "impassioned": some(gear.impassioned, true),
        "mount": some(gear.mount, true),
        "kit": some(gear.kit, true),
        "hands": some(gear.hands > 0, gear.hands),
        "resist": resist(gear.resist),
        "blocks": some(!gear.blocks.is_empty(), gear.blocks),
        "passive": some(gear.passive != vital, gear.passive),
        "armor": gear.armor,
        "shield": some(gear.shield, true),
        "disarmable": some(gear.disarmable == vital, gear.disarmable),
        "stealable": some(!gear.stealable, false),
    })
}

/// Resistances that there are; null where there are none.
fn resist(ranks: [u8; 3]) -> Value {
    let there: Map<String, Value> = ["martial", "subtle", "epic"]
        .iter()
        .zip(ranks)
        .filter(|(_, rank)| *rank > 0)
        .map(|(form, rank)| ((*form).to_owned(), json!(rank)))
        .collect();
    some(!there.is_empty(), there)
}

fn power(slugs: &mut Slugs<'_>, ability: Ability) -> Value {
    let power = slugs.rules.power(ability);
    let id = slugs.id(&power.name, &power.slug, power.owner);
    let words = |all: &[(&str, bool)]| -> Vec<String> {
        all.iter().filter(|(_, on)| *on).map(|(word, _)| (*word).to_owned()).collect()
    };
    let makes = [("bold", power.bold), ("quick", power.quick), ("long", power.long), ("faint", power.faint)];
    let forbids: Vec<&str> =
        power.forbids.iter().map(Threat::word).chain(power.forbids_marks.iter().map(Mark::word)).collect();
    json!({
        "name": power.name,
        "id": id,
        "cost": some(power.cost > 0, power.cost),
        "once": power.once,
        "makes": some(makes.iter().any(|(_, on)| *on), words(&makes)),
        "serves": words(&[("test", power.test), ("save", power.save)]),
        "attribute": power.attribute,
        "essence": power.essence,
        "reveals": some(power.reveals, true),
        "magick": some(power.magick, true),
        "bold": power.bold_when,
        "resist": resist(power.resist),
        "forbids": some(!forbids.is_empty(), forbids),
        "armed": some(power.armed, true),
        "deeds": some(power.deeds > 0, power.deeds),
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
            let (own, has) = (rules.gear(item).owner == who, keeps(rules, state, who, item));
            !anybodys(rules, item) && if took { has && !own } else { own && !has }
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
        Finisher::Rout => "routed",
        Finisher::Withdraw => "forced to withdraw",
        Finisher::Sunk => "sunk",
        Finisher::Captured => "captured",
        Finisher::DrivenOff => "driven off",
        Finisher::Burned => "burned out",
    }
}
