//! What is at stake in a roll: expected values from small tables of chances.

use crate::event::RollKind;
use crate::rules::{OmenGuard, Options};
use crate::state::{Fate, State};
use crate::{At, arms, harm, risk, vocab::*};

/// The appeal of what costs nothing and comes before all else.
pub(super) const FIRST: i32 = 10_000;
/// What a point of risk is worth to the other side.
pub(super) const RISK: i32 = 40;
/// What it is worth more for each point that counts already: those who are nearly down are struck again.
pub(super) const PRESSED: i32 = 8;
/// What a threat is worth, and a mark.
pub(super) const THREAT: i32 = 30;
pub(super) const MARK: i32 = 90;
/// What a threat is worth that may be the omen of a nemesis.
pub(super) const OMEN: i32 = 60;
/// What an intervention costs for each players' character there, and for each point of risk that counts.
pub(super) const INTERVENTION: i32 = 30;
pub(super) const EXPOSED: i32 = 12;
/// The level of somebody whose level is not known.
pub(super) const USUAL_LEVEL: i8 = 6;
/// What it costs to part with a weapon by throwing it.
pub(super) const THROWN: i32 = 40;
/// What it is worth to be rid of a bind.
pub(super) const RELEASE: i32 = 15;

/// How many of 216 throws make each face the highest that can be Light: faint, plain, bold.
pub(super) const LIGHTS: [[i32; 6]; 3] =
    [[16, 40, 52, 52, 40, 16], [6, 18, 30, 42, 54, 66], [1, 7, 19, 37, 61, 91]];
/// How many of 216 throws are guilty for those who would rather succeed than be innocent, by the Light needed.
pub(super) const GUILTY: [[i32; 8]; 3] = [guilty(0), guilty(1), guilty(2)];

pub(super) const fn guilty(dice: usize) -> [i32; 8] {
    let mut all = [0; 8];
    let mut throw = 0;
    while throw < 216 {
        let (a, b, c) = (throw / 36 + 1, throw / 6 % 6 + 1, if dice == 1 { 0 } else { throw % 6 + 1 });
        let most = max(a, max(b, c));
        let least = min(a, min(b, c));
        let middle = a + b + c - most - least;
        // A faint roll loses its highest die (`roll.faint`).
        let (first, second) = if dice == 0 { (middle, least) } else { (most, middle) };
        let mut need = 0;
        while need < 8 {
            let both = (first >= need && second >= 4) || (second >= need && first >= 4);
            let guilty = if first >= need { !both } else { first < 4 };
            all[need as usize] += guilty as i32;
            need += 1;
        }
        throw += 1;
    }
    all
}

