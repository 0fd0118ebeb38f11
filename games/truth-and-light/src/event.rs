//! What happened, and how it is told.

use crate::answer::{Deal, Deed};
use crate::state::{Live, Outcome};
use crate::view::{knows_of, sees};
use crate::{At, TruthAndLight, act::Manner, effect::Text, scale::Challenge, vocab::*, words::phrases::*};
use fracas_kernel::{Happened, Hidden, Label as Name, Masked, Refers, Told, Viewer, events, says};

events! {
    /// What happened.
    pub enum Event of TruthAndLight, telling (at, viewer);

    "round" Round(pub round: u16) => opens(clause!("ext.turns"), "Round {round}.");
    "scene" Scene(pub scene: u16) => opens(clause!("ext.scene-place"), "Scene {scene}.");
    "conflict" Conflict(pub kind: Conflict) => opens(clause!("ext.turns"), "A {kind} conflict scene begins.");
    "peace" pub Peace => says(clause!("ext.turns"), "The conflict scene ends.");
    "floor" Floor(pub who: Char) => opens(clause!("ext.turns"), "{who} has the floor.");
    "gm-call" pub GmCall => works(clause!("ext.turns"), "The gamemaster has the floor.");
    /// The players have the floor, but for this one.
    "players-call" PlayersCall(pub last: Option<Char>) =>
        works(clause!("ext.turns"), "The floor goes to the players{but}.",
            but = last.map_or(String::new(), |who| format!(", {} last", at.rules.name(who))));
    "done" Done(pub who: Char) => works(clause!("ext.turns"), "{who} is done.");

    "declared" Declared {
        pub who: Char, pub on: Option<Target>, attack: bool, pub end: Option<End>,
        pub ability: Option<Ability>,
        #[serde(skip_serializing_if = "Option::is_none")] pub using: Option<Boon>,
        #[serde(skip_serializing_if = "Option::is_none")] pub shake: Option<Cause>,
        pub what: Option<Name>,
    } => told(declared(at, attack, Deal { on, end, ability, using, shake, what, ..Deal::by(who) }));
    "called" Called { pub who: Char, pub on: Option<Target> } =>
        opens(clause!("kind.gm-calls"), "{who} must test{whom}.",
            whom = on.map_or(String::new(), |on| format!(" on {}", target(at.rules, on))));
    /// Some must save; `shake` is the effect that the acting character would shake off.
    "threatened" Threatened {
        pub who: CharSet, pub by: Target, attack: bool,
        #[serde(skip_serializing_if = "Option::is_none")] shake: Option<Cause>,
    } => told(threatened(at, who, by, attack, shake));
    /// A roll's terms are settled; `from` is whose power number it is.
    "settled" Settled {
        pub who: Char, pub kind: Kind, pub attribute: Attribute, tn: i8, from: Option<Char>, hidden: bool,
    } => told(settled(at, (who, kind, attribute), tn, from, hidden && !viewer.is_gm()).working());
    "happened" Happened { pub who: Char, attribute: Attribute, pub what: Option<Name> } =>
        says(clause!("tn.mundane"), "It takes no roll{like}: what {who} does{words} just happens.",
            like = Challenge::Mundane.like(attribute).map_or(String::new(), |it| format!(", like {}", it.0)),
            words = what.map_or(String::new(), |what| format!(" ({})", what.as_str())));
    "spared" Spared { pub who: CharSet, pub by: Target } =>
        says(clause!("tn.mundane"), "It takes no roll: {who} need not save against {by}.");
    "taken-back" TakenBack { pub who: CharSet, pub by: Target } =>
        says(clause!("kind.gm-calls"), "After all {who} need not save against {by}.");
    "conversation" Conversation { pub who: Char, pub on: Char } =>
        says(clause!("pc-vs-pc-ruling"), "{who} and {on} talk it out.");
    "refused" Refused(pub who: Char) =>
        says(clause!("tn.gm-sets"), "It cannot be done so: {who} does something else.");
    "minor" Minor { pub who: Char, deed: Deed } =>
        says(clause!("action.minor"), "{who} {does}.", does = deed_words(at, deed));

    "die-spent" DieSpent(pub who: Char) =>
        works(clause!("writhing.spend"), "{who} puts the writhing die into the roll.");
    "ability" Ability { pub who: Char, pub ability: Ability } =>
        says(clause!("ability.use"), "{who} uses {ability}.");
    "used" Used { pub who: Char, pub boon: Boon, name: Option<Name> } =>
        says(clause!("boon.one-time"), "{who} uses {thing}.",
            thing = boon_name(at.rules, boon, name.as_ref()));
    "rolled" Rolled { pub who: Char, pub truth: u8, pub light: u8, writhe: u8 } =>
        works(clause!("roll.first-values"), "{who} rolls Truth {truth}, Light {light}{die}.",
            die = if writhe > 0 { format!(", writhing die {writhe}") } else { String::new() });
    "rerolled" Rerolled { pub who: Char, pub light: u8 } =>
        works(clause!("fortune.reroll"), "{who} rolls Light again: {light}.");
    "played" Played { pub who: Char, pub fate: Fate } => says(
        match fate { Fate::Good => clause!("fortune.good-use"), Fate::Bad => clause!("fortune.bad-use") },
        "{fate} is played on the roll of {who}.");
    /// Light is spent: what is left is final Light, and `truth` counts the writhing die.
    "spent" Spent { pub who: Char, pub light: u8, pub truth: u8, pub left: u8 } =>
        works(clause!("spend.final-values"), "{who} spends {light}: final Truth {truth}, final Light {left}.");
    "claimed" Claimed { pub who: Char, pub reason: Option<Name> } =>
        says(clause!("writhing.claim"), "{who} would fail on account of the writhing{why}.",
            why = reason.map_or(String::new(), |reason| format!(": {}", reason.as_str())));
    "unfounded" Unfounded(pub who: Char) =>
        says(clause!("writhing-refused"), "The reason is not enough: {who} decides anew.");
    "die-gained" DieGained(pub who: Char) => works(clause!("writhing.gain"), "{who} gains a writhing die.");
    "void" Void(pub who: Char) =>
        works(clause!("writhing.claim-reachable"), "{who} could not have done better: no writhing die.");
    "result" Result { pub who: Char, kind: Kind, result: Outcome, pub ap: i8, pub tn: i8 } =>
        works(result_clause(kind, result), "{who}: action power {ap} against {tn}, {result}.");
    "pushed-on" PushedOn(pub who: Char) => says(clause!("push.redo"), "{who} pushes on.");
    "withdrew" Withdrew { pub who: Char, result: Outcome } =>
        says(clause!("push.withdraw"), "{who} withdraws: {result}.");

    /// A guilt is picked; `by` is the ability that has words of its own for it.
    "guilt" Guilt { pub who: Char, pub guilt: Guilt, by: Option<Ability> } =>
        says(guilt_clause(guilt), "{who} suffers a guilt: {guilt}.{own}",
            own = own_words(at.rules, by, guilt as usize));
    "glory" Glory {
        pub who: Char, pub glory: Glory, by: Option<Ability>,
        #[serde(skip_serializing_if = "Option::is_none")] mode: Option<BreakMode>,
    } => says(glory_clause(glory, mode), "{who} earns a glory: {glory}.{own}",
        own = own_words(at.rules, by, Guilt::ALL.len() + glory as usize));
    /// More degrees, by Break Risk or for one of the gamemaster's; `ap` is the action power now, of a test.
    "degrees" Degrees {
        pub who: Char, result: Outcome, kind: Kind,
        #[serde(skip_serializing_if = "Option::is_none")] ap: Option<i8>,
    } => works(
        match kind { Kind::Test => clause!("glory.break-now"), Kind::Save => clause!("ext.npc-glory") },
        "That makes it {power}{result} for {who}.",
        power = ap.map_or(String::new(), |ap| format!("action power {ap}, ")));
    /// Fortune might stand in for a guilt or a glory.
    "offered" Offered { pub who: Char, pub fate: Fate, ground: Ground } =>
        works(clause!("fortune.condition"), "{fate} may stand in for {who}: {ground}.");
    "fortune" Fortune { pub who: Char, pub fate: Fate } =>
        says(clause!("fortune.replaces"), "{who} takes {fate}.");
    "unfortunate" Unfortunate(pub who: Char) => works(clause!("fortune.who-takes"), "No fortune for {who}.");
    "disallowed" Disallowed(pub who: Char) =>
        says(clause!("improvise-limit"), "That is not possible: {who} picks something else.");
    /// What came of a guilty save of `on`.
    "upper" Upper { pub on: Char, pub by: Option<Char>, pub upper: Upper } =>
        works(clause!("save.guilty-means"), "{gainer} gains by the failure of {on}: {upper}.",
            gainer = by.map_or("the danger", |by| at.rules.name(by)));

    "lasting" Lasting(pub live: Live, "on") => says(origin_clause(live.from), "{from} for {on}: {does}.",
        from = origin(at, live.from), on = at.rules.name(live.on), does = live_words(at.rules, &live));
    "over" Over(pub live: Live, "on") => told(over(at, &live));
    /// A boon is lost; one that is better can be regained.
    "lost" Lost { pub who: Char, pub boon: Boon, better: bool, name: Option<Name> } =>
        says(clause!("guilt.lose-fate"), "{who} loses {thing}{fate}.",
            thing = boon_name(at.rules, boon, name.as_ref()),
            fate = if better { ", and can get it back" } else { "" });
    "gained" Gained { pub who: Char, pub boon: Boon, name: Option<Name> } =>
        says(clause!("boon.def"), "{who} has {thing} now.", thing = boon_name(at.rules, boon, name.as_ref()));
    "moved" Moved { pub from: Char, pub to: Char, pub boon: Boon, name: Option<Name> } =>
        says(clause!("glory.control-steal"), "{thing} goes from {from} to {to}.",
            thing = boon_name(at.rules, boon, name.as_ref()));
    "no-room" NoRoom(pub who: Char) =>
        works(clause!("improvise-limit"), "There is no more to be had for {who}.");
    /// A contested end is done.
    "end" End { pub on: Target, pub by: Option<Target>, pub end: End } =>
        says(clause!("ext.ends"), "{on}: {end}{doer}.",
            doer = by.map_or(String::new(), |by| format!(", by {}", target(at.rules, by))));
    "harmed" Harmed { pub who: Char, pub track: Track, pub amount: u8, gone: bool } =>
        says(clause!("ext.harm"), "{who} loses {amount} {track}{rest}.",
            rest = if gone { ", and has nothing left" } else { "" });
    "healed" Healed { pub who: Char, pub track: Track, pub amount: u8 } =>
        says(clause!("ext.harm"), "{who} gets {amount} {track} back.");
    "out" Out(pub who: Char) => says(clause!("ext.harm"), "{who} is out of the conflict.");
    "extra" Extra { pub who: Char, label: Label, count: u8 } =>
        works(clause!("ext.effects"), "{who} has {count} more {label} {actions}.",
            actions = if count == 1 { "action" } else { "actions" });
    "told" Told { pub who: Char, text: Text } => says(clause!("ext.effects"), "{who}: {text}");

    "placed" Placed { pub who: Char, pub zone: Zone } =>
        says(clause!("ext.scene-place"), "{who} is in {zone} now.");
    "noticed" Noticed(pub who: Char) => says(clause!("tn-tailing-spy"), "{who} notices.");
    "hostile" Hostile { pub who: Char, hostile: bool } => says(clause!("attention"), "{who} {now}.",
        now = if hostile { "turns hostile" } else { "is hostile no longer" });
    /// With the scene that ended some of these got harm back (`ext.harm`), and who was out takes part again.
    "recovered" Recovered { pub who: CharSet, pub back: CharSet } => told(recovered(at, who, back).working());
    /// With the scene that ended these lost what they had not used (`writhing.same-scene`,
    /// `fortune.next-scene`).
    "lapsed" Lapsed { pub dice: CharSet, pub good: CharSet, pub bad: CharSet } =>
        told(lapsed(at, dice, good, bad).working());
    /// A guilty result has taken its own roller out.
    "guiltless" Guiltless(pub who: Char) =>
        works(clause!("guilt-or-success-first"), "{who} is out: no guilt comes.");
    "closed" pub Closed => says(clause!("ext.scene-place"), "The table closes.");
    "joined" Joined(pub who: Char) => says(clause!("ext.character"), "{who} joins.");
    "ruled" Ruled(who: Char) => says(clause!("roll.when"), "By the gamemaster's word");
    "ruled-table" RuledTable => says(clause!("roll.when"), "By the gamemaster's word");
}

