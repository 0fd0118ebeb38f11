//! Runs the program in a folder, with arguments and piped input.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// An empty folder for a test.
pub(crate) struct Desk(TempDir);

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Desk {
    /// A new empty folder.
    pub(crate) fn new() -> Self {
        Desk(tempfile::tempdir().expect("a folder"))
    }

    /// The folder's path.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file into the folder.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }

    /// A command that runs the program in the folder, with an empty environment.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
        command.args(args.split_whitespace()).current_dir(self.path());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "XDG_DATA_HOME", "LINES"] {
            command.env_remove(name);
        }
        command.env("COLUMNS", "80").env("HOME", self.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program with this input.
    pub(crate) fn run(&self, args: &str, typed: impl AsRef<[u8]>) -> Ran {
        ran(self.command(args), typed)
    }
}

/// Runs a command with this input.
///
/// # Panics
/// If the program panicked.
#[track_caller]
pub(crate) fn ran(mut command: Command, typed: impl AsRef<[u8]>) -> Ran {
    let mut child = command.spawn().expect("the program");
    let mut stdin = child.stdin.take().expect("piped");
    let typed = typed.as_ref().to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read all input.
        let _ = stdin.write_all(&typed);
    });
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("written");
    let ran = Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    assert!(!ran.err.contains("panicked"), "{command:?} panicked: {}", ran.err);
    assert!((0..=3).contains(&ran.code), "{command:?} ended with {}: {}", ran.code, ran.err);
    ran
}

impl Ran {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "standard output:\n{}\nstandard error:\n{}", self.out, self.err);
        self
    }

    /// Asserts that standard output contains this.
    #[track_caller]
    pub(crate) fn says(self, what: &str) -> Self {
        assert!(self.out.contains(what), "no {what:?} in:\n{}", self.out);
        self
    }

    /// Asserts that standard error contains this.
    #[track_caller]
    pub(crate) fn warns(self, what: &str) -> Self {
        assert!(self.err.contains(what), "no {what:?} in the error:\n{}", self.err);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in:\n{}", self.out))
    }
}

/// A running session, with input line by line.
pub(crate) struct Talk {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Talk {
    /// Starts a session.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::inherit()).spawn().expect("the program");
        let (stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Talk { child, stdin, stdout }
    }

    /// Sends a line, without waiting.
    pub(crate) fn type_in(&mut self, line: &str) {
        // The program may have ended; the reader notices that.
        let _ = writeln!(self.stdin, "{line}");
        let _ = self.stdin.flush();
    }

    /// Reads up to the next prompt; `None` if the program ended before.
    pub(crate) fn prompt(&mut self) -> Option<String> {
        let mut text = Vec::new();
        let mut byte = [0];
        loop {
            match self.stdout.read(&mut byte) {
                Ok(1) => text.push(byte[0]),
                _ => return None,
            }
            let line = text.rsplit(|&b| b == b'\n').next().unwrap_or_default();
            if is_prompt(&String::from_utf8_lossy(line)) {
                return Some(String::from_utf8_lossy(&text).into_owned());
            }
        }
    }

    /// Sends Ctrl-C, and reads the remaining output.
    #[cfg(unix)]
    pub(crate) fn interrupt(mut self) -> Ran {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(sent.success());
        let mut out = String::new();
        self.stdout.read_to_string(&mut out).expect("UTF-8");
        let status = self.child.wait().expect("an end");
        Ran { code: status.code().unwrap_or(-1), out, err: String::new() }
    }

    /// Kills the program.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a running child");
        self.child.wait().expect("an end");
    }
}

/// Whether the start of a line is a prompt: a name or dice alone.
fn is_prompt(line: &str) -> bool {
    let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
    line.strip_suffix("> ").is_some_and(|body| body.split(" + ").all(name) && !body.ends_with('-'))
}

/// Pseudo-random numbers from a fixed seed.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// The next number, below `most`.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }
}
