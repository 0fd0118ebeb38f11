//! What players' characters take from this table into another evening.

use crate::{
    effect::{AbilityData, Bearer, Effect},
    rules::{HeldBefore, MadeBefore, Rules, Source},
    setup::{LEVELS, PLAIN, usual_duration},
    state::State,
    vocab::*,
};
use fracas_kernel::{FALLEN, Names};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Every player's character as an entry of a library, the dead among the fallen.
///
/// The Scene ends with the evening: what lasts longer is kept, and Minor Will Points are back
/// (`wp.minor-recover-scene`). It is no Rest, so that Persistent Spells go on (`conc.rest`).
pub(crate) fn carry(rules: &Rules, state: &State) -> Value {
    let pcs = || rules.everybody().filter(|&who| rules.is_pc(who));
    let mut carrying =
        Carrying { rules, state, taken: pcs().map(|who| rules.sheet(who).slug.clone()).collect() };
    let living: Vec<Value> =
        pcs().filter(|&who| !state.body(who).dead).map(|who| carrying.sheet(who)).collect();
    let fallen: Vec<Value> = pcs()
        .filter(|&who| state.body(who).dead)
        .map(|who| {
            let sheet = rules.sheet(who);
            let player = rules.roster.player_of(sheet.seat);
            json!({ "name": sheet.name, "player": player, "history": history(rules, state, who) })
        })
        .collect();
    let mut used: Vec<&str> = rules.used_props.iter().map(String::as_str).collect();
    for prop in &state.used_props {
        if !used.contains(&prop.as_str()) {
            used.push(prop);
        }
    }
    let used: Vec<Value> = used.into_iter().map(|name| json!({ "name": name })).collect();
    let tokens: Vec<Value> = rules.tokens.iter().map(token).collect();
    json!({ "token": tokens, "character": living, "used_prop": used, FALLEN: fallen })
}

/// A kind of Token that the table made up, as a setup reads it.
fn token(data: &crate::rules::TokenData) -> Value {
    let effects: Vec<Value> = data.effects.iter().map(|it| effect(*it)).collect();
    json!({ "name": data.kind, "when": data.when, "effects": effects })
}

/// What is carried, and the names that are given so far.
struct Carrying<'a> {
    rules: &'a Rules,
    state: &'a State,
    taken: BTreeSet<String>,
}

/// A value, or nothing.
fn some(there: bool, value: Value) -> Value {
    if there { value } else { Value::Null }
}

/// Whether it lasts beyond the Scene (`default-duration`).
const fn outlives(lasts: Lasts) -> bool {
    matches!(lasts, Lasts::Rest | Lasts::Permanent)
}

/// Numbers by Level.
fn by_level(slots: &[u8]) -> Value {
    let all = LEVELS.iter().zip(slots).filter(|(_, n)| **n > 0);
    Value::Object(all.map(|(level, n)| ((*level).to_owned(), json!(n))).collect())
}

