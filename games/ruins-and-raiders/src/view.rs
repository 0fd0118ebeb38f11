//! What one viewer may see.

use crate::effect::{Against, Effect};
use crate::rules::{Rules, Track, Visibility};
use crate::state::{Attack, Blow, Check, Frame, Lie, Phase, State, Why, With};
use crate::{At, RuinsAndRaiders, attack, round, values, vocab::*, walk, words};
use fracas_kernel::{Hidden, Known, Masked, Seat, Secret, Space, Viewer};
use std::collections::BTreeMap;

fracas_kernel::view! {
    /// The table as one viewer may see it.
    pub struct View {
        pub title: String,
        pub phase: Phase,
        /// The round of the battle, from round zero.
        pub round: u16,
        /// How long the conflict has lasted (`unit.round`).
        pub seconds: u32,
        /// Whose turn runs, of those this viewer sees.
        pub turn: Option<Char>,
        /// Everybody in the battle whom this viewer sees, in the order of initiative.
        pub order: Vec<Char>,
        /// Those who wait.
        pub waiting: CharSet,
        /// What is under way, in words, the topmost last.
        pub under_way: Vec<String>,
        /// What was begun and takes several actions, in words.
        pub deeds: Vec<String>,
        pub over: bool,
        /// Everybody this viewer sees, by name.
        pub cast: BTreeMap<String, Seen>,
        /// Weapons that lie about, by name.
        pub lying: BTreeMap<String, SeenArm>,
        pub options: BTreeMap<&'static str, &'static str>,
    }

    /// Somebody, as one viewer may see them.
    pub struct Seen {
        pub name: String,
        pub seat: Seat,
        pub side: Side,
        pub mount: bool = default,
        pub away: bool = default,
        /// The space, in words.
        pub at: String,
        pub riding: Option<Char> = default,
        pub wounds: u16,
        pub shocks: u16,
        pub disabled: bool = default,
        pub dead: bool = default,
        pub out: bool = default,
        pub prone: bool = default,
        pub asleep: bool = default,
        pub unaware: bool = default,
        pub surprised: bool = default,
        /// Only to the Adversary: players have not noticed this one.
        pub unseen: bool = default,
        pub revealed: bool = default,
        pub weary: bool = default,
        /// Has Fortune left (`fortune-open`).
        pub lucky: bool = default,
        pub battle: Option<SeenFighting> = default,
        /// How far ahead in a chase.
        pub lead: i16 = default,
        /// What only those are told who know the numbers.
        pub numbers: Option<Numbers> = default,
        pub weapons: BTreeMap<String, SeenArm> = default,
        /// What it waits for, in words: for its own seat and the Adversary.
        pub waits_for: Option<String> = default,
        /// What the Adversary keeps to themself.
        pub secret: Option<String> = default,
    }

    /// How somebody stands in the battle.
    pub struct SeenFighting {
        pub turn: Turn,
        /// The score of this round, where it is known.
        pub initiative: Option<i16> = default,
        pub held_over: bool = default,
        pub actions: u8,
        pub step: bool,
        pub spent: u8,
        pub aim: u8 = default,
        pub defend: u8 = default,
        pub haymaker: u8 = default,
        pub resist: u8 = default,
        pub look: u8 = default,
        pub extra: u8 = default,
        pub changes: BTreeMap<&'static str, i8> = default,
        pub held: bool = default,
        /// Spaces of this round's charge.
        pub charge: Option<u8> = default,
        pub charging: bool = default,
        /// Actions that a long deed still needs.
        pub deed: u8 = default,
        /// Whom a trick of this one's is for, and what it adds (`stealth.trick`).
        pub trick: Option<(Char, i8)> = default,
    }

    /// The numbers of a sheet.
    pub struct Numbers {
        pub traits: BTreeMap<String, u8>,
        pub movement: u8,
        pub dodge: i16,
        pub parry: i16,
        pub defiance: i16,
        pub protection: i16,
        /// So many wounds disable.
        pub disabled_at: u16,
        /// What Brawn lifts, in kg (`trait.lift`).
        pub lifts: u32,
        pub fortune: u16,
        pub experience: u32,
        pub gifts: GiftSet,
        pub spells: Vec<Spell>,
    }

    /// A weapon or a shield.
    pub struct SeenArm {
        pub name: String,
        /// How it lies, in words.
        pub lies: String,
        pub power: Option<u8> = default,
        pub defence: Option<u8> = default,
    }
}

