//! What a seat may say it will answer until further notice.

use crate::{
    At, Clash,
    answer::{Answer, Prompt},
    effect::Effect,
    rules::Rules,
    state::*,
    test, view,
    vocab::*,
};
use fracas_kernel::{
    Asking, Refused, Seat, Slot, Viewer,
    form::{Field, Form, Pick},
};
use serde::{Deserialize, Serialize};

/// A standing reply.
///
/// A pass is asked for in the words of the moment, and kept as a [`Pass`] that ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The Director rules on Rolls as before and lets them be, grants what is brought in, and Dodges with nobody.
    AsUsual,
    /// Passes on the Stack for this turn.
    PassTurn,
    /// In this Clash.
    PassClash,
    /// In this Clash, unless one of the seat's characters is the target.
    PassUnlessMine,
    /// In this Clash, unless somebody of their side is the target.
    PassUnlessOurs,
    /// In this Clash, unless so much Damage is coming.
    PassBelow(u8),
    /// In this Clash, on Actions of this kind.
    PassOn(Kind),
    /// Passes when asked to answer what waits on the Stack.
    Pass(Pass),
}

/// When a seat passes: all that is said must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Pass {
    /// In this Clash of the evening, from 1: it answers nothing after that.
    clash: u16,
    /// In this turn of the Clash, from 1; 0 is before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u16>,
    /// On this ability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ability: Option<Ability>,
    /// On Actions of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<Kind>,
    /// Unless it is aimed at one of the seat's characters, or at anybody of their side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unless: Option<Aimed>,
    /// Unless it deals so much Damage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    damage: Option<u8>,
}

impl Pass {
    /// On everything in a Clash.
    const fn all(clash: u16) -> Pass {
        Pass { clash, turn: None, ability: None, action: None, unless: None, damage: None }
    }
}

/// Whether what a reply is for is over: its Clash, or its turn.
pub(crate) fn lapsed(state: &State, reply: Standing) -> bool {
    let Standing::Pass(pass) = reply else { return false };
    let over = state.clashes.saturating_add(u16::from(state.clash.is_none()));
    let turns = state.clash.as_ref().map_or(0, |clash| clash.turns);
    pass.clash < over || (pass.clash == state.clashes && pass.turn.is_some_and(|turn| turn < turns))
}

/// A pass in words: with a state in those that fit its moment, else in those that hold at any time.
pub(crate) fn told(rules: &Rules, state: Option<&State>, reply: Standing) -> Option<String> {
    let Standing::Pass(pass) = reply else { return None };
    let what = match (pass.ability, pass.action) {
        (Some(ability), _) => format!("passes on {}", rules.ability(ability).name),
        (None, Some(kind)) => format!("passes where somebody {}", does(kind)),
        (None, None) => "passes on the Stack".to_owned(),
    };
    let clashes = state.map(|state| state.clashes);
    let turns = state.and_then(|state| state.clash.as_ref()).map_or(0, |clash| clash.turns);
    let clash = match clashes.and_then(|clashes| pass.clash.checked_sub(clashes)) {
        Some(0) => "this Clash".to_owned(),
        Some(1) => "the next Clash".to_owned(),
        _ => format!("Clash {}", pass.clash),
    };
    let when = match pass.turn {
        Some(turn) if clashes == Some(pass.clash) && turn == turns => "for this turn".to_owned(),
        Some(turn) => format!("in turn {turn} of {clash}"),
        None => format!("in {clash}"),
    };
    let unless = match pass.unless {
        Some(Aimed::Mine) => ", unless one of mine is the target",
        Some(Aimed::Ours) => ", unless somebody of our side is the target",
        None => "",
    };
    let damage = match pass.damage {
        Some(most) => format!(", unless {most} Damage or more is coming"),
        None => String::new(),
    };
    Some(format!("{what} {when}{unless}{damage}"))
}

/// What somebody does by an Action of this kind.
const fn does(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "takes Control of something",
        Kind::Generic => "makes another Roll",
        other => crate::words::doing(other),
    }
}

