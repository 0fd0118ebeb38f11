//! Boards: dice, points and cards that a player lays to answer.

use crate::{Effort, walk::walks};
use fracas_kernel::{Board, Laid, Lies, Seat, Session, Setup, Slot, Viewer, Words};
use fracas_sim::Chance;

/// Random layings that are tried at each moment.
const TRIES: u32 = 6;

/// Each listed answer of a board has a laying of its own, and that laying gives the answer.
///
/// Also: any laying that fits a board means an answer, which is allowed or refused with
/// reasons. An allowed answer has the laying it came from. Boards have dice and names. A
/// laying can be written and read back.
///
/// # Panics
/// If that does not hold.
pub fn laid<G: Words>(setups: &[Setup], effort: Effort) {
    walks::<G>(setups, effort, |here| {
        for (_, slot, ask) in here.session.asks() {
            let seat = ask.who.seats().iter().next().unwrap_or(Seat::Gm);
            listed::<G>(here.session, slot, Viewer::Seat(seat));
            for _ in 0..TRIES {
                tried::<G>(here.session, slot, Viewer::Seat(seat), here.chance);
            }
        }
    });
}

fn listed<G: Words>(session: &Session<G>, slot: Slot, who: Viewer) {
    let (rules, state) = (session.rules(), session.state());
    let board = G::board(rules, state, slot, who);
    if let Some(board) = &board {
        sound(board);
    }
    let mut lie = 0;
    G::legal(rules, state, slot, &mut |answer| {
        let Some(laid) = G::laid(rules, state, slot, &answer) else { return };
        let Some(board) = &board else { panic!("laid where there is no board: {answer:?}") };
        if let Err(refused) = board.fits(&laid) {
            panic!("{answer:?} does not lie on its board: {laid}: {refused}");
        }
        assert_eq!(laid.to_string().parse().as_ref(), Ok(&laid), "not read as it is written");
        let meant = G::arranged(rules, state, slot, &laid);
        assert_eq!(meant, Some(answer), "laid so it is another answer: {laid}");
        lie += 1;
    });
    assert!(board.is_none() || lie > 0, "a board by which nothing that is listed is given");
}

fn sound(board: &Board) {
    for (at, way) in board.ways.iter().enumerate() {
        assert!(!way.trim().is_empty(), "a way without words: {board:?}");
        assert!(!board.ways[..at].contains(way), "two ways in the same words: {board:?}");
    }
    let shows = |die: &fracas_kernel::Piece| die.sides >= 2 && die.face >= 1 && die.face <= die.sides;
    match &board.lies {
        Lies::Dice { dice, places } => {
            assert!(!dice.is_empty() && dice.iter().all(shows), "odd dice: {board:?}");
            assert!(!places.is_empty(), "nowhere to put dice: {board:?}");
            for place in places {
                assert!(!place.name.trim().is_empty(), "a place without a name: {board:?}");
                assert!(place.most > 0 && place.least <= place.most, "a place for no die: {board:?}");
            }
            let fixed = dice.iter().filter_map(|die| die.fixed);
            assert!(fixed.max().is_none_or(|at| usize::from(at) < places.len()), "fixed nowhere: {board:?}");
        }
        Lies::Points { from, to, most } => {
            assert!([from, to].into_iter().all(shows), "odd dice: {board:?}");
            assert!(*most < from.face, "a die has no face left: {board:?}");
        }
        Lies::Cards { cards, bare, row } => {
            assert!(!cards.is_empty(), "no cards: {board:?}");
            for card in cards {
                assert!(!card.name.trim().is_empty() && !card.kind.is_empty(), "no name: {board:?}");
            }
            let dice: Vec<i8> = row.iter().map(|pooled| pooled.dice).collect();
            let whole = dice.windows(2).all(|two| two[0] + 1 == two[1]);
            assert!(whole && (dice.is_empty() || dice.contains(bare)), "a row with gaps: {board:?}");
            assert!(row.iter().all(|pooled| !pooled.odds.rows.is_empty()), "no odds: {board:?}");
        }
    }
}

/// A random laying, which usually fits the board.
fn tried<G: Words>(session: &Session<G>, slot: Slot, who: Viewer, chance: &mut Chance) {
    let (rules, state) = (session.rules(), session.state());
    let Some(board) = G::board(rules, state, slot, who) else { return };
    let way = chance.place(board.ways.len() + 1) as u8;
    let laid = match &board.lies {
        Lies::Points { most, .. } => Laid::points(way, chance.place(usize::from(*most) + 2) as u8),
        Lies::Cards { cards, .. } => {
            let laid = (0..cards.len()).filter(|_| chance.place(3) == 0);
            Laid::cards(laid.take(4).map(|number| number as u8).collect())
        }
        Lies::Dice { dice, places } => {
            let mut put = vec![Vec::new(); places.len()];
            for die in dice {
                let at = die.fixed.map_or_else(|| chance.place(places.len() + 1), usize::from);
                if let Some(there) = put.get_mut(at).filter(|there| there.len() < 4) {
                    there.push(die.face);
                }
            }
            Laid::by(way, put)
        }
    };
    if board.fits(&laid).is_err() {
        return;
    }
    let Some(answer) = G::arranged(rules, state, slot, &laid) else {
        panic!("it can be laid and means nothing: {laid} on {board:?}");
    };
    if let Lies::Cards { cards, bare, row } = &board.lies {
        let net = laid.at(0).iter().map(|&number| cards[usize::from(number)].dice).sum::<i8>() + bare;
        let known = row.is_empty() || row.iter().any(|pooled| pooled.dice == net);
        assert!(known, "{net} dice can be laid and are not in the row: {board:?}");
    }
    match G::check(rules, state, slot, answer) {
        Ok(_) => {
            let back = G::laid(rules, state, slot, &answer);
            assert_eq!(back.as_ref(), Some(&laid), "laid so it lies otherwise: {answer:?}");
        }
        Err(refused) => assert!(!refused.reasons.is_empty(), "refused without a reason: {answer:?}"),
    }
}
