//! The gamemaster overrules the engine: always possible, always logged.

use crate::rules::{Omen, Rules};
use crate::state::{Cause, Disguise, Fate, Frame, Lie, MAX_STACK, Poise, State, TestStep};
use crate::{
    At, Play, answer::Blow, disguise, event::Event, harm, mark, notice, overtaken, risk::MOST_RISK, scene,
    setup, threat, vocab::*,
};
use fracas_kernel::{NoSink, Refers, Refused, Setup, Sink, refers};
use serde::{Deserialize, Serialize};

refers! {
    /// What the gamemaster may overrule.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Fiat {
        /// Sets somebody's risk, 0 to 12.
        Risk {
            who: Char,
            risk: u8,
        },
        /// Gives or lifts a mark.
        Mark {
            who: Char,
            mark: Mark,
            on: bool,
            /// Of a physical attack; what counts for fading.
            #[serde(default)]
            physical: bool,
        },
        /// Weakens somebody, or ends it.
        Weaken {
            who: Char,
            /// On, or off.
            on: bool,
        },
        /// Has one misdirect another, or ends it.
        Misdirect {
            who: Char,
            /// Who misdirects them.
            by: Char,
            /// On, or off.
            on: bool,
        },
        /// Binds two, or frees the first of any bind.
        Bind {
            who: Char,
            /// The other; with nobody the first is freed.
            #[serde(default)]
            with: Option<Char>,
        },
        /// Sets whether somebody takes part.
        Fate {
            who: Char,
            fate: Fate,
        },
        /// Puts something somewhere.
        Item {
            item: Item,
            /// Who has it, or had it last.
            holder: Char,
            lie: Lie,
            /// Whether it counts as disarmed; a boon on the ground does, unless
            /// this says otherwise.
            #[serde(default)]
            disarmed: Option<bool>,
        },
        /// Sets the side somebody fights on.
        Side {
            who: Char,
            /// Equal numbers are allies.
            side: u8,
        },
        /// Sets whether somebody is too far off to guard.
        Apart {
            who: Char,
            /// Too far, or near.
            apart: bool,
        },
        /// Sets whether somebody has noticed somebody.
        Aware {
            who: Char,
            of: Char,
            /// Noticed, or not.
            aware: bool,
        },
        /// Declares an omen met, or not, where the gamemaster rules on it.
        Omen {
            who: Char,
            met: bool,
        },
        /// Sets an option of the table.
        Option {
            id: String,
            /// Its word.
            value: String,
        },
        /// Applies the effects of any tier, where nothing is rolled (`npc-vs-npc`).
        Strike {
            #[serde(default)]
            by: Option<Char>,
            on: Char,
            /// Which tier's risk.
            tier: Tier,
            /// Threats, disarm excepted.
            #[serde(default)]
            threats: Vec<Threat>,
            #[serde(default)]
            mark: Option<Mark>,
            #[serde(default)]
            finisher: Option<Finisher>,
        },
        /// Has one of the gamemaster's characters, or anybody alone, rest.
        Rest {
            who: Char,
            rest: Rest,
        },
        /// Sets how far two are from each other.
        Range {
            who: Char,
            of: Char,
            range: Band,
        },
        /// Puts somebody on something they can be knocked off, or takes them down.
        Footing {
            who: Char,
            /// On a ladder, a rope, a bridge; swimming or climbing.
            on: bool,
        },
        /// Sets whether somebody pays attention to somebody, hears and sees them.
        Heed {
            who: Char,
            of: Char,
            heeds: bool,
        },
        /// Rules how wealthy somebody seems and how large a following they have.
        Seems {
            who: Char,
            /// Apparent wealth, 0 to 9.
            #[serde(default)]
            wealth: Option<u8>,
            /// Following, 0 to 99.
            #[serde(default)]
            following: Option<u8>,
        },
        /// Gives composure, or takes it.
        Composure {
            who: Char,
            /// Composed, or not.
            has: bool,
        },
        /// Burdens somebody, or ends it.
        Burden {
            who: Char,
            /// On, or off.
            on: bool,
        },
        /// Puts somebody into a disguise, or out of it.
        Disguise {
            who: Char,
            /// What they pass for; absent, nothing.
            #[serde(default)]
            disguise: Option<Disguise>,
        },
        /// Has those present learn that somebody is shuvin, or forget it.
        Reveal {
            who: Char,
            /// To whom; absent, to everybody present.
            #[serde(default)]
            to: Option<CharSet>,
            known: bool,
            /// Glowing manna spills, or no longer does.
            #[serde(default)]
            riven: Option<bool>,
        },
        Dispose {
            who: Char,
            to: Disposition,
        },
        /// Drops everything under way, and the turn with it. The turn counts as not taken,
        /// unless its test is settled or it was given up.
        Cancel,
        /// Brings somebody in, as a `[[foe]]` table says, or with `player` a player's
        /// character, as a `[[character]]` table does; a player not yet at the table
        /// gets a seat.
        Join(serde_json::Value),
    }
}

