//! Will Points, Damage, Tokens, Alterations, Subjugation and death (`wp.what` to `death.warn`, `token.what`).

use crate::{
    At, Play,
    answer::Answer,
    effect::Effect,
    event::Event,
    rules::{AltScope, MinorWp, TokenData, WinningBlow},
    spell, stack,
    state::*,
    test,
    vocab::*,
};
use fracas_kernel::{Objections, Saying, Sink, Told, Viewer, takes};

// ---- Damage.

/// Damage is about to be dealt, as one instance.
pub(crate) fn strike(play: &mut Play<'_, impl Sink<Event>>, blow: Blow) {
    stack::push(play.state, Frame::Blow(blow));
}

/// Whether a character may lose 1 Major Will Point in place of a Minor Clash (`wp.convert`, `convert-who`).
fn may_convert(at: At<'_>, who: Char) -> bool {
    let body = at.state.body(who);
    at.rules.is_pc(who)
        && at.state.clash.as_ref().is_some_and(|clash| clash.stakes == Rank::Minor)
        && at.state.stands(who)
        && body.minor == 0
        && body.major > 0
}

/// Moves a blow on: counts the Tokens in. Then its target may answer it (`wp.surrender`, `wp.convert`).
pub(crate) fn blow_goes_on(play: &mut Play<'_, impl Sink<Event>>) -> bool {
    let Some(Frame::Blow(blow)) = play.state.frames.last() else { return false };
    let mut blow = *blow;
    if play.state.body(blow.on).dead || (play.state.clash.is_some() && !play.state.stands(blow.on)) {
        play.state.frames.pop();
        return true;
    }
    if !blow.counted {
        (blow.amount, blow.counted) = (counted(play.at(), &blow), true);
        play.state.frames.pop();
        if blow.amount > 0 {
            strike(play, blow);
        } else {
            expend_all(play, &blow);
            play.event(Event::Spared { who: blow.on });
        }
        return true;
    }
    // The Director is asked again where it beats theirs: what comes of that everybody sees (`wp.surrender`).
    let stakes = play.state.stakes();
    let body = play.state.body(blow.on);
    let left = if stakes == Rank::Minor { body.minor } else { body.major };
    let lets_be = blow.let_be && play.state.clash.is_some() && !play.rules.is_pc(blow.on) && left > 0;
    if lets_be {
        play.state.frames.pop();
        deal(play, blow, stakes);
    }
    // Outside a Clash the Director says which Will Points it takes (`damage-outside`).
    lets_be
}

/// The Tokens that count for Damage: of its dealer, then of its target (`token-damage-math`).
const OF_DEALER: [TokenKind; 2] = [TokenKind::Power, TokenKind::Weak];
const OF_TARGET: [TokenKind; 2] = [TokenKind::Vulnerable, TokenKind::Armor];

/// The Damage after the Tokens of both, one of each kind: Power and Weak, then Vulnerable, then Armor.
pub(crate) fn counted(at: At<'_>, blow: &Blow) -> u8 {
    let dealer = |kind| blow.by.is_some_and(|by| at.state.tokens(by, kind) > 0);
    let target = |kind| at.state.tokens(blow.on, kind) > 0;
    let after = |kind, holds: bool, amount| if holds { after(kind, amount) } else { amount };
    let mut amount = after(TokenKind::Power, dealer(TokenKind::Power), blow.amount);
    amount = after(TokenKind::Weak, dealer(TokenKind::Weak), amount);
    if let Some(by) = blow.by {
        amount = changed(at, by, TokenMoment::Deals, amount);
    }
    amount = after(TokenKind::Vulnerable, target(TokenKind::Vulnerable), amount);
    amount = changed(at, blow.on, TokenMoment::Takes, amount);
    after(TokenKind::Armor, target(TokenKind::Armor), amount)
}

