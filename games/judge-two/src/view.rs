//! What one viewer may see.

use crate::state::{Disguise, Fate, Lie, Poise, State};
use crate::{At, disguise, harm::hides_pl, notice, prestige, risk, rules::Rules, vocab::*};
use fracas_kernel::{Hidden, Known, Seat, Viewer};
use serde::Serialize;

/// The table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct View {
    /// What the encounter is called.
    pub title: String,
    /// The conflict under way.
    pub conflict: Option<Form>,
    /// Public or private, and whose ground.
    pub private: bool,
    /// The kind of mortal that is native here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<People>,
    pub round: u16,
    /// Who has had a turn this round.
    pub acted: CharSet,
    pub turn: Option<CharSet>,
    /// The table has closed.
    pub over: bool,
    /// Everybody, by name.
    pub cast: std::collections::BTreeMap<String, Seen>,
    /// Everything, by name.
    pub gear: std::collections::BTreeMap<String, SeenGear>,
    /// The settings of the table.
    pub options: std::collections::BTreeMap<&'static str, &'static str>,
}

/// Somebody, as one viewer may see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seen {
    pub name: String,
    /// Player's character, brute, foe or nemesis.
    pub kind: Kind,
    /// Who plays them.
    pub seat: Seat,
    pub side: u8,
    /// Recorded risk.
    pub risk: u8,
    /// Seven risk and more.
    pub critical: bool,
    /// Marks borne.
    pub marks: MarkSet,
    /// Those of physical origin.
    pub physical: MarkSet,
    /// Threats suffered, by whom where it matters.
    pub weakened: bool,
    pub misdirected_by: CharSet,
    /// Others in the same bind.
    pub bound_with: CharSet,
    /// Released from being stricken this round.
    pub released: bool,
    pub riven: bool,
    /// Supernal nature known to those present against them.
    pub revealed: bool,
    /// Burdened: the next attack is slow.
    pub burdened: bool,
    /// Knocked off something, and not yet back in the fight.
    pub dislodged: bool,
    /// What they ride.
    pub mount: Option<Item>,
    /// On something one can be knocked off.
    pub footing: bool,
    /// Composure.
    pub poise: Poise,
    /// Silenced for the scene.
    pub silenced: bool,
    /// How often they have been shamed before all.
    pub shamed: u8,
    /// Prestige, in a subtle conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prestige: Option<Prestige>,
    /// The kind of mortal they appear to be of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// What they appear to be, male or female.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// Apparent wealth.
    pub wealth: u8,
    /// Whom they pay no attention to.
    pub heedless_of: CharSet,
    /// How far others are who are not close.
    pub ranges: std::collections::BTreeMap<String, Band>,
    /// What they pass for, for those who know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disguise: Option<Disguise>,
    /// How they are disposed, for the gamemaster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disposition: Option<Disposition>,
    /// Too far off to guard.
    pub apart: bool,
    /// Whom they have not noticed.
    pub unaware_of: CharSet,
    /// Whether they take part.
    pub fate: Fate,
    /// Resistance to martial, subtle and epic attacks, resolve included.
    pub resistance: [u8; 3],
    /// Attributes, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<[u8; 9]>,
    /// Essences, of players' characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub essences: Option<[u8; 4]>,
    /// Power level, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pl: Option<u8>,
    /// Whether a nemesis' omen is met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omen_met: Option<bool>,
    /// What the gamemaster keeps to themself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// The omen, for the gamemaster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omen: Option<String>,
}

/// Something, as everybody may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeenGear {
    pub name: String,
    /// The use of the gear in a conflict.
    pub category: Category,
    /// Who has it, or had it last.
    pub holder: Char,
    pub lie: Lie,
    /// Disarmed, and not readied since.
    pub disarmed: bool,
}

