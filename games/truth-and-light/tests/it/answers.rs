//! What can be written as an answer: names that are at the table, and back again.

use fracas_kernel::{Document, Game, Setup, Slot};
use truth_and_light::answer::{Answer, Control, Deal, Deed, GloryPick, GuiltPick, Lost, UpperPick};
use truth_and_light::state::{Lie, Made, Place, State};
use truth_and_light::{TruthAndLight, rules::Rules, vocab::*};

const TABLE: &str = r#"
player = [{ name = "ana" }, { name = "bo" }]
hazard = [{ name = "Fire", tn = 9 }, { name = "Flood", tn = 9 }]
[scene]
zones = ["Hall", "Yard"]
[[character]]
name = "Ana"
player = "ana"
writhing = "w"
[[character.feat]]
name = "Make"
[[character.feat.effect]]
does = "gain-boon"
boon = "Stool"
[[character]]
name = "Bo"
player = "bo"
writhing = "w"
feat = [{ name = "Wait" }]
boon = [{ name = "Knife" }]
[[npc]]
name = "Foe"
pn = 8
boon = [{ name = "Cudgel" }]
"#;

/// A boon that others are made after, and that nobody has.
const PATTERN: Boon = Boon(8);

fn table() -> (Rules, State) {
    let encounter = Document::toml("e.toml", TABLE).expect("TOML").kept();
    let library = vec![Document::toml("l.toml", "[[boon]]\nname = \"Stool\"\n").expect("TOML").kept()];
    TruthAndLight::start(&Setup { encounter, library }).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Whether all that an answer names is at the table, whatever else speaks against it.
fn is_here(rules: &Rules, state: &State, answer: Answer) -> bool {
    const ELSEWHERE: &str = "the answer names somebody or something that is not at this table";
    TruthAndLight::check(rules, state, Slot(0), answer).err().is_none_or(|no| no.to_string() != ELSEWHERE)
}

/// What an answer may name.
#[derive(Clone, Copy)]
struct Named {
    who: Char,
    other: Char,
    zone: Zone,
    boon: Boon,
    ability: Ability,
    end: End,
    hazard: Hazard,
}

/// An answer of every shape that names something.
const SHAPES: &[fn(Named) -> Answer] = &[
    |n| Answer::Floor(n.who),
    |n| Answer::Notice(n.who),
    |n| Answer::Done(n.who),
    |n| Answer::Hostile { who: n.who, hostile: true },
    |n| Answer::Test { who: n.who, on: None },
    |n| Answer::Test { who: n.who, on: Some(Target::Surroundings) },
    |n| Answer::Test { who: n.who, on: Some(Target::Char(n.other)) },
    |n| Answer::Test { who: n.who, on: Some(Target::Hazard(n.hazard)) },
    |n| Answer::Save { on: CharSet::one(n.who).with(n.other), by: Target::Surroundings, shake: None },
    |n| Answer::Save { on: CharSet::one(n.who), by: Target::Char(n.other), shake: None },
    |n| Answer::Save { on: CharSet::one(n.who), by: Target::Hazard(n.hazard), shake: None },
    |n| Answer::Assault { by: n.who, on: n.other },
    |n| Answer::Place { who: n.who, zone: n.zone },
    |n| Answer::Major(Deal::by(n.who)),
    |n| Answer::Major(deal(n)),
    |n| Answer::Major(Deal { on: Some(Target::Hazard(n.hazard)), ..deal(n) }),
    |n| Answer::Major(Deal { shake: Some(Cause::Ability(n.ability)), ..Deal::by(n.who) }),
    |n| Answer::Attack(Deal::by(n.who)),
    |n| Answer::Attack(deal(n)),
    |n| minor(n, Deed::Other("hums".parse().expect("short"))),
    |n| minor(n, Deed::Recover(n.boon)),
    |n| minor(n, Deed::Ready(n.boon)),
    |n| minor(n, Deed::Stow(n.boon)),
    |n| minor(n, Deed::Give { boon: n.boon, to: n.other }),
    |n| minor(n, Deed::Shake(Cause::End(n.end))),
    |n| minor(n, Deed::Shake(Cause::Ability(n.ability))),
    |n| minor(n, Deed::Go(n.zone)),
    |n| Answer::Terms { attribute: Some(Attribute::Honor), tn: Some(9), tags: None, end: Some(n.end) },
    |n| Answer::Ready { die: true, ability: Some(n.ability), using: Some(n.boon) },
    |n| Answer::Ready { die: true, ability: Some(n.ability), using: None },
    |n| Answer::Ready { die: true, ability: None, using: Some(n.boon) },
    |n| Answer::Guilt(GuiltPick::FaultAbility(n.who)),
    |n| Answer::Guilt(GuiltPick::LoseBoons(Lost([Some(n.boon), Some(Boon(9))]))),
    |n| Answer::Guilt(GuiltPick::LoseBoons(Lost([Some(Boon(9)), Some(n.boon)]))),
    |n| Answer::Guilt(GuiltPick::SufferSurprise { by: Target::Char(n.who), end: n.end }),
    |n| Answer::Glory(GloryPick::GrantAbility(n.who)),
    |n| Answer::Glory(GloryPick::ControlBoons(Control::Steal(n.boon))),
    |n| Answer::Glory(GloryPick::ControlBoons(Control::Discard(n.boon))),
    |n| Answer::Glory(GloryPick::SpringSurprise { on: Target::Hazard(n.hazard), end: n.end }),
    |n| Answer::Lose(Lost([Some(n.boon), None])),
    |n| Answer::Upper(UpperPick::Seize(n.boon)),
    |n| Answer::Upper(UpperPick::Surprise(n.end)),
    |n| Answer::Upper(UpperPick::Rally(n.who)),
];

fn minor(n: Named, deed: Deed) -> Answer {
    Answer::Minor { who: n.who, deed }
}

/// A declaration that names one of everything.
fn deal(n: Named) -> Deal {
    Deal {
        on: Some(Target::Char(n.other)),
        end: Some(n.end),
        ability: Some(n.ability),
        using: Some(n.boon),
        shake: Some(Cause::End(n.end)),
        attribute: Some(Attribute::Beauty),
        what: "all of it".parse().ok(),
        ..Deal::by(n.who)
    }
}

#[test]
fn an_answer_names_what_is_at_the_table() {
    let (rules, mut state) = table();
    assert_eq!(rules.boons[PATTERN.index()].name, "Stool");
    let spare = Boon(0);
    state.made[0] = Some(Made::Like(PATTERN));
    state.boons[0] = Place { holder: Some(Char(0)), lie: Lie::InUse };
    let last = Named {
        who: Char(rules.cast.len() as u8 - 1),
        other: Char(0),
        zone: Zone(rules.zones.len() as u8 - 1),
        boon: Boon(rules.boons.len() as u8 - 1),
        ability: Ability(rules.abilities.len() as u8 - 1),
        end: End(rules.ends.len() as u8 - 1),
        hazard: Hazard(rules.hazards.len() as u8 - 1),
    };
    let beyond = [
        Named { who: Char(last.who.0 + 1), ..last },
        Named { other: Char(last.who.0 + 1), ..last },
        Named { zone: Zone(last.zone.0 + 1), ..last },
        Named { boon: Boon(last.boon.0 + 1), ..last },
        Named { boon: PATTERN, ..last },
        Named { boon: Boon(1), ..last },
        Named { ability: Ability(last.ability.0 + 1), ..last },
        Named { end: End(last.end.0 + 1), ..last },
        Named { hazard: Hazard(last.hazard.0 + 1), ..last },
    ];
    for shape in SHAPES {
        let answer = shape(last);
        assert!(is_here(&rules, &state, answer), "{answer:?}");
        assert!(is_here(&rules, &state, shape(Named { boon: spare, ..last })), "{answer:?}");
        for other in beyond.map(shape) {
            assert!(other == answer || !is_here(&rules, &state, other), "{other:?}");
        }
    }
}

#[test]
fn an_answer_is_read_as_it_is_written() {
    let n = Named {
        who: Char(1),
        other: Char(2),
        zone: Zone(1),
        boon: Boon(10),
        ability: Ability(1),
        end: End(3),
        hazard: Hazard(1),
    };
    let name = "rope".parse().unwrap();
    let improvise =
        |once| Control::Improvise { name, rolls: Kind::Save, tags: TagSet::one(Tag::Wilds), once };
    let settle = |label| Answer::Settle {
        label,
        reach: Some(Reach::Contested),
        attribute: Some(Attribute::Wisdom),
        tn: Some(16),
        tags: Some(TagSet::NONE),
    };
    let more = [
        Answer::Guilt(GuiltPick::LoseBoons(Lost::default())),
        Answer::Glory(GloryPick::ControlBoons(improvise(true))),
        Answer::Glory(GloryPick::ControlBoons(improvise(false))),
        Answer::Glory(GloryPick::BreakRisk(BreakMode::Now)),
        settle(Label::Major),
        settle(Label::Minor),
        Answer::AGREED,
        Answer::PLAIN,
        Answer::Claim { spend: 2, reason: Some(name) },
        Answer::Claim { spend: 2, reason: None },
        Answer::Fortune(Ground::FarApart),
    ];
    for answer in SHAPES.iter().map(|shape| shape(n)).chain(more) {
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer, "{text}");
    }
}

