//! Rules for commits.

use std::process::Command;

use super::Fault;
use crate::cargo;

/// The last commit before subjects were checked.
const BEFORE: &str = "84e6b8e";

/// The most letters of a subject.
const MOST: usize = 72;

/// Subjects are short. Nothing is checked without git or without its history.
pub(super) fn have_short_subjects(faults: &mut Vec<Fault>) {
    let range = format!("{BEFORE}..HEAD");
    let git = Command::new("git")
        .current_dir(cargo::root())
        .args(["log", "--no-merges", "--format=%h %s", &range])
        .output();
    if let Ok(output) = git {
        faults.extend(long(&String::from_utf8_lossy(&output.stdout)));
    }
}

/// The faults of commits in lines of hash and subject.
fn long(log: &str) -> impl Iterator<Item = Fault> {
    log.lines().filter_map(|line| line.split_once(' ')).filter_map(|(hash, subject)| {
        let letters = subject.chars().count();
        let what = format!("the subject has {letters} letters, and may have {MOST}: {subject}");
        (letters > MOST).then(|| Fault::new(&format!("commit {hash}"), 1, what))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_subjects_are_found() {
        let log = format!("a1 {}\nb2 {}\nc3\n", "é".repeat(MOST), "é".repeat(MOST + 1));
        let found: Vec<String> = long(&log).map(|fault| fault.path).collect();
        assert_eq!(found, ["commit b2"]);
    }
}
