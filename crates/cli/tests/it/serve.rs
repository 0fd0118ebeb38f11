//! `fracas serve`: killed at random moments, and its other verbs and limits.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{collections::BTreeMap, path::Path, thread};
use ureq::Agent;

/// How often the server is killed, unless `FRACAS_KILLS` is set.
const KILLS: u32 = 50;

struct Server {
    child: Child,
    url: String,
    /// Kept open so that the server can print.
    _output: BufReader<ChildStdout>,
}

fn serve(data: &Path) -> Server {
    begun(
        Command::new(env!("CARGO_BIN_EXE_fracas"))
            .args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"])
            .arg(data),
    )
}

/// Starts a server and reads its address.
fn begun(command: &mut Command) -> Server {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    output.read_line(&mut first).expect("a line");
    let url = first.trim().strip_prefix("Fracas is at ").expect("where it is").to_owned();
    Server { child, url, _output: output }
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        // A killed server leaves no connection to reuse.
        .max_idle_age(Duration::from_millis(500))
        .timeout_global(Some(Duration::from_secs(10)))
        .build();
    Agent::new_with_config(config)
}

/// Sends a form. Gives the status and the redirect, if there is a response.
fn post(agent: &Agent, url: &str, path: &str, fields: &[(&str, &str)]) -> Option<(u16, String)> {
    let request =
        agent.post(format!("{url}{path}")).header("origin", url).header("accept", "application/json");
    let answer = request.send_form(fields.iter().copied()).ok()?;
    let to = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or_default();
    Some((answer.status().as_u16(), to.to_owned()))
}

/// A table whose players use tokens.
struct Evening {
    table: String,
    people: Vec<Person>,
}

/// A person in a seat.
#[derive(Clone)]
struct Person {
    agent: Agent,
    role: &'static str,
    token: String,
}

/// A request: path, body and the person's name for it.
#[derive(Clone, Debug)]
struct Said {
    path: String,
    body: Value,
    mark: String,
}

/// What a person did until the server was killed.
#[derive(Default)]
struct Played {
    acknowledged: Vec<String>,
    answers: usize,
    refused: Vec<String>,
    /// Requests without a response.
    unsure: Option<Said>,
}

impl Person {
    fn get(&self, url: &str, path: &str) -> Option<Value> {
        let request = self.agent.get(format!("{url}/api/v1{path}"));
        let mut answer = request.header("authorization", format!("Bearer {}", self.token)).call().ok()?;
        serde_json::from_str(&answer.body_mut().read_to_string().ok()?).ok()
    }

    /// Sends a request under its name. Gives the status and body, if there is a response.
    fn send(&self, url: &str, said: &Said) -> Option<(u16, Value)> {
        let request = self.agent.post(format!("{url}/api/v1{}", said.path));
        let request = request
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", self.token))
            .header("idempotency-key", &said.mark);
        let mut answer = request.send(said.body.to_string()).ok()?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().read_to_string().ok()?;
        Some((status, serde_json::from_str(&body).unwrap_or_default()))
    }

    /// The next request, for the present state of the table.
    fn next(&self, now: &Value, table: &str, mark: &str, n: usize) -> Option<Said> {
        let asks = now["asks"].as_array()?;
        // Every third request is a note, which is always allowed.
        let talks = Said {
            path: format!("/tables/{table}/note"),
            body: json!({ "text": mark }),
            mark: mark.to_owned(),
        };
        if n % 3 == 2 {
            return Some(talks);
        }
        for ask in asks.iter().filter(|ask| ask["mine"] == true) {
            let answers = ask["answers"].as_array()?;
            let Some(answer) = answers.get(n * 7 % answers.len().max(1)) else { continue };
            return Some(Said {
                path: format!("/tables/{table}/answer"),
                body: json!({ "ask": ask["ask"], "answer": answer["answer"], "text": mark }),
                mark: mark.to_owned(),
            });
        }
        let roll = &now["roll"];
        (roll["may_throw"] == true).then(|| Said {
            path: format!("/tables/{table}/throw"),
            body: json!({ "roll": roll["roll"] }),
            mark: mark.to_owned(),
        })
    }