/// The Damage after a Token of this kind (`token-damage-math`).
pub(crate) fn after(kind: TokenKind, amount: u8) -> u8 {
    match kind {
        TokenKind::Power | TokenKind::Vulnerable => amount.saturating_mul(2).min(99),
        TokenKind::Weak => amount.div_ceil(2),
        TokenKind::Armor => 0,
        _ => amount,
    }
}

/// The kinds of Tokens that the table made up of which somebody holds one, for a moment (`ext.tokens`).
fn made_up(at: At<'_>, who: Char, when: TokenMoment) -> impl Iterator<Item = &TokenData> {
    at.rules.tokens.iter().filter(move |data| data.when == when && at.state.tokens(who, data.kind) > 0)
}

/// The Damage after the Tokens of kinds that the table made up.
fn changed(at: At<'_>, who: Char, when: TokenMoment, amount: u8) -> u8 {
    made_up(at, who, when).flat_map(|data| &data.effects).fold(amount, |amount, &effect| match effect {
        Effect::AddDamage(n) => amount.saturating_add_signed(n).min(99),
        Effect::MultiplyDamage(n) => amount.saturating_mul(n).min(99),
        _ => amount,
    })
}

/// Expends one Token of each kind that the table made up for this moment: it changes the Roll of `roller`, and does
/// all else to its holder (`ext.tokens`).
pub(crate) fn expend_made_up(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    when: TokenMoment,
    roller: Option<Char>,
) {
    let rules = play.rules;
    for data in rules.tokens.iter().filter(|data| data.when == when) {
        if !expend(play, who, data.kind) {
            continue;
        }
        for &effect in &data.effects {
            match roller {
                _ if !effect.is_on_roll() => {
                    stack::happen(play, (who, Ability(0)), who, None, effect, Lasts::AtOnce);
                }
                Some(roller) => stack::happen(play, (who, Ability(0)), roller, None, effect, Lasts::AtOnce),
                // Counted with the Damage.
                None => {}
            }
        }
    }
}

/// Expends the Tokens that counted for an instance of Damage.
fn expend_all(play: &mut Play<'_, impl Sink<Event>>, blow: &Blow) {
    let dealers = OF_DEALER.into_iter().filter_map(|kind| Some((blow.by?, kind)));
    for (who, kind) in dealers.chain(OF_TARGET.map(|kind| (blow.on, kind))) {
        expend(play, who, kind);
    }
    if let Some(by) = blow.by {
        expend_made_up(play, by, TokenMoment::Deals, None);
    }
    expend_made_up(play, blow.on, TokenMoment::Takes, None);
}

/// Damage is dealt or converted: its Tokens go, and its dealer is hidden no longer (`token.stealth`).
fn struck(play: &mut Play<'_, impl Sink<Event>>, blow: &Blow) {
    expend_all(play, blow);
    while blow.by.is_some_and(|by| expend(play, by, TokenKind::Stealth)) {}
}

/// Damage is dealt, to these Will Points (`wp.which-pool`).
fn deal(play: &mut Play<'_, impl Sink<Event>>, blow: Blow, of: Rank) {
    let Blow { by, on, amount, symbols, .. } = blow;
    struck(play, &blow);
    let (had_major, had) = {
        let body = play.state.body(on);
        (body.major, if of == Rank::Minor { body.minor } else { body.major })
    };
    play.event(Event::Damage { who: on, amount, of });
    let body = play.state.body_mut(on);
    body.hurt = body.hurt.saturating_add(amount);
    // One die of the pool goes with each instance of Damage (`conc.damage`).
    spell::shaken(play, on);
    // Held by the dealer before this blow (`winning-blow-death`).
    let held = by.is_some_and(|by| play.state.is_held_by(on, by));
    let in_clash = play.state.stands(on);
    let wins = in_clash && had == 0;
    if wins {
        // The Damage that wins takes no Will Points (`wp.win-no-carry`).
        lose(play, on);
    } else {
        hurt(play, on, of, amount);
    }
    let by_rule =
        play.rules.options.winning_blow_death == WinningBlow::DeathRoll && wins && of == Rank::Major;
    if had_major == 0
        && (held || by_rule)
        && let Some(by) = by
    {
        death_roll(play, on, by, symbols);
    }
    if let Some(by) = by {
        stack::happens(play, &[Moment::Damage], by, Some(Target::Char(on)));
    }
}

