//! Everything that must hold before a change is taken.

use std::time::Instant;

use anyhow::Result;

use crate::{Verdict, cargo, client, parts, tidy};

/// One thing that must hold.
struct Step {
    name: &'static str,
    check: Check,
}

enum Check {
    Cargo(&'static [&'static str]),
    /// The program itself, as it was built.
    Program(&'static [&'static str]),
    Tidy,
    Parts,
    Client,
}

/// Every command is for the whole workspace: one for a package alone has other
/// features of what it depends on, and all of it would be built once more.
const STEPS: &[Step] = &[
    Step { name: "format", check: Check::Cargo(&["fmt", "--all", "--check"]) },
    Step { name: "tidy", check: Check::Tidy },
    // All of deny.toml takes a tool that is built for minutes: `cargo xtask deny`.
    Step { name: "licences and sources", check: Check::Parts },
    Step {
        name: "lints",
        check: Check::Cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    Step {
        name: "lints of what runs in a browser",
        check: Check::Cargo(&["clippy", "--workspace", "--test", "browser", "--", "-D", "warnings"]),
    },
    // Units, the generic suite, scenarios, properties, the program end to end.
    Step {
        name: "tests",
        check: Check::Cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--examples"]),
    },
    Step { name: "examples in the documentation", check: Check::Cargo(&["test", "--workspace", "--doc"]) },
    Step { name: "the program", check: Check::Cargo(&["build", "--workspace", "--bin", "fracas"]) },
    Step { name: "scenarios and content", check: Check::Program(&["check", "scenarios", "content"]) },
    Step { name: "every clause shown", check: Check::Program(&["rulebook", "coverage"]) },
    Step { name: "clients of the API", check: Check::Client },
    // Last, for they take longest: people at tables, in Chromium.
    Step { name: "in a browser", check: Check::Cargo(cargo::BROWSER) },
];

/// Runs the steps in order, each with its time, to the first that fails.
pub(crate) fn run() -> Result<Verdict> {
    cargo::require("fmt", "rustup component add rustfmt")?;
    cargo::require("clippy", "rustup component add clippy")?;
    cargo::require_browser()?;
    client::require()?;
    for (passed, step) in STEPS.iter().enumerate() {
        println!("== {} ({} of {})", step.name, passed + 1, STEPS.len());
        let begun = Instant::now();
        let verdict = match step.check {
            Check::Cargo(arguments) => cargo::succeeds(cargo::cargo().args(arguments))?,
            Check::Program(arguments) => cargo::succeeds(cargo::built_program()?.args(arguments))?,
            Check::Tidy => tidy::run()?,
            Check::Parts => parts::check()?,
            Check::Client => client::check()?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        if verdict == Verdict::Fails {
            println!("== {}: failed after {seconds:.1} s", step.name);
            match step.check {
                Check::Cargo(arguments) => println!("   again alone: cargo {}", arguments.join(" ")),
                Check::Program(arguments) => println!("   again alone: cargo run -- {}", arguments.join(" ")),
                Check::Tidy => println!("   again alone: cargo xtask tidy"),
                Check::Client => println!("   again alone: cargo xtask client"),
                Check::Parts => println!("   all of deny.toml: cargo xtask deny"),
            }
            println!("{passed} passed, 1 failed");
            return Ok(Verdict::Fails);
        }
        println!("== {}: passed in {seconds:.1} s", step.name);
    }
    println!("{} passed, 0 failed", STEPS.len());
    Ok(Verdict::Holds)
}