impl Carrying<'_> {
    /// A character as a setup reads it.
    fn sheet(&mut self, who: Char) -> Value {
        let (rules, state) = (self.rules, self.state);
        let (sheet, body) = (rules.sheet(who), state.body(who));
        let personalities: Map<String, Value> = Personality::ALL
            .iter()
            .zip(sheet.personalities)
            .map(|(one, value)| (one.word().to_owned(), json!(value)))
            .collect();
        let core: Vec<Symbol> = sheet.core.into_iter().flatten().collect();
        let traits: Vec<Value> = state
            .traits_of(who)
            .filter(|id| !state.mark(*id).spell)
            .map(|id| self.a_trait(who, id))
            .collect();
        let items: Vec<Value> = state.items_of(who).map(|item| self.item(who, item)).collect();
        let skills: Vec<Value> = self.skills(who);
        json!({
            "name": sheet.name,
            "id": some(sheet.slug != Names::slug_of(&sheet.name), json!(sheet.slug)),
            "player": rules.roster.player_of(sheet.seat),
            "nature": some(sheet.nature != Nature::Person, json!(sheet.nature)),
            // The rules of creation bind it no longer.
            "grown": true,
            "personalities": personalities,
            "core": core,
            "base_damage": some(sheet.base_damage != 1, json!(sheet.base_damage)),
            "keywords": some(!sheet.keywords.is_empty(), json!(sheet.keywords)),
            "trait": traits,
            // Said even where there are none, so that nothing comes back from elsewhere.
            "items": [],
            "item": items,
            "skill": skills,
            "ability": self.abilities(Bearer::Char(who), &sheet.slug),
            "secret": self.secrets(Target::Char(who)),
            "now": {
                "major": body.major,
                "extra_hours": some(body.extra_hours != 0, json!(body.extra_hours)),
                "skill_slots": { "1": body.skill_slots[0], "3": body.skill_slots[1] },
                "skill_uses": { "minor": body.skill_uses[0], "major": body.skill_uses[1] },
            },
            "token": self.tokens(who),
            "altered": self.alterations(who),
            "lasting": self.lasting(who),
            "grip": self.grips(who),
            "made": self.made(who),
            "pool": self.pool(who),
            "history": history(rules, state, who),
        })
    }

    /// The name that others refer to something by, where a setup would not make it of what it is called
    /// and of whose it is.
    fn id(&mut self, slug: &str, name: &str, owners: &[&str]) -> Option<String> {
        let plain = Names::slug_of(name);
        let owned =
            |owner: &&str| slug.strip_prefix(*owner).and_then(|rest| rest.strip_prefix('-')) == Some(&plain);
        let first = if owners.iter().any(owned) { plain.as_str() } else { slug };
        let numbered = (2..).map(|n| format!("{first}-{n}"));
        let mut all = std::iter::once(first.to_owned()).chain(numbered);
        let free = all.find(|slug| !self.taken.contains(slug)).unwrap_or_default();
        self.taken.insert(free.clone());
        (free != plain).then_some(free)
    }

    fn a_trait(&mut self, who: Char, id: TraitId) -> Value {
        let (rules, state) = (self.rules, self.state);
        let name = state.trait_name(rules, id).to_owned();
        let data = rules.traits.get(id.index());
        let plain = Names::slug_of(&name);
        let owner = rules.sheet(who).slug.as_str();
        let id_of = self.id(data.map_or(&plain, |data| &data.slug), &name, &[owner]);
        json!({
            "name": name,
            "id": id_of,
            "rank": state.mark(id).rank,
            "cost": data.map(|data| data.cost).filter(|cost| *cost > 0),
            "focus": data.map(|data| data.focus).filter(|focus| *focus != 1),
            "secret": self.secrets(Target::Element(Element::Trait(id))),
        })
    }

    fn item(&mut self, who: Char, item: Item) -> Value {
        let (rules, state) = (self.rules, self.state);
        let (data, thing) = (rules.item(item), &state.items[item.index()]);
        let owner = rules.sheet(data.owner).slug.as_str();
        let id = self.id(&data.slug, &data.name, &[owner, rules.sheet(who).slug.as_str()]);
        let spells: Vec<Value> = rules
            .every_spell()
            .map(|spell| rules.spell(spell))
            .filter(|spell| spell.from == Source::Item(item))
            .map(|spell| {
                let id = self.id(&spell.slug, &spell.name, &[&data.slug, owner]);
                json!({ "name": spell.name, "id": id, "level": spell.level, "symbol": spell.symbol })
            })
            .collect();
        let mut entry = json!({
            "name": data.name,
            "id": id,
            "form": some(!data.form.is_empty(), json!(data.form)),
            "cost": some(data.cost > 0, json!(data.cost)),
            "focus": some(data.focus != 1, json!(data.focus)),
            "slots": data.slots.map(|slots| by_level(&slots)),
            "left": data.slots.filter(|slots| *slots != thing.slots).map(|_| by_level(&thing.slots)),
            "casts": some(data.casts > 0, json!(data.casts)),
            "casts_left": some(data.casts != thing.casts, json!(thing.casts)),
            "spell": spells,
            "ability": self.abilities(Bearer::Item(item), &data.slug),
            "secret": self.secrets(Target::Element(Element::Item(item))),
        });
        // Nothing is no table.
        if let Some(fields) = entry.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        entry
    }

    fn skills(&mut self, who: Char) -> Vec<Value> {
        let rules = self.rules;
        let owner = rules.sheet(who).slug.as_str();
        rules
            .every_spell()
            .map(|spell| rules.spell(spell))
            .filter_map(|spell| match spell.from {
                Source::Skill(of, rank) if of == who => {
                    let id = self.id(&spell.slug, &spell.name, &[owner]);
                    Some(json!({ "name": spell.name, "id": id, "symbol": spell.symbol, "rank": rank }))
                }
                _ => None,
            })
            .collect()
    }

    fn abilities(&mut self, on: Bearer, bearer: &str) -> Vec<Value> {
        let (rules, state) = (self.rules, self.state);
        let all = rules.every_ability().map(|at| (at, rules.ability(at)));
        all.filter(|(_, ability)| ability.on == on)
            .map(|(at, data)| {
                // The name of a hidden one is made anew.
                let id = if data.hidden { None } else { self.id(&data.slug, &data.name, &[bearer]) };
                let used = data.cost.limit == Some(Limit::Rest)
                    && state.used[Limit::Rest as usize] >> at.index() & 1 == 1;
                let mut out = ability(data);
                out["id"] = json!(id);
                out["used"] = some(used, json!(true));
                out["met"] = some(rules.is_to_be_met(data) && state.met >> at.index() & 1 == 1, json!(true));
                out
            })
            .collect()
    }

    fn secrets(&self, of: Target) -> Vec<Value> {
        let all = self.rules.every_secret().map(|at| (at, self.rules.secret(at)));
        all.filter(|(_, data)| data.of == of)
            .map(|(at, data)| {
                let learnt = self.state.learnt >> at.index() & 1 == 1;
                json!({
                    "text": data.text,
                    "investigate": some(data.investigate, json!(true)),
                    "reveals": data.reveals.map(|ability| &self.rules.ability(ability).name),
                    "learnt": some(learnt, json!(true)),
                })
            })
            .collect()
    }

    /// Persistent Tokens; the others went with the Scene (`token.scene-end`).
    fn tokens(&self, who: Char) -> Vec<Value> {
        let all = self.state.body(who).tokens.iter().filter(|token| token.persistent);
        all.map(|token| {
            json!({ "kind": token.kind, "persistent": true, "countless": some(token.countless, json!(true)) })
        })
        .collect()
    }

    fn alterations(&self, who: Char) -> Vec<Value> {
        let all = Symbol::ALL.iter().zip(&self.state.body(who).alterations);
        all.filter_map(|(symbol, altered)| Some((symbol, (*altered)?)))
            .filter(|(_, altered)| outlives(altered.lasts))
            .map(|(symbol, altered)| json!({ "symbol": symbol, "to": altered.to, "lasts": altered.lasts }))
            .collect()
    }

    fn lasting(&self, who: Char) -> Vec<Value> {
        let all = self.state.live.iter().filter(|live| live.on == who && outlives(live.lasts));
        all.map(|live| json!({ "effects": [effect(live.effect)], "lasts": live.lasts })).collect()
    }

    /// The Subjugations that somebody is in (`sub.minor-end`, `sub.end-major-wp`).
    fn grips(&self, who: Char) -> Vec<Value> {
        let all = self.state.grips.iter().filter(|grip| grip.loser == who);
        all.map(|grip| {
            let here = grip.winners.iter().map(|winner| self.rules.sheet(winner).name.as_str());
            let same = |held: &&HeldBefore| held.loser == who && held.cause == grip.cause.as_str();
            let absent = self.rules.held.iter().filter(same).flat_map(|held| held.by.iter().map(String::as_str));
            // In an order that does not depend on who is at the table.
            let by: BTreeSet<&str> = here.chain(absent).collect();
            json!({ "rank": grip.rank, "cause": grip.cause, "by": by, "aware": some(!grip.aware, json!(false)) })
        })
        .collect()
    }

    /// The Rolls that somebody made, which stay made (`roll.never-same`).
    fn made(&self, who: Char) -> Vec<Value> {
        let before = self.rules.made.iter().filter(|made| made.who == who);
        let before = before.map(|MadeBefore { task, against, passed, .. }| {
            json!({ "task": task, "against": some(!against.is_empty(), json!(against)), "passed": passed })
        });
        let now = self.state.made.iter().filter(|made| made.who == who);
        let now = now.map(|made| {
            json!({ "task": made.task, "against": self.rules.sheet(made.against).name, "passed": made.passed })
        });
        before.chain(now).collect()
    }

    /// The Persistent Spell that somebody Concentrates on (`conc.on`).
    fn pool(&self, who: Char) -> Vec<Value> {
        let pool = self.state.concentration(who);
        pool.into_iter()
            .map(|pool| {
                json!({
                    "spell": self.rules.spell(pool.spell).name,
                    "on": self.rules.sheet(pool.target).name,
                    "words": self.state.trait_name(self.rules, pool.mark),
                    "dice": pool.dice,
                    "of": pool.of,
                    "matched": some(pool.matched > 0, json!(pool.matched)),
                    "known": some(pool.known, json!(true)),
                })
            })
            .collect()
    }
}

