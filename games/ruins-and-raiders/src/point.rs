//! Pointing at the map: where somebody can go, what it is like there, and what can be done.

use crate::act::{self, Mode};
use crate::answer::{Act, Answer, Prompt, Via};
use crate::state::{Attack, Lie, State};
use crate::view::{is_players, knows_values, sees, shows_fight};
use crate::words::{count, footing, range, space, with_what};
use crate::{At, RuinsAndRaiders, attack, round, values, vocab::*, walk};
use fracas_kernel::{
    Any, Asking, Chance, Facing, Going, Odds, Pointed, Seat, Shade, Slot, Space, Spaces, There, Told, Tone,
    Viewer, amid, fine,
};

/// The most Fortune that is burnt for a move (`fortune.run`).
const MOST_FORTUNE: u8 = 3;
/// Nobody waits for a foe who is still further away than this: about as far as a move leads.
const FAR_ENOUGH: u8 = 12;
/// The most of others that are compared from a space: the nearest.
const MOST_FACING: usize = 12;

/// Where those can go who are asked.
pub(crate) fn reach(at: At<'_>, slot: Slot) -> Vec<Going> {
    if !at.rules.field.is_grid() {
        return Vec::new();
    }
    movers(at, slot).into_iter().map(|(who, mode)| going(at, who, mode)).collect()
}

/// Those who may act by an answer to an ask, and when they act.
fn movers(at: At<'_>, slot: Slot) -> Vec<(Char, Mode)> {
    let asked = RuinsAndRaiders::ask_at(at, slot);
    let (mode, all) = match asked.map(|ask| (ask.prompt, ask.who.seat())) {
        Some((Prompt::Turn(who), _)) => (Mode::Turn, CharSet::one(who)),
        Some((Prompt::Cut { who, .. } | Prompt::Standoff(who), _)) => (Mode::Late, CharSet::one(who)),
        Some((Prompt::First, Some(seat))) => {
            let all = round::those(at, Turn::Later);
            (Mode::Turn, all.iter().filter(|&who| at.rules.seat(who) == seat).collect())
        }
        Some((Prompt::Waiting, Some(seat))) => (Mode::Late, round::waits_for(at, seat)),
        Some((Prompt::Round, _)) => (Mode::Late, round::unseen_left(at)),
        _ => (Mode::Turn, CharSet::NONE),
    };
    let may = move |who: &Char| {
        let waits_for_dice = at.rules.seat(*who) == Seat::Gm && crate::flow::is_thrown(at);
        !waits_for_dice && !at.state.being(*who).surprised
    };
    all.iter().filter(may).map(move |who| (who, mode)).collect()
}

fn going(at: At<'_>, who: Char, mode: Mode) -> Going {
    let (being, actions) = (at.state.being(who), at.state.fighting(who).actions);
    let stands = walk::stands(at, who);
    let mut shades = Vec::new();
    let mut left = stands;
    let mut shade = |text: &str, spaces: Spaces| {
        let new = spaces.and(&left);
        left = left.minus(&new);
        if !new.is_empty() {
            shades.push(Shade { text: text.to_owned(), spaces: new.iter().collect() });
        }
    };
    let steps = at.rules.field.neighbours(being.at).into_iter();
    let allowed = |&to: &Space| fine(|out: &mut Any| act::object(at, who, Act::Step(to), mode, out));
    shade("the free step", steps.filter(allowed).collect());
    if actions > 0 && !being.prone && !at.state.is_held(who) {
        let first = walk::moved(at, who, &Spaces::EMPTY.with(being.at)).and(&stands);
        shade("one action", first);
        if actions > 1 {
            shade("two actions", walk::moved(at, who, &first));
        }
    }
    Going { token: at.rules.sheet(who).slug.clone(), from: being.at, shades }
}

