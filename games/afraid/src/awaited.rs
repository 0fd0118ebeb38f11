//! What play waits for, as somebody is told whom it does not ask.

/// Each kind of prompt, in words that go on from "for Ana": of what is asked they
/// tell no more than its kind.
pub(crate) const AWAITED: &[(&str, &str)] = &[
    ("scene", "to say what happens"),
    ("aside", "to see to their sheets"),
    ("stakes", "to say what is at stake"),
    ("muse", "to think how it might be resolved"),
    ("challenge", "to challenge"),
    ("members", "to say whether another of the group challenges"),
    ("match", "to say whether the escalation is matched"),
    ("answer", "to answer the challenge"),
    ("harm", "to say what harm the challenge threatens"),
    ("help", "to say whether a die is handed to an ally"),
    ("concrete", "to say whether what was brought in counts"),
    ("cut", "to say whether there is a cut to another scene"),
    ("join", "to say who joins"),
    ("admit", "to say who can be there"),
    ("resolve", "to say what becomes of what was at stake"),
    ("decide", "to decide"),
    ("fallout", "to choose the fallout"),
    ("need", "to say what is needed"),
    ("newcomer", "to settle something about a new character"),
];
