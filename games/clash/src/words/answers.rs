//! Answers, and what they lead to.

use super::*;
use crate::{
    answer::{Casting, Prompt},
    dice as numbers,
    effect::{AbilityData, Bearer},
    harm,
    rules::{MinorWp, Source},
    stack,
    state::{Frame, Kind, Made, Test},
};

/// What the lists propose where a player has words of their own.
pub(crate) const DEED: &str = "what I say";
pub(crate) const QUESTION: &str = "what is hidden";
pub(crate) const GROWTH: &str = "what I have become";
pub(crate) const REMARK: &str = "a few words";
/// Before a number, for there may be several.
pub(crate) const PROP: &str = "a thing of the scene (";

/// Words of a person, after what they are about: what the lists propose says nothing.
pub(crate) fn own_words(words: Label) -> String {
    if is_proposed(&words) { String::new() } else { format!(": {words}") }
}

/// Whether these are words that a list proposed, and nobody's own.
pub(super) fn is_proposed(words: &Label) -> bool {
    let is_number = |rest: &str| rest.strip_suffix(')').is_some_and(|n| n.parse::<u32>().is_ok());
    [UNNAMED, DEED, QUESTION, GROWTH, REMARK].contains(&words.as_str())
        || words.strip_prefix(PROP).is_some_and(is_number)
}

/// A Symbol with what it counts for somebody, where the viewer knows it: `Clock (2)`.
pub(super) fn valued(at: At<'_>, who: Char, symbol: Symbol, viewer: Viewer) -> String {
    match view::reads(at, who, viewer) {
        true => format!("{} ({})", symbol.title(), at.state.value(at.rules, who, symbol)),
        false => symbol.title().to_owned(),
    }
}

/// What a Clash is called where the Director does not say.
pub(crate) const UNNAMED: &str = "a Clash";

/// Whether an answer means nothing until its player says what they do.
pub(super) fn needs_words(answer: &Answer) -> bool {
    let words = match answer {
        Answer::Try { task: words, .. }
        | Answer::Investigate { about: words, .. }
        | Answer::Commit { idea: Some(words), .. }
        | Answer::GainMinor(words)
        | Answer::GainMajor(words)
        | Answer::Swap { gain: words, .. }
        | Answer::Narrate(words) => words,
        Answer::Dodge(_) => return true,
        _ => return false,
    };
    is_proposed(words)
}

/// An answer and what it leads to.
pub(super) fn answer(at: At<'_>, slot: Slot, answer: Answer, viewer: Viewer) -> Told {
    let prompt = Clash::ask_at(at, slot).map(|ask| ask.prompt);
    match answer {
        Answer::Pass => pass(at, prompt),
        Answer::Take if matches!(prompt, Some(Prompt::Malus(_))) => Told::new("take what is offered")
            .leads("pass or fail, a Persistent Lucky Token")
            .why(clause!("improv.malus-token")),
        Answer::Take | Answer::Convert | Answer::Deal(_) | Answer::Surrender(_) | Answer::Subdue { .. } => {
            of_harm(at, answer)
        }
        Answer::Begin { .. }
        | Answer::Scene
        | Answer::Rest
        | Answer::RestOf(_)
        | Answer::Close
        | Answer::Tempt { .. }
        | Answer::Milestone(_)
        | Answer::Peril { .. } => of_desk(at, prompt, answer),
        Answer::Settle { .. }
        | Answer::Passes
        | Answer::Fails
        | Answer::Same(_)
        | Answer::Forbid
        | Answer::Dodge(_)
        | Answer::Allow { .. }
        | Answer::Refuse
        | Answer::Commit { .. }
        | Answer::Spend(_)
        | Answer::Grant { .. }
        | Answer::Reroll => of_roll(at, prompt, answer, viewer),
        Answer::Try { .. }
        | Answer::Cast { .. }
        | Answer::Attack { .. }
        | Answer::Command { .. }
        | Answer::Study { .. }
        | Answer::Investigate { .. }
        | Answer::Control { .. }
        | Answer::PushOff { .. }
        | Answer::Generic { .. }
        | Answer::Use { .. } => of_deed(at, prompt, answer, viewer),
        _ => of_rest(at, answer, viewer),
    }
}

/// What is not done.
fn pass(at: At<'_>, prompt: Option<Prompt>) -> Told {
    match prompt {
        Some(Prompt::Dodge(_)) => Told::new("stand").leads("the Roll goes on").why(clause!("dodge.declare")),
        Some(Prompt::Aid(_)) => Told::new("nothing aids it"),
        Some(Prompt::Oppose(_)) => Told::new("nothing opposes it").leads("what is ready stays ready"),
        Some(Prompt::Malus(_)) => {
            Told::new("decline").leads("no Lucky Token").why(clause!("improv.malus-offer"))
        }
        Some(Prompt::Lucky(_)) => Told::new("let the Roll stand"),
        Some(Prompt::Carry(_)) => Told::new("that is enough").leads("no Clash begins"),
        Some(Prompt::Breath(_)) => Told::new("Activate nothing"),
        Some(Prompt::Lay(_)) => Told::new("let it fade").leads("nothing of the Spell stays"),
        Some(Prompt::Grow(_)) => Told::new("no exchange"),
        Some(Prompt::Hours(who)) => {
            let left = at.state.body(who).hours;
            Told::new("rest").leads(format!("Hours not spent are lost: {left}")).why(clause!("rest.hours"))
        }
        _ => Told::new("pass"),
    }
}

