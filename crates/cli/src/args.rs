//! The command line, parsed by clap. Comments on arguments are the text of `--help`.

use clap::{Args, Parser, Subcommand, ValueEnum};
use fracas_table::Detail;
use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, str::FromStr};

const AFTER: &str = "\
Examples:
  fracas                                    serve tables to browsers on this machine
  fracas play                               sit down at a bundled encounter, right here
  fracas play --list                        what comes with it
  fracas play --bot gm=greedy               the machine is the gamemaster
  fracas play my-ambush.toml --dice typed   your encounter, your own dice
  fracas play --resume                      go on where you stopped
  fracas new character -o mine.toml         begin a character of your own
  fracas library show gatewarden            something that comes with it, to copy
  fracas check                              try your scenarios and content
  fracas rulebook search light              look a rule up
  fracas story FILE > evening.md            what happened, to read and keep
  fracas simulate salt-gate                 a thousand conflicts, and who stands
  fracas report salt-gate --out page.html   a page about an encounter for its author
  fracas play next.toml --from FILE         another evening with the same characters

Exit code: 0 done, 1 a check failed, 2 bad input, 3 not verified (verify), 130 stopped by
Ctrl-C (simulate).";

/// A table's rules, dice, secrets and story, at the terminal.
#[derive(Parser, Debug)]
#[command(name = "fracas", version, after_help = AFTER, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do; `serve` where nothing is said.
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Serve tables to browsers: a gamemaster opens one and sends each player a link.
    #[command(after_help = "\
Everything is kept in one folder. Behind a reverse proxy say --base-url, so that links
name the address people use; over https cookies are then sent over https alone.

Stopped by Ctrl-C or a termination signal: requests under way are finished, and
nothing that was accepted is ever lost, however it ends.")]
    Serve(ServeArgs),
    /// Copy everything a server keeps into one file, while it goes on.
    #[command(after_help = "\
To restore it, put the file as `fracas.db` into an empty folder and serve that:
`fracas serve --data FOLDER`.")]
    Backup(BackupArgs),
    /// Play: everybody at this terminal, or against bots.
    #[command(after_help = "\
At any prompt `help` says what can be typed. Every answer is on disk before the next
question; however a session ends, it can be resumed.

In a pipe, one line is one answer; at the end of the input the session stops and says
how to go on.

Exit code: 0 done, 1 a line was refused (with --strict), 2 bad input.")]
    Play(Box<PlayArgs>),
    /// List the sessions that are kept, the latest first.
    #[command(after_help = "\
They stand in your data folder; a session begun with --log stands where that said.
Each is gone on with by `fracas play --resume FILE`, the latest by --resume alone.")]
    Sessions(SessionsArgs),
    /// Write a template to begin a character, an encounter or anything else of your own from.
    #[command(after_help = "\
A template explains its fields, or is an example from the library to change; it
passes `fracas check` as it is. Without KIND the kinds there are are listed.
A file's first line names the schema by which editors complete it.")]
    New(NewArgs),
    /// List and print the characters, foes, gear and encounters that come with it.
    Library(LibraryArgs),
    /// Print a JSON Schema, by which an editor completes and checks what you write.
    #[command(after_help = "\
Editors that know TOML (with taplo: VS Code, Zed, Helix, Neovim) read it where a file's
first line names it, as in the files that `fracas new KIND -o FILE` writes:
  #:schema judge-two-library.schema.json")]
    Schema(SchemaArgs),
    /// Check scenarios and content.
    #[command(after_help = "\
A file with steps is a scenario: it is played. One that says its `game`, or
stands in a folder `encounters`, is an encounter: a table is set up with it.
Any other is a library: every entry of it is read as if an encounter used it.
Every fault is told with its line.

Exit code: 0 all passed, 1 one failed, 2 bad input.")]
    Check(CheckArgs),
    /// Read and search the rules; see which are shown by scenarios.
    Rulebook(RulebookArgs),
    /// Take players' characters from one evening into the next.
    #[command(after_help = "\
