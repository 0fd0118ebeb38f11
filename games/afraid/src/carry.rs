//! What players' characters take from this table into another evening.

use crate::rules::{Origin, Rules};
use crate::state::{Thing, To};
use crate::view::{item_name, knows_name, name, slug, to_name};
use crate::{At, background, dice::Pool, setup::slug_of, vocab::*};
use fracas_kernel::{FALLEN, Known, NEW, Viewer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of a name that stand before a number.
const MOST_BEFORE_A_NUMBER: usize = 48;

/// Every player's character as an entry of a library, the dead among the fallen.
pub(crate) fn carry(at: At<'_>) -> Value {
    let pcs = at.state.everybody().filter(|&who| at.state.is_pc(who));
    let (living, dead): (Vec<Char>, Vec<Char>) = pcs.partition(|&who| at.state.lives(who));
    let origins: BTreeSet<usize> = living
        .iter()
        .filter_map(|&who| at.state.being(who).background)
        .map(Background::index)
        .filter(|&n| at.rules.backgrounds.get(n).is_some_and(|origin| !background::is_known(origin)))
        .collect();
    let origins: Vec<Value> = origins.into_iter().map(|n| origin(&at.rules.backgrounds[n])).collect();
    let names = names(at, &living);
    let mut slugs = BTreeSet::new();
    let living: Vec<Value> = living.into_iter().map(|who| sheet(at, who, (&mut slugs, &names))).collect();
    let fallen: Vec<Value> = dead.into_iter().map(|who| fallen(at, who)).collect();
    json!({ "background": origins, "character": living, FALLEN: fallen })
}

/// What those are called from now on to whom somebody carried has a relationship: of several
/// with one name each but the first gets a number (`same-name`).
fn names(at: At<'_>, living: &[Char]) -> BTreeMap<To, String> {
    let ties = living.iter().flat_map(|&who| at.state.sheet(who));
    let all: BTreeSet<To> = ties.filter_map(|(_, thing)| thing.to).collect();
    let own = |to: To| matches!(to, To::Char(who) if living.contains(&who));
    let mut taken: BTreeSet<String> = living.iter().map(|&who| slug_of(name(at, who))).collect();
    let mut called = |to: To| {
        let name = to_name(at, to);
        if own(to) {
            return name.to_owned();
        }
        // Who was met in play is nobody of that name whom players know; of others they learn
        // nothing by a number.
        let met = matches!(to, To::Person(person) if at.state.acquaintance(person).is_some());
        let known = |slug: &str| {
            let of = at.rules.roster.names.find(slug);
            of.is_some_and(|of| knows_name(at, of, Viewer::Spectator) != Known::Hidden)
        };
        let short = name[..name.floor_char_boundary(MOST_BEFORE_A_NUMBER)].trim_end();
        let numbered = (2u32..).map(|n| format!("{short} {n}"));
        let mut all = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| {
            let slug = slug_of(name);
            !(taken.contains(&slug) || met && known(&slug))
        };
        let name = all.find(is_free).unwrap_or_default();
        taken.insert(slug_of(&name));
        name
    };
    all.into_iter().map(|to| (to, called(to))).collect()
}

/// A background of the encounter's own as a setup reads it.
fn origin(origin: &Origin) -> Value {
    let mut entry = json!({
        "name": origin.name,
        "note": origin.note,
        "stats": origin.stats,
        "bonds": origin.bonds,
        "weapons": origin.weapons,
        "true_at_start": origin.true_at_start,
        "never": origin.never,
    });
    for (field, dice) in [("traits", origin.traits), ("relationships", origin.relationships)] {
        if let Some(dice) = written(dice) {
            entry[field] = json!(dice);
        }
    }
    entry
}

/// Somebody who died, for people.
fn fallen(at: At<'_>, who: Char) -> Value {
    let mut entry = json!({
        "name": name(at, who),
        "player": player(at, who),
        "history": history(at, who),
    });
    if who.index() >= MAX_CAST {
        entry[NEW] = json!(true);
    }
    entry
}

/// What somebody made in play goes by from now on: what their name gives, unless that
/// is taken, or kept for something else.
fn slug_of_new(rules: &Rules, name: &str, taken: &BTreeSet<String>) -> String {
    let slug = slug_of(name);
    let free = |slug: &String| !taken.contains(slug) && rules.roster.names.find(slug).is_none();
    let numbered = (2u32..).map(|n| format!("{slug}-{n}"));
    std::iter::once(slug.clone()).chain(numbered).find(free).unwrap_or_default()
}

fn player<'r>(at: At<'r>, who: Char) -> Option<&'r str> {
    at.rules.roster.player_of(at.state.seat(who))
}

