//! The list of orders that `help` shows.

use crate::screen::{KEY, Screen, Text};
use std::io;

const HELP: &[(&str, &str)] = &[
    ("3", "answer by number"),
    ("3 : TEXT", "answer, and say how for the story"),
    ("attack adan arm", "answer, or narrow the list: what, whom, how, as far as you like"),
    ("WORDS", "the same by any words of the answer"),
    ("{\"...\"}", "answer as JSON, listed or not"),
    ("json, json 3", "the listed answers, or one, as JSON: what scenarios hold"),
    ("odds, odds 3", "the chances of all that is listed here, or of one answer, in full"),
    ("3 WORDS", "answer in words of your own, where the list says so"),
    ("/WORDS, /", "only answers that hold these words; all of them again"),
    ("more, back, all", "the next page; back a page or a level; every answer"),
    ("Enter, wait, wait off", "let the others go on: once, from now on, no longer"),
    ("@gm, @ana, @2", "turn to another seat or open ask; @gm 3 answers it at once"),
    ("absent NAME, back NAME", "the gamemaster answers for a player who is not here, and no longer"),
    ("for NAME: 3", "the gamemaster answers for a player, this once"),
    ("say TEXT, : TEXT, \"TEXT\"", "words for the story"),
    ("whisper NAME TEXT", "words for one reader (and the gamemaster)"),
    ("note TEXT", "words for yourself (and the gamemaster)"),
    ("why", "the rule behind the last line and this ask"),
    ("why 12, why answer 3", "the rule behind a line, or an answer"),
    ("why WORDS", "rules that hold these words"),
    ("look, look NAME, look all", "the table drawn, with your sheets; one sheet in full; everything in full"),
    ("look as NAME", "what another seat sees"),
    ("undo", "your own last answer, while nobody has acted since"),
    ("@gm undo, @gm undo 12", "the gamemaster goes back: by one, to line 12, or to 0, the start"),
    ("@gm fiat risk NAME 4, fiat help", "the gamemaster overrules; what there is"),
    ("standing", "what you may answer until further notice"),
    ("standing WORDS", "answer so from now on; by its words or number"),
    ("standing off WORDS", "be asked again"),
    ("dice typed, dice thrown", "who throws from here on"),
    ("log, log 50", "the last lines"),
    ("story", "the story so far, in Markdown"),
    ("save FILE, seats", "a copy of the log; who sits where and what is open"),
    ("quit", "leave; everything is kept"),
];

/// Shows the list.
pub(crate) fn show(screen: &mut Screen) -> io::Result<()> {
    for (keys, meaning) in HELP {
        screen.hang(&Text::of(KEY, format!("  {keys}  ")), 28, &Text::plain(*meaning))?;
    }
    Ok(())
}