What is written is a library: every player's character as it is at the end of
the log, with what it holds, its risk and marks, and a line on what became of
it; the dead are listed as fallen. Lay it under the next encounter with
`fracas play ENCOUNTER --with FILE`, or carry on in one go with `fracas play
ENCOUNTER --from LOG`.

With --into what is written is that encounter with the characters in it, to be
played by itself; if it names none, all of them take part. Its comments are
not kept. Exit code: 0 done, 1 written, but with faults that have to be mended
first, 2 bad input.")]
    Carry(CarryArgs),
    /// Print a session line by line, as one seat saw it.
    Replay(LogArgs),
    /// Play a log again and see that everything comes out the same.
    #[command(after_help = "\
What is compared is every line that today's rules can run: the answer, what
everybody was shown of it, the dice, who sits there, and snapshots. Dice that
people typed in and words that they wrote can be compared with nothing; how
many there are is told. Nothing in a log proves who wrote it. Each line has a
hash that covers all before it: the last one, kept somewhere else, shows later
that nothing was changed.

Exit code: 0 sound, 1 damaged or forged, 2 no log, or one of rules that this
program does not know, 3 not verified, in part or as a whole: lines of earlier
rules cannot be run.")]
    Verify(VerifyArgs),
    /// Print a session as a story, in Markdown.
    Story(StoryArgs),
    /// Print exact chances: the answer to a question, or all that can be answered at a moment.
    #[command(after_help = "\
A system's name is followed by a question; alone it lists the questions there are.

Of a log the chances are those at its end, or with --at as they were after that line:
the number that `fracas replay LOG --as SEAT` prints before it. Of an encounter they
are those of its beginning. Chances are told as far as the
viewer may know them, for answers that lead to a roll.

With --deep every answer also stands with how often the players win after it, sampled
by conflicts that go on from there with brisk players, who know everything.

Examples:
  fracas odds afraid
  fracas odds afraid fallout 4d8+2d10
  fracas odds FILE --at 120 --as player-1
  fracas odds FILE --deep
  fracas odds FILE --at 120 --format csv")]
    Odds(OddsArgs),
    /// Play an encounter many times by itself, and print what came of it.
    #[command(after_help = "\
Policies: `random` gives any listed answer; `fair` gives none that a good player is
reluctant to give; `brisk` goes by rules of thumb; neither looks ahead; `sound` tries --work answers and throws
and gives the answer after which its side is best off, which takes some hundred times
as long as `random`.

With several values a --set is compared: conflict 17 has the same chance under each,
and differences are taken conflict by conflict. Every option of an encounter can be
set; a name that there is not is answered with those that there are.

With --out FILE.csv or FILE.ndjson each conflict is written as a row, with FILE.json
the sums alone. However it ends, the same command goes on from what is written.

Examples:
  fracas simulate salt-gate -n 10000
  fracas simulate salt-gate --set tier-downgrade=forbidden,allowed --measure won --until 2%
  fracas simulate salt-gate --policy all=sound -n 200 --keep 5 worst
  fracas simulate salt-gate -n 80000 --chunk 1/8 --out 1.json; fracas merge *.json")]
    Simulate(SimulateArgs),
    /// Add up parts of a simulation.
    Merge(MergeArgs),
    /// Write one page about an encounter for its author: who wins, how long it takes, who falls, what is never
    /// chosen, and which number matters most.
    #[command(after_help = "\
The page says with what players it was made, and what they cannot know. Of its numbers
each is changed by one, and the conflicts are compared with those without the change.

Examples:
  fracas report salt-gate
  fracas report my-ambush.toml --out my-ambush.html
  fracas report salt-gate -n 2000 --policy players=sound --out salt-gate.html")]
    Report(ReportArgs),
    /// Find where an evening turned: the players' chances after each move, and the moves that
    /// changed them most.
    #[command(after_help = "\
From each moment conflicts are played on by brisk players, with everything that is
hidden. It takes some seconds to a minute.

Example:
  fracas turns FILE --plot evening.svg")]
    Turns(TurnsArgs),
}