says! { TruthAndLight, at;
    Char: who => at.rules.name(who);
    CharSet: all => names(at.rules, all);
    Target: it => target(at.rules, it);
    Ability: ability => at.rules.power(ability).name;
    End: end => at.rules.ending(end).name;
    Track: track => at.rules.tracks[track.index()].name;
    Zone: zone => at.rules.zones[zone.index()].name;
    Text: text => at.rules.text(text);
    Outcome: result => result_words(result);
    Guilt: guilt => title(guilt.word());
    Glory: glory => title(glory.word());
    Fate: fate => fate_words(fate);
    Ground: ground => ground_words(ground);
    Conflict: word => word;
    Upper: word => word;
    Label: word => word;
}

impl Event {
    /// Whose doing or suffering it is, and every character it names.
    fn characters(&self) -> (Option<Char>, CharSet) {
        let (mut first, mut all) = (None, CharSet::NONE);
        self.each_reference(&mut |letter, n| {
            if letter == Char::LETTER {
                let who = Char(n as u8);
                (first, all) = (first.or(Some(who)), all.with(who));
            }
        });
        (first, all)
    }

    /// Whether a viewer perceives anything of it: of what somebody out of sight does or
    /// suffers nobody learns (`out-of-sight`).
    fn is_perceived(&self, at: At<'_>, viewer: Viewer) -> bool {
        let sees = |whose: Char| sees(at, whose, viewer);
        match *self {
            // It is told by what it changes on cards: so that somebody leaves or comes back.
            Event::Ruled(whose) => knows_of(at, whose, viewer),
            Event::Moved { from, to, .. } => sees(from) || sees(to),
            _ => self.characters().0.is_none_or(sees),
        }
    }