/// Takes Will Points: what exceeds those left is lost (`wp.minor-hit-major`, `damage-overflow`).
fn hurt(play: &mut Play<'_, impl Sink<Event>>, who: Char, of: Rank, amount: u8) {
    let carries = play.rules.options.minor_wp_model == MinorWp::Carries;
    let body = play.state.body_mut(who);
    match of {
        Rank::Minor => {
            let lost = amount.min(body.minor);
            body.minor -= lost;
            if carries {
                body.major = body.major.saturating_sub(lost);
            }
        }
        Rank::Major => {
            body.major = body.major.saturating_sub(amount);
        }
    }
    body.minor = body.minor.min(body.major);
}

/// A character has lost the Clash (`wp.win`, `beaten-out`).
pub(crate) fn lose(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    leave(play, who);
    play.event(Event::Beaten { who });
}

/// Takes a character out of the Clash: no turns, no Priority, no Control.
fn leave(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    let body = play.state.body_mut(who);
    (body.lost, body.turns, body.actions) = (true, 0, 0);
    for prop in &mut play.state.props {
        prop.controllers = prop.controllers.without(who);
    }
}

/// A character Surrenders: it loses the Clash, and no Will Points for it (`wp.surrender`).
pub(crate) fn surrender(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    leave(play, who);
    play.event(Event::Surrenders { who });
}

pub(crate) mod blow {
    use super::*;

    fn top(at: At<'_>) -> Option<Blow> {
        match at.state.frames.last() {
            Some(Frame::Blow(blow)) => Some(*blow),
            _ => None,
        }
    }