/// `fracas odds`.
#[derive(Args, Debug)]
pub(crate) struct OddsArgs {
    /// A system, a log (.fracas), or an encounter: a file, or the name of a bundled one.
    #[arg(value_name = "SYSTEM|LOG|ENCOUNTER")]
    pub(crate) of: String,
    /// After a system: the question and what it is about, such as `attack arm=2 cl=6 bold`.
    #[arg(value_name = "QUESTION")]
    pub(crate) question: Vec<String>,
    /// The system, where the encounter does not say it.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// As it was after this line, by the number that `fracas replay` prints for the same seat.
    #[arg(long, value_name = "LINE")]
    pub(crate) at: Option<u64>,
    /// Who looks: gm, player-1 and so on, a name, or spectator.
    #[arg(long = "as", value_name = "SEAT", default_value = "gm")]
    pub(crate) who: String,
    /// How often the players win after each answer, for the gamemaster.
    #[arg(long)]
    pub(crate) deep: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OddsFormat,
    /// Draw the answer to a question as bars, as SVG.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Replace the file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `fracas turns`.
#[derive(Args, Debug)]
pub(crate) struct TurnsArgs {
    /// A log (.fracas).
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// Conflicts that go on from each moment; four times as many around the largest changes.
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) work: u64,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Draw the curve, as SVG.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Replace the file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `fracas report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// An encounter: a file, or the name of a bundled one.
    #[arg(value_name = "ENCOUNTER")]
    pub(crate) encounter: String,
    /// The system, where the encounter does not say it.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// How many conflicts are played of the encounter as it is written.
    #[arg(short = 'n', long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) conflicts: u64,
    /// Who plays how; can be repeated [default: all=brisk]
    #[arg(long = "policy", value_name = "players|gm|all=random|fair|brisk|sound", value_delimiter = ',')]
    pub(crate) policies: Vec<String>,
    /// Answers and throws that a sound player may try before each answer.
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) work: u32,
    /// What chance comes from.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// How many threads play; the page does not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Where the page goes (.html, .md) [default: standard output, as Markdown]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// How to print odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum OddsFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For spreadsheets: a line for each result of each answer.
    Csv,
}

/// `fracas simulate`.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// An encounter: a file, or the name of a bundled one.
    #[arg(value_name = "ENCOUNTER")]
    pub(crate) encounter: String,
    /// The system, where the encounter does not say it.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// How many conflicts [default: 1000; with --until 1000000 at most]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) conflicts: Option<u64>,
    /// Who plays how; can be repeated [default: all=brisk]
    #[arg(long = "policy", value_name = "players|gm|all=random|fair|brisk|sound", value_delimiter = ',')]
    pub(crate) policies: Vec<String>,
    /// Answers and throws that a sound player may try before each answer.
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) work: u32,
    /// A setting of the encounter; several values are compared.
    #[arg(long, value_name = "SETTING=VALUE[,VALUE]")]
    pub(crate) set: Vec<String>,
    /// What to print; can be repeated [default: all there is]
    #[arg(long = "measure", value_name = "NAME")]
    pub(crate) measures: Vec<String>,
    /// Stop once the 95 % intervals of the first --measure, else of players-stand, reach no farther to
    /// either side; of a measure that is no share, so much of its mean. Looks after 1000, 2000,
    /// 4000 … conflicts.
    #[arg(long, value_name = "PERCENT", conflicts_with = "chunk")]
    pub(crate) until: Option<String>,
    /// What chance comes from.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    /// How many threads play; the results do not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Where rows go (.csv, .ndjson), or the sums (.json).
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace what is there, and begin anew where a simulation was not ended.
    #[arg(long)]
    pub(crate) force: bool,
    /// Play one part of the conflicts; `fracas merge` adds the parts up.
    #[arg(long, value_name = "K/N")]
    pub(crate) chunk: Option<String>,
    /// Keep some conflicts as logs.
    #[arg(long, action = clap::ArgAction::Set, num_args = 2, value_names = ["N", "worst|longest|differing"])]
    pub(crate) keep: Vec<String>,
    /// The folder for logs that are kept.
    #[arg(long, value_name = "FOLDER", default_value = "kept")]
    pub(crate) into: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// `fracas merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The parts: files that `fracas simulate --out FILE.json` wrote.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// What to print; can be repeated [default: all there is]
    #[arg(long = "measure", value_name = "NAME")]
    pub(crate) measures: Vec<String>,
    /// Where the whole goes.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace what is there.
    #[arg(long)]
    pub(crate) force: bool,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// `fracas serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen: an address with its port, or a port alone, as :4000; port 0
    /// takes any that is free [default: 127.0.0.1:7766; with --lan 0.0.0.0:7766]
    #[arg(long, value_name = "ADDRESS", env = "FRACAS_LISTEN")]
    pub(crate) listen: Option<Listen>,
    /// Let the local network in: friends in the room come by links and QR codes. With
    /// --listen :PORT at that port.
    #[arg(long)]
    pub(crate) lan: bool,
    /// The folder of its database; made where it is not there.
    #[arg(long, value_name = "FOLDER", env = "FRACAS_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Begin although the database has lost its log of changes, without what was in it:
    /// once, where the server says that it is gone and it cannot be found.
    #[arg(long)]
    pub(crate) accept_loss: bool,
    /// How many days its gamemaster may have a deleted table back; then it is erased.
    #[arg(long, value_name = "DAYS", env = "FRACAS_KEEP_DELETED", default_value = "7",
        value_parser = clap::value_parser!(u16).range(0..=365))]
    pub(crate) keep_deleted: u16,
    /// How it is reached from outside, such as https://play.example.org: of names it
    /// then answers to this one and localhost; without it, to those of local networks
    /// (one word, .local, .lan, .home.arpa, .internal). Addresses in figures always do.
    // Help prints this text as it stands.
    #[allow(rustdoc::bare_urls)]
    #[arg(long, value_name = "URL", env = "FRACAS_BASE_URL")]
    pub(crate) base_url: Option<String>,
    /// Behind a reverse proxy: believe its X-Forwarded-For, -Host and -Proto, so that
    /// limits count for each client, and not for the proxy.
    #[arg(long, env = "FRACAS_TRUST_PROXY")]
    pub(crate) trust_proxy: bool,
    /// The address for metrics of the server, in the format of Prometheus: at /metrics,
    /// open to everybody who reaches this address.
    #[arg(long, value_name = "ADDRESS", env = "FRACAS_METRICS")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Let everybody do everything as often as they like: to measure how much a
    /// server bears, and never on the internet.
    #[arg(long, env = "FRACAS_NO_LIMITS")]
    pub(crate) no_limits: bool,
    /// How many connections may be open at once; a tab at a table holds one.
    #[arg(long, value_name = "COUNT", env = "FRACAS_CONNECTIONS", default_value = "20000")]
    pub(crate) connections: NonZeroUsize,
    /// How many of them from one address; with --trust-proxy they are not counted.
    #[arg(long, value_name = "COUNT", env = "FRACAS_CONNECTIONS_FROM", default_value = "1000")]
    pub(crate) connections_from: NonZeroUsize,
    /// Let webhooks lead to this machine and its network too.
    #[arg(long, env = "FRACAS_WEBHOOKS_TO_PRIVATE")]
    pub(crate) webhooks_to_private: bool,
}

