//! What two tables that look the same tell of what only one of them has.

use crate::TABLES;
use fracas_kernel::{AnyTable, AskId, AskInfo, Document, Now, Seat, Setup, Viewer};
use fracas_sim::{Bot, Chance};
use fracas_suite::{Driven, alike, alike_through, opened, told};
use judge_two::JudgeTwo;
use serde_json::Value;

const ANA: Seat = Seat::Player(0);

fn begun(setup: &Setup) -> Box<dyn AnyTable> {
    Box::new(opened::<JudgeTwo>(setup))
}

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

const MARTIAL: &str = r#"conflict = "martial""#;
const BEGIN: &str = r#"ana: {"begin":"@ana"}"#;

/// Ana attacks the herald.
const ATTACK: &str = r#"ana: {"attack":{"on":"@herald-ox","attribute":"arm"}}
    gm: "yes""#;

/// Somebody whom the party has not noticed.
const LURKER: &str = "[[foe]]\nname = \"Lurker\"\nkind = \"foe\"\npl = 6\n";

fn unaware() -> String {
    PARTY.replace("player = \"", "unaware_of = [\"lurker\"]\nplayer = \"")
}

fn ox(with: &str) -> String {
    format!("[[foe]]\nname = \"Herald Ox\"\nkind = \"foe\"\npl = 6\n{with}")
}

/// Plays the same steps at tables of both: see [`alike_through`].
#[track_caller]
fn look_alike(setups: [Setup; 2], steps: &str) {
    alike_through(setups.map(|setup| begun(&setup)), steps);
}

/// The reed ambush with nobody in the reeds.
fn without_bowmen() -> Setup {
    let setup = TABLES.setup("the-reed-ambush.toml");
    let mut told = setup.encounter.to_json();
    for (list, field) in [("foe", "name"), ("range", "from")] {
        let entries = told[list].as_array_mut().expect("a list");
        entries.retain(|entry| {
            !["North Bow", "South Bow"].iter().any(|bow| entry[field].to_string().contains(bow))
        });
    }
    for character in told["character"].as_array_mut().expect("a list") {
        character.as_object_mut().expect("a table").remove("unaware_of");
    }
    Setup { encounter: Document::json("the-reed-ambush.toml", &told), library: setup.library }
}

#[test]
fn nobody_can_tell_the_ambush_from_a_road_without_bowmen() {
    let ambush = TABLES.setup("the-reed-ambush.toml");
    for seed in 1..=2 {
        alike(begun(&ambush), begun(&without_bowmen()), &[], seed);
    }
}

/// An answer of any seat's to any ask.
fn any(table: &dyn AnyTable, asks: &[AskInfo], chance: &mut Chance) -> Option<(Seat, AskId, String)> {
    let ask = &asks[chance.place(asks.len())];
    let seats: Vec<Seat> = ask.who.seats().iter().collect();
    let seat = seats[chance.place(seats.len())];
    let listed = table.legal(ask.id, Viewer::Seat(seat));
    let answer = listed.get(chance.place(listed.len()))?;
    Some((seat, ask.id, answer.answer.clone()))
}

/// Whether everybody sees who is behind an event: somebody is noticed, attacks unveiled, or
/// takes something.
fn shows(event: &Value, slug: &str) -> bool {
    let is = |value: &Value| *value == format!("@{slug}");
    let (danger, deed) = (&event["danger"], &event["deed"]);
    is(&event["aware"]["of"])
        || (is(&danger["by"]) && danger["veiled"] == false && !danger["form"].is_null())
        || (is(&deed["who"]) && ["take", "recover", "ready"].iter().any(|of| !deed["deed"][of].is_null()))
}

