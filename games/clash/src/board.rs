//! The cards that a player lays on a Roll, with what each number of dice is worth.

use crate::{
    At, Clash,
    answer::{Answer, Prompt},
    dice, flow,
    state::{Aids, Test},
    test, view,
    vocab::Element,
    words,
};
use fracas_kernel::{Asking, Board, Laid, Lies, Odds, Playable, Pooled, Slot, Tone, Viewer};

/// The Roll that cards are laid on, and the cards: for it (`clash.exhaust-aid`), or against it
/// (`clash.defend-exhaust`).
struct Laying<'a> {
    test: &'a Test,
    elements: Vec<Element>,
    against: bool,
}

impl Laying<'_> {
    /// The dice that a card adds to the Roll. Of a Spell Trait that helps the roller they are chosen later
    /// (`persist.spend`).
    fn dice(&self, at: At<'_>, element: Element) -> i8 {
        let dice = at.state.dice_of(at.rules, element) as i8;
        let is_spell = matches!(element, Element::Trait(mark) if at.state.mark(mark).spell);
        match (self.against, is_spell) {
            (true, _) => -dice,
            (false, true) => 0,
            (false, false) => dice,
        }
    }
}

/// What can be laid for this ask; `None` where there is nothing.
fn laying(at: At<'_>, slot: Slot) -> Option<Laying<'_>> {
    let (who, against) = match Clash::ask_at(at, slot)?.prompt {
        Prompt::Aid(who) => (who, false),
        Prompt::Oppose(who) => (who, true),
        _ => return None,
    };
    let elements = test::to_lay(at, who);
    (!elements.is_empty()).then_some(Laying {
        test: at.state.top_test()?,
        elements: elements.to_vec(),
        against,
    })
}

pub(crate) fn board(at: At<'_>, slot: Slot, who: Viewer) -> Option<Board> {
    let laying = laying(at, slot)?;
    let in_clash = at.state.clash.is_some();
    let cards: Vec<Playable> = laying
        .elements
        .iter()
        .map(|&element| Playable {
            name: words::element(at, element),
            kind: kind(element),
            dice: laying.dice(at, element),
            turns: in_clash,
        })
        .collect();
    let bare = test::net(at, laying.test);
    let row = if view::knows_difficulty(at, who) { row(at, &laying, &cards, bare) } else { Vec::new() };
    let mut rules = vec![clause!("roll.bonus-dice"), clause!("roll.malus-dice")];
    rules.extend(in_clash.then_some(if laying.against {
        clause!("clash.defend-exhaust")
    } else {
        clause!("clash.exhaust-aid")
    }));
    Some(Board::of(Lies::Cards { cards, bare, row }).by(rules))
}

const fn kind(element: Element) -> &'static str {
    match element {
        Element::Trait(_) => "Trait",
        Element::Item(_) => "Item",
        Element::Prop(_) => "Clash Prop",
    }
}

/// The odds with every number of dice that these cards can make, one of each kind at most.
fn row(at: At<'_>, laying: &Laying<'_>, cards: &[Playable], bare: i8) -> Vec<Pooled> {
    let most = ["Trait", "Item", "Clash Prop"].map(|kind| {
        let of_kind = cards.iter().filter(|card| card.kind == kind);
        of_kind.map(|card| card.dice.abs()).max().unwrap_or(0)
    });
    let most: i8 = most.iter().sum();
    let nets = if laying.against { bare - most..=bare } else { bare..=bare + most };
    // One die fewer and one more are told of as well, and of a bare Roll.
    let from = (nets.start() - 1).min(-1);
    let all: Vec<Option<Odds>> = (from..=(nets.end() + 1).max(0))
        .map(|net| dice::odds(flow::roll_with(at, laying.test, net)))
        .collect();
    let odds = |net: i8| all.get(usize::from(net.abs_diff(from)))?.as_ref();
    let percent = |net: i8| odds(net).map_or(0, passes);
    let [worse, even] = [-1, 0].map(percent);
    nets.filter_map(|net| {
        let more =
            if laying.against { percent(net) - percent(net - 1) } else { percent(net + 1) - percent(net) };
        let mut advice = match laying.against {
            _ if more <= 0 => "One die more changes next to nothing.".to_owned(),
            true => format!("One die more takes {more} in a hundred from it."),
            false => format!("One die more adds {more} in a hundred."),
        };
        // What is Exhausted is ready again in the next turn of its owner (`turn.unexhaust`): kept, it defends.
        if at.state.clash.is_some() && even > worse {
            let another = if laying.against { "another Roll" } else { "a Roll" };
            advice += &format!(
                " A card that you keep ready can hinder {another} against you before your next turn: its first \
                 die takes {} in a hundred from the Base Die alone at this Difficulty.",
                even - worse
            );
        }
        Some(Pooled { dice: net, name: words::dice(net), odds: odds(net)?.clone(), advice })
    })
    .collect()
}

