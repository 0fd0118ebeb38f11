//! The game in words: sentences of events, answers with what they lead to.

mod answers;
mod cards;
mod parts;

pub(crate) use answers::{DEED, GROWTH, PROP, QUESTION, REMARK, UNNAMED, own_words, tried};
pub(crate) use cards::{PROPS, beaten, clash_words, waits_for};

use crate::{
    At, Clash,
    answer::{Answer, Prompt},
    board,
    dice::Critical,
    effect::Effect,
    event::Event,
    fiat, forms, questions,
    rules::Rules,
    stage, standing,
    state::{Grip, Kind, State, Test},
    test, view,
    vocab::*,
};
use fracas_kernel::{
    Asking, Board, Came, Card, Ending, Fallen, Happened, Label, Laid, Odds, Part, Question, Saying, Slot,
    Stage, Told, Tone, Values, Viewer, Words, form::Form,
};
use std::borrow::Cow;

impl Words for Clash {
    fracas_kernel::asking!(Words);

    fn questions() -> &'static [Question] {
        questions::QUESTIONS
    }

    fn answers(question: &'static str, values: &Values) -> Result<Odds, String> {
        questions::answers(question, values)
    }

    fn answer(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Told {
        answers::answer(At { rules, state }, slot, *answer, who)
    }

    fn parts(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Vec<Part> {
        parts::parts(At { rules, state }, slot, answer, who)
    }

    fn event(rules: &Rules, state: &State, event: &Event, who: Viewer) -> Option<Told> {
        let at = At { rules, state };
        // What the Director's characters learn, how they recover, and Subjugations that their victims do not
        // know of are not everybody's.
        let known = who.is_gm()
            || match *event {
                Event::Learns { who, .. } | Event::NothingLeft { who, .. } | Event::NoMatch { who, .. } => {
                    rules.is_pc(who)
                }
                // That a character of the Director's could have answered is not told either.
                Event::Passes { who } => view::is_players(at, who),
                Event::Joined { who } => state.body(who).here,
                Event::Recovers { who: one, .. } => view::knows_will(at, one, who),
                Event::Freed { by, aware, .. } | Event::Subdued { by, aware, .. } => {
                    view::sees_hold_of(at, by, aware, who)
                }
                _ => true,
            };
        known.then(|| event.told(at, who))
    }

    fn came(rules: &Rules, fallen: &Fallen<'_, Clash>, who: Viewer) -> Option<Came> {
        came_to(At { rules, state: fallen.known }, fallen.events, who)
    }

    fn in_all(tone: Tone) -> &'static str {
        match tone {
            Tone::Good => "passes",
            Tone::Bad => "fails",
            Tone::Mixed | Tone::Plain => "",
        }
    }

    fn odds(rules: &Rules, state: &State, slot: Slot, answer: &Answer, who: Viewer) -> Option<Odds> {
        // Whether one of the Director's could answer before the dice fall is not everybody's to know.
        let tells = match Clash::ask_at(At { rules, state }, slot)?.prompt {
            Prompt::Aid(_) | Prompt::Oppose(_) | Prompt::Spend(_) | Prompt::Malus(_) | Prompt::Lucky(_) => {
                true
            }
            Prompt::Dodge(_) => state.clash.is_some(),
            _ => false,
        };
        (tells || who.is_gm()).then(|| fracas_kernel::odds_after::<Self>(rules, state, slot, answer, who))?
    }

    fn board(rules: &Rules, state: &State, slot: Slot, who: Viewer) -> Option<Board> {
        board::board(At { rules, state }, slot, who)
    }

    fn laid(rules: &Rules, state: &State, slot: Slot, answer: &Answer) -> Option<Laid> {
        board::laid(At { rules, state }, slot, *answer)
    }

    fn arranged(rules: &Rules, state: &State, slot: Slot, laid: &Laid) -> Option<Answer> {
        board::arranged(At { rules, state }, slot, laid)
    }

    fn needs_words(_: &Rules, _: &State, _: Slot, answer: &Answer) -> bool {
        answers::needs_words(answer)
    }

    fn roll_told(rules: &Rules, state: &State, who: Viewer) -> Told {
        let at = At { rules, state };
        let Some(test) = state.top_test() else { return Told::default() };
        Told::new(roll_words(at, test, who)).why(clause!("roll.base-die"))
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
        matches!(event, Event::Overruled { .. })
    }

    fn fiats() -> &'static [(&'static str, &'static str)] {
        fiat::EXAMPLES
    }

    fn fiat_forms(rules: &Rules, state: &State) -> Vec<Form> {
        forms::fiats(At { rules, state })
    }

    fn standings() -> &'static [(&'static str, &'static str)] {
        standing::EXAMPLES
    }

    fn standing_told(rules: &Rules, state: Option<&State>, reply: standing::Standing) -> Option<String> {
        standing::told(rules, state, reply)
    }

    fn standing_forms() -> Vec<Form> {
        standing::forms()
    }
}

