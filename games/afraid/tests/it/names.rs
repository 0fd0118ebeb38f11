//! What a player may not know of is refused as what is not there.

use afraid::answer::{Answer, AtStake, Sides};
use afraid::state::{Changes, Thing, To};
use afraid::{Afraid, vocab::*};
use fracas_kernel::{AnyTable, Document, Game, Known, Seat, Session, Setup, Slot, Viewer};
use fracas_suite::{Driven, begun};

const TABLE: &str = r#"
player = [{ name = "Ana" }]
scene = [{ present = ["Ada", "Moss"] }]
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 1 }
[[npc]]
name = "Moss"
stats = { acuity = 1 }
trait = [{ name = "Sly", dice = "1d6" }]
[[npc]]
name = "The hollow"
stats = { acuity = 1 }
[[person]]
name = "Old Tam"
[conflict]
arena = "research"
thing = "the key"
part = [{ who = "Ada", hand = "6 5" }, { who = "Moss", hand = "4 3" }]
"#;

const ANA: Seat = Seat::Player(0);

fn refusal(by: Seat, answer: &str) -> String {
    let table = fracas_suite::table::<Afraid>(TABLE);
    let id = AnyTable::asks(&table)[0].id;
    let checked = AnyTable::check(&table, by, id, answer).expect_err("refused").to_string();
    let previewed = AnyTable::preview(&table, id, answer, Viewer::Seat(by)).expect_err("refused").to_string();
    assert!(by == Seat::Gm || checked == previewed, "{checked}, and {previewed}");
    checked
}

