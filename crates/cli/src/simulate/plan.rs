//! What is simulated: by whom, under which settings, which conflicts.

use crate::args::SimulateArgs;
use crate::policy;
use crate::stop::Stop;
use fracas_kernel::{Setup, System, near};
use fracas_sim::{BUDGET, Plan, Play, digest};
use serde::{Deserialize, Serialize};

/// A simulation, but for the numbers of its conflicts. Parts with the same can be added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Simulation {
    pub(super) system: String,
    /// The version of the system's rules.
    rules: u32,
    pub(super) title: String,
    /// A digest of the encounter and its library.
    content: String,
    pub(super) players: Play,
    pub(super) gm: Play,
    pub(super) seed: u64,
    budget: u32,
}

impl Simulation {
    pub(super) fn new(system: &System, title: &str, setup: &Setup, order: &Order) -> Simulation {
        let papers = std::iter::once(&setup.encounter).chain(&setup.library);
        let content: Vec<String> = papers.map(|paper| paper.to_json().to_string()).collect();
        Simulation {
            system: system.id.to_owned(),
            rules: system.version,
            title: title.to_owned(),
            content: format!("{:016x}", digest(&content)),
            players: order.plan.sides.players,
            gm: order.plan.sides.gm,
            seed: order.plan.seed,
            budget: order.plan.budget,
        }
    }

    /// What is different in another, in words.
    pub(super) fn differs(&self, other: &Simulation) -> Option<String> {
        let different = |what: &str, ours: &dyn std::fmt::Debug, theirs: &dyn std::fmt::Debug| {
            let (ours, theirs) = (format!("{ours:?}"), format!("{theirs:?}"));
            (ours != theirs).then(|| format!("{what} {theirs} in place of {ours}"))
        };
        different("system", &self.system, &other.system)
            .or_else(|| different("encounter", &self.title, &other.title))
            .or_else(|| different("players", &self.players, &other.players))
            .or_else(|| different("gamemaster", &self.gm, &other.gm))
            .or_else(|| different("seed", &self.seed, &other.seed))
            .or_else(|| (self != other).then(|| "other content or rules of the same name".to_owned()))
    }
}

/// The command line, read.
pub(super) struct Order {
    pub(super) plan: Plan,
    /// Settings to try, each with its values.
    pub(super) settings: Vec<(String, Vec<String>)>,
    pub(super) measures: Vec<String>,
    /// The half of an interval at which to stop, from 0 to 1.
    pub(super) until: Option<f64>,
    /// How many conflicts to keep as logs, and which.
    pub(super) keep: Option<(usize, Which)>,
    /// How many conflicts the whole has, of which a part may be played.
    pub(super) whole: u64,
}

/// Which conflicts are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Which {
    /// Those that the players lost soonest.
    Worst,
    /// Those of the most answers.
    Longest,
    /// Those that end otherwise under another setting.
    Differing,
}

/// The most settings that are compared at once.
const MOST_ARMS: usize = 64;
/// How many conflicts are played where nothing else is said, without `--until` and with it.
const USUAL: [u64; 2] = [1_000, 1_000_000];

