//! Playing through a pipe, on whatever encounter comes first.

mod common;

use common::{Desk, Numbers, Talk, ran};

/// Answers that fit most asks: the first listed, many times over.
fn ones(n: usize) -> String {
    "1\n".repeat(n)
}

/// Answers given by somebody, and not by themselves, that still stand.
fn answers(desk: &Desk, log: &str) -> usize {
    let told = desk.run(&format!("replay {log} --as gm --format json"), "").ends(0).json();
    let lines = told["lines"].as_array().expect("lines");
    let given = |l: &&serde_json::Value| {
        l["what"] == "answer" && l.get("auto").is_none() && l.get("struck").is_none()
    };
    lines.iter().filter(given).count()
}

#[test]
fn a_piped_session_plays_stops_and_goes_on() {
    let desk = Desk::new();
    let first = desk.run("play --seed 4 --log a.fracas", ones(12)).ends(0);
    let first = first.says("kept. Go on with:").says("fracas play --resume a.fracas");
    assert!(first.err.is_empty(), "{}", first.err);
    assert!(answers(&desk, "a.fracas") >= 10);
    desk.run("verify a.fracas", "").ends(0).says("Sound");
    let before = answers(&desk, "a.fracas");
    desk.run("play --resume a.fracas", ones(3)).ends(0).says("So far:");
    assert!(answers(&desk, "a.fracas") > before);
    desk.run("verify a.fracas", "").ends(0).says("Sound");
}

#[test]
fn without_a_verb_it_plays() {
    let desk = Desk::new();
    desk.run("", ones(2)).ends(0).says("fracas play --resume");
    let kept = std::fs::read_dir(desk.path().join(".local/share/fracas")).expect("a data folder");
    assert_eq!(kept.count(), 1);
}

#[test]
fn the_same_seed_plays_the_same_evening() {
    let desk = Desk::new();
    for log in ["a", "b"] {
        desk.run(&format!("play --bot all=random --seed 7 --max-answers 40 --log {log}.fracas"), "").ends(0);
    }
    let hash = |log| desk.run(&format!("verify {log} --format json"), "").ends(0).json()["hash"].clone();
    assert_eq!(hash("a.fracas"), hash("b.fracas"));
    desk.run("play --bot all=random --seed 8 --max-answers 40 --log c.fracas", "").ends(0);
    assert_ne!(hash("a.fracas"), hash("c.fracas"));
}

#[test]
fn bots_of_either_kind_play_alone() {
    let desk = Desk::new();
    desk.run("play --bot all=greedy --seed 2 --max-answers 15 --log g.fracas --story g.md", "").ends(0);
    let story = std::fs::read_to_string(desk.path().join("g.md")).expect("a story");
    assert!(story.starts_with("# "), "{story}");
    assert_eq!(story, desk.run("story g.fracas", "").ends(0).out);
}

#[test]
fn what_people_say_stands_in_the_story() {
    let desk = Desk::new();
    let typed =
        "1 : so it begins\n: the bell tolls\nsay a *star* falls\n\"Hold!\" she cries\nnote mine alone\n";
    desk.run("play --seed 1 --log s.fracas", typed).ends(0);
    let story = desk.run("story s.fracas", "").ends(0);
    let story = story.says("the bell tolls").says(r"a \*star\* falls").says("\"Hold!\" she cries");
    assert!(!story.out.contains("mine alone"));
    // What is said beside an answer is as public as the answer.
    desk.run("story s.fracas --as gm", "").ends(0).says("mine alone").says("so it begins");
}

#[test]
fn undo_takes_back_what_somebody_said_last() {
    let desk = Desk::new();
    desk.run("play --seed 1 --log u.fracas", ones(4)).ends(0);
    let before = answers(&desk, "u.fracas");
    desk.run("play --resume u.fracas", "undo\nlog\n").ends(0);
    assert_eq!(answers(&desk, "u.fracas"), before - 1);
    // The same answer again meets the same dice.
    desk.run("play --resume u.fracas", "1\n").ends(0);
    desk.run("verify u.fracas", "").ends(0);
}

#[test]
fn dice_may_be_real() {
    let desk = Desk::new();
    // What is no number is no face; whatever is asked, one of these answers it.
    let mut talk = Talk::start(desk.command("play --seed 1 --dice typed --log d.fracas"));
    let mut typed = 0;
    for _ in 0..60 {
        let Some(shown) = talk.prompt() else { break };
        let prompt = shown.rsplit('\n').next().unwrap_or_default();
        match prompt.trim_end_matches("> ").split_once('d').and_then(|(n, _)| n.parse::<usize>().ok()) {
            Some(dice) => {
                talk.type_in(&vec!["2"; dice].join(" "));
                typed += 1;
            }
            None => talk.type_in("1"),
        }
    }
    talk.kill();
    assert!(typed > 0, "no dice were asked for in sixty answers");
    desk.run("verify d.fracas", "").ends(0);
    desk.run("replay d.fracas --as gm", "").ends(0).says("(typed)");
}

