//! What happened, each with the clause that caused it, and how it is told.

use crate::answer::{Deed, MAX_GROUP};
use crate::state::{Cause, Fate, Pool};
use crate::words::{
    deed_words, dice_words, favor_words, mark_clause, marked_words, name, names, result_words, signed,
    threat_clause, truth_only, verb,
};
use crate::{At, JudgeTwo, view::knows_pl, vocab::*};
use fracas_kernel::{Clause, Happened, Told, Viewer, events, refer_to_nothing, says};
use serde::Serialize;

events! {
    /// What happened.
    pub enum Event of JudgeTwo, telling (at, viewer);

    "round" Round(pub round: u16) => opens(clause!("round.complete"), "Round {round} begins.");
    "turn" Turn(pub who: CharSet) => opens(
        if who.len() > 1 { clause!("group.simultaneous") } else { clause!("turn.once-per-round") },
        "{who} {takes} the turn.", takes = verb(who, "takes", "take"));
    "passed" Passed(pub who: Char) => says(clause!("conflict.pass"), "{who} passes.");
    "deed" Deed { pub who: Char, deed: Deed } =>
        says(deed_clause(deed), "{who} {does}.", does = deed_words(at.rules, deed));
    "deed-refused" DeedRefused { pub who: Char, deed: Deed } =>
        says(clause!("deed.confirm"), "{who} {does}: that cannot be done; another deed may be.",
            does = deed_words(at.rules, deed));
    "ruled-test" RuledTest { pub who: Char, deed: Deed, long: bool } =>
        works(clause!("deed.confirm"), "{who} {does}: that takes {kind}.",
            does = deed_words(at.rules, deed),
            kind = if long { "a long test: an intervention first, then the roll" } else { "a test" });
    "test" Test { pub who: CharSet, pub against: Option<Char> } => says(
        if who.len() > 1 { clause!("group.size") } else { clause!("test.steps") },
        "{who} {tests}{whom}.", tests = verb(who, "tests", "test"),
        whom = against.map_or(String::new(), |other| format!(" against {}", at.rules.name(other))));
    /// `fallback` is on a misdirector whom nothing else could reach.
    "attack" Attack { pub by: CharSet, pub on: Char, pub form: Form, veiled: bool, fallback: bool } => says(
        match (veiled, fallback) {
            (_, true) => clause!("threat.misdirect-fallback"),
            (true, _) => clause!("veiled.declare"),
            _ if by.len() > 1 => clause!("gattack.as-group"),
            _ => clause!("attack.definition"),
        },
        "{by} {attacks} {on}{how} ({form}).", attacks = verb(by, "attacks", "attack"),
        how = match (veiled, fallback) {
            (true, _) => ", veiled",
            (_, true) => ", misdirected as they are",
            _ => "",
        });
    "called" Called(pub who: Char) => says(clause!("cl.assign"), "{who} is called on to test.");
    /// The terms of a test: the challenge level before circumstances, 0 between players, and the
    /// surroundings. `from` is whose power level it is.
    "settled" Settled { pub who: CharSet, cl: i8, favor: i8, from: Option<Char> } => works(
        match from {
            Some(_) => clause!("cl.npc-pl"),
            None if cl == 0 => clause!("pvp.attack"),
            None => clause!("cl.assign"),
        },
        "{who} against {level}{surroundings}.",
        level = match from {
            Some(npc) if !knows_pl(at, npc, viewer) => "a hidden challenge level".to_owned(),
            _ if cl == 0 => "the defender's save".to_owned(),
            _ => format!("challenge level {cl}"),
        },
        surroundings = if favor == 0 { String::new() } else { format!(", {}", favor_words(favor)) });
    "refused" Refused(pub who: Char) =>
        says(clause!("conflict.other-test-gm"), "That cannot be done so: {who} does something else.");
    "not-joined" NotJoined(pub who: Char) => works(clause!("group.eligible"), "{who} does not join.");
    "ability" Ability { pub who: Char, pub ability: Ability, cost: u8 } =>
        says(clause!("risk.at-cap-voluntary"), "{who} uses {ability}{price}.",
            price = if cost == 0 { String::new() } else { format!(" for {cost} risk") });
    "long" Long(pub who: CharSet) =>
        works(clause!("roll.long"), "A long test: the gamemaster intervenes before {who} can roll.");
    "fell-away" FellAway(pub who: Char) =>
        says(clause!("long-actor-removed"), "What {who} set out to do is no longer possible.");
    /// Who threatened these is gone, or cannot do so any more.
    "averted" Averted(pub who: CharSet) =>
        says(clause!("overtaken"), "The danger to {who} comes to nothing.");
    "guards" Guards { pub who: Char, pub on: Char, pub risk: u8 } =>
        says(clause!("guard.cost"), "{who} guards {on} (risk {risk}).");
    "rolled" Rolled { pub who: CharSet, dice: Pool, kind: RollKind } =>
        works(roll_clause(who, kind), "{who} {rolls}{how}: {faces}{falls}.",
            rolls = verb(who, "rolls", "roll"), faces = dice_words(dice.dice()),
            how = match kind { RollKind::Bold => " boldly", RollKind::Faint => " faintly", _ => "" },
            falls = if kind == RollKind::Faint { ", the highest falling away" } else { "" });
    /// Final Light `fl` and the signed `degree`. `from` is whose power level the challenge level is;
    /// what is `open`, between players, is compared with nothing yet.
    "judged" Judged {
        pub who: Char, pub light: u8, pub truth: u8, fl: i8, degree: i8, save: bool, from: Option<Char>,
        open: bool,
    } => works(
        match degree {
            _ if open => clause!("pvp.attack"),
            0.. => clause!("outcome.success"),
            _ => clause!("outcome.failure"),
        },
        "{who}: Light {light}, Truth {truth}; {result}.",
        result = if open {
            format!("final Light {fl}, {}", truth_only(truth))
        } else if from.is_some_and(|npc| !knows_pl(at, npc, viewer)) {
            format!("final Light {fl}: {} {}", truth_only(truth), end_words(degree))
        } else {
            format!("{}{}", if save { "save: " } else { "" }, result_words(degree, truth))
        });
    /// Signed degrees, one for each member, and their sum; `from` is whose power level the
    /// challenge level is.
    "group-judged" GroupJudged {
        pub who: CharSet, pub truth: u8, degrees: Degrees, total: i8, from: Option<Char>,
    } => works(clause!("group.total"), "{who}: Truth {truth}; {result}.",
        result = if from.is_some_and(|npc| !knows_pl(at, npc, viewer)) {
            format!("{} {}", truth_only(truth), end_words(total))
        } else {
            let each = who.iter().zip(degrees.iter());
            let each: Vec<_> = each.map(|(c, d)| format!("{} {}", at.rules.name(c), signed(d))).collect();
            format!("{} in all ({})", result_words(total, truth), each.join(", "))
        });
    /// The final degree of an attack; by nobody where it is the environment's.
    "hit" Hit { pub by: Option<Char>, pub on: Char, degree: i8, veiled: bool } =>
        told(hit_told(at, viewer, (by, on), degree, veiled));
    "thwarted" Thwarted { pub by: Option<Char>, pub on: Char, veiled: bool } => says(
        if veiled { clause!("veiled.failure") } else { clause!("attack.defender") }, "{on} thwarts {by}.");
    /// `veiled` on a player's character, by whom is hidden.
    "risk" Risk { pub who: Char, pub amount: u8, pub now: u8, veiled: bool } => works(
        if now == 12 { clause!("risk.cap") } else { clause!("health.pool") },
        "{who}: {amount} risk (now {now}).");
    "no-risk" NoRisk(pub who: Char) => works(
        if is_brute(at, who) { clause!("brute.no-risk") } else { clause!("nemesis.omen") },
        "No risk can be imposed on {who}.");
    /// A hit, or what spreads from one, imposes nothing on this one; or a fright does not.
    "unaffected" Unaffected { pub who: Char, #[serde(rename = "clause")] why: Clause } =>
        says(why, "Nothing comes of it for {who}.");
    /// `item` is what a disarm stripped.
    "threat" Threat {
        pub by: Option<Char>, pub on: Char, threat: Threat, item: Option<Prize>, #[serde(skip)] cause: Cause,
    } => says(
        if cause == Cause::Guard { clause!("guard.fail") } else { threat_clause(threat) },
        "{by} {does} {on}{of}.",
        does = match (threat, item) {
            (Threat::Disarm, Some(Prize::Composure)) => "strips",
            (Threat::Disarm, _) => "disarms",
            (Threat::Entangle, _) => "entangles",
            (Threat::Misdirect, _) => "misdirects",
            (Threat::Weaken, _) => "weakens",
        },
        of = match (threat, item) {
            (Threat::Disarm, Some(Prize::Thing(item))) => format!(" of {}", at.rules.gear(item).name),
            (Threat::Disarm, Some(Prize::Composure)) => " of composure".to_owned(),
            _ => String::new(),
        });
    /// A brute was beyond the spread of a threat.
    "beyond" Beyond(pub who: Char) => says(clause!("brute.spread-legal"), "{who} is beyond it.");
    "mark" Mark { pub by: Option<Char>, pub on: Char, pub mark: Mark } =>
        says(mark_clause(mark), "{on} is {marked} by {by}.", marked = marked_words(mark));
    "critical" Critical(pub who: Char) => says(clause!("risk.critical"), "{who} is in a critical state.");
    "riven" Riven(pub who: Char) =>
        says(clause!("riven.trigger"), "{who} is riven: glowing manna spills for all to see.");
    "finished" Finished { by: Option<Char>, pub who: Char, finisher: Finisher } => says(
        if is_brute(at, who) { clause!("brute.choice") } else { finisher_clause(finisher) },
        "{who} is {how} by {by}.", how = finished_words(finisher));
    "died" Died(pub who: Char) => says(clause!("death.confirm"), "{who} dies.");
    "spared" Spared(pub who: Char) => says(clause!("death.confirm"), "{who} lives, out of this conflict.");
    "counter" Counter { pub by: Char, pub on: Char } =>
        says(clause!("counter.when"), "{by} counterattacks {on}.");
    "ended" Ended { pub who: Char, threat: Threat, #[serde(rename = "clause")] why: Clause } =>
        works(why, "{who} is {free}.", free = match threat {
            Threat::Disarm => "disarmed no more",
            Threat::Entangle => "free of the bind",
            Threat::Misdirect => "misdirected no more",
            Threat::Weaken => "weakened no more",
        });
    /// Somebody stricken.
    "released" Released(pub who: Char) => works(
        if at.rules.is_pc(who) { clause!("mark.stricken-pc") } else { clause!("mark.stricken-npc") },
        "{who} may attack again this round.");
    "aware" Aware { pub who: Char, pub of: Char } => says(clause!("veiled.failure"), "{who} notices {of}.");
    "omen" Omen { pub who: Char, met: bool } => works(
        if met { clause!("nemesis.omen") } else { clause!("nemesis.omen-lapse") },
        "The omen of {who} is {now}.",
        now = if met { "met: risk can be imposed" } else { "not met: its risk counts for nothing" });
    /// `opening` opens a long test.
    "intervention" pub Intervention { opening: bool, #[serde(rename = "clause")] why: Clause } =>
        opens(why, "The gamemaster intervenes{first}.", first = if opening { " first" } else { "" });
    /// An intervention without a save.
    "told" pub Told(turnabout: Turnabout) => told(match turnabout {
        Turnabout::Challenge => Told::new("A new challenge arises.").why(clause!("intervene.challenge")),
        Turnabout::Compromise =>
            Told::new("What was achieved is partly spoilt.").why(clause!("intervene.compromise")),
        Turnabout::Other => Told::new("Things take a turn.").why(clause!("intervene.kind")),
    });
    /// A character was given a turn and has shown it.
    "npc-turn" NpcTurn(pub npc: Char) => says(clause!("npc.turn"), "{npc} acts.");
    "npc-done" NpcDone(pub npc: Char) =>
        works(clause!("npc.turn"), "{npc} does nothing that calls for a save.");
    /// A character was given a turn that the players cannot see.
    "lurks" Lurks(npc: Char) => works(clause!("npc.turn"), "{npc} is given a turn.");
    /// Saves are called for, from harm in this form.
    "danger" Danger { pub who: CharSet, pub by: Option<Char>, veiled: bool, form: Option<Form> } =>
        told(danger_told(at, viewer, (by, who), veiled, form));
    /// The challenge level with circumstances; `from` is whose power level it is.
    "terms" Terms { pub who: CharSet, cl: i8, from: Option<Char>, veiled: bool } =>
        works(clause!("save.as-test"), "{who} must save against {level}.", level = match from {
            Some(npc) if !knows_pl(at, npc, viewer) => "a hidden level".to_owned(),
            _ => format!("CL {cl}"),
        });
    "essence" Essence { pub who: Char, pub essence: Essence } =>
        works(clause!("save.essence-choice"), "{who} saves with {essence}.");
    "conflict" Conflict(pub form: Form) => opens(clause!("conflict.forms"), "A {form} conflict begins.");
    "peace" pub Peace => opens(clause!("threats-at-scene-end"), "The conflict is over.");
    "scene-end" pub SceneEnd => opens(clause!("boon.duration"), "The scene ends.");
    "scene-begins" pub SceneBegins => opens(clause!("rest.between-scenes"), "A new scene begins.");
    "returns" Returns(pub who: Char) => says(clause!("finisher-lasts"), "{who} takes part again.");
    /// Somebody fading was saved from it, by a rest or by care.
    "kept" Kept { pub who: Char, rest: Option<Rest> } => works(
        if rest.is_some() { clause!("death-fade-time") } else { clause!("death.medical") },
        "{who} is {kept}.", kept = match rest {
            Some(rest) => format!("saved from fading by a {rest} rest"),
            None => "tended in time".to_owned(),
        });
    "rested" Rested { pub who: Char, pub rest: Rest } =>
        says(rest_clause(rest), "{who} takes a {rest} rest: no risk is left.");
    "recovered" Recovered { pub who: Char, pub mark: Mark, rest: Rest } =>
        works(rest_clause(rest), "{who} recovers from {mark}.");
    /// What burdens one of the gamemaster's characters may be a disguise.
    "burdened" Burdened { pub who: Char, #[serde(rename = "clause")] why: Clause } => works(
        if at.rules.is_pc(who) || viewer.is_gm() { why } else { clause!("burdened.npc") },
        "{who} is burdened: {next}.",
        next = if at.rules.is_pc(who) {
            "the next attack is a long test"
        } else {
            "saves against the next attack are quick"
        });
    "unburdened" Unburdened(pub who: Char) =>
        works(clause!("burdened.ends"), "{who} is burdened no more.");
    "dislodged" Dislodged(pub who: Char) => says(clause!("weaken.dislodge"), "{who} is knocked off.");
    "difficult" Difficult(pub who: CharSet) =>
        says(clause!("move.terrain"), "{who} {goes} through difficult terrain.",
            goes = verb(who, "goes", "go"));
    /// Somebody sets out on a longer move before an attack.
    "sets" Sets { pub who: Char, pub on: Char, moves: Moves } => says(
        if at.rules.is_pc(who) { clause!("move.long") } else { clause!("move.npc") }, "{who} {goes} {on}.",
        goes = match moves { Moves::In => "moves up to", Moves::Out => "steps back from" });
    "moved" Moved { pub who: Char, pub toward: Char, pub band: Band } =>
        says(clause!("move.beyond-near"), "{who} comes nearer to {toward}: {band}.");
    "thrown" Thrown { pub item: Item, counter: bool } => says(
        if counter { clause!("martial.throw-counter") } else { clause!("martial.throw") },
        "{item} is thrown.");
    "drew" Drew { pub who: Char, pub script: Item } =>
        says(clause!("script.draw-ready"), "{who} draws {script}.");
    "puts-away" PutsAway { pub who: Char, pub item: Item } =>
        says(clause!("boon.duration"), "{who} puts {item} away.");
    "drops" Drops { pub who: Char, pub item: Item } =>
        says(clause!("martial.finisher-surrender"), "{who} drops {item}.");
    /// Something that an unseen character had is in another's hands now, or lies about again.
    "loses" Loses { pub who: Char, pub item: Item } =>
        says(clause!("unseen-acts"), "{who} has {item} no more.");
    /// `who` had it, or had it last.
    "lapsed" Lapsed { who: Char, pub script: Item } =>
        works(clause!("script.end"), "{script} is in play no more.");
    "composure" Composure { pub who: Char, has: bool, #[serde(rename = "clause")] why: Clause } =>
        says(why, "{who} {composed}.", composed = if has { "is composed again" } else { "loses composure" });
    /// A finisher whose conditions do not hold did not take.
    "withstands" Withstands { pub who: Char, finisher: Finisher } =>
        says(finisher_clause(finisher), "{who} {does}.", does = match finisher {
            Finisher::Provoke => "sees no chance to win, and does not fight",
            _ => "cannot believe that",
        });
    "unfought" Unfought(pub who: Char) =>
        says(clause!("provoker-gone"), "There is nobody left for {who} to fight.");
    "answered" Answered { pub who: Char, pub of: Char, pub disposition: Disposition, yes: bool } => says(
        match disposition {
            Disposition::Friendly => clause!("disp.friendly"),
            Disposition::Neutral => clause!("disp.neutral"),
            Disposition::Hostile => clause!("disp.hostile"),
        },
        "{who} asks; {of}, {disposition}, {answer}.",
        answer = if yes { "gives it" } else { "refuses: it takes a subtle conflict" });
    "disposed" Disposed { pub who: Char, pub to: Disposition } =>
        says(clause!("disp.bribes-gm"), "{who} is {to} now.");
    "place" pub Place(private: bool) => works(clause!("prestige.gm"), "This is a {kind} place.",
        kind = if private { "private" } else { "public" });
    "disguised" Disguised(who: Char) => says(clause!("disguise.no-roll"), "{who} is disguised.");
    /// A disguise failed, or was dropped.
    "unmasked" Unmasked { pub who: Char, broken: bool } => says(
        if broken { clause!("disguise.breaks") } else { clause!("disguise.purpose") },
        "{who} is seen for who they are.");
    "revealed" Revealed(pub who: Char) => says(clause!("prestige.shuvin"), "{who} is known to be shuvin.");
    "closed" pub Closed => says(clause!("rest.between-scenes"), "The table closes.");
    // The gamemaster may settle anything otherwise than by the rules.
    "fiat-risk" FiatRisk { who: Char, risk: u8 } => told(by_fiat());
    "fiat-fate" FiatFate { who: Char, fate: Fate } => told(by_fiat());
    "fiat-other" FiatOther(who: Char) => told(by_fiat());
    "fiat-item" FiatItem(item: Item) => told(by_fiat());
    "fiat-table" FiatTable => told(by_fiat());
    "joined" Joined(pub who: Char) => says(clause!("intervene.challenge"), "{who} joins.");
}

says! { JudgeTwo, at;
    Char: who => at.rules.name(who);
    Option<Char>: who => name(at.rules, who);
    CharSet: all => names(at.rules, all);
    Item: item => at.rules.gear(item).name;
    Ability: ability => at.rules.power(ability).name;
    Form: word => word;
    Mark: word => word;
    Essence: word => word;
    Rest: word => word;
    Band: word => word;
    Disposition: word => word;
}

refer_to_nothing!(Degrees, RollKind);

/// A number for each member of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Degrees {
    of: [i8; MAX_GROUP],
    members: usize,
}

impl Degrees {
    /// From one for each member, three at most.
    pub(crate) fn of(degrees: &[i8]) -> Degrees {
        let mut of = [0; MAX_GROUP];
        of.iter_mut().zip(degrees).for_each(|(to, &degree)| *to = degree);
        Degrees { of, members: degrees.len().min(MAX_GROUP) }
    }

    /// One for each member, in order.
    pub fn iter(&self) -> impl Iterator<Item = i8> + '_ {
        self.of.iter().copied().take(self.members)
    }
}

impl Serialize for Degrees {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// How many dice and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RollKind {
    /// Two dice.
    Plain,
    /// Two dice: bold and faint cancel.
    Cancelled,
    /// Three dice, any two of them.
    Bold,
    /// Three dice less the highest.
    Faint,
    /// Two for each member.
    Group,
}

impl RollKind {
    /// From whether anything makes it bold and anything faint.
    pub const fn of(bold: bool, faint: bool) -> RollKind {
        match (bold, faint) {
            (true, true) => RollKind::Cancelled,
            (true, false) => RollKind::Bold,
            (false, true) => RollKind::Faint,
            (false, false) => RollKind::Plain,
        }
    }
}

impl Event {
    /// It as far as a viewer may know of it.
    pub(crate) fn shown(&self, at: At<'_>, viewer: Viewer) -> Option<Told> {
        let is_shown = match *self {
            _ if viewer.is_gm() => true,
            // Nothing is noticed of what an unseen character does alone (`unseen-acts`).
            Event::Deed { who, .. }
            | Event::Drew { who, .. }
            | Event::PutsAway { who, .. }
            | Event::Drops { who, .. }
            | Event::Loses { who, .. }
            | Event::Lapsed { who, .. }
            | Event::Aware { who, .. } => !at.state.out_of_sight().has(who),
            Event::Lurks(_) => false,
            // A disguise of the gamemaster's characters is theirs to know.
            Event::Disguised(who) => at.rules.is_pc(who),
            _ => true,
        };
        is_shown.then(|| self.told(at, viewer))
    }
}

fn is_brute(at: At<'_>, who: Char) -> bool {
    at.rules.sheet(who).kind == Kind::Brute
}

/// Players do not see who is behind a veiled attack on them.
fn is_hidden(at: At<'_>, viewer: Viewer, by: Option<Char>, veiled: bool) -> bool {
    veiled && !viewer.is_gm() && by.is_some_and(|by| !at.rules.is_pc(by))
}

const fn end_words(degree: i8) -> &'static str {
    if degree >= 0 { "success" } else { "failure" }
}

fn by_fiat() -> Told {
    Told::new("By the gamemaster's word").why(clause!("core.fundamentals-first"))
}

fn hit_told(at: At<'_>, viewer: Viewer, (by, on): (Option<Char>, Char), degree: i8, veiled: bool) -> Told {
    let unknown = by.is_some_and(|by| !knows_pl(at, by, viewer));
    let who = if is_hidden(at, viewer, by, veiled) { "Something unseen" } else { name(at.rules, by) };
    let on_whom = at.rules.name(on);
    let text = if veiled {
        format!("{who} succeeds against {on_whom}, not noticed for what it is.")
    } else if unknown {
        format!("{who} hits {on_whom}.")
    } else {
        format!("{who} hits {on_whom}: degree {degree}.")
    };
    Told::new(text).why(match at.rules.options.tier(degree) {
        _ if veiled => clause!("veiled.no-effects"),
        // The tier tells of the power level.
        _ if unknown => clause!("attack.npc-on-pc"),
        _ if is_brute(at, on) => clause!("brute.success"),
        Tier::Low => clause!("attack.tier-low"),
        Tier::Mid => clause!("attack.tier-mid"),
        Tier::High => clause!("attack.tier-high"),
    })
}

fn danger_told(
    at: At<'_>,
    viewer: Viewer,
    (by, on): (Option<Char>, CharSet),
    veiled: bool,
    form: Option<Form>,
) -> Told {
    let unseen = |who: Char| !viewer.is_gm() && at.state.out_of_sight().has(who);
    let whom = names(at.rules, on);
    let text = match (by, form) {
        _ if is_hidden(at, viewer, by, veiled) || by.is_some_and(unseen) => {
            format!("Something unseen threatens {whom}.")
        }
        (None, _) => format!("{whom} {} in danger.", verb(on, "is", "are")),
        (Some(by), None) => format!("{} endangers {whom}.", at.rules.name(by)),
        (Some(by), Some(_)) if veiled => format!("{} makes a veiled attack on {whom}.", at.rules.name(by)),
        (Some(by), Some(_)) => format!("{} attacks {whom}.", at.rules.name(by)),
    };
    Told::new(text).why(match form {
        _ if veiled => clause!("npc-veiled"),
        Some(_) => clause!("attack.npc-on-pc"),
        None => clause!("intervene.hostile"),
    })
}

const fn finished_words(finisher: Finisher) -> &'static str {
    match finisher {
        Finisher::Kill => "struck down",
        Finisher::Unconscious => "knocked unconscious",
        Finisher::Flee => "driven to flee, badly wounded",
        Finisher::Surrender => "made to surrender",
        Finisher::Provoke => "provoked to fight",
        Finisher::Shame => "shamed before all",
        Finisher::Assent => "won over to one proposition",
        Finisher::Disposition => "better disposed for good",
        Finisher::Destroy => "destroyed as a force",
        Finisher::Rout => "routed",
        Finisher::Withdraw => "made to quit the field",
        Finisher::Sunk => "sunk",
        Finisher::Captured => "captured",
        Finisher::DrivenOff => "driven off",
        Finisher::Burned => "burned",
    }
}