    /// Plays until the server is killed.
    fn play(&self, url: &str, table: &str, round: u32, killed: &AtomicBool) -> Played {
        let mut played = Played::default();
        for n in 0.. {
            let mark = format!("said-{round}-{}-{n}-end", self.role);
            let Some(now) = self.get(url, &format!("/tables/{table}")) else {
                if killed.load(Ordering::SeqCst) {
                    return played;
                }
                continue;
            };
            let Some(said) = self.next(&now, table, &mark, n) else {
                if killed.load(Ordering::SeqCst) {
                    return played;
                }
                thread::sleep(Duration::from_millis(2));
                continue;
            };
            let response = self.send(url, &said);
            match response.map(|(status, body)| (status, said.body["text"].is_string(), body)) {
                Some((200, true, _)) => {
                    played.answers += usize::from(said.path.ends_with("/answer"));
                    played.acknowledged.push(mark);
                }
                Some((200, false, _)) => {}
                // Another person was quicker, or the request is refused.
                Some((409 | 422, ..)) => played.refused.push(mark),
                Some((status, _, body)) => panic!("{status} {body} for {said:?}"),
                None => {
                    played.unsure = Some(said);
                    return played;
                }
            }
        }
        unreachable!("it is killed some time")
    }
}

impl Evening {
    fn open(agent: &Agent, url: &str, bots: &[&str]) -> Evening {
        let nobody = Person { agent: agent.clone(), role: "", token: String::new() };
        let wanted = json!({ "system": "judge-two", "encounter": "salt-gate", "bots": bots });
        let said =
            |path: &str, body: Value, mark: &str| Said { path: path.to_owned(), body, mark: mark.to_owned() };
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        let name = format!("an-evening-to-be-killed-{}", OPENED.fetch_add(1, Ordering::SeqCst));
        let (status, made) = nobody.send(url, &said("/tables", wanted, &name)).expect("a table");
        assert_eq!(status, 201, "{made}");
        let text = |made: &Value, field: &str| made[field].as_str().expect("a text").to_owned();
        let table = text(&made, "table");
        let gm = Person { role: "gm", token: text(&made, "token"), ..nobody };
        let mut people = vec![gm.clone()];
        for role in ["player-1", "player-2", "player-3"] {
            let wish =
                said(&format!("/tables/{table}/passes"), json!({ "kind": "play", "role": role }), role);
            let (status, made) = gm.send(url, &wish).expect("a token");
            assert_eq!(status, 201, "{made}");
            people.push(Person { role, token: text(&made, "token"), ..gm.clone() });
        }
        Evening { table, people }
    }

    fn log(&self, url: &str) -> String {
        let gm = &self.people[0];
        let request = gm.agent.get(format!("{url}/api/v1/tables/{}/log", self.table));
        let mut answer =
            request.header("authorization", format!("Bearer {}", gm.token)).call().expect("the log");
        answer.body_mut().with_config().limit(1 << 30).read_to_string().expect("text")
    }

    fn is_over(&self, url: &str) -> bool {
        let now = self.people[0].get(url, &format!("/tables/{}", self.table)).expect("the table");
        now["asks"].as_array().is_none_or(Vec::is_empty) && now["roll"].is_null()
    }
}