/// How many throws in a hundred pass.
fn passes(odds: &Odds) -> i64 {
    let good: u128 = odds.rows.iter().filter(|row| row.tone == Tone::Good).map(|row| row.throws).sum();
    ((good * 200 / odds.throws).div_ceil(2)) as i64
}

pub(crate) fn laid(at: At<'_>, slot: Slot, answer: Answer) -> Option<Laid> {
    let laying = laying(at, slot)?;
    if !matches!(answer, Answer::Pass | Answer::Commit { idea: None, .. }) {
        return None;
    }
    let number = |element| laying.elements.iter().position(|&there| there == element);
    let numbers: Option<Vec<u8>> = answer.aids().iter().map(|element| Some(number(element)? as u8)).collect();
    Some(Laid::cards(numbers?))
}

pub(crate) fn arranged(at: At<'_>, slot: Slot, laid: &Laid) -> Option<Answer> {
    let laying = laying(at, slot)?;
    let mut aids = Aids::default();
    for &number in laid.at(0) {
        aids.add(*laying.elements.get(usize::from(number))?);
    }
    Some(test::committed(aids, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        state::*,
        view::tests::{FOE, table},
        vocab::*,
    };
    use fracas_kernel::Seat;

    /// The board on which a hero lays a card of some dice, in a Clash with the Foe, who attacks or is attacked.
    fn laid_by_hero(attacker: Char, step: Step) -> (Vec<i8>, i8, Vec<Pooled>, i8) {
        let (rules, mut state) = table("");
        let mut play = crate::Play { rules: &rules, state: &mut state, sink: &mut Vec::new() };
        crate::clash::begin(&mut play, Rank::Minor, Side::Foes, "a brawl".parse().expect("a label"));
        let hero = Char(0);
        let card = state.elements_of(hero).next().expect("a Trait");
        state.turn_card(card, Card::Ready);
        let defender = if attacker == hero { FOE } else { hero };
        let mut test = test::new(Kind::Attack, attacker, Target::Char(defender), defender, Symbol::Edge);
        test.step = step;
        state.frames.push(Frame::Test(test));
        let at = At { rules: &rules, state: &state };
        let board = board(at, Slot(0), Viewer::Seat(Seat::Player(0))).expect("a card to lay");
        let Lies::Cards { cards, bare, row } = board.lies else { panic!("no cards") };
        (cards.iter().map(|card| card.dice).collect(), bare, row, state.dice_of(&rules, card) as i8)
    }

    fn nets(row: &[Pooled]) -> Vec<i8> {
        row.iter().map(|pooled| pooled.dice).collect()
    }

    #[test]
    fn cards_are_laid_on_a_roll() {
        let (cards, bare, row, dice) = laid_by_hero(Char(0), Step::Aid);
        assert_eq!((cards, nets(&row)), (vec![dice], (bare..=bare + dice).collect()));
        // What a die more adds is what the next row has more.
        for pair in row.windows(2) {
            let adds = passes(&pair[1].odds) - passes(&pair[0].odds);
            assert!(adds > 1, "{row:?}");
            let says = format!("One die more adds {adds} in a hundred.");
            assert!(pair[0].advice.starts_with(&says), "{says} {:?}", pair[0]);
        }
    }

    #[test]
    fn cards_are_laid_against_a_roll_too() {
        let (cards, bare, row, dice) = laid_by_hero(FOE, Step::Oppose);
        assert_eq!((cards, nets(&row)), (vec![-dice], (bare - dice..=bare).collect()));
        // What a die more takes is what the next row has more.
        for pair in row.windows(2) {
            let takes = passes(&pair[1].odds) - passes(&pair[0].odds);
            assert!(takes > 1, "{row:?}");
            let says = format!("One die more takes {takes} in a hundred from it.");
            assert!(pair[1].advice.starts_with(&says), "{says} {:?}", pair[1]);
        }
    }
}