/// What a space is like for one of those who are asked.
pub(crate) fn there(at: At<'_>, slot: Slot, pointed: &Pointed, viewer: Viewer) -> Option<There<Answer>> {
    let field = &at.rules.field;
    if !field.is_grid() || pointed.to.column() >= field.columns() || pointed.to.row() >= field.rows() {
        return None;
    }
    let is_it = |who: Char| match &pointed.token {
        Some(token) => at.rules.sheet(who).slug == *token,
        None => movers(at, slot).len() == 1,
    };
    let (who, mode) = movers(at, slot).into_iter().find(|&(who, _)| is_it(who))?;
    let via = Via::of(&pointed.via)?;
    let prompt = RuinsAndRaiders::ask_at(at, slot)?.prompt;
    let several = matches!(prompt, Prompt::First | Prompt::Waiting | Prompt::Round);
    let answer = |act| if several { Answer::As { who, act } } else { Answer::Act(act) };
    let way = Way::find(at, (who, mode), pointed.to, via);
    let mut acts = way.acts.clone();
    acts.extend(deeds(at, who, pointed.to, viewer));
    Some(There {
        token: at.rules.sheet(who).slug.clone(),
        title: title(at, pointed.to, viewer),
        lines: way.lines(at, viewer),
        marks: way.marks(at),
        facing: facing(at, &way, viewer),
        path: way.path,
        answers: acts.into_iter().map(answer).collect(),
    })
}

/// "C4, mud, Mace stands here".
fn title(at: At<'_>, to: Space, viewer: Viewer) -> String {
    let mut parts = vec![space(at, to)];
    let kind = at.rules.field.kind(to);
    parts.extend(at.rules.ground(kind).map(|ground| amid(&ground.name).to_owned()));
    if !at.rules.field.is_there(to) {
        parts.push("a wall".to_owned());
    }
    let here = at.rules.everybody().filter(|&who| at.state.is_here(who) && sees(at, who, viewer));
    let here = here.filter(|&who| walk::shown(at, who, viewer) == to);
    parts.extend(here.map(|who| format!("{} is here", at.rules.name(who))));
    parts.join(", ")
}

/// A way to a space, and what leads along it.
struct Way {
    who: Char,
    to: Space,
    /// The spaces of the way; none where nobody goes, or no way leads there.
    path: Vec<Space>,
    /// How many actions it takes; none for the free step.
    actions: u8,
    /// A charge can be made of it.
    charges: bool,
    acts: Vec<Act>,
}

impl Way {
    fn find(at: At<'_>, (who, mode): (Char, Mode), to: Space, via: Via) -> Way {
        let allowed = |act: Act| fine(|out: &mut Any| act::object(at, who, act, mode, out));
        let go = |to, via, charge, fortune| Act::Move { to, via, charge, fortune };
        let path =
            |to, via: &Via, fortune| walk::path(at, who, to, via, fortune).unwrap_or_default().to_vec();
        let mut way = Way { who, to, path: Vec::new(), actions: 0, charges: false, acts: Vec::new() };
        if to == at.state.being(who).at {
            return way;
        }
        if allowed(Act::Step(to)) {
            way.path = vec![to];
            way.acts.push(Act::Step(to));
        }
        if let Some(fortune) = (0..=MOST_FORTUNE).find(|&fortune| allowed(go(to, via, false, fortune))) {
            if way.path.is_empty() || !via.as_slice().is_empty() {
                (way.path, way.actions) = (path(to, &via, fortune), 1);
            }
            way.charges = allowed(go(to, via, true, fortune));
            way.acts.push(go(to, via, false, fortune));
            way.acts.extend(way.charges.then(|| go(to, via, true, fortune)));
        } else if let Some(half) = halfway(at, who, to)
            && way.path.is_empty()
            && allowed(go(half, Via::default(), false, 0))
        {
            way.path = path(half, &Via::default(), 0);
            way.path.extend(rest(at, who, half, to));
            way.actions = 2;
            way.acts.push(go(half, Via::default(), false, 0));
        }
        if way.path.is_empty() && allowed(Act::Leap(to)) {
            way.acts.push(Act::Leap(to));
        }
        way
    }

