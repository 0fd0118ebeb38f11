//! Standing replies of a seat.

use crate::pauses::table;
use fracas_kernel::Seat;

#[test]
fn a_seat_stands_by_so_many_replies_that_hold() {
    let mut table = table(None, 1);
    let reply = |n: usize| format!(r#"{{"pass":{{"clash":{n}}}}}"#);
    for n in 1..=16 {
        table.stand(Seat::Gm, &reply(n), true).expect("one of sixteen");
    }
    table.stand(Seat::Gm, &reply(16), true).expect("the same again");
    let refused = table.stand(Seat::Gm, &reply(17), true).expect_err("one too many").to_string();
    assert!(refused.contains("take one back first"), "{refused}");
    table.stand(Seat::Player(0), &reply(17), true).expect("another seat's first");
    table.stand(Seat::Gm, &reply(3), false).expect("taken back");
    table.stand(Seat::Gm, r#""pass-clash""#, true).expect("the next Clash, as before");
    let game = table.game();
    assert!(game.stands_by(Seat::Gm, r#""pass-clash""#) && !game.stands_by(Seat::Gm, r#""pass-turn""#));
    assert_eq!(game.standing().iter().filter(|(seat, _)| *seat == Seat::Gm).count(), 15);
}
