//! Questions about dice without a table, against every throw counted one by one.

use afraid::Afraid;
use fracas_kernel::{Odds, Words};

#[track_caller]
fn ask(name: &str, words: &str) -> Result<Odds, String> {
    let question = Afraid::questions().iter().find(|question| question.name == name).expect("a question");
    Afraid::answers(question.name, &question.read(words.split_whitespace()).expect("its values"))
}

/// The first words of each row, and its throws.
#[track_caller]
fn rows(name: &str, words: &str) -> Vec<(String, u128)> {
    let first = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    ask(name, words).expect("an answer").rows.iter().map(|row| (first(&row.text), row.throws)).collect()
}

#[track_caller]
fn check(name: &str, words: &str, expected: &[(&str, u128)]) {
    let found = rows(name, words);
    let found: Vec<_> = found.iter().map(|(text, throws)| (text.as_str(), *throws)).collect();
    assert_eq!(found, expected, "{name} {words}");
}

/// Every throw of dice with so many sides.
fn throws(sides: &[u8]) -> Vec<Vec<u8>> {
    sides.iter().fold(vec![Vec::new()], |all, &sides| {
        let with = |faces: &Vec<u8>| {
            let faces = faces.clone();
            (1..=sides).map(move |face| [&faces[..], &[face]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

#[test]
fn fallout_is_told_by_its_bands() {
    // Of two d10s: 21 pairs are 7 at most, 34 are 8 to 11, 30 are 12 to 15, 14 are 16 to 19.
    let [short, long] = ["short-term", "long-term"];
    let bands = [(short, 21), (long, 34), ("an injury", 30), ("first aid is required", 14), ("death", 1)];
    check("fallout", "2d10", &bands);
    // The two highest of three d4s are never more than 8: both 4s, in 10 of 64 throws.
    check("fallout", "3d4", &[(short, 54), (long, 10)]);
    // 37 of 64 throws show a 1.
    assert_eq!(ask("fallout", "3d4").unwrap().besides[0].throws, 37);
    // All added: 8 or more come in 32 of the 64, one of them 12.
    check("fallout", "3d4 sum=total", &[(short, 32), (long, 31), ("an injury", 1)]);
}

#[test]
fn fallout_follows_the_house_rules_that_are_said() {
    let [short, long, injury] = ["short-term", "long-term", "an injury"];
    let two = "2d10 death-from=19 long-from=7";
    let bands = [(short, 15), (long, 40), (injury, 30), ("first aid is required", 12), ("death", 3)];
    check("fallout", two, &bands);
    check("fallout", "2d4 injury-from=13 long-from=5", &[(short, 6), (long, 10)]);
}

#[test]
fn answers_and_challenges_are_those_of_every_throw() {
    let dice = throws(&[6, 6, 6, 8]);
    for need in [2, 6, 7, 8, 9, 12, 14, 15, 20] {
        let mut counts = [0; 4];
        for faces in &dice {
            let mut faces = faces.clone();
            faces.sort_unstable_by(|one, other| other.cmp(one));
            let reaches = |count: usize| faces[..count].iter().sum::<u8>() >= need;
            let fewest = [1, 2, 4].into_iter().position(reaches).unwrap_or(3);
            counts[fewest] += 1;
        }
        let texts = [
            "enough to reverse",
            "enough to block or dodge",
            "only enough to take it",
            "not enough to answer",
        ];
        let expected: Vec<_> = texts.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect();
        check("answer", &format!("3d6+1d8 need={need}"), &expected);
    }
    // Two d4s against a hand of 3 and 2, and nothing else: 6 of 16 are 6 or more, 4 are 4 and 5.
    let all = [
        ("a challenge that nobody can answer", 6),
        ("a challenge that can be blocked", 7),
        ("a challenge that can be reversed", 3),
    ];
    check("challenge", "2d4 top=3 pair=5 all=5", &all);
    check("best-pair", "2d4", &[("8", 1), ("7", 2), ("6", 3), ("5", 4), ("4", 3), ("3", 2), ("2", 1)]);
}

#[test]
fn what_cannot_be_is_refused_with_what_would_be_right() {
    for (name, words, why) in [
        ("fallout", "2d12", "d12: afraid has d4, d6, d8 and d10"),
        ("best-pair", "61d6", "at most 60 dice of a size"),
        ("challenge", "2d6 top=4 pair=9", "pair=9: with top=4 expected 4 to 8"),
    ] {
        assert_eq!(ask(name, words).unwrap_err(), why);
    }
}