    /// It as far as a viewer may know of it: who is out of sight has no name in it.
    pub(crate) fn shown(&self, at: At<'_>, viewer: Viewer) -> Option<Told> {
        let unseen = |other: &Char| !sees(at, *other, viewer);
        self.is_perceived(at, viewer).then(|| {
            if self.characters().1.iter().any(|one| unseen(&one)) {
                let all = at.rules.everybody().filter(unseen).map(|one| (Char::LETTER, one.index()));
                let masked = Masked::<TruthAndLight>::of(at.rules, at.state, Hidden::of(all));
                return self.told(At { rules: masked.rules(), state: masked.state() }, viewer);
            }
            self.told(at, viewer)
        })
    }
}

fn declared(at: At<'_>, attack: bool, deal: Deal) -> Told {
    let (manner, clause) = match attack {
        true => (Manner::Attack, clause!("action.attack-pc")),
        false => (Manner::Plain, clause!("action.major")),
    };
    let words = format!("{}: {}.", at.rules.name(deal.who), deal_words(at.rules, &deal, manner, at.state));
    Told { opens: true, ..Told::new(words).why(clause) }
}

fn threatened(at: At<'_>, who: CharSet, by: Target, attack: bool, shake: Option<Cause>) -> Told {
    let are = if who.len() == 1 { "is" } else { "are" };
    let (whom, by) = (names(at.rules, who), target(at.rules, by));
    let (words, clause) = match shake {
        Some(cause) => {
            let rid = cause_name(at.rules, cause);
            (format!("{by} would be rid of {rid} by {whom}."), clause!("held-by-a-player"))
        }
        None if attack => (format!("{by} attacks {whom}."), clause!("action.attack-npc")),
        None => (format!("{whom} {are} in danger from {by}."), clause!("save.def")),
    };
    Told { opens: true, ..Told::new(words).why(clause) }
}

