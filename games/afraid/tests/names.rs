//! What a player may not know of is refused as what is not there.

use afraid::Afraid;
use fracas_kernel::{AnyTable, Document, Game, Seat, Session, Setup, Viewer};

const TABLE: &str = r#"
[[player]]
name = "Ana"
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 1 }
[[npc]]
name = "Moss"
stats = { acuity = 1 }
[[npc.trait]]
name = "Sly"
dice = "1d6"
[[npc]]
name = "The hollow"
stats = { acuity = 1 }
[[person]]
name = "Old Tam"
[[scene]]
present = ["Ada", "Moss"]
[conflict]
arena = "research"
thing = "the key"
[[conflict.part]]
who = "Ada"
hand = "6 5"
[[conflict.part]]
who = "Moss"
hand = "4 3"
"#;

const ANA: Seat = Seat::Player(0);

fn refusal(by: Seat, answer: &str) -> String {
    let setup = Setup::alone(Document::toml("table.toml", TABLE).expect("TOML"));
    let (rules, state) = Afraid::start(&setup).unwrap_or_else(|faults| panic!("{faults}"));
    let table = Session::<Afraid>::new(rules, state);
    let id = Session::asks(&table).next().expect("an ask").0;
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