impl Order {
    pub(super) fn read(args: &SimulateArgs) -> Result<Order, Stop> {
        let sides = policy::sides(&args.policies, args.work, Play::Brisk)?;
        let mut settings: Vec<(String, Vec<String>)> = Vec::new();
        for set in &args.set {
            let (name, values) = set.split_once('=').unwrap_or((set, ""));
            let values: Vec<String> = values
                .split(',')
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
                .collect();
            if values.is_empty() {
                return Err(Stop::bad(format!(
                    "--set {set}: a setting with its values, such as {name}=one,other"
                )));
            }
            if let Some(twice) =
                values.iter().enumerate().find_map(|(n, value)| values[..n].contains(value).then_some(value))
            {
                return Err(Stop::bad(format!("--set {set}: {twice} is there twice")));
            }
            if settings.iter().any(|(other, _)| other == name) {
                return Err(Stop::bad(format!("--set {set}: {name} is set already: put its values there")));
            }
            settings.push((name.to_owned(), values));
        }
        let arms = settings.iter().fold(1, |arms: usize, (_, values)| arms.saturating_mul(values.len()));
        if arms > MOST_ARMS {
            return Err(Stop::bad(format!("--set: that makes {arms} settings, more than {MOST_ARMS}")));
        }
        let whole = args.conflicts.unwrap_or(USUAL[usize::from(args.until.is_some())]);
        let conflicts = match &args.chunk {
            None => 0..whole,
            Some(chunk) => {
                let wrong = || Stop::bad(format!("--chunk {chunk}: which of how many, such as 2/8"));
                let (nth, of) = chunk.split_once('/').ok_or_else(wrong)?;
                let (nth, of): (u64, u64) =
                    (nth.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
                if nth < 1 || nth > of {
                    return Err(wrong());
                }
                if of > whole {
                    return Err(Stop::bad(format!("--chunk {chunk}: {whole} conflicts have no {of} parts")));
                }
                let at = |nth: u64| (u128::from(whole) * u128::from(nth) / u128::from(of)) as u64;
                at(nth - 1)..at(nth)
            }
        };
        let until = args.until.as_ref().map(|text| {
            let percent =
                text.trim_end_matches(['%', ' ']).parse::<f64>().ok().filter(|n| (0.001..=50.0).contains(n));
            percent.map(|percent| percent / 100.0).ok_or_else(|| {
                Stop::bad(format!("--until {text}: half of an interval, such as 0.5%, from 0.001 to 50"))
            })
        });
        Ok(Order {
            plan: Plan {
                sides,
                seed: args.seed,
                conflicts,
                threads: policy::threads(args.threads),
                budget: BUDGET,
            },
            settings,
            measures: args.measures.clone(),
            until: until.transpose()?,
            keep: keep(args, arms)?,
            whole,
        })
    }
}

fn keep(args: &SimulateArgs, arms: usize) -> Result<Option<(usize, Which)>, Stop> {
    let [count, which] = args.keep.as_slice() else { return Ok(None) };
    let most = count.parse().ok().filter(|count| (1..=100).contains(count));
    let most = most.ok_or_else(|| Stop::bad(format!("--keep {count}: a number from 1 to 100")))?;
    let which = match which.as_str() {
        "worst" => Which::Worst,
        "longest" => Which::Longest,
        "differing" if arms < 2 => {
            return Err(Stop::bad("--keep differing: compare settings with --set"));
        }
        "differing" => Which::Differing,
        _ => return Err(Stop::bad(format!("--keep {count} {which}: worst, longest or differing"))),
    };
    Ok(Some((most, which)))
}

/// A setting under which conflicts are played.
pub(super) struct Arm {
    pub(super) label: String,
    pub(super) setup: Setup,
}

/// An arm for each combination of values, those of the last setting changing first.
pub(super) fn arms(setup: &Setup, settings: &[(String, Vec<String>)]) -> Vec<Arm> {
    let mut arms = vec![Arm { label: String::new(), setup: setup.clone() }];
    for (name, values) in settings {
        let with = |arm: &Arm, value: &String| {
            let mut setup = arm.setup.clone();
            setup.encounter.set(&["options", name], &value.as_str().into());
            let label = if arm.label.is_empty() { String::new() } else { format!("{} ", arm.label) };
            Arm { label: format!("{label}{name}={value}"), setup }
        };
        arms = arms.iter().flat_map(|arm| values.iter().map(move |value| with(arm, value))).collect();
    }
    if settings.is_empty() {
        arms[0].label = "as the encounter says".to_owned();
    }
    arms
}

/// Refuses measures that there are not.
pub(super) fn known(wanted: &[String], all: &[String]) -> Result<(), Stop> {
    for name in wanted {
        if !all.contains(name) {
            let known: Vec<&str> = all.iter().map(String::as_str).collect();
            let perhaps = near(name, &known);
            return Err(Stop::bad(format!(
                "--measure {name}: there is no such measure{perhaps}; there are {}",
                all.join(", ")
            )));
        }
    }
    Ok(())
}