/// Whether somebody is played by a player.
pub(crate) fn is_players(rules: &Rules, who: Char) -> bool {
    rules.seat(who) != Seat::Gm
}

/// Whether this viewer plays somebody.
pub(crate) fn is_own(rules: &Rules, who: Char, viewer: Viewer) -> bool {
    viewer == Viewer::Seat(rules.seat(who))
}

/// Whether this viewer sees somebody, and what they do. Players see their own characters, and those of
/// the Adversary's whom they have noticed.
pub(crate) fn sees(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || is_players(at.rules, who) || at.state.is_noticed(who)
}

/// Whether this viewer knows that somebody exists. Those who went away are not forgotten.
pub(crate) fn knows_of(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    let is_gone = at.state.being(who).away && !at.state.being(who).unseen;
    sees(at, who, viewer) || is_gone && at.state.met.has(who)
}

/// Whether this viewer knows somebody's traits and values (`visibility`).
pub(crate) fn knows_values(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    let is_told = || {
        is_players(at.rules, who)
            || at.rules.sheet(who).side == Side::Players
            || at.state.being(who).revealed
            || at.rules.options.visibility == Visibility::Open
    };
    viewer.is_gm() || sees(at, who, viewer) && is_told()
}

/// Whether this viewer is shown challenge levels in a fight (`visibility`).
pub(crate) fn shows_fight(at: At<'_>, viewer: Viewer) -> bool {
    viewer.is_gm() || State::shows_level(at.rules, false)
}

/// Whether a check with this is made to notice something.
pub(crate) fn notices(with: Trait) -> bool {
    matches!(with, Trait::PERCEPTION | Trait::INTUITION)
}

/// Whether this viewer is shown the challenge level of a check before its result (`visibility`).
pub(crate) fn shows_check(at: At<'_>, check: &Check, viewer: Viewer) -> bool {
    viewer.is_gm() || !check.secret && State::shows_level(at.rules, notices(check.with))
}

/// Whether this viewer knows what somebody waits for.
pub(crate) fn knows_wire(rules: &Rules, who: Char, viewer: Viewer) -> bool {
    viewer.is_gm() || is_own(rules, who, viewer)
}

/// Whether this viewer knows of a weapon: of its first owner, or of who has it; or has seen it lie about.
pub(crate) fn knows_weapon(at: At<'_>, weapon: Weapon, viewer: Viewer) -> bool {
    let place = at.state.place(weapon);
    let whose = [at.rules.arm(weapon).owner, place.holder];
    place.seen || whose.into_iter().any(|who| knows_of(at, who, viewer))
}

/// Whether this viewer knows of a spell or a manoeuvre: of a foe's once it was used, or the foe's numbers
/// are known.
fn knows_skill(at: At<'_>, owner: Char, used: bool, viewer: Viewer) -> bool {
    knows_of(at, owner, viewer) && (viewer.is_gm() || used || knows_values(at, owner, viewer))
}

/// How much this viewer may know of a name: traits and kinds of ground are everybody's.
pub(crate) fn knows_name(at: At<'_>, (letter, n): (char, usize), who: Viewer) -> Known {
    let id = n as u8;
    let known = match letter {
        Char::LETTER => knows_of(at, Char(id), who),
        Weapon::LETTER => knows_weapon(at, Weapon(id), who),
        Spell::LETTER => {
            let spell = Spell(id);
            knows_skill(at, at.rules.spell(spell).owner, at.state.spells.has(spell), who)
        }
        Manoeuvre::LETTER => {
            let (manoeuvre, data) = (Manoeuvre(id), at.rules.manoeuvre(Manoeuvre(id)));
            let used = at.state.manoeuvres.has(manoeuvre);
            data.owner.is_none_or(|owner| knows_skill(at, owner, used, who))
        }
        _ => true,
    };
    if known { Known::Open } else { Known::Hidden }
}