fn of_harm(at: At<'_>, answer: Answer) -> Told {
    let of = at.state.stakes();
    match answer {
        Answer::Take => {
            let Some(Frame::Blow(blow)) = at.state.frames.last() else { return Told::new("take it") };
            let body = at.state.body(blow.on);
            let left = if of == Rank::Minor { body.minor } else { body.major };
            let leads = match at.state.stands(blow.on) && left == 0 {
                true => "loses the Clash, and costs no Will Points".to_owned(),
                false => {
                    let rest = left.saturating_sub(blow.amount);
                    let carries = of == Rank::Minor && at.rules.options.minor_wp_model == MinorWp::Carries;
                    let major = body.major.saturating_sub(left - rest);
                    let major = if carries {
                        format!("; Major: {}, then {major}", body.major)
                    } else {
                        String::new()
                    };
                    let last = if rest == 0 { "; the next Damage loses the Clash" } else { "" };
                    format!("{} Will Points: {left}, then {rest}{major}{last}", Saying(of, at))
                }
            };
            Told::new(format!("take {} Damage", blow.amount)).leads(leads).why(clause!("wp.win"))
        }
        Answer::Deal(of) => {
            let Some(Frame::Blow(blow)) = at.state.frames.last() else { return Told::default() };
            let body = at.state.body(blow.on);
            let left = if of == Rank::Minor { body.minor } else { body.major };
            let of = Saying(of, at);
            Told::new(format!("it takes {of} Will Points"))
                .leads(format!("{of} Will Points: {left}, then {}", left.saturating_sub(blow.amount)))
                .why(clause!("damage-outside"))
        }
        Answer::Convert => {
            let left = match at.state.frames.last() {
                Some(Frame::Blow(blow)) => at.state.body(blow.on).major.saturating_sub(1),
                _ => 0,
            };
            Told::new("lose 1 Major Will Point instead")
                .leads(format!("the Clash goes on, with {left} Major Will Points"))
                .why(clause!("wp.convert"))
        }
        Answer::Surrender(who) => Told::new(format!("{} Surrenders", Saying(who, at)))
            .leads(format!(
                "loses the Clash at once, which costs no Will Points; a {} Subjugation follows",
                Saying(of, at)
            ))
            .why(clause!("wp.surrender")),
        Answer::Subdue { cause, aware } => Told::new(format!(
            "{cause}, {}",
            if aware { "known to the loser" } else { "not known to the loser" }
        ))
        .leads(if aware {
            "they may resist it, and risk a Death Roll"
        } else {
            "they cannot set out to resist it"
        })
        .why(clause!("sub.awareness"))
        .free("/subdue/cause"),
        _ => Told::default(),
    }
}

fn of_desk(at: At<'_>, prompt: Option<Prompt>, answer: Answer) -> Told {
    match answer {
        Answer::Begin { stakes, first, name } => {
            let leads = match prompt {
                Some(Prompt::Carry(_)) => "the dice stand, as its first Attack".to_owned(),
                _ => format!("Damage takes {} Will Points", Saying(stakes, at)),
            };
            Told::new(format!(
                "a {} Clash begins, {} first{}",
                Saying(stakes, at),
                side(first),
                own_words(name)
            ))
            .leads(leads)
            .why(clause!("clash.types"))
            .free("/begin/name")
        }
        Answer::Scene => Told::new("the Scene changes")
            .leads("what lasts a Scene ends, limits of a Scene reset, Minor Will Points are back")
            .why(clause!("scene.on-change")),
        Answer::Rest => Told::new("everybody rests")
            .leads("Will Points, slots and uses are back, Major Subjugations and Spells end")
            .why(clause!("rest.rest")),
        Answer::RestOf(who) => {
            let names: Vec<String> = who.iter().map(|who| Saying(who, at).to_string()).collect();
            Told::new(format!("these rest: {}", names.join(", ")))
                .leads("nobody else recovers")
                .why(clause!("rest-npc"))
        }
        Answer::Close => Told::new("the evening is over"),
        Answer::Tempt { by, on, with, over } => {
            let value = |who, symbol| at.state.value(at.rules, who, symbol);
            let number = numbers::temptation(value(by, with), value(on, over));
            let (by, on, with, over) = (Saying(by, at), Saying(on, at), with.title(), over.title());
            Told::new(format!("{by} tempts {on}: {with} over {over}"))
                .leads(format!("{on} rolls against {number}"))
                .why(clause!("conflict.core-symbol"))
        }
        Answer::Milestone(who) => Told::new(format!("a milestone for {}", Saying(who, at)))
            .leads("two Minor Traits or a Major one")
            .why(clause!("trait.milestone")),
        Answer::Peril { who, by, with, over } => Told::new(format!(
            "mortal peril for {}: {} over {} of {}",
            Saying(who, at),
            with.title(),
            over.title(),
            Saying(by, at)
        ))
        .leads(format!("a Death Roll against {}: failing it kills", at.rules.options.death_difficulty))
        .why(clause!("death.narrative")),
        _ => Told::default(),
    }
}

/// What an element gives: `+2 Bonus Dice: Circus strongman`.
fn gives(at: At<'_>, element: Element, against: bool) -> String {
    let dice = at.state.dice_of(at.rules, element);
    format!("+{}: {}", if against { malus(dice) } else { bonus(dice) }, Saying(element, at))
}

