//! Encounters that are made up, for tests: any map, any people with anything that a setup can say of
//! them, any settings. Every choice is drawn.

use fracas_kernel::{Document, Game, Setup, Space, Spaces};
use fracas_sim::Chance;
use ruins_and_raiders::RuinsAndRaiders;
use ruins_and_raiders::vocab::{Gift, Range, Side, TRAITS, Value as Number};
use serde_json::{Map, Value, json};

/// The most combatants; their mounts come on top.
const MOST: usize = 20;
/// The longest side of a map.
const SIDE: i64 = 60;

/// Draws numbers.
struct Draw(Chance);

impl Draw {
    /// A number of these, both among them.
    fn within(&mut self, least: i64, most: i64) -> i64 {
        least + i64::from(self.0.below((most - least + 1).max(1) as u32))
    }

    /// Whether something happens that happens once in `times`.
    fn once_in(&mut self, times: u32) -> bool {
        self.0.below(times) == 0
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.0.below(all.len() as u32) as usize].clone()
    }

    /// A value once in `times`, else nothing.
    fn maybe(&mut self, times: u32, value: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.once_in(times) { value(self) } else { Value::Null }
    }

    /// So many things, or fewer.
    fn some<T>(&mut self, most: i64, mut thing: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.within(0, most)).map(|_| thing(self)).collect()
    }
}

/// The table of this number.
pub(crate) fn made_up(n: u32) -> Setup {
    // Playouts have the other streams.
    let draw = Draw(Chance::new(1, u64::MAX - u64::from(n)));
    Setup::alone(Document::json(format!("made up {n}"), &encounter(draw)))
}

fn encounter(mut draw: Draw) -> Value {
    let options: Map<String, Value> = RuinsAndRaiders::rulebook()
        .options()
        .map(|(clause, option)| (clause.id().to_owned(), json!(draw.of(option.values))))
        .collect();
    let skills: Vec<String> = (1..=draw.within(0, 3)).map(|n| format!("Craft {n}")).collect();
    let grounds: Vec<Value> = (1..=draw.within(0, 5)).map(|n| ground(&mut draw, n)).collect();
    let count = draw.within(2, MOST as i64) as usize;
    let (map, spaces) = map(&mut draw, &grounds, 2 * count);
    let players = draw.within(1, 4.min(count as i64 - 1)) as usize;
    let mut cast = Cast { skills: &skills, spaces, players, characters: Vec::new(), npcs: Vec::new() };
    cast.fill(&mut draw, count);
    bare(json!({
        "title": "Made up",
        "player": (1..=players).map(|n| json!({ "name": format!("Player {n}") })).collect::<Vec<Value>>(),
        "character": cast.characters,
        "npc": cast.npcs,
        "options": options,
        "table": table(&mut draw),
        "skill": skills.iter().map(|name| json!({ "name": name, "mental": draw.once_in(2) })).collect::<Vec<Value>>(),
        "ground": grounds,
        "manoeuvre": draw.some(2, |draw| manoeuvre(draw, &skills, "Common")).into_iter().enumerate().map(numbered).collect::<Vec<Value>>(),
        "map": map,
    }))
}

/// The same without fields that hold nothing.
fn bare(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, bare(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(bare).collect(),
        other => other,
    }
}

/// Two things of a name need two names.
fn numbered((n, mut thing): (usize, Value)) -> Value {
    thing["name"] = json!(format!("{} {}", thing["name"].as_str().unwrap_or_default(), n + 1));
    thing
}

/// How the table plays.
fn table(draw: &mut Draw) -> Value {
    let change = |draw: &mut Draw| draw.maybe(2, |draw| json!(draw.within(-4, 2)));
    let abort = |(n, draw): (i64, &mut Draw)| match draw.within(0, 2) {
        0 => json!({ "name": format!("Duck {n}"), "do": "prone" }),
        1 => json!({ "name": format!("Sidestep {n}"), "do": "step" }),
        _ => {
            let value = draw.of(&["dodge", "parry", "defiance", "protection"]);
            json!({ "name": format!("Ward {n}"), "do": "bonus", "value": value, "by": draw.within(1, 9) })
        }
    };
    json!({
        "brace": draw.once_in(2),
        "haste": draw.maybe(2, |draw| json!({ "actions": draw.within(1, 2), "initiative": draw.within(1, 20) })),
        "initiative": {
            "step": change(draw),
            "draw": change(draw),
            "shout": change(draw),
            "drop": change(draw),
            "surprised": change(draw),
        },
        "track": draw.maybe(3, track),
        "abort": (0..draw.within(0, 4)).map(|n| abort((n, &mut *draw))).collect::<Vec<Value>>(),
    })
}

