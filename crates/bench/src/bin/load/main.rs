//! Puts a server under load. The method is in `benches/README.md`.
//!
//! Exit code 0: done. 1: an accepted note did not reach every stream. 2: bad usage, or a
//! measurement that is impossible.

#![forbid(unsafe_code)]

mod client;
mod table;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use client::{Client, How};
use fracas_bench::play_long;
use fracas_kernel::{System, Viewer};
use fracas_store::{Db, NewPass, NewTable, PassKind, TableId};
use fracas_table::{Opening, Table as Game};
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use table::{Heard, Table};

/// Put a server under load: tables, viewers with open streams, answers at a rate
#[derive(Parser, Clone)]
struct Arguments {
    /// Tables in play
    #[arg(long, default_value_t = 100)]
    tables: usize,
    /// Open streams at each table: the gamemaster's, two players', and spectators'
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=50))]
    viewers: u16,
    /// Duration in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Commands a second over all tables: every fourth a note to everybody, the others
    /// answers and throws
    #[arg(long, default_value_t = 200)]
    rate: u32,
    /// The system; the first of all systems if absent
    #[arg(long)]
    system: Option<String>,
    /// The encounter; the system's first if absent
    #[arg(long)]
    encounter: Option<String>,
    /// The program that serves, instead of the one in the same folder
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Answers in the long log.
const LONG: usize = 10_000;
/// The long table's id, and the token of its link.
const LONG_TABLE: &str = "longlonglong";
const LONG_LINK: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let done = runtime.context("a runtime").and_then(|runtime| runtime.block_on(run(Arguments::parse())));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The system and the encounter to play.
fn played(arguments: &Arguments) -> Result<(&'static System, String)> {
    let system = match &arguments.system {
        Some(id) => fracas_systems::find(id),
        None => fracas_systems::all().first(),
    };
    let system = system.context("no such system: `fracas play --list` names them")?;
    let encounter = match &arguments.encounter {
        Some(id) => id.clone(),
        None => {
            let all = fracas_systems::encounters(system).or_else(|faults| bail!("{faults}"))?;
            all.first().context("it has no encounter")?.id.clone()
        }
    };
    Ok((system, encounter))
}

async fn run(arguments: Arguments) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let (system, encounter) = played(&arguments)?;
    println!("{}, {encounter}", system.id);
    prepare(folder.path(), system).await?;
    let server = Server::start(&arguments, folder.path())?;
    long_table(&server.host).await?;

    let begun = Instant::now();
    let mut tables = Vec::new();
    for _ in 0..arguments.tables {
        tables.push(Arc::new(
            Table::open(&server.host, &format!("/open/{}/{encounter}", system.id), arguments.viewers).await?,
        ));
    }
    let streams = arguments.tables * usize::from(arguments.viewers);
    println!(
        "{} tables with {} streams each, opened in {:.1} s; {:.0} MB",
        arguments.tables,
        arguments.viewers,
        begun.elapsed().as_secs_f64(),
        server.memory()?,
    );
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let refused = Arc::new(Mutex::new(0_u64));
    let mut clock = tokio::time::interval(Duration::from_secs(1) / arguments.rate.max(1));
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let mut under_way = tokio::task::JoinSet::new();
    let (mut sent, mut most) = (0_usize, server.memory()?);
    while Instant::now() < end {
        clock.tick().await;
        let table = tables[sent % tables.len()].clone();
        // Every fourth command of each table, rather than of all together.
        let note = (sent / tables.len()) % 4 == 3;
        let (acknowledged, refused, id) = (acknowledged.clone(), refused.clone(), sent);
        under_way.spawn(async move {
            match table.command(id, note).await {
                Ok(Some(time)) => acknowledged.lock().map(|mut all| all.push(time)).unwrap_or_default(),
                Ok(None) => refused.lock().map(|mut n| *n += 1).unwrap_or_default(),
                Err(error) => eprintln!("command {id}: {error:#}"),
            }
        });
        sent += 1;
        if sent.is_multiple_of(arguments.rate as usize) {
            most = server.memory()?.max(most);
            while under_way.try_join_next().is_some() {}
        }
    }
    while under_way.join_next().await.is_some() {}
    tokio::time::sleep(Duration::from_secs(2)).await;
    most = server.memory()?.max(most);

    let mut acknowledged = std::mem::take(&mut *acknowledged.lock().map_err(|_| anyhow::anyhow!("a panic"))?);
    let mut fanned = Vec::new();
    let mut missing = 0;
    for table in &tables {
        let Heard { times, lost } = table.heard(usize::from(arguments.viewers));
        fanned.extend(times);
        missing += lost;
    }
    let refused = refused.lock().map_or(0, |n| *n);
    println!(
        "{sent} commands in {} s: {} accepted ({:.0} a second), {refused} found nothing to answer",
        arguments.seconds,
        acknowledged.len(),
        acknowledged.len() as f64 / arguments.seconds as f64,
    );
    println!("acknowledged, on disk: {}", spread(&mut acknowledged));
    println!("heard by each of {streams} streams that may see it: {}", spread(&mut fanned));
    println!("notes that did not reach every stream: {missing}");
    println!("memory of the server, at most: {most:.0} MB");
    Ok(missing == 0)
}

