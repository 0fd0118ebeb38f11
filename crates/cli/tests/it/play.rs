//! Playing through a pipe.

use crate::common::{Desk, Numbers, Talk, ran};

/// Answers that fit most asks: the first listed, repeated.
fn ones(n: usize) -> String {
    "1\n".repeat(n)
}

/// Answers in force that a seat gave, without automatic ones.
fn answers(desk: &Desk, log: &str) -> usize {
    let replay = desk.run(&format!("replay {log} --as gm --format json"), "").ends(0).json();
    let lines = replay["lines"].as_array().expect("lines");
    let given = |l: &&serde_json::Value| {
        l["what"] == "answer" && l.get("auto").is_none() && l.get("struck").is_none()
    };
    lines.iter().filter(given).count()
}

#[test]
fn a_piped_session_plays_stops_and_goes_on() {
    let desk = Desk::new();
    let first = desk.run("play --seed 4 --log a.fracas", ones(16)).ends(0);
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
fn without_an_encounter_it_asks_for_none_in_a_pipe() {
    let desk = Desk::new();
    desk.run("play", ones(2)).ends(0).says("fracas play --resume");
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
fn spoken_text_is_in_the_story() {
    let desk = Desk::new();
    let typed =
        "1 : so it begins\n: the bell tolls\nsay a *star* falls\n\"Hold!\" she cries\nnote mine alone\n";
    desk.run("play --seed 1 --log s.fracas", typed).ends(0);
    let story = desk.run("story s.fracas", "").ends(0);
    let story = story.says("the bell tolls").says("a *star* falls").says("\"Hold!\" she cries");
    assert!(!story.out.contains("mine alone"));
    // Text with an answer is as public as the answer.
    desk.run("story s.fracas --as gm", "").ends(0).says("mine alone").says("so it begins");
}

#[test]
fn undo_takes_back_what_somebody_said_last() {
    let desk = Desk::new();
    desk.run("play --seed 1 --log u.fracas", ones(3)).ends(0);
    let before = answers(&desk, "u.fracas");
    desk.run("play --resume u.fracas", "undo\nlog\n").ends(0);
    assert_eq!(answers(&desk, "u.fracas"), before - 1);
    // The same answer leads to the same dice.
    desk.run("play --resume u.fracas", "1\n").ends(0);
    desk.run("verify u.fracas", "").ends(0);
}

#[test]
fn undo_passes_over_what_was_only_told_again() {
    let desk = Desk::new();
    desk.write(
        "widow.toml",
        r#"
game = "afraid"
title = "The widow"
[[player]]
name = "Ana"
[[character]]
name = "Ada"
player = "Ana"
stats = { acuity = 2 }
[[npc]]
name = "The widow"
tie = "monster"
stats = { acuity = 3 }
[[npc.fact]]
id = "table"
text = "She sets the table for two."
"#,
    );
    let typed = "@gm \"move\"\n@gm {\"reveal\":\"@table\"}\n@gm undo\n@gm undo\n@gm undo\n";
    let run = desk.run("play widow.toml --bot none --log w.fracas", typed).ends(0);
    // The fact was said and stays known; the move before it is taken back, and then nothing is left.
    run.says("Taken back:").says("there is nothing to take back");
    desk.run("verify w.fracas", "").ends(0);
}

#[test]
fn dice_may_be_real() {
    let desk = Desk::new();
    // Text is not a face. One of these lines answers any ask.
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
    desk.run("verify d.fracas", "").ends(0).says("typed in by people");
    let found = desk.run("verify d.fracas --format json", "").ends(0).json();
    assert!(found["typed"].as_u64() > Some(0) && found["typed"] == found["rolls"], "{found}");
    desk.run("replay d.fracas --as gm", "").ends(0).says("(typed)");
}

#[test]
fn typed_dice_are_typed_again_after_a_rewind() {
    let desk = Desk::new();
    let mut talk = Talk::start(desk.command("play salt-gate --seed 1 --dice typed --log d.fracas"));
    let mut shown = String::new();
    for _ in 0..20 {
        shown = talk.prompt().expect("a prompt");
        if shown.ends_with("2d6> ") {
            break;
        }
        talk.type_in("1");
    }
    assert!(shown.contains("type the faces") && !shown.contains("before"), "{shown}");
    let mut say = |line: &str| {
        talk.type_in(line);
        talk.prompt().expect("a prompt")
    };
    assert!(say("hello").contains("the dice come first"), "no word of the dice");
    say("6 1");
    let shown = say("@gm undo");
    let folded = shown.replace('\n', " ");
    assert!(folded.contains("as they were typed before: 6, 1") && shown.ends_with("2d6> "), "{shown}");
    assert!(say("5 1").contains("5, 1"), "what is typed now holds");
    say("@gm undo");
    assert!(say("").contains("5, 1"), "Enter leaves it");
    talk.kill();
    desk.run("verify d.fracas", "").ends(0);
    // A resumed session keeps how dice are thrown, until `--dice` changes it.
    desk.run("play --resume d.fracas", "").ends(0).says("You throw the dice").says("--dice typed");
    desk.run("play --resume d.fracas", "dice thrown\n").ends(0).says("From here on the machine throws");
    let run = desk.run("play --resume d.fracas", "").ends(0);
    assert!(!run.out.contains("You throw the dice"), "{}", run.out);
    let run = desk.run("play --resume d.fracas --dice typed", "").ends(0);
    run.says("You throw the dice");
}

#[test]
fn the_machine_as_gamemaster_plays_before_it_ends_the_evening() {
    let desk = Desk::new();
    let run = desk.run("play the-back-room --bot all=greedy --seed 1 --log a.fracas", "").ends(0);
    let run = run.says("gives Cal Arkle").says("The conflict is over").says("The evening ends.");
    assert!(run.out.contains("rolls to begin"), "nothing was played:\n{}", run.out);
}

#[test]
fn looking_begins_with_an_overview() {
    let desk = Desk::new();
    let typed = "@gm look\n@gm look all\n@gm fiat help\nlog\n";
    let run = desk.run("play the-back-room --seed 1 --log a.fracas", typed).ends(0);
    let parts: Vec<&str> = run.out.split("gm> ").collect();
    let [_, around, all, fiats, ..] = parts[..] else { panic!("{}", run.out) };
    assert!(around.starts_with("@gm look\n") && around.contains("look NAME shows one"), "{around}");
    assert!(around.contains("Winifred Pell") && around.lines().count() < 20, "{around}");
    assert!(all.starts_with("@gm look all") && all.lines().count() > 60, "{all}");
    assert!(fiats.contains("@cal-arkle") && !fiats.contains("@briefing"), "{fiats}");
}

#[test]
fn numbers_mean_what_stands_on_the_screen() {
    let desk = Desk::new();
    // Ana is asked who goes next. The gamemaster looks, and Ana answers by number.
    let typed = "@gm look\n@gm fiat help\n@gm undo\n1\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    assert_eq!(answers(&desk, "a.fracas"), 1);
    let first = run.out.find("\nana> @gm look").expect("Ana's menu");
    assert!(!run.out[first..].contains("gm> 1"), "{}", run.out);
    desk.run("replay a.fracas", "").ends(0).says("Tamsin takes the turn.");
}

#[test]
fn the_end_of_a_game_shows_how_to_go_on() {
    let desk = Desk::new();
    let run = desk.run("play the-back-room --seed 1 --log a.fracas", "@gm the evening ends\nstory\n").ends(0);
    run.says("It is over.").says("story a.fracas").says("play ENCOUNTER --from a.fracas");
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
        @gm undo\n@gm fiat {}\njson\njson 1\njson 99\njson x\nstanding off 1\nstanding on nothing at all\n\
        whisper gm psst\nwhisper nobody psst\nwhisper\nnote\nsay\n\"open\n{\"open\n\u{1b}[31m\n1\nquit\n1\n";
    let run = desk.run("play --seed 3 --log c.fracas", typed).ends(0);
    assert!(!run.out.contains('\u{1b}'), "nothing typed commands the terminal");
    desk.run("verify copy.fracas", "").ends(0);
    desk.run("verify c.fracas", "").ends(0);
}

#[test]
fn a_handover_keeps_seats_apart() {
    let desk = Desk::new();
    let run = desk.run("play --seed 3 --handover --log h.fracas", ones(20)).ends(0);
    assert!(run.out.contains("----"), "a rule between seats");
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
        let run = desk.run(args, typed).ends(0);
        for line in run.out.lines() {
            assert!(line.chars().count() <= 80, "{args}: {} columns: {line}", line.chars().count());
        }
        assert!(!run.out.contains('\u{1b}'), "{args}: colour in a pipe");
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
            // Refusals and steps within a menu are not answers.
            acknowledged += usize::from(!shown.contains("No: ") && !shown.contains("(back goes up)"));
        }
        // One more answer may be on its way, written or half written.
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

/// The text between the first prompt and the end.
fn opening(output: &str) -> &str {
    output.split_once("> ").map_or(output, |(before, _)| before)
}

#[test]
fn the_way_on_is_a_command_that_works() {
    let desk = Desk::new();
    desk.write("Cargo.toml", "");
    let built = desk.path().join("target/release/fracas");
    std::fs::create_dir_all(built.parent().expect("a folder")).expect("folders");
    std::fs::copy(env!("CARGO_BIN_EXE_fracas"), &built).expect("a copy");
    let run = |folder: &std::path::Path, log: &str| {
        let mut command = std::process::Command::new(&built);
        command.args(["play", "--seed", "1", "--log", log]).current_dir(folder);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::piped()).env("HOME", desk.path());
        command.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
        ran(command, "1\n").ends(0)
    };
    run(desk.path(), "a.fracas").says("  cargo run --release -- play --resume a.fracas\n");
    // In another folder cargo would not find the program.
    let away = Desk::new();
    run(away.path(), "b.fracas").says(&format!("  {} play --resume b.fracas\n", built.display()));
}

#[test]
fn going_on_knows_whom_the_machine_played() {
    let desk = Desk::new();
    desk.run("play --seed 4 --bot gm=greedy --log a.fracas", ones(3)).ends(0);
    let run = desk.run("play --resume a.fracas", ones(1)).ends(0);
    let run = run.says("The Quiet Hour").says("answers kept.").says("round: ");
    let run = run.says("played by the machine (greedy)").says("--bot gm=greedy");
    assert!(run.out.find("kept.").expect("told") < run.out.find("> ").expect("a prompt"));
    // A change of seats is kept.
    let run = desk.run("play --resume a.fracas --bot none", "").ends(0);
    assert!(!run.out.contains("machine"), "{}", run.out);
    let run = desk.run("play --resume a.fracas", "").ends(0);
    assert!(!run.out.contains("machine"), "{}", run.out);
    // Without the file beside the log, or with a broken one, nothing is lost.
    desk.run("play --resume a.fracas --bot gm=random", "").ends(0);
    for broken in ["", "[1]", "{\"gm\":\"clever\",\"nobody\":\"greedy\"}"] {
        desk.write("a.fracas.seats.json", broken);
        let run = desk.run("play --resume a.fracas", "").ends(0);
        assert!(!run.out.contains("machine"), "{}", run.out);
    }
}

#[test]
fn the_opening_is_short() {
    let desk = Desk::new();
    let run = desk.run("play salt-gate --seed 1 --log a.fracas", "look\n").ends(0);
    let before = opening(&run.out);
    assert!(before.contains("It is night at the salt gate"), "{before}");
    assert!(before.contains("risk 0/12") && before.contains("look shows the sheets"), "{before}");
    assert!(!before.contains("strength:"), "{before}");
    assert!(before.lines().count() <= 28, "much more than a screen:\n{before}");
    run.says("strength: strength 2, arm 2");
}

#[test]
fn a_player_takes_back_only_their_own() {
    let desk = Desk::new();
    let start = "play salt-gate --seed 4 --log";
    // Ana has taken the turn, and nobody else has acted.
    let run = desk.run(&format!("{start} a.fracas"), "1\nundo\n").ends(0);
    run.says("Taken back:\n   1x Tamsin takes the turn.").says("Ana takes an answer back.");
    assert_eq!(answers(&desk, "a.fracas"), 0);
    // The gamemaster has answered since.
    let run = desk.run(&format!("{start} b.fracas"), "1\ndeed something\n2\nundo\nundo 2\n").ends(0);
    run.says("@gm undo goes back as the gamemaster").says("(@gm undo 2)");
    assert_eq!(answers(&desk, "b.fracas"), 3);
    desk.run("play --resume b.fracas", "@gm undo\n").ends(0).says("Gamemaster goes back");
    assert_eq!(answers(&desk, "b.fracas"), 2);
    // Also if the machine is the gamemaster.
    let run = desk.run(&format!("{start} c.fracas --bot gm=greedy"), "1\npass\nundo\n@gm undo\n").ends(0);
    run.says("Gamemaster goes back");
    desk.run("verify c.fracas", "").ends(0);
}

#[test]
fn only_the_gamemaster_overrules() {
    let fiat = r#"{"risk":{"who":"@tamsin","risk":4}}"#;
    for bots in ["", " --bot gm=greedy"] {
        let desk = Desk::new();
        let args = format!("play salt-gate --seed 4 --log a.fracas{bots}");
        let run = desk.run(&args, format!("fiat {fiat}\n@gm fiat {fiat}\n")).ends(0);
        let run = run.says("only the gamemaster overrules: @gm fiat");
        assert_eq!(run.out.matches("The gamemaster overrules.").count(), 1, "{}", run.out);
    }
}

#[test]
fn standing_replies_are_words() {
    let desk = Desk::new();
    let typed = "standing\nstanding never guard\nstanding never-guard-from 4\nstanding\nstanding off never-guard\n\
        standing nonsense\nlog\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("(for the gamemaster)").says("Noted for Ana: never guard.").says("(4)");
    let run = run.says("No longer for Ana: never guard").says("there is no standing reply");
    let run = run.says("Ana stands by never-guard-from 4");
    assert!(!run.out.contains("{\"never-guard-from"), "{}", run.out);
    desk.run("verify a.fracas", "").ends(0);
    // Replies for the gamemaster cannot be set by players.
    let typed = "standing agree\n@gm standing agree\nstanding confirm\n";
    let run = desk.run("play salt-gate --seed 4 --log b.fracas", typed).ends(0);
    let run = run.says("No: the gamemaster settles attacks").says("nobody else can stand by that (@gm");
    run.says("Noted for Gamemaster").says("No: the gamemaster confirms deeds");
}

#[test]
fn no_number_is_left_out() {
    let desk = Desk::new();
    let typed = format!("{}log 500\n@gm undo 3\nlog 500\n", ones(25));
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let numbers = |output: &str| -> Vec<u64> {
        let number = |line: &str| line.get(..4).and_then(|n| n.trim().parse().ok());
        output.lines().filter(|line| line.chars().nth(5) == Some(' ')).filter_map(number).collect()
    };
    let log =
        numbers(run.out.split("log 500").nth(1).and_then(|log| log.split("@gm undo").next()).expect("a log"));
    assert!(
        log.len() > 8 && log.iter().zip(1..).all(|(n, expected)| *n == expected),
        "{log:?} in {}",
        run.out
    );
    run.says("Gamemaster goes back to line 3.");
    let log = numbers(&desk.run("replay a.fracas --as gm", "").ends(0).out);
    assert!(log.iter().zip(1..).all(|(n, expected)| *n == expected), "{log:?}");
}

#[test]
fn listed_answers_are_shown_as_json() {
    let desk = Desk::new();
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", "json\njson 2\njson 40\n").ends(0);
    let run = run.says("No: json takes the number");
    let json: Vec<&str> = run.out.lines().filter(|line| line.contains("\"@oren\"")).collect();
    assert_eq!(json.len(), 2, "{}", run.out);
    // The JSON that is shown is accepted as an answer.
    let answer = json[0].trim_start_matches(|c| c != '{' && c != '"').to_owned();
    desk.run("play salt-gate --seed 4 --log b.fracas", format!("{answer}\n")).ends(0).says("Oren takes");
}

#[test]
fn every_answer_has_a_reason() {
    let desk = Desk::new();
    let typed = "why answer 1\n1\nwhy answer 1\nwhy answer 99\nwhy 99\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("there is no answer 99").says("there is no line 99");
    assert!(!run.out.contains("no rule stands behind"), "{}", run.out);
}

#[test]
fn notes_say_for_whom_they_are() {
    let desk = Desk::new();
    let typed = "note hm\nwhisper bo run\nwhisper gm really\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    run.says("hm (a note to oneself)").says("run (to Bo)").says("really (to the gamemaster)");
    // The story of a screen that several read is everybody's; behind a handover it is the seat's.
    let story = |more: &str| {
        let typed = format!("whisper bo run\n: all hear this\n@gm{more}story\n");
        let handover = if more == "\n" { " --handover" } else { "" };
        let log = format!("s{}.fracas", handover.len());
        let run = desk.run(&format!("play salt-gate --seed 4 --log {log}{handover}"), typed).ends(0);
        run.out.split("story\n").nth(1).expect("a story").to_owned()
    };
    let (shared, alone) = (story(" "), story("\n"));
    assert!(shared.contains("all hear this") && !shared.contains("run"), "{shared}");
    assert!(alone.contains("run"), "{alone}");
}

#[test]
fn dice_are_told_once() {
    let desk = Desk::new();
    desk.run("play salt-gate --bot all=random --seed 3 --max-answers 60 --log a.fracas", "").ends(0);
    let run = desk.run("replay a.fracas --as gm", "").ends(0).says(" rolls");
    let lines: Vec<&str> = run.out.lines().collect();
    for two in lines.windows(2) {
        assert!(!(two[0].contains(" throws ") && two[1].contains(" rolls")), "{two:?}");
    }
}

#[test]
fn long_lists_say_how_to_narrow_them_every_time() {
    let desk = Desk::new();
    let typed = "1\nattack\nback\nattack\nback\nattack\nback\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("attack: 36 ways").says("attack: whom? (back goes up)");
    assert!(run.out.matches("Type a number or words, such as ").count() >= 4, "{}", run.out);
}

#[test]
fn an_answer_is_composed_part_by_part_or_in_one_line() {
    let desk = Desk::new();
    let played = |log: &str, typed: &str| {
        let run = desk.run(&format!("play salt-gate --seed 4 --log {log}"), format!("1\n{typed}\n")).ends(0);
        assert!(!run.out.contains("No: "), "{}", run.out);
        let replay = desk.run(&format!("replay {log} --as gm --format json"), "").ends(0).json();
        (run, replay["lines"].as_array().expect("lines").last().expect("a line").to_string())
    };
    let (stepwise, answered) = played("a.fracas", "attack\nadan\narm\n1");
    stepwise.says("attack: whom?").says("attack, Levy Adan: with what");
    let (at_once, answered_at_once) = played("b.fracas", "attack adan arm\n1");
    assert!(at_once.out.matches("(back goes up)").count() == 1, "{}", at_once.out);
    assert_eq!(answered, answered_at_once);
    assert!(answered.contains("attacks"), "{answered}");
    // What does not tell answers apart yet narrows the list.
    let (run, _) = played("c.fracas", "adan");
    run.says("adan: with what?");
    let (run, _) = played("d.fracas", "attack adan river");
    assert!(!run.out.contains("(back goes up)"), "{}", run.out);
}

#[test]
fn a_handover_names_who_is_next() {
    let desk = Desk::new();
    let run = desk.run("play salt-gate --seed 4 --handover --log a.fracas", ones(4)).ends(0);
    let (before, _) = run.out.split_once("Next: Gamemaster.").expect("named");
    assert!(before.contains("Ana"));
    let after = run.out.split_once("Next: Gamemaster.\n").expect("named").1;
    assert!(after.starts_with("----"), "named before it is hidden: {after}");
}

#[test]
fn a_finished_table_is_there_to_read() {
    let desk = Desk::new();
    for seed in 1..8 {
        let args =
            format!("play salt-gate --bot all=random --seed {seed} --max-answers 3000 --log {seed}.fracas");
        let run = desk.run(&args, "");
        if run.out.contains("It is over.") {
            let run = run.ends(0).says(&format!("fracas story {seed}.fracas"));
            assert!(!run.out.contains("Go on with"));
            let run = desk.run(&format!("play --resume {seed}.fracas --bot none"), "").ends(0);
            run.says(&format!("fracas story {seed}.fracas"));
            return;
        }
    }
    panic!("no game came to its end");
}

#[test]
fn the_gamemaster_answers_for_who_is_absent() {
    let desk = Desk::new();
    let typed = "absent Bo\nseats\n@bo\n1 : Oren says nothing\nlog\nback bo\nabsent gm\nabsent zed\nabsent\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("Bo is absent: the gamemaster answers for Bo until back Bo.");
    let run = run.says("absent: the gamemaster answers").says("gm-for-bo> ");
    let run = run.says("Gamemaster: Oren says nothing (gamemaster for Bo)").says("Bo is here and answers.");
    let run = run.says("nobody stands in for the gamemaster").says("nobody here is called \"zed\"");
    run.says("absent NAME");
    let lines = desk.run("replay a.fracas --as spectator --format json", "").ends(0).json();
    let by_gm = |l: &&serde_json::Value| l["by_gm"] == true && l["seat"] == "player-2";
    assert_eq!(lines["lines"].as_array().expect("lines").iter().filter(by_gm).count(), 1, "{lines}");
    desk.run("replay a.fracas", "").ends(0).says("(gamemaster for Bo)");
    desk.run("story a.fracas", "")
        .ends(0)
        .says("The gamemaster for Bo: Tamsin takes the turn.")
        .says("\nOren says nothing\n");
    desk.run("verify a.fracas", "").ends(0).says("Sound");
}

#[test]
fn for_somebody_this_once() {
    let desk = Desk::new();
    let typed = "for Bo: 2 : he goes\nlog\nfor nobody at all\nfor gm: 1\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("Gamemaster: he goes (gamemaster for Bo)").says("no answer here reads");
    assert!(!run.out.contains("absent"), "only this once: {}", run.out);
    let run = desk.run("play salt-gate --seed 4 --log b.fracas", "for Bo\nfor cyr\n\n1\n").ends(0);
    let run = run.says("gm-for-bo> ").says("gm-for-cyr> ");
    assert!(run.out.contains("\nana> 1") || run.out.contains("\ncyr> 1"), "{}", run.out);
    assert!(!run.out.contains("(gamemaster for"), "{}", run.out);
}

#[test]
fn absent_players_stay_absent_after_a_resume() {
    let desk = Desk::new();
    desk.run("play salt-gate --seed 4 --absent bo --log a.fracas", "1\n").ends(0).says("--absent player-2");
    desk.run("play --resume a.fracas", "seats\n").ends(0).says("(absent: the gamemaster answers)");
    desk.run("play --resume a.fracas", "back bo\n").ends(0);
    let run = desk.run("play --resume a.fracas", "absent oren\n").ends(0);
    assert!(!run.out.split("absent oren").next().expect("before").contains("(absent"), "{}", run.out);
    let run = desk.run("play --resume a.fracas --absent none", "seats\n").ends(0);
    assert!(!run.out.contains("absent"), "{}", run.out);
    desk.run("play salt-gate --bot gm=greedy --absent bo --log b.fracas", "")
        .ends(2)
        .warns("--bot player-2=greedy");
    desk.run("play salt-gate --absent zed --log b.fracas", "").ends(2).warns("nobody here is called");
    let run =
        desk.run("play salt-gate --bot gm=greedy --seed 1 --log c.fracas", "absent bo\nfor bo: 1\n").ends(0);
    assert_eq!(run.out.matches("the machine is the gamemaster").count(), 2, "{}", run.out);
}

#[test]
fn behind_a_handover_only_the_gamemaster_stands_in() {
    let desk = Desk::new();
    let typed = "absent bo\nfor bo: 1\nabsent ana\n1\n@gm\nabsent bo\n";
    let run = desk.run("play salt-gate --seed 4 --handover --log a.fracas", typed).ends(0);
    let run = run.says("hand over with @gm, then absent bo").says("hand over with @gm, then for bo: 1");
    run.says("Ana is absent").says("Bo is absent");
    desk.run("verify a.fracas", "").ends(0);
}

#[test]
fn behind_a_handover_a_hidden_name_is_answered_as_one_that_nothing_has() {
    let desk = Desk::new();
    let output_for = |name: &str| {
        let typed = "@NAME\n@NAM\nNAME\nlook NAME\nfor NAME: 1\nabsent NAME\nseats\nasks\nfiat help\nquit\n";
        let log = format!("{name}.fracas");
        let args = format!("play the-reed-ambush --seed 4 --handover --log {log}");
        let run = desk.run(&args, typed.replace("NAME", name).replace("NAM", &name[..3])).ends(0);
        let run = run.says("fiat help").says("Gamemaster (may): to say what happens in the scene");
        assert!(!run.out.to_lowercase().contains("bowman"), "{}", run.out);
        run.out.replace(name, "NAME").replace(&name[..3], "NAM")
    };
    assert_eq!(output_for("north-bow"), output_for("eorth-cow"));
}

#[test]
fn the_gamemaster_throws_dice_for_an_absent_player() {
    let desk = Desk::new();
    let mut talk = Talk::start(desk.command(
        "play salt-gate --seed 1 --dice typed --absent ana --absent bo --absent cyr --log d.fracas",
    ));
    let mut asked = String::new();
    for _ in 0..60 {
        let Some(shown) = talk.prompt() else { break };
        if shown.contains("type the faces") {
            asked = shown;
            break;
        }
        talk.type_in("1");
    }
    talk.kill();
    assert!(asked.contains("Gamemaster, for "), "{asked}");
}

#[test]
fn a_new_player_gets_a_seat() {
    let desk = Desk::new();
    let join = r#"@gm fiat {"join":{"player":"Dee","name":"Vera","faith":2,"attributes":{"arm":2}}}"#;
    let again = r#"@gm fiat {"join":{"player":"Ana","name":"Tamar"}}"#;
    let dead = r#"@gm fiat {"fate":{"who":"@tamsin","fate":"dead"}}"#;
    let typed = format!("{join}\n@dee vera\nseats\n{dead}\n{again}\nseats\nlook as dee\n");
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("Dee (Vera) sits at this keyboard: @dee.").says("@dee").says("Ana (Tamsin, Tamar)");
    assert!(!run.out.contains("No: "), "{}", run.out);
    desk.run("verify a.fracas", "").ends(0).says("Sound");
    desk.run("replay a.fracas --as dee", "").ends(0);
    desk.run("story a.fracas", "").ends(0).says("Ana as Tamsin and Tamar").says("Dee as Vera");
    desk.run("play --resume a.fracas --bot dee=greedy", "seats\n").ends(0).says("(the machine)");
    desk.run("play --resume a.fracas --bot none --absent dee", "seats\n").ends(0).says("(absent");
    // The living are carried, with the replacement; the dead are not.
    let carried = desk.run("carry a.fracas", "").ends(0).says("name = \"Vera\"").says("name = \"Tamar\"");
    carried.says("[[fallen]]\nname = \"Tamsin\"");
}

#[test]
fn the_path_of_the_log_is_shown_first_and_the_log_found_again() {
    let desk = Desk::new();
    desk.run("play --resume", "").ends(2).warns("no session is kept in");
    desk.run("sessions", "").ends(0).says("No session is kept in");
    desk.run("play salt-gate --seed 4", "1\n").ends(0);
    let first = desk.run("play salt-gate --seed 5 --bot gm=greedy --dice typed", "1\n").ends(0);
    let file = desk.path().join(".local/share/fracas/salt-gate-5.fracas");
    assert_eq!(first.out.lines().next(), Some(format!("Kept in {}", file.display()).as_str()));
    // Resumes the latest session with the same seats and dice, without a question.
    let again =
        desk.run("play --resume", "").ends(0).says("played by the machine").says("You throw the dice");
    assert_eq!(again.out.lines().next(), first.out.lines().next());
    let listed = desk.run("sessions", "").ends(0).says("The Salt Gate (judge-two)").says("just now");
    let at = |file: &str| listed.out.find(file).expect("listed");
    assert!(at("salt-gate-5.fracas") < at("salt-gate-4.fracas"), "{}", listed.out);
    let run = desk.run("sessions --format json", "").ends(0).json();
    assert_eq!((run.as_array().map(Vec::len), &run[0]["title"]), (Some(2), &"The Salt Gate".into()));
    assert_eq!(desk.run("sessions --system afraid --format json", "").ends(0).json(), serde_json::json!([]));
}

#[cfg(unix)]
#[test]
fn logs_and_their_folder_are_their_owners() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let folder = desk.path().join(".local/share/fracas");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("ours");
    desk.run("play salt-gate --seed 4", "1\n").ends(0);
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("salt-gate-4.fracas"))), (0o700, 0o600));
}

