//! Prestige: who stands highest in a subtle conflict, worked out anew from how
//! things are whenever it is asked (`prestige.recompute`).

use crate::{At, disguise, vocab::*};

/// Whether those present against somebody know them for shuvin: seeing them
/// riven, or having learnt it before (`prestige.shuvin`, `riven.reveals`).
pub(crate) fn is_revealed(at: At<'_>, who: Char) -> bool {
    let being = at.state.being(who);
    if !at.rules.sheet(who).shuvin {
        return false;
    }
    let others = at.state.opponents(who).minus(at.state.unseen);
    being.riven || (!others.is_empty() && others.minus(being.known_to).is_empty())
}

/// How many of the three conditions somebody meets (`prestige.highest`).
fn conditions(at: At<'_>, who: Char, wealthiest: u8) -> u8 {
    let venue = at.state.venue;
    // Two who look equally wealthy both meet it (`prestige-wealth-tie`).
    let wealth = disguise::wealth(at.state, who) == wealthiest;
    let native = venue.people.is_some() && disguise::people(at, who) == venue.people;
    let favored = if venue.private { Gender::Female } else { Gender::Male };
    let gender = disguise::gender(at, who) == Some(favored);
    u8::from(wealth) + u8::from(native) + u8::from(gender)
}

/// Everybody who has the highest prestige, those who have middle prestige
/// whatever side they are on, and so by exclusion the rest.
struct Order {
    highest: CharSet,
    middle: CharSet,
}

/// Works the order out for those who take part.
fn order(at: At<'_>) -> Order {
    // Nobody pays honour to whom they have not noticed (`unseen-counts`).
    let here = at.state.in_sight();
    let of = |test: &dyn Fn(Char) -> bool| -> CharSet { here.iter().filter(|&who| test(who)).collect() };
    let supernal = of(&|who| at.rules.sheet(who).supernal);
    let exalted = of(&|who| disguise::priest(at, who) || is_revealed(at, who));
    // All in the topmost class share the highest place (`prestige-top-class`).
    if !supernal.is_empty() {
        // Priests and revealed shuvin still stand above other mortals
        // (`prestige-class-order`).
        return Order { highest: supernal, middle: exalted.minus(supernal) };
    }
    if !exalted.is_empty() {
        return Order { highest: exalted, middle: CharSet::NONE };
    }
    let wealthiest = here.iter().map(|who| disguise::wealth(at.state, who)).max().unwrap_or(0);
    let most = here.iter().map(|who| conditions(at, who, wealthiest)).max().unwrap_or(0);
    let first = of(&|who| conditions(at, who, wealthiest) == most);
    // The larger and better armed following breaks a tie
    // (`prestige.tie-followers`, `prestige-leader-tie`).
    let crowd = first.iter().map(|who| at.state.being(who).following).max().unwrap_or(0);
    let leaders: CharSet = first.iter().filter(|&who| at.state.being(who).following == crowd).collect();
    // Still a tie: everybody's is low (`prestige.tie-none`).
    Order { highest: if leaders.len() == 1 { leaders } else { CharSet::NONE }, middle: CharSet::NONE }
}

/// Somebody's prestige among those who take part.
pub(crate) fn level(at: At<'_>, who: Char) -> Prestige {
    let order = order(at);
    if order.highest.has(who) {
        Prestige::Highest
    } else if order.middle.has(who) || order.highest.iter().any(|top| at.state.allies(top, who)) {
        Prestige::Middle
    } else {
        Prestige::Low
    }
}
