//! Playing a scenario step by step.

use crate::failure::Failure;
use crate::file::{Open, Scenario, Step};
use crate::matching::{clause_of, differences, is_event, matches};
use fracas_kernel::{
    AnyTable, AskId, AskInfo, Document, Faults, Kind, Listed, Now, Refused, Rulebook, Seat, Setup, Shown,
    System, Viewer, Who, carried_on,
};
use serde_json::Value;

/// The most answers in a row that are given without asking.
const MAX_EAGER: usize = 1000;

/// Plays a scenario to its end.
pub(crate) fn play(scenario: &Scenario, system: &System) -> Result<(), Failure> {
    let rulebook = (system.rulebook)();
    let unknown: Vec<String> = scenario.covers.iter().filter_map(|id| covered(rulebook, id).err()).collect();
    if !unknown.is_empty() {
        return Err(Failure::new(format!("covers: {}", unknown.join("; "))));
    }
    let table = match ((system.start)(&scenario.setup), scenario.faults.is_empty()) {
        (Ok(table), true) => table,
        (Err(faults), true) => {
            let note = if scenario.bare {
                "\n(nothing is bundled with this run: what the setup uses must stand in files of `library`)"
            } else {
                ""
            };
            return Err(Failure::new(format!("the setup is refused:\n{faults}{note}")));
        }
        (Ok(_), false) => {
            let what = format!(
                "expected the setup to be refused: {}\nbut it is accepted",
                scenario.faults.join("; ")
            );
            return Err(Failure::new(what));
        }
        (Err(faults), false) => return check_faults(&scenario.faults, &faults),
    };
    let mut player =
        Player { table, rulebook, kinds: (system.kinds)(), system, setup: scenario.setup.clone() };
    let steps = &scenario.steps;
    let mut before = Vec::new();
    player.settle_for(steps.first().map(|(_, step)| step), &mut before).map_err(Failure::new)?;
    for (i, (line, step)) in steps.iter().enumerate() {
        let next = steps.get(i + 1).map(|(_, step)| step);
        player.step(step, next).map_err(|failure| failure.at(i + 1, *line))?;
    }
    player.end(scenario).map_err(|failure| failure.after(steps.len()))
}

/// Resolves an id in `covers`: an entry, or one value of an optional ruling.
pub(crate) fn covered(rulebook: &Rulebook, id: &str) -> Result<(), String> {
    let (bare, value) = id.split_once('=').map_or((id, None), |(bare, value)| (bare, Some(value)));
    let Some(clause) = rulebook.find(bare) else {
        let near = rulebook.suggest(bare);
        let hint = if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", ")) };
        return Err(format!("the rulebook has no {bare:?}{hint}"));
    };
    match (clause.entry().option, value) {
        (None, None) => Ok(()),
        (Some(option), Some(value)) if option.allows(value) => Ok(()),
        (Some(option), Some(_)) => {
            Err(format!("{id:?} is no value of {bare}: it takes {}", option.values.join(", ")))
        }
        (Some(option), None) => Err(format!(
            "{id:?} is a setting of the table: say which value is shown, as {bare}={}",
            option.default
        )),
        (None, Some(_)) => Err(format!("{bare:?} is a {} and has no values", kind(clause.entry().kind))),
    }
}

fn kind(kind: Kind) -> &'static str {
    if kind == Kind::Ruling { "ruling without options" } else { kind.name() }
}

/// The same without fields that hold nothing, as a file would have it.
fn without_nothing(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let there = fields.into_iter().filter(|(_, value)| !value.is_null());
            there.map(|(name, value)| (name, without_nothing(value))).collect()
        }
        Value::Array(all) => all.into_iter().map(without_nothing).collect(),
        value => value,
    }
}

fn check_faults(expected: &[String], faults: &Faults) -> Result<(), Failure> {
    let found = faults.to_string();
    let missing: Vec<&str> =
        expected.iter().map(String::as_str).filter(|text| !found.contains(text)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "expected among the faults of the setup: {}\nfound:\n{found}",
        missing.join("; ")
    )))
}

struct Player<'s> {
    table: Box<dyn AnyTable>,
    rulebook: &'static Rulebook,
    /// Every kind of ask that the system lists.
    kinds: &'static [&'static str],
    system: &'s System,
    /// The setup of the evening.
    setup: Setup,
}