fn deed_clause(deed: Deed) -> Clause {
    match deed {
        Deed::Ready(_) | Deed::ReadyBoth(..) => clause!("boon.ready-deed"),
        Deed::Recover(_) => clause!("boon.recover"),
        Deed::Take(_) => clause!("disarm-steal"),
        Deed::Switch(..) => clause!("ready.switch"),
        Deed::Discard(_) => clause!("script.discard"),
        Deed::Compose => clause!("composure.regain"),
        Deed::Mount(_) | Deed::Dismount => clause!("mounted-state"),
        Deed::Unmask => clause!("disguise.purpose"),
        Deed::Request(_) => clause!("disp.levels"),
        Deed::Other | Deed::Stow(_) => clause!("deed.auto"),
    }
}

/// The clause of a roll.
pub(crate) fn roll_clause(who: CharSet, kind: RollKind) -> Clause {
    match kind {
        RollKind::Plain => clause!("roll.two"),
        RollKind::Cancelled => clause!("roll.cancel"),
        RollKind::Bold => clause!("roll.bold"),
        RollKind::Faint => clause!("roll.faint"),
        RollKind::Group if who.len() == 2 => clause!("group.roll-two"),
        RollKind::Group => clause!("group.roll-three"),
    }
}

/// The clause of a finisher.
pub(crate) fn finisher_clause(finisher: Finisher) -> Clause {
    match finisher {
        Finisher::Kill => clause!("martial.finisher-kill"),
        Finisher::Unconscious => clause!("martial.finisher-unconscious"),
        Finisher::Flee => clause!("martial.finisher-flee"),
        Finisher::Surrender => clause!("martial.finisher-surrender"),
        Finisher::Provoke => clause!("subtle.finisher-provoke"),
        Finisher::Shame => clause!("subtle.finisher-shame"),
        Finisher::Assent => clause!("subtle.finisher-assent"),
        Finisher::Disposition => clause!("subtle.finisher-disposition"),
        Finisher::Rout | Finisher::Destroy | Finisher::Withdraw => clause!("ext.strategic"),
        Finisher::Sunk | Finisher::Captured | Finisher::DrivenOff | Finisher::Burned => clause!("ext.naval"),
    }
}

/// The clause of a rest.
pub(crate) fn rest_clause(rest: Rest) -> Clause {
    match rest {
        Rest::Quick => clause!("rest.quick"),
        Rest::Short => clause!("rest.short"),
        Rest::Long => clause!("rest.long"),
    }
}