/// Where a server listens, as given on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listen {
    /// An address of this machine.
    At(SocketAddr),
    /// This port; the address depends on `--lan`.
    Port(u16),
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Listen, Self::Err> {
        let read = match text.strip_prefix(':') {
            Some(port) => port.parse().ok().map(Listen::Port),
            None => text.parse().ok().map(Listen::At),
        };
        read.ok_or("an address with its port, such as 127.0.0.1:4000, or a port alone, such as :4000")
    }
}

/// `fracas backup`.
#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to write; there must be none of this name.
    #[arg(value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// The folder of the server's database.
    #[arg(long, value_name = "FOLDER", env = "FRACAS_DATA")]
    pub(crate) data: Option<PathBuf>,
}

/// The command line without a verb: the options of `serve`, from the environment.
#[derive(Parser, Debug)]
pub(crate) struct Bare {
    /// The options of `serve`.
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
}

/// `fracas play`.
#[derive(Args, Debug, Default)]
pub(crate) struct PlayArgs {
    /// An encounter: a file, or the name of a bundled one.
    #[arg(value_name = "ENCOUNTER")]
    pub(crate) encounter: Option<String>,
    /// The system, where the encounter does not say it.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// A library file whose entries win over the encounter's own library; may be
    /// said several times, the first foremost.
    #[arg(long = "with", value_name = "FILE", conflicts_with = "resume")]
    pub(crate) with: Vec<PathBuf>,
    /// The log of an evening whose characters come again, as they are now.
    #[arg(long = "from", value_name = "LOG", conflicts_with = "resume")]
    pub(crate) from: Option<PathBuf>,
    /// Who the machine plays: a seat, a player's or a character's name, or `all`;
    /// `none` for nobody [default: with --resume, the seats that it played before].
    #[arg(long = "bot", value_name = "SEAT[=random|greedy]")]
    pub(crate) bots: Vec<String>,
    /// Whose player is not here, by seat or name: the gamemaster answers for them;
    /// `none` for nobody [default: with --resume, as before].
    #[arg(long = "absent", value_name = "SEAT")]
    pub(crate) absent: Vec<String>,
    /// What the dice come from, to play the same evening again.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,
    /// Who throws [default: thrown; with --resume, as before].
    #[arg(long, value_enum)]
    pub(crate) dice: Option<Dice>,
    /// Where the session is kept [default: a new file in your data folder].
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) log: Option<PathBuf>,
    /// Go on with a session; without FILE with the latest in your data folder.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["encounter", "system"])]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// With --resume: take over a session written for earlier rules.
    #[arg(long, requires = "resume")]
    pub(crate) upgrade: bool,
    /// Write the story to this file at the end, in Markdown.
    #[arg(long, value_name = "FILE")]
    pub(crate) story: Option<PathBuf>,
    /// Stop after so many answers.
    #[arg(long, value_name = "N")]
    pub(crate) max_answers: Option<u64>,
    /// Hide the table between different seats, so that each sees its own; without it
    /// you are asked where the gamemaster and players sit here; with `no` everybody reads along
    /// [default: with --resume, as before].
    #[arg(long, value_name = "yes|no", num_args = 0..=1, default_missing_value = "yes",
        require_equals = true, value_parser = yes_or_no)]
    pub(crate) handover: Option<bool>,
    /// A line that is refused ends the session with exit code 1.
    #[arg(long)]
    pub(crate) strict: bool,
    /// List the bundled encounters.
    #[arg(long)]
    pub(crate) list: bool,
}

