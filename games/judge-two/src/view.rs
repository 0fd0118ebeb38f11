//! What one viewer may see.

use crate::state::{Frame, Lie, State};
use crate::{At, disguise, harm::hides_pl, notice, prestige, risk, rules::Rules, vocab::*};
use fracas_kernel::{Hidden, Known, Viewer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The table as one viewer may see it; everybody and everything is there by name.
pub(crate) fn view(at: At<'_>, who: Viewer) -> Value {
    let (state, rules) = (at.state, at.rules);
    let turn = state.stack.iter().find_map(|frame| match frame {
        Frame::Turn(turn) => Some(turn.members),
        _ => None,
    });
    let cast: BTreeMap<&str, Value> = rules
        .everybody()
        .filter(|&c| !is_hidden(state, c, who))
        .map(|c| (rules.sheet(c).slug.as_str(), seen(at, c, who)))
        .collect();
    let gear: BTreeMap<&str, Value> = rules
        .everything()
        // Scripts and improvised weapons are there once they are in play.
        .filter(|&item| {
            let pool = rules.scripts.has(item) || rules.improvised.has(item);
            !pool || state.place(item).lie != Lie::Gone
        })
        .filter(|&item| shows_item(state, item, who))
        // An item out of play looks like an item of an unseen character.
        .filter(|&item| who.is_gm() || state.place(item).lie != Lie::Gone)
        .map(|item| (rules.gear(item).slug.as_str(), thing(at, item)))
        .collect();
    let native = state.venue.people;
    said(json!({
        "title": rules.roster.title,
        "conflict": state.form,
        "private": state.venue.private,
        "native": native,
        "round": state.round,
        "acted": state.acted,
        "turn": turn,
        "over": state.over,
        "cast": cast,
        "gear": gear,
        "options": rules.options.words().into_iter().collect::<BTreeMap<_, _>>(),
    }))
}

/// Without what there is not, but for what everybody can see there is not.
fn said(mut view: Value) -> Value {
    let stays = ["conflict", "turn", "mount"];
    if let Value::Object(fields) = &mut view {
        fields.retain(|field, value| !value.is_null() || stays.contains(&field.as_str()));
    }
    view
}

/// A thing, as everybody may see it; `holder` has it, or had it last.
fn thing(at: At<'_>, item: Item) -> Value {
    let (gear, place) = (at.rules.gear(item), at.state.place(item));
    json!({
        "name": gear.name,
        "category": gear.category,
        "holder": place.holder,
        "lie": place.lie,
        "disarmed": place.disarmed,
    })
}

/// Those in one bind with somebody.
pub(crate) fn bound_with(at: At<'_>, who: Char) -> CharSet {
    let bind = at.state.being(who).bind;
    at.rules
        .everybody()
        .filter(|&other| bind != 0 && other != who && at.state.being(other).bind == bind)
        .collect()
}

/// Whether somebody is not shown at all: whom the players know nothing of, or who is gone.
pub(crate) fn is_hidden(state: &State, who: Char, viewer: Viewer) -> bool {
    !viewer.is_gm() && state.out_of_sight().has(who)
}

/// Whether a viewer is shown where something is: what lies about everybody sees, unless
/// only somebody unseen knows of it.
pub(crate) fn shows_item(state: &State, item: Item, viewer: Viewer) -> bool {
    let place = state.place(item);
    let lies = place.lie == Lie::Ground && !notice::is_concealed(state, item);
    lies || !is_hidden(state, place.holder, viewer)
}

/// How much this viewer may know of a name.
///
/// Of characters whom nobody has noticed nothing, nor of what they have (`unseen`); of
/// those who are elsewhere no more (`gone`). Of the
/// others everything they carry is known, since a disarm strips any of it
/// (`threat.disarm-choice`), but not what they can do, nor scripts that they have not
/// drawn. What nobody has in play, and somebody could bring up, is never hinted at.
pub(crate) fn knows_name(at: At<'_>, (letter, n): (char, usize), who: Viewer) -> Known {
    if who.is_gm() {
        return Known::Open;
    }
    let n = n as u8;
    match letter {
        Char::LETTER if is_hidden(at.state, Char(n), who) => Known::Hidden,
        Item::LETTER => knows_item(at, Item(n)),
        Ability::LETTER if !shows_ability(at, Ability(n)) => Known::Hidden,
        _ => Known::Open,
    }
}

fn knows_item(at: At<'_>, item: Item) -> Known {
    let (gear, place) = (at.rules.gear(item), at.state.place(item));
    let in_play = place.lie != Lie::Gone && !notice::is_concealed(at.state, item);
    // What anybody can draw or pick up, and what players' characters had, is no secret.
    let shared = gear.base || at.rules.improvised.has(item) || at.rules.is_pc(gear.owner);
    match (in_play, shared) {
        (true, _) => Known::Open,
        (false, true) => Known::Unsaid,
        // An item out of play looks like an item of an unseen character.
        (false, false) => Known::Hidden,
    }
}

/// Whether players may know of an ability: a player's character has or had it.
pub(crate) fn shows_ability(at: At<'_>, ability: Ability) -> bool {
    let power = at.rules.power(ability);
    let has = power.item.map_or(power.owner, |item| at.state.place(item).holder);
    at.rules.is_pc(power.owner) || at.rules.is_pc(has)
}

/// Takes the names of what is hidden out of the rules.
pub(crate) fn mask(rules: &mut Rules, hidden: &Hidden) {
    let put = |slots: &mut [&mut String], word: &str| {
        slots.iter_mut().for_each(|slot| word.clone_into(slot));
    };
    for (_, sheet) in rules.cast.iter_mut().enumerate().filter(|(n, _)| hidden.has(Char::LETTER, *n)) {
        put(&mut [&mut sheet.slug, &mut sheet.name, &mut sheet.said], "somebody");
    }
    for (_, gear) in rules.gear.iter_mut().enumerate().filter(|(n, _)| hidden.has(Item::LETTER, *n)) {
        put(&mut [&mut gear.slug, &mut gear.name], "something");
    }
    let powers = rules.abilities.iter_mut().enumerate();
    for (_, power) in powers.filter(|(n, _)| hidden.has(Ability::LETTER, *n)) {
        put(&mut [&mut power.slug, &mut power.name], "something");
    }
}

/// Whether this viewer may know a power level.
pub(crate) fn knows_pl(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || !(hides_pl(at, who) || at.state.out_of_sight().has(who))
}

/// A character as one viewer may see them: marks and threats with their sources, what they appear to
/// be, and the rest of a sheet as far as it is known.
fn seen(at: At<'_>, who: Char, viewer: Viewer) -> Value {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let (pc, gm) = (at.rules.is_pc(who), viewer.is_gm());
    let shown = |all: CharSet| -> CharSet {
        all.iter().filter(|&other| !is_hidden(at.state, other, viewer)).collect()
    };
    let far: CharSet = at.rules.everybody().filter(|&c| at.state.range(who, c) != Band::Close).collect();
    let far = shown(far.without(who));
    let ranges: BTreeMap<&str, Band> =
        far.iter().map(|c| (at.rules.sheet(c).slug.as_str(), at.state.range(who, c))).collect();
    // To martial, subtle and epic attacks, resolve included.
    let resistance = [Form::Martial, Form::Subtle, Form::Naval].map(|form| risk::resistance(at, who, form));
    let omen = sheet.omen.as_ref();
    said(json!({
        "name": sheet.name,
        "kind": sheet.kind,
        "seat": sheet.seat,
        "side": being.side,
        "risk": being.risk,
        "critical": risk::is_critical(at, who),
        "marks": being.marks,
        "physical": being.physical,
        "weakened": being.weakened,
        "misdirected-by": shown(being.misdirected_by),
        "bound-with": shown(bound_with(at, who)),
        "released": being.released,
        "riven": being.riven,
        "revealed": prestige::is_revealed(at, who),
        "burdened": being.burdened,
        "dislodged": being.dislodged,
        "mount": being.mount,
        "footing": being.footing,
        "poise": being.poise,
        "silenced": being.silenced,
        "shamed": being.shamed,
        "prestige": (at.state.form == Some(Form::Subtle)).then(|| prestige::level(at, who)),
        "people": disguise::people(at, who),
        "gender": disguise::gender(at, who),
        "wealth": disguise::wealth(at.state, who),
        "heedless-of": shown(being.heedless_of),
        "ranges": ranges,
        "disguise": being.disguise.filter(|_| pc || gm),
        "disposition": gm.then_some(being.disposition).filter(|_| !pc),
        "apart": being.apart,
        "unaware-of": shown(being.unaware_of),
        "fate": being.fate,
        "resistance": resistance,
        "attributes": pc.then_some(sheet.attributes),
        "essences": pc.then_some(sheet.essences),
        "pl": (!pc && knows_pl(at, who, viewer)).then_some(sheet.pl),
        "omen-met": omen.map(|_| at.state.omen_met(at.rules, who)),
        "secret": gm.then_some(&sheet.secret),
        "omen": omen.filter(|_| gm).map(|omen| omen_words(at.rules, omen)),
    }))
}

/// An omen in words, for the gamemaster.
pub(crate) fn omen_words(rules: &Rules, omen: &crate::rules::Omen) -> String {
    use crate::rules::Omen;
    match omen {
        Omen::Threat(threat) => format!("suffers {threat}"),
        Omen::Disarmed(items) => {
            let names: Vec<_> = items.iter().map(|&item| rules.gear(item).name.as_str()).collect();
            format!("disarmed of {}", names.join(" and "))
        }
        Omen::Defeated(who) => format!("{} defeated", rules.name(*who)),
        Omen::BrutesBelow(n) => format!("fewer than {n} brutes standing"),
        Omen::Ruled => "when the gamemaster says so".to_owned(),
    }
}