/// The median, the 99th percentile and the maximum, in milliseconds.
fn spread(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |part: usize| {
        let n = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(n).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    format!("p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms ({} times)", at(50), at(99), at(100), times.len())
}

/// Writes a table of [`LONG`] answers into a server's folder.
async fn prepare(folder: &Path, system: &'static System) -> Result<()> {
    let setup = fracas_bench::measured(system.id)?;
    let db = Db::open(folder).await?;
    let id = TableId::new(LONG_TABLE).context("a good id")?;
    db.add_table(NewTable {
        id: id.clone(),
        system: system.id.to_owned(),
        title: "A long table".to_owned(),
        opened: 0,
        settings: r#"{"door":"open"}"#.to_owned(),
        named: None,
    })
    .await?;
    db.add_pass(NewPass {
        hash: Sha256::digest(LONG_LINK).into(),
        table: id.clone(),
        kind: PassKind::Invite,
        role: Viewer::Seat(fracas_kernel::Seat::Gm),
        label: String::new(),
        maker: None,
        made: 0,
    })
    .await?;
    let store = db.log(&id);
    let played = tokio::task::spawn_blocking(move || -> Result<u64> {
        let opening = Opening { seed: Some(7.into()), ..Opening::default() };
        let mut table = Game::create(system, &setup, opening, Box::new(store))?;
        play_long(&mut table, LONG, |_, _| ())?;
        let lines = table.log().next();
        table.close()?;
        Ok(lines)
    });
    println!("a long table: {} lines of {LONG} answers", played.await??);
    Ok(())
}

/// Measures how long the long table takes to open, and to load once it is open.
async fn long_table(host: &str) -> Result<()> {
    let mut client = Client::new(host).await?;
    let door = client.get(&format!("/join/{LONG_LINK}")).await?.to.context("no door")?;
    // Asking to be admitted opens the table already, so that is measured.
    let begun = Instant::now();
    let reply = client.get(&door).await?;
    let opened = begun.elapsed();
    ensure!(reply.status.is_success(), "{door}: {}", reply.status);
    client.follow(&door, &[("name", "Load")]).await?;
    let page = format!("/t/{LONG_TABLE}/gm");
    let begun = Instant::now();
    let reply = client.get(&page).await?;
    let first = begun.elapsed();
    ensure!(reply.status.is_success(), "{page}: {}", reply.status);
    let begun = Instant::now();
    client.get(&page).await?;
    println!(
        "the long table opens in {:.0} ms, its first page comes in {:.0} ms, the next in {:.1} ms",
        opened.as_secs_f64() * 1e3,
        first.as_secs_f64() * 1e3,
        begun.elapsed().as_secs_f64() * 1e3,
    );
    // A note at a long table must be acknowledged as fast as at any other.
    let begun = Instant::now();
    let note =
        client.post(&format!("{page}/note"), &[("text", "so long"), ("to", "all")], How::Scripted).await?;
    ensure!(note.status.is_success(), "a note: {}", note.status);
    println!("a note there is acknowledged in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// A server as a child process.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(arguments: &Arguments, folder: &Path) -> Result<Server> {
        let program = match &arguments.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()?.with_file_name("fracas"),
        };
        if !program.exists() {
            bail!("no {}: build it with cargo build --release --bin fracas", program.display());
        }
        let mut child = Command::new(&program)
            .args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let out = child.stdout.take().context("its output")?;
        let mut lines = BufReader::new(out).lines();
        let host = lines.find_map(|line| {
            let line = line.ok()?;
            Some(line.split("http://").nth(1)?.trim().trim_end_matches('/').to_owned())
        });
        // The rest of its output is read and dropped.
        std::thread::spawn(move || lines.for_each(drop));
        match host {
            Some(host) => Ok(Server { child, host }),
            None => bail!("the server printed no address"),
        }
    }

    /// The server's resident memory, in megabytes (Linux).
    fn memory(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