/// A living character as a setup reads it.
fn sheet(at: At<'_>, who: Char, (slugs, names): (&mut BTreeSet<String>, &BTreeMap<To, String>)) -> Value {
    let being = at.state.being(who);
    let mut entry = Map::new();
    let mut put = |field: &str, value: Value| drop(entry.insert(field.to_owned(), value));
    let called = name(at, who);
    put("name", json!(called));
    let made = who.index() >= MAX_CAST;
    let own = if made { slug_of_new(at.rules, called, slugs) } else { slug(at.rules, who).to_owned() };
    if own != slug_of(called) {
        put("id", json!(own));
    }
    slugs.insert(own);
    if made {
        put(NEW, json!(true));
    }
    put("player", json!(player(at, who)));
    if let Some(sheet) = at.rules.cast.get(who.index()) {
        for (field, text) in [("note", &sheet.note), ("secret", &sheet.secret)] {
            if !text.is_empty() {
                put(field, json!(text));
            }
        }
    }
    if let Some(origin) = being.background.and_then(|origin| at.rules.backgrounds.get(origin.index())) {
        put("background", json!(origin.name));
    }
    let stats: Map<String, Value> =
        Stat::ALL.iter().map(|&stat| (stat.word().to_owned(), json!(being.stats[stat as usize]))).collect();
    put("stats", Value::Object(stats));
    put("unassigned", json!(written(being.unassigned)));
    put("circumstances", json!(being.circumstances));
    // What is needed still is needed; a first aid conflict that was held counts no more
    // in another scene.
    put("needs_aid", json!(being.need.map(|need| written(need.dice))));
    put("history", json!(history(at, who)));
    for &(field, sort) in Sort::WORDS {
        let mine = at.state.sheet(who).filter(|(_, thing)| thing.sort == sort);
        let all: Vec<Value> = mine.map(|(item, thing)| thing_of(at, (item, thing), names)).collect();
        put(field, json!(all));
    }
    Value::Object(entry)
}

fn written(pool: Pool) -> Option<String> {
    (!pool.is_empty()).then(|| pool.to_string())
}

fn thing_of(at: At<'_>, (item, thing): (Item, &Thing), names: &BTreeMap<To, String>) -> Value {
    let mut entry = Map::new();
    let mut put = |field: &str, value: Value| drop(entry.insert(field.to_owned(), value));
    put("name", json!(item_name(at, item)));
    if let Some(to) = thing.to.and_then(|to| names.get(&to)) {
        put("to", json!(to));
    }
    let main = crate::dice::Rating { more: 0, ..thing.rating };
    put("dice", json!(main.to_string()));
    if thing.rating.more > 0 {
        put("supernatural", json!(true));
    }
    if let Some(arena) = thing.arena {
        put("arena", json!(arena));
    }
    if !thing.holds {
        put("broken", json!(true));
    }
    Value::Object(entry)
}

/// The lines on what became of somebody, this evening's last.
fn history(at: At<'_>, who: Char) -> Vec<String> {
    let being = at.state.being(who);
    let mut parts = vec![if at.state.lives(who) { "lived".to_owned() } else { "died".to_owned() }];
    if who.index() >= MAX_CAST {
        parts.push("came in the place of somebody who died".to_owned());
    }
    if at.state.lives(who) {
        let circumstances: Vec<String> =
            being.circumstances.iter().map(|which| which.word().replace('-', " ")).collect();
        if !circumstances.is_empty() {
            parts.push(format!("is {}", circumstances.join(", ")));
        }
        let gained = at.state.sheet(who).filter(|(item, _)| item.index() >= MAX_ITEMS);
        let gained: Vec<&str> = gained.map(|(item, _)| item_name(at, item)).collect();
        if !gained.is_empty() {
            parts.push(format!("came by {}", gained.join(", ")));
        }
    }
    let line = format!("{}: {}", at.rules.roster.title, parts.join("; "));
    let before = at.rules.cast.get(who.index()).map(|sheet| sheet.history.clone()).unwrap_or_default();
    before.into_iter().chain([line]).collect()
}
