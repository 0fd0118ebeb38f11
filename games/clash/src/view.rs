//! What a viewer may know.
//!
//! [`knows`] is the one decision; views, cards and words follow it. Players' sheets lie open to all. Of the
//! Director's characters players know who is here, and of what they have, what they saw in use (`hidden.director`).

use crate::{
    At, Play,
    effect::{Bearer, Effect},
    event::Event,
    rules::{Rules, Shown, Source},
    spell,
    state::*,
    test,
    vocab::*,
};
use fracas_kernel::{Hidden, Known, Label, Seat, Sink, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// Whether a character is a player's, or an Extra of one.
pub(crate) fn is_players(at: At<'_>, who: Char) -> bool {
    at.rules.sheet(who).seat != Seat::Gm
}

/// Whether a viewer sees a character, and what becomes of them.
pub(crate) fn sees(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || is_players(at, who) || at.state.body(who).here
}

/// Whether a viewer reads a character's sheet.
pub(crate) fn reads(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || is_players(at, who)
}

/// Whether a viewer knows a character's Will Points (`difficulty-shown`).
pub(crate) fn knows_will(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    reads(at, who, viewer) || at.rules.options.difficulty_shown == Shown::DifficultyAndWp
}

/// Whether a viewer is told the Difficulty of Rolls (`difficulty-shown`).
pub(crate) fn knows_difficulty(at: At<'_>, viewer: Viewer) -> bool {
    viewer.is_gm() || at.rules.options.difficulty_shown != Shown::Nothing
}

/// Whether the Director has ruled on a Roll, so that its Defender, Symbols and Difficulty are known.
pub(crate) const fn is_ruled(test: &Test) -> bool {
    !matches!(test.step, Step::Rule | Step::AllowDodge)
}

/// Whether a viewer knows of a Trait or an Item: a player's, or one that was seen in use.
pub(crate) fn knows_element(at: At<'_>, element: Element, viewer: Viewer) -> bool {
    let (owners, shown) = match element {
        Element::Prop(prop) => return viewer.is_gm() || at.state.props[prop.index()].here,
        Element::Trait(id) => {
            let sheet = at.rules.traits.get(id.index()).map(|data| data.owner);
            // A caster words a Spell Trait before the table.
            let caster = at.state.pool_of(id).map(|pool| pool.caster);
            ([at.state.mark(id).owner, sheet, caster], at.state.shown_traits >> id.0 & 1 != 0)
        }
        Element::Item(id) => {
            let (now, first) = (at.state.items[id.index()].owner, at.rules.item(id).owner);
            ([now, Some(first), None], at.state.shown_items >> id.0 & 1 != 0)
        }
    };
    viewer.is_gm() || shown || owners.into_iter().flatten().any(|owner| is_players(at, owner))
}

/// Whether an Item is a player's, or was.
fn belongs_to_players(at: At<'_>, item: Item) -> bool {
    let owners = [at.state.items[item.index()].owner, Some(at.rules.item(item).owner)];
    owners.into_iter().flatten().any(|owner| is_players(at, owner))
}

/// Whether a viewer knows of an ability: a hidden one, or one of the Director's, only once it was met
/// (`prop.special-hidden`).
pub(crate) fn knows_ability(at: At<'_>, ability: Ability, viewer: Viewer) -> bool {
    let data = at.rules.ability(ability);
    let of = match data.on {
        Bearer::Char(who) => is_players(at, who),
        Bearer::Item(item) => belongs_to_players(at, item),
        Bearer::Prop(prop) => knows_element(at, Element::Prop(prop), viewer),
    };
    viewer.is_gm() || at.state.met >> ability.0 & 1 != 0 || (of && !data.hidden)
}

/// Whether the player of a character knows of an ability of theirs: nobody uses what they do not know.
pub(crate) fn knows_own(at: At<'_>, who: Char, ability: Ability) -> bool {
    knows_ability(at, ability, Viewer::Seat(at.rules.sheet(who).seat))
}

/// Whether a viewer knows of a Spell or a Skill: a player's, or one that was used.
pub(crate) fn knows_spell(at: At<'_>, spell: Spell, viewer: Viewer) -> bool {
    let own = match at.rules.spell(spell).from {
        Source::Skill(who, _) => is_players(at, who),
        Source::Item(item) => belongs_to_players(at, item),
    };
    viewer.is_gm() || own || at.state.shown_spells >> spell.0 & 1 != 0
}

/// Whether a viewer knows of a Subjugation: one that its victim does not know of is the winners' and the
/// Director's (`sub.awareness`); of a new one the Director has still to say.
pub(crate) fn sees_grip(at: At<'_>, grip: &Grip, viewer: Viewer) -> bool {
    let is_new = at.state.subdued.contains(&grip.loser)
        && at.state.grips.iter().rev().find(|other| other.loser == grip.loser) == Some(grip);
    viewer.is_gm() || (!is_new && sees_hold_of(at, grip.winners, grip.aware, viewer))
}

/// The same of a Subjugation by these winners.
pub(crate) fn sees_hold_of(at: At<'_>, winners: CharSet, aware: bool, viewer: Viewer) -> bool {
    let is_winner = |who: Char| viewer == Viewer::Seat(at.rules.sheet(who).seat);
    aware || viewer.is_gm() || winners.iter().any(is_winner)
}

/// Whether a viewer knows that one character holds another in a Subjugation.
pub(crate) fn sees_hold(at: At<'_>, (loser, by): (Char, Char), viewer: Viewer) -> bool {
    let holds = |grip: &&Grip| grip.loser == loser && grip.winners.has(by);
    at.state.grips.iter().filter(holds).any(|grip| sees_grip(at, grip, viewer))
}

/// Whether a viewer knows of a Secret.
pub(crate) fn knows_secret(at: At<'_>, secret: SecretId, viewer: Viewer) -> bool {
    viewer.is_gm() || at.state.learnt >> secret.0 & 1 != 0
}

/// How much a viewer may know of a name.
pub(crate) fn knows(at: At<'_>, (letter, n): (char, usize), who: Viewer) -> Known {
    let id = n as u8;
    let known = match letter {
        Char::LETTER => sees(at, Char(id), who),
        TraitId::LETTER => knows_element(at, Element::Trait(TraitId(id)), who),
        'g' => knows_element(at, Element::Trait(TraitId(MAX_TRAITS as u8 + id)), who),
        Item::LETTER => knows_element(at, Element::Item(Item(id)), who),
        Prop::LETTER => knows_element(at, Element::Prop(Prop(id)), who),
        'q' => knows_element(at, Element::Prop(Prop(MAX_PROPS as u8 + id)), who),
        Ability::LETTER => knows_ability(at, Ability(id), who),
        Spell::LETTER => knows_spell(at, Spell(id), who),
        // A Secret is its text, and players name none.
        SecretId::LETTER if !who.is_gm() && knows_secret(at, SecretId(id), who) => return Known::Unnamed,
        SecretId::LETTER => who.is_gm(),
        _ => true,
    };
    if known { Known::Open } else { Known::Hidden }
}

/// Keeps in mind what the players see now: what of the Director's is Active, or was used.
pub(crate) fn note(play: &mut Play<'_, impl Sink<Event>>) {
    let state = &mut *play.state;
    let is_shown = |mark: &Mark| mark.owner.is_some() && (mark.card != Card::Inactive || mark.used);
    let named = which(&state.traits[..play.rules.traits.len()], is_shown);
    let gained = &state.traits[MAX_TRAITS..][..state.gained.len()];
    // Places that nobody has gained a Trait in show nothing.
    let (seen, held) = (which(gained, is_shown), which(gained, |mark| mark.owner.is_some()));
    let (before, gained_before) =
        (state.shown_traits & ((1 << MAX_TRAITS) - 1), state.shown_traits >> MAX_TRAITS);
    state.shown_traits = before | named | (gained_before & held | seen) << MAX_TRAITS;
    let is_shown = |item: &Thing| item.owner.is_some() && (item.card != Card::Inactive || item.used);
    state.shown_items |= which(&state.items, is_shown) as u64;
}

/// The numbers of those of a list that are so, as bits.
fn which<T>(all: &[T], is_so: impl Fn(&T) -> bool) -> u128 {
    let mut bits = 0;
    for (nth, half) in all.chunks(64).enumerate() {
        let of_half = half.iter().enumerate().fold(0u64, |bits, (n, one)| bits | u64::from(is_so(one)) << n);
        bits |= u128::from(of_half) << (64 * nth);
    }
    bits
}

/// A player's character interacts with a Clash Prop: what it does is no longer hidden (`prop.special-hidden`).
pub(crate) fn meet(play: &mut Play<'_, impl Sink<Event>>, who: Char, prop: Prop) {
    let of = |ability: &Ability| play.rules.ability(*ability).on == Bearer::Prop(prop);
    if is_players(play.at(), who) {
        let met = play.rules.every_ability().filter(of).fold(0, |met, ability| met | 1 << ability.0);
        play.state.met |= met;
    }
}

/// Takes the names of what is hidden out of rules and state.
pub(crate) fn mask(rules: &mut Rules, state: &mut State, hidden: &Hidden) {
    fn put<T>(all: &mut [T], letter: char, hidden: &Hidden, take: impl Fn(&mut T)) {
        let names = all.iter_mut().enumerate().filter(|(at, _)| hidden.has(letter, *at));
        names.for_each(|(_, one)| take(one));
    }
    let something = |text: &mut String| "something".clone_into(text);
    put(&mut rules.cast, Char::LETTER, hidden, |sheet| "somebody".clone_into(&mut sheet.name));
    put(&mut rules.traits, TraitId::LETTER, hidden, |data| something(&mut data.name));
    put(&mut rules.items, Item::LETTER, hidden, |data| {
        something(&mut data.name);
        data.form.clear();
    });
    put(&mut rules.props, 'p', hidden, |data| something(&mut data.name));
    put(&mut rules.secrets, SecretId::LETTER, hidden, |data| something(&mut data.text));
    put(&mut rules.spells, Spell::LETTER, hidden, |data| something(&mut data.name));
    put(&mut rules.abilities, Ability::LETTER, hidden, |data| {
        something(&mut data.name);
        data.text.clear();
    });
    let label = |one: &mut Label| *one = "something".parse().unwrap_or(*one);
    put(&mut state.gained, 'g', hidden, label);
    put(&mut state.made_props, 'q', hidden, |made| label(&mut made.name));
}

// ---- What is sent as data.

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    title: String,
    scene: u16,
    over: bool,
    clash: Option<SeenClash>,
    /// Everybody this viewer sees, by name.
    cast: BTreeMap<String, Seen>,
    /// The Clash Props that are here, by name.
    props: BTreeMap<String, SeenProp>,
    /// What waits on the Stack, the topmost first.
    stack: Vec<SeenWaiting>,
    roll: Option<SeenRoll>,
    pools: Vec<SeenPool>,
    subjugations: Vec<SeenGrip>,
    /// Props that were used, for good.
    used_props: Vec<String>,
    made: Vec<Made>,
    options: BTreeMap<&'static str, &'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenClash {
    /// Which of the evening, from 1.
    number: u16,
    name: Label,
    stakes: Rank,
    first: Side,
    next: Side,
    round: u16,
    /// Turns begun, over all rounds.
    turns: u16,
    turn: Option<Char>,
    step: Option<TurnStep>,
    acted: Vec<Char>,
    /// The order of Priority.
    order: Vec<Char>,
}

/// Somebody, as one viewer may see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Seen {
    name: String,
    seat: Seat,
    side: Side,
    nature: Nature,
    here: bool,
    fights: bool,
    lost: bool,
    dead: bool,
    surprised: bool,
    dodged: bool,
    warned: bool,
    actions: u8,
    reaction: bool,
    floating: u8,
    turns: u8,
    hours: u8,
    /// Damage taken in this Clash.
    hurt: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    will: Option<Will>,
    /// What every Symbol counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<BTreeMap<&'static str, i16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<Vec<Symbol>>,
    alterations: BTreeMap<&'static str, Alteration>,
    tokens: Vec<Token>,
    keywords: Vec<Keyword>,
    traits: BTreeMap<String, SeenElement>,
    items: BTreeMap<String, SeenElement>,
    /// Spells and Skills with their Levels.
    spells: BTreeMap<String, u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_slots: Option<[u8; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_uses: Option<[u8; 2]>,
    secrets: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Will {
    major: u8,
    minor: u8,
    most_major: u8,
    most_minor: u8,
    /// Preparation Damage that has not healed.
    #[serde(skip_serializing_if = "Option::is_none")]
    preparation_lost: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenElement {
    name: String,
    card: Card,
    /// The dice that it gives.
    dice: u8,
    used: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenProp {
    name: String,
    dice: u8,
    exhausted: bool,
    controllers: CharSet,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenWaiting {
    by: Option<Char>,
    kind: Option<Kind>,
    ability: Option<Ability>,
    on: Option<Target>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenRoll {
    kind: Kind,
    step: Step,
    attacker: Option<Char>,
    target: Option<Target>,
    task: Option<Label>,
    with: Symbol,
    /// Once the Director has ruled.
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<Symbol>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<i16>,
    /// Bonus Dice less Malus Dice.
    net: i8,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenPool {
    caster: Option<Char>,
    target: Option<Char>,
    of: Dice,
    /// For those who know what it does (`persist.awareness`).
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SeenGrip {
    loser: Option<Char>,
    winners: CharSet,
    rank: Rank,
    cause: Label,
    aware: bool,
}

/// The name by which answers refer to something.
pub(crate) fn slug(at: At<'_>, (letter, n): (char, usize)) -> &str {
    at.rules.roster.names.slug(letter, n).unwrap_or_default()
}

/// The same of an element.
pub(crate) fn element_slug(at: At<'_>, element: Element) -> &str {
    match element {
        Element::Trait(id) if id.index() < MAX_TRAITS => slug(at, (TraitId::LETTER, id.index())),
        Element::Trait(id) => slug(at, ('g', id.index() - MAX_TRAITS)),
        Element::Item(id) => slug(at, (Item::LETTER, id.index())),
        Element::Prop(id) if id.index() < MAX_PROPS => slug(at, ('p', id.index())),
        Element::Prop(id) => slug(at, ('q', id.index() - MAX_PROPS)),
    }
}

/// The target, where a viewer knows of it.
pub(crate) fn seen_target(at: At<'_>, target: Target, who: Viewer) -> Option<Target> {
    let known = match target {
        Target::Char(one) => sees(at, one, who),
        Target::Element(element) => knows_element(at, element, who),
    };
    known.then_some(target)
}

pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let seen = |one: Char| Some(one).filter(|&one| sees(at, one, who));
    let some = |all: CharSet| all.iter().filter_map(seen).collect::<CharSet>();
    let waiting: Vec<&Frame> = at.state.waiting().collect();
    let stack = waiting.into_iter().rev().map(|frame| match frame {
        Frame::Use(used) => SeenWaiting {
            by: seen(used.by),
            kind: None,
            ability: Some(used.ability).filter(|&ability| knows_ability(at, ability, who)),
            on: used.on.and_then(|on| seen_target(at, on, who)),
        },
        Frame::Test(test) => SeenWaiting {
            by: seen(test.attacker),
            kind: Some(test.kind),
            ability: None,
            on: seen_target(at, test.target, who),
        },
        _ => SeenWaiting { by: None, kind: None, ability: None, on: None },
    });
    let pool = |pool: &Pool| SeenPool {
        caster: seen(pool.caster),
        target: seen(pool.target),
        of: pool.of,
        dice: spell::knows_pool(at, pool, who).then_some(pool.dice),
    };
    let grips = at.state.grips.iter().filter(|grip| sees_grip(at, grip, who) && sees(at, grip.loser, who));
    let pools = at.state.pools.iter().filter(|pool| sees(at, pool.target, who));
    let made = at.state.made.iter().filter(|made| sees(at, made.who, who) && sees(at, made.against, who));
    let used = at.state.used_props.iter().map(|used| used.to_string());
    View {
        title: at.rules.roster.title.clone(),
        scene: at.state.scene,
        over: at.state.over,
        clash: at.state.clash.as_ref().map(|clash| SeenClash {
            number: at.state.clashes,
            name: clash.name,
            stakes: clash.stakes,
            first: clash.first,
            next: clash.next,
            round: clash.round,
            turns: clash.turns,
            turn: clash.turn.and_then(|turn| seen(turn.who)),
            step: clash.turn.map(|turn| turn.step),
            acted: clash.acted.iter().copied().filter_map(seen).collect(),
            order: crate::stack::order(at).into_iter().filter_map(seen).collect(),
        }),
        cast: at
            .rules
            .everybody()
            .filter_map(seen)
            .map(|one| (at.rules.sheet(one).slug.clone(), one_seen(at, one, who)))
            .collect(),
        props: at
            .state
            .props_here()
            .map(|prop| {
                let element = Element::Prop(prop);
                let lies = at.state.props[prop.index()];
                let seen = SeenProp {
                    name: crate::words::prop(at, prop),
                    dice: at.state.dice_of(at.rules, element),
                    exhausted: lies.exhausted,
                    controllers: some(lies.controllers),
                };
                (element_slug(at, element).to_owned(), seen)
            })
            .collect(),
        stack: stack.collect(),
        roll: at.state.top_test().map(|test| SeenRoll {
            kind: test.kind,
            step: test.step,
            attacker: seen(test.attacker),
            target: seen_target(at, test.target, who),
            task: test.task,
            with: test.with,
            over: is_ruled(test).then_some(test.over),
            difficulty: (is_ruled(test) && knows_difficulty(at, who)).then(|| test::difficulty(at, test)),
            net: test::net(at, test),
        }),
        pools: pools.map(pool).collect(),
        subjugations: grips
            .map(|grip| SeenGrip {
                loser: seen(grip.loser),
                winners: some(grip.winners),
                rank: grip.rank,
                cause: grip.cause,
                aware: grip.aware,
            })
            .collect(),
        used_props: at.rules.used_props.iter().cloned().chain(used).collect(),
        made: made.copied().collect(),
        options: at.rules.options.words().into_iter().collect(),
    }
}

/// The Secrets of somebody or something that a viewer knows.
pub(crate) fn secrets_of(at: At<'_>, of: Target, who: Viewer) -> impl Iterator<Item = SecretId> + '_ {
    at.rules
        .every_secret()
        .filter(move |&secret| at.rules.secret(secret).of == of && knows_secret(at, secret, who))
}

/// The Spells and Skills of somebody that a viewer knows.
pub(crate) fn spells_of(at: At<'_>, who: Char, viewer: Viewer) -> impl Iterator<Item = Spell> + '_ {
    at.rules.every_spell().filter(move |&spell| {
        let owner = match at.rules.spell(spell).from {
            Source::Skill(owner, _) => Some(owner),
            Source::Item(item) => at.state.items[item.index()].owner,
        };
        owner == Some(who) && knows_spell(at, spell, viewer)
    })
}

fn one_seen(at: At<'_>, who: Char, viewer: Viewer) -> Seen {
    let (sheet, body) = (at.rules.sheet(who), at.state.body(who));
    let open = reads(at, who, viewer);
    let card = |element: Element| {
        let (used, slots) = match element {
            Element::Trait(id) => (at.state.mark(id).used, None),
            Element::Item(id) => {
                let thing = &at.state.items[id.index()];
                let slots =
                    at.rules.item(id).slots.map_or_else(|| vec![thing.casts], |_| thing.slots.to_vec());
                (thing.used, Some(slots).filter(|slots| open && slots.iter().any(|&n| n > 0)))
            }
            Element::Prop(_) => (false, None),
        };
        let name = crate::words::element(at, element);
        let dice = at.state.dice_of(at.rules, element);
        let seen = SeenElement { name, card: at.state.card(who, element), dice, used, slots };
        (element_slug(at, element).to_owned(), seen)
    };
    let known = |element: &Element| knows_element(at, *element, viewer);
    let value = |symbol: &Symbol| (symbol.word(), at.state.value(at.rules, who, *symbol));
    let altered = |symbol: &Symbol| Some((symbol.word(), at.state.alteration(who, *symbol)?));
    Seen {
        name: sheet.name.clone(),
        seat: sheet.seat,
        side: body.side,
        nature: sheet.nature,
        here: body.here,
        fights: body.fights,
        lost: body.lost,
        dead: body.dead,
        surprised: body.surprised,
        dodged: body.dodged,
        warned: at.state.warned.has(who),
        actions: body.actions,
        reaction: body.reaction,
        floating: body.floating,
        turns: body.turns,
        hours: body.hours,
        hurt: body.hurt,
        will: knows_will(at, who, viewer).then(|| Will {
            major: body.major,
            minor: body.minor,
            most_major: sheet.major,
            most_minor: sheet.minor,
            preparation_lost: open.then_some(body.preparation_lost),
        }),
        symbols: open.then(|| Symbol::ALL.iter().map(value).collect()),
        core: open.then(|| sheet.core.into_iter().flatten().collect()),
        alterations: Symbol::ALL.iter().filter_map(altered).collect(),
        tokens: body.tokens.to_vec(),
        keywords: [Keyword::Flying, Keyword::Range]
            .into_iter()
            .filter(|&keyword| at.state.has_keyword(at.rules, who, keyword))
            .collect(),
        traits: at.state.traits_of(who).map(Element::Trait).filter(known).map(card).collect(),
        items: at.state.items_of(who).map(Element::Item).filter(known).map(card).collect(),
        spells: spells_of(at, who, viewer)
            .map(|spell| (slug(at, (Spell::LETTER, spell.index())).to_owned(), at.rules.spell(spell).level))
            .collect(),
        skill_slots: open.then_some(body.skill_slots),
        skill_uses: open.then_some(body.skill_uses),
        secrets: secrets_of(at, Target::Char(who), viewer)
            .map(|secret| at.rules.secret(secret).text.clone())
            .collect(),
    }
}

// ---- Other tables that look the same.

/// Changes everything that is hidden from a viewer, and nothing else.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    if who.is_gm() {
        return;
    }
    let mut left = seed;
    let mut pick = |most: u64| {
        left = left.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((left >> 33) % most.max(1)) as u8
    };
    // A Difficulty that is shown tells of the values behind it.
    let shown = rules.options.difficulty_shown != Shown::Nothing;
    let mut told = Vec::new();
    for frame in &state.frames {
        if let Frame::Test(test) = frame
            && shown
            && is_ruled(test)
        {
            told.extend([(test.attacker, test.with.personality()), (test.defender, test.over.personality())]);
        }
    }
    let at = At { rules: &rules.clone(), state: &state.clone() };
    for one in at.rules.everybody().filter(|&one| !reads(at, one, who)) {
        let sheet = &mut rules.cast[one.index()];
        if !sees(at, one, who) {
            sheet.name = format!("Another {}", pick(90));
        }
        for &personality in Personality::ALL {
            if !told.contains(&(one, personality)) {
                sheet.personalities[personality as usize] = pick(9) as i8 - 3;
            }
        }
        (sheet.base_damage, sheet.core) = (1 + pick(2), [None; 2]);
        let body = &mut state.bodies[one.index()];
        if !knows_will(at, one, who) {
            (sheet.major, sheet.preparation) = (1 + pick(6), 0);
            sheet.minor = pick(u64::from(sheet.major) + 1);
            body.major = pick(u64::from(sheet.major) + 1);
            body.minor = pick(u64::from(sheet.minor.min(body.major)) + 1);
        }
        (body.preparation_lost, body.skill_slots, body.skill_uses) =
            (0, [pick(4), pick(2)], [pick(6), pick(3)]);
    }
    let hidden = |element: Element| !knows_element(at, element, who);
    for n in (0..at.rules.traits.len()).filter(|&n| hidden(Element::Trait(TraitId(n as u8)))) {
        rules.traits[n].name = format!("another Trait {}", pick(90));
        state.traits[n].owner = state.traits[n].owner.filter(|_| pick(2) == 0);
    }
    for n in (0..at.rules.items.len()).filter(|&n| hidden(Element::Item(Item(n as u8)))) {
        rules.items[n].name = format!("another Item {}", pick(90));
        (rules.items[n].cost, rules.items[n].focus) = (pick(3), pick(3));
        // That somebody flies is seen, whatever lets them.
        let lets = |ability: &Ability| {
            let data = at.rules.ability(*ability);
            data.on == Bearer::Item(Item(n as u8))
                && data.effects.iter().any(|effect| matches!(effect, Effect::GainKeyword(_)))
        };
        if !at.rules.statics.iter().any(lets) {
            state.items[n].owner = state.items[n].owner.filter(|_| pick(2) == 0);
        }
    }
    for n in (0..at.rules.props.len()).filter(|&n| hidden(Element::Prop(Prop(n as u8)))) {
        rules.props[n].name = format!("another thing {}", pick(90));
        rules.props[n].capacity = 1 + pick(3);
    }
    for ability in at.rules.every_ability().filter(|&ability| !knows_ability(at, ability, who)) {
        let data = &mut rules.abilities[ability.index()];
        (data.name, data.text) = (format!("another ability {}", pick(90)), String::new());
        // What changes nothing but Damage shows only when a blow falls.
        let is_damage = |effect: &Effect| {
            matches!(effect, Effect::AddDamage(_) | Effect::MultiplyDamage(_) | Effect::SetPotential(_))
        };
        if data.timing == Timing::Static && data.effects.iter().all(is_damage) && pick(2) == 0 {
            data.effects.clear();
        }
    }
    for spell in at.rules.every_spell().filter(|&spell| !knows_spell(at, spell, who)) {
        let data = &mut rules.spells[spell.index()];
        data.name = format!("another Spell {}", pick(90));
    }
    for secret in at.rules.every_secret().filter(|&secret| !knows_secret(at, secret, who)) {
        let data = &mut rules.secrets[secret.index()];
        (data.text, data.investigate) = (format!("another Secret {}", pick(90)), pick(2) == 0);
    }
    for pool in state.pools.iter_mut().filter(|pool| !spell::knows_pool(at, pool, who)) {
        (pool.dice, pool.matched) = (1 + pick(2 * u64::from(at.rules.spell(pool.spell).level)), pick(3));
    }
    scramble_grips(at, state, who, pick(4));
    for frame in &mut state.frames {
        if let Frame::Test(test) = frame
            && test.step == Step::Rule
            && test.kind != Kind::Conflict
        {
            test.over = Symbol::ALL[usize::from(pick(10))];
        }
    }
    state.habits.clear();
}

/// Subjugations of which a viewer does not know are gone, and there is another.
fn scramble_grips(at: At<'_>, state: &mut State, who: Viewer, another: u8) {
    // What is new waits for the Director, and stays.
    let is_new = |grip: &Grip| at.state.subdued.contains(&grip.loser);
    state.grips.retain(|grip| (sees_grip(at, grip, who) && sees(at, grip.loser, who)) || is_new(grip));
    state.pools.retain(|pool| sees(at, pool.target, who) || sees(at, pool.caster, who));
    let npc = at.rules.everybody().find(|&one| at.rules.sheet(one).seat == Seat::Gm);
    if let (Some(npc), Ok(cause)) = (npc, "another conflict".parse())
        && another < 2
        && !at.state.subdued.contains(&Char(0))
    {
        let rank = if another == 0 { Rank::Minor } else { Rank::Major };
        let grip = Grip { loser: Char(0), winners: CharSet::one(npc), rank, cause, aware: false };
        let _ = state.grips.try_push(grip);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        Clash, harm,
        setup::tests::{HERO, read},
    };
    use fracas_kernel::{Game, Slot, Words};
    use std::collections::BTreeSet;

    /// Two players' characters against one of the Director's, who has one of everything.
    pub(crate) fn table(options: &str) -> (Rules, State) {
        let text = format!(
            r#"
            player = [{{ name = "ana" }}, {{ name = "bo" }}]
            options = {{ {options} }}
            prop = [{{ name = "Rope", creator = "Foe", ability = [{{ name = "Snap", timing = "slow", text = "it snaps", hidden = true }}] }}]
            [[npc]]
            name = "Foe"
            personalities = {{}}
            wp = {{ major = 4, minor = 2, preparation = 2 }}
            trait = [{{ name = "Grim" }}]
            item = [{{ name = "Bell", ability = [{{ name = "Toll", timing = "rapid", text = "it tolls" }}] }}]
            secret = [{{ text = "Foe is deaf." }}]
            [[character]]
            player = "ana"
            {HERO}
            [[character]]
            player = "bo"
            {}
            "#,
            HERO.replace("\"Hero\"", "\"Hera\"")
        );
        read(&text).unwrap_or_else(|faults| panic!("{faults}"))
    }

    pub(crate) const FOE: Char = Char(2);
    const ANA: Viewer = Viewer::Seat(Seat::Player(0));
    const BO: Viewer = Viewer::Seat(Seat::Player(1));
    const GM: Viewer = Viewer::Seat(Seat::Gm);

    fn known(rules: &Rules, state: &State, name: &str) -> Known {
        let found = rules.roster.names.find(name).unwrap_or_else(|| panic!("nothing is called {name}"));
        knows(At { rules, state }, found, ANA)
    }

    #[test]
    fn what_players_do_not_know_of_takes_no_place_of_theirs() {
        let (mut rules, mut state) = table("");
        let mut gain = |who, name: &str| {
            let mut play = Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
            crate::rest::gain(&mut play, who, Rank::Minor, name.parse().unwrap_or_else(|e| panic!("{e}")))
        };
        let secret: Vec<_> = (0..=HIDDEN_GAINED).map(|_| gain(FOE, "Weak Heart")).collect();
        assert!(secret[HIDDEN_GAINED].is_none(), "{secret:?}");
        assert_eq!(gain(Char(0), "Quick"), Some(TraitId(MAX_TRAITS as u8)));
        let all = (1..).take_while(|_| gain(Char(1), "Brave").is_some()).count();
        assert_eq!(all, MAX_GAINED - HIDDEN_GAINED - 1);
        // Unseen from the front, too: a place that nobody has says nothing of the Trait behind it.
        let hidden = Hidden::from::<Clash>(&rules, &state, ANA);
        mask(&mut rules, &mut state, &hidden);
        assert!(!format!("{:?}", state.gained).contains("Weak Heart"));
    }

    #[test]
    fn what_the_director_has_is_hidden_until_it_is_seen() {
        let (rules, mut state) = table("");
        assert_eq!(known(&rules, &state, "foe"), Known::Open);
        for name in ["foe-grim", "foe-bell", "foe-toll", "trait-1", "prop-1"] {
            assert_eq!(known(&rules, &state, name), Known::Hidden, "{name}");
        }
        state.items[0].card = Card::Ready;
        note(&mut Play { rules: &rules, state: &mut state, sink: &mut Vec::new() });
        state.items[0].card = Card::Inactive;
        assert_eq!(known(&rules, &state, "foe-bell"), Known::Open, "what was seen is not forgotten");
        assert_eq!(known(&rules, &state, "foe-toll"), Known::Hidden, "what it does nobody has seen");
        assert_eq!(known(&rules, &state, "foe-grim"), Known::Hidden);
        state.bodies[FOE.index()].here = false;
        assert_eq!(known(&rules, &state, "foe"), Known::Hidden);
    }

    #[test]
    fn a_clash_prop_is_known_to_its_controllers() {
        let (rules, mut state) = table("");
        let snap =
            rules.every_ability().find(|&ability| rules.ability(ability).name == "Snap").expect("there");
        assert!(!knows_ability(At { rules: &rules, state: &state }, snap, ANA));
        for (who, knows) in [(FOE, false), (Char(0), true)] {
            meet(&mut Play { rules: &rules, state: &mut state, sink: &mut Vec::new() }, who, Prop(0));
            assert_eq!(knows_ability(At { rules: &rules, state: &state }, snap, ANA), knows, "{who:?}");
        }
    }

    #[test]
    fn a_secret_is_read_by_the_party_and_named_by_nobody() {
        let (rules, mut state) = table("");
        let secret = SecretId(0);
        let learns = |who| Event::Learns { who, of: Target::Char(FOE), secret };
        let told =
            |state: &State, event: &Event, who| Clash::event(&rules, state, event, who).map(|told| told.text);
        assert_eq!(told(&state, &learns(FOE), ANA), None, "what one of the Director's learns");
        assert_eq!(told(&state, &Event::NothingLeft { who: FOE, of: Target::Char(FOE) }, ANA), None);
        assert_eq!(Clash::knows(&rules, &state, (SecretId::LETTER, 0), ANA), Known::Hidden);
        state.learnt = 1;
        assert_eq!(Clash::knows(&rules, &state, (SecretId::LETTER, 0), ANA), Known::Unnamed);
        let text = told(&state, &learns(Char(0)), BO).unwrap_or_default();
        assert!(text.ends_with("Foe is deaf."), "{text}");
    }

    #[test]
    fn an_unaware_victim_is_told_nothing() {
        let (rules, mut state) = table("");
        let cause = "a lie".parse().expect("a label");
        let mut play = Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Major, Side::Party, cause);
        let grip =
            Grip { loser: Char(0), winners: CharSet::one(FOE), rank: Rank::Minor, cause, aware: false };
        state.grips.push(grip);
        state.bodies[0].major = 0;
        let blow =
            Blow { by: Some(FOE), on: Char(0), amount: 1, symbols: None, counted: true, let_be: false };
        state.frames.push(Frame::Blow(blow));
        let events = [
            Event::Subdued { who: Char(0), by: grip.winners, rank: Rank::Minor, cause, aware: false },
            Event::Freed { who: Char(0), by: grip.winners, aware: false },
        ];
        for (who, sees) in [(ANA, false), (BO, false), (Viewer::Spectator, false), (GM, true)] {
            let at = At { rules: &rules, state: &state };
            assert_eq!(sees_grip(at, &grip, who), sees, "{who}");
            for event in &events {
                assert_eq!(Clash::event(&rules, &state, event, who).is_some(), sees, "{who}: {event:?}");
            }
            assert_eq!(harm::blow::told(at, Char(0), who).text.contains("Death Roll"), sees, "{who}");
            let forbidden = Event::Forbidden { who: Char(0) };
            let text = Clash::event(&rules, &state, &forbidden, who).map(|told| told.text);
            assert_eq!(text.is_some_and(|text| text.contains("lost")), sees, "{who}");
        }
        // A new one is nobody's before the Director has ruled on it.
        state.grips[0].aware = true;
        assert!(sees_grip(At { rules: &rules, state: &state }, &state.grips[0], ANA));
        state.subdued.push(Char(0));
        assert!(!sees_grip(At { rules: &rules, state: &state }, &state.grips[0], ANA));
    }

    #[test]
    fn a_table_imagined_keeps_only_the_subjugations_that_are_known() {
        let (rules, mut state) = table("");
        for (loser, winner, cause, aware) in
            [(Char(0), FOE, "a duel", true), (Char(0), FOE, "a lie", false), (FOE, Char(1), "a bet", true)]
        {
            let cause = cause.parse().expect("a label");
            state.grips.push(Grip { loser, winners: CharSet::one(winner), rank: Rank::Minor, cause, aware });
        }
        state.bodies[FOE.index()].here = false;
        let imagined = |seed| {
            let (mut rules, mut state) = (rules.clone(), state.clone());
            Clash::scramble(&mut rules, &mut state, ANA, seed);
            state.grips.iter().map(|grip| grip.cause.to_string()).collect::<Vec<_>>()
        };
        let all: BTreeSet<_> = (0..20).map(imagined).collect();
        let expected = [&["a duel"][..], &["a duel", "another conflict"]];
        assert!(all.iter().eq(&expected), "{all:?}");
    }

    #[test]
    fn will_points_of_the_director_s_are_shown_where_the_table_says_so() {
        for (options, shown) in [("", false), ("difficulty-shown = \"difficulty-and-wp\"", true)] {
            let (rules, state) = table(options);
            let seen = serde_json::to_value(Clash::view(&rules, &state, ANA)).expect("JSON");
            assert_eq!(seen["cast"]["foe"]["will"].is_object(), shown, "{options}");
            assert!(seen["cast"]["hero"]["will"].is_object() && seen["cast"]["foe"]["symbols"].is_null());
            let heals = Event::Recovers { who: FOE, of: Rank::Major, amount: 1 };
            assert_eq!(Clash::event(&rules, &state, &heals, ANA).is_some(), shown);
        }
        let (rules, mut state) = table("difficulty-shown = \"nothing\"");
        let mut test = test::new(Kind::Free, Char(0), Target::Char(FOE), FOE, Symbol::Edge);
        test.step = Step::Aid;
        state.frames.push(Frame::Test(test));
        let seen = |who| serde_json::to_value(Clash::view(&rules, &state, who)).expect("JSON");
        assert!(seen(ANA)["roll"]["difficulty"].is_null() && seen(GM)["roll"]["difficulty"] == 9);
        let told = Clash::ask(&rules, &state, Slot(0), ANA).text;
        assert!(!told.contains("Difficulty"), "{told}");
    }
}
