//! What the gamemaster can overrule, to its bounds and no further.

use crate::TABLES;
use fracas_kernel::{Game, Setup};
use truth_and_light::state::{Die, Fortunes, Lie, Made, Place, State};
use truth_and_light::{TruthAndLight, event::Event, fiat::Fiat, rules::Rules, vocab::*};

const ILEN: Char = Char(0);
const LOOKOUT: Char = Char(4);

fn table() -> (Rules, State) {
    let setup: Setup = TABLES.setup("fight.toml");
    TruthAndLight::start(&setup).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The fight of the setups after this fiat, or why it is refused.
fn ruled(fiat: &Fiat) -> Result<State, String> {
    let (mut rules, mut state) = table();
    let mut events: Vec<Event> = Vec::new();
    match TruthAndLight::fiat(&mut rules, &mut state, fiat, &mut events) {
        Ok(()) => Ok(state),
        Err(refused) => Err(refused.to_string()),
    }
}

#[track_caller]
fn refused(fiat: &Fiat, why: &str) {
    match ruled(fiat) {
        Ok(_) => panic!("{fiat:?} is allowed"),
        Err(found) => assert_eq!(found, why, "{fiat:?}"),
    }
}

#[track_caller]
fn allowed<T: PartialEq + std::fmt::Debug>(fiat: &Fiat, of: impl Fn(&State) -> T, expected: T) {
    assert_eq!(of(&ruled(fiat).expect("allowed")), expected, "{fiat:?}");
}

const NOBODY: &str = "nobody here is called that";
const NOTHING: &str = "nothing here is called that";
const NO_PLAYER: &str = "only players' characters roll and have that (roll.players-only)";
const NO_NPC: &str = "players' characters have attributes, and no power number (pn.meaning)";

#[test]
fn whoever_is_meant_is_at_the_table() {
    let (rules, _) = table();
    assert_eq!(rules.cast.len(), usize::from(LOOKOUT.0) + 1);
    let who = Char(LOOKOUT.0 + 1);
    let end = End(0);
    for fiat in [
        Fiat::Track { who, track: Track(0), left: 1 },
        Fiat::Out { who, out: true },
        Fiat::Known { who, known: true },
        Fiat::Away { who, away: true },
        Fiat::Power { who, pn: 9 },
        Fiat::Aware { who, aware: true },
        Fiat::Fortune { who, fate: Fate::Good, now: 1, next: 0 },
        Fiat::Die { who, held: true },
        Fiat::Last { who, glory: None },
        Fiat::Boon { boon: Boon(8), holder: who, lie: Lie::Kept },
        Fiat::End { on: who, by: None, end, degrees: 0 },
        Fiat::End { on: ILEN, by: Some(who), end, degrees: 0 },
        Fiat::Lift { who, from: None },
    ] {
        refused(&fiat, NOBODY);
    }
}

#[test]
fn what_is_meant_is_at_the_table() {
    let (rules, _) = table();
    let last = Boon(rules.boons.len() as u8 - 1);
    let boon = |boon| Fiat::Boon { boon, holder: ILEN, lie: Lie::Lost };
    allowed(&boon(last), |state| state.place(last), Place { holder: Some(ILEN), lie: Lie::Lost });
    refused(&boon(Boon(last.0 + 1)), NOTHING);
    refused(&boon(Boon(0)), NOTHING);
    let gone = Fiat::Boon { boon: last, holder: ILEN, lie: Lie::Gone };
    allowed(&gone, |state| state.place(last), Place { holder: None, lie: Lie::Gone });

    let end = |end| Fiat::End { on: ILEN, by: Some(LOOKOUT), end, degrees: 1 };
    let last = End(rules.ends.len() as u8 - 1);
    allowed(&end(last), |state| state.live.len(), 1);
    refused(&end(End(last.0 + 1)), NOTHING);

    let hazard = |hazard, present| Fiat::Hazard { hazard, present };
    allowed(&hazard(Hazard(0), false), |state| state.hazards, HazardSet::NONE);
    allowed(&hazard(Hazard(0), true), |state| state.hazards, HazardSet::one(Hazard(0)));
    refused(&hazard(Hazard(1), true), NOTHING);
}

#[test]
fn what_was_made_in_play_is_put_anywhere_and_ends() {
    let (mut rules, mut state) = table();
    state.made[3] = Some(Made::Like(Boon(8)));
    state.boons[3] = Place { holder: Some(ILEN), lie: Lie::InUse };
    let mut put = |lie| {
        let fiat = Fiat::Boon { boon: Boon(3), holder: LOOKOUT, lie };
        let done = TruthAndLight::fiat(&mut rules, &mut state, &fiat, &mut Vec::<Event>::new());
        (done.is_ok(), state.place(Boon(3)).holder, state.made[3].is_some())
    };
    assert_eq!(put(Lie::Kept), (true, Some(LOOKOUT), true));
    assert_eq!(put(Lie::Gone), (true, None, false));
    assert_eq!(put(Lie::Kept), (false, None, false));
}

#[test]
fn tracks_have_a_size() {
    let track = |track, left| Fiat::Track { who: ILEN, track: Track(track), left };
    let now = |state: &State| (state.being(ILEN).tracks[1], state.being(ILEN).out);
    allowed(&track(1, 6), now, (6, false));
    allowed(&track(1, 5), now, (5, false));
    allowed(&track(1, 1), now, (1, false));
    allowed(&track(1, 0), now, (0, true));
    refused(&track(1, 7), "that track of theirs goes up to 6 (ext.harm)");
    refused(&track(2, 0), "that track of theirs goes up to 0 (ext.harm)");
    refused(&track(9, 0), "that track of theirs goes up to 0 (ext.harm)");
}

#[test]
fn numbers_have_bounds() {
    let power = |pn| Fiat::Power { who: LOOKOUT, pn };
    for pn in [6, 7, 15, 16] {
        allowed(&power(pn), |state| state.being(LOOKOUT).pn, i16::from(pn));
    }
    for pn in [0, 5, 17, 255] {
        refused(&power(pn), "a power number is from 6 to 16 (bad.tn)");
    }
    refused(&Fiat::Power { who: ILEN, pn: 9 }, NO_NPC);

    let fortune = |fate, now, next| Fiat::Fortune { who: ILEN, fate, now, next };
    let both = |state: &State| (state.being(ILEN).good, state.being(ILEN).bad);
    let (old, new) = (Fortunes { now: 1, next: 0 }, Fortunes { now: 9, next: 9 });
    allowed(&fortune(Fate::Good, 9, 9), both, (new, old));
    allowed(&fortune(Fate::Bad, 9, 9), both, (old, new));
    allowed(&fortune(Fate::Bad, 0, 8), both, (old, Fortunes { now: 0, next: 8 }));
    for (now, next) in [(10, 0), (0, 10), (11, 9), (9, 200)] {
        refused(&fortune(Fate::Good, now, next), "nobody has more than nine fortunes (fortune-count)");
    }
    refused(&Fiat::Fortune { who: LOOKOUT, fate: Fate::Bad, now: 1, next: 0 }, NO_PLAYER);

    allowed(&Fiat::Scene(1), |state| state.scene, 1);
    allowed(&Fiat::Scene(u16::MAX), |state| state.scene, u16::MAX);
    refused(&Fiat::Scene(0), "scenes are counted from 1");
}

#[test]
fn how_somebody_is_can_be_set_and_unset() {
    let (_, before) = table();
    let being = |who: Char| move |state: &State| *state.being(who);
    for (who, out) in [(ILEN, true), (ILEN, false), (LOOKOUT, true)] {
        let expected = truth_and_light::state::Being { out, ..*before.being(who) };
        allowed(&Fiat::Out { who, out }, being(who), expected);
        let expected = truth_and_light::state::Being { away: out, ..*before.being(who) };
        allowed(&Fiat::Away { who, away: out }, being(who), expected);
    }
    allowed(&Fiat::Aware { who: LOOKOUT, aware: true }, |state| state.being(LOOKOUT).unaware, false);
    allowed(&Fiat::Aware { who: Char(3), aware: false }, |state| state.being(Char(3)).unaware, true);
    refused(&Fiat::Aware { who: ILEN, aware: true }, NO_NPC);
    allowed(&Fiat::Known { who: LOOKOUT, known: true }, |state| state.known, CharSet::one(LOOKOUT));
    allowed(&Fiat::Known { who: LOOKOUT, known: false }, |state| state.known, CharSet::NONE);
    refused(&Fiat::Known { who: ILEN, known: true }, NO_NPC);
    for held in [true, false] {
        let die = Die { held, gained: held, spent: false };
        allowed(&Fiat::Die { who: ILEN, held }, |state| state.being(ILEN).die, die);
    }
    refused(&Fiat::Die { who: LOOKOUT, held: true }, NO_PLAYER);
    for glory in [Some(Glory::Spring), None] {
        allowed(&Fiat::Last { who: ILEN, glory }, |state| state.being(ILEN).last, glory);
    }
    refused(&Fiat::Last { who: LOOKOUT, glory: None }, NO_PLAYER);
}

#[test]
fn what_is_so_already_is_not_told() {
    let told = |fiat: &Fiat| {
        let (mut rules, mut state) = table();
        let mut events: Vec<Event> = Vec::new();
        TruthAndLight::fiat(&mut rules, &mut state, fiat, &mut events).expect("allowed");
        assert_eq!(events.is_empty(), state == table().1 && rules.turns == table().0.turns, "{fiat:?}");
        events.len()
    };
    let out = |out| Fiat::Out { who: ILEN, out };
    assert_eq!((told(&out(false)), told(&out(true))), (0, 1));
    assert_eq!((told(&Fiat::Scene(1)), told(&Fiat::Scene(2))), (0, 1));
    assert_eq!((told(&Fiat::Turns(Turns::Free)), told(&Fiat::Turns(Turns::Alternate))), (0, 1));
    for nothing in [Fiat::Lift { who: ILEN, from: None }, Fiat::Last { who: ILEN, glory: None }, Fiat::Cancel]
    {
        assert_eq!(told(&nothing), 0, "{nothing:?}");
    }
}

#[test]
fn settings_are_the_tables_to_change() {
    let option = |id: &str, value: &str| Fiat::Option { id: id.to_owned(), value: value.to_owned() };
    let (mut rules, mut state) = table();
    let mut set = |id, value| {
        TruthAndLight::fiat(&mut rules, &mut state, &option(id, value), &mut Vec::<Event>::new()).is_ok()
            && rules.options.words().contains(&(id, value))
    };
    for (id, value) in [
        ("break-now-amount", "5"),
        ("break-now-amount", "4"),
        ("boon-stacking", "one-per-sort"),
        ("lose-who-picks", "player"),
        ("tn-hidden", "hidden-until-spent"),
        ("pc-vs-pc-ruling", "set-tn"),
    ] {
        assert!(set(id, value), "{id} {value}");
    }
    refused(
        &option("rank-cap-enforced", "up-to-10"),
        "that is settled when a table is set up (rank-cap-enforced)",
    );
    refused(&option("tn-hidden", "never"), "expected one of announced, hidden-until-spent, found \"never\"");
    refused(
        &option("luck", "more"),
        "no such option; there are break-now-amount, boon-stacking, lose-who-picks, tn-hidden, \
         rank-cap-enforced, pc-vs-pc-ruling",
    );
}

#[test]
fn whoever_joins_sits_where_there_is_a_seat() {
    let join = |player: &str| {
        let (mut rules, mut state) = table();
        let who = serde_json::json!({ "player": player, "name": "Cyl", "writhing": "w", "boon": [{ "name": "Lamp" }] });
        let mut events: Vec<Event> = Vec::new();
        TruthAndLight::fiat(&mut rules, &mut state, &Fiat::Join(who), &mut events).expect("allowed");
        let sheet = rules.cast.last().expect("somebody");
        let seats: Vec<Vec<String>> =
            TruthAndLight::seats(&rules).into_iter().map(|info| info.holds).collect();
        assert_eq!((state.cast.len(), state.boons.len()), (rules.cast.len(), rules.boons.len()));
        (rules.roster.players.clone(), sheet.seat.to_string(), seats)
    };
    let owned = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<String>>();
    let gm = || owned(&["captain", "bravo", "lookout"]);
    let (ilen, osk) = (owned(&["ilen"]), owned(&["osk"]));
    assert_eq!(
        join("bo"),
        (owned(&["ana", "bo"]), "player-2".to_owned(), vec![gm(), ilen.clone(), owned(&["osk", "cyl"])])
    );
    assert_eq!(
        join("cy"),
        (owned(&["ana", "bo", "cy"]), "player-3".to_owned(), vec![gm(), ilen, osk, owned(&["cyl"])])
    );
}