pub(super) const fn max(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

pub(super) const fn min(a: i32, b: i32) -> i32 {
    if a < b { a } else { b }
}

/// The row of the tables above.
pub(super) const fn row(kind: RollKind) -> usize {
    match kind {
        RollKind::Faint => 0,
        RollKind::Plain | RollKind::Cancelled | RollKind::Group => 1,
        RollKind::Bold => 2,
    }
}

/// What an intervention costs the players.
pub(super) fn intervention(at: At<'_>) -> i32 {
    let Some(form) = at.state.form else { return INTERVENTION };
    // Whom nothing but guilt releases cannot use it (`mark.stricken`).
    let foes = at.state.in_sight().minus(at.rules.pcs);
    if !foes.is_empty() && foes.iter().all(|who| is_held(at.state, who)) {
        return INTERVENTION;
    }
    let pcs = at.state.pcs(at.rules);
    pcs.iter().map(|who| INTERVENTION + EXPOSED * i32::from(risk::effective(at, who, form))).sum()
}

/// Whether somebody is stricken, and not released.
pub(super) fn is_held(state: &State, who: Char) -> bool {
    let being = state.being(who);
    being.marks.has(Mark::Stricken) && !being.released
}

/// What a point of somebody's risk is worth.
pub(super) fn point(at: At<'_>, who: Char) -> i32 {
    let form = at.state.form.unwrap_or(Form::Martial);
    RISK + PRESSED * i32::from(risk::effective(at, who, form))
}

/// What a mark is worth.
pub(super) const fn weight_of(mark: Mark) -> i32 {
    match mark {
        Mark::Stricken => 130,
        Mark::Afflict => 80,
        Mark::Pierce => 60,
        Mark::Crush => 40,
    }
}

/// A defender, as an attack of one kind finds them.
pub(super) struct Defender {
    /// What risk adds to the degree.
    effective: i8,
    /// What the attack is worth by tier.
    tiers: [i32; 3],
    options: Options,
    /// What its failure costs: a counterattack.
    pub(super) fails: i32,
}

impl Defender {
    pub(super) fn of(
        at: At<'_>,
        (by, on): (Option<Char>, Char),
        form: Form,
        (veiled, fallback, most): (bool, bool, u8),
    ) -> Defender {
        let being = at.state.being(on);
        let kind = at.rules.sheet(on).kind;
        let effective = risk::effective(at, on, form);
        let each = RISK + PRESSED * i32::from(effective);
        let risk = |tier: Tier| {
            let most = if fallback { tier.risk() / 2 } else { tier.risk().min(most) };
            each * i32::from(risk::recorded(at, on, most))
        };
        let pierced = by.is_some_and(|by| at.state.being(by).marks.has(Mark::Pierce));
        let met = at.state.omen_met(at.rules, on);
        let (threat, mark) = match (veiled || fallback || pierced, met) {
            (true, _) => (0, 0),
            (_, true) => (THREAT, MARK),
            (_, false) => (OMEN, MARK + OMEN),
        };
        let (low, mid) = (risk(Tier::Low) + threat, risk(Tier::Mid) + mark);
        let high = match kind {
            _ if veiled => mid,
            _ if !met && at.rules.options.omen == OmenGuard::Barred => mid,
            _ => finished(kind),
        };
        let tiers = if kind == Kind::Brute && !veiled { [high; 3] } else { [low, mid, high] };
        let counters = by.filter(|_| !veiled && being.fate == Fate::In).map_or(0, |by| {
            let range = at.state.range(by, on);
            if !arms::may_counter(at, on, form, range) {
                0
            } else if risk::is_critical(at, by) {
                MARK
            } else {
                THREAT
            }
        });
        Defender { effective, tiers, options: at.rules.options, fails: counters }
    }

    pub(super) fn at(&self, degree: i8) -> i32 {
        self.tiers[self.options.tier(degree + self.effective) as usize]
    }

    /// What an attack of theirs is worth that needs this Light.
    pub(super) fn attacked(&self, kind: RollKind, need: i8) -> i32 {
        let of = |(face, throws): (i8, i32)| {
            throws * if face >= need { self.at(face - need) } else { -self.fails }
        };
        (1..).zip(LIGHTS[row(kind)]).map(of).sum::<i32>() / 216
    }

    /// What an attack is worth that they save from with this Light.
    pub(super) fn saves(&self, kind: RollKind, need: i8) -> i32 {
        let of =
            |(face, throws): (i8, i32)| throws * if face < need { self.at(need - face) } else { -self.fails };
        (1..).zip(LIGHTS[row(kind)]).map(of).sum::<i32>() / 216
    }
}

/// What it is worth that somebody is out of it.
pub(super) const fn finished(kind: Kind) -> i32 {
    match kind {
        Kind::Brute => 450,
        Kind::Foe | Kind::Pc => 600,
        Kind::Nemesis => 750,
    }
}

/// What being guilty costs that those cannot help who need this Light.
pub(super) fn guilt(kind: RollKind, need: i8, price: i32) -> i32 {
    GUILTY[row(kind)][need.clamp(0, 7) as usize] * price / 216
}

/// The level that an attack on somebody has to reach, as far as players know.
pub(super) fn level(at: At<'_>, on: Char) -> i8 {
    if harm::hides_pl(at, on) || at.rules.is_pc(on) { USUAL_LEVEL } else { at.rules.sheet(on).pl as i8 }
}
