//! What players' characters take from this table into another evening.

use crate::effect::{Effect, Lasts, Removal, Verb, Whom};
use crate::rules::{Gear, Power, Rules, TargetRule, Use};
use crate::setup::{lasts_word, usual_reach, usual_use};
use crate::state::{Lie, Live};
use crate::{At, scene, vocab::*, words};
use fracas_kernel::{FALLEN, Names};
use serde_json::{Map, Value, json};

/// Every player's character as an entry of a library.
pub(crate) fn carry(at: At<'_>) -> Value {
    let all: Vec<Value> = at.rules.pcs.iter().map(|who| sheet(at, who)).collect();
    json!({ "character": all, FALLEN: [] })
}

/// A character as a setup reads it. The scene ends with the evening: fortunes taken
/// in it are there to be played, timed effects and a writhing die are not.
fn sheet(at: At<'_>, who: Char) -> Value {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let ranks: Map<String, Value> =
        Attribute::ALL.iter().map(|a| (a.word().to_owned(), json!(sheet.ranks[*a as usize]))).collect();
    let tracks: Vec<Value> = at.rules.all_tracks().map(|track| self::track(at, who, track)).collect();
    let abilities = |gift: Gift| -> Vec<Value> {
        let all = at.rules.abilities_of(who).map(|ability| at.rules.power(ability));
        all.filter(|power| power.gift == gift).map(|power| ability(at.rules, who, power)).collect()
    };
    let (boons, kept, lost) = belongings(at, who);
    let history: Vec<String> = sheet.history.iter().cloned().chain([became(at, who)]).collect();
    json!({
        "name": sheet.name,
        "id": some(sheet.slug != Names::slug_of(&sheet.name), json!(sheet.slug)),
        "player": at.rules.roster.player_of(sheet.seat),
        "class": some(!sheet.class.is_empty(), json!(sheet.class)),
        "kind": some(!sheet.people.is_empty(), json!(sheet.people)),
        "writhing": sheet.writhing,
        "secret": some(!sheet.secret.is_empty(), json!(sheet.secret)),
        "attributes": ranks,
        "traits": sheet.traits,
        "last_glory": being.last,
        "good_fortune": being.good.next.min(9),
        "bad_fortune": being.bad.next.min(9),
        "track": tracks,
        // Said even where there are none, so that nothing comes back from elsewhere.
        "carries": [],
        "feats": [],
        "whispers": [],
        "kept": kept,
        "lost": lost,
        "under": under(at, who),
        "history": history,
        "boon": boons,
        "feat": abilities(Gift::Feat),
        "whisper": abilities(Gift::Whisper),
    })
}

/// What still lasts on somebody on another evening, who laid it on aside (`ends-and-scenes`).
fn under(at: At<'_>, who: Char) -> Vec<Value> {
    let all = scene::outliving(at.state);
    let own = |(n, live): &(usize, &Live)| live.on == who && !Live::is_outdone(&all, *n);
    let written = |(_, live): (usize, &Live)| {
        let mut out = effect(at.rules, &Effect { on: Whom::Them, ..live.effect });
        out["from"] = json!(words::origin(at, live.from));
        out["times"] = some(live.times > 1, json!(live.times));
        out
    };
    all.iter().enumerate().filter(own).map(written).collect()
}

/// A track with what has recovered by the next scene.
fn track(at: At<'_>, who: Char, track: Track) -> Value {
    let size = at.rules.sheet(who).tracks[track.index()];
    let left = at.state.being(who).tracks[track.index()];
    let left = scene::recovered(at.rules, left, size);
    json!({ "name": at.rules.tracks[track.index()].name, "size": size, "harm": size - left })
}

/// The `id` of an item, where it differs from the one made of its own and its owner's name.
fn own_id<'a>(rules: &Rules, owner: Char, slug: &'a str, name: &str) -> Option<&'a str> {
    let plain = Names::slug_of(name);
    let owned = slug.strip_suffix(&plain).and_then(|rest| rest.strip_suffix('-'));
    (slug != plain && owned != Some(&rules.sheet(owner).slug)).then_some(slug)
}

/// A value, or nothing.
fn some(there: bool, value: Value) -> Value {
    if there { value } else { Value::Null }
}