#[test]
fn a_machine_as_gamemaster_gives_nothing_away() {
    const BOWMEN: [[&str; 2]; 2] = [["north-bow", "North Bow"], ["south-bow", "South Bow"]];
    let viewers = [0, 1, 2].map(|nth| Viewer::Seat(Seat::Player(nth))).into_iter().chain([Viewer::Spectator]);
    let (mut acted, mut noticed) = (0, 0);
    for seed in 1..=16 {
        let (mut table, mut chance) = (begun(&TABLES.setup("the-reed-ambush.toml")), Chance::new(seed, 1));
        let gm = if seed % 2 == 0 { Bot::greedy(seed) } else { Bot::random(seed) };
        let mut seen = [false; 2];
        for _ in 0..120 {
            let step = match table.now() {
                Now::Over => break,
                Now::Roll(roll) => table.roll(&chance.throw(&roll.dice), true),
                Now::Asks(asks) => {
                    let asked = asks.iter().find(|ask| ask.who.seats().contains(Seat::Gm));
                    let machine = asked
                        .and_then(|ask| Some((Seat::Gm, ask.id, gm.choose(&*table, Seat::Gm, ask.id)?)))
                        .filter(|_| chance.below(3) > 0);
                    let Some((seat, id, answer)) = machine.or_else(|| any(&*table, &asks, &mut chance))
                    else {
                        continue;
                    };
                    table.answer(seat, id, &answer, true)
                }
            };
            let step = step.unwrap_or_else(|refused| panic!("seed {seed}: {refused}"));
            for shown in &step.shown {
                let event = serde_json::from_str(&shown.event).expect("JSON");
                for (seen, [slug, _]) in seen.iter_mut().zip(BOWMEN) {
                    *seen |= shows(&event, slug);
                    acted += u32::from(shown.event.contains(slug));
                }
            }
            let unseen = BOWMEN.iter().zip(seen).filter(|(_, seen)| !seen).flat_map(|(names, _)| names);
            let bows = ["Yew Bow", "yew-bow"].iter().filter(|_| seen == [false; 2]);
            let hidden: Vec<&str> = unseen.chain(bows).copied().collect();
            for who in viewers.clone() {
                let mut sent = vec![table.view(who).to_string(), format!("{:?}", table.cards(who))];
                sent.extend(
                    step.shown.iter().filter_map(|shown| shown.to(who)).map(|line| format!("{line:?}")),
                );
                if let Now::Asks(asks) = table.now() {
                    sent.extend(asks.iter().map(|ask| table.waits(ask.id, who).to_owned()));
                    let own = asks
                        .iter()
                        .filter(|ask| matches!(who, Viewer::Seat(seat) if ask.who.seats().contains(seat)));
                    sent.extend(own.map(|ask| {
                        let (told, listed) = (table.ask_told(ask.id, who), table.legal(ask.id, who));
                        format!("{} {told:?} {listed:?} {:?}", ask.prompt, table.board(ask.id, who))
                    }));
                }
                for told in &sent {
                    let named = hidden.iter().find(|name| told.contains(**name));
                    assert!(named.is_none(), "seed {seed}: {who} is told of {named:?}: {told}");
                }
            }
        }
        noticed += seen.iter().filter(|seen| **seen).count();
    }
    assert!(acted > 30 && noticed > 5, "the bowmen did {acted} things and were noticed {noticed} times");
}