fn track(draw: &mut Draw) -> Value {
    let disabled = draw.within(6, 18);
    json!({ "penalty": draw.within(0, 12), "disabled": disabled, "dead": disabled + draw.within(0, 8) })
}

/// A kind of ground: slow or fast, hard to stand on, or both.
fn ground(draw: &mut Draw, n: i64) -> Value {
    let checked = draw.once_in(2);
    let movement = if draw.once_in(12) { -30 } else { draw.within(-8, 4) };
    json!({
        "name": format!("Ground {n}"),
        "movement": if checked || movement != 0 { movement } else { -2 },
        "level": if checked { json!(draw.within(4, 12)) } else { Value::Null },
        "prone": if checked { json!(draw.once_in(2)) } else { Value::Null },
        "wounds": if checked { json!(draw.within(0, 3)) } else { Value::Null },
        "back": if checked { json!(draw.once_in(3)) } else { Value::Null },
    })
}

/// A map, and where somebody can be on it, from left to right: at least `least` spaces of a grid.
fn map(draw: &mut Draw, grounds: &[Value], least: usize) -> (Value, Vec<String>) {
    if draw.once_in(6) {
        return places(draw);
    }
    let side = |draw: &mut Draw| {
        let most = draw.of(&[10, 10, 20, 30, SIDE]);
        draw.within(6, most)
    };
    let (columns, height) = (side(draw), side(draw));
    let mut grid = Grid::open(columns as u8, height as u8);
    if draw.once_in(4) {
        return (json!({ "columns": columns, "height": height }), grid.names(&grid.free));
    }
    let area = columns * height;
    let mut legend = Map::new();
    for (letter, ground) in ('a'..).zip(grounds) {
        for _ in 0..=area / 150 {
            grid.patch(draw, 6, letter);
        }
        legend.insert(letter.to_string(), ground["name"].clone());
    }
    if draw.once_in(2) {
        grid.patch(draw, 4, 't');
        legend.insert("t".to_owned(), json!("treacherous"));
    }
    if draw.once_in(2) {
        grid.build(draw, area, least);
        legend.insert("#".to_owned(), json!("wall"));
    }
    let rows: Vec<String> = grid.rows.iter().map(|row| row.iter().collect()).collect();
    legend.retain(|letter, _| rows.iter().any(|row| row.contains(letter)));
    let spaces = grid.names(&grid.free);
    let named = (1..=draw.within(0, 4)).map(|n| (format!("Mark {n}"), json!(draw.of(&spaces))));
    let mut names: Map<String, Value> = Map::new();
    for (name, space) in named {
        if names.values().all(|other| *other != space) {
            names.insert(name, space);
        }
    }
    let legend = if legend.is_empty() { Value::Null } else { Value::Object(legend) };
    (json!({ "rows": rows, "legend": legend, "names": names, "walls": grid.walls }), spaces)
}

/// Places with ways between them: each leads to a place before it, some to two. Any number can be in a place.
fn places(draw: &mut Draw) -> (Value, Vec<String>) {
    let name = |n: i64| format!("Place {n}");
    let count = draw.within(2, 24);
    let mut all = vec![json!({ "name": name(1) })];
    for n in 2..=count {
        let to: Map<String, Value> = (0..=draw.within(0, 1))
            .map(|_| (name(draw.within((n - 6).max(1), n - 1)), json!(draw.within(1, 24))))
            .collect();
        all.push(json!({ "name": name(n), "to": to }));
    }
    let spaces = (1..=count).flat_map(|n| std::iter::repeat_n(name(n), MOST));
    (json!({ "place": all }), spaces.collect())
}

/// A map while it is drawn.
struct Grid {
    rows: Vec<Vec<char>>,
    /// Edges that nobody crosses.
    walls: Vec<String>,
    /// Where somebody can be.
    free: Spaces,
}

impl Grid {
    fn open(columns: u8, height: u8) -> Grid {
        let rows = vec![vec!['.'; columns.into()]; height.into()];
        Grid { rows, walls: Vec::new(), free: Spaces::all(columns, height) }
    }

    fn columns(&self) -> i64 {
        self.rows[0].len() as i64
    }

    fn height(&self) -> i64 {
        self.rows.len() as i64
    }