fn settled(
    at: At<'_>,
    (who, kind, attribute): (Char, Kind, Attribute),
    tn: i8,
    from: Option<Char>,
    hidden: bool,
) -> Told {
    let (number, clause) = match from {
        _ if hidden => ("a hidden number".to_owned(), clause!("tn-hidden")),
        Some(npc) => {
            (format!("{tn}, from the power number of {}", at.rules.name(npc)), clause!("tn.power-number"))
        }
        None => {
            let challenge = Challenge::of(tn);
            let (words, clause) = challenge.words();
            let like = challenge.like(attribute).filter(|_| kind == Kind::Test);
            let like = like.map_or(String::new(), |(like, _)| format!(", like {like}"));
            (format!("{tn} ({words}{like})"), clause)
        }
    };
    Told::new(format!("{}: {attribute} {kind} against {number}.", at.rules.name(who))).why(clause)
}

fn over(at: At<'_>, live: &Live) -> Told {
    let from = origin(at, live.from);
    let same = |other: &&Live| (other.on, other.from) == (live.on, live.from);
    let others = || at.state.live.iter().filter(same);
    // It is on them still by another, or what else came of it is.
    let part = match others().any(|other| other.is_like(live)) {
        true => format!(" by {}", live.by.map_or("nobody in particular", |by| at.rules.name(by))),
        false if others().next().is_some() => format!(" ({})", effect_words(at.rules, &live.effect)),
        false => String::new(),
    };
    Told::new(format!("{from}{part} is over for {}.", at.rules.name(live.on))).why(clause!("dur.start"))
}

fn recovered(at: At<'_>, who: CharSet, back: CharSet) -> Told {
    let gone = match at.rules.recovery {
        _ if who.is_empty() => String::new(),
        Recovery::Full => format!("All harm is gone from {}.", names(at.rules, who)),
        _ => format!("One point of each track comes back to {}.", names(at.rules, who)),
    };
    let again = if back.is_empty() { String::new() } else { format!("{}.", back_words(at.rules, back)) };
    Told::new([gone, again].join(" ").trim()).why(clause!("ext.harm"))
}

fn lapsed(at: At<'_>, dice: CharSet, good: CharSet, bad: CharSet) -> Told {
    let all = [("The writhing die", dice), ("Good fortune", good), ("Bad fortune", bad)];
    let lost = |(what, of)| format!("{what} of {} is lost with the scene.", names(at.rules, of));
    let parts: Vec<String> = all.into_iter().filter(|(_, of)| !of.is_empty()).map(lost).collect();
    let clause = if dice.is_empty() { clause!("fortune.next-scene") } else { clause!("writhing.same-scene") };
    Told::new(parts.join(" ")).why(clause)
}