#[test]
fn killed_at_any_moment_it_keeps_what_it_acknowledged_and_doubles_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let rounds = std::env::var("FRACAS_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS);
    let agent = agent();
    let mut server = serve(data.path());
    let mut evenings = vec![Evening::open(&agent, &server.url, &[])];
    // A second table is played by bots alone.
    let machines = Evening::open(&agent, &server.url, &["gm", "player-1", "player-2", "player-3"]);
    let (mut acknowledged, mut refused) = (Vec::new(), Vec::new());
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unsure = [0, 0];
    for round in 0..rounds {
        let (killed, evening) = (AtomicBool::new(false), evenings.last().expect("one"));
        let url = server.url.clone();
        let played: Vec<Played> = thread::scope(|scope| {
            let people: Vec<_> = evening
                .people
                .iter()
                .map(|person| scope.spawn(|| person.play(&url, &evening.table, round, &killed)))
                .collect();
            thread::sleep(Duration::from_millis(40 + u64::from(round * 37 % 360)));
            killed.store(true, Ordering::SeqCst);
            server.child.kill().expect("it is killed");
            server.child.wait().expect("it has ended");
            people.into_iter().map(|person| person.join().expect("they end")).collect()
        });
        server = serve(data.path());
        for (person, played) in evening.people.iter().zip(played) {
            *answers.entry(person.role).or_default() += played.answers;
            acknowledged.extend(played.acknowledged);
            refused.extend(played.refused);
            let Some(said) = played.unsure else { continue };
            // A request without a response is sent again three times under its name. It is carried out
            // once, or refused because the moment it was for has passed.
            let responses: Vec<_> =
                (0..3).map(|_| person.send(&server.url, &said).expect("an answer")).collect();
            let done = responses[0].0 == 200;
            assert!(
                responses.iter().all(|(status, _)| (*status == 200) == done),
                "round {round}: {responses:?}"
            );
            assert!(done || responses[0].0 == 409, "round {round}: {responses:?}");
            assert!(!done || responses[1].1["before"] == true, "round {round}: {responses:?}");
            unsure[usize::from(done)] += 1;
            if said.body["text"].is_string() {
                if done { &mut acknowledged } else { &mut refused }.push(said.mark);
            }
        }
        if evening.is_over(&server.url) {
            evenings.push(Evening::open(&agent, &server.url, &[]));
        }
        // Bots play on only while somebody looks at the table.
        machines.is_over(&server.url);
    }
    evenings.push(machines);
    let logs: Vec<String> = evenings.iter().map(|evening| evening.log(&server.url)).collect();
    let count = |mark: &str| logs.iter().map(|log| log.matches(&format!("{mark}\"")).count()).sum::<usize>();
    for mark in &acknowledged {
        assert_eq!(count(mark), 1, "{mark} was acknowledged");
    }
    for mark in &refused {
        assert_eq!(count(mark), 0, "{mark} was refused");
    }
    println!(
        "{rounds} kills: {answers:?} answers, {} acknowledged with what was said, {} refused; under way {} times, done {} of them; {} tables",
        acknowledged.len(),
        refused.len(),
        unsure[0] + unsure[1],
        unsure[1],
        evenings.len()
    );
    assert!(answers.len() == 4 && answers.values().all(|n| *n > 0), "each in their seat: {answers:?}");
    // Usually far more; on a busy machine people have less time between two kills.
    assert!(answers.values().sum::<usize>() >= rounds as usize / 2, "{answers:?}");
    // The exported logs can be verified.
    for (n, log) in logs.iter().enumerate() {
        let file = data.path().join(format!("kept-{n}.fracas"));
        std::fs::write(&file, log).expect("a file");
        let verified =
            Command::new(env!("CARGO_BIN_EXE_fracas")).arg("verify").arg(&file).output().expect("it runs");
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    }
    server.child.kill().expect("it is killed");
    server.child.wait().expect("it has ended");
}

#[test]
fn without_a_verb_it_serves() {
    let data = tempfile::tempdir().expect("a folder");
    let mut server = begun(
        Command::new(env!("CARGO_BIN_EXE_fracas"))
            .env("FRACAS_LISTEN", "127.0.0.1:0")
            .env("FRACAS_DATA", data.path()),
    );
    let mut front = agent().get(&server.url).call().expect("an answer");
    assert!(front.body_mut().read_to_string().expect("a page").contains("Open a table"));
    server.child.kill().expect("it is killed");
    server.child.wait().expect("it has ended");
}