    /// Fills a patch somewhere with this character.
    fn patch(&mut self, draw: &mut Draw, most: i64, with: char) {
        let (left, top) = (draw.within(0, self.columns() - 1), draw.within(0, self.height() - 1));
        let (wide, high) = (draw.within(1, most), draw.within(1, most));
        for row in self.rows.iter_mut().skip(top as usize).take(high as usize) {
            row.iter_mut().skip(left as usize).take(wide as usize).for_each(|space| *space = with);
        }
    }

    /// Builds walls, in spaces and between them, and shuts what they cut off. Leaves the map open where
    /// fewer spaces than `least` would be left.
    fn build(&mut self, draw: &mut Draw, area: i64, least: usize) {
        let before = self.rows.clone();
        for _ in 0..=area / 60 {
            self.patch(draw, 3, '#');
        }
        let mut edges = Vec::new();
        for _ in 0..=area / 120 {
            let (column, row) = (draw.within(0, self.columns() - 2), draw.within(0, self.height() - 2));
            let upright = draw.once_in(2);
            for n in 0..draw.within(2, 6) {
                let (a, b) = if upright {
                    ((column, row + n), (column + 1, row + n))
                } else {
                    ((column + n, row), (column + n, row + 1))
                };
                edges.extend(self.space(a).zip(self.space(b)));
            }
        }
        self.free = self.together(&edges);
        if self.free.len() < least.max(area as usize / 2) {
            *self = Grid { rows: before, ..Grid::open(self.columns() as u8, self.height() as u8) };
            return;
        }
        for (row, spaces) in (0..).zip(&mut self.rows) {
            for (column, space) in (0..).zip(spaces) {
                if !Space::new(column, row).is_some_and(|space| self.free.has(space)) {
                    *space = '#';
                }
            }
        }
        self.walls = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    }

    fn space(&self, (column, row): (i64, i64)) -> Option<Space> {
        let kind = self.rows.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?;
        Space::new(column as u8, row as u8).filter(|_| *kind != '#')
    }

    /// The most spaces that hang together by steps that every metric has.
    fn together(&self, edges: &[(Space, Space)]) -> Spaces {
        let mut best = Spaces::EMPTY;
        let mut left = Spaces::EMPTY;
        let all = (0..self.height()).flat_map(|row| (0..self.columns()).map(move |column| (column, row)));
        all.filter_map(|place| self.space(place)).for_each(|space| left.add(space));
        loop {
            let Some(first) = left.iter().next() else { return best };
            let (mut found, mut open) = (Spaces::EMPTY.with(first), vec![first]);
            while let Some(from) = open.pop() {
                let (column, row) = (i64::from(from.column()), i64::from(from.row()));
                for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let Some(to) = self.space((column + x, row + y)) else { continue };
                    let shut = edges.contains(&(from, to)) || edges.contains(&(to, from));
                    if !shut && !found.has(to) {
                        found.add(to);
                        open.push(to);
                    }
                }
            }
            left = left.minus(&found);
            if found.len() > best.len() {
                best = found;
            }
        }
    }

    /// What these spaces are called, from left to right.
    fn names(&self, spaces: &Spaces) -> Vec<String> {
        let mut all: Vec<Space> = spaces.iter().collect();
        all.sort_by_key(|space| (space.column(), space.row()));
        all.iter().map(Space::to_string).collect()
    }
}

/// Everybody at the table.
struct Cast<'s> {
    skills: &'s [String],
    /// Where somebody can be who has no place yet, from left to right.
    spaces: Vec<String>,
    players: usize,
    characters: Vec<Value>,
    npcs: Vec<Value>,
}