/// What of a Commit is brought in, in words.
pub(super) fn committed(at: At<'_>, answer: Answer) -> Vec<String> {
    let mut all: Vec<String> = answer.aids().iter().map(|element| Saying(element, at).to_string()).collect();
    if let Answer::Commit { idea: Some(idea), .. } = answer {
        all.push(if is_proposed(&idea) {
            "a Prop: a thing of the scene".to_owned()
        } else {
            idea.to_string()
        });
    }
    all
}

/// What was tried by the Roll of this number, and whether it passed: those of earlier evenings come last.
pub(super) fn made_before(at: At<'_>, n: u8) -> Option<(String, bool)> {
    let n = usize::from(n);
    match at.state.made.get(n) {
        Some(made) => Some((tried(made), made.passed)),
        None => at.rules.made.get(n - at.state.made.len()).map(|made| (made.task.to_string(), made.passed)),
    }
}

/// What was tried by a Roll: in its player's words, else by its Symbols.
pub(crate) fn tried(made: &Made) -> String {
    match is_proposed(&made.task) {
        true => format!("{} over {}", made.with.title(), made.over.title()),
        false => made.task.to_string(),
    }
}

/// Whether the Director has more to say of a Roll that is ruled on like this.
pub(super) fn asks_again(at: At<'_>, opens: Option<Rank>, let_be: bool) -> bool {
    !let_be && at.state.top_test().is_some_and(|test| test::has_more(at, test, opens))
}

fn of_roll(at: At<'_>, prompt: Option<Prompt>, answer: Answer, viewer: Viewer) -> Told {
    let Some(test) = at.state.top_test() else { return Told::new("go on") };
    let against =
        |test: &Test| format!("Difficulty {}, {}", test::difficulty(at, test), dice(test::net(at, test)));
    match answer {
        Answer::Settle { with, over, defender, harmless, bonus: given, opens, let_be } => {
            let defender = defender.unwrap_or(test.defender);
            let ruled = Test { with, over, defender, bonus: given, ..test.clone() };
            let mut leads = vec![against(&ruled)];
            if harmless {
                leads.push("no Damage".to_owned());
            }
            if given > 0 {
                leads.push(format!("{} for the question", bonus(given)));
            }
            if let Some(stakes) = opens {
                leads.push(format!("it opens a {} Clash", Saying(stakes, at)));
            }
            let kinds = ["Rapid effect", "Dodge", "offer of dice"].into_iter();
            let left: Vec<&str> = kinds
                .zip(test::is_left(at, &ruled, opens))
                .filter(|(_, is)| *is)
                .map(|(kind, _)| kind)
                .collect();
            let then = match (let_be, asks_again(at, opens, let_be)) {
                (true, _) if left.is_empty() => "",
                (true, _) => {
                    leads.push(format!(
                        "no {} of yours, unless somebody else uses something",
                        left.join(", no ")
                    ));
                    ", and you let it be"
                }
                (false, true) => {
                    leads.push(format!("you choose later: {} of yours", left.join(", ")));
                    ", and you are asked again"
                }
                (false, false) => "",
            };
            let kind = if harmless { ", as no Attack" } else { "" };
            let (with, over, of) = (with.title(), over.title(), Saying(defender, at));
            Told::new(format!("{with} over {over} of {of}{kind}{then}"))
                .leads(leads.join("; "))
                .why(clause!("roll.symbols-choice"))
        }
        Answer::Passes => Told::new("it works, without a Roll").why(clause!("roll.when-director")),
        Answer::Fails => Told::new("it cannot be done, without a Roll").why(clause!("roll.when-director")),
        Answer::Same(n) => {
            let Some((task, passed)) = made_before(at, n) else {
                return Told::new("the same Roll as before");
            };
            Told::new(format!("the same Roll as before: {task}"))
                .leads(if passed { "it can be done" } else { "it cannot be done" })
                .why(clause!("roll.permanent"))
        }
        Answer::Forbid => {
            Told::new("forbidden: it would reopen a conflict that was lost").why(clause!("sub.no-reopen"))
        }
        Answer::Refuse if matches!(prompt, Some(Prompt::Allow(_))) => Told::new("no Dodge")
            .leads("it is not used up, and the first Roll goes ahead")
            .why(clause!("dodge.allow")),
        Answer::Refuse => Told::new("not like that").leads("nothing is used up").why(clause!("core.atdd")),
        Answer::Dodge(with) => Told::new(format!("Dodge with {}", valued(at, test.defender, with, viewer)))
            .leads(match at.rules.options.dodge_damage {
                0 => "the Director allows it or not".to_owned(),
                more => format!("the Director allows it or not; if it fails, {more} Damage more"),
            })
            .why(clause!("dodge.fail")),
        Answer::Allow { with, over } => {
            let (attacker, defender) = (test.defender, test.attacker);
            let ruled = Test { with, over, attacker, defender, ..test.clone() };
            Told::new(format!("allowed: {} over {}", with.title(), over.title()))
                .leads(against(&ruled))
                .why(clause!("dodge.swap"))
        }
        Answer::Commit { idea, .. } => commits(at, (test, prompt), (answer, idea), viewer),
        Answer::Spend(n) => {
            let pool = crate::spell::pool_to_spend(at, test);
            let kind = pool.map_or(Dice::Bonus, |pool| pool.of);
            let words = |n: u8| if kind == Dice::Bonus { bonus(n) } else { malus(n) };
            let own = if test.kind == Kind::Conflict { test.over } else { test.with };
            let matches = n > 0
                && pool.is_some_and(|pool| pool.matched < 2 && at.rules.spell(pool.spell).symbol == own);
            let plain = u8::from(n == 0 && kind == Dice::Bonus);
            let leads = match n + plain + u8::from(matches) {
                0 => "nothing on the Roll".to_owned(),
                all => format!("{} on the Roll", words(all)),
            };
            Told::new(if n == 0 { "spend nothing".to_owned() } else { format!("spend {n} of the pool") })
                .leads(leads)
                .why(clause!("persist.spend"))
        }
        Answer::Grant { mark, item, idea, help, hinder, malus: offered, by, bears } => {
            let mut parts = Vec::new();
            let marks = test.aids.mark.filter(|_| mark).map(Element::Trait);
            let items = test.aids.item.filter(|_| item).map(Element::Item);
            parts.extend(marks.into_iter().chain(items).map(|element| gives(at, element, false)));
            parts.extend(test.idea.filter(|_| idea > 0).map(|name| format!("+{}: {name}", bonus(idea))));
            parts.extend(help.iter().map(|who| format!("+{}: {} helps", bonus(1), Saying(who, at))));
            parts.extend(hinder.iter().map(|who| format!("+{}: {} hinders", malus(1), Saying(who, at))));
            if offered > 0 {
                let of =
                    by.iter().map(|element| format!(", for {}", Saying(element, at))).collect::<String>();
                parts.push(format!("{} offered for a Lucky Token{of}", malus(offered)));
            }
            parts.extend(bears.iter().map(|mark| format!("{} bears on it", Saying(mark, at))));
            let told = if parts.is_empty() { "grant nothing".to_owned() } else { parts.join("; ") };
            Told::new(told).why(clause!("improv.grant"))
        }
        Answer::Reroll => Told::new("Expend a Lucky Token")
            .leads("all dice are thrown again, and the second result stands")
            .why(clause!("token.lucky")),
        _ => Told::default(),
    }
}