#[test]
fn a_shared_screen_shows_nothing_of_the_gamemasters() {
    let desk = Desk::new();
    let typed = "look as gm\nfiat help\n@gm look\n@gm fiat help\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let (before, after) = run.out.split_once("> @gm look\n").expect("typed");
    assert!(before.contains("is not for players"), "{before}");
    assert!(
        before.contains("that is the gamemaster's: @gm fiat help") && !before.contains("@gatewarden"),
        "{before}"
    );
    assert!(after.contains("@gatewarden"), "{after}");
    assert!(!before.contains("Briefing") && after.contains("Briefing"), "{}", run.out);
    // A resumed session keeps whether the screen is cleared between seats.
    let run = desk
        .run("play salt-gate --seed 4 --bot ana=random --bot bo=random --bot cyr=random --log b.fracas", "");
    assert!(run.ends(0).out.contains("Briefing"));
}

#[test]
fn help_is_short_and_says_what_this_game_takes() {
    let desk = Desk::new();
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", "1\nhelp\nhelp all\nquit\n").ends(0);
    let parts: Vec<&str> = run.out.split("> help").collect();
    let [_, short, all] = parts[..] else { panic!("{}", run.out) };
    assert!(short.lines().count() <= 14 && short.contains("3, attack gatewarden arm  "), "{short}");
    assert!(all.contains("@gm fiat risk ...") && all.lines().count() > 30, "{all}");
    let run = desk.run("play the-back-room --seed 1 --log b.fracas", "help all\n").ends(0);
    assert!(!run.out.contains("attack") && !run.out.contains("fiat risk"), "{}", run.out);
}