/// An ability as a setup reads it.
fn ability(data: &AbilityData) -> Value {
    let cost = data.cost;
    let effects: Vec<Value> = data.effects.iter().map(|it| effect(*it)).collect();
    json!({
        "name": data.name,
        "text": some(!data.text.is_empty(), json!(data.text)),
        "timing": data.timing,
        "when": data.when.map(|(moment, _)| moment),
        "whose": data.when.map(|(_, whose)| whose).filter(|whose| *whose != Whose::Mine),
        "unreactable": some(data.unreactable, json!(true)),
        "action": some(cost.action, json!(true)),
        "reaction": some(cost.reaction, json!(true)),
        "focus": some(cost.focus > 0, json!(cost.focus)),
        "exhaust": some(cost.exhaust, json!(true)),
        "limit": cost.limit,
        "aim": some(data.aim != Aim::Me, json!(data.aim)),
        "lasts": some(data.lasts != usual_duration(&data.effects), json!(data.lasts)),
        "hidden": some(data.hidden, json!(true)),
        "effects": effects,
    })
}

/// An effect as a setup reads it (`ext.effects`).
fn effect(it: Effect) -> Value {
    if let Some((name, _)) = PLAIN.iter().find(|(_, plain)| *plain == it) {
        return json!({ *name: true });
    }
    match it {
        Effect::AddBd(n) => json!({ "add-bd": n }),
        Effect::AddMd(n) => json!({ "add-md": n }),
        Effect::AddDamage(n) => json!({ "add-damage": n }),
        Effect::MultiplyDamage(n) => json!({ "multiply-damage": n }),
        Effect::SetPotential(n) => json!({ "set-potential": n }),
        Effect::DealDamage(n) => json!({ "deal-damage": n }),
        Effect::RestoreMajor(n) => json!({ "restore-major": n }),
        Effect::RestoreMinor(n) => json!({ "restore-minor": n }),
        Effect::GainFocus(n) => json!({ "gain-focus": n }),
        Effect::AddSpellSlot(n) => json!({ "add-spell-slot": n }),
        Effect::ChangeHours(n) => json!({ "change-hours": n }),
        Effect::GainKeyword(keyword) => json!({ "gain-keyword": keyword }),
        Effect::Alter { symbol, to, resist } => {
            let resist = resist.map(|(with, over)| format!("{} over {}", with.word(), over.word()));
            json!({ "alter": { "symbol": symbol, "to": to, "resist": resist } })
        }
        Effect::GiveToken { kind, persistent, ephemeral, countless } => {
            let is = |there: bool| some(there, json!(true));
            json!({ "give-token": {
                "kind": kind, "persistent": is(persistent), "ephemeral": is(ephemeral), "countless": is(countless),
            } })
        }
        Effect::ClearAlteration
        | Effect::GainAction
        | Effect::GainReaction
        | Effect::Ready
        | Effect::Exhaust
        | Effect::RevealSecret
        | Effect::LoseControl
        | Effect::Note => Value::Null,
    }
}

