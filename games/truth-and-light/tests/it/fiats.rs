//! What the gamemaster can overrule, to its bounds and no further.

use crate::TABLES;
use fracas_kernel::{Game, Refused, Seat, Viewer};
use truth_and_light::state::{Lie, Made, Place, State};
use truth_and_light::{TruthAndLight, event::Event, fiat::Fiat, rules::Rules, vocab::*};

/// Fiats at the fight of the setups, each with why it is refused, or with what the gamemaster sees then.
/// There are Ilen and Osk, a captain and a bravo, and a lookout: `@c4`.
const FIATS: &str = r#"
{"track":{"who":"@c5","track":"@t0","left":1}} => nobody here is called that
{"out":{"who":"@c5","out":true}} => nobody here is called that
{"known":{"who":"@c5","known":true}} => nobody here is called that
{"away":{"who":"@c5","away":true}} => nobody here is called that
{"power":{"who":"@c5","pn":9}} => nobody here is called that
{"aware":{"who":"@c5","aware":true}} => nobody here is called that
{"fortune":{"who":"@c5","fate":"good","now":1,"next":0}} => nobody here is called that
{"die":{"who":"@c5","held":true}} => nobody here is called that
{"last":{"who":"@c5"}} => nobody here is called that
{"boon":{"boon":"@b0","holder":"@c5","lie":"kept"}} => nobody here is called that
{"end":{"on":"@c5","end":"@e0"}} => nobody here is called that
{"end":{"on":"@c0","by":"@c5","end":"@e0"}} => nobody here is called that
{"lift":{"who":"@c5"}} => nobody here is called that
{"boon":{"boon":"LAST BOON","holder":"@c0","lie":"lost"}} => /boons/LAST/lie "lost"
{"boon":{"boon":"LAST BOON","holder":"@c0","lie":"gone"}} => /boons/LAST null
{"boon":{"boon":"NO BOON","holder":"@c0","lie":"lost"}} => nothing here is called that
{"boon":{"boon":"@x0","holder":"@c0","lie":"lost"}} => nothing here is called that
{"end":{"on":"@c0","by":"@c4","end":"@e9","degrees":1}} => /cast/ilen/under/0 "Slowed: -2 action power (pursuit) until a minor action"
{"end":{"on":"@c0","by":"@c4","end":"@e10","degrees":1}} => nothing here is called that
{"hazard":{"hazard":"@h0","present":false}} => /hazards []
{"hazard":{"hazard":"@h0","present":true}} => /hazards ["@h0"]
{"hazard":{"hazard":"@h1","present":true}} => nothing here is called that
{"track":{"who":"@c0","track":"@t1","left":6}} => /cast/ilen/left/mind 6
{"track":{"who":"@c0","track":"@t1","left":1}} => /cast/ilen/out false
{"track":{"who":"@c0","track":"@t1","left":0}} => /cast/ilen/out true
{"track":{"who":"@c0","track":"@t1","left":7}} => that track of theirs goes up to 6 (ext.harm)
{"track":{"who":"@c0","track":"@t2","left":0}} => that track of theirs goes up to 0 (ext.harm)
{"power":{"who":"@c4","pn":6}} => /cast/lookout/pn 6
{"power":{"who":"@c4","pn":16}} => /cast/lookout/pn 16
{"power":{"who":"@c4","pn":5}} => a power number is from 6 to 16 (bad.tn)
{"power":{"who":"@c4","pn":17}} => a power number is from 6 to 16 (bad.tn)
{"power":{"who":"@c0","pn":9}} => players' characters have attributes, and no power number (pn.meaning)
{"fortune":{"who":"@c0","fate":"good","now":9,"next":9}} => /cast/ilen/good {"now":9,"next":9}
{"fortune":{"who":"@c0","fate":"good","now":9,"next":9}} => /cast/ilen/bad {"now":1,"next":0}
{"fortune":{"who":"@c0","fate":"bad","now":0,"next":8}} => /cast/ilen/bad {"now":0,"next":8}
{"fortune":{"who":"@c0","fate":"good","now":10,"next":0}} => nobody has more than nine fortunes (fortune-count)
{"fortune":{"who":"@c0","fate":"good","now":0,"next":10}} => nobody has more than nine fortunes (fortune-count)
{"fortune":{"who":"@c4","fate":"bad","now":1,"next":0}} => only players' characters roll and have that (roll.players-only)
{"scene":65535} => /scene 65535
{"scene":0} => scenes are counted from 1
{"out":{"who":"@c0","out":true}} => /cast/ilen/out true
{"away":{"who":"@c4","away":true}} => /cast/lookout/away true
{"aware":{"who":"@c4","aware":true}} => /cast/lookout/unaware false
{"aware":{"who":"@c3","aware":false}} => /cast/bravo/unaware true
{"aware":{"who":"@c0","aware":true}} => players' characters have attributes, and no power number (pn.meaning)
{"known":{"who":"@c0","known":true}} => players' characters have attributes, and no power number (pn.meaning)
{"die":{"who":"@c0","held":true}} => /cast/ilen/die {"held":true,"gained":true,"spent":false}
{"die":{"who":"@c0","held":false}} => /cast/ilen/die {"held":false,"gained":false,"spent":false}
{"die":{"who":"@c4","held":true}} => only players' characters roll and have that (roll.players-only)
{"last":{"who":"@c0","glory":"spring-surprise"}} => /cast/ilen/last "spring-surprise"
{"last":{"who":"@c4"}} => only players' characters roll and have that (roll.players-only)
{"option":{"id":"break-now-amount","value":"5"}} => /options/break-now-amount "5"
{"option":{"id":"boon-stacking","value":"one-per-sort"}} => /options/boon-stacking "one-per-sort"
{"option":{"id":"lose-who-picks","value":"player"}} => /options/lose-who-picks "player"
{"option":{"id":"tn-hidden","value":"hidden-until-spent"}} => /options/tn-hidden "hidden-until-spent"
{"option":{"id":"pc-vs-pc-ruling","value":"set-tn"}} => /options/pc-vs-pc-ruling "set-tn"
{"option":{"id":"rank-cap-enforced","value":"up-to-10"}} => that is settled when a table is set up (rank-cap-enforced)
{"option":{"id":"tn-hidden","value":"never"}} => expected one of announced, hidden-until-spent, found "never"
{"option":{"id":"luck","value":"more"}} => no such option; there are break-now-amount, boon-stacking, lose-who-picks, tn-hidden, rank-cap-enforced, pc-vs-pc-ruling, guilt-to, glory-from, pushed-degrees, break-next-amount
"#;