/// Takes the names of what is hidden out of the rules.
pub(crate) fn mask(rules: &mut Rules, _: &mut State, hidden: &Hidden) {
    for (_, sheet) in rules.cast.iter_mut().enumerate().filter(|(at, _)| hidden.has(Char::LETTER, *at)) {
        (sheet.name, sheet.said) = ("somebody".to_owned(), "somebody".to_owned());
    }
    let weapons = rules.weapons.iter_mut().map(|arm| &mut arm.name).enumerate();
    let spells = rules.spells.iter_mut().map(|spell| &mut spell.name).enumerate();
    let manoeuvres = rules.manoeuvres.iter_mut().map(|data| &mut data.name).enumerate();
    let of = |letter| move |(at, name)| (letter, at, name);
    let things = weapons.map(of(Weapon::LETTER)).chain(spells.map(of(Spell::LETTER)));
    for (letter, at, name) in things.chain(manoeuvres.map(of(Manoeuvre::LETTER))) {
        if hidden.has(letter, at) {
            "something".clone_into(name);
        }
    }
}

/// Whether somebody is in the midst of a move of which this viewer does not see how far it has come
/// (`cut-once`).
pub(crate) fn is_going(at: At<'_>, who: Char, viewer: Viewer) -> bool {
    let Some(Frame::Cut(cut)) = at.state.frames.last() else { return false };
    let asked = round::next_to_cut(at, cut).is_some_and(|next| is_own(at.rules, next, viewer));
    let walks = |frame: &Frame| matches!(frame, Frame::Walk(walk) if walk.who == who && !walk.over);
    !viewer.is_gm() && !asked && at.state.frames.iter().any(walks)
}

/// Everybody in the battle whom this viewer sees, in the order of initiative. There is none in round zero.
pub(crate) fn order(at: At<'_>, viewer: Viewer) -> Vec<Char> {
    if at.state.phase != Phase::Battle || at.state.round == 0 {
        return Vec::new();
    }
    let takes_part = |&who: &Char| at.state.fighting(who).turn != Turn::Out && at.state.is_here(who);
    let seen = at.rules.everybody().filter(takes_part).filter(|&who| sees(at, who, viewer));
    round::in_order(at, seen.collect()).into_iter().collect()
}

/// The table as one viewer may see it.
pub(crate) fn view(at: At<'_>, who: Viewer) -> View {
    let masked = Masked::<RuinsAndRaiders>::new(at.rules, at.state, who);
    let worded = At { rules: masked.rules(), state: masked.state() };
    let cast = at.rules.everybody().filter(|&c| sees(at, c, who));
    let frames = at.state.frames.iter().filter_map(|frame| words::under_way(worded, frame, who));
    let deeds = at.state.deeds.iter().filter(|(doer, _)| sees(at, *doer, who));
    View {
        title: at.rules.roster.title.clone(),
        phase: at.state.phase,
        round: at.state.round,
        seconds: 6 * u32::from(at.state.round),
        turn: at.state.turn.filter(|&c| sees(at, c, who)),
        order: order(at, who),
        waiting: round::those(at, Turn::Waits).iter().filter(|&c| sees(at, c, who)).collect(),
        under_way: frames.collect(),
        deeds: deeds.map(|(doer, what)| format!("{}: {}", at.rules.name(*doer), words::own(*what))).collect(),
        over: at.state.over,
        cast: cast.map(|c| (at.rules.sheet(c).slug.clone(), seen(at, c, who))).collect(),
        lying: lying(at, who).map(|weapon| seen_arm(at, weapon, who)).collect(),
        options: at.rules.options.words().into_iter().collect(),
    }
}

