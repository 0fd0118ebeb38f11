//! The Reed Ambush stays an ambush: two bowmen whom nobody has noticed.

use fracas_kernel::{AnyTable, AskId, Document, Now, Seat, Setup, Shown, Viewer, system_of};
use fracas_sim::{Bot, Chance};
use fracas_suite::Tables;
use judge_two::JudgeTwo;
use serde_json::Value;

const TABLES: Tables = Tables { folder: env!("CARGO_MANIFEST_DIR"), id: "judge-two" };

/// The bowmen as they are referred to and as they are called, and what both have.
const BOWMEN: [(&str, &str); 2] = [("north-bow", "North Bow"), ("south-bow", "South Bow")];
const BOW: [&str; 2] = ["Yew Bow", "yew-bow"];

const PLAYERS: [Seat; 3] = [Seat::Player(0), Seat::Player(1), Seat::Player(2)];

fn viewers() -> impl Iterator<Item = Viewer> {
    PLAYERS.into_iter().map(Viewer::Seat).chain([Viewer::Spectator])
}

fn begun(setup: &Setup) -> Box<dyn AnyTable> {
    (system_of::<JudgeTwo>().start)(setup).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The same road with nobody in the reeds.
fn without_bowmen() -> Setup {
    let setup = TABLES.setup("the-reed-ambush.toml");
    let mut told = setup.encounter.to_json();
    let bow = |value: &Value| BOWMEN.iter().any(|(_, name)| value.to_string().contains(name));
    let fields = told.as_object_mut().expect("a table");
    for list in ["foe", "range"] {
        fields[list].as_array_mut().expect("a list").retain(|entry| match list {
            "foe" => !bow(&entry["name"]),
            _ => !bow(&entry["from"]),
        });
    }
    for character in fields["character"].as_array_mut().expect("a list") {
        character.as_object_mut().expect("a table").remove("unaware_of");
    }
    Setup { encounter: Document::json("the-reed-ambush.toml", &told), library: setup.library }
}

/// Everything that a viewer is told of what is open, and of every one of these names.
fn told(table: &dyn AnyTable, who: Viewer, names: &[String]) -> Vec<String> {
    let mut told = vec![table.view(who).to_string(), format!("{:?}", table.cards(who))];
    match table.now() {
        Now::Over => {}
        Now::Roll(roll) => {
            told.push(format!("{roll:?} {:?} {:?}", table.roll_told(who), table.roll_odds(who)));
        }
        Now::Asks(asks) => {
            for ask in asks {
                told.push(format!("{:?} waits {}", ask.who, table.waits(ask.id, who)));
                if matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(seat)) {
                    told.push(format!("{} {:?}", ask.prompt, table.ask_told(ask.id, who)));
                    told.push(format!("{:?} {:?}", table.legal(ask.id, who), table.board(ask.id, who)));
                    named(table, who, ask.id, names, &mut told);
                }
            }
        }
    }
    told
}

