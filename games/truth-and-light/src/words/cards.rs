//! Cards: the scene, and everybody in it.

use super::phrases::*;
use crate::state::{Call, Lie};
use crate::{At, boons, rules::Harm, scale, view::knows_number, vocab::*};
use fracas_kernel::{Card, Cell, Clause, Ending, Meter, Row, Seat, SheetPart, Tag as Mark, TagShape, Viewer};

/// Every card that this viewer may see.
pub(super) fn cards(at: At<'_>, who: Viewer) -> Vec<Card> {
    let all = at.rules.everybody().filter(|&c| !at.state.being(c).away);
    std::iter::once(scene_card(at, who))
        .chain(at.rules.roster.briefing_card().filter(|_| who.is_gm()))
        .chain(all.map(|c| card(at, c, who)))
        .collect()
}

/// Who stands, who is out, and what was lost.
pub(super) fn ending(at: At<'_>, who: Viewer) -> Ending {
    let here = || at.rules.everybody().filter(|&c| !at.state.being(c).away);
    let out = |card: &Card| here().any(|c| at.rules.sheet(c).slug == card.id && at.state.being(c).out);
    let lost = |c: Char| {
        let told = move |boon| format!("{}, lost by {}", at.state.name_of(at.rules, boon), at.rules.name(c));
        at.state.lying(c, Lie::Lost).map(told)
    };
    Ending { lying: here().flat_map(lost).collect(), ..Ending::of(&cards(at, who), out) }
}

pub(crate) fn mark(text: impl Into<String>, shape: TagShape, clause: Clause) -> Mark {
    Mark { text: text.into(), shape, clause: Some(clause) }
}

fn scene_card(at: At<'_>, who: Viewer) -> Card {
    let floor = match at.state.call {
        Call::Open => "open".to_owned(),
        Call::One(one) => at.rules.name(one).to_owned(),
        Call::First | Call::Players(_) => "the players".to_owned(),
        Call::Gm => "the gamemaster".to_owned(),
    };
    let mut rows = vec![Row::new("floor", floor)];
    let hazards: Vec<&str> = at.state.hazards.iter().map(|it| at.rules.peril(it).name.as_str()).collect();
    if !hazards.is_empty() {
        rows.push(Row::new("hazards", hazards.join(", ")));
    }
    if at.rules.zones.len() > 1 {
        for zone in at.rules.all_zones() {
            let is_there = |&c: &Char| !at.state.being(c).away && at.state.being(c).zone == zone;
            let there: CharSet = at.rules.everybody().filter(is_there).collect();
            rows.push(Row::new(&at.rules.zones[zone.index()].name, names(at.rules, there)));
        }
    }
    if let Some(action) = &at.state.action {
        rows.push(Row::new("under way", action_words(at.rules, action)));
        if matches!(action.step, crate::state::Step::Spend | crate::state::Step::Dice) {
            rows.push(Row::new("against", number_words(action, who)));
        }
    }
    let conflict = at.state.conflict.map(|conflict| {
        let words = format!("{conflict} conflict, round {}", at.state.round);
        mark(words, TagShape::Plain, clause!("ext.turns"))
    });
    Card {
        title: at.rules.roster.title.clone(),
        note: format!("scene {}", at.state.scene),
        group: "scene".to_owned(),
        tags: conflict.into_iter().collect(),
        rows,
        ..Card::default()
    }
}

/// Among whom a player's character or another stands, in this viewer's eyes.
fn group(pc: bool, who: Viewer) -> &'static str {
    match (who, pc) {
        (Viewer::Seat(Seat::Player(_)), true) | (Viewer::Seat(Seat::Gm), false) => "your side",
        (Viewer::Seat(Seat::Player(_)), false) => "theirs",
        (_, true) => "the players",
        (_, false) => "the gamemaster's",
    }
}