/// Weapons that lie about, and that this viewer knows of.
pub(crate) fn lying(at: At<'_>, viewer: Viewer) -> impl Iterator<Item = Weapon> + '_ {
    let all = (0..at.rules.weapons.len() as u8).map(Weapon);
    let lies = move |&weapon: &Weapon| matches!(at.state.place(weapon).lie, Lie::Dropped(_));
    all.filter(lies).filter(move |&weapon| knows_weapon(at, weapon, viewer))
}

/// Whether this viewer knows what a weapon does: who has it is one whose numbers are known, or it lies
/// about.
pub(crate) fn knows_arm(at: At<'_>, weapon: Weapon, viewer: Viewer) -> bool {
    let place = at.state.place(weapon);
    matches!(place.lie, Lie::Dropped(_)) || knows_values(at, place.holder, viewer)
}

fn seen_arm(at: At<'_>, weapon: Weapon, viewer: Viewer) -> (String, SeenArm) {
    let arm = at.rules.arm(weapon);
    let knows = knows_arm(at, weapon, viewer);
    let seen = SeenArm {
        name: arm.name.clone(),
        lies: words::lies(at, at.state.place(weapon).lie),
        power: knows.then_some(arm.power),
        defence: knows.then_some(arm.defence),
    };
    (arm.slug.clone(), seen)
}

fn seen(at: At<'_>, who: Char, viewer: Viewer) -> Seen {
    let (sheet, being) = (at.rules.sheet(who), at.state.being(who));
    let gm = viewer.is_gm();
    let has = [Lie::Hand, Lie::Carried].into_iter().flat_map(|lie| at.state.held(who, lie));
    let waits = being.battle.turn == Turn::Waits && knows_wire(at.rules, who, viewer);
    Seen {
        name: sheet.name.clone(),
        seat: sheet.seat,
        side: sheet.side,
        mount: sheet.mount,
        away: being.away,
        at: words::space(at, walk::shown(at, who, viewer)),
        riding: being.riding.filter(|&mount| sees(at, mount, viewer)),
        wounds: being.wounds,
        shocks: being.shocks,
        disabled: at.state.is_disabled(at.rules, who),
        dead: at.state.is_dead(at.rules, who),
        out: being.out,
        prone: being.prone,
        asleep: being.asleep,
        unaware: being.unaware,
        surprised: being.surprised,
        unseen: gm && being.unseen,
        revealed: being.revealed,
        weary: being.weary,
        lucky: being.fortune > 0,
        battle: (at.state.phase == Phase::Battle && being.battle.turn != Turn::Out)
            .then(|| seen_fighting(at, who, viewer)),
        lead: being.lead,
        numbers: knows_values(at, who, viewer).then(|| numbers(at, who)),
        weapons: has.map(|weapon| seen_arm(at, weapon, viewer)).collect(),
        waits_for: waits.then(|| words::waits_for(at, who)),
        secret: gm.then(|| sheet.secret.clone()).filter(|secret| !secret.is_empty()),
    }
}

fn seen_fighting(at: At<'_>, who: Char, viewer: Viewer) -> SeenFighting {
    let fighting = at.state.fighting(who);
    let changes = Value::ALL.iter().map(|&value| (value.word(), fighting.changes[value as usize]));
    SeenFighting {
        turn: fighting.turn,
        initiative: (at.state.round > 0
            && fighting.initiative > values::NO_SCORE
            && knows_values(at, who, viewer))
        .then(|| values::initiative(at, who)),
        held_over: fighting.held_over,
        actions: fighting.actions,
        step: fighting.step,
        spent: fighting.spent,
        aim: fighting.aim,
        defend: fighting.defend,
        haymaker: fighting.haymaker,
        resist: fighting.resist,
        look: fighting.look,
        extra: fighting.extra,
        changes: changes.filter(|(_, by)| *by != 0).collect(),
        held: fighting.held,
        charge: fighting.charge.filter(|_| !is_going(at, who, viewer)),
        charging: fighting.charging,
        deed: fighting.deed,
        trick: fighting.trick.filter(|&(on, _)| sees(at, on, viewer)),
    }
}

fn numbers(at: At<'_>, who: Char) -> Numbers {
    let being = at.state.being(who);
    let traits = at.rules.traits.iter().zip(being.levels);
    Numbers {
        traits: traits.map(|(named, level)| (named.slug.clone(), level)).collect(),
        movement: values::movement(at, who),
        dodge: values::dodge(at, who),
        parry: values::parry(at, who),
        defiance: values::defiance(at, who),
        protection: values::protection(at, who),
        disabled_at: at.state.disabled_at(at.rules, who),
        lifts: crate::points::lift(being.levels[Trait::BRAWN.index()].into()),
        fortune: being.fortune,
        experience: being.experience,
        gifts: at.rules.sheet(who).gifts,
        spells: at.rules.spells_of(who).collect(),
    }
}

/// Those who have a part in what is under way: where they are, and how, decides who is asked next.
fn involved(state: &State) -> CharSet {
    let of = |frame: &Frame| match frame {
        Frame::Walk(walk) => CharSet::one(walk.who),
        Frame::Attack(attack) => CharSet::one(attack.by).with(attack.on),
        Frame::Check(check) => match check.why {
            Why::Notice { of: Some(other), .. } | Why::Feel(other) => CharSet::one(check.who).with(other),
            _ => CharSet::one(check.who),
        },
        Frame::Cut(cut) => cut.queue.with(cut.on),
        Frame::Deed(deed) => CharSet::one(deed.who),
        Frame::Initiative(all) | Frame::RollOff(all) | Frame::Chase(all) | Frame::Rest(all, _) => *all,
    };
    state.frames.iter().map(of).fold(CharSet::NONE, CharSet::or)
}

/// Which hidden numbers of somebody this viewer can work out from what is shown.
struct Shown {
    /// Traits that stand alone in a number that is shown, a bit each.
    traits: u32,
    /// Dodge, Parry and Defiance, in challenge levels.
    defences: bool,
    /// Protection, in the wounds of a strike.
    protection: bool,
    /// Brawn and power together, in the damage of strikes with these weapons; how much of each was held back.
    damage: Vec<(Weapon, (u8, u8))>,
}

impl Shown {
    fn of(at: At<'_>, who: Char, viewer: Viewer) -> Shown {
        let defences = shows_fight(at, viewer) && sees(at, who, viewer);
        let mut shown = Shown { traits: 0, defences, protection: false, damage: Vec::new() };
        // Who goes first hangs on it.
        shown.show(Trait::PERCEPTION);
        for frame in &at.state.frames {
            match frame {
                Frame::Attack(attack) => shown.attack(at, who, attack, viewer),
                Frame::Check(check) if check.who == who && shows_check(at, check, viewer) => {
                    shown.show(check.with);
                }
                _ => {}
            }
        }
        // What this viewer's characters can do shows its odds.
        let spells = at.rules.spells.iter().map(|spell| (Some(spell.owner), spell.against));
        let manoeuvres = at.rules.manoeuvres.iter().map(|data| (data.owner, data.against));
        for (owner, against) in spells.chain(manoeuvres) {
            let is_theirs = owner.is_none_or(|owner| is_own(at.rules, owner, viewer));
            if let Against::Trait(of) = against
                && defences
                && is_theirs
            {
                shown.show(of);
            }
        }
        shown
    }

    /// What an attack under way shows: where levels are shown all that its odds rest on, and once the dice
    /// lie what its mox and its wounds follow from.
    fn attack(&mut self, at: At<'_>, who: Char, attack: &Attack, viewer: Viewer) {
        let lies = matches!(attack.step, Blow::Absorb | Blow::Effect | Blow::Rule | Blow::Lands);
        if !lies && !shows_fight(at, viewer) {
            return;
        }
        if attack.on == who {
            match values::against(at, attack) {
                Against::Trait(of) => self.show(of),
                Against::Body | Against::Only(_) => self.defences = true,
                Against::Level(_) | Against::Nothing => {}
            }
            self.protection |= lies && attack::is_strike(attack);
        }
        if attack.by != who {
            return;
        }
        self.show(values::offence(at, attack));
        let has_brawn = |effect: &Effect| matches!(effect, Effect::Wounds { brawn: true, .. });
        match attack.with {
            With::Weapon(weapon) => self.damage.push((weapon, attack.pull)),
            With::BareHands => self.show(Trait::BRAWN),
            _ if attack::effects(at, attack).iter().any(has_brawn) => self.show(Trait::BRAWN),
            With::Spell(_) | With::Manoeuvre(_) => {}
        }
    }

    fn show(&mut self, of: Trait) {
        self.traits |= 1 << of.index();
    }

    fn has(&self, of: Trait) -> bool {
        self.traits >> of.index() & 1 != 0
    }
}

/// What differs between two tables that look the same.
#[derive(Clone, Copy)]
struct Chance(u64);

impl Chance {
    /// A number below `most`; of each place another one.
    fn pick(self, place: usize, most: u64) -> u64 {
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left((place % 64) as u32) >> 1) % most.max(1)
    }

    fn small(self, place: usize, most: u8) -> u8 {
        self.pick(place, most.into()) as u8
    }

    /// A sum in two parts.
    fn parts(self, place: usize, sum: u8) -> (u8, u8) {
        let part = self.pick(place, u64::from(sum) + 1) as u8;
        (part, sum - part)
    }
}

