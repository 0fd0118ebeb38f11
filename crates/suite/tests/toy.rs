//! The suite passes a sound game, and finds each bug planted in it.

use fracas_kernel::{Document, Setup, system_of};
use fracas_suite::{Effort, toy, toy::Toy};

fn setups() -> Vec<Setup> {
    vec![toy::setup(3, 4), toy::setup(1, 2)]
}

/// A hunt with snares that nobody but the gamemaster knows.
fn snared() -> Vec<Setup> {
    vec![toy::snared(2, 4)]
}

fn effort() -> Effort {
    Effort { walks: 10, conflicts: 200, ..Effort::default() }
}

#[test]
fn a_sound_game_passes() {
    let setups = [setups(), snared()].concat();
    fracas_suite::all::<Toy>(&setups, effort());
    fracas_suite::smoke(&system_of::<Toy>(), &setups, 200);
}

/// A test for each bug: which property fails, and what it says.
macro_rules! finds {
    ($setups:ident; $($name:ident: $bug:ident, $property:ident, $says:literal;)*) => {$(
        #[test]
        #[should_panic(expected = $says)]
        fn $name() {
            toy::plant(toy::$bug);
            fracas_suite::$property::<Toy>(&$setups(), effort());
        }
    )*};
}

finds! {
    setups;
    a_secret_in_the_view: LEAKS_IN_VIEW, secrecy, "is told what is hidden from it";
    a_secret_in_a_preview: LEAKS_IN_WORDS, secrecy, "is told what is hidden from it";
    a_secret_in_a_refusal: LEAKS_IN_REFUSAL, secrecy, "is told what is hidden from it";
    a_secret_in_the_list: LEAKS_IN_LIST, secrecy, "is told";
    a_secret_in_the_worth: LEAKS_IN_WORTH, secrecy, "is told what is hidden from it";
    a_secret_in_the_words_for_an_event: LEAKS_IN_EVENT, secrecy, "is told what is hidden from it";
    an_answer_listed_twice: LISTS_TWICE, listed, "listed twice";
    an_answer_listed_and_refused: LISTS_REFUSED, listed, "and refused";
    a_promise_not_kept: PROMISES_HITS, promised, "not what is promised of";
    a_dead_end: LEAVES_IDLE, listed, "a dead end";
    a_state_not_saved: FORGETS, restored, "states";
    a_fold_that_minds_order: FOLDS_IN_ORDER, chance, "the order of";
    a_kind_never_asked: NEVER_ASKS, whole, "never asked: lash";
    a_conflict_without_end: NEVER_ENDS, whole, "did not come to their end";
    an_odd_answer_taken: TAKES_ANYTHING, refused, "index out of bounds";
    parts_that_are_anothers: PARTS_ALIKE, parts, "made of the same parts";
    a_part_about_somebody_else: POINTS_ELSEWHERE, parts, "points at what the answer is not about";
    parts_in_another_order: PARTS_ASKEW, parts, "not in the order in which people choose";
    a_secret_in_the_parts: LEAKS_IN_PARTS, secrecy, "is told what is hidden from it";
    an_event_without_words: SAYS_NOTHING, spoken, "the gamemaster is not told why";
    words_of_ones_own_misplaced: MISPLACES_WORDS, spoken, "not to be worded otherwise";
    a_secret_in_the_odds: LEAKS_IN_ODDS, secrecy, "is told what is hidden from it";
    odds_that_leave_something_out: LOSES_ODDS, chance, "an odd row";
    answers_laid_alike: LAYS_ALIKE, laid, "laid so it is another answer";
    a_laying_that_means_another_answer: MISTAKES_LAYINGS, laid, "laid so it is another answer";
    a_secret_on_the_stage: LEAKS_IN_STAGE, secrecy, "is told what is hidden from it";
    somebody_named_who_is_not_drawn: DRAWS_NOBODY, staged, "is named and is no token";
    the_fallen_drawn_standing: DRAWS_THE_FALLEN, staged, "has fallen, and stands";
    a_fiat_that_breaks_play: FIAT_BREAKS, fiats, "asked of nobody";
}

finds! {
    snared;
    a_hidden_name_that_is_refused_otherwise: LEAKS_NAME_IN_REFUSAL, fewer, "another table has not";
    a_hidden_name_in_a_list: LEAKS_NAME_IN_LIST, listed, "a listed answer refers to something hidden";
    a_hidden_name_in_the_list_of_one_world: LEAKS_NAME_IN_LIST, fewer, "can tell whether";
    a_hidden_deed_that_is_told: TELLS_HIDDEN_EVENT, fewer, "what happened";
    a_newcomer_who_knows_what_nobody_does: NEWCOMERS_KNOW, fewer, "without a line that says so";
    something_hidden_that_is_drawn: DRAWS_HIDDEN, staged, "knows nothing of";
    something_hidden_drawn_in_one_world: DRAWS_HIDDEN, fewer, "the stage";
    a_count_of_what_is_hidden: COUNTS_HIDDEN, fewer, "the view";
}

#[test]
#[should_panic(expected = "the other way round, and no clause says why")]
fn effects_out_of_order() {
    toy::plant(toy::TURNS_ABOUT);
    fracas_suite::ordered::<Toy>(&setups(), effort(), &[]);
}

#[test]
fn effects_in_either_order_are_named() {
    fracas_suite::ordered::<Toy>(&setups(), effort(), &[]);
    toy::plant(toy::TURNS_ABOUT);
    fracas_suite::ordered::<Toy>(&setups(), effort(), &[("struck", "mended", "strike.judge")]);
}

#[test]
#[should_panic(expected = "no name is hidden")]
fn worlds_without_secrets_show_nothing() {
    fracas_suite::fewer::<Toy>(&setups(), effort());
}

#[test]
fn any_bytes_are_survived() {
    let system = system_of::<Toy>();
    for bytes in
        [&b""[..], b"\0", b"\0hunters = 3\0\x01\x02\xc8\0\"high\"\n", b"\x01\xff\xff\xff\xff", b"\xff"]
    {
        fracas_suite::fuzz_one(&system, &setups(), bytes);
        fracas_suite::fuzz_one(&system, &[], bytes);
    }
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn the_smoke_finds_a_panic() {
    toy::plant(toy::TAKES_ANYTHING);
    let system = system_of::<Toy>();
    // The third path is out of reach of what is listed; raw JSON gets there.
    fracas_suite::fuzz_one(
        &system,
        &setups(),
        b"\x01\xc8\x01{\"path\":9}\n\xc8\x02{\"path\":9}\n\xc8\x03{\"path\":9}\n",
    );
}

#[test]
fn a_setup_that_does_not_open_is_reported() {
    let document = Document::toml("bad.toml", "hunters = 9\n").unwrap();
    let setup = Setup::alone(document);
    let caught = std::panic::catch_unwind(|| {
        fracas_suite::whole::<Toy>(&[setup], effort());
    });
    let told = *caught.unwrap_err().downcast::<String>().unwrap();
    assert!(told.contains("bad.toml does not open"), "{told}");
}
