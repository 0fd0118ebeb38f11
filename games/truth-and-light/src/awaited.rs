//! What play waits for, as somebody is told whom it does not ask.

/// Each kind of prompt, in words that go on from "for Ana": of what is asked they
/// tell no more than its kind.
pub(crate) const AWAITED: &[(&str, &str)] = &[
    ("scene", "to say what happens in the scene"),
    ("act", "to act"),
    ("settle", "to settle the action"),
    ("terms", "to set the terms"),
    ("ready", "to say what goes into the roll"),
    ("misfortune", "to say whether bad fortune is played"),
    ("spend", "to say how much Light is spent"),
    ("reason", "to weigh a reason"),
    ("push", "to withdraw or push on"),
    ("guilt", "to choose the guilt"),
    ("take", "to say what is taken"),
    ("lose", "to say what is lost"),
    ("glory", "to choose the glory"),
    ("allow", "to say whether that is allowed"),
    ("upper", "to say what else comes of it"),
];