/// What is brought into a Roll, and the dice it gives.
fn commits(
    at: At<'_>,
    (test, prompt): (&Test, Option<Prompt>),
    (answer, idea): (Answer, Option<Label>),
    viewer: Viewer,
) -> Told {
    let against = matches!(prompt, Some(Prompt::Oppose(_)));
    let aids = answer.aids();
    let spells =
        |element: &Element| matches!(element, Element::Trait(id) if at.state.mark(*id).spell && !against);
    let mut leads: Vec<String> =
        aids.iter().filter(|element| !spells(element)).map(|element| gives(at, element, against)).collect();
    leads.extend(
        aids.iter()
            .filter(spells)
            .map(|element| format!("{}: its caster says how many dice", Saying(element, at))),
    );
    if idea.is_some() {
        leads.push("1 or 2 Bonus Dice for the Prop, once and for all".to_owned());
    }
    if at.state.clash.is_none() {
        leads.push("if the Director grants it".to_owned());
    } else if view::knows_difficulty(at, viewer) {
        let dealt: u8 =
            aids.iter().filter(|e| !spells(e)).map(|element| at.state.dice_of(at.rules, element)).sum();
        let (more, less) = if against { (0, dealt) } else { (dealt, 0) };
        let then = Test { bd: test.bd + more, md: test.md + less, ..test.clone() };
        leads.push(format!("Difficulty {}, {}", test::difficulty(at, &then), dice(test::net(at, &then))));
    }
    let verb = if at.state.clash.is_some() { "Exhaust" } else { "bring in" };
    let told = Told::new(format!("{verb} {}", committed(at, answer).join(", "))).leads(leads.join("; "));
    let told = told.why(if against { clause!("clash.defend-exhaust") } else { clause!("improv.offer") });
    if idea.is_some() { told.free("/commit/idea") } else { told }
}

/// The Spell of an answer: `, by Feint (slot of Level 3)`.
fn by_spell(at: At<'_>, cast: Option<Casting>) -> String {
    cast.map_or_else(String::new, |casting| {
        let slot = casting.slot.map_or_else(String::new, |slot| format!(" (slot of Level {slot})"));
        let lasting = if casting.lasting { ", to last" } else { "" };
        format!(", by {}{slot}{lasting}", Saying(casting.spell, at))
    })
}

/// What a Spell gives a Roll with this Symbol (`spell.bd`).
fn spell_gives(at: At<'_>, with: Symbol, cast: Option<Casting>, attack: bool) -> Option<String> {
    let data = at.rules.spell(cast?.spell);
    let dice = data.level + u8::from(data.symbol == with);
    let potential = if attack { format!(", Potential Damage {dice}") } else { String::new() };
    let slot = match data.from {
        Source::Item(_) => "a Spell Slot",
        Source::Skill(..) => "a Skill Slot",
    };
    Some(format!("+{}: {}{potential}, for {slot}", bonus(dice), data.name))
}

