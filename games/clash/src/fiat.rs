//! What the Director may overrule: always possible, always logged.

use crate::{
    At, Clash, Play, clash, event::Event, harm, prop, rest, rules::Rules, setup, spell, state::*, view,
    vocab::*,
};
use fracas_kernel::{Asking, Label, Refused, Setup, Sink, Viewer};
use serde::{Deserialize, Serialize};

/// What the Director may overrule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fiat {
    /// A player has been told that what their character does may lead to a Death Roll (`death.warn`).
    Warn { who: Char, warned: bool },
    /// Ends a Subjugation (`sub.end-narrative`): the one of this number, from 1, of a character's.
    Free { who: Char, number: u8 },
    /// Whether a Subjugated character knows of it (`sub.awareness`).
    Aware { who: Char, number: u8, aware: bool },
    /// Will Points that are left.
    Will { who: Char, of: Rank, left: u8 },
    /// Preparation Will Points that are lost, and whether players are told (`wp.prep-amount`).
    Preparation {
        who: Char,
        lost: u8,
        #[serde(default)]
        told: bool,
    },
    /// Puts a Symbol under an Alteration, or makes it Stable (`ext.alteration-duration`).
    Alter {
        who: Char,
        symbol: Symbol,
        #[serde(default)]
        to: Option<Alteration>,
        /// A Scene, where it is not said.
        #[serde(default)]
        lasts: Option<Lasts>,
    },
    /// Gives a Token, or takes one.
    Token {
        who: Char,
        kind: TokenKind,
        given: bool,
        #[serde(default)]
        persistent: bool,
    },
    /// Sets a Personality (`ext.personality-growth`).
    Personality { who: Char, personality: Personality, value: i8 },
    /// Hands an Item to somebody, or takes it out of play.
    Item {
        item: Item,
        #[serde(default)]
        owner: Option<Char>,
    },
    /// Somebody new comes to the table (`sheet.fields`), as an encounter writes them.
    Join(serde_json::Value),
    /// Gives a Trait in words.
    Gain { who: Char, rank: Rank, name: Label },
    /// Takes a Trait.
    Lose {
        #[serde(rename = "trait")]
        mark: TraitId,
    },
    /// Turns something into a Clash Prop (`plain-prop-in-clash`).
    Make { name: Label, creator: Char, capacity: u8, dice: u8 },
    /// Whether a Clash Prop is at this place.
    Prop { prop: Prop, here: bool },
    /// Whether a character is where the story is.
    Here { who: Char, here: bool },
    /// The side of a character (`three-sides`).
    Side { who: Char, side: Side },
    /// Whether a character is dead.
    Dead { who: Char, dead: bool },
    /// Whether players know an ability (`prop.special-hidden`).
    Reveal { ability: Ability, known: bool },
    /// Whether players know of a Trait or an Item of the Director's.
    Show { what: Element, known: bool },
    /// Whether players know a Secret.
    Secret { secret: SecretId, known: bool },
    /// Whether the target of somebody's Persistent Spell knows what it does (`persist.awareness`).
    Spell { caster: Char, known: bool },
    /// Ends somebody's Persistent Spell.
    EndSpell(Char),
    /// Ends what lasts on somebody: the effect of this number, from 1.
    Cease { who: Char, number: u8 },
    /// The Dodge, and what is once a Scene, is there again.
    Again(Char),
    /// Whether a Prop of the story was used (`improv.prop-same`).
    Used { name: Label, used: bool },
    /// Strikes a Roll from memory, by its number from 1 (`roll.same-definition`).
    Forget(u8),
    /// Cuts the Clash short.
    EndClash {
        #[serde(default)]
        winners: Option<Side>,
    },
    /// Drops what is under way.
    Cancel,
    /// Sets an option of the table.
    Option { id: String, value: String },
}

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"warn":{"who":"@name","warned":true}}"#, "a player has been warned of a Death Roll, or no longer"),
    (r#"{"free":{"who":"@name","number":1}}"#, "ends a Subjugation of somebody, by its number"),
    (r#"{"aware":{"who":"@name","number":1,"aware":false}}"#, "whether somebody knows of their Subjugation"),
    (r#"{"will":{"who":"@name","of":"major","left":3}}"#, "sets Major or Minor Will Points"),
    (
        r#"{"preparation":{"who":"@name","lost":1,"told":true}}"#,
        "sets the Preparation Damage of one of yours; with `told` players read it",
    ),
    (
        r#"{"alter":{"who":"@name","symbol":"lips","to":"obscured"}}"#,
        "puts a Symbol under an Alteration; without `to` it is Stable again",
    ),
    (r#"{"token":{"who":"@name","kind":"lucky","given":true}}"#, "gives a Token, or takes one"),
    (r#"{"personality":{"who":"@name","personality":"depth","value":2}}"#, "sets a Personality, -10 to 10"),
    (
        r#"{"item":{"item":"@thing","owner":"@name"}}"#,
        "hands an Item to somebody; without `owner` it is gone",
    ),
    (r#"{"gain":{"who":"@name","rank":"minor","name":"Knighted"}}"#, "gives a Trait"),
    (r#"{"lose":{"trait":"@thing"}}"#, "takes a Trait"),
    (
        r#"{"make":{"name":"Chandelier","creator":"@name","capacity":1,"dice":1}}"#,
        "turns something into a Clash Prop",
    ),
    (r#"{"prop":{"prop":"@thing","here":false}}"#, "removes a Clash Prop from the place, or brings it back"),
    (
        r#"{"here":{"who":"@name","here":false}}"#,
        "takes somebody out of the story for a while, or brings them in",
    ),
    (
        r#"{"join":{"use":"Constable Ludd","name":"Second Constable","here":true}}"#,
        "brings somebody in; with `player` a player's character",
    ),
    (r#"{"side":{"who":"@name","side":"foes"}}"#, "on whose side somebody is: party or foes"),
    (r#"{"dead":{"who":"@name","dead":false}}"#, "whether somebody is dead"),
    (r#"{"reveal":{"ability":"@thing","known":true}}"#, "whether players know an ability"),
    (r#"{"show":{"what":"@thing","known":true}}"#, "whether players know of a Trait or an Item of yours"),
    (r#"{"secret":{"secret":"@secret","known":true}}"#, "whether players know a Secret"),
    (r#"{"spell":{"caster":"@name","known":true}}"#, "whether the target knows what somebody's Spell does"),
    (r#"{"end-spell":"@name"}"#, "ends somebody's Persistent Spell"),
    (r#"{"cease":{"who":"@name","number":1}}"#, "ends what lasts on somebody, by its number"),
    (r#"{"again":"@name"}"#, "gives the Dodge back, and what is once a Scene"),
    (r#"{"used":{"name":"the bazaar crowd","used":true}}"#, "whether a Prop was used"),
    (r#"{"forget":1}"#, "strikes a Roll from memory, so that it may be made again"),
    (r#"{"end-clash":{"winners":"party"}}"#, "ends the Clash; without `winners` nobody has won"),
    (r#""cancel""#, "drops what is under way"),
    (r#"{"option":{"id":"nat-die","value":"kept"}}"#, "changes a setting of the table"),
];

/// Carries a fiat out, or says what in it cannot be.
pub(crate) fn apply(
    rules: &mut Rules,
    state: &mut State,
    fiat: &Fiat,
    sink: &mut impl Sink<Event>,
) -> Result<(), Refused> {
    let before = state.clone();
    let (about, ruled) = match *fiat {
        Fiat::Join(ref table) => {
            let setup = Setup::newcomer::<Clash>((rules, state), table, &rules.roster.library)?;
            let (new_rules, new_state, who) = setup::join(At { rules, state }, &setup)?;
            (*rules, *state) = (new_rules, new_state);
            let mut play = Play { rules, state, sink };
            play.event(Event::Joined { who });
            let here = play.state.body(who).here;
            joins(&mut play, who, here);
            (None, false)
        }
        Fiat::Personality { who, personality, value } => {
            if !(-10..=10).contains(&value) {
                return no(clause!("pers.range"), "a Personality is from -10 to 10");
            }
            let there = &mut rules.cast[who.index()].personalities[personality as usize];
            let ruled = std::mem::replace(there, value) != value;
            (Some(who), ruled)
        }
        Fiat::Option { ref id, ref value } => {
            if !crate::RULEBOOK.options().any(|(clause, option)| clause.id() == id && option.when == "any") {
                return Err(Refused::form(format!("{id:?} is no setting that can be changed in mid-play")));
            }
            let was = rules.options;
            rules.options.set(id, value).map_err(Refused::form)?;
            (None, rules.options != was)
        }
        ref fiat => {
            let mut play = Play { rules, state, sink };
            let about = match fiat {
                Fiat::Warn { .. }
                | Fiat::Free { .. }
                | Fiat::Aware { .. }
                | Fiat::Will { .. }
                | Fiat::Preparation { .. }
                | Fiat::Alter { .. }
                | Fiat::Token { .. } => how_they_fare(&mut play, fiat)?,
                Fiat::Item { .. }
                | Fiat::Gain { .. }
                | Fiat::Lose { .. }
                | Fiat::Make { .. }
                | Fiat::Prop { .. } => what_there_is(&mut play, fiat)?,
                Fiat::Here { .. } | Fiat::Side { .. } | Fiat::Dead { .. } | Fiat::Again(_) => {
                    who_there_is(&mut play, fiat)?
                }
                _ => what_is_known(&mut play, fiat)?,
            };
            (about, *play.state != before)
        }
    };
    let mut play = Play { rules, state, sink };
    if ruled {
        play.event(Event::Overruled { who: about });
    }
    reground(&mut play);
    Clash::settle(&mut play);
    Ok(())
}

fn no<T>(clause: fracas_kernel::Clause, what: &'static str) -> Result<T, Refused> {
    Err(Refused::rule(clause, what))
}

/// The place of the Subjugation of this number, from 1, of a character's.
fn grip(state: &State, who: Char, number: u8) -> Result<usize, Refused> {
    let all = state.grips.iter().enumerate().filter(|(_, grip)| grip.loser == who);
    let found = all.map(|(n, _)| n).nth(usize::from(number.max(1)) - 1);
    found.map_or_else(|| no(clause!("sub.types"), "they are under no Subjugation of that number"), Ok)
}

/// Will Points, Tokens and what lies on somebody.
fn how_they_fare(play: &mut Play<'_, impl Sink<Event>>, fiat: &Fiat) -> Result<Option<Char>, Refused> {
    match *fiat {
        Fiat::Warn { who, warned } => {
            if !play.rules.is_pc(who) {
                return no(clause!("death.warn"), "players are warned, and that character is the Director's");
            }
            let all = play.state.warned;
            play.state.warned = if warned { all.with(who) } else { all.without(who) };
            Ok(Some(who))
        }
        Fiat::Free { who, number } => {
            let ended = play.state.grips[grip(play.state, who, number)?];
            harm::free(play, |grip| *grip == ended);
            Ok(Some(who))
        }
        Fiat::Aware { who, number, aware } => {
            let n = grip(play.state, who, number)?;
            play.state.grips[n].aware = aware;
            Ok(Some(who))
        }
        Fiat::Will { who, of, left } => {
            let sheet = play.rules.sheet(who);
            let most = if of == Rank::Major { sheet.major } else { sheet.minor };
            if left > most {
                return Err(Refused::rule(
                    clause!("wp.subset"),
                    format!("they have at most {most} of those"),
                ));
            }
            let body = play.state.body(who);
            let major = body.major;
            match of {
                // Major Will Points that come back end Major Subjugations (`sub.end-major-wp`).
                Rank::Major if left > major => {
                    let lost = sheet.major - left;
                    let body = play.state.body_mut(who);
                    body.preparation_lost = body.preparation_lost.min(lost);
                    harm::restore(play, who, Rank::Major, left - major);
                }
                Rank::Major => {
                    let body = play.state.body_mut(who);
                    (body.major, body.minor) = (left, body.minor.min(left));
                }
                Rank::Minor if left > major => {
                    return no(
                        clause!("wp.subset"),
                        "Minor Will Points are some of the Major ones: never more",
                    );
                }
                Rank::Minor => play.state.body_mut(who).minor = left,
            }
            Ok(Some(who))
        }
        Fiat::Preparation { who, lost, told } => {
            if lost > play.rules.sheet(who).preparation {
                return no(clause!("wp.prep"), "they have not so many Preparation Will Points");
            }
            let body = play.state.body_mut(who);
            let was = std::mem::replace(&mut body.preparation_lost, lost);
            body.major = body.major.saturating_sub(lost.saturating_sub(was)) + was.saturating_sub(lost);
            body.minor = body.minor.min(body.major);
            if told && lost > was {
                play.event(Event::Prepared { who, amount: lost - was });
            }
            Ok(Some(who))
        }
        Fiat::Alter { who, symbol, to, lasts } => {
            let there = play.state.body(who).alterations[symbol as usize];
            match to {
                Some(to) => {
                    let lasts = lasts.map_or(Lasts::Scene, harm::lasting);
                    if play.state.clash.is_none()
                        && matches!(lasts, Lasts::Turn | Lasts::NextTurn | Lasts::Clash)
                    {
                        return no(clause!("default-duration"), "there is no Clash for it to last through");
                    }
                    harm::alter(play, who, symbol, Altered { to, lasts, by: None });
                }
                None if there.is_none() => {
                    return no(clause!("alteration.states"), "no Alteration of its own is on that Symbol");
                }
                None => {
                    play.state.body_mut(who).alterations[symbol as usize] = None;
                    play.event(Event::Alters { who, symbol, to: None });
                }
            }
            Ok(Some(who))
        }
        Fiat::Token { who, kind, given, persistent } => {
            if given {
                if play.state.tokens(who, kind) >= 2 || play.state.body(who).tokens.is_full() {
                    return no(clause!("token.cap"), "nobody holds more than two Tokens of a kind");
                }
                harm::give(play, who, kind, (persistent, None, false));
            } else if !harm::expend(play, who, kind) {
                return no(clause!("token.what"), "they hold no such Token");
            }
            Ok(Some(who))
        }
        _ => Ok(None),
    }
}

/// Traits, Items and Clash Props.
fn what_there_is(play: &mut Play<'_, impl Sink<Event>>, fiat: &Fiat) -> Result<Option<Char>, Refused> {
    match *fiat {
        Fiat::Item { item, owner } => {
            let thing = &mut play.state.items[item.index()];
            let had = thing.owner;
            if had == owner {
                return Ok(owner);
            }
            (thing.owner, thing.card, thing.used) = (owner, Card::Inactive, false);
            let seen = |who: &Char| view::sees(play.at(), *who, Viewer::Spectator);
            Ok(owner.filter(seen).or(had))
        }
        Fiat::Gain { who, rank, name } => {
            let Some(gained) = rest::gain(play, who, rank, name) else {
                return no(clause!("trait.milestone"), "no more Traits fit on this table");
            };
            play.event(Event::Grows { who, gained });
            Ok(Some(who))
        }
        Fiat::Lose { mark } => {
            let Some(who) = play.state.mark(mark).owner else {
                return no(clause!("trait.what"), "nobody has that Trait");
            };
            match play.state.pool_of(mark).map(|pool| pool.caster) {
                Some(caster) => spell::stop(play, caster),
                None => play.state.traits[mark.index()].owner = None,
            }
            Ok(Some(who))
        }
        Fiat::Make { name, creator, capacity, dice } => {
            if !(1..=2).contains(&dice) {
                return no(clause!("prop-size"), "a Clash Prop gives 1 or 2 dice");
            }
            if capacity == 0 {
                return no(clause!("prop.capacity"), "at least one character can Control it");
            }
            let Ok(()) = play.state.made_props.try_push(MadeProp { name, creator, capacity, dice }) else {
                return no(clause!("prop.clash"), "no more Clash Props fit on this table");
            };
            play.state.props[MAX_PROPS + play.state.made_props.len() - 1].here = true;
            Ok(None)
        }
        Fiat::Prop { prop, here } => {
            let made = prop.index().checked_sub(MAX_PROPS);
            let is_there = match made {
                None => prop.index() < play.rules.props.len(),
                Some(n) => n < play.state.made_props.len(),
            };
            if !is_there {
                return no(clause!("prop.clash"), "there is no such Clash Prop");
            }
            for who in play.state.props[prop.index()].controllers.iter().filter(|_| !here) {
                prop::release(play, who, prop);
            }
            play.state.props[prop.index()].here = here;
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Who is here, on which side, and alive.
fn who_there_is(play: &mut Play<'_, impl Sink<Event>>, fiat: &Fiat) -> Result<Option<Char>, Refused> {
    match *fiat {
        Fiat::Here { who, here } => {
            play.state.body_mut(who).here = here;
            joins(play, who, here);
            Ok(Some(who))
        }
        Fiat::Dead { who, dead } => {
            match (play.state.body(who).dead, dead) {
                (false, true) => harm::death(play, who, false),
                (true, false) => {
                    play.state.body_mut(who).dead = false;
                    let here = play.state.body(who).here;
                    joins(play, who, here);
                }
                _ => {}
            }
            Ok(Some(who))
        }
        Fiat::Side { who, side } => {
            play.state.body_mut(who).side = side;
            Ok(Some(who))
        }
        Fiat::Again(who) => {
            play.state.body_mut(who).dodged = false;
            for mark in play.state.traits.iter_mut().filter(|mark| mark.owner == Some(who)) {
                mark.used = false;
            }
            for item in play.state.items.iter_mut().filter(|item| item.owner == Some(who)) {
                item.used = false;
            }
            let own = |ability: &Ability| crate::stack::has(play.at(), who, *ability);
            let all = play.rules.every_ability().filter(own).fold(0u128, |all, ability| all | 1 << ability.0);
            play.state.used[Limit::Scene as usize] &= !all;
            Ok(Some(who))
        }
        _ => Ok(None),
    }
}

/// Somebody comes into the Clash that is under way, and acts from the next round on; or leaves it.
fn joins(play: &mut Play<'_, impl Sink<Event>>, who: Char, here: bool) {
    let sheet = play.rules.sheet(who);
    if play.state.clash.is_none() || here == play.state.body(who).fights {
        return;
    }
    let body = play.state.body_mut(who);
    body.fights = here && (sheet.turns > 0 || sheet.controller.is_some());
    (body.turns, body.actions, body.lost, body.reaction) = (0, 0, false, here);
    for prop in &mut play.state.props {
        prop.controllers = prop.controllers.without(who);
    }
}

/// What players know, and what goes on.
fn what_is_known(play: &mut Play<'_, impl Sink<Event>>, fiat: &Fiat) -> Result<Option<Char>, Refused> {
    match *fiat {
        Fiat::Reveal { ability, known } => {
            let bit = 1u128 << ability.0;
            play.state.met = if known { play.state.met | bit } else { play.state.met & !bit };
            Ok(None)
        }
        Fiat::Show { what, known } => {
            fn set(all: u128, n: u8, known: bool) -> u128 {
                if known { all | 1 << n } else { all & !(1 << n) }
            }
            match what {
                Element::Trait(id) => play.state.shown_traits = set(play.state.shown_traits, id.0, known),
                Element::Item(id) => {
                    play.state.shown_items = set(play.state.shown_items.into(), id.0, known) as u64;
                }
                Element::Prop(_) => return no(clause!("prop.clash"), "a Clash Prop that is here is known"),
            }
            Ok(None)
        }
        Fiat::Secret { secret, known } => {
            let bit = 1u64 << secret.0;
            play.state.learnt = if known { play.state.learnt | bit } else { play.state.learnt & !bit };
            if let Some(ability) = play.rules.secret(secret).reveals.filter(|_| known) {
                play.state.met |= 1 << ability.0;
            }
            Ok(None)
        }
        Fiat::Spell { caster, known } => {
            let Some(pool) = play.state.pools.iter_mut().find(|pool| pool.caster == caster) else {
                return no(clause!("conc.on"), "they Concentrate on nothing");
            };
            pool.known = known;
            Ok(Some(pool.target))
        }
        Fiat::EndSpell(caster) => {
            if play.state.concentration(caster).is_none() {
                return no(clause!("conc.on"), "they Concentrate on nothing");
            }
            spell::stop(play, caster);
            Ok(Some(caster))
        }
        Fiat::Cease { who, number } => {
            let all = play.state.live.iter().enumerate().filter(|(_, live)| live.on == who);
            let Some(n) = all.map(|(n, _)| n).nth(usize::from(number.max(1)) - 1) else {
                return no(clause!("ext.effects"), "no effect of that number lasts on them");
            };
            play.state.live.remove(n);
            Ok(Some(who))
        }
        Fiat::Used { name, used } => {
            let same = |other: &Label| other.eq_ignore_ascii_case(&name);
            let there = play.state.used_props.iter().position(same);
            match (used, there) {
                (true, None) if play.state.used_props.is_full() => {
                    return no(clause!("improv.prop-once"), "no more Props can be kept in mind this evening");
                }
                (true, None) => play.state.used_props.push(name),
                (false, Some(n)) => drop(play.state.used_props.remove(n)),
                (false, None) => {
                    return no(clause!("improv.prop-once"), "that Prop was not used this evening");
                }
                (true, Some(_)) => {}
            }
            Ok(None)
        }
        Fiat::Forget(number) => {
            let n = usize::from(number.max(1)) - 1;
            if n >= play.state.made.len() {
                return no(clause!("roll.same-definition"), "no Roll of that number is kept in mind");
            }
            Ok(Some(play.state.made.remove(n).who))
        }
        Fiat::EndClash { winners } => {
            if play.state.clash.is_none() {
                return no(clause!("ext.clash-end"), "there is no Clash");
            }
            if let Some(winners) = winners {
                // Who still stands on the other side has lost (`wp.win`).
                let beaten = |who: &Char| play.state.stands(*who) && play.state.body(*who).side != winners;
                for who in play.rules.everybody().filter(beaten).collect::<Line>() {
                    harm::lose(play, who);
                }
            }
            play.state.frames.clear();
            clash::end(play, winners);
            Ok(None)
        }
        Fiat::Cancel => {
            if play.state.frames.is_empty() {
                return no(clause!("core.atdd"), "nothing is under way");
            }
            play.state.frames.clear();
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Takes away what is under way whose ground is gone.
fn reground(play: &mut Play<'_, impl Sink<Event>>) {
    let now = play.state.clone();
    let at = At { rules: play.rules, state: &now };
    let mut lapsed = Line::new();
    let about = |who: Char| at.state.is_about(who);
    let has_clash = at.state.clash.is_some();
    play.state.frames.retain(|frame| match frame {
        Frame::Test(test) => {
            let is_on = about(test.attacker)
                && about(test.defender)
                && (has_clash || !test.kind.is_action())
                && (!(has_clash && test.kind.is_action()) || at.state.stands(test.attacker));
            if !is_on {
                let _ = lapsed.try_push(test.attacker);
            }
            let roller = test.roller();
            let owned = |element: Element| at.state.elements_of(roller).any(|own| own == element);
            test.aids.mark = test.aids.mark.filter(|&mark| owned(Element::Trait(mark)));
            test.aids.item = test.aids.item.filter(|&item| owned(Element::Item(item)));
            test.helpers = test.helpers.iter().filter(|&who| about(who)).collect();
            test.hinderers = test.hinderers.iter().filter(|&who| about(who)).collect();
            is_on
        }
        Frame::Triggers(triggers) => {
            triggers.left.retain(|used| at.state.stands(used.by));
            has_clash
        }
        Frame::Use(_) | Frame::Window(_) => has_clash,
        Frame::Displace { who, prop, from } => {
            let held = at.state.props[prop.index()];
            held.here
                && held.controllers.has(*who)
                && held.controllers.has(*from)
                && held.controllers.len() > prop::capacity(at, *prop)
        }
        Frame::Blow(blow) => about(blow.on),
        Frame::Match { who, .. } => about(*who),
        Frame::Lay { caster, target, .. } => about(*caster) && about(*target),
    });
    lapsed.into_iter().for_each(|who| play.event(Event::Lapses { who }));
    let has_grip = |who: &Char| at.state.grips.iter().any(|grip| grip.loser == *who);
    play.state.subdued.retain(|who| has_grip(who));
    play.state.growing.retain(|growth| !at.state.body(growth.who).dead);
    play.state.resting = at.state.resting.iter().filter(|&who| about(who)).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        test,
        view::tests::{FOE, table},
    };
    use fracas_kernel::Game;

    /// Carries out fiats one after the other; the clause against the last one, if it is refused.
    #[track_caller]
    fn ruled(rules: &mut Rules, state: &mut State, all: &[&str]) -> Option<String> {
        let mut refused = None;
        for json in all {
            assert_eq!(refused, None, "before {json}");
            let read = rules.roster.names.read(json).expect("names");
            let fiat: Fiat = serde_json::from_str(&read).unwrap_or_else(|e| panic!("{json}: {e}"));
            let before = state.clone();
            if let Err(why) = Clash::fiat(rules, state, &fiat, &mut Vec::new()) {
                assert_eq!(*state, before, "{json} was refused, and changed something");
                refused = Some(why.reasons[0].clause.map_or("form", |clause| clause.id()).to_owned());
            }
        }
        refused
    }

    #[test]
    fn what_cannot_be_is_refused_by_its_rule() {
        for (fiat, clause) in [
            (r#"{"warn":{"who":"@foe","warned":true}}"#, "death.warn"),
            (r#"{"free":{"who":"@hero","number":1}}"#, "sub.types"),
            (r#"{"will":{"who":"@hero","of":"major","left":6}}"#, "wp.subset"),
            (r#"{"preparation":{"who":"@hero","lost":1}}"#, "wp.prep"),
            (r#"{"alter":{"who":"@hero","symbol":"key"}}"#, "alteration.states"),
            (r#"{"alter":{"who":"@hero","symbol":"key","to":"bright","lasts":"clash"}}"#, "default-duration"),
            (r#"{"token":{"who":"@hero","kind":"armor","given":false}}"#, "token.what"),
            (r#"{"personality":{"who":"@hero","personality":"depth","value":11}}"#, "pers.range"),
            (r#"{"lose":{"trait":"@trait-1"}}"#, "trait.what"),
            (r#"{"make":{"name":"Net","creator":"@foe","capacity":1,"dice":3}}"#, "prop-size"),
            (r#"{"make":{"name":"Net","creator":"@foe","capacity":0,"dice":1}}"#, "prop.capacity"),
            (r#"{"prop":{"prop":"@prop-1","here":true}}"#, "prop.clash"),
            (r#"{"spell":{"caster":"@hero","known":true}}"#, "conc.on"),
            (r#"{"end-spell":"@hero"}"#, "conc.on"),
            (r#"{"cease":{"who":"@hero","number":1}}"#, "ext.effects"),
            (r#"{"used":{"name":"a rope","used":false}}"#, "improv.prop-once"),
            (r#"{"forget":1}"#, "roll.same-definition"),
            (r#"{"end-clash":{}}"#, "ext.clash-end"),
            (r#""cancel""#, "core.atdd"),
            (r#"{"option":{"id":"alt-scope","value":"symbol"}}"#, "form"),
        ] {
            let (mut rules, mut state) = table("");
            assert_eq!(ruled(&mut rules, &mut state, &[fiat]).as_deref(), Some(clause), "{fiat}");
        }
        let twice = [r#"{"token":{"who":"@hero","kind":"armor","given":true}}"#; 3];
        let (mut rules, mut state) = table("");
        assert_eq!(ruled(&mut rules, &mut state, &twice).as_deref(), Some("token.cap"));
    }

    #[test]
    fn preparation_damage_is_taken_off_at_once_and_given_back() {
        let (mut rules, mut state) = table("");
        for (lost, left) in [(2, (2, 2)), (1, (3, 2)), (0, (4, 2))] {
            let fiat = format!(r#"{{"preparation":{{"who":"@foe","lost":{lost},"told":true}}}}"#);
            assert_eq!(ruled(&mut rules, &mut state, &[&fiat]), None);
            assert_eq!((state.body(FOE).major, state.body(FOE).minor), left, "{lost} lost");
        }
    }

    #[test]
    fn nothing_is_under_way_whose_ground_is_gone() {
        let roll = || {
            let (rules, mut state) = table("");
            let mut test = test::new(Kind::Free, Char(0), Target::Char(FOE), FOE, Symbol::Edge);
            (test.task, test.step) = ("climb".parse().ok(), Step::Aid);
            state.frames.push(Frame::Test(test));
            (rules, state)
        };
        for (fiat, left) in [
            (r#"{"warn":{"who":"@hero","warned":true}}"#, 1),
            (r#"{"here":{"who":"@foe","here":false}}"#, 0),
            (r#"{"dead":{"who":"@hero","dead":true}}"#, 0),
            (r#""cancel""#, 0),
        ] {
            let (mut rules, mut state) = roll();
            assert_eq!(ruled(&mut rules, &mut state, &[fiat]), None, "{fiat}");
            assert_eq!(state.frames.len(), left, "{fiat}");
        }
    }

    #[test]
    fn who_leaves_a_clash_has_not_lost_it_and_may_come_back() {
        let (mut rules, mut state) = table("");
        let begin = |rules: &Rules, state: &mut State| {
            let name = "a brawl".parse().expect("a label");
            clash::begin(&mut Play { rules, state, sink: &mut Vec::new() }, Rank::Minor, Side::Party, name);
        };
        begin(&rules, &mut state);
        let away = |here: bool| format!(r#"{{"here":{{"who":"@hera","here":{here}}}}}"#);
        assert_eq!(ruled(&mut rules, &mut state, &[&away(false)]), None);
        assert!(state.clash.is_some() && !state.stands(Char(1)));
        assert_eq!(ruled(&mut rules, &mut state, &[&away(true)]), None);
        assert!(state.stands(Char(1)) && state.body(Char(1)).turns == 0, "from the next round on");
        assert_eq!(ruled(&mut rules, &mut state, &[r#"{"end-clash":{"winners":"party"}}"#]), None);
        assert_eq!(state.grips.iter().map(|grip| grip.loser).collect::<Vec<_>>(), [FOE]);
    }
}
