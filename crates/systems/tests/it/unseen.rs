//! A move that a player does not see changes nothing of what the player may do or read.

use fracas_kernel::{Document, Now, Seat, Setup, Viewer};
use fracas_systems::all;
use fracas_table::{Entry, MemoryStore, Opening, PlayError, Seed, Table, Throw, verify};

/// Two friends, and a monster and its victim in a scene of their own.
const VALLEY: &str = r#"
player = [{ name = "Ana" }, { name = "Bo" }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2 }
unassigned = "2d6"
[[character]]
name = "Ben"
player = "Bo"
stats = { acuity = 2 }
[[npc]]
name = "The Hollow"
tie = "monster"
stats = { acuity = 3 }
bond = [{ name = "Never whistles", dice = "1d6" }]
[[npc]]
name = "The Lodger"
tie = "victim"
worth = 1
stats = { acuity = 3 }
[[scene]]
present = ["Ada", "Ben"]
[[scene]]
present = ["The Hollow", "The Lodger"]
"#;

/// A character whose boon carries a number, once a boon of a guard who is absent.
const QUAY: &str = r#"
player = [{ name = "Ana" }]
[[character]]
name = "Neris"
player = "Ana"
writhing = "w"
[[npc]]
name = "Bel"
pn = 8
[[npc]]
name = "Mula"
pn = 9
away = true
boon = [{ name = "Long Hook", pn = 2 }]
"#;

const ANA: Seat = Seat::Player(0);

fn open(system: &str, setup: &Setup) -> (Table, MemoryStore) {
    let system = fracas_systems::find(system).expect("a system");
    let store = MemoryStore::new();
    let opening = Opening { label: "an evening".to_owned(), seed: Some(Seed::from(5)), ..Opening::default() };
    (Table::create(system, setup, opening, Box::new(store.clone())).expect("sound"), store)
}

fn valley() -> (Table, MemoryStore) {
    open("afraid", &Setup::alone(Document::toml("valley", VALLEY).expect("TOML")))
}

fn ambush() -> (Table, MemoryStore) {
    let system = fracas_systems::find("judge-two").expect("a system");
    let setups = fracas_systems::setups(system).expect("bundled content");
    let reeds = setups.iter().find(|setup| setup.encounter.name().contains("reed-ambush"));
    open("judge-two", reeds.expect("The Reed Ambush"))
}

