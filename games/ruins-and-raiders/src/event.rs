//! What happens, each event with its sentence.

use crate::{
    RuinsAndRaiders,
    answer::Recourses,
    effect::Effect,
    fiat::Setting,
    state::{SideEffect, With},
    vocab::*,
    words,
};
use fracas_kernel::{Label, Space, events, says};

events! {
    /// What happened.
    pub enum Event of RuinsAndRaiders, telling (at, viewer);

    // The scene and checks.
    "tries" Tries { pub who: Char, pub with: Trait, what: Label } =>
        says(clause!("challenge.assign"), "{who} tries something with {with}: {task}.", task = words::own(what));
    "called" Called { pub who: Char, pub with: Trait, level: i16, combat: bool } =>
        told(words::called(at, (who, with), level, combat, viewer).working());
    "notices-call" NoticeCall { pub who: Char, pub sense: Sense } =>
        says(clause!("perception.use.faint"), "{who} checks {by}.", by = words::sense(sense));
    "no-roll" NoRoll { pub who: Char, pub with: Trait, mox: i16 } =>
        told(words::no_roll(at, who, with, mox, viewer).working());
    "refused" RefusedTry { pub who: Char } =>
        says(clause!("challenge.assign"), "{who} cannot do that.");
    "takes-time" TakesTime { pub who: Char, time: Time } => told(words::takes_time(at, who, time).working());
    "burns" Burns { pub who: Char, pub points: u16 } =>
        works(clause!("fortune.points"), "{who} burns {points} Fortune.");
    "passed" Passed { pub who: Char, pub with: Trait, pub total: i16, level: i16, pub mox: i16, natural: bool } =>
        told(words::came(at, (who, with), (total, level), mox, natural, true).working());
    "failed" Failed { pub who: Char, pub with: Trait, total: i16, level: i16, mox: i16, natural: bool } =>
        told(words::came(at, (who, with), (total, level), mox, natural, false).working());
    /// The Adversary has rolled it, and players do not hear of it.
    "secret-check" SecretCheck { who: Char, with: Trait, total: i16, level: i16 } =>
        works(clause!("perception.use.faint"), "In secret {who} checks {with}: {total} against {level}.");
    "noticed" Noticed { pub of: Char } => told(words::noticed(at, of, viewer));
    "wakes" Wakes { pub who: Char } => says(clause!("perception.sleep.wake"), "{who} wakes up.");
    "sleeps-on" SleepsOn { pub who: Char } =>
        says(clause!("perception.sleep.wake"), "{who} sleeps on.");
    "hint" Hint { who: Char, what: Label } => told(words::hint(at, who, what));
    "recovers" Recovers { pub who: Char, pub wounds: u16 } =>
        says(clause!("injury.recover"), "{who} recovers from {harm}.", harm = words::count(wounds, "wound"));
    "no-rest" NoRest { pub who: Char } =>
        says(clause!("injury.recover"), "{who} has had a hard day, and recovers from nothing.");
    "rested" pub Rested => opens(clause!("injury.recover"), "A day's rest.");
    "raises" Raises { pub who: Char, pub what: Trait, pub to: u8 } =>
        says(clause!("trait.raise"), "{who} raises {what} to {to}.");

    // Battles, rounds, turns.
    "battle" pub Battle => opens(clause!("zero.begin"), "A conflict begins.");
    "first" First { pub who: Char } => says(clause!("zero.first"), "{who} acts first.");
    "surprised" Surprised { pub who: Char } =>
        says(clause!("zero.surprise"), "{who} is taken by surprise.");
    "round" Round(pub round: u16) => opens(clause!("turn.sequence"), "Round {round}.");
    "initiative" Initiative { pub who: Char, pub score: i16, rolled: bool } =>
        told(words::initiative(at, who, score, rolled).working());
    "rolls-off" RollsOff { pub who: Char, pub total: u8 } =>
        works(clause!("init-tie"), "{who} rolls {total} for who goes first.");
    "shifted" Shifted { pub who: Char, pub by: i16, next: bool } =>
        works(
            clause!("init.environment"),
            "{who} has {change} initiative {when} round.",
            change = words::signed(by),
            when = if next { "next" } else { "this" }
        );
    "turn" Turn { pub who: Char } => opens(clause!("turn.sequence"), "{who}'s turn.");
    "skipped" Skipped { pub who: Char } =>
        says(clause!("turn.disabled"), "{who} is disabled, and loses the turn.");
    "waits" Waits { pub who: Char } => says(clause!("wait.may"), "{who} waits.");
    "cuts-in" CutsIn { pub who: Char, pub on: Char } =>
        opens(clause!("wait.interrupt"), "{who} cuts in on {on}.");
    "acts-late" ActsLate { pub who: Char } =>
        opens(clause!("wait.anytime"), "{who}, who waited, acts now.");
    "lost" Lost { pub who: Char } =>
        says(clause!("wait.resume"), "{who} cannot go on: the rest of the action is lost.");
    "ends" Ends { pub who: Char } => works(clause!("action.two"), "{who} does nothing more.");
    "holds" Holds { pub who: Char } =>
        says(clause!("hold.bonus"), "{who} holds over: 10 more initiative next round.");
    "standoff" pub Standoff => says(clause!("standoff.condition"), "Nobody moves, and the round ends.");
    "peace" pub Peace => opens(clause!("battle-end"), "The conflict is over.");

    // Moves.
    "steps" Steps { pub who: Char, to: Space } =>
        says(clause!("move.free-step"), "{who} steps to {to}.");
    "steps-aside" StepsAside { pub who: Char, to: Space } =>
        says(clause!("ext.abort"), "{who} steps aside to {to}.");
    /// Those who wait are asked about a move: only who moves hears of it.
    "under-way" UnderWay { pub who: Char } => works(clause!("occupied"), "{who} is on the way.");
    "moves" Moves { pub who: Char, to: Space, pub spaces: u8 } =>
        says(clause!("move.action"), "{who} moves {far} to {to}.", far = words::count(u16::from(spaces), "space"));
    "charges" Charges { pub who: Char } => says(clause!("charge.choice"), "{who} charges.");
    "momentum" Momentum { pub who: Char, pub points: u8 } =>
        works(clause!("charge.rate"), "{who} has a momentum of {points}.");
    "bumps" Bumps { pub who: Char, pub on: Char } =>
        says(clause!("occupied"), "{who} runs into {on}, who was not noticed.");
    "footing" Footing { pub who: Char, pub ground: Ground } =>
        works(clause!("terrain.treacherous.foot"), "{who} must mind the footing: {ground}.");
    "slips" Slips { pub who: Char } => told(words::slips(at, who));
    "leaps" Leaps { pub who: Char, to: Space, pub spaces: u8 } =>
        says(clause!("move.leap"), "{who} leaps {far} to {to}.", far = words::count(u16::from(spaces), "space"));
    "short" Short { pub who: Char } =>
        says(clause!("jump-fail"), "{who} falls short.");
    "falls" Falls { pub who: Char, drops: bool } =>
        says(
            clause!("prone.fall"),
            "{who} {how}.",
            how = if drops { "drops prone, to lie or sit" } else { "is prone" }
        );
    "stands" Stands { pub who: Char } => says(clause!("move.stand"), "{who} stands up.");
    "mounts" Mounts { pub who: Char, pub mount: Char } =>
        says(clause!("move.mount-up"), "{who} mounts {mount}.");
    "dismounts" Dismounts { pub who: Char, pub mount: Char } =>
        says(clause!("move.other"), "{who} gets off {mount}.");
    "thrown-off" ThrownOff { pub who: Char, pub mount: Char } =>
        says(clause!("mount-falls"), "{who} falls off {mount}.");

    // What takes an action, or little.
    "aims" Aims { pub who: Char } => says(clause!("option.aim"), "{who} aims: +3 to the next attack.");
    "defends" Defends { pub who: Char } =>
        says(
            clause!("option.defend"),
            "{who} defends: +{more} to Dodge and Parry.",
            more = at.rules.options.defend_bonus
        );
    "winds-up" WindsUp { pub who: Char } =>
        says(
            clause!("option.haymaker"),
            "{who} winds up: +{more} damage with the next melee attack.",
            more = at.rules.options.haymaker
        );
    "resists" Resists { pub who: Char } =>
        says(clause!("option.resist"), "{who} resists: +3 to Defiance.");
    "looks" Looks { pub who: Char } =>
        says(clause!("option.look"), "{who} looks about: +3 to Perception.");
    "hastes" Hastes { pub who: Char, pub by: u8 } =>
        says(clause!("init.haste"), "{who} hastes: {by} more initiative from the next round on.");
    "rapid" Rapid { pub who: Char } =>
        says(clause!("fortune.rapid"), "{who} burns 3 Fortune for a second strike.");
    "draws" Draws { pub who: Char, pub weapon: Weapon } =>
        says(clause!("action.minor"), "{who} draws {weapon}.");
    "sheathes" Sheathes { pub who: Char, pub weapon: Weapon } =>
        says(clause!("action.minor"), "{who} puts {weapon} away.");
    "picks-up" PicksUp { pub who: Char, pub weapon: Weapon } =>
        says(clause!("move.other"), "{who} picks {weapon} up.");
    "door" Door { pub who: Char } => says(clause!("action.door"), "{who} opens a door.");
    "does" Does { pub who: Char, what: Label } =>
        says(clause!("action.major"), "{who}: {deed}.", deed = words::own(what));
    "shouts" Shouts { pub who: Char, what: Label } =>
        says(clause!("action.minor"), "{who} calls: {call}.", call = words::own(what));
    "takes" Takes { pub who: Char, pub actions: u8 } => told(words::takes(at, who, actions).working());
    "works" Works { pub who: Char, pub left: u8 } => told(words::works(at, who, left).working());
    "heals" Heals { pub who: Char, pub on: Char, wounds: u16, shocks: u16 } =>
        says(clause!("gift.empathy"), "{who} heals {on} of {harm}.", harm = words::harm(wounds, shocks));
    "buys" Buys { pub who: Char, pub points: u16 } =>
        says(clause!("fortune.points"), "{who} buys {points} Fortune.");
    "sleeps" Sleeps { pub who: Char } =>
        says(clause!("perception.sleep.not-unconscious"), "{who} sleeps through the turn.");

    // Attacks.
    "attacks" Attacks { pub who: Char, pub on: Char, pub with: With, thrown: bool } =>
        told(words::attacks(at, (who, on), with, thrown));
    "aborts" Aborts { pub who: Char, defend: u8, resist: u8, own: Recourses } =>
        told(words::aborts(at, who, (defend, resist), own));
    "rolls" Rolls { pub who: Char, pub on: Char, bonus: i16, level: i16, unaware: bool } =>
        told(words::rolls(at, (who, on), bonus, level, unaware, viewer).working());
    "hits" Hits { pub who: Char, pub on: Char, pub mox: i16, natural: bool } =>
        told(words::hits(at, (who, on), mox, natural));
    "misses" Misses { pub who: Char, pub on: Char, natural: bool } =>
        told(words::misses(at, (who, on), natural));
    "damage" Damage { pub who: Char, pub on: Char, mox: i16, base: i16, momentum: i16, protection: i16, wounds: u16 } =>
        told(words::damage(at, (who, on), (mox, base), momentum, protection, wounds, viewer).working());
    "absorbs" Absorbs { pub who: Char, pub points: u16 } =>
        works(clause!("fortune.absorb"), "{who} burns {points} Fortune: as many wounds less.");
    "wounded" Wounded { pub who: Char, pub wounds: u16 } =>
        says(clause!("damage.formula"), "{who} takes {harm}.", harm = words::count(wounds, "wound"));
    "shocked" Shocked { pub who: Char, pub shocks: u16 } =>
        says(clause!("injury.shock"), "{who} takes {harm}.", harm = words::count(shocks, "shock"));
    "disabled" Disabled { pub who: Char } =>
        says(clause!("turn.disabled.meaning"), "{who} is disabled.");
    "dies" Dies { pub who: Char } => told(words::dies(at, who));
    "calls-effect" CallsEffect { pub who: Char, pub on: Char, effect: SideEffect } =>
        told(words::calls_effect(at, (who, on), effect).working());
    "effect-ruled" EffectRuled { pub who: Char, allowed: bool, instead: bool } =>
        told(words::effect_ruled(at, who, allowed, instead));
    "drops" Drops { pub who: Char, pub weapon: Weapon } =>
        says(clause!("attack.strike.side-effect"), "{who} drops {weapon}.");
    "effect" Effect { pub on: Char, effect: Effect } => told(words::effect(at, on, effect));

    // Chases.
    "chase" pub Chase => opens(clause!("chase.roll"), "A chase begins.");
    "chase-ends" pub ChaseEnds => opens(clause!("chase-rate"), "The chase is over.");
    "runs" Runs { pub who: Char, pub total: i16 } =>
        works(clause!("chase.roll"), "{who} runs: {total}.");
    "gains" Gains { pub who: Char, pub on: Char, pub spaces: u16 } =>
        says(clause!("chase.mox"), "{who} gains {far} on {on}.", far = words::count(spaces, "space"));
    "caught" Caught { pub who: Char, pub by: Char } =>
        says(clause!("chase.mox"), "{by} has caught up with {who}.");

    // The Adversary's word.
    "ruled" Ruled { who: Char } =>
        says(clause!("info.adversary"), "By the Adversary's word");
    "ruled-table" pub RuledTable => says(clause!("info.adversary"), "By the Adversary's word");
    "setting" Setting { setting: Setting } => told(words::setting(setting));
    "had-rest" HadRest { pub who: Char } =>
        says(clause!("injury.recover"), "By the Adversary's word: {who} has had no hard day.");
    "dropped" Dropped { who: Char } =>
        says(clause!("info.adversary"), "What {who} does in secret is dropped.");
    "joined" Joined(pub who: Char) => says(clause!("init-late"), "{who} joins.");
    "over" pub Over => opens(clause!("battle-end"), "The evening is over.");
}

says! { RuinsAndRaiders, at;
    Char: who => at.rules.name(who);
    Weapon: weapon => at.rules.arm(weapon).name;
    Spell: spell => at.rules.spell(spell).name;
    Manoeuvre: manoeuvre => at.rules.manoeuvre(manoeuvre).name;
    Recourse: recourse => at.rules.recourse(recourse).name;
    Trait: of => at.rules.traits[of.index()].name;
    Ground: ground => at.rules.grounds[ground.index()].name;
    Space: space => words::space(at, space);
}
