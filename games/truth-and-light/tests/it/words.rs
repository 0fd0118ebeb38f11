//! What is told of events that random play and the scenarios seldom or never meet.

use fracas_kernel::{Seat, Viewer};
use fracas_suite::begun;
use truth_and_light::state::Outcome;
use truth_and_light::{TruthAndLight, event::Event, vocab::*};

const TABLE: &str = r#"
player = [{ name = "ana" }]
character = [{ name = "Ana", writhing = "w", boon = [{ name = "Knife" }] }, { name = "Bo", writhing = "w" }]
npc = [{ name = "Foe", pn = 8 }]
"#;

const ANA: Char = Char(0);
const BO: Char = Char(1);
const FOE: Char = Char(2);

#[test]
fn events_are_told_with_their_clause() {
    let (rules, state) = begun::<TruthAndLight>(TABLE);
    let (none, ana, foe) = (CharSet::NONE, CharSet::one(ANA), Some(Target::Char(FOE)));
    let result = Outcome { success: false, band: Band::Glorious, degrees: 3 };
    let of_save = Event::Degrees { who: ANA, result, kind: Kind::Save, ap: None };
    let declared = Event::Declared {
        who: ANA,
        on: foe,
        attack: true,
        end: Some(End(5)),
        ability: None,
        using: Some(Boon(8)),
        shake: Some(Cause::End(End(5))),
        what: "a net".parse().ok(),
    };
    let rope = "rope".parse().ok();
    for (event, text, why) in [
        (Event::Joined(BO), "Bo joins.", "ext.character"),
        (Event::Ruled(ANA), "By the gamemaster's word", "roll.when"),
        (Event::RuledTable, "By the gamemaster's word", "roll.when"),
        (Event::Guiltless(ANA), "Ana is out: no guilt comes.", "guilt-or-success-first"),
        (Event::NoRoom(ANA), "There is no more to be had for Ana.", "improvise-limit"),
        (Event::PlayersCall(Some(ANA)), "The floor goes to the players, Ana last.", "ext.turns"),
        (Event::Called { who: ANA, on: foe }, "Ana must test on Foe.", "kind.gm-calls"),
        (Event::Used { who: ANA, boon: Boon(8), name: rope }, "Ana uses rope.", "boon.one-time"),
        (
            declared,
            "Ana: attack: a net on Foe, to leave them Held, using Knife, to be rid of Held.",
            "action.attack-pc",
        ),
        (of_save, "That makes it Glorious Failure 3 for Ana.", "ext.npc-glory"),
        (
            Event::Lapsed { dice: none, good: ana, bad: none },
            "Good fortune of Ana is lost with the scene.",
            "fortune.next-scene",
        ),
        (
            Event::Lapsed { dice: ana.with(BO), good: none, bad: CharSet::one(BO) },
            "The writhing die of Ana and Bo is lost with the scene. Bad fortune of Bo is lost with the scene.",
            "writhing.same-scene",
        ),
    ] {
        let told = <TruthAndLight as fracas_kernel::Words>::event(
            &rules,
            &state,
            &event,
            Viewer::Seat(Seat::Player(0)),
        );
        let told = told.expect("words");
        assert_eq!((told.text.as_str(), told.clause.map(|clause| clause.id())), (text, Some(why)));
    }
}