/// Changes what is hidden from a viewer, and nothing else.
pub(crate) fn scramble(rules: &mut Rules, state: &mut State, who: Viewer, seed: u64) {
    if who.is_gm() {
        return;
    }
    let chance = Chance(seed);
    let all: CharSet = rules.everybody().collect();
    // What is known is read off the table as it is.
    let now = At { rules, state };
    let unseen: CharSet = all.iter().filter(|&one| !sees(now, one, who)).collect();
    let unknown: CharSet = all.iter().filter(|&one| !knows_of(now, one, who)).collect();
    let numbered: CharSet = all.iter().filter(|&one| knows_values(now, one, who)).collect();
    let weapons: Vec<Weapon> = (0..rules.weapons.len() as u8)
        .map(Weapon)
        .filter(|&weapon| !knows_weapon(now, weapon, who))
        .collect();
    let is_hidden = |letter: char, n: usize| knows_name(now, (letter, n), who) == Known::Hidden;
    let hidden = [
        (0..rules.spells.len()).filter(|&n| is_hidden(Spell::LETTER, n)).collect(),
        (0..rules.manoeuvres.len()).filter(|&n| is_hidden(Manoeuvre::LETTER, n)).collect(),
    ];
    let part = involved(state);
    for one in all.iter() {
        rules.cast[one.index()].secret = format!("another secret {}", chance.pick(one.index(), 97));
    }
    wires(rules, state, who, chance);
    levels(rules, state, who, chance);
    for one in unseen.minus(part).iter() {
        elsewhere(rules, state, one, chance);
    }
    for one in unknown.iter() {
        let sheet = &mut rules.cast[one.index()];
        sheet.name = format!("Another {}", chance.pick(one.index(), 90));
        sheet.said.clone_from(&sheet.name);
    }
    skills(rules, &hidden, chance);
    for weapon in weapons {
        let place = state.place(weapon);
        let arm = &mut rules.weapons[weapon.index()];
        arm.name = format!("another thing {}", chance.pick(weapon.index(), 90));
        if !part.has(place.holder) && !arm.natural {
            (arm.power, arm.defence) =
                (chance.small(weapon.index(), 20), chance.small(weapon.index() + 1, 4));
            if matches!(place.lie, Lie::Hand | Lie::Carried) {
                let lie = if chance.pick(weapon.index() + 2, 2) == 0 { Lie::Hand } else { Lie::Carried };
                state.arms[weapon.index()].lie = lie;
            }
        }
    }
    // The Movement of who carries somebody shows in the rider's.
    let carries = |&one: &Char| state.rider(one).is_some_and(|rider| numbered.has(rider));
    let carrying: CharSet = all.iter().filter(carries).collect();
    for one in all.minus(numbered).minus(carrying).iter() {
        let shown = Shown::of(At { rules, state }, one, who);
        numbers_of(rules, state, one, &shown, chance);
    }
}