/// What must be told before somebody commits to an action (`death.warn`).
fn warning(at: At<'_>, who: Char, resist: bool) -> Option<&'static str> {
    match () {
        () if resist => Some("whatever comes of it, a Death Roll follows: failing that kills"),
        () if harm::is_in_mortal_danger(at, who) => Some("Damage from a subjugator would bring a Death Roll"),
        () if at.state.warned.has(who) => Some("the Director has warned of a Death Roll"),
        () => None,
    }
}

fn of_deed(at: At<'_>, prompt: Option<Prompt>, answer: Answer, viewer: Viewer) -> Told {
    let acting = match (prompt, answer) {
        (_, Answer::Try { who, .. } | Answer::Cast { who, .. } | Answer::Use { who, .. }) => who,
        (Some(Prompt::Main(who)), _) => who,
        _ => return Told::default(),
    };
    let who = Saying(acting, at);
    let valued = |symbol: Symbol| valued(at, acting, symbol, viewer);
    let mut leads: Vec<String> = Vec::new();
    let mut resists = false;
    let told = match answer {
        Answer::Try { on, with, task, cast, resist, opens, .. } => {
            resists = resist;
            let opens = match opens {
                Some(stakes) => {
                    leads.push("+1 Bonus Die; the Defender is Surprised, and a pass deals Damage".to_owned());
                    format!(", opening a {} Clash", Saying(stakes, at))
                }
                None => String::new(),
            };
            leads.push("the Director says whether it takes a Roll, and over which Symbol".to_owned());
            leads.extend(spell_gives(at, with, cast, !opens.is_empty()));
            let resist = if resist { ", resisting a Subjugation" } else { "" };
            Told::new(format!(
                "{who} tries something, with {} over {}{}{opens}{resist}{}",
                valued(with),
                Saying(on, at),
                by_spell(at, cast),
                own_words(task)
            ))
            .why(if resists { clause!("sub.resist") } else { clause!("roll.when") })
            .free("/try/task")
        }
        Answer::Cast { on, casting, task, .. } => {
            let data = at.rules.spell(casting.spell);
            if casting.lasting {
                leads.push(format!("a Spell Trait, with a pool of {} dice", 2 * data.level));
                if at.state.concentration(acting).is_some() {
                    leads.push("the Spell they Concentrate on ends".to_owned());
                }
            }
            if at.state.clash.is_some() {
                leads.push("for the Action".to_owned());
            }
            let on = if on == acting { "themself".to_owned() } else { Saying(on, at).to_string() };
            let lasting = if casting.lasting { ", to last" } else { "" };
            let effect = task.map_or_else(String::new, own_words);
            let told =
                Told::new(format!("{who} uses {} on {on}{lasting}, without a Roll{effect}", data.name))
                    .why(clause!("spell.no-roll"));
            if task.is_some() { told.free("/cast/task") } else { told }
        }
        Answer::Attack { on, with, cast, resist } => {
            resists = resist;
            let base = at.rules.sheet(acting).base_damage;
            if cast.is_none() && view::reads(at, acting, viewer) {
                leads.push(format!("a pass deals {base} Damage"));
            }
            leads.extend(spell_gives(at, with, cast, true));
            let resist = if resist { ", resisting a Subjugation" } else { "" };
            Told::new(format!(
                "attack {}, with {}{}{resist}",
                Saying(on, at),
                valued(with),
                by_spell(at, cast)
            ))
            .why(clause!("attack.roll"))
        }
        Answer::Command { extra, on, with } => {
            leads.push("for the Action of their Controller".to_owned());
            let with = self::valued(at, extra, with, viewer);
            Told::new(format!("{} attacks {}, with {with}", Saying(extra, at), Saying(on, at)))
                .why(clause!("extra.what"))
        }
        Answer::Study { on, with, cast } => {
            leads.push("a pass learns a Secret, or that none is left".to_owned());
            leads.extend(spell_gives(at, with, cast, false));
            Told::new(format!("study {}, with {}{}", Saying(on, at), valued(with), by_spell(at, cast)))
                .why(clause!("study.action"))
        }
        Answer::Investigate { on, with, about, cast } => {
            leads.push(
                "up to 2 Bonus Dice for the question; a pass learns a Secret that answers it".to_owned(),
            );
            leads.extend(spell_gives(at, with, cast, false));
            Told::new(format!(
                "investigate {}, with {}{}{}",
                Saying(on, at),
                valued(with),
                by_spell(at, cast),
                own_words(about)
            ))
            .why(clause!("study.investigate"))
            .free("/investigate/about")
        }
        Answer::Control { prop, with, from, cast } => {
            let from = from.map_or_else(String::new, |from| format!(", from {}", Saying(from, at)));
            leads.extend(spell_gives(at, with, cast, false));
            Told::new(format!(
                "take Control of {}{from}, with {}{}",
                Saying(prop, at),
                valued(with),
                by_spell(at, cast)
            ))
            .why(clause!("action.control"))
        }
        Answer::PushOff { prop, whom, with, cast } => {
            leads.extend(spell_gives(at, with, cast, false));
            Told::new(format!(
                "push {} off {}, with {}{}",
                Saying(whom, at),
                Saying(prop, at),
                valued(with),
                by_spell(at, cast)
            ))
            .why(clause!("prop.pushoff-action"))
        }
        Answer::Generic { on, with, task, cast, resist } => {
            resists = resist;
            leads.push("no Damage by itself".to_owned());
            leads.extend(spell_gives(at, with, cast, false));
            Told::new(format!(
                "another Roll over {}, with {}{}{}{}",
                Saying(on, at),
                valued(with),
                by_spell(at, cast),
                if resist { ", resisting a Subjugation" } else { "" },
                own_words(task)
            ))
            .why(clause!("action.generic"))
            .free("/generic/task")
        }
        Answer::Use { who: who_uses, ability, on, pay } => {
            let data = at.rules.ability(ability);
            let on = match on {
                Some(on) => format!(" on {}", Saying(on, at)),
                // Of a Roll it is not plain whose.
                None if matches!(data.aim, Aim::Acting | Aim::Target) => {
                    format!(" on {}", Saying(stack::subject(at, who_uses, ability, None), at))
                }
                None => String::new(),
            };
            leads.push(ability_words(data));
            leads.extend(pay.iter().map(|element| format!("Exhausts {}", Saying(element, at))));
            Told::new(format!("{who}: {}{on}", Saying(ability, at))).why(clause!("stack.window"))
        }
        _ => Told::default(),
    };
    let deadly = !matches!(answer, Answer::Use { .. } | Answer::Cast { .. });
    if let Some(warning) = warning(at, acting, resists).filter(|_| deadly) {
        leads.push(warning.to_owned());
        let told = Told { clause: Some(clause!("death.warn")), ..told };
        return told.leads(leads.join("; "));
    }
    told.leads(leads.join("; "))
}

/// What an ability does and costs, in short.
pub(crate) fn ability_words(data: &AbilityData) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !data.text.is_empty() {
        parts.push(data.text.clone());
    }
    let effects: Vec<String> =
        data.effects.iter().filter(|e| **e != Effect::Note).map(|&effect| effect_words(effect)).collect();
    if !effects.is_empty() {
        parts.push(effects.join(", "));
    }
    let mut costs: Vec<String> = Vec::new();
    let cost = data.cost;
    costs.extend(cost.action.then(|| "an Action".to_owned()));
    costs.extend(cost.reaction.then(|| "a Reaction".to_owned()));
    costs.extend((cost.focus > 0).then(|| format!("{} Focus", cost.focus)));
    costs.extend(cost.exhaust.then(|| "Exhausts itself".to_owned()));
    costs.extend(cost.limit.map(|limit| format!("once a {limit}")));
    if !costs.is_empty() {
        parts.push(format!("for {}", costs.join(", ")));
    }
    let unreactable = if data.unreactable { ", Unreactable" } else { "" };
    parts.push(format!("{}{unreactable}", data.timing));
    parts.join("; ")
}

