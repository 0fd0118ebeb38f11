//! Cards: the scene, and everybody in it.

use super::*;
use crate::state::{Lie, Phase};
use crate::view::{is_going, is_players, knows_arm, lying, order};
use crate::{points, walk};
use fracas_kernel::{Cell, Clause, Meter, Row, Saying, Seat, SheetPart, Tag, TagShape};

/// Every card that this viewer may see.
pub(super) fn cards(at: At<'_>, who: Viewer) -> Vec<Card> {
    let here = at.rules.everybody().filter(|&c| at.state.is_here(c) && sees(at, c, who));
    std::iter::once(scene_card(at, who))
        .chain(at.rules.roster.briefing_card().filter(|_| who.is_gm()))
        .chain(here.map(|c| card(at, c, who)))
        .collect()
}

/// Who stands, who is disabled or dead, and what lies about.
pub(super) fn ending(at: At<'_>, who: Viewer) -> Ending {
    let all: CharSet = at.rules.everybody().filter(|&c| at.state.is_disabled(at.rules, c)).collect();
    let fallen = |card: &Card| all.iter().any(|c| at.rules.sheet(c).slug == card.id);
    let lies = lying(at, who)
        .map(|weapon| format!("{} {}", Saying(weapon, at), lies(at, at.state.place(weapon).lie)));
    Ending { lying: lies.collect(), ..Ending::of(&cards(at, who), fallen) }
}

fn tag(text: impl Into<String>, shape: TagShape, clause: Clause) -> Tag {
    Tag { text: text.into(), shape, clause: Some(clause) }
}

/// What is going on, in a few words.
fn phase(at: At<'_>) -> String {
    match at.state.phase {
        Phase::Scene => String::new(),
        Phase::Battle => format!("round {}", at.state.round),
        Phase::Chase => "a chase".to_owned(),
    }
}

fn scene_card(at: At<'_>, who: Viewer) -> Card {
    let mut rows = Vec::new();
    if let Some(acting) = at.state.turn.filter(|&c| sees(at, c, who)) {
        rows.push(Row::new("turn", at.rules.name(acting)));
    }
    let order: Vec<String> = order(at, who)
        .into_iter()
        .map(|c| match knows_values(at, c, who) && at.state.fighting(c).initiative > values::NO_SCORE {
            true => format!("{} {}", at.rules.name(c), values::initiative(at, c)),
            false => at.rules.name(c).to_owned(),
        })
        .collect();
    if !order.is_empty() {
        rows.push(Row::new("initiative", order.join(", ")));
        // `unit.round`
        rows.push(Row::new("lasts", format!("{} seconds", 6 * u32::from(at.state.round))));
    }
    for words in at.state.frames.iter().filter_map(|frame| under_way(at, frame, who)) {
        rows.push(Row::new("under way", words));
    }
    for (doer, what) in at.state.deeds.iter().filter(|(doer, _)| sees(at, *doer, who)) {
        rows.push(Row::new("begun", format!("{}: {}", at.rules.name(*doer), own(*what))));
    }
    for weapon in lying(at, who) {
        rows.push(Row::new(
            "lies about",
            format!("{} {}", Saying(weapon, at), lies(at, at.state.place(weapon).lie)),
        ));
    }
    let fight = (at.state.phase == Phase::Battle && at.state.round == 0)
        .then(|| tag("round zero", TagShape::Passing, clause!("zero.begin")));
    Card {
        title: at.rules.roster.title.clone(),
        note: phase(at),
        group: "scene".to_owned(),
        tags: fight.into_iter().collect(),
        rows,
        ..Card::default()
    }
}

/// Among whom somebody stands, in this viewer's eyes.
fn group(side: Side, who: Viewer) -> &'static str {
    match (who, side) {
        (_, Side::Nobody) => "others",
        (Viewer::Seat(Seat::Player(_)), Side::Players) | (Viewer::Seat(Seat::Gm), Side::Foes) => "your side",
        (Viewer::Seat(Seat::Player(_)), Side::Foes) => "theirs",
        (_, Side::Players) => "the players",
        (_, Side::Foes) => "the Adversary's",
    }
}

fn card(at: At<'_>, c: Char, who: Viewer) -> Card {
    let sheet = at.rules.sheet(c);
    let note = match at.rules.roster.player_of(sheet.seat) {
        Some(player) => player.to_owned(),
        None if sheet.mount => "a mount".to_owned(),
        None => sheet.people.clone(),
    };
    let (meters, mut rows) = counts(at, c, who);
    rows.extend(place(at, c, who));
    if knows_values(at, c, who) {
        numbers(at, c, &mut rows);
    }
    belongings(at, c, who, &mut rows);
    if who.is_gm() && !sheet.secret.is_empty() {
        rows.push(Row::new("secret", sheet.secret.as_str()));
    }
    Card {
        id: sheet.slug.clone(),
        title: sheet.name.clone(),
        note,
        group: group(sheet.side, who).to_owned(),
        meters,
        tags: tags(at, c, who),
        rows,
    }
}