/// Reads `yes` or `no`.
fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("yes or no"),
    }
}

/// Who throws the dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Dice {
    /// The machine throws.
    #[default]
    Thrown,
    /// You throw real dice and type the faces.
    Typed,
}

/// `fracas sessions`.
#[derive(Args, Debug)]
pub(crate) struct SessionsArgs {
    /// Only sessions of this system.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `fracas carry`.
#[derive(Args, Debug)]
pub(crate) struct CarryArgs {
    /// The log of the evening that was played.
    pub(crate) log: PathBuf,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over a file that is there.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Write this encounter (a file, or a bundled one) with the characters in it.
    #[arg(long, value_name = "ENCOUNTER")]
    pub(crate) into: Option<String>,
}

/// `fracas new`.
#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// What to begin, such as `character`, `encounter`, `boon` or `scenario`.
    #[arg(value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Of `map`: the file that a map maker exported (.dd2vtt, .uvtt, .df2vtt).
    #[arg(value_name = "MAP")]
    pub(crate) map: Option<PathBuf>,
    /// The system, where there are several.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over a file that is there.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// `fracas check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Files and folders [default: ./scenarios and ./content].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The system of content that does not say it.
    #[arg(long, value_name = "ID")]
    pub(crate) system: Option<String>,
    /// A library file that encounters draw on first, as in play; may be said
    /// several times, the first foremost. It is checked too.
    #[arg(long = "with", value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}

/// How to print what is wrong with files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people.
    #[default]
    Text,
    /// For editors: a line each, as `file:line: error: ...`.
    Short,
    /// For GitHub Actions: notes beside the lines of a change.
    Github,
    /// For programs.
    Json,
}

