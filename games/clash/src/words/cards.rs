//! Cards: the scene, everybody in it, and the Clash Props.

use super::*;
use crate::{
    effect::Bearer,
    rules::Source,
    spell,
    state::{self, Frame, keeper},
    view::*,
};
use fracas_kernel::{Card, Cell, Clause, Meter, Row, Seat, SheetPart, Tag, TagShape};

/// The group of the Clash Props' cards.
pub(crate) const PROPS: &str = "Clash Props";

/// Every card that this viewer may see.
pub(super) fn cards(at: At<'_>, who: Viewer) -> Vec<Card> {
    let cast = at.rules.everybody().filter(|&one| sees(at, one, who));
    std::iter::once(scene(at, who))
        .chain(briefing(at).filter(|_| who.is_gm()))
        .chain(cast.map(|one| card(at, one, who)))
        .chain(at.state.props_here().map(|prop| of_prop(at, prop, who)))
        .collect()
}

/// Whether a character lost the last Clash of an evening that is over.
pub(crate) fn beaten(at: At<'_>, who: Char) -> bool {
    at.state.over && at.state.fought.is_some_and(|fought| fought.losers.has(who))
}

fn briefing(at: At<'_>) -> Option<Card> {
    let card = at.rules.roster.briefing_card()?;
    Some(Card { note: "for the Director".to_owned(), ..card })
}

/// Who won the last Clash, who lost it or is dead, and who stands.
pub(super) fn ending(at: At<'_>, who: Viewer) -> Ending {
    let mut cards = cards(at, who);
    let of = |card: &Card| at.rules.everybody().find(|&one| at.rules.sheet(one).slug == card.id);
    cards.retain(|card| card.group != PROPS && of(card).is_none_or(|one| at.state.body(one).here));
    let fallen = |card: &Card| of(card).is_some_and(|one| at.state.body(one).dead || beaten(at, one));
    let Some(fought) = at.state.fought else { return Ending::of(&cards, fallen) };
    let over = own_words(fought.name);
    let won = match fought.winners {
        Some(winners) => format!("{} won the last Clash{over}.", Told::new(side(winners)).begun().text),
        None => format!("Nobody won the last Clash{over}."),
    };
    let beaten_words = "Who lost the last Clash, or is dead";
    Ending { won: Some(won), beaten: Some(beaten_words), ..Ending::of(&cards, fallen) }
}

/// What waits on the Stack, in a few words.
pub(crate) fn waiting(at: At<'_>, frame: &Frame) -> String {
    match frame {
        Frame::Use(used) => {
            let on = used.on.map_or_else(String::new, |on| format!(" on {}", Saying(on, at)));
            format!("{}{on}", Saying(used.ability, at))
        }
        Frame::Test(test) => {
            format!("{} {}, with {}", doing(test.kind), Saying(test.target, at), test.with.title())
        }
        _ => String::new(),
    }
}

/// Whose it is that waits.
pub(crate) const fn waits_for(frame: &Frame) -> Option<Char> {
    match frame {
        Frame::Use(used) => Some(used.by),
        Frame::Test(test) => Some(test.attacker),
        _ => None,
    }
}

/// A Clash in a few words.
pub(crate) fn clash_words(at: At<'_>, clash: &crate::state::Clash) -> String {
    format!(
        "{} Clash {}, round {}, turn {}",
        Saying(clash.stakes, at),
        at.state.clashes,
        clash.round,
        clash.turns
    )
}