/// The reply with the numbers of this Clash and turn. Before a Clash it is for the next.
pub(crate) fn written_out(state: &State, reply: Standing) -> Standing {
    let now = state.clash.as_ref();
    let all = Pass::all(if now.is_some() { state.clashes } else { state.clashes.saturating_add(1) });
    Standing::Pass(match reply {
        Standing::AsUsual | Standing::Pass(_) => return reply,
        Standing::PassTurn => Pass { turn: Some(now.map_or(1, |clash| clash.turns)), ..all },
        Standing::PassClash => all,
        Standing::PassUnlessMine => Pass { unless: Some(Aimed::Mine), ..all },
        Standing::PassUnlessOurs => Pass { unless: Some(Aimed::Ours), ..all },
        Standing::PassBelow(damage) => Pass { damage: Some(damage), ..all },
        Standing::PassOn(kind) => Pass { action: Some(kind), ..all },
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Aimed {
    Mine,
    Ours,
}

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (r#""as-usual""#, "rules on Rolls as before, lets them be, grants what is brought in"),
    (r#""pass-turn""#, "passes on the Stack for this turn"),
    (r#""pass-clash""#, "passes on the Stack in this Clash"),
    (r#""pass-unless-mine""#, "passes in this Clash, unless one of mine is the target"),
    (r#""pass-unless-ours""#, "passes in this Clash, unless somebody of our side is the target"),
    (r#"{"pass-below":2}"#, "passes in this Clash, unless so much Damage is coming"),
    (r#"{"pass-on":"study"}"#, "passes in this Clash on Actions of this kind"),
    (r#"{"pass":{"clash":1,"turn":3}}"#, "passes where all of this holds; also `ability`"),
];

/// The Actions of a Clash.
const ACTIONS: [Kind; 6] =
    [Kind::Attack, Kind::Study, Kind::Investigate, Kind::Control, Kind::PushOff, Kind::Generic];

/// The forms of [`EXAMPLES`], in that order.
pub(crate) fn forms() -> Vec<Form> {
    let kinds = || ACTIONS.map(|kind| Pick::of(&kind, does(kind))).to_vec();
    let aimed = vec![
        Pick::of(&Aimed::Mine, "unless mine are meant"),
        Pick::of(&Aimed::Ours, "unless ours are meant"),
    ];
    let plain = |n: usize, id| Form::new(id, EXAMPLES[n].1);
    vec![
        plain(0, "as-usual"),
        plain(1, "pass-turn"),
        plain(2, "pass-clash"),
        plain(3, "pass-unless-mine"),
        plain(4, "pass-unless-ours"),
        Form::new("pass-below", "passes in this Clash, unless Damage is coming of").with(Field::number(
            "",
            "Damage",
            1..=20,
        )),
        Form::new("pass-on", "passes in this Clash where somebody").with(Field::one(
            "",
            "Does what",
            kinds(),
        )),
        Form::new("pass", "passes on the Stack in Clash")
            .with(Field::number("clash", "In Clash number", 1..=999))
            .with(Field::number("turn", "In turn number", 1..=999).or("in any"))
            .with(Field::one("action", "When somebody", kinds()).or("does anything"))
            .with(Field::one("unless", "Unless the target is", aimed).or("anybody"))
            .with(Field::number("damage", "Unless Damage is coming of", 1..=20).or("any")),
    ]
}

/// Whether a seat may stand by this reply: it is theirs, and can answer something.
pub(crate) fn may(_: &Rules, seat: Seat, reply: Standing) -> Result<(), Refused> {
    let (damage, action) = match reply {
        Standing::PassBelow(damage) => (Some(damage), None),
        Standing::PassOn(kind) => (None, Some(kind)),
        Standing::Pass(pass) => (pass.damage, pass.action),
        _ => (None, None),
    };
    match reply {
        Standing::AsUsual if seat != Seat::Gm => {
            return Err(Refused::rule(
                clause!("core.atdd"),
                "the Director rules on Rolls, and nobody else can stand by that",
            ));
        }
        Standing::Pass(Pass { clash: 0, .. }) => {
            return Err(Refused::form("the first Clash of the evening is Clash 1"));
        }
        Standing::Pass(Pass { ability: Some(_), action: Some(_), .. }) => {
            return Err(Refused::form("an ability is no Action: name one of the two"));
        }
        _ => {}
    }
    if damage == Some(0) {
        return Err(Refused::form("nothing deals less than 0 Damage: name 1 or more"));
    }
    match action.filter(|kind| matches!(kind, Kind::Opening | Kind::Death)) {
        Some(kind) => Err(Refused::form(format!(
            "nobody can answer it on the Stack where somebody {}: name an Action",
            does(kind)
        ))),
        None => Ok(()),
    }
}

/// What a standing reply answers.
pub(crate) fn standing(at: At<'_>, slot: Slot, reply: Standing) -> Option<Answer> {
    let prompt = Clash::ask_at(at, slot)?.prompt;
    match (reply, prompt) {
        (Standing::Pass(pass), Prompt::Priority(who)) => passes(at, who, pass).then_some(Answer::Pass),
        (Standing::AsUsual, prompt) => as_usual(at, prompt),
        _ => None,
    }
}

/// What the Director most likely says.
fn as_usual(at: At<'_>, prompt: Prompt) -> Option<Answer> {
    let test = at.state.top_test()?;
    match prompt {
        // Of an action that a Subjugation may forbid, and of one that was tried before, the Director is asked.
        Prompt::Rule(who) => {
            let held = at.state.grips.iter().any(|grip| grip.loser == who);
            let tried = at.state.made.iter().any(|made| made.who == who && made.against == test.defender);
            let asks = (held || tried) && matches!(test.kind, Kind::Free | Kind::Opening | Kind::Generic);
            let over = if test.kind == Kind::Death { test.over } else { test::likely(at, test) };
            let settled = Answer::Settle {
                with: test.with,
                over,
                defender: None,
                harmless: false,
                bonus: 0,
                opens: None,
                let_be: test::has_more(at, test, None),
            };
            (!asks).then_some(settled)
        }
        Prompt::Dodge(_) => Some(Answer::Pass),
        Prompt::Grant(_) => Some(Answer::Grant {
            mark: at.state.clash.is_none() && test.aids.mark.is_some(),
            item: at.state.clash.is_none() && test.aids.item.is_some(),
            idea: u8::from(test.idea.is_some()),
            help: CharSet::NONE,
            hinder: CharSet::NONE,
            malus: 0,
            by: Few::default(),
            bears: Few::default(),
        }),
        _ => None,
    }
}

/// Whether this seat passes on what waits on top of the Stack. Reads only what the seat may know.
fn passes(at: At<'_>, who: Char, pass: Pass) -> bool {
    let Some(clash) = &at.state.clash else { return false };
    let Some(top) = at.state.waiting().last() else { return false };
    if pass.clash != at.state.clashes || pass.turn.is_some_and(|turn| turn != clash.turns) {
        return false;
    }
    let seat = at.rules.sheet(who).seat;
    let (ability, action, on, damage) = match top {
        Frame::Use(used) => {
            let data = at.rules.ability(used.ability);
            let dealt = |effect: &Effect| if let Effect::DealDamage(n) = effect { *n } else { 0 };
            let on = used.on.and_then(|on| keeper(at.rules, at.state, on));
            (Some(used.ability), None, on, data.effects.iter().map(dealt).sum::<u8>())
        }
        Frame::Test(test) => {
            let viewer = Viewer::Seat(seat);
            let most = match view::reads(at, test.attacker, viewer) {
                true => test::potential(at, test, viewer).max(at.rules.sheet(test.attacker).base_damage),
                false => test::spell_dice(at, test).max(test.mods.potential).max(1),
            };
            let damage = if test.kind == Kind::Attack { most } else { 0 };
            (None, Some(test.kind), keeper(at.rules, at.state, test.target), damage)
        }
        _ => return false,
    };
    let aimed = |on: Char| match pass.unless {
        Some(Aimed::Mine) => at.rules.sheet(on).seat == seat,
        Some(Aimed::Ours) => {
            view::sees(at, on, Viewer::Seat(seat)) && at.state.body(on).side == at.state.body(who).side
        }
        None => false,
    };
    pass.ability.is_none_or(|on| ability == Some(on))
        && pass.action.is_none_or(|kind| action == Some(kind))
        && !on.is_some_and(aimed)
        && pass.damage.is_none_or(|most| damage < most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::{FOE, table};

    /// The Foe attacks Hero, on the third turn of the second Clash; Hera's player is asked.
    fn asked(pass: &str, potential: u8) -> bool {
        let (rules, mut state) = table("");
        let name = "a brawl".parse().expect("a label");
        let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, Side::Foes, name);
        let mut test = test::new(Kind::Attack, FOE, Target::Char(Char(0)), Char(0), Symbol::Edge);
        (test.step, test.mods.potential) = (Step::Waits, potential);
        state.frames.push(Frame::Test(test));
        state.frames.push(Frame::Window(Window { left: [Char(1)].into_iter().collect() }));
        state.clashes = 2;
        state.clash.as_mut().expect("a Clash").turns = 3;
        let reply: Standing = serde_json::from_str(&format!(r#"{{"pass":{{{pass}}}}}"#)).expect("a reply");
        standing(At { rules: &rules, state: &state }, Slot(0), reply) == Some(Answer::Pass)
    }

    #[test]
    fn a_seat_passes_while_all_that_was_said_holds() {
        for (pass, passes) in [
            (r#""clash":2"#, true),
            (r#""clash":1"#, false),
            (r#""clash":2,"turn":3"#, true),
            (r#""clash":2,"turn":4"#, false),
            (r#""clash":2,"action":"attack""#, true),
            (r#""clash":2,"action":"study""#, false),
            (r#""clash":2,"ability":"@a0""#, false),
            (r#""clash":2,"unless":"mine""#, true),
            (r#""clash":2,"unless":"ours""#, false),
            (r#""clash":2,"damage":2"#, true),
            (r#""clash":2,"damage":1"#, false),
        ] {
            assert_eq!(asked(pass, 0), passes, "{pass}");
        }
        assert!(!asked(r#""clash":2,"damage":2"#, 2), "as much Damage as a Spell may deal");
    }

    #[test]
    fn a_reply_that_can_answer_nothing_is_refused() {
        let (rules, _) = table("");
        for (reply, says) in [
            (r#"{"pass-below":0}"#, "less than 0 Damage"),
            (r#"{"pass-on":"death"}"#, "where somebody makes a Death Roll"),
            (r#"{"pass":{"clash":0}}"#, "is Clash 1"),
            (r#"{"pass":{"clash":1,"damage":0}}"#, "less than 0 Damage"),
            (r#"{"pass":{"clash":1,"action":"opening"}}"#, "where somebody opens a Clash"),
            (r#"{"pass":{"clash":1,"action":"attack","ability":"@a0"}}"#, "one of the two"),
        ] {
            let read = serde_json::from_str(reply).expect("a reply");
            let refused = may(&rules, Seat::Gm, read).expect_err(reply).to_string();
            assert!(refused.contains(says), "{reply}: {refused}");
        }
        let mut table = fracas_kernel::Session::<Clash>::new(rules, view::tests::table("").1);
        let refused = fracas_kernel::AnyTable::stand(&mut table, Seat::Gm, r#"{"pass-on":3}"#, true);
        let refused = refused.expect_err("a number is no Action").to_string();
        assert!(refused.contains(r#"such as "as-usual""#) && !refused.contains("expected"), "{refused}");
    }

    #[test]
    fn a_reply_is_told_for_the_moment_and_lapses_with_it() {
        let (rules, mut state) = table("");
        let begin = |state: &mut State| {
            let mut play = crate::Play { rules: &rules, state, sink: &mut Vec::new() };
            crate::clash::begin(&mut play, Rank::Minor, Side::Foes, "a brawl".parse().expect("a label"));
        };
        let reply = |json: &str| serde_json::from_str::<Standing>(json).expect("a reply");
        let said = |state: &State, json| told(&rules, Some(state), reply(json)).expect("a pass");
        assert_eq!(said(&state, r#"{"pass":{"clash":1}}"#), "passes on the Stack in the next Clash");
        begin(&mut state);
        state.clash.as_mut().expect("a Clash").turns = 4;
        for (json, words) in [
            (r#"{"pass":{"clash":1,"turn":4}}"#, "passes on the Stack for this turn"),
            (r#"{"pass":{"clash":1,"turn":6}}"#, "passes on the Stack in turn 6 of this Clash"),
            (
                r#"{"pass":{"clash":1,"unless":"mine","damage":2}}"#,
                "passes on the Stack in this Clash, unless one of mine is the target, unless 2 Damage or more is coming",
            ),
            (
                r#"{"pass":{"clash":3,"action":"generic"}}"#,
                "passes where somebody makes another Roll in Clash 3",
            ),
        ] {
            assert_eq!(said(&state, json), words);
            assert!(!lapsed(&state, reply(json)), "{json}");
        }
        assert!(lapsed(&state, reply(r#"{"pass":{"clash":1,"turn":3}}"#)));
        let ever = told(&rules, None, reply(r#"{"pass":{"clash":1,"turn":4}}"#));
        assert_eq!(ever.as_deref(), Some("passes on the Stack in turn 4 of Clash 1"));
        let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::end(&mut play, None);
        assert!(lapsed(&state, reply(r#"{"pass":{"clash":1}}"#)) && !lapsed(&state, Standing::AsUsual));
        assert!(!lapsed(&state, reply(r#"{"pass":{"clash":2,"turn":1}}"#)), "it is for the next");
    }

    #[test]
    fn only_the_director_rules_as_usual() {
        let (rules, _) = table("");
        assert!(may(&rules, Seat::Gm, Standing::AsUsual).is_ok());
        assert!(may(&rules, Seat::Player(0), Standing::AsUsual).is_err());
        assert_eq!(EXAMPLES.len(), forms().len());
        for ((json, _), form) in EXAMPLES.iter().zip(forms()) {
            assert!(serde_json::from_str::<Standing>(json).is_ok(), "{json}");
            assert!(json.contains(form.key), "{json}: {}", form.key);
        }
    }
    #[test]
    fn a_pass_ends_with_the_turn_or_the_clash_it_was_said_in() {
        let (rules, mut state) = table("");
        let written = |state: &State, reply| serde_json::to_string(&written_out(state, reply)).expect("JSON");
        assert_eq!(written(&state, Standing::PassClash), r#"{"pass":{"clash":1}}"#, "the next Clash");
        let name = "a brawl".parse().expect("a label");
        let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, Side::Foes, name);
        state.clashes = 2;
        state.clash.as_mut().expect("a Clash").turns = 3;
        for (reply, kept) in [
            (Standing::PassTurn, r#"{"pass":{"clash":2,"turn":3}}"#),
            (Standing::PassClash, r#"{"pass":{"clash":2}}"#),
            (Standing::PassUnlessMine, r#"{"pass":{"clash":2,"unless":"mine"}}"#),
            (Standing::PassUnlessOurs, r#"{"pass":{"clash":2,"unless":"ours"}}"#),
            (Standing::PassBelow(2), r#"{"pass":{"clash":2,"damage":2}}"#),
            (Standing::PassOn(Kind::Study), r#"{"pass":{"clash":2,"action":"study"}}"#),
            (Standing::AsUsual, r#""as-usual""#),
        ] {
            assert_eq!(written(&state, reply), kept);
        }
    }
}