/// What somebody has, and the names of what is kept and of what is lost.
fn belongings(at: At<'_>, who: Char) -> (Vec<Value>, Vec<String>, Vec<String>) {
    let (mut boons, mut kept, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    let mut called: Vec<String> = Vec::new();
    for (n, place) in at.state.boons.iter().enumerate().filter(|(_, place)| place.holder == Some(who)) {
        let boon = Boon(n as u8);
        let serves = at.state.use_of(at.rules, boon);
        // A situation stays where it was.
        if serves.situation || place.lie == Lie::Gone {
            continue;
        }
        let name = at.state.name_of(at.rules, boon).to_owned();
        let plain = Names::slug_of(&name);
        let gear = &at.rules.boons[n];
        let own = gear.owner.and_then(|owner| own_id(at.rules, owner, &gear.slug, &gear.name));
        let first = if plain.is_empty() { "boon" } else { own.unwrap_or(&plain) }.to_owned();
        let mut id = first.clone();
        let mut n = 1;
        while called.contains(&id) {
            n += 1;
            id = format!("{first}-{n}");
        }
        called.push(id.clone());
        let refer = if id == plain { name.clone() } else { id.clone() };
        match place.lie {
            Lie::Kept => kept.push(refer),
            Lie::Lost => lost.push(refer),
            Lie::InUse | Lie::Gone => {}
        }
        let pattern = at.state.gear(at.rules, boon);
        let id = some(id != plain, json!(id));
        boons.push(self::boon(at.rules, &name, id, &serves, pattern));
    }
    (boons, kept, lost)
}

fn boon(rules: &Rules, name: &str, id: Value, serves: &Use, pattern: &Gear) -> Value {
    let usual = usual_use(serves.sort);
    let edges = serves.edges.iter().filter(|(traits, _)| !traits.is_empty());
    let edges: Vec<Value> =
        edges.map(|(traits, bonus)| json!({ "against": traits, "bonus": bonus })).collect();
    let effects: Vec<Value> = pattern.effects.iter().map(|it| effect(rules, it)).collect();
    let quality = if pattern.quality.is_empty() { "better" } else { &pattern.quality };
    json!({
        "name": name,
        "id": id,
        "sort": serves.sort,
        "situation": some(serves.situation != usual.situation, json!(serves.situation)),
        "quality": some(serves.quality == Quality::Better, json!(quality)),
        "rolls": some(serves.rolls != usual.rolls, json!(serves.rolls)),
        "attributes": serves.attributes,
        "tags": serves.tags,
        "bonus": some(serves.bonus != usual.bonus, json!(serves.bonus)),
        "once": some(serves.once, json!(true)),
        "pn": some(serves.pn > 0, json!(serves.pn)),
        "edge": some(!edges.is_empty(), json!(edges)),
        "effect": some(!effects.is_empty(), json!(effects)),
        "note": some(!pattern.note.is_empty(), json!(pattern.note)),
    })
}

fn ability(rules: &Rules, who: Char, power: &Power) -> Value {
    let effects: Vec<Value> = power.effects.iter().map(|it| effect(rules, it)).collect();
    let names = Guilt::ALL.iter().map(|g| g.word()).chain(Glory::ALL.iter().map(|g| g.word()));
    let words: Map<String, Value> = names
        .zip(power.words)
        .filter_map(|(name, text)| Some((name.to_owned(), json!(rules.text(text?)))))
        .collect();
    let fixed = match power.tn {
        TargetRule::Fixed(tn) => Some(tn),
        TargetRule::Gm | TargetRule::PowerNumber => None,
    };
    json!({
        "name": power.name,
        "id": own_id(rules, who, &power.slug, &power.name),
        "class": some(!power.class.is_empty(), json!(power.class)),
        "trigger": power.trigger,
        "limit": power.limit,
        "attribute": power.attribute,
        "reach": some(power.reach != usual_reach(power.aim), json!(power.reach)),
        "tn": fixed,
        "power_number": some(power.tn == TargetRule::PowerNumber, json!(true)),
        "aim": some(power.aim != Aim::Nothing, json!(power.aim)),
        "tags": some(!power.tags.is_empty(), json!(power.tags)),
        "words": some(!words.is_empty(), json!(words)),
        "effect": some(!effects.is_empty(), json!(effects)),
        "note": some(!power.note.is_empty(), json!(power.note)),
    })
}

/// An effect as a setup reads it.
fn effect(rules: &Rules, it: &Effect) -> Value {
    let mut out = json!({
        "on": it.on,
        "lasts": some(it.lasts != Lasts::ThisRoll, json!(lasts_word(it.lasts))),
        "per_degree": some(it.per_degree, json!(true)),
        "rolls": some(it.scope.rolls != Rolls::Both, json!(it.scope.rolls)),
        "attributes": some(!it.scope.attributes.is_empty(), json!(it.scope.attributes)),
        "tags": some(!it.scope.tags.is_empty(), json!(it.scope.tags)),
        "ability_only": some(it.scope.ability_only, json!(true)),
        "against": some(!it.scope.against.is_empty(), json!(it.scope.against)),
    });
    if let Lasts::Until(Removal::Test(tn)) = it.lasts {
        out["tn"] = json!(tn);
    }
    let named = |track: Track| json!(rules.tracks[track.index()].name);
    let (does, more): (&str, Vec<(&str, Value)>) = match it.verb {
        Verb::Ap(n) => ("ap", vec![("by", json!(n))]),
        Verb::Pn(n) => ("pn", vec![("by", json!(n))]),
        Verb::BanAbilities => ("ban-abilities", vec![]),
        Verb::GainBoon(boon) => ("gain-boon", vec![("boon", json!(rules.boons[boon.index()].name))]),
        Verb::LoseBoon(n) => ("lose-boon", vec![("by", json!(n))]),
        Verb::RecoverBoon => ("recover-boon", vec![]),
        Verb::MoveBoon => ("move-boon", vec![]),
        Verb::Attention => ("attention", vec![]),
        Verb::Harm(None, n) => ("harm", vec![("by", json!(n))]),
        Verb::Harm(Some(track), n) => ("harm", vec![("by", json!(n)), ("track", named(track))]),
        Verb::Heal(track, n) => ("heal", vec![("by", json!(n)), ("track", named(track))]),
        Verb::Condition(text) => ("condition", vec![("text", json!(rules.text(text)))]),
        Verb::Apart => ("apart", vec![]),
        Verb::Hold => ("hold", vec![]),
        Verb::RerollLight => ("reroll-light", vec![]),
        Verb::ExtraAction(label, n) => ("extra-action", vec![("by", json!(n)), ("action", json!(label))]),
        Verb::End(end) => ("end", vec![("end", json!(end.map(|end| &rules.ending(end).name)))]),
        Verb::Narrate(text) => ("narrate", vec![("text", json!(rules.text(text)))]),
    };
    out["does"] = json!(does);
    for (field, value) in more {
        out[field] = value;
    }
    out
}

/// One line on what this evening made of somebody.
fn became(at: At<'_>, who: Char) -> String {
    let being = at.state.being(who);
    let mut parts = vec![if being.out { "was beaten".to_owned() } else { "held out".to_owned() }];
    for (fate, taken) in [("good", being.good.next), ("bad", being.bad.next)] {
        parts.extend((taken > 0).then(|| format!("took {fate} fortune")));
    }
    let mut list = |head: &str, all: Vec<String>| {
        if !all.is_empty() {
            parts.push(format!("{head} {}", all.join(", ")));
        }
    };
    let has = |boon: Boon| at.state.place(boon).holder == Some(who) && at.state.place(boon).lie != Lie::Gone;
    let all = || (0..at.state.boons.len() as u8).map(Boon);
    let item = |boon: &Boon| !at.state.use_of(at.rules, *boon).situation;
    let own = |boon: Boon| at.rules.boons[boon.index()].owner == Some(who);
    let name = |boon: Boon| at.state.name_of(at.rules, boon).to_owned();
    list("came by", all().filter(item).filter(|&b| has(b) && !own(b)).map(name).collect());
    list("lost", all().filter(item).filter(|&b| own(b) && !has(b)).map(name).collect());
    format!("{}: {}", at.rules.roster.title, parts.join("; "))
}