fn scene(at: At<'_>, who: Viewer) -> Card {
    let mut rows = Vec::new();
    let mut tags = Vec::new();
    if let Some(clash) = &at.state.clash {
        if !answers::is_proposed(&clash.name) {
            rows.push(Row::new("Clash", clash.name.as_str()));
        }
        rows.push(Row::new("goes first each round", side(clash.first)));
        let turn = clash
            .turn
            .map_or_else(|| format!("{} to go", side(clash.next)), |turn| Saying(turn.who, at).to_string());
        rows.push(Row::new("turn", turn));
        let left = at.rules.everybody().filter(|&one| at.state.stands(one) && at.state.body(one).turns > 0);
        let left: Vec<String> = left
            .map(|one| match at.state.body(one).turns {
                1 => Saying(one, at).to_string(),
                n => format!("{} ({n})", Saying(one, at)),
            })
            .collect();
        rows.push(Row::new("turns left", if left.is_empty() { "none".to_owned() } else { left.join(", ") }));
        tags.push(Tag {
            text: clash_words(at, clash),
            shape: TagShape::Plain,
            clause: Some(clause!("clash.types")),
        });
    }
    if let Some(test) = at.state.top_test() {
        rows.push(Row::new("Roll", roll_words(at, test, who)));
        if let Some(task) = test.task.filter(|task| !answers::is_proposed(task)) {
            rows.push(Row::new("what is tried", task.as_str()));
        }
    }
    let waits: Vec<&Frame> = at.state.waiting().collect();
    for frame in waits.into_iter().rev() {
        let by = waits_for(frame).map_or_else(String::new, |by| format!("{}: ", Saying(by, at)));
        rows.push(Row::new("on the Stack", format!("{by}{}", waiting(at, frame))));
    }
    if let Some(Frame::Blow(blow)) = at.state.frames.last() {
        rows.push(Row::new("about to take Damage", format!("{}: {}", Saying(blow.on, at), blow.amount)));
    }
    let used: Vec<&str> = at.state.used_props.iter().map(|used| used.as_str()).collect();
    if !used.is_empty() {
        rows.push(Row::new("Props used", used.join(", ")));
    }
    for made in at
        .state
        .made
        .iter()
        .rev()
        .take(6)
        .filter(|made| sees(at, made.who, who) && sees(at, made.against, who))
    {
        let how = if made.passed { "passed" } else { "failed" };
        rows.push(Row::new("rolled", format!("{}: {}, {how}", Saying(made.who, at), answers::tried(made))));
    }
    Card {
        title: at.rules.roster.title.clone(),
        note: format!("Scene {}", at.state.scene),
        group: "scene".to_owned(),
        tags,
        rows,
        ..Card::default()
    }
}