/// Wounds, shocks and actions; Fortune of those whose numbers are known. Of the others what they have
/// taken is told, and not how much they can bear.
fn counts(at: At<'_>, c: Char, who: Viewer) -> (Vec<Meter>, Vec<Row>) {
    let (being, fighting) = (at.state.being(c), at.state.fighting(c));
    let (mut meters, mut rows) = (Vec::new(), Vec::new());
    if knows_values(at, c, who) {
        let track = at.rules.sheet(c).track.unwrap_or(at.rules.track);
        let mut meter = |label: &str, value: u16, most: u16| {
            let most = most.max(value);
            let serious = u32::from(track.penalty) + 1;
            let alarm = (serious < u32::from(most)).then_some(serious);
            meters.push(Meter { label: label.to_owned(), value: value.into(), most: most.into(), alarm });
        };
        meter("wounds", being.wounds, at.state.disabled_at(at.rules, c));
        if being.shocks > 0 {
            meter("shocks", being.shocks, track.dead);
        }
        if being.fortune > 0 || is_players(at.rules, c) {
            rows.push(Row::new("Fortune", being.fortune.to_string()));
        }
    } else {
        let harm = [("wounds", being.wounds), ("shocks", being.shocks)].into_iter().filter(|(_, n)| *n > 0);
        rows.extend(harm.map(|(label, n)| Row::new(label, n.to_string())));
    }
    if at.state.phase == Phase::Battle && fighting.turn != Turn::Out {
        let value = u32::from(fighting.actions);
        meters.push(Meter { label: "actions".to_owned(), value, most: 2.max(value), alarm: None });
    }
    (meters, rows)
}

/// Where somebody is, what it waits for, and what takes it longer.
fn place(at: At<'_>, c: Char, who: Viewer) -> Vec<Row> {
    let (being, fighting) = (at.state.being(c), at.state.fighting(c));
    let mut rows = vec![Row::new("at", space(at, walk::shown(at, c, who)))];
    if fighting.turn == Turn::Waits && knows_wire(at.rules, c, who) {
        rows.push(Row::new("waits", waits_for(at, c)));
    }
    if fighting.deed > 0 {
        rows.push(Row::new("still to do", count(fighting.deed.into(), "action")));
    }
    if at.state.phase == Phase::Chase && (at.state.fleeing.has(c) || at.state.after.has(c)) {
        rows.push(Row::new("ahead", format!("{} spaces", being.lead)));
    }
    rows
}

/// The numbers of a sheet.
fn numbers(at: At<'_>, c: Char, rows: &mut Vec<Row>) {
    let (sheet, being) = (at.rules.sheet(c), at.state.being(c));
    let levels = at.rules.traits.iter().zip(being.levels).filter(|(_, level)| *level > 0);
    let levels: Vec<Cell> = levels.map(|(named, level)| Cell::new(&named.name, level.to_string())).collect();
    if !levels.is_empty() {
        rows.push(Row::numbers("traits", levels));
    }
    rows.push(Row::new("lifts", format!("{} kg", points::lift(being.levels[Trait::BRAWN.index()].into()))));
    let values = [
        ("Movement", i16::from(values::movement(at, c))),
        ("Dodge", values::dodge(at, c)),
        ("Parry", values::parry(at, c)),
        ("Defiance", values::defiance(at, c)),
        ("Protection", values::protection(at, c)),
    ];
    let values = values.map(|(label, value)| Cell::new(label, value.to_string()));
    rows.push(Row::numbers("values", values.to_vec()));
    if !sheet.armour.name.is_empty() {
        let penalty = match sheet.armour.penalty {
            0 => String::new(),
            penalty => format!(", penalty {penalty}"),
        };
        let about = format!("value {}{penalty}", sheet.armour.value);
        rows.push(Row::list(SheetPart::Things, "armour", vec![Cell::new(&sheet.armour.name, about)]));
    }
    if !sheet.gifts.is_empty() {
        let gifts = sheet.gifts.iter().map(|gift| Cell::new(gift.word().replace('-', " "), ""));
        rows.push(Row::list(SheetPart::Abilities, "gifts", gifts.collect()));
    }
    for spell in at.rules.spells_of(c) {
        let data = at.rules.spell(spell);
        let does = [effects(&data.effects), data.note.clone()].into_iter().filter(|words| !words.is_empty());
        let does: Vec<String> = does.collect();
        let (with, against) = (Saying(data.with, at), against(at, data.against));
        let energy = if data.energy > 0 { format!(", {} Fortune", data.energy) } else { String::new() };
        let does = does.join("; ");
        let does = format!("{with} against {against}{energy}; {does}");
        let row = Row::new("spell", format!("{}: {does}", data.name));
        rows.push(row.piece(SheetPart::Abilities, Cell::new(&data.name, does)));
    }
    for data in at.rules.manoeuvres.iter().filter(|data| data.owner == Some(c)) {
        let does = [effects(&data.effects), data.note.clone()].into_iter().filter(|words| !words.is_empty());
        let does: Vec<String> = does.collect();
        let does = does.join("; ");
        let row = Row::new("manoeuvre", format!("{}: {does}", data.name));
        rows.push(row.piece(SheetPart::Abilities, Cell::new(&data.name, does)));
    }
    if being.experience > 0 {
        rows.push(Row::new("experience", being.experience.to_string()));
    }
}