    pub(crate) fn told(at: At<'_>, who: Char, viewer: Viewer) -> Told {
        let Some(blow) = top(at) else { return Told::default() };
        let body = at.state.body(who);
        let is_deadly =
            blow.by.is_some_and(|by| body.major == 0 && crate::view::sees_hold(at, (who, by), viewer));
        if at.state.clash.is_none() {
            let amount = blow.amount;
            let death = if is_deadly { ", which brings a Death Roll" } else { "" };
            return Told::new(format!(
                "{} takes {amount} Damage{death}. Of which Will Points?",
                Saying(who, at)
            ))
            .why(clause!("damage-outside"));
        }
        let left = if at.state.stakes() == Rank::Minor { body.minor } else { body.major };
        let end = if left == 0 { ", which loses the Clash" } else { "" };
        let death = if is_deadly { " and brings a Death Roll" } else { "" };
        Told::new(format!("{} is about to take {} Damage{end}{death}", Saying(who, at), blow.amount))
            .why(clause!("wp.surrender"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        if at.state.clash.is_none() {
            return Rank::ALL.iter().for_each(|&of| each(Answer::Deal(of)));
        }
        each(Answer::Take);
        each(Answer::Convert);
        each(Answer::Surrender(who));
    }

    takes!(
        Answer,
        Answer::Take | Answer::Convert | Answer::Surrender(_) | Answer::Deal(_),
        clause!("wp.surrender"),
        "expected to take the Damage, to Surrender, or to lose a Major Will Point instead"
    );

    pub(crate) fn object(at: At<'_>, who: Char, answer: Answer, out: &mut impl Objections) {
        match answer {
            Answer::Convert if !may_convert(at, who) => {
                out.no(
                    clause!("wp.convert"),
                    "only a player's character at 0 Minor Will Points, in a Minor Clash, with a Major one left",
                );
            }
            Answer::Surrender(loser) if loser != who => {
                out.no(clause!("wp.surrender"), "the Damage is somebody else's");
            }
            Answer::Surrender(_) if at.state.clash.is_none() => {
                out.no(clause!("surrender-window"), "there is no Clash to lose");
            }
            Answer::Take if at.state.clash.is_none() => {
                out.no(clause!("damage-outside"), "outside a Clash say whether it is Minor or Major");
            }
            Answer::Deal(_) if at.state.clash.is_some() => {
                out.no(clause!("wp.which-pool"), "the Clash says which Will Points count");
            }
            _ => {}
        }
    }

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Some(Frame::Blow(blow)) = play.state.frames.pop() else { return };
        match answer {
            Answer::Convert => {
                struck(play, &blow);
                let body = play.state.body_mut(who);
                body.major -= 1;
                body.minor = body.minor.min(body.major);
                play.event(Event::Converts { who });
                spell::shaken(play, who);
            }
            Answer::Surrender(_) => surrender(play, who),
            Answer::Deal(of) => deal(play, blow, of),
            _ => {
                let of = play.state.stakes();
                deal(play, blow, of);
            }
        }
    }
}

/// Gives Will Points back (`sub.end-major-wp`).
pub(crate) fn restore(play: &mut Play<'_, impl Sink<Event>>, who: Char, of: Rank, amount: u8) {
    if recover(play, who, of, amount) && of == Rank::Major {
        set_free(play, who);
    }
}

/// The Will Points alone; false where none are lost.
pub(crate) fn recover(play: &mut Play<'_, impl Sink<Event>>, who: Char, of: Rank, amount: u8) -> bool {
    let sheet = play.rules.sheet(who);
    let body = play.state.body_mut(who);
    let most = match of {
        Rank::Major => sheet.major.saturating_sub(body.preparation_lost),
        Rank::Minor => sheet.minor.min(body.major),
    };
    let now = match of {
        Rank::Major => &mut body.major,
        Rank::Minor => &mut body.minor,
    };
    let gained = amount.min(most.saturating_sub(*now));
    *now += gained;
    if gained > 0 {
        play.event(Event::Recovers { who, of, amount: gained });
    }
    gained > 0
}

/// All Major Subjugations of a character end (`sub.end-major-wp`).
pub(crate) fn set_free(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    free(play, |grip| grip.loser == who && grip.rank == Rank::Major);
}

/// Ends Subjugations.
pub(crate) fn free(play: &mut Play<'_, impl Sink<Event>>, is_over: impl Fn(&Grip) -> bool) {
    while let Some(n) = play.state.grips.iter().position(&is_over) {
        let Grip { loser, winners, aware, .. } = play.state.grips.remove(n);
        play.event(Event::Freed { who: loser, by: winners, aware });
    }
}

// ---- Tokens.

/// Gives a Token, unless as many of its kind are held as can be (`token.cap`, `token-cap`, `token.countless`). `how`
/// is whether it is Persistent, whose next turn ends it, and whether it is Countless.
pub(crate) fn give(
    play: &mut Play<'_, impl Sink<Event>>,
    who: Char,
    kind: TokenKind,
    (persistent, ephemeral, countless): (bool, Option<Char>, bool),
) {
    let cap = usize::from(play.rules.options.token_cap);
    let body = play.state.body_mut(who);
    let counted = body.tokens.iter().filter(|token| token.kind == kind && !token.countless).count();
    if (counted < cap || countless) && !body.tokens.is_full() {
        body.tokens.push(Token { kind, persistent, countless, ephemeral });
        play.event(Event::Token { who, kind, gained: true });
    }
}

/// Expends a Token, one that would go soonest first; false where there is none.
pub(crate) fn expend(play: &mut Play<'_, impl Sink<Event>>, who: Char, kind: TokenKind) -> bool {
    let tokens = &mut play.state.body_mut(who).tokens;
    let found = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == kind)
        .min_by_key(|(_, token)| (token.persistent, token.ephemeral.is_none()))
        .map(|(n, _)| n);
    let Some(n) = found else { return false };
    tokens.remove(n);
    play.event(Event::Token { who, kind, gained: false });
    true
}