impl Player<'_> {
    /// The seat that a step names: by seat, character or player.
    fn seat(&self, name: &str) -> Result<Seat, String> {
        let name = name.strip_prefix('@').unwrap_or(name);
        if let Ok(seat) = name.parse() {
            return Ok(seat);
        }
        let seats = self.table.seats();
        let holds = seats.iter().find(|info| info.holds.iter().any(|slug| slug == name));
        let called = || seats.iter().find(|info| info.name.eq_ignore_ascii_case(name));
        if let Some(info) = holds.or_else(called) {
            return Ok(info.seat);
        }
        if self.table.names().find(name).is_some() {
            // A character without a player is the gamemaster's.
            return Ok(Seat::Gm);
        }
        let known: Vec<String> = seats
            .iter()
            .flat_map(|info| info.holds.iter().cloned().chain([info.name.clone(), info.seat.to_string()]))
            .collect();
        Err(format!("nobody here is called {name:?}: there are {}", known.join(", ")))
    }

    fn viewer(&self, name: &str) -> Result<Viewer, String> {
        if name == "spectator" { Ok(Viewer::Spectator) } else { self.seat(name).map(Viewer::Seat) }
    }

    /// The open asks of a seat, of this kind if one is given.
    fn asks(&self, seat: Seat, kind: Option<&str>) -> Vec<AskInfo> {
        match self.table.now() {
            Now::Asks(asks) => asks
                .into_iter()
                .filter(|ask| ask.who.seats().contains(seat) && kind.is_none_or(|kind| ask.kind == kind))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Checks that the system lists the kind of every open ask.
    fn kinds_are_known(&self) -> Result<(), String> {
        let Now::Asks(asks) = self.table.now() else { return Ok(()) };
        match asks.iter().find(|ask| !self.kinds.contains(&ask.kind)) {
            Some(ask) => Err(format!("an ask of the kind {:?}, which is not among the system's", ask.kind)),
            None => Ok(()),
        }
    }

    /// The open asks, in words.
    fn now(&self) -> String {
        match self.table.now() {
            Now::Over => "it is over".to_owned(),
            Now::Roll(roll) => format!("dice are due: {} by {}", roll.dice, self.called(roll.whose)),
            Now::Asks(asks) => {
                let open: Vec<String> = asks
                    .iter()
                    .map(|ask| {
                        let who: Vec<String> = ask.who.seats().iter().map(|seat| self.called(seat)).collect();
                        format!("{} of {}", ask.kind, who.join(", "))
                    })
                    .collect();
                format!("asked now: {}", open.join("; "))
            }
        }
    }

    fn called(&self, seat: Seat) -> String {
        let info = self.table.seats().into_iter().find(|info| info.seat == seat);
        match info {
            Some(info) if seat != Seat::Gm => format!("{seat} ({})", info.name),
            _ => seat.to_string(),
        }
    }

    fn clause(&self, id: &str) -> Result<(), Failure> {
        match self.rulebook.find(id) {
            Some(_) => Ok(()),
            None => {
                let near = self.rulebook.suggest(id);
                let hint =
                    if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", ")) };
                Err(Failure::new(format!("the rulebook has no clause {id:?}{hint}")))
            }
        }
    }

    /// A failure about a clause, with its text.
    fn about(&self, id: &str, what: String) -> Failure {
        let failure = Failure::new(what);
        match self.rulebook.find(id) {
            Some(clause) => failure.clause(clause),
            None => failure,
        }
    }

    /// Whether a step is possible now, before answers are given without asking.
    fn ready(&self, step: &Step) -> bool {
        if step.roll.is_some() {
            return matches!(self.table.now(), Now::Roll(_));
        }
        if step.fiat.is_some() || step.standing.is_some() || step.withdraw.is_some() || step.evening.is_some()
        {
            return true;
        }
        // An unknown seat is reported when its step comes.
        let Some(Ok(seat)) = step.seat.as_deref().map(|seat| self.seat(seat)) else { return true };
        let asks = self.asks(seat, step.ask.as_deref());
        match &step.answer {
            Some(answer) if step.refused.is_none() => {
                asks.iter().any(|ask| self.table.check(seat, ask.id, &answer.to_string()).is_ok())
            }
            _ => !asks.is_empty(),
        }
    }

    /// Gives answers that need no asking until the next step is possible; after the last
    /// step, all of them.
    fn settle_for(&mut self, next: Option<&Step>, shown: &mut Vec<Shown>) -> Result<(), String> {
        for _ in 0..MAX_EAGER {
            self.kinds_are_known()?;
            if next.is_some_and(|step| self.ready(step)) {
                return Ok(());
            }
            let eager = self.table.eager().map(|eager| (eager.seat, eager.id, eager.answer));
            let Some((seat, id, answer)) = eager.or_else(|| self.declines()) else { return Ok(()) };
            let step = self
                .table
                .answer(seat, id, &answer, true)
                .map_err(|e| format!("an answer that nobody is asked for is refused: {e}"))?;
            shown.extend(step.shown);
        }
        Err("answers given without asking do not end".to_owned())
    }

    /// The decline of an ask of the gamemaster's where declining is all there is.
    fn declines(&self) -> Option<(Seat, AskId, String)> {
        let Now::Asks(asks) = self.table.now() else { return None };
        asks.iter().filter(|ask| ask.who == Who::One(Seat::Gm) && self.table.count(ask.id) <= 1).find_map(
            |ask| {
                let decline = self.table.decline(ask.id)?;
                let listed = self.table.legal(ask.id, Viewer::Seat(Seat::Gm));
                listed.iter().all(|only| only.answer == decline).then_some((Seat::Gm, ask.id, decline))
            },
        )
    }

    fn step(&mut self, step: &Step, next: Option<&Step>) -> Result<(), Failure> {
        for id in step.expect.iter().chain(&step.unexpected).filter_map(clause_of) {
            self.clause(id)?;
        }
        self.offers(step)?;
        if let Some(setup) = &step.evening {
            self.evening(setup, &step.faults)?;
            return self.settle_for(next, &mut Vec::new()).map_err(Failure::new);
        }
        let before = (self.table.hash(), self.table.snapshot());
        let done = self.act(step)?;
        if let Some(refused) = &step.refused {
            self.refusal(refused, done)?;
            if (self.table.hash(), self.table.snapshot()) != before {
                return Err(
                    self.about(refused, "it was refused, and changed the table nonetheless".to_owned())
                );
            }
            return self.settle_for(next, &mut Vec::new()).map_err(Failure::new);
        }
        let mut shown = match done {
            Ok(shown) => shown,
            Err(why) => {
                let failure = Failure::new(format!("refused: {why}\n{}", self.now()));
                return Err(match why.reasons.iter().find_map(|reason| reason.clause) {
                    Some(clause) => failure.clause(clause),
                    None => failure,
                });
            }
        };
        self.settle_for(next, &mut shown).map_err(Failure::new)?;
        self.events(step, &shown)?;
        self.sight(step, &shown)
    }

    /// Goes on at another evening, whose setup draws on what players' characters take there; or finds its
    /// faults, where some are expected.
    fn evening(&mut self, setup: &Value, faults: &[String]) -> Result<(), Failure> {
        let Some(now) = self.table.carry() else {
            return Err(Failure::new("nobody goes from this system into another evening"));
        };
        let carried = without_nothing(carried_on(&self.setup, now, "", Value::Null));
        let carried = Document::json("what is carried", &carried);
        let next = Setup {
            encounter: Document::json("the next evening", setup).kept(),
            library: self.setup.library.clone(),
        };
        let begun = next.with(vec![carried]).and_then(|next| Ok(((self.system.start)(&next)?, next)));
        match begun {
            Ok((table, next)) if faults.is_empty() => {
                (self.table, self.setup) = (table, next);
                Ok(())
            }
            Ok(_) => Err(Failure::new(format!("expected faults: {}\nbut it begins", faults.join("; ")))),
            Err(found) if faults.is_empty() => {
                Err(Failure::new(format!("the next evening is refused:\n{found}")))
            }
            Err(found) => check_faults(faults, &found),
        }
    }

    /// Makes the step's move and returns the events.
    fn act(&mut self, step: &Step) -> Result<Result<Vec<Shown>, Refused>, Failure> {
        if let Some(faces) = &step.roll {
            if !matches!(self.table.now(), Now::Roll(_)) && step.refused.is_none() {
                return Err(Failure::new(format!("unused dice: no roll is due; {}", self.now())));
            }
            return Ok(self.table.roll(faces, true).map(|step| step.shown));
        }
        if let Some(fiat) = &step.fiat {
            let done = self.table.fiat(&fiat.to_string(), true).map(|step| step.shown);
            return among("fiats", self.table.fiats(), fiat, done);
        }
        let seat = self.seat(step.seat.as_deref().unwrap_or_default()).map_err(Failure::new)?;
        for (reply, on) in [(&step.standing, true), (&step.withdraw, false)] {
            if let Some(reply) = reply {
                let done = self.table.stand(seat, &reply.to_string(), on).map(|()| Vec::new());
                return among("standing replies", self.table.standings(), reply, done);
            }
        }
        let Some(answer) = &step.answer else { return Ok(Ok(Vec::new())) };
        let answer = answer.to_string();
        let mut refusals = Vec::new();
        for ask in self.asks(seat, step.ask.as_deref()) {
            match self.table.answer(seat, ask.id, &answer, true) {
                Ok(step) => return Ok(Ok(step.shown)),
                Err(why) => refusals.push(why),
            }
        }
        // The ask that the answer was meant for is the first whose form fits.
        let meant = refusals.iter().position(|why| why.reasons.iter().any(|reason| reason.clause.is_some()));
        let why = if refusals.is_empty() {
            let what = step.ask.as_deref().map_or(String::new(), |kind| format!(" of the kind {kind:?}"));
            Refused::form(format!("nothing{what} is asked of {}", self.called(seat)))
        } else {
            refusals.swap_remove(meant.unwrap_or(0))
        };
        Ok(Err(why))
    }

    fn offers(&self, step: &Step) -> Result<(), Failure> {
        if step.offered.is_empty() && step.not_offered.is_empty() {
            return Ok(());
        }
        let seat = self.seat(step.seat.as_deref().unwrap_or_default()).map_err(Failure::new)?;
        let asks = self.asks(seat, step.ask.as_deref());
        if asks.is_empty() {
            return Err(Failure::new(format!("nothing is offered to {}: {}", self.called(seat), self.now())));
        }
        let mut listed: Vec<Value> = Vec::new();
        for ask in asks {
            let before = listed.len();
            for Listed { answer, .. } in self.table.legal(ask.id, Viewer::Seat(seat)) {
                let answer = serde_json::from_str(&answer).unwrap_or_default();
                if listed[before..].contains(&answer) {
                    return Err(Failure::new(format!("offered twice: {answer}")));
                }
                listed.push(answer);
            }
        }
        let all = || listed.iter().map(|answer| format!("  {answer}")).collect::<Vec<_>>().join("\n");
        for wanted in &step.offered {
            if !listed.iter().any(|answer| matches(wanted, answer)) {
                return Err(Failure::new(format!(
                    "expected to be offered: {wanted}\noffered are:\n{}",
                    all()
                )));
            }
        }
        for unwanted in &step.not_offered {
            if let Some(answer) = listed.iter().find(|answer| matches(unwanted, answer)) {
                return Err(Failure::new(format!(
                    "expected not to be offered: {unwanted}\noffered is: {answer}"
                )));
            }
        }
        Ok(())
    }

    fn refusal(&self, refused: &str, done: Result<Vec<Shown>, Refused>) -> Result<(), Failure> {
        if refused != "form" {
            self.clause(refused)?;
        }
        let why = match done {
            Ok(shown) => {
                let what = format!(
                    "expected to be refused: {refused}\nbut it was accepted, and came:\n{}",
                    events(&shown)
                );
                return Err(self.about(refused, what));
            }
            Err(why) => why,
        };
        let fits = match refused {
            "form" => why.reasons.iter().all(|reason| reason.clause.is_none()),
            id => why.names(id),
        };
        if fits {
            return Ok(());
        }
        Err(self
            .about(refused, format!("expected to be refused: {refused}\nrefused was: {why}\n{}", self.now())))
    }

    fn events(&self, step: &Step, shown: &[Shown]) -> Result<(), Failure> {
        let mut from = 0;
        for expected in &step.expect {
            match shown[from..].iter().position(|shown| is_event(expected, shown)) {
                Some(at) => from += at + 1,
                None => {
                    let order = if shown.iter().any(|shown| is_event(expected, shown)) {
                        " (it came, but not in this order)"
                    } else {
                        ""
                    };
                    let what = format!("expected: {expected}{order}\ncame:\n{}", events(shown));
                    return Err(match clause_of(expected) {
                        Some(id) => self.about(id, what),
                        None => Failure::new(what),
                    });
                }
            }
        }
        for unexpected in &step.unexpected {
            if let Some(came) = shown.iter().find(|shown| is_event(unexpected, shown)) {
                let what = format!(
                    "expected not to come: {unexpected}\ncame:\n{}",
                    events(std::slice::from_ref(came))
                );
                return Err(match came.gm.clause {
                    Some(clause) => Failure::new(what).clause(clause),
                    None => Failure::new(what),
                });
            }
        }
        Ok(())
    }

    fn sight(&self, step: &Step, shown: &[Shown]) -> Result<(), Failure> {
        for (wanted, name, texts) in step
            .sees
            .iter()
            .map(|(name, texts)| (true, name, texts))
            .chain(step.hides.iter().map(|(name, texts)| (false, name, texts)))
        {
            let who = self.viewer(name).map_err(Failure::new)?;
            let seen: Vec<&str> =
                shown.iter().filter_map(|shown| Some(shown.to(who)?.text.as_str())).collect();
            for text in texts {
                if seen.iter().any(|seen| seen.contains(text.as_str())) != wanted {
                    let aim = if wanted { "to see" } else { "not to see" };
                    return Err(Failure::new(format!(
                        "expected {name} {aim}: {text}\nseen:\n  {}",
                        seen.join("\n  ")
                    )));
                }
            }
        }
        Ok(())
    }

    fn end(&self, scenario: &Scenario) -> Result<(), Failure> {
        let expect = &scenario.expect;
        let mut unmet = Vec::new();
        for (name, expected) in [("gm", &Value::Object(expect.gm.clone()))]
            .into_iter()
            .chain(expect.views.iter().map(|(n, v)| (n.as_str(), v)))
        {
            let who = self.viewer(name).map_err(Failure::new)?;
            let view = self.table.view(who);
            unmet.extend(
                differences(expected, Some(&view)).into_iter().map(|line| format!("view of {name}: {line}")),
            );
        }
        if !unmet.is_empty() {
            return Err(Failure::new(unmet.join("\n")));
        }
        expect.asks.as_deref().map_or(Ok(()), |asks| self.asks_left(asks))
    }

    /// Checks that exactly these asks and dice are open.
    fn asks_left(&self, expected: &[Open]) -> Result<(), Failure> {
        let mut wanted = Vec::new();
        for open in expected {
            wanted.push((self.seat(&open.seat).map_err(Failure::new)?, open.kind.as_deref()));
        }
        let fails = |what: String| Err(Failure::new(format!("{what}\n{}", self.now())));
        let name = |at: usize| {
            let kind = expected[at].kind.as_deref().unwrap_or("something");
            format!("{kind} of {}", expected[at].seat)
        };
        let (asks, dice) = match self.table.now() {
            Now::Asks(asks) => (asks, None),
            Now::Roll(roll) => (Vec::new(), Some(roll.dice.to_string())),
            Now::Over => (Vec::new(), None),
        };
        for (at, (seat, kind)) in wanted.iter().enumerate() {
            let open = match seat {
                Seat::Chance => dice.as_deref().is_some_and(|dice| kind.is_none_or(|kind| kind == dice)),
                seat => asks
                    .iter()
                    .any(|ask| ask.who.seats().contains(*seat) && kind.is_none_or(|kind| kind == ask.kind)),
            };
            if !open {
                return fails(format!("expected to be open: {}", name(at)));
            }
        }
        let foreseen = |ask: &AskInfo| {
            wanted.iter().any(|(seat, kind)| {
                ask.who.seats().contains(*seat) && kind.is_none_or(|kind| kind == ask.kind)
            })
        };
        if let Some(ask) = asks.iter().find(|ask| !foreseen(ask)) {
            return fails(format!("an unexpected ask: {}", ask.kind));
        }
        if dice.is_some() && !wanted.iter().any(|(seat, _)| *seat == Seat::Chance) {
            return fails("unexpected dice are due".to_owned());
        }
        Ok(())
    }
}

/// Requires an accepted move to be among the table's examples, which begin with the same
/// word.
fn among<T>(
    what: &str,
    examples: &[(&str, &str)],
    said: &Value,
    done: Result<T, Refused>,
) -> Result<Result<T, Refused>, Failure> {
    let word = |said: &Value| match said {
        Value::Object(fields) => fields.keys().next().cloned(),
        said => said.as_str().map(str::to_owned),
    };
    let known = examples.iter().any(|(example, _)| {
        serde_json::from_str(example).is_ok_and(|example: Value| word(&example) == word(said))
    });
    if done.is_err() || known {
        return Ok(done);
    }
    Err(Failure::new(format!("taken, and not among the {what} that the table tells of: {said}")))
}

/// The events in order, each with its clause and the gamemaster's text.
fn events(shown: &[Shown]) -> String {
    if shown.is_empty() {
        return "  (nothing)".to_owned();
    }
    let lines = shown.iter().map(|shown| {
        let clause = shown.gm.clause.map_or(String::new(), |clause| format!(" ({})", clause.id()));
        format!("  {}{clause} -- {}", shown.event, shown.gm.text)
    });
    lines.collect::<Vec<_>>().join("\n")
}