#[test]
fn what_fails_anyway_does_not_name_an_ability_against_it() {
    let refused = |power: &str| {
        let foe = ox(&format!("ability = [{{ name = \"Rooted\", {power} }}]"));
        let party = PARTY.replace("player = \"ana\"", "player = \"ana\"\nboon = [{ name = \"Blade\", category = \"power\", hands = 1, readied = true }]");
        let mut table = begun(&gate(MARTIAL, &party, &foe));
        table.plays(&format!("{BEGIN}\n{}\ndice: 3 3", ATTACK));
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
fn what_is_out_of_play_looks_like_what_somebody_unseen_has() {
    // The lamp is out of play, and then somebody unseen has it, or has it out of play.
    let foes = ox("item = [{ name = \"Lamp\" }]\n") + LURKER;
    let after = |puts: &[(&str, &str)]| {
        let mut table = begun(&gate(MARTIAL, &unaware(), &foes));
        for (holder, lie) in puts {
            table.overrules(&format!(r#"{{"item":{{"item":"@lamp","holder":"@{holder}","lie":"{lie}"}}}}"#));
        }
        table
    };
    let gone = ("herald-ox", "gone");
    alike_through([after(&[gone]), after(&[gone, ("lurker", "gone")])], BEGIN);
    alike_through([after(&[gone]), after(&[("lurker", "carried")])], BEGIN);
    let view = after(&[gone]).view(Viewer::Spectator);
    assert!(!view["gear"].to_string().contains("\"gone\""), "{view}");
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
    let players = [0, 1, 2].map(|nth| Viewer::Seat(Seat::Player(nth)));
    let viewers = [players[0], players[1], players[2], Viewer::Spectator];
    let looks = |table: &dyn AnyTable, who| format!("{} {:?}", table.view(who), table.stage(who, &[]));
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
                let before = viewers.map(|viewer| looks(&*table, viewer));
                let Ok(step) = table.fiat(&word, true) else { continue };
                for (viewer, before) in viewers.into_iter().zip(before) {
                    let (lines, now) = (told(&step.shown, viewer), looks(&*table, viewer));
                    let tells = !lines.is_empty();
                    assert_eq!(
                        tells,
                        before != now,
                        "{moment}, {word}, {viewer}: {lines:?}\n{before}\n{now}"
                    );
                    if tells { with_line += 1 } else { without += 1 }
                }
            }
        }
    }
    assert!(with_line > 1000 && without > 1000, "{with_line} lines, {without} silent");
}

#[test]
fn a_rest_does_not_tell_that_somebody_is_disguised() {
    let dressed = |marks: &str| {
        ["people = \"varodi\"\ndisguise = { people = \"menefi\" }", "people = \"menefi\""]
            .map(|people| gate(MARTIAL, PARTY, &ox(&format!("{people}\n{marks}"))))
    };
    let rest = r#"fiat: {"rest":{"who":"@herald-ox","rest":"short"}}"#;
    look_alike(dressed(""), &format!("{rest}\n{BEGIN}"));
    let fading = dressed(r#"marks = ["crush", "pierce", "afflict"]"#);
    let saved = r#"
        gm: "peace"
        gm: "end-scene"
        gm: {"rest-now":"short"}
        gm: "next-scene"
    "#;
    look_alike(fading, saved);
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
        gate(MARTIAL, PARTY, &foe)
    };
    look_alike([of("varodi"), of("shameri")], asked);
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
    );
}

#[test]
fn whether_the_gamemaster_is_asked_does_not_tell_what_a_foe_is_armed_with_by_nature() {
    let claws = "ability = [{ name = \"Claws\", armed = true }]";
    for (form, attribute) in [("martial", "arm"), ("subtle", "guts")] {
        let foes = [claws, ""].map(|with| gate(&format!("conflict = \"{form}\""), PARTY, &ox(with)));
        let attack = format!(r#"ana: {{"attack":{{"on":"@herald-ox","attribute":"{attribute}"}}}}"#);
        let judged = "dice: 1 2\nana: {\"judge\":{\"light\":1,\"truth\":2}}";
        look_alike(foes, &format!("{BEGIN}\n{attack}\ngm: \"yes\"\n{judged}\ngm: \"pass\""));
    }
    // Several attack together, and a nemesis could counter each of them.
    for kind in ["foe", "nemesis"] {
        let foes = [claws, ""].map(|with| {
            let omen = if kind == "nemesis" { "omen = { ruled = true }" } else { "" };
            let foe = ox(&format!("{omen}\n{with}")).replace("\"foe\"", &format!("\"{kind}\""));
            gate(MARTIAL, PARTY, &foe)
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
        look_alike(foes, &format!("{together}{again}"));
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
    look_alike(foes, &format!("{}\n{threats}\ngm: \"pass\"", struck("heart")));
}

#[test]
fn the_clause_of_a_hit_does_not_tell_a_power_level_that_is_hidden() {
    let party = format!("options = {{ cl-visible = \"pl-after-first-attack\" }}\n{PARTY}");
    let foes = ["5", "6"].map(|pl| gate(MARTIAL, &party, &ox("").replace("pl = 6", &format!("pl = {pl}"))));
    look_alike(foes, &struck("strength"));
}

#[test]
fn the_clause_of_a_veiled_hit_does_not_tell_whose_it_is() {
    let steps = r#"
        gm: {"assault":{"on":["@ana"],"veiled":true}}
        gm: {"terms":{"essence":"strength"}}
        ana: {"essence":{"essence":"strength"}}
        dice: 1 1
    "#;
    let tables = ["lurker", "herald-ox"].map(|by| {
        let mut table = begun(&gate(MARTIAL, &unaware(), &ox(LURKER)));
        table.plays(&format!("{BEGIN}\nana: \"pass\"\ngm: {{\"grant\":\"@{by}\"}}"));
        table
    });
    alike_through(tables, steps);
}