/// The table as one viewer may see it.
pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let turn = at.state.stack.iter().find_map(|frame| match frame {
        crate::state::Frame::Turn(turn) => Some(turn.members),
        _ => None,
    });
    View {
        title: at.rules.roster.title.clone(),
        conflict: at.state.form,
        private: at.state.venue.private,
        native: at.state.venue.people,
        round: at.state.round,
        acted: at.state.acted,
        turn,
        over: at.state.over,
        cast: at
            .rules
            .everybody()
            .filter(|&c| !is_hidden(at.state, c, who))
            .map(|c| (at.rules.sheet(c).slug.clone(), seen(at, c, who)))
            .collect(),
        gear: at
            .rules
            .everything()
            // Scripts and improvised weapons are there once they are in play.
            .filter(|&item| {
                let pool = at.rules.scripts.has(item) || at.rules.improvised.has(item);
                !pool || at.state.place(item).lie != Lie::Gone
            })
            .filter(|&item| shows_item(at.state, item, who))
            // An item out of play looks like an item of an unseen character.
            .filter(|&item| who.is_gm() || at.state.place(item).lie != Lie::Gone)
            .map(|item| {
                let (gear, place) = (at.rules.gear(item), at.state.place(item));
                let seen = SeenGear {
                    name: gear.name.clone(),
                    category: gear.category,
                    holder: place.holder,
                    lie: place.lie,
                    disarmed: place.disarmed,
                };
                (gear.slug.clone(), seen)
            })
            .collect(),
        options: at.rules.options.words().into_iter().collect(),
    }
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

fn seen(at: At<'_>, who: Char, viewer: Viewer) -> Seen {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let pc = at.rules.is_pc(who);
    let shown = |all: CharSet| -> CharSet {
        all.iter().filter(|&other| !is_hidden(at.state, other, viewer)).collect()
    };
    Seen {
        name: sheet.name.clone(),
        kind: sheet.kind,
        seat: sheet.seat,
        side: being.side,
        risk: being.risk,
        critical: risk::is_critical(at, who),
        marks: being.marks,
        physical: being.physical,
        weakened: being.weakened,
        misdirected_by: shown(being.misdirected_by),
        bound_with: shown(bound_with(at, who)),
        released: being.released,
        riven: being.riven,
        revealed: prestige::is_revealed(at, who),
        burdened: being.burdened,
        dislodged: being.dislodged,
        mount: being.mount,
        footing: being.footing,
        poise: being.poise,
        silenced: being.silenced,
        shamed: being.shamed,
        prestige: (at.state.form == Some(Form::Subtle)).then(|| prestige::level(at, who)),
        people: disguise::people(at, who),
        gender: disguise::gender(at, who),
        wealth: disguise::wealth(at.state, who),
        heedless_of: shown(being.heedless_of),
        ranges: at
            .rules
            .everybody()
            .filter(|&other| other != who && at.state.range(who, other) != Band::Close)
            .filter(|&other| !is_hidden(at.state, other, viewer))
            .map(|other| (at.rules.sheet(other).slug.clone(), at.state.range(who, other)))
            .collect(),
        disguise: being.disguise.filter(|_| pc || viewer.is_gm()),
        disposition: viewer.is_gm().then_some(being.disposition).filter(|_| !pc),
        apart: being.apart,
        unaware_of: shown(being.unaware_of),
        fate: being.fate,
        resistance: [Form::Martial, Form::Subtle, Form::Naval].map(|form| risk::resistance(at, who, form)),
        attributes: pc.then_some(sheet.attributes),
        essences: pc.then_some(sheet.essences),
        pl: (!pc && knows_pl(at, who, viewer)).then_some(sheet.pl),
        omen_met: sheet.omen.is_some().then(|| at.state.omen_met(at.rules, who)),
        secret: viewer.is_gm().then(|| sheet.secret.clone()),
        omen: sheet.omen.as_ref().filter(|_| viewer.is_gm()).map(|omen| omen_words(at.rules, omen)),
    }
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
