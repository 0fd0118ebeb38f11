//! `fracas serve`, killed at any moment.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use ureq::Agent;

/// How often it is killed: `FRACAS_KILLS` says otherwise.
const KILLS: u32 = 50;

struct Server {
    child: Child,
    url: String,
    /// Somebody reads what it says for as long as it runs.
    _output: BufReader<ChildStdout>,
}

fn serve(data: &Path) -> Server {
    begun(
        Command::new(env!("CARGO_BIN_EXE_fracas"))
            .args(["serve", "--no-limits", "--listen", "127.0.0.1:0", "--data"])
            .arg(data),
    )
}

/// Starts a server and reads where it is.
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
        .timeout_global(Some(Duration::from_secs(10)))
        .build();
    Agent::new_with_config(config)
}

/// Sends a form; the status and where it leads, where there is an answer.
fn post(agent: &Agent, url: &str, path: &str, fields: &[(&str, &str)]) -> Option<(u16, String)> {
    let request =
        agent.post(format!("{url}{path}")).header("origin", url).header("accept", "application/json");
    let answer = request.send_form(fields.iter().copied()).ok()?;
    let to = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or_default();
    Some((answer.status().as_u16(), to.to_owned()))
}

#[test]
fn killed_at_any_moment_it_keeps_what_it_acknowledged_and_doubles_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let rounds = std::env::var("FRACAS_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS);
    let agent = agent();
    let mut server = serve(data.path());
    // The machine plays every seat meanwhile, so that the log is written from two sides.
    let bots = [("bot", "gm"), ("bot", "player-1"), ("bot", "player-2"), ("bot", "player-3")];
    let encounter = "/open/judge-two/salt-gate";
    let (status, table) = post(&agent, &server.url, encounter, &bots).expect("a table");
    assert_eq!(status, 303);
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..rounds {
        let killed = Arc::new(AtomicBool::new(false));
        let writer = {
            let (killed, agent, url, path) =
                (killed.clone(), agent.clone(), server.url.clone(), format!("{table}/note"));
            thread::spawn(move || {
                let mut done = Vec::new();
                for n in 0.. {
                    let text = format!("word-{round}-{n}-end");
                    let fields = [("text", text.as_str()), ("key", text.as_str())];
                    match post(&agent, &url, &path, &fields) {
                        Some((200, _)) => done.push(text),
                        Some((status, to)) => panic!("{status} {to} for {text}"),
                        None if killed.load(Ordering::SeqCst) => return (done, text),
                        None => {}
                    }
                }
                unreachable!("it is killed some time")
            })
        };
        thread::sleep(Duration::from_millis(20 + u64::from(round * 37 % 180)));
        killed.store(true, Ordering::SeqCst);
        server.child.kill().expect("it is killed");
        server.child.wait().expect("it has ended");
        let (done, unsure) = writer.join().expect("the writer ends");
        acknowledged.extend(done);
        server = serve(data.path());
        // What was under way is sent again under its key, thrice: it is done once.
        for _ in 0..3 {
            let again =
                post(&agent, &server.url, &format!("{table}/note"), &[("text", &unsure), ("key", &unsure)]);
            assert_eq!(again.map(|(status, _)| status), Some(200), "round {round}");
        }
        acknowledged.push(unsure);
    }
    let mut answer = agent.get(format!("{}{table}/log", server.url)).call().expect("the log");
    let log = answer.body_mut().with_config().limit(1 << 30).read_to_string().expect("text");
    for text in &acknowledged {
        assert_eq!(log.matches(&format!("{text}\"")).count(), 1, "{text} of {} notes", acknowledged.len());
    }
    // The log as a file is one that plays again to the same end.
    let file = data.path().join("kept.fracas");
    std::fs::write(&file, &log).expect("a file");
    let verified =
        Command::new(env!("CARGO_BIN_EXE_fracas")).arg("verify").arg(&file).output().expect("it runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
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
    let (code, told) = run(&["--listen", "127.0.0.1:0", "--data", &folder]);
    assert_eq!(code, Some(2));
    assert!(told.contains("another Fracas keeps its tables here"), "{told}");
    let taken = server.url.trim_start_matches("http://").to_owned();
    let other = tempfile::tempdir().expect("a folder");
    let (code, told) = run(&["--listen", &taken, "--data", &other.path().display().to_string()]);
    assert_eq!(code, Some(2));
    assert!(told.contains(&taken), "{told}");
    // Without a verb the environment is read with the same care.
    let out =
        Command::new(env!("CARGO_BIN_EXE_fracas")).env("FRACAS_LISTEN", "nowhere").output().expect("it runs");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("nowhere"));
    let (code, told) = run(&["--base-url", "play.example.org"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("--base-url"), "{told}");
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
    let (code, told) = back_up(&data, &file);
    assert!(code == Some(2) && told.contains("no tables are kept there"), "{told}");
    let mut server = serve(&data);
    let gm = agent();
    let (_, table) = post(&gm, &server.url, "/open/judge-two/salt-gate", &[]).expect("an answer");
    let note = |text: &str| {
        let told = post(&gm, &server.url, &format!("{table}/note"), &[("text", text), ("to", "all")]);
        assert_eq!(told.map(|(status, _)| status), Some(200));
    };
    note("before the backup");
    let (code, told) = back_up(&data, &file);
    assert_eq!(code, Some(0), "{told}");
    note("after the backup");
    let (code, told) = back_up(&data, &file);
    assert!(code == Some(2) && told.contains("already"), "{told}");
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

/// What a disk that is full does is what a limit on the size of files does.
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
    // It can still be looked at.
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