    /// How many spaces of a charge the way makes, with the free step that led into it.
    fn run(&self, at: At<'_>) -> u8 {
        let spaces = at.rules.field.total(at.state.being(self.who).at, &self.path);
        (u16::from(at.state.fighting(self.who).run) + spaces).min(u8::MAX.into()) as u8
    }

    fn lines(&self, at: At<'_>, viewer: Viewer) -> Vec<Told> {
        let mut lines = Vec::new();
        let spaces = at.rules.field.total(at.state.being(self.who).at, &self.path);
        let cost = match self.actions {
            0 => "the free step".to_owned(),
            actions => count(actions.into(), "action"),
        };
        if !self.path.is_empty() {
            lines.push(Told::new(format!("{}: {cost}", count(spaces, "space"))).why(clause!("move.action")));
        } else if self.to != at.state.being(self.who).at && self.acts.is_empty() {
            lines.push(Told::new("No move leads there now").why(clause!("move.action")));
        }
        let momentum = at.rules.options.momentum(self.run(at));
        if self.charges && momentum > 0 {
            let gained = format!(
                "In a charge: {momentum:+} to the damage of the next melee attack, and of melee blows that hit this round"
            );
            lines.push(Told::new(gained).why(clause!("charge.gives")));
        }
        lines.extend(
            footing(at, self.who, &self.path, viewer)
                .into_iter()
                .map(|text| Told::new(text).why(clause!("terrain.treacherous.foot"))),
        );
        let waiting = round::waiting_against(at, self.who);
        let waiting: CharSet = waiting.iter().filter(|&other| sees(at, other, viewer)).collect();
        if !waiting.is_empty() && !self.path.is_empty() {
            let names = crate::words::names(at.rules, waiting);
            let may = if waiting.len() == 1 { "waits" } else { "wait" };
            lines.push(Told::new(format!("{names} {may}, and may cut in")).why(clause!("wait.interrupt")));
        }
        lines.into_iter().map(Told::begun).collect()
    }

    /// Where the momentum of a charge grows.
    fn marks(&self, at: At<'_>) -> Vec<(Space, String)> {
        let before = at.state.fighting(self.who).run;
        let run = (before + 1..).zip(&self.path);
        let momentum = |spaces: u8| at.rules.options.momentum(spaces);
        let grows = run.filter(|(spaces, _)| self.charges && momentum(*spaces) > momentum(spaces - 1));
        grows.map(|(spaces, &space)| (space, format!("{:+}", momentum(spaces)))).collect()
    }

    /// The table with its walker at the end of the way.
    fn imagined(&self, at: At<'_>, charge: bool) -> State {
        let mut state = at.state.clone();
        let riding = state.being(self.who).riding;
        for who in [Some(self.who), riding, state.rider(self.who)].into_iter().flatten() {
            state.being_mut(who).at = self.to;
        }
        if charge {
            let run = self.run(at);
            let fighting = state.fighting_mut(self.who);
            (fighting.charge, fighting.charging) = (Some(run), true);
        }
        state
    }
}

/// A space from which a second move leads to another: on the way, as far as possible.
fn halfway(at: At<'_>, who: Char, to: Space) -> Option<Space> {
    if at.state.fighting(who).actions < 2 || !walk::stands(at, who).has(to) {
        return None;
    }
    let from = at.state.being(who).at;
    let first = walk::moved(at, who, &Spaces::EMPTY.with(from)).and(&walk::stands(at, who));
    let distance = |a, b| at.rules.field.distance(a, b);
    let mut first: Vec<Space> = first.iter().collect();
    first.sort_by_key(|&half| (distance(from, half) + distance(half, to), distance(half, to)));
    // How far a move leads hangs on the ground where it begins.
    first.into_iter().find(|&half| walk::moved(at, who, &Spaces::EMPTY.with(half)).has(to))
}