fn table() -> (Rules, State) {
    TruthAndLight::start(&TABLES.setup("fight.toml")).unwrap_or_else(|faults| panic!("{faults}"))
}

/// What a fiat tells.
fn ruled((rules, state): &mut (Rules, State), fiat: &Fiat) -> Result<Vec<Event>, Refused> {
    let mut events = Vec::new();
    TruthAndLight::fiat(rules, state, fiat, &mut events).map(|()| events)
}

#[test]
fn fiats_go_to_their_bounds() {
    let last = table().0.boons.len() - 1;
    let slug = table().0.boons[last].slug.clone();
    let boons =
        [("LAST BOON", last - SPARES), ("NO BOON", last - SPARES + 1)].map(|(a, n)| (a, format!("@b{n}")));
    for line in FIATS.trim().lines() {
        let (fiat, expected) = line.split_once(" => ").expect("a fiat and what comes of it");
        let fiat = boons.iter().fold(fiat.to_owned(), |fiat, (called, boon)| fiat.replace(called, boon));
        let mut table = table();
        let done = ruled(&mut table, &serde_json::from_str(&fiat).expect("a fiat"));
        let found = match (done, expected.split_once(' ')) {
            (Ok(_), Some((field, _))) => {
                let view = TruthAndLight::view(&table.0, &table.1, Viewer::Seat(Seat::Gm));
                let view = serde_json::to_value(view).expect("JSON");
                let field = field.replace("LAST", &slug);
                format!("{field} {}", view.pointer(&field).unwrap_or(&serde_json::Value::Null))
            }
            (Ok(_), None) => "allowed".to_owned(),
            (Err(refused), _) => refused.to_string(),
        };
        assert_eq!(found, expected.replace("LAST", &slug), "{fiat}");
    }
}

#[test]
fn players_learn_a_number_and_forget_it() {
    let mut table = table();
    let who = Char(4);
    for (known, all) in [(true, CharSet::one(who)), (false, CharSet::NONE)] {
        ruled(&mut table, &Fiat::Known { who, known }).expect("allowed");
        assert_eq!(table.1.known, all);
    }
}

#[test]
fn what_was_made_in_play_is_put_anywhere_and_ends() {
    let (mut table, holder) = (table(), Char(4));
    table.1.made[3] = Some(Made::Like(Boon(8)));
    table.1.boons[3] = Place { holder: Some(Char(0)), lie: Lie::InUse };
    let mut put = |lie| {
        let done = ruled(&mut table, &Fiat::Boon { boon: Boon(3), holder, lie });
        (done.is_ok(), table.1.place(Boon(3)).holder, table.1.made[3].is_some())
    };
    assert_eq!(put(Lie::Kept), (true, Some(holder), true));
    assert_eq!(put(Lie::Gone), (true, None, false));
    assert_eq!(put(Lie::Kept), (false, None, false));
}

#[test]
fn what_is_so_already_is_not_told() {
    for (fiat, told) in [
        (r#"{"out":{"who":"@c0","out":false}}"#, 0),
        (r#"{"out":{"who":"@c0","out":true}}"#, 1),
        (r#"{"scene":1}"#, 0),
        (r#"{"scene":2}"#, 1),
        (r#"{"turns":"free"}"#, 0),
        (r#"{"turns":"alternate"}"#, 1),
        (r#"{"lift":{"who":"@c0"}}"#, 0),
        (r#"{"last":{"who":"@c0"}}"#, 0),
        (r#""cancel""#, 0),
    ] {
        let events = ruled(&mut table(), &serde_json::from_str(fiat).expect("a fiat")).expect("allowed");
        assert_eq!(events.len(), told, "{fiat}");
    }
}

#[test]
fn whoever_joins_sits_where_there_is_a_seat() {
    for (player, seat, holds) in [
        ("bo", "player-2", vec![vec!["captain", "bravo", "lookout"], vec!["ilen"], vec!["osk", "cyl"]]),
        ("cy", "player-3", vec![vec!["captain", "bravo", "lookout"], vec!["ilen"], vec!["osk"], vec!["cyl"]]),
    ] {
        let who = serde_json::json!({ "player": player, "name": "Cyl", "writhing": "w", "boon": [{ "name": "Lamp" }] });
        let mut table = table();
        ruled(&mut table, &Fiat::Join(who)).expect("allowed");
        let (rules, state) = table;
        let seats: Vec<_> = TruthAndLight::seats(&rules).into_iter().map(|info| info.holds).collect();
        assert_eq!(
            (rules.cast[5].seat.to_string(), seats),
            (
                seat.to_owned(),
                holds.into_iter().map(|all| all.into_iter().map(str::to_owned).collect()).collect()
            )
        );
        assert_eq!((state.cast.len(), state.boons.len()), (rules.cast.len(), rules.boons.len()));
        assert!(rules.roster.players.iter().any(|one| one == player));
    }
}