/// Weapons in hand, and what else somebody carries.
fn belongings(at: At<'_>, c: Char, who: Viewer, rows: &mut Vec<Row>) {
    for (label, lie) in [("in hand", Lie::Hand), ("carries", Lie::Carried)] {
        for weapon in at.state.held(c, lie) {
            let arm = at.rules.arm(weapon);
            let mut about = Vec::new();
            if knows_arm(at, weapon, who) {
                about.push(format!("power {}", arm.power));
                if arm.defence > 0 {
                    about.push(format!("defence {}", arm.defence));
                }
                if !arm.note.is_empty() {
                    about.push(arm.note.clone());
                }
            }
            rows.push(Row::list(SheetPart::Things, label, vec![Cell::new(&arm.name, about.join(", "))]));
        }
    }
}

/// How somebody is.
fn tags(at: At<'_>, c: Char, who: Viewer) -> Vec<Tag> {
    let (being, fighting) = (at.state.being(c), at.state.fighting(c));
    let dead = at.state.is_dead(at.rules, c);
    let disabled = !dead && !being.out && at.state.is_disabled(at.rules, c);
    let out = !dead && being.out;
    let (lasting, passing) = (TagShape::Lasting, TagShape::Passing);
    let all = [
        (dead, "dead", lasting, clause!("injury.death")),
        (disabled, "disabled", lasting, clause!("turn.disabled.meaning")),
        (out, "out of the fight", lasting, clause!("turn.disabled")),
        (being.prone, "prone", passing, clause!("prone.meaning")),
        (being.asleep, "asleep", passing, clause!("perception.sleep.not-unconscious")),
        (being.surprised, "surprised", passing, clause!("zero.surprise")),
        (being.unaware, "unaware", passing, clause!("surprise.flat")),
        (fighting.turn == Turn::Waits, "waits", passing, clause!("wait.may")),
        (fighting.held_over, "held over", passing, clause!("hold.bonus")),
        (fighting.held, "held", passing, clause!("action.spell.list")),
        (fighting.charging, "charging", passing, clause!("charge.choice")),
        (fighting.extra > 0, "a strike more", passing, clause!("fortune.rapid")),
        (who.is_gm() && being.unseen, "not noticed", TagShape::Plain, clause!("info.adversary")),
        (
            who.is_gm() && being.revealed && !is_players(at.rules, c),
            "numbers known",
            TagShape::Plain,
            clause!("info.adversary"),
        ),
    ];
    let mut tags: Vec<Tag> = all
        .into_iter()
        .filter(|(is, ..)| *is)
        .map(|(_, text, shape, clause)| tag(text, shape, clause))
        .collect();
    if let Some(mount) = being.riding.filter(|&mount| sees(at, mount, who)) {
        tags.push(tag(format!("rides {}", at.rules.name(mount)), TagShape::Plain, clause!("mount.movement")));
    }
    let momentum = fighting
        .charge
        .filter(|_| !is_going(at, c, who))
        .map_or(0, |spaces| at.rules.options.momentum(spaces));
    if momentum > 0 {
        tags.push(tag(format!("momentum {momentum}"), TagShape::Passing, clause!("charge.takes")));
    }
    tags.extend(sacrifices(at, c).map(|(text, clause)| tag(text, TagShape::Passing, clause)));
    for &of in Value::ALL {
        let by = fighting.changes[of as usize];
        if by != 0 {
            tags.push(tag(format!("{by:+} {}", value(of)), TagShape::Passing, clause!("modifier.expiry")));
        }
    }
    if being.fortune > 0 && !knows_values(at, c, who) {
        tags.push(tag("has Fortune".to_owned(), TagShape::Plain, clause!("fortune-open")));
    }
    if fighting.shift != 0 {
        let text = format!("{} initiative", signed(fighting.shift));
        tags.push(tag(text, TagShape::Passing, clause!("init.environment")));
    }
    tags
}