#[test]
fn open_asks_go_by_the_names_of_seats() {
    let desk = Desk::new();
    let typed = "1\n@gm\n@ana\nlog\nlook ana\nlook nobody\nfoo bar baz\n:\n";
    let run = desk.run("play salt-gate --seed 4 --log a.fracas", typed).ends(0);
    let run = run.says("Also open:\n  @gm Gamemaster (may)").says("Also open: @gm\n");
    let run = run.says("No: you see nothing here called \"nobody\"").says("No: nothing is said");
    let of_ana = run.out.split("look ana\n").nth(1).and_then(|rest| rest.split("ana> ").next());
    assert!(of_ana.is_some_and(|card| card.contains("Tamsin") && !card.contains("Oren")), "{of_ana:?}");
    assert!(!run.out.contains("Near to it"), "{}", run.out);
}

#[test]
fn the_way_on_is_short_for_the_latest_session() {
    let desk = Desk::new();
    let run = desk.run("play salt-gate --seed 4 --bot gm", "log\n1\n").ends(0);
    let run = run.says("Nothing has happened yet.").says("played by the machine (greedy)");
    run.says("1 answer kept. Go on with:\n").says(" play --resume\n");
    let run = desk.run("play --resume", "pass\n").ends(0);
    run.says(" answers kept, 2 of them yours. Go on with:\n");
}