#[test]
fn one_folder_has_one_server_and_faults_are_told() {
    let data = tempfile::tempdir().expect("a folder");
    let mut server = serve(data.path());
    let run = |args: &[&str]| {
        let out =
            Command::new(env!("CARGO_BIN_EXE_fracas")).arg("serve").args(args).output().expect("it runs");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let folder = data.path().display().to_string();
    let (code, output) = run(&["--listen", "127.0.0.1:0", "--data", &folder]);
    assert_eq!(code, Some(2));
    assert!(output.contains("another Fracas keeps its tables here"), "{output}");
    let taken = server.url.trim_start_matches("http://").to_owned();
    let other = tempfile::tempdir().expect("a folder");
    let (code, output) = run(&["--listen", &taken, "--data", &other.path().display().to_string()]);
    assert_eq!(code, Some(2));
    assert!(output.contains(&taken), "{output}");
    // Without a verb, options from the environment are checked too.
    let out =
        Command::new(env!("CARGO_BIN_EXE_fracas")).env("FRACAS_LISTEN", "nowhere").output().expect("it runs");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("nowhere"));
    let (code, output) = run(&["--base-url", "play.example.org"]);
    assert_eq!(code, Some(2));
    assert!(output.contains("--base-url"), "{output}");
    server.child.kill().expect("it is killed");
    server.child.wait().expect("it has ended");
}

#[test]
fn a_backup_made_while_people_play_is_the_table_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, file) = (folder.path().join("data"), folder.path().join("evening.db"));
    let back_up = |data: &Path, file: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
        let done = command.arg("backup").arg(file).arg("--data").arg(data).output().expect("it starts");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, output) = back_up(&data, &file);
    assert!(code == Some(2) && output.contains("no tables are kept there"), "{output}");
    let mut server = serve(&data);
    let gm = agent();
    let (_, table) = post(&gm, &server.url, "/open/judge-two/salt-gate", &[]).expect("an answer");
    let note = |text: &str| {
        let response = post(&gm, &server.url, &format!("{table}/note"), &[("text", text), ("to", "all")]);
        assert_eq!(response.map(|(status, _)| status), Some(200));
    };
    note("before the backup");
    let (code, output) = back_up(&data, &file);
    assert_eq!(code, Some(0), "{output}");
    note("after the backup");
    let (code, output) = back_up(&data, &file);
    assert!(code == Some(2) && output.contains("already"), "{output}");
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");

    let restored = folder.path().join("restored");
    std::fs::create_dir(&restored).expect("a folder");
    std::fs::rename(&file, restored.join("fracas.db")).expect("one file is all");
    let mut server = serve(&restored);
    let page = gm.get(format!("{}{table}", server.url)).call().expect("an answer");
    let page = page.into_body().read_to_string().expect("text");
    assert!(page.contains("before the backup") && !page.contains("after the backup"), "{page}");
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
}

#[cfg(unix)]
#[test]
fn a_lost_log_of_changes_is_reported_and_a_clean_end_leaves_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, log) = (folder.path().join("data"), folder.path().join("data/fracas.db-wal"));
    let mut server = serve(&data);
    let gm = agent();
    let (_, table) = post(&gm, &server.url, "/open/judge-two/salt-gate", &[]).expect("an answer");
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
    // A person deletes the database's log of changes.
    let kept = std::fs::read(&log).expect("a log");
    std::fs::remove_file(&log).expect("removed");
    let begin = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
        command.args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"]).arg(&data).args(more);
        command
    };
    for _ in 0..2 {
        let out = begin(&[]).output().expect("it runs");
        let output = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{output}");
        assert!(output.contains("fracas.db-wal is gone") && output.contains("--accept-loss"), "{output}");
    }
    // The log of changes is restored: nothing is lost.
    std::fs::write(&log, kept).expect("put back");
    let mut server = begun(&mut begin(&[]));
    let there =
        |server: &Server| gm.get(format!("{}{table}", server.url)).call().expect("an answer").status();
    assert_eq!(there(&server), 200);
    // After a clean end, all is in one file.
    let ended = Command::new("kill").arg(server.child.id().to_string()).status().expect("it runs");
    assert!(ended.success() && server.child.wait().expect("it ends").success());
    assert!(!log.exists());
    let mut server = begun(&mut begin(&[]));
    assert_eq!(there(&server), 200);
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
    // With `--accept-loss` the server starts with what is left.
    std::fs::remove_file(&log).expect("removed");
    assert!(!begin(&[]).output().expect("it runs").status.success());
    let mut server = begun(&mut begin(&["--accept-loss"]));
    assert_eq!(there(&server), 200, "what was in the file is there");
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
    let mut server = begun(&mut begin(&[]));
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
}