/// What an element is good for once it is Active: dice, Focus, Spells, and abilities with their costs.
fn opens(at: At<'_>, element: Element, viewer: Viewer) -> String {
    let dice = bonus(at.state.dice_of(at.rules, element));
    let focus = at.state.focus_value(at.rules, element);
    let mut parts = vec![format!("{dice} on a Roll; Focus Value {focus}")];
    let cost = at.state.activation_cost(at.rules, element);
    if cost > 0 {
        parts.push(format!("needs {cost} Focus that is Active, and spends none"));
    }
    if let Element::Item(item) = element {
        let spells = at.rules.every_spell().filter(|&spell| {
            at.rules.spell(spell).from == Source::Item(item) && view::knows_spell(at, spell, viewer)
        });
        let spells: Vec<String> = spells.map(|spell| Saying(spell, at).to_string()).collect();
        if !spells.is_empty() {
            parts.push(format!("Spells: {}", spells.join(", ")));
        }
        let abilities = at.rules.every_ability().filter(|&ability| {
            at.rules.ability(ability).on == Bearer::Item(item) && view::knows_ability(at, ability, viewer)
        });
        parts.extend(abilities.map(|ability| {
            let data = at.rules.ability(ability);
            format!("{} ({})", data.name, ability_words(data))
        }));
    }
    parts.join("; ")
}