#[test]
fn waiting_is_remembered() {
    let desk = Desk::new();
    desk.run("play the-price-of-lamps --seed 4 --bot gm --log a.fracas", "wait\n").ends(0);
    desk.run("play --resume a.fracas", "wait off\n").ends(0).says("as before; wait off asks you again");
    let run = desk.run("play --resume a.fracas", "").ends(0);
    assert!(!run.out.contains("as before"), "{}", run.out);
}

#[test]
fn handing_over_is_remembered() {
    let desk = Desk::new();
    desk.run("play salt-gate --seed 4 --handover --log a.fracas", "1\n").ends(0);
    desk.run("play --resume a.fracas", "deed something\n").ends(0).says("Next: ").says("----");
    let run = desk.run("play --resume a.fracas --handover=no", "1\n").ends(0);
    assert!(!run.out.contains("----"), "{}", run.out);
    let run = desk.run("play --resume a.fracas", "1\n").ends(0);
    assert!(!run.out.contains("----"), "{}", run.out);
}

#[test]
fn chances_stand_beside_what_leads_to_dice() {
    let desk = Desk::new();
    let typed = "attack levy\n1\nodds\nodds 1\nodds 99\nodds x\n1\n";
    let run =
        desk.run("play salt-gate --seed 4 --bot gm=greedy --log a.fracas", format!("1\n{typed}")).ends(0);
    let (listed, rest) = run.out.split_once("> odds\n").expect("typed");
    assert!(listed.contains("%") && listed.contains("Chances: if it goes"), "{listed}");
    let (all, rest) = rest.split_once("> odds 1\n").expect("typed");
    let (single, rest) = rest.split_once("> odds 99\n").expect("typed");
    assert!(
        all.matches('%').count() > single.matches('%').count() && single.contains('%'),
        "{all}\n{single}"
    );
    assert_eq!(rest.matches("odds takes the number of a listed answer").count(), 2, "{rest}");
    // Odds are shown too when the machine throws.
    let run = desk.run("play salt-gate --seed 4 --log b.fracas", ones(12)).ends(0);
    let of_dice = |line: &str| line.starts_with("Chances: ") && line.contains('%');
    assert!(run.out.lines().any(of_dice), "{}", run.out);
}

#[test]
fn an_encounter_is_found_by_the_beginning_of_its_name() {
    let desk = Desk::new();
    desk.run("play salt --seed 1 --log a.fracas --system judge-two", "").ends(0).says("The Salt Gate");
    desk.run("play drowned --seed 1 --log b.fracas", "").ends(0).says("The Drowned Court");
    desk.run("play the --log c.fracas", "").ends(2).warns("which of them: ").warns("the-drowned-court");
    desk.run("play salt-gaet --log c.fracas", "").ends(2).warns("perhaps `salt-gate`");
}

#[test]
fn foes_attack_who_goes_on_acting() {
    let desk = Desk::new();
    let typed = "1\n".repeat(60);
    let run = desk.run("play the-broken-bridge --bot gm=greedy --seed 9 --log a.fracas", typed).ends(0);
    let log = desk.run("replay a.fracas --format json", "").ends(0).json();
    let by_gm = |line: &&serde_json::Value| line["seat"] == "gm" && line.to_string().contains("attacks");
    let attacks = log["lines"].as_array().expect("lines").iter().filter(by_gm).count();
    assert!(attacks >= 2, "{attacks} attacks in:\n{}", run.out);
}