#[test]
fn what_goes_without_saying_is_not_written() {
    for (answer, text) in [
        (Answer::AGREED, r#"{"settle":{}}"#),
        (Answer::EASY, r#"{"settle":{"label":"minor"}}"#),
        (Answer::PLAIN, r#"{"ready":{}}"#),
        (Answer::Major(Deal::by(Char(1))), r#"{"major":{"who":"@c1"}}"#),
        (Answer::Terms { attribute: None, tn: None, tags: None, end: None }, r#"{"terms":{}}"#),
    ] {
        assert_eq!(serde_json::to_string(&answer).unwrap(), text);
    }
}

#[test]
fn two_different_boons_at_most_are_lost() {
    let read = |text: &str| serde_json::from_str::<Lost>(text).map_err(|error| error.to_string());
    assert_eq!(read("[]"), Ok(Lost([None, None])));
    assert_eq!(read(r#"["@b1"]"#), Ok(Lost([Some(Boon(9)), None])));
    assert_eq!(read(r#"["@b1","@x0"]"#), Ok(Lost([Some(Boon(9)), Some(Boon(0))])));
    for more in [r#"["@b1","@b1"]"#, r#"["@b1","@x0","@x1"]"#] {
        assert_eq!(read(more), Err("two different boons at most are lost".to_owned()), "{more}");
    }
}

#[test]
fn a_target_and_a_cause_are_said_by_name() {
    let refused = |error: serde_json::Error| error.to_string();
    assert_eq!(serde_json::from_str::<Target>(r#""@c2""#).unwrap(), Target::Char(Char(2)));
    assert_eq!(serde_json::from_str::<Target>(r#""@h1""#).unwrap(), Target::Hazard(Hazard(1)));
    assert_eq!(serde_json::from_str::<Target>(r#""surroundings""#).unwrap(), Target::Surroundings);
    for (target, text) in [
        (Target::Char(Char(2)), r#""@c2""#),
        (Target::Hazard(Hazard(1)), r#""@h1""#),
        (Target::Surroundings, r#""surroundings""#),
    ] {
        assert_eq!(serde_json::to_string(&target).unwrap(), text);
    }
    assert_eq!(
        serde_json::from_str::<Target>(r#""@e1""#).map_err(refused),
        Err("expected the name of a character or a hazard, as \"@name\", or \"surroundings\"".to_owned())
    );
    assert_eq!(serde_json::from_str::<Cause>(r#""@e1""#).unwrap(), Cause::End(End(1)));
    assert_eq!(serde_json::from_str::<Cause>(r#""@a1""#).unwrap(), Cause::Ability(Ability(1)));
    for (cause, text) in [
        (Cause::End(End(1)), r#""@e1""#),
        (Cause::Ability(Ability(1)), r#""@a1""#),
        (Cause::Boon(Boon(9)), r#""@b1""#),
    ] {
        assert_eq!(serde_json::to_string(&cause).unwrap(), text);
    }
    assert_eq!(
        serde_json::from_str::<Cause>(r#""@c1""#).map_err(refused),
        Err("expected the name of an end, an ability or a boon, as \"@name\"".to_owned())
    );
}