/// Examples of each, for faces.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#"{"risk":{"who":"@name","risk":4}}"#, "sets somebody's risk, 0 to 12"),
    (r#"{"mark":{"who":"@name","mark":"crush","on":true,"physical":true}}"#, "gives or lifts a mark"),
    (r#"{"weaken":{"who":"@name","on":true}}"#, "weakens somebody, or ends it"),
    (r#"{"misdirect":{"who":"@name","by":"@other","on":true}}"#, "has one misdirect another, or ends it"),
    (r#"{"bind":{"who":"@name","with":"@other"}}"#, "binds two; without `with` frees the first"),
    (r#"{"fate":{"who":"@name","fate":"away"}}"#, "in, away, dead, or {\"finished\":\"flee\"}"),
    (r#"{"item":{"item":"@thing","holder":"@name","lie":"ground"}}"#, "readied, carried, ground or gone"),
    (r#"{"side":{"who":"@name","side":1}}"#, "sets whose side somebody is on; equal numbers are allies"),
    (r#"{"apart":{"who":"@name","apart":true}}"#, "too far off to guard, or near"),
    (r#"{"aware":{"who":"@name","of":"@other","aware":false}}"#, "whether somebody has noticed somebody"),
    (r#"{"omen":{"who":"@name","met":true}}"#, "declares an omen met, where it is yours to rule"),
    (r#"{"option":{"id":"tier-downgrade","value":"allowed"}}"#, "changes a setting of the table"),
    (
        r#"{"strike":{"by":"@name","on":"@other","tier":"low","threats":["weaken"]}}"#,
        "applies the effects of a tier where nothing is rolled",
    ),
    (r#"{"rest":{"who":"@name","rest":"short"}}"#, "somebody rests alone"),
    (r#"{"range":{"who":"@name","of":"@other","range":"near"}}"#, "close, near, far or beyond"),
    (r#"{"footing":{"who":"@name","on":true}}"#, "on a ladder, rope or bridge, swimming or climbing"),
    (
        r#"{"heed":{"who":"@name","of":"@other","heeds":false}}"#,
        "whether somebody pays attention to somebody",
    ),
    (r#"{"seems":{"who":"@name","wealth":3,"following":2}}"#, "apparent wealth (0-9) and following (0-99)"),
    (r#"{"composure":{"who":"@name","has":true}}"#, "gives composure, or takes it"),
    (r#"{"burden":{"who":"@name","on":true}}"#, "burdens somebody, or ends it"),
    (
        r#"{"disguise":{"who":"@name","disguise":{"people":"menefi","gender":"female"}}}"#,
        "what somebody passes for; without `disguise` they are seen for who they are",
    ),
    (r#"{"reveal":{"who":"@name","known":true}}"#, "those present know somebody for shuvin"),
    (r#"{"dispose":{"who":"@name","to":"friendly"}}"#, "hostile, neutral or friendly"),
    (r#""cancel""#, "drops what is under way; a turn whose test is not over is as if it had not begun"),
    (
        r#"{"join":{"name":"Late Levy","kind":"brute","pl":4}}"#,
        "brings somebody in, as a [[foe]] table would",
    ),
    (
        r#"{"join":{"player":"Cy","use":"Tamsin"}}"#,
        "a player's character, as a [[character]] table would; a new player gets a seat",
    ),
];

/// Whether there is room for so much more to be under way.
fn room(state: &State, frames: usize) -> Result<(), Refused> {
    // Of the whole, two are left for what the answers that are due may open.
    if state.stack.len() + frames + 2 > MAX_STACK {
        return Err(Refused::form("too much is under way: let some of it be answered first"));
    }
    Ok(())
}

/// Carries a fiat out, or says what in it cannot be.
pub(crate) fn apply(
    rules: &mut Rules,
    state: &mut State,
    fiat: &Fiat,
    sink: &mut impl Sink<Event>,
) -> Result<(), Refused> {
    let mut missing = None;
    fiat.each_reference(&mut |letter, n| {
        if letter == Char::LETTER && n >= rules.cast.len() {
            missing = missing.or(Some("nobody here is called that"));
        } else if letter == Item::LETTER && n >= rules.gear.len() {
            missing = missing.or(Some("nothing here is called that"));
        }
    });
    if let Some(what) = missing {
        return Err(Refused::form(what));
    }
    match *fiat {
        Fiat::Risk { who, risk } => {
            if risk > MOST_RISK {
                return Err(Refused::rule(clause!("risk.cap"), "risk is from 0 to 12"));
            }
            if rules.sheet(who).kind == Kind::Brute && risk > 0 {
                return Err(Refused::rule(clause!("brute.no-risk"), "a brute never has risk"));
            }
            let before = state.being(who).risk;
            state.being_mut(who).risk = risk;
            sink.event(Event::FiatRisk { who, risk });
            crate::risk::enters(&mut Play { rules, state, sink }, who, before);
        }
        Fiat::Mark { who, mark, on, physical } => {
            if on {
                let being = state.being_mut(who);
                being.marks = being.marks.with(mark);
                being.physical =
                    if physical { being.physical.with(mark) } else { being.physical.without(mark) };
            } else if state.being(who).marks.has(mark) {
                mark::lift(state, who, mark);
            } else {
                return Err(Refused::form("they do not bear that mark"));
            }
            sink.event(Event::FiatOther(who));
        }
        Fiat::Weaken { who, on } => {
            state.being_mut(who).weakened = on;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Misdirect { who, by, on } => {
            let mut refused = Refused::default();
            if on {
                threat::object_misdirect(state, who, by, &mut refused);
            }
            refused.verdict()?;
            let being = state.being_mut(who);
            being.misdirected_by =
                if on { being.misdirected_by.with(by) } else { being.misdirected_by.without(by) };
            sink.event(Event::FiatOther(who));
        }
        Fiat::Bind { who, with } => {
            match with {
                Some(with) if with == who => return Err(Refused::form("nobody is bound to themself")),
                Some(with) => {
                    let mut refused = Refused::default();
                    threat::object_bind(state, who, with, &mut refused);
                    refused.verdict()?;
                    threat::bind(state, who, with);
                }
                None => {
                    threat::unbind(&mut Play { rules, state, sink }, who, clause!("threat.entangle-release"))
                }
            }
            // It is told of a character in sight: the others in the bind show it too.
            let all = with.map_or(CharSet::NONE, |_| threat::bound(state, who));
            let in_sight = |of: &Char| !state.out_of_sight().has(*of);
            let of = [Some(who), with].into_iter().flatten().chain(all.iter()).find(in_sight);
            sink.event(Event::FiatOther(of.unwrap_or(who)));
        }
        Fiat::Fate { who, fate } => {
            state.being_mut(who).fate = fate;
            if fate != Fate::In {
                threat::unbind(&mut Play { rules, state, sink }, who, clause!("finisher.defeat"));
            }
            if let Fate::Finished(finisher) = fate {
                // What they drop is told with what else it changes.
                harm::beaten(&mut Play { rules, state, sink: &mut NoSink }, who, finisher);
            }
            if fate == Fate::In {
                notice::comes_back(state, who);
            }
            if fate == Fate::Away {
                overtaken::leaves_rest(state, who);
            }
            sink.event(Event::FiatFate { who, fate });
        }
        Fiat::Item { item, holder, lie, disarmed } => {
            let held = matches!(lie, Lie::Readied | Lie::Carried);
            if held && rules.improvised.has(item) && state.unseen.has(holder) {
                let what = "everybody can see that where it lies: have the players notice who has it first";
                return Err(Refused::rule(clause!("unseen-acts"), what));
            }
            state.put(item, holder, lie);
            let place = &mut state.places[item.index()];
            let boon = rules.gear(item).category != Category::Item;
            if lie == Lie::Ground && disarmed.unwrap_or(true) {
                place.lost_by = Some(holder);
            } else if place.lost_by == Some(holder) {
                place.lost_by = None;
            }
            place.disarmed = boon && disarmed.unwrap_or(lie == Lie::Ground);
            sink.event(Event::FiatItem(item));
        }
        Fiat::Side { who, side } => {
            if side > 7 {
                return Err(Refused::form("a side is a number from 0 to 7"));
            }
            state.being_mut(who).side = side;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Apart { who, apart } => {
            state.being_mut(who).apart = apart;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Aware { who, of, aware } => {
            let being = state.being_mut(who);
            being.unaware_of = if aware { being.unaware_of.without(of) } else { being.unaware_of.with(of) };
            if !aware {
                notice::lost_sight(rules, state, of);
            }
            sink.event(Event::FiatOther(who));
        }
        Fiat::Omen { who, met } => {
            if rules.sheet(who).omen != Some(Omen::Ruled) {
                let what = "there is no omen of theirs that the gamemaster rules on";
                return Err(Refused::rule(clause!("nemesis.omen"), what));
            }
            state.omens_ruled =
                if met { state.omens_ruled.with(who) } else { state.omens_ruled.without(who) };
            sink.event(Event::FiatOther(who));
        }
        Fiat::Option { ref id, ref value } => {
            if id == "essence-cap" {
                return Err(Refused::rule(clause!("essence-cap"), "that is settled when a table is set up"));
            }
            let before = crate::risk::critical(At { rules, state });
            rules.options.set(id, value).map_err(Refused::form)?;
            sink.event(Event::FiatTable);
            crate::risk::enter(&mut Play { rules, state, sink }, before);
        }
        Fiat::Strike { by, on, tier, ref threats, mark, finisher } => {
            let form = state.form.unwrap_or(Form::Martial);
            room(state, 1)?;
            if by == Some(on) {
                return Err(Refused::form("nobody strikes themself"));
            }
            if by.is_none() && threats.iter().any(|t| matches!(t, Threat::Entangle | Threat::Misdirect)) {
                let what = "to bind or misdirect takes somebody who does it: `by`";
                return Err(Refused::rule(clause!("entangle-environment"), what));
            }
            if tier == Tier::High && finisher.is_none() {
                return Err(Refused::form("a high tier is a finisher: say which"));
            }
            if threats.contains(&Threat::Disarm) {
                return Err(Refused::form("a disarm names its item: use an `item` fiat"));
            }
            crate::risk::impose(&mut Play { rules, state, sink }, on, tier.risk(), false);
            for &threat in threats {
                let blow = Blow { threat, item: None, dislodge: false };
                threat::impose(&mut Play { rules, state, sink }, by, on, blow, Cause::Attack);
            }
            if let Some(mark) = mark {
                mark::impose(&mut Play { rules, state, sink }, by, on, mark, form);
            }
            if let Some(finisher) = finisher {
                harm::finish(&mut Play { rules, state, sink }, by, on, finisher);
            }
        }
        Fiat::Rest { who, rest } => {
            room(state, 2)?;
            scene::take_rest(&mut Play { rules, state, sink }, CharSet::one(who), rest);
        }
        Fiat::Range { who, of, range } => {
            if who == of {
                return Err(Refused::form("nobody is at a distance from themself"));
            }
            state.place_at(who, of, range);
            sink.event(Event::FiatOther(who));
        }
        Fiat::Footing { who, on } => {
            state.being_mut(who).footing = on;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Heed { who, of, heeds } => {
            let being = state.being_mut(who);
            being.heedless_of =
                if heeds { being.heedless_of.without(of) } else { being.heedless_of.with(of) };
            sink.event(Event::FiatOther(who));
        }
        Fiat::Seems { who, wealth, following } => {
            if wealth.is_some_and(|wealth| wealth > 9) || following.is_some_and(|crowd| crowd > 99) {
                let what = "apparent wealth is from 0 to 9, a following from 0 to 99";
                return Err(Refused::rule(clause!("prestige.gm"), what));
            }
            let being = state.being_mut(who);
            being.wealth = wealth.unwrap_or(being.wealth);
            being.following = following.unwrap_or(being.following);
            sink.event(Event::FiatOther(who));
        }
        Fiat::Composure { who, has } => {
            state.being_mut(who).poise = if has { Poise::Composed } else { Poise::Lost };
            sink.event(Event::FiatOther(who));
        }
        Fiat::Burden { who, on } => {
            if !on && !state.being(who).burdened {
                return Err(Refused::form("they are not burdened"));
            }
            state.being_mut(who).burdened = on;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Disguise { who, disguise } => {
            let mut refused = Refused::default();
            let disguise = disguise.filter(|disguise| !disguise.is_none());
            if disguise.is_some() {
                disguise::object_critical(At { rules, state }, who, &mut refused);
            }
            refused.verdict()?;
            if disguise.is_some() {
                state.being_mut(who).disguise = disguise;
                sink.event(Event::FiatOther(who));
            } else {
                disguise::put_on(&mut Play { rules, state, sink }, who, Disguise::default());
            }
        }
        Fiat::Reveal { who, to, known, riven } => {
            let to = to.unwrap_or(state.present());
            if !rules.sheet(who).shuvin {
                return Err(Refused::rule(clause!("prestige.shuvin"), "they are no shuvin"));
            }
            if known {
                mark::reveal(state, who, to);
            } else {
                let being = state.being_mut(who);
                being.known_to = being.known_to.minus(to);
            }
            let being = state.being_mut(who);
            being.riven = riven.unwrap_or(being.riven);
            sink.event(Event::FiatOther(who));
        }
        Fiat::Dispose { who, to } => {
            state.being_mut(who).disposition = to;
            sink.event(Event::FiatOther(who));
        }
        Fiat::Cancel => {
            // An attack between players that is dropped does not count, and a turn whose
            // test is over, with all its effects, has been had (`turn-dropped`).
            let counts = |frame: &Frame| match frame {
                Frame::Test(test) if test.step == TestStep::Defence => true,
                Frame::Test(test) => {
                    test.step == TestStep::Effects && test.on.is_some() && state.is_pvp(rules)
                }
                _ => false,
            };
            if state.stack.iter().any(counts) {
                state.pvp_attacks = state.pvp_attacks.saturating_sub(1);
            }
            let stands = |frame: &Frame| match frame {
                Frame::Turn(turn) => turn.done,
                // Who was provoked fights.
                Frame::Provoked { .. } => true,
                _ => false,
            };
            state.stack.retain(|frame| stands(frame));
            sink.event(Event::FiatTable);
        }
        Fiat::Join(ref table) => {
            let setup = Setup::newcomer::<crate::JudgeTwo>((rules, state), table, &rules.roster.library)?;
            let (new_rules, new_state, who) = setup::join(At { rules, state }, &setup)?;
            *rules = new_rules;
            *state = new_state;
            notice::joined(rules, state, who);
            setup::name_seen_first(rules, state, CharSet::one(who).and(state.unseen));
            sink.event(Event::Joined(who));
        }
    }
    Ok(())
}