/// What dice that fell came to, for those who know the Difficulty.
fn came_to(at: At<'_>, events: &[Event], who: Viewer) -> Option<Came> {
    let came = events.iter().find_map(|event| match *event {
        Event::Passed { successes, critical, .. } => Some((true, successes, critical)),
        Event::Failed { critical, .. } => Some((false, 0, critical)),
        _ => None,
    });
    let (passed, successes, critical) = came.filter(|_| view::knows_difficulty(at, who))?;
    let text: Cow<'static, str> = match (passed, critical, successes) {
        (true, Some(_), 0 | 1) => "a Breakthrough".into(),
        (true, Some(_), n) => format!("a Breakthrough, {n} Success Dice").into(),
        (true, None, 0 | 1) => "passes".into(),
        (true, None, n) => format!("passes, {n} Success Dice").into(),
        (false, Some(_), _) => "a Disaster".into(),
        (false, None, _) => "fails".into(),
    };
    let tone = if passed { Tone::Good } else { Tone::Bad };
    let rank = match (passed, critical.is_some()) {
        (true, critical) => 2 * i16::from(successes) + i16::from(critical),
        (false, true) => -1,
        (false, false) => 0,
    };
    Some(Came { rank, tone, text, besides: None })
}

/// A Roll in a few words: who, with which Symbols, against what.
pub(crate) fn roll_words(at: At<'_>, test: &Test, who: Viewer) -> String {
    let (roller, opposer) = (Saying(test.roller(), at), Saying(test.opposer(), at));
    if !view::is_ruled(test) || (test.came.is_some() && !test.rolled) {
        return format!(
            "{} {} {}, with {}",
            Saying(test.attacker, at),
            doing(test.kind),
            Saying(test.target, at),
            test.with.title()
        );
    }
    format!("{roller}: {} of {opposer} ({})", symbols(test), terms(at, test, who))
}

/// The Symbols of a Roll: `Edge over Thorn`.
pub(crate) fn symbols(test: &Test) -> String {
    let (with, over) = test.symbols();
    format!("{} over {}", with.title(), over.title())
}

/// The Spell or Skill of a Roll, where the viewer knows it: ` and Read the Small Print`.
pub(crate) fn cast(at: At<'_>, test: &Test, viewer: Viewer) -> String {
    let known = test.cast.filter(|cast| view::knows_spell(at, cast.spell, viewer));
    known.map_or_else(String::new, |cast| format!(" and {}", Saying(cast.spell, at)))
}

/// The Difficulty, where the viewer knows it, and the dice.
pub(crate) fn terms(at: At<'_>, test: &Test, who: Viewer) -> String {
    let number = if view::knows_difficulty(at, who) {
        format!("Difficulty {}, ", test::difficulty(at, test))
    } else {
        String::new()
    };
    number + &dice(test::net(at, test))
}

/// Somebody's own words, after what they are about; nothing where a list proposed them.
#[derive(Clone, Copy)]
pub(crate) struct Own(pub Label);

/// So many Bonus Dice, or Malus Dice.
#[derive(Clone, Copy)]
pub(crate) struct Die(pub u8, pub bool);

/// `1 Bonus Die`, `3 Bonus Dice`.
pub(crate) fn bonus(dice: u8) -> String {
    format!("{dice} Bonus {}", if dice == 1 { "Die" } else { "Dice" })
}

/// `1 Malus Die`, `3 Malus Dice`.
pub(crate) fn malus(dice: u8) -> String {
    format!("{dice} Malus {}", if dice == 1 { "Die" } else { "Dice" })
}

pub(crate) const fn side(side: Side) -> &'static str {
    match side {
        Side::Party => "the party",
        Side::Foes => "the Director",
    }
}

/// The same, where a sentence begins.
pub(crate) const fn goes(side: Side) -> &'static str {
    match side {
        Side::Party => "The party goes",
        Side::Foes => "The Director goes",
    }
}

/// What somebody does by a Roll, as it stands before its target.
pub(crate) const fn doing(kind: Kind) -> &'static str {
    match kind {
        Kind::Free | Kind::Generic => "tries something with",
        Kind::Opening => "opens a Clash with",
        Kind::Conflict => "tempts",
        Kind::Attack => "attacks",
        Kind::Study => "studies",
        Kind::Investigate => "investigates",
        Kind::Control => "tries to take Control of",
        Kind::PushOff => "tries to push somebody off",
        Kind::Death => "makes a Death Roll over",
    }
}

