//! Everybody comes to another evening as they left the one before.

use fracas_kernel::{Document, Faults, Game, Setup, System, Words, carried_on, toml};
use fracas_sim::{Chance, Playouts, Quiet, Random};
use fracas_systems::{Comer, Scene, Visit, all, encounters, setup, visit};
use serde_json::{Value, json};

/// So many answers and rolls into an evening: its start, its middle, its end.
const MOMENTS: [u32; 3] = [0, 60, 600];

/// So many evenings of each encounter at each of these.
const SEEDS: u64 = 2;

/// What an evening's end and the next one's start differ in: lines on what became of
/// somebody, who plays them, and fortunes, which are for one scene.
const PASSING: [&str; 6] = ["history", "note", "player", "without", "good_fortune", "bad_fortune"];

/// A system's bundled encounters, each with its id.
fn bundled(system: &System) -> Vec<(String, Setup)> {
    let all = encounters(system).unwrap_or_else(|faults| panic!("{faults}"));
    let read = |id: &str| setup(system, id).unwrap_or_else(|| panic!("{id}"));
    let sound = |id: &str| read(id).unwrap_or_else(|faults| panic!("{faults}"));
    all.iter().map(|one| (one.id.clone(), sound(&one.id))).collect()
}

/// Plays every bundled encounter, and carries those in it into every one.
struct Evenings(&'static System);

impl Visit for Evenings {
    type Out = Vec<String>;

    fn game<G: Words>(&mut self) -> Vec<String> {
        let bundled = bundled(self.0);
        let mut wrong = Vec::new();
        let moments = || MOMENTS.into_iter().flat_map(|moment| (0..SEEDS).map(move |seed| (moment, seed)));
        for (from, setup) in &bundled {
            let (rules, start) = G::start(setup).unwrap_or_else(|faults| panic!("{from}: {faults}"));
            for (moment, seed) in moments() {
                let mut playouts = Playouts::<G>::new(&rules, &start).budget(moment);
                let mut chance = Chance::new(seed, moment.into());
                let played = playouts.play(&mut Random, &mut chance, &mut Quiet);
                let Some(now) = G::carry(&rules, &played.state) else { return wrong };
                let carried = carried_on(setup, now, "", json!({}));
                for (to, next) in &bundled {
                    let way = format!("{}, seed {seed}, from {from} at {moment} to {to}", self.0.id);
                    wrong.extend(differs::<G>(&way, &carried, next.clone()));
                    let all = in_place(self.0, &carried, next.clone());
                    wrong.extend(differs::<G>(&format!("{way}, all of them"), &carried, all));
                }
            }
        }
        wrong
    }
}

/// An encounter with all who are carried in place of its own.
fn in_place(system: &System, carried: &Value, next: Setup) -> Setup {
    let text = |entry: &Value, field: &str| entry[field].as_str().map(str::to_owned);
    let comer = |entry| Some(Comer { name: text(entry, "name")?, player: text(entry, "player"), count: 1 });
    let scene = Scene { title: String::new(), comers: list(carried).iter().filter_map(comer).collect() };
    scene.in_place_of_its_own(next, system)
}

fn list(carried: &Value) -> &[Value] {
    carried["character"].as_array().map_or(&[], Vec::as_slice)
}

/// Whether a rule keeps those who are carried out of an encounter: one of them is dead, or
/// has nobody beside her, or there are not enough for its two sides.
fn are_kept_out(faults: &Faults) -> bool {
    let told = faults.to_string();
    ["has fallen", "Alone", "takes two sides"].iter().any(|why| told.contains(why))
}

/// What is not as it was of those who are carried into an evening.
fn differs<G: Game>(way: &str, carried: &Value, next: Setup) -> Vec<String> {
    if list(carried).is_empty() {
        return Vec::new();
    }
    let document =
        Document::toml("carried", &toml(carried)).unwrap_or_else(|faults| panic!("{way}: {faults}"));
    let (rules, state) = match next.with(vec![document]).and_then(|next| G::start(&next)) {
        Ok(begun) => begun,
        Err(faults) if are_kept_out(&faults) => return Vec::new(),
        Err(faults) => return vec![format!("{way}: {faults}")],
    };
    let after = G::carry(&rules, &state).unwrap_or_default();
    let mut wrong = Vec::new();
    for was in list(carried) {
        let Some(is) = list(&after).iter().find(|is| is["name"] == was["name"]) else { continue };
        let (Some(was), Some(is)) = (was.as_object(), is.as_object()) else { continue };
        let fields = was.keys().chain(is.keys().filter(|field| !was.contains_key(*field)));
        for field in fields.filter(|field| !PASSING.contains(&field.as_str())) {
            let [was, is] = [was, is].map(|one| one.get(field).unwrap_or(&Value::Null));
            if was != is {
                wrong.push(format!("{way}: {field} was {was}, is {is}"));
            }
        }
    }
    wrong
}

#[test]
fn everybody_comes_as_they_left() {
    let of = |system: &'static System| visit(system.id, &mut Evenings(system)).unwrap_or_default();
    let wrong: Vec<String> = all().iter().flat_map(of).collect();
    assert!(wrong.is_empty(), "{} wrong, such as\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
}