/// What those wait for who are not this viewer's. Who may be asked now stays as it is.
fn wires(rules: &Rules, state: &mut State, viewer: Viewer, chance: Chance) {
    let queues = state.frames.iter().filter_map(|frame| match frame {
        Frame::Cut(cut) => Some(cut.queue),
        _ => None,
    });
    let asked = queues.fold(CharSet::NONE, CharSet::or);
    let others = rules.everybody().filter(|&one| !knows_wire(rules, one, viewer) && !asked.has(one));
    for one in others.collect::<CharSet>().iter() {
        let wire = match chance.pick(one.index(), 3) {
            0 => Wire::Moved,
            1 => Wire::Moves,
            _ => Wire::Near { of: None, within: 1 + chance.small(one.index() + 1, 5) },
        };
        let weapon = state.held(one, Lie::Hand).next();
        let fighting = state.fighting_mut(one);
        fighting.wire = Secret::new(wire);
        fighting.trap = Secret::new(weapon.filter(|_| chance.pick(one.index() + 2, 2) == 0));
    }
}

/// Challenge levels that are not shown: of checks under way, and of the ground.
fn levels(rules: &mut Rules, state: &mut State, viewer: Viewer, chance: Chance) {
    let now = At { rules, state };
    let is_hidden = |frame: &Frame| matches!(frame, Frame::Check(check) if !shows_check(now, check, viewer));
    let hidden: Vec<bool> = now.state.frames.iter().map(is_hidden).collect();
    for (at, frame) in state.frames.iter_mut().enumerate().filter(|(at, _)| hidden[*at]) {
        if let Frame::Check(check) = frame {
            *check.level.reveal_mut() = 3 + chance.pick(at, 18) as i16;
        }
    }
    if !State::shows_level(rules, false) {
        for (at, ground) in rules.grounds.iter_mut().enumerate() {
            ground.level = ground.level.map(|_| 3 + chance.small(at, 18));
        }
    }
}