/// Tokens that a character's effects made for a while end with their next turn (`token.ephemeral`).
pub(crate) fn expire_tokens(play: &mut Play<'_, impl Sink<Event>>, of: Char) {
    lose_tokens(play, |token| token.ephemeral == Some(of));
}

/// Takes Tokens away from everybody.
pub(crate) fn lose_tokens(play: &mut Play<'_, impl Sink<Event>>, goes: impl Fn(&Token) -> bool) {
    for who in play.rules.everybody() {
        while let Some(n) = play.state.body(who).tokens.iter().position(&goes) {
            let token = play.state.body_mut(who).tokens.remove(n);
            play.event(Event::Token { who, kind: token.kind, gained: false });
        }
    }
}

// ---- Alterations and other effects that last.

/// How long something lasts of which nothing else is said: a Scene (`default-duration`).
pub(crate) const fn lasting(lasts: Lasts) -> Lasts {
    match lasts {
        Lasts::AtOnce => Lasts::Scene,
        _ => lasts,
    }
}

/// Puts a Symbol under an Alteration: it takes the place of the old one (`alteration.replace`, `alt-scope`).
pub(crate) fn alter(play: &mut Play<'_, impl Sink<Event>>, who: Char, symbol: Symbol, altered: Altered) {
    let scope = play.rules.options.alt_scope;
    let alterations = &mut play.state.body_mut(who).alterations;
    if scope == AltScope::Character || altered.to == Alteration::Exalted {
        *alterations = [None; 10];
    }
    alterations[symbol as usize] = Some(altered);
    play.event(Event::Alters { who, symbol, to: Some(altered.to) });
}

/// Makes every Symbol of a character Stable.
pub(crate) fn clear(play: &mut Play<'_, impl Sink<Event>>, who: Char) {
    for &symbol in Symbol::ALL {
        if play.state.body_mut(who).alterations[symbol as usize].take().is_some() {
            play.event(Event::Alters { who, symbol, to: None });
        }
    }
}

/// Ends all effects whose time has come; `is_over` is given how long one lasts, and whose it is.
pub(crate) fn expire(play: &mut Play<'_, impl Sink<Event>>, is_over: impl Fn(Lasts, Option<Char>) -> bool) {
    play.state.live.retain(|live| !is_over(live.lasts, Some(live.by)));
    for who in play.rules.everybody() {
        for &symbol in Symbol::ALL {
            let altered = &mut play.state.body_mut(who).alterations[symbol as usize];
            if altered.is_some_and(|altered| is_over(altered.lasts, altered.by)) {
                *altered = None;
                play.event(Event::Alters { who, symbol, to: None });
            }
        }
    }
}

/// What comes of a Conflict Roll: a failed one brings what its effect states (`conflict.source-effects`).
pub(crate) fn tempted(play: &mut Play<'_, impl Sink<Event>>, test: &Test, resisted: bool) {
    let who = test.defender;
    if resisted {
        play.event(Event::Resisted { who });
        return;
    }
    play.event(Event::Tempted { who });
    if let Some((by, symbol, to, lasts)) = test.resisted {
        alter(play, who, symbol, Altered { to, lasts, by: Some(by) });
    }
}

// ---- Subjugation.

/// Whether a character knows of a Subjugation that it is in: of one by this winner, or of any (`sub.awareness`).
pub(crate) fn knows_grip(at: At<'_>, who: Char, by: Option<Char>) -> bool {
    let is = |grip: &Grip| grip.loser == who && grip.aware && by.is_none_or(|by| grip.winners.has(by));
    at.state.grips.iter().any(is)
}

/// Whether a subjugator of a character at 0 Major Will Points could hurt it (`death.warn`).
pub(crate) fn is_in_mortal_danger(at: At<'_>, who: Char) -> bool {
    let body = at.state.body(who);
    let near = |grip: &Grip| {
        grip.loser == who && grip.aware && grip.winners.iter().any(|winner| at.state.is_about(winner))
    };
    body.major == 0 && at.state.grips.iter().any(near)
}

