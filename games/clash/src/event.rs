//! What happens, each event with its sentence.

use crate::{Clash, dice::Critical, effect::Effect, state::Kind, vocab::*, words};
use fracas_kernel::{Label, events, says};

events! {
    /// What happened.
    pub enum Event of Clash, telling (at, viewer);

    // Scenes and Rolls.
    "scene" Scene { pub scene: u16 } => opens(clause!("scene.change"), "Scene {scene} begins.");
    "tries" Tries { pub who: Char, pub on: Target, pub with: Symbol, task: Label } =>
        opens(clause!("roll.when"), "{who} tries something, with {with} over {on}{task}.", task = words::Own(task));
    "rolls" Rolls { pub who: Char, pub over: Char, pub with: Symbol, pub against: Symbol, difficulty: i16, net: i8 } =>
        told(words::rolls(at, (who, over), (with, against), (difficulty, net), viewer).working());
    "no-roll" NoRoll { pub who: Char, passes: bool } =>
        says(clause!("roll.when-director"), "No Roll is needed: {who} {how}.", how = if passes { "manages it" } else { "cannot do it" });
    "repeats" Repeats { pub who: Char, passes: bool } =>
        says(clause!("roll.permanent"), "That was rolled before, and stays so: {who} {how}.", how = if passes { "can do it" } else { "cannot do it" });
    "forbidden" Forbidden { pub who: Char } => told(words::forbidden(at, who, viewer));
    "dodges" Dodges { pub who: Char, pub with: Symbol } =>
        says(clause!("dodge.declare"), "{who} asks to Dodge with {with}.");
    "dodge-ruled" DodgeRuled { pub who: Char, allowed: bool } =>
        says(clause!("dodge.allow"), "The Dodge of {who} is {how}.", how = if allowed { "allowed" } else { "refused" });
    "commits" Commits { pub who: Char, pub element: Element } =>
        works(clause!("improv.offer"), "{who} brings in {element}.");
    "describes" Describes { pub who: Char, pub idea: Label } =>
        says(clause!("prop.what"), "{who} brings in a Prop: {idea}.");
    "exhausts" Exhausts { pub who: Char, pub element: Element, against: bool } =>
        told(words::exhausts(at, who, element, against).working());
    "granted" Granted { pub who: Char, pub dice: u8 } =>
        works(clause!("improv.grant"), "The Director grants {who} {dice}.", dice = words::Die(dice, true));
    "not-granted" NotGranted { pub who: Char } =>
        told(words::not_granted(at, who).working());
    "counts" Counts { pub who: Char, help: u8, hinder: u8 } =>
        told(words::counts(at, who, help, hinder).working());
    "offered" Offered { pub who: Char, pub dice: u8 } =>
        works(clause!("improv.malus-offer"), "The Director offers {who} {dice} for a Lucky Token.", dice = words::Die(dice, false));
    "accepted" Accepted { pub who: Char, taken: bool } =>
        works(clause!("improv.malus-offer"), "{who} {how}.", how = if taken { "takes them" } else { "declines" });
    "passed" Passed { pub who: Char, successes: u8, pub critical: Option<Critical>, natural: bool } =>
        told(words::came(at, who, true, successes, (critical, natural)).working());
    "failed" Failed { pub who: Char, pub critical: Option<Critical>, natural: bool } =>
        told(words::came(at, who, false, 0, (critical, natural)).working());
    "rerolls" Rerolls { pub who: Char } =>
        says(clause!("token.lucky"), "{who} Expends a Lucky Token: all dice are thrown again.");
    "dodged" Dodged { pub who: Char } =>
        says(clause!("dodge.success"), "{who} Dodges it.");
    "not-dodged" NotDodged { pub who: Char } =>
        says(clause!("dodge.fail"), "The Dodge of {who} fails: the action against them succeeds{more}.", more = words::not_dodged(at));
    "resisted" Resisted { pub who: Char } => says(clause!("conflict.purpose"), "{who} resists.");
    "tempted" Tempted { pub who: Char } => says(clause!("conflict.purpose"), "{who} gives in.");

    // Clashes.
    "begins" Begins { pub stakes: Rank, first: Side, name: Label } =>
        opens(clause!("clash.types"), "A {stakes} Clash begins{name}. {side} first.", name = words::Own(name), side = words::goes(first));
    "surprised" Surprised { pub who: Char } => says(clause!("start.surprised"), "{who} is Surprised.");
    "round" Round { pub round: u16 } => opens(clause!("clash.alternate"), "Round {round}.");
    "turn" Turn { pub who: Char } => opens(clause!("turn.steps"), "{who} takes a turn.");
    "activates" Activates { pub who: Char, pub element: Element } =>
        works(clause!("turn.activate-choice"), "{who} Activates {element}.");
    "announces" Announces { pub who: Char, kind: Kind, pub on: Target, pub with: Symbol } =>
        told(words::announces(at, who, kind, on, with));
    "quietly" Quietly { pub who: Char, pub on: Char, pub with: Symbol, task: Option<Label> } =>
        told(words::quietly(at, (who, on), with, task));
    "narrates" Narrates { pub who: Char, words: Label } =>
        says(clause!("narr.free"), "{who}: {words}.");
    "uses" Uses { pub who: Char, pub ability: Ability, pub on: Option<Target> } =>
        told(words::uses(at, who, ability, on, false));
    "triggers" Triggers { pub who: Char, pub ability: Ability, pub on: Option<Target> } =>
        told(words::uses(at, who, ability, on, true));
    "fizzles" Fizzles { pub who: Char, pub ability: Ability } =>
        says(clause!("stack.lifo"), "{ability} of {who} has nothing left to act on.");
    "lapses" Lapses { pub who: Char } =>
        says(clause!("attack.target"), "What {who} was about to do has nothing left to act on.");
    "passes" Passes { pub who: Char } => works(clause!("stack.pass-choice"), "{who} passes.");
    "effect" Effect { pub on: Char, effect: Effect } => told(words::effect(at, on, effect));
    "alters" Alters { pub who: Char, pub symbol: Symbol, pub to: Option<Alteration> } =>
        told(words::alters(at, who, symbol, to).working());
    "token" Token { pub who: Char, pub kind: TokenKind, gained: bool } =>
        told(words::token(at, who, kind, gained).working());
    "turn-over" TurnOver { pub who: Char } => works(clause!("turn.end"), "The turn of {who} ends.");
    "clash-over" ClashOver { winners: Option<Side> } => told(words::over(winners));

    // Clash Props.
    "controls" Controls { pub who: Char, pub prop: Prop } =>
        says(clause!("prop.control-gain"), "{who} Controls {prop}.");
    "lets-go" LetsGo { pub who: Char, pub prop: Prop } =>
        says(clause!("control-release"), "{who} Controls {prop} no longer.");
    "pushed-off" PushedOff { pub who: Char, pub prop: Prop, pub by: Char } =>
        says(clause!("prop.control-gain"), "{by} pushes {who} off {prop}.");

    // Secrets.
    "learns" Learns { pub who: Char, pub of: Target, secret: SecretId } =>
        told(words::learns(at, who, of, secret));
    "nothing-left" NothingLeft { pub who: Char, pub of: Target } =>
        says(clause!("study.none-left"), "{who} learns that {of} has no Secret left.");
    "no-match" NoMatch { pub who: Char, pub of: Target } =>
        says(clause!("study.investigate-miss"), "Nothing about {of} answers what {who} asked.");

    // Harm.
    "damage" Damage { pub who: Char, pub amount: u8, of: Rank } =>
        says(clause!("damage.base"), "{who} takes {amount} Damage.");
    "spared" Spared { pub who: Char } => says(clause!("token.armor"), "The Damage to {who} is ignored.");
    "converts" Converts { pub who: Char } =>
        says(clause!("wp.convert"), "{who} loses 1 Major Will Point, and goes on.");
    "surrenders" Surrenders { pub who: Char } => says(clause!("wp.surrender"), "{who} Surrenders.");
    "beaten" Beaten { pub who: Char } => says(clause!("wp.win"), "{who} has lost the Clash.");
    "subdued" Subdued { pub who: Char, by: CharSet, rank: Rank, cause: Label, aware: bool } =>
        told(words::subdued(at, who, rank, cause));
    "freed" Freed { pub who: Char, by: CharSet, aware: bool } =>
        says(clause!("sub.end-narrative"), "A Subjugation of {who} ends.");
    "death-roll" DeathRoll { pub who: Char } => says(clause!("death.roll"), "{who} makes a Death Roll.");
    "dies" Dies { pub who: Char } => says(clause!("death.roll"), "{who} dies.");
    "leaves" Leaves { pub who: Char } => says(clause!("extra.leave"), "{who} leaves play.");
    "survives" Survives { pub who: Char } => says(clause!("death.roll"), "{who} lives.");
    "recovers" Recovers { pub who: Char, pub of: Rank, pub amount: u8 } =>
        says(clause!("sub.end-major-wp"), "{who} regains {amount} {of} Will {points}.", points = if amount == 1 { "Point" } else { "Points" });

    // Spells.
    "casts" Casts { pub who: Char, pub spell: Spell, pub on: Char } =>
        says(clause!("spell.effect-choice"), "{who} uses {spell} on {on}.");
    "lays" Lays { pub caster: Char, pub target: Char, pub spell: Spell } =>
        says(clause!("persist.trait"), "{spell} of {caster} stays on {target}.");
    "explains" Explains { pub caster: Char, pub target: Char, pub spell: Spell } =>
        says(clause!("persist.awareness"), "{caster} tells {target} what {spell} does.");
    "spends" Spends { pub caster: Char, pub target: Char, dice: u8 } =>
        told(words::spends(at, caster, target, dice, viewer).working());
    "spell-ends" SpellEnds { pub caster: Char, pub target: Char, pub spell: Spell } =>
        says(clause!("persist.end"), "{spell} of {caster} on {target} ends.");

    // Rest and growth.
    "rests" Rests { who: CharSet } => told(words::rests(at, who));
    "activity" Activity { pub who: Char, pub what: Activity } =>
        says(clause!("rest.hours"), "{who}: {what}.");
    "grows" Grows { pub who: Char, pub gained: TraitId } =>
        says(clause!("trait.milestone"), "{who} gains a Trait: {gained}.");
    "swaps" Swaps { pub who: Char, pub gained: TraitId } =>
        says(clause!("trait.swap"), "{who} exchanges a Trait for another: {gained}.");
    "closes" pub Closes => opens(clause!("scene.change"), "The evening is over.");

    "prepared" Prepared { pub who: Char, pub amount: u8 } =>
        works(clause!("wp.prep-amount"), "Groundwork costs {who} {amount} Preparation Will Points.");
    /// By the gamemaster's word.
    /// Somebody new came to the table.
    "joined" Joined { who: Char } => says(clause!("sheet.fields"), "{who} joins.");
    "overruled" Overruled { who: Option<Char> } =>
        told(words::overruled());
}

says! { Clash, at;
    Char: who => at.rules.sheet(who).name;
    Target: target => words::target(at, target);
    Element: element => words::element(at, element);
    TraitId: mark => at.state.trait_name(at.rules, mark);
    Item: item => at.rules.item(item).name;
    Prop: prop => words::prop(at, prop);
    Ability: ability => at.rules.ability(ability).name;
    Spell: spell => at.rules.spell(spell).name;
    Activity: activity => at.rules.activities[activity.index()].name;
    Symbol: symbol => symbol.title();
    Rank: rank => match rank { Rank::Minor => "Minor", Rank::Major => "Major" };
    Label: label => label;
    words::Own: own => words::own_words(own.0);
    words::Die: dice => if dice.1 { words::bonus(dice.0) } else { words::malus(dice.0) };
}
