//! What to do in a turn: attacks alone and together, deeds, and the attacks that an intervention gives.

use super::saving::Stand;
use super::stakes::*;
use crate::answer::{Answer, Deed};
use crate::event::RollKind;
use crate::rules::Gear;
use crate::state::{Arms, Danger, Group, Test};
use crate::{At, arms, attack, burden, harm, suit, vocab::*};
use fracas_kernel::fine;

/// Whoever has the turn.
pub(super) struct Acting<'a> {
    at: At<'a>,
    who: Char,
    form: Option<Form>,
    price: i32,
    /// They have what imposes marks and counters.
    armed: bool,
    /// They can attack nobody openly.
    barred: bool,
    /// Nobody can be attacked from where they stand.
    stuck: bool,
    /// The last attack that was looked at, and what is common to all like it.
    last: Option<((Char, bool, Arms), RollKind, Defender)>,
    /// What each of their fellows, and they, could do alone.
    alone: Option<[i32; MAX_CAST]>,
}

impl<'a> Acting<'a> {
    pub(super) fn of(at: At<'a>, who: Char, listed: &[Answer]) -> Acting<'a> {
        let form = at.state.form;
        let at_once = |answer: &Answer| {
            matches!(
                answer,
                Answer::Attack { moves: None, manner: None, veiled: false, .. }
                    | Answer::Assault { moves: None, manner: None, veiled: false, .. }
            )
        };
        let open = |answer: &Answer| matches!(answer, Answer::Attack { veiled: false, .. });
        Acting {
            at,
            who,
            form,
            price: intervention(at),
            armed: form.is_some_and(|form| arms::is_armed(at, who, form)),
            barred: !listed.iter().any(open),
            stuck: !listed.iter().any(at_once),
            last: None,
            alone: None,
        }
    }

    pub(super) fn rate(&mut self, answer: Answer) -> i32 {
        let pc = self.at.rules.is_pc(self.who);
        match answer {
            Answer::Deed(deed) => self.deed(deed),
            Answer::Attack { on, attribute, veiled, fallback, form, ability, with, manner, moves } => {
                let arms = Arms { with, manner, moves };
                self.attack((on, attribute), (veiled, fallback, form), arms, ability)
            }
            Answer::Assault { on, veiled, fallback, with, manner, moves, .. } => {
                let arms = Arms { with, manner, moves };
                on.iter().map(|on| assault(self.at, (self.who, on), (veiled, fallback), arms)).sum()
            }
            Answer::Group(with) => self.with(with),
            // A test brings an intervention only where it is guilty, but nothing else: it is for those who
            // cannot attack.
            Answer::Test { attribute, toward, ability: None, .. } if self.form.is_some() && self.barred => {
                let need = USUAL_LEVEL - self.at.rules.rank(self.who, attribute);
                let nearer = if toward.is_some() { THREAT } else { 0 };
                nearer - self.price / 3 - i32::from(need)
            }
            Answer::Pass if self.form.is_some() && pc => -self.price,
            Answer::Pass => 0,
            _ => -FIRST,
        }
    }

    pub(super) fn attack(
        &mut self,
        (on, attribute): (Char, Attribute),
        (veiled, fallback, form): (bool, bool, Option<Form>),
        arms: Arms,
        ability: Option<Ability>,
    ) -> i32 {
        let (at, by) = (self.at, self.who);
        let Some(form) = form.or(self.form) else { return -FIRST };
        let same = |last: &((Char, bool, Arms), RollKind, Defender)| last.0 == (on, veiled, arms);
        if !self.last.as_ref().is_some_and(same) {
            let kind = attack_kind(at, (by, on), form, veiled, arms);
            let defender = Defender::of(at, (Some(by), on), form, (veiled, fallback, harm::MOST_IMPOSED));
            self.last = Some(((on, veiled, arms), kind, defender));
        }
        let Some((_, kind, defender)) = &self.last else { return 0 };
        let power = ability.map(|ability| at.rules.power(ability));
        let attribute = power.and_then(|power| power.attribute).unwrap_or(attribute);
        let test = Test { on: Some(on), form: Some(form), veiled, arms, ..Test::default() };
        let need = level(at, on) - arms::rank(at, &test, by, attribute);
        let (kind, quick, long, paid) = power.map_or((*kind, false, false, 0), |power| {
            let bold = power.bold || matches!(kind, RollKind::Bold | RollKind::Cancelled);
            let faint = power.faint || matches!(kind, RollKind::Faint | RollKind::Cancelled);
            let paid = i32::from(power.cost) * point(at, by) + i32::from(power.once.is_some()) * THREAT;
            (RollKind::of(bold, faint), power.quick, power.long, paid)
        });
        let long = long || arms.moves.is_some() || burden::is_slow(at.state, by, true);
        let mut costs = paid;
        // An intervention opens a long test, whose saves are quick (`roll.long`).
        costs += if long { self.price * 2 / 3 } else { 0 };
        costs += if quick { 0 } else { guilt(kind, need, self.price) };
        costs += if arms.manner == Some(Manner::Throw) { THROWN } else { 0 };
        defender.attacked(kind, need) - costs
    }

    /// What a group with these is worth, less what each could do alone.
    pub(super) fn with(&mut self, with: CharSet) -> i32 {
        let (at, members) = (self.at, with.with(self.who));
        let Some(form) = self.form else { return -FIRST };
        let price = self.price;
        let all = self.alone.get_or_insert_with(|| {
            let mut alone = [0; MAX_CAST];
            for who in at.state.pcs(at.rules).minus(at.state.acted).iter() {
                alone[who.index()] = best_alone(at, who, form, price);
            }
            alone
        });
        let others: i32 = with.iter().map(|who| all[who.index()]).sum();
        let targets = attack::targets(at, self.who).map(|(on, _)| together(at, members, on));
        targets.max().unwrap_or(-2 * FIRST) - others
    }

    /// Deeds are for what is missing: those who are armed and in reach do none.
    pub(super) fn deed(&self, deed: Deed) -> i32 {
        let at = self.at;
        let being = at.state.being(self.who);
        let Some(form) = self.form.filter(|_| !being.marks.has(Mark::Crush)) else { return -FIRST };
        let useful =
            |item: Item| arms::is_trained(at.rules, self.who, item) && at.rules.gear(item).form == form;
        let power = |item: Item| useful(item) && at.rules.gear(item).category == Category::Power;
        let farther = |item: Item| self.stuck && form.has_ranges() && at.rules.gear(item).range > Band::Close;
        let wanted = |item: Item| power(item) && (!self.armed || farther(item));
        let keen = |gear: &Gear| gear.category == Category::Keen && gear.form == form;
        let guarded = || being.readied.iter().any(|item| keen(at.rules.gear(item)));
        let shield = |item: Item| useful(item) && keen(at.rules.gear(item)) && !guarded();
        match deed {
            Deed::ReadyBoth(one, other) if wanted(one) && shield(other) || wanted(other) && shield(one) => {
                FIRST + 3
            }
            Deed::Ready(item) | Deed::Switch(_, item) if wanted(item) => FIRST + 2,
            Deed::Ready(item) if shield(item) => FIRST + 1,
            Deed::Recover(item) | Deed::Take(item) if wanted(item) && !self.armed => FIRST,
            Deed::Compose if form == Form::Subtle => FIRST,
            Deed::Mount(_)
                if form == Form::Martial && at.rules.sheet(self.who).trained.has(Training::Captain) =>
            {
                FIRST
            }
            _ => -FIRST,
        }
    }
}

/// How the dice of an attack fall.
pub(super) fn attack_kind(
    at: At<'_>,
    (by, on): (Char, Char),
    form: Form,
    veiled: bool,
    arms: Arms,
) -> RollKind {
    let band = arms::band_after(at.state, by, on, arms.moves);
    let bold = attack::is_bold(at, (by, on), form, veiled, (arms, band));
    RollKind::of(bold, arms.manner == Some(Manner::Throw))
}

/// The Light that somebody needs against somebody from where they stand, with what suits best.
pub(super) fn needs(at: At<'_>, by: Char, on: Char, form: Form) -> Option<i8> {
    let plain = Arms::default();
    let reaches = fine(|out| {
        attack::object(at, by, on, false, out);
        arms::object_reach(at, (by, on), form, false, plain, out);
    });
    let test = Test { on: Some(on), form: Some(form), ..Test::default() };
    let suiting =
        at.rules.form(form).attributes.iter().filter(|&&a| suit::attribute(at, (by, on), form, plain, a));
    let rank = suiting.map(|&a| arms::rank(at, &test, by, a)).max();
    reaches.then(|| level(at, on) - rank.unwrap_or(0))
}

/// What somebody's best attack alone is worth.
pub(super) fn best_alone(at: At<'_>, by: Char, form: Form, price: i32) -> i32 {
    let plain = Arms::default();
    let of = |(on, _): (Char, bool)| {
        let need = needs(at, by, on, form)?;
        let kind = attack_kind(at, (by, on), form, false, plain);
        let defender = Defender::of(at, (Some(by), on), form, (false, false, harm::MOST_IMPOSED));
        Some(defender.attacked(kind, need) - guilt(kind, need, price))
    };
    attack::targets(at, by).filter_map(of).max().unwrap_or(-price / 2)
}

/// What an attack of these together is worth: never bold, three points of risk for all, and one
/// Truth (`gattack.risk-cap`, `group.truth`).
pub(super) fn together(at: At<'_>, members: CharSet, on: Char) -> i32 {
    let Some(form) = at.state.form.filter(|_| !at.rules.is_pc(on)) else { return -2 * FIRST };
    // The best dice of four are little better than those of two, of six as those of a bold roll.
    let (kind, share) = if members.len() > 2 { (RollKind::Bold, 1) } else { (RollKind::Plain, 2) };
    let mut sum = 0;
    for by in members.iter() {
        let Some(need) = needs(at, by, on, form) else { return -2 * FIRST };
        sum += Defender::of(at, (Some(by), on), form, (false, false, share)).attacked(kind, need);
    }
    // It is finished only once.
    sum.min(finished(at.rules.sheet(on).kind)) - intervention(at) / 2
}

/// How much an attribute suits a member of a group.
pub(super) fn suits(at: At<'_>, group: &Group, who: Char, attribute: Attribute) -> i32 {
    let rank = at.rules.rank(who, attribute).into();
    let Some((on, form)) = group.on.zip(at.state.form) else { return rank };
    let suits = if group.veiled {
        VEILED.contains(&attribute)
    } else {
        suit::attribute(at, (who, on), form, Arms::default(), attribute)
    };
    if suits { rank } else { rank - FIRST }
}

/// The worth of the best attack that an intervention gives somebody.
pub(super) fn best_assault(at: At<'_>, answer: Answer) -> i32 {
    let (Answer::Grant(npc), Some(form)) = (answer, at.state.form) else { return 0 };
    let plain = Arms::default();
    let (mut near, mut best) = (0, 0);
    for (on, fallback) in attack::targets(at, npc) {
        let reaches = |arms| fine(|out| arms::object_reach(at, (npc, on), form, false, arms, out));
        let up = Arms { moves: Some(Moves::In), ..plain };
        if reaches(plain) {
            near += assault(at, (npc, on), (false, fallback), plain);
        } else if reaches(up) {
            best = best.max(assault(at, (npc, on), (false, fallback), up));
        }
    }
    // Those who have nothing in hand ready it first.
    best.max(near)
}

/// What an attack of one of the gamemaster's characters is worth.
pub(super) fn assault(
    at: At<'_>,
    (by, on): (Char, Char),
    (veiled, fallback): (bool, bool),
    arms: Arms,
) -> i32 {
    let Some(form) = at.state.form else { return 0 };
    let danger = Danger {
        by: Some(by),
        form: Some(form),
        veiled,
        fallback,
        arms,
        essence: at.rules.form(form).essences[0],
        cl: at.rules.sheet(by).pl as i8,
        bold: arms.manner == Some(Manner::Throw),
        quick: arms.moves.is_some(),
        ..Danger::default()
    };
    let stand = Stand::of(at, &danger, on, on);
    stand.loss(stand.kind(false, false), at.rules.essence(on, danger.essence), danger.quick)
}