/// Among whom a character stands, in this viewer's eyes.
fn group(at: At<'_>, of: Char, who: Viewer) -> &'static str {
    let party = at.state.body(of).side == Side::Party;
    match (who, party) {
        (Viewer::Seat(Seat::Player(_)), true) | (Viewer::Seat(Seat::Gm), false) => "your side",
        (Viewer::Seat(Seat::Player(_)), false) => "theirs",
        (_, true) => "the players",
        (_, false) => "the Director's",
    }
}

/// A character's statuses.
fn tags(at: At<'_>, of: Char, who: Viewer) -> Vec<Tag> {
    let (body, sheet) = (at.state.body(of), at.rules.sheet(of));
    let mut tags: Vec<Tag> = Vec::new();
    let mut tag = |on: bool, mut text: String, shape: TagShape, clause: Clause| {
        if on {
            let same =
                tags.iter().filter(|tag| tag.clause == Some(clause) && tag.text.starts_with(&text)).count();
            if same > 0 {
                text += &format!(" ({})", same + 1);
            }
            tags.push(Tag { text, shape, clause: Some(clause) });
        }
    };
    let (passing, lasting, plain) = (TagShape::Passing, TagShape::Lasting, TagShape::Plain);
    tag(body.dead, "dead".to_owned(), lasting, clause!("death.roll"));
    tag(!body.here, "away".to_owned(), plain, clause!("core.roles"));
    tag(body.lost, "has lost the Clash".to_owned(), lasting, clause!("beaten-out"));
    tag(body.surprised, "Surprised".to_owned(), passing, clause!("start.surprised"));
    tag(sheet.nature != Nature::Person, sheet.nature.to_string(), plain, clause!("roll.object-sheet"));
    for &symbol in Symbol::ALL {
        if let Some(to) = body.alterations[symbol as usize].map(|altered| altered.to) {
            tag(true, format!("{} {to}", symbol.title()), passing, clause!("alteration.states"));
        }
    }
    for token in &body.tokens {
        tag(true, format!("{} Token", token_name(token.kind)), passing, token_clause(token.kind));
    }
    for (keyword, name) in [(Keyword::Flying, "Flying"), (Keyword::Range, "Range")] {
        tag(at.state.has_keyword(at.rules, of, keyword), name.to_owned(), plain, clause!("clash.flying"));
    }
    for grip in at.state.grips.iter().filter(|grip| grip.loser == of && sees_grip(at, grip, who)) {
        let held = at.rules.held.iter().filter(|held| held.loser == of && held.cause == *grip.cause);
        let mut by: Vec<String> = grip.winners.iter().map(|one| Saying(one, at).to_string()).collect();
        by.extend(held.flat_map(|held| held.by.clone()));
        let unaware = if grip.aware { "" } else { ", unaware" };
        let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
        let text = format!("{} Subjugation{by}{}{unaware}", Saying(grip.rank, at), own_words(grip.cause));
        tag(true, text, lasting, clause!("sub.types"));
    }
    tag(at.state.concentration(of).is_some(), "Concentrating".to_owned(), passing, clause!("conc.on"));
    tag(at.state.warned.has(of), "warned of a Death Roll".to_owned(), plain, clause!("death.warn"));
    tag(body.dodged, "Dodge attempted".to_owned(), passing, clause!("dodge.limit"));
    tags
}

fn card(at: At<'_>, of: Char, who: Viewer) -> Card {
    let (sheet, body) = (at.rules.sheet(of), at.state.body(of));
    let mut card = Card {
        id: sheet.slug.clone(),
        title: sheet.name.clone(),
        note: at.rules.roster.player_of(sheet.seat).unwrap_or_default().to_owned(),
        group: group(at, of, who).to_owned(),
        tags: tags(at, of, who),
        ..Card::default()
    };
    let minor = at.state.clash.as_ref().is_some_and(|clash| clash.stakes == Rank::Minor);
    if knows_will(at, of, who) {
        let meter = |label: &str, value: u8, most: u8| Meter {
            label: label.to_owned(),
            value: value.into(),
            most: most.into(),
            alarm: None,
        };
        card.meters =
            vec![meter("Major WP", body.major, sheet.major), meter("Minor WP", body.minor, sheet.minor)];
        if minor {
            card.meters.reverse();
        }
    }
    let rows = &mut card.rows;
    if at.state.clash.is_some() && body.hurt > 0 {
        rows.push(Row::new("Damage in this Clash", body.hurt.to_string()));
    }
    if at.state.stands(of) {
        let reaction = if body.reaction { "ready" } else { "spent" };
        let focus =
            if body.floating > 0 { format!(", floating Focus {}", body.floating) } else { String::new() };
        rows.push(Row::new("Actions", format!("{}, Reaction {reaction}{focus}", body.actions)));
    }
    if reads(at, of, who) {
        for &personality in Personality::ALL {
            let symbols = Symbol::ALL.iter().filter(|symbol| symbol.personality() == personality);
            let cells = symbols.map(|&symbol| {
                let core = if sheet.core.contains(&Some(symbol)) { ", Core" } else { "" };
                let value = at.state.value(at.rules, of, symbol);
                Cell::new(symbol.title(), format!("{value}{core}"))
            });
            let row = Row::numbers(personality.word(), cells.collect());
            let words: Vec<String> =
                row.cells.iter().map(|cell| format!("{} {}", cell.label, cell.value)).collect();
            rows.push(Row { value: words.join("; "), ..row });
        }
        if sheet.base_damage != 1 {
            rows.push(Row::new("Base Damage", sheet.base_damage.to_string()));
        }
        if body.preparation_lost > 0 || sheet.preparation > 0 {
            rows.push(Row::new(
                "Preparation WP",
                format!("{} of {} lost", body.preparation_lost, sheet.preparation),
            ));
        }
        if body.hours > 0 {
            rows.push(Row::new("Hours", body.hours.to_string()));
        }
    }
    elements(at, of, who, rows);
    spells(at, of, who, rows);
    abilities(at, Bearer::Char(of), who, rows);
    for live in at.state.live.iter().filter(|live| live.on == of) {
        rows.push(Row::new(
            "lasting",
            format!("{} ({})", effect_words(live.effect), live.lasts.word().replace('-', " ")),
        ));
    }
    secrets(at, Target::Char(of), who, rows);
    rows.extend(sheet.history.iter().map(|line| Row::new("history", line)));
    card
}

/// How a card lies, in a Clash; outside one, whether it helped in this Scene.
fn lies(at: At<'_>, of: Char, element: Element, used: bool) -> &'static str {
    match (at.state.clash.is_some(), at.state.card(of, element)) {
        (true, state::Card::Inactive) => ", Inactive",
        (true, state::Card::Ready) => ", ready",
        (true, state::Card::Exhausted) => ", Exhausted",
        (false, _) if used => ", used in this Scene",
        (false, _) => "",
    }
}

fn elements(at: At<'_>, of: Char, who: Viewer, rows: &mut Vec<Row>) {
    let known = |element: &Element| knows_element(at, *element, who);
    for id in at.state.traits_of(of).filter(|&id| known(&Element::Trait(id))) {
        let mark = at.state.mark(id);
        let spell = if mark.spell { ", of a Spell" } else { "" };
        let lies = lies(at, of, Element::Trait(id), mark.used);
        let about = format!("{}{spell}{lies}", Saying(mark.rank, at));
        let cell = Cell::new(at.state.trait_name(at.rules, id), about);
        rows.push(Row::list(SheetPart::Abilities, "Trait", vec![cell]));
        secrets(at, Target::Element(Element::Trait(id)), who, rows);
    }
    for id in at.state.items_of(of).filter(|&id| known(&Element::Item(id))) {
        let (data, thing) = (at.rules.item(id), &at.state.items[id.index()]);
        let form = if data.form.is_empty() { String::new() } else { format!(": {}", data.form) };
        let mut about = vec![format!("Focus {}", data.focus)];
        if data.cost > 0 {
            about.push(format!("costs {} Focus", data.cost));
        }
        let slots: Vec<String> = thing
            .slots
            .iter()
            .zip(1..)
            .filter(|(n, _)| **n > 0)
            .map(|(n, level)| format!("{n} of Level {level}"))
            .collect();
        if data.slots.is_some_and(|slots| slots.iter().any(|&n| n > 0)) && reads(at, of, who) {
            about.push(format!(
                "slots: {}",
                if slots.is_empty() { "none".to_owned() } else { slots.join(", ") }
            ));
        }
        if data.casts > 0 && data.slots.is_none() && reads(at, of, who) {
            about.push(format!("casts left: {}", thing.casts));
        }
        let lies = lies(at, of, Element::Item(id), thing.used);
        let about = format!("{}{lies}", about.join(", "));
        let row = Row::new("Item", format!("{}{form} ({about})", data.name));
        let about = if data.form.is_empty() { about } else { format!("{}; {about}", data.form) };
        rows.push(row.piece(SheetPart::Things, Cell::new(&data.name, about)));
        abilities(at, Bearer::Item(id), who, rows);
        secrets(at, Target::Element(Element::Item(id)), who, rows);
    }
}

fn spells(at: At<'_>, of: Char, who: Viewer, rows: &mut Vec<Row>) {
    for id in spells_of(at, of, who) {
        let data = at.rules.spell(id);
        let label = if matches!(data.from, Source::Skill(..)) { "Skill" } else { "Spell" };
        let about = format!("Level {}, {}", data.level, data.symbol.title());
        rows.push(Row::list(SheetPart::Abilities, label, vec![Cell::new(&data.name, about)]));
    }
    let has_skills =
        at.rules.spells.iter().any(|data| matches!(data.from, Source::Skill(owner, _) if owner == of));
    if has_skills && reads(at, of, who) {
        let ([low, high], [minor, major]) = (at.state.body(of).skill_slots, at.state.body(of).skill_uses);
        rows.push(Row::new("Skill Slots", format!("{low} of Level 1, {high} of Level 3")));
        rows.push(Row::new("Skill uses", format!("{minor} Minor, {major} Major")));
    }
    for pool in at.state.pools.iter().filter(|pool| pool.target == of) {
        let dice = match spell::knows_pool(at, pool, who) {
            true => format!(": {} {} dice", pool.dice, pool.of),
            false => String::new(),
        };
        rows.push(Row::new(
            "under a Spell",
            format!("{} of {}{dice}", Saying(pool.spell, at), Saying(pool.caster, at)),
        ));
    }
}

fn abilities(at: At<'_>, on: Bearer, who: Viewer, rows: &mut Vec<Row>) {
    for id in
        at.rules.every_ability().filter(|&id| at.rules.ability(id).on == on && knows_ability(at, id, who))
    {
        let data = at.rules.ability(id);
        let hidden = if data.hidden && at.state.met >> id.0 & 1 == 0 { " (hidden)" } else { "" };
        let does = format!("{}{hidden}", answers::ability_words(data));
        let row = Row::new("ability", format!("{}: {does}", data.name));
        rows.push(row.piece(SheetPart::Abilities, Cell::new(&data.name, does)));
    }
}

fn secrets(at: At<'_>, of: Target, who: Viewer, rows: &mut Vec<Row>) {
    for id in secrets_of(at, of, who) {
        let data = at.rules.secret(id);
        let unknown = match (knows_secret(at, id, Viewer::Spectator), data.investigate) {
            (true, _) => "",
            (false, true) => " (not learnt, only by investigation)",
            (false, false) => " (not learnt)",
        };
        rows.push(Row::new("Secret", format!("{}{unknown}", data.text)));
    }
}

fn of_prop(at: At<'_>, prop: Prop, who: Viewer) -> Card {
    let element = Element::Prop(prop);
    let lies = at.state.props[prop.index()];
    let mut rows = vec![
        Row::new("Capacity", crate::prop::capacity(at, prop).to_string()),
        Row::new(
            "gives",
            format!(
                "{}, Focus {}",
                bonus(at.state.dice_of(at.rules, element)),
                at.state.focus_value(at.rules, element)
            ),
        ),
    ];
    if let Some(creator) = keeper(at.rules, at.state, Target::Element(element)) {
        rows.push(Row::new("creator", Saying(creator, at).to_string()));
    }
    if let Some((with, over)) = at.rules.props.get(prop.index()).and_then(|data| data.control) {
        rows.push(Row::new("Control", format!("{} over {}", with.title(), over.title())));
    }
    let held: Vec<String> = lies.controllers.iter().map(|one| Saying(one, at).to_string()).collect();
    rows.extend((!held.is_empty()).then(|| Row::new("Controlled by", held.join(", "))));
    abilities(at, Bearer::Prop(prop), who, &mut rows);
    secrets(at, Target::Element(element), who, &mut rows);
    let tag = lies.exhausted.then(|| Tag {
        text: "Exhausted".to_owned(),
        shape: TagShape::Passing,
        clause: Some(clause!("shared-prop-state")),
    });
    Card {
        id: element_slug(at, element).to_owned(),
        title: Saying(prop, at).to_string(),
        group: PROPS.to_owned(),
        tags: tag.into_iter().collect(),
        rows,
        ..Card::default()
    }
}