/// Makes somebody whom this viewer does not see another one, somewhere else. Whether they can act stays
/// as it is: on that hangs who is asked.
fn elsewhere(rules: &mut Rules, state: &mut State, one: Char, chance: Chance) {
    let at = one.index();
    let able = !state.is_disabled(rules, one);
    let (disables, kills) =
        (state.disabled_at(rules, one), rules.sheet(one).track.unwrap_or(rules.track).dead);
    let carries = state.rider(one).is_some();
    let field = &rules.field;
    let space = Space::new(chance.small(at + 1, field.columns()), chance.small(at + 2, field.rows()));
    let space = space.filter(|&space| field.is_there(space));
    let being = state.being_mut(one);
    being.levels[Trait::PERCEPTION.index()] = chance.small(at + 3, 12);
    if able {
        being.wounds = chance.pick(at + 4, disables.min(kills).into()) as u16;
        being.shocks = chance.pick(at + 5, kills.into()) as u16;
    }
    if let Some(space) = space.filter(|_| being.riding.is_none() && !carries) {
        being.at = space;
    }
    being.fortune = chance.pick(at + 6, 9) as u16;
    (being.prone, being.unaware) = (chance.pick(at + 8, 2) == 0, chance.pick(at + 9, 2) == 0);
    (being.revealed, being.weary) = (chance.pick(at + 10, 2) == 0, chance.pick(at + 11, 2) == 0);
    if matches!(being.battle.turn, Turn::Later | Turn::Done) {
        being.battle.initiative = chance.pick(at + 12, 25) as i16;
    }
    rules.cast[at].history = vec![format!("another past {}", chance.pick(at + 16, 90))];
}

/// Makes spells and manoeuvres that this viewer does not know of others.
fn skills(rules: &mut Rules, [spells, manoeuvres]: &[Vec<usize>; 2], chance: Chance) {
    let mut effects: Vec<&mut [Effect]> = Vec::new();
    let level = |at: usize, against: &mut Against| {
        if let Against::Level(level) = against {
            *level = 3 + chance.small(at + 3, 13);
        }
    };
    for (at, spell) in rules.spells.iter_mut().enumerate().filter(|(at, _)| spells.contains(at)) {
        spell.name = format!("another spell {}", chance.pick(at, 90));
        (spell.energy, spell.actions) = (chance.small(at + 1, 4), 1 + chance.small(at + 2, 2));
        level(at, &mut spell.against);
        effects.push(&mut spell.effects);
    }
    for (at, data) in rules.manoeuvres.iter_mut().enumerate().filter(|(at, _)| manoeuvres.contains(at)) {
        data.name = format!("another trick {}", chance.pick(at, 90));
        data.actions = 1 + chance.small(at + 2, 2);
        level(at, &mut data.against);
        effects.push(&mut data.effects);
    }
    for (at, effect) in effects.into_iter().flatten().enumerate() {
        match effect {
            Effect::Wounds { power, .. } | Effect::Shocks { power, .. } => {
                *power = chance.small(at + 2, 10).into();
            }
            Effect::Change { by, .. } => *by = by.signum() * (1 + chance.small(at + 2, 5) as i8),
            Effect::Thrown(spaces) => *spaces = 1 + chance.small(at + 2, 6),
            _ => {}
        }
    }
}