/// A limit on the size of files acts like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_what_is_refused_has_not_happened_and_what_is_accepted_stays() {
    let data = tempfile::tempdir().expect("a folder");
    let limited =
        r#"trap '' XFSZ; ulimit -f 3000; exec "$0" serve --no-limits --listen 127.0.0.1:0 --data "$1""#;
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_fracas")]).arg(data.path()).stderr(Stdio::null());
    let mut server = begun(&mut command);
    let gm = agent();
    let (_, table) = post(&gm, &server.url, "/open/judge-two/salt-gate", &[]).expect("an answer");
    let long = "so much to say ".repeat(500);
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for n in 0..600 {
        let mark = format!("note-{n}-");
        let text = format!("{mark} {long}");
        let fields = [("text", text.as_str()), ("to", "all")];
        match post(&gm, &server.url, &format!("{table}/note"), &fields) {
            Some((200, _)) => accepted.push(mark),
            Some((503, _)) => refused.push(mark),
            other => panic!("{other:?}"),
        }
        if refused.len() == 3 {
            break;
        }
    }
    assert_eq!(refused.len(), 3, "{} were accepted", accepted.len());
    // The table can still be read.
    let page = gm.get(format!("{}{table}", server.url)).call().expect("an answer");
    assert_eq!(page.status(), 200);
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");

    let mut server = serve(data.path());
    let fields = [("text", "there is room again"), ("to", "all")];
    let noted = post(&gm, &server.url, &format!("{table}/note"), &fields);
    assert_eq!(noted.map(|(status, _)| status), Some(200));
    let story = gm.get(format!("{}{table}/story.md", server.url)).call().expect("an answer");
    let story = story.into_body().read_to_string().expect("text").replace('\\', "");
    for mark in &accepted {
        assert_eq!(story.matches(mark).count(), 1, "{mark}");
    }
    for mark in &refused {
        assert!(!story.contains(mark), "{mark} was refused");
    }
    assert!(story.contains("there is room again"));
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
}

/// A log that takes long to replay: it is rewound again and again.
#[cfg(unix)]
fn long_log() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut play = Command::new(env!("CARGO_BIN_EXE_fracas"));
    play.args(["play", "--bot", "all=random", "--seed", "5", "--max-answers", "25", "--log", "short.fracas"]);
    let played = play.current_dir(folder.path()).stdin(Stdio::null()).output().expect("it runs");
    assert!(played.status.success(), "{played:?}");
    let mut log = std::fs::read_to_string(folder.path().join("short.fracas")).expect("a log");
    let lines = log.lines().count();
    for seq in lines..lines + 4_000 {
        log.push_str(&format!("{{\"seq\":{seq},\"rewind\":{{\"to\":{},\"by\":\"gm\"}}}}\n", lines - 1));
    }
    fracas_table::chain::renewed(&log)
}

