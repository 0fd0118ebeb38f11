//! The game in words: asks, answers with what they lead to, events, cards.

mod answers;
mod cards;
mod parts;
mod phrases;

pub(crate) use answers::{footing, range};
pub(crate) use phrases::*;

use crate::answer::{Act, Answer, Prompt};
use crate::rules::{Rules, Visibility};
use crate::state::{Attack, Frame, SideEffect, State};
use crate::view::{is_own, knows_values, knows_wire, notices, sees, shows_check, shows_fight};
use crate::{
    At, RuinsAndRaiders, act, check, event::Event, fiat, fiat::Fiat, forms, point, questions, stage, values,
    vocab::*,
};
use fracas_kernel::{
    Ask, Asking, Came, Card, Ending, Fallen, Going, Happened, MAX_ASKS, Odds, Part, Pointed, Question, Slot,
    Space, Stage, There, Told, Tone, Values, Viewer, Who, Words, form::Form, odds_at, to_roll,
};

impl Words for RuinsAndRaiders {
    fracas_kernel::asking!(Words);

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        answers::answer(At { rules, state }, slot, *answer, who)
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Vec<Part> {
        parts::parts(At { rules, state }, slot, answer, who)
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        let at = At { rules, state };
        match *event {
            Event::Turn { .. } | Event::Round(_) => Some(event.told(at, who).step()),
            _ if who.is_gm() => Some(event.told(at, who)),
            Event::SecretCheck { .. } | Event::Dropped { .. } => None,
            Event::UnderWay { who: of } if !is_own(rules, of, who) => None,
            // Who moves learns that nobody hidden stands in the way, and others do not. Nobody takes a step
            // aside back, for it is no move of its own.
            Event::UnderWay { who: of }
            | Event::Charges { who: of }
            | Event::Moves { who: of, .. }
            | Event::Steps { who: of, .. }
            | Event::StepsAside { who: of, .. }
            | Event::Momentum { who: of, .. }
            | Event::Footing { who: of, .. }
                if is_own(rules, of, who) =>
            {
                Some(event.told(at, who).step())
            }
            // A trait or a ground has no secrets, but whose check it is may be one.
            Event::Called { who: of, .. }
            | Event::Passed { who: of, .. }
            | Event::Failed { who: of, .. }
            | Event::NoRoll { who: of, .. }
            | Event::NoticeCall { who: of, .. }
            | Event::TakesTime { who: of, .. }
            | Event::Footing { who: of, .. }
            | Event::Draws { who: of, .. }
            | Event::Sheathes { who: of, .. }
            | Event::PicksUp { who: of, .. }
            | Event::Runs { who: of, .. }
                if !sees(at, of, who) =>
            {
                None
            }
            Event::Hint { who: of, .. } if !is_own(rules, of, who) => None,
            // What enemies have shows only as their place in the order.
            Event::Initiative { who: of, rolled: false, .. } if !knows_values(at, of, who) => None,
            // Who noticed nothing is shown nothing, and the others less (`visibility`).
            Event::Failed { who: of, with, .. }
                if notices(with) && rules.options.visibility != Visibility::Open =>
            {
                is_own(rules, of, who).then(|| nothing(at, of, with))
            }
            _ => Some(event.told(at, who)),
        }
    }

    // Also where dice are thrown in secret beside it.
    fn waits(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> &'static str {
        Self::ask_at(At { rules, state }, slot).map_or("", |ask| Self::kind(&ask.prompt))
    }

    fn reach(rules: &Rules, state: &State, slot: Slot, _: Viewer) -> Vec<Going> {
        point::reach(At { rules, state }, slot)
    }

    fn there(
        rules: &Rules,
        state: &State,
        slot: Slot,
        pointed: &Pointed,
        who: Viewer,
    ) -> Option<There<Answer>> {
        point::there(At { rules, state }, slot, pointed, who)
    }

    fn put(rules: &Rules, token: &str, to: Space) -> Option<Fiat> {
        let who = rules.everybody().find(|&who| rules.sheet(who).slug == token)?;
        rules.field.is_there(to).then_some(Fiat::Place { who, at: to })
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, RuinsAndRaiders>, who: Viewer) -> Option<Came> {
        match fallen.before.frames.last()? {
            Frame::Attack(attack) => blow_came(rules, fallen, attack, who),
            Frame::Check(check) => {
                let known = At { rules, state: fallen.before };
                shows_check(known, check, who).then(|| check_came(known, fallen, check))
            }
            _ => None,
        }
    }

