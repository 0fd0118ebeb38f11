//! What odds and simulation count, what bots weigh, and the exact odds of fallout.

use afraid::answer::{Answer, AtStake, Sides, Turn};
use afraid::dice::{Faces, Fallout, Rating};
use afraid::state::{Changes, To};
use afraid::vocab::{Arena, Char, CharSet, Circumstances, Fact, Harm, Item, Size};
use afraid::{Afraid, Outcome, fiat::Fiat};
use fracas_kernel::{Dice, Game, Read, Roll, Rolled, Seat, Seen, Session, Slot, Viewer, classes};
use fracas_suite::{Driven, begun, table};
use std::collections::BTreeSet;

type Table = Session<Afraid>;

const ANA: Seat = Seat::Player(0);

/// Between conflicts.
const TALK: &str = r#"
player = [{ name = "Ana" }]
[[character]]
name = "Ada"
stats = { acuity = 2, body = 3, heart = 2, will = 3 }
trait = [{ name = "Brave", dice = "2d6" }]
[[npc]]
name = "Moss"
stats = { acuity = 2, body = 3, heart = 2, will = 3 }
trait = [{ name = "Stubborn", dice = "2d6" }]
[[npc]]
name = "The mob"
members = 3
stats = {}
fact = [{ text = "They were paid." }, { text = "They were not paid enough." }]
"#;

/// And two of them fighting over something.
const FIGHT: &str = r#"
[conflict]
arena = "fighting"
thing = "the bridge"
side = [{ who = ["Ada"] }, { who = ["Moss"] }]
[[conflict.part]]
who = "Ada"
hand = "6 5 4"
[[conflict.part]]
who = "Moss"
hand = "6 5 4"
"#;

/// A table before and after these fiats.
#[track_caller]
fn after(text: &str, fiats: &[&str]) -> (Table, Table) {
    let before = table::<Afraid>(text);
    let mut now = before.clone();
    fiats.iter().for_each(|fiat| drop(now.overrules(fiat)));
    (before, now)
}

fn answer(table: &mut Table, seat: Seat, given: Answer) {
    let asks: Vec<_> =
        table.asks().filter(|(_, _, ask)| ask.who.seats().contains(seat)).map(|(id, ..)| id).collect();
    let taken = asks.into_iter().any(|id| table.answer(seat, id, given, &mut Vec::new()).is_ok());
    assert!(taken, "{given:?} is no answer of this seat's");
}

fn is_asked(table: &Table, seat: Seat) -> bool {
    table.asks().any(|(_, _, ask)| ask.who.seats().contains(seat))
}

fn outcome(now: &Table, before: &Table) -> Outcome {
    Afraid::outcome(now.rules(), now.state(), before.state())
}

/// How much better things stand for a seat in the second of two tables.
fn better(before: &Table, now: &Table, seat: Seat) -> i32 {
    let worth = |it: &Table| Afraid::worth(it.rules(), it.state(), seat);
    worth(now) - worth(before)
}

/// How much better things stand for the players after these fiats; for the gamemaster it
/// is the same the other way round.
#[track_caller]
fn gain(text: &str, fiats: &[&str]) -> i32 {
    let (before, now) = after(text, fiats);
    let gain = better(&before, &now, ANA);
    assert_eq!(better(&before, &now, Seat::Gm), -gain);
    gain
}

const NOTHING: Outcome = Outcome { dead: 0, killed: 0, worse: 0, hurt: 0, revealed: 0, won: None };

