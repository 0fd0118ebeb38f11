//! The Reed Ambush stays an ambush: two bowmen whom nobody has noticed.

use crate::TABLES;
use fracas_kernel::{AnyTable, AskId, Document, Now, Seat, Setup, Shown, Viewer, system_of};
use fracas_sim::{Bot, Chance};
use fracas_suite::Driven;
use judge_two::JudgeTwo;
use serde_json::Value;

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

/// Ana attacks the captain.
const ATTACK: &str = r#"
    ana: {"begin":"@ana"}
    ana: {"attack":{"on":"@captain","attribute":"arm"}}
    gm: "yes"
"#;

/// Ana against a captain with an ability.
fn captain(ability: &str) -> Box<dyn AnyTable> {
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
        ability = [{{ {ability} }}]"#
    );
    begun(&Setup::alone(Document::toml("foe.toml", &text).expect("TOML").kept()))
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
        let mut table = captain(&format!("name = \"Claws\", {power}"));
        table.plays(ATTACK);
        table.throws(&[1, 2]);
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
        let mut table = captain(&format!("name = \"Rooted\", {power}"));
        table.plays(ATTACK);
        table.throws(&[3, 3]);
        let id = table.asked(ANA);
        [
            r#"{"threat":{"threat":"weaken","item":"@blade"}}"#,
            r#"{"threat":{"threat":"weaken","dislodge":true}}"#,
            r#"{"threats":{"first":{"threat":"weaken"},"second":{"threat":"misdirect"}}}"#,
            r#"{"mark":{"mark":"crush"}}"#,
        ]
        .map(|answer| format!("{:?}", table.check(ANA, id, answer).expect_err("a refusal")))
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
            table.overrules(&format!(
                r#"{{"item":{{"item":"@{thing}","holder":"@{holder}","lie":"{lie}"}}}}"#
            ));
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
    let ambush = || begun(&TABLES.setup("the-reed-ambush.toml"));
    let (mut argument, mut away, mut bound) = (ambush(), ambush(), ambush());
    argument.plays("gm: \"peace\"\ngm: \"go-on\"\ngm: {\"conflict\":\"subtle\"}");
    away.overrules(r#"{"fate":{"who":"@old-scorpion","fate":"away"}}"#);
    for [who, with] in [["naveth", "north-bow"], ["dorit", "south-bow"], ["dorit", "old-scorpion"]] {
        bound.overrules(&format!(r#"{{"bind":{{"who":"@{who}","with":"@{with}"}}}}"#));
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

const ANA: Seat = PLAYERS[0];
const BEGIN: &str = r#"ana: {"begin":"@ana"}"#;

/// Players' characters and, of the gamemaster's side, what `foes` says.
fn gate(conflict: &str, characters: &str, foes: &str) -> Setup {
    let text = format!(
        r#"
        player = [{{ name = "ana" }}, {{ name = "bo" }}, {{ name = "cy" }}]
        {characters}
        {foes}
        [scene]
        {conflict}"#
    );
    let encounter = Document::toml("gate.toml", &text).expect("TOML").kept();
    Setup { encounter, library: TABLES.setup("the-reed-ambush.toml").library }
}

const PARTY: &str = r#"
[[character]]
name = "Ana"
player = "ana"
attributes = { arm = 3, feet = 1, guts = 2 }
[[character]]
name = "Bo"
player = "bo"
[[character]]
name = "Cy"
player = "cy"
"#;

fn ox(with: &str) -> String {
    format!("[[foe]]\nname = \"Herald Ox\"\nkind = \"foe\"\npl = 6\n{with}")
}

/// Plays the same steps at both tables: viewers are told the same of both, before and after each.
#[track_caller]
fn look_alike(setups: [Setup; 2], steps: &str, names: &[&str]) {
    let mut tables = setups.map(|setup| begun(&setup));
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    // Before the first step, and after each.
    for step in std::iter::once("").chain(steps.lines()) {
        let shown = tables.each_mut().map(|table| table.plays(step));
        for who in viewers() {
            let [this, other] =
                [0, 1].map(|at| [lines(&shown[at], who), told(&*tables[at], who, &names)].concat());
            for (this, other) in this.iter().zip(&other) {
                assert!(this == other, "{step}, {who}:\n{this}\n{other}");
            }
            assert_eq!(this.len(), other.len(), "{step}, {who}");
        }
    }
}

#[test]
fn a_rest_does_not_tell_that_somebody_is_disguised() {
    let dressed = |marks: &str| {
        ["people = \"varodi\"\ndisguise = { people = \"menefi\" }", "people = \"menefi\""]
            .map(|people| gate(r#"conflict = "martial""#, PARTY, &ox(&format!("{people}\n{marks}"))))
    };
    let rest = r#"fiat: {"rest":{"who":"@herald-ox","rest":"short"}}"#;
    look_alike(dressed(""), &format!("{rest}\n{BEGIN}"), &[]);
    let fading = dressed(r#"marks = ["crush", "pierce", "afflict"]"#);
    let saved = r#"
        gm: "peace"
        gm: "end-scene"
        gm: {"rest-now":"short"}
        gm: "next-scene"
    "#;
    look_alike(fading, saved, &[]);
}

#[test]
fn names_do_not_tell_what_somebody_in_sight_can_secretly_do() {
    let asked = r#"
        fiat: {"join":{"player":"cy","name":"Wren","people":"varodi"}}
        gm: {"danger":["@wren"]}
        gm: {"terms":{"essence":"mind","cl":6}}
    "#;
    let of = |people: &str| {
        let foe = ox(&format!("people = \"{people}\"\ndisguise = {{ people = \"menefi\" }}"));
        gate(r#"conflict = "martial""#, PARTY, &foe)
    };
    look_alike([of("varodi"), of("shameri")], asked, &["ride-it-out", "wren-ride-it-out"]);
    // The same where play begins: of what lies about, of scripts, and of what others have.
    let levy = "\n[[foe]]\nname = \"Levy\"\nkind = \"foe\"\npl = 4\nitem = [{ name = \"Claws\" }]";
    let script = |name: &str| format!("{{ name = \"{name}\", category = \"power\", form = \"subtle\" }}");
    let able = |names: [&str; 3]| {
        let [one, other, own] = names;
        let abilities = format!(
            "ability = [{{ name = \"{one}\", armed = true }}, {{ name = \"{other}\", magick = true }}]"
        );
        let foe = ox(&format!("{abilities}\nboon = [{}]{levy}", script(own)));
        gate(r#"conflict = "subtle""#, PARTY, &foe)
    };
    let join = r#"fiat: {"join":{"player":"cy","name":"Wren","item":[{"name":"Whisper"},{"name":"Claws"}]}}"#;
    look_alike(
        [able(["Claws", "Appeal", "Whisper"]), able(["Fangs", "Snarl", "Murmur"])],
        &format!("{join}\n{BEGIN}"),
        &["claws", "levy-claws", "appeal", "appeal-of-all", "whisper", "wren-whisper"],
    );
}

#[test]
fn whether_the_gamemaster_is_asked_does_not_tell_what_a_foe_is_armed_with_by_nature() {
    let claws = "ability = [{ name = \"Claws\", armed = true }]";
    for (form, attribute) in [("martial", "arm"), ("subtle", "guts")] {
        let foes = [claws, ""].map(|with| gate(&format!("conflict = \"{form}\""), PARTY, &ox(with)));
        let attack = format!(r#"ana: {{"attack":{{"on":"@herald-ox","attribute":"{attribute}"}}}}"#);
        look_alike(foes, &format!("{BEGIN}\n{attack}\ngm: \"yes\"\ndice: 1 1\ngm: \"pass\""), &[]);
    }
    // Several attack together, and a nemesis could counter each of them.
    for kind in ["foe", "nemesis"] {
        let foes = [claws, ""].map(|with| {
            let omen = if kind == "nemesis" { "omen = { ruled = true }" } else { "" };
            let foe = ox(&format!("{omen}\n{with}")).replace("\"foe\"", &format!("\"{kind}\""));
            gate(r#"conflict = "martial""#, PARTY, &foe)
        });
        let together = r#"
            ana: {"begin":"@ana"}
            ana: {"group":["@bo"]}
            ana: {"aim":{"on":"@herald-ox"}}
            bo: "yes"
            ana: {"attribute":"arm"}
            bo: {"attribute":"arm"}
            ana: "pass"
            bo: "pass"
            gm: "yes"
            dice: 1 1 1 2
            ana: {"truth":1}
            bo: {"truth":1}
            ana: {"light":1}
            bo: {"light":1}
            gm: "pass"
        "#;
        let again = if kind == "nemesis" { "gm: \"pass\"" } else { "" };
        look_alike(foes, &format!("{together}{again}"), &[]);
    }
}

/// An attack of Herald Ox's on Ana, who saves with this essence, up to its effect.
fn struck(essence: &str) -> String {
    format!(
        r#"
        ana: {{"begin":"@ana"}}
        ana: "pass"
        gm: {{"grant":"@herald-ox"}}
        gm: {{"assault":{{"on":["@ana"]}}}}
        gm: {{"terms":{{"essence":"{essence}"}}}}
        bo: "pass"
        cy: "pass"
        ana: {{"essence":{{"essence":"{essence}"}}}}
        dice: 1 1
        "#
    )
}

#[test]
fn whether_the_gamemaster_is_asked_does_not_tell_of_a_script() {
    let with =
        |player: &str, scripts: &str| format!("player = {player}\nreadied = {scripts}\ncomposed = false");
    let spoken = PARTY
        .replace(r#"player = "ana""#, &with(r#""ana""#, r#"["Appeal", "Flatter"]"#))
        .replace(r#"player = "bo""#, &with(r#""bo""#, r#"["Rebuke", "Scandalize"]"#));
    let own = "boon = [{ name = \"Whisper\", category = \"power\", form = \"subtle\" }]";
    let foes = [own, ""].map(|with| gate(r#"conflict = "subtle""#, &spoken, &ox(with)));
    let threats = r#"gm: {"threats":{"first":{"threat":"misdirect"},"second":{"threat":"weaken"}}}"#;
    look_alike(foes, &format!("{}\n{threats}\ngm: \"pass\"", struck("heart")), &[]);
}

#[test]
fn what_is_out_of_play_looks_alike_whoever_had_it() {
    let warden = "item = [{ name = \"Lamp\" }]\n[[foe]]\nname = \"Lurker\"\nkind = \"foe\"\npl = 7";
    let party = PARTY.replace("player = \"", "unaware_of = [\"lurker\"]\nplayer = \"");
    let after = |holder: &str, lie: &str| {
        let mut table = begun(&gate(r#"conflict = "martial""#, &party, &ox(warden)));
        let shown =
            table.overrules(&format!(r#"{{"item":{{"item":"@lamp","holder":"@{holder}","lie":"{lie}"}}}}"#));
        let names = ["lamp", "nothing"].map(str::to_owned);
        table.plays(BEGIN);
        let told = viewers().map(|who| (lines(&shown, who), told(&*table, who, &names)));
        told.collect::<Vec<_>>()
    };
    assert_eq!(after("lurker", "carried"), after("herald-ox", "gone"));
}

#[test]
fn the_clause_of_a_hit_does_not_tell_a_power_level_that_is_hidden() {
    let party = format!("options = {{ cl-visible = \"pl-after-first-attack\" }}\n{PARTY}");
    let foes = ["5", "6"]
        .map(|pl| gate(r#"conflict = "martial""#, &party, &ox("").replace("pl = 6", &format!("pl = {pl}"))));
    look_alike(foes, &struck("strength"), &[]);
}

#[test]
fn the_clause_of_a_veiled_hit_does_not_tell_whose_it_is() {
    let lurker = "[[foe]]\nname = \"Lurker\"\nkind = \"foe\"\npl = 6";
    let party = PARTY.replace("player = \"", "unaware_of = [\"lurker\"]\nplayer = \"");
    let struck_by = |by: &str| {
        let mut table = begun(&gate(r#"conflict = "martial""#, &party, &ox(lurker)));
        table.plays("ana: {\"begin\":\"@ana\"}\nana: \"pass\"");
        table.says(Seat::Gm, &format!(r#"{{"grant":"@{by}"}}"#));
        let shown = table.plays(
            r#"
            gm: {"assault":{"on":["@ana"],"veiled":true}}
            gm: {"terms":{"essence":"strength"}}
            ana: {"essence":{"essence":"strength"}}
            dice: 1 1
            "#,
        );
        viewers().map(|who| lines(&shown, who)).collect::<Vec<_>>()
    };
    let lines = struck_by("lurker");
    assert!(lines[0].iter().any(|line| line.contains("veiled.no-effects")), "{lines:?}");
    assert_eq!(lines, struck_by("herald-ox"));
}