    fn in_all(tone: Tone) -> &'static str {
        match tone {
            Tone::Good => "succeeds",
            Tone::Mixed => "lands, and does no harm",
            Tone::Bad => "fails",
            Tone::Plain => "",
        }
    }

    fn odds(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
        odds(At { rules, state }, slot, answer, who)
    }

    fn questions() -> &'static [Question] {
        &questions::QUESTIONS
    }

    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        questions::answers(question, values)
    }

    fn needs_words(_: &Rules, _: &State, _: Slot, answer: &Answer) -> bool {
        let words = match answer {
            Answer::Try { what, .. } | Answer::Hint { what, .. } => what,
            Answer::Act(Act::Do(what) | Act::Shout(what))
            | Answer::As { act: Act::Do(what) | Act::Shout(what), .. }
            | Answer::SideEffect(SideEffect::Other(what)) => what,
            _ => return false,
        };
        is_proposed(words)
    }

    fn roll_told(rules: &Rules, state: &State, who: Viewer) -> Told {
        roll(At { rules, state }, who).begun()
    }

    fn cards(rules: &Rules, state: &State, who: Viewer) -> Vec<Card> {
        cards::cards(At { rules, state }, who)
    }

    fn ending(rules: &Rules, state: &State, who: Viewer) -> Ending {
        cards::ending(At { rules, state }, who)
    }

    fn stage(rules: &Rules, state: &State, who: Viewer) -> Stage {
        stage::stage(At { rules, state }, who)
    }

    fn overrules(event: &Event) -> bool {
        matches!(event, Event::Ruled { .. } | Event::RuledTable)
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        forms::fiats(At { rules, state })
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        &[
            (r#""end-turn""#, "ends the turn once both actions are spent"),
            (r#""stand""#, "never gives up actions for defence"),
            (r#""keep-fortune""#, "burns no Fortune on attacks and wounds"),
            (r#""plain-strikes""#, "calls for no side effects"),
            (r#""let-end""#, "lets the round end where nobody else will act"),
            (r#""let-go""#, "cuts in on nobody"),
            (r#""next-round""#, "begins the next round at once, while both sides fight"),
            (r#""grant""#, "lets side effects come about beside the wounds"),
        ]
    }
}

/// What the dice of an attack come to, for those who know its challenge level; how many wounds that is
/// for those who know what protects the target.
fn blow_came(
    rules: &Rules,
    fallen: &Fallen<'_, RuinsAndRaiders>,
    attack: &Attack,
    who: Viewer,
) -> Option<Came> {
    let known = At { rules, state: fallen.known };
    if !shows_fight(known, who) {
        return None;
    }
    let mox = fallen.events.iter().find_map(|event| match *event {
        Event::Hits { mox, .. } => Some(mox),
        _ => None,
    });
    let came = |rank, tone, text: String| Some(Came { rank, tone, text: text.into(), besides: None });
    let Some(mox) = mox else { return came(-1, Tone::Bad, "misses".to_owned()) };
    if !is_harmful(known, attack) {
        return came(0, Tone::Good, "succeeds".to_owned());
    }
    if !knows_values(known, attack.on, who) {
        return came(mox, Tone::Good, format!("hits, mox {mox}"));
    }
    match wounds(fallen, attack) {
        0 => came(0, Tone::Mixed, "hits: no wounds".to_owned()),
        wounds => came(wounds as i16, Tone::Good, format!("hits: {}", count(wounds, "wound"))),
    }
}

/// The wounds of a hit, before Fortune.
fn wounds(fallen: &Fallen<'_, RuinsAndRaiders>, attack: &Attack) -> u16 {
    let event = fallen.events.iter().find_map(|event| match *event {
        Event::Damage { wounds, .. } => Some(wounds),
        Event::Wounded { who, wounds } if who == attack.on => Some(wounds),
        _ => None,
    });
    let waits = || match fallen.after.frames.last() {
        Some(Frame::Attack(Attack { by, on, wounds, .. })) if (*by, *on) == (attack.by, attack.on) => *wounds,
        _ => 0,
    };
    event.unwrap_or_else(waits)
}

/// What the dice of a check come to.
fn check_came(at: At<'_>, fallen: &Fallen<'_, RuinsAndRaiders>, check: &crate::state::Check) -> Came {
    let came = |rank, tone, text: String| Came { rank, tone, text: text.into(), besides: None };
    let passed = fallen.events.iter().any(|event| match *event {
        Event::Passed { .. } => true,
        Event::SecretCheck { total, level, .. } => {
            let bonus = check::bonus(at, check);
            values::result((total - bonus).clamp(2, 12) as u8, bonus, level).0
        }
        _ => false,
    });
    let recovered = fallen.events.iter().find_map(|event| match *event {
        Event::Recovers { wounds, .. } => Some(wounds),
        _ => None,
    });
    match (passed, recovered) {
        (false, _) => came(-1, Tone::Bad, "fails".to_owned()),
        (true, None) => came(0, Tone::Good, "passes".to_owned()),
        (true, Some(wounds)) => {
            came(wounds as i16, Tone::Good, format!("recovers from {}", count(wounds, "wound")))
        }
    }
}

/// The odds of the throw that an answer leads to if nobody answers it otherwise than by letting it be.
///
/// Nobody cuts in whose reasons the viewer does not know: that there are odds tells nothing of them.
fn odds(at: At<'_>, slot: Slot, answer: &Answer, viewer: Viewer) -> Option<Odds> {
    let ask = RuinsAndRaiders::ask_at(at, slot)?;
    if !leads_to_dice(at, &ask, answer) {
        return None;
    }
    let hidden =
        |&who: &Char| !knows_wire(at.rules, who, viewer) && at.state.fighting(who).turn == Turn::Waits;
    let waiting: CharSet = at.rules.everybody().filter(hidden).collect();
    let mut imagined = at.state.clone();
    for who in waiting.iter() {
        imagined.fighting_mut(who).turn = Turn::Done;
    }
    let calm = At { rules: at.rules, state: &imagined };
    let slot =
        (0..MAX_ASKS as u8).map(Slot).find(|&slot| RuinsAndRaiders::ask_at(calm, slot) == Some(ask))?;
    let (due, _) = to_roll::<RuinsAndRaiders>(at.rules, &imagined, slot, answer, usual)?;
    let odds = odds_at::<RuinsAndRaiders>(at.rules, &imagined, &due, viewer)?;
    let watched = waiting.iter().any(|who| sees(at, who, viewer));
    Some(if watched { odds.of("if nobody cuts in") } else { odds })
}

/// Whether an answer leads to dice of its own, and nothing hidden decides whether it does.
fn leads_to_dice(at: At<'_>, ask: &Ask<Prompt>, answer: &Answer) -> bool {
    match (*answer, ask.prompt) {
        (Answer::Act(deed), prompt) => actor(prompt).is_some_and(|who| throws(at, who, deed)),
        (Answer::As { who, act }, _) => throws(at, who, act),
        // Whether a step aside leads out of reach may hang on somebody hidden.
        (Answer::Abort { to, .. }, _) => to.is_none(),
        (Answer::How { .. } | Answer::Level { .. }, _) => true,
        (Answer::Check { .. } | Answer::Notice { .. }, _) => true,
        (Answer::Burn(_), Prompt::Fortune(_)) => true,
        _ => false,
    }
}

fn throws(at: At<'_>, who: Char, deed: Act) -> bool {
    let attack = act::announced(at, who, deed);
    matches!(deed, Act::Leap(_) | Act::Feel(_))
        || attack.is_some_and(|attack| values::challenge(at, &attack).is_some())
}

/// Who does something who was asked by name.
pub(crate) const fn actor(prompt: Prompt) -> Option<Char> {
    match prompt {
        Prompt::Turn(who) | Prompt::Cut { who, .. } | Prompt::Standoff(who) => Some(who),
        _ => None,
    }
}

/// What is answered by those who let it be.
fn usual(_: &State, ask: &Ask<Prompt>) -> Option<Answer> {
    match (ask.prompt, ask.who) {
        (Prompt::Cut { .. }, Who::One(_)) => Some(Answer::Let),
        (Prompt::Abort { .. }, _) => Some(Answer::stands()),
        (Prompt::Fortune(_), _) => Some(Answer::Burn(0)),
        (Prompt::How(_), _) => Some(Answer::How { time: Time::default(), fortune: 0 }),
        _ => None,
    }
}

/// Whether a hit counts wounds.
fn is_harmful(at: At<'_>, attack: &Attack) -> bool {
    use crate::{effect::Effect, state::With};
    let wounds = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Wounds { .. }));
    match attack.with {
        With::BareHands | With::Weapon(_) => true,
        With::Spell(spell) => wounds(&at.rules.spell(spell).effects),
        With::Manoeuvre(manoeuvre) => wounds(&at.rules.manoeuvre(manoeuvre).effects),
    }
}