pub(crate) fn target(at: At<'_>, target: Target) -> String {
    match target {
        Target::Char(who) => at.rules.sheet(who).name.clone(),
        Target::Element(one) => element(at, one),
    }
}

pub(crate) fn element(at: At<'_>, element: Element) -> String {
    match element {
        Element::Trait(mark) => at.state.trait_name(at.rules, mark).to_owned(),
        Element::Item(item) => at.rules.item(item).name.clone(),
        Element::Prop(id) => prop(at, id),
    }
}

pub(crate) fn prop(at: At<'_>, prop: Prop) -> String {
    match prop.index().checked_sub(MAX_PROPS) {
        None => {
            at.rules.props.get(prop.index()).map_or_else(|| "something".to_owned(), |data| data.name.clone())
        }
        Some(n) => {
            at.state.made_props.get(n).map_or_else(|| "something".to_owned(), |made| made.name.to_string())
        }
    }
}

/// The Difficulty and the dice so far, in brackets, where this character's player is told them.
pub(crate) fn difficulty(at: At<'_>, test: &Test, who: Char) -> String {
    if !view::knows_difficulty(at, Viewer::Seat(at.rules.sheet(who).seat)) {
        return String::new();
    }
    let net = test::net(at, test);
    let dice = if net == 0 { String::new() } else { format!(", {}", dice(net)) };
    format!(" (Difficulty {}{dice})", test::difficulty(at, test))
}

/// What is left of Bonus and Malus Dice.
pub(crate) fn dice(net: i8) -> String {
    match net {
        0 => "the Base Die alone".to_owned(),
        1.. => bonus(net.unsigned_abs()),
        _ => malus(net.unsigned_abs()),
    }
}

pub(crate) fn rolls(
    at: At<'_>,
    (who, over): (Char, Char),
    (with, against): (Symbol, Symbol),
    (difficulty, net): (i16, i8),
    viewer: Viewer,
) -> Told {
    let shown =
        if view::knows_difficulty(at, viewer) { format!(", Difficulty {difficulty}") } else { String::new() };
    let dice = match net {
        0 => String::new(),
        1.. => format!(", {}: the highest counts", bonus(net.unsigned_abs())),
        _ => format!(", {}: the lowest counts", malus(net.unsigned_abs())),
    };
    let (who, over) = (Saying(who, at), Saying(over, at));
    Told::new(format!("{who} rolls {} over {} of {over}{shown}{dice}.", with.title(), against.title()))
        .why(clause!("roll.symbols"))
}

pub(crate) fn exhausts(at: At<'_>, who: Char, element: Element, against: bool) -> Told {
    let (who, element) = (Saying(who, at), Saying(element, at));
    let (how, clause) = match against {
        true => (" against the Roll", clause!("clash.defend-exhaust")),
        false => ("", clause!("clash.exhaust-aid")),
    };
    Told::new(format!("{who} Exhausts {element}{how}.")).why(clause)
}

pub(crate) fn counts(at: At<'_>, who: Char, help: u8, hinder: u8) -> Told {
    let mut parts = Vec::new();
    if help > 0 {
        parts.push(format!("{} for help", bonus(help)));
    }
    if hinder > 0 {
        parts.push(format!("{} for hindrance", malus(hinder)));
    }
    Told::new(format!("{} gets {}.", Saying(who, at), parts.join(" and "))).why(clause!("group.help"))
}

pub(crate) fn came(
    at: At<'_>,
    who: Char,
    passed: bool,
    successes: u8,
    (critical, natural): (Option<Critical>, bool),
) -> Told {
    let how = if passed { "passes" } else { "fails" };
    let (word, clause) = match (critical, natural) {
        (Some(Critical::Disaster), _) => (", a Disaster", clause!("roll.disaster")),
        (Some(Critical::Breakthrough), _) => (", a Breakthrough", clause!("roll.breakthrough")),
        (None, true) if passed => (" by a natural 20", clause!("roll.natural")),
        (None, true) => (" by a natural 1", clause!("roll.natural")),
        (None, false) => ("", clause!("roll.pass")),
    };
    let dice = if successes > 1 { format!(", with {successes} Success Dice") } else { String::new() };
    Told::new(format!("The Roll of {} {how}{word}{dice}.", Saying(who, at))).why(clause)
}