/// The second move of two.
fn rest(at: At<'_>, who: Char, half: Space, to: Space) -> Vec<Space> {
    let mut state = at.state.clone();
    state.being_mut(who).at = half;
    walk::path(At { state: &state, ..at }, who, to, &Via::default(), 0).unwrap_or_default().to_vec()
}

/// What can be done to those in a space, to what lies there, and about the space itself.
fn deeds(at: At<'_>, who: Char, to: Space, viewer: Viewer) -> Vec<Act> {
    let mut acts = Vec::new();
    let near = |of, within| Act::Wait { wire: Wire::Near { of, within }, trap: None };
    let seen = |other: &Char| at.state.is_here(*other) && sees(at, *other, viewer);
    let is_friend = |other: &Char| {
        *other != who && !at.state.are_foes(at.rules, who, *other) && !at.rules.mounts.has(*other)
    };
    for on in at.rules.everybody().filter(seen).filter(|&on| walk::shown(at, on, viewer) == to) {
        if on == who {
            acts.extend([near(None, 2), Act::Wait { wire: Wire::Moved, trap: None }]);
            continue;
        }
        acts.extend(aimed(at, who, on));
        acts.extend(is_friend(&on).then(|| near(Some(on), 2)));
    }
    let lies_there = |weapon: &Weapon| at.state.place(*weapon).lie == Lie::Dropped(to);
    acts.extend(act::dropped(at, who).filter(lies_there).map(Act::PickUp));
    if at.rules.field.is_there(to) && to != at.state.being(who).at {
        let far =
            |other| at.rules.field.distance(walk::shown(at, other, viewer), to).min(u8::MAX.into()) as u8;
        let friends = at.rules.everybody().filter(seen).filter(is_friend).filter(|&other| far(other) > 0);
        let foes = at.rules.everybody().filter(seen).filter(|&other| {
            at.state.are_foes(at.rules, who, other) && !at.state.is_disabled(at.rules, other)
        });
        // Nobody waits for what has come about already, or for what is too far away to be answered.
        let apart =
            |other| at.rules.field.distance(walk::shown(at, other, viewer), walk::shown(at, who, viewer));
        let foes: Vec<Char> = foes.collect();
        let nearest = foes.iter().map(|&foe| apart(foe)).min().unwrap_or(u16::MAX);
        if !foes.iter().any(|&foe| far(foe) == 0) {
            acts.push(Act::Wait { wire: Wire::Enters(to), trap: None });
        }
        if u16::from(far(who)) < nearest && far(who) <= FAR_ENOUGH {
            acts.push(near(None, far(who)));
        }
        acts.extend(friends.min_by_key(|&friend| far(friend)).map(|friend| near(Some(friend), far(friend))));
    }
    acts
}

/// What somebody might do to another.
fn aimed(at: At<'_>, who: Char, on: Char) -> Vec<Act> {
    let mut acts = Vec::new();
    act::strikes_at(at, who, on, &mut |act| acts.push(act));
    let manoeuvres = at.rules.manoeuvres_of(who).filter(|&what| at.rules.manoeuvre(what).aimed);
    acts.extend(manoeuvres.map(|what| Act::Use { what, on: Some(on) }));
    let spells = at.rules.spells_of(who).filter(|&spell| !at.rules.spell(spell).own);
    acts.extend(spells.map(|spell| Act::Cast { spell, on: Some(on) }));
    acts.push(Act::Mount(on));
    if at.rules.sheet(who).gifts.has(Gift::Empathy) {
        acts.extend([Act::Heal { on, points: 1, shocks: false, own: false }, Act::Feel(on)]);
    }
    acts
}

