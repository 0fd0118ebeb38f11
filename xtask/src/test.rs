//! Every check that a change must pass.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::{Verdict, cargo, client, parts, tidy};

/// One check.
struct Step {
    name: &'static str,
    check: Check,
    /// CPU minutes within which it must end, compiling included: twice what it usually
    /// takes.
    minutes: f64,
}

enum Check {
    Cargo(&'static [&'static str]),
    /// All tests but those in a browser.
    Tests,
    /// The program, as it was built for the tests.
    Program(&'static [&'static str]),
    Tidy,
    Parts,
    Client,
    /// The tests in Chromium.
    Browser,
}

/// Every command is for the whole workspace: a command for one package enables other
/// features of its dependencies, and all of them would be built again.
const STEPS: &[Step] = &[
    Step { name: "format", check: Check::Cargo(&["fmt", "--all", "--check"]), minutes: 2.0 },
    Step { name: "tidy", check: Check::Tidy, minutes: 4.0 },
    // Checking all of deny.toml needs a tool that takes minutes to build: `cargo xtask
    // deny`.
    Step { name: "licences and sources", check: Check::Parts, minutes: 4.0 },
    Step {
        name: "lints",
        check: Check::Cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        minutes: 30.0,
    },
    Step {
        name: "lints of what runs in a browser",
        check: Check::Cargo(&["clippy", "--workspace", "--test", "browser", "--", "-D", "warnings"]),
        minutes: 6.0,
    },
    // Unit tests, the generic suite, scenarios, properties, and the program as a whole. The
    // program that is built for them also serves the next steps: `cargo build` would compile
    // it anew, without the features that tests enable.
    Step { name: "tests", check: Check::Tests, minutes: 80.0 },
    Step {
        name: "examples in the documentation",
        check: Check::Cargo(&["test", "--workspace", "--doc"]),
        minutes: 15.0,
    },
    Step {
        name: "scenarios and content",
        check: Check::Program(&["check", "scenarios", "content"]),
        minutes: 5.0,
    },
    Step { name: "every clause shown", check: Check::Program(&["rulebook", "coverage"]), minutes: 5.0 },
    Step { name: "clients of the API", check: Check::Client, minutes: 15.0 },
    // Last, because it takes longest: people at tables in Chromium.
    Step { name: "in a browser", check: Check::Browser, minutes: 60.0 },
];

/// Runs the steps in order up to the first failure, prints the time of each, and holds each
/// to its budget.
pub(crate) fn run() -> Result<Verdict> {
    cargo::require("fmt", "rustup component add rustfmt")?;
    cargo::require("clippy", "rustup component add clippy")?;
    cargo::require_browser()?;
    client::require()?;
    for (passed, step) in STEPS.iter().enumerate() {
        println!("== {} ({} of {})", step.name, passed + 1, STEPS.len());
        let (begun, used) = (Instant::now(), cpu_seconds());
        let verdict = match step.check {
            Check::Cargo(arguments) => cargo::succeeds(cargo::cargo().args(arguments))?,
            Check::Tests => cargo::succeeds(&mut tests())?,
            Check::Program(arguments) => cargo::succeeds(cargo::built_program()?.args(arguments))?,
            Check::Tidy => tidy::run()?,
            Check::Parts => parts::check()?,
            Check::Client => client::check()?,
            Check::Browser => cargo::succeeds(&mut cargo::browser())?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        let minutes = used.zip(cpu_seconds()).map(|(before, after)| (after - before) / 60.0);
        let took = match minutes {
            Some(minutes) => {
                format!("{seconds:.1} s, {minutes:.1} of {:.0} CPU minutes", step.minutes)
            }
            None => format!("{seconds:.1} s"),
        };
        let over = minutes.is_some_and(|minutes| minutes > step.minutes);
        if verdict == Verdict::Fails || over {
            println!("== {}: failed after {took}", step.name);
            match step.check {
                _ if over => {
                    println!("   over its budget: make it quicker, or raise it in xtask/src/test.rs")
                }
                Check::Cargo(arguments) => println!("   again alone: cargo {}", arguments.join(" ")),
                Check::Tests => println!("   again alone: cargo test --workspace NAME"),
                Check::Program(arguments) => println!("   again alone: cargo run -- {}", arguments.join(" ")),
                Check::Tidy => println!("   again alone: cargo xtask tidy"),
                Check::Client => println!("   again alone: cargo xtask client"),
                Check::Browser => println!("   again alone: cargo xtask browser NAME"),
                Check::Parts => println!("   all of deny.toml: cargo xtask deny"),
            }
            println!("{passed} passed, 1 failed");
            return Ok(Verdict::Fails);
        }
        println!("== {}: passed in {took}", step.name);
    }
    println!("{} passed, 0 failed", STEPS.len());
    Ok(Verdict::Holds)
}

/// The tests, by nextest if it is installed: it runs tests of all crates in parallel.
fn tests() -> Command {
    let mut command = cargo::cargo();
    if cargo::has_nextest() {
        command.args(["nextest", "run", "--status-level", "slow", "--final-status-level", "slow"]);
    } else {
        command.arg("test");
    }
    command.args(["--workspace", "--lib", "--bins", "--tests", "--examples"]);
    command
}

/// Seconds of CPU time that finished child commands have used; `None` if the system does
/// not report it.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Fields 14 and 15 are the children's. They come after the name, which may contain
    // spaces.
    let (_, fields) = stat.rsplit_once(") ")?;
    let children = fields.split(' ').skip(13).take(2);
    let ticks: u64 = children.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    // Linux reports a hundred ticks a second to programs, whatever its own clock.
    Some(ticks as f64 / 100.0)
}