pub(crate) fn announces(at: At<'_>, who: Char, kind: Kind, on: Target, with: Symbol) -> Told {
    let clause = match kind {
        Kind::Attack => clause!("attack.roll"),
        Kind::Study | Kind::Investigate => clause!("study.action"),
        Kind::Control | Kind::PushOff => clause!("action.control"),
        _ => clause!("action.generic"),
    };
    Told::new(format!("{} {} {}, with {}.", Saying(who, at), doing(kind), Saying(on, at), with.title()))
        .why(clause)
}

/// A Spell or Skill that takes no Roll is used.
pub(crate) fn quietly(at: At<'_>, (who, on): (Char, Char), with: Symbol, task: Option<Label>) -> Told {
    let task = task.map_or_else(String::new, own_words);
    let (who, on) = (Saying(who, at), Saying(on, at));
    Told::new(format!("{who} uses a Spell or Skill on {on}, without a Roll, with {}{task}.", with.title()))
        .why(clause!("spell.no-roll"))
}

pub(crate) fn uses(at: At<'_>, who: Char, ability: Ability, on: Option<Target>, triggered: bool) -> Told {
    let on = on.map_or_else(String::new, |on| format!(" on {}", Saying(on, at)));
    let (verb, clause) = match triggered {
        true => ("triggers", clause!("trigger.stack")),
        false => ("uses", clause!("stack.window")),
    };
    Told::new(format!("{} {verb} {}{on}.", Saying(who, at), Saying(ability, at))).why(clause)
}

/// What a failed Dodge adds to what it was against (`dodge.fail`).
pub(crate) fn not_dodged(at: At<'_>) -> String {
    match at.rules.options.dodge_damage {
        0 => String::new(),
        more => format!(", and deals {more} Damage more"),
    }
}

/// An effect in a few words: "+1 Damage", "2 Bonus Dice".
pub(crate) fn effect_words(effect: Effect) -> String {
    match effect {
        Effect::AddBd(n) => bonus(n),
        Effect::AddMd(n) => malus(n),
        Effect::AddDamage(n) => format!("{n:+} Damage"),
        Effect::MultiplyDamage(n) => format!("Damage times {n}"),
        Effect::SetPotential(n) => format!("Potential Damage {n}"),
        Effect::DealDamage(n) => format!("{n} Damage"),
        Effect::RestoreMajor(n) => format!("{n} Major Will Points back"),
        Effect::RestoreMinor(n) => format!("{n} Minor Will Points back"),
        Effect::Alter { symbol, to, .. } => format!("{} is {to}", symbol.title()),
        Effect::ClearAlteration => "every Symbol Stable".to_owned(),
        Effect::GiveToken { kind, .. } => format!("a {} Token", token_name(kind)),
        Effect::GainKeyword(keyword) => match keyword {
            Keyword::Flying => "Flying".to_owned(),
            Keyword::Range => "Range".to_owned(),
            Keyword::Own(own) => own.to_string(),
        },
        Effect::GainAction => "an Action".to_owned(),
        Effect::GainReaction => "a Reaction".to_owned(),
        Effect::Ready => "an element ready".to_owned(),
        Effect::Exhaust => "an element Exhausted".to_owned(),
        Effect::GainFocus(n) => format!("{n} floating Focus"),
        Effect::AddSpellSlot(level) => format!("a Spell Slot of Level {level}"),
        Effect::ChangeHours(n) => format!("{n:+} Hours in the next Rest"),
        Effect::RevealSecret => "a Secret".to_owned(),
        Effect::LoseControl => "Control is lost".to_owned(),
        Effect::Note => "as its words say".to_owned(),
    }
}

pub(crate) fn effect(at: At<'_>, on: Char, effect: Effect) -> Told {
    Told::new(format!("{}: {}.", Saying(on, at), effect_words(effect))).why(clause!("stack.lifo"))
}

pub(crate) fn alters(at: At<'_>, who: Char, symbol: Symbol, to: Option<Alteration>) -> Told {
    let (who, symbol) = (Saying(who, at), symbol.title());
    let (word, clause) = match to {
        None => ("Stable again", clause!("alteration.states")),
        Some(Alteration::Eclipsed) => ("Eclipsed", clause!("alteration.eclipsed-value")),
        Some(Alteration::Obscured) => ("Obscured", clause!("alteration.obscured")),
        Some(Alteration::Bright) => ("Bright", clause!("alteration.bright")),
        Some(Alteration::Exalted) => ("Exalted", clause!("alteration.exalted")),
    };
    Told::new(format!("The {symbol} of {who} is {word}.")).why(clause)
}