impl Cast<'_> {
    /// So many combatants, on both sides, some of them mounted.
    fn fill(&mut self, draw: &mut Draw, count: usize) {
        let own = draw.within(self.players as i64, count as i64 - 1) as usize;
        let apart = draw.once_in(2);
        // Either nobody says where they begin or everybody does: who does not is put into the way of others.
        let is_said = !draw.once_in(10);
        for n in 0..count {
            let side = match n {
                _ if n < own => Side::Players,
                _ if n + 1 < count && draw.once_in(10) => Side::Nobody,
                _ => Side::Foes,
            };
            let is_pc = n < self.players || side == Side::Players && !draw.once_in(3);
            let whose = if n < self.players { n } else { draw.within(0, self.players as i64 - 1) as usize };
            let is_last = n + 1 == count;
            let hidden = |draw: &mut Draw, times| json!(!is_pc && !is_last && draw.once_in(times));
            let mut place = if is_pc {
                json!({ "player": format!("Player {}", whose + 1) })
            } else {
                json!({ "side": side, "unseen": hidden(draw, 4), "away": hidden(draw, 16), "revealed": draw.once_in(6) })
            };
            place["at"] = if is_said { json!(self.somewhere(draw, apart, side)) } else { Value::Null };
            let fighter = combatant(draw, self.skills, &format!("Fighter {}", n + 1));
            let list = if is_pc { &mut self.characters } else { &mut self.npcs };
            if draw.once_in(4) {
                let mount = mount(draw, &format!("Horse {}", n + 1));
                let rides = json!({ "rides": mount["name"], "prone": false, "at": null });
                list.extend([joined(mount, &[&place]), joined(fighter, &[&place, &rides])]);
            } else {
                list.push(joined(fighter, &[&place]));
            }
        }
    }

    /// A place for somebody of a side: where the sides begin apart, on that side's third of the map.
    fn somewhere(&mut self, draw: &mut Draw, apart: bool, side: Side) -> String {
        let last = self.spaces.len() as i64 - 1;
        let at = match side {
            Side::Players if apart => draw.within(0, last / 3),
            Side::Foes if apart => draw.within(last - last / 3, last),
            _ => draw.within(0, last),
        };
        self.spaces.remove(at as usize)
    }
}

/// A table with the fields of others over it.
fn joined(mut table: Value, over: &[&Value]) -> Value {
    for (name, value) in over.iter().filter_map(|over| over.as_object()).flatten() {
        table[name] = value.clone();
    }
    table
}

/// Traits from this list, each up to `most`.
fn traits(draw: &mut Draw, names: &[&str], most: i64) -> Map<String, Value> {
    names.iter().map(|name| ((*name).to_owned(), json!(draw.within(0, most)))).collect()
}

/// A sheet: what somebody is, has and can do.
fn combatant(draw: &mut Draw, skills: &[String], name: &str) -> Value {
    let body = ["brawn", "fortitude", "intellect", "intuition", "perception", "presence"];
    let learnt = ["archer", "warrior", "athlete", "ranger"];
    let mut levels = traits(draw, &body, 5);
    levels.extend(traits(draw, &learnt, 8));
    levels.extend(skills.iter().map(|skill| (skill.clone(), json!(draw.within(0, 6)))));
    let gifts: Vec<Gift> = Gift::ALL.iter().copied().filter(|_| draw.once_in(8)).collect();
    let limbs = gifts.contains(&Gift::ExtraLimbs).then(|| draw.within(1, 8));
    json!({
        "name": name,
        "traits": levels,
        "fortune": if draw.once_in(2) { 0 } else { draw.within(1, 9) },
        "experience": draw.within(0, 1_500),
        "armour": draw.maybe(2, |draw| {
            json!({ "name": "Armour", "value": draw.within(0, 4), "penalty": draw.within(0, 2) })
        }),
        "encumbrance": draw.maybe(4, |draw| json!(draw.within(1, 4))),
        "gifts": gifts,
        "limbs": limbs,
        "values": draw.maybe(8, |draw| json!({
            "movement": draw.maybe(2, |draw| json!(draw.within(0, 24))),
            "dodge": draw.maybe(2, |draw| json!(draw.within(4, 15))),
            "parry": draw.maybe(2, |draw| json!(draw.within(4, 15))),
            "defiance": draw.maybe(2, |draw| json!(draw.within(4, 15))),
            "protection": draw.maybe(2, |draw| json!(draw.within(0, 8))),
        })),
        "track": draw.maybe(6, track),
        "weapon": draw.some(3, weapon),
        "ready": draw.maybe(10, |_| json!([])),
        "spell": draw.maybe(4, |draw| json!(draw.some(3, spell))),
        "manoeuvre": draw.maybe(4, |draw| json!(draw.some(2, |draw| manoeuvre(draw, skills, "Trick")))),
        "wounds": draw.maybe(8, |draw| json!(draw.within(1, 16))),
        "shocks": draw.maybe(8, |draw| json!(draw.within(1, 16))),
        "prone": draw.once_in(16),
        "asleep": draw.once_in(16),
        "unaware": draw.once_in(8),
    })
}

fn mount(draw: &mut Draw, name: &str) -> Value {
    let movement = draw.maybe(2, |draw| json!({ "movement": draw.within(10, 28) }));
    json!({
        "name": name,
        "mount": true,
        "traits": traits(draw, &["brawn", "fortitude", "perception", "athlete"], 6),
        "values": movement,
        "weapon": draw.maybe(4, |draw| json!([weapon(draw)])),
    })
}