pub(crate) mod subdue {
    use super::*;

    pub(crate) fn told(at: At<'_>, who: Char, _: Viewer) -> Told {
        Told::new(format!(
            "{} has lost. In what conflict, and does {} know of the Subjugation?",
            Saying(who, at),
            Saying(who, at)
        ))
        .why(clause!("sub.awareness"))
    }

    pub(crate) fn legal(at: At<'_>, who: Char, each: &mut impl FnMut(Answer)) {
        if let Some(grip) = at.state.grips.iter().rev().find(|grip| grip.loser == who) {
            [true, false].into_iter().for_each(|aware| each(Answer::Subdue { cause: grip.cause, aware }));
        }
    }

    takes!(
        Answer,
        Answer::Subdue { .. },
        clause!("sub.types"),
        "expected the words of the Subjugation, and whether the loser knows of it"
    );

    pub(crate) fn object(_: At<'_>, _: Char, _: Answer, _: &mut impl Objections) {}

    pub(crate) fn apply(play: &mut Play<'_, impl Sink<Event>>, who: Char, answer: Answer) {
        let Answer::Subdue { cause, aware } = answer else { return };
        if !play.state.subdued.is_empty() {
            play.state.subdued.remove(0);
        }
        let Some(grip) = play.state.grips.iter_mut().rev().find(|grip| grip.loser == who) else { return };
        (grip.cause, grip.aware) = (cause, aware);
        let (rank, by) = (grip.rank, grip.winners);
        play.event(Event::Subdued { who, by, rank, cause, aware });
    }
}

// ---- Death Rolls.

/// A character makes a Death Roll because of Damage: the Roll that dealt it is repeated with its Symbols
/// swapped (`death.swap`). Where no Roll dealt it the Director names Symbols.
fn death_roll(play: &mut Play<'_, impl Sink<Event>>, who: Char, by: Char, symbols: Option<(Symbol, Symbol)>) {
    let (with, over) = symbols.map_or((Symbol::Heart, Symbol::Thunder), |(with, over)| (over, with));
    let mut test = test::new(Kind::Death, who, Target::Char(by), by, with);
    test.over = over;
    if symbols.is_some() {
        test.step = Step::Aid;
        play.event(Event::DeathRoll { who });
    }
    stack::push(play.state, Frame::Test(test));
}

/// Resisting a Subjugation costs a Death Roll, whatever came of the action (`sub.resist`, `resist-death-clash`).
pub(crate) fn owe_death(play: &mut Play<'_, impl Sink<Event>>, who: Char, by: Char) {
    if !play.state.body(who).dead {
        death_roll(play, who, by, None);
    }
}

/// The story itself is deadly (`death.narrative`).
pub(crate) fn peril(play: &mut Play<'_, impl Sink<Event>>, who: Char, by: Char, symbols: (Symbol, Symbol)) {
    death_roll(play, who, by, Some((symbols.1, symbols.0)));
}

/// The Extras of somebody who dies or falls under a Major Subjugation leave play (`extra.leave`).
pub(crate) fn dismiss(play: &mut Play<'_, impl Sink<Event>>, controller: Char) {
    for who in play.rules.everybody().filter(|&who| play.rules.sheet(who).controller == Some(controller)) {
        if play.state.body(who).here {
            leave(play, who);
            let body = play.state.body_mut(who);
            (body.here, body.fights, body.lost) = (false, false, false);
            play.event(Event::Leaves { who });
        }
    }
}

/// What comes of a Death Roll.
pub(crate) fn death(play: &mut Play<'_, impl Sink<Event>>, who: Char, lives: bool) {
    if lives {
        play.event(Event::Survives { who });
        return;
    }
    play.event(Event::Dies { who });
    play.state.body_mut(who).dead = true;
    dismiss(play, who);
    if play.state.clash.is_some() {
        leave(play, who);
    }
    play.state.subdued.retain(|other| *other != who);
    play.state.resting = play.state.resting.without(who);
    spell::ended_with(play, who);
}