#[test]
fn a_refused_line_matters_only_when_strict() {
    let desk = Desk::new();
    desk.run("play --seed 1 --log a.fracas", "999\nnonsense words\n{\"no\":1}\n1\n").ends(0).says("No: ");
    desk.run("play --seed 1 --log b.fracas --strict", "999\n1\n")
        .ends(1)
        .says("No: ")
        .says("--resume b.fracas");
    assert_eq!(answers(&desk, "b.fracas"), 0, "nothing after the refused line");
}

#[test]
fn every_command_answers() {
    let desk = Desk::new();
    let typed = "help\nlook\nlook as gm\nlook nobody-at-all\nwhy\nwhy 1\nwhy answer 1\nwhy zzzzzz\nlog\nlog 3\nlog x\nstory\n\
        seats\nall\nback\nwait\nstanding\nstanding 99\nfiat\nfiat help\nfiat {}\nfiat nonsense\nundo\nundo 999\nundo x\n\
        dice typed\ndice thrown\ndice loaded\nsave copy.fracas\nsave copy.fracas\n@gm\n@nobody 1\n@99 1\n@gm look\n\
        whisper gm psst\nwhisper nobody psst\nwhisper\nnote\nsay\n\"open\n{\"open\n\u{1b}[31m\n1\nquit\n1\n";
    let told = desk.run("play --seed 3 --log c.fracas", typed).ends(0);
    assert!(!told.out.contains('\u{1b}'), "nothing typed commands the terminal");
    desk.run("verify copy.fracas", "").ends(0);
    desk.run("verify c.fracas", "").ends(0);
}

#[test]
fn a_handover_keeps_seats_apart() {
    let desk = Desk::new();
    let told = desk.run("play --seed 3 --handover --log h.fracas", ones(20)).ends(0);
    assert!(told.out.contains("----"), "a rule between seats");
    desk.run("verify h.fracas", "").ends(0);
}

#[test]
fn nothing_is_wider_than_eighty_columns_or_coloured() {
    let desk = Desk::new();
    let typed = format!("help\nlook\nall\nwhy\n{}log\nseats\nstanding\n", ones(30));
    let runs = [
        ("play --seed 3 --log w.fracas", typed.as_str()),
        ("play --list", ""),
        ("rulebook list", ""),
        ("rulebook search the", ""),
        ("replay w.fracas --as gm", ""),
        ("verify w.fracas", ""),
        ("--help", ""),
        ("play --help", ""),
    ];
    for (args, typed) in runs {
        let told = desk.run(args, typed).ends(0);
        for line in told.out.lines() {
            assert!(line.chars().count() <= 80, "{args}: {} columns: {line}", line.chars().count());
        }
        assert!(!told.out.contains('\u{1b}'), "{args}: colour in a pipe");
    }
}

#[test]
fn colour_is_forced_and_forbidden_by_the_usual_names() {
    let desk = Desk::new();
    let coloured = |name: &str| {
        let mut command = desk.command("play --list");
        command.env(name, "1");
        ran(command, "").ends(0).out.contains('\u{1b}')
    };
    assert!(coloured("CLICOLOR_FORCE"));
    assert!(!coloured("NO_COLOR"));
}

#[test]
fn a_reader_may_leave_early() {
    let desk = Desk::new();
    for args in
        ["rulebook list", "rulebook list --format json", "play --bot all=random --seed 1 --log p.fracas"]
    {
        let mut child = desk.command(args).spawn().expect("the program");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0), "{args}");
        assert!(output.stderr.is_empty(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn killed_at_any_moment_it_has_kept_what_it_acknowledged() {
    let desk = Desk::new();
    let mut numbers = Numbers(20);
    let mut acknowledged = 0;
    desk.run("play --seed 9 --log k.fracas", "").ends(0);
    for round in 0..20 {
        let mut talk = Talk::start(desk.command("play --resume k.fracas"));
        talk.prompt().expect("a first prompt");
        for _ in 0..numbers.below(6) {
            talk.type_in("1");
            let shown = talk.prompt().expect("a prompt after an answer");
            // A refusal is no answer, and neither is a step down a menu.
            acknowledged += usize::from(!shown.contains("No: ") && !shown.contains("(back goes up)"));
        }
        // One more is on its way, or written, or half written.
        talk.type_in("1");
        std::thread::sleep(std::time::Duration::from_micros(numbers.below(3000)));
        talk.kill();
        let kept = answers(&desk, "k.fracas");
        assert!(kept >= acknowledged, "round {round}: {kept} kept of {acknowledged} acknowledged");
        assert!(kept <= acknowledged + 1, "round {round}: {kept} kept of {acknowledged} and one on its way");
        acknowledged = kept;
        desk.run("verify k.fracas", "").ends(0);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    let desk = Desk::new();
    let mut talk = Talk::start(desk.command("play --seed 9 --log i.fracas"));
    talk.prompt().expect("a first prompt");
    talk.interrupt().ends(0).says("fracas play --resume i.fracas");
    desk.run("verify i.fracas", "").ends(0);
}

#[test]
fn a_table_is_open_only_once() {
    let desk = Desk::new();
    let mut talk = Talk::start(desk.command("play --seed 1 --log a.fracas"));
    talk.prompt().expect("a first prompt");
    desk.run("play --resume a.fracas", "").ends(2).warns("another Fracas has this table open");
    talk.kill();
}