fn card(at: At<'_>, c: Char, who: Viewer) -> Card {
    let (sheet, being) = (at.rules.sheet(c), at.state.being(c));
    let pc = at.rules.is_pc(c);
    let knows = pc || knows_number(at, c, who);
    let mut card = Card {
        id: sheet.slug.clone(),
        title: sheet.name.clone(),
        group: group(pc, who).to_owned(),
        note: match (pc, knows) {
            (true, _) => at.rules.roster.player_of(sheet.seat).unwrap_or_default().to_owned(),
            (false, true) => format!("power number {}", boons::power_number(at, c)),
            (false, false) => "power number hidden".to_owned(),
        },
        ..Card::default()
    };
    if at.rules.harm == Harm::Tracks {
        for track in at.rules.all_tracks().filter(|track| sheet.tracks[track.index()] > 0) {
            let (size, left) = (sheet.tracks[track.index()], being.tracks[track.index()]);
            let name = &at.rules.tracks[track.index()].name;
            if knows {
                let (value, most) = (left.into(), size.into());
                card.meters.push(Meter { label: name.clone(), value, most, alarm: None });
            } else if left < size {
                card.rows.push(Row::new(name, format!("{} lost", size - left)));
            }
        }
    }
    let mut tag = |on: bool, text: &str, shape: TagShape, clause: Clause| {
        if on {
            card.tags.push(mark(text, shape, clause));
        }
    };
    tag(being.out, "out", TagShape::Lasting, clause!("ext.harm"));
    tag(!pc && being.hostile, "hostile", TagShape::Plain, clause!("attention"));
    tag(being.unaware, "unaware", TagShape::Passing, clause!("tn-tailing-spy"));
    tag(being.die.held, "writhing die", TagShape::Passing, clause!("writhing.spend"));
    for (fate, fortunes) in [(Fate::Good, being.good), (Fate::Bad, being.bad)] {
        let clause =
            if fate == Fate::Good { clause!("fortune.good-use") } else { clause!("fortune.bad-use") };
        tag(fortunes.now > 0, &format!("{} ({})", fate_words(fate), fortunes.now), TagShape::Passing, clause);
        let next = format!("{} next scene ({})", fate_words(fate), fortunes.next);
        tag(fortunes.next > 0, &next, TagShape::Lasting, clause!("fortune.next-scene"));
    }
    for live in at.state.live.iter().filter(|live| live.on == c) {
        card.tags.push(mark(lasting(at, live), TagShape::Passing, origin_clause(live.from)));
    }
    if pc {
        for attribute in Attribute::ALL {
            let rank = sheet.ranks[*attribute as usize];
            let value = format!("{rank} ({})", scale::rank(rank).0);
            let cell = Cell::new(attribute.word(), &value);
            card.rows.push(Row::new(attribute.word(), value).piece(SheetPart::Numbers, cell));
            if rank > 4 {
                let words = format!("{attribute} {rank}: above 4");
                card.tags.push(mark(words, TagShape::Plain, clause!("ext.character")));
            }
        }
        card.rows.push(Row::new("writhing", sheet.writhing.as_str()));
        for ability in at.rules.abilities_of(c) {
            let power = at.rules.power(ability);
            let does = power_does(at.rules, power);
            let row = Row::new(power.gift.word(), format!("{}: {does}", power.name));
            card.rows.push(row.piece(SheetPart::Abilities, Cell::new(&power.name, does)));
        }
        if let Some(last) = being.last {
            card.rows.push(Row::new("last glory", title(last.word())));
        }
    }
    for (label, lie) in [("in use", Lie::InUse), ("kept", Lie::Kept), ("lost", Lie::Lost)] {
        for boon in at.state.lying(c, lie) {
            let (name, does) = (at.state.name_of(at.rules, boon), boon_does(at, boon));
            let row = Row::new(label, format!("{name}: {does}"));
            card.rows.push(row.piece(SheetPart::Things, Cell::new(name, does)));
        }
    }
    if who.is_gm() && !sheet.secret.is_empty() {
        card.rows.push(Row::new("secret", sheet.secret.as_str()));
    }
    card
}