pub(crate) fn token_name(kind: TokenKind) -> String {
    let name = match kind {
        TokenKind::Lucky => "Lucky",
        TokenKind::Armor => "Armor",
        TokenKind::Power => "Power",
        TokenKind::Weak => "Weak",
        TokenKind::Vulnerable => "Vulnerable",
        TokenKind::Taunt => "Taunt",
        TokenKind::Stealth => "Stealth",
        TokenKind::Own(own) => return own.to_string(),
    };
    name.to_owned()
}

/// The clause of a kind of Token.
pub(crate) fn token_clause(kind: TokenKind) -> fracas_kernel::Clause {
    match kind {
        TokenKind::Lucky => clause!("token.lucky"),
        TokenKind::Armor => clause!("token.armor"),
        TokenKind::Power => clause!("token.power"),
        TokenKind::Weak => clause!("token.weak"),
        TokenKind::Vulnerable => clause!("token.vulnerable"),
        TokenKind::Taunt => clause!("token.taunt"),
        TokenKind::Stealth => clause!("token.stealth"),
        TokenKind::Own(_) => clause!("ext.tokens"),
    }
}

pub(crate) fn token(at: At<'_>, who: Char, kind: TokenKind, gained: bool) -> Told {
    let verb = if gained { "gains" } else { "no longer has" };
    Told::new(format!("{} {verb} a {} Token.", Saying(who, at), token_name(kind))).why(token_clause(kind))
}

pub(crate) fn over(winners: Option<Side>) -> Told {
    let told = match winners {
        Some(winners) => format!("The Clash is over: {} has won.", side(winners)),
        None => "The Clash is over.".to_owned(),
    };
    Told { opens: true, ..Told::new(told).why(clause!("ext.clash-end")) }
}

/// Who rests: everybody who is here, or some of them.
pub(crate) fn rests(at: At<'_>, who: CharSet) -> Told {
    let all = at.rules.everybody().filter(|&one| at.state.is_about(one)).all(|one| who.has(one));
    let names: Vec<String> = who.iter().map(|who| Saying(who, at).to_string()).collect();
    let told = match names.as_slice() {
        _ if all => "Everybody rests.".to_owned(),
        [one] => format!("{one} rests."),
        _ => format!("{} rest.", names.join(", ")),
    };
    Told { opens: true, ..Told::new(told).why(clause!("rest.rest")) }
}

/// What somebody learns: the whole party reads a Secret that one of theirs learns.
pub(crate) fn learns(at: At<'_>, who: Char, of: Target, secret: SecretId) -> Told {
    let (who, of) = (Saying(who, at), Saying(of, at));
    Told::new(format!("{who} learns a Secret of {of}: {}", at.rules.secret(secret).text))
        .why(clause!("study.success"))
}

/// Told to those who see the Subjugation.
pub(crate) fn subdued(at: At<'_>, who: Char, rank: Rank, cause: Label) -> Told {
    let cause = own_words(cause);
    Told::new(format!("{} is under a {} Subjugation{cause}.", Saying(who, at), Saying(rank, at)))
        .why(clause!("sub.types"))
}

/// To those who know of no Subjugation it reads as any other refusal.
pub(crate) fn forbidden(at: At<'_>, who: Char, viewer: Viewer) -> Told {
    let sees = |grip: &Grip| grip.loser == who && view::sees_grip(at, grip, viewer);
    if at.state.grips.iter().any(sees) {
        Told::new(format!("{} may not reopen the conflict that was lost.", Saying(who, at)))
            .why(clause!("sub.no-reopen"))
    } else {
        not_granted(at, who)
    }
}

pub(crate) fn not_granted(at: At<'_>, who: Char) -> Told {
    Told::new(format!("The Director grants {} nothing, and nothing is used up.", Saying(who, at)))
        .why(clause!("improv.grant"))
}

/// How many dice, those read who know what the Spell does (`persist.awareness`).
pub(crate) fn spends(at: At<'_>, caster: Char, target: Char, dice: u8, viewer: Viewer) -> Told {
    let is = |who: Char| viewer == Viewer::Seat(at.rules.sheet(who).seat);
    let told = at.state.pools.iter().any(|pool| pool.caster == caster && pool.known);
    let known = viewer.is_gm() || is(caster) || (told && is(target));
    let dice = if known { format!("{dice} dice") } else { "dice".to_owned() };
    Told::new(format!("{} spends {dice} of a Spell's pool.", Saying(caster, at)))
        .why(clause!("persist.spend"))
}

pub(crate) fn overruled() -> Told {
    Told::new("By the Director's word").why(clause!("core.atdd"))
}