/// `fracas library`.
#[derive(Args, Debug)]
pub(crate) struct LibraryArgs {
    /// What of it.
    #[command(subcommand)]
    pub(crate) what: Option<LibraryVerb>,
    /// Only this system.
    #[arg(long, value_name = "ID", global = true)]
    pub(crate) system: Option<String>,
}

/// What of the library.
#[derive(Subcommand, Debug)]
pub(crate) enum LibraryVerb {
    /// Everything that comes with it, by name.
    List {
        /// Only entries of this kind, such as `foe`, or `encounter`.
        #[arg(value_name = "KIND")]
        kind: Option<String>,
        /// How to print.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// One entry or encounter as its TOML, to copy and change.
    Show {
        /// Its name, or how the name begins.
        #[arg(value_name = "NAME", required = true)]
        name: Vec<String>,
        /// Its kind, where several kinds have one of the name.
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
    },
}

/// `fracas schema`.
#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// `encounter` or `library`.
    #[arg(value_name = "KIND", value_parser = ["encounter", "library"])]
    pub(crate) kind: String,
    /// The system.
    #[arg(long, value_name = "ID")]
    pub(crate) system: String,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over a file that is there.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// `fracas rulebook`.
#[derive(Args, Debug)]
pub(crate) struct RulebookArgs {
    /// What of it.
    #[command(subcommand)]
    pub(crate) what: Option<RulebookVerb>,
    /// Only this system.
    #[arg(long, value_name = "ID", global = true)]
    pub(crate) system: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub(crate) format: Format,
}

/// What of the rulebook.
#[derive(Subcommand, Debug)]
pub(crate) enum RulebookVerb {
    /// Every entry, chapter by chapter.
    List {
        /// Only chapters whose name holds this.
        #[arg(long, value_name = "WORDS")]
        chapter: Option<String>,
    },
    /// One entry in full.
    Show {
        /// Its id.
        id: String,
    },
    /// Entries that hold all of these words, best first.
    #[command(
        after_help = "Exit code: 0 something was found, 1 nothing was (0 with --format json), 2 bad input."
    )]
    Search {
        /// The words.
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Which rules are shown by scenarios.
    #[command(after_help = "\
Runs the scenarios. Exit code: 0 done, 1 a scenario failed, or a system or a chapter
that claims to be complete is not, 2 bad input.")]
    Coverage {
        /// Where the scenarios are.
        #[arg(long, value_name = "DIR", default_value = "scenarios")]
        scenarios: PathBuf,
    },
}

/// `fracas replay`.
#[derive(Args, Debug)]
pub(crate) struct LogArgs {
    /// The log.
    pub(crate) log: PathBuf,
    /// Who looks: gm, player-1 and so on, a name, or spectator.
    #[arg(long = "as", value_name = "SEAT", default_value = "spectator")]
    pub(crate) who: String,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `fracas story`.
#[derive(Args, Debug)]
pub(crate) struct StoryArgs {
    /// The log.
    pub(crate) log: PathBuf,
    /// Who looks: gm, player-1 and so on, a name, or spectator.
    #[arg(long = "as", value_name = "SEAT", default_value = "spectator")]
    pub(crate) who: String,
    /// How much is told: prose (what happened), results (and what each action came to), or
    /// everything (all dice and steps).
    #[arg(long, value_name = "DETAIL", default_value = "everything", value_parser = Detail::named)]
    pub(crate) detail: Detail,
}

/// `fracas verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The log.
    pub(crate) log: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        super::Cli::command().debug_assert();
    }
}