#[test]
fn what_is_revealed_is_learnt() {
    let learnt = |fiats: &[&str]| {
        let (before, now) = after(TALK, fiats);
        Afraid::learnt(now.rules(), now.state(), before.state())
    };
    assert!(learnt(&[]).is_empty());
    let learnt = learnt(&[r#"{"known":{"fact":"@fact-2","known":true}}"#]);
    assert!(matches!(learnt[..], [Fiat::Known { fact: Fact(1), known: true }]), "{learnt:?}");
}

#[test]
fn outcomes_are_counted() {
    let check = |fiats: &[&str], expected: Outcome| {
        let (before, now) = after(TALK, fiats);
        assert_eq!(outcome(&now, &before), expected);
    };
    check(&[], NOTHING);
    check(
        &[
            r#"{"circumstance":{"who":"@ada","circumstance":"lost","on":true}}"#,
            r#"{"circumstance":{"who":"@ada","circumstance":"alone","on":true}}"#,
            r#"{"circumstance":{"who":"@moss","circumstance":"alone","on":true}}"#,
            r#"{"need":{"who":"@ada","dice":"4d8"}}"#,
            r#"{"need":{"who":"@moss","dice":"4d8"}}"#,
            r#"{"known":{"fact":"@fact-2","known":true}}"#,
            r#"{"fate":{"who":"@moss","fate":"dead"}}"#,
            r#"{"fate":{"who":"@the-mob","fate":"dead"}}"#,
        ],
        Outcome { killed: 2, worse: 2, hurt: 1, revealed: 1, ..NOTHING },
    );
    check(&[r#"{"fate":{"who":"@ada","fate":"dead"}}"#], Outcome { dead: 1, ..NOTHING });
    // Since then, not ever.
    let (_, now) = after(TALK, &[r#"{"circumstance":{"who":"@ada","circumstance":"lost","on":true}}"#]);
    let mut later = now.clone();
    later.overrules(r#"{"circumstance":{"who":"@ada","circumstance":"lost","on":false}}"#);
    assert_eq!(outcome(&now, &now), NOTHING);
    assert_eq!(outcome(&later, &now), Outcome { worse: -1, ..NOTHING });
}

/// A fight after which Ada is known to have won or lost: as it began, as the stakes are
/// to be resolved, and as they have been.
fn fought(text: &str, ada_wins: bool) -> [Table; 3] {
    let before = table::<Afraid>(&format!("{TALK}{FIGHT}{text}"));
    let mut now = before.clone();
    let (loser, winner) = if ada_wins { (Seat::Gm, ANA) } else { (ANA, Seat::Gm) };
    let turn = if is_asked(&now, ANA) { ANA } else { Seat::Gm };
    if turn == winner {
        answer(&mut now, turn, challenge(if turn == ANA { 1 } else { 0 }));
    }
    answer(&mut now, loser, Answer::Yield);
    let resolving = now.clone();
    answer(&mut now, winner, resolve(CharSet::NONE));
    [before, resolving, now]
}

fn challenge(on: u8) -> Answer {
    let on = CharSet::one(Char(on));
    Answer::Challenge { on, dice: Faces::of(&[6, 5]), harm: None, arena: None }
}

fn resolve(dies: CharSet) -> Answer {
    Answer::Resolve { dies, comes: Changes::default(), ends: Changes::default() }
}

#[test]
fn who_has_won_is_told_while_it_is_resolved_and_after() {
    for ada_wins in [true, false] {
        let [before, resolving, over] = fought("", ada_wins);
        assert_eq!(outcome(&before, &before).won, None);
        assert_eq!(outcome(&resolving, &before).won, Some(ada_wins));
        assert_eq!(outcome(&over, &resolving).won, Some(ada_wins));
        assert_eq!(outcome(&over, &over).won, None);
    }
}

#[test]
fn what_befalls_somebody_weighs() {
    let on = |who, which, on| {
        format!(r#"{{"circumstance":{{"who":"@{who}","circumstance":"{which}","on":{on}}}}}"#)
    };
    assert_eq!(gain(TALK, &[]), 0);
    assert_eq!(gain(TALK, &[&on("ada", "lost", true)]), -22);
    assert_eq!(gain(TALK, &[&on("ada", "lost", true), &on("ada", "alone", true)]), -44);
    assert_eq!(gain(TALK, &[&on("ada", "lost", true), &on("ada", "lost", false)]), 0);
    assert_eq!(gain(TALK, &[&on("moss", "alone", true)]), 22);
    assert_eq!(gain(TALK, &[r#"{"need":{"who":"@ada","dice":"4d8"}}"#]), -150);
    assert_eq!(gain(TALK, &[r#"{"need":{"who":"@moss","dice":"1d4"}}"#]), 150);
    assert_eq!(gain(TALK, &[r#"{"members":{"who":"@the-mob","members":1}}"#]), 12);
    // Dice on a sheet: 12 for one of a stat, twice the average of any other.
    assert_eq!(gain(TALK, &[r#"{"stat":{"who":"@ada","stat":"body","dice":2}}"#]), -12);
    assert_eq!(gain(TALK, &[r#"{"thing":{"item":"@ada-brave","dice":"2d10 1d4"}}"#]), 22 + 5 - 14);
    assert_eq!(gain(TALK, &[r#"{"thing":{"item":"@ada-brave"}}"#]), -14);
    assert_eq!(gain(TALK, &[r#"{"unassigned":{"who":"@ada","dice":"1d8 2d6"}}"#]), 9 + 14);
    // The dead have nothing else that weighs.
    assert_eq!(gain(TALK, &[r#"{"fate":{"who":"@ada","fate":"dead"}}"#]), -400 - (10 * 12 + 14));
}

#[test]
fn what_players_may_not_know_does_not_weigh_for_them() {
    let both = |text: &str, fiat: &str| {
        let (before, now) = after(text, &[fiat]);
        (better(&before, &now, ANA), better(&before, &now, Seat::Gm))
    };
    // Sheets of the gamemaster's are hidden, deaths are not.
    assert_eq!(both(TALK, r#"{"stat":{"who":"@moss","stat":"body","dice":5}}"#), (0, 24));
    assert_eq!(both(TALK, r#"{"thing":{"item":"@moss-stubborn"}}"#), (0, -14));
    assert_eq!(both(TALK, r#"{"fate":{"who":"@moss","fate":"dead"}}"#), (400, -400 - (10 * 12 + 14)));
    // Of whom they have not met nothing weighs.
    let apart = format!("{TALK}[[scene]]\npresent = [\"Ada\"]\n");
    let alone = r#"{"circumstance":{"who":"@moss","circumstance":"alone","on":true}}"#;
    assert_eq!(both(&apart, alone), (0, -22));
}

#[test]
fn the_end_of_the_evening_is_worth_something() {
    let before = table::<Afraid>(TALK);
    let mut now = before.clone();
    answer(&mut now, Seat::Gm, Answer::Close);
    assert!(now.state().over);
    assert_eq!([ANA, Seat::Gm].map(|seat| better(&before, &now, seat)), [30, 30]);
}

#[test]
fn dice_in_a_conflict_weigh() {
    let fight = format!("{TALK}{FIGHT}");
    // A face counts twice, and a sixth of its square.
    assert_eq!(gain(&fight, &[r#"{"hand":{"who":"@ada","faces":[6,5]}}"#]), -10);
    // With one die Ada, whose turn it is, has no challenge unless she brings something in.
    let stuck = (90 + 36) / 3;
    assert_eq!(gain(&fight, &[r#"{"hand":{"who":"@ada","faces":[10]}}"#]), 36 - (18 + 14 + 10) - stuck);
    // Two dice left to Moss are both what 5 and 4 cost him.
    let costly = (18 + 14) - (14 + 10);
    assert_eq!(gain(&fight, &[r#"{"hand":{"who":"@moss","faces":[6,5]}}"#]), 10 + costly);
    // Banked dice: twice the square of the largest size, less for few, and two for each.
    assert_eq!(gain(&fight, &[r#"{"bank":{"who":"@ada","dice":"1d4"}}"#]), -(32 / 3 + 2));
    assert_eq!(gain(&fight, &[r#"{"bank":{"who":"@ada","dice":"3d8"}}"#]), -(128 * 3 / 5 + 6));
    assert_eq!(gain(&fight, &[r#"{"bank":{"who":"@ada","dice":"3d8 1d10"}}"#]), -(200 * 4 / 6 + 8));
    assert_eq!(gain(&fight, &[r#"{"bank":{"who":"@moss","dice":"3d8"}}"#]), 82);
}

#[test]
fn who_is_out_of_a_conflict_is_missed() {
    // Ben has nothing but two dice, and goes out for them.
    let text = TALK.replace(
        "[[npc]]\nname = \"Moss\"",
        "[[character]]\nname = \"Ben\"\nstats = {}\n[[npc]]\nname = \"Moss\"",
    ) + &FIGHT
        .replace("[\"Ada\"]", "[\"Ada\", \"Ben\"]")
        .replace("hand = \"6 5 4\"", "hand = \"6 5 4 4\"")
        + "[[conflict.part]]\nwho = \"Ben\"\nhand = \"3 1\"\n";
    let mut now = table::<Afraid>(&text);
    // Moss and Ada stand alike; whoever is first, it comes to Moss's challenging Ben.
    if is_asked(&now, ANA) {
        now.says(ANA, r#"{"challenge":{"on":["@moss"],"dice":[4,4]}}"#);
        now.says(Seat::Gm, r#"{"answer":{"dice":[4,4]}}"#);
    }
    answer(&mut now, Seat::Gm, challenge(1));
    let before = now.clone();
    answer(&mut now, ANA, Answer::Yield);
    assert!(now.state().conflict().is_some_and(|conflict| !conflict.is_in(Char(1))));
    // That Ben would go out was foreseen: what is new is that Ada's turn has come. With 11
    // she costs Moss, who has 4 and 4, what he has yet to bring in.
    let turn = (3 * 11 + 15) - (18 + 14);
    assert_eq!([ANA, Seat::Gm].map(|seat| better(&before, &now, seat)), [turn, -turn]);
    // With a pair that blocks it Ben would have lost these two dice, and not the conflict.
    let mut able = before.clone();
    able.overrules(r#"{"hand":{"who":"@ben","faces":[10,1]}}"#);
    assert_eq!([ANA, Seat::Gm].map(|seat| better(&before, &able, seat)), [90, -90]);
}

#[test]
fn a_conflict_won_weighs_until_it_is_resolved() {
    let bank = "bank = \"1d4\"\n";
    for (ada_wins, text, worth) in [(true, "", 260), (false, "", -260), (true, bank, 260 + 12)] {
        let [_, resolving, over] = fought(text, ada_wins);
        // Moss has banked the die.
        let gained = [ANA, Seat::Gm].map(|seat| better(&over, &resolving, seat));
        assert_eq!(gained, [worth, -worth], "{ada_wins} {text}");
    }
}

#[test]
fn a_fair_player_holds_back() {
    let (ada, moss) = (Char(0), Char(1));
    let table = table::<Afraid>(TALK);
    let of = |answer| Afraid::restraint(table.rules(), table.state(), Slot(0), answer);
    let label = "the bridge".parse().expect("a label");
    let sides = Sides::two(CharSet::one(ada), CharSet::one(moss));
    for (answer, restraint) in [
        (Answer::Victim { who: moss, turn: Turn::Step }, 1_500),
        (Answer::Reveal(Fact(0)), 1_500),
        (Answer::Bond { bond: Item(0), holds: false }, 1_500),
        (Answer::Conflict { sides, arena: Arena::Social, followup: false }, 40),
        (Answer::CallOff, 500),
        (Answer::NewScene(CharSet::one(moss)), 500),
        (Answer::Enter(moss), 500),
        (Answer::Cut(1), 500),
        (Answer::Move, 500),
        (Answer::EndScene, 500),
        (Answer::Close, 600),
        (Answer::Stake(AtStake::default()), 500),
        (Answer::Muse(AtStake::default()), 500),
        (Answer::Thing(label), 500),
        (Answer::Begin, 0),
        (Answer::Give, 0),
        (Answer::Yield, 10),
        (Answer::Yes, 0),
        (Answer::No, 500),
        (Answer::Pass, 0),
        (Answer::Harm(Harm::Violent), 40),
        (Answer::Join { who: ada, with: moss }, 10),
        (Answer::Perish(ada), 500),
        (Answer::Perish(moss), 0),
        (Answer::Care(ada), 300),
        (resolve(CharSet::NONE), 0),
        (resolve(CharSet::one(moss)), 250),
        (resolve(CharSet::one(ada)), 800),
        (Answer::Suffer(Circumstances::ALL), 0),
    ] {
        assert_eq!(of(answer), restraint, "{answer:?}");
    }
    // Once there has been enough of it the evening may end.
    let mut late = table.state().clone();
    late.scenes[0].stage = 2;
    for (answer, restraint) in [(Answer::EndScene, 20), (Answer::Close, 0), (Answer::Care(ada), 0)] {
        let of = Afraid::restraint(table.rules(), &late, Slot(0), answer);
        assert_eq!(of, restraint, "{answer:?}");
    }
}

#[test]
fn what_an_ally_of_the_gamemasters_has_in_reserve_keeps_no_player_from_giving() {
    let give = |reserve: &str| {
        let text = format!(
            r#"
            player = [{{ name = "Ana" }}]
            character = [{{ name = "Ada", stats = {{ body = 1 }} }}]
            [[npc]]
            name = "Dill"
            stats = {{}}
            {reserve}
            [[npc]]
            name = "Moss"
            stats = {{}}
            [conflict]
            arena = "social"
            thing = "the bridge"
            side = [{{ who = ["Ada", "Dill"] }}, {{ who = ["Moss"] }}]
            part = [
                {{ who = "Ada", hand = "2 1" }},
                {{ who = "Dill", hand = "1" }},
                {{ who = "Moss", hand = "6 6 6 6 6 6 6 6" }},
            ]
            "#
        );
        let mut table = table::<Afraid>(&text);
        table.says(Seat::Gm, r#"{"challenge":{"on":["@ada"],"dice":[6,6]}}"#);
        Afraid::restraint(table.rules(), table.state(), Slot(0), Answer::Give)
    };
    assert_eq!(give(""), 0, "far behind");
    assert_eq!(give("trait = [{ name = \"Strong\", dice = \"6d10\" }]"), 0);
}

#[test]
fn what_is_unseen_on_a_sheet_is_imagined_alike_whatever_is_there() {
    let sheet = |unseen: &str, seed| {
        let there = "Stubborn\", dice = \"2d6\" }";
        let text = format!("{TALK}{FIGHT}").replacen(there, &format!("{there}{unseen}"), 1);
        let (mut rules, mut state) = begun::<Afraid>(&text);
        Afraid::scramble(&mut rules, &mut state, Viewer::Seat(ANA), seed);
        let sheet = state.sheet(Char(1)).map(|(_, thing)| (thing.sort, thing.rating, thing.arena));
        sheet.collect::<Vec<_>>()
    };
    let unseen = r#", { name = "Waits", dice = "3d10" }, { name = "Climbs", dice = "1d4", arena = "athletic" }]
        belonging = [{ name = "A knife", dice = "2d6" }"#;
    let sheets: Vec<_> = (0..60).map(|seed| sheet("", seed)).collect();
    assert_eq!((0..60).map(|seed| sheet(unseen, seed)).collect::<Vec<_>>(), sheets);
    let many: BTreeSet<usize> = sheets.iter().map(Vec::len).collect();
    assert_eq!(many, (0..4).collect(), "none to three");
    let all = || sheets.iter().flatten();
    assert_eq!(all().map(|(_, rating, _)| rating.size).collect::<BTreeSet<_>>().len(), Size::ALL.len());
    assert_eq!(all().filter_map(|(.., arena)| *arena).collect::<BTreeSet<_>>().len(), Arena::ALL.len());
    // What lies open as dice was there.
    let rolled = |seed| sheet("]\nbond = [{ name = \"Waits\", dice = \"3d10\" }", seed);
    let there = Rating::of(3, Size::D10);
    assert!((0..20).all(|seed| rolled(seed).iter().any(|(_, rating, _)| *rating == there)));
}

#[test]
fn dice_that_are_not_needed_yet_are_held_back() {
    let later = [
        Answer::Bring(Item(0)),
        Answer::Escalate(Arena::Murder),
        Answer::Assign { who: None, to: To::Char(Char(1)), count: 1, size: Size::D6 },
    ];
    let hands = |faces: &str| {
        let hand = |who| format!(r#"{{"hand":{{"who":"@{who}","faces":{faces}}}}}"#);
        after(&format!("{TALK}{FIGHT}"), &[&hand("ada"), &hand("moss")]).1
    };
    let of = |table: &Table, answer| Afraid::restraint(table.rules(), table.state(), Slot(0), answer);
    let all = |table: &Table| later.map(|answer| of(table, answer));
    // With a pair that Moss cannot reverse there is enough to challenge with.
    assert_eq!(all(&hands("[4,4,3]")), [2000; 3]);
    assert_eq!(all(&hands("[4]")), [0, 2000, 0]);
    let with = |faces: &[u8]| {
        let on = CharSet::one(Char(1));
        Answer::Challenge { on, dice: Faces::of(faces), harm: None, arena: None }
    };
    let mut table = hands("[6,5,4,2,1]");
    // Whatever cannot be reversed is a challenge; what can is the worse, the more is kept.
    let all_ways = [[6, 5], [6, 4], [5, 4], [4, 2], [2, 1]].map(|dice| of(&table, with(&dice)));
    assert_eq!(all_ways, [0, 0, 0, 40, 64]);
    // With a pair that reaches the challenge there is enough to answer it.
    let (turn, on) = if is_asked(&table, ANA) { (ANA, 1) } else { (Seat::Gm, 0) };
    answer(&mut table, turn, challenge(on));
    assert_eq!(all(&table), [2000; 3]);
    let give = |table: &Table| of(table, Answer::Give);
    assert_eq!(give(&table), 2000);
    let other = if on == 1 { "@moss" } else { "@ada" };
    let set = |table: &mut Table, faces: &str| {
        table.overrules(&format!(r#"{{"hand":{{"who":"{other}","faces":{faces}}}}}"#));
    };
    // Where there is only a blow to take dice are brought in; and nobody gives.
    set(&mut table, "[6,4,4]");
    assert_eq!((all(&table), give(&table)), ([0, 2000, 0], 2000));
    // What is not enough in any way is not brought in: one goes further instead.
    set(&mut table, "[1]");
    assert_eq!((all(&table), give(&table)), ([2000, 150, 2000], 2000));
}

/// Of some fallout dice how many throws come to each band, from short-term to death, how many show
/// a 1, and how many there are.
fn odds(count: u8, sides: u8) -> ([u128; 5], u128, u128) {
    let (mut bands, mut ones) = ([0; 5], 0);
    let read = Read::Fold(Fallout::TWO_HIGHEST);
    let roll = Roll { whose: ANA, seen: Seen::Openly, dice: Dice::of(count, sides), read };
    let throws = classes(&roll, |rolled, weight| {
        let Rolled::Class(fallout) = rolled else { panic!("fallout is folded") };
        // The band of a sum, after the rulebook's table.
        bands[[7, 11, 15, 19].iter().filter(|&&most| fallout.sum() > most).count()] += weight;
        ones += if fallout.one { weight } else { 0 };
    });
    (bands, ones, throws.expect("so many throws can be counted"))
}

const RULEBOOK: &str = include_str!("../../../../rulebook/afraid.toml");

#[test]
fn odds_are_those_of_the_rulebook() {
    let words = ["short", "long", "injury", "first aid", "dead", "any 1:"];
    for (dice, expect) in [
        ("3d4", "short 27/32, long 5/32; any 1: 37/64."),
        ("3d6", "short 23/72, long 131/216, injury 2/27; any 1: 91/216."),
        ("3d8", "short 69/512, long 103/256, injury 215/512, first aid 11/256; any 1: 169/512."),
        (
            "3d10",
            "short 69/1000, long 221/1000, injury 383/1000, first aid 299/1000, dead 28/1000; any 1: 271/1000.",
        ),
        ("4d4", "short 189/256, long 67/256; any 1: 175/256."),
        ("4d6", "short 25/144, long 25/36, injury 19/144; any 1: 671/1296."),
        ("4d8", "short 225/4096, long 79/256, injury 571/1024, first aid 323/4096; any 1: 1695/4096."),
        (
            "4d10",
            "short 225/10000, long 1300/10000, injury 3612/10000, first aid 4340/10000, dead 523/10000; \
             any 1: 3439/10000.",
        ),
        (
            "5d10",
            "short 733/100000, long 7287/100000, injury 30397/100000, first aid 53437/100000, \
             dead 8146/100000; any 1: 40951/100000.",
        ),
    ] {
        let said = if dice == "5d10" { expect.to_owned() } else { format!("{dice}: {expect}") };
        assert!(RULEBOOK.contains(&said), "the rulebook does not say: {said}");
        let (count, sides) = dice.split_once('d').expect("dice");
        let (bands, ones, throws) = odds(count.parse().expect("so many"), sides.parse().expect("of so many"));
        let (mut weights, mut named) = (bands.to_vec(), [false; 6]);
        weights.push(ones);
        for part in expect.trim_end_matches('.').split([',', ';']) {
            let (word, fraction) = part.trim().rsplit_once(' ').expect("a word and a fraction");
            let (over, under) = fraction.split_once('/').expect("a fraction");
            let (over, under): (u128, u128) =
                (over.parse().expect("so many"), under.parse().expect("of so many"));
            let at = words.iter().position(|one| *one == word).expect("a band");
            named[at] = true;
            assert_eq!(weights[at] * under, over * throws, "{dice}: {part}");
        }
        // What is not named cannot be.
        for (at, word) in words.iter().enumerate().filter(|(at, _)| !named[*at]) {
            assert_eq!(weights[at], 0, "{dice}: {word}");
        }
        assert_eq!(bands.iter().sum::<u128>(), throws, "{dice}");
    }
    let pools = RULEBOOK.lines().skip_while(|line| !line.contains("ex.odds.small-pools"));
    let pools =
        pools.take_while(|line| !line.contains("ex.made.sides")).filter(|line| line.starts_with("expect"));
    let named: usize = pools.map(|line| line.matches("any 1:").count()).sum();
    assert_eq!(named, 9, "a pool more than is looked at here");
}