#[test]
fn a_name_tells_a_player_nothing() {
    for (there, absent) in
        [("the-hollow", "the-hollox"), ("old-tam", "old-tax"), ("newcomer-1", "newcomer-x")]
    {
        let told = |name: &str| {
            let challenge = format!(r#"{{"challenge":{{"on":["@{name}"],"dice":[6,5]}}}}"#);
            refusal(ANA, &challenge).replace(name, "NAME")
        };
        assert_eq!(told(there), told(absent));
        assert!(!told(absent).contains(there), "{}", told(absent));
    }
    let near = refusal(ANA, r#"{"challenge":{"on":["@mosz"],"dice":[6,5]}}"#);
    assert_eq!(near, r#"nothing here is called "mosz"; perhaps moss"#);
}

#[test]
fn what_is_on_another_sheet_is_not_offered() {
    let near = refusal(ANA, r#"{"bring":"@moss-slx"}"#);
    assert_eq!(near, r#"nothing here is called "moss-slx"; perhaps moss"#);
}

#[test]
fn the_gamemaster_is_told_of_everybody() {
    let near = refusal(Seat::Gm, r#"{"challenge":{"on":["@the-hollox"],"dice":[6,5]}}"#);
    assert_eq!(near, r#"nothing here is called "the-hollox"; perhaps the-hollow"#);
}

const UNMET: Char = Char(2);
const NOBODY: Char = Char(MAX_CAST as u8);

/// Whether an answer to the first ask is refused for what it names.
fn is_unknown(table: &str, answer: Answer) -> bool {
    let (rules, state) = begun::<Afraid>(table);
    let refused = Afraid::check(&rules, &state, Slot(0), answer).map(|_| ()).expect_err("refused");
    refused.to_string() == "nobody and nothing here is called that"
}

#[test]
fn one_unknown_name_in_an_answer_is_enough_to_refuse_it() {
    let one = CharSet::one;
    let none = Changes::default();
    let (ada, moss, tam) = (Char(0), Char(1), To::Person(Person(0)));
    let resolve = |who| {
        let of = Changes { lost: one(who), ..none };
        let all = one(ada).with(who);
        let [dies, comes, ends] = [(all, none, none), (one(ada), of, none), (one(ada), none, of)];
        [dies, comes, ends].map(|(dies, comes, ends)| Answer::Resolve { dies, comes, ends })
    };
    let naming = |who: Char| {
        let mut all = vec![
            Answer::Conflict { sides: Sides::two(one(ada), one(who)), arena: Arena::Social, followup: false },
            Answer::FirstAid { victim: who, provider: ada, kind: Aid::Physical },
            Answer::FirstAid { victim: ada, provider: who, kind: Aid::Physical },
            Answer::Care(who),
            Answer::NewScene(one(ada).with(who)),
            Answer::Assign { who: Some(who), to: To::Char(ada), count: 1, size: Size::D6 },
            Answer::Assign { who: None, to: To::Char(who), count: 1, size: Size::D6 },
            Answer::Join { who, with: ada },
            Answer::Join { who: ada, with: who },
            Answer::Stake(AtStake { lives: one(who), ..AtStake::default() }),
            Answer::Muse(AtStake { about: one(who).into(), ..AtStake::default() }),
        ];
        all.extend(resolve(who));
        all
    };
    for answer in naming(moss) {
        assert!(!is_unknown(TABLE, answer), "{answer:?}");
    }
    let stake = AtStake { lives: one(ada), about: [tam].into_iter().collect(), ..AtStake::default() };
    let others = [Answer::Stake(stake), Answer::Meet(tam), Answer::NewRelationship(tam)];
    let someone = Answer::NewRelationship(To::Person(Person(MAX_PEOPLE as u8)));
    // The gamemaster may name whoever is there.
    let calm = TABLE.split("[conflict]").next().expect("a scene");
    let (rules, state) = begun::<Afraid>(calm);
    assert!(Afraid::check(&rules, &state, Slot(0), Answer::Meet(tam)).is_ok());
    for answer in naming(UNMET).into_iter().chain(naming(NOBODY)).chain(others).chain([someone]) {
        assert!(is_unknown(TABLE, answer), "{answer:?}");
    }
}

#[test]
fn of_people_outside_the_cast_players_know_those_they_have_to_do_with() {
    let more = r#"
[[person]]
name = "Met"
met = true
[[npc]]
name = "Eve"
stats = { acuity = 1 }
relationship = [{ to = "Hers", dice = "1d6" }]
"#;
    let kin = "stats = { acuity = 1 }\nrelationship = [{ to = \"Kin\", dice = \"1d6\" }]\n";
    let text = TABLE
        .replacen("stats = { acuity = 1 }\n", kin, 1)
        .replace("[conflict]", &format!("{more}[conflict]"));
    let text = text.replace("thing = \"the key\"", "thing = \"the key\"\nabout = [\"Staked\"]");
    let mut table = fracas_suite::table::<Afraid>(&text);
    table.overrules(r#"{"gain":{"who":"@ada","sort":"relationship","name":"Fay","dice":"1d6"}}"#);
    let known = |slug: &str, who: Seat| {
        let named = table.names().find(slug).unwrap_or_else(|| panic!("{slug}"));
        Afraid::knows(table.rules(), table.state(), named, Viewer::Seat(who))
    };
    assert_eq!(known("met", ANA), Known::Open);
    for slug in ["kin", "staked", "someone-1"] {
        assert_eq!(known(slug, ANA), Known::Hearsay, "{slug}");
    }
    for slug in ["old-tam", "hers", "someone-2"] {
        assert_eq!(known(slug, ANA), Known::Hidden, "{slug}");
    }
    assert_eq!(known("old-tam", Seat::Gm), Known::Open);
}

#[test]
fn what_is_gained_takes_the_place_of_what_is_lost_and_of_nothing_else() {
    let (_, mut state) = begun::<Afraid>(TABLE);
    let (name, theirs) = ("new".parse().expect("a label"), *state.thing(Item(0)).expect("a trait"));
    let thing = Thing { owner: Char(0), ..theirs };
    for at in 0..MAX_GAINED {
        assert_eq!(state.gain(thing, name), Some(Item((MAX_ITEMS + at) as u8)));
    }
    assert_eq!(state.gain(thing, name), None);
    // What the gamemaster's characters gain has names and room of its own.
    assert_eq!(state.gain(theirs, name), Some(Item((MAX_ITEMS + MAX_GAINED) as u8)));
    // What was rolled in this conflict keeps its place until it is over.
    (state.gained[3].lost, state.gained[3].rolled) = (true, true);
    assert_eq!(state.gain(thing, name), None);
    state.gained[3].rolled = false;
    assert_eq!(state.gain(thing, name), Some(Item((MAX_ITEMS + 3) as u8)));
}

/// A table that began under this version of the rules, or begins now.
fn table(text: &str, version: Option<u32>) -> Option<Session<Afraid>> {
    let document = Document::toml("table.toml", text).expect("TOML");
    let document = version.map_or(document.clone(), |version| document.kept().begun_under(version));
    let (rules, state) = Afraid::start(&Setup::alone(document)).ok()?;
    Some(Session::new(rules, state))
}

/// What the second thing is referred to by that Moss gains.
fn second_gain(table: &mut Session<Afraid>) -> String {
    for name in ["Hears well", "Runs"] {
        let gain = format!(r#"{{"gain":{{"who":"@moss","sort":"trait","name":"{name}","dice":"1d6"}}}}"#);
        table.overrules(&gain);
    }
    let sheet = table.view(Viewer::Seat(Seat::Gm))["cast"]["moss"]["sheet"].clone();
    let sheet = sheet.as_object().expect("a sheet");
    let (slug, _) = sheet.iter().find(|(_, thing)| thing["name"] == "Runs").expect("it is there");
    slug.clone()
}

#[test]
fn what_the_gamemasters_characters_gain_is_not_counted() {
    let slug = second_gain(&mut table(TABLE, None).expect("a sound setup"));
    assert!(slug.starts_with("theirs-") && !slug.ends_with(char::is_numeric), "{slug}");
    let told = TABLE.replacen("\nplayer", "\nbriefing = \"Moss knows.\"\nplayer", 1);
    assert_ne!(second_gain(&mut table(&told, None).expect("a sound setup")), slug);
    assert_eq!(second_gain(&mut table(TABLE, Some(6)).expect("a sound setup")), "theirs-2");
}

#[test]
fn a_table_of_earlier_rules_goes_on_with_what_is_a_fault_now() {
    let twice = r#"player = "Ana"
relationship = [{ to = "Eve", dice = "1d6" }, { to = "Eve", dice = "1d4" }]"#;
    let twice = TABLE.replacen(r#"player = "Ana""#, twice, 1);
    let join = r#"{"join":{"name":"Storm","dice":"2d6","needs_aid":"2d6"}}"#;
    assert!(table(&twice, None).is_none());
    let mut old = table(&twice, Some(6)).expect("it began so");
    assert!(AnyTable::fiat(&mut old, join, false).is_ok());
    assert!(AnyTable::fiat(&mut table(TABLE, Some(7)).expect("a sound setup"), join, false).is_err());
}