/// Everything that a character has been through, this evening last.
fn history(rules: &Rules, state: &State, who: Char) -> Vec<String> {
    rules.sheet(who).history.iter().cloned().chain([became(rules, state, who)]).collect()
}

/// One line on what this evening made of somebody.
fn became(rules: &Rules, state: &State, who: Char) -> String {
    let (sheet, body) = (rules.sheet(who), state.body(who));
    let mut parts = Vec::new();
    if body.dead {
        parts.push("died".to_owned());
    } else if body.major < sheet.major {
        parts.push(format!("came away with {} of {} Major Will Points", body.major, sheet.major));
    } else {
        parts.push("came away unbroken".to_owned());
    }
    let gained = state.traits_of(who).filter(|id| id.index() >= MAX_TRAITS && !state.mark(*id).spell);
    let gained: Vec<&str> = gained.map(|id| state.trait_name(rules, id)).collect();
    if !gained.is_empty() {
        parts.push(format!("became {}", gained.join(", ")));
    }
    // Of what a character does not know nothing is told (`sub.awareness`).
    for grip in state.grips.iter().filter(|grip| grip.loser == who && grip.aware && !body.dead) {
        parts.push(format!("is held to this: {}", grip.cause));
    }
    format!("{}: {}", rules.roster.title, parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        setup::{
            start,
            tests::{HERO, read},
        },
        state::{Altered, Grip, Made, Token},
    };
    use fracas_kernel::{Document, Setup};

    const EVENING: &str = r#"
        item = [
            { name = "Almanac", slots = { 1 = 2, 2 = 1 }, left = { 1 = 1 }, spell = [{ name = "Thaw", level = 2, symbol = "heart" }],
              ability = [
                { name = "Skim", timing = "rapid", reaction = true, limit = "rest", used = true, aim = "acting",
                  effects = [{ add-bd = 1 }, { add-damage = -2 }, { gain-reaction = true },
                    { alter = { symbol = "key", to = "bright", resist = "lips over star" } },
                    { give-token = { kind = "Soaked", ephemeral = true } }] },
                { name = "Burn", timing = "triggered", when = "fails", whose = "enemy", hidden = true, lasts = "rest",
                  effects = [{ gain-keyword = "flying" }, { gain-keyword = "Waist-Deep" }] },
              ],
              secret = [{ text = "it is alive", reveals = "Burn", learnt = true }, { text = "and hungry", investigate = true }] },
        ]
        used_prop = [{ name = "a wet dog" }]
    "#;

    /// What is carried from this table, as the next one reads it.
    fn next(carried: &Value) -> (Rules, State) {
        let encounter = "player = [{ name = \"ana\" }]\ncharacter = [{ use = \"Hero\" }]\n\
            npc = [{ name = \"Foe\", wp = { major = 2, minor = 1 }, personalities = {} }]\n";
        let encounter = Document::toml("next.toml", encounter).expect("TOML");
        let library = vec![Document::json("carried", carried)];
        start(&Setup { encounter, library }).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn evening() -> (Rules, State) {
        let text = format!(
            "player = [{{ name = \"ana\" }}]\n\
             npc = [{{ name = \"Foe\", wp = {{ major = 2, minor = 1 }}, personalities = {{}} }}]\n\
             token = [{{ name = \"Soaked\", when = \"damage-taken\", effects = [{{ add-damage = 2 }}] }}]\n\
             used_prop = [{{ name = \"a wet dog\" }}]\n[[character]]\n{HERO}{}",
            EVENING.split("used_prop").next().unwrap_or_default()
        );
        read(&text).unwrap_or_else(|faults| panic!("{faults}"))
    }

    #[test]
    fn what_is_carried_is_what_comes_back() {
        let (rules, mut state) = evening();
        let label = |text: &str| text.parse().expect("short");
        let (hero, foe) = (Char(0), Char(1));
        state.body_mut(hero).major = 3;
        state.body_mut(hero).minor = 0;
        state.body_mut(hero).skill_slots = [1, 0];
        let token = Token { kind: TokenKind::Lucky, persistent: true, countless: false, ephemeral: None };
        state.body_mut(hero).tokens.push(token);
        state.body_mut(hero).tokens.push(Token { persistent: false, ..token });
        let altered = |lasts| Some(Altered { to: Alteration::Bright, lasts, by: Some(foe) });
        state.body_mut(hero).alterations[Symbol::Key as usize] = altered(Lasts::Permanent);
        state.body_mut(hero).alterations[Symbol::Star as usize] = altered(Lasts::Scene);
        state.gained.push(label("Saw It Coming"));
        state.traits[MAX_TRAITS].owner = Some(hero);
        state.traits[MAX_TRAITS].rank = Rank::Major;
        state.traits[0].owner = None;
        let winners = CharSet::one(foe);
        state.grips.push(Grip {
            loser: hero,
            winners,
            rank: Rank::Minor,
            cause: label("a card game"),
            aware: false,
        });
        state.made.push(Made {
            who: hero,
            against: foe,
            with: Symbol::Key,
            over: Symbol::Heart,
            task: label("picks the pocket"),
            passed: true,
            scene: 1,
        });
        state.used_props.push(label("a dry dog"));
        let carried = carry(&rules, &state);
        let (rules, state) = next(&carried);
        let body = state.body(hero);
        assert_eq!((body.major, body.minor, body.skill_slots), (3, 2, [1, 0]));
        assert_eq!(body.tokens.as_slice(), [token]);
        assert_eq!(body.alterations.iter().flatten().count(), 1);
        let traits: Vec<(&str, Rank)> =
            state.traits_of(hero).map(|id| (state.trait_name(&rules, id), state.mark(id).rank)).collect();
        assert_eq!(traits, [("Two", Rank::Minor), ("Three", Rank::Minor), ("Saw It Coming", Rank::Major)]);
        assert!(state.is_held_by(hero, foe) && !state.grips[0].aware);
        assert_eq!(
            (rules.made[0].task.as_str(), rules.made[0].against.as_str()),
            ("picks the pocket", "Foe")
        );
        assert_eq!(rules.used_props, ["a wet dog", "a dry dog"]);
        assert_eq!(state.items[0].slots, [1, 0, 0, 0, 0]);
        assert_eq!((state.used, state.learnt, state.met), ([0, 0, 1], 1, 2));
        let mut again = carry(&rules, &state);
        let mut once = carried;
        // Each evening adds what it made of them.
        let took = |carried: &mut Value| carried["character"][0]["history"].take();
        let (first, both) = (took(&mut once), took(&mut again));
        let became = "came away with 3 of 5 Major Will Points; became Saw It Coming";
        assert!(first[0].as_str().is_some_and(|line| line.ends_with(became)), "{first}");
        assert_eq!((&both[0], both.as_array().map(Vec::len)), (&first[0], Some(2)));
        assert_eq!(once, again);
        assert_eq!(rules.abilities, evening().0.abilities);
    }

    #[test]
    fn who_held_somebody_stays_named_where_they_are_not() {
        let (rules, mut state) = evening();
        let winners = CharSet::one(Char(1));
        let cause = "a card game".parse().expect("short");
        state.grips.push(Grip { loser: Char(0), winners, rank: Rank::Major, cause, aware: true });
        let mut carried = carry(&rules, &state);
        carried["character"][0]["grip"][0]["by"] = json!(["Foe", "Somebody Else"]);
        let (rules, state) = next(&carried);
        assert_eq!(carry(&rules, &state)["character"][0]["grip"][0]["by"], json!(["Foe", "Somebody Else"]));
    }

    #[test]
    fn a_lasting_spell_goes_on() {
        let (rules, mut state) = evening();
        let mut pooled = carry(&rules, &state);
        pooled["character"][0]["pool"] = json!([{ "spell": "Thaw", "on": "Hero", "words": "Warm Hands", "dice": 3, "of": "bonus", "matched": 1 }]);
        let (rules, next_state) = next(&pooled);
        let pool = next_state.concentration(Char(0)).expect("it goes on");
        assert_eq!((pool.dice, pool.matched, pool.mark), (3, 1, TraitId(MAX_TRAITS as u8)));
        assert_eq!(next_state.trait_name(&rules, pool.mark), "Warm Hands");
        let again = &carry(&rules, &next_state)["character"][0];
        assert_eq!(again["pool"][0]["dice"], 3);
        // Its Trait comes of the Spell, and is none of the sheet.
        assert_eq!(again["trait"].as_array().map(Vec::len), Some(3));
        state.body_mut(Char(0)).dead = true;
        let carried = carry(&rules, &state);
        assert_eq!((&carried["character"], &carried[FALLEN][0]["name"]), (&json!([]), &json!("Hero")));
    }
}