/// A weapon of any class: name, uses, the most power and defence, hands, and what else it is.
fn weapon(draw: &mut Draw) -> Value {
    type Kind = (&'static str, &'static [&'static str], i64, i64, i64, &'static str);
    let kinds: [Kind; 12] = [
        ("Sword", &["melee"], 9, 1, 1, ""),
        ("Maul", &["melee"], 12, 0, 2, ""),
        ("Pike", &["melee"], 10, 1, 2, "pole"),
        ("Lance", &["melee"], 9, 0, 1, "pole"),
        ("Spear", &["melee", "thrown"], 8, 0, 1, "pole"),
        ("Knife", &["melee", "thrown"], 5, 1, 1, ""),
        ("Net", &["thrown"], 1, 0, 1, ""),
        ("Shield", &["melee"], 2, 4, 1, ""),
        ("Bow", &["missile"], 9, 0, 2, ""),
        ("Sling", &["missile"], 5, 0, 1, ""),
        ("Bayonet", &["melee", "missile"], 8, 0, 2, ""),
        ("Claws", &["melee", "missile"], 6, 1, 1, "natural"),
    ];
    let (name, uses, power, defence, hands, more) = draw.of(&kinds);
    let mut weapon = json!({
        "name": name,
        "uses": uses,
        "power": draw.within(power / 2, power),
        "defence": draw.within(0, defence),
        "hands": if more == "natural" { Value::Null } else { json!(hands) },
    });
    if !more.is_empty() {
        weapon[more] = json!(true);
    }
    weapon
}

fn spell(draw: &mut Draw) -> Value {
    let own = draw.once_in(4);
    let number = json!(draw.within(3, 15));
    let against = match draw.of(&["", "defiance", "dodge", "parry", "body", "nothing", "number"]) {
        "" => Value::Null,
        "number" => number,
        _ if own => json!("nothing"),
        word => json!(word),
    };
    json!({
        "name": "Spell",
        "with": draw.of(&["intellect", "presence"]),
        "actions": draw.within(1, 2),
        "against": against,
        "range": if own { Value::Null } else { json!(draw.of(Range::ALL)) },
        "energy": draw.within(0, 2),
        "own": own,
        "effect": effects(draw),
        "note": "as the table tells it",
    })
}

fn manoeuvre(draw: &mut Draw, skills: &[String], name: &str) -> Value {
    let aimed = !draw.once_in(4);
    let known = |draw: &mut Draw| {
        let skills = skills.iter().map(String::as_str);
        let all: Vec<&str> = TRAITS.into_iter().chain(skills).collect();
        draw.of(&all).to_owned()
    };
    let with = if draw.once_in(4) { None } else { Some(known(draw)) };
    let number = json!(draw.within(3, 15));
    let of_target = known(draw);
    let against = match draw.of(&["", "body", "dodge", "parry", "defiance", "nothing", "number", "trait"]) {
        _ if with.is_none() => Value::Null,
        "" if aimed => Value::Null,
        "number" => number,
        _ if !aimed => json!("nothing"),
        "trait" => json!(of_target),
        word => json!(word),
    };
    json!({
        "name": name,
        "actions": draw.within(1, 2),
        "with": with,
        "against": against,
        "aimed": aimed,
        "effect": effects(draw),
        "note": "as the table tells it",
    })
}

fn effects(draw: &mut Draw) -> Vec<Value> {
    let soak = |draw: &mut Draw| json!(draw.of(&["protection", "fortitude", "nothing"]));
    let effect = |draw: &mut Draw| match draw.within(0, 10) {
        0..=2 => {
            let brawn = draw.once_in(2);
            json!({ "do": "wounds", "power": draw.within(0, 9), "brawn": brawn, "soak": soak(draw) })
        }
        3 => json!({ "do": "shocks", "power": draw.within(0, 6), "soak": soak(draw) }),
        4 | 5 => {
            let by = draw.of(&[-4, -2, -1, 1, 3]);
            json!({ "do": "change", "value": draw.of(Number::ALL), "by": by })
        }
        6 => json!({ "do": "thrown", "spaces": draw.within(1, 6) }),
        _ => json!({ "do": draw.of(&["prone", "drop", "held", "asleep", "told"]) }),
    };
    draw.some(4, effect)
}