/// Changes the numbers of an enemy to such as most have, and none that is shown: of two that are shown as a
/// sum, each gains what the other loses.
fn numbers_of(rules: &mut Rules, state: &mut State, one: Char, shown: &Shown, chance: Chance) {
    let at = one.index();
    let (is_disabled, is_dead) = (state.is_disabled(rules, one), state.is_dead(rules, one));
    let sheet = &mut rules.cast[at];
    let (armour, given) = (&mut sheet.armour, &mut sheet.given);
    let of_parry = shown.defences && given.parry.is_none();
    let of_dodge = shown.defences && given.dodge.is_none();
    let of_defiance = shown.defences && given.defiance.is_none();
    let of_protection = shown.protection && given.protection.is_none();
    let levels = state.being(one).levels;
    let was = |of: Trait| levels[of.index()];
    let mut now = levels;
    let mut set = |of: Trait, level: u8| {
        if !shown.has(of) {
            now[of.index()] = level;
        }
    };
    for n in 0..rules.traits.len() {
        let of = Trait(n as u8);
        let is_part = match of {
            Trait::WARRIOR => of_parry,
            Trait::ATHLETE => of_dodge,
            Trait::INTELLECT | Trait::INTUITION => of_defiance,
            Trait::BRAWN => !shown.damage.is_empty(),
            Trait::FORTITUDE => of_protection,
            _ => false,
        };
        if !is_part {
            set(of, chance.small(at + n, 8));
        }
    }
    let mut shares = of_parry && !shown.has(Trait::WARRIOR);
    for (n, place) in state.arms.iter().enumerate().filter(|(_, place)| place.holder == one) {
        let arm = &mut rules.weapons[n];
        match place.lie {
            Lie::Dropped(_) | Lie::Gone => continue,
            Lie::Hand if shares => {
                let (warrior, defence) = chance.parts(at + 9, was(Trait::WARRIOR) + arm.defence);
                set(Trait::WARRIOR, warrior);
                (arm.defence, shares) = (defence, false);
            }
            Lie::Hand if of_parry => {}
            Lie::Hand | Lie::Carried => arm.defence = chance.small(at + n + 1, 4),
        }
        match shown.damage.iter().find(|(weapon, _)| weapon.index() == n) {
            None => arm.power = chance.small(at + n, 13),
            Some((_, (brawn, power))) if shown.damage.len() == 1 && !shown.has(Trait::BRAWN) => {
                let more = was(Trait::BRAWN).saturating_sub(*brawn) + arm.power.saturating_sub(*power);
                let (of_brawn, of_power) = chance.parts(at + 8, more);
                set(Trait::BRAWN, brawn + of_brawn);
                arm.power = power + of_power;
            }
            Some(_) => {}
        }
    }
    if !of_dodge || !shown.has(Trait::ATHLETE) {
        let least = if of_dodge { armour.penalty.saturating_sub(was(Trait::ATHLETE)) } else { 0 };
        let penalty = least + chance.small(at + 1, 4);
        if of_dodge {
            set(Trait::ATHLETE, was(Trait::ATHLETE) + penalty - armour.penalty);
        }
        armour.penalty = penalty;
    }
    if of_defiance && !shown.has(Trait::INTELLECT) && !shown.has(Trait::INTUITION) {
        let high = was(Trait::INTELLECT).max(was(Trait::INTUITION));
        let low = chance.parts(at + 10, high).0;
        let both = if chance.pick(at + 12, 2) == 0 { (high, low) } else { (low, high) };
        set(Trait::INTELLECT, both.0);
        set(Trait::INTUITION, both.1);
    }
    if !shown.protection {
        armour.value = chance.small(at + 3, 5);
        given.protection = given.protection.map(|_| chance.small(at + 5, 9));
    } else if of_protection && !shown.has(Trait::FORTITUDE) {
        let (fortitude, value) = chance.parts(at + 11, was(Trait::FORTITUDE) + armour.value);
        set(Trait::FORTITUDE, fortitude);
        armour.value = value;
    }
    if !shown.defences {
        for value in [&mut given.dodge, &mut given.parry, &mut given.defiance] {
            *value = value.map(|_| 4 + chance.small(at + 13, 12));
        }
    }
    given.movement = given.movement.map(|_| 6 + chance.small(at + 14, 20));
    sheet.encumbrance = chance.small(at + 4, 4);
    let being = state.being_mut(one);
    being.levels = now;
    // That there is some is open (`fortune-open`).
    if being.fortune > 0 {
        being.fortune = 1 + chance.pick(at + 1, 9) as u16;
    }
    being.experience = chance.pick(at + 2, 999) as u32;
    let (wounds, shocks) = (being.wounds, being.shocks);
    let harm = wounds.max(shocks);
    let track = sheet.track.unwrap_or(rules.track);
    // A number that this much harm has reached, or has not.
    let limit = |reached: bool, harm: u16, place: usize| match reached {
        true => 1 + chance.pick(place, harm.into()) as u16,
        false => harm + 1 + chance.pick(place, 15) as u16,
    };
    sheet.track = Some(Track {
        // What harm takes off may be shown.
        penalty: if track.penalty < harm { track.penalty } else { harm + chance.pick(at + 15, 13) as u16 },
        disabled: Some(limit(is_disabled, wounds, at + 6)),
        dead: limit(is_dead, harm, at + 7),
    });
}