/// What the walker could do to those nearby from the end of a way, and they to the walker.
fn facing(at: At<'_>, way: &Way, viewer: Viewer) -> Vec<Facing> {
    let goes = !way.path.is_empty();
    if !goes && way.to != at.state.being(way.who).at {
        return Vec::new();
    }
    let walked = way.imagined(at, false);
    let charged = way.imagined(at, way.charges);
    let calm = At { state: &walked, ..at };
    let run = At { state: &charged, ..at };
    let foe = |other: &Char| {
        at.state.are_foes(at.rules, way.who, *other)
            && at.state.perceives(at.rules, way.who, *other)
            && sees(at, *other, viewer)
            && !at.state.is_disabled(at.rules, *other)
    };
    let mut foes: Vec<Char> = at.rules.everybody().filter(foe).collect();
    foes.sort_by_key(|&other| walked.distance(at.rules, way.who, other));
    foes.truncate(MOST_FACING);
    let seen = |other: Char| {
        let distance = walked.distance(at.rules, way.who, other);
        let charge = way.charges && at.rules.options.momentum(way.run(at)) > 0 && distance <= 1;
        let both = |ends, good| {
            let after_charge = |odds: Odds| Odds { of: format!("after a charge, {}", odds.of), ..odds };
            let run = if charge { best(run, ends, good, viewer).map(after_charge) } else { None };
            best(calm, ends, good, viewer).into_iter().chain(run).collect()
        };
        Facing {
            token: at.rules.sheet(other).slug.clone(),
            apart: if distance <= 1 {
                "next to it".to_owned()
            } else {
                format!("{} away", count(distance, "space"))
            },
            gives: both((way.who, other), Tone::Good),
            takes: both((other, way.who), Tone::Bad),
        }
    };
    foes.into_iter().map(seen).collect()
}

/// The odds of the attack with what somebody holds that hits most often; `None` if there is none, or the
/// viewer may not know them.
fn best(at: At<'_>, (by, on): (Char, Char), good: Tone, viewer: Viewer) -> Option<Odds> {
    let knows = is_players(at.rules, by) || knows_values(at, by, viewer);
    if !shows_fight(at, viewer) || !knows {
        return None;
    }
    let mut found: Option<(u128, Odds)> = None;
    act::strikes_at(at, by, on, &mut |act| {
        let Some(blow) = act::announced(at, by, act) else { return };
        let (hits, odds) = odds(at, &blow, good, viewer);
        if found.as_ref().is_none_or(|(most, _)| hits > *most) {
            found = Some((hits, odds));
        }
    });
    found.map(|(_, odds)| odds)
}

/// The odds of a strike as it stands, with how many of all throws hit.
fn odds(at: At<'_>, blow: &Attack, good: Tone, viewer: Viewer) -> (u128, Odds) {
    let (level, bonus) = (values::challenge(at, blow).unwrap_or(0), values::attack_bonus(at, blow));
    let bad = if good == Tone::Good { Tone::Bad } else { Tone::Good };
    let knows = knows_values(at, blow.on, viewer);
    let left = at.state.disabled_at(at.rules, blow.on).saturating_sub(at.state.being(blow.on).wounds);
    let [mut downs, mut hits, mut misses] = [0, 0, 0];
    for dice in 2..=12u8 {
        let throws = u128::from(6 - dice.abs_diff(7));
        match values::result(dice, bonus, level) {
            (true, mox) if knows && attack::strike_wounds(at, blow, mox) >= left => downs += throws,
            (true, _) => hits += throws,
            (false, _) => misses += throws,
        }
    }
    let rows = [("brings down", good, downs), ("hits", good, hits), ("misses", bad, misses)];
    let rows = rows.into_iter().filter(|(.., throws)| *throws > 0);
    let rows = rows.map(|(text, tone, throws)| Chance { text: text.into(), tone, throws });
    let range = range(at, blow).map_or(String::new(), |range| format!(", {range}"));
    let of = format!("with {}{range}", with_what(at, blow.with));
    let odds = Odds { of, throws: 36, rows: rows.collect(), totals: Vec::new(), besides: Vec::new() };
    (downs + hits, odds)
}