/// What comes of naming things in an answer, by every door.
fn named(table: &dyn AnyTable, who: Viewer, id: AskId, names: &[String], told: &mut Vec<String>) {
    let Viewer::Seat(by) = who else { return };
    for name in names {
        for answer in [
            format!(r#"{{"attack":{{"on":"@{name}","attribute":"arm"}}}}"#),
            format!(r#"{{"attack":{{"on":"@{name}","attribute":"eyes","veiled":true}}}}"#),
            format!(r#"{{"test":{{"attribute":"arm","against":"@{name}"}}}}"#),
            format!(r#"{{"test":{{"attribute":"feet","toward":"@{name}"}}}}"#),
            format!(r#"{{"deed":{{"request":"@{name}"}}}}"#),
            format!(r#"{{"deed":{{"take":"@{name}"}}}}"#),
            format!(r#"{{"spread":{{"threat":"weaken","also":["@{name}"]}}}}"#),
            format!(r#"{{"guard":"@{name}"}}"#),
        ] {
            told.push(format!(
                "{answer}: {:?}; {:?}; {:?}",
                table.check(by, id, &answer),
                table.preview(id, &answer, who),
                table.odds(id, &answer, who)
            ));
        }
        let reply = format!(r#"{{"x":"@{name}"}}"#);
        told.push(format!("{reply}: {:?}", table.may_stand(by, &reply)));
    }
}

fn lines(shown: &[Shown], who: Viewer) -> Vec<String> {
    shown.iter().filter_map(|shown| shown.to(who)).map(|line| format!("{line:?}")).collect()
}

/// Any ask, and any of its listed answers.
fn any(table: &dyn AnyTable, chance: &mut Chance) -> Option<(Seat, AskId, String)> {
    let Now::Asks(asks) = table.now() else { return None };
    let ask = &asks[chance.place(asks.len())];
    let seats: Vec<Seat> = ask.who.seats().iter().collect();
    let seat = seats[chance.place(seats.len())];
    let listed = table.legal(ask.id, Viewer::Seat(seat));
    let answer = listed.get(chance.place(listed.len().max(1)))?;
    Some((seat, ask.id, answer.answer.clone()))
}

#[test]
fn nobody_can_tell_it_from_a_road_without_bowmen() {
    let (mut ambush, mut road) = (begun(&TABLES.setup("the-reed-ambush.toml")), begun(&without_bowmen()));
    let start = (ambush.snapshot(), road.snapshot());
    let names: Vec<String> = ambush
        .names()
        .all()
        .filter_map(|(letter, n)| ambush.names().slug(letter, n).map(str::to_owned))
        .chain(["nor", "north", "bow", "nobody"].map(str::to_owned))
        .collect();
    assert!(names.iter().any(|name| name == BOWMEN[0].0));
    for seed in 1..=4 {
        ambush.restore(&start.0).expect("a snapshot");
        road.restore(&start.1).expect("a snapshot");
        let mut chance = Chance::new(seed, 0);
        for step in 0..60 {
            for who in viewers() {
                // Of all names now and then, of the bowmen always.
                let names = if step % 12 == 0 { &names[..] } else { &names[names.len() - 4..] };
                let (this, other) = (told(&*ambush, who, names), told(&*road, who, names));
                for (this, other) in this.iter().zip(&other) {
                    assert!(this == other, "seed {seed}, step {step}, {who}\nambush: {this}\nroad: {other}");
                }
                assert_eq!(this.len(), other.len());
            }
            let (this, other) = match road.now() {
                Now::Over => break,
                Now::Roll(roll) => {
                    let faces = chance.throw(&roll.dice);
                    (ambush.roll(&faces, true), road.roll(&faces, true))
                }
                Now::Asks(_) => {
                    let Some((seat, id, answer)) = any(&*road, &mut chance) else { continue };
                    (ambush.answer(seat, id, &answer, true), road.answer(seat, id, &answer, true))
                }
            };
            let (Ok(this), Ok(other)) = (&this, &other) else {
                panic!("seed {seed}, step {step}: {this:?}, but {other:?}");
            };
            for who in viewers() {
                assert_eq!(
                    lines(&this.shown, who),
                    lines(&other.shown, who),
                    "seed {seed}, step {step}, {who}"
                );
            }
        }
    }
}

/// Whether this shows one of the bowmen: they are noticed, attack openly, or handle what
/// lies about.
fn shows(event: &Value, slug: &str) -> bool {
    let is = |value: &Value| value == &Value::String(format!("@{slug}"));
    let (danger, deed) = (&event["danger"], &event["deed"]);
    is(&event["aware"]["of"])
        || (is(&danger["by"]) && danger["veiled"] == false && !danger["form"].is_null())
        || (is(&deed["who"]) && ["take", "recover", "ready"].iter().any(|it| !deed["deed"][it].is_null()))
}

#[test]
fn what_a_foe_is_armed_with_by_nature_is_not_told_before_it_counters() {
    let judged = |power: &str| {
        let text = format!(
            r#"player = [{{ name = "ana" }}]
            scene = {{ conflict = "martial" }}
            [[character]]
            name = "Ana"
            attributes = {{ arm = 3 }}
            boon = [{{ name = "Blade", category = "power", hands = 1, readied = true }}]
            [[foe]]
            name = "Captain"
            kind = "foe"
            pl = 5
            ability = [{{ name = "Claws", {power} }}]"#
        );
        let mut table = begun(&Setup::alone(Document::toml("foe.toml", &text).expect("TOML").kept()));
        while !matches!(table.now(), Now::Roll(_)) {
            let Now::Asks(asks) = table.now() else { panic!("over") };
            let (ask, seat) = match asks.iter().find(|ask| ask.who.seats().contains(PLAYERS[0])) {
                Some(ask) => (ask, PLAYERS[0]),
                None => (&asks[0], Seat::Gm),
            };
            let listed = table.legal(ask.id, Viewer::Seat(seat));
            let attack = listed.iter().find(|one| one.answer.contains("attack")).unwrap_or(&listed[0]);
            table.answer(seat, ask.id, &attack.answer, true).expect("an answer");
        }
        table.roll(&[1, 2], true).expect("dice");
        let Now::Asks(asks) = table.now() else { panic!("over") };
        let told = |who| {
            let listed = table.legal(asks[0].id, who);
            listed.iter().map(|one| format!("{:?}", one.told)).collect::<Vec<_>>().join(" ")
        };
        (told(Viewer::Seat(PLAYERS[0])), told(Viewer::Seat(Seat::Gm)))
    };
    let (armed, bare) = (judged("armed = true"), judged("magick = true"));
    assert_eq!(armed.0, bare.0);
    assert!(armed.1.contains("may counterattack") && !armed.0.contains("may counterattack"), "{armed:?}");
}

#[test]
fn what_fails_anyway_does_not_name_an_ability_against_it() {
    let refused = |power: &str| {
        let text = format!(
            r#"player = [{{ name = "ana" }}]
            scene = {{ conflict = "martial" }}
            [[character]]
            name = "Ana"
            attributes = {{ arm = 3 }}
            boon = [{{ name = "Blade", category = "power", hands = 1, readied = true }}]
            [[foe]]
            name = "Captain"
            kind = "foe"
            pl = 5
            ability = [{{ name = "Rooted", {power} }}]"#
        );
        let mut table = begun(&Setup::alone(Document::toml("foe.toml", &text).expect("TOML").kept()));
        let by = |table: &dyn AnyTable| match table.now() {
            Now::Asks(asks) => {
                let ask = asks.iter().find(|ask| ask.who.seats().contains(PLAYERS[0]));
                ask.map_or((Seat::Gm, asks[0].id), |ask| (PLAYERS[0], ask.id))
            }
            _ => panic!("nothing is asked"),
        };
        let attack = r#"{"attack":{"on":"@captain","attribute":"arm"}}"#;
        for answer in [r#"{"begin":"@ana"}"#, attack, r#""yes""#] {
            let (seat, id) = by(&*table);
            table.answer(seat, id, answer, true).expect("an answer");
        }
        table.roll(&[3, 3], true).expect("dice");
        let (seat, id) = by(&*table);
        [
            r#"{"threat":{"threat":"weaken","item":"@blade"}}"#,
            r#"{"threat":{"threat":"weaken","dislodge":true}}"#,
            r#"{"threats":{"first":{"threat":"weaken"},"second":{"threat":"misdirect"}}}"#,
            r#"{"mark":{"mark":"crush"}}"#,
        ]
        .map(|answer| format!("{:?}", table.check(seat, id, answer).expect_err("a refusal")))
    };
    let without = refused("magick = true");
    assert_eq!(refused(r#"forbids = ["weaken", "crush"]"#), without);
    assert!(without.iter().all(|refused| !refused.contains("ext.feats")), "{without:?}");
}

#[test]
fn a_machine_as_gamemaster_gives_nothing_away() {
    let (mut acted, mut noticed) = (0, 0);
    for seed in 1..=16 {
        let mut table = begun(&TABLES.setup("the-reed-ambush.toml"));
        let mut chance = Chance::new(seed, 1);
        let gm = if seed % 2 == 0 { Bot::greedy(seed) } else { Bot::random(seed) };
        let mut seen = [false; 2];
        for _ in 0..120 {
            let step = match table.now() {
                Now::Over => break,
                Now::Roll(roll) => table.roll(&chance.throw(&roll.dice), true),
                Now::Asks(asks) => {
                    let asked = asks.iter().find(|ask| ask.who.seats().contains(Seat::Gm));
                    let machine = asked.and_then(|ask| Some((ask.id, gm.choose(&*table, Seat::Gm, ask.id)?)));
                    match machine.filter(|_| chance.below(3) > 0) {
                        Some((id, answer)) => table.answer(Seat::Gm, id, &answer, true),
                        None => match any(&*table, &mut chance) {
                            Some((seat, id, answer)) => table.answer(seat, id, &answer, true),
                            None => continue,
                        },
                    }
                }
            };
            let step = step.unwrap_or_else(|refused| panic!("seed {seed}: {refused}"));
            for shown in &step.shown {
                let event: Value = serde_json::from_str(&shown.event).expect("JSON");
                for (seen, (slug, _)) in seen.iter_mut().zip(BOWMEN) {
                    *seen |= shows(&event, slug);
                    acted += u32::from(shown.event.contains(slug));
                }
            }
            for who in viewers() {
                let told = [told(&*table, who, &[]), lines(&step.shown, who)].concat();
                let mut hidden: Vec<&str> = Vec::new();
                for (seen, (slug, name)) in seen.iter().zip(BOWMEN) {
                    hidden.extend([slug, name].iter().filter(|_| !seen));
                }
                hidden.extend(BOW.iter().filter(|_| seen == [false; 2]));
                for (told, hidden) in told.iter().flat_map(|told| hidden.iter().map(move |it| (told, it))) {
                    assert!(!told.contains(hidden), "seed {seed}, {who} is told of {hidden}: {told}");
                }
            }
        }
        noticed += seen.iter().filter(|seen| **seen).count();
    }
    assert!(acted > 30 && noticed > 5, "the bowmen did {acted} things and were noticed {noticed} times");
}

#[test]
fn what_is_out_of_play_looks_like_what_somebody_unseen_has() {
    // A player's thing is out of play, and then somebody unseen has it, or has it out of play.
    let after = |last: &str| {
        let mut table = begun(&TABLES.setup("the-reed-ambush.toml"));
        let cards = table.cards(Viewer::Seat(PLAYERS[0]));
        let owner = cards.into_iter().find(|card| card.group == "your side").expect("a card").id;
        let held = table.view(Viewer::Seat(Seat::Gm))["gear"].clone();
        let of = |(_, thing): &(&String, &Value)| thing["holder"] == format!("@{owner}");
        let thing = held.as_object().expect("gear").iter().find(of).expect("a thing").0.clone();
        for (holder, lie) in [(owner.as_str(), "gone"), ("north-bow", last)] {
            let fiat = format!(r#"{{"item":{{"item":"@{thing}","holder":"@{holder}","lie":"{lie}"}}}}"#);
            table.fiat(&fiat, true).unwrap_or_else(|refused| panic!("{fiat}: {refused}"));
        }
        viewers().map(|who| table.view(who)).collect::<Vec<_>>()
    };
    let gone = after("gone");
    assert_eq!(after("carried"), gone);
    assert!(gone.iter().all(|view| !view["gear"].to_string().contains("\"gone\"")), "{gone:?}");
}

/// The tables on which the gamemaster overrules: the ambush as it begins, in an argument,
/// with somebody sent away who has been seen, and with everybody bound.
fn moments() -> Vec<Box<dyn AnyTable>> {
    let by_gm = |table: &mut Box<dyn AnyTable>, answer: &str| {
        let Now::Asks(asks) = table.now() else { panic!("nothing is asked") };
        let id = asks.iter().find(|ask| ask.who.seats().contains(Seat::Gm)).expect("an ask").id;
        table.answer(Seat::Gm, id, answer, true).unwrap_or_else(|refused| panic!("{answer}: {refused}"));
    };
    let ambush = || begun(&TABLES.setup("the-reed-ambush.toml"));
    let (mut argument, mut away, mut bound) = (ambush(), ambush(), ambush());
    for answer in [r#""peace""#, r#""go-on""#, r#"{"conflict":"subtle"}"#] {
        by_gm(&mut argument, answer);
    }
    away.fiat(r#"{"fate":{"who":"@old-scorpion","fate":"away"}}"#, true).expect("a word");
    for [who, with] in [["naveth", "north-bow"], ["dorit", "south-bow"], ["dorit", "old-scorpion"]] {
        bound.fiat(&format!(r#"{{"bind":{{"who":"@{who}","with":"@{with}"}}}}"#), true).expect("a word");
    }
    vec![ambush(), argument, away, bound]
}

#[test]
fn a_word_of_the_gamemasters_is_told_where_a_player_sees_a_change_and_only_there() {
    let people = ["naveth", "dorit", "old-scorpion", "reed-man-uri", "north-bow", "south-bow"];
    let (mut with_line, mut without) = (0, 0);
    for (moment, mut table) in moments().into_iter().enumerate() {
        let start = table.snapshot();
        let pairs = people.iter().flat_map(|who| people.iter().map(move |of| (who, of)));
        for (who, of) in pairs.filter(|(who, of)| who != of) {
            table.restore(&start).expect("a snapshot");
            for word in [
                format!(r#"{{"bind":{{"who":"@{who}","with":"@{of}"}}}}"#),
                format!(r#"{{"bind":{{"who":"@{who}"}}}}"#),
                format!(r#"{{"disguise":{{"who":"@{who}","disguise":{{"people":"menefi","wealth":7}}}}}}"#),
                format!(
                    r#"{{"disguise":{{"who":"@{who}","disguise":{{"people":"menefi","priest":true}}}}}}"#
                ),
                format!(r#"{{"side":{{"who":"@{who}","side":4}}}}"#),
                format!(r#"{{"heed":{{"who":"@{who}","of":"@{of}","heeds":false}}}}"#),
                format!(r#"{{"range":{{"who":"@{who}","of":"@{of}","range":"beyond"}}}}"#),
                format!(r#"{{"misdirect":{{"who":"@{who}","by":"@{of}","on":true}}}}"#),
                format!(r#"{{"seems":{{"who":"@{who}","wealth":8,"following":9}}}}"#),
                format!(r#"{{"weaken":{{"who":"@{who}","on":true}}}}"#),
                format!(r#"{{"side":{{"who":"@{of}","side":5}}}}"#),
            ] {
                let looks = |table: &dyn AnyTable| -> Vec<Vec<String>> {
                    viewers().map(|viewer| told(table, viewer, &[])).collect()
                };
                let before = looks(&*table);
                let Ok(step) = table.fiat(&word, true) else { continue };
                for ((viewer, before), now) in viewers().zip(before).zip(looks(&*table)) {
                    let lines = lines(&step.shown, viewer);
                    let tells = !lines.is_empty();
                    assert_eq!(
                        tells,
                        before != now,
                        "{moment}, {word}, {viewer}: {lines:?}\n{before:?}\n{now:?}"
                    );
                    if tells { with_line += 1 } else { without += 1 }
                }
            }
        }
    }
    assert!(with_line > 1000 && without > 1000, "{with_line} lines, {without} silent");
}
