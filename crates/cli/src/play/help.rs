//! The lists of orders that `help` and `help all` show.

use crate::screen::{KEY, Screen, Text};
use std::io;

/// The commonest, in which `EXAMPLE` stands for words of an answer.
const COMMON: &[(&str, &str)] = &[
    ("3, EXAMPLE", "answer; words that fit several narrow the list"),
    ("3 : TEXT", "answer, and say how for the story"),
    ("Enter, pass", "let the others go on, where that is offered"),
    ("back, more, all", "up, or a page back; the next page; every answer"),
    ("why, why answer 3", "the rule behind the question, or an answer"),
    ("odds", "the chances of what is listed"),
    ("hint", "what the machine would answer, and why"),
    ("look, look NAME", "the table with your sheets; one sheet in full"),
    ("undo", "take back your own last answer"),
    ("@gm, @ana", "turn to another seat that plays here"),
    ("quit", "leave; everything is kept"),
    ("help all", "all that can be typed"),
];

/// All of them; `FIAT` stands for a kind of fiat.
const ALL: &[(&str, &str)] = &[
    ("3", "answer by number"),
    ("3 : TEXT", "answer, and say how for the story"),
    ("EXAMPLE", "answer, or narrow the list: what, whom, how, as far as you like"),
    ("WORDS", "the same by any words of the answer"),
    ("{\"...\"}", "answer as JSON, listed or not"),
    ("json, json 3", "the listed answers, or one, as JSON: what scenarios hold"),
    ("hint", "what the machine would answer here, with the odds, and what else it weighed"),
    ("odds, odds 3", "the chances of all that is listed here, or of one answer, in full"),
    ("3 WORDS", "answer in words of your own, where the list says so; words of the answer do for 3"),
    ("/WORDS, /", "only answers that hold these words; all of them again"),
    ("more, back, all", "the next page; back a page or a level; every answer"),
    ("K2, K2 3", "on a map: what a space is like; the third thing that can be done there"),
    ("K2 by F3 G4", "the same, led by other spaces; NAME K2 where several can go"),
    ("Enter, pass, no, skip", "let the others go on, once"),
    ("wait, wait off", "let them go on from now on; no longer"),
    ("@gm, @ana", "turn to another seat, or to its next open ask; @gm 3 answers it at once"),
    ("absent NAME, back NAME", "the gamemaster answers for a player who is not here, and no longer"),
    ("for NAME: 3", "the gamemaster answers for a player, this once"),
    ("say TEXT, : TEXT, \"TEXT\"", "words for the story"),
    ("whisper NAME TEXT", "words for one reader (and the gamemaster)"),
    (
        "calls, calls 2",
        "the gamemaster's calls of this encounter, and what is to be counted; say the second call",
    ),
    ("note TEXT", "words for yourself (and the gamemaster)"),
    ("why", "the rule behind the last line and this ask"),
    ("why 12, why answer 3", "the rule behind a line, or an answer"),
    ("why WORDS", "rules that hold these words"),
    ("look, look NAME, look all", "the table drawn, with your sheets; one sheet in full; everything in full"),
    ("look as NAME", "what another seat sees"),
    ("undo", "your own last answer, while nobody has acted since"),
    ("@gm undo, @gm undo 12", "the gamemaster goes back: by one, to line 12, or to 0, the start"),
    ("@gm fiat FIAT, @gm fiat help", "the gamemaster overrules; what there is, and how it is typed"),
    ("standing", "what you may answer until further notice"),
    ("standing WORDS", "answer so from now on; by its words or number"),
    ("standing off WORDS", "be asked again"),
    ("dice typed, dice thrown", "who throws from here on"),
    ("log, log 50", "the last lines"),
    ("story", "the story so far, in Markdown"),
    ("save FILE, seats", "a copy of the log; who sits where and what is open"),
    ("quit", "leave; everything is kept"),
];

/// Shows a list, with an answer that can be typed now and a kind of fiat of this game.
pub(crate) fn show(
    screen: &mut Screen,
    example: Option<&str>,
    fiat: Option<&str>,
    all: bool,
) -> io::Result<()> {
    for (keys, meaning) in if all { ALL } else { COMMON } {
        let keys = keys.replace("EXAMPLE", example.unwrap_or("WORDS"));
        let keys = keys.replace("FIAT", &fiat.map_or_else(String::new, |fiat| format!("{fiat} ...")));
        screen.hang(&Text::of(KEY, format!("  {keys}  ")), 28, &Text::plain(*meaning))?;
    }
    Ok(())
}