/// The rest: turns, Clash Props, Secrets, Spells, growth.
fn of_rest(at: At<'_>, answer: Answer, viewer: Viewer) -> Told {
    match answer {
        Answer::Next(who) => {
            Told::new(format!("{} goes next", Saying(who, at))).why(clause!("clash.pick-order"))
        }
        Answer::Activate(element) => Told::new(format!("Activate {}", Saying(element, at)))
            .leads(opens(at, element, viewer))
            .why(clause!("turn.activate-choice")),
        Answer::Explain(who) => Told::new(format!("{} tells what the Spell does", Saying(who, at)))
            .leads("its target knows from now on")
            .why(clause!("persist.awareness")),
        Answer::Drop(who) => {
            let spell = at.state.concentration(who).map(|pool| pool.spell);
            let spell = spell.map_or_else(String::new, |spell| format!(" on {}", Saying(spell, at)));
            let own = at.state.turn().is_none_or(|turn| turn == who);
            Told::new(format!("{} no longer Concentrates{spell}", Saying(who, at)))
                .leads(if own { "the Spell ends" } else { "the Spell ends; it costs the Reaction" })
                .why(clause!("conc.drop"))
        }
        Answer::LetGo { who, prop } => {
            Told::new(format!("{} lets go of {}", Saying(who, at), Saying(prop, at)))
                .why(clause!("control-release"))
        }
        Answer::Narrate(words) => Told::new(format!("say or do, without rules: {words}"))
            .leads("it changes nothing")
            .why(clause!("narr.no-mechanics"))
            .free("/narrate"),
        Answer::End => Told::new("end the turn").why(clause!("turn.end")),
        Answer::EndClash => Told::new("break the Clash off")
            .leads("nobody wins; who lost already is Subjugated, and who stands has lost nothing")
            .why(clause!("ext.clash-end")),
        Answer::First(ability) => Told::new(format!("{} goes on the Stack next", Saying(ability, at)))
            .leads("what goes on later resolves first")
            .why(clause!("trigger.own-order")),
        Answer::NoMatch => Told::new("no Secret answers the question").why(clause!("study.investigate-miss")),
        Answer::Push => Told::new("push them off").why(clause!("prop.control-gain")),
        Answer::Learn(secret) => Told::new(format!("they learn: {}", at.rules.secret(secret).text))
            .why(clause!("study.investigate-hit")),
        Answer::Lay { words, dice } => {
            let kind = if dice == Dice::Bonus { "Bonus Dice" } else { "Malus Dice" };
            let level = match at.state.frames.last() {
                Some(Frame::Lay { spell, .. }) => at.rules.spell(*spell).level,
                _ => 0,
            };
            Told::new(format!("as the Trait {words}, with {kind}"))
                .leads(format!("a pool of {} {kind}", 2 * level))
                .why(clause!("persist.pool"))
                .free("/lay/words")
        }
        Answer::GainMinor(name) => {
            let halfway = at.state.growing.first().is_some_and(|growth| growth.halfway);
            Told::new(format!("a Minor Trait: {name}"))
                .leads(if halfway { "2 exchanges besides" } else { "then a second one, and 2 exchanges" })
                .why(clause!("trait.milestone"))
                .free("/gain-minor")
        }
        Answer::GainMajor(name) => Told::new(format!("a Major Trait: {name}"))
            .leads("1 exchange besides")
            .why(clause!("trait.milestone"))
            .free("/gain-major"),
        Answer::Swap { give, gain } => Told::new(format!("{gain} for {}", Saying(give, at)))
            .why(clause!("trait.swap"))
            .free("/swap/gain"),
        Answer::Activity(activity) => {
            let data = &at.rules.activities[activity.index()];
            let effects: Vec<String> = data.effects.iter().map(|&effect| effect_words(effect)).collect();
            let plural = if data.hours == 1 { "Hour" } else { "Hours" };
            Told::new(data.name.clone())
                .leads(format!("{} {plural}; {}", data.hours, effects.join(", ")))
                .why(clause!("rest.hours"))
        }
        _ => Told::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::Shown,
        state::Step,
        view::tests::{FOE, table},
    };
    use fracas_kernel::Seat;

    const GM: Viewer = Viewer::Seat(Seat::Gm);
    const ANA: Viewer = Viewer::Seat(Seat::Player(0));

    #[test]
    fn a_symbol_stands_with_its_value_for_those_who_read_the_sheet() {
        let (rules, state) = table("");
        let at = At { rules: &rules, state: &state };
        let value = state.value(&rules, Char(0), Symbol::Edge);
        for who in [ANA, Viewer::Seat(Seat::Player(1)), Viewer::Spectator, GM] {
            assert_eq!(valued(at, Char(0), Symbol::Edge, who), format!("Edge ({value})"));
        }
        assert_eq!(valued(at, FOE, Symbol::Edge, ANA), "Edge");
        assert_eq!(valued(at, FOE, Symbol::Edge, GM), "Edge (0)");
    }

    #[test]
    fn the_director_reads_whom_an_answer_is_about() {
        let (rules, state) = table("");
        let (hero, with, over) = (Char(0), Symbol::Edge, Symbol::Clock);
        let number = numbers::temptation(0, state.value(&rules, hero, over));
        for (answer, text, leads) in [
            (
                Answer::RestOf([hero, FOE].into_iter().collect()),
                "these rest: Hero, Foe",
                "nobody else recovers".to_owned(),
            ),
            (Answer::Milestone(hero), "a milestone for Hero", "two Minor Traits or a Major one".to_owned()),
            (
                Answer::Tempt { by: FOE, on: hero, with, over },
                "Foe tempts Hero: Edge over Clock",
                format!("Hero rolls against {number}"),
            ),
            (
                Answer::Peril { who: hero, by: FOE, with, over },
                "mortal peril for Hero: Edge over Clock of Foe",
                format!("a Death Roll against {}: failing it kills", rules.options.death_difficulty),
            ),
        ] {
            let told = Clash::answer(&rules, &state, Slot(0), &answer, GM);
            assert_eq!((told.text.as_str(), told.leads), (text, leads));
        }
    }

    /// Foe attacks Hero: what Hero's player is told before a Dodge.
    fn before_a_dodge(shown: Shown, potential: u8, who: Viewer) -> String {
        let (mut rules, mut state) = table("");
        rules.options.difficulty_shown = shown;
        let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, Side::Foes, "a brawl".parse().expect("a label"));
        let mut test = test::new(Kind::Attack, FOE, Target::Char(Char(0)), Char(0), Symbol::Edge);
        (test.step, test.over, test.mods.potential) = (Step::Dodge, Symbol::Clock, potential);
        state.frames.push(Frame::Test(test));
        Clash::ask(&rules, &state, Slot(0), who).leads
    }

    #[test]
    fn what_comes_is_told_before_a_dodge_as_far_as_it_is_known() {
        let hard = {
            let (rules, state) = table("");
            11 + state.value(&rules, Char(0), Symbol::Clock)
        };
        let told = |shown, potential| before_a_dodge(shown, potential, ANA);
        let roll = format!("Edge over Clock: Difficulty {hard}, the Base Die alone");
        assert_eq!(told(Shown::Difficulty, 0), format!("{roll}; a pass deals Damage"));
        assert_eq!(told(Shown::Difficulty, 3), format!("{roll}; Potential Damage 3"));
        assert_eq!(told(Shown::Nothing, 0), "Edge over Clock: the Base Die alone; a pass deals Damage");
        let gm = before_a_dodge(Shown::Nothing, 3, GM);
        assert_eq!(gm, format!("{roll}; a pass deals 1 to 3 Damage, as it has Success Dice"));
    }

    #[test]
    fn what_is_activated_says_what_it_costs_and_opens() {
        let (mut rules, state) = table("");
        let bell = Element::Item(Item(0));
        rules.items[0].cost = 2;
        let at = At { rules: &rules, state: &state };
        let told = opens(at, bell, GM);
        let (dice, cost) =
            ("1 Bonus Die on a Roll; Focus Value 1", "needs 2 Focus that is Active, and spends none");
        assert!(told.starts_with(dice) && told.contains(cost) && told.contains("Toll (it tolls; "), "{told}");
        assert!(!opens(at, bell, ANA).contains("Toll"), "nobody of the players has met it");
    }

    #[test]
    fn a_spell_that_players_do_not_know_of_is_not_mentioned() {
        let (mut rules, mut state) = table("");
        rules.spells[0].from = Source::Skill(FOE, Rank::Minor);
        let mut test = crate::test::new(Kind::Attack, FOE, Target::Char(Char(0)), Char(0), Symbol::Edge);
        test.cast = crate::spell::cast(
            At { rules: &rules, state: &state },
            Casting { spell: Spell(0), slot: Some(1), lasting: false },
        );
        assert!(test.cast.is_some());
        let said = |state: &State, who| super::super::cast(At { rules: &rules, state }, &test, who);
        assert_eq!(said(&state, GM), format!(" and {}", rules.spells[0].name));
        assert_eq!(said(&state, ANA), "");
        state.shown_spells |= 1;
        assert_eq!(said(&state, ANA), said(&state, GM));
    }

    fn brawl(play: &mut crate::Play<'_, Vec<Event>>, name: &str) {
        crate::clash::begin(play, Rank::Minor, Side::Party, name.parse().expect("a label"));
    }

    #[test]
    fn the_end_says_who_won_and_who_lost() {
        for (winners, name, says) in [
            (Some(Side::Party), "a brawl", "The party won the last Clash: a brawl."),
            (Some(Side::Party), UNNAMED, "The party won the last Clash."),
            (None, "a brawl", "Nobody won the last Clash: a brawl."),
        ] {
            let (rules, mut state) = table("");
            assert_eq!(Clash::ending(&rules, &state, ANA).result(), None, "there was no Clash");
            let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
            brawl(&mut play, name);
            play.state.body_mut(FOE).lost = winners.is_some();
            crate::clash::end(&mut play, winners);
            play.state.over = true;
            let ending = Clash::ending(&rules, &state, ANA);
            assert_eq!(ending.result(), Some(says));
            let lost: Vec<&str> = ending.fallen.iter().map(|fared| fared.name.as_str()).collect();
            assert_eq!(lost, if winners.is_some() { &["Foe"][..] } else { &[] });
        }
    }

    #[test]
    fn words_that_a_list_proposes_are_not_told() {
        let (rules, state) = table("");
        let told = |event: Event| Clash::event(&rules, &state, &event, ANA).unwrap_or_default().text;
        let (hero, with) = (Char(0), Symbol::Edge);
        for (words, begins, tries) in [
            (UNNAMED, "A Minor Clash begins. The Director goes first.", ""),
            ("what I say", "", "Hero tries something, with Edge over Foe."),
            ("a brawl", "A Minor Clash begins: a brawl. The Director goes first.", ""),
            ("climb", "", "Hero tries something, with Edge over Foe: climb."),
        ] {
            let name = words.parse().expect("a label");
            let (begun, tried) = (
                told(Event::Begins { stakes: Rank::Minor, first: Side::Foes, name }),
                told(Event::Tries { who: hero, on: Target::Char(FOE), with, task: name }),
            );
            assert!(begins.is_empty() || begun == begins, "{begun}");
            assert!(tries.is_empty() || tried == tries, "{tried}");
        }
    }

    #[test]
    fn who_lets_a_roll_be_is_asked_only_what_opposes_it() {
        for let_be in [true, false] {
            let (rules, mut state) = table("");
            let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
            brawl(&mut play, "a brawl");
            let card = play.state.elements_of(FOE).next().expect("a Trait");
            play.state.turn_card(card, crate::state::Card::Ready);
            let mut test = test::new(Kind::Attack, Char(0), Target::Char(FOE), FOE, Symbol::Edge);
            (test.step, test.let_be) = (Step::Grant, let_be);
            play.state.frames.push(Frame::Test(test));
            while let Some(step) = play.state.top_test().map(|test| test.step).filter(|&s| s != Step::Oppose)
            {
                assert!(test::goes_on(&mut play, step), "{step:?} asks");
            }
            let told = Clash::ask(&rules, &state, Slot(0), GM);
            assert_eq!(told.leads.contains("Foe has something ready"), let_be, "{}", told.leads);
            assert_eq!(told.text.contains("grant"), !let_be, "{}", told.text);
            let mut grants = false;
            <Clash as fracas_kernel::Game>::legal(&rules, &state, Slot(0), &mut |answer| {
                grants |= matches!(answer, Answer::Grant { .. });
            });
            assert_eq!(grants, !let_be);
        }
    }
}