/// The ambush, after Zilka has judged the dice of a test that she was called to.
fn judged() -> (Table, Seat) {
    let (mut table, _) = ambush();
    let zilka = Seat::Player(2);
    say(&mut table, Seat::Gm, r#"{"call":{"attribute":"nose","who":"@zilka"}}"#).expect("called");
    say(&mut table, Seat::Gm, r#"{"settle":{"cl":4}}"#).expect("settled");
    table.roll(Seat::Gm, Throw::Faces(&[4, 2])).expect("dice");
    say(&mut table, zilka, r#"{"judge":{"light":4,"truth":2}}"#).expect("judged");
    (table, zilka)
}

fn say(table: &mut Table, seat: Seat, answer: &str) -> Result<(), PlayError> {
    let Now::Asks(asks) = table.game().now() else { panic!("nothing is asked") };
    let ask = asks.iter().find(|ask| ask.who.seats().contains(seat)).expect("an ask");
    table.answer(seat, None, ask.id, answer, None).map(drop)
}

fn lines(table: &Table, who: Viewer) -> Vec<String> {
    table.log().lines_to(who).map(|line| format!("{line:?}")).collect()
}

#[test]
fn an_unseen_answer_does_not_stop_a_player_from_taking_back() {
    for unseen in [
        r#"{"victim":{"who":"@the-lodger","turn":"step"}}"#,
        r#"{"bond":{"bond":"@the-hollow-never-whistles","holds":false}}"#,
    ] {
        let (mut table, store) = valley();
        let assign = r#"{"assign":{"who":"@ada","to":"@ben","count":1,"size":"d6"}}"#;
        say(&mut table, ANA, assign).expect("dice are assigned");
        let before = (lines(&table, Viewer::Seat(ANA)), table.may_take_back(ANA).expect("her own"));
        say(&mut table, Seat::Gm, unseen).expect("done");
        table.fiat(r#"{"unassigned":{"who":"@the-lodger","dice":"1d6"}}"#, None).expect("done");
        assert_eq!((lines(&table, Viewer::Seat(ANA)), table.may_take_back(ANA).expect("still")), before);
        table.take_back(ANA).expect("taken back");
        say(&mut table, ANA, assign).expect("once more");
        let again = Table::open(all(), Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log");
        assert!(verify(again.log(), all()).expect("can be run").sound());
    }
}

#[test]
fn an_unseen_scene_is_not_lost_when_a_player_takes_an_answer_back() {
    let gm = Viewer::Seat(Seat::Gm);
    let played = |aside: bool, typed: bool| {
        let (mut table, store) = valley();
        if aside {
            say(&mut table, ANA, r#"{"assign":{"who":"@ada","to":"@ben","count":1,"size":"d6"}}"#)
                .expect("done");
        }
        let conflict = r#"{"conflict":{"sides":[["@the-hollow"],["@the-lodger"]],"arena":"social"}}"#;
        let thing = r#"{"thing":"the house"}"#;
        for answer in [r#"{"cut":1}"#, conflict, thing, r#""begin""#, r#""yield""#, r#"{"resolve":{}}"#] {
            while let Now::Roll(due) = table.game().now() {
                let faces = vec![2; due.dice.len()];
                table.roll(Seat::Gm, if typed { Throw::Faces(&faces) } else { Throw::Dice }).expect("dice");
            }
            say(&mut table, Seat::Gm, answer).unwrap_or_else(|refused| panic!("{answer}: {refused}"));
        }
        if aside {
            table.take_back(ANA).expect("taken back");
            let read = lines(&table, Viewer::Seat(ANA)).join("\n");
            assert!(!read.contains("Hollow"), "{read}");
        }
        let again = Table::open(all(), Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log");
        let report = verify(again.log(), all()).expect("can be run");
        assert!(report.sound(), "{report:?}");
        table.game().view(gm)
    };
    for typed in [false, true] {
        assert_eq!(played(true, typed), played(false, typed));
    }
}

#[test]
fn an_unseen_word_is_repeated_where_it_was_given() {
    let hollow = r#"{"present":{"who":"@the-hollow","there":true}}"#;
    let heard = |unseen: bool| {
        let (mut table, store) = valley();
        say(&mut table, ANA, r#"{"assign":{"who":"@ada","to":"@ben","count":1,"size":"d6"}}"#).expect("done");
        if unseen {
            say(&mut table, Seat::Gm, r#"{"new-scene":["@the-lodger"]}"#).expect("begun");
            table.fiat(hollow, None).expect("there");
        }
        table.take_back(ANA).expect("taken back");
        let again = Table::open(all(), Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log");
        assert!(verify(again.log(), all()).expect("can be run").sound());
        if unseen {
            let view = table.game().view(Viewer::Seat(Seat::Gm));
            assert!(view["scenes"].to_string().contains(r#"["@the-hollow","@the-lodger"]"#), "{view}");
        }
        [Viewer::Seat(ANA), Viewer::Spectator].map(|who| {
            let lines: Vec<String> = table.lines_to(who).map(|line| format!("{:?}", line.shown)).collect();
            (lines, table.game().view(who))
        })
    };
    assert_eq!(heard(true), heard(false));
}

#[test]
fn an_unseen_turn_ends_an_intervention_as_a_turn_of_events_does() {
    let heard = |answers: &[&str]| {
        let (mut table, _) = ambush();
        say(&mut table, Seat::Gm, r#"{"call":{"attribute":"nose","who":"@zilka"}}"#).expect("called");
        say(&mut table, Seat::Gm, r#"{"settle":{"cl":4}}"#).expect("settled");
        table.roll(Seat::Gm, Throw::Faces(&[4, 2])).expect("dice");
        say(&mut table, Seat::Player(2), r#"{"judge":{"light":4,"truth":2}}"#).expect("judged");
        for answer in answers {
            say(&mut table, Seat::Gm, answer).unwrap_or_else(|refused| panic!("{answer}: {refused}"));
        }
        [Viewer::Seat(ANA), Viewer::Spectator].map(|who| {
            let text = lines(&table, who).join("\n");
            assert!(text.contains("The gamemaster intervenes."), "{text}");
            text
        })
    };
    let turn = heard(&[r#"{"tell":"other"}"#]);
    assert_eq!(heard(&[r#"{"grant":"@north-bow"}"#, r#""pass""#]), turn);
    let stowed = [r#"{"grant":"@south-bow"}"#, r#"{"deed":{"stow":"@yew-bow-gofo"}}"#, r#""pass""#];
    assert_eq!(heard(&stowed), turn);
}

#[test]
fn an_answer_that_revealed_something_hidden_is_not_taken_back() {
    let (mut table, zilka) = judged();
    say(&mut table, Seat::Gm, r#"{"grant":"@north-bow"}"#).expect("granted");
    say(&mut table, Seat::Gm, r#"{"assault":{"on":["@zilka"],"veiled":true}}"#).expect("attacked");
    for _ in 0..8 {
        match table.game().now() {
            Now::Roll(_) => drop(table.roll(Seat::Gm, Throw::Faces(&[1, 4])).expect("dice")),
            Now::Asks(asks) if asks[0].kind == "judge" => break,
            Now::Asks(asks) => {
                let seat = asks[0].who.seats().iter().next().expect("a seat");
                let listed = table.game().legal(asks[0].id, Viewer::Seat(seat))[0].answer.clone();
                say(&mut table, seat, &listed).expect("answered");
            }
            Now::Over => panic!("over"),
        }
    }
    say(&mut table, zilka, r#"{"judge":{"light":4,"truth":1}}"#).expect("judged");
    assert!(lines(&table, Viewer::Spectator).join("\n").contains("Zilka notices North Bow"));
    assert!(table.may_take_back(zilka).is_err());
}

#[test]
fn unseen_moves_do_not_change_dice_that_were_taken_back() {
    let unseen = r#"{"item":{"item":"@yew-bow-jati","holder":"@south-bow","lie":"carried"}}"#;
    let zilka = Seat::Player(2);
    let (mut table, store) = ambush();
    say(&mut table, Seat::Gm, r#"{"call":{"attribute":"nose","who":"@zilka"}}"#).expect("called");
    say(&mut table, Seat::Gm, r#"{"settle":{"cl":4}}"#).expect("settled");
    let due = table.log().next() - 1;
    table.roll(zilka, Throw::Dice).expect("dice");
    let fell = faces(&table);
    table.rewind(due, Seat::Gm).expect("taken back");
    table.fiat(unseen, None).expect("unseen");
    assert_eq!(table.kept_faces(), Some(fell.as_slice()));
    table.roll(zilka, Throw::Dice).expect("dice");
    assert_eq!(faces(&table), fell);
    let again = Table::open(all(), Box::new(MemoryStore::holding(store.bytes()))).expect("a sound log");
    assert!(verify(again.log(), all()).expect("can be run").sound());
    // A difference that the roller sees makes another roll.
    table.rewind(due, Seat::Gm).expect("taken back");
    table.fiat(r#"{"item":{"item":"@eel-spear","holder":"@zilka","lie":"carried"}}"#, None).expect("seen");
    assert_eq!(table.kept_faces(), None);
}

fn faces(table: &Table) -> Vec<u8> {
    let mut rolls = table.log().live().rev().filter_map(|record| match &record.entry {
        Entry::Roll(roll) => Some(roll.faces.clone()),
        _ => None,
    });
    rolls.next().expect("a roll")
}

#[test]
fn a_refusal_has_names_and_not_internal_numbers() {
    let (table, _) = valley();
    let Now::Asks(asks) = table.game().now() else { panic!("nothing is asked") };
    let ask = asks.iter().find(|ask| ask.who.seats().contains(ANA)).expect("an ask");
    let refusal = table.game().check(ANA, ask.id, r#"{"@ben":1}"#).expect_err("no answer").to_string();
    assert!(refusal.contains("`@ben`") && !refusal.contains("@c"), "{refusal}");
}

#[test]
fn a_thing_from_somebody_unseen_does_not_name_its_owner() {
    let (mut table, _) = ambush();
    let from = r#"{"item":{"item":"@yew-bow-jati","holder":"@reed-man-uri","lie":"carried"}}"#;
    table.fiat(from, None).expect("it changes hands");
    let view = table.game().view(Viewer::Spectator).to_string();
    assert!(view.contains("yew-bow-jati") && !view.contains("north-bow"), "{view}");
}

#[test]
fn things_of_somebody_brought_in_unseen_take_no_name() {
    let (mut table, _) = ambush();
    for join in [
        r#"{"name":"Zorgan","kind":"foe","pl":5,"away":true,"boon":[{"name":"Hook","category":"power"}]}"#,
        r#"{"name":"Zed","kind":"foe","pl":5,"boon":[{"name":"Hook","category":"power"}]}"#,
    ] {
        table.fiat(&format!("{{\"join\":{join}}}"), None).expect("it comes");
    }
    let view = table.game().view(Viewer::Spectator).to_string();
    assert!(view.contains("\"hook\"") && !view.contains("zed-hook"), "{view}");
}

#[test]
fn an_answer_that_settles_dice_is_not_taken_back() {
    let (table, zilka) = judged();
    assert!(table.may_take_back(zilka).is_err());
}

#[test]
fn giving_a_thing_away_is_not_taken_back_where_it_shows_a_number() {
    let quay = Setup::alone(Document::toml("quay", QUAY).expect("TOML"));
    let (mut table, _) = open("truth-and-light", &quay);
    let boons = table.game().view(Viewer::Seat(Seat::Gm))["boons"].clone();
    let hook = boons.as_object().and_then(|boons| boons.keys().find(|name| name.contains("hook")));
    let hook = hook.expect("the hook").clone();
    let lent = format!(r#"{{"boon":{{"boon":"@{hook}","holder":"@neris","lie":"in-use"}}}}"#);
    table.fiat(&lent, None).expect("it changes hands");
    let give =
        format!(r#"{{"minor":{{"who":"@neris","deed":{{"give":{{"boon":"@{hook}","to":"@bel"}}}}}}}}"#);
    say(&mut table, ANA, &give).expect("given");
    assert!(table.may_take_back(ANA).is_err());
}

#[test]
fn a_struck_line_does_not_name_somebody_hidden_again() {
    let (mut table, _) = valley();
    say(&mut table, Seat::Gm, r#"{"enter":"@the-hollow"}"#).expect("it comes in");
    let text = |table: &Table, who| lines(table, who).join("\n");
    assert!(text(&table, Viewer::Spectator).contains("The Hollow"));
    table.undo().expect("undone");
    for who in [Viewer::Seat(ANA), Viewer::Spectator] {
        assert!(!text(&table, who).contains("The Hollow"), "{}", text(&table, who));
    }
    assert!(text(&table, Viewer::Seat(Seat::Gm)).contains("The Hollow comes in"));
}

#[test]
fn an_ask_lasts_through_unseen_rewinds_and_no_longer() {
    let ana = Viewer::Seat(ANA);
    let other = Seat::Player(2);
    let asked = |table: &Table| {
        let asks = table.game().asks();
        asks.iter().find(|ask| ask.who.seats().contains(ANA)).expect("an ask").id
    };
    let (mut table, _) = ambush();
    let first = asked(&table);
    for _ in 0..3 {
        let unseen = r#"{"item":{"item":"@yew-bow-jati","holder":"@south-bow","lie":"carried"}}"#;
        table.fiat(unseen, None).expect("possible");
        table.undo().expect("undone");
        assert_ne!(asked(&table), first);
        assert_eq!(table.lasting(asked(&table), ana), first);
        assert_eq!(
            table.lasting(asked(&table), Viewer::Seat(Seat::Gm)),
            asked(&table),
            "who goes back knows"
        );
    }
    // Somebody acts meanwhile: what is asked afterwards is asked anew, as it would be without
    // the rewinds.
    say(&mut table, other, r#"{"begin":"@zilka"}"#).expect("begun");
    say(&mut table, other, r#""pass""#).expect("passed");
    say(&mut table, Seat::Gm, r#"{"tell":"other"}"#).expect("told");
    assert_ne!(table.lasting(asked(&table), ana), first);
}

#[test]
fn whom_players_see_fade_is_asked_about_first() {
    let gate = |shade: bool| {
        let (unaware, foe) = if shade {
            ("unaware_of = [\"shade\"]", "[[foe]]\nname = \"Shade\"\nkind = \"foe\"\npl = 5\n")
        } else {
            ("", "")
        };
        format!(
            "player = [{{ name = \"Ana\" }}]\nscene = {{}}\n[[character]]\nname = \"Tam\"\nplayer = \"Ana\"\n\
             {unaware}\n{foe}[[foe]]\nname = \"Gatewarden\"\nkind = \"foe\"\npl = 5\n"
        )
    };
    let heard = |shade: bool| {
        let setup = Setup::alone(Document::toml("gate", &gate(shade)).expect("TOML"));
        let (mut table, _) = open("judge-two", &setup);
        for who in ["shade", "gatewarden"].into_iter().skip(usize::from(!shade)) {
            for mark in ["crush", "pierce", "afflict"] {
                let mark =
                    format!(r#"{{"mark":{{"who":"@{who}","mark":"{mark}","on":true,"physical":true}}}}"#);
                table.fiat(&mark, None).expect("possible");
            }
        }
        say(&mut table, Seat::Gm, r#""end-scene""#).expect("ended");
        let mut heard = Vec::new();
        for _ in 0..2 {
            let game = table.game();
            let ask = game.asks().into_iter().find(|ask| ask.who.seats().contains(Seat::Gm)).expect("an ask");
            let who = Viewer::Seat(ANA);
            heard.push((game.waits(ask.id, who), format!("{:?}", game.stage(who, &[Seat::Gm]))));
            say(&mut table, Seat::Gm, r#""tend""#).expect("tended");
            if !shade {
                let game = table.game();
                let ask = game.asks().into_iter().find(|ask| ask.who.seats().contains(Seat::Gm));
                heard.push((
                    game.waits(ask.expect("an ask").id, who),
                    format!("{:?}", game.stage(who, &[Seat::Gm])),
                ));
                break;
            }
        }
        heard
    };
    assert_eq!(heard(true), heard(false));
}

#[test]
fn play_waits_for_a_counterattack_whether_or_not_there_can_be_one() {
    let yard = r#"
        player = [{ name = "Ana" }]
        scene = { conflict = "martial" }
        [[character]]
        use = "Tamsin"
        player = "Ana"
        readied = ["Hookblade", "Wicker Shield"]
        [[foe]]
        name = "Mother Ox"
        kind = "foe"
        pl = 8
    "#;
    let claws = "[[foe.ability]]\nname = \"Claws\"\narmed = true\n";
    let bundled = fracas_systems::setups(fracas_systems::find("judge-two").expect("a system"));
    let library = bundled.expect("content")[0].library.clone();
    let waits = |more: &str| {
        let encounter = Document::toml("yard", &format!("{yard}{more}")).expect("TOML");
        let (mut table, _) = open("judge-two", &Setup { encounter, library: library.clone() });
        say(&mut table, ANA, r#"{"begin":"@tamsin"}"#).expect("begun");
        say(&mut table, ANA, r#"{"attack":{"on":"@mother-ox","attribute":"arm"}}"#).expect("declared");
        say(&mut table, Seat::Gm, r#""yes""#).expect("so it is");
        table.roll(ANA, Throw::Faces(&[1, 2])).expect("dice");
        say(&mut table, ANA, r#"{"judge":{"light":1,"truth":2}}"#).expect("judged");
        let asks = table.game().asks();
        (asks.iter().map(|ask| ask.kind).collect::<Vec<_>>(), lines(&table, Viewer::Seat(ANA)))
    };
    assert_eq!(waits(claws), waits(""));
    assert_eq!(waits("").0, ["counter"]);
}