#[cfg(unix)]
#[test]
fn asked_to_end_it_ends_in_seconds_whatever_runs_and_keeps_what_it_acknowledged() {
    let data = tempfile::tempdir().expect("a folder");
    let mut server = serve(data.path());
    let (url, agent) = (server.url.clone(), agent());
    let (status, page) = post(&agent, &url, "/open/judge-two/salt-gate", &[]).expect("an answer");
    assert_eq!(status, 303);
    // A table is imported and texts are checked; each takes longer than the shutdown waits.
    let busy = |path: &'static str, kind: &'static str, body: String| {
        let url = format!("{url}/api/v1{path}");
        thread::spawn(move || {
            let agent = Agent::new_with_config(Agent::config_builder().http_status_as_error(false).build());
            let response = agent.post(url).header("content-type", kind).send(body);
            response.map_or(0, |response| response.status().as_u16())
        })
    };
    let taken = busy("/tables/taken", "application/x-ndjson", long_log());
    let foes: String = (0..1_000).map(|n| format!("[[foe]]\nname = \"Foe {n}\"\npl = 3\n")).collect();
    let check = json!({ "toml": foes, "with": [foes, foes, foes, foes] }).to_string();
    let checks: Vec<_> =
        (0..6).map(|_| busy("/systems/judge-two/check", "application/json", check.clone())).collect();
    let mut stream = agent.get(format!("{url}{page}/stream")).config().timeout_global(None).build();
    stream = stream.header("accept", "text/event-stream");
    let stream = stream.call().expect("a stream");
    // Another import waits once the long log is being replayed.
    let soon = Agent::config_builder().http_status_as_error(false);
    let soon = Agent::new_with_config(soon.timeout_global(Some(Duration::from_millis(500))).build());
    let another = || {
        let asked = soon.post(format!("{url}/api/v1/tables/taken"));
        asked.header("content-type", "application/x-ndjson").send("x")
    };
    while another().is_ok() {
        assert!(!taken.is_finished(), "it was answered before anybody waited");
    }
    for n in 0..5 {
        let text = format!("said-{n}-end");
        let note = post(&agent, &url, &format!("{page}/note"), &[("text", &text)]).expect("an answer");
        assert_eq!(note.0, 200, "others go on meanwhile");
    }
    assert!(!taken.is_finished(), "it took too little time to show anything");
    let begun = Instant::now();
    let asked = Command::new("kill").arg(server.child.id().to_string()).status().expect("it is asked to end");
    assert!(asked.success());
    let status = server.child.wait().expect("it ends");
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    assert!(status.success(), "{status}");
    assert_ne!(taken.join().expect("no panic"), 201, "it was taken in");
    checks.into_iter().for_each(|check| drop(check.join()));
    drop(stream);
    let mut server = serve(data.path());
    let mut log = agent.get(format!("{}{page}/log", server.url)).call().expect("an answer");
    let log = log.body_mut().read_to_string().expect("text");
    assert!((0..5).all(|n| log.contains(&format!("said-{n}-end"))), "{log}");
    let front = agent.get(&server.url).call().expect("an answer").body_mut().read_to_string();
    assert_eq!(front.expect("text").matches("href=\"/t/").count(), 1, "nothing of the other is there");
    server.child.kill().expect("it ran");
    server.child.wait().expect("it ran");
}

#[test]
fn guesses_and_refusals_are_told_to_those_who_host_in_few_lines_without_secrets() {
    let data = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
    let mut server = begun(command.env_remove("FRACAS_LOG").stderr(Stdio::piped()));
    let (url, agent) = (server.url.clone(), agent());
    let secret = "canary7f3a".repeat(4)[..32].to_owned();
    let wrong = format!("Bearer {secret}");
    for _ in 0..200 {
        let asked = agent.get(format!("{url}/api/v1/tables/x")).header("authorization", &wrong);
        assert!(matches!(asked.call().expect("an answer").status().as_u16(), 401 | 429));
    }
    for _ in 0..10 {
        let joined = agent.get(format!("{url}/join/{secret}")).call().expect("an answer");
        assert!(matches!(joined.status().as_u16(), 404 | 429));
    }
    let foreign = agent.get(&url).header("host", "evil.example").call().expect("an answer");
    assert_eq!(foreign.status(), 421);
    server.child.kill().expect("it ran");
    let mut output = String::new();
    let mut errors = server.child.stderr.take().expect("its errors");
    std::io::Read::read_to_string(&mut errors, &mut output).expect("text");
    server.child.wait().expect("it ran");
    let lines: Vec<&str> = output.lines().filter(|line| line.contains("fracas::security")).collect();
    assert!((3..20).contains(&lines.len()), "{output}");
    for (kind, route) in
        [("Token", "/api/v1/tables/{table}"), ("TooOften", "/join/{secret}"), ("Host", "\"/\"")]
    {
        let is = |line: &&&str| line.contains(kind) && line.contains(route) && line.contains("127.0.0.1");
        assert!(lines.iter().any(|line| is(&line)), "{kind} {route}: {output}");
    }
    assert!(!output.contains("canary"), "{output}");
}
